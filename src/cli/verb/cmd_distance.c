/* scrim distance KIND FILE FILE */
#include "cli/display/listing.h"
#include "cli/mechanism/distance_tables.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/terminal.h"
#include "cli/verb/verbs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIMENSIONS_MAX 8

typedef struct distance_state {
    const char *kind, *paths[2], *metric_path;
    scrim_distance_options options;
    sc_place_file files[2], metric;
    scrim_distance distance;
    sc_divergence_request divergence;
    sc_format format;
    sc_terminal terminal;
    sc_output output;
} distance_state;

static bool is_divergence(const distance_state *state)
{
    return strcmp(state->kind, "divergence") == 0;
}

#define THETA "theta-sensitivity"

static scrim_status run_theta(const sc_options *options, scrim_error *error)
{
    if (options->word_count != 3)
        return sc_refuse(error,
                         "name one file, as in 'scrim distance " THETA " laws.json'");
    for (int i = 0; i < SCRIM_OPTION_KINDS; i++)
        if (i != SCRIM_OPTION_LOSS && i != SCRIM_OPTION_FORMAT &&
            i != SCRIM_OPTION_JSON && sc_options_has(options, (sc_option)i))
            return sc_refuse(error, THETA " does not take %s",
                             sc_option_name((sc_option)i));
    return sc_theta_table(options, options->words[2], options->value[SCRIM_OPTION_LOSS],
                          error);
}

static scrim_status read_request(distance_state *state, const sc_options *options,
                                 scrim_error *error)
{
    uint64_t dimensions = 0;
    if (options->word_count != 4)
        return sc_refuse(error, "name a distance and two files, as in 'scrim distance "
                                "wasserstein before.csv after.csv'");
    state->kind = options->words[1];
    state->paths[0] = options->words[2];
    state->paths[1] = options->words[3];
    if (strcmp(state->paths[0], "-") == 0 && strcmp(state->paths[1], "-") == 0)
        return sc_refuse(error, "only one of the files can be standard input");
    state->divergence =
        (sc_divergence_request){.orders = options->value[SCRIM_OPTION_ORDER],
                                .epsilons = options->value[SCRIM_OPTION_EPSILON],
                                .deltas = options->value[SCRIM_OPTION_DELTA],
                                .groups = options->value[SCRIM_OPTION_GROUP]};
    state->metric_path = options->value[SCRIM_OPTION_METRIC];
    state->options = (scrim_distance_options){
        .size = sizeof state->options,
        .loss = options->value[SCRIM_OPTION_LOSS],
        .eta = options->value[SCRIM_OPTION_ETA],
        .norm = options->value[SCRIM_OPTION_NORM],
        .is_average = sc_options_has(options, SCRIM_OPTION_AVERAGE)};
    SC_TRY(
        sc_options_number(options, SCRIM_OPTION_DIMENSIONS, 99, 0, &dimensions, error));
    if (sc_options_has(options, SCRIM_OPTION_DIMENSIONS) &&
        (dimensions == 0 || dimensions > DIMENSIONS_MAX))
        return sc_refuse(error, "--dimensions must be from 1 to %d", DIMENSIONS_MAX);
    state->options.dimensions = (unsigned)dimensions;
    return sc_options_screen(options, &state->terminal, &state->format, error);
}

/* Options of the other kind of distances. */
static scrim_status check_options(const distance_state *state, const sc_options *options,
                                  scrim_error *error)
{
    static const sc_option of_divergence[] = {SCRIM_OPTION_ORDER, SCRIM_OPTION_EPSILON,
                                              SCRIM_OPTION_DELTA, SCRIM_OPTION_GROUP},
                           of_distance[] = {SCRIM_OPTION_LOSS,    SCRIM_OPTION_ETA,
                                            SCRIM_OPTION_AVERAGE, SCRIM_OPTION_DIMENSIONS,
                                            SCRIM_OPTION_NORM,    SCRIM_OPTION_METRIC};
    const bool is_other = is_divergence(state);
    const sc_option *refused = is_other ? of_distance : of_divergence;
    const size_t count = is_other ? sizeof of_distance / sizeof *of_distance
                                  : sizeof of_divergence / sizeof *of_divergence;
    for (size_t i = 0; i < count; i++)
        if (sc_options_has(options, refused[i]))
            return sc_refuse(error, "%.40s does not take %s", state->kind,
                             sc_option_name(refused[i]));
    return SCRIM_OK;
}

/* Asks for the distance of a place from itself: a kind or an option that is wrong is told before
 * a file is read. */
