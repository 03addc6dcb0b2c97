#include "query/rows/group.h"

#include "base/workers.h"
#include "query/rows/group_parts.h"

/* Rows that are processed together: few enough that their values stay in the L1 cache. */
#define BLOCK 256
_Static_assert(SC_KEY_NONE == SC_UNIT_NO_GROUP, "a row without a key has no group");

/* Making. */

static scrim_status check_plan(const sc_group_plan *plan, scrim_error *error)
{
    if (plan->workers < 1 || plan->workers > SC_WORKERS_MAX)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "workers",
                                 "from 1 to %d", SC_WORKERS_MAX);
    if (!sc_bounds_are_whole(&plan->bounds))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "",
                           "the bounds are a total of rows, or groups and rows");
    if (plan->cut.kind != SC_CUT_NOTHING && (!plan->has_units || plan->visit != NULL))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "",
                           "people whose rows are left out need a column as unit");
    if (plan->are_distinct && (!plan->has_units || plan->value_count < 1))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "",
                           "rows that are alike are one where they have units and a "
                           "value");
    if (plan->has_keys && plan->key_count < 1)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "keys",
                           "list at least one public key");
    for (size_t i = 0; i < plan->value_count && !plan->has_units; i++)
        if (plan->values[i].has_total)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "max-total",
                               "totals need a column as unit");
    if (plan->key_count > SC_GROUP_KEYS)
        return sc_fail(error, SCRIM_E_LIMIT, "at most %d public keys", SC_GROUP_KEYS);
    return SCRIM_OK;
}

static scrim_status add_public_key(sc_grouping *grouping, sc_text key, uint32_t *number,
                                   scrim_error *error)
{
    const uint64_t hash = sc_value_hash_plain(&grouping->hash_key, key);
    char *padded = sc_allocate(key.bytes + SC_KEY_PADDING, 1);
    if (padded == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    if (key.bytes > 0)
        memcpy(padded, key.start, key.bytes);
    const scrim_status status = sc_key_set_add(
        &grouping->keys, (sc_text){padded, key.bytes}, hash, number, error);
    sc_free(padded);
    return status;
}

static scrim_status add_public_keys(sc_grouping *grouping, const sc_group_plan *plan,
                                    scrim_error *error)
{
    for (size_t i = 0; plan->has_keys && i < plan->key_count; i++) {
        uint32_t number;
        const scrim_status status =
            add_public_key(grouping, plan->keys[i], &number, error);
        if (status != SCRIM_OK)
            return status;
        if (number != i)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "keys",
                               "a public key is listed twice");
    }
    return SCRIM_OK;
}

static scrim_status make_states(sc_grouping *grouping, scrim_error *error)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    grouping->states = sc_allocate(grouping->workers, sizeof *grouping->states);
    if (grouping->states == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    /* Numbers of groups take two bytes if they fit. The number of discovered keys is not known yet. */
    const bool is_narrow = grouping->has_keys && grouping->keys.count <= UINT16_MAX;
    const size_t group_bytes = is_narrow ? sizeof(uint16_t) : sizeof(uint32_t);
    for (unsigned i = 0; i < grouping->workers; i++) {
        sc_grouping_worker *state = sc_allocate(1, sizeof *state);
        if (state == NULL)
            return sc_fail(error, SCRIM_E_MEMORY, "no memory");
        grouping->states[i] = state;
        state->number = i;
        sc_unit_room_init(&state->room, grouping->cell_plan.packed_bytes, group_bytes,
                          grouping->memory_bytes / grouping->workers, grouping->file);
        state->packed_bytes = BLOCK * grouping->cell_plan.packed_bytes + SC_UNIT_PADDING;
        state->packed = sc_allocate(state->packed_bytes, 1);
        if (state->packed == NULL)
            return sc_fail(error, SCRIM_E_MEMORY, "no memory");
        scrim_status status = sc_key_set_init(&state->keys, error);
        if (status == SCRIM_OK && grouping->held_keys > 0)
            status = sc_key_set_reserve(&state->keys, grouping->held_keys, error);
        if (status == SCRIM_OK && grouping->held_keys > 0)
            status = sc_grouping_unheld_new(grouping, &state->unheld, error);
        if (status != SCRIM_OK)
            return status;
    }
    return SCRIM_OK;
}

