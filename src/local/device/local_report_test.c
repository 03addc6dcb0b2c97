#include "check.h"
#include "local_device.h"

#include <string.h>

/* A configuration of each protocol that takes a value, in other sizes. */
static const char *const of_values[] = {
    "randomised-response values=2 a=3 b=1",
    "randomised-response values=256 a=3 b=1",
    "randomised-response values=257 a=7747986 b=1048576",
};

/* Without the last word of what a report needs there is none. */
TEST(local_report_needs_its_source)
{
    for (size_t i = 0; i < COUNT(of_values); i++) {
        const scrim_local_config config = device_config(of_values[i]);
        device_tape tape = {NULL, 0, 0};
        const scrim_local_source source = device_tape_source(&tape);
        const size_t bytes = scrim_local_report_bytes(&config);
        static const uint32_t values[3] = {0, 1, 1};
        uint8_t reports[3 * 8192], zeros[3 * 8192] = {0};
        memset(reports, 7, sizeof reports);
        CHECK_INT(scrim_local_encode(&config, 1, &source, reports),
                  SCRIM_LOCAL_E_ENTROPY);
        CHECK_BYTES(reports, zeros, bytes);
        CHECK_INT(reports[bytes], 7);
        memset(reports, 7, sizeof reports);
        CHECK_INT(scrim_local_encode_many(&config, values, 3, &source, reports),
                  SCRIM_LOCAL_E_ENTROPY);
        CHECK_BYTES(reports, zeros, 3 * bytes);
        CHECK_INT(reports[3 * bytes], 7);
    }
}

/* The report's length is the configuration's: not a byte more is written, whatever the value. */
TEST(local_report_has_its_length)
{
    static const uint64_t values[] = {0, 1, 255, 256, 65535, UINT32_MAX, UINT64_MAX};
    CLAIM("local.length");
    for (size_t i = 0; i < COUNT(of_values); i++) {
        const scrim_local_config config = device_config(of_values[i]);
        const size_t bytes = scrim_local_report_bytes(&config);
        uint64_t seed = i;
        const scrim_local_source source = device_seeded(&seed);
        uint8_t report[8192], other[8192];
        REQUIRE(bytes > 0 && bytes < sizeof report);
        for (size_t v = 0; v < COUNT(values); v++) {
            memset(report, 0xa5, sizeof report);
            memset(other, 0x5a, sizeof other);
            seed = 100 * i + v;
            CHECK_INT(scrim_local_encode(&config, values[v], &source, report),
                      SCRIM_LOCAL_OK);
            seed = 100 * i + v;
            CHECK_INT(scrim_local_encode(&config, values[v], &source, other),
                      SCRIM_LOCAL_OK);
            CHECK_BYTES(report, other, bytes);
            CHECK(report[bytes] == 0xa5 && other[bytes] == 0x5a);
        }
    }
}

/* Many reports are those of so many calls. */
TEST(local_reports_of_many_agree)
{
    uint32_t values[300];
    for (size_t i = 0; i < COUNT(values); i++)
        values[i] = (uint32_t)(i * i);
    for (size_t i = 0; i < COUNT(of_values); i++) {
        const scrim_local_config config = device_config(of_values[i]);
        const size_t bytes = scrim_local_report_bytes(&config);
        uint64_t first = 9, second = 9;
        const scrim_local_source single = device_seeded(&first),
                                 many = device_seeded(&second);
        uint8_t *reports = calloc(COUNT(values) + 1, bytes),
                *one = reports + COUNT(values) * bytes;
        REQUIRE(reports != NULL);
        CHECK_INT(scrim_local_encode_many(&config, values, COUNT(values), &many, reports),
                  SCRIM_LOCAL_OK);
        for (size_t v = 0; v < COUNT(values); v++) {
            CHECK_INT(scrim_local_encode(&config, values[v], &single, one),
                      SCRIM_LOCAL_OK);
            CHECK_BYTES(one, reports + v * bytes, bytes);
        }
        free(reports);
    }
}

TEST(local_report_refuses_other_calls)
{
    const scrim_local_config none = {.protocol = 77},
                             of_value =
                                 device_config("randomised-response values=2 a=3 b=1");
    const uint32_t value = 0;
    uint8_t report[8];
    CHECK_INT(scrim_local_report_bytes(&none), 0);
    CHECK_INT(scrim_local_encode(&none, 1, &scrim_local_system, report),
              SCRIM_LOCAL_E_PARAM);
    CHECK_INT(scrim_local_encode_many(&none, &value, 1, &scrim_local_system, report),
              SCRIM_LOCAL_E_PARAM);
    CHECK_INT(scrim_local_encode_text(&of_value, report, &scrim_local_system, report),
              SCRIM_LOCAL_E_PARAM);
}
