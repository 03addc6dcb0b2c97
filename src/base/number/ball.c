#define SC_WITH_ARB
#include "base/number/ball.h"

#include "base/memory.h"
#include "base/number/ball_memory.h"
#include "base/reserve.h"
#include "base/work_limit.h"

#include <arb_hypgeom.h>
#include <fenv.h>
#include <math.h>
#include <string.h>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

_Static_assert(sizeof(fenv_t) <= sizeof(((sc_ball_scope *)NULL)->saved),
               "a scope holds the floating-point environment");
_Static_assert(sizeof(slong) == sizeof(int64_t), "Arb's long arguments take an int64_t");

/* The floating-point environment. */

/* FE_DFL_ENV covers rounding, traps and the precision of the x87. Whether it also stops
 * small numbers from being flushed to zero is up to the C library, so we see to that. */
static void install_default_environment(void)
{
    fesetenv(FE_DFL_ENV);
#if defined(__SSE__)
    _mm_setcsr(0x1f80); /* all exceptions masked, to nearest, no FTZ, no DAZ */
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(UINT64_C(0)));
#endif
}

void sc_ball_enter(sc_ball_scope *scope)
{
    fenv_t environment;
    sc_ball_memory_bind();
    fegetenv(&environment);
    memcpy(scope->saved, &environment, sizeof environment);
    install_default_environment();
}

void sc_ball_leave(const sc_ball_scope *scope)
{
    fenv_t environment;
    sc_ball_memory_settle();
    memcpy(&environment, scope->saved, sizeof environment);
    fesetenv(&environment);
}

/* Each operation counts its work, about one unit for each nanosecond (base/work_limit.h). */

static uint64_t square_of(long bits)
{
    const uint64_t size = bits > 0 ? (uint64_t)bits : 0;
    return size < UINT32_MAX ? size * size : UINT64_MAX / 2;
}

static void count_sum(long bits)
{
    sc_work_add(20 + (bits > 0 ? (uint32_t)bits / 32 : 0));
}

static void count_products(uint64_t times, long bits)
{
    sc_work_add_each(times, 20 + square_of(bits) / 8000);
}

/* One product; most have few bits. */
static void count_product(long bits)
{
    if (bits >= 0 && bits < 65536)
        sc_work_add(20 + (uint32_t)bits * (uint32_t)bits / 8000);
    else
        count_products(1, bits);
}

/* Exponentials or logarithms, or an operation that takes as long as `times` of them. */
static void count_functions(uint64_t times, long bits)
{
    sc_work_add_each(times, 200 + square_of(bits) / 200);
}

/* Memory. */

/* While the reserve of memory is low, every operation returns the ball of all numbers, which needs no memory. So bounds become
 * useless but never wrong, and sc_reserve_refusals tells the caller. */
static bool is_refused(sc_ball *out)
{
    if (!sc_reserve_is_low())
        return false;
    sc_reserve_note_refusal();
    arb_indeterminate(out->x);
    return true;
}

/* Setting. */

void sc_ball_init(sc_ball *out)
{
    arb_init(out->x);
}

void sc_ball_clear(sc_ball *x)
{
    arb_clear(x->x);
}

sc_ball *sc_balls_new(size_t count)
{
    sc_ball *balls = sc_allocate(count, sizeof *balls);
    for (size_t i = 0; balls != NULL && i < count; i++)
        sc_ball_init(&balls[i]);
    return balls;
}

void sc_balls_free(sc_ball *balls, size_t count)
{
    for (size_t i = 0; balls != NULL && i < count; i++)
        sc_ball_clear(&balls[i]);
    sc_free(balls);
}

void sc_ball_set_infinite(sc_ball *out)
{
    arb_pos_inf(out->x);
}

void sc_ball_take_smaller(sc_ball *out, const sc_ball *other)
{
    if (!sc_ball_is_finite(out) || sc_ball_is_less(other, out))
        sc_ball_set(out, other);
}

void sc_ball_set(sc_ball *out, const sc_ball *x)
{
    if (is_refused(out))
        return;
    arb_set(out->x, x->x);
}

void sc_ball_set_int64(sc_ball *out, int64_t value)
{
    arb_set_si(out->x, value);
}

void sc_ball_set_int128(sc_ball *out, sc_int128 value)
{
    SC_OWN(sc_integer, integer);
    sc_integer_set_int128(&integer, value);
    sc_ball_set_integer(out, &integer);
}

void sc_ball_set_integer(sc_ball *out, const sc_integer *value)
{
    if (is_refused(out))
        return;
    fmpz_t integer;
    fmpz_init(integer);
    fmpz_set_mpz(integer, value->z);
    arb_set_fmpz(out->x, integer);
    fmpz_clear(integer);
}

