/* Reports on synthetic rows: quantiles of noise, bounds of total variation, and the report itself. */
#ifndef SC_SYNTH_REPORT_H
#define SC_SYNTH_REPORT_H

#include "base/status.h"
#include "synth/model/synth_rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far a noisy marginal is from the true one: quantiles of the sum of absolute noises.
 *
 *     B = smallest bound that is found with Pr[ |Z_1| + ... + |Z_n| > B ] <= beta
 *
 * The distribution is convolved by a transform whose rounding is bounded and counted in. Where n or the noise
 * is too large for it, B is a Chernoff bound; noise of a deviation above 512 is first rounded up to a grid.
 *
 * Claim  noise-l1.upper  B is never below the quantile
 * Claim  noise-l1.tight  it is the quantile itself, but for ties within rounding, up to 2^22 steps of the sum
 *
 * Reference  spec/synthetic.md 7
 */

/* The noise of a cell. */
typedef struct sc_cell_noise {
    bool is_laplace;
    double
        parameter; /* discrete Gaussian: sigma^2; discrete Laplace: its scale; above 0, at most 2^60 */
} sc_cell_noise;

/* cells >= 1, 0 < beta < 1. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_noise_l1_upper(const sc_cell_noise *noise, uint64_t cells,
                                              double beta, double *out,
                                              scrim_error *error);
/* The same for cells that are each the sum of `members` noises, by sub-Gaussian tails and all
 * patterns of signs: sqrt(2 members sigma^2 n (n ln 2 + ln(1/beta))). Infinite for Laplace
 * noise. */
double sc_noise_l1_sums_upper(const sc_cell_noise *noise, double members, uint64_t cells,
                              double beta);

/* Bounds of the total variation between the true data and synthetic rows, for one marginal, from releases.
 *
 * x are the true counts of n rows, y = x + noise, s the counts of m synthetic rows, N the released total, s' = s N/m.
 *
 *     sum |x - s'| is within sum |y - s'| +- B with B >= sum |noise|
 *     TV(x/n, s/m) is within (sum |x - s'| +- |N - n|)/(2N)
 *
 * since sum |x/n - x/N| = |N - n|/N. Both hold for any s, also one that was fitted to y.
 *
 * Claim  variation.interval  the interval holds whenever sum |noise| <= B and |N - n| <= slack
 * Claim  variation.upper     so does the bound by selection whenever also the selection's inequality does
 *
 * Reference  spec/synthetic.md 7
 */

typedef struct sc_variation {
    double lower, upper; /* of the total variation, from 0 to 1 */
} sc_variation;

/* The released total, and what bounds |N - n|. */
typedef struct sc_variation_total {
    double total; /* N, above 0 */
    double slack; /* >= |N - n| */
} sc_variation_total;

/* |N - n| <= slack but for probability beta, where N is n with such noise, rounded to an integer of at least 1.
 * Gaussian: any sub-Gaussian noise of that variance. A parameter of 0: N is n. */
double sc_variation_slack_upper(const sc_cell_noise *noise, double beta);

/* sum |y - s'|; noisy and synthetic have the cells of one marginal, rows > 0. */
double sc_variation_distance(const int64_t *noisy, const int64_t *synthetic, size_t cells,
                             double total, uint64_t rows);
/* From a distance to y and B. */
sc_variation sc_variation_interval(double distance, double noise_l1,
                                   const sc_variation_total *total);

/* The bound that a round of the exponential mechanism gives for a candidate that was not chosen. Scores are
 * W (sum |x - model| - penalty); with probability 1 - beta every candidate of the round satisfies
 * score <= chosen score + (ln candidates + ln(1/beta))/h. */
typedef struct sc_selection_round {
    uint64_t candidates;
    double h;
    double chosen_weight, chosen_penalty;
    double
        chosen_upper; /* of sum |x - model| of the chosen marginal: sum |y - model| + B */
} sc_selection_round;

