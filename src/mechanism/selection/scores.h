/* The common part of mechanisms that choose by score.
 *
 * A score is a whole number of steps of the declared grid (of 1 where none is), clamped to the
 * declared range; each moves by at most sensitivity when one unit changes. Values are rounded to
 * the grid here, so that a score in steps moves by up to ceil(sensitivity / step): that integer
 * is D below, and dividing by anything less would not be private (a sensitivity of 3/2 takes
 * 0.4 to 1.9, which round to 0 and 2). Scores are monotone when all of them rise, or all of them
 * fall, from any table to any neighbour: counts under add-remove, never under replace, for which
 * monotone=yes is refused.
 *
 *     h = epsilon / (2 D), or epsilon / D where scores are monotone
 *
 * A way to choose is a constant of functions; the descriptors of this family are made of one of
 * them and the functions below.
 *
 * Reference  spec/mechanisms.md 3.1, 5.1
 */
#ifndef SC_MECHANISM_SELECTION_SCORES_H
#define SC_MECHANISM_SELECTION_SCORES_H

#include "base/mask.h"
#include "model/domain.h"
#include "model/measurement.h"
#include "sampling/bernoulli.h"
#include "sampling/gap_weights.h"

/* The parameters of all of them, then those of each alone; a list ends with SC_SCORES_LAST. */
#define SC_SCORES_PARAMETERS                                                             \
    {.name = "epsilon",                                                                  \
     .kind = SC_PARAMETER_RATIONAL,                                                      \
     .above = "0",                                                                       \
     .limit_low = "2^-60",                                                               \
     .limit_high = "1000",                                                               \
     .domain = "a rational above 0, from 8.7e-19 to 1000"},                              \
        {.name = "sensitivity",                                                          \
         .kind = SC_PARAMETER_RATIONAL,                                                  \
         .optional = true,                                                               \
         .above = "0",                                                                   \
         .limit_low = "2^-60",                                                           \
         .limit_high = "2^60",                                                           \
         .domain = "a rational above 0, from 8.7e-19 to 1.1e18"},                        \
        {.name = "monotone",                                                             \
         .kind = SC_PARAMETER_WORD,                                                      \
         .optional = true,                                                               \
         .words = sc_scores_monotone_words,                                              \
         .domain = "yes or no"},                                                         \
        {.name = "grid",                                                                 \
         .kind = SC_PARAMETER_RATIONAL,                                                  \
         .optional = true,                                                               \
         .above = "0",                                                                   \
         .domain = "a power of 2 or of 10"},                                             \
        {.name = "lower",                                                                \
         .kind = SC_PARAMETER_RATIONAL,                                                  \
         .optional = true,                                                               \
         .domain = "a multiple of the grid's step, below upper"},                        \
    {                                                                                    \
        .name = "upper", .kind = SC_PARAMETER_RATIONAL, .optional = true,                \
        .domain = "a multiple of the grid's step, above lower"                           \
    }
#define SC_SCORES_LAST                                                                   \
    SC_PARAMETER_NEIGHBOURS,                                                             \
    {                                                                                    \
        .name = "candidates", .kind = SC_PARAMETER_INTEGER, .optional = true,            \
        .at_least = "1", .limit_high = "64",                                             \
        .domain = "the number of candidates, an integer from 1 to 64"                    \
    }
/* The text of `scrim list mechanisms` about them. */
#define SC_SCORES_TEXT_REQUIRED "epsilon=R sensitivity=R"
#define SC_SCORES_TEXT_OPTIONAL "monotone=yes grid=R lower=R upper=R"
#define SC_SCORES_TEXT_AUDIT "; audit: candidates=N"
#define SC_SCORES_TEXT                                                                   \
    SC_SCORES_TEXT_REQUIRED " [" SC_SCORES_TEXT_OPTIONAL "]" SC_SCORES_TEXT_AUDIT
extern const char *const sc_scores_monotone_words[];

typedef struct sc_choice sc_choice;

/* The state of a measurement that chooses. */
typedef struct sc_scores {
    const sc_choice *choice;
    sc_ratio rate;  /* h a step, of one choice */
    uint64_t steps; /* D, from 1 to 2^62 */
    uint64_t range; /* the most that two scores can differ by, in steps */
    size_t rounds;  /* choices in one release; each is one of those left */
    bool is_monotone;
    void *prepared; /* what the choice needs, by its prepare */
} sc_scores;

