/* A device's budget for life, and what it leaves of a plan: the epsilon of a report, and who reports when. */
#ifndef SC_CLI_LOCAL_LIFETIME_H
#define SC_CLI_LOCAL_LIFETIME_H

#include "cli/terminal/options.h"
#include "scrim.h"

typedef struct sc_local_lifetime {
    double budget;       /* 0: none was asked for */
    uint64_t users;      /* all devices */
    uint64_t every;      /* periods from one report of a device to the next */
    uint64_t pays;       /* reports that the budget pays for */
    char epsilon[32];    /* of a report, where it follows from the budget */
    bool is_constant;    /* of the plan */
    uint64_t all, turns; /* periods of the fleet, and reports of a device */
} sc_local_lifetime;

/* Reads --lifetime, and sets the epsilon of a report where none is asked for. asked has all but its epsilon. */
SCRIM_MUST_USE scrim_status sc_local_lifetime_read(sc_local_lifetime *life,
                                                   const sc_options *options,
                                                   scrim_local_plan_options *asked,
                                                   scrim_error *error);
/* Finds the plan; where the budget does not pay for a report in each period, devices take turns, and the plan is that
 * of those who report in one. */
SCRIM_MUST_USE scrim_status sc_local_lifetime_plan(sc_local_lifetime *life,
                                                   scrim_local_plan_options *asked,
                                                   scrim_local_plan *plan,
                                                   scrim_error *error);
/* Notes on standard error: who reports when, values that do not fit, and a caution about a high epsilon. */
void sc_local_lifetime_talk(const sc_local_lifetime *life,
                            const scrim_local_plan_options *asked,
                            const scrim_local_plan *plan);

#endif
