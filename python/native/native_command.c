/* Commands of the program, for what the package has no function of its own. A command writes to standard output, which it
 * closes: a process of its own calls this. Left out are those that ask somebody at a terminal, and help. */
#include "cli/mechanism/experiments.h"
#include "cli/terminal/complaint.h"
#include "cli/verb/verbs.h"
#include "native.h"

#include <stdlib.h>
#include <string.h>

#define ADDED 2 /* words behind those that were given */

/* The statements of papers alone: further lists are functions of the package. */
static scrim_status run_papers(const sc_options *options, scrim_error *error)
{
    const bool is_papers =
        options->word_count > 1 && strcmp(options->words[1], "papers") == 0;
    return is_papers ? sc_papers_show(options, error)
                     : sc_refuse(error, "use 'list papers'; scrim.mechanisms() and "
                                        "scrim.distributions() list the rest");
}

static const sc_verb papers = {
    .name = "list", .kind = SC_COMMAND_LIST, .run = run_papers};

static const sc_verb *const verbs[] = {
    &sc_verb_attack,     &sc_verb_audit,     &sc_verb_body,     &sc_verb_budget,
    &sc_verb_calibrate,  &sc_verb_compose,   &sc_verb_distance, &sc_verb_errata,
    &sc_verb_experiment, &sc_verb_explain,   &sc_verb_ledger,   &papers,
    &sc_verb_local,      &sc_verb_microdata, &sc_verb_replay,   &sc_verb_report,
    &sc_verb_run,        &sc_verb_sample,    &sc_verb_series,   &sc_verb_suggest,
    &sc_verb_synth};
#define VERBS (sizeof verbs / sizeof *verbs)

static scrim_status find_verb(const sc_options *options, const sc_verb **out,
                              scrim_error *error)
{
    const char *name = options->word_count > 0 ? options->words[0] : "";
    for (size_t i = 0; i < VERBS; i++)
        if (strcmp(verbs[i]->name, name) == 0) {
            *out = verbs[i];
            return SCRIM_OK;
        }
    return sc_refuse(error, "unknown command '%s'; scrim.command() lists them", name);
}

/* The subcommand that the words name, or the verb itself as one. */
static scrim_status find_command(const sc_options *options, sc_command *out,
                                 scrim_error *error)
{
    const sc_verb *verb = NULL;
    const char *word = options->word_count > 1 ? options->words[1] : NULL;
    SC_TRY(find_verb(options, &verb, error));
    SC_TRY(verb->advise == NULL ? SCRIM_OK : verb->advise(options, error));
    const sc_command *named =
        verb->command == NULL ? NULL : sc_command_find(verb->command, word);
    if (named == NULL && verb->run == NULL)
        SC_TRY(sc_command_choose(verb->command, options, &named, error));
    *out = named != NULL ? *named
                         : (sc_command){.kind = verb->kind,
                                        .options = verb->options,
                                        .run = verb->run};
    return SCRIM_OK;
}

static bool takes(const sc_command *command, sc_option option)
{
    return sc_option_set_has(sc_command_kind_options(command->kind), option) ||
           sc_option_set_has(command->options, option);
}

/* Adds JSON and no talk, where the command has these options. once and words are the same words, as main has them; words has
 * room for ADDED more. */
static scrim_status perform(char **once, char **words, size_t count, sc_options *options,
                            native_watch *watch, scrim_error *error)
{
    static char json[] = "--json", quiet[] = "--quiet";
    sc_command command;
    SC_TRY(sc_options_parse((int)count, once, options, error));
    SC_TRY(find_command(options, &command, error));
    if (sc_options_has(options, SCRIM_OPTION_HELP))
        return sc_refuse(error, "help is for the program: 'scrim help %s'",
                         options->words[0]);
    const char *page = options->value[SCRIM_OPTION_HTML];
    const bool has_format = sc_options_has(options, SCRIM_OPTION_FORMAT) ||
                            sc_options_has(options, SCRIM_OPTION_JSON) ||
                            (page != NULL && strcmp(page, "-") == 0);
    if (takes(&command, SCRIM_OPTION_JSON) && !has_format)
        words[count++] = json;
    if (takes(&command, SCRIM_OPTION_QUIET) &&
        !sc_options_has(options, SCRIM_OPTION_QUIET))
        words[count++] = quiet;
    SC_TRY(sc_options_parse((int)count, words, options, error));
    SC_TRY(sc_options_check(options, sc_command_kind_options(command.kind),
                            command.options, error));
    options->tell = native_watch_tell;
    options->tell_context = watch;
    scrim_status status;
    NATIVE_UNLOCKED(status = command.run(options, error));
    return status;
}

static PyObject *command_run(PyObject *self, PyObject *arguments)
{
    PyObject *list, *progress;
    size_t count = 0;
    scrim_status status;
    scrim_error error;
    native_watch watch;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &list, &progress))
        return NULL;
    sc_options *options = calloc(1, sizeof *options);
    const char **words = native_texts(list, &count);
    const size_t room = count + ADDED + 1;
    char **taken = words == NULL ? NULL : calloc(2 * room, sizeof *taken);
    if (taken == NULL || options == NULL || !native_watch_init(&watch, progress)) {
        const bool has_room = words == NULL || (taken != NULL && options != NULL);
        free(options);
        free(words);
        free(taken);
        return has_room ? NULL : PyErr_NoMemory();
    }
    memcpy(taken, words, count * sizeof *taken);
    memcpy(taken + room, words, count * sizeof *taken);
    status = perform(taken, taken + room, count, options, &watch, &error);
    free(options);
    free(words);
    free(taken);
    const bool is_raised = native_watch_raise(&watch, "the command was ended");
    native_watch_clear(&watch);
    return is_raised ? NULL : native_none(status, &error);
}

static PyObject *command_names(PyObject *self, PyObject *nothing)
{
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    (void)self;
    (void)nothing;
    for (size_t i = 0; is_well && i < VERBS; i++)
        is_well = native_append(list, PyUnicode_FromString(verbs[i]->name));
    return native_done(list, is_well);
}

PyMethodDef native_command_methods[] = {
    {"command_run", command_run, METH_VARARGS,
     "command_run($module, words, progress, /)\n--\n\n"},
    {"command_names", command_names, METH_NOARGS, "command_names($module, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
