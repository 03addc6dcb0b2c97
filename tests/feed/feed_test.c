#include "check.h"
#include "faults.h"
#include "feed_scene.h"
#include "query/query_scene.h"
#include "vault/vault.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* With epsilon 1000 the noise of a sum of x is 0, but for a chance of 10^-10. */
static const char live[] = "unit=p\nrows-per-unit=1\ncolumn=x=int[0,20]\ncolumn=t=text\n"
                           "live=yes";
static const char count[] = "SELECT COUNT(*) AS n, SUM(x) AS s";

static const char *const people[] = {"1", "2", "3", "4"};
static const char *const numbers[] = {"10", "20", NULL, "1000"};
static const char *const words[] = {"a", "b", "a", NULL};
static const arrow_cells columns[] = {
    {"p", "l", NULL, people}, {"x", "i", NULL, numbers}, {"t", "u", "c", words}};

static uint64_t releases(feed_scene *s, uint64_t id, scrim_entry_state *state)
{
    scrim_vault_release release = {.id = 0};
    if (CHECK_STATUS(scrim_vault_replay(s->vault, id, &release, NULL), SCRIM_OK))
        *state = release.state;
    scrim_vault_release_clear(&release);
    return feed_scene_charges(s);
}

TEST(feed_answers_as_a_query_does)
{
    CLAIM("feed.charged");
    feed_scene s;
    arrow_batch batch;
    scrim_result *result = NULL;
    char text[200];
    REQUIRE(feed_scene_begin(&s, live, 0));
    REQUIRE(arrow_batch_make(&batch, columns, 3, 0, 4, 0));
    scrim_plan *plan = feed_scene_plan(&s, count, FEED_OPTIONS(.epsilon = "1000"));
    REQUIRE(plan != NULL);
    /* The columns that are pushed: the unit, and those that are read. */
    CHECK_STR(scrim_feed_column(plan, 0), "p");
    CHECK_STR(scrim_feed_column(plan, 1), "x");
    CHECK(scrim_feed_column(plan, 2) == NULL && scrim_feed_column(plan, 3) == NULL);
    CHECK_STATUS(feed_scene_push(&s, plan, &batch, &result), SCRIM_OK);
    CHECK_STR(query_scene_values(result, 0, text, sizeof text), "4,50;");
    scrim_result_free(result);
    scrim_plan_free(plan);
    CHECK_INT(feed_scene_charges(&s), 1);
    arrow_batch_clear(&batch);
    feed_scene_end(&s);
}

/* Rows that are pushed have no header, no size and no time that a label could speak of. */
TEST(feed_label_names_no_file)
{
    feed_scene s;
    arrow_batch batch;
    scrim_result *result = NULL;
    scrim_label *label = NULL;
    REQUIRE(feed_scene_begin(&s, live, 0));
    REQUIRE(arrow_batch_make(&batch, columns, 3, 0, 4, 0));
    scrim_plan *plan = feed_scene_plan(&s, count, FEED_OPTIONS(.epsilon = "1"));
    REQUIRE(plan != NULL);
    CHECK_STATUS(feed_scene_push(&s, plan, &batch, &result), SCRIM_OK);
    REQUIRE_OK(scrim_label_new(s.vault, 1, &label, &s.error));
    CHECK_STR(scrim_label_get(label, "unprotected.2"),
              "the names and types of the columns of the rows, which a program pushed");
    scrim_label_free(label);
    scrim_result_free(result);
    scrim_plan_free(plan);
    arrow_batch_clear(&batch);
    feed_scene_end(&s);
}

