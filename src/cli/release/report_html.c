#include "cli/release/report_html.h"

#include "cli/display/canvas.h"
#include "cli/release/report_svg.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/line_fold.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More rows than this of a table are left to `scrim replay`. */
#define SC_REPORT_ROWS 1000

static const char style[] =
    ":root{color-scheme:light "
    "dark;--ink:#1a1a1a;--soft:#595959;--paper:#fff;--page:#f1f0ed;"
    "--line:#1a1a1a;--thin:#d5d3ce;--blue:" SC_BLUE_HEX ";--orange:" SC_ORANGE_HEX ";"
    "--pale:#cfe3f0}\n"
    "@media "
    "(prefers-color-scheme:dark){:root{--ink:#ececec;--soft:#a9a9a9;--paper:#1c1d1f;"
    "--page:#111213;--line:#ececec;--thin:#3d3e41;--blue:#56b4e9;--orange:#e69f00;"
    "--pale:#1f3c4d}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--page);color:var(--ink);"
    "font:16px/1.5 system-ui,-apple-system,\"Segoe UI\",\"Liberation "
    "Sans\",Arial,sans-serif}\n"
    "main{max-width:760px;margin:32px auto;padding:28px 32px;background:var(--paper);"
    "border:2px solid var(--line);border-radius:6px}\n"
    "h1{font-size:2.5rem;line-height:1.1;margin:0;letter-spacing:-.02em}\n"
    ".sub{margin:.35em 0 0;color:var(--soft)}\n"
    "code{font:.92em/1.45 ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,monospace;"
    "overflow-wrap:anywhere}\n"
    ".question{display:block;margin:.8em 0 0;padding:.6em .8em;background:var(--page);"
    "border-radius:4px}\n"
    ".rule{border:0;border-top:10px solid var(--line);margin:18px 0 16px}\n"
    ".caution{margin:.8em 0 0;padding:.5em .8em;border:2px solid var(--orange);"
    "font-weight:700}\n"
    ".big{display:grid;grid-template-columns:repeat(3,1fr);gap:0}\n"
    ".big div{padding:0 16px;border-left:1px solid var(--thin)}\n"
    ".big div:first-child{padding-left:0;border:0}\n"
    ".big b{display:block;font-size:2.6rem;line-height:1.15;letter-spacing:-.02em;"
    "font-variant-numeric:tabular-nums}\n"
    ".big span{display:block;font-weight:700}\n"
    ".big small{display:block;color:var(--soft);font-size:.86rem;line-height:1.35}\n"
    "h2{font-size:1.12rem;margin:26px 0 8px;padding-top:10px;border-top:4px solid "
    "var(--line)}\n"
    "dl{display:grid;grid-template-columns:10.5em 1fr;margin:0}\n"
    "dt,dd{padding:6px 0;margin:0;border-top:1px solid var(--thin)}\n"
    "dt:first-of-type,dt:first-of-type+dd{border:0}\n"
    "dt{font-weight:600;padding-right:1em}\n"
    "dd p,li p{margin:0}\n"
    "dd small,td small,li small{display:block;color:var(--soft)}\n"
    "ul{margin:0;padding-left:1.2em}\n"
    "li{padding:3px 0}\n"
    ".scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;width:100%;margin:6px 0 4px}\n"
    "caption{text-align:left;color:var(--soft);padding-bottom:4px}\n"
    "th,td{text-align:left;padding:5px 12px 5px 0;border-top:1px solid var(--thin);"
    "vertical-align:top}\n"
    "thead th{border-top:0;border-bottom:2px solid var(--line)}\n"
    "td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}\n"
    "td:last-child,th:last-child{padding-right:0}\n"
    "figure{margin:10px 0 4px}\n"
    "figcaption{font-weight:600}\n"
    "svg{display:block;width:100%;height:auto;font-size:13px}\n"
    "svg text{fill:var(--ink)}\n"
    "svg .name{text-anchor:end}\n"
    "svg .tick{text-anchor:middle;fill:var(--soft)}\n"
    "svg .value{font-variant-numeric:tabular-nums}\n"
    ".grid{stroke:var(--thin);fill:none}\n"
    ".fill{fill:var(--pale)}\n"
    ".reach{stroke:var(--orange);stroke-width:2;fill:none}\n"
    ".open{stroke-dasharray:4 3}\n"
    ".dot{fill:var(--blue)}\n"
    ".own{fill:var(--blue)}\n"
    ".others{fill:var(--soft)}\n"
    ".left{fill:none;stroke:var(--line);stroke-width:1.5}\n"
    ".key{display:flex;flex-wrap:wrap;gap:4px 18px;margin:6px 0 "
    "0;padding:0;list-style:none;"
    "font-size:.92rem}\n"
    ".key i{display:inline-block;width:12px;height:12px;margin-right:6px;border:1px "
    "solid "
    "var(--line)}\n"
    ".key .o{background:var(--blue)}.key .s{background:var(--soft)}\n"
    "pre{font:.74rem/1.5 ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,monospace;"
    "white-space:pre-wrap;overflow-wrap:anywhere;margin:8px 0 0;padding:12px;"
    "background:var(--page);border-radius:4px}\n"
    "footer{margin-top:14px;color:var(--soft);font-size:.9rem}\n"
    "@media (max-width:620px){main{margin:0;border:0;border-radius:0;padding:20px 16px}"
    ".big{grid-template-columns:1fr}.big div{padding:8px 0;border:0;border-top:1px solid "
    "var(--thin)}.big div:first-child{border:0}dl{grid-template-columns:1fr}"
    "dt{padding-bottom:0}dd{border:0;padding-top:0}}\n"
    "@media print{:root{--page:#fff;--paper:#fff;--ink:#000;--line:#000;--soft:#444;"
    "--thin:#bbb;--blue:" SC_BLUE_HEX ";--orange:" SC_ORANGE_HEX ";--pale:#dbe9f3}"
    "main{margin:0;max-width:none;border:0;padding:0}h2,figure,tr{break-inside:avoid}"
    "h2{break-after:avoid}.machine{display:none}}\n";

