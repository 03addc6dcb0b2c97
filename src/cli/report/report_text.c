#include "cli/report/report_text.h"

#include "cli/report/report_view.h"
#include "cli/sheet/listing.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/text_width.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names stand in front, what they are behind them. */
#define INDENT 12
#define COLUMNS_MOST 100
/* Of a page that is kept: it can be written again on every machine. */
#define COLUMNS_KEPT 80

typedef struct page {
    sc_output *output;
    const scrim_label *label;
    size_t columns;
} page;

/* Words, broken into lines. */
static void write_words(const page *p, const char *text)
{
    size_t at = INDENT;
    bool is_first = true;
    while (*text != '\0') {
        const size_t bytes = strcspn(text, " ");
        const size_t width = sc_bytes_width(text, bytes);
        if (!is_first && at + 1 + width > p->columns) {
            sc_output_text(p->output, "\n");
            sc_output_repeat(p->output, " ", INDENT);
            at = INDENT;
        } else if (!is_first) {
            sc_output_text(p->output, " ");
            at++;
        }
        sc_output_bytes(p->output, text, bytes);
        at += width;
        is_first = false;
        text += bytes;
        text += *text == ' ';
    }
    sc_output_text(p->output, "\n");
}

/* What may come from others is made fit for a screen; name "" goes on with the last. */
static void write_line(const page *p, const char *name, const char *text)
{
    char *clean = strdup(text);
    if (text[0] == '\0' || clean == NULL) {
        free(clean);
        return;
    }
    sc_complaint_clean(clean);
    sc_output_text(p->output, name);
    sc_output_repeat(p->output, " ", strlen(name) < INDENT ? INDENT - strlen(name) : 1);
    write_words(p, clean);
    free(clean);
}

static void write_fact(const page *p, const char *name, const char *key)
{
    write_line(p, name, sc_report_get(p->label, key));
}

static void write_list(const page *p, const char *name, const char *list)
{
    for (size_t i = 1; i <= sc_report_items(p->label, list, NULL); i++)
        write_line(p, i == 1 ? name : "", sc_report_item(p->label, list, i, NULL));
}

static void write_rule(const page *p)
{
    sc_output_text(p->output, "\n");
}

/* "name: text", "name type; missing: ..." */
static void write_pair(const page *p, const char *name, const char *first,
                       const char *between, const char *second)
{
    char line[2 * SC_REPORT_LINE_BYTES];
    snprintf(line, sizeof line, "%.1000s%s%.1000s", first, between, second);
    write_line(p, name, line);
}

/* Of a release of a series: which one, and what becomes of its keys. */
static void write_series(const page *p)
{
    char line[SC_REPORT_LINE_BYTES];
    if (scrim_label_get(p->label, "release.series") == NULL)
        return;
    const bool is_running = scrim_label_get(p->label, "release.series-answers") != NULL;
    snprintf(line, sizeof line, "%.70s, its release %.24s; %s%.24s",
             sc_report_get(p->label, "release.series"),
             sc_report_get(p->label, "release.series-release"),
             is_running ? "a running total" : "known keys: ",
             is_running ? "" : sc_report_get(p->label, "release.series-keys"));
    write_line(p, "series", line);
}

static void write_head(const page *p)
{
    char line[SC_REPORT_LINE_BYTES];
    snprintf(line, sizeof line, "release %.24s of %.70s, version %.24s, %.64s",
             sc_report_get(p->label, "release.number"),
             sc_report_get(p->label, "release.dataset"),
             sc_report_get(p->label, "release.version"),
             sc_report_get(p->label, "release.time"));
    write_line(p, "label", line);
    write_fact(p, "caution", "release.caution");
    write_list(p, "question", "release.question");
    write_series(p);
}

static void write_protection(const page *p)
{
    char line[SC_REPORT_LINE_BYTES];
    write_rule(p);
    write_fact(p, "protected", "protection.who");
    write_pair(p, "unit", sc_report_get(p->label, "protection.unit"), ", neighbours ",
               sc_report_get(p->label, "protection.neighbours"));
    sc_report_bounds(p->label, line);
    write_line(p, "bounds", line);
    write_pair(p, "trust", sc_report_get(p->label, "protection.model"), ": ",
               sc_report_get(p->label, "protection.trust"));
}

