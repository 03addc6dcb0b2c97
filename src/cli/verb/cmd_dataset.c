/* scrim dataset add|set|update|join|list|show|history|check|mock|remove NAME */
#include "cli/dataset/bound_view.h"
#include "cli/dataset/dataset_caution.h"
#include "cli/dataset/dataset_check.h"
#include "cli/dataset/dataset_history.h"
#include "cli/dataset/dataset_join.h"
#include "cli/dataset/dataset_mock.h"
#include "cli/dataset/dataset_told.h"
#include "cli/dataset/dataset_view.h"
#include "cli/dataset/dataset_wizard.h"
#include "cli/dataset/policy_draft.h"
#include "cli/dataset/wizard_draft.h"
#include "cli/terminal/advice.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/interview.h"
#include "cli/terminal/talk.h"
#include "cli/terminal/whole_file.h"
#include "cli/vault/budget_writer.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/verbs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As long as an entry of the ledger may be. */
#define POLICY_BYTES (16u << 20)

/* Options that several subcommands share. */

#define SOURCE_OPTIONS                                                                   \
    SCRIM_OPTION_CSV, SCRIM_OPTION_SQLITE, SCRIM_OPTION_LIVE, SCRIM_OPTION_PARQUET,      \
        SCRIM_OPTION_DUCKDB, SCRIM_OPTION_TABLE, SCRIM_OPTION_RECORDS,                   \
        SCRIM_OPTION_SEPARATOR, SCRIM_OPTION_DECIMAL, SCRIM_OPTION_DATE_FORMAT,          \
        SCRIM_OPTION_ZONE, SCRIM_OPTION_NULL, SCRIM_OPTION_MAX_SIZE
#define POLICY_OPTIONS                                                                   \
    SOURCE_OPTIONS, SCRIM_OPTION_POLICY, SCRIM_OPTION_UNIT, SCRIM_OPTION_SAME_UNIT,      \
        SCRIM_OPTION_COLUMN, SCRIM_OPTION_KEYS, SCRIM_OPTION_MISSING,                    \
        SCRIM_OPTION_MAX_GROUPS, SCRIM_OPTION_MAX_ROWS, SCRIM_OPTION_ROWS_PER_UNIT,      \
        SCRIM_OPTION_MAX_TOTAL_ROWS, SCRIM_OPTION_FIXED_BOUNDS, SCRIM_OPTION_MAX_TOTAL,  \
        SCRIM_OPTION_BOUNDS_FROM, SCRIM_OPTION_NEIGHBOURS, SCRIM_OPTION_POPULATION,      \
        SCRIM_OPTION_BUDGET, SCRIM_OPTION_ACCOUNTING, SCRIM_OPTION_CAP,                  \
        SCRIM_OPTION_SHARE, SCRIM_OPTION_QUANTUM

/* The options that are lines of a policy. */
static const sc_option policy_options[] = {POLICY_OPTIONS, SCRIM_OPTION_KINDS};

typedef struct dataset_call {
    const sc_options *options;
    const char *name;             /* NULL: all of them */
    char answer[SC_ANSWER_BYTES]; /* where the name is, when it was asked for */
    scrim_vault *vault;
    sc_policy_draft draft;
    const char
        *resumed; /* the file of a draft, which the wizard goes on with; NULL: none */
} dataset_call;

static bool is_quiet(const dataset_call *call)
{
    return sc_options_has(call->options, SCRIM_OPTION_QUIET);
}

/* The policy that was asked for. */

static scrim_status read_policy_file(dataset_call *call, scrim_error *error)
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
static scrim_status draft_options(dataset_call *call, scrim_error *error)
{
    scrim_status status = read_policy_file(call, error);
    sc_policy_draft_breathe(&call->draft);
    if (status == SCRIM_OK)
        status = sc_policy_draft_take(&call->draft, call->options, error);
    return status;
}

static scrim_status draft_present(dataset_call *call, scrim_error *error)
{
    const scrim_status status =
        sc_policy_draft_load(&call->draft, call->vault, call->name, error);
    sc_policy_draft_breathe(&call->draft);
    return status;
}

