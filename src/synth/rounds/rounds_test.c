#include "base/memory.h"
#include "check.h"
#include "faults.h"
#include "mechanism/linear/marginals.h"
#include "mechanism/linear/small_programme.h"
#include "mechanism/noise/additive.h"
#include "mechanism_lines.h"
#include "recorder.h"
#include "remains.h"
#include "sanitized.h"
#include "synth/model/real_functions.h"
#include "synth/rounds/aim.h"
#include "synth/rounds/mst.h"
#include "synth/rounds/mwem.h"
#include "synth/rounds/rounds.h"
#include "synth_scene.h"
#include "vectors.h"

#include <pthread.h>
#include <string.h>

/* Three columns, and rows that make some pairs depend on one another. */
static const sc_synth_columns columns = {.count = 3, .sizes = {2, 3, 4}};

enum { ROWS = 200 };

static void make_rows(uint32_t *codes, size_t rows, uint32_t salt)
{
    for (size_t i = 0; i < rows; i++) {
        codes[3 * i] = (uint32_t)(i * 7 + salt) / 3 % 2;
        codes[3 * i + 1] = ((uint32_t)i * 5 + codes[3 * i] * 2) % 3;
        codes[3 * i + 2] = (codes[3 * i + 1] + (uint32_t)(i * i) % 2) % 4;
    }
}

static sc_records *table(size_t rows, uint32_t salt)
{
    uint32_t codes[3 * ROWS];
    make_rows(codes, rows, salt);
    return synth_records(&columns, codes, rows);
}

/* A measurement and a selection cost what is said, to the last rational. */
TEST(rounds_cost_what_they_state)
{
    CLAIM("rounds.cost");
    static const struct {
        sc_round_unit unit;
        const char *rho; /* NULL: pure */
        const char *select, *measure;
    } list[] = {{{SCRIM_ADD_REMOVE, 1}, "1", "1/128", "1/2"},
                {{SCRIM_REPLACE, 1}, "2", "1/32", "1"},
                {{SCRIM_REPLACE, 3}, "20", "9/32", "9"},
                {{SCRIM_ADD_REMOVE, 1}, NULL, "1/4", "1/2"}};
    static const int64_t scores[] = {5, 9, -3};
    for (size_t i = 0; i < COUNT(list); i++) {
        synth_scene s;
        size_t chosen = 9;
        sc_ratio before;
        sc_ratio_init(&before);
        sc_records *records = table(ROWS, 0);
        REQUIRE(records != NULL &&
                synth_scene_open(&s, records, &list[i].unit, list[i].rho, 5));
        REQUIRE_OK(sc_rounds_begin(&s.rounds, SC_SYNTH_AIM, NULL));
        /* h = 1/8 */
        REQUIRE_OK(sc_rounds_select(&s.rounds, scores, 3, sc_round_move(&list[i].unit),
                                    (uint64_t)1 << 29, &chosen, NULL));
        CHECK(chosen < 3);
        CHECK_RATIO(sc_allowance_used(s.rounds.allowance), list[i].select);
        sc_ratio_set(&before, sc_allowance_used(s.rounds.allowance));
        const sc_clique cliques[] = {1, 6};
        const sc_synth_step step = {.round = 3,
                                    .noise = list[i].rho == NULL ? SC_SYNTH_LAPLACE
                                                                 : SC_SYNTH_GAUSSIAN,
                                    .scale_64ths = list[i].rho == NULL ? 256 : 128};
        REQUIRE_OK(sc_rounds_measure(&s.rounds, cliques, 2, &step, NULL));
        sc_ratio_sub(&before, sc_allowance_used(s.rounds.allowance), &before);
        CHECK_RATIO(&before, list[i].measure);
        CHECK_INT(s.released.count, 2);
        CHECK_INT(s.released.steps[0].cells, 2);
        CHECK_INT(s.released.steps[1].cells, 12);
        CHECK_INT(s.released.steps[1].clique, 6);
        CHECK_INT(s.released.steps[1].round, 3);
        sc_ratio_clear(&before);
        synth_scene_close(&s);
        sc_records_free(records);
    }
}

