#include "cli/release/tree_view.h"

#include "cli/dataset/policy_draft.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"
#include "cli/terminal/whole_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void sc_tree_view_init(sc_tree_view *view, scrim_hierarchy *tree)
{
    *view = (sc_tree_view){.tree = tree};
    scrim_hierarchy_describe(tree, &view->facts);
    for (size_t i = 0; i < view->facts.levels; i++)
        scrim_hierarchy_level_at(tree, i, &view->levels[i]);
    for (size_t i = 0; i < view->facts.tables; i++) {
        scrim_hierarchy_table_at(tree, i, &view->tables[i]);
        view->places[i] = view->columns;
        view->columns += view->tables[i].columns;
    }
}

sc_signed_file sc_tree_view_file(const sc_tree_view *view, scrim_vault *vault,
                                 const char *kind, const char *option, const char *path)
{
    return (sc_signed_file){.signing = {.vault = vault,
                                        .release = view->facts.release,
                                        .kind = kind,
                                        .said = {{"known", view->facts.guarantee},
                                                 {"doubt", view->facts.doubt}}},
                            .option = option,
                            .path = path,
                            .format = SCRIM_FORMAT_CSV};
}

size_t sc_tree_view_keys(const sc_tree_view *view, size_t node,
                         const char *keys[SC_TREE_VIEW_LEVELS])
{
    scrim_hierarchy_node n;
    scrim_hierarchy_node_at(view->tree, node, &n);
    const size_t level = n.level;
    for (size_t i = level; i > 0; i--) {
        keys[i - 1] = n.key;
        scrim_hierarchy_node_at(view->tree, n.parent, &n);
    }
    return level;
}

static int64_t whole(double x)
{
    return x <= 0 ? 0 : x >= 0x1p62 ? (int64_t)1 << 62 : (int64_t)x;
}

void sc_tree_view_interval(const scrim_hierarchy_node *node, int64_t *low, int64_t *high)
{
    *low = whole(ceil(node->low));
    *high = whole(floor(node->high));
    *low = *low > *high ? *high : *low;
}

double sc_tree_view_error(const scrim_hierarchy_node *node)
{
    const double count = node->count < 1 ? 1 : (double)node->count;
    return (node->high - node->low) / 2 / count;
}

const char *sc_tree_view_query(const sc_tree_view *view,
                               const scrim_hierarchy_query *query,
                               char out[SC_TREE_QUERY_BYTES])
{
    const scrim_hierarchy_table *table = &view->tables[query->table];
    size_t at = 0;
    out[0] = '\0';
    for (size_t i = 0; i < table->columns && at < SC_TREE_QUERY_BYTES; i++)
        if (query->columns >> i & 1)
            at += (size_t)snprintf(out + at, SC_TREE_QUERY_BYTES - at, "%s%s",
                                   at == 0 ? "" : "*", table->names[i]);
    return out;
}

#define POLICY_BYTES (16u << 20)

/* All values of an option; returns their number. */
static size_t take_repeated(const sc_options *options, sc_option option,
                            const char **values)
{
    size_t count = 0;
    for (size_t i = 0; i < options->repeated_count; i++)
        if (options->repeated[i].option == option)
            values[count++] = options->repeated[i].value;
    return count;
}

void sc_tree_request_read(const sc_options *options, sc_tree_request *r)
{
    r->known_count = take_repeated(options, SCRIM_OPTION_INVARIANT, r->known);
    r->design = (scrim_hierarchy_design){
        .size = sizeof r->design,
        .levels = options->value[SCRIM_OPTION_LEVELS],
        .tables = r->tables,
        .table_count = take_repeated(options, SCRIM_OPTION_TABLES, r->tables),
        .queries = r->queries,
        .query_count = take_repeated(options, SCRIM_OPTION_QUERIES, r->queries)};
    r->how = (scrim_query_options){.size = sizeof r->how,
                                   .epsilon = options->value[SCRIM_OPTION_EPSILON],
                                   .delta = options->value[SCRIM_OPTION_DELTA],
                                   .mechanism = options->value[SCRIM_OPTION_MECHANISM],
                                   .shares = options->value[SCRIM_OPTION_SHARES],
                                   .rho = options->value[SCRIM_OPTION_RHO],
                                   .max_groups = options->value[SCRIM_OPTION_MAX_GROUPS],
                                   .max_rows = options->value[SCRIM_OPTION_MAX_ROWS],
                                   .max_total_rows =
                                       options->value[SCRIM_OPTION_MAX_TOTAL_ROWS]};
}

scrim_status sc_tree_request_policy(const sc_options *options, sc_tree_request *r,
                                    scrim_error *error)
{
    sc_policy_draft draft = {.lines = NULL};
    sc_whole_file file;
    if (!sc_options_has(options, SCRIM_OPTION_POLICY))
        return SCRIM_OK;
    scrim_status status = sc_whole_file_read(options->value[SCRIM_OPTION_POLICY],
                                             POLICY_BYTES, &file, error);
    if (status != SCRIM_OK)
        return status;
    status = sc_policy_draft_read(&draft, file.bytes, file.count, error);
    sc_whole_file_clear(&file);
    if (status == SCRIM_OK)
        status = sc_policy_draft_settle(&draft, error);
    if (status == SCRIM_OK) {
        r->policy = sc_policy_draft_text(&draft);
        if (r->policy == NULL)
            status = sc_out_of_memory(error, "a policy");
    }
    sc_policy_draft_clear(&draft);
    return status;
}

void sc_tree_request_clear(sc_tree_request *r)
{
    free(r->policy);
    r->policy = NULL;
}

scrim_status sc_tree_request_plan(const sc_tree_request *r, scrim_vault *vault,
                                  const char *dataset, scrim_plan **out,
                                  scrim_error *error)
{
    scrim_caret caret = {0};
    if (r->design.levels == NULL)
        return sc_refuse(error, "missing --levels; give columns, the coarsest first, as "
                                "in --levels country,education,sex");
    const scrim_status status =
        r->policy != NULL ? scrim_hierarchy_plan_policy(r->policy, &r->design, &r->how,
                                                        out, &caret, error)
                          : scrim_hierarchy_plan_design(vault, dataset, &r->design,
                                                        &r->how, out, &caret, error);
    if (status != SCRIM_OK && caret.text[0] != '\0')
        sc_talk_caret(caret.text);
    return status;
}
