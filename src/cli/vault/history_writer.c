#include "cli/vault/history_writer.h"

#include "cli/terminal/box.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/number_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COLUMNS ((size_t)6)
#define COST_BYTES (2 * SC_BOUND_BYTES + 64)

static const char *const column_names[COLUMNS] = {"release", "time", "analyst",
                                                  "dataset", "cost", "asked"};

void sc_time_format(uint64_t seconds, char text[SC_TIME_BYTES])
{
    const time_t time = (time_t)seconds;
    struct tm parts;
    text[0] = '\0';
    if (seconds != 0 && gmtime_r(&time, &parts) != NULL)
        (void)strftime(text, SC_TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

static const char *state_name(const scrim_vault_release *charge)
{
    switch (charge->state) {
    case SCRIM_ENTRY_RELEASED:
        return "released";
    case SCRIM_ENTRY_PENDING:
        return "pending";
    case SCRIM_ENTRY_CHARGED:
        break;
    }
    return "charged";
}

void sc_history_begin(sc_history *history, sc_output *output, sc_format format,
                      const sc_terminal *terminal)
{
    memset(history, 0, sizeof *history);
    history->output = output;
    history->format = format;
    history->terminal = terminal;
    if (format == SCRIM_FORMAT_CSV)
        sc_output_text(output, "release,time,analyst,dataset,version,unit,amount,delta,"
                               "state,measurement\n");
    else if (format == SCRIM_FORMAT_JSON)
        sc_output_text(output, "{\"rows\": [");
}

/* Programs. */

static void add_csv(sc_output *output, const scrim_vault_release *charge)
{
    char time[SC_TIME_BYTES];
    sc_time_format(charge->time, time);
    sc_output_format(output, "%" PRIu64 ",%s,", charge->id, time);
    sc_output_csv_text(output, charge->analyst);
    sc_output_text(output, ",");
    sc_output_csv_text(output, charge->dataset);
    sc_output_format(output, ",%" PRIu64 ",%s,", charge->version, charge->unit);
    sc_output_format(output, "%s,%s,%s,", charge->amount, charge->delta,
                     state_name(charge));
    sc_output_csv_text(output, charge->measurement);
    sc_output_text(output, "\n");
}

static void write_member(sc_output *output, const char *name, const char *value)
{
    sc_output_format(output, ", \"%s\": ", name);
    sc_output_json_text(output, value);
}

static void add_json(sc_output *output, const scrim_vault_release *charge)
{
    char time[SC_TIME_BYTES];
    sc_time_format(charge->time, time);
    sc_output_format(output, "{\"release\": %" PRIu64, charge->id);
    if (time[0] == '\0')
        sc_output_text(output, ", \"time\": null");
    else
        write_member(output, "time", time);
    write_member(output, "analyst", charge->analyst);
    write_member(output, "dataset", charge->dataset);
    sc_output_format(output, ", \"version\": %" PRIu64, charge->version);
    write_member(output, "unit", charge->unit);
    write_member(output, "amount", charge->amount);
    write_member(output, "delta", charge->delta);
    write_member(output, "state", state_name(charge));
    write_member(output, "measurement", charge->measurement);
    sc_output_text(output, "}");
}

/* Tables. */

static bool make_room(sc_history *history)
{
    if (history->cell_room - history->cell_count >= COLUMNS)
        return true;
    const size_t room = 2 * history->cell_room + 64 * COLUMNS;
    char **moved = realloc(history->cells, room * sizeof *moved);
    if (moved == NULL)
        return false;
    history->cells = moved;
    history->cell_room = room;
    return true;
}

static bool add_cell(sc_history *history, const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL)
        return false;
    sc_complaint_clean(copy);
    history->cells[history->cell_count++] = copy;
    return true;
}

static void format_cost(const scrim_vault_release *charge, char text[COST_BYTES])
{
    char amount[SC_BOUND_BYTES], delta[SC_BOUND_BYTES];
    sc_number_format_upper(charge->amount, amount);
    sc_number_format_upper(charge->delta, delta);
    const bool has_delta = strcmp(charge->delta, "0") != 0;
    snprintf(text, COST_BYTES, "%s %s%s%s%s", charge->unit, amount,
             has_delta ? ", delta " : "", has_delta ? delta : "",
             charge->state == SCRIM_ENTRY_RELEASED  ? ""
             : charge->state == SCRIM_ENTRY_PENDING ? ", no answer yet"
                                                    : ", no answer");
}

/* What was asked. Of a query, the cost stands beside it already. */
static const char *asked_of(const scrim_vault_release *charge)
{
    const char *question = strstr(charge->measurement, " : ");
    const bool is_query = strncmp(charge->measurement, "query ", 6) == 0;
    return is_query && question != NULL ? question + 3 : charge->measurement;
}

/* A box breaks at spaces: the day, and below it the hour; the dataset, and its version. */
static bool add_row(sc_history *history, const scrim_vault_release *charge)
{
    char id[24], time[SC_TIME_BYTES], cost[COST_BYTES], dataset[SCRIM_NAME_BYTES + 32];
    snprintf(id, sizeof id, "%" PRIu64, charge->id);
    snprintf(dataset, sizeof dataset, "%s v%" PRIu64, charge->dataset, charge->version);
    sc_time_format(charge->time, time);
    if (time[0] != '\0')
        *strchr(time, 'T') = ' ';
    format_cost(charge, cost);
    return make_room(history) && add_cell(history, id) && add_cell(history, time) &&
           add_cell(history, charge->analyst) && add_cell(history, dataset) &&
           add_cell(history, cost) && add_cell(history, asked_of(charge));
}

scrim_status sc_history_add(sc_history *history, const scrim_vault_release *charge)
{
    bool is_added = true;
    switch (history->format) {
    case SCRIM_FORMAT_TABLE:
        is_added = add_row(history, charge);
        break;
    case SCRIM_FORMAT_CSV:
        add_csv(history->output, charge);
        break;
    case SCRIM_FORMAT_JSON:
        sc_output_text(history->output, history->count > 0 ? ",\n" : "\n");
        add_json(history->output, charge);
        break;
    case SCRIM_FORMAT_JSONL:
        add_json(history->output, charge);
        sc_output_text(history->output, "\n");
        break;
    }
    history->count++;
    history->unanswered += charge->state != SCRIM_ENTRY_RELEASED;
    return is_added ? SCRIM_OK : SCRIM_E_MEMORY;
}

void sc_history_end(sc_history *history)
{
    const sc_box box = {column_names, COLUMNS, (const char *const *)history->cells,
                        history->cell_count / COLUMNS};
    if (history->format == SCRIM_FORMAT_TABLE)
        sc_box_write(history->output, &box, SCRIM_FORMAT_TABLE, history->terminal);
    else if (history->format == SCRIM_FORMAT_JSON)
        sc_output_text(history->output, "\n]}\n");
}

void sc_history_clear(sc_history *history)
{
    for (size_t i = 0; i < history->cell_count; i++)
        free(history->cells[i]);
    free(history->cells);
    memset(history, 0, sizeof *history);
}
