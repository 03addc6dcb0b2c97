/* The audit: computes the exact privacy of a measurement and compares it with its claim.
 *
 * For each pair of a declared family of neighbouring inputs, in both directions, it compares the
 * exact distributions of the two answers: the hockey-stick divergence at a list of epsilons, the
 * largest privacy loss, Renyi divergences. Nothing is estimated: every number has a proven lower
 * and upper bound.
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
 * An audit proves a violation, or proves the claim on the declared family. The proof of the
 * mechanism must show that this family contains the worst pair.
 *
 * Claim  audit.violation  a violation is reported only if a proven lower bound exceeds the upper
 *                         end of the claim: no false alarm
 * Claim  audit.holds      a claim is reported to hold only if the upper bound of every claimed
 *                         number, on every pair, stays within the claim and the tolerances below;
 *                         anything between is reported as undecided. Only numbers without a claim,
 *                         and Renyi divergences of infinite distributions, which have no upper
 *                         bound, are skipped and reported as watched
 * Claim  audit.attained   a claim is called tight if a lower bound comes within a hundredth of it,
 *                         and the summary then names that number
 * Claim  audit.losses     the outcomes of the worst pair have the loss ln P/Q and the probabilities
 *                         that are stated, and each one that is not listed counts as unlisted
 * Claim  audit.sampling   the delta that an audit by sampling reports exceeds the true one with
 *                         probability at most failure
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

/* Two enclosures of one number never agree to the last bit. So a claim holds if the
 * upper bound exceeds it by at most the factor 1 + 2^SCRIM_AUDIT_RELATIVE_LOG2 and,
 * for a delta, a further 2^SCRIM_AUDIT_ABSOLUTE_LOG2, which covers the far tails of
 * noise. Neither excuses a proven violation. */
#define SCRIM_AUDIT_RELATIVE_LOG2 (-40)
#define SCRIM_AUDIT_ABSOLUTE_LOG2 (-60)

typedef enum scrim_audit_verdict {
    SCRIM_AUDIT_UNSET = 0,
    SCRIM_AUDIT_HOLDS,     /* proven on every pair */
    SCRIM_AUDIT_VIOLATED,  /* a proven lower bound exceeds the claim */
    SCRIM_AUDIT_UNDECIDED, /* neither was proven */
    /* one number only: no claim or no upper bound, and no violation */
    SCRIM_AUDIT_WATCHED
} scrim_audit_verdict;

/* "holds", "violated", "undecided", "watched"; "unset" for any other value. Never
 * NULL. */
SCRIM_API const char *scrim_audit_verdict_name(scrim_audit_verdict verdict);

/* Options of an audit. None changes what is promised; all but size may be zero. */
typedef struct scrim_audit_options {
    size_t size;
    const char *const *epsilons; /* exact text, >= 0; NULL: chosen by points */
    size_t epsilon_count;        /* number of epsilons, at most 4096 */
    /* 2 to 4096 epsilons, evenly from 0 to 5/4 of the charged one; 0: 41 */
    size_t points;
    /* Called between pairs, in order, with the finished and the total number; may be
     * NULL. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    /* Orders of Renyi divergences, at most 64 from 1 to 1048576, separated by commas:
     * "3/2,64". Order 1 is the divergence of Kullback and Leibler. NULL: 1, 1.01, 2, 5
     * and 32. */
    const char *orders;
} scrim_audit_options;

/* The result: an opaque handle for one thread at a time. Texts live as long as it
 * does. */
typedef struct scrim_audit_report scrim_audit_report;

