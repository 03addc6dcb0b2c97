#include "check.h"
#include "local/amplify/amplification.h"
#include "scrim/amplification.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A protocol whose reports are likely in a set of outputs, one for each value, as bits. */
typedef struct sets {
    unsigned outputs, values;
    uint32_t set[16];
} sets;

/* The overlap of two sets, the smallest of all pairs, and what it leaves. */
static void check_sets(const char *line, const sets *all, int64_t p)
{
    scrim_error error;
    unsigned least = 32;
    const unsigned size = (unsigned)__builtin_popcount(all->set[0]);
    for (unsigned x = 0; x < all->values; x++)
        for (unsigned y = 0; y < x; y++) {
            const unsigned both = (unsigned)__builtin_popcount(all->set[x] & all->set[y]);
            least = both < least ? both : least;
        }
    sc_blanket_law law;
    sc_blanket_law_init(&law);
    sc_ball_set_int64(&law.p, p);
    REQUIRE_OK(sc_shuffle_protocol(sc_text_of(line), &law, &error));
    const double whole = (double)size * (double)p + all->outputs - size;
    CHECK_NEAR(sc_ball_upper(&law.r), (size - least) / whole, 1e-15);
    CHECK_NEAR(sc_ball_upper(&law.t11), least / whole, 1e-15);
    CHECK_NEAR(sc_ball_upper(&law.t10), (all->outputs + least - 2 * size) / whole, 1e-15);
    sc_blanket_law_clear(&law);
}

static unsigned parity(unsigned x)
{
    return (unsigned)__builtin_popcount(x) & 1;
}

TEST(shuffle_protocol_counts_sets)
{
    CLAIM("shuffle-protocol.exact");
    sets response = {.outputs = 4, .values = 4};
    for (unsigned x = 0; x < 4; x++)
        response.set[x] = 1U << x;
    check_sets("randomised-response values=4", &response, 3);
    sets fano = {.outputs = 7,
                 .values = 7}; /* points 1..7 of three bits, orthogonal ones */
    for (unsigned x = 0; x < 7; x++)
        for (unsigned y = 0; y < 7; y++)
            fano.set[x] |= (parity((x + 1) & (y + 1)) ^ 1U) << y;
    check_sets("projective-geometry field=2 digits=3 values=7", &fano, 3);
    sets pairs = {.outputs = 10, .values = 5}; /* the subsets of two of five */
    for (unsigned a = 0, at = 0; a < 5; a++)
        for (unsigned b = a + 1; b < 5; b++, at++) {
            pairs.set[a] |= 1U << at;
            pairs.set[b] |= 1U << at;
        }
    check_sets("subset-selection values=5 chosen=2", &pairs, 5);
    sets wave = {.outputs = 7, .values = 5};
    for (unsigned x = 0; x < 5; x++)
        wave.set[x] = 7U << x;
    check_sets("square-wave values=5 width=1", &wave, 5);
    sets near = {.outputs = 7, .values = 3}; /* wide: all sets overlap */
    for (unsigned x = 0; x < 3; x++)
        near.set[x] = 31U << x;
    check_sets("square-wave values=3 width=2", &near, 5);
    for (unsigned blocks = 1; blocks <= 2; blocks++) {
        sets rows = {.outputs = 4 * blocks, .values = 3 * blocks};
        for (unsigned x = 0; x < rows.values; x++)
            for (unsigned y = 0; y < 4; y++)
                rows.set[x] |= (parity((x % 3 + 1) & y) ^ 1U) << (4 * (x / 3) + y);
        check_sets(blocks == 1 ? "hadamard" : "hadamard blocks=2", &rows, 3);
    }
    sets cells = {.outputs = 9, .values = 3}; /* g = 3: seed a, cell a x mod 3 */
    for (unsigned x = 0; x < 3; x++)
        for (unsigned a = 0; a < 3; a++)
            cells.set[x] |= 1U << (3 * a + a * x % 3);
    check_sets("local-hashing field=3", &cells, 3);
    sets any = {.outputs = 2, .values = 2, .set = {1, 2}};
    check_sets("", &any, 7);
}

/* Two bits: own is 1 with probability a, the other with b; four outputs. */
static void check_unary(const char *line, double p, double a, double b)
{
    scrim_error error;
    sc_blanket_law law;
    sc_blanket_law_init(&law);
    sc_ball_set_int64(&law.p, (int64_t)p);
    REQUIRE_OK(sc_shuffle_protocol(sc_text_of(line), &law, &error));
    double r = 0, t11 = 0, t10 = 0; /* minima of the two probabilities of each output */
    for (int y = 0; y < 4; y++) {
        const double one = ((y & 1) != 0 ? a : 1 - a) * ((y & 2) != 0 ? b : 1 - b),
                     two = ((y & 1) != 0 ? b : 1 - b) * ((y & 2) != 0 ? a : 1 - a);
        r += y == 1 ? fmin(one, two) : 0;
        /* outputs that both give alike: p times or once their blanket */
        t11 += y == 3 ? one / p : 0;
        t10 += y == 0 ? one : 0;
    }
    CHECK_NEAR(sc_ball_upper(&law.r), r, 1e-14);
    CHECK_NEAR(sc_ball_upper(&law.t11), t11, 1e-14);
    CHECK_NEAR(sc_ball_upper(&law.t10), t10, 1e-14);
    sc_blanket_law_clear(&law);
}

