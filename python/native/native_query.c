/* Queries: plans as dictionaries, answers, replays. */
#include "native_plan.h"

#include <stdlib.h>
#include <string.h>

static void release_plan(native_plan *p)
{
    scrim_suggestion_free(p->suggestion);
    scrim_plan_free(p->plan);
    native_watch_clear(&p->watch);
    Py_XDECREF(p->vault);
    free(p);
}

static void plan_free(PyObject *capsule)
{
    release_plan(PyCapsule_GetPointer(capsule, NATIVE_PLAN));
}

native_plan *native_plan_new(PyObject *vault, PyObject *progress)
{
    native_plan *p = calloc(1, sizeof *p);
    if (p == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    if (!native_watch_init(&p->watch, progress)) {
        free(p);
        return NULL;
    }
    Py_INCREF(vault);
    p->vault = vault;
    return p;
}

PyObject *native_plan_done(native_plan *p, scrim_status status, const scrim_error *error,
                           const scrim_caret *caret)
{
    PyObject *plan = status == SCRIM_OK ? PyCapsule_New(p, NATIVE_PLAN, plan_free)
                                        : native_raise(error, caret);
    if (plan == NULL)
        release_plan(p);
    return plan;
}

const scrim_plan *native_plan_of(const native_plan *p)
{
    return p->suggestion != NULL ? scrim_suggestion_plan(p->suggestion) : p->plan;
}

static PyObject *plan_new(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *queries, *progress;
    const char *dataset;
    scrim_query_options options = {.size = sizeof options};
    unsigned long long rows, memory;
    scrim_status status;
    scrim_error error;
    scrim_caret caret = {.text = ""};
    size_t count = 0;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OsOzzzzzzzzzzzzzzzKIKO", &capsule, &dataset,
                          &queries, &options.epsilon, &options.delta,
                          &options.target_error, &options.confidence, &options.expect,
                          &options.mechanism, &options.shares, &options.version,
                          &options.max_groups, &options.max_rows, &options.max_total_rows,
                          &options.max_total, &options.bounds, &options.cut_share,
                          &options.with, &rows, &options.workers, &memory, &progress))
        return NULL;
    options.rows_upper = rows;
    options.memory_bytes = (size_t)memory;
    native_vault *vault = native_vault_enter(capsule);
    const char **texts = vault == NULL ? NULL : native_texts(queries, &count);
    native_plan *p = texts == NULL ? NULL : native_plan_new(capsule, progress);
    if (p != NULL) {
        options.progress = native_watch_tell;
        options.is_cancelled = native_watch_cancelled;
        options.context = &p->watch;
        NATIVE_UNLOCKED(status = scrim_plan_new(vault->vault, dataset, texts, count,
                                                &options, &p->plan, &caret, &error));
    }
    free(texts);
    if (vault != NULL)
        native_vault_leave(vault);
    return p == NULL ? NULL : native_plan_done(p, status, &error, &caret);
}

/* Parameters. */

/* A list of pairs (kind, text) as values, which point into it. NULL with an error set. */
static scrim_query_value *values_of(PyObject *list, size_t *count)
{
    const Py_ssize_t length = PyList_Size(list);
    if (length < 0)
        return NULL;
    scrim_query_value *values = calloc((size_t)length + 1, sizeof *values);
    if (values == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < length; i++) {
        int kind;
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "is", &kind, &values[i].text)) {
            free(values);
            return NULL;
        }
        values[i].kind = (scrim_value_kind)kind;
    }
    *count = (size_t)length;
    return values;
}

static PyObject *query_bind(PyObject *self, PyObject *arguments)
{
    const char *query;
    PyObject *list;
    size_t count = 0;
    char *bound = NULL;
    scrim_error error;
    scrim_caret caret = {.text = ""};
    (void)self;
    if (!PyArg_ParseTuple(arguments, "sO!", &query, &PyList_Type, &list))
        return NULL;
    scrim_query_value *values = values_of(list, &count);
    if (values == NULL)
        return NULL;
    const scrim_status status =
        scrim_query_bind(query, values, count, &bound, &caret, &error);
    free(values);
    if (status != SCRIM_OK)
        return native_raise(&error, &caret);
    PyObject *text = PyUnicode_FromString(bound);
    scrim_vault_text_free(bound);
    return text;
}

/* A plan as a dictionary. */

