/* A pair of neighbours as text: "x: 0 0 1 | y: 1 0 1". */
#ifndef WORST_PAIR_H
#define WORST_PAIR_H

#include "audit/bounds.h"
#include "audit/comparison.h"
#include "base/text.h"
#include "model/measurement.h"
#include "model/mechanism.h"
#include "scrim/audit.h"

/* What is called x is the one whose answers are held against the other's. Long runs of one number
 * are told as "7 (32 times)", no numbers at all as "(empty)". */
void sc_pair_put(sc_text_sink *sink, const sc_pair *pair, sc_direction direction);

/* The search for the worst pair of neighbours, and what it says about a claim.
 *
 * A check is one number of the claim: the delta at an epsilon, the largest loss, the Renyi
 * divergence of an order. Each is computed for every declared pair in both directions and held
 * against what is claimed. What cannot be decided is computed again with twice the bits.
 *
 * Claim  worst-pair.both-ways  each pair is looked at in both directions, and the largest number
 *                              of all is what is kept
 */

/* Precision begins and ends here. */
#define SC_AUDIT_BITS 128
#define SC_AUDIT_LEVELS 4 /* 128, 256, 512, 1024 */

typedef enum sc_check_kind {
    SC_CHECK_DELTA, /* at the epsilon argument */
    SC_CHECK_LOSS,
    SC_CHECK_RENYI /* of the order argument */
} sc_check_kind;

typedef struct sc_check {
    sc_check_kind kind;
    sc_ratio argument;
    bool is_charged; /* claimed is the exact number; else the curve says it */
    sc_ratio claimed;

    /* Found. The largest lower bound and where it was; the largest upper bound. */
    sc_enclosure most;
    size_t pair;
    sc_direction direction;
    double upper, claimed_upper, unlisted_upper;
    scrim_audit_verdict verdict;
} sc_check;

void sc_check_init(sc_check *check, sc_check_kind kind, const sc_ratio *argument);
void sc_check_clear(sc_check *check);
/* What is claimed there: the exact number, or the curve's and rho's; not finite where nothing
 * is. */
void sc_check_claim(const scrim_measurement *measurement, const sc_check *check,
                    long bits, sc_ball *out);
/* Nearly attained: the lower bound is within a hundredth of a claim that is not tiny. */
bool sc_check_is_tight(const sc_check *check);

typedef struct sc_search {
    sc_check *checks;
    size_t count;
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    /* Found. */
    uint64_t pairs, outcomes;
} sc_search;

/* The pair at an index: of the family that the mechanism declares, and behind it those off the grid
 * (off_grid.h). */
void sc_search_pair(const scrim_measurement *measurement, size_t index, sc_pair *out);

/* Fills what is found. SCRIM_E_PARAM for a mechanism without laws or pairs. */
SCRIM_MUST_USE scrim_status sc_search_run(const scrim_measurement *measurement,
                                          sc_search *search, scrim_error *error);

#endif