TEST(shuffle_protocol_counts_bits)
{
    CLAIM("shuffle-protocol.exact");
    check_unary("optimised-unary", 9, 0.5, 0.1);
    check_unary("symmetric-unary", 9, 0.75, 0.25);
}

TEST(shuffle_protocol_refuses_what_it_does_not_know)
{
    static const char *const lines[] = {"rappor",
                                        "randomised-response",
                                        "projective-geometry field=3",
                                        "projective-geometry field=1000 digits=60",
                                        "subset-selection values=3 chosen=3",
                                        "local-hashing",
                                        "square-wave width=3",
                                        "square-wave values=3",
                                        "randomised-response values=1"};
    sc_blanket_law law;
    scrim_error error;
    sc_blanket_law_init(&law);
    sc_ball_set_int64(&law.p, 3);
    for (size_t i = 0; i < COUNT(lines); i++)
        CHECK_STATUS(sc_shuffle_protocol(sc_text_of(lines[i]), &law, &error),
                     SCRIM_E_PARAM);
    CHECK_STATUS(sc_shuffle_protocol(sc_text_of("hadamard 3"), &law, &error),
                 SCRIM_E_SYNTAX);
    sc_blanket_law_clear(&law);
}

static scrim_status amplify(uint64_t devices, const char *epsilon, const char *delta,
                            const char *protocol, scrim_amplification *out)
{
    scrim_error error;
    return scrim_amplify(SCRIM_OPTIONS(scrim_amplify_options, .devices = devices,
                                       .epsilon = epsilon, .delta = delta,
                                       .protocol = protocol),
                         out, &error);
}

SLOW_TEST(amplification_meets_the_general_table)
{
    CLAIM("amplification.upper");
    json_t *rows = vectors_load("local-additions", "shuffle_general"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) == 6);
    json_array_foreach(rows, i, row)
    {
        scrim_amplification found;
        char local[8];
        snprintf(local, sizeof local, "%llu",
                 (unsigned long long)vectors_number(row, "eps0"));
        REQUIRE_OK(amplify(vectors_number(row, "n"), local, vectors_text(row, "delta"),
                           NULL, &found));
        const double least = strtod(vectors_text(row, "eps_lower"), NULL),
                     most = strtod(vectors_text(row, "eps_upper"), NULL);
        CHECK(found.upper_view <= most && found.lower_view >= least);
        CHECK(found.lower_view <= most && found.upper_view >= least);
        CHECK(found.lower_view <= found.upper_view);
        CHECK(strtod(found.upper, NULL) >= found.upper_view);
        CHECK(strtod(found.lower, NULL) <= found.lower_view);
    }
}

/* "PGR q=53 t=3" in our words. */
static void translate(const char *name, char line[64])
{
    unsigned a = 0, b = 0;
    if (sscanf(name, "k-RR k=%u", &a) == 1)
        snprintf(line, 64, "randomised-response values=%u", a);
    else if (sscanf(name, "PGR q=%u t=%u", &a, &b) == 2)
        snprintf(line, 64, "projective-geometry field=%u digits=%u", a, b);
    else if (sscanf(name, "OLH g=%u", &a) == 1)
        snprintf(line, 64, "local-hashing field=%u", a);
    else
        snprintf(line, 64, "%s",
                 strcmp(name, "OUE") == 0 ? "optimised-unary" : "hadamard");
}

/* Printed numbers have seven places; those of the table were made in doubles. */
static void check_row(const json_t *row)
{
    scrim_amplification found;
    char line[64], local[8];
    const double upper = strtod(vectors_text(row, "blanket_upper"), NULL),
                 lower = strtod(vectors_text(row, "published_variation_ratio"), NULL);
    const char *data = vectors_text(row, "some_data_set");
    translate(vectors_text(row, "mechanism"), line);
    snprintf(local, sizeof local, "%llu",
             (unsigned long long)vectors_number(row, "eps0"));
    REQUIRE_OK(amplify(vectors_number(row, "n"), local, vectors_text(row, "delta"), line,
                       &found));
    if (found.upper_view > upper + 1.5e-7 || found.upper_view < upper - 3e-7)
        CHECK_FAIL("%s: upper %s, not %.7f", line, found.upper, upper);
    if (found.lower_view > lower + 1e-7 || found.lower_view < lower - 1e-7)
        CHECK_FAIL("%s: lower %s, not %.7f", line, found.lower, lower);
    CHECK(found.lower_view <= found.upper_view);
    /* the epsilon of one real data set, within 1e-6 */
    if (data != NULL)
        CHECK(strtod(data, NULL) <= found.upper_view + 1e-6);
}

