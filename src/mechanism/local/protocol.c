#include "mechanism/local/protocol.h"

#include "base/checked.h"
#include "local/device/number_encoders.h"

#define WHOLE ((uint64_t)1 << 32) /* keep, flip, f, p and q are parts of it */

void sc_protocol_fraction(sc_ratio *out, sc_uint128 above, sc_uint128 below)
{
    SC_OWN(sc_integer, n, d);
    sc_integer_set_uint128(&n, above);
    sc_integer_set_uint128(&d, below);
    sc_ratio_set_fraction(out, &n, &d);
}

sc_protocol_question sc_protocol_asks(const scrim_local_config *c)
{
    return c->protocol <= SCRIM_LOCAL_REPEATED_UNARY ? SC_PROTOCOL_COUNTS
           : c->protocol <= SCRIM_LOCAL_RAPPOR       ? SC_PROTOCOL_TEXTS
                                                     : SC_PROTOCOL_NUMBERS;
}

sc_geometry sc_protocol_geometry(uint32_t field, uint32_t digits)
{
    sc_geometry g = {0, 0, 0};
    for (uint32_t i = 0; i < digits; i++)
        g = (sc_geometry){g.points * field + 1, g.points, g.on_one};
    return g;
}

/* Support. */

/* A report names one of `cells` cells: that of the value with weight A, each other one with weight B. */
static bool one_cell(const scrim_local_config *c, uint64_t cells, sc_ratio *p)
{
    sc_protocol_fraction(p, c->a, c->a + (sc_uint128)(cells - 1) * c->b);
    return true;
}

static bool hashed(const scrim_local_config *c, uint64_t cells, sc_ratio *p, sc_ratio *q)
{
    sc_protocol_fraction(q, 1, cells);
    return one_cell(c, cells, p);
}

static bool response(const scrim_local_config *c, sc_ratio *p, sc_ratio *q)
{
    sc_protocol_fraction(q, c->b, c->a + (sc_uint128)(c->values - 1) * c->b);
    return one_cell(c, c->values, p);
}

static bool projective(const scrim_local_config *c, sc_ratio *p, sc_ratio *q)
{
    const sc_geometry g = sc_protocol_geometry(c->field, c->digits);
    const sc_uint128 on = g.on_one, off = g.points - g.on_one;
    const sc_uint128 whole = on * c->a + off * c->b;
    sc_protocol_fraction(p, on * c->a, whole);
    sc_protocol_fraction(q, (sc_uint128)g.on_two * c->a + (on - g.on_two) * c->b, whole);
    return true;
}

static bool subset(const scrim_local_config *c, sc_ratio *p, sc_ratio *q)
{
    const sc_uint128 d = c->chosen, whole = d * c->a + (sc_uint128)(c->values - d) * c->b;
    sc_protocol_fraction(p, d * c->a, whole);
    sc_protocol_fraction(q, d * (whole - c->a), whole * (c->values - 1));
    return true;
}

/* A bit that is true with probability A / (A + B). */
static bool coin(const scrim_local_config *c, sc_ratio *p, sc_ratio *q)
{
    sc_protocol_fraction(p, c->a, (sc_uint128)c->a + c->b);
    sc_protocol_fraction(q, c->b, (sc_uint128)c->a + c->b);
    return true;
}

static bool optimised_unary(const scrim_local_config *c, sc_ratio *p, sc_ratio *q)
{
    (void)coin(c, p, q);
    sc_protocol_fraction(p, 1, 2);
    return true;
}

/* A bit that is 1 with probability above / below, and is then kept with probability keep / 2^32, else flipped. */
static void keep_bit(uint64_t above, uint64_t below, uint64_t keep, sc_ratio *out)
{
    sc_protocol_fraction(
        out, (sc_uint128)above * keep + (sc_uint128)(below - above) * (WHOLE - keep),
        (sc_uint128)below * WHOLE);
}

static bool repeated_unary(const scrim_local_config *c, sc_ratio *p, sc_ratio *q)
{
    sc_protocol_fraction(p, 1, 2);
    keep_bit(c->b, (uint64_t)c->a + c->b, c->keep, q);
    return true;
}

