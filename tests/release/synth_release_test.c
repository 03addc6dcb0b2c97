/* Synthetic records from end to end: what is charged and recorded, and what the rows are. */
#include "check.h"
#include "faults.h"
#include "query/query_scene.h"
#include "random/bits_tape.h"
#include "synth/release/synth_draw.h"
#include "vault/vault.h"
#include "vault/vault_tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_synth_options, __VA_ARGS__)
#define ROWS(...) SCRIM_OPTIONS(scrim_synth_row_options, __VA_ARGS__)
#define COLUMNS                                                                          \
    "column=age=int[0,99]\ncolumn=sex=text\nkeys=sex=f,m\nmissing=sex=f\n"               \
    "column=kind=text\nkeys=kind=a,b,c\n"
#define POLICY "unit=row\n" COLUMNS "budget=epsilon=100000,delta=0.5\n"
/* One row of each person counts. */
#define ONE_POLICY                                                                       \
    "unit=who\nrows-per-unit=1\n" COLUMNS "budget=epsilon=100000,delta=0.5\n"
/* The kind has private keys. */
#define PRIVATE_POLICY                                                                   \
    "unit=who\nrows-per-unit=1\ncolumn=sex=text\nkeys=sex=f,m\ncolumn=kind=text\n"       \
    "budget=epsilon=100000,delta=0.5\n"
/* So much that the noise is small. */
#define MUCH .epsilon = "2000", .delta = "1e-6"

/* The kind follows from the sex, so that a model of both has two cells; ages are in two bins. */
static void write_people(char *text, size_t capacity, int people, int rows)
{
    size_t used = (size_t)snprintf(text, capacity, "who,age,sex,kind\n");
    for (int i = 0; i < people; i++)
        for (int k = 0; k < rows; k++)
            used += (size_t)snprintf(text + used, capacity - used, "p%d,%d,%s,%s\n", i,
                                     i % 4 == 0 ? 20 + i % 10 : 70,
                                     i % 2 == 0 ? "f" : "m", i % 2 == 0 ? "a" : "b");
}

static char bytes[200000];

static scrim_synth_release *run(query_scene *s, const scrim_synth_options *options)
{
    scrim_synth *synth = NULL;
    scrim_synth_release *release = NULL;
    if (CHECK_STATUS(scrim_synth_new(s->vault, "people", options, &synth, &s->error),
                     SCRIM_OK))
        CHECK_STATUS(scrim_synth_run(s->vault, synth, &release, &s->error), SCRIM_OK);
    if (release == NULL)
        CHECK_STR(s->error.message, "");
    scrim_synth_free(synth);
    return release;
}

/* How many rows have this cell. */
static int count(const scrim_synth_rows *rows, size_t column, const char *value)
{
    char text[SCRIM_SYNTH_CELL_BYTES];
    int found = 0;
    for (uint64_t i = 0; i < scrim_synth_row_count(rows); i++) {
        const bool is_there = scrim_synth_cell(rows, i, column, text) != 0;
        found += strcmp(is_there ? text : "NULL", value) == 0;
    }
    return found;
}

static uint64_t id_of(const scrim_synth_release *release)
{
    scrim_synth_released facts;
    scrim_synth_release_describe(release, &facts);
    return facts.release;
}

TEST(synth_release_is_charged_once_and_shown_again)
{
    CLAIM("synth-ask.charged");
    CLAIM("synth-ask.once");
    query_scene s;
    char left[3 * SCRIM_NUMBER_BYTES];
    write_people(bytes, sizeof bytes, 1000, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        const char *cut = "age=50";
        scrim_synth_release *first = run(&s, OPTIONS(MUCH, .cuts = &cut, .cut_count = 1));
        CHECK_STR(query_scene_left(&s, left), "98000 0.499999 1");
        const char *same = "age = 0:50:2";
        scrim_synth_release *again =
            run(&s, OPTIONS(MUCH, .columns = "kind, sex,age", .cuts = &same,
                            .cut_count = 1, .method = "mst"));
        CHECK_STR(query_scene_left(&s, left), "98000 0.499999 1");
        scrim_synth_rows *rows = NULL, *same_rows = NULL;
        if (first != NULL && again != NULL &&
            CHECK_STATUS(scrim_synth_draw(first, NULL, &rows, NULL), SCRIM_OK) &&
            CHECK_STATUS(scrim_synth_draw(again, NULL, &same_rows, NULL), SCRIM_OK)) {
            char a[SCRIM_SYNTH_CELL_BYTES], b[SCRIM_SYNTH_CELL_BYTES];
            CHECK_INT(id_of(again), id_of(first));
            CHECK_INT(scrim_synth_row_count(rows), 1000);
            CHECK_INT(scrim_synth_row_columns(rows), 3);
            CHECK_STR(scrim_synth_row_name(rows, 1), "sex");
            CHECK(scrim_synth_row_name(rows, 3) == NULL);
            CHECK_INT(scrim_synth_cell(rows, 1000, 0, a), 0);
            CHECK_INT(scrim_synth_cell(rows, 0, 3, a), 0);
            CHECK_STR(a, "");
            CHECK(abs(count(rows, 1, "f") - 500) <= 4);
            for (uint64_t i = 0; i < 1000; i++)
                for (size_t k = 0; k < 3; k++) {
                    const int there = scrim_synth_cell(rows, i, k, a);
                    CHECK_INT(scrim_synth_cell(same_rows, i, k, b), there);
                    CHECK_STR(a, b);
                }
        }
        scrim_synth_rows_free(rows);
        scrim_synth_rows_free(same_rows);
        scrim_synth_release_free(first);
        scrim_synth_release_free(again);
    }
    query_scene_end(&s);
}

