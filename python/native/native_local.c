/* Local privacy: plans, reports of simulated devices, sums of reports and their estimates. */
#include "native.h"
#include "scrim_local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NATIVE_COLLECTION "scrim.collection"

/* Plans, and what a shuffler adds. */

static PyObject *plan_row(const scrim_local_plan_row *r)
{
    return Py_BuildValue(
        "{s:s,s:s,s:N,s:n,s:d,s:d,s:d,s:d,s:[ddd],s:K}", "protocol", r->protocol,
        "answers", r->answers, "config", native_text(r->config), "report_bytes",
        (Py_ssize_t)r->report_bytes, "standard_error", r->standard_error, "detectable",
        r->detectable, "epsilon", r->loss_upper, "lifetime", r->lifetime_upper, "raised",
        r->raised[0], r->raised[1], r->raised[2], "targets",
        (unsigned long long)r->targets);
}

static PyObject *local_plan(PyObject *self, PyObject *arguments)
{
    scrim_local_plan_options o = {.size = sizeof o};
    unsigned long long users, domain, length, periods;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "sKKKKppz", &o.epsilon, &users, &domain, &length,
                          &periods, &o.is_constant, &o.is_ordered, &o.question))
        return NULL;
    o.users = users;
    o.domain = domain;
    o.length = length;
    o.periods = periods;
    scrim_local_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return PyErr_NoMemory();
    NATIVE_UNLOCKED(status = scrim_local_plan_find(&o, plan, &error));
    PyObject *made = NULL;
    if (status != SCRIM_OK)
        native_raise(&error, NULL);
    else {
        PyObject *rows = PyList_New(0);
        bool is_well = rows != NULL;
        for (size_t i = 0; is_well && i < plan->count; i++)
            is_well = native_append(rows, plan_row(&plan->rows[i]));
        rows = native_done(rows, is_well);
        if (rows != NULL)
            made = Py_BuildValue("{s:N,s:n,s:s}", "rows", rows, "recommended",
                                 (Py_ssize_t)plan->recommended, "reason", plan->reason);
    }
    free(plan);
    return made;
}

static PyObject *local_amplify(PyObject *self, PyObject *arguments)
{
    scrim_amplify_options o = {.size = sizeof o};
    scrim_amplification found;
    unsigned long long devices;
    PyObject *progress;
    native_watch watch;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "KsszO", &devices, &o.epsilon, &o.delta, &o.protocol,
                          &progress) ||
        !native_watch_init(&watch, progress))
        return NULL;
    o.devices = devices;
    o.progress = native_watch_tell;
    o.context = &watch;
    NATIVE_UNLOCKED(status = scrim_amplify(&o, &found, &error));
    PyObject *made = NULL;
    if (native_watch_raise(&watch, "the bounds were not computed"))
        made = NULL;
    else if (status != SCRIM_OK)
        native_raise(&error, NULL);
    else
        made = Py_BuildValue("(dd)", found.lower_view, found.upper_view);
    native_watch_clear(&watch);
    return made;
}

/* Configurations, and reports of values. */

/* False with the exception of the status set, in the words of the server's side, which says more. */
static bool read_config(const char *text, scrim_local_config *out)
{
    scrim_collection *collection = NULL;
    scrim_error error;
    if (scrim_local_config_parse(text, out) == SCRIM_LOCAL_OK)
        return true;
    if (scrim_collection_new(text, &collection, &error) == SCRIM_OK) {
        scrim_collection_free(collection);
        native_fail(SCRIM_E_INTERNAL, "the configuration cannot be read");
    } else
        native_raise(&error, NULL);
    return false;
}

static PyObject *local_config(PyObject *self, PyObject *text)
{
    scrim_local_config config;
    (void)self;
    PyObject *bytes = PyUnicode_AsUTF8String(text);
    if (bytes == NULL)
        return NULL;
    const bool is_well = read_config(PyBytes_AsString(bytes), &config);
    Py_DECREF(bytes);
    if (!is_well)
        return NULL;
    const uint64_t loss = scrim_local_loss(&config);
    return Py_BuildValue("{s:s,s:s,s:I,s:I,s:n,s:d}", "question", config.question,
                         "protocol", scrim_local_protocol_name(config.protocol), "values",
                         config.values, "text", config.text, "report_bytes",
                         (Py_ssize_t)scrim_local_report_bytes(&config), "epsilon",
                         loss == UINT64_MAX ? (double)INFINITY : (double)loss / 0x1p32);
}

static PyObject *fail_local(scrim_local_status status)
{
    return native_fail(
        (scrim_status)status,
        status == SCRIM_LOCAL_E_PARAM
            ? "devices of this configuration cannot report such values here"
            : "no reports were made");
}

