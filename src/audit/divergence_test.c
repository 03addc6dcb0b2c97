#include "audit/divergence.h"
#include "check.h"
#include "exact.h"
#include "finite_law.h"
#include "random/bits_tape.h"
#include "secret.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 12 };

/* The texts of a JSON list of decimals. */
static size_t texts_of(const json_t *list, const char *texts[MOST])
{
    const size_t count = json_array_size(list);
    for (size_t i = 0; i < count && i < MOST; i++)
        texts[i] = json_string_value(json_array_get(list, i));
    return count;
}

static bool compare(const char *const *p, const char *const *q, size_t count,
                    sc_comparison **out)
{
    sc_outcomes left, right;
    finite_law(&left, p, count);
    finite_law(&right, q, count);
    const bool made =
        CHECK_STATUS(sc_comparison_new(&left, &right, EXACT_BITS, out, NULL), SCRIM_OK);
    sc_outcomes_clear(&left);
    sc_outcomes_clear(&right);
    return made;
}

/* One question with its argument as text. */
typedef void question(const sc_comparison *comparison, sc_direction direction,
                      const sc_ratio *argument, sc_enclosure *out);

static void ask(question *asked, const sc_comparison *comparison, sc_direction direction,
                const char *argument, sc_enclosure *out)
{
    sc_ratio value;
    exact_ratio(argument, &value);
    asked(comparison, direction, &value, out);
    sc_ratio_clear(&value);
}

/* Both bounds are the printed number. */
static void check_printed(const sc_enclosure *bounds, const char *printed)
{
    CHECK(bounds->is_bounded && !bounds->is_infinite);
    CHECK_PRINTED(&bounds->lower, printed);
    CHECK_PRINTED(&bounds->upper, printed);
}

TEST(divergences_are_those_of_the_vectors)
{
    CLAIM("divergence.hockey-stick");
    CLAIM("divergence.loss");
    CLAIM("divergence.renyi");
    json_t *row = vectors_load("mechanisms", "divergences");
    const char *y[MOST], *z[MOST];
    const size_t count = texts_of(json_object_get(row, "Y"), y);
    REQUIRE(count == texts_of(json_object_get(row, "Z"), z) && count == 4);
    sc_comparison *c = NULL;
    sc_enclosure value;
    sc_bounds_init(&value);
    REQUIRE(compare(y, z, count, &c));
    ask(sc_divergence_renyi, c, SC_FORTH, "1", &value);
    check_printed(&value, json_string_value(json_object_get(row, "kl_YZ")));
    ask(sc_divergence_renyi, c, SC_BACK, "1", &value);
    check_printed(&value, json_string_value(json_object_get(row, "kl_ZY")));
    sc_divergence_loss(c, SC_FORTH, &value, NULL);
    check_printed(&value, json_string_value(json_object_get(row, "max_YZ")));
    const char *distance =
        json_string_value(json_object_get(row, "statistical_distance"));
    ask(sc_divergence_hockey_stick, c, SC_FORTH, "0", &value);
    check_printed(&value, distance);
    ask(sc_divergence_hockey_stick, c, SC_BACK, "0", &value);
    check_printed(&value, distance);
    size_t i;
    json_t *point;
    json_array_foreach(json_object_get(row, "hockey_stick_YZ"), i, point)
    {
        ask(sc_divergence_hockey_stick, c, SC_FORTH,
            json_string_value(json_array_get(point, 0)), &value);
        check_printed(&value, json_string_value(json_array_get(point, 1)));
    }
    sc_comparison_free(c);
    sc_bounds_clear(&value);
}

/* A law on two outcomes: first with this probability. */
static void two_outcomes(const sc_ball *first, sc_outcomes *out)
{
    const int64_t keys[] = {0, 1};
    sc_ball second;
    sc_ball_init(&second);
    sc_ball_neg(&second, first);
    sc_ball_add_int64(&second, &second, 1, EXACT_BITS);
    sc_outcomes_init(out, 1);
    CHECK_STATUS(sc_outcomes_add(out, &keys[0], first, NULL), SCRIM_OK);
    CHECK_STATUS(sc_outcomes_add(out, &keys[1], &second, NULL), SCRIM_OK);
    sc_ball_clear(&second);
}

