/* Series of releases. */
#include "native_plan.h"

#include <string.h>

static void series_free(PyObject *capsule)
{
    scrim_series_free(PyCapsule_GetPointer(capsule, NATIVE_SERIES));
}

static PyObject *series_capsule(scrim_status status, scrim_series *series,
                                const scrim_error *error, const scrim_caret *caret)
{
    if (status != SCRIM_OK)
        return native_raise(error, caret);
    PyObject *capsule = PyCapsule_New(series, NATIVE_SERIES, series_free);
    if (capsule == NULL)
        scrim_series_free(series);
    return capsule;
}

static PyObject *series_new(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    const char *name, *dataset, *query;
    scrim_series_options options = {.size = sizeof options};
    unsigned long long releases;
    scrim_series *series = NULL;
    scrim_status status;
    scrim_error error;
    scrim_caret caret = {.text = ""};
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OssszzzzKzzpzzzz", &capsule, &name, &dataset,
                          &query, &options.epsilon, &options.delta, &options.expect,
                          &options.mechanism, &releases, &options.window,
                          &options.known_keys, &options.running, &options.max_groups,
                          &options.max_rows, &options.max_total_rows, &options.max_total))
        return NULL;
    options.releases = releases;
    native_vault *vault = native_vault_enter(capsule);
    if (vault == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_series_new(vault->vault, name, dataset, query,
                                              &options, &series, &caret, &error));
    native_vault_leave(vault);
    return series_capsule(status, series, &error, &caret);
}

static PyObject *series_read(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    const char *name;
    scrim_series *series = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Os", &capsule, &name))
        return NULL;
    native_vault *vault = native_vault_enter(capsule);
    if (vault == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_series_read(vault->vault, name, &series, &error));
    native_vault_leave(vault);
    return series_capsule(status, series, &error, NULL);
}

static PyObject *series_enter(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *series_object;
    int beyond;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOp", &capsule, &series_object, &beyond))
        return NULL;
    const scrim_series *series = native_handle(series_object, NATIVE_SERIES);
    native_vault *vault = series == NULL ? NULL : native_vault_enter(capsule);
    if (vault == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_series_enter(vault->vault, series, beyond, &error));
    native_vault_leave(vault);
    return native_none(status, &error);
}

static PyObject *series_names(PyObject *self, PyObject *capsule)
{
    native_vault *vault = native_vault_enter(capsule);
    PyObject *list = vault == NULL ? NULL : PyList_New(0);
    bool is_well = list != NULL;
    (void)self;
    for (size_t i = 0; is_well; i++) {
        char name[SCRIM_NAME_BYTES];
        scrim_error error;
        scrim_status status;
        NATIVE_UNLOCKED(status = scrim_series_name_at(vault->vault, i, name, &error));
        if (status == SCRIM_E_PARAM)
            break;
        is_well = status == SCRIM_OK && native_append(list, native_text(name));
        if (status != SCRIM_OK)
            native_raise(&error, NULL);
    }
    if (vault != NULL)
        native_vault_leave(vault);
    return native_done(list, is_well);
}

static PyObject *step_row(const scrim_series_step *s)
{
    return Py_BuildValue(
        "{s:K,s:N,s:N,s:K,s:K,s:K,s:K,s:K,s:N,s:N}", "number",
        (unsigned long long)s->number, "low", native_text(s->low), "high",
        native_text(s->high), "draws", (unsigned long long)s->draws, "release",
        (unsigned long long)s->release, "version", (unsigned long long)s->version, "time",
        (unsigned long long)s->time, "lost", (unsigned long long)s->lost, "amount",
        native_text(s->amount), "delta", native_text(s->delta));
}

static PyObject *steps_of(const scrim_series *series, uint64_t releases)
{
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    for (uint64_t i = 0; is_well && i < releases; i++) {
        scrim_series_step step;
        scrim_error error;
        const scrim_status status =
            scrim_series_step_at(series, (size_t)i, &step, &error);
        is_well = status == SCRIM_OK && native_append(list, step_row(&step));
        if (status != SCRIM_OK)
            native_raise(&error, NULL);
    }
    return native_done(list, is_well);
}

static PyObject *series_describe(PyObject *self, PyObject *capsule)
{
    const scrim_series *series = native_handle(capsule, NATIVE_SERIES);
    scrim_series_facts f;
    (void)self;
    if (series == NULL)
        return NULL;
    scrim_series_describe(series, &f);
    return Py_BuildValue(
        "{s:s,s:s,s:s,s:N,s:N,s:N,s:N,s:K,s:K,s:K,s:K,s:N,s:N,s:N,s:s,s:N,s:N,s:N}",
        "name", f.name, "dataset", f.dataset, "query", f.query, "epsilon",
        native_text(f.epsilon), "delta", native_text(f.delta), "window",
        native_text(f.window), "known_keys", native_text(f.known_keys), "releases",
        (unsigned long long)f.releases, "made", (unsigned long long)f.made, "next",
        (unsigned long long)f.next, "version", (unsigned long long)f.version,
        "is_parallel", PyBool_FromLong(f.is_parallel), "is_over",
        PyBool_FromLong(f.is_over), "is_running", PyBool_FromLong(f.is_running), "unit",
        f.unit, "spent", native_text(f.spent), "spent_delta", native_text(f.spent_delta),
        "steps", steps_of(series, f.releases));
}

