#include "query/rows/group_parts.h"

#include "base/workers.h"

/* The kind of a key's record. */
typedef enum record_kind {
    OF_TEXT,  /* its bytes */
    OF_ROW,   /* a row that stays: packed values */
    OF_CELLS, /* sums of rows */
    OF_KEPT,  /* values of which there are lists */
    OF_TOTALS /* of a unit: one for each value that has them */
} record_kind;

typedef struct record_head {
    sc_key_identity key;
    uint64_t copies;
    uint32_t kind;
    uint32_t is_unit; /* of a row: the first of its unit in the group */
    uint64_t bytes;   /* behind the head */
} record_head;

/* The group of a row whose key is not held; its identity stands in front of its values. */
static const uint32_t unheld_group = UINT32_MAX - 1;

static scrim_status fail_memory(scrim_error *error)
{
    return sc_no_memory(error, "the keys of the groups");
}

static sc_key_identity identity_of(const sc_grouping *grouping, sc_text key,
                                   uint64_t hash)
{
    return (sc_key_identity){hash, sc_hash(&grouping->mark_key, key.start, key.bytes)};
}

static size_t part_of(sc_key_identity key)
{
    return (size_t)(key.mark >> 56);
}
_Static_assert(SC_PART_LOG_PARTS == 256, "a part is a byte of the mark");

size_t sc_grouping_part_of(const sc_grouping *grouping, sc_text key)
{
    return part_of(identity_of(grouping, key, 0));
}

/* Making. */

scrim_status sc_grouping_unheld_new(const sc_grouping *grouping, sc_grouping_unheld **out,
                                    scrim_error *error)
{
    const size_t bytes = sizeof(sc_key_identity) + grouping->cell_plan.packed_bytes;
    sc_grouping_unheld *unheld = sc_allocate(1, sizeof *unheld);
    if (unheld == NULL)
        return fail_memory(error);
    /* In most tables few rows have unheld keys, so they get a small share of the memory. */
    sc_unit_room_init(&unheld->room, bytes, sizeof(uint16_t),
                      grouping->memory_bytes / grouping->workers / 8, grouping->file);
    unheld->packed_bytes = bytes + SC_UNIT_PADDING;
    unheld->packed = sc_allocate(unheld->packed_bytes, 1);
    const scrim_status status =
        unheld->packed == NULL ? fail_memory(error)
                               : sc_part_log_init(&unheld->log, grouping->file, error);
    if (status == SCRIM_OK)
        *out = unheld;
    else
        sc_grouping_unheld_free(unheld);
    return status;
}

bool sc_grouping_fits(const sc_grouping *grouping, const sc_key_set *keys, sc_text key)
{
    return grouping->held_keys == 0 ||
           (keys->count < grouping->held_keys &&
            keys->text_bytes + key.bytes <= grouping->held_bytes);
}

/* Logging. */

static scrim_status log_record(sc_part_log *log, const record_head *head,
                               const void *body, scrim_error *error)
{
    return sc_part_log_put(log, part_of(head->key), head, sizeof *head, body,
                           (size_t)head->bytes, error);
}

static scrim_status log_text(sc_part_log *log, sc_key_identity key, sc_text text,
                             scrim_error *error)
{
    const record_head head = {.key = key, .kind = OF_TEXT, .bytes = text.bytes};
    return log_record(log, &head, text.start, error);
}

static scrim_status log_row(const sc_grouping *grouping, sc_part_log *log,
                            sc_key_identity key, bool is_unit, uint64_t copies,
                            const unsigned char *packed, scrim_error *error)
{
    const record_head head = {.key = key,
                              .copies = copies,
                              .kind = OF_ROW,
                              .is_unit = is_unit,
                              .bytes = grouping->cell_plan.packed_bytes};
    return log_record(log, &head, packed, error);
}

/* Taking rows. */

