/* Plans for local privacy: which protocol the devices should use, and what it will cost and show.
 *
 *     scrim_local_plan plan;
 *     scrim_error error;
 *     if (scrim_local_plan_find(SCRIM_OPTIONS(scrim_local_plan_options, .epsilon = "2",
 *                                             .users = 1000000, .domain = 5000),
 *                               &plan, &error) == SCRIM_OK)
 *         fputs(plan.rows[plan.recommended].config, stdout);
 *
 * A plan uses no data. Its errors are predictions: the standard error of an estimate at
 * frequency 0, rounded to a double. The devices' parameters and losses are exact.
 *
 * Claim  local-plan.parameters  every configuration is one that the device accepts, and its loss is
 *                               never above epsilon
 * Claim  local-plan.lifetime    the state of a device is charged what the plan says, for all periods
 * Claim  local-plan.steps       the lengths of prefix are those of the smallest detectable fraction, up to 2 %,
 *                               that a processor decodes in about half a minute
 * Claim  local-plan.choice      of counts, the recommended protocol has at most 1.02 times the error that is
 *                               best for many values, 2 e^(epsilon/2) / ((e^epsilon - 1) sqrt(users))
 */
#ifndef SCRIM_LOCAL_PLAN_H
#define SCRIM_LOCAL_PLAN_H

#include "scrim/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scrim_local_plan_options {
    size_t size;
    const char *epsilon;  /* of one report, exact text above 0 and at most 8 */
    uint64_t users;       /* reports in a period, at least 1 */
    uint64_t domain;      /* number of values, at least 2; 0: unknown texts */
    uint64_t length;      /* of unknown texts, in bytes, 1 to 31; 0: 8 */
    uint64_t periods;     /* in which a device reports; 0: 1 */
    int is_constant;      /* 1: the value of a device never changes */
    int is_ordered;       /* 1: values are numbers, and their distribution is wanted */
    const char *question; /* its name in the configuration; NULL: "question" */
} scrim_local_plan_options;

#define SCRIM_LOCAL_PLAN_ROWS 18
#define SCRIM_LOCAL_PLAN_TEXT_BYTES 512
#define SCRIM_LOCAL_PLAN_SHARES 3

/* One protocol. */
typedef struct scrim_local_plan_row {
    const char *protocol; /* its name; constant text */
    const char *answers;  /* "counts", "texts", "distribution" or "mean"; constant text */
    /* For the device, with its newline; empty: the protocol cannot have this domain or epsilon, and
     * all that follows is 0. */
    char config[SCRIM_LOCAL_PLAN_TEXT_BYTES];
    size_t report_bytes;
    /* Standard error of the estimated fraction of devices that hold a rare value; of numbers, of the
     * mean, as a fraction of the range. */
    double standard_error;
    /* A fraction that is found with probability 0.9, where a value that nobody holds is found with
     * probability 0.05, of all values together; of prefix it must be kept in each group, whose sizes are random, too.
     * 0 for numbers. */
    double detectable;
    double loss_upper; /* of one report */
    /* The charge of a device's state for all periods with this configuration: once for a constant value where the
     * protocol has a permanent answer, else for each period. */
    double lifetime_upper;
    /* By how much one estimate can be raised if 0.1 %, 1 %, 5 % of the reports are forged, as a
     * fraction like the standard error; and how many estimates one such report raises at once, at
     * most; 0: any number. */
    double raised[SCRIM_LOCAL_PLAN_SHARES];
    uint64_t targets;
} scrim_local_plan_row;

typedef struct scrim_local_plan {
    scrim_local_plan_row rows[SCRIM_LOCAL_PLAN_ROWS];
    size_t count, recommended; /* rows[recommended] is the choice */
    const char *reason;        /* for the recommended one; constant text */
    /* A distribution of numbers: a domain about as large as the reports allow. With more values, the error of one is
     * larger than the share of an average one. 0: the domain is no larger. */
    uint64_t values_fit;
    /* The recommended protocol is square-wave: standard error of the estimated share of one value, before em-smooth
     * (scrim_decode_options), which makes it several times smaller where the distribution is smooth. Else 0. */
    double share_error;
} scrim_local_plan;

/* SCRIM_E_PARAM: an option is missing or not allowed. SCRIM_E_LIMIT: no protocol has such a domain. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_local_plan_find(
    const scrim_local_plan_options *options, scrim_local_plan *out, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
