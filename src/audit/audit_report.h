/* The findings of an audit, and their report. */
#ifndef SC_AUDIT_AUDIT_REPORT_H
#define SC_AUDIT_AUDIT_REPORT_H

#include "audit/worst_pair.h"

struct scrim_audit_report {
    char *text, *summary;
    scrim_cost cost;
    sc_check
        *checks;  /* points, then loss, orders, and the charged pair where there is one */
    char **pairs; /* the pair of each */
    size_t points, orders, count;
    bool has_charged;
    uint64_t pair_count, outcomes;
    size_t worst;  /* the check that the summary is about */
    bool is_tight; /* it attains the claim */
    scrim_audit_verdict verdict;
};

#endif
