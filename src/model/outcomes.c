#include "model/outcomes.h"

#include "base/checked.h"
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

/* 1 - (1 - rest) (1 - more), without cancellation. */
static void add_rest(sc_ball *rest, const sc_ball *more, long bits)
{
    SC_OWN(sc_ball, both);
    sc_ball_mul(&both, rest, more, bits);
    sc_ball_add(rest, rest, more, bits);
    sc_ball_sub(rest, rest, &both, bits);
}

/* How many combinations; false when there are too many. */
static bool count_answers(const sc_outcomes *parts, size_t count, size_t *out)
{
    *out = 1;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].count > SC_OUTCOMES_MAX / *out)
            return false;
        *out *= parts[i].count;
    }
    return true;
}

/* A product of laws that is being listed. */
typedef struct product {
    const sc_outcomes *parts;
    size_t count;
    sc_outcomes_prefix prefix;
    int64_t *key;
    long bits;
} product;

/* The combination that is the number-th of all, the last part's fastest. */
static scrim_status list_answer(const product *p, size_t number, sc_outcomes *out,
                                scrim_error *error)
{
    SC_OWN(sc_ball, mass);
    if (p->prefix.factor != NULL)
        sc_ball_set(&mass, p->prefix.factor);
    else
        sc_ball_set_int64(&mass, 1);
    for (size_t i = p->count; i-- > 0; number /= p->parts[i].count) {
        const size_t at = number % p->parts[i].count;
        p->key[p->prefix.count + i] = p->parts[i].keys[at];
        sc_ball_mul(&mass, &mass, &p->parts[i].mass[at], p->bits);
    }
    return sc_outcomes_add(out, p->key, &mass, error);
}

static void set_rest(const sc_outcomes *parts, size_t count, const sc_ball *factor,
                     long bits, sc_outcomes *out)
{
    SC_OWN(sc_ball, rest);
    for (size_t i = 0; i < count; i++)
        add_rest(&rest, &parts[i].rest, bits);
    if (factor != NULL)
        sc_ball_mul(&rest, &rest, factor, bits);
    sc_ball_add(&out->rest, &out->rest, &rest, bits);
}

scrim_status sc_outcomes_product(const sc_outcomes *parts, size_t count,
                                 const sc_outcomes_prefix *prefix, long bits,
                                 sc_outcomes *out, scrim_error *error)
{
    size_t answers = 0;
    product p = {.parts = parts, .count = count, .bits = bits};
    if (prefix != NULL)
        p.prefix = *prefix;
    if (!count_answers(parts, count, &answers))
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many values to give the probability of each");
    p.key = sc_allocate(p.prefix.count + count + 1, sizeof *p.key);
    if (p.key == NULL)
        return sc_no_memory(error, "a law");
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < p.prefix.count; i++)
        p.key[i] = p.prefix.keys[i];
    for (size_t i = 0; status == SCRIM_OK && i < answers; i++)
        status = list_answer(&p, i, out, error);
    set_rest(parts, count, p.prefix.factor, bits, out);
    sc_free(p.key);
    return status;
}

scrim_status sc_outcomes_of_each(const sc_outcomes_each *each, long bits,
                                 sc_outcomes *out, scrim_error *error)
{
    sc_outcomes *parts = sc_allocate(each->count + 1, sizeof *parts);
    if (parts == NULL)
        return sc_no_memory(error, "a law");
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < each->count; i++)
        sc_outcomes_init(&parts[i], 1);
    for (size_t i = 0; status == SCRIM_OK && i < each->count; i++)
        status = each->list(each->context, each->values[i], bits, &parts[i], error);
    if (status == SCRIM_OK)
        status = sc_outcomes_product(parts, each->count, &each->prefix, bits, out, error);
    for (size_t i = 0; i < each->count; i++)
        sc_outcomes_clear(&parts[i]);
    sc_free(parts);
    return status;
}

static scrim_status refuse_many(scrim_error *error)
{
    return sc_fail(
        error, SCRIM_E_LIMIT,
        "the noise is too wide: its distribution has too many outcomes to list; choose a "
        "larger epsilon or rho, or a smaller scale");
}

/* The places that all but about twice a small mass lies between. */
static void find_ends(const sc_outcomes *in, const sc_ball *small, long bits,
                      int64_t *low, int64_t *high)
{
    size_t first = 0, last = in->count - 1;
    SC_OWN(sc_ball, below, above);
    sc_ball_set(&below, &in->mass[first]);
    sc_ball_set(&above, &in->mass[last]);
    while (first < last && sc_ball_is_less(&below, small))
        sc_ball_add(&below, &below, &in->mass[++first], bits);
    while (last > first && sc_ball_is_less(&above, small))
        sc_ball_add(&above, &above, &in->mass[--last], bits);
    *low = in->keys[first];
    *high = in->keys[last];
}

