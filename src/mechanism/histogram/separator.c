#include "mechanism/histogram/separator.h"

#include "base/memory.h"
#include "mechanism/histogram/hull_distance.h"
#include "model/short_bound.h"

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
