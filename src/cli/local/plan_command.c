/* scrim local plan --users N --domain K --epsilon E */
#include "cli/local/local_commands.h"
#include "cli/local/local_plan_writer.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"

#include <stdlib.h>
#include <unistd.h>

#define USERS_LIMIT (UINT64_C(1) << 40)
#define PERIODS_LIMIT (UINT64_C(1) << 32)

typedef struct plan_state {
    scrim_local_plan_options asked;
    scrim_local_plan plan;
    sc_local_plan_curve curve;
    bool plot, is_quiet;
    const char *svg, *out; /* NULL: no file */
    sc_format format;
    sc_terminal terminal;
    sc_output output, beside;
} plan_state;

static scrim_status fail_domain(const sc_options *options, scrim_error *error)
{
    if (sc_options_has(options, SCRIM_OPTION_UNKNOWN))
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "--unknown has no list of values; leave --domain out");
    return sc_complaint_fill(error, SCRIM_E_PARAM,
                             "missing --domain N, the number of values; for texts that "
                             "nobody has listed use --unknown --length BYTES");
}

static scrim_status read_asked(plan_state *plan, const sc_options *options,
                               scrim_error *error)
{
    scrim_local_plan_options *asked = &plan->asked;
    *asked = (scrim_local_plan_options){
        .size = sizeof *asked,
        .epsilon = options->value[SCRIM_OPTION_EPSILON],
        .is_constant = sc_options_has(options, SCRIM_OPTION_CONSTANT),
        .is_ordered = sc_options_has(options, SCRIM_OPTION_ORDERED),
        .question = options->word_count > 2 ? options->words[2] : NULL};
    if (!sc_options_has(options, SCRIM_OPTION_USERS) || asked->epsilon == NULL)
        return sc_complaint_fill(error, SCRIM_E_PARAM, "missing %s",
                                 asked->epsilon == NULL
                                     ? "--epsilon E, of one report"
                                     : "--users N, the number of devices");
    if (sc_options_has(options, SCRIM_OPTION_UNKNOWN) ==
        sc_options_has(options, SCRIM_OPTION_DOMAIN))
        return fail_domain(options, error);
    scrim_status status = sc_options_number(options, SCRIM_OPTION_USERS, USERS_LIMIT, 0,
                                            &asked->users, error);
    if (status == SCRIM_OK)
        status = sc_options_number(options, SCRIM_OPTION_DOMAIN, UINT32_MAX, 0,
                                   &asked->domain, error);
    if (status == SCRIM_OK && sc_options_has(options, SCRIM_OPTION_DOMAIN) &&
        asked->domain == 0)
        asked->domain = 1; /* which is refused, too */
    if (status == SCRIM_OK)
        status =
            sc_options_number(options, SCRIM_OPTION_LENGTH, 31, 0, &asked->length, error);
    if (status == SCRIM_OK)
        status = sc_options_number(options, SCRIM_OPTION_PERIODS, PERIODS_LIMIT, 1,
                                   &asked->periods, error);
    return status;
}

static scrim_status read_request(plan_state *plan, const sc_options *options,
                                 scrim_error *error)
{
    plan->plot = sc_options_has(options, SCRIM_OPTION_PLOT);
    plan->is_quiet = sc_options_has(options, SCRIM_OPTION_QUIET);
    plan->svg = options->value[SCRIM_OPTION_SVG];
    plan->out = options->value[SCRIM_OPTION_OUT];
    scrim_status status =
        sc_options_screen(options, &plan->terminal, &plan->format, error);
    if (status == SCRIM_OK)
        status = read_asked(plan, options, error);
    if (status == SCRIM_OK && plan->svg != NULL)
        status = sc_file_writer_check("--svg", plan->svg, error);
    if (status == SCRIM_OK && plan->out != NULL)
        status = sc_file_writer_check("--out", plan->out, error);
    return status;
}

