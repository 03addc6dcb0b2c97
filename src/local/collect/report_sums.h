/* Sums of reports, and the descriptor by which the server reads and decodes each protocol. */
#ifndef SC_LOCAL_REPORT_SUMS_H
#define SC_LOCAL_REPORT_SUMS_H

#include "base/status.h"
#include "scrim_local.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sums of the reports of one configuration. Nothing else is kept of the reports, and sums of several servers can be added up.
 *
 * Reports come in files, as messages or as a batch; sums come as text (collection.h). Input that names another configuration is
 * refused.
 *
 * Claim  sums.merge    sums of parts, added up, are the sums of the whole
 * Claim  sums.dropped  a report that no device can have sent, out of range or with spare bits set, is
 *                      counted as dropped and changes nothing else (A72)
 * Claim  sums.flagged  a report whose shape honest devices send with probability below 2^-40 is counted
 *                      as flagged (A72)
 */

/* Doubles count exactly up to here. */
#define SC_SUMS_REPORTS_MAX ((uint64_t)1 << 53)

typedef struct sc_sums sc_sums;

/* How the bytes of a protocol's reports are read and counted: one constant for each layout. */
typedef struct sc_sum_layout {
    /* How many counters it has; at most 2^27. */
    size_t (*cells)(const scrim_local_config *config);
    /* Prepares what `add` needs, in sums->context; it may stay NULL. */
    scrim_status (*begin)(sc_sums *sums, scrim_error *error);
    void (*end)(sc_sums *sums);
    /* Counts `count` reports, stride bytes apart; `readable` bytes from `reports` on may be
     * read. */
    void (*add)(sc_sums *sums, const uint8_t *reports, size_t count, size_t stride,
                size_t readable);
    /* Moves what `add` has counted in sums->context into the counters. */
    void (*finish)(sc_sums *sums);
    /* Can the counters be those of sums->reports reports? */
    bool (*is_possible)(const sc_sums *sums);
} sc_sum_layout;

struct sc_sums {
    scrim_local_config config;
    const sc_sum_layout *layout;
    uint64_t reports; /* that are in the counters */
    uint64_t dropped; /* not in them */
    uint64_t flagged; /* of those in them */
    uint64_t *counts;
    size_t cells;
    size_t report_bytes;
    void *context; /* the layout's */
};

/* For a configuration that was parsed; sc_sums_init finds the layout. SCRIM_E_LIMIT: it needs more
 * than SC_PROTOCOL_COUNTERS counters. */
SCRIM_MUST_USE scrim_status sc_sums_begin(sc_sums *sums, const scrim_local_config *config,
                                          const sc_sum_layout *layout,
                                          scrim_error *error);
void sc_sums_clear(sc_sums *sums);

/* Adds `count` reports, stride bytes apart; `readable` bytes from the first of them on may be read.
 * SCRIM_E_LIMIT: there are too many in all. */
SCRIM_MUST_USE scrim_status sc_sums_add(sc_sums *sums, const uint8_t *reports,
                                        size_t count, size_t stride, size_t readable,
                                        scrim_error *error);
/* Adds the counters of other sums of the same configuration. */
SCRIM_MUST_USE scrim_status sc_sums_merge(sc_sums *sums, const sc_sums *other,
                                          scrim_error *error);
/* The counters, after layout->finish. */
const uint64_t *sc_sums_counts(sc_sums *sums);

/* How many bytes of a report hold an integer below n; and the integer in them. */
size_t sc_report_integer_bytes(uint64_t n);
uint64_t sc_report_integer(const uint8_t *bytes, size_t count);

/* How the server reads and decodes each protocol: one constant for each, listed in sum_kinds.c. */

struct sc_decoding;

typedef struct sc_sum_kind {
    uint32_t protocol;
    const sc_sum_layout *layout;
    /* Decodes sums after layout->finish into what decoding.h describes. */
    scrim_status (*decode)(const sc_sums *sums, struct sc_decoding *out,
                           scrim_error *error);
} sc_sum_kind;

/* NULL: reports of that protocol are not counted. */
const sc_sum_kind *sc_sum_kind_of(const scrim_local_config *config);

/* Empty sums. SCRIM_E_SYNTAX, SCRIM_E_PARAM or SCRIM_E_LIMIT: text is no configuration, or of a protocol
 * whose reports are not counted. Nothing is to be cleared then. */
SCRIM_MUST_USE scrim_status sc_sums_init(sc_sums *sums, const char *text,
                                         scrim_error *error);

#endif
