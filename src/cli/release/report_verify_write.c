#include "cli/display/notes.h"
#include "cli/release/report_text.h"
#include "cli/release/report_values.h"
#include "cli/release/report_verify.h"
#include "cli/terminal/complaint.h"
#include "cli/vault/history_writer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The verdict, in each format. */

/* Several in one field are separated by a semicolon. */
static void join(const sc_report_verdict *v, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < v->unchecked_count; i++) {
        const char *one = v->unchecked[i];
        if (used + strlen(one) + 3 > bytes)
            return;
        memcpy(text + used, "; ", used == 0 ? 0 : 2);
        used += used == 0 ? 0 : 2;
        memcpy(text + used, one, strlen(one) + 1);
        used += strlen(one);
    }
}

/* A label is text of others: characters that steer a terminal are not written. At most 511 bytes, or
 * a line of them. */
__attribute__((format(printf, 2, 3))) static void put(sc_output *output,
                                                      const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const size_t bytes = strlen(line);
    const bool is_ended = bytes > 0 && line[bytes - 1] == '\n';
    line[bytes - is_ended] = '\0';
    sc_complaint_clean(line);
    sc_output_text(output, line);
    sc_output_text(output, is_ended ? "\n" : "");
}

static bool is_of_period(const scrim_label *label)
{
    return scrim_label_get(label, "period.charges") != NULL;
}

/* A day of a period; the end of a period is the last day in it. */
static void format_day(const scrim_label *label, const char *key, bool is_end,
                       char text[SC_TIME_BYTES])
{
    const uint64_t seconds = strtoull(sc_report_get(label, key), NULL, 10);
    sc_time_format(seconds == 0 || !is_end ? seconds : seconds - 1, text);
    if (strchr(text, 'T') != NULL)
        *strchr(text, 'T') = '\0';
}

/* "all releases of 2026-01-01..2026-12-31: 8", what each budget spent, and the head. */
static void write_period(sc_output *output, const scrim_label *label)
{
    char from[SC_TIME_BYTES], to[SC_TIME_BYTES];
    format_day(label, "period.from-seconds", false, from);
    format_day(label, "period.until-seconds", true, to);
    put(output,
        "file        a page of all releases%s%s%s%s: %.24s, by %.24s "
        "charges\n",
        from[0] != '\0' ? " of "
        : to[0] != '\0' ? " up to "
                        : "",
        from, from[0] != '\0' ? ".." : "", to, sc_report_get(label, "period.releases"),
        sc_report_get(label, "period.charges"));
    for (size_t i = 1; i <= sc_report_items(label, "budget", "population"); i++) {
        char spent[SC_BOUND_BYTES], end[SC_BOUND_BYTES], total[SC_BOUND_BYTES];
        sc_report_number(sc_report_item(label, "budget", i, "spent"), spent);
        sc_report_number(sc_report_item(label, "budget", i, "spent-end"), end);
        sc_report_number(sc_report_item(label, "budget", i, "total"), total);
        put(output,
            "spent       %.70s: %.20s %s in this time, %s of %s "
            "up to its end\n",
            sc_report_item(label, "budget", i, "population"),
            sc_report_item(label, "budget", i, "account"), spent, end, total);
    }
    put(output, "ledger      %.24s entries, head %.64s\n",
        sc_report_get(label, "ledger.entries"), sc_report_get(label, "ledger.head"));
}

static void write_verdict(sc_output *output, const sc_report_verdict *v)
{
    const bool is_period = is_of_period(v->label);
    for (size_t i = 0; i < v->unchecked_count; i++)
        put(output, "NOT CHECKED %s\n", v->unchecked[i]);
    if (v->unchecked_count > 0)
        sc_output_text(output, "verdict     not verified: see above\n");
    else
        put(output,
            "verdict     verified: every byte of the file matches the label%s%s%s\n",
            is_period ? "" : ", the claim follows from the mechanisms",
            !v->has_ledger ? ""
            : is_period    ? ", its sums are those of the ledger"
                           : ", the ledger contains the release",
            v->has_signature ? ", the signature is valid" : "");
}

/* Facts about the file that its release does not have. */
static void write_fact(sc_output *output, const scrim_label *label, const char *key,
                       const char *name)
{
    const char *fact = scrim_label_get(label, key);
    char *clean = fact == NULL ? NULL : strdup(fact); /* of any length */
    if (clean != NULL) {
        sc_complaint_clean(clean);
        put(output, "%-12s", name);
        sc_output_text(output, clean);
        sc_output_text(output, "\n");
    }
    free(clean);
}