/* Logs the text of a key, unless it was logged lately. */
static scrim_status note_text(sc_grouping_unheld *unheld, sc_key_identity key,
                              sc_text text, scrim_error *error)
{
    sc_key_identity *seen = &unheld->recent[key.mark % SC_UNHELD_RECENT];
    if (seen->hash == key.hash && seen->mark == key.mark)
        return SCRIM_OK;
    *seen = key;
    return log_text(&unheld->log, key, text, error);
}

/* Keeps the rows within their memory. There is one group for all, so that rows which are alike,
 * their keys with them, become one and none is left out. */
static scrim_status make_room(const sc_grouping *grouping, sc_grouping_unheld *unheld,
                              scrim_error *error)
{
    sc_bound bound;
    if (!sc_unit_room_is_full(&unheld->room))
        return SCRIM_OK;
    scrim_status status = sc_bound_init(&bound, &grouping->bound_keys, &grouping->bounds,
                                        unheld->room.rows.value_bytes, error);
    if (status == SCRIM_OK)
        status = sc_unit_room_empty(&unheld->room, &bound, &grouping->no_keys,
                                    &grouping->hash_key, error);
    sc_bound_clear(&bound);
    return status;
}

scrim_status sc_grouping_take_unheld(const sc_grouping *grouping,
                                     sc_grouping_worker *state, const sc_group_rows *rows,
                                     size_t row, const unsigned char *packed,
                                     scrim_error *error)
{
    sc_grouping_unheld *unheld = state->unheld;
    const sc_key_identity key =
        identity_of(grouping, rows->keys[row], rows->key_hashes[row]);
    unheld->has_rows = true;
    const scrim_status status = note_text(unheld, key, rows->keys[row], error);
    if (status != SCRIM_OK)
        return status;
    if (!grouping->has_units)
        return log_row(grouping, &unheld->log, key, true, 1, packed, error);
    memcpy(unheld->packed, &key, sizeof key);
    memcpy(unheld->packed + sizeof key, packed, grouping->cell_plan.packed_bytes);
    if (!sc_unit_rows_add(&unheld->room.rows, rows->unit_hashes[row], rows->units[row], 0,
                          1, unheld->packed))
        return sc_no_memory(error, "the rows of units");
    return make_room(grouping, unheld, error);
}

/* Bounding. */

typedef struct parting {
    sc_grouping *grouping;
    sc_unit_share *shares; /* of the keys that each worker holds, then of the others */
} parting;

typedef struct parting_tools {
    sc_unit_table table;
    sc_bound bound;
    sc_cipher *cipher;
    sc_identity_table names;
} parting_tools;

/* Gives rows the numbers of this part's keys, and takes the identities away from in front of their
 * values. */
static bool name_rows(const sc_grouping *grouping, parting_tools *tools)
{
    const sc_unit_table *table = &tools->table;
    const size_t count =
        table->unit_count == 0 ? 0 : table->units[table->unit_count - 1].end;
    if (!sc_identity_table_begin(&tools->names, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        sc_unit_row *row = &table->rows[i];
        sc_key_identity key;
        if (row->group == unheld_group) {
            memcpy(&key, row->content, sizeof key);
            row->content += sizeof key;
        } else {
            key = grouping->marks[row->group];
        }
        row->group = sc_identity_table_number(&tools->names, key);
    }
    return true;
}

static scrim_status log_unit(const sc_grouping *grouping, sc_part_log *log,
                             const sc_identity_table *names, const sc_unit_row *rows,
                             size_t count, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status = log_row(grouping, log, names->keys[rows[i].group],
                         i == 0 || rows[i].group != rows[i - 1].group, rows[i].copies,
                         rows[i].content, error);
    return status;
}

/* The totals of a unit in each of its groups. */
static scrim_status log_totals(const sc_grouping *grouping, sc_part_log *log,
                               const sc_identity_table *names, const sc_unit_row *rows,
                               size_t count, scrim_error *error)
{
    const sc_cell_plan *plan = &grouping->cell_plan;
    sc_int128 totals[SC_GROUP_VALUES], reaches[SC_GROUP_VALUES];
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < plan->value_count; i++)
        reaches[i] = plan->values[i].total == 0
                         ? 0
                         : sc_totals_reach(&plan->values[i], rows, count);
    for (size_t from = 0, end; status == SCRIM_OK && from < count; from = end) {
        size_t own = 0;
        end = sc_bound_group_end(rows, from, count);
        for (size_t i = 0; i < plan->value_count; i++)
            if (plan->values[i].total != 0)
                totals[own++] =
                    sc_cell_total(&plan->values[i], rows + from, end - from, reaches[i]);
        const record_head head = {.key = names->keys[rows[from].group],
                                  .kind = OF_TOTALS,
                                  .bytes = own * sizeof *totals};
        status = log_record(log, &head, totals, error);
    }
    sc_wipe(totals, plan->total_count * sizeof *totals);
    sc_wipe(reaches, plan->value_count * sizeof *reaches);
    return status;
}

