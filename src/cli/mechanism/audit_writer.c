#include "cli/mechanism/audit_writer.h"

#include "cli/answer/release_note.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"
#include "cli/terminal/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct sc_audit_row {
    const char *quantity;        /* "delta", "charged", "loss", "renyi" or "sampled" */
    char at[SCRIM_NUMBER_BYTES]; /* the epsilon or the order, exact; "" of a loss */
    double lower, upper;
    bool has_no_upper; /* of what is sampled */
    double claimed;    /* infinite: nothing is claimed */
    const char *pair;
    scrim_audit_verdict verdict;
} sc_audit_row;

static bool get_charged(const scrim_audit_report *report, scrim_audit_point *out)
{
    scrim_error error;
    return scrim_audit_report_charged(report, out, &error) == SCRIM_OK;
}

size_t sc_audit_row_count(const scrim_audit_report *report)
{
    scrim_audit_point charged;
    return scrim_audit_report_points(report) + (get_charged(report, &charged) ? 1 : 0) +
           1 + scrim_audit_report_orders(report);
}

static void set_point(sc_audit_row *row, const char *quantity,
                      const scrim_audit_point *point)
{
    row->quantity = quantity;
    memcpy(row->at, point->epsilon, sizeof row->at);
    row->lower = point->delta_lower;
    row->upper = point->delta_upper;
    row->claimed = point->claimed_upper;
    row->pair = point->pair;
    row->verdict = point->verdict;
}

static void set_loss(sc_audit_row *row, const scrim_audit_report *report)
{
    scrim_audit_loss loss;
    scrim_audit_report_loss(report, &loss);
    row->quantity = "loss";
    row->at[0] = '\0';
    row->lower = loss.loss_lower;
    row->upper = loss.loss_upper;
    row->claimed = loss.claimed_upper;
    row->pair = loss.pair;
    row->verdict = loss.verdict;
}

static void set_order(sc_audit_row *row, const scrim_audit_order *order)
{
    row->quantity = "renyi";
    memcpy(row->at, order->order, sizeof row->at);
    row->lower = order->renyi_lower;
    row->upper = order->renyi_upper;
    row->claimed = order->claimed_upper;
    row->pair = order->pair;
    row->verdict = order->verdict;
}

static void sc_audit_row_get(const scrim_audit_report *report, size_t index,
                             sc_audit_row *out)
{
    scrim_error error;
    scrim_audit_point point;
    scrim_audit_order order;
    size_t points = scrim_audit_report_points(report);
    *out = (sc_audit_row){.quantity = "", .pair = "", .verdict = SCRIM_AUDIT_HOLDS};
    if (index < points) {
        if (scrim_audit_report_point(report, index, &point, &error) == SCRIM_OK)
            set_point(out, "delta", &point);
        return;
    }
    index -= points;
    if (get_charged(report, &point)) {
        if (index == 0) {
            set_point(out, "charged", &point);
            return;
        }
        index--;
    }
    if (index == 0)
        set_loss(out, report);
    else if (scrim_audit_report_order(report, index - 1, &order, &error) == SCRIM_OK)
        set_order(out, &order);
}

/* The number of points of the curve that a table shows, about, and the most characters of their
 * place. */
#define POINTS_SHOWN 10
#define AT_CHARS 9

/* Programs. */

static const sc_listing_column exact_columns[] = {
    {.name = "quantity"},
    {"at", SC_OPTIONAL},
    {"lower", SC_KIND_BOUND},
    {"upper", SC_KIND_BOUND | SC_NULLABLE},
    {"claimed", SC_KIND_BOUND | SC_NULLABLE},
    {.name = "verdict"},
    {.name = "pair"}};

/* The rows for programs: a listing of quantity, at, lower, upper, claimed, verdict and pair, opened as
 * sc_listing_open does, and a row of it. */
static sc_json *sc_audit_rows_open(sc_listing *listing, sc_output *output,
                                   sc_format format)
{
    *listing = (sc_listing)SC_LISTING(exact_columns, output, format, NULL);
    return sc_listing_open(listing);
}

/* "" if it is missing. */
static void format_bound(double bound, bool has_bound, char text[SC_BOUND_BYTES])
{
    text[0] = '\0';
    if (has_bound)
        sc_bound_format_exact(bound, text);
}

