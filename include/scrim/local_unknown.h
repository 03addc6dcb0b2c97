/* Texts that nobody has listed, from reports of the protocol prefix; and counts of listed texts, from reports of
 * text-hashing.
 *
 *     const char *line = "scrim-local/1 question=word protocol=prefix …\n";
 *     scrim_local_config config;
 *     scrim_local_unknown *found = NULL;
 *     const uint8_t reports[2 * 10] = {0};
 *     size_t rows = 0;
 *     if (scrim_local_config_parse(line, &config) == SCRIM_LOCAL_OK &&
 *         scrim_local_unknown_search(&config, reports, 2, NULL, &found, &error) == SCRIM_OK) {
 *         const scrim_local_text *texts = scrim_local_unknown_texts(found, &rows);
 *         for (size_t i = 0; i < rows; i++)
 *             printf("%.0f devices\n", texts[i].estimate);
 *     }
 *     scrim_local_unknown_free(found);
 *
 * Each device has reported once, in one group, with the whole epsilon. Decoding costs nothing; it reads all
 * reports, which cannot be added up to sums.
 *
 * Claim  local-unknown.alarm  the chance that the list has any text which no device holds is at most alpha;
 *                             with is_rate, the expected share of such texts in it is
 * Claim  local-unknown.cover  the interval of 1.96 errors about an estimate holds the number of devices in
 *                             about 95 of 100 collections
 */
#ifndef SCRIM_LOCAL_UNKNOWN_H
#define SCRIM_LOCAL_UNKNOWN_H

#include "scrim/status.h"
#include "scrim_local.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SCRIM_LOCAL_TEXT_BYTES 32

typedef struct scrim_local_unknown_options {
    size_t size;   /* set by SCRIM_OPTIONS */
    uint32_t keep; /* prefixes of each length that go on; 0: 64 */
    double alpha;  /* 0: 0.05 */
    int is_rate; /* 1: bounds the expected share of false texts (Benjamini, Yekutieli 2001), not their presence */
} scrim_local_unknown_options;

typedef struct scrim_local_text {
    uint8_t text[SCRIM_LOCAL_TEXT_BYTES]; /* zeros behind it */
    uint64_t count;                       /* reports of the last group that support it */
    double estimate,
        error;      /* devices of all groups that hold it, and the standard error */
    double p_value; /* of "no device holds it": an exact binomial tail */
} scrim_local_text;

typedef struct scrim_local_unknown_facts {
    uint64_t reports, dropped; /* dropped: no device can have sent them */
    uint64_t last_group;       /* reports of the last group */
    uint64_t candidates;       /* of the last group */
    uint64_t threshold; /* a text is listed if at least this many reports support it */
    /* Share of the devices that a text needs to be listed with a chance of about 0.9: to be kept in every group, where
     * other texts as frequent have at most half of the places, and to reach the threshold in the last. */
    double detectable;
} scrim_local_unknown_facts;

typedef struct scrim_local_unknown scrim_local_unknown;

/* reports: count of them back to back, without headers. options may be NULL; the caller frees the result.
 * SCRIM_E_PARAM: another protocol, or alpha is not between 0 and 1. SCRIM_E_LIMIT: lengths that grow by more than 20
 * bits, more than 2^24 candidates or 2^32 - 2 reports. SCRIM_E_MEMORY. out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_local_unknown_search(const scrim_local_config *config, const uint8_t *reports,
                           size_t count, const scrim_local_unknown_options *options,
                           scrim_local_unknown **out, scrim_error *error);
/* The same of text-hashing and of a list of texts, config->text bytes each, zeros behind shorter ones: these are the
 * candidates, whatever keep says. All are listed where no text is left out by alpha = 1. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_local_unknown_count(
    const scrim_local_config *config, const uint8_t *reports, size_t count,
    const uint8_t *texts, size_t text_count, const scrim_local_unknown_options *options,
    scrim_local_unknown **out, scrim_error *error);
/* NULL is allowed. */
SCRIM_API void scrim_local_unknown_free(scrim_local_unknown *found);

/* The texts, the most frequent first. They live as long as the handle. */
SCRIM_API const scrim_local_text *
scrim_local_unknown_texts(const scrim_local_unknown *found, size_t *count);
SCRIM_API void scrim_local_unknown_describe(const scrim_local_unknown *found,
                                            scrim_local_unknown_facts *out);

#ifdef __cplusplus
}
#endif

#endif
