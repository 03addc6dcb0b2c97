#include "cli/release/tree_listing.h"

#include "cli/answer/release_note.h"
#include "cli/display/listing.h"
#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Columns after those of the keys. */
enum { COUNT, LOW, HIGH, ESTIMATE, NOISY, SIMULATED_LOW, SIMULATED_HIGH, NUMBERS };

#define MOST_COLUMNS (3 + SC_TREE_VIEW_LEVELS + SC_TREE_VIEW_COLUMNS + NUMBERS)
#define CELL_BYTES 64

typedef struct table {
    const sc_tree_view *view;
    sc_listing *page;
    sc_listing_column columns[MOST_COLUMNS];
    size_t count;
    bool is_for_people;
} table;

static void add_column(table *t, const char *name, unsigned kind)
{
    t->columns[t->count++] = (sc_listing_column){name, kind};
}

/* People see counts with their intervals; programs see everything. */
static void set_columns(table *t)
{
    const scrim_hierarchy_facts *facts = &t->view->facts;
    t->is_for_people = t->page->format == SCRIM_FORMAT_TABLE;
    if (!t->is_for_people)
        add_column(t, "level", SC_KIND_NUMBER);
    for (size_t i = 1; i < facts->levels; i++)
        add_column(t, t->view->levels[i].name, SC_KIND_KEY | SC_NULLABLE);
    if (facts->tables > 0 && !t->is_for_people)
        add_column(t, "table", SC_KIND_NUMBER);
    for (size_t i = 0; i < facts->tables; i++)
        for (size_t k = 0; k < t->view->tables[i].columns; k++)
            add_column(t, t->view->tables[i].names[k], SC_KIND_KEY | SC_NULLABLE);
    add_column(t, "n",
               SC_KIND_NUMBER | SC_VALUE | SC_RIGHT |
                   (t->is_for_people ? SC_TOGETHER : 0));
    add_column(t, "n_low", SC_KIND_NUMBER | SC_BOUND);
    add_column(t, "n_high", SC_KIND_NUMBER | SC_BOUND);
    if (t->is_for_people) {
        if (facts->is_simulated)
            add_column(t, "simulated", SC_KIND_TEXT);
    } else {
        add_column(t, "estimate", SC_KIND_BOUND);
        add_column(t, "noisy", SC_KIND_NUMBER | SC_OPTIONAL);
        add_column(t, "simulated_low", SC_KIND_NUMBER | SC_OPTIONAL);
        add_column(t, "simulated_high", SC_KIND_NUMBER | SC_OPTIONAL);
    }
    if (!t->is_for_people || facts->known > 0)
        add_column(t, "standing", SC_KIND_TEXT | SC_OPTIONAL);
    t->page->columns = t->columns;
    t->page->column_count = t->count;
}

static const char *standing_of(scrim_node_standing standing)
{
    switch (standing) {
    case SCRIM_NODE_KNOWN:
        return "known";
    case SCRIM_NODE_REVEALED:
        return "revealed";
    case SCRIM_NODE_NOISY:
        break;
    }
    return "";
}

static const char *put(char cell[CELL_BYTES], int64_t value)
{
    snprintf(cell, CELL_BYTES, "%" PRId64, value);
    return cell;
}

/* Cells of numbers, in the order of the columns. */
static size_t put_numbers(const table *t, const scrim_hierarchy_node *node,
                          char text[NUMBERS][CELL_BYTES], const char **cells)
{
    int64_t low, high;
    size_t count = 0;
    const bool is_simulated = t->view->facts.is_simulated != 0;
    sc_tree_view_interval(node, &low, &high);
    cells[count++] = put(text[COUNT], node->count);
    cells[count++] = put(text[LOW], low);
    cells[count++] = put(text[HIGH], high);
    if (t->is_for_people) {
        snprintf(text[SIMULATED_LOW], CELL_BYTES, "[%" PRId64 ", %" PRId64 "]",
                 node->simulated_low, node->simulated_high);
        if (is_simulated)
            cells[count++] = text[SIMULATED_LOW];
    } else {
        sc_bound_format_exact(node->estimate, text[ESTIMATE]);
        cells[count++] = text[ESTIMATE];
        cells[count++] = node->is_measured ? put(text[NOISY], node->noisy) : "";
        cells[count++] =
            is_simulated ? put(text[SIMULATED_LOW], node->simulated_low) : "";
        cells[count++] =
            is_simulated ? put(text[SIMULATED_HIGH], node->simulated_high) : "";
    }
    if (!t->is_for_people || t->view->facts.known > 0)
        cells[count++] = standing_of(node->standing);
    return count;
}

