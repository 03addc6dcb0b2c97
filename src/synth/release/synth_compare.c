/* Synthetic rows beside the data, for the owner alone: exact and not private. */
#include "random/bits_system.h"
#include "synth/release/record_reader.h"
#include "synth/release/synth_variation.h"
#include "vault/vault.h"

/* A plan with the columns of the release, whose rows are read. */

typedef struct comparing {
    const scrim_synth_release *release;
    scrim_synth *synth;
    sc_record_reader reader;
    scrim_synth_rows *rows;
} comparing;

/* Is it still the data that was measured, and does the caller own it? */
static scrim_status check_owner(const comparing *c, scrim_vault *vault,
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

static scrim_status read_data(comparing *c, scrim_synth_report *report,
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

static scrim_status compare(const comparing *c, sc_clique clique, double *out,
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

static scrim_status compare_all(const comparing *c, scrim_synth_report *report,
                                scrim_error *error)
{
    double *truth = sc_allocate(report->report.count, sizeof *truth);
    scrim_status status = truth == NULL ? sc_no_memory(error, "a comparison") : SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < report->report.count; i++) {
        status = compare(c, report->report.entries[i].clique, &truth[i], error);
        sc_synth_report_tell(report, true, i + 1, report->report.count);
    }
    if (status != SCRIM_OK) {
        sc_free_wiped(truth, truth == NULL ? 0 : report->report.count * sizeof *truth);
        return status;
    }
    sc_free(report->truth);
    report->truth = truth;
    return SCRIM_OK;
}

scrim_status scrim_synth_report_compare(scrim_vault *vault,
                                        const scrim_synth_release *release,
                                        scrim_synth_report *report, scrim_error *error)
{
    comparing c = {.release = release};
    scrim_status status = sc_synth_new_like(vault, release, &c.synth, error);
    if (status == SCRIM_OK)
        status = check_owner(&c, vault, error);
    if (status == SCRIM_OK)
        status = scrim_synth_draw(
            release, SCRIM_OPTIONS(scrim_synth_row_options, .rows = report->rows),
            &c.rows, error);
    if (status == SCRIM_OK)
        status = read_data(&c, report, error);
    if (status == SCRIM_OK)
        status = compare_all(&c, report, error);
    sc_record_reader_close(&c.reader);
    scrim_synth_rows_free(c.rows);
    scrim_synth_free(c.synth);
    return status;
}
