/* Structs of options, as a caller hands them in: the first member is the size that the caller's
 * header gave the struct, so that it can grow.
 *
 * Claim  options.grow  a struct of zeros is refused; an older and shorter one is read as far as it
 *                      goes; a newer and longer one is refused where it asks for something that
 *                      this library does not know
 */
#ifndef SC_MODEL_OPTION_STRUCT_H
#define SC_MODEL_OPTION_STRUCT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* least is the number of bytes that every version had, known the size of the struct here.
 * SCRIM_E_PARAM when there is no struct, or no size; and when anything behind known is not 0. */
SCRIM_MUST_USE scrim_status sc_option_struct_check(const void *options, size_t least,
                                                   size_t known, scrim_error *error);
/* The same, and a whole struct of known bytes in out: what the caller's has, zeros behind it. Without
 * options (NULL) it is all zeros, for structs of which every member may be left out. */
SCRIM_MUST_USE scrim_status sc_option_struct_copy(const void *options, size_t least,
                                                  void *out, size_t known,
                                                  scrim_error *error);
/* Does a struct of so many bytes hold this member? */
bool sc_option_struct_holds(size_t size, size_t offset, size_t bytes);

/* A text member; NULL where the struct ends before it. */
#define SC_OPTION(options, member)                                                       \
    (sc_option_struct_holds((options)->size, offsetof(__typeof__(*(options)), member),   \
                            sizeof(options)->member)                                     \
         ? (options)->member                                                             \
         : NULL)

#endif
