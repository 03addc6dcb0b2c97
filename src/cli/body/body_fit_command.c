/* scrim body fit DATASET */
#include "cli/answer/charge_note.h"
#include "cli/body/body_commands.h"
#include "cli/body/body_request.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/program.h"
#include "cli/vault/vault_place.h"

#include <stdlib.h>

static scrim_status release_body(sc_body_request *r, scrim_error *error)
{
    scrim_body_released facts;
    scrim_status status = sc_body_request_run(r, error);
    if (status != SCRIM_OK)
        return status;
    status = sc_body_release_show(&r->style, r->release,
                                  r->options->value[SCRIM_OPTION_OUT], error);
    if (status == SCRIM_OK)
        status = sc_body_release_note(&r->style, r->vault, r->release, error);
    scrim_body_release_describe(r->release, &facts);
    if (status != SCRIM_OK)
        sc_charge_advise(error, facts.release, r->style.vault);
    return status;
}

static scrim_status run_fit(const sc_options *options, scrim_error *error)
{
    sc_body_request *request = calloc(1, sizeof *request);
    if (request == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status =
        sc_body_request_open(request, options, "fit", "9/10", NULL, error);
    if (status == SCRIM_OK)
        status = sc_options_has(options, SCRIM_OPTION_DRY_RUN)
                     ? sc_body_request_explain(request, error)
                     : release_body(request, error);
    sc_body_request_close(request);
    free(request);
    return status;
}

static const char usage[] =
    "Releases a body: in each public direction the place below which a share q of the\n"
    "rows lies, by exact integer arithmetic. The whole cost is charged first, and the\n"
    "body is recorded: the same request again costs nothing. Columns are numbers with\n"
    "declared ranges; each is divided by its scale. A row with a missing value lies\n"
    "at the lower end of every direction.\n"
    "\n"
    "  --columns C,C,...  the columns; at most 64\n"
    "  --epsilon E    total cost; no default\n"
    "  --delta D      of that cost (default 0). With it costs of directions add up\n"
    "                 as concentrated privacy, where that leaves more for each\n"
    "  --q Q          the share of rows on the inner side (default 0.9)\n"
    "  --directions N|KIND|KIND:N|KIND:N:SEED|FILE  how many, or frames, axes, pairs,\n"
    "                 equiangular or sequence, or a CSV file of vectors of length 1\n"
    "                 (default: 16 equiangular for two columns, 4 frames for more:\n"
    "                 8 directions a column, 80 for ten. With --expected-units 1\n"
    "                 frame, 2 a column, where epsilon of a direction times 1 - q\n"
    "                 times units is below 28: noise would reach the ranges' ends)\n"
    "  --scales S,S,...  what each column is divided by (default: its range)\n"
    "  --expected-units N  steers the number of directions, never privacy\n"
    "  --out FILE     write the body to this file\n"
    "  --dry-run      show only directions, cost and expected error; nothing is\n"
    "                 charged\n" SC_USAGE_VAULT
    "  --format table|csv|json|jsonl  of --dry-run; a body is always JSON\n"
    "  --json         short for --format json\n"
    "  --quiet        show neither progress nor notes\n" SC_USAGE_SEED "\n"
    "example: scrim body fit adult --columns age,hours_per_week --epsilon 1\n";

const sc_command sc_body_fit = {
    .name = "fit",
    .synopsis = "NAME --columns C,C,... --epsilon E [OPTION...]",
    .summary = "release a body of a dataset",
    .usage = usage,
    .kind = SC_COMMAND_RELEASE,
    .options = SC_OPTION_SET(SCRIM_OPTION_COLUMNS, SCRIM_OPTION_EPSILON,
                             SCRIM_OPTION_DELTA, SCRIM_OPTION_Q, SCRIM_OPTION_DIRECTIONS,
                             SCRIM_OPTION_SCALES, SCRIM_OPTION_EXPECTED_UNITS,
                             SCRIM_OPTION_OUT, SCRIM_OPTION_DRY_RUN),
    .run = run_fit,
};
