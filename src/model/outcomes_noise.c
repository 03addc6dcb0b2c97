#include "model/outcomes_noise.h"

#include "base/memory.h"

#include <string.h>

static scrim_status refuse_many(scrim_error *error)
{
    return sc_fail(
        error, SCRIM_E_LIMIT,
        "the distribution has too many outcomes to list; choose a smaller scale");
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
