/* Real numbers with a guaranteed error. Only this file and its neighbours call Arb.
 *
 * A ball is an interval known to hold the true value; every operation here returns a ball that
 * holds every possible result of its inputs. The caller chooses the precision in bits, and
 * repeats a computation with more bits if its result is too wide. Conversions to other numbers round outwards, in the
 * direction that the function's name says.
 *
 * Arb computes some bounds in hardware floating point, so a program that left the FPU in
 * another rounding mode, or flushing small numbers to zero, could spoil them. Computations
 * therefore run between sc_ball_enter, which saves the caller's floating-point environment and
 * installs the default one, and sc_ball_leave, which restores it.
 */
#ifndef SC_BASE_BALL_H
#define SC_BASE_BALL_H

#include "base/checked.h"
#include "base/number/ratio.h"

/* Arb's header has 13,000 lines, and most of those who hold a ball call only the functions below.
 * A source that calls Arb or FLINT itself defines SC_WITH_ARB before its first include; all others
 * see the same types, member by member, without the header. */
#ifdef SC_WITH_ARB
#include <arb.h>
#else
typedef mp_limb_signed_t fmpz;
typedef fmpz fmpz_t[1];
typedef struct {
    struct {
        fmpz exp;
        mp_size_t size;
        union {
            struct {
                mp_limb_t d[2];
            } noptr;
            struct {
                mp_size_t alloc;
                mp_ptr d;
            } ptr;
        } d;
    } mid;
    struct {
        fmpz exp;
        mp_limb_t man;
    } rad;
} arb_t[1];
#endif

typedef struct sc_ball {
    arb_t x;
} sc_ball;

typedef struct sc_ball_scope {
    unsigned char saved[64];
} sc_ball_scope;

void sc_ball_enter(sc_ball_scope *scope);
void sc_ball_leave(const sc_ball_scope *scope);
/* Enters here, and leaves where the block ends. */
#define SC_BALL_SCOPE(scope)                                                             \
    __attribute__((cleanup(sc_ball_leave))) sc_ball_scope scope;                         \
    sc_ball_enter(&(scope))

void sc_ball_init(sc_ball *out); /* 0 */
void sc_ball_clear(sc_ball *x);
/* sc_balls_new makes `count` balls, each 0, or returns NULL; sc_balls_free takes NULL too. */
sc_ball *sc_balls_new(size_t count);
void sc_balls_free(sc_ball *balls, size_t count);
void sc_ball_set(sc_ball *out, const sc_ball *x);
void sc_ball_set_int64(sc_ball *out, int64_t value);
void sc_ball_set_int128(sc_ball *out, sc_int128 value);
void sc_ball_set_integer(sc_ball *out, const sc_integer *value);
void sc_ball_set_ratio(sc_ball *out, const sc_ratio *value, long bits);
void sc_ball_set_pi(sc_ball *out, long bits);
/* The smallest ball that holds both. */
void sc_ball_set_union(sc_ball *out, const sc_ball *a, const sc_ball *b, long bits);
/* Not finite: an upper bound that says nothing. */
void sc_ball_set_infinite(sc_ball *out);
/* Keeps the smaller of two upper bounds: out becomes other where that is certainly smaller. */
void sc_ball_take_smaller(sc_ball *out, const sc_ball *other);

void sc_ball_add(sc_ball *out, const sc_ball *a, const sc_ball *b, long bits);
void sc_ball_add_int64(sc_ball *out, const sc_ball *a, int64_t b, long bits);
void sc_ball_sub(sc_ball *out, const sc_ball *a, const sc_ball *b, long bits);
void sc_ball_mul(sc_ball *out, const sc_ball *a, const sc_ball *b, long bits);
void sc_ball_mul_int64(sc_ball *out, const sc_ball *a, int64_t b, long bits);
void sc_ball_mul_power2(sc_ball *out, const sc_ball *a, long exponent); /* exact */
void sc_ball_div(sc_ball *out, const sc_ball *a, const sc_ball *b, long bits);
void sc_ball_div_int64(sc_ball *out, const sc_ball *a, int64_t b, long bits);
void sc_ball_neg(sc_ball *out, const sc_ball *a);
void sc_ball_abs(sc_ball *out, const sc_ball *a);
void sc_ball_exp(sc_ball *out, const sc_ball *a, long bits);
void sc_ball_expm1(sc_ball *out, const sc_ball *a, long bits);
void sc_ball_log(sc_ball *out, const sc_ball *a, long bits);
void sc_ball_log1p(sc_ball *out, const sc_ball *a, long bits);
void sc_ball_sqrt(sc_ball *out, const sc_ball *a, long bits);
void sc_ball_power(sc_ball *out, const sc_ball *a, uint64_t exponent, long bits);
void sc_ball_sinh(sc_ball *out, const sc_ball *a, long bits);
void sc_ball_erfc(sc_ball *out, const sc_ball *a, long bits);
/* n!, and the Bernoulli number B_n; ln n! in a time that hardly grows with n. */
void sc_ball_factorial(sc_ball *out, uint64_t n, long bits);
void sc_ball_log_factorial(sc_ball *out, uint64_t n, long bits);
void sc_ball_bernoulli(sc_ball *out, uint64_t n, long bits);
/* Adds [-r, r], where r is the upper end of |radius|. */
void sc_ball_widen(sc_ball *out, const sc_ball *radius);
/* Clamps to [0, 1]: for a quantity known to be a probability. Neither end of the result lies
 * outside; a ball without a point in [0, 1] says nothing and becomes [0, 1]. */
void sc_ball_cut_unit(sc_ball *out);

/* Certain comparisons: true only when it holds for all values of both balls. */
bool sc_ball_is_less(const sc_ball *a, const sc_ball *b);
bool sc_ball_is_less_equal(const sc_ball *a, const sc_ball *b);
bool sc_ball_is_positive(const sc_ball *a);
bool sc_ball_is_finite(const sc_ball *a);
bool sc_ball_contains(const sc_ball *a, const sc_ball *inside);
/* True when radius <= 2^-bits * |middle|, or the ball is exact. */
bool sc_ball_is_accurate(const sc_ball *a, long bits);

/* floor(x), if it is the same for all points of the ball and below 2^65536 in size; else false, and out is unchanged. */
bool sc_ball_floor(const sc_ball *x, sc_integer *out);
/* Rationals on the safe side: the smallest multiple of 2^-places that is not below any point of
 * the ball, the largest that is not above any. False, with out untouched, when the ball is not
 * finite, reaches beyond 2^SC_RATIO_BITS, or more places than SC_RATIO_BITS are asked for. */
bool sc_ball_round_up(const sc_ball *x, unsigned places, sc_ratio *out);
bool sc_ball_round_down(const sc_ball *x, unsigned places, sc_ratio *out);
/* Doubles on the safe side: never above, never below the true value. Infinite when there is no
 * finite one, or the ball is not finite. */
double sc_ball_lower(const sc_ball *x);
double sc_ball_upper(const sc_ball *x);
/* A double that is not below a rational, close to it. */
double sc_ratio_upper(const sc_ratio *x);
/* The upper end as an exact ball, rounded up to this number of bits; a ball that is not finite stays as it is. */
void sc_ball_set_upper(sc_ball *out, const sc_ball *x, long bits);
/* The middle as decimal text with this number of digits, for test messages. */
void sc_ball_format(const sc_ball *x, int digits, char *text, size_t capacity);

#endif