/* Without a delta there is no rho, neither in the record nor in what is told of it. */
TEST(synth_release_without_delta_has_no_rho)
{
    CLAIM("synth-record.back");
    query_scene s;
    write_people(bytes, sizeof bytes, 50, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        scrim_synth_released facts;
        scrim_synth_release *release =
            run(&s, OPTIONS(.epsilon = "3", .method = "mwem", .columns = "sex,kind"));
        REQUIRE(release != NULL);
        scrim_synth_release_describe(release, &facts);
        CHECK_STR(facts.cost.epsilon, "3");
        CHECK_STR(facts.cost.delta, "0");
        CHECK_STR(facts.cost.rho, "");
        scrim_synth_release_free(release);
    }
    query_scene_end(&s);
}

TEST(synth_questions_differ_when_what_is_asked_does)
{
    CLAIM("synth-plan.question");
    query_scene s;
    write_people(bytes, sizeof bytes, 10, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        const char *cuts[] = {"age=50", "age=0:50:2", "age=49"};
        const char *never = "sex=m,kind=a";
        const scrim_synth_options asked[] = {
            {.size = sizeof *asked, MUCH, .cuts = &cuts[0], .cut_count = 1},
            {.size = sizeof *asked, MUCH, .cuts = &cuts[1], .cut_count = 1},
            {.size = sizeof *asked, MUCH, .cuts = &cuts[2], .cut_count = 1},
            {.size = sizeof *asked,
             MUCH,
             .cuts = &cuts[0],
             .cut_count = 1,
             .columns = "age,sex"},
            {.size = sizeof *asked,
             MUCH,
             .cuts = &cuts[0],
             .cut_count = 1,
             .method = "aim"},
            {.size = sizeof *asked,
             MUCH,
             .cuts = &cuts[0],
             .cut_count = 1,
             .never = &never,
             .never_count = 1},
        };
        scrim_synth *first = NULL;
        CHECK_STATUS(scrim_synth_new(s.vault, "people", &asked[0], &first, NULL),
                     SCRIM_OK);
        for (size_t i = 1; i < sizeof asked / sizeof *asked; i++) {
            scrim_synth *other = NULL;
            if (CHECK_STATUS(
                    scrim_synth_new(s.vault, "people", &asked[i], &other, &s.error),
                    SCRIM_OK))
                CHECK_INT(strcmp(first->question, other->question) == 0, i == 1);
            scrim_synth_free(other);
        }
        scrim_synth_free(first);
    }
    query_scene_end(&s);
}

/* Every method finds what there is; --given and --never hold. */
SLOW_TEST(synth_release_keeps_given_and_never)
{
    static const char *const methods[] = {"mst", "aim", "mwem"};
    query_scene s;
    write_people(bytes, sizeof bytes, 1000, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        const char *cut = "age=50", *given = "sex=m", *never = "sex=m,kind=c";
        for (size_t i = 0; i < 3; i++) {
            scrim_synth_rows *rows = NULL;
            scrim_synth_release *release =
                run(&s, OPTIONS(MUCH, .method = methods[i], .cuts = &cut, .cut_count = 1,
                                .never = &never, .never_count = 1));
            if (release != NULL &&
                CHECK_STATUS(
                    scrim_synth_draw(release,
                                     ROWS(.rows = 400, .given = &given, .given_count = 1),
                                     &rows, &s.error),
                    SCRIM_OK)) {
                CHECK_INT(scrim_synth_row_count(rows), 400);
                CHECK_INT(count(rows, 2, "c"), 0);
                CHECK(abs(count(rows, 1, "m") - 400) <= 4);
                CHECK(abs(count(rows, 2, "b") - 400) <= 4);
            }
            scrim_synth_rows_free(rows);
            scrim_synth_release_free(release);
        }
    }
    query_scene_end(&s);
}