static PyObject *output_row(const scrim_plan_output *o)
{
    return Py_BuildValue(
        "{s:s,s:N,s:N,s:z,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N}", "name",
        o->name, "is_all", PyBool_FromLong(o->is_all), "is_key",
        PyBool_FromLong(o->is_key), "aggregate", o->aggregate, "low", native_text(o->low),
        "high", native_text(o->high), "error", native_text(o->error), "relative",
        native_text(o->relative), "certificate", native_text(o->certificate), "flexible",
        native_text(o->flexible), "caution", native_text(o->caution), "is_certain",
        PyBool_FromLong(o->is_certain), "is_unknown", PyBool_FromLong(o->is_unknown),
        "is_range", PyBool_FromLong(o->is_range), "reference", native_text(o->reference),
        "rank_error", native_text(o->rank_error), "ranks", native_text(o->ranks));
}

static PyObject *part_row(const scrim_plan_part *p)
{
    return Py_BuildValue("{s:s,s:s,s:s,s:s,s:K,s:N,s:N,s:N,s:N,s:N}", "what", p->what,
                         "measurement", p->measurement, "mechanism", p->mechanism,
                         "share", p->share, "copies", (unsigned long long)p->copies,
                         "cost", native_cost(&p->cost), "scale", native_text(p->scale),
                         "step", native_text(p->step), "range", native_text(p->range),
                         "note", native_text(p->note));
}

static PyObject *choice_row(const scrim_plan_choice *c)
{
    return Py_BuildValue("{s:s,s:K,s:K,s:N,s:N,s:N}", "measurement", c->measurement,
                         "half", (unsigned long long)c->half, "most",
                         (unsigned long long)c->most, "is_chosen",
                         PyBool_FromLong(c->is_chosen), "cost", native_cost(&c->cost),
                         "reason", native_text(c->reason));
}

/* By column: name, error and times. */
static PyObject *other_row(const scrim_plan *plan, size_t at,
                           const scrim_plan_statement *s, const scrim_plan_other *o)
{
    PyObject *columns = PyList_New(0);
    scrim_plan_output output;
    bool is_well = columns != NULL;
    for (size_t i = 0; is_well && i < s->outputs; i++)
        if (o->errors[i][0] != '\0' &&
            scrim_plan_output_at(plan, at, i, &output, NULL) == SCRIM_OK)
            is_well =
                native_append(columns, Py_BuildValue("{s:s,s:N,s:N}", "name", output.name,
                                                     "error", native_text(o->errors[i]),
                                                     "times", native_text(o->times[i])));
    if (!is_well) {
        Py_XDECREF(columns);
        return NULL;
    }
    return Py_BuildValue("{s:s,s:s,s:N}", "chosen", o->chosen, "other", o->name,
                         "columns", columns);
}

static bool put_others(PyObject *row, const scrim_plan *plan, size_t at,
                       const scrim_plan_statement *s)
{
    PyObject *others = PyList_New(0);
    scrim_plan_other other;
    bool is_well = others != NULL;
    for (size_t i = 0; is_well && i < s->others; i++)
        is_well = scrim_plan_other_at(plan, at, i, &other, NULL) == SCRIM_OK &&
                  native_append(others, other_row(plan, at, s, &other));
    return native_put(row, "compared", others) && is_well;
}

static bool put_lists(PyObject *row, const scrim_plan *plan, size_t at,
                      const scrim_plan_statement *s)
{
    PyObject *outputs = PyList_New(0), *parts = PyList_New(0), *choices = PyList_New(0);
    scrim_error error;
    scrim_status status = SCRIM_OK;
    bool is_well = outputs != NULL && parts != NULL && choices != NULL;
    for (size_t i = 0; is_well && status == SCRIM_OK && i < s->outputs; i++) {
        scrim_plan_output output;
        status = scrim_plan_output_at(plan, at, i, &output, &error);
        is_well = status == SCRIM_OK && native_append(outputs, output_row(&output));
    }
    for (size_t i = 0; is_well && status == SCRIM_OK && i < s->parts; i++) {
        scrim_plan_part part;
        status = scrim_plan_part_at(plan, at, i, &part, &error);
        is_well = status == SCRIM_OK && native_append(parts, part_row(&part));
    }
    for (size_t i = 0; is_well && status == SCRIM_OK && i < s->choices; i++) {
        scrim_plan_choice choice;
        status = scrim_plan_choice_at(plan, at, i, &choice, &error);
        is_well = status == SCRIM_OK && native_append(choices, choice_row(&choice));
    }
    if (status != SCRIM_OK)
        native_raise(&error, NULL);
    /* Each takes its value. */
    is_well = native_put(row, "columns", outputs) && is_well;
    is_well = native_put(row, "parts", parts) && is_well;
    is_well = native_put(row, "choices", choices) && is_well;
    return put_others(row, plan, at, s) && is_well;
}