static bool rounded_bit(const scrim_local_config *c, sc_ratio *p, sc_ratio *q)
{
    keep_bit(c->a, (uint64_t)c->a + c->b, WHOLE - c->flip, p);
    keep_bit(c->b, (uint64_t)c->a + c->b, WHOLE - c->flip, q);
    return true;
}

/* The permanent bit is 1 with probability above / 2^33. The report's bit is 1 with probability q / 2^32 if the permanent bit is 1, else
 * with p / 2^32. */
static void report_bit(const scrim_local_config *c, uint64_t above, sc_ratio *out)
{
    const bool is_permanent = c->p == 0 && c->q == 0;
    const sc_uint128 one = is_permanent ? WHOLE : c->q, zero = is_permanent ? 0 : c->p;
    sc_protocol_fraction(out, above * one + (2 * WHOLE - above) * zero,
                         2 * (sc_uint128)WHOLE * WHOLE);
}

static bool rappor(const scrim_local_config *c, sc_ratio *p, sc_ratio *q)
{
    report_bit(c, 2 * WHOLE - c->f, p);
    report_bit(c, c->f, q);
    return true;
}

static bool hadamard(const scrim_local_config *c, sc_ratio *p, sc_ratio *q)
{
    if (c->blocks != 1)
        return false;
    (void)coin(c, p, q);
    sc_protocol_fraction(q, 1, 2);
    return true;
}

bool sc_protocol_support(const scrim_local_config *c, sc_ratio *p, sc_ratio *q)
{
    switch (c->protocol) {
    case SCRIM_LOCAL_RESPONSE:
        return response(c, p, q);
    case SCRIM_LOCAL_PROJECTIVE:
        return projective(c, p, q);
    case SCRIM_LOCAL_SUBSET:
        return subset(c, p, q);
    case SCRIM_LOCAL_SYMMETRIC_UNARY:
    case SCRIM_LOCAL_BIT_FLIP:
    case SCRIM_LOCAL_ONE_BIT:
        return coin(c, p, q);
    case SCRIM_LOCAL_OPTIMISED_UNARY:
        return optimised_unary(c, p, q);
    case SCRIM_LOCAL_HASHING:
        return hashed(c, c->field, p, q);
    case SCRIM_LOCAL_HADAMARD:
        return hadamard(c, p, q);
    case SCRIM_LOCAL_REPEATED_UNARY:
        return repeated_unary(c, p, q);
    case SCRIM_LOCAL_TEXT_HASHING:
    case SCRIM_LOCAL_PREFIX:
        return hashed(c, c->cells, p, q);
    case SCRIM_LOCAL_RAPPOR:
        return rappor(c, p, q);
    case SCRIM_LOCAL_ROUNDED_BIT:
        return rounded_bit(c, p, q);
    default:
        return false;
    }
}

bool sc_protocol_is_pure(const scrim_local_config *c)
{
    return (c->protocol <= SCRIM_LOCAL_PREFIX && c->protocol != SCRIM_LOCAL_BIT_FLIP &&
            (c->protocol != SCRIM_LOCAL_HADAMARD || c->blocks == 1)) ||
           (c->protocol == SCRIM_LOCAL_RAPPOR && c->hashes == 0);
}

/* Variances. */

/* p (1-p) / spread^2. */
static void bit_variance(const sc_ratio *p, const sc_ratio *spread, sc_ratio *out)
{
    SC_OWN(sc_ratio, rest);
    sc_ratio_set_int64(&rest, 1);
    sc_ratio_sub(&rest, &rest, p);
    sc_ratio_mul(out, p, &rest);
    sc_ratio_div(out, out, spread);
    sc_ratio_div(out, out, spread);
}

static void scale(sc_ratio *x, sc_uint128 above, sc_uint128 below)
{
    SC_OWN(sc_ratio, factor);
    sc_protocol_fraction(&factor, above, below);
    sc_ratio_mul(x, x, &factor);
}

static void set_pure(const sc_ratio *p, const sc_ratio *q, sc_protocol_facts *out)
{
    SC_OWN(sc_ratio, spread);
    sc_ratio_sub(&spread, p, q);
    bit_variance(q, &spread, &out->var_at_0);
    bit_variance(p, &spread, &out->var_at_1);
    sc_ratio_div(&out->drop, q, &spread);
    sc_ratio_set_int64(&out->raise, 1);
    sc_ratio_sub(&out->raise, &out->raise, q);
    sc_ratio_div(&out->raise, &out->raise, &spread);
}

