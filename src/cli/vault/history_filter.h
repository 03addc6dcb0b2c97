/* Which lines of a history are shown: --analyst and --since. */
#ifndef SC_CLI_HISTORY_FILTER_H
#define SC_CLI_HISTORY_FILTER_H

#include "cli/terminal/options.h"

#include <stdbool.h>

typedef struct sc_history_filter {
    const char *analyst; /* NULL: all */
    uint64_t since;      /* seconds since 1970; 0: all */
} sc_history_filter;

/* SCRIM_E_PARAM for an analyst whom the ledger does not know, and for a date that is none. */
SCRIM_MUST_USE scrim_status sc_history_filter_read(const sc_options *options,
                                                   scrim_vault *vault,
                                                   sc_history_filter *out,
                                                   scrim_error *error);
/* "2026-11-01", which is midnight, or "2026-11-01T12:30:00Z", both UTC. */
bool sc_history_date(const char *text, uint64_t *seconds);
/* A time of 0 is not known, and never filtered out. */
bool sc_history_filter_keeps(const sc_history_filter *filter, const char *analyst,
                             uint64_t time);

#endif