static PyObject *statement_row(const scrim_plan *plan, size_t at)
{
    scrim_plan_statement s;
    scrim_error error;
    if (scrim_plan_statement_at(plan, at, &s, &error) != SCRIM_OK)
        return native_raise(&error, NULL);
    PyObject *row = Py_BuildValue(
        "{s:s,s:s,s:s,s:K,s:K,s:K,s:N,s:N,s:N,s:N,s:N,s:K,s:N,s:N}", "query", s.text,
        "set", s.set, "keys", s.keys, "key_count", (unsigned long long)s.key_count,
        "max_groups", (unsigned long long)s.max_groups, "max_rows",
        (unsigned long long)s.max_rows, "operations", native_text(s.operations), "kept",
        native_text(s.kept), "caution", native_text(s.caution), "unlisted",
        native_text(s.unlisted), "missing", native_text(s.missing), "number_count",
        (unsigned long long)s.number_count, "confidence_each",
        native_text(s.confidence_each), "joins", native_text(s.joins));
    if (row == NULL)
        return NULL;
    return native_done(row, put_lists(row, plan, at, &s));
}

static PyObject *facts_row(const scrim_plan_facts *f)
{
    PyObject *row = Py_BuildValue(
        "{s:s,s:K,s:s,s:s,s:s,s:N,s:N,s:N,s:N,s:N,s:N,s:s}", "dataset", f->dataset,
        "version", (unsigned long long)f->version, "question", f->question, "unit",
        f->unit, "neighbours", scrim_neighbours_name(f->neighbours), "epsilon",
        native_text(f->epsilon), "delta", native_text(f->delta), "confidence",
        native_text(f->confidence), "expect", native_text(f->expect), "cost",
        native_cost(&f->cost), "cost_of_two", native_cost(&f->of_two), "account_unit",
        f->account_unit);
    const bool is_well =
        native_put(row, "cost_of_four", native_cost(&f->of_four)) &&
        native_put(row, "amount", native_text(f->amount)) &&
        native_put(row, "amount_delta", native_text(f->amount_delta)) &&
        native_put(row, "left", native_text(f->left)) &&
        native_put(row, "left_delta", native_text(f->left_delta)) &&
        native_put(row, "after", native_text(f->after)) &&
        native_put(row, "after_delta", native_text(f->after_delta)) &&
        native_put(row, "quantum", native_text(f->quantum)) &&
        native_put(row, "repeats", PyLong_FromUnsignedLongLong(f->repeats)) &&
        native_put(row, "is_joint", PyBool_FromLong(f->is_joint)) &&
        native_put(row, "is_pending", PyBool_FromLong(f->is_pending)) &&
        native_put(row, "guesses", native_text(f->guesses)) &&
        native_put(row, "guess", native_text(f->guess)) &&
        native_put(row, "remainder", native_remainder(&f->remainder));
    return native_done(row, is_well);
}

static PyObject *plan_row(const scrim_plan *plan, const scrim_plan_facts *facts)
{
    PyObject *row = facts_row(facts), *statements = row == NULL ? NULL : PyList_New(0);
    bool is_well = statements != NULL;
    for (size_t i = 0; is_well && i < facts->statements; i++)
        is_well = native_append(statements, statement_row(plan, i));
    is_well = native_put(row, "statements", statements) && is_well;
    return native_done(row, is_well);
}

static PyObject *plan_describe(PyObject *self, PyObject *capsule)
{
    native_plan *p = native_handle(capsule, NATIVE_PLAN);
    native_vault *vault = p == NULL ? NULL : native_vault_enter(p->vault);
    scrim_plan_facts facts;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (vault == NULL)
        return NULL;
    const scrim_plan *plan = native_plan_of(p);
    NATIVE_UNLOCKED(status = scrim_plan_describe(vault->vault, plan, &facts, &error));
    native_vault_leave(vault);
    return status == SCRIM_OK ? plan_row(plan, &facts) : native_raise(&error, NULL);
}