/* More than the total is not drawn. */
TEST(rounds_end_with_the_allowance)
{
    CLAIM("rounds.cost");
    synth_scene s;
    const sc_round_unit unit = {SCRIM_ADD_REMOVE, 1};
    const sc_clique pair = 3;
    const sc_synth_step step = {.noise = SC_SYNTH_GAUSSIAN, .scale_64ths = 3200};
    sc_records *records = table(ROWS, 0);
    REQUIRE(records != NULL && synth_scene_open(&s, records, &unit, "0.0299", 5));
    REQUIRE_OK(sc_rounds_begin(&s.rounds, SC_SYNTH_AIM, NULL));
    CHECK_STATUS(sc_rounds_measure(&s.rounds, &pair, 1, &step, NULL), SCRIM_OK);
    CHECK_STATUS(sc_rounds_measure(&s.rounds, &pair, 1, &step, NULL), SCRIM_OK);
    CHECK_STATUS(sc_rounds_measure(&s.rounds, &pair, 1, &step, NULL), SCRIM_E_INTERNAL);
    CHECK_INT(s.released.count, 2);
    synth_scene_close(&s);
    sc_records_free(records);
}

/* A charge under one relation pays for no noise under the other. */
TEST(rounds_keep_to_the_relation_of_the_charge)
{
    CLAIM("rounds.cost");
    static const scrim_neighbours both[] = {SCRIM_ADD_REMOVE, SCRIM_REPLACE};
    for (size_t i = 0; i < 2; i++) {
        synth_scene s;
        const sc_round_unit unit = {both[i], 1};
        sc_records *records = table(ROWS, 0);
        REQUIRE(records != NULL && synth_scene_open(&s, records, &unit, "1", 5));
        s.rounds.unit.neighbours = both[1 - i];
        CHECK_STATUS(sc_rounds_begin(&s.rounds, SC_SYNTH_AIM, NULL), SCRIM_E_INTERNAL);
        synth_scene_close(&s);
        sc_records_free(records);
    }
}

/* Whole runs, recorded on one table and answered from the record on a neighbour. */

typedef scrim_status method(sc_rounds *rounds, scrim_error *error);

static scrim_status run_mst(sc_rounds *rounds, scrim_error *error)
{
    sc_mst_plan plan;
    sc_mst_plan_init(&plan);
    const scrim_status status = sc_mst_run(rounds, &plan, error);
    sc_mst_plan_clear(&plan);
    return status;
}

static scrim_status run_aim(sc_rounds *rounds, scrim_error *error)
{
    sc_aim_plan plan;
    sc_aim_plan_init(&plan);
    plan.rounds = 10;
    const scrim_status status = sc_aim_run(rounds, &plan, error);
    sc_aim_plan_clear(&plan);
    return status;
}

static const sc_clique pairs[] = {3, 5, 6};

static scrim_status run_mwem(sc_rounds *rounds, scrim_error *error)
{
    sc_weight_model *model = NULL;
    sc_mwem_plan plan;
    sc_mwem_plan_init(&plan);
    plan.cliques = pairs;
    plan.count = 3;
    plan.rounds = 5;
    const scrim_status status = sc_mwem_run(rounds, &plan, &model, error);
    sc_weight_model_free(model);
    sc_mwem_plan_clear(&plan);
    return status;
}

static scrim_status run_queries(sc_rounds *rounds, scrim_error *error)
{
    static const uint32_t numerators[3][24] = {
        {4, 3, 2, 1, 0, 1, 2, 3, 4}, {0, 0, 0, 1, 1, 1, 4, 4, 4}, {[23] = 4, [11] = 2}};
    const sc_linear_query queries[] = {
        {7, numerators[0], 4}, {7, numerators[1], 4}, {7, numerators[2], 4}};
    sc_weight_model *model = NULL;
    sc_mwem_plan plan;
    sc_mwem_plan_init(&plan);
    plan.queries = queries;
    plan.count = 3;
    const scrim_status status = sc_mwem_run(rounds, &plan, &model, error);
    sc_weight_model_free(model);
    sc_mwem_plan_clear(&plan);
    return status;
}