typedef scrim_status policy_writer(scrim_vault *vault, const char *name,
                                   const char *policy, scrim_error *error);

static scrim_status enter_draft(const dataset_call *call, sc_policy_draft *draft,
                                policy_writer *write, scrim_error *error)
{
    scrim_status status = sc_policy_draft_settle(draft, error);
    char *text = status == SCRIM_OK ? sc_policy_draft_text(draft) : NULL;
    if (status == SCRIM_OK && text == NULL)
        status = sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory for a policy");
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
    const dataset_call *call = context;
    const scrim_status status =
        sc_budget_find(call->vault, population, NULL, budget, error);
    if (status != SCRIM_OK)
        budget->neighbours = SCRIM_NEIGHBOURS_UNSET;
    return status == SCRIM_E_PARAM ? SCRIM_OK : status;
}

static scrim_status find_twin(void *context, const char *policy, const char *population,
                              scrim_dataset *out, bool *is_same_file, scrim_error *error)
{
    const dataset_call *call = context;
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
    const dataset_call *call = context;
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
    dataset_call *call = context;
    snprintf(call->answer, sizeof call->answer, "%s", name);
    call->name = call->answer;
    return enter_draft(call, draft, scrim_vault_add_dataset, error);
}

/* On a terminal: the name, if it is not said, and what the policy lacks. */
static scrim_status ask_missing(dataset_call *call, scrim_error *error)
{
    const sc_wizard_host host = {check_new_name, find_budget, find_twin, add_asked, call};
    return sc_dataset_wizard(&host, call->name, &call->draft, call->resumed, error);
}

/* Options that decide a guarantee have no default, except the neighbours of a new population. */
static scrim_status add_complete(dataset_call *call, scrim_error *error)
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
static bool is_read(const dataset_call *call)
{
    const char *path = sc_policy_draft_get(&call->draft, "csv");
    return sc_policy_draft_is_read(&call->draft) &&
           (path == NULL || strcmp(path, "-") != 0);
}

/* Nobody pays for a wrong declaration: the owner sees what is not as declared at once. before: the version whose
 * source and columns were checked earlier, 0 for none. */
