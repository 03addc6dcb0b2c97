/* The pages of scrim experiment, scrim errata, scrim list papers, and the plan of scrim calibrate. Each reads its options and words, computes, and writes. All fail with
 * SCRIM_E_PARAM, SCRIM_E_LIMIT or SCRIM_E_SYNTAX for wrong words, SCRIM_E_MEMORY, and SCRIM_E_INPUT if a
 * drawing cannot be written. */
#ifndef SC_CLI_EXPERIMENTS_H
#define SC_CLI_EXPERIMENTS_H

#include "cli/terminal/options.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "lab/experiment/flexible_accuracy.h"

typedef scrim_status sc_experiment_page(const sc_options *options, scrim_error *error);

/* The list of errata, or those of --document and --kind; or the one that the word number first names, as
 * "12" or "E12". */
SCRIM_MUST_USE scrim_status sc_errata_show(const sc_options *options, size_t first,
                                           scrim_error *error);
/* scrim list papers: the documents, the statements of one, or one statement, by the words behind these. */
sc_experiment_page sc_papers_show;

/* linear-queries: errors that are enough for linear queries, and limits. */
sc_experiment_page sc_linear_bounds_show;
/* pricing: the survey's sale by the exponential mechanism. */
sc_experiment_page sc_pricing_show;
/* tail-bounds: Chernoff, Hoeffding and Azuma beside the exact probability. */
sc_experiment_page sc_tail_bounds_show;
/* central-local: the error of a fraction with a curator and without. */
sc_experiment_page sc_central_local_show;
/* truncation: how well counts of item sets survive shorter transactions. */
sc_experiment_page sc_truncation_show;
/* extension: the exact algorithm of the paper on floating bodies, by all tables of a tiny universe. */
sc_experiment_page sc_table_extension_show;
/* private-labels: models of disjoint people that vote. */
sc_experiment_page sc_private_labels_show;
/* body-routes: two routes to the centre of a floating body. */
sc_experiment_page sc_body_routes_show;
/* suppression: Figure 1 of the paper on suppression, and the calculators of its section 6. */
sc_experiment_page sc_suppression_show;
/* rounded-stlap Q...: the histogram as it was first published, its exact delta beside the stated one and
 * that of stlap. */
sc_experiment_page sc_rounded_table;
/* emptiness [certain=Q]: the left half of Figure 3 of document 001, how likely a set of k elements is reported. */
sc_experiment_page sc_emptiness_show;
/* composition: a statement of flexible accuracy, then stages, one row for each:
 *
 *     composition alpha=0.05 beta=0.1 gamma=0 metric=move apply growth=2 metric=absolute
 *                 then alpha=0 beta=3 gamma=0.05 growth=same
 */
sc_experiment_page sc_flexible_stages;
/* evaluate: the best beta of a mechanism on one input:
 *
 *     evaluate input=10 reachable=8,9,10 gamma=0.05 laplace epsilon=1 sensitivity=1
 */
sc_experiment_page sc_flexible_best;
/* sensitivity FILE: the distortion and error sensitivities of a function that stands in the file:
 *
 *     sensitivity table.json alpha=0.1 gamma=0.05 omega=1 eta=2
 */
sc_experiment_page sc_flexible_sensitivity;

/* Exact text; eta NULL: 1. */
typedef struct sc_function_numbers {
    const char *alpha, *gamma; /* of the error sensitivity */
    const char *omega;         /* of the distortion sensitivity */
    const char *eta;           /* of drop-move */
} sc_function_numbers;

/* The table of both sensitivities. SCRIM_E_INPUT with the number of the line that has another form. */
SCRIM_MUST_USE scrim_status sc_function_table(const sc_options *options, const char *path,
                                              const sc_function_numbers *numbers,
                                              scrim_error *error);

/* calibrate bucket-histogram elements=N: three of epsilon, delta, alpha and beta are given, and the fourth is found.
 * Asked if that mechanism and elements are named. */
bool sc_histogram_plan_asked(const sc_options *options);
sc_experiment_page sc_histogram_plan_show;

/* The results of flexible-accuracy: one table for each experiment, rows for programs, and drawings. */

SCRIM_MUST_USE scrim_status sc_experiment_write(sc_output *output,
                                                const lab_experiment *found,
                                                sc_format format,
                                                const sc_terminal *terminal,
                                                scrim_error *error);

/* How the error of a mechanism compares with the smallest one at the same epsilon. */
typedef enum sc_experiment_verdict {
    SC_STANDING_LEAST,
    SC_STANDING_TIED, /* within two standard errors of the difference */
    SC_STANDING_BEHIND
} sc_experiment_verdict;

sc_experiment_verdict sc_experiment_standing(const lab_experiment_error *own,
                                             const lab_experiment_error *least);

/* One experiment, given by its data, as an SVG file: the raw and the flexible error of each mechanism
 * against epsilon, and the data below. On logarithmic axes errors too small for the axis are drawn on a
 * line of their own, at 0. Below linear axes, which are the document's, a sentence says how many errors they hide. */
void sc_experiment_svg_write(sc_output *output, const lab_experiment *found,
                             const lab_experiment_data *data, bool is_linear);

#endif
