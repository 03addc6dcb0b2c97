#include "cli/dataset/dataset_wizard.h"

#include "cli/dataset/bound_view.h"
#include "cli/dataset/wizard_source.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Columns. */

static bool is_declared(const sc_wizard *w, const char *key, const char *column)
{
    const size_t bytes = strlen(column);
    for (size_t i = 0; i < w->draft->count; i++) {
        const sc_draft_line *line = &w->draft->lines[i];
        if (strcmp(line->key, key) == 0 && strncmp(line->value, column, bytes) == 0 &&
            line->value[bytes] == '=')
            return true;
    }
    return false;
}

/* "int" becomes "int[0,120]": the ends of the range, and the step of decimals, are asked for. */
static scrim_status ask_range(sc_wizard *w, char type[SC_ANSWER_BYTES],
                              scrim_error *error)
{
    char low[256] = "", high[256] = "", step[256] = "";
    const bool is_decimal = strcmp(type, "decimal") == 0;
    if (!is_decimal && strcmp(type, "int") != 0 && strcmp(type, "date") != 0 &&
        strcmp(type, "timestamp") != 0)
        return SCRIM_OK;
    scrim_status status = sc_interview_ask("  smallest possible value", w->answer, error);
    snprintf(low, sizeof low, "%.255s", w->answer);
    if (status == SCRIM_OK)
        status = sc_interview_ask("  largest possible value", w->answer, error);
    snprintf(high, sizeof high, "%.255s", w->answer);
    if (status == SCRIM_OK && is_decimal)
        status = sc_interview_ask("  step (default 0.01)", w->answer, error);
    if (status == SCRIM_OK && is_decimal && w->answer[0] != '\0')
        snprintf(step, sizeof step, "/%.254s", w->answer);
    if (status == SCRIM_OK) {
        const size_t bytes = strlen(type);
        snprintf(type + bytes, SC_ANSWER_BYTES - bytes, "[%s,%s]%s", low, high, step);
    }
    return status;
}

static scrim_status ask_zone(sc_wizard *w, scrim_error *error)
{
    sc_interview_say(
        "Time zone of times without an offset: UTC, +01:00 or Europe/Berlin.");
    return sc_wizard_ask(w, "zone", "zone", "", false, error);
}

static scrim_status ask_column(sc_wizard *w, const char *name, scrim_error *error)
{
    const char *unit = sc_policy_draft_get(w->draft, "unit");
    char type[SC_ANSWER_BYTES], value[SC_ANSWER_BYTES + 256];
    bool is_taken = strcmp(name, unit) == 0 || is_declared(w, "column", name);
    scrim_status status = SCRIM_OK;
    snprintf(value, sizeof value, "%.128s", name);
    sc_complaint_clean(value);
    char *prompt = strdup(value);
    if (prompt == NULL)
        return sc_wizard_fail_memory(error);
    while (status == SCRIM_OK && !is_taken) {
        status = sc_interview_ask(prompt, type, error);
        if (status != SCRIM_OK || type[0] == '\0')
            break;
        status = ask_range(w, type, error);
        if (status == SCRIM_OK && strncmp(type, "timestamp", 9) == 0 &&
            !sc_wizard_has(w, "zone"))
            status = ask_zone(w, error);
        snprintf(value, sizeof value, "%.250s=%s", name, type);
        if (status == SCRIM_OK)
            status = sc_wizard_offer(w, "column", value, &is_taken, error);
    }
    free(prompt);
    return status;
}

/* Without a header the names are asked for as well, until there is no more. */
static scrim_status ask_named_columns(sc_wizard *w, scrim_error *error)
{
    char name[SC_ANSWER_BYTES];
    scrim_status status = SCRIM_OK;
    sc_interview_say("Names of the columns; an empty line ends the list.");
    while (status == SCRIM_OK) {
        status = sc_interview_ask("column", name, error);
        if (status != SCRIM_OK || name[0] == '\0')
            break;
        status = ask_column(w, name, error);
    }
    return status;
}

