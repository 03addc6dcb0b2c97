#include "balls.h"
#include "exact.h"
#include "faults.h"
#include "ledger/ledger.h"

#include <flint/flint.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* A ledger; epsilon or rho, and delta, may be NULL. */
static scrim_ledger *ledger_of(scrim_neighbours neighbours, const char *epsilon,
                               const char *rho, const char *delta)
{
    scrim_ledger *ledger = NULL;
    CHECK_STATUS(
        scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options, .neighbours = neighbours,
                                       .epsilon = epsilon, .rho = rho, .delta = delta),
                         &ledger, NULL),
        SCRIM_OK);
    return ledger;
}

static void cost_of(scrim_neighbours neighbours, const char *epsilon, const char *delta,
                    const char *rho, sc_exact_cost *out)
{
    sc_ratio e, d, r;
    exact_ratio(epsilon == NULL ? "0" : epsilon, &e);
    exact_ratio(delta == NULL ? "0" : delta, &d);
    exact_ratio(rho == NULL ? "0" : rho, &r);
    sc_cost_init(out);
    out->neighbours = neighbours;
    out->has_epsilon = epsilon != NULL;
    out->has_rho = rho != NULL;
    sc_ratio_set(&out->epsilon, &e);
    sc_ratio_set(&out->delta, &d);
    sc_ratio_set(&out->rho, &r);
    sc_ratio_clear(&r);
    sc_ratio_clear(&d);
    sc_ratio_clear(&e);
}

static scrim_status charge(scrim_ledger *ledger, scrim_neighbours neighbours,
                           const char *epsilon, const char *delta, const char *rho,
                           scrim_error *error)
{
    sc_exact_cost cost;
    uint64_t id = 0;
    cost_of(neighbours, epsilon, delta, rho, &cost);
    scrim_status status = ledger->functions->charge(
        ledger, &(sc_charge){.line = "m", .costs = &cost, .count = 1}, &id, error);
    if (status == SCRIM_OK)
        CHECK_INT(id, scrim_ledger_count(ledger));
    else
        CHECK_INT(id, 0);
    sc_cost_clear(&cost);
    return status;
}

static scrim_cost spent_of(scrim_ledger *ledger)
{
    scrim_cost cost = {SCRIM_NEIGHBOURS_UNSET, "", "", ""};
    CHECK_STATUS(scrim_ledger_spent(ledger, &cost, NULL), SCRIM_OK);
    return cost;
}

static scrim_cost left_of(scrim_ledger *ledger)
{
    scrim_cost cost = {SCRIM_NEIGHBOURS_UNSET, "", "", ""};
    CHECK_STATUS(scrim_ledger_left(ledger, &cost, NULL), SCRIM_OK);
    return cost;
}

/* Sums. */

TEST(ledger_ten_tenths_are_one)
{
    CLAIM("ledger.exact");
    scrim_ledger *ledger = ledger_of(SCRIM_ADD_REMOVE, "1", NULL, NULL);
    scrim_error error = {.message = ""};
    REQUIRE(ledger != NULL);
    for (int i = 0; i < 10; i++)
        CHECK_STATUS(charge(ledger, SCRIM_ADD_REMOVE, "0.1", NULL, NULL, NULL), SCRIM_OK);
    CHECK_STR(spent_of(ledger).epsilon, "1");
    CHECK_STR(left_of(ledger).epsilon, "0");
    CHECK_STATUS(charge(ledger, SCRIM_ADD_REMOVE, "0.1", NULL, NULL, &error),
                 SCRIM_E_BUDGET);
    CHECK_STR(error.message, "insufficient budget: epsilon 0.1 requested, 0 "
                             "left; nothing was charged");
    CHECK_STR(error.requested, "0.1");
    CHECK_STR(error.left, "0");
    CHECK_STATUS(charge(ledger, SCRIM_ADD_REMOVE, "2^-170", NULL, NULL, &error),
                 SCRIM_E_BUDGET);
    CHECK_STR(spent_of(ledger).epsilon, "1");
    CHECK_INT(scrim_ledger_count(ledger), 10);
    scrim_ledger_free(ledger);
    /* Thirds too. */
    ledger = ledger_of(SCRIM_ADD_REMOVE, "1", NULL, NULL);
    for (int i = 0; i < 4; i++)
        CHECK_STATUS(charge(ledger, SCRIM_ADD_REMOVE, "1/3", NULL, NULL, NULL),
                     i < 3 ? SCRIM_OK : SCRIM_E_BUDGET);
    scrim_ledger_free(ledger);
}

