/* Arrow's C data interface: columns of Python as a schema, an array or a stream of one batch.
 *
 * A column is (name, format, null_count, buffers): the format of the interface, and objects with the
 * buffer protocol or None. Nothing is copied: the array holds the buffers until it is released.
 */
#include "native_arrow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BUFFERS_MAX 3

typedef struct column {
    const char *name, *format;
    long long null_count;
    PyObject *buffers;
} column;

static bool take_column(PyObject *columns, Py_ssize_t at, column *out)
{
    return PyArg_ParseTuple(PyList_GetItem(columns, at), "ssLO!", &out->name,
                            &out->format, &out->null_count, &PyTuple_Type, &out->buffers);
}

/* Schemas. */

static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        struct ArrowSchema *child = schema->children[i];
        if (child->release != NULL)
            child->release(child);
        free(child);
    }
    free((void *)schema->children);
    free(schema->private_data); /* name and format */
    schema->release = NULL;
}

/* The texts live behind one another in private_data. */
static bool fill_schema(struct ArrowSchema *schema, const char *name, const char *format)
{
    const size_t name_bytes = strlen(name) + 1, format_bytes = strlen(format) + 1;
    char *texts = malloc(name_bytes + format_bytes);
    if (texts == NULL)
        return false;
    memcpy(texts, name, name_bytes);
    memcpy(texts + name_bytes, format, format_bytes);
    *schema = (struct ArrowSchema){.format = texts + name_bytes,
                                   .name = texts,
                                   .flags = ARROW_FLAG_NULLABLE,
                                   .release = release_schema,
                                   .private_data = texts};
    return true;
}

static bool add_schema(struct ArrowSchema *schema, const column *from)
{
    struct ArrowSchema *child = calloc(1, sizeof *child);
    if (child == NULL || !fill_schema(child, from->name, from->format)) {
        free(child);
        PyErr_NoMemory();
        return false;
    }
    schema->children[schema->n_children++] = child;
    return true;
}

/* With the interpreter's lock; false with an error set. */
static bool make_schema(PyObject *columns, struct ArrowSchema *out)
{
    const Py_ssize_t count = PyList_Size(columns);
    bool is_well = count >= 0 && fill_schema(out, "", "+s");
    if (!is_well) {
        PyErr_NoMemory();
        return false;
    }
    out->flags = 0;
    out->children = calloc((size_t)count + 1, sizeof *out->children);
    if (out->children == NULL) {
        PyErr_NoMemory();
        is_well = false;
    }
    for (Py_ssize_t i = 0; is_well && i < count; i++) {
        column from;
        is_well = take_column(columns, i, &from) && add_schema(out, &from);
    }
    if (!is_well)
        out->release(out);
    return is_well;
}

/* Arrays. */

typedef struct held {
    Py_buffer views[BUFFERS_MAX];
    bool has_view[BUFFERS_MAX];
    const void *buffers[BUFFERS_MAX];
} held;

/* Whoever releases may be any thread, and may not have the lock. */
static void release_held(held *h)
{
    PyGILState_STATE state = PyGILState_Ensure();
    for (size_t i = 0; i < BUFFERS_MAX; i++)
        if (h->has_view[i])
            PyBuffer_Release(&h->views[i]);
    PyGILState_Release(state);
    free(h);
}

static void release_array(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children; i++) {
        struct ArrowArray *child = array->children[i];
        if (child->release != NULL)
            child->release(child);
        free(child);
    }
    free((void *)array->children);
    if (array->private_data != NULL)
        release_held(array->private_data);
    array->release = NULL;
}

static bool hold(held *h, const column *from)
{
    const Py_ssize_t count = PyTuple_Size(from->buffers);
    if (count > BUFFERS_MAX) {
        PyErr_SetString(PyExc_ValueError, "a column has at most three buffers");
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *object = PyTuple_GetItem(from->buffers, i);
        if (object == Py_None)
            continue;
        if (PyObject_GetBuffer(object, &h->views[i], PyBUF_SIMPLE) != 0)
            return false;
        h->has_view[i] = true;
        h->buffers[i] = h->views[i].buf;
    }
    return true;
}

