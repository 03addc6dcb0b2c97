#include "base/memory.h"
#include "check.h"
#include "local/device/text_hashing_encoder.h"
#include "local/texts/prefix_search.h"
#include "local_device.h"
#include "text_scene.h"

#include <string.h>

#define DEVICES 600

/* Counts by products in the field. */
static uint64_t count_of(const scrim_local_config *config, const uint8_t *reports,
                         size_t group, const uint8_t *text)
{
    const size_t bytes = scrim_local_report_bytes(config);
    const size_t tail = config->cells > 256 ? 2 : 1;
    uint64_t count = 0, words[SL_TEXT_WORDS];
    const uint32_t n = sl_text_words(text, config->text, config->prefix[group], words);
    for (size_t i = 0; i < DEVICES; i++) {
        const uint8_t *report = reports + i * bytes;
        uint64_t sum = 0;
        for (uint32_t w = 0; w < n; w++)
            sum ^=
                sl_field_product(device_number(report + 1 + (size_t)8 * w, 8), words[w]);
        count += report[0] == group && sum >> 1 >> (63 - sl_cell_bits(config->cells)) ==
                                           device_number(report + bytes - tail, tail);
    }
    return count;
}

static void encode(const scrim_local_config *config, uint8_t (*texts)[32], size_t count,
                   uint8_t *reports, uint64_t *seed)
{
    const size_t bytes = scrim_local_report_bytes(config);
    const scrim_local_source source = device_seeded(seed);
    for (size_t i = 0; i < DEVICES; i++)
        CHECK_INT(scrim_local_encode_text(config, texts[i * i % count], &source,
                                          reports + i * bytes),
                  SCRIM_LOCAL_OK);
}

/* Every prefix of the first length, and the best of a later one with all their ends, by the definition. */
static void check_two_steps(const char *words, uint64_t *seed)
{
    const scrim_local_config config = device_config(words);
    uint8_t texts[5][32], reports[DEVICES * 40];
    const scrim_local_source source = device_seeded(seed);
    sc_prefix_search found;
    CHECK_INT(source.fill(source.context, texts, sizeof texts), 0);
    encode(&config, texts, 5, reports, seed);
    REQUIRE_OK(sc_prefix_search_run(&config, reports, DEVICES, 3, &found, NULL));
    const uint32_t first = config.prefix[0], last = config.prefix[1];
    CHECK_INT(found.count, (size_t)3 << (last - first));
    CHECK_INT(found.reports[0] + found.reports[1], DEVICES);
    uint64_t least = UINT64_MAX, better = 0;
    for (size_t i = 0; i < found.count; i++) {
        const uint8_t *text = found.candidates[i].text;
        const uint64_t before = count_of(&config, reports, 0, text);
        CHECK_INT(found.candidates[i].count, count_of(&config, reports, 1, text));
        least = before < least ? before : least;
        CHECK(i == 0 || memcmp(found.candidates[i - 1].text, text, 32) < 0);
    }
    /* fewer than three prefixes have more support than the worst that was kept */
    for (uint32_t v = 0; v < (uint32_t)1 << first; v++) {
        uint8_t text[32] = {0};
        for (uint32_t b = 0; b < first; b++)
            text[b / 8] |= (uint8_t)((v >> (first - 1 - b) & 1) << (7 - b % 8));
        better += count_of(&config, reports, 0, text) > least;
    }
    CHECK(better < 3);
    sc_free(found.candidates);
}

TEST(prefix_search_counts_equal_cells)
{
    CLAIM("prefix-search.counts");
    uint64_t seed = check_seed();
    check_two_steps("prefix a=20 b=1 text=1 cells=8 prefixes=5,8", &seed);
    check_two_steps("prefix a=54 b=1 text=2 cells=64 prefixes=9,16", &seed);
    check_two_steps("prefix a=400 b=1 text=1 cells=512 prefixes=6,8", &seed);
}

/* Long texts in many steps: the one text that all devices hold has the most support at the end. */
TEST(prefix_search_finds_a_long_text)
{
    const scrim_local_config config = device_config(
        "prefix a=400 b=1 text=12 cells=256 prefixes=6,12,20,33,41,52,60,70,83,96");
    uint8_t text[1][32] = {"hello, world"}, reports[DEVICES * 40];
    uint64_t seed = check_seed();
    sc_prefix_search found;
    encode(&config, text, 1, reports, &seed);
    reports[0] = 10; /* groups are 0 to 9 */
    REQUIRE_OK(sc_prefix_search_run(&config, reports, DEVICES, 4, &found, NULL));
    size_t best = 0;
    for (size_t i = 0; i < found.count; i++)
        best = found.candidates[i].count > found.candidates[best].count ? i : best;
    CHECK_STR((const char *)found.candidates[best].text, "hello, world");
    CHECK_INT(found.dropped, 1);
    sc_free(found.candidates);
}

TEST(prefix_search_has_limits)
{
    uint8_t report[40] = {0};
    sc_prefix_search found;
    const scrim_local_config long_first =
        device_config("prefix a=20 b=1 text=4 cells=8 prefixes=21,32");
    CHECK_STATUS(sc_prefix_search_run(&long_first, report, 1, 4, &found, NULL),
                 SCRIM_E_LIMIT);
    const scrim_local_config many =
        device_config("prefix a=20 b=1 text=4 cells=8 prefixes=12,32");
    CHECK_STATUS(sc_prefix_search_run(&many, report, 1, 17, &found, NULL), SCRIM_E_LIMIT);
    REQUIRE_OK(sc_prefix_search_run(&many, report, 0, 1, &found, NULL));
    CHECK_INT(found.count, 1 << 20);
    sc_free(found.candidates);
}
