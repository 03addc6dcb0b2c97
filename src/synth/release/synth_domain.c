/* The columns of a synthesiser by name, and combinations of their categories. */
#include "synth/release/synth_domain.h"

/* A combination has at most so many cells beside it. */
#define NEVER_CELLS ((uint64_t)1 << 24)

void sc_synth_domain_sizes(const sc_synth_domain *d, sc_synth_columns *out)
{
    out->count = d->count;
    for (size_t i = 0; i < d->count; i++)
        out->sizes[i] = sc_coded_size(&d->columns[i]);
}

void sc_synth_domain_describe(const sc_synth_domain *d, size_t index,
                              const char *const *names, const char *const *cuts,
                              scrim_synth_column *out)
{
    const sc_coded_column *c = &d->columns[index];
    *out = (scrim_synth_column){.name = names[index],
                                .cut = cuts[index],
                                .categories = sc_coded_size(c),
                                .is_nullable = c->is_nullable,
                                .has_private_keys = c->selection != NULL,
                                .is_number = sc_coded_is_number(c)};
}

sc_clique sc_synth_domain_nullable(const sc_synth_domain *d)
{
    sc_clique found = 0;
    for (size_t i = 0; i < d->count; i++)
        if (d->columns[i].is_nullable)
            found |= sc_clique_of(i);
    for (size_t i = 0; i < d->never_count; i++)
        found &= ~d->never[i].clique;
    return found;
}

size_t sc_synth_domain_find(const sc_synth_domain *d, sc_text name)
{
    for (size_t i = 0; i < d->count; i++)
        if (sc_text_equal(d->columns[i].column->name, name))
            return i;
    return SIZE_MAX;
}

scrim_status sc_synth_domain_read(const sc_synth_domain *d, const char *parameter,
                                  sc_text text, size_t *column, uint32_t *code,
                                  scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES], value_quote[SC_TEXT_QUOTE_BYTES];
    sc_text name, value;
    if (!sc_text_split(text, '=', &name, &value))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, parameter,
                           "'%s' must be COLUMN=VALUE", sc_text_quote(text, quote));
    name = sc_text_trim(name);
    value = sc_text_trim(value);
    *column = sc_synth_domain_find(d, name);
    if (*column == SIZE_MAX)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, parameter,
                           "'%s' is not one of the columns", sc_text_quote(name, quote));
    if (sc_coded_is_open(&d->columns[*column]))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, parameter,
                           "'%s' has private keys, which are not selected yet",
                           sc_text_quote(name, quote));
    const scrim_status status = sc_coded_find(&d->columns[*column], value, code);
    if (status == SCRIM_E_MEMORY)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a synthesiser");
    if (status != SCRIM_OK)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, parameter,
                           "'%s' is not a value of '%s'",
                           sc_text_quote(value, value_quote), sc_text_quote(name, quote));
    return SCRIM_OK;
}

static uint64_t cell_of(const sc_synth_never *never, const sc_synth_columns *sizes)
{
    uint64_t cell = 0;
    for (sc_clique rest = never->clique; rest != 0; rest &= rest - 1) {
        const size_t i = sc_clique_first(rest);
        cell = cell * sizes->sizes[i] + never->codes[i];
    }
    return cell;
}

scrim_status sc_synth_domain_zeros(const sc_synth_domain *d, sc_arena *arena,
                                   const sc_synth_zero **out, scrim_error *error)
{
    sc_synth_columns sizes;
    sc_synth_zero *zeros = sc_arena_allocate(arena, d->never_count, sizeof *zeros);
    if (zeros == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a synthesiser");
    sc_synth_domain_sizes(d, &sizes);
    for (size_t i = 0; i < d->never_count; i++) {
        const uint64_t cells = sc_clique_cells(&sizes, d->never[i].clique);
        if (cells > NEVER_CELLS)
            return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "never",
                               "the columns of a combination have more than 16777216 "
                               "combinations");
        bool *is_impossible = sc_arena_allocate(arena, (size_t)cells, 1);
        if (is_impossible == NULL)
            return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a synthesiser");
        is_impossible[cell_of(&d->never[i], &sizes)] = true;
        zeros[i] = (sc_synth_zero){d->never[i].clique, is_impossible};
    }
    *out = zeros;
    return SCRIM_OK;
}