/* The drawing, or the configuration where there is none to draw. */
static scrim_status write_file(plan_state *plan, const char *option, const char *path,
                               scrim_error *error)
{
    sc_file_writer file;
    scrim_status status = sc_file_writer_open(&file, option, path, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init(&plan->beside, file.descriptor);
    if (path == plan->svg)
        sc_local_plan_curve_svg(&plan->beside, &plan->curve);
    else
        sc_output_text(&plan->beside, plan->plan.rows[plan->plan.recommended].config);
    return sc_file_writer_close(&file, &plan->beside, error);
}

static scrim_status show(plan_state *plan, scrim_error *error)
{
    sc_output_init_screen(&plan->output, STDOUT_FILENO, plan->format);
    if (plan->plot && plan->terminal.is_terminal)
        sc_local_plan_curve_terminal(&plan->output, &plan->curve, &plan->terminal);
    scrim_status status = sc_local_plan_write(&plan->output, &plan->plan, plan->format,
                                              &plan->terminal, error);
    if (status == SCRIM_OK)
        status = sc_output_finish(&plan->output, error);
    if (status != SCRIM_OK || !plan->plot || plan->is_quiet || plan->terminal.is_terminal)
        return status;
    sc_terminal beside;
    sc_terminal_look(STDERR_FILENO, &beside);
    sc_output_init_screen(&plan->beside, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    sc_local_plan_curve_terminal(&plan->beside, &plan->curve, &beside);
    return sc_output_finish(&plan->beside, error);
}

static scrim_status run_plan(const sc_options *options, scrim_error *error)
{
    plan_state *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = read_request(plan, options, error);
    if (status == SCRIM_OK)
        status = scrim_local_plan_find(&plan->asked, &plan->plan, error);
    if (status == SCRIM_OK && (plan->plot || plan->svg != NULL))
        status = sc_local_plan_curve_find(&plan->asked, &plan->plan, &plan->curve, error);
    if (status == SCRIM_OK && plan->svg != NULL)
        status = write_file(plan, "--svg", plan->svg, error);
    if (status == SCRIM_OK && plan->out != NULL)
        status = write_file(plan, "--out", plan->out, error);
    if (status == SCRIM_OK)
        status = show(plan, error);
    free(plan);
    return status;
}

static const char usage[] =
    "Recommends a protocol for so many devices and values before anything is\n"
    "collected. It shows all protocols beside it: bytes of a report, standard error,\n"
    "the smallest fraction that is found, epsilon of one report and of all periods,\n"
    "and how much one estimate rises if 0.1 %, 1 % or 5 % of the reports are fake.\n"
    "QUESTION is its name in the configuration.\n"
    "\n"
    "  --users N          devices that report in a period\n"
    "  --domain K         the number of values\n"
    "  --unknown          texts that nobody has listed, in place of --domain\n"
    "  --length N         their bytes, at most 31 (default 8)\n"
    "  --epsilon E        of one report, at most 8\n"
    "  --periods N        periods in which a device reports (default 1)\n"
    "  --constant         the value of a device never changes\n"
    "  --ordered          values are numbers; show their distribution\n"
    "  --out FILE         write the recommended configuration for the devices\n"
    "  --plot             draw the error against epsilon\n"
    "  --svg FILE         write the same drawing to a file\n"
    "  --quiet            no drawing on standard error\n"
    "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
    "  --json             short for --format json\n"
    "\n"
    "example: scrim local plan emoji --users 1e6 --domain 5000 --epsilon 2\n";

const sc_command sc_local_plan_command = {
    .name = "plan",
    .synopsis = "[QUESTION] --users N --domain K --epsilon E [OPTION...]",
    .summary = "recommend a protocol, and show all side by side",
    .usage = usage,
    .kind = SC_COMMAND_PLAN,
    .options =
        SC_OPTION_SET(SCRIM_OPTION_USERS, SCRIM_OPTION_DOMAIN, SCRIM_OPTION_EPSILON,
                      SCRIM_OPTION_UNKNOWN, SCRIM_OPTION_LENGTH, SCRIM_OPTION_PERIODS,
                      SCRIM_OPTION_CONSTANT, SCRIM_OPTION_ORDERED, SCRIM_OPTION_OUT),
    .run = run_plan,
};