/* Randomised response of this epsilon on the two bits, and e^eps/(1 + e^eps). */
static sc_comparison *randomised_response(const char *epsilon, sc_ball *keep)
{
    sc_ratio value;
    sc_outcomes p, q;
    sc_ball one, lie;
    sc_comparison *c = NULL;
    exact_ratio(epsilon, &value);
    sc_ball_init(&one);
    sc_ball_init(&lie);
    sc_ball_set_int64(&one, 1);
    sc_ball_set_ratio(&lie, &value, EXACT_BITS);
    sc_ball_exp(&lie, &lie, EXACT_BITS);
    sc_ball_add_int64(&lie, &lie, 1, EXACT_BITS);
    sc_ball_div(&lie, &one, &lie, EXACT_BITS);
    sc_ball_sub(keep, &one, &lie, EXACT_BITS);
    two_outcomes(keep, &p);
    two_outcomes(&lie, &q);
    CHECK_STATUS(sc_comparison_new(&p, &q, EXACT_BITS, &c, NULL), SCRIM_OK);
    sc_outcomes_clear(&p);
    sc_outcomes_clear(&q);
    sc_ball_clear(&lie);
    sc_ball_clear(&one);
    sc_ratio_clear(&value);
    return c;
}

/* delta at an epsilon is no bound of the probability that the loss exceeds it: all of the mass of
 * the likelier answer has a loss of 1. */
TEST(divergence_is_no_probability_of_a_loss)
{
    CLAIM("divergence.hockey-stick");
    json_t *row = vectors_load("mechanisms", "privacy_loss_counterexample");
    sc_ball keep;
    sc_enclosure value;
    sc_ball_init(&keep);
    sc_bounds_init(&value);
    sc_comparison *c =
        randomised_response(json_string_value(json_object_get(row, "epsilon0")), &keep);
    REQUIRE(c != NULL);
    ask(sc_divergence_hockey_stick, c, SC_FORTH,
        json_string_value(json_object_get(row, "epsilon")), &value);
    check_printed(&value, json_string_value(json_object_get(row, "delta")));
    sc_side side = sc_side_of(c, SC_FORTH);
    CHECK_INT((int64_t)sc_side_above(&side, 0.99), 1);
    CHECK_PRINTED(sc_side_p_sum(&side, 1),
                  json_string_value(json_object_get(row, "prob_loss_exceeds")));
    sc_comparison_free(c);
    sc_bounds_clear(&value);
    sc_ball_clear(&keep);
}

/* KL = epsilon tanh(epsilon/2) for randomised response: the bound of section 7, attained. */
TEST(divergence_of_randomised_response_is_eps_tanh)
{
    CLAIM("divergence.renyi");
    const char *const epsilons[] = {"1/100", "1/2", "1", "3", "20"};
    sc_ball keep, want, half;
    sc_enclosure value;
    sc_ball_init(&keep);
    sc_ball_init(&want);
    sc_ball_init(&half);
    sc_bounds_init(&value);
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
        sc_ratio epsilon;
        exact_ratio(epsilons[i], &epsilon);
        sc_comparison *c = randomised_response(epsilons[i], &keep);
        REQUIRE(c != NULL);
        ask(sc_divergence_renyi, c, i % 2 ? SC_FORTH : SC_BACK, "1", &value);
        /* tanh(e/2) = expm1(e) / (exp(e) + 1) */
        sc_ball_set_ratio(&want, &epsilon, EXACT_BITS);
        sc_ball_expm1(&half, &want, EXACT_BITS);
        sc_ball_mul(&want, &want, &half, EXACT_BITS);
        sc_ball_add_int64(&half, &half, 2, EXACT_BITS);
        sc_ball_div(&want, &want, &half, EXACT_BITS);
        CHECK_SAME(&value.lower, &want, 200);
        CHECK_SAME(&value.upper, &want, 200);
        sc_comparison_free(c);
        sc_ratio_clear(&epsilon);
    }
    sc_bounds_clear(&value);
    sc_ball_clear(&half);
    sc_ball_clear(&want);
    sc_ball_clear(&keep);
}

/* Two candidates with a gap of 0 and of epsilon: permute-and-flip takes the worse one with
 * probability w/2, w = exp(-gap). */
