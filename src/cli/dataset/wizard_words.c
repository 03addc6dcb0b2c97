#include "cli/dataset/wizard_words.h"

#include "cli/dataset/bound_view.h"
#include "cli/dataset/dataset_caution.h"
#include "cli/dataset/wizard_check.h"
#include "cli/dataset/wizard_source.h"
#include "cli/dataset/wizard_when.h"
#include "cli/display/notes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Below this, even one count is too noisy for most tables. */
#define EPSILON_SMALL 0.01

/* Texts before a question. */

scrim_status sc_show_separator(sc_wizard *w, const sc_wizard_slot *slot,
                               scrim_error *error)
{
    (void)slot;
    (void)error;
    if (w->seen != NULL)
        sc_interview_say("The header is one column that contains %s. What separates "
                         "columns? Type , for the comma; the default is %s",
                         w->seen, w->seen);
    return SCRIM_OK;
}

scrim_status sc_show_size(sc_wizard *w, const sc_wizard_slot *slot, scrim_error *error)
{
    char size[SC_SIZE_BYTES];
    (void)slot;
    (void)error;
    if (sc_wizard_size(w, size))
        sc_interview_say("The file is larger than 64 MiB. How large may it ever become? "
                         "The default is %s; queries take memory for that size.",
                         size);
    return SCRIM_OK;
}

/* One name a line. */
static void say_names(const char *names)
{
    for (const char *at = names; *at != '\0';) {
        const size_t bytes = strcspn(at, "\n");
        sc_interview_say("  %.*s", (int)bytes, at);
        at += bytes + (at[bytes] == '\n');
    }
}

/* A database that cannot be read is told of when its table is typed. */
scrim_status sc_show_tables(sc_wizard *w, const sc_wizard_slot *slot, scrim_error *error)
{
    char *policy = NULL, *names = NULL;
    scrim_error ignored;
    (void)slot;
    const scrim_status status = sc_wizard_policy(w, &policy, error);
    if (status == SCRIM_OK && scrim_policy_tables(policy, &names, &ignored) == SCRIM_OK) {
        sc_interview_say("Its tables:");
        say_names(names);
    }
    scrim_vault_text_free(names);
    free(policy);
    return status;
}

scrim_status sc_show_columns(sc_wizard *w, const sc_wizard_slot *slot, scrim_error *error)
{
    (void)slot;
    (void)error;
    if (w->header == NULL)
        return SCRIM_OK;
    sc_interview_say("Its columns:");
    say_names(w->header);
    return SCRIM_OK;
}

scrim_status sc_show_secret(sc_wizard *w, const sc_wizard_slot *slot, scrim_error *error)
{
    (void)w;
    (void)error;
    sc_interview_say("%.128s looks like an identifier: a number that stands for one "
                     "person, such as an account number. Its values are secret, and its "
                     "sums and means say nothing. May questions use it? y or n",
                     slot->name);
    return SCRIM_OK;
}

/* Later choices are made with sight of the data, and the policy says so. */
scrim_status sc_show_bounds(sc_wizard *w, const sc_wizard_slot *slot, scrim_error *error)
{
    const char *by = sc_wizard_text(w, SC_ASK_BY);
    char *policy = NULL;
    scrim_error cause = {.message = ""};
    if (!sc_when_looking(w, slot) || w->is_table_shown)
        return SCRIM_OK;
    w->is_table_shown = true;
    scrim_status status = sc_wizard_policy(w, &policy, &cause);
    if (status == SCRIM_OK)
        status = sc_bound_view_say(policy, by[0] == '\0' ? NULL : by,
                                   sc_wizard_text(w, SC_ASK_AT), &cause);
    free(policy);
    if (status == SCRIM_E_MEMORY)
        return sc_wizard_fail_memory(error);
    if (status == SCRIM_OK)
        w->has_looked = true;
    else
        sc_interview_say("  no table: %s", cause.message);
    return SCRIM_OK;
}

