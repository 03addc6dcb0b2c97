#include "synth/release/record_reader.h"

#include <stdlib.h>

scrim_status sc_record_reader_open(sc_record_reader *r, const sc_pass_options *options,
                                   sc_bits *bits, sc_charged_room *room,
                                   scrim_error *error)
{
    const scrim_synth *s = r->synth;
    const bool has_units = s->schema->unit.bytes > 0;
    const sc_bounds said = has_units ? s->schema->bounds : (sc_bounds){1, 1, 0};
    const uint64_t max_groups = sc_bounds_normal(&said, 0).groups;
    size_t count = 0;
    r->statements[count++] =
        (sc_pass_statement){.query = s->query, .statistics = &r->nothing, .bounds = said};
    for (size_t i = 0; i < s->domain.count; i++)
        if (s->value_queries[i] != NULL)
            r->statements[count++] = (sc_pass_statement){.query = s->value_queries[i],
                                                         .statistics = &r->nothing,
                                                         .bounds = {max_groups, 1, 0}};
    SC_TRY(sc_pass_open(s->schema, r->statements, count, options, bits, &r->pass, error));
    room->threads = sc_pass_workers(r->pass) - 1;
    return sc_records_bytes(&s->sizes, sc_pass_most_different_rows(r->pass),
                            &room->bytes) &&
                   sc_size_add(room->bytes, sc_pass_room_bytes(r->pass), &room->bytes)
               ? SCRIM_OK
               : sc_no_memory(error, "the rows of a table");
}

scrim_status sc_record_reader_take(sc_record_reader *r, scrim_error *error)
{
    return sc_records_new(&r->synth->sizes, sc_pass_most_different_rows(r->pass),
                          &r->records, error);
}

void sc_record_reader_close(sc_record_reader *r)
{
    sc_records_free(r->records);
    sc_pass_close(r->pass);
    *r = (sc_record_reader){.synth = r->synth};
}

/* Groups that are added between two questions whether the caller cancels. */
#define GROUPS_AT_ONCE 16384

static void count_singles(const sc_record_reader *r, const sc_synth_domain *d,
                          const sc_key_part *parts, uint64_t rows)
{
    for (size_t k = 0; k < d->count; k++) {
        const sc_grid *grid = &d->columns[k].column->grid;
        if (r->singles[k] == NULL)
            continue;
        const uint64_t null = (uint64_t)grid->high - (uint64_t)grid->low + 1;
        const uint64_t at = sc_key_part_is_null(&parts[k])
                                ? null
                                : (uint64_t)parts[k].value - (uint64_t)grid->low;
        if (at <= null)
            r->singles[k][at] += (int64_t)rows;
    }
}

static scrim_status add_groups(sc_record_reader *r, const sc_synth_domain *d,
                               const sc_groups *groups, sc_cancel *cancel,
                               scrim_error *error)
{
    sc_key_part parts[SC_SYNTH_PLAN_COLUMNS] = {{.is_text = false}};
    uint32_t codes[SC_SYNTH_PLAN_COLUMNS];
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < d->count; i++)
        parts[i].is_text = d->columns[i].column->type == SC_COLUMN_TEXT;
    for (size_t i = 0; status == SCRIM_OK && i < groups->count; i++) {
        if (!sc_key_tuple_read(groups->groups[i].key, parts, d->count))
            return sc_fail(error, SCRIM_E_INTERNAL, "a group has another key");
        for (size_t k = 0; k < d->count; k++)
            codes[k] = sc_coded_code(&d->columns[k], &parts[k]);
        status = sc_records_add(r->records, codes, groups->groups[i].rows, error);
        if (r->singles != NULL)
            count_singles(r, d, parts, groups->groups[i].rows);
        if (status == SCRIM_OK && i % GROUPS_AT_ONCE == 0)
            status = sc_cancel_check(cancel, error);
    }
    sc_wipe(parts, sizeof parts);
    sc_wipe(codes, sizeof codes);
    return status;
}

