/* Every neighbour of a few groups under the exact audit: all sizes up to a little above the
 * threshold, up to three groups of one unit, every way to divide what it adds; and how often
 * groups are published. */
#include "audit/bounds.h"
#include "check.h"
#include "choices.h"
#include "exact.h"
#include "mechanism/threshold/keep_table.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/partition_selection.h"
#include "random/bits_tape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIZES = 48, ANSWERS = 96, GROUPS = 3 };

/* The laws of one group of each size, in doubles; an answer is not shown, or a place from the first
 * value that any size shows. */
typedef struct family {
    size_t sizes, answers;
    double mass[SIZES][ANSWERS];
} family;

static bool family_of(const scrim_measurement *m, size_t sizes, family *out)
{
    int64_t first = INT64_MAX;
    *out = (family){.sizes = sizes};
    for (int pass = 0; pass < 2; pass++)
        for (size_t n = 0; n < sizes; n++) {
            const int64_t input = (int64_t)n;
            sc_outcomes law;
            if (!choices_law(m, &input, 1, 80, &law))
                return false;
            for (size_t i = 0; i < law.count; i++) {
                const int64_t key = law.keys[i];
                if (key != INT64_MIN && key < first)
                    first = key;
                size_t place = key == INT64_MIN ? 0 : (size_t)(key - first) + 1;
                if (pass == 1 && place >= ANSWERS)
                    place = ANSWERS - 1; /* the far tail of noise, as one answer */
                if (pass == 1)
                    out->mass[n][place] += sc_ball_upper(&law.mass[i]);
                if (pass == 1 && place >= out->answers)
                    out->answers = place + 1;
            }
            sc_outcomes_clear(&law);
        }
    return true;
}

/* sum max(0, P - e^epsilon Q) over all answers of `groups` groups. */
static double excess(const family *f, const size_t *x, const size_t *y, size_t groups,
                     double p, double q, double odds)
{
    double sum = 0;
    if (groups == 0)
        return fmax(0, p - odds * q);
    for (size_t a = 0; a < f->answers; a++)
        if (f->mass[*x][a] > 0)
            sum += excess(f, x + 1, y + 1, groups - 1, p * f->mass[*x][a],
                          q * f->mass[*y][a], odds);
    return sum;
}

typedef struct sweep {
    const family *f;
    double odds, worst;
    size_t groups, each, total; /* at most, of one unit */
    size_t step;                /* of sizes */
    size_t x[GROUPS], y[GROUPS];
    uint64_t pairs;
} sweep;

/* All sizes and all moves from a group on. */
static void walk(sweep *s, size_t group, size_t left)
{
    if (group == s->groups) {
        s->worst = fmax(s->worst, excess(s->f, s->x, s->y, group, 1, 1, s->odds));
        s->worst = fmax(s->worst, excess(s->f, s->y, s->x, group, 1, 1, s->odds));
        s->pairs++;
        return;
    }
    for (size_t n = 0; n + s->each < s->f->sizes; n += s->step)
        for (size_t move = 1; move <= s->each && move <= left; move++) {
            s->x[group] = n;
            s->y[group] = n + move;
            walk(s, group + 1, left - move);
        }
}

typedef struct swept {
    const char *line;
    double epsilon, delta, least; /* least: of delta, that some pair attains */
    size_t groups, each, total;
    bool is_slow;
} swept;

static void check_swept(const swept *c)
{
    static family f;
    scrim_measurement *m = choices_model(c->line);
    REQUIRE(m != NULL);
    size_t sizes = m->mechanism == &sc_partition_selection
                       ? sc_partition_table(m)->certain + 2
                       : (size_t)sc_threshold_of(m) + 6 + c->each;
    REQUIRE(sizes <= SIZES);
    REQUIRE(family_of(m, sizes, &f));
    double worst = 0;
    uint64_t pairs = 0;
    /* fewer groups than it may be in are among the neighbours, too */
    for (size_t groups = 1; groups <= c->groups; groups++) {
        sweep s = {.f = &f,
                   .odds = exp(c->epsilon),
                   .groups = groups,
                   .each = c->each,
                   .total = c->total,
                   .step = check_is_long() || groups == 1 ? 1 : 5};
        walk(&s, 0, c->total);
        worst = fmax(worst, s.worst);
        pairs += s.pairs;
    }
    CHECK(pairs > 0);
    if (!CHECK(worst <= c->delta * (1 + 1e-9)) || !CHECK(worst >= c->least * c->delta))
        CHECK_FAIL("%s: %.10g of %.10g", c->line, worst, c->delta);
    scrim_measurement_free(m);
}

