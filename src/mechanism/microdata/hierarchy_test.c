#include "exact.h"
#include "faults.h"
#include "mechanism/microdata/hierarchy.h"
#include "mechanism_lines.h"
#include "model/measurement.h"
#include "noise_checks.h"
#include "random/bits_tape.h"
#include "vectors.h"

#include <string.h>

static void check_noise(const char *line, const char *const *shapes,
                        const int64_t *bounds, size_t levels)
{
    scrim_measurement *m = noise_made(line);
    REQUIRE(m != NULL);
    for (size_t i = 0; i < levels; i++) {
        const sc_law *law = sc_hierarchy_noise(m, i);
        REQUIRE(law != NULL);
        CHECK_RATIO(&law->shape, shapes[i]);
        CHECK_INT(law->bound, bounds == NULL ? 0 : bounds[i]);
    }
    CHECK(sc_hierarchy_noise(m, levels) == NULL);
    scrim_measurement_free(m);
}

#define SHAPES(...) ((const char *const[]){__VA_ARGS__})

TEST(hierarchy_splits_its_cost_among_levels)
{
    CLAIM("hierarchy.privacy");
    check_noise("hierarchy fan-outs=10,5 epsilon=1 neighbours=add-remove",
                SHAPES("3", "3", "3"), NULL, 3);
    check_noise("hierarchy fan-outs=10 shares=1/4,3/4 epsilon=1/2 neighbours=add-remove",
                SHAPES("8", "8/3"), NULL, 2);
    /* two nodes a level but the root: 2 (1 - 1/4) = 3/2 times as wide */
    check_noise("hierarchy fan-outs=10 shares=1/4,3/4 epsilon=1/2 neighbours=replace",
                SHAPES("12", "4"), NULL, 2);
    check_noise("hierarchy fan-outs=10 shares=3/4,1/4 epsilon=1/2 neighbours=replace",
                SHAPES("8/3", "8"), NULL, 2);
    /* v:gaussian_zcdp_noise: L/(2 rho) */
    check_noise("hierarchy fan-outs=2,2 rho=1/2 neighbours=add-remove",
                SHAPES("3", "3", "3"), NULL, 3);
    check_noise("hierarchy fan-outs=2,2 rho=1/2 max-rows=2 weight=3 neighbours=replace",
                SHAPES("144", "144", "144"), NULL, 3);
    /* half of each: as a flat table */
    check_noise("hierarchy fan-outs=7 epsilon=1 delta=1e-6 neighbours=add-remove",
                SHAPES("2", "2"), (const int64_t[]){29, 29}, 2);
    scrim_cost cost = noise_cost("hierarchy fan-outs=10,5 epsilon=1 neighbours=replace");
    CHECK_STR(cost.epsilon, "1");
    CHECK_STR(cost.delta, "0");
    cost = noise_cost("hierarchy fan-outs=2 rho=1/3 neighbours=replace");
    CHECK_STR(cost.rho, "1/3");
    cost = noise_cost("hierarchy fan-outs=2 epsilon=1 delta=1e-6 neighbours=add-remove");
    CHECK_STR(cost.delta, "0.000001");
    const json_t *noise = vectors_load("microdata", "gaussian_zcdp_noise");
    CHECK(strncmp(vectors_text(noise, "L_levels"), "sigma^2=L/(2 rho)", 17) == 0);
}

enum { LEAVES = 24 }; /* fan-outs=2,3,4 */

static bool draw(const scrim_measurement *m, sc_tape *tape, const int64_t *counts,
                 int64_t *shown)
{
    sc_int128 values[LEAVES];
    sc_mark marks[LEAVES];
    sc_draw room = {.values = values, .marks = marks, .capacity = LEAVES};
    if (!CHECK_STATUS(
            m->mechanism->draw(m, sc_tape_bits_of(tape),
                               &(sc_private_input){.values = counts, .count = LEAVES},
                               &room, NULL),
            SCRIM_OK) ||
        !CHECK_INT(room.count, LEAVES))
        return false;
    for (size_t i = 0; i < LEAVES; i++)
        shown[i] = (int64_t)values[i];
    return true;
}

