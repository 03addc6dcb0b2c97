#include "check.h"
#include "query/estimate/bound_proposal.h"
#include "vectors.h"

#include <math.h>
#include <string.h>

static const int64_t counts_ladder[] = {
    1,    2,    5,     10,    20,    50,     100,    200,    500,    1000,
    2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000};

static scrim_measurement *noise_of(const char *epsilon, const char *relation)
{
    scrim_measurement *m = NULL;
    char line[200];
    snprintf(line, sizeof line, "laplace sensitivity=%d epsilon=%s neighbours=%s",
             strcmp(relation, "replace") == 0 ? 2 : 1, epsilon, relation);
    CHECK_STATUS(scrim_measurement_parse(line, &m, NULL), SCRIM_OK);
    return m;
}

static void begin(sc_ladder_reading *r, size_t rungs, const scrim_measurement *noise)
{
    sc_ratio confidence;
    sc_ratio_init(&confidence);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("0.95"), &confidence, NULL), SCRIM_OK);
    sc_reading_init(r, counts_ladder, rungs, 1, (sc_value_step){1, 1}, noise,
                    &confidence);
    sc_ratio_clear(&confidence);
}

static size_t rung_of(const sc_ladder_reading *r, double value)
{
    size_t i = 0;
    while (i < r->count && r->ends[i] != value)
        i++;
    return i;
}

/* Vectors. */

TEST(ladder_reads_counts_as_the_vectors_do)
{
    json_t *all = json_object_get(vectors_load("bounds", "ladder"), "reading"), *row;
    scrim_measurement *noise = noise_of("1", "add-remove");
    size_t i, looked = 0;
    json_array_foreach(all, i, row)
    {
        json_t *counts = json_object_get(row, "counts");
        sc_ladder_reading r;
        if (counts == NULL)
            continue;
        begin(&r, json_array_size(counts), noise);
        for (size_t k = 0; k < r.count; k++) {
            r.counts[k] = json_integer_value(json_array_get(counts, k));
            CHECK_INT(
                json_integer_value(json_array_get(json_object_get(row, "rungs"), k)),
                (int64_t)r.ends[k]);
        }
        CHECK_INT(sc_reading_people(&r), json_integer_value(json_object_get(row, "N")));
        CHECK_INT((int64_t)r.ends[sc_reading_find(&r, 95).rung],
                  json_integer_value(json_object_get(row, "quantile_rung")));
        if (json_object_get(row, "tail_above_10") != NULL) {
            const size_t ten = rung_of(&r, 10);
            CHECK_INT(sc_reading_above(&r, rung_of(&r, 5)),
                      json_integer_value(json_object_get(row, "tail_above_5")));
            CHECK_INT(sc_reading_above(&r, ten),
                      json_integer_value(json_object_get(row, "tail_above_10")));
            CHECK_INT(
                sc_reading_share(&r, sc_reading_above(&r, ten), r.count - 1 - ten).share,
                400);
            looked++;
        }
    }
    CHECK_INT(looked, 1);
    scrim_measurement_free(noise);
}

/* The error of a sum of many counts is nearly that of a normal distribution with the deviation of the vectors. */
TEST(ladder_errors_follow_the_noise_of_the_vectors)
{
    json_t *all = json_object_get(vectors_load("bounds", "ladder"), "noise"), *row;
    size_t i, looked = 0;
    json_array_foreach(all, i, row)
    {
        const size_t rungs = (size_t)json_integer_value(json_object_get(row, "rungs"));
        const double sd = json_real_value(json_object_get(row, "sd_of_sum_of_all_rungs"));
        sc_ladder_reading r;
        if (rungs > SC_LADDER_MOST)
            continue;
        scrim_measurement *noise =
            noise_of(json_string_value(json_object_get(row, "epsilon_part")),
                     json_string_value(json_object_get(row, "relation")));
        begin(&r, rungs, noise);
        const double error = (double)sc_reading_error(&r, rungs);
        CHECK(error > 1.94 * sd && error < 2.1 * sd);
        CHECK_INT(sc_reading_error(&r, 0), 0);
        scrim_measurement_free(noise);
        looked++;
    }
    CHECK_INT(looked, 4);
}

