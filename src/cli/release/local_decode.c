/* scrim local decode --config FILE SUMS...: estimates as a table, CSV or JSON, their covariances, and the notes
 * beside them. */
#include "cli/display/listing.h"
#include "cli/display/number_view.h"
#include "cli/release/local_files.h"
#include "cli/release/subcommands.h"
#include "cli/release/text_decode.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"
#include "scrim.h"
#include "scrim_local.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct sc_decode_view {
    const scrim_estimates *estimates;
    scrim_collection_facts facts;
    const char *confidence; /* as it was asked for */
    const char *post;       /* NULL: none */
    char *const *names;     /* of the first values; others are shown as numbers */
    size_t name_count;
    size_t top; /* number of rows, the largest first; 0: all, in their order */
    bool only_significant;
} sc_decode_view;

/* The estimates of `scrim local decode` as a table, CSV or JSON, and the notes beside them. */

enum { VALUE, ESTIMATE, LOW, HIGH, ERROR, JOINT_LOW, JOINT_HIGH, P, REFINED, EXACT, ALL };

static const sc_listing_column columns[ALL] = {
    [VALUE] = {"value", SC_KIND_KEY},
    [ESTIMATE] = {"estimate", SC_KIND_BOUND | SC_VALUE | SC_RIGHT},
    [LOW] = {"low", SC_KIND_BOUND | SC_BOUND},
    [HIGH] = {"high", SC_KIND_BOUND | SC_BOUND},
    [ERROR] = {"standard_error", SC_KIND_BOUND | SC_RIGHT},
    [JOINT_LOW] = {"joint_low", SC_KIND_BOUND | SC_OPTIONAL},
    [JOINT_HIGH] = {"joint_high", SC_KIND_BOUND | SC_OPTIONAL},
    [P] = {"p", SC_KIND_BOUND | SC_OPTIONAL},
    [REFINED] = {"refined", SC_KIND_BOUND | SC_OPTIONAL},
    [EXACT] = {"exact", SC_KIND_TEXT | SC_OPTIONAL},
};

#define CELL_BYTES 48
#define EXACT_BYTES 200

typedef struct ranked {
    double estimate;
    size_t value;
} ranked;

static int larger_first(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->estimate != y->estimate)
        return x->estimate < y->estimate ? 1 : -1;
    return (x->value > y->value) - (x->value < y->value);
}

/* For people: whole numbers where they are large, else four digits. */
static const char *put_short(char cell[CELL_BYTES], double x)
{
    snprintf(cell, CELL_BYTES, fabs(x) >= 1000 && fabs(x) < 1e16 ? "%.0f" : "%.4g", x);
    return cell;
}

static void put_number(char cell[CELL_BYTES], double x, bool is_for_people)
{
    if (is_for_people)
        (void)put_short(cell, x);
    else
        sc_bound_format_exact(x, cell);
}

typedef struct table {
    const sc_decode_view *view;
    sc_listing *listing;
    size_t shown[ALL], count;
    sc_listing_column columns[ALL];
} table;

static void add_row(const table *t, const char *name, const scrim_estimate *row,
                    const char *exact)
{
    const bool is_for_people = t->listing->format == SCRIM_FORMAT_TABLE;
    const double numbers[] = {[ESTIMATE] = row->estimate,
                              [LOW] = row->low,
                              [HIGH] = row->high,
                              [ERROR] = row->error,
                              [JOINT_LOW] = row->joint_low,
                              [JOINT_HIGH] = row->joint_high,
                              [P] = row->p,
                              [REFINED] = row->refined};
    char text[ALL][CELL_BYTES], both[2 * CELL_BYTES + 8];
    const char *cells[ALL], *all[ALL] = {[VALUE] = name, [EXACT] = exact};
    for (size_t c = ESTIMATE; c <= REFINED; c++) {
        put_number(text[c], numbers[c], is_for_people);
        all[c] = text[c];
    }
    snprintf(both, sizeof both, "[%s, %s]", text[JOINT_LOW], text[JOINT_HIGH]);
    if (is_for_people)
        all[JOINT_LOW] = both;
    if (exact == NULL) /* the mean */
        all[JOINT_LOW] = all[JOINT_HIGH] = all[P] = all[REFINED] = all[EXACT] = "";
    for (size_t i = 0; i < t->count; i++)
        cells[i] = all[t->shown[i]];
    sc_listing_add(t->listing, cells);
}

