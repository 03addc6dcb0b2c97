/* The cells of texts under the hash functions of text-hashing and prefix reports.
 *
 * The highest bits of a product in the field of 2^64 elements are linear in the text: the cell of a text is the
 * exclusive or of the cells of its bits. A report is looked at once, for the cells of all single bits;
 * every text is then a few exclusive ors, and no product is needed.
 */
#ifndef SC_LOCAL_TEXT_CELLS_H
#define SC_LOCAL_TEXT_CELLS_H

#include "local/device/text_hashing_encoder.h"
#include "scrim_local.h"

#include <stddef.h>
#include <stdint.h>

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

/* The probability that a report supports the text that its device holds; of any other it is 1/cells. */
double sc_text_report_truth(const scrim_local_config *config);

#endif
