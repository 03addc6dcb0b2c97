#include "cli/vault/history_writer.h"

#include "cli/display/notes.h"
#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "scrim/suggestion.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DAY_SECONDS 86400

bool sc_history_date(const char *text, uint64_t *seconds)
{
    struct tm parts = {.tm_sec = 0};
    char again[SC_TIME_BYTES];
    const bool is_day = strlen(text) == strlen("2026-11-01");
    const char *end = strptime(text, is_day ? "%Y-%m-%d" : "%Y-%m-%dT%H:%M:%SZ", &parts);
    const time_t time = end == NULL || *end != '\0' ? -1 : timegm(&parts);
    if (time < 1)
        return false;
    *seconds = (uint64_t)time;
    /* A day that no month has is another one after this. */
    sc_time_format(*seconds, again);
    return strncmp(again, text, strlen(text)) == 0;
}

scrim_status sc_analyst_check(scrim_vault *vault, const char *analyst, scrim_error *error)
{
    char name[SCRIM_NAME_BYTES];
    scrim_status status = SCRIM_OK;
    sc_nearest nearest;
    sc_nearest_init(&nearest, analyst);
    for (size_t i = 0; status == SCRIM_OK; i++) {
        status = scrim_vault_analyst_at(vault, i, name, error);
        if (status == SCRIM_OK && strcmp(name, analyst) == 0)
            return SCRIM_OK;
        if (status == SCRIM_OK)
            (void)sc_nearest_offer(&nearest, name);
    }
    if (status != SCRIM_E_PARAM)
        return status;
    if (nearest.name[0] != '\0')
        return sc_refuse(error, "unknown analyst '%s'; did you mean '%s'?", analyst,
                         nearest.name);
    return sc_refuse(error, "unknown analyst '%s'; 'scrim budget' lists analysts",
                     analyst);
}

scrim_status sc_history_filter_read(const sc_options *options, scrim_vault *vault,
                                    sc_history_filter *out, scrim_error *error)
{
    const char *since = options->value[SCRIM_OPTION_SINCE];
    const char *until = options->value[SCRIM_OPTION_UNTIL];
    *out = (sc_history_filter){.analyst = options->value[SCRIM_OPTION_ANALYST]};
    if (since != NULL && !sc_history_date(since, &out->since))
        return sc_refuse(error,
                         "--since '%s' is not a date; write 2026-11-01 or "
                         "2026-11-01T12:30:00Z, in UTC",
                         since);
    if (until != NULL && !sc_history_date(until, &out->until))
        return sc_refuse(error,
                         "--until '%s' is not a date; write 2026-11-30 or "
                         "2026-11-30T12:30:00Z, in UTC",
                         until);
    if (until != NULL)
        out->until += strchr(until, 'T') == NULL ? DAY_SECONDS : 1;
    return out->analyst == NULL ? SCRIM_OK : sc_analyst_check(vault, out->analyst, error);
}

bool sc_history_filter_keeps(const sc_history_filter *filter, const char *analyst,
                             uint64_t time)
{
    return (filter->analyst == NULL || strcmp(filter->analyst, analyst) == 0) &&
           (time == 0 ||
            (time >= filter->since && (filter->until == 0 || time < filter->until)));
}

bool sc_history_filter_takes(const sc_history_filter *filter,
                             const sc_shown_answers *shown,
                             const scrim_vault_release *charge)
{
    if (sc_history_filter_keeps(filter, charge->analyst, charge->time))
        return true;
    const scrim_vault_shown *seen =
        filter->analyst == NULL ? NULL
                                : sc_shown_find(shown, charge->id, filter->analyst);
    return seen != NULL && sc_history_filter_keeps(filter, seen->analyst, seen->time);
}

/* The bytes of the UTF-8 character that text begins with; 0 when it begins with none, or with
 * one that no text may hold. */
