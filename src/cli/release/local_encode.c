/* release/local_encode */
#include "cli/release/local_files.h"
#include "cli/release/local_tape.h"
#include "cli/release/subcommands.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/output.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/program.h"
#include "cli/terminal/talk.h"
#include "scrim_local.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* scrim local encode --config FILE [--names FILE] < values > reports */
#ifdef SCRIM_TESTING
#endif

/* Reports that are made at a time. */
#define CHUNK 4096

typedef struct encoding {
    uint64_t lines, fallen; /* fallen: they say no value, and count as the last one */
    bool is_quiet;
    scrim_local_config config;
    size_t report_bytes;
    scrim_local_source source;
    sc_value_names names;
    sc_named_value *named; /* NULL: values are numbers, or texts */
    /* The line that is being read: a number, as far as it is one, and its first bytes. */
    uint64_t number;
    bool is_number, is_empty, is_begun, has_return;
    uint8_t *text;
    size_t text_room, text_bytes;
    uint32_t *values; /* that wait */
    size_t waiting;
    uint8_t *reports;
    sc_output output;
} encoding;

static scrim_status fail_local(scrim_local_status status, scrim_error *error)
{
    if (status == SCRIM_LOCAL_E_ENTROPY)
        return sc_complaint_fill(error, SCRIM_E_ENTROPY, "there are no random bits");
    return sc_refuse(error, "devices of this configuration keep a state; there is no "
                            "report of a value alone");
}

static scrim_status send_waiting(encoding *e, scrim_error *error)
{
    const scrim_local_status status = scrim_local_encode_many(
        &e->config, e->values, e->waiting, &e->source, e->reports);
    if (status != SCRIM_LOCAL_OK)
        return fail_local(status, error);
    sc_output_bytes(&e->output, e->reports, e->waiting * e->report_bytes);
    e->waiting = 0;
    return SCRIM_OK;
}

static scrim_status send_text(encoding *e, scrim_error *error)
{
    const scrim_local_status status =
        scrim_local_encode_text(&e->config, e->text, &e->source, e->reports);
    if (status != SCRIM_LOCAL_OK)
        return fail_local(status, error);
    sc_output_bytes(&e->output, e->reports, e->report_bytes);
    return SCRIM_OK;
}

static void begin_line(encoding *e)
{
    e->number = 0;
    e->is_number = e->is_begun = e->has_return = false;
    e->is_empty = true;
    e->text_bytes = 0;
    memset(e->text, 0, e->text_room);
}

/* The value that the line says; UINT32_MAX, which counts as the last one, where it says none. */
static uint32_t value_of(const encoding *e)
{
    if (e->named != NULL) {
        const sc_named_value *found =
            sc_value_names_find(e->named, e->names.count, (const char *)e->text);
        return found != NULL && strlen(found->name) == e->text_bytes
                   ? (uint32_t)found->value
                   : UINT32_MAX;
    }
    return e->is_number && e->number < UINT32_MAX ? (uint32_t)e->number : UINT32_MAX;
}

static scrim_status end_line(encoding *e, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (e->config.text > 0) {
        status = send_text(e, error);
    } else {
        const uint32_t value = value_of(e);
        e->lines++;
        e->fallen += value >= e->config.values;
        e->values[e->waiting++] = value;
        if (e->waiting == CHUNK)
            status = send_waiting(e, error);
    }
    begin_line(e);
    return status;
}

static void put_character(encoding *e, char c)
{
    const bool is_digit = c >= '0' && c <= '9';
    if (e->text_bytes < e->text_room)
        e->text[e->text_bytes++] = (uint8_t)c;
    e->is_number = is_digit && (e->is_number || e->is_empty);
    e->is_empty = false;
    e->number = e->number > UINT32_MAX
                    ? e->number
                    : 10 * e->number + (is_digit ? (uint64_t)(c - '0') : 0);
}

/* A carriage return waits: at the end of a line it is no part of it. */
static void take_character(encoding *e, char c)
{
    if (e->has_return)
        put_character(e, '\r');
    e->has_return = c == '\r';
    if (!e->has_return)
        put_character(e, c);
    e->is_begun = true;
}

static scrim_status take(void *context, const char *bytes, size_t count,
                         scrim_error *error)
{
    encoding *e = context;
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\n')
            SC_TRY(end_line(e, error));
        else
            take_character(e, bytes[i]);
    }
    return SCRIM_OK;
}

/* Values are given by name. A line that is longer than every name matches no name. */
static scrim_status prepare_names(encoding *e, const char *path, scrim_error *error)
{
    if (path != NULL && e->config.text > 0)
        return sc_refuse(error, "--names is for values; this configuration takes texts");
    scrim_status status = sc_value_names_read(path, &e->names, error);
    if (status == SCRIM_OK && path != NULL && e->names.count != e->config.values)
        status =
            sc_complaint_fill(error, SCRIM_E_INPUT,
                              "--names has %zu names for %u values; list one for each",
                              e->names.count, (unsigned)e->config.values);
    if (status == SCRIM_OK && path != NULL)
        status = sc_value_names_sort(&e->names, &e->named, error);
    e->text_room = e->config.text;
    for (size_t i = 0; i < e->names.count; i++)
        if (strlen(e->names.names[i]) >= e->text_room)
            e->text_room = strlen(e->names.names[i]) + 1;
    return status;
}