/* An upper bound of sum |x - model| for a candidate of this weight > 0 and penalty. */
double sc_selection_upper(const sc_selection_round *round, double weight, double penalty,
                          double beta);
/* The total variation is at most this: an upper bound of sum |x - model|, and sum |model - s'|. */
double sc_variation_upper(double from_model, double model_distance,
                          const sc_variation_total *total);

/* How well rows preserve the data: the total variation of every marginal of one column up to `ways` columns, from
 * releases alone.
 *
 * All intervals hold together with probability 1 - beta, whatever the rows are. Each statement has an equal share of
 * beta: one for the total, two a round of selection (for the choice, and the noise of what was chosen), one a marginal
 * with an interval. Rounds may go on or end by the noise of earlier ones. So beta is divided by the number of statements that
 * could be made, which is known before: else a share would depend on the noise that it bounds.
 *
 * Claim  synth-report.covers  the intervals hold together with probability at least 1 - beta
 *
 * Reference  spec/synthetic.md 7
 */

/* Marginals with more cells are left out. */
#define SC_REPORT_CELLS_MAX ((uint64_t)1 << 24)

typedef struct sc_report_measured {
    sc_clique clique;
    const int64_t *counts;
    uint64_t
        noises; /* in all cells together: their number, or more where cells are sums of noisy ones */
    sc_cell_noise noise;
} sc_report_measured;

/* A round of selection: the model that scores were made with, as integers. */
typedef struct sc_report_candidate {
    sc_clique clique;
    const int64_t *model;
    double weight, penalty;
} sc_report_candidate;

typedef struct sc_report_round {
    double h;
    sc_report_candidate chosen; /* which was then measured */
    uint64_t candidates;        /* in the round */
    const sc_report_candidate *others;
    size_t other_count; /* those that are wanted here */
} sc_report_round;

/* Fills the marginal of a model, as sc_synth_model_marginal does. */
typedef scrim_status sc_report_marginal(const void *model, sc_clique clique, double *out,
                                        scrim_error *error);

typedef struct sc_report_facts {
    const sc_synth_columns *columns;
    const sc_synth_rows *rows;    /* at least one */
    sc_report_marginal *marginal; /* of the model, and what it is called with */
    const void *model;
    double total;              /* N */
    sc_cell_noise total_noise; /* a parameter of 0: N is the number of rows */
    const sc_report_measured *measured;
    size_t measured_count;
    const sc_report_round *rounds;
    size_t round_count;
    double beta;
    size_t
        statements; /* the most that could be made beside that of the total; 0: those that are */
    unsigned ways; /* 1 to 3 */
} sc_report_facts;

typedef enum sc_report_kind {
    SC_REPORT_MEASURED = 1, /* an interval */
    SC_REPORT_INSIDE,       /* an interval from a measured marginal of more columns */
    SC_REPORT_SELECTION,    /* an upper bound from a round of selection */
    SC_REPORT_MODEL         /* not measured, model only: no bound */
} sc_report_kind;

typedef struct sc_report_entry {
    sc_clique clique;
    sc_report_kind kind;
    sc_variation variation; /* 0 and 1 where nothing is known */
    double from_model;      /* the total variation between rows and model */
} sc_report_entry;

typedef struct sc_synth_report {
    sc_report_entry *entries; /* by number of columns, then in their order */
    size_t count;
    size_t left_out; /* marginals with too many cells */
    double slack;    /* |N - n| is at most this, at the same confidence */
} sc_synth_report;

void sc_synth_report_init(sc_synth_report *report);
void sc_synth_report_clear(sc_synth_report *report);
/* out is initialised. SCRIM_E_MEMORY, and what the model's marginals fail with. */
SCRIM_MUST_USE scrim_status sc_synth_report_make(const sc_report_facts *facts,
                                                 sc_synth_report *out,
                                                 scrim_error *error);

#endif
