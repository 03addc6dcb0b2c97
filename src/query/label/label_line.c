#include "query/label/label_line.h"

#include "query/plan/asked_bounds.h"

#include <stdio.h>
#include <string.h>

sc_text sc_label_told(const char *line, const char *key)
{
    sc_text rest = sc_text_of(line), item, name, value;
    (void)sc_text_word(&rest, &item);
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

/* One measurement that costs as much as all that was drawn may. */
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

/* Reads the policy, with the bounds that the line says. */
static scrim_status read_schema(sc_label_maker *m, scrim_error *error)
{
    const char *line = m->source->release.measurement, *policy = m->source->policy;
    sc_asked_bounds asked = {.totals = NULL};
    uint64_t *const bounds[] = {&asked.bounds.groups, &asked.bounds.rows,
                                &asked.bounds.total};
    static const char *const names[] = {"max-groups", "max-rows", "max-total-rows"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const sc_text said = sc_label_told(line, names[i]);
        if (said.bytes > 0 && !sc_text_uint64(said, bounds[i]))
            return sc_label_unreadable(error);
    }
    SC_TRY(sc_schema_parse(sc_text_of(policy), NULL, &m->schema, error));
    return sc_asked_bounds_use(&asked, &m->arena, &policy, &m->schema, error);
}

scrim_status sc_label_line_read(sc_label_maker *m, scrim_error *error)
{
    const char *line = m->source->release.measurement;
    copy(sc_label_told(line, "epsilon"), m->epsilon);
    const sc_text delta = sc_label_told(line, "delta");
    copy(delta.bytes > 0 ? delta : sc_text_of("0"), m->delta);
    m->parts = sc_arena_allocate(&m->arena, 1, sizeof *m->parts);
    if (m->parts == NULL)
        return sc_label_no_memory(error);
    m->parts[0] = (sc_claim_part){stand_in(m, sc_label_told(line, "rho")), 1};
    m->part_count = 1;
    if (m->parts[0].line == NULL)
        return sc_label_no_memory(error);
    return read_schema(m, error);
}

bool sc_label_is_named(const char *line, sc_text name)
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
