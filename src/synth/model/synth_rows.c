#include "synth/model/synth_rows.h"

#include "base/memory.h"
#include "synth/model/allocation.h"
#include "synth/model/public_coins.h"
#include "synth/model/synth_state.h"
#include "synth/model/weight_state.h"

#include <string.h>

/* The stream of a release's public key that rows are drawn from. */
#define ROWS_STREAM 1

void sc_synth_rows_init(sc_synth_rows *rows)
{
    memset(rows, 0, sizeof *rows);
}

void sc_synth_rows_clear(sc_synth_rows *rows)
{
    for (size_t i = 0; i < rows->columns; i++)
        sc_free(rows->codes[i]);
    sc_synth_rows_init(rows);
}

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for rows");
}

static scrim_status allocate_rows(size_t columns, uint64_t count, sc_synth_rows *out,
                                  scrim_error *error)
{
    if (count > SC_SYNTH_ROWS_MAX)
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "rows",
                                 "there may be at most %llu",
                                 (unsigned long long)SC_SYNTH_ROWS_MAX);
    sc_synth_rows_init(out);
    out->columns = columns;
    out->count = count;
    for (size_t i = 0; i < columns; i++) {
        out->codes[i] = sc_allocate_raw((size_t)count * sizeof *out->codes[i]);
        if (out->codes[i] == NULL) {
            sc_synth_rows_clear(out);
            return no_memory(error);
        }
    }
    return SCRIM_OK;
}

/* One clique whose rows are drawn: its table, the columns that are there already, and where columns
 * go. */
typedef struct stage {
    const sc_synth_columns *columns;
    sc_clique clique, separator;
    const double *table;
    const size_t *
        outer; /* the column of the rows that holds a column of the clique; NULL: the same */
    sc_synth_rows *rows;
    sc_public_coins *coins;
    size_t groups, cells; /* of the separator, and of what is drawn given one of them */
    size_t *group_places, *cell_places;
    size_t *ends;     /* [groups + 1] in the order of rows by group */
    uint32_t *order;  /* [rows] */
    double *weights;  /* [cells] */
    uint64_t *counts; /* [cells] */
} stage;

static void stage_clear(stage *s)
{
    sc_free(s->group_places);
    sc_free(s->cell_places);
    sc_free(s->ends);
    sc_free(s->order);
    sc_free(s->weights);
    sc_free(s->counts);
}

/* The places in the clique's table of the cells of some of its columns, the others being 0. */
static void find_places(const stage *s, sc_clique part, size_t *places)
{
    size_t filled = 1;
    places[0] = 0;
    for (sc_clique rest = part; rest != 0; rest &= rest - 1) {
        const size_t column = sc_clique_first(rest), size = s->columns->sizes[column];
        const sc_clique before = sc_clique_of(column) | (sc_clique_of(column) - 1);
        const size_t step = (size_t)sc_clique_cells(s->columns, s->clique & ~before);
        for (size_t i = filled; i-- > 0;)
            for (size_t u = size; u-- > 0;)
                places[i * size + u] = places[i] + u * step;
        filled *= size;
    }
}

static scrim_status stage_open(stage *s, scrim_error *error)
{
    const sc_clique fresh = s->clique & ~s->separator;
    s->groups = (size_t)sc_clique_cells(s->columns, s->separator);
    s->cells = (size_t)sc_clique_cells(s->columns, fresh);
    s->group_places = sc_allocate(s->groups, sizeof *s->group_places);
    s->cell_places = sc_allocate(s->cells, sizeof *s->cell_places);
    s->ends = sc_allocate(s->groups + 1, sizeof *s->ends);
    s->order = sc_allocate((size_t)s->rows->count, sizeof *s->order);
    s->weights = sc_allocate(s->cells, sizeof *s->weights);
    s->counts = sc_allocate(s->cells, sizeof *s->counts);
    if (s->group_places == NULL || s->cell_places == NULL || s->ends == NULL ||
        s->order == NULL || s->weights == NULL || s->counts == NULL)
        return no_memory(error);
    find_places(s, s->separator, s->group_places);
    find_places(s, fresh, s->cell_places);
    return SCRIM_OK;
}

static uint32_t *codes_of(const stage *s, size_t column)
{
    return s->rows->codes[s->outer == NULL ? column : s->outer[column]];
}

/* Which cell of the separator a row is in. */
static size_t group_of(const stage *s, uint64_t row)
{
    size_t group = 0;
    for (sc_clique rest = s->separator; rest != 0; rest &= rest - 1) {
        const size_t column = sc_clique_first(rest);
        group = group * s->columns->sizes[column] + codes_of(s, column)[row];
    }
    return group;
}

