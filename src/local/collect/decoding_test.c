#include "exact.h"
#include "local/collect/decoding.h"
#include "local/collect/estimates.h"
#include "local_fleet.h"
#include "query/estimate/noise_sum.h"
#include "scrim/collection.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Sums with these counters. */
static void set_counts(sc_sums *sums, const json_t *counts, size_t columns)
{
    for (size_t i = 0; i < sums->cells; i++) {
        const json_t *row = columns == 1 ? counts : json_array_get(counts, i / columns);
        sums->counts[i] = (uint64_t)json_integer_value(
            json_array_get(row, columns == 1 ? i : i % columns));
        sums->reports += sums->counts[i];
    }
}

static void check_vector(const char *name, const char *words, const char *counts,
                         size_t columns)
{
    const json_t *vector = vectors_load("local-additions", name);
    sc_sums sums = fleet_sums(words);
    sc_decoding decoding;
    REQUIRE(vector != NULL && sums.layout != NULL);
    set_counts(&sums, json_object_get(vector, counts), columns);
    CHECK_INT(sums.reports, vectors_number(vector, "n"));
    REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
    const json_t *estimates = json_object_get(vector, "estimate");
    CHECK_INT(decoding.values, json_array_size(estimates));
    for (size_t v = 0; v < decoding.values; v++) {
        char text[SC_RATIO_TEXT_BYTES];
        SC_OWN(sc_ratio, exact, want);
        sc_decoding_exact(&decoding, v, &exact);
        sc_ratio_format(&exact, text, sizeof text);
        REQUIRE_OK(sc_ratio_parse(
            sc_text_of(json_string_value(json_array_get(estimates, v))), &want, NULL));
        if (!CHECK(sc_ratio_compare(&exact, &want) == 0))
            CHECK_FAIL("%s: value %zu is %s", name, v, text);
        CHECK_NEAR(sc_decoding_estimate(&decoding, v), mpq_get_d(exact.q), 1e-15);
    }
    sc_decoding_clear(&decoding);
    sc_sums_clear(&sums);
}

TEST(estimates_have_nothing_past_the_last)
{
    scrim_collection *collection = NULL;
    scrim_estimates *estimates = NULL;
    scrim_error error = {.message = ""};
    const char *text = fleet_config("randomised-response values=3 a=3 b=1");
    scrim_local_config config;
    uint8_t message[SCRIM_LOCAL_HEADER_BYTES + 1] = {0};
    REQUIRE_OK(scrim_collection_new(text, &collection, &error));
    REQUIRE(scrim_local_config_parse(text, &config) == SCRIM_LOCAL_OK);
    scrim_local_header(&config, message);
    REQUIRE_OK(scrim_collection_add_message(collection, message, sizeof message, &error));
    REQUIRE_OK(scrim_collection_decode(collection, NULL, &estimates, &error));
    static const size_t past[] = {3, SIZE_MAX};
    for (size_t i = 0; i < COUNT(past); i++) {
        scrim_estimate row = {.estimate = 5};
        char exact[40] = "x";
        double covariance = 0;
        scrim_estimates_at(estimates, past[i], &row);
        CHECK(row.estimate == 0 && row.error == 0 && row.high == 0);
        CHECK_INT(scrim_estimates_exact(estimates, past[i], exact, sizeof exact), 0);
        CHECK_STR(exact, "");
        CHECK_INT(scrim_estimates_covariance(estimates, 0, past[i], &covariance), 0);
        CHECK_INT(scrim_estimates_covariance(estimates, past[i], 0, &covariance), 0);
    }
    scrim_estimates_free(estimates);
    scrim_collection_free(collection);
}

TEST(decoding_has_the_vectors)
{
    CLAIM("decoding.exact");
    check_vector("pgr_decode", "projective-geometry values=13 a=5 b=2 field=3 digits=3",
                 "histogram", 1);
    check_vector("olh_decode", "local-hashing values=9 a=5 b=2 field=3 digits=2",
                 "counts", 3);
}

