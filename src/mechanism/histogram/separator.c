#include "mechanism/histogram/separator.h"

#include "base/memory.h"
#include "model/short_bound.h"

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

#define ROOT_PLACES 64

/* The centres of one label in half widths from the lower end: 2 i + 1, whole numbers. */
typedef struct centres {
    int64_t *coordinates;
    size_t count;
} centres;

static scrim_status get_centres(const sc_bars *bars, bool has_plus, centres *out,
                                scrim_error *error)
{
    const sc_buckets *b = bars->buckets;
    for (size_t i = 0; i < bars->count; i++)
        out->count += sc_buckets_has_plus(b, bars->bars[i].place) == has_plus;
    size_t numbers = 0;
    if (sc_size_mul(out->count, b->dimensions, &numbers))
        out->coordinates = sc_allocate(numbers, sizeof *out->coordinates);
    if (out->coordinates == NULL)
        return sc_no_memory(error, "a separator");
    int64_t *next = out->coordinates;
    for (size_t i = 0; i < bars->count; i++) {
        const uint64_t place = bars->bars[i].place;
        if (sc_buckets_has_plus(b, place) != has_plus)
            continue;
        for (size_t axis = 0; axis < b->dimensions; axis++)
            *next++ = (int64_t)(2 * sc_buckets_axis(b, place, axis) + 1);
    }
    return SCRIM_OK;
}

static void separator_init(sc_exact_separator *out, const sc_bars *bars)
{
    sc_ratio_init(&out->offset);
    sc_ratio_init(&out->margin_squared);
    sc_ratio_init(&out->margin_lower);
    sc_ratio_init(&out->kept_lower);
    sc_ratio_init(&out->margin_most);
    sc_flexible_init(&out->flexible);
    sc_bars_flexible(bars, &out->flexible);
    sc_ratio_set_int64(&out->flexible.beta, 0);
    out->flexible.is_beta_unbounded = true;
    out->dropped_most = sc_bars_dropped_upper(bars);
    out->beyond_most =
        sc_bars_left_out_upper(bars, bars->buckets->count - bars->count, bars->count);
    sc_ratio_set(&out->margin_most, &bars->buckets->error);
}

void sc_separator_clear(sc_exact_separator *separator)
{
    sc_flexible_clear(&separator->flexible);
    sc_ratio_clear(&separator->margin_most);
    sc_ratio_clear(&separator->kept_lower);
    sc_ratio_clear(&separator->margin_lower);
    sc_ratio_clear(&separator->margin_squared);
    sc_ratio_clear(&separator->offset);
    for (size_t i = 0; separator->normal != NULL && i < separator->dimensions; i++)
        sc_ratio_clear(&separator->normal[i]);
    sc_free(separator->normal);
}

/* floor(sqrt(x) 2^64) / 2^64 */
static void set_root(const sc_ratio *x, sc_ratio *out)
{
    SC_OWN(sc_ratio, scaled, power);
    SC_OWN(sc_integer, root);
    sc_integer_set_int128(&root, 1);
    sc_integer_shift_left(&root, &root, 2 * ROOT_PLACES);
    sc_ratio_set_integer(&power, &root);
    sc_ratio_mul(&scaled, x, &power);
    sc_ratio_floor(&scaled, &root);
    sc_integer_sqrt(&root, &root);
    sc_ratio_set_dyadic(out, &root, ROOT_PLACES);
}

/* From half widths to the unit of the data: z = lower + half Z. The normal is half (U - V), the
 * offset its inner product with the middle of both, the margin half their distance. */
static void set_plane(const sc_bars *bars, const sc_hull_distance *near,
                      sc_exact_separator *out)
{
    const sc_buckets *b = bars->buckets;
    SC_OWN(sc_ratio, half, two, middle);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(&half, &b->width, &two);
    for (size_t i = 0; i < out->dimensions; i++) {
        sc_ratio_sub(&out->normal[i], &near->u[i], &near->v[i]);
        sc_ratio_mul(&out->normal[i], &out->normal[i], &half);
        sc_ratio_add(&middle, &near->u[i], &near->v[i]);
        sc_ratio_div(&middle, &middle, &two);
        sc_ratio_mul(&middle, &middle, &half);
        sc_ratio_add(&middle, &middle, &b->lower);
        sc_ratio_mul(&middle, &middle, &out->normal[i]);
        sc_ratio_add(&out->offset, &out->offset, &middle);
    }
    sc_ratio_div(&half, &half, &two);
    sc_ratio_mul(&half, &half, &half);
    sc_ratio_mul(&out->margin_squared, &near->squared, &half);
    set_root(&out->margin_squared, &out->margin_lower);
    sc_ratio_sub(&out->kept_lower, &out->margin_lower, &b->error);
}

