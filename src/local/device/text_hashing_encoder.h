/* Local hashing of a text in the field of 2^64 elements, modulo x^64 + x^4 + x^3 + x + 1.
 *
 * A text of n bytes, with zeros behind it up to a multiple of eight, is read as 64-bit words X1, X2, ...
 * whose first byte is the highest. There are `cells` cells, a power of two. For each word the device draws a
 * word A1, A2, ...; the cell is the number that the highest log2(cells) bits of A1 X1 + A2 X2 + ... make, the
 * products and sums those of the field. Two texts share a cell with probability exactly 1/cells. The report is
 * A1, A2, ..., in eight bytes each, the lowest first, then the randomised response of the cell over all cells.
 *
 * "prefix", for unknown texts: the device draws one of the groups, and keeps of the text the first bits,
 * as many as the group says, and zeros behind them; the group's number stands before the report.
 */
#ifndef SL_TEXT_HASHING_ENCODER_H
#define SL_TEXT_HASHING_ENCODER_H

#include "local/device/kind.h"

extern const sl_kind sl_text_hashing, sl_prefix;

/* Bytes of a text: the length of its longest prefix fits a byte. */
#define SL_TEXT_LIMIT 31
#define SL_TEXT_WORDS 4
#define SL_CELLS_LIMIT 65536

/* The bits of a cell: log2 of a number of cells. */
static inline uint32_t sl_cell_bits(uint32_t cells)
{
    uint32_t bits = 0;
    while (cells >> bits > 1)
        bits++;
    return bits;
}

/* The product in the field. */
uint64_t sl_field_product(uint64_t a, uint64_t b);
/* The words of a text, all but the first `bits` bits zeros; how many there are. */
uint32_t sl_text_words(const uint8_t *text, uint32_t bytes, uint32_t bits,
                       uint64_t words[SL_TEXT_WORDS]);

#endif