/* When one part does not fit, no part is charged. */
TEST(ledger_charges_all_or_nothing)
{
    CLAIM("ledger.exact");
    scrim_ledger *ledger = ledger_of(SCRIM_REPLACE, "10", NULL, "1e-6");
    scrim_error error = {.message = ""};
    REQUIRE(ledger != NULL);
    CHECK_STATUS(charge(ledger, SCRIM_REPLACE, "1", "1e-6", NULL, NULL), SCRIM_OK);
    CHECK_STATUS(charge(ledger, SCRIM_REPLACE, "1", "1e-30", NULL, &error),
                 SCRIM_E_BUDGET);
    CHECK(strstr(error.message, "delta") != NULL);
    CHECK_STATUS(charge(ledger, SCRIM_REPLACE, "9.1", NULL, NULL, &error),
                 SCRIM_E_BUDGET);
    CHECK_STR(spent_of(ledger).epsilon, "1");
    CHECK_STR(spent_of(ledger).delta, "0.000001");
    CHECK_STR(left_of(ledger).epsilon, "9");
    CHECK_STR(left_of(ledger).delta, "0");
    CHECK_STATUS(charge(ledger, SCRIM_REPLACE, "9", NULL, NULL, NULL), SCRIM_OK);
    CHECK_INT(scrim_ledger_count(ledger), 2);
    CHECK_STR(left_of(ledger).rho, "");
    scrim_ledger_free(ledger);
}

/* Fractions of a thousand different denominators: the sum would have more than 10,000 bits. It is
 * rounded up, never down, and what is shown of it as well. */
TEST(ledger_sums_of_unlike_fractions_stay_short)
{
    CLAIM("ledger.exact");
    scrim_ledger *ledger = ledger_of(SCRIM_REPLACE, "100", NULL, NULL);
    sc_ratio sum, part, shown, hundred, slack;
    REQUIRE(ledger != NULL);
    sc_ratio_init(&sum);
    exact_ratio("100", &hundred);
    exact_ratio("2^-40", &slack);
    for (int64_t n = 1000003; n < 1002003; n += 2) {
        char text[32];
        snprintf(text, sizeof text, "1/%lld", (long long)n);
        REQUIRE_OK(charge(ledger, SCRIM_REPLACE, text, NULL, NULL, NULL));
        exact_ratio(text, &part);
        sc_ratio_add(&sum, &sum, &part);
        sc_ratio_clear(&part);
    }
    /* One charge that exceeds the budget by 2^-3000 of all: no rounding lets it pass. */
    sc_exact_cost rest;
    uint64_t id = 0;
    cost_of(SCRIM_REPLACE, "2^-3000", NULL, NULL, &rest);
    sc_ratio_add(&rest.epsilon, &rest.epsilon, &hundred);
    sc_ratio_sub(&rest.epsilon, &rest.epsilon, &sum);
    CHECK_STATUS(
        ledger->functions->charge(
            ledger, &(sc_charge){.line = "m", .costs = &rest, .count = 1}, &id, NULL),
        SCRIM_E_BUDGET);
    sc_cost_clear(&rest);
    exact_ratio(spent_of(ledger).epsilon, &shown);
    CHECK(sc_ratio_compare(&shown, &sum) >= 0);
    sc_ratio_sub(&shown, &shown, &sum);
    CHECK(sc_ratio_compare(&shown, &slack) < 0);
    sc_ratio_clear(&shown);
    exact_ratio(left_of(ledger).epsilon, &shown);
    sc_ratio_sub(&sum, &hundred, &sum);
    CHECK(sc_ratio_compare(&shown, &sum) <= 0);
    sc_ratio_sub(&sum, &sum, &shown);
    CHECK(sc_ratio_compare(&sum, &slack) < 0);
    sc_ratio_clear(&shown);
    sc_ratio_clear(&slack);
    sc_ratio_clear(&hundred);
    sc_ratio_clear(&sum);
    scrim_ledger_free(ledger);
}

