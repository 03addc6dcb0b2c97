/* The researcher's tools: draws, audits, composition, calibration, distances. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

/* Distributions. */

static void distribution_free(PyObject *capsule)
{
    scrim_distribution_free(PyCapsule_GetPointer(capsule, NATIVE_DISTRIBUTION));
}

static PyObject *distribution_parse(PyObject *self, PyObject *arguments)
{
    const char *text;
    scrim_distribution *distribution = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "s", &text))
        return NULL;
    NATIVE_UNLOCKED(status = scrim_distribution_parse(text, &distribution, &error));
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    PyObject *capsule =
        PyCapsule_New(distribution, NATIVE_DISTRIBUTION, distribution_free);
    if (capsule == NULL)
        scrim_distribution_free(distribution);
    return capsule;
}

static PyObject *distribution_read(PyObject *self, PyObject *capsule)
{
    const scrim_distribution *d = native_handle(capsule, NATIVE_DISTRIBUTION);
    scrim_moments m;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (d == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_distribution_moments(d, &m, &error));
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    return Py_BuildValue("{s:s,s:N,s:(dd),s:(dd)}", "text", scrim_distribution_text(d),
                         "is_narrow", PyBool_FromLong(scrim_distribution_is_narrow(d)),
                         "mean", m.mean_lower, m.mean_upper, "variance", m.variance_lower,
                         m.variance_upper);
}

/* Fills a writable buffer of 64-bit integers. */
static PyObject *distribution_draw(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *object;
    Py_buffer view;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &capsule, &object))
        return NULL;
    scrim_distribution *d = native_handle(capsule, NATIVE_DISTRIBUTION);
    if (d == NULL)
        return NULL;
    if (PyObject_GetBuffer(object, &view,
                           PyBUF_FORMAT | PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) != 0)
        return NULL;
    const char *format = view.format == NULL ? "" : view.format;
    if (view.itemsize != 8 || (strcmp(format, "q") != 0 && strcmp(format, "l") != 0)) {
        PyBuffer_Release(&view);
        PyErr_SetString(PyExc_TypeError, "draws go into an array of 64-bit integers");
        return NULL;
    }
    NATIVE_UNLOCKED(
        status = scrim_distribution_draw(d, (size_t)(view.len / 8), view.buf, &error));
    PyBuffer_Release(&view);
    return native_none(status, &error);
}

/* A list of int, for draws of any width. */
static PyObject *distribution_draw_wide(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    Py_ssize_t count;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "On", &capsule, &count))
        return NULL;
    scrim_distribution *d = native_handle(capsule, NATIVE_DISTRIBUTION);
    if (d == NULL)
        return NULL;
    if (count < 0 || (size_t)count > SIZE_MAX / sizeof(scrim_wide) / 2)
        return PyErr_NoMemory();
    scrim_wide *draws = malloc(((size_t)count + 1) * sizeof *draws);
    if (draws == NULL)
        return PyErr_NoMemory();
    NATIVE_UNLOCKED(status =
                        scrim_distribution_draw_wide(d, (size_t)count, draws, &error));
    PyObject *list = status == SCRIM_OK ? PyList_New(0) : native_raise(&error, NULL);
    bool is_well = list != NULL;
    for (Py_ssize_t i = 0; is_well && i < count; i++) {
        char text[SCRIM_WIDE_BYTES];
        (void)scrim_wide_format(draws[i], text);
        is_well = native_append(list, PyLong_FromString(text, NULL, 10));
    }
    free(draws);
    return native_done(list, is_well);
}

static bool take_wide(PyObject *number, scrim_wide *out)
{
    long long value = PyLong_AsLongLong(number);
    if (value == -1 && PyErr_Occurred() != NULL)
        return false;
    out->low = (uint64_t)value;
    out->high = value < 0 ? -1 : 0;
    return true;
}

static PyObject *distribution_probability(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *low_object, *high_object;
    scrim_wide low, high;
    double lower, upper;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOO", &capsule, &low_object, &high_object))
        return NULL;
    const scrim_distribution *d = native_handle(capsule, NATIVE_DISTRIBUTION);
    if (d == NULL || !take_wide(low_object, &low) || !take_wide(high_object, &high))
        return NULL;
    NATIVE_UNLOCKED(
        status = scrim_distribution_probability(d, low, high, &lower, &upper, &error));
    return status == SCRIM_OK ? Py_BuildValue("(dd)", lower, upper)
                              : native_raise(&error, NULL);
}

