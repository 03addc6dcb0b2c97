/* Which build this is: the one that ships, or the one for tests, which is never installed. The noise
 * of the latter can come from a chosen seed, and its vaults are refused by the former. */
#ifndef SC_BASE_BUILD_KIND_H
#define SC_BASE_BUILD_KIND_H

#include <stdbool.h>

extern const bool sc_is_test_build;

#endif
