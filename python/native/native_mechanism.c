/* Measurements, ledgers in memory or of a vault, and releases through the gate. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

/* Measurements. */

static void measurement_free(PyObject *capsule)
{
    scrim_measurement_free(PyCapsule_GetPointer(capsule, NATIVE_MEASUREMENT));
}

static PyObject *measurement_parse(PyObject *self, PyObject *arguments)
{
    const char *text;
    int is_model;
    scrim_measurement *measurement = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "sp", &text, &is_model))
        return NULL;
    NATIVE_UNLOCKED(
        status = is_model ? scrim_measurement_parse_model(text, &measurement, &error)
                          : scrim_measurement_parse(text, &measurement, &error));
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    PyObject *capsule = PyCapsule_New(measurement, NATIVE_MEASUREMENT, measurement_free);
    if (capsule == NULL)
        scrim_measurement_free(measurement);
    return capsule;
}

static PyObject *entry_row(const scrim_mechanism_entry *e)
{
    return Py_BuildValue("{s:s,s:s,s:s,s:s,s:s}", "name", e->name, "parameters",
                         e->parameters, "input", e->input, "claim", e->claim, "reference",
                         e->reference);
}

static PyObject *measurement_read(PyObject *self, PyObject *capsule)
{
    const scrim_measurement *m = native_handle(capsule, NATIVE_MEASUREMENT);
    scrim_cost cost;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (m == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_measurement_cost(m, &cost, &error));
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    return Py_BuildValue("{s:s,s:n,s:K,s:N,s:N}", "text", scrim_measurement_text(m),
                         "size", (Py_ssize_t)scrim_measurement_size(m), "values",
                         (unsigned long long)scrim_measurement_values(m), "mechanism",
                         entry_row(scrim_measurement_mechanism(m)), "cost",
                         native_cost(&cost));
}

static PyObject *measurement_group_cost(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    unsigned long long units;
    scrim_cost cost;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OK", &capsule, &units))
        return NULL;
    const scrim_measurement *m = native_handle(capsule, NATIVE_MEASUREMENT);
    if (m == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_measurement_group_cost(m, units, &cost, &error));
    return status == SCRIM_OK ? native_cost(&cost) : native_raise(&error, NULL);
}

typedef scrim_status curve(const scrim_measurement *measurement, const char *at,
                           double *upper, scrim_error *error);

static PyObject *measurement_at(PyObject *arguments, curve *of)
{
    PyObject *capsule;
    const char *at;
    double upper;
    scrim_status status;
    scrim_error error;
    if (!PyArg_ParseTuple(arguments, "Os", &capsule, &at))
        return NULL;
    const scrim_measurement *m = native_handle(capsule, NATIVE_MEASUREMENT);
    if (m == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = of(m, at, &upper, &error));
    return status == SCRIM_OK ? PyFloat_FromDouble(upper) : native_raise(&error, NULL);
}

static PyObject *measurement_delta_at(PyObject *self, PyObject *arguments)
{
    (void)self;
    return measurement_at(arguments, scrim_measurement_delta_at);
}

static PyObject *measurement_epsilon_at(PyObject *self, PyObject *arguments)
{
    (void)self;
    return measurement_at(arguments, scrim_measurement_epsilon_at);
}

static PyObject *measurement_renyi_at(PyObject *self, PyObject *arguments)
{
    (void)self;
    return measurement_at(arguments, scrim_measurement_renyi_at);
}

static PyObject *measurement_certify(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    const char *confidence;
    Py_ssize_t count;
    scrim_certificate certificate;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Osn", &capsule, &confidence, &count))
        return NULL;
    const scrim_measurement *m = native_handle(capsule, NATIVE_MEASUREMENT);
    if (m == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_measurement_certify(m, confidence, (size_t)count,
                                                       &certificate, &error));
    return status == SCRIM_OK ? native_certificate(&certificate)
                              : native_raise(&error, NULL);
}

/* Ledgers. */

typedef struct native_ledger {
    scrim_ledger *ledger;
    PyObject *vault; /* a capsule that is in use as long as this is, or NULL */
    native_vault *entered;
} native_ledger;

