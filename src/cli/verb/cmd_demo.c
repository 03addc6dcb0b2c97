/* scrim demo: the main job on public data, in a vault that is gone afterwards */
#include "cli/mechanism/demo_data.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/process.h"
#include "cli/terminal/program.h"
#include "cli/terminal/terminal.h"
#include "cli/verb/verbs.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define WORDS_MOST 32
#define VAULT "demo.vault"
#define LABEL "label.html"

typedef struct demo_state {
    sc_terminal terminal;
    sc_output output;
    sc_signal_hold hold;
    bool has_ended;         /* standard input: nobody is asked any more */
    char program[PATH_MAX]; /* this one */
    char folder[PATH_MAX];  /* of the tour */
} demo_state;

/* A command line that is shown and run. A word in quotes is one word. */
typedef struct demo_step {
    const char *heading; /* NULL: it belongs to the step before */
    const char *command; /* behind "scrim" */
    bool is_table;       /* it shows a table, also where standard output is no terminal */
} demo_step;

#define COLUMNS 80
#define QUESTION                                                                         \
    "\"SELECT sex, COUNT(*) AS people, AVG(age) "                                        \
    "WHERE sex IS NOT NULL GROUP BY sex\""

static const demo_step steps[] = {
    {"1. The owner declares whose data a row is, the range of each column, the budget",
     "init --vault " VAULT " --no-witness", false},
    {NULL,
     "dataset add adult --csv adult.csv --unit person_id --column \"age=int[0,120]\" "
     "--column education=text --column sex=text --keys sex=Female,Male "
     "--rows-per-unit 1 --budget epsilon=3,delta=1e-6",
     false},
    {"2. The analyst sees error and cost of a question before asking, free of charge",
     "explain adult " QUESTION " --epsilon 0.5", true},
    {"3. The question: values with intervals, charged before they were drawn",
     "query adult " QUESTION " --epsilon 0.5", true},
    {"The same question again is free, and the same",
     "query adult " QUESTION " --epsilon 0.5", true},
    {"4. The oldest age, which one person would decide, is that of all but a few",
     "query adult \"SELECT sex, MIN(age), MAX(age) WHERE sex IS NOT NULL GROUP BY sex\" "
     "--epsilon 1 --delta "
     "1e-7",
     true},
    {"5. Keys that nobody has listed are named only when enough people share them",
     "query adult \"SELECT education, COUNT(*) AS people, AVG(age) GROUP BY education "
     "ORDER BY people DESC\" --epsilon 1 --delta 1e-7 --quiet",
     true},
    {NULL,
     "dataset add plays --csv plays.csv --unit speaker --column word=text "
     "--max-groups 50 --max-rows 1 --budget epsilon=4,delta=1e-5",
     false},
    {NULL,
     "query plays \"SELECT word, COUNT(DISTINCT speaker) AS speakers GROUP BY word "
     "ORDER BY speakers DESC LIMIT 8\" --epsilon 2 --delta 1e-6",
     true},
    {"6. The privacy officer: what was spent, by whom, and the proof of it", "ledger",
     true},
    {NULL, "budget", true},
    {NULL, "ledger verify", true},
    {NULL, "report 1 --html " LABEL, false},
    {NULL, "report verify " LABEL, true},
};

static void write_heading(demo_state *demo, const char *heading)
{
    const bool has_colour = demo->terminal.colour;
    sc_output_format(&demo->output, "\n%s%s%s\n", has_colour ? SC_HEADING : "", heading,
                     has_colour ? SC_PLAIN : "");
}

/* The command as it can be typed, in lines of at most COLUMNS: a shell joins what a backslash parts,
 * between double quotes too. */
