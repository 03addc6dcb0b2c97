#include "attack/attack_scene.h"
#include "attack/attacks.h"
#include "attack/attacks_tape.h"
#include "attack/expected.h"
#include "attack/float_bits.h"
#include "base/number/ball_double.h"
#include "check.h"
#include "faults.h"
#include "model/guess.h"
#include "random/bits_tape.h"
#include "scrim/attack.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const scrim_attack_kind *kind_of(const char *name)
{
    size_t i = 0;
    while (strcmp(scrim_attack_kind_at(i)->name, name) != 0)
        i++;
    return scrim_attack_kind_at(i);
}

static scrim_attack *run_seeded(const char *name)
{
    scrim_attack *attack = NULL;
    scrim_error error;
    const scrim_attack_options options = {
        .size = sizeof options,
        .file = kind_of(name)->needs_file ? "data/adult.csv" : NULL};
    CHECK_STATUS(sc_attack_seeded(name, &options, check_seed(), &attack, &error),
                 SCRIM_OK);
    return attack;
}

static bool find_table(const scrim_attack *attack, const char *name, size_t *index,
                       scrim_attack_table *out)
{
    for (*index = 0; scrim_attack_table_at(attack, *index, out); ++*index)
        if (strcmp(out->name, name) == 0)
            return true;
    return CHECK_FAIL("no table %s", name);
}

/* The cell of a column in the row whose first cell is key; NULL: there is none. */
static const char *cell_of(const scrim_attack *attack, const char *table, const char *key,
                           const char *column)
{
    scrim_attack_table shown;
    size_t index, at = 0;
    if (!find_table(attack, table, &index, &shown))
        return NULL;
    while (at < shown.columns &&
           strcmp(scrim_attack_column_at(attack, index, at), column) != 0)
        at++;
    for (size_t row = 0; row < shown.rows; row++)
        if (strcmp(scrim_attack_cell_at(attack, index, row, 0), key) == 0)
            return scrim_attack_cell_at(attack, index, row, at);
    CHECK_FAIL("no row %s in %s", key, table);
    return NULL;
}

static double number_of(const scrim_attack *attack, const char *table, const char *key,
                        const char *column)
{
    const char *cell = cell_of(attack, table, key, column);
    return cell == NULL ? -1e9 : strtod(cell, NULL);
}

static bool is_text(const char *text)
{
    return text != NULL && strlen(text) > 10;
}

/* Whatever the attack: its sentences, whole rows, ascending points. */
static void check_shape(const scrim_attack *attack)
{
    scrim_attack_facts facts;
    scrim_attack_table table;
    size_t charts = 0, index = 0;
    scrim_attack_describe(attack, &facts);
    CHECK(is_text(facts.target) && is_text(facts.learnt) && is_text(facts.cost) &&
          is_text(facts.stopped) && is_text(facts.source));
    for (; scrim_attack_table_at(attack, index, &table); index++) {
        CHECK(table.rows > 0);
        CHECK(scrim_attack_column_at(attack, index, table.columns) == NULL);
        CHECK(scrim_attack_cell_at(attack, index, table.rows, 0) == NULL);
        for (size_t i = 1; i < table.points; i++)
            CHECK(table.x[i - 1] < table.x[i]);
        charts += table.points > 0;
    }
    CHECK(index > 0 && charts > 0);
}

TEST(attacks_have_names)
{
    const scrim_attack_kind *kind;
    scrim_attack *attack = NULL;
    scrim_error error;
    size_t count = 0;
    for (; (kind = scrim_attack_kind_at(count)) != NULL; count++)
        CHECK(is_text(kind->summary) && is_text(kind->source));
    CHECK(count > 0);
    CHECK_STATUS(scrim_attack_run("reconstrukt", NULL, &attack, &error), SCRIM_E_PARAM);
    CHECK_STR(error.message, "unknown attack 'reconstrukt'; did you mean 'reconstruct'?");
    CHECK_STATUS(scrim_attack_run("embezzle", NULL, &attack, &error), SCRIM_E_PARAM);
    CHECK_STR(error.message,
              "unknown attack 'embezzle'; use reconstruct, difference, average, float, "
              "membership, audit, link or k-anonymity. A dataset cannot be attacked");
    CHECK_STATUS(scrim_attack_run(NULL, NULL, &attack, &error), SCRIM_E_PARAM);
    CHECK(attack == NULL);
    scrim_attack_free(NULL);
}

