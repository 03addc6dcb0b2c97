#include "cli/dataset/dataset_declare.h"

#include "cli/dataset/dataset_caution.h"
#include "cli/dataset/dataset_check.h"
#include "cli/dataset/dataset_join.h"
#include "cli/dataset/dataset_told.h"
#include "cli/dataset/dataset_wizard.h"
#include "cli/dataset/wizard_draft.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"
#include "cli/terminal/whole_file.h"
#include "cli/vault/budget_writer.h"
#include "cli/vault/vault_place.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest policy: as long as an entry of the ledger may be. */
#define POLICY_BYTES (16u << 20)

static bool is_quiet(const sc_dataset_call *call)
{
    return sc_options_has(call->options, SCRIM_OPTION_QUIET);
}

/* The policy that was asked for. */

static scrim_status read_policy_file(sc_dataset_call *call, scrim_error *error)
{
    const char *path = call->options->value[SCRIM_OPTION_POLICY];
    sc_whole_file file;
    if (path == NULL)
        return SCRIM_OK;
    scrim_status status = sc_whole_file_read(path, POLICY_BYTES, &file, error);
    if (status != SCRIM_OK)
        return status;
    if (sc_wizard_is_draft(file.bytes, file.count))
        call->resumed = path;
    status = sc_policy_draft_read(&call->draft, file.bytes, file.count, error);
    sc_whole_file_clear(&file);
    return status;
}

/* A file first, then the options, which have the last word. */
static scrim_status draft_options(sc_dataset_call *call, scrim_error *error)
{
    scrim_status status = read_policy_file(call, error);
    sc_policy_draft_breathe(&call->draft);
    if (status == SCRIM_OK)
        status = sc_policy_draft_take(&call->draft, call->options, error);
    return status;
}

static scrim_status draft_present(sc_dataset_call *call, scrim_error *error)
{
    const scrim_status status =
        sc_policy_draft_load(&call->draft, call->vault, call->name, error);
    sc_policy_draft_breathe(&call->draft);
    return status;
}

typedef scrim_status policy_writer(scrim_vault *vault, const char *name,
                                   const char *policy, scrim_error *error);

static scrim_status enter_draft(const sc_dataset_call *call, sc_policy_draft *draft,
                                policy_writer *write, scrim_error *error)
{
    scrim_status status = sc_policy_draft_settle(draft, error);
    char *text = status == SCRIM_OK ? sc_policy_draft_text(draft) : NULL;
    if (status == SCRIM_OK && text == NULL)
        status = sc_out_of_memory(error, "a policy");
    if (status == SCRIM_OK) {
        sc_progress progress;
        sc_progress_start(&progress, 0, "bytes", !is_quiet(call));
        scrim_vault_watch(call->vault, sc_progress_told, &progress);
        status = write(call->vault, call->name, text, error);
        scrim_vault_watch(call->vault, NULL, NULL);
        sc_progress_end(&progress);
    }
    free(text);
    return status;
}

/* Adding. */

/* The neighbours of a new population are SCRIM_NEIGHBOURS_UNSET. */
static scrim_status find_budget(void *context, const char *population,
                                scrim_budget *budget, scrim_error *error)
{
    const sc_dataset_call *call = context;
    const scrim_status status =
        sc_budget_find(call->vault, population, NULL, budget, error);
    if (status != SCRIM_OK)
        budget->neighbours = SCRIM_NEIGHBOURS_UNSET;
    return status == SCRIM_E_PARAM ? SCRIM_OK : status;
}

static scrim_status find_twin(void *context, const char *policy, const char *population,
                              scrim_dataset *out, bool *is_same_file, scrim_error *error)
{
    const sc_dataset_call *call = context;
    return sc_dataset_find_twin(call->vault, policy, population, out, is_same_file,
                                error);
}

/* Lines that a declaration lacks. */
typedef struct lacks {
    bool source, unit, bounds, budget;
} lacks;

