#include "exact.h"
#include "goodness.h"
#include "laws.h"
#include "mechanism/sparse/sparse_run.h"
#include "random/bits_tape.h"
#include "sparse_plans.h"

#include <string.h>

#define QUERIES 8

/* One run on a list of queries, as an outcome of the law. */
static bool draw_key(const sc_sparse_plan *plan, sc_bits *bits, const int64_t *queries,
                     size_t count, int64_t key[2 + QUERIES])
{
    sc_int128 values[QUERIES];
    sc_mark marks[QUERIES];
    sc_draw draw = {.values = values, .marks = marks, .capacity = QUERIES};
    sc_private_input input = {.values = queries, .count = count};
    if (sc_sparse_draw(plan, bits, &input, &draw, NULL) != SCRIM_OK)
        return false;
    memset(key, 0, (2 + QUERIES) * sizeof *key);
    key[0] = (int64_t)draw.count;
    for (size_t i = 0, place = 0; i < draw.count; i++) {
        key[1] |= (int64_t)(marks[i] != SC_MARK_BELOW) << i;
        if (marks[i] != SC_MARK_ABOVE_VALUE)
            continue;
        const sc_sparse_range *r = &sparse_plans_range;
        sc_int128 value = values[i];
        key[2 + place++] = (int64_t)(value < r->lower   ? r->lower
                                     : value > r->upper ? r->upper
                                                        : value);
    }
    return true;
}

static size_t find_key(const sc_outcomes *law, const int64_t *key)
{
    size_t low = 0, high = law->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2, i = 0;
        const int64_t *other = law->keys + middle * law->width;
        while (i < law->width && other[i] == key[i])
            i++;
        if (i == law->width)
            return middle;
        if (other[i] < key[i])
            low = middle + 1;
        else
            high = middle;
    }
    return law->count;
}

