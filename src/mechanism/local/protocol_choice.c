#include "local/device/number_encoders.h"
#include "mechanism/local/protocol.h"

#define BASE ((uint32_t)1 << 20)  /* B of set protocols */
#define WHOLE ((uint64_t)1 << 32) /* A + B of bits */
#define FIELD_MAX ((uint32_t)1 << 16)

static scrim_status too_large(scrim_error *error)
{
    return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "epsilon",
                             "too large for the protocol; at most 8");
}

typedef enum form {
    FORM_EXP,  /* scale exp(epsilon/parts) */
    FORM_SHARE /* scale / (1 + exp(epsilon/parts)) */
} form;

/* The floor of it; computed more exactly until it is known. */
static bool floor_of(const sc_ratio *epsilon, uint64_t parts, form which, uint64_t scale,
                     uint64_t *out)
{
    bool known = false;
    SC_OWN(sc_ball, x, above);
    SC_OWN(sc_integer, whole);
    for (long bits = 256; !known && bits <= 65536; bits *= 2) {
        sc_ball_set_ratio(&x, epsilon, bits);
        sc_ball_div_int64(&x, &x, (int64_t)parts, bits);
        sc_ball_exp(&x, &x, bits);
        sc_ball_set_int128(&above, (sc_int128)scale);
        if (which == FORM_EXP) {
            sc_ball_mul(&x, &x, &above, bits);
        } else {
            sc_ball_add_int64(&x, &x, 1, bits);
            sc_ball_div(&x, &above, &x, bits);
        }
        known = sc_ball_floor(&x, &whole) && sc_integer_get_uint64(&whole, out);
    }
    return known;
}

/* A and B. */

static scrim_status choose_set(scrim_local_config *c, const sc_ratio *epsilon,
                               scrim_error *error)
{
    uint64_t a = 0;
    if (!floor_of(epsilon, 1, FORM_EXP, BASE, &a) || a > UINT32_MAX)
        return too_large(error);
    c->a = (uint32_t)a;
    c->b = BASE;
    return SCRIM_OK;
}

/* B = ceil(2^32/(exp(epsilon/parts) + 1)), which is no integer for epsilon above 0. */
static scrim_status choose_bit(scrim_local_config *c, const sc_ratio *epsilon,
                               uint64_t parts, scrim_error *error)
{
    uint64_t b = 0;
    if (!floor_of(epsilon, parts, FORM_SHARE, WHOLE, &b) || b == 0)
        return too_large(error);
    c->b = (uint32_t)b + 1;
    c->a = (uint32_t)(WHOLE - c->b);
    return SCRIM_OK;
}

/* A/B for one step of `parts` steps: B is the largest power of two, up to 2^31, that A has room beside. */
static scrim_status choose_step(scrim_local_config *c, const sc_ratio *epsilon,
                                uint64_t parts, scrim_error *error)
{
    uint64_t a = WHOLE;
    for (unsigned bits = 31; bits > 0 && a >= WHOLE; bits--) {
        c->b = (uint32_t)1 << bits;
        if (!floor_of(epsilon, parts, FORM_EXP, c->b, &a))
            return too_large(error);
    }
    c->a = (uint32_t)a;
    return a < WHOLE ? SCRIM_OK : too_large(error);
}

/* Fields. */

static bool is_prime(uint32_t n)
{
    for (uint32_t d = 2; d * d <= n; d++)
        if (n % d == 0)
            return false;
    return n > 1;
}

/* One candidate: its parameter, its variance and what the server's tables hold of it. */
typedef bool (*field_size)(const scrim_local_config *c, uint32_t field, uint32_t *digits,
                           uint64_t *size);

static bool geometry_size(const scrim_local_config *c, uint32_t field, uint32_t *digits,
                          uint64_t *size)
{
    *digits = 3;
    while ((*size = sc_protocol_geometry(field, *digits).points) < c->values)
        ++*digits;
    return *size <= SC_PROTOCOL_COUNTERS;
}

static bool hash_size(const scrim_local_config *c, uint32_t field, uint32_t *digits,
                      uint64_t *size)
{
    *digits = 1;
    for (*size = field; *size < c->values; *size *= field)
        ++*digits;
    *size *= field;
    return *size <= SC_PROTOCOL_COUNTERS;
}

typedef struct field_choice {
    uint32_t field, digits;
    uint64_t size;
    sc_ratio variance;
} field_choice;

static void field_choice_init(field_choice *x)
{
    x->field = x->digits = 0;
    x->size = 0;
    sc_ratio_init(&x->variance);
}

static void field_choice_clear(field_choice *x)
{
    sc_ratio_clear(&x->variance);
}

/* Is x a smaller table, or as small a one of less variance, than best? */
static bool is_smaller(const field_choice *x, const field_choice *best)
{
    return best->field == 0 || x->size < best->size ||
           (x->size == best->size && sc_ratio_compare(&x->variance, &best->variance) < 0);
}

