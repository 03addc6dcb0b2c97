/* Suggestions of bounds, from released counts. */
#include "native_plan.h"

/* Its plan is described, run and fed as that of a query. */
static PyObject *suggestion_new(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *progress;
    const char *dataset;
    scrim_suggestion_options options = {.size = sizeof options};
    unsigned long long rows, memory;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OszzzzzKIKO", &capsule, &dataset, &options.epsilon,
                          &options.columns, &options.by, &options.confidence,
                          &options.question_epsilon, &rows, &options.workers, &memory,
                          &progress))
        return NULL;
    options.rows_upper = rows;
    options.memory_bytes = (size_t)memory;
    native_vault *vault = native_vault_enter(capsule);
    native_plan *p = vault == NULL ? NULL : native_plan_new(capsule, progress);
    if (p != NULL) {
        options.progress = native_watch_tell;
        options.context = &p->watch;
        NATIVE_UNLOCKED(status = scrim_suggestion_new(vault->vault, dataset, &options,
                                                      &p->suggestion, &error));
    }
    if (vault != NULL)
        native_vault_leave(vault);
    return p == NULL ? NULL : native_plan_done(p, status, &error, NULL);
}

static PyObject *rung_row(const scrim_suggested_rung *r)
{
    return Py_BuildValue(
        "{s:s,s:N,s:s,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:K}", "quantity", r->quantity,
        "column", native_text(r->column), "rung", r->rung, "is_last",
        PyBool_FromLong(r->is_last), "people", native_text(r->people), "people_low",
        native_text(r->people_low), "people_high", native_text(r->people_high), "above",
        native_text(r->above), "above_low", native_text(r->above_low), "above_high",
        native_text(r->above_high), "error", (unsigned long long)r->error);
}

static PyObject *quantile_row(const scrim_suggested_quantile *q)
{
    return Py_BuildValue("{s:s,s:N,s:s,s:N,s:N,s:N,s:K,s:N}", "quantity", q->quantity,
                         "column", native_text(q->column), "p", q->p, "value",
                         native_text(q->value), "low", native_text(q->low), "high",
                         native_text(q->high), "people", (unsigned long long)q->people,
                         "is_last", PyBool_FromLong(q->is_last));
}

static PyObject *bound_row(const scrim_suggested_bound *b)
{
    return Py_BuildValue("{s:s,s:N,s:N,s:N,s:s,s:s,s:s,s:N}", "bound", b->bound, "column",
                         native_text(b->column), "low", native_text(b->low), "high",
                         native_text(b->high), "beyond", b->beyond, "beyond_low",
                         b->beyond_low, "beyond_high", b->beyond_high, "is_sure",
                         PyBool_FromLong(b->is_sure));
}

static PyObject *suggestion_read(PyObject *self, PyObject *capsule)
{
    const native_plan *p = native_handle(capsule, NATIVE_PLAN);
    scrim_suggested_rung rung;
    scrim_suggested_quantile quantile;
    scrim_suggested_bound bound;
    (void)self;
    if (p == NULL)
        return NULL;
    if (p->suggestion == NULL) {
        PyErr_SetString(PyExc_TypeError, "expected the plan of a suggestion");
        return NULL;
    }
    PyObject *rungs = PyList_New(0), *quantiles = PyList_New(0), *bounds = PyList_New(0),
             *row = PyDict_New();
    bool is_well = rungs != NULL && quantiles != NULL && bounds != NULL && row != NULL;
    for (size_t i = 0; is_well && scrim_suggestion_rung_at(p->suggestion, i, &rung); i++)
        is_well = native_append(rungs, rung_row(&rung));
    for (size_t i = 0;
         is_well && scrim_suggestion_quantile_at(p->suggestion, i, &quantile); i++)
        is_well = native_append(quantiles, quantile_row(&quantile));
    for (size_t i = 0; is_well && scrim_suggestion_bound_at(p->suggestion, i, &bound);
         i++)
        is_well = native_append(bounds, bound_row(&bound));
    /* Each takes its value. */
    is_well = native_put(row, "ladder", rungs) && is_well;
    is_well = native_put(row, "quantiles", quantiles) && is_well;
    is_well = native_put(row, "bounds", bounds) && is_well;
    is_well =
        is_well &&
        native_put(row, "people",
                   PyLong_FromUnsignedLongLong(scrim_suggestion_people(p->suggestion)));
    return native_done(row, is_well);
}

PyMethodDef native_suggestion_methods[] = {
    {"suggestion_new", suggestion_new, METH_VARARGS,
     "suggestion_new($module, vault, dataset, epsilon, columns, by, confidence, "
     "question_epsilon, rows_upper, workers, memory_bytes, progress, /)\n--\n\n"},
    {"suggestion_read", suggestion_read, METH_O,
     "suggestion_read($module, plan, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
