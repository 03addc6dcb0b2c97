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

/* Take structs out of their capsules, as the interface wants it: nobody else can read or release them. False, with an
 * error set, where somebody did before. */
bool native_stream_take(PyObject *capsule, struct ArrowArrayStream *out);
bool native_array_take(PyObject *schema_capsule, PyObject *array_capsule,
                       struct ArrowSchema *schema, struct ArrowArray *array);
/* The exception that Python raised while a stream of arrow_pulled was read, if it ends the program, as
 * KeyboardInterrupt does; else NULL, also for any other stream. The caller owns it. */
PyObject *native_pulled_raised(const struct ArrowArrayStream *stream);
/* A stream is the caller's: its messages may speak of rows, so none of them is shown. Returns SCRIM_E_INPUT. */
scrim_status native_stream_failed(scrim_error *error);
/* Without the lock: false where a handler of a signal has raised, as that of Ctrl-C does. */
bool native_signals_look(PyObject **raised);

#endif
