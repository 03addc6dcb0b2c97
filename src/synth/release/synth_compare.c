/* Synthetic rows beside the data, charged: the mean total variation of all pairs, and the total variation over single
 * values of each column whose bins hold several, with noise.
 *
 * S = sum over pairs of sum |x - s'|, s' the counts of the rows scaled to the released total and rounded before data are
 * read, moves by at most k r when a unit comes or goes, and by 2 k r when it is replaced, for k pairs and r rows of a
 * unit (spec/synthetic.md 7). S_j, the same sum over the single values of column j, moves by r and 2 r. (S, k S_1, ..., k S_c)
 * then moves by (1 + c) k r in l1, and each number has the noise that an equal part of epsilon would give it. This vector with
 * Laplace noise is charged, then the data are read, and it is recorded as the answer of that measurement. The
 * question is the release, the number of rows and the measurement: asked again, it is the recorded answer.
 */
#include "ledger/answer_record.h"
#include "mechanism/noise/laplace.h"
#include "random/bits_system.h"
#include "synth/release/record_reader.h"
#include "synth/release/synth_variation.h"
#include "vault/vault.h"

#include <stdlib.h>
#include <string.h>

/* An answer has one number of all pairs, and one of each column. */
#define NUMBERS_MOST (1 + SC_SYNTH_PLAN_COLUMNS)

/* A column in bins whose single values are compared. */
typedef struct single_column {
    size_t column;
    size_t cells;
    int64_t *scaled; /* the rows, as whole numbers */
    double rounding;
} single_column;

typedef struct comparing {
    sc_record_reader reader; /* the first member, as its functions of a kind want */
    const scrim_synth_release *release;
    const scrim_synth_report *report;
    const char *epsilon;
    scrim_synth *synth;
    scrim_synth_rows *rows;
    sc_clique pairs[SC_SYNTH_PLAN_COLUMNS * SC_SYNTH_PLAN_COLUMNS];
    size_t count;
    int64_t **scaled; /* [count] the rows, as whole numbers */
    double rounding;  /* what making them whole moved, of all pairs */
    single_column singles[SC_SYNTH_PLAN_COLUMNS]; /* [single_count] */
    size_t single_count;
    int64_t *data_singles[SC_SYNTH_PLAN_COLUMNS]; /* by column: counts of values */
    scrim_measurement *measurement;
    char *question;
    scrim_synth_comparison *out;
} comparing;

/* Single values. */

static uint64_t values_of(const sc_coded_column *c)
{
    return (uint64_t)c->column->grid.high - (uint64_t)c->column->grid.low + 1;
}

/* Does some bin hold several values? */
static bool is_coarse(const sc_coded_column *c)
{
    return !c->is_listed && c->count < values_of(c);
}

/* Coarse, and its values can be counted one by one. */
static bool has_singles(const sc_coded_column *c)
{
    return is_coarse(c) && values_of(c) <= SC_CODED_BINS;
}

/* Those of rows, with NULL behind them. */
static void count_singles_drawn(const scrim_synth_rows *rows,
                                const sc_synth_domain *domain, size_t column,
                                int64_t *counts)
{
    const sc_coded_column *coded = &domain->columns[column];
    const uint64_t null = values_of(coded);
    const int64_t *values = sc_synth_rows_values(rows, column);
    for (uint64_t i = 0; values != NULL && i < sc_synth_rows_codes(rows)->count; i++) {
        const uint64_t at = (uint64_t)values[i] - (uint64_t)coded->column->grid.low;
        counts[at < null ? at : null]++;
    }
}

static void free_singles(int64_t **singles, const sc_synth_domain *domain)
{
    for (size_t i = 0; i < SC_SYNTH_PLAN_COLUMNS; i++) {
        if (singles[i] != NULL)
            sc_free_wiped(singles[i], (size_t)(values_of(&domain->columns[i]) + 1) *
                                          sizeof *singles[i]);
        singles[i] = NULL;
    }
}

