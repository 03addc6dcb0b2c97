#include "base/memory.h"
#include "check.h"
#include "local/device/text_hashing_encoder.h"
#include "local/texts/text_cells.h"
#include "local/texts/text_support.h"
#include "local_device.h"

#include <string.h>

#define REPORTS 60
#define TEXTS 70

static const char *const configs[] = {"text-hashing a=3 b=1 text=1 cells=2",
                                      "text-hashing a=3 b=1 text=8 cells=64",
                                      "text-hashing a=54 b=1 text=11 cells=256",
                                      "text-hashing a=400 b=1 text=31 cells=2048"};

/* The cell by products in the field, as the device has it. */
static uint32_t cell_of(const scrim_local_config *config, const uint8_t *report,
                        const uint8_t *text)
{
    uint64_t words[SL_TEXT_WORDS], sum = 0;
    const uint32_t count = sl_text_words(text, config->text, 8 * config->text, words);
    for (uint32_t w = 0; w < count; w++)
        sum ^= sl_field_product(device_number(report + (size_t)8 * w, 8), words[w]);
    return (uint32_t)(sum >> 1 >> (63 - sl_cell_bits(config->cells)));
}

static void check_support(const scrim_local_config *config, uint64_t *seed)
{
    const size_t bytes = scrim_local_report_bytes(config);
    const size_t tail = config->cells > 256 ? 2 : 1;
    uint8_t texts[TEXTS][31], reports[REPORTS * 40], packed[TEXTS * 31];
    uint64_t counts[TEXTS], want[TEXTS] = {0}, dropped = 0, supported = 0;
    const scrim_local_source source = device_seeded(seed);
    CHECK_INT(source.fill(source.context, texts, sizeof texts), 0);
    for (size_t i = 0; i < REPORTS; i++) {
        uint8_t *report = reports + i * bytes;
        CHECK_INT(scrim_local_encode_text(config, texts[i % 3], &source, report),
                  SCRIM_LOCAL_OK);
        for (size_t s = 0; s < TEXTS; s++)
            want[s] += cell_of(config, report, texts[s]) ==
                       device_number(report + bytes - tail, tail);
    }
    for (size_t s = 0; s < TEXTS; s++)
        memcpy(packed + s * config->text, texts[s], config->text);
    REQUIRE_OK(
        sc_text_support(config, reports, REPORTS, packed, TEXTS, counts, &dropped, NULL));
    for (size_t s = 0; s < TEXTS; s++) {
        CHECK_INT(counts[s], want[s]);
        supported += counts[s];
    }
    CHECK(supported > REPORTS / 10);
    CHECK_INT(dropped, 0);
}

TEST(text_support_counts_equal_cells)
{
    uint64_t seed = check_seed();
    for (size_t i = 0; i < COUNT(configs); i++) {
        const scrim_local_config config = device_config(configs[i]);
        check_support(&config, &seed);
    }
}

/* A cell that is out of range counts for nothing. */
TEST(text_support_drops_what_no_device_sends)
{
    const scrim_local_config config = device_config(configs[1]);
    uint8_t report[9] = {1, 2, 3, 4, 5, 6, 7, 8, 64}, texts[8 * 40] = {0};
    uint64_t counts[40], dropped = 0;
    REQUIRE_OK(sc_text_support(&config, report, 1, texts, 40, counts, &dropped, NULL));
    CHECK_INT(dropped, 1);
    for (size_t s = 0; s < 40; s++)
        CHECK_INT(counts[s], 0);
}

TEST(text_support_is_the_same_by_vectors)
{
    CLAIM("text-support.same");
    enum { QUARTERS = 6, PADDED = 96 };
    uint64_t seed = check_seed();
    uint8_t values[QUARTERS * PADDED], low[16 * QUARTERS], high[16 * QUARTERS];
    uint32_t plain_hits[PADDED] = {0}, wide_hits[PADDED] = {0};
    const scrim_local_source source = device_seeded(&seed);
    sc_text_planes plain = {QUARTERS, PADDED, values, plain_hits};
    sc_text_planes wide = {QUARTERS, PADDED, values, wide_hits};
    for (unsigned round = 0; round < 200; round++) {
        const bool has_high = round % 2 == 1;
        CHECK_INT(source.fill(source.context, values, sizeof values), 0);
        CHECK_INT(source.fill(source.context, low, sizeof low), 0);
        memset(high, 0, sizeof high);
        for (size_t i = 0; i < sizeof values; i++)
            values[i] &= 15;
        for (size_t i = 0; i < sizeof low; i++) {
            low[i] &= has_high ? 3 : 15;
            high[i] = has_high ? low[i] ^ (i % 3 == 0) : 0;
        }
        sc_text_planes_add_plain(&plain, low, high, has_high ? 0x0102 : 5);
        if (!sc_text_planes_add_wide(&wide, low, has_high ? high : NULL,
                                     has_high ? 0x0102 : 5))
            SKIP("this machine has no vectors for it");
    }
    CHECK_BYTES(wide_hits, plain_hits, sizeof plain_hits);
    uint64_t all = 0;
    for (size_t i = 0; i < PADDED; i++)
        all += plain_hits[i];
    CHECK(all > 100);
}
