#include "mechanism/body/directions.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

/* Below this length a vector is as good as none. */
#define SHORT (SC_DIRECTION_ONE >> 8)

/* floor(sqrt(x)). */
static uint64_t square_root(sc_uint128 x)
{
    uint64_t root = 0;
    for (int bit = 63; bit >= 0; bit--) {
        const uint64_t tried = root | (uint64_t)1 << bit;
        if ((sc_uint128)tried * tried <= x)
            root = tried;
    }
    return root;
}

/* x y in fixed point, rounded to nearest. */
static int64_t product(int64_t x, int64_t y)
{
    const sc_int128 half = (sc_int128)1 << (SC_DIRECTION_FIXED - 1);
    return (int64_t)(((sc_int128)x * y + half) >> SC_DIRECTION_FIXED);
}

/* The circle. Series of an angle of at most an eighth of a turn, in finer steps. */

#define FINE 60
/* floor(2 pi 2^60), of 63 bits. */
#define WHOLE_TURN ((sc_uint128)7244019458077122842)

static int64_t fine_product(int64_t x, int64_t y)
{
    return (int64_t)((sc_int128)x * y >> FINE);
}

/* sum of (-1)^k angle^(2k + first)/(2k + first)!. */
static int64_t series(int64_t angle, int first)
{
    const int64_t square = fine_product(angle, angle);
    int64_t term = first == 0 ? (int64_t)1 << FINE : angle, sum = term;
    for (int k = first + 1; term != 0; k += 2) {
        term = -fine_product(term, square) / ((int64_t)k * (k + 1));
        sum += term;
    }
    return sum;
}

static int64_t coarse(int64_t fine)
{
    const int shift = FINE - SC_DIRECTION_FIXED;
    return (fine + ((int64_t)1 << (shift - 1))) >> shift;
}

/* From 0 to a quarter of a turn. */
static void quarter(uint64_t turn, uint64_t turns, int64_t *x, int64_t *y)
{
    const bool is_far = 8 * turn > turns;
    const uint64_t near = is_far ? turns / 4 - turn : turn;
    const int64_t angle = (int64_t)(WHOLE_TURN * near / turns);
    const int64_t along = coarse(series(angle, 0)), across = coarse(series(angle, 1));
    *x = is_far ? across : along;
    *y = is_far ? along : across;
}

void sc_direction_circle(uint64_t turn, uint64_t turns, int64_t *x, int64_t *y)
{
    const uint64_t each = turns / 4;
    int64_t a, b;
    quarter(turn % each, turns, &a, &b);
    switch (turn / each % 4) {
    case 0:
        *x = a, *y = b;
        break;
    case 1:
        *x = -b, *y = a;
        break;
    case 2:
        *x = -a, *y = -b;
        break;
    default:
        *x = b, *y = -a;
        break;
    }
}

/* Vectors. */

static int64_t inner(const int64_t *a, const int64_t *b, size_t count)
{
    sc_int128 sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (sc_int128)a[i] * b[i];
    return (int64_t)(sum >> SC_DIRECTION_FIXED);
}

static bool make_unit(int64_t *v, size_t count)
{
    sc_uint128 squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += (sc_uint128)((sc_int128)v[i] * v[i]);
    const int64_t length = (int64_t)square_root(squares);
    if (length < SHORT)
        return false;
    for (size_t i = 0; i < count; i++)
        v[i] = (int64_t)((sc_int128)v[i] * SC_DIRECTION_ONE / length);
    return true;
}

/* Makes v, of count numbers below 2^3 in size, orthogonal to units[0 .. known-1], each of length 1, and of length 1.
 * False, with v as it comes, where hardly anything of it is left. */
static bool make_orthonormal(int64_t *v, const int64_t *units, size_t known, size_t count)
{
    /* Again, on a vector of length 1: what rounding has left of the others is gone then. */
    for (int turn = 0; turn < 3; turn++) {
        for (size_t k = 0; k < known; k++) {
            const int64_t *unit = units + k * count, along = inner(v, unit, count);
            for (size_t i = 0; i < count; i++)
                v[i] -= product(along, unit[i]);
        }
        if (!make_unit(v, count))
            return false;
    }
    return true;
}