static lacks find_lacks(const sc_policy_draft *draft, bool has_budget)
{
    const bool has_unit = sc_policy_draft_get(draft, "unit") != NULL,
               has_bound = sc_policy_draft_get(draft, "max-total-rows") != NULL ||
                           sc_policy_draft_get(draft, "rows-per-unit") != NULL ||
                           (sc_policy_draft_get(draft, "max-groups") != NULL &&
                            sc_policy_draft_get(draft, "max-rows") != NULL);
    return (lacks){.source = sc_policy_draft_source(draft) == NULL,
                   .unit = !has_unit,
                   .bounds = has_unit ? !sc_policy_draft_is_bounded(draft) : !has_bound,
                   .budget = !has_budget};
}

/* One of two bounds that go together may have been given. */
static const char *bounds_wanted(const sc_policy_draft *draft)
{
    if (sc_policy_draft_get(draft, "max-rows") != NULL)
        return "max-groups (--max-groups N, beside --max-rows)";
    if (sc_policy_draft_get(draft, "max-groups") != NULL)
        return "max-rows (--max-rows N, beside --max-groups)";
    return sc_policy_draft_get(draft, "unit") != NULL
               ? "bounds (--max-total-rows N, or --max-groups N --max-rows N, or "
                 "--rows-per-unit 1)"
               : "bounds (--max-total-rows N, unless the unit is row)";
}

/* All at once. A dataset may have no source, which is told where something else is missing. */
static scrim_status fail_incomplete(const sc_policy_draft *draft, const lacks *l,
                                    scrim_error *error)
{
    const struct {
        bool is_missing;
        const char *text;
    } items[] = {{l->source, "source (--csv FILE)"},
                 {l->unit, "privacy unit (--unit COLUMN or row)"},
                 {l->bounds, bounds_wanted(draft)},
                 {l->budget, "budget (--budget epsilon=R[,delta=R])"}};
    char list[320] = "";
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        const size_t used = strlen(list);
        if (items[i].is_missing)
            snprintf(list + used, sizeof list - used, "%s%s", used == 0 ? "" : ", ",
                     items[i].text);
    }
    return sc_complaint_fill(error, SCRIM_E_PARAM,
                             "missing %s; on a terminal scrim asks for what is missing",
                             list);
}

/* Before anybody is asked for more: is it a name, and a new one? */
static scrim_status check_new_name(void *context, const char *name, scrim_error *error)
{
    const sc_dataset_call *call = context;
    char policy[128];
    scrim_dataset dataset;
    if (strlen(name) >= SCRIM_NAME_BYTES || strpbrk(name, "\n\r#") != NULL)
        return sc_complaint_fill(
            error, SCRIM_E_PARAM,
            "a dataset name may have at most %d letters, digits, '_', '.' and '-'",
            SCRIM_NAME_BYTES - 1);
    snprintf(policy, sizeof policy, "unit=row\npopulation=%s\n", name);
    if (scrim_policy_check(policy, error) != SCRIM_OK)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "invalid name '%s'; use letters, digits, '_', '.' and "
                                 "'-', beginning with a letter or digit",
                                 name);
    scrim_status status = sc_dataset_find(call->vault, name, &dataset, error);
    if (status == SCRIM_E_PARAM)
        return SCRIM_OK;
    if (status != SCRIM_OK)
        return status;
    return sc_complaint_fill(
        error, SCRIM_E_PARAM,
        "dataset '%s' exists already; 'scrim dataset set' changes it", name);
}

static scrim_status add_asked(void *context, const char *name, sc_policy_draft *draft,
                              scrim_error *error)
{
    sc_dataset_call *call = context;
    snprintf(call->answer, sizeof call->answer, "%s", name);
    call->name = call->answer;
    call->has_typed_budget &= sc_policy_draft_get(draft, "budget") != NULL;
    return enter_draft(call, draft, scrim_vault_add_dataset, error);
}

/* Asks on the terminal for the name, if it was not given, and for what the policy lacks. */
static scrim_status ask_missing(sc_dataset_call *call, scrim_error *error)
{
    const sc_wizard_host host = {check_new_name, find_budget, find_twin, add_asked, call};
    call->has_typed_budget = sc_policy_draft_get(&call->draft, "budget") == NULL;
    return sc_dataset_wizard(&host, call->name, &call->draft, call->resumed, error);
}