/* Among all primes below 4 A/B + 4: that of the least variance for bound NULL, else the smallest
 * table of a variance of at most bound. */
static void best_field(const scrim_local_config *c, field_size size_of,
                       const sc_ratio *bound, field_choice *best)
{
    const uint64_t end = 4 * (uint64_t)c->a / c->b + 4;
    scrim_local_config tried = *c;
    SC_OWN(field_choice, x);
    SC_OWN(sc_protocol_facts, facts);
    for (x.field = 2; x.field <= end && x.field < FIELD_MAX; x.field++) {
        if (!is_prime(x.field) || !size_of(c, x.field, &x.digits, &x.size))
            continue;
        tried.field = x.field;
        tried.digits = x.digits;
        (void)sc_protocol_find(&tried, &facts);
        sc_ratio_set(&x.variance, &facts.var_at_0);
        const bool is_better =
            bound == NULL
                ? best->field == 0 || sc_ratio_compare(&x.variance, &best->variance) < 0
                : sc_ratio_compare(&x.variance, bound) <= 0 && is_smaller(&x, best);
        if (!is_better)
            continue;
        best->field = x.field;
        best->digits = x.digits;
        best->size = x.size;
        sc_ratio_set(&best->variance, &x.variance);
    }
}

/* Within a hundredth of the least variance, the smallest table. */
static scrim_status choose_field(scrim_local_config *c, field_size size_of,
                                 scrim_error *error)
{
    uint64_t size = 0;
    SC_OWN(field_choice, least, best);
    SC_OWN(sc_ratio, slack);
    if (c->field != 0) {
        const bool fits = size_of(c, c->field, &best.digits, &size);
        c->digits = c->digits == 0 && fits ? best.digits : c->digits;
        return SCRIM_OK;
    }
    best_field(c, size_of, NULL, &least);
    if (least.field == 0)
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "values",
                                 "too many for the protocol");
    sc_ratio_set_quotient(&slack, 101, 100);
    sc_ratio_mul(&slack, &slack, &least.variance);
    best_field(c, size_of, &slack, &best);
    c->field = best.field;
    c->digits = best.digits;
    return SCRIM_OK;
}

/* Others. */

/* Has x a smaller variance than y? */
static bool is_better(const scrim_local_config *x, const scrim_local_config *y)
{
    SC_OWN(sc_protocol_facts, of_x, of_y);
    (void)sc_protocol_find(x, &of_x);
    (void)sc_protocol_find(y, &of_y);
    return sc_ratio_compare(&of_x.var_at_0, &of_y.var_at_0) < 0;
}

/* The better of floor and ceil of k B/(A + B), within 1 .. k-1. */
static void choose_chosen(scrim_local_config *c)
{
    const uint64_t d = (uint64_t)c->values * c->b / ((uint64_t)c->a + c->b);
    scrim_local_config next = *c;
    c->chosen = d == 0 ? 1 : (uint32_t)d;
    next.chosen = c->chosen + 1;
    if (next.chosen < c->values && is_better(&next, c))
        c->chosen = next.chosen;
}

/* The first number of cells, among powers of two, beyond which the variance grows. */
static void choose_cells(scrim_local_config *c)
{
    scrim_local_config next = *c;
    c->cells = 2;
    for (next.cells = 4; next.cells <= 65536 && is_better(&next, c); next.cells *= 2)
        c->cells = next.cells;
}

static void choose_blocks(scrim_local_config *c)
{
    c->blocks = c->blocks == 0 ? 1 : c->blocks;
    if (c->order == 0)
        for (c->order = 4; (uint64_t)c->blocks * (c->order - 1) < c->values;)
            c->order *= 2;
}

/* ln((m+2w)/V) + (2w+1) E ln(E)/V, V = (2w+1) E + m-1, E = A/B. */
static void wave_score(const scrim_local_config *c, uint32_t w, sc_ball *out)
{
    const long bits = 128;
    const int64_t wide = 2 * (int64_t)w + 1;
    SC_OWN(sc_ball, ratio, volume, part);
    sc_ball_set_int64(&ratio, c->a);
    sc_ball_div_int64(&ratio, &ratio, c->b, bits);
    sc_ball_mul_int64(&volume, &ratio, wide, bits);
    sc_ball_add_int64(&volume, &volume, (int64_t)c->values - 1, bits);
    sc_ball_set_int64(&part, (int64_t)c->values + wide - 1);
    sc_ball_div(&part, &part, &volume, bits);
    sc_ball_log(&part, &part, bits);
    sc_ball_log(out, &ratio, bits);
    sc_ball_mul(out, out, &ratio, bits);
    sc_ball_mul_int64(out, out, wide, bits);
    sc_ball_div(out, out, &volume, bits);
    sc_ball_add(out, out, &part, bits);
}

