/* Vaults: open and close, datasets, budgets, the ledger. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

/* Handles. */

native_vault *native_vault_enter(PyObject *capsule)
{
    native_vault *handle = native_handle(capsule, NATIVE_VAULT);
    if (handle == NULL)
        return NULL;
    if (handle->vault == NULL) {
        native_fail(SCRIM_E_STATE, "the vault is closed; open it again");
        return NULL;
    }
    handle->users++;
    return handle;
}

void native_vault_leave(native_vault *vault)
{
    vault->users--;
}

native_vault *native_release_enter(PyObject *arguments, uint64_t *release,
                                   const char **confidence)
{
    PyObject *capsule;
    unsigned long long number;
    if (!(confidence == NULL
              ? PyArg_ParseTuple(arguments, "OK", &capsule, &number)
              : PyArg_ParseTuple(arguments, "OKz", &capsule, &number, confidence)))
        return NULL;
    *release = number;
    return native_vault_enter(capsule);
}

static void vault_free(PyObject *capsule)
{
    native_vault *handle = PyCapsule_GetPointer(capsule, NATIVE_VAULT);
    scrim_vault_close(handle->vault);
    free(handle);
}

static PyObject *vault_init(PyObject *self, PyObject *arguments)
{
    const char *path, *witness;
    int in_state, wait_ms;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "szpi", &path, &witness, &in_state, &wait_ms))
        return NULL;
    const scrim_vault_options options = {.size = sizeof options,
                                         .witness = witness,
                                         .wait_ms = wait_ms,
                                         .witness_place = in_state ? SCRIM_WITNESS_STATE
                                                                   : SCRIM_WITNESS_NAMED};
    NATIVE_UNLOCKED(status = scrim_vault_init(path, &options, &error));
    return native_none(status, &error);
}

static PyObject *vault_open(PyObject *self, PyObject *arguments)
{
    const char *path;
    int wait_ms, is_moved, is_restored;
    scrim_status status;
    scrim_error error;
    scrim_vault *vault = NULL;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "sipp", &path, &wait_ms, &is_moved, &is_restored))
        return NULL;
    native_vault *handle = calloc(1, sizeof *handle);
    if (handle == NULL)
        return PyErr_NoMemory();
    const scrim_vault_options options = {.size = sizeof options,
                                         .wait_ms = wait_ms,
                                         .is_moved = is_moved,
                                         .is_restored = is_restored};
    NATIVE_UNLOCKED(status = scrim_vault_open(path, &options, &vault, &error));
    if (status != SCRIM_OK) {
        free(handle);
        return native_raise(&error, NULL);
    }
    handle->vault = vault;
    PyObject *capsule = PyCapsule_New(handle, NATIVE_VAULT, vault_free);
    if (capsule == NULL) {
        scrim_vault_close(vault);
        free(handle);
    }
    return capsule;
}

static PyObject *vault_close(PyObject *self, PyObject *capsule)
{
    native_vault *handle = native_handle(capsule, NATIVE_VAULT);
    (void)self;
    if (handle == NULL)
        return NULL;
    if (handle->users > 0)
        return native_fail(SCRIM_E_STATE,
                           "the vault is in use by another thread or by an open handle");
    scrim_vault *vault = handle->vault;
    handle->vault = NULL;
    NATIVE_UNLOCKED(scrim_vault_close(vault));
    Py_RETURN_NONE;
}

static PyObject *vault_is_owned(PyObject *self, PyObject *capsule)
{
    native_vault *handle = native_vault_enter(capsule);
    (void)self;
    if (handle == NULL)
        return NULL;
    PyObject *owned = PyBool_FromLong(scrim_vault_is_owned(handle->vault));
    native_vault_leave(handle);
    return owned;
}

static PyObject *vault_analyst(PyObject *self, PyObject *capsule)
{
    native_vault *handle = native_vault_enter(capsule);
    (void)self;
    if (handle == NULL)
        return NULL;
    PyObject *name = native_text(scrim_vault_analyst(handle->vault));
    native_vault_leave(handle);
    return name;
}

static PyObject *vault_tell_time(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    unsigned long long seconds;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OK", &capsule, &seconds))
        return NULL;
    native_vault *handle = native_vault_enter(capsule);
    if (handle == NULL)
        return NULL;
    scrim_vault_tell_time(handle->vault, seconds);
    native_vault_leave(handle);
    Py_RETURN_NONE;
}