/* Bounds the rows of a unit, and logs what is summed of it. */
static scrim_status bound_unit(const sc_grouping *grouping, sc_grouping_worker *state,
                               parting_tools *tools, uint64_t unit, sc_unit_row *rows,
                               size_t count, scrim_error *error)
{
    const uint64_t *tokens = tools->names.tokens;
    sc_part_log *log = &state->unheld->log;
    count = sc_grouping_distinct(grouping, &tools->bound, rows, count);
    sc_grouping_rest rest = sc_grouping_rest_of(grouping, rows, count);
    scrim_status status = SCRIM_OK;
    if (sc_grouping_needs_groups(grouping)) {
        status = sc_bound_unit(&tools->bound, SC_BOUND_GROUPS, unit, tokens, rows, count,
                               &count, error);
        if (status == SCRIM_OK && grouping->cell_plan.total_count > 0)
            status = log_totals(grouping, log, &tools->names, rows, count, error);
        if (status == SCRIM_OK)
            sc_grouping_rest_groups(grouping, rows, count, &rest);
    }
    if (status == SCRIM_OK)
        status = sc_bound_unit(&tools->bound, SC_BOUND_FINAL, unit, tokens, rows, count,
                               &count, error);
    if (status != SCRIM_OK)
        return status;
    sc_grouping_rest_put(grouping, state, rows, count, &rest);
    return log_unit(grouping, log, &tools->names, rows, count, error);
}

static scrim_status gather(const sc_grouping *grouping, parting_tools *tools, size_t part,
                           scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (unsigned i = 0; status == SCRIM_OK && i < grouping->workers; i++) {
        sc_grouping_worker *state = grouping->states[i];
        status = sc_unit_room_gather(&state->room, part, &tools->cipher, error);
        if (status == SCRIM_OK)
            status =
                sc_unit_room_gather(&state->unheld->room, part, &tools->cipher, error);
    }
    return status;
}

static scrim_status bound_part(const parting *p, sc_grouping_worker *state,
                               parting_tools *tools, size_t part, scrim_error *error)
{
    const sc_grouping *grouping = p->grouping;
    const sc_unit_table *table = &tools->table;
    scrim_status status = gather(grouping, tools, part, error);
    if (status == SCRIM_OK)
        status =
            sc_unit_table_fill(&tools->table, p->shares, (size_t)2 * grouping->workers,
                               part, &grouping->hash_key, error);
    if (status == SCRIM_OK && !name_rows(grouping, tools))
        status = fail_memory(error);
    for (size_t i = 0; status == SCRIM_OK && i < table->unit_count; i++) {
        const sc_unit *unit = &table->units[i];
        status = bound_unit(grouping, state, tools, unit->hash, table->rows + unit->start,
                            unit->end - unit->start, error);
    }
    for (unsigned i = 0; i < grouping->workers; i++) {
        sc_unit_rows_clear_part(&grouping->states[i]->room.rows, part);
        sc_unit_rows_clear_part(&grouping->states[i]->unheld->room.rows, part);
    }
    return status;
}

