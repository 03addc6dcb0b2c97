/* Unknown texts by prefixes that grow (spec/local-additions.md 3): each group of devices has reported a prefix of
 * another length, and from the most frequent ones of a length come the candidates of the next.
 *
 * Claim  prefix-search.counts  the count of each candidate is the number of reports of its group whose cell
 *                              is that of the candidate's prefix
 *
 * All texts of the first length are counted at once: the indicator of a cell is a sum of as many signs as there are cells, each
 * linear in the text, so that a Walsh-Hadamard transform has all counts. Later candidates are a few prefixes,
 * each with all its ends, and a report supports those ends whose cell is what the prefix leaves over.
 */
#ifndef SC_LOCAL_LOCAL_UNKNOWN_H
#define SC_LOCAL_LOCAL_UNKNOWN_H

#include "base/status.h"
#include "local/texts/text_support.h"

/* Bits of the first length, and of what a later length adds, at most. */
#define SC_PREFIX_STEP 20

typedef struct sc_prefix_candidate {
    uint8_t text[SC_TEXT_BITS / 8]; /* zeros behind the prefix */
    uint64_t count;
} sc_prefix_candidate;

typedef struct sc_prefix_search {
    sc_prefix_candidate
        *candidates; /* of the last length, by text; the caller frees them */
    size_t count;
    uint64_t reports[SCRIM_LOCAL_PREFIXES]; /* of each group */
    uint64_t dropped;                       /* that no device can have sent */
} sc_prefix_search;

/* reports: of a configuration of prefix, one after the other. keep: how many prefixes of each length go on,
 * at least 1. SCRIM_E_LIMIT: a step is too long, or there are too many candidates. */
SCRIM_MUST_USE scrim_status sc_prefix_search_run(const scrim_local_config *config,
                                                 const uint8_t *reports, size_t count,
                                                 size_t keep, sc_prefix_search *out,
                                                 scrim_error *error);

#endif
