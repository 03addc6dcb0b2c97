/* release/local_amplify */
#include "cli/display/curve_plot.h"
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"
#include "cli/release/local_files.h"
#include "cli/release/subcommands.h"
#include "cli/terminal/command.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/screen.h"
#include "cli/terminal/talk.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* scrim local amplify --users N --epsilon E --delta D [PROTOCOL key=value...] */
#define USERS_MOST UINT64_C(1000000000)
#define POINTS 9 /* of the picture: 100 to 10^6, two a power of ten */

typedef struct amplify_state {
    scrim_amplify_options asked;
    scrim_amplification found;
    uint64_t users, honest;
    const char *shuffler; /* NULL: not declared */
    bool has_honest, is_claim;
    char *line;                   /* the protocol; "" for any */
    char epsilon[SC_BOUND_BYTES]; /* of a report by --config */
    sc_progress progress;
    sc_bounds_point points[POINTS];
    sc_bounds_view curve;
    sc_screen screen;
} amplify_state;

/* The request. */

static scrim_status read_count(const sc_options *options, sc_option option, uint64_t most,
                               uint64_t missing, uint64_t *out, scrim_error *error)
{
    if (sc_options_number(options, option, most, missing, out, error) != SCRIM_OK ||
        *out == 0)
        return sc_refuse(error, "%s must be a whole number from 1 to %" PRIu64,
                         sc_option_name(option), most);
    return SCRIM_OK;
}

static scrim_status read_needed(const sc_options *options, scrim_error *error)
{
    static const sc_option needed[] = {SCRIM_OPTION_USERS, SCRIM_OPTION_EPSILON,
                                       SCRIM_OPTION_DELTA};
    const bool has_config = sc_options_has(options, SCRIM_OPTION_CONFIG);
    if (has_config && sc_options_has(options, SCRIM_OPTION_EPSILON))
        return sc_refuse(error,
                         "--config has the epsilon of a report; leave out --epsilon");
    if (has_config && options->word_count > 2)
        return sc_refuse(error, "--config has the protocol; leave out '%.40s'",
                         options->words[2]);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!sc_options_has(options, needed[i]) &&
            !(has_config && needed[i] == SCRIM_OPTION_EPSILON))
            return sc_refuse(error,
                             "%s is missing, as in 'scrim local amplify --users "
                             "1e5 --epsilon 4 --delta 1e-6'",
                             sc_option_name(needed[i]));
    return SCRIM_OK;
}

/* A claim names its shuffler. */
static scrim_status read_shuffler(amplify_state *state, const sc_options *options,
                                  scrim_error *error)
{
    state->shuffler = options->value[SCRIM_OPTION_SHUFFLER];
    if (state->shuffler != NULL &&
        state->shuffler[strspn(state->shuffler, " \t\r\n")] == '\0')
        return sc_refuse(error, "--shuffler must say who shuffles the reports");
    return SCRIM_OK;
}

/* The words of a configuration that amplification knows, "subset-selection values=50 chosen=6". "" for other protocols: the
 * bound for any protocol holds for them. */
static char *protocol_of(const char *config, const char *protocol)
{
    static const struct {
        const char *name, *keys[3];
    } known[] = {{"randomised-response", {"values"}},
                 {"projective-geometry", {"field", "digits"}},
                 {"subset-selection", {"values", "chosen"}},
                 {"hadamard", {"blocks"}},
                 {"local-hashing", {"field"}},
                 {"text-hashing", {"cells"}},
                 {"optimised-unary", {NULL}},
                 {"symmetric-unary", {NULL}},
                 {"square-wave", {"values", "width"}}};
    size_t used = 0;
    char *line = calloc(1, strlen(config) + strlen(protocol) + 8);
    for (size_t i = 0; line != NULL && i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, protocol) != 0)
            continue;
        used = (size_t)sprintf(line, "%s", protocol);
        for (size_t k = 0; k < 3 && known[i].keys[k] != NULL; k++) {
            char key[16];
            snprintf(key, sizeof key, " %s=", known[i].keys[k]);
            const char *at = strstr(config, key);
            if (at != NULL)
                used += (size_t)sprintf(line + used, "%.*s",
                                        (int)(1 + strcspn(at + 1, " \r\n")), at);
        }
    }
    return line;
}

