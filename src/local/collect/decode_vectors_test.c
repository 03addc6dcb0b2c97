/* Estimates of the server from sums, against the printed numbers of randomised response, means
 * and square waves; target epsilons are rounded down by less than 1e-6. */
#include "base/number/ball_double.h"
#include "local/collect/decoding.h"
#include "local/collect/refinement.h"
#include "local_fleet.h"
#include "mechanism/local/protocol.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>

#define B 1048576.0

static double number(const json_t *row, const char *name)
{
    const char *text = vectors_text(row, name);
    return text == NULL ? (double)NAN : strtod(text, NULL);
}

/* a/b for an epsilon. */
static void put_ratio(double epsilon, char out[64])
{
    snprintf(out, 64, "a=%.0f b=%.0f", floor(B * exp(epsilon)), B);
}

/* Decodes sums whose first two counters are `zeros` and `ones`. */
static bool decode_two(const char *words, uint64_t zeros, uint64_t ones, sc_decoding *out)
{
    sc_sums sums = fleet_sums(words);
    bool is_decoded = CHECK(sums.layout != NULL);
    if (!is_decoded)
        return false;
    sums.counts[0] = zeros;
    sums.counts[1] = ones;
    sums.reports = zeros + ones;
    is_decoded = CHECK_STATUS(sc_decoding_init(out, &sums, NULL), SCRIM_OK);
    sc_sums_clear(&sums);
    return is_decoded;
}

/* The variance of a frequency times n, if the value is held by nobody; of two values it is the same for all. */
static double variance_at(double epsilon, unsigned k, double holders)
{
    char words[128], ratio[64];
    sc_decoding decoding;
    put_ratio(epsilon, ratio);
    snprintf(words, sizeof words, "randomised-response values=%u %s", k, ratio);
    if (!decode_two(words, 1000, 0, &decoding))
        return 0;
    const double variance = sc_decoding_variance(&decoding, 0, holders) / 1000;
    sc_decoding_clear(&decoding);
    return variance;
}

TEST(decoding_of_responses_varies_as_printed)
{
    json_t *rows = vectors_load("local-and-accounting", "randomised_response"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) == 5);
    json_array_foreach(rows, i, row)
    {
        const double want = number(row, "estimator_variance_times_n");
        CHECK_NEAR(variance_at(number(row, "eps"), 2, 0), want, 3e-5);
        CHECK_NEAR(variance_at(number(row, "eps"), 2, 700), want, 3e-5);
    }
    rows = vectors_load("local-and-accounting", "krr");
    REQUIRE(json_array_size(rows) == 3);
    json_array_foreach(rows, i, row)
        CHECK_NEAR(variance_at(number(row, "eps"), (unsigned)vectors_number(row, "k"), 0),
                   number(row, "var_n_at_freq_0"), 1e-5);
}

/* exp(eps)/(n (exp(eps)-1)^2) for every data set, and the bound of Chebyshev at 1/(eps sqrt n) from it; Laplace
 * noise is beyond its scale with probability 1/e. */
TEST(decoding_of_two_values_is_as_section_7_2_says)
{
    const json_t *section = vectors_load("local-and-accounting", "section_7_2");
    json_t *rows = json_object_get(section, "chebyshev_value_at_1_over_eps_sqrt_n"), *row;
    size_t i;
    CHECK_NEAR(exp(-1), number(section, "prob_laplace_exceeds_its_scale"), 1e-15);
    REQUIRE(json_array_size(rows) == 3);
    json_array_foreach(rows, i, row)
    {
        const double epsilon = number(row, "eps"),
                     want = exp(epsilon) / pow(exp(epsilon) - 1, 2);
        for (double holders = 0; holders <= 1000; holders += 250)
            CHECK_NEAR(variance_at(epsilon, 2, holders), want, 3e-5);
        CHECK_NEAR(variance_at(epsilon, 2, 0) * epsilon * epsilon,
                   number(row, "n_independent_bound"), 3e-5);
    }
}

