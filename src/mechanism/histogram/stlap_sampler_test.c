#include "exact.h"
#include "faults.h"
#include "goodness.h"
#include "mechanism/histogram/stlap_noise.h"
#include "random/bits_tape.h"
#include "vectors.h"

#include <string.h>

#define FILE_NAME "flexible-accuracy"

static void open_sampler(sc_stlap_sampler *s, const char *epsilon, uint64_t q,
                         bool is_table)
{
    sc_ratio e;
    exact_ratio(epsilon, &e);
    CHECK_STATUS(sc_stlap_sampler_init(s, &e, q, is_table, NULL), SCRIM_OK);
    sc_ratio_clear(&e);
}

static void check_ratio(const sc_ratio *got, const char *want)
{
    sc_ratio x;
    exact_ratio(want, &x);
    if (!CHECK_INT(sc_ratio_compare(got, &x), 0)) {
        char text[SC_RATIO_TEXT_BYTES];
        sc_ratio_format(got, text, sizeof text);
        CHECK_FAIL("%s, not %s", text, want);
    }
    sc_ratio_clear(&x);
}

/* Both samplers against the law that they tell, by chi-square. The table's weights are so near to
 * the ideal ones that its own law is what counts: where it is short, weight by weight. */
TEST(stlap_samplers_draw_their_law)
{
    CLAIM("stlap-sampler.law");
    static const struct {
        const char *epsilon;
        uint64_t q;
    } list[] = {{"1", 7}, {"1/10", 40}, {"3/2", 6}, {"1/100", 700}, {"1/3", 1}};
    enum { PART = 4096 };
    static int64_t draws[PART];
    static sc_int128 wide[PART];
    for (size_t i = 0; i < 2 * COUNT(list); i++) {
        sc_stlap_sampler s;
        goodness fit;
        sc_tape *tape = NULL;
        open_sampler(&s, list[i / 2].epsilon, list[i / 2].q, i % 2 == 1);
        REQUIRE_OK(sc_tape_seeded(check_seed() + i, &tape, NULL));
        REQUIRE(goodness_init(&fit, &s.law, GOODNESS_FINE));
        for (uint64_t done = 0; done < check_count(40000, 1000000); done += PART) {
            REQUIRE_OK(
                sc_stlap_sampler_fill(sc_tape_bits_of(tape), &s, PART, draws, NULL));
            for (size_t k = 0; k < PART; k++) {
                wide[k] = draws[k];
                if (draws[k] > 0 || draws[k] < -(int64_t)list[i / 2].q)
                    CHECK_FAIL("%lld of q = %llu", (long long)draws[k],
                               (unsigned long long)list[i / 2].q);
            }
            goodness_count(&fit, wide, PART);
        }
        CHECK(goodness_holds(&fit));
        goodness_clear(&fit);
        sc_tape_free(tape);
        sc_stlap_sampler_clear(&s);
    }
}

TEST(stlap_samplers_tell_their_law)
{
    CLAIM("stlap-sampler.law");
    for (int is_table = 0; is_table < 2; is_table++) {
        sc_stlap_sampler s;
        sc_ball sum, mass, tail;
        sc_ball_init(&sum);
        sc_ball_init(&mass);
        sc_ball_init(&tail);
        open_sampler(&s, "2/3", 9, is_table == 1);
        for (int64_t k = -9; k <= 0; k++) {
            sc_stlap_sampler_mass(&s, k, EXACT_BITS, &mass);
            sc_ball_add(&sum, &sum, &mass, EXACT_BITS);
            sc_stlap_sampler_at_most(&s, k, EXACT_BITS, &tail);
            CHECK_SAME(&sum, &tail, 200);
        }
        sc_ball_set_int64(&mass, 1);
        CHECK_SAME(&sum, &mass, 200);
        sc_stlap_sampler_mass(&s, 1, EXACT_BITS, &mass);
        CHECK(sc_ball_upper(&mass) <= 0);
        sc_stlap_sampler_mass(&s, -10, EXACT_BITS, &mass);
        CHECK(sc_ball_upper(&mass) <= 0);
        sc_stlap_sampler_clear(&s);
        sc_ball_clear(&tail);
        sc_ball_clear(&mass);
        sc_ball_clear(&sum);
    }
}

