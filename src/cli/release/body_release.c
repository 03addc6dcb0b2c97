#include "cli/release/body_release.h"

#include "cli/answer/charge_note.h"
#include "cli/answer/release_note.h"
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/release/body_page.h"
#include "cli/release/subcommands.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/program.h"
#include "cli/vault/budget_writer.h"
#include "cli/vault/vault_place.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct sc_body_request {
    const sc_options *options;
    sc_answer_style style;
    sc_progress progress;
    scrim_vault *vault;
    sc_vault_seed seed;
    sc_whole_file vectors; /* of given directions */
    bool has_vectors;
    sc_asked_directions directions;
    uint64_t expected;
    scrim_body_fit *fit;
    scrim_body_release *release;
} sc_body_request;

#define VECTOR_BYTES ((size_t)1 << 24)
#define UNITS_MOST UINT64_C(1000000000000)
#define DIRECTIONS_MOST 4096

/* Directions: N, KIND, KIND:N, KIND:N:SEED or a file of their numbers. */

static bool read_digits(const char *text, uint64_t most, uint64_t *out)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value > most)
        return false;
    *out = value;
    return true;
}

static scrim_status refuse_directions(const char *text, scrim_error *error)
{
    return sc_refuse(error,
                     "--directions %.60s: give a number, a kind (frames, axes, pairs, "
                     "equiangular, sequence), KIND:NUMBER, KIND:NUMBER:SEED, or a CSV "
                     "file of vectors of length 1",
                     text);
}

scrim_status sc_asked_directions_read(const char *text, sc_asked_directions *out,
                                      scrim_error *error)
{
    char parts[64];
    if (read_digits(text, UINT64_MAX, &out->count))
        return SCRIM_OK;
    const size_t length = strlen(text);
    if (length >= sizeof parts)
        return refuse_directions(text, error);
    memcpy(parts, text, length + 1);
    char *number = strchr(parts, ':'), *seed = NULL;
    if (number != NULL) {
        *number++ = '\0';
        seed = strchr(number, ':');
        if (seed != NULL)
            *seed++ = '\0';
    }
    if (strlen(parts) >= sizeof out->kind ||
        (number != NULL && !read_digits(number, DIRECTIONS_MOST, &out->count)) ||
        (seed != NULL && !read_digits(seed, UINT32_MAX, &out->seed)))
        return refuse_directions(text, error);
    memcpy(out->kind, parts, strlen(parts) + 1);
    return SCRIM_OK;
}

static bool is_file(const char *text)
{
    return strchr(text, '/') != NULL || strchr(text, '.') != NULL;
}

static scrim_status read_directions(sc_body_request *r, scrim_error *error)
{
    const char *text = r->options->value[SCRIM_OPTION_DIRECTIONS];
    if (text == NULL)
        return SCRIM_OK;
    if (!is_file(text))
        return sc_asked_directions_read(text, &r->directions, error);
    const scrim_status status =
        sc_whole_file_read(text, VECTOR_BYTES, &r->vectors, error);
    r->has_vectors = status == SCRIM_OK;
    return status;
}

/* Planning. */

static scrim_status make_plan(sc_body_request *r, const char *q, const char *method,
                              scrim_error *error)
{
    const sc_options *o = r->options;
    const char *given = o->value[SCRIM_OPTION_Q];
    return scrim_body_fit_new(
        r->vault, o->words[2],
        SCRIM_OPTIONS(
            scrim_body_fit_options, .columns = o->value[SCRIM_OPTION_COLUMNS],
            .q = given != NULL ? given : q, .epsilon = o->value[SCRIM_OPTION_EPSILON],
            .delta = o->value[SCRIM_OPTION_DELTA], .method = method,
            .directions = r->directions.kind[0] != '\0' ? r->directions.kind : NULL,
            .vectors = r->has_vectors ? r->vectors.bytes : NULL,
            .direction_count = r->directions.count, .seed = r->directions.seed,
            .scales = o->value[SCRIM_OPTION_SCALES], .expected_units = r->expected,
            .max_total_rows = o->value[SCRIM_OPTION_MAX_TOTAL_ROWS],
            .progress = sc_progress_told, .context = &r->progress),
        &r->fit, error);
}