static size_t character_bytes(const unsigned char *text, size_t count)
{
    static const unsigned least[] = {0x80, 0x800, 0x10000};
    unsigned value = text[0];
    if (value < 0x80)
        return value != 0;
    const size_t bytes = value < 0xc2 ? 0 : value < 0xe0 ? 2 : value < 0xf0 ? 3 : 4;
    if (bytes == 0 || value > 0xf4 || bytes > count)
        return 0;
    value &= 0x7fU >> bytes;
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (text[i] & 0x3f);
    }
    const bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
    return value < least[bytes - 2] || value > 0x10ffff || is_surrogate ? 0 : bytes;
}

static bool is_text(const char *bytes, size_t count)
{
    size_t at = 0, step = 1;
    while (at < count && step > 0) {
        step = character_bytes((const unsigned char *)bytes + at, count - at);
        at += step;
    }
    return at == count;
}

static void write_either(sc_json *json, const char *name, const char *hex_name,
                         const char *bytes, size_t count)
{
    if (is_text(bytes, count))
        sc_json_bytes(json, name, bytes, count);
    else
        sc_json_hex(json, hex_name, bytes, count);
}

void sc_export_begin(sc_export *export, bool has_answers, sc_output *output)
{
    memset(export, 0, sizeof *export);
    sc_json_init(&export->json, output);
    sc_json_object(&export->json, NULL);
    sc_json_count(&export->json, "scrim_ledger", 1);
    if (!has_answers)
        sc_json_text(&export->json, "answers", "digests");
    sc_json_end(&export->json);
}

static scrim_status refuse_withheld(void *context, uint64_t id, const char *bytes,
                                    size_t count, const char *hash, const char *answer)
{
    (void)count;
    (void)hash;
    (void)answer;
    return bytes != NULL ? SCRIM_OK
                         : sc_complaint_fill(context, SCRIM_E_POLICY,
                                             "entry %" PRIu64
                                             " is an answer of a run that somebody else "
                                             "asked; only the vault's owner exports it",
                                             id);
}

scrim_status sc_export_check(scrim_vault *vault, scrim_error *error)
{
    return scrim_vault_is_owned(vault)
               ? SCRIM_OK
               : scrim_vault_visit(vault, 1, refuse_withheld, error, error);
}

void sc_export_add(sc_export *export, uint64_t id, const char *bytes, size_t count,
                   const char *hash, const char *answer)
{
    sc_json_object(&export->json, NULL);
    sc_json_count(&export->json, "entry", id);
    sc_json_text(&export->json, "hash", hash);
    write_either(&export->json, "text", "hex", bytes, count);
    if (answer != NULL)
        write_either(&export->json, "answer", "answer_hex", answer, strlen(answer));
    sc_json_end(&export->json);
    export->head = id;
}

void sc_export_end(sc_export *export, const scrim_head *head)
{
    sc_json_object(&export->json, NULL);
    sc_json_count(&export->json, "head", head->entries);
    sc_json_text(&export->json, "hash", head->hash);
    if (head->key[0] != '\0') {
        sc_json_text(&export->json, "key", head->key);
        sc_json_text(&export->json, "signature", head->signature);
    }
    sc_json_end(&export->json);
}

#define COST_BYTES (SC_AMOUNT_BYTES + 32)