const char *sc_page_style(void)
{
    return style;
}

typedef struct page {
    sc_output *output;
    const scrim_label *label;
    unsigned drawings;
} page;

static void put(const page *p, const char *markup)
{
    sc_output_text(p->output, markup);
}

static void put_text(const page *p, const char *text)
{
    sc_markup_text(p->output, text);
}

static const char *get(const page *p, const char *key)
{
    return sc_report_get(p->label, key);
}

/* A name and what it is; where there is nothing, neither. */
static void put_pair(const page *p, const char *name, const char *text)
{
    if (text[0] == '\0')
        return;
    put(p, "<dt>");
    put(p, name);
    put(p, "</dt><dd>");
    put_text(p, text);
    put(p, "</dd>\n");
}

static void put_list(const page *p, const char *list)
{
    put(p, "<ul>\n");
    for (size_t i = 1; i <= sc_report_items(p->label, list, NULL); i++) {
        put(p, "<li>");
        put_text(p, sc_report_item(p->label, list, i, NULL));
        put(p, "</li>\n");
    }
    put(p, "</ul>\n");
}

static void put_heading(const page *p, const char *text)
{
    put(p, "<h2>");
    put(p, text);
    put(p, "</h2>\n");
}

/* The head of the page. */

static void put_title(const page *p)
{
    put(p, "release ");
    put_text(p, get(p, "release.number"));
    put(p, " of ");
    put_text(p, get(p, "release.dataset"));
    put(p, ", version ");
    put_text(p, get(p, "release.version"));
}

static void put_head(const page *p)
{
    put(p,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "&#39;none&#39;; style-src &#39;unsafe-inline&#39;\">\n<title>Privacy label: ");
    put_title(p);
    put(p, "</title>\n<style>\n");
    put(p, style);
    put(p, "</style>\n</head>\n<body>\n<main>\n<header>\n<h1>Privacy label</h1>\n"
           "<p class=\"sub\">");
    put_title(p);
    put(p, " &middot; ");
    put_text(p, get(p, "release.time"));
    put(p, "</p>\n");
    if (get(p, "release.caution")[0] != '\0') {
        put(p, "<p class=\"caution\">");
        put_text(p, get(p, "release.caution"));
        put(p, "</p>\n");
    }
    for (size_t i = 1; i <= sc_report_items(p->label, "release.question", NULL); i++) {
        put(p, "<code class=\"question\">");
        put_text(p, sc_report_item(p->label, "release.question", i, NULL));
        put(p, "</code>\n");
    }
    put(p, "</header>\n<hr class=\"rule\">\n");
}

