/* The audit: the exact privacy of a measurement, held against its claim.
 *
 * For each pair of a declared family of neighbouring inputs, and in both directions, the exact
 * laws of the two answers are compared: the hockey-stick divergence at a list of epsilons, the
 * largest privacy loss, Renyi divergences. What is found is never an estimate: a number has a
 * lower and an upper bound, computed in ball arithmetic.
 *
 *     scrim_measurement *count = NULL;
 *     scrim_audit_report *report = NULL;
 *     scrim_error error;
 *     if (scrim_measurement_parse_model("laplace epsilon=1", &count, &error) != SCRIM_OK ||
 *         scrim_audit(count, NULL, &report, &error) != SCRIM_OK ||
 *         scrim_audit_check(report, &error) != SCRIM_OK)
 *         fputs(error.message, stderr);
 *     scrim_audit_report_free(report);
 *     scrim_measurement_free(count);
 *
 * An audit is about the declared family: it proves a violation, and on that family it proves
 * the claim; that the family holds the worst pair is the mechanism's own proof.
 *
 * Claim  audit.violation  a violation is reported only where a proved lower bound exceeds the
 *                         upper end of the claim: no false alarm
 * Claim  audit.holds      a claim is reported to hold only where the upper bound of every number
 *                         that is claimed, on every pair, stays within the claim and the
 *                         tolerances below; what is neither is reported as undecided. Only what
 *                         has nothing to be held against is passed over, and reported as
 *                         watched: a number of which nothing is claimed, a Renyi divergence of
 *                         laws without end, which has no upper bound
 * Claim  audit.attained   a claim is said to be attained where a lower bound comes within a
 *                         hundredth of it, and the summary is then about that number
 * Claim  audit.sampling   the delta that an audit by sampling reports exceeds the true one with a
 *                         probability of at most failure
 */
#ifndef SCRIM_AUDIT_H
#define SCRIM_AUDIT_H

#include "scrim/measurement.h"
#include "scrim/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Two enclosures of one number never agree to the last bit, so a claim that is attained
 * exactly is held to hold when the upper bound exceeds it by no more than the factor
 * 1 + 2^SCRIM_AUDIT_RELATIVE_LOG2 and, for a delta, a further 2^SCRIM_AUDIT_ABSOLUTE_LOG2:
 * the latter covers the far tails of noise, which no list of outcomes holds. Neither excuses
 * a violation that is proved. */
#define SCRIM_AUDIT_RELATIVE_LOG2 (-40)
#define SCRIM_AUDIT_ABSOLUTE_LOG2 (-60)

typedef enum scrim_audit_verdict {
    SCRIM_AUDIT_UNSET = 0,
    SCRIM_AUDIT_HOLDS,     /* proved on every pair */
    SCRIM_AUDIT_VIOLATED,  /* a proved lower bound exceeds the claim */
    SCRIM_AUDIT_UNDECIDED, /* neither could be proved */
    SCRIM_AUDIT_WATCHED    /* of one number: there is no claim, or no upper bound, and no
                            * violation; never of a whole report */
} scrim_audit_verdict;

/* "holds", "violated", "undecided", "watched"; "unset" for what is none of them. Never NULL. */
SCRIM_API const char *scrim_audit_verdict_name(scrim_audit_verdict verdict);

