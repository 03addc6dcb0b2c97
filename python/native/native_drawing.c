/* Drawings as SVG, by the program's own drawing code; attacks, which have drawings too; and the ledger as lines of
 * JSON. */
#include "cli/answer/series_plot.h"
#include "cli/display/canvas.h"
#include "cli/display/curve_plot.h"
#include "cli/mechanism/attack_writer.h"
#include "cli/vault/history_writer.h"
#include "native.h"

#include <stdlib.h>
#include <string.h>

#define LINES 4

/* An output that keeps its bytes; it is too large for a stack. NULL with an error set. */
static sc_output *output_new(void)
{
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        PyErr_NoMemory();
    else
        sc_output_init_keep(output);
    return output;
}

/* Its text; frees it. */
static PyObject *output_done(sc_output *output)
{
    size_t bytes = 0;
    char *text = sc_output_take(output, &bytes);
    PyObject *made = text == NULL
                         ? PyErr_NoMemory()
                         : PyUnicode_DecodeUTF8(text, (Py_ssize_t)bytes, "replace");
    free(text);
    free(output);
    return made;
}

/* A list of float; None is infinite, which breaks a line. NULL with an error set. */
static double *doubles_of(PyObject *list, size_t *count)
{
    const Py_ssize_t length = PyList_Size(list);
    double *out = length < 0 ? NULL : calloc((size_t)length + 1, sizeof *out);
    if (out == NULL) {
        if (length >= 0)
            PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < length; i++) {
        PyObject *value = PyList_GetItem(list, i);
        out[i] = value == Py_None ? (double)__builtin_inf() : PyFloat_AsDouble(value);
        if (PyErr_Occurred()) {
            free(out);
            return NULL;
        }
    }
    *count = (size_t)length;
    return out;
}

/* The curve of an audit: points of epsilon, the exact delta's bounds, the claimed delta. */
static PyObject *draw_audit(PyObject *self, PyObject *arguments)
{
    PyObject *list;
    sc_curve_view view = {.title = NULL};
    (void)self;
    if (!PyArg_ParseTuple(arguments, "sssO!", &view.title, &view.verdict, &view.summary,
                          &PyList_Type, &list))
        return NULL;
    const Py_ssize_t count = PyList_Size(list);
    sc_curve_point *points = calloc((size_t)count + 1, sizeof *points);
    sc_output *output = points == NULL ? NULL : output_new();
    bool is_well = output != NULL;
    for (Py_ssize_t i = 0; is_well && i < count; i++)
        is_well =
            PyArg_ParseTuple(PyList_GetItem(list, i), "dddd", &points[i].epsilon,
                             &points[i].lower, &points[i].upper, &points[i].claimed) != 0;
    if (is_well) {
        view.points = points;
        view.count = (size_t)count;
        sc_curve_svg_write(output, &view);
    }
    PyObject *made = is_well ? output_done(output) : NULL;
    if (!is_well)
        free(output);
    free(points);
    return points == NULL ? PyErr_NoMemory() : made;
}

/* Panels below one another, of lines over a number: a list of (title, name of x, name of y, x, lines). */

static bool draw_panel(sc_output *output, const sc_panels *panels, size_t index,
                       PyObject *given)
{
    sc_panel panel = {.title = NULL};
    PyObject *x, *lines;
    double *numbers[LINES + 1] = {NULL};
    size_t count = 0;
    if (!PyArg_ParseTuple(given, "sssdO!O!", &panel.title, &panel.x_name, &panel.y_name,
                          &panel.x_step, &PyList_Type, &x, &PyList_Type, &lines))
        return false;
    numbers[LINES] = doubles_of(x, &panel.count);
    bool is_well = numbers[LINES] != NULL && PyList_Size(lines) <= LINES;
    for (Py_ssize_t i = 0; is_well && i < PyList_Size(lines); i++) {
        numbers[i] = doubles_of(PyList_GetItem(lines, i), &count);
        panel.y[i] = numbers[i];
        is_well = numbers[i] != NULL && count == panel.count;
    }
    panel.x = numbers[LINES];
    if (is_well)
        sc_panel_write(output, panels, index, &panel);
    else if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "lines of a panel must be as long as its axis");
    for (size_t i = 0; i <= LINES; i++)
        free(numbers[i]);
    return is_well;
}

