#include "cli/dataset/wizard_source.h"

#include "cli/dataset/header_separator.h"
#include "cli/terminal/complaint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What options and a file said is checked before anything is asked, since no answer can mend it.
 * A table that is asked for stands as "t" until then. */
static scrim_status check_given(const sc_wizard *w, scrim_error *error)
{
    const bool lacks_table = sc_wizard_has(w, "sqlite") && !sc_wizard_has(w, "table");
    const char *unit = sc_policy_draft_get(w->draft, "unit");
    char *text = NULL;
    scrim_status status =
        lacks_table ? sc_wizard_try(w, "table", "t", &text, error)
                    : sc_wizard_try(w, "unit", unit == NULL ? "row" : unit, &text, error);
    free(text);
    return status;
}

/* The source is held against the unit and the columns that were said, and of a CSV file the names in
 * the header are read; other sources are asked about column by column. seen is what may separate
 * them, where it is not said. */
static scrim_status read_names(sc_wizard *w, const char **seen, scrim_error *error)
{
    const char *key = sc_policy_draft_source(w->draft);
    sc_policy_draft settled = {.lines = NULL};
    char *text = NULL;
    scrim_status status =
        sc_wizard_draft_with(w, key, sc_policy_draft_get(w->draft, key), &settled, error);
    if (status == SCRIM_OK && (text = sc_policy_draft_text(&settled)) == NULL)
        status = sc_wizard_fail_memory(error);
    if (status == SCRIM_OK) {
        status = scrim_policy_columns(text, &w->header, error);
        if (status == SCRIM_E_PARAM && !sc_wizard_has(w, "csv"))
            status = SCRIM_OK; /* a database, which has what was said */
    }
    *seen = text != NULL && sc_wizard_has(w, "csv") ? sc_header_separator(text) : NULL;
    free(text);
    sc_policy_draft_clear(&settled);
    return status;
}

static scrim_status ask_separator(sc_wizard *w, const char *seen, scrim_error *error)
{
    bool is_taken = false;
    scrim_status status = SCRIM_OK;
    sc_interview_say("The header is one column that contains %s. What separates columns?",
                     seen);
    sc_interview_say("Default: %s; type , for the comma.", seen);
    while (status == SCRIM_OK && !is_taken) {
        status = sc_interview_ask("separator", w->answer, error);
        if (status == SCRIM_OK)
            status =
                sc_wizard_offer(w, "separator", w->answer[0] == '\0' ? seen : w->answer,
                                &is_taken, error);
    }
    return status;
}

static scrim_status read_header(sc_wizard *w, scrim_error *error)
{
    const char *key = sc_policy_draft_source(w->draft), *seen = NULL;
    if (key == NULL || strcmp(sc_policy_draft_get(w->draft, key), "-") == 0)
        return SCRIM_OK;
    scrim_status status = read_names(w, &seen, error);
    if (seen == NULL)
        return status;
    scrim_vault_text_free(w->header);
    w->header = NULL;
    status = ask_separator(w, seen, error);
    return status == SCRIM_OK ? read_names(w, &seen, error) : status;
}

/* Asks for the line of the source that is left, until the source can be read. */
static scrim_status ask_place(sc_wizard *w, const char *key, bool is_optional,
                              scrim_error *error)
{
    for (;;) {
        scrim_status status = sc_wizard_ask(w, key, key, "", is_optional, error);
        if (status != SCRIM_OK || !sc_wizard_has(w, key))
            return status;
        status = read_header(w, error);
        if (status != SCRIM_E_INPUT)
            return status;
        sc_interview_say("  %s", error->message);
        sc_policy_draft_remove(w->draft, key);
        sc_policy_draft_remove(w->draft, "separator");
    }
}

scrim_status sc_wizard_ask_source(sc_wizard *w, scrim_error *error)
{
    scrim_status status = check_given(w, error);
    if (status != SCRIM_OK)
        return status;
    if (sc_wizard_has(w, "sqlite") && !sc_wizard_has(w, "table")) {
        sc_interview_say("Source: which table of the database?");
        return ask_place(w, "table", false, error);
    }
    if (sc_policy_draft_source(w->draft) != NULL)
        return read_header(w, error);
    sc_interview_say("Source: a CSV file with a header. Optional.");
    return ask_place(w, "csv", true, error);
}

scrim_status sc_wizard_each_name(sc_wizard *w,
                                 scrim_status (*visit)(sc_wizard *w, const char *name,
                                                       scrim_error *error),
                                 scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    char *names = strdup(w->header == NULL ? "" : w->header), *rest = NULL;
    if (names == NULL)
        return sc_wizard_fail_memory(error);
    for (char *name = strtok_r(names, "\n", &rest); name != NULL && status == SCRIM_OK;
         name = strtok_r(NULL, "\n", &rest))
        status = visit(w, name, error);
    free(names);
    return status;
}

static scrim_status say_name(sc_wizard *w, const char *name, scrim_error *error)
{
    (void)w;
    (void)error;
    sc_interview_say("  %s", name);
    return SCRIM_OK;
}

/* Names no column of the source: says so, and which may have been meant. */
static void say_unknown(const sc_wizard *w, const char *name)
{
    sc_nearest nearest;
    char column[SCRIM_COLUMN_BYTES];
    sc_nearest_init(&nearest, name);
    for (const char *at = w->header; *at != '\0';) {
        const size_t line = strcspn(at, "\n");
        snprintf(column, sizeof column, "%.*s", (int)line, at);
        (void)sc_nearest_offer(&nearest, column);
        at += line + (at[line] == '\n');
    }
    if (nearest.name[0] != '\0')
        sc_interview_say("  no column '%s' in the source; did you mean '%s'?", name,
                         nearest.name);
    else
        sc_interview_say("  no column '%s' in the source", name);
}

static bool is_in_header(const sc_wizard *w, const char *name)
{
    const size_t bytes = strlen(name);
    for (const char *at = w->header; at != NULL && *at != '\0';) {
        const size_t line = strcspn(at, "\n");
        if (line == bytes && memcmp(at, name, bytes) == 0)
            return true;
        at += line + (at[line] == '\n');
    }
    return false;
}

scrim_status sc_wizard_ask_unit(sc_wizard *w, scrim_error *error)
{
    if (w->header != NULL) {
        sc_interview_say("Its columns:");
        scrim_status status = sc_wizard_each_name(w, say_name, error);
        if (status != SCRIM_OK)
            return status;
    }
    if (sc_wizard_has(w, "unit"))
        return SCRIM_OK;
    sc_interview_say("Which column identifies the person? Type row if every row is a");
    sc_interview_say("different person.");
    for (;;) {
        scrim_status status = sc_wizard_ask(w, "unit", "unit", "", false, error);
        const char *unit = sc_policy_draft_get(w->draft, "unit");
        if (status != SCRIM_OK || w->header == NULL || strcmp(unit, "row") == 0 ||
            is_in_header(w, unit))
            return status;
        say_unknown(w, unit);
        sc_policy_draft_remove(w->draft, "unit");
    }
}
