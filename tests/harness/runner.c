/* The program that runs the tests; check.h describes it. */
#include "runner.h"

#include "secret.h"
#include "vectors.h"

#include <errno.h>
#include <fcntl.h>
#include <flint/flint.h>
#include <ftw.h>
#include <getopt.h>
#include <openssl/crypto.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FILTERS_MAX = 64, JOBS_MAX = 256, NOTES_BYTES = 65536, SHOWN_BYTES = 20000 };
enum { NOTES_DESCRIPTOR = STDERR_FILENO + 1 }; /* of the process of a test */

#ifdef __SANITIZE_THREAD__
/* A child that was forked beside threads does not have them, and TSan would report that it did
 * not wait for them. */
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
    return "report_thread_leaks=0";
}
#endif

/* Tests of the harness run the runner on these, and only then do they exist. */
static const char hidden_prefix[] = "selftest_";

/* By what --brief and --quick divide counts. */
#define BRIEF 10
#define QUICK 4

typedef struct run_options {
    check_settings settings;
    const char *filters[FILTERS_MAX];
    size_t filter_count, jobs;
    size_t share, shares; /* of the wanted tests: every one of them is in one share */
    unsigned timeout_s;
    bool list, quiet, brief, quick, watched;
    const char *times; /* a file, or NULL */
    const char
        *passed; /* likewise: the tests that an unfinished campaign need not repeat */
} run_options;

typedef enum outcome { WAITING, RUNNING, PASSED, FAILED, SKIPPED } outcome;

typedef struct test_job {
    const check_test *test;
    outcome outcome;
    pid_t process;
    int notes, output; /* the read end of a pipe; a file in memory */
    struct timespec deadline;
    double seconds;   /* of all processors, its children's too */
    char reason[512]; /* of a failure that no check printed, or of a skip */
} test_job;

_Noreturn static void die(const char *what)
{
    fprintf(stderr, "tests: %s: %s\n", what, strerror(errno));
    exit(2);
}

_Noreturn static void usage(void)
{
    fputs(
        "usage: tests [--filter TEXT]... [--seed N] [--brief|--quick|--long] [--watched] "
        "[--list]\n"
        "             [--jobs N] [--quiet] [--timeout SECONDS] [--times FILE] [--passed "
        "FILE]\n"
        "             [--share N/COUNT]\n",
        stderr);
    exit(2);
}

static uint64_t number(const char *text, uint64_t low, uint64_t high)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || *text == '-' || value < low ||
        value > high)
        usage();
    return value;
}

/* The share N/COUNT of the tests, for a campaign that several sittings make up. */
static void read_share(const char *text, run_options *out)
{
    const char *slash = strchr(text, '/');
    char first[8] = "";
    if (slash == NULL || slash == text || (size_t)(slash - text) >= sizeof first)
        usage();
    memcpy(first, text, (size_t)(slash - text));
    out->shares = (size_t)number(slash + 1, 1, 1000);
    out->share = (size_t)number(first, 1, out->shares);
}

/* One more than there are processors: some tests wait for the disk or for a clock. */
static size_t usual_jobs(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN) + 1;
    return count < 1 ? 1 : count > JOBS_MAX ? JOBS_MAX : (size_t)count;
}

static void divide_by(run_options *out, unsigned slowness)
{
    if (out->settings.slowness < slowness)
        out->settings.slowness = slowness;
}