TEST(attacks_fail_without_bits)
{
    const scrim_attack_kind *kind;
    scrim_attack *attack = NULL;
    sc_tape *tape = NULL;
    const uint64_t word = 0;
    REQUIRE_OK(sc_tape_words(&word, 1, &tape, NULL));
    const sc_attack_noise noise = {sc_tape_bits_of(tape), NULL};
    for (size_t i = 0; (kind = scrim_attack_kind_at(i)) != NULL; i++) {
        const scrim_attack_options options = {
            .size = sizeof options,
            .file = kind->needs_file ? "data/pums.csv" : NULL,
            .columns = kind->needs_file ? "age,sex" : NULL,
            .sensitive = kind->needs_file ? "race" : NULL};
        CHECK_STATUS(sc_attack_run(kind->name, &options, &noise, &attack, NULL),
                     SCRIM_E_ENTROPY);
    }
    CHECK(attack == NULL);
    sc_tape_free(tape);
}

/* The table that is attacked is the one of the vectors. */
static void check_published(const scrim_attack *attack)
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
    scrim_attack *attack = run_seeded("reconstruct");
    REQUIRE(attack != NULL);
    check_shape(attack);
    check_published(attack);
    CHECK_STR(cell_of(attack, "statistics", "2A 2B", "blocks"), "6229620");
    CHECK_STR(cell_of(attack, "statistics", "2A 2B 1A 2C 2D 4A 3B", "blocks"), "1");
    CHECK(number_of(attack, "noise", "0", "recovered_percent") == 100);
    CHECK(number_of(attack, "noise", "4", "recovered_percent") >= 95);
    CHECK(number_of(attack, "noise", "256", "recovered_percent") < 61);
    CHECK(number_of(attack, "releases", "1", "recovered_percent") < 60);
    for (size_t i = 0; i < COUNT(epsilons); i++) {
        const double measured =
            number_of(attack, "releases", epsilons[i], "recovered_percent");
        CHECK(measured <=
              number_of(attack, "releases", epsilons[i], "bound_percent") + 10);
        CHECK(fabs(measured -
                   number_of(attack, "releases", epsilons[i], "expected_percent")) < 10);
    }
    CHECK_STR(cell_of(attack, "block-released", "1", "blocks"), "over 1000000");
    scrim_attack_free(attack);
}

/* Each right guess of the table stays within 6 deviations of so many coins of its bound. */
static void check_bounded(const scrim_attack *attack, const char *table,
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
            sc_ball_near(&guess) - sc_attack_guess_bound(strtod(epsilons[i], NULL));
        CHECK(above >= 0 && above < 0.001);
        sc_cost_clear(&cost);
    }
}

SLOW_TEST(attack_difference)
{
    CLAIM("attack.succeeds");
    CLAIM("attack.bounded");
    static const char *const epsilons[] = {"0.1", "0.5", "1", "2"};
    scrim_attack *attack = run_seeded("difference");
    REQUIRE(attack != NULL);
    check_shape(attack);
    CHECK(number_of(attack, "unprotected", "exact", "right_percent") == 100);
    CHECK(number_of(attack, "unprotected", "suppressed below 10", "right_percent") ==
          100);
    CHECK(number_of(attack, "unprotected", "rounded to 5 and padded", "right_percent") ==
          100);
    CHECK(number_of(attack, "unprotected", "rounded to 5", "right_percent") < 75);
    check_bounded(attack, "scrim", epsilons, 4, "right_percent", 1000);
    check_bounded(attack, "scrim", epsilons, 4, "right_if_others_known", 1000);
    for (size_t i = 0; i < 4; i++)
        CHECK(fabs(number_of(attack, "scrim", epsilons[i], "right_percent") -
                   number_of(attack, "scrim", epsilons[i], "expected_percent")) < 10);
    scrim_attack_free(attack);
}

SLOW_TEST(attack_average)
{
    CLAIM("attack.succeeds");
    CLAIM("attack.bounded");
    static const char *const budgets[] = {"0.1", "0.5", "1"};
    scrim_attack *attack = run_seeded("average");
    REQUIRE(attack != NULL);
    check_shape(attack);
    /* 400 trials: 6 deviations are below 15 %. */
    CHECK(number_of(attack, "fresh", "2000", "truth_percent") > 73);
    CHECK(number_of(attack, "fresh", "1", "truth_percent") < 20);
    CHECK_STR(cell_of(attack, "scrim", "1", "answers"), "10");
    CHECK_STR(cell_of(attack, "scrim", "0.5", "answers"), "5");
    CHECK_STR(cell_of(attack, "scrim", "0.1", "answers"), "1000");
    CHECK(number_of(attack, "scrim", "0.1", "truth_percent") < 20);
    check_bounded(attack, "scrim", budgets, 3, "one_person_percent", 500);
    scrim_attack_free(attack);
}