/* W of one block over b/2: A + (2J-1)B. */
static sc_uint128 block_weight(const scrim_local_config *c)
{
    return c->a + (sc_uint128)(2 * (uint64_t)c->blocks - 1) * c->b;
}

void sc_protocol_hadamard_factor(const scrim_local_config *c, sc_ratio *out)
{
    sc_protocol_fraction(out, block_weight(c), c->a - c->b);
}

/* F^2 weight / (A + (2J-1)B) = weight (A + (2J-1)B) / (A-B)^2. */
static void hadamard_variance(const scrim_local_config *c, uint64_t weight, sc_ratio *out)
{
    sc_protocol_hadamard_factor(c, out);
    scale(out, weight, c->a - c->b);
}

static void set_hadamard(const scrim_local_config *c, sc_protocol_facts *out)
{
    SC_OWN(sc_ratio, one);
    sc_ratio_set_int64(&one, 1);
    hadamard_variance(c, (uint64_t)c->a + c->b, &out->var_at_0);
    sc_ratio_sub(&out->var_at_1, &out->var_at_0, &one);
    sc_protocol_hadamard_factor(c, &out->raise);
    sc_ratio_set(&out->drop, &out->raise);
}

/* (k/d) A B/(A-B)^2, and k/d - 1 more for a device that holds the value. */
static void set_bit_flip(const scrim_local_config *c, sc_protocol_facts *out)
{
    const uint64_t k = c->values, d = c->chosen, apart = c->a - c->b;
    SC_OWN(sc_ratio, more);
    sc_protocol_fraction(&out->var_at_0, (sc_uint128)c->a * c->b,
                         (sc_uint128)apart * apart);
    scale(&out->var_at_0, k, d);
    sc_protocol_fraction(&more, k - d, d);
    sc_ratio_add(&out->var_at_1, &out->var_at_0, &more);
    sc_protocol_fraction(&out->raise, (sc_uint128)k * c->a, (sc_uint128)d * apart);
    sc_protocol_fraction(&out->drop, (sc_uint128)k * c->b, (sc_uint128)d * apart);
}

/* Numbers. */

static sc_uint128 sum_to(uint64_t n) /* 0 + ... + n-1 */
{
    return (sc_uint128)n * (n - (n > 0)) / 2;
}

static sc_uint128 sum_of_squares_to(uint64_t n)
{
    return n == 0 ? 0 : sum_to(n) * (2 * n - 1) / 3;
}

/* The mean of z, or of its square, times W, where total is its sum over all outputs and near its
 * sum over those of x. */
static void set_moment(const scrim_local_config *c, sc_uint128 total, sc_uint128 near,
                       sc_ratio *out)
{
    sc_protocol_fraction(out, c->b * total + (c->a - c->b) * near, 1);
}

/* square-wave: the weight W, and the number of outputs. */
static sc_uint128 wave_weight(const scrim_local_config *c)
{
    return (2 * (sc_uint128)c->width + 1) * c->a + (sc_uint128)(c->values - 1) * c->b;
}

static uint64_t wave_outputs(const scrim_local_config *c)
{
    return (uint64_t)c->values + 2 * (uint64_t)c->width;
}

/* x^ = (z W - B S)/((A-B)(2w+1)) - w: the variance of z W over that divisor's square. */
static void wave_variance(const scrim_local_config *c, uint64_t x, sc_ratio *out)
{
    const uint64_t n = wave_outputs(c), end = x + 2 * (uint64_t)c->width + 1;
    SC_OWN(sc_ratio, mean);
    set_moment(c, sum_to(n), sum_to(end) - sum_to(x), &mean);
    sc_ratio_mul(&mean, &mean, &mean);
    set_moment(c, sum_of_squares_to(n), sum_of_squares_to(end) - sum_of_squares_to(x),
               out);
    scale(out, wave_weight(c), 1);
    sc_ratio_sub(out, out, &mean);
    const sc_uint128 divisor = (sc_uint128)(c->a - c->b) * (end - x);
    scale(out, 1, divisor);
    scale(out, 1, divisor);
}

