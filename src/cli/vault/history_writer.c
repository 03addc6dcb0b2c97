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
                      const sc_terminal *terminal)
{
    static const sc_listing_column exact[] = {
        {"release", SC_KIND_NUMBER}, {"time", SC_NULLABLE},       {.name = "analyst"},
        {.name = "dataset"},         {"version", SC_KIND_NUMBER}, {.name = "unit"},
        {.name = "amount"},          {.name = "delta"},           {.name = "state"},
        {.name = "measurement"}};
    const sc_listing listing = SC_LISTING(exact, output, format, terminal);
    memset(history, 0, sizeof *history);
    history->listing = listing;
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

static void format_asked(const scrim_vault_release *charge, char text[ASKED_BYTES])
{
    size_t bytes = ASKED_BYTES - 5;
    if (scrim_charge_asked(charge->measurement, text, ASKED_BYTES) < ASKED_BYTES)
        return;
    while (bytes > ASKED_BYTES / 2 && text[bytes] != ' ')
        bytes--;
    while (bytes > 0 && (text[bytes] & 0xC0) == 0x80)
        bytes--;
    snprintf(text + bytes, ASKED_BYTES - bytes, " ...");
}

/* "release 9   2023-11-14 22:13:20Z, alice, adult v2: epsilon 1", and below it the question, which
 * a column of a box would break into many short lines. */
static void write_brief(const sc_listing *listing, const scrim_vault_release *charge)
{
    char time[SC_TIME_BYTES], cost[COST_BYTES], asked[ASKED_BYTES], name[32], who[256];
    sc_time_format(charge->time, time);
    if (time[0] != '\0')
        *strchr(time, 'T') = ' ';
    format_cost(charge, cost);
    format_asked(charge, asked);
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

scrim_status sc_history_add(sc_history *history, const scrim_vault_release *charge)
{
    if (history->listing.format == SCRIM_FORMAT_TABLE)
        write_brief(&history->listing, charge);
    else
        add_exact(&history->listing, charge);
    history->count++;
    history->unanswered += charge->state != SCRIM_ENTRY_RELEASED;
    return history->listing.has_failed ? SCRIM_E_MEMORY : SCRIM_OK;
}

scrim_status sc_history_end(sc_history *history, scrim_status status, scrim_error *error)
{
    return history->listing.format == SCRIM_FORMAT_TABLE
               ? status
               : sc_listing_close(&history->listing, status, error);
}
