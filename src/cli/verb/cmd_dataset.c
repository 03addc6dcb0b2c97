/* scrim dataset add|set|update|join|list|show|history|check|mock|remove NAME */
#include "cli/dataset/bound_view.h"
#include "cli/dataset/dataset_check.h"
#include "cli/dataset/dataset_declare.h"
#include "cli/dataset/dataset_history.h"
#include "cli/dataset/dataset_mock.h"
#include "cli/dataset/dataset_view.h"
#include "cli/terminal/advice.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/interview.h"
#include "cli/terminal/talk.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/verbs.h"

#include <string.h>

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

static bool is_anything_said(const sc_options *options)
{
    for (sc_option_set set = policy_options; *set != SCRIM_OPTION_KINDS; set++)
        if (sc_options_has(options, *set))
            return true;
    return false;
}

static scrim_status run_set(sc_dataset_call *call, scrim_error *error)
{
    return is_anything_said(call->options)
               ? sc_dataset_declare_set(call, error)
               : sc_complaint_fill(
                     error, SCRIM_E_PARAM,
                     "nothing to change; give an option, as in --max-rows 2");
}

/* Anybody who may see the policy may make up rows from it. */
static scrim_status run_mock(sc_dataset_call *call, scrim_error *error)
{
    return sc_dataset_mock(call->vault, call->name, call->options, error);
}

static scrim_status run_remove(sc_dataset_call *call, scrim_error *error)
{
    scrim_dataset dataset;
    scrim_status status = sc_dataset_find(call->vault, call->name, &dataset, error);
    if (status == SCRIM_OK)
        status = scrim_vault_remove_dataset(call->vault, call->name, error);
    if (status == SCRIM_OK && !sc_options_has(call->options, SCRIM_OPTION_QUIET))
        sc_talk("removed dataset %s; its charges to the budget of %s stay spent\n",
                dataset.name, dataset.population);
    return status;
}

static scrim_status run_list(sc_dataset_call *call, scrim_error *error)
{
    return sc_dataset_list(call->vault, call->options, error);
}

static scrim_status run_show(sc_dataset_call *call, scrim_error *error)
{
    return sc_dataset_show(call->vault, call->name, call->options, error);
}

static scrim_status run_history(sc_dataset_call *call, scrim_error *error)
{
    return sc_dataset_history(call->vault, call->name, call->options, error);
}

static scrim_status run_check(sc_dataset_call *call, scrim_error *error)
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
    scrim_status (*run)(sc_dataset_call *call, scrim_error *error);
} actions[] = {
    {{.name = "add",
      .kind = SC_COMMAND_MANAGE,
      .options = SC_OPTION_SET(POLICY_OPTIONS, SCRIM_OPTION_NO_CHECK),
      .run = run_dataset},
     true,
     true,
     sc_dataset_declare_add},
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
     sc_dataset_declare_update},
    {{.name = "join",
      .kind = SC_COMMAND_MANAGE,
      .options = SC_OPTION_SET(SCRIM_OPTION_ON, SCRIM_OPTION_NAME, SCRIM_OPTION_COLUMN),
      .run = run_dataset},
     true,
     true,
     sc_dataset_declare_join},
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

/* An update takes the source alone. */
static scrim_status advise_update(const sc_options *options, scrim_error *error)
{
    static const sc_option taken[] = {SOURCE_OPTIONS, SCRIM_OPTION_MAX_TOTAL,
                                      SCRIM_OPTION_KINDS};
    if (options->word_count < 3 || strcmp(options->words[1], "update") != 0)
        return SCRIM_OK;
    for (sc_option_set set = policy_options; *set != SCRIM_OPTION_KINDS; set++)
        if (sc_options_has(options, *set) && !sc_option_set_has(taken, *set))
            return sc_complaint_fill(
                error, SCRIM_E_PARAM,
                "update takes no %s; 'scrim dataset set %s' changes the policy%s",
                sc_option_name(*set), options->words[2],
                sc_options_has(options, SCRIM_OPTION_CSV) ? ", also with --csv" : "");
    return SCRIM_OK;
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
static scrim_status take_name(sc_dataset_call *call, size_t action, scrim_error *error)
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
    if (options->word_count < want && actions[action].run == sc_dataset_declare_add &&
        sc_interview_is_possible())
        return SCRIM_OK; /* it is asked for with the rest */
    if (actions[action].run == sc_dataset_declare_join &&
        options->word_count == want + 1) {
        call->name = options->words[2];
        return SCRIM_OK;
    }
    if (options->word_count > want)
        return fail_word(
            options->words[want + (actions[action].run == sc_dataset_declare_join)],
            error);
    return sc_complaint_fill(error, SCRIM_E_PARAM,
                             "name the dataset, as in 'scrim dataset %s adult'",
                             actions[action].command.name);
}

/* Opens the vault for the subcommand, which sc_verb_perform has found in the table. */
static scrim_status run_dataset(const sc_options *options, scrim_error *error)
{
    size_t action = 0;
    sc_dataset_call call = {.options = options};
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
    .advise = advise_update,
};
