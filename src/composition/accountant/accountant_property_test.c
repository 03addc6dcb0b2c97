/* Every accountant against the truth of small bags, by all outputs of all their parts; and at the
 * ends of what can be asked. */
#include "bags.h"
#include "composition/accountant/accountants.h"
#include "random/bits_tape.h"

#include <stdio.h>
#include <string.h>

#define BITS 256L
#define RELEASES 6

/* Random numbers of a seeded tape. */
typedef struct dice {
    sc_bits *bits;
} dice;

static uint64_t throw_below(dice *d, uint64_t count)
{
    uint64_t word = 0;
    CHECK_STATUS(sc_bits_word(d->bits, &word, NULL), SCRIM_OK);
    return word % count;
}

/* The truth: with every part either showing all (its delta), or answering like randomised response, the
 * sum over 2^releases losses of mass (1 - exp(e - loss)), and what is shown. */
typedef struct truth {
    size_t count;
    sc_ratio epsilon[RELEASES], delta[RELEASES];
} truth;

static void truth_clear(truth *t)
{
    for (size_t i = 0; i < t->count; i++) {
        sc_ratio_clear(&t->epsilon[i]);
        sc_ratio_clear(&t->delta[i]);
    }
}

/* The probability of a loss of +epsilon or of -epsilon. */
static void sign_mass(const sc_ratio *epsilon, bool is_loss, sc_ball *out)
{
    sc_ball one;
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    sc_ball_set_ratio(out, epsilon, BITS);
    if (is_loss)
        sc_ball_neg(out, out);
    sc_ball_exp(out, out, BITS);
    sc_ball_add_int64(out, out, 1, BITS);
    sc_ball_div(out, &one, out, BITS);
    sc_ball_clear(&one);
}

static void truth_delta(const truth *t, const sc_ratio *e, sc_ball *out)
{
    sc_ratio loss;
    sc_ball mass, part, kept;
    sc_ratio_init(&loss);
    sc_ball_init(&mass);
    sc_ball_init(&part);
    sc_ball_init(&kept);
    sc_ball_set_int64(out, 0);
    for (unsigned signs = 0; signs < 1U << t->count; signs++) {
        sc_ratio_set_int64(&loss, 0);
        sc_ball_set_int64(&mass, 1);
        for (size_t i = 0; i < t->count; i++) {
            const bool is_loss = (signs >> i & 1) == 1;
            sign_mass(&t->epsilon[i], is_loss, &part);
            sc_ball_mul(&mass, &mass, &part, BITS);
            (is_loss ? sc_ratio_add : sc_ratio_sub)(&loss, &loss, &t->epsilon[i]);
        }
        sc_ratio_sub(&loss, e, &loss);
        if (sc_ratio_sign(&loss) >= 0)
            continue;
        sc_ball_set_ratio(&part, &loss, BITS);
        sc_ball_expm1(&part, &part, BITS);
        sc_ball_mul(&part, &part, &mass, BITS);
        sc_ball_sub(out, out, &part, BITS);
    }
    /* 1 - (1 - d) prod(1 - delta_i) */
    sc_ball_neg(out, out);
    sc_ball_add_int64(out, out, 1, BITS);
    for (size_t i = 0; i < t->count; i++) {
        sc_ball_set_ratio(&kept, &t->delta[i], BITS);
        sc_ball_neg(&kept, &kept);
        sc_ball_add_int64(&kept, &kept, 1, BITS);
        sc_ball_mul(out, out, &kept, BITS);
    }
    sc_ball_neg(out, out);
    sc_ball_add_int64(out, out, 1, BITS);
    sc_ball_clear(&kept);
    sc_ball_clear(&part);
    sc_ball_clear(&mass);
    sc_ratio_clear(&loss);
}

/* A bag of a few parts, equal ones among them, and the same as a list of releases. */
static void random_bag(dice *d, sc_bag *bag, truth *t)
{
    static const char *const deltas[] = {"0", "0", "0", "1e-9", "1/1000", "1/7"};
    size_t left = 1 + throw_below(d, RELEASES);
    bags_open(bag);
    t->count = 0;
    while (left > 0) {
        const uint64_t copies = 1 + throw_below(d, left);
        char epsilon[64];
        snprintf(epsilon, sizeof epsilon, "%llu/%llu",
                 1 + (unsigned long long)throw_below(d, 40),
                 1 + (unsigned long long)throw_below(d, 60));
        const char *delta = deltas[throw_below(d, COUNT(deltas))];
        bags_add(bag, epsilon, delta, copies);
        for (uint64_t i = 0; i < copies; i++, t->count++) {
            exact_ratio(epsilon, &t->epsilon[t->count]);
            exact_ratio(delta, &t->delta[t->count]);
        }
        left -= copies;
    }
}

/* The roads over losses take a hundred times as long as theorems: they are asked now and then. */
#define SLOW_EVERY 16

static bool is_asked(const sc_accountant *by, uint64_t turn)
{
    static const char *const slow[] = {"lattice", "loss", "fast-loss"};
    for (size_t i = 0; i < COUNT(slow); i++)
        if (strcmp(by->name, slow[i]) == 0)
            return turn % SLOW_EVERY == 0;
    return true;
}

