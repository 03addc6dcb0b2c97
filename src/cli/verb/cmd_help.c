/* scrim help [COMMAND [ACTION]] */
#include "cli/terminal/complaint.h"
#include "cli/terminal/output.h"
#include "cli/verb/verbs.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

static void write_overview(sc_output *output)
{
    sc_output_text(output, "scrim is a differential privacy engine: it answers questions "
                           "about a population\n"
                           "and reveals no person in it. 'scrim demo' shows it on public "
                           "data; with data of\n"
                           "your own begin with 'scrim init' and 'scrim dataset add "
                           "NAME'.\n"
                           "\n"
                           "usage: scrim COMMAND [OPTION...] [ARGUMENT...]\n"
                           "\n");
    for (size_t index = 0; sc_verb_at(index) != NULL; index++)
        sc_output_format(output, "  %-10s %s\n", sc_verb_at(index)->name,
                         sc_verb_at(index)->summary);
    sc_output_text(
        output,
        "\n  --help     help on scrim, or on a command\n  --version  show the version\n"
        "\n"
        "Options may be anywhere; -- ends them. 'scrim help COMMAND' shows more.\n");
}

/* The subcommand of that name that has help of its own; NULL: no such subcommand. */
static const sc_command *find_topic(const sc_verb *verb, const char *name)
{
    const sc_command *command =
        verb->command == NULL ? NULL : sc_command_find(verb->command, name);
    return command != NULL && command->usage != NULL ? command : NULL;
}

static void write_topic(sc_output *output, const sc_verb *verb, const sc_command *topic)
{
    sc_output_format(output, "usage: scrim %s %s %s\n\n", verb->name, topic->name,
                     topic->synopsis);
    sc_output_text(output, topic->usage);
}

static void write_topics(sc_output *output, const sc_verb *verb)
{
    const sc_command *topic = NULL;
    sc_output_text(output, "\n");
    for (size_t i = 0; (topic = verb->command(i)) != NULL; i++)
        sc_output_format(output, "  %-10s %s\n", topic->name, topic->summary);
    sc_output_format(output, "\n'scrim help %s %s' shows one of them.\n", verb->name,
                     verb->command(0)->name);
}

static void write_verb(sc_output *output, const sc_verb *verb)
{
    sc_output_format(output, "%s\n\nusage: scrim %s%s%s\n\n", verb->summary, verb->name,
                     verb->synopsis[0] == '\0' ? "" : " ", verb->synopsis);
    sc_output_text(output, verb->usage);
    if (verb->more != NULL)
        sc_output_text(output, verb->more);
    if (verb->command != NULL && verb->command(0)->usage != NULL)
        write_topics(output, verb);
}

scrim_status sc_help_show(const sc_verb *verb, const char *subcommand, scrim_error *error)
{
    sc_output output;
    const sc_command *topic = verb == NULL ? NULL : find_topic(verb, subcommand);
    sc_output_init_screen(&output, STDOUT_FILENO, SCRIM_FORMAT_TABLE);
    if (verb == NULL)
        write_overview(&output);
    else if (topic != NULL)
        write_topic(&output, verb, topic);
    else
        write_verb(&output, verb);
    return sc_output_finish(&output, error);
}

/* Is it a subcommand, or a word of "add|set|list NAME" or "[history] [NAME] | verify"? */
static bool has_action(const sc_verb *verb, const char *action)
{
    static const char between[] = "|[] ";
    if (verb->command != NULL && sc_command_find(verb->command, action) != NULL)
        return true;
    const size_t bytes = strlen(action);
    for (const char *at = verb->synopsis; *at != '\0';) {
        const size_t word = strcspn(at, between);
        if (word == bytes && islower((unsigned char)*at) != 0 &&
            memcmp(at, action, bytes) == 0)
            return true;
        at += word + strspn(at + word, between);
    }
    return false;
}

static scrim_status run_help(const sc_options *options, scrim_error *error)
{
    const sc_verb *verb = NULL;
    if (options->word_count >= 2) {
        verb = sc_verb_find(options->words[1]);
        if (verb == NULL)
            return sc_verb_unknown(options->words[1], error);
    }
    if (options->word_count > 3 ||
        (options->word_count == 3 && !has_action(verb, options->words[2])))
        return sc_refuse(error, "name one command, as in 'scrim help sample'");
    return sc_help_show(verb, options->word_count == 3 ? options->words[2] : NULL, error);
}

const sc_verb sc_verb_help = {
    .name = "help",
    .synopsis = "[COMMAND [SUBCOMMAND]]",
    .summary = "List the commands, or describe one",
    .usage = "'scrim COMMAND --help' shows the same.\n",
    .kind = SC_COMMAND_TEXT,
    .run = run_help,
};
