#include "cli/release/report_text.h"

#include "cli/display/listing.h"
#include "cli/release/report_values.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/line_fold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names stand in front, what they are behind them. */
#define INDENT 12
#define COLUMNS_MOST 100
/* The width of a page that is kept, so that every machine can write it again. */
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

/* Cleans text of others for the screen; name "" continues the last line. */
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
        if (sc_report_times(p->label, list, NULL, NULL, i) > 0)
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

/* The number of a release in its series, and what happens to its keys. */
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
    char line[SC_REPORT_LINE_BYTES], when[SC_REPORT_WHEN_BYTES];
    sc_report_when(p->label, when);
    snprintf(line, sizeof line, "release %.24s of %.70s, version %.24s, %s",
             sc_report_get(p->label, "release.number"),
             sc_report_get(p->label, "release.dataset"),
             sc_report_get(p->label, "release.version"), when);
    write_line(p, "label", line);
    write_fact(p, "caution", "release.caution");
    write_fact(p, "left out", "release.withheld");
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
    write_fact(p, "charged", "cost.total");
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
        const size_t times = sc_report_times(label, "mechanism", "what", "line", i);
        if (times == 0)
            continue;
        sc_line_format(sc_report_item(label, "mechanism", i, "line"), line, sizeof line);
        write_pair(p, i == 1 ? "mechanisms" : "",
                   sc_report_item(label, "mechanism", i, "what"), ": ", line);
        sc_report_noise(label, i, line);
        sc_report_put_times(times, line);
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
    for (size_t i = 1; i <= sc_report_items(label, "joined", "table"); i++) {
        snprintf(line, sizeof line, "public table %.60s by %.60s, ",
                 sc_report_item(label, "joined", i, "table"),
                 sc_report_item(label, "joined", i, "by"));
        write_pair(p, i == 1 ? "joins" : "", line, "",
                   sc_report_item(label, "joined", i, "from"));
        write_line(p, "", sc_report_item(label, "joined", i, "unmatched"));
        write_line(p, "", sc_report_item(label, "joined", i, "digest"));
    }
    for (size_t i = 1; i <= sc_report_items(label, "keys", "kind"); i++)
        if (sc_report_times(label, "keys", "kind", "how", i) > 0)
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
        if (sc_report_item(p->label, "certificate", i, "flexible")[0] != '\0')
            write_line(p, "", sc_report_item(p->label, "certificate", i, "flexible"));
    }
    write_fact(p, "not covered", "accuracy.excludes");
    write_list(p, "unprotected", "unprotected");
    write_list(p, "dates", "data.period");
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