static scrim_status bound_parts(void *context, unsigned worker, scrim_error *error)
{
    const parting *p = context;
    sc_grouping *grouping = p->grouping;
    parting_tools tools = {.cipher = NULL};
    scrim_status status = sc_grouping_make_bound(grouping, &tools.bound, error);
    for (size_t part; status == SCRIM_OK &&
                      (part = atomic_fetch_add(&grouping->next_part, 1)) < SC_UNIT_PARTS;)
        status = bound_part(p, grouping->states[worker], &tools, part, error);
    sc_bound_clear(&tools.bound);
    sc_unit_table_clear(&tools.table);
    sc_identity_table_clear(&tools.names);
    sc_cipher_close(tools.cipher);
    return status;
}

static scrim_status bound_all(parting *p, scrim_error *error)
{
    sc_grouping *grouping = p->grouping;
    const unsigned workers = grouping->workers;
    p->shares = sc_allocate(2 * (size_t)workers, sizeof *p->shares);
    if (p->shares == NULL)
        return fail_memory(error);
    for (unsigned i = 0; i < workers; i++) {
        sc_grouping_worker *state = grouping->states[i];
        p->shares[i] = (sc_unit_share){&state->room.rows, state->numbers};
        p->shares[workers + i] =
            (sc_unit_share){&state->unheld->room.rows, &unheld_group};
    }
    return sc_workers_run(workers, bound_parts, p, error);
}

/* Keys and sums that were held. */

/* Logs a worker's keys, and notes who they are. */
static scrim_status log_keys(sc_grouping *grouping, sc_grouping_worker *state,
                             uint32_t first, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    state->numbers = sc_allocate(state->keys.count, sizeof *state->numbers);
    if (state->numbers == NULL)
        return fail_memory(error);
    for (uint32_t i = 0; status == SCRIM_OK && i < state->keys.count; i++) {
        const sc_key_entry *entry = &state->keys.entries[i];
        const sc_key_identity key = identity_of(grouping, entry->text, entry->hash);
        state->numbers[i] = first + i;
        grouping->marks[first + i] = key;
        status = log_text(&state->unheld->log, key, entry->text, error);
    }
    return status;
}

/* Where each row is a unit: the sums of keys that were held. */
static scrim_status log_sums(const sc_grouping *grouping, sc_grouping_worker *state,
                             scrim_error *error)
{
    const sc_cells *cells = &state->cells;
    const sc_kept *kept = &state->kept;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < state->keys.count && i < cells->groups;
         i++) {
        const record_head head = {.key = grouping->marks[state->numbers[i]],
                                  .kind = OF_CELLS,
                                  .bytes = cells->stride * sizeof *cells->cells};
        status = log_record(&state->unheld->log, &head, cells->cells + i * cells->stride,
                            error);
    }
    for (size_t i = 0; status == SCRIM_OK && i < kept->count; i++) {
        const record_head head = {.key = grouping->marks[state->numbers[kept->groups[i]]],
                                  .copies = kept->copies[i],
                                  .kind = OF_KEPT,
                                  .bytes = kept->list_count * sizeof *kept->values};
        status = log_record(&state->unheld->log, &head,
                            kept->values + i * kept->list_count, error);
    }
    sc_cells_clear(&state->cells);
    sc_kept_clear(&state->kept);
    return status;
}