void sc_time_format(uint64_t seconds, char text[SC_TIME_BYTES])
{
    const time_t time = (time_t)seconds;
    struct tm parts;
    text[0] = '\0';
    if (seconds != 0 && gmtime_r(&time, &parts) != NULL)
        (void)strftime(text, SC_TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

char *sc_shown_text(const sc_shown_answers *shown, uint64_t release)
{
    size_t room = 1, used = 0;
    for (size_t i = 0; i < shown->count; i++)
        room += SCRIM_NAME_BYTES + SC_TIME_BYTES + 4;
    char *text = malloc(room);
    if (text == NULL)
        return NULL;
    text[0] = '\0';
    for (size_t i = 0; i < shown->count; i++) {
        const scrim_vault_shown *one = &shown->items[i];
        char time[SC_TIME_BYTES];
        if (one->release != release)
            continue;
        sc_time_format(one->time, time);
        used +=
            (size_t)snprintf(text + used, room - used, "%s%s%s%s", used == 0 ? "" : "; ",
                             one->analyst, time[0] == '\0' ? "" : " ", time);
    }
    return text;
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

enum { RELEASE, DATE, ANALYST, DATASET, QUESTION, COST };

void sc_history_begin(sc_history *history, const sc_shown_answers *shown,
                      sc_output *output, sc_format format, bool is_verbose,
                      const sc_terminal *terminal)
{
    static const sc_listing_column brief[] = {{.name = "release"},  {.name = "date"},
                                              {.name = "analyst"},  {.name = "dataset"},
                                              {.name = "question"}, {.name = "cost"}};
    static const sc_listing_column exact[] = {
        {"release", SC_KIND_NUMBER}, {"time", SC_NULLABLE},       {.name = "analyst"},
        {.name = "dataset"},         {"version", SC_KIND_NUMBER}, {.name = "unit"},
        {.name = "amount"},          {.name = "delta"},           {.name = "state"},
        {.name = "measurement"},     {"shown_to", SC_NULLABLE}};
    const sc_listing listing = SC_LISTING(exact, output, format, terminal);
    const sc_listing table = SC_LISTING(brief, output, format, terminal);
    memset(history, 0, sizeof *history);
    history->listing = format == SCRIM_FORMAT_TABLE ? table : listing;
    history->is_verbose = is_verbose;
    history->shown = shown;
    if (format != SCRIM_FORMAT_TABLE)
        (void)sc_listing_open(&history->listing);
}

static scrim_status add_exact(sc_listing *listing, const sc_shown_answers *shown,
                              const scrim_vault_release *charge)
{
    SC_FREED char *seen = sc_shown_text(shown, charge->id);
    if (seen == NULL)
        return SCRIM_E_MEMORY;
    char id[24], version[24], time[SC_TIME_BYTES];
    snprintf(id, sizeof id, "%" PRIu64, charge->id);
    snprintf(version, sizeof version, "%" PRIu64, charge->version);
    sc_time_format(charge->time, time);
    sc_listing_add(listing,
                   (const char *[]){id, time, charge->analyst, charge->dataset, version,
                                    charge->unit, charge->amount, charge->delta,
                                    state_name(charge), charge->measurement, seen});
    return SCRIM_OK;
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

/* In less than `room` bytes, at most ASKED_BYTES. */
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
    char time[SC_TIME_BYTES], cost[COST_BYTES], name[32], who[256];
    sc_time_format(charge->time, time);
    if (time[0] != '\0')
        *strchr(time, 'T') = ' ';
    format_cost(charge, cost);
    const size_t bytes = scrim_charge_asked(charge->measurement, NULL, 0) + 1;
    SC_FREED char *asked = malloc(bytes);
    if (asked == NULL)
        return;
    (void)scrim_charge_asked(charge->measurement, asked, bytes);
    sc_complaint_clean(asked);
    snprintf(who, sizeof who, "%s", charge->analyst);
    sc_complaint_clean(who);
    snprintf(name, sizeof name, "release %" PRIu64, charge->id);
    const size_t begin = sc_fold_begin(listing->output);
    sc_output_format(listing->output, "%-11s %s%s%s, %s v%" PRIu64 ": %s\n            ",
                     name, time, time[0] == '\0' ? "" : ", ", who, charge->dataset,
                     charge->version, cost);
    sc_output_text(listing->output, asked); /* of any length */
    sc_output_text(listing->output, "\n");
    sc_fold_end(listing->output, begin, listing->terminal->columns);
}

/* The name that all rows have so far; "" from the first other one on. */
static void note_name(char name[SCRIM_NAME_BYTES], const char *next, bool is_first)
{
    if (is_first)
        snprintf(name, SCRIM_NAME_BYTES, "%s", next);
    else if (strcmp(name, next) != 0)
        name[0] = '\0';
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

/* Below a table stands who saw its releases. */
static scrim_status note_seen(sc_history *history, uint64_t release)
{
    bool is_seen = false;
    for (size_t i = 0; i < history->shown->count; i++)
        is_seen |= history->shown->items[i].release == release;
    if (!is_seen)
        return SCRIM_OK;
    if (history->seen_count == history->seen_room) {
        const size_t room = 2 * history->seen_room + 16;
        uint64_t *larger = realloc(history->seen, room * sizeof *larger);
        if (larger == NULL)
            return SCRIM_E_MEMORY;
        history->seen = larger;
        history->seen_room = room;
    }
    history->seen[history->seen_count++] = release;
    return SCRIM_OK;
}

/* "also shown  release 3 to bob, 2026-11-20; to carol, 2026-11-21". */
static void write_seen(const sc_history *history)
{
    sc_output *output = history->listing.output;
    for (size_t i = 0; i < history->seen_count; i++) {
        const size_t begin = sc_fold_begin(output);
        const char *between = "";
        sc_output_format(output, "also shown  release %" PRIu64, history->seen[i]);
        for (size_t k = 0; k < history->shown->count; k++) {
            const scrim_vault_shown *one = &history->shown->items[k];
            char time[SC_TIME_BYTES], name[SCRIM_NAME_BYTES + 64];
            if (one->release != history->seen[i])
                continue;
            sc_time_format(one->time, time);
            if (time[0] != '\0')
                *strchr(time, 'T') = '\0';
            snprintf(name, sizeof name, "%s", one->analyst);
            sc_complaint_clean(name);
            sc_output_format(output, "%s to %s%s%s", between, name,
                             time[0] == '\0' ? "" : ", ", time);
            between = ";";
        }
        sc_output_text(output, "\n");
        sc_fold_end(output, begin, history->listing.terminal->columns);
    }
}

scrim_status sc_history_add(sc_history *history, const scrim_vault_release *charge)
{
    if (history->listing.format == SCRIM_FORMAT_TABLE &&
        note_seen(history, charge->id) != SCRIM_OK)
        return SCRIM_E_MEMORY;
    if (history->listing.format != SCRIM_FORMAT_TABLE) {
        if (add_exact(&history->listing, history->shown, charge) != SCRIM_OK)
            return SCRIM_E_MEMORY;
    } else if (history->is_verbose) {
        write_note(&history->listing, charge);
    } else {
        add_brief(&history->listing, charge);
    }
    note_population(history, charge->population);
    note_name(history->dataset, charge->dataset, history->count == 0);
    note_name(history->analyst, charge->analyst, history->count == 0);
    history->count++;
    history->unanswered += charge->state != SCRIM_ENTRY_RELEASED;
    return history->listing.has_failed ? SCRIM_E_MEMORY : SCRIM_OK;
}

/* A column that is the same in all rows takes room from the questions. */
static void write_heading(sc_history *history)
{
    sc_listing *listing = &history->listing;
    if (history->dataset[0] == '\0' && history->analyst[0] == '\0')
        return;
    snprintf(history->heading, sizeof history->heading, "charges%s%s%s%s",
             history->dataset[0] == '\0' ? "" : " of ", history->dataset,
             history->analyst[0] == '\0' ? "" : " by ", history->analyst);
    sc_complaint_clean(history->heading);
    listing->heading = history->heading;
    listing->left_out = (history->dataset[0] == '\0' ? 0 : 1U << DATASET) |
                        (history->analyst[0] == '\0' ? 0 : 1U << ANALYST);
}

scrim_status sc_history_end(sc_history *history, scrim_status status, scrim_error *error)
{
    const bool is_table = history->listing.format == SCRIM_FORMAT_TABLE;
    if (is_table && history->count > 0)
        write_heading(history);
    if (!is_table || (!history->is_verbose && history->count > 0))
        status = sc_listing_close(&history->listing, status, error);
    if (status == SCRIM_OK && is_table)
        write_seen(history);
    free(history->seen);
    history->seen = NULL;
    history->seen_count = history->seen_room = 0;
    return status;
}
