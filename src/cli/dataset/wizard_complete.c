#include "cli/dataset/wizard_complete.h"

#include "cli/dataset/wizard_answers.h"

#include <stdio.h>
#include <string.h>

/* Words that a question takes, beside those that are looked up. */
static const struct {
    sc_ask field;
    const char *words; /* ended by blanks */
} fixed[] = {
    {SC_ASK_UNIT, "row"},
    {SC_ASK_TYPE, "int decimal date timestamp bool text"},
    {SC_ASK_SECRET, "y n"},
    {SC_ASK_DECIMAL, ". ,"},
    {SC_ASK_DATES, "YYYY-MM-DD DD.MM.YYYY D.M.YYYY MM/DD/YYYY M/D/YYYY YYYYMMDD"},
    {SC_ASK_ZONE, "UTC Europe/ America/ Asia/ Africa/ Australia/"},
    {SC_ASK_LOOK, "y n"},
    {SC_ASK_ONE_ROW, "y n"},
    {SC_ASK_NEIGHBOURS, "yes no add-remove replace"},
};

static void offer_words(const char *list, sc_line_words *words)
{
    char word[32];
    for (const char *at = list; *at != '\0'; at += strspn(at, " ")) {
        const size_t bytes = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)bytes, at);
        sc_line_words_offer(words, word);
        at += bytes;
    }
}

/* Names in the header of the source, or those that were typed. */
static void offer_columns(const sc_wizard *w, sc_line_words *words)
{
    char column[SCRIM_COLUMN_BYTES];
    for (const char *at = w->header; at != NULL && *at != '\0';) {
        const size_t bytes = strcspn(at, "\n");
        snprintf(column, sizeof column, "%.*s", (int)bytes, at);
        sc_line_words_offer(words, column);
        at += bytes + (at[bytes] == '\n');
    }
    for (size_t i = 0; w->header == NULL && i < w->count; i++)
        if (w->slots[i].name != NULL)
            sc_line_words_offer(words, w->slots[i].name);
}

void sc_wizard_complete(void *context, const char *line, size_t start,
                        sc_line_words *words)
{
    const sc_wizard *w = context;
    const sc_ask field = w->asked.field;
    (void)line, (void)start;
    if (w->is_page) {
        offer_words("yes no", words);
        return;
    }
    if (field == SC_ASK_CSV || field == SC_ASK_SQLITE)
        sc_line_words_offer_files(words);
    if (field == SC_ASK_UNIT || field == SC_ASK_COLUMN || field == SC_ASK_BY)
        offer_columns(w, words);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (fixed[i].field == field)
            offer_words(fixed[i].words, words);
}
