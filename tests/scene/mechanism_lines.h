/* Measurements from lines, for tests of mechanisms. */
#ifndef MECHANISM_LINES_H
#define MECHANISM_LINES_H

#include "check.h"
#include "model/measurement.h"

/* A model; NULL, with a failed check, when it is refused. */
scrim_measurement *mechanism_model(const char *name, const char *parameters);
/* Is a model made, or refused with this status and a message? */
void mechanism_check_status(const char *name, const char *parameters,
                            scrim_status status);
/* Makes it for data with each allocation failing in turn: it is made, or SCRIM_E_MEMORY. */
void mechanism_check_faults(const char *line);

/* Is it exactly this number? */
#define CHECK_RATIO(ratio, text)                                                         \
    mechanism_check_ratio((ratio), (text), #ratio, __FILE__, __LINE__)
bool mechanism_check_ratio(const sc_ratio *ratio, const char *want, const char *text,
                           const char *file, int line);

#endif
