/* What the mechanisms that add noise to integers have in common: their grid and sensitivity,
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
#include "sampling/law/law.h"
#include "sampling/sampler/blocks.h"

/* Parameters, for the lists. */
#define SC_PARAMETER_SENSITIVITY                                                         \
    {                                                                                    \
        .name = "sensitivity", .kind = SC_PARAMETER_RATIONAL, .optional = true,          \
        .above = "0", .limit_low = "2^-60", .limit_high = "2^60",                        \
        .domain = "a rational above 0, from 2^-60 to 2^60"                               \
    }
#define SC_PARAMETER_EPSILON                                                             \
    {                                                                                    \
        .name = "epsilon", .kind = SC_PARAMETER_RATIONAL, .optional = true,              \
        .above = "0", .limit_low = "2^-60", .limit_high = "1000",                        \
        .domain = "a rational above 0, from 2^-60 to 1000"                               \
    }
#define SC_PARAMETER_SCALE                                                               \
    {                                                                                    \
        .name = "scale", .kind = SC_PARAMETER_RATIONAL, .optional = true, .above = "0",  \
        .limit_low = "2^-60", .limit_high = "2^60",                                      \
        .domain = "a rational above 0, from 2^-60 to 2^60"                               \
    }
#define SC_PARAMETER_DELTA                                                               \
    {                                                                                    \
        .name = "delta", .kind = SC_PARAMETER_RATIONAL, .optional = true, .above = "0",  \
        .below = "1", .limit_low = "2^-160",                                             \
        .domain = "a rational above 0 and below 1, from 2^-160 on"                       \
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
        .domain = "the number of values, an integer from 1 to 2^30"                      \
    }

/* What a certificate of noise does not cover. */
#define SC_ADDITIVE_EXCLUDES                                                             \
    "rounding to the grid and clamping of the input; "                                   \
    "that several values are within it at once"

typedef enum sc_norm { SC_NORM_L1, SC_NORM_L2 } sc_norm;

/* Sets the domain from grid, lower, upper and size. */
SCRIM_MUST_USE scrim_status sc_additive_domain(scrim_measurement *measurement,
                                               scrim_error *error);
/* The declared sensitivity in steps, with what rounding adds to it: an integer but for the l2
 * norm of several values. */
void sc_additive_sensitivity_upper(const scrim_measurement *measurement, sc_norm norm,
                                   sc_ratio *out);
/* The largest integer shift that such a sensitivity allows: its floor, but at most 2^62 - 1. */
uint64_t sc_additive_shift(const sc_ratio *steps);
/* Do some neighbours differ by all of that sensitivity, in one value that nothing clamps? */
bool sc_additive_is_attained(const scrim_measurement *measurement);

/* The noise first, all of it, with no data near; then one addition a value. */
SCRIM_MUST_USE scrim_status sc_additive_draw(const scrim_measurement *measurement,
                                             const sc_blocks *noise, sc_bits *bits,
                                             const sc_input *input, sc_draw *out,
                                             scrim_error *error);
size_t sc_additive_count(const scrim_measurement *measurement, size_t count);

/* The law of input + noise: one key a vector, in a window that leaves a tail of about
 * 2^-(bits/2). clamp cuts the outcome to the domain. */
SCRIM_MUST_USE scrim_status sc_additive_law(const scrim_measurement *measurement,
                                            const sc_law *noise, bool clamp,
                                            const sc_input *input, long bits,
                                            sc_outcomes *out, scrim_error *error);

/* Neighbours: one value at several places, moved by each shift from 1 to the largest (at most
 * SC_ADDITIVE_SHIFTS of them, the largest always among them); not at all when that is 0. */
#define SC_ADDITIVE_SHIFTS 16
size_t sc_additive_pair_count(const scrim_measurement *measurement, uint64_t shift);
void sc_additive_pair(const scrim_measurement *measurement, uint64_t shift, size_t index,
                      sc_pair *out);

/* Members of descriptors: the sensitivity, in the l1 and in the l2 norm. */
void sc_additive_change_sum(const scrim_measurement *measurement, sc_change *out);
void sc_additive_change_length(const scrim_measurement *measurement, sc_change *out);

/* radius steps in the unit of the input. */
void sc_additive_radius(const scrim_measurement *measurement, sc_int128 steps,
                        sc_ratio *out);
/* The interval about each answer by itself that noise of this law leaves with probability beta
 * at most. */
SCRIM_MUST_USE scrim_status sc_additive_certify(const scrim_measurement *measurement,
                                                const sc_law *noise, const sc_ratio *beta,
                                                scrim_certificate *out,
                                                scrim_error *error);

#endif
