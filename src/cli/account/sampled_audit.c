#include "cli/account/sampled_audit.h"

#include "cli/account/audit_writer.h"
#include "cli/answer/release_note.h"
#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef SCRIM_TESTING
#include "audit/audit_sample.h"
#include "random/bits_tape.h"
#endif

/* From 1000 to 2^26; the library says so of fewer. */
#define DRAWS_LIMIT (UINT64_C(1) << 26)

/* What was asked for. */

static scrim_status refuse_curves(const sc_options *options, scrim_error *error)
{
    static const sc_option exact[] = {SCRIM_OPTION_POINTS, SCRIM_OPTION_PLOT,
                                      SCRIM_OPTION_SVG};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        if (sc_options_has(options, exact[i]))
            return sc_refuse(error,
                             "%s is about the exact curve, and --sample computes "
                             "none; leave one of them out",
                             sc_option_name(exact[i]));
    return SCRIM_OK;
}

static scrim_status read_draws(const sc_options *options, uint64_t *out,
                               scrim_error *error)
{
    scrim_status status =
        sc_options_number(options, SCRIM_OPTION_SAMPLE, DRAWS_LIMIT, 0, out, error);
    if (status != SCRIM_OK || *out < 1000)
        return sc_refuse(error, "--sample must be a whole number from 1000 to 67108864");
    return SCRIM_OK;
}

/* The audit. */

static scrim_status sample(const scrim_measurement *measurement,
                           const scrim_audit_sample_options *asked,
                           const sc_options *options, scrim_audit_sample *out,
                           scrim_error *error)
{
#ifdef SCRIM_TESTING
    sc_tape *tape = NULL;
    scrim_status status = sc_options_tape(options, &tape, error);
    if (status == SCRIM_OK)
        status =
            sc_audit_sample_from(measurement, asked, sc_tape_bits_of(tape), out, error);
    sc_tape_free(tape);
    return status;
#else
    (void)options; /* the installed program draws from the operating system alone */
    return scrim_audit_by_sampling(measurement, asked, out, error);
#endif
}

static scrim_status make_sample(const scrim_measurement *measurement,
                                const sc_options *options, scrim_audit_sample *out,
                                scrim_error *error)
{
    sc_progress progress;
    uint64_t draws = 0;
    scrim_status status = read_draws(options, &draws, error);
    if (status != SCRIM_OK)
        return status;
    sc_progress_start(&progress, 0, "draws",
                      !sc_options_has(options, SCRIM_OPTION_QUIET));
    status = sample(measurement,
                    SCRIM_OPTIONS(scrim_audit_sample_options, .draws = draws,
                                  .confidence = options->value[SCRIM_OPTION_CONFIDENCE],
                                  .progress = sc_progress_told, .context = &progress),
                    options, out, error);
    sc_progress_end(&progress);
    return status;
}

/* Showing it. */

static void write_facts_json(sc_json *json, const scrim_measurement *measurement,
                             const scrim_audit_sample *sample)
{
    scrim_cost cost;
    scrim_error error;
    sc_json_text(json, "measurement", scrim_measurement_text(measurement));
    sc_json_text(json, "verdict", scrim_audit_verdict_name(sample->verdict));
    if (scrim_measurement_cost(measurement, &cost, &error) == SCRIM_OK)
        sc_cost_json(json, "cost", &cost);
    sc_json_count(json, "pairs", sample->pairs);
    sc_json_count(json, "draws", sample->draws);
    sc_json_text(json, "confidence", sample->confidence);
    sc_json_text(json, "event", sample->event);
    sc_json_text(json, "worst_pair", sample->pair);
}

static scrim_status write_row(sc_output *output, const scrim_measurement *measurement,
                              const scrim_audit_sample *sample, sc_format format,
                              scrim_error *error)
{
    sc_listing listing;
    sc_audit_row row = {.quantity = "sampled",
                        .lower = sample->delta_lower,
                        .has_no_upper = true,
                        .claimed = sample->claimed_upper,
                        .pair = sample->pair,
                        .verdict = sample->verdict};
    snprintf(row.at, sizeof row.at, "%s", sample->epsilon);
    sc_json *json = sc_audit_rows_open(&listing, output, format);
    if (json != NULL)
        write_facts_json(json, measurement, sample);
    sc_audit_row_add(&listing, &row);
    return sc_listing_close(&listing, SCRIM_OK, error);
}