SLOW_TEST(amplification_meets_the_table_of_protocols)
{
    CLAIM("amplification.upper");
    CLAIM("amplification.lower");
    json_t *rows = vectors_load("local-additions", "shuffle_by_mechanism"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) == 36);
    json_array_foreach(rows, i, row)
    {
        const bool is_quick = vectors_number(row, "eps0") == 4;
        if (is_quick || check_is_long())
            check_row(row);
    }
}

/* Data on which the published reduction's epsilon does not hold: it lies below the epsilon of that data,
 * and our upper end does not. */
SLOW_TEST(amplification_covers_data_that_the_reduction_does_not)
{
    CLAIM("amplification.upper");
    json_t *rows = vectors_load("local-additions", "krr_all_others_at_a_third_value"),
           *row;
    size_t i;
    REQUIRE(json_array_size(rows) == 6);
    json_array_foreach(rows, i, row)
    {
        scrim_amplification found;
        char line[64], local[8];
        const double of_data = strtod(vectors_text(row, "eps_of_this_data"), NULL);
        snprintf(line, sizeof line, "randomised-response values=%llu",
                 (unsigned long long)vectors_number(row, "k"));
        snprintf(local, sizeof local, "%llu",
                 (unsigned long long)vectors_number(row, "eps0"));
        REQUIRE_OK(amplify(vectors_number(row, "n"), local, vectors_text(row, "delta"),
                           line, &found));
        CHECK(found.upper_view >= of_data - 5e-9);
        CHECK(found.lower_view <= of_data + 5e-9);
        if (vectors_number(row, "k") == 16)
            CHECK(found.lower_view < of_data - 5e-7);
    }
}

TEST(amplification_meets_its_targets)
{
    scrim_amplification found;
    REQUIRE_OK(amplify(100000, "4", "1e-6", NULL, &found));
    CHECK(found.upper_view <= 0.119);
    REQUIRE_OK(amplify(100000, "4", "1e-6", "randomised-response values=1024", &found));
    CHECK(found.upper_view <= 0.0241);
}

/* More devices, a larger delta and a smaller local epsilon never cost more. */
SLOW_TEST(amplification_is_monotone)
{
    static const struct {
        uint64_t devices;
        const char *epsilon, *delta;
    } cases[] = {{2000, "2", "1e-8"},
                 {2000, "2", "1e-6"},
                 {2000, "19/10", "1e-6"},
                 {3000, "19/10", "1e-6"},
                 {40000, "1", "1e-5"}};
    static const char *const lines[] = {"", "symmetric-unary",
                                        "square-wave values=64 width=9"};
    for (size_t k = 0; k < COUNT(lines); k++) {
        double last = 50;
        for (size_t i = 0; i < COUNT(cases); i++) {
            scrim_amplification found;
            REQUIRE_OK(amplify(cases[i].devices, cases[i].epsilon, cases[i].delta,
                               lines[k], &found));
            CHECK(found.upper_view <= last);
            CHECK(found.lower_view <= found.upper_view);
            last = found.upper_view;
        }
    }
}

TEST(amplification_of_few_devices_is_none)
{
    scrim_amplification found;
    REQUIRE_OK(amplify(1, "1", "1e-6", NULL, &found));
    CHECK(found.upper_view <= 1 && found.upper_view > 0.9999);
    REQUIRE_OK(amplify(3, "1/3", "1e-9", NULL, &found));
    CHECK_STR(found.upper, "0.3333333334");
    REQUIRE_OK(amplify(1000, "1", "1/2", NULL, &found));
    CHECK(found.upper_view < 1e-12);
}

TEST(amplification_refuses_bad_numbers)
{
    scrim_amplification found;
    CHECK_STATUS(amplify(0, "1", "1e-6", NULL, &found), SCRIM_E_PARAM);
    CHECK_STATUS(amplify(UINT64_C(1000000001), "1", "1e-6", NULL, &found), SCRIM_E_PARAM);
    CHECK_STATUS(amplify(10, "0", "1e-6", NULL, &found), SCRIM_E_PARAM);
    CHECK_STATUS(amplify(10, "51", "1e-6", NULL, &found), SCRIM_E_PARAM);
    CHECK_STATUS(amplify(10, NULL, "1e-6", NULL, &found), SCRIM_E_PARAM);
    CHECK_STATUS(amplify(10, "x", "1e-6", NULL, &found), SCRIM_E_SYNTAX);
    CHECK_STATUS(amplify(10, "1", "1", NULL, &found), SCRIM_E_PARAM);
    CHECK_STATUS(amplify(10, "1", "0", NULL, &found), SCRIM_E_PARAM);
    CHECK_STATUS(amplify(10, "1", "1e-300", NULL, &found), SCRIM_E_LIMIT);
    CHECK_STATUS(amplify(10, "1", "1e-6", "condensed", &found), SCRIM_E_PARAM);
}
