#include "cli/release/synth_report_page.h"

#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/release/synth_report_drawing.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"
#include "cli/vault/vault_place.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS_MOST UINT64_C(1000000000)

#define MARK "SENSITIVE"

/* Ranges of more values are compared by bins alone (scrim/synth.h). */
#define SINGLES_MOST 65536

typedef struct report_state {
    sc_answer_style style;
    bool is_check;    /* beside the data, for the owner alone */
    bool has_queries; /* it is about queries that were asked for */
    uint64_t id, rows;
    scrim_vault *vault;
    scrim_synth_release *release;
    scrim_synth_report *report;
    sc_progress progress;
    bool is_charged;
    scrim_synth_comparison comparison;
    sc_synth_page page;
    sc_signed_file file; /* standard output, or --out */
    sc_output output;
} report_state;

static const sc_listing_column columns[] = {
    {.name = "columns", SC_KIND_KEY},
    {"ways", SC_KIND_NUMBER},
    {"variation_low", SC_KIND_DECIMAL | SC_NULLABLE},
    {"variation_high", SC_KIND_DECIMAL | SC_NULLABLE},
    {.name = "basis", SC_KIND_TEXT},
    {"model_variation", SC_KIND_DECIMAL}};

static void add_marginal(sc_listing *listing, const scrim_synth_marginal *m,
                         bool is_for_people)
{
    char ways[16], low[32] = "", high[32] = "", model[32];
    snprintf(ways, sizeof ways, "%u", m->ways);
    if (m->basis != SCRIM_SYNTH_MODEL) {
        snprintf(low, sizeof low, is_for_people ? "%.4f" : "%.6f", m->low);
        snprintf(high, sizeof high, is_for_people ? "%.4f" : "%.6f", m->high);
    }
    snprintf(model, sizeof model, is_for_people ? "%.4f" : "%.6f", m->model);
    const char *const cells[] = {m->columns,
                                 ways,
                                 low,
                                 high,
                                 is_for_people ? sc_synth_basis_words(m->basis)
                                               : scrim_synth_basis_name(m->basis),
                                 model};
    sc_listing_add(listing, cells);
}

static void write_single(sc_json *json, const scrim_synth_single *single)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"variation", single->variation}, {"low", single->low}, {"high", single->high}};
    char number[32];
    sc_json_object(json, NULL);
    sc_json_text(json, "column", single->column);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        snprintf(number, sizeof number, "%.6f", numbers[i].value);
        sc_json_decimal(json, numbers[i].name, number);
    }
    sc_json_end(json);
}

/* Behind the rows of JSON: what was charged for. In other formats it is talk. */
static void write_charged(sc_listing *listing, const report_state *state)
{
    const scrim_synth_comparison *c = &state->comparison;
    char number[32];
    sc_listing_end_rows(listing);
    if (!state->is_charged || listing->format != SCRIM_FORMAT_JSON)
        return;
    sc_json_object(listing->json, "comparison");
    snprintf(number, sizeof number, "%.6f", c->mean);
    sc_json_decimal(listing->json, "mean", number);
    snprintf(number, sizeof number, "%.6f", c->low);
    sc_json_decimal(listing->json, "low", number);
    snprintf(number, sizeof number, "%.6f", c->high);
    sc_json_decimal(listing->json, "high", number);
    sc_json_text(listing->json, "epsilon", c->cost.epsilon);
    sc_json_truth(listing->json, "repeated", c->is_repeated != 0);
    snprintf(number, sizeof number, "%" PRIu64, c->release);
    sc_json_number(listing->json, "release", number);
    if (c->single_count > 0) {
        sc_json_array(listing->json, "single_values");
        for (size_t i = 0; i < c->single_count; i++)
            write_single(listing->json, &c->singles[i]);
        sc_json_end(listing->json);
    }
    sc_json_end(listing->json);
}

