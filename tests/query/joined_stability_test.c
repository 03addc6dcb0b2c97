/* How far one unit moves the counts of a question with a join, against the vectors that were found by trying all
 * small databases; and that the designs which overlook something are found out by them. */
#include "check.h"
#include "pass_scene.h"
#include "query/language/lookup.h"
#include "query/language/validate.h"
#include "query/plan/plan_keys.h"
#include "query/rows/key_tuple.h"
#include "query/rows/sensitivity.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEYS = 3, SEEDS = 5 }; /* N, S and NULL */

typedef struct scene {
    char path[64];
    const sc_schema *schema;
    sc_arena arena;
    const sc_query *query;
    sc_statistics statistics;
    sc_reach reach;
} scene;

static bool is_set(const json_t *row, const char *name)
{
    return json_is_true(json_object_get(row, name));
}

static bool begin(scene *s, const json_t *row)
{
    char policy[600], text[200];
    sc_refusal refusal = {.error = NULL};
    *s = (scene){.schema = NULL};
    FILE *file = pass_file_new(s->path);
    sc_arena_init(&s->arena);
    if (!CHECK(file != NULL))
        return false;
    fclose(file);
    snprintf(
        policy, sizeof policy,
        "unit=who\ncolumn=city=text\nneighbours=%s\nmax-groups=%u\nmax-rows=%u\n"
        "max-total-rows=%u\ncsv=%s\njoin=d=city=city\njoin-column=d=city=text\n"
        "join-cells=d=city=p,q\njoin-column=d=region=text\njoin-cells=d=region=N,S\n",
        vectors_text(row, "relation"), (unsigned)vectors_number(row, "max_groups"),
        (unsigned)vectors_number(row, "max_rows"),
        (unsigned)vectors_number(row, "max_total_rows"), s->path);
    snprintf(text, sizeof text,
             "SELECT region, COUNT(*) AS n FROM a %sJOIN d USING (city) GROUP BY region",
             is_set(row, "is_left") ? "LEFT " : "");
    if (!CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &s->schema, NULL),
                      SCRIM_OK) ||
        !CHECK_STATUS(sc_validate(sc_text_of(text), sc_text_of("a"), s->schema, &s->arena,
                                  &s->query, &refusal),
                      SCRIM_OK))
        return false;
    const uint64_t keys = sc_plan_key_count(&s->query->keys[0]);
    s->reach = (sc_reach){s->schema->neighbours,
                          sc_bounds_normal(&s->schema->bounds, keys), keys};
    return CHECK_STATUS(sc_statistics_of(s->query,
                                         &(sc_statistics_plan){.bounds = s->reach.bounds},
                                         &s->arena, &s->statistics, NULL),
                        SCRIM_OK);
}

static void end(scene *s)
{
    sc_schema_free(s->schema);
    sc_arena_clear(&s->arena);
    unlink(s->path);
}

/* The counts of N, S and NULL, without noise. */
static bool count_rows(const scene *s, const char *others, const char *unit,
                       uint64_t seed, int64_t out[KEYS])
{
    const sc_pass_options options = {.workers = 1};
    const sc_pass_statement asked = {
        .query = s->query, .statistics = &s->statistics, .bounds = s->reach.bounds};
    sc_pass *pass = NULL;
    FILE *file = fopen(s->path, "w");
    if (!CHECK(file != NULL))
        return false;
    fprintf(file, "who,city\n");
    for (; *others != '\0'; others++)
        fprintf(file, "v,%c\n", *others);
    for (; *unit != '\0'; unit++)
        fprintf(file, "u,%c\n", *unit);
    fclose(file);
    memset(out, 0, KEYS * sizeof *out);
    if (!CHECK_STATUS(pass_run(s->schema, &asked, 1, &options, seed, &pass, NULL),
                      SCRIM_OK))
        return false;
    const sc_groups *groups = sc_pass_groups(pass, 0);
    for (size_t i = 0; i < groups->count; i++) {
        sc_key_part part = {.is_text = true};
        if (CHECK(sc_key_tuple_read(groups->groups[i].key, &part, 1)))
            out[sc_key_part_is_null(&part)   ? 2
                : sc_text_is(part.text, "S") ? 1
                                             : 0] = (int64_t)groups->groups[i].rows;
    }
    sc_pass_close(pass);
    return true;
}

