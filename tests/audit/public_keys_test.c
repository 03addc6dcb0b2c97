/* Keys that are public beside ones that a threshold shows, at one charge: the exact laws of both together on every
 * small pair of neighbours, held against the claim of the mechanism. */
#include "audit/divergence.h"
#include "check.h"
#include "exact.h"
#include "model/measurement.h"

#include <stdio.h>

#define BITS 128
#define GROUPS 2

static scrim_measurement *measurement_of(const char *line)
{
    scrim_measurement *m = NULL;
    scrim_error error = {.message = ""};
    if (!CHECK_STATUS(scrim_measurement_parse(line, &m, &error), SCRIM_OK))
        CHECK_STR(error.message, "");
    return m;
}

static bool law_of(const scrim_measurement *m, const int64_t values[GROUPS],
                   const bool is_public[GROUPS], sc_outcomes *out)
{
    const sc_private_input input = {
        .values = values, .count = GROUPS, .is_public = is_public};
    sc_outcomes_init(out, GROUPS);
    return CHECK_STATUS(m->mechanism->law(m, &input, BITS, out, NULL), SCRIM_OK) &&
           CHECK_STATUS(sc_outcomes_sort(out, BITS, NULL), SCRIM_OK);
}

/* Is delta at epsilon, both ways, at most the claimed one? */
static bool holds(const scrim_measurement *m, const int64_t x[GROUPS],
                  const int64_t y[GROUPS], const bool is_public[GROUPS],
                  const char *epsilon, const char *delta)
{
    sc_outcomes p, q;
    sc_comparison *c = NULL;
    sc_ratio e, d;
    sc_ball most;
    sc_enclosure found;
    bool is_kept = true;
    exact_ratio(epsilon, &e);
    exact_ratio(delta, &d);
    sc_ball_init(&most);
    sc_ball_set_ratio(&most, &d, BITS);
    sc_bounds_init(&found);
    if (law_of(m, x, is_public, &p) && law_of(m, y, is_public, &q) &&
        CHECK_STATUS(sc_comparison_new(&p, &q, BITS, &c, NULL), SCRIM_OK))
        for (int way = 0; way < 2; way++) {
            sc_divergence_hockey_stick(c, way == 0 ? SC_FORTH : SC_BACK, &e, &found);
            is_kept = is_kept && found.is_bounded && sc_ball_is_less(&found.upper, &most);
        }
    sc_comparison_free(c);
    sc_outcomes_clear(&p);
    sc_outcomes_clear(&q);
    sc_bounds_clear(&found);
    sc_ball_clear(&most);
    sc_ratio_clear(&e);
    sc_ratio_clear(&d);
    return is_kept;
}

/* A unit is in one group or in both; each group has a public key or not. */
SLOW_TEST(public_keys_beside_a_threshold_keep_its_claim)
{
    CLAIM("noisy-threshold.public");
    static const char *const ways[] = {"threshold-truncated", "threshold-laplace",
                                       "threshold-gaussian"};
    for (size_t w = 0; w < COUNT(ways); w++)
        for (unsigned set = 0; set < 1u << GROUPS; set++) {
            char line[200];
            const bool is_public[GROUPS] = {(set & 1) != 0, (set & 2) != 0};
            snprintf(line, sizeof line,
                     "%s epsilon=2 delta=0.05 max-groups=2 neighbours=add-remove",
                     ways[w]);
            scrim_measurement *m = measurement_of(line);
            REQUIRE(m != NULL);
            for (int64_t a = 0; a < 3; a++)
                for (int64_t b = 0; b < 3; b++)
                    for (unsigned moved = 1; moved < 1u << GROUPS; moved++) {
                        const int64_t x[GROUPS] = {a, b};
                        const int64_t y[GROUPS] = {a + (moved & 1), b + (moved >> 1)};
                        if (!CHECK(holds(m, x, y, is_public, "2", "0.0500001")))
                            printf("# %s, public %u: %d %d\n", ways[w], set, (int)a,
                                   (int)b);
                    }
            scrim_measurement_free(m);
        }
}

/* Two runs, one for known keys and one for new ones, would be two charges: of one unit that is in two groups each would
 * cost all of epsilon if it were made for one. The test sees that. */
TEST(public_keys_beside_a_threshold_are_not_free)
{
    CLAIM("noisy-threshold.public");
    const bool is_public[GROUPS] = {true, false};
    const int64_t x[GROUPS] = {2, 2}, y[GROUPS] = {3, 3};
    scrim_measurement *m = measurement_of(
        "threshold-laplace epsilon=2 delta=0.05 max-groups=1 neighbours=add-remove");
    REQUIRE(m != NULL);
    CHECK(!holds(m, x, y, is_public, "2", "0.0500001"));
    scrim_measurement_free(m);
}

/* A public key is drawn as its count and the noise, also below the threshold and without units. */
TEST(public_keys_are_shown_whatever_they_count)
{
    CLAIM("noisy-threshold.public");
    const bool is_public[GROUPS] = {true, false};
    const int64_t none[GROUPS] = {0, 0};
    scrim_measurement *m = measurement_of(
        "threshold-truncated epsilon=2 delta=0.05 max-groups=2 neighbours=add-remove");
    sc_outcomes law;
    REQUIRE(m != NULL);
    if (law_of(m, none, is_public, &law)) {
        CHECK(law.count > 2);
        for (size_t i = 0; i < law.count; i++)
            CHECK(law.keys[GROUPS * i] != INT64_MIN &&
                  law.keys[GROUPS * i + 1] == INT64_MIN);
    }
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
}