/* A table shows what is known, unless all is asked for. */
static scrim_status write_rows(report_state *state, scrim_error *error)
{
    const bool is_table = state->style.format == SCRIM_FORMAT_TABLE;
    sc_listing listing =
        SC_LISTING(columns, &state->output, state->style.format, &state->style.terminal);
    scrim_synth_marginal m;
    listing.signing = &state->file.signing;
    listing.column_count -= is_table && !state->style.is_verbose;
    for (size_t i = 0; scrim_synth_report_at(state->report, i, &m) != 0; i++)
        if (!is_table || state->style.is_verbose || m.basis == SCRIM_SYNTH_MEASURED)
            add_marginal(&listing, &m, is_table);
    write_charged(&listing, state);
    return sc_listing_close(&listing, SCRIM_OK, error);
}

/* Queries that were asked for. */

static const sc_listing_column query_columns[] = {
    {.name = "query", SC_KIND_KEY},
    {"rows", SC_KIND_NUMBER},
    {"share", SC_KIND_DECIMAL},
    {"difference_low", SC_KIND_DECIMAL | SC_NULLABLE},
    {"difference_high", SC_KIND_DECIMAL | SC_NULLABLE},
    {.name = "basis", SC_KIND_TEXT}};

static scrim_status write_queries(report_state *state, scrim_error *error)
{
    const bool is_table = state->style.format == SCRIM_FORMAT_TABLE;
    const int digits = is_table ? 4 : 6;
    sc_listing listing = SC_LISTING(query_columns, &state->output, state->style.format,
                                    &state->style.terminal);
    scrim_synth_query q;
    listing.signing = &state->file.signing;
    char rows[24], share[32], low[32], high[32];
    for (size_t i = 0; scrim_synth_report_query_at(state->report, i, &q) != 0; i++) {
        low[0] = high[0] = '\0';
        snprintf(rows, sizeof rows, "%" PRIu64, q.rows);
        snprintf(share, sizeof share, "%.*f", digits, q.share);
        if (q.basis != SCRIM_SYNTH_MODEL) {
            snprintf(low, sizeof low, "%.*f", digits, q.low);
            snprintf(high, sizeof high, "%.*f", digits, q.high);
        }
        const char *const cells[] = {
            q.text,
            rows,
            share,
            low,
            high,
            is_table ? sc_synth_basis_words(q.basis) : scrim_synth_basis_name(q.basis)};
        sc_listing_add(&listing, cells);
    }
    write_charged(&listing, state);
    return sc_listing_close(&listing, SCRIM_OK, error);
}

/* By basis: how many, and how far the share in the data can be from that in the rows. */
static void write_query_summary(sc_output *output, const scrim_synth_report *report)
{
    for (int basis = SCRIM_SYNTH_MEASURED; basis <= SCRIM_SYNTH_MODEL; basis++) {
        scrim_synth_query q;
        size_t count = 0;
        double most = 0;
        for (size_t i = 0; scrim_synth_report_query_at(report, i, &q) != 0; i++)
            if ((int)q.basis == basis) {
                count++;
                most = q.high > most ? q.high : most;
            }
        if (count == 0)
            continue;
        sc_output_format(output, "queries     %zu %s", count,
                         sc_synth_basis_words((scrim_synth_basis)basis));
        if (basis != SCRIM_SYNTH_MODEL)
            sc_output_format(output, ": shares in data and rows differ by at most %.4f",
                             most);
        sc_output_text(output, "\n");
    }
}

/* Beside the data. */

static const sc_listing_column check_columns[] = {{.name = "note", SC_KIND_TEXT},
                                                  {.name = "columns", SC_KIND_KEY},
                                                  {"ways", SC_KIND_NUMBER},
                                                  {"variation", SC_KIND_DECIMAL},
                                                  {.name = "basis", SC_KIND_TEXT}};

