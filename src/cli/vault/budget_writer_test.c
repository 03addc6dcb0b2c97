#include "check.h"
#include "cli/vault/budget_writer.h"

#include <stdio.h>
#include <string.h>

static const char *buffered(sc_output *output)
{
    output->bytes[output->used] = '\0';
    return output->bytes;
}

static sc_budget_row row_of(const char *analyst, const char *unit, const char *limit,
                            const char *spent, const char *left)
{
    sc_budget_row row = {.population = "people", .unit = unit, .charges = 4};
    snprintf(row.analyst, sizeof row.analyst, "%s", analyst);
    snprintf(row.limit, sizeof row.limit, "%s", limit);
    snprintf(row.total, sizeof row.total, "3");
    snprintf(row.spent, sizeof row.spent, "%s", spent);
    snprintf(row.left, sizeof row.left, "%s", left);
    return row;
}

/* One population, two analysts, one of whom has a share. */
typedef struct scenery {
    sc_budget_row rows[4];
    sc_budget_group group;
    scrim_dataset dataset;
    const scrim_dataset *order[1];
    sc_budget_rows all;
} scenery;

static const sc_budget_rows *rows_of(scenery *s)
{
    *s = (scenery){
        .rows = {row_of("", "epsilon", "3", "1", "2"),
                 row_of("alice", "epsilon", "1", "0.9", "0.1"),
                 row_of("bob", "epsilon", "", "1/10", "29/10"),
                 row_of("carol", "epsilon", "", "0", "2")},
        .group = {.budget = {.population = "people",
                             .neighbours = SCRIM_ADD_REMOVE,
                             .accounting = "sum",
                             .unit = "epsilon",
                             .epsilon = "3",
                             .delta = "0",
                             .total = "3",
                             .total_delta = "0",
                             .share = "1"},
                  .forecast = {.window = 4,
                               .average = "0.25",
                               .average_delta = "0",
                               .charges = 8,
                               .seconds = 259200}},
        .dataset = {.name = "adult", .population = "people", .version = 2, .cap = "0.5"}};
    s->order[0] = &s->dataset;
    s->all = (sc_budget_rows){.rows = s->rows,
                              .count = 4,
                              .groups = &s->group,
                              .group_count = 1,
                              .datasets = &s->dataset,
                              .dataset_count = 1,
                              .by_population = s->order,
                              .refusals = 7};
    return &s->all;
}

static const char *write_as(sc_format format)
{
    static sc_output output;
    static const sc_terminal ascii = {.columns = 80};
    scrim_error error;
    scenery s;
    sc_output_init(&output, -1);
    CHECK_STATUS(sc_budget_write(&output, rows_of(&s), format, &ascii, &error), SCRIM_OK);
    return buffered(&output);
}

TEST(budget_in_every_format)
{
    CHECK_STR(write_as(SCRIM_FORMAT_CSV),
              "population,analyst,unit,limit,spent,left,charges\n"
              "people,,epsilon,3,1,2,4\n"
              "people,alice,epsilon,1,0.9,0.1,4\n"
              "people,bob,epsilon,,1/10,29/10,4\n"
              "people,carol,epsilon,,0,2,4\n");
    CHECK_STR(
        write_as(SCRIM_FORMAT_TABLE),
        "budget      people: total epsilon 3, never renewed; add-remove\n"
        "+---------+---------+-------+-------+------+---------+-----------------+\n"
        "| analyst | measure | limit | spent | left | charges | used            |\n"
        "+---------+---------+-------+-------+------+---------+-----------------+\n"
        "| all     | epsilon | 3     | 1     | 2    | 4       | ####......  34% |\n"
        "| alice   | epsilon | 1     | 0.9   | 0.1  | 4       | #########.  90% |\n"
        "| bob     | epsilon |       | 0.1   | 2.9  | 4       | #.........   4% |\n"
        "| carol   | epsilon |       | 0     | 2    | 4       | ..........   0% |\n"
        "+---------+---------+-------+-------+------+---------+-----------------+\n");
    const char *json = write_as(SCRIM_FORMAT_JSON);
    CHECK(
        strstr(json,
               "{\"population\": \"people\", \"analyst\": null, \"unit\": \"epsilon\", "
               "\"limit\": \"3\", \"spent\": \"1\", \"left\": \"2\", \"charges\": 4}") !=
        NULL);
    CHECK(strstr(json,
                 "\"forecast\": {\"window\": 4, \"average\": \"0.25\", "
                 "\"average_delta\": \"0\", \"charges\": 8, \"seconds\": 259200}}") !=
          NULL);
    CHECK(strstr(json, "\"cap\": \"0.5\", \"cap_delta\": null") != NULL);
    CHECK(strstr(json, "\"refusals\": 7, \"witness\": true}\n") != NULL);
    const char *lines = write_as(SCRIM_FORMAT_JSONL);
    CHECK(strncmp(lines, "{\"population\"", 13) == 0 &&
          strstr(lines, "forecast") == NULL);
}

TEST(budget_note_says_what_rows_do_not)
{
    static sc_output output;
    scenery s;
    sc_output_init(&output, -1);
    sc_budget_note_write(&output, rows_of(&s));
    CHECK_STR(
        buffered(&output),
        "share       of people analysts without a share of their own may spend epsilon "
        "1\n"
        "cap         one query to adult costs epsilon 0.5 at most\n"
        "forecast    the last 4 charges of people cost epsilon 0.25 on average; 8 more "
        "like that fit, at their pace within 8 days\n"
        "refused     7 requests in this vault, without a charge\n");
    /* Charges of less than a day have no pace. */
    sc_output_init(&output, -1);
    (void)rows_of(&s);
    s.group.forecast.seconds = 86399;
    sc_budget_note_write(&output, &s.all);
    CHECK(strstr(buffered(&output), "; 8 more like that fit\n") != NULL);
    sc_output_init(&output, -1);
    (void)rows_of(&s);
    s.group.forecast = (scrim_forecast){.window = 0};
    s.dataset.cap[0] = s.group.budget.share[0] = '\0';
    s.all.refusals = 0;
    strcpy(s.group.budget.shares, "9/2");
    s.group.budget.is_overshared = 1;
    sc_budget_note_write(&output, &s.all);
    CHECK_STR(buffered(&output),
              "caution     the shares of people add up to epsilon 4.5, more than its "
              "budget of epsilon 3; not every share can be spent\n"
              "forecast    no recent charges to people\n");
}
