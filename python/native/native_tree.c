/* Microdata: trees of counts that add up, planned, released and read again; and the errors of flat tables. */
#include "native_plan.h"

#include <stdlib.h>
#include <string.h>

/* Flat tables. */

static PyObject *side_row(const scrim_microdata_side *s)
{
    return Py_BuildValue("{s:s,s:s,s:s,s:s,s:s,s:s,s:N,s:s}", "text", s->text,
                         "cell_error", s->cell_error, "sum_error", s->sum_error,
                         "cell_radius", s->cell_radius, "all_radius", s->all_radius,
                         "sum_radius", s->sum_radius, "is_certain",
                         PyBool_FromLong(s->is_certain), "other_lower", s->other_lower);
}

static bool read_neighbours(const char *name, scrim_neighbours *out)
{
    for (int n = SCRIM_ADD_REMOVE; n <= SCRIM_REPLACE; n++)
        if (strcmp(scrim_neighbours_name((scrim_neighbours)n), name) == 0) {
            *out = (scrim_neighbours)n;
            return true;
        }
    PyErr_Format(PyExc_ValueError, "unknown neighbours '%s'; use add-remove or replace",
                 name);
    return false;
}

static PyObject *microdata_plan(PyObject *self, PyObject *arguments)
{
    scrim_microdata_question q = {.size = sizeof q};
    scrim_microdata_plan plan;
    const char *neighbours;
    unsigned long long cells, max_rows;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "sKzzzKz", &neighbours, &cells, &q.epsilon, &q.delta,
                          &q.rho, &max_rows, &q.confidence) ||
        !read_neighbours(neighbours, &q.neighbours))
        return NULL;
    q.cells = cells;
    q.max_rows = max_rows;
    NATIVE_UNLOCKED(status = scrim_microdata_plan_find(&q, &plan, &error));
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    return Py_BuildValue("{s:N,s:N,s:K}", "points", side_row(&plan.points), "sums",
                         side_row(&plan.sums), "bound", (unsigned long long)plan.bound);
}

/* Trees. */

typedef struct request {
    const char **tables, **queries;
    scrim_hierarchy_design design;
    scrim_query_options options;
    const char *dataset;
    PyObject *vault, *progress;
} request;

static void request_clear(request *r)
{
    free(r->tables);
    free(r->queries);
}

static bool request_read(request *r, PyObject *arguments)
{
    PyObject *tables, *queries;
    unsigned long long rows, memory;
    scrim_query_options *o = &r->options;
    memset(r, 0, sizeof *r);
    o->size = sizeof *o;
    r->design.size = sizeof r->design;
    if (!PyArg_ParseTuple(arguments, "OssOOzzzzzzzzzKIKO", &r->vault, &r->dataset,
                          &r->design.levels, &tables, &queries, &o->epsilon, &o->delta,
                          &o->rho, &o->mechanism, &o->shares, &o->version, &o->max_groups,
                          &o->max_rows, &o->max_total_rows, &rows, &o->workers, &memory,
                          &r->progress))
        return false;
    o->rows_upper = rows;
    o->memory_bytes = (size_t)memory;
    r->tables = native_texts(tables, &r->design.table_count);
    r->queries = r->tables == NULL ? NULL : native_texts(queries, &r->design.query_count);
    r->design.tables = r->tables;
    r->design.queries = r->queries;
    return r->queries != NULL;
}

/* A plan, to be run like that of a query. */
static PyObject *tree_plan(PyObject *self, PyObject *arguments)
{
    request r;
    scrim_status status;
    scrim_error error;
    scrim_caret caret = {.text = ""};
    native_plan *p = NULL;
    (void)self;
    native_vault *vault =
        request_read(&r, arguments) ? native_vault_enter(r.vault) : NULL;
    if (vault != NULL)
        p = native_plan_new(r.vault, r.progress);
    if (p != NULL) {
        r.options.progress = native_watch_tell;
        r.options.is_cancelled = native_watch_cancelled;
        r.options.context = &p->watch;
        NATIVE_UNLOCKED(status = scrim_hierarchy_plan_design(vault->vault, r.dataset,
                                                             &r.design, &r.options,
                                                             &p->plan, &caret, &error));
    }
    request_clear(&r);
    if (vault != NULL)
        native_vault_leave(vault);
    return p == NULL ? NULL : native_plan_done(p, status, &error, &caret);
}

