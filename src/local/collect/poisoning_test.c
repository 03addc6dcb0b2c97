/* Attackers who make up reports (A72): an estimate moves by no more than what is printed, and by just that. */
#include "base/number/ball_double.h"
#include "local/collect/decoding.h"
#include "local_fleet.h"
#include "mechanism/local/protocol.h"

#include <math.h>

/* The estimate of value 0 among honest devices, and with `fakes` fake reports behind them. */
static double estimate(const char *words, uint8_t *fake, size_t fakes)
{
    const uint64_t holders[7] = {300, 300, 200, 100, 50, 50};
    uint64_t seed = check_seed();
    sc_sums sums = fleet_sums(words);
    sc_decoding decoding;
    double found = 0;
    if (sums.layout == NULL)
        return 0;
    fleet_send_counts(&sums, holders, 7, &seed);
    for (size_t i = 0; i < fakes; i++)
        CHECK_STATUS(
            sc_sums_add(&sums, fake, 1, sums.report_bytes, sums.report_bytes, NULL),
            SCRIM_OK);
    CHECK_INT(sums.dropped, 0);
    if (CHECK_STATUS(sc_decoding_init(&decoding, &sums, NULL), SCRIM_OK)) {
        found = sc_decoding_estimate(&decoding, 0);
        sc_decoding_clear(&decoding);
    }
    sc_sums_clear(&sums);
    return found;
}

TEST(poisoning_moves_an_estimate_by_what_is_printed_A72)
{
    /* A report that supports value 0, and one that does not. */
    static const struct {
        const char *words;
        uint8_t up[2], down[2];
    } cases[] = {
        {"randomised-response values=7 a=5 b=1", {0}, {1}},
        {"projective-geometry values=7 a=5 b=2 field=3 digits=3", {1}, {0}},
        {"subset-selection values=7 a=7 b=3 chosen=2", {3}, {6}},
        {"symmetric-unary values=7 a=3 b=1", {0x7f}, {0x7e}},
        {"optimised-unary values=7 a=3 b=1", {0x7f}, {0x7e}},
        {"local-hashing values=7 a=5 b=2 field=3 digits=2", {0, 0}, {0, 1}},
        {"hadamard values=7 a=5 b=2 blocks=1 order=8", {0}, {1}},
    };
    static const size_t fakes[] = {1, 10, 50}; /* 0.1 %, 1 %, 5 % of 1000 */
    for (size_t i = 0; i < COUNT(cases); i++)
        for (size_t f = 0; f < COUNT(fakes); f++) {
            SC_OWN(sc_protocol_facts, facts);
            sc_sums sums = fleet_sums(cases[i].words);
            uint8_t up[2] = {cases[i].up[0], cases[i].up[1]},
                    down[2] = {cases[i].down[0], cases[i].down[1]};
            REQUIRE(sc_protocol_find(&sums.config, &facts));
            const double honest = estimate(cases[i].words, up, 0),
                         count = (double)fakes[f];
            const double raised = estimate(cases[i].words, up, fakes[f]) - honest,
                         lowered = honest - estimate(cases[i].words, down, fakes[f]);
            if (!CHECK_NEAR(raised, count * sc_ball_near(&facts.raise), 1e-9) ||
                !CHECK_NEAR(lowered, count * sc_ball_near(&facts.drop), 1e-9))
                CHECK_FAIL("%s", cases[i].words);
            sc_sums_clear(&sums);
        }
}

/* The sum of all numbers, where the last `fakes` reports are fake. */
static double sum_of_numbers(const char *words, uint8_t fake, size_t fakes)
{
    const uint64_t holders[7] = {300, 300, 200, 100, 50, 50};
    uint64_t seed = check_seed();
    sc_sums sums = fleet_sums(words);
    sc_decoding decoding;
    double found = 0;
    if (sums.layout == NULL)
        return 0;
    fleet_send_counts(&sums, holders, 7, &seed);
    for (size_t i = 0; i < fakes; i++)
        CHECK_STATUS(sc_sums_add(&sums, &fake, 1, 1, 1, NULL), SCRIM_OK);
    CHECK_INT(sums.dropped, 0);
    if (CHECK_STATUS(sc_decoding_init(&decoding, &sums, NULL), SCRIM_OK)) {
        found = sc_ball_near(&decoding.mean) * (double)sums.reports;
        sc_decoding_clear(&decoding);
    }
    sc_sums_clear(&sums);
    return found;
}

TEST(poisoning_moves_a_sum_of_numbers_by_what_is_printed_A72)
{
    static const struct {
        const char *words;
        uint8_t up;
    } cases[] = {
        {"one-bit-mean values=7 a=5 b=1", 1},
        {"square-wave values=7 a=5 b=2 width=2", 10},
        {"laplace-mean values=7 a=3 b=2 width=5", 16},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        SC_OWN(sc_protocol_facts, facts);
        sc_sums sums = fleet_sums(cases[i].words);
        REQUIRE(sc_protocol_find(&sums.config, &facts));
        const double honest = sum_of_numbers(cases[i].words, 0, 0);
        CHECK_NEAR(sum_of_numbers(cases[i].words, cases[i].up, 10) - honest,
                   10 * sc_ball_near(&facts.raise), 1e-9);
        CHECK_NEAR(honest - sum_of_numbers(cases[i].words, 0, 10),
                   10 * sc_ball_near(&facts.drop), 1e-9);
        sc_sums_clear(&sums);
    }
}
