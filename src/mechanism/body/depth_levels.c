#include "mechanism/body/depth_levels.h"

#include "base/checked.h"
#include "base/memory.h"
#include "mechanism/selection/ladder.h"
#include "mechanism/selection/order_slice.h"

#include <string.h>

/* Places along directions. A row with a missing number is at the lower end of each. */

static int64_t low_end(const sc_body_space *s, const int32_t *a)
{
    int64_t low = 0;
    for (size_t j = 0; j < s->dimension; j++)
        low += a[j] < 0 ? a[j] * s->extent : 0;
    return low;
}

static int64_t high_end(const sc_body_space *s, const int32_t *a)
{
    int64_t high = 0;
    for (size_t j = 0; j < s->dimension; j++)
        high += a[j] > 0 ? a[j] * s->extent : 0;
    return high;
}

static int64_t place_of(const sc_body_space *s, const int32_t *a, const int64_t *row)
{
    int64_t sum = 0;
    for (size_t j = 0; j < s->dimension; j++) {
        if (row[j] == SC_DIRECTION_MISSING)
            return low_end(s, a);
        sum += a[j] * row[j];
    }
    return sum;
}

uint64_t sc_depth_of(const sc_body_space *s, const int64_t *rows, size_t count,
                     const int64_t *point)
{
    uint64_t depth = UINT64_MAX;
    for (size_t i = 0; i < s->directions.count; i++) {
        const int32_t *a = sc_direction_at(&s->directions, i);
        const int64_t at = place_of(s, a, point);
        uint64_t beyond = 0;
        for (size_t r = 0; r < count; r++)
            beyond += place_of(s, a, rows + r * s->dimension) >= at;
        depth = beyond < depth ? beyond : depth;
    }
    return depth;
}

/* Candidates. */

uint64_t sc_depth_points(const sc_body_space *s, uint64_t points, int64_t *stride)
{
    const uint64_t extent = (uint64_t)s->extent, gaps = points > 1 ? points - 1 : 1;
    *stride = (int64_t)((extent + gaps - 1) / gaps);
    return extent / (uint64_t)*stride + 1;
}

scrim_status sc_depth_levels_init(sc_depth_levels *d, const sc_body_space *space,
                                  const sc_depth_scale *scale, scrim_error *error)
{
    *d = (sc_depth_levels){.space = space,
                           .offset = scale->offset,
                           .step = scale->step,
                           .levels = scale->levels};
    d->points = sc_depth_points(space, scale->points, &d->stride);
    d->lines = space->dimension == 1 ? 1 : d->points;
    d->bounds = sc_allocate(scale->levels * space->directions.count, sizeof *d->bounds);
    return d->bounds != NULL ? SCRIM_OK : sc_no_memory(error, "depths");
}

void sc_depth_levels_clear(sc_depth_levels *d)
{
    if (d->bounds != NULL)
        sc_free_wiped(d->bounds,
                      d->levels * d->space->directions.count * sizeof *d->bounds);
    d->bounds = NULL;
}

/* The place of a rank, counted from 1: the run that holds it. Runs are asked for in falling order. */
static int64_t place_at(const sc_order_slice *slice, int64_t low, uint64_t rank,
                        size_t *run)
{
    while (*run > 0 && slice->below[*run] >= rank)
        --*run;
    return (int64_t)((uint64_t)low + slice->keys[*run]);
}

static scrim_status find_bounds(sc_depth_levels *d, sc_order_slice *slice,
                                const int64_t *places, size_t count, size_t direction,
                                scrim_error *error)
{
    const sc_body_space *s = d->space;
    const int32_t *a = sc_direction_at(&s->directions, direction);
    const sc_order_rows rows = {
        .rows = places, .count = count, .low = low_end(s, a), .high = high_end(s, a)};
    /* The rank of the first level, and that of the last one that has rows enough. */
    const uint64_t last = count - d->offset - d->step + 1,
                   first = last - (d->reached - 1) * d->step;
    const scrim_status status = sc_order_slice_find(slice, &rows, first, last, error);
    if (status != SCRIM_OK)
        return status;
    size_t run = slice->runs - 1;
    for (uint64_t j = 0; j < d->reached; j++)
        d->bounds[j * s->directions.count + direction] =
            place_at(slice, rows.low, last - j * d->step, &run);
    return SCRIM_OK;
}

/* The number of ranks from the first level to the last, at most the number of rows. */
static size_t slice_width(const sc_depth_levels *d, size_t count)
{
    const sc_uint128 ranks = (sc_uint128)d->levels * d->step;
    return ranks < count ? (size_t)ranks : count;
}