void sc_ball_set_ratio(sc_ball *out, const sc_ratio *value, long bits)
{
    count_products(4, bits);
    if (is_refused(out))
        return;
    fmpq_t ratio;
    fmpq_init(ratio);
    fmpq_set_mpq(ratio, value->q);
    arb_set_fmpq(out->x, ratio, bits);
    fmpq_clear(ratio);
}

void sc_ball_set_pi(sc_ball *out, long bits)
{
    if (is_refused(out))
        return;
    arb_const_pi(out->x, bits);
}

void sc_ball_set_union(sc_ball *out, const sc_ball *a, const sc_ball *b, long bits)
{
    if (is_refused(out))
        return;
    arb_union(out->x, a->x, b->x, bits);
}

/* Arithmetic. */

void sc_ball_add(sc_ball *out, const sc_ball *a, const sc_ball *b, long bits)
{
    count_sum(bits);
    if (is_refused(out))
        return;
    arb_add(out->x, a->x, b->x, bits);
}

void sc_ball_add_int64(sc_ball *out, const sc_ball *a, int64_t b, long bits)
{
    count_sum(bits);
    if (is_refused(out))
        return;
    arb_add_si(out->x, a->x, b, bits);
}

void sc_ball_sub(sc_ball *out, const sc_ball *a, const sc_ball *b, long bits)
{
    count_sum(bits);
    if (is_refused(out))
        return;
    arb_sub(out->x, a->x, b->x, bits);
}

void sc_ball_mul(sc_ball *out, const sc_ball *a, const sc_ball *b, long bits)
{
    count_product(bits);
    if (is_refused(out))
        return;
    arb_mul(out->x, a->x, b->x, bits);
}

void sc_ball_mul_int64(sc_ball *out, const sc_ball *a, int64_t b, long bits)
{
    count_product(bits);
    if (is_refused(out))
        return;
    arb_mul_si(out->x, a->x, b, bits);
}

void sc_ball_mul_power2(sc_ball *out, const sc_ball *a, long exponent)
{
    if (is_refused(out))
        return;
    arb_mul_2exp_si(out->x, a->x, exponent);
}

void sc_ball_div(sc_ball *out, const sc_ball *a, const sc_ball *b, long bits)
{
    count_products(2, bits);
    if (is_refused(out))
        return;
    arb_div(out->x, a->x, b->x, bits);
}

void sc_ball_div_int64(sc_ball *out, const sc_ball *a, int64_t b, long bits)
{
    count_products(2, bits);
    if (is_refused(out))
        return;
    arb_div_si(out->x, a->x, b, bits);
}

void sc_ball_neg(sc_ball *out, const sc_ball *a)
{
    if (is_refused(out))
        return;
    arb_neg(out->x, a->x);
}

void sc_ball_abs(sc_ball *out, const sc_ball *a)
{
    if (is_refused(out))
        return;
    arb_abs(out->x, a->x);
}

void sc_ball_exp(sc_ball *out, const sc_ball *a, long bits)
{
    count_functions(1, bits);
    if (is_refused(out))
        return;
    arb_exp(out->x, a->x, bits);
}

void sc_ball_expm1(sc_ball *out, const sc_ball *a, long bits)
{
    count_functions(1, bits);
    if (is_refused(out))
        return;
    arb_expm1(out->x, a->x, bits);
}

void sc_ball_log(sc_ball *out, const sc_ball *a, long bits)
{
    count_functions(1, bits);
    if (is_refused(out))
        return;
    arb_log(out->x, a->x, bits);
}

void sc_ball_log1p(sc_ball *out, const sc_ball *a, long bits)
{
    count_functions(1, bits);
    if (is_refused(out))
        return;
    arb_log1p(out->x, a->x, bits);
}

void sc_ball_sqrt(sc_ball *out, const sc_ball *a, long bits)
{
    count_products(2, bits);
    if (is_refused(out))
        return;
    arb_sqrt(out->x, a->x, bits);
}

void sc_ball_power(sc_ball *out, const sc_ball *a, uint64_t exponent, long bits)
{
    count_products((uint64_t)2 * sc_bit_length64(exponent), bits);
    if (is_refused(out))
        return;
    arb_pow_ui(out->x, a->x, exponent, bits);
}

void sc_ball_sinh(sc_ball *out, const sc_ball *a, long bits)
{
    count_functions(1, bits);
    if (is_refused(out))
        return;
    arb_sinh(out->x, a->x, bits);
}

void sc_ball_erfc(sc_ball *out, const sc_ball *a, long bits)
{
    count_functions(32, bits);
    if (is_refused(out))
        return;
    arb_hypgeom_erfc(out->x, a->x, bits);
}

void sc_ball_factorial(sc_ball *out, uint64_t n, long bits)
{
    count_functions(10, bits);
    if (is_refused(out))
        return;
    arb_fac_ui(out->x, n, bits);
}