/* mwem measures tables of as many columns as asked for; two are the question without a number. */
SLOW_TEST(synth_release_measures_tables_of_some_columns)
{
    CLAIM("synth-plan.question");
    query_scene s;
    const char *cut = "age=50";
    write_people(bytes, sizeof bytes, 1000, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        for (unsigned ways = 0; ways <= 3; ways++) {
            scrim_synth_rows *rows = NULL;
            scrim_synth_release *release =
                run(&s, OPTIONS(MUCH, .method = "mwem", .cuts = &cut, .cut_count = 1,
                                .ways = ways));
            REQUIRE(release != NULL);
            const sc_synth_released *released = &release->record.released;
            CHECK_INT(released->count, ways == 3 ? 2 : 4); /* the first is the total */
            for (size_t i = 1; i < released->count; i++)
                CHECK_INT(sc_clique_count(released->steps[i].clique),
                          ways == 0 ? 2 : ways);
            CHECK_INT(id_of(release), ways < 2 ? ways + 1 : ways == 2 ? 1 : 3);
            if (CHECK_STATUS(scrim_synth_draw(release, NULL, &rows, NULL), SCRIM_OK)) {
                /* of 24 cells most are empty, and 200 passes leave a few rows in each */
                const int most = ways == 3 ? 150 : 5;
                CHECK(abs(count(rows, 1, "f") - 500) <= most);
                if (ways != 1)
                    CHECK(abs(count(rows, 2, "a") - 500) <= most);
            }
            scrim_synth_rows_free(rows);
            scrim_synth_release_free(release);
        }
        static const struct {
            const char *method;
            unsigned ways;
        } refused[] = {{"mst", 2}, {"aim", 3}, {"mwem", 4}, {"mwem", 64}};
        for (size_t i = 0; i < COUNT(refused); i++) {
            scrim_synth *synth = NULL;
            CHECK_STATUS(
                scrim_synth_new(s.vault, "people",
                                OPTIONS(MUCH, .method = refused[i].method, .cuts = &cut,
                                        .cut_count = 1, .ways = refused[i].ways),
                                &synth, &s.error),
                SCRIM_E_PARAM);
            CHECK_STR(s.error.parameter, "ways");
        }
    }
    query_scene_end(&s);
}

/* Records that refine a release show what it measured: who was not charged for that has its cost booked on their share. */
TEST(synth_refinement_is_booked_on_the_share_of_who_asks)
{
    CLAIM("booked-view.share");
    query_scene s;
    scrim_budget budget;
    write_people(bytes, sizeof bytes, 1000, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        scrim_synth_release *first = run(&s, OPTIONS(MUCH));
        REQUIRE_OK(scrim_vault_share(s.vault, "people", NULL, "10000", "0.1", &s.error));
        sc_identity_set(&s.vault->identity, 4242, "ann");
        scrim_synth_release *second =
            run(&s, OPTIONS(.epsilon = "1", .delta = "1e-6",
                            .refine = first == NULL ? 0 : id_of(first)));
        REQUIRE_OK(scrim_vault_budget(s.vault, 0, "ann", &budget, NULL));
        CHECK_STR(budget.spent, "2001");
        scrim_synth_release_free(first);
        scrim_synth_release_free(second);
    }
    query_scene_end(&s);
}

/* A later release takes over what was measured, is charged for itself, and can be refined again. */
SLOW_TEST(synth_release_can_be_refined)
{
    CLAIM("synth-ask.charged");
    static const char *const methods[] = {"mst", "aim"};
    write_people(bytes, sizeof bytes, 1000, 1);
    for (size_t i = 0; i < 2; i++) {
        query_scene s;
        sc_tape *tape = NULL;
        char left[3 * SCRIM_NUMBER_BYTES];
        /* The same noise in every run: with an epsilon of 1 no bound on the rows is certain. */
        REQUIRE_OK(sc_tape_seeded(24 + i, &tape, NULL));
        if (query_scene_begin(&s, POLICY, bytes)) {
            sc_vault_use_bits(s.vault, sc_tape_bits_of(tape));
            const char *cut = "age=50", *never = "sex=m,kind=c";
            scrim_synth_release *first =
                run(&s, OPTIONS(.epsilon = "1", .delta = "1e-6", .method = methods[i],
                                .cuts = &cut, .cut_count = 1, .never = &never,
                                .never_count = 1));
            scrim_synth_release *second =
                run(&s, OPTIONS(MUCH, .refine = first == NULL ? 0 : id_of(first)));
            scrim_synth_release *third =
                run(&s, OPTIONS(.epsilon = "1", .delta = "1e-6",
                                .refine = second == NULL ? 0 : id_of(second)));
            CHECK_STR(query_scene_left(&s, left), "97998 0.499997 3");
            if (first != NULL && second != NULL && third != NULL) {
                const sc_synth_released *a = &first->record.released,
                                        *b = &second->record.released;
                scrim_synth_rows *rows = NULL;
                CHECK_INT(b->inherited, a->count);
                CHECK(b->count > a->count);
                CHECK_INT(third->record.released.inherited, b->count);
                CHECK_INT(third->record.refines, id_of(second));
                for (size_t k = 0; k < a->count; k++)
                    CHECK(a->steps[k].cells == b->steps[k].cells &&
                          memcmp(a->steps[k].counts, b->steps[k].counts,
                                 a->steps[k].cells * sizeof *a->steps[k].counts) == 0);
                if (CHECK_STATUS(scrim_synth_draw(third, ROWS(.rows = 1000), &rows, NULL),
                                 SCRIM_OK))
                    CHECK(abs(count(rows, 2, "a") - 500) <= 60);
                scrim_synth_rows_free(rows);
            }
            scrim_synth_release_free(first);
            scrim_synth_release_free(second);
            scrim_synth_release_free(third);
        }
        query_scene_end(&s);
        sc_tape_free(tape);
    }
}