/* Datasets. */

typedef scrim_status declare(scrim_vault *vault, const char *name, const char *policy,
                             scrim_error *error);

static PyObject *declare_dataset(PyObject *arguments, declare *how)
{
    PyObject *capsule;
    const char *name, *policy;
    scrim_status status;
    scrim_error error;
    if (!PyArg_ParseTuple(arguments, "Osz", &capsule, &name, &policy))
        return NULL;
    native_vault *handle = native_vault_enter(capsule);
    if (handle == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = how(handle->vault, name, policy, &error));
    native_vault_leave(handle);
    return native_none(status, &error);
}

static PyObject *vault_add(PyObject *self, PyObject *arguments)
{
    (void)self;
    return declare_dataset(arguments, scrim_vault_add_dataset);
}

static PyObject *vault_set(PyObject *self, PyObject *arguments)
{
    (void)self;
    return declare_dataset(arguments, scrim_vault_set_dataset);
}

static PyObject *vault_update(PyObject *self, PyObject *arguments)
{
    (void)self;
    return declare_dataset(arguments, scrim_vault_update_dataset);
}

static scrim_status remove_dataset(scrim_vault *vault, const char *name,
                                   const char *policy, scrim_error *error)
{
    (void)policy;
    return scrim_vault_remove_dataset(vault, name, error);
}

static PyObject *vault_remove(PyObject *self, PyObject *arguments)
{
    (void)self;
    return declare_dataset(arguments, remove_dataset);
}

static PyObject *dataset_row(const scrim_dataset *d)
{
    return Py_BuildValue("{s:s,s:s,s:K,s:N,s:N,s:N,s:N}", "name", d->name, "population",
                         d->population, "version", (unsigned long long)d->version, "cap",
                         native_text(d->cap), "cap_delta", native_text(d->cap_delta),
                         "cap_least", native_text(d->cap_least), "is_closed",
                         PyBool_FromLong(d->is_closed));
}

/* Lists that end where an index is refused. */
static PyObject *vault_datasets(PyObject *self, PyObject *capsule)
{
    native_vault *handle = native_vault_enter(capsule);
    PyObject *list = handle == NULL ? NULL : PyList_New(0);
    bool is_well = list != NULL;
    (void)self;
    for (size_t i = 0; is_well; i++) {
        scrim_dataset dataset;
        scrim_error error;
        scrim_status status;
        NATIVE_UNLOCKED(status = scrim_vault_dataset(handle->vault, i, &dataset, &error));
        if (status == SCRIM_E_PARAM)
            break;
        is_well = status == SCRIM_OK && native_append(list, dataset_row(&dataset));
        if (status != SCRIM_OK)
            native_raise(&error, NULL);
    }
    if (handle != NULL)
        native_vault_leave(handle);
    return native_done(list, is_well);
}

static PyObject *text_taken(scrim_status status, char *text, const scrim_error *error)
{
    if (status != SCRIM_OK)
        return native_raise(error, NULL);
    PyObject *taken =
        PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "surrogateescape");
    scrim_vault_text_free(text);
    return taken;
}

static PyObject *vault_policy(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    const char *name;
    char *text = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Os", &capsule, &name))
        return NULL;
    native_vault *handle = native_vault_enter(capsule);
    if (handle == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_vault_policy(handle->vault, name, &text, &error));
    native_vault_leave(handle);
    return text_taken(status, text, &error);
}

static PyObject *policy_check(PyObject *self, PyObject *arguments)
{
    const char *policy;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "s", &policy))
        return NULL;
    if (scrim_policy_check(policy, &error) != SCRIM_OK)
        return native_raise(&error, NULL);
    Py_RETURN_NONE;
}

static PyObject *policy_check_rows(PyObject *self, PyObject *arguments)
{
    const char *policy;
    unsigned long long rows;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "sK", &policy, &rows))
        return NULL;
    if (scrim_policy_check_rows(policy, rows, &error) != SCRIM_OK)
        return native_raise(&error, NULL);
    Py_RETURN_NONE;
}