static scrim_status prepare(encoding *e, const char *config, const char *names,
                            scrim_error *error)
{
    scrim_collection *collection = NULL;
    /* Words a refusal of the configuration. */
    if (scrim_local_config_parse(config, &e->config) != SCRIM_LOCAL_OK) {
        const scrim_status status = scrim_collection_new(config, &collection, error);
        scrim_collection_free(collection);
        return status;
    }
    const scrim_status status = prepare_names(e, names, error);
    if (status != SCRIM_OK)
        return status;
    e->report_bytes = scrim_local_report_bytes(&e->config);
    e->text = calloc(1, e->text_room + 1);
    e->values = calloc(CHUNK, sizeof *e->values);
    e->reports = calloc(CHUNK, e->report_bytes);
    if (e->text == NULL || e->values == NULL || e->reports == NULL)
        return sc_out_of_memory(error, "reports");
    return SCRIM_OK;
}

/* Are values amounts, so that no value can stand for a missing one? */
static bool is_of_numbers(const scrim_local_config *config)
{
    return config->protocol >= SCRIM_LOCAL_SQUARE_WAVE;
}

static scrim_status write_reports(encoding *e, scrim_error *error)
{
    uint8_t header[SCRIM_LOCAL_HEADER_BYTES];
    sc_output_init(&e->output, STDOUT_FILENO);
    scrim_local_header(&e->config, header);
    header[3] = 1; /* a batch */
    sc_output_bytes(&e->output, header, sizeof header);
    begin_line(e);
    SC_TRY(sc_file_pieces("-", take, e, error));
    if (e->is_begun)
        SC_TRY(end_line(e, error));
    if (e->waiting > 0)
        SC_TRY(send_waiting(e, error));
    SC_TRY(sc_output_finish(&e->output, error));
    if (e->fallen > 0 && !e->is_quiet)
        sc_talk("%" PRIu64 " of %" PRIu64 " lines %s %s; %s as the last value\n",
                e->fallen, e->lines, e->fallen == 1 ? "is" : "are",
                e->named != NULL ? "not in --names"
                : e->fallen == 1 ? "not a value"
                                 : "not values",
                e->fallen == 1 ? "it counts" : "they count");
    if (e->fallen > 0 && !e->is_quiet && is_of_numbers(&e->config))
        sc_talk("caution: the last value is the largest number, %u; leave out lines that "
                "have none, or the mean rises\n",
                (unsigned)e->config.values - 1);
    return SCRIM_OK;
}

static scrim_status encode(encoding *e, const sc_options *options, scrim_error *error)
{
    SC_OWNED(sc_whole_file_clear) sc_whole_file config = {.bytes = NULL};
    sc_terminal terminal;
    if (options->word_count > 2)
        return sc_refuse(error,
                         "unexpected argument '%.40s'; values come from standard "
                         "input, as in 'scrim local encode --config CONFIG < VALUES'",
                         options->words[2]);
    sc_terminal_look(STDOUT_FILENO, &terminal);
    if (terminal.is_terminal)
        return sc_refuse(
            error, "reports would garble the terminal; send them to a file or pipe");
    e->is_quiet = sc_options_has(options, SCRIM_OPTION_QUIET);
    SC_TRY(sc_local_config_file(options, &config, error));
    SC_TRY(prepare(e, config.bytes, options->value[SCRIM_OPTION_NAMES], error));
    return write_reports(e, error);
}

static scrim_status run_encode(const sc_options *options, scrim_error *error)
{
    encoding *e = calloc(1, sizeof *e);
    if (e == NULL)
        return sc_out_of_memory(error, "reports");
    scrim_status status = SCRIM_OK;
    e->source = scrim_local_system;
#ifdef SCRIM_TESTING
    struct sc_tape *tape = NULL;
    status = sc_options_tape(options, &tape, error);
    e->source = sc_local_tape_source(tape);
#endif
    if (status == SCRIM_OK)
        status = encode(e, options, error);
#ifdef SCRIM_TESTING
    sc_tape_free(tape);
#endif
    free(e->reports);
    free(e->values);
    free(e->text);
    free(e->named);
    sc_value_names_clear(&e->names);
    free(e);
    return status;
}

static const char usage[] =
    "Makes one report of each line, as a device does: for public or simulated\n"
    "values, tests and gateways. Never collect private values to encode them here. A\n"
    "value is a number from 0 on, or with --names a name; any other line, blank or a\n"
    "heading, counts as the last value. Of numbers that is the largest: leave lines\n"
    "without a number out. Configurations of texts take the line itself.\n"
    "\n"
    "  --config FILE      the configuration of the devices\n"
    "  --names FILE       names of the values 0, 1, ..., one a line\n"
    "  --quiet            no notes on standard error, such as how many lines count as\n"
    "                     the last value\n" SC_USAGE_SEED "\n"
    "example: scrim local encode --config emoji.config < values > monday.reports\n";

const sc_command sc_local_encode = {
    .name = "encode",
    .synopsis = "--config FILE [--names FILE] < VALUES > REPORTS",
    .summary = "make reports of public or simulated values",
    .usage = usage,
    .kind = SC_COMMAND_ACT,
    .options = SC_OPTION_SET(SCRIM_OPTION_CONFIG, SCRIM_OPTION_NAMES, SCRIM_OPTION_SEED),
    .run = run_encode,
};