/* The sums that are listed, from low to high. */
typedef struct window {
    int64_t low, high;
    sc_ball *sums;
} window;

static void add_to(window *w, int64_t k, const sc_ball *mass, long bits)
{
    if (k >= w->low && k <= w->high)
        sc_ball_add(&w->sums[k - w->low], &w->sums[k - w->low], mass, bits);
}

/* Noise from 0 on: F(k), the sum of P(i) a^(k - i) over i <= k, is a F(k - 1) + P(k). */
static void add_upwards(const sc_outcomes *in, const sc_ball *ratio, long bits, window *w)
{
    size_t next = 0;
    SC_OWN(sc_ball, run);
    for (int64_t k = in->keys[0]; k <= w->high; k++) {
        sc_ball_mul(&run, &run, ratio, bits);
        for (; next < in->count && in->keys[next] == k; next++)
            sc_ball_add(&run, &run, &in->mass[next], bits);
        add_to(w, k, &run, bits);
    }
}

/* Noise below 0, in the same way from the other end. */
static void add_downwards(const sc_outcomes *in, const sc_ball *ratio, long bits,
                          window *w)
{
    size_t left = in->count;
    SC_OWN(sc_ball, run);
    for (int64_t k = in->keys[in->count - 1]; k >= w->low; k--) {
        sc_ball_mul(&run, &run, ratio, bits);
        add_to(w, k, &run, bits);
        for (; left > 0 && in->keys[left - 1] == k; left--)
            sc_ball_add(&run, &run, &in->mass[left - 1], bits);
    }
}

static scrim_status list_sums(const sc_outcomes *in, const sc_law *noise, window *w,
                              long bits, sc_outcomes *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, top, ratio, hidden);
    sc_law_pmf(noise, 0, bits, &top);
    sc_law_pmf(noise, 1, bits, &ratio);
    sc_ball_div(&ratio, &ratio, &top, bits);
    add_upwards(in, &ratio, bits, w);
    add_downwards(in, &ratio, bits, w);
    /* Nothing, or all that is not listed of the number. */
    sc_ball_set_union(&hidden, &hidden, &in->rest, bits);
    for (int64_t k = w->low; status == SCRIM_OK && k <= w->high; k++) {
        sc_ball *sum = &w->sums[k - w->low];
        sc_ball_mul(sum, sum, &top, bits);
        sc_ball_add(sum, sum, &hidden, bits);
        status = sc_outcomes_add(out, &k, sum, error);
    }
    return status;
}

static scrim_status list_window(const sc_outcomes *in, const sc_law *noise, int64_t low,
                                int64_t high, long bits, sc_outcomes *out,
                                scrim_error *error)
{
    const size_t count = (size_t)(high - low) + 1;
    window w = {.low = low, .high = high, .sums = sc_allocate(count, sizeof *w.sums)};
    if (w.sums == NULL)
        return sc_no_memory(error, "a distribution");
    for (size_t i = 0; i < count; i++)
        sc_ball_init(&w.sums[i]);
    const scrim_status status = list_sums(in, noise, &w, bits, out, error);
    for (size_t i = 0; i < count; i++)
        sc_ball_clear(&w.sums[i]);
    sc_free(w.sums);
    return status;
}

scrim_status sc_outcomes_add_laplace(const sc_outcomes *in, const sc_law *noise,
                                     long bits, sc_outcomes *out, scrim_error *error)
{
    const sc_int128 reach = (sc_int128)in->keys[in->count - 1] - in->keys[0];
    sc_int128 radius = 0;
    int64_t low = 0, high = 0;
    SC_OWN(sc_ratio, beta);
    SC_OWN(sc_integer, one);
    SC_OWN(sc_ball, small);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_dyadic(&beta, &one, (unsigned)bits / 2);
    sc_ball_set_ratio(&small, &beta, bits);
    scrim_status status = sc_law_radius(noise, &beta, &radius, error);
    if (status != SCRIM_OK)
        return status;
    if (reach + 2 * radius >= (sc_int128)SC_OUTCOMES_MAX)
        return refuse_many(error);
    find_ends(in, &small, bits, &low, &high);
    status = list_window(in, noise, low - (int64_t)radius, high + (int64_t)radius,
                         bits + 64, out, error);
    /* Beyond either end of the number, or more noise than radius. */
    sc_ball_mul_int64(&out->rest, &small, 3, bits);
    sc_ball_add(&out->rest, &out->rest, &in->rest, bits);
    sc_ball_cut_unit(&out->rest);
    return status;
}

