/* Floating bodies from end to end: what is charged and recorded, and where the body lies. */
#include "base/number/ball_double.h"
#include "body/body_ask.h"
#include "body/body_record.h"
#include "check.h"
#include "faults.h"
#include "model/measurement.h"
#include "query/query_scene.h"
#include "random/bits_tape.h"
#include "remains.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_body_fit_options, __VA_ARGS__)
#define COLUMNS "column=a=int[0,1000]\ncolumn=b=decimal[-1,1]/0.001\ncolumn=word=text\n"
#define POLICY "unit=row\n" COLUMNS "budget=epsilon=100000,delta=0.5\n"

static char bytes[400000];

/* Points of a lattice, evenly: a from 0 to 999, b from -1 to 1. */
static void write_points(int rows, int each)
{
    size_t used = (size_t)snprintf(bytes, sizeof bytes, "who,a,b,word\n");
    for (int i = 0; i < rows; i++)
        used += (size_t)snprintf(bytes + used, sizeof bytes - used, "p%d,%d,%.3f,w\n",
                                 i / each, i * 37 % 1000,
                                 (double)(i * 101 % 2000 - 1000) / 1000);
}

static scrim_body_release *run(query_scene *s, const scrim_body_fit_options *options)
{
    scrim_body_fit *fit = NULL;
    scrim_body_release *release = NULL;
    if (CHECK_STATUS(scrim_body_fit_new(s->vault, "people", options, &fit, &s->error),
                     SCRIM_OK))
        CHECK_STATUS(scrim_body_fit_run(s->vault, fit, &release, &s->error), SCRIM_OK);
    if (release == NULL)
        CHECK_STR(s->error.message, "");
    scrim_body_fit_free(fit);
    return release;
}

static double bound_at(const scrim_body_release *release, size_t row)
{
    double out;
    sc_ratio bound;
    sc_ratio_init(&bound);
    sc_body_bound(release->body, row, &bound);
    out = sc_ball_near(&bound);
    sc_ratio_clear(&bound);
    return out;
}

/* The same body, but not its label: each time an answer is recorded it ends with other random bits, and so with another
 * digest. */
static void check_same_body(const scrim_body_release *a, const scrim_body_release *b)
{
    static char texts[2][100000];
    const scrim_body_release *const releases[] = {a, b};
    for (size_t i = 0; i < 2; i++) {
        if (releases[i] == NULL)
            return;
        CHECK(scrim_body_format(releases[i]->body, texts[i], sizeof texts[i]) <
              sizeof texts[i]);
        char *label = strstr(texts[i], "\"scrim-label\"");
        if (CHECK(label != NULL))
            *label = '\0';
    }
    CHECK_STR(texts[0], texts[1]);
}

static void check_same(const scrim_body_release *a, const scrim_body_release *b)
{
    static char first[100000], second[100000];
    if (a == NULL || b == NULL)
        return;
    CHECK(scrim_body_format(a->body, first, sizeof first) < sizeof first);
    CHECK(scrim_body_format(b->body, second, sizeof second) < sizeof second);
    CHECK_STR(first, second);
}

TEST(body_release_is_charged_once_and_shown_again)
{
    CLAIM("body-ask.charged");
    CLAIM("body-ask.once");
    CLAIM("body-record.back");
    query_scene s;
    char left[3 * SCRIM_NUMBER_BYTES];
    write_points(2000, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        scrim_body_release *first =
            run(&s, OPTIONS(.columns = "a,b", .q = "0.9", .epsilon = "160"));
        CHECK_STR(query_scene_left(&s, left), "99840 0.5 1");
        scrim_body_release *again = run(
            &s, OPTIONS(.columns = " a , b", .epsilon = "160.0", .direction_count = 16,
                        .directions = "equiangular", .workers = 2));
        CHECK_STR(query_scene_left(&s, left), "99840 0.5 1");
        scrim_body_release *other =
            run(&s, OPTIONS(.columns = "a,b", .epsilon = "8", .delta = "1e-6"));
        CHECK_STR(query_scene_left(&s, left), "99832 0.499999 2");
        check_same(first, again);
        if (first != NULL && again != NULL && other != NULL) {
            scrim_body_released facts;
            scrim_body_release *replayed = NULL;
            scrim_body_release_describe(again, &facts);
            CHECK_INT(facts.is_repeated, 1);
            CHECK_INT(facts.is_point, 0);
            CHECK_STR(facts.cost.epsilon, "160");
            CHECK_INT(facts.release, first->id);
            CHECK_STATUS(scrim_body_replay(s.vault, first->id, &replayed, &s.error),
                         SCRIM_OK);
            check_same(first, replayed);
            scrim_body_release_free(replayed);
            CHECK_STR(first->body->texts[SC_BODY_COMPOSITION], "pure");
            CHECK_STR(other->body->texts[SC_BODY_COMPOSITION], "concentrated");
            CHECK(strstr(first->body->texts[SC_BODY_LABEL], "epsilon 160") != NULL);
            CHECK_INT(first->body->row_count, 16);
            /* The upper end of a, in its range of 1000, and of b, in its range of 2. */
            CHECK(fabs(bound_at(first, 0) - 0.9) < 0.005);
            CHECK(fabs(bound_at(first, 4) - 0.9) < 0.005);
            CHECK(fabs(bound_at(first, 8) + 0.1) < 0.005);
            CHECK(fabs(bound_at(other, 0) - 0.9) < 0.05);
        }
        scrim_body_release_free(first);
        scrim_body_release_free(again);
        scrim_body_release_free(other);
    }
    query_scene_end(&s);
}

