/* What the owner of a vault may see of the data, and made-up rows for everybody. */
#include "native_frame.h"

#include <stdlib.h>
#include <string.h>

static PyObject *rows_of(const scrim_inspected *line)
{
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    for (size_t i = 0; is_well && i < line->row_count; i++)
        is_well = native_append(list, PyLong_FromUnsignedLongLong(line->rows[i]));
    return native_done(list, is_well);
}

static PyObject *line_row(const scrim_inspected *line)
{
    return Py_BuildValue(
        "{s:s,s:N,s:K,s:N,s:N,s:N,s:N,s:N,s:K,s:K}", "finding",
        scrim_finding_name(line->finding), "column", native_text(line->column), "count",
        (unsigned long long)line->count, "is_right", PyBool_FromLong(line->is_right),
        "reads_more", PyBool_FromLong(line->reads_more), "effect",
        native_text(line->effect), "rows", rows_of(line), "date_formats",
        native_text(line->date_formats), "folded", (unsigned long long)line->folded,
        "words", (unsigned long long)line->words);
}

static PyObject *inspection_row(const scrim_inspection *inspection)
{
    PyObject *lines = PyList_New(0);
    bool is_well = lines != NULL;
    for (size_t i = 0; is_well && i < inspection->count; i++)
        is_well = native_append(lines, line_row(&inspection->lines[i]));
    lines = native_done(lines, is_well);
    if (lines == NULL)
        return NULL;
    return Py_BuildValue("{s:K,s:N,s:N,s:N}", "version",
                         (unsigned long long)inspection->version, "is_right",
                         PyBool_FromLong(inspection->is_right), "counts_lines",
                         PyBool_FromLong(inspection->counts_lines), "lines", lines);
}

static PyObject *set_row(const scrim_risk_set *s, bool has_sensitive)
{
    return Py_BuildValue(
        "{s:s,s:K,s:K,s:K,s:N,s:N,s:N}", "columns", s->columns, "unique",
        (unsigned long long)s->unique, "k", (unsigned long long)s->k, "classes",
        (unsigned long long)s->classes, "l",
        has_sensitive ? PyLong_FromUnsignedLongLong(s->l) : native_text(""), "t",
        has_sensitive ? PyFloat_FromDouble(s->t) : native_text(""), "certain",
        has_sensitive ? PyLong_FromUnsignedLongLong(s->certain) : native_text(""));
}

static PyObject *risk_row(const scrim_risk *risk)
{
    PyObject *sets = PyList_New(0);
    bool is_well = sets != NULL;
    for (size_t i = 0; is_well && i < risk->count; i++)
        is_well = native_append(sets, set_row(&risk->sets[i], risk->has_sensitive != 0));
    sets = native_done(sets, is_well);
    if (sets == NULL)
        return NULL;
    return Py_BuildValue("{s:K,s:K,s:K,s:N}", "version",
                         (unsigned long long)risk->version, "people",
                         (unsigned long long)risk->people, "rows",
                         (unsigned long long)risk->rows, "sets", sets);
}

/* The rows to look at, with the vault and what is called back; cleared in any case. */
typedef struct look {
    scrim_frame frame;
    const scrim_frame *rows; /* NULL: those of the source */
    native_vault *vault;
    native_watch watch;
} look;

static bool look_begin(look *l, PyObject *capsule, PyObject *rows, PyObject *progress)
{
    if (!native_frame_read(rows, NULL, &l->frame, &l->rows) ||
        !native_watch_init(&l->watch, progress))
        return false;
    l->vault = native_vault_enter(capsule);
    if (l->vault == NULL)
        native_watch_clear(&l->watch);
    return l->vault != NULL;
}

/* False with an error set; the library's error is raised where the status says so. */
static bool look_end(look *l, scrim_status status, const scrim_error *error)
{
    native_vault_leave(l->vault);
    const bool is_raised = native_watch_raise(&l->watch, "nothing was charged");
    native_watch_clear(&l->watch);
    if (!is_raised && status != SCRIM_OK)
        (void)native_raise(error, NULL);
    return !is_raised && status == SCRIM_OK;
}

static PyObject *vault_risk(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *rows, *progress;
    const char *dataset;
    scrim_risk_options options = {.size = sizeof options};
    scrim_risk risk;
    scrim_status status;
    scrim_error error;
    look l;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OszzOO", &capsule, &dataset, &options.columns,
                          &options.sensitive, &rows, &progress) ||
        !look_begin(&l, capsule, rows, progress))
        return NULL;
    options.frame = l.rows;
    options.progress = native_watch_tell;
    options.is_cancelled = native_watch_cancelled;
    options.context = &l.watch;
    NATIVE_UNLOCKED(
        status = scrim_vault_risk(l.vault->vault, dataset, &options, &risk, &error));
    PyObject *row = look_end(&l, status, &error) ? risk_row(&risk) : NULL;
    if (status == SCRIM_OK)
        scrim_risk_clear(&risk);
    return row;
}

static PyObject *vault_inspect(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *rows, *progress;
    const char *dataset;
    scrim_inspect_options options = {.size = sizeof options};
    scrim_inspection inspection = {.lines = NULL};
    scrim_status status;
    scrim_error error;
    look l;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OsIOO", &capsule, &dataset, &options.workers, &rows,
                          &progress) ||
        !look_begin(&l, capsule, rows, progress))
        return NULL;
    options.frame = l.rows;
    options.progress = native_watch_tell;
    options.is_cancelled = native_watch_cancelled;
    options.context = &l.watch;
    NATIVE_UNLOCKED(status = scrim_vault_inspect(l.vault->vault, dataset, &options,
                                                 &inspection, &error));
    PyObject *row = look_end(&l, status, &error) ? inspection_row(&inspection) : NULL;
    if (status == SCRIM_OK)
        scrim_inspection_clear(&inspection);
    return row;
}

