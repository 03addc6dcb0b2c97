/* Frames: all batches of a stream of Arrow, for releases that are one call. */
#include "native_frame.h"

#include "native_arrow.h"

#include <stdlib.h>
#include <string.h>

#define NATIVE_FRAME "scrim.frame"

typedef struct native_frame {
    struct ArrowSchema schema;
    struct ArrowArray **batches;
    size_t count, room;
    bool has_failed; /* behind the last batch */
    bool has_file;
    scrim_file_mark file; /* where the rows come from, before the first was read */
} native_frame;

static void release_frame(native_frame *f)
{
    for (size_t i = 0; i < f->count; i++) {
        if (f->batches[i]->release != NULL)
            f->batches[i]->release(f->batches[i]);
        free(f->batches[i]);
    }
    free((void *)f->batches);
    if (f->schema.release != NULL)
        f->schema.release(&f->schema);
    free(f);
}

static void frame_free(PyObject *capsule)
{
    release_frame(PyCapsule_GetPointer(capsule, NATIVE_FRAME));
}

/* Takes the batch, also where it fails. */
static bool keep(native_frame *f, struct ArrowArray *batch)
{
    struct ArrowArray *kept = malloc(sizeof *kept);
    if (f->count == f->room) {
        const size_t room = 2 * f->room + 16;
        struct ArrowArray **larger =
            /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
            realloc((void *)f->batches, room * sizeof *f->batches);
        f->room = larger == NULL ? f->room : room;
        f->batches = larger == NULL ? f->batches : larger;
    }
    if (kept == NULL || f->count == f->room) {
        free(kept);
        batch->release(batch);
        return false;
    }
    *kept = *batch;
    f->batches[f->count++] = kept;
    return true;
}

static scrim_status no_memory(scrim_error *error)
{
    *error = (scrim_error){.status = SCRIM_E_MEMORY};
    (void)PyOS_snprintf(error->message, sizeof error->message,
                        "out of memory for the rows");
    return SCRIM_E_MEMORY;
}

/* Whether it fails behind its schema may depend on a row: that is for the charge to come first. */
static scrim_status read_stream(native_frame *f, struct ArrowArrayStream *stream,
                                PyObject **raised, scrim_error *error)
{
    if (stream->get_schema(stream, &f->schema) != 0)
        return native_stream_failed(error);
    for (;;) {
        struct ArrowArray batch = {.release = NULL};
        if (!native_signals_look(raised))
            return SCRIM_E_STATE;
        f->has_failed = stream->get_next(stream, &batch) != 0;
        if (f->has_failed && (*raised = native_pulled_raised(stream)) != NULL)
            return SCRIM_E_STATE;
        if (f->has_failed || batch.release == NULL)
            return SCRIM_OK;
        if (!keep(f, &batch))
            return no_memory(error);
    }
}

/* The capsule, or the exception. */
static PyObject *finish(native_frame *f, scrim_status status, PyObject *raised,
                        const scrim_error *error)
{
    PyObject *capsule =
        status == SCRIM_OK ? PyCapsule_New(f, NATIVE_FRAME, frame_free) : NULL;
    if (capsule == NULL)
        release_frame(f);
    if (raised != NULL)
        return native_raised_raise(raised, "nothing was charged");
    return status == SCRIM_OK ? capsule : native_raise(error, NULL);
}

/* None, or (device, inode, bytes, modified_ns, changed_ns) of os.stat. */
static bool read_mark(PyObject *object, scrim_file_mark *out)
{
    unsigned long long device, inode, bytes;
    long long modified_ns, changed_ns;
    if (object == Py_None)
        return true;
    if (!PyArg_ParseTuple(object, "KKKLL", &device, &inode, &bytes, &modified_ns,
                          &changed_ns))
        return false;
    *out = (scrim_file_mark){device, inode, bytes, modified_ns, changed_ns};
    return true;
}

static PyObject *frame_stream(PyObject *self, PyObject *arguments)
{
    struct ArrowArrayStream stream;
    PyObject *capsule, *file = Py_None, *raised = NULL;
    scrim_status status;
    scrim_error error;
    scrim_file_mark mark = {0};
    (void)self;
    if (!PyArg_ParseTuple(arguments, "O|O", &capsule, &file) || !read_mark(file, &mark) ||
        !native_stream_take(capsule, &stream))
        return NULL;
    native_frame *f = calloc(1, sizeof *f);
    if (f != NULL) {
        f->has_file = file != Py_None;
        f->file = mark;
    }
    NATIVE_UNLOCKED({
        status = f == NULL ? no_memory(&error) : read_stream(f, &stream, &raised, &error);
        stream.release(&stream);
    });
    return f == NULL ? native_raise(&error, NULL) : finish(f, status, raised, &error);
}

static PyObject *frame_array(PyObject *self, PyObject *arguments)
{
    struct ArrowSchema schema;
    struct ArrowArray array;
    PyObject *schema_object, *array_object;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &schema_object, &array_object) ||
        !native_array_take(schema_object, array_object, &schema, &array))
        return NULL;
    native_frame *f = calloc(1, sizeof *f);
    if (f == NULL) {
        schema.release(&schema);
        array.release(&array);
        return PyErr_NoMemory();
    }
    f->schema = schema;
    return finish(f, keep(f, &array) ? SCRIM_OK : no_memory(&error), NULL, &error);
}

bool native_frame_read(PyObject *object, const char *version, scrim_frame *out,
                       const scrim_frame **used)
{
    const native_frame *f = NULL;
    if (object != Py_None && (f = native_handle(object, NATIVE_FRAME)) == NULL)
        return false;
    *out = (scrim_frame){.size = sizeof *out, .version = version};
    if (f != NULL) {
        out->schema = &f->schema;
        out->batches = (const struct ArrowArray *const *)f->batches;
        out->batch_count = f->count;
        out->has_failed = f->has_failed;
        out->file = f->has_file ? &f->file : NULL;
    }
    *used = f == NULL && version == NULL ? NULL : out;
    return true;
}

PyMethodDef native_frame_methods[] = {
    {"frame_stream", frame_stream, METH_VARARGS,
     "frame_stream($module, stream, file=None, /)\n--\n\n"},
    {"frame_array", frame_array, METH_VARARGS,
     "frame_array($module, schema, array, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
