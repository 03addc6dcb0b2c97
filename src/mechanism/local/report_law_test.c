#include "exact.h"
#include "local/device/set_encoders.h"
#include "local_device.h"
#include "mechanism/local/report_law.h"
#include "vectors.h"

#include <stdlib.h>

/* Small configurations of every protocol, with what its reports are about. */
typedef struct law_case {
    scrim_local_config config;
    uint64_t reports;
} law_case;

#define QUARTER ((uint32_t)1 << 30)

static const law_case cases[] = {
    {{.protocol = SCRIM_LOCAL_RESPONSE, .values = 4, .a = 7, .b = 3}, 1},
    {{.protocol = SCRIM_LOCAL_PROJECTIVE,
      .values = 7,
      .a = 3,
      .b = 1,
      .field = 2,
      .digits = 3},
     1},
    {{.protocol = SCRIM_LOCAL_PROJECTIVE,
      .values = 11,
      .a = 5,
      .b = 2,
      .field = 3,
      .digits = 3},
     1},
    {{.protocol = SCRIM_LOCAL_PROJECTIVE,
      .values = 40,
      .a = 5,
      .b = 2,
      .field = 3,
      .digits = 4},
     1},
    {{.protocol = SCRIM_LOCAL_SUBSET, .values = 6, .a = 7, .b = 3, .chosen = 2}, 1},
    {{.protocol = SCRIM_LOCAL_SUBSET, .values = 7, .a = 3, .b = 2, .chosen = 3}, 1},
    {{.protocol = SCRIM_LOCAL_SYMMETRIC_UNARY, .values = 4, .a = 5, .b = 2}, 1},
    {{.protocol = SCRIM_LOCAL_OPTIMISED_UNARY, .values = 4, .a = 5, .b = 2}, 1},
    {{.protocol = SCRIM_LOCAL_HASHING,
      .values = 9,
      .a = 5,
      .b = 2,
      .field = 3,
      .digits = 2},
     1},
    {{.protocol = SCRIM_LOCAL_HASHING,
      .values = 20,
      .a = 9,
      .b = 2,
      .field = 5,
      .digits = 2},
     1},
    {{.protocol = SCRIM_LOCAL_HADAMARD,
      .values = 7,
      .a = 5,
      .b = 2,
      .blocks = 1,
      .order = 8},
     1},
    {{.protocol = SCRIM_LOCAL_HADAMARD,
      .values = 9,
      .a = 7,
      .b = 2,
      .blocks = 3,
      .order = 4},
     1},
    {{.protocol = SCRIM_LOCAL_BIT_FLIP, .values = 5, .a = 3, .b = 2, .chosen = 3}, 1},
    {{.protocol = SCRIM_LOCAL_BIT_FLIP, .values = 4, .a = 3, .b = 1, .chosen = 1}, 1},
    {{.protocol = SCRIM_LOCAL_REPEATED_UNARY,
      .values = 3,
      .a = 7,
      .b = 1,
      .keep = 3 * QUARTER},
     1},
    {{.protocol = SCRIM_LOCAL_REPEATED_UNARY,
      .values = 2,
      .a = 7,
      .b = 1,
      .keep = 3 * QUARTER},
     3},
    {{.protocol = SCRIM_LOCAL_RAPPOR,
      .values = 3,
      .bits = 3,
      .cohorts = 1,
      .f = 2 * QUARTER},
     1},
    {{.protocol = SCRIM_LOCAL_RAPPOR,
      .values = 2,
      .bits = 2,
      .cohorts = 1,
      .f = 2 * QUARTER,
      .p = 2 * QUARTER,
      .q = 3 * QUARTER},
     4},
    {{.protocol = SCRIM_LOCAL_RAPPOR,
      .values = 2,
      .bits = 1,
      .cohorts = 1,
      .f = 2 * QUARTER,
      .p = 2 * QUARTER,
      .q = 3 * QUARTER},
     4},
    {{.protocol = SCRIM_LOCAL_LAPLACE, .values = 5, .a = 5, .b = 4, .width = 3}, 1},
    {{.protocol = SCRIM_LOCAL_GEOMETRIC, .values = 5, .a = 5, .b = 4}, 1},
    {{.protocol = SCRIM_LOCAL_SQUARE_WAVE, .values = 5, .a = 3, .b = 1, .width = 1}, 1},
    {{.protocol = SCRIM_LOCAL_SQUARE_WAVE, .values = 8, .a = 5, .b = 2, .width = 2}, 1},
    {{.protocol = SCRIM_LOCAL_ONE_BIT, .values = 11, .a = 27, .b = 10}, 1},
    {{.protocol = SCRIM_LOCAL_ROUNDED_BIT,
      .values = 6,
      .a = 27,
      .b = 10,
      .flip = QUARTER},
     1},
    {{.protocol = SCRIM_LOCAL_ROUNDED_BIT,
      .values = 6,
      .a = 27,
      .b = 10,
      .flip = QUARTER},
     4},
};