static method *const methods[] = {run_mst, run_aim, run_mwem, run_queries};

/* A run over records of its own, watched by a recorder; the text of what it released. */
static char *run_watched(method *run, sc_records *records, const sc_round_unit *unit,
                         const char *rho, sc_recorder *recorder)
{
    synth_scene s;
    char *text = NULL;
    scrim_error error = {.message = ""};
    if (!CHECK(records != NULL && synth_scene_open(&s, records, unit, rho, 11)))
        return NULL;
    sc_ledger_use_recorder(s.ledger, recorder);
    if (!CHECK_STATUS(run(&s.rounds, &error), SCRIM_OK))
        CHECK_FAIL("%s", error.message);
    CHECK(sc_ratio_compare(sc_allowance_used(s.rounds.allowance),
                           sc_allowance_total(s.rounds.allowance)) <= 0);
    CHECK_STATUS(sc_synth_released_write(&s.released, &text, NULL), SCRIM_OK);
    sc_ledger_use_recorder(s.ledger, NULL);
    synth_scene_close(&s);
    sc_records_free(records);
    return text;
}

/* Questions, their order and their noise are the same on a neighbour that gets the same answers, and
 * inputs differ by no more than each measurement claims: two neighbours under each relation. */
static void check_neighbours(method *run, scrim_neighbours neighbours, const char *rho)
{
    sc_recorder *first = NULL, *second = NULL;
    sc_recorder_verdict verdict;
    const sc_round_unit unit = {neighbours, 1};
    const size_t rows = neighbours == SCRIM_REPLACE ? ROWS : ROWS + 1;
    REQUIRE_OK(sc_recorder_new(NULL, &first, NULL));
    char *text = run_watched(run, table(ROWS, 0), &unit, rho, first);
    REQUIRE(text != NULL);
    /* another last row, or one more */
    uint32_t codes[3 * (ROWS + 1)];
    make_rows(codes, rows, 0);
    codes[3 * rows - 3] = 1 - codes[3 * rows - 3];
    codes[3 * rows - 2] = (codes[3 * rows - 2] + 1) % 3;
    codes[3 * rows - 1] = (codes[3 * rows - 1] + 2) % 4;
    REQUIRE_OK(sc_recorder_new(first, &second, NULL));
    char *again =
        run_watched(run, synth_records(&columns, codes, rows), &unit, rho, second);
    CHECK_STR(again, text);
    CHECK(sc_recorder_count(first) > 3);
    sc_recorder_compare(first, second, &verdict);
    if (!CHECK(verdict.holds))
        CHECK_FAIL("call %zu: %s", verdict.call, verdict.text);
    sc_free(again);
    sc_free(text);
    sc_recorder_free(second);
    sc_recorder_free(first);
}

SLOW_TEST(rounds_look_alike_on_neighbours)
{
    CLAIM("rounds.two-doors");
    CLAIM("mwem-rounds.score");
    for (size_t i = 0; i < COUNT(methods); i++) {
        check_neighbours(methods[i], SCRIM_ADD_REMOVE, "1/10");
        check_neighbours(methods[i], SCRIM_REPLACE, "1/10");
        if (methods[i] == run_mwem || methods[i] == run_queries)
            check_neighbours(methods[i], SCRIM_ADD_REMOVE, NULL);
    }
}

