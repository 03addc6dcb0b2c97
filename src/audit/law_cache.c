#include "audit/law_cache.h"

#include "base/memory.h"

#include <string.h>

#define SHELVES 64
/* Outcomes that may be kept besides the two laws in use. */
#define OUTCOMES_KEPT ((size_t)1 << 16)

typedef struct shelf {
    int64_t values[SC_PAIR_VALUES];
    size_t count;
    long bits; /* 0: empty */
    uint64_t used_at;
    sc_outcomes law;
} shelf;

struct sc_law_cache {
    const scrim_measurement *measurement;
    uint64_t clock, most;
    size_t kept; /* outcomes on all shelves */
    shelf shelves[SHELVES];
};

scrim_status sc_law_cache_new(const scrim_measurement *measurement, sc_law_cache **out,
                              scrim_error *error)
{
    sc_law_cache *cache = sc_allocate(1, sizeof *cache);
    if (cache == NULL)
        return sc_no_memory(error, "an audit");
    cache->measurement = measurement;
    *out = cache;
    return SCRIM_OK;
}

static void empty(sc_law_cache *cache, shelf *place)
{
    if (place->bits == 0)
        return;
    cache->kept -= place->law.count;
    sc_outcomes_clear(&place->law);
    place->bits = 0;
}

void sc_law_cache_free(sc_law_cache *cache)
{
    if (cache == NULL)
        return;
    for (size_t i = 0; i < SHELVES; i++)
        empty(cache, &cache->shelves[i]);
    sc_free(cache);
}

static shelf *find(sc_law_cache *cache, const sc_private_input *input, long bits)
{
    for (size_t i = 0; i < SHELVES; i++) {
        shelf *place = &cache->shelves[i];
        if (place->bits == bits && place->count == input->count &&
            (input->count == 0 || memcmp(place->values, input->values,
                                         input->count * sizeof *input->values) == 0))
            return place;
    }
    return NULL;
}

/* The shelf to fill next: an empty one, or the one that was used the longest time ago. */
static shelf *oldest(sc_law_cache *cache)
{
    shelf *best = &cache->shelves[0];
    for (size_t i = 1; best->bits != 0 && i < SHELVES; i++) {
        shelf *place = &cache->shelves[i];
        if (place->bits == 0 || place->used_at < best->used_at)
            best = place;
    }
    return best;
}

/* Keeps the law of the last call; older ones go, oldest first, while there are too many
 * outcomes. */
static void make_room(sc_law_cache *cache)
{
    while (cache->kept > OUTCOMES_KEPT) {
        shelf *best = NULL;
        for (size_t i = 0; i < SHELVES; i++) {
            shelf *place = &cache->shelves[i];
            if (place->bits != 0 && place->used_at != cache->clock &&
                (best == NULL || place->used_at < best->used_at))
                best = place;
        }
        if (best == NULL)
            return;
        empty(cache, best);
    }
}

/* What is listed cannot exceed 1, and with the rest it cannot fall short of it. */
static scrim_status check_total(const sc_law_cache *cache, const sc_outcomes *law,
                                long bits, scrim_error *error)
{
    SC_OWN(sc_ball, one, total, listed);
    sc_ball_set_int64(&one, 1);
    sc_outcomes_total(law, bits, &total);
    sc_ball_sub(&listed, &total, &law->rest, bits);
    const bool is_law = !sc_ball_is_less(&total, &one) && !sc_ball_is_less(&one, &listed);
    if (is_law)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_INTERNAL,
                   "the probabilities of an answer of '%s' do not sum to 1",
                   cache->measurement->mechanism->entry.name);
}

static scrim_status compute(const sc_law_cache *cache, const sc_private_input *input,
                            long bits, sc_outcomes *out, scrim_error *error)
{
    const sc_mechanism *mechanism = cache->measurement->mechanism;
    sc_outcomes_init(out, mechanism->width(cache->measurement, input->count));
    scrim_status status = mechanism->law(cache->measurement, input, bits, out, error);
    if (status == SCRIM_OK)
        status = sc_outcomes_sort(out, bits, error);
    if (status == SCRIM_OK)
        status = check_total(cache, out, bits, error);
    if (status != SCRIM_OK)
        sc_outcomes_clear(out);
    return status;
}

scrim_status sc_law_cache_get(sc_law_cache *cache, const sc_private_input *input,
                              long bits, const sc_outcomes **out, scrim_error *error)
{
    shelf *place = find(cache, input, bits);
    if (place == NULL) {
        sc_outcomes law;
        scrim_status status = compute(cache, input, bits, &law, error);
        if (status != SCRIM_OK)
            return status;
        make_room(cache);
        place = oldest(cache);
        empty(cache, place);
        place->law = law;
        place->bits = bits;
        place->count = input->count;
        if (input->count > 0)
            memcpy(place->values, input->values, input->count * sizeof *input->values);
        cache->kept += law.count;
        cache->most = law.count > cache->most ? law.count : cache->most;
    }
    place->used_at = ++cache->clock;
    *out = &place->law;
    return SCRIM_OK;
}

uint64_t sc_law_cache_outcomes(const sc_law_cache *cache)
{
    return cache->most;
}