/* For keys that do not fit into memory: the keys of the two hashes that identify them, and one group for all their rows. */
static scrim_status prepare_unheld(sc_grouping *grouping, scrim_error *error)
{
    static const char padded[SC_KEY_PADDING];
    static const char names[2] = {'0', '1'};
    uint32_t number;
    if (grouping->held_keys == 0)
        return SCRIM_OK;
    grouping->mark_key =
        (sc_hash_key){sc_hash(&grouping->bound_keys.groups, names, 1),
                      sc_hash(&grouping->bound_keys.groups, names + 1, 1)};
    const scrim_status status = sc_key_set_init(&grouping->no_keys, error);
    return status == SCRIM_OK ? sc_key_set_add(&grouping->no_keys, (sc_text){padded, 0},
                                               0, &number, error)
                              : status;
}

/* The most bytes that rows with units can take in the file: each row with its unit once; if keys are discovered, each row once
 * more, with the text of its key and the totals of its unit. The constants are upper bounds of what an entry or a record has
 * besides its values, padding included. */
#define ENTRY_BYTES 40
#define RECORD_BYTES 64

static sc_uint128 unit_bytes(const sc_grouping *grouping, const sc_group_plan *plan)
{
    const sc_cell_plan *cells = &grouping->cell_plan;
    const sc_uint128 rows = plan->most_rows;
    sc_uint128 bytes = rows * (ENTRY_BYTES + cells->packed_bytes) + plan->most_bytes;
    if (grouping->held_keys > 0)
        bytes += rows * ((size_t)2 * RECORD_BYTES + cells->packed_bytes) +
                 (sc_uint128)2 * plan->most_bytes;
    if (grouping->held_keys > 0 && cells->total_count > 0)
        bytes += rows * (RECORD_BYTES + cells->total_count * sizeof(sc_int128));
    return bytes;
}

static sc_uint128 least_of(sc_uint128 a, sc_uint128 b)
{
    return a < b ? a : b;
}

/* The same if each row is a unit and keys are discovered: each row, or its values that are listed one by one; the sums of the
 * keys that were held in memory; and texts of keys. Rows that are all alike have one key: its text is written again only after that of another
 * key (note_text in group_parts.c), so that there are at most two texts for each of the other rows, and one a worker. */
static sc_uint128 key_bytes(const sc_grouping *grouping, const sc_group_plan *plan)
{
    const sc_cell_plan *cells = &grouping->cell_plan;
    const size_t listed = cells->list_count * sizeof(int64_t);
    const sc_uint128 rows = plan->most_rows,
                     held = least_of((sc_uint128)grouping->held_keys * grouping->workers,
                                     rows),
                     texts = least_of(
                         (sc_uint128)2 * plan->most_formed + grouping->workers, rows);
    return rows * (RECORD_BYTES +
                   (listed > cells->packed_bytes ? listed : cells->packed_bytes)) +
           held * ((size_t)2 * RECORD_BYTES + cells->stride * sizeof(sc_uint128)) +
           texts * RECORD_BYTES + (sc_uint128)2 * plan->most_bytes;
}

static uint64_t file_bytes(const sc_grouping *grouping, const sc_group_plan *plan)
{
    const sc_uint128 bytes =
        grouping->has_units ? unit_bytes(grouping, plan) : key_bytes(grouping, plan);
    return (uint64_t)least_of(bytes, plan->file_bytes);
}

/* Opens the file before the first row if it may be needed at all: whether opening fails must not depend on rows. */
static scrim_status open_file(sc_grouping *grouping, const sc_group_plan *plan,
                              scrim_error *error)
{
    return grouping->has_units || grouping->held_keys > 0
               ? sc_sealed_file_open(file_bytes(grouping, plan), &grouping->file, error)
               : SCRIM_OK;
}

static scrim_status prepare(sc_grouping *grouping, const sc_group_plan *plan,
                            sc_bits *bits, scrim_error *error)
{
    scrim_status status =
        sc_cell_plan_init(&grouping->cell_plan, plan->values, plan->value_count, error);
    if (status == SCRIM_OK)
        status = sc_bound_keys_draw(&grouping->bound_keys, bits, error);
    if (status == SCRIM_OK)
        status = sc_key_set_init(&grouping->keys, error);
    if (status == SCRIM_OK)
        status = add_public_keys(grouping, plan, error);
    if (status == SCRIM_OK)
        status = prepare_unheld(grouping, error);
    if (status == SCRIM_OK)
        status = open_file(grouping, plan, error);
    if (status == SCRIM_OK)
        status = make_states(grouping, error);
    return status;
}

