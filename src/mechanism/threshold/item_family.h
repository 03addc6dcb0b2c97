/* Families of item sets that are public: candidates, made of the sets that were released.
 *
 * A set of k items is one number: the items in order, each with the same number of bits, the last one lowest. A
 * family has sets of one size, in order.
 *
 * Claim  item-family.next  the candidates are the sets one larger of which every subset one smaller is
 *                          in the family, the first SC_ITEM_FAMILY_MAX of them
 * Claim  item-family.most  no l items hold more sets of the family than most says, and where that took
 *                          few steps some do
 *
 * Reference  spec/synthetic.md 8
 */
#ifndef SC_MECHANISM_ITEMS_ITEM_FAMILY_H
#define SC_MECHANISM_ITEMS_ITEM_FAMILY_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

#define SC_ITEM_FAMILY_MAX ((size_t)32768) /* sets */
#define SC_ITEM_FAMILY_SIZE 6              /* items of a set */

typedef struct sc_item_family {
    uint64_t *sets;
    size_t count;
    size_t size;    /* items of a set */
    unsigned bits;  /* of an item */
    int64_t *items; /* those of its sets, in order */
    size_t item_count;
} sc_item_family;

void sc_item_family_clear(sc_item_family *family); /* zeros are allowed */

/* The candidates one larger, from sets of size items in order; cleared in any case.
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_item_family_next(const uint64_t *sets, size_t count,
                                                size_t size, unsigned bits,
                                                sc_item_family *out, scrim_error *error);

/* The largest number of sets of the family that a number of items can hold. */
uint64_t sc_item_family_most(const sc_item_family *family, uint64_t items);

/* Adds 1 to the counts of the sets that items, in order, hold: a count for each set of the family. */
void sc_item_family_count(const sc_item_family *family, const int64_t *items,
                          size_t count, int64_t *counts);

#endif
