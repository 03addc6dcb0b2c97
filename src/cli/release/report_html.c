#include "cli/release/report_html.h"

#include "cli/display/canvas.h"
#include "cli/display/number_view.h"
#include "cli/display/page.h"
#include "cli/release/report_svg.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/line_fold.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A page shows at most this many rows of a table; `scrim replay` shows all. */
#define SC_REPORT_ROWS 1000

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

/* A name and its text; nothing if the text is empty. */
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

static void put_head(const page *p)
{
    char title[SC_REPORT_LINE_BYTES], when[SC_REPORT_WHEN_BYTES];
    sc_report_when(p->label, when);
    snprintf(title, sizeof title, "release %.24s of %.300s, version %.24s",
             get(p, "release.number"), get(p, "release.dataset"),
             get(p, "release.version"));
    sc_page_open(p->output, &(sc_page_head){.kind = "Privacy label", .title = title});
    put(p, "<header>\n<h1>Privacy label</h1>\n<p class=\"sub\">");
    put_text(p, title);
    put(p, " &middot; ");
    put_text(p, when);
    put(p, "</p>\n");
    if (get(p, "release.caution")[0] != '\0') {
        put(p, "<p class=\"caution\">");
        put_text(p, get(p, "release.caution"));
        put(p, "</p>\n");
    }
    for (size_t i = 1; i <= sc_report_items(p->label, "release.question", NULL); i++) {
        if (sc_report_times(p->label, "release.question", NULL, NULL, i) == 0)
            continue;
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
    if (get(p, "cost.total")[0] != '\0')
        put_pair(p, "Charged", get(p, "cost.total"));
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

/* A missing end of an interval is shown as "unbounded", unless there is no value and no interval at all. */
static const char *end_text(const sc_report_cell *cell, const char *end)
{
    const bool has_any = cell->low[0] != '\0' || cell->high[0] != '\0';
    return end[0] == '\0' && (has_any || !sc_report_is_empty(cell)) ? "unbounded" : end;
}

#define NO_BREAK "\xc2\xa0" /* a blank where no line ends */

/* The words for a value. If there is only an interval that is unbounded on one side, no value is usable. If both ends are missing too,
 * WITH RANGE has found no range. */
static const char *value_words(const sc_report_cell *cell)
{
    if (cell->is_beyond)
        return "about" NO_BREAK "0";
    if (!sc_report_is_empty(cell))
        return cell->text;
    return sc_report_is_unusable(cell) ? "no usable value" : "no value";
}

static void put_interval(const page *p, const sc_report_cell *cell)
{
    put(p, "<small>");
    if (cell->is_outside) {
        put(p, cell->is_open ? "the noise leaves everything possible</small>"
                             : "the noise is larger than its interval</small>");
        return;
    }
    put_text(p, end_text(cell, cell->low));
    put(p, " to ");
    put_text(p, end_text(cell, cell->high));
    put(p, "</small>");
}

static void put_cell(const page *p, const sc_report_cell *cell, bool is_value)
{
    put(p, is_value ? "<td class=\"number\">" : "<td><bdi>");
    put_text(p, value_words(cell));
    put(p, is_value ? "" : "</bdi>");
    if (cell->low != NULL)
        put_interval(p, cell);
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
    put_table(p, sheet);
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
}

/* Has a column an interval that holds with the confidence, and not for certain? */
static bool has_chance(const sc_report_values *values)
{
    for (size_t i = 0; i < values->count; i++)
        for (size_t k = 0; k < values->sheets[i].column_count; k++)
            if (is_value_column(&values->sheets[i], k) &&
                !values->sheets[i].columns[k].is_certain)
                return true;
    return false;
}

/* "95 times of 100": the meaning of intervals, for whoever reads nothing else. */
static void put_meaning(const page *p, const sc_report_values *values)
{
    const double times = 100 * sc_number_view(values->confidence);
    if (times > 0 && times < 100 && has_chance(values))
        sc_output_format(p->output,
                         "<p>The true number lies in its range %.6g times of 100, except "
                         "for rows that were left out.</p>\n",
                         times);
}

static void put_values(page *p, const sc_report_values *values)
{
    put_heading(p, "What was released");
    put_meaning(p, values);
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

static void put_joins(const page *p)
{
    for (size_t i = 1; i <= sc_report_items(p->label, "joined", "table"); i++) {
        put(p, i == 1 ? "<dt>Joins</dt><dd><ul>\n" : "");
        put(p, "<li>public table <b>");
        put_text(p, sc_report_item(p->label, "joined", i, "table"));
        put(p, "</b> by <b>");
        put_text(p, sc_report_item(p->label, "joined", i, "by"));
        put(p, "</b>, ");
        put_text(p, sc_report_item(p->label, "joined", i, "from"));
        put(p, "<small>");
        put_text(p, sc_report_item(p->label, "joined", i, "unmatched"));
        put(p, "</small><small>");
        put_text(p, sc_report_item(p->label, "joined", i, "digest"));
        put(p, "</small></li>\n");
    }
    if (sc_report_items(p->label, "joined", "table") > 0)
        put(p, "</ul></dd>\n");
}

static void put_method(const page *p)
{
    put_heading(p, "Method");
    put_mechanisms(p);
    put(p, "<dl>\n");
    put_columns(p);
    put_joins(p);
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
    put(p, "</dd>\n<dt>Range of dates</dt><dd>");
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

void sc_label_page_seal(sc_output *output, const scrim_label *label)
{
    const page p = {output, label, 0};
    put(&p, "<section class=\"machine\">\n");
    put_heading(&p, "The label for machines");
    put(&p, "<pre id=\"scrim-label\">");
    put_lines(&p, scrim_label_text(label));
    put(&p, "</pre>\n</section>\n");
    sc_page_close(output);
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
    put_values(&p, values);
    put_numbers(&p);
    put_protection(&p);
    put_budget(&p);
    put_method(&p);
    put_heading(&p, "What is not protected");
    put_list(&p, "unprotected");
    put_heading(&p, "Known limits");
    put_list(&p, "limitations");
    put_origin(&p);
    put_machines(&p);
    sc_page_close(output);
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
    SC_TRY(scrim_vault_view(vault, release, error));
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