static void write_table(sc_output *output, const sc_terminal *terminal,
                        const sc_report_verdict *v)
{
    const scrim_label *label = v->label;
    char cost[SC_REPORT_LINE_BYTES];
    const size_t begin = sc_fold_begin(output);
    write_verdict(output, v);
    sc_report_cost(label, "cost.", cost);
    if (is_of_period(label)) {
        write_period(output, label);
        if (v->later > 0)
            put(output, "since then  %" PRIu64 " more charge%s of this time\n", v->later,
                v->later == 1 ? "" : "s");
    } else if (strcmp(sc_report_get(label, "file.kind"), "releases") == 0) {
        put(output,
            "file        a page of all releases, made when the ledger had "
            "%.24s entries or more\n",
            sc_report_get(label, "ledger.entries"));
    } else {
        put(output, "release     %.24s of %.70s, version %.24s\n",
            sc_report_get(label, "release.number"),
            sc_report_get(label, "release.dataset"),
            sc_report_get(label, "release.version"));
        put(output, "claim       %.300s for one ", cost);
        put(output, "%.130s (%.20s)\n", sc_report_get(label, "protection.unit"),
            sc_report_get(label, "protection.neighbours"));
    }
    write_fact(output, label, "file.known", "known");
    write_fact(output, label, "file.doubt", "caution");
    sc_fold_end(output, begin, terminal->columns);
}

/* Facts of the label that say what was verified. */
static const struct {
    const char *name, *key;
} said[] = {{"kind", "file.kind"},         {"dataset", "release.dataset"},
            {"unit", "protection.unit"},   {"neighbours", "protection.neighbours"},
            {"epsilon", "cost.epsilon"},   {"delta", "cost.delta"},
            {"charges", "period.charges"}, {"releases", "period.releases"},
            {"entries", "ledger.entries"}, {"head", "ledger.head"}};
#define SAID (sizeof said / sizeof *said)
#define PROOFS ((size_t)6)
#define VERDICT_COLUMNS (PROOFS + SAID + 5)

/* "claims 1.75 of 4; survey 0.25 of 2", up to the end of the time. */
static void format_spent(const scrim_label *label, char text[SC_REPORT_LINE_BYTES])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 1; i <= sc_report_items(label, "budget", "population") &&
                       used < SC_REPORT_LINE_BYTES / 2;
         i++)
        used += (size_t)snprintf(text + used, SC_REPORT_LINE_BYTES - used,
                                 "%s%.70s %.80s of %.80s", i == 1 ? "" : "; ",
                                 sc_report_item(label, "budget", i, "population"),
                                 sc_report_item(label, "budget", i, "spent-end"),
                                 sc_report_item(label, "budget", i, "total"));
}

/* A file that does not hold has nothing but a reason. Proofs that were not checked are empty. */
typedef struct verdict_row {
    char unchecked[SC_REPORT_UNCHECKED * (SC_REPORT_UNCHECKED_BYTES + 2)];
    char from[SC_TIME_BYTES], to[SC_TIME_BYTES], spent[SC_REPORT_LINE_BYTES];
    const char *cells[VERDICT_COLUMNS];
} verdict_row;

static const char *const verdict_names[] = {"unchecked", "holds",   "ledger",
                                            "signature", "release", "reason"};

static void name_columns(sc_listing_column columns[VERDICT_COLUMNS])
{
    static const char *const last[] = {"from", "to", "spent", "known", "caution"};
    memset(columns, 0, VERDICT_COLUMNS * sizeof *columns);
    for (size_t i = 0; i < PROOFS; i++)
        columns[i].name = verdict_names[i];
    for (size_t i = 0; i < SAID; i++)
        columns[PROOFS + i].name = said[i].name;
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        columns[PROOFS + SAID + i].name = last[i];
}