static void check_delta(const sc_bag *bag, const truth *t, const char *at, uint64_t turn)
{
    sc_ratio e;
    sc_ball exact;
    exact_ratio(at, &e);
    sc_ball_init(&exact);
    truth_delta(t, &e, &exact);
    for (size_t i = 0; sc_accountant_at(i) != NULL; i++) {
        const sc_accountant *by = sc_accountant_at(i);
        sc_enclosure found;
        if (!is_asked(by, turn))
            continue;
        sc_enclosure_init(&found);
        bags_delta(by, bag, at, &found);
        if (found.has_upper && sc_ball_is_less(&found.upper, &exact))
            CHECK_FAIL("%s: delta at %s is below the truth", by->name, at);
        if (found.has_lower && sc_ball_is_less(&exact, &found.lower))
            CHECK_FAIL("%s: the lower delta at %s is above the truth", by->name, at);
        sc_enclosure_clear(&found);
    }
    sc_ball_clear(&exact);
    sc_ratio_clear(&e);
}

/* The truth has at most delta at an upper end, and no less at a lower one. */
static void check_epsilon(const sc_bag *bag, const truth *t, const char *at,
                          uint64_t turn)
{
    sc_ratio end;
    sc_ball exact, delta;
    sc_ratio_init(&end);
    sc_ball_init(&exact);
    sc_ball_init(&delta);
    sc_ratio target;
    exact_ratio(at, &target);
    sc_ball_set_ratio(&delta, &target, BITS);
    for (size_t i = 0; sc_accountant_at(i) != NULL; i++) {
        const sc_accountant *by = sc_accountant_at(i);
        sc_enclosure found;
        if (!is_asked(by, turn))
            continue;
        sc_enclosure_init(&found);
        bags_epsilon(by, bag, at, &found);
        if (found.has_upper && CHECK(sc_ball_round_up(&found.upper, 2000, &end))) {
            truth_delta(t, &end, &exact);
            if (sc_ball_is_less(&delta, &exact))
                CHECK_FAIL("%s: epsilon at %s is below the truth", by->name, at);
        }
        if (found.has_lower && CHECK(sc_ball_round_down(&found.lower, 2000, &end)) &&
            sc_ratio_sign(&end) > 0) {
            truth_delta(t, &end, &exact);
            if (sc_ball_is_less(&exact, &delta))
                CHECK_FAIL("%s: the lower epsilon at %s is above the truth", by->name,
                           at);
        }
        sc_enclosure_clear(&found);
    }
    sc_ratio_clear(&target);
    sc_ball_clear(&delta);
    sc_ball_clear(&exact);
    sc_ratio_clear(&end);
}

SLOW_TEST(accountants_are_never_below_the_truth_of_small_bags)
{
    CLAIM("accountant.sound");
    static const char *const deltas[] = {"1e-12", "1e-6", "1/100", "1/5", "9/10"};
    static const char *const epsilons[] = {"0", "1/10", "1/2", "1", "3", "10"};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    dice d = {.bits = sc_tape_bits_of(tape)};
    const uint64_t cases = check_count_whole(64, 10000);
    for (uint64_t i = 0; i < cases; i++) {
        sc_bag bag;
        truth t;
        random_bag(&d, &bag, &t);
        check_delta(&bag, &t, epsilons[throw_below(&d, COUNT(epsilons))], i);
        check_epsilon(&bag, &t, deltas[throw_below(&d, COUNT(deltas))], i);
        truth_clear(&t);
        bags_close(&bag);
    }
    sc_tape_free(tape);
}

/* An answer or a remark: never something that is not a number, never without end. */
SLOW_TEST(accountants_at_the_ends_of_what_can_be_asked)
{
    CLAIM("accountant.sound");
    static const char *const epsilons[] = {"1e-300", "1e-9", "50", "700"};
    static const char *const deltas[] = {"0", "1e-300", "1e-30", "0.9999999999999999"};
    static const uint64_t counts[] = {1, 3, 1000};
    size_t answers = 0;
    for (size_t i = 0; i < COUNT(epsilons) * COUNT(deltas) * COUNT(counts); i++) {
        const char *epsilon = epsilons[i % COUNT(epsilons)];
        const char *delta = deltas[i / COUNT(epsilons) % COUNT(deltas)];
        const uint64_t count = counts[i / COUNT(epsilons) / COUNT(deltas)];
        for (size_t j = 0; sc_accountant_at(j) != NULL; j++) {
            sc_bag bag;
            sc_enclosure e;
            bags_begin_with(&bag, &e, epsilon, "0", count);
            if (bags_epsilon(sc_accountant_at(j), &bag, delta, &e)) {
                const double sum = strtod(epsilon, NULL) * (double)count;
                const bool is_sum = j < 5; /* those that are never above basic */
                CHECK(sc_ball_upper(&e.upper) >= 0);
                CHECK(!is_sum || sc_ball_upper(&e.upper) <= sum * (1 + 1e-9));
                answers++;
            }
            CHECK(bags_delta(sc_accountant_at(j), &bag, epsilon, &e));
            CHECK(sc_ball_upper(&e.upper) <= 1.000001);
            bags_end(&bag, &e);
        }
    }
    CHECK(answers > 100);
}
