#include "recorder.h"

#include "base/memory.h"
#include "mechanism/histogram/stlap.h"
#include "mechanism/linear/linear_noise.h"
#include "mechanism/noise/additive.h"
#include "mechanism/threshold/noisy_threshold.h"

#include <string.h>

struct sc_recorder {
    const sc_recorder *of; /* NULL: records */
    int64_t keep_from;     /* 0: answers stay as they were drawn */
    uint64_t salt;
    sc_recorder_call *calls;
    size_t count, capacity;
};

scrim_status sc_recorder_new(const sc_recorder *of, sc_recorder **out, scrim_error *error)
{
    sc_recorder *r = sc_allocate(1, sizeof *r);
    if (r == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a recorder");
    r->of = of;
    *out = r;
    return SCRIM_OK;
}

static void call_clear(sc_recorder_call *call)
{
    sc_free(call->line);
    sc_free(call->input);
    sc_free(call->keys);
    sc_free(call->values);
    sc_free(call->marks);
    sc_ratio_clear(&call->sensitivity);
}

void sc_recorder_free(sc_recorder *r)
{
    if (r == NULL)
        return;
    sc_recorder_forget(r);
    for (size_t i = 0; i < r->count; i++)
        call_clear(&r->calls[i]);
    sc_free(r->calls);
    sc_free(r);
}

void sc_recorder_keep_from(sc_recorder *r, int64_t units)
{
    r->keep_from = units;
}

void sc_recorder_disturb(sc_recorder *r, uint64_t salt)
{
    r->salt = salt;
}

size_t sc_recorder_count(const sc_recorder *r)
{
    return r->count;
}

const sc_recorder_call *sc_recorder_at(const sc_recorder *r, size_t index)
{
    return &r->calls[index];
}

/* The calls that are kept. */

static bool is_called(const scrim_measurement *m, const char *name)
{
    return strcmp(m->mechanism->entry.name, name) == 0;
}

static bool is_threshold(const scrim_measurement *m)
{
    return is_called(m, "threshold-laplace") || is_called(m, "threshold-gaussian") ||
           is_called(m, "threshold-truncated");
}

static sc_recorder_claim claim_of(const scrim_measurement *m)
{
    if (is_called(m, "laplace") || is_called(m, "truncated-laplace") ||
        is_called(m, "range") || is_called(m, "stlap") || is_called(m, "smalldb"))
        return SC_RECORDER_L1;
    if (is_called(m, "gaussian"))
        return SC_RECORDER_L2;
    if (is_called(m, "marginals"))
        return sc_linear_is_gaussian(m) ? SC_RECORDER_SQUARES : SC_RECORDER_L1;
    if (is_called(m, "partition-selection") || is_called(m, "stabilise") ||
        is_threshold(m))
        return SC_RECORDER_UNITS;
    if (m->mechanism->input_is_rows)
        return SC_RECORDER_ROWS;
    return sc_measurement_get(m, "sensitivity") != NULL ? SC_RECORDER_EACH
                                                        : SC_RECORDER_ONE;
}

/* Under replace a unit leaves as many groups as it enters. */
static uint64_t most_of(const scrim_measurement *m, sc_recorder_claim claim)
{
    if (claim == SC_RECORDER_ROWS) /* by the name that the mechanism has for them */
        return (uint64_t)sc_measurement_integer(m, "max-rows",
                                                sc_measurement_integer(m, "group", 1));
    if (claim == SC_RECORDER_UNITS)
        return (uint64_t)sc_measurement_integer(m, "max-groups", 1) *
               (m->cost.neighbours == SCRIM_REPLACE ? 2 : 1);
    return 1;
}

/* The keys, one block: first the views, then the bytes they see. */
static sc_text *copy_keys(const sc_text *keys, size_t count)
{
    size_t bytes = count * sizeof *keys;
    for (size_t i = 0; i < count; i++)
        bytes += keys[i].bytes;
    sc_text *copy = sc_allocate(bytes, 1);
    char *end = (char *)(copy + count);
    for (size_t i = 0; copy != NULL && i < count; i++) {
        if (keys[i].bytes > 0)
            memcpy(end, keys[i].start, keys[i].bytes);
        copy[i] = (sc_text){end, keys[i].bytes};
        end += keys[i].bytes;
    }
    return copy;
}

static void *copy_of(const void *from, size_t count, size_t each)
{
    void *copy = sc_allocate(count, each);
    if (copy != NULL && count > 0)
        memcpy(copy, from, count * each);
    return copy;
}

/* Everything but the output; false without memory. */
static bool call_set(sc_recorder_call *call, const sc_recorder_site *site)
{
    const scrim_measurement *m = site->measurement;
    const sc_private_input *input = site->input;
    *call = (sc_recorder_call){.part = site->part,
                               .copies = site->copies,
                               .neighbours = m->cost.neighbours,
                               .claim = claim_of(m),
                               .count = input->count};
    sc_ratio_init(&call->sensitivity);
    call->most = most_of(m, call->claim);
    if (sc_measurement_get(m, "sensitivity") != NULL)
        sc_additive_sensitivity_upper(
            m, call->claim == SC_RECORDER_L2 ? SC_NORM_L2 : SC_NORM_L1,
            &call->sensitivity);
    if (is_called(m, "marginals"))
        sc_ratio_set(&call->sensitivity, &sc_additive_of(m)->steps);
    if (is_called(m, "stlap") || is_called(m, "smalldb"))
        sc_ratio_set_int64(
            &call->sensitivity,
            sc_measurement_integer(m, "max-rows", sc_measurement_integer(m, "group", 1)) *
                (call->neighbours == SCRIM_REPLACE ? 2 : 1));
    call->line = copy_of(m->text, strlen(m->text) + 1, 1);
    call->input = sc_allocate(input->count, sizeof *call->input);
    if (input->keys != NULL)
        call->keys = copy_keys(input->keys, input->count);
    if (call->line == NULL || call->input == NULL ||
        (input->keys != NULL && call->keys == NULL))
        return false;
    for (size_t i = 0; i < input->count; i++)
        call->input[i] = input->wide != NULL ? input->wide[i] : input->values[i];
    return true;
}

static scrim_status add(sc_recorder *r, const sc_recorder_site *site, const sc_draw *draw,
                        scrim_error *error)
{
    if (r->count == r->capacity) {
        size_t capacity = 2 * r->capacity + 16;
        sc_recorder_call *calls = sc_allocate(capacity, sizeof *calls);
        if (calls == NULL)
            return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a recorder");
        if (r->count > 0)
            memcpy(calls, r->calls, r->count * sizeof *calls);
        sc_free(r->calls);
        r->calls = calls;
        r->capacity = capacity;
    }
    sc_recorder_call *call = &r->calls[r->count];
    bool is_set = call_set(call, site);
    call->values = copy_of(draw->values, draw->count, sizeof *draw->values);
    call->marks = copy_of(draw->marks, draw->count, sizeof *draw->marks);
    call->answers = draw->count;
    call->has_halted = draw->has_halted;
    if (!is_set || call->values == NULL || call->marks == NULL) {
        call_clear(call);
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a recorder");
    }
    r->count++;
    return SCRIM_OK;
}

/* Selections. */

/* The mark that a selection gives to a group that it keeps, or to one that it does not. */
static void choose(const scrim_measurement *m, bool is_kept, sc_mark *mark,
                   sc_int128 *value)
{
    if (!is_threshold(m)) {
        *value = is_kept;
        *mark = SC_MARK_VALUE;
    } else if (!is_kept) {
        *value = 0;
        *mark = SC_MARK_BELOW;
    } else if (*mark == SC_MARK_BELOW) {
        *value = sc_threshold_of(m);
        *mark = SC_MARK_ABOVE_VALUE;
    }
}

static bool is_selection(const sc_recorder_site *site)
{
    return site->input->keys != NULL && claim_of(site->measurement) == SC_RECORDER_UNITS;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 31)) * UINT64_C(0x9e3779b97f4a7c15);
    return x ^ (x >> 29);
}

