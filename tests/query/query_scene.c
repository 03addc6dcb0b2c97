#include "query_scene.h"

#include "base/text.h"
#include "check.h"
#include "queries.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const char query_scene_columns[] = "unit=person\n"
                                   "column=age=int[0,120]\n"
                                   "column=sex=text\n"
                                   "keys=sex=Female,Male\n"
                                   "column=city=text\n"
                                   "column=income=decimal[0,1000]\n";

/* A line that the policy does not have itself. */
static const char *unless_said(const char *policy, const char *key, const char *line)
{
    return strstr(policy, key) == NULL ? line : "";
}

/* Memory and temporary space follow the declared size, for each query of a batch: tests run side by side, and a small
 * one keeps them from filling the disk. */
static bool open_scene(query_scene *s, const char *policy)
{
    char text[4000];
    struct stat table;
    const bool is_small = stat(s->table, &table) == 0 && table.st_size <= 4 << 20;
    scrim_status status = scrim_vault_init(s->base.path, NULL, &s->error);
    snprintf(text, sizeof text, "%s%s%s%scsv=%s\n", policy, query_bounds(policy),
             unless_said(policy, "neighbours=", "neighbours=add-remove\n"),
             is_small ? unless_said(policy, "max-size=", "max-size=4MiB\n") : "",
             s->table);
    if (status == SCRIM_OK)
        status = scrim_vault_open(s->base.path, NULL, &s->vault, &s->error);
    if (status == SCRIM_OK)
        status = scrim_vault_add_dataset(s->vault, "people", text, &s->error);
    if (status != SCRIM_OK)
        CHECK_FAIL("no dataset: %s", s->error.message);
    return status == SCRIM_OK;
}

bool query_scene_write(const query_scene *s, const char *bytes)
{
    FILE *file = fopen(s->table, "w");
    if (file == NULL)
        return CHECK(false);
    const bool is_written = CHECK(fputs(bytes, file) >= 0);
    return CHECK(fclose(file) == 0) && is_written;
}

bool query_scene_begin(query_scene *s, const char *policy, const char *bytes)
{
    *s = (query_scene){.vault = NULL};
    if (!scene_begin(&s->base))
        return false;
    snprintf(s->table, sizeof s->table, "%s/table.csv", s->base.folder);
    return query_scene_write(s, bytes) && open_scene(s, policy);
}

bool query_scene_begin_with(query_scene *s, const char *policy, const char *path)
{
    *s = (query_scene){.vault = NULL};
    if (!scene_begin(&s->base))
        return false;
    snprintf(s->table, sizeof s->table, "%s", path);
    return open_scene(s, policy);
}

void query_scene_end(query_scene *s)
{
    scrim_vault_close(s->vault);
    scene_end(&s->base);
}

scrim_status query_scene_ask_all(query_scene *s, const char *const *queries, size_t count,
                                 const scrim_query_options *options, scrim_result **out)
{
    scrim_plan *plan = NULL;
    scrim_caret caret;
    *out = NULL;
    s->error = (scrim_error){.message = ""};
    scrim_status status = scrim_plan_new(s->vault, "people", queries, count, options,
                                         &plan, &caret, &s->error);
    if (status == SCRIM_OK)
        status = scrim_query_run(s->vault, plan, out, &s->error);
    scrim_plan_free(plan);
    return status;
}

scrim_status query_scene_ask(query_scene *s, const char *query,
                             const scrim_query_options *options, scrim_result **out)
{
    return query_scene_ask_all(s, &query, 1, options, out);
}

const char *query_scene_left(const query_scene *s, char text[3 * SCRIM_NUMBER_BYTES])
{
    scrim_budget budget;
    text[0] = '\0';
    if (CHECK_STATUS(scrim_vault_budget(s->vault, 0, NULL, &budget, NULL), SCRIM_OK))
        snprintf(text, (size_t)3 * SCRIM_NUMBER_BYTES, "%s %s %" PRIu64, budget.left,
                 budget.left_delta, budget.charges);
    return text;
}

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text == NULL ? "-" : text));
}

static void put_cell(sc_text_sink *sink, const scrim_result_cell *cell, bool is_shape)
{
    const bool is_key = cell->low == NULL;
    if (is_key || !is_shape) {
        put(sink, cell->value);
        put(sink, is_key ? "" : " [");
    }
    if (is_key)
        return;
    if (!is_shape) {
        put(sink, cell->low);
        put(sink, ",");
        put(sink, cell->high);
        put(sink, "]");
        return;
    }
    const char *point = strchr(cell->value, '.');
    put(sink, "#");
    sc_text_put_times(sink, 'd', point == NULL ? 0 : strlen(point + 1));
}

static void put_statement(sc_text_sink *sink, const scrim_result *result,
                          size_t statement, bool is_shape)
{
    const size_t columns = scrim_result_columns(result, statement);
    put(sink, scrim_result_text(result, statement));
    put(sink, "\n");
    for (size_t c = 0; c < columns; c++) {
        const scrim_result_column *column = scrim_result_column_at(result, statement, c);
        put(sink, column->name);
        put(sink, "/");
        put(sink, column->note);
        sc_text_put_times(sink, '*', (size_t)column->kind);
    }
    put(sink, "\n");
    for (size_t r = 0; r < scrim_result_rows(result, statement); r++) {
        for (size_t c = 0; c < columns; c++) {
            put_cell(sink, scrim_result_cell_at(result, statement, r, c), is_shape);
            put(sink, "|");
        }
        put(sink, "\n");
    }
}

const char *query_scene_show(const scrim_result *result, bool is_shape, char *text,
                             size_t capacity)
{
    scrim_result_facts facts;
    char line[3 * SCRIM_NUMBER_BYTES + 300];
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    scrim_result_describe(result, &facts);
    snprintf(line, sizeof line, "%s %" PRIu64 " %s %s %s %s\n", facts.dataset,
             facts.version, facts.confidence, facts.cost.epsilon, facts.cost.delta,
             facts.cost.rho);
    put(&sink, line);
    for (size_t i = 0; i < facts.statements; i++)
        put_statement(&sink, result, i, is_shape);
    CHECK(sink.length < capacity);
    return text;
}

const char *query_scene_values(const scrim_result *result, size_t statement, char *text,
                               size_t capacity)
{
    sc_text_sink sink;
    const size_t columns = scrim_result_columns(result, statement);
    sc_text_sink_init(&sink, text, capacity);
    for (size_t r = 0; r < scrim_result_rows(result, statement); r++)
        for (size_t c = 0; c < columns; c++) {
            const scrim_result_cell *cell = scrim_result_cell_at(result, statement, r, c);
            put(&sink, cell->is_null ? "NULL" : cell->value);
            put(&sink, c + 1 == columns ? ";" : ",");
        }
    return text;
}

void query_scene_check_values(query_scene *s, const char *query,
                              const scrim_query_options *options, const char *want)
{
    char text[4000];
    scrim_result *result = NULL;
    if (!CHECK_STATUS(query_scene_ask(s, query, options, &result), SCRIM_OK)) {
        CHECK_STR(s->error.message, query);
        return;
    }
    if (!CHECK_STR(query_scene_values(result, 0, text, sizeof text), want))
        CHECK_STR("", query);
    scrim_result_free(result);
}