/* D/T as printed, and within 2e-8 of the law's own. */
TEST(stlap_table_delta_is_the_printed_fraction)
{
    CLAIM("stlap-sampler.table");
    const json_t *rows = vectors_load(FILE_NAME, "integer_table"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 4);
    json_array_foreach(rows, i, row)
    {
        sc_ratio epsilon, share;
        sc_constant_table table;
        const uint64_t q = vectors_number(row, "q");
        sc_ball ideal;
        exact_ratio(vectors_text(row, "eps"), &epsilon);
        sc_ratio_init(&share);
        sc_ball_init(&ideal);
        REQUIRE_OK(sc_constant_table_init_shifted(&table, &epsilon, q,
                                                  (unsigned)vectors_number(row, "f"),
                                                  vectors_number(row, "D"), NULL));
        sc_stlap_table_delta(&table, 1, &share);
        check_ratio(&share, vectors_text(row, "delta_exact"));
        sc_law law;
        sc_law_init(&law, &sc_shifted_laplace_law, &epsilon, (sc_int128)q);
        sc_law_pmf(&law, 0, EXACT_BITS, &ideal);
        const double limit = sc_ball_upper(&ideal);
        sc_ball_set_ratio(&ideal, &share, EXACT_BITS);
        if (vectors_number(row, "D") == INT64_C(1) << 40)
            CHECK_NEAR(sc_ball_upper(&ideal), limit, 2e-8);
        CHECK(sc_ball_lower(&ideal) > limit * (1 - 1e-15));
        sc_law_clear(&law);
        sc_constant_table_clear(&table);
        sc_ball_clear(&ideal);
        sc_ratio_clear(&share);
        sc_ratio_clear(&epsilon);
    }
}

/* W_0 / T of integers: groups add up, up to the middle. */
TEST(stlap_table_delta_of_groups)
{
    CLAIM("stlap-sampler.table");
    sc_ratio epsilon, share;
    sc_constant_table table;
    exact_ratio("13/10", &epsilon);
    sc_ratio_init(&share);
    REQUIRE_OK(sc_constant_table_init_shifted(&table, &epsilon, 4, 32, 1, NULL));
    static const char *const want[] = {"1/19", "4/19", "1", "1", "1"};
    for (uint64_t group = 1; group <= COUNT(want); group++) {
        sc_stlap_table_delta(&table, group, &share);
        check_ratio(&share, want[group - 1]);
    }
    sc_constant_table_clear(&table);
    REQUIRE_OK(sc_constant_table_init_shifted(&table, &epsilon, 5, 32, 1, NULL));
    static const char *const odd[] = {"1/30", "4/30", "1/2", "1"};
    for (uint64_t group = 1; group <= COUNT(odd); group++) {
        sc_stlap_table_delta(&table, group, &share);
        check_ratio(&share, odd[group - 1]);
    }
    sc_constant_table_clear(&table);
    sc_ratio_clear(&share);
    sc_ratio_clear(&epsilon);
}

/* Weights as doubles: small tables only. */
static size_t list_weights(const sc_constant_table *table, int64_t *out)
{
    sc_integer weight;
    sc_int128 value = 0;
    sc_integer_init(&weight);
    for (uint32_t i = 0; i < table->cells; i++) {
        sc_constant_table_weight(table, table->low + (int64_t)i, &weight);
        CHECK(sc_integer_get_int128(&weight, &value));
        out[i] = (int64_t)value;
    }
    sc_integer_clear(&weight);
    return table->cells;
}