static void keep_progress(void *context, uint64_t done, uint64_t total)
{
    uint64_t *told = context;
    CHECK(done >= told[0] && done <= total);
    told[0] = done;
    told[1] = total;
}

SLOW_TEST(body_progress_ends_with_the_last_direction)
{
    static const unsigned counts[] = {2, 4, 16, 20};
    query_scene s;
    write_points(2000, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        for (size_t i = 0; i < COUNT(counts); i++) {
            uint64_t told[2] = {0, 1};
            scrim_body_release_free(
                run(&s, OPTIONS(.columns = counts[i] == 2 ? "a" : "a,b", .epsilon = "10",
                                .direction_count = counts[i],
                                .directions = counts[i] == 2 ? "axes" : "equiangular",
                                .progress = keep_progress, .context = told)));
            CHECK_INT(told[0], told[1]);
        }
    }
    query_scene_end(&s);
}

/* Keeps told[0] and told[1] as above, and in told[2] how often it was told after the rows were read. */
static void count_drawing(void *context, uint64_t done, uint64_t total)
{
    uint64_t *told = context;
    keep_progress(told, done, total);
    told[2] += 2 * done > total;
}

/* As often for no row, for fewer than the first level of depth takes, and for many. */
SLOW_TEST(deep_point_tells_its_directions_whatever_the_rows)
{
    static const int rows[] = {0, 20, 2000};
    uint64_t steps = 0;
    for (size_t i = 0; i < COUNT(rows); i++) {
        query_scene s;
        write_points(rows[i], 1);
        if (query_scene_begin(&s, POLICY, bytes)) {
            uint64_t told[3] = {0, 1, 0};
            scrim_body_release_free(
                run(&s, OPTIONS(.columns = "a,b", .epsilon = "10", .method = "depth",
                                .expected_units = 2000, .progress = count_drawing,
                                .context = told)));
            CHECK_INT(told[0], told[1]);
            CHECK_INT(told[1], 1000);
            CHECK(told[2] > 4);
            CHECK(i == 0 || told[2] == steps);
            steps = told[2];
        }
        query_scene_end(&s);
    }
}

/* How far it is tells how long it takes, which a quantum hides. */
SLOW_TEST(body_tells_no_progress_at_a_quantum)
{
    CLAIM("ask.quantum");
    query_scene s;
    write_points(100, 1);
    if (query_scene_begin(&s, POLICY "max-size=512KiB\nquantum=0.001\n", bytes)) {
        uint64_t told[2] = {0, 1};
        scrim_body_release_free(
            run(&s, OPTIONS(.columns = "a", .epsilon = "10", .progress = keep_progress,
                            .context = told)));
        scrim_body_release_free(
            run(&s, OPTIONS(.columns = "a", .epsilon = "10", .method = "depth",
                            .expected_units = 100, .progress = keep_progress,
                            .context = told)));
        CHECK(told[0] == 0 && told[1] == 1);
    }
    query_scene_end(&s);
}

static void end_process(void *context, uint64_t done, uint64_t total)
{
    (void)context, (void)done, (void)total;
    _exit(42);
}

/* A child charges a body and ends while it reads. */
static void leave_pending(query_scene *s, const scrim_body_fit_options *options)
{
    scrim_vault_close(s->vault);
    s->vault = NULL;
    const pid_t child = fork();
    if (child == 0) {
        scrim_body_fit_options ended = *options;
        ended.progress = end_process;
        s->vault = scene_open(&s->base);
        (void)run(s, &ended);
        _exit(1);
    }
    int state = 0;
    CHECK(waitpid(child, &state, 0) == child && WIFEXITED(state) &&
          WEXITSTATUS(state) == 42);
}

/* Each person has two rows, of which the release keeps one, the same whoever finishes it: the vault as it was when the
 * process ended is put back, and one charge has one body. */
