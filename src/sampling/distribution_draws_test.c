/* Draws of every distribution by both roads, held against its law. */
#include "exact.h"
#include "goodness.h"
#include "laws.h"
#include "random/bits_tape.h"
#include "sampling/distribution.h"

#include <stdio.h>
#include <string.h>

/* Scales, or variances, from the smallest to the largest; for bounded laws, bounds inside
 * and outside of the bulk, and on both sides of the sizes where the fast implementation changes. */
static const char *const uniform[] = {"uniform n=1",
                                      "uniform n=2",
                                      "uniform n=3",
                                      "uniform n=10",
                                      "uniform n=1000003",
                                      "uniform n=2^32",
                                      "uniform n=9223372036854775807",
                                      "uniform n=9223372036854775809",
                                      "uniform n=18446744073709551615",
                                      "uniform n=2^64",
                                      "uniform n=2^100",
                                      "uniform n=2^120"};
static const char *const bernoulli[] = {
    "bernoulli p=0",     "bernoulli p=1",
    "bernoulli p=1/2",   "bernoulli p=3/7",
    "bernoulli p=1/3",   "bernoulli p=0.001",
    "bernoulli p=0.999", "bernoulli p=2^-12",
    "bernoulli p=1e-9",  "bernoulli p=123456789123456789/987654321987654321"};
static const char *const bernoulli_exp[] = {
    "bernoulli-exp x=0",   "bernoulli-exp x=1/1000", "bernoulli-exp x=1/4",
    "bernoulli-exp x=1/2", "bernoulli-exp x=1",      "bernoulli-exp x=3/2",
    "bernoulli-exp x=7/3", "bernoulli-exp x=5",      "bernoulli-exp x=999/1000",
    "bernoulli-exp x=10",  "bernoulli-exp x=2^-60",  "bernoulli-exp x=2^60"};
static const char *const geometric[] = {
    "geometric scale=2^-60", "geometric scale=1/3",    "geometric scale=1",
    "geometric scale=22/7",  "geometric scale=10",     "geometric scale=95/3",
    "geometric scale=32",    "geometric scale=1000/7", "geometric scale=1e6",
    "geometric scale=2^40",  "geometric scale=2^60"};
static const char *const laplace[] = {
    "discrete-laplace scale=2^-60", "discrete-laplace scale=1/3",
    "discrete-laplace scale=1",     "discrete-laplace scale=22/7",
    "discrete-laplace scale=10",    "discrete-laplace scale=95/3",
    "discrete-laplace scale=32",    "discrete-laplace scale=1000/7",
    "discrete-laplace scale=1e6",   "discrete-laplace scale=2^40",
    "discrete-laplace scale=2^60"};
static const char *const gaussian[] = {
    "discrete-gaussian variance=2^-120",    "discrete-gaussian variance=1/9",
    "discrete-gaussian variance=1/2",       "discrete-gaussian variance=1",
    "discrete-gaussian variance=25/4",      "discrete-gaussian variance=100",
    "discrete-gaussian variance=4095",      "discrete-gaussian variance=4096",
    "discrete-gaussian variance=1000000/7", "discrete-gaussian variance=1e12",
    "discrete-gaussian variance=2^80",      "discrete-gaussian variance=2^120"};
static const char *const truncated[] = {"truncated-laplace scale=1/3 bound=1",
                                        "truncated-laplace scale=1 bound=1",
                                        "truncated-laplace scale=1 bound=10",
                                        "truncated-laplace scale=10 bound=3",
                                        "truncated-laplace scale=10 bound=30",
                                        "truncated-laplace scale=10 bound=1000",
                                        "truncated-laplace scale=1000 bound=511",
                                        "truncated-laplace scale=1000 bound=512",
                                        "truncated-laplace scale=1e6 bound=10",
                                        "truncated-laplace scale=1e6 bound=1500000",
                                        "truncated-laplace scale=1e6 bound=30000000",
                                        "truncated-laplace scale=2^40 bound=2^41",
                                        "truncated-laplace scale=2^60 bound=1000",
                                        "truncated-laplace scale=2^60 bound=2^60"};
