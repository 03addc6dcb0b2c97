/* A fleet of simulated devices, for tests of the server: their reports from a seed, and the sums of
 * them. */
#ifndef LOCAL_FLEET_H
#define LOCAL_FLEET_H

#include "check.h"
#include "local/collect/report_sums.h"

/* "scrim-local/1 question=q protocol=" + words + newline; words begin with the name of the protocol. */
const char *fleet_config(const char *words);

/* Sums of the configuration; a failed check, and no layout, where it is refused. */
sc_sums fleet_sums(const char *words);
/* One report of each value goes into the sums. */
void fleet_send(sc_sums *sums, const uint32_t *values, size_t count, uint64_t *seed);
/* holders[v] devices hold v and send a report each. */
void fleet_send_counts(sc_sums *sums, const uint64_t *holders, size_t values,
                       uint64_t *seed);
/* Divides `devices` devices among values in the shares 1/(v + 1)^1.1. */
void fleet_zipf(uint64_t devices, uint64_t *holders, size_t values);

#endif
