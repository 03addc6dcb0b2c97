/* scrim microdata release NAME --levels COLUMN,... and show RELEASE; files of records and of noisy measurements. */
#include "cli/answer/charge_note.h"
#include "cli/answer/result_show.h"
#include "cli/display/number_view.h"
#include "cli/release/subcommands.h"
#include "cli/release/tree_icicle.h"
#include "cli/release/tree_listing.h"
#include "cli/release/tree_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"
#include "cli/vault/seeded_vault.h"
#include "cli/vault/vault_place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

/* Files beside the table of a tree, each with its label: records of people who could have been counted, and the noisy counts. */

typedef scrim_status writer(sc_output *output, const sc_tree_view *view);

static scrim_status write_file(const sc_tree_view *view, sc_signed_file *file,
                               writer *write, scrim_error *error)
{
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = sc_signed_file_open(file, output, error);
    if (status == SCRIM_OK) {
        status = write(output, view);
        if (status != SCRIM_OK)
            status = sc_complaint_fill(error, status, "out of memory");
        status = sc_signed_file_close(file, status, error);
    }
    free(output);
    return status;
}

static void put_header(sc_output *output, const sc_tree_view *view, const char *first)
{
    sc_output_text(output, first);
    for (size_t i = 1; i < view->facts.levels; i++) {
        sc_output_text(output, i > 1 || first[0] != '\0' ? "," : "");
        sc_output_csv_text(output, view->levels[i].name);
    }
}

static void put_table_header(sc_output *output, const sc_tree_view *view)
{
    for (size_t t = 0; t < view->facts.tables; t++)
        for (size_t i = 0; i < view->tables[t].columns; i++) {
            sc_output_text(output, ",");
            sc_output_csv_text(output, view->tables[t].names[i]);
        }
}

/* Keys of all levels; those that a node does not have are empty. */
static void put_keys(sc_output *output, const sc_tree_view *view, const char **keys,
                     size_t level)
{
    for (size_t i = 1; i < view->facts.levels; i++) {
        sc_output_text(output, i > 1 ? "," : "");
        if (i <= level && keys[i - 1] != NULL)
            sc_output_csv_text(output, keys[i - 1]);
    }
}

static void put_cell_keys(sc_output *output, const sc_tree_view *view, size_t table,
                          const char *const *keys)
{
    for (size_t i = 0; i < view->tables[table].columns; i++) {
        sc_output_text(output, ",");
        if (keys[i] != NULL)
            sc_output_csv_text(output, keys[i]);
    }
}

/* Records. A person of a node has a cell in each table. Tables do not say which cells go together: people of a table are put
 * beside those of the first one in steps that are public and mix them. */

/* A walk through the people of a node in a table, one cell after another, from some place on. */
typedef struct cell_walk {
    size_t cell;
    int64_t left; /* people of the cell */
    scrim_hierarchy_cell now;
} cell_walk;

static void load_cell(const sc_tree_view *view, size_t table, size_t v, size_t cell,
                      cell_walk *w)
{
    w->cell = cell;
    scrim_hierarchy_cell_at(view->tree, table, v, cell, &w->now);
    w->left = w->now.count;
}

