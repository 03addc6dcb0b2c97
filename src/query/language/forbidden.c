#include "query/language/forbidden.h"

#include "query/language/lex.h"

#include <string.h>

#define NO_JOINS                                                                         \
    "joins are not supported; let the owner declare the joined table as a dataset"
#define NO_SUBQUERIES                                                                    \
    "subqueries are not supported; write one SELECT, with values, as in age > 40"
#define ONLY_SELECT                                                                      \
    "a query only reads; it must begin with SELECT, as in SELECT COUNT(*) WHERE age > "  \
    "40"
#define NO_SETS                                                                          \
    "set operations are not supported; ask the SELECTs in one batch, which is charged "  \
    "jointly"
#define NO_WINDOWS                                                                       \
    "window functions look at other rows; GROUP BY a column or BUCKET(x, width) instead"
#define NO_GROUPING_SETS                                                                 \
    "grouping sets are not supported; ask once for each GROUP BY, in one batch"
#define NO_PATTERNS "write x LIKE 'a%', or LOWER(x) LIKE 'a%' for letters of any case"

/* Words, and forms of several, which no word can be taken for. */
const sc_forbidden sc_forbidden_words[] = {
    {"*", "SELECT * would release single rows; ask for an "
          "aggregate, as in SELECT COUNT(*)"},
    {".", "write the column without its table; put a name that contains a dot in double "
          "quotes"},
    {"::", "casts are not supported, since the owner declares the types; write the "
           "column alone"},
    {";", "a query is one statement; ask several in one batch, which is charged jointly"},
    {"ALL", "ALL is the default; leave it out"},
    {"ALTER", ONLY_SELECT},
    {"ANALYZE", ONLY_SELECT},
    {"ATTACH", ONLY_SELECT},
    {"BEGIN", ONLY_SELECT},
    {"CALL", ONLY_SELECT},
    {"COLLATE", "text is compared byte by byte; leave COLLATE out"},
    {"COPY", ONLY_SELECT},
    {"CREATE", ONLY_SELECT},
    {"CROSS", NO_JOINS},
    {"CUBE", NO_GROUPING_SETS},
    {"DELETE", ONLY_SELECT},
    {"DETACH", ONLY_SELECT},
    {"DO", ONLY_SELECT},
    {"DROP", ONLY_SELECT},
    {"ESCAPE", "must follow LIKE and its pattern: x LIKE 'a!%' ESCAPE '!'"},
    {"EXCEPT", NO_SETS},
    {"EXECUTE", ONLY_SELECT},
    {"EXISTS", NO_SUBQUERIES},
    {"EXPLAIN", "not part of a query; a plan is free and has its own command"},
    {"FETCH", "write LIMIT n instead"},
    {"FOR", "locks are not supported, since a query only reads; leave FOR out"},
    {"FULL", NO_JOINS},
    {"GLOB", NO_PATTERNS},
    {"GRANT", ONLY_SELECT},
    {"GROUPING", NO_GROUPING_SETS},
    {"ILIKE", NO_PATTERNS},
    {"INNER", NO_JOINS},
    {"INSERT", ONLY_SELECT},
    {"INTERSECT", NO_SETS},
    {"INTO", "a query cannot write a table; the ledger records the answer"},
    {"ISNULL", "write x IS NULL"},
    {"JOIN", NO_JOINS},
    {"LATERAL", NO_JOINS},
    {"LEFT", NO_JOINS},
    {"LOAD", ONLY_SELECT},
    {"LOCK", ONLY_SELECT},
    {"MATCH", NO_PATTERNS},
    {"MERGE", ONLY_SELECT},
    {"MINUS", NO_SETS},
    {"NATURAL", NO_JOINS},
    {"NOTNULL", "write x IS NOT NULL"},
    {"NULLS", "NULL comes last, and first with DESC; leave NULLS out"},
    {"OFFSET", "rows cannot be skipped; LIMIT alone takes the first ones"},
    {"ON", NO_JOINS},
    {"OUTER", NO_JOINS},
    {"OVER", NO_WINDOWS},
    {"PARTITION", NO_WINDOWS},
    {"PIVOT", "GROUP BY both columns instead"},
    {"PRAGMA", ONLY_SELECT},
    {"QUALIFY", NO_WINDOWS},
    {"REGEXP", NO_PATTERNS},
    {"REPLACE", ONLY_SELECT},
    {"RETURNING", ONLY_SELECT},
    {"REVOKE", ONLY_SELECT},
    {"RIGHT", NO_JOINS},
    {"RLIKE", NO_PATTERNS},
    {"ROLLUP", NO_GROUPING_SETS},
    {"ROW", "rows of values are not supported; compare one column at a time, a = 1 AND b "
            "= 2"},
    {"SELECT", NO_SUBQUERIES},
    {"SELECT DISTINCT",
     "SELECT DISTINCT would list rows; write SELECT x, COUNT(*) GROUP BY x"},
    {"SET", ONLY_SELECT},
    {"SETS", NO_GROUPING_SETS},
    {"SIMILAR", NO_PATTERNS},
    {"TABLE", ONLY_SELECT},
    {"TABLE ALIAS",
     "table aliases are not supported; leave it out and write the columns alone"},
    {"TABLESAMPLE",
     "sampling is not supported, since its cost would be unknown; ask about all rows"},
    {"TRUNCATE", ONLY_SELECT},
    {"UNION", NO_SETS},
    {"UPDATE", ONLY_SELECT},
    {"USING", NO_JOINS},
    {"VACUUM", ONLY_SELECT},
    {"VALUES", ONLY_SELECT},
    {"WINDOW", NO_WINDOWS},
    {"WITH", "common table expressions are not supported; write one SELECT (WITH is "
             "allowed only in COUNT(*) WITH RANGE)"},
    {"WITHIN", "write MEDIAN(x) or QUANTILE(x, 0.9)"},
    {NULL, NULL},
};

