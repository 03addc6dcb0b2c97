/* scrim experiment flexible-accuracy, erratum [N], suppression, rounded-stlap [Q...], emptiness, composition,
 * evaluate, sensitivity FILE, linear-queries, pricing, tail-bounds, central-local, truncation, private-labels,
 * extension, body-routes */
#include "cli/mechanism/experiments.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/talk.h"
#include "cli/verb/verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef SCRIM_TESTING
#include "random/bits_tape.h"
#endif

#define NOISY 6 /* the one that --noisy is about */
#define COUNT_LIMIT 1000000
#define PATH_BYTES 4096
#define EPSILON_BYTES 1024

typedef struct experiment_state {
    lab_experiment_options asked;
    lab_experiment *found;
    sc_format format;
    const char *folder; /* for drawings; NULL: none */
    bool is_linear;     /* their axes */
    char epsilon_text[EPSILON_BYTES];
    const char *epsilons[LAB_EXPERIMENT_EPSILONS_MAX]; /* in that text */
    sc_terminal terminal;
    sc_progress progress;
    sc_output output; /* standard output, or a file */
    char path[PATH_BYTES];
} experiment_state;

/* The request. */

static scrim_status read_count(const sc_options *options, sc_option option,
                               uint64_t limit, uint64_t *out, scrim_error *error)
{
    SC_TRY(sc_options_number(options, option, limit, 0, out, error));
    if (*out == 0 && sc_options_has(options, option))
        return sc_refuse(error, "%s must be at least 1", sc_option_name(option));
    return SCRIM_OK;
}

static scrim_status read_subject(const sc_options *options, scrim_error *error)
{
    if (options->word_count > 2)
        return sc_refuse(error, "experiments generate their data; leave '%s' out",
                         options->words[2]);
    return SCRIM_OK;
}

/* "DIR/flexible-accuracy-4.svg". */
static scrim_status name_drawing(experiment_state *state, unsigned experiment,
                                 scrim_error *error)
{
    const int length = snprintf(state->path, sizeof state->path,
                                "%s/flexible-accuracy-%u.svg", state->folder, experiment);
    if (length < 0 || (size_t)length >= sizeof state->path)
        return sc_refuse(error, "--svg: the name is too long");
    return SCRIM_OK;
}

/* Before anything is drawn: can the files be made? */
static scrim_status check_drawings(experiment_state *state, scrim_error *error)
{
    for (unsigned number = 1; number <= LAB_EXPERIMENTS; number++) {
        if (state->asked.only != 0 && state->asked.only != number)
            continue;
        SC_TRY(name_drawing(state, number, error));
        SC_TRY(sc_file_writer_check_in("--svg", state->folder, state->path, error));
    }
    return SCRIM_OK;
}

static void show_progress(void *context, uint64_t done, uint64_t total)
{
    sc_progress *progress = context;
    progress->total = total;
    sc_progress_update(progress, done);
}

/* "0.1,1/2,1". */
static scrim_status read_epsilons(experiment_state *state, const char *text,
                                  scrim_error *error)
{
    char *at = state->epsilon_text;
    size_t count = 0;
    if (text == NULL)
        return SCRIM_OK;
    if (strlen(text) >= sizeof state->epsilon_text)
        return sc_refuse(error, "--epsilon has too many digits");
    strcpy(at, text);
    while (at != NULL && count < LAB_EXPERIMENT_EPSILONS_MAX) {
        char *comma = strchr(at, ',');
        if (comma != NULL)
            *comma++ = '\0';
        state->epsilons[count++] = at;
        at = comma;
    }
    if (at != NULL)
        return sc_refuse(error, "--epsilon: at most %d numbers",
                         LAB_EXPERIMENT_EPSILONS_MAX);
    state->asked.epsilons = state->epsilons;
    state->asked.epsilon_count = count;
    return SCRIM_OK;
}

