/* Requests about a frame: what is charged, what is refused before, and what is said of it. */
#include "check.h"
#include "faults.h"
#include "feed_scene.h"

#include <stdio.h>
#include <string.h>

#define COLUMNS                                                                          \
    "column=x=int[0,20]\ncolumn=y=decimal[0,2]/"                                         \
    "0.5\ncolumn=d=date[2020-01-01,2020-12-31]\n"
static const char live[] = "unit=p\nrows-per-unit=1\n" COLUMNS "live=yes";

static const char *const people[] = {"1", "2", "3", NULL};
static const char *const numbers[] = {"10", "20", NULL, "1000"};
static const char *const halves[] = {"0.5", "1.25", "1.5", "7"};
static const char *const days[] = {"2020-02-29", "2019-01-01", "2020-12-31", NULL};
static const arrow_cells columns[] = {{"p", "l", NULL, people},
                                      {"x", "i", NULL, numbers},
                                      {"y", "d:9,2", NULL, halves},
                                      {"d", "tdD", NULL, days}};

/* Two batches of two rows. */
typedef struct frame_scene {
    feed_scene s;
    arrow_batch batches[2];
    const struct ArrowArray *arrays[2];
    scrim_frame frame;
} frame_scene;

static bool begin(frame_scene *f, const char *policy)
{
    for (size_t i = 0; i < 2; i++) {
        if (!arrow_batch_make(&f->batches[i], columns, COUNT(columns), 2 * i, 2, i))
            return false;
        f->arrays[i] = &f->batches[i].array;
    }
    f->frame = (scrim_frame){.size = sizeof f->frame,
                             .schema = &f->batches[0].schema,
                             .batches = f->arrays,
                             .batch_count = 2};
    return feed_scene_begin(&f->s, policy, 0);
}

static void end(frame_scene *f)
{
    feed_scene_end(&f->s);
    for (size_t i = 0; i < 2; i++)
        arrow_batch_clear(&f->batches[i]);
}

/* The release, or 0. */
static uint64_t body(frame_scene *f, const scrim_frame *frame)
{
    scrim_body_fit *fit = NULL;
    scrim_body_release *release = NULL;
    scrim_body_released facts = {.release = 0};
    if (scrim_body_fit_new(f->s.vault, "rows",
                           SCRIM_OPTIONS(scrim_body_fit_options, .columns = "x,y",
                                         .epsilon = "1", .frame = frame),
                           &fit, &f->s.error) == SCRIM_OK &&
        scrim_body_fit_run(f->s.vault, fit, &release, &f->s.error) == SCRIM_OK)
        scrim_body_release_describe(release, &facts);
    scrim_body_release_free(release);
    scrim_body_fit_free(fit);
    return facts.release;
}

static uint64_t synth(frame_scene *f, const scrim_frame *frame, bool *is_known)
{
    scrim_synth *plan = NULL;
    scrim_synth_facts told = {.is_known = 0};
    scrim_synth_release *release = NULL;
    scrim_synth_released facts = {.release = 0};
    if (scrim_synth_new(f->s.vault, "rows",
                        SCRIM_OPTIONS(scrim_synth_options, .columns = "x", .epsilon = "1",
                                      .delta = "1e-6", .frame = frame),
                        &plan, &f->s.error) == SCRIM_OK &&
        scrim_synth_describe(f->s.vault, plan, &told, &f->s.error) == SCRIM_OK &&
        scrim_synth_run(f->s.vault, plan, &release, &f->s.error) == SCRIM_OK)
        scrim_synth_release_describe(release, &facts);
    *is_known = told.is_known != 0;
    scrim_synth_release_free(release);
    scrim_synth_free(plan);
    return facts.release;
}