static const char *const clamped[] = {
    "clamped-laplace scale=1/3 bound=1",     "clamped-laplace scale=1 bound=1",
    "clamped-laplace scale=1 bound=10",      "clamped-laplace scale=10 bound=3",
    "clamped-laplace scale=10 bound=30",     "clamped-laplace scale=10 bound=1000",
    "clamped-laplace scale=1e6 bound=10",    "clamped-laplace scale=1e6 bound=1500000",
    "clamped-laplace scale=2^40 bound=2^41", "clamped-laplace scale=2^60 bound=1000",
    "clamped-laplace scale=2^60 bound=2^60"};
static const char *const shifted[] = {
    "shifted-laplace epsilon=3 q=1",         "shifted-laplace epsilon=3 q=2",
    "shifted-laplace epsilon=1 q=7",         "shifted-laplace epsilon=1 q=20",
    "shifted-laplace epsilon=0.1 q=5",       "shifted-laplace epsilon=0.1 q=50",
    "shifted-laplace epsilon=0.1 q=3001",    "shifted-laplace epsilon=1/1000 q=1023",
    "shifted-laplace epsilon=1/1000 q=1024", "shifted-laplace epsilon=1e-6 q=3000001",
    "shifted-laplace epsilon=2^-40 q=2^41",  "shifted-laplace epsilon=2^-60 q=2^60"};

/* One road of one distribution. */

typedef scrim_status road(const scrim_distribution *d, sc_bits *bits, size_t count,
                          sc_int128 *out);

enum { CHUNK = 4096, LOW = 64 };

static scrim_status fast(const scrim_distribution *d, sc_bits *bits, size_t count,
                         sc_int128 *out)
{
    static int64_t narrow[CHUNK];
    if (!d->is_narrow)
        return sc_distribution_fill_wide(d, bits, count, out, NULL);
    scrim_status status = sc_distribution_fill(d, bits, count, narrow, NULL);
    for (size_t i = 0; i < count; i++)
        out[i] = narrow[i];
    return status;
}

static scrim_status reference(const scrim_distribution *d, sc_bits *bits, size_t count,
                              sc_int128 *out)
{
    return sc_distribution_reference(d, bits, count, out, NULL);
}

/* In big integers the reference implementation is slow. By 200,000 draws a law that is off by 5 % is caught, by
 * the long count one that is off by less than 1 %. */
static uint64_t count_for(const scrim_distribution *d, road *by)
{
    const bool is_gaussian = d->law.functions == &sc_discrete_gaussian_law;
    if (by == reference && (is_gaussian ? d->gaussian.width == 0 : !d->parts.is_small))
        return check_count(50000, 1000000);
    return check_count(200000, 10000000);
}

static bool draw_into(const scrim_distribution *d, road *by, sc_tape *tape,
                      sc_int128 *values)
{
    if (by(d, sc_tape_bits_of(tape), CHUNK, values) == SCRIM_OK)
        return true;
    return CHECK_FAIL("%s: a draw fails", d->text);
}

/* The lowest bits of a wide law are even but for its ends, where there may be atoms. */
typedef struct low_bits {
    bool is_wide;
    sc_int128 least, most;
    uint64_t seen[LOW];
} low_bits;

static void low_bits_init(low_bits *low, const scrim_distribution *d, const goodness *fit)
{
    *low = (low_bits){0};
    low->is_wide = fit->bins > 2 && fit->low[fit->bins - 1] - fit->low[1] > 1000000;
    d->law.functions->support(&d->law, &low->least, &low->most);
}

static void low_bits_count(low_bits *low, const sc_int128 *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] != low->least && values[i] != low->most)
            low->seen[(uint64_t)values[i] % LOW]++;
}

static bool low_bits_hold(const low_bits *low)
{
    double even[LOW];
    for (size_t i = 0; i < LOW; i++)
        even[i] = 1.0 / LOW;
    return !low->is_wide || laws_chi_square(low->seen, even, LOW) > LAWS_FALSE_ALARM;
}