static PyObject *draw_panels(PyObject *self, PyObject *arguments)
{
    PyObject *keys, *list;
    sc_panels panels = {.title = NULL};
    size_t count = 0;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "ssO!O!", &panels.title, &panels.summary,
                          &PyList_Type, &keys, &PyList_Type, &list))
        return NULL;
    const char **words = native_texts(keys, &count);
    sc_output *output = words == NULL ? NULL : output_new();
    bool is_well = output != NULL;
    for (size_t i = 0; is_well && i < count && i < SC_PANELS_LINES; i++)
        panels.keys[i] = words[i];
    if (is_well)
        sc_panels_open(output, &panels, (size_t)PyList_Size(list));
    for (Py_ssize_t i = 0; is_well && i < PyList_Size(list); i++)
        is_well = draw_panel(output, &panels, (size_t)i, PyList_GetItem(list, i));
    if (is_well)
        sc_svg_close(output);
    free(words);
    if (is_well)
        return output_done(output);
    if (output != NULL) {
        size_t bytes;
        free(sc_output_take(output, &bytes));
        free(output);
    }
    return NULL;
}

/* All releases of a series that were made. */
static PyObject *draw_series(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    const char *name, *confidence;
    sc_series_sheet sheet;
    sc_series_panels panels;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Osz", &capsule, &name, &confidence))
        return NULL;
    native_vault *vault = native_vault_enter(capsule);
    sc_output *output = vault == NULL ? NULL : output_new();
    if (output == NULL) {
        if (vault != NULL)
            native_vault_leave(vault);
        return NULL;
    }
    memset(&sheet, 0, sizeof sheet);
    memset(&panels, 0, sizeof panels);
    NATIVE_UNLOCKED(
        status = sc_series_sheet_read(vault->vault, name, confidence, &sheet, &error);
        if (status == SCRIM_OK) status = sc_series_panels_make(&sheet, &panels, &error);
        if (status == SCRIM_OK) sc_series_svg_write(output, &panels));
    sc_series_panels_clear(&panels);
    sc_series_sheet_clear(&sheet);
    native_vault_leave(vault);
    PyObject *made = output_done(output);
    if (status == SCRIM_OK)
        return made;
    Py_XDECREF(made);
    return native_raise(&error, NULL);
}

/* The ledger's entries, a line of JSON each. */

static scrim_status export_entry(void *context, uint64_t id, const char *bytes,
                                 size_t count, const char *hash, const char *answer)
{
    sc_export_add(context, id, bytes, count, hash, answer);
    return SCRIM_OK;
}

static PyObject *ledger_export(PyObject *self, PyObject *capsule)
{
    scrim_status status;
    scrim_error error;
    scrim_head head;
    sc_export *export = NULL;
    (void)self;
    native_vault *vault = native_vault_enter(capsule);
    sc_output *output = vault == NULL ? NULL : output_new();
    if (output != NULL && (export = malloc(sizeof *export)) == NULL) {
        PyErr_NoMemory();
        free(output);
    }
    if (export == NULL) {
        if (vault != NULL)
            native_vault_leave(vault);
        return NULL;
    }
    NATIVE_UNLOCKED(status = sc_export_check(vault->vault, &error);
                    sc_export_begin(export, scrim_vault_is_owned(vault->vault), output);
                    if (status == SCRIM_OK) status =
                        scrim_vault_visit(vault->vault, 1, export_entry, export, &error);
                    if (status == SCRIM_OK) status =
                        scrim_vault_head(vault->vault, export->head, &head, &error);
                    if (status == SCRIM_OK) sc_export_end(export, &head));
    free(export);
    native_vault_leave(vault);
    PyObject *made = output_done(output);
    if (status == SCRIM_OK)
        return made;
    Py_XDECREF(made);
    return native_raise(&error, NULL);
}

/* Attacks. */

static PyObject *attack_kinds(PyObject *self, PyObject *nothing)
{
    const lab_attack_kind *kind;
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    (void)self;
    (void)nothing;
    for (size_t i = 0; is_well && (kind = lab_attack_kind_at(i)) != NULL; i++)
        is_well = native_append(list, Py_BuildValue("{s:s,s:s,s:s,s:N}", "name",
                                                    kind->name, "summary", kind->summary,
                                                    "source", kind->source, "needs_file",
                                                    PyBool_FromLong(kind->needs_file)));
    return native_done(list, is_well);
}

