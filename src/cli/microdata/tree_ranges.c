#include "cli/microdata/tree_ranges.h"

#include "cli/sheet/listing.h"
#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The leaves that are not NULL, in increasing order. */
typedef struct leaves {
    const sc_tree_view *view;
    double *values;
    const char **keys;
    double *weights; /* of all leaves, NULL too */
    size_t count, all;
} leaves;

bool sc_tree_ranges_asked(const sc_options *options)
{
    return sc_options_has(options, SCRIM_OPTION_RANGE) ||
           sc_options_has(options, SCRIM_OPTION_QUANTILE);
}

static bool read_number(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out);
}

static scrim_status read_leaves(leaves *l, scrim_error *error)
{
    const scrim_hierarchy_level *last = &l->view->levels[l->view->facts.levels - 1];
    l->all = last->count;
    l->values = calloc(l->all, sizeof *l->values);
    l->keys = calloc(l->all, sizeof *l->keys);
    l->weights = calloc(l->all, sizeof *l->weights);
    if (l->values == NULL || l->keys == NULL || l->weights == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    for (size_t i = 0; i < l->all; i++) {
        scrim_hierarchy_node node;
        double value;
        scrim_hierarchy_node_at(l->view->tree, last->first + i, &node);
        if (node.key == NULL)
            continue;
        if (!read_number(node.key, &value) || l->count < i ||
            (i > 0 && value <= l->values[i - 1]))
            return sc_refuse(error,
                             "ranges and quantiles need a tree of one numeric "
                             "column, as --levels 'BUCKET(age, 10) AS decade,age'");
        l->keys[i] = node.key;
        l->values[l->count++] = value;
    }
    if (l->count == 0)
        return sc_refuse(error, "the last level has no values");
    return SCRIM_OK;
}

/* Rows. */

static const sc_listing_column columns[] = {{.name = "question"},
                                            {"value", SC_KIND_NUMBER},
                                            {"low", SC_KIND_NUMBER},
                                            {"high", SC_KIND_NUMBER},
                                            {"deviation", SC_KIND_NUMBER | SC_OPTIONAL}};

static scrim_status add_range(leaves *l, const char *text, sc_listing *page,
                              scrim_error *error)
{
    char cells[4][SC_BOUND_BYTES], name[80];
    double ends[2];
    char first[40];
    const char *comma = NULL;
    for (const char *c = text; *c != '\0'; c++)
        comma = *c == ',' ? c : comma;
    if (comma == NULL || (size_t)(comma - text) >= sizeof first)
        return sc_refuse(error, "'%.60s' is not a range; write LOW,HIGH as in 18,64",
                         text);
    snprintf(first, sizeof first, "%.*s", (int)(comma - text), text);
    if (!read_number(first, &ends[0]) || !read_number(comma + 1, &ends[1]) ||
        ends[0] > ends[1])
        return sc_refuse(error, "'%.60s' is not a range; write LOW,HIGH as in 18,64",
                         text);
    for (size_t i = 0; i < l->all; i++)
        l->weights[i] =
            i < l->count && l->values[i] >= ends[0] && l->values[i] <= ends[1];
    scrim_hierarchy_sum sum;
    SC_TRY(
        scrim_hierarchy_linear(l->view->tree, SCRIM_NO_TABLE, l->weights, &sum, error));
    snprintf(name, sizeof name, "range %.60s", text);
    sc_bound_format_exact(sum.estimate, cells[0]);
    sc_bound_format_exact(fmax(0, sum.low), cells[1]);
    sc_bound_format_exact(fmax(0, sum.high), cells[2]);
    sc_bound_format_exact(sum.deviation, cells[3]);
    sc_listing_add(page, (const char *[]){name, cells[0], cells[1], cells[2], cells[3]});
    return SCRIM_OK;
}

/* D(k), for the place k of a leaf. */
static scrim_status find_lead(leaves *l, size_t k, double p, scrim_hierarchy_sum *out,
                              scrim_error *error)
{
    for (size_t i = 0; i < l->all; i++)
        l->weights[i] = i >= l->count ? 0 : (i <= k ? 1 : 0) - p;
    return scrim_hierarchy_linear(l->view->tree, SCRIM_NO_TABLE, l->weights, out, error);
}

static scrim_status add_quantile(leaves *l, const char *text, sc_listing *page,
                                 scrim_error *error)
{
    char name[80];
    double p;
    size_t value = l->count - 1, low = l->count - 1, behind = 0;
    if (!read_number(text, &p) || !(p > 0 && p < 1))
        return sc_refuse(error,
                         "'%.60s' is not a quantile; it must be above 0 and below "
                         "1, such as 0.5",
                         text);
    for (size_t k = l->count; k-- > 0;) {
        scrim_hierarchy_sum lead;
        const scrim_status status = find_lead(l, k, p, &lead, error);
        if (status != SCRIM_OK)
            return status;
        value = lead.estimate >= 0 ? k : value;
        low = lead.high >= 0 ? k : low;
        behind = lead.low < 0 && behind == 0 ? k + 1 : behind;
    }
    const size_t high = behind < l->count ? behind : l->count - 1;
    snprintf(name, sizeof name, "quantile %.60s", text);
    sc_listing_add(
        page, (const char *[]){name, l->keys[value], l->keys[low], l->keys[high], ""});
    return SCRIM_OK;
}

static scrim_status add_rows(leaves *l, const sc_options *options, sc_listing *page,
                             scrim_error *error)
{
    for (size_t i = 0; i < options->repeated_count; i++) {
        const sc_repeated *asked = &options->repeated[i];
        if (asked->option == SCRIM_OPTION_RANGE)
            SC_TRY(add_range(l, asked->value, page, error));
        else if (asked->option == SCRIM_OPTION_QUANTILE)
            SC_TRY(add_quantile(l, asked->value, page, error));
    }
    return SCRIM_OK;
}

scrim_status sc_tree_ranges(const sc_tree_view *view, scrim_vault *vault,
                            const sc_options *options, scrim_error *error)
{
    leaves l = {.view = view};
    sc_signing signing = {
        .vault = vault, .release = view->facts.release, .kind = "ranges"};
    sc_listing *page = NULL;
    scrim_status status = read_leaves(&l, error);
    if (status == SCRIM_OK)
        status =
            sc_page_new(options, columns, sizeof columns / sizeof *columns, &page, error);
    if (status == SCRIM_OK)
        status = sc_signing_begin(&signing, page->output, error);
    if (status == SCRIM_OK) {
        page->signing = &signing;
        status = add_rows(&l, options, page, error);
    }
    status = sc_page_end(page, status, error);
    signing.output = NULL; /* gone with the page */
    sc_signing_clear(&signing);
    free(l.values);
    free(l.keys);
    free(l.weights);
    return status;
}
