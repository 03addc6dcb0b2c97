/* The measurement of a charge in few words. */
#include "query/answer/ask.h"
#include "scrim/suggestion.h"

#include <string.h>

/* The batch of a suggestion is known by its first column (suggested.c); in old ledgers by its quantiles. */
static bool is_suggestion(const char *asked)
{
    static const char *const beginnings[] = {
        ("SELECT LADDER(n, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, "
         "20000, 50000, 100000, 200000, 500000, 1000000) AS rows, COUNT(*) AS people "
         "FROM"),
        "SELECT QUANTILE(LADDER(r0), 0.5, 0.9, 0.95, 0.99) AS rows",
        "SELECT QUANTILE(g0, 0.5, 0.9, 0.95, 0.99) AS groups, QUANTILE(LADDER(r0), "};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(asked, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

/* The end of a name in double quotes, behind which the text goes on. */
static const char *end_of_name(const char *name)
{
    const char *end = name + 1;
    while (*end != '\0' && (*end != '"' || *++end == '"'))
        end++;
    return end;
}

static void put_name(sc_text_sink *sink, const char *before, const char *name)
{
    sc_text_put(sink, sc_text_of(before));
    sc_text_put(sink, (sc_text){name + 1, (size_t)(end_of_name(name) - name - 2)});
}

/* The end of a key: a comma or parenthesis that is neither in parentheses nor in quotes. */
static const char *end_of_key(const char *at)
{
    size_t depth = 0;
    char quote = '\0';
    for (; *at != '\0'; at++) {
        if (quote == '\0' && depth == 0 && (*at == ',' || *at == ')'))
            break;
        if (quote != '\0' && *at == quote)
            quote = '\0';
        else if (quote != '\0')
            continue;
        else if (*at == '\'' || *at == '"')
            quote = *at;
        else if (*at == '(')
            depth++;
        else
            depth -= *at == ')';
    }
    return at;
}

/* The keys behind the unit: columns in quotes, or expressions. */
static void put_keys(sc_text_sink *sink, const char *at)
{
    for (const char *before = " by "; strncmp(at, ", ", 2) == 0; before = ", ") {
        const char *key = at + 2;
        at = end_of_key(key);
        if (*key == '"' && end_of_name(key) == at) {
            put_name(sink, before, key);
            continue;
        }
        sc_text_put(sink, sc_text_of(before));
        sc_text_put(sink, (sc_text){key, (size_t)(at - key)});
    }
}

/* Where the keys begin: behind the unit, in the first GROUP BY that has some. */
static const char *find_keys(const char *asked)
{
    static const char group[] = " GROUP BY \"";
    while ((asked = strstr(asked, group)) != NULL) {
        asked = end_of_name(asked + sizeof group - 2);
        if (*asked == ',')
            return asked;
    }
    return "";
}

/* The columns are those whose values it asks. */
static void put_suggestion(sc_text_sink *sink, const char *asked)
{
    static const char value[] = "ANY_VALUE(\"";
    const char *at = asked, *before = " ";
    sc_text_put(sink, sc_text_of("suggest"));
    while ((at = strstr(at, value)) != NULL) {
        at += sizeof value - 2;
        put_name(sink, before, at);
        before = ", ";
    }
    put_keys(sink, find_keys(asked));
}

/* "synth method=mst epsilon=1 : "age" cut 17:5:15, "sex"": its columns. */
static void put_synth(sc_text_sink *sink, const char *at)
{
    sc_text_put(sink, sc_text_of("synthetic rows"));
    for (const char *before = " of "; at != NULL && *at == '"'; before = ", ") {
        put_name(sink, before, at);
        at = strstr(end_of_name(at), ", \"");
        at = at == NULL ? NULL : at + 2;
    }
}

static bool is_synth(const char *measurement, const char *columns)
{
    static const char word[] = "synth ";
    return strncmp(measurement, word, sizeof word - 1) == 0 && columns[0] == '"';
}

size_t scrim_charge_asked(const char *measurement, char *text, size_t bytes)
{
    static const char between[] = " : ";
    const char *question = strstr(measurement, between);
    const char *asked =
        sc_charged_is(&sc_query_kind, sc_text_of(measurement)) && question != NULL
            ? question + sizeof between - 1
            : measurement;
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, bytes);
    if (question != NULL && is_synth(measurement, question + sizeof between - 1))
        put_synth(&sink, question + sizeof between - 1);
    else if (is_suggestion(asked))
        put_suggestion(&sink, asked);
    else
        sc_text_put(&sink, sc_text_of(asked));
    return sink.length;
}
