/* scrim local plan --users N --domain K --epsilon E */
#include "cli/local/local_commands.h"
#include "cli/local/local_plan_writer.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/screen.h"

#include <stdlib.h>

#define USERS_LIMIT (UINT64_C(1) << 40)
#define PERIODS_LIMIT (UINT64_C(1) << 32)

typedef struct plan_state {
    scrim_local_plan_options asked;
    scrim_local_plan plan;
    sc_local_plan_curve curve;
    sc_screen screen;
} plan_state;

static scrim_status fail_domain(const sc_options *options, scrim_error *error)
{
    if (sc_options_has(options, SCRIM_OPTION_UNKNOWN))
        return sc_refuse(error, "--unknown has no list of values; leave --domain out");
    return sc_refuse(error, "missing --domain N, the number of values; for texts that "
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
        return sc_refuse(error, "missing %s",
                         asked->epsilon == NULL ? "--epsilon E, of one report"
                                                : "--users N, the number of devices");
    if (sc_options_has(options, SCRIM_OPTION_UNKNOWN) ==
        sc_options_has(options, SCRIM_OPTION_DOMAIN))
        return fail_domain(options, error);
    SC_TRY(sc_options_number(options, SCRIM_OPTION_USERS, USERS_LIMIT, 0, &asked->users,
                             error));
    SC_TRY(sc_options_number(options, SCRIM_OPTION_DOMAIN, UINT32_MAX, 0, &asked->domain,
                             error));
    if (sc_options_has(options, SCRIM_OPTION_DOMAIN) && asked->domain == 0)
        asked->domain = 1; /* which is refused, too */
    SC_TRY(sc_options_number(options, SCRIM_OPTION_LENGTH, 31, 0, &asked->length, error));
    return sc_options_number(options, SCRIM_OPTION_PERIODS, PERIODS_LIMIT, 1,
                             &asked->periods, error);
}

static scrim_status write_table(void *context, sc_screen *screen, scrim_error *error)
{
    const plan_state *plan = context;
    return sc_local_plan_write(&screen->output, &plan->plan, screen->format,
                               &screen->terminal, error);
}

static void draw(const void *context, sc_output *output, const sc_terminal *terminal)
{
    sc_local_plan_curve_terminal(output, &((const plan_state *)context)->curve, terminal);
}

static void draw_svg(const void *context, sc_output *output)
{
    sc_local_plan_curve_svg(output, &((const plan_state *)context)->curve);
}

static void write_config(const void *context, sc_output *output)
{
    const scrim_local_plan *plan = context;
    sc_output_text(output, plan->rows[plan->recommended].config);
}

static scrim_status run_plan(const sc_options *options, scrim_error *error)
{
    static const sc_screen_page page = {write_table, draw, draw_svg, NULL, false};
    const char *out = options->value[SCRIM_OPTION_OUT];
    SC_FREED plan_state *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    SC_TRY(sc_screen_read(options, &plan->screen, error));
    SC_TRY(read_asked(plan, options, error));
    if (out != NULL)
        SC_TRY(sc_file_writer_check("--out", out, error));
    SC_TRY(scrim_local_plan_find(&plan->asked, &plan->plan, error));
    if (sc_screen_draws(&plan->screen))
        SC_TRY(sc_local_plan_curve_find(&plan->asked, &plan->plan, &plan->curve, error));
    if (out != NULL)
        SC_TRY(sc_file_write("--out", out, write_config, &plan->plan, error));
    return sc_screen_show(&plan->screen, &page, plan, error);
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
