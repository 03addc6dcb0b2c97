/* How the server reads and decodes each protocol: one constant for each, listed in sum_kinds.c. */
#ifndef SC_LOCAL_SUM_KIND_H
#define SC_LOCAL_SUM_KIND_H

#include "local/collect/report_sums.h"

struct sc_decoding;

typedef struct sc_sum_kind {
    uint32_t protocol;
    const sc_sum_layout *layout;
    /* Fills what decoding.h says, of sums that are whole. */
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
