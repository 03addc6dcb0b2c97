/* What the files of the extension module share: handles, errors, callbacks.
 *
 * The module is thin: each function takes plain Python values, calls the public C API without the
 * interpreter's lock, and returns plain Python values. All else is Python (python/scrim). A handle of the
 * library is a capsule; its destructor frees it, and it keeps a reference to the vault that it needs.
 */
#ifndef SCRIM_NATIVE_H
#define SCRIM_NATIVE_H

#define PY_SSIZE_T_CLEAN
/* One module for 3.11 and all later versions: the limited API has buffers since then. Modules for 3.9 and 3.10, and for builds
 * without the interpreter's lock, are of one version each. */
#ifndef SCRIM_OF_ONE_PYTHON
#define Py_LIMITED_API 0x030b0000
#endif
#include "scrim.h"

#include <Python.h>
#include <stdbool.h>
#include <time.h>

/* The calls of the library: without the interpreter's lock, so that other threads go on. */
#define NATIVE_UNLOCKED(statement)                                                       \
    do {                                                                                 \
        PyThreadState *native_saved = PyEval_SaveThread();                               \
        statement;                                                                       \
        PyEval_RestoreThread(native_saved);                                              \
    } while (0)

/* Raises the exception of a status, made by scrim._errors; caret may be NULL. Returns NULL. */
PyObject *native_raise(const scrim_error *error, const scrim_caret *caret);
/* The same for a failure of the module itself. */
PyObject *native_fail(scrim_status status, const char *message);

/* None, or the exception of a status. */
PyObject *native_none(scrim_status status, const scrim_error *error);

/* Takes the value into a dictionary; value may be NULL, after an error. False with an error set. */
bool native_put(PyObject *dictionary, const char *key, PyObject *value);
/* Appends and takes the value likewise. */
bool native_append(PyObject *list, PyObject *value);
/* The dictionary or the list where is_done; else NULL, and it is released. */
PyObject *native_done(PyObject *object, bool is_done);

/* "" is None. */
PyObject *native_text(const char *text);
PyObject *native_cost(const scrim_cost *cost);
PyObject *native_certificate(const scrim_certificate *certificate);
PyObject *native_remainder(const scrim_remainder *remainder);

/* Calls back into Python while the library works, by the thread that called it: progress, and signals
 * a few times a second. What Python raises there is kept; the library is asked to stop, and
 * native_watch_raise raises it afterwards. */
typedef struct native_watch {
    PyObject *progress; /* a callable, or NULL */
    PyObject *raised;   /* an exception, or NULL */
    struct timespec looked;
} native_watch;
bool native_watch_init(native_watch *watch, PyObject *progress);
void native_watch_clear(native_watch *watch);
void native_watch_tell(void *context, uint64_t done, uint64_t total);
/* For is_cancelled: looks at signals now and then; 1 if something was raised. */
int native_watch_cancelled(void *context);
/* Looks at signals once more. True, and the exception is raised, where there is one. Ctrl-C is QueryInterrupted with this message. */
bool native_watch_raise(native_watch *watch, const char *message);

/* The exception that is set, which is then not set any more. */
PyObject *native_raised_take(void);
/* Raises such an exception, and takes it; KeyboardInterrupt is QueryInterrupted with the message. */
PyObject *native_raised_raise(PyObject *raised, const char *message);

/* Ctrl-C came too late to end the query. */
#define NATIVE_SHOWN_AGAIN "charged and answered; the same query again shows it, free"
#define NATIVE_ANSWERED "the release is " NATIVE_SHOWN_AGAIN

/* A vault. Between enter and leave it is not closed. */
typedef struct native_vault {
    scrim_vault *vault; /* NULL: closed */
    unsigned users;
} native_vault;
native_vault *native_vault_enter(PyObject *capsule);
void native_vault_leave(native_vault *vault);

/* Reads (vault, release), or (vault, release, confidence) where confidence is not NULL, and enters the vault. NULL with
 * an error set. */
native_vault *native_release_enter(PyObject *arguments, uint64_t *release,
                                   const char **confidence);

/* The pointer of a capsule that holds a handle of this kind; NULL with TypeError. */
void *native_handle(PyObject *capsule, const char *kind);
#define NATIVE_VAULT "scrim.vault"
#define NATIVE_PLAN "scrim.plan"
#define NATIVE_LABEL "scrim.label"
#define NATIVE_SERIES "scrim.series"
#define NATIVE_LEDGER "scrim.ledger"
#define NATIVE_RUN "scrim.run"
#define NATIVE_MEASUREMENT "scrim.measurement"
#define NATIVE_DISTRIBUTION "scrim.distribution"
#define NATIVE_SYNTH "scrim.synth"
#define NATIVE_BODY "scrim.body"

/* Raises what a signal has raised while a release was answered; NULL. */
PyObject *native_answered_raise(PyObject *raised, uint64_t release);

/* A result as a dictionary; frees it. Ctrl-C is QueryInterrupted. */
PyObject *native_result(scrim_result *result);

/* The texts of a list of str, which keeps them; freed by free(). NULL with an error set. */
const char **native_texts(PyObject *list, size_t *count);

/* The functions of each file, for the module. */
extern PyMethodDef native_vault_methods[];
extern PyMethodDef native_query_methods[];
extern PyMethodDef native_label_methods[];
extern PyMethodDef native_series_methods[];
extern PyMethodDef native_mechanism_methods[];
extern PyMethodDef native_tool_methods[];
extern PyMethodDef native_arrow_methods[];
extern PyMethodDef native_pulled_methods[];
extern PyMethodDef native_feed_methods[];
extern PyMethodDef native_frame_methods[];
extern PyMethodDef native_suggestion_methods[];
extern PyMethodDef native_inspection_methods[];
extern PyMethodDef native_synth_methods[];
extern PyMethodDef native_body_methods[];
extern PyMethodDef native_local_methods[];
extern PyMethodDef native_tree_methods[];
extern PyMethodDef native_drawing_methods[];
extern PyMethodDef native_command_methods[];

#endif