/* The next person; there is one. */
static void step_cell(const sc_tree_view *view, size_t table, size_t v, cell_walk *w)
{
    while (w->left == 0)
        load_cell(view, table, v, (w->cell + 1) % view->tables[table].cells, w);
    w->left--;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A step through `count` people that meets each once and jumps from cell to cell: near the golden section, further for each
 * table. */
static uint64_t mixing_step(int64_t count, size_t table)
{
    uint64_t step = (uint64_t)((double)count * (table % 2 ? 0.6180339887 : 0.4142135624));
    step = step / (table / 2 + 1) + 1;
    while (common_divisor((uint64_t)count, step) != 1)
        step++;
    return step;
}

static scrim_status write_mixed(sc_output *output, const sc_tree_view *view, size_t v,
                                int64_t count, const char **keys, size_t level)
{
    const size_t tables = view->facts.tables;
    uint32_t *cells = calloc((size_t)count * tables, sizeof *cells);
    if (cells == NULL)
        return SCRIM_E_MEMORY;
    for (size_t t = 0; t < tables; t++) {
        const uint64_t step = t == 0 ? 1 : mixing_step(count, t);
        uint64_t at = 0;
        cell_walk w;
        load_cell(view, t, v, 0, &w);
        for (int64_t i = 0; i < count; i++, at = (at + step) % (uint64_t)count) {
            step_cell(view, t, v, &w);
            cells[at * tables + t] = (uint32_t)w.cell;
        }
    }
    for (size_t i = 0; i < (size_t)count; i++) {
        put_keys(output, view, keys, level);
        for (size_t t = 0; t < tables; t++) {
            scrim_hierarchy_cell cell;
            scrim_hierarchy_cell_at(view->tree, t, v, cells[i * tables + t], &cell);
            put_cell_keys(output, view, t, cell.keys);
        }
        sc_output_text(output, "\n");
    }
    free(cells);
    return SCRIM_OK;
}

static scrim_status write_records(sc_output *output, const sc_tree_view *view)
{
    const scrim_hierarchy_level *last = &view->levels[view->facts.levels - 1];
    scrim_status status = SCRIM_OK;
    put_header(output, view, "");
    put_table_header(output, view);
    sc_output_text(output, "\n");
    for (size_t v = last->first; status == SCRIM_OK && v < last->first + last->count;
         v++) {
        const char *keys[SC_TREE_VIEW_LEVELS];
        scrim_hierarchy_node node;
        scrim_hierarchy_node_at(view->tree, v, &node);
        const size_t level = sc_tree_view_keys(view, v, keys);
        if (view->facts.tables > 0 && node.count > 0)
            status = write_mixed(output, view, v, node.count, keys, level);
        for (int64_t i = 0; view->facts.tables == 0 && i < node.count; i++) {
            put_keys(output, view, keys, level);
            sc_output_text(output, "\n");
        }
    }
    return status;
}

/* Noisy counts. */

static void put_measured(sc_output *output, int64_t noisy, double noise,
                         const char *measurement)
{
    char variance[SC_BOUND_BYTES];
    sc_bound_format_exact(noise * noise, variance);
    sc_output_format(output, ",%" PRId64 ",%s,", noisy, variance);
    sc_output_csv_text(output, measurement);
    sc_output_text(output, "\n");
}

static void write_query(sc_output *output, const sc_tree_view *view, size_t place)
{
    scrim_hierarchy_query query;
    char name[SC_TREE_QUERY_BYTES];
    scrim_hierarchy_query_at(view->tree, place, &query);
    const scrim_hierarchy_level *level = &view->levels[query.level];
    (void)sc_tree_view_query(view, &query, name);
    for (size_t v = level->first; v < level->first + level->count; v++)
        for (size_t i = 0; i < query.cells; i++) {
            const char *keys[SC_TREE_VIEW_LEVELS], *cell[SCRIM_TABLE_COLUMNS];
            const int64_t noisy = scrim_hierarchy_noisy_at(view->tree, place, v, i, cell);
            sc_output_format(output, "%zu,", query.level);
            put_keys(output, view, keys, sc_tree_view_keys(view, v, keys));
            sc_output_text(output, ",");
            sc_output_csv_text(output, name);
            for (size_t t = 0; t < view->facts.tables; t++)
                for (size_t k = 0; k < view->tables[t].columns; k++) {
                    sc_output_text(output, ",");
                    if (t == query.table && cell[k] != NULL)
                        sc_output_csv_text(output, cell[k]);
                }
            put_measured(output, noisy, query.noise, query.measurement);
        }
}

static scrim_status write_measurements(sc_output *output, const sc_tree_view *view)
{
    const bool has_tables = view->facts.tables > 0;
    put_header(output, view, "level");
    sc_output_text(output, has_tables ? ",query" : "");
    put_table_header(output, view);
    sc_output_text(output, ",noisy,variance,measurement\n");
    for (size_t v = 0; v < view->facts.nodes; v++) {
        const char *keys[SC_TREE_VIEW_LEVELS];
        scrim_hierarchy_node node;
        scrim_hierarchy_node_at(view->tree, v, &node);
        if (!node.is_measured)
            continue;
        const scrim_hierarchy_level *level = &view->levels[node.level];
        sc_output_format(output, "%zu,", node.level);
        put_keys(output, view, keys, sc_tree_view_keys(view, v, keys));
        sc_output_text(output, has_tables ? ",total" : "");
        for (size_t i = 0; i < view->columns; i++)
            sc_output_text(output, ",");
        put_measured(output, node.noisy, level->noise, level->measurement);
    }
    for (size_t i = 0; i < view->facts.queries; i++)
        write_query(output, view, i);
    return SCRIM_OK;
}

/* A row for each of the counted people, with the columns of the levels. */
static scrim_status sc_tree_records_write(const sc_tree_view *view, scrim_vault *vault,
                                          const char *path, scrim_error *error)
{
    sc_signed_file file = sc_tree_view_file(view, vault, "records", "--records", path);
    return write_file(view, &file, write_records, error);
}

/* A row for each noisy count, with its variance and its measurement. */
static scrim_status sc_tree_measurements_write(const sc_tree_view *view,
                                               scrim_vault *vault, const char *path,
                                               scrim_error *error)
{
    sc_signed_file file =
        sc_tree_view_file(view, vault, "measurements", "--measurements", path);
    return write_file(view, &file, write_measurements, error);
}

/* scrim microdata release NAME, and scrim microdata show RELEASE: the second costs nothing. */
#define RUNS 1000
/* Larger trees are not simulated unless it is asked for. */
#define SIMULATED_NODES 20000
#define SIMULATED_CELLS 2000

typedef struct tree_state {
    sc_answer_style style;
    sc_progress progress;
    scrim_vault *vault;
    scrim_plan *plan;
    scrim_result *result;
    scrim_hierarchy *tree;
    sc_vault_seed seed;
    uint64_t release;
    sc_tree_request request;
} tree_state;

/* Files that are to be written, before anything is charged. */
static scrim_status check_files(const sc_options *options, scrim_error *error)
{
    static const sc_option files[] = {SCRIM_OPTION_OUT, SCRIM_OPTION_RECORDS,
                                      SCRIM_OPTION_MEASUREMENTS};
    const char *drawing = options->value[SCRIM_OPTION_SVG];
    sc_format format = SCRIM_FORMAT_CSV;
    SC_TRY(sc_options_format(options, format, &format, error));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (sc_options_has(options, files[i]))
            SC_TRY(sc_signed_file_check(
                sc_option_name(files[i]), options->value[files[i]],
                files[i] == SCRIM_OPTION_OUT ? format : SCRIM_FORMAT_CSV, error));
    if (drawing != NULL)
        SC_TRY(sc_file_writer_check("--svg", drawing, error));
    if (sc_options_has(options, SCRIM_OPTION_OUT) && sc_tree_ranges_asked(options))
        return sc_refuse(error, "--out is for the table of counts; use it without "
                                "--range and --quantile");
    return SCRIM_OK;
}

static scrim_status start(tree_state *state, const sc_options *options,
                          const char *missing, scrim_error *error)
{
    scrim_status status = sc_answer_style_read(options, &state->style, error);
    if (status == SCRIM_OK && options->word_count != 3)
        status = sc_refuse(error, "%s", missing);
    if (status == SCRIM_OK)
        status = check_files(options, error);
    sc_tree_request_read(options, &state->request);
    state->style.is_tree = true;
    return status;
}

/* The tree of a release, and all that is to be shown of it. */

static scrim_status read_how(const tree_state *state, const sc_options *options,
                             scrim_hierarchy_options *how, uint64_t *runs,
                             scrim_error *error)
{
    *how =
        (scrim_hierarchy_options){.size = sizeof *how,
                                  .confidence = options->value[SCRIM_OPTION_CONFIDENCE],
                                  .known = state->request.known,
                                  .known_count = state->request.known_count};
    return sc_options_number(options, SCRIM_OPTION_RUNS, 1000000, RUNS, runs, error);
}

/* Refuses wrong options of the listing before the release is charged. */
static scrim_status check_how(const tree_state *state, const sc_options *options,
                              scrim_error *error)
{
    uint64_t runs = 0;
    scrim_hierarchy_options how;
    SC_OWNED(scrim_hierarchy_free_at) scrim_hierarchy *tree = NULL;
    SC_TRY(read_how(state, options, &how, &runs, error));
    if (!(how.confidence != NULL || how.known_count > 0 ||
          sc_options_has(options, SCRIM_OPTION_RUNS)))
        return SCRIM_OK;
    how.simulations = sc_options_has(options, SCRIM_OPTION_RUNS) ? (unsigned)runs : 0;
    return scrim_hierarchy_expect(state->plan, &how, &tree, error);
}

/* Too many counts to simulate them unless --runs asks for it. */
static bool is_large(const scrim_hierarchy *tree)
{
    scrim_hierarchy_facts facts;
    scrim_hierarchy_describe(tree, &facts);
    size_t each = 1;
    for (size_t i = 0; i < facts.tables; i++) {
        scrim_hierarchy_table table;
        scrim_hierarchy_table_at(tree, i, &table);
        each += table.cells;
    }
    return facts.nodes * each > (facts.tables == 0 ? SIMULATED_NODES : SIMULATED_CELLS);
}

static scrim_status make_tree(tree_state *state, const sc_options *options,
                              scrim_error *error)
{
    uint64_t runs = 0;
    scrim_hierarchy_options how;
    scrim_status status = read_how(state, options, &how, &runs, error);
    if (status == SCRIM_OK)
        status = scrim_hierarchy_replay(state->vault, state->release, &how, &state->tree,
                                        error);
    if (status != SCRIM_OK || runs == 0)
        return status;
    if (!sc_options_has(options, SCRIM_OPTION_RUNS) && is_large(state->tree))
        return SCRIM_OK;
    scrim_hierarchy *plain = state->tree;
    state->tree = NULL;
    how.simulations = (unsigned)runs;
    how.progress = sc_progress_told;
    how.context = &state->progress;
    scrim_hierarchy_free(plain);
    sc_progress_start(&state->progress, 0, "%", !state->style.quiet);
    status =
        scrim_hierarchy_replay(state->vault, state->release, &how, &state->tree, error);
    sc_progress_end(&state->progress);
    return status;
}

static void draw_plot(const sc_tree_view *view)
{
    sc_terminal terminal;
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return;
    sc_terminal_look(STDERR_FILENO, &terminal);
    sc_output_init(output, STDERR_FILENO);
    sc_tree_icicle_write(output, view, &terminal);
    (void)sc_output_flush(output);
    free(output);
}

static scrim_status write_files(const sc_tree_view *view, scrim_vault *vault,
                                const sc_options *options, scrim_error *error)
{
    const char *records = options->value[SCRIM_OPTION_RECORDS],
               *measurements = options->value[SCRIM_OPTION_MEASUREMENTS],
               *drawing = options->value[SCRIM_OPTION_SVG];
    if (records != NULL)
        SC_TRY(sc_tree_records_write(view, vault, records, error));
    if (measurements != NULL)
        SC_TRY(sc_tree_measurements_write(view, vault, measurements, error));
    if (drawing != NULL)
        SC_TRY(sc_tree_icicle_svg(view, drawing, error));
    return SCRIM_OK;
}

static scrim_status show(tree_state *state, const sc_options *options, scrim_error *error)
{
    SC_FREED sc_tree_view *view = malloc(sizeof *view);
    if (view == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    SC_TRY(make_tree(state, options, error));
    sc_tree_view_init(view, state->tree);
    SC_TRY(write_files(view, state->vault, options, error));
    SC_TRY(sc_tree_ranges_asked(options)
               ? sc_tree_ranges(view, state->vault, options, error)
               : sc_tree_listing(view, state->vault, options, error));
    if (state->style.plot)
        draw_plot(view);
    if (!state->style.quiet)
        sc_tree_notes(view);
    return SCRIM_OK;
}

static void end(tree_state *state)
{
    scrim_hierarchy_free(state->tree);
    scrim_result_free(state->result);
    scrim_plan_free(state->plan);
    scrim_vault_close(state->vault);
    sc_vault_seed_clear(&state->seed, NULL);
    free(state);
}

/* Release. */

static scrim_status plan(tree_state *state, const sc_options *options, scrim_error *error)
{
    state->request.how.progress = sc_progress_told;
    state->request.how.context = &state->progress;
    return sc_tree_request_plan(&state->request, state->vault, options->words[2],
                                &state->plan, error);
}

static scrim_status ask(tree_state *state, const char *dataset, scrim_error *error)
{
    scrim_result_facts facts;
    sc_charge_first_words("microdata release", dataset, state->style.vault);
    sc_progress_start(&state->progress, 0, "%", !state->style.quiet);
    scrim_status status =
        scrim_query_run(state->vault, state->plan, &state->result, error);
    sc_progress_end(&state->progress);
    if (status != SCRIM_OK)
        return status;
    scrim_result_describe(state->result, &facts);
    state->release = facts.release;
    sc_charge_last_words("microdata release", facts.release, state->style.vault);
    return SCRIM_OK;
}

static scrim_status run_release(const sc_options *options, scrim_error *error)
{
    if (sc_options_has(options, SCRIM_OPTION_POLICY))
        return sc_refuse(
            error,
            "a release is charged to a dataset of a vault; add it first, as in 'scrim "
            "dataset add NAME --policy FILE', and name it here in place of --policy");
    tree_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = start(
        state, options,
        "name one dataset, as in 'scrim microdata release adult --levels sex'", error);
    if (status == SCRIM_OK)
        status = sc_vault_place_open(options, &state->vault, error);
    if (status == SCRIM_OK)
        status = plan(state, options, error);
    if (status == SCRIM_OK)
        status = check_how(state, options, error);
    if (status == SCRIM_OK)
        status = sc_vault_seed_use(&state->seed, options, state->vault, error);
    if (status == SCRIM_OK)
        status = ask(state, options->words[2], error);
    if (status == SCRIM_OK)
        status = show(state, options, error);
    if (status == SCRIM_OK && !state->style.quiet)
        status = sc_result_talk(&state->style, state->vault, state->result, error);
    if (status != SCRIM_OK && state->result != NULL)
        sc_charge_advise_result(error, state->result, state->style.vault);
    end(state);
    return status;
}

/* Show. */

static scrim_status run_show(const sc_options *options, scrim_error *error)
{
    tree_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status =
        start(state, options,
              "name one release by its number, as in 'scrim microdata show 12'", error);
    if (status == SCRIM_OK)
        status = sc_release_number_parse(options->words[2], &state->release, error);
    if (status == SCRIM_OK)
        status = sc_vault_place_open(options, &state->vault, error);
    if (status == SCRIM_OK)
        status = show(state, options, error);
    end(state);
    return status;
}

#define SHOWN                                                                            \
    SCRIM_OPTION_CONFIDENCE, SCRIM_OPTION_INVARIANT, SCRIM_OPTION_OUT,                   \
        SCRIM_OPTION_RECORDS, SCRIM_OPTION_MEASUREMENTS, SCRIM_OPTION_RUNS,              \
        SCRIM_OPTION_SVG, SCRIM_OPTION_PLOT

const sc_command sc_microdata_release = {
    .name = "release",
    .kind = SC_COMMAND_RELEASE,
    .options = SC_OPTION_SET(
        SHOWN, SCRIM_OPTION_LEVELS, SCRIM_OPTION_TABLES, SCRIM_OPTION_QUERIES,
        SCRIM_OPTION_SHARES, SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA, SCRIM_OPTION_RHO,
        SCRIM_OPTION_MECHANISM, SCRIM_OPTION_POLICY, SCRIM_OPTION_MAX_GROUPS,
        SCRIM_OPTION_MAX_ROWS, SCRIM_OPTION_MAX_TOTAL_ROWS),
    .run = run_release,
};

const sc_command sc_microdata_show = {
    .name = "show",
    .kind = SC_COMMAND_LOOK,
    .options = SC_OPTION_SET(SHOWN, SCRIM_OPTION_RANGE, SCRIM_OPTION_QUANTILE),
    .run = run_show,
};