static void fill_row(verdict_row *row, const sc_report_verdict *v, const char *reason)
{
    memset(row, 0, sizeof *row);
    row->cells[0] = row->unchecked;
    row->cells[1] = v != NULL && v->unchecked_count == 0 ? "true" : "false";
    row->cells[5] = reason;
    if (v == NULL)
        return;
    join(v, row->unchecked, sizeof row->unchecked);
    row->cells[2] = v->has_ledger ? "true" : NULL;
    row->cells[3] = v->has_signature ? "true" : NULL;
    row->cells[4] = sc_report_get(v->label, "release.number");
    for (size_t i = 0; i < SAID; i++)
        row->cells[PROOFS + i] = scrim_label_get(v->label, said[i].key);
    row->cells[PROOFS + SAID + 3] = scrim_label_get(v->label, "file.known");
    row->cells[PROOFS + SAID + 4] = scrim_label_get(v->label, "file.doubt");
    if (!is_of_period(v->label))
        return;
    format_day(v->label, "period.from-seconds", false, row->from);
    format_day(v->label, "period.until-seconds", true, row->to);
    format_spent(v->label, row->spent);
    row->cells[PROOFS + SAID] = row->from;
    row->cells[PROOFS + SAID + 1] = row->to;
    row->cells[PROOFS + SAID + 2] = row->spent;
}

static void write_csv(sc_output *output, const sc_report_verdict *v, const char *reason)
{
    sc_listing_column columns[VERDICT_COLUMNS];
    verdict_row row;
    name_columns(columns);
    fill_row(&row, v, reason);
    sc_listing_csv_row(output, columns, VERDICT_COLUMNS, row.cells);
}

/* For each budget, up to the end of the time. */
static void put_spent(sc_json *json, const scrim_label *label)
{
    const size_t count = sc_report_items(label, "budget", "population");
    if (count == 0)
        return;
    sc_json_array(json, "spent");
    for (size_t i = 1; i <= count; i++) {
        sc_json_object(json, NULL);
        sc_json_text(json, "population",
                     sc_report_item(label, "budget", i, "population"));
        sc_json_text(json, "unit", sc_report_item(label, "budget", i, "account"));
        sc_json_text(json, "amount", sc_report_item(label, "budget", i, "spent-end"));
        sc_json_text(json, "budget", sc_report_item(label, "budget", i, "total"));
        sc_json_end(json);
    }
    sc_json_end(json);
}

/* The members of an object. */
static void put_json(sc_json *json, const sc_report_verdict *v)
{
    char from[SC_TIME_BYTES], to[SC_TIME_BYTES];
    const bool is_period = is_of_period(v->label);
    sc_json_array(json, "unchecked");
    for (size_t i = 0; i < v->unchecked_count; i++)
        sc_json_text(json, NULL, v->unchecked[i]);
    sc_json_end(json);
    sc_json_truth(json, "holds", v->unchecked_count == 0);
    sc_json_truth(json, "ledger", v->has_ledger);
    sc_json_truth(json, "signature", v->has_signature);
    if (is_period && v->has_ledger)
        sc_json_count(json, "charges_since", v->later);
    if (!is_period)
        sc_json_number(json, "release", sc_report_get(v->label, "release.number"));
    for (size_t i = 0; i < SAID; i++)
        sc_json_text_if_any(json, said[i].name, sc_report_get(v->label, said[i].key));
    format_day(v->label, "period.from-seconds", false, from);
    format_day(v->label, "period.until-seconds", true, to);
    sc_json_text_if_any(json, "from", from);
    sc_json_text_if_any(json, "to", to);
    put_spent(json, v->label);
    sc_json_text_if_any(json, "known", sc_report_get(v->label, "file.known"));
    sc_json_text_if_any(json, "caution", sc_report_get(v->label, "file.doubt"));
}

static void put_refusal(sc_json *json, const char *reason)
{
    sc_json_array(json, "unchecked");
    sc_json_end(json);
    sc_json_truth(json, "holds", false);
    sc_json_text(json, "reason", reason);
}

static void write_json(sc_output *output, const sc_report_verdict *v, const char *reason)
{
    sc_json json;
    sc_json_init(&json, output);
    sc_json_object(&json, NULL);
    if (v != NULL)
        put_json(&json, v);
    else
        put_refusal(&json, reason);
    sc_json_end(&json);
}

void sc_report_verdict_write(sc_output *output, sc_format format,
                             const sc_terminal *terminal,
                             const sc_report_verdict *verdict)
{
    switch (format) {
    case SCRIM_FORMAT_TABLE:
        write_table(output, terminal, verdict);
        break;
    case SCRIM_FORMAT_CSV:
        write_csv(output, verdict, NULL);
        break;
    case SCRIM_FORMAT_JSON:
    case SCRIM_FORMAT_JSONL:
        write_json(output, verdict, NULL);
        break;
    }
}