static void write_cost(const page *p)
{
    char line[SC_REPORT_LINE_BYTES];
    write_rule(p);
    sc_report_cost(p->label, "cost.", line);
    write_pair(p, "cost", line, ": ", sc_report_get(p->label, "protection.variant"));
    sc_report_cost(p->label, "cost.joint-", line);
    if (line[0] != '\0')
        write_pair(p, "charged", line, ": ",
                   "the joint cost of all mechanisms, which were fixed in advance");
    write_fact(p, "meaning", "cost.meaning");
    write_fact(p, "caution", "cost.caution");
    sc_report_cost(p->label, "cost.group-2-", line);
    write_pair(p, "groups", "2 units together: ", "",
               line[0] == '\0' ? "no guarantee" : line);
    sc_report_cost(p->label, "cost.group-4-", line);
    write_pair(p, "", "4 units together: ", "", line[0] == '\0' ? "no guarantee" : line);
    write_fact(p, "", "protection.groups");
    sc_report_budget(p->label, line);
    write_line(p, "budget", line);
}

static void write_method(const page *p)
{
    const scrim_label *label = p->label;
    char line[SC_REPORT_LINE_BYTES];
    write_rule(p);
    for (size_t i = 1; i <= sc_report_items(label, "mechanism", "line"); i++) {
        sc_line_format(sc_report_item(label, "mechanism", i, "line"), line, sizeof line);
        write_pair(p, i == 1 ? "mechanisms" : "",
                   sc_report_item(label, "mechanism", i, "what"), ": ", line);
        sc_report_noise(label, i, line);
        write_line(p, "", line);
    }
    for (size_t i = 1; i <= sc_report_items(label, "columns", "name"); i++) {
        write_pair(p, i == 1 ? "columns" : "",
                   sc_report_item(label, "columns", i, "name"), " ",
                   sc_report_item(label, "columns", i, "type"));
        write_line(p, "", sc_report_item(label, "columns", i, "clamping"));
        if (sc_report_item(label, "columns", i, "missing")[0] != '\0')
            write_pair(p, "", "a missing value ", "",
                       sc_report_item(label, "columns", i, "missing"));
    }
    for (size_t i = 1; i <= sc_report_items(label, "keys", "kind"); i++)
        write_pair(p, i == 1 ? "keys" : "", sc_report_item(label, "keys", i, "kind"),
                   ": ", sc_report_item(label, "keys", i, "how"));
    write_list(p, "computed", "post-processing");
}

static void write_rest(const page *p)
{
    const char *confidence = sc_report_get(p->label, "accuracy.confidence");
    char line[SC_REPORT_LINE_BYTES];
    write_rule(p);
    write_pair(p, "accuracy", confidence[0] == '\0' ? "" : "with probability ",
               confidence, confidence[0] == '\0' ? "" : ":");
    write_fact(p, "", "accuracy.statement");
    if (sc_report_get(p->label, "accuracy.radius")[0] != '\0')
        write_pair(p, "", "the radius is ", "",
                   sc_report_get(p->label, "accuracy.radius"));
    if (sc_report_get(p->label, "accuracy.radius-all")[0] != '\0')
        write_pair(p, "", "all values at once are within ", "",
                   sc_report_get(p->label, "accuracy.radius-all"));
    for (size_t i = 1; i <= sc_report_items(p->label, "certificate", "column"); i++) {
        write_pair(p, i == 1 ? "certificate" : "",
                   sc_report_item(p->label, "certificate", i, "column"), ": ",
                   sc_report_item(p->label, "certificate", i, "statement"));
        write_line(p, "", sc_report_item(p->label, "certificate", i, "flexible"));
    }
    write_fact(p, "not covered", "accuracy.excludes");
    write_list(p, "unprotected", "unprotected");
    write_list(p, "period", "data.period");
    write_fact(p, "timing", "side-channels.time");
    write_fact(p, "sampler", "side-channels.sampler");
    write_list(p, "limits", "limitations");
    write_rule(p);
    snprintf(line, sizeof line, "%.64s, build %.130s",
             sc_report_get(p->label, "software.version"),
             sc_report_get(p->label, "software.build"));
    write_pair(p, "software", "scrim ", "", line);
    snprintf(line, sizeof line, "entries %.24s and %.24s of %.24s, head %.64s",
             sc_report_get(p->label, "ledger.charge-entry"),
             sc_report_get(p->label, "ledger.release-entry"),
             sc_report_get(p->label, "ledger.entries"),
             sc_report_get(p->label, "ledger.head"));
    write_line(p, "ledger", line);
    write_fact(p, "answer", "ledger.answer-digest");
    write_fact(p, "key", "ledger.key");
}