static void move_impossible(sc_record_reader *r, const sc_synth_domain *d)
{
    const sc_synth_zero *zeros = r->synth->zeros;
    uint32_t other[SC_SYNTH_COLUMNS_MAX] = {0};
    for (size_t i = 0; i < d->count; i++)
        other[i] = sc_synth_other(&d->columns[i]);
    for (size_t i = 0; i < d->never_count; i++)
        sc_records_move_impossible(r->records, zeros[i].clique, zeros[i].is_impossible,
                                   other);
}

/* Each group of the pass is a row and how often it occurs. */
scrim_status sc_record_reader_code(sc_record_reader *r, const sc_synth_domain *domain,
                                   sc_cancel *cancel, scrim_error *error)
{
    sc_groups groups;
    sc_synth_columns sizes;
    sc_synth_domain_sizes(domain, &sizes);
    scrim_status status = sc_records_narrow(r->records, &sizes, error);
    const size_t parts = sc_pass_parts(r->pass, 0);
    if (status == SCRIM_OK && parts == 0)
        status = add_groups(r, domain, sc_pass_groups(r->pass, 0), cancel, error);
    for (size_t i = 0; status == SCRIM_OK && i < parts; i++) {
        status = sc_pass_part(r->pass, 0, i, &groups, error);
        if (status == SCRIM_OK)
            status = add_groups(r, domain, &groups, cancel, error);
    }
    if (status == SCRIM_OK)
        move_impossible(r, domain);
    sc_pass_close(r->pass);
    r->pass = NULL;
    return status;
}

/* Steps of a charged release. */

scrim_status sc_record_reader_open_rows(sc_charged *c, const sc_pass_options *options,
                                        sc_bits *bits, sc_charged_room *room,
                                        scrim_error *error)
{
    return sc_record_reader_open(c->context, options, bits, room, error);
}

scrim_status sc_record_reader_take_room(sc_charged *c, scrim_error *error)
{
    return sc_record_reader_take(c->context, error);
}

scrim_status sc_record_reader_read_rows(sc_charged *c, scrim_error *error)
{
    return sc_pass_run(((sc_record_reader *)c->context)->pass, error);
}

void sc_record_reader_wipe_rows(sc_charged *c)
{
    sc_record_reader_close(c->context);
}

void sc_found_keys_init(sc_found_keys *found, const scrim_synth *s)
{
    found->domain = s->domain;
    sc_arena_init(&found->arena);
}

void sc_found_keys_clear(sc_found_keys *found)
{
    sc_arena_clear(&found->arena);
}

/* A value of a column. Private until it is selected. */
typedef struct value {
    sc_text text;
    int64_t units;
    sc_int128 shown; /* with noise */
} value;

/* All values of one column, in an arena that is wiped. */
typedef struct values {
    value *list;
    size_t count, capacity;
    sc_arena arena;
} values;

/* The arena wipes the old list too. */
static bool make_room(values *v, size_t more)
{
    if (v->capacity - v->count >= more)
        return true;
    const size_t capacity =
        2 * v->capacity > v->count + more ? 2 * v->capacity : v->count + more;
    value *list = sc_arena_allocate(&v->arena, capacity, sizeof *list);
    if (list == NULL)
        return false;
    for (size_t i = 0; i < v->count; i++)
        list[i] = v->list[i];
    v->list = list;
    v->capacity = capacity;
    return true;
}

static scrim_status add_key_groups(values *v, const sc_groups *groups, scrim_error *error)
{
    sc_key_part part = {.is_text = true};
    if (!make_room(v, groups->count))
        return sc_no_memory(error, "a synthetic release");
    for (size_t i = 0; i < groups->count; i++) {
        if (!sc_key_tuple_read(groups->groups[i].key, &part, 1))
            return sc_fail(error, SCRIM_E_INTERNAL, "a group has another key");
        if (sc_key_part_is_null(&part))
            continue;
        const char *copy = sc_arena_copy(&v->arena, part.text.start, part.text.bytes);
        if (copy == NULL)
            return sc_no_memory(error, "a synthetic release");
        v->list[v->count++] = (value){.text = {copy, part.text.bytes},
                                      .units = (int64_t)groups->groups[i].units};
    }
    return SCRIM_OK;
}