static void ledger_free(PyObject *capsule)
{
    native_ledger *handle = PyCapsule_GetPointer(capsule, NATIVE_LEDGER);
    scrim_ledger_free(handle->ledger);
    if (handle->entered != NULL)
        native_vault_leave(handle->entered);
    Py_XDECREF(handle->vault);
    free(handle);
}

static PyObject *ledger_capsule(native_ledger *handle)
{
    PyObject *capsule = PyCapsule_New(handle, NATIVE_LEDGER, ledger_free);
    if (capsule == NULL) {
        scrim_ledger_free(handle->ledger);
        if (handle->entered != NULL)
            native_vault_leave(handle->entered);
        Py_XDECREF(handle->vault);
        free(handle);
    }
    return capsule;
}

static PyObject *ledger_new(PyObject *self, PyObject *arguments)
{
    const char *neighbours;
    scrim_ledger_options options = {.size = sizeof options};
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "szzz", &neighbours, &options.epsilon, &options.rho,
                          &options.delta))
        return NULL;
    for (int n = SCRIM_ADD_REMOVE; n <= SCRIM_LOCAL; n++)
        if (strcmp(scrim_neighbours_name((scrim_neighbours)n), neighbours) == 0)
            options.neighbours = (scrim_neighbours)n;
    native_ledger *handle = calloc(1, sizeof *handle);
    if (handle == NULL)
        return PyErr_NoMemory();
    if (scrim_ledger_new(&options, &handle->ledger, &error) != SCRIM_OK) {
        free(handle);
        return native_raise(&error, NULL);
    }
    return ledger_capsule(handle);
}

static PyObject *ledger_of_vault(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    const char *dataset;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Os", &capsule, &dataset))
        return NULL;
    native_vault *vault = native_vault_enter(capsule);
    native_ledger *handle = vault == NULL ? NULL : calloc(1, sizeof *handle);
    if (handle == NULL) {
        if (vault != NULL)
            native_vault_leave(vault);
        return vault == NULL ? NULL : PyErr_NoMemory();
    }
    NATIVE_UNLOCKED(
        status = scrim_vault_ledger(vault->vault, dataset, &handle->ledger, &error));
    if (status != SCRIM_OK) {
        native_vault_leave(vault);
        free(handle);
        return native_raise(&error, NULL);
    }
    Py_INCREF(capsule);
    handle->vault = capsule;
    handle->entered = vault;
    return ledger_capsule(handle);
}

static PyObject *ledger_read(PyObject *self, PyObject *capsule)
{
    native_ledger *handle = native_handle(capsule, NATIVE_LEDGER);
    scrim_cost spent, left;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (handle == NULL)
        return NULL;
    NATIVE_UNLOCKED({
        status = scrim_ledger_spent(handle->ledger, &spent, &error);
        if (status == SCRIM_OK)
            status = scrim_ledger_left(handle->ledger, &left, &error);
    });
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    return Py_BuildValue("{s:N,s:N,s:n}", "spent", native_cost(&spent), "left",
                         native_cost(&left), "releases",
                         (Py_ssize_t)scrim_ledger_count(handle->ledger));
}

/* Releases. */

/* The private values, and what holds them. */
typedef struct values {
    scrim_input input;
    Py_buffer view;
    bool has_view;
    const char **texts;
} values;

static void values_clear(values *v)
{
    if (v->has_view)
        PyBuffer_Release(&v->view);
    free(v->texts);
}

static bool take_texts(values *v, PyObject *list)
{
    const Py_ssize_t count = PyList_Size(list);
    v->texts = count < 0 ? NULL : calloc((size_t)count + 1, sizeof *v->texts);
    if (v->texts == NULL)
        return false;
    for (Py_ssize_t i = 0; i < count; i++)
        if ((v->texts[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL)) ==
            NULL)
            return false;
    v->input.texts = v->texts;
    v->input.count = (size_t)count;
    return true;
}

