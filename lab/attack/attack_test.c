#include "base/number/ball_double.h"
#include "check.h"
#include "faults.h"
#include "lab/attack/attack_scene.h"
#include "lab/attack/counts.h"
#include "model/guess.h"
#include "random/bits_tape.h"
#include "system_calls.h"
#include "vectors.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void fill(lab_findings *found)
{
    const double y[] = {1, 2};
    lab_findings_begin(found, "squares", "numbers and their squares",
                       (const char *const[]){"number", "square", NULL});
    lab_findings_draw(found, &(lab_findings_chart){.x_name = "x",
                                                   .y_name = "y",
                                                   .is_log_y = true,
                                                   .curves = {"one", "two"}});
    for (int i = 1; i <= 40; i++) {
        lab_findings_put(found, "%d\n%d", i, i * i);
        lab_findings_point(found, i, y);
    }
    found->learnt = lab_findings_words(found, "%d squares", 40);
}

TEST(findings_hold_tables)
{
    lab_findings found = {.table_count = 0};
    fill(&found);
    CHECK(!found.lacks_memory);
    CHECK_INT(found.table_count, 1);
    const lab_findings_table *table = &found.tables[0];
    CHECK_INT(table->column_count, 2);
    CHECK_INT(table->cell_count, 80);
    CHECK_STR(table->cells[79], "1600");
    CHECK(table->chart.is_log_y && !table->chart.is_log_x);
    CHECK_INT(table->point_count, 40);
    CHECK_INT(table->curve_count, 2);
    CHECK(table->x[39] == 40 && table->y[1][39] == 2);
    CHECK_STR(found.learnt, "40 squares");
    /* The format parts cells, and no text does. */
    lab_findings_put(&found, "%s\n%s", "a|b", "");
    CHECK_INT(table->cell_count, 82);
    CHECK_STR(table->cells[80], "a|b");
    CHECK_STR(table->cells[81], "");
    lab_findings_clear(&found);
}

/* No call reports it; the findings remember. */
TEST(findings_remember_a_lack_of_memory)
{
    FAULT_LOOP(fault)
    {
        lab_findings found = {.table_count = 0};
        fill(&found);
        CHECK(found.lacks_memory == fault_hit());
        CHECK(found.learnt != NULL);
        lab_findings_clear(&found);
    }
}

static bool run_seeded(const char *name, const lab_attack_options *options,
                       lab_findings *out)
{
    scrim_error error;
    sc_entropy_seed(check_seed());
    const scrim_status status =
        lab_attack_run(lab_attack_kind_find(name), options, out, &error);
    sc_entropy_release();
    return CHECK_STATUS(status, SCRIM_OK);
}

static bool run(const char *name, lab_findings *out)
{
    const bool needs_file = lab_attack_kind_find(name)->needs_file;
    return run_seeded(
        name, &(lab_attack_options){.file = needs_file ? "data/adult.csv" : NULL}, out);
}

static const lab_findings_table *find_table(const lab_findings *found, const char *name)
{
    for (size_t i = 0; i < found->table_count; i++)
        if (strcmp(found->tables[i].name, name) == 0)
            return &found->tables[i];
    CHECK_FAIL("no table %s", name);
    return NULL;
}

/* The cell of a column in the row whose first cell is key; NULL without such a row. */
static const char *cell_of(const lab_findings *found, const char *name, const char *key,
                           const char *column)
{
    const lab_findings_table *table = find_table(found, name);
    size_t at = 0;
    if (table == NULL)
        return NULL;
    while (at < table->column_count && strcmp(table->columns[at], column) != 0)
        at++;
    for (size_t row = 0; row < table->cell_count; row += table->column_count)
        if (strcmp(table->cells[row], key) == 0)
            return table->cells[row + at];
    CHECK_FAIL("no row %s in %s", key, name);
    return NULL;
}

static double number_of(const lab_findings *attack, const char *table, const char *key,
                        const char *column)
{
    const char *cell = cell_of(attack, table, key, column);
    return cell == NULL ? -1e9 : strtod(cell, NULL);
}

static bool is_text(const char *text)
{
    return text != NULL && strlen(text) > 10;
}

/* All attacks have sentences, whole rows and ascending points. */
static void check_shape(const lab_findings *found)
{
    size_t charts = 0;
    CHECK(is_text(found->target) && is_text(found->learnt) && is_text(found->cost) &&
          is_text(found->stopped));
    for (size_t k = 0; k < found->table_count; k++) {
        const lab_findings_table *table = &found->tables[k];
        CHECK(table->cell_count > 0 && table->cell_count % table->column_count == 0);
        for (size_t i = 1; i < table->point_count; i++)
            CHECK(table->x[i - 1] < table->x[i]);
        charts += table->point_count > 0;
    }
    CHECK(found->table_count > 0 && charts > 0);
}

