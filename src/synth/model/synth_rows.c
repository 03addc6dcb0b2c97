#include "synth/model/synth_rows.h"

#include "base/checked.h"
#include "base/memory.h"
#include "synth/model/synth_state.h"
#include "synth/model/weight_state.h"

#include <stdbool.h>
#include <string.h>

void sc_public_coins_init(sc_public_coins *coins, const sc_hash_key *key, uint64_t stream)
{
    coins->half = sc_hash_first(key, stream);
    coins->place = 0;
    coins->left = 0;
}

static void make_ready(sc_public_coins *coins)
{
    uint64_t places[SC_PUBLIC_COINS_READY];
    for (unsigned i = 0; i < SC_PUBLIC_COINS_READY; i++)
        places[i] = coins->place++;
    sc_hash_seconds(&coins->half, places, SC_PUBLIC_COINS_READY, coins->ready);
    coins->left = SC_PUBLIC_COINS_READY;
}

uint64_t sc_public_coins_word(sc_public_coins *coins)
{
    if (coins->left == 0)
        make_ready(coins);
    return coins->ready[SC_PUBLIC_COINS_READY - coins->left--];
}

/* The high half of a product with a word; low halves that would make it uneven are rejected. */
uint64_t sc_public_coins_below(sc_public_coins *coins, uint64_t n)
{
    sc_uint128 product;
    do
        product = (sc_uint128)sc_public_coins_word(coins) * n;
    while ((uint64_t)product < n && (uint64_t)product < -n % n);
    return (uint64_t)(product >> 64);
}

double sc_public_coins_unit(sc_public_coins *coins)
{
    return (double)(sc_public_coins_word(coins) >> 11) * 0x1p-53;
}

void sc_public_coins_shuffle(sc_public_coins *coins, uint32_t *list, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        const size_t other = (size_t)sc_public_coins_below(coins, i);
        const uint32_t item = list[i - 1];
        list[i - 1] = list[other];
        list[other] = item;
    }
}

/* Rows that are divided among cells, by the weights of the cells. */
typedef struct shares {
    const double *weights;
    double total; /* 0: all cells alike */
    double rows;
    size_t count;
} shares;

static double weight_of(const shares *s, size_t i)
{
    if (!(s->total > 0))
        return 1;
    return s->weights[i] > 0 ? s->weights[i] : 0;
}

/* With the error of each addition carried along: the sum is good to its last places for any number of cells. */
static double sum_of(const double *weights, size_t count)
{
    double sum = 0, lost = 0;
    for (size_t i = 0; i < count; i++) {
        const double weight = weights[i] > 0 ? weights[i] : 0;
        const double next = sum + weight;
        lost += sum >= weight ? (sum - next) + weight : (weight - next) + sum;
        sum = next;
    }
    return sum + lost;
}

static double share_of(const shares *s, size_t i)
{
    const double total = s->total > 0 ? s->total : (double)s->count;
    return weight_of(s, i) / total * s->rows;
}

/* Gives what rounding has left over to the last cells that have a fraction and no point. */
static void give_rest(const shares *s, uint64_t rest, uint64_t *out)
{
    for (size_t i = s->count; i-- > 0 && rest > 0;) {
        const double share = share_of(s, i);
        if (share > (double)(uint64_t)share && out[i] == (uint64_t)share) {
            out[i]++;
            rest--;
        }
    }
}

void sc_allocate_rows(const double *weights, size_t count, uint64_t rows, double u,
                      uint64_t *out)
{
    const shares s = {weights, sum_of(weights, count), (double)rows, count};
    uint64_t rest = rows;
    for (size_t i = 0; i < count; i++) {
        const uint64_t whole = (uint64_t)share_of(&s, i);
        out[i] = whole < rest ? whole : rest;
        rest -= out[i];
    }
    double gap = u; /* to the next point */
    for (size_t i = 0; i < count && rest > 0; i++) {
        const double share = share_of(&s, i);
        const double fraction = share - (double)(uint64_t)share;
        const bool has_point = fraction > gap;
        gap += (has_point ? 1 : 0) - fraction;
        out[i] += has_point ? 1 : 0;
        rest -= has_point ? 1 : 0;
    }
    give_rest(&s, rest, out);
}

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
            return sc_no_memory(error, "rows");
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
        return sc_no_memory(error, "rows");
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

