/* Facts that depend on what was released: a question of the query engine, or one measurement.
 *
 * Either says first what its parts are, from which the claim follows, and later puts its facts.
 */
#ifndef SC_QUERY_LABEL_PART_H
#define SC_QUERY_LABEL_PART_H

#include "data/schema.h"
#include "query/label.h"
#include "query/label_claim.h"
#include "query/label_source.h"
#include "query/record.h"

typedef struct sc_label_maker {
    const sc_label_source *source;
    scrim_label *label;
    bool is_query;
    sc_record record;        /* of a question */
    const sc_schema *schema; /* of the version that was asked */
    sc_claim_part *parts;
    size_t part_count;
    char epsilon[SCRIM_NUMBER_BYTES], delta[SCRIM_NUMBER_BYTES]; /* as charged */
    sc_arena arena;
} sc_label_maker;

/* Each sets parts, schema, epsilon and delta. SCRIM_E_LEDGER for what this version cannot read.
 */
SCRIM_MUST_USE scrim_status sc_label_query_read(sc_label_maker *maker,
                                                scrim_error *error);
SCRIM_MUST_USE scrim_status sc_label_run_read(sc_label_maker *maker, scrim_error *error);

/* The sections from mechanism to accuracy. */
SCRIM_MUST_USE scrim_status sc_label_query_put(sc_label_maker *maker, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_label_run_put(sc_label_maker *maker, scrim_error *error);

/* What both have in common: who is protected, by the schema; a column; what nobody protects. */
void sc_label_put_column(sc_label_maker *maker, size_t number, const sc_column *column);
void sc_label_put_unprotected(sc_label_maker *maker);
/* How large a group must be to be kept, where the measurement selects keys. */
void sc_label_put_kept(sc_label_maker *maker, size_t number,
                       const scrim_measurement *measurement);

SCRIM_MUST_USE scrim_status sc_label_no_memory(scrim_error *error);
SCRIM_MUST_USE scrim_status sc_label_unreadable(scrim_error *error);

#endif