/* Reads the options of words[2], opens the vault and plans. verb is for messages, "fit" or "center"; q is used where none is
 * given, and method as scrim/body_fit.h has it. The request is for sc_body_request_close whatever happens. */
static scrim_status sc_body_request_open(sc_body_request *r, const sc_options *options,
                                         const char *verb, const char *q,
                                         const char *method, scrim_error *error)
{
    *r = (sc_body_request){.options = options};
    if (options->word_count != 3)
        return sc_refuse(error,
                         "name one dataset, as in 'scrim body %s adult --columns "
                         "age,hours_per_week --epsilon 1'",
                         verb);
    SC_TRY(sc_answer_style_read(options, &r->style, error));
    SC_TRY(sc_options_number(options, SCRIM_OPTION_EXPECTED_UNITS, UNITS_MOST, 0,
                             &r->expected, error));
    if (options->value[SCRIM_OPTION_OUT] != NULL)
        SC_TRY(sc_file_writer_check("--out", options->value[SCRIM_OPTION_OUT], error));
    SC_TRY(read_directions(r, error));
    SC_TRY(sc_vault_place_open(options, &r->vault, error));
    SC_TRY(sc_vault_seed_use(&r->seed, options, r->vault, error));
    return make_plan(r, q, method, error);
}

static void sc_body_request_close(sc_body_request *r)
{
    scrim_body_release_free(r->release);
    scrim_body_fit_free(r->fit);
    scrim_vault_close(r->vault);
    sc_vault_seed_clear(&r->seed, NULL);
    if (r->has_vectors)
        sc_whole_file_clear(&r->vectors);
}

/* The expected cost and error. */

static const sc_listing_column plan_columns[] = {
    {.name = "directions", SC_KIND_TEXT},
    {"count", SC_KIND_NUMBER},
    {.name = "composition", SC_KIND_TEXT},
    {"epsilon_each", SC_KIND_NUMBER},
    {"rank_error", SC_KIND_NUMBER | SC_OPTIONAL}};

static void write_words(sc_output *output, const scrim_body_fit_facts *facts)
{
    sc_output_text(output, "cost        ");
    sc_cost_write_short(output, &facts->cost);
    sc_output_text(output, facts->is_known != 0 ? "; charged earlier, nothing now\n"
                                                : "; nothing was charged (--dry-run)\n");
    sc_cost_meaning_write(output, &facts->cost, facts->unit_word);
    if (facts->max_rows > 1)
        sc_output_format(
            output, "bounds      %" PRIu64 " rows per %s; further rows are left out\n",
            facts->max_rows, facts->unit_word);
    if (facts->rank_error[0] != '\0')
        sc_output_format(output,
                         "error       %s misses by more than %s rows, with probability "
                         "0.95\n",
                         facts->is_point != 0 ? "no deepest point" : "no direction",
                         facts->rank_error);
    if (facts->may_be_empty != 0)
        sc_output_text(output, "caution     with this q the body may be empty for some "
                               "data; its half-spaces are released anyway\n");
}

static void add_plan(sc_listing *listing, const scrim_body_fit_facts *facts)
{
    char count[24];
    snprintf(count, sizeof count, "%zu", facts->direction_count);
    const char *const cells[] = {facts->directions, count, facts->composition,
                                 facts->epsilon_each, facts->rank_error};
    sc_listing_add(listing, cells);
}

