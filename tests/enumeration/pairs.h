/* The parameter pairs of the enumerations: the first five in `make test`, all in --long. */
#ifndef PAIRS_H
#define PAIRS_H

#include <stdint.h>

typedef struct pair {
    uint64_t n, d;
} pair;

#define PAIRS_QUICK 5

/* Scales t/s. */
static const pair pairs_scale[] = {
    {1, 1},  {10, 1}, {7, 3},  {1, 3},  {3, 2},  {2, 1},  {5, 1},  {1, 2},
    {2, 3},  {4, 3},  {5, 4},  {8, 1},  {9, 2},  {11, 7}, {13, 5}, {16, 1},
    {1, 10}, {20, 3}, {25, 9}, {31, 4}, {40, 1}, {3, 8},  {64, 5}, {50, 7},
};
#define PAIRS_SCALE (sizeof pairs_scale / sizeof *pairs_scale)

/* Exponents n/d of exp(-n/d). */
static const pair pairs_exponent[] = {
    {1, 2},  {7, 3},  {1, 1},     {0, 1},       {999, 1000}, {1, 4},  {3, 2},  {4, 1},
    {1, 9},  {5, 7},  {2, 1},     {13, 4},      {1, 1000},   {6, 5},  {17, 8}, {3, 1},
    {22, 7}, {33, 8}, {100, 101}, {1, 1000003}, {9, 10},     {12, 5},
};
#define PAIRS_EXPONENT (sizeof pairs_exponent / sizeof *pairs_exponent)

/* Variances a/b. */
static const pair pairs_variance[] = {
    {1, 1},  {25, 4}, {1, 4},  {9, 1},  {2, 3},  {1, 2},  {4, 1},  {7, 2},
    {16, 1}, {5, 3},  {30, 1}, {3, 10}, {49, 4}, {11, 1}, {64, 9}, {2, 1},
    {3, 1},  {81, 8}, {1, 9},  {20, 7}, {36, 1}, {50, 3},
};
#define PAIRS_VARIANCE (sizeof pairs_variance / sizeof *pairs_variance)

#endif