TEST(body_release_is_finished_by_another_process)
{
    CLAIM("body-ask.once");
    const scrim_body_fit_options *options =
        OPTIONS(.columns = "a,b", .epsilon = "160", .workers = 1);
    query_scene s;
    char kept[128], left[3 * SCRIM_NUMBER_BYTES];
    scrim_body_release *made[2] = {NULL};
    write_points(600, 2);
    if (query_scene_begin(
            &s, "unit=who\nrows-per-unit=1\n" COLUMNS "budget=epsilon=1000,delta=0.5\n",
            bytes)) {
        snprintf(kept, sizeof kept, "%s/kept", s.base.folder);
        leave_pending(&s, options);
        CHECK(scene_copy(s.base.path, kept));
        for (size_t turn = 0; turn < COUNT(made); turn++) {
            scrim_vault_close(s.vault);
            CHECK(turn == 0 || scene_copy(kept, s.base.path));
            s.vault = scene_open(&s.base);
            REQUIRE(s.vault != NULL);
            made[turn] = run(&s, options);
            CHECK_STR(query_scene_left(&s, left), "840 0.5 1");
        }
        check_same_body(made[0], made[1]);
    }
    scrim_body_release_free(made[0]);
    scrim_body_release_free(made[1]);
    query_scene_end(&s);
}

TEST(body_questions_differ_when_what_is_asked_does)
{
    CLAIM("body-plan.question");
    query_scene s;
    write_points(10, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        const scrim_body_fit_options asked[] = {
            {.size = sizeof *asked, .columns = "a,b", .epsilon = "1"},
            {.size = sizeof *asked, .columns = "a, b", .epsilon = "1.00", .q = "9/10"},
            {.size = sizeof *asked, .columns = "b,a", .epsilon = "1"},
            {.size = sizeof *asked, .columns = "a,b", .epsilon = "1", .q = "0.8"},
            {.size = sizeof *asked,
             .columns = "a,b",
             .epsilon = "1",
             .direction_count = 8},
            {.size = sizeof *asked,
             .columns = "a,b",
             .epsilon = "1",
             .directions = "axes"},
            {.size = sizeof *asked, .columns = "a,b", .epsilon = "1", .scales = "10,1"},
            {.size = sizeof *asked, .columns = "a,b", .epsilon = "1", .scales = "20,1"},
            {.size = sizeof *asked, .columns = "a,b", .epsilon = "1", .delta = "0.01"},
            {.size = sizeof *asked, .columns = "a", .epsilon = "1"},
            {.size = sizeof *asked,
             .columns = "a,b",
             .epsilon = "1",
             .directions = "frames",
             .seed = 3},
            {.size = sizeof *asked,
             .columns = "a,b",
             .epsilon = "1",
             .directions = "frames",
             .seed = 4},
            {.size = sizeof *asked,
             .columns = "a,b",
             .epsilon = "1",
             .method = "depth",
             .expected_units = 9},
            {.size = sizeof *asked,
             .columns = "a,b",
             .epsilon = "1",
             .method = "depth",
             .expected_units = 10}};
        scrim_body_fit *fits[COUNT(asked)] = {NULL};
        for (size_t i = 0; i < COUNT(asked); i++)
            if (CHECK_STATUS(
                    scrim_body_fit_new(s.vault, "people", &asked[i], &fits[i], &s.error),
                    SCRIM_OK))
                for (size_t j = 0; j < i; j++)
                    CHECK_INT(strcmp(fits[i]->question, fits[j]->question) == 0,
                              i == 1 && j == 0);
            else
                CHECK_FAIL("%zu: %s", i, s.error.message);
        for (size_t i = 0; i < COUNT(asked); i++)
            scrim_body_fit_free(fits[i]);
    }
    query_scene_end(&s);
}