static bool is_chosen(uint64_t salt, sc_text key)
{
    for (size_t i = 0; i < key.bytes; i++)
        salt = mix(salt + (unsigned char)key.start[i]);
    return mix(salt) % 4 != 0;
}

/* Any number of elements up to q may be left out of a bar, whatever the epsilon. */
static void show_bars(const sc_recorder_site *site, uint64_t salt, sc_draw *out)
{
    const uint64_t q = sc_stlap_q(site->measurement);
    for (size_t i = 0; i < out->count; i++) {
        const uint64_t x = (uint64_t)site->input->values[i];
        out->values[i] = (sc_int128)(x - mix(salt + i) % ((x < q ? x : q) + 1));
    }
}

static void change(const sc_recorder *r, const sc_recorder_site *site, sc_draw *out)
{
    const scrim_measurement *m = site->measurement;
    const uint64_t salt = mix(r->salt + r->count);
    const bool is_moved = (is_called(m, "laplace") || is_called(m, "gaussian")) &&
                          !m->domain.has_ends && r->salt != 0 && salt % 4 == 0;
    const bool is_scripted = r->keep_from > 0 && is_selection(site);
    if (is_called(m, "stlap") && r->salt != 0 && salt % 8 != 0)
        show_bars(site, salt, out);
    for (size_t i = 0; i < out->count; i++) {
        if (is_scripted)
            choose(m,
                   site->input->values[i] >= r->keep_from &&
                       (r->salt == 0 || is_chosen(r->salt, site->input->keys[i])),
                   &out->marks[i], &out->values[i]);
        else if (is_moved)
            out->values[i] += (sc_int128)(mix(salt + i) % 2001) - 1000;
    }
}

