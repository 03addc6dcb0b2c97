#include "model/outcomes.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void sc_outcomes_init(sc_outcomes *outcomes, size_t width)
{
    *outcomes = (sc_outcomes){.width = width};
    sc_ball_init(&outcomes->rest);
}

void sc_outcomes_clear(sc_outcomes *outcomes)
{
    for (size_t i = 0; i < outcomes->count; i++)
        sc_ball_clear(&outcomes->mass[i]);
    sc_free(outcomes->mass);
    sc_free(outcomes->keys);
    sc_ball_clear(&outcomes->rest);
    *outcomes = (sc_outcomes){0};
}

/* Twice the room. Balls may be moved as bytes: they hold no pointer to themselves. */
static bool grow(sc_outcomes *outcomes)
{
    size_t capacity = outcomes->capacity == 0 ? 64 : 2 * outcomes->capacity;
    size_t cells = 0;
    if (!sc_size_mul(capacity, outcomes->width, &cells))
        return false;
    int64_t *keys = sc_allocate(cells, sizeof *keys);
    sc_ball *mass = sc_allocate(capacity, sizeof *mass);
    if (keys == NULL || mass == NULL) {
        sc_free(keys);
        sc_free(mass);
        return false;
    }
    if (outcomes->count > 0) {
        memcpy(keys, outcomes->keys, outcomes->count * outcomes->width * sizeof *keys);
        memcpy(mass, outcomes->mass, outcomes->count * sizeof *mass);
    }
    sc_free(outcomes->keys);
    sc_free(outcomes->mass);
    outcomes->keys = keys;
    outcomes->mass = mass;
    outcomes->capacity = capacity;
    return true;
}

scrim_status sc_outcomes_add(sc_outcomes *outcomes, const int64_t *key,
                             const sc_ball *mass, scrim_error *error)
{
    if (outcomes->count == SC_OUTCOMES_MAX)
        return sc_fail(
            error, SCRIM_E_LIMIT,
            "the distribution has more than %zu outcomes; choose smaller parameters",
            SC_OUTCOMES_MAX);
    if (outcomes->count == outcomes->capacity && !grow(outcomes))
        return sc_no_memory(error, "the outcomes of a law");
    if (outcomes->width > 0)
        memcpy(outcomes->keys + outcomes->count * outcomes->width, key,
               outcomes->width * sizeof *key);
    sc_ball_init(&outcomes->mass[outcomes->count]);
    sc_ball_set(&outcomes->mass[outcomes->count], mass);
    outcomes->count++;
    return SCRIM_OK;
}

int sc_outcomes_compare(const int64_t *a, const int64_t *b, size_t width)
{
    for (size_t i = 0; i < width; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* The order of outcomes, sorted by merging: places are moved, not balls. */
static void sort_places(const sc_outcomes *outcomes, size_t *places, size_t *spare,
                        size_t count)
{
    if (count < 2)
        return;
    size_t half = count / 2;
    sort_places(outcomes, places, spare, half);
    sort_places(outcomes, places + half, spare, count - half);
    memcpy(spare, places, half * sizeof *spare);
    size_t left = 0, right = half, width = outcomes->width;
    for (size_t i = 0; left < half; i++) {
        const int64_t *a = outcomes->keys + spare[left] * width;
        if (right < count &&
            sc_outcomes_compare(outcomes->keys + places[right] * width, a, width) < 0)
            places[i] = places[right++];
        else
            places[i] = spare[left++];
    }
}

/* Fills the empty to with what is at the places, equal keys together. */
static scrim_status gather(const sc_outcomes *from, const size_t *places, long bits,
                           sc_outcomes *to, scrim_error *error)
{
    for (size_t i = 0; i < from->count; i++) {
        const int64_t *key = from->keys + places[i] * from->width;
        const sc_ball *mass = &from->mass[places[i]];
        size_t last = to->count - 1;
        if (to->count > 0 &&
            sc_outcomes_compare(to->keys + last * to->width, key, to->width) == 0) {
            sc_ball_add(&to->mass[last], &to->mass[last], mass, bits);
            continue;
        }
        scrim_status status = sc_outcomes_add(to, key, mass, error);
        if (status != SCRIM_OK)
            return status;
    }
    return SCRIM_OK;
}

scrim_status sc_outcomes_sort(sc_outcomes *outcomes, long bits, scrim_error *error)
{
    sc_outcomes sorted;
    size_t *places = sc_allocate(outcomes->count, sizeof *places);
    size_t *spare = sc_allocate(outcomes->count, sizeof *spare);
    scrim_status status = SCRIM_OK;
    sc_outcomes_init(&sorted, outcomes->width);
    if (places == NULL || spare == NULL) {
        status = sc_fail(error, SCRIM_E_MEMORY, "out of memory to sort a law");
        goto done;
    }
    for (size_t i = 0; i < outcomes->count; i++)
        places[i] = i;
    sort_places(outcomes, places, spare, outcomes->count);
    status = gather(outcomes, places, bits, &sorted, error);
    if (status == SCRIM_OK) {
        sc_ball_set(&sorted.rest, &outcomes->rest);
        sc_outcomes old = *outcomes;
        *outcomes = sorted;
        sorted = old;
    }
done:
    sc_outcomes_clear(&sorted);
    sc_free(spare);
    sc_free(places);
    return status;
}

void sc_outcomes_total(const sc_outcomes *outcomes, long bits, sc_ball *out)
{
    sc_ball_set(out, &outcomes->rest);
    for (size_t i = 0; i < outcomes->count; i++)
        sc_ball_add(out, out, &outcomes->mass[i], bits);
}