static void put_big(const page *p, const char *number, const char *name, const char *word)
{
    put(p, "<div><span>");
    put(p, name);
    put(p, "</span><b>");
    put_text(p, number);
    put(p, "</b><small>");
    put(p, word);
    put(p, "</small></div>\n");
}

static void put_numbers(const page *p)
{
    char epsilon[SC_BOUND_BYTES], delta[SC_BOUND_BYTES], percent[SC_BOUND_BYTES];
    char line[SC_REPORT_LINE_BYTES];
    const char *unit = get(p, "protection.unit");
    const bool has_epsilon = get(p, "cost.epsilon")[0] != '\0';
    sc_report_number(get(p, has_epsilon ? "cost.epsilon" : "cost.rho"), epsilon);
    sc_report_number(get(p, "cost.delta"), delta);
    sc_report_percent(p->label, percent);
    put(p, "<section class=\"big\" aria-label=\"cost\">\n");
    snprintf(line, sizeof line,
             "how much one %.256s can change the answer; smaller is better protection",
             unit);
    put_big(p, epsilon, has_epsilon ? "epsilon" : "rho", line);
    put_big(
        p, has_epsilon ? delta : "\xe2\x80\x93", "delta",
        "the small probability that the epsilon guarantee may fail; must be far below "
        "1 divided by the number of people");
    snprintf(line, sizeof line,
             "how often, at most, someone who guesses from the answer whether one %.256s "
             "is in the data is right; 50 %% is chance",
             unit);
    put_big(p, percent, "best guess", line);
    put(p, "</section>\n");
}

/* Sections. */

static void put_protection(const page *p)
{
    char line[SC_REPORT_LINE_BYTES];
    put_heading(p, "Who is protected");
    put(p, "<dl>\n");
    put_pair(p, "Protected", get(p, "protection.who"));
    put_pair(p, "Unit", get(p, "protection.unit"));
    put_pair(p, "Neighbours", get(p, "protection.neighbours"));
    sc_report_bounds(p->label, line);
    put_pair(p, "Bounds", line);
    put_pair(p, "Variant", get(p, "protection.variant"));
    put(p, "<dt>Groups</dt><dd>");
    put_text(p, get(p, "protection.groups"));
    sc_report_cost(p->label, "cost.group-2-", line);
    put(p, "<small>2 units together: ");
    put_text(p, line[0] == '\0' ? "no guarantee" : line);
    sc_report_cost(p->label, "cost.group-4-", line);
    put(p, "</small><small>4 units together: ");
    put_text(p, line[0] == '\0' ? "no guarantee" : line);
    put(p, "</small></dd>\n");
    put_pair(p, "Trust", get(p, "protection.trust"));
    put_pair(p, "Meaning", get(p, "cost.meaning"));
    sc_report_cost(p->label, "cost.joint-", line);
    if (line[0] != '\0')
        put_pair(p, "Charged jointly", line);
    if (get(p, "cost.caution")[0] != '\0')
        put_pair(p, "Caution", get(p, "cost.caution"));
    put(p, "</dl>\n");
}

static void put_budget(const page *p)
{
    char line[SC_REPORT_LINE_BYTES];
    put_heading(p, "Budget");
    put(p, "<figure>\n");
    sc_report_budget_write(p->output, p->label);
    put(p, "</figure>\n<ul class=\"key\"><li><i class=\"o\"></i>this release</li>"
           "<li><i class=\"s\"></i>other releases</li><li><i></i>left</li></ul>\n<p>");
    sc_report_budget(p->label, line);
    put_text(p, line);
    put(p, "</p>\n");
}

/* Released values. */