static scrim_status write_check(report_state *state, scrim_error *error)
{
    const bool is_table = state->style.format == SCRIM_FORMAT_TABLE;
    sc_listing listing = SC_LISTING(check_columns, &state->output, state->style.format,
                                    &state->style.terminal);
    scrim_synth_marginal m;
    char ways[16], truth[32];
    if (is_table)
        listing.heading = MARK ": raw data, for the owner only";
    for (size_t i = 0; scrim_synth_report_at(state->report, i, &m) != 0; i++) {
        snprintf(ways, sizeof ways, "%u", m.ways);
        snprintf(truth, sizeof truth, is_table ? "%.4f" : "%.6f", m.truth);
        const char *const cells[] = {MARK, m.columns, ways, truth,
                                     scrim_synth_basis_name(m.basis)};
        if (!is_table || state->style.is_verbose || m.ways < 3)
            sc_listing_add(&listing, cells);
    }
    return sc_listing_close(&listing, SCRIM_OK, error);
}

static void write_check_summary(sc_output *output, const scrim_synth_report *report)
{
    for (unsigned ways = 1; ways <= 3; ways++) {
        scrim_synth_marginal m;
        size_t count = 0;
        double sum = 0, most = 0;
        for (size_t i = 0; scrim_synth_report_at(report, i, &m) != 0; i++)
            if (m.ways == ways) {
                count++;
                sum += m.truth;
                most = m.truth > most ? m.truth : most;
            }
        if (count > 0)
            sc_output_format(
                output, MARK ": %u %s: mean total variation %.4f, at most %.4f\n", ways,
                ways == 1 ? "column" : "columns", sum / (double)count, most);
    }
}

/* By number of columns: how many have which basis, and the mean of their bounds. */
static void write_summary(sc_output *output, const scrim_synth_report *report)
{
    for (unsigned ways = 1; ways <= 3; ways++)
        for (int basis = SCRIM_SYNTH_MEASURED; basis <= SCRIM_SYNTH_MODEL; basis++) {
            scrim_synth_marginal m;
            size_t count = 0;
            double low = 0, high = 0;
            for (size_t i = 0; scrim_synth_report_at(report, i, &m) != 0; i++)
                if (m.ways == ways && (int)m.basis == basis) {
                    count++;
                    low += m.low;
                    high += m.high;
                }
            if (count == 0)
                continue;
            sc_output_format(output, "%u %-10s%zu %s", ways,
                             ways == 1 ? "column" : "columns", count,
                             sc_synth_basis_words((scrim_synth_basis)basis));
            if (basis != SCRIM_SYNTH_MODEL)
                sc_output_format(output, ": mean total variation %.4f to %.4f",
                                 low / (double)count, high / (double)count);
            sc_output_text(output, "\n");
        }
}

static void write_comparison(sc_output *output, const scrim_synth_comparison *c)
{
    sc_output_format(output,
                     "compared    mean total variation of %zu %s %.4f, between %.4f and "
                     "%.4f with probability 0.95\n",
                     c->marginals, c->marginals == 1 ? "table" : "tables", c->mean,
                     c->low, c->high);
    for (size_t i = 0; i < c->single_count; i++)
        sc_output_format(output, "%-12s%s %.4f, between %.4f and %.4f\n",
                         i == 0 ? "by value" : "", c->singles[i].column,
                         c->singles[i].variation, c->singles[i].low, c->singles[i].high);
    sc_output_format(output,
                     c->is_repeated != 0
                         ? "charged     epsilon %s for %s, earlier, as release %" PRIu64
                           "; nothing now\n"
                         : "charged     epsilon %s for %s, as release %" PRIu64 "\n",
                     c->cost.epsilon,
                     c->single_count == 0 ? "this number alone" : "these numbers",
                     c->release);
}

/* Values of one bin can only be farther apart than their bins: the least total variation of a column by itself. */
static double least_of(const scrim_synth_report *report, const char *column)
{
    scrim_synth_marginal m;
    for (size_t i = 0; scrim_synth_report_at(report, i, &m) != 0; i++)
        if (m.ways == 1 && strcmp(m.columns, column) == 0)
            return m.low;
    return 0;
}

