#include "cli/terminal/caller_limits.h"

#include "cli/terminal/complaint.h"

#include <sys/resource.h>

typedef struct caller_limit {
    int resource;
    const char *shown; /* as a shell has it */
    rlim_t least;
} caller_limit;

scrim_status sc_caller_limits_check(scrim_error *error)
{
    static const caller_limit limits[] = {
        {RLIMIT_AS, "v", RLIM_INFINITY},
        {RLIMIT_DATA, "d", RLIM_INFINITY},
        {RLIMIT_RSS, "m", RLIM_INFINITY},
        {RLIMIT_CPU, "t", RLIM_INFINITY},
        {RLIMIT_FSIZE, "f", RLIM_INFINITY},
        {RLIMIT_RTTIME, "R", RLIM_INFINITY},
        {RLIMIT_STACK, "s", SC_CALLER_STACK_BYTES},
        {RLIMIT_NOFILE, "n", SC_CALLER_FILES},
        {RLIMIT_NPROC, "u", SC_CALLER_PROCESSES},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit set;
        /* Unlimited is the largest number. */
        if (getrlimit((__rlimit_resource_t)limits[i].resource, &set) == 0 &&
            set.rlim_cur < limits[i].least)
            return sc_complaint_fill(error, SCRIM_E_POLICY,
                                     "'ulimit -%s' must be %s to use the vault of "
                                     "another user; nothing was charged",
                                     limits[i].shown,
                                     limits[i].least == RLIM_INFINITY ? "unlimited"
                                                                      : "higher");
    }
    return SCRIM_OK;
}