/* The variances a report at 0 and at 1 that the vectors have. */
static void check_variances(const char *words, const char *at_0, const char *at_1)
{
    sc_sums sums = fleet_sums(words);
    sc_decoding decoding;
    SC_OWN(sc_ratio, zero, one);
    REQUIRE(sums.layout != NULL);
    sums.reports = sums.counts[0] = 1;
    REQUIRE_OK(sc_ratio_parse(sc_text_of(at_0), &zero, NULL));
    REQUIRE_OK(sc_ratio_parse(sc_text_of(at_1), &one, NULL));
    REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
    CHECK_NEAR(sc_decoding_variance(&decoding, 0, 0), mpq_get_d(zero.q), 1e-12);
    CHECK_NEAR(sc_decoding_variance(&decoding, 0, 1), mpq_get_d(one.q), 1e-12);
    sc_decoding_clear(&decoding);
    sc_sums_clear(&sums);
}

static unsigned of(const json_t *row, const char *name)
{
    return (unsigned)vectors_number(row, name);
}

static void set_words(const char *vector, const json_t *row, char words[256])
{
    const unsigned a = of(row, "A"), b = of(row, "B");
    if (strcmp(vector, "pgr_laws") == 0)
        snprintf(words, 256, "projective-geometry values=%u a=%u b=%u field=%u digits=%u",
                 of(row, "K"), a, b, of(row, "q"), of(row, "t"));
    else if (strcmp(vector, "subset_selection") == 0)
        snprintf(words, 256, "subset-selection values=%u a=%u b=%u chosen=%u",
                 of(row, "k"), a, b, of(row, "d"));
    else if (strcmp(vector, "olh") == 0)
        snprintf(words, 256, "local-hashing values=%u a=%u b=%u field=%u digits=%u",
                 of(row, "k"), a, b, of(row, "g"), of(row, "m"));
    else
        snprintf(words, 256, "%s-unary values=%u a=%u b=%u",
                 vectors_text(row, "form")[0] == 'O' ? "optimised" : "symmetric",
                 of(row, "k"), a, b);
}

TEST(decoding_variances_are_those_of_the_vectors)
{
    static const char *const names[] = {"pgr_laws", "subset_selection", "olh", "unary"};
    for (size_t c = 0; c < COUNT(names); c++) {
        const json_t *rows = vectors_load("local-additions", names[c]);
        REQUIRE(rows != NULL);
        for (size_t i = 0; i < json_array_size(rows); i++) {
            const json_t *row = json_array_get(rows, i);
            char words[256];
            set_words(names[c], row, words);
            check_variances(words, vectors_text(row, "var_at_0"),
                            vectors_text(row, "var_at_1"));
        }
    }
}

/* Several blocks: a report in the block of the value, and one of another. */
TEST(decoding_of_hadamard_blocks_has_the_vector)
{
    const json_t *rows = vectors_load("local-additions", "hadamard");
    REQUIRE(rows != NULL);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        char words[128];
        snprintf(words, sizeof words, "hadamard values=%u a=%u b=%u blocks=%u order=%u",
                 (unsigned)vectors_number(row, "k"), (unsigned)vectors_number(row, "A"),
                 (unsigned)vectors_number(row, "B"), (unsigned)vectors_number(row, "J"),
                 (unsigned)vectors_number(row, "b"));
        sc_sums sums = fleet_sums(words);
        sc_decoding decoding;
        SC_OWN(sc_ratio, exact, factor);
        REQUIRE(sums.layout != NULL);
        sums.reports = sums.counts[2] = 1;
        REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
        REQUIRE_OK(
            sc_ratio_parse(sc_text_of(vectors_text(row, "factor")), &factor, NULL));
        /* Value 0 is row 1, and 1 & 2 is even; value 1 is row 2, and 2 & 2 is odd. */
        sc_decoding_exact(&decoding, 0, &exact);
        CHECK(sc_ratio_compare(&exact, &factor) == 0);
        sc_decoding_exact(&decoding, 1, &exact);
        sc_ratio_add(&exact, &exact, &factor);
        CHECK(sc_ratio_sign(&exact) == 0);
        if (vectors_number(row, "J") > 1)
            CHECK_NEAR(sc_decoding_estimate(&decoding, decoding.values - 1), 0, 0);
        /* F^2 a report of the block, and a device that holds the value takes 1 away. */
        const double f = mpq_get_d(factor.q);
        CHECK_NEAR(sc_decoding_variance(&decoding, 0, 0), f * f, 1e-12);
        CHECK_NEAR(sc_decoding_variance(&decoding, 0, 1), f * f - 1, 1e-12);
        sc_decoding_clear(&decoding);
        sc_sums_clear(&sums);
    }
}

