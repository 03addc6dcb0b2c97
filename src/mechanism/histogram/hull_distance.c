#include "mechanism/histogram/hull_distance.h"

#include "base/memory.h"

/* A corral has at most one more point than there are coordinates, and one that is coming in. */
#define DIMENSIONS 64
#define CORRAL (DIMENSIONS + 2)

typedef struct corral_point {
    size_t p, n; /* of the first set, and of the second */
    sc_ratio weight, wanted;
} corral_point;

typedef struct search {
    const sc_point_set *first, *second;
    size_t dimensions;
    corral_point points[CORRAL];
    size_t count;
    sc_ratio system[CORRAL][CORRAL + 1];
    sc_ratio factor, part;
    sc_integer x[DIMENSIONS]; /* the current point, times scale */
    sc_integer scale, product, sum;
} search;

static void search_init(search *s, size_t dimensions)
{
    s->dimensions = dimensions;
    for (size_t i = 0; i < dimensions + 2; i++) {
        sc_ratio_init(&s->points[i].weight);
        sc_ratio_init(&s->points[i].wanted);
        for (size_t j = 0; j < dimensions + 3; j++)
            sc_ratio_init(&s->system[i][j]);
    }
    for (size_t i = 0; i < dimensions; i++)
        sc_integer_init(&s->x[i]);
    sc_ratio_init(&s->factor);
    sc_ratio_init(&s->part);
    sc_integer_init(&s->scale);
    sc_integer_init(&s->product);
    sc_integer_init(&s->sum);
}

static void search_clear(search *s)
{
    sc_integer_clear(&s->sum);
    sc_integer_clear(&s->product);
    sc_integer_clear(&s->scale);
    sc_ratio_clear(&s->part);
    sc_ratio_clear(&s->factor);
    for (size_t i = 0; i < s->dimensions; i++)
        sc_integer_clear(&s->x[i]);
    for (size_t i = 0; i < s->dimensions + 2; i++) {
        for (size_t j = 0; j < s->dimensions + 3; j++)
            sc_ratio_clear(&s->system[i][j]);
        sc_ratio_clear(&s->points[i].wanted);
        sc_ratio_clear(&s->points[i].weight);
    }
}

static int64_t coordinate(const sc_point_set *set, const search *s, size_t point,
                          size_t axis)
{
    return set->coordinates[point * s->dimensions + axis];
}

/* p - n of a corral point. */
static sc_int128 difference(const search *s, const corral_point *c, size_t axis)
{
    return (sc_int128)coordinate(s->first, s, c->p, axis) -
           coordinate(s->second, s, c->n, axis);
}

/* The current point from its weights, with one denominator: the least common multiple of those of
 * the weights. */
static void set_current(search *s)
{
    sc_ratio_set_int64(&s->factor, 1);
    for (size_t i = 0; i < s->count; i++) {
        sc_ratio_mul(&s->part, &s->points[i].weight, &s->factor);
        sc_ratio_denominator(&s->part, &s->product);
        sc_ratio_set_integer(&s->part, &s->product);
        sc_ratio_mul(&s->factor, &s->factor, &s->part);
    }
    sc_ratio_numerator(&s->factor, &s->scale);
    for (size_t axis = 0; axis < s->dimensions; axis++)
        sc_integer_set_int128(&s->x[axis], 0);
    for (size_t i = 0; i < s->count; i++) {
        sc_ratio_mul(&s->part, &s->points[i].weight, &s->factor);
        sc_ratio_numerator(&s->part, &s->sum);
        for (size_t axis = 0; axis < s->dimensions; axis++) {
            sc_integer_set_int128(&s->product, difference(s, &s->points[i], axis));
            sc_integer_mul(&s->product, &s->product, &s->sum);
            sc_integer_add(&s->x[axis], &s->x[axis], &s->product);
        }
    }
}

static bool is_origin(const search *s)
{
    for (size_t axis = 0; axis < s->dimensions; axis++)
        if (sc_integer_sign(&s->x[axis]) != 0)
            return false;
    return true;
}

/* <x, point>, times scale. */
static void dot(search *s, const sc_point_set *set, size_t point, sc_integer *out)
{
    sc_integer_set_int128(out, 0);
    for (size_t axis = 0; axis < s->dimensions; axis++) {
        sc_integer_set_int128(&s->product, coordinate(set, s, point, axis));
        sc_integer_mul(&s->product, &s->product, &s->x[axis]);
        sc_integer_add(out, out, &s->product);
    }
}

