/* scrim help [COMMAND [ACTION] | MECHANISM | DISTRIBUTION] */
#include "cli/terminal/complaint.h"
#include "cli/terminal/output.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/pager.h"
#include "cli/terminal/terminal.h"
#include "cli/verb/verbs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The map: headings with their verbs and an example each. */
static void write_overview(sc_output *output)
{
    const sc_verb_heading *heading;
    sc_output_text(output,
                   "scrim answers questions about a population and reveals no "
                   "person in it.\n"
                   "See it on public data: scrim demo. Begin with your own: scrim "
                   "init\n"
                   "\n"
                   "usage: scrim COMMAND [OPTION...] [ARGUMENT...]\n");
    for (size_t i = 0; (heading = sc_verb_heading_at(i)) != NULL; i++) {
        sc_output_format(output, "\n%s: %s\n", heading->name, heading->summary);
        for (size_t j = 0; heading->verbs[j] != NULL; j++)
            sc_output_format(output, "  %-10s %s\n", heading->verbs[j]->name,
                             heading->verbs[j]->summary);
        sc_output_format(output, "  $ %s\n", heading->example);
    }
    sc_output_text(
        output, "\n'scrim help COMMAND' has the options and examples of a command, "
                "'scrim help\nMECHANISM' those of a mechanism; 'scrim --version' shows "
                "the version.\n");
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
    if (scrim_mechanism_find(verb->name) != NULL)
        sc_output_format(output, "\n'scrim help mechanism %s' shows the mechanism.\n",
                         verb->name);
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

/* A text that is longer than the screen goes through a pager, where there is one. */
static scrim_status show_text(sc_output *kept, scrim_error *error)
{
    sc_output output;
    size_t bytes = 0;
    SC_FREED char *text = sc_output_take(kept, &bytes);
    if (text == NULL)
        return sc_out_of_memory(error, "the help");
    if (count_lines(text) > SC_ROWS_MOST && sc_pager_show(text, bytes))
        return SCRIM_OK;
    sc_output_init(&output, STDOUT_FILENO);
    sc_output_text(&output, text);
    return sc_output_finish(&output, error);
}

scrim_status sc_help_show(const sc_verb *verb, const char *subcommand, scrim_error *error)
{
    sc_output output;
    const sc_command *topic = verb == NULL ? NULL : find_topic(verb, subcommand);
    sc_terminal terminal;
    sc_terminal_look(STDOUT_FILENO, &terminal);
    sc_output_init_keep(&output);
    output.columns = terminal.is_terminal ? terminal.columns : 0;
    output.has_colour = terminal.colour;
    if (verb == NULL)
        write_overview(&output);
    else if (topic != NULL)
        write_topic(&output, verb, topic);
    else
        write_verb(&output, verb);
    return show_text(&output, error);
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

#define TOPIC_BYTES 128

/* The words behind the first as one name in small letters: "Report Noisy Max" is report-noisy-max. */
static void join_words(const sc_options *options, char name[TOPIC_BYTES])
{
    size_t used = 0;
    for (size_t i = 1; i < options->word_count; i++)
        for (const char *at = options->words[i]; used + 2 < TOPIC_BYTES; at++) {
            const unsigned char byte = (unsigned char)*at;
            if (byte == '\0') {
                name[used++] = '-';
                break;
            }
            name[used++] = (char)(byte == ' ' || byte == '_' ? '-' : tolower(byte));
        }
    name[used > 0 ? used - 1 : 0] = '\0';
}

/* A page of a mechanism, a distribution or a word of the field; *found says whether there is one. */
static scrim_status show_page(const char *name, bool *found, scrim_error *error)
{
    sc_output output;
    sc_terminal terminal;
    const char *sentence = NULL;
    const char *verb = sc_help_idea_verb(name, &sentence);
    sc_terminal_look(STDOUT_FILENO, &terminal);
    sc_output_init(&output, STDOUT_FILENO);
    *found = sc_help_page_write(&output, terminal.columns, name);
    if (!*found && verb != NULL) {
        *found = true;
        sc_output_init_screen(&output, STDOUT_FILENO, SCRIM_FORMAT_TABLE);
        sc_output_text(&output, sentence);
        sc_output_text(&output, "\n\n");
        write_verb(&output, sc_verb_find(verb));
    }
    return *found ? sc_output_finish(&output, error) : SCRIM_OK;
}

/* Neither a command nor a page. */
static scrim_status refuse_topic(const char *name, scrim_error *error)
{
    scrim_error unknown = {.message = ""};
    scrim_measurement *none = NULL;
    if (sc_verb_nearest(name) != NULL)
        return sc_verb_unknown(name, error);
    if (scrim_measurement_parse(name, &none, &unknown) != SCRIM_OK &&
        unknown.reason == SCRIM_REASON_MISSPELT)
        return sc_refuse(error, "%s", unknown.message);
    return sc_refuse(error,
                     "unknown command or mechanism '%s'; 'scrim help' and 'scrim list "
                     "mechanisms' list them",
                     name);
}

static scrim_status run_help(const sc_options *options, scrim_error *error)
{
    char name[TOPIC_BYTES];
    bool found = false;
    const sc_verb *verb =
        options->word_count < 2 ? NULL : sc_verb_find(options->words[1]);
    if (options->word_count < 2)
        return sc_help_show(NULL, NULL, error);
    if (verb == NULL) {
        join_words(options, name);
        SC_TRY(show_page(name, &found, error));
        return found ? SCRIM_OK : refuse_topic(name, error);
    }
    if (options->word_count > 3 ||
        (options->word_count == 3 && !has_action(verb, options->words[2])))
        return sc_refuse(error, "name one command, as in 'scrim help sample'");
    return sc_help_show(verb, options->word_count == 3 ? options->words[2] : NULL, error);
}

const sc_verb sc_verb_help = {
    .name = "help",
    .synopsis = "[COMMAND [SUBCOMMAND] | MECHANISM | DISTRIBUTION]",
    .summary = "Show this map, a command, a mechanism or a distribution",
    .usage = "Names that papers use lead to the page as well: warner, report-noisy-max,\n"
             "svt, zcdp, tdgeo. The example of a page is run when the page is shown.\n"
             "'scrim COMMAND --help' is the same as 'scrim help COMMAND'.\n"
             "\n"
             "example: scrim help query\n"
             "example: scrim help dataset add\n"
             "example: scrim help laplace\n",
    .kind = SC_COMMAND_TEXT,
    .run = run_help,
};
