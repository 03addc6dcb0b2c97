/* Support of texts: their cells, the reports in them, and the threshold for texts that nobody
 * holds. */
#ifndef SC_LOCAL_TEXT_SUPPORT_H
#define SC_LOCAL_TEXT_SUPPORT_H

#include "base/status.h"
#include "local/collect/text_forecast.h"
#include "local/device/set_encoders.h"
#include "scrim_local.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The cells of texts under the hash functions of text-hashing and prefix reports.
 *
 * The highest bits of a product in the field of 2^64 elements are linear in the text: the cell of a text is the
 * exclusive or of the cells of its bits. A report is looked at once, for the cells of all single bits;
 * every text is then a few exclusive ors, and no product is needed.
 */

#define SC_TEXT_BITS 256 /* of a text, in whole words */

/* A report behind its group. */
typedef struct sc_text_report {
    uint16_t bits
        [SC_TEXT_BITS]; /* the cell of a text whose only bit is this one; the highest bit of the first
                                  * byte is bit 0 */
    uint32_t cell; /* that it reports; out of range in a report that no device sends */
} sc_text_report;

void sc_text_report_read(const scrim_local_config *config, const uint8_t *report,
                         sc_text_report *out);
/* The sixteen texts of four bits, from bit `first` on: table[v] is the cell of the bits of v, the highest of
 * which is `first`. */
void sc_text_report_table(const sc_text_report *report, size_t first, uint16_t table[16]);

/* How many reports of text-hashing support each text of a list: those whose cell is the text's.
 *
 * Claim  text-support.same  the vectors of the machine count what plain code counts
 */

/* reports: of a configuration of text-hashing, one after the other. texts: config->text bytes each. counts:
 * one a text. dropped: reports that no device can have sent. */
SCRIM_MUST_USE scrim_status sc_text_support(const scrim_local_config *config,
                                            const uint8_t *reports, size_t count,
                                            const uint8_t *texts, size_t text_count,
                                            uint64_t *counts, uint64_t *dropped,
                                            scrim_error *error);

/* Ways to go over the texts for one report; text_support_test.c holds them against each other. */
typedef struct sc_text_planes {
    size_t quarters; /* of all bytes of a text */
    size_t padded;   /* texts, up to a multiple of 32 */
    uint8_t *values; /* [quarter byte][text] from 0 to 15 */
    uint32_t *hits;  /* [text] */
} sc_text_planes;

/* Tables [quarter byte][16]: of the low byte and of the high byte of the cell (NULL: cells have
 * one byte); adds 1 to the hits of each text whose cell is `cell`. False: this machine cannot. */
bool sc_text_planes_add_wide(sc_text_planes *planes, const uint8_t *low,
                             const uint8_t *high, uint32_t cell);
void sc_text_planes_add_plain(sc_text_planes *planes, const uint8_t *low,
                              const uint8_t *high, uint32_t cell);

/* Which counts of support are too large for a text that nobody holds: such a count is exactly binomial
 * (spec/local-additions.md 3). Tails are doubles; a millionth is added, which is far more than they err. The
 * threshold for one text is sc_support_threshold. */

/* The least count of a list by Benjamini and Yekutieli: the r largest counts are listed, r the largest with
 * P(Bin(n, q) >= the r-th) <= r alpha / (candidates (1 + 1/2 + ... + 1/candidates)). counts: falling, one a
 * candidate. n + 1: none is. */
uint64_t sc_support_threshold_rate(uint64_t n, double q, const uint64_t *counts,
                                   size_t candidates, double alpha);

#endif