/* Room for those of the data, by column. */
static scrim_status take_singles(int64_t **singles, const sc_synth_domain *domain,
                                 scrim_error *error)
{
    for (size_t i = 0; i < domain->count; i++) {
        if (!has_singles(&domain->columns[i]))
            continue;
        singles[i] =
            sc_allocate((size_t)values_of(&domain->columns[i]) + 1, sizeof *singles[i]);
        if (singles[i] == NULL)
            return sc_no_memory(error, "a comparison");
    }
    return SCRIM_OK;
}

/* Public facts: pairs, single values, their scaled rows, the measurement. */

static void list_pairs(comparing *c)
{
    const size_t columns = c->synth->domain.count;
    for (size_t i = 0; i < c->report->report.count; i++) {
        const sc_clique clique = c->report->report.entries[i].clique;
        if (sc_clique_count(clique) == (columns > 1 ? 2 : 1))
            c->pairs[c->count++] = clique;
    }
}

/* Counts of rows, scaled to the released total and made whole; adds what that moves. */
static void scale(const comparing *c, int64_t *counts, size_t cells, double *rounding)
{
    const uint64_t rows = sc_synth_rows_codes(c->rows)->count;
    const sc_uint128 total = (sc_uint128)c->release->record.released.total;
    sc_uint128 moved = 0;
    for (size_t k = 0; k < cells; k++) {
        const sc_uint128 exact = (sc_uint128)(uint64_t)counts[k] * total;
        const sc_uint128 whole = (exact * 2 + rows) / ((sc_uint128)rows * 2);
        const sc_uint128 back = whole * rows;
        moved += back > exact ? back - exact : exact - back;
        counts[k] = (int64_t)whole;
    }
    *rounding += (double)(moved / rows + 1);
}

static scrim_status scale_rows(comparing *c, scrim_error *error)
{
    const sc_synth_columns *sizes = &c->synth->sizes;
    const sc_synth_rows *rows = sc_synth_rows_codes(c->rows);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    c->scaled = sc_arena_allocate(&c->synth->arena, c->count, sizeof *c->scaled);
    if (c->scaled == NULL)
        return sc_no_memory(error, "a comparison");
    for (size_t i = 0; i < c->count; i++) {
        const size_t cells = (size_t)sc_clique_cells(sizes, c->pairs[i]);
        int64_t *counts = sc_arena_allocate(&c->synth->arena, cells, sizeof *counts);
        if (counts == NULL)
            return sc_no_memory(error, "a comparison");
        sc_synth_rows_count(rows, sizes, c->pairs[i], counts);
        scale(c, counts, cells, &c->rounding);
        c->scaled[i] = counts;
    }
    return SCRIM_OK;
}

static scrim_status scale_singles(comparing *c, scrim_error *error)
{
    const sc_synth_domain *domain = &c->synth->domain;
    for (size_t i = 0; i < domain->count; i++) {
        if (!has_singles(&domain->columns[i]))
            continue;
        const size_t cells = (size_t)values_of(&domain->columns[i]) + 1;
        single_column *own = &c->singles[c->single_count++];
        *own = (single_column){
            .column = i,
            .cells = cells,
            .scaled = sc_arena_allocate(&c->synth->arena, cells, sizeof *own->scaled)};
        if (own->scaled == NULL)
            return sc_no_memory(error, "a comparison");
        memset(own->scaled, 0, cells * sizeof *own->scaled);
        count_singles_drawn(c->rows, domain, i, own->scaled);
        scale(c, own->scaled, cells, &own->rounding);
    }
    return SCRIM_OK;
}

static scrim_status make_measurement(comparing *c, scrim_error *error)
{
    SC_OWN(sc_ratio, cost, move);
    const sc_round_unit *unit = &c->synth->unit;
    if (c->epsilon == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "epsilon",
                           "epsilon is missing; it has no default");
    scrim_status status = sc_ratio_parse(sc_text_of(c->epsilon), &cost, error);
    sc_ratio_set_int128(&move, (sc_int128)c->count * sc_round_move(unit) *
                                   (sc_int128)(1 + c->single_count));
    const sc_argument arguments[] = {
        {.name = "sensitivity", .values = &move},
        {.name = "epsilon", .values = &cost},
        {.name = "neighbours", .word = scrim_neighbours_name(unit->neighbours)}};
    return status == SCRIM_OK ? sc_measurement_of(&sc_laplace, arguments,
                                                  sizeof arguments / sizeof *arguments,
                                                  &c->measurement, error)
                              : status;
}