TEST(attacks_have_names)
{
    const lab_attack_kind *kind;
    size_t count = 0;
    for (; (kind = lab_attack_kind_at(count)) != NULL; count++) {
        CHECK(is_text(kind->summary) && is_text(kind->source));
        CHECK(lab_attack_kind_find(kind->name) == kind);
    }
    CHECK_INT(count, 9);
    CHECK(lab_attack_kind_at(count + 1) == NULL);
    CHECK(lab_attack_kind_find("embezzle") == NULL);
}

/* The system has no random bits. */
static ssize_t no_random(void *buffer, size_t bytes, unsigned flags)
{
    (void)buffer, (void)bytes, (void)flags;
    errno = ENOSYS;
    return -1;
}

SLOW_TEST(attacks_fail_without_bits)
{
    const lab_attack_kind *kind;
    system_call.getrandom = no_random;
    for (size_t i = 0; (kind = lab_attack_kind_at(i)) != NULL; i++) {
        const lab_attack_options options = {
            .file = kind->needs_file ? "data/pums.csv" : NULL,
            .columns = kind->needs_file ? "age,sex" : NULL,
            .sensitive = kind->needs_file ? "race" : NULL};
        lab_findings found;
        /* These two count for a second before they draw. */
        const bool is_late =
            strcmp(kind->name, "reconstruct") == 0 || strcmp(kind->name, "link") == 0;
        if (is_late && !check_is_long())
            continue;
        CHECK_STATUS(lab_attack_run(kind, &options, &found, NULL), SCRIM_E_ENTROPY);
        lab_findings_clear(&found);
    }
    system_call.getrandom = NULL;
}

/* The table that is attacked is the one of the vectors. */
static void check_published(const lab_findings *attack)
{
    const json_t *rows =
        json_object_get(vectors_load("mechanisms", "table1"), "statistics");
    size_t published = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *id = vectors_text(row, "id");
        if (json_is_null(json_object_get(row, "count")))
            continue;
        published++;
        CHECK(number_of(attack, "published", id, "count") ==
              (double)vectors_number(row, "count"));
        CHECK(number_of(attack, "published", id, "median_age") ==
              (double)vectors_number(row, "median"));
        CHECK_NEAR(number_of(attack, "published", id, "mean_age"),
                   strtod(vectors_text(row, "mean"), NULL), 1e-12);
    }
    CHECK_INT(published, 7);
}

/* Shares are of 1,000 people: beyond 6 deviations of a fair coin, 10 %, in 10^-9 of all runs. */
SLOW_TEST(attack_reconstruct)
{
    CLAIM("attack.succeeds");
    CLAIM("attack.bounded");
    static const char *const epsilons[] = {"0.1", "1", "10"};
    lab_findings attack;
    REQUIRE(run("reconstruct", &attack));
    check_shape(&attack);
    check_published(&attack);
    CHECK_STR(cell_of(&attack, "statistics", "2A 2B", "blocks"), "6229620");
    CHECK_STR(cell_of(&attack, "statistics", "2A 2B 1A 2C 2D 4A 3B", "blocks"), "1");
    CHECK(number_of(&attack, "noise", "0", "recovered_percent") == 100);
    CHECK(number_of(&attack, "noise", "4", "recovered_percent") >= 95);
    CHECK(number_of(&attack, "noise", "256", "recovered_percent") < 61);
    CHECK(number_of(&attack, "releases", "1", "recovered_percent") < 60);
    for (size_t i = 0; i < COUNT(epsilons); i++) {
        const double measured =
            number_of(&attack, "releases", epsilons[i], "recovered_percent");
        CHECK(measured <=
              number_of(&attack, "releases", epsilons[i], "bound_percent") + 10);
        CHECK(fabs(measured -
                   number_of(&attack, "releases", epsilons[i], "expected_percent")) < 10);
    }
    CHECK_STR(cell_of(&attack, "block-released", "1", "blocks"), "over 1000000");
    lab_findings_clear(&attack);
}

/* Each right guess of the table stays within 6 deviations of `guesses` coins of its bound. */
static void check_bounded(const lab_findings *attack, const char *table,
                          const char *const *keys, size_t count, const char *column,
                          double guesses)
{
    for (size_t i = 0; i < count; i++)
        CHECK(number_of(attack, table, keys[i], column) <=
              number_of(attack, table, keys[i], "bound_percent") + 300 / sqrt(guesses));
}

