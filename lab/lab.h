/* Helpers of the lab: errors, memory, and random numbers for simulations.
 *
 * Attacks, experiments and errata stand outside of the library. They use its public header and nothing
 * else of it, and GMP, FLINT and Arb for exact numbers. They are linked into the program only.
 */
#ifndef LAB_H
#define LAB_H

#include "scrim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fills error, which may be NULL, and returns status. The second form also names the reason and the
 * parameter that it is about. */
__attribute__((format(printf, 3, 4))) scrim_status
lab_fail(scrim_error *error, scrim_status status, const char *format, ...);
__attribute__((format(printf, 5, 6))) scrim_status
lab_fail_for(scrim_error *error, scrim_status status, scrim_reason reason,
             const char *parameter, const char *format, ...);

/* Zeroed memory for at least one element, to be released with free; NULL without memory. */
void *lab_allocate(size_t count, size_t size);

/* Random numbers for simulated people and for noise that protects nobody, from the operating system.
 *
 * A failure is remembered, not returned: draws then yield arbitrary numbers, and the caller asks
 * lab_random_check before it shows anything. For one thread. */
typedef struct lab_random lab_random;

SCRIM_MUST_USE scrim_status lab_random_open(lab_random **out, scrim_error *error);
void lab_random_close(lab_random *random); /* NULL is allowed */
/* The first failure of any draw so far, or SCRIM_OK. */
SCRIM_MUST_USE scrim_status lab_random_check(const lab_random *random,
                                             scrim_error *error);

/* 64 random bits. */
uint64_t lab_random_word(lab_random *random);
/* An integer from 0 to limit - 1; its distribution is uniform up to limit/2^64. */
uint64_t lab_random_below(lab_random *random, uint64_t limit);
/* A number in (0, 1) of 53 bits. */
double lab_random_real(lab_random *random);
/* Draws of a distribution; all 0 after a failure. */
void lab_random_noise(lab_random *random, scrim_distribution *noise, size_t count,
                      int64_t *out);

/* The largest rho whose conversion (Canonne, Kamath and Steinke) gives (epsilon, delta), rounded
 * down; 0 if no rho does. */
double lab_concentrated_rho(double epsilon, double delta);

#endif