/* Relations. */

TEST(ledger_converts_what_it_can)
{
    CLAIM("ledger.relation");
    static const struct {
        scrim_neighbours from, into;
        scrim_status status;
    } list[] = {{SCRIM_ADD_REMOVE, SCRIM_ADD_REMOVE, SCRIM_OK},
                {SCRIM_REPLACE, SCRIM_REPLACE, SCRIM_OK},
                {SCRIM_LOCAL, SCRIM_LOCAL, SCRIM_OK},
                {SCRIM_LOCAL, SCRIM_REPLACE, SCRIM_OK},
                {SCRIM_ADD_REMOVE, SCRIM_REPLACE, SCRIM_OK},
                {SCRIM_REPLACE, SCRIM_ADD_REMOVE, SCRIM_E_POLICY},
                {SCRIM_REPLACE, SCRIM_LOCAL, SCRIM_E_POLICY},
                {SCRIM_ADD_REMOVE, SCRIM_LOCAL, SCRIM_E_POLICY},
                {SCRIM_LOCAL, SCRIM_ADD_REMOVE, SCRIM_E_POLICY}};
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_exact_cost cost, out;
        cost_of(list[i].from, "1", "1e-9", "1/2", &cost);
        sc_cost_init(&out);
        CHECK_STATUS(sc_ledger_convert(&cost, list[i].into, &out, NULL), list[i].status);
        bool doubled = list[i].from == SCRIM_ADD_REMOVE && list[i].into == SCRIM_REPLACE;
        if (list[i].status == SCRIM_OK) {
            CHECK(out.neighbours == list[i].into && out.has_epsilon && out.has_rho);
            CHECK(sc_ratio_compare_int64(&out.epsilon, doubled ? 2 : 1) == 0);
            CHECK((sc_ratio_compare(&out.delta, &cost.delta) > 0) == doubled);
            CHECK((sc_ratio_compare_int64(&out.rho, 2) == 0) == doubled);
        }
        sc_cost_clear(&out);
        sc_cost_clear(&cost);
    }
}

/* (2 epsilon, (1 + exp(epsilon)) delta), rounded up. */
TEST(ledger_charges_a_replaced_unit_twice)
{
    CLAIM("ledger.relation");
    scrim_ledger *ledger = ledger_of(SCRIM_REPLACE, "5", NULL, "1/100");
    scrim_entry entry;
    sc_ratio delta, thousandth;
    sc_ball ours, want;
    REQUIRE(ledger != NULL);
    CHECK_STATUS(charge(ledger, SCRIM_ADD_REMOVE, "3/2", "1/1000", NULL, NULL), SCRIM_OK);
    REQUIRE_OK(scrim_ledger_entry(ledger, 0, &entry, NULL));
    CHECK_STR(entry.cost.epsilon, "3");
    CHECK_INT(entry.cost.neighbours, SCRIM_REPLACE);
    exact_ratio(entry.cost.delta, &delta);
    exact_ratio("1/1000", &thousandth);
    sc_ball_init(&ours);
    sc_ball_init(&want);
    ball_set_text(&want, "1.5", EXACT_BITS);
    sc_ball_exp(&want, &want, EXACT_BITS);
    sc_ball_add_int64(&want, &want, 1, EXACT_BITS);
    sc_ball_set_ratio(&ours, &thousandth, EXACT_BITS);
    sc_ball_mul(&want, &want, &ours, EXACT_BITS);
    sc_ball_set_ratio(&ours, &delta, EXACT_BITS);
    CHECK(sc_ball_is_less_equal(&want, &ours));
    CHECK_NEAR(sc_ball_upper(&ours), sc_ball_upper(&want), 1e-15);
    sc_ball_clear(&want);
    sc_ball_clear(&ours);
    sc_ratio_clear(&thousandth);
    sc_ratio_clear(&delta);
    /* 1.5 twice was 3: 2 are left, and 1.1 twice is more. */
    CHECK_STATUS(charge(ledger, SCRIM_ADD_REMOVE, "1.1", NULL, NULL, NULL),
                 SCRIM_E_BUDGET);
    CHECK_STATUS(charge(ledger, SCRIM_ADD_REMOVE, "1", NULL, NULL, NULL), SCRIM_OK);
    CHECK_STR(left_of(ledger).epsilon, "0");
    scrim_ledger_free(ledger);
}