TEST(permute_and_flip_has_no_bounded_range)
{
    CLAIM("divergence.renyi");
    json_t *rows = json_object_get(
        vectors_load("mechanisms", "permute_and_flip_not_bounded_range"), "rows");
    REQUIRE(json_array_size(rows) == 4);
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row)
    {
        sc_ratio epsilon;
        sc_outcomes p, q;
        sc_ball first;
        sc_enclosure value;
        sc_comparison *c = NULL;
        sc_ball_init(&first);
        sc_bounds_init(&value);
        exact_ratio(json_string_value(json_object_get(row, "epsilon")), &epsilon);
        sc_ball_set_int64(&first, 1);
        sc_ball_mul_power2(&first, &first, -1);
        two_outcomes(&first, &p);
        sc_ball_set_ratio(&first, &epsilon, EXACT_BITS);
        sc_ball_neg(&first, &first);
        sc_ball_exp(&first, &first, EXACT_BITS);
        sc_ball_mul_power2(&first, &first, -1);
        two_outcomes(&first, &q);
        CHECK_STATUS(sc_comparison_new(&p, &q, EXACT_BITS, &c, NULL), SCRIM_OK);
        sc_divergence_loss(c, SC_FORTH, &value, NULL);
        check_printed(&value, json_string_value(json_object_get(row, "epsilon")));
        ask(sc_divergence_renyi, c, SC_FORTH, "1", &value);
        check_printed(&value, json_string_value(json_object_get(row, "kl")));
        CHECK(sc_bounds_lower(&value) >
              strtod(json_string_value(json_object_get(row, "eps2_over_8")), NULL));
        sc_comparison_free(c);
        sc_outcomes_clear(&p);
        sc_outcomes_clear(&q);
        sc_bounds_clear(&value);
        sc_ball_clear(&first);
        sc_ratio_clear(&epsilon);
    }
}

/* An outcome that only one neighbour can have: no epsilon, and no order, makes up for it. */
TEST(divergence_sees_an_impossible_outcome)
{
    CLAIM("divergence.loss");
    const char *const p[] = {"0.5", "0.48", "0.02"}, *const q[] = {"0.6", "0.4", NULL};
    sc_comparison *c = NULL;
    sc_enclosure value;
    sc_bounds_init(&value);
    REQUIRE(compare(p, q, 3, &c));
    sc_divergence_loss(c, SC_FORTH, &value, NULL);
    CHECK(value.is_infinite);
    sc_divergence_loss(c, SC_BACK, &value, NULL);
    CHECK(!value.is_infinite && value.is_bounded);
    CHECK_NEAR(sc_bounds_upper(&value), log(1.2), 1e-15);
    ask(sc_divergence_renyi, c, SC_FORTH, "2", &value);
    CHECK(value.is_infinite);
    ask(sc_divergence_renyi, c, SC_FORTH, "1", &value);
    CHECK(value.is_infinite);
    ask(sc_divergence_renyi, c, SC_BACK, "2", &value);
    CHECK(value.is_bounded && !value.is_infinite);
    ask(sc_divergence_hockey_stick, c, SC_FORTH, "100", &value);
    check_printed(&value, "0.02");
    sc_comparison_free(c);
    sc_bounds_clear(&value);
}

/* The survey takes points for events: then two laws without a common outcome, each uniform on a
 * hundred, would be alike at delta = 0.02. */
TEST(divergence_looks_at_events_not_points)
{
    CLAIM("divergence.hockey-stick");
    int64_t p[200], q[200];
    for (size_t i = 0; i < 200; i++) {
        p[i] = i < 100 ? 1 : -1;
        q[i] = i < 100 ? -1 : 1;
    }
    sc_outcomes left, right;
    sc_comparison *c = NULL;
    sc_enclosure value;
    sc_bounds_init(&value);
    finite_law_weights(&left, p, 200, 100);
    finite_law_weights(&right, q, 200, 100);
    REQUIRE_OK(sc_comparison_new(&left, &right, EXACT_BITS, &c, NULL));
    ask(sc_divergence_hockey_stick, c, SC_BACK, "1", &value);
    CHECK_NEAR(sc_bounds_lower(&value), 1, 1e-15);
    sc_comparison_free(c);
    sc_outcomes_clear(&left);
    sc_outcomes_clear(&right);
    sc_bounds_clear(&value);
}

/* Chaining Pr = .55, .25, .10 with (ln 2, .05) twice: at 2 ln 2 the survey's .10 is too little. */
TEST(divergence_of_a_chain_grows_by_more_than_the_sum)
{
    CLAIM("divergence.hockey-stick");
    const char *const first[] = {"0.55", "0.45"}, *const second[] = {"0.25", "0.75"},
                      *const third[] = {"0.10", "0.90"};
    sc_comparison *c = NULL;
    sc_enclosure value;
    sc_bounds_init(&value);
    /* ln 2 from below and above: the two sides of 0.05 */
    REQUIRE(compare(first, second, 2, &c));
    ask(sc_divergence_hockey_stick, c, SC_FORTH, "0.6931471805599453", &value);
    CHECK_NEAR(sc_bounds_upper(&value), 0.05, 1e-12);
    sc_comparison_free(c);
    c = NULL;
    REQUIRE(compare(second, third, 2, &c));
    ask(sc_divergence_hockey_stick, c, SC_FORTH, "0.6931471805599453", &value);
    CHECK_NEAR(sc_bounds_upper(&value), 0.05, 1e-12);
    sc_comparison_free(c);
    c = NULL;
    REQUIRE(compare(first, third, 2, &c));
    ask(sc_divergence_hockey_stick, c, SC_FORTH, "1.3862943611198906", &value);
    CHECK_NEAR(sc_bounds_lower(&value), 0.15, 1e-12);
    sc_comparison_free(c);
    sc_bounds_clear(&value);
}