/* Data that are replaced altogether change nothing else either, once the draws are answered. */
SLOW_TEST(rounds_do_not_depend_on_data_but_by_draws)
{
    CLAIM("rounds.two-doors");
    static const struct {
        size_t rows;
        uint32_t salt;
    } others[] = {{0, 0}, {1, 1}, {ROWS, 5}};
    const sc_round_unit unit = {SCRIM_ADD_REMOVE, 1};
    for (size_t i = 0; i < COUNT(methods); i++) {
        sc_recorder *first = NULL;
        REQUIRE_OK(sc_recorder_new(NULL, &first, NULL));
        char *text = run_watched(methods[i], table(ROWS, 0), &unit, "1/10", first);
        for (size_t k = 0; k < COUNT(others); k++) {
            sc_recorder *second = NULL;
            REQUIRE_OK(sc_recorder_new(first, &second, NULL));
            char *again = run_watched(methods[i], table(others[k].rows, others[k].salt),
                                      &unit, "1/10", second);
            CHECK_STR(again, text);
            CHECK_INT(sc_recorder_count(second), sc_recorder_count(first));
            for (size_t call = 0; call < sc_recorder_count(first); call++)
                CHECK_STR(sc_recorder_at(second, call)->line,
                          sc_recorder_at(first, call)->line);
            sc_free(again);
            sc_recorder_free(second);
        }
        sc_free(text);
        sc_recorder_free(first);
    }
}

/* Two counts that stand side by side in a column, in a pair of columns and in the rows: no memory that a run gives
 * back still holds them. */
TEST(rounds_wipe_the_counts_of_the_data)
{
    CLAIM("records.wiped");
    const sc_round_unit unit = {SCRIM_ADD_REMOVE, 1};
    const int64_t numbers[2] = {1414213, 2718281};
    masked secret;
    masked_set(&secret, numbers);
    for (size_t i = 0; i < COUNT(methods); i++) {
        synth_scene s;
        sc_records *records = NULL;
        REQUIRE_OK(sc_records_new(&columns, 2, &records, NULL));
        for (uint32_t k = 0; k < 2; k++)
            REQUIRE_OK(sc_records_add(records, (const uint32_t[]){0, k, 0},
                                      (uint64_t)numbers[k], NULL));
        REQUIRE(synth_scene_open(&s, records, &unit, "1/1000", 11));
        freed_watch(&secret);
        CHECK_STATUS(methods[i](&s.rounds, NULL), SCRIM_OK);
        sc_records_free(records);
        CHECK_INT(freed_remains(), 0);
        synth_scene_close(&s);
    }
}

/* The inputs of draws: counts, sums, scores. Each run is the same, so that the first one tells what to look for in the
 * memory and on the stack of a second one. */

typedef struct wiping {
    method *own;
    synth_scene scene;
    scrim_status status;
} wiping;

static void run_method(void *context)
{
    wiping *w = context;
    w->status = w->own(&w->scene.rounds, NULL);
}

static bool open_large(wiping *w, sc_records **records)
{
    static const sc_round_unit unit = {SCRIM_ADD_REMOVE, 1};
    uint32_t codes[3 * ROWS];
    make_rows(codes, ROWS, 2);
    bool is_well = CHECK_STATUS(sc_records_new(&columns, ROWS, records, NULL), SCRIM_OK);
    for (size_t i = 0; is_well && i < ROWS; i++)
        is_well = CHECK_STATUS(
            sc_records_add(*records, codes + 3 * i, 1000003 + 7919 * (uint64_t)i, NULL),
            SCRIM_OK);
    return is_well && synth_scene_open(&w->scene, *records, &unit, "1/1000", 11);
}

/* The place of two numbers that nothing else is likely to have side by side; SIZE_MAX: no such
 * numbers. */
static size_t telling_place(const sc_recorder_call *call)
{
    for (size_t i = 0; i + 1 < call->count; i++) {
        const sc_int128 x = call->input[i], y = call->input[i + 1];
        if (x != y && (x > 100000 || x < -100000) && (y > 100000 || y < -100000))
            return i;
    }
    return SIZE_MAX;
}

static void check_wiped(method *own, const sc_recorder_call *call, size_t place)
{
    wiping w = {.own = own};
    const int64_t two[2] = {(int64_t)call->input[place], (int64_t)call->input[place + 1]};
    sc_records *records = NULL;
    masked secret;
    masked_set(&secret, two);
    REQUIRE(open_large(&w, &records));
    freed_watch(&secret);
    remains_run(run_method, &w);
    CHECK_STATUS(w.status, SCRIM_OK);
    sc_records_free(records);
    if (!CHECK(freed_remains() == 0) || !CHECK(stack_remains(&secret) == 0))
        CHECK_FAIL("%s", call->line);
    synth_scene_close(&w.scene);
}