static void write_verdict(sc_output *output, const scrim_audit_sample *sample)
{
    if (sample->verdict == SCRIM_AUDIT_VIOLATED)
        sc_output_text(output, "verdict     the claim is VIOLATED\n");
    else
        sc_output_text(output,
                       "verdict     no violation was found, which proves nothing; "
                       "without --sample\n            the audit is exact\n");
}

static void write_table(sc_output *output, const scrim_measurement *measurement,
                        const scrim_audit_sample *sample)
{
    char lower[SC_BOUND_BYTES], claimed[SC_BOUND_BYTES];
    scrim_cost cost;
    scrim_error error;
    sc_output_text(output, "audited     ");
    sc_output_text(output, scrim_measurement_text(measurement)); /* may be long */
    if (scrim_measurement_cost(measurement, &cost, &error) == SCRIM_OK) {
        sc_output_text(output, "\nclaim       ");
        sc_cost_write(output, &cost);
        sc_output_format(output, "; neighbours %s",
                         scrim_neighbours_name(cost.neighbours));
    }
    sc_output_format(output,
                     "\ndrawn       %" PRIu64 " answers on each input of %" PRIu64
                     " %s of neighbours\nworst pair  ",
                     sample->draws, sample->pairs, sample->pairs == 1 ? "pair" : "pairs");
    sc_output_text(output, sample->pair);
    sc_bound_format(sample->delta_lower, false, lower);
    sc_output_format(output,
                     "\nevent       %s\nfound       delta at epsilon %s is at least "
                     "%s, with a confidence of %s\n",
                     sample->event, sample->epsilon, lower, sample->confidence);
    sc_bound_format(sample->claimed_upper, true, claimed);
    sc_output_format(output, "claimed     %s\n",
                     isfinite(sample->claimed_upper) ? claimed : "nothing");
    write_verdict(output, sample);
}

scrim_status sc_sample_write(sc_output *output, const scrim_measurement *measurement,
                             const scrim_audit_sample *sample, sc_format format,
                             scrim_error *error)
{
    if (format != SCRIM_FORMAT_TABLE)
        return write_row(output, measurement, sample, format, error);
    write_table(output, measurement, sample);
    return SCRIM_OK;
}

/* The verdict, where standard output does not hold it and no error tells it. */
static scrim_status write_talk(const scrim_audit_sample *sample, sc_format format,
                               sc_output *talk, scrim_error *error)
{
    if (sample->verdict == SCRIM_AUDIT_VIOLATED ||
        (format != SCRIM_FORMAT_CSV && format != SCRIM_FORMAT_JSONL))
        return SCRIM_OK;
    sc_output_init_screen(talk, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    write_verdict(talk, sample);
    return sc_output_finish(talk, error);
}

scrim_status sc_sampled_audit(const scrim_measurement *measurement,
                              const sc_options *options, scrim_error *error)
{
    struct {
        scrim_audit_sample found;
        sc_output output, talk;
    } *state = calloc(1, sizeof *state);
    sc_terminal terminal;
    sc_format format = SCRIM_FORMAT_CSV;
    if (state == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = refuse_curves(options, error);
    if (status == SCRIM_OK)
        status = sc_options_screen(options, &terminal, &format, error);
    if (status == SCRIM_OK)
        status = make_sample(measurement, options, &state->found, error);
    if (status != SCRIM_OK)
        goto done;
    sc_output_init_screen(&state->output, STDOUT_FILENO, format);
    status = sc_sample_write(&state->output, measurement, &state->found, format, error);
    if (status == SCRIM_OK)
        status = sc_output_finish(&state->output, error);
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET))
        status = write_talk(&state->found, format, &state->talk, error);
    if (status == SCRIM_OK)
        status = scrim_audit_sample_check(&state->found, error);
done:
    free(state);
    return status;
}
