#include "check.h"
#include "local/device/set_encoders.h"
#include "local_device.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

/* The product of polynomials of `width` bits, then the remainder, in plain arithmetic. */
static uint64_t product_modulo(uint64_t a, uint64_t b, int width, uint64_t low)
{
    const sc_uint128 modulus = ((sc_uint128)1 << width) | low;
    sc_uint128 product = 0;
    for (int i = 0; i < width; i++)
        if ((a >> i & 1) != 0)
            product ^= (sc_uint128)b << i;
    for (int i = width - 1; i >= 0; i--)
        if ((product >> (width + i) & 1) != 0)
            product ^= modulus << i;
    return (uint64_t)product;
}

static uint64_t plain_product(uint64_t a, uint64_t b)
{
    return product_modulo(a, b, 64, 0x1b);
}

/* The field of four bits of the vector, by the same plain arithmetic: its hashes, and how many seeds make two
 * values meet. */
TEST(device_field_is_that_of_the_vector)
{
    const json_t *family = vectors_load("local-additions", "olh_binary_family");
    const json_t *sample = json_object_get(json_object_get(family, "sample"), "a=7");
    CHECK_STR(vectors_text(family, "field"), "GF(2^4), x^4+x+1");
    REQUIRE(json_array_size(sample) == 16);
    for (uint64_t x = 0; x < 16; x++)
        CHECK_INT((int64_t)(product_modulo(7, x, 4, 3) >> 2),
                  json_integer_value(json_array_get(sample, x)));
    for (int bits = 1; bits <= 3; bits++)
        for (uint64_t x = 0; x < 16; x++)
            for (uint64_t v = 0; v < x; v++) {
                int met = 0;
                for (uint64_t a = 0; a < 16; a++)
                    met += product_modulo(a, x, 4, 3) >> (4 - bits) ==
                           product_modulo(a, v, 4, 3) >> (4 - bits);
                CHECK_INT(met, 16 >> bits);
            }
}

TEST(device_field_multiplies)
{
    uint64_t seed = 6, words[3];
    const scrim_local_source source = device_seeded(&seed);
    for (int i = 0; i < 300; i++) {
        CHECK_INT(source.fill(source.context, words, sizeof words), 0);
        const uint64_t a = words[0], b = words[1], c = words[2];
        CHECK(sl_field_product(a, b) == plain_product(a, b));
        CHECK(sl_field_product(a, b ^ c) ==
              (sl_field_product(a, b) ^ sl_field_product(a, c)));
    }
    CHECK(sl_field_product(1, 77) == 77 && sl_field_product(0, 77) == 0);
    CHECK(sl_field_product(2, (uint64_t)1 << 63) == 0x1b);
}

/* Every nonzero element has an inverse, its power 2^64 - 2, so that the field is one: then for x != v the
 * product a (x - v) takes each value for one a, and its highest bits are zeros for 2^-cells of all a. */
TEST(device_field_has_inverses)
{
    uint64_t seed = 7, word;
    const scrim_local_source source = device_seeded(&seed);
    for (int i = 0; i < 50; i++) {
        CHECK_INT(source.fill(source.context, &word, sizeof word), 0);
        uint64_t power = word, inverse = 1;
        for (int bit = 1; bit < 64; bit++) {
            power = sl_field_product(power, power);
            inverse = sl_field_product(inverse, power);
        }
        CHECK(sl_field_product(word, inverse) == 1);
    }
}

static scrim_local_status hash_text(const scrim_local_config *config, const char *text,
                                    const uint64_t *words, size_t count, uint8_t *report)
{
    device_tape tape = {words, count, 0};
    const scrim_local_source source = device_tape_source(&tape);
    uint8_t bytes[SL_TEXT_LIMIT] = {0};
    for (size_t i = 0; i < sizeof bytes && text[i] != '\0'; i++)
        bytes[i] = (uint8_t)text[i];
    const scrim_local_status status =
        scrim_local_encode_text(config, bytes, &source, report);
    CHECK_INT(tape.taken, count);
    return status;
}

