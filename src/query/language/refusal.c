#include "query/language/refusal.h"

#include <stdarg.h>
#include <string.h>

sc_span sc_span_join(sc_span first, sc_span last)
{
    return sc_span_at(first.offset, last.offset + last.bytes - first.offset);
}

#undef sc_refuse /* what an analyser is told in the header */
scrim_status sc_refuse(sc_refusal *refusal, sc_span place, scrim_status status,
                       const char *format, ...)
{
    const bool is_form = status == SCRIM_E_PARAM || status == SCRIM_E_SYNTAX;
    va_list arguments;
    refusal->place = place;
    va_start(arguments, format);
    status = sc_fail_list(refusal->error, status,
                          is_form ? SCRIM_REASON_SYNTAX : SCRIM_REASON_NONE,
                          is_form ? "query" : "", format, arguments);
    va_end(arguments);
    return status;
}

#undef sc_refuse_for
scrim_status sc_refuse_for(sc_refusal *refusal, sc_span place, scrim_status status,
                           scrim_reason reason, const char *parameter, const char *format,
                           ...)
{
    va_list arguments;
    refusal->place = place;
    va_start(arguments, format);
    status = sc_fail_list(refusal->error, status, reason, parameter, format, arguments);
    va_end(arguments);
    return status;
}

#undef sc_refuse_memory
scrim_status sc_refuse_memory(sc_refusal *refusal)
{
    return sc_refuse(refusal, sc_span_at(0, 0), SCRIM_E_MEMORY,
                     "out of memory for the query");
}

/* Caret. */

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* The bytes of the first shown character of rest; an invalid byte is shown as one mark. */
static size_t shown_bytes(sc_text rest)
{
    const size_t bytes = sc_text_character(rest);
    return bytes > 0 ? bytes : 1;
}

static size_t shown_columns(sc_text text)
{
    size_t columns = 0;
    while (text.bytes > 0) {
        const size_t bytes = shown_bytes(text);
        text = (sc_text){text.start + bytes, text.bytes - bytes};
        columns++;
    }
    return columns;
}

/* The text from a column on, at most `columns` wide. */
static sc_text columns_of(sc_text text, size_t from, size_t columns)
{
    for (; from > 0 && text.bytes > 0; from--) {
        const size_t bytes = shown_bytes(text);
        text = (sc_text){text.start + bytes, text.bytes - bytes};
    }
    size_t end = 0;
    for (; columns > 0 && end < text.bytes; columns--)
        end += shown_bytes((sc_text){text.start + end, text.bytes - end});
    return (sc_text){text.start, end};
}

static void put_shown(sc_text_sink *sink, sc_text text)
{
    while (text.bytes > 0) {
        const size_t bytes = sc_text_character(text);
        if (bytes > 0)
            sc_text_put(sink, (sc_text){text.start, bytes});
        else
            sc_text_put_times(sink, text.start[0] == '\t' ? ' ' : '?', 1);
        text = (sc_text){text.start + shown_bytes(text), text.bytes - shown_bytes(text)};
    }
}

size_t sc_refusal_caret(sc_text text, sc_span place, char *out, size_t capacity)
{
    sc_text_sink sink;
    size_t begin = place.offset < text.bytes ? place.offset : text.bytes;
    size_t end = begin;
    const size_t at = begin;
    sc_text_sink_init(&sink, out, capacity);
    while (begin > 0 && !is_line_end(text.start[begin - 1]))
        begin--;
    while (end < text.bytes && !is_line_end(text.start[end]))
        end++;
    const sc_text line = {text.start + begin, end - begin};
    const size_t marked = place.bytes < end - at ? place.bytes : end - at;
    const size_t before = shown_columns((sc_text){text.start + begin, at - begin});
    size_t carets = shown_columns((sc_text){text.start + at, marked});
    /* A long line is shown from a little before the place, and no less of it than there is room
     * for, where a caret may stand behind its end. */
    const size_t context = SC_CARET_COLUMNS / 2;
    const size_t columns = shown_columns(line) + (at == end ? 1 : 0);
    const size_t last = columns > SC_CARET_COLUMNS ? columns - SC_CARET_COLUMNS : 0;
    const size_t middle = before > context ? before - context : 0;
    const size_t from = middle < last ? middle : last;
    const size_t room = SC_CARET_COLUMNS - (before - from);
    carets = carets == 0 ? 1 : carets > room ? room : carets;
    put_shown(&sink, columns_of(line, from, SC_CARET_COLUMNS));
    sc_text_put(&sink, sc_text_of("\n"));
    sc_text_put_times(&sink, ' ', before - from);
    sc_text_put_times(&sink, '^', carets);
    return sink.length;
}

/* Words in any case of their letters. */

bool sc_word_is(sc_text word, const char *capitals)
{
    for (size_t i = 0; i < word.bytes; i++)
        if (capitals[i] == '\0' || sc_capital(word.start[i]) != capitals[i])
            return false;
    return capitals[word.bytes] == '\0';
}

sc_text sc_word_capitals(sc_text word, char out[SC_WORD_BYTES])
{
    size_t bytes = 0;
    for (; bytes < word.bytes && bytes + 1 < SC_WORD_BYTES; bytes++)
        out[bytes] = sc_capital(word.start[bytes]);
    out[bytes] = '\0';
    return (sc_text){out, bytes};
}

/* SQL constructs that are refused by name. */

