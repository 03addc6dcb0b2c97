/* Labels: facts, checks, and the page that the program writes. */
#include "cli/release/report_html.h"
#include "cli/release/report_verify.h"
#include "native.h"

#include <stdlib.h>
#include <string.h>

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
    uint64_t id;
    scrim_label *label = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    native_vault *vault = native_release_enter(arguments, &id, NULL);
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
    return native_none(status, &error);
}

/* Files. */

static PyObject *verdict_row(sc_report_verdict *verdict)
{
    PyObject *unchecked = PyList_New(0);
    bool is_well = unchecked != NULL;
    for (size_t i = 0; is_well && i < verdict->unchecked_count; i++)
        is_well = native_append(unchecked, native_text(verdict->unchecked[i]));
    unchecked = native_done(unchecked, is_well);
    if (unchecked == NULL)
        return NULL;
    PyObject *label = label_capsule(SCRIM_OK, verdict->label, NULL);
    verdict->label = NULL; /* the capsule's, or freed */
    if (label == NULL) {
        Py_DecRef(unchecked);
        return NULL;
    }
    return Py_BuildValue("(NN)", label, unchecked);
}

/* The bytes of a file, with those of the label beside it or None: its label, and what was not checked. */
static PyObject *label_verify(PyObject *self, PyObject *arguments)
{
    PyObject *vault_capsule;
    const char *bytes, *beside, *key;
    Py_ssize_t count, beside_count;
    sc_report_proof proof = {.vault = NULL};
    sc_report_verdict verdict = {.label = NULL};
    native_vault *vault = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "y#z#Oz", &bytes, &count, &beside, &beside_count,
                          &vault_capsule, &key))
        return NULL;
    if (vault_capsule != Py_None && (vault = native_vault_enter(vault_capsule)) == NULL)
        return NULL;
    proof.key = key;
    proof.vault = vault == NULL ? NULL : vault->vault;
    NATIVE_UNLOCKED({
        status = sc_report_verify(bytes, (size_t)count, &proof, &verdict, &error);
        if (status == SCRIM_E_SYNTAX && beside != NULL)
            status =
                sc_report_verify_beside(bytes, (size_t)count, beside,
                                        (size_t)beside_count, &proof, &verdict, &error);
    });
    if (vault != NULL)
        native_vault_leave(vault);
    PyObject *row =
        status == SCRIM_OK ? verdict_row(&verdict) : native_raise(&error, NULL);
    sc_report_verdict_clear(&verdict);
    return row;
}

/* The label that a file of JSON ends with, unchanged; None: it has none, or one without a signature. */
static PyObject *label_of_file(PyObject *self, PyObject *arguments)
{
    const char *bytes;
    Py_ssize_t count;
    scrim_label *label = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "y#", &bytes, &count))
        return NULL;
    NATIVE_UNLOCKED(
        status = scrim_label_of_file(bytes, (size_t)count, NULL, 0, &label, &error));
    if (status == SCRIM_OK && label == NULL)
        return native_none(SCRIM_OK, NULL);
    return label_capsule(status, label, &error);
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
    return native_none(status, &error);
}

static PyObject *label_html(PyObject *self, PyObject *capsule)
{
    const scrim_label *label = native_handle(capsule, NATIVE_LABEL);
    char *text = NULL;
    size_t bytes = 0;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (label == NULL)
        return NULL;
    NATIVE_UNLOCKED(status = sc_label_page_text(label, &text, &bytes, &error));
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    PyObject *page = PyUnicode_DecodeUTF8(text, (Py_ssize_t)bytes, "replace");
    free(text);
    return page;
}

PyMethodDef native_label_methods[] = {
    {"label_new", label_new, METH_VARARGS,
     "label_new($module, vault, release, /)\n--\n\n"},
    {"label_find", label_find, METH_VARARGS, "label_find($module, bytes, /)\n--\n\n"},
    {"label_read", label_read, METH_O, "label_read($module, label, /)\n--\n\n"},
    {"label_check", label_check, METH_VARARGS,
     "label_check($module, label, vault, key, /)\n--\n\n"},
    {"label_verify", label_verify, METH_VARARGS,
     "label_verify($module, bytes, beside, vault, key, /)\n--\n\n"},
    {"label_of_file", label_of_file, METH_VARARGS,
     "label_of_file($module, bytes, /)\n--\n\n"},
    {"label_compare", label_compare, METH_VARARGS,
     "label_compare($module, label, other, /)\n--\n\n"},
    {"label_html", label_html, METH_O, "label_html($module, label, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
