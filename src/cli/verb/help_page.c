/* Pages of `scrim help` about mechanisms, distributions and words of the field.
 *
 * A page of a mechanism or a distribution is made of its descriptor and of the lists of statements and errata. Its
 * example is run when the page is shown, in a process of its own on a made-up input, so that the answer that stands there
 * is one. docs/man/scrim-mechanisms.7 has the same pages (tools/mechanism_manual). */
#include "cli/answer/release_note.h"
#include "cli/display/notes.h"
#include "cli/terminal/talk.h"
#include "cli/verb/verbs.h"
#include "lab/papers/papers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MOST 64
#define INPUT_BYTES 4096 /* a pipe holds them */
#define ITEMS_MOST 8     /* of a list of statements or errata */

/* Words of the field that name no mechanism: a sentence, and the command that has more. */
static const struct {
    const char *name, *verb, *sentence;
} ideas[] = {
    {"accountant", "compose", "An accountant bounds the joint cost of many releases."},
    {"advanced-composition", "compose",
     "Advanced composition is one of the accountants of 'scrim compose'."},
    {"aim", "synth", "AIM makes synthetic rows: 'scrim synth NAME --method aim'."},
    {"amplification", "local",
     "'scrim local amplify' computes what a shuffler adds, and a sample is 'poisson "
     "rate=R MECHANISM ...' in 'scrim compose'."},
    {"central-limit", "compose", "Use the exact accountants of 'scrim compose' instead."},
    {"composition", "compose", "Composition is the joint cost of many releases."},
    {"divergence", "distance",
     "'scrim distance divergence' compares two lists of masses: delta at each epsilon."},
    {"delta", "budget", "Delta is the probability that the epsilon guarantee may fail."},
    {"epsilon", "budget", "Epsilon is the cost of a release; a small one protects well."},
    {"floating-body", "body", "'scrim body' releases floating bodies and studies them."},
    {"gdp", "compose",
     "Gaussian privacy (GDP) is 'gdp mu=R' as a part of 'scrim compose'."},
    {"hockey-stick", "distance",
     "'scrim distance divergence' computes it: delta at each epsilon."},
    {"k-anonymity", "attack", "'scrim attack k-anonymity' shows what it does not hide."},
    {"ldp", "local", "Local privacy (LDP): each device randomises its own report."},
    {"moments-accountant", "compose",
     "The moments accountant is 'renyi' among the accountants of 'scrim compose'."},
    {"mst", "synth", "MST makes synthetic rows: 'scrim synth NAME --method mst'."},
    {"pld", "compose",
     "Privacy loss distributions are the accountants 'loss' and 'fast-loss'."},
    {"poisson", "compose",
     "A part on a sample is 'poisson rate=R MECHANISM ...' in 'scrim compose'."},
    {"poisson-sampling", "compose",
     "A part on a sample is 'poisson rate=R MECHANISM ...' in 'scrim compose'."},
    {"privacy-amplification", "local",
     "'scrim local amplify' computes what a shuffler adds, and a sample is 'poisson "
     "rate=R MECHANISM ...' in 'scrim compose'."},
    {"prv", "compose", "The PRV accountant corresponds to 'fast-loss'."},
    {"rdp", "compose", "Renyi privacy (RDP) is 'renyi order=R epsilon=R'."},
    {"renyi", "compose", "Renyi privacy (RDP) is 'renyi order=R epsilon=R'."},
    {"rho", "compose",
     "Rho is the cost of concentrated privacy (zCDP), as in 'rho=1/10'."},
    {"secure-aggregation", "run",
     "See also 'scrim help laplace-share' and 'scrim help gaussian-share'."},
    {"shuffle", "local", "'scrim local amplify' computes what a shuffler adds."},
    {"shuffle-model", "local", "'scrim local amplify' computes what a shuffler adds."},
    {"shuffling", "local", "'scrim local amplify' computes what a shuffler adds."},
    {"statistical-distance", "distance",
     "'scrim distance divergence' has it: delta at epsilon 0 (total variation)."},
    {"subsampling", "compose",
     "A part on a sample is 'poisson rate=R MECHANISM ...' in 'scrim compose'."},
    {"synthetic-data", "synth", "'scrim synth' releases synthetic rows."},
    {"total-variation", "distance",
     "'scrim distance divergence' has it: delta at epsilon 0."},
    {"zcdp", "compose",
     "Concentrated privacy (zCDP) has the cost rho: 'gaussian rho=1/10 ...' is a release "
     "of that cost, and 'scrim dataset add --accounting concentrated' adds rhos up."},
};