/* All of the request that is public; the question names the measurement. */
static scrim_status plan(comparing *c, scrim_vault *vault, scrim_error *error)
{
    const sc_synth_record *record = &c->release->record;
    if (record->released.method == SC_SYNTH_SMALLDB)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "release",
                           "a release of smalldb does not tell how many rows the data "
                           "have, and cannot be compared");
    scrim_status status = sc_synth_new_like(vault, c->release, &c->synth, error);
    if (status == SCRIM_OK && c->synth->dataset.version != record->version)
        status = sc_fail(error, SCRIM_E_POLICY,
                         "the dataset has another version by now; make synthetic "
                         "records of it, and compare those");
    if (status == SCRIM_OK)
        status = scrim_synth_draw(
            c->release, SCRIM_OPTIONS(scrim_synth_row_options, .rows = c->report->rows),
            &c->rows, error);
    if (status != SCRIM_OK)
        return status;
    list_pairs(c);
    status = scale_rows(c, error);
    if (status == SCRIM_OK)
        status = scale_singles(c, error);
    if (status == SCRIM_OK)
        status = take_singles(c->data_singles, &c->synth->domain, error);
    if (status == SCRIM_OK)
        status = make_measurement(c, error);
    if (status == SCRIM_OK && (c->question = sc_measured_line_write(
                                   c->release->id, scrim_synth_row_count(c->rows),
                                   c->measurement->text)) == NULL)
        status = sc_no_memory(error, "a comparison");
    return status;
}

static scrim_status prepare(sc_charged *charged, scrim_error *error)
{
    const comparing *c = charged->context;
    SC_OWN(sc_ratio, cost, none);
    const scrim_status status = sc_ratio_parse(sc_text_of(c->epsilon), &cost, error);
    return status == SCRIM_OK ? sc_allowance_new(c->synth->unit.neighbours, NULL, &cost,
                                                 &none, &charged->allowance, error)
                              : status;
}

/* After the charge. */

/* The numbers of the answer: of all pairs, then of each column by itself, times the number of pairs. */
static scrim_status add_up(sc_charged *charged, int64_t *out, scrim_error *error)
{
    const comparing *c = charged->context;
    out[0] = 0;
    for (size_t i = 0; i < c->count; i++) {
        const size_t cells = (size_t)sc_clique_cells(&c->synth->sizes, c->pairs[i]);
        int64_t *counts = sc_allocate(cells, sizeof *counts);
        if (counts == NULL)
            return sc_no_memory(error, "a comparison");
        sc_records_count(c->reader.records, &c->pairs[i], 1, &counts);
        out[0] += sc_rounds_distance(counts, c->scaled[i], cells);
        sc_free_wiped(counts, cells * sizeof *counts);
        sc_charged_tell(charged, i + 1, c->count);
    }
    for (size_t i = 0; i < c->single_count; i++)
        out[1 + i] = (int64_t)c->count *
                     sc_rounds_distance(c->data_singles[c->singles[i].column],
                                        c->singles[i].scaled, c->singles[i].cells);
    return SCRIM_OK;
}

static scrim_status draw_record(sc_charged *charged, char **record, scrim_error *error)
{
    comparing *c = charged->context;
    int64_t sums[NUMBERS_MOST] = {0};
    sc_int128 values[NUMBERS_MOST] = {0};
    sc_mark marks[NUMBERS_MOST] = {SC_MARK_NONE};
    sc_draw draw = {.values = values, .marks = marks, .capacity = NUMBERS_MOST};
    scrim_answer *answer = NULL;
    c->reader.singles = c->data_singles;
    scrim_status status =
        sc_record_reader_code(&c->reader, &c->synth->domain, NULL, error);
    if (status == SCRIM_OK)
        status = add_up(charged, sums, error);
    if (status == SCRIM_OK)
        status = sc_passage_draw_within(
            charged->passage, c->measurement,
            &(sc_private_input){.values = sums, .count = 1 + c->single_count}, &draw,
            error);
    sc_wipe(sums, sizeof sums);
    if (status == SCRIM_OK)
        status = sc_answer_new(c->measurement, &draw, sc_passage_entry(charged->passage),
                               &answer, error);
    if (status == SCRIM_OK)
        *record = sc_answer_line(answer);
    scrim_answer_free(answer);
    return status;
}

