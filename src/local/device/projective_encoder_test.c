#include "check.h"
#include "local_device.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

#define POINTS_MAX 64

static uint64_t of(const json_t *row, const char *name)
{
    return vectors_number(row, name);
}

static scrim_local_config geometry(const json_t *row, uint64_t values)
{
    char words[128];
    snprintf(words, sizeof words,
             "projective-geometry values=%d a=%d b=%d field=%d digits=%d", (int)values,
             (int)of(row, "A"), (int)of(row, "B"), (int)of(row, "q"), (int)of(row, "t"));
    return device_config(words);
}

/* Points in their order, found by looking at all vectors; how many. */
static size_t list_points(uint64_t q, uint64_t t, unsigned points[POINTS_MAX][4])
{
    size_t count = 0, vectors = 1;
    for (uint64_t i = 0; i < t; i++)
        vectors *= q;
    for (size_t v = 1; v < vectors; v++) {
        unsigned digits[4] = {0}, leading = 0;
        size_t rest = v;
        for (uint64_t i = t; i > 0; i--, rest /= q)
            digits[i - 1] = (unsigned)(rest % q);
        for (uint64_t i = t; i > 0; i--)
            leading = digits[i - 1] != 0 ? digits[i - 1] : leading;
        if (leading == 1)
            memcpy(points[count++], digits, sizeof digits);
    }
    return count;
}

/* supports[v * count + y]: the product of the two points is 0. */
static void list_supports(uint64_t q, size_t count, unsigned points[POINTS_MAX][4],
                          uint8_t *supports)
{
    for (size_t v = 0; v < count; v++)
        for (size_t y = 0; y < count; y++) {
            unsigned sum = 0;
            for (size_t i = 0; i < 4; i++)
                sum += points[v][i] * points[y][i];
            supports[v * count + y] = sum % q == 0;
        }
}

static void check_geometry(const json_t *row)
{
    static unsigned points[POINTS_MAX][4];
    static uint8_t supports[POINTS_MAX * POINTS_MAX];
    static uint64_t rows[POINTS_MAX * POINTS_MAX];
    const uint64_t total = of(row, "W");
    const size_t count = list_points(of(row, "q"), of(row, "t"), points);
    const scrim_local_config config = geometry(row, count);
    uint64_t checksum = 0;
    REQUIRE(count == of(row, "K"));
    memset(rows, 0, sizeof rows);
    for (uint64_t x = 0; x < count; x++)
        for (uint64_t u = 0; u < total; u++) {
            const uint64_t y = device_report(&config, x, u, total);
            REQUIRE(y < count);
            rows[x * count + y]++;
            checksum = (checksum + y * (31 * x + u + 1)) % 1000003;
        }
    CHECK_INT(checksum, of(row, "checksum"));
    list_supports(of(row, "q"), count, points, supports);
    for (size_t i = 0; i < count * count; i++)
        CHECK_INT(rows[i], of(row, supports[i] ? "A" : "B"));
    device_check_law(rows, count, count, total, of(row, "A"), of(row, "B"));
    device_check_pure(rows, supports, count, count, total, vectors_text(row, "P"),
                      vectors_text(row, "Q"));
}

TEST(device_projective_has_its_law)
{
    const json_t *laws = vectors_load("local-additions", "pgr_laws");
    CLAIM("local.privacy");
    REQUIRE(json_array_size(laws) == 6);
    for (size_t i = 0; i < json_array_size(laws); i++)
        check_geometry(json_array_get(laws, i));
}

TEST(device_projective_maps_as_specified)
{
    const json_t *map = vectors_load("local-additions", "pgr_map");
    const json_t *reports = json_object_get(map, "reports");
    const scrim_local_config config = geometry(map, 13);
    static const uint64_t values[] = {0, 1, 5, 12};
    REQUIRE(json_object_size(reports) == COUNT(values));
    for (size_t i = 0; i < COUNT(values); i++) {
        char name[8];
        snprintf(name, sizeof name, "%d", (int)values[i]);
        const json_t *wanted = json_object_get(reports, name);
        REQUIRE(json_array_size(wanted) == 38);
        for (uint64_t u = 0; u < 38; u++)
            CHECK_INT(device_report(&config, values[i], u, 38),
                      json_integer_value(json_array_get(wanted, u)));
    }
}

