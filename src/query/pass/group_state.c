#include "query/pass/group_state.h"

#include "base/workers.h"
#include "query/pass/grouping.h"

/* Its bytes in another order are no mark. */
#define MARK UINT64_C(0x53637247727053ff)

/* What two groupings must have in common. */
typedef struct head {
    uint64_t mark, has_units, has_keys, max_groups, max_rows, value_count, keys, workers;
    sc_value_key hash_key;
    sc_bound_keys bound_keys;
} head;

typedef struct head_value {
    int64_t low, high, centre;
    uint64_t has_squares, has_list;
    int64_t bar_width;
} head_value;

/* A row on its way; behind it come the unit and the values. unit_bytes is 0 behind the last. */
typedef struct head_row {
    uint64_t copies;
    uint32_t group, unit_bytes;
} head_row;

static head head_of(const sc_grouping *grouping)
{
    return (head){.mark = MARK,
                  .has_units = grouping->has_units,
                  .has_keys = grouping->has_keys,
                  .max_groups = grouping->max_groups,
                  .max_rows = grouping->max_rows,
                  .value_count = grouping->cell_plan.value_count,
                  .keys = grouping->keys.count,
                  .workers = grouping->workers,
                  .hash_key = grouping->hash_key,
                  .bound_keys = grouping->bound_keys};
}

static head_value head_value_of(const sc_cell_value *value)
{
    return (head_value){value->low,      value->high,
                        value->centre,   value->squares != 0,
                        value->has_list, value->bars == 0 ? 0 : value->grid.width};
}

/* Which keys a worker's numbers of groups stand for. */
static const sc_key_set *keys_of(const sc_grouping *grouping,
                                 const sc_grouping_worker *state)
{
    return grouping->has_keys ? &grouping->keys : &state->keys;
}

/* Writing. */

typedef struct writer {
    sc_grouping *grouping;
    sc_grouping_put *put;
    void *context;
} writer;

static scrim_status write_bytes(const writer *w, const void *bytes, size_t count,
                                scrim_error *error)
{
    if (count == 0 || w->put(w->context, bytes, count))
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_INPUT, "the state of a grouping cannot be written");
}

static scrim_status write_head(const writer *w, scrim_error *error)
{
    const sc_cell_plan *plan = &w->grouping->cell_plan;
    const head own = head_of(w->grouping);
    scrim_status status = write_bytes(w, &own, sizeof own, error);
    for (size_t i = 0; status == SCRIM_OK && i < plan->value_count; i++) {
        const head_value value = head_value_of(&plan->values[i]);
        status = write_bytes(w, &value, sizeof value, error);
    }
    return status;
}

static scrim_status write_keys(const writer *w, const sc_key_set *keys,
                               scrim_error *error)
{
    const uint64_t count = keys->count;
    scrim_status status = write_bytes(w, &count, sizeof count, error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        const sc_text text = keys->entries[i].text;
        const uint64_t bytes = text.bytes;
        status = write_bytes(w, &bytes, sizeof bytes, error);
        if (status == SCRIM_OK)
            status = write_bytes(w, text.start, text.bytes, error);
    }
    return status;
}

static scrim_status write_part(const writer *w, const sc_unit_rows *rows, size_t part,
                               scrim_error *error)
{
    sc_unit_walk walk = sc_unit_walk_begin(rows, part);
    sc_unit_entry entry;
    scrim_status status = SCRIM_OK;
    while (status == SCRIM_OK && sc_unit_walk_next(&walk, &entry)) {
        const head_row row = {entry.copies, entry.group, (uint32_t)entry.unit.bytes};
        status = write_bytes(w, &row, sizeof row, error);
        if (status == SCRIM_OK)
            status = write_bytes(w, entry.unit.start, entry.unit.bytes, error);
        if (status == SCRIM_OK)
            status = write_bytes(w, entry.values, rows->value_bytes, error);
    }
    return status;
}

static scrim_status write_rows(const writer *w, sc_unit_room *room, scrim_error *error)
{
    static const head_row last;
    sc_cipher *cipher = NULL;
    scrim_status status = SCRIM_OK;
    for (size_t part = 0; status == SCRIM_OK && part < SC_UNIT_PARTS; part++) {
        status = sc_unit_room_gather(room, part, &cipher, error);
        if (status == SCRIM_OK)
            status = write_part(w, &room->rows, part, error);
        sc_unit_rows_clear_part(&room->rows, part);
    }
    sc_cipher_close(cipher);
    return status == SCRIM_OK ? write_bytes(w, &last, sizeof last, error) : status;
}

