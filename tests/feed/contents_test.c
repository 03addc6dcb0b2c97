/* Names of contents: the same rows have the same name, all others another, whatever stands in them. */
#include "check.h"
#include "faults.h"
#include "feed_scene.h"

#include <stdio.h>
#include <string.h>

#define ROWS 4
static const char live[] = "unit=p\nmax-groups=2\nmax-rows=2\ncolumn=x=int[0,20]\n"
                           "column=t=text\nlive=yes";

static const char *const people[ROWS] = {"1", "2", "3", NULL};
static const char *const numbers[ROWS] = {"10", "20", NULL, "1000"};
static const char *const texts[ROWS] = {"a", "", NULL, "bc"};

/* Names the rows, cut into batches of `step`. Returns the number of the name; 0: refused. */
static unsigned named(feed_scene *s, const char *dataset, const arrow_cells *columns,
                      size_t count, size_t rows, size_t step, bool has_failed)
{
    arrow_batch batches[ROWS];
    const struct ArrowArray *arrays[ROWS];
    char version[SCRIM_CONTENTS_BYTES] = "";
    unsigned number = 0;
    scrim_frame frame = {.size = sizeof frame,
                         .schema = &batches[0].schema,
                         .batches = arrays,
                         .has_failed = has_failed};
    for (size_t at = 0; at < rows; at += step) {
        arrow_batch *batch = &batches[frame.batch_count];
        const size_t rest = rows - at;
        if (!CHECK(arrow_batch_make(batch, columns, count, at, rest < step ? rest : step,
                                    at % 3)))
            return 0;
        arrays[frame.batch_count++] = &batch->array;
    }
    if (scrim_vault_contents(s->vault, dataset, &frame, NULL, NULL, version, &s->error) ==
        SCRIM_OK)
        CHECK_INT(sscanf(version, "contents-%u", &number), 1);
    while (frame.batch_count > 0)
        arrow_batch_clear(&batches[--frame.batch_count]);
    return number;
}

TEST(contents_have_one_name_however_they_are_cut)
{
    CLAIM("contents.same");
    const arrow_cells columns[] = {
        {"p", "l", NULL, people}, {"x", "i", NULL, numbers}, {"t", "u", NULL, texts}};
    /* Other types of the same values: a unit of 16 bits, a text with long offsets. */
    const arrow_cells other[] = {
        {"p", "s", NULL, people}, {"x", "l", NULL, numbers}, {"t", "U", NULL, texts}};
    feed_scene s;
    if (!feed_scene_begin(&s, live, 0))
        return;
    for (size_t step = 1; step <= ROWS; step++) {
        CHECK_INT(named(&s, "rows", columns, 3, ROWS, step, false), 1);
        CHECK_INT(named(&s, "rows", other, 3, ROWS, step, false), 1);
    }
    CHECK_INT(feed_scene_charges(&s), 0);
    feed_scene_end(&s);
}

/* Each frame differs from the first in one thing; two of them differ in where a text ends. */
TEST(contents_that_differ_in_one_value_have_their_own_names)
{
    CLAIM("contents.same");
    static const char *const changed[][ROWS] = {
        {"a", "", NULL, "bd"}, {"a", NULL, NULL, "bc"}, {"a", "", "", "bc"},
        {"ab", "", NULL, "c"}, {"", "a", NULL, "bc"},   {"a", "", "bc", NULL}};
    static const char *const others[ROWS] = {"1", "2", "3", "4"};
    arrow_cells columns[] = {
        {"p", "l", NULL, people}, {"x", "i", NULL, numbers}, {"t", "u", NULL, texts}};
    feed_scene s;
    if (!feed_scene_begin(&s, live, 0))
        return;
    CHECK_INT(named(&s, "rows", columns, 3, ROWS, ROWS, false), 1);
    unsigned next = 2;
    for (size_t i = 0; i < COUNT(changed); i++) {
        columns[2].texts = changed[i];
        CHECK_INT(named(&s, "rows", columns, 3, ROWS, ROWS, false), next);
        CHECK_INT(named(&s, "rows", columns, 3, ROWS, 1, false), next++);
    }
    columns[2].texts = texts;
    CHECK_INT(named(&s, "rows", columns, 3, ROWS - 1, ROWS, false), next++);
    CHECK_INT(named(&s, "rows", columns, 2, ROWS, ROWS, false), next++);
    columns[0].texts = others;
    CHECK_INT(named(&s, "rows", columns, 3, ROWS, ROWS, false), next++);
    columns[0].texts = people;
    CHECK_INT(named(&s, "rows", columns, 3, ROWS, ROWS, false), 1);
    feed_scene_end(&s);
}