/* A text that the library makes of a policy. */
static PyObject *text_of_policy(PyObject *arguments,
                                scrim_status (*make)(const char *policy, char **text,
                                                     scrim_error *error))
{
    const char *policy;
    char *text = NULL;
    scrim_status status;
    scrim_error error;
    if (!PyArg_ParseTuple(arguments, "s", &policy))
        return NULL;
    NATIVE_UNLOCKED(status = make(policy, &text, &error));
    return text_taken(status, text, &error);
}

static PyObject *policy_columns(PyObject *self, PyObject *arguments)
{
    (void)self;
    return text_of_policy(arguments, scrim_policy_columns);
}

static PyObject *public_table_lines(PyObject *self, PyObject *arguments)
{
    scrim_public_table table = {.size = sizeof table};
    PyObject *columns;
    Py_ssize_t bytes;
    char *text = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "sy#zO", &table.name, &table.content, &bytes,
                          &table.on, &columns))
        return NULL;
    table.bytes = (size_t)bytes;
    const char **texts = native_texts(columns, &table.column_count);
    if (texts == NULL)
        return NULL;
    table.columns = texts;
    NATIVE_UNLOCKED(status = scrim_public_table_lines(&table, &text, &error));
    free(texts);
    return text_taken(status, text, &error);
}

static PyObject *policy_tables(PyObject *self, PyObject *arguments)
{
    (void)self;
    return text_of_policy(arguments, scrim_policy_tables);
}

/* Budgets. */

static PyObject *vault_share(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    const char *population, *analyst, *amount, *delta;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Oszzz", &capsule, &population, &analyst, &amount,
                          &delta))
        return NULL;
    native_vault *handle = native_vault_enter(capsule);
    if (handle == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_vault_share(handle->vault, population, analyst, amount,
                                               delta, &error));
    native_vault_leave(handle);
    return native_none(status, &error);
}

static PyObject *forecast_row(const scrim_forecast *f)
{
    if (f == NULL || f->window == 0)
        Py_RETURN_NONE;
    return Py_BuildValue("{s:K,s:N,s:N,s:K,s:K}", "window", (unsigned long long)f->window,
                         "average", native_text(f->average), "average_delta",
                         native_text(f->average_delta), "charges",
                         (unsigned long long)f->charges, "seconds",
                         (unsigned long long)f->seconds);
}

static PyObject *standing_row(const scrim_standing *s)
{
    if (s == NULL || s->epsilon[0] == '\0')
        Py_RETURN_NONE;
    return Py_BuildValue("{s:K,s:N,s:N}", "charges", (unsigned long long)s->charges,
                         "epsilon", native_text(s->epsilon), "delta",
                         native_text(s->delta));
}

static PyObject *budget_row(const scrim_budget_view *view)
{
    const scrim_budget *b = view->budget;
    return Py_BuildValue(
        "{s:s,s:N,s:s,s:s,s:s,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:K,s:N,s:N,s:N}",
        "population", b->population, "analyst", native_text(view->analyst), "neighbours",
        scrim_neighbours_name(b->neighbours), "accounting", b->accounting, "unit",
        b->unit, "epsilon", native_text(b->epsilon), "delta", native_text(b->delta),
        "total", native_text(b->total), "total_delta", native_text(b->total_delta),
        "spent", native_text(b->spent), "spent_delta", native_text(b->spent_delta),
        "left", native_text(b->left), "left_delta", native_text(b->left_delta), "share",
        native_text(b->share), "share_delta", native_text(b->share_delta), "charges",
        (unsigned long long)b->charges, "remainder", native_remainder(&b->remainder),
        "forecast", forecast_row(view->forecast), "standing",
        standing_row(view->standing));
}

/* What a visit collects: rows, by a thread that takes the lock for each. */
typedef struct collection {
    PyObject *list;
    bool is_well;
    const char *name; /* a population or a dataset; NULL: all */
    uint64_t number;
} collection;

static scrim_status collect(collection *c, PyObject *(*row)(const void *),
                            const void *from)
{
    PyGILState_STATE state = PyGILState_Ensure();
    c->is_well = native_append(c->list, row(from)) && PyErr_CheckSignals() == 0;
    PyGILState_Release(state);
    return c->is_well ? SCRIM_OK : SCRIM_E_STATE;
}