SLOW_TEST(frame_with_a_version_is_charged_once)
{
    CLAIM("frame.once");
    frame_scene f;
    bool is_known;
    REQUIRE(begin(&f, live));
    scrim_frame named = f.frame, other = f.frame;
    named.version = "monday";
    other.version = "tuesday";
    CHECK_INT(body(&f, &f.frame), 1);
    CHECK_INT(body(&f, &f.frame), 2);
    CHECK_INT(body(&f, &named), 3);
    CHECK_INT(body(&f, &named), 3);
    CHECK_INT(body(&f, &other), 4);
    CHECK_INT(synth(&f, &f.frame, &is_known), 5);
    CHECK_INT(synth(&f, &f.frame, &is_known), 6);
    CHECK(!is_known);
    CHECK_INT(synth(&f, &named, &is_known), 7);
    CHECK(!is_known);
    /* A known release needs no rows. */
    named.schema = NULL;
    named.batch_count = 0;
    CHECK_INT(synth(&f, &named, &is_known), 7);
    CHECK(is_known);
    named.version = "wednesday";
    CHECK_INT(synth(&f, &named, &is_known), 0);
    CHECK_STR(f.s.error.message,
              "the rows of a live dataset are not read; a program must push them");
    CHECK_INT(f.s.error.reason, SCRIM_REASON_UNSUPPORTED);
    CHECK_INT(feed_scene_charges(&f.s), 7);
    end(&f);
}

/* Refused by a body, by synthetic records and by the owner's check, and nothing is charged. */
static void check_refused(frame_scene *f, const scrim_frame *frame, scrim_status status,
                          const char *message)
{
    scrim_inspection inspection = {.count = 0};
    bool is_known;
    CHECK_INT(body(f, frame), 0);
    CHECK_INT(f->s.error.status, status);
    CHECK_STR(f->s.error.message, message);
    CHECK_INT(synth(f, frame, &is_known), 0);
    CHECK_STR(f->s.error.message, message);
    CHECK_STATUS(scrim_vault_inspect(f->s.vault, "rows",
                                     SCRIM_OPTIONS(scrim_inspect_options, .frame = frame),
                                     &inspection, &f->s.error),
                 status);
    CHECK_STR(f->s.error.message, message);
    CHECK_INT(feed_scene_charges(&f->s), 0);
}

TEST(frame_is_refused_before_the_charge)
{
    CLAIM("arrow-frame.refused");
    static const char no_batch[] =
        "the batch is missing, or was released: its release is NULL";
    frame_scene f;
    REQUIRE(begin(&f, live));
    scrim_frame wrong = f.frame;
    wrong.schema = NULL;
    check_refused(
        &f, &wrong, SCRIM_E_INPUT,
        "the schema of the rows is missing, or was released: its release is NULL");
    wrong = f.frame;
    wrong.batches = NULL;
    check_refused(&f, &wrong, SCRIM_E_PARAM, "the frame has no batches");
    wrong = (scrim_frame){.schema = f.frame.schema};
    check_refused(&f, &wrong, SCRIM_E_PARAM,
                  "the options have no size; make them with SCRIM_OPTIONS");
    /* Only the last batch is wrong. */
    f.arrays[1] = NULL;
    check_refused(&f, &f.frame, SCRIM_E_INPUT, no_batch);
    f.arrays[1] = &f.batches[1].array;
    void (*const release)(struct ArrowArray *) = f.batches[1].array.release;
    f.batches[1].array.release = NULL;
    check_refused(&f, &f.frame, SCRIM_E_INPUT, no_batch);
    f.batches[1].array.release = release;
    f.batches[1].array.n_children--;
    check_refused(&f, &f.frame, SCRIM_E_INPUT,
                  "the batch does not fit its schema: it must be a struct with the "
                  "columns of the schema");
    f.batches[1].array.n_children++;
    f.batches[1].array.children[1]->n_buffers = 1;
    check_refused(&f, &f.frame, SCRIM_E_INPUT,
                  "the batch does not fit its schema: 'x' has another number of "
                  "buffers; no row of it was taken");
    f.batches[1].array.children[1]->n_buffers = 2;
    f.batches[0].schema.children[1]->name = "z";
    check_refused(&f, &f.frame, SCRIM_E_INPUT, "the rows have no column 'x'");
    f.batches[0].schema.children[1]->name = "x";
    CHECK_INT(body(&f, &f.frame), 1);
    end(&f);
}

static void keep_schema(struct ArrowSchema *schema)
{
    (void)schema;
}

static void keep_array(struct ArrowArray *array)
{
    (void)array;
}

/* A frame of any number of rows, all of whose values are missing: it needs no memory. */
typedef struct missing_rows {
    struct ArrowSchema schema, columns[4], *column_list[4];
    struct ArrowArray array, values[4], *value_list[4];
    const struct ArrowArray *batch;
    const void *buffers[1];
    scrim_frame frame;
} missing_rows;