/* Three columns of 8 bytes. What is known to be larger is refused before the charge, as a larger file is when it is declared. */
TEST(A106_feed_above_the_declared_size_is_refused)
{
    enum { ROWS = (64 << 20) / 24 };
    static const struct {
        const char *policy;
        uint64_t rows;
        const char *message; /* NULL: it is answered */
    } cases[] = {
        {"", ROWS, NULL},
        {"", ROWS + 1, "the source is larger than 64 MiB; declare its max-size"},
        {"", UINT64_MAX, "the source is larger than 64 MiB; declare its max-size"},
        {"\nmax-size=64MiB", ROWS + 1,
         "the source is larger than its max-size; declare more"},
        {"\nmax-size=65MiB", ROWS + 1, NULL},
        {"\nmax-size=64KiB", 0, NULL} /* nobody knows */
    };
    arrow_batch batch;
    REQUIRE(arrow_batch_make(&batch, columns, 3, 0, 4, 0));
    for (size_t i = 0; i < COUNT(cases); i++) {
        feed_scene s;
        scrim_result *result = NULL;
        char policy[300];
        snprintf(policy, sizeof policy, "%s%s", live, cases[i].policy);
        REQUIRE(feed_scene_begin(&s, policy, 0));
        /* one of the columns is read, or none */
        const char *query = i % 2 == 0 ? "SELECT COUNT(*)" : count;
        scrim_plan *plan = feed_scene_plan(
            &s, query, FEED_OPTIONS(.epsilon = "1", .rows_upper = cases[i].rows));
        REQUIRE(plan != NULL);
        CHECK_STATUS(feed_scene_push(&s, plan, &batch, &result),
                     cases[i].message == NULL ? SCRIM_OK : SCRIM_E_LIMIT);
        if (cases[i].message != NULL)
            CHECK_STR(s.error.message, cases[i].message);
        CHECK_INT(feed_scene_charges(&s), cases[i].message == NULL);
        scrim_result_free(result);
        scrim_plan_free(plan);
        feed_scene_end(&s);
    }
    arrow_batch_clear(&batch);
}

/* A suggestion takes the answer of its own plan, and no other. */
TEST(feed_answers_a_suggestion)
{
    feed_scene s;
    arrow_batch batch;
    scrim_result *result = NULL;
    scrim_suggestion *suggestion = NULL;
    scrim_suggested_quantile quantile;
    REQUIRE(feed_scene_begin(&s, live, 0));
    REQUIRE(arrow_batch_make(&batch, columns, 3, 0, 4, 0));
    REQUIRE_OK(
        scrim_suggestion_new(s.vault, "rows",
                             SCRIM_OPTIONS(scrim_suggestion_options, .epsilon = "1000",
                                           .columns = "x", .rows_upper = 4),
                             &suggestion, &s.error));
    scrim_plan *plan = feed_scene_plan(&s, count, FEED_OPTIONS(.epsilon = "1"));
    REQUIRE(plan != NULL);
    CHECK_STATUS(feed_scene_push(&s, plan, &batch, &result), SCRIM_OK);
    CHECK_STATUS(scrim_suggestion_take(suggestion, result, &s.error), SCRIM_E_PARAM);
    scrim_result_free(result);
    scrim_plan_free(plan);
    CHECK_STATUS(feed_scene_push(&s, scrim_suggestion_plan(suggestion), &batch, &result),
                 SCRIM_OK);
    CHECK_STATUS(scrim_suggestion_take(suggestion, result, &s.error), SCRIM_OK);
    CHECK(scrim_suggestion_result(suggestion) == result);
    CHECK_INT(scrim_suggestion_people(suggestion), 4);
    CHECK(scrim_suggestion_quantile_at(suggestion, 0, &quantile) &&
          quantile.value[0] != '\0');
    CHECK_INT(feed_scene_charges(&s), 2);
    scrim_suggestion_free(suggestion);
    arrow_batch_clear(&batch);
    feed_scene_end(&s);
}

