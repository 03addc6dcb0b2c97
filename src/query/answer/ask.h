/* Queries: scrim_query_run and scrim_query_replay, and the state that a feed shares with them.
 *
 * Claim  ask.quiet      of two sources of one schema nothing differs in what is seen but the
 *                       numbers, and the keys that were kept (A54, A55, A60)
 * Claim  ask.locale     the locale of the program changes nothing of what is read, written or shown (A100)
 */
#ifndef SC_QUERY_ASK_H
#define SC_QUERY_ASK_H

#include "query/answer/charged.h"
#include "query/answer/nested_groups.h"
#include "query/answer/noisy.h"
#include "query/plan/plan_model.h"
#include "scrim/query.h"

extern const sc_charged_kind sc_query_kind;

/* A query under way. It may not move. */
typedef struct sc_asking {
    sc_charged charged;
    const scrim_plan *plan;
    /* Where the plan finds its bounds: what is read and drawn now, first its ladders, then `found`, the plan of the
     * question with the totals that were found; else the plan itself. */
    const scrim_plan *drawn;
    scrim_plan *found;
    /* The largest bounds that can be found, and the plan with them: what cannot be planned or has no room with them is
     * refused before the charge. */
    sc_auto_bounds most;
    scrim_plan *widest;
    sc_noisy *
        ladders; /* the counts of their rungs, once they are drawn; by statement of the ladders' plan */
    size_t ladder_count;
    /* The key of the hashes of the second pass. Drawn with those of the first, so that which rows stay is decided before
     * anything is drawn. */
    sc_bits_key second;
    const scrim_plan *
        asked; /* of what is shown: the same, or in other words; NULL: as it was recorded */
    scrim_plan
        *joined; /* plan, where it is of a charge in other words that is finished */
    /* Called when the pass is open, before the charge, and once more when a charge is joined; its failure is a refusal. NULL:
     * nothing to do. Set by a feed. */
    scrim_status (*opened)(void *context, sc_pass *pass, scrim_error *error);
    void *context;
    scrim_result **out;           /* of the answer */
    const char *shown_confidence; /* NULL: that of the record */
    sc_pass *pass;
    sc_noisy *noisy;          /* by statement of `drawn` */
    size_t noisy_count;       /* the number of statements of `drawn` */
    sc_nested_groups *nested; /* by statement; NULL: the pass counts for each of them */
    const int64_t **counted;  /* by statement: widths of buckets that the pass counts */
    char confidence[SC_RATIO_TEXT_BYTES];
    sc_arena arena;
} sc_asking;

/* Fills in the charged release of a plan; sc_charged_begin or sc_charged_run is next. */
void sc_asking_init(sc_asking *asking, scrim_vault *vault, const scrim_plan *plan);
/* After sc_charged_clear or sc_charged_run. */
void sc_asking_clear(sc_asking *asking);

#endif