static scrim_status read_request(experiment_state *state, const sc_options *options,
                                 scrim_error *error)
{
    lab_experiment_options *asked = &state->asked;
    uint64_t only = 0;
    *asked =
        (lab_experiment_options){.progress = show_progress, .context = &state->progress};
    asked->is_noisy = sc_options_has(options, SCRIM_OPTION_NOISY);
    state->folder = options->value[SCRIM_OPTION_SVG];
    state->is_linear = sc_options_has(options, SCRIM_OPTION_LINEAR);
    if (state->is_linear && state->folder == NULL)
        return sc_refuse(error, "--linear is about the axes of drawings; add --svg DIR");
    SC_TRY(read_subject(options, error));
    SC_TRY(read_epsilons(state, options->value[SCRIM_OPTION_EPSILON], error));
    SC_TRY(read_count(options, SCRIM_OPTION_ONLY, COUNT_LIMIT, &only, error));
    if (only > LAB_EXPERIMENTS)
        return sc_refuse(error, "--only must be 1 to %d, not '%s'", LAB_EXPERIMENTS,
                         options->value[SCRIM_OPTION_ONLY]);
    SC_TRY(read_count(options, SCRIM_OPTION_SETS, COUNT_LIMIT, &asked->sets, error));
    SC_TRY(read_count(options, SCRIM_OPTION_RUNS, COUNT_LIMIT, &asked->runs, error));
    asked->only = (unsigned)only;
    if (asked->is_noisy && only != 0 && only != NOISY)
        return sc_refuse(error,
                         "--noisy is about experiment %d, and --only leaves "
                         "that out; leave one of them out",
                         NOISY);
    SC_TRY(sc_options_screen(options, &state->terminal, &state->format, error));
    if (state->folder != NULL)
        SC_TRY(check_drawings(state, error));
    return SCRIM_OK;
}

typedef struct drawing {
    const lab_experiment *found;
    const lab_experiment_data *data;
    bool is_linear;
} drawing;

static void write_drawing(const void *context, sc_output *output)
{
    const drawing *d = context;
    sc_experiment_svg_write(output, d->found, d->data, d->is_linear);
}

static scrim_status write_drawings(experiment_state *state, scrim_error *error)
{
    SC_TRY(sc_folder_make("--svg", state->folder, error));
    for (size_t i = 0; i < state->found->data_count; i++) {
        const drawing d = {state->found, &state->found->data[i], state->is_linear};
        SC_TRY(name_drawing(state, d.data->experiment, error));
        SC_TRY(sc_file_write("--svg", state->path, write_drawing, &d, error));
    }
    return SCRIM_OK;
}