/* Charges come first and stay, whatever becomes of the rows. */
TEST(feed_keeps_the_charge)
{
    CLAIM("feed.charged");
    feed_scene s;
    arrow_batch batch;
    scrim_feed *feed = NULL;
    scrim_result *result = NULL;
    scrim_entry_state state = SCRIM_ENTRY_RELEASED;
    REQUIRE(feed_scene_begin(&s, live, 0));
    REQUIRE(arrow_batch_make(&batch, columns, 3, 0, 4, 0));
    scrim_plan *plan = feed_scene_plan(&s, count, FEED_OPTIONS(.epsilon = "1"));
    REQUIRE(plan != NULL);
    REQUIRE_OK(scrim_feed_begin(s.vault, plan, &batch.schema, &feed, &s.error));
    CHECK_INT(feed_scene_charges(&s), 1);
    CHECK_INT(scrim_feed_release(feed), 1);
    CHECK(scrim_feed_needs_rows(feed));
    CHECK_STATUS(scrim_feed_put(feed, &batch.array, &s.error), SCRIM_OK);
    scrim_feed_abort(feed);
    scrim_feed_abort(NULL);
    CHECK_INT(releases(&s, 1, &state), 1);
    CHECK_INT(state, SCRIM_ENTRY_CHARGED);
    CHECK(feed_scene_record(&s, 1) == NULL);
    /* A refused batch takes nothing away, and the next one is taken. */
    REQUIRE_OK(scrim_feed_begin(s.vault, plan, &batch.schema, &feed, &s.error));
    struct ArrowArray wrong = batch.array;
    wrong.n_children = 1;
    CHECK_STATUS(scrim_feed_put(feed, &wrong, &s.error), SCRIM_E_INPUT);
    CHECK_STATUS(scrim_feed_put(feed, NULL, &s.error), SCRIM_E_INPUT);
    CHECK_STATUS(scrim_feed_put(feed, &batch.array, &s.error), SCRIM_OK);
    CHECK_STATUS(scrim_feed_end(feed, &result, &s.error), SCRIM_OK);
    CHECK_INT(releases(&s, 2, &state), 2);
    CHECK_INT(state, SCRIM_ENTRY_RELEASED);
    scrim_result_free(result);
    scrim_plan_free(plan);
    arrow_batch_clear(&batch);
    feed_scene_end(&s);
}

/* Each with the vault as it was. */
static void check_refused(const char *policy, const char *query,
                          const struct ArrowSchema *schema, scrim_status status,
                          const char *message)
{
    feed_scene s;
    scrim_feed *feed = NULL;
    REQUIRE(feed_scene_begin(&s, policy, 0));
    scrim_plan *plan = feed_scene_plan(&s, query, FEED_OPTIONS(.epsilon = "1"));
    if (plan != NULL) {
        CHECK_STATUS(scrim_feed_begin(s.vault, plan, schema, &feed, &s.error), status);
        CHECK_STR(s.error.message, message);
    }
    CHECK(feed == NULL);
    CHECK_INT(feed_scene_charges(&s), 0);
    scrim_plan_free(plan);
    feed_scene_end(&s);
}

TEST(feed_refuses_before_the_charge)
{
    CLAIM("feed.refused");
    arrow_batch batch, few, bytes;
    const arrow_cells as_bytes[] = {{"p", "u", NULL, people}, {"x", "u", NULL, numbers}};
    REQUIRE(arrow_batch_make(&batch, columns, 3, 0, 4, 0));
    REQUIRE(arrow_batch_make(&few, columns, 1, 0, 4, 0));
    REQUIRE(arrow_batch_make(&bytes, as_bytes, 2, 0, 4, 0));
    bytes.schema.children[0]->format = "z";
    struct ArrowSchema released = batch.schema, list = batch.schema;
    released.release = NULL;
    list.format = "+l";
    check_refused(live, count, &few.schema, SCRIM_E_INPUT, "the rows have no column 'x'");
    check_refused(live, count, &bytes.schema, SCRIM_E_INPUT,
                  "the rows have 'p' as binary, which cannot be read as a unit; cast it");
    check_refused(
        live, count, &released, SCRIM_E_INPUT,
        "the schema of the rows is missing, or was released: its release is NULL");
    check_refused(
        live, count, NULL, SCRIM_E_INPUT,
        "the schema of the rows is missing, or was released: its release is NULL");
    check_refused(live, count, &list, SCRIM_E_INPUT,
                  "the schema of the rows must be a struct of columns");
    check_refused("unit=row\ncolumn=x=int[0,9]\ncsv=-", "SELECT COUNT(*) AS n",
                  &batch.schema, SCRIM_E_POLICY,
                  "the rows of this dataset are those of its file; ask without "
                  "pushing any");
    check_refused("unit=row\ncolumn=x=int[0,9]", "SELECT COUNT(*) AS n", &batch.schema,
                  SCRIM_E_POLICY, "the policy does not say that rows are pushed");
    arrow_batch_clear(&batch);
    arrow_batch_clear(&few);
    arrow_batch_clear(&bytes);
}

