/* Pages of one-sided histograms: the rounded one, the set that may be empty, and plans in buckets. */
#include "cli/display/canvas.h"
#include "cli/display/curve_plot.h"
#include "cli/display/listing.h"
#include "cli/display/number_view.h"
#include "cli/mechanism/experiments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES 4096

/* The rounded histogram. */

static const sc_listing_column rounded_columns[] = {
    {"q", SC_KIND_NUMBER},           {.name = "epsilon"},
    {"delta_source", SC_KIND_BOUND}, {"delta", SC_KIND_BOUND},
    {"delta_stlap", SC_KIND_BOUND},  {"lost_none", SC_KIND_BOUND},
    {"lost_one", SC_KIND_BOUND}};

#define ROUNDED_BYTES 512
#define NUMBERS 5

/* For people 5 digits, rounded up; NULL where there is no number. */
static void put_row(const char *q, const scrim_rounded_stlap_facts *found,
                    sc_listing *page)
{
    const char *cells[2 + NUMBERS] = {q,
                                      found->epsilon,
                                      found->published,
                                      found->delta,
                                      found->stlap_delta,
                                      found->lost_none,
                                      found->lost_one};
    char digits[NUMBERS][SC_BOUND_BYTES];
    for (size_t i = 2; i < 2 + NUMBERS; i++)
        if (cells[i][0] == '\0') {
            cells[i] = NULL;
        } else if (page->format == SCRIM_FORMAT_TABLE) {
            sc_number_format_upper(cells[i], digits[i - 2]);
            cells[i] = digits[i - 2];
        }
    sc_listing_add(page, cells);
}

static scrim_status add_rounded(const char *q, const char *epsilon, sc_listing *page,
                                scrim_error *error)
{
    char line[ROUNDED_BYTES];
    scrim_measurement *m = NULL;
    scrim_rounded_stlap_facts found;
    const int length =
        snprintf(line, sizeof line, "rounded-stlap q=%s%s%s", q,
                 epsilon == NULL ? "" : " epsilon=", epsilon == NULL ? "" : epsilon);
    if (length < 0 || (size_t)length >= sizeof line)
        return sc_refuse(error, "q and epsilon are too long");
    scrim_status status = scrim_measurement_parse_model(line, &m, error);
    if (status == SCRIM_OK)
        status = scrim_rounded_stlap_facts_of(m, &found, error);
    scrim_measurement_free(m);
    if (status == SCRIM_OK)
        put_row(q, &found, page);
    return status;
}

scrim_status sc_rounded_table(const sc_options *options, scrim_error *error)
{
    static const char *const usual[] = {"4", "9", "16", "25"};
    const char *epsilon = options->value[SCRIM_OPTION_EPSILON];
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    SC_TRY(sc_page_new(options, rounded_columns,
                       sizeof rounded_columns / sizeof *rounded_columns, &page, error));
    const bool is_given = options->word_count > 2;
    const size_t count =
        is_given ? options->word_count - 2 : sizeof usual / sizeof *usual;
    for (size_t i = 0; i < count; i++)
        SC_TRY(add_rounded(is_given ? options->words[i + 2] : usual[i], epsilon, page,
                           error));
    return sc_page_write(page, error);
}

/* Is the set empty? */

#define CERTAIN_MAX 2000
#define EMPTINESS_PATH 4096

typedef struct emptiness {
    size_t certain; /* a set of this size is always reported */
    double share[CERTAIN_MAX + 1], ours[CERTAIN_MAX + 1], theirs[CERTAIN_MAX + 1];
    char title[160];
    char path[EMPTINESS_PATH];
} emptiness;

/* P(Z > -k) for the noise of STLap with q = certain - 1, and the probability that document 001 prints, (11). */
static scrim_status find_probabilities(const char *epsilon, emptiness *e,
                                       scrim_error *error)
{
    char line[SCRIM_NUMBER_BYTES + 64];
    scrim_distribution *noise = NULL;
    double below = 0;
    if (snprintf(line, sizeof line, "shifted-laplace epsilon=%s q=%zu", epsilon,
                 e->certain - 1) >= (int)sizeof line)
        return sc_refuse(error, "--epsilon has too many digits");
    scrim_status status = scrim_distribution_parse(line, &noise, error);
    const double number = sc_number_view(epsilon),
                 half = expm1(number * (double)e->certain / 2);
    for (size_t k = 0; status == SCRIM_OK && k <= e->certain; k++) {
        const size_t near = 2 * k <= e->certain ? k : e->certain - k;
        const double printed = expm1(number * (double)near) / half / 2;
        const int64_t low = k == 0 ? 1 : 1 - (int64_t)k;
        status = scrim_distribution_probability(
            noise, (scrim_wide){(uint64_t)low, low < 0 ? -1 : 0}, (scrim_wide){1, 0},
            &below, &e->ours[k], error);
        e->share[k] = (double)k / (double)e->certain;
        e->theirs[k] = near == k ? printed : 1 - printed;
    }
    scrim_distribution_free(noise);
    return status;
}