/* The point of a set with the least <x, .>, sign 1, or the most, sign -1; the first of equals. */
static size_t find_extreme(search *s, const sc_point_set *set, int sign, sc_integer *best)
{
    size_t at = 0;
    dot(s, set, 0, best);
    for (size_t i = 1; i < set->count; i++) {
        dot(s, set, i, &s->sum);
        if (sign * sc_integer_compare(&s->sum, best) < 0) {
            sc_integer_set(best, &s->sum);
            at = i;
        }
    }
    return at;
}

/* Takes in the difference that is least along x; false when none lies below x itself: then x is the
 * answer. <x, p - n> < <x, x> is, times scale^2, scale <X, p - n> < <X, X>. */
static bool take_in(search *s)
{
    corral_point *next = &s->points[s->count];
    SC_OWN(sc_integer, low, high);
    next->p = find_extreme(s, s->first, 1, &low);
    next->n = find_extreme(s, s->second, -1, &high);
    sc_integer_sub(&low, &low, &high);
    sc_integer_mul(&low, &low, &s->scale);
    sc_integer_set_int128(&s->sum, 0);
    for (size_t axis = 0; axis < s->dimensions; axis++) {
        sc_integer_mul(&s->product, &s->x[axis], &s->x[axis]);
        sc_integer_add(&s->sum, &s->sum, &s->product);
    }
    const bool is_below = sc_integer_compare(&low, &s->sum) < 0;
    if (is_below) {
        sc_ratio_set_int64(&next->weight, 0);
        s->count++;
    }
    return is_below;
}

/* (G + 1 1') v = 1, G the inner products of the corral: positive definite where its points are
 * affinely independent, so that no pivot is 0. */
static void set_system(search *s)
{
    for (size_t i = 0; i < s->count; i++) {
        for (size_t j = 0; j < s->count; j++) {
            sc_integer_set_int128(&s->sum, 1);
            for (size_t axis = 0; axis < s->dimensions; axis++) {
                SC_OWN(sc_integer, factor);
                sc_integer_set_int128(&factor, difference(s, &s->points[i], axis));
                sc_integer_set_int128(&s->product, difference(s, &s->points[j], axis));
                sc_integer_mul(&s->product, &s->product, &factor);
                sc_integer_add(&s->sum, &s->sum, &s->product);
            }
            sc_ratio_set_integer(&s->system[i][j], &s->sum);
        }
        sc_ratio_set_int64(&s->system[i][s->count], 1);
    }
}

/* row -= factor * pivot row, from a column on. */
static void subtract_row(search *s, size_t row, size_t pivot)
{
    if (sc_ratio_sign(&s->system[row][pivot]) == 0)
        return;
    sc_ratio_div(&s->factor, &s->system[row][pivot], &s->system[pivot][pivot]);
    for (size_t j = pivot; j <= s->count; j++) {
        sc_ratio_mul(&s->part, &s->factor, &s->system[pivot][j]);
        sc_ratio_sub(&s->system[row][j], &s->system[row][j], &s->part);
    }
}

/* The weights of the least point of the affine hull: v over its sum. */
static void solve(search *s)
{
    set_system(s);
    for (size_t pivot = 0; pivot < s->count; pivot++)
        for (size_t row = 0; row < s->count; row++)
            if (row != pivot)
                subtract_row(s, row, pivot);
    sc_ratio_set_int64(&s->part, 0);
    for (size_t i = 0; i < s->count; i++) {
        sc_ratio_div(&s->points[i].wanted, &s->system[i][s->count], &s->system[i][i]);
        sc_ratio_add(&s->part, &s->part, &s->points[i].wanted);
    }
    for (size_t i = 0; i < s->count; i++)
        sc_ratio_div(&s->points[i].wanted, &s->points[i].wanted, &s->part);
}

/* How far the weights may go towards the wanted ones before one of them is 0; false when they may
 * go all the way, and all of them stay above 0. */
static bool find_wall(search *s, sc_ratio *share)
{
    bool is_found = false;
    for (size_t i = 0; i < s->count; i++) {
        const corral_point *c = &s->points[i];
        if (sc_ratio_sign(&c->wanted) > 0)
            continue;
        sc_ratio_sub(&s->part, &c->weight, &c->wanted);
        if (sc_ratio_sign(&s->part) == 0) /* both are 0 */
            sc_ratio_set_int64(&s->part, 0);
        else
            sc_ratio_div(&s->part, &c->weight, &s->part);
        if (!is_found || sc_ratio_compare(&s->part, share) < 0)
            sc_ratio_set(share, &s->part);
        is_found = true;
    }
    return is_found;
}

