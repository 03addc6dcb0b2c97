#include "cli/release/report_verify.h"

#include "cli/release/report_html.h"
#include "cli/release/report_text.h"
#include "cli/release/report_values.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"

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

/* Charges of the time of a page that were made after it. */
typedef struct later {
    uint64_t entries, from, until, count;
} later;

static scrim_status count_charge(void *context, const scrim_vault_release *charge)
{
    later *l = context;
    const bool is_in = charge->time == 0 || (charge->time >= l->from &&
                                             (l->until == 0 || charge->time < l->until));
    l->count += charge->entry > l->entries && is_in;
    return SCRIM_OK;
}

static uint64_t number_of(const scrim_label *label, const char *key)
{
    return strtoull(sc_report_get(label, key), NULL, 10);
}

static scrim_status count_later(const checking *c, scrim_error *error)
{
    const scrim_label *label = c->out->label;
    later l = {.entries = number_of(label, "ledger.entries"),
               .from = number_of(label, "period.from-seconds"),
               .until = number_of(label, "period.until-seconds")};
    if (scrim_label_get(label, "period.charges") == NULL)
        return SCRIM_OK;
    SC_TRY(scrim_vault_history(c->proof->vault, NULL, 1, count_charge, &l, error));
    c->out->later = l.count;
    return SCRIM_OK;
}

static scrim_status check_ledger(checking *c, scrim_error *error)
{
    const scrim_label *label = c->out->label;
    scrim_status status = scrim_label_check_ledger(label, c->proof->vault, error);
    if (status == SCRIM_OK)
        status = scrim_label_again(label, c->proof->vault, &c->own, error);
    if (status != SCRIM_OK)
        return status;
    c->out->has_ledger = true;
    SC_TRY(count_later(c, error));
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
    const bool is_own = c->own != NULL && scrim_label_record(c->own) != NULL;
    const bool is_there = scrim_label_record(c->out->label) != NULL;
    const scrim_label *source =
        c->own != NULL && (is_own || !is_there) ? c->own : c->out->label;
    sc_report_values values = {0};
    if (is_own && !is_there)
        return sc_complaint_fill(error, SCRIM_E_CHECK,
                                 "the file was changed: it lacks the record of what was "
                                 "released");
    scrim_status status = sc_report_values_of(source, &values, error);
    if (status ==
        SCRIM_E_STATE) { /* also of the vault, where the caller was not shown the answer */
        leave_unchecked(c->out, "the values on the page: it has no record of them; give "
                                "its vault (--vault)");
        return SCRIM_OK;
    }
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

/* A page of a time on standard output ends with its label, which was made for all before it. */
static scrim_status check_page_of_time(const checking *c, scrim_error *error)
{
    size_t bytes = 0;
    SC_FREED sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_out_of_memory(error, "the file");
    sc_output_init_keep(output);
    sc_label_page_seal(output, c->out->label);
    SC_FREED char *end = sc_output_take(output, &bytes);
    if (end == NULL)
        return sc_out_of_memory(error, "the file");
    const bool is_end =
        bytes <= c->count && memcmp(c->bytes + c->count - bytes, end, bytes) == 0;
    return is_end ? check_digest(c->out->label, c->bytes, c->count - bytes, error)
                  : sc_complaint_fill(error, SCRIM_E_CHECK,
                                      "the file was changed: it does not end with its "
                                      "label");
}

static scrim_status check_file(const checking *c, scrim_error *error)
{
    const file_form form = form_of(c);
    size_t shown;
    if (form == FORM_HTML && !c->is_beside &&
        scrim_label_get(c->out->label, "period.charges") != NULL)
        return check_page_of_time(c, error);
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
