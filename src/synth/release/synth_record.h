/* The record of a synthetic release in the ledger: the declared facts of its columns, and the released numbers. The
 * model, rows and reports follow from it without the vault's policy or the source. docs/ledger-format.md describes it.
 *
 *     synthetic 1
 *     dataset adult
 *     version 1
 *     epsilon 1
 *     delta 1/1000000000
 *     rho 14973/1000000
 *     refines 3
 *     policy unit=row
 *     policy column=age=int[17,90]
 *     column age
 *     cut 17:5:15
 *     column job
 *     selection threshold-truncated epsilon=0.2 ...
 *     kept clerk
 *     never 5 1,3
 *     query age=20..39, sex=Female
 *     released
 *     synth 1
 *     ...
 *
 * Claim  synth-record.back  what is read from a record is what was written; any other line is refused
 */
#ifndef SC_SYNTH_RECORD_H
#define SC_SYNTH_RECORD_H

#include "synth/release/synth_domain.h"

typedef struct sc_synth_record {
    sc_text dataset;
    uint64_t version;
    /* rho is empty where the release is pure, or has selected categories */
    sc_text epsilon, delta, rho;
    uint64_t refines; /* an earlier release; 0: none */
    const sc_schema *schema;
    sc_synth_domain domain;
    const char *names[SC_SYNTH_PLAN_COLUMNS], *cuts[SC_SYNTH_PLAN_COLUMNS];
    const sc_synth_zero *zeros;
    sc_synth_released released;
    char *text; /* its own copy */
    sc_arena arena;
} sc_synth_record;

/* The options that its model is made with. */
static inline sc_released_options sc_synth_record_options(const sc_synth_record *r)
{
    return (sc_released_options){.zeros = r->zeros,
                                 .zero_count = r->domain.never_count,
                                 .queries = r->domain.queries,
                                 .query_count = r->domain.query_count};
}

/* The record of a plan whose categories are all known in the domain. Terminated, freed by sc_free; NULL without memory. */
char *sc_synth_record_write(const scrim_synth *synth, const sc_synth_domain *domain,
                            const sc_synth_released *released);
/* out is for sc_synth_record_clear whatever happens. SCRIM_E_CHECK, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_synth_record_read(const char *text, sc_synth_record *out,
                                                 scrim_error *error);
void sc_synth_record_clear(sc_synth_record *record);

/* Its columns as options have them: names, and `cut_count` cuts, in the arena. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_synth_record_columns(
    const sc_synth_record *record, sc_arena *arena, const char **names,
    const char *cuts[SC_SYNTH_PLAN_COLUMNS], size_t *cut_count, scrim_error *error);

#endif