static PyObject *distribution_quantile(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    const char *p;
    scrim_wide out;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Os", &capsule, &p))
        return NULL;
    const scrim_distribution *d = native_handle(capsule, NATIVE_DISTRIBUTION);
    if (d == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_distribution_quantile(d, p, &out, &error));
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    char text[SCRIM_WIDE_BYTES];
    (void)scrim_wide_format(out, text);
    return PyLong_FromString(text, NULL, 10);
}

static PyObject *distributions(PyObject *self, PyObject *none)
{
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    const scrim_distribution_entry *e;
    (void)self;
    (void)none;
    for (size_t i = 0; is_well && (e = scrim_distribution_at(i)) != NULL; i++)
        is_well = native_append(list, Py_BuildValue("{s:s,s:s,s:s,s:s}", "name", e->name,
                                                    "parameters", e->parameters, "law",
                                                    e->law, "domain", e->domain));
    return native_done(list, is_well);
}

/* Audits. */

static PyObject *point_row(const scrim_audit_point *p)
{
    return Py_BuildValue("{s:s,s:d,s:d,s:d,s:z,s:s}", "epsilon", p->epsilon,
                         "delta_lower", p->delta_lower, "delta_upper", p->delta_upper,
                         "claimed_upper", p->claimed_upper, "pair", p->pair, "verdict",
                         scrim_audit_verdict_name(p->verdict));
}

static PyObject *points_of(const scrim_audit_report *report)
{
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    for (size_t i = 0; is_well && i < scrim_audit_report_points(report); i++) {
        scrim_audit_point point;
        scrim_error error;
        const scrim_status status = scrim_audit_report_point(report, i, &point, &error);
        is_well = status == SCRIM_OK && native_append(list, point_row(&point));
        if (status != SCRIM_OK)
            native_raise(&error, NULL);
    }
    return native_done(list, is_well);
}

static PyObject *audit_row(const scrim_audit_report *report)
{
    scrim_cost cost;
    scrim_audit_loss loss;
    scrim_audit_report_cost(report, &cost);
    scrim_audit_report_loss(report, &loss);
    return Py_BuildValue(
        "{s:s,s:s,s:s,s:N,s:N,s:K,s:K,s:z,s:d,s:d,s:N}", "verdict",
        scrim_audit_verdict_name(scrim_audit_report_verdict(report)), "summary",
        scrim_audit_report_summary(report), "text", scrim_audit_report_text(report),
        "is_tight", PyBool_FromLong(scrim_audit_report_is_tight(report)), "cost",
        native_cost(&cost), "pairs", (unsigned long long)scrim_audit_report_pairs(report),
        "outcomes", (unsigned long long)scrim_audit_report_outcomes(report), "worst_pair",
        scrim_audit_report_worst_pair(report), "loss_lower", loss.loss_lower,
        "loss_upper", loss.loss_upper, "points", points_of(report));
}

static PyObject *audit(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *progress;
    unsigned long long points;
    scrim_audit_report *report = NULL;
    scrim_status status;
    scrim_error error;
    native_watch watch;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OKO", &capsule, &points, &progress))
        return NULL;
    const scrim_measurement *m = native_handle(capsule, NATIVE_MEASUREMENT);
    if (m == NULL || !native_watch_init(&watch, progress))
        return NULL;
    const scrim_audit_options options = {.size = sizeof options,
                                         .points = (size_t)points,
                                         .progress = native_watch_tell,
                                         .context = &watch};
    NATIVE_UNLOCKED(status = scrim_audit(m, &options, &report, &error));
    const bool is_raised = native_watch_raise(&watch, "");
    native_watch_clear(&watch);
    PyObject *row = is_raised            ? NULL
                    : status == SCRIM_OK ? audit_row(report)
                                         : native_raise(&error, NULL);
    scrim_audit_report_free(report);
    return row;
}

/* Composition. */

static PyObject *pair_row(const scrim_bound_pair *b)
{
    return Py_BuildValue("{s:N,s:N,s:d,s:d}", "lower", native_text(b->lower), "upper",
                         native_text(b->upper), "lower_view", b->lower_view, "upper_view",
                         b->upper_view);
}

static PyObject *bound_row(const scrim_bound_row *r)
{
    return Py_BuildValue(
        "{s:s,s:s,s:s,s:N,s:N,s:N,s:N}", "name", r->accountant.name, "summary",
        r->accountant.summary, "reference", r->accountant.reference, "is_adaptive",
        PyBool_FromLong(r->accountant.is_adaptive), "bounds", pair_row(&r->bounds),
        "is_best", PyBool_FromLong(r->is_best), "remark", native_text(r->remark));
}