/* Random laws, against plain sums in another order and another arithmetic. */

typedef struct subject {
    size_t count;
    int64_t p[MOST], q[MOST], p_total, q_total;
} subject;

static int64_t below(sc_bits *bits, unsigned count)
{
    uint64_t word = 0;
    CHECK_STATUS(sc_bits_take(bits, count, &word, NULL), SCRIM_OK);
    return (int64_t)word;
}

/* Small weights, so that zeros and equal losses are frequent. */
static void draw_subject(sc_bits *bits, subject *s)
{
    *s = (subject){.count = 2 + (size_t)below(bits, 3)};
    for (size_t i = 0; i < s->count; i++) {
        s->p[i] = below(bits, 3);
        s->q[i] = below(bits, 3);
        s->p_total += s->p[i];
        s->q_total += s->q[i];
    }
    s->p[0] += s->p_total == 0;
    s->q[0] += s->q_total == 0;
    s->p_total += s->p_total == 0;
    s->q_total += s->q_total == 0;
}

static long double plain_hockey_stick(const subject *s, bool back, long double epsilon)
{
    const int64_t *p = back ? s->q : s->p, *q = back ? s->p : s->q;
    const long double p_total = (long double)(back ? s->q_total : s->p_total);
    const long double q_total = (long double)(back ? s->p_total : s->q_total);
    long double sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        long double term =
            (long double)p[i] / p_total - expl(epsilon) * (long double)q[i] / q_total;
        sum += term > 0 ? term : 0;
    }
    return sum;
}

static long double plain_renyi(const subject *s, bool back, long double order)
{
    const int64_t *p = back ? s->q : s->p, *q = back ? s->p : s->q;
    const long double p_total = (long double)(back ? s->q_total : s->p_total);
    const long double q_total = (long double)(back ? s->p_total : s->q_total);
    long double sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        long double y = (long double)p[i] / p_total, z = (long double)q[i] / q_total;
        if (y > 0)
            sum += order == 1 ? y * logl(y / z) : y * powl(y / z, order - 1);
    }
    return order == 1 ? sum : logl(sum) / (order - 1);
}

static long double plain_loss(const subject *s, bool back)
{
    const int64_t *p = back ? s->q : s->p, *q = back ? s->p : s->q;
    const long double p_total = (long double)(back ? s->q_total : s->p_total);
    const long double q_total = (long double)(back ? s->p_total : s->q_total);
    long double most = -(long double)HUGE_VAL;
    for (size_t i = 0; i < s->count; i++)
        if (p[i] > 0)
            most = fmaxl(most,
                         logl((long double)p[i] / p_total / (long double)q[i] * q_total));
    return most;
}

/* lower <= true <= upper, and equal to it where the laws are listed in full. */
static void check_encloses(const sc_enclosure *bounds, long double truth, bool is_full)
{
    const long double slack = 1e-15L * fmaxl(1, fabsl(truth));
    const long double low = (long double)sc_bounds_lower(bounds);
    const long double high = (long double)sc_bounds_upper(bounds);
    if (isinf(truth)) {
        CHECK(!is_full || bounds->is_infinite);
        CHECK(isinf(high));
        return;
    }
    if (!CHECK(low <= truth + slack && truth <= high + slack))
        CHECK_FAIL("%.17Lg is not in [%.17Lg, %.17Lg]", truth, low, high);
    if (is_full && !CHECK(high - low <= slack))
        CHECK_FAIL("[%.17Lg, %.17Lg] is wide", low, high);
}

static const char *const epsilons[] = {
    "0", "1/10", "0.4054651081081644", "0.6931471805599453", "1", "2", "7/2"};
static const char *const orders[] = {"1", "101/100", "2", "5", "32"};