/* Audits a measurement. options may be NULL. The caller frees the report. A claim that
 * does not hold is not an error of this function; scrim_audit_check makes a status of
 * it. SCRIM_E_PARAM: wrong options, or a mechanism without distributions or
 * neighbours. SCRIM_E_SYNTAX, SCRIM_E_LIMIT: an epsilon is not a number or too long.
 * SCRIM_E_LIMIT: too many outcomes. SCRIM_E_MEMORY. out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_audit(const scrim_measurement *measurement,
                                                  const scrim_audit_options *options,
                                                  scrim_audit_report **out,
                                                  scrim_error *error);
/* NULL is allowed. */
SCRIM_API void scrim_audit_report_free(scrim_audit_report *report);

SCRIM_API scrim_audit_verdict
scrim_audit_report_verdict(const scrim_audit_report *report);
/* SCRIM_OK if the claim holds, else SCRIM_E_CHECK with a message that says what
 * exceeds it. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_audit_check(const scrim_audit_report *report,
                                                        scrim_error *error);
/* 1 if some part of the claim is tight to within a hundredth. */
SCRIM_API int scrim_audit_report_is_tight(const scrim_audit_report *report);
/* One line: what exceeds the claim and by how much, or which claim holds and is tight. */
SCRIM_API const char *scrim_audit_report_summary(const scrim_audit_report *report);
/* The line of the measurement. */
SCRIM_API const char *scrim_audit_report_text(const scrim_audit_report *report);
/* The cost that was compared with the distributions. */
SCRIM_API void scrim_audit_report_cost(const scrim_audit_report *report, scrim_cost *out);
/* Pairs in the family, and the most outcomes of one distribution. */
SCRIM_API uint64_t scrim_audit_report_pairs(const scrim_audit_report *report);
SCRIM_API uint64_t scrim_audit_report_outcomes(const scrim_audit_report *report);

/* The two neighbours with the largest excess over the claim, or else with the largest
 * privacy loss, in their direction: "x: 0 0 1 | y: 1 0 1" compares the answers on x
 * with those on y. */
SCRIM_API const char *scrim_audit_report_worst_pair(const scrim_audit_report *report);

/* All doubles are rounded: a lower bound is never above the true value, and an upper
 * bound never below it. claimed_upper is infinite if nothing is claimed. */

/* The hockey-stick divergence at an epsilon, the largest over all pairs and
 * directions, and the delta claimed there. */
typedef struct scrim_audit_point {
    char epsilon[SCRIM_NUMBER_BYTES]; /* exact */
    double epsilon_view;
    double delta_lower, delta_upper;
    double claimed_upper;
    const char *pair; /* where delta_lower was found; as scrim_audit_report_worst_pair */
    scrim_audit_verdict verdict;
} scrim_audit_point;

SCRIM_API size_t scrim_audit_report_points(const scrim_audit_report *report);
/* index < scrim_audit_report_points; SCRIM_E_PARAM above. In ascending order of
 * epsilon. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_audit_report_point(const scrim_audit_report *report, size_t index,
                         scrim_audit_point *out, scrim_error *error);
/* The charged pair (epsilon, delta); SCRIM_E_PARAM if none is promised. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_audit_report_charged(
    const scrim_audit_report *report, scrim_audit_point *out, scrim_error *error);

/* The largest privacy loss of an outcome, ln P/Q; infinite if an outcome is possible
 * on one neighbour only. upper is about the listed outcomes; all others together have
 * probability at most unlisted_upper, which is 0 for a finite distribution. The claim
 * is epsilon if delta is 0. */
typedef struct scrim_audit_loss {
    double loss_lower, loss_upper;
    double claimed_upper;
    double unlisted_upper;
    const char *pair;
    scrim_audit_verdict verdict;
} scrim_audit_loss;

SCRIM_API void scrim_audit_report_loss(const scrim_audit_report *report,
                                       scrim_audit_loss *out);

/* The Renyi divergence of an order; order 1 is the Kullback-Leibler divergence. For an
 * infinite distribution it has no upper bound: it can show a violation, but the claim
 * then rests on the deltas. */
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

