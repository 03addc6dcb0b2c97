#include "query/label/label_line.h"
#include "query/label/label_part.h"

#include <stdio.h>
#include <string.h>

static const char word[] = "synth ";

bool sc_label_is_synth(sc_text measurement)
{
    return measurement.bytes >= sizeof word - 1 &&
           memcmp(measurement.start, word, sizeof word - 1) == 0;
}

/* Private keys: one more part, with a copy for each column. */
static scrim_status read_selection(sc_label_maker *m, scrim_error *error)
{
    const char *line = m->source->release.measurement;
    const sc_text name = sc_label_told(line, "selection"),
                  epsilon = sc_label_told(line, "selection-epsilon"),
                  delta = sc_label_told(line, "selection-delta");
    const uint64_t groups =
        m->schema->unit.bytes > 0 ? sc_bounds_normal(&m->schema->bounds, 0).groups : 1;
    const size_t bytes = name.bytes + epsilon.bytes + delta.bytes + 128;
    uint64_t copies = 0;
    if (name.bytes == 0)
        return SCRIM_OK;
    if (!sc_text_uint64(sc_label_told(line, "selections"), &copies) || copies == 0)
        return sc_label_unreadable(error);
    sc_claim_part *parts = sc_arena_allocate(&m->arena, 2, sizeof *parts);
    char *text = sc_arena_allocate(&m->arena, bytes, 1);
    if (parts == NULL || text == NULL)
        return sc_label_no_memory(error);
    snprintf(text, bytes, "%.*s epsilon=%.*s delta=%.*s max-groups=%llu neighbours=%s",
             (int)name.bytes, name.start, (int)epsilon.bytes, epsilon.start,
             (int)delta.bytes, delta.start, (unsigned long long)groups,
             scrim_neighbours_name(m->source->budget.neighbours));
    parts[0] = m->parts[0];
    parts[1] = (sc_claim_part){text, copies};
    m->parts = parts;
    m->part_count = 2;
    return SCRIM_OK;
}

scrim_status sc_label_synth_read(sc_label_maker *m, scrim_error *error)
{
    const scrim_status status = sc_label_line_read(m, error);
    return status == SCRIM_OK ? read_selection(m, error) : status;
}

/* Where keys were selected. */
static scrim_status put_selection(sc_label_maker *m, scrim_error *error)
{
    scrim_measurement *selection = NULL;
    if (m->part_count == 1)
        return SCRIM_OK;
    const scrim_status status =
        scrim_measurement_parse(m->parts[1].line, &selection, error);
    if (status != SCRIM_OK)
        return status;
    sc_label_put_number(m->label, "mechanism.2.question", 1);
    sc_label_put(m->label, "mechanism.2.what",
                 sc_text_of("a partition selection of the keys of each column with "
                            "private keys; rows with other values count as NULL"));
    sc_label_put(m->label, "mechanism.2.line", sc_text_of(m->parts[1].line));
    sc_label_put_number(m->label, "mechanism.2.copies", m->parts[1].copies);
    sc_label_put_kept(m, 2, selection);
    scrim_measurement_free(selection);
    return SCRIM_OK;
}

scrim_status sc_label_synth_put(sc_label_maker *m, scrim_error *error)
{
    const char *line = m->source->release.measurement;
    const sc_text method = sc_label_told(line, "method");
    const bool is_pure = sc_label_told(line, "rho").bytes == 0;
    size_t number = 0;
    sc_label_put_number(m->label, "mechanism.1.question", 1);
    if (sc_text_is(method, "smalldb"))
        sc_label_put(m->label, "mechanism.1.what",
                     sc_text_of("one selection by the exponential mechanism among all "
                                "tables of a size; it costs as much as"));
    else
        sc_label_print(
            m->label, "mechanism.1.what",
            "selections by %s and counts with %s noise, in rounds of %.*s; each "
            "takes its cost out of the total, and all together cost at most as "
            "much as",
            is_pure ? "permute-and-flip" : "the exponential mechanism",
            is_pure ? "discrete Laplace" : "discrete Gaussian", (int)method.bytes,
            method.start);
    sc_label_put(m->label, "mechanism.1.line", sc_text_of(m->parts[0].line));
    sc_label_put_number(m->label, "mechanism.1.copies", 1);
    const scrim_status status = put_selection(m, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < m->schema->column_count; i++)
        if (sc_label_is_named(line, m->schema->columns[i].name))
            sc_label_put_column(m, ++number, &m->schema->columns[i]);
    sc_label_put_unprotected(m);
    sc_label_put(m->label, "post-processing.1",
                 sc_text_of("a model is fitted to the noisy counts, and rows are drawn "
                            "from it; both are computed from what was released"));
    sc_label_put(m->label, "accuracy.statement",
                 sc_text_of("measured counts have intervals, which a report of the "
                            "rows shows; all else is known from the model only"));
    return SCRIM_OK;
}
