#include "cli/release/text_decode.h"

#include "cli/display/listing.h"
#include "cli/release/local_files.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"
#include "cli/terminal/whole_file.h"
#include "scrim/local_joint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sc_text_reports {
    uint8_t *bytes;
    size_t count; /* reports */
} sc_text_reports;

#define FILE_BYTES ((size_t)1 << 28)
#define REPORTS_BYTES ((size_t)1 << 30) /* of all files together */
#define WORDS 2

/* Does a header stand where a report should, as if two batches were joined in one file? */
static bool is_joined(const sc_whole_file *file, const uint8_t *header, size_t stride)
{
    for (size_t at = SCRIM_LOCAL_HEADER_BYTES;
         at + SCRIM_LOCAL_HEADER_BYTES <= file->count; at += stride)
        if (memcmp(file->bytes + at, header, SCRIM_LOCAL_HEADER_BYTES) == 0)
            return true;
    return false;
}

static scrim_status take_file(const char *path, const sc_whole_file *file,
                              const scrim_local_config *config, sc_text_reports *out,
                              scrim_error *error)
{
    const size_t bytes = scrim_local_report_bytes(config);
    uint8_t header[SCRIM_LOCAL_HEADER_BYTES];
    scrim_local_header(config, header);
    const bool is_batch = file->count >= sizeof header && file->bytes[3] == 1;
    header[3] = is_batch;
    const size_t before = is_batch ? sizeof header : 0;
    const size_t stride = is_batch ? bytes : bytes + sizeof header;
    if (is_batch && is_joined(file, header, stride))
        return sc_complaint_fill(error, SCRIM_E_INPUT,
                                 "'%.120s' has two batches; give the files one by one, "
                                 "not joined",
                                 path);
    if ((file->count - before) % stride != 0)
        return sc_complaint_fill(error, SCRIM_E_INPUT,
                                 "'%.120s': the file ends within a report", path);
    const size_t count = (file->count - before) / stride;
    if (out->count + count > REPORTS_BYTES / bytes)
        return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                 "the files have more than %zu bytes of reports; decode "
                                 "fewer at a time",
                                 REPORTS_BYTES);
    uint8_t *grown = realloc(out->bytes, (out->count + count + 1) * bytes);
    if (grown == NULL)
        return sc_out_of_memory(error, "reports");
    out->bytes = grown;
    for (size_t i = 0; i < count + is_batch; i++) {
        const char *at = file->bytes + (is_batch ? 0 : i * stride);
        if (memcmp(at, header, sizeof header) != 0)
            return sc_complaint_fill(error, SCRIM_E_INPUT,
                                     "'%.120s': not reports of this configuration", path);
        if (i < count)
            memcpy(grown + out->count++ * bytes, file->bytes + sizeof header + i * stride,
                   bytes);
    }
    return SCRIM_OK;
}

/* Adds the reports of one file. */
static scrim_status sc_text_reports_file(const char *path,
                                         const scrim_local_config *config,
                                         sc_text_reports *out, scrim_error *error)
{
    SC_OWNED(sc_whole_file_clear) sc_whole_file file = {.bytes = NULL};
    SC_TRY(sc_whole_file_read(path, FILE_BYTES, &file, error));
    return take_file(path, &file, config, out, error);
}

/* Reads the reports of the files that are named behind the subcommand: messages or batches of
 * this configuration. sc_text_reports_clear frees them, also on failure. */
static scrim_status sc_text_reports_read(const sc_options *options,
                                         const scrim_local_config *config,
                                         sc_text_reports *out, scrim_error *error)
{
    *out = (sc_text_reports){.bytes = NULL};
    if (options->word_count <= WORDS)
        return sc_refuse(error, "name the files of reports; - is standard input");
    for (size_t i = WORDS; i < options->word_count; i++)
        SC_TRY(sc_text_reports_file(options->words[i], config, out, error));
    return SCRIM_OK;
}

static void sc_text_reports_clear(sc_text_reports *reports)
{
    free(reports->bytes);
}

static const sc_listing_column columns[] = {
    {"text", SC_KIND_KEY},
    {"estimate", SC_KIND_BOUND | SC_VALUE | SC_RIGHT},
    {"standard_error", SC_KIND_BOUND | SC_RIGHT},
    {"p", SC_KIND_BOUND | SC_RIGHT}};
#define COLUMNS (sizeof columns / sizeof *columns)

bool sc_text_decode_is_for(const scrim_local_config *config)
{
    return config->protocol == SCRIM_LOCAL_PREFIX ||
           config->protocol == SCRIM_LOCAL_TEXT_HASHING || config->hashes > 0;
}

