/* The common part of mechanisms that add noise to integers: their grid and sensitivity,
 * the pool of noise that is drawn before the data are looked at, the law and the neighbours
 * that the audit looks at.
 *
 * Without grid=... the values are integers, and sensitivity is theirs, rounded up to a whole
 * number for one value and for the l1 norm. A text is rounded to an integer, which adds nothing to
 * the ceil(D) of one value; of several it would, so that they are taken as integers, or as texts
 * that are declared whole=yes, where what is no integer is missing. Doubles are not taken. With
 * a grid they are real numbers that are rounded to it here, which costs up to a step for each
 * value that one unit can move: sensitivity in steps is then ceil(D/step) for one value,
 * floor(D/step) + size for the l1 norm of size values and D/step + sqrt(size) for the l2 norm
 * (spec/mechanisms.md 3.1). With a grid and whole=yes they are multiples of its step already, and
 * nothing is added.
 */
#ifndef SC_MECHANISM_NOISE_ADDITIVE_H
#define SC_MECHANISM_NOISE_ADDITIVE_H

#include "model/measurement.h"
#include "model/vector_loss.h"
#include "sampling/blocks.h"
#include "sampling/discrete_gaussian_law.h"

/* Parameters, for the lists. */
#define SC_PARAMETER_SENSITIVITY                                                         \
    {                                                                                    \
        .name = "sensitivity", .kind = SC_PARAMETER_RATIONAL, .optional = true,          \
        .above = "0", .limit_low = "2^-60", .limit_high = "2^60",                        \
        .domain = "a rational above 0, from 8.7e-19 to 1.1e18"                           \
    }
#define SC_PARAMETER_EPSILON                                                             \
    {                                                                                    \
        .name = "epsilon", .kind = SC_PARAMETER_RATIONAL, .optional = true,              \
        .above = "0", .limit_low = "2^-60", .limit_high = "1000",                        \
        .domain = "a rational above 0, from 8.7e-19 to 1000"                             \
    }
#define SC_PARAMETER_SCALE                                                               \
    {                                                                                    \
        .name = "scale", .kind = SC_PARAMETER_RATIONAL, .optional = true, .above = "0",  \
        .limit_low = "2^-60", .limit_high = "2^60",                                      \
        .domain = "a rational above 0, from 8.7e-19 to 1.1e18"                           \
    }
#define SC_PARAMETER_DELTA                                                               \
    {                                                                                    \
        .name = "delta", .kind = SC_PARAMETER_RATIONAL, .optional = true, .above = "0",  \
        .below = "1", .limit_low = "2^-160",                                             \
        .domain = "a rational above 0 and below 1, from 6.9e-49 on"                      \
    }
#define SC_PARAMETER_GRID                                                                \
    {                                                                                    \
        .name = "grid", .kind = SC_PARAMETER_RATIONAL, .optional = true, .above = "0",   \
        .domain = "a power of 2 or of 10"                                                \
    }
#define SC_PARAMETER_LOWER                                                               \
    {                                                                                    \
        .name = "lower", .kind = SC_PARAMETER_RATIONAL, .optional = true,                \
        .domain = "a multiple of the grid's step, below upper"                           \
    }
#define SC_PARAMETER_UPPER                                                               \
    {                                                                                    \
        .name = "upper", .kind = SC_PARAMETER_RATIONAL, .optional = true,                \
        .domain = "a multiple of the grid's step, above lower"                           \
    }
#define SC_PARAMETER_SIZE                                                                \
    {                                                                                    \
        .name = "size", .kind = SC_PARAMETER_INTEGER, .optional = true, .at_least = "1", \
        .limit_high = "2^30",                                                            \
        .domain = "the number of values, an integer from 1 to 1073741824"                \
    }

typedef enum sc_norm { SC_NORM_L1, SC_NORM_L2 } sc_norm;

/* The state of a measurement that adds noise. */
typedef struct sc_additive {
    sc_ratio steps;   /* the sensitivity, in steps */
    sc_ratio epsilon; /* of Laplace noise: steps / scale */
    uint64_t shift;   /* the largest whole shift: floor(steps), but at most 2^62 - 1 */
    sc_law law; /* its shape is the scale in steps, or the variance in steps squared */
    sc_blocks blocks; /* draws from it */
    bool is_ready;    /* there are blocks: it is not for its law alone */
    sc_vector_loss
        *vector; /* of Gaussian noise on several values, where it is listed; or NULL */
    sc_gaussian_sum *sum; /* of Gaussian shares: the context of the law; or NULL */
} sc_additive;