/* Refusals, before anything is spent. */
TEST(bodies_that_are_none_cost_nothing)
{
    CLAIM("body-ask.charged");
    query_scene s;
    char before[3 * SCRIM_NUMBER_BYTES], left[3 * SCRIM_NUMBER_BYTES];
    write_points(10, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        static const struct {
            scrim_body_fit_options options;
            scrim_status want;
        } cases[] = {
            {{.columns = NULL, .epsilon = "1"}, SCRIM_E_PARAM},
            {{.columns = "a,c", .epsilon = "1"}, SCRIM_E_PARAM},
            {{.columns = "a,a", .epsilon = "1"}, SCRIM_E_PARAM},
            {{.columns = "a,word", .epsilon = "1"}, SCRIM_E_PARAM},
            {{.columns = "a"}, SCRIM_E_PARAM},
            {{.columns = "a", .epsilon = "0"}, SCRIM_E_PARAM},
            {{.columns = "a", .epsilon = "-1"}, SCRIM_E_PARAM},
            {{.columns = "a", .epsilon = "inf"}, SCRIM_E_SYNTAX},
            {{.columns = "a", .epsilon = "1", .q = "0"}, SCRIM_E_PARAM},
            {{.columns = "a", .epsilon = "1", .q = "1"}, SCRIM_E_PARAM},
            {{.columns = "a", .epsilon = "1", .delta = "1"}, SCRIM_E_PARAM},
            {{.columns = "a", .epsilon = "1", .delta = "-1e-9"}, SCRIM_E_PARAM},
            {{.columns = "a,b", .epsilon = "1", .direction_count = 7}, SCRIM_E_PARAM},
            {{.columns = "a,b", .epsilon = "1", .direction_count = 100000},
             SCRIM_E_LIMIT},
            {{.columns = "a,b", .epsilon = "1", .directions = "some"}, SCRIM_E_PARAM},
            {{.columns = "a,b", .epsilon = "1", .directions = "given"}, SCRIM_E_PARAM},
            {{.columns = "a,b", .epsilon = "1", .vectors = "1,1"}, SCRIM_E_PARAM},
            {{.columns = "a,b", .epsilon = "1", .vectors = "1,0,0.6"}, SCRIM_E_PARAM},
            /* A half-plane, and no region. */
            {{.columns = "a,b", .epsilon = "1", .vectors = "1,0;-1,0"}, SCRIM_E_PARAM},
            {{.columns = "a,b", .epsilon = "1", .scales = "1"}, SCRIM_E_PARAM},
            {{.columns = "a,b", .epsilon = "1", .scales = "1,0"}, SCRIM_E_PARAM},
            {{.columns = "a,b", .epsilon = "1", .scales = "1,1e9"}, SCRIM_E_LIMIT},
            {{.columns = "a,b", .epsilon = "1e-6"}, SCRIM_E_LIMIT},
            {{.columns = "a,b", .epsilon = "1", .method = "mode"}, SCRIM_E_PARAM},
            {{.columns = "a,b", .epsilon = "1", .method = "depth"}, SCRIM_E_PARAM}};
        query_scene_left(&s, before);
        for (size_t i = 0; i < COUNT(cases); i++) {
            scrim_body_fit *fit = NULL;
            scrim_body_fit_options options = cases[i].options;
            options.size = sizeof options;
            if (!CHECK_STATUS(
                    scrim_body_fit_new(s.vault, "people", &options, &fit, &s.error),
                    cases[i].want))
                CHECK_FAIL("case %zu: %s", i, s.error.message);
            scrim_body_fit_free(fit);
        }
        /* A budget that is not there: refused by the ledger. */
        scrim_body_fit *fit = NULL;
        scrim_body_release *release = NULL;
        CHECK_STATUS(
            scrim_body_fit_new(s.vault, "people",
                               OPTIONS(.columns = "a,b", .epsilon = "1", .delta = "0.9"),
                               &fit, NULL),
            SCRIM_OK);
        CHECK_STATUS(scrim_body_fit_run(s.vault, fit, &release, NULL), SCRIM_E_BUDGET);
        scrim_body_fit_free(fit);
        CHECK_STR(query_scene_left(&s, left), before);
    }
    query_scene_end(&s);
}

/* Ties everywhere, one row, none, all outside, NULL: a body comes out, within the ranges. */
FAULT_TEST(bodies_of_any_rows)
{
    static const char *const tables[] = {
        "who,a,b,word\n", "who,a,b,word\np,1,0.5,w\n",
        "who,a,b,word\np,5,0,w\nq,5,0,w\nr,5,0,w\ns,5,0,w\n",
        "who,a,b,word\np,99999,77,w\nq,-99999,-77,w\n",
        "who,a,b,word\np,,0.1,w\nq,x,y,w\nr,inf,nan,w\ns,3,,w\n"};
    static const char *const policies[] = {POLICY,
                                           "unit=row\nneighbours=replace\n" COLUMNS
                                           "budget=epsilon=100000,delta=0.5\n",
                                           "unit=who\nmax-rows=3\nmax-groups=1\n" COLUMNS
                                           "budget=epsilon=100000,delta=0.5\n"};
    for (size_t t = 0; t < COUNT(tables); t++)
        for (size_t p = 0; p < COUNT(policies); p++) {
            query_scene s;
            if (query_scene_begin(&s, policies[p], tables[t])) {
                scrim_body_release *body =
                    run(&s, OPTIONS(.columns = "a,b", .epsilon = "1"));
                scrim_body_release *point =
                    run(&s, OPTIONS(.columns = "a,b", .epsilon = "1", .method = "depth",
                                    .expected_units = 10));
                for (size_t i = 0; body != NULL && i < body->body->row_count; i++)
                    CHECK(body->body->rows[i].offset <= body->body->rows[i].cells);
                for (size_t i = 0; point != NULL && i < 2; i++) {
                    scrim_body_coordinate at;
                    CHECK_INT(scrim_body_release_point_at(point, i, &at), 1);
                    CHECK(i == 0 ? at.value >= 0 && at.value <= 1000
                                 : at.value >= -1 && at.value <= 1);
                }
                scrim_body_release_free(body);
                scrim_body_release_free(point);
            }
            query_scene_end(&s);
        }
}

