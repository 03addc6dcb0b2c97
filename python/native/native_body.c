/* Floating bodies: their release, and the geometry of what was released. */
#include "cli/release/body_picture.h"
#include "native_frame.h"

#include <stdlib.h>
#include <string.h>

/* A body and its region; one thread at a time uses it. */
typedef struct native_body {
    scrim_body *body;
    scrim_solid *solid; /* NULL: not used yet */
    size_t dimension;
    bool is_busy;
} native_body;

static void release_body(native_body *b)
{
    scrim_solid_free(b->solid);
    scrim_body_free(b->body);
    free(b);
}

static void body_free(PyObject *capsule)
{
    release_body(PyCapsule_GetPointer(capsule, NATIVE_BODY));
}

/* The text of a body as a handle. */
static PyObject *body_read(PyObject *self, PyObject *arguments)
{
    const char *text;
    Py_ssize_t bytes;
    scrim_status status;
    scrim_error error;
    scrim_body_facts facts;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "y#", &text, &bytes))
        return NULL;
    native_body *b = calloc(1, sizeof *b);
    if (b == NULL)
        return PyErr_NoMemory();
    NATIVE_UNLOCKED(status = scrim_body_read(text, (size_t)bytes, &b->body, &error));
    PyObject *capsule = NULL;
    if (status == SCRIM_OK) {
        scrim_body_describe(b->body, &facts);
        b->dimension = facts.dimension;
        capsule = PyCapsule_New(b, NATIVE_BODY, body_free);
    } else {
        native_raise(&error, NULL);
    }
    if (capsule == NULL)
        release_body(b);
    return capsule;
}

static PyObject *format_body(const scrim_body *body)
{
    const size_t bytes = scrim_body_format(body, NULL, 0);
    char *text = malloc(bytes + 1);
    if (text == NULL)
        return PyErr_NoMemory();
    (void)scrim_body_format(body, text, bytes + 1);
    PyObject *made = PyBytes_FromStringAndSize(text, (Py_ssize_t)bytes);
    free(text);
    return made;
}

static PyObject *columns_of(const scrim_body *body)
{
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    scrim_body_column c;
    for (size_t i = 0; is_well && scrim_body_column_at(body, i, &c); i++)
        is_well = native_append(list, Py_BuildValue("{s:s,s:d,s:d,s:d,s:d}", "name",
                                                    c.name, "low", c.low, "high", c.high,
                                                    "step", c.step, "scale", c.scale));
    return native_done(list, is_well);
}

static PyObject *numbers_of(const double *x, size_t count)
{
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    for (size_t i = 0; is_well && i < count; i++)
        is_well = native_append(list, PyFloat_FromDouble(x[i]));
    return native_done(list, is_well);
}

static PyObject *half_spaces_of(const scrim_body *body, size_t dimension)
{
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    double normal[SCRIM_BODY_DIMENSIONS], offset;
    for (size_t i = 0; is_well && scrim_body_half_space_at(body, i, normal, &offset); i++)
        is_well = native_append(
            list, Py_BuildValue("(Nd)", numbers_of(normal, dimension), offset));
    return native_done(list, is_well);
}

static PyObject *body_describe(PyObject *self, PyObject *capsule)
{
    const native_body *b = native_handle(capsule, NATIVE_BODY);
    scrim_body_facts f;
    (void)self;
    if (b == NULL)
        return NULL;
    scrim_body_describe(b->body, &f);
    PyObject *row = Py_BuildValue(
        "{s:N,s:N,s:N,s:N,s:K,s:K,s:K,s:K,s:d,s:d,s:d,s:d,s:d}", "dataset",
        native_text(f.dataset), "neighbours", native_text(f.neighbours), "composition",
        native_text(f.composition), "directions", native_text(f.directions), "version",
        (unsigned long long)f.version, "release", (unsigned long long)f.release,
        "max_rows", (unsigned long long)f.max_rows, "units", (unsigned long long)f.units,
        "q", f.q, "epsilon", f.epsilon, "delta", f.delta, "epsilon_each", f.epsilon_each,
        "rank_error", scrim_body_rank_error(b->body, 0.05));
    const bool is_well =
        native_put(row, "columns", columns_of(b->body)) &&
        native_put(row, "half_spaces", half_spaces_of(b->body, b->dimension));
    return native_done(row, is_well);
}

