#include "cli/release/report_verify.h"

#include "cli/display/notes.h"
#include "cli/release/report_html.h"
#include "cli/release/report_text.h"
#include "cli/release/report_values.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/vault/history_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 14
#define NAME_BYTES 40

static const struct {
    const char *name, *key;
    bool is_number; /* rounded up for people */
} rows[ROWS] = {
    {"dataset", "release.dataset", false},
    {"version", "release.version", false},
    {"population", "release.population", false},
    {"unit", "protection.unit", false},
    {"neighbours", "protection.neighbours", false},
    {"model", "protection.model", false},
    {"variant", "protection.variant", false},
    {"epsilon", "cost.epsilon", true},
    {"delta", "cost.delta", true},
    {"rho", "cost.rho", true},
    {"guess", "cost.guess", true},
    {"epsilon of 2 units", "cost.group-2-epsilon", true},
    {"epsilon of 4 units", "cost.group-4-epsilon", true},
    {"charged", "cost.charged", true},
};

scrim_status sc_report_compare_write(sc_output *output, const scrim_label *a,
                                     const scrim_label *b, sc_format format,
                                     const sc_terminal *terminal, scrim_error *error)
{
    const scrim_label *const labels[] = {a, b};
    const bool is_table = format == SCRIM_FORMAT_TABLE;
    char names[2][NAME_BYTES], shown[2][SC_BOUND_BYTES];
    const sc_listing_column columns[] = {
        {.name = "fact"}, {.name = names[0]}, {.name = names[1]}};
    sc_listing listing = SC_LISTING(columns, output, format, terminal);
    for (size_t k = 0; k < 2; k++)
        snprintf(names[k], NAME_BYTES, is_table ? "release %.24s" : "release_%.24s",
                 sc_report_get(labels[k], "release.number"));
    (void)sc_listing_open(&listing);
    for (size_t i = 0; i < ROWS; i++) {
        const char *cells[3] = {rows[i].name};
        for (size_t k = 0; k < 2; k++) {
            cells[1 + k] = sc_report_get(labels[k], rows[i].key);
            if (rows[i].is_number && is_table) {
                sc_report_number(cells[1 + k], shown[k]);
                cells[1 + k] = shown[k];
            }
        }
        sc_listing_add(&listing, cells);
    }
    return sc_listing_close(&listing, SCRIM_OK, error);
}

/* The format in which this version writes labels. */
#define LABEL_WORD "scrim-label "
#define LABEL_FIRST LABEL_WORD "7\n"

typedef struct checking {
    const char *bytes;
    size_t count;
    const sc_report_proof *proof;
    scrim_label *own; /* the same label by the vault; NULL: no vault */
    bool is_beside;   /* the caller compares the file that the label is for */
    sc_report_verdict *out;
} checking;

__attribute__((format(printf, 2, 3))) static void
leave_unchecked(sc_report_verdict *verdict, const char *format, ...)
{
    va_list arguments;
    if (verdict->unchecked_count == SC_REPORT_UNCHECKED)
        return;
    va_start(arguments, format);
    vsnprintf(verdict->unchecked[verdict->unchecked_count++], SC_REPORT_UNCHECKED_BYTES,
              format, arguments);
    va_end(arguments);
}

static const char *version_of(const scrim_label *label)
{
    return sc_report_get(label, "software.version");
}

static bool is_of_file(const scrim_label *label)
{
    return scrim_label_get(label, "file.digest") != NULL;
}

/* The label: who made it? */

static scrim_status check_ledger(checking *c, scrim_error *error)
{
    const scrim_label *label = c->out->label;
    scrim_status status = scrim_label_check_ledger(label, c->proof->vault, error);
    if (status == SCRIM_OK)
        status = scrim_label_again(label, c->proof->vault, &c->own, error);
    if (status != SCRIM_OK)
        return status;
    c->out->has_ledger = true;
    c->out->has_signature = scrim_label_is_signed(c->own);
    /* The facts of a file are not in the ledger. */
    if (!c->out->has_signature && is_of_file(label))
        leave_unchecked(c->out, "the bytes of the file: the vault had no key, so their "
                                "label has no signature");
    /* All but what the program says of itself is compared; a signature proves that, too. */
    else if (!c->out->has_signature &&
             strcmp(scrim_label_text(label), scrim_label_text(c->own)) != 0)
        leave_unchecked(c->out,
                        "the sentences of the label, and the software that made it "
                        "(%.24s): the label has no signature",
                        version_of(label));
    return SCRIM_OK;
}