static void add_row(sc_listing *page, const char *text, double estimate, double error,
                    double p)
{
    sc_listing_put(page, "%s", text);
    sc_listing_put(page, "%.0f", estimate);
    sc_listing_put(page, "%.0f", error);
    sc_listing_put(page, "%.3g", p);
}

/* Candidates as the device pads them; NULL without memory. */
static uint8_t *pad(const scrim_local_config *config, const sc_text_request *request)
{
    uint8_t *texts = calloc(request->name_count + 1, config->text);
    for (size_t i = 0; texts != NULL && i < request->name_count; i++) {
        const size_t length = strlen(request->names[i]);
        memcpy(texts + i * config->text, request->names[i],
               length < config->text ? length : config->text);
    }
    return texts;
}

/* ---- rappor ---- */

static void note_explained(const scrim_local_explained *e, const sc_text_request *request,
                           const scrim_local_candidate *rows)
{
    for (size_t i = 0; i < request->name_count; i++)
        if (rows[i].same != i)
            sc_talk("'%.60s' sets the same bits as '%.60s', which stands for both\n",
                    request->names[i], request->names[rows[i].same]);
    sc_talk(
        "%.0f reports; %zu candidates kept of %zu selected; %.0f devices (± %.0f) hold "
        "other texts\n",
        e->devices, e->kept, e->selected, e->unexplained, e->unexplained_error);
    sc_talk("the selection of candidates is a procedure without a proven error rate; "
            "errors and p are as if the selected ones had been given\n");
    if (e->misfit > 1)
        sc_talk("errors are widened by a factor of %.3g: texts outside of the list "
                "disturb the bits\n",
                e->misfit);
}

/* The next of the kept candidates, ordered by falling estimate, then by place; `last` is the one
 * before, or count at first. */
static size_t next_kept(const scrim_local_candidate *rows, size_t count, size_t last)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
        const bool is_behind = last == count || rows[i].estimate < rows[last].estimate ||
                               (rows[i].estimate == rows[last].estimate && i > last);
        if (rows[i].is_kept && is_behind &&
            (best == count || rows[i].estimate > rows[best].estimate))
            best = i;
    }
    return best;
}

static void add_candidates(sc_listing *page, const sc_text_request *request,
                           const scrim_local_candidate *rows)
{
    const size_t count = request->name_count;
    size_t at = next_kept(rows, count, count);
    for (size_t shown = 0; at < count && (request->top == 0 || shown < request->top);
         shown++) {
        add_row(page, request->names[at], rows[at].estimate, rows[at].error,
                rows[at].p_value);
        at = next_kept(rows, count, at);
    }
}

static scrim_status decode_rappor(const scrim_local_config *config,
                                  const sc_text_request *request,
                                  const sc_options *options, sc_listing *page,
                                  scrim_error *error)
{
    SC_OWNED(scrim_collection_free_at) scrim_collection *collection = NULL;
    scrim_local_explained explained;
    SC_FREED uint8_t *texts = pad(config, request);
    SC_FREED scrim_local_candidate *rows = calloc(request->name_count + 1, sizeof *rows);
    SC_TRY(texts == NULL || rows == NULL
               ? sc_out_of_memory(error, "candidates")
               : sc_local_collect_files(options, &collection, error));
    SC_TRY(scrim_collection_candidates(collection, texts, request->name_count, rows,
                                       &explained, error));
    add_candidates(page, request, rows);
    if (!sc_options_has(options, SCRIM_OPTION_QUIET))
        note_explained(&explained, request, rows);
    return SCRIM_OK;
}

/* ---- protocols whose decoder needs the reports themselves ---- */

/* The text itself if all its bytes are printable ASCII, else in hexadecimal. */
static void spell(const uint8_t *text, char out[2 * SCRIM_LOCAL_TEXT_BYTES + 3])
{
    size_t length = SCRIM_LOCAL_TEXT_BYTES;
    bool is_plain = true;
    while (length > 0 && text[length - 1] == 0)
        length--;
    for (size_t i = 0; i < length; i++)
        is_plain &= text[i] >= ' ' && text[i] <= '~';
    if (!is_plain)
        memcpy(out, "0x", 3);
    for (size_t i = 0; !is_plain && i < length; i++)
        snprintf(out + 2 + 2 * i, 3, "%02x", text[i]);
    if (is_plain) {
        memcpy(out, text, length);
        out[length] = '\0';
    }
}

static void add_texts(sc_listing *page, const sc_text_request *request,
                      const scrim_local_unknown *found)
{
    size_t count;
    const scrim_local_text *rows = scrim_local_unknown_texts(found, &count);
    for (size_t i = 0; i < count && (request->top == 0 || i < request->top); i++) {
        char text[2 * SCRIM_LOCAL_TEXT_BYTES + 3];
        spell(rows[i].text, text);
        add_row(page, text, rows[i].estimate, rows[i].error, rows[i].p_value);
    }
}

