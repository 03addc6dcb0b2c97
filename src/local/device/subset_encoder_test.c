#include "check.h"
#include "local_device.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

#define VALUES_MAX 7

/* Numbers of one report: below the total, then below k-1, k-2, ..., 1. */
typedef struct subset_draw {
    uint64_t number[VALUES_MAX], limit[VALUES_MAX];
    size_t count;
} subset_draw;

static uint64_t subset_report(const scrim_local_config *config, uint64_t x,
                              const subset_draw *draw)
{
    uint64_t words[VALUES_MAX];
    uint8_t report = 0;
    for (size_t i = 0; i < draw->count; i++)
        words[i] = device_word(draw->number[i], draw->limit[i]);
    device_tape tape = {words, draw->count, 0};
    const scrim_local_source source = device_tape_source(&tape);
    CHECK_INT(scrim_local_encode(config, x, &source, &report), SCRIM_LOCAL_OK);
    CHECK_INT(tape.taken, draw->count);
    return report;
}

static bool next_draw(subset_draw *draw)
{
    for (size_t i = 0; i < draw->count; i++) {
        if (++draw->number[i] < draw->limit[i])
            return true;
        draw->number[i] = 0;
    }
    return false;
}

/* The probability of a set with and without the value, as the vector says for value 0. */
static void check_sets(const uint64_t *rows, uint64_t k, uint64_t draws,
                       const json_t *row)
{
    for (uint64_t x = 0; x < k; x++)
        for (uint64_t set = 0; set < (uint64_t)1 << k; set++) {
            unsigned long long over = 0, under = 1;
            const char *name = set >> x & 1 ? "row_x0_on" : "row_x0_off";
            REQUIRE(sscanf(vectors_text(row, name), "%llu/%llu", &over, &under) == 2);
            if ((uint64_t)__builtin_popcountll(set) != vectors_number(row, "d"))
                over = 0;
            CHECK_INT((sc_int128)rows[x << k | set] * under, (sc_int128)draws * over);
        }
}

static void check_subsets(const json_t *row)
{
    const uint64_t k = vectors_number(row, "k"), d = vectors_number(row, "d");
    const uint64_t a = vectors_number(row, "A"), b = vectors_number(row, "B");
    static uint64_t rows[VALUES_MAX << VALUES_MAX];
    static uint8_t supports[VALUES_MAX << VALUES_MAX];
    subset_draw draw = {.count = k, .limit = {d * a + (k - d) * b}};
    uint64_t draws = 0;
    char words[128];
    snprintf(words, sizeof words, "subset-selection values=%d a=%d b=%d chosen=%d",
             (int)k, (int)a, (int)b, (int)d);
    const scrim_local_config config = device_config(words);
    memset(rows, 0, sizeof rows);
    for (size_t i = 1; i < k; i++)
        draw.limit[i] = k - i;
    do {
        for (uint64_t x = 0; x < k; x++)
            rows[x << k | subset_report(&config, x, &draw)]++;
        draws++;
    } while (next_draw(&draw));
    for (uint64_t i = 0; i < k << k; i++)
        supports[i] = (i & (((uint64_t)1 << k) - 1)) >> (i >> k) & 1;
    check_sets(rows, k, draws, row);
    device_check_law(rows, k, (size_t)1 << k, draws, a, b);
    device_check_pure(rows, supports, k, (size_t)1 << k, draws, vectors_text(row, "P"),
                      vectors_text(row, "Q"));
}

SLOW_TEST(device_subset_has_its_law)
{
    const json_t *rows = vectors_load("local-additions", "subset_selection");
    CLAIM("local.privacy");
    REQUIRE(json_array_size(rows) == 3);
    for (size_t i = 0; i < json_array_size(rows); i++)
        check_subsets(json_array_get(rows, i));
}

/* Large sets have their size, whatever is drawn. */
TEST(device_subset_has_its_size)
{
    const scrim_local_config config =
        device_config("subset-selection values=1001 a=7747986 b=1048576 chosen=122");
    uint64_t seed = 8;
    const scrim_local_source source = device_seeded(&seed);
    uint8_t report[126];
    REQUIRE(scrim_local_report_bytes(&config) == sizeof report);
    for (uint64_t i = 0; i < 50; i++) {
        int ones = 0;
        CHECK_INT(scrim_local_encode(&config, 20 * i, &source, report), SCRIM_LOCAL_OK);
        for (size_t byte = 0; byte < sizeof report; byte++)
            ones += __builtin_popcount(report[byte]);
        CHECK_INT(ones, 122);
        CHECK_INT(report[125] >> 1, 0);
    }
}

static scrim_local_status status_of(const char *words)
{
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    scrim_local_config config;
    snprintf(text, sizeof text, "scrim-local/1 question=q protocol=subset-selection %s\n",
             words);
    return scrim_local_config_parse(text, &config);
}

TEST(device_subset_refuses_other_sizes)
{
    CHECK_INT(status_of("values=65536 a=4294967295 b=1 chosen=65535"), SCRIM_LOCAL_OK);
    CHECK_INT(status_of("values=65537 a=3 b=1 chosen=2"), SCRIM_LOCAL_E_LIMIT);
    CHECK_INT(status_of("values=5 a=3 b=1 chosen=5"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=5 a=3 b=1 chosen=0"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=1 a=3 b=1 chosen=1"), SCRIM_LOCAL_E_PARAM);
}