static scrim_status find_plane(const sc_bars *bars, const centres *plus,
                               const centres *minus, sc_exact_separator *out,
                               scrim_error *error)
{
    const size_t dimensions = bars->buckets->dimensions;
    const sc_point_set first = {plus->coordinates, plus->count};
    const sc_point_set second = {minus->coordinates, minus->count};
    sc_hull_distance near;
    if (plus->count == 0 || minus->count == 0) {
        out->outcome = SC_SEPARATOR_EMPTY;
        return SCRIM_OK;
    }
    scrim_status status =
        sc_hull_distance_init(&near, &first, &second, dimensions, error);
    if (status != SCRIM_OK)
        return status;
    out->outcome = SC_SEPARATOR_NOT_SEPARABLE;
    if (sc_ratio_sign(&near.squared) > 0) {
        out->outcome = SC_SEPARATOR_PLANE;
        out->normal = sc_allocate(dimensions, sizeof *out->normal);
        for (size_t i = 0; out->normal != NULL && i < dimensions; i++)
            sc_ratio_init(&out->normal[i]);
        out->dimensions = dimensions;
        if (out->normal == NULL)
            status = sc_no_memory(error, "a separator");
        else
            set_plane(bars, &near, out);
    }
    sc_hull_distance_clear(&near);
    return status;
}

scrim_status sc_bars_separator(const sc_bars *bars, sc_exact_separator *out,
                               scrim_error *error)
{
    const sc_buckets *b = bars->buckets;
    centres plus = {.coordinates = NULL}, minus = {.coordinates = NULL};
    sc_exact_separator found = {.normal = NULL};
    if (!b->is_labelled)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "separator",
                                 "it is asked of points with labels");
    if (b->norm == SC_BUCKET_NORM_MAX && b->dimensions > 1)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "separator",
                                 "a margin is a Euclidean distance; make the buckets by "
                                 "norm 1 or 2");
    separator_init(&found, bars);
    scrim_status status = get_centres(bars, true, &plus, error);
    if (status == SCRIM_OK)
        status = get_centres(bars, false, &minus, error);
    if (status == SCRIM_OK)
        status = find_plane(bars, &plus, &minus, &found, error);
    if (status == SCRIM_OK)
        *out = found;
    else
        sc_separator_clear(&found);
    sc_free(plus.coordinates);
    sc_free(minus.coordinates);
    return status;
}

/* The sentence. */

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

static void put_count(sc_text_sink *sink, sc_uint128 count)
{
    char text[SC_INT128_BYTES];
    sc_int128_format((sc_int128)count, text); /* below 2^94 */
    put(sink, text);
}

static void put_lower(sc_text_sink *sink, const sc_ratio *number)
{
    char text[SCRIM_NUMBER_BYTES];
    sc_short_bound_put_lower(number, text);
    put(sink, text);
}

static void put_upper(sc_text_sink *sink, const sc_ratio *number)
{
    char text[SCRIM_NUMBER_BYTES];
    sc_short_bound_put_upper(number, text);
    put(sink, text);
}

static void put_plane(sc_text_sink *sink, const sc_exact_separator *s,
                      const sc_bars *bars)
{
    put(sink, "the centres shown lie at least ");
    put_lower(sink, &s->margin_lower);
    put(sink, " from the plane, each on its side");
    if (sc_ratio_sign(&s->kept_lower) > 0) {
        put(sink, "; all but at most ");
        put_count(sink, s->beyond_most);
        put(sink, " elements lie on their side too, at least ");
        put_lower(sink, &s->kept_lower);
        put(sink, " from it");
    }
    put(sink, "; data with a margin m have given one of at least m - ");
    put_upper(sink, &bars->buckets->error);
    put(sink, ", and nothing is said of the angle");
}

size_t sc_separator_statement(const sc_exact_separator *s, const sc_bars *bars,
                              char *text, size_t capacity)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    switch (s->outcome) {
    case SC_SEPARATOR_PLANE:
        put_plane(&sink, s, bars);
        break;
    case SC_SEPARATOR_EMPTY:
        put(&sink, "no bucket of a label that is not shown holds more than ");
        put_count(&sink, bars->q);
        put(&sink, bars->q == 1 ? " element" : " elements");
        break;
    case SC_SEPARATOR_NOT_SEPARABLE:
        put(&sink, "no plane parts all of the data by a margin above ");
        put_upper(&sink, &s->margin_most);
        break;
    }
    return sink.length;
}
