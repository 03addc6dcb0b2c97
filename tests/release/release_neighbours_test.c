/* Record and replay of synthetic records, bodies and trees, as ask_neighbours_test.c does it for queries: a release of a
 * table is recorded, one of a neighbour is answered with what was drawn then. All that is recorded and said must be the
 * same to the last byte, and what went into each draw may differ by no more than its measurement claims. */
#include "check.h"
#include "query/neighbour_tables.h"
#include "query/query_scene.h"
#include "random/bits_tape.h"
#include "recorder.h"
#include "row_oracle.h"
#include "vault/vault_tape.h"

#include <stdio.h>
#include <string.h>

#define SYNTH(...)                                                                       \
    SCRIM_OPTIONS(scrim_synth_options, .epsilon = "1", .delta = "1e-6", .workers = 1,    \
                  __VA_ARGS__)
#define PURE(...)                                                                        \
    SCRIM_OPTIONS(scrim_synth_options, .epsilon = "1", .workers = 1, __VA_ARGS__)
#define BODY(...)                                                                        \
    SCRIM_OPTIONS(scrim_body_fit_options, .epsilon = "1", .workers = 1, __VA_ARGS__)
#define DESIGN(...) SCRIM_OPTIONS(scrim_hierarchy_design, __VA_ARGS__)

enum { SEEN_BYTES = 400000, STEPS = 4 };

/* Releases of one vault, one after the other. Each has a recorder and a tape of its own: a replay takes no bits. */
typedef struct scene_of {
    query_scene s;
    sc_tape *tapes[STEPS];
    sc_recorder **recorders; /* [STEPS] */
    size_t steps;
} scene_of;

typedef void asking(scene_of *o);

static query_scene *next(scene_of *o)
{
    const size_t i = o->steps++;
    if (CHECK_STATUS(sc_tape_seeded(9 + i, &o->tapes[i], NULL), SCRIM_OK))
        sc_vault_use_bits(o->s.vault, sc_tape_bits_of(o->tapes[i]));
    sc_vault_use_recorder(o->s.vault, o->recorders[i]);
    return &o->s;
}

/* Each is answered, whatever the rows are. */

static void ask_synth(scene_of *o, const scrim_synth_options *options)
{
    query_scene *s = next(o);
    scrim_synth *synth = NULL;
    scrim_synth_release *release = NULL;
    if (CHECK_STATUS(scrim_synth_new(s->vault, "people", options, &synth, &s->error),
                     SCRIM_OK))
        CHECK_STATUS(scrim_synth_run(s->vault, synth, &release, &s->error), SCRIM_OK);
    scrim_synth_release_free(release);
    scrim_synth_free(synth);
}

static void ask_report(scene_of *o, uint64_t id)
{
    query_scene *s = next(o);
    scrim_synth_release *release = NULL;
    scrim_synth_report *report = NULL;
    scrim_synth_comparison found;
    if (CHECK_STATUS(scrim_synth_replay(s->vault, id, &release, &s->error), SCRIM_OK) &&
        CHECK_STATUS(scrim_synth_report_new(
                         release, SCRIM_OPTIONS(scrim_synth_report_options, .rows = 30),
                         &report, &s->error),
                     SCRIM_OK))
        CHECK_STATUS(
            scrim_synth_report_charge(s->vault, release, report, "1", &found, &s->error),
            SCRIM_OK);
    scrim_synth_report_free(report);
    scrim_synth_release_free(release);
}

static void ask_body(scene_of *o, const scrim_body_fit_options *options)
{
    query_scene *s = next(o);
    scrim_body_fit *fit = NULL;
    scrim_body_release *release = NULL;
    if (CHECK_STATUS(scrim_body_fit_new(s->vault, "people", options, &fit, &s->error),
                     SCRIM_OK))
        CHECK_STATUS(scrim_body_fit_run(s->vault, fit, &release, &s->error), SCRIM_OK);
    scrim_body_release_free(release);
    scrim_body_fit_free(fit);
}

static void ask_tree(scene_of *o, const scrim_hierarchy_design *design,
                     const char *mechanism)
{
    query_scene *s = next(o);
    scrim_plan *plan = NULL;
    scrim_result *result = NULL;
    if (CHECK_STATUS(
            scrim_hierarchy_plan_design(s->vault, "people", design,
                                        SCRIM_OPTIONS(scrim_query_options, .epsilon = "1",
                                                      .delta = "1e-6", .workers = 1,
                                                      .mechanism = mechanism),
                                        &plan, NULL, &s->error),
            SCRIM_OK))
        CHECK_STATUS(scrim_query_run(s->vault, plan, &result, &s->error), SCRIM_OK);
    scrim_result_free(result);
    scrim_plan_free(plan);
}

