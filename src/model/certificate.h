/* Accuracy statements in numbers, as a mechanism proves them. sc_certificate_format writes the public
 * struct of text once, exact or rounded so that it promises no more than was proved. */
#ifndef SC_MODEL_CERTIFICATE_H
#define SC_MODEL_CERTIFICATE_H

#include "base/number/own.h"
#include "base/number/ratio.h"
#include "scrim/measurement.h"

typedef struct sc_certificate {
    scrim_certificate_form form;
    bool has_confidence, has_radius, has_radius_all, has_value_radius;
    bool has_alpha, has_beta; /* alpha and gamma stand together */
    sc_ratio confidence, radius, radius_all, value_radius, alpha, beta, gamma;
    const char *excludes; /* constant text */
} sc_certificate;

void sc_certificate_init(sc_certificate *x);
void sc_certificate_clear(sc_certificate *x);

/* Nothing is promised. excludes is constant text, or NULL. */
void sc_certificate_none(sc_certificate *out, const char *excludes);
/* Each value lies within radius of the truth, with probability at least 1 - beta; beta 0 makes
 * it a hard range. */
void sc_certificate_interval(sc_certificate *out, const sc_ratio *radius,
                             const sc_ratio *beta, const char *excludes);
/* The candidate that was chosen is at most radius worse than the best that was left, or what
 * scrim/measurement.h says of queries and rows, with probability at least 1 - beta. */
void sc_certificate_pac(sc_certificate *out, const sc_ratio *radius, const sc_ratio *beta,
                        const char *excludes);
/* All frequencies that are estimated from the values lie within radius of the truth together,
 * with probability at least 1 - beta. */
void sc_certificate_frequency(sc_certificate *out, const sc_ratio *radius,
                              const sc_ratio *beta, const char *excludes);
/* A statement on the mean of all reports, where each person reports alone. */
void sc_certificate_mean(sc_certificate *out, const sc_ratio *radius,
                         const sc_ratio *beta, const char *excludes);
/* No value is above the truth, and none more than radius below it, always. */
void sc_certificate_drop(sc_certificate *out, const sc_ratio *radius,
                         const char *excludes);
/* beta may be NULL: unbounded. */
void sc_certificate_flexible(sc_certificate *out, const sc_ratio *alpha,
                             const sc_ratio *beta, const sc_ratio *gamma,
                             const char *excludes);
/* Adds one number to a statement. */
void sc_certificate_add_radius(sc_certificate *out, const sc_ratio *radius);
void sc_certificate_add_radius_all(sc_certificate *out, const sc_ratio *radius);
void sc_certificate_add_value_radius(sc_certificate *out, const sc_ratio *radius);

void sc_certificate_format(const sc_certificate *x, scrim_certificate *out);

#endif
