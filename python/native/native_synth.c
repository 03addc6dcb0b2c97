/* Synthetic records: a release of noisy counts, and the rows that follow from it. */
#include "native_frame.h"

#include <stdlib.h>
#include <string.h>

static void release_free(PyObject *capsule)
{
    scrim_synth_release_free(PyCapsule_GetPointer(capsule, NATIVE_SYNTH));
}

static PyObject *release_capsule(scrim_status status, scrim_synth_release *release,
                                 const scrim_error *error)
{
    if (status != SCRIM_OK)
        return native_raise(error, NULL);
    PyObject *capsule = PyCapsule_New(release, NATIVE_SYNTH, release_free);
    if (capsule == NULL)
        scrim_synth_release_free(release);
    return capsule;
}

static PyObject *column_row(const scrim_synth_column *c)
{
    return Py_BuildValue(
        "{s:s,s:N,s:K,s:N,s:N,s:N}", "name", c->name, "cut", native_text(c->cut),
        "categories", (unsigned long long)c->categories, "is_nullable",
        PyBool_FromLong(c->is_nullable), "is_number", PyBool_FromLong(c->is_number),
        "has_private_keys", PyBool_FromLong(c->has_private_keys));
}

static PyObject *plan_columns(const scrim_synth *synth)
{
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    scrim_synth_column column;
    for (size_t i = 0; is_well && scrim_synth_column_at(synth, i, &column); i++)
        is_well = native_append(list, column_row(&column));
    return native_done(list, is_well);
}

static PyObject *plan_row(const scrim_synth *synth, const scrim_synth_facts *f)
{
    PyObject *columns = plan_columns(synth);
    if (columns == NULL)
        return NULL;
    return Py_BuildValue(
        "{s:s,s:s,s:N,s:K,s:N,s:N,s:N,s:K,s:K,s:N,s:n,s:n,s:N}", "dataset", f->dataset,
        "method", f->method, "cost", native_cost(&f->cost), "max_rows",
        (unsigned long long)f->max_rows, "count_error", native_text(f->count_error),
        "pair_error", native_text(f->pair_error), "selection", native_text(f->selection),
        "kept_half", (unsigned long long)f->kept_half, "kept_most",
        (unsigned long long)f->kept_most, "is_known", PyBool_FromLong(f->is_known),
        "queries", (Py_ssize_t)f->query_count, "measured_queries",
        (Py_ssize_t)f->measured_count, "columns", columns);
}

/* A request: planned, and described or run. */
typedef struct request {
    PyObject *vault;
    const char *dataset;
    const char **cuts, **never, **private_keys, **queries;
    native_watch watch;
    scrim_synth_options options;
    scrim_frame frame;
    scrim_synth *synth;
} request;

static void request_clear(request *r)
{
    scrim_synth_free(r->synth);
    native_watch_clear(&r->watch);
    free(r->cuts);
    free(r->never);
    free(r->private_keys);
    free(r->queries);
}

static bool request_read(request *r, PyObject *arguments)
{
    PyObject *cuts, *never, *private_keys, *queries, *frame, *progress;
    const char *version;
    unsigned long long refine, memory;
    scrim_synth_options *o = &r->options;
    memset(r, 0, sizeof *r);
    o->size = sizeof *o;
    if (!PyArg_ParseTuple(arguments, "OszzzzzOOOOIKIKzzzOzO", &r->vault, &r->dataset,
                          &o->method, &o->columns, &o->epsilon, &o->delta, &o->rho, &cuts,
                          &never, &private_keys, &queries, &o->ways, &refine, &o->workers,
                          &memory, &o->max_groups, &o->max_rows, &o->max_total_rows,
                          &frame, &version, &progress) ||
        !native_frame_read(frame, version, &r->frame, &o->frame))
        return false;
    o->refine = refine;
    o->memory_bytes = (size_t)memory;
    if ((r->cuts = native_texts(cuts, &o->cut_count)) == NULL ||
        (r->never = native_texts(never, &o->never_count)) == NULL ||
        (r->private_keys = native_texts(private_keys, &o->private_key_count)) == NULL ||
        (r->queries = native_texts(queries, &o->query_count)) == NULL ||
        !native_watch_init(&r->watch, progress))
        return false;
    o->cuts = r->cuts;
    o->never = r->never;
    o->private_keys = r->private_keys;
    o->queries = r->queries;
    o->progress = native_watch_tell;
    o->is_cancelled = native_watch_cancelled;
    o->context = &r->watch;
    return true;
}

