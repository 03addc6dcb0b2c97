#include "balls.h"
#include "choices.h"
#include "exact.h"
#include "goodness.h"
#include "mechanism/histogram/stlap.h"
#include "mechanism/histogram/stlap_noise.h"
#include "mechanism_lines.h"
#include "random/bits_tape.h"
#include "scrim.h"

#include <stdio.h>
#include <string.h>

#define FILE_NAME "flexible-accuracy"
#define LINE "stlap epsilon=1 q=7 neighbours=add-remove"

/* The sum of max(0, p - exp(epsilon) q) over two laws of one bar, outcome by outcome. */
static void hockey(const scrim_measurement *m, int64_t x, int64_t y, const char *epsilon,
                   sc_ball *out)
{
    const sc_stlap_sampler *sampler = &sc_stlap_state_of(m)->sampler;
    sc_outcomes p, q;
    sc_ratio e;
    sc_ball odds, mass;
    exact_ratio(epsilon, &e);
    sc_outcomes_init(&p, 1);
    sc_outcomes_init(&q, 1);
    sc_ball_init(&odds);
    sc_ball_init(&mass);
    sc_ball_set_ratio(&odds, &e, EXACT_BITS);
    sc_ball_exp(&odds, &odds, EXACT_BITS);
    CHECK_STATUS(sc_stlap_bar_law(sampler, x, EXACT_BITS, &p, NULL), SCRIM_OK);
    CHECK_STATUS(sc_stlap_bar_law(sampler, y, EXACT_BITS, &q, NULL), SCRIM_OK);
    sc_ball_set_int64(out, 0);
    for (size_t i = 0; i < p.count; i++) {
        outcomes_mass(&q, &p.keys[i], &mass);
        sc_ball_mul(&mass, &mass, &odds, EXACT_BITS);
        sc_ball_sub(&mass, &p.mass[i], &mass, EXACT_BITS);
        if (sc_ball_lower(&mass) > 1e-60)
            sc_ball_add(out, out, &mass, EXACT_BITS);
    }
    sc_ball_clear(&mass);
    sc_ball_clear(&odds);
    sc_outcomes_clear(&q);
    sc_outcomes_clear(&p);
    sc_ratio_clear(&e);
}

static scrim_measurement *model(const char *parameters)
{
    return mechanism_model("stlap", parameters);
}

/* Both directions of one bar as printed. */
TEST(stlap_has_the_printed_hockey_sticks)
{
    CLAIM("stlap.privacy");
    const json_t *rows = vectors_load(FILE_NAME, "hockey_stick_single_bar"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 18);
    json_array_foreach(rows, i, row)
    {
        static const char *const keys[] = {"discrete_up", "discrete_down"};
        const int64_t x = (int64_t)vectors_number(row, "x_small");
        const char *epsilon = vectors_text(row, "eps");
        char line[64];
        snprintf(line, sizeof line, "epsilon=%s q=%d", epsilon,
                 (int)vectors_number(row, "q"));
        scrim_measurement *m = model(line);
        REQUIRE(m != NULL);
        for (int way = 0; way < 2; way++) {
            const char *want = vectors_text(row, keys[way]);
            sc_ball got;
            sc_ball_init(&got);
            hockey(m, x + (way == 0), x + (way == 1), epsilon, &got);
            if (strcmp(want, "0.0") == 0)
                CHECK(sc_ball_upper(&got) < 1e-60);
            else
                CHECK_PRINTED(&got, want);
            sc_ball_clear(&got);
        }
        scrim_measurement_free(m);
    }
}

/* All inputs 0..2q+2 and moves by one unit: never above the charge, and attained. */
static void check_bars(const char *parameters, const char *epsilon)
{
    scrim_measurement *m = model(parameters);
    REQUIRE(m != NULL);
    const sc_stlap_state *s = sc_stlap_state_of(m);
    double worst = 0;
    sc_ball got, charge;
    sc_ball_init(&got);
    sc_ball_init(&charge);
    sc_ball_set_ratio(&charge, &m->cost.delta, EXACT_BITS);
    for (int64_t x = 0; x <= 2 * (int64_t)s->q + 2; x++)
        for (int64_t move = 1; move <= (int64_t)s->group; move++)
            for (int way = 0; way < 2; way++) {
                hockey(m, x + (way == 0 ? move : 0), x + (way == 1 ? move : 0), epsilon,
                       &got);
                if (sc_ball_lower(&got) > sc_ball_upper(&charge))
                    CHECK_FAIL("%s: %lld by %lld has %.17g", parameters, (long long)x,
                               (long long)move, sc_ball_upper(&got));
                worst = sc_ball_upper(&got) > worst ? sc_ball_upper(&got) : worst;
            }
    CHECK_NEAR(worst, sc_ball_upper(&charge), 1e-12);
    sc_ball_clear(&charge);
    sc_ball_clear(&got);
    scrim_measurement_free(m);
}

