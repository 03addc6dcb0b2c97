/* scrim experiment sensitivity: the sensitivities of a function that stands in a JSON file. */
#include "cli/display/listing.h"
#include "cli/mechanism/experiments.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/whole_file.h"
#include "lab/experiment/function_table.h"

#include <stdlib.h>
#include <string.h>

#define FILE_BYTES ((size_t)1 << 20)
#define POINTS_MAX ((size_t)200)
#define PLACES_MAX ((size_t)1 << 16)
#define ANSWERS_MAX ((size_t)4096)
#define STEPS_MAX ((size_t)4096)

/* Points of a space: names, and perhaps a histogram for each. */
typedef struct space {
    const char *names[POINTS_MAX];
    scrim_law_list histograms[POINTS_MAX];
    size_t count;
    bool has_histograms;
} space;

/* A measure of the file: a word, or a list. */
typedef struct measure {
    const char *word; /* NULL: not given, or a list */
    scrim_step steps[STEPS_MAX];
    size_t count;
    bool is_given;
} measure;

enum { INPUT_DISTORTION, INPUT_METRIC, OUTPUT_DISTORTION, OUTPUT_METRIC, MEASURES };

static const char *const measure_names[MEASURES] = {"distortion", "metric",
                                                    "output_distortion", "output_metric"};

typedef struct answer_text {
    const char *input, *output, *mass;
} answer_text;

typedef struct function_file {
    const char *path;
    sc_json_reader reader;
    scrim_place *places; /* of all histograms, one behind the other */
    size_t place_count;
    space inputs, outputs;
    measure measures[MEASURES];
    answer_text function[POINTS_MAX], answers[ANSWERS_MAX];
    size_t function_count, answer_count;
    /* Numbers of points, from the texts above. */
    size_t value[POINTS_MAX];
    lab_answer mechanism[ANSWERS_MAX];
    lab_distances distances[MEASURES];
} function_file;

static scrim_status fail_form(const function_file *f, const char *expected,
                              scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_INPUT, "%s: line %zu: expected %s", f->path,
                             f->reader.line, expected);
}

static scrim_status fail_count(const function_file *f, const char *what, size_t most,
                               scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_LIMIT, "%s: line %zu: more than %zu %s",
                             f->path, f->reader.line, most, what);
}

/* Reading. */

static size_t find_name(const space *s, const char *name)
{
    size_t i = 0;
    while (i < s->count && strcmp(s->names[i], name) != 0)
        i++;
    return i;
}

/* Adds a name unless it is there. */
static scrim_status add_name(const function_file *f, space *s, const char *name,
                             scrim_error *error)
{
    if (find_name(s, name) < s->count)
        return SCRIM_OK;
    if (s->count == POINTS_MAX)
        return fail_count(f, "inputs or outputs", POINTS_MAX, error);
    s->names[s->count++] = name;
    return SCRIM_OK;
}

/* [[PLACE, COUNT], ...], which may be empty */
static scrim_status read_histogram(function_file *f, scrim_law_list *out,
                                   scrim_error *error)
{
    static const char form[] = "a histogram, as in [[0, 2], [10, 1]]";
    const size_t first = f->place_count;
    if (!sc_json_skip(&f->reader, '['))
        return fail_form(f, form, error);
    while (!sc_json_skip(&f->reader, ']')) {
        if (f->place_count > first && !sc_json_skip(&f->reader, ','))
            return fail_form(f, form, error);
        if (f->place_count == PLACES_MAX)
            return fail_count(f, "places", PLACES_MAX, error);
        scrim_place *place = &f->places[f->place_count];
        if (!sc_json_skip(&f->reader, '[') ||
            (place->place = sc_json_scalar(&f->reader)) == NULL ||
            !sc_json_skip(&f->reader, ',') ||
            (place->mass = sc_json_scalar(&f->reader)) == NULL ||
            !sc_json_skip(&f->reader, ']'))
            return fail_form(f, form, error);
        f->place_count++;
    }
    *out = (scrim_law_list){f->places + first, f->place_count - first};
    return SCRIM_OK;
}

