#include "attack/attacks.h"
#include "attack/attacks_tape.h"
#include "check.h"
#include "random/bits_tape.h"
#include "scrim/attack.h"

#include <math.h>
#include <string.h>

static scrim_attack *run_seeded(const char *name)
{
    scrim_attack *attack = NULL;
    scrim_error error;
    CHECK_STATUS(sc_attack_seeded(name, NULL, check_seed(), &attack, &error), SCRIM_OK);
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
    for (size_t i = 0; (kind = scrim_attack_kind_at(i)) != NULL; i++)
        CHECK_STATUS(sc_attack_run(kind->name, NULL, &noise, &attack, NULL),
                     SCRIM_E_ENTROPY);
    CHECK(attack == NULL);
    sc_tape_free(tape);
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
