#include "data/table/unit_count.h"

#include "base/memory.h"
#include "data/value/value_hash.h"
#include "random/bits_system.h"

#include <pthread.h>

/* Threads that add at once seldom want the same share. */
#define SHARES 256
#define FIRST_PLACES 16

typedef struct place {
    uint64_t hash, second;
    uint64_t rows; /* 0: nobody */
} place;

/* A table with open addressing, at most three quarters full. */
typedef struct share {
    pthread_mutex_t lock;
    place *places;
    size_t capacity, used;
} share;

struct sc_unit_count {
    sc_value_key keys[2];
    share shares[SHARES];
    size_t lock_count;
};

static scrim_status draw_keys(sc_unit_count *count, scrim_error *error)
{
    sc_bits *bits = NULL;
    scrim_status status = sc_bits_system_open(&bits, error);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0;
             i < sizeof count->keys[k].words / sizeof *count->keys[k].words &&
             status == SCRIM_OK;
             i++)
            status = sc_bits_word(bits, &count->keys[k].words[i], error);
    sc_bits_system_close(bits);
    return status;
}

scrim_status sc_unit_count_new(sc_unit_count **out, scrim_error *error)
{
    sc_unit_count *new = sc_allocate(1, sizeof *new);
    if (new == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory to count units");
    scrim_status status = draw_keys(new, error);
    for (size_t i = 0; i < SHARES && status == SCRIM_OK; i++) {
        if (pthread_mutex_init(&new->shares[i].lock, NULL) != 0)
            status = sc_fail(error, SCRIM_E_INTERNAL, "no lock");
        else
            new->lock_count++;
    }
    if (status == SCRIM_OK)
        *out = new;
    else
        sc_unit_count_free(new);
    return status;
}

void sc_unit_count_free(sc_unit_count *count)
{
    if (count == NULL)
        return;
    for (size_t i = 0; i < SHARES; i++)
        sc_free_wiped(count->shares[i].places,
                      count->shares[i].capacity * sizeof *count->shares[i].places);
    for (size_t i = 0; i < count->lock_count; i++)
        pthread_mutex_destroy(&count->shares[i].lock);
    sc_free_wiped(count, sizeof *count);
}

/* Where the unit is, or would be; there is a free place. */
static place *find(const share *s, uint64_t hash, uint64_t second)
{
    size_t at = hash & (s->capacity - 1);
    while (s->places[at].rows > 0 &&
           (s->places[at].hash != hash || s->places[at].second != second))
        at = (at + 1) & (s->capacity - 1);
    return &s->places[at];
}

static bool grow(share *s)
{
    share larger = {.capacity = s->capacity == 0 ? FIRST_PLACES : 2 * s->capacity};
    larger.places = sc_allocate(larger.capacity, sizeof *larger.places);
    if (larger.places == NULL)
        return false;
    for (size_t i = 0; i < s->capacity; i++)
        if (s->places[i].rows > 0)
            *find(&larger, s->places[i].hash, s->places[i].second) = s->places[i];
    sc_free_wiped(s->places, s->capacity * sizeof *s->places);
    s->places = larger.places;
    s->capacity = larger.capacity;
    return true;
}

static bool add(share *s, uint64_t hash, uint64_t second)
{
    if (4 * (s->used + 1) > 3 * s->capacity && !grow(s))
        return false;
    place *own = find(s, hash, second);
    if (own->rows == 0) {
        *own = (place){.hash = hash, .second = second};
        s->used++;
    }
    own->rows++;
    return true;
}

scrim_status sc_unit_count_add(sc_unit_count *count, sc_text unit, scrim_error *error)
{
    const uint64_t hash = sc_value_hash_plain(&count->keys[0], unit),
                   second = sc_value_hash_plain(&count->keys[1], unit);
    share *s = &count->shares[hash >> 56]; /* the low bits find the place in it */
    if (pthread_mutex_lock(&s->lock) != 0)
        return sc_fail(error, SCRIM_E_INTERNAL, "a lock failed");
    const bool is_added = add(s, hash, second);
    pthread_mutex_unlock(&s->lock);
    return is_added ? SCRIM_OK
                    : sc_fail(error, SCRIM_E_MEMORY, "no memory to count units");
}

sc_unit_totals sc_unit_count_totals(const sc_unit_count *count, uint64_t allowed)
{
    sc_unit_totals totals = {0};
    for (size_t i = 0; i < SHARES; i++) {
        const share *s = &count->shares[i];
        for (size_t at = 0; at < s->capacity; at++) {
            const uint64_t rows = s->places[at].rows;
            totals.units += rows > 0;
            totals.over += rows > allowed;
            totals.most = rows > totals.most ? rows : totals.most;
        }
    }
    return totals;
}
