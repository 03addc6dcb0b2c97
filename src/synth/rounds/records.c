#include "synth/rounds/records.h"

#include "base/memory.h"

#include <string.h>

/* Codes of one column. */
typedef struct column {
    void *codes;
    unsigned bytes; /* 1, 2 or 4 */
} column;

struct sc_records {
    sc_synth_columns columns;
    column list[SC_SYNTH_COLUMNS_MAX];
    int64_t *times;
    size_t count, capacity;
    int64_t total;
    sc_cancel *cancel; /* the caller's; NULL: no count is ended */
};

/* Rows of a block: their cells take 16 KB. */
enum { BLOCK = 4096 };

static unsigned bytes_for(uint32_t size)
{
    return size <= UINT8_MAX + 1 ? 1 : size <= UINT16_MAX + 1 ? 2 : 4;
}

bool sc_records_bytes(const sc_synth_columns *columns, size_t capacity, size_t *bytes)
{
    size_t each = sizeof(int64_t);
    for (size_t i = 0; i < columns->count; i++)
        each += bytes_for(columns->sizes[i]);
    return sc_size_mul(capacity, each, bytes) &&
           sc_size_add(*bytes, sizeof(sc_records), bytes);
}

scrim_status sc_records_new(const sc_synth_columns *columns, size_t capacity,
                            sc_records **out, scrim_error *error)
{
    scrim_status status = sc_synth_columns_check(columns, error);
    if (status != SCRIM_OK)
        return status;
    sc_records *r = sc_allocate(1, sizeof *r);
    bool has_room = r != NULL;
    if (has_room) {
        r->columns = *columns;
        r->capacity = capacity;
        r->times = sc_allocate(capacity, sizeof *r->times);
        has_room = r->times != NULL;
    }
    for (size_t i = 0; has_room && i < columns->count; i++) {
        r->list[i].bytes = bytes_for(columns->sizes[i]);
        r->list[i].codes = sc_allocate(capacity, r->list[i].bytes);
        has_room = r->list[i].codes != NULL;
    }
    if (has_room) {
        *out = r;
        return SCRIM_OK;
    }
    sc_records_free(r);
    return sc_no_memory(error, "the rows of a table");
}

void sc_records_free(sc_records *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->columns.count; i++)
        sc_free_wiped(r->list[i].codes, r->count * r->list[i].bytes);
    sc_free_wiped(r->times, r->count * sizeof *r->times);
    sc_free_wiped(r, sizeof *r);
}

const sc_synth_columns *sc_records_columns(const sc_records *r)
{
    return &r->columns;
}

scrim_status sc_records_narrow(sc_records *r, const sc_synth_columns *columns,
                               scrim_error *error)
{
    bool fits = r->count == 0 && columns->count == r->columns.count;
    for (size_t i = 0; fits && i < columns->count; i++)
        fits = columns->sizes[i] > 0 && columns->sizes[i] <= r->columns.sizes[i];
    if (!fits)
        return sc_fail(error, SCRIM_E_INTERNAL, "a table has other columns");
    r->columns = *columns;
    return SCRIM_OK;
}

int64_t sc_records_total(const sc_records *r)
{
    return r->total;
}

static uint32_t code_at(const column *c, size_t row)
{
    const uint8_t *one = c->codes;
    const uint16_t *two = c->codes;
    const uint32_t *four = c->codes;
    return c->bytes == 1 ? one[row] : c->bytes == 2 ? two[row] : four[row];
}

static void set_code(column *c, size_t row, uint32_t code)
{
    uint8_t *one = c->codes;
    uint16_t *two = c->codes;
    uint32_t *four = c->codes;
    if (c->bytes == 1)
        one[row] = (uint8_t)code;
    else if (c->bytes == 2)
        two[row] = (uint16_t)code;
    else
        four[row] = code;
}

scrim_status sc_records_add(sc_records *r, const uint32_t *codes, uint64_t count,
                            scrim_error *error)
{
    if (r->count == r->capacity)
        return sc_fail(error, SCRIM_E_INTERNAL, "a table has more rows than declared");
    /* Cut the total at 2^40 rows, the most that any count of them takes. */
    const int64_t left = ((int64_t)1 << 40) - r->total;
    const int64_t times = count > (uint64_t)left ? left : (int64_t)count;
    for (size_t i = 0; i < r->columns.count; i++) {
        const uint32_t last = r->columns.sizes[i] - 1;
        set_code(&r->list[i], r->count, codes[i] < last ? codes[i] : last);
    }
    r->times[r->count++] = times;
    r->total += times;
    return SCRIM_OK;
}