TEST(stlap_charges_the_worst_of_all_bars)
{
    CLAIM("stlap.privacy");
    check_bars("epsilon=1 q=1", "1");
    check_bars("epsilon=1 q=2", "1");
    check_bars("epsilon=1/2 q=8", "1/2");
    check_bars("epsilon=3 q=13", "3");
    check_bars("epsilon=1/3 q=12 sampler=table", "1/3");
    check_bars("epsilon=1 q=7 group=3", "1");
    check_bars("epsilon=2 q=8 group=2 sampler=table", "2");
}

/* delta of up to eight bars, of which one or two move: by the product of all. */
static double product_delta(const char *parameters, const int64_t *x, const int64_t *y,
                            size_t count, const char *epsilon)
{
    scrim_measurement *m = choices_model(parameters);
    sc_outcomes p, q;
    sc_ratio e;
    sc_ball odds, mass, sum;
    double result = -1;
    exact_ratio(epsilon, &e);
    sc_ball_init(&odds);
    sc_ball_init(&mass);
    sc_ball_init(&sum);
    sc_ball_set_ratio(&odds, &e, EXACT_BITS);
    sc_ball_exp(&odds, &odds, EXACT_BITS);
    if (m != NULL && choices_law(m, x, count, 128, &p)) {
        if (choices_law(m, y, count, 128, &q)) {
            for (size_t i = 0; i < p.count; i++) {
                outcomes_mass(&q, p.keys + i * count, &mass);
                sc_ball_mul(&mass, &mass, &odds, 192);
                sc_ball_sub(&mass, &p.mass[i], &mass, 192);
                if (sc_ball_lower(&mass) > 1e-40)
                    sc_ball_add(&sum, &sum, &mass, 192);
            }
            result = sc_ball_upper(&sum);
            choices_check_total(&q, 100);
            sc_outcomes_clear(&q);
        }
        sc_outcomes_clear(&p);
    }
    sc_ball_clear(&sum);
    sc_ball_clear(&mass);
    sc_ball_clear(&odds);
    sc_ratio_clear(&e);
    scrim_measurement_free(m);
    return result;
}

TEST(stlap_of_eight_bars_costs_what_one_does)
{
    CLAIM("stlap.privacy");
    CLAIM("stlap.exact");
    static const int64_t x[8] = {0, 1, 2, 0, 5, 1, 2, 3}, y[8] = {0, 1, 3, 0, 5, 1, 2, 3};
    static const char *const line = "stlap epsilon=1 q=2";
    for (size_t bars = 3; bars <= 8; bars++)
        CHECK_NEAR(product_delta(line, y, x, bars, "1"),
                   product_delta(line, y + 2, x + 2, 1, "1"), 1e-12);
    /* One bar up and one down, under replace: both ends, as the formula has it. */
    static const int64_t from[3] = {4, 9, 1}, to[3] = {5, 8, 1};
    scrim_measurement *m = model("epsilon=1 q=3 neighbours=replace");
    REQUIRE(m != NULL);
    const double delta =
        product_delta("stlap epsilon=1 q=3 neighbours=replace", from, to, 3, "1");
    sc_ball charge;
    sc_ball_init(&charge);
    sc_ball_set_ratio(&charge, &m->cost.delta, EXACT_BITS);
    CHECK_NEAR(delta, sc_ball_upper(&charge), 1e-12);
    /* Two elements of a unit leave a bar each, and two come: within the charge. */
    static const int64_t a[4] = {4, 9, 1, 0}, b[4] = {3, 8, 2, 1};
    scrim_measurement *pair = model("epsilon=1 q=4 group=2 neighbours=replace");
    REQUIRE(pair != NULL);
    sc_ball_set_ratio(&charge, &pair->cost.delta, EXACT_BITS);
    const char *const two = "stlap epsilon=1 q=4 group=2 neighbours=replace";
    CHECK(product_delta(two, a, b, 4, "1") <= sc_ball_upper(&charge));
    CHECK(product_delta(two, b, a, 4, "1") <= sc_ball_upper(&charge));
    static const int64_t c[2] = {9, 4}, d[2] = {7, 6};
    CHECK_NEAR(product_delta(two, c, d, 2, "1"), sc_ball_upper(&charge), 1e-12);
    sc_ball_clear(&charge);
    scrim_measurement_free(pair);
    scrim_measurement_free(m);
}