/* Several numbers: one after the other is brought to the end of the key, where those that differ in
 * nothing else follow one another. */

static scrim_status rotate(const sc_outcomes *in, long bits, sc_outcomes *out,
                           scrim_error *error)
{
    const size_t others = in->width - 1;
    int64_t *key = sc_allocate(in->width, sizeof *key);
    scrim_status status = key == NULL ? sc_no_memory(error, "a distribution") : SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < in->count; i++) {
        const int64_t *from = in->keys + i * in->width;
        memcpy(key, from + 1, others * sizeof *key);
        key[others] = from[0];
        status = sc_outcomes_add(out, key, &in->mass[i], error);
    }
    sc_ball_set(&out->rest, &in->rest);
    sc_free(key);
    return status == SCRIM_OK ? sc_outcomes_sort(out, bits, error) : status;
}

/* Outcomes of a rotated law that have the same key but for its last number. */
typedef struct slice {
    const sc_outcomes *in;
    size_t from, count;
    int64_t *key; /* of those that are added */
} slice;

static scrim_status add_sums(const slice *s, const sc_outcomes *sums, sc_outcomes *out,
                             scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < sums->count; i++) {
        s->key[out->width - 1] = sums->keys[i];
        status = sc_outcomes_add(out, s->key, &sums->mass[i], error);
    }
    return status;
}

static scrim_status add_slice(const slice *s, const sc_law *noise, long bits,
                              sc_outcomes *out, scrim_error *error)
{
    const size_t width = out->width;
    sc_outcomes numbers, sums;
    sc_outcomes_init(&numbers, 1);
    sc_outcomes_init(&sums, 1);
    memcpy(s->key, s->in->keys + s->from * width, width * sizeof *s->key);
    scrim_status status = SCRIM_OK;
    for (size_t i = s->from; status == SCRIM_OK && i < s->from + s->count; i++) {
        const int64_t *last = s->in->keys + i * width + width - 1;
        const bool is_number = *last != SC_OUTCOMES_NO_NUMBER;
        s->key[width - 1] = *last;
        status = is_number ? sc_outcomes_add(&numbers, last, &s->in->mass[i], error)
                           : sc_outcomes_add(out, s->key, &s->in->mass[i], error);
    }
    sc_ball_set(&numbers.rest, &s->in->rest);
    if (status == SCRIM_OK && numbers.count > 0)
        status = sc_outcomes_add_laplace(&numbers, noise, bits, &sums, error);
    if (status == SCRIM_OK)
        status = add_sums(s, &sums, out, error);
    sc_ball_add(&out->rest, &out->rest, &sums.rest, bits);
    sc_outcomes_clear(&sums);
    sc_outcomes_clear(&numbers);
    return status;
}

static scrim_status add_slices(const sc_outcomes *in, const sc_law *noise, long bits,
                               sc_outcomes *out, scrim_error *error)
{
    const size_t width = in->width;
    slice s = {.in = in, .key = sc_allocate(width, sizeof *s.key)};
    scrim_status status =
        s.key == NULL ? sc_no_memory(error, "a distribution") : SCRIM_OK;
    for (; status == SCRIM_OK && s.from < in->count; s.from += s.count) {
        const int64_t *first = in->keys + s.from * width;
        for (s.count = 1;
             s.from + s.count < in->count &&
             sc_outcomes_compare(first, first + s.count * width, width - 1) == 0;)
            s.count++;
        status = add_slice(&s, noise, bits, out, error);
    }
    sc_ball_cut_unit(&out->rest);
    sc_free(s.key);
    return status;
}

scrim_status sc_outcomes_add_laplace_each(const sc_outcomes *in, const sc_law *noise,
                                          long bits, sc_outcomes *out, scrim_error *error)
{
    sc_outcomes turned, sums;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < in->width; i++) {
        sc_outcomes_init(&turned, in->width);
        sc_outcomes_init(&sums, in->width);
        const long more = (long)(in->width - i) * bits; /* of which less is left out */
        status = rotate(i == 0 ? in : out, 4 * bits, &turned, error);
        if (status == SCRIM_OK)
            status = add_slices(&turned, noise, more, &sums, error);
        sc_outcomes_clear(&turned);
        sc_outcomes_clear(out);
        *out = sums;
    }
    return status;
}
