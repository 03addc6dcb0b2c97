/* Rows that a program pushes: a stream of Arrow into the feed. */
#include "native_arrow.h"
#include "native_frame.h"
#include "native_plan.h"

#include <stdio.h>
#include <string.h>

/* Rows of one call: large batches are put in slices, and signals are looked at between them. */
#define SLICE_ROWS ((int64_t)1 << 20)

static PyObject *feed_columns(PyObject *self, PyObject *capsule)
{
    native_plan *p = native_handle(capsule, NATIVE_PLAN);
    PyObject *list = p == NULL ? NULL : PyList_New(0);
    bool is_well = list != NULL;
    const char *name;
    (void)self;
    for (size_t i = 0;
         is_well && (name = scrim_feed_column(native_plan_of(p), i)) != NULL; i++)
        is_well = native_append(list, native_text(name));
    return native_done(list, is_well);
}

/* One question and its rows. */
typedef struct feeding {
    native_vault *vault;
    native_plan *plan;
    scrim_feed *feed;
    uint64_t release; /* charged; 0: nothing is */
    scrim_error error;
    PyObject *raised; /* by a handler of a signal, or NULL */
} feeding;

scrim_status native_stream_failed(scrim_error *error)
{
    *error = (scrim_error){.status = SCRIM_E_INPUT, .reason = SCRIM_REASON_NONE};
    (void)snprintf(error->message, sizeof error->message,
                   "the source of the rows failed while it was read");
    return SCRIM_E_INPUT;
}

bool native_signals_look(PyObject **raised)
{
    PyGILState_STATE state = PyGILState_Ensure();
    if (PyErr_CheckSignals() != 0)
        *raised = native_raised_take();
    PyGILState_Release(state);
    return *raised == NULL;
}

static scrim_status begin(feeding *f, const struct ArrowSchema *schema)
{
    const scrim_status status = scrim_feed_begin(f->vault->vault, native_plan_of(f->plan),
                                                 schema, &f->feed, &f->error);
    if (status == SCRIM_OK)
        f->release = scrim_feed_release(f->feed);
    return status;
}

static scrim_status put(feeding *f, const struct ArrowArray *batch)
{
    scrim_status status = SCRIM_OK;
    struct ArrowArray slice = *batch;
    if (batch->length < 0) /* is refused, and no batch without rows */
        return scrim_feed_put(f->feed, batch, &f->error);
    for (int64_t done = 0; status == SCRIM_OK && done < batch->length;
         done += SLICE_ROWS) {
        const int64_t rest = batch->length - done;
        slice.offset = batch->offset + done;
        slice.length = rest < SLICE_ROWS ? rest : SLICE_ROWS;
        slice.null_count = batch->null_count == 0 ? 0 : -1;
        if (!native_signals_look(&f->raised))
            return SCRIM_E_STATE;
        status = scrim_feed_put(f->feed, &slice, &f->error);
    }
    return status;
}

static scrim_status put_stream(feeding *f, struct ArrowArrayStream *stream)
{
    scrim_status status = SCRIM_OK;
    while (status == SCRIM_OK && scrim_feed_needs_rows(f->feed)) {
        struct ArrowArray batch = {.release = NULL};
        if (!native_signals_look(&f->raised))
            return SCRIM_E_STATE;
        if (stream->get_next(stream, &batch) != 0) {
            f->raised = native_pulled_raised(stream);
            return f->raised != NULL ? SCRIM_E_STATE : native_stream_failed(&f->error);
        }
        if (batch.release == NULL)
            break;
        status = put(f, &batch);
        batch.release(&batch);
    }
    return status;
}

static scrim_status read_stream(feeding *f, struct ArrowArrayStream *stream)
{
    struct ArrowSchema schema = {.release = NULL};
    if (stream->get_schema(stream, &schema) != 0)
        return native_stream_failed(&f->error);
    const scrim_status status = begin(f, &schema);
    if (schema.release != NULL)
        schema.release(&schema);
    return status == SCRIM_OK ? put_stream(f, stream) : status;
}

static scrim_status run_stream(feeding *f, struct ArrowArrayStream *stream)
{
    const scrim_status status = read_stream(f, stream);
    stream->release(stream);
    return status;
}

static scrim_status run_array(feeding *f, struct ArrowSchema *schema,
                              struct ArrowArray *array)
{
    scrim_status status = begin(f, schema);
    if (status == SCRIM_OK && scrim_feed_needs_rows(f->feed))
        status = put(f, array);
    schema->release(schema);
    array->release(array);
    return status;
}

/* The answer, or the exception; what is charged stays so, and the message says it. */
static PyObject *finish(feeding *f, scrim_status status)
{
    scrim_result *result = NULL;
    if (status == SCRIM_OK && native_signals_look(&f->raised)) {
        scrim_feed *feed = f->feed;
        f->feed = NULL;
        NATIVE_UNLOCKED(status = scrim_feed_end(feed, &result, &f->error));
        native_vault_leave(f->vault);
        return native_plan_answered(f->plan, status, result, &f->error);
    }
    scrim_feed *feed = f->feed;
    const bool is_answered = feed != NULL && !scrim_feed_needs_rows(feed);
    NATIVE_UNLOCKED(scrim_feed_abort(feed));
    native_vault_leave(f->vault);
    char charged[sizeof NATIVE_ANSWERED] = "nothing was charged";
    if (is_answered)
        memcpy(charged, NATIVE_ANSWERED, sizeof charged);
    else if (f->release != 0)
        (void)snprintf(charged, sizeof charged,
                       "release %llu is charged and has no answer",
                       (unsigned long long)f->release);
    if (f->raised != NULL)
        return native_raised_raise(f->raised, charged);
    if (f->release != 0 && strstr(f->error.message, " is charged ") == NULL) {
        const size_t used = strlen(f->error.message);
        (void)snprintf(f->error.message + used, sizeof f->error.message - used, "; %s",
                       charged);
    }
    return native_raise(&f->error, NULL);
}