static scrim_status run_all(experiment_state *state, const sc_options *options,
                            scrim_error *error)
{
    sc_progress_start(&state->progress, 0, "runs",
                      !sc_options_has(options, SCRIM_OPTION_QUIET));
    state->progress.tell = options->tell;
    state->progress.tell_context = options->tell_context;
    scrim_status status = lab_flexible_accuracy(&state->asked, &state->found, error);
    sc_progress_end(&state->progress);
    if (status == SCRIM_OK && state->folder != NULL)
        status = write_drawings(state, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init_screen(&state->output, STDOUT_FILENO, state->format);
    status = sc_experiment_write(&state->output, state->found, state->format,
                                 &state->terminal, error);
    return status == SCRIM_OK ? sc_output_finish(&state->output, error) : status;
}

static scrim_status run_flexible_accuracy(const sc_options *options, scrim_error *error)
{
    experiment_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return sc_out_of_memory(error, "an experiment");
    scrim_status status = read_request(state, options, error);
#ifdef SCRIM_TESTING /* the installed program draws from the operating system alone */
    uint64_t seed = 1;
    if (status == SCRIM_OK)
        status = sc_options_seed(options, &seed, error);
    if (status == SCRIM_OK)
        sc_entropy_seed(seed);
#endif
    if (status == SCRIM_OK)
        status = run_all(state, options, error);
    free(state->found);
    free(state);
    return status;
}

/* As scrim errata. */
static scrim_status run_erratum(const sc_options *options, scrim_error *error)
{
    return sc_errata_show(options, 2, error);
}

static const sc_command commands[] = {
    {.name = "flexible-accuracy",
     .kind = SC_COMMAND_LIST,
     .options = SC_OPTION_SET(SCRIM_OPTION_ONLY, SCRIM_OPTION_SETS, SCRIM_OPTION_RUNS,
                              SCRIM_OPTION_NOISY, SCRIM_OPTION_EPSILON, SCRIM_OPTION_SVG,
                              SCRIM_OPTION_LINEAR, SCRIM_OPTION_SEED),
     .run = run_flexible_accuracy},
    {.name = "emptiness",
     .kind = SC_COMMAND_LIST,
     .options = SC_OPTION_SET(SCRIM_OPTION_EPSILON, SCRIM_OPTION_SVG, SCRIM_OPTION_PLOT),
     .run = sc_emptiness_show},
    {.name = "erratum",
     .kind = SC_COMMAND_LIST,
     .options = SC_OPTION_SET(SCRIM_OPTION_DOCUMENT, SCRIM_OPTION_KIND),
     .run = run_erratum},
    {.name = "suppression",
     .kind = SC_COMMAND_LIST,
     .options =
         SC_OPTION_SET(SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA, SCRIM_OPTION_VALUES,
                       SCRIM_OPTION_CONFIDENCE, SCRIM_OPTION_SVG, SCRIM_OPTION_PLOT),
     .run = sc_suppression_show},
    {.name = "rounded-stlap",
     .kind = SC_COMMAND_LIST,
     .options = SC_OPTION_SET(SCRIM_OPTION_EPSILON),
     .run = sc_rounded_table},
    {.name = "composition", .kind = SC_COMMAND_LIST, .run = sc_flexible_stages},
    {.name = "evaluate", .kind = SC_COMMAND_LIST, .run = sc_flexible_best},
    {.name = "sensitivity", .kind = SC_COMMAND_LIST, .run = sc_flexible_sensitivity},
    {.name = "linear-queries", .kind = SC_COMMAND_LIST, .run = sc_linear_bounds_show},
    {.name = "pricing",
     .kind = SC_COMMAND_LIST,
     .options =
         SC_OPTION_SET(SCRIM_OPTION_EPSILON, SCRIM_OPTION_CONFIDENCE, SCRIM_OPTION_SVG),
     .run = sc_pricing_show},
    {.name = "tail-bounds", .kind = SC_COMMAND_LIST, .run = sc_tail_bounds_show},
    {.name = "central-local",
     .kind = SC_COMMAND_LIST,
     .options = SC_OPTION_SET(SCRIM_OPTION_SVG, SCRIM_OPTION_PLOT),
     .run = sc_central_local_show},
    {.name = "truncation", .kind = SC_COMMAND_LIST, .run = sc_truncation_show},
    {.name = "private-labels",
     .kind = SC_COMMAND_LIST,
     .options = SC_OPTION_SET(SCRIM_OPTION_RUNS),
     .run = sc_private_labels_show},
    {.name = "extension", .kind = SC_COMMAND_LIST, .run = sc_table_extension_show},
    {.name = "body-routes",
     .kind = SC_COMMAND_LIST,
     .options = SC_OPTION_SET(SCRIM_OPTION_RUNS),
     .run = sc_body_routes_show},
};

static const sc_command *command_at(size_t index)
{
    return index < sizeof commands / sizeof *commands ? &commands[index] : NULL;
}

const sc_verb sc_verb_experiment = {
    .name = "experiment",
    .synopsis = "NAME [WORD...] [OPTION...]",
    .summary = "Run the papers' experiments on simulated data, with plots",
    .usage =
        "NAME is flexible-accuracy, erratum, suppression, rounded-stlap, emptiness,\n"
        "composition, evaluate, sensitivity, linear-queries, pricing, tail-bounds,\n"
        "central-local, truncation, private-labels, extension or body-routes.\n"
        "\n"
        "flexible-accuracy runs six experiments: the maximum, the last bar of at\n"
        "least 500, and the mode of simulated histograms. It compares scrim's one-sided\n"
        "histogram (stlap) with six competitors, at epsilon 0.05 to 2 and delta 2^-20.\n"
        "The data are simulated: no file is read and no vault is opened.\n"
        "\n"
        "The raw error is the distance from the true bar. The flexible error is the\n"
        "distance from the nearest bar that would be true if at most 0.5 % of the\n"
        "elements were removed. Both are percentages of the number of bars.\n"
        "\n"
        "  --only N     run one experiment, 1 to 6\n"
        "  --sets N     datasets per experiment, at most 10^6 (default 100)\n"
        "  --runs R     runs of each mechanism per dataset, at most 10^6 (default 100)\n"
        "  --noisy      experiment 6: draw the bars from Poisson distributions\n"
        "  --epsilon LIST  epsilons instead of 0.05,0.1,0.2,0.5,1,2; ascending, at most "
        "3\n"
        "  --svg DIR    write a drawing of each: DIR/flexible-accuracy-N.svg; scrim "
        "makes\n"
        "               the folder if it is missing\n"
        "  --linear     with --svg: linear axes, as in the document; a sentence says "
        "how\n"
        "               many errors look like 0 on them\n"
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json       short for --format json\n"
        "  --quiet      show no progress on standard error\n"
#ifdef SCRIM_TESTING
        "  --seed N     the seed to draw from (default 1): NOT PRIVATE\n"
#endif
        "\n"
        "erratum is the same as 'scrim errata', with its options:\n"
        "  --document D, --kind K\n"
        "\n"
        "suppression computes Figure 1 and section 6 of the paper on suppression: the\n"
        "thresholds and ranges of its formulas, and the smallest that are enough.\n"
        "\n"
        "  --epsilon E, --delta D  one row instead of the figure\n"
        "  --values N   how many ranges, or empty public keys (default 10^9)\n"
        "  --confidence C  that no empty key reaches its threshold (default 0.99)\n"
        "  --plot       draw the figure in the terminal\n"
        "  --svg DIR    write the figure: DIR/suppression.svg\n"
        "\n"
        "rounded-stlap compares histograms of real noise that is rounded, as they were\n"
        "first published: the delta that the source states, the exact one, and that of\n"
        "stlap with the same q and epsilon; then the chance that a bar loses no "
        "element,\n"
        "and one. Q is how many a bar may lose (default 4 9 16 25).\n"
        "\n"
        "  --epsilon E   use this epsilon instead of 1/sqrt(Q), for any Q\n"
        "\n"
        "emptiness shows how likely a set of k elements is reported as not empty, if "
        "one\n"
        "of certain=Q (default 100) always is: scrim's probability and the document's.\n"
        "\n"
        "  --epsilon E   the cost (default 1/10)\n"
        "  --plot        draw the probabilities in the terminal\n"
        "  --svg DIR     write the same drawing: DIR/emptiness.svg\n"
        "\n",
    .more =
        "composition computes the flexible accuracy of several stages: a statement, "
        "then\n"
        "stages 'apply' (an exact statistic), 'distort' (moves become distortion) and\n"
        "'then' (a stage with its own statement):\n"
        "  alpha=R|dropped=N beta=R|unbounded gamma=R  (defaults 0)\n"
        "  distortion=drop|move|drop-move eta=R metric=WORD case=worst|average\n"
        "  growth=same|unbounded|R  how far values move if the input moves by 1, and\n"
        "  from=WORD  the metric for which that was proved\n"
        "  distort eta=R  elements that moved by beta count as eta beta of drop-move\n"
        "evaluate finds the best beta of a mechanism on one input, from its exact\n"
        "distribution: input=LIST reachable=LIST gamma=R MECHANISM key=value...\n"
        "With case=average it is the mean, without the largest errors of probability\n"
        "gamma. Numbers are in the unit of the mechanism's input. Noise without a bound\n"
        "has no beta at gamma 0, and a mean.\n"
        "\n"
        "sensitivity FILE computes the distortion and the error sensitivity of a "
        "function\n"
        "that is a table: how much inputs must be distorted so that an output within a\n"
        "distortion becomes the true one, and how far answers are off if inputs move.\n"
        "FILE is JSON: {\"function\": {\"a\": 0, \"b\": 10}}, and perhaps \"inputs\" "
        "and\n"
        "\"outputs\" (histograms or names), \"mechanism\", \"distortion\", \"metric\",\n"
        "\"output_distortion\" and \"output_metric\". Keys: alpha=R gamma=R omega=R "
        "eta=R.\n"
        "\n"
        "linear-queries shows how accurate K linear queries about N bins can be\n"
        "answered for that many people: errors that are enough, and limits that no\n"
        "mechanism of the same cost can beat. Write queries=K bins=N people=N "
        "epsilon=E,\n"
        "and perhaps delta=D and confidence=C (default 0.95).\n"
        "\n"
        "pricing is the survey's sale: a price for buyers who keep private what they\n"
        "would pay. It shows the revenue of each price, the exact distribution of the\n"
        "price that the exponential mechanism chooses, and the revenue that is lost.\n"
        "\n"
        "  prices=R,...    other prices, at most 32 with two decimals\n"
        "  valuations=R,...  what other buyers would pay\n"
        "  --epsilon E     the cost (default 1)\n"
        "  --confidence C  of the loss (default 0.95)\n"
        "  --svg DIR       write a drawing: DIR/pricing.svg\n"
        "\n"
        "tail-bounds: how far the mean of N terms deviates from its expectation, by\n"
        "Chernoff, Hoeffding and Azuma, beside the exact probability: terms=N mean=R,\n"
        "deviation=R or probability=R, and width=R if terms lie from 0 to R (default "
        "1).\n"
        "\n"
        "central-local: the error of a fraction with a curator and without, for 10 to\n"
        "10^7 people: epsilon=R and perhaps confidence=R.\n"
        "\n"
        "  --plot       draw both errors on standard error\n"
        "  --svg DIR    write the drawing: DIR/central-local.svg\n"
        "\n"
        "truncation: how well the count of a set of items survives if transactions are\n"
        "cut to a random part: size=N items of the set, keep=N items of a transaction,\n"
        "lengths=L:COUNT,... of the transactions that contain the set, gamma=R,...\n"
        "(default 0.1), scale=yes to correct the count by what survives on average.\n"
        "\n"
        "private-labels: models of disjoint simulated people vote on public points, and\n"
        "the sparse vector decides which labels are shown: people=N teachers=N points=N\n"
        "labels=N epsilon=R delta=R, all with defaults; --runs R (default 10).\n"
        "\n"
        "extension: the exact algorithm of the paper on floating bodies, in several\n"
        "dimensions, from all tables of a tiny universe: its loss of all neighbours, "
        "and\n"
        "its error on typical tables and on all: dimensions=N side=N rows=N q=R\n"
        "spacing=N reach=N epsilon=R, all with defaults.\n"
        "\n"
        "body-routes: two ways to the centre of a body; --runs R.\n"
        "\n"
        "example: scrim experiment flexible-accuracy --only 4 --runs 10 --format table\n"
        "example: scrim experiment composition alpha=0.05 beta=0.1 metric=move \\\n"
        "           apply growth=2 metric=absolute then beta=3 gamma=0.05\n"
        "example: scrim experiment evaluate input=10 gamma=0.05 laplace epsilon=1\n"
        "example: scrim experiment sensitivity table.json alpha=0.5\n"
        "example: scrim experiment linear-queries queries=9 bins=8 people=99 epsilon=1\n"
        "example: scrim experiment pricing --epsilon 0.1 --format table\n"
        "example: scrim experiment tail-bounds terms=100 mean=0.01 deviation=0.01\n",
    .command = command_at,
};