/* The question is about the groups that the table is about. */
scrim_status sc_show_groups(sc_wizard *w, const sc_wizard_slot *slot, scrim_error *error)
{
    const char *by = sc_wizard_text(w, SC_ASK_BY), *unit = sc_wizard_text(w, SC_ASK_UNIT);
    const scrim_status status = sc_show_bounds(w, slot, error);
    if (status != SCRIM_OK || (w->introduced & (uint32_t)1 << SC_ASK_MAX_GROUPS) != 0)
        return status;
    if (sc_when_looking(w, slot) && by[0] != '\0')
        sc_interview_say(
            "In at most how many groups of %.200s may one %.128s be counted? "
            "Further groups are ignored; larger bounds need more noise.",
            by, unit);
    else
        sc_interview_say("At most how many groups may one person contribute to? Further "
                         "groups are ignored; larger bounds need more noise.");
    return SCRIM_OK;
}

/* Two budgets for the same people would be one too many (THREATS A38). */
scrim_status sc_wizard_show_twin(sc_wizard *w, bool is_again, scrim_error *error)
{
    const char *population = sc_wizard_text(w, SC_ASK_POPULATION);
    char *policy = NULL;
    scrim_dataset twin = {.name = ""};
    bool is_same_file = false;
    if (!sc_wizard_has_file(w))
        return SCRIM_OK;
    scrim_status status = sc_wizard_policy(w, &policy, error);
    if (status == SCRIM_OK)
        status = w->host->find_twin(w->host->context, policy,
                                    population[0] == '\0' ? sc_wizard_text(w, SC_ASK_NAME)
                                                          : population,
                                    &twin, &is_same_file, error);
    /* The same size may be chance: who has answered for the population needs no caution about it. */
    if (status == SCRIM_OK && twin.name[0] != '\0' && (is_same_file || !is_again))
        sc_interview_say("%s%s uses %s; %s %s to share its budget",
                         is_again ? "caution: " : "", twin.name,
                         is_same_file ? "the same file" : "a file of the same size",
                         is_again ? "change the population to" : "type", twin.population);
    free(policy);
    return status;
}

scrim_status sc_show_twin(sc_wizard *w, const sc_wizard_slot *slot, scrim_error *error)
{
    (void)slot;
    return sc_wizard_show_twin(w, false, error);
}

/* Texts after an answer. */

/* Keys in a list, of which some are quoted. */
static size_t count_keys(const char *list)
{
    size_t count = 1;
    bool is_quoted = false;
    for (; *list != '\0'; list++) {
        is_quoted = is_quoted != (*list == '"');
        count += *list == ',' && !is_quoted;
    }
    return count;
}

/* Is the delta of the budget 0, so that no private key can be shown? */
static bool lacks_delta(const sc_wizard *w)
{
    const char *delta = w->budget.neighbours != SCRIM_NEIGHBOURS_UNSET
                            ? w->budget.delta
                            : sc_wizard_text(w, SC_ASK_DELTA);
    const bool is_known = w->budget.neighbours != SCRIM_NEIGHBOURS_UNSET ||
                          w->slots[0].text[SC_ASK_DELTA] != NULL;
    return is_known && strspn(delta, "0.") == strlen(delta);
}

bool sc_wizard_treatment(const sc_wizard *w, const sc_wizard_slot *slot,
                         char text[SC_TREATMENT_BYTES])
{
    const char *keys = sc_slot_text(slot, SC_ASK_KEYS);
    text[0] = '\0';
    if (slot->scope != SC_SCOPE_COLUMN || !sc_when_column(w, slot))
        return false;
    if (!sc_slot_is_declared(slot))
        snprintf(text, SC_TREATMENT_BYTES, "ignored; questions cannot use it");
    else if (!sc_slot_has_type(slot, "text"))
        return false;
    else if (keys[0] == '@')
        snprintf(text, SC_TREATMENT_BYTES,
                 "public keys of a file; all groups are shown, even if empty");
    else if (keys[0] != '\0')
        snprintf(text, SC_TREATMENT_BYTES,
                 "public keys (%zu listed); all groups are shown, even if empty",
                 count_keys(keys));
    else if (lacks_delta(w))
        snprintf(text, SC_TREATMENT_BYTES,
                 "not a key; the budget has delta 0, so no question can group by it, "
                 "only conditions can use it");
    else
        snprintf(text, SC_TREATMENT_BYTES,
                 "private keys; only groups with enough people are shown (partition "
                 "selection), and such questions need a delta");
    return true;
}