/* Charges. */

static void check_cost(const char *line, const char *epsilon, const char *delta,
                       uint64_t q)
{
    scrim_measurement *m = choices_new(line);
    REQUIRE(m != NULL);
    scrim_cost cost;
    REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
    CHECK_STR(cost.epsilon, epsilon);
    if (delta != NULL)
        CHECK_STR(cost.delta, delta);
    CHECK_STR(cost.rho, "");
    CHECK_INT(sc_stlap_q(m), q);
    double at = -1, charged = strtod(cost.delta, NULL);
    REQUIRE_OK(scrim_measurement_delta_at(m, epsilon, &at, NULL));
    if (strchr(cost.delta, '/') == NULL)
        CHECK(at <= charged * (1 + 1e-12));
    scrim_measurement_free(m);
}

TEST(stlap_charges_what_it_was_given)
{
    CLAIM("stlap.privacy");
    check_cost("stlap epsilon=1 delta=2^-20 neighbours=add-remove", "1",
               "0.00000095367431640625", 27);
    check_cost("stlap epsilon=0.1 delta=2^-20 neighbours=add-remove", "0.1",
               "0.00000095367431640625", 218);
    check_cost("stlap epsilon=1 q=1 neighbours=add-remove", "1", "0.5", 1);
    check_cost("stlap epsilon=1 q=1 neighbours=replace", "1", "0.75", 1);
    check_cost("stlap epsilon=2 delta=1e-3 neighbours=replace", "2", "0.001", 14);
    check_cost("stlap epsilon=1 delta=2^-20 sampler=table neighbours=add-remove", "1",
               "0.00000095367431640625", 27);
    check_cost("stlap epsilon=1 q=1 sampler=table neighbours=add-remove", "1", "0.5", 1);
    /* The table's delta is a fraction of its integers. */
    scrim_measurement *m = model("epsilon=1/2 q=56 sampler=table");
    REQUIRE(m != NULL);
    sc_ratio share;
    sc_integer edge;
    sc_ratio_init(&share);
    sc_integer_init(&edge);
    sc_stlap_table_delta(&sc_stlap_state_of(m)->sampler.table, 1, &share);
    CHECK(sc_ratio_compare(&m->cost.delta, &share) == 0);
    sc_integer_clear(&edge);
    sc_ratio_clear(&share);
    scrim_measurement_free(m);
}

/* A delta that the law has at q but the table's heavier ends have not: the table takes a larger q,
 * and has no more than what is charged. */
static void check_larger_q(const char *epsilon, uint64_t group, const char *neighbours,
                           uint64_t q)
{
    char line[SC_RATIO_TEXT_BYTES + 128], text[SC_RATIO_TEXT_BYTES];
    const unsigned sides = strcmp(neighbours, "replace") == 0 ? 2 : 1;
    sc_ratio noise, delta, parts;
    sc_ball ideal, drawn;
    exact_ratio(epsilon, &noise);
    sc_ratio_init(&delta);
    sc_ratio_init(&parts);
    sc_ball_init(&ideal);
    sc_ball_init(&drawn);
    sc_ratio_set_int64(&parts, (int64_t)(sides * group));
    sc_ratio_div(&noise, &noise, &parts);
    sc_stlap_delta(&noise, q, group, sides, SC_STLAP_BITS, &ideal);
    REQUIRE(sc_ball_round_up(&ideal, 100, &delta));
    sc_ratio_format(&delta, text, sizeof text);
    for (int is_table = 0; is_table < 2; is_table++) {
        snprintf(line, sizeof line, "epsilon=%s delta=%s group=%d neighbours=%s%s",
                 epsilon, text, (int)group, neighbours, is_table ? " sampler=table" : "");
        scrim_measurement *m = model(line);
        REQUIRE(m != NULL);
        CHECK_INT(sc_stlap_q(m), q + (uint64_t)is_table);
        CHECK(sc_ratio_compare(&m->cost.delta, &delta) == 0);
        const sc_stlap_state *s = sc_stlap_state_of(m);
        sc_stlap_sampler_at_most(&s->sampler, (int64_t)(group - s->q) - 1, EXACT_BITS,
                                 &drawn);
        sc_stlap_sides(&drawn, sides, EXACT_BITS, &drawn);
        sc_ball_set_ratio(&ideal, &delta, EXACT_BITS);
        CHECK(sc_ball_is_less_equal(&drawn, &ideal));
        scrim_measurement_free(m);
    }
    sc_ball_clear(&drawn);
    sc_ball_clear(&ideal);
    sc_ratio_clear(&parts);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&noise);
}

