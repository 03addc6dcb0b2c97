/* A bag of releases, declared in advance: the parts of `scrim compose`, or a batch of the vault.
 *
 *     [poisson rate=R] MECHANISM key=value ... [xN] ; ...
 *
 * MECHANISM is one of the catalogue, or continuous-gaussian sigma=R or continuous-laplace scale=R,
 * which are curves to compare with, or a stated guarantee (stated.h). All parts are of one neighbour relation; sampling needs
 * add-remove. Equal parts become one, of the sum of their counts.
 *
 * Claim  bag.pair   a part's pair has the deltas of its curve
 * Claim  bag.lower  the deltas of a part's lower pair are never above those of the exact laws of the
 *                   mechanism on some neighbours
 *
 * Reference  spec/local-and-accounting.md 8.5, 9; scrim-compose(1)
 */
#ifndef SC_COMPOSITION_BAG_H
#define SC_COMPOSITION_BAG_H

#include "composition/loss/loss_pair.h"
#include "model/cost.h"
#include "scrim/measurement.h"

typedef struct sc_part {
    char *text; /* canonical: "[poisson rate=R ]NAME key=value ..." */
    scrim_measurement
        *measurement;   /* owned; NULL for the continuous ones and for bare costs */
    sc_exact_cost cost; /* of one release, before sampling */
    bool has_pair;     /* a pair dominates one release, and has the deltas of its curve */
    sc_loss_pair pair; /* before sampling; symmetric */
    bool
        has_lower; /* some neighbours do not fall short of lower: of it bounds from below */
    sc_loss_pair
        lower; /* before sampling; symmetric; the pair itself, but for a rounded epsilon */
    bool is_sampled;
    sc_ratio rate;
    uint64_t count; /* 1 to SC_PART_COUNT */
} sc_part;

#define SC_PART_COUNT ((uint64_t)1 << 40)
#define SC_BAG_PARTS 4096

typedef struct sc_bag {
    scrim_neighbours neighbours;
    sc_part *parts;
    size_t count, capacity;
} sc_bag;

void sc_bag_init(sc_bag *bag); /* no part; the first sets the neighbours */
void sc_bag_clear(sc_bag *bag);

/* out, which is initialised, becomes what the text says. SCRIM_E_SYNTAX, SCRIM_E_PARAM,
 * SCRIM_E_LIMIT and SCRIM_E_MEMORY as scrim_measurement_parse, with the number of the part in the
 * message; out is untouched then. */
SCRIM_MUST_USE scrim_status sc_bag_parse(const char *text, sc_bag *out,
                                         scrim_error *error);
/* Takes "poisson rate=R " from the front of rest, where it is; else both outputs stay as they are. A rate of 1
 * keeps all, and is no sampling. SCRIM_E_SYNTAX, SCRIM_E_PARAM, SCRIM_E_LIMIT. */
SCRIM_MUST_USE scrim_status sc_bag_take_sampling(sc_text *rest, bool *is_sampled,
                                                 sc_ratio *rate, scrim_error *error);
/* Adds count releases of a cost, whose curve's context lives as long as the bag. SCRIM_E_PARAM
 * for other neighbours than those of the bag, and a count of 0; SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_bag_add_cost(sc_bag *bag, const sc_exact_cost *cost,
                                            uint64_t count, scrim_error *error);

/* out, which is initialised, becomes the first `releases` releases in the order of the parts, or
 * all of them if there are fewer. It uses curves that the bag owns, so the bag must live as
 * long. SCRIM_E_MEMORY; out is untouched then. */
SCRIM_MUST_USE scrim_status sc_bag_first(const sc_bag *bag, uint64_t releases,
                                         sc_bag *out, scrim_error *error);

/* out, which is initialised, becomes the same releases against groups of 1 to 2^20 units. The bag must live as long, as above. Noise keeps its curve, and
 * its bounds from below; of all others the guarantees of one unit are extended (sc_cost_of_group). SCRIM_E_PARAM with the number of
 * the part for a sample, and for a part that promises nothing to such groups; SCRIM_E_MEMORY. out is untouched then. */
SCRIM_MUST_USE scrim_status sc_bag_group(const sc_bag *bag, uint64_t units, sc_bag *out,
                                         scrim_error *error);

#endif