static scrim_status check_key(checking *c, scrim_error *error)
{
    const scrim_status status =
        scrim_label_check_key(c->out->label, c->proof->key, error);
    c->out->has_signature |= status == SCRIM_OK;
    return status;
}

static scrim_status check_label(checking *c, scrim_error *error)
{
    scrim_status status = scrim_label_check(c->out->label, error);
    if (c->proof->vault == NULL && c->proof->key == NULL)
        leave_unchecked(c->out, "who made the label: give its vault (--vault) or the key "
                                "that its owner publishes (--key)");
    if (status == SCRIM_OK && c->proof->key != NULL)
        status = check_key(c, error);
    if (status == SCRIM_OK && c->proof->vault != NULL)
        status = check_ledger(c, error);
    return status;
}

/* The file: is it what the label gives? */

typedef enum file_form {
    FORM_LABEL,
    FORM_TEXT,
    FORM_CSV,
    FORM_YAML,
    FORM_JSON,
    FORM_HTML
} file_form;

static bool begins(const checking *c, const char *with)
{
    const size_t bytes = strlen(with);
    return c->count >= bytes && memcmp(c->bytes, with, bytes) == 0;
}

static file_form form_of(const checking *c)
{
    return begins(c, "scrim-label ") ? FORM_LABEL
           : begins(c, "{")          ? FORM_JSON
           : begins(c, "<")          ? FORM_HTML
           : begins(c, "#")          ? FORM_YAML
           : begins(c, "fact,value") ? FORM_CSV
                                     : FORM_TEXT;
}

static void write_form(file_form form, sc_output *output, const scrim_label *label,
                       const sc_report_values *values)
{
    static const sc_terminal no_terminal = {.is_terminal = false};
    switch (form) {
    case FORM_LABEL:
        sc_output_text(output, scrim_label_text(label));
        break;
    case FORM_TEXT:
        sc_report_text_write(output, label, &no_terminal);
        break;
    case FORM_CSV:
        sc_report_csv_write(output, label);
        break;
    case FORM_YAML:
        sc_report_yaml_write(output, label);
        break;
    case FORM_JSON:
        sc_report_json_write(output, label);
        break;
    case FORM_HTML:
        sc_report_html_write(output, label, values);
        break;
    }
}

static size_t line_at(const checking *c, size_t place)
{
    size_t line = 1;
    for (size_t i = 0; i < place; i++)
        line += c->bytes[i] == '\n';
    return line;
}

static scrim_status compare(const checking *c, file_form form,
                            const sc_report_values *values, scrim_error *error)
{
    size_t place = 0;
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_out_of_memory(error, "the file");
    sc_output_init_compare(output, c->bytes, c->count);
    write_form(form, output, c->out->label, values);
    const bool is_equal = sc_output_is_equal(output, &place);
    free(output);
    return is_equal ? SCRIM_OK
                    : sc_complaint_fill(error, SCRIM_E_CHECK,
                                        "the file was changed: from line %zu on (byte "
                                        "%zu) it does not match its label",
                                        line_at(c, place), place + 1);
}

/* The values of a page are in its record, whose digest the label has; those of a record that is too
 * long for a page are in the vault alone. */
static scrim_status compare_page(const checking *c, scrim_error *error)
{
    const scrim_label *source = c->own != NULL ? c->own : c->out->label;
    sc_report_values values = {0};
    if (c->own != NULL && (scrim_label_record(c->own) == NULL) !=
                              (scrim_label_record(c->out->label) == NULL))
        return sc_complaint_fill(error, SCRIM_E_CHECK,
                                 "the file was changed: it lacks the record of what was "
                                 "released");
    if (c->own == NULL && scrim_label_record(source) == NULL) {
        leave_unchecked(c->out, "the values on the page: it has no record of them; give "
                                "its vault (--vault)");
        return SCRIM_OK;
    }
    scrim_status status = sc_report_values_of(source, &values, error);
    if (status == SCRIM_OK)
        status = compare(c, FORM_HTML, &values, error);
    else if (status != SCRIM_E_MEMORY)
        status = sc_complaint_fill(error, SCRIM_E_CHECK,
                                   "the released values cannot be read from the page");
    sc_report_values_clear(&values);
    return status;
}

