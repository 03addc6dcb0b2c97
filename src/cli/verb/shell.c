#include "cli/verb/shell.h"

#include "cli/answer/charge_note.h"
#include "cli/answer/plan_alternatives.h"
#include "cli/answer/plan_brief.h"
#include "cli/terminal/advice.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/talk.h"
#include "cli/terminal/terminal.h"
#include "cli/verb/verbs.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MOST 64

/* Statuses of the process that shows the cost, beside those of a verb. */
enum { PREVIEW_IS_FREE = 100, PREVIEW_DOES_NOT_FIT = 101 };

static const struct {
    const char *option;
    sc_option source; /* of the command line of the shell itself */
} settings[SC_SHELL_SETTINGS] = {
    [SC_SHELL_EPSILON] = {"--epsilon", SCRIM_OPTION_EPSILON},
    [SC_SHELL_DELTA] = {"--delta", SCRIM_OPTION_DELTA},
    [SC_SHELL_CONFIDENCE] = {"--confidence", SCRIM_OPTION_CONFIDENCE},
    [SC_SHELL_EXPECT] = {"--expect", SCRIM_OPTION_EXPECT},
    [SC_SHELL_MECHANISM] = {"--mechanism", SCRIM_OPTION_MECHANISM},
    [SC_SHELL_MAX_TOTAL_ROWS] = {"--max-total-rows", SCRIM_OPTION_MAX_TOTAL_ROWS},
    [SC_SHELL_MAX_GROUPS] = {"--max-groups", SCRIM_OPTION_MAX_GROUPS},
    [SC_SHELL_MAX_ROWS] = {"--max-rows", SCRIM_OPTION_MAX_ROWS},
    [SC_SHELL_BOUNDS] = {"--bounds", SCRIM_OPTION_BOUNDS},
    [SC_SHELL_CUT_SHARE] = {"--cut-share", SCRIM_OPTION_CUT_SHARE}};

const char *sc_shell_setting_name(sc_shell_setting setting)
{
    return settings[setting].option + 2;
}