void sc_ball_log_factorial(sc_ball *out, uint64_t n, long bits)
{
    count_functions(10, bits);
    if (is_refused(out))
        return;
    arb_t next;
    arb_init(next);
    arb_set_ui(next, n);
    arb_add_ui(next, next, 1, 128);
    arb_lgamma(out->x, next, bits);
    arb_clear(next);
}

void sc_ball_bernoulli(sc_ball *out, uint64_t n, long bits)
{
    count_functions(10, bits);
    if (is_refused(out))
        return;
    arb_bernoulli_ui(out->x, n, bits);
}

void sc_ball_widen(sc_ball *out, const sc_ball *radius)
{
    if (is_refused(out))
        return;
    arb_add_error(out->x, radius->x);
}

/* [0, 2 radius], or [1 - 2 radius, 1], for a radius of at least half the given width and
 * at most 1/2. Built from the outer end, so that it stays put when the radius is rounded.
 */
static void set_beside_end(arb_t out, int end, const arf_t width)
{
    arf_t half;
    arf_init(half);
    arf_mul_2exp_si(half, width, -1);
    arf_get_mag(arb_radref(out), half);
    mag_t bound;
    mag_init(bound);
    /* Nothing finer than 2^-4096: 1 - radius is exact and must stay short. */
    mag_set_ui_2exp_si(bound, 1, -4096);
    mag_max(arb_radref(out), arb_radref(out), bound);
    mag_set_ui_2exp_si(bound, 1, -1);
    mag_min(arb_radref(out), arb_radref(out), bound);
    mag_clear(bound);
    arf_set_mag(arb_midref(out), arb_radref(out));
    if (end == 1) {
        arf_sub_ui(arb_midref(out), arb_midref(out), 1, ARF_PREC_EXACT, ARF_RND_DOWN);
        arf_neg(arb_midref(out), arb_midref(out));
    }
    arf_clear(half);
}

void sc_ball_cut_unit(sc_ball *out)
{
    const slong bits = 64; /* enough for an end that is cut, or rounded to 30 */
    arf_t lower, upper, one;
    arf_init(lower);
    arf_init(upper);
    arf_init(one);
    arf_one(one);
    arb_get_lbound_arf(lower, out->x, bits);
    arb_get_ubound_arf(upper, out->x, bits);
    const bool nothing_known =
        !arb_is_finite(out->x) || arf_sgn(upper) < 0 || arf_cmp(lower, one) > 0;
    const bool below = arf_sgn(lower) < 0;
    const bool above = arf_cmp(upper, one) > 0;
    if (nothing_known || (below && above)) {
        set_beside_end(out->x, 0, one);
    } else if (below) {
        set_beside_end(out->x, 0, upper);
    } else if (above) {
        arf_sub(lower, one, lower, bits, ARF_RND_CEIL);
        set_beside_end(out->x, 1, lower);
    }
    arf_clear(one);
    arf_clear(upper);
    arf_clear(lower);
}

/* Asking. */

/* A fast comparison: most balls are far apart, so their middles and a few digits of the distance suffice. 1: a lies below b; -1: it does
 * not; 0: not decided. */
static int is_below_at_a_glance(const sc_ball *a, const sc_ball *b)
{
    if (!arb_is_finite(a->x) || !arb_is_finite(b->x))
        return 0;
    const int order = arf_cmp(arb_midref(a->x), arb_midref(b->x));
    if (order >= 0)
        return order > 0 ? -1 : 0;
    arf_t apart;
    mag_t spread;
    arf_init(apart);
    mag_init(spread);
    arf_sub(apart, arb_midref(b->x), arb_midref(a->x), MAG_BITS, ARF_RND_DOWN);
    mag_add(spread, arb_radref(a->x), arb_radref(b->x));
    const bool is_apart = arf_cmpabs_mag(apart, spread) > 0;
    mag_clear(spread);
    arf_clear(apart);
    return is_apart ? 1 : 0;
}

bool sc_ball_is_less(const sc_ball *a, const sc_ball *b)
{
    const int glance = is_below_at_a_glance(a, b);
    return glance == 0 ? arb_lt(a->x, b->x) != 0 : glance > 0;
}

bool sc_ball_is_less_equal(const sc_ball *a, const sc_ball *b)
{
    const int glance = is_below_at_a_glance(a, b);
    return glance == 0 ? arb_le(a->x, b->x) != 0 : glance > 0;
}

bool sc_ball_is_positive(const sc_ball *a)
{
    return arb_is_positive(a->x) != 0;
}

bool sc_ball_is_finite(const sc_ball *a)
{
    return arb_is_finite(a->x) != 0;
}

bool sc_ball_contains(const sc_ball *a, const sc_ball *inside)
{
    return arb_contains(a->x, inside->x) != 0;
}