static scrim_status check_declared(const dataset_call *call, uint64_t before,
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

static scrim_status run_add(dataset_call *call, scrim_error *error)
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

static bool is_anything_said(const sc_options *options)
{
    for (sc_option_set set = policy_options; *set != SCRIM_OPTION_KINDS; set++)
        if (sc_options_has(options, *set))
            return true;
    return false;
}

/* The present policy without the columns that are left out. */
static scrim_status leave_columns(dataset_call *call, scrim_error *error)
{
    const scrim_status status = draft_present(call, error);
    return status == SCRIM_OK
               ? sc_policy_draft_leave_out(&call->draft, call->options, error)
               : status;
}

/* A file is the whole policy; options alone change lines of the one there is. */
static scrim_status run_set(dataset_call *call, scrim_error *error)
{
    scrim_dataset before;
    if (!is_anything_said(call->options))
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "nothing to change; give an option, as in --max-rows 2");
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

static scrim_status run_update(dataset_call *call, scrim_error *error)
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

/* A public table that questions may join; it is a part of the policy. */
static scrim_status run_join(dataset_call *call, scrim_error *error)
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

/* Made up for anybody who may see the policy. */
static scrim_status run_mock(dataset_call *call, scrim_error *error)
{
    return sc_dataset_mock(call->vault, call->name, call->options, error);
}

static scrim_status run_remove(dataset_call *call, scrim_error *error)
{
    scrim_dataset dataset;
    scrim_status status = sc_dataset_find(call->vault, call->name, &dataset, error);
    if (status == SCRIM_OK)
        status = scrim_vault_remove_dataset(call->vault, call->name, error);
    if (status == SCRIM_OK && !is_quiet(call))
        sc_talk("removed dataset %s; its charges to the budget of %s stay spent\n",
                dataset.name, dataset.population);
    return status;
}

static scrim_status run_list(dataset_call *call, scrim_error *error)
{
    return sc_dataset_list(call->vault, call->options, error);
}

static scrim_status run_show(dataset_call *call, scrim_error *error)
{
    return sc_dataset_show(call->vault, call->name, call->options, error);
}

static scrim_status run_history(dataset_call *call, scrim_error *error)
{
    return sc_dataset_history(call->vault, call->name, call->options, error);
}

static scrim_status run_check(dataset_call *call, scrim_error *error)
{
    static const sc_option beside[] = {SCRIM_OPTION_BY, SCRIM_OPTION_EPSILON,
                                       SCRIM_OPTION_VERBOSE};
    static const sc_option of_risk[] = {SCRIM_OPTION_COLUMNS, SCRIM_OPTION_SENSITIVE};
    if (sc_options_has(call->options, SCRIM_OPTION_BOUNDS) &&
        call->options->value[SCRIM_OPTION_BOUNDS][0] != '\0')
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "--bounds takes no value here; put it last");
    if (sc_options_has(call->options, SCRIM_OPTION_BOUNDS) &&
        sc_options_has(call->options, SCRIM_OPTION_RISK))
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "--bounds and --risk are two checks; ask for one");
    if (!sc_options_has(call->options, SCRIM_OPTION_RISK))
        for (size_t i = 0; i < sizeof of_risk / sizeof *of_risk; i++)
            if (sc_options_has(call->options, of_risk[i]))
                return sc_complaint_fill(error, SCRIM_E_PARAM, "%s needs --risk",
                                         sc_option_name(of_risk[i]));
    if (sc_options_has(call->options, SCRIM_OPTION_BOUNDS))
        return sc_bound_view_check(call->vault, call->name, call->options, error);
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        if (sc_options_has(call->options, beside[i]))
            return sc_complaint_fill(error, SCRIM_E_PARAM, "%s needs --bounds",
                                     sc_option_name(beside[i]));
    if (sc_options_has(call->options, SCRIM_OPTION_RISK))
        return sc_dataset_risk(call->vault, call->name, call->options, error);
    return sc_dataset_check(call->vault, call->name, call->options, error);
}

static scrim_status run_dataset(const sc_options *options, scrim_error *error);

static const struct {
    sc_command command;
    bool has_subject;
    bool is_owners; /* nobody else may */
    scrim_status (*run)(dataset_call *call, scrim_error *error);
} actions[] = {
    {{.name = "add",
      .kind = SC_COMMAND_MANAGE,
      .options = SC_OPTION_SET(POLICY_OPTIONS, SCRIM_OPTION_NO_CHECK),
      .run = run_dataset},
     true,
     true,
     run_add},
    {{.name = "set",
      .kind = SC_COMMAND_MANAGE,
      .options = SC_OPTION_SET(POLICY_OPTIONS, SCRIM_OPTION_NO_CHECK),
      .run = run_dataset},
     true,
     true,
     run_set},
    {{.name = "update",
      .kind = SC_COMMAND_MANAGE,
      .options =
          SC_OPTION_SET(SOURCE_OPTIONS, SCRIM_OPTION_MAX_TOTAL, SCRIM_OPTION_NO_CHECK),
      .run = run_dataset},
     true,
     true,
     run_update},
    {{.name = "join",
      .kind = SC_COMMAND_MANAGE,
      .options = SC_OPTION_SET(SCRIM_OPTION_ON, SCRIM_OPTION_NAME, SCRIM_OPTION_COLUMN),
      .run = run_dataset},
     true,
     true,
     run_join},
    {{.name = "list", .kind = SC_COMMAND_LOOK, .run = run_dataset},
     false,
     false,
     run_list},
    {{.name = "show",
      .kind = SC_COMMAND_LOOK,
      .options = SC_OPTION_SET(SCRIM_OPTION_POLICY),
      .run = run_dataset},
     true,
     false,
     run_show},
    {{.name = "history",
      .kind = SC_COMMAND_LOOK,
      .options = SC_OPTION_SET(SCRIM_OPTION_SINCE),
      .run = run_dataset},
     true,
     false,
     run_history},
    {{.name = "check",
      .kind = SC_COMMAND_LOOK,
      .options =
          SC_OPTION_SET(SCRIM_OPTION_BOUNDS, SCRIM_OPTION_RISK, SCRIM_OPTION_COLUMNS,
                        SCRIM_OPTION_SENSITIVE, SCRIM_OPTION_BY, SCRIM_OPTION_VERBOSE,
                        SCRIM_OPTION_EPSILON),
      .run = run_dataset},
     true,
     true,
     run_check},
    {{.name = "mock",
      .kind = SC_COMMAND_MANAGE,
      .options = SC_OPTION_SET(SCRIM_OPTION_ROWS, SCRIM_OPTION_OUT),
      .run = run_dataset},
     true,
     false,
     run_mock},
    {{.name = "remove", .kind = SC_COMMAND_MANAGE, .run = run_dataset},
     true,
     true,
     run_remove},
};