static PyObject *bounds_row(const scrim_bounds *bounds)
{
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    for (size_t i = 0; is_well && i < bounds->count; i++)
        is_well = native_append(list, bound_row(&bounds->rows[i]));
    list = native_done(list, is_well);
    if (list == NULL)
        return NULL;
    return Py_BuildValue("{s:N,s:N,s:N,s:N}", "at", native_text(bounds->at),
                         "accountants", list, "best", pair_row(&bounds->best),
                         "is_adaptive", PyBool_FromLong(bounds->is_adaptive));
}

static PyObject *compose(PyObject *self, PyObject *arguments)
{
    const char *text, *delta, *epsilon, *accountant;
    unsigned long long units;
    PyObject *progress;
    scrim_composition *composition = NULL, *group = NULL;
    scrim_bounds bounds = {.rows = NULL};
    scrim_status status;
    scrim_error error;
    native_watch watch;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "szzzKO", &text, &delta, &epsilon, &accountant,
                          &units, &progress) ||
        !native_watch_init(&watch, progress))
        return NULL;
    const scrim_composition_options options = {.size = sizeof options,
                                               .accountant = accountant,
                                               .progress = native_watch_tell,
                                               .context = &watch};
    NATIVE_UNLOCKED({
        status = scrim_composition_parse(text, &composition, &error);
        if (status == SCRIM_OK)
            status = scrim_composition_group(composition, units, &group, &error);
        if (status == SCRIM_OK)
            status =
                delta != NULL
                    ? scrim_composition_epsilon(group, delta, &options, &bounds, &error)
                    : scrim_composition_delta(group, epsilon, &options, &bounds, &error);
    });
    const bool is_raised = native_watch_raise(&watch, "");
    native_watch_clear(&watch);
    PyObject *row = is_raised            ? NULL
                    : status == SCRIM_OK ? bounds_row(&bounds)
                                         : native_raise(&error, NULL);
    if (status == SCRIM_OK)
        scrim_bounds_clear(&bounds);
    scrim_composition_free(group);
    scrim_composition_free(composition);
    return row;
}

/* Calibration. */

static PyObject *calibration_row(const scrim_calibration *c)
{
    return Py_BuildValue(
        "{s:s,s:s,s:s,s:N,s:N,s:K,s:N,s:N,s:d,s:d,s:z,s:N}", "text", c->text, "parameter",
        c->parameter, "value", c->value, "next", native_text(c->next), "is_exact",
        PyBool_FromLong(c->is_exact), "count", (unsigned long long)c->count, "alone",
        native_cost(&c->alone), "joint", native_cost(&c->joint), "epsilon_lower",
        c->epsilon_lower, "delta_upper", c->delta_upper, "source", c->source,
        "certificate", native_certificate(&c->certificate));
}

static PyObject *calibrate(PyObject *self, PyObject *arguments)
{
    const char *line;
    PyObject *progress;
    scrim_calibrate_options options = {.size = sizeof options};
    unsigned long long count, values;
    scrim_status status;
    scrim_error error;
    native_watch watch;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "szzzzKKpO", &line, &options.epsilon, &options.delta,
                          &options.target_error, &options.confidence, &count, &values,
                          &options.is_at_once, &progress) ||
        !native_watch_init(&watch, progress))
        return NULL;
    options.count = count;
    options.values = values;
    options.progress = native_watch_tell;
    options.context = &watch;
    scrim_calibration *found = malloc(sizeof *found);
    if (found == NULL) {
        native_watch_clear(&watch);
        return PyErr_NoMemory();
    }
    NATIVE_UNLOCKED(status = scrim_calibrate(line, &options, found, &error));
    const bool is_raised = native_watch_raise(&watch, "");
    native_watch_clear(&watch);
    PyObject *row = is_raised            ? NULL
                    : status == SCRIM_OK ? calibration_row(found)
                                         : native_raise(&error, NULL);
    free(found);
    return row;
}

/* Distances. */

/* Places of a list of (place, mass or None), which keeps the texts. */
static scrim_place *places_of(PyObject *list, size_t *count)
{
    const Py_ssize_t length = PyList_Size(list);
    scrim_place *places = length < 0 ? NULL : calloc((size_t)length + 1, sizeof *places);
    if (places == NULL && length >= 0)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; places != NULL && i < length; i++)
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "sz", &places[i].place,
                              &places[i].mass)) {
            free(places);
            places = NULL;
        }
    *count = (size_t)length;
    return places;
}

