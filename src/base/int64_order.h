/* The order of 64-bit integers, for qsort and bsearch. */
#ifndef SC_BASE_INT64_ORDER_H
#define SC_BASE_INT64_ORDER_H

#include <stdint.h>

static inline int sc_int64_order(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static inline int sc_uint64_order(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

#endif