/* A histogram that is exactly as expected gives the truth. */
TEST(decoding_of_square_wave_inverts_its_law)
{
    enum { VALUES = 11, WIDTH = 2, A = 5, B = 2, OUTPUTS = VALUES + 2 * WIDTH };
    static const uint64_t holders[VALUES] = {3, 0, 0, 7, 1, 0, 40, 2, 2, 0, 9};
    const uint64_t weight = (2 * WIDTH + 1) * A + (VALUES - 1) * B;
    sc_sums sums = fleet_sums("square-wave values=11 a=5 b=2 width=2");
    sc_decoding decoding;
    double mean = 0, devices = 0;
    REQUIRE(sums.layout != NULL);
    CHECK_INT(sums.cells, OUTPUTS);
    for (size_t x = 0; x < VALUES; x++) {
        for (size_t z = 0; z < OUTPUTS; z++)
            sums.counts[z] += holders[x] * (z >= x && z <= x + (size_t)2 * WIDTH ? A : B);
        sums.reports += holders[x] * weight;
        mean += (double)(holders[x] * x);
        devices += (double)holders[x];
    }
    REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
    for (size_t x = 0; x < VALUES; x++)
        CHECK_NEAR(sc_decoding_estimate(&decoding, x), (double)(holders[x] * weight),
                   1e-12);
    CHECK(decoding.has_mean);
    CHECK_NEAR(mpq_get_d(decoding.mean.q), mean / devices, 1e-12);
    sc_decoding_clear(&decoding);
    sc_sums_clear(&sums);
}

/* ---- simulated fleets ---- */

#define QUARTER "1073741824"
#define THREE_QUARTERS "3221225472"

static const char *const protocols[] = {
    "randomised-response values=2 a=3 b=1",
    "randomised-response values=16 a=20 b=1",
    "projective-geometry values=16 a=5 b=2 field=3 digits=4",
    "subset-selection values=16 a=7 b=3 chosen=5",
    "symmetric-unary values=16 a=3 b=1",
    "optimised-unary values=16 a=7 b=1",
    "local-hashing values=16 a=9 b=2 field=5 digits=2",
    "hadamard values=15 a=5 b=2 blocks=1 order=16",
    "hadamard values=14 a=5 b=2 blocks=2 order=8",
    "square-wave values=16 a=5 b=2 width=3",
    "bit-flip values=16 a=5 b=2 chosen=4 epoch=1",
    "repeated-unary values=16 a=7 b=1 keep=3221225472 epoch=1",
    "rappor values=16 text=0 bits=16 hashes=0 cohorts=1 f=" QUARTER " p=" QUARTER
    " q=" THREE_QUARTERS " epoch=1",
};

#define VALUES_MAX 16

typedef struct tally {
    size_t values, runs;
    double sums[VALUES_MAX], squares[VALUES_MAX]; /* of errors, of estimated variances */
    uint64_t covered, all_covered;
} tally;

static void run_once(tally *t, const char *words, const uint64_t *holders, uint64_t *seed)
{
    sc_sums sums = fleet_sums(words);
    sc_decoding decoding;
    bool is_all = true;
    REQUIRE(sums.layout != NULL);
    fleet_send_counts(&sums, holders, sums.config.values, seed);
    REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
    t->values = decoding.values;
    const double z = -sc_normal_quantile(0.025),
                 joint = -sc_normal_quantile(0.025 / (double)decoding.values);
    for (size_t v = 0; v < decoding.values; v++) {
        const double truth = (double)holders[v];
        const double error = sc_decoding_estimate(&decoding, v) - truth;
        const sc_count_interval one = sc_count_interval_of(&decoding, v, z),
                                all = sc_count_interval_of(&decoding, v, joint);
        t->sums[v] += error;
        t->squares[v] += sc_decoding_variance(&decoding, v, truth);
        t->covered += one.low <= truth && truth <= one.high;
        is_all = is_all && all.low <= truth && truth <= all.high;
    }
    t->all_covered += is_all;
    t->runs++;
    sc_decoding_clear(&decoding);
    sc_sums_clear(&sums);
}