static const sc_panels emptiness_panels = {
    .title = "Is the set empty?",
    .summary = "how likely a set of k elements is reported as not empty",
    .keys = {"scrim", "document"}};

static sc_panel emptiness_panel(const emptiness *e)
{
    return (sc_panel){.title = e->title,
                      .x_name = "k / certain",
                      .y_name = "probability",
                      .x_step = 0.1,
                      .x = e->share,
                      .count = e->certain + 1,
                      .y = {e->ours, e->theirs}};
}

static void draw_emptiness(const void *context, sc_output *output)
{
    const sc_panel panel = emptiness_panel(context);
    sc_panels_open(output, &emptiness_panels, 1);
    sc_panel_write(output, &emptiness_panels, 0, &panel);
    sc_svg_close(output);
}

static scrim_status read_emptiness(const sc_options *options, emptiness *e,
                                   scrim_error *error)
{
    sc_keyed k[2] = {{.key = "certain"}, {.key = NULL}};
    const char *folder = options->value[SCRIM_OPTION_SVG];
    size_t next = 2;
    char *end = NULL;
    SC_TRY(sc_keyed_read(options, next, k, &next, error));
    if (next < options->word_count)
        return sc_refuse(error, "'%s' is not allowed here", options->words[next]);
    const unsigned long long certain =
        k[0].value == NULL ? 100 : strtoull(k[0].value, &end, 10);
    if (certain < 2 || certain > CERTAIN_MAX || (end != NULL && *end != '\0'))
        return sc_refuse(error, "certain must be an integer from 2 to %d", CERTAIN_MAX);
    e->certain = (size_t)certain;
    if (folder == NULL)
        return SCRIM_OK;
    if (snprintf(e->path, sizeof e->path, "%s/emptiness.svg", folder) >= EMPTINESS_PATH)
        return sc_refuse(error, "--svg: the name is too long");
    return sc_file_writer_check_in("--svg", folder, e->path, error);
}

static scrim_status write_emptiness(const sc_options *options, const emptiness *e,
                                    scrim_error *error)
{
    static const sc_listing_column emptiness_columns[] = {{"elements", SC_KIND_NUMBER},
                                                          {"share", SC_KIND_NUMBER},
                                                          {"probability", SC_KIND_BOUND},
                                                          {"in_document", SC_KIND_BOUND}};
    const sc_panel panel = emptiness_panel(e);
    sc_terminal terminal;
    sc_format format;
    sc_output output;
    SC_TRY(sc_options_screen(options, &terminal, &format, error));
    sc_output_init_screen(&output, STDOUT_FILENO, format);
    const bool plots = sc_options_has(options, SCRIM_OPTION_PLOT),
               is_table = format == SCRIM_FORMAT_TABLE;
    if (plots && is_table)
        sc_panel_terminal(&output, &emptiness_panels, &panel, &terminal);
    sc_listing listing = SC_LISTING(emptiness_columns, &output, format, &terminal);
    (void)sc_listing_open(&listing);
    for (size_t i = 0; i <= e->certain; i++) {
        sc_listing_put(&listing, "%zu", i);
        sc_listing_put(&listing, "%.6g", e->share[i]);
        sc_listing_put(&listing, is_table ? "%.6g" : "%.15g", e->ours[i]);
        sc_listing_put(&listing, is_table ? "%.6g" : "%.15g", e->theirs[i]);
    }
    SC_TRY(sc_listing_close(&listing, SCRIM_OK, error));
    SC_TRY(sc_output_finish(&output, error));
    if (!plots || is_table)
        return SCRIM_OK;
    sc_output_init(&output, STDERR_FILENO);
    sc_panel_terminal(&output, &emptiness_panels, &panel, &terminal);
    return sc_output_finish(&output, error);
}

scrim_status sc_emptiness_show(const sc_options *options, scrim_error *error)
{
    const char *given = options->value[SCRIM_OPTION_EPSILON];
    const char *epsilon = given == NULL ? "1/10" : given;
    SC_FREED emptiness *e = calloc(1, sizeof *e);
    if (e == NULL)
        return sc_out_of_memory(error, "an experiment");
    SC_TRY(read_emptiness(options, e, error));
    SC_TRY(find_probabilities(epsilon, e, error));
    snprintf(e->title, sizeof e->title, "epsilon %.40s, certain from %zu on", epsilon,
             e->certain);
    if (e->path[0] != '\0') {
        SC_TRY(sc_folder_make("--svg", options->value[SCRIM_OPTION_SVG], error));
        SC_TRY(sc_file_write("--svg", e->path, draw_emptiness, e, error));
    }
    return write_emptiness(options, e, error);
}

/* The plan of a histogram in buckets. */

enum {
    P_EPSILON,
    P_DELTA,
    P_ALPHA,
    P_BETA,
    P_LOWER,
    P_UPPER,
    P_ELEMENTS,
    P_FORM,
    PLANNED
};

bool sc_histogram_plan_asked(const sc_options *options)
{
    bool has_elements = false;
    for (size_t i = 2; i < options->word_count; i++)
        has_elements |= strncmp(options->words[i], "elements=", 9) == 0;
    return options->word_count > 2 && has_elements &&
           strcmp(options->words[1], "bucket-histogram") == 0;
}

