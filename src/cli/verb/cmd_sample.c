/* scrim sample DISTRIBUTION key=value… -n N */
#include "cli/display/bar_plot.h"
#include "cli/mechanism/draw_writer.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"
#include "cli/verb/verbs.h"

#include <stdlib.h>
#include <unistd.h>

#define COUNT_LIMIT UINT64_C(1000000000000000)
/* Draws that are made and written at a time. */
#define CHUNK 4096

typedef struct sample_state {
    sc_noise noise;
    uint64_t count;
    sc_draw_form form;
    bool plot, quiet, narrow;
    sc_terminal terminal; /* where draws go */
    sc_drawn_histogram histogram;
    sc_draw_writer writer;
    sc_output output; /* standard output */
    sc_output talk;   /* standard error, for a plot beside the draws */
    union {
        int64_t narrow[CHUNK];
        scrim_wide wide[CHUNK];
    } draws;
} sample_state;

/* The request. */

static scrim_status read_form(sample_state *sample, const sc_options *options,
                              scrim_error *error)
{
    static const sc_draw_form forms[] = {
        [SCRIM_FORMAT_TABLE] = SCRIM_DRAWS_TABLE,
        [SCRIM_FORMAT_CSV] = SCRIM_DRAWS_CSV,
        [SCRIM_FORMAT_JSON] = SCRIM_DRAWS_JSON,
        [SCRIM_FORMAT_JSONL] = SCRIM_DRAWS_JSONL,
    };
    bool formatted = sc_options_has(options, SCRIM_OPTION_FORMAT) ||
                     sc_options_has(options, SCRIM_OPTION_JSON);
    bool binary = sc_options_has(options, SCRIM_OPTION_BINARY);
    if (binary && formatted)
        return sc_refuse(error, "--binary is a format; leave --%s out",
                         sc_options_has(options, SCRIM_OPTION_JSON) ? "json" : "format");
    if (binary && sample->terminal.is_terminal)
        return sc_refuse(error,
                         "--binary would garble the terminal; send it to a file or pipe");
    sc_format format;
    SC_TRY(sc_options_format(options, SCRIM_FORMAT_CSV, &format, error));
    sample->plot = sc_options_has(options, SCRIM_OPTION_PLOT);
    /* On a terminal the plot replaces the draws. */
    sample->form = sample->plot && sample->terminal.is_terminal ? SCRIM_DRAWS_NONE
                   : binary                                     ? SCRIM_DRAWS_BINARY
                   : formatted                                  ? forms[format]
                                                                : SCRIM_DRAWS_LINES;
    return SCRIM_OK;
}

static scrim_status read_request(sample_state *sample, const sc_options *options,
                                 scrim_error *error)
{
    if (options->word_count < 2)
        return sc_refuse(error,
                         "name a distribution, as in 'scrim sample discrete-laplace "
                         "scale=10'; 'scrim list distributions' lists them");
    sc_terminal_look(STDOUT_FILENO, &sample->terminal);
    SC_TRY(read_form(sample, options, error));
    SC_TRY(sc_options_number(options, SCRIM_OPTION_COUNT, COUNT_LIMIT, 1, &sample->count,
                             error));
    SC_TRY(sc_noise_open(options->words + 1, options->word_count - 1, options,
                         &sample->noise, error));
    sample->quiet = sc_options_has(options, SCRIM_OPTION_QUIET);
    sample->narrow = scrim_distribution_is_narrow(sample->noise.distribution) != 0;
    if (sample->form == SCRIM_DRAWS_BINARY && !sample->narrow)
        return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                 "--binary writes 64 bits per draw, and these draws may "
                                 "need more; leave --binary out");
    if (sample->plot)
        SC_TRY(sc_histogram_init(&sample->histogram, sample->noise.distribution,
                                 SC_HISTOGRAM_BARS, error));
    return SCRIM_OK;
}

/* Drawing. */

static scrim_status draw_chunk(sample_state *sample, size_t count, scrim_error *error)
{
    scrim_distribution *distribution = sample->noise.distribution;
    scrim_status status;
    if (sample->narrow) {
        status =
            scrim_distribution_draw(distribution, count, sample->draws.narrow, error);
        if (status != SCRIM_OK)
            return status;
        if (sample->plot)
            sc_histogram_add(&sample->histogram, sample->draws.narrow, count);
        sc_draw_writer_narrow(&sample->writer, sample->draws.narrow, count);
    } else {
        status =
            scrim_distribution_draw_wide(distribution, count, sample->draws.wide, error);
        if (status != SCRIM_OK)
            return status;
        if (sample->plot)
            sc_histogram_add_wide(&sample->histogram, sample->draws.wide, count);
        sc_draw_writer_wide(&sample->writer, sample->draws.wide, count);
    }
    return SCRIM_OK;
}

