/* Exact noise distributions on the integers: draws and probabilities.
 *
 * A distribution is named by one line of text, "NAME key=value ...", the same in C, on the
 * command line and in files:
 *
 *     scrim_distribution *noise = NULL;
 *     scrim_error error;
 *     int64_t draws[1000];
 *     if (scrim_distribution_parse("discrete-laplace scale=10", &noise, &error) != SCRIM_OK)
 *         fputs(error.message, stderr);
 *     else if (scrim_distribution_draw(noise, 1000, draws, &error) != SCRIM_OK)
 *         fputs(error.message, stderr);
 *     scrim_distribution_free(noise);
 *
 * Random bits come from the operating system; there is no seed. Draws have exactly the named
 * distribution, with one bound on the running time: a draw whose loop needs more than 8,192 rounds
 * fails. With good random bits this has a probability below 2^SCRIM_DRAW_FAILS_LOG2.
 */
#ifndef SCRIM_DISTRIBUTION_H
#define SCRIM_DISTRIBUTION_H

#include "scrim/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SCRIM_DRAW_FAILS_LOG2 (-3300)

/* A signed 128-bit integer, two's complement: value = high * 2^64 + low. */
typedef struct scrim_wide {
    uint64_t low;
    int64_t high;
} scrim_wide;

/* Room for any scrim_wide as decimal text with its terminator. */
#define SCRIM_WIDE_BYTES 41

/* Writes the decimal digits of value and a terminator; returns the number of characters. */
SCRIM_API size_t scrim_wide_format(scrim_wide value, char text[SCRIM_WIDE_BYTES]);

/* A distribution with fixed parameters. Several threads may draw from one handle. */
typedef struct scrim_distribution scrim_distribution;

/* A row of `scrim list distributions`; constant text. */
typedef struct scrim_distribution_entry {
    const char *name;       /* "discrete-laplace" */
    const char *parameters; /* "scale=R" */
    const char *law;        /* "P(k) ~ exp(-abs(k)/scale)" */
    const char *domain;     /* allowed values of the parameters */
    const char *does;       /* what it is, in a sentence or two */
    const char *example;    /* its parameters: "scale=10" */
} scrim_distribution_entry;

/* The entry at an index, counted from 0; NULL past the last. */
SCRIM_API const scrim_distribution_entry *scrim_distribution_at(size_t index);

/* Parses "NAME key=value ...". The caller frees the result. SCRIM_E_SYNTAX: the text
 * has another form. SCRIM_E_PARAM: unknown name, or a value that is not allowed.
 * SCRIM_E_LIMIT: a value above a size limit. SCRIM_E_MEMORY. Nothing is drawn, and out
 * is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_distribution_parse(const char *text,
                                                               scrim_distribution **out,
                                                               scrim_error *error);
/* Frees a handle and wipes its memory; NULL is allowed. */
SCRIM_API void scrim_distribution_free(scrim_distribution *distribution);

/* The line that names this distribution, with reduced parameters; lives as long as the
 * handle. */
SCRIM_API const char *scrim_distribution_text(const scrim_distribution *distribution);

/* 1 if every draw fits an int64_t, 0 if a draw may be wider. */
SCRIM_API int scrim_distribution_is_narrow(const scrim_distribution *distribution);

/* Fills out with independent draws. SCRIM_E_LIMIT, before anything is drawn: a draw
 * may not fit 64 bits. SCRIM_E_ENTROPY: no random bits. SCRIM_E_MEMORY. On any failure
 * out holds zeros only. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_distribution_draw(
    scrim_distribution *distribution, size_t count, int64_t *out, scrim_error *error);

/* The same for draws of any width; it never fails with SCRIM_E_LIMIT. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_distribution_draw_wide(
    scrim_distribution *distribution, size_t count, scrim_wide *out, scrim_error *error);

/* Bounds of P(low <= X <= high): lower <= P <= upper, rounded outwards. They are for
 * plots and tests; no guarantee depends on a double. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_distribution_probability(
    const scrim_distribution *distribution, scrim_wide low, scrim_wide high,
    double *lower, double *upper, scrim_error *error);

/* The p-quantile: the smallest k with P(X <= k) >= p; p is exact text, 0 < p < 1.
 * SCRIM_E_SYNTAX or SCRIM_E_LIMIT: p is not a number or too long. SCRIM_E_PARAM: p is
 * not between 0 and 1. SCRIM_E_LIMIT: the quantile is beyond 2^120. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_distribution_quantile(const scrim_distribution *distribution, const char *p,
                            scrim_wide *out, scrim_error *error);

/* Bounds of mean and variance, rounded as in scrim_distribution_probability. */
typedef struct scrim_moments {
    double mean_lower, mean_upper;
    double variance_lower, variance_upper;
} scrim_moments;

SCRIM_API SCRIM_MUST_USE scrim_status scrim_distribution_moments(
    const scrim_distribution *distribution, scrim_moments *out, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