/* The bits of a value of the formats that Python makes; 0 for another. */
static size_t bits_of(const char *format)
{
    static const struct {
        const char *letters;
        size_t bits;
    } widths[] = {{"b", 1},    {"cC", 8},    {"sSe", 16},
                  {"iIf", 32}, {"lLgU", 64}, {"d", 128}};
    if (format[0] == 't')
        return strcmp(format, "tdD") == 0 ? 32 : 64;
    for (size_t i = 0; format[0] != '\0' && i < sizeof widths / sizeof *widths; i++)
        if (strchr(widths[i].letters, format[0]) != NULL)
            return widths[i].bits;
    return 0;
}

static bool has_bits(const held *h, size_t at, uint64_t bits)
{
    return h->has_view[at] && (uint64_t)h->views[at].len >= bits / 8 + (bits % 8 > 0);
}

/* The interface has no lengths of buffers, so they are checked here: an object may say that it has more values than
 * it gives. */
static bool is_whole(const held *h, const column *from, int64_t length)
{
    const bool is_text = from->format[0] == 'U';
    const uint64_t rows = (uint64_t)length, width = bits_of(from->format);
    int64_t end = 0;
    if (width == 0 || length < 0 || length > INT64_MAX / 1024 ||
        (h->has_view[0] && !has_bits(h, 0, rows)) ||
        !has_bits(h, 1, width * (rows + is_text)))
        return false;
    if (!is_text)
        return true;
    memcpy(&end, (const char *)h->buffers[1] + sizeof end * rows, sizeof end);
    return end >= 0 && end < INT64_MAX / 8 && has_bits(h, 2, 8 * (uint64_t)end);
}

static bool add_array(struct ArrowArray *array, const column *from)
{
    struct ArrowArray *child = calloc(1, sizeof *child);
    held *h = calloc(1, sizeof *h);
    if (child == NULL || h == NULL) {
        free(child);
        free(h);
        PyErr_NoMemory();
        return false;
    }
    *child = (struct ArrowArray){.length = array->length,
                                 .null_count = from->null_count,
                                 .n_buffers = PyTuple_Size(from->buffers),
                                 .buffers = h->buffers,
                                 .release = release_array,
                                 .private_data = h};
    array->children[array->n_children++] = child;
    if (!hold(h, from))
        return false;
    if (!is_whole(h, from, array->length)) {
        PyErr_SetString(PyExc_ValueError, "a column has fewer values than it says");
        return false;
    }
    return true;
}

static bool make_array(long long length, PyObject *columns, struct ArrowArray *out)
{
    const Py_ssize_t count = PyList_Size(columns);
    if (count < 0)
        return false;
    held *h = calloc(1, sizeof *h);
    struct ArrowArray **children = calloc((size_t)count + 1, sizeof *children);
    if (h == NULL || children == NULL) {
        free(h);
        free((void *)children);
        PyErr_NoMemory();
        return false;
    }
    *out = (struct ArrowArray){.length = length,
                               .n_buffers = 1,
                               .buffers = h->buffers,
                               .children = children,
                               .release = release_array,
                               .private_data = h};
    bool is_well = true;
    for (Py_ssize_t i = 0; is_well && i < count; i++) {
        column from;
        is_well = take_column(columns, i, &from) && add_array(out, &from);
    }
    if (!is_well)
        out->release(out);
    return is_well;
}

/* Streams of one batch. */

typedef struct batch {
    PyObject *columns;
    long long length;
    bool is_given;
} batch;

static int stream_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    const batch *b = stream->private_data;
    PyGILState_STATE state = PyGILState_Ensure();
    const bool is_made = make_schema(b->columns, out);
    if (!is_made)
        PyErr_Clear();
    PyGILState_Release(state);
    return is_made ? 0 : ENOMEM;
}

static int stream_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    batch *b = stream->private_data;
    if (b->is_given) {
        memset(out, 0, sizeof *out);
        return 0;
    }
    PyGILState_STATE state = PyGILState_Ensure();
    b->is_given = make_array(b->length, b->columns, out);
    if (!b->is_given)
        PyErr_Clear();
    PyGILState_Release(state);
    return b->is_given ? 0 : ENOMEM;
}

