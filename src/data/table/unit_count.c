#include "data/table/unit_count.h"

#include "base/memory.h"
#include "data/value/value.h"
#include "random/bits_system.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* With 256 shares threads seldom wait for one another's lock. */
#define SHARES 256
#define FIRST_PLACES 16

/* A unit in a group. */
typedef struct place {
    uint64_t hash, second, group;
    uint64_t rows;   /* 0: the place is free */
    uint64_t groups; /* of the unit; known when all are counted */
    sc_int128 sums[];
} place;

/* A table with open addressing, at most three quarters full. All places of a unit are in one
 * share. */
typedef struct share {
    pthread_mutex_t lock;
    unsigned char *places;
    size_t capacity, used;
} share;

struct sc_unit_count {
    sc_value_key keys[3];
    share shares[SHARES];
    size_t numbers, lock_count;
};

static size_t place_bytes(const sc_unit_count *count)
{
    return sizeof(place) + count->numbers * sizeof(sc_int128);
}

static place *place_at(const sc_unit_count *count, const share *s, size_t at)
{
    return (place *)(void *)(s->places + at * place_bytes(count));
}

static scrim_status draw_keys(sc_unit_count *count, scrim_error *error)
{
    sc_bits *bits = NULL;
    scrim_status status = sc_bits_system_open(&bits, error);
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0;
             i < sizeof count->keys[k].words / sizeof *count->keys[k].words &&
             status == SCRIM_OK;
             i++)
            status = sc_bits_word(bits, &count->keys[k].words[i], error);
    sc_bits_system_close(bits);
    return status;
}

scrim_status sc_unit_count_new(size_t numbers, sc_unit_count **out, scrim_error *error)
{
    sc_unit_count *new = sc_allocate(1, sizeof *new);
    if (new == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory to count units");
    new->numbers = numbers;
    scrim_status status = draw_keys(new, error);
    for (size_t i = 0; i < SHARES && status == SCRIM_OK; i++) {
        if (pthread_mutex_init(&new->shares[i].lock, NULL) != 0)
            status = sc_fail(error, SCRIM_E_INTERNAL, "a lock could not be made");
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
                      count->shares[i].capacity * place_bytes(count));
    for (size_t i = 0; i < count->lock_count; i++)
        pthread_mutex_destroy(&count->shares[i].lock);
    sc_free_wiped(count, sizeof *count);
}

static bool is_same(const place *a, const place *b)
{
    return a->hash == b->hash && a->second == b->second && a->group == b->group;
}

/* The place that has it, or the free one that it would take; the table is never full. */
static place *find(const sc_unit_count *count, const share *s, const place *wanted)
{
    size_t at = (wanted->hash ^ wanted->group) & (s->capacity - 1);
    while (place_at(count, s, at)->rows > 0 && !is_same(place_at(count, s, at), wanted))
        at = (at + 1) & (s->capacity - 1);
    return place_at(count, s, at);
}

static bool grow(const sc_unit_count *count, share *s)
{
    share larger = {.capacity = s->capacity == 0 ? FIRST_PLACES : 2 * s->capacity};
    larger.places = sc_allocate(larger.capacity, place_bytes(count));
    if (larger.places == NULL)
        return false;
    for (size_t i = 0; i < s->capacity; i++) {
        const place *own = place_at(count, s, i);
        if (own->rows > 0)
            memcpy(find(count, &larger, own), own, place_bytes(count));
    }
    sc_free_wiped(s->places, s->capacity * place_bytes(count));
    s->places = larger.places;
    s->capacity = larger.capacity;
    return true;
}

static bool add(const sc_unit_count *count, share *s, const place *wanted,
                const int64_t *numbers)
{
    if (4 * (s->used + 1) > 3 * s->capacity && !grow(count, s))
        return false;
    place *own = find(count, s, wanted);
    if (own->rows == 0) {
        *own = *wanted;
        s->used++;
    }
    own->rows++;
    for (size_t i = 0; i < count->numbers; i++)
        own->sums[i] += numbers[i];
    return true;
}

scrim_status sc_unit_count_add(sc_unit_count *count, sc_text unit, sc_text group,
                               const int64_t *numbers, scrim_error *error)
{
    const place wanted = {.hash = sc_value_hash_plain(&count->keys[0], unit),
                          .second = sc_value_hash_plain(&count->keys[1], unit),
                          .group = sc_value_hash_plain(&count->keys[2], group)};
    share *s = &count->shares[wanted.hash >> 56]; /* the low bits find the place in it */
    if (pthread_mutex_lock(&s->lock) != 0)
        return sc_fail(error, SCRIM_E_INTERNAL, "a lock failed");
    const bool is_added = add(count, s, &wanted, numbers);
    pthread_mutex_unlock(&s->lock);
    return is_added ? SCRIM_OK
                    : sc_fail(error, SCRIM_E_MEMORY, "out of memory to count units");
}

sc_unit_totals sc_unit_count_totals(const sc_unit_count *count, uint64_t allowed)
{
    sc_unit_totals totals = {0};
    for (size_t i = 0; i < SHARES; i++) {
        const share *s = &count->shares[i];
        for (size_t at = 0; at < s->capacity; at++) {
            const uint64_t rows = place_at(count, s, at)->rows;
            totals.units += rows > 0;
            totals.over += rows > allowed;
            totals.most = rows > totals.most ? rows : totals.most;
        }
    }
    return totals;
}

/* Runs. */

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_unit(const void *left, const void *right)
{
    const place *a = *(place *const *)left, *b = *(place *const *)right;
    const int order = compare(a->hash, b->hash);
    return order != 0 ? order : compare(a->second, b->second);
}

static int by_group(const void *left, const void *right)
{
    const place *a = *(place *const *)left, *b = *(place *const *)right;
    return compare(a->group, b->group);
}

static int by_run(const void *left, const void *right)
{
    const place *a = *(place *const *)left, *b = *(place *const *)right;
    const int order = compare(a->groups, b->groups);
    return order != 0 ? order : compare(a->rows, b->rows);
}

typedef int place_order(const void *left, const void *right);

/* One past the last that is equal to the first. */
static size_t end_of(place **all, size_t first, size_t count, place_order *order)
{
    size_t end = first + 1;
    while (end < count && order(&all[first], &all[end]) == 0)
        end++;
    return end;
}

static size_t count_kinds(place **all, size_t count, place_order *order)
{
    size_t kinds = 0;
    for (size_t i = 0; i < count; i = end_of(all, i, count, order))
        kinds++;
    return kinds;
}

static place **list_places(const sc_unit_count *count, size_t *listed)
{
    size_t used = 0;
    for (size_t i = 0; i < SHARES; i++)
        used += count->shares[i].used;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    place **all = sc_allocate(used + 1, sizeof *all);
    *listed = 0;
    for (size_t i = 0; i < SHARES && all != NULL; i++)
        for (size_t at = 0; at < count->shares[i].capacity; at++) {
            place *own = place_at(count, &count->shares[i], at);
            if (own->rows > 0)
                all[(*listed)++] = own;
        }
    return all;
}

static void count_groups(place **all, size_t count)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    qsort(all, count, sizeof *all, by_unit);
    for (size_t i = 0, end; i < count; i = end) {
        end = end_of(all, i, count, by_unit);
        for (size_t k = i; k < end; k++)
            all[k]->groups = end - i;
    }
}