/* A kind of noise: the descriptors of this family are made of one and the functions below. */
typedef struct sc_noise_kind {
    const sc_law_functions *law;
    sc_blocks_law blocks; /* what is drawn; a bound is added to it */
    /* Sets steps, of Laplace noise epsilon too, and the shape of the law. */
    scrim_status (*scale)(scrim_measurement *measurement, sc_additive *state,
                          sc_ratio *shape, scrim_error *error);
    /* Sets law.bound, once all else is set. NULL: the law has no bound. */
    scrim_status (*bound)(const scrim_measurement *measurement, sc_additive *state,
                          scrim_error *error);
} sc_noise_kind;

/* The check of a descriptor: the domain from grid, lower, upper and size, and the state. */
SCRIM_MUST_USE scrim_status sc_additive_check(scrim_measurement *measurement,
                                              const sc_noise_kind *kind,
                                              scrim_error *error);
/* The same with the steps of the state as they are given, before scale is called. */
SCRIM_MUST_USE scrim_status sc_additive_check_move(scrim_measurement *measurement,
                                                   const sc_noise_kind *kind,
                                                   const sc_ratio *steps,
                                                   scrim_error *error);
const sc_additive *sc_additive_of(const scrim_measurement *measurement);

/* The declared sensitivity in steps, with what rounding adds to it: an integer but for the l2
 * norm of several values. */
void sc_additive_sensitivity_upper(const scrim_measurement *measurement, sc_norm norm,
                                   sc_ratio *out);
/* Is the sensitivity a whole number of steps that a shift can have? */
bool sc_additive_is_whole(const sc_additive *state);
/* Do some neighbours differ by all of that sensitivity, in one value that nothing clamps? */
bool sc_additive_is_attained(const scrim_measurement *measurement);
/* Is it from 2^-bits to 2^bits? */
bool sc_additive_fits(const sc_ratio *shape, unsigned bits);

/* An epsilon that fails with the delta that was given, or else with this mass, rounded up; of one
 * value, by this curve of the state. */
SCRIM_MUST_USE scrim_status sc_additive_cost_bounded(const scrim_measurement *measurement,
                                                     const sc_ball *mass,
                                                     const sc_curve_functions *curve,
                                                     sc_exact_cost *out,
                                                     scrim_error *error);
/* States that each value is within law.bound, always; excludes as of a certificate. */
void sc_additive_certify_bound(const scrim_measurement *measurement, const char *excludes,
                               sc_certificate *out);

/* Members of descriptors. */

void sc_additive_discard(scrim_measurement *measurement);
size_t sc_additive_count(const scrim_measurement *measurement, size_t count);
/* The interval about each answer by itself that the noise leaves with probability beta at most, and the
 * one that all of count answers are inside at once. */
scrim_status sc_additive_certify(const scrim_measurement *measurement,
                                 const sc_ratio *beta, size_t count, sc_certificate *out,
                                 scrim_error *error);
/* Draws of the noise alone. SCRIM_E_INTERNAL without blocks. */
scrim_status sc_additive_fill(const sc_additive *additive, sc_bits *bits, size_t count,
                              sc_int128 *out, scrim_error *error);
/* The noise first, all of it, with no data near; then one addition a value, clamped where there are
 * ends. */
scrim_status sc_additive_draw(const scrim_measurement *measurement, sc_bits *bits,
                              const sc_private_input *input, sc_draw *out,
                              scrim_error *error);
const sc_law *sc_additive_noise(const scrim_measurement *measurement);
/* The law of input + noise: one key a vector, in a range that leaves a tail of about
 * 2^-(bits/2). */
scrim_status sc_additive_law(const scrim_measurement *measurement,
                             const sc_private_input *input, long bits, sc_outcomes *out,
                             scrim_error *error);
/* Neighbours: one value at several places, moved by each shift from 1 to the largest (at most
 * SC_ADDITIVE_SHIFTS of them, the largest always among them); not at all when that is 0. */
#define SC_ADDITIVE_SHIFTS 16
size_t sc_additive_pair_count(const scrim_measurement *measurement);
void sc_additive_pair(const scrim_measurement *measurement, size_t index, sc_pair *out);
/* The sensitivity, in the l1 and in the l2 norm. */
void sc_additive_change_sum(const scrim_measurement *measurement, sc_change *out);
void sc_additive_change_length(const scrim_measurement *measurement, sc_change *out);

/* The members that descriptors of this family share, beside their own parameters, check and cost; and what
 * those share that show each value with its noise. */
#define SC_ADDITIVE_MEMBERS                                                              \
    .parameters = parameters, .parameter_count = sizeof parameters / sizeof *parameters, \
    .takes_wide = true, .check = check, .discard = sc_additive_discard, .cost = cost,    \
    .answer_count = sc_additive_count, .width = sc_additive_count
#define SC_ADDITIVE_MEMBERS_SHOWN                                                        \
    .draw = sc_additive_draw, .noise = sc_additive_noise, .law = sc_additive_law,        \
    .answers_numbers = true

#endif