/* The protocol and the epsilon of a report, rounded up. */
static scrim_status read_config(amplify_state *state, const sc_options *options,
                                scrim_error *error)
{
    SC_OWNED(sc_whole_file_clear) sc_whole_file config = {.bytes = NULL};
    SC_OWNED(scrim_collection_free_at) scrim_collection *collection = NULL;
    scrim_local_config parsed;
    SC_TRY(sc_local_config_file(options, &config, error));
    if (scrim_local_config_parse(config.bytes, &parsed) != SCRIM_LOCAL_OK) {
        /* words the refusal */
        SC_TRY(scrim_collection_new(config.bytes, &collection, error));
        return sc_refuse(error, "the configuration cannot be read");
    }
    const uint64_t loss = scrim_local_loss(&parsed);
    state->line = protocol_of(config.bytes, scrim_local_protocol_name(parsed.protocol));
    sc_bound_format(ldexp((double)loss, -32), true, state->epsilon);
    if (loss == UINT64_MAX)
        return sc_refuse(error, "a report of this configuration has no epsilon");
    return state->line == NULL ? sc_out_of_memory(error, "the configuration") : SCRIM_OK;
}

static scrim_status read_request(amplify_state *state, const sc_options *options,
                                 scrim_error *error)
{
    SC_TRY(read_needed(options, error));
    SC_TRY(read_count(options, SCRIM_OPTION_USERS, USERS_MOST, 0, &state->users, error));
    SC_TRY(read_count(options, SCRIM_OPTION_HONEST, state->users, state->users,
                      &state->honest, error));
    SC_TRY(read_shuffler(state, options, error));
    SC_TRY(sc_screen_read(options, &state->screen, error));
    state->has_honest = sc_options_has(options, SCRIM_OPTION_HONEST);
    state->is_claim = state->shuffler != NULL && state->has_honest;
    if (sc_options_has(options, SCRIM_OPTION_CONFIG))
        SC_TRY(read_config(state, options, error));
    else
        state->line = sc_word_line(options->words + 2, options->word_count - 2);
    if (state->line == NULL)
        return sc_out_of_memory(error, "the arguments");
    state->asked = *SCRIM_OPTIONS(
        scrim_amplify_options, .devices = state->honest,
        .epsilon = state->epsilon[0] != '\0' ? state->epsilon
                                             : options->value[SCRIM_OPTION_EPSILON],
        .delta = options->value[SCRIM_OPTION_DELTA], .protocol = state->line,
        .progress = sc_progress_told, .context = &state->progress);
    return SCRIM_OK;
}

static scrim_status make_curve(amplify_state *state, scrim_error *error)
{
    scrim_amplify_options asked = state->asked;
    uint64_t devices = 100;
    if (!sc_screen_draws(&state->screen))
        return SCRIM_OK;
    for (size_t i = 0; i < POINTS; i++) {
        scrim_amplification found = {.upper_view = 0};
        asked.devices = devices;
        SC_TRY(scrim_amplify(&asked, &found, error));
        state->points[i] =
            (sc_bounds_point){(double)devices, found.lower_view, found.upper_view};
        devices = i % 2 == 0 ? devices * 3 : devices / 3 * 10;
    }
    state->curve =
        (sc_bounds_view){.title = "epsilon against the number of honest devices",
                         .x_name = "honest devices",
                         .x_is_log = true,
                         .points = state->points,
                         .count = POINTS,
                         .has_mark = state->honest >= 100 && state->honest <= 1000000,
                         .mark = (double)state->honest};
    return SCRIM_OK;
}

static void draw(const void *context, sc_output *output, const sc_terminal *terminal)
{
    sc_bounds_terminal_write(output, &((const amplify_state *)context)->curve, terminal);
}

static void draw_svg(const void *context, sc_output *output)
{
    const amplify_state *state = context;
    char summary[160];
    snprintf(summary, sizeof summary, "local epsilon %.40s, delta %.40s",
             state->asked.epsilon, state->asked.delta);
    sc_bounds_svg_write(output,
                        state->line[0] == '\0' ? "any local protocol" : state->line,
                        summary, &state->curve, 1);
}

/* Words. */

static const char declared[] =
    "the shuffler does not work with the collector and forwards the reports of one batch "
    "without sender, time, address or order; each device sends one report, all of the "
    "same "
    "length and configuration; honest devices follow the protocol and keep their reports "
    "and "
    "coins to themselves";
