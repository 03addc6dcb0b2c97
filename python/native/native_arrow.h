/* The struct of Arrow's C stream interface, beside those of scrim/feed.h, and the names of their capsules. */
#ifndef SCRIM_NATIVE_ARROW_H
#define SCRIM_NATIVE_ARROW_H

#include "native.h"

#define NATIVE_ARROW_SCHEMA "arrow_schema"
#define NATIVE_ARROW_ARRAY "arrow_array"
#define NATIVE_ARROW_STREAM "arrow_array_stream"

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
#endif

#endif