/* The keys of a row: those of a node, and of a cell of one of its tables; NULL: of the node itself. Returns how many cells
 * of the row that is. */
static size_t put_keys(const table *t, size_t v, size_t of_table,
                       const scrim_hierarchy_cell *cell, const char **cells,
                       char numbers[2][CELL_BYTES])
{
    const sc_tree_view *view = t->view;
    const char *keys[SC_TREE_VIEW_LEVELS], *null = t->is_for_people ? "NULL" : "";
    const size_t level = sc_tree_view_keys(view, v, keys);
    size_t count = 0;
    if (!t->is_for_people)
        cells[count++] = put(numbers[0], (int64_t)level);
    for (size_t i = 0; i + 1 < view->facts.levels; i++)
        cells[count++] = i >= level ? NULL : keys[i] == NULL ? null : keys[i];
    if (view->facts.tables > 0 && !t->is_for_people)
        cells[count++] = put(numbers[1], cell == NULL ? 0 : (int64_t)of_table + 1);
    for (size_t i = 0; i < view->facts.tables; i++)
        for (size_t k = 0; k < view->tables[i].columns; k++)
            cells[count++] = cell == NULL || i != of_table ? NULL
                             : cell->keys[k] == NULL       ? null
                                                           : cell->keys[k];
    return count;
}

static void add_node(const table *t, size_t v)
{
    const char *cells[MOST_COLUMNS];
    char text[NUMBERS][CELL_BYTES], numbers[2][CELL_BYTES];
    scrim_hierarchy_node node;
    scrim_hierarchy_node_at(t->view->tree, v, &node);
    const size_t count = put_keys(t, v, 0, NULL, cells, numbers);
    (void)put_numbers(t, &node, text, cells + count);
    sc_listing_add(t->page, cells);
}

/* The query of all cells of a table on a level; the number of queries if it is missing. */
static size_t whole_query(const sc_tree_view *view, size_t of_table, size_t level)
{
    const unsigned all = (1u << view->tables[of_table].columns) - 1;
    size_t i = 0;
    for (; i < view->facts.queries; i++) {
        scrim_hierarchy_query query;
        scrim_hierarchy_query_at(view->tree, i, &query);
        if (query.table == of_table && query.level == level && query.columns == all)
            break;
    }
    return i;
}

/* Cells are shown by the columns of nodes: what a cell does not have is empty. */
static void add_cells(const table *t, size_t of_table, size_t v, size_t query)
{
    const sc_tree_view *view = t->view;
    for (size_t i = 0; i < view->tables[of_table].cells; i++) {
        const char *cells[MOST_COLUMNS], *keys[SCRIM_TABLE_COLUMNS];
        char text[NUMBERS][CELL_BYTES], numbers[2][CELL_BYTES];
        scrim_hierarchy_cell cell;
        scrim_hierarchy_cell_at(view->tree, of_table, v, i, &cell);
        const size_t count = put_keys(t, v, of_table, &cell, cells, numbers);
        scrim_hierarchy_node node = {.count = cell.count,
                                     .estimate = cell.estimate,
                                     .low = cell.low,
                                     .high = cell.high,
                                     .simulated_low = cell.simulated_low,
                                     .simulated_high = cell.simulated_high,
                                     .is_measured = query < view->facts.queries};
        if (node.is_measured)
            node.noisy = scrim_hierarchy_noisy_at(view->tree, query, v, i, keys);
        (void)put_numbers(t, &node, text, cells + count);
        sc_listing_add(t->page, cells);
    }
}

static void add_tables(const table *t)
{
    const sc_tree_view *view = t->view;
    for (size_t i = 0; i < view->facts.tables; i++)
        for (size_t l = 0; l < view->facts.levels; l++) {
            const size_t query = whole_query(view, i, l), first = view->levels[l].first;
            for (size_t v = first; v < first + view->levels[l].count; v++)
                add_cells(t, i, v, query);
        }
}

