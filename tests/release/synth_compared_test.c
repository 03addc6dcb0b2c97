/* The charged comparison of synthetic rows with the data: one question, one charge, one answer, whoever asks. */
#include "check.h"
#include "faults.h"
#include "query/query_scene.h"
#include "remains.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define POLICY                                                                           \
    "unit=row\ncolumn=sex=text\nkeys=sex=f,m\nmissing=sex=f\n"                           \
    "column=kind=text\nkeys=kind=a,b\nbudget=epsilon=1000,delta=0.5\n"
#define ASKING 6

static void write_people(char *text, size_t capacity, int people)
{
    size_t used = (size_t)snprintf(text, capacity, "sex,kind,size,person\n");
    for (int i = 0; i < people; i++)
        used += (size_t)snprintf(text + used, capacity - used, "%s,%s,%d,%d\n",
                                 i % 2 == 0 ? "f" : "m", i % 3 == 0 ? "a" : "b",
                                 i % 5 == 0, i / 2);
}

static bool begin_as(query_scene *s, const char *policy, int people)
{
    static char bytes[20000];
    scrim_synth *synth = NULL;
    scrim_synth_release *release = NULL;
    write_people(bytes, sizeof bytes, people);
    if (!query_scene_begin(s, policy, bytes))
        return false;
    if (CHECK_STATUS(scrim_synth_new(s->vault, "people",
                                     SCRIM_OPTIONS(scrim_synth_options, .epsilon = "1",
                                                   .delta = "1e-6"),
                                     &synth, &s->error),
                     SCRIM_OK))
        CHECK_STATUS(scrim_synth_run(s->vault, synth, &release, &s->error), SCRIM_OK);
    scrim_synth_free(synth);
    scrim_synth_release_free(release);
    return release != NULL;
}

static bool begin(query_scene *s, int people)
{
    return begin_as(s, POLICY, people);
}

/* Compares rows of release 1. */
static scrim_status ask(query_scene *s, uint64_t rows, const char *epsilon,
                        scrim_synth_comparison *out)
{
    scrim_synth_release *release = NULL;
    scrim_synth_report *report = NULL;
    scrim_status status = scrim_synth_replay(s->vault, 1, &release, &s->error);
    if (status == SCRIM_OK)
        status = scrim_synth_report_new(
            release, SCRIM_OPTIONS(scrim_synth_report_options, .rows = rows), &report,
            &s->error);
    if (status == SCRIM_OK)
        status =
            scrim_synth_report_charge(s->vault, release, report, epsilon, out, &s->error);
    scrim_synth_report_free(report);
    scrim_synth_release_free(release);
    return status;
}

static uint64_t charges_of(scrim_vault *vault)
{
    scrim_budget budget = {.charges = 0};
    CHECK_STATUS(scrim_vault_budget(vault, 0, NULL, &budget, NULL), SCRIM_OK);
    return budget.charges;
}

SLOW_TEST(synth_comparison_is_charged_once)
{
    CLAIM("synth-ask.once");
    query_scene s;
    scrim_synth_comparison first = {.release = 0}, again = {.release = 0};
    char left[3 * SCRIM_NUMBER_BYTES];
    if (begin(&s, 300)) {
        CHECK_STATUS(ask(&s, 0, "0.1", &first), SCRIM_OK);
        CHECK_INT(first.is_repeated, 0);
        CHECK_INT(first.release, 2);
        CHECK_STATUS(ask(&s, 0, "1/10", &again), SCRIM_OK);
        CHECK_INT(again.is_repeated, 1);
        CHECK_INT(again.release, 2);
        CHECK(first.mean == again.mean && first.low == again.low &&
              first.high == again.high);
        CHECK_STR(again.cost.epsilon, "0.1");
        CHECK_STR(query_scene_left(&s, left), "998.9 0.499999 2");
        /* Other rows, or another epsilon, are another question. */
        CHECK_STATUS(ask(&s, 100, "0.1", &again), SCRIM_OK);
        CHECK_INT(again.release, 3);
        CHECK_STATUS(ask(&s, 0, "0.2", &again), SCRIM_OK);
        CHECK_INT(again.release, 4);
        CHECK_INT(again.is_repeated, 0);
        CHECK_STR(query_scene_left(&s, left), "998.6 0.499999 4");
    }
    query_scene_end(&s);
}

/* The sum over k pairs of columns moves by k for each row of a unit, and by twice that when a unit is replaced: three
 * columns have 3 pairs. */
#define THREE                                                                            \
    "column=sex=text\nkeys=sex=f,m\nmissing=sex=f\ncolumn=kind=text\nkeys=kind=a,b\n"    \
    "missing=kind=a\ncolumn=size=int[0,1]\nmissing=size=0\n"                             \
    "budget=epsilon=1000,delta=0.5\n"