static void write_command(demo_state *demo, const char *command)
{
    size_t column = strlen("$ " SC_PROGRAM);
    sc_output_format(&demo->output, "$ " SC_PROGRAM);
    for (const char *word = command; *word != '\0';) {
        const size_t length = strcspn(word, " ");
        const bool fits = column + 1 + length + strlen(" \\") <= COLUMNS;
        sc_output_format(&demo->output, "%s%.*s", fits ? " " : " \\\n    ", (int)length,
                         word);
        column = (fits ? column + 1 : 4) + length;
        word += length + strspn(word + length, " ");
    }
    sc_output_format(&demo->output, "\n");
}

/* Cuts line into words, in place; double quotes hold blanks together. */
static size_t cut_words(char *line, char **words)
{
    size_t count = 0;
    while (*line != '\0' && count + 1 < WORDS_MOST) {
        const char end = *line == '"' ? '"' : ' ';
        line += end == '"';
        words[count++] = line;
        line = strchr(line, end);
        if (line == NULL)
            break;
        *line++ = '\0';
        line += *line == ' ';
    }
    return count;
}

/* Runs a command as a shell would, and waits for it. */
static scrim_status spawn(demo_state *demo, char **words, scrim_error *error)
{
    posix_spawnattr_t attributes;
    pid_t child;
    int ended = 0;
    int failure = posix_spawnattr_init(&attributes);
    if (failure == 0) {
        posix_spawnattr_setsigmask(&attributes, &demo->hold.then);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
        failure = posix_spawn(&child, demo->program, NULL, &attributes, words, environ);
        posix_spawnattr_destroy(&attributes);
    }
    if (failure != 0)
        return sc_complaint_fill(error, SCRIM_E_INTERNAL, "cannot run a step: %s",
                                 strerror(failure));
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        continue;
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        return sc_complaint_fill(error, SCRIM_E_INTERNAL, "a step failed; see above");
    return SCRIM_OK;
}

/* How long to wait for a key before looking whether a signal, which is held, has come. */
#define LOOK_MS 200

static bool is_interrupted(void)
{
    sigset_t pending;
    return sigpending(&pending) == 0 &&
           (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
            sigismember(&pending, SIGHUP) == 1);
}

/* Between two steps, where somebody reads them; false: they have seen enough. */
static bool goes_on(demo_state *demo)
{
    char line[80];
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (demo->has_ended || !demo->terminal.is_terminal || isatty(STDIN_FILENO) == 0)
        return true;
    sc_output_text(&demo->output, "\nEnter goes on, q leaves> ");
    if (!sc_output_flush(&demo->output))
        return true; /* the next step says so */
    while (poll(&input, 1, LOOK_MS) <= 0)
        if (is_interrupted())
            return false;
    const ssize_t bytes = read(STDIN_FILENO, line, sizeof line);
    demo->has_ended = bytes <= 0;
    return demo->has_ended || (line[0] != 'q' && line[0] != 'Q');
}

static scrim_status take_step(demo_state *demo, const demo_step *step, scrim_error *error)
{
    char line[512];
    char *words[WORDS_MOST + 1];
    static char name[] = SC_PROGRAM, option[] = "--format", table[] = "table";
    if (step->heading != NULL)
        write_heading(demo, step->heading);
    write_command(demo, step->command);
    if (!sc_output_flush(&demo->output))
        return sc_output_finish(&demo->output, error);
    snprintf(line, sizeof line, "%s", step->command);
    words[0] = name;
    size_t count = 1 + cut_words(line, words + 1);
    if (step->is_table &&
        !demo->terminal.is_terminal) { /* as the terminal would have it */
        words[count++] = option;
        words[count++] = table;
    }
    words[count] = NULL;
    return spawn(demo, words, error);
}

