#include "base/work_limit.h"
#include "composition/accountant/accountant.h"
#include "exact.h"
#include "faults.h"
#include "scrim/composition.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static scrim_composition *parsed(const char *text)
{
    scrim_composition *composition = NULL;
    CHECK_STATUS(scrim_composition_parse(text, &composition, NULL), SCRIM_OK);
    return composition;
}

TEST(composition_shows_its_parts)
{
    scrim_composition *c =
        parsed("laplace scale=2 x3; poisson rate=1/4 gaussian sigma=1 x4");
    scrim_composition_part part;
    REQUIRE(c != NULL);
    CHECK_INT(scrim_composition_parts(c), 2);
    CHECK_INT(scrim_composition_releases(c), 7);
    CHECK_INT(scrim_composition_neighbours(c), SCRIM_ADD_REMOVE);
    REQUIRE_OK(scrim_composition_part_at(c, 0, &part, NULL));
    CHECK_STR(part.text, "laplace sensitivity=1 scale=2 neighbours=add-remove");
    CHECK_STR(part.rate, "");
    CHECK_STR(part.cost.epsilon, "0.5");
    CHECK_INT(part.count, 3);
    REQUIRE_OK(scrim_composition_part_at(c, 1, &part, NULL));
    CHECK_STR(part.rate, "0.25");
    CHECK_STR(part.cost.rho, "0.5");
    CHECK_STATUS(scrim_composition_part_at(c, 2, &part, NULL), SCRIM_E_PARAM);
    scrim_composition_free(c);
    scrim_composition_free(NULL);
}

/* All that must hold of any bounds. */
static void check_bounds(const scrim_bounds *bounds)
{
    size_t best = 0;
    sc_ratio lower, upper, other;
    exact_ratio(bounds->best.lower, &lower);
    sc_ratio_init(&upper);
    CHECK(bounds->best.has_lower);
    if (bounds->best.has_upper) {
        CHECK_STATUS(sc_ratio_parse(sc_text_of(bounds->best.upper), &upper, NULL),
                     SCRIM_OK);
        CHECK(sc_ratio_compare(&lower, &upper) <= 0);
        CHECK(bounds->best.lower_view <= bounds->best.upper_view);
        CHECK_NEAR(bounds->best.upper_view, strtod(bounds->best.upper, NULL), 1e-12);
    } else {
        CHECK_STR(bounds->best.upper, "");
        CHECK(isinf(bounds->best.upper_view));
    }
    for (size_t i = 0; i < bounds->count; i++) {
        const scrim_bound_row *row = &bounds->rows[i];
        best += row->is_best != 0;
        CHECK(!row->is_best || strcmp(row->bounds.upper, bounds->best.upper) == 0);
        CHECK(!row->is_best || row->accountant.is_adaptive == bounds->is_adaptive);
        CHECK(row->bounds.has_lower == (row->bounds.lower[0] != '\0'));
        CHECK(row->bounds.has_upper == (row->bounds.upper[0] != '\0'));
        CHECK(row->bounds.has_upper || row->bounds.has_lower || row->remark[0] != '\0');
        if (row->bounds.has_upper) {
            exact_ratio(row->bounds.upper, &other);
            CHECK(sc_ratio_compare(&upper, &other) <= 0);
            CHECK(sc_ratio_compare(&lower, &other) <= 0);
            sc_ratio_clear(&other);
        }
        if (row->bounds.has_lower) {
            exact_ratio(row->bounds.lower, &other);
            CHECK(sc_ratio_compare(&other, &lower) <= 0);
            sc_ratio_clear(&other);
        }
    }
    CHECK_INT(best, bounds->best.has_upper ? 1 : 0);
    sc_ratio_clear(&upper);
    sc_ratio_clear(&lower);
}