scrim_status sc_grouping_new(const sc_group_plan *plan, sc_bits *bits, sc_grouping **out,
                             scrim_error *error)
{
    scrim_status status = check_plan(plan, error);
    if (status != SCRIM_OK)
        return status;
    sc_grouping *grouping = sc_allocate(1, sizeof *grouping);
    if (grouping == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    grouping->has_units = plan->has_units;
    grouping->has_keys = plan->has_keys;
    grouping->are_distinct = plan->are_distinct;
    grouping->keep = plan->keep;
    grouping->keeper = plan->keeper;
    grouping->visit = plan->visit;
    grouping->visitor = plan->visitor;
    grouping->workers = plan->workers;
    grouping->hash_key = plan->hash_key;
    grouping->bounds = plan->bounds;
    grouping->cut = plan->cut;
    grouping->memory_bytes =
        plan->memory_bytes == 0 ? SC_GROUP_MEMORY_BYTES : plan->memory_bytes;
    if (!plan->has_keys && plan->held_keys > 0) {
        grouping->held_keys =
            plan->held_keys < SC_GROUP_KEYS ? (uint32_t)plan->held_keys : SC_GROUP_KEYS;
        grouping->held_bytes = plan->held_bytes;
    }
    status = prepare(grouping, plan, bits, error);
    if (status == SCRIM_OK)
        *out = grouping;
    else
        sc_grouping_free(grouping);
    return status;
}

/* Taking rows. */

/* Does WHERE keep the row, and is its unit neither empty nor too long? */
static inline bool is_counted(const sc_grouping *grouping, const sc_group_rows *rows,
                              size_t row)
{
    return (rows->where == NULL || rows->where[row] == 1) &&
           (!grouping->has_units || rows->units[row].bytes - 1 < SC_UNIT_BYTES);
}

/* A row whose key was unknown when its block was looked up. Adds the key, if it fits into memory and no earlier row of the
 * block has added it; else logs the row with those of the other keys that do not fit. */
static scrim_status meet_key(const sc_grouping *grouping, sc_grouping_worker *state,
                             const sc_group_rows *rows, size_t from, size_t i,
                             uint32_t *group, scrim_error *error)
{
    const sc_text key = rows->keys[from + i];
    const uint64_t hash = rows->key_hashes[from + i];
    if (sc_grouping_fits(grouping, &state->keys, key))
        return sc_key_set_add(&state->keys, key, hash, group, error);
    *group = sc_key_set_find(&state->keys, key, hash);
    if (*group != SC_KEY_NONE)
        return SCRIM_OK;
    return sc_grouping_take_unheld(grouping, state, rows, from + i,
                                   state->packed + i * grouping->cell_plan.packed_bytes,
                                   error);
}

/* Looks up the groups of `count` rows: among the public keys, else among the keys of this worker. SC_KEY_NONE: the row
 * does not count. */
static scrim_status find_groups(const sc_grouping *grouping, sc_grouping_worker *state,
                                const sc_group_rows *rows, size_t from, size_t count,
                                uint32_t *groups, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (rows->keys == NULL)
        memset(groups, 0, count * sizeof *groups);
    else
        sc_key_set_find_all(grouping->has_keys ? &grouping->keys : &state->keys,
                            rows->keys + from, rows->key_hashes + from, count, groups);
    /* No need to look at each row: every row counts but those without a unit, which storing them leaves out. */
    if (rows->where == NULL && grouping->has_keys && grouping->has_units)
        return SCRIM_OK;
    for (size_t i = 0; i < count; i++)
        if (!is_counted(grouping, rows, from + i))
            groups[i] = SC_KEY_NONE;
        else if (groups[i] == SC_KEY_NONE && !grouping->has_keys && status == SCRIM_OK)
            status = meet_key(grouping, state, rows, from, i, &groups[i], error);
    return status;
}

/* Stores rows with the others of their units. */
static scrim_status store_rows(sc_grouping_worker *state, const sc_group_rows *rows,
                               size_t from, size_t count, const uint32_t *groups,
                               scrim_error *error)
{
    const sc_unit_block block = {count, rows->units + from, rows->unit_hashes + from,
                                 groups, state->packed};
    return sc_unit_rows_add_block(&state->room.rows, &block)
               ? SCRIM_OK
               : sc_no_memory(error, "the rows of units");
}

/* Lists the values of rows that survived bounding (for quantiles and the like), and hands the rows to plan.keep. */
static inline scrim_status keep_values(const sc_grouping *grouping,
                                       sc_grouping_worker *state, const sc_unit_row *rows,
                                       size_t count, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (grouping->cell_plan.list_count > 0)
        for (size_t i = 0; status == SCRIM_OK && i < count; i++)
            status = sc_kept_add(&state->kept, &grouping->cell_plan, &rows[i], error);
    if (grouping->keep != NULL)
        for (size_t i = 0; status == SCRIM_OK && i < count; i++)
            status = grouping->keep(grouping->keeper, state->number, &grouping->cell_plan,
                                    &rows[i], error);
    return status;
}

/* Adds a row to the sums of its group, for tables in which each row is a unit. */
static inline scrim_status sum_row(const sc_grouping *grouping, sc_grouping_worker *state,
                                   uint32_t group, const unsigned char *packed,
                                   scrim_error *error)
{
    const sc_unit_row one = {1, packed, group, 0};
    const scrim_status status =
        sc_cells_reserve(&state->cells, &grouping->cell_plan, (size_t)group + 1, error);
    if (__builtin_expect(status != SCRIM_OK, 0))
        return status;
    sc_cells_add(&state->cells, &grouping->cell_plan, &one);
    state->cells.cells[group * state->cells.stride + SC_CELL_UNITS]++;
    return keep_values(grouping, state, &one, 1, error);
}

static scrim_status sum_rows(const sc_grouping *grouping, sc_grouping_worker *state,
                             size_t count, const uint32_t *groups, scrim_error *error)
{
    const size_t bytes = grouping->cell_plan.packed_bytes;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        if (groups[i] != SC_KEY_NONE)
            status =
                sum_row(grouping, state, groups[i], state->packed + i * bytes, error);
    return status;
}

/* Rows without the value that is counted have no group: they would take places. Where keys are discovered they stay, since units are
 * counted by them. */
static void leave_null(const sc_grouping *grouping, const sc_grouping_worker *state,
                       size_t count, uint32_t *groups)
{
    const sc_cell_plan *plan = &grouping->cell_plan;
    for (size_t i = 0; i < count; i++)
        groups[i] |=
            0 - (uint32_t)(sc_cell_unpack(&plan->values[0],
                                          state->packed + i * plan->packed_bytes) <
                           plan->values[0].first);
}

/* Takes `count` rows, whose values are packed already. */
static scrim_status take_block(const sc_grouping *grouping, sc_grouping_worker *state,
                               const sc_group_rows *rows, size_t from, size_t count,
                               scrim_error *error)
{
    uint32_t groups[BLOCK];
    const scrim_status status =
        find_groups(grouping, state, rows, from, count, groups, error);
    if (status != SCRIM_OK)
        return status;
    if (grouping->are_distinct && grouping->has_keys)
        leave_null(grouping, state, count, groups);
    return grouping->has_units ? store_rows(state, rows, from, count, groups, error)
                               : sum_rows(grouping, state, count, groups, error);
}

scrim_status sc_grouping_take(sc_grouping *grouping, unsigned worker,
                              const sc_group_rows *rows, scrim_error *error)
{
    sc_grouping_worker *state = grouping->states[worker];
    scrim_status status = SCRIM_OK;
    if (rows->keys == NULL && !grouping->has_keys)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "keys",
                           "rows without keys need a public one");
    state->has_rows = true;
    for (size_t from = 0, count; status == SCRIM_OK && from < rows->count;
         from += count) {
        count = rows->count - from < BLOCK ? rows->count - from : BLOCK;
        sc_cell_pack(&grouping->cell_plan, rows->values, from, count, state->packed);
        status = take_block(grouping, state, rows, from, count, error);
    }
    return status == SCRIM_OK ? sc_grouping_make_room(grouping, state, error) : status;
}