/* The program reads no rows of such a dataset. */
TEST(feed_datasets_are_not_read)
{
    CLAIM("feed.refused");
    feed_scene s;
    scrim_result *result = NULL;
    REQUIRE(feed_scene_begin(&s, live, 0));
    scrim_plan *plan = feed_scene_plan(&s, count, FEED_OPTIONS(.epsilon = "1"));
    REQUIRE(plan != NULL);
    CHECK_STATUS(scrim_query_run(s.vault, plan, &result, &s.error), SCRIM_E_INPUT);
    CHECK_STR(s.error.message,
              "the rows of a live dataset are not read; a program must push them");
    CHECK_STR(s.error.parameter, "live");
    CHECK_INT(feed_scene_charges(&s), 0);
    scrim_plan_free(plan);
    feed_scene_end(&s);
}

/* Versions. */

static uint64_t push_release(feed_scene *s, const char *version, const arrow_batch *batch,
                             bool *is_repeated)
{
    scrim_result *result = NULL;
    scrim_result_facts facts = {.release = 0};
    scrim_plan *plan =
        feed_scene_plan(s, count, FEED_OPTIONS(.epsilon = "1", .version = version));
    if (plan != NULL && CHECK_STATUS(feed_scene_push(s, plan, batch, &result), SCRIM_OK))
        scrim_result_describe(result, &facts);
    *is_repeated = facts.is_repeated;
    scrim_result_free(result);
    scrim_plan_free(plan);
    return facts.release;
}

TEST(feed_repeats_named_contents_alone)
{
    CLAIM("feed.once");
    feed_scene s;
    arrow_batch batch;
    bool is_repeated;
    REQUIRE(feed_scene_begin(&s, live, 0));
    REQUIRE(arrow_batch_make(&batch, columns, 3, 0, 4, 0));
    CHECK_INT(push_release(&s, NULL, &batch, &is_repeated), 1);
    CHECK_INT(push_release(&s, NULL, &batch, &is_repeated), 2);
    CHECK(!is_repeated);
    CHECK_INT(push_release(&s, "monday", &batch, &is_repeated), 3);
    CHECK_INT(push_release(&s, "monday", &batch, &is_repeated), 3);
    CHECK(is_repeated);
    CHECK_INT(push_release(&s, "tuesday", &batch, &is_repeated), 4);
    CHECK_INT(feed_scene_charges(&s), 4);
    /* The words of explain for it. */
    for (size_t i = 0; i < 2; i++) {
        scrim_plan_facts facts = {.repeats = 7};
        scrim_plan *plan = feed_scene_plan(
            &s, count, FEED_OPTIONS(.epsilon = "1", .version = i == 0 ? NULL : "monday"));
        REQUIRE(plan != NULL);
        CHECK_STATUS(scrim_plan_describe(s.vault, plan, &facts, NULL), SCRIM_OK);
        CHECK_INT(facts.repeats, i == 0 ? 0 : 3);
        scrim_plan_free(plan);
    }
    /* A charge without an answer is finished, by rows of the same name. */
    scrim_feed *feed = NULL;
    scrim_entry_state state = SCRIM_ENTRY_RELEASED;
    scrim_plan *plan =
        feed_scene_plan(&s, count, FEED_OPTIONS(.epsilon = "1", .version = "friday"));
    REQUIRE(plan != NULL);
    REQUIRE_OK(scrim_feed_begin(s.vault, plan, &batch.schema, &feed, &s.error));
    scrim_feed_abort(feed);
    CHECK_INT(releases(&s, 5, &state), 5);
    CHECK_INT(state, SCRIM_ENTRY_PENDING);
    CHECK_INT(push_release(&s, "friday", &batch, &is_repeated), 5);
    CHECK_INT(releases(&s, 5, &state), 5);
    CHECK_INT(state, SCRIM_ENTRY_RELEASED);
    scrim_plan_free(plan);
    arrow_batch_clear(&batch);
    feed_scene_end(&s);
}

/* Two who are asked the same of other rows, with the noise of one key: the difference of two answers would be
 * exact. */