static const sc_command *command_at(size_t index)
{
    return index < sizeof actions / sizeof *actions ? &actions[index].command : NULL;
}

/* A line of a policy that was meant for an option, as column=age=text for --column age=text. */
static scrim_status fail_word(const char *word, scrim_error *error)
{
    const size_t bytes = strcspn(word, "=");
    for (sc_option_set set = policy_options;
         word[bytes] == '=' && *set != SCRIM_OPTION_KINDS; set++) {
        const char *name = sc_option_name(*set);
        if (strlen(name) == bytes + 2 && strncmp(name + 2, word, bytes) == 0)
            return sc_complaint_fill(error, SCRIM_E_PARAM,
                                     "unexpected argument '%s'; did you mean %s '%s'?",
                                     word, name, word + bytes + 1);
    }
    return sc_complaint_fill(error, SCRIM_E_PARAM, "unexpected argument '%s'", word);
}

/* The name of the dataset, which is asked for where one is added on a terminal. */
static scrim_status take_name(dataset_call *call, size_t action, scrim_error *error)
{
    const sc_options *options = call->options;
    const size_t want = actions[action].has_subject ? 3 : 2;
    call->name = NULL;
    if (options->word_count == want) {
        call->name = actions[action].has_subject ? options->words[2] : NULL;
        return SCRIM_OK;
    }
    if (options->word_count < want && actions[action].run == run_history)
        return SCRIM_OK;
    if (options->word_count < want && actions[action].run == run_add &&
        sc_interview_is_possible())
        return SCRIM_OK; /* it is asked for with the rest */
    if (actions[action].run == run_join && options->word_count == want + 1) {
        call->name = options->words[2];
        return SCRIM_OK;
    }
    if (options->word_count > want)
        return fail_word(options->words[want + (actions[action].run == run_join)], error);
    return sc_complaint_fill(error, SCRIM_E_PARAM,
                             "name the dataset, as in 'scrim dataset %s adult'",
                             actions[action].command.name);
}

/* Opens the vault for the subcommand, which sc_verb_perform has found in the table. */
static scrim_status run_dataset(const sc_options *options, scrim_error *error)
{
    size_t action = 0;
    dataset_call call = {.options = options};
    while (strcmp(options->words[1], actions[action].command.name) != 0)
        action++;
    scrim_status status = take_name(&call, action, error);
    if (status == SCRIM_OK)
        status = sc_vault_place_open(options, &call.vault, error);
    /* Before a file is looked at that only the owner may see. */
    if (status == SCRIM_OK && actions[action].is_owners &&
        !scrim_vault_is_owned(call.vault))
        status = sc_complaint_fill(error, SCRIM_E_POLICY,
                                   "only the vault's owner may run 'dataset %s'",
                                   actions[action].command.name);
    if (status == SCRIM_OK) {
        status = actions[action].run(&call, error);
        if (status != SCRIM_OK)
            sc_advice_name_option(options, policy_options, error);
    }
    sc_policy_draft_clear(&call.draft);
    scrim_vault_close(call.vault);
    return status;
}