/* Maps of single rows. */

void sc_records_recode(sc_records *r, const sc_recoding *recoding)
{
    for (size_t i = 0; i < r->columns.count; i++) {
        const sc_recoded *map = &recoding->list[i];
        for (size_t row = 0; row < r->count; row++)
            set_code(&r->list[i], row, map->codes[code_at(&r->list[i], row)]);
    }
    sc_recoding_columns(recoding, &r->columns);
}

/* The cells of a block of rows in the table of a clique. */
#define ADD_CODES(type)                                                                  \
    do {                                                                                 \
        const type *codes = (const type *)c->codes + first;                              \
        for (size_t i = 0; i < rows; i++)                                                \
            cells[i] = cells[i] * size + codes[i];                                       \
    } while (0)

static void add_column(const column *c, uint32_t size, size_t first, size_t rows,
                       uint32_t *cells)
{
    if (c->bytes == 1)
        ADD_CODES(uint8_t);
    else if (c->bytes == 2)
        ADD_CODES(uint16_t);
    else
        ADD_CODES(uint32_t);
}

static void find_cells(const sc_records *r, sc_clique clique, size_t first, size_t rows,
                       uint32_t *cells)
{
    memset(cells, 0, rows * sizeof *cells);
    for (sc_clique rest = clique; rest != 0; rest &= rest - 1) {
        const size_t i = sc_clique_first(rest);
        add_column(&r->list[i], r->columns.sizes[i], first, rows, cells);
    }
}

static size_t rows_from(const sc_records *r, size_t first)
{
    return r->count - first < BLOCK ? r->count - first : BLOCK;
}

void sc_records_move_impossible(sc_records *r, sc_clique clique,
                                const bool *is_impossible, const uint32_t *other)
{
    uint32_t cells[BLOCK];
    for (size_t first = 0; first < r->count; first += BLOCK) {
        const size_t rows = rows_from(r, first);
        find_cells(r, clique, first, rows, cells);
        for (sc_clique rest = clique; rest != 0; rest &= rest - 1) {
            const size_t place = sc_clique_first(rest);
            for (size_t i = 0; i < rows; i++)
                if (is_impossible[cells[i]])
                    set_code(&r->list[place], first + i, other[place]);
        }
    }
    sc_wipe(cells, sizeof cells);
}

/* Counting. */

void sc_records_watch(sc_records *r, sc_cancel *cancel)
{
    r->cancel = cancel;
}

void sc_records_count(const sc_records *r, const sc_clique *cliques, size_t count,
                      int64_t *const *out)
{
    uint32_t cells[BLOCK];
    for (size_t k = 0; k < count; k++)
        memset(out[k], 0,
               (size_t)sc_clique_cells(&r->columns, cliques[k]) * sizeof *out[k]);
    for (size_t first = 0; first < r->count && !sc_cancel_asks(r->cancel);
         first += BLOCK) {
        const size_t rows = rows_from(r, first);
        const int64_t *times = r->times + first;
        for (size_t k = 0; k < count; k++) {
            find_cells(r, cliques[k], first, rows, cells);
            int64_t *counts = out[k];
            for (size_t i = 0; i < rows; i++)
                counts[cells[i]] += times[i];
        }
    }
    sc_wipe(cells, sizeof cells);
}

sc_int128 sc_records_query(const sc_records *r, const sc_linear_query *query)
{
    uint32_t cells[BLOCK];
    sc_int128 sum = 0;
    for (size_t first = 0; first < r->count && !sc_cancel_asks(r->cancel);
         first += BLOCK) {
        const size_t rows = rows_from(r, first);
        find_cells(r, query->clique, first, rows, cells);
        for (size_t i = 0; i < rows; i++)
            sum += (sc_int128)r->times[first + i] * query->numerators[cells[i]];
    }
    sc_wipe(cells, sizeof cells);
    return sum;
}
