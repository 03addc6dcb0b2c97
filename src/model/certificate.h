/* Writing accuracy statements: numbers become text, exact or rounded so that the promise is not
 * stronger than what was proved. */
#ifndef SC_MODEL_CERTIFICATE_H
#define SC_MODEL_CERTIFICATE_H

#include "base/ratio.h"
#include "scrim/measurement.h"

/* Nothing is promised. excludes is constant text, or NULL. */
void sc_certificate_init(scrim_certificate *out, const char *excludes);
/* Each value lies within radius of the truth, with probability at least 1 - beta; beta 0 makes
 * it a hard range. */
void sc_certificate_interval(scrim_certificate *out, const sc_ratio *radius,
                             const sc_ratio *beta, const char *excludes);
/* What was chosen is at most radius worse than the best that was left, or what
 * scrim/measurement.h says of queries and rows, with probability at least 1 - beta. */
void sc_certificate_pac(scrim_certificate *out, const sc_ratio *radius,
                        const sc_ratio *beta, const char *excludes);
/* All frequencies that are estimated from the values lie within radius of the truth together,
 * with probability at least 1 - beta. */
void sc_certificate_frequency(scrim_certificate *out, const sc_ratio *radius,
                              const sc_ratio *beta, const char *excludes);
/* No value is above the truth, and none more than radius below it, always. */
void sc_certificate_drop(scrim_certificate *out, const sc_ratio *radius,
                         const char *excludes);
void sc_certificate_flexible(scrim_certificate *out, const sc_ratio *alpha,
                             const sc_ratio *beta, const sc_ratio *gamma,
                             const char *excludes);

#endif