static void note_found(const scrim_local_unknown *found, const sc_text_request *request)
{
    scrim_local_unknown_facts facts;
    scrim_local_unknown_describe(found, &facts);
    sc_talk("%llu reports, %llu dropped; %llu candidates tested on %llu reports\n",
            (unsigned long long)facts.reports, (unsigned long long)facts.dropped,
            (unsigned long long)facts.candidates, (unsigned long long)facts.last_group);
    if (request->is_rate)
        sc_talk("of the texts listed, at most a share of %.3g is expected to be held by "
                "nobody\n",
                request->alpha);
    else
        sc_talk("with probability %.6g or more, every text listed is held by somebody\n",
                1 - request->alpha);
    sc_talk(
        "a text that %.3g %% of the devices hold is listed with a chance of about 0.9\n",
        100 * facts.detectable);
}

static scrim_status decode_reports(const scrim_local_config *config,
                                   const sc_text_request *request,
                                   const sc_options *options, sc_listing *page,
                                   scrim_error *error)
{
    const scrim_local_unknown_options asked = {
        .size = sizeof asked, .alpha = request->alpha, .is_rate = request->is_rate};
    scrim_local_unknown *found = NULL;
    sc_text_reports reports = {.bytes = NULL};
    uint8_t *texts = pad(config, request);
    scrim_status status = texts == NULL
                              ? sc_out_of_memory(error, "candidates")
                              : sc_text_reports_read(options, config, &reports, error);
    if (status == SCRIM_OK && reports.count == 0)
        status = sc_complaint_fill(error, SCRIM_E_STATE, "there is no report to decode");
    if (status == SCRIM_OK)
        status =
            config->protocol == SCRIM_LOCAL_PREFIX
                ? scrim_local_unknown_search(config, reports.bytes, reports.count, &asked,
                                             &found, error)
                : scrim_local_unknown_count(config, reports.bytes, reports.count, texts,
                                            request->name_count, &asked, &found, error);
    if (status == SCRIM_OK)
        add_texts(page, request, found);
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET))
        note_found(found, request);
    scrim_local_unknown_free(found);
    sc_text_reports_clear(&reports);
    free(texts);
    return status;
}

scrim_status sc_text_decode_show(const scrim_local_config *config,
                                 const sc_text_request *request,
                                 const sc_options *options, scrim_error *error)
{
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    if (config->protocol != SCRIM_LOCAL_PREFIX && request->name_count == 0)
        return sc_refuse(error, "name the candidate texts, one a line: --names FILE");
    SC_TRY(sc_page_new(options, columns, COLUMNS, &page, error));
    SC_TRY(config->hashes > 0 ? decode_rappor(config, request, options, page, error)
                              : decode_reports(config, request, options, page, error));
    return sc_page_write(page, error);
}

/* Two variables together: the words are the verb, the subcommand, and a file of reports for each
 * variable. */

static const sc_listing_column joint_columns[] = {
    {"first", SC_KIND_KEY},
    {"second", SC_KIND_KEY},
    {"estimate", SC_KIND_BOUND | SC_VALUE | SC_RIGHT},
    {"standard_error", SC_KIND_BOUND | SC_RIGHT}};

typedef struct joint_table {
    scrim_local_config configs[2];
    scrim_local_variable variables[2];
    sc_text_reports reports[2];
    uint8_t *texts[2], *pairs;
    double *counts, *errors;
    unsigned passes;
} joint_table;

static scrim_status read_config(const char *path, scrim_local_config *out,
                                scrim_error *error)
{
    SC_OWNED(sc_whole_file_clear) sc_whole_file file = {.bytes = NULL};
    SC_TRY(sc_whole_file_read(path, SCRIM_LOCAL_CONFIG_BYTES, &file, error));
    if (scrim_local_config_parse(file.bytes, out) != SCRIM_LOCAL_OK)
        return sc_refuse(error, "'%.120s' is not a configuration of local reports", path);
    return SCRIM_OK;
}

/* Candidates as the device pads them; the others have the values of their configuration. */
static scrim_status set_variable(joint_table *t, size_t i, const sc_joint_names *names,
                                 scrim_error *error)
{
    const scrim_local_config *config = &t->configs[i];
    t->variables[i] = (scrim_local_variable){config, NULL, config->values};
    if (config->hashes == 0)
        return SCRIM_OK;
    if (names->counts[i] == 0)
        return sc_refuse(error, "name the candidate texts, one a line: %s FILE",
                         i == 0 ? "--names" : "--joint-names");
    t->texts[i] = calloc(names->counts[i], config->text);
    if (t->texts[i] == NULL)
        return sc_out_of_memory(error, "candidates");
    for (size_t v = 0; v < names->counts[i]; v++) {
        const size_t length = strlen(names->names[i][v]);
        memcpy(t->texts[i] + v * config->text, names->names[i][v],
               length < config->text ? length : config->text);
    }
    t->variables[i].texts = t->texts[i];
    t->variables[i].values = names->counts[i];
    return SCRIM_OK;
}