void sc_report_verdict_refuse(sc_output *output, sc_format format, const char *reason)
{
    if (format == SCRIM_FORMAT_CSV)
        write_csv(output, NULL, reason);
    else if (format != SCRIM_FORMAT_TABLE)
        write_json(output, NULL, reason);
}

scrim_status sc_report_verdict_status(const sc_report_verdict *verdict,
                                      scrim_error *error)
{
    return verdict->unchecked_count == 0
               ? SCRIM_OK
               : sc_complaint_fill(error, SCRIM_E_CHECK, "not checked: %s",
                                   verdict->unchecked[0]);
}

/* Several files. */

/* "release 8 of adult", "releases of 2026-01-01..2026-12-31" */
static void format_contents(const sc_report_verdict *v, char text[SC_REPORT_LINE_BYTES])
{
    char from[SC_TIME_BYTES], to[SC_TIME_BYTES];
    text[0] = '\0';
    if (v == NULL)
        return;
    if (!is_of_period(v->label)) {
        snprintf(text, SC_REPORT_LINE_BYTES, "release %.24s of %.100s",
                 sc_report_get(v->label, "release.number"),
                 sc_report_get(v->label, "release.dataset"));
        return;
    }
    format_day(v->label, "period.from-seconds", false, from);
    format_day(v->label, "period.until-seconds", true, to);
    snprintf(text, SC_REPORT_LINE_BYTES, "%.24s releases%s%s..%s",
             sc_report_get(v->label, "period.releases"),
             from[0] == '\0' && to[0] == '\0' ? "" : " of ", from, to);
}

_Static_assert(1 + VERDICT_COLUMNS <= SC_REPORT_LIST_COLUMNS, "room for all columns");

void sc_report_list_open(sc_report_list *list)
{
    static const sc_listing_column table[] = {
        {.name = "file"}, {.name = "verdict"}, {.name = "contents"}, {.name = "reason"}};
    list->listing =
        (sc_listing)SC_LISTING(table, list->output, list->format, list->terminal);
    if (list->format == SCRIM_FORMAT_CSV) {
        list->columns[0] = (sc_listing_column){.name = "file"};
        name_columns(list->columns + 1);
        list->listing.columns = list->columns;
        list->listing.column_count = 1 + VERDICT_COLUMNS;
    }
    sc_json_init(&list->json, list->output);
    if (list->format == SCRIM_FORMAT_JSON) {
        sc_json_object(&list->json, NULL);
        sc_json_array(&list->json, "files");
    }
}

void sc_report_list_add(sc_report_list *list, const char *path,
                        const sc_report_verdict *v, const char *reason)
{
    char contents[SC_REPORT_LINE_BYTES];
    verdict_row row;
    fill_row(&row, v, reason);
    if (list->format == SCRIM_FORMAT_TABLE) {
        format_contents(v, contents);
        const bool is_open = v != NULL && v->unchecked_count > 0;
        sc_listing_add(&list->listing,
                       (const char *[]){path,
                                        v == NULL  ? "REFUSED"
                                        : !is_open ? "verified"
                                                   : "NOT CHECKED",
                                        contents, is_open ? row.unchecked : reason});
    } else if (list->format == SCRIM_FORMAT_CSV) {
        const char *cells[1 + VERDICT_COLUMNS] = {path};
        memcpy(cells + 1, row.cells, sizeof row.cells);
        sc_listing_add(&list->listing, cells);
    } else {
        sc_json_object(&list->json, NULL);
        sc_json_text(&list->json, "file", path);
        if (v != NULL)
            put_json(&list->json, v);
        else
            put_refusal(&list->json, reason);
        sc_json_end(&list->json);
    }
}

scrim_status sc_report_list_close(sc_report_list *list, scrim_status status,
                                  scrim_error *error)
{
    if (list->format == SCRIM_FORMAT_TABLE || list->format == SCRIM_FORMAT_CSV)
        status = sc_listing_close(&list->listing, status, error);
    else if (status == SCRIM_OK && list->format == SCRIM_FORMAT_JSON) {
        sc_json_end(&list->json);
        sc_json_end(&list->json);
    }
    return status;
}
