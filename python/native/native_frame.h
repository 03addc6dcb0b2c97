/* Rows in memory, for releases that are one call (scrim/feed.h). */
#ifndef SCRIM_NATIVE_FRAME_H
#define SCRIM_NATIVE_FRAME_H

#include "native.h"

/* The frame of a capsule or None, with the version of its contents or NULL. used is out, or NULL where there is
 * neither. False with TypeError. The capsule must live as long. */
bool native_frame_read(PyObject *object, const char *version, scrim_frame *out,
                       const scrim_frame **used);

#endif
