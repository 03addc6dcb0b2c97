#include "base/memory.h"
#include "check.h"
#include "exact.h"
#include "faults.h"
#include "ledger/bundle.h"
#include "ledger/release.h"
#include "passages.h"

#include <stdio.h>
#include <string.h>

static const char line[] = "laplace sensitivity=1 epsilon=0.01 neighbours=add-remove";

/* A bundle of many small parts, with its joint cost. */
typedef struct parts {
    scrim_measurement *made;
    sc_bundle *bundle;
} parts;

static void parts_make(parts *p, char epsilon[SCRIM_NUMBER_BYTES])
{
    sc_ratio delta;
    size_t part;
    *p = (parts){0};
    exact_ratio("1e-6", &delta);
    REQUIRE_OK(scrim_measurement_parse(line, &p->made, NULL));
    REQUIRE_OK(sc_bundle_new(SCRIM_ADD_REMOVE, &p->bundle, NULL));
    REQUIRE_OK(sc_bundle_add(p->bundle, p->made, 60, &part, NULL));
    REQUIRE_OK(sc_bundle_add(p->bundle, p->made, 40, &part, NULL));
    REQUIRE_OK(sc_bundle_fix(p->bundle, &delta, NULL));
    REQUIRE_OK(sc_bundle_join(p->bundle, &delta, NULL));
    REQUIRE(sc_bundle_joint(p->bundle) != NULL);
    sc_cost_put_upper(&sc_bundle_joint(p->bundle)->epsilon, epsilon);
    sc_ratio_clear(&delta);
}

static void parts_free(parts *p)
{
    sc_bundle_free(p->bundle);
    scrim_measurement_free(p->made);
}

/* The text that it is written as; "" when nothing was. */
static void write_one(char *text, size_t capacity, char epsilon[SCRIM_NUMBER_BYTES])
{
    parts p;
    char *written = NULL;
    text[0] = '\0';
    parts_make(&p, epsilon);
    REQUIRE_OK(sc_declared_write(p.bundle, &written, NULL));
    snprintf(text, capacity, "%s", written);
    sc_free(written);
    parts_free(&p);
}

static scrim_status price(const char *text, char epsilon[SCRIM_NUMBER_BYTES],
                          char delta[SCRIM_NUMBER_BYTES])
{
    scrim_neighbours neighbours = SCRIM_REPLACE;
    sc_ratio e, d;
    sc_ratio_init(&e);
    sc_ratio_init(&d);
    const scrim_status status =
        sc_declared_price(sc_text_of(text), &neighbours, &e, &d, NULL);
    CHECK(status != SCRIM_OK || neighbours == SCRIM_ADD_REMOVE);
    sc_cost_put_upper(&e, epsilon);
    sc_cost_put_upper(&d, delta);
    sc_ratio_clear(&d);
    sc_ratio_clear(&e);
    return status;
}

TEST(declared_parts_are_priced_as_they_were_charged)
{
    CLAIM("declared.recomputed");
    char text[1024], charged[SCRIM_NUMBER_BYTES], again[SCRIM_NUMBER_BYTES],
        delta[SCRIM_NUMBER_BYTES];
    write_one(text, sizeof text, charged);
    CHECK_STR(text, "arithmetic 1\n"
                    "neighbours add-remove\n"
                    "delta 0.000001\n"
                    "part 60 laplace sensitivity=1 epsilon=0.01 neighbours=add-remove\n"
                    "part 40 laplace sensitivity=1 epsilon=0.01 neighbours=add-remove\n");
    CHECK_STATUS(price(text, again, delta), SCRIM_OK);
    CHECK_STR(again, charged);
    CHECK_STR(again, "0.392264");
    CHECK_STR(delta, "0.000001");
}

/* One part less, or one copy, is another number; other spellings are invalid. */
/* The text by which releases are known as alike begins with the order of draws, which no declaration has. */
TEST(A84_declared_parts_have_the_order_of_draws)
{
    static const char first[] = "drawing " SC_DECLARED_DRAWING "\n";
    char declared[1000], epsilon[SCRIM_NUMBER_BYTES], delta[SCRIM_NUMBER_BYTES];
    char *alike = NULL;
    parts p;
    write_one(declared, sizeof declared, epsilon);
    parts_make(&p, epsilon);
    REQUIRE_OK(sc_declared_parts(p.bundle, &alike, NULL));
    CHECK(strncmp(alike, first, strlen(first)) == 0);
    CHECK_STR(alike + strlen(first), declared);
    CHECK_STATUS(price(alike, epsilon, delta), SCRIM_E_CHECK);
    sc_free(alike);
    parts_free(&p);
}