static void put_level(sc_json *json, const scrim_hierarchy_level *level)
{
    sc_json_object(json, NULL);
    sc_json_text(json, "name", level->name);
    sc_json_count(json, "nodes", level->count);
    sc_json_text_if_any(json, "measurement", level->measurement);
    if (level->noise > 0) {
        sc_json_double(json, "noise", level->noise);
        sc_json_double(json, "noise_half_width", level->noise_half_width);
    }
    sc_json_double(json, "deviation", level->deviation);
    sc_json_double(json, "half_width", level->half_width);
    if (level->bound > 0)
        sc_json_double(json, "error_bound", level->bound);
    sc_json_end(json);
}

static void put_query(sc_json *json, const sc_tree_view *view, size_t i)
{
    scrim_hierarchy_query query;
    char name[SC_TREE_QUERY_BYTES];
    scrim_hierarchy_query_at(view->tree, i, &query);
    sc_json_object(json, NULL);
    sc_json_count(json, "table", query.table + 1);
    sc_json_count(json, "level", query.level);
    sc_json_text(json, "columns", sc_tree_view_query(view, &query, name));
    sc_json_text(json, "measurement", query.measurement);
    sc_json_double(json, "noise", query.noise);
    sc_json_end(json);
}

static void put_facts(sc_json *json, const sc_tree_view *view)
{
    sc_json_text(json, "dataset", view->facts.dataset);
    sc_json_count(json, "version", view->facts.version);
    sc_json_count(json, "release", view->facts.release);
    sc_cost_json(json, "cost", &view->facts.cost);
    sc_json_decimal(json, "confidence", view->facts.confidence);
    sc_json_rows(json, "levels");
    for (size_t i = 0; i < view->facts.levels; i++)
        put_level(json, &view->levels[i]);
    sc_json_end(json);
    for (size_t i = 0; i < view->facts.queries; i++) {
        if (i == 0)
            sc_json_rows(json, "queries");
        put_query(json, view, i);
        if (i + 1 == view->facts.queries)
            sc_json_end(json);
    }
    sc_json_text_if_any(json, "known", view->facts.guarantee);
    sc_json_text_if_any(json, "doubt", view->facts.doubt);
    if (view->facts.is_simulated)
        sc_json_text(json, "simulated", "no guarantee: fails for small positive counts");
}

static scrim_status write_page(table *t, scrim_error *error)
{
    sc_json *json = sc_listing_open(t->page);
    if (json != NULL)
        put_facts(json, t->view);
    for (size_t v = 0; v < t->view->facts.nodes; v++)
        add_node(t, v);
    add_tables(t);
    return sc_listing_close(t->page, SCRIM_OK, error);
}

/* On standard output a box or CSV, in a file CSV, unless the options say otherwise. */
static scrim_status read_format(const sc_options *options, sc_terminal *terminal,
                                sc_format *out, scrim_error *error)
{
    const scrim_status status = sc_options_screen(options, terminal, out, error);
    return status == SCRIM_OK && sc_options_has(options, SCRIM_OPTION_OUT)
               ? sc_options_format(options, SCRIM_FORMAT_CSV, out, error)
               : status;
}

scrim_status sc_tree_listing(const sc_tree_view *view, scrim_vault *vault,
                             const sc_options *options, scrim_error *error)
{
    sc_terminal terminal;
    sc_format format;
    SC_FREED sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_out_of_memory(error, "a table");
    SC_TRY(read_format(options, &terminal, &format, error));
    sc_signed_file file = sc_tree_view_file(view, vault, "counts", "--out",
                                            options->value[SCRIM_OPTION_OUT]);
    file.format = format;
    sc_listing page = {.output = output,
                       .format = format,
                       .terminal = &terminal,
                       .signing = &file.signing};
    table t = {.view = view, .page = &page};
    const scrim_status status = sc_signed_file_open(&file, output, error);
    if (status != SCRIM_OK)
        return status;
    set_columns(&t);
    SC_TRY(sc_signed_file_close(&file, write_page(&t, error), error));
    if (!sc_options_has(options, SCRIM_OPTION_QUIET))
        sc_signed_file_say(file.path, file.format);
    return SCRIM_OK;
}

/* Notes. */

