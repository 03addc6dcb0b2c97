#include "check.h"
#include "queries.h"
#include "query/rows/row_program.h"

#include <string.h>

enum { ROWS = 4 };

static int64_t ages[] = {5, 20, 30, 40};
static sc_text sexes[] = {{"Female", 6}, {"Other", 5}, {"Male", 4}, {"Female", 6}};
static sc_text cities[] = {{"a", 1}, {"a", 1}, {"b", 1}, {"c", 1}};
static sc_text units[] = {{"1", 1}, {"2", 1}, {"3", 1}, {"4", 1}};
static uint64_t hashes[] = {11, 12, 13, 14};

/* A statement on rows of age, sex and city, in the order that it reads them. */
typedef struct program_run {
    query_asked asked;
    sc_statistics statistics;
    const sc_row_program *program;
    sc_batch_column columns[4];
    sc_batch batch;
    sc_row_workspace bench;
    sc_group_rows rows;
} program_run;

static bool run_begin(program_run *r, const char *query, bool has_public_keys,
                      size_t from)
{
    static const sc_value_key key = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
    memset(r, 0, sizeof *r);
    query_ask(&r->asked, query);
    if (!CHECK_STATUS(r->asked.status, SCRIM_OK) ||
        !CHECK_STATUS(sc_statistics_of(
                          r->asked.query,
                          &(sc_statistics_plan){.bounds = r->asked.query->schema->bounds},
                          &r->asked.arena, &r->statistics, NULL),
                      SCRIM_OK))
        return false;
    const sc_query *q = r->asked.query;
    for (size_t i = 0; i < q->read_count; i++) {
        const sc_text name = r->asked.schema->columns[q->reads[i]].name;
        if (sc_text_is(name, "age"))
            r->columns[i].values = ages;
        else
            r->columns[i] = (sc_batch_column){
                .texts = sc_text_is(name, "sex") ? sexes : cities, .hashes = hashes};
    }
    r->batch = (sc_batch){
        .rows = ROWS, .unit = {.texts = units, .hashes = hashes}, .columns = r->columns};
    return CHECK_STATUS(
               sc_row_program_compile(&(sc_row_plan){.query = q,
                                                     .statistics = &r->statistics,
                                                     .has_public_keys = has_public_keys,
                                                     .columns = q->reads,
                                                     .column_count = q->read_count},
                                      &r->asked.arena, &r->program, NULL),
               SCRIM_OK) &&
           CHECK(sc_row_workspace_init(&r->bench, r->program, &r->asked.arena)) &&
           CHECK_STATUS(sc_row_program_run(r->program, &r->bench, &r->batch, from,
                                           ROWS - from, &key, &r->rows, NULL),
                        SCRIM_OK);
}

static void run_end(program_run *r)
{
    sc_row_workspace_clear(&r->bench);
    query_forget_asked(&r->asked);
}

TEST(row_program_computes_what_the_query_says)
{
    CLAIM("row-program.rows");
    static const char query[] =
        "SELECT sex, city, SUM(age + 1) AS s, SUM(age) AS t WHERE age > 10 GROUP BY sex, "
        "city";
    static const char *const keys[] = {"Female\0a", "Other\0a", "Male\0b", "Female\0c"};
    static const size_t bytes[] = {9, 8, 7, 9};
    for (int is_public = 0; is_public < 2; is_public++)
        for (size_t from = 0; from < ROWS; from++) {
            program_run r;
            if (run_begin(&r, query, is_public == 1, from)) {
                CHECK_INT(r.rows.count, ROWS - from);
                CHECK(!sc_row_program_is_text(r.program));
                for (size_t i = from; i < ROWS; i++) {
                    const size_t at = i - from;
                    CHECK_INT(r.rows.where[at],
                              ages[i] > 10 && (is_public == 1 || i != 1));
                    CHECK_INT(r.rows.keys[at].bytes, bytes[i]);
                    CHECK_BYTES(r.rows.keys[at].start, keys[i], bytes[i]);
                    CHECK_INT(r.rows.values[0][at], ages[i] + 1);
                    CHECK_INT(r.rows.values[1][at], ages[i]);
                    CHECK(sc_text_equal(r.rows.units[at], units[i]));
                    CHECK_INT(r.rows.unit_hashes[at], hashes[i]);
                }
            }
            run_end(&r);
        }
}

TEST(row_program_hands_columns_on)
{
    CLAIM("row-program.rows");
    program_run r;
    if (run_begin(&r, "SELECT city, SUM(age) AS s GROUP BY city", false, 1)) {
        CHECK(sc_row_program_is_text(r.program));
        CHECK(r.rows.where == NULL);
        CHECK(r.rows.keys == cities + 1 && r.rows.key_hashes == hashes + 1);
        CHECK(r.rows.values[0] == ages + 1);
    }
    run_end(&r);
    if (run_begin(&r, "SELECT SUM(age) AS s", true, 0))
        CHECK(r.rows.keys == NULL && r.rows.where == NULL);
    run_end(&r);
}
