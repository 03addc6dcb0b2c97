#include "query/answer/noisy_parts.h"

#include <stdlib.h>

/* One pass under way. */
typedef struct drawing {
    sc_noisy *noisy;
    sc_passage *passage;
    sc_pass *pass;
    size_t statement;
    sc_text *known; /* those of a part */
} drawing;

/* The known keys that belong to a part, in their order. */
static size_t list_known(const drawing *d, size_t part)
{
    const sc_planned_statement *s = d->noisy->statement;
    size_t count = 0;
    for (size_t i = 0; i < s->known_count; i++)
        if (sc_pass_part_of(d->pass, d->statement, s->known[i]) == part)
            d->known[count++] = s->known[i];
    return count;
}

static scrim_status draw_part(const drawing *d, size_t part, scrim_error *error)
{
    sc_noisy *noisy = d->noisy, *own = &noisy->parts[part];
    sc_groups groups;
    scrim_status status = sc_pass_part(d->pass, d->statement, part, &groups, error);
    if (status == SCRIM_OK)
        status = sc_noisy_init(own, noisy->statement, noisy->first_part, error);
    if (status != SCRIM_OK)
        return status;
    own->counted = noisy->counted;
    own->known_keys = d->known;
    own->known_count = list_known(d, part);
    if (groups.count > 0 || own->known_count > 0)
        status = sc_noisy_draw(own, d->passage, &groups, error);
    if (status == SCRIM_OK && !sc_noisy_settle(own, &noisy->key_texts))
        status = sc_no_memory(error, "the numbers of a query");
    noisy->row_count += status == SCRIM_OK ? own->row_count : 0;
    return status;
}

static int by_key(const void *left, const void *right)
{
    return sc_text_compare(((const sc_record_row *)left)->key,
                           ((const sc_record_row *)right)->key);
}

/* The rows of all parts, in order. */
static scrim_status join_rows(sc_noisy *noisy, scrim_error *error)
{
    size_t at = 0;
    noisy->rows = sc_allocate(noisy->row_count, sizeof *noisy->rows);
    if (noisy->rows == NULL)
        return sc_no_memory(error, "the numbers of a query");
    for (size_t i = 0; i < noisy->part_count; i++) {
        const sc_noisy *own = &noisy->parts[i];
        for (size_t row = 0; row < own->row_count; row++)
            noisy->rows[at++] = own->rows[row];
    }
    if (noisy->row_count > 0)
        qsort(noisy->rows, noisy->row_count, sizeof *noisy->rows, by_key);
    return SCRIM_OK;
}

scrim_status sc_noisy_draw_pass(sc_noisy *noisy, sc_passage *passage, sc_pass *pass,
                                size_t statement, scrim_error *error)
{
    const size_t parts = sc_pass_parts(pass, statement);
    drawing d = {noisy, passage, pass, statement, NULL};
    scrim_status status = SCRIM_OK;
    if (parts == 0)
        return sc_noisy_draw(noisy, passage, sc_pass_groups(pass, statement), error);
    d.known = sc_allocate(noisy->statement->known_count, sizeof *d.known);
    noisy->parts = sc_allocate(parts, sizeof *noisy->parts);
    if (d.known == NULL || noisy->parts == NULL)
        status = sc_no_memory(error, "the numbers of a query");
    noisy->part_count = noisy->parts == NULL ? 0 : parts;
    for (size_t i = 0; status == SCRIM_OK && i < parts; i++)
        status = draw_part(&d, i, error);
    if (status == SCRIM_OK)
        status = join_rows(noisy, error);
    sc_free(d.known);
    return status;
}
