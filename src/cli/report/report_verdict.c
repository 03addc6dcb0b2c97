#include "cli/report/report_verdict.h"

#include "cli/report/report_view.h"
#include "cli/sheet/fold.h"
#include "cli/sheet/listing.h"
#include "cli/terminal/complaint.h"

#include <string.h>

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

static void write_table(sc_output *output, const sc_terminal *terminal,
                        const sc_report_verdict *v)
{
    const scrim_label *label = v->label;
    char cost[SC_REPORT_LINE_BYTES];
    const size_t begin = sc_fold_begin(output);
    for (size_t i = 0; i < v->unchecked_count; i++)
        sc_output_format(output, "NOT CHECKED %s\n", v->unchecked[i]);
    sc_report_cost(label, "cost.", cost);
    if (v->unchecked_count > 0)
        sc_output_text(output, "verdict     not verified: see above\n");
    else
        sc_output_format(
            output,
            "verdict     verified: every byte of the file matches the label, "
            "the claim follows from the mechanisms%s%s\n",
            v->has_ledger ? ", the ledger contains the release" : "",
            v->has_signature ? ", the signature is valid" : "");
    sc_output_format(output, "release     %.24s of %.70s, version %.24s\n",
                     sc_report_get(label, "release.number"),
                     sc_report_get(label, "release.dataset"),
                     sc_report_get(label, "release.version"));
    sc_output_format(output, "claim       %.300s for one ", cost);
    sc_output_format(output, "%.130s (%.20s)\n", sc_report_get(label, "protection.unit"),
                     sc_report_get(label, "protection.neighbours"));
    sc_fold_end(output, begin, terminal->columns);
}

/* A file that does not hold has nothing but a reason. Proofs that were not checked are empty. */
static void write_csv(sc_output *output, const sc_report_verdict *v, const char *reason)
{
    static const sc_listing_column columns[] = {
        {.name = "unchecked"}, {.name = "holds"},   {.name = "ledger"},
        {.name = "signature"}, {.name = "release"}, {.name = "reason"}};
    char unchecked[SC_REPORT_UNCHECKED * (SC_REPORT_UNCHECKED_BYTES + 2)] = "";
    const char *cells[] = {unchecked, "false", NULL, NULL, NULL, reason};
    if (v != NULL) {
        join(v, unchecked, sizeof unchecked);
        cells[1] = v->unchecked_count == 0 ? "true" : "false";
        cells[2] = v->has_ledger ? "true" : NULL;
        cells[3] = v->has_signature ? "true" : NULL;
        cells[4] = sc_report_get(v->label, "release.number");
    }
    sc_listing_csv_row(output, columns, sizeof columns / sizeof *columns, cells);
}

static void write_json(sc_output *output, const sc_report_verdict *v)
{
    sc_json json;
    sc_json_init(&json, output);
    sc_json_object(&json, NULL);
    sc_json_array(&json, "unchecked");
    for (size_t i = 0; i < v->unchecked_count; i++)
        sc_json_text(&json, NULL, v->unchecked[i]);
    sc_json_end(&json);
    sc_json_truth(&json, "holds", v->unchecked_count == 0);
    sc_json_truth(&json, "ledger", v->has_ledger);
    sc_json_truth(&json, "signature", v->has_signature);
    sc_json_number(&json, "release", sc_report_get(v->label, "release.number"));
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
        write_json(output, verdict);
        break;
    }
}

void sc_report_verdict_refuse(sc_output *output, sc_format format, const char *reason)
{
    sc_json json;
    if (format == SCRIM_FORMAT_TABLE)
        return;
    if (format == SCRIM_FORMAT_CSV) {
        write_csv(output, NULL, reason);
        return;
    }
    sc_json_init(&json, output);
    sc_json_object(&json, NULL);
    sc_json_array(&json, "unchecked");
    sc_json_end(&json);
    sc_json_truth(&json, "holds", false);
    sc_json_text(&json, "reason", reason);
    sc_json_end(&json);
}

scrim_status sc_report_verdict_status(const sc_report_verdict *verdict,
                                      scrim_error *error)
{
    return verdict->unchecked_count == 0
               ? SCRIM_OK
               : sc_complaint_fill(error, SCRIM_E_CHECK, "not checked: %s",
                                   verdict->unchecked[0]);
}