static void add_value(const table *t, size_t value)
{
    const sc_decode_view *view = t->view;
    scrim_estimate row;
    char number[CELL_BYTES], exact[EXACT_BYTES];
    scrim_estimates_at(view->estimates, value, &row);
    if (view->only_significant && !row.is_listed)
        return;
    snprintf(number, sizeof number, "%zu", value);
    if (scrim_estimates_exact(view->estimates, value, exact, sizeof exact) >=
        sizeof exact)
        exact[0] = '\0';
    add_row(t, value < view->name_count ? view->names[value] : number, &row, exact);
}

/* The order of rows; NULL without memory. */
static ranked *rank_values(const sc_decode_view *view, size_t count)
{
    ranked *rows = calloc(count == 0 ? 1 : count, sizeof *rows);
    for (size_t v = 0; rows != NULL && v < count; v++) {
        scrim_estimate row = {.estimate = 0};
        if (view->top > 0 || view->only_significant)
            scrim_estimates_at(view->estimates, v, &row);
        rows[v] = (ranked){row.estimate, v};
    }
    if (rows != NULL)
        qsort(rows, count, sizeof *rows, larger_first);
    return rows;
}

/* All values in the order of the rows: by their numbers, or the largest estimates first. Free it; NULL without
 * memory. */
static size_t *sc_decode_order(const sc_decode_view *view)
{
    const size_t count = scrim_estimates_count(view->estimates);
    ranked *rows = rank_values(view, count);
    size_t *order = calloc(count + 1, sizeof *order);
    for (size_t i = 0; i < count && rows != NULL && order != NULL; i++)
        order[i] = rows[i].value;
    if (rows == NULL) {
        free(order);
        return NULL;
    }
    free(rows);
    return order;
}

static scrim_status add_rows(const table *t, scrim_error *error)
{
    const sc_decode_view *view = t->view;
    scrim_estimate mean;
    const size_t count = scrim_estimates_count(view->estimates);
    const size_t shown = view->top > 0 && view->top < count ? view->top : count;
    size_t *order = sc_decode_order(view);
    if (order == NULL)
        return sc_out_of_memory(error, "a table");
    if (scrim_estimates_mean(view->estimates, &mean))
        add_row(t, "mean", &mean, NULL);
    for (size_t i = 0; i < shown; i++)
        add_value(t, order[i]);
    free(order);
    return SCRIM_OK;
}

/* ---- notes ---- */

static void note_reports(const sc_decode_view *view)
{
    const scrim_collection_facts *facts = &view->facts;
    sc_talk("%s: %llu reports by %s, epsilon %.6g a report; %llu dropped, %llu flagged\n",
            facts->question, (unsigned long long)facts->reports, facts->protocol,
            facts->epsilon, (unsigned long long)facts->dropped,
            (unsigned long long)facts->flagged);
    sc_talk("if a device sent several reports, their epsilons add up, and it counts as "
            "several devices\n");
    sc_talk("intervals have confidence %.20s, joint ones for all values together; they "
            "cover the noise of honest devices only\n",
            view->confidence);
}

static void put_name_of(char name[CELL_BYTES], const sc_decode_view *view, size_t value)
{
    if (value < view->name_count)
        snprintf(name, CELL_BYTES, "%.40s", view->names[value]);
    else
        snprintf(name, CELL_BYTES, "value %zu", value);
}