static scrim_status read_variables(joint_table *t, const sc_joint_names *names,
                                   const sc_options *options, scrim_error *error)
{
    const char *const paths[] = {options->value[SCRIM_OPTION_CONFIG],
                                 options->value[SCRIM_OPTION_JOINT]};
    if (paths[0] == NULL)
        return sc_refuse(error, "name the configuration of the devices: --config FILE");
    if (options->word_count != WORDS + 2)
        return sc_refuse(error,
                         "--joint takes two files of reports, one of each configuration");
    for (size_t i = 0; i < 2; i++) {
        SC_TRY(read_config(paths[i], &t->configs[i], error));
        SC_TRY(set_variable(t, i, names, error));
        SC_TRY(sc_text_reports_file(options->words[WORDS + i], &t->configs[i],
                                    &t->reports[i], error));
    }
    if (t->reports[0].count != t->reports[1].count)
        return sc_complaint_fill(
            error, SCRIM_E_INPUT,
            "the files have %zu and %zu reports; each device sends one of both",
            t->reports[0].count, t->reports[1].count);
    return SCRIM_OK;
}

static scrim_status decode(joint_table *t, scrim_error *error)
{
    const size_t count = t->reports[0].count;
    const size_t bytes[2] = {scrim_local_report_bytes(&t->configs[0]),
                             scrim_local_report_bytes(&t->configs[1])};
    t->pairs = calloc(count + 1, bytes[0] + bytes[1]);
    /* The library refuses tables of more cells. */
    t->counts = calloc(SCRIM_LOCAL_JOINT_CELLS, sizeof *t->counts);
    t->errors = calloc(SCRIM_LOCAL_JOINT_CELLS, sizeof *t->errors);
    if (t->pairs == NULL || t->counts == NULL || t->errors == NULL)
        return sc_out_of_memory(error, "reports");
    for (size_t i = 0; i < count; i++) {
        uint8_t *pair = t->pairs + i * (bytes[0] + bytes[1]);
        memcpy(pair, t->reports[0].bytes + i * bytes[0], bytes[0]);
        memcpy(pair + bytes[0], t->reports[1].bytes + i * bytes[1], bytes[1]);
    }
    return scrim_local_joint_decode(t->variables, t->pairs, count, t->counts, t->errors,
                                    &t->passes, error);
}

static void put_name(sc_listing *page, const sc_joint_names *names, size_t i,
                     size_t value)
{
    if (value < names->counts[i])
        sc_listing_put(page, "%s", names->names[i][value]);
    else
        sc_listing_put(page, "%zu", value);
}

static void fill(const joint_table *t, const sc_joint_names *names, sc_listing *page)
{
    const size_t width = t->variables[1].values;
    for (size_t c = 0; c < t->variables[0].values * width; c++) {
        put_name(page, names, 0, c / width);
        put_name(page, names, 1, c % width);
        sc_listing_put(page, "%.6g", t->counts[c]);
        if (isnan(t->errors[c]))
            sc_listing_put(page, NULL);
        else
            sc_listing_put(page, "%.6g", t->errors[c]);
    }
}

static void note(const joint_table *t)
{
    sc_talk("%s and %s: %zu devices; the most likely counts after %u updates by Bayes' "
            "rule\n",
            t->configs[0].question, t->configs[1].question, t->reports[0].count,
            t->passes);
    sc_talk("counts near 0 are biased, and standard errors are approximate; one is "
            "missing where the reports do not determine it\n");
}

scrim_status sc_joint_decode_show(const sc_joint_names *names, const sc_options *options,
                                  scrim_error *error)
{
    sc_listing *page = NULL;
    joint_table *t = calloc(1, sizeof *t);
    if (t == NULL)
        return sc_out_of_memory(error, "a table");
    scrim_status status = read_variables(t, names, options, error);
    if (status == SCRIM_OK)
        status = sc_page_new(options, joint_columns, COLUMNS, &page, error);
    if (status == SCRIM_OK) {
        status = decode(t, error);
        if (status == SCRIM_OK)
            fill(t, names, page);
        status = sc_page_end(page, status, error);
    }
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET))
        note(t);
    for (size_t i = 0; i < 2; i++) {
        sc_text_reports_clear(&t->reports[i]);
        free(t->texts[i]);
    }
    free(t->pairs);
    free(t->counts);
    free(t->errors);
    free(t);
    return status;
}