const char *const sc_direction_kinds[] = {"frames",   "axes",  "pairs", "equiangular",
                                          "sequence", "given", NULL};

/* Frames that are made where no number of directions is given. */
#define USUAL_FRAMES 4
#define USUAL_EQUIANGULAR 16
#define USUAL_SEQUENCE_TURNS 8
/* The other half of the key that random directions are made with. */
#define SEED_WORD 0x626f6479

static scrim_status refuse(scrim_error *error, const char *parameter, const char *why)
{
    return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, parameter, "%s",
                             why);
}

/* How many. */

static scrim_status count_of(const sc_directions_question *q, size_t *out,
                             scrim_error *error)
{
    const size_t d = q->dimension, axes = 2 * d;
    if (d == 0 || d > SC_DIRECTION_DIMENSIONS)
        return refuse(error, "dimensions", "a row has from 1 to 64 numbers");
    size_t usual = axes, step = axes;
    switch (q->kind) {
    case SC_DIRECTIONS_FRAMES:
        usual = USUAL_FRAMES * axes;
        break;
    case SC_DIRECTIONS_AXES:
        break;
    case SC_DIRECTIONS_PAIRS:
        usual = step = 2 * d * d;
        break;
    case SC_DIRECTIONS_EQUIANGULAR:
        usual = USUAL_EQUIANGULAR;
        step = 4;
        if (d != 2)
            return refuse(error, "directions", "equiangular ones are of 2 dimensions");
        break;
    case SC_DIRECTIONS_SEQUENCE:
        usual = USUAL_SEQUENCE_TURNS * axes;
        step = 2;
        break;
    case SC_DIRECTIONS_GIVEN:
        usual = 0;
        step = 1;
        break;
    }
    if (d == 1 && q->kind != SC_DIRECTIONS_GIVEN) /* there are no others */
        usual = step = 2;
    size_t count = q->count == 0 ? usual : q->count;
    if (count > SC_DIRECTIONS_MAX)
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "count",
                                 "at most %d directions", SC_DIRECTIONS_MAX);
    if (count == 0 || count % step != 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "count",
                                 "the number of directions of this kind is a multiple of "
                                 "%zu, above 0",
                                 step);
    const bool is_fixed = q->kind == SC_DIRECTIONS_AXES ||
                          q->kind == SC_DIRECTIONS_PAIRS ||
                          (d == 1 && q->kind != SC_DIRECTIONS_GIVEN);
    if (is_fixed && count != usual)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "count",
                                 "there are %zu directions of this kind", usual);
    if (q->kind == SC_DIRECTIONS_SEQUENCE && count < axes)
        return refuse(error, "count", "a sequence begins with the axes");
    *out = count;
    return SCRIM_OK;
}

/* Making them. */

static void put(sc_directions *s, const int32_t *entries)
{
    memcpy(s->entries + s->count++ * s->dimension, entries,
           s->dimension * sizeof *entries);
}

static void put_both(sc_directions *s, const int32_t *entries)
{
    int32_t negative[SC_DIRECTION_DIMENSIONS];
    for (size_t i = 0; i < s->dimension; i++)
        negative[i] = -entries[i];
    put(s, entries);
    put(s, negative);
}

static int32_t rounded(int64_t fixed)
{
    const int shift = SC_DIRECTION_FIXED - SC_DIRECTION_BITS;
    const int64_t half = (int64_t)1 << (shift - 1), size = fixed < 0 ? -fixed : fixed;
    const int64_t near = (size + half) >> shift;
    return (int32_t)(fixed < 0 ? -near : near);
}

static void put_fixed(sc_directions *s, const int64_t *v)
{
    int32_t entries[SC_DIRECTION_DIMENSIONS] = {0};
    for (size_t i = 0; i < s->dimension; i++)
        entries[i] = rounded(v[i]);
    put_both(s, entries);
}

static void put_axes(sc_directions *s)
{
    for (size_t i = 0; i < s->dimension; i++) {
        int32_t entries[SC_DIRECTION_DIMENSIONS] = {0};
        entries[i] = (int32_t)1 << SC_DIRECTION_BITS;
        put_both(s, entries);
    }
}

