#include "mechanism/selection/rank_shells.h"

#include "base/memory.h"

uint64_t sc_weight_sum_remainder(const sc_weight_sum *sum, uint64_t divisor)
{
    uint64_t rest = 0;
    for (int i = SC_WEIGHT_SUM_WORDS - 1; i >= 0; i--)
        rest = (uint64_t)(((sc_uint128)rest << 64 | sum->words[i]) % divisor);
    return rest;
}

/* The bits of total - 1, so that more than half of the draws are accepted. */
static unsigned width_of(const sc_weight_sum *total)
{
    const sc_weight_sum one = {{1, 0, 0, 0}};
    sc_weight_sum last;
    (void)sc_weight_sum_sub(total, &one, &last);
    for (int i = SC_WEIGHT_SUM_WORDS - 1; i >= 0; i--)
        if (last.words[i] != 0)
            return 64u * (unsigned)i + sc_bit_length64(last.words[i]);
    return 0;
}

static scrim_status take(sc_bits *bits, unsigned width, sc_weight_sum *out,
                         scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (unsigned i = 0; status == SCRIM_OK && i < SC_WEIGHT_SUM_WORDS; i++) {
        unsigned left = width > 64 * i ? width - 64 * i : 0;
        out->words[i] = 0;
        status = sc_bits_take(bits, left < 64 ? left : 64, &out->words[i], error);
    }
    return status;
}