/* Kinds of releases. */

static void mst(scene_of *o)
{
    const char *never = "sex=Male,age=120", *cut = "age=30";
    ask_synth(o, SYNTH(.columns = "age,sex,income", .cuts = &cut, .cut_count = 1,
                       .never = &never, .never_count = 1));
    ask_synth(o, SYNTH(.refine = 1));
    ask_report(o, 1);
}

static void aim(scene_of *o)
{
    const char *cut = "age=60";
    for (int i = 0; i < 2; i++) /* few cells with many rows move most */
        ask_synth(o, SCRIM_OPTIONS(scrim_synth_options, .columns = "age,sex",
                                   .method = "aim", .epsilon = i == 0 ? "8" : "16",
                                   .delta = "1e-6", .cuts = &cut, .cut_count = 1,
                                   .workers = 1));
}

static void mwem(scene_of *o)
{
    const char *cut = "age=40";
    ask_synth(o, PURE(.columns = "age,sex", .cuts = &cut, .cut_count = 1,
                      .method = "mwem", .ways = 1));
    ask_synth(
        o, SYNTH(.columns = "age,sex", .cuts = &cut, .cut_count = 1, .method = "mwem"));
    ask_report(o, 2);
    ask_synth(o, PURE(.columns = "sex", .method = "smalldb"));
}

static void queries(scene_of *o)
{
    static const char *const list[] = {"sex=Male", "age=0..39, sex=Female", "age=40..",
                                       "age=..39", "sex=Male|NULL, age=80.."};
    const char *cut = "age=40";
    ask_synth(o, PURE(.columns = "age,sex", .cuts = &cut, .cut_count = 1,
                      .method = "mwem", .queries = list, .query_count = COUNT(list)));
    ask_synth(o, SYNTH(.columns = "age,sex", .cuts = &cut, .cut_count = 1,
                       .method = "mwem", .queries = list, .query_count = 2));
    ask_report(o, 1);
    ask_synth(o, PURE(.columns = "age,sex", .cuts = &cut, .cut_count = 1,
                      .method = "smalldb", .queries = list, .query_count = 4));
}

static void keys(scene_of *o)
{
    const char *city = "city=3";
    ask_synth(
        o, SYNTH(.columns = "sex,city", .private_keys = &city, .private_key_count = 1));
    ask_report(o, 1);
}

static void bodies(scene_of *o)
{
    ask_body(o, BODY(.columns = "age,income", .direction_count = 8));
    ask_body(o, BODY(.columns = "age", .q = "1/2", .delta = "1e-6"));
    ask_body(o, BODY(.columns = "age", .method = "depth", .expected_units = 10));
}

static void trees(scene_of *o)
{
    static const char *const tables[] = {"sex", "BUCKET(income, 500)"};
    ask_tree(o, DESIGN(.levels = "sex, BUCKET(age, 60)"), "laplace");
    ask_tree(o,
             DESIGN(.levels = "BUCKET(age, 60) AS b", .tables = tables, .table_count = 1),
             "gaussian");
    ask_tree(o, DESIGN(.levels = "BUCKET(age, 60)", .tables = tables, .table_count = 2),
             "laplace");
}

static asking *const kinds[] = {mst, trees, aim, bodies, mwem, queries, keys};

/* The text that is seen. */

static void put(char *seen, const char *text)
{
    const size_t used = strlen(seen);
    snprintf(seen + used, SEEN_BYTES - used, "%s\n", text);
}

static void see(query_scene *s, char *seen)
{
    char left[3 * SCRIM_NUMBER_BYTES];
    scrim_vault_release release = {.id = 0};
    put(seen, s->error.message);
    put(seen, query_scene_left(s, left));
    for (uint64_t id = 1;
         scrim_vault_replay(s->vault, id, &release, &s->error) == SCRIM_OK; id++) {
        put(seen, release.measurement);
        put(seen, release.answer == NULL ? "no answer" : release.answer);
        scrim_vault_release_clear(&release);
    }
}

static void ask(const char *policy, const char *table, asking *kind,
                sc_recorder **recorders, char *seen)
{
    scene_of o = {.recorders = recorders};
    seen[0] = '\0';
    if (query_scene_begin(&o.s, policy, table)) {
        o.s.error = (scrim_error){.message = ""};
        kind(&o);
        see(&o.s, seen);
    }
    query_scene_end(&o.s);
    for (size_t i = 0; i < STEPS; i++)
        sc_tape_free(o.tapes[i]);
}

typedef struct policy_case {
    const char *lines;
    bool is_row, is_replaced;
} policy_case;