scrim_status sc_grouping_part_all(sc_grouping *grouping, scrim_error *error)
{
    parting p = {.grouping = grouping};
    scrim_status status = SCRIM_OK;
    size_t held = 0;
    uint32_t first = 0;
    grouping->is_parted = true;
    for (unsigned i = 0; i < grouping->workers; i++)
        held += grouping->states[i]->keys.count;
    grouping->marks = sc_allocate(held, sizeof *grouping->marks);
    grouping->mark_bytes = held * sizeof *grouping->marks;
    if (grouping->marks == NULL || held >= unheld_group)
        return fail_memory(error);
    for (unsigned i = 0; status == SCRIM_OK && i < grouping->workers; i++) {
        sc_grouping_worker *state = grouping->states[i];
        status = log_keys(grouping, state, first, error);
        first += state->keys.count;
        if (status == SCRIM_OK && !grouping->has_units)
            status = log_sums(grouping, state, error);
        sc_key_set_clear(&state->keys);
    }
    if (status == SCRIM_OK && grouping->has_units)
        status = bound_all(&p, error);
    /* All that is needed from here on is logged. */
    for (unsigned i = 0; i < grouping->workers; i++) {
        sc_unit_room_clear(&grouping->states[i]->room);
        sc_unit_room_clear(&grouping->states[i]->unheld->room);
    }
    sc_free(p.shares);
    return status;
}

/* Groups of a part. */

typedef struct part_reading {
    const sc_grouping *whole;
    sc_grouping *part;
    sc_key_set found;        /* keys as they come */
    sc_identity_table names; /* of the keys in their order */
} part_reading;

/* Takes the next record; false at the end. */
static bool next_record(const unsigned char **at, const unsigned char *end,
                        record_head *head, const unsigned char **body)
{
    if (*at == end)
        return false;
    memcpy(head, *at, sizeof *head);
    *body = *at + sizeof *head;
    *at = *body + head->bytes;
    return true;
}

static scrim_status take_texts(void *context, const unsigned char *bytes, size_t count,
                               scrim_error *error)
{
    part_reading *r = context;
    const unsigned char *at = bytes, *body = NULL;
    record_head head;
    scrim_status status = SCRIM_OK;
    while (status == SCRIM_OK && next_record(&at, bytes + count, &head, &body)) {
        uint32_t number;
        if (head.kind == OF_TEXT)
            status = sc_key_set_add(&r->found,
                                    (sc_text){(const char *)body, (size_t)head.bytes},
                                    head.key.hash, &number, error);
    }
    return status;
}

static void take_totals(const sc_cell_plan *plan, const unsigned char *body,
                        sc_uint128 *cells)
{
    for (size_t i = 0; i < plan->value_count; i++) {
        sc_uint128 total;
        if (plan->values[i].total == 0)
            continue;
        memcpy(&total, body, sizeof total);
        body += sizeof total;
        cells[plan->values[i].total] += total;
    }
}

static scrim_status take_sums(part_reading *r, const record_head *head, uint32_t group,
                              const unsigned char *body, scrim_error *error)
{
    sc_grouping *part = r->part;
    const sc_cell_plan *plan = &part->cell_plan;
    sc_uint128 *cells = part->cells.cells + (size_t)group * plan->stride;
    if (head->kind == OF_KEPT)
        return sc_kept_put(&part->states[0]->kept, plan->list_count, group, head->copies,
                           body, error);
    if (head->kind == OF_TOTALS) {
        take_totals(plan, body, cells);
        return SCRIM_OK;
    }
    if (head->kind == OF_CELLS) {
        for (size_t i = 0; i < plan->stride; i++) {
            sc_uint128 cell;
            memcpy(&cell, body + i * sizeof cell, sizeof cell);
            cells[i] += cell;
        }
        return SCRIM_OK;
    }
    const sc_unit_row row = {head->copies, body, group, 0};
    sc_cells_add(&part->cells, plan, &row);
    cells[SC_CELL_UNITS] += head->is_unit;
    return plan->list_count == 0 ? SCRIM_OK
                                 : sc_kept_add(&part->states[0]->kept, plan, &row, error);
}

