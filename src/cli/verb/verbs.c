#include "cli/verb/verbs.h"

#include "cli/terminal/advice.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/output.h"
#include "cli/terminal/program.h"

#include <string.h>
#include <unistd.h>

/* The map of `scrim help`: headings with their verbs, in the order of what people do. */
static const sc_verb_heading headings[] = {
    {"own",
     "data and a budget, declared by their owner",
     "scrim dataset add adult --csv adult.csv --unit row --budget epsilon=3",
     {&sc_verb_init, &sc_verb_dataset, &sc_verb_suggest}},
    {"ask",
     "questions with their error and cost",
     "scrim query adult \"SELECT COUNT(*)\" --epsilon 0.5",
     {&sc_verb_shell, &sc_verb_explain, &sc_verb_query, &sc_verb_replay}},
    {"publish",
     "tables, rows and bodies for everybody",
     "scrim microdata plan --cells 3000 --epsilon 1 --delta 1e-6",
     {&sc_verb_synth, &sc_verb_microdata, &sc_verb_body, &sc_verb_series}},
    {"account",
     "charges, who asked, and the proof",
     "scrim report all --html year.html",
     {&sc_verb_budget, &sc_verb_ledger, &sc_verb_report}},
    {"study",
     "mechanisms, their privacy and their errors",
     "scrim compose \"laplace scale=10 x100\" --delta 1e-6",
     {&sc_verb_run, &sc_verb_audit, &sc_verb_compose, &sc_verb_calibrate, &sc_verb_sample,
      &sc_verb_distance, &sc_verb_attack, &sc_verb_experiment, &sc_verb_errata}},
    {"devices",
     "reports that are private before they leave",
     "scrim local plan emoji --users 1e6 --domain 5000 --epsilon 2",
     {&sc_verb_local}},
    {"find",
     "help and lists",
     "scrim help sparse-vector",
     {&sc_verb_demo, &sc_verb_list, &sc_verb_help}},
};
#define HEADINGS (sizeof headings / sizeof headings[0])

const sc_verb_heading *sc_verb_heading_at(size_t index)
{
    return index < HEADINGS ? &headings[index] : NULL;
}

const sc_verb *sc_verb_at(size_t index)
{
    for (size_t i = 0; i < HEADINGS; i++)
        for (size_t j = 0; headings[i].verbs[j] != NULL; j++)
            if (index-- == 0)
                return headings[i].verbs[j];
    return NULL;
}

const sc_verb *sc_verb_find(const char *name)
{
    size_t index = 0;
    while (sc_verb_at(index) != NULL && strcmp(sc_verb_at(index)->name, name) != 0)
        index++;
    return sc_verb_at(index);
}

static const char *verb_name_at(size_t index)
{
    const sc_verb *verb = sc_verb_at(index);
    return verb == NULL ? NULL : verb->name;
}

const char *sc_verb_nearest(const char *name)
{
    return sc_nearest_name(name, verb_name_at);
}

scrim_status sc_verb_unknown(const char *name, scrim_error *error)
{
    const char *nearest = sc_verb_nearest(name);
    if (nearest != NULL)
        return sc_refuse(error, "unknown command '%s'; did you mean '%s'?", name,
                         nearest);
    return sc_refuse(error, "unknown command '%s'; 'scrim help' lists them", name);
}

/* Here, and not in each command, so that a wrong format is refused before anything is read or charged. */
static scrim_status check_format(const sc_options *options, scrim_error *error)
{
    sc_format format;
    return sc_options_format(options, SCRIM_FORMAT_CSV, &format, error);
}

scrim_status sc_verb_perform(const sc_verb *verb, const sc_options *options,
                             scrim_error *error)
{
    const bool is_help = sc_options_has(options, SCRIM_OPTION_HELP);
    const char *word = options->word_count > 1 ? options->words[1] : NULL;
    const sc_command whole = {
        .kind = verb->kind, .options = verb->options, .run = verb->run};
    const sc_command *command = &whole;
    SC_TRY(verb->advise == NULL ? SCRIM_OK : verb->advise(options, error));
    const sc_command *named =
        verb->command == NULL ? NULL : sc_command_find(verb->command, word);
    if (named != NULL)
        command = named;
    else if (verb->run == NULL && !is_help)
        SC_TRY(sc_command_choose(verb->command, options, &command, error));
    SC_TRY(sc_options_check(options, sc_command_kind_options(command->kind),
                            command->options, error));
    SC_TRY(check_format(options, error));
    return is_help ? sc_help_show(verb, word, error) : command->run(options, error);
}

static scrim_status show_version(scrim_error *error)
{
    sc_output output;
    sc_output_init(&output, STDOUT_FILENO);
    sc_output_format(&output, "%s %s\n", SC_PROGRAM, scrim_version());
    return sc_output_finish(&output, error);
}

/* No verb: the version, or the map. */
static scrim_status run_without_verb(const sc_options *options, scrim_error *error)
{
    SC_TRY(sc_options_check(options, SC_OPTION_SET(SCRIM_OPTION_VERSION), NULL, error));
    if (sc_options_has(options, SCRIM_OPTION_VERSION))
        return show_version(error);
    return sc_help_show(NULL, NULL, error);
}

int sc_verb_main(int argc, char **argv)
{
    sc_options options;
    scrim_error error = {.status = SCRIM_OK};
    const sc_verb *verb = NULL;
    scrim_status status = sc_options_parse(argc, argv, &options, &error);
    if (options.word_count > 0)
        verb = sc_verb_find(options.words[0]);
    if (status == SCRIM_OK) {
        if (options.word_count == 0)
            status = run_without_verb(&options, &error);
        else if (verb == NULL)
            status = sc_verb_unknown(options.words[0], &error);
        else
            status = sc_verb_perform(verb, &options, &error);
    }
    const char *name = verb == NULL ? NULL : verb->name;
    if (status != SCRIM_OK)
        sc_complaint_print(name, &error, sc_advice(name, &options, &error));
    return (int)status / 10;
}