#define JOINS "a join follows the dataset in FROM: FROM orders JOIN regions USING (city)"
#define NO_SUBQUERIES                                                                    \
    "subqueries are not supported; write one SELECT, with values, as in age > 40; a "    \
    "share of all is COUNT(*) FILTER (WHERE x = 'a') / COUNT(*)"
#define ONLY_SELECT                                                                      \
    "a query only reads; it must begin with SELECT, as in SELECT COUNT(*) WHERE age > "  \
    "40"
#define NO_SETS                                                                          \
    "set operations are not supported; ask the SELECTs in one batch, which is charged "  \
    "jointly"
#define NO_WINDOWS                                                                       \
    "window functions look at other rows; GROUP BY a column or BUCKET(x, width) "        \
    "instead; a share of all is COUNT(*) FILTER (WHERE x = 'a') / COUNT(*)"
#define GROUPING_SETS                                                                    \
    "sets of keys stand behind GROUP BY: GROUP BY ROLLUP(a, b), CUBE(a, b) or GROUPING " \
    "SETS ((a), ())"
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
    {"CROSS",
     "write JOIN regions USING (city): a row meets at most one of a public table"},
    {"CUBE", GROUPING_SETS},
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
    {"FULL",
     "rows of the public table alone are nobody's; write LEFT JOIN, which keeps all "
     "rows of the dataset"},
    {"GLOB", NO_PATTERNS},
    {"GRANT", ONLY_SELECT},
    {"ILIKE", NO_PATTERNS},
    {"INNER", JOINS},
    {"INSERT", ONLY_SELECT},
    {"INTERSECT", NO_SETS},
    {"INTO", "a query cannot write a table; the ledger records the answer"},
    {"ISNULL", "write x IS NULL"},
    {"JOIN", JOINS},
    {"LATERAL", NO_SUBQUERIES},
    {"LEFT", JOINS},
    {"LOAD", ONLY_SELECT},
    {"LOCK", ONLY_SELECT},
    {"MATCH", NO_PATTERNS},
    {"MERGE", ONLY_SELECT},
    {"MINUS", NO_SETS},
    {"NATURAL", "name the column: JOIN regions USING (city)"},
    {"NOTNULL", "write x IS NOT NULL"},
    {"NULLS", "NULL comes last, and first with DESC; leave NULLS out"},
    {"OFFSET", "rows cannot be skipped; LIMIT alone takes the first ones"},
    {"ON", JOINS},
    {"OUTER", JOINS},
    {"OVER", NO_WINDOWS},
    {"PARTITION", NO_WINDOWS},
    {"PIVOT", "GROUP BY both columns instead"},
    {"PRAGMA", ONLY_SELECT},
    {"QUALIFY", NO_WINDOWS},
    {"REGEXP", NO_PATTERNS},
    {"REPLACE", ONLY_SELECT},
    {"RETURNING", ONLY_SELECT},
    {"REVOKE", ONLY_SELECT},
    {"RIGHT",
     "rows of the public table alone are nobody's; write the dataset first: FROM "
     "orders LEFT JOIN regions USING (city)"},
    {"RLIKE", NO_PATTERNS},
    {"ROLLUP", GROUPING_SETS},
    {"ROW", "rows of values are not supported; compare one column at a time, a = 1 AND b "
            "= 2"},
    {"SELECT", NO_SUBQUERIES},
    {"SELECT DISTINCT",
     "SELECT DISTINCT would list rows; write SELECT x, COUNT(*) GROUP BY x"},
    {"SET", ONLY_SELECT},
    {"SETS", GROUPING_SETS},
    {"SIMILAR", NO_PATTERNS},
    {"TABLE", ONLY_SELECT},
    {"TABLE ALIAS",
     "without a join a table needs no other name; leave it out and write the columns "
     "alone"},
    {"TABLESAMPLE",
     "sampling is not supported, since its cost would be unknown; ask about all rows"},
    {"TRUNCATE", ONLY_SELECT},
    {"UNION", NO_SETS},
    {"UPDATE", ONLY_SELECT},
    {"USING", JOINS},
    {"VACUUM", ONLY_SELECT},
    {"VALUES", ONLY_SELECT},
    {"WINDOW", NO_WINDOWS},
    {"WITH", "WITH name AS (SELECT ...) stands in front of the first SELECT"},
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
    {"DATE", "write DATE_TRUNC('day', t), DATE_TRUNC('month', d) or DATE '2026-01-31'"},
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

#undef sc_refuse_forbidden
scrim_status sc_refuse_forbidden(sc_refusal *refusal, sc_span place, sc_text typed,
                                 const sc_forbidden *found)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    return sc_refuse_for(refusal, place, SCRIM_E_POLICY, SCRIM_REASON_UNSUPPORTED,
                         found->word, "%s%s%s", sc_text_quote(typed, quote),
                         typed.bytes > 0 ? ": " : "", found->reason);
}

#undef sc_refuse_form
scrim_status sc_refuse_form(sc_refusal *refusal, sc_span place, const char *typed,
                            const char *word)
{
    const sc_forbidden *found = sc_forbidden_word(sc_text_of(word));
    return found != NULL ? sc_refuse_forbidden(refusal, place, sc_text_of(typed), found)
                         : sc_refuse(refusal, place, SCRIM_E_INTERNAL,
                                     "%s is on no list of what is refused", word);
}
