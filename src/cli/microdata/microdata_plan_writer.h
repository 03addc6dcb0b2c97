/* A plan of tables that add up (scrim/microdata.h) as a table of both sides, and as a drawing of the error of
 * cells against the cost, with the bound from below. */
#ifndef SC_CLI_MICRODATA_PLAN_WRITER_H
#define SC_CLI_MICRODATA_PLAN_WRITER_H

#include "cli/terminal/options.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "scrim.h"

/* Both sides, and below them in a table what is impossible. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status
sc_microdata_plan_write(sc_output *output, const scrim_microdata_question *question,
                        const scrim_microdata_plan *plan, sc_format format,
                        const sc_terminal *terminal, scrim_error *error);

#define SC_MICRODATA_POINTS 17
#define SC_MICRODATA_LINES 3

/* Errors at each cost: the one in question, its bound from below, and another one. */
typedef struct sc_microdata_curve {
    char title[160], summary[240];
    const char *words[SC_MICRODATA_LINES];
    const char *axis; /* "epsilon" or "rho" */
    double cost[SC_MICRODATA_POINTS];
    double error[SC_MICRODATA_LINES][SC_MICRODATA_POINTS]; /* infinite: there is none */
    double chosen_cost, chosen_error;
} sc_microdata_curve;

/* The cost at a point of the curve around the chosen one, also as text. */
#define SC_MICRODATA_COST_BYTES 32
void sc_microdata_curve_cost(sc_microdata_curve *curve, size_t point,
                             char text[SC_MICRODATA_COST_BYTES]);
/* Plans for costs around the one of the question. */
SCRIM_MUST_USE scrim_status sc_microdata_curve_find(
    const scrim_microdata_question *question, const scrim_microdata_plan *plan,
    sc_microdata_curve *out, scrim_error *error);
void sc_microdata_curve_terminal(sc_output *output, const sc_microdata_curve *curve,
                                 const sc_terminal *terminal);
void sc_microdata_curve_svg(sc_output *output, const sc_microdata_curve *curve);

#endif