/* The device's map of one draw: u below the total weight leads to the report. */
static void check_map(const char *words, uint64_t total)
{
    const scrim_local_config c = device_config(words);
    const uint64_t outputs = sc_report_outputs(&c, 1);
    SC_OWN(sc_ratio, wanted, found);
    for (uint64_t x = 0; x < c.values; x++) {
        uint64_t counts[64] = {0};
        REQUIRE(outputs <= 64);
        for (uint64_t u = 0; u < total; u++)
            counts[device_report(&c, x, u, total)]++;
        for (uint64_t y = 0; y < outputs; y++) {
            sc_report_probability(&c, 1, x, y, &wanted);
            sc_ratio_set_quotient(&found, (int64_t)counts[y], (int64_t)total);
            CHECK(sc_ratio_compare(&found, &wanted) == 0);
        }
    }
}

TEST(report_law_is_that_of_the_device)
{
    CLAIM("report-law.exact");
    check_map("randomised-response values=4 a=7 b=3", 16);
    check_map("projective-geometry values=7 a=3 b=1 field=2 digits=3", 13);
    check_map("projective-geometry values=11 a=5 b=2 field=3 digits=3", 38);
    check_map("hadamard values=7 a=5 b=2 blocks=1 order=8", 28);
    check_map("hadamard values=9 a=7 b=2 blocks=3 order=4", 34);
    check_map("square-wave values=8 a=5 b=2 width=2", 39);
    check_map("one-bit-mean values=11 a=27 b=10", 370);
}

/* Local hashing: a seed, and then a cell. */
TEST(report_law_of_hashing_is_that_of_the_device)
{
    CLAIM("report-law.exact");
    const scrim_local_config c =
        device_config("local-hashing values=8 a=5 b=2 field=3 digits=2");
    SC_OWN(sc_ratio, wanted, found);
    for (uint64_t x = 0; x < c.values; x++)
        for (uint64_t seed = 0; seed < 9; seed++) {
            int64_t counts[3] = {0};
            for (uint64_t u = 0; u < 9; u++) {
                const uint64_t words[2] = {device_word(seed, 9), device_word(u, 9)};
                device_tape tape = {words, 2, 0};
                const scrim_local_source source = device_tape_source(&tape);
                uint8_t report[2];
                CHECK_INT(scrim_local_encode(&c, x, &source, report), SCRIM_LOCAL_OK);
                CHECK_INT(report[0], seed);
                counts[report[1]]++;
            }
            for (uint64_t y = 0; y < 3; y++) {
                sc_report_probability(&c, 1, x, 3 * seed + y, &wanted);
                sc_ratio_set_quotient(&found, counts[y], 81);
                CHECK(sc_ratio_compare(&found, &wanted) == 0);
            }
        }
}