TEST(composition_bounds_are_in_order)
{
    /* The first few are quick. */
    static const char *const lines[] = {
        "laplace scale=2",
        "laplace scale=10 x100",
        "gaussian sigma=1",
        "randomised-response epsilon=1/2 x8",
        "gaussian sigma=5 x10; exponential epsilon=1/10 x5",
        "gaussian sigma=3 size=2 x3; laplace scale=4",
        "poisson rate=1/10 gaussian sigma=2 x5",
        "continuous-gaussian sigma=1; continuous-laplace scale=2",
        "partition-selection epsilon=1 delta=1e-8 x2",
    };
    for (size_t i = 0; i < check_count(4, COUNT(lines)); i++) {
        scrim_composition *c = parsed(lines[i]);
        scrim_bounds bounds;
        REQUIRE(c != NULL);
        if (CHECK_STATUS(scrim_composition_epsilon(c, "1e-6", NULL, &bounds, NULL),
                         SCRIM_OK)) {
            check_bounds(&bounds);
            scrim_bounds_clear(&bounds);
        }
        if (CHECK_STATUS(scrim_composition_delta(c, "3/2", NULL, &bounds, NULL),
                         SCRIM_OK)) {
            check_bounds(&bounds);
            CHECK(bounds.best.has_upper && bounds.best.upper_view <= 1);
            scrim_bounds_clear(&bounds);
        }
        scrim_composition_free(c);
    }
}

/* The numbers that the documentation prints. */
TEST(composition_tells_the_discrete_gaussian_from_the_continuous)
{
    static const struct {
        const char *line;
        double epsilon;
    } list[] = {{"gaussian sigma=1", 4.4996}, {"continuous-gaussian sigma=1", 4.8866}};
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_composition *c = parsed(list[i].line);
        scrim_bounds bounds;
        REQUIRE(c != NULL);
        REQUIRE_OK(scrim_composition_epsilon(c, "1e-6", NULL, &bounds, NULL));
        CHECK(fabs(bounds.best.upper_view - list[i].epsilon) < 1e-4);
        scrim_bounds_clear(&bounds);
        scrim_composition_free(c);
    }
}

/* One pure release: nothing but its own epsilon and delta, whoever counts. */
TEST(composition_of_one_release_is_its_cost)
{
    scrim_composition *c = parsed("exponential epsilon=1/2");
    scrim_bounds bounds;
    REQUIRE(c != NULL);
    REQUIRE_OK(scrim_composition_epsilon(c, "0", NULL, &bounds, NULL));
    CHECK_STR(bounds.best.upper, "0.5");
    CHECK_STR(bounds.best.lower, "0");
    scrim_bounds_clear(&bounds);
    REQUIRE_OK(scrim_composition_delta(c, "1/2", NULL, &bounds, NULL));
    CHECK_STR(bounds.best.upper, "0");
    scrim_bounds_clear(&bounds);
    scrim_bounds_clear(&bounds);
    scrim_bounds_clear(NULL);
    scrim_composition_free(c);
}

TEST(composition_asks_one_accountant)
{
    scrim_composition *c = parsed("laplace scale=2 x3");
    scrim_accountant_entry entry;
    scrim_bounds bounds;
    size_t count = 0;
    REQUIRE(c != NULL);
    for (; scrim_accountant_at(count, &entry); count++) {
        REQUIRE_OK(scrim_composition_epsilon(
            c, "1e-6", SCRIM_OPTIONS(scrim_composition_options, .accountant = entry.name),
            &bounds, NULL));
        REQUIRE(bounds.count == 1);
        CHECK_STR(bounds.rows[0].accountant.name, entry.name);
        CHECK_STR(bounds.rows[0].accountant.summary, entry.summary);
        check_bounds(&bounds);
        scrim_bounds_clear(&bounds);
    }
    CHECK(count >= 1);
    REQUIRE_OK(scrim_composition_epsilon(c, "1e-6", NULL, &bounds, NULL));
    CHECK_INT(bounds.count, count);
    scrim_bounds_clear(&bounds);
    scrim_composition_free(c);
}