SLOW_TEST(rounds_wipe_what_they_draw_from)
{
    CLAIM("records.wiped");
    for (size_t i = 0; i < COUNT(methods); i++) {
        wiping w = {.own = methods[i]};
        sc_records *records = NULL;
        sc_recorder *recorder = NULL;
        size_t scores = 0, counts = 0;
        REQUIRE_OK(sc_recorder_new(NULL, &recorder, NULL));
        REQUIRE(open_large(&w, &records));
        sc_ledger_use_recorder(w.scene.ledger, recorder);
        run_method(&w);
        CHECK_STATUS(w.status, SCRIM_OK);
        sc_ledger_use_recorder(w.scene.ledger, NULL);
        synth_scene_close(&w.scene);
        sc_records_free(records);
        /* the last ones first: memory that is used again holds what went into the last */
        for (size_t k = sc_recorder_count(recorder); k-- > 0 && scores + counts < 6;) {
            const sc_recorder_call *call = sc_recorder_at(recorder, k);
            const size_t place = telling_place(call);
            if (place == SIZE_MAX)
                continue;
            check_wiped(methods[i], call, place);
            *(call->claim == SC_RECORDER_EACH ? &scores : &counts) += 1;
        }
        CHECK(scores >= 1);
        sc_recorder_free(recorder);
    }
}

static void *run_in_thread(void *context)
{
    run_method(context);
    return NULL;
}

/* Hosts give their threads less than the system does. Behind the end of this stack lies a page that nobody may touch. */
TEST(rounds_need_little_of_a_stack)
{
    enum { STACK_BYTES = 256 * 1024 };
    if (IS_SANITIZED)
        SKIP("sanitizers have larger frames");
    for (size_t i = 0; i < COUNT(methods); i++) {
        wiping w = {.own = methods[i], .status = SCRIM_E_INTERNAL};
        sc_records *records = NULL;
        pthread_attr_t attributes;
        pthread_t thread;
        REQUIRE(open_large(&w, &records));
        REQUIRE(pthread_attr_init(&attributes) == 0);
        CHECK_INT(pthread_attr_setstacksize(&attributes, STACK_BYTES), 0);
        if (CHECK_INT(pthread_create(&thread, &attributes, run_in_thread, &w), 0))
            CHECK_INT(pthread_join(thread, NULL), 0);
        pthread_attr_destroy(&attributes);
        CHECK_STATUS(w.status, SCRIM_OK);
        synth_scene_close(&w.scene);
        sc_records_free(records);
    }
}

/* The answer of one query is a number of 8 bytes: it is on the stack no longer. Sanitizers and
 * other compilers leave copies of their own. */

static void measure_sum(void *context)
{
    wiping *w = context;
    const sc_linear_query query = {1, (const uint32_t[]){654321, 123457}, 1000000};
    const sc_synth_step step = {
        .round = 1, .noise = SC_SYNTH_GAUSSIAN, .scale_64ths = UINT64_C(1) << 60};
    w->status = sc_rounds_measure_query(&w->scene.rounds, &query, 1000000, &step, NULL);
}

SLOW_TEST(A104_rounds_wipe_the_answer_of_a_query)
{
    CLAIM("records.wiped");
#if !defined(__OPTIMIZE__) || defined(__clang__) || defined(__SANITIZE_ADDRESS__) ||     \
    defined(__SANITIZE_THREAD__)
    SKIP("what the compiler keeps on the stack is known for the build that ships");
#endif
    wiping w = {.status = SCRIM_E_INTERNAL};
    sc_records *records = NULL;
    const uint32_t numerators[] = {654321, 123457};
    REQUIRE(open_large(&w, &records));
    REQUIRE_OK(sc_rounds_begin(&w.scene.rounds, SC_SYNTH_MWEM, NULL));
    const int64_t sum = (int64_t)sc_records_query(
        records, &(const sc_linear_query){1, numerators, 1000000});
    CHECK(sum > INT64_C(1) << 40);
    remains_run(measure_sum, &w);
    CHECK_STATUS(w.status, SCRIM_OK);
    CHECK_INT(stack_remains_number(sum), 0);
    synth_scene_close(&w.scene);
    sc_records_free(records);
}

