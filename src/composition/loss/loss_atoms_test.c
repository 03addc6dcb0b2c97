#include "composition/loss/loss_atoms.h"
#include "composition/loss/loss_step.h"
#include "losses.h"

#include <math.h>

/* The two losses of sampled randomised response, in both directions, and their masses. */
TEST(loss_atoms_of_sampled_response)
{
    const double rate = 0.25, up = exp(1.0) / (1 + exp(1.0)), down = 1 - up;
    for (int direction = 0; direction < 2; direction++) {
        sc_loss_atoms atoms = {.count = 0};
        sc_loss_pair pair;
        losses_sampled("pure", "1", 1, "1/4",
                       direction == 0 ? SC_DIRECTION_REMOVE : SC_DIRECTION_ADD, &pair);
        sc_loss_atoms_add(&pair, 3, &atoms);
        REQUIRE(atoms.count == 2);
        const double low = log(1 - rate + rate * exp(-1.0)),
                     high = log(1 - rate + rate * exp(1.0));
        CHECK_NEAR(atoms.at[0], direction == 0 ? low : -high, 1e-12);
        CHECK_NEAR(atoms.at[1], direction == 0 ? high : -low, 1e-12);
        CHECK_NEAR(atoms.mass[0],
                   3 * (direction == 0 ? (1 - rate) * up + rate * down : down), 1e-12);
        CHECK_NEAR(atoms.mass[1],
                   3 * (direction == 0 ? (1 - rate) * down + rate * up : up), 1e-12);
        CHECK(sc_loss_atoms_distance(&atoms, fabs(atoms.at[0])) <=
              3 * fabs(atoms.at[0]) / 2);
        sc_loss_pair_clear(&pair);
    }
}

/* The loss is nearly continuous, or has no single points, or there is no more room. */
TEST(loss_atoms_are_few_or_none)
{
    sc_loss_atoms atoms = {.count = 0};
    sc_loss_pair pair;
    losses_pair("gaussian", "10000", 1, &pair);
    sc_loss_atoms_add(&pair, 1, &atoms);
    sc_loss_pair_clear(&pair);
    losses_pair("continuous-gaussian", "1", 1, &pair);
    sc_loss_atoms_add(&pair, 1, &atoms);
    sc_loss_pair_clear(&pair);
    CHECK_INT(atoms.count, 0);
    losses_sampled("gaussian", "9", 1, "0.1", SC_DIRECTION_ADD, &pair);
    for (int i = 0; i < 20; i++)
        sc_loss_atoms_add(&pair, 1, &atoms);
    CHECK(atoms.count > 0 && atoms.count <= COUNT(atoms.at));
    double total = 0;
    for (size_t i = 0; i < atoms.count; i++)
        total += atoms.mass[i];
    CHECK(fabs(total - round(total)) < 0.01);
    sc_loss_pair_clear(&pair);
}

/* epsilon from above less epsilon from below, on a grid of this step. */
static double gap(const sc_loss_pair *pair, const sc_ratio *step, uint64_t k)
{
    double bounds[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        scrim_error error;
        sc_loss loss;
        sc_loss_init(&loss);
        CHECK_STATUS(sc_loss_from_pair(pair, side == 0 ? SC_LOSS_UPPER : SC_LOSS_LOWER,
                                       step, SC_LOSS_BITS, LOSSES_TAIL, NULL, &loss,
                                       &error),
                     SCRIM_OK);
        CHECK_STATUS(sc_loss_power(&loss, k, LOSSES_TAIL, &loss, &error), SCRIM_OK);
        bounds[side] = losses_epsilon(&loss, "1e-6");
        sc_loss_clear(&loss);
    }
    return bounds[0] - bounds[1];
}

/* The step that is chosen for losses off every grid beats one of its size by far. */
TEST(loss_atoms_make_the_gap_small)
{
    sc_loss_pair pair;
    sc_ratio step, factor;
    bool is_lattice = true;
    sc_ratio_init(&step);
    exact_ratio("0.987", &factor);
    losses_sampled("pure", "1", 1, "0.03", SC_DIRECTION_REMOVE, &pair);
    const sc_loss_item item = {&pair, NULL, 100};
    sc_loss_step(&item, 1, 8192, &step, &is_lattice);
    CHECK(!is_lattice);
    const double tuned = gap(&pair, &step, 100);
    sc_ratio_mul(&step, &step, &factor);
    const double other = gap(&pair, &step, 100);
    CHECK(tuned > 0 && tuned < other / 4);
    sc_loss_pair_clear(&pair);
    sc_ratio_clear(&factor);
    sc_ratio_clear(&step);
}