static void fill_runs(place **all, size_t count, sc_unit_runs *out)
{
    const size_t numbers = out->count == 0 ? 0 : out->sum_count / out->count / 2;
    size_t run = 0;
    for (size_t i = 0, end; i < count; i = end, run++) {
        end = end_of(all, i, count, by_run);
        sc_int128 *sums = out->sums + run * 2 * numbers;
        out->runs[run] = (sc_unit_run){all[i]->groups, all[i]->rows, end - i, sums};
        for (size_t k = i; k < end; k++)
            for (size_t n = 0; n < numbers; n++)
                sums[all[k]->sums[n] > 0 ? n : numbers + n] += all[k]->sums[n];
    }
}

/* Call while the list is in the order of units. */
static bool list_units(place **all, size_t count, sc_unit_runs *out)
{
    out->units = sc_allocate(count_kinds(all, count, by_unit) + 1, sizeof *out->units);
    for (size_t i = 0, end; out->units != NULL && i < count; i = end) {
        uint64_t rows = 0;
        end = end_of(all, i, count, by_unit);
        for (size_t k = i; k < end; k++)
            rows += all[k]->rows;
        out->units[out->unit_count++] = rows;
    }
    return out->units != NULL;
}

scrim_status sc_unit_count_runs(sc_unit_count *count, sc_unit_runs *out,
                                scrim_error *error)
{
    size_t listed = 0;
    place **all = list_places(count, &listed);
    if (all == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory to count units");
    sc_unit_runs new = {.count = 0};
    count_groups(all, listed);
    bool is_had = list_units(all, listed, &new);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    qsort(all, listed, sizeof *all, by_group);
    new.groups = count_kinds(all, listed, by_group);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    qsort(all, listed, sizeof *all, by_run);
    new.count = count_kinds(all, listed, by_run);
    new.sum_count = new.count * 2 * count->numbers;
    new.runs = sc_allocate(new.count + 1, sizeof *new.runs);
    new.sums = sc_allocate(new.sum_count + 1, sizeof *new.sums);
    is_had = is_had && new.runs != NULL &&new.sums != NULL;
    if (is_had)
        fill_runs(all, listed, &new);
    else
        sc_unit_runs_clear(&new);
    sc_free(all);
    *out = new;
    return is_had ? SCRIM_OK
                  : sc_fail(error, SCRIM_E_MEMORY, "out of memory to count units");
}

void sc_unit_runs_clear(sc_unit_runs *runs)
{
    sc_free_wiped(runs->sums, runs->sum_count * sizeof *runs->sums);
    sc_free_wiped(runs->runs, runs->count * sizeof *runs->runs);
    sc_free_wiped(runs->units, runs->unit_count * sizeof *runs->units);
    *runs = (sc_unit_runs){.count = 0};
}

void sc_unit_count_visit(const sc_unit_count *count,
                         void (*visit)(void *context, uint64_t groups,
                                       const sc_int128 *sums),
                         void *context)
{
    for (size_t i = 0; i < SHARES; i++)
        for (size_t at = 0; at < count->shares[i].capacity; at++) {
            const place *own = place_at(count, &count->shares[i], at);
            if (own->rows > 0)
                visit(context, own->groups, own->sums);
        }
}