/* Is the noise of a measurement of marginals that of some step of the release? */
static bool is_recorded_noise(const scrim_measurement *m, const sc_synth_released *r)
{
    bool is = false;
    SC_OWN(sc_ratio, scale);
    for (size_t i = 0; i < r->count; i++) {
        sc_ratio_set_quotient(&scale, (int64_t)r->steps[i].scale_64ths, 64);
        is = is || sc_ratio_compare(&sc_additive_of(m)->law.shape, &scale) == 0;
    }
    return is;
}

/* The costs that the measurements state add up to what was taken from the total, to the last rational. */
TEST(rounds_add_up_to_what_was_used)
{
    CLAIM("rounds.cost");
    const sc_round_unit unit = {SCRIM_REPLACE, 2};
    for (size_t i = 0; i < COUNT(methods); i++) {
        synth_scene s;
        sc_recorder *recorder = NULL;
        sc_ratio sum;
        sc_ratio_init(&sum);
        sc_records *records = table(ROWS, 3);
        REQUIRE_OK(sc_recorder_new(NULL, &recorder, NULL));
        REQUIRE(records != NULL && synth_scene_open(&s, records, &unit, "1/7", 3));
        sc_ledger_use_recorder(s.ledger, recorder);
        CHECK_STATUS(methods[i](&s.rounds, NULL), SCRIM_OK);
        for (size_t call = 0; call < sc_recorder_count(recorder); call++) {
            scrim_measurement *m = NULL;
            REQUIRE_OK(
                scrim_measurement_parse(sc_recorder_at(recorder, call)->line, &m, NULL));
            CHECK_INT(m->cost.neighbours, SCRIM_REPLACE);
            CHECK(m->mechanism != &sc_marginals || is_recorded_noise(m, &s.released));
            sc_ratio_add(&sum, &sum, &m->cost.rho);
            scrim_measurement_free(m);
        }
        CHECK(sc_ratio_compare(&sum, sc_allowance_used(s.rounds.allowance)) == 0);
        CHECK(sc_ratio_compare(&sum, sc_allowance_total(s.rounds.allowance)) <= 0);
        sc_ledger_use_recorder(s.ledger, NULL);
        sc_recorder_free(recorder);
        synth_scene_close(&s);
        sc_records_free(records);
        sc_ratio_clear(&sum);
    }
}

/* Runs that are as short as can be. */

static scrim_status run_short(sc_rounds *rounds, size_t which)
{
    static const uint32_t numerators[] = {1, 0, 2, 1};
    static const sc_linear_query query = {3, numerators, 2};
    static const sc_clique pair = 3;
    sc_weight_model *model = NULL;
    sc_aim_plan aim;
    sc_mwem_plan mwem;
    sc_aim_plan_init(&aim);
    sc_mwem_plan_init(&mwem);
    aim.rounds = 3;
    aim.fit.iterations = 1;
    mwem.passes = mwem.last_passes = 1;
    mwem.count = 1;
    if (which == 2)
        mwem.cliques = &pair;
    else
        mwem.queries = &query;
    const scrim_status status = which == 0   ? run_mst(rounds, NULL)
                                : which == 1 ? sc_aim_run(rounds, &aim, NULL)
                                             : sc_mwem_run(rounds, &mwem, &model, NULL);
    sc_weight_model_free(model);
    sc_mwem_plan_clear(&mwem);
    sc_aim_plan_clear(&aim);
    return status;
}