/* The total variation over single values that was charged for; NULL: it was not. */
static const scrim_synth_single *single_of(const report_state *state, const char *column)
{
    const scrim_synth_comparison *c = &state->comparison;
    for (size_t i = 0; state->is_charged && i < c->single_count; i++)
        if (strcmp(c->singles[i].column, column) == 0)
            return &c->singles[i];
    return NULL;
}

/* Two tables of bins may agree where no value does. */
static void write_bins(sc_output *output, const report_state *state)
{
    const char *mark = state->is_check ? MARK ": " : "bins        ";
    scrim_synth_bins b;
    const size_t begin = sc_fold_begin(output);
    for (size_t i = 0;
         scrim_synth_report_bins_at(state->release, state->report, i, &b) != 0; i++) {
        sc_output_format(output,
                         "%s%s has %" PRIu64 " values in %" PRIu64
                         " bins (--cut %s=%s), which are compared; ",
                         mark, b.column, b.values, b.bins, b.column, b.cut);
        if (b.single >= 0)
            sc_output_format(output, "over single values the total variation is %.4f\n",
                             b.single);
        else if (single_of(state, b.column) != NULL)
            sc_output_text(output, "its single values are compared below\n");
        else if (b.values > SINGLES_MOST)
            sc_output_format(output,
                             "values inside a bin were not measured, and are drawn "
                             "evenly: over single values the total variation is between "
                             "%.4f and 1\n",
                             least_of(state->report, b.column));
        else
            sc_output_format(
                output,
                "values inside a bin were not measured, and are drawn "
                "evenly: over single values the total variation is between "
                "%.4f and 1; 'scrim synth report %" PRIu64
                " --epsilon 0.1' measures it, and 'scrim synth check %" PRIu64
                "' shows it to the owner\n",
                least_of(state->report, b.column), state->id, state->id);
    }
    sc_fold_end(output, begin, state->style.terminal.columns);
}

static scrim_status write_talk(report_state *state, scrim_error *error)
{
    sc_output_init_screen(&state->output, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    if (state->is_check) {
        write_check_summary(&state->output, state->report);
        write_bins(&state->output, state);
        return sc_output_finish(&state->output, error);
    }
    if (state->has_queries)
        write_query_summary(&state->output, state->report);
    else
        write_summary(&state->output, state->report);
    write_bins(&state->output, state);
    sc_output_format(&state->output, "confidence  %s, of all intervals together%s\n",
                     state->page.confidence,
                     state->is_charged ? "" : "; nothing was charged");
    if (state->is_charged)
        write_comparison(&state->output, &state->comparison);
    return sc_output_finish(&state->output, error);
}

static scrim_status write_file(const report_state *state, const char *option,
                               const char *path, sc_file_body *write, scrim_error *error)
{
    return path == NULL ? SCRIM_OK
                        : sc_file_write(option, path, write, &state->page, error);
}

/* Before anything is read or charged. */
static scrim_status check_request(const report_state *state, const sc_options *options,
                                  scrim_error *error)
{
    static const sc_option files[] = {SCRIM_OPTION_SVG, SCRIM_OPTION_HTML,
                                      SCRIM_OPTION_OUT};
    if (state->is_check && state->is_charged)
        return sc_refuse(error, "--epsilon is for 'scrim synth report'; check is for "
                                "the owner and is not private");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = options->value[files[i]];
        if (path != NULL && state->is_check)
            return sc_refuse(error, "--out, --svg and --html are for 'scrim synth "
                                    "report'; what check shows is not private");
        if (path != NULL)
            SC_TRY(sc_file_writer_check(sc_option_name(files[i]), path, error));
    }
    return SCRIM_OK;
}

/* A file is CSV unless the options say otherwise. */
static scrim_status read_out(report_state *state, const sc_options *options,
                             scrim_error *error)
{
    state->file.path = options->value[SCRIM_OPTION_OUT];
    SC_TRY(sc_options_format(options, SCRIM_FORMAT_CSV, &state->style.format, error));
    return sc_signed_file_check("--out", state->file.path, state->style.format, error);
}