/* Coverage. */

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    return *seed ^= *seed << 17;
}

static double uniform(uint64_t *seed)
{
    return ((double)(next(seed) >> 11) + 0.5) / 9007199254740992.0;
}

/* A difference of two geometric draws. */
static int64_t draw(double scale, uint64_t *seed)
{
    const double a = floor(-scale * log(uniform(seed))),
                 b = floor(-scale * log(uniform(seed)));
    return (int64_t)(a - b);
}

static const int64_t people[][SC_LADDER_MOST] = {
    {7059, 2041, 1682, 656, 320, 169, 37, 20, 8, 5, 2, 1},
    {11160, 840},
    {0, 0, 0, 0, 11650, 0, 350},
};

typedef struct covered {
    size_t tails, quantiles, shares, ranks;
} covered;

static void look(sc_ladder_reading *r, const int64_t *truth, uint64_t *seed, double scale,
                 covered *c)
{
    sc_ladder_reading exact = *r;
    for (size_t i = 0; i < r->count; i++) {
        exact.counts[i] = truth[i];
        r->counts[i] = truth[i] + draw(scale, seed);
    }
    const double all = (double)sc_reading_people(&exact);
    const int64_t above = sc_reading_above(&exact, 3);
    c->tails += llabs(sc_reading_above(r, 3) - above) <=
                (int64_t)sc_reading_error(r, r->count - 4);
    const sc_ladder_quantile q = sc_reading_find(r, 95);
    const size_t right = sc_reading_find(&exact, 95).rung;
    c->quantiles += q.low <= right && right <= q.high;
    CHECK(q.low <= q.rung && q.rung <= q.high);
    const double to = 1 - (double)sc_reading_above(&exact, q.rung) / all,
                 from = q.rung == 0
                            ? 0
                            : 1 - (double)sc_reading_above(&exact, q.rung - 1) / all;
    c->ranks += to >= 0.93 && from <= 0.97;
    if (*seed % 4 != 0) { /* it takes longest */
        c->shares++;
        return;
    }
    const sc_ladder_part part = sc_reading_share(r, sc_reading_above(r, 3), r->count - 4);
    c->shares += part.low <= 10000 * (double)above / all &&
                 10000 * (double)above / all <= part.high;
}

/* Ladders of 12,000 people with 0.3 for six of them; with the noise of twice the scale, twice as many people. */
static void look_often(const char *neighbours, int64_t times, size_t runs, uint64_t *seed)
{
    const double least = 0.95 * (double)runs - 4 * sqrt(0.95 * 0.05 * (double)runs);
    scrim_measurement *noise = noise_of("0.05", neighbours);
    for (size_t i = 0; i < COUNT(people); i++) {
        covered c = {0, 0, 0, 0};
        sc_ladder_reading r;
        int64_t truth[SC_LADDER_MOST];
        for (size_t k = 0; k < SC_LADDER_MOST; k++)
            truth[k] = times * people[i][k];
        begin(&r, SC_LADDER_MOST, noise);
        for (size_t run = 0; run < runs; run++)
            look(&r, truth, seed, 20 * (double)times, &c);
        CHECK((double)c.tails >= least);
        CHECK((double)c.quantiles >= least);
        CHECK((double)c.shares >= least);
        /* The rung holds a rank within 0.02 of 0.95. */
        CHECK((double)c.ranks >= least);
    }
    scrim_measurement_free(noise);
}

SLOW_TEST(ladder_intervals_hold_what_is_true)
{
    CLAIM("ladder-reading.tail");
    CLAIM("ladder-reading.quantile");
    CLAIM("ladder-reading.share");
    const size_t runs = check_is_long() ? 3000 : 60;
    uint64_t seed = 88172645463325252;
    look_often("add-remove", 1, runs, &seed);
    look_often("replace", 2, runs / 2, &seed);
}

