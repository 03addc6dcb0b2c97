#include "check.h"
#include "local_device.h"

/* All values and all u: the law and its largest ratio, exactly. */
static void check_response(const char *words, uint64_t k, uint64_t a, uint64_t b)
{
    const scrim_local_config config = device_config(words);
    const uint64_t total = a + (k - 1) * b;
    uint64_t rows[8 * 8] = {0};
    for (uint64_t x = 0; x < k; x++)
        for (uint64_t u = 0; u < total; u++) {
            const uint64_t y = device_report(&config, x, u, total);
            REQUIRE(y < k);
            rows[x * k + y]++;
        }
    for (uint64_t x = 0; x < k; x++)
        for (uint64_t y = 0; y < k; y++)
            CHECK_INT(rows[x * k + y], x == y ? a : b);
    device_check_law(rows, k, k, total, a, b);
}

TEST(device_response_has_its_law)
{
    CLAIM("local.privacy");
    check_response("randomised-response values=2 a=3 b=1", 2, 3, 1);
    check_response("randomised-response values=3 a=7 b=3", 3, 7, 3);
    check_response("randomised-response values=8 a=11 b=5", 8, 11, 5);
}

/* The map is that of the specification: u below a is the value, then the others in their order. */
TEST(device_response_maps_draws_in_order)
{
    const scrim_local_config config =
        device_config("randomised-response values=4 a=3 b=2");
    static const uint64_t wanted[] = {2, 2, 2, 0, 0, 1, 1, 3, 3};
    for (uint64_t u = 0; u < COUNT(wanted); u++)
        CHECK_INT(device_report(&config, 2, u, COUNT(wanted)), wanted[u]);
}

/* Values outside count as the last one, also those that are negative as signed numbers. */
TEST(device_response_takes_any_value)
{
    const scrim_local_config config =
        device_config("randomised-response values=5 a=3 b=2");
    static const uint64_t outside[] = {
        5,         6, UINT32_MAX, (uint64_t)1 << 32, INT64_MAX, (uint64_t)INT64_MAX + 1,
        UINT64_MAX};
    for (size_t i = 0; i < COUNT(outside); i++)
        for (uint64_t u = 0; u < 11; u++)
            CHECK_INT(device_report(&config, outside[i], u, 11),
                      device_report(&config, 4, u, 11));
}

/* At the limits of all numbers: the first and the last of each part. */
TEST(device_response_reaches_its_limits)
{
    const scrim_local_config config =
        device_config("randomised-response values=1073741824 a=4294967295 b=4294967294");
    const uint64_t a = 4294967295, b = a - 1, k = 1 << 30, total = a + (k - 1) * b;
    CHECK_INT(scrim_local_report_bytes(&config), 4);
    CHECK_INT(device_report(&config, 7, 0, total), 7);
    CHECK_INT(device_report(&config, 7, a - 1, total), 7);
    CHECK_INT(device_report(&config, 7, a, total), 0);
    CHECK_INT(device_report(&config, 7, a + 7 * b - 1, total), 6);
    CHECK_INT(device_report(&config, 7, a + 7 * b, total), 8);
    CHECK_INT(device_report(&config, 7, total - b - 1, total), k - 2);
    CHECK_INT(device_report(&config, 7, total - b, total), k - 1);
    CHECK_INT(device_report(&config, 7, total - 1, total), k - 1);
    CHECK_INT(device_report(&config, k - 1, total - 1, total), k - 2);
}
