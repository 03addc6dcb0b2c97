#include "synth/table/code_book.h"

uint32_t sc_code_column_size(const sc_code_column *c)
{
    return (c->is_text ? c->text_count : c->bins) + (c->has_other ? 1U : 0U) +
           (c->has_null ? 1U : 0U);
}

static uint32_t find_text(const sc_code_column *c, sc_text text)
{
    uint32_t low = 0, high = c->text_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = sc_text_compare(c->texts[middle], text);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return c->has_other ? c->text_count : SC_CODE_NONE;
}

static uint32_t find_bin(const sc_code_column *c, int64_t value)
{
    const uint32_t last = c->bins - 1;
    if (value <= c->first)
        return 0;
    const uint64_t bin = ((uint64_t)value - (uint64_t)c->first) / (uint64_t)c->width;
    return bin < last ? (uint32_t)bin : last;
}

uint32_t sc_code_column_find(const sc_code_column *c, const sc_key_part *part)
{
    if (sc_key_part_is_null(part))
        return c->has_null ? sc_code_column_size(c) - 1 : SC_CODE_NONE;
    return c->is_text ? find_text(c, part->text) : find_bin(c, part->value);
}

static bool is_column(const sc_code_column *c)
{
    if (!c->is_text)
        return c->bins >= 1 && c->bins < SC_SYNTH_SIZE_MAX && c->width >= 1;
    for (uint32_t i = 1; i < c->text_count; i++)
        if (sc_text_compare(c->texts[i - 1], c->texts[i]) >= 0)
            return false;
    return c->text_count < SC_SYNTH_SIZE_MAX;
}

scrim_status sc_code_columns_sizes(const sc_code_column *columns, size_t count,
                                   sc_synth_columns *out, scrim_error *error)
{
    sc_synth_columns found = {.count = count};
    for (size_t i = 0; i < count && i < SC_SYNTH_COLUMNS_MAX; i++) {
        if (!is_column(&columns[i]))
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "columns",
                               "a column must have a list of texts, or bins of a width "
                               "of at least 1");
        found.sizes[i] = sc_code_column_size(&columns[i]);
    }
    const scrim_status status = sc_synth_columns_check(&found, error);
    if (status == SCRIM_OK)
        *out = found;
    return status;
}

/* Rows of groups. */

static scrim_status add_group(sc_records *records, const sc_code_column *columns,
                              const sc_group *group, scrim_error *error)
{
    const size_t count = sc_records_columns(records)->count;
    sc_key_part parts[SC_SYNTH_COLUMNS_MAX];
    uint32_t codes[SC_SYNTH_COLUMNS_MAX];
    bool has_all = true;
    for (size_t i = 0; i < count; i++)
        parts[i] = (sc_key_part){.is_text = columns[i].is_text};
    if (!sc_key_tuple_read(group->key, parts, count))
        return sc_fail(error, SCRIM_E_INTERNAL, "a key has other columns");
    for (size_t i = 0; i < count; i++) {
        codes[i] = sc_code_column_find(&columns[i], &parts[i]);
        has_all = has_all && codes[i] != SC_CODE_NONE;
    }
    return has_all ? sc_records_add(records, codes, group->rows, error) : SCRIM_OK;
}

static scrim_status add_groups(sc_records *records, const sc_code_column *columns,
                               const sc_groups *groups, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < groups->count; i++)
        status = add_group(records, columns, &groups->groups[i], error);
    return status;
}

scrim_status sc_records_load(sc_records *records, const sc_code_column *columns,
                             sc_pass *pass, size_t statement, scrim_error *error)
{
    const size_t parts = sc_pass_parts(pass, statement);
    scrim_status status = SCRIM_OK;
    if (parts == 0)
        return add_groups(records, columns, sc_pass_groups(pass, statement), error);
    for (size_t i = 0; status == SCRIM_OK && i < parts; i++) {
        sc_groups groups;
        status = sc_pass_part(pass, statement, i, &groups, error);
        if (status == SCRIM_OK)
            status = add_groups(records, columns, &groups, error);
    }
    return status;
}