static scrim_status ask_columns(sc_wizard *w, scrim_error *error)
{
    if (sc_policy_draft_source(w->draft) == NULL)
        return SCRIM_OK;
    sc_interview_say("Which columns may be queried? Type int, decimal, date, timestamp, "
                     "bool or text;");
    sc_interview_say(
        "press Enter to leave this column out. Give the range a value may have by");
    sc_interview_say(
        "definition, not that of your file; values outside are clamped to it.");
    return w->header == NULL ? ask_named_columns(w, error)
                             : sc_wizard_each_name(w, ask_column, error);
}

/* For each column that is declared: its name, and its type. */
static scrim_status each_column(sc_wizard *w,
                                scrim_status (*visit)(sc_wizard *w, const char *name,
                                                      const char *type,
                                                      scrim_error *error),
                                scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < w->draft->count && status == SCRIM_OK; i++) {
        if (strcmp(w->draft->lines[i].key, "column") != 0)
            continue;
        char *name = strdup(w->draft->lines[i].value);
        if (name == NULL)
            return sc_wizard_fail_memory(error);
        char *type = name + strcspn(name, "=");
        if (*type == '=')
            *type++ = '\0';
        status = visit(w, name, type, error);
        free(name);
    }
    return status;
}

static scrim_status ask_keys(sc_wizard *w, const char *name, const char *type,
                             scrim_error *error)
{
    char prefix[160], prompt[160];
    if (strcmp(type, "text") != 0 || is_declared(w, "keys", name))
        return SCRIM_OK;
    snprintf(prefix, sizeof prefix, "%.140s=", name);
    snprintf(prompt, sizeof prompt, "keys of %.140s", name);
    sc_complaint_clean(prompt);
    return sc_wizard_ask(w, prompt, "keys", prefix, true, error);
}

static bool has_text_column(const sc_wizard *w)
{
    for (size_t i = 0; i < w->draft->count; i++) {
        const char *value = w->draft->lines[i].value, *type = strchr(value, '=');
        if (strcmp(w->draft->lines[i].key, "column") == 0 && type != NULL &&
            strcmp(type + 1, "text") == 0)
            return true;
    }
    return false;
}

static scrim_status ask_groups(sc_wizard *w, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (has_text_column(w)) {
        sc_interview_say(
            "Public keys, separated by commas, or @FILE with one per line: these groups");
        sc_interview_say("are always shown. Other groups need partition selection, which "
                         "costs delta.");
        sc_interview_say("May be left out.");
        status = each_column(w, ask_keys, error);
    }
    return status;
}

/* What is chosen after this is chosen with sight of the data, and the policy says so. */
static scrim_status show_bounds(const sc_wizard *w, scrim_error *error)
{
    char *text = NULL;
    scrim_error cause = {.message = ""};
    scrim_status status = sc_wizard_try(w, "max-rows", "1", &text, &cause);
    if (status == SCRIM_OK)
        status = sc_bound_view_say(text, &cause);
    free(text);
    if (status == SCRIM_E_MEMORY)
        return sc_wizard_fail_memory(error);
    if (status != SCRIM_OK) {
        sc_talk("  %s\n", cause.message);
        return SCRIM_OK;
    }
    sc_policy_draft_remove(w->draft, "bounds-from");
    return sc_policy_draft_put(w->draft, "bounds-from", "check", error);
}

/* Asked again after ?, which shows what there is to choose from. */
static scrim_status ask_bound(sc_wizard *w, const char *key, scrim_error *error)
{
    bool is_taken = false;
    scrim_status status = SCRIM_OK;
    while (status == SCRIM_OK && !is_taken) {
        status = sc_interview_ask(key, w->answer, error);
        if (status != SCRIM_OK)
            break;
        status = strcmp(w->answer, "?") == 0
                     ? show_bounds(w, error)
                     : sc_wizard_offer(w, key, w->answer, &is_taken, error);
    }
    return status;
}

