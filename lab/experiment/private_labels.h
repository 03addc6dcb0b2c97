/* Private labels (survey, end of 9.2): models of disjoint people vote on public points, and a student
 * learns from the labels that are shown.
 *
 * Simulated people have one of three classes and two features. Each belongs to one of `teachers` models;
 * every model votes on `points` public points. One person changes one model, and thereby one vote on each
 * point. The margin of a point is
 *
 *     d = max(0, floor((most votes - second most - 1)/2)),
 *
 * which one moved vote changes by at most 1, and if d >= 1 the winner stays the same. The margins go
 * through generalised-sparse-vector (Laplace noise, `labels` answers above), charged to a ledger in memory;
 * a point whose margin is answered "above" shows its winner without more noise. A winner can differ
 * between neighbours only where d is 0, so the cost is that of the sparse vector, and in addition
 *
 *     delta = points * P(query noise - threshold noise >= threshold);
 *
 * the threshold is the least whose delta is at most the one asked for. Beside it: the exponential
 * mechanism on the votes of the first points, with epsilon/labels each; votes without noise; and a model
 * of all people.
 *
 * Claim  private-labels.margin  one vote that moves changes a margin by at most 1, and no winner of margin
 *                               1 or more
 * Claim  private-labels.delta   points times the tail at the threshold is at most delta, and above it one
 *                               below
 */
#ifndef LAB_EXPERIMENT_PRIVATE_LABELS_H
#define LAB_EXPERIMENT_PRIVATE_LABELS_H

#include "lab/lab.h"

#define LAB_LABEL_CLASSES 3
#define LAB_LABEL_WAYS 4

/* The winner, the first one on a tie, and its margin. */
typedef struct lab_vote {
    unsigned winner;
    int64_t margin;
} lab_vote;

lab_vote lab_vote_of(const unsigned votes[LAB_LABEL_CLASSES]);

/* The least threshold at which no more than delta is left, for discrete Laplace noise of these scales; *left
 * gets points times the tail there. */
int64_t lab_label_threshold(uint64_t points, double threshold_scale, double query_scale,
                            double delta, double *left);

typedef struct lab_label_way {
    const char *name;    /* constant text */
    double shown, right; /* labels, mean of the runs; share of them that is the class */
    double student;      /* share of fresh people that the student gets right */
    bool has_cost;
    double epsilon, delta;
} lab_label_way;

typedef struct lab_labels {
    char text[512];      /* the question */
    char mechanism[256]; /* its line */
    int64_t threshold;
    lab_label_way ways[LAB_LABEL_WAYS];
} lab_labels;

/* line is "[people=N] [teachers=N] [points=N] [labels=N] [epsilon=R] [delta=R]". Errors as lab_words_read and
 * scrim_release; out is untouched on failure. */
SCRIM_MUST_USE scrim_status lab_labels_run(const char *line, uint64_t runs,
                                           lab_labels *out, scrim_error *error);

#endif