static PyObject *finding_table(const lab_findings_table *t)
{
    PyObject *columns = PyList_New(0), *cells = PyList_New(0);
    bool is_well = columns != NULL && cells != NULL;
    for (size_t i = 0; is_well && i < t->column_count; i++)
        is_well = native_append(columns, PyUnicode_FromString(t->columns[i]));
    for (size_t i = 0; is_well && i < t->cell_count; i++)
        is_well = native_append(
            cells, PyUnicode_DecodeUTF8(t->cells[i], (Py_ssize_t)strlen(t->cells[i]),
                                        "replace"));
    if (is_well)
        return Py_BuildValue("{s:s,s:s,s:N,s:N}", "name", t->name, "heading", t->heading,
                             "columns", columns, "cells", cells);
    Py_XDECREF(columns);
    Py_XDECREF(cells);
    return NULL;
}

static PyObject *findings_row(const lab_attack_kind *kind, const lab_findings *found)
{
    bool has_chart = false;
    PyObject *tables = PyList_New(0), *svg = NULL;
    bool is_well = tables != NULL;
    for (size_t i = 0; is_well && i < found->table_count; i++) {
        is_well = native_append(tables, finding_table(&found->tables[i]));
        has_chart = has_chart || found->tables[i].point_count > 0;
    }
    sc_output *output = is_well && has_chart ? output_new() : NULL;
    if (output != NULL) {
        sc_attack_chart_svg(output, kind, found);
        svg = output_done(output);
    } else if (is_well && !has_chart)
        svg = native_text("");
    if (svg == NULL) {
        Py_XDECREF(tables);
        return NULL;
    }
    return Py_BuildValue("{s:s,s:s,s:s,s:z,s:z,s:z,s:z,s:N,s:N}", "name", kind->name,
                         "summary", kind->summary, "source", kind->source, "target",
                         found->target, "learnt", found->learnt, "cost", found->cost,
                         "stopped", found->stopped, "tables", tables, "svg", svg);
}

static PyObject *unknown_attack(const char *name)
{
    scrim_error error = {.status = SCRIM_E_PARAM, .reason = SCRIM_REASON_UNKNOWN};
    (void)PyOS_snprintf(error.message, sizeof error.message,
                        "unknown attack '%.60s'; scrim.attacks() lists them", name);
    return native_raise(&error, NULL);
}

static PyObject *attack_run(PyObject *self, PyObject *arguments)
{
    const char *name;
    PyObject *progress;
    lab_attack_options o = {.progress = native_watch_tell};
    native_watch watch;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "szzzO", &name, &o.file, &o.columns, &o.sensitive,
                          &progress))
        return NULL;
    const lab_attack_kind *kind = lab_attack_kind_find(name);
    lab_findings *found = kind == NULL ? NULL : calloc(1, sizeof *found);
    if (kind == NULL)
        return unknown_attack(name);
    if (found == NULL || !native_watch_init(&watch, progress)) {
        free(found);
        return found == NULL ? PyErr_NoMemory() : NULL;
    }
    o.context = &watch;
    NATIVE_UNLOCKED(status = lab_attack_run(kind, &o, found, &error));
    const bool is_raised = native_watch_raise(&watch, "the attack was ended");
    native_watch_clear(&watch);
    PyObject *made = is_raised            ? NULL
                     : status == SCRIM_OK ? findings_row(kind, found)
                                          : native_raise(&error, NULL);
    lab_findings_clear(found);
    free(found);
    return made;
}

PyMethodDef native_drawing_methods[] = {
    {"draw_audit", draw_audit, METH_VARARGS,
     "draw_audit($module, title, verdict, summary, points, /)\n--\n\n"},
    {"draw_panels", draw_panels, METH_VARARGS,
     "draw_panels($module, title, summary, keys, panels, /)\n--\n\n"},
    {"draw_series", draw_series, METH_VARARGS,
     "draw_series($module, vault, name, confidence, /)\n--\n\n"},
    {"ledger_export", ledger_export, METH_O, "ledger_export($module, vault, /)\n--\n\n"},
    {"attack_kinds", attack_kinds, METH_NOARGS, "attack_kinds($module, /)\n--\n\n"},
    {"attack_run", attack_run, METH_VARARGS,
     "attack_run($module, name, file, columns, sensitive, progress, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