FAULT_TEST(rounds_survive_a_lack_of_memory)
{
    const sc_synth_columns two = {.count = 2, .sizes = {2, 2}};
    const sc_round_unit unit = {SCRIM_ADD_REMOVE, 1};
    for (size_t i = 0; i < 4; i++) {
        int shown = 0;
        FAULT_LOOP(fault)
        {
            synth_scene s;
            sc_records *records = NULL;
            scrim_status status = sc_records_new(&two, 4, &records, NULL);
            if (status == SCRIM_OK)
                status = sc_records_add(records, (const uint32_t[]){1, 0}, 3, NULL);
            if (status == SCRIM_OK) {
                status = synth_scene_open(&s, records, &unit, "1/10", 1)
                             ? run_short(&s.rounds, i)
                             : SCRIM_E_MEMORY;
                synth_scene_close(&s);
            }
            CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
            shown += status == SCRIM_OK;
            sc_records_free(records);
        }
        CHECK_INT(shown, 1);
    }
}

/* The most that the distance to a rounded model moves: cells of up to 2 rows, a model of halves, and a unit whose row
 * comes or goes or, where it is replaced, lies in another cell. */
static int64_t largest_move(size_t cells, bool is_replace)
{
    int64_t most = 0, x[3], y[3], model[3];
    for (int at = 0; at < 27 * 125; at++)
        for (size_t from = 0; from < cells; from++)
            for (size_t to = 0; to <= (is_replace ? cells : 0); to++) {
                for (int i = 0, table = at % 27, halves = at / 27; i < 3; i++) {
                    x[i] = y[i] = table % 3;
                    model[i] = sc_rounded_count(halves % 5 / 2.0);
                    table /= 3;
                    halves /= 5;
                }
                y[from]++;
                if (to > 0)
                    x[to - 1]++;
                const int64_t by = sc_rounds_distance(x, model, cells) -
                                   sc_rounds_distance(y, model, cells);
                most = by > most ? by : -by > most ? -by : most;
            }
    return most;
}

TEST(rounds_scores_move_as_the_specification_says)
{
    CLAIM("rounds.score");
    size_t at = 0, held = 0;
    json_t *row = NULL;
    json_t *list = vectors_load("synthetic", "score_rounding");
    REQUIRE(list != NULL);
    json_array_foreach(list, at, row)
    {
        if (strcmp(vectors_text(row, "rule"), "model first, half up") != 0)
            continue;
        const bool is_replace = strcmp(vectors_text(row, "relation"), "replace") == 0;
        CHECK_INT(largest_move(vectors_number(row, "cells"), is_replace),
                  vectors_number(row, "sensitivity"));
        held++;
    }
    CHECK_INT(held, 6);
}

/* The same where the model had the number of rows of the data, as it must not: it would follow each row. */
static int64_t move_with_the_data(size_t cells)
{
    int64_t most = 0, x[8], y[8], near_x[8], near_y[8];
    for (int64_t rows = 0; rows <= 4; rows++) {
        sc_small_tables_first(x, cells, rows);
        do
            for (size_t to = 0; to < cells; to++) {
                for (size_t i = 0; i < cells; i++) {
                    y[i] = x[i] + (i == to);
                    near_x[i] = sc_rounded_count((double)rows / (double)cells);
                    near_y[i] = sc_rounded_count((double)(rows + 1) / (double)cells);
                }
                const int64_t by = sc_rounds_distance(x, near_x, cells) -
                                   sc_rounds_distance(y, near_y, cells);
                const int64_t size = by < 0 ? -by : by;
                most = size > most ? size : most;
            }
        while (sc_small_tables_next(x, cells));
    }
    return most;
}

TEST(rounds_scores_would_move_more_with_the_rows_of_the_data)
{
    CLAIM("rounds.score");
    size_t at = 0;
    json_t *row = NULL;
    json_t *list = vectors_load("synthetic", "model_scaled_by_true_n");
    REQUIRE(list != NULL);
    json_array_foreach(list, at, row)
    {
        REQUIRE(vectors_number(row, "cells") <= 8);
        CHECK_INT(move_with_the_data(vectors_number(row, "cells")),
                  vectors_number(row, "rounded"));
    }
    CHECK(at >= 5);
}
