/* Which build of the library this is: the number that the linker computes over what it links,
 * as the program or the shared library carries it. */
#ifndef SC_BASE_BUILD_ID_H
#define SC_BASE_BUILD_ID_H

#include <stdbool.h>

/* A SHA-1 has 20 bytes. */
#define SC_BUILD_ID_BYTES 129

/* Small hexadecimal digits; false, with "" in text, when the linker has left none. */
bool sc_build_id(char text[SC_BUILD_ID_BYTES]);

/* Which build this is: the one that ships, or the one for tests, which is never installed. The noise
 * of the latter can come from a chosen seed, and its vaults are refused by the former. */

extern const bool sc_is_test_build;

#endif