SLOW_TEST(decoding_is_unbiased_and_intervals_cover)
{
    CLAIM("decoding.unbiased");
    CLAIM("count-interval.covers");
    uint64_t holders[VALUES_MAX] = {500, 250, 100, 60, 40, 25, 15, 8, 2};
    const uint64_t runs = check_count_whole(100, 1000);
    for (size_t p = 0; p < COUNT(protocols); p++) {
        uint64_t seed = check_seed() + 1000 * p;
        tally t = {0};
        holders[0] = p == 0 ? 750 : 500;
        for (uint64_t i = 0; i < runs; i++)
            run_once(&t, protocols[p], holders, &seed);
        for (size_t v = 0; v < t.values; v++)
            if (!CHECK(fabs(t.sums[v]) <= 4.5 * sqrt(t.squares[v])))
                CHECK_FAIL("%s: value %zu is off by %g", protocols[p], v,
                           t.sums[v] / (double)runs);
        /* Four standard deviations below the rate, which values of one run share. */
        const double one = (double)t.covered / (double)(runs * t.values),
                     all = (double)t.all_covered / (double)runs;
        const double slack = 4 * sqrt(0.05 * 0.95 / (double)runs);
        if (!CHECK(one >= 0.95 - slack && all >= 0.95 - slack && one <= 0.99))
            CHECK_FAIL("%s: %g of intervals cover, %g of runs", protocols[p], one, all);
    }
}

/* ---- the table of section 0 ---- */

static double root_mean_square(const char *words, size_t values, unsigned runs)
{
    uint64_t *holders = calloc(values, sizeof *holders), seed = check_seed();
    double squares = 0;
    fleet_zipf(100000, holders, values);
    for (unsigned i = 0; i < runs; i++) {
        sc_sums sums = fleet_sums(words);
        sc_decoding decoding;
        if (sums.layout == NULL)
            break;
        fleet_send_counts(&sums, holders, values, &seed);
        if (!CHECK_STATUS(sc_decoding_init(&decoding, &sums, NULL), SCRIM_OK))
            break;
        for (size_t v = 0; v < values; v++) {
            const double error = sc_decoding_estimate(&decoding, v) - (double)holders[v];
            squares += error * error;
        }
        sc_decoding_clear(&decoding);
        sc_sums_clear(&sums);
    }
    free(holders);
    return sqrt(squares / (double)values / runs);
}

SLOW_TEST(decoding_errs_as_the_table_says)
{
    /* a = floor(2^20 e^2), b = 2^20; unary: b = ceil(2^32/(e^2 + 1)), or with e. */
    static const struct {
        const char *row, *words;
        unsigned long_runs;
    } rows[] = {
        {"k-RR", "randomised-response values=1024 a=7747984 b=1048576", 40},
        {"PGR q=7 t=5",
         "projective-geometry values=1024 a=7747984 b=1048576 field=7 digits=5", 40},
        {"OLH g=7 m=4", "local-hashing values=1024 a=7747984 b=1048576 field=7 digits=4",
         40},
        {"HR J=1 b=2048", "hadamard values=1024 a=7747984 b=1048576 blocks=1 order=2048",
         40},
        {"HR J=4 b=512", "hadamard values=1024 a=7747984 b=1048576 blocks=4 order=512",
         40},
        {"OUE", "optimised-unary values=1024 a=3782991582 b=511975714", 20},
        {"SUE", "symmetric-unary values=1024 a=3139872696 b=1155094600", 20},
        {"SS d=122", "subset-selection values=1024 a=7747984 b=1048576 chosen=122", 10},
    };
    const json_t *table = vectors_load("local-additions", "rmse_simulation");
    REQUIRE(table != NULL);
    const json_t *predicted = json_object_get(table, "rows");
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (!check_is_long() && i >= 5)
            continue;
        const unsigned runs = check_is_long() ? rows[i].long_runs : 1;
        const double want =
            atof(vectors_text(json_object_get(predicted, rows[i].row), "predicted"));
        if (!CHECK_NEAR(root_mean_square(rows[i].words, 1024, runs), want,
                        check_is_long() ? 0.02 : 0.1))
            CHECK_FAIL("%s", rows[i].row);
    }
}