/* The privacy loss of each outcome on the worst pair (scrim_audit_report_worst_pair), largest
 * first: ln P/Q, P being the probability of the outcome on x and Q on y. The loss of an answer on
 * x is random; its distribution is what an accountant composes. An opaque handle for one
 * thread at a time. Texts live as long as it does. */
typedef struct scrim_audit_losses scrim_audit_losses;

typedef struct scrim_audit_outcome {
    /* The integers of the answer, in steps of its grid, separated by blanks; "hidden" for
     * one that is not shown. Choices are numbered from 0, bits are 0 and 1. */
    const char *outcome;
    double x_lower, x_upper;       /* its probability on x */
    double y_lower, y_upper;       /* and on y */
    double loss_lower, loss_upper; /* infinite: it is possible on one of them only */
    /* The probability, on x, of a loss at least as large. */
    double reached_lower, reached_upper;
} scrim_audit_outcome;

/* The outcomes of a report's worst pair. report must be an audit of the same measurement.
 * SCRIM_E_PARAM: it is not. SCRIM_E_LIMIT, SCRIM_E_MEMORY. The caller frees the list. out
 * is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_audit_losses_new(
    const scrim_measurement *measurement, const scrim_audit_report *report,
    scrim_audit_losses **out, scrim_error *error);
/* NULL is allowed. */
SCRIM_API void scrim_audit_losses_free(scrim_audit_losses *losses);
SCRIM_API size_t scrim_audit_losses_count(const scrim_audit_losses *losses);
/* As scrim_audit_report_worst_pair. */
SCRIM_API const char *scrim_audit_losses_pair(const scrim_audit_losses *losses);
/* At most this probability, on x, belongs to outcomes that are not listed. */
SCRIM_API double scrim_audit_losses_unlisted(const scrim_audit_losses *losses);
/* index < scrim_audit_losses_count; SCRIM_E_PARAM above. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_audit_losses_get(const scrim_audit_losses *losses, size_t index,
                       scrim_audit_outcome *out, scrim_error *error);
/* The one with this text, commas counting as blanks. SCRIM_E_PARAM: none is listed. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_audit_losses_find(const scrim_audit_losses *losses, const char *outcome,
                        scrim_audit_outcome *out, scrim_error *error);

/* The audit by sampling, for infinite distributions. It draws outputs on each pair
 * through the gate, charged to a temporary ledger, and computes a lower bound of the
 * delta at the charged epsilon, which is wrong with probability at most failure. It
 * can show a violation; finding none proves nothing. */
typedef struct scrim_audit_sample_options {
    size_t size;
    uint64_t draws;         /* per input of each pair, 1000 to 2^26; 0: 100000 */
    const char *failure;    /* exact text in (0, 1); NULL: 1e-9, or 1 - confidence */
    const char *confidence; /* 1 - failure; give only one of the two */
    const char *epsilon;    /* NULL: the charged one */
    uint64_t pairs;         /* most pairs, evenly spread over the family; 0: all */
    /* Called now and then with the finished and the total number; may be NULL. */
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
    /* the event that distinguishes the inputs; constant text */
    const char *event;
    char pair[SCRIM_AUDIT_PAIR_BYTES]; /* as scrim_audit_report_worst_pair, cut to fit */
    scrim_audit_verdict verdict;       /* violated or undecided */
} scrim_audit_sample;

/* Samples a measurement that is made for data. options may be NULL. SCRIM_E_PARAM: a
 * model, a mechanism without neighbours, one that is asked query by query, or wrong
 * options. SCRIM_E_SYNTAX, SCRIM_E_LIMIT, SCRIM_E_ENTROPY, SCRIM_E_MEMORY. out is
 * untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_audit_by_sampling(
    const scrim_measurement *measurement, const scrim_audit_sample_options *options,
    scrim_audit_sample *out, scrim_error *error);
/* SCRIM_E_CHECK, with a message, if a violation was shown; else SCRIM_OK, which proves
 * nothing. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_audit_sample_check(const scrim_audit_sample *sample, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