scrim_status sc_weight_sum_draw(sc_bits *bits, const sc_weight_sum *total,
                                sc_weight_sum *out, scrim_error *error)
{
    unsigned width = width_of(total);
    for (unsigned turn = 0; turn < SC_BITS_PATIENCE; turn++) {
        sc_weight_sum value, unused;
        scrim_status status = take(bits, width, &value, error);
        if (status != SCRIM_OK)
            return status;
        if (sc_weight_sum_sub(&value, total, &unused) != 0) {
            *out = value;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}

void sc_rank_field_set_share(sc_rank_field *field, uint64_t numerator,
                             uint64_t denominator)
{
    field->denominator = denominator;
    field->low_centre = (sc_int128)((sc_uint128)numerator * field->count);
    field->high_centre = field->low_centre;
}

void sc_rank_field_set_order(sc_rank_field *field, uint64_t numerator,
                             uint64_t denominator)
{
    sc_uint128 k = ((sc_uint128)numerator * field->count + denominator - 1) / denominator;
    k = k < 1 ? 1 : k > field->count ? field->count : k;
    field->denominator = 1;
    field->low_centre = (sc_int128)k;
    field->high_centre = (sc_int128)k - 1;
}

/* The cells of score at most j, for j below the top, lie between the items of these ranks:
 * ceil((low_centre - j)/denominator) and floor((high_centre + j)/denominator) + 1. Below 1 it
 * is the first cell, above count the last. */
static sc_int128 floor_of(sc_int128 a, sc_int128 b)
{
    sc_int128 quotient = a / b;
    return quotient - (a % b < 0);
}

static sc_int128 low_rank(const sc_rank_field *f, uint64_t j)
{
    return -floor_of((sc_int128)j - f->low_centre, f->denominator);
}

static sc_int128 high_rank(const sc_rank_field *f, uint64_t j)
{
    return floor_of(f->high_centre + (sc_int128)j, f->denominator) + 1;
}

/* The row that the item of a rank is a part of. */
static uint64_t row_of(const sc_rank_field *f, uint64_t rank)
{
    return (f->below + rank - 1) / f->parts + 1;
}

bool sc_rank_field_rows(const sc_rank_field *f, uint64_t *first, uint64_t *last)
{
    if (f->count == 0 || f->ladder->top == 0)
        return false;
    sc_int128 from = low_rank(f, f->ladder->top - 1);
    sc_int128 to = high_rank(f, f->ladder->top - 1);
    from = from < 1 ? 1 : from;
    to = to > (sc_int128)f->count ? (sc_int128)f->count : to;
    *first = row_of(f, (uint64_t)from);
    *last = row_of(f, (uint64_t)to);
    return true;
}

size_t sc_rank_field_width(uint64_t top, uint64_t denominator, uint64_t parts)
{
    /* From the lowest rank to the highest there are at most 2 (top - 1)/denominator + 1 steps,
     * rounded outwards at both ends to whole rows of `parts` items. */
    uint64_t items = 2 * top / denominator + 2;
    return (size_t)(items / parts + 2);
}

/* Walking. */

/* The cell of an item: within a run of t equal rows, t items share each cell. */
static uint64_t cell_of(const sc_rank_field *f, size_t run, uint64_t item)
{
    const sc_order_slice *w = f->slice;
    if (f->parts == 1)
        return w->keys[run];
    uint64_t below = w->below[run], rows = sc_order_slice_upto(w, run) - below;
    return w->keys[run] * f->parts + (item - 1 - below * f->parts) / rows;
}

static void find_low(sc_rank_walk *walk)
{
    const sc_rank_field *f = walk->field;
    if (walk->low_rank < 1)
        return; /* the first cell, as it was */
    uint64_t row = row_of(f, (uint64_t)walk->low_rank);
    while (sc_order_slice_upto(f->slice, walk->low_run) < row)
        walk->low_run++;
    walk->low_cell = cell_of(f, walk->low_run, f->below + (uint64_t)walk->low_rank);
}

static void find_high(sc_rank_walk *walk)
{
    const sc_rank_field *f = walk->field;
    if (walk->high_rank > (int64_t)f->count)
        return; /* the last cell, as it was */
    uint64_t row = row_of(f, (uint64_t)walk->high_rank);
    while (f->slice->below[walk->high_run] >= row)
        walk->high_run--;
    walk->high_cell = cell_of(f, walk->high_run, f->below + (uint64_t)walk->high_rank);
}

void sc_rank_walk_start(sc_rank_walk *walk, const sc_rank_field *f)
{
    const uint64_t top = f->ladder->top;
    *walk = (sc_rank_walk){.field = f,
                           .levels = top + 1,
                           .weight = SC_LADDER_TOP_WEIGHT,
                           .low = f->first,
                           .high = f->last,
                           .low_cell = f->first,
                           .high_cell = f->last};
    if (top == 0)
        return;
    sc_int128 low = low_rank(f, top - 1), high = high_rank(f, top - 1);
    /* a denominator - (centre - j): when it has come down to 0, the next level moves it. */
    walk->low_rank = (int64_t)low;
    walk->low_rest = (uint64_t)(low * (sc_int128)f->denominator -
                                (f->low_centre - (sc_int128)(top - 1)));
    walk->high_rank = (int64_t)high;
    walk->high_rest = (uint64_t)(f->high_centre + (sc_int128)(top - 1) -
                                 (high - 1) * (sc_int128)f->denominator);
    if (f->count == 0)
        return;
    walk->high_run = f->slice->runs - 1;
    find_low(walk);
    find_high(walk);
}

/* One level down: either rank moves once in denominator levels. */
static inline void step_down(sc_rank_walk *walk)
{
    const sc_rank_field *f = walk->field;
    if (walk->low_rest-- == 0) {
        walk->low_rest = f->denominator - 1;
        walk->low_rank++;
        if (f->count > 0)
            find_low(walk);
    }
    if (walk->high_rest-- == 0) {
        walk->high_rest = f->denominator - 1;
        walk->high_rank--;
        if (f->count > 0)
            find_high(walk);
    }
}

bool sc_rank_walk_next(sc_rank_walk *walk, sc_rank_shell *shell)
{
    if (walk->levels == 0)
        return false;
    const uint64_t level = --walk->levels;
    shell->level = level;
    shell->weight = walk->weight;
    shell->low = walk->low;
    if (level == 0) {
        shell->left = walk->high - walk->low + 1;
        shell->high = walk->high;
        shell->right = 0;
        return true;
    }
    shell->left = walk->low_cell - walk->low;
    shell->high = walk->high_cell + 1;
    shell->right = walk->high - walk->high_cell;
    walk->low = walk->low_cell;
    walk->high = walk->high_cell;
    walk->weight = sc_ladder_next(walk->field->ladder, walk->weight);
    if (level > 1)
        step_down(walk);
    return true;
}

void sc_rank_field_total(const sc_rank_field *field, sc_weight_sum *out)
{
    sc_rank_walk walk;
    sc_rank_shell shell;
    sc_weight_sum sum = {{0, 0, 0, 0}};
    sc_rank_walk_start(&walk, field);
    while (sc_rank_walk_next(&walk, &shell)) {
        sc_weight_sum part = sc_weight_product(shell.weight, shell.left + shell.right);
        sc_weight_sum_add(&sum, &part);
    }
    *out = sum;
}

static inline uint64_t choose(uint64_t mask, uint64_t yes, uint64_t no)
{
    return (yes & mask) | (no & ~mask);
}

scrim_status sc_rank_field_draw(sc_bits *bits, const sc_rank_field *field, uint64_t *cell,
                                scrim_error *error)
{
    sc_rank_walk walk;
    sc_rank_shell shell, drawn = {0};
    sc_weight_sum total, u = {{0, 0, 0, 0}};
    uint64_t found = 0; /* a mask: all ones from the shell that was hit on */
    sc_rank_field_total(field, &total);
    scrim_status status = sc_weight_sum_draw(bits, &total, &u, error);
    if (status != SCRIM_OK)
        return status;
    sc_rank_walk_start(&walk, field);
    while (sc_rank_walk_next(&walk, &shell)) {
        sc_weight_sum rest;
        sc_weight_sum part = sc_weight_product(shell.weight, shell.left + shell.right);
        uint64_t hit = sc_weight_sum_sub(&u, &part, &rest) & ~found;
        drawn.low = choose(hit, shell.low, drawn.low);
        drawn.left = choose(hit, shell.left, drawn.left);
        drawn.high = choose(hit, shell.high, drawn.high);
        drawn.right = choose(hit, shell.right, drawn.right);
        found |= hit;
        for (int i = 0; i < SC_WEIGHT_SUM_WORDS; i++)
            u.words[i] = choose(found, u.words[i], rest.words[i]);
    }
    if (found == 0)
        return sc_fail(error, SCRIM_E_INTERNAL, "a draw lies beyond all shells");
    /* The rest of u is uniform below weight * cells, so its remainder is uniform below cells. */
    uint64_t place = sc_weight_sum_remainder(&u, drawn.left + drawn.right);
    *cell = place < drawn.left ? drawn.low + place : drawn.high + (place - drawn.left);
    sc_wipe(&u, sizeof u);
    return SCRIM_OK;
}