/* --epsilon and --delta are the keys of these names. */
static scrim_status read_plan(const sc_options *options, sc_keyed k[PLANNED + 1],
                              scrim_histogram_question *out, scrim_error *error)
{
    static const sc_option others[] = {SCRIM_OPTION_TARGET_ERROR, SCRIM_OPTION_CONFIDENCE,
                                       SCRIM_OPTION_AT_ONCE,      SCRIM_OPTION_RELEASES,
                                       SCRIM_OPTION_VALUES,       SCRIM_OPTION_SIZE,
                                       SCRIM_OPTION_PLOT,         SCRIM_OPTION_SVG};
    static const sc_option both[] = {SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA};
    size_t next = 2;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (sc_options_has(options, others[i]))
            return sc_refuse(error, "a plan by elements takes no %s; leave it out",
                             sc_option_name(others[i]));
    SC_TRY(sc_keyed_read(options, next, k, &next, error));
    if (next < options->word_count)
        return sc_refuse(error, "'%s' is not allowed here", options->words[next]);
    for (size_t i = 0; i < 2; i++) {
        const char *given = options->value[both[i]];
        if (given != NULL && k[P_EPSILON + i].value != NULL)
            return sc_refuse(error, "%s is given twice; give it once",
                             k[P_EPSILON + i].key);
        if (given != NULL)
            k[P_EPSILON + i].value = given;
    }
    const char *form = k[P_FORM].value == NULL ? "add-remove" : k[P_FORM].value;
    if (strcmp(form, "add-remove") != 0 && strcmp(form, "replace") != 0)
        return sc_refuse(error, "neighbours must be add-remove or replace, not '%s'",
                         form);
    k[P_FORM].value = form;
    *out = (scrim_histogram_question){
        .size = sizeof *out,
        .neighbours = strcmp(form, "replace") == 0 ? SCRIM_REPLACE : SCRIM_ADD_REMOVE,
        .epsilon = k[P_EPSILON].value,
        .delta = k[P_DELTA].value,
        .alpha = k[P_ALPHA].value,
        .beta = k[P_BETA].value,
        .lower = k[P_LOWER].value,
        .upper = k[P_UPPER].value,
        .elements = k[P_ELEMENTS].value};
    return SCRIM_OK;
}

/* The line that runs the plan. Where any epsilon will do, it has the least that noise can have. */
static void write_line(const sc_keyed *k, const scrim_histogram_plan *plan, char *line,
                       size_t capacity)
{
    snprintf(line, capacity,
             "bucket-histogram epsilon=%s q=%llu%s%s upper=%s beta=%s neighbours=%s",
             strcmp(plan->epsilon, "0") == 0 ? "1/1000000000" : plan->epsilon,
             (unsigned long long)plan->q, k[P_LOWER].value == NULL ? "" : " lower=",
             k[P_LOWER].value == NULL ? "" : k[P_LOWER].value, k[P_UPPER].value,
             plan->beta, k[P_FORM].value);
}

scrim_status sc_histogram_plan_show(const sc_options *options, scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {.name = "measurement"}, {.name = "epsilon"}, {.name = "delta"},
        {.name = "alpha"},       {.name = "beta"},    {"q", SC_KIND_NUMBER},
        {.name = "buckets"},     {.name = "elements"}};
    sc_keyed k[PLANNED + 1] = {
        {.key = "epsilon"},  {.key = "delta"},      {.key = "alpha"},
        {.key = "beta"},     {.key = "lower"},      {.key = "upper"},
        {.key = "elements"}, {.key = "neighbours"}, {.key = NULL}};
    scrim_histogram_question question;
    scrim_histogram_plan plan;
    char line[LINE_BYTES], q[32], buckets[32], shown[4][SC_BOUND_BYTES];
    const char *const numbers[] = {plan.epsilon, plan.delta, plan.alpha, plan.beta};
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    SC_TRY(read_plan(options, k, &question, error));
    if (question.upper == NULL)
        return sc_refuse(error, "give upper, the end of the range of the elements");
    SC_TRY(scrim_histogram_plan_find(&question, &plan, error));
    SC_TRY(sc_page_new(options, columns, sizeof columns / sizeof *columns, &page, error));
    write_line(k, &plan, line, sizeof line);
    snprintf(q, sizeof q, "%llu", (unsigned long long)plan.q);
    snprintf(buckets, sizeof buckets, "%llu", (unsigned long long)plan.buckets);
    for (size_t i = 0; i < 4; i++)
        sc_number_format_upper(numbers[i], shown[i]);
    const char *const cells[] = {line,     shown[0], shown[1], shown[2],
                                 shown[3], q,        buckets,  k[P_ELEMENTS].value};
    const bool is_table = page->format == SCRIM_FORMAT_TABLE;
    if (is_table) { /* the line stands above the box */
        page->heading = line;
        page->columns++;
        page->column_count--;
    }
    sc_listing_add(page, cells + (is_table ? 1 : 0));
    return sc_page_write(page, error);
}