/* A row with a missing value lies at the lower end of each direction: three of four rows there leave all medians there. */
TEST(rows_with_missing_values_lie_low)
{
    query_scene s;
    size_t used = (size_t)snprintf(bytes, sizeof bytes, "who,a,b,word\n");
    for (int i = 0; i < 1000; i++)
        used += (size_t)snprintf(bytes + used, sizeof bytes - used, "p%d,%s,0.9,w\n", i,
                                 i % 4 == 0 ? "900" : "");
    if (query_scene_begin(&s, POLICY, bytes)) {
        scrim_body_release *r = run(&s, OPTIONS(.columns = "a,b", .q = "1/2",
                                                .epsilon = "80", .directions = "axes"));
        for (size_t i = 0; r != NULL && i < 4; i++)
            CHECK_INT(r->body->rows[i].offset, 0);
        scrim_body_release_free(r);
    }
    query_scene_end(&s);
}

/* Values of a row stay together: where b follows a, no row lies off the diagonal, whoever has read it. */
TEST(body_rows_keep_their_columns_together)
{
    query_scene s;
    size_t used = (size_t)snprintf(bytes, sizeof bytes, "who,a,b,word\n");
    for (int i = 0; i < 4000; i++) {
        const int at = i * 7919 % 1001;
        used += (size_t)snprintf(bytes + used, sizeof bytes - used, "p%d,%d,%.3f,w\n",
                                 i / 2, at, (double)(2 * at - 1000) / 1000);
    }
    static const char *const policies[] = {POLICY,
                                           "unit=who\nmax-rows=2\nmax-groups=1\n" COLUMNS
                                           "budget=epsilon=100000,delta=0.5\n"};
    for (size_t p = 0; p < COUNT(policies); p++) {
        if (query_scene_begin(&s, policies[p], bytes)) {
            scrim_body_release *r =
                run(&s, OPTIONS(.columns = "a,b", .epsilon = "80", .direction_count = 8));
            if (r != NULL) {
                CHECK(fabs(bound_at(r, 3)) < 0.002); /* (-1, 1)/sqrt 2 */
                CHECK(fabs(bound_at(r, 7)) < 0.002);
                CHECK(fabs(bound_at(r, 1) - 0.9 * sqrt(2)) < 0.01);
            }
            scrim_body_release_free(r);
        }
        query_scene_end(&s);
    }
}

/* A few of a person's many rows count. */
/* The map from a value to its coordinate by itself: ends are kept whatever comes, and NULL is no coordinate. */
TEST(body_coordinates_are_clamped)
{
    CLAIM("body-plan.unit");
    query_scene s;
    write_points(3, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        scrim_body_fit *fit = NULL;
        CHECK_STATUS(scrim_body_fit_new(s.vault, "people",
                                        OPTIONS(.columns = "a,b", .epsilon = "1"), &fit,
                                        &s.error),
                     SCRIM_OK);
        for (size_t j = 0; fit != NULL && j < 2; j++) {
            const sc_grid *grid = &fit->columns[j]->grid;
            const int64_t end = fit->extents[j];
            CHECK_INT(sc_body_fit_coordinate(fit, j, grid->low), 0);
            CHECK_INT(sc_body_fit_coordinate(fit, j, grid->low - 1), 0);
            CHECK_INT(sc_body_fit_coordinate(fit, j, -INT64_MAX), 0);
            CHECK_INT(sc_body_fit_coordinate(fit, j, grid->high), end);
            CHECK_INT(sc_body_fit_coordinate(fit, j, grid->high + 1), end);
            CHECK_INT(sc_body_fit_coordinate(fit, j, INT64_MAX - 1), end);
            CHECK_INT(sc_body_fit_coordinate(fit, j, SC_NULL), SC_DIRECTION_MISSING);
        }
        scrim_body_fit_free(fit);
    }
    query_scene_end(&s);
}

