#include "query/language/aggregate_bars.h"

#include "query/language/bar_grid.h"
#include "query/language/typed.h"

/* The largest k of MAX_K, which is a count. */
#define K_MAX ((int64_t)1 << 31)

/* Text has no range: what values there are is found by GROUP BY. */
static scrim_status refuse_text(const sc_typing *typing, const sc_node *node,
                                const sc_aggregate *kind)
{
    return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                     "%s needs a number or a date, and this is text; try %s", kind->name,
                     kind->text_form);
}

static scrim_status read_value(sc_typing *typing, const sc_node *node,
                               const sc_aggregate *kind, const sc_typed **out)
{
    scrim_status status = sc_typed_row(typing, node, out);
    if (status == SCRIM_OK && (*out)->type == SC_TYPE_TEXT)
        return refuse_text(typing, node, kind);
    if (status == SCRIM_OK && !sc_type_is_time((*out)->type))
        status = sc_typing_check_number(typing, node, kind->name, *out);
    return status == SCRIM_OK ? sc_typing_check_varies(typing, node, *out) : status;
}

/* The width as people write it, "0.05". */
static void put_width(const sc_extent *extent, int64_t width,
                      char out[SC_RATIO_TEXT_BYTES])
{
    SC_OWN(sc_ratio, value);
    sc_extent_value(extent->step, width, &value);
    (void)sc_ratio_format(&value, out, SC_RATIO_TEXT_BYTES);
}

static scrim_status read_width(sc_typing *typing, const sc_node *node,
                               const sc_typed *value, int64_t *out)
{
    char text[SC_RATIO_TEXT_BYTES], many[SC_RATIO_TEXT_BYTES];
    const sc_extent *extent = &value->extent;
    sc_extent constant;
    const scrim_status status =
        sc_typed_constant(typing, node, "the width of buckets", &constant);
    if (status != SCRIM_OK)
        return status;
    put_width(extent, 1, text);
    put_width(extent, 100, many);
    if (constant.low <= 0 || !sc_extent_count_of(&constant, extent->step, out) ||
        *out > SC_BAR_GRID_WIDTH)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "the bucket width must be above 0 and a multiple of %.100s, the "
                         "step of the values; write MAX(x, %.100s)",
                         text, many);
    if (sc_bar_grid_of(extent->low, extent->high, *out).count <= SC_BAR_GRID_COUNT)
        return SCRIM_OK;
    put_width(extent,
              sc_bar_grid_least_width(extent->low, extent->high, SC_BAR_GRID_COUNT),
              text);
    return sc_refuse(
        typing->refusal, node->span, SCRIM_E_LIMIT,
        "the range has more than 1048576 buckets of this width; use %.100s or "
        "more, or limit the range with CLAMP(x, low, high)",
        text);
}

static scrim_status read_k(sc_typing *typing, const sc_node *node, uint64_t *out)
{
    sc_extent constant;
    int64_t k = 0;
    const scrim_status status =
        sc_typed_constant(typing, node, "the second part of MAX_K(x, k)", &constant);
    if (status != SCRIM_OK)
        return status;
    if (!sc_extent_count_of(&constant, (sc_value_step){1, 1}, &k) || k < 1 || k > K_MAX)
        return sc_refuse(
            typing->refusal, node->span, SCRIM_E_PARAM,
            "the k of MAX_K(x, k) must be a whole number from 1 to 2147483648: "
            "MAX_K is the largest x that at least k rows reach");
    *out = (uint64_t)k;
    return SCRIM_OK;
}

scrim_status sc_aggregate_bars_read(sc_typing *typing, const sc_node *node,
                                    const sc_call_form *form, sc_query_aggregate *out,
                                    size_t *count)
{
    const size_t before = out->kind->takes_k ? 2 : 1;
    (void)form;
    (void)count;
    scrim_status status = read_value(typing, node->list[0], out->kind, &out->value);
    if (status == SCRIM_OK && out->kind->takes_k)
        status = read_k(typing, node->list[1], &out->k);
    if (status == SCRIM_OK && node->count > before)
        status = read_width(typing, node->list[before], out->value, &out->width);
    return status;
}