/* Are these the bytes that the label was made for? */
static scrim_status check_digest(const scrim_label *label, const char *bytes,
                                 size_t count, scrim_error *error)
{
    SC_OWNED(scrim_file_digest_free_at) scrim_file_digest *digest = NULL;
    SC_TRY(scrim_file_digest_new(&digest, error));
    scrim_file_digest_add(digest, bytes, count);
    return scrim_label_check_file(label, digest, error);
}

/* Does the file end with its label? Then all before it is what the label was made for. */
static bool ends_with_label(const checking *c, size_t *shown)
{
    scrim_label *label = NULL;
    const bool is_found =
        scrim_label_find_end(c->bytes, c->count, shown, &label, NULL) == SCRIM_OK;
    scrim_label_free(label);
    return is_found;
}

static scrim_status check_file(const checking *c, scrim_error *error)
{
    const file_form form = form_of(c);
    size_t shown;
    if (form == FORM_JSON && ends_with_label(c, &shown))
        return check_digest(c->out->label, c->bytes, shown, error);
    const bool is_ours =
        strcmp(version_of(c->out->label), scrim_version()) == 0 &&
        strncmp(scrim_label_text(c->out->label), LABEL_FIRST, strlen(LABEL_FIRST)) == 0;
    if (is_of_file(c->out->label) && !c->is_beside)
        leave_unchecked(c->out, "the file that this label is for: verify that file, with "
                                "its label beside it");
    if (form == FORM_LABEL)
        return compare(c, form, NULL, error);
    if (!is_ours) {
        const char *format = scrim_label_text(c->out->label) + strlen(LABEL_WORD);
        leave_unchecked(c->out,
                        "the numbers visible around the label: another version wrote the "
                        "file (%.24s, label format %.*s); make the file again, or use "
                        "that version",
                        version_of(c->out->label), (int)strcspn(format, "\n"), format);
        return SCRIM_OK;
    }
    return form == FORM_HTML ? compare_page(c, error) : compare(c, form, NULL, error);
}

/* Mail and editors may change every line end. Then nothing of the file is as it was written, and the
 * reason is this one. */
static bool has_crlf(const checking *c)
{
    size_t lines = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (c->bytes[i] != '\n')
            continue;
        if (i == 0 || c->bytes[i - 1] != '\r')
            return false;
        lines++;
    }
    return lines > 0;
}

/* A file without a label is not a report, whatever its line ends. */
static bool has_mark(const checking *c)
{
    static const char mark[] = "scrim-label";
    for (size_t i = 0; i + sizeof mark <= c->count; i++)
        if (memcmp(c->bytes + i, mark, sizeof mark - 1) == 0)
            return true;
    return false;
}

static scrim_status verify(checking *c, scrim_error *error)
{
    memset(c->out, 0, sizeof *c->out);
    scrim_status status = scrim_label_find(c->bytes, c->count, &c->out->label, error);
    if (status == SCRIM_OK)
        status = check_label(c, error);
    if (status == SCRIM_OK)
        status = check_file(c, error);
    scrim_label_free(c->own);
    if ((status == SCRIM_E_CHECK || status == SCRIM_E_SYNTAX) && has_mark(c) &&
        has_crlf(c))
        status = sc_complaint_fill(
            error, SCRIM_E_CHECK,
            "the file has other line ends (CRLF) than scrim wrote; change them back to "
            "LF, as with dos2unix, and verify it again");
    if (status != SCRIM_OK)
        sc_report_verdict_clear(c->out);
    return status;
}

scrim_status sc_report_verify(const char *bytes, size_t count,
                              const sc_report_proof *proof, sc_report_verdict *out,
                              scrim_error *error)
{
    checking c = {.bytes = bytes, .count = count, .proof = proof, .out = out};
    return verify(&c, error);
}

scrim_status sc_report_verify_beside(const char *bytes, size_t count, const char *label,
                                     size_t label_bytes, const sc_report_proof *proof,
                                     sc_report_verdict *out, scrim_error *error)
{
    checking c = {.bytes = label,
                  .count = label_bytes,
                  .proof = proof,
                  .out = out,
                  .is_beside = true};
    scrim_status status = verify(&c, error);
    if (status != SCRIM_OK)
        return status;
    status = check_digest(out->label, bytes, count, error);
    if (status != SCRIM_OK)
        sc_report_verdict_clear(out);
    return status;
}

