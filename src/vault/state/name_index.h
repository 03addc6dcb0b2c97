/* Numbers by name, for lists that are too long to be searched: a table of hashes beside an array
 * whose items have names. The array is the caller's, and may move.
 *
 * Claim  name_index.last  a name is found as the number that was put under it last, and what was
 *                         never put is not found
 */
#ifndef SC_VAULT_NAME_INDEX_H
#define SC_VAULT_NAME_INDEX_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sc_name_index {
    size_t *places;  /* numbers, from 1 on; 0: free */
    size_t capacity; /* 0, or a power of 2 */
    size_t count;
} sc_name_index;

/* The name that a number of the list has. */
typedef const char *sc_name_of(const void *list, size_t number);

void sc_name_index_clear(sc_name_index *index);
/* Room for one more; false without memory, and nothing has changed. */
bool sc_name_index_reserve(sc_name_index *index, sc_name_of *name_of, const void *list);
/* After a reserve. A number of the same name gives way. */
void sc_name_index_put(sc_name_index *index, sc_name_of *name_of, const void *list,
                       size_t number);
/* 0: there is none. */
size_t sc_name_index_find(const sc_name_index *index, sc_name_of *name_of,
                          const void *list, sc_text name);

#endif