static int by_text(const void *a, const void *b)
{
    return sc_text_compare(((const value *)a)->text, ((const value *)b)->text);
}

static int by_shown(const void *a, const void *b)
{
    const value *x = a, *y = b;
    return x->shown != y->shown ? (x->shown < y->shown) - (x->shown > y->shown)
                                : by_text(a, b);
}

static void sort(values *v, int (*order)(const void *, const void *))
{
    if (v->count > 0)
        qsort(v->list, v->count, sizeof *v->list, order);
}

/* In bytewise order, so that noise belongs to the same value however the pass had them. */
static scrim_status gather(values *v, sc_pass *pass, size_t statement, scrim_error *error)
{
    const size_t parts = sc_pass_parts(pass, statement);
    scrim_status status = SCRIM_OK;
    sc_groups groups;
    if (parts == 0)
        status = add_key_groups(v, sc_pass_groups(pass, statement), error);
    for (size_t i = 0; status == SCRIM_OK && i < parts; i++) {
        status = sc_pass_part(pass, statement, i, &groups, error);
        if (status == SCRIM_OK)
            status = add_key_groups(v, &groups, error);
    }
    sort(v, by_text);
    return status;
}

/* Leaves those that are selected. */
static scrim_status select_values(values *v, const scrim_measurement *m,
                                  sc_passage *passage, scrim_error *error)
{
    int64_t *counts = sc_arena_allocate(&v->arena, v->count, sizeof *counts);
    sc_text *keys = sc_arena_allocate(&v->arena, v->count, sizeof *keys);
    sc_draw draw = {.values = sc_arena_allocate(&v->arena, v->count, sizeof *draw.values),
                    .marks = sc_arena_allocate(&v->arena, v->count, sizeof *draw.marks),
                    .capacity = v->count};
    if (counts == NULL || keys == NULL || draw.values == NULL || draw.marks == NULL)
        return sc_no_memory(error, "a synthetic release");
    for (size_t i = 0; i < v->count; i++) {
        counts[i] = v->list[i].units;
        keys[i] = v->list[i].text;
    }
    const sc_private_input input = {.values = counts, .count = v->count, .keys = keys};
    const scrim_status status = sc_passage_draw_within(passage, m, &input, &draw, error);
    const size_t count = v->count;
    v->count = 0;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        if (m->mechanism->is_kept(m, draw.marks[i], draw.values[i])) {
            v->list[v->count] = v->list[i];
            v->list[v->count++].shown = draw.values[i];
        }
    return status;
}

/* The texts that stay, of the arena. */
static scrim_status keep(values *v, sc_coded_column *column, sc_arena *arena,
                         scrim_error *error)
{
    sort(v, by_shown);
    v->count = v->count < column->count ? v->count : column->count;
    sort(v, by_text);
    sc_text *texts = sc_arena_allocate(arena, v->count, sizeof *texts);
    if (texts == NULL)
        return sc_no_memory(error, "a synthetic release");
    for (size_t i = 0; i < v->count; i++) {
        const sc_text text = v->list[i].text;
        texts[i] = (sc_text){sc_arena_copy(arena, text.start, text.bytes), text.bytes};
        if (texts[i].start == NULL)
            return sc_no_memory(error, "a synthetic release");
    }
    column->texts = texts;
    column->count = (uint32_t)v->count;
    return SCRIM_OK;
}

scrim_status sc_found_keys_draw(sc_found_keys *found, const scrim_synth *s,
                                const sc_record_reader *reader, sc_passage *passage,
                                scrim_error *error)
{
    size_t statement = 1;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < s->domain.count; i++) {
        if (s->value_queries[i] == NULL)
            continue;
        values v = {.list = NULL};
        sc_arena_init(&v.arena);
        status = gather(&v, reader->pass, statement++, error);
        if (status == SCRIM_OK)
            status = select_values(&v, s->selection, passage, error);
        if (status == SCRIM_OK)
            status = keep(&v, &found->domain.columns[i], &found->arena, error);
        sc_arena_clear(&v.arena);
    }
    return status;
}
