/* The worst pair of neighbours: pairs off the grid, laws of their inputs, and the search over all
 * of them. */
#ifndef WORST_PAIR_H
#define WORST_PAIR_H

#include "audit/bounds.h"
#include "audit/divergence.h"
#include "base/text.h"
#include "model/measurement.h"
#include "model/mechanism.h"
#include "scrim/audit.h"

/* The laws of a measurement on the inputs of its declared pairs: pairs share inputs, and a law
 * costs more than anything that is done with it. */

typedef struct sc_law_cache sc_law_cache;

/* measurement outlives the cache. */
SCRIM_MUST_USE scrim_status sc_law_cache_new(const scrim_measurement *measurement,
                                             sc_law_cache **out, scrim_error *error);
void sc_law_cache_free(sc_law_cache *cache); /* NULL is allowed */

/* The sorted law on an input, at this precision. It lives until the second call after this one:
 * long enough for both laws of a pair. A law whose masses cannot add up to 1 is
 * SCRIM_E_INTERNAL: what it leaves out would never be seen. */
SCRIM_MUST_USE scrim_status sc_law_cache_get(sc_law_cache *cache,
                                             const sc_private_input *input, long bits,
                                             const sc_outcomes **out, scrim_error *error);
/* The most outcomes that a law had. */
uint64_t sc_law_cache_outcomes(const sc_law_cache *cache);

/* Neighbours whose values lie between the places of the grid.
 *
 * A mechanism's own family of pairs is in steps, and so knows nothing of rounding. These pairs are
 * numbers that differ by what was declared of neighbours (sc_change), chosen just below the border
 * between two places, and brought into the domain as the gate brings texts there. There is no
 * pair where the gate would refuse its number of texts, nor where values are declared whole. A
 * pair that lies as far apart as one of the family is left out.
 *
 * Claim  off-grid.neighbours  before they are rounded, the two sides of each pair differ by no more
 *                             than was declared
 */

/* How many there are, and each. */
size_t sc_off_grid_count(const scrim_measurement *measurement);
void sc_off_grid_pair(const scrim_measurement *measurement, size_t index, sc_pair *out);

/* The values of a shape before they are rounded: x and y, of SC_OFF_GRID_VALUES each, initialised.
 * Returns how many there are; 0: the measurement has no pair of that shape. */
#define SC_OFF_GRID_SHAPES 4
#define SC_OFF_GRID_VALUES 2
size_t sc_off_grid_values(const scrim_measurement *measurement, size_t shape, sc_ratio *x,
                          sc_ratio *y);

/* A pair of neighbours as text: "x: 0 0 1 | y: 1 0 1". */

/* x is the input whose answers are held against the other's. Long runs of one number
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
/* The claim there: the exact number, or the curve's and rho's; not finite where nothing
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
 * (sc_off_grid_pair). */
void sc_search_pair(const scrim_measurement *measurement, size_t index, sc_pair *out);

/* Fills what is found. SCRIM_E_PARAM for a mechanism without laws or pairs. */
SCRIM_MUST_USE scrim_status sc_search_run(const scrim_measurement *measurement,
                                          sc_search *search, scrim_error *error);

#endif