const sc_verb sc_verb_dataset = {
    .name = "dataset",
    .synopsis = "add|set|update|join|list|show|history|check|mock|remove",
    .summary = "Declare and manage datasets: privacy unit, ranges, budget",
    .usage =
        "  add NAME       declare a table; on a terminal scrim asks for what is "
        "missing:\n"
        "                 type ? for help, < to go back, q to leave and keep a draft,\n"
        "                 which --policy reads\n"
        "  set NAME       change the policy: the options given, or all of --policy FILE\n"
        "  update NAME    declare that the source has new contents (a new version);\n"
        "                 questions that were answered before are charged again\n"
        "  join NAME FILE.csv --on COLUMN[=KEY]\n"
        "                 declare a public table that questions may JOIN: a CSV file\n"
        "                 with a header, in which each KEY is in one row. --name is its\n"
        "                 name (default: the file's), --column NAME=TYPE the type of a\n"
        "                 column (default: read from the file). FILE none removes it.\n"
        "  list           list all datasets\n"
        "  show NAME      show the policy; --policy FILE writes it to a file for "
        "editing\n"
        "  history [NAME] list every change of budgets, versions, caps and shares, with\n"
        "                 its time; --since DATE lists only changes from that date on\n"
        "  check NAME     compare the rows with the policy. Only the owner may run it.\n"
        "                 Its output is SENSITIVE: it is not protected.\n"
        "  check NAME --bounds [--by KEY,...] [--epsilon E] [--verbose]\n"
        "                 show how much the choices of contribution bounds keep. With\n"
        "                 --epsilon: typical questions and the total of rows that "
        "serves\n"
        "                 all of them. --by names what questions group by, to compare\n"
        "                 groups and rows for them: columns, or expressions such as\n"
        "                 'MONTH(day)'. --verbose shows all choices. SENSITIVE as well;\n"
        "                 'scrim suggest' finds bounds with differential privacy "
        "instead.\n"
        "  check NAME --risk [--columns C,...] [--sensitive C]\n"
        "                 how many people are unique by which columns (default: all),\n"
        "                 and with a sensitive column what classes tell of it. "
        "SENSITIVE\n"
        "  mock NAME --rows N [--out FILE]\n"
        "                 write N made-up rows, from the policy alone, to try tools on\n"
        "  remove NAME    end all queries of a dataset; its budget stays spent\n"
        "\n"
        "Where the rows are:\n"
        "  --csv FILE     a CSV file with a header, also packed by gzip. - is standard\n"
        "                 input: it has a new version at every query, so every query is\n"
        "                 charged.\n"
        "  --sqlite FILE  an SQLite file instead; name its table with --table\n"
        "  --table NAME   the table in the SQLite file\n"
        "  --live         no file: a program pushes the rows of each query, by the C\n"
        "                 interface (scrim/feed.h) or in Python. Every query is "
        "charged.\n"
        "  --parquet FILE, --duckdb QUERY  a Parquet file, or a query of DuckDB, which\n"
        "                 the Python package reads\n"
        "  --records END  line ends of the CSV file: lf (default) or crlf\n"
        "  --separator C  between fields: , (default), ; | or tab\n"
        "  --decimal C    decimal mark: . (default) or ,\n"
        "  --date-format F  how dates are written: YYYY-MM-DD (default), DD.MM.YYYY,\n"
        "                 M/D/YYYY, ...\n"
        "  --zone ZONE    time zone of timestamps: UTC, +01:00, Europe/Berlin, ...\n"
        "  --null TEXT,TEXT  cells that mean missing, as empty cells do: NA,NULL,-\n"
        "                 ('' removes the list)\n"
        "  --max-size SIZE  the file never becomes larger (default 64MiB); larger files\n"
        "                 are refused. Memory follows this number, not the file. Pushed\n"
        "                 rows count 8 bytes for each declared column and the unit.\n",
    .more =
        "\n"
        "Who is protected, and what may be asked:\n"
        "  --unit COLUMN  the privacy unit: the column that identifies the person, or\n"
        "                 row if every row is a different person\n"
        "  --column NAME=TYPE  a column that queries may use. TYPE is int[0,120],\n"
        "                 decimal[0,9.5], decimal[0,1]/0.001, bool, text,\n"
        "                 date[2020-01-01,2020-12-31] or\n"
        "                 timestamp[2020-01-01,2020-12-31 23:59:59]. Give the range\n"
        "                 that values may have by definition; values outside are\n"
        "                 clamped to it. NAME=none leaves the column out.\n"
        "  --keys NAME=KEY,KEY  public keys: all groups of this column, shown even if\n"
        "                 empty. NAME=@FILE reads them from a file, one per line.\n"
        "  --missing NAME=VALUE  use this value where one is missing or unreadable\n"
        "  --max-total-rows N  a unit contributes at most N rows to an answer\n"
        "  --max-groups N, --max-rows N  or: to at most N groups, N rows to each;\n"
        "                 none removes one\n"
        "  --rows-per-unit 1  or: each unit has one row. If the unit is a column, the\n"
        "                 bounds have no default. A question may choose its own.\n"
        "  --max-total NAME=N  clamp a unit's total of a column in a group to -N..N;\n"
        "                 NAME=LOW,HIGH clamps it to LOW..HIGH; NAME=none removes it\n"
        "  --fixed-bounds yes  no question may choose its own bounds; none allows it\n"
        "  --bounds-from HOW  how the bounds were chosen; the label shows it. declared\n"
        "                 (from domain knowledge), check (from the data, not\n"
        "                 protected) or suggest (from 'scrim suggest')\n"
        "  --neighbours N add-remove (default: the number of units is private) or\n"
        "                 replace (it is public)\n"
        "\n"
        "How much may be spent:\n"
        "  --population NAME  datasets about the same people share the budget of one\n"
        "                 population; by default it has the dataset's name\n"
        "  --same-unit COLUMN  the unit column of the population's first dataset, if\n"
        "                 the same people are identified by another column there\n"
        "  --budget epsilon=R[,delta=R]  total budget of a new population, never "
        "renewed\n"
        "  --accounting A how charges add up: sum (default, basic composition),\n"
        "                 concentrated or renyi=ORDER\n"
        "  --cap epsilon=R[,delta=R][,least=R]  most that one query may cost, and least\n"
        "                 it must cost; none removes it\n"
        "  --share NAME=epsilon=R[,delta=R]  most that the analyst NAME may spend; * is\n"
        "                 every analyst without a share, the owner too; NAME=none\n"
        "                 removes it\n"
        "  --quantum SECONDS  show answers only at multiples of this time, so that the\n"
        "                 time taken tells nothing; none removes it\n"
        "  --policy FILE  read these options from a file, one per line without the\n"
        "                 dashes; - is standard input. Options on the command line win.\n"
        "  --no-check     do not check the rows after add, set and update. Otherwise an\n"
        "                 owner at a terminal is told at once what is not as declared\n"
        "                 (SENSITIVE, on standard error); the status stays 0, and "
        "scripts\n"
        "                 are told nothing.\n"
        "\n"
        "Other options:\n" SC_USAGE_VAULT
        "  --format table|csv|json|jsonl  output of list, show, history and check\n"
        "  --json         short for --format json\n"
        "  --quiet        show neither confirmations nor progress\n"
        "\n"
        "A policy file:\n"
        "    # adults of one town\n"
        "    csv=adult.csv\n"
        "    unit=person_id\n"
        "    rows-per-unit=1\n"
        "    column=age=int[0,120]\n"
        "    column=sex=text\n"
        "    keys=sex=Female,Male\n"
        "    budget=epsilon=3,delta=1e-6\n"
        "\n"
        "example: scrim dataset add adult --csv adult.csv --unit person_id \\\n"
        "             --rows-per-unit 1 --column 'age=int[0,120]' --budget epsilon=3\n",
    .command = command_at,
};
