/* Every allocation of the decoders of texts fails once. */
#include "check.h"
#include "faults.h"
#include "local_device.h"
#include "scrim/local_candidates.h"
#include "scrim/local_unknown.h"

#include <string.h>

#define DEVICES 600
#define REPORT_BYTES 16

/* Reports of one byte of text: half of the devices hold the first letter. */
static size_t make_reports(const scrim_local_config *config,
                           uint8_t reports[DEVICES * REPORT_BYTES])
{
    const size_t bytes = scrim_local_report_bytes(config);
    uint64_t seed = 2;
    const scrim_local_source source = device_seeded(&seed);
    if (!CHECK(bytes <= REPORT_BYTES))
        return 0;
    for (size_t i = 0; i < DEVICES; i++) {
        const uint8_t text[1] = {(uint8_t)(i % 2 == 0 ? 'a' : 'b' + i % 5)};
        CHECK_INT(scrim_local_encode_text(config, text, &source, reports + i * bytes),
                  SCRIM_LOCAL_OK);
    }
    return bytes;
}

static const uint8_t letters[] = {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'};

TEST(local_unknown_survives_without_memory)
{
    static uint8_t reports[DEVICES * REPORT_BYTES];
    static const char *const words[] = {
        "prefix a=57250309 b=1048576 text=1 cells=4 prefixes=4,8",
        "text-hashing a=57250309 b=1048576 text=1 cells=4"};
    for (size_t i = 0; i < COUNT(words); i++) {
        const scrim_local_config config = device_config(words[i]);
        (void)make_reports(&config, reports);
        for (int is_rate = 0; is_rate < 2; is_rate++) {
            const scrim_local_unknown_options *options =
                SCRIM_OPTIONS(scrim_local_unknown_options, .is_rate = is_rate);
            FAULT_LOOP(fault)
            {
                scrim_local_unknown *found = NULL;
                size_t count = 0;
                const scrim_status status =
                    i == 0 ? scrim_local_unknown_search(&config, reports, DEVICES,
                                                        options, &found, NULL)
                           : scrim_local_unknown_count(&config, reports, DEVICES, letters,
                                                       sizeof letters, options, &found,
                                                       NULL);
                CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
                CHECK((found != NULL) == (status == SCRIM_OK));
                if (found != NULL) {
                    CHECK(scrim_local_unknown_texts(found, &count)[0].text[0] == 'a');
                    CHECK(count > 0);
                }
                scrim_local_unknown_free(found);
            }
        }
    }
}

TEST(local_candidates_survive_without_memory)
{
    enum { BITS = 16, COHORTS = 4 };
    static uint8_t reports[DEVICES * REPORT_BYTES];
    uint64_t sent[COHORTS] = {0}, ones[COHORTS * BITS] = {0};
    const scrim_local_config config =
        device_config("rappor values=0 text=1 bits=16 hashes=2 cohorts=4 f=429496729 "
                      "p=429496729 q=3865470566 epoch=1");
    const size_t bytes = make_reports(&config, reports);
    for (size_t i = 0; i < DEVICES; i++) {
        const uint8_t *report = reports + i * bytes;
        sent[report[0]]++;
        for (size_t bit = 0; bit < BITS; bit++)
            ones[(size_t)report[0] * BITS + bit] += report[1 + bit / 8] >> bit % 8 & 1;
    }
    FAULT_LOOP(fault)
    {
        const scrim_local_counts counts = {sent, ones};
        scrim_local_candidate rows[sizeof letters];
        scrim_local_explained explained;
        const scrim_status status = scrim_local_candidates_decode(
            &config, &counts, letters, sizeof letters, rows, &explained, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        CHECK(status != SCRIM_OK || rows[0].is_kept);
    }
}