TEST(synth_release_refines_only_what_fits)
{
    query_scene s;
    write_people(bytes, sizeof bytes, 100, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        const char *cut = "age=50";
        scrim_synth_release *tree =
            run(&s, OPTIONS(MUCH, .columns = "sex,kind", .method = "mst"));
        scrim_synth_release *weights =
            run(&s, OPTIONS(MUCH, .columns = "sex,kind", .method = "mwem"));
        const scrim_synth_options asked[] = {
            {.size = sizeof *asked, MUCH, .refine = 1, .columns = "sex"},
            {.size = sizeof *asked, MUCH, .refine = 1, .cuts = &cut, .cut_count = 1},
            {.size = sizeof *asked, MUCH, .refine = 2},
            {.size = sizeof *asked, MUCH, .refine = 1, .method = "mst"}};
        for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
            scrim_synth *synth = NULL;
            CHECK_STATUS(scrim_synth_new(s.vault, "people", &asked[i], &synth, &s.error),
                         SCRIM_E_PARAM);
            CHECK_STR(s.error.parameter, i == 3 ? "method" : "refine");
        }
        scrim_synth_release_free(tree);
        scrim_synth_release_free(weights);
    }
    query_scene_end(&s);
}

TEST(synth_bounds_the_rows_of_a_person)
{
    query_scene s;
    write_people(bytes, sizeof bytes, 500, 5);
    if (query_scene_begin(&s,
                          "unit=who\nmax-groups=1\nmax-rows=2\n" COLUMNS
                          "budget=epsilon=100000,delta=0.5\n",
                          bytes)) {
        scrim_synth_released facts;
        scrim_synth_rows *rows = NULL;
        char text[SCRIM_SYNTH_CELL_BYTES];
        scrim_synth_release *release = run(&s, OPTIONS(MUCH));
        if (release != NULL) {
            scrim_synth_release_describe(release, &facts);
            CHECK_INT(facts.max_rows, 2);
            CHECK_INT(facts.rows, 1000);
            CHECK_STATUS(scrim_synth_draw(release, ROWS(.rows = 3), &rows, NULL),
                         SCRIM_OK);
            CHECK_STR(scrim_synth_row_name(rows, 0), "who");
            CHECK(scrim_synth_cell(rows, 2, 0, text) != 0);
            CHECK_STR(text, "3");
        }
        scrim_synth_rows_free(rows);
        scrim_synth_release_free(release);
    }
    query_scene_end(&s);
}

/* A person of five different rows, three times each, keeps three of them twice: six rows, for which the noise is made. */
SLOW_TEST(synth_bounds_the_different_rows_of_a_person)
{
    static const char *const methods[] = {"mst", "aim", "mwem"};
    size_t used = (size_t)snprintf(bytes, sizeof bytes, "who,age,sex,kind\n");
    query_scene s;
    for (int i = 0; i < 200 * 15; i++)
        used += (size_t)snprintf(bytes + used, sizeof bytes - used, "p%d,%d,f,a\n",
                                 i / 15, 10 + i % 5 * 20);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (query_scene_begin(&s,
                              "unit=who\nmax-groups=3\nmax-rows=2\n" COLUMNS
                              "budget=epsilon=100000,delta=0.5\n",
                              bytes)) {
            scrim_synth_released facts;
            scrim_synth_release *release = run(
                &s, OPTIONS(.epsilon = "20000", .delta = "1e-6", .method = methods[i]));
            if (release != NULL) {
                scrim_synth_release_describe(release, &facts);
                CHECK_INT(facts.max_rows, 6);
                CHECK_INT(facts.rows, 1200);
            }
            scrim_synth_release_free(release);
        }
        query_scene_end(&s);
    }
}