/* A way to choose one candidate. */
struct sc_choice {
    /* Builds prepared from the rest of the state; discard takes what it built, or NULL. */
    scrim_status (*prepare)(const scrim_measurement *measurement, sc_scores *state,
                            scrim_error *error);
    void (*discard)(void *prepared);
    /* The index of the one chosen; count >= 1. */
    scrim_status (*choose)(const sc_scores *state, sc_bits *bits, const int64_t *scores,
                           size_t count, size_t *out, scrim_error *error);
    /* The probability of each, into count balls. */
    scrim_status (*probabilities)(const sc_scores *state, const int64_t *scores,
                                  size_t count, long bits, sc_ball *out,
                                  scrim_error *error);
    /* At least the probability, on any scores, of a loss of gap >= 1 steps or more; it does not
     * grow with gap. */
    void (*miss_upper)(const sc_scores *state, uint64_t gap, size_t count, long bits,
                       sc_ball *out);
};

/* The check of a descriptor: domain, sensitivity, rate and what the choice needs. Epsilon is
 * divided evenly over the rounds. */
SCRIM_MUST_USE scrim_status sc_scores_check(scrim_measurement *measurement,
                                            const sc_choice *choice, size_t rounds,
                                            scrim_error *error);
const sc_scores *sc_scores_of(const scrim_measurement *measurement);

/* Members of descriptors: cost of a pure claim, and of one of bounded range. */
scrim_status sc_scores_cost_pure(const scrim_measurement *measurement, sc_exact_cost *out,
                                 scrim_error *error);
scrim_status sc_scores_cost_bounded_range(const scrim_measurement *measurement,
                                          sc_exact_cost *out, scrim_error *error);
void sc_scores_discard(scrim_measurement *measurement);
scrim_status sc_scores_certify(const scrim_measurement *measurement, const sc_ratio *beta,
                               size_t count, sc_certificate *out, scrim_error *error);
void sc_scores_change(const scrim_measurement *measurement, sc_change *out);
size_t sc_scores_rounds(const scrim_measurement *measurement, size_t count);
scrim_status sc_scores_draw_one(const scrim_measurement *measurement, sc_bits *bits,
                                const sc_private_input *input, sc_draw *out,
                                scrim_error *error);
scrim_status sc_scores_law_one(const scrim_measurement *measurement,
                               const sc_private_input *input, long bits, sc_outcomes *out,
                               scrim_error *error);

/* prepare and discard of the choices that need the weights exp(-h gap) alone. */
scrim_status sc_scores_prepare_weights(const scrim_measurement *measurement,
                                       sc_scores *state, scrim_error *error);
void sc_scores_discard_weights(void *prepared);

/* The least gap >= 1 that is lost with probability at most beta; none beyond the range is ever
 * lost. */
uint64_t sc_scores_rare_gap(const sc_scores *state, size_t count, const sc_ball *beta);

/* 1 / rate. */
void sc_scores_scale(const sc_ratio *rate, sc_ratio *out);

/* True with probability exp(-g): the plain coin of the reference implementations. */
SCRIM_MUST_USE scrim_status sc_scores_coin(sc_bits *bits, const sc_fraction *g, bool *out,
                                           scrim_error *error);

/* The highest score; count >= 1. */
static inline int64_t sc_scores_best(const int64_t *scores, size_t count)
{
    int64_t best = scores[0];
    for (size_t i = 1; i < count; i++)
        best = (int64_t)sc_mask_select(sc_mask(scores[i] > best), (uint64_t)scores[i],
                                       (uint64_t)best);
    return best;
}

/* best - score, for any two numbers in this order. */
static inline uint64_t sc_scores_gap(int64_t best, int64_t score)
{
    return (uint64_t)best - (uint64_t)score;
}

/* The neighbours on which the audit looks at a choice by score.
 *
 * All candidates but the first and the last have one score; those two stand from 3 D below it to
 * 3 D above. The first, the last and all others together each fall by D, stay or rise by D; of
 * monotone scores each stays or rises. For up to three candidates these are, up to a common
 * shift that no choice sees, all scores in steps of D within that box and all corners of what one
 * unit can do. The first and the last differ where ties go to the lowest index.
 */

#define SC_SCORE_PAIRS_CANDIDATES 3 /* unless candidates=N says otherwise */

/* Members of descriptors. */
size_t sc_score_pairs_count(const scrim_measurement *measurement);
void sc_score_pairs_at(const scrim_measurement *measurement, size_t index, sc_pair *out);

/* The members that descriptors of this family share, after their own parameters, check and cost; and
 * what those share that choose one candidate. */
#define SC_SCORES_MEMBERS                                                                \
    .parameters = parameters, .parameter_count = sizeof parameters / sizeof *parameters, \
    .audit_count = 1, .discard = sc_scores_discard, .certify = sc_scores_certify,        \
    .answer_count = sc_scores_rounds, .width = sc_scores_rounds,                         \
    .pair_count = sc_score_pairs_count, .pair = sc_score_pairs_at,                       \
    .change = sc_scores_change
#define SC_SCORES_MEMBERS_ONE .draw = sc_scores_draw_one, .law = sc_scores_law_one

#endif