/* Keys of all workers. */

/* Adds all keys of `from`; stops with *fits = false at the first that does not fit into memory. */
static scrim_status add_keys_of(const sc_grouping *grouping, sc_key_set *to,
                                const sc_key_set *from, bool *fits, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (uint32_t i = 0; *fits && status == SCRIM_OK && i < from->count; i++) {
        uint32_t number;
        *fits = sc_grouping_fits(grouping, to, from->entries[i].text) ||
                sc_key_set_find(to, from->entries[i].text, from->entries[i].hash) !=
                    SC_KEY_NONE;
        if (!*fits)
            break;
        status = sc_key_set_add(to, from->entries[i].text, from->entries[i].hash, &number,
                                error);
    }
    return status;
}

/* The discovered keys of all workers, in bytewise order, if they fit. */
static scrim_status unite_keys(sc_grouping *grouping, bool *fits, scrim_error *error)
{
    sc_key_set found;
    scrim_status status = sc_key_set_init(&found, error);
    for (unsigned i = 0; status == SCRIM_OK && *fits && i < grouping->workers; i++) {
        *fits =
            grouping->states[i]->unheld == NULL || !grouping->states[i]->unheld->has_rows;
        status = add_keys_of(grouping, &found, &grouping->states[i]->keys, fits, error);
    }
    if (status == SCRIM_OK && *fits)
        status = sc_grouping_sort_keys(&grouping->keys, &found, error);
    sc_key_set_clear(&found);
    return status;
}