static void count_calls(void *context, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    ++*(int *)context;
}

/* How far it is tells how long it takes, which a quantum hides. */
SLOW_TEST(synth_tells_no_progress_at_a_quantum)
{
    CLAIM("ask.quantum");
    static const char *const policies[] = {POLICY,
                                           POLICY "max-size=512KiB\nquantum=0.001\n"};
    write_people(bytes, sizeof bytes, 100, 1);
    for (size_t i = 0; i < COUNT(policies); i++) {
        query_scene s;
        int calls = 0;
        if (query_scene_begin(&s, policies[i], bytes)) {
            scrim_synth_release_free(
                run(&s, OPTIONS(MUCH, .columns = "sex,kind", .progress = count_calls,
                                .context = &calls)));
            CHECK((calls > 0) == (i == 0));
        }
        query_scene_end(&s);
    }
}

/* Without budget no row is read; a source or a policy that has changed since is refused, and nothing is charged. */
TEST(synth_reads_nothing_that_is_not_charged)
{
    CLAIM("synth-ask.charged");
    query_scene s;
    char left[3 * SCRIM_NUMBER_BYTES];
    int calls = 0;
    scrim_synth *poor = NULL, *synth = NULL;
    scrim_synth_release *release = NULL;
    write_people(bytes, sizeof bytes, 1000, 1);
    if (query_scene_begin(&s, POLICY, bytes) &&
        CHECK_STATUS(scrim_synth_new(s.vault, "people",
                                     OPTIONS(.epsilon = "100001", .delta = "1e-6",
                                             .progress = count_calls, .context = &calls),
                                     &poor, &s.error),
                     SCRIM_OK) &&
        CHECK_STATUS(
            scrim_synth_new(s.vault, "people",
                            OPTIONS(MUCH, .progress = count_calls, .context = &calls),
                            &synth, &s.error),
            SCRIM_OK)) {
        CHECK_STATUS(scrim_synth_run(s.vault, poor, &release, &s.error), SCRIM_E_BUDGET);
        CHECK_INT(calls, 0);
        CHECK(query_scene_write(&s, "who,age,sex,kind\np,1,f,a\n"));
        CHECK_STATUS(scrim_synth_run(s.vault, synth, &release, &s.error), SCRIM_E_INPUT);
        CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error),
                     SCRIM_OK);
        CHECK_STATUS(scrim_synth_run(s.vault, synth, &release, &s.error), SCRIM_E_POLICY);
        CHECK_INT(calls, 0);
        CHECK_STR(query_scene_left(&s, left), "100000 0.5 0");
    }
    scrim_synth_release_free(release);
    scrim_synth_free(poor);
    scrim_synth_free(synth);
    query_scene_end(&s);
}

TEST(synth_record_reads_back)
{
    CLAIM("synth-record.back");
    query_scene s;
    write_people(bytes, sizeof bytes, 100, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        const char *never = "kind=c,sex=m";
        scrim_synth_release *release =
            run(&s, OPTIONS(MUCH, .never = &never, .never_count = 1));
        if (release != NULL) {
            const char *text = release->record.text;
            sc_synth_record record;
            char *changed = malloc(strlen(text) + 2);
            CHECK_INT(release->record.domain.never_count, 1);
            CHECK_INT(release->record.domain.never[0].codes[2], 2);
            CHECK_STATUS(sc_synth_record_read(text, &record, NULL), SCRIM_OK);
            CHECK_INT(record.released.count, release->record.released.count);
            sc_synth_record_clear(&record);
            for (size_t i = 1; i < strlen(text); i += 7) { /* cut short within a line */
                if (text[i - 1] == '\n')
                    continue;
                memcpy(changed, text, i);
                changed[i] = '\0';
                CHECK_STATUS(sc_synth_record_read(changed, &record, NULL), SCRIM_E_CHECK);
                sc_synth_record_clear(&record);
            }
            free(changed);
        }
        scrim_synth_release_free(release);
    }
    query_scene_end(&s);
}

