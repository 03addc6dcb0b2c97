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

static scrim_status fail_incomplete(bool has_unit, bool has_budget, scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_PARAM,
                             "missing%s%s%s; on a terminal scrim asks for it",
                             has_unit ? "" : " privacy unit (--unit COLUMN or row)",
                             has_unit || has_budget ? "" : " and",
                             has_budget ? "" : " budget (--budget epsilon=R[,delta=R])");
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
    return enter_draft(call, draft, scrim_vault_add_dataset, error);
}

/* Asks on the terminal for the name, if it was not given, and for what the policy lacks. */
static scrim_status ask_missing(sc_dataset_call *call, scrim_error *error)
{
    const sc_wizard_host host = {check_new_name, find_budget, find_twin, add_asked, call};
    return sc_dataset_wizard(&host, call->name, &call->draft, call->resumed, error);
}

/* Options that decide a guarantee have no default, except the neighbours of a new population. */
static scrim_status add_complete(sc_dataset_call *call, scrim_error *error)
{
    const char *population = sc_policy_draft_get(&call->draft, "population");
    const bool has_population = population != NULL && population[0] != '\0';
    const bool has_unit = sc_policy_draft_get(&call->draft, "unit") != NULL;
    scrim_budget budget = {.neighbours = SCRIM_NEIGHBOURS_UNSET};
    scrim_status status = SCRIM_OK;
    if (call->name == NULL)
        return ask_missing(call, error);
    status = find_budget(call, has_population ? population : call->name, &budget, error);
    if (status != SCRIM_OK)
        return status;
    const bool is_there = budget.neighbours != SCRIM_NEIGHBOURS_UNSET;
    const bool has_budget =
        is_there || sc_policy_draft_get(&call->draft, "budget") != NULL;
    /* The owner of a draft has not agreed yet. */
    if ((!has_unit || !has_budget || !sc_policy_draft_is_bounded(&call->draft) ||
         call->resumed != NULL) &&
        sc_interview_is_possible())
        return ask_missing(call, error);
    if (!has_unit || !has_budget)
        return fail_incomplete(has_unit, has_budget, error);
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
    if (status == SCRIM_OK)
        status = sc_dataset_tell_added(call->vault, call->name, call->options,
                                       is_read(call), error);
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

/* A file is the whole policy; options alone change lines of the one there is. */
scrim_status sc_dataset_declare_set(sc_dataset_call *call, scrim_error *error)
{
    scrim_dataset before;
    scrim_status status = sc_dataset_find(call->vault, call->name, &before, error);
    if (status == SCRIM_OK && !sc_options_has(call->options, SCRIM_OPTION_POLICY))
        status = leave_columns(call, error);
    sc_policy_draft_forget(&call->draft, call->options);
    if (status == SCRIM_OK)
        status = draft_options(call, error);
    if (status == SCRIM_OK)
        status = enter_draft(call, &call->draft, scrim_vault_set_dataset, error);
    if (status == SCRIM_OK)
        status = sc_dataset_tell_changed(call->vault, call->name, call->options,
                                         before.version, error);
    return status == SCRIM_OK ? check_declared(call, before.version, error) : status;
}

scrim_status sc_dataset_declare_update(sc_dataset_call *call, scrim_error *error)
{
    scrim_dataset before;
    scrim_status status = sc_dataset_find(call->vault, call->name, &before, error);
    if (status == SCRIM_OK)
        status = draft_present(call, error);
    sc_policy_draft_forget(&call->draft, call->options);
    if (status == SCRIM_OK)
        status = sc_policy_draft_take(&call->draft, call->options, error);
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