static const policy_case policies[] = {
    {"max-groups=3\nmax-rows=2\n", false, false},
    {"rows-per-unit=1\n", false, false},
    {"max-groups=2\nmax-rows=2\nneighbours=replace\n", false, true},
    {"neighbours=replace\n", true, true},
    {"missing=age=5\n", true, false}};

/* How many selections had a score that moved as far as is claimed. */
static int reached;

static void count_reached(const sc_recorder_call *a, const sc_recorder_call *b)
{
    int64_t most = 0;
    if (a->claim != SC_RECORDER_EACH || a->count != b->count)
        return;
    for (size_t i = 0; i < a->count; i++) {
        const int64_t move = (int64_t)(a->input[i] - b->input[i]);
        most = move > most ? move : -move > most ? -move : most;
    }
    reached += sc_ratio_compare_int64(&a->sensitivity, most) == 0;
}

static void compare(sc_recorder *const *a, sc_recorder *const *b, const char *first,
                    const char *second)
{
    for (size_t i = 0; i < STEPS; i++) {
        sc_recorder_verdict verdict;
        CHECK_INT(sc_recorder_count(b[i]), sc_recorder_count(a[i]));
        sc_recorder_compare(a[i], b[i], &verdict);
        for (size_t k = 0; verdict.holds && k < sc_recorder_count(a[i]); k++)
            count_reached(sc_recorder_at(a[i], k), sc_recorder_at(b[i], k));
        if (!CHECK(verdict.holds))
            CHECK_FAIL("release %zu, call %zu, %s\n%s%s", i + 1, verdict.call,
                       verdict.text, first, second);
    }
}

static void check_pair(const policy_case *c, const char *first, const char *second,
                       asking *kind)
{
    static char seen[SEEN_BYTES], again[SEEN_BYTES], policy[2000];
    sc_recorder *recorders[STEPS] = {NULL}, *replays[STEPS] = {NULL};
    snprintf(policy, sizeof policy,
             "unit=%s\ncolumn=age=int[0,120]\ncolumn=sex=text\nkeys=sex=Female,Male\n"
             "column=city=text\ncolumn=income=decimal[0,1000]\n"
             "budget=epsilon=1000,delta=0.1\n%s",
             c->is_row ? "row" : "person", c->lines);
    for (size_t i = 0; i < STEPS; i++) {
        REQUIRE_OK(sc_recorder_new(NULL, &recorders[i], NULL));
        sc_recorder_keep_from(recorders[i], 2 + (c->is_replaced ? 1 : 0));
    }
    ask(policy, first, kind, recorders, seen);
    for (size_t i = 0; i < STEPS; i++)
        REQUIRE_OK(sc_recorder_new(recorders[i], &replays[i], NULL));
    ask(policy, second, kind, replays, again);
    CHECK(sc_recorder_count(recorders[0]) > 0);
    compare(recorders, replays, first, second);
    if (!CHECK_STR(again, seen))
        CHECK_FAIL("%s%s", first, second);
    for (size_t i = 0; i < STEPS; i++) {
        sc_recorder_free(replays[i]);
        sc_recorder_free(recorders[i]);
    }
}

SLOW_TEST(A29_releases_of_neighbours_look_alike)
{
    CLAIM("ask.quiet");
    static char first[NEIGHBOUR_BYTES], second[NEIGHBOUR_BYTES];
    uint64_t seed = check_seed() + 2;
    const uint64_t turns = check_count(2 * COUNT(kinds), 600);
    for (uint64_t turn = 0; turn < turns; turn++) {
        const policy_case *c = &policies[turn % COUNT(policies)];
        neighbour_tables(first, second, c->is_row, c->is_replaced, &seed);
        check_pair(c, first, second, kinds[turn % COUNT(kinds)]);
    }
}

/* Two cells with all rows, one of which goes from one to the other: pairs of neighbours that move scores as far as they
 * can. */
SLOW_TEST(A29_replaced_rows_move_scores_by_what_is_claimed)
{
    CLAIM("ask.quiet");
    static const char header[] = "person,age,sex,city,income\n", here[] = "a,10,Male,,\n",
                      there[] = "a,70,Female,,\n";
    static char first[NEIGHBOUR_BYTES], second[NEIGHBOUR_BYTES];
    reached = 0;
    for (int rows = 20; rows < 24; rows++) {
        char *const texts[] = {first, second};
        for (int k = 0; k < 2; k++) {
            size_t used = (size_t)snprintf(texts[k], NEIGHBOUR_BYTES, "%s", header);
            for (int i = 0; i < 2 * rows; i++)
                used += (size_t)snprintf(texts[k] + used, NEIGHBOUR_BYTES - used, "%s",
                                         i < rows + k ? here : there);
        }
        check_pair(&policies[3], first, second, aim);
    }
    CHECK(reached > 0);
}