scrim_status sc_recorder_keep(sc_recorder *r, const sc_recorder_site *site, sc_draw *out,
                              scrim_error *error)
{
    change(r, site, out);
    return add(r, site, out, error);
}

/* Replays. */

static bool is_rows(const sc_recorder_call *call)
{
    return call->claim == SC_RECORDER_ROWS;
}

static scrim_status fail_call(const sc_recorder *r, const char *what, scrim_error *error)
{
    return sc_fail(error, SCRIM_E_INTERNAL, "draw %zu is not the recorded one: %s",
                   r->count, what);
}

size_t sc_recorder_place(const sc_recorder_call *call, const sc_text *keys, size_t place)
{
    size_t before = 0, i = 0;
    for (size_t k = 0; k < place; k++)
        before += sc_text_equal(keys[k], keys[place]);
    for (; i < call->count; i++)
        if (sc_text_equal(call->keys[i], keys[place]) && before-- == 0)
            break;
    return i;
}

static void answer_by_key(const sc_recorder_call *call, const sc_recorder_site *site,
                          sc_draw *out)
{
    for (size_t i = 0; i < site->input->count; i++) {
        const size_t place = sc_recorder_place(call, site->input->keys, i);
        out->marks[i] = SC_MARK_BELOW;
        if (place < call->count) {
            out->values[i] = call->values[place];
            out->marks[i] = call->marks[place];
        } else {
            choose(site->measurement, false, &out->marks[i], &out->values[i]);
        }
    }
    out->count = site->input->count;
}

scrim_status sc_recorder_replay(sc_recorder *r, const sc_recorder_site *site,
                                sc_draw *out, bool *is_answered, scrim_error *error)
{
    *is_answered = false;
    if (r->of == NULL)
        return SCRIM_OK;
    if (r->count >= r->of->count)
        return fail_call(r, "there was none", error);
    const sc_recorder_call *call = &r->of->calls[r->count];
    const bool by_key = site->input->keys != NULL;
    if (strcmp(call->line, site->measurement->text) != 0)
        return fail_call(r, "another measurement", error);
    if (call->part != site->part || (call->keys != NULL) != by_key)
        return fail_call(r, "another part", error);
    if (!by_key && !is_rows(call) && call->count != site->input->count)
        return fail_call(r, "another number of values", error);
    if (out->capacity < (by_key ? site->input->count : call->answers))
        return fail_call(r, "less room", error);
    if (by_key) {
        answer_by_key(call, site, out);
    } else {
        memcpy(out->values, call->values, call->answers * sizeof *out->values);
        memcpy(out->marks, call->marks, call->answers * sizeof *out->marks);
        out->count = call->answers;
    }
    out->has_halted = call->has_halted;
    *is_answered = true;
    return add(r, site, out, error);
}