/* A delta that reaches 1 once a unit is replaced is no promise. */
TEST(ledger_refuses_what_says_nothing_there)
{
    CLAIM("ledger.relation");
    scrim_ledger *replace = ledger_of(SCRIM_REPLACE, "1000", NULL, "0.999"),
                 *add = ledger_of(SCRIM_ADD_REMOVE, "1000", NULL, "0.999");
    scrim_error error = {.message = ""};
    REQUIRE(replace != NULL && add != NULL);
    CHECK_STATUS(charge(replace, SCRIM_ADD_REMOVE, "10", "1e-3", NULL, &error),
                 SCRIM_E_POLICY);
    CHECK(strstr(error.message, "replaced") != NULL);
    CHECK_STATUS(charge(replace, SCRIM_ADD_REMOVE, "300", "1e-9", NULL, &error),
                 SCRIM_E_POLICY);
    CHECK_STATUS(charge(add, SCRIM_REPLACE, "1e-9", NULL, NULL, &error), SCRIM_E_POLICY);
    CHECK_STR(error.message, "a claim for 'replace' does not hold in a ledger for "
                             "'add-remove'; state it for the ledger's neighbours");
    CHECK_INT(scrim_ledger_count(replace) + scrim_ledger_count(add), 0);
    scrim_ledger_free(add);
    scrim_ledger_free(replace);
}

/* Amounts that are counted. */

TEST(ledger_of_rho_counts_rho)
{
    CLAIM("ledger.exact");
    scrim_ledger *ledger = ledger_of(SCRIM_ADD_REMOVE, NULL, "1", "1e-6");
    scrim_entry entry;
    scrim_error error = {.message = ""};
    REQUIRE(ledger != NULL);
    /* Concentrated: rho alone, whatever delta its epsilon would have. */
    CHECK_STATUS(charge(ledger, SCRIM_ADD_REMOVE, "7", "1/10", "1/4", NULL), SCRIM_OK);
    CHECK_STATUS(charge(ledger, SCRIM_ADD_REMOVE, NULL, NULL, "1/4", NULL), SCRIM_OK);
    /* Known as (epsilon, delta) only: epsilon^2/2 and delta. */
    CHECK_STATUS(charge(ledger, SCRIM_ADD_REMOVE, "1/2", "1e-6", NULL, NULL), SCRIM_OK);
    CHECK_STR(spent_of(ledger).rho, "0.625");
    CHECK_STR(spent_of(ledger).delta, "0.000001");
    CHECK_STR(spent_of(ledger).epsilon, "");
    REQUIRE_OK(scrim_ledger_entry(ledger, 0, &entry, NULL));
    CHECK_STR(entry.cost.rho, "0.25");
    CHECK_STR(entry.cost.delta, "0");
    CHECK_STR(entry.cost.epsilon, "");
    REQUIRE_OK(scrim_ledger_entry(ledger, 2, &entry, NULL));
    CHECK_STR(entry.cost.rho, "0.125");
    CHECK_STR(entry.cost.delta, "0.000001");
    CHECK_STATUS(charge(ledger, SCRIM_ADD_REMOVE, "1/1000", "1e-9", NULL, &error),
                 SCRIM_E_BUDGET);
    CHECK_STATUS(charge(ledger, SCRIM_ADD_REMOVE, NULL, NULL, "0.376", &error),
                 SCRIM_E_BUDGET);
    CHECK(strstr(error.message, "rho 0.376 requested, 0.375 left") != NULL);
    CHECK_STATUS(charge(ledger, SCRIM_ADD_REMOVE, NULL, NULL, NULL, &error),
                 SCRIM_E_POLICY);
    CHECK_STATUS(charge(ledger, SCRIM_ADD_REMOVE, NULL, NULL, "0.375", NULL), SCRIM_OK);
    CHECK_STR(left_of(ledger).rho, "0");
    scrim_ledger_free(ledger);
}

