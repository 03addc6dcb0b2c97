/* scrim list [mechanisms|distributions|verbs|papers] */
#include "cli/display/listing.h"
#include "cli/mechanism/experiments.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/verb/verbs.h"

#include <stdio.h>
#include <string.h>

/* input: only those that take it; NULL: all. Other lists have no input. */
static void list_mechanisms(sc_listing *listing, const char *input)
{
    const scrim_mechanism_entry *entry;
    for (size_t index = 0; (entry = scrim_mechanism_at(index)) != NULL; index++)
        if (input == NULL || strcmp(entry->input, input) == 0)
            sc_listing_add(listing,
                           (const char *[]){entry->name, entry->parameters, entry->input,
                                            entry->claim, entry->reference});
}

static void list_distributions(sc_listing *listing, const char *input)
{
    (void)input;
    const scrim_distribution_entry *entry;
    for (size_t index = 0; (entry = scrim_distribution_at(index)) != NULL; index++)
        sc_listing_add(listing, (const char *[]){entry->name, entry->parameters,
                                                 entry->law, entry->domain});
}

static void list_verbs(sc_listing *listing, const char *input)
{
    (void)input;
    const sc_verb *verb;
    for (size_t index = 0; (verb = sc_verb_at(index)) != NULL; index++)
        sc_listing_add(listing,
                       (const char *[]){verb->name, verb->synopsis, verb->summary});
}

static void list_everything(sc_listing *listing, const char *input)
{
    (void)input;
    const scrim_mechanism_entry *mechanism;
    for (size_t index = 0; (mechanism = scrim_mechanism_at(index)) != NULL; index++)
        sc_listing_add(listing,
                       (const char *[]){"mechanism", mechanism->name,
                                        mechanism->parameters, mechanism->claim});
    const scrim_distribution_entry *entry;
    for (size_t index = 0; (entry = scrim_distribution_at(index)) != NULL; index++)
        sc_listing_add(listing, (const char *[]){"distribution", entry->name,
                                                 entry->parameters, entry->law});
    const sc_verb *verb;
    for (size_t index = 0; (verb = sc_verb_at(index)) != NULL; index++)
        sc_listing_add(
            listing, (const char *[]){"verb", verb->name, verb->synopsis, verb->summary});
}

typedef struct topic {
    const char *name;
    void (*add)(sc_listing *listing, const char *input);
    sc_listing_column columns[5];
    size_t column_count;
} topic;

static const topic topics[] = {
    {"mechanisms",
     list_mechanisms,
     {{.name = "name"},
      {.name = "parameters"},
      {.name = "input"},
      {.name = "claim"},
      {.name = "reference"}},
     5},
    {"distributions",
     list_distributions,
     {{.name = "name"}, {.name = "parameters"}, {.name = "law"}, {.name = "domain"}},
     4},
    {"verbs",
     list_verbs,
     {{.name = "name"}, {.name = "arguments"}, {.name = "summary"}},
     3},
};

static const topic everything = {
    NULL,
    list_everything,
    {{.name = "kind"}, {.name = "name"}, {.name = "arguments"}, {.name = "summary"}},
    4};

#define TOPICS (sizeof topics / sizeof topics[0])
#define TOPIC_NAMES "mechanisms, distributions, verbs or papers"
#define PAPERS "papers" /* a list of lists, on pages of its own */

static const char *topic_at(size_t index)
{
    return index < TOPICS ? topics[index].name : index == TOPICS ? PAPERS : NULL;
}

static bool has_input(const sc_options *options)
{
    return options->word_count > 2 && strcmp(options->words[1], topics[0].name) == 0;
}

/* The inputs of mechanisms, in the order of their first ones; NULL past the last. */
static const char *input_at(size_t index)
{
    const scrim_mechanism_entry *entry, *before;
    for (size_t i = 0; (entry = scrim_mechanism_at(i)) != NULL; i++) {
        size_t k = 0;
        while ((before = scrim_mechanism_at(k)) != entry &&
               strcmp(before->input, entry->input) != 0)
            k++;
        if (before == entry && index-- == 0)
            return entry->input;
    }
    return NULL;
}