static const char *stream_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "out of memory for a batch";
}

static void stream_release(struct ArrowArrayStream *stream)
{
    batch *b = stream->private_data;
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(b->columns);
    PyGILState_Release(state);
    free(b);
    stream->release = NULL;
}

/* Capsules, as the interface names them. A consumer that took the struct has cleared release. */

static void free_schema(PyObject *capsule)
{
    struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, NATIVE_ARROW_SCHEMA);
    if (schema->release != NULL)
        schema->release(schema);
    free(schema);
}

static void free_array(PyObject *capsule)
{
    struct ArrowArray *array = PyCapsule_GetPointer(capsule, NATIVE_ARROW_ARRAY);
    if (array->release != NULL)
        array->release(array);
    free(array);
}

static void free_stream(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, NATIVE_ARROW_STREAM);
    if (stream->release != NULL)
        stream->release(stream);
    free(stream);
}

static PyObject *schema_capsule(PyObject *columns)
{
    struct ArrowSchema *schema = calloc(1, sizeof *schema);
    if (schema == NULL)
        return PyErr_NoMemory();
    PyObject *capsule = make_schema(columns, schema)
                            ? PyCapsule_New(schema, NATIVE_ARROW_SCHEMA, free_schema)
                            : NULL;
    if (capsule == NULL) {
        if (schema->release != NULL)
            schema->release(schema);
        free(schema);
    }
    return capsule;
}

static PyObject *array_capsule(long long length, PyObject *columns)
{
    struct ArrowArray *array = calloc(1, sizeof *array);
    if (array == NULL)
        return PyErr_NoMemory();
    PyObject *capsule = make_array(length, columns, array)
                            ? PyCapsule_New(array, NATIVE_ARROW_ARRAY, free_array)
                            : NULL;
    if (capsule == NULL) {
        if (array->release != NULL)
            array->release(array);
        free(array);
    }
    return capsule;
}

static PyObject *arrow_schema(PyObject *self, PyObject *arguments)
{
    PyObject *columns;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "O!", &PyList_Type, &columns))
        return NULL;
    return schema_capsule(columns);
}

static PyObject *arrow_array(PyObject *self, PyObject *arguments)
{
    long long length;
    PyObject *columns;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "LO!", &length, &PyList_Type, &columns))
        return NULL;
    PyObject *schema = schema_capsule(columns),
             *array = schema == NULL ? NULL : array_capsule(length, columns);
    if (array == NULL) {
        Py_XDECREF(schema);
        return NULL;
    }
    return Py_BuildValue("(NN)", schema, array);
}

static PyObject *arrow_stream(PyObject *self, PyObject *arguments)
{
    long long length;
    PyObject *columns;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "LO!", &length, &PyList_Type, &columns))
        return NULL;
    struct ArrowArray
        tried; /* what cannot be made is refused now, and not when it is read */
    if (!make_array(length, columns, &tried))
        return NULL;
    tried.release(&tried);
    struct ArrowArrayStream *stream = calloc(1, sizeof *stream);
    batch *b = calloc(1, sizeof *b);
    if (stream == NULL || b == NULL) {
        free(stream);
        free(b);
        return PyErr_NoMemory();
    }
    *b = (batch){.columns = columns, .length = length};
    Py_INCREF(columns);
    *stream = (struct ArrowArrayStream){.get_schema = stream_schema,
                                        .get_next = stream_next,
                                        .get_last_error = stream_error,
                                        .release = stream_release,
                                        .private_data = b};
    PyObject *capsule = PyCapsule_New(stream, NATIVE_ARROW_STREAM, free_stream);
    if (capsule == NULL) {
        stream->release(stream);
        free(stream);
    }
    return capsule;
}

PyMethodDef native_arrow_methods[] = {
    {"arrow_schema", arrow_schema, METH_VARARGS,
     "arrow_schema($module, columns, /)\n--\n\n"},
    {"arrow_array", arrow_array, METH_VARARGS,
     "arrow_array($module, length, columns, /)\n--\n\n"},
    {"arrow_stream", arrow_stream, METH_VARARGS,
     "arrow_stream($module, length, columns, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