/* How an audit is made; no member changes what is promised, so all may stay zero but size. */
typedef struct scrim_audit_options {
    size_t size;
    const char *const *epsilons; /* exact text, >= 0; NULL: chosen by points */
    size_t epsilon_count;        /* of them, at most 4096 */
    size_t points; /* 0: 41; from 2 to 4096 epsilons, evenly from 0 on, up to
                                  * 5/4 of what is charged */
    /* Called between pairs, in order, with what is done of what is to do; may be NULL. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} scrim_audit_options;

/* What was found; an opaque handle that belongs to one thread at a time. Texts live as long as
 * it does. */
typedef struct scrim_audit_report scrim_audit_report;

/* Audits a measurement. options may be NULL. The caller frees the report. A claim that does not
 * hold is no failure of this function: the verdict says so, and scrim_audit_check makes a
 * status of it. SCRIM_E_PARAM for options that are not in order, or a mechanism that declares
 * neither laws nor neighbours; SCRIM_E_SYNTAX, SCRIM_E_LIMIT for an epsilon that is no number or
 * too long a one; SCRIM_E_LIMIT when a law has too many outcomes; SCRIM_E_MEMORY. out is
 * untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_audit(const scrim_measurement *measurement,
                                                  const scrim_audit_options *options,
                                                  scrim_audit_report **out,
                                                  scrim_error *error);
/* NULL is allowed. */
SCRIM_API void scrim_audit_report_free(scrim_audit_report *report);

SCRIM_API scrim_audit_verdict
scrim_audit_report_verdict(const scrim_audit_report *report);
/* SCRIM_OK when the claim holds, else SCRIM_E_CHECK with a message that says what exceeds it. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_audit_check(const scrim_audit_report *report,
                                                        scrim_error *error);
/* 1 when some part of the claim is attained to within a hundredth: nothing could be saved. */
SCRIM_API int scrim_audit_report_is_tight(const scrim_audit_report *report);
/* One line: what exceeds the claim and by how much, or what holds: the number that attains the
 * claim where there is one. */
SCRIM_API const char *scrim_audit_report_summary(const scrim_audit_report *report);
/* The measurement's line. */
SCRIM_API const char *scrim_audit_report_text(const scrim_audit_report *report);
/* The cost that was held against the laws. */
SCRIM_API void scrim_audit_report_cost(const scrim_audit_report *report, scrim_cost *out);
/* Pairs in the family, and the most outcomes that one law had. */
SCRIM_API uint64_t scrim_audit_report_pairs(const scrim_audit_report *report);
SCRIM_API uint64_t scrim_audit_report_outcomes(const scrim_audit_report *report);

/* The two neighbours where the largest excess over the claim, or else the largest privacy
 * loss, was found, and its direction: "x: 0 0 1 | y: 1 0 1" says that the answers on x were
 * held against those on y. */
SCRIM_API const char *scrim_audit_report_worst_pair(const scrim_audit_report *report);

/* All doubles are views of balls, rounded so that a lower bound is never above the true value
 * and an upper bound never below it. claimed_upper is infinite where nothing is claimed. */

/* The hockey-stick divergence at an epsilon, the largest over all pairs and directions, and
 * the delta that is claimed there. */
typedef struct scrim_audit_point {
    char epsilon[SCRIM_NUMBER_BYTES]; /* exact */
    double epsilon_view;
    double delta_lower, delta_upper;
    double claimed_upper;
    const char *pair; /* where delta_lower was found; as scrim_audit_report_worst_pair */
    scrim_audit_verdict verdict;
} scrim_audit_point;

SCRIM_API size_t scrim_audit_report_points(const scrim_audit_report *report);
/* index < scrim_audit_report_points; SCRIM_E_PARAM above. In ascending order of epsilon. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_audit_report_point(const scrim_audit_report *report, size_t index,
                         scrim_audit_point *out, scrim_error *error);
/* The pair (epsilon, delta) that is charged; SCRIM_E_PARAM when none is promised. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_audit_report_charged(
    const scrim_audit_report *report, scrim_audit_point *out, scrim_error *error);

/* The largest privacy loss of an outcome, ln P/Q; infinite when an outcome is possible on one
 * neighbour only. upper is about the outcomes that both laws list; those of neither list have
 * together at most the probability unlisted_upper, which is 0 for a finite law. What is claimed is
 * epsilon where delta is 0, else nothing. */
typedef struct scrim_audit_loss {
    double loss_lower, loss_upper;
    double claimed_upper;
    double unlisted_upper;
    const char *pair;
    scrim_audit_verdict verdict;
} scrim_audit_loss;

SCRIM_API void scrim_audit_report_loss(const scrim_audit_report *report,
                                       scrim_audit_loss *out);

/* The Renyi divergence of an order; that of order 1 is the divergence of Kullback and Leibler.
 * Without a finite law it has no upper bound (infinite): then it can show a violation, is watched
 * otherwise, and that the claim holds rests on the deltas. */
typedef struct scrim_audit_order {
    char order[SCRIM_NUMBER_BYTES]; /* exact */
    double renyi_lower, renyi_upper;
    double claimed_upper;
    const char *pair;
    scrim_audit_verdict verdict;
} scrim_audit_order;

SCRIM_API size_t scrim_audit_report_orders(const scrim_audit_report *report);
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_audit_report_order(const scrim_audit_report *report, size_t index,
                         scrim_audit_order *out, scrim_error *error);

/* The audit by sampling, for what has no finite law: outputs are drawn on each pair through the
 * gate, charged to a ledger of its own, and a lower bound of the delta that is needed at the
 * charged epsilon is computed that is wrong with a probability of at most failure. It can show a
 * violation; that it shows none proves nothing. */
typedef struct scrim_audit_sample_options {
    size_t size;
    uint64_t draws;         /* on each input of each pair; 0: 100000; from 1000 to 2^26 */
    const char *failure;    /* exact text in (0, 1); NULL: 1e-9, or 1 - confidence */
    const char *confidence; /* the same said the other way; not both */
    const char *epsilon;    /* NULL: what is charged */
    uint64_t pairs; /* at most so many pairs, evenly spread over the family; 0: all */
    /* Called now and then with what is done of what is to do; may be NULL. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} scrim_audit_sample_options;

#define SCRIM_AUDIT_PAIR_BYTES 2048

typedef struct scrim_audit_sample {
    char epsilon[SCRIM_NUMBER_BYTES];
    double delta_lower; /* the largest over all pairs */
    double claimed_upper;
    char failure[SCRIM_NUMBER_BYTES], confidence[SCRIM_NUMBER_BYTES];
    uint64_t pairs, draws;
    const char *event;                 /* what gives the inputs away; constant text */
    char pair[SCRIM_AUDIT_PAIR_BYTES]; /* as scrim_audit_report_worst_pair, cut to fit */
    scrim_audit_verdict verdict;       /* violated or undecided */
} scrim_audit_sample;

/* Samples a measurement that is made for data. options may be NULL. SCRIM_E_PARAM for a model,
 * for a mechanism that declares no neighbours, for one that is asked query by query only, and
 * for options that are not in order; SCRIM_E_SYNTAX, SCRIM_E_LIMIT, SCRIM_E_ENTROPY,
 * SCRIM_E_MEMORY. out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_audit_by_sampling(
    const scrim_measurement *measurement, const scrim_audit_sample_options *options,
    scrim_audit_sample *out, scrim_error *error);
/* SCRIM_E_CHECK, with a message that says what exceeds the claim, where a violation was shown;
 * else SCRIM_OK, which proves nothing. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_audit_sample_check(const scrim_audit_sample *sample, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