static scrim_status check_words(const distance_state *state, scrim_error *error)
{
    static const char *const divergences[] = {"renyi",        "kl",  "kullback-leibler",
                                              "hockey-stick", "max", "approximate-max"};
    for (size_t i = 0; i < sizeof divergences / sizeof *divergences; i++)
        if (strcmp(state->kind, divergences[i]) == 0)
            return sc_refuse(error,
                             "unknown distance '%s'; 'scrim distance divergence' "
                             "computes it, with others",
                             state->kind);
    const scrim_place nowhere = {.place = "0,0,0,0,0,0,0,0"};
    const scrim_step self = {.from = nowhere.place, .to = nowhere.place, .length = "0"};
    scrim_distance_options options = state->options;
    scrim_place place = nowhere;
    char numbers[2 * DIMENSIONS_MAX];
    scrim_distance ignored;
    const unsigned fields = options.dimensions == 0 ? 1 : options.dimensions;
    memcpy(numbers, nowhere.place, 2 * fields - 1);
    numbers[2 * fields - 1] = '\0';
    if (state->metric_path != NULL) {
        options.steps = &self;
        options.step_count = 1;
    } else {
        place.place = numbers;
    }
    return scrim_distance_between(state->kind, &place, 1, &place, 1, &options, &ignored,
                                  error);
}

static scrim_status read_files(distance_state *state, scrim_error *error)
{
    const unsigned fields =
        state->options.dimensions == 0 ? 1 : state->options.dimensions;
    scrim_status status = SCRIM_OK;
    if (state->metric_path != NULL) {
        status = sc_place_file_metric(state->metric_path, &state->metric, error);
        state->options.steps = state->metric.steps;
        state->options.step_count = state->metric.count;
    }
    for (size_t i = 0; status == SCRIM_OK && i < 2; i++)
        status = sc_place_file_read(state->paths[i], fields, &state->files[i], error);
    state->options.a_lines = (scrim_list_lines){state->paths[0], state->files[0].lines};
    state->options.b_lines = (scrim_list_lines){state->paths[1], state->files[1].lines};
    state->options.step_lines =
        (scrim_list_lines){state->metric_path, state->metric.lines};
    return status;
}

static void write_json(distance_state *state)
{
    const scrim_distance *found = &state->distance;
    sc_json json;
    sc_json_init(&json, &state->output);
    sc_json_object(&json, NULL);
    sc_json_text(&json, "kind", state->kind);
    (found->is_infinite ? sc_json_text : sc_json_word)(&json, "value", found->decimal);
    sc_json_text(&json, "exact", found->exact);
    if (state->options.loss != NULL)
        sc_json_text(&json, "loss", state->options.loss);
    if (state->options.eta != NULL)
        sc_json_text(&json, "eta", state->options.eta);
    if (state->options.is_average)
        sc_json_truth(&json, "average", true);
    sc_json_end(&json);
}

static void write_table(distance_state *state)
{
    const scrim_distance *found = &state->distance;
    sc_output_format(&state->output, "%s%s", state->kind,
                     state->options.is_average ? ", average" : "");
    if (state->options.loss != NULL)
        sc_output_format(&state->output, ", loss %.200s", state->options.loss);
    if (state->options.eta != NULL)
        sc_output_format(&state->output, ", eta %.200s", state->options.eta);
    sc_output_text(&state->output, "  ");
    sc_output_text(&state->output, found->exact);
    if (strcmp(found->exact, found->decimal) != 0)
        sc_output_format(&state->output, "  = %s, rounded up", found->decimal);
    sc_output_text(&state->output, "\n");
}

static scrim_status show(distance_state *state, scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {.name = "kind"}, {.name = "exact"}, {.name = "decimal"}};
    sc_output_init_screen(&state->output, STDOUT_FILENO, state->format);
    switch (state->format) {
    case SCRIM_FORMAT_TABLE:
        write_table(state);
        break;
    case SCRIM_FORMAT_CSV:
        sc_listing_csv_row(&state->output, columns, 3,
                           (const char *[]){state->kind, state->distance.exact,
                                            state->distance.decimal});
        break;
    case SCRIM_FORMAT_JSON:
    case SCRIM_FORMAT_JSONL:
        write_json(state);
        break;
    }
    return sc_output_finish(&state->output, error);
}

static scrim_status show_divergences(distance_state *state, const scrim_laws *laws,
                                     scrim_error *error)
{
    sc_output_init_screen(&state->output, STDOUT_FILENO, state->format);
    SC_TRY(sc_divergence_table(laws, &state->divergence, &state->output, state->format,
                               &state->terminal, error));
    return sc_output_finish(&state->output, error);
}

static scrim_status run_divergence(distance_state *state, scrim_error *error)
{
    SC_OWNED(scrim_laws_free_at) scrim_laws *laws = NULL;
    const scrim_laws_options options = {.size = sizeof options,
                                        .p_lines = state->options.a_lines,
                                        .q_lines = state->options.b_lines};
    SC_TRY(scrim_laws_new(state->files[0].places, state->files[0].count,
                          state->files[1].places, state->files[1].count, &options, &laws,
                          error));
    return show_divergences(state, laws, error);
}

