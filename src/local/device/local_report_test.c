#include "check.h"
#include "local_device.h"
#include "scrim_local.h"

#include <stdio.h>
#include <string.h>

/* Encodes a value, or a text that begins with it. */
static scrim_local_status encode(const scrim_local_config *config, bool is_text,
                                 uint64_t value, const scrim_local_source *source,
                                 uint8_t *report)
{
    uint8_t text[64] = {0};
    memcpy(text, &value, sizeof value);
    return is_text ? scrim_local_encode_text(config, text, source, report)
                   : scrim_local_encode(config, value, source, report);
}

/* Calls check for each configuration of both lists. */
static void for_all(void (*check)(const scrim_local_config *config, bool is_text))
{
    for (int list = 0; list < 2; list++) {
        const char *const *words = list == 0 ? device_of_values : device_of_texts;
        for (; *words != NULL; words++) {
            const scrim_local_config config = device_config(*words);
            check(&config, list == 1);
        }
    }
}

/* Without the last word that a report needs, no report is made. */
static void check_needs_source(const scrim_local_config *config, bool is_text)
{
    uint64_t words[1024 * 40], seed = 3;
    const scrim_local_source whole = device_seeded(&seed);
    const size_t bytes = scrim_local_report_bytes(config);
    uint8_t report[DEVICE_REPORT_BYTES], zeros[DEVICE_REPORT_BYTES] = {0};
    REQUIRE(whole.fill(whole.context, words, sizeof words) == 0);
    device_tape tape = {words, COUNT(words), 0};
    const scrim_local_source source = device_tape_source(&tape);
    CHECK_INT(encode(config, is_text, 1, &source, report), SCRIM_LOCAL_OK);
    const size_t needed = tape.taken;
    for (size_t count = 0; count <= needed;
         count += count + 1 < needed ? needed / 2 : 1) {
        tape = (device_tape){words, count, 0};
        memset(report, 7, sizeof report);
        const scrim_local_status status = encode(config, is_text, 1, &source, report);
        CHECK_INT(status, count < needed ? SCRIM_LOCAL_E_ENTROPY : SCRIM_LOCAL_OK);
        if (count < needed)
            CHECK_BYTES(report, zeros, bytes);
        CHECK_INT(report[bytes], 7);
    }
}

TEST(local_report_needs_its_source)
{
    for_all(check_needs_source);
}

/* The report's length is the configuration's: no byte more is written, each byte is, and the
 * number of words taken does not depend on the value. */
static void check_length(const scrim_local_config *config, bool is_text)
{
    static const uint64_t values[] = {0, 1, 255, 256, 65535, UINT32_MAX, UINT64_MAX};
    const size_t bytes = scrim_local_report_bytes(config);
    uint64_t seed = 0, spent = 0;
    const scrim_local_source source = device_seeded(&seed);
    uint8_t report[DEVICE_REPORT_BYTES], other[DEVICE_REPORT_BYTES];
    REQUIRE(bytes > 0 && bytes < sizeof report);
    for (size_t v = 0; v < COUNT(values); v++) {
        memset(report, 0xa5, sizeof report);
        memset(other, 0x5a, sizeof other);
        seed = 100;
        CHECK_INT(encode(config, is_text, values[v], &source, report), SCRIM_LOCAL_OK);
        spent = v == 0 ? seed : spent;
        CHECK(seed == spent);
        seed = 100;
        CHECK_INT(encode(config, is_text, values[v], &source, other), SCRIM_LOCAL_OK);
        CHECK_BYTES(report, other, bytes);
        CHECK(report[bytes] == 0xa5 && other[bytes] == 0x5a);
    }
}

TEST(local_report_has_its_length)
{
    CLAIM("local.length");
    for_all(check_length);
}

/* encode_many gives the reports of single calls, and zeros where the source ends. */
static void check_many(const scrim_local_config *config)
{
    static uint32_t values[100];
    static uint8_t reports[COUNT(values) * DEVICE_REPORT_BYTES], one[DEVICE_REPORT_BYTES];
    const size_t bytes = scrim_local_report_bytes(config);
    uint64_t first = 9, second = 9;
    const scrim_local_source single = device_seeded(&first),
                             many = device_seeded(&second);
    for (size_t i = 0; i < COUNT(values); i++)
        values[i] = (uint32_t)(i * i);
    CHECK_INT(scrim_local_encode_many(config, values, COUNT(values), &many, reports),
              SCRIM_LOCAL_OK);
    for (size_t i = 0; i < COUNT(values); i++) {
        CHECK_INT(scrim_local_encode(config, values[i], &single, one), SCRIM_LOCAL_OK);
        CHECK_BYTES(one, reports + i * bytes, bytes);
    }
    uint64_t words[64] = {0};
    device_tape tape = {words, COUNT(words), 0};
    const scrim_local_source short_source = device_tape_source(&tape);
    memset(reports, 7, sizeof reports);
    CHECK_INT(
        scrim_local_encode_many(config, values, COUNT(values), &short_source, reports),
        SCRIM_LOCAL_E_ENTROPY);
    for (size_t i = 0; i < COUNT(values) * bytes; i++)
        REQUIRE(reports[i] == 0);
    CHECK_INT(reports[COUNT(values) * bytes], 7);
}