static const char device_pays[] =
    "each device's own ledger is charged the local epsilon, with or without a shuffler";

static void write_claim_words(const amplify_state *state, char *text, size_t bytes)
{
    if (state->is_claim)
        snprintf(text, bytes,
                 "claim: replacing one device's value, at least %" PRIu64
                 " honest devices, shuffled by %.200s",
                 state->honest, state->shuffler);
    else
        snprintf(text, bytes, "a calculation, not a claim: a claim needs %s%s%s",
                 state->shuffler == NULL ? "--shuffler WHO" : "",
                 state->shuffler == NULL && !state->has_honest ? " and " : "",
                 state->has_honest ? "" : "--honest N");
}

/* A device that reports in several batches: how to add them up, as it must be typed. */
static void write_batches(const amplify_state *state, sc_output *output, size_t columns)
{
    char upper[SC_BOUND_BYTES], words[300];
    sc_bound_format(state->found.upper_view, true, upper);
    snprintf(words, sizeof words,
             "scrim compose 'epsilon=%s delta=%.40s x18' --delta D adds up 18 batches of "
             "one device",
             upper, state->asked.delta);
    sc_fold_line(output, "batches", words, columns);
}

/* Notes: a name in twelve columns, and what it says. */
static void write_notes(const void *context, sc_output *output,
                        const sc_terminal *terminal)
{
    const amplify_state *state = context;
    const size_t columns = terminal->columns;
    char words[400];
    write_claim_words(state, words, sizeof words);
    sc_fold_line(output, "status", words, columns);
    sc_fold_line(output, state->is_claim ? "declared" : "assumes", declared, columns);
    sc_fold_line(output, "device", device_pays, columns);
    if (state->epsilon[0] != '\0' && state->line[0] == '\0')
        sc_fold_line(output, "protocol",
                     "it has no bound of its own; this one holds for every protocol",
                     columns);
    write_batches(state, output, columns);
}

static void write_table(amplify_state *state)
{
    char lower[SC_BOUND_BYTES], upper[SC_BOUND_BYTES], words[400];
    sc_output *output = &state->screen.output;
    const size_t columns = state->screen.terminal.columns;
    sc_bound_format(state->found.lower_view, false, lower);
    sc_bound_format(state->found.upper_view, true, upper);
    sc_fold_line(output, "protocol", state->line[0] == '\0' ? "any" : state->line,
                 columns);
    snprintf(words, sizeof words,
             "local epsilon %.40s; %" PRIu64 " devices, of which %" PRIu64 " honest",
             state->asked.epsilon, state->users, state->honest);
    sc_fold_line(output, "reports", words, columns);
    snprintf(words, sizeof words, "%s at delta %.40s", upper, state->asked.delta);
    sc_fold_line(output, "epsilon", words, columns);
    snprintf(
        words, sizeof words,
        "%s: the blanket bound gives no smaller epsilon; the true one may be smaller",
        lower);
    sc_fold_line(output, "bound end", words, columns);
    write_notes(state, output, &state->screen.terminal);
}

static void write_json(amplify_state *state)
{
    sc_json json;
    char words[400];
    write_claim_words(state, words, sizeof words);
    sc_json_init(&json, &state->screen.output);
    sc_json_object(&json, NULL);
    sc_json_text(&json, "protocol", state->line[0] == '\0' ? "any" : state->line);
    sc_json_count(&json, "users", state->users);
    sc_json_count(&json, "honest", state->honest);
    sc_json_decimal(&json, "local_epsilon", state->asked.epsilon);
    sc_json_decimal(&json, "delta", state->asked.delta);
    sc_json_double(&json, "blanket_lower", state->found.lower_view);
    sc_json_text(&json, "blanket_lower_exact", state->found.lower);
    sc_json_double(&json, "upper", state->found.upper_view);
    sc_json_text(&json, "upper_exact", state->found.upper);
    sc_json_truth(&json, "claim", state->is_claim);
    sc_json_text_or_null(&json, "shuffler",
                         state->shuffler == NULL ? "" : state->shuffler);
    sc_json_text(&json, "neighbours", "replace");
    sc_json_text(&json, "status", words);
    sc_json_text(&json, "declared", declared);
    sc_json_text(&json, "device", device_pays);
    sc_json_end(&json);
}

