/* Calculators beside the statements of two documents.
 *
 * Tail bounds (survey, Theorems 2.1, 2.2, 2.3 and 2.5): n terms from 0 to a width w, with mean m each, and
 * how likely their mean deviates from m by more than t. With e = t/w and p = m/w:
 *   chernoff-additive        exp(-2 n e^2), on either side (2.1, with n in place of the printed m)
 *   chernoff-multiplicative  exp(-n p d^2/3) above, exp(-n p d^2/2) below, d = t/m of at most 1 (2.2 with
 *                            the mean, which the document leaves out: errata 39 and 40)
 *   chernoff                 exp(-n KL(p + e, p)), which no bound of this kind beats
 *   hoeffding                2 exp(-2 n e^2), both sides together (2.3; independent terms: erratum 41)
 *   azuma                    exp(-2 n e^2), where the expectation of the sum given the terms so far moves by
 *                            at most w with each term (2.5)
 *   exact                    of independent terms that are 0 or w: the largest spread of this mean
 *
 * Central beside local (survey, 7.2): the error of a fraction of people at the same epsilon. Central:
 * discrete Laplace noise on the count; local: randomised response by everybody. Both radii are those that
 * the library certifies; beside them ln(1/beta)/(epsilon n) and Hoeffding's bound of the survey.
 *
 * Truncation (document 004, Definition 10): transactions of L items that contain a set of s items are cut to
 * a uniform subset of at most m items. The set survives with probability C(L-s, m-s)/C(L, m). beta is the
 * exact probability that the count after truncation is not within factors e^-gamma and e^gamma of the true
 * one, for these transactions; scale=yes divides the count by the mean share that survives.
 *
 * Claim  tail-bounds.valid   each probability and deviation is rounded up, and at least that of the exact row
 * Claim  truncation.exact    beta is the exact probability, rounded up
 */
#ifndef LAB_EXPERIMENT_SURVEY_BOUNDS_H
#define LAB_EXPERIMENT_SURVEY_BOUNDS_H

#include "lab/lab.h"

typedef struct lab_tail_bound {
    const char *name, *side; /* constant text; "above", "below" or "both" */
    bool is_known;           /* else the bound does not hold for this question */
    double probability, deviation;
    const char *source;
} lab_tail_bound;

#define LAB_TAIL_BOUNDS 11

typedef struct lab_tail_bounds {
    bool finds_deviation; /* for a probability; else the other way round */
    lab_tail_bound list[LAB_TAIL_BOUNDS];
    size_t count;
} lab_tail_bounds;

/* line is "terms=N mean=R deviation=R|probability=R [width=R]". Errors as lab_words_read; out is untouched on
 * failure. The other functions likewise. */
SCRIM_MUST_USE scrim_status lab_tail_bounds_of(const char *line, lab_tail_bounds *out,
                                               scrim_error *error);

#define LAB_TRUST_ROWS 7

typedef struct lab_trust_row {
    uint64_t people;
    double central, local;                 /* errors of a fraction, at most 1 */
    double central_printed, local_printed; /* by the formulas */
} lab_trust_row;

typedef struct lab_trust {
    char text[128]; /* the question */
    lab_trust_row rows[LAB_TRUST_ROWS];
} lab_trust;

/* line is "epsilon=R [confidence=R]"; 10, 100, ... people. */
SCRIM_MUST_USE scrim_status lab_trust_of(const char *line, lab_trust *out,
                                         scrim_error *error);

#define LAB_TRUNCATION_ROWS 8

typedef struct lab_truncation {
    uint64_t transactions; /* that contain the set */
    double kept;           /* expected share that still does */
    double scale;          /* what the count is multiplied by */
    uint64_t moved_before,
        moved_after; /* sets of this size that one transaction is in, at most */
    struct {
        double gamma, beta;
    } rows[LAB_TRUNCATION_ROWS];
    size_t count;
} lab_truncation;

/* line is "size=N keep=N lengths=L:COUNT,... gamma=R,... [scale=yes]". */
SCRIM_MUST_USE scrim_status lab_truncation_of(const char *line, lab_truncation *out,
                                              scrim_error *error);

#endif
