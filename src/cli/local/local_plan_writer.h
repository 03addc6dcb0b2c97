/* A plan for local privacy (scrim/local_plan.h) as a table of all protocols, and as a drawing of the
 * error against epsilon. */
#ifndef SC_CLI_LOCAL_PLAN_WRITER_H
#define SC_CLI_LOCAL_PLAN_WRITER_H

#include "cli/terminal/options.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "scrim.h"

/* The rows, and before them in JSON, below them in a table, what is recommended and why. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_local_plan_write(sc_output *output,
                                                const scrim_local_plan *plan,
                                                sc_format format,
                                                const sc_terminal *terminal,
                                                scrim_error *error);

#define SC_LOCAL_PLAN_POINTS 17
#define SC_LOCAL_PLAN_LINES 2

/* Standard errors of the recommended protocol and of another one, at each epsilon. */
typedef struct sc_local_plan_curve {
    char title[120];
    const char *names[SC_LOCAL_PLAN_LINES];
    double epsilon[SC_LOCAL_PLAN_POINTS];
    double error[SC_LOCAL_PLAN_LINES][SC_LOCAL_PLAN_POINTS]; /* infinite: there is none */
    double chosen_epsilon, chosen_error;
} sc_local_plan_curve;

/* Plans for the epsilons around the one that was asked for. */
SCRIM_MUST_USE scrim_status sc_local_plan_curve_find(
    const scrim_local_plan_options *options, const scrim_local_plan *plan,
    sc_local_plan_curve *out, scrim_error *error);
void sc_local_plan_curve_terminal(sc_output *output, const sc_local_plan_curve *curve,
                                  const sc_terminal *terminal);
void sc_local_plan_curve_svg(sc_output *output, const sc_local_plan_curve *curve);

#endif