static void read_options(int argc, char **argv, run_options *out)
{
    static const struct option known[] = {{"filter", required_argument, NULL, 'f'},
                                          {"seed", required_argument, NULL, 's'},
                                          {"brief", no_argument, NULL, 'b'},
                                          {"long", no_argument, NULL, 'l'},
                                          {"list", no_argument, NULL, 'L'},
                                          {"jobs", required_argument, NULL, 'j'},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"timeout", required_argument, NULL, 't'},
                                          {"times", required_argument, NULL, 'T'},
                                          {"quick", no_argument, NULL, 'k'},
                                          {"watched", no_argument, NULL, 'w'},
                                          {"passed", required_argument, NULL, 'P'},
                                          {"share", required_argument, NULL, 'S'},
                                          {NULL, 0, NULL, 0}};
    int option;
    *out = (run_options){.settings = {.seed = 1, .slowness = secret_slowness()},
                         .jobs = usual_jobs(),
                         .share = 1,
                         .shares = 1};
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        switch (option) {
        case 'f':
            if (out->filter_count == FILTERS_MAX)
                usage();
            out->filters[out->filter_count++] = optarg;
            break;
        case 's':
            out->settings.seed = number(optarg, 0, UINT64_MAX);
            break;
        case 'b':
            out->brief = true;
            divide_by(out, BRIEF);
            break;
        case 'k':
            out->quick = true;
            divide_by(out, QUICK);
            break;
        case 'w':
            out->watched = true;
            break;
        case 'l':
            out->settings.is_long = true;
            break;
        case 'L':
            out->list = true;
            break;
        case 'j':
            out->jobs = (size_t)number(optarg, 1, JOBS_MAX);
            break;
        case 'q':
            out->quiet = true;
            break;
        case 't':
            out->timeout_s = (unsigned)number(optarg, 1, 1000000);
            break;
        case 'T':
            out->times = optarg;
            break;
        case 'P':
            out->passed = optarg;
            break;
        case 'S':
            read_share(optarg, out);
            break;
        default:
            usage();
        }
    }
    if (optind < argc)
        usage();
    if (out->timeout_s == 0)
        out->timeout_s = out->settings.is_long ? 7200 : 300;
}

/* The tests that a run without filters takes. */
static bool is_taken(check_kind kind, const run_options *options)
{
    switch (kind) {
    case CHECK_SLOW:
        return !options->brief && !options->watched;
    case CHECK_FAULT:
        return !options->brief && !options->quick;
    case CHECK_QUICK:
        break;
    }
    return true;
}

static bool is_wanted(const check_test *test, const run_options *options)
{
    const char *self = getenv("CHECK_SELFTEST");
    const bool want_hidden = self != NULL && strcmp(self, "1") == 0;
    const bool hidden = strncmp(test->name, hidden_prefix, sizeof hidden_prefix - 1) == 0;
    if (hidden != want_hidden)
        return false;
    for (size_t i = 0; i < options->filter_count; i++)
        if (strstr(test->name, options->filters[i]) != NULL)
            return true;
    return options->filter_count == 0 && is_taken(test->kind, options);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const check_test *const *)a)->name,
                  (*(const check_test *const *)b)->name);
}

/* How many tests there are. A name given twice would make a filter ambiguous: it is refused. */
static size_t count_tests(void)
{
    size_t all = 0;
    for (const check_test *test = check_first(); test != NULL; test = test->next)
        all++;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    const check_test **sorted = calloc(all + 1, sizeof *sorted);
    if (sorted == NULL)
        die("calloc");
    size_t at = 0;
    for (const check_test *test = check_first(); test != NULL; test = test->next)
        sorted[at++] = test;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): likewise */
    qsort(sorted, all, sizeof *sorted, compare_names);
    for (size_t i = 1; i < all; i++)
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0) {
            fprintf(stderr, "tests: %s is in %s and in %s\n", sorted[i]->name,
                    sorted[i - 1]->file, sorted[i]->file);
            exit(2);
        }
    free(sorted);
    return all;
}

/* The file of --passed: a line for each test, its name and its processor seconds. */

static bool has_passed(FILE *file, const char *name)
{
    char line[512];
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, " \n")] = '\0';
        if (strcmp(line, name) == 0)
            return true;
    }
    return false;
}

/* Written at once, so that a campaign that is cut short goes on behind this test. */
static void remember(const test_job *job, const char *path)
{
    FILE *file = fopen(path, "ae");
    if (file == NULL || fprintf(file, "%s %.3f\n", job->test->name, job->seconds) < 0 ||
        fclose(file) != 0)
        die(path);
}

