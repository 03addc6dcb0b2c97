#include "sparse_plans.h"

#include "exact.h"
#include "mechanism/sparse/sparse_law.h"

#include <string.h>

const sc_sparse_range sparse_plans_range = {-4, 4};

static bool make(sc_sparse_noise *noise, const char *text)
{
    const bool is_gaussian = text[0] == 'v';
    sc_ratio shape;
    exact_ratio(text + is_gaussian, &shape);
    bool made = CHECK_STATUS(
        sc_sparse_noise_init(noise, is_gaussian ? SC_SPARSE_GAUSSIAN : SC_SPARSE_LAPLACE,
                             &shape, NULL),
        SCRIM_OK);
    sc_ratio_clear(&shape);
    return made;
}

bool sparse_plan_init(sc_sparse_plan *plan, const sparse_plan_scales *scales)
{
    memset(plan, 0, sizeof *plan);
    plan->count = plan->stage_count = 1;
    plan->is_numeric = scales->value != NULL;
    return make(&plan->threshold, scales->threshold) &&
           make(&plan->query, scales->query) &&
           (scales->value == NULL || make(&plan->value, scales->value));
}

void sparse_plan_clear(sc_sparse_plan *plan)
{
    sc_sparse_noise_clear(&plan->threshold);
    sc_sparse_noise_clear(&plan->query);
    if (plan->is_numeric)
        sc_sparse_noise_clear(&plan->value);
}

/* Long runs. */

/* The probability of all answers of the groups, given the threshold's noise. */
static void group_term(const sc_sparse_plan *plan, const sc_crossing *crossing,
                       const sparse_group *groups, size_t count, int64_t z, bool of_above,
                       bool of_below, sc_ball *out)
{
    sc_ball part;
    sc_ball_init(&part);
    sc_ball_set_int64(out, 1);
    for (size_t i = 0; i < count; i++) {
        sc_int128 k = (sc_int128)plan->level + z - groups[i].at;
        if (of_above) {
            sc_crossing_above(crossing, k, &part);
            sc_ball_power(&part, &part, groups[i].above, crossing->bits);
            sc_ball_mul(out, out, &part, crossing->bits);
        }
        if (of_below) {
            sc_crossing_below(crossing, k, &part);
            sc_ball_power(&part, &part, groups[i].below, crossing->bits);
            sc_ball_mul(out, out, &part, crossing->bits);
        }
    }
    sc_ball_clear(&part);
}

static void group_sum(const sc_sparse_plan *plan, const sc_crossing *crossing,
                      const sparse_group *groups, size_t count, sc_ball *out)
{
    const int64_t reach = crossing->reach;
    sc_ball term;
    sc_ball_init(&term);
    sc_ball_set_int64(out, 0);
    for (int64_t z = -reach; z <= reach; z++) {
        group_term(plan, crossing, groups, count, z, true, true, &term);
        sc_ball_mul(&term, &term, &crossing->threshold[z < 0 ? -z : z], crossing->bits);
        sc_ball_add(out, out, &term, crossing->bits);
    }
    for (int side = -1; side <= 1; side += 2) {
        group_term(plan, crossing, groups, count, side * reach, side > 0, side < 0,
                   &term);
        sc_ball_mul(&term, &term, &crossing->outside, crossing->bits);
        sc_ball_add_rest(out, &term, crossing->bits);
    }
    sc_ball_clear(&term);
}

scrim_status sparse_group_law(const sc_sparse_plan *plan, const sparse_group *groups,
                              size_t count, long bits, sc_ball *out, scrim_error *error)
{
    uint64_t farthest = 0;
    for (size_t i = 0; i < count; i++) {
        const sc_int128 distance = (sc_int128)groups[i].at - plan->level;
        const uint64_t size = (uint64_t)(distance < 0 ? -distance : distance);
        farthest = size > farthest ? size : farthest;
    }
    sc_ball_scope scope;
    sc_crossing crossing;
    sc_ball_enter(&scope);
    scrim_status status = sc_crossing_init(&crossing, &plan->threshold.law,
                                           &plan->query.law, farthest, bits, error);
    if (status == SCRIM_OK) {
        group_sum(plan, &crossing, groups, count, out);
        sc_crossing_clear(&crossing);
    }
    sc_ball_leave(&scope);
    return status;
}
