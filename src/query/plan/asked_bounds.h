/* The contribution bounds that a question says itself, as options or in its text:
 *
 *     SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.5, delta = 1e-9, max_rows_contributed = 20,
 *         max_groups_contributed = 3) ...
 *
 * as BigQuery and ZetaSQL write it. There and here max_rows_contributed is the total of a unit's rows. The question
 * is then planned as if its bounds stood in the policy, so that record, label and replay have them. Queries of a batch may say
 * different bounds: then each has its own, and its text in charge and record keeps the clause. Bounds decide noise
 * and truncation, never the guarantee; an owner may fix them all the same.
 *
 * Claim  asked-bounds.used  bounds that a question says are used, and no others, if they bound a unit by themselves;
 *                           0, NULL and numbers beyond 10^9 are refused
 * Reference  spec/query-semantics.md 2.4
 */
#ifndef SC_QUERY_ASKED_BOUNDS_H
#define SC_QUERY_ASKED_BOUNDS_H

#include "base/memory.h"
#include "data/value/schema.h"
#include "query/language/question.h"
#include "query/language/refusal.h"
#include "scrim/query.h"

typedef struct sc_asked_bounds {
    sc_bounds bounds;
    const char *totals; /* lines COLUMN=BOUND, as max-total has in a policy; NULL: none */
    const char *ranges; /* lines COLUMN, whose bound is to be found; NULL: none */
} sc_asked_bounds;

/* SCRIM_E_PARAM for what is not a whole number from 1 on. Borrows max_total. */
SCRIM_MUST_USE scrim_status sc_asked_bounds_read(const scrim_query_options *options,
                                                 sc_asked_bounds *out,
                                                 scrim_error *error);
/* Moves the lines COLUMN=auto of totals, which is copied into the arena, to ranges. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_asked_ranges_take(sc_asked_bounds *asked, sc_arena *arena,
                                                 scrim_error *error);
/* Does it say any? */
bool sc_asked_bounds_any(const sc_asked_bounds *asked);

/* The policy with these bounds in the place of the owner's, in the arena. SCRIM_E_POLICY where the owner has fixed
 * them, SCRIM_E_PARAM where each row is a unit, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_asked_bounds_apply(const sc_asked_bounds *asked,
                                                  const char *policy,
                                                  const sc_schema *schema,
                                                  sc_arena *arena, const char **out,
                                                  scrim_error *error);
/* The same for a policy and its schema, which become those with these bounds; the old schema is freed. Where none is
 * said both stay. As sc_asked_bounds_apply. */
SCRIM_MUST_USE scrim_status sc_asked_bounds_use(const sc_asked_bounds *asked,
                                                sc_arena *arena, const char **policy,
                                                const sc_schema **schema,
                                                scrim_error *error);
/* " max-groups=3 max-total-rows=60", as the charged text has it. */
void sc_asked_bounds_put(const sc_asked_bounds *asked, sc_text_sink *sink);

/* The clause of a query's text; an option that it does not name is empty, or 0. */
typedef struct sc_asked_clause {
    bool is_there;
    sc_text epsilon, delta;
    sc_bounds bounds;
} sc_asked_clause;

/* Reads the clause and writes spaces over it, so that places in the text stay what they are. SCRIM_E_SYNTAX,
 * SCRIM_E_PARAM with the place in refusal; SCRIM_E_MEMORY. A text that is no query is left to the parser. */
SCRIM_MUST_USE scrim_status sc_asked_clause_take(char *text, size_t bytes,
                                                 sc_arena *arena, sc_asked_clause *out,
                                                 sc_refusal *refusal);

/* Shows the place of a refusal in the text of that query of a batch. caret may be NULL. */
void sc_caret_show(size_t query, sc_text text, const sc_refusal *refusal,
                   scrim_caret *caret);

/* The queries of a batch without their clauses, and the bounds of each that it says for itself alone. */
typedef struct sc_asked_queries {
    const char **texts;
    sc_bounds *own; /* zeros: those of the batch */
} sc_asked_queries;

/* Copies the queries of a batch into the arena, since plans point into them, and puts the cost of their clauses into given, and
 * bounds that all of them say. SCRIM_E_PARAM if an option stands there already, or a clause of a batch has a cost; caret shows
 * the place. */
SCRIM_MUST_USE scrim_status sc_asked_clauses_take(const char *const *queries,
                                                  size_t count, sc_arena *arena,
                                                  scrim_query_options *given,
                                                  sc_asked_queries *out,
                                                  scrim_caret *caret, scrim_error *error);

/* The schema with bounds that one query of a batch says for itself, in the arena, which the schema outlives. As
 * sc_asked_bounds_apply. */
SCRIM_MUST_USE scrim_status sc_asked_schema(const sc_bounds *own, const sc_schema *schema,
                                            sc_arena *arena, const sc_schema **out,
                                            scrim_error *error);
/* The canonical text of a query with the clause of its own bounds, in the arena; NULL without memory. */
const char *sc_asked_text(sc_text canonical, const sc_bounds *own, sc_arena *arena);
/* A recorded query, whose text may have such a clause, with the schema that it was asked of. As sc_validate. */
SCRIM_MUST_USE scrim_status sc_asked_query(sc_text text, sc_text dataset,
                                           const sc_schema *schema, sc_arena *arena,
                                           const sc_query **out,
                                           const sc_schema **bounded,
                                           sc_refusal *refusal);

#endif