TEST(local_reports_of_many_agree)
{
    for (const char *const *words = device_of_values; *words != NULL; words++) {
        const scrim_local_config config = device_config(*words);
        check_many(&config);
    }
}

TEST(local_report_refuses_other_calls)
{
    const scrim_local_config none = {.protocol = 77},
                             of_value = device_config(device_of_values[0]),
                             of_text = device_config(device_of_texts[0]);
    const uint32_t value = 0;
    uint8_t report[8] = {0};
    CHECK_INT(scrim_local_report_bytes(&none), 0);
    CHECK_INT(scrim_local_encode(&none, 1, &scrim_local_system, report),
              SCRIM_LOCAL_E_PARAM);
    CHECK_INT(scrim_local_encode(&of_text, 1, &scrim_local_system, report),
              SCRIM_LOCAL_E_PARAM);
    CHECK_INT(scrim_local_encode_many(&none, &value, 1, &scrim_local_system, report),
              SCRIM_LOCAL_E_PARAM);
    CHECK_INT(scrim_local_encode_many(&of_text, &value, 1, &scrim_local_system, report),
              SCRIM_LOCAL_E_PARAM);
    CHECK_INT(scrim_local_encode_text(&of_value, report, &scrim_local_system, report),
              SCRIM_LOCAL_E_PARAM);
    CHECK_INT(scrim_local_encode_text(&none, report, &scrim_local_system, report),
              SCRIM_LOCAL_E_PARAM);
}

/* A26: domains of every size; the first and the last value, none, and one that is too long. */
static void check_domain(const char *name, unsigned k, const char *rest, size_t wanted)
{
    char words[128];
    snprintf(words, sizeof words, "%s values=%u %s", name, k, rest);
    const scrim_local_config config = device_config(words);
    CHECK_INT(scrim_local_report_bytes(&config), wanted);
    check_length(&config, false);
}

TEST(A26_report_has_the_length_of_its_domain)
{
    for (unsigned k = 2; k < 300; k += k < 70 || k > 250 ? 1 : 30) {
        check_domain("randomised-response", k, "a=3 b=1", k <= 256 ? 1 : 2);
        check_domain("symmetric-unary", k, "a=3 b=1", (k + 7) / 8);
        check_domain("optimised-unary", k, "a=5 b=2", (k + 7) / 8);
        check_domain("subset-selection", k, "a=3 b=1 chosen=1", (k + 7) / 8);
        check_domain("square-wave", k, "a=3 b=1 width=10", k + 20 <= 256 ? 1 : 2);
        check_domain("projective-geometry", k, "a=3 b=1 field=19 digits=3", 2);
        check_domain("local-hashing", k, "a=3 b=1 field=17 digits=3", 3);
        check_domain("hadamard", k, "a=3 b=1 blocks=1 order=512", 2);
    }
}

TEST(histogram_vectors_are_one_hot)
{
    uint8_t out[5 * 16];
    for (uint64_t value = 0; value < 8; value++) {
        memset(out, 0xff, sizeof out);
        CHECK_INT(scrim_local_histogram_vector(value, 5, 16, out), SCRIM_LOCAL_OK);
        for (size_t i = 0; i < sizeof out; i++)
            CHECK_INT(out[i], i == 16 * (value < 5 ? value : 4));
    }
    CHECK_INT(scrim_local_histogram_vector(0, 0, 16, out), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(scrim_local_histogram_vector(0, 5, 0, out), SCRIM_LOCAL_E_PARAM);
}

TEST(sum_vectors_hold_the_bits)
{
    static const uint64_t values[] = {0, 5, 7, 8, UINT64_MAX};
    static const uint8_t want[] = {0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    uint8_t out[COUNT(want) * 8], bit[4];
    CHECK_INT(scrim_local_sum_vector(values, 5, 3, 8, out), SCRIM_LOCAL_OK);
    for (size_t i = 0; i < sizeof out; i++)
        CHECK_INT(out[i], i % 8 == 0 ? want[i / 8] : 0);
    /* A set: its multi-hot vector. */
    CHECK_INT(scrim_local_sum_vector((const uint64_t[]){1, 0, 0, 1}, 4, 1, 1, bit),
              SCRIM_LOCAL_OK);
    CHECK_BYTES(bit, ((const uint8_t[]){1, 0, 0, 1}), 4);
    CHECK_INT(scrim_local_sum_vector(values, 0, 3, 8, out), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(scrim_local_sum_vector(values, 5, 0, 8, out), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(scrim_local_sum_vector(values, 5, 63, 8, out), SCRIM_LOCAL_E_PARAM);
}
