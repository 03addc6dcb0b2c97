/* RAPPOR's reports over candidate texts: how many devices hold each.
 *
 *     const char *line = "scrim-local/1 question=home protocol=rappor …\n";
 *     scrim_local_config config;
 *     uint64_t reports[2] = {5000, 5000}, ones[2 * 32] = {0};
 *     const scrim_local_counts counts = {reports, ones};
 *     const uint8_t texts[3 * 8] = "one";
 *     scrim_local_candidate rows[3];
 *     scrim_local_explained explained;
 *     if (scrim_local_config_parse(line, &config) == SCRIM_LOCAL_OK &&
 *         scrim_local_candidates_decode(&config, &counts, texts, 3, rows, &explained,
 *                                       &error) == SCRIM_OK)
 *         printf("%.0f devices\n", rows[0].estimate);
 *
 * The counts are made of reports that are private already, so decoding is free; it computes in doubles.
 * Steps: debias the bit counts; select candidates by a penalised regression whose penalty is found by
 * cross-validation over cohorts; fit those selected by weighted least squares without negative values; keep
 * those whose one-sided p-value is below 0.05 divided by the number of candidates.
 *
 * Texts that are no candidates disturb the bits that candidates set. Standard errors are widened by the
 * squared residuals where these are larger than randomisation makes them.
 *
 * The selection is a procedure, not a theorem: errors and p-values are those of the fit, as if the
 * selected candidates had been given. Devices whose text is no candidate are estimated
 * together, so that they do not enter the candidates.
 *
 * Claim  local-candidates.cover  the interval of 1.96 errors about an estimate holds the number of devices in
 *                                93 to 97 of 100 collections, for candidates that are far from the threshold
 */
#ifndef SCRIM_LOCAL_CANDIDATES_H
#define SCRIM_LOCAL_CANDIDATES_H

#include "scrim/collection.h"
#include "scrim/status.h"
#include "scrim_local.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SCRIM_LOCAL_CANDIDATE_LEVEL 0.05

/* How often bits were 1, as `scrim local collect` counts them. */
typedef struct scrim_local_counts {
    const uint64_t *reports; /* [cohort] */
    const uint64_t *ones;    /* [cohort][bit] */
} scrim_local_counts;

typedef struct scrim_local_candidate {
    double estimate, error; /* devices that hold the text, and the standard error */
    double p_value;         /* of "no device holds it"; 1 if it was not selected */
    size_t
        same; /* the first candidate that sets the same bits in every cohort: its own index, or that of the
                  * one which is estimated for both */
    int is_selected, is_kept;
} scrim_local_candidate;

typedef struct scrim_local_explained {
    double devices;
    double unexplained, unexplained_error; /* devices less the estimates of those kept */
    double
        misfit; /* at least 1: how much more than randomisation is left of the squares; variances have it
                    * as a factor */
    double penalty, largest_penalty;
    size_t selected, kept;
} scrim_local_explained;

/* Decodes the counts of a configuration of rappor. texts: count of them, config->text bytes each; rows: as
 * many. Without a Bloom filter there are no texts: rows are config->bits values, and steps after the first
 * collapse to the debiased counts. SCRIM_E_PARAM: another protocol or number of values. SCRIM_E_LIMIT: a Bloom filter of 65,536 bits.
 * SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_local_candidates_decode(
    const scrim_local_config *config, const scrim_local_counts *counts,
    const uint8_t *texts, size_t count, scrim_local_candidate *rows,
    scrim_local_explained *out, scrim_error *error);

/* The same of the reports of a collection. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_collection_candidates(
    scrim_collection *collection, const uint8_t *texts, size_t count,
    scrim_local_candidate *rows, scrim_local_explained *out, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