/* Integers and doubles by the buffer protocol, in the machine's order and without gaps. */
static bool take_buffer(values *v, PyObject *object)
{
    if (PyObject_GetBuffer(object, &v->view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0)
        return false;
    v->has_view = true;
    const char *format = v->view.format == NULL ? "" : v->view.format;
    const bool is_real = strcmp(format, "d") == 0;
    if (v->view.itemsize != 8 ||
        (!is_real && strcmp(format, "q") != 0 && strcmp(format, "l") != 0)) {
        PyErr_SetString(PyExc_TypeError, "expected 64-bit integers or doubles");
        return false;
    }
    v->input.count = (size_t)(v->view.len / 8);
    if (is_real)
        v->input.reals = v->view.buf;
    else
        v->input.integers = v->view.buf;
    return true;
}

static PyObject *interval_of(const scrim_answer *answer, size_t at,
                             const scrim_certificate *certificate)
{
    char low[SCRIM_ANSWER_BYTES], high[SCRIM_ANSWER_BYTES];
    scrim_error ignored;
    if (scrim_answer_interval(answer, at, certificate, low, high, &ignored) != SCRIM_OK)
        return Py_BuildValue("(OO)", Py_None, Py_None);
    return Py_BuildValue("(ss)", low, high);
}

static PyObject *value_row(const scrim_answer *answer, size_t at,
                           const scrim_certificate *certificate)
{
    static const char *const kinds[] = {"",      "value",       "index", "below",
                                        "above", "above_value", "none"};
    const size_t kind = (size_t)scrim_answer_kind_at(answer, at);
    uint64_t place = 0;
    const int has_place = scrim_answer_place(answer, at, &place);
    PyObject *placed;
    if (has_place) {
        placed = PyLong_FromUnsignedLongLong(place);
    } else {
        Py_INCREF(Py_None);
        placed = Py_None;
    }
    return Py_BuildValue("{s:s,s:N,s:N,s:N,s:N,s:N}", "kind",
                         kind < sizeof kinds / sizeof *kinds ? kinds[kind] : "", "text",
                         native_text(scrim_answer_text(answer, at)), "label",
                         native_text(scrim_answer_label(answer, at)), "is_kept",
                         PyBool_FromLong(scrim_answer_is_kept(answer, at)), "place",
                         placed, "interval", interval_of(answer, at, certificate));
}

static PyObject *answer_row(const scrim_answer *answer,
                            const scrim_certificate *certificate)
{
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    for (size_t i = 0; is_well && i < scrim_answer_count(answer); i++)
        is_well = native_append(list, value_row(answer, i, certificate));
    list = native_done(list, is_well);
    if (list == NULL)
        return NULL;
    return Py_BuildValue("{s:N,s:N,s:K,s:N,s:N}", "values", list, "cost",
                         native_cost(scrim_answer_cost(answer)), "entry",
                         (unsigned long long)scrim_answer_entry(answer), "has_halted",
                         PyBool_FromLong(scrim_answer_has_halted(answer)), "certificate",
                         native_certificate(certificate));
}

static PyObject *release(PyObject *self, PyObject *arguments)
{
    PyObject *ledger_object, *measurement_object, *data;
    const char *confidence;
    scrim_answer *answer = NULL;
    scrim_certificate certificate = {.form = SCRIM_CERTIFICATE_NONE};
    scrim_status status;
    scrim_error error;
    values v = {.has_view = false};
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOOs", &ledger_object, &measurement_object, &data,
                          &confidence))
        return NULL;
    native_ledger *ledger = native_handle(ledger_object, NATIVE_LEDGER);
    const scrim_measurement *m =
        ledger == NULL ? NULL : native_handle(measurement_object, NATIVE_MEASUREMENT);
    if (m == NULL)
        return NULL;
    if (!(PyList_Check(data) ? take_texts(&v, data) : take_buffer(&v, data))) {
        values_clear(&v);
        return PyErr_Occurred() != NULL ? NULL : PyErr_NoMemory();
    }
    NATIVE_UNLOCKED({
        status =
            scrim_measurement_certify(m, confidence, v.input.count, &certificate, &error);
        if (status == SCRIM_OK)
            status = scrim_release(ledger->ledger, m, &v.input, &answer, &error);
    });
    values_clear(&v);
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    PyObject *row = answer_row(answer, &certificate);
    scrim_answer_free(answer);
    return row;
}