/* The place from which the score falls: it rises before. */
static void choose_width(scrim_local_config *c)
{
    uint32_t low = 0, high = c->values;
    SC_OWN(sc_ball, here, next);
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        wave_score(c, middle, &here);
        wave_score(c, middle + 1, &next);
        if (sc_ball_is_less(&here, &next))
            low = middle + 1;
        else
            high = middle;
    }
    c->width = low;
}

/* From 16 bits on in steps of 4, or of as many as leave no more groups than there can be. */
static void choose_prefixes(scrim_local_config *c)
{
    const uint32_t length = 8 * c->text;
    uint32_t at = length < 16 ? length : 16, step = 4;
    while (at + (SCRIM_LOCAL_PREFIXES - 1) * step < length)
        step++;
    c->prefixes = 0;
    for (; at < length; at += step)
        c->prefix[c->prefixes++] = (uint8_t)at;
    c->prefix[c->prefixes++] = (uint8_t)length;
}

/* floor(2^32 (E e - 1)/((E - 1)(e + 1))), e = exp(first), E = A/B. */
static bool keep_of(const scrim_local_config *c, const sc_ratio *first, uint64_t *out)
{
    bool known = false;
    SC_OWN(sc_ball, e, above);
    SC_OWN(sc_integer, whole);
    for (long bits = 256; !known && bits <= 65536; bits *= 2) {
        sc_ball_set_ratio(&e, first, bits);
        sc_ball_exp(&e, &e, bits);
        sc_ball_mul_int64(&above, &e, c->a, bits);
        sc_ball_add_int64(&above, &above, -(int64_t)c->b, bits);
        sc_ball_add_int64(&e, &e, 1, bits);
        sc_ball_mul_int64(&e, &e, (int64_t)c->a - c->b, bits);
        sc_ball_div(&above, &above, &e, bits);
        sc_ball_mul_power2(&above, &above, 32);
        known = sc_ball_floor(&above, &whole) && sc_integer_get_uint64(&whole, out);
    }
    return known;
}

static scrim_status choose_keep(scrim_local_config *c, const sc_ratio *epsilon,
                                const sc_ratio *first, scrim_error *error)
{
    uint64_t keep = 0;
    SC_OWN(sc_ratio, half);
    sc_ratio_set_quotient(&half, 1, 2);
    sc_ratio_mul(&half, epsilon, &half);
    if (!keep_of(c, first == NULL ? &half : first, &keep) || keep >= WHOLE ||
        keep <= WHOLE / 2)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "first",
                                 "must be above 0 and below epsilon");
    c->keep = (uint32_t)keep;
    return SCRIM_OK;
}

/* f = 2/(1 + exp(epsilon/(2h))), and of a single bit 2/(1 + exp(epsilon)); rounded up. */
static scrim_status choose_f(scrim_local_config *c, const sc_ratio *epsilon,
                             scrim_error *error)
{
    const uint64_t hashes = c->hashes == 0 ? 1 : c->hashes;
    const uint64_t parts = c->hashes == 0 && c->bits == 1 ? 1 : 2 * hashes;
    uint64_t f = 0;
    if (!floor_of(epsilon, parts, FORM_SHARE, 2 * WHOLE, &f) || f + 1 >= WHOLE)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
                                 "too small to be told from no answer");
    c->f = (uint32_t)f + 1;
    return SCRIM_OK;
}

/* 20 scales beyond the range, where noise has a probability of exp(-20); and no more coins than the
 * device throws. */
#define SCALES 20
#define COINS ((uint64_t)1 << 20)

static void choose_reach(scrim_local_config *c, const sc_ratio *epsilon)
{
    const uint64_t m = c->values - 1, room = m < COINS ? COINS - m : 0;
    uint64_t reach = 0;
    SC_OWN(sc_ratio, exact);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&exact, SCALES * (int64_t)m);
    sc_ratio_div(&exact, &exact, epsilon);
    sc_ratio_ceil(&exact, &whole);
    c->width =
        (uint32_t)(sc_integer_get_uint64(&whole, &reach) && reach < room ? reach : room);
}

#define CONDENSED_STEPS 20

/* Half of epsilon is enough for the distance of the two ends, and the other half for sums of weights that differ. Both
 * are not needed in full: the loss of a steeper fall, up to twice, is looked for. */