/* Sums and values that stay, where each row is a unit. */
static scrim_status write_sums(const writer *w, const sc_grouping_worker *state,
                               scrim_error *error)
{
    const sc_cells *cells = &state->cells;
    const sc_kept *kept = &state->kept;
    const size_t keys = keys_of(w->grouping, state)->count;
    const uint64_t counts[] = {cells->groups < keys ? cells->groups : keys, kept->count};
    scrim_status status = write_bytes(w, counts, sizeof counts, error);
    if (status == SCRIM_OK)
        status = write_bytes(w, cells->cells,
                             counts[0] * cells->stride * sizeof *cells->cells, error);
    if (status == SCRIM_OK)
        status = write_bytes(w, kept->groups, kept->count * sizeof *kept->groups, error);
    if (status == SCRIM_OK)
        status = write_bytes(w, kept->copies, kept->count * sizeof *kept->copies, error);
    if (status == SCRIM_OK)
        status =
            write_bytes(w, kept->values,
                        kept->count * kept->list_count * sizeof *kept->values, error);
    return status;
}

scrim_status sc_grouping_write(sc_grouping *grouping, sc_grouping_put *put, void *context,
                               scrim_error *error)
{
    const writer w = {grouping, put, context};
    if (grouping->is_finished)
        return sc_fail(error, SCRIM_E_STATE,
                       "a grouping is written before it is finished");
    if (grouping->held_keys > 0)
        return sc_fail(error, SCRIM_E_STATE,
                       "a grouping that does not hold all keys is not written");
    grouping->is_finished = true;
    scrim_status status = write_head(&w, error);
    for (unsigned i = 0; status == SCRIM_OK && i < grouping->workers; i++) {
        sc_grouping_worker *state = grouping->states[i];
        status = write_keys(&w, keys_of(grouping, state), error);
        if (status == SCRIM_OK)
            status = grouping->has_units ? write_rows(&w, &state->room, error)
                                         : write_sums(&w, state, error);
    }
    /* So that whoever reads may look a little further than the last row. */
    static const char padding[SC_UNIT_PADDING];
    return status == SCRIM_OK ? write_bytes(&w, padding, sizeof padding, error) : status;
}

/* Reading. */

typedef struct reader {
    sc_grouping *grouping;
    sc_grouping_worker *state; /* who takes it all */
    sc_text left;
    uint32_t *numbers; /* here, of the groups there */
    size_t number_count;
} reader;

static scrim_status fail_bytes(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_INPUT, "the bytes are no state of a grouping");
}

/* Where the next so many bytes are, with padding behind them; NULL: there are not so many. */
static const char *take(reader *r, size_t bytes)
{
    const char *start = r->left.start;
    if (r->left.bytes < SC_UNIT_PADDING || r->left.bytes - SC_UNIT_PADDING < bytes)
        return NULL;
    r->left = (sc_text){start + bytes, r->left.bytes - bytes};
    return start;
}

static bool take_into(reader *r, void *to, size_t bytes)
{
    const char *from = take(r, bytes);
    if (from != NULL && bytes > 0)
        memcpy(to, from, bytes);
    return from != NULL;
}

static bool is_untouched(const sc_grouping *grouping)
{
    bool has_rows = false;
    for (unsigned i = 0; i < grouping->workers; i++)
        has_rows = has_rows || grouping->states[i]->has_rows;
    return !has_rows;
}

static scrim_status read_head(reader *r, uint64_t *workers, scrim_error *error)
{
    sc_grouping *grouping = r->grouping;
    const sc_cell_plan *plan = &grouping->cell_plan;
    head own = head_of(grouping), other;
    bool is_same = true;
    if (!take_into(r, &other, sizeof other) || other.mark != MARK ||
        other.workers > SC_WORKERS_MAX)
        return fail_bytes(error);
    *workers = own.workers = other.workers;
    if (is_untouched(grouping))
        own.bound_keys = other.bound_keys;
    is_same = memcmp(&own, &other, sizeof own) == 0;
    for (size_t i = 0; is_same && i < plan->value_count; i++) {
        const head_value want = head_value_of(&plan->values[i]);
        head_value value;
        if (!take_into(r, &value, sizeof value))
            return fail_bytes(error);
        is_same = memcmp(&want, &value, sizeof want) == 0;
    }
    if (!is_same)
        return sc_fail(error, SCRIM_E_PARAM,
                       "the state is one of another plan, or of other keys");
    grouping->bound_keys = own.bound_keys;
    sc_wipe(&own, sizeof own);
    sc_wipe(&other, sizeof other);
    return SCRIM_OK;
}