static void tell(const sc_depth_levels *d, size_t directions)
{
    if (d->progress != NULL)
        d->progress(d->context, directions, d->space->directions.count + 1);
}

scrim_status sc_depth_levels_find(sc_depth_levels *d, const int64_t *rows, size_t count,
                                  scrim_error *error)
{
    const sc_body_space *s = d->space;
    const uint64_t enough = count > d->offset ? (count - d->offset) / d->step : 0;
    d->reached = enough < d->levels ? enough : d->levels;
    sc_order_slice slice = {.width = 0};
    int64_t *places = sc_allocate(count > 0 ? count : 1, sizeof *places);
    scrim_status status = places == NULL
                              ? sc_no_memory(error, "depths")
                              : sc_order_slice_init(&slice, slice_width(d, count), error);
    for (size_t i = 0; status == SCRIM_OK && i < s->directions.count; i++) {
        const int32_t *a = sc_direction_at(&s->directions, i);
        for (size_t r = 0; d->reached > 0 && r < count; r++)
            places[r] = place_of(s, a, rows + r * s->dimension);
        if (d->reached > 0)
            status = find_bounds(d, &slice, places, count, i, error);
        tell(d, i + 1);
    }
    sc_order_slice_clear(&slice);
    sc_free_wiped(places, count * sizeof *places);
    return status;
}

/* Counting. */

static int64_t floor_div(int64_t a, int64_t b)
{
    const int64_t q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}

/* Cuts first .. last down to the candidates k of a line with step k <= rest. */
static void cut(int64_t step, int64_t rest, int64_t *first, int64_t *last)
{
    if (step > 0) {
        const int64_t most = floor_div(rest, step);
        *last = most < *last ? most : *last;
    } else if (step < 0) {
        const int64_t least = -floor_div(rest, -step); /* ceil(rest/step) */
        *first = least > *first ? least : *first;
    } else if (rest < 0) {
        *last = -1;
    }
}

uint64_t sc_depth_line(const sc_depth_levels *d, uint64_t level, uint64_t line,
                       uint64_t *first)
{
    const sc_directions *all = &d->space->directions;
    int64_t from = 0, to = (int64_t)d->points - 1;
    *first = 0;
    if (level == 0)
        return d->points;
    if (level > d->reached)
        return 0;
    for (size_t i = 0; i < all->count; i++) {
        const int32_t *a = sc_direction_at(all, i);
        int64_t rest = d->bounds[(level - 1) * all->count + i];
        if (d->space->dimension == 2)
            rest -= a[1] * (int64_t)line * d->stride;
        cut(a[0] * d->stride, rest, &from, &to);
    }
    if (to < from)
        return 0;
    *first = (uint64_t)from;
    return (uint64_t)(to - from) + 1;
}

uint64_t sc_depth_count(const sc_depth_levels *d, uint64_t level)
{
    uint64_t count = 0, first;
    for (uint64_t line = 0; line < d->lines; line++)
        count += sc_depth_line(d, level, line, &first);
    return count;
}

#define RATIO_WORDS 4
/* Another approximation of exp(step): floor(exp(step) 2^256). */
#define WITNESS_FRACTION 256
#define WITNESS_WORDS 5
#define WITNESS_SKIP (WITNESS_FRACTION / 64)

/* Numbers of many words, least significant first. */

