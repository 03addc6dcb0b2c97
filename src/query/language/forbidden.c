#include "query/language/forbidden.h"

#include "query/language/lex.h"

#define ONE_TABLE                                                                        \
    "a query reads one table, each row once: joins and subqueries are refused; let the " \
    "owner declare the joined table as a dataset"
#define ONLY_SELECT                                                                      \
    "a query only asks: it begins with SELECT, as in SELECT COUNT(*) WHERE age > 40"
#define NO_SETS                                                                          \
    "one query has one SELECT; put several into one batch, which is charged jointly"
#define NO_WINDOWS                                                                       \
    "windows look at other rows; GROUP BY a column or BUCKET(x, width) instead"
#define NO_OFFSET "rows cannot be skipped; LIMIT alone takes the first ones"

static const sc_forbidden words[] = {
    {"ALL", "leave it out; every row is looked at"},
    {"ALTER", ONLY_SELECT},
    {"ANALYZE", ONLY_SELECT},
    {"ATTACH", ONLY_SELECT},
    {"BEGIN", ONLY_SELECT},
    {"CALL", ONLY_SELECT},
    {"COLLATE", "text is compared byte by byte; leave COLLATE out"},
    {"COPY", ONLY_SELECT},
    {"CREATE", ONLY_SELECT},
    {"CROSS", ONE_TABLE},
    {"CUBE", "one query has one GROUP BY; ask once for each set of keys"},
    {"DELETE", ONLY_SELECT},
    {"DETACH", ONLY_SELECT},
    {"DO", ONLY_SELECT},
    {"DROP", ONLY_SELECT},
    {"ESCAPE", "patterns are refused; list the values: x IN ('a', 'b')"},
    {"EXCEPT", NO_SETS},
    {"EXECUTE", ONLY_SELECT},
    {"EXISTS", ONE_TABLE},
    {"EXPLAIN", "a plan is asked for by itself, and costs nothing"},
    {"FETCH", "write LIMIT n instead"},
    {"FOR", ONLY_SELECT},
    {"FULL", ONE_TABLE},
    {"GLOB", "patterns are refused; list the values: x IN ('a', 'b')"},
    {"GRANT", ONLY_SELECT},
    {"GROUPING", "one query has one GROUP BY; ask once for each set of keys"},
    {"ILIKE", "patterns are refused; list the values: x IN ('a', 'b')"},
    {"INNER", ONE_TABLE},
    {"INSERT", ONLY_SELECT},
    {"INTERSECT", NO_SETS},
    {"INTO", "a query writes nothing; the answer is recorded in the ledger"},
    {"JOIN", ONE_TABLE},
    {"LATERAL", ONE_TABLE},
    {"LEFT", ONE_TABLE},
    {"LOAD", ONLY_SELECT},
    {"LOCK", ONLY_SELECT},
    {"MATCH", "patterns are refused; list the values: x IN ('a', 'b')"},
    {"MERGE", ONLY_SELECT},
    {"NATURAL", ONE_TABLE},
    {"NULLS", "NULL comes last, and first with DESC; leave NULLS out"},
    {"OFFSET", NO_OFFSET},
    {"ON", ONE_TABLE},
    {"OUTER", ONE_TABLE},
    {"OVER", NO_WINDOWS},
    {"PARTITION", NO_WINDOWS},
    {"PRAGMA", ONLY_SELECT},
    {"REGEXP", "patterns are refused; list the values: x IN ('a', 'b')"},
    {"RETURNING", ONLY_SELECT},
    {"REVOKE", ONLY_SELECT},
    {"RIGHT", ONE_TABLE},
    {"ROLLUP", "one query has one GROUP BY; ask once for each set of keys"},
    {"SELECT", ONE_TABLE},
    {"SET", ONLY_SELECT},
    {"SIMILAR", "patterns are refused; list the values: x IN ('a', 'b')"},
    {"TABLE", ONLY_SELECT},
    {"TABLESAMPLE",
     "the sample would not be the one that is charged for; ask of all rows"},
    {"TRUNCATE", ONLY_SELECT},
    {"UNION", NO_SETS},
    {"UPDATE", ONLY_SELECT},
    {"USING", ONE_TABLE},
    {"VACUUM", ONLY_SELECT},
    {"VALUES", ONLY_SELECT},
    {"WINDOW", NO_WINDOWS},
    {"WITH", "one query has one SELECT; WITH stands only behind an aggregate: "
             "COUNT(*) WITH RANGE"},
    {"WITHIN", "write MEDIAN(x) or QUANTILE(x, 0.9)"},
};

#define OTHER_ROWS                                                                       \
    "it looks at other rows, and an expression sees its own row alone; GROUP BY a "      \
    "column or BUCKET(x, width) instead"
#define NOT_THE_ROW                                                                      \
    "its value is not a part of the row; write the value itself, as in DATE "            \
    "'2026-01-31'"