/* Choices of contribution bounds. */

static PyObject *choice_row(const scrim_bound_choice *c)
{
    return Py_BuildValue(
        "{s:N,s:K,s:K,s:N,s:d,s:d,s:d,s:d,s:N}", "column", native_text(c->column),
        "max_groups", (unsigned long long)c->max_groups, "max_rows",
        (unsigned long long)c->max_rows, "max_total", native_text(c->max_total), "kept",
        c->kept, "bias", c->bias, "noise", c->noise, "error", c->error, "is_best",
        PyBool_FromLong(c->is_best));
}

static PyObject *typical_row(const scrim_typical_question *t)
{
    return Py_BuildValue("{s:s,s:K,s:K,s:d,s:d,s:d,s:d}", "question", t->text, "groups",
                         (unsigned long long)t->groups, "best_total",
                         (unsigned long long)t->best_total, "best_error", t->best_error,
                         "kept", t->kept, "noise", t->noise, "error", t->error);
}

static PyObject *choices_row(const scrim_bound_choices *found)
{
    PyObject *choices = PyList_New(0), *typical = PyList_New(0), *unread = PyList_New(0);
    bool is_well = choices != NULL && typical != NULL && unread != NULL;
    for (size_t i = 0; is_well && i < found->count; i++)
        is_well = native_append(choices, choice_row(&found->choices[i]));
    for (size_t i = 0; is_well && i < found->typical_count; i++)
        is_well = native_append(typical, typical_row(&found->typical[i]));
    for (size_t i = 0; is_well && i < found->unread_count; i++)
        is_well = native_append(unread, PyUnicode_FromString(found->unread[i]));
    if (!is_well) {
        Py_XDECREF(choices);
        Py_XDECREF(typical);
        Py_XDECREF(unread);
        return NULL;
    }
    return Py_BuildValue("{s:K,s:N,s:N,s:N,s:K,s:K}", "version",
                         (unsigned long long)found->version, "choices", choices,
                         "typical", typical, "unread", unread, "ungrouped",
                         (unsigned long long)found->ungrouped, "proposed_total",
                         (unsigned long long)found->proposed_total);
}

static PyObject *vault_bound_choices(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *rows, *progress;
    const char *dataset;
    scrim_bound_options options = {.size = sizeof options};
    scrim_bound_choices choices = {.choices = NULL};
    scrim_status status;
    scrim_error error;
    look l;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OszzIOO", &capsule, &dataset, &options.by,
                          &options.epsilon, &options.workers, &rows, &progress) ||
        !look_begin(&l, capsule, rows, progress))
        return NULL;
    options.frame = l.rows;
    options.progress = native_watch_tell;
    options.context = &l.watch;
    NATIVE_UNLOCKED(status = scrim_vault_bound_choices(l.vault->vault, dataset, &options,
                                                       &choices, &error));
    PyObject *row = look_end(&l, status, &error) ? choices_row(&choices) : NULL;
    if (status == SCRIM_OK)
        scrim_bound_choices_clear(&choices);
    return row;
}

/* Rows that nobody has, as one text. */
typedef struct made_text {
    char *bytes;
    size_t used, room;
} made_text;

static scrim_status keep(void *context, const char *bytes, size_t count,
                         scrim_error *error)
{
    made_text *made = context;
    if (made->room - made->used < count) {
        const size_t room = 2 * (made->used + count);
        char *larger = realloc(made->bytes, room);
        if (larger == NULL) {
            *error = (scrim_error){.status = SCRIM_E_MEMORY};
            (void)PyOS_snprintf(error->message, sizeof error->message,
                                "out of memory for made-up rows");
            return SCRIM_E_MEMORY;
        }
        made->bytes = larger;
        made->room = room;
    }
    memcpy(made->bytes + made->used, bytes, count);
    made->used += count;
    return SCRIM_OK;
}

static PyObject *vault_mock(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    const char *dataset;
    unsigned long long rows;
    made_text made = {.bytes = NULL};
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OsK", &capsule, &dataset, &rows))
        return NULL;
    native_vault *vault = native_vault_enter(capsule);
    if (vault == NULL)
        return NULL;
    NATIVE_UNLOCKED(
        status = scrim_vault_mock(vault->vault, dataset, rows, keep, &made, &error));
    native_vault_leave(vault);
    PyObject *text =
        status == SCRIM_OK
            ? PyUnicode_DecodeUTF8(made.bytes, (Py_ssize_t)made.used, "surrogateescape")
            : native_raise(&error, NULL);
    free(made.bytes);
    return text;
}

PyMethodDef native_inspection_methods[] = {
    {"vault_inspect", vault_inspect, METH_VARARGS,
     "vault_inspect($module, vault, dataset, workers, frame, progress, /)\n--\n\n"},
    {"vault_risk", vault_risk, METH_VARARGS,
     "vault_risk($module, vault, dataset, columns, sensitive, frame, progress, "
     "/)\n--\n\n"},
    {"vault_bound_choices", vault_bound_choices, METH_VARARGS,
     "vault_bound_choices($module, vault, dataset, by, epsilon, workers, frame, "
     "progress, "
     "/)\n--\n\n"},
    {"vault_mock", vault_mock, METH_VARARGS,
     "vault_mock($module, vault, dataset, rows, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