static size_t room_of(const char *policy, size_t each)
{
    query_scene s;
    size_t room = 0;
    if (query_scene_begin(&s, policy, bytes)) {
        scrim_body_fit *fit = NULL;
        sc_body_rows rows = {.pass = NULL};
        sc_tape *tape = NULL;
        const sc_pass_options options = {.workers = 2, .memory_bytes = 1 << 20};
        CHECK_STATUS(scrim_body_fit_new(s.vault, "people",
                                        OPTIONS(.columns = "a,b", .epsilon = "1"), &fit,
                                        &s.error),
                     SCRIM_OK);
        CHECK_STATUS(sc_tape_seeded(1, &tape, &s.error), SCRIM_OK);
        if (fit != NULL && tape != NULL &&
            CHECK_STATUS(
                sc_body_rows_open(&rows, fit, &options, sc_tape_bits_of(tape), &s.error),
                SCRIM_OK))
            CHECK(sc_body_rows_room(&rows, each, &room));
        if (rows.pass != NULL)
            room -= sc_pass_room_bytes(rows.pass);
        sc_body_rows_close(&rows);
        sc_tape_free(tape);
        scrim_body_fit_free(fit);
    }
    query_scene_end(&s);
    return room;
}

#define SMALL POLICY "max-size=64KiB\n"

/* Rows that are few, many, empty or malformed: the same declared size has the same room. A row with values in two of three
 * columns has 5 bytes of text, a malformed one 2. */
TEST(body_rows_ask_for_public_memory)
{
    CLAIM("body-rows.room");
    enum { SIZE = 1 << 16, EACH = 1 << 12 };
    write_points(3, 1);
    const size_t few = room_of(SMALL, 0), wide = room_of(SMALL, EACH);
    write_points(2000, 1);
    CHECK_INT(room_of(SMALL, 0), few);
    CHECK_INT(room_of(SMALL, EACH), wide);
    strcpy(bytes, "who,a,b,word\n,,,\n,,,\n,,,\n");
    CHECK_INT(room_of(SMALL, EACH), wide);
    strcpy(bytes, "who,a,b,word\nx\nx\nx\n");
    CHECK_INT(room_of(SMALL, EACH), wide);
    CHECK(few >= sc_direction_rows_bytes(2, SIZE / 5));
    CHECK(few < 2 * sc_direction_rows_bytes(2, SIZE / 5));
    const size_t full = (size_t)(SIZE / 5) * EACH, any = (size_t)(SIZE / 2) * EACH;
    CHECK(wide - few <= any && wide - few >= any - (size_t)SIZE * 8);
    CHECK(any > full);
    CHECK(room_of(POLICY "max-size=256KiB\n", EACH) > 3 * (wide - few));
}

TEST(body_rows_are_bounded_by_unit)
{
    query_scene s;
    size_t used = (size_t)snprintf(bytes, sizeof bytes, "who,a,b,word\n");
    for (int i = 0; i < 500; i++)
        used += (size_t)snprintf(bytes + used, sizeof bytes - used, "p%d,100,0,w\n", i);
    for (int i = 0; i < 3000; i++)
        used += (size_t)snprintf(bytes + used, sizeof bytes - used, "loud,900,0,w\n");
    if (query_scene_begin(&s,
                          "unit=who\nmax-rows=2\nmax-groups=1\n" COLUMNS
                          "budget=epsilon=100000,delta=0.5\n",
                          bytes)) {
        scrim_body_release *r =
            run(&s, OPTIONS(.columns = "a", .q = "1/2", .epsilon = "30"));
        if (r != NULL) {
            CHECK_INT(r->body->max_rows, 2);
            CHECK(fabs(bound_at(r, 0) - 0.1) < 0.01);
        }
        scrim_body_release_free(r);
    }
    query_scene_end(&s);
}

/* Two of ten rows of each of 100 people count: 500 of 700 lie low, two thirds are there. With three each it would be 500 of 800. */
TEST(body_keeps_no_more_rows_of_a_unit)
{
    CLAIM("body-plan.unit");
    query_scene s;
    size_t used = (size_t)snprintf(bytes, sizeof bytes, "who,a,b,word\n");
    for (int i = 0; i < 500; i++)
        used += (size_t)snprintf(bytes + used, sizeof bytes - used, "p%d,100,0,w\n", i);
    for (int i = 0; i < 1000; i++)
        used += (size_t)snprintf(bytes + used, sizeof bytes - used, "loud%d,900,0,w\n",
                                 i / 10);
    if (query_scene_begin(&s,
                          "unit=who\nmax-rows=2\nmax-groups=1\n" COLUMNS
                          "budget=epsilon=100000,delta=0.5\n",
                          bytes)) {
        scrim_body_release *r =
            run(&s, OPTIONS(.columns = "a", .q = "2/3", .epsilon = "40"));
        if (r != NULL)
            CHECK(fabs(bound_at(r, 0) - 0.1) < 0.01);
        scrim_body_release_free(r);
    }
    query_scene_end(&s);
}