/* {"a": HISTOGRAM, ...} or ["a", ...] */
static scrim_status read_space(function_file *f, space *s, scrim_error *error)
{
    s->has_histograms = sc_json_skip(&f->reader, '{');
    if (!s->has_histograms && !sc_json_skip(&f->reader, '['))
        return fail_form(f, "names in [] or histograms in {}", error);
    do {
        const size_t before = s->count;
        const char *name = sc_json_scalar(&f->reader);
        if (name == NULL || (s->has_histograms && !sc_json_skip(&f->reader, ':')))
            return fail_form(f, "a name", error);
        SC_TRY(add_name(f, s, name, error));
        if (s->count == before)
            return sc_complaint_fill(error, SCRIM_E_INPUT,
                                     "%s: line %zu: '%.60s' is there twice", f->path,
                                     f->reader.line, name);
        if (s->has_histograms)
            SC_TRY(read_histogram(f, &s->histograms[before], error));
    } while (sc_json_skip(&f->reader, ','));
    return sc_json_skip(&f->reader, s->has_histograms ? '}' : ']')
               ? SCRIM_OK
               : fail_form(f, "the end of the list", error);
}

/* {"a": VALUE, ...} */
static scrim_status read_function(function_file *f, scrim_error *error)
{
    if (!sc_json_skip(&f->reader, '{'))
        return fail_form(f, "values, as in {\"a\": 10, \"b\": 0}", error);
    do {
        answer_text *value = &f->function[f->function_count];
        if (f->function_count == POINTS_MAX)
            return fail_count(f, "values", POINTS_MAX, error);
        if ((value->input = sc_json_scalar(&f->reader)) == NULL ||
            !sc_json_skip(&f->reader, ':') ||
            (value->output = sc_json_scalar(&f->reader)) == NULL)
            return fail_form(f, "a value, as in \"a\": 10", error);
        f->function_count++;
    } while (sc_json_skip(&f->reader, ','));
    return sc_json_skip(&f->reader, '}') ? SCRIM_OK
                                         : fail_form(f, "} behind the values", error);
}

/* {"a": [[VALUE, MASS], ...], ...} */
static scrim_status read_mechanism(function_file *f, scrim_error *error)
{
    if (!sc_json_skip(&f->reader, '{'))
        return fail_form(f, "answers, as in {\"a\": [[10, 1]]}", error);
    do {
        const size_t first = f->place_count;
        scrim_law_list list = {.count = 0};
        const char *input = sc_json_scalar(&f->reader);
        if (input == NULL || !sc_json_skip(&f->reader, ':'))
            return fail_form(f, "answers, as in \"a\": [[10, 1]]", error);
        SC_TRY(read_histogram(f, &list, error));
        for (size_t i = 0; i < list.count; i++) {
            if (f->answer_count == ANSWERS_MAX)
                return fail_count(f, "answers", ANSWERS_MAX, error);
            f->answers[f->answer_count++] = (answer_text){
                input, f->places[first + i].place, f->places[first + i].mass};
        }
    } while (sc_json_skip(&f->reader, ','));
    return sc_json_skip(&f->reader, '}') ? SCRIM_OK
                                         : fail_form(f, "} behind the answers", error);
}

/* "word" or [["from", "to", LENGTH], ...] */
static scrim_status read_measure(function_file *f, measure *m, scrim_error *error)
{
    m->is_given = true;
    if (!sc_json_skip(&f->reader, '[')) {
        m->word = sc_json_scalar(&f->reader);
        return m->word == NULL ? fail_form(f, "a word or a list of distances", error)
                               : SCRIM_OK;
    }
    do {
        scrim_step *step = &m->steps[m->count];
        if (m->count == STEPS_MAX)
            return fail_count(f, "distances", STEPS_MAX, error);
        if (!sc_json_skip(&f->reader, '[') ||
            (step->from = sc_json_scalar(&f->reader)) == NULL ||
            !sc_json_skip(&f->reader, ',') ||
            (step->to = sc_json_scalar(&f->reader)) == NULL ||
            !sc_json_skip(&f->reader, ',') ||
            (step->length = sc_json_scalar(&f->reader)) == NULL ||
            !sc_json_skip(&f->reader, ']'))
            return fail_form(f, "a distance, as in [\"a\", \"b\", \"1/2\"]", error);
        m->count++;
    } while (sc_json_skip(&f->reader, ','));
    return sc_json_skip(&f->reader, ']') ? SCRIM_OK
                                         : fail_form(f, "] behind the distances", error);
}