/* Options that decide a guarantee have no default, except the neighbours of a new population. */
static scrim_status add_complete(sc_dataset_call *call, scrim_error *error)
{
    const char *population = sc_policy_draft_get(&call->draft, "population");
    const bool has_population = population != NULL && population[0] != '\0';
    scrim_budget budget = {.neighbours = SCRIM_NEIGHBOURS_UNSET};
    scrim_status status = SCRIM_OK;
    if (call->name == NULL)
        return ask_missing(call, error);
    status = find_budget(call, has_population ? population : call->name, &budget, error);
    if (status != SCRIM_OK)
        return status;
    const bool is_there = budget.neighbours != SCRIM_NEIGHBOURS_UNSET;
    const lacks l = find_lacks(
        &call->draft, is_there || sc_policy_draft_get(&call->draft, "budget") != NULL);
    const bool is_complete = !l.unit && !l.bounds && !l.budget;
    /* The owner of a draft has not agreed yet. */
    if ((!is_complete || call->resumed != NULL) && sc_interview_is_possible())
        return ask_missing(call, error);
    if (!is_complete)
        return fail_incomplete(&call->draft, &l, error);
    if (!is_there && sc_policy_draft_get(&call->draft, "neighbours") == NULL)
        status = sc_policy_draft_put(&call->draft, "neighbours", "add-remove", error);
    return status == SCRIM_OK
               ? enter_draft(call, &call->draft, scrim_vault_add_dataset, error)
               : status;
}

/* Has it a file that scrim reads by itself, and that is still there? */
static bool is_read(const sc_dataset_call *call)
{
    const char *path = sc_policy_draft_get(&call->draft, "csv");
    return sc_policy_draft_is_read(&call->draft) &&
           (path == NULL || strcmp(path, "-") != 0);
}

/* Has it rows, but no column to ask about? */
static bool is_countable_only(const sc_dataset_call *call)
{
    return sc_policy_draft_source(&call->draft) != NULL &&
           sc_policy_draft_get(&call->draft, "column") == NULL;
}

/* Nobody pays for a wrong declaration: the owner sees what is not as declared at once. before: the version whose
 * source and columns were checked earlier, 0 for none. */
static scrim_status check_declared(const sc_dataset_call *call, uint64_t before,
                                   scrim_error *error)
{
    scrim_dataset dataset;
    if (!is_read(call) || !sc_dataset_check_is_due(call->options))
        return SCRIM_OK;
    const scrim_status status = sc_dataset_find(call->vault, call->name, &dataset, error);
    if (status == SCRIM_OK && dataset.version != before)
        sc_dataset_check_declared(call->vault, call->name);
    return status;
}

scrim_status sc_dataset_declare_add(sc_dataset_call *call, scrim_error *error)
{
    scrim_status status =
        call->name == NULL ? SCRIM_OK : check_new_name(call, call->name, error);
    if (status == SCRIM_OK)
        status = draft_options(call, error);
    if (status == SCRIM_OK)
        status = add_complete(call, error);
    /* Some of its lines may have been typed. */
    sc_policy_draft_clear(&call->draft);
    if (status == SCRIM_OK)
        status = draft_present(call, error);
    if (status == SCRIM_OK)
        status = sc_dataset_tell_added(
            call->vault, call->name, call->options,
            &(sc_dataset_added){.has_source = is_read(call),
                                .lacks_columns = is_countable_only(call),
                                .has_typed_budget = call->has_typed_budget},
            error);
    return status == SCRIM_OK ? check_declared(call, 0, error) : status;
}

/* Changing. */

/* The present policy without the columns that are left out. */
static scrim_status leave_columns(sc_dataset_call *call, scrim_error *error)
{
    const scrim_status status = draft_present(call, error);
    return status == SCRIM_OK
               ? sc_policy_draft_leave_out(&call->draft, call->options, error)
               : status;
}

static scrim_status tell_unchanged(const sc_dataset_call *call, uint64_t version)
{
    if (!is_quiet(call))
        sc_talk("nothing changed; still version %" PRIu64 "\n", version);
    return SCRIM_OK;
}