/* Results. */

static const char *kind_name(scrim_output_kind kind)
{
    static const char *const names[] = {"",           "text",      "number",
                                        "date",       "bool",      "value",
                                        "date_value", "timestamp", "timestamp_value"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "";
}

/* A key is text, or None for NULL; a value is value, low, high, whether the interval is open, and whether noise took it
 * beyond 0. */
static PyObject *cell_of(const scrim_result_cell *cell)
{
    if (cell->low == NULL && cell->is_null)
        Py_RETURN_NONE;
    if (cell->low == NULL)
        return PyUnicode_DecodeUTF8(cell->value, (Py_ssize_t)cell->bytes,
                                    "surrogateescape");
    return Py_BuildValue("(NNNNN)", native_text(cell->value), native_text(cell->low),
                         native_text(cell->high), PyBool_FromLong(cell->is_open),
                         PyBool_FromLong(cell->is_beyond));
}

static PyObject *columns_of(const scrim_result *result, size_t statement)
{
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    for (size_t i = 0; is_well && i < scrim_result_columns(result, statement); i++) {
        const scrim_result_column *c = scrim_result_column_at(result, statement, i);
        is_well = native_append(
            list, Py_BuildValue("{s:s,s:s,s:N,s:N,s:N}", "name", c->name, "kind",
                                kind_name(c->kind), "note", native_text(c->note),
                                "certificate", native_text(c->certificate), "is_certain",
                                PyBool_FromLong(c->is_certain)));
    }
    return native_done(list, is_well);
}

#define SIGNAL_ROWS 4096 /* between two looks at signals */

static PyObject *rows_of(const scrim_result *result, size_t statement)
{
    const size_t columns = scrim_result_columns(result, statement);
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    for (size_t i = 0; is_well && i < scrim_result_rows(result, statement); i++) {
        PyObject *row =
            i % SIGNAL_ROWS == 0 && PyErr_CheckSignals() != 0 ? NULL : PyList_New(0);
        is_well = row != NULL;
        for (size_t j = 0; is_well && j < columns; j++)
            is_well = native_append(
                row, cell_of(scrim_result_cell_at(result, statement, i, j)));
        is_well = native_append(list, native_done(row, is_well));
    }
    return native_done(list, is_well);
}

/* Where a key stands for all of its values: (row, column) pairs. */
static PyObject *totals_of(const scrim_result *result, size_t statement)
{
    const size_t columns = scrim_result_columns(result, statement);
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    for (size_t i = 0; is_well && i < scrim_result_rows(result, statement); i++)
        for (size_t j = 0; is_well && j < columns; j++)
            if (scrim_result_cell_at(result, statement, i, j)->is_all)
                is_well = native_append(
                    list, Py_BuildValue("(nn)", (Py_ssize_t)i, (Py_ssize_t)j));
    return native_done(list, is_well);
}

/* None where nobody was counted. */
static PyObject *cut_of(const scrim_result_cut *cut)
{
    if (cut == NULL)
        Py_RETURN_NONE;
    return Py_BuildValue("{s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s}", "words", cut->words,
                         "caution", cut->caution, "people", cut->people, "people_low",
                         cut->people_low, "people_high", cut->people_high, "rows_low",
                         cut->rows_low, "rows_high", cut->rows_high, "rows_share_low",
                         cut->rows_share_low, "rows_share_high", cut->rows_share_high);
}

static PyObject *answer_of(const scrim_result *result, size_t statement)
{
    PyObject *row = PyDict_New();
    const bool is_well =
        row != NULL &&
        native_put(row, "query", native_text(scrim_result_text(result, statement))) &&
        native_put(row, "kept", native_text(scrim_result_kept(result, statement))) &&
        native_put(row, "missing",
                   native_text(scrim_result_missing(result, statement))) &&
        native_put(row, "cut", cut_of(scrim_result_cut_at(result, statement))) &&
        native_put(row, "columns", columns_of(result, statement)) &&
        native_put(row, "rows", rows_of(result, statement)) &&
        native_put(row, "totals", totals_of(result, statement));
    return native_done(row, is_well);
}

static PyObject *result_row(const scrim_result *result)
{
    scrim_result_facts f;
    scrim_result_describe(result, &f);
    PyObject *row = Py_BuildValue(
        "{s:K,s:K,s:N,s:N,s:s,s:K,s:s,s:N,s:s,s:K,s:K}", "release",
        (unsigned long long)f.release, "time", (unsigned long long)f.time, "is_repeated",
        PyBool_FromLong(f.is_repeated), "is_view", PyBool_FromLong(f.is_view), "dataset",
        f.dataset, "version", (unsigned long long)f.version, "confidence", f.confidence,
        "cost", native_cost(&f.cost), "unit", f.unit, "max_groups",
        (unsigned long long)f.max_groups, "max_rows", (unsigned long long)f.max_rows);
    PyObject *statements = row == NULL ? NULL : PyList_New(0);
    bool is_well = statements != NULL;
    for (size_t i = 0; is_well && i < f.statements; i++)
        is_well = native_append(statements, answer_of(result, i));
    is_well = native_put(row, "statements", statements) && is_well;
    return native_done(row, is_well);
}

PyObject *native_answered_raise(PyObject *raised, uint64_t release)
{
    char words[128];
    (void)PyOS_snprintf(words, sizeof words, "release %llu is " NATIVE_SHOWN_AGAIN,
                        (unsigned long long)release);
    return native_raised_raise(raised, words);
}

static uint64_t release_of(const scrim_result *result)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    return facts.release;
}

