/* A joint table of two variables of the same devices, each of which has sent a report of both.
 *
 *     const char *lines[2] = {"scrim-local/1 question=sex protocol=randomised-response …\n",
 *                             "scrim-local/1 question=home protocol=randomised-response …\n"};
 *     scrim_local_config configs[2];
 *     const uint8_t pairs[4 * 2] = {0, 2, 1, 1, 0, 0, 1, 2};
 *     double counts[2 * 3], errors[2 * 3];
 *     unsigned passes;
 *     if (scrim_local_config_parse(lines[0], &configs[0]) == SCRIM_LOCAL_OK &&
 *         scrim_local_config_parse(lines[1], &configs[1]) == SCRIM_LOCAL_OK) {
 *         const scrim_local_variable variables[2] = {{&configs[0], NULL, 2}, {&configs[1], NULL, 3}};
 *         if (scrim_local_joint_decode(variables, pairs, 4, counts, errors, &passes, &error) == SCRIM_OK)
 *             printf("%.0f devices\n", counts[0]);
 *     }
 *
 * The counts are those of the most likely joint law, found by EM: never negative, and biased where they are
 * close to 0. Standard errors come from the observed information of the cells above 0, as if the others were
 * known to be empty; they are approximate. Decoding costs nothing; a device has paid for both reports.
 *
 * Claim  local-joint.cover  the interval of 1.96 errors about a cell that is far from 0 holds the number of devices in
 *                           about 95 of 100 collections
 */
#ifndef SCRIM_LOCAL_JOINT_H
#define SCRIM_LOCAL_JOINT_H

#include "scrim/status.h"
#include "scrim_local.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Cells of a table, at most. */
#define SCRIM_LOCAL_JOINT_CELLS 1024

typedef struct scrim_local_variable {
    const scrim_local_config *
        config; /* of randomised-response, subset-selection, a unary protocol or rappor */
    const uint8_t *
        texts; /* rappor with a Bloom filter: candidates, config->text bytes each; else NULL */
    size_t values; /* how many of them; else those of the configuration */
} scrim_local_variable;

/* reports: count pairs back to back, the report of the first variable and then that of the second, without
 * headers. counts and errors: [value of the first][value of the second]; errors are NAN where the count is 0
 * or the information does not suffice. passes: how many of EM.
 * SCRIM_E_PARAM: another protocol, or another number of values. SCRIM_E_LIMIT: too many cells. SCRIM_E_STATE: no
 * reports. SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_local_joint_decode(
    const scrim_local_variable variables[2], const uint8_t *reports, size_t count,
    double *counts, double *errors, unsigned *passes, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
