#include "query/plan/measured.h"
#include "query/plan/plan_choice.h"
#include "query/plan/plan_measure.h"

/* The interval of a sum of two noises beside that of one, at 0.95: of Laplace noise 4.13 scales to 3, of Gaussian noise the root
 * of 2. */
#define LAPLACE_PERCENT 138
#define GAUSSIAN_PERCENT 142

/* The aggregate whose rows are to be a cell, counted from 1: the one with the smallest text, whatever the order of columns; 0:
 * none can be. */
static scrim_status find_candidate(const sc_planned_statement *s, sc_arena *arena,
                                   size_t *out, scrim_error *error)
{
    sc_measured measured;
    sc_text least = {NULL, 0};
    *out = 0;
    for (size_t i = 0; i < s->query->aggregate_count; i++) {
        if (!sc_statistics_may_have_cells(s->query, &s->statistics, i))
            continue;
        if (*out == 0 && !sc_measured_of(s->query, &s->statistics, arena, &measured))
            return sc_no_memory(error, "a plan");
        const sc_text text = measured.statistics[s->statistics.uses[i].rows];
        if (*out == 0 || sc_text_compare(text, least) < 0) {
            least = text;
            *out = i + 1;
        }
    }
    return SCRIM_OK;
}

static void norms_of_rows(const scrim_plan *plan, const sc_planned_statement *s,
                          size_t aggregate, sc_norms *out)
{
    const sc_reach reach = sc_plan_reach(s, plan->neighbours);
    sc_plan_norms(s, &s->statistics.list[s->statistics.uses[aggregate].rows], &reach,
                  out);
}

/* Do both cells cost as much as one count? A unit that is replaced within a group moves both. */
static bool cost_as_much(const scrim_plan *plan, const sc_planned_statement *cells,
                         const sc_planned_statement *apart)
{
    SC_OWN(sc_norms, both, one);
    norms_of_rows(plan, cells, cells->cells - 1, &both);
    norms_of_rows(plan, apart, cells->cells - 1, &one);
    return sc_ratio_compare(&both.l1, &one.l1) <= 0 &&
           sc_ratio_compare(&both.l2, &one.l2) <= 0;
}

/* The errors of all aggregates of one statement that has the whole budget, each as a multiple of what it could have alone,
 * multiplied. */
static scrim_status multiply_errors(const scrim_plan *plan, const sc_planned_statement *s,
                                    sc_integer *out, scrim_error *error)
{
    const bool is_gaussian = plan->options.noise == SC_PLAN_GAUSSIAN;
    scrim_plan alone = *plan;
    sc_division division;
    alone.statements = s;
    alone.statement_count = 1;
    alone.options.guesses.count = 0; /* lent, and not cleared */
    const scrim_status status = sc_division_make(&alone, is_gaussian, &division, error);
    sc_integer_set_int128(out, 1);
    for (size_t i = 0; status == SCRIM_OK && i < division.aggregate_count; i++) {
        const bool is_sum = s->statistics.uses[i].missing != SC_STATISTIC_NONE;
        sc_integer_mul_uint64(out, out, division.ratios[i]);
        sc_integer_mul_uint64(out, out,
                              !is_sum       ? 100
                              : is_gaussian ? GAUSSIAN_PERCENT
                                            : LAPLACE_PERCENT);
    }
    sc_division_clear(&division);
    return status;
}

scrim_status sc_cells_other(const sc_planned_statement *s, sc_arena *arena,
                            sc_planned_statement *out, bool *is_any, scrim_error *error)
{
    *out = *s;
    out->cells = 0;
    if (s->cells == 0)
        SC_TRY(find_candidate(s, arena, &out->cells, error));
    *is_any = out->cells != s->cells;
    return *is_any ? sc_plan_statistics_of(out, arena, &out->statistics, error)
                   : SCRIM_OK;
}

scrim_status sc_cells_choose(const scrim_plan *plan, sc_arena *arena,
                             sc_planned_statement *s, scrim_error *error)
{
    sc_planned_statement other;
    bool is_any = false;
    SC_OWN(sc_integer, product, product_of_other);
    /* Releases of a series are drawn alike, sums of one another count all rows, and given shares are of one number each. */
    if (plan->has_series || plan->source > 0 || plan->options.share_count > 0)
        return SCRIM_OK;
    SC_TRY(sc_cells_other(s, arena, &other, &is_any, error));
    if (!is_any)
        return SCRIM_OK;
    const sc_planned_statement *cells = s->cells > 0 ? s : &other,
                               *apart = s->cells > 0 ? &other : s;
    bool has_cells = cost_as_much(plan, cells, apart);
    if (has_cells) {
        SC_TRY(multiply_errors(plan, cells, &product, error));
        SC_TRY(multiply_errors(plan, apart, &product_of_other, error));
        has_cells = sc_integer_compare(&product, &product_of_other) < 0;
    }
    if (has_cells != (s->cells > 0))
        *s = other;
    return SCRIM_OK;
}
