#include "choices.h"
#include "exact.h"
#include "mechanism/selection/noisy_max.h"
#include "random/bits_tape.h"
#include "sampling/law.h"

#define CANDIDATES_MAX 8

static sc_ball mass[CANDIDATES_MAX];

static void init_mass(void)
{
    for (size_t i = 0; i < CANDIDATES_MAX; i++)
        sc_ball_init(&mass[i]);
}

static void clear_mass(void)
{
    for (size_t i = 0; i < CANDIDATES_MAX; i++)
        sc_ball_clear(&mass[i]);
}

/* The law. */

static void check_rows(const char *member, const char *column, bool is_geometric)
{
    json_t *rows = vectors_load("mechanisms", member), *row;
    size_t r;
    init_mass();
    json_array_foreach(rows, r, row)
    {
        int64_t scores[CANDIDATES_MAX];
        sc_ratio rate, scale;
        json_t *list = json_object_get(row, "scores");
        const size_t count = json_array_size(list);
        REQUIRE(count <= CANDIDATES_MAX);
        for (size_t i = 0; i < count; i++)
            scores[i] = json_integer_value(json_array_get(list, i));
        sc_ratio_init(&rate);
        sc_ratio_init(&scale);
        sc_ratio_set_int64(&scale, json_integer_value(json_object_get(row, "scale")));
        sc_scores_scale(&scale, &rate);
        REQUIRE_OK(sc_noisy_max_probabilities(&rate, is_geometric, scores, count,
                                              EXACT_BITS, mass, NULL));
        for (size_t i = 0; i < count; i++) {
            json_t *printed = json_array_get(json_object_get(row, column), i);
            CHECK_PRINTED(&mass[i], json_string_value(printed));
        }
        sc_ratio_clear(&scale);
        sc_ratio_clear(&rate);
    }
    CHECK_INT(json_array_size(rows), 6);
    clear_mass();
}

TEST(noisy_max_law_is_the_printed_one)
{
    CLAIM("noisy-max.exact");
    check_rows("noisy_max", "discrete_laplace_lowest_index", false);
    check_rows("noisy_max_geometric", "probabilities", true);
}

/* The second of two candidates wins when Z_1 - Z_0 > gap: the tail of the header, at gap + 1. */
SLOW_TEST(noisy_max_law_of_two_is_the_tail_of_a_difference)
{
    CLAIM("noisy-max.exact");
    CLAIM("noisy-max.accuracy");
    const char *const rates[] = {"1", "1/2", "1/30", "5"};
    sc_ball tail;
    init_mass();
    sc_ball_init(&tail);
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
        for (int64_t gap = 0; gap < 40; gap += 3)
            for (int geometric = 0; geometric < 2; geometric++) {
                const int64_t scores[] = {gap, 0};
                sc_ratio rate;
                exact_ratio(rates[r], &rate);
                REQUIRE_OK(sc_noisy_max_probabilities(&rate, geometric, scores, 2,
                                                      EXACT_BITS, mass, NULL));
                sc_noisy_max_miss(&rate, geometric, (uint64_t)gap + 1, 2, EXACT_BITS,
                                  &tail);
                CHECK_SAME(&mass[1], &tail, 200);
                sc_ratio_clear(&rate);
            }
    sc_ball_clear(&tail);
    clear_mass();
}

/* The errata: what fails, and by how much. */

/* ln(p / q) against what is printed. */
static void check_loss(const sc_ball *p, const sc_ball *q, const char *printed)
{
    sc_ball loss;
    sc_ball_init(&loss);
    sc_ball_div(&loss, p, q, EXACT_BITS);
    sc_ball_log(&loss, &loss, EXACT_BITS);
    CHECK_PRINTED(&loss, printed);
    sc_ball_clear(&loss);
}

static const char *text_of(const json_t *object, const char *member)
{
    return json_string_value(json_object_get(object, member));
}

/* Scores in quarters with integer noise of scale 1/2: 5/2 against 1 is lost when the difference
 * of the noises exceeds 3/2, hence from 2 on; 11/4 against 3/4 from 3 on. */