static PyObject *forecast_row(const scrim_series_forecast *f)
{
    return Py_BuildValue(
        "{s:s,s:N,s:N,s:K,s:N,s:N,s:N,s:N,s:N,s:K,s:N,s:N,s:N,s:K}", "unit", f->unit,
        "amount", native_text(f->amount), "delta", native_text(f->delta), "remaining",
        (unsigned long long)f->remaining, "total", native_text(f->total), "total_delta",
        native_text(f->total_delta), "left", native_text(f->left), "left_delta",
        native_text(f->left_delta), "fits", PyBool_FromLong(f->fits), "most",
        (unsigned long long)f->most, "basic", native_text(f->basic), "joint",
        native_text(f->joint), "at_delta", native_text(f->at_delta), "pending",
        (unsigned long long)f->pending);
}

static PyObject *series_forecast(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *series_object;
    scrim_series_forecast forecast;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &capsule, &series_object))
        return NULL;
    const scrim_series *series = native_handle(series_object, NATIVE_SERIES);
    native_vault *vault = series == NULL ? NULL : native_vault_enter(capsule);
    if (vault == NULL)
        return NULL;
    NATIVE_UNLOCKED(
        status = scrim_series_forecast_of(vault->vault, series, &forecast, &error));
    native_vault_leave(vault);
    return status == SCRIM_OK ? forecast_row(&forecast) : native_raise(&error, NULL);
}

/* The plan of a release for rows that are pushed; or the number of the release that was made. */
static PyObject *series_prepare(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *progress;
    const char *name;
    unsigned long long number, rows, memory;
    uint64_t made = 0;
    scrim_series_run run = {.size = sizeof run};
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OsKzKIKO", &capsule, &name, &number,
                          &run.confidence, &rows, &run.workers, &memory, &progress))
        return NULL;
    run.rows_upper = rows;
    run.memory_bytes = (size_t)memory;
    native_vault *vault = native_vault_enter(capsule);
    native_plan *p = vault == NULL ? NULL : native_plan_new(capsule, progress);
    if (p != NULL)
        NATIVE_UNLOCKED(status = scrim_series_prepare(vault->vault, name, number, &run,
                                                      &p->plan, &made, &error));
    if (vault != NULL)
        native_vault_leave(vault);
    PyObject *plan = p == NULL ? NULL : native_plan_done(p, status, &error, NULL);
    if (plan == NULL || made == 0)
        return plan;
    Py_DECREF(plan);
    return PyLong_FromUnsignedLongLong(made);
}

static PyObject *series_release(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *progress;
    const char *name;
    unsigned long long number, memory;
    scrim_series_run run = {.size = sizeof run};
    scrim_result *result = NULL;
    scrim_status status;
    scrim_error error;
    native_watch watch;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OsKzIKO", &capsule, &name, &number, &run.confidence,
                          &run.workers, &memory, &progress))
        return NULL;
    run.memory_bytes = (size_t)memory;
    native_vault *vault = native_vault_enter(capsule);
    if (vault == NULL)
        return NULL;
    if (!native_watch_init(&watch, progress)) {
        native_vault_leave(vault);
        return NULL;
    }
    run.progress = native_watch_tell;
    run.is_cancelled = native_watch_cancelled;
    run.context = &watch;
    NATIVE_UNLOCKED(
        status = scrim_series_release(vault->vault, name, number, &run, &result, &error));
    native_vault_leave(vault);
    const bool is_raised =
        native_watch_raise(&watch, status == SCRIM_OK ? NATIVE_ANSWERED : error.message);
    native_watch_clear(&watch);
    if (is_raised) {
        scrim_result_free(result);
        return NULL;
    }
    return status == SCRIM_OK ? native_result(result) : native_raise(&error, NULL);
}

PyMethodDef native_series_methods[] = {
    {"series_new", series_new, METH_VARARGS,
     "series_new($module, vault, name, dataset, query, epsilon, delta, expect, "
     "mechanism, releases, window, known_keys, running, max_groups, max_rows, "
     "max_total_rows, max_total, /)\n--\n\n"},
    {"series_read", series_read, METH_VARARGS,
     "series_read($module, vault, name, /)\n--\n\n"},
    {"series_enter", series_enter, METH_VARARGS,
     "series_enter($module, vault, series, beyond_budget, /)\n--\n\n"},
    {"series_names", series_names, METH_O, "series_names($module, vault, /)\n--\n\n"},
    {"series_describe", series_describe, METH_O,
     "series_describe($module, series, /)\n--\n\n"},
    {"series_forecast", series_forecast, METH_VARARGS,
     "series_forecast($module, vault, series, /)\n--\n\n"},
    {"series_prepare", series_prepare, METH_VARARGS,
     "series_prepare($module, vault, name, number, confidence, rows_upper, workers, "
     "memory_bytes, "
     "progress, /)\n--\n\n"},
    {"series_release", series_release, METH_VARARGS,
     "series_release($module, vault, name, number, confidence, workers, memory_bytes, "
     "progress, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
