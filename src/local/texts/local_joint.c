#include "scrim/local_joint.h"

#include "base/memory.h"
#include "local/texts/joint_law.h"
#include "local/texts/report_likelihood.h"

#include <stdlib.h>
#include <string.h>

/* Pairs of reports, of which equal ones are counted together. */
typedef struct joint_pairs {
    sc_report_likelihood first, second;
    size_t bytes;    /* of a pair */
    uint8_t *sorted; /* the pairs, each behind its length, in order */
    double *u, *v;
    uint64_t *weights;
} joint_pairs;

/* A record is the length of a pair in 8 bytes, then the pair: qsort has no context. */
static int compare(const void *a, const void *b)
{
    uint64_t bytes = 0;
    memcpy(&bytes, a, sizeof bytes);
    return memcmp((const uint8_t *)a + sizeof bytes, (const uint8_t *)b + sizeof bytes,
                  (size_t)bytes);
}

static void sort_pairs(joint_pairs *pairs, const uint8_t *reports, size_t count)
{
    const uint64_t bytes = pairs->bytes;
    const size_t stride = sizeof bytes + pairs->bytes;
    for (size_t i = 0; i < count; i++) {
        memcpy(pairs->sorted + i * stride, &bytes, sizeof bytes);
        memcpy(pairs->sorted + i * stride + sizeof bytes, reports + i * bytes,
               pairs->bytes);
    }
    qsort(pairs->sorted, count, stride, compare);
}

/* Weights of those that differ, which move to the front; how many there are. */
static size_t count_pairs(joint_pairs *pairs, size_t count)
{
    const size_t stride = sizeof(uint64_t) + pairs->bytes;
    size_t kinds = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t *record = pairs->sorted + i * stride;
        if (kinds == 0 || compare(record, pairs->sorted + (kinds - 1) * stride) != 0)
            memmove(pairs->sorted + kinds++ * stride, record, stride);
        pairs->weights[kinds - 1]++;
    }
    return kinds;
}

static void fill_likelihoods(joint_pairs *pairs, size_t kinds)
{
    const size_t rows = pairs->first.variable->values;
    const size_t columns = pairs->second.variable->values;
    const uint8_t *pair = pairs->sorted + sizeof(uint64_t);
    for (size_t i = 0; i < kinds; i++, pair += sizeof(uint64_t) + pairs->bytes) {
        sc_report_likelihood_fill(&pairs->first, pair, pairs->u + i * rows);
        sc_report_likelihood_fill(&pairs->second, pair + pairs->first.bytes,
                                  pairs->v + i * columns);
    }
}

static scrim_status fit(joint_pairs *pairs, size_t count, double *counts, double *errors,
                        unsigned *passes, scrim_error *error)
{
    sc_joint_pairs joint = {.rows = pairs->first.variable->values,
                            .columns = pairs->second.variable->values,
                            .weights = pairs->weights,
                            .devices = (double)count};
    joint.count = count_pairs(pairs, count);
    pairs->u = sc_allocate(joint.count, joint.rows * sizeof *pairs->u);
    pairs->v = sc_allocate(joint.count, joint.columns * sizeof *pairs->v);
    if (pairs->u == NULL || pairs->v == NULL)
        return sc_no_memory(error, "a joint table");
    fill_likelihoods(pairs, joint.count);
    joint.first = pairs->u;
    joint.second = pairs->v;
    scrim_status status = sc_joint_law_fit(&joint, counts, passes, error);
    if (status == SCRIM_OK)
        status = sc_joint_law_errors(&joint, counts, errors, error);
    for (size_t c = 0; c < joint.rows * joint.columns && status == SCRIM_OK; c++)
        counts[c] *= joint.devices;
    return status;
}

static scrim_status check(joint_pairs *pairs, const scrim_local_variable variables[2],
                          size_t count, scrim_error *error)
{
    scrim_status status =
        sc_report_likelihood_init(&pairs->first, &variables[0], "first", error);
    if (status == SCRIM_OK)
        status =
            sc_report_likelihood_init(&pairs->second, &variables[1], "second", error);
    if (status != SCRIM_OK)
        return status;
    if (variables[0].values > SCRIM_LOCAL_JOINT_CELLS / variables[1].values)
        return sc_fail(error, SCRIM_E_LIMIT, "a joint table has at most %d cells",
                       SCRIM_LOCAL_JOINT_CELLS);
    if (count == 0)
        return sc_fail(error, SCRIM_E_STATE, "there is no report to decode");
    pairs->bytes = pairs->first.bytes + pairs->second.bytes;
    pairs->sorted = sc_allocate(count, sizeof(uint64_t) + pairs->bytes);
    pairs->weights = sc_allocate(count, sizeof *pairs->weights);
    return pairs->sorted == NULL || pairs->weights == NULL
               ? sc_no_memory(error, "a joint table")
               : SCRIM_OK;
}

scrim_status scrim_local_joint_decode(const scrim_local_variable variables[2],
                                      const uint8_t *reports, size_t count,
                                      double *counts, double *errors, unsigned *passes,
                                      scrim_error *error)
{
    joint_pairs pairs = {.sorted = NULL};
    scrim_status status = check(&pairs, variables, count, error);
    if (status == SCRIM_OK) {
        sort_pairs(&pairs, reports, count);
        status = fit(&pairs, count, counts, errors, passes, error);
    }
    sc_free(pairs.sorted);
    sc_free(pairs.weights);
    sc_free(pairs.u);
    sc_free(pairs.v);
    return status;
}