TEST(attack_chances_agree_with_vectors)
{
    const json_t *rows =
        json_object_get(vectors_load("mechanisms", "averaging_attack"), "rows");
    CHECK(json_array_size(rows) > 0);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        double expected = 0;
        CHECK(sc_average_expected((double)vectors_number(row, "t") /
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
        CHECK_NEAR(sc_difference_expected(epsilon),
                   strtod(vectors_text(row, "success_exact"), NULL), 1e-12);
        CHECK_NEAR(1 / (1 + exp(-2 * epsilon)), cap, 1e-12);
        CHECK(sc_difference_expected(epsilon) < cap);
    }
}

/* The count that led to an answer is always possible: what is certain is true. */
TEST(float_answers_are_possible)
{
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t i = 0; i < check_count(2000, 1000000); i++) {
        static const double scales[] = {0.5, 1, 2, 10, 100};
        uint64_t word = 0;
        REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &word, NULL));
        const int x = (int)(word >> 5 & 1);
        const double scale = scales[i % COUNT(scales)];
        CHECK(sc_float_is_possible(x, scale, sc_float_answer(x, scale, word)));
    }
    sc_tape_free(tape);
}

SLOW_TEST(attack_float)
{
    CLAIM("attack.succeeds");
    CLAIM("attack.bounded");
    scrim_attack *attack = run_seeded("float");
    scrim_attack_table table;
    size_t index;
    REQUIRE(attack != NULL);
    check_shape(attack);
    REQUIRE(find_table(attack, "answers", &index, &table));
    for (size_t row = 0; row < table.rows; row++) {
        const double certain = strtod(scrim_attack_cell_at(attack, index, row, 2), NULL);
        const double right = strtod(scrim_attack_cell_at(attack, index, row, 3), NULL);
        const double bound = strtod(scrim_attack_cell_at(attack, index, row, 4), NULL);
        if (strcmp(scrim_attack_cell_at(attack, index, row, 1), "double") == 0) {
            CHECK(certain > 50);
            CHECK(right > 75);
        } else { /* of 2,000 answers */
            CHECK(certain == 0);
            CHECK(right <= bound + 300 / sqrt(2000));
        }
    }
    scrim_attack_free(attack);
}

SLOW_TEST(attack_membership)
{
    CLAIM("attack.succeeds");
    CLAIM("attack.bounded");
    static const char *const epsilons[] = {"0.1", "1", "10", "30", "100", "300", "1000"};
    scrim_attack *attack = run_seeded("membership");
    REQUIRE(attack != NULL);
    check_shape(attack);
    CHECK(number_of(attack, "power", "no noise", "right_percent") > 99);
    CHECK(number_of(attack, "power", "1000", "right_percent") > 85);
    CHECK(number_of(attack, "power", "1", "right_percent") < 61);
    check_bounded(attack, "power", epsilons, COUNT(epsilons), "right_percent", 800);
    scrim_attack_free(attack);
}

TEST(attack_audit)
{
    CLAIM("attack.succeeds");
    CLAIM("attack.bounded");
    static const char *const epsilons[] = {"0.1", "0.5", "1", "2", "5", "10"};
    scrim_attack *attack = run_seeded("audit");
    REQUIRE(attack != NULL);
    check_shape(attack);
    CHECK(number_of(attack, "counts", "refuses if the answer discloses",
                    "recovered_percent") == 100);
    CHECK(number_of(attack, "counts", "refuses if the answer discloses", "refused") >
          300);
    CHECK(number_of(attack, "counts", "no refusals", "recovered_percent") == 100);
    CHECK(number_of(attack, "counts", "refuses by the question alone",
                    "recovered_percent") < 60);
    CHECK(number_of(attack, "maxima", "1000", "values_learnt") > 200);
    CHECK(number_of(attack, "scrim", "1", "recovered_percent") < 65);
    check_bounded(attack, "scrim", epsilons, COUNT(epsilons), "recovered_percent", 1000);
    scrim_attack_free(attack);
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
    scrim_attack *attack = run_seeded("link");
    REQUIRE(attack != NULL);
    check_shape(attack);
    for (size_t i = 0; i < COUNT(unique); i++) {
        const char *columns = unique[i].columns;
        CHECK_STR(cell_of(attack, "unique", columns, "unique_rows"), unique[i].alone);
        CHECK(number_of(attack, "register", columns, "named_right") +
                  number_of(attack, "register", columns, "named_wrong") +
                  number_of(attack, "register", columns, "ambiguous") +
                  number_of(attack, "register", columns, "no_match") ==
              2000);
    }
    /* Of 1,000 rows, 17.2 % are unique: 6 deviations are 72; some lack a country. */
    CHECK(number_of(attack, "register", "6", "named_right") > 90);
    CHECK(number_of(attack, "ratings", "8", "right_percent") > 90);
    CHECK(number_of(attack, "ratings", "8", "right_percent") >
          number_of(attack, "ratings", "1", "right_percent"));
    CHECK(number_of(attack, "ratings", "8", "wrong_percent") < 5);
    check_bounded(attack, "scrim", epsilons, 2, "right_percent", 1000);
    scrim_attack_free(attack);
}