TEST(ledger_of_epsilon_takes_no_bare_curve)
{
    scrim_ledger *ledger = ledger_of(SCRIM_ADD_REMOVE, "100", NULL, NULL);
    scrim_error error = {.message = ""};
    REQUIRE(ledger != NULL);
    CHECK_STATUS(charge(ledger, SCRIM_ADD_REMOVE, NULL, NULL, "1/4", &error),
                 SCRIM_E_POLICY);
    CHECK(strstr(error.message, "give it epsilon and delta") != NULL);
    CHECK_INT(scrim_ledger_count(ledger), 0);
    scrim_ledger_free(ledger);
}

/* Several costs are one charge: each in the ledger's relation, then added up. */
TEST(ledger_adds_several_costs_up)
{
    CLAIM("ledger.exact");
    scrim_ledger *ledger = ledger_of(SCRIM_REPLACE, "3", NULL, "1/2");
    sc_exact_cost costs[2];
    scrim_entry entry;
    uint64_t id = 0;
    REQUIRE(ledger != NULL);
    for (size_t i = 0; i < 2; i++) {
        sc_cost_init(&costs[i]);
        costs[i].neighbours = SCRIM_ADD_REMOVE;
        costs[i].has_epsilon = true;
        sc_ratio_set_int64(&costs[i].epsilon, (int64_t)i);
    }
    CHECK_STATUS(sc_ratio_parse(sc_text_of("1/100"), &costs[0].delta, NULL), SCRIM_OK);
    CHECK_STATUS(
        ledger->functions->charge(
            ledger, &(sc_charge){.line = "m", .costs = costs, .count = 2}, &id, NULL),
        SCRIM_OK);
    REQUIRE_OK(scrim_ledger_entry(ledger, 0, &entry, NULL));
    CHECK_STR(entry.cost.epsilon, "2");
    /* The first alone: 1/100 (1 + exp(0)), rounded up. */
    sc_ratio delta, most;
    sc_ratio_init(&delta);
    sc_ratio_init(&most);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(entry.cost.delta), &delta, NULL), SCRIM_OK);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("0.0200001"), &most, NULL), SCRIM_OK);
    CHECK(sc_ratio_compare(&delta, &most) < 0);
    sc_ratio_clear(&most);
    sc_ratio_clear(&delta);
    CHECK_STATUS(
        ledger->functions->charge(
            ledger, &(sc_charge){.line = "m", .costs = costs, .count = 2}, &id, NULL),
        SCRIM_E_BUDGET);
    CHECK_INT(scrim_ledger_count(ledger), 1);
    sc_cost_clear(&costs[0]);
    sc_cost_clear(&costs[1]);
    scrim_ledger_free(ledger);
}

/* Entries. */

TEST(ledger_keeps_what_was_released)
{
    scrim_ledger *ledger = ledger_of(SCRIM_LOCAL, "2", NULL, NULL);
    scrim_entry entry, before;
    scrim_error error = {.message = ""};
    REQUIRE(ledger != NULL);
    CHECK_STATUS(charge(ledger, SCRIM_LOCAL, "1", NULL, NULL, NULL), SCRIM_OK);
    REQUIRE_OK(scrim_ledger_entry(ledger, 0, &entry, NULL));
    CHECK_INT(entry.id, 1);
    CHECK_INT(entry.state, SCRIM_ENTRY_CHARGED);
    CHECK_STR(entry.measurement, "m");
    CHECK_STR(entry.answer, "");
    REQUIRE_OK(ledger->functions->record(ledger, 1, "42 -7", &error));
    REQUIRE_OK(scrim_ledger_entry(ledger, 0, &entry, NULL));
    CHECK_INT(entry.state, SCRIM_ENTRY_RELEASED);
    CHECK_STR(entry.answer, "42 -7");
    /* Once, and only what was charged. */
    CHECK_STATUS(ledger->functions->record(ledger, 1, "43", &error), SCRIM_E_INTERNAL);
    CHECK_STATUS(ledger->functions->record(ledger, 0, "43", &error), SCRIM_E_INTERNAL);
    CHECK_STATUS(ledger->functions->record(ledger, 2, "43", &error), SCRIM_E_INTERNAL);
    before = entry;
    CHECK_STATUS(scrim_ledger_entry(ledger, 1, &entry, &error), SCRIM_E_PARAM);
    CHECK_BYTES(&entry, &before, sizeof entry);
    CHECK_STR(entry.answer, "42 -7");
    scrim_ledger_free(ledger);
    scrim_ledger_free(NULL);
}