static void note_level(const scrim_hierarchy_level *level)
{
    char noise[CELL_BYTES] = "not measured";
    if (level->noise > 0)
        snprintf(noise, sizeof noise, "noise %.4g", level->noise);
    sc_talk("level       %s: %zu %s, +- %.4g (%s, estimate %.4g)\n", level->name,
            level->count, level->count == 1 ? "count" : "counts", level->half_width,
            noise, level->deviation);
}

/* The error of a cell of each level: all cells of a level have the same. */
static void note_table(const sc_tree_view *view, size_t i)
{
    for (size_t l = 0; l < view->facts.levels; l++) {
        scrim_hierarchy_cell cell;
        scrim_hierarchy_cell_at(view->tree, i, view->levels[l].first, 0, &cell);
        sc_talk("table %-5zu %s: %zu cells in each of %zu, +- %.4g (estimate %.4g)\n",
                i + 1, view->levels[l].name, view->tables[i].cells, view->levels[l].count,
                (cell.high - cell.low) / 2, cell.deviation);
    }
}

void sc_tree_notes(const sc_tree_view *view)
{
    for (size_t i = 0; i < view->facts.levels; i++)
        note_level(&view->levels[i]);
    for (size_t i = 0; i < view->facts.tables; i++)
        note_table(view, i);
    if (view->facts.known > 0)
        sc_talk("known       %s\n", view->facts.guarantee);
    if (view->facts.doubt[0] != '\0')
        sc_talk("caution     %s; do not publish it so\n", view->facts.doubt);
    sc_talk("interval    of the estimate before counts are made whole and at least 0; it "
            "covers the noise with confidence %s, for each count by itself\n",
            view->facts.confidence);
    if (view->facts.is_simulated)
        sc_talk("simulated   these intervals have no guarantee: they are too narrow for "
                "small counts\n");
    sc_talk("bias        small counts gain and large counts lose when negative estimates "
            "become 0\n");
}

/* The leaves that are not NULL, in increasing order. */
typedef struct leaves {
    const sc_tree_view *view;
    double *values;
    const char **keys;
    double *weights; /* of all leaves, NULL too */
    size_t count, all;
} leaves;

bool sc_tree_ranges_asked(const sc_options *options)
{
    return sc_options_has(options, SCRIM_OPTION_RANGE) ||
           sc_options_has(options, SCRIM_OPTION_QUANTILE);
}

static bool read_number(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out);
}