/* Contents of two datasets are not compared: one would tell of the other whether it has the same rows. */
TEST(contents_of_two_datasets_have_names_of_their_own)
{
    CLAIM("contents.same");
    const arrow_cells columns[] = {
        {"p", "l", NULL, people}, {"x", "i", NULL, numbers}, {"t", "u", NULL, texts}};
    feed_scene s;
    char policy[300];
    if (!feed_scene_begin(&s, live, 0))
        return;
    snprintf(policy, sizeof policy, "%s\nbudget=epsilon=1\nneighbours=add-remove\n",
             live);
    REQUIRE_OK(scrim_vault_add_dataset(s.vault, "others", policy, &s.error));
    CHECK_INT(named(&s, "rows", columns, 3, ROWS, ROWS, false), 1);
    CHECK_INT(named(&s, "others", columns, 3, ROWS, ROWS, false), 2);
    CHECK_INT(named(&s, "rows", columns, 3, ROWS, ROWS, false), 1);
    CHECK_INT(named(&s, "others", columns, 3, ROWS, ROWS, false), 2);
    feed_scene_end(&s);
}

/* Whether a source fails may depend on a row, so it never says that its rows were there before. */
TEST(contents_of_a_failed_source_are_always_new)
{
    CLAIM("contents.same");
    const arrow_cells columns[] = {
        {"p", "l", NULL, people}, {"x", "i", NULL, numbers}, {"t", "u", NULL, texts}};
    feed_scene s;
    if (!feed_scene_begin(&s, live, 0))
        return;
    CHECK_INT(named(&s, "rows", columns, 3, ROWS, 2, true), 1);
    CHECK_INT(named(&s, "rows", columns, 3, ROWS, 2, true), 2);
    CHECK_INT(named(&s, "rows", columns, 3, ROWS, 2, false), 3);
    CHECK_INT(named(&s, "rows", columns, 3, ROWS, 2, true), 4);
    CHECK_INT(named(&s, "rows", columns, 3, ROWS, 2, false), 3);
    feed_scene_end(&s);
}

TEST(contents_are_refused_where_they_mean_nothing)
{
    CLAIM("contents.same");
    char version[SCRIM_CONTENTS_BYTES] = "";
    const scrim_frame none = {.size = sizeof none};
    const arrow_cells no_unit[] = {{"x", "i", NULL, numbers}};
    feed_scene s;
    if (!feed_scene_begin(&s, live, 0))
        return;
    CHECK_STATUS(
        scrim_vault_contents(s.vault, "rows", &none, NULL, NULL, version, &s.error),
        SCRIM_E_PARAM);
    CHECK_STATUS(
        scrim_vault_contents(s.vault, "nobody", &none, NULL, NULL, version, &s.error),
        SCRIM_E_PARAM);
    CHECK_INT(named(&s, "rows", no_unit, 1, ROWS, ROWS, false), 0);
    CHECK_STATUS(s.error.status, SCRIM_E_INPUT);
    CHECK_STR(version, "");
    feed_scene_end(&s);
}

static int always(void *context)
{
    return *(int *)context;
}

TEST(contents_stop_when_they_are_cancelled)
{
    CLAIM("contents.same");
    const arrow_cells columns[] = {{"p", "l", NULL, people}, {"x", "i", NULL, numbers}};
    arrow_batch batch;
    int is_cancelled = 1;
    char version[SCRIM_CONTENTS_BYTES] = "";
    feed_scene s;
    if (!feed_scene_begin(&s, live, 0))
        return;
    REQUIRE(arrow_batch_make(&batch, columns, 2, 0, ROWS, 0));
    const struct ArrowArray *const arrays[] = {&batch.array};
    const scrim_frame frame = {.size = sizeof frame,
                               .schema = &batch.schema,
                               .batches = arrays,
                               .batch_count = 1};
    CHECK_STATUS(scrim_vault_contents(s.vault, "rows", &frame, always, &is_cancelled,
                                      version, &s.error),
                 SCRIM_E_STATE);
    is_cancelled = 0;
    CHECK_STATUS(scrim_vault_contents(s.vault, "rows", &frame, always, &is_cancelled,
                                      version, &s.error),
                 SCRIM_OK);
    CHECK_STR(version, "contents-1"); /* the first call has given no name */
    arrow_batch_clear(&batch);
    feed_scene_end(&s);
}