/* The recorded answer. */

typedef struct estimate {
    double value, low, high;
} estimate;

/* A number of the answer over what it is a sum of, and its bounds: the noise, the total, and the rounding of the rows. */
static estimate estimate_of(double number, double noise, double rounding, double twice)
{
    const double mean = number / twice, half = (noise + rounding) / twice;
    return (estimate){.value = mean < 0   ? 0
                               : mean > 1 ? 1
                                          : mean,
                      .low = mean < half ? 0 : mean - half,
                      .high = mean + half > 1 ? 1 : mean + half};
}

static scrim_status describe(const comparing *c, const scrim_answer *answer,
                             const sc_recorded *recorded, scrim_error *error)
{
    scrim_certificate noise;
    const scrim_status status = scrim_measurement_certify(
        c->measurement, "0.95", 1 + c->single_count, &noise, error);
    if (status != SCRIM_OK)
        return status;
    const double pairs = (double)c->count,
                 twice = 2 * (double)c->release->record.released.total * pairs,
                 radius = strtod(noise.radius, NULL),
                 slack = pairs * c->report->report.slack;
    const estimate mean =
        estimate_of(scrim_answer_double(answer, 0), radius, slack + c->rounding, twice);
    *c->out = (scrim_synth_comparison){.mean = mean.value,
                                       .low = mean.low,
                                       .high = mean.high,
                                       .marginals = c->count,
                                       .single_count = c->single_count,
                                       .release = recorded->id,
                                       .cost = *scrim_answer_cost(answer),
                                       .is_repeated = recorded->is_repeated};
    for (size_t i = 0; i < c->single_count; i++) {
        const single_column *own = &c->singles[i];
        const estimate one = estimate_of(scrim_answer_double(answer, 1 + i), radius,
                                         slack + pairs * own->rounding, twice);
        c->out->singles[i] =
            (scrim_synth_single){.column = c->release->record.names[own->column],
                                 .variation = one.value,
                                 .low = one.low,
                                 .high = one.high};
    }
    return SCRIM_OK;
}

static scrim_status show(void *context, const sc_recorded *recorded, scrim_error *error)
{
    const comparing *c = context;
    scrim_answer *answer = NULL;
    scrim_status status =
        scrim_answer_parse(c->measurement, recorded->text, recorded->id, &answer, error);
    if (status == SCRIM_OK)
        status = describe(c, answer, recorded, error);
    scrim_answer_free(answer);
    return status;
}

static scrim_status refuse(uint64_t release, scrim_error *error)
{
    (void)release;
    return sc_fail(error, SCRIM_E_INTERNAL,
                   "a comparison has the answer of another release");
}

static const sc_charged_kind kind = {.words = {"compare release="},
                                     .planned = "the records",
                                     .released = "a comparison",
                                     .refuse = refuse,
                                     .prepare = prepare,
                                     .open_rows = sc_record_reader_open_rows,
                                     .take_room = sc_record_reader_take_room,
                                     .read_rows = sc_record_reader_read_rows,
                                     .draw_record = draw_record,
                                     .wipe_rows = sc_record_reader_wipe_rows,
                                     .show = show};

scrim_status scrim_synth_report_charge(scrim_vault *vault,
                                       const scrim_synth_release *release,
                                       const scrim_synth_report *report,
                                       const char *epsilon, scrim_synth_comparison *out,
                                       scrim_error *error)
{
    SC_REQUIRE(error, "vault release report out", vault, release, report, out);
    comparing *c = sc_allocate(1, sizeof *c);
    if (c == NULL)
        return sc_no_memory(error, "a comparison");
    c->release = release;
    c->report = report;
    c->epsilon = epsilon;
    c->out = out;
    scrim_status status = plan(c, vault, error);
    c->reader.synth = c->synth;
    if (status == SCRIM_OK) {
        sc_charged charged = {.kind = &kind,
                              .context = c,
                              .vault = vault,
                              .dataset = &c->synth->dataset,
                              .question = c->question,
                              .is_once = c->synth->is_once,
                              .rows = {.frame = sc_frame_with_rows(&c->synth->frame)},
                              .progress = report->progress,
                              .progress_context = report->context,
                              .read_work = SC_CHARGED_WORK / 2};
        status = sc_charged_run(&charged, error);
    }
    if (c->synth != NULL)
        free_singles(c->data_singles, &c->synth->domain);
    scrim_measurement_free(c->measurement);
    sc_free(c->question);
    scrim_synth_rows_free(c->rows);
    scrim_synth_free(c->synth);
    sc_free(c);
    return status;
}