/* Standard output or --out, signed; what check shows is neither. */
static scrim_status write_report(report_state *state, scrim_error *error)
{
    state->file.signing = (sc_signing){
        .vault = state->vault, .release = state->id, .kind = "synthetic-report"};
    state->file.option = "--out";
    state->file.format = state->style.format;
    scrim_status status = sc_signed_file_open(&state->file, &state->output, error);
    if (status != SCRIM_OK)
        return status;
    status = state->has_queries ? write_queries(state, error) : write_rows(state, error);
    return sc_signed_file_close(&state->file, status, error);
}

static scrim_status write_check_page(report_state *state, scrim_error *error)
{
    sc_output_init_screen(&state->output, STDOUT_FILENO, state->style.format);
    SC_TRY(write_check(state, error));
    return sc_output_finish(&state->output, error);
}

static scrim_status make_report(report_state *state, const sc_options *options,
                                scrim_error *error)
{
    const char *confidence = options->value[SCRIM_OPTION_CONFIDENCE];
    scrim_synth_query first;
    state->is_check = strcmp(options->words[1], "check") == 0;
    state->is_charged = sc_options_has(options, SCRIM_OPTION_EPSILON);
    scrim_status status = sc_release_number_parse(options->words[2], &state->id, error);
    if (status == SCRIM_OK)
        status = check_request(state, options, error);
    if (status == SCRIM_OK)
        status = sc_answer_style_read(options, &state->style, error);
    if (status == SCRIM_OK && options->value[SCRIM_OPTION_OUT] != NULL)
        status = read_out(state, options, error);
    if (status == SCRIM_OK)
        status = sc_options_positive(options, SCRIM_OPTION_ROWS, ROWS_MOST, 0,
                                     &state->rows, error);
    if (status == SCRIM_OK)
        status = sc_vault_place_open(options, &state->vault, error);
    if (status == SCRIM_OK)
        status = scrim_synth_replay(state->vault, state->id, &state->release, error);
    if (status == SCRIM_OK)
        status = scrim_synth_report_new(
            state->release,
            SCRIM_OPTIONS(scrim_synth_report_options, .rows = state->rows,
                          .confidence = confidence, .progress = sc_progress_told,
                          .context = &state->progress),
            &state->report, error);
    state->has_queries =
        status == SCRIM_OK && scrim_synth_report_query_at(state->report, 0, &first) != 0;
    sc_progress_start(&state->progress, 0, "%", !state->style.quiet);
    if (status == SCRIM_OK && state->is_check)
        status = scrim_synth_report_compare(state->vault, state->release, state->report,
                                            error);
    if (status == SCRIM_OK && state->is_charged)
        status = scrim_synth_report_charge(state->vault, state->release, state->report,
                                           options->value[SCRIM_OPTION_EPSILON],
                                           &state->comparison, error);
    sc_progress_end(&state->progress);
    state->page = (sc_synth_page){state->release, state->report,
                                  confidence == NULL ? "0.95" : confidence};
    return status;
}

static scrim_status show_report(report_state *state, const sc_options *options,
                                scrim_error *error)
{
    SC_TRY(make_report(state, options, error));
    SC_TRY(write_file(state, "--svg", options->value[SCRIM_OPTION_SVG],
                      sc_synth_report_svg, error));
    SC_TRY(write_file(state, "--html", options->value[SCRIM_OPTION_HTML],
                      sc_synth_report_html, error));
    SC_TRY(state->is_check ? write_check_page(state, error) : write_report(state, error));
    return state->style.quiet ? SCRIM_OK : write_talk(state, error);
}

scrim_status sc_synth_report_run(const sc_options *options, scrim_error *error)
{
    if (options->word_count != 3)
        return sc_refuse(error,
                         "name one release, as in 'scrim synth %s 4'; 'scrim ledger' "
                         "lists them",
                         options->words[1]);
    SC_FREED report_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    const scrim_status status = show_report(state, options, error);
    scrim_synth_report_free(state->report);
    scrim_synth_release_free(state->release);
    scrim_vault_close(state->vault);
    return status;
}