TEST(synth_refuses_before_the_charge)
{
    static const struct {
        const char *columns, *cut, *never, *method, *epsilon, *delta, *parameter;
    } cases[] = {
        {"ages", NULL, NULL, NULL, "1", "1e-6", "columns"},
        {"age,who", NULL, NULL, NULL, "1", "1e-6", "columns"},
        {NULL, "who=1", NULL, NULL, "1", "1e-6", "cut"},
        {NULL, "age", NULL, NULL, "1", "1e-6", "cut"},
        {NULL, NULL, "sex=x,kind=a", NULL, "1", "1e-6", "never"},
        {NULL, NULL, "sex=m", NULL, "1", "1e-6", "never"},
        {NULL, NULL, "sex=m,sex=f", NULL, "1", "1e-6", "never"},
        {NULL, NULL, "sex=f,kind=NULL", NULL, "1", "1e-6", "never"},
        {NULL, NULL, NULL, "xyz", "1", "1e-6", "method"},
        {NULL, NULL, NULL, NULL, NULL, "1e-6", "epsilon"},
        {NULL, NULL, NULL, NULL, "1", NULL, "delta"},
        {NULL, NULL, NULL, "aim", "1", "0", "delta"},
        {NULL, NULL, NULL, NULL, "0.0001", "1e-12", "epsilon"},
    };
    query_scene s;
    char left[3 * SCRIM_NUMBER_BYTES];
    write_people(bytes, sizeof bytes, 10, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            scrim_synth *synth = NULL;
            CHECK_STATUS(
                scrim_synth_new(
                    s.vault, "people",
                    OPTIONS(.method = cases[i].method, .columns = cases[i].columns,
                            .epsilon = cases[i].epsilon, .delta = cases[i].delta,
                            .cuts = &cases[i].cut, .cut_count = cases[i].cut != NULL,
                            .never = &cases[i].never,
                            .never_count = cases[i].never != NULL),
                    &synth, &s.error),
                SCRIM_E_PARAM);
            CHECK_STR(s.error.parameter, cases[i].parameter);
            scrim_synth_free(synth);
        }
        CHECK_STR(query_scene_left(&s, left), "100000 0.5 0");
    }
    query_scene_end(&s);
}

/* A measured number has an interval that holds; three columns of a tree have no interval. */
SLOW_TEST(synth_report_names_what_is_known)
{
    query_scene s;
    write_people(bytes, sizeof bytes, 1000, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        scrim_synth_report *report = NULL;
        scrim_synth_release *release = run(&s, OPTIONS(MUCH));
        scrim_synth_marginal m;
        if (release != NULL &&
            CHECK_STATUS(scrim_synth_report_new(release, NULL, &report, &s.error),
                         SCRIM_OK)) {
            CHECK(scrim_synth_report_at(report, 0, &m) != 0);
            CHECK_STR(m.columns, "age");
            CHECK_INT(m.basis, SCRIM_SYNTH_MEASURED);
            CHECK(m.low >= 0 && m.low <= m.high && m.high < 0.1);
            CHECK(scrim_synth_report_at(report, 6, &m) != 0);
            CHECK_STR(m.columns, "age,sex,kind");
            CHECK_INT(m.basis, SCRIM_SYNTH_MODEL);
            CHECK(scrim_synth_report_at(report, 7, &m) == 0);
        }
        scrim_synth_report_free(report);
        report = NULL;
        CHECK_STATUS(scrim_synth_report_new(
                         release, SCRIM_OPTIONS(scrim_synth_report_options, .ways = 4),
                         &report, &s.error),
                     SCRIM_E_PARAM);
        FAULT_LOOP(fault)
        {
            const scrim_status status =
                scrim_synth_report_new(release, NULL, &report, &s.error);
            if (status != SCRIM_OK)
                CHECK_STATUS(status, SCRIM_E_MEMORY);
            scrim_synth_report_free(report);
            report = NULL;
        }
        scrim_synth_release_free(release);
    }
    query_scene_end(&s);
}