/* Is an estimate far above the number of reports, as of reports that were sent again, copied or made up? */
static bool is_absurd(const sc_decode_view *view, size_t *value)
{
    const double reports = (double)view->facts.reports;
    const size_t count = scrim_estimates_count(view->estimates);
    for (size_t v = 0; v < count; v++) {
        scrim_estimate row;
        scrim_estimates_at(view->estimates, v, &row);
        *value = v;
        if (row.estimate > reports + 5 * fmax(row.error, 1))
            return true;
    }
    return false;
}

static void note_absurd(const sc_decode_view *view)
{
    size_t value;
    char name[CELL_BYTES];
    sc_local_caution_dropped(&view->facts);
    if (!is_absurd(view, &value))
        return;
    put_name_of(name, view, value);
    sc_talk(
        "caution: the estimate of %.40s is far above the number of reports; they may be "
        "copies or forged\n",
        name);
}

static void note_smoothing(const sc_decode_view *view)
{
    if (view->post == NULL && strcmp(view->facts.protocol, "square-wave") == 0)
        sc_talk("counts of single values are rough here; --post em-smooth makes them "
                "several times more accurate\n");
}

/* How far fake reports can move an estimate, beside its accuracy (A72). */
static void note_poisoning(const sc_decode_view *view)
{
    static const double shares[] = {0.001, 0.01, 0.05};
    scrim_estimate mean;
    const scrim_collection_facts *facts = &view->facts;
    const bool is_mean = scrim_estimates_mean(view->estimates, &mean) != 0;
    const double reports = is_mean ? 1 : (double)facts->reports;
    char up[3][CELL_BYTES], down[3][CELL_BYTES];
    if (facts->raise == 0 && facts->drop == 0)
        return;
    for (size_t i = 0; i < 3; i++) {
        (void)put_short(up[i], shares[i] * reports * facts->raise);
        (void)put_short(down[i], shares[i] * reports * facts->drop);
    }
    sc_talk("fake reports: if 0.1 %%, 1 %% or 5 %% of the reports are made up, %s may be "
            "too high by %s, %s or %s, or too low by %s, %s or %s\n",
            is_mean ? "the mean" : "an estimate", up[0], up[1], up[2], down[0], down[1],
            down[2]);
    if (facts->flagged > 0)
        sc_talk("flagged reports have a shape that honest devices hardly ever send; they "
                "are counted\n");
}

static void note_post(const sc_decode_view *view)
{
    scrim_estimates_bias bias;
    if (!scrim_estimates_bias_of(view->estimates, &bias))
        return;
    const size_t others = scrim_estimates_count(view->estimates) - bias.zeros;
    char name[CELL_BYTES];
    put_name_of(name, view, bias.largest_value);
    sc_talk("refined by %.20s%s: counts are at least 0 and add up, and they are biased. "
            "Measured in %u simulated collections: %+.4g on average for %zu values "
            "refined to 0, %+.4g for the other %zu; a value is off by %.4g on average, "
            "and %.40s by %.4g\n",
            view->post, bias.updates > 0 ? ", with updates by Bayes' rule" : "",
            bias.simulated, bias.of_zeros, bias.zeros, bias.of_others, others,
            bias.typical, name, bias.largest);
    if (bias.smoothing > 0)
        sc_talk("each update gives 1/%.0f of a count to either neighbour, as much as the "
                "reports allow; peaks become lower\n",
                1 / bias.smoothing);
}

static void note_significant(const sc_decode_view *view)
{
    if (view->only_significant)
        sc_talk(
            "significant values only: of those listed, at most 1 - %.20s are expected "
            "to be held by nobody\n",
            view->confidence);
}