/* Writes the expected cost and error to standard output; nothing is charged. */
static scrim_status sc_body_request_explain(sc_body_request *r, scrim_error *error)
{
    scrim_body_fit_facts facts;
    const sc_answer_style *style = &r->style;
    SC_FREED sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_out_of_memory(error, "a plan");
    SC_TRY(scrim_body_fit_describe(r->vault, r->fit, &facts, error));
    sc_output_init_screen(output, STDOUT_FILENO, style->format);
    sc_listing listing =
        SC_LISTING(plan_columns, output, style->format, &style->terminal);
    sc_json *json =
        style->format == SCRIM_FORMAT_TABLE ? NULL : sc_listing_open(&listing);
    if (json != NULL) {
        sc_json_text(json, "dataset", facts.dataset);
        sc_cost_json(json, "cost", &facts.cost);
        sc_json_truth(json, "known", facts.is_known != 0);
        sc_json_truth(json, "may_be_empty", facts.may_be_empty != 0);
    }
    add_plan(&listing, &facts);
    SC_TRY(sc_listing_close(&listing, SCRIM_OK, error));
    if (style->format == SCRIM_FORMAT_TABLE)
        write_words(output, &facts);
    SC_TRY(sc_output_finish(output, error));
    if (style->format == SCRIM_FORMAT_CSV && !style->quiet) {
        sc_output_init_screen(output, STDERR_FILENO, SCRIM_FORMAT_TABLE);
        write_words(output, &facts);
        SC_TRY(sc_output_finish(output, error));
    }
    return SCRIM_OK;
}

/* Releasing. */

static scrim_status sc_body_request_run(sc_body_request *r, scrim_error *error)
{
    scrim_body_released facts;
    sc_charge_first_words("body", r->options->words[2], r->style.vault);
    sc_progress_start(&r->progress, 0, "%", !r->style.quiet);
    const scrim_status status = scrim_body_fit_run(r->vault, r->fit, &r->release, error);
    sc_progress_end(&r->progress);
    if (status != SCRIM_OK)
        return status;
    scrim_body_release_describe(r->release, &facts);
    sc_charge_last_words("body", facts.release, r->style.vault);
    return SCRIM_OK;
}

/* Showing. */

static void write_kind(sc_output *talk, const scrim_body_release *release)
{
    const scrim_body *body = scrim_body_release_body(release);
    scrim_body_facts facts;
    if (body == NULL) {
        sc_output_text(talk, "point       deep among the rows from every direction; one "
                             "release\n");
        return;
    }
    scrim_body_describe(body, &facts);
    sc_output_format(
        talk,
        "body        %zu column%s, %zu directions (%s) of epsilon %.6g each, "
        "q %.6g, composed %s\n",
        facts.dimension, facts.dimension == 1 ? "" : "s", facts.direction_count,
        facts.directions, facts.epsilon_each, facts.q, facts.composition);
    if (facts.max_rows > 1)
        sc_output_format(
            talk,
            "bounds      %" PRIu64
            " rows per privacy unit; further rows were left out; " SC_UNCOUNTED "\n",
            facts.max_rows, "privacy units");
}

/* How far off its directions can be, and that this is much. */
static void write_error(sc_output *talk, const scrim_body *body)
{
    scrim_body_facts facts;
    const double ranks = body == NULL ? HUGE_VAL : scrim_body_rank_error(body, 0.05);
    if (!isfinite(ranks))
        return;
    scrim_body_describe(body, &facts);
    sc_output_format(talk,
                     "error       no direction misses by more than %.0f rows, with "
                     "probability 0.95\n",
                     ceil(ranks));
    if (facts.units > 0 && ranks > 0.1 * (1 - facts.q) * (double)facts.units)
        sc_output_text(talk,
                       "caution     that is more than a tenth of the expected units "
                       "outside: expect a poor body\n");
}