static void swap_points(corral_point *a, corral_point *b)
{
    const corral_point kept = *a;
    *a = *b;
    *b = kept;
}

/* Goes that far, and lets go what has no weight left. */
static void go_to_wall(search *s, const sc_ratio *share)
{
    for (size_t i = 0; i < s->count; i++) {
        corral_point *c = &s->points[i];
        sc_ratio_sub(&s->part, &c->wanted, &c->weight);
        sc_ratio_mul(&s->part, &s->part, share);
        sc_ratio_add(&c->weight, &c->weight, &s->part);
    }
    for (size_t i = s->count; i > 0; i--)
        if (sc_ratio_sign(&s->points[i - 1].weight) == 0)
            swap_points(&s->points[i - 1], &s->points[--s->count]);
}

/* To the least point of a corral that has it inside. */
static void settle(search *s)
{
    SC_OWN(sc_ratio, share);
    for (solve(s); find_wall(s, &share); solve(s))
        go_to_wall(s, &share);
    for (size_t i = 0; i < s->count; i++)
        sc_ratio_set(&s->points[i].weight, &s->points[i].wanted);
}

static scrim_status look(search *s, size_t *steps, scrim_error *error)
{
    s->points[0].p = s->points[0].n = 0;
    sc_ratio_set_int64(&s->points[0].weight, 1);
    s->count = 1;
    for (*steps = 0; *steps < SC_HULL_STEPS; ++*steps) {
        set_current(s);
        if (is_origin(s) || !take_in(s))
            return SCRIM_OK;
        settle(s);
    }
    return sc_fail(error, SCRIM_E_LIMIT,
                   "the nearest points of two hulls took more than %d steps to find",
                   SC_HULL_STEPS);
}

/* Where the weights put a point of a set. */
static void set_point(search *s, const sc_point_set *set, bool is_first, sc_ratio *out)
{
    for (size_t axis = 0; axis < s->dimensions; axis++) {
        sc_ratio_set_int64(&out[axis], 0);
        for (size_t i = 0; i < s->count; i++) {
            const corral_point *c = &s->points[i];
            sc_ratio_set_int64(&s->part,
                               coordinate(set, s, is_first ? c->p : c->n, axis));
            sc_ratio_mul(&s->part, &s->part, &c->weight);
            sc_ratio_add(&out[axis], &out[axis], &s->part);
        }
    }
}

static void set_squared(search *s, sc_hull_distance *out)
{
    sc_ratio_set_int64(&out->squared, 0);
    for (size_t axis = 0; axis < out->dimensions; axis++) {
        sc_ratio_sub(&s->part, &out->u[axis], &out->v[axis]);
        sc_ratio_mul(&s->part, &s->part, &s->part);
        sc_ratio_add(&out->squared, &out->squared, &s->part);
    }
}

static scrim_status get_room(sc_hull_distance *out, size_t dimensions, scrim_error *error)
{
    out->u = sc_allocate(dimensions, sizeof *out->u);
    out->v = sc_allocate(dimensions, sizeof *out->v);
    if (out->u == NULL || out->v == NULL) {
        sc_free(out->u);
        sc_free(out->v);
        return sc_no_memory(error, "the nearest points");
    }
    out->dimensions = dimensions;
    sc_ratio_init(&out->squared);
    for (size_t i = 0; i < dimensions; i++) {
        sc_ratio_init(&out->u[i]);
        sc_ratio_init(&out->v[i]);
    }
    return SCRIM_OK;
}

scrim_status sc_hull_distance_init(sc_hull_distance *out, const sc_point_set *first,
                                   const sc_point_set *second, size_t dimensions,
                                   scrim_error *error)
{
    sc_hull_distance found = {.dimensions = 0};
    search *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "the nearest points");
    scrim_status status = get_room(&found, dimensions, error);
    if (status != SCRIM_OK) {
        sc_free(s);
        return status;
    }
    search_init(s, dimensions);
    s->first = first;
    s->second = second;
    status = look(s, &found.steps, error);
    if (status == SCRIM_OK) {
        set_point(s, first, true, found.u);
        set_point(s, second, false, found.v);
        set_squared(s, &found);
        *out = found;
    } else {
        sc_hull_distance_clear(&found);
    }
    search_clear(s);
    sc_free(s);
    return status;
}

void sc_hull_distance_clear(sc_hull_distance *distance)
{
    for (size_t i = 0; i < distance->dimensions; i++) {
        sc_ratio_clear(&distance->u[i]);
        sc_ratio_clear(&distance->v[i]);
    }
    sc_ratio_clear(&distance->squared);
    sc_free(distance->u);
    sc_free(distance->v);
}