/* A plan made for one version releases nothing of the next, and spends nothing. */
TEST(body_of_another_version_is_refused)
{
    CLAIM("body-ask.charged");
    query_scene s;
    char left[3 * SCRIM_NUMBER_BYTES];
    write_points(10, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        scrim_body_fit *fit = NULL;
        scrim_body_release *release = NULL;
        if (CHECK_STATUS(scrim_body_fit_new(s.vault, "people",
                                            OPTIONS(.columns = "a,b", .epsilon = "1"),
                                            &fit, &s.error),
                         SCRIM_OK) &&
            CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error),
                         SCRIM_OK)) {
            CHECK_STATUS(scrim_body_fit_run(s.vault, fit, &release, &s.error),
                         SCRIM_E_POLICY);
            CHECK_STR(query_scene_left(&s, left), "100000 0.5 0");
        }
        scrim_body_release_free(release);
        scrim_body_fit_free(fit);
    }
    query_scene_end(&s);
}

/* Draws are private for as many rows as a unit may have, and for the neighbours of the policy. */
static void check_unit(const char *policy, uint64_t rows, scrim_neighbours neighbours)
{
    const scrim_body_fit_options *const asked[] = {
        OPTIONS(.columns = "a,b", .epsilon = "1"),
        OPTIONS(.columns = "a,b", .epsilon = "1", .delta = "1e-6"),
        OPTIONS(.columns = "a,b", .epsilon = "1", .method = "depth",
                .expected_units = 100)};
    query_scene s;
    write_points(10, 1);
    if (query_scene_begin(&s, policy, bytes))
        for (size_t i = 0; i < COUNT(asked); i++) {
            scrim_body_fit *f = NULL;
            if (!CHECK_STATUS(
                    scrim_body_fit_new(s.vault, "people", asked[i], &f, &s.error),
                    SCRIM_OK))
                continue;
            CHECK_INT(sc_measurement_integer(f->measurement, "max-rows", 1), rows);
            CHECK(sc_measurement_neighbours(f->measurement) == neighbours);
            CHECK(sc_ratio_compare(sc_measurement_get(f->measurement, "epsilon"),
                                   &f->budget.each) == 0);
            scrim_body_fit_free(f);
        }
    query_scene_end(&s);
}

TEST(body_hides_all_rows_of_a_unit)
{
    CLAIM("body-plan.unit");
    static const char budget[] = COLUMNS "budget=epsilon=100,delta=0.5\n";
    char policy[512];
    check_unit(POLICY, 1, SCRIM_ADD_REMOVE);
    snprintf(policy, sizeof policy, "unit=who\nmax-rows=3\nmax-groups=5\n%s", budget);
    check_unit(policy, 3, SCRIM_ADD_REMOVE);
    snprintf(policy, sizeof policy,
             "unit=who\nmax-rows=3\nmax-groups=1\nneighbours=replace\n%s", budget);
    check_unit(policy, 3, SCRIM_REPLACE);
}

/* Nine of ten rows share a value: no other point is as deep. */
SLOW_TEST(deep_points_are_values_of_the_columns)
{
    query_scene s;
    size_t used = (size_t)snprintf(bytes, sizeof bytes, "who,a,b,word\n");
    for (int i = 0; i < 3000; i++)
        used += (size_t)snprintf(bytes + used, sizeof bytes - used, "p%d,%d,%s,w\n", i,
                                 i % 10 == 0 ? i % 1000 : 333, "0.125");
    if (query_scene_begin(&s, POLICY, bytes)) {
        scrim_body_coordinate at;
        scrim_body_release *r =
            run(&s, OPTIONS(.columns = "a,b", .epsilon = "5", .method = "depth",
                            .expected_units = 3000));
        if (r != NULL) {
            CHECK(scrim_body_release_point_at(r, 0, &at) && at.value == 333);
            CHECK(scrim_body_release_point_at(r, 1, &at) && at.value == 0.125);
        }
        scrim_body_release_free(r);
    }
    query_scene_end(&s);
}

/* All points of a third of the rows are as deep as is told apart: in a square those within a third of its middle. */
SLOW_TEST(deep_points_are_in_the_middle)
{
    query_scene s;
    char left[3 * SCRIM_NUMBER_BYTES];
    write_points(3000, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        scrim_body_release *r =
            run(&s, OPTIONS(.columns = "a,b", .epsilon = "5", .method = "depth",
                            .expected_units = 3000));
        CHECK_STR(query_scene_left(&s, left), "99995 0.5 1");
        if (r != NULL) {
            scrim_body_coordinate at;
            scrim_body_release *again = NULL;
            CHECK(scrim_body_release_body(r) == NULL);
            CHECK(scrim_body_release_point_at(r, 0, &at) && fabs(at.value - 500) < 250);
            CHECK_STR(at.name, "a");
            CHECK(scrim_body_release_point_at(r, 1, &at) && fabs(at.value) < 0.5);
            CHECK_INT(scrim_body_release_point_at(r, 2, &at), 0);
            CHECK_STATUS(scrim_body_replay(s.vault, r->id, &again, NULL), SCRIM_OK);
            if (again != NULL)
                CHECK(sc_ratio_compare(&again->point[0], &r->point[0]) == 0);
            scrim_body_release_free(again);
        }
        scrim_body_release_free(r);
    }
    query_scene_end(&s);
}

