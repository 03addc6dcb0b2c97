#include "audit/off_grid.h"

#include <string.h>

/* A shape: how many values there are, where they lie, and which way they go. */
typedef struct shape {
    size_t count;
    bool is_half;  /* x lies on the border, not below it */
    bool is_split; /* the second value goes down */
} shape;

static const shape shapes[] = {
    {.count = 1},
    {.count = 1, .is_half = true}, /* where half up and half to even differ */
    {.count = 2},
    {.count = 2, .is_split = true},
};
_Static_assert(sizeof shapes / sizeof *shapes == SC_OFF_GRID_SHAPES,
               "the header says how many there are");

/* By how much each of count values may move. */
static void set_move(const sc_change *change, size_t count, sc_ratio *out)
{
    SC_OWN(sc_ratio, part);
    sc_ratio_set(out, &change->amount);
    sc_ratio_set_int64(&part, change->kind == SC_CHANGE_SUM ? (int64_t)count : 10);
    if (change->kind == SC_CHANGE_SUM || (change->kind == SC_CHANGE_LENGTH && count > 1))
        sc_ratio_div(out, out, &part);
    sc_ratio_set_int64(&part, 7); /* two values of 0.7 have a length of 0.99 */
    if (change->kind == SC_CHANGE_LENGTH && count > 1)
        sc_ratio_mul(out, out, &part);
    if (change->most > 0 && sc_ratio_compare_int64(out, change->most) > 0)
        sc_ratio_set_int64(out, change->most);
}

static bool has_shape(const scrim_measurement *m, const sc_change *change, const shape *s)
{
    if (s->count < m->domain.count_min || s->count > m->domain.count_max ||
        !sc_domain_takes(&m->domain, SC_GIVEN_TEXTS, s->count) || m->domain.is_whole)
        return false;
    if (change->few > 0 && s->count > change->few)
        return false;
    return !s->is_split || (change->kind == SC_CHANGE_EACH && !change->is_monotone);
}

/* x is the border above the place 0, or the lowest one, and a little below it; y lies the move
 * above. Downwards, x is the border itself and y lies below. */
static void set_value(const scrim_measurement *m, const sc_ratio *move, bool is_half,
                      bool is_down, sc_ratio *x, sc_ratio *y)
{
    const sc_grid *grid = &m->domain.grid;
    const int64_t at = grid->low > 0 || grid->high <= 0 ? grid->low : 0;
    SC_OWN(sc_ratio, step, part);
    sc_grid_step(grid, &step);
    sc_ratio_set_int64(&part, 2 * at + 1);
    sc_ratio_mul(x, &step, &part);
    sc_ratio_set_int64(&part, 2);
    sc_ratio_div(x, x, &part);
    if (!is_half && !is_down) {
        sc_ratio_set_int64(&part, 1000);
        sc_ratio_div(&part, sc_ratio_compare(move, &step) < 0 ? move : &step, &part);
        sc_ratio_sub(x, x, &part);
    }
    if (is_down)
        sc_ratio_sub(y, x, move);
    else
        sc_ratio_add(y, x, move);
}

size_t sc_off_grid_values(const scrim_measurement *m, size_t index, sc_ratio *x,
                          sc_ratio *y)
{
    const shape *s = &shapes[index];
    sc_change change = {.kind = SC_CHANGE_EACH};
    size_t count = 0;
    if (m->mechanism->change == NULL)
        return 0;
    sc_ratio_init(&change.amount);
    SC_OWN(sc_ratio, move);
    m->mechanism->change(m, &change);
    if (has_shape(m, &change, s)) {
        count = s->count;
        set_move(&change, count, &move);
        for (size_t i = 0; i < count; i++)
            set_value(m, &move, s->is_half, s->is_split && i > 0, &x[i], &y[i]);
    }
    sc_ratio_clear(&change.amount);
    return count;
}

/* As the gate has it. */
static bool place(const scrim_measurement *m, size_t index, sc_pair *out)
{
    sc_ratio x[SC_OFF_GRID_VALUES], y[SC_OFF_GRID_VALUES];
    for (size_t i = 0; i < SC_OFF_GRID_VALUES; i++) {
        sc_ratio_init(&x[i]);
        sc_ratio_init(&y[i]);
    }
    const size_t count = sc_off_grid_values(m, index, x, y);
    for (size_t i = 0; i < count; i++) {
        out->x[i] = sc_domain_place(&m->domain, &x[i]);
        out->y[i] = sc_domain_place(&m->domain, &y[i]);
    }
    out->x_count = out->y_count = count;
    for (size_t i = 0; i < SC_OFF_GRID_VALUES; i++) {
        sc_ratio_clear(&x[i]);
        sc_ratio_clear(&y[i]);
    }
    return count > 0;
}

/* Values move alike in both, one way or the other. */
static bool moves_alike(const sc_pair *a, const sc_pair *b)
{
    bool is_same = a->x_count == b->x_count && b->x_count == b->y_count;
    bool is_opposite = is_same;
    for (size_t i = 0; is_same && i < a->x_count; i++)
        is_same = a->y[i] - a->x[i] == b->y[i] - b->x[i];
    for (size_t i = 0; is_opposite && i < a->x_count; i++)
        is_opposite = a->y[i] - a->x[i] == b->x[i] - b->y[i];
    return is_same || is_opposite;
}

static bool is_in_family(const scrim_measurement *m, const sc_pair *pair)
{
    const size_t count = m->mechanism->pair_count(m);
    for (size_t i = 0; i < count; i++) {
        sc_pair known = {.x_count = 0};
        m->mechanism->pair(m, i, &known);
        if (moves_alike(pair, &known))
            return true;
    }
    return false;
}

static bool is_equal(const sc_pair *pair)
{
    return memcmp(pair->x, pair->y, pair->x_count * sizeof *pair->x) == 0;
}

/* The pair at an index among those that there are, or their number. */
static size_t visit(const scrim_measurement *m, size_t index, sc_pair *out)
{
    size_t count = 0;
    for (size_t i = 0; i < SC_OFF_GRID_SHAPES; i++) {
        sc_pair pair = {.x_count = 0};
        if (!place(m, i, &pair) || is_equal(&pair) || is_in_family(m, &pair))
            continue;
        if (count++ == index) {
            *out = pair;
            return count;
        }
    }
    return count;
}

size_t sc_off_grid_count(const scrim_measurement *m)
{
    sc_pair none;
    return visit(m, SIZE_MAX, &none);
}

void sc_off_grid_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)visit(m, index, out);
}
