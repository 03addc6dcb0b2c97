/* Numbers for which the allocator has no memory. Between refusing_begin and refusing_end every
 * allocation of GMP, FLINT and Arb goes where it goes when malloc has failed: to the reserve
 * (base/reserve.h), and counts as a failure of the test where that has nothing left. Blocks from
 * before are freed as before. */
#ifndef REFUSING_H
#define REFUSING_H

#include <stddef.h>

void refusing_begin(void);
void refusing_end(void);
/* Allocations since refusing_begin. */
size_t refusing_count(void);

#endif