/* The root's noise is the first that is drawn: the total is the noisy root's. */
static void check_totals(const char *line)
{
    scrim_measurement *m = noise_made(line);
    const sc_law *root = m == NULL ? NULL : sc_hierarchy_noise(m, 0);
    uint64_t outside = 0;
    const uint64_t times = check_count(200, 2000);
    sc_tape *tape = NULL;
    scrim_certificate found;
    REQUIRE(root != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.9", LEAVES, &found, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const int64_t radius = atoll(found.radius);
    for (uint64_t n = 0; n < times; n++) {
        int64_t counts[LEAVES], shown[LEAVES], sum = 0, truth = 0;
        bool is_whole = true, is_out = false;
        for (size_t i = 0; i < LEAVES; i++)
            truth += counts[i] = n % 2 == 0 ? 0 : (int64_t)(n * i % 37);
        if (!draw(m, tape, counts, shown))
            break;
        for (size_t i = 0; i < LEAVES; i++) {
            is_whole = is_whole && shown[i] >= 0;
            is_out = is_out || llabs(shown[i] - counts[i]) > radius;
            sum += shown[i];
        }
        CHECK(is_whole);
        outside += llabs(shown[0] - counts[0]) > radius;
        CHECK(root->bound == 0 || (!is_out && llabs(sum - truth) <= root->bound));
    }
    CHECK(outside * 10 <= times);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

TEST(hierarchy_adds_up_within_its_radius)
{
    CLAIM("hierarchy.adds-up");
    CLAIM("hierarchy.accuracy");
    check_totals("hierarchy fan-outs=2,3,4 epsilon=2 neighbours=add-remove");
    check_totals("hierarchy fan-outs=2,3,4 rho=1/5 neighbours=replace");
    check_totals("hierarchy fan-outs=2,3,4 epsilon=1 delta=1/10 neighbours=add-remove");
}

/* Next to no noise: the answers are the counts, on every level. */
TEST(hierarchy_shows_the_counts_without_noise)
{
    CLAIM("hierarchy.adds-up");
    scrim_measurement *m =
        noise_made("hierarchy fan-outs=2,3,4 epsilon=1000 neighbours=add-remove");
    sc_tape *tape = NULL;
    int64_t counts[LEAVES], shown[LEAVES];
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t i = 0; i < LEAVES; i++)
        counts[i] = (int64_t)(i * i) << (i == 5 ? 30 : 0);
    CHECK(draw(m, tape, counts, shown));
    CHECK_BYTES(shown, counts, sizeof counts);
    CHECK_INT(scrim_measurement_size(m), LEAVES);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

/* The hard range is B_root and twice B of each other level. */
TEST(hierarchy_has_a_hard_range)
{
    CLAIM("hierarchy.accuracy");
    scrim_measurement *m =
        noise_made("hierarchy fan-outs=2,3 epsilon=1 delta=1e-6 neighbours=add-remove");
    scrim_certificate found;
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 6, &found, NULL));
    CHECK(found.form == SCRIM_CERTIFICATE_RANGE);
    CHECK_INT(atoll(found.radius), (int64_t)(sc_hierarchy_noise(m, 0)->bound +
                                             2 * sc_hierarchy_noise(m, 1)->bound +
                                             2 * sc_hierarchy_noise(m, 2)->bound));
    scrim_measurement_free(m);
}

TEST(hierarchy_refuses_what_is_none)
{
    CLAIM("hierarchy.privacy");
    static const char *const wrong[] = {"epsilon=1",
                                        "fan-outs=1 epsilon=1",
                                        "fan-outs=5/2 epsilon=1",
                                        "fan-outs=2,3",
                                        "fan-outs=2,3 epsilon=1 rho=1",
                                        "fan-outs=2,3 rho=1 delta=1e-6",
                                        "fan-outs=2,3 delta=1e-6",
                                        "fan-outs=2,3 epsilon=1 shares=1/2,1/2",
                                        "fan-outs=2 epsilon=1 shares=1/2,1/3",
                                        "fan-outs=2 epsilon=1 shares=1/2,1/4,1/4",
                                        "fan-outs=2 epsilon=1 shares=0,1"};
    for (size_t i = 0; i < COUNT(wrong); i++)
        mechanism_check_status("hierarchy", wrong[i], SCRIM_E_PARAM);
    mechanism_check_status("hierarchy", "fan-outs=100000,100000 epsilon=1",
                           SCRIM_E_LIMIT);
    mechanism_check_status("hierarchy", "fan-outs=2 epsilon=1e-13", SCRIM_E_LIMIT);
    mechanism_check_status("hierarchy", "fan-outs=2 epsilon=1 delta=1e-9 weight=65537",
                           SCRIM_E_LIMIT);
    mechanism_check_status("hierarchy", "fan-outs=1000,1000,100 epsilon=1", SCRIM_OK);
}

FAULT_TEST(hierarchy_survives_without_memory)
{
    CLAIM("hierarchy.privacy");
    mechanism_check_faults(
        "hierarchy fan-outs=2,2 epsilon=1 delta=1e-3 neighbours=replace");
}