/* A file is the whole policy; options alone change lines of the one there is. */
scrim_status sc_dataset_declare_set(sc_dataset_call *call, scrim_error *error)
{
    scrim_dataset before;
    uint64_t entries = 0, now = 0;
    scrim_status status = sc_dataset_find(call->vault, call->name, &before, error);
    if (status == SCRIM_OK)
        status = scrim_vault_count(call->vault, &entries, error);
    if (status == SCRIM_OK && !sc_options_has(call->options, SCRIM_OPTION_POLICY))
        status = leave_columns(call, error);
    sc_policy_draft_forget(&call->draft, call->options);
    if (status == SCRIM_OK)
        status = draft_options(call, error);
    if (status == SCRIM_OK)
        status = enter_draft(call, &call->draft, scrim_vault_set_dataset, error);
    if (status == SCRIM_OK)
        status = scrim_vault_count(call->vault, &now, error);
    if (status == SCRIM_OK && now == entries)
        return tell_unchanged(call, before.version);
    if (status == SCRIM_OK)
        status = sc_dataset_tell_changed(call->vault, call->name, call->options,
                                         before.version, error);
    return status == SCRIM_OK ? check_declared(call, before.version, error) : status;
}

/* Are the policy and the file those of the present version? Then answers stay free of charge. */
static scrim_status find_change(sc_dataset_call *call, bool *is_changed,
                                scrim_error *error)
{
    sc_policy_draft present = {.lines = NULL};
    int is_declared = 0;
    scrim_status status = sc_policy_draft_load(&present, call->vault, call->name, error);
    if (status == SCRIM_OK)
        status = sc_policy_draft_settle(&call->draft, error);
    char *before = sc_policy_draft_text(&present),
         *after = sc_policy_draft_text(&call->draft);
    if (status == SCRIM_OK && (before == NULL || after == NULL))
        status = sc_out_of_memory(error, "a policy");
    *is_changed = status != SCRIM_OK || strcmp(before, after) != 0;
    if (!*is_changed)
        status = scrim_vault_is_declared(call->vault, call->name, &is_declared, error);
    *is_changed = *is_changed || !is_declared;
    free(before);
    free(after);
    sc_policy_draft_clear(&present);
    return status;
}

scrim_status sc_dataset_declare_update(sc_dataset_call *call, scrim_error *error)
{
    scrim_dataset before;
    bool is_changed = true;
    scrim_status status = sc_dataset_find(call->vault, call->name, &before, error);
    if (status == SCRIM_OK)
        status = draft_present(call, error);
    sc_policy_draft_forget(&call->draft, call->options);
    if (status == SCRIM_OK)
        status = sc_policy_draft_take(&call->draft, call->options, error);
    if (status == SCRIM_OK)
        status = find_change(call, &is_changed, error);
    if (status == SCRIM_OK && !is_changed)
        return tell_unchanged(call, before.version);
    if (status == SCRIM_OK)
        status = enter_draft(call, &call->draft, scrim_vault_update_dataset, error);
    if (status == SCRIM_OK)
        status = sc_dataset_tell_version(call->vault, call->name, call->options,
                                         "updated", error);
    if (status == SCRIM_OK && !is_quiet(call))
        status =
            sc_dataset_caution_answers(call->vault, call->name, before.version, error);
    return status == SCRIM_OK ? check_declared(call, before.version, error) : status;
}

scrim_status sc_dataset_declare_join(sc_dataset_call *call, scrim_error *error)
{
    scrim_dataset before;
    if (call->options->word_count < 4)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "name the CSV file of the public table, as in 'scrim "
                                 "dataset join %s regions.csv --on city'",
                                 call->name);
    scrim_status status = sc_dataset_find(call->vault, call->name, &before, error);
    if (status == SCRIM_OK)
        status = draft_present(call, error);
    if (status == SCRIM_OK)
        status =
            sc_dataset_join(&call->draft, call->options->words[3], call->options, error);
    if (status == SCRIM_OK)
        status = enter_draft(call, &call->draft, scrim_vault_set_dataset, error);
    return status == SCRIM_OK
               ? sc_dataset_tell_changed(call->vault, call->name, call->options,
                                         before.version, error)
               : status;
}