scrim_status sc_shell_open(const sc_options *options, sc_shell *out, scrim_error *error)
{
    *out = (sc_shell){.options = options};
    for (size_t i = 0; i < SC_SHELL_SETTINGS; i++) {
        const char *value = options->value[settings[i].source];
        const int bytes = snprintf(out->settings[i], sizeof out->settings[i], "%s",
                                   value == NULL ? "" : value);
        if (bytes < 0 || (size_t)bytes >= sizeof out->settings[i])
            return sc_refuse(error, "%s is too long", settings[i].option);
    }
    out->release = mmap(NULL, sizeof *out->release, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (out->release == MAP_FAILED) {
        out->release = NULL;
        return sc_out_of_memory(error, "the shell");
    }
    return SCRIM_OK;
}

void sc_shell_close(sc_shell *s)
{
    sc_line_editor_close(s->editor);
    free(s->lines);
    free(s->last);
    if (s->release != NULL)
        (void)munmap(s->release, sizeof *s->release);
    *s = (sc_shell){.status = 0};
}

/* The words of a command line. */

typedef struct command_line {
    char *words[WORDS_MOST + 1];
    int count;
    const char *path; /* where standard output goes; NULL: it stays */
} command_line;

static void put_word(command_line *line, const char *word)
{
    if (line->count < WORDS_MOST)
        line->words[line->count++] = (char *)(uintptr_t)word; /* nobody writes to it */
}

static void put_option(command_line *line, const char *option, const char *value)
{
    if (value == NULL || value[0] == '\0')
        return;
    put_word(line, option);
    put_word(line, value);
}

static void begin_line(const sc_shell *s, const char *verb, command_line *line)
{
    *line = (command_line){.count = 0};
    put_word(line, "scrim");
    put_word(line, verb);
    put_option(line, "--vault", s->options->value[SCRIM_OPTION_VAULT]);
    put_option(line, "--wait", s->options->value[SCRIM_OPTION_WAIT]);
}

/* Options that the shell was started with, for verbs that list. */
static void put_listing(const sc_shell *s, command_line *line)
{
    put_option(line, "--format", s->options->value[SCRIM_OPTION_FORMAT]);
    if (sc_options_has(s->options, SCRIM_OPTION_JSON))
        put_word(line, "--json");
    if (sc_options_has(s->options, SCRIM_OPTION_QUIET))
        put_word(line, "--quiet");
    if (strcmp(line->words[1], "query") == 0 &&
        sc_options_has(s->options, SCRIM_OPTION_ALL))
        put_word(line, "--all");
}

static void put_settings(const sc_shell *s, size_t first, size_t end, command_line *line)
{
    for (size_t i = first; i < end; i++)
        put_option(line, settings[i].option, s->settings[i]);
}

/* The options stand in front, so that the text of a question is never taken for one. */
static void make_question(const sc_shell *s, const char *verb, const char *question,
                          command_line *line)
{
    begin_line(s, verb, line);
    put_listing(s, line);
#ifdef SCRIM_TESTING
    if (strcmp(verb, "query") == 0)
        put_option(line, "--seed", s->options->value[SCRIM_OPTION_SEED]);
#endif
    put_settings(s, 0, SC_SHELL_SETTINGS, line);
    for (size_t i = 0; i < s->options->repeated_count; i++)
        if (s->options->repeated[i].option == SCRIM_OPTION_WITH)
            put_option(line, "--with", s->options->repeated[i].value);
    put_word(line, "--");
    put_word(line, s->dataset);
    put_word(line, question);
}

/* Processes. */

typedef int child_body(sc_shell *s, command_line *line);

/* Runs the body in a process of its own and waits for its end. Returns its exit status, or 128 and the number of the
 * signal that has ended it. */
static int run_child(sc_shell *s, child_body *body, command_line *line)
{
    const struct sigaction ignored = {.sa_handler = SIG_IGN};
    struct sigaction interrupt, quit;
    int ended = 0;
    (void)fflush(NULL);
    /* A signal of the keyboard reaches both processes, and is meant for the child. */
    (void)sigaction(SIGINT, &ignored, &interrupt);
    (void)sigaction(SIGQUIT, &ignored, &quit);
    const pid_t child = fork();
    if (child == 0) {
        (void)sigaction(SIGINT, &interrupt, NULL);
        (void)sigaction(SIGQUIT, &quit, NULL);
        (void)setlocale(LC_CTYPE, "C"); /* as every other command has it */
        if (s->is_asked)
            sc_charge_speak_shell();
        const int status = body(s, line);
        (void)fflush(NULL);
        _exit(status);
    }
    while (child > 0 && waitpid(child, &ended, 0) < 0 && errno == EINTR)
        continue;
    (void)sigaction(SIGINT, &interrupt, NULL);
    (void)sigaction(SIGQUIT, &quit, NULL);
    if (child < 0) {
        sc_talk("scrim shell: no further process can be started\n");
        return SCRIM_E_INTERNAL / 10;
    }
    if (WIFEXITED(ended))
        return WEXITSTATUS(ended);
    fputc('\n', stderr);
    return 128 + WTERMSIG(ended);
}

static int run_verb(sc_shell *s, command_line *line)
{
    (void)s;
    return sc_verb_main(line->count, line->words);
}

/* Standard output of the verb becomes the file, which appears whole or not at all. */
static int run_into_file(sc_shell *s, command_line *line)
{
    static sc_output output;
    sc_file_writer file;
    scrim_error error = {.status = SCRIM_OK};
    scrim_status status = sc_file_writer_open(&file, "\\csv", line->path, &error);
    if (status == SCRIM_OK) {
        (void)dup2(file.descriptor, STDOUT_FILENO);
        const int ended = run_verb(s, line);
        sc_output_init(&output, file.descriptor);
        output.error = ended == 0 ? 0 : ECANCELED; /* takes the file away again */
        status = sc_file_writer_close(&file, &output, ended == 0 ? &error : NULL);
        if (ended != 0)
            return ended;
    }
    if (status != SCRIM_OK)
        sc_complaint_print("shell", &error, "");
    return (int)status / 10;
}

/* The plan of a question's command line. */
static scrim_status read_plan(command_line *line, sc_options *options,
                              sc_query_request *request, scrim_error *error)
{
    SC_TRY(sc_options_parse(line->count, line->words, options, error));
    return sc_query_request_read(options, NULL, NULL, request, error);
}

static int preview(sc_shell *s, command_line *line)
{
    static sc_options options;
    static sc_query_request request;
    scrim_error error = {.status = SCRIM_OK};
    sc_plan_price price = SC_PLAN_COSTS;
    (void)s;
    scrim_status status = read_plan(line, &options, &request, &error);
    if (status == SCRIM_OK)
        status = sc_plan_brief(&request, &options, &price, &error);
    if (status != SCRIM_OK)
        sc_complaint_print("query", &error, sc_advice("query", &options, &error));
    sc_query_request_clear(&request);
    if (status != SCRIM_OK)
        return (int)status / 10;
    return price == SC_PLAN_IS_FREE        ? PREVIEW_IS_FREE
           : price == SC_PLAN_DOES_NOT_FIT ? PREVIEW_DOES_NOT_FIT
                                           : 0;
}

/* Plans a question, and says why it is refused. */
static int check(sc_shell *s, command_line *line)
{
    static sc_options options;
    static sc_query_request request;
    scrim_error error = {.status = SCRIM_OK};
    (void)s;
    const scrim_status status = read_plan(line, &options, &request, &error);
    if (status != SCRIM_OK)
        sc_complaint_print("shell", &error, "");
    sc_query_request_clear(&request);
    return (int)status / 10;
}

/* The errors of a question at some epsilons, and an answer that is there already. */
static int show_prices(sc_shell *s, command_line *line)
{
    static sc_options options;
    static sc_query_request request;
    char words[SC_ALTERNATIVE_BYTES];
    scrim_error error = {.status = SCRIM_OK};
    (void)s;
    const scrim_status status = read_plan(line, &options, &request, &error);
    if (status != SCRIM_OK)
        sc_complaint_print("query", &error, sc_advice("query", &options, &error));
    else {
        sc_plan_prices_words(&request, &options, words);
        if (words[0] != '\0')
            sc_talk("epsilon     %s\n", words);
        scrim_plan_free(request.plan);
        request.plan = NULL; /* of an epsilon that nobody has chosen */
        sc_plan_earlier_words(&request, &options, SC_ALTERNATIVE_PROMPT, words);
        if (words[0] != '\0')
            sc_talk("earlier     %s\n", words);
    }
    sc_query_request_clear(&request);
    return (int)status / 10;
}

bool sc_shell_is_refused(sc_shell *s, size_t first, size_t end)
{
    const bool has_epsilon =
        first == SC_SHELL_EPSILON && s->settings[SC_SHELL_EPSILON][0] != '\0';
    command_line line;
    int status = 0;
    if (s->dataset[0] == '\0')
        return false;
    begin_line(s, "explain", &line);
    if (!has_epsilon)
        put_option(&line, "--epsilon", "1");
    if (first == SC_SHELL_MECHANISM)
        put_option(&line, "--delta", "1e-6");
    put_settings(s, first, end, &line);
    put_word(&line, "--");
    put_word(&line, s->dataset);
    put_word(&line, "SELECT COUNT(*)");
    status = run_child(s, check, &line);
    if (status != 0)
        s->status = status;
    return status != 0;
}

/* Asks, and then finds the number of the release: the same question is answered by it from now on. */
static int ask(sc_shell *s, command_line *line)
{
    static sc_options options;
    static sc_query_request request;
    scrim_plan_facts facts;
    command_line again = *line; /* parsing sorts the words */
    if (s->is_asked)
        sc_verb_query_agree();
    const int status = run_verb(s, line);
    if (status == 0 && read_plan(&again, &options, &request, NULL) == SCRIM_OK &&
        scrim_plan_describe(request.vault, request.plan, &facts, NULL) == SCRIM_OK)
        *s->release = facts.repeats;
    sc_query_request_clear(&request);
    return status;
}

void sc_shell_run(sc_shell *s, const char *const *words, size_t count)
{
    command_line line;
    begin_line(s, words[0], &line);
    for (size_t i = 1; i < count; i++)
        put_word(&line, words[i]);
    s->status = run_child(s, run_verb, &line);
}

void sc_shell_replay(sc_shell *s, const char *release, const char *option)
{
    char *end = NULL;
    const unsigned long long number = strtoull(release, &end, 10);
    sc_shell_run(s, (const char *[]){"replay", release, option}, option == NULL ? 2 : 3);
    if (s->status == 0 && *end == '\0')
        *s->release = number;
}

void sc_shell_run_to_file(sc_shell *s, const char *word, const char *path)
{
    command_line line;
    begin_line(s, "replay", &line);
    put_option(&line, "--format", "csv");
    put_word(&line, "--quiet");
    put_word(&line, word);
    line.path = path;
    s->status = run_child(s, run_into_file, &line);
    if (s->status == 0 && s->is_asked)
        sc_talk("wrote release %s to %s\n", word, path);
}

/* Questions. */

static bool has_dataset(sc_shell *s)
{
    if (s->dataset[0] != '\0')
        return true;
    sc_talk("scrim shell: choose a dataset with \\use NAME; \\datasets lists them\n");
    s->status = SCRIM_E_PARAM / 10;
    return false;
}

void sc_shell_explain(sc_shell *s, const char *question)
{
    command_line line;
    if (!has_dataset(s))
        return;
    make_question(s, "explain", question, &line);
    s->status = run_child(s, run_verb, &line);
}

static void ask_at_once(sc_shell *s, const char *question)
{
    command_line line;
    make_question(s, "query", question, &line);
    s->status = run_child(s, ask, &line);
}

/* Sets the epsilon to a text if it is one. */
static bool take_epsilon(sc_shell *s, const char *text)
{
    char before[SC_SHELL_SETTING_BYTES];
    if (strlen(text) >= sizeof before) {
        sc_shell_refuse(s, "the epsilon is too long");
        return false;
    }
    memcpy(before, s->settings[SC_SHELL_EPSILON], sizeof before);
    snprintf(s->settings[SC_SHELL_EPSILON], SC_SHELL_SETTING_BYTES, "%s", text);
    if (!sc_shell_is_refused(s, SC_SHELL_EPSILON, SC_SHELL_EPSILON + 1))
        return true;
    memcpy(s->settings[SC_SHELL_EPSILON], before, sizeof before);
    return false;
}

/* Explains a question at an epsilon that nobody has chosen. */
static void explain_at_one(sc_shell *s, const char *question)
{
    snprintf(s->settings[SC_SHELL_EPSILON], SC_SHELL_SETTING_BYTES, "1");
    sc_shell_explain(s, question);
    s->settings[SC_SHELL_EPSILON][0] = '\0';
}

/* Shows the error at some epsilons and reads one until it is valid. False: the question is left. */
static bool read_epsilon(sc_shell *s, const char *question)
{
    command_line line;
    snprintf(s->settings[SC_SHELL_EPSILON], SC_SHELL_SETTING_BYTES, "0.1");
    make_question(s, "query", question, &line);
    s->status = run_child(s, show_prices, &line);
    s->settings[SC_SHELL_EPSILON][0] = '\0';
    while (s->status == 0) {
        const char *text = "";
        if (sc_line_editor_read(s->editor, "epsilon for it, or n to leave it> ", &text) !=
                SC_LINE_READ ||
            text[0] == '\0' || strcasecmp(text, "n") == 0)
            return false;
        if (strcmp(text, "?") == 0)
            sc_talk("type what it may cost, such as 0.1: a larger epsilon has a smaller "
                    "error and less\nprivacy; e explains it at epsilon 1, n leaves it\n");
        else if (strcasecmp(text, "e") == 0)
            explain_at_one(s, question);
        else if (take_epsilon(s, text))
            return true;
        s->status = 0;
    }
    return false;
}

typedef enum agreement { ASKED, LEFT, AGAIN } agreement;

/* A screen with fewer columns has a prompt that says less. */
#define PROMPT_COLUMNS 72

static const char *prompt_of(bool fits)
{
    sc_terminal screen;
    sc_terminal_look(STDERR_FILENO, &screen);
    if (screen.columns < PROMPT_COLUMNS)
        return fits ? "Enter asks, n leaves it> " : "Enter leaves it> ";
    return fits ? "Enter asks, a number is another epsilon, e explains, n leaves it> "
                : "a number is another epsilon, Enter leaves it> ";
}

/* Reads whether a person agrees to the cost. AGAIN: the epsilon is another one. */
static agreement read_agreement(sc_shell *s, const char *question, bool fits)
{
    for (;;) {
        const char *text = "";
        if (sc_line_editor_read(s->editor, prompt_of(fits), &text) != SC_LINE_READ)
            return LEFT;
        if (text[0] == '\0')
            return fits ? ASKED : LEFT;
        if (strcasecmp(text, "n") == 0 || strcasecmp(text, "no") == 0)
            return LEFT;
        if (fits && (strcasecmp(text, "y") == 0 || strcasecmp(text, "yes") == 0))
            return ASKED;
        if (strcasecmp(text, "e") == 0)
            sc_shell_explain(s, question);
        else if (text[0] >= '0' && text[0] <= '9' && take_epsilon(s, text))
            return AGAIN;
        else if (text[0] < '0' || text[0] > '9')
            sc_talk("'%.40s' is no reply; Enter %s, a number is another epsilon, e "
                    "explains, n leaves it\n",
                    text, fits ? "asks" : "leaves it");
    }
}

/* May the price stand in the question itself? */
static bool has_price(const sc_shell *s, const char *question)
{
    return s->settings[SC_SHELL_EPSILON][0] != '\0' ||
           strcasestr(question, "DIFFERENTIAL_PRIVACY") != NULL;
}

static void ask_a_person(sc_shell *s, const char *question)
{
    agreement said = AGAIN;
    if (!has_price(s, question) && !read_epsilon(s, question))
        return;
    while (said == AGAIN) {
        command_line line;
        make_question(s, "query", question, &line);
        s->status = run_child(s, preview, &line);
        if (s->status == PREVIEW_IS_FREE)
            said = ASKED;
        else if (s->status == 0 || s->status == PREVIEW_DOES_NOT_FIT)
            said = read_agreement(s, question, s->status == 0);
        else
            return;
    }
    s->status = 0;
    if (said == ASKED)
        ask_at_once(s, question);
    else
        sc_talk("left; nothing was charged\n");
}

void sc_shell_ask(sc_shell *s, const char *question)
{
    char *kept = strdup(question);
    if (kept != NULL) {
        free(s->last);
        s->last = kept;
    }
    if (!has_dataset(s))
        return;
    if (s->is_asked)
        ask_a_person(s, question);
    else
        ask_at_once(s, question);
}
