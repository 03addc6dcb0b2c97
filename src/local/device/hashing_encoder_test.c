#include "check.h"
#include "local/device/set_encoders.h"
#include "local_device.h"
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>

/* The report of x that is made of function s and u. */
static uint64_t hashed(const scrim_local_config *config, uint64_t x, uint64_t s,
                       uint64_t functions, uint64_t u, uint64_t total)
{
    const uint64_t words[2] = {device_word(s, functions), device_word(u, total)};
    device_tape tape = {words, 2, 0};
    const scrim_local_source source = device_tape_source(&tape);
    uint8_t report[8];
    CHECK_INT(scrim_local_report_bytes(config), 2);
    CHECK_INT(scrim_local_encode(config, x, &source, report), SCRIM_LOCAL_OK);
    CHECK_INT(tape.taken, 2);
    CHECK_INT(report[0], s);
    return s * config->field + report[1];
}

/* Which outputs (s, y) support a value: the function takes it to the cell. */
static void list_cells(uint64_t g, uint64_t functions, uint64_t values, uint8_t *supports)
{
    for (uint64_t v = 0; v < values; v++)
        for (uint64_t s = 0; s < functions; s++) {
            const uint64_t cell = (v % g * (s % g) + v / g * (s / g)) % g;
            for (uint64_t y = 0; y < g; y++)
                supports[(v * functions + s) * g + y] = y == cell;
        }
}

static void check_family(const json_t *row)
{
    const uint64_t g = vectors_number(row, "g"), values = vectors_number(row, "k");
    const uint64_t a = vectors_number(row, "A"), b = vectors_number(row, "B");
    const uint64_t functions = g * g, total = a + (g - 1) * b, outputs = functions * g;
    char words[128];
    snprintf(words, sizeof words, "local-hashing values=%d a=%d b=%d field=%d digits=%d",
             (int)values, (int)a, (int)b, (int)g, (int)vectors_number(row, "m"));
    const scrim_local_config config = device_config(words);
    uint64_t *rows = calloc(values * outputs, sizeof *rows);
    uint8_t *supports = calloc(values * outputs, 1);
    if (!CHECK(rows != NULL && supports != NULL)) {
        free(supports);
        free(rows);
        return;
    }
    for (uint64_t x = 0; x < values; x++)
        for (uint64_t s = 0; s < functions; s++)
            for (uint64_t u = 0; u < total; u++)
                rows[x * outputs + hashed(&config, x, s, functions, u, total)]++;
    list_cells(g, functions, values, supports);
    device_check_law(rows, values, outputs, functions * total, a, b);
    device_check_pure(rows, supports, values, outputs, functions * total,
                      vectors_text(row, "P"), vectors_text(row, "Q"));
    free(supports);
    free(rows);
}

TEST(device_hashing_has_its_law)
{
    const json_t *rows = vectors_load("local-additions", "olh");
    CLAIM("local.privacy");
    REQUIRE(json_array_size(rows) == 3);
    for (size_t i = 0; i < json_array_size(rows); i++)
        check_family(json_array_get(rows, i));
}

/* Digits of large numbers, in plain arithmetic. */
TEST(device_hashing_cells_are_products)
{
    const uint32_t g = 7, digits = 8;
    const sl_small field = sl_small_of(g);
    uint64_t seed = 4, words[2];
    const scrim_local_source source = device_seeded(&seed);
    for (int i = 0; i < 200; i++) {
        CHECK_INT(source.fill(source.context, words, sizeof words), 0);
        const uint32_t s = (uint32_t)(words[0] % 5764801),
                       x = (uint32_t)(words[1] % 5764801);
        uint32_t sum = 0;
        for (uint32_t left = s, right = x; left > 0; left /= g, right /= g)
            sum += left % g * (right % g);
        CHECK_INT(sl_hashing_cell(field, digits, s, x), sum % g);
    }
}

static scrim_local_status status_of(const char *words)
{
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    scrim_local_config config;
    snprintf(text, sizeof text, "scrim-local/1 question=q protocol=local-hashing %s\n",
             words);
    return scrim_local_config_parse(text, &config);
}

TEST(device_hashing_refuses_other_families)
{
    CHECK_INT(status_of("values=9 a=3 b=1 field=3 digits=2"), SCRIM_LOCAL_OK);
    CHECK_INT(status_of("values=10 a=3 b=1 field=3 digits=2"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=1 a=3 b=1 field=3 digits=2"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=9 a=3 b=1 field=9 digits=2"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=9 a=3 b=1 field=3 digits=0"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=9 a=3 b=1 field=3 digits=15"), SCRIM_LOCAL_OK);
    CHECK_INT(status_of("values=9 a=3 b=1 field=3 digits=16"), SCRIM_LOCAL_E_LIMIT);
    CHECK_INT(status_of("values=9 a=3 b=1 field=65521 digits=4000000000"),
              SCRIM_LOCAL_E_LIMIT);
}
