/* How a column of numbers or dates is cut into bins, as an option says it.
 *
 *     age=5            bins of width 5 from the lower end of the declared range
 *     age=17:5:15      15 bins of width 5 from 17 on
 *     age=18,30,65     bins that begin there, and one before them
 *
 * Widths of dates are days, of timestamps seconds. Bins end at the ends of the declared range: what a cut leaves out at
 * either end belongs to the first or the last bin.
 */
#ifndef SC_SYNTH_COLUMN_CUT_H
#define SC_SYNTH_COLUMN_CUT_H

#include "synth/release/coded_column.h"

/* The bins of the column that out has. SCRIM_E_PARAM for a text that is none or a column that cannot be cut,
 * SCRIM_E_LIMIT above SC_CODED_BINS, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_column_cut(sc_coded_column *out, sc_text cut,
                                          sc_arena *arena, scrim_error *error);
/* The bins as a cut has them: "17:5:15", or "18,30,65"; empty for listed keys and one bin. */
void sc_column_cut_put(const sc_coded_column *c, sc_text_sink *sink);

#endif