const char *scrim_synth_compared(const char *measurement)
{
    return sc_measured_line(measurement);
}

/* Synthetic rows beside the data, for the owner alone: exact and not private. */

/* A plan with the columns of the release, whose rows are read. */

typedef struct exact_comparison {
    const scrim_synth_release *release;
    scrim_synth *synth;
    sc_record_reader reader;
    scrim_synth_rows *rows;
    int64_t *singles[SC_SYNTH_PLAN_COLUMNS]; /* by column in bins: counts of values */
} exact_comparison;

/* Is it still the data that was measured, and does the caller own it? */
static scrim_status check_owner(const exact_comparison *c, scrim_vault *vault,
                                scrim_error *error)
{
    const sc_synth_columns *sizes = &c->release->record.released.columns;
    const sc_schema *schema = NULL;
    uint64_t version = 0;
    const scrim_status status =
        sc_vault_owner_schema(vault, c->release->dataset, &version, &schema, error);
    sc_schema_free(schema);
    if (status != SCRIM_OK)
        return status;
    bool is_same =
        version == c->release->record.version && sizes->count == c->synth->sizes.count;
    for (size_t i = 0; is_same && i < sizes->count; i++)
        is_same = sizes->sizes[i] == c->synth->sizes.sizes[i];
    return is_same ? SCRIM_OK
                   : sc_fail(error, SCRIM_E_POLICY,
                             "the dataset has another version by now; make synthetic "
                             "records of it, and compare those");
}

static void tell_pass(void *context, uint64_t done, uint64_t total)
{
    sc_synth_report_tell(context, false, done, total);
}

static scrim_status read_data(exact_comparison *c, scrim_synth_report *report,
                              scrim_error *error)
{
    const sc_pass_options options = {.progress = tell_pass, .context = report};
    sc_bits *bits = NULL;
    sc_charged_room room; /* nothing is charged, so only its owner sees what it takes */
    c->reader.synth = c->synth;
    scrim_status status = sc_bits_system_open(&bits, error);
    if (status == SCRIM_OK)
        status = sc_record_reader_open(&c->reader, &options, bits, &room, error);
    if (bits != NULL)
        sc_bits_system_close(bits);
    if (status == SCRIM_OK)
        status = sc_record_reader_take(&c->reader, error);
    if (status == SCRIM_OK)
        status = sc_pass_run(c->reader.pass, error);
    return status == SCRIM_OK
               ? sc_record_reader_code(&c->reader, &c->synth->domain, NULL, error)
               : status;
}

/* Total variation. */

static scrim_status compare(const exact_comparison *c, sc_clique clique, double *out,
                            scrim_error *error)
{
    const sc_synth_columns *sizes = &c->synth->sizes;
    const sc_synth_rows *rows = sc_synth_rows_codes(c->rows);
    const size_t cells = (size_t)sc_clique_cells(sizes, clique);
    const double n = (double)sc_records_total(c->reader.records), m = (double)rows->count;
    int64_t *data = sc_allocate(cells, sizeof *data);
    int64_t *drawn = sc_allocate(cells, sizeof *drawn);
    const bool is_there = data != NULL && drawn != NULL;
    double sum = n > 0 ? 0 : 2;
    if (is_there) {
        sc_records_count(c->reader.records, &clique, 1, &data);
        sc_synth_rows_count(rows, sizes, clique, drawn);
        for (size_t i = 0; n > 0 && i < cells; i++) {
            const double d = (double)data[i] / n - (double)drawn[i] / m;
            sum += d < 0 ? -d : d;
        }
        *out = sum / 2;
    }
    sc_free(drawn);
    sc_free_wiped(data, data == NULL ? 0 : cells * sizeof *data);
    return is_there ? SCRIM_OK : sc_no_memory(error, "a comparison");
}

