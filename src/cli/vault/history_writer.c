#include "cli/vault/history_writer.h"

#include "cli/sheet/fold.h"
#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"
#include "scrim/suggestion.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define COST_BYTES (SC_AMOUNT_BYTES + 32)

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
                      bool is_verbose, const sc_terminal *terminal)
{
    static const sc_listing_column brief[] = {{.name = "release"},  {.name = "date"},
                                              {.name = "analyst"},  {.name = "dataset"},
                                              {.name = "question"}, {.name = "cost"}};
    static const sc_listing_column exact[] = {
        {"release", SC_KIND_NUMBER}, {"time", SC_NULLABLE},       {.name = "analyst"},
        {.name = "dataset"},         {"version", SC_KIND_NUMBER}, {.name = "unit"},
        {.name = "amount"},          {.name = "delta"},           {.name = "state"},
        {.name = "measurement"}};
    const sc_listing listing = SC_LISTING(exact, output, format, terminal);
    const sc_listing table = SC_LISTING(brief, output, format, terminal);
    memset(history, 0, sizeof *history);
    history->listing = format == SCRIM_FORMAT_TABLE ? table : listing;
    history->is_verbose = is_verbose;
    if (format != SCRIM_FORMAT_TABLE)
        (void)sc_listing_open(&history->listing);
}

static void add_exact(sc_listing *listing, const scrim_vault_release *charge)
{
    char id[24], version[24], time[SC_TIME_BYTES];
    snprintf(id, sizeof id, "%" PRIu64, charge->id);
    snprintf(version, sizeof version, "%" PRIu64, charge->version);
    sc_time_format(charge->time, time);
    sc_listing_add(listing,
                   (const char *[]){id, time, charge->analyst, charge->dataset, version,
                                    charge->unit, charge->amount, charge->delta,
                                    state_name(charge), charge->measurement});
}

static void format_cost(const scrim_vault_release *charge, char text[COST_BYTES])
{
    char amount[SC_AMOUNT_BYTES];
    sc_amount_format(charge->unit, charge->amount, charge->delta, true, amount);
    snprintf(text, COST_BYTES, "%s%s", amount,
             charge->state == SCRIM_ENTRY_RELEASED  ? ""
             : charge->state == SCRIM_ENTRY_PENDING ? " (no answer yet)"
                                                    : " (no answer)");
}

/* A table has room for the beginning of a long question, without its cost, which stands beside it; JSON
 * and CSV have all of it. */
#define ASKED_BYTES 160
/* The other columns of a table, and the least for a question, which may take several lines. */
#define OTHERS_COLUMNS 60
#define ASKED_LEAST 64

/* In less than so many bytes, at most ASKED_BYTES. */
static void format_asked(const scrim_vault_release *charge, size_t room,
                         char text[ASKED_BYTES])
{
    size_t bytes = room - 5;
    if (scrim_charge_asked(charge->measurement, text, ASKED_BYTES) < room)
        return;
    while (bytes > room / 2 && text[bytes] != ' ')
        bytes--;
    while (bytes > 0 && (text[bytes] & 0xC0) == 0x80)
        bytes--;
    snprintf(text + bytes, ASKED_BYTES - bytes, " ...");
}

static void add_brief(sc_listing *listing, const scrim_vault_release *charge)
{
    char time[SC_TIME_BYTES], cost[COST_BYTES], asked[ASKED_BYTES], id[24];
    const size_t columns = listing->terminal->columns;
    const size_t room = columns < OTHERS_COLUMNS + ASKED_LEAST ? ASKED_LEAST
                        : columns > OTHERS_COLUMNS + ASKED_BYTES
                            ? ASKED_BYTES
                            : columns - OTHERS_COLUMNS;
    sc_time_format(charge->time, time);
    if (time[0] != '\0')
        *strchr(time, 'T') = '\0';
    format_cost(charge, cost);
    format_asked(charge, room, asked);
    snprintf(id, sizeof id, "%" PRIu64, charge->id);
    sc_listing_add(listing, (const char *[]){id, time, charge->analyst, charge->dataset,
                                             asked, cost});
}

/* "release 9   2023-11-14 22:13:20Z, alice, adult v2: epsilon 1", and below it the question, which
 * a column of a box would break into many short lines. */
static void write_note(const sc_listing *listing, const scrim_vault_release *charge)
{
    char time[SC_TIME_BYTES], cost[COST_BYTES], asked[ASKED_BYTES], name[32], who[256];
    sc_time_format(charge->time, time);
    if (time[0] != '\0')
        *strchr(time, 'T') = ' ';
    format_cost(charge, cost);
    format_asked(charge, ASKED_BYTES, asked);
    sc_complaint_clean(asked);
    snprintf(who, sizeof who, "%s", charge->analyst);
    sc_complaint_clean(who);
    snprintf(name, sizeof name, "release %" PRIu64, charge->id);
    const size_t begin = sc_fold_begin(listing->output);
    sc_output_format(listing->output,
                     "%-11s %s%s%s, %s v%" PRIu64 ": %s\n            %s\n", name, time,
                     time[0] == '\0' ? "" : ", ", who, charge->dataset, charge->version,
                     cost, asked);
    sc_fold_end(listing->output, begin, listing->terminal->columns);
}

static void note_population(sc_history *history, const char *population)
{
    for (size_t i = 0; i < history->population_count; i++)
        if (strcmp(history->populations[i], population) == 0)
            return;
    if (history->population_count < SC_HISTORY_POPULATIONS)
        snprintf(history->populations[history->population_count++], SCRIM_NAME_BYTES,
                 "%s", population);
}

scrim_status sc_history_add(sc_history *history, const scrim_vault_release *charge)
{
    if (history->listing.format != SCRIM_FORMAT_TABLE)
        add_exact(&history->listing, charge);
    else if (history->is_verbose)
        write_note(&history->listing, charge);
    else
        add_brief(&history->listing, charge);
    note_population(history, charge->population);
    history->count++;
    history->unanswered += charge->state != SCRIM_ENTRY_RELEASED;
    return history->listing.has_failed ? SCRIM_E_MEMORY : SCRIM_OK;
}

scrim_status sc_history_end(sc_history *history, scrim_status status, scrim_error *error)
{
    const bool is_note =
        history->listing.format == SCRIM_FORMAT_TABLE && history->is_verbose;
    if (history->listing.format == SCRIM_FORMAT_TABLE && history->count == 0)
        return status;
    return is_note ? status : sc_listing_close(&history->listing, status, error);
}