/* A tail that noise makes negative, even by more than its radius, says that hardly anybody is there. */
TEST(ladder_reads_a_negative_tail_as_a_small_share)
{
    CLAIM("ladder-reading.share");
    scrim_measurement *noise = noise_of("1", "add-remove");
    sc_ladder_reading r;
    begin(&r, 5, noise);
    for (int64_t tail = -40; tail <= 0; tail += 5) {
        r.counts[0] = 4000;
        r.counts[4] = tail;
        const sc_ladder_part part = sc_reading_share(&r, sc_reading_above(&r, 3), 1);
        CHECK_INT(part.share, 0);
        CHECK_INT(part.low, 0);
        CHECK(part.high > 0 && part.high <= 20);
        /* The others are then all people. */
        const sc_ladder_part rest = sc_reading_share(&r, 4000, 4);
        CHECK_INT(rest.share, 10000);
        CHECK_INT(rest.high, 10000);
        CHECK(rest.low < 10000 && rest.low >= 9980);
    }
    /* Nobody at all: nothing is known. */
    r.counts[0] = -3;
    r.counts[4] = -2;
    const sc_ladder_part none = sc_reading_share(&r, -2, 1);
    CHECK_INT(none.low, 0);
    CHECK_INT(none.high, 10000);
    scrim_measurement_free(noise);
}

/* Proposals. */

static sc_proposal proposal_of(int64_t all, const sc_ratio *epsilon)
{
    return (sc_proposal){.people = all, .keys = 1, .epsilon = epsilon};
}

/* Noise on rungs that nobody stands on is no reason for a larger bound. */
TEST(proposal_does_not_follow_the_noise)
{
    scrim_measurement *noise = noise_of("0.05", "add-remove");
    sc_ratio epsilon;
    sc_ladder_reading r;
    uint64_t seed = 2463534242;
    sc_ratio_init(&epsilon);
    sc_ratio_set_int64(&epsilon, 1);
    begin(&r, SC_LADDER_MOST, noise);
    for (size_t run = 0; run < 50; run++) {
        for (size_t i = 0; i < r.count; i++)
            r.counts[i] = people[1][i] + draw(20, &seed);
        sc_proposal p = proposal_of(12000, &epsilon);
        CHECK(r.ends[sc_proposal_total_rows(&p, &r)] <= 10);
    }
    sc_ratio_clear(&epsilon);
    scrim_measurement_free(noise);
}

/* The bound is the best of all rungs: more noise for the question, a smaller bound; and nothing is dropped for
 * free. */
TEST(proposal_weighs_bias_and_noise)
{
    scrim_measurement *noise = noise_of("100", "add-remove");
    sc_ratio epsilon;
    sc_ladder_reading r;
    sc_ratio_init(&epsilon);
    begin(&r, SC_LADDER_MOST, noise);
    memcpy(r.counts, people[0], sizeof r.counts);
    double last = 0;
    for (int64_t i = 1; i <= 100000; i *= 10) {
        sc_ratio_set_int64(&epsilon, 100000 / i);
        SC_OWN(sc_ratio, thousand);
        sc_ratio_set_int64(&thousand, 1000);
        sc_ratio_div(&epsilon, &epsilon, &thousand);
        sc_proposal p = proposal_of(12000, &epsilon);
        const double bound = r.ends[sc_proposal_total_rows(&p, &r)];
        CHECK(last == 0 || bound <= last);
        last = bound;
    }
    CHECK(last < 100);
    sc_ratio_set_int64(&epsilon, 1000);
    sc_proposal p = proposal_of(12000, &epsilon);
    CHECK(r.ends[sc_proposal_total_rows(&p, &r)] == 5000);
    sc_ratio_clear(&epsilon);
    scrim_measurement_free(noise);
}