/* A folder of its own, with the data under short names. */
static scrim_status prepare(demo_state *demo, scrim_error *error)
{
    const char *place = getenv("TMPDIR");
    const ssize_t bytes =
        readlink("/proc/self/exe", demo->program, sizeof demo->program - 1);
    if (bytes < 0)
        return sc_complaint_fill(error, SCRIM_E_INTERNAL, "cannot find this program");
    demo->program[bytes] = '\0';
    const int length = snprintf(demo->folder, sizeof demo->folder, "%s/scrim-demo.XXXXXX",
                                place == NULL || place[0] == '\0' ? "/tmp" : place);
    if (length < 0 || (size_t)length >= sizeof demo->folder ||
        mkdtemp(demo->folder) == NULL) {
        demo->folder[0] = '\0';
        return sc_complaint_fill(error, SCRIM_E_INPUT,
                                 "cannot make a folder in $TMPDIR for the demo");
    }
    SC_TRY(
        sc_demo_data_link(demo->program, "adult.csv", demo->folder, "adult.csv", error));
    SC_TRY(sc_demo_data_link(demo->program, "shakespeare_words.csv", demo->folder,
                             "plays.csv", error));
    if (chdir(demo->folder) != 0)
        return sc_complaint_fill(error, SCRIM_E_INTERNAL, "cannot enter the folder");
    if (setenv("SCRIM_VAULT", VAULT, 1) != 0)
        return sc_out_of_memory(error, "the demo");
    return SCRIM_OK;
}

/* Removes all that the demo has made but the label. */
static void tidy(const demo_state *demo)
{
    static const char *const gone[] = {"adult.csv", "plays.csv", VAULT, VAULT "-journal"};
    if (demo->folder[0] == '\0')
        return;
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) {
        char path[PATH_MAX + 32];
        snprintf(path, sizeof path, "%s/%s", demo->folder, gone[i]);
        unlink(path);
    }
    rmdir(demo->folder);
}

static scrim_status tour(demo_state *demo, scrim_error *error)
{
    sc_output_text(&demo->output,
                   "scrim answers questions about a population and reveals no person in "
                   "it. Here are\n"
                   "the commands of its main job, on the Adult census extract and the "
                   "plays of\n"
                   "Shakespeare, in a vault that is gone afterwards.\n");
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (i > 0 && steps[i].heading != NULL && !goes_on(demo))
            return sc_output_finish(&demo->output, error);
        SC_TRY(take_step(demo, &steps[i], error));
    }
    write_heading(demo, "Go on with");
    sc_output_format(
        &demo->output,
        "   scrim help                                           all commands\n"
        "   scrim help query                                     how to ask\n"
        "   scrim sample discrete-laplace scale=5 -n 1e5 --plot  noise against its law\n"
        "   the label, in a browser: %s/" LABEL "\n",
        demo->folder);
    return sc_output_finish(&demo->output, error);
}

static scrim_status run_demo(const sc_options *options, scrim_error *error)
{
    if (options->word_count > 1)
        return sc_refuse(error, "takes no arguments, only 'scrim demo'");
    demo_state *demo = calloc(1, sizeof *demo);
    if (demo == NULL)
        return sc_out_of_memory(error, "the demo");
    sc_terminal_look(STDOUT_FILENO, &demo->terminal);
    sc_output_init_screen(&demo->output, STDOUT_FILENO, SCRIM_FORMAT_TABLE);
    sc_signal_hold_begin(&demo->hold);
    scrim_status status = prepare(demo, error);
    if (status == SCRIM_OK)
        status = tour(demo, error);
    tidy(demo);
    sc_signal_hold_end(&demo->hold);
    free(demo);
    return status;
}

const sc_verb sc_verb_demo = {
    .name = "demo",
    .synopsis = "",
    .summary = "Show the main commands on public data, in a throw-away vault",
    .usage =
        "Declares two public datasets in a new vault, explains a query and asks it, "
        "asks\n"
        "it again for free, and shows the ledger, the budget and a label. Every command\n"
        "is shown as it runs. On a terminal it waits for Enter between its steps; q\n"
        "leaves. Only the label is kept, in a temporary folder whose name is shown.\n",
    .kind = SC_COMMAND_TEXT,
    .run = run_demo,
};
