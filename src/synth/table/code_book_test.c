#include "check.h"
#include "pass_scene.h"
#include "synth/table/code_book.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const sc_text cities[] = {{"a", 1}, {"b", 1}, {"bb", 2}};

TEST(code_book_has_a_code_for_every_value)
{
    CLAIM("code-book.total");
    const sc_code_column ages = {.first = 17, .width = 5, .bins = 15};
    const sc_code_column towns = {.is_text = true,
                                  .texts = cities,
                                  .text_count = 3,
                                  .has_other = true,
                                  .has_null = true};
    const sc_code_column closed = {.is_text = true, .texts = cities, .text_count = 3};
    static const struct {
        int64_t value;
        uint32_t code;
    } numbers[] = {{INT64_MIN + 1, 0}, {17, 0}, {21, 0}, {22, 1}, {90, 14}, {1 << 30, 14},
                   {INT64_MAX - 1, 14}};
    for (size_t i = 0; i < COUNT(numbers); i++)
        CHECK_INT(sc_code_column_find(&ages, &(sc_key_part){.value = numbers[i].value}),
                  numbers[i].code);
    CHECK_INT(sc_code_column_size(&ages), 15);
    CHECK_INT(sc_code_column_size(&towns), 5);
    static const struct {
        const char *text;
        uint32_t code;
    } texts[] = {{"a", 0}, {"b", 1}, {"bb", 2}, {"", 3}, {"ab", 3}, {"c", 3}};
    for (size_t i = 0; i < COUNT(texts); i++) {
        const sc_key_part part = {.is_text = true, .text = sc_text_of(texts[i].text)};
        CHECK_INT(sc_code_column_find(&towns, &part), texts[i].code);
        CHECK_INT(sc_code_column_find(&closed, &part),
                  texts[i].code == 3 ? SC_CODE_NONE : texts[i].code);
    }
    const sc_key_part null = {.value = SC_NULL};
    CHECK_INT(sc_code_column_find(&ages, &null), SC_CODE_NONE);
    const sc_code_column may = {.first = 0, .width = 1, .bins = 2, .has_null = true};
    CHECK_INT(sc_code_column_find(&may, &null), 2);
}

TEST(code_book_refuses_what_is_no_column)
{
    const sc_text wrong[] = {{"b", 1}, {"a", 1}};
    const sc_code_column list[] = {{.width = 1, .bins = 0},
                                   {.width = 0, .bins = 3},
                                   {.is_text = true, .texts = wrong, .text_count = 2},
                                   {.is_text = true}};
    sc_synth_columns out = {.count = 0};
    for (size_t i = 0; i < COUNT(list); i++)
        CHECK_STATUS(sc_code_columns_sizes(&list[i], 1, &out, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_code_columns_sizes(list, 0, &out, NULL), SCRIM_E_PARAM);
    CHECK_INT(out.count, 0);
    const sc_code_column good[] = {{.width = 7, .bins = 3},
                                   {.is_text = true, .has_other = true}};
    REQUIRE_OK(sc_code_columns_sizes(good, 2, &out, NULL));
    CHECK_INT(out.sizes[0], 3);
    CHECK_INT(out.sizes[1], 1);
}

enum { PEOPLE = 60 };

/* Person i has three equal rows, of which two are kept. */
static void write_rows(char path[64])
{
    FILE *file = pass_file_new(path);
    if (!CHECK(file != NULL))
        return;
    fputs("person_id,age,income,weight,day,born,married,sex,city,home town,big,small,"
          "seen\n",
          file);
    for (unsigned i = 0; i < 3 * PEOPLE; i++)
        fprintf(file, "%u,%u,0,1,2020-02-03,1999-01-01,true,%s,%c,x,0,0.5,\n", i % PEOPLE,
                i % PEOPLE, i % PEOPLE % 2 == 0 ? "Male" : "Female",
                'a' + (int)(i % PEOPLE % 4));
    fclose(file);
}

/* Rows of a file, bounded by unit, as records: bins of ages, cities with `other`. */
TEST(code_book_loads_what_a_pass_has_kept)
{
    CLAIM("code-book.rows");
    static pass_question s;
    static const sc_text sexes[] = {{"Female", 6}, {"Male", 4}};
    const sc_code_column columns[] = {
        {.first = 0, .width = 10, .bins = 6},
        {.is_text = true, .texts = sexes, .text_count = 2},
        {.is_text = true, .texts = cities, .text_count = 3, .has_other = true}};
    const sc_schema *schema = NULL;
    const sc_pass_options options = {.workers = 2};
    sc_synth_columns sizes;
    sc_records *records = NULL;
    sc_pass *pass = NULL;
    char path[64];
    write_rows(path);
    snprintf(s.text, sizeof s.text,
             "SELECT age, sex, city, COUNT(*) AS n GROUP BY age, sex, city");
    REQUIRE(pass_schema_open(path, "person_id", &schema) &&
            CHECK(pass_question_read(&s, schema)));
    s.asked.max_groups = 1;
    s.asked.max_rows = 2;
    REQUIRE_OK(pass_run(schema, &s.asked, 1, &options, 3, &pass, NULL));
    REQUIRE_OK(sc_code_columns_sizes(columns, 3, &sizes, NULL));
    REQUIRE_OK(sc_records_new(&sizes, 3 * PEOPLE, &records, NULL));
    REQUIRE_OK(sc_records_load(records, columns, pass, 0, NULL));
    CHECK_INT(sc_records_total(records), 2 * PEOPLE);
    int64_t counts[6 * 2 * 4] = {0}, *out = counts;
    const sc_clique all = 7;
    sc_records_count(records, &all, 1, &out);
    int64_t want[6 * 2 * 4] = {0};
    for (size_t i = 0; i < PEOPLE; i++) { /* c and d are others */
        const size_t city = i % 4 < 2 ? i % 4 : 3;
        want[(i / 10 * 2 + (i % 2 == 0 ? 1 : 0)) * 4 + city] += 2;
    }
    for (size_t i = 0; i < COUNT(want); i++)
        CHECK_INT(counts[i], want[i]);
    sc_records_free(records);
    sc_pass_close(pass);
    sc_arena_clear(&s.arena);
    sc_schema_free(schema);
    unlink(path);
}