TEST(feed_of_two_has_one_answer)
{
    CLAIM("feed.once");
    feed_scene s;
    arrow_batch batches[2];
    scrim_feed *feeds[2] = {NULL, NULL};
    char text[200];
    REQUIRE(feed_scene_begin(&s, live, 0));
    REQUIRE(arrow_batch_make(&batches[0], columns, 3, 0, 4, 0));
    REQUIRE(arrow_batch_make(&batches[1], columns, 3, 0, 1, 0));
    scrim_plan *plan =
        feed_scene_plan(&s, count, FEED_OPTIONS(.epsilon = "1000", .version = "monday"));
    REQUIRE(plan != NULL);
    for (size_t i = 0; i < 2; i++) {
        REQUIRE_OK(
            scrim_feed_begin(s.vault, plan, &batches[i].schema, &feeds[i], &s.error));
        CHECK(scrim_feed_needs_rows(feeds[i]));
        CHECK_INT(scrim_feed_release(feeds[i]), 1);
        CHECK_STATUS(scrim_feed_put(feeds[i], &batches[i].array, &s.error), SCRIM_OK);
    }
    for (size_t i = 2; i-- > 0;) {
        scrim_result *result = NULL;
        CHECK_STATUS(scrim_feed_end(feeds[i], &result, &s.error), SCRIM_OK);
        CHECK_STR(query_scene_values(result, 0, text, sizeof text), "1,10;");
        scrim_result_free(result);
    }
    CHECK_INT(feed_scene_charges(&s), 1);
    scrim_plan_free(plan);
    arrow_batch_clear(&batches[0]);
    arrow_batch_clear(&batches[1]);
    feed_scene_end(&s);
}

/* A host may leave a call by longjmp, and never does so through scrim. */
static void be_told(void *context, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    *(bool *)context = true;
}

static int be_asked(void *context)
{
    *(bool *)context = true;
    return 1;
}

TEST(feed_calls_nothing_of_the_program)
{
    CLAIM("feed.quiet");
    feed_scene s;
    arrow_batch batch;
    scrim_result *result = NULL;
    bool is_called = false;
    REQUIRE(feed_scene_begin(&s, live, 0));
    REQUIRE(arrow_batch_make(&batch, columns, 3, 0, 4, 0));
    scrim_plan *plan =
        feed_scene_plan(&s, count,
                        FEED_OPTIONS(.epsilon = "1", .progress = be_told,
                                     .is_cancelled = be_asked, .context = &is_called));
    REQUIRE(plan != NULL);
    CHECK_STATUS(feed_scene_push(&s, plan, &batch, &result), SCRIM_OK);
    CHECK(!is_called);
    scrim_result_free(result);
    scrim_plan_free(plan);
    arrow_batch_clear(&batch);
    feed_scene_end(&s);
}

TEST(feed_versions_are_names)
{
    CLAIM("feed.refused");
    static const char *const wrong[] = {"", "a b", "a=b", "a\nb"};
    feed_scene s;
    scrim_plan *plan = NULL;
    const char *query = count;
    REQUIRE(feed_scene_begin(&s, live, 0));
    for (size_t i = 0; i < COUNT(wrong); i++) {
        CHECK_STATUS(scrim_plan_new(s.vault, "rows", &query, 1,
                                    FEED_OPTIONS(.epsilon = "1", .version = wrong[i]),
                                    &plan, NULL, &s.error),
                     SCRIM_E_PARAM);
        CHECK_STR(s.error.parameter, "version");
    }
    feed_scene_end(&s);
    REQUIRE(feed_scene_begin(&s, "unit=row\ncolumn=x=int[0,9]\ncsv=-", 0));
    CHECK_STATUS(scrim_plan_new(s.vault, "rows", &query, 1,
                                FEED_OPTIONS(.epsilon = "1", .version = "monday"), &plan,
                                NULL, &s.error),
                 SCRIM_E_PARAM);
    CHECK_STR(s.error.message,
              "version: the dataset has a version of its own; leave it out");
    feed_scene_end(&s);
}