TEST(declared_parts_that_are_others_are_another)
{
    CLAIM("declared.recomputed");
    char text[1024], changed[1100], charged[SCRIM_NUMBER_BYTES],
        again[SCRIM_NUMBER_BYTES], delta[SCRIM_NUMBER_BYTES];
    write_one(text, sizeof text, charged);
    snprintf(changed, sizeof changed, "%s", text);
    *strstr(changed, "part 40") = '\0';
    CHECK_STATUS(price(changed, again, delta), SCRIM_OK);
    CHECK(strcmp(again, charged) != 0);
    snprintf(changed, sizeof changed, "%s", text);
    memcpy(strstr(changed, "part 40"), "part 39", 7);
    CHECK_STATUS(price(changed, again, delta), SCRIM_OK);
    CHECK(strcmp(again, charged) != 0);
    static const char *const wrong[] = {
        "", "\n", "arithmetic 2\nneighbours add-remove\ndelta 0.000001\n",
        "arithmetic 1\nneighbours add-remove\ndelta 0.000001\n",
        "arithmetic 1\nneighbours nobody\ndelta 0.000001\n"
        "part 100 laplace sensitivity=1 epsilon=0.01 neighbours=add-remove\n",
        "arithmetic 1\nneighbours add-remove\ndelta 1e-6\n"
        "part 100 laplace sensitivity=1 epsilon=0.01 neighbours=add-remove\n",
        "arithmetic 1\nneighbours add-remove\ndelta 1\n"
        "part 100 laplace sensitivity=1 epsilon=0.01 neighbours=add-remove\n",
        "arithmetic 1\nneighbours add-remove\ndelta 0.000001\n"
        "part 100 laplace sensitivity=1 epsilon=0.01 neighbours=add-remove",
        "arithmetic 1\nneighbours add-remove\ndelta 0.000001\n"
        "part 100 laplace epsilon=0.01 sensitivity=1 neighbours=add-remove\n",
        "arithmetic 1\nneighbours add-remove\ndelta 0.000001\n"
        "part 0100 laplace sensitivity=1 epsilon=0.01 neighbours=add-remove\n",
        "arithmetic 1\nneighbours add-remove\ndelta 0.000001\nconcentrated 1 0.000001\n"
        "part 100 laplace sensitivity=1 epsilon=0.01 neighbours=add-remove\n",
        "arithmetic 1\nneighbours add-remove\ndelta 0.000001\n"
        "part 100 nonsense\n",
        /* One draw has no joint cost. */
        "arithmetic 1\nneighbours add-remove\ndelta 0.000001\n"
        "part 1 laplace sensitivity=1 epsilon=0.01 neighbours=add-remove\n"};
    for (size_t i = 0; i < COUNT(wrong); i++)
        if (price(wrong[i], again, delta) != SCRIM_E_CHECK)
            CHECK_FAIL("taken for a declaration: '%s'", wrong[i]);
}

/* Concentrated parts keep the epsilon and the delta that were set aside for them, and may not
 * have less. */
TEST(declared_parts_set_aside_what_is_concentrated)
{
    CLAIM("declared.recomputed");
    char again[SCRIM_NUMBER_BYTES], delta[SCRIM_NUMBER_BYTES];
    static const char enough[] =
        "arithmetic 1\nneighbours add-remove\ndelta 0.000002\n"
        "concentrated 0.3 0.000001\n"
        "part 100 laplace sensitivity=1 epsilon=0.01 neighbours=add-remove\n"
        "part 1 gaussian sensitivity=1 rho=0.001 size=2 neighbours=add-remove\n";
    static const char too_little[] =
        "arithmetic 1\nneighbours add-remove\ndelta 0.000002\n"
        "concentrated 0.1 0.000001\n"
        "part 100 laplace sensitivity=1 epsilon=0.01 neighbours=add-remove\n"
        "part 1 gaussian sensitivity=1 rho=0.001 size=2 neighbours=add-remove\n";
    CHECK_STATUS(price(enough, again, delta), SCRIM_OK);
    CHECK_STATUS(price(too_little, again, delta), SCRIM_E_CHECK);
}

/* Each allocation fails in turn: a lack of memory is told from what is no declaration, and nothing
 * is said then. */
SLOW_TEST(declared_parts_survive_a_lack_of_memory)
{
    CLAIM("declared.recomputed");
    char text[1024], charged[SCRIM_NUMBER_BYTES], again[SCRIM_NUMBER_BYTES],
        delta[SCRIM_NUMBER_BYTES];
    uint64_t failed = 0;
    write_one(text, sizeof text, charged);
    FAULT_LOOP(fault)
    {
        const scrim_status status = price(text, again, delta);
        failed += fault_hit();
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        CHECK_STR(again, status == SCRIM_OK ? charged : "0");
        CHECK_STR(delta, status == SCRIM_OK ? "0.000001" : "0");
    }
    CHECK(failed > 5);
}

/* The joint charge is there with its declaration, or nothing is. */
TEST(declared_charge_is_whole_or_not_there)
{
    CLAIM("declared.recomputed");
    char charged[SCRIM_NUMBER_BYTES];
    uint64_t refused = 0;
    parts p;
    parts_make(&p, charged);
    FAULT_LOOP(fault)
    {
        char *written = NULL;
        sc_passage *passage = NULL;
        scrim_cost spent = {.epsilon = ""};
        scrim_ledger *ledger = NULL;
        scrim_status status = scrim_ledger_new(
            SCRIM_OPTIONS(scrim_ledger_options, .neighbours = SCRIM_ADD_REMOVE,
                          .epsilon = "1", .delta = "1e-6"),
            &ledger, NULL);
        if (status == SCRIM_OK)
            status = passage_open(ledger, "question", p.bundle, &passage, NULL);
        const bool is_open = status == SCRIM_OK;
        CHECK(is_open == (passage != NULL));
        if (ledger != NULL) {
            CHECK_INT(scrim_ledger_count(ledger), is_open);
            CHECK_STATUS(scrim_ledger_spent(ledger, &spent, NULL), SCRIM_OK);
            CHECK_STR(spent.epsilon, is_open ? charged : "0");
            CHECK_STR(spent.delta, is_open ? "0.000001" : "0");
        }
        refused += !is_open;
        if (is_open)
            status = sc_declared_write(p.bundle, &written, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        CHECK((written != NULL) == (status == SCRIM_OK));
        sc_free(written);
        sc_passage_close(passage);
        scrim_ledger_free(ledger);
    }
    CHECK(refused >= 4);
    parts_free(&p);
}