bool sc_ball_is_accurate(const sc_ball *a, long bits)
{
    if (!arb_is_finite(a->x))
        return false;
    arf_t radius;
    arf_init(radius);
    arf_set_mag(radius, arb_radref(a->x));
    arf_mul_2exp_si(radius, radius, bits);
    const bool accurate = arf_cmpabs(radius, arb_midref(a->x)) <= 0;
    arf_clear(radius);
    return accurate;
}

/* Conversion to other numbers. */

bool sc_ball_floor(const sc_ball *x, sc_integer *out)
{
    /* Bounds the memory that an integer with such an exponent takes. The ends are rounded
     * outwards, so that what does not fit becomes uncertain, not wrong. */
    const slong integer_bits = 65536, bits = 4 * integer_bits;
    if (!arb_is_finite(x->x) || arf_cmpabs_2exp_si(arb_midref(x->x), integer_bits) >= 0)
        return false;
    arf_t lower, upper;
    arf_init(lower);
    arf_init(upper);
    arb_get_lbound_arf(lower, x->x, bits);
    arb_get_ubound_arf(upper, x->x, bits);
    arf_floor(lower, lower);
    arf_floor(upper, upper);
    const bool certain = arf_equal(lower, upper) != 0;
    if (certain) {
        fmpz_t integer;
        fmpz_init(integer);
        arf_get_fmpz(integer, lower, ARF_RND_FLOOR);
        fmpz_get_mpz(out->z, integer);
        fmpz_clear(integer);
    }
    arf_clear(upper);
    arf_clear(lower);
    return certain;
}

/* The end of a ball as a multiple of 2^-places, rounded away from it. */
static bool round_end(const sc_ball *x, bool up, unsigned places, sc_ratio *out)
{
    const slong integer_bits = 65536, bits = 4 * integer_bits;
    if (!arb_is_finite(x->x) || places > SC_RATIO_BITS ||
        arf_cmpabs_2exp_si(arb_midref(x->x), SC_RATIO_BITS) >= 0 ||
        mag_cmp_2exp_si(arb_radref(x->x), SC_RATIO_BITS) >= 0)
        return false;
    arf_t end;
    fmpz_t integer;
    arf_init(end);
    fmpz_init(integer);
    if (up)
        arb_get_ubound_arf(end, x->x, bits);
    else
        arb_get_lbound_arf(end, x->x, bits);
    arf_mul_2exp_si(end, end, (slong)places);
    arf_get_fmpz(integer, end, up ? ARF_RND_CEIL : ARF_RND_FLOOR);
    SC_OWN(sc_integer, n);
    SC_OWN(sc_integer, d);
    fmpz_get_mpz(n.z, integer);
    sc_integer_set_int128(&d, 1);
    sc_integer_shift_left(&d, &d, places);
    sc_ratio_set_fraction(out, &n, &d);
    fmpz_clear(integer);
    arf_clear(end);
    return true;
}

bool sc_ball_round_up(const sc_ball *x, unsigned places, sc_ratio *out)
{
    return round_end(x, true, places, out);
}

bool sc_ball_round_down(const sc_ball *x, unsigned places, sc_ratio *out)
{
    return round_end(x, false, places, out);
}

double sc_ball_lower(const sc_ball *x)
{
    if (!arb_is_finite(x->x))
        return -(double)INFINITY;
    arf_t end;
    arf_init(end);
    arb_get_lbound_arf(end, x->x, 64);
    const double lower = arf_get_d(end, ARF_RND_FLOOR);
    arf_clear(end);
    return lower;
}

double sc_ball_upper(const sc_ball *x)
{
    if (!arb_is_finite(x->x))
        return (double)INFINITY;
    arf_t end;
    arf_init(end);
    arb_get_ubound_arf(end, x->x, 64);
    const double upper = arf_get_d(end, ARF_RND_CEIL);
    arf_clear(end);
    return upper;
}

double sc_ratio_upper(const sc_ratio *x)
{
    SC_OWN(sc_ball, ball);
    sc_ball_set_ratio(&ball, x, 64);
    return sc_ball_upper(&ball);
}

void sc_ball_set_upper(sc_ball *out, const sc_ball *x, long bits)
{
    if (is_refused(out))
        return;
    if (!arb_is_finite(x->x)) {
        sc_ball_set(out, x);
        return;
    }
    arf_t end;
    arf_init(end);
    arb_get_ubound_arf(end, x->x, bits);
    arb_set_arf(out->x, end);
    arf_clear(end);
}

void sc_ball_format(const sc_ball *x, int digits, char *text, size_t capacity)
{
    sc_text_sink sink;
    char *middle = arb_get_str(x->x, digits, ARB_STR_MORE | ARB_STR_NO_RADIUS);
    sc_text_sink_init(&sink, text, capacity);
    sc_text_put(&sink, sc_text_of(middle));
    flint_free(middle);
}