/* The element of which the field's product with x is wanted: x to the power 2^64 - 2 is its inverse. */
static uint64_t field_quotient(uint64_t wanted, uint64_t x)
{
    for (int bit = 1; bit < 64; bit++) {
        x = sl_field_product(x, x);
        wanted = sl_field_product(wanted, x);
    }
    return wanted;
}

/* The report of a text of one byte: the number of its cell. The tape has its words. */
static uint64_t text_cell(const scrim_local_config *c, uint64_t x, const uint64_t *words,
                          size_t count)
{
    device_tape tape = {words, count, 0};
    const scrim_local_source source = device_tape_source(&tape);
    const uint8_t text[1] = {(uint8_t)x};
    uint8_t report[16] = {0};
    CHECK_INT(scrim_local_encode_text(c, text, &source, report), SCRIM_LOCAL_OK);
    CHECK_INT(tape.taken, count);
    CHECK_INT(device_number(report, count - 2), count == 3 ? words[0] >> 63 : 0);
    CHECK(device_number(report + (count - 2), 8) == words[count - 2]);
    return report[count - 2 + 8];
}

/* All groups, all classes of seeds and all u. A seed's product with the text 1 takes each value once, so
 * that each class has as many seeds; low is what tells those of one class apart. */
static void check_texts(const char *words, uint64_t total, uint64_t low)
{
    const scrim_local_config c = device_config(words);
    const uint64_t cells = c.cells, classes = 2 * cells;
    const uint64_t groups = c.prefixes == 0 ? 1 : c.prefixes;
    const size_t first = c.prefixes == 0;
    SC_OWN(sc_ratio, wanted, found);
    CHECK_INT(sc_report_outputs(&c, 1), (sc_int128)groups * classes * cells);
    for (uint64_t i = 0; i < 4 * groups * classes; i++) {
        const uint64_t x = i % 4, head = i / 4, class = head % classes;
        const uint64_t product = class << (63 - sl_cell_bits(c.cells)) |
                                 (low & (UINT64_MAX >> (sl_cell_bits(c.cells) + 1)));
        uint64_t tape[3] = {device_word(head / classes, groups),
                            field_quotient(product, (uint64_t)1 << 56), 0};
        int64_t counts[8] = {0};
        for (uint64_t u = 0; u < total; u++) {
            tape[2] = device_word(u, total);
            const uint64_t cell = text_cell(&c, x, tape + first, 3 - first);
            REQUIRE(cell < cells);
            counts[cell]++;
        }
        for (uint64_t y = 0; y < cells; y++) {
            sc_report_probability(&c, 1, x, head * cells + y, &wanted);
            sc_ratio_set_quotient(&found, counts[y], (int64_t)(total * groups * classes));
            CHECK(sc_ratio_compare(&found, &wanted) == 0);
        }
    }
}

TEST(report_law_of_texts_is_that_of_the_device)
{
    CLAIM("report-law.exact");
    static const uint64_t lows[] = {0, UINT64_MAX, UINT64_C(0x9e3779b97f4a7c15)};
    for (size_t i = 0; i < sizeof lows / sizeof *lows; i++) {
        check_texts("text-hashing a=3 b=1 text=1 cells=2", 4, lows[i]);
        check_texts("text-hashing a=7 b=2 text=1 cells=8", 7 + 7 * 2, lows[i]);
        check_texts("prefix a=5 b=2 text=1 cells=4 prefixes=7,8", 11, lows[i]);
        check_texts("prefix a=3 b=1 text=1 cells=4 prefixes=6,8", 6, lows[i]);
    }
}

