/* What `scrim synth --dry-run` shows: the columns as they are counted, the cost, the errors that are known before. */
#ifndef SC_CLI_SYNTH_PLAN_WRITER_H
#define SC_CLI_SYNTH_PLAN_WRITER_H

#include "cli/answer/answer_show.h"

/* Closes standard output. */
SCRIM_MUST_USE scrim_status sc_synth_plan_show(const sc_answer_style *style,
                                               scrim_vault *vault,
                                               const scrim_synth *synth,
                                               scrim_error *error);

#endif
