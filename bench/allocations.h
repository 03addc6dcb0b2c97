/* Allocations made by this process since it started, by whatever library. */
#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

uint64_t allocations_made(void);
/* False in a sanitized build, whose allocator is the sanitizer's. */
bool allocations_are_counted(void);

#endif