/* Releases. */

static PyObject *point_of(const scrim_body_release *release)
{
    PyObject *row = PyDict_New();
    bool is_well = row != NULL;
    scrim_body_coordinate c;
    for (size_t i = 0; is_well && scrim_body_release_point_at(release, i, &c); i++)
        is_well = native_put(row, c.name, PyFloat_FromDouble(c.value));
    return native_done(row, is_well);
}

/* Facts with the text of the body, or with the point; frees the release. */
static PyObject *release_row(scrim_body_release *release)
{
    scrim_body_released f;
    scrim_body_release_describe(release, &f);
    PyObject *row = Py_BuildValue(
        "{s:K,s:K,s:N,s:s,s:K,s:N}", "release", (unsigned long long)f.release, "time",
        (unsigned long long)f.time, "is_repeated", PyBool_FromLong(f.is_repeated),
        "dataset", f.dataset, "version", (unsigned long long)f.version, "cost",
        native_cost(&f.cost));
    const bool is_well =
        row != NULL &&
        (f.is_point
             ? native_put(row, "point", point_of(release))
             : native_put(row, "text", format_body(scrim_body_release_body(release))));
    scrim_body_release_free(release);
    return native_done(row, is_well);
}

static PyObject *body_fit(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *rows, *progress, *row = NULL;
    const char *dataset, *version;
    scrim_frame frame;
    unsigned long long directions, seed, units, memory;
    scrim_body_fit_options o = {.size = sizeof o};
    scrim_body_fit *fit = NULL;
    scrim_body_release *release = NULL;
    scrim_status status;
    scrim_error error;
    native_watch watch;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OszzzzzzzKKzKIKzOzO", &capsule, &dataset,
                          &o.columns, &o.q, &o.epsilon, &o.delta, &o.method,
                          &o.directions, &o.vectors, &directions, &seed, &o.scales,
                          &units, &o.workers, &memory, &o.max_total_rows, &rows, &version,
                          &progress) ||
        !native_frame_read(rows, version, &frame, &o.frame) ||
        !native_watch_init(&watch, progress))
        return NULL;
    o.direction_count = directions;
    o.seed = seed;
    o.expected_units = units;
    o.memory_bytes = (size_t)memory;
    o.progress = native_watch_tell;
    o.is_cancelled = native_watch_cancelled;
    o.context = &watch;
    native_vault *vault = native_vault_enter(capsule);
    if (vault != NULL) {
        NATIVE_UNLOCKED({
            status = scrim_body_fit_new(vault->vault, dataset, &o, &fit, &error);
            if (status == SCRIM_OK)
                status = scrim_body_fit_run(vault->vault, fit, &release, &error);
        });
        native_vault_leave(vault);
        if (native_watch_raise(&watch,
                               status == SCRIM_OK ? NATIVE_ANSWERED : error.message))
            scrim_body_release_free(release);
        else
            row = status == SCRIM_OK ? release_row(release) : native_raise(&error, NULL);
    }
    scrim_body_fit_free(fit);
    native_watch_clear(&watch);
    return row;
}

static PyObject *body_replay(PyObject *self, PyObject *arguments)
{
    uint64_t id;
    scrim_body_release *release = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    native_vault *vault = native_release_enter(arguments, &id, NULL);
    if (vault == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_body_replay(vault->vault, id, &release, &error));
    native_vault_leave(vault);
    return status == SCRIM_OK ? release_row(release) : native_raise(&error, NULL);
}

/* Geometry. */

/* The body for this thread, with its region; NULL with an error set. */
static native_body *enter(PyObject *capsule)
{
    native_body *b = native_handle(capsule, NATIVE_BODY);
    scrim_status status = SCRIM_OK;
    scrim_error error;
    if (b == NULL)
        return NULL;
    if (b->is_busy) {
        native_fail(SCRIM_E_STATE, "the body is in use by another thread");
        return NULL;
    }
    b->is_busy = true;
    if (b->solid == NULL)
        NATIVE_UNLOCKED(status = scrim_solid_new(b->body, &b->solid, &error));
    if (status == SCRIM_OK)
        return b;
    b->is_busy = false;
    native_raise(&error, NULL);
    return NULL;
}