/* Rows in the order of their groups. Afterwards the rows of a group end where ends says. */
static void sort_rows(stage *s)
{
    const uint64_t count = s->rows->count;
    for (uint64_t row = 0; row < count; row++)
        s->ends[group_of(s, row) + 1]++;
    for (size_t group = 0; group < s->groups; group++)
        s->ends[group + 1] += s->ends[group];
    for (uint64_t row = 0; row < count; row++)
        s->order[s->ends[group_of(s, row)]++] = (uint32_t)row;
}

/* Writes the values of a cell into so many rows. */
static void write_cell(const stage *s, size_t cell, const uint32_t *list, uint64_t count)
{
    const sc_clique fresh = s->clique & ~s->separator;
    for (size_t i = SC_SYNTH_COLUMNS_MAX; i-- > 0;) {
        if ((fresh & sc_clique_of(i)) == 0)
            continue;
        uint32_t *codes = codes_of(s, i);
        const uint32_t code = (uint32_t)(cell % s->columns->sizes[i]);
        cell /= s->columns->sizes[i];
        for (uint64_t row = 0; row < count; row++)
            codes[list[row]] = code;
    }
}

static void draw_group(stage *s, size_t group, uint32_t *list, size_t count)
{
    for (size_t cell = 0; cell < s->cells; cell++)
        s->weights[cell] = s->table[s->group_places[group] + s->cell_places[cell]];
    sc_allocate_rows(s->weights, s->cells, count, sc_public_coins_unit(s->coins),
                     s->counts);
    sc_public_coins_shuffle(s->coins, list, count);
    for (size_t cell = 0; cell < s->cells; cell++)
        if (s->counts[cell] > 0) {
            write_cell(s, cell, list, s->counts[cell]);
            list += s->counts[cell];
        }
}

static scrim_status draw_stage(stage *s, scrim_error *error)
{
    const scrim_status status = stage_open(s, error);
    if (status == SCRIM_OK) {
        sort_rows(s);
        size_t begin = 0;
        for (size_t group = 0; group < s->groups; group++) {
            if (s->ends[group] > begin)
                draw_group(s, group, s->order + begin, s->ends[group] - begin);
            begin = s->ends[group];
        }
    }
    stage_clear(s);
    return status;
}

scrim_status sc_synth_rows_draw(const sc_synth_model *model, uint64_t count,
                                const sc_hash_key *key, sc_synth_rows *out,
                                scrim_error *error)
{
    sc_synth_rows rows;
    sc_public_coins coins;
    scrim_status status = allocate_rows(model->columns.count, count, &rows, error);
    if (status != SCRIM_OK)
        return status;
    sc_public_coins_init(&coins, key, ROWS_STREAM);
    for (size_t i = 0; i < model->junction.count && status == SCRIM_OK; i++) {
        const sc_junction_clique *clique = &model->junction.list[i];
        stage s = {.columns = &model->columns,
                   .clique = clique->columns,
                   .separator = clique->separator,
                   .table = clique->table,
                   .outer = model->outer,
                   .rows = &rows,
                   .coins = &coins};
        status = draw_stage(&s, error);
    }
    if (status != SCRIM_OK) {
        sc_synth_rows_clear(&rows);
        return status;
    }
    sc_synth_rows_clear(out);
    *out = rows;
    return SCRIM_OK;
}

scrim_status sc_synth_rows_draw_weights(const sc_weight_model *model, uint64_t count,
                                        const sc_hash_key *key, sc_synth_rows *out,
                                        scrim_error *error)
{
    sc_synth_rows rows;
    sc_public_coins coins;
    scrim_status status = allocate_rows(model->columns.count, count, &rows, error);
    if (status != SCRIM_OK)
        return status;
    sc_public_coins_init(&coins, key, ROWS_STREAM);
    stage s = {.columns = &model->columns,
               .clique = sc_synth_columns_all(&model->columns),
               .table = model->weights,
               .rows = &rows,
               .coins = &coins};
    status = draw_stage(&s, error);
    if (status != SCRIM_OK) {
        sc_synth_rows_clear(&rows);
        return status;
    }
    sc_synth_rows_clear(out);
    *out = rows;
    return SCRIM_OK;
}

void sc_synth_rows_count(const sc_synth_rows *rows, const sc_synth_columns *sizes,
                         sc_clique clique, int64_t *out)
{
    for (uint64_t row = 0; row < rows->count; row++) {
        uint64_t cell = 0;
        for (sc_clique rest = clique; rest != 0; rest &= rest - 1) {
            const size_t i = sc_clique_first(rest);
            cell = cell * sizes->sizes[i] + rows->codes[i][row];
        }
        out[cell]++;
    }
}