/* Maps the numbers of a worker's keys to those of the united, sorted keys. */
static scrim_status number_keys(sc_grouping *grouping, sc_grouping_worker *state,
                                scrim_error *error)
{
    state->numbers = sc_allocate(state->keys.count, sizeof *state->numbers);
    if (state->numbers == NULL)
        return sc_no_memory(error, "the keys of the groups");
    for (uint32_t i = 0; i < state->keys.count; i++)
        state->numbers[i] = sc_key_set_find(&grouping->keys, state->keys.entries[i].text,
                                            state->keys.entries[i].hash);
    return SCRIM_OK;
}

static scrim_status settle_keys(sc_grouping *grouping, bool *fits, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    *fits = true;
    if (!grouping->has_keys)
        status = unite_keys(grouping, fits, error);
    if (status == SCRIM_OK && !*fits)
        return SCRIM_OK;
    for (unsigned i = 0; status == SCRIM_OK && i < grouping->workers; i++)
        if (!grouping->has_keys)
            status = number_keys(grouping, grouping->states[i], error);
    if (status != SCRIM_OK)
        return status;
    grouping->tokens = sc_allocate(grouping->keys.count, sizeof *grouping->tokens);
    if (grouping->tokens == NULL)
        return sc_no_memory(error, "the keys of the groups");
    for (uint32_t i = 0; i < grouping->keys.count; i++)
        grouping->tokens[i] = grouping->keys.entries[i].hash;
    return sc_cells_reserve(&grouping->cells, &grouping->cell_plan, grouping->keys.count,
                            error);
}

/* Parts. */

/* The tools of one worker for a part. */
typedef struct part_tools {
    sc_unit_table table;
    sc_bound bound;
    sc_cipher *cipher; /* NULL: nothing had to be read from a file */
    unsigned worker;
} part_tools;

/* Bounds and sums the rows of a unit: first its groups are limited, then its rows in each. Its totals include all rows in the
 * groups that remain, so they are added between the two steps. */
static scrim_status sum_unit(const sc_grouping *grouping, sc_grouping_worker *state,
                             sc_bound *bound, uint64_t unit, sc_unit_row *rows,
                             size_t count, scrim_error *error)
{
    const sc_cell_plan *plan = &grouping->cell_plan;
    count = sc_grouping_distinct(grouping, bound, rows, count);
    sc_grouping_rest rest = sc_grouping_rest_of(grouping, rows, count);
    scrim_status status = SCRIM_OK;
    if (sc_grouping_needs_groups(grouping)) {
        status = sc_bound_unit(bound, SC_BOUND_GROUPS, unit, grouping->tokens, rows,
                               count, &count, error);
        if (status == SCRIM_OK) {
            sc_cells_add_totals(&state->cells, plan, rows, count);
            sc_grouping_rest_groups(grouping, rows, count, &rest);
        }
    }
    if (status == SCRIM_OK)
        status = sc_bound_unit(bound, SC_BOUND_FINAL, unit, grouping->tokens, rows, count,
                               &count, error);
    if (status != SCRIM_OK)
        return status;
    sc_grouping_rest_put(grouping, state, rows, count, &rest);
    sc_cells_add_unit(&state->cells, plan, rows, count);
    return keep_values(grouping, state, rows, count, error);
}

