/* Encoders of one of k values, or of a text, as one draw of a set of outputs. */
#ifndef SL_SET_ENCODERS_H
#define SL_SET_ENCODERS_H

#include "local/device/kind.h"

/* Randomised response over k values: the value with weight a, each other one with weight b.
 *
 *     u = uniform(a + (k-1) b);  u < a: the value;  else j = (u - a) div b, and 1 more from the value on
 */

extern const sl_kind sl_response;

/* Projective geometry response (Feldman, Nelson, Nguyen, Talwar 2022).
 *
 * Values and outputs are the points of a projective space over the field of q elements, q prime: vectors
 * of t digits whose first nonzero digit is 1, K = (q^t-1)/(q-1) of them. An output on the hyperplane of
 * the value (the points whose product with it is 0) has weight a, each other one has weight b:
 *
 *     u = uniform(c a + q^(t-1) b), c = (q^(t-1)-1)/(q-1) points on a hyperplane
 *     u < c a:  z = digits of point (u div a) of the geometry with t-1 digits;          product 0
 *     else      z = the t-1 digits of (u - c a) div b;                                  product 1
 *     y = z with the one digit at the place of the value's leading 1 that makes this the product,
 *     divided by its first nonzero digit
 *
 * Digits are counted from the last: the point of index i whose leading 1 has weight q^j is the number
 * q^j + i - (q^j-1)/(q-1) in base q.
 */

extern const sl_kind sl_projective;

/* Hadamard response in J blocks of order b, a power of two.
 *
 * The value x is row i = x mod (b-1) + 1 of block j = x div (b-1); outputs are (j', y), as j' b + y. Those
 * of the own block with an even number of common ones in i and y have weight a, all others weight b:
 *
 *     u = uniform((b/2)(A + (2J-1) B));  u < (b/2) A: r = u div A, want = 0
 *     else r = (u - (b/2) A) div B, want = 1;  and from r = b/2 on the output is the one of index r - b/2
 *     of all other blocks
 *     y = r with a 0 inserted at the lowest one of i, and a 1 there if the parity of i & y is not `want`
 */

extern const sl_kind sl_hadamard;

/* Local hashing of a value by its digits: a hash function of a family drawn on the device, and randomised
 * response over its g cells, g prime.
 *
 *     s = uniform(g^m);  h = sum of products of the digits of s and of the value, mod g
 *     y = randomised response of h over g cells
 *
 * Two values share a cell with probability exactly 1/g over s, which the decoder relies on; s = 0 is one
 * of the functions.
 */

extern const sl_kind sl_hashing;

/* The cell of a value below g^digits under function s. */
static inline uint32_t sl_hashing_cell(sl_small g, uint32_t digits, uint32_t s,
                                       uint32_t x)
{
    uint32_t sum = 0;
    for (; digits > 0; digits--) {
        uint32_t left, right;
        s = sl_small_divide(g, s, &left);
        x = sl_small_divide(g, x, &right);
        sum += left * right;
    }
    return sl_small_modulo(g, sum);
}

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

/* Symmetric and optimised unary encoding: a bitmap with a bit for each of k values.
 *
 *     symmetric  the own bit is 1 with probability a/(a+b), each other one with b/(a+b); loss 2 ln(a/b)
 *     optimised  the own bit is 1 with probability 1/2, each other one with b/(a+b);     loss ln(a/b)
 *
 * 256 bits are drawn at once where a+b is a power of two, up to 2^32; else one after the other.
 */

extern const sl_kind sl_symmetric_unary, sl_optimised_unary;

/* Subset selection: a set of exactly d of k values, as a bitmap. Sets that hold the value have weight a,
 * all others weight b.
 *
 *     c = 1 with probability d a / (d a + (k-d) b): the value is in the set
 *     a uniform (d - c)-subset of the k-1 other values: place j of them is taken with probability
 *     (how many are needed) / (how many are left)
 */

extern const sl_kind sl_subset;

#endif
