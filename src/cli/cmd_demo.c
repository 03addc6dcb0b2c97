/* scrim demo: exact noise, drawn and held against its law */
#include "cli/complaint.h"
#include "cli/histogram.h"
#include "cli/noise.h"
#include "cli/plot.h"
#include "cli/verbs.h"
#include "cli/wide_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DRAWS 1000000
#define CHUNK 4096
#define BARS 13
#define LAPLACE "discrete-laplace scale=5"
#define GAUSSIAN "discrete-gaussian variance=50"

/* How far out the tails are looked at; the last is beyond all that will ever be drawn. */
static const int64_t distances[] = {25, 50, 75, 1000};
#define DISTANCES (sizeof distances / sizeof distances[0])

typedef struct demo_state {
    const sc_options *options;
    sc_terminal terminal;
    sc_output output;
    sc_histogram histogram;
    uint64_t beyond[DISTANCES]; /* draws further out than each distance */
    int64_t draws[CHUNK];
} demo_state;

static void write_heading(demo_state *demo, const char *heading)
{
    sc_output_format(&demo->output, "\n%s%s%s\n", demo->terminal.colour ? "\033[1m" : "",
                     heading, demo->terminal.colour ? "\033[0m" : "");
}

static scrim_status open_noise(const demo_state *demo, const char *text, sc_noise *out,
                               scrim_error *error)
{
    char line[64];
    char *const words[] = {line}; /* as main has them */
    snprintf(line, sizeof line, "%s", text);
    return sc_noise_open(words, 1, demo->options, out, error);
}

/* Numbers. */

static scrim_status show_number(demo_state *demo, const char *written, scrim_error *error)
{
    sc_noise noise;
    char line[64];
    snprintf(line, sizeof line, "discrete-laplace scale=%s", written);
    scrim_status status = open_noise(demo, line, &noise, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_format(&demo->output, "   scale=%-6s is read as  %s\n", written,
                     scrim_distribution_text(noise.distribution));
    sc_noise_close(&noise);
    return SCRIM_OK;
}

static scrim_status show_numbers(demo_state *demo, scrim_error *error)
{
    static const char *const tenths[] = {"0.1", "1/10", "1e-1"};
    scrim_status status = SCRIM_OK;
    write_heading(demo, "1. Numbers are exact: 0.1 is 1/10");
    for (size_t i = 0; i < sizeof tenths / sizeof tenths[0] && status == SCRIM_OK; i++)
        status = show_number(demo, tenths[i], error);
    sc_output_format(&demo->output, "   a double would have    %.40f\n", 0.1);
    return status;
}

/* Noise. */

static void count_beyond(demo_state *demo, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < DISTANCES; j++)
            demo->beyond[j] +=
                demo->draws[i] > distances[j] || demo->draws[i] < -distances[j];
}

static scrim_status draw_and_plot(demo_state *demo, sc_noise *noise, scrim_error *error)
{
    scrim_distribution *distribution = noise->distribution;
    scrim_status status = sc_histogram_init(&demo->histogram, distribution, BARS, error);
    for (size_t done = 0; done < DRAWS && status == SCRIM_OK;) {
        size_t some = DRAWS - done < CHUNK ? DRAWS - done : CHUNK;
        status = scrim_distribution_draw(distribution, some, demo->draws, error);
        if (status != SCRIM_OK)
            break;
        sc_histogram_add(&demo->histogram, demo->draws, some);
        count_beyond(demo, some);
        done += some;
    }
    if (status == SCRIM_OK)
        sc_plot_write(&demo->output, &demo->histogram,
                      scrim_distribution_text(distribution), &demo->terminal);
    return status;
}

/* P(|X| > distance) of a law that is the same on both sides. */
static scrim_status find_tail(const scrim_distribution *distribution, int64_t distance,
                              double *out, scrim_error *error)
{
    double lower, upper;
    scrim_status status = scrim_distribution_probability(
        distribution, sc_wide_of(distance + 1), SC_WIDE_MAX, &lower, &upper, error);
    if (status == SCRIM_OK)
        *out = lower + upper;
    return status;
}

static scrim_status show_tails(demo_state *demo, const scrim_distribution *distribution,
                               scrim_error *error)
{
    write_heading(demo, "3. Its tail is not cut");
    sc_output_format(&demo->output, "   %-12s %10s %12s   %s\n", "further than", "drawn",
                     "expected", "exact probability");
    for (size_t i = 0; i < DISTANCES; i++) {
        double tail;
        scrim_status status = find_tail(distribution, distances[i], &tail, error);
        if (status != SCRIM_OK)
            return status;
        sc_output_format(&demo->output, "   %12" PRId64 " %10" PRIu64 " %12.4g   %.6g\n",
                         distances[i], demo->beyond[i], tail * DRAWS, tail);
    }
    sc_output_text(
        &demo->output,
        "   Were it cut at some value, that value would give a person away.\n");
    return SCRIM_OK;
}

static scrim_status show_laplace(demo_state *demo, scrim_error *error)
{
    sc_noise noise;
    scrim_status status = open_noise(demo, LAPLACE, &noise, error);
    if (status != SCRIM_OK)
        return status;
    write_heading(demo, "2. Noise that hides one person in a count, with epsilon = 1/5");
    status = draw_and_plot(demo, &noise, error);
    if (status == SCRIM_OK)
        status = show_tails(demo, noise.distribution, error);
    sc_noise_close(&noise);
    return status;
}

static scrim_status show_gaussian(demo_state *demo, scrim_error *error)
{
    sc_noise noise;
    scrim_status status = open_noise(demo, GAUSSIAN, &noise, error);
    if (status != SCRIM_OK)
        return status;
    write_heading(demo, "4. The Gaussian of about the same variance has a lighter tail");
    status = draw_and_plot(demo, &noise, error);
    sc_noise_close(&noise);
    return status;
}

/* The tour. */

static void write_opening(demo_state *demo)
{
    sc_output_text(
        &demo->output,
        "scrim will answer questions about a population and reveal no person in it. All\n"
        "of that stands on noise whose law is exactly the one in the proof, and this\n"
        "version draws it. Here it is, from the entropy of this machine.\n");
}

static void write_closing(demo_state *demo)
{
    write_heading(demo, "Go on with");
    sc_output_text(
        &demo->output,
        "   scrim list distributions                        what can be drawn\n"
        "   scrim sample " LAPLACE " -n 10     ten draws, one a line\n"
        "   scrim sample geometric scale=1/3 -n 1e6 --plot  draws against the law\n"
        "   scrim help                                      all verbs\n");
}

static scrim_status run_demo(const sc_options *options, scrim_error *error)
{
    if (options->word_count > 1)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "takes no arguments, only 'scrim demo'");
    demo_state *demo = calloc(1, sizeof *demo);
    if (demo == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory to draw in");
    demo->options = options;
    sc_terminal_look(STDOUT_FILENO, &demo->terminal);
    sc_output_init(&demo->output, STDOUT_FILENO);
    write_opening(demo);
    scrim_status status = show_numbers(demo, error);
    if (status == SCRIM_OK)
        status = show_laplace(demo, error);
    if (status == SCRIM_OK)
        status = show_gaussian(demo, error);
    if (status == SCRIM_OK) {
        write_closing(demo);
        status = sc_output_finish(&demo->output, error);
    }
    free(demo);
    return status;
}

const sc_verb sc_verb_demo = {
    .name = "demo",
    .synopsis = "",
    .summary = "A tour: exact noise, drawn and held against its law",
    .usage = "Takes a second and changes nothing.\n",
    .options = 0,
    .run = run_demo,
};