static void put_facts(sc_json *json, const sc_decode_view *view)
{
    const scrim_collection_facts *facts = &view->facts;
    scrim_estimates_bias bias;
    sc_json_text(json, "question", facts->question);
    sc_json_text(json, "protocol", facts->protocol);
    sc_json_count(json, "reports", facts->reports);
    sc_json_count(json, "dropped", facts->dropped);
    sc_json_count(json, "flagged", facts->flagged);
    sc_json_double(json, "epsilon", facts->epsilon);
    sc_json_decimal(json, "confidence", view->confidence);
    sc_json_double(json, "fake_report_raises", facts->raise);
    sc_json_double(json, "fake_report_lowers", facts->drop);
    if (!scrim_estimates_bias_of(view->estimates, &bias))
        return;
    sc_json_text(json, "post", view->post);
    sc_json_count(json, "post_updates", bias.updates);
    sc_json_count(json, "simulated_collections", bias.simulated);
    sc_json_double(json, "bias_of_zeros", bias.of_zeros);
    sc_json_double(json, "bias_of_others", bias.of_others);
    sc_json_double(json, "bias_size", bias.typical);
    sc_json_double(json, "bias_largest", bias.largest);
    if (bias.smoothing > 0)
        sc_json_double(json, "smoothing", bias.smoothing);
}

/* Which of the columns the format shows. People see joint intervals in one, and no fractions. */
static void set_columns(sc_listing *page, const sc_decode_view *view, table *t)
{
    const bool is_for_people = page->format == SCRIM_FORMAT_TABLE;
    for (size_t c = 0; c < ALL; c++) {
        if ((c == P && !view->only_significant) || (c == REFINED && view->post == NULL) ||
            (is_for_people && (c == JOINT_HIGH || c == EXACT)))
            continue;
        t->shown[t->count] = c;
        t->columns[t->count] = columns[c];
        if (is_for_people && c == ESTIMATE)
            t->columns[t->count].kind |= SC_TOGETHER;
        if (is_for_people && c == ERROR)
            t->columns[t->count].name = "standard error";
        if (is_for_people && c == JOINT_LOW)
            t->columns[t->count].name = "all together";
        t->count++;
    }
    page->columns = t->columns;
    page->column_count = t->count;
}

/* Members of a JSON object come before its rows. */
static scrim_status write_page(table *t, scrim_error *error)
{
    sc_json *json = sc_listing_open(t->listing);
    if (json != NULL)
        put_facts(json, t->view);
    SC_TRY(sc_listing_close(t->listing, add_rows(t, error), error));
    return sc_output_finish(t->listing->output, error);
}

/* On standard output, as the options say; notes go to standard error where they are no part of the
 * format. */
static scrim_status sc_decode_listing(const sc_decode_view *view,
                                      const sc_options *options, scrim_error *error)
{
    sc_terminal terminal;
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_out_of_memory(error, "a table");
    sc_listing page = {.output = output, .terminal = &terminal};
    table t = {.view = view, .listing = &page};
    scrim_status status = sc_options_screen(options, &terminal, &page.format, error);
    if (status == SCRIM_OK) {
        sc_output_init_screen(output, STDOUT_FILENO, page.format);
        set_columns(&page, view, &t);
        status = write_page(&t, error);
    }
    free(output);
    if (status != SCRIM_OK || page.format == SCRIM_FORMAT_JSON ||
        sc_options_has(options, SCRIM_OPTION_QUIET))
        return status;
    note_reports(view);
    note_absurd(view);
    note_smoothing(view);
    note_significant(view);
    note_poisoning(view);
    note_post(view);
    return SCRIM_OK;
}

/* `scrim local decode --covariance`: the covariances of the estimates, for errors of sums and differences. */

#define VALUES_MAX 1000

static const sc_listing_column covariance_columns[] = {
    {"value", SC_KIND_KEY},
    {"other", SC_KIND_KEY},
    {"covariance", SC_KIND_BOUND | SC_VALUE | SC_RIGHT}};
#define COLUMNS (sizeof covariance_columns / sizeof *covariance_columns)

