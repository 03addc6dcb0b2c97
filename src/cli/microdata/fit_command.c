/* scrim microdata fit FILE: a table from noisy cells and a noisy total that were released apart, free of charge. */
#include "cli/microdata/count_table.h"
#include "cli/microdata/microdata_commands.h"
#include "cli/report/file_proof.h"
#include "cli/sheet/listing.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int by_line(const void *a, const void *b)
{
    const sc_count_row *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

/* Rows are sorted by level and key: the total, and then the cells. */
static scrim_status check_rows(const sc_count_table *t, scrim_error *error)
{
    bool is_good = t->levels == 1 && t->columns == 0 && t->count > 1 &&
                   t->rows[0].level == 0 && t->rows[1].level == 1;
    if (!is_good)
        return sc_complaint_fill(error, SCRIM_E_INPUT,
                                 "%.200s is not a flat table: it needs one column of "
                                 "keys, one row of level 0 and the cells as level 1",
                                 t->path);
    for (size_t i = 2; i < t->count; i++)
        if (strcmp(t->rows[i - 1].key, t->rows[i].key) == 0)
            return sc_complaint_fill(error, SCRIM_E_INPUT,
                                     "%.200s, line %zu: another row has the same keys",
                                     t->path, t->rows[i].line);
    return SCRIM_OK;
}

static void put_row(sc_listing *page, const sc_count_row *row, int64_t count)
{
    sc_listing_put(page, "%zu", row->level);
    sc_listing_put(page, "%s", row->level == 0 ? "" : row->key + 1);
    sc_listing_put(page, "%" PRId64, count);
    sc_listing_put(page, "%" PRId64, row->count);
}

static scrim_status list_table(const sc_count_table *t, const int64_t *table,
                               int64_t total, const sc_options *options,
                               scrim_error *error)
{
    const sc_listing_column columns[] = {{"level", SC_KIND_NUMBER | SC_RIGHT},
                                         {t->names[0], SC_KIND_KEY},
                                         {"n", SC_KIND_NUMBER | SC_RIGHT},
                                         {"noisy", SC_KIND_NUMBER | SC_RIGHT}};
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    SC_TRY(sc_page_new(options, columns, sizeof columns / sizeof *columns, &page, error));
    put_row(page, &t->rows[0], total);
    for (size_t i = 1; i < t->count; i++)
        put_row(page, &t->rows[i], table[i - 1]);
    return sc_page_write(page, error);
}

static void note(const sc_count_table *t, int64_t total, const char *method)
{
    sc_talk("fitted %zu cells by %s; the total is %" PRId64 ", measured as %" PRId64
            "; free of charge\n",
            t->count - 1, method, total, t->rows[0].count);
    if (strcmp(method, "sum") != 0)
        sc_talk("error bounds are known for --method sum only\n");
}

static scrim_status fit(sc_count_table *t, const sc_options *options, scrim_error *error)
{
    const char *method = options->value[SCRIM_OPTION_METHOD];
    const size_t cells = t->count - 1;
    SC_FREED int64_t *table = calloc(cells, sizeof *table);
    int64_t total = 0;
    if (table == NULL)
        return sc_out_of_memory(error, "a table");
    qsort(t->rows + 1, cells, sizeof *t->rows, by_line);
    for (size_t i = 0; i < cells; i++)
        table[i] = t->rows[i + 1].count;
    SC_TRY(
        scrim_microdata_fit(table, cells, t->rows[0].count,
                            SCRIM_OPTIONS(scrim_microdata_fit_options, .method = method,
                                          .weight = options->value[SCRIM_OPTION_WEIGHT]),
                            table, error));
    for (size_t i = 0; i < cells; i++)
        total += table[i];
    SC_TRY(list_table(t, table, total, options, error));
    if (!sc_options_has(options, SCRIM_OPTION_QUIET))
        note(t, total, method == NULL ? "squares" : method);
    return SCRIM_OK;
}

static scrim_status run_fit(const sc_options *options, scrim_error *error)
{
    sc_count_table table = {.path = NULL};
    if (options->word_count != 3)
        return sc_refuse(
            error,
            "name one file of noisy counts, as in 'scrim microdata fit noisy.csv'");
    scrim_status status =
        sc_count_table_read(options->words[2], "noisy", options, &table, error);
    if (status == SCRIM_OK)
        status = check_rows(&table, error);
    if (status == SCRIM_OK)
        status = fit(&table, options, error);
    sc_count_table_clear(&table);
    return status;
}

const sc_command sc_microdata_fit_command = {
    .name = "fit",
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_METHOD, SCRIM_OPTION_WEIGHT),
    .run = run_fit,
};