TEST(threshold_family_holds_on_all_neighbours)
{
    CLAIM("threshold-laplace.privacy");
    CLAIM("threshold-truncated.privacy");
    CLAIM("partition-selection.privacy");
    CLAIM("new-groups.exact");
    CLAIM("stabilise.privacy");
    static const swept list[] = {
        {"partition-selection epsilon=1 delta=1e-3", 1, 1e-3, 0.999999, 1, 1, 1, false},
        {"partition-selection epsilon=2 delta=1e-2 max-groups=2", 2, 1e-2, 0.999999, 2, 1,
         2, false},
        {"partition-selection epsilon=3 delta=0.05 max-groups=3", 3, 0.05, 0.999999, 3, 1,
         3, false},
        {"threshold-laplace epsilon=1 delta=0.0134", 1, 0.0134, 0.99, 1, 1, 1, false},
        {"threshold-laplace epsilon=4 delta=0.05 max-groups=2", 4, 0.05, 0.1, 2, 1, 2,
         false},
        {"threshold-laplace epsilon=6 delta=0.05 max-groups=3", 6, 0.05, 0.1, 3, 1, 3,
         true},
        {"threshold-laplace epsilon=6 delta=0.05 max-groups=2 max-rows=2", 6, 0.05, 0.1,
         2, 2, 4, true},
        {"threshold-laplace epsilon=4 delta=0.05 max-total=2", 4, 0.05, 0.1, 2, 2, 2,
         false},
        {"threshold-laplace epsilon=6 delta=0.05 max-total=3", 6, 0.05, 0.1, 3, 3, 3,
         true},
        {"threshold-truncated epsilon=1 delta=0.02", 1, 0.02, 0.4, 1, 1, 1, false},
        {"threshold-truncated epsilon=3 delta=0.02 max-groups=2", 3, 0.02, 0.1, 2, 1, 2,
         false},
        {"threshold-truncated epsilon=6 delta=0.05 max-groups=3", 6, 0.05, 0.1, 3, 1, 3,
         true},
        {"stabilise sensitivity=3 epsilon=3 delta=0.05", 3, 0.05, 0.1, 3, 3, 3, false},
        {"threshold-gaussian epsilon=2 delta=0.02", 2, 0.02, 0.5, 1, 1, 1, false},
        {"threshold-gaussian epsilon=4 delta=0.05 max-groups=2", 4, 0.05, 0.3, 2, 1, 2,
         false},
        {"threshold-gaussian epsilon=8 delta=0.05 max-groups=3", 8, 0.05, 0.1, 3, 1, 3,
         true}};
    for (size_t i = 0; i < COUNT(list); i++)
        if (!list[i].is_slow || check_is_long())
            check_swept(&list[i]);
}

/* How often a group of n units is published, within the interval of Clopper and Pearson: at 1, at
 * the threshold, at the two ends of the optimal table, and beside them what one unit more would
 * have. */
static void check_rate(const scrim_measurement *m, int64_t n, double p)
{
    enum { PORTION = 5000 }; /* many enough to be drawn by the block */
    static int64_t input[PORTION];
    static sc_int128 values[PORTION];
    static sc_mark marks[PORTION];
    sc_tape *tape = NULL;
    const uint64_t count = check_count_whole(50000, 10000000);
    uint64_t shown = 0;
    REQUIRE_OK(sc_tape_seeded(check_seed() + (uint64_t)n, &tape, NULL));
    for (size_t i = 0; i < PORTION; i++)
        input[i] = n;
    for (uint64_t done = 0; done < count; done += PORTION) {
        sc_draw room = {.values = values, .marks = marks, .capacity = PORTION};
        REQUIRE_OK(m->mechanism->draw(
            m, sc_tape_bits_of(tape),
            &(sc_private_input){.values = input, .count = PORTION}, &room, NULL));
        for (size_t i = 0; i < PORTION; i++)
            shown += marks[i] == SC_MARK_ABOVE_VALUE ||
                     (marks[i] == SC_MARK_VALUE && values[i] != 0);
    }
    if (!CHECK(sc_binomial_lower(shown, count, 0.5e-9) <= p &&
               p <= sc_binomial_upper(shown, count, 0.5e-9)))
        CHECK_FAIL("%s: n = %lld is shown %llu of %llu times, p = %.10g",
                   scrim_measurement_text(m), (long long)n, (unsigned long long)shown,
                   (unsigned long long)count, p);
    sc_tape_free(tape);
}

TEST(threshold_family_publishes_as_often_as_it_should)
{
    CLAIM("noisy-threshold.exact");
    CLAIM("keep-table.exact");
    static const char *const lines[] = {
        "threshold-laplace epsilon=1/2 delta=0.01 neighbours=add-remove",
        "threshold-gaussian epsilon=1 delta=0.01 neighbours=add-remove",
        "threshold-truncated epsilon=1 delta=0.01 neighbours=add-remove",
        ("threshold-weighted epsilon=1 delta=0.01 grid=1/4 max-groups=3 "
         "neighbours=add-remove"),
        "stabilise sensitivity=1 epsilon=1 delta=0.01 neighbours=add-remove"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        scrim_measurement *m = choices_new(lines[i]);
        sc_ball p;
        REQUIRE(m != NULL);
        const int64_t t = sc_threshold_of(m), sizes[] = {1, t - 1, t, t + 1};
        sc_ball_init(&p);
        for (size_t k = 0; k < COUNT(sizes); k++) {
            sc_law_at_least(&sc_noisy_threshold_of(m)->noise, t - sizes[k], 128, &p);
            check_rate(m, sizes[k], sc_ball_upper(&p));
        }
        sc_ball_clear(&p);
        scrim_measurement_free(m);
    }
    scrim_measurement *m =
        choices_new("partition-selection epsilon=1 delta=1e-3 neighbours=add-remove");
    REQUIRE(m != NULL);
    const double e = exp(1), d = 1e-3;
    const double n1 = 1 + floor(log((e + 2 * d - 1) / ((e + 1) * d)));
    const double p1 = (exp(n1) - 1) / (e - 1) * d;
    const double n2 = n1 + floor(log1p((e - 1) * (1 - p1) / d));
    const double k = n2 - n1;
    const double p2 = -expm1(-k) * (1 + d / (e - 1)) + exp(-k) * p1;
    check_rate(m, 1, d);
    check_rate(m, (int64_t)n1, p1);
    check_rate(m, (int64_t)n2, p2);
    check_rate(m, (int64_t)n2 + 1, 1);
    CHECK_INT(sc_partition_table(m)->certain, (int64_t)n2 + 1);
    scrim_measurement_free(m);
}