/* The list of what visits all of it; arguments are the vault, a name and perhaps a number. */
static PyObject *collect_all(PyObject *arguments,
                             scrim_status (*visit)(scrim_vault *vault, collection *c,
                                                   scrim_error *error))
{
    PyObject *capsule;
    unsigned long long number = 0;
    collection c = {.is_well = true};
    scrim_status status;
    scrim_error error;
    if (!PyArg_ParseTuple(arguments, "Oz|K", &capsule, &c.name, &number))
        return NULL;
    c.number = number;
    native_vault *handle = native_vault_enter(capsule);
    if (handle == NULL)
        return NULL;
    if ((c.list = PyList_New(0)) == NULL) {
        native_vault_leave(handle);
        return NULL;
    }
    NATIVE_UNLOCKED(status = visit(handle->vault, &c, &error));
    native_vault_leave(handle);
    if (status != SCRIM_OK && c.is_well)
        native_raise(&error, NULL);
    return native_done(c.list, status == SCRIM_OK);
}

static PyObject *budget_of(const void *view)
{
    return budget_row(view);
}

static scrim_status visit_budget(void *context, const scrim_budget_view *view)
{
    return collect(context, budget_of, view);
}

static scrim_status list_budgets(scrim_vault *vault, collection *c, scrim_error *error)
{
    return scrim_vault_budgets(vault, c->name, c->number, visit_budget, c, error);
}

static PyObject *vault_budgets(PyObject *self, PyObject *arguments)
{
    (void)self;
    return collect_all(arguments, list_budgets);
}

/* Releases. */

static const char *state_name(scrim_entry_state state)
{
    return state == SCRIM_ENTRY_RELEASED  ? "released"
           : state == SCRIM_ENTRY_PENDING ? "pending"
                                          : "charged";
}

static PyObject *release_row(const void *from)
{
    const scrim_vault_release *r = from;
    return Py_BuildValue(
        "{s:K,s:K,s:s,s:s,s:s,s:K,s:s,s:s,s:N,s:N,s:N,s:N,s:N,s:N,s:K}", "release",
        (unsigned long long)r->id, "time", (unsigned long long)r->time, "state",
        state_name(r->state), "population", r->population, "dataset", r->dataset,
        "version", (unsigned long long)r->version, "analyst", r->analyst, "unit", r->unit,
        "amount", native_text(r->amount), "delta", native_text(r->delta), "measurement",
        native_text(r->measurement), "answer", native_text(r->answer), "note",
        native_text(r->note), "joint", PyBool_FromLong(r->is_joint), "entry",
        (unsigned long long)r->entry);
}

static scrim_status visit_charge(void *context, const scrim_vault_release *charge)
{
    return collect(context, release_row, charge);
}

static scrim_status list_history(scrim_vault *vault, collection *c, scrim_error *error)
{
    return scrim_vault_history(vault, c->name, c->number, visit_charge, c, error);
}

static PyObject *vault_history(PyObject *self, PyObject *arguments)
{
    (void)self;
    return collect_all(arguments, list_history);
}

static PyObject *change_row(const void *from)
{
    const scrim_vault_change *c = from;
    return Py_BuildValue("{s:K,s:K,s:N,s:N,s:K,s:s,s:z,s:z}", "entry",
                         (unsigned long long)c->entry, "time",
                         (unsigned long long)c->time, "dataset", native_text(c->dataset),
                         "population", native_text(c->population), "version",
                         (unsigned long long)c->version, "change", c->what, "before",
                         c->before, "after", c->after);
}

static scrim_status visit_change(void *context, const scrim_vault_change *change)
{
    return collect(context, change_row, change);
}

static scrim_status list_changes(scrim_vault *vault, collection *c, scrim_error *error)
{
    return scrim_vault_changes(vault, c->name, visit_change, c, error);
}

static PyObject *vault_changes(PyObject *self, PyObject *arguments)
{
    (void)self;
    return collect_all(arguments, list_changes);
}

static PyObject *vault_release(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    unsigned long long id;
    scrim_status status;
    scrim_error error;
    scrim_vault_release release;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OK", &capsule, &id))
        return NULL;
    native_vault *handle = native_vault_enter(capsule);
    if (handle == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_vault_replay(handle->vault, id, &release, &error));
    native_vault_leave(handle);
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    PyObject *row = release_row(&release);
    scrim_vault_release_clear(&release);
    return row;
}

/* The ledger as a whole. */