static scrim_status take_numbers(void *context, const unsigned char *bytes, size_t count,
                                 scrim_error *error)
{
    part_reading *r = context;
    const unsigned char *at = bytes, *body = NULL;
    record_head head;
    scrim_status status = SCRIM_OK;
    while (status == SCRIM_OK && next_record(&at, bytes + count, &head, &body)) {
        if (head.kind == OF_TEXT)
            continue;
        const uint32_t slot = *sc_identity_table_slot(&r->names, head.key);
        status = slot == 0 ? sc_fail(error, SCRIM_E_INTERNAL, "a group has no key")
                           : take_sums(r, &head, slot - 1, body, error);
    }
    return status;
}

static scrim_status read_logs(const sc_grouping *whole, size_t part,
                              sc_part_log_take *take, part_reading *r, scrim_error *error)
{
    sc_cipher *cipher = NULL;
    scrim_status status = SCRIM_OK;
    for (unsigned i = 0; status == SCRIM_OK && i < whole->workers; i++)
        status = sc_part_log_read(&whole->states[i]->unheld->log, part, &cipher, take, r,
                                  error);
    sc_cipher_close(cipher);
    return status;
}

/* Puts the keys in order, with room for their sums. */
static scrim_status settle_keys(part_reading *r, scrim_error *error)
{
    sc_grouping *part = r->part;
    scrim_status status = sc_grouping_sort_keys(&part->keys, &r->found, error);
    if (status == SCRIM_OK && !sc_identity_table_begin(&r->names, part->keys.count))
        status = fail_memory(error);
    for (uint32_t i = 0; status == SCRIM_OK && i < part->keys.count; i++) {
        const sc_key_entry *entry = &part->keys.entries[i];
        if (sc_identity_table_number(
                &r->names, identity_of(r->whole, entry->text, entry->hash)) != i)
            status = sc_fail(error, SCRIM_E_INTERNAL, "two keys have one identity");
    }
    return status == SCRIM_OK
               ? sc_cells_reserve(&part->cells, &part->cell_plan, part->keys.count, error)
               : status;
}

/* A grouping of all that was logged of a part. */
static scrim_status part_new(sc_grouping *whole, scrim_error *error)
{
    sc_grouping *part = sc_allocate(1, sizeof *part);
    if (part == NULL)
        return fail_memory(error);
    whole->part = part;
    part->cell_plan = whole->cell_plan;
    part->has_units = true; /* sums and values are by the numbers of all keys */
    part->workers = 1;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    part->states = sc_allocate(1, sizeof *part->states);
    if (part->states != NULL)
        part->states[0] = sc_allocate(1, sizeof *part->states[0]);
    if (part->states == NULL || part->states[0] == NULL)
        return fail_memory(error);
    sc_unit_room_init(&part->states[0]->room, 0, sizeof(uint16_t), 0, NULL);
    return sc_key_set_init(&part->keys, error);
}

scrim_status sc_grouping_part(sc_grouping *grouping, size_t part, sc_groups *out,
                              scrim_error *error)
{
    part_reading r = {.whole = grouping};
    sc_grouping_part_clear(grouping);
    scrim_status status = part_new(grouping, error);
    r.part = grouping->part;
    if (status == SCRIM_OK)
        status = sc_key_set_init(&r.found, error);
    if (status == SCRIM_OK)
        status = read_logs(grouping, part, take_texts, &r, error);
    if (status == SCRIM_OK)
        status = settle_keys(&r, error);
    sc_key_set_clear(&r.found);
    if (status == SCRIM_OK)
        status = read_logs(grouping, part, take_numbers, &r, error);
    if (status == SCRIM_OK)
        status = sc_grouping_list(r.part, out, error);
    sc_identity_table_clear(&r.names);
    return status;
}

size_t sc_grouping_parts(const sc_grouping *grouping)
{
    return grouping->is_parted ? SC_PART_LOG_PARTS : 0;
}
