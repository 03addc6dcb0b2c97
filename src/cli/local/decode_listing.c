#include "cli/local/decode_listing.h"

#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

size_t *sc_decode_order(const sc_decode_view *view)
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
    sc_talk("%s: %llu reports by %s, epsilon %.6g a device; %llu dropped, %llu flagged\n",
            facts->question, (unsigned long long)facts->reports, facts->protocol,
            facts->epsilon, (unsigned long long)facts->dropped,
            (unsigned long long)facts->flagged);
    sc_talk("intervals have confidence %.20s, joint ones for all values together; they "
            "cover the noise of honest devices only\n",
            view->confidence);
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
    sc_talk("refined by %.20s%s: counts are at least 0 and add up, and they are biased. "
            "Measured in %u simulated collections: %+.4g on average for %zu values "
            "refined to 0, %+.4g for the other %zu\n",
            view->post, bias.updates > 0 ? ", with updates by Bayes' rule" : "",
            bias.simulated, bias.of_zeros, bias.zeros, bias.of_others, others);
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

scrim_status sc_decode_listing(const sc_decode_view *view, const sc_options *options,
                               scrim_error *error)
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
    note_significant(view);
    note_poisoning(view);
    note_post(view);
    return SCRIM_OK;
}