static void put_name(sc_listing *page, const sc_decode_view *view, size_t value)
{
    if (value < view->name_count)
        sc_listing_put(page, "%s", view->names[value]);
    else
        sc_listing_put(page, "%zu", value);
}

static scrim_status add_pair(sc_listing *page, const sc_decode_view *view, size_t one,
                             size_t other, scrim_error *error)
{
    scrim_estimate row;
    double covariance = 0;
    scrim_estimates_at(view->estimates, one, &row);
    if (one == other)
        covariance = row.error * row.error;
    else if (!scrim_estimates_covariance(view->estimates, one, other, &covariance))
        return sc_refuse(error, "%s has no covariances", view->facts.protocol);
    put_name(page, view, one);
    put_name(page, view, other);
    sc_listing_put(page, "%.9g", covariance);
    return SCRIM_OK;
}

static scrim_status fill(sc_listing *page, const sc_decode_view *view,
                         const size_t *values, size_t count, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i; j < count && status == SCRIM_OK; j++)
            status = add_pair(page, view, values[i], values[j], error);
    return status;
}

/* A row for each pair of values, and for each value with itself; of the largest estimates alone where
 * view->top is not 0. SCRIM_E_LIMIT: of too many values. */
static scrim_status sc_covariance_listing(const sc_decode_view *view,
                                          const sc_options *options, scrim_error *error)
{
    sc_listing *page = NULL;
    const size_t all = scrim_estimates_count(view->estimates);
    const size_t count = view->top > 0 && view->top < all ? view->top : all;
    if (count == 0)
        return sc_refuse(error, "%s estimates a mean alone", view->facts.protocol);
    if (count > VALUES_MAX)
        return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                 "covariances are listed for at most %d values; choose "
                                 "the largest with --top N",
                                 VALUES_MAX);
    size_t *values = sc_decode_order(view);
    if (values == NULL)
        return sc_out_of_memory(error, "a table");
    scrim_status status = sc_page_new(options, covariance_columns, COLUMNS, &page, error);
    if (status == SCRIM_OK) {
        status = fill(page, view, values, count, error);
        status = sc_page_end(page, status, error);
    }
    free(values);
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET))
        sc_talk("the variance of a sum of counts is the sum of all its variances and of "
                "twice its covariances\n");
    return status;
}

/* scrim local decode --config FILE SUMS... */
#define UPDATES_MAX 1000000
#define CONFIDENCE "0.95"

static scrim_status show(scrim_collection *collection, const sc_options *options,
                         sc_decode_view *view, const scrim_decode_options *asked,
                         scrim_error *error)
{
    SC_OWNED(scrim_estimates_free_at) scrim_estimates *estimates = NULL;
    SC_TRY(scrim_collection_decode(collection, asked, &estimates, error));
    scrim_collection_describe(collection, &view->facts);
    view->estimates = estimates;
    return sc_options_has(options, SCRIM_OPTION_COVARIANCE)
               ? sc_covariance_listing(view, options, error)
               : sc_decode_listing(view, options, error);
}

static scrim_status read_numbers(const sc_options *options, sc_decode_view *view,
                                 scrim_decode_options *asked, scrim_error *error)
{
    uint64_t top = 0, updates = 0;
    SC_TRY(sc_options_number(options, SCRIM_OPTION_TOP, UINT32_MAX, 0, &top, error));
    SC_TRY(sc_options_number(options, SCRIM_OPTION_UPDATES, UPDATES_MAX, 0, &updates,
                             error));
    if ((sc_options_has(options, SCRIM_OPTION_TOP) && top == 0) ||
        (sc_options_has(options, SCRIM_OPTION_UPDATES) && updates == 0))
        return sc_refuse(error, "--top and --updates must be at least 1");
    view->top = (size_t)top;
    asked->updates = (unsigned)updates;
    return SCRIM_OK;
}

