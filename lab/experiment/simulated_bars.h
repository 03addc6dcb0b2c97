/* Simulated histograms, the statistics that the experiments ask of them, and what each run on one
 * histogram needs: true value, stability, flexible errors.
 *
 * Bars are numbered from 1, as in spec/flexible-accuracy.md 13; at[0] is not used.
 *
 * Claim  flexible-error.least    the flexible error of each answer is its least distance to the value
 *                                of any histogram below x that lacks at most the allowance
 * Claim  value-stability.radius  the add/remove distance to the nearest histogram that has a neighbour
 *                                with another value
 * Claim  value-stability.cost    the least add/remove distance to a histogram whose value is one of two
 *                                that are d bars apart and that has a neighbour with the other value
 *
 * Reference  spec/flexible-accuracy.md 4.1, 13.1 to 13.3
 */
#ifndef LAB_EXPERIMENT_SIMULATED_BARS_H
#define LAB_EXPERIMENT_SIMULATED_BARS_H

#include "lab/lab.h"

#define LAB_BARS_MAX 300

typedef struct lab_bars {
    size_t count; /* B, 1 to LAB_BARS_MAX */
    int64_t at[LAB_BARS_MAX + 1];
} lab_bars;

/* Either max_k, the largest i with x(i) >= k, or 0 if no bar is that high; max is max_1. Or the
 * mode, the smallest index of a highest bar. */
typedef struct lab_bar_statistic {
    bool is_mode;
    int64_t k; /* of max_k, at least 1 */
} lab_bar_statistic;

int64_t lab_bars_total(const lab_bars *x);
int64_t lab_bars_highest(const lab_bars *x);
/* From 0 to B for max_k, from 1 to B for the mode. */
size_t lab_bars_value(const lab_bar_statistic *f, const lab_bars *x);
/* The value of a released histogram; 0 if the histogram has no element. */
size_t lab_bars_answer(const lab_bar_statistic *f, const lab_bars *released);

/* The six experiments. */
#define LAB_EXPERIMENTS 6

typedef struct lab_experiment_kind {
    unsigned number;
    const char *statistic; /* "max_500" */
    lab_bar_statistic f;
    size_t bars;
    const char *data; /* in words */
    bool is_drawn;    /* each dataset is drawn anew; otherwise all are equal */
} lab_experiment_kind;

/* NULL unless the number is 1 to LAB_EXPERIMENTS. is_noisy: the bars of the sixth experiment are drawn
 * from Poisson distributions. */
const lab_experiment_kind *lab_experiment_kind_of(unsigned number, bool is_noisy);
/* One dataset. random may be NULL if is_drawn is false. */
void lab_experiment_make(const lab_experiment_kind *kind, lab_random *random,
                         lab_bars *out);

/* Flexible error: the distance of an answer from the nearest value that the statistic can take after at
 * most `allowance` elements were dropped. */

/* The allowance of the experiments: floor(5 |x| / 1000). */
int64_t lab_flexible_allowance(const lab_bars *x);
/* Which values, 0 to B, the statistic can then take. */
void lab_flexible_reach(const lab_bar_statistic *f, const lab_bars *x, int64_t allowance,
                        bool reach[LAB_BARS_MAX + 1]);
/* The flexible error of each answer, 0 to B. */
void lab_flexible_errors(const lab_bar_statistic *f, const lab_bars *x, int64_t allowance,
                         uint32_t errors[LAB_BARS_MAX + 1]);

/* Stability: how many elements must be added or removed before the statistic can change. */

/* No other histogram has another value: there is only one bar. */
#define LAB_ALWAYS_STABLE INT64_MAX

/* The stability radius of propose-test-release. */
int64_t lab_stability_radius(const lab_bar_statistic *f, const lab_bars *x);
/* costs[d], 1 <= d <= B: the least cost of a jump by d bars; LAB_ALWAYS_STABLE if no such jump
 * is possible. Takes time that grows with the square of the number of bars and not with their
 * heights. */
void lab_jump_costs(const lab_bar_statistic *f, const lab_bars *x,
                    int64_t costs[LAB_BARS_MAX + 1]);
/* The smooth sensitivity max_d d exp(-decay costs[d]). */
double lab_smooth_sensitivity(const int64_t costs[LAB_BARS_MAX + 1], size_t bars,
                              double decay);

/* A dataset with all of the above. f and x stay the caller's. */
typedef struct lab_scene {
    const lab_bar_statistic *f;
    const lab_bars *x;
    size_t value;       /* f(x) */
    size_t shown_count; /* bars that are not empty */
    size_t shown[LAB_BARS_MAX];
    int64_t radius;
    int64_t jump_costs[LAB_BARS_MAX + 1];
    int64_t allowance;
    uint32_t flexible_errors[LAB_BARS_MAX + 1];
} lab_scene;

void lab_scene_init(lab_scene *out, const lab_bar_statistic *f, const lab_bars *x);
/* The distance of an answer from the true value, in bars. */
uint32_t lab_scene_raw_error(const lab_scene *scene, size_t answer);

#endif
