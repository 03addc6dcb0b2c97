#include "mechanism/threshold/used_keys.h"

#include "base/memory.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/threshold_weighted.h"

#include <string.h>

bool sc_used_keys_are_chosen(const scrim_measurement *then)
{
    return strcmp(then->mechanism->entry.input, "scores") == 0;
}

bool sc_used_keys_is_enough(const scrim_measurement *then, size_t count)
{
    return count > 0 &&
           (!sc_used_keys_are_chosen(then) || count >= then->domain.count_min);
}

scrim_status sc_used_keys_take(const scrim_measurement *m, const sc_private_input *input,
                               const sc_draw *kept, sc_used_keys *out, scrim_error *error)
{
    const scrim_measurement *then = m->then;
    const size_t answers = then->mechanism->answer_count(then, input->count);
    *out = (sc_used_keys){.capacity = input->count, .draw = {.capacity = answers}};
    out->values = sc_allocate(input->count, sizeof *out->values);
    out->places = sc_allocate(input->count, sizeof *out->places);
    out->draw.values = sc_allocate(answers, sizeof *out->draw.values);
    out->draw.marks = sc_allocate(answers, sizeof *out->draw.marks);
    if (out->values == NULL || out->places == NULL || out->draw.values == NULL ||
        out->draw.marks == NULL)
        return sc_no_memory(error, "a release");
    size_t count = 0;
    for (size_t i = 0; i < input->count; i++)
        if (kept->values[i] == 1) {
            out->places[count] = i;
            out->values[count++] = sc_domain_clamp(&then->domain, input->values[i]);
        }
    out->input = (sc_private_input){.values = out->values, .count = count};
    out->is_enough = sc_used_keys_is_enough(then, count);
    return SCRIM_OK;
}

/* The mark of a key that was not kept: that of a count below the threshold, where the mechanism has one. */
static sc_mark mark_of(const scrim_measurement *then)
{
    const bool has_below = strcmp(then->mechanism->entry.input, "queries") == 0 ||
                           then->mechanism->law == sc_noisy_threshold_law ||
                           then->mechanism == &sc_threshold_weighted;
    return has_below ? SC_MARK_BELOW : SC_MARK_NONE;
}

static void put_choice(const sc_used_keys *kept, sc_draw *out)
{
    out->count = kept->is_enough ? kept->draw.count : 1;
    out->values[0] = 0;
    out->marks[0] = SC_MARK_NONE;
    for (size_t i = 0; kept->is_enough && i < out->count; i++) {
        out->values[i] = (sc_int128)kept->places[(size_t)kept->draw.values[i]];
        out->marks[i] = kept->draw.marks[i];
    }
}

void sc_used_keys_put(const scrim_measurement *m, const sc_used_keys *kept, sc_draw *out)
{
    if (sc_used_keys_are_chosen(m->then)) {
        put_choice(kept, out);
        return;
    }
    const size_t answers = kept->is_enough ? kept->draw.count : 0;
    for (size_t i = 0; i < out->count; i++) {
        out->values[i] = 0;
        out->marks[i] = mark_of(m->then);
    }
    for (size_t i = 0; i < answers; i++) {
        out->values[kept->places[i]] = kept->draw.values[i];
        out->marks[kept->places[i]] = kept->draw.marks[i];
    }
    out->has_halted = kept->draw.has_halted;
    if (out->has_halted) /* nothing behind the last answer was asked */
        out->count = answers > 0 ? kept->places[answers - 1] + 1 : 0;
}

void sc_used_keys_clear(sc_used_keys *kept)
{
    sc_free_wiped(kept->values, kept->capacity * sizeof *kept->values);
    sc_free_wiped(kept->places, kept->capacity * sizeof *kept->places);
    sc_free_wiped(kept->draw.values, kept->draw.capacity * sizeof *kept->draw.values);
    sc_free(kept->draw.marks);
}