/* Interactive runs. */

typedef struct native_run {
    scrim_run *run; /* NULL: closed */
    size_t
        asking; /* threads that wait for an answer, without the lock of the interpreter */
    PyObject *ledger, *measurement; /* capsules, which live as long */
} native_run;

static void run_end(native_run *handle)
{
    scrim_run *run = handle->run;
    handle->run = NULL;
    NATIVE_UNLOCKED(scrim_run_close(run));
}

static void run_free(PyObject *capsule)
{
    native_run *handle = PyCapsule_GetPointer(capsule, NATIVE_RUN);
    run_end(handle);
    Py_XDECREF(handle->ledger);
    Py_XDECREF(handle->measurement);
    free(handle);
}

static PyObject *run_open(PyObject *self, PyObject *arguments)
{
    PyObject *ledger_object, *measurement_object, *data;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOO", &ledger_object, &measurement_object, &data))
        return NULL;
    native_ledger *ledger = native_handle(ledger_object, NATIVE_LEDGER);
    const scrim_measurement *m =
        ledger == NULL ? NULL : native_handle(measurement_object, NATIVE_MEASUREMENT);
    native_run *handle = m == NULL ? NULL : calloc(1, sizeof *handle);
    if (handle == NULL)
        return m == NULL ? NULL : PyErr_NoMemory();
    /* The capsule comes first: without memory for it nothing is charged. */
    PyObject *capsule = PyCapsule_New(handle, NATIVE_RUN, run_free);
    if (capsule == NULL) {
        free(handle);
        return NULL;
    }
    Py_INCREF(ledger_object);
    handle->ledger = ledger_object;
    Py_INCREF(measurement_object);
    handle->measurement = measurement_object;
    values v = {.has_view = false};
    if (data != Py_None &&
        !(PyList_Check(data) ? take_texts(&v, data) : take_buffer(&v, data))) {
        values_clear(&v);
        Py_DECREF(capsule);
        return PyErr_Occurred() != NULL ? NULL : PyErr_NoMemory();
    }
    NATIVE_UNLOCKED(status = data == Py_None
                                 ? scrim_run_open(ledger->ledger, m, &handle->run, &error)
                                 : scrim_run_open_on(ledger->ledger, m, &v.input,
                                                     &handle->run, &error));
    values_clear(&v);
    if (status == SCRIM_OK)
        return capsule;
    Py_DECREF(capsule);
    return native_raise(&error, NULL);
}

static native_run *run_of(PyObject *capsule)
{
    native_run *handle = native_handle(capsule, NATIVE_RUN);
    if (handle != NULL && handle->run == NULL) {
        PyErr_SetString(PyExc_ValueError, "this run is closed");
        return NULL;
    }
    return handle;
}

static PyObject *run_read(PyObject *self, PyObject *capsule)
{
    const native_run *handle = run_of(capsule);
    (void)self;
    if (handle == NULL)
        return NULL;
    return Py_BuildValue("{s:N,s:K}", "cost", native_cost(scrim_run_cost(handle->run)),
                         "entry", (unsigned long long)scrim_run_entry(handle->run));
}

static PyObject *run_ask(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    const char *query;
    scrim_run_answer answer;
    char value[SCRIM_ANSWER_BYTES];
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Os", &capsule, &query))
        return NULL;
    native_run *handle = run_of(capsule);
    if (handle == NULL)
        return NULL;
    handle->asking++;
    NATIVE_UNLOCKED(status = scrim_run_ask_text(handle->run, query, &answer, &error));
    handle->asking--;
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    scrim_run_value(handle->run, &answer, value);
    return Py_BuildValue("NsN", PyBool_FromLong(answer.kind != SCRIM_ANSWER_BELOW), value,
                         PyBool_FromLong(answer.has_halted));
}

