/* The module scrim._native: its functions, and what all of them use. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

PyObject *native_raise(const scrim_error *error, const scrim_caret *caret)
{
    PyObject *errors = PyImport_ImportModule("scrim._errors");
    PyObject *raised = NULL;
    if (errors != NULL)
        raised = PyObject_CallMethod(
            errors, "from_native", "issszn(ss)", (int)error->status, error->message,
            scrim_reason_name(error->reason), error->parameter,
            caret != NULL && caret->text[0] != '\0' ? caret->text : NULL,
            caret != NULL ? (Py_ssize_t)caret->query : (Py_ssize_t)0, error->requested,
            error->left);
    if (raised != NULL)
        PyErr_SetObject((PyObject *)Py_TYPE(raised), raised);
    Py_XDECREF(raised);
    Py_XDECREF(errors);
    return NULL;
}

PyObject *native_fail(scrim_status status, const char *message)
{
    scrim_error error = {.status = status, .reason = SCRIM_REASON_NONE};
    (void)PyOS_snprintf(error.message, sizeof error.message, "%s", message);
    return native_raise(&error, NULL);
}

PyObject *native_none(scrim_status status, const scrim_error *error)
{
    if (status != SCRIM_OK)
        return native_raise(error, NULL);
    Py_RETURN_NONE;
}

bool native_put(PyObject *dictionary, const char *key, PyObject *value)
{
    const bool is_put = value != NULL && dictionary != NULL &&
                        PyDict_SetItemString(dictionary, key, value) == 0;
    Py_XDECREF(value);
    return is_put;
}

bool native_append(PyObject *list, PyObject *value)
{
    const bool is_put = value != NULL && list != NULL && PyList_Append(list, value) == 0;
    Py_XDECREF(value);
    return is_put;
}

PyObject *native_done(PyObject *object, bool is_done)
{
    if (is_done)
        return object;
    Py_XDECREF(object);
    return NULL;
}

PyObject *native_text(const char *text)
{
    if (text == NULL || text[0] == '\0')
        Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "surrogateescape");
}

PyObject *native_cost(const scrim_cost *cost)
{
    return Py_BuildValue("{s:N,s:N,s:N,s:s}", "epsilon", native_text(cost->epsilon),
                         "delta", native_text(cost->delta), "rho", native_text(cost->rho),
                         "neighbours", scrim_neighbours_name(cost->neighbours));
}

PyObject *native_remainder(const scrim_remainder *remainder)
{
    return Py_BuildValue("{s:N,s:N,s:N,s:N}", "share", native_text(remainder->share),
                         "share_delta", native_text(remainder->share_delta), "whole",
                         native_text(remainder->whole), "whole_delta",
                         native_text(remainder->whole_delta));
}

PyObject *native_certificate(const scrim_certificate *c)
{
    static const char *const forms[] = {"none",     "interval",  "pac",  "range",
                                        "flexible", "frequency", "drop", "mean"};
    const size_t form = (size_t)c->form;
    return Py_BuildValue(
        "{s:s,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N}", "form",
        form < sizeof forms / sizeof *forms ? forms[form] : "none", "confidence",
        native_text(c->confidence), "radius", native_text(c->radius), "value_radius",
        native_text(c->value_radius), "radius_all", native_text(c->radius_all), "alpha",
        native_text(c->alpha), "beta", native_text(c->beta), "gamma",
        native_text(c->gamma), "excludes", native_text(c->excludes));
}

/* Callbacks. */

bool native_watch_init(native_watch *watch, PyObject *progress)
{
    memset(watch, 0, sizeof *watch);
    if (progress == NULL || progress == Py_None)
        return true;
    if (!PyCallable_Check(progress)) {
        PyErr_SetString(PyExc_TypeError, "progress must be callable");
        return false;
    }
    Py_INCREF(progress);
    watch->progress = progress;
    return true;
}

void native_watch_clear(native_watch *watch)
{
    Py_CLEAR(watch->progress);
    Py_CLEAR(watch->raised);
}

PyObject *native_raised_take(void)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (value != NULL && trace != NULL)
        (void)PyException_SetTraceback(value, trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return value;
}