/* An end that is missing, where there is an interval. */
static const char *end_text(const sc_report_cell *cell, const char *end)
{
    const bool has_any = cell->low[0] != '\0' || cell->high[0] != '\0';
    return end[0] == '\0' && (has_any || !sc_report_is_empty(cell)) ? "unbounded" : end;
}

/* Both ends missing beside no value: WITH RANGE has no range this time. */
static const char *value_words(const sc_report_cell *cell)
{
    if (cell->is_beyond)
        return "about 0";
    if (!sc_report_is_empty(cell))
        return cell->text;
    return cell->is_open && (cell->low[0] != '\0' || cell->high[0] != '\0')
               ? "no usable value"
               : "no value";
}

static void put_cell(const page *p, const sc_report_cell *cell, bool is_value)
{
    put(p, is_value ? "<td class=\"number\">" : "<td><bdi>");
    put_text(p, value_words(cell));
    put(p, is_value ? "" : "</bdi>");
    if (cell->low != NULL) {
        put(p, "<small>");
        put_text(p, end_text(cell, cell->low));
        put(p, " to ");
        put_text(p, end_text(cell, cell->high));
        put(p, cell->is_open ? ", the whole range</small>" : "</small>");
    }
    put(p, "</td>");
}

static bool is_value_column(const sc_report_sheet *sheet, size_t column)
{
    return sheet->columns[column].is_number ||
           (sheet->row_count > 0 && sheet->cells[column].low != NULL);
}

static void put_table(const page *p, const sc_report_sheet *sheet)
{
    const size_t rows =
        sheet->row_count < SC_REPORT_ROWS ? sheet->row_count : SC_REPORT_ROWS;
    put(p, "<div class=\"scroll\"><table>\n<caption>released values, each above its "
           "interval</caption>\n<thead><tr>");
    for (size_t i = 0; i < sheet->column_count; i++) {
        put(p, is_value_column(sheet, i) ? "<th scope=\"col\" class=\"number\">"
                                         : "<th scope=\"col\">");
        put_text(p, sheet->columns[i].name);
        put(p, "</th>");
    }
    put(p, "</tr></thead>\n<tbody>\n");
    for (size_t row = 0; row < rows; row++) {
        put(p, "<tr>");
        for (size_t i = 0; i < sheet->column_count; i++)
            put_cell(p, &sheet->cells[row * sheet->column_count + i],
                     is_value_column(sheet, i));
        put(p, "</tr>\n");
    }
    put(p, "</tbody>\n</table></div>\n");
    if (rows < sheet->row_count)
        sc_output_format(p->output,
                         "<p>The first %d rows of %zu; scrim replay shows all.</p>\n",
                         SC_REPORT_ROWS, sheet->row_count);
}

static void put_sheet(page *p, const sc_report_sheet *sheet)
{
    for (size_t i = 0; i < sheet->column_count; i++) {
        if (!sheet->columns[i].is_number || sheet->row_count == 0)
            continue;
        put(p, "<figure>\n<figcaption>");
        put_text(p, sheet->columns[i].name);
        if (sheet->row_count > SC_REPORT_BARS)
            sc_output_format(p->output, ", the first %d rows", SC_REPORT_BARS);
        put(p, "</figcaption>\n");
        sc_report_bars_write(p->output, sheet, i, ++p->drawings);
        put(p, "</figure>\n");
    }
    put_table(p, sheet);
}

static void put_values(page *p, const sc_report_values *values)
{
    put_heading(p, "What was released");
    if (values->is_tree)
        put(p,
            "<p>Counts that add up: fitted to the noisy counts by least squares, whole "
            "and at least 0. Intervals are those of the fitted counts.</p>\n");
    for (size_t i = 0; i < values->count; i++)
        put_sheet(p, &values->sheets[i]);
    put(p, "<dl>\n");
    put_pair(p, "Probability", get(p, "accuracy.confidence"));
    put_pair(p, "Accuracy", get(p, "accuracy.statement"));
    put_pair(p, "Radius", get(p, "accuracy.radius"));
    put_pair(p, "All values at once", get(p, "accuracy.radius-all"));
    for (size_t i = 1; i <= sc_report_items(p->label, "certificate", "column"); i++) {
        char line[2 * SC_REPORT_LINE_BYTES];
        const char *flexible = sc_report_item(p->label, "certificate", i, "flexible");
        const bool has = flexible[0] != '\0';
        snprintf(line, sizeof line, "%.300s: %.1000s%s%.700s%s",
                 sc_report_item(p->label, "certificate", i, "column"),
                 sc_report_item(p->label, "certificate", i, "statement"), has ? " (" : "",
                 flexible, has ? ")" : "");
        put_pair(p, "Certificate", line);
    }
    put_pair(p, "Not covered", get(p, "accuracy.excludes"));
    put(p, "</dl>\n");
}