static scrim_status sum_part(sc_grouping *grouping, sc_grouping_worker *state,
                             part_tools *tools, size_t part, scrim_error *error)
{
    const sc_unit_table *table = &tools->table;
    scrim_status status = SCRIM_OK;
    for (unsigned i = 0; status == SCRIM_OK && i < grouping->workers; i++)
        status =
            sc_unit_room_gather(&grouping->states[i]->room, part, &tools->cipher, error);
    if (status == SCRIM_OK)
        status = sc_unit_table_fill(&tools->table, grouping->shares, grouping->workers,
                                    part, &grouping->hash_key, error);
    for (size_t i = 0; status == SCRIM_OK && i < table->unit_count; i++) {
        const sc_unit *unit = &table->units[i];
        const sc_group_unit visited = {unit->hash,
                                       table->rows + unit->start,
                                       unit->end - unit->start,
                                       &grouping->cell_plan,
                                       &tools->bound,
                                       grouping->tokens};
        status = grouping->visit != NULL
                     ? grouping->visit(grouping->visitor, tools->worker, &visited, error)
                     : sum_unit(grouping, state, &tools->bound, visited.hash,
                                visited.rows, visited.count, error);
    }
    for (unsigned i = 0; i < grouping->workers; i++)
        sc_unit_rows_clear_part(&grouping->states[i]->room.rows, part);
    return status;
}

static scrim_status sum_parts(void *context, unsigned worker, scrim_error *error)
{
    sc_grouping *grouping = context;
    sc_grouping_worker *state = grouping->states[worker];
    part_tools tools = {.worker = worker};
    scrim_status status = sc_cells_reserve(&state->cells, &grouping->cell_plan,
                                           grouping->keys.count, error);
    if (status == SCRIM_OK)
        status = sc_grouping_make_bound(grouping, &tools.bound, error);
    for (size_t part; status == SCRIM_OK &&
                      (part = atomic_fetch_add(&grouping->next_part, 1)) < SC_UNIT_PARTS;)
        status = sum_part(grouping, state, &tools, part, error);
    sc_bound_clear(&tools.bound);
    sc_unit_table_clear(&tools.table);
    sc_cipher_close(tools.cipher);
    return status;
}

static scrim_status sum_units(sc_grouping *grouping, scrim_error *error)
{
    grouping->shares = sc_allocate(grouping->workers, sizeof *grouping->shares);
    if (grouping->shares == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    for (unsigned i = 0; i < grouping->workers; i++)
        grouping->shares[i] = (sc_unit_share){&grouping->states[i]->room.rows,
                                              grouping->states[i]->numbers};
    return sc_workers_run(grouping->workers, sum_parts, grouping, error);
}

/* Results. */

static void merge_states(sc_grouping *grouping)
{
    for (unsigned i = 0; i < grouping->workers; i++) {
        const sc_grouping_worker *state = grouping->states[i];
        const size_t own = grouping->has_units || grouping->has_keys
                               ? grouping->keys.count
                               : state->keys.count;
        const size_t count = own < state->cells.groups ? own : state->cells.groups;
        for (size_t j = 0; j < count; j++)
            sc_cells_merge(&grouping->cells,
                           grouping->has_units || grouping->has_keys ? j
                                                                     : state->numbers[j],
                           &state->cells, j);
    }
}

scrim_status sc_grouping_finish(sc_grouping *grouping, sc_groups *out, scrim_error *error)
{
    if (grouping->is_finished)
        return sc_fail(error, SCRIM_E_STATE, "groups are made once");
    grouping->is_finished = true;
    bool fits;
    scrim_status status = settle_keys(grouping, &fits, error);
    if (status == SCRIM_OK && !fits) {
        *out = (sc_groups){NULL, 0};
        return sc_grouping_part_all(grouping, error);
    }
    if (status == SCRIM_OK && grouping->has_units)
        status = sum_units(grouping, error);
    if (status != SCRIM_OK)
        return status;
    merge_states(grouping);
    return sc_grouping_list(grouping, out, error);
}

void sc_grouping_cut(const sc_grouping *grouping, uint64_t out[SC_CUT_CELLS])
{
    memset(out, 0, SC_CUT_CELLS * sizeof *out);
    for (unsigned i = 0; i < grouping->workers; i++)
        for (size_t k = 0; k < SC_CUT_CELLS; k++)
            out[k] += grouping->states[i]->cut[k];
}
