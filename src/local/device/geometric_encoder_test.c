#include "check.h"
#include "local/device/coins.h"
#include "local/device/geometric_encoder.h"
#include "local_law.h"
#include "vectors.h"

#include <math.h>
#include <stdlib.h>

/* P(clamp(x + z) = y) on 0..top, P(z) proportional to r^|z|. */
static double clamped(double r, int x, int y, int top)
{
    const double norm = (1 - r) / (1 + r);
    if (y > 0 && y < top)
        return norm * pow(r, abs(y - x));
    return norm * pow(r, abs(y - x)) / (1 - r);
}

/* All tapes at a = 2, b = 1: the sign below 3, and as many coins of 1/2 as matter. */
TEST(geometric_encoder_has_its_law)
{
    CLAIM("condensed_geometric.privacy");
    const scrim_local_config config =
        device_config("condensed-geometric values=5 a=2 b=1");
    const local_tapes tapes = {.slots = {{3, 0}, {0, 6}}, .count = 2};
    uint64_t rows[5 * 5];
    for (uint64_t x = 0; x < 5; x++) {
        local_law_count(&config, x, NULL, &tapes, rows + 5 * x, 5);
        for (uint64_t y = 0; y < 5; y++)
            CHECK_NEAR((double)rows[5 * x + y] / (3 * 64),
                       clamped(0.5, (int)x, (int)y, 4), 1e-12);
        for (uint64_t other = 0; other < x; other++) {
            uint64_t pair[2 * 5];
            for (size_t z = 0; z < 5; z++) {
                pair[z] = rows[5 * x + z];
                pair[5 + z] = rows[5 * other + z];
            }
            CHECK_NEAR(local_law_ratio(pair, 2, 5), pow(2, (double)(x - other)), 1e-12);
        }
    }
    CHECK_NEAR(local_law_loss(&config), 4 * log(2), 1e-8);
}

/* Coins that are not halves, one draw below a each. */
TEST(geometric_encoder_has_its_law_for_any_ratio)
{
    const scrim_local_config config =
        device_config("condensed-geometric values=4 a=3 b=1");
    for (uint64_t x = 0; x < 4; x++) {
        double law[4] = {0};
        for (uint64_t sign = 0; sign < 4; sign++)
            for (uint64_t coins = 0; coins < 27; coins++) {
                uint64_t words[65];
                uint8_t report = 9;
                words[0] = device_word(sign, 4);
                for (uint64_t i = 0, rest = coins; i < 64; i++, rest /= 3)
                    words[1 + i] = device_word(i < 3 ? rest % 3 : 2, 3);
                device_tape tape = {words, 65, 0};
                const scrim_local_source source = device_tape_source(&tape);
                CHECK_INT(scrim_local_encode(&config, x, &source, &report),
                          SCRIM_LOCAL_OK);
                CHECK_INT(tape.taken, 65);
                REQUIRE(report < 4);
                law[report] += 1.0 / (4 * 27);
            }
        for (uint64_t y = 0; y < 4; y++)
            CHECK_NEAR(law[y], clamped(1.0 / 3, (int)x, (int)y, 3), 1e-12);
    }
}

/* The specification's law is this one, at the ratio exp(-1/2). */
TEST(geometric_law_is_the_specifications)
{
    const json_t *row = vectors_load("local-and-accounting", "cldp_clamped_geometric");
    const json_t *law = json_object_get(row, "pmf_x1");
    for (int y = 0; y < 5; y++)
        CHECK_NEAR(strtod(json_string_value(json_array_get(law, (size_t)y)), NULL),
                   clamped(exp(-0.5), 1, y, 4), 1e-12);
}

/* laplace-mean reports outside of the range, up to its width, as an offset. */
TEST(laplace_mean_has_its_law)
{
    CLAIM("laplace_mean.privacy");
    const scrim_local_config config =
        device_config("laplace-mean values=3 a=2 b=1 width=3");
    const local_tapes tapes = {.slots = {{3, 0}, {0, 8}}, .count = 2};
    uint64_t rows[3 * 9];
    for (uint64_t x = 0; x < 3; x++) {
        local_law_count(&config, x, NULL, &tapes, rows + 9 * x, 9);
        for (uint64_t y = 0; y < 9; y++)
            CHECK_NEAR((double)rows[9 * x + y] / (3 * 256),
                       clamped(0.5, (int)x + 3, (int)y, 8), 1e-12);
    }
    CHECK_NEAR(local_law_ratio(rows, 3, 9), 4, 1e-12);
    CHECK_NEAR(local_law_loss(&config), 2 * log(2), 1e-8);
}

/* Runs of ones, of all lengths. */
TEST(device_runs_of_ones_are_counted)
{
    CHECK_INT(sl_run_of_ones(UINT64_MAX), 64);
    for (unsigned i = 0; i < 64; i++) {
        const uint64_t run = ((uint64_t)1 << i) - 1;
        CHECK_INT(sl_run_of_ones(run), i);
        CHECK_INT(sl_run_of_ones(i == 63 ? run : run | UINT64_MAX << (i + 1)), i);
    }
}

/* A run that goes on into further words: the largest report. */
TEST(geometric_encoder_reaches_its_ends)
{
    const scrim_local_config config =
        device_config("condensed-geometric values=200 a=2 b=1");
    uint64_t words[] = {device_word(0, 3), UINT64_MAX, UINT64_MAX, 7, 0};
    for (unsigned i = 0; i < 2; i++) {
        device_tape tape = {words, 5, 0};
        const scrim_local_source source = device_tape_source(&tape);
        uint8_t report;
        words[0] = device_word(i, 3);
        CHECK_INT(scrim_local_encode(&config, i == 0 ? 20 : 150, &source, &report),
                  SCRIM_LOCAL_OK);
        CHECK_INT(report, i == 0 ? 20 + 132 : 150 - 132);
        CHECK_INT(tape.taken, 5);
        tape.taken = 0;
        CHECK_INT(scrim_local_encode(&config, 99, &source, &report), SCRIM_LOCAL_OK);
        CHECK_INT(report, i == 0 ? 199 : 0);
    }
}
