#include "synth/release/record_reader.h"

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