/* A share of ones as printed for x has x as its mean. */
TEST(decoding_of_one_bit_inverts_the_printed_probabilities)
{
    json_t *rows = vectors_load("local-and-accounting", "one_bit_mean"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) == 8);
    json_array_foreach(rows, i, row)
    {
        char words[128], ratio[64];
        sc_decoding decoding;
        const double n = 1e15, m = (double)vectors_number(row, "m");
        const uint64_t ones = (uint64_t)llround(n * number(row, "prob_one"));
        put_ratio(number(row, "eps"), ratio);
        snprintf(words, sizeof words, "one-bit-mean values=%.0f %s", m + 1, ratio);
        if (!decode_two(words, (uint64_t)n - ones, ones, &decoding))
            return;
        const double mean =
            sc_ratio_sign(&decoding.mean) == 0 ? 0 : sc_ball_near(&decoding.mean);
        CHECK(fabs(mean - (double)vectors_number(row, "x")) < 3e-6 * m);
        /* at most that of a fair bit, m^2 (e+1)^2/(4 n (e-1)^2) */
        const double e = exp(number(row, "eps"));
        CHECK(decoding.mean_error <= m * (e + 1) / (2 * (e - 1) * sqrt(n)) * (1 + 1e-5));
        sc_decoding_clear(&decoding);
    }
}

/* The mean of raw bits is no estimate: the survey's lemma leaves the debiasing out, and a line of the proof before
 * it has the wrong sign. The server's mean of the same bits is right. */
TEST(decoding_of_one_bit_is_right_where_the_survey_is_not)
{
    const json_t *raw = vectors_load("local-and-accounting", "lemma_7_8"),
                 *proof = vectors_load("local-and-accounting", "lemma_7_5_proof");
    char words[128], ratio[64];
    sc_decoding decoding;
    const double n = 1e15;
    put_ratio(number(raw, "eps"), ratio);
    snprintf(words, sizeof words, "one-bit-mean values=2 %s", ratio);
    uint64_t ones = (uint64_t)llround(n * number(raw, "mean_of_raw_bits"));
    if (decode_two(words, (uint64_t)n - ones, ones, &decoding)) {
        CHECK(fabs(sc_ball_near(&decoding.mean) - number(raw, "mu")) < 3e-6);
        sc_decoding_clear(&decoding);
    }
    /* x = m */
    ones = (uint64_t)n - ones;
    if (decode_two(words, (uint64_t)n - ones, ones, &decoding)) {
        CHECK_NEAR(sc_ball_near(&decoding.mean), number(proof, "line3"), 3e-6);
        CHECK_NEAR(-sc_ball_near(&decoding.mean), number(proof, "line4"), 3e-6);
        sc_decoding_clear(&decoding);
    }
}

/* A histogram that is as expected if all devices hold x: its error is the printed one of a report. */
TEST(decoding_of_square_wave_errs_as_printed)
{
    json_t *rows = vectors_load("local-additions", "square_wave"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) == 3);
    json_array_foreach(rows, i, row)
    {
        const json_t *variances = json_object_get(row, "mean_estimate_variance");
        const uint64_t a = vectors_number(row, "A"), b = vectors_number(row, "B"),
                       w = vectors_number(row, "w"), m = vectors_number(row, "m"),
                       turns = 1000000;
        for (size_t x = 0; x < m; x++) {
            char words[128];
            SC_OWN(sc_ratio, want);
            sc_decoding decoding;
            snprintf(words, sizeof words,
                     "square-wave values=%llu a=%llu b=%llu width=%llu",
                     (unsigned long long)m, (unsigned long long)a, (unsigned long long)b,
                     (unsigned long long)w);
            sc_sums sums = fleet_sums(words);
            REQUIRE(sums.layout != NULL);
            CHECK_INT((int64_t)sums.cells, (int64_t)vectors_number(row, "outputs"));
            for (size_t z = 0; z < sums.cells; z++)
                sums.counts[z] = turns * (z >= x && z <= x + 2 * w ? a : b);
            sums.reports = turns * vectors_number(row, "W");
            REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
            REQUIRE_OK(sc_ratio_parse(
                sc_text_of(json_string_value(json_array_get(variances, x))), &want,
                NULL));
            CHECK(fabs(sc_ball_near(&decoding.mean) - (double)x) < 1e-9);
            CHECK_NEAR(decoding.mean_error * decoding.mean_error * (double)sums.reports,
                       sc_ball_near(&want), 1e-6);
            sc_decoding_clear(&decoding);
            sc_sums_clear(&sums);
        }
    }
}

