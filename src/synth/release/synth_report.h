/* What synthetic rows preserve: the total variation of every marginal of one column up to `ways` columns, from
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
#ifndef SC_SYNTH_REPORT_H
#define SC_SYNTH_REPORT_H

#include "synth/model/synth_rows.h"
#include "synth/release/noise_l1.h"
#include "synth/release/variation_bounds.h"

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