static void put_pairs(sc_directions *s)
{
    const int32_t half = (int32_t)square_root(
        (sc_uint128)1 << (2 * SC_DIRECTION_BITS - 1)); /* 2^30/sqrt 2 */
    for (size_t i = 0; i < s->dimension; i++)
        for (size_t j = i + 1; j < s->dimension; j++)
            for (int sign = -1; sign <= 1; sign += 2) {
                int32_t entries[SC_DIRECTION_DIMENSIONS] = {0};
                entries[i] = half;
                entries[j] = sign * half;
                put_both(s, entries);
            }
}

static void put_circle(sc_directions *s, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int64_t point[2];
        sc_direction_circle(i, count, &point[0], &point[1]);
        const int32_t entries[2] = {rounded(point[0]), rounded(point[1])};
        put(s, entries);
    }
}

/* A number from -2 to 2 whose law is close to a normal one: four uniform ones, less their mean. */
static int64_t bell(const uint64_t words[2])
{
    int64_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (int64_t)(words[i / 2] >> 32 * (i % 2) & UINT32_MAX);
    return (sum - 2 * ((int64_t)1 << 32)) * ((int64_t)1 << (SC_DIRECTION_FIXED - 32));
}

static void random_vector(uint64_t seed, uint64_t turn, size_t dimension, int64_t *v)
{
    const sc_hash_key key = {seed, SEED_WORD};
    for (size_t i = 0; i < dimension; i++) {
        const sc_hash_half half = sc_hash_first(&key, turn);
        const uint64_t words[2] = {sc_hash_second(&half, 2 * i),
                                   sc_hash_second(&half, 2 * i + 1)};
        v[i] = bell(words);
    }
}

/* A vector that hardly adds to those before it is left out, and the next one is taken. */
static void put_frames(sc_directions *s, size_t count, uint64_t seed)
{
    const size_t d = s->dimension;
    int64_t frame[SC_DIRECTION_DIMENSIONS * SC_DIRECTION_DIMENSIONS];
    uint64_t turn = 0;
    put_axes(s);
    while (s->count < count)
        for (size_t known = 0; known < d;) {
            int64_t *v = frame + known * d;
            random_vector(seed, turn++, d, v);
            if (!make_orthonormal(v, frame, known, d))
                continue;
            put_fixed(s, v);
            known++;
        }
}

/* The fractional parts of the roots of the first numbers that are no squares, as multiples of 2^-64: each coordinate
 * goes through four of them. */
static uint64_t rotation(size_t index)
{
    uint64_t number = 2, root = 1;
    for (size_t at = 0;; number++) {
        if ((root + 1) * (root + 1) == number)
            root++;
        else if (at++ == index)
            break;
    }
    /* sqrt(number) 2^59, whose whole part falls off. */
    return square_root((sc_uint128)number << 118) << 5;
}

static void put_sequence(sc_directions *s, size_t count, uint64_t seed)
{
    const size_t d = s->dimension;
    put_axes(s);
    for (uint64_t turn = 1; s->count < count; turn++) {
        int64_t v[SC_DIRECTION_DIMENSIONS];
        for (size_t i = 0; i < d; i++) {
            uint64_t words[2] = {0, 0};
            for (size_t k = 0; k < 4; k++)
                words[k / 2] |= ((turn + seed) * rotation(4 * i + k) >> 32)
                                << 32 * (k % 2);
            v[i] = bell(words);
        }
        if (make_orthonormal(v, NULL, 0, d))
            put_fixed(s, v);
    }
}

/* The caller's own. */

static bool is_unit(const sc_ratio *row, size_t dimension)
{
    SC_OWN(sc_ratio, sum, square, least);
    for (size_t i = 0; i < dimension; i++) {
        sc_ratio_mul(&square, &row[i], &row[i]);
        sc_ratio_add(&sum, &sum, &square);
    }
    sc_ratio_set_int64(&square, 1);
    sc_ratio_sub(&sum, &sum, &square);
    if (sc_ratio_sign(&sum) < 0) {
        sc_ratio_sub(&sum, &least, &sum); /* least is 0 yet */
    }
    sc_ratio_set_int64(&least, 1000000000000);
    sc_ratio_div(&least, &square, &least);
    return sc_ratio_compare(&sum, &least) <= 0;
}

