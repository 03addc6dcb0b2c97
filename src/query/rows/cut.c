#include "query/rows/cut.h"

/* Cells end at these multiples of the total. */
static const uint64_t ends[] = {1, 4, 16};
#define ENDS (sizeof ends / sizeof *ends)

sc_cut_plan sc_cut_plan_of(sc_cut_kind kind, bool has_totals, uint64_t total)
{
    sc_cut_plan plan = {.kind = kind, .has_totals = has_totals};
    if (kind == SC_CUT_NOTHING)
        return plan;
    plan.count = has_totals ? 2 : 1;
    plan.from[plan.count++] = 1;
    for (size_t i = 0; i < ENDS; i++)
        plan.from[plan.count++] =
            total < UINT64_MAX / ends[i] ? ends[i] * total + 1 : UINT64_MAX;
    return plan;
}

size_t sc_cut_cell(const sc_cut_plan *plan, uint64_t left_out, bool is_clamped)
{
    size_t cell = plan->count - 1;
    if (left_out == 0)
        return plan->has_totals && is_clamped ? 1 : 0;
    while (plan->from[cell] > left_out)
        cell--;
    return cell;
}
