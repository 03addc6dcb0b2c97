/* NULL: what stands for a value that is missing or cannot be read, where the column has no default.
 *
 * It is a value that no present one can be, so that it goes wherever values go: among integers one
 * that is beyond every range, among texts a byte that is in no UTF-8. Both come behind all
 * others in the order of keys. Whatever computes with values asks for it first.
 *
 * Claim  null-value.apart  NULL is no value of any column, and is behind all of them
 */
#ifndef SC_DATA_NULL_VALUE_H
#define SC_DATA_NULL_VALUE_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* Ranges are within 2^62 steps (column.h, extent.h). */
#define SC_NULL INT64_MAX

/* One byte, with padding behind it that can be read. */
sc_text sc_null_text(void);

static inline bool sc_text_is_null(sc_text text)
{
    return text.bytes == 1 && (unsigned char)text.start[0] == 0xff;
}

#endif