/* The largest ratio of the probabilities of one report for two values; and rows that sum to 1. */
static void largest_ratio(const law_case *c, sc_ratio *out)
{
    const uint64_t outputs = sc_report_outputs(&c->config, c->reports);
    SC_OWN(sc_ratio, p, least, most, sum);
    for (uint64_t x = 0; x < c->config.values; x++) {
        sc_ratio_set_int64(&sum, 0);
        for (uint64_t y = 0; y < outputs; y++) {
            sc_report_probability(&c->config, c->reports, x, y, &p);
            sc_ratio_add(&sum, &sum, &p);
        }
        CHECK(sc_ratio_compare_int64(&sum, 1) == 0);
    }
    for (uint64_t y = 0; y < outputs; y++) {
        for (uint64_t x = 0; x < c->config.values; x++) {
            sc_report_probability(&c->config, c->reports, x, y, &p);
            if (x == 0 || sc_ratio_compare(&p, &least) < 0)
                sc_ratio_set(&least, &p);
            if (x == 0 || sc_ratio_compare(&p, &most) > 0)
                sc_ratio_set(&most, &p);
        }
        if (sc_ratio_sign(&most) == 0)
            continue;
        REQUIRE(sc_ratio_sign(&least) > 0);
        sc_ratio_div(&most, &most, &least);
        if (sc_ratio_compare(&most, out) > 0)
            sc_ratio_set(out, &most);
    }
}

TEST(report_law_loses_what_the_protocol_says)
{
    CLAIM("protocol.loss");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SC_OWN(sc_ratio, ratio);
        SC_OWN(sc_ball, found, wanted);
        largest_ratio(&cases[i], &ratio);
        sc_ball_set_ratio(&found, &ratio, 256);
        sc_ball_log(&found, &found, 256);
        sc_protocol_loss(&cases[i].config, cases[i].reports, 256, &wanted);
        if (!CHECK_SAME(&found, &wanted, 200))
            CHECK_FAIL("case %zu", i);
    }
}

/* condensed-exponential: the loss has room for the draws that are not quite uniform, and little more where
 * all sums are equal. */
TEST(report_law_of_distances_loses_less_than_the_protocol_says)
{
    CLAIM("protocol.loss");
    static const law_case distances[] = {
        {{.protocol = SCRIM_LOCAL_CONDENSED, .values = 2, .a = 2, .b = 1}, 1},
        {{.protocol = SCRIM_LOCAL_CONDENSED, .values = 2, .a = 3, .b = 2}, 1},
        {{.protocol = SCRIM_LOCAL_CONDENSED, .values = 5, .a = 5, .b = 4}, 1},
        {{.protocol = SCRIM_LOCAL_CONDENSED, .values = 40, .a = 7, .b = 3}, 1},
        {{.protocol = SCRIM_LOCAL_CONDENSED, .values = 33, .a = 3000000001, .b = 3}, 1},
    };
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        SC_OWN(sc_ratio, ratio);
        SC_OWN(sc_ball, found, wanted);
        largest_ratio(&distances[i], &ratio);
        sc_ball_set_ratio(&found, &ratio, 512);
        sc_ball_log(&found, &found, 512);
        sc_protocol_loss(&distances[i].config, 1, 512, &wanted);
        CHECK(sc_ball_is_less(&found, &wanted));
        if (distances[i].config.values == 2)
            CHECK_NEAR(sc_ball_upper(&found), sc_ball_upper(&wanted), 1e-9);
    }
}

/* Does the report support a value? Bitmaps have its bit, others are as likely as can be. */
static bool supports(const scrim_local_config *c, const sc_ratio *most, uint64_t v,
                     uint64_t index)
{
    SC_OWN(sc_ratio, here);
    if (c->protocol == SCRIM_LOCAL_SYMMETRIC_UNARY ||
        c->protocol == SCRIM_LOCAL_OPTIMISED_UNARY || c->protocol == SCRIM_LOCAL_SUBSET ||
        c->protocol == SCRIM_LOCAL_REPEATED_UNARY || c->protocol == SCRIM_LOCAL_RAPPOR)
        return (index >> v & 1) != 0;
    sc_report_probability(c, 1, v, index, &here);
    return sc_ratio_compare(&here, most) == 0;
}

/* The largest probability of any report of value 0. */
static void largest(const scrim_local_config *c, sc_ratio *out)
{
    SC_OWN(sc_ratio, here);
    for (uint64_t y = 0; y < sc_report_outputs(c, 1); y++) {
        sc_report_probability(c, 1, 0, y, &here);
        if (sc_ratio_compare(&here, out) > 0)
            sc_ratio_set(out, &here);
    }
}