static scrim_status read_member(function_file *f, scrim_error *error)
{
    const char *name = sc_json_scalar(&f->reader);
    if (name == NULL || !sc_json_skip(&f->reader, ':'))
        return fail_form(f, "{\"function\": {\"a\": 10}}", error);
    if (strcmp(name, "inputs") == 0 && f->inputs.count == 0)
        return read_space(f, &f->inputs, error);
    if (strcmp(name, "outputs") == 0 && f->outputs.count == 0)
        return read_space(f, &f->outputs, error);
    if (strcmp(name, "function") == 0 && f->function_count == 0)
        return read_function(f, error);
    if (strcmp(name, "mechanism") == 0 && f->answer_count == 0)
        return read_mechanism(f, error);
    for (size_t i = 0; i < MEASURES; i++)
        if (strcmp(name, measure_names[i]) == 0 && !f->measures[i].is_given)
            return read_measure(f, &f->measures[i], error);
    return sc_complaint_fill(
        error, SCRIM_E_INPUT,
        "%s: line %zu: '%.60s' is unknown or there twice; use inputs, outputs, function, "
        "mechanism, distortion, metric, output_distortion and output_metric",
        f->path, f->reader.line, name);
}

static scrim_status read_all(function_file *f, scrim_error *error)
{
    if (!sc_json_skip(&f->reader, '{'))
        return fail_form(f, "{\"function\": {\"a\": 10}}", error);
    do
        SC_TRY(read_member(f, error));
    while (sc_json_skip(&f->reader, ','));
    if (!sc_json_skip(&f->reader, '}') || !sc_json_is_end(&f->reader))
        return fail_form(f, "} at the end", error);
    return f->function_count > 0
               ? SCRIM_OK
               : sc_complaint_fill(error, SCRIM_E_INPUT, "%s: give a function", f->path);
}

/* From names to points. Points that were not declared are those that the function and the mechanism name, unless
 * histograms were declared. */

static scrim_status add_names(function_file *f, scrim_error *error)
{
    for (size_t i = 0; i < f->function_count; i++) {
        if (!f->inputs.has_histograms)
            SC_TRY(add_name(f, &f->inputs, f->function[i].input, error));
        if (!f->outputs.has_histograms)
            SC_TRY(add_name(f, &f->outputs, f->function[i].output, error));
    }
    for (size_t i = 0; !f->outputs.has_histograms && i < f->answer_count; i++)
        SC_TRY(add_name(f, &f->outputs, f->answers[i].output, error));
    return SCRIM_OK;
}

static scrim_status find_point(const function_file *f, const space *s, const char *name,
                               size_t *out, scrim_error *error)
{
    *out = find_name(s, name);
    return *out < s->count ? SCRIM_OK
                           : sc_complaint_fill(error, SCRIM_E_INPUT,
                                               "%s: unknown '%.60s'", f->path, name);
}

static scrim_status resolve(function_file *f, scrim_error *error)
{
    bool has_value[POINTS_MAX] = {false};
    SC_TRY(add_names(f, error));
    for (size_t i = 0; i < f->function_count; i++) {
        size_t input = 0;
        SC_TRY(find_point(f, &f->inputs, f->function[i].input, &input, error));
        SC_TRY(
            find_point(f, &f->outputs, f->function[i].output, &f->value[input], error));
        if (has_value[input])
            return sc_complaint_fill(error, SCRIM_E_INPUT, "%s: '%.60s' has two values",
                                     f->path, f->function[i].input);
        has_value[input] = true;
    }
    for (size_t i = 0; i < f->inputs.count; i++)
        if (!has_value[i])
            return sc_complaint_fill(error, SCRIM_E_INPUT,
                                     "%s: the function has no value for '%.60s'", f->path,
                                     f->inputs.names[i]);
    for (size_t i = 0; i < f->answer_count; i++) {
        lab_answer *answer = &f->mechanism[i];
        answer->mass = f->answers[i].mass;
        SC_TRY(find_point(f, &f->inputs, f->answers[i].input, &answer->input, error));
        SC_TRY(find_point(f, &f->outputs, f->answers[i].output, &answer->output, error));
    }
    return SCRIM_OK;
}

/* Histograms are dropped and moved, numbers are |a - b| apart, and other names infinitely far. */
static const char *usual_kind(const space *s, bool is_distortion)
{
    if (s->has_histograms)
        return is_distortion ? "drop" : "move";
    for (size_t i = 0; i < s->count; i++)
        if (strspn(s->names[i], "0123456789.-/") != strlen(s->names[i]))
            return NULL;
    return "absolute";
}

