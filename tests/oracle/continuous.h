/* Sparse vector runs with continuous noise, by quadrature: the vectors hold numbers for them, and
 * the survey's errors were found on them. Nothing of the product runs so. */
#ifndef CONTINUOUS_H
#define CONTINUOUS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct continuous_noise {
    bool is_gaussian;
    double scale; /* or sigma */
} continuous_noise;

double continuous_density(const continuous_noise *noise, double x);
double continuous_at_least(const continuous_noise *noise, double x); /* P(X >= x) */

/* The integral of f over the breaks, from the first to the last; smooth between them. Panels
 * are at most so wide; 20 points each, so that analytic functions are exact to rounding. */
typedef double continuous_function(const void *context, double x);
double continuous_integral(continuous_function *f, const void *context,
                           const double *breaks, size_t count, double panel);

/* P(pattern): query i is above where pattern[i] is '1'. One threshold. */
typedef struct continuous_run {
    continuous_noise threshold, query;
    double level;
} continuous_run;
double continuous_pattern(const continuous_run *run, const double *queries,
                          const char *pattern);

/* The Renyi divergence of the answers' laws on two lists of queries, halting at the c-th
 * above. */
double continuous_renyi(const continuous_run *run, const double *x, const double *y,
                        size_t count, size_t above, double order);

#endif
