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

#include <stddef.h>

/* A whole struct of known bytes in out: what the caller's has, zeros behind it. least is the number
 * of bytes that every version had, known the size of the struct here. SCRIM_E_PARAM where the caller's
 * has no size, and where anything behind known is not 0; out is then untouched. Without options
 * (NULL) it is all zeros: where a member is required, that is refused like any other without it. */
SCRIM_MUST_USE scrim_status sc_option_struct_copy(const void *options, size_t least,
                                                  void *out, size_t known,
                                                  scrim_error *error);

#endif