void sc_report_verdict_clear(sc_report_verdict *verdict)
{
    scrim_label_free(verdict->label);
    memset(verdict, 0, sizeof *verdict);
}

bool sc_report_is_key(const char *text)
{
    return strlen(text) == SCRIM_KEY_BYTES - 1 &&
           strspn(text, "0123456789abcdef") == SCRIM_KEY_BYTES - 1;
}

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
    sc_output_format(output,
                     "file        a page of all releases%s%s%s%s: %.24s, by %.24s "
                     "charges\n",
                     from[0] != '\0' ? " of "
                     : to[0] != '\0' ? " up to "
                                     : "",
                     from, from[0] != '\0' ? ".." : "", to,
                     sc_report_get(label, "period.releases"),
                     sc_report_get(label, "period.charges"));
    for (size_t i = 1; i <= sc_report_items(label, "budget", "population"); i++) {
        char spent[SC_BOUND_BYTES], end[SC_BOUND_BYTES], total[SC_BOUND_BYTES];
        sc_report_number(sc_report_item(label, "budget", i, "spent"), spent);
        sc_report_number(sc_report_item(label, "budget", i, "spent-end"), end);
        sc_report_number(sc_report_item(label, "budget", i, "total"), total);
        sc_output_format(output,
                         "spent       %.70s: %.20s %s in this time, %s of %s "
                         "up to its end\n",
                         sc_report_item(label, "budget", i, "population"),
                         sc_report_item(label, "budget", i, "account"), spent, end,
                         total);
    }
    sc_output_format(output, "ledger      %.24s entries, head %.64s\n",
                     sc_report_get(label, "ledger.entries"),
                     sc_report_get(label, "ledger.head"));
}

static void write_verdict(sc_output *output, const sc_report_verdict *v)
{
    const bool is_period = is_of_period(v->label);
    for (size_t i = 0; i < v->unchecked_count; i++)
        sc_output_format(output, "NOT CHECKED %s\n", v->unchecked[i]);
    if (v->unchecked_count > 0)
        sc_output_text(output, "verdict     not verified: see above\n");
    else
        sc_output_format(
            output,
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
    if (scrim_label_get(label, key) == NULL)
        return;
    sc_output_format(output, "%-12s", name);
    sc_output_text(output, sc_report_get(label, key)); /* of any length */
    sc_output_text(output, "\n");
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
    } else if (strcmp(sc_report_get(label, "file.kind"), "releases") == 0) {
        sc_output_format(output,
                         "file        a page of all releases, made when the ledger had "
                         "%.24s entries or more\n",
                         sc_report_get(label, "ledger.entries"));
    } else {
        sc_output_format(output, "release     %.24s of %.70s, version %.24s\n",
                         sc_report_get(label, "release.number"),
                         sc_report_get(label, "release.dataset"),
                         sc_report_get(label, "release.version"));
        sc_output_format(output, "claim       %.300s for one ", cost);
        sc_output_format(output, "%.130s (%.20s)\n",
                         sc_report_get(label, "protection.unit"),
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

/* The members of an object. */
static void put_json(sc_json *json, const sc_report_verdict *v)
{
    char from[SC_TIME_BYTES], to[SC_TIME_BYTES], spent[SC_REPORT_LINE_BYTES];
    const bool is_period = is_of_period(v->label);
    sc_json_array(json, "unchecked");
    for (size_t i = 0; i < v->unchecked_count; i++)
        sc_json_text(json, NULL, v->unchecked[i]);
    sc_json_end(json);
    sc_json_truth(json, "holds", v->unchecked_count == 0);
    sc_json_truth(json, "ledger", v->has_ledger);
    sc_json_truth(json, "signature", v->has_signature);
    if (!is_period)
        sc_json_number(json, "release", sc_report_get(v->label, "release.number"));
    for (size_t i = 0; i < SAID; i++)
        sc_json_text_if_any(json, said[i].name, sc_report_get(v->label, said[i].key));
    format_day(v->label, "period.from-seconds", false, from);
    format_day(v->label, "period.until-seconds", true, to);
    format_spent(v->label, spent);
    sc_json_text_if_any(json, "from", from);
    sc_json_text_if_any(json, "to", to);
    sc_json_text_if_any(json, "spent", spent);
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