const char *sc_help_idea_verb(const char *name, const char **sentence)
{
    for (size_t i = 0; i < sizeof ideas / sizeof *ideas; i++)
        if (strcasecmp(ideas[i].name, name) == 0) {
            *sentence = ideas[i].sentence;
            return ideas[i].verb;
        }
    return NULL;
}

/* A page. */

typedef struct page {
    sc_output *output;
    unsigned columns;
} page;

/* Text folded to the width of the page, each line behind the indent. */
static void write_text(const page *p, const char *text)
{
    const size_t begin = sc_fold_begin(p->output);
    sc_output_text(p->output, text);
    sc_output_text(p->output, "\n");
    sc_fold_end_at(p->output, begin, p->columns, 0);
}

static void write_heading(const page *p, const char *heading)
{
    sc_output_format(p->output, "\n%s\n", heading);
}

#define PARAMETER_INDENT 20

/* "epsilon          the cost of one release: a rational above 0 ...; required". */
static void write_parameter(const page *p, const scrim_parameter_entry *parameter)
{
    const size_t begin = sc_fold_begin(p->output);
    sc_output_format(p->output, "  %-*s ", PARAMETER_INDENT - 3, parameter->name);
    sc_output_text(p->output, parameter->meaning);
    sc_output_text(p->output, " (");
    sc_output_text(p->output, parameter->domain);
    sc_output_text(p->output, parameter->is_required ? "); required\n" : ")\n");
    sc_fold_end_at(p->output, begin, p->columns, PARAMETER_INDENT);
}

static void write_parameters(const page *p, const char *mechanism)
{
    scrim_parameter_entry parameter;
    write_heading(p, "parameters");
    for (size_t i = 0; scrim_mechanism_parameter_at(mechanism, i, &parameter) != 0; i++)
        write_parameter(p, &parameter);
}

/* Words for a line of the input. */
static const char *input_words(const char *input)
{
    static const struct {
        const char *input, *words;
    } inputs[] = {
        {"numbers", "numbers, one a line"},
        {"scores",
         "the scores of candidates, one a line; the answer is a place from 0 on"},
        {"rows", "the numbers of a person, one person a line"},
        {"values", "the value of a person or device, one a line"},
        {"queries", "the true answers of queries, one a line, in their order"},
        {"counts", "the count of each group, one a line"},
        {"transactions", "the items of a person, one person a line, as whole numbers"},
        {"points", "a number, one person a line"},
    };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        if (strcmp(inputs[i].input, input) == 0)
            return inputs[i].words;
    return input;
}

static void write_statements(const page *p, const char *name)
{
    const lab_statement *row;
    size_t count = 0;
    for (size_t i = 0; (row = lab_statement_at(i)) != NULL; i++) {
        if (row->command == NULL || !lab_has_name(row->command, name) ||
            ++count > ITEMS_MOST)
            continue;
        if (count == 1)
            write_heading(p, "statements of papers that scrim runs");
        sc_output_format(p->output, "  scrim list papers %s %s\n", row->document,
                         row->place);
    }
    if (count > ITEMS_MOST)
        sc_output_format(p->output, "  and %zu more: scrim list papers %s\n",
                         count - ITEMS_MOST, name);
}

static void write_errata(const page *p, const char *name)
{
    const lab_erratum *row;
    char uses[LAB_USES_BYTES];
    size_t count = 0;
    for (size_t i = 0; (row = lab_erratum_at(i)) != NULL; i++) {
        lab_erratum_uses(row->number, uses);
        if (!lab_has_name(uses, name) || ++count > ITEMS_MOST)
            continue;
        if (count == 1)
            write_heading(p, "errors in papers about it");
        sc_output_format(p->output, "  scrim errata %-4u %s\n", row->number, row->title);
    }
    if (count > ITEMS_MOST)
        sc_output_format(p->output, "  and %zu more: scrim errata %s\n",
                         count - ITEMS_MOST, name);
}

/* Examples. */

/* The lines of an input as printf has them: "12\n30\n". */
static void quote_input(const char *input, char *text, size_t bytes)
{
    size_t used = 0;
    for (; *input != '\0' && used + 3 < bytes; input++) {
        if (*input == '\n')
            text[used++] = '\\';
        text[used++] = *input == '\n' ? 'n' : *input;
    }
    text[used] = '\0';
}