#define OTHER_ROWS                                                                       \
    "window functions look at other rows, and an expression sees its own row alone; "    \
    "GROUP BY a column or BUCKET(x, width) instead"
#define NOT_THE_ROW                                                                      \
    "its value does not come from the row; write the value itself, as in DATE "          \
    "'2026-01-31'"
#define DECLARED_TYPES                                                                   \
    "casts are not supported, since the owner declares the types; write the column "     \
    "alone"
#define NO_ROOTS                                                                         \
    "its values have no fixed step; group with BUCKET(x, width), or limit x with "       \
    "CLAMP(x, "                                                                          \
    "low, high)"
#define LISTS "single rows are never listed; use GROUP BY and COUNT(*)"
#define DATE_FIELDS                                                                      \
    "write YEAR(d), MONTH(d), DAY(d), WEEKDAY(d), HOUR(t) or DATE_TRUNC('month', d)"

const sc_forbidden sc_forbidden_functions[] = {
    {"ALL", NO_SUBQUERIES},
    {"ANY", NO_SUBQUERIES},
    {"ANY_VALUE", LISTS},
    {"APPROX_COUNT_DISTINCT", "write COUNT(DISTINCT unit) for the number of people"},
    {"APPROX_PERCENTILE", "write QUANTILE(x, 0.9)"},
    {"APPROX_QUANTILES", "write QUANTILE(x, 0.25, 0.5, 0.75)"},
    {"ARRAY_AGG", LISTS},
    {"AVERAGE", "write AVG(x)"},
    {"BTRIM", "write TRIM(x)"},
    {"CAST", DECLARED_TYPES},
    {"CEIL", "write -FLOOR(-x)"},
    {"CEILING", "write -FLOOR(-x)"},
    {"CHAR_LENGTH", "write LENGTH(x)"},
    {"CLOCK_TIMESTAMP", NOT_THE_ROW},
    {"CONCAT", "write x || y"},
    {"CONVERT", DECLARED_TYPES},
    {"CORR", "ask for AVG(x * y), AVG(x) and AVG(y)"},
    {"COUNT_IF", "write COUNT(*) FILTER (WHERE condition)"},
    {"COVAR_POP", "ask for AVG(x * y), AVG(x) and AVG(y)"},
    {"COVAR_SAMP", "ask for AVG(x * y), AVG(x) and AVG(y)"},
    {"CUME_DIST", OTHER_ROWS},
    {"CURRENT_DATE", NOT_THE_ROW},
    {"CURRENT_TIME", NOT_THE_ROW},
    {"CURRENT_TIMESTAMP", NOT_THE_ROW},
    {"DATEADD", "write d + 30, in days"},
    {"DATEDIFF", "write d - e, in days"},
    {"DATENAME", DATE_FIELDS},
    {"DATEPART", DATE_FIELDS},
    {"DATE_FORMAT", DATE_FIELDS},
    {"DATE_PART", DATE_FIELDS},
    {"DECODE", "write CASE x WHEN v THEN y ELSE z END"},
    {"DENSE_RANK", OTHER_ROWS},
    {"EXP", NO_ROOTS},
    {"EXTRACT", DATE_FIELDS},
    {"FIRST_VALUE", OTHER_ROWS},
    {"GROUP_CONCAT", LISTS},
    {"IF", "write CASE WHEN condition THEN x ELSE y END"},
    {"IFNULL", "write COALESCE(x, y)"},
    {"IIF", "write CASE WHEN condition THEN x ELSE y END"},
    {"INITCAP", "write LOWER(x) or UPPER(x)"},
    {"INSTR", "write x LIKE '%abc%'"},
    {"ISNULL", "write COALESCE(x, y)"},
    {"JSON_AGG", LISTS},
    {"LAG", OTHER_ROWS},
    {"LAST_INSERT_ROWID", NOT_THE_ROW},
    {"LAST_VALUE", OTHER_ROWS},
    {"LCASE", "write LOWER(x)"},
    {"LEAD", OTHER_ROWS},
    {"LEFT", "write SUBSTR(x, 1, 3)"},
    {"LEN", "write LENGTH(x)"},
    {"LN", NO_ROOTS},
    {"LOG", NO_ROOTS},
    {"MEAN", "write AVG(x)"},
    {"MOD", "write x - y * FLOOR(x / y), with a number for y"},
    {"NEXTVAL", NOT_THE_ROW},
    {"NOW", NOT_THE_ROW},
    {"NTH_VALUE", OTHER_ROWS},
    {"NTILE", OTHER_ROWS},
    {"NVL", "write COALESCE(x, y)"},
    {"PERCENTILE", "write QUANTILE(x, 0.9)"},
    {"PERCENTILE_CONT", "write QUANTILE(x, 0.9)"},
    {"PERCENTILE_DISC", "write QUANTILE(x, 0.9)"},
    {"PERCENT_RANK", OTHER_ROWS},
    {"POSITION", "write x LIKE '%abc%'"},
    {"POWER", "write x * x"},
    {"RANDOM", NOT_THE_ROW},
    {"RANK", OTHER_ROWS},
    {"REGEXP_LIKE", NO_PATTERNS},
    {"REPLACE", "list the values: CASE x WHEN 'a' THEN 'b' ELSE x END"},
    {"RIGHT", "write x LIKE '%abc', or let the owner declare a column of the part"},
    {"ROW_NUMBER", OTHER_ROWS},
    {"SOME", NO_SUBQUERIES},
    {"SQRT", NO_ROOTS},
    {"STRFTIME", DATE_FIELDS},
    {"STRING_AGG", LISTS},
    {"STRPOS", "write x LIKE '%abc%'"},
    {"SUBSTRING", "write SUBSTR(x, from, count)"},
    {"TOP", "write SELECT TOP 3 x, COUNT(*), or LIMIT 3 at the end"},
    {"TO_CHAR", DATE_FIELDS},
    {"TRY_CAST", DECLARED_TYPES},
    {"UCASE", "write UPPER(x)"},
    {"VARIANCE", "write VAR(x)"},
    {"WIDTH_BUCKET", "write BUCKET(x, width)"},
    {NULL, NULL},
};