static PyObject *level_row(const scrim_hierarchy_level *l)
{
    return Py_BuildValue("{s:s,s:N,s:n,s:d,s:d,s:d,s:d,s:d,s:d}", "name", l->name,
                         "measurement", native_text(l->measurement), "groups",
                         (Py_ssize_t)l->count, "noise", l->noise, "noise_half_width",
                         l->noise_half_width, "deviation", l->deviation, "half_width",
                         l->half_width, "bound", l->bound, "lower", l->lower);
}

static PyObject *key_text(const char *key, size_t bytes)
{
    if (key == NULL)
        Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(key, (Py_ssize_t)bytes, "surrogateescape");
}

static PyObject *node_row(const scrim_hierarchy_node *n)
{
    static const char *const standings[] = {"noisy", "known", "revealed"};
    return Py_BuildValue("(nnNLNsddddLL)", (Py_ssize_t)n->level, (Py_ssize_t)n->parent,
                         key_text(n->key, n->bytes), (long long)n->count,
                         n->is_measured ? PyLong_FromLongLong(n->noisy) : native_text(""),
                         standings[n->standing], n->estimate, n->deviation, n->low,
                         n->high, (long long)n->simulated_low,
                         (long long)n->simulated_high);
}

static PyObject *cell_row(const scrim_hierarchy_table *t, size_t node,
                          const scrim_hierarchy_cell *c)
{
    PyObject *keys = PyList_New(0);
    bool is_well = keys != NULL;
    for (size_t i = 0; is_well && i < t->columns; i++)
        is_well = native_append(
            keys, key_text(c->keys[i], c->keys[i] == NULL ? 0 : strlen(c->keys[i])));
    keys = native_done(keys, is_well);
    return keys == NULL
               ? NULL
               : Py_BuildValue("(nNLdddd)", (Py_ssize_t)node, keys, (long long)c->count,
                               c->estimate, c->deviation, c->low, c->high);
}

static PyObject *table_row(const scrim_hierarchy *tree, size_t at, size_t nodes)
{
    scrim_hierarchy_table t;
    scrim_hierarchy_cell cell;
    scrim_hierarchy_table_at(tree, at, &t);
    PyObject *names = PyList_New(0), *rows = PyList_New(0);
    bool is_well = names != NULL && rows != NULL;
    for (size_t i = 0; is_well && i < t.columns; i++)
        is_well = native_append(names, PyUnicode_FromString(t.names[i]));
    for (size_t v = 0; is_well && v < nodes; v++)
        for (size_t c = 0; is_well && c < t.cells; c++) {
            scrim_hierarchy_cell_at(tree, at, v, c, &cell);
            is_well = native_append(rows, cell_row(&t, v, &cell));
        }
    if (is_well)
        return Py_BuildValue("{s:N,s:N}", "columns", names, "rows", rows);
    Py_XDECREF(names);
    Py_XDECREF(rows);
    return NULL;
}

static bool put_rows(PyObject *made, const scrim_hierarchy *tree,
                     const scrim_hierarchy_facts *f)
{
    PyObject *levels = PyList_New(0), *nodes = PyList_New(0), *tables = PyList_New(0);
    bool is_well = levels != NULL && nodes != NULL && tables != NULL;
    for (size_t i = 0; is_well && i < f->levels; i++) {
        scrim_hierarchy_level level;
        scrim_hierarchy_level_at(tree, i, &level);
        is_well = native_append(levels, level_row(&level));
    }
    for (size_t i = 0; is_well && i < f->nodes; i++) {
        scrim_hierarchy_node node;
        scrim_hierarchy_node_at(tree, i, &node);
        is_well = native_append(nodes, node_row(&node));
    }
    for (size_t i = 0; is_well && i < f->tables; i++)
        is_well = native_append(tables, table_row(tree, i, f->nodes));
    is_well = native_put(made, "levels", levels) && is_well;
    is_well = native_put(made, "nodes", nodes) && is_well;
    return native_put(made, "tables", tables) && is_well;
}