TEST(composition_refuses_what_is_no_question)
{
    static const struct {
        const char *at;
        bool for_epsilon;
        scrim_status status;
        const char *message;
    } list[] = {
        {"1", true, SCRIM_E_PARAM, "delta must be at least 0 and less than 1"},
        {"-1e-9", true, SCRIM_E_PARAM, "delta must be at least 0 and less than 1"},
        {"nan", true, SCRIM_E_SYNTAX, "delta: "},
        {"1e-99999", true, SCRIM_E_LIMIT, "delta: "},
        {NULL, true, SCRIM_E_PARAM, "delta is missing"},
        {"-1", false, SCRIM_E_PARAM, "epsilon must be at least 0"},
        {"", false, SCRIM_E_SYNTAX, "epsilon: "},
        {NULL, false, SCRIM_E_PARAM, "epsilon is missing"},
    };
    scrim_composition *c = parsed("laplace scale=2"), *none = NULL;
    scrim_bounds bounds = {.count = 77};
    REQUIRE(c != NULL);
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_error error = {.message = ""};
        CHECK_STATUS((list[i].for_epsilon ? scrim_composition_epsilon
                                          : scrim_composition_delta)(c, list[i].at, NULL,
                                                                     &bounds, &error),
                     list[i].status);
        if (!CHECK(strstr(error.message, list[i].message) == error.message))
            CHECK_FAIL("%s", error.message);
        CHECK_INT(bounds.count, 77);
    }
    scrim_error error;
    CHECK_STATUS(scrim_composition_epsilon(
                     c, "1e-6",
                     SCRIM_OPTIONS(scrim_composition_options, .accountant = "basik"),
                     &bounds, &error),
                 SCRIM_E_PARAM);
    CHECK_STR(error.message, "unknown accountant 'basik'; did you mean 'basic'?");
    CHECK_STATUS(scrim_composition_epsilon(c, "1e-6", &(scrim_composition_options){0},
                                           &bounds, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_composition_parse(NULL, &none, &error), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_composition_parse("laplace", &none, &error), SCRIM_E_PARAM);
    CHECK(none == NULL);
    scrim_composition_free(c);
}

typedef struct watched {
    uint64_t calls, done, total;
} watched;

static void watch(void *context, uint64_t done, uint64_t total)
{
    watched *w = context;
    CHECK(done > w->done && done <= total);
    w->calls++;
    w->done = done;
    w->total = total;
}

/* A point of a curve against the answer to the question itself: no better, and no more than a hundredth
 * worse. */
static void check_point(const scrim_bound_pair *point, const scrim_bound_pair *best)
{
    CHECK(point->has_lower && point->has_upper);
    CHECK(point->upper_view >= best->upper_view * (1 - 1e-12));
    CHECK(point->upper_view <= best->upper_view * 1.01);
    CHECK(point->lower_view <= best->lower_view * (1 + 1e-12));
    CHECK(point->lower_view >= best->lower_view * 0.99);
}

TEST(composition_curves_are_made_of_answers)
{
    static const char *const deltas[] = {"1e-9", "1e-6", "1e-3"};
    static const uint64_t releases[] = {1, 3, 5};
    static const char *const first[] = {"laplace scale=2", "laplace scale=2 x3",
                                        "laplace scale=2 x3; gaussian sigma=3 x2"};
    scrim_composition *c = parsed(first[2]);
    scrim_bound_pair curve[3], growth[3];
    watched seen = {0};
    REQUIRE(c != NULL);
    REQUIRE_OK(scrim_composition_curve(
        c, deltas, 3,
        SCRIM_OPTIONS(scrim_composition_options, .progress = watch, .context = &seen),
        curve, NULL));
    CHECK(seen.done == 3 && seen.calls == 3 && seen.total == 3);
    REQUIRE_OK(scrim_composition_growth(c, "1e-6", releases, 3, NULL, growth, NULL));
    for (size_t i = 0; i < 3; i++) {
        scrim_bounds bounds;
        scrim_composition *part = parsed(first[i]);
        REQUIRE(part != NULL);
        REQUIRE_OK(scrim_composition_epsilon(c, deltas[i], NULL, &bounds, NULL));
        check_point(&curve[i], &bounds.best);
        scrim_bounds_clear(&bounds);
        REQUIRE_OK(scrim_composition_epsilon(part, "1e-6", NULL, &bounds, NULL));
        check_point(&growth[i], &bounds.best);
        scrim_bounds_clear(&bounds);
        scrim_composition_free(part);
    }
    CHECK(curve[0].upper_view > curve[2].upper_view);
    CHECK(growth[0].upper_view < growth[2].upper_view);
    CHECK_STATUS(
        scrim_composition_growth(c, "1e-6", (uint64_t[]){6}, 1, NULL, growth, NULL),
        SCRIM_E_PARAM);
    CHECK_STATUS(
        scrim_composition_growth(c, "1e-6", (uint64_t[]){0}, 1, NULL, growth, NULL),
        SCRIM_E_PARAM);
    scrim_composition_free(c);
}