static scrim_status read_leaves(leaves *l, scrim_error *error)
{
    const scrim_hierarchy_level *last = &l->view->levels[l->view->facts.levels - 1];
    l->all = last->count;
    l->values = calloc(l->all, sizeof *l->values);
    l->keys = calloc(l->all, sizeof *l->keys);
    l->weights = calloc(l->all, sizeof *l->weights);
    if (l->values == NULL || l->keys == NULL || l->weights == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    for (size_t i = 0; i < l->all; i++) {
        scrim_hierarchy_node node;
        double value;
        scrim_hierarchy_node_at(l->view->tree, last->first + i, &node);
        if (node.key == NULL)
            continue;
        if (!read_number(node.key, &value) || l->count < i ||
            (i > 0 && value <= l->values[i - 1]))
            return sc_refuse(error,
                             "ranges and quantiles need a tree of one numeric "
                             "column, as --levels 'BUCKET(age, 10) AS decade,age'");
        l->keys[i] = node.key;
        l->values[l->count++] = value;
    }
    if (l->count == 0)
        return sc_refuse(error, "the last level has no values");
    return SCRIM_OK;
}

/* Rows. */

static const sc_listing_column columns[] = {{.name = "question"},
                                            {"value", SC_KIND_NUMBER},
                                            {"low", SC_KIND_NUMBER},
                                            {"high", SC_KIND_NUMBER},
                                            {"deviation", SC_KIND_NUMBER | SC_OPTIONAL}};

static scrim_status add_range(leaves *l, const char *text, sc_listing *page,
                              scrim_error *error)
{
    char cells[4][SC_BOUND_BYTES], name[80];
    double ends[2];
    char first[40];
    const char *comma = NULL;
    for (const char *c = text; *c != '\0'; c++)
        comma = *c == ',' ? c : comma;
    if (comma == NULL || (size_t)(comma - text) >= sizeof first)
        return sc_refuse(error, "'%.60s' is not a range; write LOW,HIGH as in 18,64",
                         text);
    snprintf(first, sizeof first, "%.*s", (int)(comma - text), text);
    if (!read_number(first, &ends[0]) || !read_number(comma + 1, &ends[1]) ||
        ends[0] > ends[1])
        return sc_refuse(error, "'%.60s' is not a range; write LOW,HIGH as in 18,64",
                         text);
    for (size_t i = 0; i < l->all; i++)
        l->weights[i] =
            i < l->count && l->values[i] >= ends[0] && l->values[i] <= ends[1];
    scrim_hierarchy_sum sum;
    SC_TRY(
        scrim_hierarchy_linear(l->view->tree, SCRIM_NO_TABLE, l->weights, &sum, error));
    snprintf(name, sizeof name, "range %.60s", text);
    sc_bound_format_exact(sum.estimate, cells[0]);
    sc_bound_format_exact(fmax(0, sum.low), cells[1]);
    sc_bound_format_exact(fmax(0, sum.high), cells[2]);
    sc_bound_format_exact(sum.deviation, cells[3]);
    sc_listing_add(page, (const char *[]){name, cells[0], cells[1], cells[2], cells[3]});
    return SCRIM_OK;
}

/* D(k), for the place k of a leaf. */
static scrim_status find_lead(leaves *l, size_t k, double p, scrim_hierarchy_sum *out,
                              scrim_error *error)
{
    for (size_t i = 0; i < l->all; i++)
        l->weights[i] = i >= l->count ? 0 : (i <= k ? 1 : 0) - p;
    return scrim_hierarchy_linear(l->view->tree, SCRIM_NO_TABLE, l->weights, out, error);
}

static scrim_status add_quantile(leaves *l, const char *text, sc_listing *page,
                                 scrim_error *error)
{
    char name[80];
    double p;
    size_t value = l->count - 1, low = l->count - 1, behind = 0;
    if (!read_number(text, &p) || !(p > 0 && p < 1))
        return sc_refuse(error,
                         "'%.60s' is not a quantile; it must be above 0 and below "
                         "1, such as 0.5",
                         text);
    for (size_t k = l->count; k-- > 0;) {
        scrim_hierarchy_sum lead;
        const scrim_status status = find_lead(l, k, p, &lead, error);
        if (status != SCRIM_OK)
            return status;
        value = lead.estimate >= 0 ? k : value;
        low = lead.high >= 0 ? k : low;
        behind = lead.low < 0 && behind == 0 ? k + 1 : behind;
    }
    const size_t high = behind < l->count ? behind : l->count - 1;
    snprintf(name, sizeof name, "quantile %.60s", text);
    sc_listing_add(
        page, (const char *[]){name, l->keys[value], l->keys[low], l->keys[high], ""});
    return SCRIM_OK;
}

static scrim_status add_rows(leaves *l, const sc_options *options, sc_listing *page,
                             scrim_error *error)
{
    for (size_t i = 0; i < options->repeated_count; i++) {
        const sc_repeated *asked = &options->repeated[i];
        if (asked->option == SCRIM_OPTION_RANGE)
            SC_TRY(add_range(l, asked->value, page, error));
        else if (asked->option == SCRIM_OPTION_QUANTILE)
            SC_TRY(add_quantile(l, asked->value, page, error));
    }
    return SCRIM_OK;
}

scrim_status sc_tree_ranges(const sc_tree_view *view, scrim_vault *vault,
                            const sc_options *options, scrim_error *error)
{
    leaves l = {.view = view};
    sc_signing signing = {
        .vault = vault, .release = view->facts.release, .kind = "ranges"};
    sc_listing *page = NULL;
    scrim_status status = read_leaves(&l, error);
    if (status == SCRIM_OK)
        status =
            sc_page_new(options, columns, sizeof columns / sizeof *columns, &page, error);
    if (status == SCRIM_OK)
        status = sc_signing_begin(&signing, page->output, error);
    if (status == SCRIM_OK) {
        page->signing = &signing;
        status = add_rows(&l, options, page, error);
    }
    status = sc_page_end(page, status, error);
    signing.output = NULL; /* gone with the page */
    sc_signing_clear(&signing);
    free(l.values);
    free(l.keys);
    free(l.weights);
    return status;
}