/* x^ of an output. */
static void wave_estimate(const scrim_local_config *c, uint64_t z, sc_ratio *out)
{
    SC_OWN(sc_ratio, part);
    sc_protocol_fraction(out, z * wave_weight(c), 1);
    sc_protocol_fraction(&part, c->b * sum_to(wave_outputs(c)), 1);
    sc_ratio_sub(out, out, &part);
    scale(out, 1, (sc_uint128)(c->a - c->b) * (2 * (uint64_t)c->width + 1));
    sc_ratio_set_int64(&part, c->width);
    sc_ratio_sub(out, out, &part);
}

/* A bit that is 1 with Q + (x/m)(P - Q). */
static void mean_bit_variance(const scrim_local_config *c, uint64_t x, sc_ratio *out)
{
    const uint64_t m = c->values - 1;
    SC_OWN(sc_ratio, p, q);
    if (!sc_protocol_support(c, &p, &q))
        return;
    sc_ratio_sub(&p, &p, &q);
    sc_ratio_set(out, &p);
    scale(out, x, m);
    sc_ratio_add(&q, out, &q);
    bit_variance(&q, &p, out);
    scale(out, (sc_uint128)m * m, 1);
}

void sc_protocol_number_variance(const scrim_local_config *c, uint64_t x, sc_ratio *out)
{
    if (c->protocol == SCRIM_LOCAL_SQUARE_WAVE) {
        wave_variance(c, x, out);
    } else if (c->protocol == SCRIM_LOCAL_LAPLACE) {
        sc_protocol_fraction(out, 2 * (sc_uint128)c->a * c->b, c->a - c->b);
        scale(out, 1, c->a - c->b);
    } else {
        mean_bit_variance(c, x, out);
    }
}

static void set_number(const scrim_local_config *c, sc_protocol_facts *out)
{
    SC_OWN(sc_ratio, p, q);
    if (c->protocol == SCRIM_LOCAL_SQUARE_WAVE) {
        wave_estimate(c, wave_outputs(c) - 1, &out->raise);
        wave_estimate(c, 0, &out->drop);
        sc_ratio_sub(&out->drop, &q, &out->drop); /* q is 0 */
    } else if (c->protocol == SCRIM_LOCAL_LAPLACE) {
        /* A report at an end stands for numbers that lie b/(a - b) further out. */
        sc_ratio_set_quotient(&p, c->b, (int64_t)c->a - c->b);
        sc_ratio_set_int64(&out->raise, (int64_t)c->values - 1 + c->width);
        sc_ratio_add(&out->raise, &out->raise, &p);
        sc_ratio_set_int64(&out->drop, c->width);
        sc_ratio_add(&out->drop, &out->drop, &p);
    } else if (sc_protocol_support(c, &p, &q)) {
        set_pure(&p, &q, out);
        scale(&out->raise, c->values - 1, 1);
        scale(&out->drop, c->values - 1, 1);
    }
    sc_protocol_number_variance(c, 0, &out->var_at_0);
    sc_protocol_number_variance(c, c->values - 1, &out->var_at_1);
}

/* All of it. */

static uint64_t targets_of(const scrim_local_config *c)
{
    switch (c->protocol) {
    case SCRIM_LOCAL_RESPONSE:
        return 1;
    case SCRIM_LOCAL_PROJECTIVE: {
        const uint64_t on_one = sc_protocol_geometry(c->field, c->digits).on_one;
        return on_one < c->values ? on_one : c->values;
    }
    case SCRIM_LOCAL_SUBSET:
    case SCRIM_LOCAL_BIT_FLIP:
        return c->chosen;
    case SCRIM_LOCAL_HADAMARD:
        return c->order - 1 < c->values ? c->order - 1 : c->values;
    case SCRIM_LOCAL_TEXT_HASHING:
    case SCRIM_LOCAL_PREFIX:
        return UINT64_MAX; /* the seed 0: every text */
    case SCRIM_LOCAL_RAPPOR:
        return c->bits;
    default:
        return sc_protocol_asks(c) == SC_PROTOCOL_NUMBERS ? 1 : c->values;
    }
}

void sc_protocol_facts_init(sc_protocol_facts *f)
{
    *f = (sc_protocol_facts){.is_pure = false};
    sc_ratio_init(&f->var_at_0);
    sc_ratio_init(&f->var_at_1);
    sc_ratio_init(&f->raise);
    sc_ratio_init(&f->drop);
}