PyObject *native_raised_raise(PyObject *raised, const char *message)
{
    if (PyErr_GivenExceptionMatches(raised, PyExc_KeyboardInterrupt)) {
        PyObject *errors = PyImport_ImportModule("scrim._errors");
        PyObject *other = errors == NULL
                              ? NULL
                              : PyObject_CallMethod(errors, "interrupted", "s", message);
        Py_XDECREF(errors);
        if (other != NULL) {
            Py_DECREF(raised);
            raised = other;
        }
        PyErr_Clear();
    }
    PyErr_SetObject((PyObject *)Py_TYPE(raised), raised);
    Py_DECREF(raised);
    return NULL;
}

void native_watch_tell(void *context, uint64_t done, uint64_t total)
{
    native_watch *watch = context;
    if (watch->raised != NULL)
        return;
    PyGILState_STATE state = PyGILState_Ensure();
    bool is_well = PyErr_CheckSignals() == 0;
    if (is_well && watch->progress != NULL) {
        PyObject *said = PyObject_CallFunction(
            watch->progress, "KK", (unsigned long long)done, (unsigned long long)total);
        is_well = said != NULL;
        Py_XDECREF(said);
    }
    if (!is_well)
        watch->raised = native_raised_take();
    PyGILState_Release(state);
}

/* Ten times a second: taking the interpreter's lock may mean to wait for it. */
#define LOOK_NS 100000000

int native_watch_cancelled(void *context)
{
    native_watch *watch = context;
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t gone = (int64_t)(now.tv_sec - watch->looked.tv_sec) * 1000000000 +
                         (now.tv_nsec - watch->looked.tv_nsec);
    if (watch->raised == NULL && gone >= LOOK_NS) {
        watch->looked = now;
        PyGILState_STATE state = PyGILState_Ensure();
        if (PyErr_CheckSignals() != 0)
            watch->raised = native_raised_take();
        PyGILState_Release(state);
    }
    return watch->raised != NULL;
}

bool native_watch_raise(native_watch *watch, const char *message)
{
    if (watch->raised == NULL && PyErr_CheckSignals() != 0)
        watch->raised = native_raised_take(); /* since it was last looked at */
    PyObject *raised = watch->raised;
    watch->raised = NULL;
    if (raised != NULL)
        native_raised_raise(raised, message);
    return raised != NULL;
}

void *native_handle(PyObject *capsule, const char *kind)
{
    if (!PyCapsule_IsValid(capsule, kind)) {
        PyErr_Format(PyExc_TypeError, "expected a handle of %s", kind);
        return NULL;
    }
    return PyCapsule_GetPointer(capsule, kind);
}

const char **native_texts(PyObject *list, size_t *count)
{
    const Py_ssize_t length = PyList_Size(list);
    if (length < 0)
        return NULL;
    const char **texts = calloc((size_t)length + 1, sizeof *texts);
    if (texts == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < length; i++) {
        Py_ssize_t bytes;
        texts[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), &bytes);
        if (texts[i] != NULL && strlen(texts[i]) != (size_t)bytes) {
            PyErr_SetString(PyExc_ValueError, "embedded null character");
            texts[i] = NULL;
        }
        if (texts[i] == NULL) {
            free(texts);
            return NULL;
        }
    }
    *count = (size_t)length;
    return texts;
}

/* The module. */

static int add_all(PyObject *module)
{
    PyMethodDef *const lists[] = {
        native_vault_methods,      native_query_methods,     native_label_methods,
        native_series_methods,     native_mechanism_methods, native_tool_methods,
        native_arrow_methods,      native_feed_methods,      native_suggestion_methods,
        native_inspection_methods, native_synth_methods,     native_body_methods,
        native_frame_methods,      native_pulled_methods,    native_local_methods,
        native_tree_methods,       native_drawing_methods,   native_command_methods};
    int code = PyModule_AddStringConstant(module, "version", scrim_version());
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    for (size_t i = 0; code == 0 && i < sizeof lists / sizeof *lists; i++)
        code = PyModule_AddFunctions(module, lists[i]);
    return code;
}

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "scrim._native",
    .m_doc =
        "The C library of scrim, as plain functions; the package scrim is made of them.",
    .m_size = -1,
};

PyMODINIT_FUNC PyInit__native(void);
PyMODINIT_FUNC PyInit__native(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module != NULL && add_all(module) != 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