/* How it was done. */

static void put_mechanisms(const page *p)
{
    char line[SC_REPORT_LINE_BYTES];
    put(p, "<div class=\"scroll\"><table>\n<caption>what was measured, and by which "
           "mechanism</caption>\n<thead><tr><th scope=\"col\">measured</th>"
           "<th scope=\"col\">mechanism</th></tr></thead>\n<tbody>\n");
    for (size_t i = 1; i <= sc_report_items(p->label, "mechanism", "line"); i++) {
        const size_t times = sc_report_times(p->label, "mechanism", "what", "line", i);
        if (times == 0)
            continue;
        put(p, "<tr><th scope=\"row\">");
        put_text(p, sc_report_item(p->label, "mechanism", i, "what"));
        put(p, "</th><td><code>");
        sc_line_format(sc_report_item(p->label, "mechanism", i, "line"), line,
                       sizeof line);
        put_text(p, line);
        put(p, "</code><small>");
        sc_report_noise(p->label, i, line);
        sc_report_put_times(times, line);
        put_text(p, line);
        put(p, "</small></td></tr>\n");
    }
    put(p, "</tbody>\n</table></div>\n");
}

static void put_columns(const page *p)
{
    for (size_t i = 1; i <= sc_report_items(p->label, "columns", "name"); i++) {
        const char *missing = sc_report_item(p->label, "columns", i, "missing");
        put(p, i == 1 ? "<dt>Columns</dt><dd><ul>\n" : "");
        put(p, "<li><b>");
        put_text(p, sc_report_item(p->label, "columns", i, "name"));
        put(p, "</b> <code>");
        put_text(p, sc_report_item(p->label, "columns", i, "type"));
        put(p, "</code><small>");
        put_text(p, sc_report_item(p->label, "columns", i, "clamping"));
        put(p, "</small>");
        if (missing[0] != '\0') {
            put(p, "<small>a missing value ");
            put_text(p, missing);
            put(p, "</small>");
        }
        put(p, "</li>\n");
    }
    if (sc_report_items(p->label, "columns", "name") > 0)
        put(p, "</ul></dd>\n");
}

static void put_method(const page *p)
{
    put_heading(p, "Method");
    put_mechanisms(p);
    put(p, "<dl>\n");
    put_columns(p);
    for (size_t i = 1; i <= sc_report_items(p->label, "keys", "kind"); i++) {
        if (sc_report_times(p->label, "keys", "kind", "how", i) == 0)
            continue;
        put(p, "<dt>Keys</dt><dd>");
        put_text(p, sc_report_item(p->label, "keys", i, "kind"));
        put(p, "<small>");
        put_text(p, sc_report_item(p->label, "keys", i, "how"));
        put(p, "</small></dd>\n");
    }
    put(p, "<dt>Post-processing</dt><dd>");
    put_list(p, "post-processing");
    put(p, "</dd>\n<dt>Period</dt><dd>");
    put_list(p, "data.period");
    put(p, "</dd>\n");
    put_pair(p, "Timing", get(p, "side-channels.time"));
    put_pair(p, "Sampler", get(p, "side-channels.sampler"));
    put(p, "</dl>\n");
}