static void write_csv(amplify_state *state)
{
    static const sc_listing_column columns[] = {
        {.name = "protocol"},
        {.name = "users"},
        {.name = "honest"},
        {.name = "local_epsilon"},
        {.name = "delta"},
        {.name = "blanket_lower"},
        {.name = "upper"},
        {.name = "claim"},
        {.name = "shuffler", .kind = SC_KIND_KEY}};
    char users[24], honest[24];
    snprintf(users, sizeof users, "%" PRIu64, state->users);
    snprintf(honest, sizeof honest, "%" PRIu64, state->honest);
    sc_listing_csv_row(
        &state->screen.output, columns, sizeof columns / sizeof *columns,
        (const char *[]){state->line[0] == '\0' ? "any" : state->line, users, honest,
                         state->asked.epsilon, state->asked.delta, state->found.lower,
                         state->found.upper, state->is_claim ? "yes" : "no",
                         state->shuffler == NULL ? "" : state->shuffler});
}

static scrim_status write_page(void *context, sc_screen *screen, scrim_error *error)
{
    (void)error;
    if (screen->format == SCRIM_FORMAT_TABLE)
        write_table(context);
    else if (screen->format == SCRIM_FORMAT_CSV)
        write_csv(context);
    else
        write_json(context);
    return SCRIM_OK;
}

static scrim_status compute(amplify_state *state, scrim_error *error)
{
    SC_TRY(scrim_amplify(&state->asked, &state->found, error));
    return make_curve(state, error);
}

static scrim_status answer(amplify_state *state, const sc_options *options,
                           scrim_error *error)
{
    static const sc_screen_page page = {write_page, draw, draw_svg, write_notes, false};
    SC_TRY(read_request(state, options, error));
    sc_progress_start(&state->progress, 0, "%", !state->screen.quiet);
    const scrim_status status = compute(state, error);
    sc_progress_end(&state->progress);
    return status == SCRIM_OK ? sc_screen_show(&state->screen, &page, state, error)
                              : status;
}

static scrim_status run_amplify(const sc_options *options, scrim_error *error)
{
    SC_FREED amplify_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    const scrim_status status = answer(state, options, error);
    free(state->line);
    return status;
}

static const char usage[] =
    "Computes what a shuffled batch reveals about one device: its epsilon, from below\n"
    "and above, if a shuffler takes away who sent which report. It uses no data. The\n"
    "upper end is a claim only if a shuffler and a number of honest devices are\n"
    "declared; a device is charged the local epsilon all the same. PROTOCOL is one of\n"
    "the following; without it the bound holds for every protocol.\n"
    "\n"
    "  randomised-response values=K    projective-geometry field=Q digits=T\n"
    "  subset-selection values=K chosen=D    hadamard [blocks=J]\n"
    "  local-hashing field=G    text-hashing cells=N (a power of two, e.g. 64)\n"
    "  square-wave values=K width=W\n"
    "  optimised-unary    symmetric-unary\n"
    "\n"
    "  --users N       devices in a batch, 1 to 10^9; above 10^7 it takes seconds\n"
    "  --epsilon E     local epsilon of one report, above 0, at most 50\n"
    "  --config FILE   in place of --epsilon and PROTOCOL: the configuration of the\n"
    "                  devices\n"
    "  --delta D       above 0 and less than 1\n"
    "  --honest H      devices that follow the protocol and keep their reports to\n"
    "                  themselves; others count for nothing (default: all)\n"
    "  --shuffler WHO  who shuffles, and does not work with the collector\n"
    "  --plot          draw epsilon against the number of honest devices\n"
    "  --svg FILE      write the same drawing to a file\n"
    "  --quiet         show no progress, notes or drawing on standard error\n"
    "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
    "  --json          short for --format json\n"
    "\n"
    "example: scrim local amplify --users 1e5 --epsilon 4 --delta 1e-6\n";

const sc_command sc_local_amplify = {
    .name = "amplify",
    .synopsis = "--users N --delta D --config FILE|--epsilon E ...",
    .summary = "compute the epsilon of a shuffled batch",
    .usage = usage,
    .kind = SC_COMMAND_PLAN,
    .options =
        SC_OPTION_SET(SCRIM_OPTION_USERS, SCRIM_OPTION_HONEST, SCRIM_OPTION_SHUFFLER,
                      SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA, SCRIM_OPTION_CONFIG),
    .run = run_amplify,
};