static void missing_rows_make(missing_rows *m, int64_t rows)
{
    memset(m, 0, sizeof *m);
    for (size_t i = 0; i < 4; i++) {
        m->columns[i] = (struct ArrowSchema){.format = "n",
                                             .name = columns[i].name,
                                             .flags = ARROW_FLAG_NULLABLE,
                                             .release = keep_schema};
        m->values[i] = (struct ArrowArray){
            .length = rows, .null_count = rows, .release = keep_array};
        m->column_list[i] = &m->columns[i];
        m->value_list[i] = &m->values[i];
    }
    m->schema = (struct ArrowSchema){.format = "+s",
                                     .name = "",
                                     .n_children = 4,
                                     .children = m->column_list,
                                     .release = keep_schema};
    m->array = (struct ArrowArray){.length = rows,
                                   .n_buffers = 1,
                                   .buffers = m->buffers,
                                   .n_children = 4,
                                   .children = m->value_list,
                                   .release = keep_array};
    m->batch = &m->array;
    m->frame = (scrim_frame){.size = sizeof m->frame,
                             .schema = &m->schema,
                             .batches = &m->batch,
                             .batch_count = 1};
}

/* The rows of a size in MiB, with four columns of 8 bytes. */
#define ROWS_OF(mebibytes) ((int64_t)(mebibytes) << 15)

/* A frame that is larger than was declared is refused as a larger file is, and nothing is charged. By one number of rows,
 * whatever is asked: two of four columns here. */
FAULT_TEST(A106_frame_above_the_declared_size_is_refused)
{
    static const struct {
        const char *policy, *message;
        int64_t rows; /* that fit */
    } sizes[] = {
        {"", "the source is larger than 64 MiB; declare its max-size", ROWS_OF(64)},
        {"\nmax-size=64MiB", "the source is larger than its max-size; declare more",
         ROWS_OF(64)},
        {"\nmax-size=128MiB", "the source is larger than its max-size; declare more",
         ROWS_OF(128)}};
    static missing_rows m;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        char policy[300];
        frame_scene f;
        snprintf(policy, sizeof policy, "%s%s", live, sizes[i].policy);
        REQUIRE(begin(&f, policy));
        CHECK_STATUS(scrim_policy_check_rows(policy, (uint64_t)sizes[i].rows, NULL),
                     SCRIM_OK);
        CHECK_STATUS(
            scrim_policy_check_rows(policy, (uint64_t)sizes[i].rows + 1, &f.s.error),
            SCRIM_E_LIMIT);
        CHECK_STR(f.s.error.message, sizes[i].message);
        missing_rows_make(&m, sizes[i].rows + 1);
        CHECK_INT(body(&f, &m.frame), 0);
        CHECK_STATUS(f.s.error.status, SCRIM_E_LIMIT);
        CHECK_STR(f.s.error.message, sizes[i].message);
        CHECK_STR(f.s.error.parameter, "max-size");
        bool is_known;
        CHECK_INT(synth(&f, &m.frame, &is_known), 0);
        CHECK_STATUS(f.s.error.status, SCRIM_E_LIMIT);
        CHECK_INT(feed_scene_charges(&f.s), 0);
        missing_rows_make(&m, sizes[i].rows);
        CHECK_INT(body(&f, &m.frame), 1);
        end(&f);
    }
}

/* Whether a source fails may depend on a row: it is not told free of charge, however many batches there are. */
SLOW_TEST(frame_of_a_source_that_failed_is_charged)
{
    CLAIM("arrow-frame.failed");
    for (size_t count = 0; count < 3; count += 2) {
        frame_scene f;
        scrim_inspection found = {.count = 0};
        bool is_known = false;
        REQUIRE(begin(&f, live));
        f.frame.batch_count = count;
        f.frame.has_failed = 1;
        CHECK_INT(body(&f, &f.frame), 0);
        CHECK(strstr(f.s.error.message, "release 1 is charged and has no answer: the "
                                        "source of the rows failed") != NULL);
        CHECK_INT(synth(&f, &f.frame, &is_known), 0);
        CHECK(strstr(f.s.error.message, "release 2 is charged and has no answer: the "
                                        "source of the rows failed") != NULL);
        CHECK_STATUS(
            scrim_vault_inspect(f.s.vault, "rows",
                                SCRIM_OPTIONS(scrim_inspect_options, .frame = &f.frame),
                                &found, &f.s.error),
            SCRIM_E_INPUT);
        f.frame.has_failed = 0;
        CHECK_INT(body(&f, &f.frame), 3);
        end(&f);
    }
}