static void check_fit(const char *text, road *by, uint64_t seed)
{
    static sc_int128 values[CHUNK];
    scrim_distribution *d = NULL;
    sc_tape *tape = NULL;
    goodness coarse, fine;
    low_bits low;
    scrim_error error = {.status = SCRIM_OK};
    if (scrim_distribution_parse(text, &d, &error) != SCRIM_OK) {
        CHECK_FAIL("%s: %s", text, error.message);
        return;
    }
    REQUIRE_OK(sc_tape_seeded(seed, &tape, NULL));
    REQUIRE(goodness_init(&coarse, &d->law, GOODNESS_COARSE));
    REQUIRE(goodness_init(&fine, &d->law, GOODNESS_FINE));
    low_bits_init(&low, d, &coarse);
    for (uint64_t left = count_for(d, by); left > 0;
         left -= left < CHUNK ? left : CHUNK) {
        if (!draw_into(d, by, tape, values))
            break;
        goodness_count(&coarse, values, CHUNK);
        goodness_count(&fine, values, CHUNK);
        low_bits_count(&low, values, CHUNK);
    }
    if (!CHECK(goodness_holds(&coarse)) || !CHECK(goodness_holds(&fine)) ||
        !CHECK(low_bits_hold(&low)))
        CHECK_FAIL("%s, %s road: p = %g coarse, %g fine", text,
                   by == fast ? "fast" : "reference", goodness_p(&coarse),
                   goodness_p(&fine));
    goodness_clear(&coarse);
    goodness_clear(&fine);
    sc_tape_free(tape);
    scrim_distribution_free(d);
}

#define CHECK_ALL(list, by)                                                              \
    do {                                                                                 \
        for (size_t i = 0; i < sizeof(list) / sizeof *(list); i += check_every(3))       \
            check_fit((list)[i], (by), check_seed() + i);                                \
    } while (0)

TEST(draws_of_uniform_fit_the_law)
{
    CLAIM("uniform.exact");
    CHECK_ALL(uniform, fast);
    CHECK_ALL(uniform, reference);
}

TEST(draws_of_bernoulli_fit_the_law)
{
    CLAIM("bernoulli.exact");
    CHECK_ALL(bernoulli, fast);
    CHECK_ALL(bernoulli, reference);
}

TEST(draws_of_bernoulli_exp_fit_the_law)
{
    CLAIM("bernoulli-exp.exact");
    CHECK_ALL(bernoulli_exp, fast);
    CHECK_ALL(bernoulli_exp, reference);
}

TEST(draws_of_geometric_fit_the_law)
{
    CLAIM("blocks.exact");
    CHECK_ALL(geometric, fast);
}

TEST(reference_draws_of_geometric_fit_the_law)
{
    CLAIM("geometric.exact");
    CHECK_ALL(geometric, reference);
}

TEST(draws_of_discrete_laplace_fit_the_law)
{
    CLAIM("blocks.exact");
    CHECK_ALL(laplace, fast);
}

TEST(reference_draws_of_discrete_laplace_fit_the_law)
{
    CLAIM("discrete-laplace.exact");
    CHECK_ALL(laplace, reference);
}

SLOW_TEST(draws_of_discrete_gaussian_fit_the_law)
{
    CLAIM("blocks.exact");
    CHECK_ALL(gaussian, fast);
}

SLOW_TEST(reference_draws_of_discrete_gaussian_fit_the_law)
{
    CLAIM("discrete-gaussian.exact");
    CHECK_ALL(gaussian, reference);
}

TEST(draws_of_truncated_laplace_fit_the_law)
{
    CLAIM("blocks.exact");
    CHECK_ALL(truncated, fast);
}

SLOW_TEST(reference_draws_of_truncated_laplace_fit_the_law)
{
    CLAIM("truncated-laplace.exact");
    CHECK_ALL(truncated, reference);
}

TEST(draws_of_clamped_laplace_fit_the_law)
{
    CLAIM("clamped-laplace.exact");
    CHECK_ALL(clamped, fast);
    CHECK_ALL(clamped, reference);
}

TEST(draws_of_shifted_laplace_fit_the_law)
{
    CLAIM("blocks.exact");
    CHECK_ALL(shifted, fast);
}