static scrim_status choose_condensed(scrim_local_config *c, const sc_ratio *epsilon,
                                     scrim_error *error)
{
    const uint64_t parts = 2 * (uint64_t)sl_metric_diameter(c);
    uint64_t enough = 0;
    SC_OWN(sc_ratio, wider, part);
    SC_OWN(sc_ball, loss, most);
    sc_ball_set_ratio(&most, epsilon, 128);
    for (uint64_t bit = (uint64_t)1 << (CONDENSED_STEPS - 1); bit > 0; bit /= 2) {
        sc_ratio_set_quotient(
            &part, (int64_t)((uint64_t)1 << CONDENSED_STEPS) + (int64_t)(enough + bit),
            (int64_t)1 << CONDENSED_STEPS);
        sc_ratio_mul(&wider, epsilon, &part);
        if (choose_step(c, &wider, parts, NULL) != SCRIM_OK)
            continue;
        sc_protocol_loss(c, 1, 128, &loss);
        enough += sc_ball_is_less_equal(&loss, &most) ? bit : 0;
    }
    sc_ratio_set_quotient(&part,
                          (int64_t)((uint64_t)1 << CONDENSED_STEPS) + (int64_t)enough,
                          (int64_t)1 << CONDENSED_STEPS);
    sc_ratio_mul(&wider, epsilon, &part);
    return choose_step(c, &wider, parts, error);
}

scrim_status sc_protocol_choose_alpha(scrim_local_config *c, const sc_ratio *alpha,
                                      scrim_error *error)
{
    SC_OWN(sc_ratio, step, slack);
    if (c->protocol == SCRIM_LOCAL_GEOMETRIC)
        return choose_step(c, alpha, 1, error);
    /* Draws that are not quite uniform cost less than 2^-30. */
    sc_ratio_set_quotient(&slack, 1, (int64_t)1 << 30);
    sc_ratio_sub(&step, alpha, &slack);
    return choose_step(c, &step, 2, error);
}

/* Sets the parameters that determine the loss, for each protocol. */
static scrim_status choose_ratio(scrim_local_config *c, const sc_ratio *epsilon,
                                 scrim_error *error)
{
    switch (c->protocol) {
    case SCRIM_LOCAL_SYMMETRIC_UNARY:
        return choose_bit(c, epsilon, 2, error);
    case SCRIM_LOCAL_BIT_FLIP:
        return choose_bit(c, epsilon, c->chosen == 1 ? 1 : 2, error);
    case SCRIM_LOCAL_OPTIMISED_UNARY:
    case SCRIM_LOCAL_REPEATED_UNARY:
        return choose_bit(c, epsilon, 1, error);
    case SCRIM_LOCAL_LAPLACE:
    case SCRIM_LOCAL_GEOMETRIC:
        return choose_step(c, epsilon, c->values - 1, error);
    case SCRIM_LOCAL_CONDENSED:
        return choose_condensed(c, epsilon, error);
    case SCRIM_LOCAL_RAPPOR:
        return c->f == 0 ? choose_f(c, epsilon, error) : SCRIM_OK;
    default:
        return choose_set(c, epsilon, error);
    }
}

#define BUCKETS 16 /* of bit-flip, where nothing is said */

scrim_status sc_protocol_choose(scrim_local_config *c, const sc_ratio *epsilon,
                                const sc_ratio *first, scrim_error *error)
{
    if (c->protocol == SCRIM_LOCAL_BIT_FLIP && c->chosen == 0)
        c->chosen = c->values < BUCKETS ? c->values : BUCKETS;
    scrim_status status = c->a == 0 ? choose_ratio(c, epsilon, error) : SCRIM_OK;
    if (status == SCRIM_OK && c->protocol != SCRIM_LOCAL_RAPPOR && c->a <= c->b)
        status = sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
                                   "too small to be told from no answer");
    if (status != SCRIM_OK)
        return status;
    switch (c->protocol) {
    case SCRIM_LOCAL_PROJECTIVE:
        return choose_field(c, geometry_size, error);
    case SCRIM_LOCAL_HASHING:
        return choose_field(c, hash_size, error);
    case SCRIM_LOCAL_SUBSET:
        if (c->chosen == 0)
            choose_chosen(c);
        return SCRIM_OK;
    case SCRIM_LOCAL_HADAMARD:
        choose_blocks(c);
        return SCRIM_OK;
    case SCRIM_LOCAL_REPEATED_UNARY:
        return c->keep == 0 ? choose_keep(c, epsilon, first, error) : SCRIM_OK;
    case SCRIM_LOCAL_PREFIX:
        if (c->prefixes == 0)
            choose_prefixes(c);
        if (c->cells == 0)
            choose_cells(c);
        return SCRIM_OK;
    case SCRIM_LOCAL_TEXT_HASHING:
        if (c->cells == 0)
            choose_cells(c);
        return SCRIM_OK;
    case SCRIM_LOCAL_SQUARE_WAVE:
        if (c->width == 0)
            choose_width(c);
        return SCRIM_OK;
    case SCRIM_LOCAL_LAPLACE:
        if (c->width == 0)
            choose_reach(c, epsilon);
        return SCRIM_OK;
    default:
        return SCRIM_OK;
    }
}