/* Making one. */

TEST(ledger_options_of_zeros_are_refused)
{
    CLAIM("options.grow");
    scrim_ledger *ledger = NULL;
    const scrim_ledger_options zeros = {0};
    CHECK_STATUS(scrim_ledger_new(NULL, &ledger, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_ledger_new(&zeros, &ledger, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(
        scrim_ledger_new(&(scrim_ledger_options){.size = sizeof zeros}, &ledger, NULL),
        SCRIM_E_PARAM);
    CHECK(ledger == NULL);
    /* An older struct that ended with epsilon. */
    const scrim_ledger_options older = {.size = offsetof(scrim_ledger_options, rho),
                                        .neighbours = SCRIM_REPLACE,
                                        .epsilon = "1",
                                        .rho = "not read",
                                        .delta = "not read"};
    REQUIRE_OK(scrim_ledger_new(&older, &ledger, NULL));
    CHECK_STR(left_of(ledger).epsilon, "1");
    CHECK_STR(left_of(ledger).delta, "0");
    scrim_ledger_free(ledger);
}

TEST(ledger_refuses_budgets_that_are_none)
{
    static const struct {
        scrim_neighbours neighbours;
        const char *epsilon, *rho, *delta;
        scrim_status status;
    } list[] = {{SCRIM_NEIGHBOURS_UNSET, "1", NULL, NULL, SCRIM_E_PARAM},
                {(scrim_neighbours)7, "1", NULL, NULL, SCRIM_E_PARAM},
                {SCRIM_REPLACE, NULL, NULL, NULL, SCRIM_E_PARAM},
                {SCRIM_REPLACE, NULL, NULL, "1/2", SCRIM_E_PARAM},
                {SCRIM_REPLACE, "1", "1", NULL, SCRIM_E_PARAM},
                {SCRIM_REPLACE, "-1", NULL, NULL, SCRIM_E_PARAM},
                {SCRIM_REPLACE, "1", NULL, "-1e-9", SCRIM_E_PARAM},
                {SCRIM_REPLACE, "1", NULL, "1", SCRIM_E_PARAM},
                {SCRIM_REPLACE, "inf", NULL, NULL, SCRIM_E_SYNTAX},
                {SCRIM_REPLACE, "nan", NULL, NULL, SCRIM_E_SYNTAX},
                {SCRIM_REPLACE, "", NULL, NULL, SCRIM_E_SYNTAX},
                {SCRIM_REPLACE, NULL, "1 ", NULL, SCRIM_E_SYNTAX},
                {SCRIM_REPLACE, "1e200", NULL, NULL, SCRIM_E_LIMIT},
                {SCRIM_REPLACE, "1e-200", NULL, NULL, SCRIM_E_LIMIT},
                {SCRIM_REPLACE, "1e999999", NULL, NULL, SCRIM_E_LIMIT}};
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_ledger *ledger = NULL;
        scrim_error error = {.message = ""};
        CHECK_STATUS(
            scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                           .neighbours = list[i].neighbours,
                                           .epsilon = list[i].epsilon, .rho = list[i].rho,
                                           .delta = list[i].delta),
                             &ledger, &error),
            list[i].status);
        CHECK(ledger == NULL && error.message[0] != '\0');
    }
    /* A budget of nothing is one: everything is refused. */
    scrim_ledger *nothing = ledger_of(SCRIM_REPLACE, "0", NULL, NULL);
    REQUIRE(nothing != NULL);
    CHECK_STATUS(charge(nothing, SCRIM_REPLACE, "1e-40", NULL, NULL, NULL),
                 SCRIM_E_BUDGET);
    scrim_ledger_free(nothing);
}