/* The same for the values of one column in bins, with the noise of an equal part of epsilon. */
#define BINS                                                                             \
    "column=sex=text\nkeys=sex=f,m\nmissing=sex=f\ncolumn=kind=text\nkeys=kind=a,b\n"    \
    "missing=kind=a\ncolumn=size=int[0,999]\nmissing=size=0\n"                           \
    "budget=epsilon=3000,delta=0.5\n"

SLOW_TEST(A104_synth_comparison_has_the_sensitivity_of_all_rows_of_a_unit)
{
    static const struct {
        const char *policy, *line;
    } cases[] = {
        {"unit=row\n" THREE, "laplace sensitivity=3 epsilon=1 neighbours=add-remove"},
        {"unit=row\nneighbours=replace\n" THREE,
         "laplace sensitivity=6 epsilon=1 neighbours=replace"},
        {"unit=person\nmax-groups=1\nmax-rows=5\n" THREE,
         "laplace sensitivity=15 epsilon=1 neighbours=add-remove"},
        {"unit=person\nmax-groups=1\nmax-rows=5\nneighbours=replace\n" THREE,
         "laplace sensitivity=30 epsilon=1 neighbours=replace"},
        {"unit=row\n" BINS, "laplace sensitivity=6 epsilon=1 neighbours=add-remove"},
        {"unit=person\nmax-groups=1\nmax-rows=5\nneighbours=replace\n" BINS,
         "laplace sensitivity=60 epsilon=1 neighbours=replace"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        query_scene s;
        scrim_synth_comparison found;
        scrim_vault_release release;
        if (begin_as(&s, cases[i].policy, 100) &&
            CHECK_STATUS(ask(&s, 0, "1", &found), SCRIM_OK) &&
            CHECK_STATUS(scrim_vault_replay(s.vault, found.release, &release, &s.error),
                         SCRIM_OK)) {
            if (!CHECK(strstr(release.measurement, cases[i].line) != NULL))
                CHECK_FAIL("%s", release.measurement);
            scrim_vault_release_clear(&release);
        }
        query_scene_end(&s);
    }
}

/* The data have two values, which share a bin, and rows have any of the bin: bins agree, and values do not. */
SLOW_TEST(synth_comparison_sees_values_inside_bins)
{
    CLAIM("synth-compare.singles");
    query_scene s;
    scrim_synth_release *release = NULL;
    scrim_synth_report *report = NULL;
    scrim_synth_comparison few = {.release = 0}, found = {.release = 0};
    scrim_synth_bins bins;
    if (begin_as(&s, "unit=row\n" BINS, 300) &&
        CHECK_STATUS(ask(&s, 0, "10", &few), SCRIM_OK) &&
        CHECK_STATUS(ask(&s, 0, "1000", &found), SCRIM_OK) &&
        CHECK_STATUS(scrim_synth_replay(s.vault, 1, &release, &s.error), SCRIM_OK) &&
        CHECK_STATUS(scrim_synth_report_new(release, NULL, &report, &s.error),
                     SCRIM_OK) &&
        CHECK_STATUS(scrim_synth_report_compare(s.vault, release, report, &s.error),
                     SCRIM_OK) &&
        CHECK(scrim_synth_report_bins_at(release, report, 0, &bins) == 1)) {
        const scrim_synth_single *single = &found.singles[0];
        CHECK_INT(found.single_count, 1);
        CHECK_STR(bins.column, "size");
        CHECK(bins.single > 0.9);
        /* One interval in twenty misses; none by its own width. */
        double width = single->high - single->low;
        CHECK(single->low - width <= bins.single && bins.single <= single->high + width);
        CHECK(single->variation > 0.8 && width < 0.2);
        /* Unless it is cut at 1. */
        CHECK(few.singles[0].high >= 1 ||
              few.singles[0].high - few.singles[0].low > single->high - single->low);
        CHECK(found.mean < 0.3);
    }
    scrim_synth_report_free(report);
    scrim_synth_release_free(release);
    query_scene_end(&s);
}

typedef struct heard {
    uint64_t calls, done, total;
} heard;

static void hear(void *context, uint64_t done, uint64_t total)
{
    heard *h = context;
    CHECK(done >= h->done && done <= total);
    *h = (heard){h->calls + 1, done, total};
}

/* A share that ends with the last table. How far it is tells how long it takes, which a quantum hides; not from the owner,
 * who compares with the data as they are. */
SLOW_TEST(synth_comparison_tells_no_progress_at_a_quantum)
{
    CLAIM("ask.quantum");
    static const char *const policies[] = {POLICY,
                                           POLICY "max-size=512KiB\nquantum=0.001\n"};
    for (size_t i = 0; i < COUNT(policies); i++) {
        query_scene s;
        heard h = {.calls = 0};
        scrim_synth_release *release = NULL;
        scrim_synth_report *report = NULL;
        scrim_synth_comparison found;
        if (begin_as(&s, policies[i], 300) &&
            CHECK_STATUS(scrim_synth_replay(s.vault, 1, &release, &s.error), SCRIM_OK) &&
            CHECK_STATUS(
                scrim_synth_report_new(release,
                                       SCRIM_OPTIONS(scrim_synth_report_options,
                                                     .progress = hear, .context = &h),
                                       &report, &s.error),
                SCRIM_OK)) {
            CHECK_INT(h.calls, 0);
            CHECK_STATUS(scrim_synth_report_charge(s.vault, release, report, "1", &found,
                                                   &s.error),
                         SCRIM_OK);
            CHECK((h.calls > 0) == (i == 0));
            CHECK(h.calls == 0 || (h.done == 1000 && h.total == 1000));
            h = (heard){.calls = 0};
            CHECK_STATUS(scrim_synth_report_compare(s.vault, release, report, &s.error),
                         SCRIM_OK);
            CHECK(h.calls > 0 && h.done == 1000 && h.total == 1000);
        }
        scrim_synth_report_free(report);
        scrim_synth_release_free(release);
        query_scene_end(&s);
    }
}

/* A child asks, and tells what it was shown. */
static void ask_aside(query_scene *s, int to)
{
    scrim_synth_comparison found = {.release = 0};
    s->vault = scene_open(&s->base);
    const bool is_shown = s->vault != NULL && ask(s, 0, "1", &found) == SCRIM_OK;
    if (!is_shown)
        fprintf(stderr, "%s\n", s->error.message);
    /* The first to answer is not the only one that was not shown a record. */
    found.is_repeated = 0;
    if (write(to, &found, sizeof found) != (ssize_t)sizeof found)
        _exit(1);
    _exit(is_shown ? 0 : 1);
}

SLOW_TEST(synth_comparison_of_many_processes_is_charged_once)
{
    CLAIM("synth-ask.once");
    query_scene s;
    int ends[2];
    pid_t children[ASKING];
    scrim_synth_comparison first = {.release = 0}, other;
    if (!begin(&s, 300) || !CHECK(pipe(ends) == 0)) {
        query_scene_end(&s);
        return;
    }
    scrim_vault_close(s.vault);
    s.vault = NULL;
    for (size_t i = 0; i < ASKING; i++)
        if ((children[i] = fork()) == 0)
            ask_aside(&s, ends[1]);
    close(ends[1]);
    for (size_t i = 0; i < ASKING; i++) {
        int state = 0;
        CHECK(waitpid(children[i], &state, 0) == children[i] && WIFEXITED(state) &&
              WEXITSTATUS(state) == 0);
        CHECK(read(ends[0], i == 0 ? &first : &other, sizeof other) ==
              (ssize_t)sizeof other);
        CHECK(i == 0 || (first.mean == other.mean && first.release == other.release));
    }
    close(ends[0]);
    s.vault = scene_open(&s.base);
    CHECK_INT(first.release, 2);
    CHECK_INT(charges_of(s.vault), 2);
    query_scene_end(&s);
}

/* Whatever fails, and whenever, there is one charge, and the next one to ask is answered. */
FAULT_TEST(synth_comparison_survives_without_memory)
{
    CLAIM("synth-ask.charged");
    query_scene s;
    int shown = 0;
    if (begin(&s, 20)) {
        FAULT_LOOP(fault)
        {
            scrim_synth_comparison found;
            const scrim_status status = ask(&s, 0, "1", &found);
            if (status != SCRIM_OK)
                CHECK_STATUS(status, SCRIM_E_MEMORY);
            shown += status == SCRIM_OK;
        }
        CHECK(shown >= 1);
        CHECK_INT(charges_of(s.vault), 2);
    }
    query_scene_end(&s);
}

/* Exact counts of a table, side by side as they are compared with those of the rows: in no memory that is given back. */
SLOW_TEST(synth_comparison_wipes_the_counts_of_the_data)
{
    CLAIM("release.wiped");
    static const int64_t counts[] = {51, 102}; /* women of kind a, and of kind b */
    query_scene s;
    masked secret;
    scrim_synth_comparison found = {.release = 0};
    masked_set(&secret, counts);
    if (begin(&s, 306)) {
        freed_watch(&secret);
        CHECK_STATUS(ask(&s, 0, "0.1", &found), SCRIM_OK);
        CHECK_INT(freed_remains(), 0);
    }
    query_scene_end(&s);
}