/* The command in a process of its own: its words, with the input on standard input. Never returns. */
_Noreturn static void run_words(char *line, const char *input, int answer)
{
    char *words[WORDS_MOST + 1] = {NULL};
    int ends[2], count = 0;
    for (char *at = strtok(line, " "); at != NULL && count < WORDS_MOST;
         at = strtok(NULL, " "))
        words[count++] = at;
#ifdef SCRIM_TESTING
    if (count + 2 <= WORDS_MOST) { /* the page of the manual is always the same */
        static char option[] = "--seed", seed[] = "1";
        words[count++] = option;
        words[count++] = seed;
    }
#endif
    if (pipe(ends) == 0 &&
        write(ends[1], input, strlen(input)) == (ssize_t)strlen(input) &&
        dup2(ends[0], STDIN_FILENO) >= 0 && dup2(answer, STDOUT_FILENO) >= 0 &&
        dup2(answer, STDERR_FILENO) >= 0) {
        (void)close(ends[1]);
        (void)close(ends[0]);
        (void)close(answer);
        const int status = sc_verb_main(count, words);
        (void)fflush(NULL);
        _exit(status);
    }
    _exit(SCRIM_E_INTERNAL / 10);
}

/* Everything that the command says, each line indented. */
static void write_answer(const page *p, int from)
{
    char bytes[1024];
    bool begins = true;
    ssize_t count = 0;
    while ((count = read(from, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < count; i++) {
            if (begins)
                sc_output_text(p->output, "  ");
            begins = bytes[i] == '\n';
            sc_output_bytes(p->output, &bytes[i], 1);
        }
}

/* Runs "scrim run laplace ..." and shows its answer; only the command where no process can be had. */
static void write_run(const page *p, const char *command, const char *input)
{
    int ends[2];
    char *line = strdup(command);
    (void)fflush(NULL);
    if (line != NULL && strlen(input) < INPUT_BYTES && pipe(ends) == 0) {
        char columns[16];
        snprintf(columns, sizeof columns, "%u", p->columns - 2);
        const pid_t child = fork();
        if (child == 0) {
            (void)close(ends[0]);
            (void)setenv("COLUMNS", columns, 1);
            run_words(line, input, ends[1]);
        }
        (void)close(ends[1]);
        if (child > 0)
            write_answer(p, ends[0]);
        (void)close(ends[0]);
        while (child > 0 && waitpid(child, NULL, 0) < 0)
            continue;
    }
    free(line);
}

static void write_example(const page *p, const char *command, const char *input)
{
    char shown[INPUT_BYTES];
    size_t used = 0;
    write_heading(p, "example");
    if (input[0] != '\0') {
        char quoted[INPUT_BYTES / 2];
        quote_input(input, quoted, sizeof quoted);
        used = (size_t)snprintf(shown, sizeof shown, "printf '%s' | ", quoted);
    }
    if (used < sizeof shown)
        snprintf(shown + used, sizeof shown - used, "%s", command);
    sc_fold_command(p->output, shown, p->columns, 2);
    write_run(p, command, input);
}

/* Accuracy. */

#define LINE_BYTES 1024

/* The line of the example with another epsilon; false: the example names no epsilon. */
static bool put_epsilon(const scrim_mechanism_entry *entry, const char *epsilon,
                        char line[LINE_BYTES])
{
    static const char name[] = " epsilon=";
    char whole[LINE_BYTES];
    snprintf(whole, sizeof whole, "%s %s", entry->name, entry->example);
    const char *at = strstr(whole, name);
    if (at == NULL)
        return false;
    const char *value = at + sizeof name - 1;
    const int bytes = snprintf(line, LINE_BYTES, "%.*s%s%s", (int)(value - whole), whole,
                               epsilon, value + strcspn(value, " "));
    return bytes > 0 && bytes < LINE_BYTES;
}

static size_t count_lines(const char *input)
{
    size_t lines = 0;
    for (; *input != '\0'; input++)
        lines += *input == '\n';
    return lines == 0 ? 1 : lines;
}

/* "epsilon 1/10  each value is within 30 of the truth with probability 0.95", of the example's input. */
static void write_accuracy_at(const page *p, const scrim_mechanism_entry *entry,
                              const char *epsilon, bool *is_begun)
{
    char line[LINE_BYTES];
    scrim_measurement *measurement = NULL;
    scrim_certificate certificate;
    if (!put_epsilon(entry, epsilon, line) ||
        scrim_measurement_parse(line, &measurement, NULL) != SCRIM_OK)
        return;
    if (scrim_measurement_certify(measurement, "0.95", count_lines(entry->example_input),
                                  &certificate, NULL) == SCRIM_OK &&
        certificate.form != SCRIM_CERTIFICATE_NONE) {
        if (!*is_begun)
            write_heading(p, "accuracy, of the example below at other costs");
        *is_begun = true;
        const size_t begin = sc_fold_begin(p->output);
        sc_output_format(p->output, "  epsilon %-*s", PARAMETER_INDENT - 10, epsilon);
        sc_certificate_write(p->output, &certificate, entry->input);
        sc_output_text(p->output, "\n");
        sc_fold_end_at(p->output, begin, p->columns, PARAMETER_INDENT);
    }
    scrim_measurement_free(measurement);
}

static void write_accuracy(const page *p, const scrim_mechanism_entry *entry)
{
    static const char *const epsilons[] = {"1/10", "1/2", "1", "3"};
    bool is_begun = false;
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++)
        write_accuracy_at(p, entry, epsilons[i], &is_begun);
}

/* Pages. */

#define COMMAND_BYTES 1024

static void write_mechanism(const page *p, const scrim_mechanism_entry *entry)
{
    char command[COMMAND_BYTES];
    sc_output_format(p->output, "%s, a mechanism\n\n", entry->name);
    write_text(p, entry->does);
    sc_output_text(p->output, "\n");
    sc_fold_line(p->output, "claim", entry->claim, p->columns);
    sc_fold_line(p->output, "input", input_words(entry->input), p->columns);
    sc_fold_line(p->output, "paper", entry->reference, p->columns);
    write_parameters(p, entry->name);
    write_accuracy(p, entry);
    snprintf(command, sizeof command, "scrim run %s %s", entry->name, entry->example);
    write_example(p, command, entry->example_input);
    write_statements(p, entry->name);
    write_errata(p, entry->name);
    write_heading(p, "more");
    sc_output_text(p->output, "  scrim help run\n  scrim help audit\n  scrim help "
                              "calibrate\n");
}

static void write_distribution(const page *p, const scrim_distribution_entry *entry)
{
    char command[COMMAND_BYTES];
    sc_output_format(p->output, "%s, a distribution\n\n", entry->name);
    write_text(p, entry->does);
    sc_output_text(p->output, "\n");
    sc_fold_line(p->output, "law", entry->law, p->columns);
    sc_fold_line(p->output, "parameters", entry->domain, p->columns);
    snprintf(command, sizeof command, "scrim sample %s %s -n 5", entry->name,
             entry->example);
    write_example(p, command, "");
    write_heading(p, "more");
    sc_output_text(p->output, "  scrim help sample\n");
}

static const scrim_distribution_entry *find_distribution(const char *name)
{
    const scrim_distribution_entry *entry;
    for (size_t i = 0; (entry = scrim_distribution_at(i)) != NULL; i++)
        if (strcmp(entry->name, name) == 0)
            return entry;
    return NULL;
}

bool sc_help_page_write(sc_output *output, unsigned columns, const char *name)
{
    static const char only_mechanism[] = "mechanism-", only_other[] = "distribution-";
    const page p = {output, columns};
    const bool is_mechanism = strncmp(name, only_mechanism, strlen(only_mechanism)) == 0;
    const bool is_other = strncmp(name, only_other, strlen(only_other)) == 0;
    name += is_mechanism ? strlen(only_mechanism) : is_other ? strlen(only_other) : 0;
    const scrim_distribution_entry *distribution =
        is_mechanism ? NULL : find_distribution(name);
    const scrim_mechanism_entry *mechanism = is_other ? NULL : scrim_mechanism_find(name);
    if (distribution == NULL && mechanism == NULL)
        return false;
    if (mechanism != NULL && strcmp(mechanism->name, name) != 0)
        sc_output_format(output, "%s is called %s here\n\n", name, mechanism->name);
    if (mechanism != NULL)
        write_mechanism(&p, mechanism);
    if (mechanism != NULL && distribution != NULL)
        sc_output_text(output, "\n\n");
    if (distribution != NULL)
        write_distribution(&p, distribution);
    return true;
}
