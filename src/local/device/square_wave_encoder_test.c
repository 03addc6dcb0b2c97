#include "check.h"
#include "local_device.h"
#include "vectors.h"

#include <stdio.h>

static void check_wave(const json_t *row)
{
    const uint64_t m = vectors_number(row, "m"), w = vectors_number(row, "w");
    const uint64_t a = vectors_number(row, "A"), b = vectors_number(row, "B");
    const uint64_t total = vectors_number(row, "W"),
                   outputs = vectors_number(row, "outputs");
    uint64_t rows[8 * 12] = {0};
    char words[128];
    snprintf(words, sizeof words, "square-wave values=%d a=%d b=%d width=%d", (int)m,
             (int)a, (int)b, (int)w);
    const scrim_local_config config = device_config(words);
    for (uint64_t x = 0; x < m; x++)
        for (uint64_t u = 0; u < total; u++) {
            const uint64_t z = device_report(&config, x, u, total);
            REQUIRE(z < outputs);
            rows[x * outputs + z]++;
        }
    for (uint64_t x = 0; x < m; x++)
        for (uint64_t z = 0; z < outputs; z++)
            CHECK_INT(rows[x * outputs + z], z >= x && z <= x + 2 * w ? a : b);
    device_check_law(rows, m, outputs, total, a, b);
}

TEST(device_square_wave_has_its_law)
{
    const json_t *rows = vectors_load("local-additions", "square_wave");
    CLAIM("local.privacy");
    REQUIRE(json_array_size(rows) == 3);
    for (size_t i = 0; i < json_array_size(rows); i++)
        check_wave(json_array_get(rows, i));
}

/* The map: from u below (2w+1) a the near outputs in order, then the others in order. */
TEST(device_square_wave_maps_in_order)
{
    const scrim_local_config config =
        device_config("square-wave values=3 a=3 b=2 width=1");
    static const uint64_t wanted[] = {1, 1, 1, 2, 2, 2, 3, 3, 3, 0, 0, 4, 4};
    for (uint64_t u = 0; u < COUNT(wanted); u++)
        CHECK_INT(device_report(&config, 1, u, COUNT(wanted)), wanted[u]);
}

static scrim_local_status status_of(const char *words)
{
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    scrim_local_config config;
    snprintf(text, sizeof text, "scrim-local/1 question=q protocol=square-wave %s\n",
             words);
    return scrim_local_config_parse(text, &config);
}

TEST(device_square_wave_refuses_other_sizes)
{
    CHECK_INT(status_of("values=2 a=3 b=1 width=0"), SCRIM_LOCAL_OK);
    CHECK_INT(status_of("values=1 a=3 b=1 width=0"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=16777215 a=4294967295 b=4294967294 width=16777216"),
              SCRIM_LOCAL_OK);
    CHECK_INT(status_of("values=16777216 a=3 b=1 width=0"), SCRIM_LOCAL_E_LIMIT);
    CHECK_INT(status_of("values=2 a=3 b=1 width=33554431"), SCRIM_LOCAL_E_LIMIT);
    CHECK_INT(status_of("values=2 a=3 b=1 width=4294967295"), SCRIM_LOCAL_E_LIMIT);
}