enum { WORK_US = 4000, DAWDLE_NS = 2 * 1000 * WORK_US };

/* One shot: a timer that repeats is due again before a long handler returns, and nothing else would run. */
static void dawdle_after(long microseconds)
{
    const struct itimerval once = {{0, 0}, {0, microseconds}};
    setitimer(ITIMER_PROF, &once, NULL);
}

/* Takes twice the processor time that ran before it, as a busy or an older machine does. */
static void dawdle(int signal)
{
    (void)signal;
    struct timespec begin, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec <
           DAWDLE_NS);
    dawdle_after(WORK_US);
}

static void slow_down(bool is_slow)
{
    struct sigaction action = {.sa_handler = is_slow ? dawdle : SIG_IGN,
                               .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    CHECK(sigaction(SIGPROF, &action, NULL) == 0);
    dawdle_after(is_slow ? WORK_US : 0);
}

/* All rows of the bounds that so much work finds, a line each. */
static void bounds_within(const scrim_composition *composition, uint64_t units, char *out,
                          size_t bytes)
{
    sc_work_limit limit;
    scrim_bounds bounds = {.count = 0};
    size_t used = 0;
    sc_work_limit_enter(&limit, units);
    const scrim_status status =
        scrim_composition_epsilon(composition, "1e-6", NULL, &bounds, NULL);
    sc_work_limit_leave(&limit);
    CHECK_STATUS(status, SCRIM_OK);
    for (size_t i = 0; i < bounds.count && used < bytes; i++)
        used +=
            (size_t)snprintf(out + used, bytes - used, "%s %s %s %s\n",
                             bounds.rows[i].accountant.name, bounds.rows[i].bounds.lower,
                             bounds.rows[i].bounds.upper, bounds.rows[i].remark);
    CHECK(used > 0 && used < bytes);
    scrim_bounds_clear(&bounds);
}

/* Bounds that a limit cuts short are the same on a machine that is three times slower. */
SLOW_TEST(A104_bounds_do_not_depend_on_the_speed_of_the_machine)
{
    CLAIM("loss-work.ends");
    static const uint64_t limits[] = {50000000, 400000000};
    static char quick[COUNT(limits)][8192], slow[8192];
    scrim_composition *c =
        parsed("gaussian sigma=13 x24; laplace scale=45 x6; poisson rate=0.1 laplace "
               "scale=2; poisson rate=0.01 gaussian sigma=29 x3");
    REQUIRE(c != NULL);
    for (size_t i = 0; i < COUNT(limits); i++) {
        bounds_within(c, limits[i], quick[i], sizeof quick[i]);
        slow_down(true);
        bounds_within(c, limits[i], slow, sizeof slow);
        slow_down(false);
        CHECK_STR(slow, quick[i]);
    }
    /* and limits cut them short */
    CHECK(strcmp(quick[0], quick[1]) != 0);
    scrim_composition_free(c);
}

TEST(composition_without_memory)
{
    FAULT_LOOP(fault)
    {
        scrim_composition *c = NULL;
        scrim_bounds bounds = {0};
        scrim_status status =
            scrim_composition_parse("exponential epsilon=1 x2", &c, NULL);
        if (status == SCRIM_OK)
            status = scrim_composition_epsilon(
                c, "1e-6",
                SCRIM_OPTIONS(scrim_composition_options, .accountant = "basic"), &bounds,
                NULL);
        CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY);
        if (!fault_hit())
            CHECK_STATUS(status, SCRIM_OK);
        scrim_bounds_clear(&bounds);
        scrim_composition_free(c);
    }
}