/* Ends early when standard output fails; sc_output_finish then says why. */
static scrim_status draw_all(sample_state *sample, scrim_error *error)
{
    sc_progress progress;
    bool shows_draws = sample->terminal.is_terminal && sample->form != SCRIM_DRAWS_NONE;
    sc_progress_start(&progress, sample->count, "draws", !sample->quiet && !shows_draws);
    scrim_status status = SCRIM_OK;
    for (uint64_t done = 0; done < sample->count && status == SCRIM_OK;) {
        uint64_t left = sample->count - done;
        size_t some = left < CHUNK ? (size_t)left : CHUNK;
        status = draw_chunk(sample, some, error);
        if (sample->output.error != 0)
            break;
        done += some;
        sc_progress_update(&progress, done);
    }
    sc_progress_end(&progress);
    return status;
}

static scrim_status show_plot(sample_state *sample, scrim_error *error)
{
    const char *text = scrim_distribution_text(sample->noise.distribution);
    if (sample->terminal.is_terminal) {
        sc_plot_write(&sample->output, &sample->histogram, text, &sample->terminal);
        return SCRIM_OK;
    }
    sc_terminal beside;
    sc_terminal_look(STDERR_FILENO, &beside);
    sc_output_init_screen(&sample->talk, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    sc_plot_write(&sample->talk, &sample->histogram, text, &beside);
    return sc_output_finish(&sample->talk, error);
}

static scrim_status write_sample(sample_state *sample, scrim_error *error)
{
    const bool is_lines =
        sample->form != SCRIM_DRAWS_NONE && sample->form != SCRIM_DRAWS_TABLE;
    sc_output_init_screen(&sample->output, STDOUT_FILENO,
                          is_lines ? SCRIM_FORMAT_CSV : SCRIM_FORMAT_TABLE);
    sc_draw_writer_begin(&sample->writer, &sample->output, sample->form,
                         &sample->terminal,
                         scrim_distribution_text(sample->noise.distribution));
    scrim_status status = draw_all(sample, error);
    if (status != SCRIM_OK) {
        /* Draws that were written stay; the status says that some are missing. */
        sc_output_flush(&sample->output);
        return status;
    }
    sc_draw_writer_end(&sample->writer);
    if (sample->plot && sample->terminal.is_terminal)
        status = show_plot(sample, error);
    if (status == SCRIM_OK)
        status = sc_output_finish(&sample->output, error);
    if (status == SCRIM_OK && sample->plot && !sample->terminal.is_terminal)
        status = show_plot(sample, error);
    return status;
}

static scrim_status run_sample(const sc_options *options, scrim_error *error)
{
    sample_state *sample = calloc(1, sizeof *sample);
    if (sample == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = read_request(sample, options, error);
    if (status == SCRIM_OK)
        status = write_sample(sample, error);
    sc_noise_close(&sample->noise);
    free(sample);
    return status;
}

const sc_verb sc_verb_sample = {
    .name = "sample",
    .synopsis = "DISTRIBUTION key=value... [OPTION...]",
    .summary = "Draw exactly from a distribution, one value per line",
    .usage =
        "Draws from the exact distribution. Numbers are exact too: 0.1 is one tenth, "
        "and\n"
        "1/3, 1e-9 and 2^-40 are not rounded. 'scrim list distributions' shows the\n"
        "distributions and their parameters.\n"
        "\n"
        "  -n N        number of draws, at most 10^15; 1e6 is a million (default 1)\n"
        "  --format table|csv|json|jsonl  with a heading, or as JSON\n"
        "  --json      short for --format json\n"
        "  --binary    native 64-bit integers\n"
        "  --plot      draw a histogram and the exact distribution: on a terminal\n"
        "              instead of the draws, otherwise on standard error\n"
        "  --quiet     show no progress on standard error\n"
#ifdef SCRIM_TESTING
        "  --seed N    the seed to draw from (default 1): NOT PRIVATE\n"
#endif
        "\n"
        "example: scrim sample discrete-laplace scale=10 -n 1e6 --plot\n",
    .kind = SC_COMMAND_LIST,
    .options = SC_OPTION_SET(SCRIM_OPTION_COUNT, SCRIM_OPTION_BINARY, SCRIM_OPTION_PLOT,
                             SCRIM_OPTION_SEED),
    .run = run_sample,
};