TEST(stlap_table_takes_a_larger_q_where_its_ends_are_heavier)
{
    CLAIM("stlap.privacy");
    check_larger_q("1", 1, "add-remove", 27);
    check_larger_q("1/2", 1, "add-remove", 56);
    check_larger_q("1", 2, "add-remove", 40);
    check_larger_q("2", 1, "replace", 27);
}

/* A table under replace has both sides in its charge, which the worst pair attains, and nothing
 * below what it charges where no curve is proved of it. */
TEST(stlap_table_charges_both_sides)
{
    CLAIM("stlap.privacy");
    static const char *const line =
        "stlap epsilon=1 q=3 sampler=table neighbours=replace";
    static const int64_t x[2] = {3, 1}, y[2] = {4, 0};
    static const char *const at[] = {"0", "1/4", "1/2", "3/4", "1", "5/4"};
    scrim_measurement *m = choices_new(line);
    REQUIRE(m != NULL);
    sc_ratio side, both;
    sc_ball charge;
    sc_ratio_init(&side);
    sc_ratio_init(&both);
    sc_ball_init(&charge);
    sc_stlap_table_delta(&sc_stlap_state_of(m)->sampler.table, 1, &side);
    sc_ratio_set_int64(&both, 2);
    sc_ratio_sub(&both, &both, &side);
    sc_ratio_mul(&both, &both, &side); /* 1 - (1 - d)^2 */
    CHECK(sc_ratio_compare(&m->cost.delta, &both) >= 0);
    sc_ball_set_ratio(&charge, &both, EXACT_BITS);
    CHECK_NEAR(product_delta(line, x, y, 2, "1"), sc_ball_upper(&charge), 1e-12);
    for (size_t i = 0; i < COUNT(at); i++) {
        double told = -1;
        REQUIRE_OK(scrim_measurement_delta_at(m, at[i], &told, NULL));
        for (int way = 0; way < 2; way++)
            CHECK(product_delta(line, way == 0 ? x : y, way == 0 ? y : x, 2, at[i]) <=
                  told * (1 + 1e-12));
    }
    sc_ball_clear(&charge);
    sc_ratio_clear(&both);
    sc_ratio_clear(&side);
    scrim_measurement_free(m);
}

TEST(stlap_refuses_what_promises_nothing)
{
    static const struct {
        const char *parameters;
        scrim_status status;
    } list[] = {{"epsilon=1 q=0", SCRIM_E_PARAM},
                {"epsilon=1 q=-3", SCRIM_E_PARAM},
                {"epsilon=1 q=3/2", SCRIM_E_PARAM},
                {"epsilon=0 q=3", SCRIM_E_PARAM},
                {"epsilon=-1 q=3", SCRIM_E_PARAM},
                {"epsilon=1", SCRIM_E_PARAM},
                {"epsilon=1 q=3 delta=1e-3", SCRIM_E_PARAM},
                {"epsilon=1 delta=0", SCRIM_E_PARAM},
                {"epsilon=1 delta=1", SCRIM_E_PARAM},
                {"q=3", SCRIM_E_PARAM},
                {"epsilon=1 q=3 group=4", SCRIM_E_PARAM},
                {"epsilon=1 q=3 group=0", SCRIM_E_PARAM},
                {"epsilon=1 q=5 group=4 sampler=table", SCRIM_E_PARAM},
                {"epsilon=1 q=2147483648", SCRIM_E_LIMIT},
                {"epsilon=2^-32 q=3", SCRIM_E_LIMIT},
                {"epsilon=2^-31 delta=1e-30", SCRIM_E_LIMIT},
                {"epsilon=1 q=200000 sampler=table", SCRIM_E_LIMIT},
                {"epsilon=1 q=3 sampler=fast", SCRIM_E_PARAM},
                {"epsilon=1 q=3 neighbours=local", SCRIM_E_PARAM},
                {"epsilon=1 q=2147483647", SCRIM_OK},
                {"epsilon=1 q=3 group=3", SCRIM_OK},
                {"epsilon=2^-31 q=3", SCRIM_OK},
                {"epsilon=1000 q=1000", SCRIM_OK}};
    for (size_t i = 0; i < COUNT(list); i++)
        mechanism_check_status("stlap", list[i].parameters, list[i].status);
    mechanism_check_faults(LINE);
    mechanism_check_faults("stlap epsilon=1/10 q=900 neighbours=replace");
    mechanism_check_faults("stlap epsilon=1 q=7 sampler=table neighbours=add-remove");
}

