#include "query/label/label_synth.h"

#include <stdio.h>
#include <string.h>

static const char word[] = "synth ";

bool sc_label_is_synth(sc_text measurement)
{
    return measurement.bytes >= sizeof word - 1 &&
           memcmp(measurement.start, word, sizeof word - 1) == 0;
}

/* The line: "synth method=mst epsilon=1 delta=1e-9 rho=0.01 : "age" cut 17:5:15, "sex"". */

/* The value of KEY=VALUE in front of the columns; empty where there is none. */
static sc_text told(const char *line, const char *key)
{
    sc_text rest = sc_text_of(line + sizeof word - 1), item, name, value;
    while (sc_text_word(&rest, &item) && !sc_text_is(item, ":"))
        if (sc_text_split(item, '=', &name, &value) && sc_text_is(name, key))
            return value;
    return (sc_text){NULL, 0};
}

static void copy(sc_text from, char to[SCRIM_NUMBER_BYTES])
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, to, SCRIM_NUMBER_BYTES);
    sc_text_put(&sink, from);
}

/* One measurement that costs as much as all rounds may. */
static const char *stand_in(sc_label_maker *m, sc_text rho)
{
    const sc_text amount = rho.bytes > 0 ? rho : sc_text_of(m->epsilon);
    const size_t bytes = amount.bytes + 128;
    char *line = sc_arena_allocate(&m->arena, bytes, 1);
    if (line != NULL)
        snprintf(line, bytes, "%s sensitivity=1 %s=%.*s neighbours=%s",
                 rho.bytes > 0 ? "gaussian" : "laplace",
                 rho.bytes > 0 ? "rho" : "epsilon", (int)amount.bytes, amount.start,
                 scrim_neighbours_name(m->source->budget.neighbours));
    return line;
}

scrim_status sc_label_synth_read(sc_label_maker *m, scrim_error *error)
{
    const char *line = m->source->release.measurement;
    copy(told(line, "epsilon"), m->epsilon);
    copy(told(line, "delta"), m->delta);
    m->parts = sc_arena_allocate(&m->arena, 1, sizeof *m->parts);
    if (m->parts == NULL)
        return sc_label_no_memory(error);
    m->parts[0] = (sc_claim_part){stand_in(m, told(line, "rho")), 1};
    m->part_count = 1;
    if (m->parts[0].line == NULL)
        return sc_label_no_memory(error);
    return sc_schema_parse(sc_text_of(m->source->policy), NULL, &m->schema, error);
}

/* The columns of the line are in quotes, with their quotes doubled, in the order of the policy. */
static bool is_measured(const char *line, sc_text name)
{
    const char *at = strstr(line, " : ");
    bool is_inside = false;
    size_t matched = 0;
    for (; at != NULL && *at != '\0'; at++) {
        if (*at == '"' && is_inside && at[1] == '"')
            at++;
        else if (*at == '"') {
            if (is_inside && matched == name.bytes)
                return true;
            is_inside = !is_inside;
            matched = 0;
            continue;
        }
        if (is_inside)
            matched = matched < name.bytes && name.start[matched] == *at ? matched + 1
                                                                         : SIZE_MAX / 2;
    }
    return false;
}

scrim_status sc_label_synth_put(sc_label_maker *m, scrim_error *error)
{
    const char *line = m->source->release.measurement;
    const sc_text method = told(line, "method");
    const bool is_pure = told(line, "rho").bytes == 0;
    size_t number = 0;
    (void)error;
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
    for (size_t i = 0; i < m->schema->column_count; i++)
        if (is_measured(line, m->schema->columns[i].name))
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