TEST(frame_is_not_taken_for_a_dataset_with_a_file)
{
    CLAIM("arrow-frame.refused");
    frame_scene f;
    REQUIRE(begin(&f, "unit=p\nrows-per-unit=1\n" COLUMNS "csv=-"));
    check_refused(&f, &f.frame, SCRIM_E_POLICY,
                  "the rows of this dataset are those of its file; ask without pushing "
                  "any");
    scrim_frame named = f.frame;
    named.version = "monday";
    CHECK_INT(body(&f, &named), 0);
    CHECK_STR(f.s.error.message,
              "version: the dataset has a version of its own; leave it out");
    end(&f);
    REQUIRE(begin(&f, live));
    named.version = "a name";
    CHECK_INT(body(&f, &named), 0);
    CHECK_STR(f.s.error.message, "version must be letters, digits, '_', '.' and '-', "
                                 "from 1 to 64 of them");
    end(&f);
}

/* Rows of a frame have no header, no size and no time that a label could speak of. */
TEST(frame_label_says_that_rows_were_pushed)
{
    frame_scene f;
    scrim_label *label = NULL;
    REQUIRE(begin(&f, live));
    const uint64_t release = body(&f, &f.frame);
    if (CHECK_STATUS(scrim_label_new(f.s.vault, release, &label, &f.s.error), SCRIM_OK))
        CHECK_STR(scrim_label_get(label, "unprotected.2"),
                  "the names and types of the columns of the rows, which a program "
                  "pushed");
    scrim_label_free(label);
    end(&f);
}

/* Numbers and dates with a type are in no form, whatever is declared of texts. */
TEST(frame_is_checked_in_any_form)
{
    CLAIM("arrow-frame.raw");
    static const char *const forms[] = {"", "\ndecimal=,\ndate-format=DD.MM.YYYY"};
    for (size_t i = 0; i < COUNT(forms); i++) {
        frame_scene f;
        char policy[400], found[600] = "";
        scrim_inspection inspection = {.count = 0};
        snprintf(policy, sizeof policy, "%s%s", live, forms[i]);
        REQUIRE(begin(&f, policy));
        CHECK_STATUS(
            scrim_vault_inspect(f.s.vault, "rows",
                                SCRIM_OPTIONS(scrim_inspect_options, .frame = &f.frame),
                                &inspection, &f.s.error),
            SCRIM_OK);
        CHECK(!inspection.counts_lines);
        for (size_t k = 0; k < inspection.count; k++) {
            const scrim_inspected *line = &inspection.lines[k];
            const size_t used = strlen(found);
            snprintf(found + used, sizeof found - used, "%s%s%s %d;", line->column,
                     line->column[0] == '\0' ? "" : " ",
                     scrim_finding_name(line->finding), (int)line->count);
        }
        CHECK_STR(found, "rows 4;rows-counted 3;no-unit 1;units 3;most-rows 1;"
                         "x readable 3;x missing 1;x above-range 1;"
                         "y readable 4;y above-range 1;y rounded 1;"
                         "d readable 3;d missing 1;d below-range 1;");
        scrim_inspection_clear(&inspection);
        end(&f);
    }
}

static int always(void *context)
{
    ++*(int *)context;
    return 1;
}