/* All u of one function and all texts of one byte: the law of the cell, and the report's layout. */
TEST(device_text_hashing_has_its_law)
{
    const scrim_local_config config =
        device_config("text-hashing a=7 b=2 text=1 cells=4");
    const uint64_t total = 7 + 3 * 2;
    static uint64_t rows[256 * 4];
    CLAIM("local.privacy");
    memset(rows, 0, sizeof rows);
    REQUIRE(scrim_local_report_bytes(&config) == 9);
    for (unsigned byte = 0; byte < 256; byte++)
        for (uint64_t u = 0; u < total; u++) {
            const uint64_t words[2] = {UINT64_C(0x123456789abcdef7),
                                       device_word(u, total)};
            const char text[2] = {(char)byte, 0};
            uint8_t report[9];
            CHECK_INT(hash_text(&config, text, words, 2, report), SCRIM_LOCAL_OK);
            CHECK(device_number(report, 8) == words[0]);
            REQUIRE(report[8] < 4);
            rows[byte * 4 + report[8]]++;
        }
    device_check_law(rows, 256, 4, total, 7, 2);
    for (unsigned byte = 0; byte < 256; byte++)
        CHECK_INT(rows[(size_t)byte * 4 + (plain_product(UINT64_C(0x123456789abcdef7),
                                                         (uint64_t)byte << 56) >>
                                           62)],
                  7);
}

/* Over all functions that differ in four bits, spread by a factor, two texts meet in exactly a quarter or
 * a half of them: the family is linear, so that a subspace of functions shows it. */
TEST(device_text_hashing_meets_exactly)
{
    const uint64_t x = UINT64_C(0x6162636400000000), v = UINT64_C(0x6162636500000000);
    uint64_t difference = x ^ v, inverse = 1, power = difference;
    for (int bit = 1; bit < 64; bit++) {
        power = sl_field_product(power, power);
        inverse = sl_field_product(inverse, power);
    }
    for (unsigned cells = 1; cells <= 4; cells++) {
        unsigned met = 0;
        for (uint64_t high = 0; high < 16; high++) {
            /* The function under which the difference has these highest bits. */
            const uint64_t a = sl_field_product(high << 60, inverse);
            met += sl_field_product(a, x) >> (64 - cells) ==
                   sl_field_product(a, v) >> (64 - cells);
        }
        CHECK_INT(met, 16 >> cells);
    }
}

/* Longer texts have a factor for each eight bytes. */
TEST(device_text_hashing_takes_long_texts)
{
    const scrim_local_config config =
        device_config("text-hashing a=7 b=2 text=11 cells=65536");
    const uint64_t total = 7 + 65535 * 2;
    const uint64_t words[3] = {UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xbf58476d1ce4e5b9),
                               device_word(0, total)};
    uint8_t report[18];
    REQUIRE(scrim_local_report_bytes(&config) == sizeof report);
    CHECK_INT(hash_text(&config, "abcdefghijk", words, 3, report), SCRIM_LOCAL_OK);
    CHECK(device_number(report, 8) == words[0] &&
          device_number(report + 8, 8) == words[1]);
    const uint64_t sum = plain_product(words[0], UINT64_C(0x6162636465666768)) ^
                         plain_product(words[1], UINT64_C(0x696a6b0000000000));
    CHECK_INT(device_number(report + 16, 2), sum >> 48);
}

TEST(device_text_words_end_with_the_prefix)
{
    const uint8_t text[12] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                              0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    uint64_t words[SL_TEXT_WORDS];
    CHECK_INT(sl_text_words(text, 12, 96, words), 2);
    CHECK(words[0] == UINT64_MAX && words[1] == UINT64_C(0xffffffff00000000));
    CHECK_INT(sl_text_words(text, 12, 67, words), 2);
    CHECK(words[0] == UINT64_MAX && words[1] == UINT64_C(0xe000000000000000));
    CHECK_INT(sl_text_words(text, 12, 13, words), 2);
    CHECK(words[0] == UINT64_C(0xfff8000000000000) && words[1] == 0);
    CHECK_INT(sl_text_words(text, 8, 64, words), 1);
    CHECK(words[0] == UINT64_MAX);
}

