/* Labels: facts, checks, and the page that the program writes. */
#include "cli/report/report_html.h"
#include "cli/report/report_values.h"
#include "cli/terminal/output.h"
#include "native.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void label_free(PyObject *capsule)
{
    scrim_label_free(PyCapsule_GetPointer(capsule, NATIVE_LABEL));
}

static PyObject *label_capsule(scrim_status status, scrim_label *label,
                               const scrim_error *error)
{
    if (status != SCRIM_OK)
        return native_raise(error, NULL);
    PyObject *capsule = PyCapsule_New(label, NATIVE_LABEL, label_free);
    if (capsule == NULL)
        scrim_label_free(label);
    return capsule;
}

static PyObject *label_new(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    unsigned long long id;
    scrim_label *label = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OK", &capsule, &id))
        return NULL;
    native_vault *vault = native_vault_enter(capsule);
    if (vault == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_label_new(vault->vault, id, &label, &error));
    native_vault_leave(vault);
    return label_capsule(status, label, &error);
}

static PyObject *label_find(PyObject *self, PyObject *arguments)
{
    const char *bytes;
    Py_ssize_t count;
    scrim_label *label = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "y#", &bytes, &count))
        return NULL;
    NATIVE_UNLOCKED(status = scrim_label_find(bytes, (size_t)count, &label, &error));
    return label_capsule(status, label, &error);
}

static PyObject *label_read(PyObject *self, PyObject *capsule)
{
    const scrim_label *label = native_handle(capsule, NATIVE_LABEL);
    (void)self;
    if (label == NULL)
        return NULL;
    PyObject *facts = PyDict_New();
    bool is_well = facts != NULL;
    for (size_t i = 0; is_well && i < scrim_label_count(label); i++) {
        const scrim_label_fact *fact = scrim_label_fact_at(label, i);
        is_well =
            native_put(facts, fact->key,
                       PyUnicode_DecodeUTF8(fact->value, (Py_ssize_t)strlen(fact->value),
                                            "surrogateescape"));
    }
    facts = native_done(facts, is_well);
    if (facts == NULL)
        return NULL;
    return Py_BuildValue("(NNN)", native_text(scrim_label_text(label)), facts,
                         PyBool_FromLong(scrim_label_is_signed(label)));
}

static PyObject *label_check(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *vault_capsule;
    const char *key;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOz", &capsule, &vault_capsule, &key))
        return NULL;
    const scrim_label *label = native_handle(capsule, NATIVE_LABEL);
    native_vault *vault = NULL;
    if (label == NULL)
        return NULL;
    if (vault_capsule != Py_None && (vault = native_vault_enter(vault_capsule)) == NULL)
        return NULL;
    NATIVE_UNLOCKED({
        status = scrim_label_check(label, &error);
        if (status == SCRIM_OK && vault != NULL)
            status = scrim_label_check_ledger(label, vault->vault, &error);
        if (status == SCRIM_OK && key != NULL)
            status = scrim_label_check_key(label, key, &error);
    });
    if (vault != NULL)
        native_vault_leave(vault);
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    Py_RETURN_NONE;
}

static PyObject *label_compare(PyObject *self, PyObject *arguments)
{
    PyObject *a, *b;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &a, &b))
        return NULL;
    const scrim_label *first = native_handle(a, NATIVE_LABEL),
                      *second = first == NULL ? NULL : native_handle(b, NATIVE_LABEL);
    if (second == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = scrim_label_compare(first, second, &error));
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    Py_RETURN_NONE;
}

/* The page, written to a file in memory. */

static scrim_status write_page(int file, const scrim_label *label, scrim_error *error)
{
    sc_report_values values = {0};
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return SCRIM_E_MEMORY;
    scrim_status status = sc_report_values_of(label, &values, error);
    if (status == SCRIM_OK) {
        sc_output_init(output, file);
        sc_report_html_write(output, label, &values);
        status = sc_output_finish(output, error);
    }
    sc_report_values_clear(&values);
    free(output);
    return status;
}

static PyObject *page_read(int file)
{
    const off_t bytes = lseek(file, 0, SEEK_END);
    char *text = bytes <= 0 ? NULL : malloc((size_t)bytes);
    PyObject *page = NULL;
    if (text != NULL && pread(file, text, (size_t)bytes, 0) == bytes)
        page = PyUnicode_DecodeUTF8(text, (Py_ssize_t)bytes, "replace");
    else
        PyErr_SetString(PyExc_OSError, "the page cannot be read from memory");
    free(text);
    return page;
}

static PyObject *label_html(PyObject *self, PyObject *capsule)
{
    const scrim_label *label = native_handle(capsule, NATIVE_LABEL);
    scrim_status status;
    scrim_error error = {.status = SCRIM_E_MEMORY,
                         .message = "out of memory for the page"};
    (void)self;
    if (label == NULL)
        return NULL;
    const int file = memfd_create("scrim label", MFD_CLOEXEC);
    if (file < 0)
        return PyErr_SetFromErrno(PyExc_OSError);
    NATIVE_UNLOCKED(status = write_page(file, label, &error));
    PyObject *page = status == SCRIM_OK ? page_read(file) : native_raise(&error, NULL);
    (void)close(file);
    return page;
}

PyMethodDef native_label_methods[] = {
    {"label_new", label_new, METH_VARARGS,
     "label_new($module, vault, release, /)\n--\n\n"},
    {"label_find", label_find, METH_VARARGS, "label_find($module, bytes, /)\n--\n\n"},
    {"label_read", label_read, METH_O, "label_read($module, label, /)\n--\n\n"},
    {"label_check", label_check, METH_VARARGS,
     "label_check($module, label, vault, key, /)\n--\n\n"},
    {"label_compare", label_compare, METH_VARARGS,
     "label_compare($module, label, other, /)\n--\n\n"},
    {"label_html", label_html, METH_O, "label_html($module, label, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