/* Writes the values of a cell into the `count` rows of the list. */
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

/* Streams of a release's public key: one a column. Rows take the first of all (synth_rows.c). */
#define RARE_STREAM (2 * SC_SYNTH_COLUMNS_MAX)
#define BIN_STREAM (3 * SC_SYNTH_COLUMNS_MAX)

void sc_recoded_given(const sc_recoded *column, const bool *is_allowed, double *weights)
{
    for (uint32_t code = 0; code <= column->kept; code++)
        if (code < column->kept || column->kept < column->size)
            weights[code] = 0;
    for (uint32_t u = 0; u < column->size; u++)
        if (is_allowed[u]) {
            const uint32_t code = column->codes[u];
            weights[code] += 1.0 / sc_recoded_members(column, code);
        }
}

/* The rows of `rare` of one column, by category. */
typedef struct rare_rows {
    const sc_recoded *column;
    size_t members;
    double *weights;  /* [members] */
    uint64_t *counts; /* [members] */
    uint32_t *list;   /* [rows] */
    uint64_t count;
} rare_rows;

static void divide(rare_rows *rare, const double *weights, sc_public_coins *coins,
                   uint32_t *codes)
{
    const uint32_t *categories = rare->column->sorted + rare->column->kept;
    for (size_t i = 0; i < rare->members; i++)
        rare->weights[i] = weights == NULL ? 1 : weights[categories[i]];
    sc_allocate_rows(rare->weights, rare->members, rare->count,
                     sc_public_coins_unit(coins), rare->counts);
    sc_public_coins_shuffle(coins, rare->list, (size_t)rare->count);
    const uint32_t *row = rare->list;
    for (size_t i = 0; i < rare->members; i++)
        for (uint64_t left = rare->counts[i]; left > 0; left--)
            codes[*row++] = categories[i];
}

/* Kept categories get their number back; rows of `rare` are listed. */
static void undo_kept(rare_rows *rare, uint32_t *codes, uint64_t count)
{
    for (uint64_t row = 0; row < count; row++)
        if (codes[row] < rare->column->kept)
            codes[row] = rare->column->sorted[codes[row]];
        else
            rare->list[rare->count++] = (uint32_t)row;
}

static scrim_status undo_column(const sc_recoded *column, const double *weights,
                                sc_public_coins *coins, uint32_t *codes, uint64_t count,
                                scrim_error *error)
{
    rare_rows rare = {.column = column, .members = column->size - column->kept};
    rare.weights = sc_allocate(rare.members, sizeof *rare.weights);
    rare.counts = sc_allocate(rare.members, sizeof *rare.counts);
    rare.list = sc_allocate((size_t)count, sizeof *rare.list);
    const bool is_there =
        rare.weights != NULL && rare.counts != NULL && rare.list != NULL;
    if (is_there) {
        undo_kept(&rare, codes, count);
        if (rare.members > 0)
            divide(&rare, weights, coins, codes);
    }
    sc_free(rare.weights);
    sc_free(rare.counts);
    sc_free(rare.list);
    return is_there ? SCRIM_OK : sc_no_memory(error, "rows");
}

scrim_status sc_synth_rows_undo(sc_synth_rows *rows, const sc_recoding *recoding,
                                const double *const *weights, const sc_hash_key *key,
                                scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < rows->columns && status == SCRIM_OK; i++) {
        sc_public_coins coins;
        sc_public_coins_init(&coins, key, (size_t)RARE_STREAM + i);
        status = undo_column(&recoding->list[i], weights == NULL ? NULL : weights[i],
                             &coins, rows->codes[i], rows->count, error);
    }
    return status;
}

void sc_bin_values(const int64_t *edges, const uint32_t *codes, uint64_t count,
                   const sc_hash_key *key, size_t column, int64_t *out)
{
    sc_public_coins coins;
    sc_public_coins_init(&coins, key, (size_t)BIN_STREAM + column);
    for (uint64_t row = 0; row < count; row++) {
        const int64_t first = edges[codes[row]];
        const uint64_t width = (uint64_t)edges[codes[row] + 1] - (uint64_t)first;
        out[row] = (int64_t)((uint64_t)first + sc_public_coins_below(&coins, width));
    }
}