static PyObject *state_row(const scrim_vault_state *s)
{
    return Py_BuildValue(
        "{s:K,s:K,s:K,s:s,s:N,s:N}", "entries", (unsigned long long)s->entries, "charges",
        (unsigned long long)s->charges, "releases", (unsigned long long)s->releases,
        "head", s->head, "caution", native_text(s->caution), "needs_owner",
        PyBool_FromLong(s->needs_owner));
}

static PyObject *vault_verify(PyObject *self, PyObject *capsule)
{
    scrim_vault_state state;
    scrim_status status;
    scrim_error error;
    native_vault *handle = native_vault_enter(capsule);
    (void)self;
    if (handle == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_vault_verify(handle->vault, &state, &error));
    native_vault_leave(handle);
    return status == SCRIM_OK ? state_row(&state) : native_raise(&error, NULL);
}

static PyObject *vault_key(PyObject *self, PyObject *capsule)
{
    scrim_key key;
    scrim_status status;
    scrim_error error;
    native_vault *handle = native_vault_enter(capsule);
    (void)self;
    if (handle == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_vault_key(handle->vault, &key, &error));
    native_vault_leave(handle);
    return status == SCRIM_OK ? native_text(key.text) : native_raise(&error, NULL);
}

PyMethodDef native_vault_methods[] = {
    {"vault_init", vault_init, METH_VARARGS,
     "vault_init($module, path, witness, in_state, wait_ms, /)\n--\n\n"},
    {"vault_open", vault_open, METH_VARARGS,
     "vault_open($module, path, wait_ms, is_moved, is_restored, /)\n--\n\n"},
    {"vault_close", vault_close, METH_O, "vault_close($module, vault, /)\n--\n\n"},
    {"vault_is_owned", vault_is_owned, METH_O,
     "vault_is_owned($module, vault, /)\n--\n\n"},
    {"vault_analyst", vault_analyst, METH_O, "vault_analyst($module, vault, /)\n--\n\n"},
    {"vault_tell_time", vault_tell_time, METH_VARARGS,
     "vault_tell_time($module, vault, seconds, /)\n--\n\n"},
    {"vault_add", vault_add, METH_VARARGS,
     "vault_add($module, vault, name, policy, /)\n--\n\n"},
    {"vault_set", vault_set, METH_VARARGS,
     "vault_set($module, vault, name, policy, /)\n--\n\n"},
    {"vault_update", vault_update, METH_VARARGS,
     "vault_update($module, vault, name, policy, /)\n--\n\n"},
    {"vault_remove", vault_remove, METH_VARARGS,
     "vault_remove($module, vault, name, nothing, /)\n--\n\n"},
    {"vault_datasets", vault_datasets, METH_O,
     "vault_datasets($module, vault, /)\n--\n\n"},
    {"vault_policy", vault_policy, METH_VARARGS,
     "vault_policy($module, vault, name, /)\n--\n\n"},
    {"policy_check", policy_check, METH_VARARGS,
     "policy_check($module, policy, /)\n--\n\n"},
    {"policy_check_rows", policy_check_rows, METH_VARARGS,
     "policy_check_rows($module, policy, rows, /)\n--\n\n"},
    {"policy_columns", policy_columns, METH_VARARGS,
     "policy_columns($module, policy, /)\n--\n\n"},
    {"public_table_lines", public_table_lines, METH_VARARGS,
     "public_table_lines($module, name, content, on, columns, /)\n--\n\n"},
    {"policy_tables", policy_tables, METH_VARARGS,
     "policy_tables($module, policy, /)\n--\n\n"},
    {"vault_share", vault_share, METH_VARARGS,
     "vault_share($module, vault, population, analyst, amount, delta, /)\n--\n\n"},
    {"vault_budgets", vault_budgets, METH_VARARGS,
     "vault_budgets($module, vault, population, window, /)\n--\n\n"},
    {"vault_history", vault_history, METH_VARARGS,
     "vault_history($module, vault, dataset, entry, /)\n--\n\n"},
    {"vault_changes", vault_changes, METH_VARARGS,
     "vault_changes($module, vault, dataset, /)\n--\n\n"},
    {"vault_release", vault_release, METH_VARARGS,
     "vault_release($module, vault, number, /)\n--\n\n"},
    {"vault_verify", vault_verify, METH_O, "vault_verify($module, vault, /)\n--\n\n"},
    {"vault_key", vault_key, METH_O, "vault_key($module, vault, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