TEST(noisy_max_needs_a_whole_sensitivity)
{
    json_t *vector = vectors_load("mechanisms", "noisy_max_noninteger_sensitivity");
    sc_ratio rate;
    sc_ball p, q;
    sc_ball_init(&p);
    sc_ball_init(&q);
    exact_ratio("2", &rate);
    sc_noisy_max_miss(&rate, false, 2, 2, EXACT_BITS, &p);
    sc_noisy_max_miss(&rate, false, 3, 2, EXACT_BITS, &q);
    CHECK_PRINTED(&p, text_of(vector, "p_D"));
    CHECK_PRINTED(&q, text_of(vector, "p_Dprime"));
    check_loss(&p, &q, text_of(vector, "loss"));
    sc_ratio_clear(&rate);
    sc_ball_clear(&q);
    sc_ball_clear(&p);
    /* Here such a sensitivity counts as a whole step of the grid. */
    scrim_measurement *m =
        choices_new("noisy-max epsilon=1 sensitivity=1/4 neighbours=replace");
    REQUIRE(m != NULL);
    CHECK_INT(sc_scores_of(m)->steps, 1);
    scrim_measurement_free(m);
    m = choices_new("noisy-max epsilon=1 sensitivity=1/4 grid=1/4 neighbours=replace");
    REQUIRE(m != NULL);
    CHECK_INT(sc_scores_of(m)->steps, 1);
    scrim_measurement_free(m);
    m = choices_new("noisy-max epsilon=1 sensitivity=1.1 grid=1/4 neighbours=replace");
    REQUIRE(m != NULL);
    CHECK_INT(sc_scores_of(m)->steps, 5);
    scrim_measurement_free(m);
}

/* Noise of scale 1 with scores that are not monotone: the printed losses are those of continuous
 * noise, (2 + c) exp(-c) / 4 for a gap of c; on the integers the claim fails as well. */
TEST(noisy_max_needs_twice_the_scale_unless_monotone)
{
    json_t *vector = vectors_load("mechanisms", "noisy_max_nonmonotone_counterexample"),
           *row;
    size_t r;
    sc_ratio rate;
    sc_ball p[2], q[2], one;
    for (int i = 0; i < 2; i++) {
        sc_ball_init(&p[i]);
        sc_ball_init(&q[i]);
    }
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    exact_ratio("1", &rate);
    json_array_foreach(json_object_get(vector, "rows"), r, row)
    {
        const int64_t gap[] = {json_integer_value(json_object_get(row, "gap_before")),
                               json_integer_value(json_object_get(row, "gap_after"))};
        for (int i = 0; i < 2; i++) {
            sc_ball_set_int64(&p[i], -gap[i]);
            sc_ball_exp(&p[i], &p[i], EXACT_BITS + 64);
            sc_ball_mul_int64(&p[i], &p[i], gap[i] + 2, EXACT_BITS + 64);
            sc_ball_mul_power2(&p[i], &p[i], -2);
            /* On the integers: the second against the first. */
            sc_noisy_max_miss(&rate, false, (uint64_t)gap[i] + 1, 2, EXACT_BITS, &q[i]);
        }
        CHECK_PRINTED(&p[0], text_of(row, "p_before"));
        CHECK_PRINTED(&p[1], text_of(row, "p_after"));
        check_loss(&p[0], &p[1], text_of(row, "loss"));
        sc_ball_div(&q[0], &q[0], &q[1], EXACT_BITS);
        sc_ball_log(&q[0], &q[0], EXACT_BITS);
        CHECK(sc_ball_is_less(&one, &q[0])); /* epsilon = 1 is exceeded */
    }
    CHECK_INT(json_array_size(json_object_get(vector, "rows")), 6);
    sc_ratio_clear(&rate);
    sc_ball_clear(&one);
    for (int i = 0; i < 2; i++) {
        sc_ball_clear(&q[i]);
        sc_ball_clear(&p[i]);
    }
}

/* P(index 0) where it has noise Lap(1) and score 0, and eight others have Lap(10) and score c:
 * the integral over z of exp(-|z|)/2 F((z - c)/10)^8, in three pieces. */
static void unequal(int64_t c, sc_ball *out)
{
    const long bits = EXACT_BITS + 64;
    sc_ball below, between, part, binomial;
    sc_ball_init(&below);
    sc_ball_init(&between);
    sc_ball_init(&part);
    sc_ball_init(&binomial);
    /* z < 0: 1/(1 + 0.8); 0 < z < c: (1 - exp(-0.2 c))/0.2; both times exp(-0.8 c)/2^9. */
    sc_ball_set_int64(&below, 5);
    sc_ball_set_int64(&part, 9);
    sc_ball_div(&below, &below, &part, bits);
    sc_ball_set_int64(&between, -c);
    sc_ball_set_int64(&part, 5);
    sc_ball_div(&between, &between, &part, bits);
    sc_ball_expm1(&between, &between, bits);
    sc_ball_mul_int64(&between, &between, -5, bits);
    sc_ball_add(&below, &below, &between, bits);
    sc_ball_set_int64(&between, -4 * c);
    sc_ball_div(&between, &between, &part, bits);
    sc_ball_exp(&between, &between, bits);
    sc_ball_mul(out, &below, &between, bits);
    sc_ball_mul_power2(out, out, -9);
    /* z > c: exp(-c)/2 times the sum of C(8,k) (-1/2)^k / (1 + k/10). */
    static const int64_t choose[] = {1, 8, 28, 56, 70, 56, 28, 8, 1};
    sc_ball_set_int64(&below, 0);
    for (int64_t k = 0; k <= 8; k++) {
        sc_ball_set_int64(&binomial, (k % 2 == 0 ? 10 : -10) * choose[k]);
        sc_ball_mul_power2(&binomial, &binomial, -(long)k);
        sc_ball_set_int64(&part, 10 + k);
        sc_ball_div(&binomial, &binomial, &part, bits);
        sc_ball_add(&below, &below, &binomial, bits);
    }
    sc_ball_set_int64(&part, -c);
    sc_ball_exp(&part, &part, bits);
    sc_ball_mul(&part, &part, &below, bits);
    sc_ball_mul_power2(&part, &part, -1);
    sc_ball_add(out, out, &part, bits);
    sc_ball_clear(&binomial);
    sc_ball_clear(&part);
    sc_ball_clear(&between);
    sc_ball_clear(&below);
}