/* Counts of the first rungs; noise has a scale of 10. */
static double cleaned_at(sc_ladder_reading *r, const int64_t *counts, size_t count,
                         size_t rung)
{
    double cleaned[SC_LADDER_MOST];
    memset(r->counts, 0, sizeof r->counts);
    memcpy(r->counts, counts, count * sizeof *counts);
    sc_reading_clean(r, cleaned);
    return cleaned[rung];
}

/* 60 people on two neighbouring rungs are seen in their sum, though neither rung shows them. Behind empty rungs a count is
 * taken for noise, unless noise is that large less than once in 10,000 runs. */
TEST(ladder_sees_people_who_are_spread)
{
    static const int64_t spread[] = {900, 300, 30, 30}, few[] = {900, 300, 30, 0, 0},
                         apart[] = {900, 300, 0, 0, 0, 0, 60, 30},
                         far[] = {900, 300, 0, 0, 0, 0, 90, 90},
                         small[] = {0, 12, 60, 70, 50}, noise_alone[] = {9, -20, 25, 14};
    scrim_measurement *noise = noise_of("0.1", "add-remove");
    sc_ladder_reading r;
    begin(&r, SC_LADDER_MOST, noise);
    CHECK(cleaned_at(&r, spread, 4, 3) == 30);
    CHECK(cleaned_at(&r, few, 5, 1) == 300);
    CHECK(cleaned_at(&r, few, 5, 2) == 0);
    CHECK(cleaned_at(&r, apart, 8, 6) == 0);
    CHECK(cleaned_at(&r, far, 8, 6) == 90);
    CHECK(cleaned_at(&r, far, 8, 7) == 90);
    CHECK(cleaned_at(&r, small, 5, 3) == 70);
    for (size_t i = 0; i < SC_LADDER_MOST; i++)
        CHECK(cleaned_at(&r, noise_alone, 4, i) == 0);
    scrim_measurement_free(noise);
}

/* A row of a clamped sum is taken as half of the value whose noise it costs, so that fewer rows are best. */
TEST(proposal_of_sums_has_fewer_rows)
{
    scrim_measurement *noise = noise_of("100", "add-remove");
    SC_OWN(sc_ratio, epsilon);
    sc_ladder_reading r;
    size_t fewer = 0;
    begin(&r, SC_LADDER_MOST, noise);
    memcpy(r.counts, people[0], sizeof r.counts);
    sc_ratio_set_int64(&epsilon, 1);
    for (uint64_t keys = 1; keys <= 256; keys *= 4) {
        sc_proposal p = proposal_of(12000, &epsilon);
        p.keys = keys;
        const double count = r.ends[sc_proposal_total_rows(&p, &r)];
        p.are_totals = true;
        const double sum = r.ends[sc_proposal_total_rows(&p, &r)];
        CHECK(sum <= count);
        fewer += sum < count;
    }
    CHECK(fewer >= 3);
    scrim_measurement_free(noise);
}

/* The bound of a total is then one row of a person, and not the smallest rung, which would cut everybody. */
TEST(proposal_of_nobody_is_one_row)
{
    static const int64_t ladder[] = {0, 1, 2, 5, 10, 20, 50, 100, 200, 500};
    scrim_measurement *noise = noise_of("0.1", "add-remove");
    sc_ladder_reading r;
    SC_OWN(sc_ratio, one);
    sc_ratio_set_int64(&one, 1);
    sc_reading_init(&r, ladder, 10, 0, (sc_value_step){1, 2}, noise, &one);
    r.beta = 0.05;
    r.counts[2] = 20;
    sc_proposal p = proposal_of(20, &one);
    p.group_people = 20;
    p.max_groups = 1;
    CHECK_INT(sc_proposal_total(&p, &r, 100), 7);
    CHECK_INT(sc_proposal_total(&p, &r, 101), 8);
    CHECK_INT(sc_proposal_total(&p, &r, 1000000), 9);
    r.counts[2] = 2000;
    p.group_people = 2000;
    CHECK_INT(sc_proposal_total(&p, &r, 100), 2);
    scrim_measurement_free(noise);
}