static bool is_number(const char *type)
{
    return strncmp(type, "int", 3) == 0 || strncmp(type, "decimal", 7) == 0;
}

static scrim_status ask_total(sc_wizard *w, const char *name, const char *type,
                              scrim_error *error)
{
    char prefix[160], prompt[160];
    if (!is_number(type) || is_declared(w, "max-total", name))
        return SCRIM_OK;
    snprintf(prefix, sizeof prefix, "%.140s=", name);
    snprintf(prompt, sizeof prompt, "max-total of %.140s", name);
    sc_complaint_clean(prompt);
    return sc_wizard_ask(w, prompt, "max-total", prefix, true, error);
}

static bool has_number_column(const sc_wizard *w)
{
    for (size_t i = 0; i < w->draft->count; i++) {
        const char *value = w->draft->lines[i].value, *type = strchr(value, '=');
        if (strcmp(w->draft->lines[i].key, "column") == 0 && type != NULL &&
            is_number(type + 1))
            return true;
    }
    return false;
}

/* A unit that has one row has no total beside it. */
static scrim_status ask_totals(sc_wizard *w, scrim_error *error)
{
    if (!has_number_column(w) ||
        strcmp(sc_policy_draft_get(w->draft, "max-rows"), "1") == 0)
        return SCRIM_OK;
    sc_interview_say(
        "At most how much may one person add to a sum in a group? For example 500.");
    sc_interview_say("SUM then uses the bound that needs less noise. Optional.");
    return each_column(w, ask_total, error);
}

/* A row is in one group, once. */
static scrim_status ask_bounds(sc_wizard *w, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (sc_policy_draft_is_bounded(w->draft))
        return SCRIM_OK;
    sc_interview_say(
        "At most how many groups, and rows per group, may one person contribute?");
    sc_interview_say(
        "Further rows are ignored; larger bounds need more noise. Type 1 and 1");
    sc_interview_say(
        "if every person has one row. Type ? to read the rows and see what each");
    sc_interview_say(
        "choice keeps; only you see it. Later 'scrim suggest' can find bounds "
        "by a");
    sc_interview_say("private answer, without looking at the data.");
    if (!sc_wizard_has(w, "max-groups"))
        status = ask_bound(w, "max-groups", error);
    if (status == SCRIM_OK && !sc_wizard_has(w, "max-rows"))
        status = ask_bound(w, "max-rows", error);
    return status == SCRIM_OK ? ask_totals(w, error) : status;
}

/* People and their budget. */

static scrim_status ask_neighbours(sc_wizard *w, scrim_error *error)
{
    bool is_taken = sc_wizard_has(w, "neighbours");
    scrim_status status = SCRIM_OK;
    if (!is_taken)
        sc_interview_say("Is the number of people secret? Type add-remove (yes, the "
                         "default) or replace (no).");
    while (status == SCRIM_OK && !is_taken) {
        status = sc_interview_ask("neighbours", w->answer, error);
        if (status != SCRIM_OK)
            break;
        char relation[16];
        snprintf(relation, sizeof relation, "%.15s",
                 w->answer[0] == '\0' ? "add-remove" : w->answer);
        status = sc_wizard_offer(w, "neighbours", relation, &is_taken, error);
    }
    return status;
}