static void put_origin(const page *p)
{
    char line[SC_REPORT_LINE_BYTES];
    put_heading(p, "Software and ledger");
    put(p, "<dl>\n");
    snprintf(line, sizeof line, "scrim %.64s, build %.130s", get(p, "software.version"),
             get(p, "software.build"));
    put_pair(p, "Software", line);
    snprintf(line, sizeof line, "entries %.24s and %.24s of %.24s",
             get(p, "ledger.charge-entry"), get(p, "ledger.release-entry"),
             get(p, "ledger.entries"));
    put(p, "<dt>Ledger</dt><dd>");
    put_text(p, line);
    put(p, "<small>head <code>");
    put_text(p, get(p, "ledger.head"));
    put(p, "</code></small><small>answer <code>");
    put_text(p, get(p, "ledger.answer-digest"));
    put(p, "</code></small></dd>\n");
    put_pair(p, "Key", get(p, "ledger.key"));
    put(p, "</dl>\n");
}

/* Lines without control characters: they can be spelt as they are. */
static void put_lines(const page *p, const char *text)
{
    while (*text != '\0') {
        char one[SC_REPORT_LINE_BYTES];
        size_t bytes = strcspn(text, "\n");
        bytes = bytes < sizeof one - 4 ? bytes : sizeof one - 4;
        /* At a whole character. */
        while (bytes > 0 && sc_is_continuation(text[bytes]))
            bytes--;
        memcpy(one, text, bytes);
        one[bytes] = '\0';
        put_text(p, one);
        text += bytes;
        if (*text == '\n') {
            put(p, "\n");
            text++;
        }
    }
}

static void put_machines(const page *p)
{
    const char *record = scrim_label_record(p->label);
    put(p, "<section class=\"machine\">\n");
    put_heading(p, "The label for machines");
    put(p, "<p><code>scrim report verify FILE</code> reads it from this page, checks its "
           "hash, computes its claim again, checks it against the ledger or its "
           "signature, and compares every byte of this page with it.</p>\n"
           "<pre id=\"scrim-label\">");
    put_lines(p, scrim_label_text(p->label));
    put(p, "</pre>\n");
    if (record != NULL) {
        put(p, "<p>The record of what was released, whose digest is in the label:</p>\n"
               "<pre id=\"scrim-record\">");
        put_lines(p, record);
        put(p, "</pre>\n");
    }
    put(p, "</section>\n");
}

void sc_report_html_write(sc_output *output, const scrim_label *label,
                          const sc_report_values *values)
{
    page p = {output, label, 0};
    put_head(&p);
    put_numbers(&p);
    put_protection(&p);
    put_values(&p, values);
    put_budget(&p);
    put_method(&p);
    put_heading(&p, "What is not protected");
    put_list(&p, "unprotected");
    put_heading(&p, "Known limits");
    put_list(&p, "limitations");
    put_origin(&p);
    put_machines(&p);
    put(&p, "</main>\n</body>\n</html>\n");
}

typedef struct page_parts {
    const scrim_label *label;
    sc_report_values values;
} page_parts;

static void write_page(const void *context, sc_output *output)
{
    const page_parts *p = context;
    sc_report_html_write(output, p->label, &p->values);
}

scrim_status sc_label_page_write(scrim_vault *vault, uint64_t release, const char *path,
                                 scrim_error *error)
{
    SC_OWNED(scrim_label_free_at) scrim_label *label = NULL;
    page_parts p = {0};
    SC_TRY(scrim_label_new(vault, release, &label, error));
    SC_TRY(sc_report_values_of(label, &p.values, error));
    p.label = label;
    const scrim_status status = sc_file_write("--html", path, write_page, &p, error);
    sc_report_values_clear(&p.values);
    return status;
}

static char *make_text(const scrim_label *label, const sc_report_values *values,
                       size_t *bytes)
{
    sc_output *output = malloc(sizeof *output);
    char *text = NULL;
    if (output != NULL) {
        sc_output_init_keep(output);
        sc_report_html_write(output, label, values);
        text = sc_output_take(output, bytes);
    }
    free(output);
    return text;
}

scrim_status sc_label_page_text(const scrim_label *label, char **out, size_t *bytes,
                                scrim_error *error)
{
    SC_OWNED(sc_report_values_clear) sc_report_values values = {0};
    SC_TRY(sc_report_values_of(label, &values, error));
    if ((*out = make_text(label, &values, bytes)) == NULL)
        return sc_out_of_memory(error, "the page");
    return SCRIM_OK;
}