/* Leaves out the tests that have passed; a file that is not there yet holds none. */
static void leave_out_passed(test_job *jobs, size_t *count, const char *path)
{
    FILE *file = fopen(path, "re");
    if (file == NULL && errno != ENOENT)
        die(path);
    if (file == NULL)
        return;
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++)
        if (!has_passed(file, jobs[i].test->name))
            jobs[kept++] = jobs[i];
    *count = kept;
    fclose(file);
}

/* By its name, so that a test keeps its share when others come and go between two sittings. The constants are those
 * of FNV-1a. */
static size_t share_of(const check_test *test, const run_options *options)
{
    uint32_t hash = 2166136261;
    for (const char *c = test->name; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619;
    return hash % options->shares + 1;
}

/* The wanted tests of this share, the slow ones first, so that none is left to run alone at the end. */
static test_job *select_jobs(const run_options *options, size_t *count)
{
    test_job *jobs = calloc(count_tests() + 1, sizeof *jobs);
    if (jobs == NULL)
        die("calloc");
    *count = 0;
    for (int turn = 0; turn < 2; turn++)
        for (const check_test *test = check_first(); test != NULL; test = test->next)
            if (is_wanted(test, options) && (turn == 0) == (test->kind != CHECK_QUICK) &&
                share_of(test, options) == options->share)
                jobs[(*count)++] = (test_job){.test = test, .outcome = WAITING};
    if (options->passed != NULL)
        leave_out_passed(jobs, count, options->passed);
    return jobs;
}

/* One test in one process. */

_Noreturn static void run_child(const test_job *job, const run_options *options,
                                int notes, const sigset_t *signals, pid_t parent)
{
    /* A group of its own, so that a hang is killed with all its children; and the tests
     * end with the runner, however that ends. */
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(2);
    const int null = open("/dev/null", O_RDONLY);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 ||
        dup2(job->output, STDOUT_FILENO) < 0 || dup2(job->output, STDERR_FILENO) < 0)
        _exit(2);
    /* Nothing else that happens to be open: how many outputs wait for their report depends on
     * the speed of the others, and a test may count descriptors. */
    if (notes != NOTES_DESCRIPTOR && dup3(notes, NOTES_DESCRIPTOR, O_CLOEXEC) < 0)
        _exit(2);
    close_range(NOTES_DESCRIPTOR + 1, ~0U, 0);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    sigprocmask(SIG_SETMASK, signals, NULL);
    const size_t before = secret_taken();
    check_run(job->test, &options->settings, NOTES_DESCRIPTOR);
    fflush(NULL);
    /* A test that gave back all that it took has leaked nothing, but for what libraries keep for their
     * next caller. Else the leak checker looks, at exit, which takes longer than most tests. */
    if (secret_is_counting()) {
        vectors_forget();
        flint_cleanup();
        OPENSSL_cleanup();
        if (secret_taken() <= before)
            _exit(0);
    }
    exit(0);
}

static void start(test_job *job, const run_options *options, const sigset_t *signals)
{
    int notes[2];
    const pid_t parent = getpid();
    job->output = memfd_create("output", MFD_CLOEXEC);
    if (job->output < 0 || pipe2(notes, O_CLOEXEC | O_NONBLOCK) < 0)
        die("cannot start a test");
    fflush(stdout);
    job->process = fork();
    if (job->process < 0)
        die("fork");
    if (job->process == 0) {
        close(notes[0]);
        run_child(job, options, notes[1], signals, parent);
    }
    setpgid(job->process, job->process); /* whoever is first */
    close(notes[1]);
    job->notes = notes[0];
    clock_gettime(CLOCK_MONOTONIC, &job->deadline);
    job->deadline.tv_sec += options->timeout_s;
    job->outcome = RUNNING;
}

typedef struct test_notes {
    bool checked, ended, skipped;
    size_t failures;
} test_notes;

