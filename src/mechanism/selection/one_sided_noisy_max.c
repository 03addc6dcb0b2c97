#include "mechanism/selection/one_sided_noisy_max.h"

#include "mechanism/selection/permute_and_flip.h"
#include "mechanism/selection/scores.h"

static const sc_parameter_rule parameters[] = {SC_SCORES_PARAMETERS, SC_SCORES_LAST};

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    return sc_scores_check(m, &sc_permute_and_flip_choice, 1, error);
}

const sc_mechanism sc_one_sided_noisy_max = {
    .entry =
        {.name = "one-sided-noisy-max",
         .parameters = SC_SCORES_TEXT,
         .input = "scores",
         .claim = "epsilon-DP, pure; the law of permute-and-flip",
         .does = "Chooses the candidate whose score with exponential noise is the "
                 "largest. Its distribution is exactly that of permute-and-flip, "
                 "by which it is drawn.",
         .example = "epsilon=1 sensitivity=1 neighbours=replace",
         .example_input = "310\n120\n330\n",
         .reference =
             "McKenna, Sheldon: Permute-and-Flip: A New Mechanism for Differentially "
             "Private Selection, 2020; Ding and others: The Permute-and-Flip Mechanism "
             "is Identical to Report-Noisy-Max with Exponential Noise, 2021"},
    .check = check,
    .cost = sc_scores_cost_pure,
    SC_SCORES_MEMBERS,
    SC_SCORES_MEMBERS_ONE,
};