static bool read_point(const native_body *b, PyObject *list, double *x)
{
    if (PyList_Size(list) != (Py_ssize_t)b->dimension) {
        if (PyErr_Occurred() == NULL)
            PyErr_Format(PyExc_ValueError, "expected %zu numbers, one for each column",
                         b->dimension);
        return false;
    }
    for (size_t i = 0; i < b->dimension; i++) {
        x[i] = PyFloat_AsDouble(PyList_GetItem(list, (Py_ssize_t)i));
        if (PyErr_Occurred() != NULL)
            return false;
    }
    return true;
}

static PyObject *body_center(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    const char *method;
    double x[SCRIM_BODY_DIMENSIONS];
    scrim_center center;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Os", &capsule, &method))
        return NULL;
    native_body *b = enter(capsule);
    if (b == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_solid_center(b->solid, method, x, &center, &error));
    b->is_busy = false;
    return status == SCRIM_OK ? numbers_of(x, b->dimension) : native_raise(&error, NULL);
}

static PyObject *body_project(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *list;
    double x[SCRIM_BODY_DIMENSIONS], y[SCRIM_BODY_DIMENSIONS];
    scrim_projection projection = {.distance = 0};
    scrim_status status = SCRIM_E_PARAM;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &capsule, &list))
        return NULL;
    native_body *b = enter(capsule);
    if (b == NULL)
        return NULL;
    const bool is_read = read_point(b, list, x);
    if (is_read)
        NATIVE_UNLOCKED(status =
                            scrim_solid_project(b->solid, x, y, &projection, &error));
    b->is_busy = false;
    if (!is_read)
        return NULL;
    return status == SCRIM_OK
               ? Py_BuildValue("(Nd)", numbers_of(y, b->dimension), projection.distance)
               : native_raise(&error, NULL);
}

static PyObject *body_excess(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *list;
    double x[SCRIM_BODY_DIMENSIONS];
    size_t direction;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &capsule, &list))
        return NULL;
    native_body *b = enter(capsule);
    if (b == NULL)
        return NULL;
    const bool is_read = read_point(b, list, x);
    b->is_busy = false;
    return is_read ? PyFloat_FromDouble(scrim_solid_excess(b->solid, x, &direction))
                   : NULL;
}

/* The largest value along a direction in the body, and where it is. */
static PyObject *body_support(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *list;
    double normal[SCRIM_BODY_DIMENSIONS], x[SCRIM_BODY_DIMENSIONS], value = 0;
    scrim_status status = SCRIM_E_PARAM;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &capsule, &list))
        return NULL;
    native_body *b = enter(capsule);
    if (b == NULL)
        return NULL;
    const bool is_read = read_point(b, list, normal);
    if (is_read)
        NATIVE_UNLOCKED(status =
                            scrim_solid_support(b->solid, normal, &value, x, &error));
    b->is_busy = false;
    if (!is_read)
        return NULL;
    return status == SCRIM_OK ? Py_BuildValue("(Nd)", numbers_of(x, b->dimension), value)
                              : native_raise(&error, NULL);
}

static PyObject *body_minimise(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    const char *objective;
    double tolerance, x[SCRIM_BODY_DIMENSIONS];
    scrim_minimum minimum;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Osd", &capsule, &objective, &tolerance))
        return NULL;
    native_body *b = enter(capsule);
    if (b == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_solid_minimise(b->solid, objective, tolerance, x,
                                                  &minimum, &error));
    b->is_busy = false;
    return status == SCRIM_OK ? Py_BuildValue("(Ndd)", numbers_of(x, b->dimension),
                                              minimum.value, minimum.gap)
                              : native_raise(&error, NULL);
}

static PyObject *body_volume(PyObject *self, PyObject *capsule)
{
    scrim_volume volume;
    scrim_status status;
    scrim_error error;
    native_body *b = enter(capsule);
    (void)self;
    if (b == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_solid_volume(b->solid, &volume, &error));
    b->is_busy = false;
    return status == SCRIM_OK ? Py_BuildValue("(dd)", volume.share, volume.standard_error)
                              : native_raise(&error, NULL);
}