/* The charged mean is near the true one, costs what it says, and is refused where no total was released. */
SLOW_TEST(synth_report_is_compared_for_a_charge)
{
    CLAIM("synth-ask.charged");
    query_scene s;
    write_people(bytes, sizeof bytes, 1000, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        const char *cut = "age=50";
        char left[3 * SCRIM_NUMBER_BYTES];
        scrim_synth_report *report = NULL;
        scrim_synth_comparison found;
        scrim_synth_marginal m;
        double sum = 0;
        scrim_synth_release *release = run(
            &s, OPTIONS(.epsilon = "1", .delta = "1e-6", .cuts = &cut, .cut_count = 1));
        scrim_synth_release *small =
            run(&s, OPTIONS(.epsilon = "1", .columns = "sex", .method = "smalldb"));
        if (release != NULL && small != NULL &&
            CHECK_STATUS(scrim_synth_report_new(release, NULL, &report, &s.error),
                         SCRIM_OK) &&
            CHECK_STATUS(scrim_synth_report_compare(s.vault, release, report, &s.error),
                         SCRIM_OK)) {
            for (size_t i = 0; scrim_synth_report_at(report, i, &m) != 0; i++)
                sum += m.ways == 2 ? m.truth : 0;
            CHECK_STATUS(scrim_synth_report_charge(s.vault, release, report, "20", &found,
                                                   &s.error),
                         SCRIM_OK);
            CHECK_INT(found.marginals, 3);
            CHECK_INT(found.release, 3);
            CHECK_STR(found.cost.epsilon, "20");
            CHECK(found.low <= sum / 3 && sum / 3 <= found.high);
            CHECK(found.high - found.low < 0.2);
            CHECK_STR(query_scene_left(&s, left), "99978 0.499999 3");
            CHECK_STATUS(scrim_synth_report_charge(s.vault, release, report, NULL, &found,
                                                   &s.error),
                         SCRIM_E_PARAM);
            CHECK_STATUS(
                scrim_synth_report_charge(s.vault, small, report, "1", &found, &s.error),
                SCRIM_E_PARAM);
            CHECK_STR(query_scene_left(&s, left), "99978 0.499999 3");
        }
        scrim_synth_report_free(report);
        scrim_synth_release_free(release);
        scrim_synth_release_free(small);
    }
    query_scene_end(&s);
}

/* Every allocation fails once, before the charge and when rows are drawn: nothing leaks, and nothing is charged
 * by a plan. */
FAULT_TEST(synth_survives_without_memory)
{
    query_scene s;
    write_people(bytes, sizeof bytes, 40, 1);
    if (query_scene_begin(&s, POLICY, bytes)) {
        const char *cut = "age=50", *never = "kind=c,sex=m";
        scrim_status status = SCRIM_OK;
        FAULT_LOOP(plan)
        {
            scrim_synth *synth = NULL;
            status = scrim_synth_new(s.vault, "people",
                                     OPTIONS(MUCH, .cuts = &cut, .cut_count = 1,
                                             .never = &never, .never_count = 1),
                                     &synth, &s.error);
            if (status != SCRIM_OK)
                CHECK_STATUS(status, SCRIM_E_MEMORY);
            scrim_synth_free(synth);
        }
        CHECK_STATUS(status, SCRIM_OK);
        scrim_synth_release *release =
            run(&s, OPTIONS(MUCH, .cuts = &cut, .cut_count = 1));
        FAULT_LOOP(draw)
        {
            const char *given = "sex=m";
            scrim_synth_release *again = NULL;
            scrim_synth_rows *rows = NULL;
            status =
                sc_synth_release_new(release->record.text, 1, 0, true, &again, &s.error);
            if (status == SCRIM_OK)
                status = scrim_synth_draw(again, ROWS(.given = &given, .given_count = 1),
                                          &rows, &s.error);
            if (status != SCRIM_OK)
                CHECK_STATUS(status, SCRIM_E_MEMORY);
            scrim_synth_rows_free(rows);
            scrim_synth_release_free(again);
        }
        CHECK_STATUS(status, SCRIM_OK);
        scrim_synth_release_free(release);
    }
    query_scene_end(&s);
}

/* Processes that end, and others that take up what they have charged. */

static uint64_t charges_of(scrim_vault *vault)
{
    scrim_budget budget = {.charges = 0};
    CHECK_STATUS(scrim_vault_budget(vault, 0, NULL, &budget, NULL), SCRIM_OK);
    return budget.charges;
}

/* Ends the process when so much of a release is done. */
static uint64_t end_at;

static void end_process(void *context, uint64_t done, uint64_t total)
{
    (void)context;
    if (done * 1000 >= end_at * total)
        _exit(42);
}

/* A method, or "private": private keys, by mst. */
static const char *policy_of(const char *method)
{
    return strcmp(method, "private") == 0 ? PRIVATE_POLICY : ONE_POLICY;
}

static scrim_status plan_of(query_scene *s, const char *method, unsigned workers,
                            bool is_ended, scrim_synth **out)
{
    const bool is_pure = strcmp(method, "smalldb") == 0;
    const bool is_private = strcmp(method, "private") == 0;
    const char *kind = "kind";
    return scrim_synth_new(s->vault, "people",
                           OPTIONS(.method = is_private ? NULL : method,
                                   .columns = "sex,kind", .epsilon = "3",
                                   .delta = is_pure ? NULL : "1e-6", .workers = workers,
                                   .private_keys = &kind, .private_key_count = is_private,
                                   .progress = is_ended ? end_process : NULL),
                           out, &s->error);
}

static scrim_status ask(query_scene *s, const char *method, unsigned workers,
                        bool is_ended, scrim_synth_release **out)
{
    scrim_synth *synth = NULL;
    scrim_status status = plan_of(s, method, workers, is_ended, &synth);
    if (status == SCRIM_OK)
        status = scrim_synth_run(s->vault, synth, out, &s->error);
    scrim_synth_free(synth);
    return status;
}