/* The bound beside each attack is that of a label, which is rounded up to a thousandth. */
TEST(attack_bound_is_the_label_s)
{
    CLAIM("attack.bounded");
    static const char *const epsilons[] = {"0.1", "0.5", "1", "2", "5", "10"};
    for (size_t i = 0; i < COUNT(epsilons); i++) {
        sc_exact_cost cost;
        SC_OWN(sc_ratio, epsilon, guess);
        REQUIRE_OK(sc_ratio_parse(sc_text_of(epsilons[i]), &epsilon, NULL));
        sc_cost_init(&cost);
        sc_cost_set_pure(&cost, &epsilon);
        sc_guess_upper(&cost, &guess);
        const double above =
            sc_ball_near(&guess) - lab_attack_guess_bound(strtod(epsilons[i], NULL));
        CHECK(above >= 0 && above < 0.001);
        sc_cost_clear(&cost);
    }
}

SLOW_TEST(attack_difference)
{
    CLAIM("attack.succeeds");
    CLAIM("attack.bounded");
    static const char *const epsilons[] = {"0.1", "0.5", "1", "2"};
    lab_findings attack;
    REQUIRE(run("difference", &attack));
    check_shape(&attack);
    CHECK(number_of(&attack, "unprotected", "exact", "right_percent") == 100);
    CHECK(number_of(&attack, "unprotected", "suppressed below 10", "right_percent") ==
          100);
    CHECK(number_of(&attack, "unprotected", "rounded to 5 and padded", "right_percent") ==
          100);
    CHECK(number_of(&attack, "unprotected", "rounded to 5", "right_percent") < 75);
    check_bounded(&attack, "scrim", epsilons, 4, "right_percent", 1000);
    check_bounded(&attack, "scrim", epsilons, 4, "right_if_others_known", 1000);
    for (size_t i = 0; i < 4; i++)
        CHECK(fabs(number_of(&attack, "scrim", epsilons[i], "right_percent") -
                   number_of(&attack, "scrim", epsilons[i], "expected_percent")) < 10);
    lab_findings_clear(&attack);
}

SLOW_TEST(attack_average)
{
    CLAIM("attack.succeeds");
    CLAIM("attack.bounded");
    static const char *const budgets[] = {"0.1", "0.5", "1"};
    lab_findings attack;
    REQUIRE(run("average", &attack));
    check_shape(&attack);
    /* 400 trials: 6 deviations are below 15 %. */
    CHECK(number_of(&attack, "fresh", "2000", "truth_percent") > 73);
    CHECK(number_of(&attack, "fresh", "1", "truth_percent") < 20);
    CHECK_STR(cell_of(&attack, "scrim", "1", "answers"), "10");
    CHECK_STR(cell_of(&attack, "scrim", "0.5", "answers"), "5");
    CHECK_STR(cell_of(&attack, "scrim", "0.1", "answers"), "1000");
    CHECK(number_of(&attack, "scrim", "0.1", "truth_percent") < 20);
    check_bounded(&attack, "scrim", budgets, 3, "one_person_percent", 500);
    lab_findings_clear(&attack);
}

TEST(attack_chances_agree_with_vectors)
{
    const json_t *rows =
        json_object_get(vectors_load("mechanisms", "averaging_attack"), "rows");
    CHECK(json_array_size(rows) > 0);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        double expected = 0;
        CHECK(lab_average_expected((double)vectors_number(row, "t") /
                                       (double)vectors_number(row, "s"),
                                   (unsigned)vectors_number(row, "repeats"), &expected));
        CHECK_NEAR(expected, strtod(vectors_text(row, "prob_truth"), NULL), 1e-9);
    }
    rows = json_object_get(vectors_load("mechanisms", "differencing_attack"), "rows");
    CHECK(json_array_size(rows) > 0);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const double epsilon = strtod(vectors_text(row, "epsilon_each"), NULL);
        const double cap = strtod(vectors_text(row, "cap_from_dp"), NULL);
        CHECK_NEAR(lab_difference_expected(epsilon),
                   strtod(vectors_text(row, "success_exact"), NULL), 1e-12);
        CHECK_NEAR(1 / (1 + exp(-2 * epsilon)), cap, 1e-12);
        CHECK(lab_difference_expected(epsilon) < cap);
    }
}