#define VALUES 9

static const uint64_t holders[VALUES] = {600, 0, 300, 200, 0, 50, 450, 0, 400};

/* w(|x-z|) by the device's rule. */
static double weight(uint64_t a, uint64_t b, size_t distance)
{
    uint64_t w = (uint64_t)1 << 31;
    for (size_t t = 0; t < distance; t++)
        w = (w * b + a - 1) / a;
    return (double)w;
}

/* A histogram of expected counts, of `times` times as many devices. */
TEST(decode_condensed_finds_the_truth)
{
    CLAIM("decode-condensed.unbiased");
    const double times = 1e9;
    sc_sums sums = fleet_sums("condensed-exponential values=9 a=3 b=2 metric=0");
    sc_decoding decoding;
    REQUIRE(sums.layout != NULL);
    for (size_t x = 0; x < VALUES; x++) {
        double sum = 0;
        for (size_t z = 0; z < VALUES; z++)
            sum += weight(3, 2, x > z ? x - z : z - x);
        for (size_t z = 0; z < VALUES; z++)
            sums.counts[z] += (uint64_t)llround(
                times * (double)holders[x] * weight(3, 2, x > z ? x - z : z - x) / sum);
    }
    for (size_t z = 0; z < VALUES; z++)
        sums.reports += sums.counts[z];
    REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
    for (size_t v = 0; v < VALUES; v++)
        CHECK(fabs(sc_decoding_estimate(&decoding, v) / times - (double)holders[v]) <
              1e-5);
    sc_decoding_clear(&decoding);
    sc_sums_clear(&sums);
}

/* Reports of the device itself: means are right, and errors are as large as they are said to be. */
SLOW_TEST(decode_condensed_errs_as_it_says)
{
    CLAIM("decode-condensed.unbiased");
    const uint64_t runs = check_count_whole(60, 1000);
    uint64_t seed = check_seed();
    double sums_of[VALUES] = {0}, squares = 0;
    for (uint64_t run = 0; run < runs; run++) {
        sc_sums sums = fleet_sums("condensed-exponential values=9 a=3 b=2 metric=0");
        sc_decoding decoding;
        REQUIRE(sums.layout != NULL);
        fleet_send_counts(&sums, holders, VALUES, &seed);
        REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
        for (size_t v = 0; v < VALUES; v++) {
            const double error =
                (sc_decoding_estimate(&decoding, v) - (double)holders[v]) /
                sqrt(sc_decoding_variance(&decoding, v, 0));
            sums_of[v] += error;
            squares += error * error;
        }
        sc_decoding_clear(&decoding);
        sc_sums_clear(&sums);
    }
    const double n = (double)runs;
    for (size_t v = 0; v < VALUES; v++)
        CHECK(fabs(sums_of[v]) <= 5 * sqrt(n));
    /* Plugged-in variances include how holders differ, so that they are somewhat large. */
    CHECK(squares / n / VALUES < 1 + 5 * sqrt(2 / n));
    CHECK(squares / n / VALUES > 0.5);
}

TEST(decode_condensed_refuses)
{
    sc_decoding decoding;
    sc_sums sums = fleet_sums("condensed-exponential values=513 a=3 b=2 metric=0");
    REQUIRE(sums.layout != NULL);
    sums.reports = sums.counts[0] = 1;
    CHECK_STATUS(sc_decoding_init(&decoding, &sums, NULL), SCRIM_E_LIMIT);
    sc_sums_clear(&sums);
    sums =
        fleet_sums("condensed-exponential values=5 a=4294967295 b=4294967294 metric=0");
    REQUIRE(sums.layout != NULL);
    sums.reports = sums.counts[0] = 1;
    CHECK_STATUS(sc_decoding_init(&decoding, &sums, NULL), SCRIM_E_LIMIT);
    sc_sums_clear(&sums);
}