/* The farthest that the unit of a vector moves them together, whatever the keys of bounding are. */
static uint64_t farthest(const scene *s, const json_t *row)
{
    const char *others = vectors_text(row, "others");
    uint64_t most = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        int64_t here[KEYS], there[KEYS];
        uint64_t apart = 0;
        if (!count_rows(s, others, vectors_text(row, "unit"), seed, here) ||
            !count_rows(s, others, vectors_text(row, "neighbour"), seed, there))
            return 0;
        for (size_t i = 0; i < KEYS; i++)
            apart += (uint64_t)llabs(here[i] - there[i]);
        most = apart > most ? apart : most;
    }
    return most;
}

static void check_norms(const scene *s, const sc_reach *reach, const json_t *row)
{
    const sc_group_statistic *rows = &s->statistics.list[0];
    sc_norms norms;
    sc_norms_init(&norms);
    sc_sensitivity_of(rows, NULL, reach, &norms);
    CHECK_INT(rows->kind, SC_STATISTIC_ROWS);
    CHECK(sc_ratio_compare_int64(&norms.l1, (int64_t)vectors_number(row, "claimed_l1")) ==
          0);
    CHECK(sc_ratio_compare_int64(&norms.largest,
                                 (int64_t)vectors_number(row, "claimed_largest")) == 0);
    /* l2 is rounded up by at most 2^-20. */
    SC_OWN(sc_ratio, square, most, ten);
    sc_ratio_mul(&square, &norms.l2, &norms.l2);
    const int64_t claimed = (int64_t)vectors_number(row, "claimed_l2squared");
    CHECK(sc_ratio_compare_int64(&square, claimed) >= 0);
    sc_ratio_set_int64(&most, 10 * claimed + 1);
    sc_ratio_set_int64(&ten, 10);
    sc_ratio_mul(&square, &square, &ten);
    CHECK(sc_ratio_compare(&square, &most) < 0);
    sc_norms_clear(&norms);
}

SLOW_TEST(joined_rows_move_as_far_as_the_vectors_say)
{
    CLAIM("joined.stability");
    const json_t *rows = vectors_load("joins", "stability");
    size_t exceeded = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        scene s;
        if (begin(&s, row)) {
            const uint64_t moved = farthest(&s, row), keys = s.reach.groups;
            sc_reach reach = s.reach;
            CHECK_INT(moved, vectors_number(row, "attained"));
            if (is_set(row, "is_fault")) { /* NULL is not counted among the keys */
                CHECK_INT(keys, vectors_number(row, "groups") + 1);
                reach.groups--;
                reach.bounds = sc_bounds_normal(&s.schema->bounds, reach.groups);
            } else {
                CHECK_INT(keys, vectors_number(row, "groups"));
            }
            check_norms(&s, &reach, row);
            CHECK_INT(moved > vectors_number(row, "claimed_l1"), is_set(row, "exceeded"));
            exceeded += moved > vectors_number(row, "claimed_l1");
        }
        end(&s);
    }
    CHECK(exceeded >= 3);
}

/* The rows of a public table that a value meets, if its keys are read as those of the column are: clamped. */
static size_t clamped_matches(const int64_t *keys, size_t count, const sc_column *as,
                              int64_t value)
{
    size_t matches = 0;
    for (size_t i = 0; i < count; i++) {
        const int64_t key = keys[i] < as->grid.low    ? as->grid.low
                            : keys[i] > as->grid.high ? as->grid.high
                                                      : keys[i];
        matches += key == value;
    }
    return matches;
}

/* Keys 0, 2, 3 and 4 of a column that holds 0 to 2: clamped, three of them would be 2. */
TEST(X18_public_keys_are_never_clamped)
{
    CLAIM("public-table.unique");
    static const int64_t keys[] = {0, 2, 3, 4};
    const sc_schema *schema = NULL;
    sc_public_index index;
    sc_arena arena;
    sc_arena_init(&arena);
    REQUIRE_OK(sc_schema_parse(
        sc_text_of("unit=row\ncolumn=k=int[0,2]\njoin=d=k=k\njoin-column=d=k=int[0,4]\n"
                   "join-cells=d=k=0,2,3,4\n"),
        NULL, &schema, NULL));
    const sc_public_table *table = &schema->joins.list[0];
    REQUIRE_OK(sc_public_index_of(table, &table->columns[0], &schema->columns[0], &arena,
                                  &index, NULL));
    CHECK_INT(index.count, 2);
    for (int64_t value = 0; value <= 2; value++)
        CHECK_INT(sc_public_index_value(&index, value) < index.count, value != 1);
    CHECK_INT(clamped_matches(keys, COUNT(keys), &schema->columns[0], 2), 3);
    sc_schema_free(schema);
    sc_arena_clear(&arena);
}