/* Over single values of one column. */
static scrim_status compare_singles(const exact_comparison *c, size_t column, double *out,
                                    scrim_error *error)
{
    const size_t count = (size_t)values_of(&c->synth->domain.columns[column]) + 1;
    const double n = (double)sc_records_total(c->reader.records),
                 m = (double)sc_synth_rows_codes(c->rows)->count;
    int64_t *drawn = sc_allocate(count, sizeof *drawn);
    double sum = n > 0 ? 0 : 2;
    if (drawn == NULL)
        return sc_no_memory(error, "a comparison");
    count_singles_drawn(c->rows, &c->synth->domain, column, drawn);
    for (size_t i = 0; n > 0 && i < count; i++) {
        const double d = (double)c->singles[column][i] / n - (double)drawn[i] / m;
        sum += d < 0 ? -d : d;
    }
    *out = sum / 2;
    sc_free(drawn);
    return SCRIM_OK;
}

static scrim_status compare_all(const exact_comparison *c, scrim_synth_report *report,
                                scrim_error *error)
{
    double *truth = sc_allocate(report->report.count, sizeof *truth);
    scrim_status status = truth == NULL ? sc_no_memory(error, "a comparison") : SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < report->report.count; i++) {
        status = compare(c, report->report.entries[i].clique, &truth[i], error);
        sc_synth_report_tell(report, true, i + 1, report->report.count);
    }
    double singles[SC_SYNTH_PLAN_COLUMNS];
    for (size_t i = 0; i < SC_SYNTH_PLAN_COLUMNS; i++) {
        singles[i] = -1;
        if (status == SCRIM_OK && c->singles[i] != NULL)
            status = compare_singles(c, i, &singles[i], error);
    }
    if (status != SCRIM_OK) {
        sc_free_wiped(truth, truth == NULL ? 0 : report->report.count * sizeof *truth);
        return status;
    }
    memcpy(report->singles, singles, sizeof singles);
    sc_free(report->truth);
    report->truth = truth;
    return SCRIM_OK;
}

scrim_status scrim_synth_report_compare(scrim_vault *vault,
                                        const scrim_synth_release *release,
                                        scrim_synth_report *report, scrim_error *error)
{
    SC_REQUIRE(error, "vault release report", vault, release, report);
    exact_comparison c = {.release = release};
    scrim_status status = sc_synth_new_like(vault, release, &c.synth, error);
    if (status == SCRIM_OK)
        status = check_owner(&c, vault, error);
    if (status == SCRIM_OK)
        status = scrim_synth_draw(
            release, SCRIM_OPTIONS(scrim_synth_row_options, .rows = report->rows),
            &c.rows, error);
    if (status == SCRIM_OK)
        status = take_singles(c.singles, &c.synth->domain, error);
    c.reader.singles = c.singles;
    if (status == SCRIM_OK)
        status = read_data(&c, report, error);
    if (status == SCRIM_OK)
        status = compare_all(&c, report, error);
    sc_record_reader_close(&c.reader);
    if (c.synth != NULL)
        free_singles(c.singles, &c.synth->domain);
    scrim_synth_rows_free(c.rows);
    scrim_synth_free(c.synth);
    return status;
}

int scrim_synth_report_bins_at(const scrim_synth_release *release,
                               const scrim_synth_report *report, size_t index,
                               scrim_synth_bins *out)
{
    const sc_synth_record *record = &release->record;
    for (size_t i = 0; i < record->domain.count; i++) {
        const sc_coded_column *c = &record->domain.columns[i];
        if (!is_coarse(c) || index-- > 0)
            continue;
        *out =
            (scrim_synth_bins){.column = record->names[i],
                               .cut = record->cuts[i],
                               .bins = c->count,
                               .values = values_of(c),
                               .single = report->truth == NULL ? -1 : report->singles[i]};
        return 1;
    }
    return 0;
}
