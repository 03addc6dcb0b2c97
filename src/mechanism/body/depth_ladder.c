#include "mechanism/body/depth_ladder.h"

#include "base/checked.h"
#include "base/memory.h"
#include "mechanism/selection/ladder.h"

#include <string.h>

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

/* Room for weights of so many words and one above, twice as much as before. */
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