/* One batch: a header, and a report of each value. `values` are 32-bit numbers in the order of the machine, or texts of the
 * configuration's length one after the other. */
static PyObject *local_encode(PyObject *self, PyObject *arguments)
{
    const char *text, *values;
    Py_ssize_t bytes;
    scrim_local_config config;
    scrim_local_status status;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "sy#", &text, &values, &bytes) ||
        !read_config(text, &config))
        return NULL;
    const size_t each = config.text > 0 ? config.text : sizeof(uint32_t);
    const size_t count = (size_t)bytes / each, room = scrim_local_report_bytes(&config);
    if (count > (PY_SSIZE_T_MAX - SCRIM_LOCAL_HEADER_BYTES) / (room > 0 ? room : 1))
        return PyErr_NoMemory();
    PyObject *made = PyBytes_FromStringAndSize(
        NULL, (Py_ssize_t)(SCRIM_LOCAL_HEADER_BYTES + count * room));
    if (made == NULL)
        return NULL;
    uint8_t *out = (uint8_t *)PyBytes_AsString(made);
    scrim_local_header(&config, out);
    out[3] = 1;
    uint8_t *reports = out + SCRIM_LOCAL_HEADER_BYTES;
    uint32_t *numbers = config.text > 0 ? NULL : malloc((count + 1) * sizeof *numbers);
    if (config.text == 0 && numbers == NULL) {
        Py_DECREF(made);
        return PyErr_NoMemory();
    }
    if (numbers != NULL)
        memcpy(numbers, values, count * sizeof *numbers); /* bytes need not be aligned */
    NATIVE_UNLOCKED(
        status = config.text > 0
                     ? scrim_local_encode_texts(&config, (const uint8_t *)values, count,
                                                &scrim_local_system, reports)
                     : scrim_local_encode_many(&config, numbers, count,
                                               &scrim_local_system, reports));
    free(numbers);
    if (status == SCRIM_LOCAL_OK)
        return made;
    Py_DECREF(made);
    return fail_local(status);
}

/* Collections. */

typedef struct native_collection {
    scrim_collection *collection;
    bool is_busy;
} native_collection;

static void collection_free(PyObject *capsule)
{
    native_collection *c = PyCapsule_GetPointer(capsule, NATIVE_COLLECTION);
    scrim_collection_free(c->collection);
    free(c);
}

static native_collection *enter(PyObject *capsule)
{
    native_collection *c = native_handle(capsule, NATIVE_COLLECTION);
    if (c == NULL)
        return NULL;
    if (c->is_busy) {
        native_fail(SCRIM_E_STATE, "another thread uses this collection");
        return NULL;
    }
    c->is_busy = true;
    return c;
}

static PyObject *collection_new(PyObject *self, PyObject *arguments)
{
    const char *text;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "s", &text))
        return NULL;
    native_collection *c = calloc(1, sizeof *c);
    if (c == NULL)
        return PyErr_NoMemory();
    NATIVE_UNLOCKED(status = scrim_collection_new(text, &c->collection, &error));
    PyObject *capsule = status == SCRIM_OK
                            ? PyCapsule_New(c, NATIVE_COLLECTION, collection_free)
                            : native_raise(&error, NULL);
    if (capsule == NULL) {
        scrim_collection_free(status == SCRIM_OK ? c->collection : NULL);
        free(c);
    }
    return capsule;
}

/* A whole file, or a piece of one: the last piece ends it. */
static PyObject *collection_read(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    const char *bytes;
    Py_ssize_t count;
    int is_last;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Oy#p", &capsule, &bytes, &count, &is_last))
        return NULL;
    native_collection *c = enter(capsule);
    if (c == NULL)
        return NULL;
    NATIVE_UNLOCKED(
        status = scrim_collection_read(c->collection, bytes, (size_t)count, &error);
        if (status == SCRIM_OK && is_last) status =
            scrim_collection_end_file(c->collection, &error));
    c->is_busy = false;
    return native_none(status, &error);
}

typedef struct text_kept {
    char *bytes;
    size_t count, room;
} text_kept;

static int keep_text(void *context, const char *text, size_t bytes)
{
    text_kept *kept = context;
    if (kept->count + bytes > kept->room) {
        const size_t room = (kept->count + bytes) * 2;
        char *grown = realloc(kept->bytes, room);
        if (grown == NULL)
            return 0;
        kept->bytes = grown;
        kept->room = room;
    }
    memcpy(kept->bytes + kept->count, text, bytes);
    kept->count += bytes;
    return 1;
}