static const sc_forbidden *find(const sc_forbidden *list, sc_text word)
{
    char first = '\0';
    if (word.bytes > 0)
        first = sc_capital(word.start[0]);
    for (; list->word != NULL; list++)
        if (list->word[0] == first && sc_word_is(word, list->word))
            return list;
    return NULL;
}

const sc_forbidden *sc_forbidden_word(sc_text word)
{
    return find(sc_forbidden_words, word);
}

const sc_forbidden *sc_forbidden_function(sc_text name)
{
    return find(sc_forbidden_functions, name);
}

bool sc_forbidden_is_value(sc_text name)
{
    const sc_forbidden *found = sc_forbidden_function(name);
    return found != NULL && strcmp(found->reason, NOT_THE_ROW) == 0;
}

scrim_status sc_refuse_forbidden(sc_refusal *refusal, sc_span place, sc_text typed,
                                 const sc_forbidden *found)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    return sc_refuse_for(refusal, place, SCRIM_E_POLICY, SCRIM_REASON_UNSUPPORTED,
                         found->word, "%s%s%s", sc_text_quote(typed, quote),
                         typed.bytes > 0 ? ": " : "", found->reason);
}

scrim_status sc_refuse_form(sc_refusal *refusal, sc_span place, const char *typed,
                            const char *word)
{
    const sc_forbidden *found = sc_forbidden_word(sc_text_of(word));
    return found != NULL ? sc_refuse_forbidden(refusal, place, sc_text_of(typed), found)
                         : sc_refuse(refusal, place, SCRIM_E_INTERNAL,
                                     "%s is on no list of what is refused", word);
}
