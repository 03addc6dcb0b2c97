#include "dropped.h"

#include "check.h"
#include "exact.h"

#include <string.h>

static uint64_t next(dropped_case *c)
{
    uint64_t z = (c->random += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t dropped_below(dropped_case *c, uint64_t n)
{
    return next(c) % n;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

uint64_t dropped_centre(const dropped_case *c, size_t place)
{
    return c->cell_steps == 0 ? 2 * place : c->cell_steps * (2 * place + 1);
}

uint64_t dropped_error(const dropped_case *c)
{
    return c->cell_steps;
}

/* Steps are 1, so that half steps are halves; the range begins at -3. */
static void make_buckets(dropped_case *c)
{
    sc_ratio lower, upper, half, beta;
    scrim_status status;
    exact_ratio("-3", &lower);
    exact_ratio("1/2", &half);
    sc_ratio_init(&upper);
    sc_ratio_init(&beta);
    if (c->cell_steps == 0) {
        sc_ratio_set_int64(&upper, 1);
        status = sc_buckets_init_points(&c->buckets, &lower, &upper, c->cells, NULL);
    } else {
        sc_ratio_set_int64(&beta, (int64_t)c->cell_steps);
        sc_ratio_mul(&beta, &beta, &half);
        sc_ratio_set_int64(&upper, (int64_t)(2 * c->cell_steps * c->cells));
        sc_ratio_mul(&upper, &upper, &half);
        sc_ratio_add(&upper, &upper, &lower);
        const sc_buckets_question question = {
            .lower = &lower, .upper = &upper, .beta = &beta, .dimensions = 1};
        status = sc_buckets_init(&c->buckets, &question, NULL);
    }
    if (!CHECK_STATUS(status, SCRIM_OK) || !CHECK_INT(c->buckets.count, c->cells))
        abort();
    sc_ratio_clear(&beta);
    sc_ratio_clear(&upper);
    sc_ratio_clear(&half);
    sc_ratio_clear(&lower);
}

/* Elements gather in some places, so that heights differ. */
static void make_data(dropped_case *c)
{
    const uint64_t liked = dropped_below(c, c->cells);
    const uint64_t width = c->cell_steps == 0 ? 1 : c->cell_steps;
    for (size_t i = 0; i < c->count; i++) {
        uint64_t place = dropped_below(c, c->cells);
        if (dropped_below(c, 3) == 0)
            place = liked;
        c->raw[i] = 2 * width * place;
        if (c->cell_steps > 0) /* anywhere in the cell, its beginning included */
            c->raw[i] += dropped_below(c, 2 * width);
        c->x[place]++;
    }
    qsort(c->raw, c->count, sizeof *c->raw, by_size);
}

static uint64_t highest(const dropped_case *c)
{
    uint64_t most = 0;
    for (size_t i = 0; i < c->cells; i++)
        most = c->x[i] > most ? c->x[i] : most;
    return most;
}

static void leave_out(dropped_case *c)
{
    const uint64_t rule = dropped_below(c, 8), most = highest(c);
    const size_t side = (size_t)dropped_below(c, c->cells + 1);
    for (size_t i = 0; i < c->cells; i++) {
        uint64_t out = dropped_below(c, c->q + 1);
        if (rule == 0)
            out = 0;
        else if (rule == 1)
            out = c->q;
        else if (rule == 2)
            out = i < side ? c->q : 0;
        else if (rule == 3)
            out = i >= side ? c->q : 0;
        else if (rule == 4)
            out = c->x[i] == most ? c->q : 0;
        else if (rule == 5)
            out = dropped_below(c, 2) == 0 ? c->q : 0;
        c->y[i] = c->x[i] > out ? c->x[i] - out : 0;
    }
}

/* On the places that are not empty: none, or one that is just true, or a little more. */
static uint64_t public_bound(dropped_case *c)
{
    uint64_t full = 0;
    for (size_t i = 0; i < c->cells; i++)
        full += c->x[i] > 0;
    return dropped_below(c, 2) == 0 ? 0 : full + dropped_below(c, 2);
}

static void make_bars(dropped_case *c, uint64_t bars_max)
{
    sc_bar shown[DROPPED_CELLS];
    const sc_bars_facts facts = {.buckets = &c->buckets, .q = c->q, .bars_max = bars_max};
    for (size_t i = 0; i < c->cells; i++) /* the last first */
        shown[i] = (sc_bar){c->cells - 1 - i, c->y[c->cells - 1 - i]};
    if (!CHECK_STATUS(sc_bars_init(&c->bars, &facts, shown, c->cells, NULL), SCRIM_OK))
        abort();
}

void dropped_init(dropped_case *c, uint64_t seed)
{
    memset(c, 0, sizeof *c);
    c->random = seed * UINT64_C(0xd1342543de82ef95) + 1;
    c->cells = 1 + (size_t)dropped_below(c, DROPPED_CELLS);
    c->cell_steps = dropped_below(c, 4);
    c->q = dropped_below(c, dropped_below(c, 4) == 0 ? 12 : 4);
    c->count = (size_t)dropped_below(c, dropped_below(c, 2) == 0 ? DROPPED_SMALL + 1
                                                                 : DROPPED_ELEMENTS + 1);
    make_buckets(c);
    make_data(c);
    leave_out(c);
    make_bars(c, public_bound(c));
}

void dropped_set(dropped_case *c, const uint64_t *x, const uint64_t *y, size_t cells,
                 uint64_t q, const char *width)
{
    sc_ratio lower, upper, beta, count;
    scrim_status status;
    memset(c, 0, sizeof *c);
    c->cells = cells;
    c->q = q;
    memcpy(c->x, x, cells * sizeof *x);
    memcpy(c->y, y, cells * sizeof *y);
    exact_ratio("0", &lower);
    exact_ratio(width, &beta);
    exact_ratio("2", &count);
    sc_ratio_init(&upper);
    if (sc_ratio_sign(&beta) == 0) {
        sc_ratio_set_int64(&count, 1);
        status = sc_buckets_init_points(&c->buckets, &lower, &count, cells, NULL);
    } else {
        sc_ratio_set_int64(&upper, (int64_t)cells);
        sc_ratio_mul(&upper, &upper, &beta);
        sc_ratio_div(&beta, &beta, &count);
        const sc_buckets_question question = {
            .upper = &upper, .beta = &beta, .dimensions = 1};
        status = sc_buckets_init(&c->buckets, &question, NULL);
    }
    if (!CHECK_STATUS(status, SCRIM_OK))
        abort();
    make_bars(c, 0);
    sc_ratio_clear(&upper);
    sc_ratio_clear(&count);
    sc_ratio_clear(&beta);
    sc_ratio_clear(&lower);
}

void dropped_clear(dropped_case *c)
{
    sc_bars_clear(&c->bars);
    sc_buckets_clear(&c->buckets);
}

uint64_t dropped_nearest(const dropped_case *c, sc_uint128 most, uint64_t value,
                         dropped_statistic *statistic, const void *context)
{
    uint64_t best = UINT64_MAX;
    for (unsigned kept = 1; kept < 1u << c->count; kept++) {
        uint64_t raw[DROPPED_SMALL];
        size_t count = 0;
        for (size_t i = 0; i < c->count; i++)
            if (kept >> i & 1)
                raw[count++] = c->raw[i];
        if (c->count - count > most)
            continue;
        const uint64_t got = statistic(raw, count, context);
        const uint64_t far = got > value ? got - value : value - got;
        best = far < best ? far : best;
    }
    return best;
}
