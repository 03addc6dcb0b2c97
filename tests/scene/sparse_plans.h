/* Plans of sparse vector runs, for tests. */
#ifndef SPARSE_PLANS_H
#define SPARSE_PLANS_H

#include "mechanism/sparse/sparse_law.h"

/* Exact texts; a Gaussian has its variance with a leading "v": "v25". value may be NULL. */
typedef struct sparse_plan_scales {
    const char *threshold, *query, *value;
} sparse_plan_scales;

/* A plan of one stage that halts at the first answer above, with threshold 0. False, with a
 * failed check, when the noise cannot be made. */
bool sparse_plan_init(sc_sparse_plan *plan, const sparse_plan_scales *scales);
void sparse_plan_clear(sc_sparse_plan *plan);

/* The probability that, under one threshold, below[i] queries of value at[i] are all below and
 * above[i] of that value all above, for i < count: a long run as one outcome. */
typedef struct sparse_group {
    int64_t at;
    uint64_t below, above;
} sparse_group;
SCRIM_MUST_USE scrim_status sparse_group_law(const sc_sparse_plan *plan,
                                             const sparse_group *groups, size_t count,
                                             long bits, sc_ball *out, scrim_error *error);

/* The values of numeric runs in tests. */
extern const sc_sparse_range sparse_plans_range;

#endif