/* Each group reports the text's first bits: what is behind them changes nothing. */
TEST(device_prefix_reports_a_prefix)
{
    const scrim_local_config config =
        device_config("prefix a=5 b=1 text=2 cells=256 prefixes=3,8,16");
    const uint64_t total = 5 + 255;
    static const uint64_t kept[] = {0xe000, 0xff00, 0xffff};
    REQUIRE(config.prefixes == 3 && scrim_local_report_bytes(&config) == 10);
    for (uint64_t group = 0; group < 3; group++)
        for (unsigned byte = 1; byte < 256; byte += 3) {
            const uint64_t words[3] = {device_word(group, 3),
                                       UINT64_C(0x9e3779b97f4a7c15),
                                       device_word(2, total)};
            const char text[3] = {(char)byte, 'z', 0};
            uint8_t report[10];
            CHECK_INT(hash_text(&config, text, words, 3, report), SCRIM_LOCAL_OK);
            CHECK_INT(report[0], group);
            CHECK(device_number(report + 1, 8) == words[1]);
            const uint64_t prefix = ((uint64_t)byte << 8 | 'z') & kept[group];
            CHECK_INT(report[9], plain_product(words[1], prefix << 48) >> 56);
        }
}

static scrim_local_status status_of(const char *words)
{
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    scrim_local_config config;
    snprintf(text, sizeof text, "scrim-local/2 question=q protocol=%s\n", words);
    return scrim_local_config_parse(text, &config);
}

TEST(device_text_hashing_refuses_other_sizes)
{
    CHECK_INT(status_of("text-hashing a=3 b=1 text=31 cells=65536"), SCRIM_LOCAL_OK);
    CHECK_INT(status_of("text-hashing a=3 b=1 text=32 cells=65536"), SCRIM_LOCAL_E_LIMIT);
    CHECK_INT(status_of("text-hashing a=3 b=1 text=31 cells=131072"),
              SCRIM_LOCAL_E_LIMIT);
    CHECK_INT(status_of("text-hashing a=3 b=1 text=0 cells=2"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("text-hashing a=3 b=1 text=1 cells=1"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("text-hashing a=3 b=1 text=1 cells=6"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("prefix a=3 b=1 text=2 cells=2 prefixes=4,16"), SCRIM_LOCAL_OK);
    CHECK_INT(status_of("prefix a=3 b=1 text=2 cells=2 prefixes=4,15"),
              SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("prefix a=3 b=1 text=2 cells=2 prefixes=4,17"),
              SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("prefix a=3 b=1 text=2 cells=2 prefixes=4,4,16"),
              SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("prefix a=3 b=1 text=2 cells=2 prefixes=0,16"),
              SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("prefix a=3 b=1 text=2 cells=2 prefixes="), SCRIM_LOCAL_E_SYNTAX);
    CHECK_INT(status_of("prefix a=3 b=1 text=2 cells=2 prefixes=4,"),
              SCRIM_LOCAL_E_SYNTAX);
    CHECK_INT(status_of("prefix a=3 b=1 text=2 cells=2 prefixes=4,256"),
              SCRIM_LOCAL_E_LIMIT);
    CHECK_INT(
        status_of(
            "prefix a=3 b=1 text=31 cells=2 prefixes=1,2,3,4,5,6,7,8,9,10,11,12,13,14,"
            "15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,248"),
        SCRIM_LOCAL_OK);
    CHECK_INT(
        status_of(
            "prefix a=3 b=1 text=31 cells=2 prefixes=1,2,3,4,5,6,7,8,9,10,11,12,13,14,"
            "15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,248"),
        SCRIM_LOCAL_E_LIMIT);
}
