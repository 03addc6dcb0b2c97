#include "sparse_plans.h"

#include "exact.h"

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