static PyObject *collection_sums(PyObject *self, PyObject *capsule)
{
    text_kept kept = {NULL, 0, 0};
    scrim_status status;
    scrim_error error;
    (void)self;
    native_collection *c = enter(capsule);
    if (c == NULL)
        return NULL;
    NATIVE_UNLOCKED(status =
                        scrim_collection_write(c->collection, keep_text, &kept, &error));
    c->is_busy = false;
    PyObject *text = status == SCRIM_OK
                         ? PyBytes_FromStringAndSize(kept.bytes, (Py_ssize_t)kept.count)
                         : native_raise(&error, NULL);
    free(kept.bytes);
    return text;
}

static PyObject *collection_describe(PyObject *self, PyObject *capsule)
{
    scrim_collection_facts f;
    (void)self;
    native_collection *c = enter(capsule);
    if (c == NULL)
        return NULL;
    scrim_collection_describe(c->collection, &f);
    c->is_busy = false;
    return Py_BuildValue(
        "{s:s,s:s,s:K,s:K,s:K,s:K,s:d,s:d,s:d,s:K}", "question", f.question, "protocol",
        f.protocol, "values", (unsigned long long)f.values, "reports",
        (unsigned long long)f.reports, "dropped", (unsigned long long)f.dropped,
        "flagged", (unsigned long long)f.flagged, "epsilon", f.epsilon, "raise", f.raise,
        "drop", f.drop, "targets", (unsigned long long)f.targets);
}

static PyObject *estimate_row(const scrim_estimate *e)
{
    return Py_BuildValue("(ddddddddN)", e->estimate, e->error, e->low, e->high,
                         e->joint_low, e->joint_high, e->p, e->refined,
                         PyBool_FromLong(e->is_listed));
}

static PyObject *estimate_rows(const scrim_estimates *estimates)
{
    scrim_estimate row;
    PyObject *rows = PyList_New(0);
    bool is_well = rows != NULL;
    for (size_t v = 0; is_well && v < scrim_estimates_count(estimates); v++) {
        scrim_estimates_at(estimates, v, &row);
        is_well = native_append(rows, estimate_row(&row));
    }
    return native_done(rows, is_well);
}

static PyObject *bias_row(const scrim_estimates *estimates)
{
    scrim_estimates_bias bias;
    if (!scrim_estimates_bias_of(estimates, &bias))
        Py_RETURN_NONE;
    return Py_BuildValue("{s:I,s:I,s:n,s:d,s:d}", "updates", bias.updates, "simulated",
                         bias.simulated, "zeros", (Py_ssize_t)bias.zeros, "of_zeros",
                         bias.of_zeros, "of_others", bias.of_others);
}

static PyObject *mean_row(const scrim_estimates *estimates)
{
    scrim_estimate mean;
    if (!scrim_estimates_mean(estimates, &mean))
        Py_RETURN_NONE;
    return Py_BuildValue("(dddd)", mean.estimate, mean.error, mean.low, mean.high);
}

static PyObject *collection_decode(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    scrim_decode_options o = {.size = sizeof o};
    scrim_estimates *estimates = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OzpzI", &capsule, &o.confidence, &o.is_significant,
                          &o.post, &o.updates))
        return NULL;
    native_collection *c = enter(capsule);
    if (c == NULL)
        return NULL;
    NATIVE_UNLOCKED(status =
                        scrim_collection_decode(c->collection, &o, &estimates, &error));
    c->is_busy = false;
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    PyObject *rows = estimate_rows(estimates);
    PyObject *made =
        rows == NULL ? NULL
                     : Py_BuildValue("{s:N,s:N,s:N}", "rows", rows, "mean",
                                     mean_row(estimates), "bias", bias_row(estimates));
    scrim_estimates_free(estimates);
    return made;
}

static PyObject *candidate_row(const scrim_local_candidate *r)
{
    return Py_BuildValue("(dddnN)", r->estimate, r->error, r->p_value,
                         (Py_ssize_t)r->same, PyBool_FromLong(r->is_kept));
}

/* rappor: texts of the configuration's length, one after the other. */
static PyObject *collection_candidates(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    const char *texts;
    Py_ssize_t bytes, count;
    scrim_local_explained found;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Oy#n", &capsule, &texts, &bytes, &count))
        return NULL;
    native_collection *c = enter(capsule);
    if (c == NULL)
        return NULL;
    scrim_local_candidate *rows = calloc((size_t)count + 1, sizeof *rows);
    if (rows == NULL) {
        c->is_busy = false;
        return PyErr_NoMemory();
    }
    NATIVE_UNLOCKED(status = scrim_collection_candidates(
                        c->collection, bytes > 0 ? (const uint8_t *)texts : NULL,
                        (size_t)count, rows, &found, &error));
    c->is_busy = false;
    PyObject *list = status == SCRIM_OK ? PyList_New(0) : native_raise(&error, NULL);
    bool is_well = list != NULL;
    for (Py_ssize_t i = 0; is_well && i < count; i++)
        is_well = native_append(list, candidate_row(&rows[i]));
    free(rows);
    list = native_done(list, is_well);
    return list == NULL
               ? NULL
               : Py_BuildValue("(Ndd)", list, found.unexplained, found.unexplained_error);
}