/* Faults: an allocation that fails charges nothing and loses nothing. */
TEST(ledger_survives_a_lack_of_memory)
{
    CLAIM("ledger.exact");
    FAULT_LOOP(fault)
    {
        scrim_ledger *ledger = NULL;
        scrim_status status =
            scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                           .neighbours = SCRIM_REPLACE, .epsilon = "100"),
                             &ledger, NULL);
        CHECK((ledger != NULL) == (status == SCRIM_OK));
        CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY);
        size_t charged = 0;
        for (int i = 0; ledger != NULL && i < 40; i++) {
            status = charge(ledger, SCRIM_REPLACE, "1", NULL, NULL, NULL);
            CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY);
            charged += status == SCRIM_OK;
            char want[16];
            snprintf(want, sizeof want, "%zu", charged);
            CHECK_STR(spent_of(ledger).epsilon, want);
            CHECK_INT(scrim_ledger_count(ledger), charged);
        }
        if (ledger != NULL)
            CHECK_INT(charged, fault_hit() ? 39 : 40);
        scrim_ledger_free(ledger);
    }
}

/* Threads: 64 of them charge at once, and together never more than there is. */

typedef struct spender {
    pthread_t thread;
    scrim_ledger *ledger;
    unsigned admitted, refused, other;
} spender;

static void *spend(void *context)
{
    spender *s = context;
    for (int i = 0; i < 20; i++) {
        sc_exact_cost cost;
        uint64_t id = 0;
        scrim_cost left;
        cost_of(SCRIM_ADD_REMOVE, "1/7", "1e-9", NULL, &cost);
        scrim_status status = s->ledger->functions->charge(
            s->ledger, &(sc_charge){.line = "thread", .costs = &cost, .count = 1}, &id,
            NULL);
        s->admitted += status == SCRIM_OK;
        s->refused += status == SCRIM_E_BUDGET;
        s->other += status != SCRIM_OK && status != SCRIM_E_BUDGET;
        if (status == SCRIM_OK)
            s->other +=
                s->ledger->functions->record(s->ledger, id, "x", NULL) != SCRIM_OK;
        s->other += scrim_ledger_left(s->ledger, &left, NULL) != SCRIM_OK;
        s->other += left.epsilon[0] == '-';
        sc_cost_clear(&cost);
    }
    flint_cleanup();
    return NULL;
}

TEST(ledger_is_shared_by_threads)
{
    CLAIM("ledger.exact");
    enum { THREADS = 64 };
    static spender spenders[THREADS];
    scrim_ledger *ledger = ledger_of(SCRIM_ADD_REMOVE, "100", NULL, "1/2");
    unsigned admitted = 0, refused = 0, started = 0;
    REQUIRE(ledger != NULL);
    for (size_t i = 0; i < THREADS; i++) {
        spenders[i].ledger = ledger;
        if (pthread_create(&spenders[i].thread, NULL, spend, &spenders[i]) != 0)
            break;
        started++;
    }
    CHECK_INT(started, THREADS);
    for (size_t i = 0; i < started; i++) {
        pthread_join(spenders[i].thread, NULL);
        admitted += spenders[i].admitted;
        refused += spenders[i].refused;
        CHECK_INT(spenders[i].other, 0);
    }
    CHECK_INT(admitted, 700); /* of 1/7 each */
    CHECK_INT(refused, THREADS * 20 - 700);
    CHECK_INT(scrim_ledger_count(ledger), 700);
    CHECK_STR(spent_of(ledger).epsilon, "100");
    CHECK_STR(left_of(ledger).epsilon, "0");
    for (size_t i = 0; i < 700; i++) {
        scrim_entry entry;
        REQUIRE_OK(scrim_ledger_entry(ledger, i, &entry, NULL));
        CHECK_INT(entry.id, i + 1);
        CHECK_INT(entry.state, SCRIM_ENTRY_RELEASED);
    }
    scrim_ledger_free(ledger);
}
