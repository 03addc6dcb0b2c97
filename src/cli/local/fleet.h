/* A simulated fleet: devices with states, whose values drift from period to period, through the code of real
 * devices (scrim_local.h); the server's sums and estimates of each period (scrim/collection.h). */
#ifndef SC_CLI_FLEET_H
#define SC_CLI_FLEET_H

#include "scrim.h"
#include "scrim_local.h"

#include <stdbool.h>

#define SC_FLEET_USERS_MAX 10000000

typedef struct sc_fleet_plan {
    const char *config; /* its text */
    uint64_t users, periods;
    uint64_t every;  /* a device reports in every such period, and they take turns */
    const char *law; /* zipf, uniform or normal */
    double drift;    /* the chance that a value moves to the next one, each period */
    double
        lifetime; /* epsilon that a device may ever spend; 0: whatever the periods cost */
    scrim_local_source source;
} sc_fleet_plan;

typedef struct sc_fleet_period {
    uint64_t reports, silent;         /* silent: devices whose budget is spent */
    double spent;                     /* epsilon of a device, the largest so far */
    double held, estimate, low, high; /* of value 0, as shares of the users */
    double
        error; /* root mean square of the errors of all values, as a share of those who reported */
    double
        covered; /* share of all values whose interval holds the number of those who reported */
} sc_fleet_period;

/* Called at the end of each period. */
typedef void sc_fleet_watcher(void *context, uint64_t period,
                              const sc_fleet_period *seen);

/* SCRIM_E_PARAM: the configuration has no counts of values to estimate, or an unknown law. */
SCRIM_MUST_USE scrim_status sc_fleet_run(const sc_fleet_plan *plan,
                                         sc_fleet_watcher *watcher, void *context,
                                         scrim_error *error);

#endif