/* out = a b, of a_count + b_count words. */
static void multiply(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count,
                     uint64_t *out)
{
    memset(out, 0, (a_count + b_count) * sizeof *out);
    for (size_t k = 0; k < b_count; k++) {
        uint64_t carry = 0;
        for (size_t i = 0; i < a_count; i++) {
            const sc_uint128 sum = (sc_uint128)a[i] * b[k] + out[i + k] + carry;
            out[i + k] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        out[a_count + k] = carry;
    }
}

static size_t trimmed(const uint64_t *a, size_t count)
{
    while (count > 0 && a[count - 1] == 0)
        count--;
    return count;
}

/* Is a < b, without an early end. */
static bool is_less(const uint64_t *a, const uint64_t *b, size_t count)
{
    uint64_t borrow = 0;
    for (size_t i = 0; i < count; i++)
        borrow = (uint64_t)(((sc_uint128)a[i] - b[i] - borrow) >> 64) & 1;
    return borrow != 0;
}

/* a += b, which has at most as many words. */
static void add(uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < a_count; i++) {
        const sc_uint128 sum = (sc_uint128)a[i] + (i < b_count ? b[i] : 0) + carry;
        a[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
}

/* a -= b, modulo 2^(64 count). */
static void subtract(uint64_t *a, const uint64_t *b, size_t count)
{
    uint64_t borrow = 0;
    for (size_t i = 0; i < count; i++) {
        const sc_uint128 difference = (sc_uint128)a[i] - b[i] - borrow;
        a[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
}

static uint64_t remainder_of(const uint64_t *a, size_t count, uint64_t divisor)
{
    uint64_t rest = 0;
    for (size_t i = count; i-- > 0;)
        rest = (uint64_t)(((sc_uint128)rest << 64 | a[i]) % divisor);
    return rest;
}

/* Building. */

static const uint64_t *weight_of(const sc_depth_ladder *l, uint64_t score, size_t *count)
{
    *count = l->starts[score + 1] - l->starts[score];
    return l->words + l->starts[score];
}

static scrim_status put_weight(sc_depth_ladder *l, uint64_t score, const uint64_t *words,
                               size_t count, scrim_error *error)
{
    const size_t start = l->starts[score];
    if (start + count > SC_DEPTH_LADDER_WORDS)
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "levels",
                                 "levels: the weights of so many levels of depth take "
                                 "too much memory; choose fewer");
    for (size_t i = 0; i < count; i++) {
        if (!sc_make_room(&l->words, start + i, &l->capacity, sizeof *l->words))
            return sc_no_memory(error, "depths");
        l->words[start + i] = words[i];
    }
    l->starts[score + 1] = start + count;
    return SCRIM_OK;
}

/* w <= next, and next 2^256 <= w floor(exp(step) 2^256). Numbers are padded with zeros up to room words. */
static bool holds(const uint64_t *witness, const uint64_t *w, const uint64_t *next,
                  size_t room, uint64_t *product)
{
    multiply(w, room, witness, WITNESS_WORDS, product);
    return !is_less(next, w, room) && trimmed(product + WITNESS_SKIP + room, 1) == 0 &&
           !is_less(product + WITNESS_SKIP, next, room);
}

typedef struct climb {
    uint64_t ratio[RATIO_WORDS], witness[WITNESS_WORDS];
    uint64_t *weight, *next, *product;
    size_t room; /* of weight and next */
} climb;

static void climb_clear(climb *c)
{
    sc_free(c->weight);
    sc_free(c->next);
    sc_free(c->product);
}

/* Makes room for weights of `count` words and one above, doubling the room. */
static bool climb_reserve(climb *c, size_t count)
{
    if (count + 2 <= c->room)
        return true;
    climb wide = *c;
    wide.room = 2 * (count + 2);
    wide.weight = sc_allocate(wide.room, sizeof *wide.weight);
    wide.next = sc_allocate(wide.room, sizeof *wide.next);
    wide.product = sc_allocate(wide.room + WITNESS_WORDS, sizeof *wide.product);
    if (wide.weight == NULL || wide.next == NULL || wide.product == NULL) {
        climb_clear(&wide);
        return false;
    }
    if (c->room > 0)
        memcpy(wide.weight, c->weight, c->room * sizeof *c->weight);
    climb_clear(c);
    *c = wide;
    return true;
}

/* next = floor(weight ratio/2^200): 3 words and 8 bits are dropped. */
static void climb_step(climb *c)
{
    multiply(c->weight, c->room, c->ratio, RATIO_WORDS, c->product);
    const uint64_t *from = c->product + SC_LADDER_FRACTION / 64;
    for (size_t i = 0; i < c->room; i++)
        c->next[i] = from[i] >> SC_LADDER_FRACTION % 64 |
                     from[i + 1] << (64 - SC_LADDER_FRACTION % 64);
}

static scrim_status build(sc_depth_ladder *l, climb *c, scrim_error *error)
{
    size_t count = 1;
    if (!climb_reserve(c, count))
        return sc_no_memory(error, "depths");
    c->weight[0] = (uint64_t)SC_LADDER_TOP_WEIGHT;
    scrim_status status = put_weight(l, 0, c->weight, count, error);
    for (uint64_t s = 0; status == SCRIM_OK && s < l->top; s++) {
        if (!climb_reserve(c, count))
            return sc_no_memory(error, "depths");
        climb_step(c);
        if (!holds(c->witness, c->weight, c->next, c->room, c->product))
            return sc_fail(error, SCRIM_E_INTERNAL, "a ladder's step is not private");
        count = trimmed(c->next, c->room);
        memcpy(c->weight, c->next, c->room * sizeof *c->next);
        status = put_weight(l, s + 1, c->weight, count, error);
    }
    return status;
}

scrim_status sc_depth_ladder_init(sc_depth_ladder *l, const sc_ratio *step, uint64_t top,
                                  scrim_error *error)
{
    sc_ladder ladder;
    climb c = {.room = 0};
    size_t starts;
    *l = (sc_depth_ladder){.top = top};
    scrim_status status = sc_ladder_init(&ladder, step, 0, error);
    if (status == SCRIM_OK)
        status = sc_ladder_exp(step, WITNESS_FRACTION, c.witness, WITNESS_WORDS, error);
    if (status != SCRIM_OK)
        return status;
    memcpy(c.ratio, ladder.ratio, sizeof c.ratio);
    if (sc_size_add((size_t)top, 2, &starts))
        l->starts = sc_allocate(starts, sizeof *l->starts);
    status = l->starts != NULL ? build(l, &c, error) : sc_no_memory(error, "depths");
    climb_clear(&c);
    if (status != SCRIM_OK)
        sc_depth_ladder_clear(l);
    return status;
}

void sc_depth_ladder_clear(sc_depth_ladder *l)
{
    sc_free(l->starts);
    sc_free(l->words);
    *l = (sc_depth_ladder){.top = 0};
}

void sc_depth_ladder_weight(const sc_depth_ladder *l, uint64_t score, sc_integer *out)
{
    size_t count;
    const uint64_t *words = weight_of(l, score, &count);
    sc_integer_set_words(out, words, count);
}

/* A product has a word more than a weight, and fewer than 2^64 of them another one. */
static size_t sum_words(const sc_depth_ladder *l)
{
    size_t count;
    (void)weight_of(l, l->top, &count);
    return count + 2;
}

long sc_depth_ladder_bits(const sc_depth_ladder *l)
{
    return (long)(64 * sum_words(l));
}

/* Drawing. */

/* w[score] counts[score], with zeros up to room words. */
static void set_shell(const sc_depth_ladder *l, const uint64_t *counts, uint64_t score,
                      uint64_t *out, size_t room)
{
    size_t count;
    const uint64_t *weight = weight_of(l, score, &count);
    memset(out, 0, room * sizeof *out);
    multiply(weight, count, &counts[score], 1, out);
}

/* How many bits total - 1 has. */
static size_t width_below(const uint64_t *total, size_t count, uint64_t *last)
{
    uint64_t borrow = 1;
    for (size_t i = 0; i < count; i++) {
        last[i] = total[i] - borrow;
        borrow &= total[i] == 0;
    }
    const size_t words = trimmed(last, count);
    return words == 0 ? 0 : 64 * (words - 1) + sc_bit_length64(last[words - 1]);
}

/* Uniform below total, by rejection. */
static scrim_status draw_below(sc_bits *bits, const uint64_t *total, size_t count,
                               size_t width, uint64_t *out, scrim_error *error)
{
    for (unsigned turn = 0; turn < SC_BITS_PATIENCE; turn++) {
        for (size_t i = 0; i < count; i++) {
            const size_t left = width > 64 * i ? width - 64 * i : 0;
            out[i] = 0;
            const scrim_status status =
                sc_bits_take(bits, left < 64 ? (unsigned)left : 64, &out[i], error);
            if (status != SCRIM_OK)
                return status;
        }
        if (is_less(out, total, count))
            return SCRIM_OK;
    }
    return sc_bits_broken(error);
}

static void find_shell(const sc_depth_ladder *l, const uint64_t *counts, uint64_t *left,
                       uint64_t *shell, uint64_t *at, size_t words, uint64_t *score)
{
    bool is_found = false;
    for (uint64_t s = 0; s <= l->top; s++) {
        set_shell(l, counts, s, shell, words);
        if (is_less(left, shell, words) && !is_found) {
            *score = s;
            memcpy(at, left, words * sizeof *at);
            is_found = true;
        }
        subtract(left, shell, words);
    }
}

scrim_status sc_depth_ladder_draw(const sc_depth_ladder *l, sc_bits *bits,
                                  const uint64_t *counts, uint64_t *score,
                                  uint64_t *place, scrim_error *error)
{
    const size_t words = sum_words(l);
    uint64_t *room = sc_allocate(4 * words, sizeof *room);
    if (room == NULL)
        return sc_no_memory(error, "depths");
    uint64_t *total = room, *left = room + words, *shell = left + words,
             *at = shell + words;
    for (uint64_t s = 0; s <= l->top; s++) {
        set_shell(l, counts, s, shell, words);
        add(total, words, shell, words);
    }
    const size_t width = width_below(total, words, shell);
    const scrim_status status = draw_below(bits, total, words, width, left, error);
    if (status == SCRIM_OK) {
        find_shell(l, counts, left, shell, at, words, score);
        *place = remainder_of(at, words, counts[*score]);
    }
    sc_free_wiped(room, 4 * words * sizeof *room);
    return status;
}