static scrim_status ask_budget(sc_wizard *w, scrim_error *error)
{
    char epsilon[256], value[600];
    bool is_taken = sc_wizard_has(w, "budget");
    scrim_status status = SCRIM_OK;
    if (!is_taken) {
        sc_interview_say(
            "Total privacy budget, for ever. Numbers are exact: 3, 0.5, 1/3, 1e-6.");
        sc_interview_say(
            "Epsilon 1 is cautious; above 10 is hardly any protection. Delta is 0 by");
        sc_interview_say("default and should be well below 1 / the number of people.");
    }
    while (status == SCRIM_OK && !is_taken) {
        status = sc_interview_ask("epsilon", w->answer, error);
        if (status == SCRIM_OK && w->answer[0] == '\0') {
            sc_interview_say("  epsilon has no default; type a number above 0");
            continue;
        }
        snprintf(epsilon, sizeof epsilon, "%.255s", w->answer);
        if (status == SCRIM_OK)
            status = sc_interview_ask("delta", w->answer, error);
        if (status != SCRIM_OK)
            break;
        if (w->answer[0] == '\0')
            snprintf(value, sizeof value, "epsilon=%s", epsilon);
        else
            snprintf(value, sizeof value, "epsilon=%s,delta=%.255s", epsilon, w->answer);
        status = sc_wizard_offer(w, "budget", value, &is_taken, error);
    }
    return status;
}

static scrim_status ask_people(sc_wizard *w, scrim_error *error)
{
    scrim_neighbours neighbours = SCRIM_NEIGHBOURS_UNSET;
    scrim_status status = SCRIM_OK;
    if (!sc_wizard_has(w, "population")) {
        sc_interview_say(
            "Are there other tables about the same people? Then type their population,");
        sc_interview_say("so that they share one budget. The default is %s.", w->name);
        status = sc_wizard_ask(w, "population", "population", "", true, error);
    }
    const char *population = sc_policy_draft_get(w->draft, "population");
    if (status == SCRIM_OK)
        status = w->find(w->context, population == NULL ? w->name : population,
                         &neighbours, error);
    if (status != SCRIM_OK || neighbours != SCRIM_NEIGHBOURS_UNSET)
        return status;
    status = ask_neighbours(w, error);
    return status == SCRIM_OK ? ask_budget(w, error) : status;
}

/* The lines one by one, each cleaned, and cut where it would fill the screen. */
static scrim_status show_policy(const sc_wizard *w, scrim_error *error)
{
    char *text = sc_policy_draft_text(w->draft), *rest = NULL;
    if (text == NULL)
        return sc_wizard_fail_memory(error);
    sc_interview_say("The policy of %s:", w->name);
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        sc_interview_say("  %.400s%s", line, strlen(line) > 400 ? "..." : "");
    free(text);
    return SCRIM_OK;
}

static bool is_one_of(const char *answer, const char *word, const char *letter)
{
    return strcmp(answer, word) == 0 || strcmp(answer, letter) == 0;
}

static scrim_status ask_consent(sc_wizard *w, scrim_error *error)
{
    scrim_status status = sc_policy_draft_settle(w->draft, error);
    if (status == SCRIM_OK)
        status = show_policy(w, error);
    while (status == SCRIM_OK) {
        status = sc_interview_ask("Add it? yes or no", w->answer, error);
        if (status != SCRIM_OK || is_one_of(w->answer, "yes", "y"))
            break;
        if (is_one_of(w->answer, "no", "n"))
            status =
                sc_complaint_fill(error, SCRIM_E_PARAM, "not added; nothing was written");
    }
    return status;
}

scrim_status sc_dataset_wizard(const char *name, sc_policy_draft *draft,
                               sc_population_finder *find, void *context,
                               scrim_error *error)
{
    static scrim_status (*const questions[])(sc_wizard *, scrim_error *) = {
        sc_wizard_ask_source, sc_wizard_ask_unit, ask_columns, ask_groups,
        ask_bounds,           ask_people,         ask_consent};
    sc_wizard *w = calloc(1, sizeof *w);
    if (w == NULL)
        return sc_wizard_fail_memory(error);
    w->name = name;
    w->draft = draft;
    w->find = find;
    w->context = context;
    sc_interview_say("Nothing is guessed from the rows. Ctrl-D cancels.");
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < sizeof questions / sizeof questions[0] && status == SCRIM_OK;
         i++)
        status = questions[i](w, error);
    scrim_vault_text_free(w->header);
    free(w);
    return status;
}