/* A child charges a release and ends in the middle of it. */
static void leave_pending(query_scene *s, const char *method)
{
    scrim_vault_close(s->vault);
    s->vault = NULL;
    const pid_t child = fork();
    if (child == 0) {
        scrim_synth_release *release = NULL;
        s->vault = scene_open(&s->base);
        (void)ask(s, method, 1, true, &release);
        fprintf(stderr, "%s\n", s->error.message);
        _exit(1);
    }
    int state = 0;
    CHECK(waitpid(child, &state, 0) == child && WIFEXITED(state) &&
          WEXITSTATUS(state) == 42);
}

/* Each person has two rows, of which the release keeps one. */
static void write_pairs(char *text, size_t capacity, int people)
{
    size_t used = (size_t)snprintf(text, capacity, "who,age,sex,kind\n");
    for (int i = 0; i < people; i++)
        used += (size_t)snprintf(text + used, capacity - used, "p%d,20,f,a\np%d,70,m,b\n",
                                 i, i);
}

/* The vault as it was when the process ended is put back, and the release finished by another process: the same bytes,
 * whichever it is, and one charge. */
SLOW_TEST(synth_release_is_finished_by_another_process)
{
    CLAIM("synth-ask.once");
    static const char *const methods[] = {"mst", "aim", "mwem", "smalldb", "private"};
    static const uint64_t ends[] = {0, 501};
    write_pairs(bytes, sizeof bytes, 300);
    /* Both ends of every method in the long tier; else one of each, in turn. */
    for (size_t i = 0; i < 2 * (sizeof methods / sizeof *methods); i++) {
        query_scene s;
        char kept[128], *first = NULL;
        if (!check_is_long() && i % 2 != i / 2 % 2)
            continue;
        if (!query_scene_begin(&s, policy_of(methods[i / 2]), bytes))
            return;
        end_at = strcmp(methods[i / 2], "smalldb") == 0 ? 0 : ends[i % 2];
        snprintf(kept, sizeof kept, "%s/kept", s.base.folder);
        leave_pending(&s, methods[i / 2]);
        CHECK(scene_copy(s.base.path, kept));
        for (unsigned turn = 0; turn < 2; turn++) {
            scrim_synth_release *release = NULL;
            CHECK(turn == 0 || scene_copy(kept, s.base.path));
            s.vault = scene_open(&s.base);
            if (!CHECK(s.vault != NULL))
                break;
            CHECK_INT(charges_of(s.vault), 1);
            if (CHECK_STATUS(ask(&s, methods[i / 2], 1 + turn, false, &release),
                             SCRIM_OK)) {
                CHECK_INT(id_of(release), 1);
                if (first == NULL)
                    first = strdup(release->record.text);
                CHECK_STR(release->record.text, first);
            }
            CHECK_INT(charges_of(s.vault), 1);
            scrim_synth_release_free(release);
            if (turn == 0) {
                scrim_vault_close(s.vault);
                s.vault = NULL;
            }
        }
        free(first);
        query_scene_end(&s);
    }
}

/* Each allocation of a run fails once, also after the charge: what was charged stays so, and the next run takes it up. */
FAULT_TEST(synth_run_survives_without_memory)
{
    CLAIM("synth-ask.charged");
    static const char *const methods[] = {"mst", "mwem", "private"};
    write_people(bytes, sizeof bytes, 20, 1);
    for (size_t i = check_is_long() ? 0 : 1; i < sizeof methods / sizeof *methods; i++) {
        query_scene s;
        if (!query_scene_begin(&s, policy_of(methods[i]), bytes))
            return;
        int shown = 0;
        scrim_synth *synth = NULL;
        scrim_status status = SCRIM_OK;
        FAULT_LOOP(planned)
        {
            scrim_synth_free(synth);
            synth = NULL;
            status = plan_of(&s, methods[i], 1, false, &synth);
            if (status != SCRIM_OK)
                CHECK_STATUS(status, SCRIM_E_MEMORY);
        }
        CHECK_STATUS(status, SCRIM_OK);
        FAULT_LOOP(fault)
        {
            scrim_synth_release *release = NULL;
            status = scrim_synth_run(s.vault, synth, &release, &s.error);
            if (status != SCRIM_OK)
                CHECK_STATUS(status, SCRIM_E_MEMORY);
            shown += status == SCRIM_OK;
            scrim_synth_release_free(release);
        }
        CHECK(shown >= 1);
        CHECK_INT(charges_of(s.vault), 1);
        scrim_synth_free(synth);
        query_scene_end(&s);
    }
}