void sc_say_treatment(const sc_wizard *w, const sc_wizard_slot *slot)
{
    char text[SC_TREATMENT_BYTES];
    if (slot->name != NULL && sc_wizard_treatment(w, slot, text))
        sc_interview_say("  %.128s: %s", slot->name, text);
}

void sc_say_no_source(const sc_wizard *w, const sc_wizard_slot *slot)
{
    (void)slot;
    if (!sc_wizard_has_source(w))
        sc_interview_say(
            "  No file, so the dataset has no rows yet. Type < to name a file. "
            "For an SQLite database type q and use --sqlite FILE --table "
            "TABLE.");
}

/* The noise of 95 % of all counts that cost this epsilon. */
static void say_small(const sc_wizard *w, const char *epsilon)
{
    const double value = sc_answer_view(epsilon),
                 total = sc_answer_view(sc_wizard_text(w, SC_ASK_ALL_ROWS)),
                 groups = sc_answer_view(sc_wizard_text(w, SC_ASK_MAX_GROUPS)),
                 rows = sc_answer_view(sc_wizard_text(w, SC_ASK_MAX_ROWS));
    if (value < EPSILON_SMALL)
        sc_interview_say(
            "  caution: epsilon %.40s is very small: a COUNT(*) that costs it "
            "has noise of up to %.0f (95 %%)",
            epsilon, 3 / value * fmax(total, fmax(groups, 1) * fmax(rows, 1)));
}

void sc_say_table_epsilon(const sc_wizard *w, const sc_wizard_slot *slot)
{
    say_small(w, sc_slot_text(slot, SC_ASK_AT));
}

void sc_say_epsilon(const sc_wizard *w, const sc_wizard_slot *slot)
{
    const char *epsilon = sc_slot_text(slot, SC_ASK_EPSILON);
    char number[32];
    snprintf(number, sizeof number, "%.17g", sc_answer_view(epsilon));
    const char *caution = sc_caution_budget(number);
    say_small(w, epsilon);
    if (caution != NULL)
        sc_interview_say("  caution: %s", caution);
}

void sc_say_delta(const sc_wizard *w, const sc_wizard_slot *slot)
{
    char number[32], caution[SC_DELTA_BYTES];
    (void)w;
    snprintf(number, sizeof number, "%.17g",
             sc_answer_view(sc_slot_text(slot, SC_ASK_DELTA)));
    if (sc_caution_any_delta(number, caution))
        sc_interview_say("  caution: %s", caution);
}

void sc_say_midnight(const sc_wizard *w, const sc_wizard_slot *slot)
{
    char caution[SC_MIDNIGHT_BYTES];
    (void)w;
    if (sc_slot_has_type(slot, "timestamp") &&
        sc_slot_text(slot, SC_ASK_STEP)[0] == '\0' &&
        sc_caution_midnight(slot->name, sc_slot_text(slot, SC_ASK_HIGH), caution))
        sc_interview_say("  caution: %s", caution);
}

/* Types that have more questions are shown behind these. */
void sc_say_ignored(const sc_wizard *w, const sc_wizard_slot *slot)
{
    sc_say_midnight(w, slot);
    if (sc_slot_has_type(slot, "") || strcmp(sc_slot_text(slot, SC_ASK_SECRET), "n") == 0)
        sc_say_treatment(w, slot);
}