/* Drawing. */

TEST(stlap_draws_fit_the_law)
{
    CLAIM("stlap.exact");
    static const int64_t x[3] = {3, 0, 9};
    const uint64_t draws = check_count(20000, 1000000);
    choices_fit(LINE, x, 3, draws);
    choices_fit("stlap epsilon=1 q=6 mode=sparse neighbours=add-remove", x, 3, draws);
    choices_fit("stlap epsilon=2/3 q=5 sampler=table neighbours=replace", x, 3, draws);
}

/* Whatever the counts are: never above them, never more than q below. */
TEST(stlap_only_ever_drops)
{
    CLAIM("stlap.accuracy");
    static const char *const lines[] = {
        LINE, "stlap epsilon=1/10 q=218 mode=sparse neighbours=add-remove",
        "stlap epsilon=1 delta=1e-6 sampler=table neighbours=replace",
        "stlap epsilon=1/1000 q=2147483647 neighbours=add-remove"};
    enum { BARS = 64 };
    for (size_t i = 0; i < COUNT(lines); i++) {
        scrim_measurement *m = choices_new(lines[i]);
        sc_tape *tape = NULL;
        REQUIRE(m != NULL);
        REQUIRE_OK(sc_tape_seeded(check_seed() + i, &tape, NULL));
        const int64_t q = (int64_t)sc_stlap_q(m), top = INT64_C(1) << 62;
        const uint64_t turns = check_count(200, 20000);
        for (uint64_t turn = 0; turn < turns; turn++) {
            int64_t x[BARS];
            sc_int128 y[BARS];
            for (int64_t k = 0; k < BARS; k++)
                x[k] = k < 40   ? (int64_t)((turn * BARS + (uint64_t)k) % 97)
                       : k < 60 ? (int64_t)(turn * 7919) << (k - 40)
                                : INT64_MAX - k;
            REQUIRE_OK(choices_draw(m, sc_tape_bits_of(tape), x, BARS, y, BARS));
            for (size_t k = 0; k < BARS; k++) {
                const int64_t there = x[k] > top ? top : x[k] < 0 ? 0 : x[k];
                if (y[k] > there || y[k] < there - q || y[k] < 0)
                    CHECK_FAIL("%s: %lld became %lld", lines[i], (long long)x[k],
                               (long long)y[k]);
            }
        }
        scrim_certificate c;
        REQUIRE_OK(scrim_measurement_certify(m, "0.95", 3, &c, NULL));
        CHECK_INT(c.form, SCRIM_CERTIFICATE_DROP);
        CHECK_INT(strtoll(c.radius, NULL, 10), q);
        sc_tape_free(tape);
        scrim_measurement_free(m);
    }
}