static PyObject *synth_describe(PyObject *self, PyObject *arguments)
{
    request r;
    scrim_synth_facts facts;
    scrim_status status;
    scrim_error error;
    PyObject *row = NULL;
    (void)self;
    native_vault *vault =
        request_read(&r, arguments) ? native_vault_enter(r.vault) : NULL;
    if (vault != NULL) {
        NATIVE_UNLOCKED({
            status =
                scrim_synth_new(vault->vault, r.dataset, &r.options, &r.synth, &error);
            if (status == SCRIM_OK)
                status = scrim_synth_describe(vault->vault, r.synth, &facts, &error);
        });
        native_vault_leave(vault);
        row = status == SCRIM_OK ? plan_row(r.synth, &facts) : native_raise(&error, NULL);
    }
    request_clear(&r);
    return row;
}

static PyObject *synth_run(PyObject *self, PyObject *arguments)
{
    request r;
    scrim_synth_release *release = NULL;
    scrim_status status;
    scrim_error error;
    PyObject *capsule = NULL;
    (void)self;
    native_vault *vault =
        request_read(&r, arguments) ? native_vault_enter(r.vault) : NULL;
    if (vault != NULL) {
        NATIVE_UNLOCKED({
            status =
                scrim_synth_new(vault->vault, r.dataset, &r.options, &r.synth, &error);
            if (status == SCRIM_OK)
                status = scrim_synth_run(vault->vault, r.synth, &release, &error);
        });
        native_vault_leave(vault);
        if (native_watch_raise(&r.watch,
                               status == SCRIM_OK ? NATIVE_ANSWERED : error.message))
            scrim_synth_release_free(release);
        else
            capsule = release_capsule(status, release, &error);
    }
    request_clear(&r);
    return capsule;
}

static PyObject *synth_replay(PyObject *self, PyObject *arguments)
{
    uint64_t id;
    scrim_synth_release *release = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    native_vault *vault = native_release_enter(arguments, &id, NULL);
    if (vault == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_synth_replay(vault->vault, id, &release, &error));
    native_vault_leave(vault);
    return release_capsule(status, release, &error);
}

static PyObject *release_columns(const scrim_synth_release *release)
{
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    scrim_synth_column column;
    for (size_t i = 0; is_well && scrim_synth_release_column_at(release, i, &column); i++)
        is_well = native_append(list, column_row(&column));
    return native_done(list, is_well);
}

static PyObject *synth_read(PyObject *self, PyObject *capsule)
{
    const scrim_synth_release *release = native_handle(capsule, NATIVE_SYNTH);
    scrim_synth_released f;
    (void)self;
    PyObject *columns = release == NULL ? NULL : release_columns(release);
    if (columns == NULL)
        return NULL;
    scrim_synth_release_describe(release, &f);
    return Py_BuildValue(
        "{s:K,s:K,s:N,s:s,s:s,s:K,s:N,s:K,s:K,s:K,s:N}", "release",
        (unsigned long long)f.release, "time", (unsigned long long)f.time, "is_repeated",
        PyBool_FromLong(f.is_repeated), "dataset", f.dataset, "method", f.method,
        "version", (unsigned long long)f.version, "cost", native_cost(&f.cost),
        "max_rows", (unsigned long long)f.max_rows, "rows", (unsigned long long)f.rows,
        "refines", (unsigned long long)f.refines, "columns", columns);
}

/* Rows, column by column: text, or None. */

static PyObject *cells_of(const scrim_synth_rows *rows, size_t column, char *text)
{
    const uint64_t count = scrim_synth_row_count(rows);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (uint64_t i = 0; list != NULL && i < count; i++) {
        PyObject *cell =
            scrim_synth_cell(rows, i, column, text)
                ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "surrogateescape")
                : Py_BuildValue("");
        if (cell == NULL || PyList_SetItem(list, (Py_ssize_t)i, cell) != 0)
            return native_done(list, false);
    }
    return list;
}

static PyObject *columns_of(const scrim_synth_rows *rows)
{
    PyObject *list = PyList_New(0);
    char *text = malloc(SCRIM_SYNTH_CELL_BYTES);
    bool is_well = list != NULL && text != NULL;
    if (text == NULL)
        PyErr_NoMemory();
    for (size_t i = 0; is_well && i < scrim_synth_row_columns(rows); i++)
        is_well = native_append(
            list, Py_BuildValue("(NN)", native_text(scrim_synth_row_name(rows, i)),
                                cells_of(rows, i, text)));
    free(text);
    return native_done(list, is_well);
}