static PyObject *run_close(PyObject *self, PyObject *capsule)
{
    native_run *handle = native_handle(capsule, NATIVE_RUN);
    (void)self;
    if (handle == NULL)
        return NULL;
    if (handle->asking > 0) {
        PyErr_SetString(PyExc_ValueError,
                        "another thread waits for an answer of this run");
        return NULL;
    }
    run_end(handle);
    Py_RETURN_NONE;
}

/* A recorded answer again. */
static PyObject *answer_parse(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    const char *recorded, *confidence;
    unsigned long long entry;
    scrim_answer *answer = NULL;
    scrim_certificate certificate = {.form = SCRIM_CERTIFICATE_NONE};
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OsKs", &capsule, &recorded, &entry, &confidence))
        return NULL;
    const scrim_measurement *m = native_handle(capsule, NATIVE_MEASUREMENT);
    if (m == NULL)
        return NULL;
    NATIVE_UNLOCKED({
        status = scrim_answer_parse(m, recorded, entry, &answer, &error);
        if (status == SCRIM_OK)
            status = scrim_measurement_certify(m, confidence, scrim_answer_count(answer),
                                               &certificate, &error);
    });
    if (status != SCRIM_OK) {
        scrim_answer_free(answer);
        return native_raise(&error, NULL);
    }
    PyObject *row = answer_row(answer, &certificate);
    scrim_answer_free(answer);
    return row;
}

/* The catalogue. */

static PyObject *mechanisms(PyObject *self, PyObject *none)
{
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    (void)self;
    (void)none;
    const scrim_mechanism_entry *entry;
    for (size_t i = 0; is_well && (entry = scrim_mechanism_at(i)) != NULL; i++)
        is_well = native_append(list, entry_row(entry));
    return native_done(list, is_well);
}

PyMethodDef native_mechanism_methods[] = {
    {"measurement_parse", measurement_parse, METH_VARARGS,
     "measurement_parse($module, text, is_model, /)\n--\n\n"},
    {"measurement_read", measurement_read, METH_O,
     "measurement_read($module, measurement, /)\n--\n\n"},
    {"measurement_group_cost", measurement_group_cost, METH_VARARGS,
     "measurement_group_cost($module, measurement, units, /)\n--\n\n"},
    {"measurement_delta_at", measurement_delta_at, METH_VARARGS,
     "measurement_delta_at($module, measurement, epsilon, /)\n--\n\n"},
    {"measurement_epsilon_at", measurement_epsilon_at, METH_VARARGS,
     "measurement_epsilon_at($module, measurement, delta, /)\n--\n\n"},
    {"measurement_renyi_at", measurement_renyi_at, METH_VARARGS,
     "measurement_renyi_at($module, measurement, order, /)\n--\n\n"},
    {"measurement_certify", measurement_certify, METH_VARARGS,
     "measurement_certify($module, measurement, confidence, count, /)\n--\n\n"},
    {"ledger_new", ledger_new, METH_VARARGS,
     "ledger_new($module, neighbours, epsilon, rho, delta, /)\n--\n\n"},
    {"ledger_of_vault", ledger_of_vault, METH_VARARGS,
     "ledger_of_vault($module, vault, dataset, /)\n--\n\n"},
    {"ledger_read", ledger_read, METH_O, "ledger_read($module, ledger, /)\n--\n\n"},
    {"release", release, METH_VARARGS,
     "release($module, ledger, measurement, data, confidence, /)\n--\n\n"},
    {"run_open", run_open, METH_VARARGS,
     "run_open($module, ledger, measurement, data, /)\n--\n\n"},
    {"run_read", run_read, METH_O, "run_read($module, run, /)\n--\n\n"},
    {"run_ask", run_ask, METH_VARARGS, "run_ask($module, run, query, /)\n--\n\n"},
    {"run_close", run_close, METH_O, "run_close($module, run, /)\n--\n\n"},
    {"answer_parse", answer_parse, METH_VARARGS,
     "answer_parse($module, measurement, recorded, entry, confidence, /)\n--\n\n"},
    {"mechanisms", mechanisms, METH_NOARGS, "mechanisms($module, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