/* A Parquet file has a version as a CSV file has, and is not read. */
TEST(feed_serves_a_file_of_one_version)
{
    CLAIM("feed.once");
    char path[] = "/tmp/feed_test.XXXXXX", policy[200];
    feed_scene s;
    arrow_batch batch;
    scrim_feed *feed = NULL;
    scrim_result *result = NULL;
    bool is_repeated;
    const int descriptor = mkstemp(path);
    REQUIRE(descriptor >= 0);
    snprintf(policy, sizeof policy,
             "unit=p\nrows-per-unit=1\ncolumn=x=int[0,100]\nparquet=%s", path);
    REQUIRE(feed_scene_begin(&s, policy, 0));
    REQUIRE(arrow_batch_make(&batch, columns, 3, 0, 4, 0));
    CHECK_INT(push_release(&s, NULL, &batch, &is_repeated), 1);
    CHECK_INT(push_release(&s, NULL, &batch, &is_repeated), 1);
    CHECK(is_repeated);
    /* It has a version of its own: under another name it could be asked again and again. */
    const char *query = count;
    scrim_plan *named = NULL;
    CHECK_STATUS(scrim_plan_new(s.vault, "rows", &query, 1,
                                FEED_OPTIONS(.epsilon = "1", .version = "monday"), &named,
                                NULL, &s.error),
                 SCRIM_E_PARAM);
    CHECK_STR(s.error.parameter, "version");
    /* Changed while rows are pushed, and before. */
    scrim_plan *plan = feed_scene_plan(&s, count, FEED_OPTIONS(.epsilon = "2"));
    REQUIRE(plan != NULL);
    REQUIRE_OK(scrim_feed_begin(s.vault, plan, &batch.schema, &feed, &s.error));
    CHECK_INT(write(descriptor, "x", 1), 1);
    CHECK_STATUS(scrim_feed_end(feed, &result, &s.error), SCRIM_E_INPUT);
    CHECK(strstr(s.error.message, "release 2 is charged and has no answer") != NULL);
    feed = NULL;
    CHECK_STATUS(scrim_feed_begin(s.vault, plan, &batch.schema, &feed, &s.error),
                 SCRIM_E_INPUT);
    CHECK_INT(s.error.reason, SCRIM_REASON_CHANGED);
    CHECK_INT(feed_scene_charges(&s), 2);
    scrim_plan_free(plan);
    arrow_batch_clear(&batch);
    feed_scene_end(&s);
    close(descriptor);
    unlink(path);
}

/* The same for a file whose rows are pushed: its bytes change, before the rows and among them, and size and time are put
 * back. The bytes may be back, too, when the rows end: the rows may have been made of the others. */
TEST(A107_feed_of_a_file_with_other_bytes)
{
    CLAIM("vault.closed");
    for (int way = 0; way < 3; way++) {
        const int is_among = way > 0;
        char path[] = "/tmp/feed_test.XXXXXX", policy[200];
        feed_scene s;
        arrow_batch batch;
        scrim_feed *feed = NULL;
        scrim_result *result = NULL;
        struct stat then;
        const int descriptor = mkstemp(path);
        REQUIRE(descriptor >= 0);
        CHECK(pwrite(descriptor, "PAR1 of then", 12, 0) == 12);
        snprintf(policy, sizeof policy,
                 "unit=p\nrows-per-unit=1\ncolumn=x=int[0,100]\nparquet=%s", path);
        REQUIRE(feed_scene_begin(&s, policy, 0));
        REQUIRE(arrow_batch_make(&batch, columns, 3, 0, 4, 0));
        REQUIRE(fstat(descriptor, &then) == 0);
        const struct timespec times[2] = {then.st_atim, then.st_mtim};
        scrim_plan *plan = feed_scene_plan(&s, count, FEED_OPTIONS(.epsilon = "2"));
        REQUIRE(plan != NULL);
        for (int i = 0; i < 2; i++) {
            if (i == is_among)
                CHECK(pwrite(descriptor, "n", 1, 10) == 1 &&
                      futimens(descriptor, times) == 0);
            if (i == 0)
                REQUIRE_OK(
                    scrim_feed_begin(s.vault, plan, &batch.schema, &feed, &s.error));
            usleep(20000); /* the clock of files ticks more slowly than others */
        }
        if (way == 2)
            CHECK(pwrite(descriptor, "e", 1, 10) == 1 &&
                  futimens(descriptor, times) == 0);
        CHECK_STATUS(scrim_feed_end(feed, &result, &s.error), SCRIM_E_INPUT);
        CHECK_STR(
            s.error.message,
            "release 1 is charged and has no answer: the source is not that of this "
            "version: it has changed since it was declared; nothing was shown, and "
            "the charge stays");
        CHECK(pwrite(descriptor, "e", 1, 10) == 1 && futimens(descriptor, times) == 0);
        CHECK_STATUS(scrim_feed_begin(s.vault, plan, &batch.schema, &feed, &s.error),
                     SCRIM_E_INPUT);
        CHECK_INT(s.error.reason, SCRIM_REASON_CHANGED);
        CHECK_INT(feed_scene_charges(&s), 1);
        scrim_plan_free(plan);
        arrow_batch_clear(&batch);
        feed_scene_end(&s);
        close(descriptor);
        unlink(path);
    }
}

