/* How likely a report is for each value of its device, up to a factor that is the same for all values. */
#ifndef SC_LOCAL_REPORT_LIKELIHOOD_H
#define SC_LOCAL_REPORT_LIKELIHOOD_H

#include "base/status.h"
#include "scrim/local_joint.h"

typedef struct sc_report_likelihood {
    const scrim_local_variable *variable;
    size_t bytes;      /* of a report */
    double set, unset; /* factors of a value whose bit is 1, 0 in the report */
} sc_report_likelihood;

/* SCRIM_E_PARAM: the protocol has no such form, or the number of values is not its own. */
SCRIM_MUST_USE scrim_status
sc_report_likelihood_init(sc_report_likelihood *out, const scrim_local_variable *variable,
                          const char *name, scrim_error *error);
/* out: one a value. */
void sc_report_likelihood_fill(const sc_report_likelihood *likelihood,
                               const uint8_t *report, double *out);

#endif