/* P and Q are those of every pair. */
TEST(report_law_supports_as_the_protocol_says)
{
    CLAIM("protocol.support");
    size_t pure = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const scrim_local_config *c = &cases[i].config;
        SC_OWN(sc_ratio, p, q, sum, part, most);
        if (!sc_protocol_is_pure(c) || cases[i].reports > 1)
            continue;
        pure++;
        REQUIRE(sc_protocol_support(c, &p, &q));
        largest(c, &most);
        for (uint64_t x = 0; x < c->values; x++)
            for (uint64_t v = 0; v < c->values; v++) {
                sc_ratio_set_int64(&sum, 0);
                for (uint64_t y = 0; y < sc_report_outputs(c, 1); y++)
                    if (supports(c, &most, v, y)) {
                        sc_report_probability(c, 1, x, y, &part);
                        sc_ratio_add(&sum, &sum, &part);
                    }
                if (!CHECK(sc_ratio_compare(&sum, x == v ? &p : &q) == 0))
                    CHECK_FAIL("case %zu: %d, %d", i, (int)x, (int)v);
            }
    }
    CHECK_INT(pure, 13);
}

TEST(report_law_is_refused_where_it_is_too_long)
{
    scrim_local_config c = {.protocol = SCRIM_LOCAL_OPTIMISED_UNARY, .values = 20};
    CHECK_INT(sc_report_outputs(&c, 1), 1 << 20);
    CHECK_INT(sc_report_outputs(&c, 2), 0);
    c.values = 21;
    CHECK_INT(sc_report_outputs(&c, 1), 0);
    c.values = 1 << 16;
    CHECK_INT(sc_report_outputs(&c, UINT64_MAX), 0);
    c = (scrim_local_config){
        .protocol = SCRIM_LOCAL_PROJECTIVE, .values = 9, .field = 1021, .digits = 3};
    CHECK_INT(sc_report_outputs(&c, 1), 1021 * 1021 + 1022);
    c.field = 1031;
    CHECK_INT(sc_report_outputs(&c, 1), 0);
    c = (scrim_local_config){
        .protocol = SCRIM_LOCAL_BIT_FLIP, .values = 1 << 16, .chosen = 2};
    CHECK_INT(sc_report_outputs(&c, 1), 0);
}

/* The printed rows of the two condensed mechanisms. */
static void check_row(const scrim_local_config *c, uint64_t x, const json_t *row)
{
    const json_t *text;
    size_t y;
    json_array_foreach(row, y, text)
    {
        SC_OWN(sc_ratio, p);
        SC_OWN(sc_ball, mass);
        sc_report_probability(c, 1, x, y, &p);
        sc_ball_set_ratio(&mass, &p, 128);
        CHECK_NEAR(sc_ball_upper(&mass), strtod(json_string_value(text), NULL), 1e-7);
    }
    CHECK_INT(y, c->values);
}

TEST(report_law_of_distances_is_as_printed)
{
    CLAIM("report-law.exact");
    json_t *row = vectors_load("local-and-accounting", "cldp_clamped_geometric");
    /* exp(1/2) = a/b, nearly. */
    scrim_local_config c = {.protocol = SCRIM_LOCAL_GEOMETRIC,
                            .values = (uint32_t)vectors_number(row, "m") + 1,
                            .a = 3540601968,
                            .b = (uint32_t)1 << 31};
    check_row(&c, 1, json_object_get(row, "pmf_x1"));
    row = json_array_get(vectors_load("local-and-accounting", "cldp_exponential"), 0);
    c.protocol = SCRIM_LOCAL_CONDENSED;
    c.a = 2757423585; /* exp(1/4) */
    check_row(&c, 0, json_object_get(row, "row_x0"));
    check_row(&c, 2, json_object_get(row, "row_mid"));
}