/* Rows of every kind of wrong: the same status, the same shape, one charge. */
TEST(feed_tells_nothing_of_a_row)
{
    CLAIM("feed.quiet");
    static const char *const odd[][4] = {{"1", "2", "3", "4"},
                                         {NULL, NULL, NULL, NULL},
                                         {"nan", "inf", "-inf", "1e300"},
                                         {"-1e300", "5e-324", "-0", "0.1"}};
    const char *query = "SELECT COUNT(*) AS n, AVG(x) AS a";
    for (size_t i = 0; i < COUNT(odd); i++) {
        const arrow_cells wide[] = {{"p", "u", NULL, odd[i]}, {"x", "g", NULL, odd[i]}};
        feed_scene s;
        arrow_batch batch;
        scrim_result *result = NULL;
        REQUIRE(feed_scene_begin(&s, live, 0));
        REQUIRE(arrow_batch_make(&batch, wide, 2, 0, 4, i));
        scrim_plan *plan = feed_scene_plan(&s, query, FEED_OPTIONS(.epsilon = "1"));
        REQUIRE(plan != NULL);
        CHECK_STATUS(feed_scene_push(&s, plan, &batch, &result), SCRIM_OK);
        CHECK_INT(scrim_result_rows(result, 0), 1);
        CHECK_INT(feed_scene_charges(&s), 1);
        scrim_result_free(result);
        scrim_plan_free(plan);
        arrow_batch_clear(&batch);
        feed_scene_end(&s);
    }
}

/* Processes. */

TEST(feed_of_a_parent_is_not_fed_by_a_child)
{
    CLAIM("feed.fork");
    query_scene q;
    arrow_batch batch;
    scrim_feed *feed = NULL;
    scrim_plan *plan = NULL;
    scrim_result *result = NULL;
    scrim_error error;
    const char *query = count;
    char text[200];
    REQUIRE(scene_begin(&q.base));
    REQUIRE_OK(scrim_vault_init(q.base.path, NULL, &error));
    REQUIRE_OK(scrim_vault_open(q.base.path, NULL, &q.vault, &error));
    snprintf(text, sizeof text, "%s\nneighbours=add-remove\nbudget=epsilon=5000\n", live);
    REQUIRE_OK(scrim_vault_add_dataset(q.vault, "rows", text, &error));
    REQUIRE(arrow_batch_make(&batch, columns, 3, 0, 4, 0));
    REQUIRE_OK(scrim_plan_new(q.vault, "rows", &query, 1, FEED_OPTIONS(.epsilon = "1000"),
                              &plan, NULL, &error));
    REQUIRE_OK(scrim_feed_begin(q.vault, plan, &batch.schema, &feed, &error));
    const pid_t child = fork();
    if (child == 0) {
        CHECK_STATUS(scrim_feed_put(feed, &batch.array, &error), SCRIM_E_STATE);
        CHECK_STATUS(scrim_feed_end(feed, &result, &error), SCRIM_E_STATE);
        scrim_plan_free(plan);
        scrim_vault_close(q.vault);
        arrow_batch_clear(&batch);
        _exit(0);
    }
    int ended = 1;
    CHECK(waitpid(child, &ended, 0) == child && ended == 0);
    /* The parent's is as it was. */
    CHECK_STATUS(scrim_feed_put(feed, &batch.array, &error), SCRIM_OK);
    CHECK_STATUS(scrim_feed_end(feed, &result, &error), SCRIM_OK);
    CHECK_STR(query_scene_values(result, 0, text, sizeof text), "4,50;");
    scrim_result_free(result);
    scrim_plan_free(plan);
    arrow_batch_clear(&batch);
    scrim_vault_close(q.vault);
    scene_end(&q.base);
}

