#include "cli/local/joint_decode.h"

#include "cli/local/text_reports.h"
#include "cli/sheet/listing.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"
#include "cli/terminal/whole_file.h"
#include "scrim/local_joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The verb and the subcommand, and then a file of each variable. */
#define WORDS 2

static const sc_listing_column columns[] = {
    {"first", SC_KIND_KEY},
    {"second", SC_KIND_KEY},
    {"estimate", SC_KIND_BOUND | SC_VALUE | SC_RIGHT},
    {"standard_error", SC_KIND_BOUND | SC_RIGHT}};
#define COLUMNS (sizeof columns / sizeof *columns)

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
        status = sc_page_new(options, columns, COLUMNS, &page, error);
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
