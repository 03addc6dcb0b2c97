/* Whatever text parses as a configuration is canonical, has a report of a length that fits its limits, and
 * makes reports of any value; what does not parse leaves nothing behind. */
#include "corpus.h"
#include "local_device.h"

#include <string.h>

#define LARGEST_REPORT (((size_t)1 << 16) * 2 + 8192)

static void check_round_trip(const char *text, const scrim_local_config *config)
{
    char again[SCRIM_LOCAL_CONFIG_BYTES];
    scrim_local_config copy = *config;
    memset(copy.hash, 0, sizeof copy.hash);
    CHECK_INT(scrim_local_config_format(&copy, again), SCRIM_LOCAL_OK);
    if (config->cells != 0 && strncmp(text, "scrim-local/1 ", 14) == 0)
        return; /* written as format 2 */
    /* The newline is added where it is missing. */
    const size_t length = strlen(text);
    CHECK_INT(strncmp(again, text, length), 0);
    CHECK_STR(again + length, length > 0 && text[length - 1] == '\n' ? "" : "\n");
    CHECK_BYTES(copy.hash, config->hash, sizeof copy.hash);
}

/* Reports of values inside and outside, where they are quickly made. */
static void check_reports(const scrim_local_config *config)
{
    static uint8_t report[LARGEST_REPORT + 1], text[1 << 16];
    static const uint64_t values[] = {0, 1, UINT32_MAX, UINT64_MAX};
    uint64_t seed = 1;
    const scrim_local_source source = device_seeded(&seed);
    const size_t bytes = scrim_local_report_bytes(config);
    if (!CHECK(bytes > 0 && bytes <= LARGEST_REPORT) || config->values > 1 << 12)
        return;
    for (size_t i = 0; i < COUNT(values); i++) {
        scrim_local_status status = SCRIM_LOCAL_E_PARAM;
        report[bytes] = 0x5a;
        if (config->text == 0)
            status = scrim_local_encode(config, values[i], &source, report);
        else if (config->text <= sizeof text)
            status = scrim_local_encode_text(config, text, &source, report);
        CHECK_INT(status, config->metric != 0 || config->text > sizeof text
                              ? SCRIM_LOCAL_E_PARAM
                              : SCRIM_LOCAL_OK);
        CHECK_INT(report[bytes], 0x5a);
    }
}

FUZZ(local_config)
{
    char text[2 * SCRIM_LOCAL_CONFIG_BYTES];
    scrim_local_config config;
    const size_t length = count < sizeof text - 1 ? count : sizeof text - 1;
    memcpy(text, bytes, length);
    text[length] = '\0';
    if (scrim_local_config_parse(text, &config) != SCRIM_LOCAL_OK) {
        CHECK_INT(config.protocol, 0);
        return;
    }
    check_round_trip(text, &config);
    check_reports(&config);
    const uint64_t loss = scrim_local_loss(&config);
    CHECK(loss > 0 && (config.metric == 0 || loss == UINT64_MAX));
    CHECK(!scrim_local_config_is_within(&config, 20, 1) || loss < (uint64_t)3 << 32);
}