/* As bytes of doubles, point after point. */
static PyObject *body_sample(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *points = NULL;
    unsigned long long count;
    scrim_sample_options o = {.size = sizeof o};
    scrim_sample_facts facts;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OKzzI", &capsule, &count, &o.method, &o.weight,
                          &o.workers))
        return NULL;
    native_body *b = enter(capsule);
    if (b == NULL)
        return NULL;
    o.count = count;
    double *x = count > (SIZE_MAX >> 4) / b->dimension
                    ? NULL
                    : malloc((count > 0 ? (size_t)count : 1) * b->dimension * sizeof *x);
    if (x != NULL)
        NATIVE_UNLOCKED(status = scrim_solid_sample(b->solid, &o, x, &facts, &error));
    b->is_busy = false;
    if (x == NULL)
        return PyErr_NoMemory();
    if (status == SCRIM_OK)
        points = PyBytes_FromStringAndSize(
            (const char *)x, (Py_ssize_t)((size_t)count * b->dimension * sizeof *x));
    else
        native_raise(&error, NULL);
    free(x);
    return points;
}

static PyObject *body_compare(PyObject *self, PyObject *arguments)
{
    PyObject *capsules[2];
    double direction[SCRIM_BODY_DIMENSIONS];
    scrim_solid_gap gap;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &capsules[0], &capsules[1]))
        return NULL;
    if (capsules[0] == capsules[1])
        return Py_BuildValue("(dd)", 0.0, 0.0);
    native_body *a = enter(capsules[0]), *b = a == NULL ? NULL : enter(capsules[1]);
    if (b != NULL) {
        NATIVE_UNLOCKED(
            status = scrim_solid_compare(a->solid, b->solid, direction, &gap, &error));
        b->is_busy = false;
    }
    if (a != NULL)
        a->is_busy = false;
    if (b == NULL)
        return NULL;
    return status == SCRIM_OK ? Py_BuildValue("(dd)", gap.lower, gap.upper)
                              : native_raise(&error, NULL);
}

static PyObject *body_svg(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    const char *columns;
    char *text = NULL;
    size_t bytes = 0;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Oz", &capsule, &columns))
        return NULL;
    native_body *b = enter(capsule);
    if (b == NULL)
        return NULL;
    NATIVE_UNLOCKED(status =
                        sc_body_drawing_text(b->body, columns, &text, &bytes, &error));
    b->is_busy = false;
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    PyObject *drawing = PyUnicode_DecodeUTF8(text, (Py_ssize_t)bytes, "replace");
    free(text);
    return drawing;
}

PyMethodDef native_body_methods[] = {
    {"body_fit", body_fit, METH_VARARGS,
     "body_fit($module, vault, dataset, columns, q, epsilon, delta, method, directions, "
     "vectors, direction_count, seed, scales, expected_units, workers, memory_bytes, "
     "max_total_rows, frame, version, progress, /)\n--\n\n"},
    {"body_replay", body_replay, METH_VARARGS,
     "body_replay($module, vault, release, /)\n--\n\n"},
    {"body_read", body_read, METH_VARARGS, "body_read($module, text, /)\n--\n\n"},
    {"body_describe", body_describe, METH_O, "body_describe($module, body, /)\n--\n\n"},
    {"body_center", body_center, METH_VARARGS,
     "body_center($module, body, method, /)\n--\n\n"},
    {"body_project", body_project, METH_VARARGS,
     "body_project($module, body, point, /)\n--\n\n"},
    {"body_excess", body_excess, METH_VARARGS,
     "body_excess($module, body, point, /)\n--\n\n"},
    {"body_support", body_support, METH_VARARGS,
     "body_support($module, body, direction, /)\n--\n\n"},
    {"body_minimise", body_minimise, METH_VARARGS,
     "body_minimise($module, body, objective, tolerance, /)\n--\n\n"},
    {"body_svg", body_svg, METH_VARARGS, "body_svg($module, body, columns, /)\n--\n\n"},
    {"body_volume", body_volume, METH_O, "body_volume($module, body, /)\n--\n\n"},
    {"body_sample", body_sample, METH_VARARGS,
     "body_sample($module, body, count, method, weight, workers, /)\n--\n\n"},
    {"body_compare", body_compare, METH_VARARGS,
     "body_compare($module, body, other, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