/* Reads what the process has noted; the reason of a skip goes to job->reason. */
static test_notes read_notes(test_job *job)
{
    static char text[NOTES_BYTES + 1];
    test_notes found = {0};
    size_t length = 0;
    ssize_t got;
    while (length < NOTES_BYTES &&
           (got = read(job->notes, text + length, NOTES_BYTES - length)) > 0)
        length += (size_t)got;
    text[length] = '\0';
    for (const char *at = text; *at != '\0'; at++) {
        found.checked |= *at == NOTE_CHECKED;
        found.ended |= *at == NOTE_ENDED;
        found.failures += *at == NOTE_FAILED;
        if (*at == NOTE_SKIPPED) {
            const size_t bytes = strcspn(at + 1, "\n");
            found.skipped = true;
            snprintf(job->reason, sizeof job->reason, "%.*s", (int)bytes, at + 1);
            at += bytes;
        }
    }
    return found;
}

static void judge(test_job *job, int status, bool timed_out, unsigned timeout_s)
{
    const test_notes found = read_notes(job);
    const size_t room = sizeof job->reason;
    job->outcome = FAILED;
    if (timed_out)
        snprintf(job->reason, room, "did not end within %u s", timeout_s);
    else if (WIFSIGNALED(status)) {
        const char *name = sigabbrev_np(WTERMSIG(status));
        snprintf(job->reason, room, "killed by SIG%s", name != NULL ? name : "?");
    } else if (!found.ended)
        snprintf(job->reason, room, "left by exit(%d)", WEXITSTATUS(status));
    else if (WEXITSTATUS(status) != 0)
        snprintf(job->reason, room, "status %d after the end: a leak?",
                 WEXITSTATUS(status));
    else if (found.failures != 0)
        snprintf(job->reason, room, "%zu failed check%s", found.failures,
                 found.failures == 1 ? "" : "s");
    else if (found.skipped)
        job->outcome = SKIPPED;
    else if (!found.checked)
        snprintf(job->reason, room, "checked nothing");
    else
        job->outcome = PASSED;
}

static bool is_past(const struct timespec *deadline)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > deadline->tv_sec ||
           (now.tv_sec == deadline->tv_sec && now.tv_nsec >= deadline->tv_nsec);
}

static double seconds(const struct timeval *time)
{
    return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

/* True when the job has ended and been judged. */
static bool reap(test_job *job, const run_options *options)
{
    int status = 0;
    struct rusage used;
    const bool timed_out = is_past(&job->deadline);
    if (timed_out)
        kill(-job->process, SIGKILL);
    if (wait4(job->process, &status, timed_out ? 0 : WNOHANG, &used) != job->process)
        return false;
    job->seconds = seconds(&used.ru_utime) + seconds(&used.ru_stime);
    kill(-job->process, SIGKILL); /* what the test left running */
    judge(job, status, timed_out, options->timeout_s);
    close(job->notes);
    return true;
}

/* The report. */

/* Shows what the test printed, as TAP comments: its beginning, should it be long. */
static void show_output(int output)
{
    char text[SHOWN_BYTES + 1];
    const ssize_t got = pread(output, text, SHOWN_BYTES, 0);
    const size_t length = got < 0 ? 0 : (size_t)got;
    text[length] = '\0';
    for (char *line = text; *line != '\0';) {
        const size_t bytes = strcspn(line, "\n");
        printf("# %.*s\n", (int)bytes, line);
        line += bytes + (line[bytes] == '\n');
    }
    if (lseek(output, 0, SEEK_END) > (off_t)length)
        puts("# ...");
}

static void report(const test_job *job, size_t index, const run_options *options)
{
    const char *name = job->test->name;
    if (job->outcome == FAILED) {
        printf("not ok %zu - %s\n# %s: %s\n", index, name, job->test->file, job->reason);
        show_output(job->output);
    } else if (job->outcome == SKIPPED)
        printf("ok %zu - %s # SKIP %s\n", index, name, job->reason);
    else if (!options->quiet)
        printf("ok %zu - %s\n", index, name);
    close(job->output);
}

static int compare_seconds(const void *a, const void *b)
{
    const double x = ((const test_job *)a)->seconds, y = ((const test_job *)b)->seconds;
    return (x < y) - (x > y);
}

/* Where the time goes: a line for each test, the slowest first. */
static void write_times(test_job *jobs, size_t count, const char *path)
{
    FILE *file = fopen(path, "we");
    if (file == NULL)
        die(path);
    qsort(jobs, count, sizeof *jobs, compare_seconds);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%.3f %s\n", jobs[i].seconds, jobs[i].test->name);
    if (fclose(file) != 0)
        die(path);
}

static void run_all(test_job *jobs, size_t count, const run_options *options)
{
    const struct timespec pause = {.tv_nsec = 100000000};
    size_t begun = 0, running = 0, reported = 0;
    sigset_t child, before;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &before);
    while (reported < count) {
        for (; running < options->jobs && begun < count; running++)
            start(&jobs[begun++], options, &before);
        sigtimedwait(&child, NULL, &pause); /* a child has ended, or it is time to look */
        for (size_t i = reported; i < begun; i++)
            if (jobs[i].outcome == RUNNING && reap(&jobs[i], options)) {
                running--;
                if (options->passed != NULL && jobs[i].outcome == PASSED)
                    remember(&jobs[i], options->passed);
            }
        for (; reported < begun && jobs[reported].outcome != RUNNING; reported++)
            report(&jobs[reported], reported + 1, options);
    }
}