static scrim_status fill_distances(function_file *f, const char *eta, scrim_error *error)
{
    for (size_t i = 0; i < MEASURES; i++) {
        const measure *m = &f->measures[i];
        const bool is_input = i == INPUT_DISTORTION || i == INPUT_METRIC;
        const space *s = is_input ? &f->inputs : &f->outputs;
        const lab_points points = {s->count, s->names,
                                   s->has_histograms ? s->histograms : NULL};
        const lab_measure how = {
            .kind = m->is_given
                        ? m->word
                        : usual_kind(s, i == INPUT_DISTORTION || i == OUTPUT_DISTORTION),
            .eta = eta,
            .steps = m->steps,
            .step_count = m->count};
        const bool takes_eta = how.kind != NULL && strcmp(how.kind, "drop-move") == 0;
        SC_TRY(lab_distances_fill(&points,
                                  takes_eta
                                      ? &how
                                      : &(lab_measure){.kind = how.kind,
                                                       .steps = how.steps,
                                                       .step_count = how.step_count},
                                  &f->distances[i], error));
    }
    return SCRIM_OK;
}

/* Showing. */

static void add_steps(const char *kind, const lab_step *steps, size_t count,
                      const space *inputs, const space *others, sc_listing *page)
{
    for (size_t i = 0; i < count; i++)
        sc_listing_add(page, (const char *[]){kind, steps[i].at, steps[i].value,
                                              inputs->names[steps[i].input],
                                              others->names[steps[i].other]});
}

static scrim_status show(const function_file *f, const sc_function_numbers *numbers,
                         const sc_options *options, scrim_error *error)
{
    static const sc_listing_column columns[] = {{.name = "sensitivity"},
                                                {.name = "from"},
                                                {.name = "value"},
                                                {.name = "input"},
                                                {.name = "other"}};
    const lab_function_table table = {
        .inputs = f->inputs.count,
        .outputs = f->outputs.count,
        .value = f->value,
        .input_distortion = &f->distances[INPUT_DISTORTION],
        .input_metric = &f->distances[INPUT_METRIC],
        .output_distortion = &f->distances[OUTPUT_DISTORTION],
        .output_metric = &f->distances[OUTPUT_METRIC],
        .answers = f->answer_count == 0 ? NULL : f->mechanism,
        .answer_count = f->answer_count};
    SC_FREED lab_step *distortion = NULL, *error_steps = NULL;
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    size_t distortion_count = 0, error_count = 0;
    SC_TRY(lab_distortion_sensitivity(&table, numbers->omega, &distortion,
                                      &distortion_count, error));
    SC_TRY(lab_error_sensitivity(&table, numbers->alpha, numbers->gamma, &error_steps,
                                 &error_count, error));
    SC_TRY(sc_page_new(options, columns, sizeof columns / sizeof *columns, &page, error));
    add_steps("distortion", distortion, distortion_count, &f->inputs, &f->outputs, page);
    add_steps("error", error_steps, error_count, &f->inputs, &f->inputs, page);
    return sc_page_write(page, error);
}

static scrim_status run(function_file *f, const sc_function_numbers *numbers,
                        const sc_options *options, scrim_error *error)
{
    SC_TRY(read_all(f, error));
    SC_TRY(resolve(f, error));
    SC_TRY(fill_distances(f, numbers->eta, error));
    return show(f, numbers, options, error);
}

scrim_status sc_function_table(const sc_options *options, const char *path,
                               const sc_function_numbers *numbers, scrim_error *error)
{
    sc_whole_file file = {.bytes = NULL};
    SC_FREED scrim_place *places = calloc(PLACES_MAX, sizeof *places);
    SC_FREED function_file *f = calloc(1, sizeof *f);
    if (f == NULL || places == NULL)
        return sc_out_of_memory(error, "a function");
    f->path = path;
    f->places = places;
    scrim_status status = sc_whole_file_read(path, FILE_BYTES, &file, error);
    if (status != SCRIM_OK)
        return status;
    sc_json_reader_init(&f->reader, file.bytes);
    status = run(f, numbers, options, error);
    for (size_t i = 0; i < MEASURES; i++)
        lab_distances_clear(&f->distances[i]);
    sc_whole_file_clear(&file);
    return status;
}