/* Frequencies against the exact law. */
static void check_frequencies(const sc_sparse_plan *plan, const int64_t *queries,
                              size_t count)
{
    const uint64_t draws = check_count(100000, 1000000);
    sc_outcomes law;
    sc_tape *tape = NULL;
    sc_private_input input = {.values = queries, .count = count};
    sc_outcomes_init(&law, sc_sparse_width(plan, count));
    REQUIRE_OK(sc_sparse_law(plan, &sparse_plans_range, &input, 128, &law, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    uint64_t *observed = calloc(law.count + 1, sizeof *observed);
    double *probability = calloc(law.count + 1, sizeof *probability);
    for (size_t i = 0; i < law.count; i++)
        probability[i] = goodness_middle(&law.mass[i]);
    for (uint64_t i = 0; i < draws; i++) {
        int64_t key[2 + QUERIES];
        if (!draw_key(plan, sc_tape_bits_of(tape), queries, count, key)) {
            CHECK_FAIL("a draw failed");
            break;
        }
        observed[find_key(&law, key)]++;
    }
    CHECK_INT(observed[law.count], 0);
    CHECK(laws_chi_square(observed, probability, law.count) > LAWS_FALSE_ALARM);
    free(observed);
    free(probability);
    sc_tape_free(tape);
    sc_outcomes_clear(&law);
}

TEST(sparse_run_of_above_threshold_has_its_law)
{
    CLAIM("sparse-run.law");
    const sparse_plan_scales scales = {"2", "4", NULL};
    sc_sparse_plan plan;
    REQUIRE(sparse_plan_init(&plan, &scales));
    check_frequencies(&plan, (const int64_t[]){0, 0, 0}, 3);
    plan.level = 1;
    check_frequencies(&plan, (const int64_t[]){-3, 0, 2, 4}, 4);
    sparse_plan_clear(&plan);
}

TEST(sparse_run_of_both_forms_has_its_law)
{
    CLAIM("sparse-run.law");
    const sparse_plan_scales scales = {"2", "8", NULL};
    sc_sparse_plan plan;
    REQUIRE(sparse_plan_init(&plan, &scales));
    plan.count = plan.stage_count = 2;
    plan.level = 1;
    check_frequencies(&plan, (const int64_t[]){1, 0, 2, 1, -2}, 5);
    plan.redraws = true;
    check_frequencies(&plan, (const int64_t[]){1, 0, 2, 1, -2}, 5);
    sparse_plan_clear(&plan);
}

TEST(sparse_run_with_values_has_its_law)
{
    CLAIM("sparse-run.law");
    const sparse_plan_scales scales = {"2", "4", "3/2"};
    sc_sparse_plan plan;
    REQUIRE(sparse_plan_init(&plan, &scales));
    plan.count = plan.stage_count = 2;
    check_frequencies(&plan, (const int64_t[]){1, -1, 2}, 3);
    sparse_plan_clear(&plan);
}

TEST(sparse_run_with_gaussian_noise_has_its_law)
{
    CLAIM("sparse-run.law");
    const sparse_plan_scales gaussian = {"v4", "v16", NULL},
                             mixed = {"v900", "100", NULL};
    sc_sparse_plan plan;
    REQUIRE(sparse_plan_init(&plan, &gaussian));
    plan.stage_length = 3;
    check_frequencies(&plan, (const int64_t[]){0, 1, -1, 9}, 4);
    sparse_plan_clear(&plan);
    REQUIRE(sparse_plan_init(&plan, &mixed));
    plan.count = plan.stage_count = 2;
    plan.level = -50;
    check_frequencies(&plan, (const int64_t[]){-90, 0, -40, -300, 100}, 5);
    sparse_plan_clear(&plan);
}

TEST(sparse_run_in_stages_has_its_law)
{
    CLAIM("sparse-run.law");
    const sparse_plan_scales scales = {"v9", "3", NULL};
    sc_sparse_plan plan;
    REQUIRE(sparse_plan_init(&plan, &scales));
    plan.count = 3;
    plan.stage_count = 2;
    plan.stage_length = 3;
    check_frequencies(&plan, (const int64_t[]){0, 1, -1, 2, 0, 1, 3}, 7);
    plan.redraws = true;
    check_frequencies(&plan, (const int64_t[]){0, 1, -1, 2, 0, 1, 3}, 7);
    sparse_plan_clear(&plan);
}

/* The stages as the specification writes them: S = ceil(c/c'), stage l has a cutoff of
 * min(c', c - c'(l-1)) and at most k' queries. */
typedef struct slow_run {
    uint64_t c, stage_count, length, stage, above, asked;
} slow_run;

static sc_sparse_next slow_advance(slow_run *r, bool redraws, bool is_above)
{
    uint64_t stages = r->c / r->stage_count + (r->c % r->stage_count != 0);
    uint64_t left = r->c - r->stage_count * (r->stage - 1);
    uint64_t cutoff = r->stage_count < left ? r->stage_count : left;
    r->asked++;
    if (is_above)
        r->above++;
    if (r->above == cutoff || r->asked == r->length) {
        if (r->stage == stages)
            return SC_SPARSE_HALTS;
        r->stage++;
        r->above = r->asked = 0;
        return SC_SPARSE_REDRAWS;
    }
    return is_above && redraws ? SC_SPARSE_REDRAWS : SC_SPARSE_GOES_ON;
}

TEST(sparse_run_goes_through_its_stages)
{
    CLAIM("sparse-run.halts");
    for (uint64_t c = 1; c <= 5; c++)
        for (uint64_t stage = 1; stage <= c; stage++)
            for (uint64_t length = 0; length <= 4; length++)
                for (unsigned pattern = 0; pattern < 1 << 10; pattern++) {
                    const bool redraws = pattern & 1;
                    const sc_sparse_plan plan = {.count = c,
                                                 .stage_count = stage,
                                                 .stage_length = length,
                                                 .redraws = redraws};
                    slow_run slow = {c, stage, length, 1, 0, 0};
                    sc_sparse_progress progress = {0};
                    uint64_t thresholds = 1;
                    sc_sparse_next next = SC_SPARSE_GOES_ON;
                    for (unsigned i = 0; i < 10 && next != SC_SPARSE_HALTS; i++) {
                        next = sc_sparse_advance(&plan, &progress, pattern >> i & 1);
                        if (next != slow_advance(&slow, redraws, pattern >> i & 1))
                            CHECK_FAIL("c %d, stage %d, length %d, answers %x at %u",
                                       (int)c, (int)stage, (int)length, pattern, i);
                        thresholds += next == SC_SPARSE_REDRAWS;
                    }
                    if (thresholds > sc_sparse_thresholds(&plan))
                        CHECK_FAIL("%d thresholds", (int)thresholds);
                }
    CHECK_INT((int)sc_sparse_stages(&(sc_sparse_plan){.count = 101, .stage_count = 2}),
              51);
}

TEST(sparse_run_halts_and_says_so)
{
    CLAIM("sparse-run.halts");
    const sparse_plan_scales scales = {"1", "1", NULL};
    enum { COUNT = 50 };
    int64_t queries[COUNT];
    sc_int128 values[COUNT];
    sc_mark marks[COUNT];
    sc_draw draw = {.values = values, .marks = marks, .capacity = COUNT};
    sc_sparse_plan plan;
    sc_tape *tape = NULL;
    REQUIRE(sparse_plan_init(&plan, &scales));
    REQUIRE_OK(sc_tape_seeded(3, &tape, NULL));
    plan.count = plan.stage_count = 3;
    for (int i = 0; i < COUNT; i++)
        queries[i] = i % 10 == 9 ? 1000000 : -1000000;
    REQUIRE_OK(sc_sparse_draw(&plan, sc_tape_bits_of(tape),
                              &(sc_private_input){.values = queries, .count = COUNT},
                              &draw, NULL));
    CHECK_INT((int)draw.count, 30);
    CHECK(draw.has_halted);
    CHECK_INT(marks[9], SC_MARK_ABOVE);
    CHECK_INT(values[9], 1);
    CHECK_INT(marks[28], SC_MARK_BELOW);
    CHECK_INT(values[28], 0);
    /* more answers than there are queries: it does not halt */
    plan.count = plan.stage_count = 1000;
    REQUIRE_OK(sc_sparse_draw(&plan, sc_tape_bits_of(tape),
                              &(sc_private_input){.values = queries, .count = COUNT},
                              &draw, NULL));
    CHECK_INT((int)draw.count, COUNT);
    CHECK(!draw.has_halted);
    /* without room nothing is drawn */
    draw.capacity = COUNT - 1;
    CHECK_STATUS(sc_sparse_draw(&plan, sc_tape_bits_of(tape),
                                &(sc_private_input){.values = queries, .count = COUNT},
                                &draw, NULL),
                 SCRIM_E_INTERNAL);
    sc_tape_free(tape);
    sparse_plan_clear(&plan);
}

static void check_refuses(const sc_sparse_plan *plan, sc_bits *bits, sc_sparse_run *run)
{
    sc_run_piece piece = {.mark = SC_MARK_VALUE, .value = -1};
    CHECK_STATUS(sc_sparse_ask(plan, bits, run, 0, &piece, NULL), SCRIM_E_STATE);
    CHECK(piece.mark == SC_MARK_VALUE && piece.value == -1 && !piece.has_halted);
}

/* The answers of an open run, asked one by one, are those of a draw from the same bits. */
TEST(sparse_run_asked_one_by_one_is_the_run_at_once)
{
    CLAIM("sparse-run.law");
    CLAIM("sparse-run.halts");
    const sparse_plan_scales scales = {"20", "40", "7"};
    enum { COUNT = 3000 };
    static int64_t queries[COUNT];
    static sc_int128 values[COUNT];
    static sc_mark marks[COUNT];
    static sc_sparse_run run, blank;
    sc_draw draw = {.values = values, .marks = marks, .capacity = COUNT};
    sc_sparse_plan plan;
    sc_tape *first = NULL, *second = NULL;
    REQUIRE(sparse_plan_init(&plan, &scales));
    REQUIRE_OK(sc_tape_seeded(5, &first, NULL));
    REQUIRE_OK(sc_tape_seeded(5, &second, NULL));
    plan.count = 700;
    plan.stage_count = 3;
    for (int i = 0; i < COUNT; i++)
        queries[i] = i % 97 - 60;
    REQUIRE_OK(sc_sparse_draw(&plan, sc_tape_bits_of(first),
                              &(sc_private_input){.values = queries, .count = COUNT},
                              &draw, NULL));
    REQUIRE(draw.has_halted);
    REQUIRE_OK(sc_sparse_open(&plan, sc_tape_bits_of(second), &run, NULL));
    for (size_t i = 0; i < draw.count; i++) {
        sc_run_piece piece = {.mark = SC_MARK_VALUE, .value = -1};
        REQUIRE_OK(sc_sparse_ask(&plan, sc_tape_bits_of(second), &run, queries[i], &piece,
                                 NULL));
        if (piece.mark != marks[i] || piece.value != values[i] ||
            piece.has_halted != (i + 1 == draw.count))
            CHECK_FAIL("answer %zu is another", i);
    }
    CHECK_INT((int64_t)sc_tape_words_used(first), (int64_t)sc_tape_words_used(second));
    /* it has halted: its secrets are gone, and it answers nothing more */
    blank.is_open = blank.has_halted = true;
    CHECK_BYTES(&run, &blank, sizeof run);
    check_refuses(&plan, sc_tape_bits_of(second), &run);
    /* nor does one that was never opened, or that a fork has wiped */
    memset(&run, 0, sizeof run);
    check_refuses(&plan, sc_tape_bits_of(second), &run);
    sc_tape_free(first);
    sc_tape_free(second);
    sparse_plan_clear(&plan);
}

/* Asks a run that goes on; what it answered. */
static bool ask(const sc_sparse_plan *plan, sc_tape *tape, sc_sparse_run *run,
                int64_t query, sc_mark *mark, sc_int128 *value)
{
    sc_run_piece piece = {.has_halted = true};
    const bool is_answered =
        CHECK_STATUS(sc_sparse_ask(plan, sc_tape_bits_of(tape), run, query, &piece, NULL),
                     SCRIM_OK) &&
        CHECK(!piece.has_halted);
    *mark = piece.mark;
    *value = piece.value;
    return is_answered;
}

TEST(sparse_run_draws_ahead_of_the_query)
{
    CLAIM("sparse-run.ahead");
    const sparse_plan_scales scales = {"2", "4", NULL};
    static sc_sparse_run low, high;
    sc_sparse_plan plan;
    sc_tape *first = NULL, *second = NULL;
    REQUIRE(sparse_plan_init(&plan, &scales));
    plan.count = plan.stage_count = 1000;
    REQUIRE_OK(sc_tape_seeded(7, &first, NULL));
    REQUIRE_OK(sc_tape_seeded(7, &second, NULL));
    REQUIRE_OK(sc_sparse_open(&plan, sc_tape_bits_of(first), &low, NULL));
    REQUIRE_OK(sc_sparse_open(&plan, sc_tape_bits_of(second), &high, NULL));
    for (int i = 0; i < 700; i++) {
        sc_mark below = SC_MARK_VALUE, above = SC_MARK_VALUE;
        sc_int128 value;
        const uint64_t before = sc_tape_words_used(first);
        const bool is_ready = low.queries.left > 0;
        REQUIRE(ask(&plan, first, &low, -1000000, &below, &value));
        REQUIRE(ask(&plan, second, &high, 1000000, &above, &value));
        CHECK(below == SC_MARK_BELOW && above == SC_MARK_ABOVE);
        /* nothing is drawn for a query whose noise is there, and as much for any other */
        CHECK_INT(sc_tape_words_used(first) == before, is_ready);
        CHECK_INT((int64_t)sc_tape_words_used(first),
                  (int64_t)sc_tape_words_used(second));
    }
    sc_tape_free(first);
    sc_tape_free(second);
    sparse_plan_clear(&plan);
}

/* One query against what the pools hold next, in integers of any size. */
static void check_exactly(const sc_sparse_plan *plan, sc_tape *tape, sc_sparse_run *run,
                          int64_t query)
{
    sc_mark mark = SC_MARK_VALUE;
    sc_int128 value = 0;
    sc_sparse_pool queries = run->queries, values = run->values;
    sc_integer noisy, noise, threshold;
    sc_integer_init(&noisy);
    sc_integer_init(&noise);
    sc_integer_init(&threshold);
    sc_integer_set_int128(&noisy, query);
    sc_integer_set_int128(&noise, sc_sparse_pool_take(&queries, &plan->query));
    sc_integer_set_int128(&threshold, run->threshold);
    sc_integer_add(&noisy, &noisy, &noise);
    bool is_above = sc_integer_compare(&noisy, &threshold) >= 0;
    sc_integer_set_int128(&noisy, query);
    sc_integer_set_int128(&noise, sc_sparse_pool_take(&values, &plan->value));
    sc_integer_add(&noisy, &noisy, &noise);
    if (ask(plan, tape, run, query, &mark, &value)) {
        CHECK_INT(mark, is_above ? SC_MARK_ABOVE_VALUE : SC_MARK_BELOW);
        sc_integer_set_int128(&noise, value);
        CHECK(is_above ? sc_integer_compare(&noise, &noisy) == 0 : value == 0);
    }
    sc_integer_clear(&threshold);
    sc_integer_clear(&noise);
    sc_integer_clear(&noisy);
}

static void check_ends(const sc_sparse_plan *plan)
{
    static const int64_t ends[] = {INT64_MIN, -((int64_t)1 << 62), 0, (int64_t)1 << 62,
                                   INT64_MAX};
    static sc_sparse_run run;
    sc_tape *tape = NULL;
    sc_mark mark;
    sc_int128 value;
    REQUIRE_OK(sc_tape_seeded(11, &tape, NULL));
    REQUIRE_OK(sc_sparse_open(plan, sc_tape_bits_of(tape), &run, NULL));
    for (int i = 0; i < 1000; i++) {
        if (run.queries.left == 0 || run.values.left == 0)
            REQUIRE(ask(plan, tape, &run, 0, &mark, &value));
        else
            check_exactly(plan, tape, &run, ends[i % 5]);
    }
    sc_tape_free(tape);
}

TEST(sparse_run_compares_without_wrapping)
{
    CLAIM("sparse-run.no-wrap");
    static const char *const shapes[] = {"1", "2^47", "2^60"};
    static const int64_t levels[] = {INT64_MIN, -((int64_t)1 << 62), 0, (int64_t)1 << 62,
                                     INT64_MAX};
    for (size_t i = 0; i < 3; i++) {
        const sparse_plan_scales scales = {shapes[i], shapes[i], shapes[i]};
        sc_sparse_plan plan;
        REQUIRE(sparse_plan_init(&plan, &scales));
        plan.count = plan.stage_count = 1000000;
        for (size_t j = 0; j < 5; j++) {
            plan.level = levels[j];
            check_ends(&plan);
        }
        sparse_plan_clear(&plan);
    }
}

/* A run whose bits end: it is as it was, or was never opened. */
static void check_starved(const sc_sparse_plan *plan, const uint64_t *words, size_t given,
                          size_t queries)
{
    static sc_sparse_run run, blank;
    sc_tape *tape = NULL;
    scrim_status status = SCRIM_OK;
    REQUIRE_OK(sc_tape_words(words, given, &tape, NULL));
    if (sc_sparse_open(plan, sc_tape_bits_of(tape), &run, NULL) != SCRIM_OK)
        CHECK_BYTES(&run, &blank, sizeof run);
    else
        for (size_t i = 0; status == SCRIM_OK && i < queries; i++) {
            sc_run_piece piece;
            status = sc_sparse_ask(plan, sc_tape_bits_of(tape), &run, 0, &piece, NULL);
            CHECK_INT((int)run.progress.asked, (int)i + (status == SCRIM_OK));
            CHECK(run.is_open && !run.has_halted);
        }
    CHECK(status == SCRIM_OK || status == SCRIM_E_ENTROPY);
    sc_tape_free(tape);
}

/* Bits that end at every word in turn. */
TEST(sparse_run_fails_closed_when_bits_end)
{
    const sparse_plan_scales scales = {"2", "4", "3"};
    enum { COUNT = 40 };
    static uint64_t words[600];
    int64_t queries[COUNT] = {0};
    sc_int128 values[COUNT];
    sc_mark marks[COUNT];
    sc_sparse_plan plan;
    sc_tape *tape = NULL, *kept = NULL;
    const sc_private_input input = {.values = queries, .count = COUNT};
    REQUIRE(sparse_plan_init(&plan, &scales));
    plan.count = plan.stage_count = COUNT + 1;
    REQUIRE_OK(sc_tape_seeded(13, &tape, NULL));
    REQUIRE_OK(sc_tape_record(sc_tape_bits_of(tape), words, 600, &kept, NULL));
    sc_draw draw = {.values = values, .marks = marks, .capacity = COUNT};
    REQUIRE_OK(sc_sparse_draw(&plan, sc_tape_bits_of(kept), &input, &draw, NULL));
    const size_t needed = (size_t)sc_tape_words_used(kept);
    sc_tape_free(kept);
    sc_tape_free(tape);
    for (size_t given = 0; given < needed; given++) {
        REQUIRE_OK(sc_tape_words(words, given, &tape, NULL));
        draw.count = 77;
        CHECK_STATUS(sc_sparse_draw(&plan, sc_tape_bits_of(tape), &input, &draw, NULL),
                     SCRIM_E_ENTROPY);
        CHECK_INT((int)draw.count, 77);
        for (size_t i = 0; i < COUNT; i++)
            if (values[i] != 0)
                CHECK_FAIL("value %zu is left behind", i);
        sc_tape_free(tape);
        check_starved(&plan, words, given, COUNT);
    }
    sparse_plan_clear(&plan);
}
