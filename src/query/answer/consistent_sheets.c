/* Totals of sets of keys that add up: the numbers of an aggregate in all sheets are a tree (estimate/consistent.h). */
#include "query/answer/result_sheet.h"
#include "query/estimate/consistent.h"

/* The key of the group of the next coarser set that a group is a part of; room is for a key that is no longer. */
static sc_text cut_key(const sc_sheet *finer, const sc_sheet *coarser, sc_text key,
                       sc_key_part *parts, char *room)
{
    const sc_query *from = finer->query, *to = coarser->query;
    sc_key_part kept[SC_QUERY_KEYS];
    size_t count = 0;
    if (!sc_key_tuple_read(key, parts, from->key_count))
        return (sc_text){room, 0};
    for (size_t i = 0; i < to->all_key_count; i++)
        if (to->key_places[i] < to->key_count)
            kept[count++] = parts[from->key_places[i]];
    sc_key_tuple_write(kept, count, room);
    return (sc_text){room, sc_key_tuple_bytes(kept, count)};
}

/* The row of a key, in rows of increasing keys. */
static size_t find_row(const sc_record_statement *s, sc_text key)
{
    size_t low = 0, high = s->row_count;
    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        if (sc_text_compare(s->rows[middle].key, key) <= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static scrim_status set_parents(const sc_sheet *finer, const sc_sheet *coarser,
                                size_t *out, scrim_error *error)
{
    const sc_record_statement *record = finer->record;
    sc_key_part parts[SC_QUERY_KEYS];
    size_t bytes = 1;
    for (size_t i = 0; i < finer->query->key_count; i++)
        parts[i] =
            (sc_key_part){.is_text = sc_typed_is_text(finer->query->keys[i].value)};
    for (size_t i = 0; i < record->row_count; i++)
        bytes = record->rows[i].key.bytes > bytes ? record->rows[i].key.bytes : bytes;
    char *room = sc_allocate(bytes, 1);
    if (room == NULL)
        return sc_sheet_no_memory(error);
    bool is_there = coarser->record->row_count > 0;
    for (size_t i = 0; is_there && i < record->row_count; i++) {
        const sc_text key = cut_key(finer, coarser, record->rows[i].key, parts, room);
        out[i] = find_row(coarser->record, key);
        is_there = sc_text_equal(coarser->record->rows[out[i]].key, key);
    }
    sc_free(room);
    return is_there ? SCRIM_OK : sc_sheet_unreadable(error);
}

/* A number of the aggregate, and what of noise is in it. */

static const sc_law *law_of(const sc_sheet *s, size_t statistic)
{
    return statistic == SC_STATISTIC_NONE || s->drawn[statistic] == NULL
               ? NULL
               : sc_noise_law(s->drawn[statistic]);
}

static bool add_noise(const sc_sheet *s, size_t statistic, int64_t weight,
                      sc_consistent_level *level)
{
    if (weight == 0)
        return true;
    level->laws[level->noises] = law_of(s, statistic);
    level->weights[level->noises] = weight;
    return level->laws[level->noises++] != NULL;
}

static void add_number(const sc_sheet *s, const sc_record_row *row, size_t statistic,
                       int64_t weight, sc_ratio *out)
{
    SC_OWN(sc_ratio, number, factor);
    if (weight == 0)
        return;
    sc_ratio_set_int128(&number, row->numbers[s->statistics.list[statistic].first]);
    sc_ratio_set_int64(&factor, weight);
    sc_ratio_mul(&number, &number, &factor);
    sc_ratio_add(out, out, &number);
}

/* The values are as many as the rows, and 0. */
static bool set_level(const sc_sheet *s, size_t aggregate, sc_consistent_level *level)
{
    const sc_statistic_use *use = &s->statistics.uses[aggregate];
    int64_t rows, sum;
    sc_estimator_weights(s->estimators[aggregate], &rows, &sum);
    level->noises = 0;
    if (!add_noise(s, use->rows, rows, level) || !add_noise(s, use->sum, sum, level))
        return false;
    for (size_t i = 0; i < level->count; i++) {
        sc_ratio_set_int64(&level->values[i], 0);
        add_number(s, &s->record->rows[i], use->rows, rows, &level->values[i]);
        add_number(s, &s->record->rows[i], use->sum, sum, &level->values[i]);
    }
    return true;
}

static bool keep(const sc_consistent_level *level, sc_int128 *out)
{
    bool fits = true;
    SC_OWN(sc_integer, whole);
    for (size_t i = 0; fits && i < level->count; i++) {
        sc_ratio_floor(&level->values[i], &whole);
        fits = sc_integer_get_int128(&whole, &out[i]);
    }
    return fits;
}

/* The sheets are in the order of the sets: the finest first. */
static scrim_status make_one(sc_sheet *sheets, size_t count, size_t aggregate,
                             sc_consistent_level *levels, const sc_ratio *beta,
                             sc_int128 **kept, scrim_error *error)
{
    bool is_well = true;
    for (size_t i = 0; is_well && i < count; i++)
        is_well = set_level(&sheets[count - 1 - i], aggregate, &levels[i]);
    scrim_status status = is_well ? sc_consistent_make(levels, count, beta, error)
                                  : sc_sheet_unreadable(error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        if (!keep(&levels[i], kept[i]))
            status = sc_sheet_unreadable(error);
    return status;
}

static scrim_status get_levels(sc_sheet *sheets, size_t count,
                               sc_consistent_level *levels, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        const sc_sheet *s = &sheets[count - 1 - i];
        size_t *parents =
            sc_arena_allocate(s->arena, s->record->row_count, sizeof *parents);
        sc_ratio *values = sc_allocate(s->record->row_count, sizeof *values);
        if (parents == NULL || values == NULL) {
            sc_free(values);
            return sc_sheet_no_memory(error);
        }
        for (size_t k = 0; k < s->record->row_count; k++)
            sc_ratio_init(&values[k]);
        levels[i] = (sc_consistent_level){.count = s->record->row_count,
                                          .values = values,
                                          .parents = i == 0 ? NULL : parents};
        if (i > 0)
            status = set_parents(s, s + 1, parents, error);
        if (s->record->row_count == 0)
            status = sc_sheet_unreadable(error);
    }
    return status;
}

scrim_status sc_sheets_make_consistent(sc_sheet *sheets, size_t count,
                                       const sc_ratio *confidence, scrim_error *error)
{
    sc_consistent_level levels[SC_CONSISTENT_LEVELS] = {{.count = 0}};
    sc_int128 *kept[SC_CONSISTENT_LEVELS], *halves[SC_CONSISTENT_LEVELS],
        **of[SC_CONSISTENT_LEVELS];
    const size_t aggregates = sheets[0].query->aggregate_count;
    SC_OWN(sc_ratio, beta);
    if (count > SC_CONSISTENT_LEVELS)
        return sc_sheet_unreadable(error);
    sc_ratio_set_int64(&beta, 1);
    sc_ratio_sub(&beta, &beta, confidence);
    scrim_status status = get_levels(sheets, count, levels, error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        of[i] = sc_arena_allocate(sheets[0].arena, aggregates, sizeof(sc_int128 *));
        halves[i] = sc_arena_allocate(sheets[0].arena, aggregates, sizeof(sc_int128));
        if (of[i] == NULL || halves[i] == NULL)
            status = sc_sheet_no_memory(error);
    }
    for (size_t a = 0; status == SCRIM_OK && a < aggregates; a++) {
        for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
            kept[i] = of[i][a] =
                sc_arena_allocate(sheets[0].arena, levels[i].count, sizeof(sc_int128));
            if (kept[i] == NULL)
                status = sc_sheet_no_memory(error);
        }
        if (status == SCRIM_OK)
            status = make_one(sheets, count, a, levels, &beta, kept, error);
        for (size_t i = 0; status == SCRIM_OK && i < count; i++)
            halves[i][a] = levels[i].half;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; levels[i].values != NULL && k < levels[i].count; k++)
            sc_ratio_clear(&levels[i].values[k]);
        sc_free(levels[i].values);
        if (status == SCRIM_OK) {
            sheets[count - 1 - i].consistent = (const sc_int128 *const *)of[i];
            sheets[count - 1 - i].halves = halves[i];
        }
    }
    return status;
}