static bool enter(feeding *f, PyObject *plan)
{
    memset(f, 0, sizeof *f);
    f->plan = native_handle(plan, NATIVE_PLAN);
    f->vault = f->plan == NULL ? NULL : native_vault_enter(f->plan->vault);
    return f->vault != NULL;
}

/* Whoever reads rows twice would get an answer about none of them, at the full price. */
static bool fail_spent(void)
{
    PyErr_SetString(PyExc_ValueError, "the rows have been read already");
    return false;
}

bool native_stream_take(PyObject *capsule, struct ArrowArrayStream *out)
{
    struct ArrowArrayStream *given = native_handle(capsule, NATIVE_ARROW_STREAM);
    if (given == NULL)
        return false;
    if (given->release == NULL)
        return fail_spent();
    *out = *given;
    given->release = NULL;
    return true;
}

bool native_array_take(PyObject *schema_capsule, PyObject *array_capsule,
                       struct ArrowSchema *schema, struct ArrowArray *array)
{
    struct ArrowSchema *given = native_handle(schema_capsule, NATIVE_ARROW_SCHEMA);
    struct ArrowArray *rows =
        given == NULL ? NULL : native_handle(array_capsule, NATIVE_ARROW_ARRAY);
    if (rows == NULL)
        return false;
    if (given->release == NULL || rows->release == NULL)
        return fail_spent();
    *schema = *given;
    *array = *rows;
    given->release = NULL;
    rows->release = NULL;
    return true;
}

static PyObject *feed_stream(PyObject *self, PyObject *arguments)
{
    PyObject *plan, *capsule;
    struct ArrowArrayStream stream;
    feeding f;
    scrim_status status;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &plan, &capsule) || !enter(&f, plan))
        return NULL;
    if (!native_stream_take(capsule, &stream)) {
        native_vault_leave(f.vault);
        return NULL;
    }
    NATIVE_UNLOCKED(status = run_stream(&f, &stream));
    return finish(&f, status);
}

static PyObject *feed_array(PyObject *self, PyObject *arguments)
{
    PyObject *plan, *schema_object, *array_object;
    struct ArrowSchema schema;
    struct ArrowArray array;
    feeding f;
    scrim_status status;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOO", &plan, &schema_object, &array_object) ||
        !enter(&f, plan))
        return NULL;
    if (!native_array_take(schema_object, array_object, &schema, &array)) {
        native_vault_leave(f.vault);
        return NULL;
    }
    NATIVE_UNLOCKED(status = run_array(&f, &schema, &array));
    return finish(&f, status);
}

/* Batches that are in memory already: a frame, whose source may have failed behind the last of them. */
static scrim_status run_frame(feeding *f, const scrim_frame *frame)
{
    scrim_status status = begin(f, frame->schema);
    for (size_t i = 0;
         status == SCRIM_OK && scrim_feed_needs_rows(f->feed) && i < frame->batch_count;
         i++)
        status = put(f, frame->batches[i]);
    if (status == SCRIM_OK && scrim_feed_needs_rows(f->feed) && frame->has_failed)
        status = native_stream_failed(&f->error);
    return status;
}

static PyObject *feed_frame(PyObject *self, PyObject *arguments)
{
    PyObject *plan, *object;
    scrim_frame frame;
    const scrim_frame *used = NULL;
    feeding f;
    scrim_status status;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &plan, &object) ||
        !native_frame_read(object, NULL, &frame, &used))
        return NULL;
    if (used == NULL) {
        PyErr_SetString(PyExc_TypeError, "expected a frame");
        return NULL;
    }
    if (!enter(&f, plan))
        return NULL;
    NATIVE_UNLOCKED(status = run_frame(&f, used));
    return finish(&f, status);
}

static int has_signal(void *context)
{
    PyObject **raised = context;
    return !native_signals_look(raised);
}

static PyObject *vault_contents(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *object;
    const char *dataset;
    char version[SCRIM_CONTENTS_BYTES];
    scrim_frame frame;
    const scrim_frame *used = NULL;
    PyObject *raised = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OsO", &capsule, &dataset, &object) ||
        !native_frame_read(object, NULL, &frame, &used))
        return NULL;
    native_vault *vault = native_vault_enter(capsule);
    if (vault == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_vault_contents(vault->vault, dataset, used, has_signal,
                                                  &raised, version, &error));
    native_vault_leave(vault);
    if (raised != NULL)
        return native_raised_raise(raised, "nothing was charged");
    return status == SCRIM_OK ? PyUnicode_FromString(version)
                              : native_raise(&error, NULL);
}

PyMethodDef native_feed_methods[] = {
    {"feed_columns", feed_columns, METH_O, "feed_columns($module, plan, /)\n--\n\n"},
    {"feed_stream", feed_stream, METH_VARARGS,
     "feed_stream($module, plan, stream, /)\n--\n\n"},
    {"feed_array", feed_array, METH_VARARGS,
     "feed_array($module, plan, schema, array, /)\n--\n\n"},
    {"feed_frame", feed_frame, METH_VARARGS,
     "feed_frame($module, plan, frame, /)\n--\n\n"},
    {"vault_contents", vault_contents, METH_VARARGS,
     "vault_contents($module, vault, dataset, frame, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