/* Is it a configuration of texts? Standard input is read once, for configurations of values. */
static scrim_status look_for_texts(const sc_options *options, bool *is_of_texts,
                                   scrim_local_config *config, scrim_error *error)
{
    SC_OWNED(sc_whole_file_clear) sc_whole_file file = {.bytes = NULL};
    const char *path = options->value[SCRIM_OPTION_CONFIG];
    *is_of_texts = false;
    if (path != NULL && strcmp(path, "-") == 0)
        return SCRIM_OK;
    SC_TRY(sc_local_config_file(options, &file, error));
    *is_of_texts = scrim_local_config_parse(file.bytes, config) == SCRIM_LOCAL_OK &&
                   sc_text_decode_is_for(config);
    return SCRIM_OK;
}

static scrim_status show_texts(const scrim_local_config *config,
                               const sc_decode_view *view, const sc_options *options,
                               scrim_error *error)
{
    char *end = NULL;
    if (sc_options_has(options, SCRIM_OPTION_COVARIANCE))
        return sc_refuse(error, "covariances are for protocols that count values");
    const double confidence = strtod(view->confidence, &end);
    if (*end != '\0' || !(confidence > 0.5 && confidence < 1))
        return sc_refuse(error, "--confidence must be above 0.5 and below 1");
    const sc_text_request request = {.names = view->names,
                                     .name_count = view->name_count,
                                     .top = view->top,
                                     .alpha = 1 - confidence,
                                     .is_rate = view->only_significant};
    return sc_text_decode_show(config, &request, options, error);
}

/* Counts and means, from sums or reports. */
static scrim_status show_estimates(const sc_options *options, sc_decode_view *view,
                                   scrim_decode_options *asked, scrim_error *error)
{
    SC_OWNED(scrim_collection_free_at) scrim_collection *collection = NULL;
    scrim_collection_facts facts;
    SC_TRY(sc_local_collect_files(options, &collection, error));
    scrim_collection_describe(collection, &facts);
    if (view->name_count > 0 && facts.values > 0 && view->name_count != facts.values)
        return sc_complaint_fill(error, SCRIM_E_INPUT,
                                 "--names has %zu names for %" PRIu64
                                 " values; list one for each",
                                 view->name_count, facts.values);
    return show(collection, options, view, asked, error);
}

static scrim_status show_counts(const sc_options *options, sc_decode_view *view,
                                scrim_decode_options *asked, scrim_error *error)
{
    scrim_local_config config;
    bool is_of_texts = false;
    SC_TRY(look_for_texts(options, &is_of_texts, &config, error));
    return is_of_texts ? show_texts(&config, view, options, error)
                       : show_estimates(options, view, asked, error);
}

static scrim_status show_joint(const sc_value_names *first, const sc_options *options,
                               scrim_error *error)
{
    SC_OWNED(sc_value_names_clear) sc_value_names second = {.names = NULL};
    SC_TRY(sc_value_names_read(options->value[SCRIM_OPTION_JOINT_NAMES], &second, error));
    const sc_joint_names names = {{first->names, second.names},
                                  {first->count, second.count}};
    return sc_joint_decode_show(&names, options, error);
}

/* Options that say what is shown exclude each other. */
static scrim_status check_together(const sc_options *options, scrim_error *error)
{
    static const sc_option ways[] = {SCRIM_OPTION_POST, SCRIM_OPTION_SIGNIFICANT,
                                     SCRIM_OPTION_TOP, SCRIM_OPTION_CONFIDENCE};
    const bool is_joint = sc_options_has(options, SCRIM_OPTION_JOINT),
               is_covariance = sc_options_has(options, SCRIM_OPTION_COVARIANCE);
    if (is_joint && is_covariance)
        return sc_refuse(error, "give --joint or --covariance, not both");
    if (!is_joint && sc_options_has(options, SCRIM_OPTION_JOINT_NAMES))
        return sc_refuse(error, "--joint-names needs --joint FILE");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if ((is_joint || (is_covariance && i < 2)) && sc_options_has(options, ways[i]))
            return sc_refuse(error, "%s has no use for %s",
                             is_joint ? "--joint" : "--covariance",
                             sc_option_name(ways[i]));
    return SCRIM_OK;
}