static void check_subject(const subject *s, const sc_outcomes *p, const sc_outcomes *q,
                          bool is_full)
{
    sc_comparison *c = NULL;
    sc_enclosure value;
    sc_bounds_init(&value);
    if (!CHECK_STATUS(sc_comparison_new(p, q, 128, &c, NULL), SCRIM_OK))
        return;
    for (int back = 0; back < 2; back++) {
        const sc_direction direction = back ? SC_BACK : SC_FORTH;
        for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
            sc_ratio e;
            exact_ratio(epsilons[i], &e);
            sc_divergence_hockey_stick(c, direction, &e, &value);
            sc_ball view;
            sc_ball_init(&view);
            sc_ball_set_ratio(&view, &e, 64);
            check_encloses(&value,
                           plain_hockey_stick(s, back, (long double)sc_ball_lower(&view)),
                           is_full);
            sc_ball_clear(&view);
            sc_ratio_clear(&e);
        }
        for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
            ask(sc_divergence_renyi, c, direction, orders[i], &value);
            const long double order = i == 1 ? 1.01L : strtold(orders[i], NULL);
            check_encloses(&value, plain_renyi(s, back, order), is_full);
        }
        sc_divergence_loss(c, direction, &value, NULL);
        if (is_full)
            check_encloses(&value, plain_loss(s, back), true);
        else
            CHECK((long double)sc_bounds_lower(&value) <= plain_loss(s, back) + 1e-12L);
    }
    sc_comparison_free(c);
    sc_bounds_clear(&value);
}

/* In full, and with some outcomes of each law swept under its rest: then the bounds must hold
 * the truth, whatever is hidden. */
TEST(divergences_enclose_plain_sums)
{
    if (secret_is_under_valgrind())
        SKIP("valgrind computes long doubles in 53 bits");
    CLAIM("divergence.hockey-stick");
    CLAIM("divergence.loss");
    CLAIM("divergence.renyi");
    sc_tape *tape;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    sc_bits *bits = sc_tape_bits_of(tape);
    const uint64_t rounds = check_count(300, 20000);
    for (uint64_t round = 0; round < rounds; round++) {
        subject s;
        sc_outcomes p, q;
        draw_subject(bits, &s);
        finite_law_weights(&p, s.p, s.count, s.p_total);
        finite_law_weights(&q, s.q, s.count, s.q_total);
        check_subject(&s, &p, &q, true);
        for (int hides = 0; hides < 3; hides++) {
            sc_outcomes *law = below(bits, 1) ? &p : &q;
            if (law->count > 0)
                finite_law_hide(law, (size_t)below(bits, 6) % law->count);
            check_subject(&s, &p, &q, false);
        }
        sc_outcomes_clear(&p);
        sc_outcomes_clear(&q);
    }
    sc_tape_free(tape);
}

/* Masses known to 2^-36: at an epsilon that is one of the losses, the outcome may still count. */
TEST(divergence_counts_what_a_wide_mass_may_hold)
{
    if (secret_is_under_valgrind())
        SKIP("valgrind computes long doubles in 53 bits");
    CLAIM("divergence.hockey-stick");
    const char *const masses[] = {"0.6", "0.4"}, *const other[] = {"0.5", "0.5"};
    sc_outcomes p, q;
    sc_comparison *c = NULL;
    sc_enclosure value;
    sc_ball radius;
    sc_bounds_init(&value);
    sc_ball_init(&radius);
    sc_ball_set_int64(&radius, 1);
    sc_ball_mul_power2(&radius, &radius, -36);
    finite_law(&p, masses, 2);
    finite_law(&q, other, 2);
    sc_ball_widen(&p.mass[0], &radius);
    REQUIRE_OK(sc_comparison_new(&p, &q, 128, &c, NULL));
    CHECK_INT((int64_t)c->shared_count, 2); /* not vague: a loss within 2^-30 */
    const char *const near[] = {"0.1823215567", "0.18232155679395462621", "0.1823215569"};
    for (size_t i = 0; i < 3; i++) {
        ask(sc_divergence_hockey_stick, c, SC_FORTH, near[i], &value);
        const long double most = 0.6L + 0x1p-36L - 0.5L * expl(strtold(near[i], NULL));
        const long double least = 0.6L - 0x1p-36L - 0.5L * expl(strtold(near[i], NULL));
        CHECK((long double)sc_bounds_upper(&value) >= fmaxl(0, most) - 1e-17L);
        CHECK((long double)sc_bounds_lower(&value) <= fmaxl(0, least) + 1e-17L);
    }
    sc_comparison_free(c);
    sc_outcomes_clear(&p);
    sc_outcomes_clear(&q);
    sc_ball_clear(&radius);
    sc_bounds_clear(&value);
}