TEST(reference_draws_of_shifted_laplace_fit_the_law)
{
    CLAIM("shifted-laplace.exact");
    CHECK_ALL(shifted, reference);
}

/* The statistics see an error that is planted. */

/* Draws of one line against the law of another. */
static bool fits_other_law(const char *drawn, const char *claimed, road *by)
{
    static sc_int128 values[CHUNK];
    scrim_distribution *d = NULL, *other = NULL;
    sc_tape *tape = NULL;
    goodness fit;
    bool held = true;
    if (!CHECK_STATUS(scrim_distribution_parse(drawn, &d, NULL), SCRIM_OK) ||
        !CHECK_STATUS(scrim_distribution_parse(claimed, &other, NULL), SCRIM_OK) ||
        !CHECK_STATUS(sc_tape_seeded(check_seed(), &tape, NULL), SCRIM_OK) ||
        !goodness_init(&fit, &other->law, GOODNESS_COARSE))
        return true;
    for (uint64_t left = check_count_whole(250, 2500); left > 0; left--)
        if (draw_into(d, by, tape, values))
            goodness_count(&fit, values, CHUNK);
    held = goodness_holds(&fit);
    goodness_clear(&fit);
    sc_tape_free(tape);
    scrim_distribution_free(d);
    scrim_distribution_free(other);
    return held;
}