/* The count that led to an answer is always possible: what is certain is true. */
TEST(float_answers_are_possible)
{
    lab_random *random = NULL;
    sc_entropy_seed(check_seed());
    REQUIRE_OK(lab_random_open(&random, NULL));
    for (uint64_t i = 0; i < check_count(2000, 1000000); i++) {
        static const double scales[] = {0.5, 1, 2, 10, 100};
        const uint64_t word = lab_random_word(random);
        const int x = (int)(word >> 5 & 1);
        const double scale = scales[i % COUNT(scales)];
        CHECK(lab_float_is_possible(x, scale, lab_float_answer(x, scale, word)));
    }
    lab_random_close(random);
    sc_entropy_release();
}

SLOW_TEST(attack_float)
{
    CLAIM("attack.succeeds");
    CLAIM("attack.bounded");
    lab_findings attack;
    REQUIRE(run("float", &attack));
    check_shape(&attack);
    const lab_findings_table *table = find_table(&attack, "answers");
    REQUIRE(table != NULL);
    for (size_t row = 0; row < table->cell_count; row += table->column_count) {
        const double certain = strtod(table->cells[row + 2], NULL);
        const double right = strtod(table->cells[row + 3], NULL);
        const double bound = strtod(table->cells[row + 4], NULL);
        if (strcmp(table->cells[row + 1], "double") == 0) {
            CHECK(certain > 50);
            CHECK(right > 75);
        } else { /* of 2,000 answers */
            CHECK(certain == 0);
            CHECK(right <= bound + 300 / sqrt(2000));
        }
    }
    lab_findings_clear(&attack);
}

SLOW_TEST(attack_membership)
{
    CLAIM("attack.succeeds");
    CLAIM("attack.bounded");
    static const char *const epsilons[] = {"0.1", "1", "10", "30", "100", "300", "1000"};
    lab_findings attack;
    REQUIRE(run("membership", &attack));
    check_shape(&attack);
    CHECK(number_of(&attack, "power", "no noise", "right_percent") > 99);
    CHECK(number_of(&attack, "power", "1000", "right_percent") > 85);
    CHECK(number_of(&attack, "power", "1", "right_percent") < 61);
    check_bounded(&attack, "power", epsilons, COUNT(epsilons), "right_percent", 800);
    lab_findings_clear(&attack);
}

TEST(attack_audit)
{
    CLAIM("attack.succeeds");
    CLAIM("attack.bounded");
    static const char *const epsilons[] = {"0.1", "0.5", "1", "2", "5", "10"};
    lab_findings attack;
    REQUIRE(run("audit", &attack));
    check_shape(&attack);
    CHECK(number_of(&attack, "counts", "refuses if the answer discloses",
                    "recovered_percent") == 100);
    CHECK(number_of(&attack, "counts", "refuses if the answer discloses", "refused") >
          300);
    CHECK(number_of(&attack, "counts", "no refusals", "recovered_percent") == 100);
    CHECK(number_of(&attack, "counts", "refuses by the question alone",
                    "recovered_percent") < 60);
    CHECK(number_of(&attack, "maxima", "1000", "values_learnt") > 200);
    CHECK(number_of(&attack, "scrim", "1", "recovered_percent") < 65);
    check_bounded(&attack, "scrim", epsilons, COUNT(epsilons), "recovered_percent", 1000);
    lab_findings_clear(&attack);
}

SLOW_TEST(attack_link)
{
    CLAIM("attack.succeeds");
    CLAIM("attack.bounded");
    /* The best sets of Adult, counted elsewhere. */
    static const struct {
        const char *columns, *alone;
    } unique[] = {{"1", "2"},    {"2", "566"},  {"3", "2029"},
                  {"4", "3328"}, {"5", "4492"}, {"6", "5594"}};
    static const char *const epsilons[] = {"0.1", "1"};
    lab_findings attack;
    REQUIRE(run("link", &attack));
    check_shape(&attack);
    for (size_t i = 0; i < COUNT(unique); i++) {
        const char *columns = unique[i].columns;
        CHECK_STR(cell_of(&attack, "unique", columns, "unique_rows"), unique[i].alone);
        CHECK(number_of(&attack, "register", columns, "named_right") +
                  number_of(&attack, "register", columns, "named_wrong") +
                  number_of(&attack, "register", columns, "ambiguous") +
                  number_of(&attack, "register", columns, "no_match") ==
              2000);
    }
    /* 17.2 % of 1,000 rows are unique: 6 deviations are 72; some lack a country. */
    CHECK(number_of(&attack, "register", "6", "named_right") > 90);
    CHECK(number_of(&attack, "ratings", "8", "right_percent") > 90);
    CHECK(number_of(&attack, "ratings", "8", "right_percent") >
          number_of(&attack, "ratings", "1", "right_percent"));
    CHECK(number_of(&attack, "ratings", "8", "wrong_percent") < 5);
    check_bounded(&attack, "scrim", epsilons, 2, "right_percent", 1000);
    lab_findings_clear(&attack);
}