/* While rows are read: what is charged stays so. */
TEST(frame_can_be_cancelled)
{
    frame_scene f;
    int asked = 0;
    scrim_body_fit *fit = NULL;
    scrim_body_release *body_release = NULL;
    scrim_synth *plan = NULL;
    scrim_synth_release *synth_release = NULL;
    scrim_inspection inspection = {.count = 0};
    REQUIRE(begin(&f, live));
    REQUIRE_OK(scrim_body_fit_new(
        f.s.vault, "rows",
        SCRIM_OPTIONS(scrim_body_fit_options, .columns = "x,y", .epsilon = "1",
                      .frame = &f.frame, .is_cancelled = always, .context = &asked),
        &fit, &f.s.error));
    CHECK_STATUS(scrim_body_fit_run(f.s.vault, fit, &body_release, &f.s.error),
                 SCRIM_E_STATE);
    CHECK_INT(f.s.error.reason, SCRIM_REASON_CANCELLED);
    CHECK(strstr(f.s.error.message, "release 1 is charged and has no answer") != NULL);
    REQUIRE_OK(
        scrim_synth_new(f.s.vault, "rows",
                        SCRIM_OPTIONS(scrim_synth_options, .columns = "x", .epsilon = "1",
                                      .delta = "1e-6", .frame = &f.frame,
                                      .is_cancelled = always, .context = &asked),
                        &plan, &f.s.error));
    CHECK_STATUS(scrim_synth_run(f.s.vault, plan, &synth_release, &f.s.error),
                 SCRIM_E_STATE);
    CHECK(strstr(f.s.error.message, "release 2 is charged and has no answer") != NULL);
    CHECK_STATUS(
        scrim_vault_inspect(f.s.vault, "rows",
                            SCRIM_OPTIONS(scrim_inspect_options, .frame = &f.frame,
                                          .is_cancelled = always, .context = &asked,
                                          .workers = 1),
                            &inspection, &f.s.error),
        SCRIM_E_STATE);
    CHECK_STR(f.s.error.message, "the check was cancelled");
    CHECK(asked >= 3);
    CHECK_INT(feed_scene_charges(&f.s), 2);
    scrim_body_fit_free(fit);
    scrim_synth_free(plan);
    end(&f);
}

/* A text that is longer than any value can be, as a value and as a unit. */
TEST(frame_is_checked_for_texts_that_are_too_long)
{
    CLAIM("arrow-frame.raw");
    static char text[4200];
    memset(text, 'a', sizeof text - 1);
    const char *const texts[] = {"a", text}, *const units[] = {text, "b"};
    const arrow_cells cells[] = {{"p", "u", NULL, units}, {"x", "u", NULL, texts}};
    feed_scene s;
    arrow_batch batch;
    scrim_inspection found = {.count = 0};
    uint64_t too_long = 0, units_too_long = 0;
    REQUIRE(arrow_batch_make(&batch, cells, 2, 0, 2, 0));
    REQUIRE(
        feed_scene_begin(&s, "unit=p\nrows-per-unit=1\ncolumn=x=int[0,20]\nlive=yes", 0));
    const struct ArrowArray *array = &batch.array;
    const scrim_frame frame = {.size = sizeof frame,
                               .schema = &batch.schema,
                               .batches = &array,
                               .batch_count = 1};
    CHECK_STATUS(
        scrim_vault_inspect(s.vault, "rows",
                            SCRIM_OPTIONS(scrim_inspect_options, .frame = &frame), &found,
                            &s.error),
        SCRIM_OK);
    for (size_t i = 0; i < found.count; i++) {
        too_long +=
            found.lines[i].finding == SCRIM_FINDING_TOO_LONG ? found.lines[i].count : 0;
        units_too_long +=
            found.lines[i].finding == SCRIM_FINDING_LONG_UNIT ? found.lines[i].count : 0;
    }
    CHECK_INT(too_long, 1);
    CHECK_INT(units_too_long, 1);
    scrim_inspection_clear(&found);
    arrow_batch_clear(&batch);
    feed_scene_end(&s);
}

/* It works, or says that memory is missing; what is charged then is one charge. */
FAULT_TEST(frame_survives_lack_of_memory)
{
    frame_scene f;
    REQUIRE(begin(&f, live));
    FAULT_LOOP(fault)
    {
        const uint64_t before = feed_scene_charges(&f.s);
        const uint64_t release = body(&f, &f.frame);
        if (release == 0 && f.s.error.status != SCRIM_E_LEDGER)
            CHECK_INT(f.s.error.status, SCRIM_E_MEMORY);
        CHECK(feed_scene_charges(&f.s) - before <= 1);
    }
    FAULT_LOOP(look)
    {
        scrim_inspection found = {.count = 0};
        const scrim_status status = scrim_vault_inspect(
            f.s.vault, "rows",
            SCRIM_OPTIONS(scrim_inspect_options, .frame = &f.frame, .workers = 1), &found,
            &f.s.error);
        CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY);
        scrim_inspection_clear(&found);
    }
    end(&f);
}