/* Invalid or too large counts are clamped: never an error. */
TEST(stlap_saturates_counts)
{
    CLAIM("stlap.accuracy");
    static const int64_t x[] = {INT64_MIN, -1, 0, INT64_MAX, (INT64_C(1) << 62) + 1};
    scrim_measurement *m = choices_new("stlap epsilon=1 q=1 neighbours=add-remove");
    sc_tape *tape = NULL;
    sc_int128 y[5];
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (int turn = 0; turn < 50; turn++) {
        REQUIRE_OK(choices_draw(m, sc_tape_bits_of(tape), x, 5, y, 5));
        CHECK(y[0] == 0 && y[1] == 0 && y[2] == 0);
        for (int k = 3; k < 5; k++)
            CHECK(y[k] == INT64_C(1) << 62 || y[k] == (INT64_C(1) << 62) - 1);
    }
    REQUIRE_OK(choices_draw(m, sc_tape_bits_of(tape), NULL, 0, y, 0)); /* no bar at all */
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

/* The descriptor's draw, of more bars than the harness has room for. */
static scrim_status draw_many(const scrim_measurement *m, sc_tape *tape, const int64_t *x,
                              size_t count, sc_int128 *y)
{
    sc_mark *marks = calloc(count, sizeof *marks);
    sc_draw room = {.values = y, .marks = marks, .capacity = count};
    if (!CHECK(marks != NULL))
        return SCRIM_E_MEMORY;
    const sc_private_input input = {.values = x, .count = count};
    scrim_status status =
        m->mechanism->draw(m, sc_tape_bits_of(tape), &input, &room, NULL);
    CHECK(status != SCRIM_OK || room.count == count);
    free(marks);
    return status;
}

/* Dense noise is drawn for every bar in order, so that the same tape gives each bar the same noise
 * whatever the counts are; an empty bar takes as much as a full one. */
TEST(stlap_dense_noise_does_not_see_the_counts)
{
    CLAIM("stlap.dense");
    enum { BARS = 5000 };
    static int64_t full[BARS], mixed[BARS], empty[BARS];
    static sc_int128 a[BARS], b[BARS], none[BARS];
    static const char *const lines[] = {
        LINE, "stlap epsilon=1 q=60 sampler=table neighbours=add-remove",
        "stlap epsilon=1/1000 q=5000 neighbours=add-remove"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        scrim_measurement *m = choices_new(lines[i]);
        sc_tape *tapes[3] = {NULL};
        uint64_t next[3] = {0};
        REQUIRE(m != NULL);
        for (int64_t k = 0; k < BARS; k++) {
            full[k] = 1000000;
            mixed[k] = k % 3 == 0 ? 0 : 2000000 + k;
        }
        for (int k = 0; k < 3; k++)
            REQUIRE_OK(sc_tape_seeded(check_seed(), &tapes[k], NULL));
        sc_int128 *const answers[] = {a, b, none};
        const int64_t *const inputs[] = {full, mixed, empty};
        for (int k = 0; k < 3; k++) {
            REQUIRE_OK(draw_many(m, tapes[k], inputs[k], BARS, answers[k]));
            REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tapes[k]), &next[k], NULL));
            sc_tape_free(tapes[k]);
        }
        for (size_t k = 0; k < BARS; k++)
            CHECK(none[k] == 0 &&
                  (mixed[k] == 0 ? b[k] == 0 : b[k] - mixed[k] == a[k] - full[k]));
        CHECK(next[0] == next[1] && next[0] == next[2]); /* and no bit more */
        scrim_measurement_free(m);
    }
}

/* Sparse noise is that of the full bars alone: the order of their tape, and nothing for the
 * rest. */
TEST(stlap_sparse_noise_is_for_full_bars_alone)
{
    CLAIM("stlap.exact");
    enum { BARS = 5000 };
    static int64_t x[BARS], full[BARS];
    static int64_t got[BARS], want[BARS];
    size_t count = 0;
    scrim_measurement *m = choices_new(LINE);
    sc_tape *one = NULL, *two = NULL;
    REQUIRE(m != NULL);
    for (int64_t k = 0; k < BARS; k++)
        if ((x[k] = k % 5 == 1 || k > 4000 ? 10 + k : 0) > 0)
            full[count++] = x[k];
    REQUIRE_OK(sc_tape_seeded(check_seed(), &one, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &two, NULL));
    const sc_stlap_sampler *sampler = &sc_stlap_state_of(m)->sampler;
    REQUIRE_OK(sc_stlap_sparse(sc_tape_bits_of(one), sampler, x, BARS, got, NULL));
    REQUIRE_OK(sc_stlap_dense(sc_tape_bits_of(two), sampler, full, count, want, NULL));
    for (size_t k = 0, at = 0; k < BARS; k++)
        CHECK_INT(got[k], x[k] > 0 ? want[at++] : 0);
    sc_tape_free(two);
    sc_tape_free(one);
    scrim_measurement_free(m);
}

TEST(stlap_fails_closed_without_bits)
{
    static const int64_t x[3] = {11, 0, 12};
    choices_check_entropy(LINE, x, 3);
    choices_check_entropy("stlap epsilon=1 q=7 sampler=table neighbours=add-remove", x,
                          3);
    choices_check_entropy("stlap epsilon=1 q=7 mode=sparse neighbours=add-remove", x, 3);
}
