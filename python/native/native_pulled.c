/* A stream of Arrow whose rows Python makes when they are asked for, which is after the charge.
 *
 * Its types are those of a stream that is given first and is never read. A callable then returns streams of these types,
 * one after another, and None behind the last. If it raises, or returns other types, the stream fails. */
#include "native_arrow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct pulled {
    struct ArrowArrayStream types, rows; /* rows.release is NULL where none is open */
    PyObject *next;
    PyObject *raised; /* no Exception: KeyboardInterrupt, SystemExit */
    bool is_over;
} pulled;

static bool is_same_text(const char *a, const char *b)
{
    return strcmp(a == NULL ? "" : a, b == NULL ? "" : b) == 0;
}

/* Are the values of both read alike? */
static bool is_same(const struct ArrowSchema *a, const struct ArrowSchema *b)
{
    if (!is_same_text(a->format, b->format) || a->n_children != b->n_children ||
        (a->dictionary == NULL) != (b->dictionary == NULL) ||
        (a->dictionary != NULL && !is_same(a->dictionary, b->dictionary)))
        return false;
    for (int64_t i = 0; i < a->n_children; i++)
        if (!is_same_text(a->children[i]->name, b->children[i]->name) ||
            !is_same(a->children[i], b->children[i]))
            return false;
    return true;
}

static bool has_types(pulled *p)
{
    struct ArrowSchema wanted = {.release = NULL}, found = {.release = NULL};
    const bool is_well = p->types.get_schema(&p->types, &wanted) == 0 &&
                         p->rows.get_schema(&p->rows, &found) == 0 &&
                         is_same(&wanted, &found);
    if (wanted.release != NULL)
        wanted.release(&wanted);
    if (found.release != NULL)
        found.release(&found);
    return is_well;
}

/* The next stream of rows, or the end; false if Python raises. */
static bool pull(pulled *p)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *stream = PyObject_CallNoArgs(p->next);
    bool is_well = stream != NULL;
    p->is_over = stream == Py_None;
    if (is_well && !p->is_over)
        is_well = native_stream_take(stream, &p->rows);
    if (!is_well && !PyErr_ExceptionMatches(PyExc_Exception))
        p->raised = native_raised_take();
    PyErr_Clear();
    Py_XDECREF(stream);
    PyGILState_Release(state);
    return is_well && (p->is_over || has_types(p));
}

static int pulled_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    pulled *p = stream->private_data;
    return p->types.get_schema(&p->types, out);
}

static void close_rows(pulled *p)
{
    if (p->rows.release != NULL)
        p->rows.release(&p->rows);
    p->rows.release = NULL;
}

static int pulled_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    pulled *p = stream->private_data;
    memset(out, 0, sizeof *out);
    while (!p->is_over) {
        if (p->rows.release == NULL && !pull(p)) {
            close_rows(p); /* of other types, perhaps: no row of them is handed out */
            return EIO;
        }
        if (p->is_over)
            break;
        const int code = p->rows.get_next(&p->rows, out);
        if (code != 0 || out->release != NULL)
            return code;
        close_rows(p);
    }
    return 0;
}

static const char *pulled_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "the rows could not be made";
}

static void pulled_release(struct ArrowArrayStream *stream)
{
    pulled *p = stream->private_data;
    close_rows(p);
    p->types.release(&p->types);
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(p->next);
    Py_XDECREF(p->raised);
    PyGILState_Release(state);
    free(p);
    stream->release = NULL;
}

PyObject *native_pulled_raised(const struct ArrowArrayStream *stream)
{
    if (stream->get_next != pulled_next)
        return NULL;
    pulled *p = stream->private_data;
    PyObject *raised = p->raised;
    p->raised = NULL;
    return raised;
}

static void free_pulled(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, NATIVE_ARROW_STREAM);
    if (stream->release != NULL)
        stream->release(stream);
    free(stream);
}

static PyObject *arrow_pulled(PyObject *self, PyObject *arguments)
{
    PyObject *types, *next;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &types, &next))
        return NULL;
    struct ArrowArrayStream *stream = calloc(1, sizeof *stream);
    pulled *p = calloc(1, sizeof *p);
    if (stream == NULL || p == NULL || !native_stream_take(types, &p->types)) {
        const bool is_set = stream != NULL && p != NULL;
        free(stream);
        free(p);
        return is_set ? NULL : PyErr_NoMemory();
    }
    p->next = next;
    Py_INCREF(next);
    *stream = (struct ArrowArrayStream){.get_schema = pulled_schema,
                                        .get_next = pulled_next,
                                        .get_last_error = pulled_error,
                                        .release = pulled_release,
                                        .private_data = p};
    PyObject *capsule = PyCapsule_New(stream, NATIVE_ARROW_STREAM, free_pulled);
    if (capsule == NULL) {
        stream->release(stream);
        free(stream);
    }
    return capsule;
}

PyMethodDef native_pulled_methods[] = {{"arrow_pulled", arrow_pulled, METH_VARARGS,
                                        "arrow_pulled($module, types, next, /)\n--\n\n"},
                                       {NULL, NULL, 0, NULL}};