static scrim_status choose_input(const sc_options *options, const char **out,
                                 scrim_error *error)
{
    const char *name;
    if (!has_input(options))
        return SCRIM_OK;
    for (size_t i = 0; (name = input_at(i)) != NULL; i++)
        if (strcmp(name, options->words[2]) == 0) {
            *out = name;
            return SCRIM_OK;
        }
    return sc_refuse(error,
                     "no mechanism takes '%s'; 'scrim list mechanisms' shows what they "
                     "take",
                     options->words[2]);
}

/* Leaves out as it is when no topic is named. */
static scrim_status choose_topic(const sc_options *options, const topic **out,
                                 scrim_error *error)
{
    if (options->word_count > (has_input(options) ? 3 : 2))
        return sc_refuse(error, "one list at a time: " TOPIC_NAMES ", or none for all");
    if (options->word_count < 2)
        return SCRIM_OK;
    const char *word = options->words[1];
    for (size_t index = 0; index < TOPICS; index++)
        if (strcmp(word, topics[index].name) == 0) {
            *out = &topics[index];
            return SCRIM_OK;
        }
    const char *nearest = sc_nearest_name(word, topic_at);
    return sc_refuse(error, "unknown list '%s'; %s%s%s", word,
                     nearest == NULL ? "ask for " TOPIC_NAMES : "did you mean '",
                     nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?");
}

static void fill(sc_listing *listing, const topic *of, const char *input)
{
    listing->columns = of->columns;
    listing->column_count = of->column_count;
    of->add(listing, input);
}

/* Everything, for people: names, and the commands that have more. */

/* A name of a list; "": it is left out. input as in list_mechanisms. */
typedef const char *name_of_index(size_t index, const char *input);

static const char *mechanism_name(size_t index, const char *input)
{
    const scrim_mechanism_entry *entry = scrim_mechanism_at(index);
    return entry == NULL                                       ? NULL
           : input == NULL || strcmp(entry->input, input) == 0 ? entry->name
                                                               : "";
}

static const char *distribution_name(size_t index, const char *input)
{
    (void)input;
    const scrim_distribution_entry *entry = scrim_distribution_at(index);
    return entry == NULL ? NULL : entry->name;
}

static const char *verb_name(size_t index, const char *input)
{
    (void)input;
    const sc_verb *verb = sc_verb_at(index);
    return verb == NULL ? NULL : verb->name;
}

/* How many names there are, and the list that has more; below it the names. */
static void write_names(const sc_listing *page, const char *heading, const char *input,
                        name_of_index *name_at)
{
    sc_output *output = page->output;
    size_t count = 0, column = 0, written = 0;
    const char *name = NULL;
    for (size_t i = 0; (name = name_at(i, input)) != NULL; i++)
        count += name[0] != '\0';
    sc_output_format(output, "%zu %s%s: scrim list %s%s%s\n", count,
                     input == NULL ? "" : "for ", input == NULL ? heading : input,
                     heading, input == NULL ? "" : " ", input == NULL ? "" : input);
    for (size_t i = 0; (name = name_at(i, input)) != NULL; i++) {
        if (name[0] == '\0')
            continue;
        const bool is_first = written == 0, is_last = ++written == count;
        const size_t bytes = strlen(name) + (is_last ? 0 : 1);
        const bool fits = is_first || column + 1 + bytes <= page->terminal->columns;
        sc_output_format(output, "%s%s%s",
                         is_first ? "  "
                         : fits   ? " "
                                  : "\n  ",
                         name, is_last ? "\n" : ",");
        column = (!is_first && fits ? column + 1 : 2) + bytes;
    }
}

static void write_overview(const sc_listing *page)
{
    write_names(page, "verbs", NULL, verb_name);
    sc_output_text(page->output, "\n");
    write_names(page, "mechanisms", NULL, mechanism_name);
    sc_output_text(page->output, "\n");
    write_names(page, "distributions", NULL, distribution_name);
    sc_output_text(page->output, "\n'scrim help NAME' describes one of them; 'scrim list "
                                 "papers' lists what it is\nfrom.\n");
}

/* Lists mechanisms by the kind of their input, with a sentence each. */
static void write_mechanisms(const sc_listing *page)
{
    const char *input;
    for (size_t i = 0; (input = input_at(i)) != NULL; i++)
        write_names(page, topics[0].name, input, mechanism_name);
    sc_output_text(page->output,
                   "\n'scrim help NAME' describes one of them, with an example.\n");
}

/* Mechanisms, for people: a line each. */

#define SENTENCE_BYTES 256

/* The first sentence of a text. */
static void first_sentence(const char *text, char sentence[SENTENCE_BYTES])
{
    const char *end = strstr(text, ". ");
    snprintf(sentence, SENTENCE_BYTES, "%.*s",
             end == NULL ? (int)strlen(text) : (int)(end - text), text);
}

static void list_purposes(sc_listing *listing, const char *input)
{
    const scrim_mechanism_entry *entry;
    char sentence[SENTENCE_BYTES];
    for (size_t i = 0; (entry = scrim_mechanism_at(i)) != NULL; i++) {
        if (strcmp(entry->input, input) != 0)
            continue;
        first_sentence(entry->does, sentence);
        sc_listing_add(listing, (const char *[]){entry->name, sentence});
    }
}

static const topic purposes = {
    "mechanisms", list_purposes, {{.name = "name"}, {.name = "does"}}, 2};

/* Verbs, for people: 'scrim help NAME' has the arguments. */

static void list_summaries(sc_listing *listing, const char *input)
{
    (void)input;
    const sc_verb *verb;
    for (size_t i = 0; (verb = sc_verb_at(i)) != NULL; i++)
        sc_listing_add(listing, (const char *[]){verb->name, verb->summary});
}

static const topic summaries = {
    "verbs", list_summaries, {{.name = "name"}, {.name = "summary"}}, 2};

static scrim_status run_list(const sc_options *options, scrim_error *error)
{
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    const topic *chosen = &everything;
    const char *input = NULL;
    if (options->word_count > 1 && strcmp(options->words[1], PAPERS) == 0)
        return sc_papers_show(options, error);
    SC_TRY(choose_topic(options, &chosen, error));
    SC_TRY(choose_input(options, &input, error));
    SC_TRY(sc_page_new(options, NULL, 0, &page, error));
    const bool is_table = page->format == SCRIM_FORMAT_TABLE;
    if (is_table && input != NULL)
        chosen = &purposes;
    if (is_table && strcmp(chosen->name == NULL ? "" : chosen->name, "verbs") == 0)
        chosen = &summaries;
    if (is_table && chosen == &everything)
        write_overview(page);
    else if (is_table && chosen == &topics[0])
        write_mechanisms(page);
    else
        fill(page, chosen, input);
    return sc_page_write(page, error);
}

const sc_verb sc_verb_list = {
    .name = "list",
    .synopsis = "[mechanisms|distributions|verbs|papers] [WORD...] [OPTION...]",
    .summary = "List mechanisms, distributions, commands and statements of papers",
    .usage =
        "Without an argument it lists the names of everything but the papers. 'scrim\n"
        "help NAME' describes one of them. mechanisms lists them by what they take,\n"
        "and 'scrim list mechanisms scores' says what each of those is for; other\n"
        "formats than a table also have its parameters, claim and paper.\n"
        "\n"
        "papers lists the documents that scrim implements, and how many of their\n"
        "numbered statements run. With a number, 000 to 004, it lists the statements\n"
        "of one; with a statement it shows the command that runs it, a line that the\n"
        "command prints, scrim's number beside the document's, and the errata. An\n"
        "equation is found by its number in brackets, '(12)', or as eq. 12. A number\n"
        "alone, as in 6.8, or words find a statement, too, of all documents where none\n"
        "is named; so does the name of a mechanism. The files people-60.json and\n"
        "people-90.json of some commands are in docs/examples.\n"
        "\n"
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json                         short for --format json\n"
        "  --quiet                        no notes on standard error\n"
        "\n"
        "example: scrim list mechanisms\n"
        "example: scrim list mechanisms scores\n"
        "example: scrim list papers 002\n"
        "example: scrim list papers 002 Theorem 4.2\n"
        "example: scrim list papers 000 '(12)'\n",
    .kind = SC_COMMAND_LIST,

    .run = run_list,
};