/* Facts that count something are numbers in JSON and YAML; exact fractions stay text. */
static bool is_count(const char *name)
{
    static const char *const names[] = {
        "number",  "version",  "max-groups",   "max-rows",     "max-total-rows",
        "charges", "question", "copies",       "kept-half",    "kept-most",
        "count",   "entries",  "charge-entry", "release-entry"};
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
 * no line has it. Facts have a dot in their names, so no fact is taken for it. */
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

#define LINES_BYTES 16384

/* Texts of several lines. Those of one line, and what is not plain, are spelt as JSON, which YAML
 * reads: no text of others is ever more than a text. */
typedef struct lines {
    char text[LINES_BYTES];
    size_t used;
} lines;

static void add(lines *to, const char *before, const char *text)
{
    const size_t bytes = strlen(before) + strlen(text) + (to->used > 0);
    if (text[0] == '\0' || to->used + bytes >= LINES_BYTES)
        return;
    to->used += (size_t)snprintf(to->text + to->used, LINES_BYTES - to->used, "%s%s%s",
                                 to->used > 0 ? "\n" : "", before, text);
}

static void add_list(lines *to, const scrim_label *label, const char *list)
{
    for (size_t i = 1; i <= sc_report_items(label, list, NULL); i++)
        if (sc_report_times(label, list, NULL, NULL, i) > 0)
            add(to, "- ", sc_report_item(label, list, i, NULL));
}

/* Several lines of plain characters can stand as they are. */
static bool is_block(const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        if ((*c < ' ' || *c > '~') && *c != '\n')
            return false;
    return strchr(text, '\n') != NULL && text[0] != ' ';
}

static void put_block(sc_output *output, const char *field, const char *text)
{
    const size_t indent = strspn(field, " ") + 2;
    sc_output_text(output, field);
    sc_output_text(output, ": |-\n");
    while (*text != '\0') {
        const size_t bytes = strcspn(text, "\n");
        sc_output_repeat(output, " ", indent);
        sc_output_bytes(output, text, bytes);
        sc_output_text(output, "\n");
        text += bytes;
        text += *text == '\n';
    }
}

static void put_text(sc_output *output, const char *field, const char *text)
{
    if (is_block(text)) {
        put_block(output, field, text);
        return;
    }
    sc_output_text(output, field);
    sc_output_text(output, ": ");
    sc_output_json_text(output, text);
    sc_output_text(output, "\n");
}

static void put_fact(sc_output *output, const char *field, const scrim_label *label,
                     const char *key)
{
    put_text(output, field, sc_report_get(label, key));
}

/* A number that every reader of YAML takes for one has a point before its exponent. */
static void put_number(sc_output *output, const char *field, const char *text)
{
    char shown[SC_BOUND_BYTES];
    sc_report_number(text, shown);
    if (shown[0] == '\0')
        return;
    const size_t digits = strcspn(shown, "e");
    const bool needs_point = shown[digits] != '\0' && strchr(shown, '.') == NULL;
    sc_output_format(output, "%s: %.*s%s%s\n", field, (int)digits, shown,
                     needs_point ? ".0" : "", shown + digits);
}

/* Fields. */

static void put_deployment(sc_output *output, const scrim_label *label, lines *text)
{
    char name[SC_REPORT_LINE_BYTES];
    snprintf(name, sizeof name, "%.70s, release %.24s",
             sc_report_get(label, "release.dataset"),
             sc_report_get(label, "release.number"));
    sc_output_text(output, "# Made by scrim report --yaml; its publisher fills in the "
                           "empty fields.\n"
                           "status: Draft\nregistry_authors: []\ntier: 3\ndeployment:\n");
    put_text(output, "  name", name);
    put_text(output, "  data_curator", "");
    *text = (lines){.used = 0};
    add(text, "", sc_report_get(label, "release.caution"));
    add(text, "left out: ", sc_report_get(label, "release.withheld"));
    add_list(text, label, "release.question");
    put_text(output, "  description", text->text);
    put_text(output, "  intended_use", "");
    put_text(output, "  data_product_type", "Summary statistics");
    snprintf(name, sizeof name, "%.10s", sc_report_get(label, "release.time"));
    put_text(output, "  publication_date", strchr(name, '-') == NULL ? "" : name);
    put_text(output, "  data_product_region", "");
    put_text(output, "  data_product_sector", "");
}

static void put_flavor(sc_output *output, const scrim_label *label, lines *text)
{
    const char *delta = sc_report_get(label, "cost.delta");
    const bool has_epsilon = sc_report_get(label, "cost.epsilon")[0] != '\0';
    sc_output_text(output, "  dp_flavor:\n");
    put_text(output, "    name",
             !has_epsilon              ? "zCDP"
             : strcmp(delta, "0") == 0 ? "Pure DP"
                                       : "Approximate DP");
    put_fact(output, "    input_metric", label, "protection.neighbours");
    *text = (lines){.used = 0};
    for (size_t i = 1; i <= sc_report_items(label, "columns", "name"); i++) {
        char column[SC_REPORT_LINE_BYTES];
        snprintf(column, sizeof column, "%.400s %.500s",
                 sc_report_item(label, "columns", i, "name"),
                 sc_report_item(label, "columns", i, "type"));
        add(text, "- ", column);
    }
    add_list(text, label, "data.period");
    put_text(output, "    data_domain", text->text);
    *text = (lines){.used = 0};
    add_list(text, label, "unprotected");
    put_text(output, "    unprotected_quantities", text->text);
}

static void put_loss(sc_output *output, const scrim_label *label, lines *text)
{
    char line[SC_REPORT_LINE_BYTES];
    sc_output_text(output, "  privacy_loss:\n");
    put_fact(output, "    privacy_unit", label, "protection.unit");
    *text = (lines){.used = 0};
    add(text, "", sc_report_get(label, "protection.who"));
    sc_report_bounds(label, line);
    add(text, "", line);
    put_text(output, "    privacy_unit_description", text->text);
    sc_output_text(output, "    privacy_parameters:\n");
    put_number(output, "      epsilon", sc_report_get(label, "cost.epsilon"));
    put_number(output, "      delta", sc_report_get(label, "cost.delta"));
    put_number(output, "      rho", sc_report_get(label, "cost.rho"));
    *text = (lines){.used = 0};
    add(text, "", sc_report_get(label, "cost.meaning"));
    add(text, "", sc_report_get(label, "cost.total"));
    add(text, "", sc_report_get(label, "cost.caution"));
    sc_report_cost(label, "cost.group-2-", line);
    add(text, "2 units together: ", line);
    sc_report_cost(label, "cost.group-4-", line);
    add(text, "4 units together: ", line);
    put_text(output, "    privacy_parameters_description", text->text);
}

static void put_model(sc_output *output, const scrim_label *label, lines *text)
{
    const bool is_many = strcmp(sc_report_get(label, "cost.charges"), "1") != 0;
    sc_output_text(output, "  model:\n");
    put_text(output, "    model_name", "Central");
    put_fact(output, "    model_name_description", label, "protection.trust");
    *text = (lines){.used = 0};
    add(text, "- ", "people in the data");
    add(text, "- ", "owner of the vault, who holds the data and declares the policy");
    add(text, "- ", "analysts, who ask questions and see answers");
    put_text(output, "    actors", text->text);
    sc_output_format(output, "    is_many_release: %s\n", is_many ? "true" : "false");
    sc_output_text(output, "    is_interactive: true\n    is_dynamic: false\n");
}

/* How contribution bounds were chosen, as the question or the policy says. It does not say it of ranges and keys. */
static const char *bounds_text(const scrim_label *label)
{
    const char *from = sc_report_get(label, "protection.bounds-from");
    if (scrim_label_get(label, "cost.total") != NULL)
        return "the contribution bounds were found by this release itself, with a part "
               "of "
               "its cost";
    if (strcmp(from, "check") == 0)
        return "the owner chose the contribution bounds by looking at the data, which "
               "epsilon does not cover";
    if (strcmp(from, "suggest") == 0)
        return "the contribution bounds were chosen by private releases about the data "
               "(scrim suggest), which have "
               "charges of their own";
    if (strcmp(from, "declared") == 0)
        return "the owner chose the contribution bounds by domain knowledge, not by the "
               "data";
    return "how the contribution bounds were chosen is not recorded: the policy does not "
           "say, "
           "or the question has bounds of its own";
}

static void put_rest(sc_output *output, const scrim_label *label, lines *text)
{
    char line[SC_REPORT_LINE_BYTES];
    sc_output_text(output, "  accounting:\n");
    *text = (lines){.used = 0};
    add_list(text, label, "post-processing");
    put_text(output, "    post_processing", text->text);
    sc_report_budget(label, line);
    put_text(output, "    composition", line);
    sc_output_text(output, "  implementation:\n");
    *text = (lines){.used = 0};
    add(text, "", bounds_text(label));
    add(text, "",
        "ranges of values and public keys are declared; how they were chosen is not "
        "recorded");
    put_text(output, "    pre_processing_eda_hyperparameter_tuning", text->text);
    *text = (lines){.used = 0};
    for (size_t i = 1; i <= sc_report_items(label, "mechanism", "line"); i++) {
        snprintf(line, sizeof line,
                 "%.300s: ", sc_report_item(label, "mechanism", i, "what"));
        add(text, line, sc_report_item(label, "mechanism", i, "line"));
    }
    add(text, "", sc_report_get(label, "side-channels.sampler"));
    add(text, "", sc_report_get(label, "side-channels.time"));
    put_text(output, "    mechanisms", text->text);
    put_text(output, "    justification", "");
    *text = (lines){.used = 0};
    snprintf(line, sizeof line, "scrim %.64s, build %.130s",
             sc_report_get(label, "software.version"),
             sc_report_get(label, "software.build"));
    add(text, "", line);
    add(text, "ledger head ", sc_report_get(label, "ledger.head"));
    add(text, "answer ", sc_report_get(label, "ledger.answer-digest"));
    add_list(text, label, "limitations");
    put_text(output, "  additional_information", text->text);
}

/* The label's own text, as comments. */
static void put_label(sc_output *output, const char *text)
{
    while (*text != '\0') {
        const size_t bytes = strcspn(text, "\n");
        sc_output_text(output, "# ");
        sc_output_bytes(output, text, bytes);
        sc_output_text(output, "\n");
        text += bytes;
        text += *text == '\n';
    }
}

void sc_report_yaml_write(sc_output *output, const scrim_label *label)
{
    lines text;
    put_deployment(output, label, &text);
    put_flavor(output, label, &text);
    put_loss(output, label, &text);
    put_model(output, label, &text);
    put_rest(output, label, &text);
    put_label(output, scrim_label_text(label));
}
