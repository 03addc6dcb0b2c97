#include "cli/release/synth_rows_page.h"

#include "cli/answer/charge_note.h"
#include "cli/answer/release_note.h"
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"
#include "cli/vault/budget_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The largest file of queries. */
#define SC_QUERY_FILE_BYTES ((size_t)1 << 20)

/* Ends the line in place; returns the start of the next one, or NULL after the last. */
static char *end_line(char *line)
{
    char *end = strchr(line, '\n');
    char *last = end == NULL ? line + strlen(line) : end;
    if (last > line && last[-1] == '\r')
        last[-1] = '\0';
    *last = '\0';
    return end == NULL ? NULL : end + 1;
}

scrim_status sc_query_file_read(const char *path, sc_query_file *out, scrim_error *error)
{
    size_t most = 1;
    *out = (sc_query_file){.count = 0};
    SC_TRY(sc_whole_file_read(path, SC_QUERY_FILE_BYTES, &out->file, error));
    for (size_t i = 0; i < out->file.count; i++)
        most += out->file.bytes[i] == '\n';
    out->lines = calloc(most, sizeof *out->lines);
    if (out->lines == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    for (char *line = out->file.bytes; line != NULL && out->count < most;) {
        char *next = end_line(line);
        out->lines[out->count++] = line;
        line = next;
    }
    return SCRIM_OK;
}

void sc_query_file_clear(sc_query_file *file)
{
    free(file->lines);
    sc_whole_file_clear(&file->file);
    *file = (sc_query_file){.count = 0};
}

static const sc_listing_column columns[] = {{.name = "column", SC_KIND_KEY},
                                            {"categories", SC_KIND_NUMBER},
                                            {.name = "cut", SC_KIND_TEXT | SC_OPTIONAL},
                                            {.name = "null", SC_KIND_TEXT}};

/* How private keys are selected, and how large a group must be. */
static void write_selection(sc_output *output, const scrim_synth_facts *facts)
{
    if (facts->selection[0] == '\0')
        return;
    sc_output_format(output, "selection   %s, for each column with private keys\n",
                     facts->selection);
    sc_output_format(output,
                     "%-12sa value needs %" PRIu64
                     " %s for a 50 %% chance to be a category, and %" PRIu64
                     " for 95 %%; others are NULL\n",
                     "", facts->kept_half, facts->unit_words, facts->kept_most);
}

/* How accurate the answers to queries will be. */
static void write_queries(sc_output *output, const scrim_synth_facts *facts)
{
    sc_output_format(output,
                     "error       each measured answer is within %s of the truth with "
                     "probability 0.95\n",
                     facts->count_error);
    if (facts->query_count == 1)
        sc_output_format(output, "%-12sthe query is measured\n", "");
    else if (facts->measured_count == facts->query_count)
        sc_output_format(output, "%-12sall %zu queries are measured\n", "",
                         facts->query_count);
    else
        sc_output_format(output,
                         "%-12s%zu of %zu queries are measured, selected privately\n", "",
                         facts->measured_count, facts->query_count);
}

typedef struct unit_bounds {
    const char *word, *words; /* "customer", "customers" */
    uint64_t rows, distinct, alike;
} unit_bounds;

/* "bounds      3 different rows per person, each at most 2 times; ...": nothing where a unit has one row. */
static void write_bounds(sc_output *output, const unit_bounds *b, const char *tense)
{
    const uint64_t rows = b->rows, distinct = b->distinct, alike = b->alike;
    if (rows <= 1)
        return;
    if (distinct == rows)
        sc_output_format(output, "bounds      %" PRIu64 " rows per %s", rows, b->word);
    else
        sc_output_format(output,
                         "bounds      %" PRIu64 " different row%s per %s, each at "
                         "most %" PRIu64 " time%s",
                         distinct, distinct == 1 ? "" : "s", b->word, alike,
                         alike == 1 ? "" : "s");
    sc_output_format(output, "; further rows %s left out; " SC_UNCOUNTED "\n", tense,
                     b->words);
}

static void write_words(sc_output *output, const scrim_synth_facts *facts)
{
    char ways[16];
    snprintf(ways, sizeof ways, "%u", facts->ways);
    sc_output_text(output, "cost        ");
    sc_cost_write_short(output, &facts->cost);
    sc_output_text(output, facts->is_known != 0 ? "; charged earlier, nothing now\n"
                                                : "; nothing was charged (--dry-run)\n");
    sc_cost_meaning_write(output, &facts->cost, facts->unit_word);
    write_selection(output, facts);
    write_bounds(output,
                 &(unit_bounds){facts->unit_word, facts->unit_words, facts->max_rows,
                                facts->max_distinct, facts->max_alike},
                 "are");
    if (facts->measured_count > 0)
        write_queries(output, facts);
    else if (facts->count_error[0] != '\0')
        sc_output_format(output,
                         "error       each count of one column is within %s of the truth "
                         "with probability 0.95\n",
                         facts->count_error);
    if (facts->pair_error[0] != '\0')
        sc_output_format(output,
                         "%-12seach count of %s columns together %swithin %s; the "
                         "%s are selected privately\n",
                         facts->count_error[0] != '\0' ? "" : "error",
                         facts->ways == 2 ? "two" : ways,
                         facts->count_error[0] != '\0' ? "" : "is ", facts->pair_error,
                         facts->ways == 2 ? "pairs" : "tables");
}

static void write_json_facts(sc_json *json, const scrim_synth_facts *facts)
{
    sc_json_text(json, "dataset", facts->dataset);
    sc_json_text(json, "method", facts->method);
    sc_cost_json(json, "cost", &facts->cost);
    sc_json_truth(json, "known", facts->is_known != 0);
    sc_json_count(json, "max_rows", facts->max_rows);
    if (facts->selection[0] != '\0') {
        sc_json_text(json, "selection", facts->selection);
        sc_json_count(json, "kept_half", facts->kept_half);
        sc_json_count(json, "kept_most", facts->kept_most);
    }
    if (facts->query_count > 0)
        sc_json_count(json, "queries", facts->query_count);
    if (facts->measured_count > 0)
        sc_json_count(json, "measured_queries", facts->measured_count);
    if (facts->count_error[0] != '\0')
        sc_json_number(json, "count_error", facts->count_error);
    if (facts->pair_error[0] != '\0')
        sc_json_number(json, "pair_error", facts->pair_error);
}

static void add_columns(sc_listing *listing, const scrim_synth *synth)
{
    scrim_synth_column column;
    char categories[24];
    for (size_t i = 0; scrim_synth_column_at(synth, i, &column); i++) {
        snprintf(categories, sizeof categories, "%" PRIu64, column.categories);
        const char *const cells[] = {column.name, categories,
                                     column.has_private_keys != 0 ? "private keys"
                                                                  : column.cut,
                                     column.is_nullable != 0 ? "yes" : "no"};
        sc_listing_add(listing, cells);
    }
}

scrim_status sc_synth_plan_show(const sc_answer_style *style, scrim_vault *vault,
                                const scrim_synth *synth, scrim_error *error)
{
    scrim_synth_facts facts;
    SC_FREED sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_out_of_memory(error, "a plan");
    SC_TRY(scrim_synth_describe(vault, synth, &facts, error));
    sc_output_init_screen(output, STDOUT_FILENO, style->format);
    sc_listing listing = SC_LISTING(columns, output, style->format, &style->terminal);
    sc_json *json =
        style->format == SCRIM_FORMAT_TABLE ? NULL : sc_listing_open(&listing);
    if (json != NULL)
        write_json_facts(json, &facts);
    add_columns(&listing, synth);
    SC_TRY(sc_listing_close(&listing, SCRIM_OK, error));
    if (style->format == SCRIM_FORMAT_TABLE)
        write_words(output, &facts);
    SC_TRY(sc_output_finish(output, error));
    if (style->format == SCRIM_FORMAT_CSV && !style->quiet) {
        sc_output_init_screen(output, STDERR_FILENO, SCRIM_FORMAT_TABLE);
        write_words(output, &facts);
        SC_TRY(sc_output_finish(output, error));
    }
    return SCRIM_OK;
}

#define ROWS_MOST UINT64_C(1000000000)
#define TOLD_ROWS 4096

scrim_status sc_synth_row_request_read(const sc_options *options,
                                       sc_synth_row_request *out, scrim_error *error)
{
    memset(out, 0, sizeof *out);
    scrim_status status =
        sc_options_positive(options, SCRIM_OPTION_ROWS, ROWS_MOST, 0, &out->rows, error);
    if (status == SCRIM_OK)
        status = sc_options_format(options, SCRIM_FORMAT_CSV, &out->format, error);
    out->out = options->value[SCRIM_OPTION_OUT];
    if (status == SCRIM_OK && out->out != NULL)
        status = sc_signed_file_check("--out", out->out, out->format, error);
    for (size_t i = 0; i < options->repeated_count; i++)
        if (options->repeated[i].option == SCRIM_OPTION_GIVEN)
            out->given[out->given_count++] = options->repeated[i].value;
    return status;
}

/* Rows. */

typedef struct row_sheet {
    const scrim_synth_rows *rows;
    const scrim_synth_release *release;
    size_t count; /* of columns */
    sc_listing_column *columns;
    char (*cells)[SCRIM_SYNTH_CELL_BYTES];
    const char **row;
} row_sheet;

static bool is_number(const scrim_synth_release *release, const char *name)
{
    scrim_synth_column column;
    for (size_t i = 0; scrim_synth_release_column_at(release, i, &column); i++)
        if (strcmp(column.name, name) == 0)
            return column.is_number != 0;
    return true; /* the unit, whose rows are numbered */
}

static bool make_sheet(row_sheet *sheet)
{
    sheet->count = scrim_synth_row_columns(sheet->rows);
    sheet->columns = calloc(sheet->count, sizeof *sheet->columns);
    sheet->cells = calloc(sheet->count, sizeof *sheet->cells);
    sheet->row = calloc(sheet->count, sizeof *sheet->row);
    if (sheet->columns == NULL || sheet->cells == NULL || sheet->row == NULL)
        return false;
    for (size_t i = 0; i < sheet->count; i++) {
        const char *name = scrim_synth_row_name(sheet->rows, i);
        sheet->columns[i] = (sc_listing_column){
            name, (is_number(sheet->release, name) ? SC_KIND_DECIMAL : SC_KIND_KEY) |
                      SC_NULLABLE};
    }
    return true;
}

static void clear_sheet(row_sheet *sheet)
{
    free(sheet->columns);
    free(sheet->cells);
    free(sheet->row);
}

/* Rows on a terminal show by themselves how far it is. */
static void add_rows(const row_sheet *sheet, const sc_answer_style *style,
                     sc_listing *listing)
{
    sc_progress progress;
    const uint64_t count = scrim_synth_row_count(sheet->rows);
    sc_progress_start(&progress, count, "rows written",
                      !style->quiet && (listing->output->descriptor != STDOUT_FILENO ||
                                        !style->terminal.is_terminal));
    for (uint64_t i = 0; i < count && listing->output->error == 0; i++) {
        for (size_t k = 0; k < sheet->count; k++)
            sheet->row[k] = scrim_synth_cell(sheet->rows, i, k, sheet->cells[k]) != 0
                                ? sheet->cells[k]
                                : "";
        sc_listing_add(listing, sheet->row);
        if (i % TOLD_ROWS == 0)
            sc_progress_update(&progress, i);
    }
    sc_progress_end(&progress);
}

static scrim_status write_sheet(const row_sheet *sheet, const sc_answer_style *style,
                                sc_signed_file *file, sc_output *output,
                                scrim_error *error)
{
    const sc_format format = file->format;
    scrim_synth_released facts;
    sc_listing listing = {.columns = sheet->columns,
                          .column_count = sheet->count,
                          .output = output,
                          .format = format,
                          .terminal = &style->terminal,
                          .signing = &file->signing};
    scrim_synth_release_describe(sheet->release, &facts);
    sc_json *json = format == SCRIM_FORMAT_TABLE ? NULL : sc_listing_open(&listing);
    add_rows(sheet, style, &listing);
    sc_listing_end_rows(&listing);
    if (json != NULL) {
        sc_cost_json(json, "cost", &facts.cost);
        sc_json_count(json, "release", facts.release);
    }
    return sc_listing_close(&listing, SCRIM_OK, error);
}

static scrim_status write_rows(const row_sheet *sheet, const sc_answer_style *style,
                               const sc_synth_row_request *asked, scrim_vault *vault,
                               sc_output *output, scrim_error *error)
{
    scrim_synth_released facts;
    scrim_synth_release_describe(sheet->release, &facts);
    sc_signed_file file = {
        .signing = {.vault = vault, .release = facts.release, .kind = "synthetic-rows"},
        .option = "--out",
        .path = asked->out,
        .format = asked->format};
    scrim_status status = sc_signed_file_open(&file, output, error);
    if (status != SCRIM_OK)
        return status;
    status = write_sheet(sheet, style, &file, output, error);
    return sc_signed_file_close(&file, status, error);
}

/* Notes. */

static void write_method(sc_output *talk, const scrim_synth_released *facts)
{
    if (strcmp(facts->method, "smalldb") == 0)
        sc_output_format(talk,
                         "selected    a table of %" PRIu64
                         " rows by smalldb; the number of rows of the data is not told\n",
                         facts->rows);
    else if (facts->query_count > 0)
        sc_output_format(talk,
                         "measured    %zu of %zu queries by %s, with exact noise; about "
                         "%" PRIu64 " rows were kept\n",
                         facts->marginal_count - 1, facts->query_count, facts->method,
                         facts->rows);
    else
        sc_output_format(
            talk,
            "measured    %zu marginal%s by %s, with exact noise; about %" PRIu64
            " rows were kept\n",
            facts->marginal_count, facts->marginal_count == 1 ? "" : "s", facts->method,
            facts->rows);
    if (facts->refines > 0)
        sc_output_format(talk,
                         "refines     release %" PRIu64 ", whose cost was charged then\n",
                         facts->refines);
    write_bounds(talk,
                 &(unit_bounds){facts->unit_word, facts->unit_words, facts->max_rows,
                                facts->max_distinct, facts->max_alike},
                 "were");
    sc_output_format(talk,
                     "accuracy    'scrim synth report %" PRIu64
                     "' shows what the rows preserve, free of charge\n",
                     facts->release);
}

/* How many keys were selected of each column that has private ones. */
static void write_keys(sc_output *talk, const scrim_synth_release *release)
{
    scrim_synth_column column;
    for (size_t i = 0; scrim_synth_release_column_at(release, i, &column); i++)
        if (column.has_private_keys != 0)
            sc_output_format(talk,
                             "keys        %" PRIu64
                             " of %s, by partition selection; other values are NULL\n",
                             column.categories - 1, column.name);
}

static scrim_status write_note(const sc_answer_style *style, scrim_vault *vault,
                               const scrim_synth_release *release, uint64_t rows,
                               sc_output *talk, scrim_error *error)
{
    char alone[160];
    scrim_synth_released facts;
    SC_OWNED(scrim_vault_release_clear) scrim_vault_release charge = {0};
    scrim_budget left;
    char where[SC_VAULT_WORDS_BYTES];
    scrim_synth_release_describe(release, &facts);
    SC_TRY(scrim_vault_replay(vault, facts.release, &charge, error));
    SC_TRY(sc_budget_find(vault, charge.population, charge.analyst, &left, error));
    snprintf(alone, sizeof alone,
             "; each is a %s by itself, as rows of one %s are not kept together",
             facts.unit_word, facts.unit_word);
    sc_output_init_screen(talk, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    sc_vault_words(style->vault, where);
    sc_output_format(talk,
                     "rows        %" PRIu64
                     ", drawn from the model; none is copied from the data%s\n",
                     rows, facts.max_rows > 1 ? alone : "");
    write_method(talk, &facts);
    write_keys(talk, release);
    sc_output_text(talk, "cost        ");
    sc_cost_write_short(talk, &facts.cost);
    sc_output_text(talk, "\n");
    sc_cost_meaning_write(talk, &facts.cost, facts.unit_word);
    sc_charge_note_write(talk, &charge,
                         facts.is_repeated || style->is_replay ? ", earlier; nothing now"
                                                               : "",
                         style->is_replay ? NULL : &left, where);
    return sc_output_finish(talk, error);
}

scrim_status sc_synth_show(const sc_answer_style *style,
                           const sc_synth_row_request *asked, scrim_vault *vault,
                           const scrim_synth_release *release, scrim_error *error)
{
    scrim_synth_rows *rows = NULL;
    row_sheet sheet = {.release = release};
    sc_output *output = malloc(sizeof *output);
    scrim_status status =
        output == NULL
            ? sc_out_of_memory(error, "rows")
            : scrim_synth_draw(release,
                               SCRIM_OPTIONS(scrim_synth_row_options, .rows = asked->rows,
                                             .given = asked->given,
                                             .given_count = asked->given_count),
                               &rows, error);
    sheet.rows = rows;
    if (status == SCRIM_OK && !make_sheet(&sheet))
        status = sc_out_of_memory(error, "rows");
    if (status == SCRIM_OK)
        status = write_rows(&sheet, style, asked, vault, output, error);
    if (status == SCRIM_OK && !style->quiet)
        status =
            write_note(style, vault, release, scrim_synth_row_count(rows), output, error);
    if (status == SCRIM_OK && !style->quiet)
        sc_signed_file_say(asked->out, asked->format);
    clear_sheet(&sheet);
    scrim_synth_rows_free(rows);
    free(output);
    return status;
}