static void sc_audit_row_add(sc_listing *listing, const sc_audit_row *row)
{
    char lower[SC_BOUND_BYTES], upper[SC_BOUND_BYTES], claimed[SC_BOUND_BYTES];
    format_bound(row->lower, true, lower);
    format_bound(row->upper, !row->has_no_upper, upper);
    format_bound(row->claimed, isfinite(row->claimed), claimed);
    sc_listing_add(listing,
                   (const char *[]){row->quantity, row->at, lower, upper, claimed,
                                    scrim_audit_verdict_name(row->verdict), row->pair});
}

static void write_facts_json(sc_json *json, const scrim_audit_report *report)
{
    scrim_cost cost;
    scrim_audit_loss loss;
    scrim_audit_report_cost(report, &cost);
    scrim_audit_report_loss(report, &loss);
    sc_json_text(json, "measurement", scrim_audit_report_text(report));
    sc_json_text(json, "verdict",
                 scrim_audit_verdict_name(scrim_audit_report_verdict(report)));
    sc_json_text(json, "summary", scrim_audit_report_summary(report));
    sc_json_truth(json, "tight", scrim_audit_report_is_tight(report));
    sc_cost_json(json, "cost", &cost);
    sc_json_count(json, "pairs", scrim_audit_report_pairs(report));
    sc_json_count(json, "outcomes", scrim_audit_report_outcomes(report));
    sc_json_double(json, "unlisted", loss.unlisted_upper);
    sc_json_text(json, "worst_pair", scrim_audit_report_worst_pair(report));
}

static scrim_status write_rows(sc_output *output, const scrim_audit_report *report,
                               sc_format format, scrim_error *error)
{
    sc_listing listing;
    sc_audit_row row = {.quantity = ""};
    sc_json *json = sc_audit_rows_open(&listing, output, format);
    if (json != NULL)
        write_facts_json(json, report);
    for (size_t i = 0; i < sc_audit_row_count(report); i++) {
        sc_audit_row_get(report, i, &row);
        sc_audit_row_add(&listing, &row);
    }
    return sc_listing_close(&listing, SCRIM_OK, error);
}

/* A table. */

/* Before the number of its own column, the epsilon or the order. */
static const char *words_of(const char *quantity)
{
    static const struct {
        const char *quantity, *words;
    } names[] = {{"delta", "delta"}, {"charged", "charged"}, {"renyi", "Renyi order"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].quantity, quantity) == 0)
            return names[i].words;
    return "loss";
}

static bool is_shown(const scrim_audit_report *report, size_t index, bool all)
{
    size_t points = scrim_audit_report_points(report);
    size_t every = (points + POINTS_SHOWN - 1) / POINTS_SHOWN;
    sc_audit_row row;
    if (all || index >= points || index % every == 0 || index + 1 == points)
        return true;
    sc_audit_row_get(report, index, &row);
    return row.verdict != SCRIM_AUDIT_HOLDS && row.verdict != SCRIM_AUDIT_WATCHED;
}

/* Exact where that is short, else to five digits and upwards, as a cost is shown. Does it round? */
static bool format_at(const char *at, char cell[SCRIM_NUMBER_BYTES])
{
    const bool rounds = strchr(at, '/') != NULL || strlen(at) > AT_CHARS;
    if (rounds)
        sc_bound_format(sc_number_view(at), true, cell);
    else
        snprintf(cell, SCRIM_NUMBER_BYTES, "%s", at);
    return rounds;
}

/* True when the row stands at a number that was rounded. */
static bool add_row(sc_listing *box, const sc_audit_row *row)
{
    char at[SCRIM_NUMBER_BYTES], lower[SC_BOUND_BYTES], upper[SC_BOUND_BYTES];
    char claimed[SC_BOUND_BYTES];
    const bool rounds = format_at(row->at, at);
    sc_bound_format(row->lower, false, lower);
    sc_bound_format(row->upper, true, upper);
    sc_bound_format(row->claimed, true, claimed);
    sc_listing_add(box, (const char *[]){words_of(row->quantity), at, lower, upper,
                                         isfinite(row->claimed) ? claimed : "nothing",
                                         scrim_audit_verdict_name(row->verdict)});
    return rounds;
}

static scrim_status write_box(sc_output *output, const scrim_audit_report *report,
                              bool all, const sc_terminal *terminal, scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {.name = "what"},    {.name = "at"},      {.name = "at least"},
        {.name = "at most"}, {.name = "claimed"}, {.name = "verdict"}};
    sc_listing box = SC_LISTING(columns, output, SCRIM_FORMAT_TABLE, terminal);
    sc_audit_row row = {.quantity = ""};
    bool rounds = false;
    for (size_t i = 0; i < sc_audit_row_count(report); i++) {
        if (!is_shown(report, i, all))
            continue;
        sc_audit_row_get(report, i, &row);
        rounds = add_row(&box, &row) || rounds;
    }
    SC_TRY(sc_listing_close(&box, SCRIM_OK, error));
    if (rounds)
        sc_output_text(output, "at          rounded up; CSV and JSON are exact\n");
    return SCRIM_OK;
}

