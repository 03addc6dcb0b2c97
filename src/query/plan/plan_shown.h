/* The texts that the public interface shows of a plan; they live as long as it. */
#ifndef SC_QUERY_PLAN_SHOWN_H
#define SC_QUERY_PLAN_SHOWN_H

#include "base/memory.h"
#include "base/number/ratio.h"
#include "query/plan/plan_model.h"

/* Texts in an arena. A lack of memory is remembered, and the caller reports it once. */
typedef struct sc_texts {
    sc_arena *arena;
    bool has_failed;
} sc_texts;

/* All return NULL without memory. */
const char *sc_texts_text(sc_texts *w, const char *text);
const char *sc_texts_ratio(sc_texts *w, const sc_ratio *x);
const char *sc_texts_three(sc_texts *w, const sc_ratio *x); /* with three digits */
void *sc_texts_room(sc_texts *w, size_t count, size_t size);

/* The parts of a statement as `explain` shows them: draw, mechanism, share, cost and spread of the noise.
 * One entry a part; NULL without memory. Takes the cost of each part that has an epsilon from costs, in
 * order; a part with a rho costs that rho. */
const scrim_plan_part *sc_plan_show_parts(sc_texts *texts, const scrim_plan *plan,
                                          size_t statement, const sc_exact_cost **costs);

/* Other plans of a statement: rows counted the other way (plan_choice.h), and the other noise. errors are those of its outputs; shown are
 * its outputs. Sets how many there are. None are compared for batches of many parts, which would take long, nor where a plan
 * finds its bounds. SCRIM_E_MEMORY. */
#define SC_PLAN_OTHERS 3
SCRIM_MUST_USE scrim_status sc_plan_show_others(scrim_plan *plan, size_t statement,
                                                const sc_ratio *errors,
                                                const scrim_plan_output *shown,
                                                const scrim_plan_other **out,
                                                size_t *count, scrim_error *error);

/* errors are those of all outputs, one behind the other, as sc_plan_predict_outputs gives them. Sets
 * plan->shown. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_plan_show(scrim_plan *plan, const sc_ratio *errors,
                                         scrim_error *error);

#endif