static scrim_status write_note(const sc_answer_style *style, scrim_vault *vault,
                               const scrim_body_release *release, sc_output *talk,
                               scrim_error *error)
{
    scrim_body_released facts;
    SC_OWNED(scrim_vault_release_clear) scrim_vault_release charge = {0};
    scrim_budget left;
    char where[SC_VAULT_WORDS_BYTES];
    scrim_body_release_describe(release, &facts);
    SC_TRY(scrim_vault_replay(vault, facts.release, &charge, error));
    SC_TRY(sc_budget_find(vault, charge.population, charge.analyst, &left, error));
    sc_output_init_screen(talk, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    sc_vault_words(style->vault, where);
    write_kind(talk, release);
    sc_output_text(talk, "cost        ");
    sc_cost_write_short(talk, &facts.cost);
    sc_output_text(talk, "\n");
    sc_cost_meaning_write(talk, &facts.cost, "privacy unit");
    write_error(talk, scrim_body_release_body(release));
    sc_charge_note_write(talk, &charge,
                         facts.is_repeated || style->is_replay ? ", earlier; nothing now"
                                                               : "",
                         style->is_replay ? NULL : &left, where);
    return sc_output_finish(talk, error);
}

scrim_status sc_body_release_note(const sc_answer_style *style, scrim_vault *vault,
                                  const scrim_body_release *release, scrim_error *error)
{
    if (style->quiet)
        return SCRIM_OK;
    SC_FREED sc_output *talk = malloc(sizeof *talk);
    if (talk == NULL)
        return sc_out_of_memory(error, "a body");
    return write_note(style, vault, release, talk, error);
}

static void put_text(const void *text, sc_output *output)
{
    sc_output_text(output, text);
}

static scrim_status write_text(const char *text, const char *path, sc_output *output,
                               scrim_error *error)
{
    if (path != NULL)
        return sc_file_write("--out", path, put_text, text, error);
    sc_output_init_screen(output, STDOUT_FILENO, SCRIM_FORMAT_JSON);
    sc_output_text(output, text);
    return sc_output_finish(output, error);
}

static scrim_status show_body(const scrim_body *body, const char *out, sc_output *output,
                              scrim_error *error)
{
    const size_t bytes = scrim_body_format(body, NULL, 0) + 1;
    SC_FREED char *text = malloc(bytes);
    if (text == NULL)
        return sc_out_of_memory(error, "a body");
    (void)scrim_body_format(body, text, bytes);
    return write_text(text, out, output, error);
}

scrim_status sc_body_text_show(const scrim_body *body, const char *out,
                               scrim_error *error)
{
    SC_FREED sc_output *output = malloc(sizeof *output);
    return output == NULL ? sc_out_of_memory(error, "a body")
                          : show_body(body, out, output, error);
}

static const sc_listing_column point_columns[] = {{.name = "column", SC_KIND_KEY},
                                                  {"value", SC_KIND_NUMBER}};

static scrim_status show_point(const sc_answer_style *style,
                               const scrim_body_release *release, sc_output *output,
                               scrim_error *error)
{
    scrim_body_coordinate at;
    sc_output_init_screen(output, STDOUT_FILENO, style->format);
    sc_listing listing =
        SC_LISTING(point_columns, output, style->format, &style->terminal);
    (void)sc_listing_open(&listing);
    for (size_t i = 0; scrim_body_release_point_at(release, i, &at); i++) {
        char value[SC_BODY_COORDINATE_BYTES];
        const char *const cells[] = {at.name,
                                     sc_body_coordinate_format(at.value, 0, 9, value)};
        sc_listing_add(&listing, cells);
    }
    SC_TRY(sc_listing_close(&listing, SCRIM_OK, error));
    return sc_output_finish(output, error);
}

scrim_status sc_body_release_show(const sc_answer_style *style,
                                  const scrim_body_release *release, const char *out,
                                  scrim_error *error)
{
    const scrim_body *body = scrim_body_release_body(release);
    SC_FREED sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_out_of_memory(error, "a body");
    return body != NULL ? show_body(body, out, output, error)
                        : show_point(style, release, output, error);
}

/* scrim body center DATASET: a body of its own, with a q of its own, and its centre; or a deep point. */
static const sc_listing_column columns[] = {{.name = "column", SC_KIND_KEY},
                                            {"value", SC_KIND_NUMBER}};

static scrim_status list_center(const sc_answer_style *style, const scrim_body *body,
                                const double *x, sc_output *output, scrim_error *error)
{
    scrim_body_column column;
    sc_output_init_screen(output, STDOUT_FILENO, style->format);
    sc_listing listing = SC_LISTING(columns, output, style->format, &style->terminal);
    (void)sc_listing_open(&listing);
    for (size_t i = 0; scrim_body_column_at(body, i, &column); i++) {
        char value[SC_BODY_COORDINATE_BYTES];
        const char *const cells[] = {
            column.name, sc_body_coordinate_format(x[i], column.step, 15, value)};
        sc_listing_add(&listing, cells);
    }
    SC_TRY(sc_listing_close(&listing, SCRIM_OK, error));
    return sc_output_finish(output, error);
}

static scrim_status show_center(const sc_answer_style *style, const scrim_body *body,
                                const char *method, scrim_error *error)
{
    double x[SCRIM_BODY_DIMENSIONS];
    SC_OWNED(scrim_solid_free_at) scrim_solid *solid = NULL;
    scrim_center center;
    SC_FREED sc_output *output = malloc(sizeof *output);
    SC_TRY(output == NULL ? sc_out_of_memory(error, "a body")
                          : scrim_solid_new(body, &solid, error));
    SC_TRY(scrim_solid_center(solid, method, x, &center, error));
    return list_center(style, body, x, output, error);
}

static scrim_status release_center(sc_body_request *r, const char *method,
                                   scrim_error *error)
{
    scrim_body_released facts;
    scrim_status status = sc_body_request_run(r, error);
    if (status != SCRIM_OK)
        return status;
    scrim_body_release_describe(r->release, &facts);
    status =
        facts.is_point != 0
            ? sc_body_release_show(&r->style, r->release, NULL, error)
            : show_center(&r->style, scrim_body_release_body(r->release), method, error);
    if (status == SCRIM_OK)
        status = sc_body_release_note(&r->style, r->vault, r->release, error);
    if (status != SCRIM_OK)
        sc_charge_advise(error, facts.release, r->style.vault);
    return status;
}

scrim_status sc_body_center_dataset(const sc_options *options, scrim_error *error)
{
    const char *asked = options->value[SCRIM_OPTION_METHOD],
               *method = asked == NULL ? "frame" : asked;
    const bool is_depth = strcmp(method, "depth") == 0;
    if (!is_depth && strcmp(method, "frame") != 0 && strcmp(method, "steiner") != 0 &&
        strcmp(method, "chebyshev") != 0)
        return sc_refuse(error, "--method %.40s: use frame, steiner, chebyshev or depth",
                         method);
    sc_body_request *request = calloc(1, sizeof *request);
    if (request == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = sc_body_request_open(request, options, "center", "3/5",
                                               is_depth ? "depth" : NULL, error);
    if (status == SCRIM_OK)
        status = sc_options_has(options, SCRIM_OPTION_DRY_RUN)
                     ? sc_body_request_explain(request, error)
                     : release_center(request, method, error);
    sc_body_request_close(request);
    free(request);
    return status;
}

/* On a terminal a body is pages of numbers that nobody reads. */
static bool is_for_a_file(const sc_body_request *r)
{
    return r->options->value[SCRIM_OPTION_OUT] == NULL && r->style.terminal.is_terminal &&
           !sc_options_has(r->options, SCRIM_OPTION_FORMAT) &&
           !sc_options_has(r->options, SCRIM_OPTION_JSON) &&
           !sc_options_has(r->options, SCRIM_OPTION_QUIET);
}

static scrim_status write_leads(const sc_body_request *r, uint64_t release,
                                scrim_error *error)
{
    char where[SC_VAULT_WORDS_BYTES];
    SC_FREED sc_output *talk = malloc(sizeof *talk);
    if (talk == NULL)
        return sc_out_of_memory(error, "a body");
    sc_vault_words(r->style.vault, where);
    sc_output_init_screen(talk, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    sc_output_format(talk,
                     "body        'scrim replay %" PRIu64 "%s >body.json' writes it; "
                     "'scrim body plot body.json' draws it\n",
                     release, where);
    return sc_output_finish(talk, error);
}

/* scrim body fit DATASET */
static scrim_status release_body(sc_body_request *r, scrim_error *error)
{
    scrim_body_released facts;
    scrim_status status = sc_body_request_run(r, error);
    if (status != SCRIM_OK)
        return status;
    scrim_body_release_describe(r->release, &facts);
    if (!is_for_a_file(r))
        status = sc_body_release_show(&r->style, r->release,
                                      r->options->value[SCRIM_OPTION_OUT], error);
    if (status == SCRIM_OK)
        status = sc_body_release_note(&r->style, r->vault, r->release, error);
    if (status == SCRIM_OK && is_for_a_file(r))
        status = write_leads(r, facts.release, error);
    if (status != SCRIM_OK)
        sc_charge_advise(error, facts.release, r->style.vault);
    return status;
}

static scrim_status run_fit(const sc_options *options, scrim_error *error)
{
    sc_body_request *request = calloc(1, sizeof *request);
    if (request == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status =
        sc_body_request_open(request, options, "fit", "9/10", NULL, error);
    if (status == SCRIM_OK)
        status = sc_options_has(options, SCRIM_OPTION_DRY_RUN)
                     ? sc_body_request_explain(request, error)
                     : release_body(request, error);
    sc_body_request_close(request);
    free(request);
    return status;
}

static const char usage[] =
    "Releases a body: in each public direction the place below which a share q of the\n"
    "rows lies, by exact integer arithmetic. The whole cost is charged first, and the\n"
    "body is recorded: the same request again costs nothing. Columns are numbers with\n"
    "declared ranges; each is divided by its scale. A row with a missing value lies\n"
    "at the lower end of every direction.\n"
    "\n"
    "  --columns C,C,...  the columns; at most 64\n"
    "  --epsilon E    total cost; no default\n"
    "  --delta D      of that cost (default 0). With it costs of directions add up\n"
    "                 as concentrated privacy, where that leaves more for each\n"
    "  --q Q          the share of rows on the inner side (default 0.9)\n"
    "  --directions N|KIND|KIND:N|KIND:N:SEED|FILE  how many, or frames, axes, pairs,\n"
    "                 equiangular or sequence, or a CSV file of vectors of length 1\n"
    "                 (default: 16 equiangular for two columns, 4 frames for more:\n"
    "                 8 directions a column, 80 for ten. With --expected-units 1\n"
    "                 frame, 2 a column, where epsilon of a direction times 1 - q\n"
    "                 times units is below 28: noise would reach the ranges' ends)\n"
    "  --scales S,S,...  what each column is divided by (default: its range)\n"
    "  --expected-units N  steers the number of directions, never privacy\n"
    "  --max-total-rows N  use at most N rows of a unit (default: the owner's bounds)\n"
    "  --out FILE     write the body to this file (default: standard output; a\n"
    "                 terminal shows how to write and draw it)\n"
    "  --dry-run      show only directions, cost and expected error; nothing is\n"
    "                 charged\n" SC_USAGE_VAULT
    "  --format table|csv|json|jsonl  of --dry-run; a body is always JSON\n"
    "  --json         short for --format json\n"
    "  --quiet        show neither progress nor notes\n" SC_USAGE_SEED "\n"
    "example: scrim body fit adult --columns age,hours_per_week --epsilon 1\n";

const sc_command sc_body_fit = {
    .name = "fit",
    .synopsis = "NAME --columns C,C,... --epsilon E [OPTION...]",
    .summary = "release a body of a dataset",
    .usage = usage,
    .kind = SC_COMMAND_RELEASE,
    .options = SC_OPTION_SET(
        SCRIM_OPTION_COLUMNS, SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA, SCRIM_OPTION_Q,
        SCRIM_OPTION_DIRECTIONS, SCRIM_OPTION_SCALES, SCRIM_OPTION_EXPECTED_UNITS,
        SCRIM_OPTION_MAX_TOTAL_ROWS, SCRIM_OPTION_OUT, SCRIM_OPTION_DRY_RUN),
    .run = run_fit,
};