#define DECLARED_TYPES "types are declared by the owner; name the column alone"
#define NO_ROOTS                                                                         \
    "its values lie on no grid; group with BUCKET(x, width), or bound x with CLAMP(x, "  \
    "low, high)"
#define WHOLE_TEXT                                                                       \
    "text is compared whole: list the values, x IN ('a', 'b'), or let the owner "        \
    "declare "                                                                           \
    "a column of the part"
#define LISTS "rows are never listed; GROUP BY the column and COUNT(*)"

static const sc_forbidden functions[] = {
    {"APPROX_COUNT_DISTINCT", "write COUNT(DISTINCT unit) for the number of people"},
    {"APPROX_PERCENTILE", "write QUANTILE(x, 0.9)"},
    {"APPROX_QUANTILES", "write QUANTILE(x, 0.25, 0.5, 0.75)"},
    {"ARRAY_AGG", LISTS},
    {"AVERAGE", "write AVG(x)"},
    {"CAST", DECLARED_TYPES},
    {"CEIL", "write -FLOOR(-x)"},
    {"CEILING", "write -FLOOR(-x)"},
    {"CHAR_LENGTH", WHOLE_TEXT},
    {"CLOCK_TIMESTAMP", NOT_THE_ROW},
    {"CONCAT", WHOLE_TEXT},
    {"CORR", "ask for AVG(x * y), AVG(x) and AVG(y)"},
    {"COVAR_POP", "ask for AVG(x * y), AVG(x) and AVG(y)"},
    {"COVAR_SAMP", "ask for AVG(x * y), AVG(x) and AVG(y)"},
    {"CUME_DIST", OTHER_ROWS},
    {"CURRENT_DATE", NOT_THE_ROW},
    {"DATE_PART", "write YEAR(d), MONTH(d) or DAY(d)"},
    {"DATE_TRUNC", "write YEAR(d), or YEAR(d) * 12 + MONTH(d)"},
    {"DENSE_RANK", OTHER_ROWS},
    {"EXP", NO_ROOTS},
    {"EXTRACT", "write YEAR(d), MONTH(d) or DAY(d)"},
    {"FIRST_VALUE", OTHER_ROWS},
    {"GROUP_CONCAT", LISTS},
    {"IF", "write CASE WHEN condition THEN x ELSE y END"},
    {"IFNULL", "write COALESCE(x, y)"},
    {"IIF", "write CASE WHEN condition THEN x ELSE y END"},
    {"JSON_AGG", LISTS},
    {"LAG", OTHER_ROWS},
    {"LAST_INSERT_ROWID", NOT_THE_ROW},
    {"LAST_VALUE", OTHER_ROWS},
    {"LEAD", OTHER_ROWS},
    {"LENGTH", WHOLE_TEXT},
    {"LN", NO_ROOTS},
    {"LOG", NO_ROOTS},
    {"LOWER", WHOLE_TEXT},
    {"MEAN", "write AVG(x)"},
    {"NEXTVAL", NOT_THE_ROW},
    {"NOW", NOT_THE_ROW},
    {"NTH_VALUE", OTHER_ROWS},
    {"NTILE", OTHER_ROWS},
    {"PERCENT_RANK", OTHER_ROWS},
    {"PERCENTILE", "write QUANTILE(x, 0.9)"},
    {"PERCENTILE_CONT", "write QUANTILE(x, 0.9)"},
    {"PERCENTILE_DISC", "write QUANTILE(x, 0.9)"},
    {"POWER", "write x * x"},
    {"RANDOM", NOT_THE_ROW},
    {"RANK", OTHER_ROWS},
    {"REGEXP_LIKE", WHOLE_TEXT},
    {"ROW_NUMBER", OTHER_ROWS},
    {"SQRT", NO_ROOTS},
    {"STRING_AGG", LISTS},
    {"SUBSTR", WHOLE_TEXT},
    {"SUBSTRING", WHOLE_TEXT},
    {"TOP", "write SELECT TOP 3 x, COUNT(*), or LIMIT 3 at the end"},
    {"TRIM", WHOLE_TEXT},
    {"TRY_CAST", DECLARED_TYPES},
    {"UPPER", WHOLE_TEXT},
    {"VARIANCE", "write VAR(x)"},
    {"WIDTH_BUCKET", "write BUCKET(x, width)"},
};

static const sc_forbidden *find(const sc_forbidden *list, size_t count, sc_text word)
{
    for (size_t i = 0; i < count; i++)
        if (sc_word_is(word, list[i].word))
            return &list[i];
    return NULL;
}

const sc_forbidden *sc_forbidden_word(sc_text word)
{
    return find(words, sizeof words / sizeof *words, word);
}

const sc_forbidden *sc_forbidden_function(sc_text name)
{
    return find(functions, sizeof functions / sizeof *functions, name);
}