static PyObject *tree_row(const scrim_hierarchy *tree)
{
    scrim_hierarchy_facts f;
    scrim_hierarchy_describe(tree, &f);
    PyObject *made = Py_BuildValue(
        "{s:K,s:s,s:K,s:s,s:s,s:N,s:n,s:n,s:N,s:N,s:N}", "release",
        (unsigned long long)f.release, "dataset", f.dataset, "version",
        (unsigned long long)f.version, "confidence", f.confidence, "unit", f.unit, "cost",
        native_cost(&f.cost), "known", (Py_ssize_t)f.known, "revealed",
        (Py_ssize_t)f.revealed, "is_simulated", PyBool_FromLong(f.is_simulated),
        "guarantee", native_text(f.guarantee), "doubt", native_text(f.doubt));
    return made == NULL ? NULL : native_done(made, put_rows(made, tree, &f));
}

/* Frees the tree. */
static PyObject *tree_done(scrim_status status, scrim_hierarchy *tree,
                           const scrim_error *error)
{
    if (status != SCRIM_OK)
        return native_raise(error, NULL);
    PyObject *made = tree_row(tree);
    scrim_hierarchy_free(tree);
    return made;
}

static PyObject *tree_expect(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    scrim_hierarchy_options o = {.size = sizeof o};
    scrim_hierarchy *tree = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Oz", &capsule, &o.confidence))
        return NULL;
    const native_plan *p = native_handle(capsule, NATIVE_PLAN);
    if (p == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_hierarchy_expect(p->plan, &o, &tree, &error));
    return tree_done(status, tree, &error);
}

static PyObject *tree_replay(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *known, *progress;
    unsigned long long release;
    scrim_hierarchy_options o = {.size = sizeof o};
    scrim_hierarchy *tree = NULL;
    native_watch watch;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OKzOIO", &capsule, &release, &o.confidence, &known,
                          &o.simulations, &progress) ||
        !native_watch_init(&watch, progress))
        return NULL;
    const char **texts = native_texts(known, &o.known_count);
    native_vault *vault = texts == NULL ? NULL : native_vault_enter(capsule);
    if (vault != NULL) {
        o.known = texts;
        o.progress = native_watch_tell;
        o.context = &watch;
        NATIVE_UNLOCKED(
            status = scrim_hierarchy_replay(vault->vault, release, &o, &tree, &error));
        native_vault_leave(vault);
    }
    free(texts);
    const bool is_raised =
        vault == NULL ||
        native_watch_raise(&watch, "the release is charged and answered; "
                                   "replay it, free of charge");
    native_watch_clear(&watch);
    if (!is_raised)
        return tree_done(status, tree, &error);
    scrim_hierarchy_free(tree);
    return NULL;
}

PyMethodDef native_tree_methods[] = {
    {"microdata_plan", microdata_plan, METH_VARARGS,
     "microdata_plan($module, neighbours, cells, epsilon, delta, rho, max_rows, "
     "confidence, /)\n--\n\n"},
    {"tree_plan", tree_plan, METH_VARARGS,
     "tree_plan($module, vault, dataset, levels, tables, queries, epsilon, delta, rho, "
     "mechanism, shares, version, max_groups, max_rows, max_total_rows, rows_upper, "
     "workers, memory_bytes, progress, /)\n--\n\n"},
    {"tree_expect", tree_expect, METH_VARARGS,
     "tree_expect($module, plan, confidence, /)\n--\n\n"},
    {"tree_replay", tree_replay, METH_VARARGS,
     "tree_replay($module, vault, release, confidence, known, simulations, progress, "
     "/)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