static void write_heading(sc_output *output, const scrim_audit_report *report,
                          size_t columns)
{
    scrim_cost cost;
    scrim_audit_loss loss;
    scrim_audit_report_cost(report, &cost);
    scrim_audit_report_loss(report, &loss);
    sc_fold_line(output, "audited", scrim_audit_report_text(report), columns);
    const size_t begin = sc_fold_begin(output);
    sc_output_text(output, "claim       ");
    sc_cost_write(output, &cost);
    sc_output_format(output,
                     "; neighbours %s\nchecked     %" PRIu64
                     " %s of neighbouring inputs in both directions, up to %" PRIu64
                     " outcomes each\n",
                     scrim_neighbours_name(cost.neighbours),
                     scrim_audit_report_pairs(report),
                     scrim_audit_report_pairs(report) == 1 ? "pair" : "pairs",
                     scrim_audit_report_outcomes(report));
    if (loss.unlisted_upper > 0)
        sc_output_format(output,
                         "truncated   outcomes with a total probability of %.2g\n",
                         loss.unlisted_upper);
    sc_output_text(output, "worst pair  ");
    sc_output_text(output, scrim_audit_report_worst_pair(report));
    sc_output_text(output, "\n");
    sc_fold_end(output, begin, columns);
}

/* A claim may be attained at another epsilon than the charged one: then less than the charged delta is reached. */
static void write_unused(sc_output *output, const scrim_audit_report *report)
{
    scrim_audit_point charged;
    scrim_error none;
    char reached[SC_BOUND_BYTES], claimed[SC_BOUND_BYTES];
    if (scrim_audit_report_charged(report, &charged, &none) != SCRIM_OK ||
        charged.delta_upper > 0.99 * charged.claimed_upper)
        return;
    sc_bound_format(charged.delta_upper, true, reached);
    sc_bound_format(charged.claimed_upper, true, claimed);
    sc_output_format(output, "; of the charged delta %s it reaches %s", claimed, reached);
}

void sc_audit_verdict_write(sc_output *output, const scrim_audit_report *report,
                            size_t columns)
{
    scrim_audit_verdict verdict = scrim_audit_report_verdict(report);
    const char *word = verdict == SCRIM_AUDIT_HOLDS      ? "the claim holds"
                       : verdict == SCRIM_AUDIT_VIOLATED ? "the claim is VIOLATED"
                                                         : "UNDECIDED";
    const size_t begin = sc_fold_begin(output);
    sc_output_text(output, "verdict     ");
    sc_output_text(output, word);
    if (verdict == SCRIM_AUDIT_HOLDS && scrim_audit_report_is_tight(report))
        sc_output_text(output, " and is tight");
    sc_output_text(output, ": ");
    sc_output_text(output, scrim_audit_report_summary(report));
    if (verdict == SCRIM_AUDIT_HOLDS)
        write_unused(output, report);
    sc_output_text(output, "\n");
    sc_fold_end(output, begin, columns);
}

scrim_status sc_audit_write(sc_output *output, const scrim_audit_report *report,
                            sc_format format, bool all, const sc_terminal *terminal,
                            scrim_error *error)
{
    if (format != SCRIM_FORMAT_TABLE)
        return write_rows(output, report, format, error);
    write_heading(output, report, terminal->columns);
    const scrim_status status = write_box(output, report, all, terminal, error);
    sc_audit_verdict_write(output, report, terminal->columns);
    return status;
}

#ifdef SCRIM_TESTING
#include "audit/audit_sample.h"
#include "random/bits_tape.h"
#endif

/* From 1000 to 2^26; the library says so of fewer. */
#define DRAWS_LIMIT (UINT64_C(1) << 26)

/* The request. */

static scrim_status refuse_curves(const sc_options *options, scrim_error *error)
{
    static const sc_option exact[] = {SCRIM_OPTION_POINTS, SCRIM_OPTION_ORDER,
                                      SCRIM_OPTION_PLOT,   SCRIM_OPTION_SVG,
                                      SCRIM_OPTION_LOSSES, SCRIM_OPTION_AT};
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

static void sampled_write_facts_json(sc_json *json, const scrim_measurement *measurement,
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
        sampled_write_facts_json(json, measurement, sample);
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