static PyObject *distance(PyObject *self, PyObject *arguments)
{
    const char *kind;
    PyObject *a_list, *b_list;
    scrim_distance_options options = {.size = sizeof options};
    scrim_distance out;
    scrim_status status;
    scrim_error error;
    size_t a_count = 0, b_count = 0;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "sO!O!zzpIz", &kind, &PyList_Type, &a_list,
                          &PyList_Type, &b_list, &options.loss, &options.eta,
                          &options.is_average, &options.dimensions, &options.norm))
        return NULL;
    scrim_place *a = places_of(a_list, &a_count),
                *b = a == NULL ? NULL : places_of(b_list, &b_count);
    if (b == NULL) {
        free(a);
        return NULL;
    }
    NATIVE_UNLOCKED(status = scrim_distance_between(kind, a, a_count, b, b_count,
                                                    &options, &out, &error));
    free(a);
    free(b);
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    return Py_BuildValue("(ss)", out.exact, out.decimal);
}

/* Tables. */

/* Whole numbers of a list; NULL with an exception set. */
static int64_t *counts_of(PyObject *list, size_t *count)
{
    const Py_ssize_t length = PyList_Size(list);
    int64_t *counts = length < 0 ? NULL : calloc((size_t)length + 1, sizeof *counts);
    if (counts == NULL)
        return length < 0 ? NULL : (int64_t *)PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < length; i++) {
        counts[i] = PyLong_AsLongLong(PyList_GetItem(list, i));
        if (PyErr_Occurred() != NULL) {
            free(counts);
            return NULL;
        }
    }
    *count = (size_t)length;
    return counts;
}

static PyObject *fit_counts(PyObject *self, PyObject *arguments)
{
    PyObject *noisy;
    long long total;
    scrim_microdata_fit_options options = {.size = sizeof options};
    scrim_status status;
    scrim_error error;
    size_t count = 0;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "O!Lzz", &PyList_Type, &noisy, &total,
                          &options.method, &options.weight))
        return NULL;
    int64_t *table = counts_of(noisy, &count);
    if (table == NULL)
        return NULL;
    NATIVE_UNLOCKED(
        status = scrim_microdata_fit(table, count, total, &options, table, &error));
    PyObject *list = status == SCRIM_OK ? PyList_New(0) : native_raise(&error, NULL);
    bool is_well = list != NULL;
    for (size_t i = 0; is_well && i < count; i++)
        is_well = native_append(list, PyLong_FromLongLong(table[i]));
    free(table);
    return native_done(list, is_well);
}

PyMethodDef native_tool_methods[] = {
    {"distribution_parse", distribution_parse, METH_VARARGS,
     "distribution_parse($module, text, /)\n--\n\n"},
    {"distribution_read", distribution_read, METH_O,
     "distribution_read($module, distribution, /)\n--\n\n"},
    {"distribution_draw", distribution_draw, METH_VARARGS,
     "distribution_draw($module, distribution, out, /)\n--\n\n"},
    {"distribution_draw_wide", distribution_draw_wide, METH_VARARGS,
     "distribution_draw_wide($module, distribution, count, /)\n--\n\n"},
    {"distribution_probability", distribution_probability, METH_VARARGS,
     "distribution_probability($module, distribution, low, high, /)\n--\n\n"},
    {"distribution_quantile", distribution_quantile, METH_VARARGS,
     "distribution_quantile($module, distribution, p, /)\n--\n\n"},
    {"distributions", distributions, METH_NOARGS, "distributions($module, /)\n--\n\n"},
    {"audit", audit, METH_VARARGS,
     "audit($module, measurement, points, progress, /)\n--\n\n"},
    {"compose", compose, METH_VARARGS,
     "compose($module, parts, delta, epsilon, accountant, group, progress, /)\n--\n\n"},
    {"calibrate", calibrate, METH_VARARGS,
     "calibrate($module, line, epsilon, delta, target_error, confidence, count, values, "
     "is_at_once, progress, /)\n--\n\n"},
    {"distance", distance, METH_VARARGS,
     "distance($module, kind, a, b, loss, eta, is_average, dimensions, norm, /)\n--\n\n"},
    {"fit_counts", fit_counts, METH_VARARGS,
     "fit_counts($module, noisy, total, method, weight, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