static scrim_status run_distances(distance_state *state, scrim_error *error)
{
    SC_TRY(scrim_distance_between(state->kind, state->files[0].places,
                                  state->files[0].count, state->files[1].places,
                                  state->files[1].count, &state->options,
                                  &state->distance, error));
    return show(state, error);
}

static scrim_status run_distance(const sc_options *options, scrim_error *error)
{
    if (options->word_count > 1 && strcmp(options->words[1], THETA) == 0)
        return run_theta(options, error);
    distance_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return sc_out_of_memory(error, "a distance");
    scrim_status status = read_request(state, options, error);
    if (status == SCRIM_OK)
        status = check_options(state, options, error);
    if (status == SCRIM_OK && !is_divergence(state))
        status = check_words(state, error);
    if (status == SCRIM_OK)
        status = read_files(state, error);
    if (status == SCRIM_OK)
        status = (is_divergence(state) ? run_divergence : run_distances)(state, error);
    sc_place_file_clear(&state->metric);
    sc_place_file_clear(&state->files[1]);
    sc_place_file_clear(&state->files[0]);
    free(state);
    return status;
}

const sc_verb sc_verb_distance = {
    .name = "distance",
    .synopsis = "KIND FILE [FILE] [OPTION...]",
    .summary = "Compute the exact distance between two histograms or distributions",
    .usage =
        "Reads two plain files and prints the distance from the first to the second, as\n"
        "an exact number and as a decimal that is rounded up. It uses no vault. The\n"
        "distance is exact and has no noise: if the files are private, it is private.\n"
        "\n"
        "KIND:\n"
        "  tv           total variation\n"
        "  l1, l2       of the counts: the sum of the differences, or the root of the\n"
        "               sum of their squares\n"
        "  wasserstein  the largest distance that mass must move, ignoring a mass of\n"
        "               --loss\n"
        "  w2           the root of the least mean square of how far mass moves, with\n"
        "               --dimensions by the usual length (norm 2)\n"
        "  hausdorff    distance of the two sets of places\n"
        "  drop         the fraction of the elements that the second file lacks\n"
        "  move         the largest distance that an element moves\n"
        "  drop-move    the fraction that is missing, plus --eta times the move\n"
        "  divergence   a table: total variation, Kullback and Leibler, Renyi, max,\n"
        "               hockey stick and approximate max, in both directions, and the\n"
        "               bounds that follow from them. A place is any name; the counts "
        "are\n"
        "               probabilities that add up to exactly 1, or whole numbers with "
        "the\n"
        "               same total in both files\n"
        "  theta-sensitivity  of a randomised query: the largest wasserstein distance\n"
        "               between its distributions on neighbouring inputs, for every "
        "mass\n"
        "               theta that may be ignored, or for --loss. One JSON file:\n"
        "               {\"laws\": {\"a\": [[PLACE, MASS], ...], \"b\": ...},\n"
        "               \"neighbours\": [[\"a\", \"b\"], ...]}. List every possible "
        "input;\n"
        "               without neighbours any two are neighbours\n"
        "\n"
        "A line of a file is PLACE or PLACE,COUNT with exact numbers (1, 0.1, 1/3); the\n"
        "counts of one place are added. Lines that begin with # are skipped. - is\n"
        "standard input. tv and wasserstein divide each file by its total. A file has "
        "at\n"
        "most 128 MiB and 4194304 lines.\n"
        "\n"
        "  --loss G          wasserstein: mass that may be ignored, 0 to 1 (default 0)\n"
        "  --average         wasserstein: the mean distance instead of the largest\n"
        "  --eta R           drop-move: the price of moving by 1 (default 1)\n"
        "  --dimensions N    numbers in a place, 1 to 8 (default 1)\n"
        "  --norm 1|2|max    norm for several dimensions (default 1)\n"
        "  --metric FILE     places are names; lines of this file are FROM,TO,LENGTH\n"
        "  --order LIST      divergence: orders of Renyi, 0 to 10^6 (default 2)\n"
        "  --epsilon LIST    divergence: for the hockey stick; a number or ln(3/2)\n"
        "                    (default 1)\n"
        "  --delta LIST      divergence: for approximate max (default 1e-6)\n"
        "  --group LIST      divergence: also for groups of these sizes\n"
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json            short for --format json\n"
        "  --quiet           no notes on standard error\n"
        "\n"
        "example: printf '0\\n10\\n' | scrim distance wasserstein - after.csv --loss "
        "0.1\n",
    .kind = SC_COMMAND_LIST,
    .options = SC_OPTION_SET(
        SCRIM_OPTION_LOSS, SCRIM_OPTION_ETA, SCRIM_OPTION_AVERAGE,
        SCRIM_OPTION_DIMENSIONS, SCRIM_OPTION_NORM, SCRIM_OPTION_METRIC,
        SCRIM_OPTION_ORDER, SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA, SCRIM_OPTION_GROUP),
    .run = run_distance,
};