/* Every test finds the same surroundings, whoever runs it and where; one that wants others
 * sets them itself. A user who runs the tests by sudo is not their caller. */
static void settle(void)
{
    static const struct {
        const char *name, *value; /* NULL: not set */
    } surroundings[] = {
        {"LC_ALL", "C"},       {"TERM", "xterm-256color"}, {"TZ", "UTC"},
        {"LANG", NULL},        {"LANGUAGE", NULL},         {"COLUMNS", NULL},
        {"LINES", NULL},       {"NO_COLOR", NULL},         {"PAGER", NULL},
        {"SCRIM_VAULT", NULL}, {"XDG_STATE_HOME", NULL},   {"SUDO_UID", NULL},
        {"DOAS_USER", NULL},   {"PKEXEC_UID", NULL},
    };
    for (size_t i = 0; i < sizeof surroundings / sizeof *surroundings; i++)
        if ((surroundings[i].value == NULL
                 ? unsetenv(surroundings[i].name)
                 : setenv(surroundings[i].name, surroundings[i].value, 1)) != 0)
            die(surroundings[i].name);
    (void)umask(022);
}

static int remove_entry(const char *path, const struct stat *status, int kind,
                        struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

/* The tests' user has an empty home, which is removed with all that they left in it. */
static void home_make(char *home)
{
    if (mkdtemp(home) == NULL || setenv("HOME", home, 1) != 0)
        die(home);
}

static void home_remove(const char *home)
{
    (void)nftw(home, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

int main(int argc, char **argv)
{
    run_options options;
    char home[] = "/tmp/scrim_home.XXXXXX";
    size_t count, tally[SKIPPED + 1] = {0};
    read_options(argc, argv, &options);
    settle();
    test_job *jobs = select_jobs(&options, &count);
    if (options.list) {
        for (size_t i = 0; i < count; i++)
            puts(jobs[i].test->name);
        free(jobs);
        return 0;
    }
    if (!options.quiet)
        printf("1..%zu\n# seed %llu, %s\n", count,
               (unsigned long long)options.settings.seed,
               options.settings.is_long ? "long" : "quick");
    home_make(home);
    run_all(jobs, count, &options);
    home_remove(home);
    for (size_t i = 0; i < count; i++)
        tally[jobs[i].outcome]++;
    if (options.times != NULL)
        write_times(jobs, count, options.times);
    free(jobs);
    printf("%zu passed, %zu failed, %zu skipped\n", tally[PASSED], tally[FAILED],
           tally[SKIPPED]);
    /* An empty rest of a campaign is no mistake in a filter. */
    const bool is_empty = tally[PASSED] + tally[FAILED] == 0 && options.passed == NULL;
    return tally[FAILED] != 0 || is_empty ? 1 : 0;
}