static scrim_status run_decode(const sc_options *options, scrim_error *error)
{
    sc_value_names names = {.names = NULL};
    const char *confidence = options->value[SCRIM_OPTION_CONFIDENCE];
    sc_decode_view view = {.confidence = confidence == NULL ? CONFIDENCE : confidence,
                           .post = options->value[SCRIM_OPTION_POST],
                           .only_significant =
                               sc_options_has(options, SCRIM_OPTION_SIGNIFICANT)};
    scrim_decode_options asked = {.size = sizeof asked,
                                  .confidence = view.confidence,
                                  .is_significant = view.only_significant,
                                  .post = view.post};
    scrim_status status = check_together(options, error);
    if (status == SCRIM_OK)
        status = read_numbers(options, &view, &asked, error);
    if (status == SCRIM_OK)
        status = sc_value_names_read(options->value[SCRIM_OPTION_NAMES], &names, error);
    view.names = names.names;
    view.name_count = names.count;
    if (status != SCRIM_OK)
        ;
    else if (sc_options_has(options, SCRIM_OPTION_JOINT))
        status = show_joint(&names, options, error);
    else
        status = show_counts(options, &view, &asked, error);
    sc_value_names_clear(&names);
    return status;
}

static const char usage[] =
    "Estimates counts, or the mean of numbers: unbiased, with standard errors,\n"
    "intervals for each value and for all values together, and how far fake reports\n"
    "can move them. Texts: rappor with a Bloom filter takes sums and candidates\n"
    "(--names); text-hashing takes reports and candidates; prefix takes reports alone\n"
    "and finds texts that nobody has listed.\n"
    "\n"
    "  --config FILE      the configuration of the devices\n"
    "  --names FILE       names of the values 0, 1, ..., one a line; of texts, the\n"
    "                     candidates\n"
    "  --confidence C     of intervals, above 0.5 and below 1 (default 0.95)\n"
    "  --top N            the N largest estimates only\n"
    "  --significant      only values that somebody holds; of those, at most 1 - C\n"
    "                     are expected to be false\n"
    "  --post METHOD      also counts that are at least 0 and add up, by simplex,\n"
    "                     norm-sub (the same), em or em-smooth. They are biased;\n"
    "                     scrim measures and prints the bias\n"
    "  --updates N        updates of em (default 200)\n"
    "  --covariance       covariances of the estimates instead, for errors of sums\n"
    "                     and differences of counts\n"
    "  --joint FILE       the configuration of a second variable; two files of\n"
    "                     reports of the same devices, in the same order, become a\n"
    "                     table of both\n"
    "  --joint-names FILE  names of the values of the second variable\n"
    "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
    "  --json             short for --format json\n"
    "  --quiet            no notes on standard error\n"
    "\n"
    "example: scrim local decode --config emoji.config monday.sums --top 10\n";

const sc_command sc_local_decode = {
    .name = "decode",
    .synopsis = "--config FILE [OPTION...] SUMS...",
    .summary = "estimate counts, a mean, or texts nobody has listed",
    .usage = usage,
    .kind = SC_COMMAND_LIST,
    .options =
        SC_OPTION_SET(SCRIM_OPTION_CONFIG, SCRIM_OPTION_NAMES, SCRIM_OPTION_TOP,
                      SCRIM_OPTION_CONFIDENCE, SCRIM_OPTION_SIGNIFICANT,
                      SCRIM_OPTION_POST, SCRIM_OPTION_UPDATES, SCRIM_OPTION_COVARIANCE,
                      SCRIM_OPTION_JOINT, SCRIM_OPTION_JOINT_NAMES),
    .run = run_decode,
};