SLOW_TEST(draws_of_a_law_two_percent_off_are_caught)
{
    static const char *const pairs[][2] = {
        {"uniform n=1000", "uniform n=1001"},
        {"bernoulli p=0.5", "bernoulli p=0.505"},
        {"bernoulli-exp x=1", "bernoulli-exp x=1.02"},
        {"geometric scale=10", "geometric scale=10.2"},
        {"discrete-laplace scale=10", "discrete-laplace scale=10.2"},
        {"discrete-laplace scale=1e6", "discrete-laplace scale=1020000"},
        {"discrete-gaussian variance=100", "discrete-gaussian variance=103"},
        {"discrete-gaussian variance=1e12", "discrete-gaussian variance=1.03e12"},
        {"truncated-laplace scale=10 bound=30", "truncated-laplace scale=10.3 bound=30"},
        {"truncated-laplace scale=10 bound=30", "clamped-laplace scale=10 bound=30"},
        {"clamped-laplace scale=10 bound=30", "clamped-laplace scale=10.2 bound=30"},
        {"shifted-laplace epsilon=0.1 q=50", "shifted-laplace epsilon=0.104 q=50"},
        {"shifted-laplace epsilon=0.1 q=50", "shifted-laplace epsilon=0.1 q=51"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i += check_every(4)) {
        if (!CHECK(!fits_other_law(pairs[i][0], pairs[i][1], fast)) ||
            !CHECK(fits_other_law(pairs[i][0], pairs[i][0], fast)))
            CHECK_FAIL("%s against %s", pairs[i][0], pairs[i][1]);
    }
    CHECK(!fits_other_law("discrete-laplace scale=10", "discrete-laplace scale=10.2",
                          reference));
}

/* Independence. */

static size_t bin_of(const goodness *bins, sc_int128 value)
{
    size_t bin = 0;
    while (bin + 1 < bins->bins && value >= bins->low[bin + 1])
        bin++;
    return bin;
}

/* Each draw with the one before it. */
static void check_neighbours(const char *text, road *by, size_t lag)
{
    enum { BINS = 12, CELLS = (BINS + 6) * (BINS + 6) };
    static sc_int128 values[CHUNK];
    static uint64_t seen[CELLS];
    static double probability[CELLS];
    scrim_distribution *d = NULL;
    sc_tape *tape = NULL;
    goodness bins;
    memset(seen, 0, sizeof seen);
    REQUIRE_OK(scrim_distribution_parse(text, &d, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE(goodness_init(&bins, &d->law, BINS));
    const size_t n = bins.bins;
    REQUIRE(n * n <= CELLS);
    for (uint64_t left = check_count(100, 2500); left > 0; left--) {
        if (!draw_into(d, by, tape, values))
            break;
        /* Without overlap: a draw is the second of one pair at most. */
        for (size_t i = 0; i + lag < CHUNK; i += 2 * lag)
            for (size_t j = i; j < i + lag && j + lag < CHUNK; j++)
                seen[bin_of(&bins, values[j]) * n + bin_of(&bins, values[j + lag])]++;
    }
    for (size_t i = 0; i < n * n; i++)
        probability[i] = bins.probability[i / n] * bins.probability[i % n];
    if (!CHECK(laws_chi_square(seen, probability, n * n) > LAWS_FALSE_ALARM))
        CHECK_FAIL("%s, lag %zu", text, lag);
    goodness_clear(&bins);
    sc_tape_free(tape);
    scrim_distribution_free(d);
}

SLOW_TEST(draws_are_independent_of_those_before)
{
    static const char *const list[] = {"uniform n=1000003",
                                       "bernoulli p=3/7",
                                       "bernoulli-exp x=1/2",
                                       "geometric scale=10",
                                       "discrete-laplace scale=10",
                                       "discrete-laplace scale=1e6",
                                       "discrete-gaussian variance=100",
                                       "discrete-gaussian variance=1e12",
                                       "truncated-laplace scale=10 bound=30",
                                       "clamped-laplace scale=10 bound=30",
                                       "shifted-laplace epsilon=0.1 q=51"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        check_neighbours(list[i], fast, 1);
        check_neighbours(list[i], fast, 8);
        check_neighbours(list[i], reference, 1);
    }
}

/* The side of the centre on which a draw lies, against its distance: c is twice the
 * centre. Draws at the centre itself have no side. */
static void check_sides(const char *text, road *by, int64_t c)
{
    enum { BINS = 40, CELLS = 80 }; /* two sides of each */
    static sc_int128 values[CHUNK];
    uint64_t seen[CELLS] = {0};
    double probability[CELLS] = {0}, whole = 0;
    scrim_distribution *d = NULL;
    sc_tape *tape = NULL;
    goodness fit;
    REQUIRE_OK(scrim_distribution_parse(text, &d, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE(goodness_init(&fit, &d->law, GOODNESS_COARSE));
    const sc_int128 step = fit.bins < 3 ? 1 : (fit.low[3] - fit.low[2]) * 2;
    for (uint64_t left = check_count(100, 2500); left > 0; left--) {
        if (!draw_into(d, by, tape, values))
            break;
        for (size_t i = 0; i < CHUNK; i++) {
            const sc_int128 twice = 2 * values[i] - c;
            sc_int128 bin = (twice < 0 ? -twice : twice) / step;
            bin = bin < BINS ? bin : BINS - 1;
            if (twice != 0)
                seen[2 * (size_t)bin + (twice < 0)]++;
        }
    }
    for (size_t i = 0; i < CELLS; i++)
        whole += (double)seen[i];
    for (size_t i = 0; i < CELLS; i++)
        probability[i] = (double)(seen[i & ~(size_t)1] + seen[i | 1]) / 2 / whole;
    if (!CHECK(laws_chi_square(seen, probability, CELLS) > LAWS_FALSE_ALARM))
        CHECK_FAIL("%s", text);
    CHECK(whole > 0);
    goodness_clear(&fit);
    sc_tape_free(tape);
    scrim_distribution_free(d);
}

SLOW_TEST(sign_is_independent_of_magnitude)
{
    static const struct {
        const char *text;
        int64_t c;
    } list[] = {{"discrete-laplace scale=1/3", 0},
                {"discrete-laplace scale=10", 0},
                {"discrete-laplace scale=1e6", 0},
                {"discrete-laplace scale=2^60", 0},
                {"discrete-gaussian variance=100", 0},
                {"discrete-gaussian variance=1e12", 0},
                {"truncated-laplace scale=10 bound=30", 0},
                {"clamped-laplace scale=10 bound=30", 0},
                {"shifted-laplace epsilon=0.1 q=50", -50},
                {"shifted-laplace epsilon=0.1 q=51", -51}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        check_sides(list[i].text, fast, list[i].c);
        check_sides(list[i].text, reference, list[i].c);
    }
}