PyObject *native_result(scrim_result *result)
{
    const uint64_t release = release_of(result);
    PyObject *row = result_row(result);
    scrim_result_free(result);
    if (row == NULL && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
        return native_answered_raise(native_raised_take(), release);
    return row;
}

PyObject *native_plan_answer(native_plan *p, scrim_result *result)
{
    scrim_error error;
    if (p->suggestion == NULL)
        return native_result(result);
    if (scrim_suggestion_take(p->suggestion, result, &error) == SCRIM_OK)
        return result_row(result);
    scrim_result_free(result);
    return native_raise(&error, NULL);
}

PyObject *native_plan_answered(native_plan *p, scrim_status status, scrim_result *result,
                               const scrim_error *error)
{
    const uint64_t release = status == SCRIM_OK ? release_of(result) : 0;
    if (!native_watch_raise(&p->watch, status == SCRIM_OK ? "" : error->message))
        return status == SCRIM_OK ? native_plan_answer(p, result)
                                  : native_raise(error, NULL);
    scrim_result_free(result);
    return status == SCRIM_OK ? native_answered_raise(native_raised_take(), release)
                              : NULL;
}

static PyObject *query_run(PyObject *self, PyObject *capsule)
{
    native_plan *p = native_handle(capsule, NATIVE_PLAN);
    native_vault *vault = p == NULL ? NULL : native_vault_enter(p->vault);
    scrim_result *result = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (vault == NULL)
        return NULL;
    const scrim_plan *plan = native_plan_of(p);
    NATIVE_UNLOCKED(status = scrim_query_run(vault->vault, plan, &result, &error));
    native_vault_leave(vault);
    return native_plan_answered(p, status, result, &error);
}

static PyObject *query_replay(PyObject *self, PyObject *arguments)
{
    uint64_t id;
    const char *confidence;
    scrim_result *result = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    native_vault *vault = native_release_enter(arguments, &id, &confidence);
    if (vault == NULL)
        return NULL;
    NATIVE_UNLOCKED(
        status = scrim_query_replay(vault->vault, id, confidence, &result, &error));
    native_vault_leave(vault);
    return status == SCRIM_OK ? native_result(result) : native_raise(&error, NULL);
}

PyMethodDef native_query_methods[] = {
    {"plan_new", plan_new, METH_VARARGS,
     "plan_new($module, vault, dataset, queries, epsilon, delta, target_error, "
     "confidence, expect, mechanism, shares, version, max_groups, max_rows, "
     "max_total_rows, max_total, bounds, cut_share, tables, rows_upper, workers, "
     "memory_bytes, "
     "progress, "
     "/)\n--\n\n"},
    {"plan_describe", plan_describe, METH_O, "plan_describe($module, plan, /)\n--\n\n"},
    {"query_bind", query_bind, METH_VARARGS,
     "query_bind($module, query, values, /)\n--\n\n"},
    {"query_run", query_run, METH_O, "query_run($module, plan, /)\n--\n\n"},
    {"query_replay", query_replay, METH_VARARGS,
     "query_replay($module, vault, release, confidence, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