/* A process that ends while rows are pushed leaves its charge, and nothing else. */
TEST(feed_that_is_lost_stays_charged)
{
    CLAIM("feed.charged");
    scene base;
    arrow_batch batch;
    scrim_error error;
    char text[200];
    scrim_vault *vault = NULL;
    REQUIRE(scene_begin(&base));
    REQUIRE_OK(scrim_vault_init(base.path, NULL, &error));
    REQUIRE(arrow_batch_make(&batch, columns, 3, 0, 4, 0));
    const pid_t child = fork();
    if (child == 0) {
        scrim_feed *feed = NULL;
        scrim_plan *plan = NULL;
        const char *query = count;
        snprintf(text, sizeof text, "%s\nneighbours=add-remove\nbudget=epsilon=5\n",
                 live);
        CHECK_STATUS(scrim_vault_open(base.path, NULL, &vault, &error), SCRIM_OK);
        CHECK_STATUS(scrim_vault_add_dataset(vault, "rows", text, &error), SCRIM_OK);
        CHECK_STATUS(scrim_plan_new(vault, "rows", &query, 1,
                                    FEED_OPTIONS(.epsilon = "1"), &plan, NULL, &error),
                     SCRIM_OK);
        CHECK_STATUS(scrim_feed_begin(vault, plan, &batch.schema, &feed, &error),
                     SCRIM_OK);
        CHECK_STATUS(scrim_feed_put(feed, &batch.array, &error), SCRIM_OK);
        _exit(0); /* without a word */
    }
    int ended = 1;
    CHECK(waitpid(child, &ended, 0) == child && ended == 0);
    REQUIRE_OK(scrim_vault_open(base.path, NULL, &vault, &error));
    scrim_vault_release release = {.id = 0};
    CHECK_STATUS(scrim_vault_replay(vault, 1, &release, &error), SCRIM_OK);
    CHECK_INT(release.state, SCRIM_ENTRY_CHARGED);
    CHECK(release.answer == NULL && release.note == NULL);
    CHECK_STR(release.amount, "1");
    scrim_vault_release_clear(&release);
    scrim_vault_close(vault);
    arrow_batch_clear(&batch);
    scene_end(&base);
}

/* Each allocation fails in turn: either nothing is charged, or the charge stays. */
FAULT_TEST(feed_survives_lack_of_memory)
{
    CLAIM("feed.charged");
    arrow_batch batch;
    feed_scene s;
    REQUIRE(feed_scene_begin(&s, live, 0));
    REQUIRE(arrow_batch_make(&batch, columns, 3, 0, 4, 0));
    scrim_plan *plan = feed_scene_plan(&s, count, FEED_OPTIONS(.epsilon = "1"));
    REQUIRE(plan != NULL);
    uint64_t before = 0;
    FAULT_LOOP(fault)
    {
        scrim_feed *feed = NULL;
        scrim_result *result = NULL;
        scrim_status status =
            scrim_feed_begin(s.vault, plan, &batch.schema, &feed, &s.error);
        const bool is_begun = status == SCRIM_OK;
        if (is_begun)
            status = scrim_feed_put(feed, &batch.array, &s.error);
        if (is_begun && status == SCRIM_OK)
            status = scrim_feed_end(feed, &result, &s.error);
        else if (is_begun) {
            scrim_error again;
            CHECK_STATUS(scrim_feed_put(feed, &batch.array, &again), SCRIM_E_STATE);
            scrim_feed_abort(feed);
        }
        const bool has_failed = fault_hit();
        CHECK(status == SCRIM_OK || has_failed);
        CHECK((status == SCRIM_OK) == (result != NULL));
        if (is_begun && status != SCRIM_OK)
            CHECK(strstr(s.error.message, "is charged and") != NULL);
        const uint64_t now = feed_scene_charges(&s);
        CHECK(now == before + 1 || (!is_begun && now == before));
        before = now;
        scrim_result_free(result);
    }
    scrim_plan_free(plan);
    arrow_batch_clear(&batch);
    feed_scene_end(&s);
}