/* ---- em ---- */

#define WAVE 64
#define WAVE_DEVICES 100000

typedef struct wave_errors {
    double squares, means[WAVE];
} wave_errors;

static void add_errors(wave_errors *e, const double *found, const uint64_t *truth)
{
    for (size_t v = 0; v < WAVE; v++) {
        const double error = (found[v] - (double)truth[v]) / WAVE_DEVICES;
        e->squares += error * error;
        e->means[v] += error;
    }
}

static double largest_mean(const wave_errors *e, double runs)
{
    double largest = 0;
    for (size_t v = 0; v < WAVE; v++)
        largest = fmax(largest, fabs(e->means[v]) / runs);
    return largest;
}

/* The law (x+1)(64-x)^3, rounded, of 10^5 devices. */
static void fill_wave(uint64_t held[WAVE])
{
    double sum = 0;
    uint64_t left = WAVE_DEVICES;
    for (int x = 0; x < WAVE; x++)
        sum += (x + 1) * pow(WAVE - x, 3);
    for (int x = 0; x < WAVE; x++) {
        held[x] = (uint64_t)(WAVE_DEVICES * (x + 1) * pow(WAVE - x, 3) / sum);
        left -= held[x];
    }
    held[10] += left;
}

/* The three errors of the vector: unbiased, em, em-smooth. Means of the long tier's 40 runs
 * differ from those of its 40 by less than a quarter, and means of few runs by less than a half. */
SLOW_TEST(refinement_of_square_wave_errs_as_printed)
{
    const json_t *all = vectors_load("local-additions", "square_wave_em");
    const json_t *cells = json_object_get(all, "rmse_cell"),
                 *means = json_object_get(all, "largest_mean_error");
    static const char *const names[] = {"EM", "EM_smoothed"};
    static const double smoothing[] = {0, 0.25}; /* at every update, as it is printed */
    const uint64_t runs = check_count_whole(3, 40);
    const double n = (double)(runs * WAVE), slack = check_is_long() ? 0.25 : 0.5;
    uint64_t held[WAVE], seed = check_seed();
    wave_errors plain = {0}, refined[2] = {{0}};
    fill_wave(held);
    for (uint64_t run = 0; run < runs; run++) {
        sc_sums sums = fleet_sums("square-wave values=64 a=2850325 b=1048576 width=16");
        sc_decoding decoding;
        double estimates[WAVE];
        REQUIRE(sums.layout != NULL);
        fleet_send_counts(&sums, held, WAVE, &seed);
        REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
        for (size_t v = 0; v < WAVE; v++)
            estimates[v] = sc_decoding_estimate(&decoding, v);
        add_errors(&plain, estimates, held);
        for (size_t i = 0; i < 2; i++) {
            double histogram[2 * WAVE], counts[WAVE];
            sc_likely *likely = NULL;
            REQUIRE(sums.cells <= COUNT(histogram));
            for (size_t y = 0; y < sums.cells; y++)
                histogram[y] = (double)sums.counts[y];
            REQUIRE_OK(sc_likely_new(&sums.config, &likely, NULL));
            REQUIRE_OK(sc_likely_update(likely, histogram,
                                        (unsigned)vectors_number(all, "passes"),
                                        smoothing[i], counts, NULL));
            add_errors(&refined[i], counts, held);
            sc_likely_free(likely);
        }
        sc_decoding_clear(&decoding);
        sc_sums_clear(&sums);
    }
    CHECK_NEAR(sqrt(plain.squares / n), number(cells, "unbiased"), slack);
    for (size_t i = 0; i < 2; i++) {
        CHECK_NEAR(sqrt(refined[i].squares / n), number(cells, names[i]), slack);
        if (check_is_long())
            CHECK_NEAR(largest_mean(&refined[i], (double)runs), number(means, names[i]),
                       0.4);
    }
}