/* Texts that nobody has listed (prefix), or counts of those that are given (text-hashing). */

static PyObject *text_row(const scrim_local_text *t)
{
    size_t bytes = 0;
    while (bytes < SCRIM_LOCAL_TEXT_BYTES && t->text[bytes] != 0)
        bytes++;
    return Py_BuildValue(
        "(Nddd)", PyBytes_FromStringAndSize((const char *)t->text, (Py_ssize_t)bytes),
        t->estimate, t->error, t->p_value);
}

static PyObject *text_rows(const scrim_local_unknown *found)
{
    size_t count = 0;
    const scrim_local_text *texts = scrim_local_unknown_texts(found, &count);
    scrim_local_unknown_facts f;
    scrim_local_unknown_describe(found, &f);
    PyObject *list = PyList_New(0);
    bool is_well = list != NULL;
    for (size_t i = 0; is_well && i < count; i++)
        is_well = native_append(list, text_row(&texts[i]));
    list = native_done(list, is_well);
    return list == NULL ? NULL
                        : Py_BuildValue("{s:N,s:K,s:K,s:K,s:d}", "rows", list, "reports",
                                        (unsigned long long)f.reports, "dropped",
                                        (unsigned long long)f.dropped, "candidates",
                                        (unsigned long long)f.candidates, "detectable",
                                        f.detectable);
}

static PyObject *local_texts(PyObject *self, PyObject *arguments)
{
    const char *text, *reports, *texts;
    Py_ssize_t bytes, text_bytes;
    scrim_local_unknown_options o = {.size = sizeof o};
    scrim_local_config config;
    scrim_local_unknown *found = NULL;
    scrim_status status;
    scrim_error error;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "sy#z#Idp", &text, &reports, &bytes, &texts,
                          &text_bytes, &o.keep, &o.alpha, &o.is_rate) ||
        !read_config(text, &config))
        return NULL;
    const size_t room = scrim_local_report_bytes(&config);
    const size_t count = room > 0 ? (size_t)bytes / room : 0;
    const size_t listed = config.text > 0 ? (size_t)text_bytes / config.text : 0;
    NATIVE_UNLOCKED(
        status = texts == NULL
                     ? scrim_local_unknown_search(&config, (const uint8_t *)reports,
                                                  count, &o, &found, &error)
                     : scrim_local_unknown_count(&config, (const uint8_t *)reports, count,
                                                 (const uint8_t *)texts, listed, &o,
                                                 &found, &error));
    if (status != SCRIM_OK)
        return native_raise(&error, NULL);
    PyObject *made = text_rows(found);
    scrim_local_unknown_free(found);
    return made;
}

PyMethodDef native_local_methods[] = {
    {"local_plan", local_plan, METH_VARARGS,
     "local_plan($module, epsilon, users, domain, length, periods, is_constant, "
     "is_ordered, question, /)\n--\n\n"},
    {"local_amplify", local_amplify, METH_VARARGS,
     "local_amplify($module, devices, epsilon, delta, protocol, progress, /)\n--\n\n"},
    {"local_config", local_config, METH_O, "local_config($module, text, /)\n--\n\n"},
    {"local_encode", local_encode, METH_VARARGS,
     "local_encode($module, config, values, /)\n--\n\n"},
    {"local_texts", local_texts, METH_VARARGS,
     "local_texts($module, config, reports, texts, keep, alpha, is_rate, /)\n--\n\n"},
    {"collection_new", collection_new, METH_VARARGS,
     "collection_new($module, config, /)\n--\n\n"},
    {"collection_read", collection_read, METH_VARARGS,
     "collection_read($module, collection, bytes, is_last, /)\n--\n\n"},
    {"collection_sums", collection_sums, METH_O,
     "collection_sums($module, collection, /)\n--\n\n"},
    {"collection_describe", collection_describe, METH_O,
     "collection_describe($module, collection, /)\n--\n\n"},
    {"collection_decode", collection_decode, METH_VARARGS,
     "collection_decode($module, collection, confidence, is_significant, post, updates, "
     "/)\n--\n\n"},
    {"collection_candidates", collection_candidates, METH_VARARGS,
     "collection_candidates($module, collection, texts, count, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