/* delta at 0 of K = 2 in integers: the sum of max(0, p - q) over pairs of outcomes. */
static void check_two(const json_t *row, const sc_constant_table *table)
{
    int64_t w[32], p[33] = {0}, q[33] = {0}, total = 0, sum = 0;
    const size_t count = list_weights(table, w);
    for (size_t i = 0; i < count; i++) {
        total += w[i];
        p[i + 1] = w[i];
        q[i] = w[i];
    }
    for (size_t i = 0; i <= count; i++)
        for (size_t j = 0; j <= count; j++)
            if (p[i] * p[j] > q[i] * q[j])
                sum += p[i] * p[j] - q[i] * q[j];
    sc_integer above, below;
    sc_ratio got;
    sc_integer_init(&above);
    sc_integer_init(&below);
    sc_ratio_init(&got);
    sc_integer_set_int128(&above, sum);
    sc_integer_set_int128(&below, (sc_int128)total * total);
    sc_ratio_set_fraction(&got, &above, &below);
    check_ratio(&got, vectors_text(row, "delta_exact"));
    sc_ratio_clear(&got);
    sc_integer_clear(&below);
    sc_integer_clear(&above);
}

/* The curve of one release, by the same integers, at several epsilons. */
static void check_one(const sc_constant_table *table)
{
    static const char *const at[] = {"0", "1/10", "1/4", "1/2", "1", "13/10", "2"};
    int64_t w[32], total = 0;
    const size_t count = list_weights(table, w);
    for (size_t i = 0; i < count; i++)
        total += w[i];
    for (size_t k = 0; k < COUNT(at); k++) {
        sc_ratio epsilon;
        sc_ball odds, sum, term, got;
        exact_ratio(at[k], &epsilon);
        sc_ball_init(&odds);
        sc_ball_init(&sum);
        sc_ball_init(&term);
        sc_ball_init(&got);
        sc_ball_set_ratio(&odds, &epsilon, EXACT_BITS);
        sc_ball_exp(&odds, &odds, EXACT_BITS);
        for (size_t i = 0; i <= count; i++) { /* p is one place up */
            sc_ball_mul_int64(&term, &odds, i < count ? w[i] : 0, EXACT_BITS);
            sc_ball_neg(&term, &term);
            sc_ball_add_int64(&term, &term, i > 0 ? w[i - 1] : 0, EXACT_BITS);
            if (sc_ball_is_positive(&term))
                sc_ball_add(&sum, &sum, &term, EXACT_BITS);
        }
        sc_ball_div_int64(&sum, &sum, total, EXACT_BITS);
        sc_stlap_table_delta_at(table, &epsilon, EXACT_BITS, &got);
        CHECK_SAME(&got, &sum, 200);
        sc_ball_clear(&got);
        sc_ball_clear(&term);
        sc_ball_clear(&sum);
        sc_ball_clear(&odds);
        sc_ratio_clear(&epsilon);
    }
}

TEST(stlap_table_curve_is_that_of_its_integers)
{
    CLAIM("stlap-sampler.curve");
    const json_t *rows = vectors_load(FILE_NAME, "integer_table_composition"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 3);
    json_array_foreach(rows, i, row)
    {
        sc_ratio epsilon;
        sc_constant_table table;
        exact_ratio(vectors_text(row, "eps"), &epsilon);
        REQUIRE_OK(sc_constant_table_init_shifted(
            &table, &epsilon, vectors_number(row, "q"),
            (unsigned)vectors_number(row, "f"), vectors_number(row, "D"), NULL));
        check_two(row, &table);
        check_one(&table);
        sc_constant_table_clear(&table);
        sc_ratio_clear(&epsilon);
    }
}

TEST(stlap_sampler_survives_a_lack_of_memory)
{
    sc_ratio epsilon;
    exact_ratio("1/2", &epsilon);
    for (int is_table = 0; is_table < 2; is_table++)
        FAULT_LOOP(fault)
        {
            sc_stlap_sampler s;
            scrim_status status =
                sc_stlap_sampler_init(&s, &epsilon, 30, is_table == 1, NULL);
            CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
            sc_stlap_sampler_clear(&s);
            sc_stlap_sampler_clear(&s);
        }
    sc_ratio_clear(&epsilon);
}
