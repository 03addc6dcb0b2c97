#include "check.h"
#include "local_device.h"
#include "vectors.h"

#include <stdio.h>

#define OUTPUTS_MAX 16

static scrim_local_config blocks(const json_t *row, uint64_t values)
{
    char words[128];
    snprintf(words, sizeof words, "hadamard values=%d a=%d b=%d blocks=%d order=%d",
             (int)values, (int)vectors_number(row, "A"), (int)vectors_number(row, "B"),
             (int)vectors_number(row, "J"), (int)vectors_number(row, "b"));
    return device_config(words);
}

static void check_blocks(const json_t *row)
{
    const uint64_t total = vectors_number(row, "W"), values = vectors_number(row, "k");
    const uint64_t order = vectors_number(row, "b");
    const uint64_t outputs = vectors_number(row, "J") * order;
    const scrim_local_config config = blocks(row, values);
    uint64_t rows[OUTPUTS_MAX * OUTPUTS_MAX] = {0};
    for (uint64_t x = 0; x < values; x++)
        for (uint64_t u = 0; u < total; u++) {
            const uint64_t y = device_report(&config, x, u, total);
            REQUIRE(y < outputs);
            rows[x * outputs + y]++;
        }
    for (uint64_t x = 0; x < values; x++)
        for (uint64_t y = 0; y < outputs; y++) {
            const uint64_t i = x % (order - 1) + 1;
            const bool even = __builtin_parityll(i & y % order) == 0;
            const bool near = y / order == x / (order - 1) && even;
            CHECK_INT(rows[x * outputs + y], vectors_number(row, near ? "A" : "B"));
        }
    device_check_law(rows, values, outputs, total, vectors_number(row, "A"),
                     vectors_number(row, "B"));
}

TEST(device_hadamard_has_its_law)
{
    const json_t *laws = vectors_load("local-additions", "hadamard");
    CLAIM("local.privacy");
    REQUIRE(json_array_size(laws) == 4);
    for (size_t i = 0; i < json_array_size(laws); i++)
        check_blocks(json_array_get(laws, i));
}

TEST(device_hadamard_maps_as_specified)
{
    const json_t *map = vectors_load("local-additions", "hadamard_map");
    const json_t *reports = json_object_get(map, "reports");
    const scrim_local_config config = blocks(map, 14);
    static const uint64_t values[] = {0, 6, 7};
    REQUIRE(json_object_size(reports) == COUNT(values));
    for (size_t i = 0; i < COUNT(values); i++) {
        char name[8];
        snprintf(name, sizeof name, "%d", (int)values[i]);
        const json_t *wanted = json_object_get(reports, name);
        REQUIRE(json_array_size(wanted) == 44);
        for (uint64_t u = 0; u < 44; u++)
            CHECK_INT(device_report(&config, values[i], u, 44),
                      json_integer_value(json_array_get(wanted, u)));
    }
}

static scrim_local_status status_of(const char *words)
{
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    scrim_local_config config;
    snprintf(text, sizeof text, "scrim-local/1 question=q protocol=hadamard %s\n", words);
    return scrim_local_config_parse(text, &config);
}

TEST(device_hadamard_refuses_other_orders)
{
    CHECK_INT(status_of("values=6 a=3 b=1 blocks=2 order=4"), SCRIM_LOCAL_OK);
    CHECK_INT(status_of("values=7 a=3 b=1 blocks=2 order=4"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=1 a=3 b=1 blocks=2 order=4"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=2 a=3 b=1 blocks=2 order=2"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=2 a=3 b=1 blocks=2 order=6"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=2 a=3 b=1 blocks=0 order=4"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=2 a=3 b=1 blocks=1 order=33554432"), SCRIM_LOCAL_OK);
    CHECK_INT(status_of("values=2 a=3 b=1 blocks=2 order=33554432"), SCRIM_LOCAL_E_LIMIT);
    CHECK_INT(status_of("values=2 a=3 b=1 blocks=4294967295 order=2147483648"),
              SCRIM_LOCAL_E_LIMIT);
}