void sc_protocol_facts_clear(sc_protocol_facts *f)
{
    sc_ratio_clear(&f->var_at_0);
    sc_ratio_clear(&f->var_at_1);
    sc_ratio_clear(&f->raise);
    sc_ratio_clear(&f->drop);
}

bool sc_protocol_find(const scrim_local_config *c, sc_protocol_facts *out)
{
    SC_OWN(sc_ratio, p, q);
    if (c->protocol > SCRIM_LOCAL_LAPLACE)
        return false;
    out->is_pure = sc_protocol_is_pure(c);
    out->targets = targets_of(c);
    if (sc_protocol_asks(c) == SC_PROTOCOL_NUMBERS)
        set_number(c, out);
    else if (c->protocol == SCRIM_LOCAL_HADAMARD)
        set_hadamard(c, out);
    else if (c->protocol == SCRIM_LOCAL_BIT_FLIP)
        set_bit_flip(c, out);
    else if (sc_protocol_support(c, &p, &q))
        set_pure(&p, &q, out);
    return true;
}

sc_protocol_integers sc_protocol_integers_of(const scrim_local_config *config)
{
    switch (config->protocol) {
    case SCRIM_LOCAL_PROJECTIVE:
        return (sc_protocol_integers){
            (uint32_t)sc_protocol_geometry(config->field, config->digits).points, 1};
    case SCRIM_LOCAL_HASHING:
        return (sc_protocol_integers){
            (uint32_t)sc_size_power(config->field, config->digits), config->field};
    case SCRIM_LOCAL_HADAMARD:
        return (sc_protocol_integers){config->blocks * config->order, 1};
    case SCRIM_LOCAL_SQUARE_WAVE:
    case SCRIM_LOCAL_LAPLACE:
        return (sc_protocol_integers){config->values + 2 * config->width, 1};
    case SCRIM_LOCAL_ONE_BIT:
    case SCRIM_LOCAL_ROUNDED_BIT:
        return (sc_protocol_integers){2, 1};
    default:
        return (sc_protocol_integers){config->values, 1};
    }
}

/* above / below. */
static void set_quotient(sc_ball *out, uint64_t above, uint64_t below, long bits)
{
    SC_OWN(sc_ball, divisor);
    sc_ball_set_int128(out, (sc_int128)above);
    sc_ball_set_int128(&divisor, (sc_int128)below);
    sc_ball_div(out, out, &divisor, bits);
}

/* A stored bit that is 1 with odds a : b under one value and b : a under the other; each of the
 * reports has the likelihood ratio 1/x for it: ln((a + b x^r)/(b + a x^r)), of which that of any
 * number is ln(a/b). Not finite for b = 0 and any number. */
static void stored_bit(uint64_t a, uint64_t b, const sc_ball *x, uint64_t reports,
                       long bits, sc_ball *out)
{
    SC_OWN(sc_ball, power, part, below);
    if (reports > 0)
        sc_ball_power(&power, x, reports, bits);
    sc_ball_set_int128(out, (sc_int128)b);
    sc_ball_set_int128(&part, (sc_int128)a);
    sc_ball_mul(&below, &power, &part, bits);
    sc_ball_add(&below, &below, out, bits);
    sc_ball_mul(out, &power, out, bits);
    sc_ball_add(out, out, &part, bits);
    sc_ball_div(out, out, &below, bits);
    sc_ball_log(out, out, bits);
}

/* h (g(r ln(q/p)) + g(r ln((1-p)/(1-q)))), and of a single bit the larger g. */
static void rappor_loss(const scrim_local_config *c, uint64_t reports, long bits,
                        sc_ball *out)
{
    const uint64_t whole = (uint64_t)1 << 32;
    const uint64_t on = 2 * whole - c->f;
    const bool is_permanent = c->p == 0 && c->q == 0;
    const uint64_t seen = is_permanent ? 0 : reports;
    SC_OWN(sc_ball, x, zero);
    if (!is_permanent)
        set_quotient(&x, c->p, c->q, bits);
    stored_bit(on, c->f, &x, seen, bits, out);
    if (!is_permanent)
        set_quotient(&x, whole - c->q, whole - c->p, bits);
    stored_bit(on, c->f, &x, seen, bits, &zero);
    if (c->hashes == 0 && c->bits == 1) {
        if (sc_ball_is_less(out, &zero))
            sc_ball_set(out, &zero);
        return;
    }
    sc_ball_add(out, out, &zero, bits);
    sc_ball_mul_int64(out, out, c->hashes == 0 ? 1 : c->hashes, bits);
}