void sc_report_text_write(sc_output *output, const scrim_label *label,
                          const sc_terminal *terminal)
{
    const size_t columns = !terminal->is_terminal             ? COLUMNS_KEPT
                           : terminal->columns < COLUMNS_MOST ? terminal->columns
                                                              : COLUMNS_MOST;
    const page p = {output, label, columns};
    write_head(&p);
    write_protection(&p);
    write_cost(&p);
    write_method(&p);
    write_rest(&p);
    if (terminal->is_terminal)
        return;
    sc_output_text(output, "\n");
    sc_output_text(output, scrim_label_text(label));
}

/* JSON. */

/* More than a key has. */
#define PART_BYTES 128

/* The part of a key up to the next dot. */
static size_t component(const char *key)
{
    return strcspn(key, ".");
}

/* Those that count something; what is exact stays text. */
static bool is_count(const char *name)
{
    static const char *const names[] = {
        "number",   "version",      "max-groups",   "max-rows",  "charges",
        "question", "copies",       "kept-half",    "kept-most", "count",
        "entries",  "charge-entry", "release-entry"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void write_value(sc_json *json, const char *name, const char *key,
                        const char *value)
{
    if (is_count(key) && value[0] != '\0' && strspn(value, "0123456789") == strlen(value))
        sc_json_number(json, name, value);
    else
        sc_json_text(json, name, value);
}

/* The facts from one on that have the first prefix bytes of its key in common, as an object or,
 * where they are numbered, a list; returns the place behind them. */
static size_t write_level(sc_json *json, const char *name, const scrim_label *label,
                          size_t from, size_t prefix)
{
    const char *first = scrim_label_fact_at(label, from)->key;
    const bool is_list = first[prefix] >= '0' && first[prefix] <= '9';
    const scrim_label_fact *fact;
    size_t at = from;
    (is_list ? sc_json_array : sc_json_object)(json, name);
    while ((fact = scrim_label_fact_at(label, at)) != NULL &&
           strncmp(fact->key, first, prefix) == 0) {
        const char *key = fact->key + prefix;
        char part[PART_BYTES];
        const size_t bytes = component(key);
        snprintf(part, sizeof part, "%.*s", (int)bytes, key);
        if (key[bytes] == '\0') {
            write_value(json, is_list ? NULL : part, key, fact->value);
            at++;
        } else {
            at = write_level(json, is_list ? NULL : part, label, at, prefix + bytes + 1);
        }
    }
    sc_json_end(json);
    return at;
}

void sc_report_json_write(sc_output *output, const scrim_label *label)
{
    size_t at = 0;
    const scrim_label_fact *fact;
    sc_json json;
    sc_json_init(&json, output);
    sc_json_object(&json, NULL);
    while ((fact = scrim_label_fact_at(label, at)) != NULL) {
        char part[PART_BYTES];
        const size_t bytes = component(fact->key);
        snprintf(part, sizeof part, "%.*s", (int)bytes, fact->key);
        at = write_level(&json, part, label, at, bytes + 1);
    }
    sc_json_text(&json, "label", scrim_label_text(label));
    sc_json_end(&json);
}

/* The value behind a word at the beginning of a line of the label's text, such as "hash"; "" where
 * no line has it. Facts have a dot in their names, so that none of them is taken for it. */
static void add_line(sc_listing *listing, const char *text, const char *word)
{
    const size_t bytes = strlen(word);
    for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n')
        if (strncmp(text, word, bytes) == 0 && text[bytes] == ' ') {
            char line[SC_REPORT_LINE_BYTES];
            text += bytes + 1;
            snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
            sc_listing_add(listing, (const char *[]){word, line});
        }
}

void sc_report_csv_write(sc_output *output, const scrim_label *label)
{
    static const sc_listing_column columns[] = {{.name = "fact"}, {.name = "value"}};
    sc_listing listing = SC_LISTING(columns, output, SCRIM_FORMAT_CSV, NULL);
    const char *text = scrim_label_text(label);
    const scrim_label_fact *fact;
    add_line(&listing, text, "scrim-label");
    for (size_t i = 0; (fact = scrim_label_fact_at(label, i)) != NULL; i++)
        sc_listing_add(&listing, (const char *[]){fact->key, fact->value});
    add_line(&listing, text, "hash");
    add_line(&listing, text, "signature");
    sc_listing_end_rows(&listing); /* CSV holds nothing */
}