SLOW_TEST(body_plans_describe_themselves)
{
    query_scene s;
    write_points(10, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        scrim_body_fit *fit = NULL;
        scrim_body_fit_facts facts;
        CHECK_STATUS(
            scrim_body_fit_new(s.vault, "people",
                               OPTIONS(.columns = "a,b", .q = "0.6", .epsilon = "1",
                                       .delta = "1e-6", .expected_units = 100000),
                               &fit, &s.error),
            SCRIM_OK);
        if (fit != NULL &&
            CHECK_STATUS(scrim_body_fit_describe(s.vault, fit, &facts, NULL), SCRIM_OK)) {
            CHECK_STR(facts.composition, "concentrated");
            CHECK_STR(facts.directions, "equiangular");
            CHECK_INT(facts.may_be_empty, 1);
            CHECK_INT(facts.is_known, 0);
            CHECK(facts.direction_count >= 16 && facts.direction_count <= 256);
            CHECK(strtod(facts.rank_error, NULL) > 50 &&
                  strtod(facts.rank_error, NULL) < 5000);
            CHECK(strtod(facts.epsilon_each, NULL) > 0.01);
        }
        scrim_body_fit_free(fit);
    }
    query_scene_end(&s);
}

FAULT_TEST(body_release_survives_without_memory)
{
    query_scene s;
    if (query_scene_begin(&s, POLICY, "who,a,b,word\np,1,0.5,w\nq,7,0,w\n")) {
        scrim_status status = SCRIM_OK;
        const scrim_body_fit_options *options =
            OPTIONS(.columns = "a,b", .epsilon = "1", .directions = "axes");
        FAULT_LOOP(plan)
        {
            scrim_body_fit *fit = NULL;
            status = scrim_body_fit_new(s.vault, "people", options, &fit, &s.error);
            if (status != SCRIM_OK)
                CHECK_STATUS(status, SCRIM_E_MEMORY);
            scrim_body_fit_free(fit);
        }
        CHECK_STATUS(status, SCRIM_OK);
        scrim_body_release *release = run(&s, options);
        FAULT_LOOP(show)
        {
            scrim_body_release *again = NULL;
            status = release == NULL
                         ? SCRIM_OK
                         : scrim_body_replay(s.vault, release->id, &again, &s.error);
            if (status != SCRIM_OK)
                CHECK_STATUS(status, SCRIM_E_MEMORY);
            scrim_body_release_free(again);
        }
        CHECK_STATUS(status, SCRIM_OK);
        scrim_body_release_free(release);
    }
    query_scene_end(&s);
}

/* A hundred rows with the same value, whose keys, or whose values themselves, stand side by side in memory while the answer is
 * drawn. Nothing of them is in memory that is given back. */
SLOW_TEST(body_release_wipes_the_rows_that_it_draws_from)
{
    CLAIM("release.wiped");
    static const char *const methods[] = {NULL, "depth"};
    size_t used = (size_t)snprintf(bytes, sizeof bytes, "a\n");
    for (int i = 0; i < 100; i++)
        used += (size_t)snprintf(bytes + used, sizeof bytes - used, "1234567891\n");
    for (size_t i = 0; i < COUNT(methods); i++) {
        query_scene s;
        scrim_body_fit *fit = NULL;
        scrim_body_release *release = NULL;
        if (query_scene_begin(&s,
                              "unit=row\ncolumn=a=int[0,2000000000]\n"
                              "budget=epsilon=100,delta=0.5\n",
                              bytes)) {
            masked secret;
            REQUIRE_OK(
                scrim_body_fit_new(s.vault, "people",
                                   OPTIONS(.columns = "a", .epsilon = "10",
                                           .method = methods[i], .expected_units = 100),
                                   &fit, &s.error));
            const int64_t value = sc_body_fit_coordinate(fit, 0, 1234567891),
                          drawn =
                              i == 0 ? sc_direction_key(&fit->keys, &value, 0) : value,
                          twice[2] = {drawn, drawn};
            masked_set(&secret, twice);
            freed_watch(&secret);
            CHECK_STATUS(scrim_body_fit_run(s.vault, fit, &release, &s.error), SCRIM_OK);
            CHECK_INT(freed_remains(), 0);
            scrim_body_release_free(release);
            scrim_body_fit_free(fit);
        }
        query_scene_end(&s);
    }
}