static scrim_status read_keys(reader *r, scrim_error *error)
{
    sc_key_set *found = &r->state->keys;
    uint64_t count, bytes;
    if (!take_into(r, &count, sizeof count) || count > r->left.bytes / sizeof bytes)
        return fail_bytes(error);
    sc_free(r->numbers);
    r->number_count = (size_t)count;
    r->numbers = sc_allocate(r->number_count, sizeof *r->numbers);
    if (r->numbers == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the keys of the groups");
    for (size_t i = 0; i < r->number_count; i++) {
        const char *start = NULL;
        if (take_into(r, &bytes, sizeof bytes) && bytes <= r->left.bytes)
            start = take(r, (size_t)bytes);
        if (start == NULL)
            return fail_bytes(error);
        const sc_text text = {start, (size_t)bytes};
        const uint64_t hash = sc_value_hash(&r->grouping->hash_key, text);
        if (r->grouping->has_keys) {
            r->numbers[i] = sc_key_set_find(&r->grouping->keys, text, hash);
            if (r->numbers[i] == SC_KEY_NONE)
                return sc_fail(error, SCRIM_E_PARAM,
                               "the state is one of other public keys");
            continue;
        }
        const scrim_status status =
            sc_key_set_add(found, text, hash, &r->numbers[i], error);
        if (status != SCRIM_OK)
            return status;
    }
    return SCRIM_OK;
}

/* Are packed values within their ranges? */
static bool is_in_range(const sc_cell_plan *plan, const unsigned char *packed)
{
    bool is_in = true;
    for (size_t i = 0; i < plan->value_count; i++) {
        const sc_cell_value *value = &plan->values[i];
        is_in = is_in && sc_cell_unpack(value, packed) <=
                             (uint64_t)value->high - (uint64_t)value->low;
    }
    return is_in;
}

static scrim_status read_rows(reader *r, scrim_error *error)
{
    const sc_cell_plan *plan = &r->grouping->cell_plan;
    head_row row;
    for (;;) {
        if (!take_into(r, &row, sizeof row))
            return fail_bytes(error);
        if (row.unit_bytes == 0)
            return SCRIM_OK;
        const sc_text unit = {take(r, row.unit_bytes), row.unit_bytes};
        const unsigned char *values =
            unit.start == NULL ? NULL
                               : (const unsigned char *)take(r, plan->packed_bytes);
        if (values == NULL || unit.bytes > SC_UNIT_BYTES || row.copies == 0 ||
            row.group >= r->number_count || !is_in_range(plan, values))
            return fail_bytes(error);
        if (!sc_unit_rows_add(&r->state->room.rows,
                              sc_value_hash(&r->grouping->hash_key, unit), unit,
                              r->numbers[row.group], row.copies, values))
            return sc_fail(error, SCRIM_E_MEMORY, "no memory for the rows of units");
        const scrim_status status = sc_grouping_make_room(r->grouping, r->state, error);
        if (status != SCRIM_OK)
            return status;
    }
}

static scrim_status read_cells(reader *r, size_t groups, scrim_error *error)
{
    const sc_cell_plan *plan = &r->grouping->cell_plan;
    sc_cells *cells = &r->state->cells;
    const scrim_status status =
        sc_cells_reserve(cells, plan, keys_of(r->grouping, r->state)->count, error);
    for (size_t i = 0; status == SCRIM_OK && i < groups; i++)
        for (size_t j = 0; j < plan->stride; j++) {
            sc_uint128 cell;
            if (!take_into(r, &cell, sizeof cell))
                return fail_bytes(error);
            cells->cells[r->numbers[i] * plan->stride + j] += cell;
        }
    return status;
}

/* Are values of a row that stay within their ranges? */
static bool is_kept_in_range(const sc_cell_plan *plan, const char *values)
{
    bool is_in = true;
    for (size_t i = 0; i < plan->value_count; i++)
        if (plan->values[i].has_list) {
            int64_t x;
            memcpy(&x, values, sizeof x);
            values += sizeof x;
            is_in = is_in && x >= plan->values[i].low && x <= plan->values[i].high;
        }
    return is_in;
}

/* rest is how many rows each of these groups has whose values are still to come: neither more nor
 * fewer must, as lists have room for just those. */
static scrim_status read_kept(reader *r, size_t count, uint64_t *rest, size_t rest_count,
                              scrim_error *error)
{
    const sc_cell_plan *plan = &r->grouping->cell_plan;
    const size_t lists = plan->list_count;
    const size_t entry = sizeof(uint32_t) + sizeof(uint64_t) + lists * sizeof(int64_t);
    bool is_all = true;
    if (count > r->left.bytes / entry)
        return fail_bytes(error);
    const char *groups = take(r, count * sizeof(uint32_t));
    const char *copies = groups == NULL ? NULL : take(r, count * sizeof(uint64_t));
    const char *values = copies == NULL ? NULL : take(r, count * lists * sizeof(int64_t));
    if (values == NULL)
        return fail_bytes(error);
    for (size_t i = 0; i < count; i++) {
        const char *own = values + i * lists * sizeof(int64_t);
        uint32_t group;
        uint64_t copy;
        memcpy(&group, groups + i * sizeof group, sizeof group);
        memcpy(&copy, copies + i * sizeof copy, sizeof copy);
        if (group >= rest_count || copy > rest[group] || !is_kept_in_range(plan, own))
            return fail_bytes(error);
        rest[group] -= copy;
        const scrim_status status =
            sc_kept_put(&r->state->kept, lists, r->numbers[group], copy, own, error);
        if (status != SCRIM_OK)
            return status;
    }
    for (size_t i = 0; lists > 0 && i < rest_count; i++)
        is_all = is_all && rest[i] == 0;
    return is_all ? SCRIM_OK : fail_bytes(error);
}

/* rows: of each group, those that these cells say. */
static scrim_status read_sums_of(reader *r, size_t groups, size_t kept, uint64_t *rows,
                                 scrim_error *error)
{
    const size_t stride = r->grouping->cell_plan.stride;
    const char *cells = r->left.start;
    const scrim_status status = read_cells(r, groups, error);
    for (size_t i = 0; status == SCRIM_OK && i < groups; i++) {
        sc_uint128 cell;
        memcpy(&cell, cells + (i * stride + SC_CELL_ROWS) * sizeof cell, sizeof cell);
        if (cell > UINT64_MAX)
            return fail_bytes(error);
        rows[i] = (uint64_t)cell;
    }
    return status == SCRIM_OK ? read_kept(r, kept, rows, groups, error) : status;
}

static scrim_status read_sums(reader *r, scrim_error *error)
{
    uint64_t counts[2];
    if (!take_into(r, counts, sizeof counts) || counts[0] > r->number_count)
        return fail_bytes(error);
    uint64_t *rows = sc_allocate((size_t)counts[0], sizeof *rows);
    if (rows == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the rows of groups");
    const scrim_status status =
        read_sums_of(r, (size_t)counts[0], (size_t)counts[1], rows, error);
    sc_free(rows);
    return status;
}

scrim_status sc_grouping_merge(sc_grouping *grouping, sc_text bytes, scrim_error *error)
{
    reader r = {.grouping = grouping, .state = grouping->states[0], .left = bytes};
    uint64_t workers = 0;
    if (grouping->is_finished)
        return sc_fail(error, SCRIM_E_STATE,
                       "a grouping is merged before it is finished");
    if (grouping->held_keys > 0)
        return sc_fail(error, SCRIM_E_STATE,
                       "a grouping that does not hold all keys is not merged");
    scrim_status status = read_head(&r, &workers, error);
    r.state->has_rows = r.state->has_rows || status == SCRIM_OK;
    for (uint64_t i = 0; status == SCRIM_OK && i < workers; i++) {
        status = read_keys(&r, error);
        if (status == SCRIM_OK)
            status = grouping->has_units ? read_rows(&r, error) : read_sums(&r, error);
    }
    if (status == SCRIM_OK && r.left.bytes != SC_UNIT_PADDING)
        status = fail_bytes(error);
    sc_free(r.numbers);
    return status;
}
