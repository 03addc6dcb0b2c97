#include "cli/account/attack_writer.h"

#include "cli/account/attack_chart.h"
#include "cli/sheet/fold.h"
#include "cli/sheet/listing.h"

#include <stdio.h>

#define COLUMNS 16

typedef struct attack_view {
    sc_output *output;
    const scrim_attack *attack;
    const sc_terminal *terminal;
    scrim_attack_facts facts;
    bool draws;
} attack_view;

/* The sentences of every format, in their order; NULL past the last. */
static const char *fact_at(const attack_view *view, size_t index, const char **name)
{
    const struct {
        const char *name, *text;
    } facts[] = {
        {"attack", view->facts.name},     {"target", view->facts.target},
        {"learnt", view->facts.learnt},   {"cost", view->facts.cost},
        {"stopped", view->facts.stopped}, {"source", view->facts.source},
    };
    if (index >= sizeof facts / sizeof *facts)
        return NULL;
    *name = facts[index].name;
    return facts[index].text;
}

static sc_listing list_of(const attack_view *view, size_t table, sc_format format,
                          sc_listing_column columns[COLUMNS])
{
    const char *name;
    size_t count = 0;
    while (count < COLUMNS &&
           (name = scrim_attack_column_at(view->attack, table, count)) != NULL)
        columns[count++] = (sc_listing_column){name, SC_KIND_DECIMAL | SC_NULLABLE};
    return (sc_listing){.columns = columns,
                        .column_count = count,
                        .output = view->output,
                        .format = format,
                        .terminal = view->terminal};
}

static void add_rows(const attack_view *view, size_t table, size_t rows,
                     sc_listing *listing)
{
    for (size_t row = 0; row < rows; row++) {
        const char *cells[COLUMNS];
        for (size_t i = 0; i < listing->column_count; i++)
            cells[i] = scrim_attack_cell_at(view->attack, table, row, i);
        sc_listing_add(listing, cells);
    }
}

static scrim_status write_box(const attack_view *view, size_t index,
                              const scrim_attack_table *table, scrim_error *error)
{
    sc_listing_column columns[COLUMNS];
    sc_listing listing = list_of(view, index, SCRIM_FORMAT_TABLE, columns);
    listing.heading = table->heading;
    sc_output_text(view->output, "\n");
    add_rows(view, index, table->rows, &listing);
    const scrim_status status = sc_listing_close(&listing, SCRIM_OK, error);
    if (view->draws && status == SCRIM_OK && sc_attack_has_chart(view->attack, index))
        sc_attack_chart_terminal(view->output, view->attack, index, view->terminal);
    return status;
}

static scrim_status write_table(const attack_view *view, scrim_error *error)
{
    scrim_attack_table table;
    const char *text, *name;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; (text = fact_at(view, i, &name)) != NULL; i++)
        sc_fold_line(view->output, name, text, view->terminal->columns);
    for (size_t i = 0;
         status == SCRIM_OK && scrim_attack_table_at(view->attack, i, &table); i++)
        status = write_box(view, i, &table, error);
    return status;
}

static scrim_status write_json(const attack_view *view, scrim_error *error)
{
    sc_json json;
    scrim_attack_table table;
    const char *text, *name;
    scrim_status status = SCRIM_OK;
    sc_json_init(&json, view->output);
    sc_json_object(&json, NULL);
    sc_json_mark(&json);
    for (size_t i = 0; (text = fact_at(view, i, &name)) != NULL; i++)
        sc_json_text(&json, name, text);
    sc_json_rows(&json, "tables");
    for (size_t i = 0;
         status == SCRIM_OK && scrim_attack_table_at(view->attack, i, &table); i++) {
        sc_listing_column columns[COLUMNS];
        sc_listing listing = list_of(view, i, SCRIM_FORMAT_JSON, columns);
        listing.json = &json;
        sc_json_object(&json, NULL);
        sc_json_text(&json, "table", table.name);
        sc_json_text(&json, "heading", table.heading);
        add_rows(view, i, table.rows, &listing);
        status = sc_listing_close(&listing, SCRIM_OK, error);
        sc_json_end(&json);
    }
    sc_json_end(&json);
    sc_json_end(&json);
    return status;
}

/* One cell a row, since the tables have columns of their own. */
static scrim_status write_cells(const attack_view *view, sc_format format,
                                scrim_error *error)
{
    static const sc_listing_column columns[] = {{"table", SC_KIND_TEXT},
                                                {"row", SC_KIND_NUMBER},
                                                {"name", SC_KIND_TEXT},
                                                {"value", SC_KIND_DECIMAL}};
    sc_listing listing = SC_LISTING(columns, view->output, format, view->terminal);
    scrim_attack_table table;
    const char *text, *name;
    listing.is_marked = true;
    (void)sc_listing_open(&listing);
    for (size_t i = 0; (text = fact_at(view, i, &name)) != NULL; i++)
        sc_listing_add(&listing, (const char *[]){"facts", "1", name, text});
    for (size_t i = 0; scrim_attack_table_at(view->attack, i, &table); i++)
        for (size_t cell = 0; cell < table.rows * table.columns; cell++) {
            char row[24];
            snprintf(row, sizeof row, "%zu", cell / table.columns + 1);
            sc_listing_add(
                &listing,
                (const char *[]){
                    table.name, row,
                    scrim_attack_column_at(view->attack, i, cell % table.columns),
                    scrim_attack_cell_at(view->attack, i, cell / table.columns,
                                         cell % table.columns)});
        }
    return sc_listing_close(&listing, SCRIM_OK, error);
}

scrim_status sc_attack_write(sc_output *output, const scrim_attack *attack,
                             sc_format format, bool draws, const sc_terminal *terminal,
                             scrim_error *error)
{
    attack_view view = {
        .output = output, .attack = attack, .terminal = terminal, .draws = draws};
    scrim_attack_describe(attack, &view.facts);
    if (format == SCRIM_FORMAT_TABLE)
        return write_table(&view, error);
    return format == SCRIM_FORMAT_JSON ? write_json(&view, error)
                                       : write_cells(&view, format, error);
}

void sc_attack_write_charts(sc_output *output, const scrim_attack *attack,
                            const sc_terminal *terminal)
{
    scrim_attack_table table;
    for (size_t i = 0; scrim_attack_table_at(attack, i, &table); i++)
        if (sc_attack_has_chart(attack, i))
            sc_attack_chart_terminal(output, attack, i, terminal);
}