/* condensed-exponential of |x-y|: w(0)/w(m) times the largest sum of weights, and 1 for draws that are not
 * quite uniform, over the smallest sum: that of the middle and that of an end. */
static void condensed_loss(const scrim_local_config *c, long bits, sc_ball *out)
{
    const uint32_t last = c->values - 1, middle = last / 2;
    uint64_t weight = (uint64_t)1 << 31, end = 0, most = 0, farthest = weight;
    SC_OWN(sc_ball, sums);
    for (uint32_t t = 0; t <= last; t++) {
        end += weight;
        most += (t <= middle ? weight : 0) + (t > 0 && t <= last - middle ? weight : 0);
        farthest = weight;
        weight = (weight * c->b + c->a - 1) / c->a;
    }
    set_quotient(out, (uint64_t)1 << 31, farthest, bits);
    set_quotient(&sums, most + 1, end, bits);
    sc_ball_mul(out, out, &sums, bits);
    sc_ball_log(out, out, bits);
}

/* The same of a table: w(0)/w(diameter) times the largest sum of weights and 1, over the smallest sum. */
static void declared_loss(const scrim_local_config *c, long bits, sc_ball *out)
{
    uint64_t weights[SL_METRIC_VALUES] = {(uint64_t)1 << 31}, least = UINT64_MAX,
             most = 0;
    SC_OWN(sc_ball, sums);
    if (c->table == NULL) {
        sc_ball_set_infinite(out);
        return;
    }
    for (uint32_t t = 1; t < SL_METRIC_VALUES; t++)
        weights[t] = (weights[t - 1] * c->b + c->a - 1) / c->a;
    for (uint32_t x = 0; x < c->values; x++) {
        uint64_t sum = 0;
        for (uint32_t z = 0; z < c->values; z++)
            sum += weights[sl_metric_distance(c, x, z)];
        least = sum < least ? sum : least;
        most = sum > most ? sum : most;
    }
    set_quotient(out, weights[0], weights[sl_metric_diameter(c)], bits);
    set_quotient(&sums, most + 1, least, bits);
    sc_ball_mul(out, out, &sums, bits);
    sc_ball_log(out, out, bits);
}

/* How many times ln(A/B) the loss is. */
static int64_t times_of(const scrim_local_config *c)
{
    switch (c->protocol) {
    case SCRIM_LOCAL_SYMMETRIC_UNARY:
        return 2;
    case SCRIM_LOCAL_BIT_FLIP:
        return c->chosen > 1 ? 2 : 1;
    case SCRIM_LOCAL_LAPLACE:
    case SCRIM_LOCAL_GEOMETRIC:
        return (int64_t)c->values - 1;
    default:
        return 1;
    }
}

void sc_protocol_loss(const scrim_local_config *c, uint64_t reports, long bits,
                      sc_ball *out)
{
    const uint64_t whole = (uint64_t)1 << 32;
    SC_OWN(sc_ball, x);
    if (c->protocol == SCRIM_LOCAL_RAPPOR) {
        rappor_loss(c, reports, bits, out);
    } else if (c->protocol == SCRIM_LOCAL_REPEATED_UNARY) {
        set_quotient(&x, whole - c->keep, c->keep, bits);
        stored_bit(c->a, c->b, &x, reports, bits, out);
    } else if (c->protocol == SCRIM_LOCAL_ROUNDED_BIT) {
        set_quotient(&x, c->flip, whole - c->flip, bits);
        stored_bit(c->a, c->b, &x, reports, bits, out);
    } else if (c->protocol == SCRIM_LOCAL_CONDENSED) {
        (c->metric == 0 ? condensed_loss : declared_loss)(c, bits, out);
    } else {
        set_quotient(out, c->a, c->b, bits);
        sc_ball_log(out, out, bits);
        sc_ball_mul_int64(out, out, times_of(c), bits);
    }
}
