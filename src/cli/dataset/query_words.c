#include "cli/dataset/query_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define WORD_BYTES 256

void sc_query_words(sc_word_taker *take, void *context)
{
    static const char *const words[] = {
        "SELECT",    "GROUP",      "ORDER",       "BY",
        "WHERE",     "GROUP BY",   "HAVING",      "ORDER BY",
        "LIMIT",     "AS",         "AND",         "OR",
        "NOT",       "IN",         "BETWEEN",     "LIKE",
        "IS NULL",   "CASE",       "WHEN",        "THEN",
        "ELSE",      "END",        "DESC",        "DISTINCT",
        "COUNT(*)",  "COUNT(",     "SUM(",        "AVG(",
        "VAR(",      "STDDEV(",    "MEDIAN(",     "QUANTILE(",
        "MIN(",      "MAX(",       "MODE(",       "RANGE(",
        "CLAMP(",    "HISTOGRAM(", "IS NOT NULL", "WITH RANGE",
        "COALESCE(", "ROLLUP(",    "CUBE(",       "GROUPING SETS (",
        "GROUPING("};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        take(context, words[i]);
}

static bool is_plain(const char *name, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        const char c = name[i];
        const bool is_letter =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!is_letter && (i == 0 || c < '0' || c > '9'))
            return false;
    }
    return bytes > 0;
}

/* Between quotes, which are doubled inside. A word that is too long is left out. */
static void take_quoted(const char *text, size_t bytes, char quote, sc_word_taker *take,
                        void *context)
{
    char word[WORD_BYTES];
    size_t used = 0;
    word[used++] = quote;
    for (size_t i = 0; i < bytes && used + 4 < sizeof word; i++) {
        if (text[i] == quote)
            word[used++] = quote;
        word[used++] = text[i];
    }
    if (used + 4 >= sizeof word)
        return;
    word[used++] = quote;
    word[used] = '\0';
    take(context, word);
}

/* "age=int[0,120]". */
static void take_column(const char *text, size_t bytes, sc_word_taker *take,
                        void *context)
{
    const char *end = memchr(text, '=', bytes);
    const size_t name = end == NULL ? bytes : (size_t)(end - text);
    char word[WORD_BYTES];
    if (!is_plain(text, name)) {
        take_quoted(text, name, '"', take, context);
    } else if (name < sizeof word) {
        memcpy(word, text, name);
        word[name] = '\0';
        take(context, word);
    }
}

/* "sex=F,M"; a key that a policy puts between quotes is left out. */
static void take_keys(const char *text, size_t bytes, sc_word_taker *take, void *context)
{
    const char *at = memchr(text, '=', bytes), *const end = text + bytes;
    if (at == NULL || memchr(text, '"', bytes) != NULL)
        return;
    for (at++; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma == NULL ? end : comma;
        take_quoted(at, (size_t)(stop - at), '\'', take, context);
        at = stop + 1;
    }
}

void sc_policy_words(const char *policy, sc_word_taker *take, void *context)
{
    static const struct {
        const char *key;
        void (*read)(const char *text, size_t bytes, sc_word_taker *take, void *context);
    } lines[] = {{"column=", take_column}, {"unit=", take_column}, {"keys=", take_keys}};
    while (*policy != '\0') {
        const size_t bytes = strcspn(policy, "\n");
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            const size_t key = strlen(lines[i].key);
            if (bytes > key && strncmp(policy, lines[i].key, key) == 0)
                lines[i].read(policy + key, bytes - key, take, context);
        }
        policy += bytes + (policy[bytes] == '\n');
    }
}