/* In 100 rows, 40 have a value of their own, 40 share one with another, 20 have no value. A
 * person of the register is a random row: 6 deviations of 1,000 are below 95, of 2,000 below
 * 135. */
SLOW_TEST(attack_link_joins)
{
    char path[] = "/tmp/scrim-link-XXXXXX";
    const int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    lab_findings attack;
    REQUIRE(file != NULL);
    fputs("place,secret\n", file);
    for (int i = 0; i < 100; i++)
        if (i < 80)
            fprintf(file, "%d,%d\n", i < 40 ? i : 100 + i / 2, i % 2);
        else
            fputs("?,0\n", file);
    fclose(file);
    const lab_attack_options options = {
        .file = path, .columns = "place", .sensitive = "secret"};
    const bool ran = run_seeded("link", &options, &attack);
    unlink(path);
    REQUIRE(ran);
    CHECK_STR(cell_of(&attack, "unique", "1", "unique_rows"), "40");
    CHECK(fabs(number_of(&attack, "register", "1", "named_right") - 400) < 95);
    CHECK(fabs(number_of(&attack, "register", "1", "named_wrong") - 400) < 95);
    CHECK(fabs(number_of(&attack, "register", "1", "ambiguous") - 800) < 135);
    CHECK(fabs(number_of(&attack, "register", "1", "no_match") - 400) < 135);
    CHECK_STR(cell_of(&attack, "scrim", "1", "people"), "40");
    lab_findings_clear(&attack);
}

TEST(attacks_take_the_table_they_need)
{
    static const struct {
        const lab_attack_kind *kind;
        lab_attack_options options;
        const char *message; /* its beginning */
    } list[] = {
        {&lab_attack_link, {.file = NULL}, "the attack 'link' needs a public table"},
        {&lab_attack_float,
         {.columns = "age"},
         "the attack 'float' makes its own people; it takes no table and no columns"},
        {&lab_attack_link,
         {.file = "data/pums.csv", .columns = "aeg"},
         "unknown column 'aeg'; available: "}};
    for (size_t i = 0; i < COUNT(list); i++) {
        lab_findings found;
        scrim_error error;
        CHECK_STATUS(lab_attack_run(list[i].kind, &list[i].options, &found, &error),
                     SCRIM_E_PARAM);
        CHECK(strncmp(error.message, list[i].message, strlen(list[i].message)) == 0);
        lab_findings_clear(&found);
    }
}

SLOW_TEST(attack_k_anonymity)
{
    CLAIM("attack.succeeds");
    CLAIM("attack.bounded");
    static const char *const ks[] = {"2", "3", "5", "10"}, *const each[] = {"0.1", "0.5"};
    lab_findings attack;
    REQUIRE(run("k-anonymity", &attack));
    check_shape(&attack);
    CHECK(strstr(attack.stopped, "k-anonymity is not differential privacy and does not "
                                 "compose.") != NULL);
    CHECK(number_of(&attack, "levels", "2", "homogeneous_percent") > 0);
    CHECK(number_of(&attack, "composition", "2", "certain_by_two_percent") > 40);
    for (size_t i = 0; i < COUNT(ks); i++)
        CHECK(number_of(&attack, "composition", ks[i], "certain_by_two_percent") >=
              number_of(&attack, "composition", ks[i], "certain_by_one_percent"));
    for (size_t i = 0; i < COUNT(each); i++) {
        CHECK(number_of(&attack, "scrim", each[i], "one_release_percent") <=
              number_of(&attack, "scrim", each[i], "bound_of_one") + 300 / sqrt(1000));
        CHECK(number_of(&attack, "scrim", each[i], "two_releases_percent") <=
              number_of(&attack, "scrim", each[i], "bound_of_two") + 300 / sqrt(1000));
    }
    lab_findings_clear(&attack);
}

/* The first allocations are those of the frame, of the findings and of the first release. */
FAULT_TEST(attacks_survive_faults)
{
    FAULT_LOOP(fault)
    {
        lab_findings found;
        const scrim_status status = lab_attack_run(
            &lab_attack_audit, &(lab_attack_options){.file = NULL}, &found, NULL);
        CHECK(status == SCRIM_OK || (status == SCRIM_E_MEMORY && fault_hit()));
        lab_findings_clear(&found);
        if (fault.nth > check_count_whole(100, UINT64_MAX))
            break;
    }
}
