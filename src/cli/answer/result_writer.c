#include "cli/answer/result_writer.h"

#include "cli/answer/charge_note.h"
#include "cli/answer/release_note.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#ifdef SCRIM_TESTING
#define NOT_PRIVATE "\"not_private\": true, "
#else
#define NOT_PRIVATE ""
#endif

bool sc_result_has_chance(const scrim_result *result)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    for (size_t s = 0; s < facts.statements; s++)
        for (size_t i = 0; i < scrim_result_columns(result, s); i++) {
            const scrim_result_column *column = scrim_result_column_at(result, s, i);
            if (sc_result_has_interval(column) && !column->is_certain)
                return true;
        }
    return false;
}

/* CSV. */

/* Would a spreadsheet take it for a formula? The last ones are = + - @ of full width. What begins
 * with our own mark counts as what is behind it, so that two keys never look alike. */
static bool is_formula(const char *key)
{
    static const char *const starts[] = {"=",
                                         "+",
                                         "-",
                                         "@",
                                         "\t",
                                         "\r",
                                         "\n",
                                         "\xef\xbc\x9d",
                                         "\xef\xbc\x8b",
                                         "\xef\xbc\x8d",
                                         "\xef\xbc\xa0"};
    key += strspn(key, "'");
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(key, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

static void write_csv_key(sc_output *output, const char *key)
{
    if (!is_formula(key)) {
        sc_output_csv_text(output, key);
        return;
    }
    sc_output_text(output, "\"'");
    for (; *key != '\0'; key++)
        sc_output_bytes(output, *key == '"' ? "\"\"" : key, *key == '"' ? 2 : 1);
    sc_output_text(output, "\"");
}

static void write_csv_name(sc_output *output, const char *name, const char *ending)
{
    char text[512];
    const int bytes = snprintf(text, sizeof text, "%s%s", name, ending);
    /* No name that is taken is so long. */
    sc_output_csv_text(output, bytes < (int)sizeof text ? text : name);
}

static void write_csv_names(sc_output *output, const char *name, bool has_interval)
{
    write_csv_name(output, name, "");
    if (!has_interval)
        return;
    sc_output_text(output, ",");
    write_csv_name(output, name, "_low");
    sc_output_text(output, ",");
    write_csv_name(output, name, "_high");
}

void sc_result_csv_names(sc_output *output, const scrim_result *result, size_t statement)
{
    for (size_t i = 0; i < scrim_result_columns(result, statement); i++) {
        const scrim_result_column *column = scrim_result_column_at(result, statement, i);
        sc_output_text(output, i > 0 ? "," : "");
        write_csv_names(output, column->name, sc_result_has_interval(column));
    }
}

scrim_status sc_plan_csv_names(sc_output *output, const scrim_plan *plan,
                               size_t statement, scrim_error *error)
{
    scrim_plan_statement facts;
    scrim_plan_output column;
    scrim_status status = scrim_plan_statement_at(plan, statement, &facts, error);
    for (size_t i = 0; status == SCRIM_OK && i < facts.outputs; i++) {
        status = scrim_plan_output_at(plan, statement, i, &column, error);
        if (status != SCRIM_OK)
            break;
        sc_output_text(output, i > 0 ? "," : "");
        write_csv_names(output, column.name, !column.is_key);
    }
    return status;
}

void sc_result_csv_row(sc_output *output, const scrim_result *result, size_t statement,
                       size_t row)
{
    for (size_t i = 0; i < scrim_result_columns(result, statement); i++) {
        const scrim_result_column *column = scrim_result_column_at(result, statement, i);
        const scrim_result_cell *cell = scrim_result_cell_at(result, statement, row, i);
        sc_output_text(output, i > 0 ? "," : "");
        if (column->kind == SCRIM_OUTPUT_TEXT)
            write_csv_key(output, cell->value);
        else
            sc_output_csv_text(output, cell->value);
        if (!sc_result_has_interval(column))
            continue;
        sc_output_text(output, ",");
        sc_output_csv_text(output, cell->low);
        sc_output_text(output, ",");
        sc_output_csv_text(output, cell->high);
    }
}

static void write_csv(sc_output *output, const scrim_result *result, size_t statement)
{
    sc_result_csv_names(output, result, statement);
    sc_output_text(output, "\n");
    for (size_t row = 0; row < scrim_result_rows(result, statement); row++) {
        sc_result_csv_row(output, result, statement, row);
        sc_output_text(output, "\n");
    }
}

/* JSON. */

/* A decimal that every reader's double gives back, or an integer as sc_output_json_number has
 * them; else a string. */
static void write_json_number(sc_output *output, const char *text)
{
    const char *digits = text + (*text == '-');
    const size_t whole = strspn(digits, "0123456789");
    const char *point = digits + whole;
    const size_t places = *point == '.' ? strspn(point + 1, "0123456789") : 0;
    if (whole > 0 && places > 0 && point[1 + places] == '\0' && whole + places <= 15 &&
        (whole == 1 || digits[0] != '0'))
        sc_output_text(output, text);
    else
        sc_output_json_number(output, text);
}

/* What is not there is null. */
static void write_json_value(sc_output *output, const char *text, bool is_number)
{
    if (text[0] == '\0')
        sc_output_text(output, "null");
    else if (is_number)
        write_json_number(output, text);
    else
        sc_output_json_text(output, text);
}

static void write_json_cell(sc_output *output, const scrim_result_column *column,
                            const scrim_result_cell *cell)
{
    switch (column->kind) {
    case SCRIM_OUTPUT_TEXT:
    case SCRIM_OUTPUT_DATE:
        sc_output_json_text(output, cell->value);
        break;
    case SCRIM_OUTPUT_BOOL:
        sc_output_text(output, cell->value);
        break;
    case SCRIM_OUTPUT_NUMBER:
        write_json_number(output, cell->value);
        break;
    case SCRIM_OUTPUT_VALUE:
    case SCRIM_OUTPUT_DATE_VALUE: {
        const bool is_number = column->kind == SCRIM_OUTPUT_VALUE;
        sc_output_text(output, "{\"value\": ");
        write_json_value(output, cell->value, is_number);
        sc_output_text(output, ", \"low\": ");
        write_json_value(output, cell->low, is_number);
        sc_output_text(output, ", \"high\": ");
        write_json_value(output, cell->high, is_number);
        sc_output_text(output, "}");
        break;
    }
    }
}

void sc_result_json_row(sc_output *output, const scrim_result *result, size_t statement,
                        size_t row)
{
    for (size_t i = 0; i < scrim_result_columns(result, statement); i++) {
        const scrim_result_column *column = scrim_result_column_at(result, statement, i);
        sc_output_text(output, i > 0 ? ", " : "");
        sc_output_json_text(output, column->name);
        sc_output_text(output, ": ");
        write_json_cell(output, column, scrim_result_cell_at(result, statement, row, i));
    }
}

/* Of the columns that have one, by their names. */
static void write_json_certificates(sc_output *output, const scrim_result *result,
                                    size_t statement)
{
    size_t count = 0;
    for (size_t i = 0; i < scrim_result_columns(result, statement); i++) {
        const scrim_result_column *column = scrim_result_column_at(result, statement, i);
        if (column->certificate == NULL)
            continue;
        sc_output_text(output, count++ == 0 ? ", \"certificates\": {" : ", ");
        sc_output_json_text(output, column->name);
        sc_output_text(output, ": ");
        sc_output_json_text(output, column->certificate);
    }
    if (count > 0)
        sc_output_text(output, "}");
}

/* The columns whose intervals hold whatever the confidence. */
static void write_json_certain(sc_output *output, const scrim_result *result,
                               size_t statement)
{
    size_t count = 0;
    for (size_t i = 0; i < scrim_result_columns(result, statement); i++) {
        const scrim_result_column *column = scrim_result_column_at(result, statement, i);
        if (!column->is_certain || !sc_result_has_interval(column))
            continue;
        sc_output_text(output, count++ == 0 ? ", \"certain\": [" : ", ");
        sc_output_json_text(output, column->name);
    }
    if (count > 0)
        sc_output_text(output, "]");
}

static void write_json_rows(sc_output *output, const scrim_result *result,
                            size_t statement)
{
    const size_t rows = scrim_result_rows(result, statement);
    sc_output_text(output, "\"query\": ");
    sc_output_json_text(output, scrim_result_text(result, statement));
    sc_output_text(output, ", \"rows\": [\n");
    for (size_t row = 0; row < rows; row++) {
        sc_output_text(output, "{");
        sc_result_json_row(output, result, statement, row);
        sc_output_text(output, row + 1 < rows ? "},\n" : "}\n");
    }
    sc_output_text(output, "]");
    write_json_certificates(output, result, statement);
    write_json_certain(output, result, statement);
}

static void write_json(sc_output *output, const scrim_result *result,
                       const scrim_vault_release *charge, bool is_repeated,
                       const sc_series_place *place)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    sc_output_text(output, "{" NOT_PRIVATE "\"dataset\": ");
    sc_output_json_text(output, facts.dataset);
    sc_output_format(output, ", \"version\": %" PRIu64 ", ", facts.version);
    if (place != NULL) {
        sc_series_place_json(output, place);
        sc_output_text(output, ", ");
    }
    if (facts.statements == 1) {
        write_json_rows(output, result, 0);
    } else {
        sc_output_text(output, "\"statements\": [\n");
        for (size_t i = 0; i < facts.statements; i++) {
            sc_output_text(output, "{");
            write_json_rows(output, result, i);
            sc_output_text(output, i + 1 < facts.statements ? "},\n" : "}\n");
        }
        sc_output_text(output, "]");
    }
    sc_output_text(output, ", \"confidence\": ");
    sc_output_json_text(output, sc_result_has_chance(result) ? facts.confidence : "1");
    sc_output_text(output, ", \"cost\": ");
    sc_cost_json_write(output, &facts.cost);
    sc_output_text(output, ", \"charged\": ");
    sc_charged_json_write(output, charge);
    sc_output_format(output, ", \"repeated\": %s, \"release\": %" PRIu64 "}\n",
                     is_repeated ? "true" : "false", facts.release);
}

static void write_jsonl(sc_output *output, const scrim_result *result, size_t statement,
                        bool is_batch)
{
    for (size_t row = 0; row < scrim_result_rows(result, statement); row++) {
        sc_output_text(output, "{" NOT_PRIVATE);
        if (is_batch)
            sc_output_format(output, "\"statement\": %zu, ", statement + 1);
        sc_result_json_row(output, result, statement, row);
        sc_output_text(output, "}\n");
    }
}

void sc_result_heading_write(sc_output *output, const scrim_result *result,
                             size_t statement)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    if (facts.statements == 1)
        return;
    sc_output_format(output, "query %-6zu", statement + 1);
    sc_output_text(output, scrim_result_text(result, statement));
    sc_output_text(output, "\n");
}

scrim_status sc_result_write(sc_output *output, const scrim_result *result,
                             const scrim_vault_release *charge, bool is_repeated,
                             const sc_series_place *place, sc_format format,
                             const sc_terminal *terminal, scrim_error *error)
{
    scrim_result_facts facts;
    scrim_status status = SCRIM_OK;
    scrim_result_describe(result, &facts);
    if (format == SCRIM_FORMAT_JSON) {
        write_json(output, result, charge, is_repeated, place);
        return SCRIM_OK;
    }
    for (size_t i = 0; i < facts.statements && status == SCRIM_OK; i++) {
        if (i > 0 && format != SCRIM_FORMAT_JSONL)
            sc_output_text(output, "\n");
        if (format == SCRIM_FORMAT_TABLE) {
            sc_result_heading_write(output, result, i);
            status = sc_result_table_write(output, result, i, terminal, error);
        } else if (format == SCRIM_FORMAT_CSV)
            write_csv(output, result, i);
        else
            write_jsonl(output, result, i, facts.statements > 1);
    }
    return status;
}