/* The digits of a point, the last one first, in plain arithmetic. */
static void plain_digits(uint64_t q, unsigned t, uint64_t index, uint64_t digits[26])
{
    uint64_t power = 1;
    while (index >= power) {
        index -= power;
        power *= q;
    }
    for (unsigned i = 0; i < t; i++) {
        digits[i] = power == 1 ? 1 : power < 1 ? 0 : index % q;
        index /= q;
        power /= q;
    }
}

/* In large geometries: draws inside lie on the hyperplane, all others do not, and the farthest ends of
 * both parts are reached. */
static void check_large(const char *words, uint64_t values)
{
    const scrim_local_config config = device_config(words);
    const uint64_t q = config.field;
    uint64_t near = 0, off = 1, seed = 5;
    for (unsigned i = 1; i < config.digits; i++) {
        near = near * q + 1;
        off *= q;
    }
    const uint64_t total = near * config.a + off * config.b;
    const scrim_local_source source = device_seeded(&seed);
    for (uint64_t i = 0; i < 300; i++) {
        uint64_t draw[2], product = 0, left[26], right[26];
        CHECK_INT(source.fill(source.context, draw, sizeof draw), 0);
        const uint64_t ends[] = {0, near * config.a - 1, near * config.a, total - 1};
        const uint64_t u = i < 4 ? ends[i] : draw[0] % total;
        const uint64_t x = i % 50 == 0 ? values - 1 : draw[1] % values;
        const uint64_t y = device_report(&config, x, u, total);
        CHECK(y < near + off);
        plain_digits(q, config.digits, x, left);
        plain_digits(q, config.digits, y, right);
        for (unsigned e = 0; e < config.digits; e++)
            product += left[e] * right[e];
        CHECK((product % q == 0) == (u < near * config.a));
    }
}

TEST(device_projective_is_right_in_large_geometries)
{
    check_large("projective-geometry values=1024 a=7747986 b=1048576 field=7 digits=5",
                1024);
    check_large("projective-geometry values=2801 a=7747986 b=1048576 field=7 digits=5",
                2801);
    check_large("projective-geometry values=33554431 a=4294967295 b=1 field=2 digits=25",
                33554431);
    check_large(
        "projective-geometry values=62718481 a=4294967295 b=4294967294 field=7919 "
        "digits=3",
        62718481);
}

static scrim_local_status status_of(const char *words)
{
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    scrim_local_config config;
    snprintf(text, sizeof text,
             "scrim-local/1 question=q protocol=projective-geometry %s\n", words);
    return scrim_local_config_parse(text, &config);
}

TEST(device_projective_refuses_other_geometries)
{
    CHECK_INT(status_of("values=7 a=3 b=1 field=2 digits=3"), SCRIM_LOCAL_OK);
    CHECK_INT(status_of("values=8 a=3 b=1 field=2 digits=3"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=1 a=3 b=1 field=2 digits=3"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=3 a=3 b=1 field=2 digits=2"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=7 a=3 b=1 field=4 digits=3"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=7 a=3 b=1 field=0 digits=3"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=7 a=3 b=1 field=1 digits=3"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=7 a=3 b=1 field=65537 digits=3"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=7 a=3 b=1 field=2 digits=26"), SCRIM_LOCAL_OK);
    CHECK_INT(status_of("values=7 a=3 b=1 field=2 digits=27"), SCRIM_LOCAL_E_LIMIT);
    CHECK_INT(status_of("values=7 a=3 b=1 field=8191 digits=3"), SCRIM_LOCAL_OK);
    CHECK_INT(status_of("values=7 a=3 b=1 field=8209 digits=3"), SCRIM_LOCAL_E_LIMIT);
    CHECK_INT(status_of("values=7 a=3 b=1 field=3 digits=4294967295"),
              SCRIM_LOCAL_E_LIMIT);
}
