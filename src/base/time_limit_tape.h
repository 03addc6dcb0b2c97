/* Time limits of test builds. */
#ifndef SC_BASE_TIME_LIMIT_TAPE_H
#define SC_BASE_TIME_LIMIT_TAPE_H

#ifndef SCRIM_TESTING
#error "time_limit_tape.h is for test builds"
#endif

#include <stdint.h>

/* Limits are this part of what they are: long, so that tests of what is computed do not depend on
 * the machine. */
extern uint64_t sc_time_limit_percent;

#endif