/* Of 100 rows, 40 have a value of their own, 40 share one with another, 20 have none. A person of the
 * register is a random row: 6 deviations of 1,000 are below 95, of 2,000 below 135. */
SLOW_TEST(attack_link_joins)
{
    char path[] = "/tmp/scrim-link-XXXXXX";
    const int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    scrim_attack *attack = NULL;
    REQUIRE(file != NULL);
    fputs("place,secret\n", file);
    for (int i = 0; i < 100; i++)
        if (i < 80)
            fprintf(file, "%d,%d\n", i < 40 ? i : 100 + i / 2, i % 2);
        else
            fputs("?,0\n", file);
    fclose(file);
    CHECK_STATUS(
        sc_attack_seeded("link",
                         SCRIM_OPTIONS(scrim_attack_options, .file = path,
                                       .columns = "place", .sensitive = "secret"),
                         check_seed(), &attack, NULL),
        SCRIM_OK);
    unlink(path);
    REQUIRE(attack != NULL);
    CHECK_STR(cell_of(attack, "unique", "1", "unique_rows"), "40");
    CHECK(fabs(number_of(attack, "register", "1", "named_right") - 400) < 95);
    CHECK(fabs(number_of(attack, "register", "1", "named_wrong") - 400) < 95);
    CHECK(fabs(number_of(attack, "register", "1", "ambiguous") - 800) < 135);
    CHECK(fabs(number_of(attack, "register", "1", "no_match") - 400) < 135);
    CHECK_STR(cell_of(attack, "scrim", "1", "people"), "40");
    scrim_attack_free(attack);
}

TEST(attacks_take_the_table_they_need)
{
    scrim_attack *attack = NULL;
    scrim_error error;
    CHECK_STATUS(scrim_attack_run("link", NULL, &attack, &error), SCRIM_E_PARAM);
    CHECK_STR(error.message, "the attack 'link' needs a public table");
    CHECK_STATUS(scrim_attack_run("float",
                                  SCRIM_OPTIONS(scrim_attack_options, .columns = "age"),
                                  &attack, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(
        scrim_attack_run("link",
                         SCRIM_OPTIONS(scrim_attack_options, .file = "data/pums.csv",
                                       .columns = "aeg"),
                         &attack, &error),
        SCRIM_E_PARAM);
    CHECK(strncmp(error.message, "unknown column 'aeg'; available: ", 33) == 0);
    CHECK(attack == NULL);
}

SLOW_TEST(attack_k_anonymity)
{
    CLAIM("attack.succeeds");
    CLAIM("attack.bounded");
    static const char *const ks[] = {"2", "3", "5", "10"}, *const each[] = {"0.1", "0.5"};
    scrim_attack *attack = run_seeded("k-anonymity");
    scrim_attack_facts facts;
    REQUIRE(attack != NULL);
    check_shape(attack);
    scrim_attack_describe(attack, &facts);
    CHECK(strstr(facts.stopped, "k-anonymity is not differential privacy and does not "
                                "compose.") != NULL);
    CHECK(number_of(attack, "levels", "2", "homogeneous_percent") > 0);
    CHECK(number_of(attack, "composition", "2", "certain_by_two_percent") > 40);
    for (size_t i = 0; i < COUNT(ks); i++)
        CHECK(number_of(attack, "composition", ks[i], "certain_by_two_percent") >=
              number_of(attack, "composition", ks[i], "certain_by_one_percent"));
    for (size_t i = 0; i < COUNT(each); i++) {
        CHECK(number_of(attack, "scrim", each[i], "one_release_percent") <=
              number_of(attack, "scrim", each[i], "bound_of_one") + 300 / sqrt(1000));
        CHECK(number_of(attack, "scrim", each[i], "two_releases_percent") <=
              number_of(attack, "scrim", each[i], "bound_of_two") + 300 / sqrt(1000));
    }
    scrim_attack_free(attack);
}

/* The first allocations are those of the frame, of the findings and of the first release. */
FAULT_TEST(attacks_survive_faults)
{
    FAULT_LOOP(fault)
    {
        scrim_attack *attack = NULL;
        const scrim_status status =
            sc_attack_seeded("audit", NULL, check_seed(), &attack, NULL);
        CHECK(status == SCRIM_OK || (status == SCRIM_E_MEMORY && fault_hit()));
        CHECK((attack != NULL) == (status == SCRIM_OK));
        scrim_attack_free(attack);
        if (fault.nth > check_count_whole(100, UINT64_MAX))
            break;
    }
}
