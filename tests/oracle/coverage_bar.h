/* How often intervals of 0.95 must have had the truth in them. A right engine misses the bar less than once in 1e9
 * times: with many trials it is 0.94, with few what chance allows. */
#ifndef COVERAGE_BAR_H
#define COVERAGE_BAR_H

#include <stdbool.h>
#include <stdint.h>

bool covers_enough(uint64_t covered, uint64_t trials);

#endif