TEST(noisy_max_needs_one_scale_for_all)
{
    json_t *vector = vectors_load("mechanisms", "noisy_max_unequal_sensitivity");
    sc_ball p, q;
    sc_ball_init(&p);
    sc_ball_init(&q);
    unequal(20, &p);
    unequal(30, &q);
    CHECK_PRINTED(&p, text_of(vector, "p_D"));
    CHECK_PRINTED(&q, text_of(vector, "p_Dprime"));
    check_loss(&p, &q, text_of(vector, "loss"));
    sc_ball_clear(&q);
    sc_ball_clear(&p);
}

/* Drawing. */

SLOW_TEST(noisy_max_frequencies_fit_the_law)
{
    CLAIM("noisy-max.exact");
    static const int64_t four[] = {3, 1, 4, 4}, ties[] = {0, 0, 0},
                         far[] = {-1000000, 40, 0, 39};
    static int64_t many[300];
    const uint64_t draws = check_count(100000, 1000000);
    for (int i = 0; i < 300; i++)
        many[i] = i % 17;
    choices_fit("noisy-max epsilon=1 sensitivity=1 neighbours=replace", four, 4, draws);
    choices_fit("noisy-max epsilon=1 sensitivity=1 noise=geometric neighbours=replace",
                four, 4, draws);
    choices_fit("noisy-max epsilon=2 sensitivity=1 monotone=yes neighbours=add-remove",
                ties, 3, draws);
    choices_fit("noisy-max epsilon=2 sensitivity=1 monotone=yes noise=geometric "
                "neighbours=add-remove",
                ties, 3, draws);
    choices_fit("noisy-max epsilon=1/4 sensitivity=3 noise=geometric neighbours=replace",
                far, 4, draws);
    choices_fit("noisy-max epsilon=1 sensitivity=1 neighbours=replace", many, 300,
                draws / 20);
}

TEST(noisy_max_takes_every_score_there_is)
{
    const int64_t ends[] = {-((int64_t)1 << 62), (int64_t)1 << 62, -1};
    sc_int128 answer[1];
    sc_tape *tape = NULL;
    scrim_measurement *m =
        choices_new("noisy-max epsilon=1 sensitivity=1 neighbours=replace");
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(choices_draw(m, sc_tape_bits_of(tape), ends, 3, answer, 1));
    CHECK_INT(answer[0], 1);
    REQUIRE_OK(choices_draw(m, sc_tape_bits_of(tape), ends, 1, answer, 1));
    CHECK_INT(answer[0], 0);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

/* The mechanism. */

TEST(noisy_max_refuses_what_is_not_private)
{
    choices_check_refusals("noisy-max", "");
    choices_check_refusals("noisy-max", "noise=geometric");
    choices_refused("noisy-max epsilon=1 sensitivity=1 neighbours=replace noise=gumbel",
                    SCRIM_E_PARAM, "noise");
    choices_refused("noisy-max epsilon=2^-60 sensitivity=2^60 neighbours=replace",
                    SCRIM_E_LIMIT, "noise wider");
}

TEST(noisy_max_fails_closed_without_bits)
{
    static const int64_t scores[] = {3, 0, -4, 3};
    choices_check_entropy("noisy-max epsilon=1 sensitivity=1 neighbours=replace", scores,
                          4);
    choices_check_entropy(
        "noisy-max epsilon=1 sensitivity=1 noise=geometric neighbours=replace", scores,
        4);
}

TEST(noisy_max_accuracy_holds)
{
    CLAIM("noisy-max.accuracy");
    const char *const lines[] = {
        "noisy-max epsilon=1 sensitivity=1 neighbours=replace",
        "noisy-max epsilon=1 sensitivity=1 noise=geometric neighbours=replace",
        "noisy-max epsilon=3 sensitivity=1/5 grid=0.1 monotone=yes neighbours=add-remove",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        choices_check_accuracy(lines[i], 1, "0.95", true);
        choices_check_accuracy(lines[i], 2, "0.95", true);
        choices_check_accuracy(lines[i], 2, "0.999999", true);
        choices_check_accuracy(lines[i], 20, "0.99", false);
    }
}