static int32_t nearest(const sc_ratio *x)
{
    sc_int128 out = 0;
    SC_OWN(sc_ratio, scaled, half);
    SC_OWN(sc_integer, whole, one, two);
    sc_integer_set_int128(&one, 1);
    sc_integer_set_int128(&two, 2);
    sc_ratio_set_fraction(&half, &one, &two);
    sc_ratio_set_int64(&scaled, (int64_t)1 << SC_DIRECTION_BITS);
    sc_ratio_mul(&scaled, &scaled, x);
    sc_ratio_add(&scaled, &scaled, &half);
    sc_ratio_floor(&scaled, &whole);
    (void)sc_integer_get_int128(&whole, &out); /* of a vector of length 1 */
    return (int32_t)out;
}

static scrim_status put_given(sc_directions *s, const sc_directions_question *q,
                              size_t count, scrim_error *error)
{
    int32_t entries[SC_DIRECTION_DIMENSIONS];
    for (size_t i = 0; i < count; i++) {
        const sc_ratio *row = q->given + i * q->dimension;
        if (!is_unit(row, q->dimension))
            return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE,
                                     "directions",
                                     "direction %zu does not have length 1: the sum of "
                                     "its squares may differ from 1 by 1e-12 at most",
                                     i + 1);
        for (size_t j = 0; j < q->dimension; j++)
            entries[j] = nearest(&row[j]);
        put(s, entries);
    }
    return SCRIM_OK;
}

/* The whole. */

static bool is_negative_of(const int32_t *a, const int32_t *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] != -b[i])
            return false;
    return true;
}

static void find_mirrors(sc_directions *s)
{
    for (size_t i = 0; i < s->count; i++) {
        s->mirrors[i] = SC_DIRECTION_ALONE;
        for (size_t j = 0; j < i && s->mirrors[i] == SC_DIRECTION_ALONE; j++)
            if (s->mirrors[j] == SC_DIRECTION_ALONE &&
                is_negative_of(sc_direction_at(s, i), sc_direction_at(s, j),
                               s->dimension))
                s->mirrors[i] = j;
    }
}

static scrim_status have_room(sc_directions *s, size_t dimension, size_t count,
                              scrim_error *error)
{
    *s = (sc_directions){.dimension = dimension};
    s->entries = sc_allocate(count * dimension, sizeof *s->entries);
    s->mirrors = sc_allocate(count, sizeof *s->mirrors);
    if (s->entries != NULL && s->mirrors != NULL)
        return SCRIM_OK;
    sc_directions_clear(s);
    return sc_no_memory(error, "directions");
}

scrim_status sc_directions_init(sc_directions *s, const sc_directions_question *q,
                                scrim_error *error)
{
    size_t count = 0;
    *s = (sc_directions){.count = 0};
    scrim_status status = count_of(q, &count, error);
    if (status == SCRIM_OK)
        status = have_room(s, q->dimension, count, error);
    if (status != SCRIM_OK)
        return status;
    if (q->kind == SC_DIRECTIONS_GIVEN)
        status = put_given(s, q, count, error);
    else if (q->dimension == 1 || q->kind == SC_DIRECTIONS_AXES)
        put_axes(s);
    else if (q->kind == SC_DIRECTIONS_FRAMES)
        put_frames(s, count, q->seed);
    else if (q->kind == SC_DIRECTIONS_EQUIANGULAR)
        put_circle(s, count);
    else if (q->kind == SC_DIRECTIONS_SEQUENCE)
        put_sequence(s, count, q->seed);
    else {
        put_axes(s);
        put_pairs(s);
    }
    find_mirrors(s);
    if (status != SCRIM_OK)
        sc_directions_clear(s);
    return status;
}

void sc_directions_clear(sc_directions *s)
{
    sc_free(s->entries);
    sc_free(s->mirrors);
    *s = (sc_directions){.count = 0};
}