static PyObject *synth_draw(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *given;
    unsigned long long wanted;
    scrim_synth_row_options options = {.size = sizeof options};
    scrim_synth_rows *rows = NULL;
    native_watch watch = {.progress = NULL};
    scrim_status status;
    scrim_error error = {.message = ""};
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OKO", &capsule, &wanted, &given))
        return NULL;
    const scrim_synth_release *release = native_handle(capsule, NATIVE_SYNTH);
    const char **texts =
        release == NULL ? NULL : native_texts(given, &options.given_count);
    if (texts == NULL)
        return NULL;
    options.rows = wanted;
    options.given = texts;
    options.is_cancelled = native_watch_cancelled;
    options.context = &watch;
    NATIVE_UNLOCKED(status = scrim_synth_draw(release, &options, &rows, &error));
    free(texts);
    if (native_watch_raise(&watch, error.message)) {
        scrim_synth_rows_free(rows);
        return NULL;
    }
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    PyObject *columns = columns_of(rows);
    scrim_synth_rows_free(rows);
    return columns;
}

static PyObject *marginal_row(const scrim_synth_marginal *m)
{
    return Py_BuildValue("{s:s,s:I,s:s,s:d,s:d,s:d}", "columns", m->columns, "ways",
                         m->ways, "basis", scrim_synth_basis_name(m->basis), "low",
                         m->low, "high", m->high, "model", m->model);
}

static PyObject *query_row(const scrim_synth_query *q)
{
    return Py_BuildValue("{s:s,s:K,s:d,s:s,s:d,s:d}", "query", q->text, "rows",
                         (unsigned long long)q->rows, "share", q->share, "basis",
                         scrim_synth_basis_name(q->basis), "low", q->low, "high",
                         q->high);
}

/* Of columns together; or of the queries that were asked for. */
static PyObject *list_report(PyObject *arguments, bool is_of_queries)
{
    PyObject *capsule;
    unsigned long long rows;
    scrim_synth_report_options options = {.size = sizeof options};
    scrim_synth_report *report = NULL;
    scrim_synth_marginal marginal;
    scrim_synth_query query;
    native_watch watch = {.progress = NULL};
    scrim_status status;
    scrim_error error = {.message = ""};
    if (!PyArg_ParseTuple(arguments, "OKIz", &capsule, &rows, &options.ways,
                          &options.confidence))
        return NULL;
    const scrim_synth_release *release = native_handle(capsule, NATIVE_SYNTH);
    if (release == NULL)
        return NULL;
    options.rows = rows;
    options.is_cancelled = native_watch_cancelled;
    options.context = &watch;
    NATIVE_UNLOCKED(status = scrim_synth_report_new(release, &options, &report, &error));
    if (native_watch_raise(&watch, error.message)) {
        if (status == SCRIM_OK)
            scrim_synth_report_free(report);
        return NULL;
    }
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    for (size_t i = 0;
         is_well && !is_of_queries && scrim_synth_report_at(report, i, &marginal); i++)
        is_well = native_append(list, marginal_row(&marginal));
    for (size_t i = 0;
         is_well && is_of_queries && scrim_synth_report_query_at(report, i, &query); i++)
        is_well = native_append(list, query_row(&query));
    scrim_synth_report_free(report);
    return native_done(list, is_well);
}

static PyObject *synth_report(PyObject *self, PyObject *arguments)
{
    (void)self;
    return list_report(arguments, false);
}

static PyObject *synth_queries(PyObject *self, PyObject *arguments)
{
    (void)self;
    return list_report(arguments, true);
}

#define REQUEST                                                                          \
    "vault, dataset, method, columns, epsilon, delta, rho, cuts, never, private_keys, "  \
    "queries, ways, refine, workers, memory_bytes, max_groups, max_rows, "               \
    "max_total_rows, frame, version, progress, /)\n--\n\n"

PyMethodDef native_synth_methods[] = {
    {"synth_describe", synth_describe, METH_VARARGS, "synth_describe($module, " REQUEST},
    {"synth_run", synth_run, METH_VARARGS, "synth_run($module, " REQUEST},
    {"synth_replay", synth_replay, METH_VARARGS,
     "synth_replay($module, vault, release, /)\n--\n\n"},
    {"synth_read", synth_read, METH_O, "synth_read($module, release, /)\n--\n\n"},
    {"synth_draw", synth_draw, METH_VARARGS,
     "synth_draw($module, release, rows, given, /)\n--\n\n"},
    {"synth_report", synth_report, METH_VARARGS,
     "synth_report($module, release, rows, ways, confidence, /)\n--\n\n"},
    {"synth_queries", synth_queries, METH_VARARGS,
     "synth_queries($module, release, rows, ways, confidence, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
