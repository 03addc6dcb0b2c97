#include "check.h"
#include "faults.h"
#include "model/domain.h"
#include "model/measurement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A mechanism of this test alone: it tells what was given, and costs it. */

static int discarded;

static scrim_status check_none(scrim_measurement *m, scrim_error *error)
{
    m->state = malloc(1);
    if (m->state == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    if (sc_measurement_integer(m, "size", 0) == 13)
        return sc_fail(error, SCRIM_E_PARAM, "size is not 13");
    return SCRIM_OK;
}

static void discard(scrim_measurement *m)
{
    free(m->state);
    discarded++;
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set_pure(out, sc_measurement_get(m, "epsilon"));
    return SCRIM_OK;
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    (void)m;
    (void)count;
    (void)error;
    sc_certificate_flexible(out, beta, beta, beta, NULL);
    return SCRIM_OK;
}

static const sc_parameter_rule parameters[] = {
    {.name = "epsilon",
     .kind = SC_PARAMETER_RATIONAL,
     .above = "0",
     .domain = "a rational above 0"},
    {.name = "sensitivity",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .domain = "a rational above 0"},
    {.name = "threshold",
     .kind = SC_PARAMETER_INTEGER,
     .optional = true,
     .domain = "an integer"},
    {.name = "size",
     .kind = SC_PARAMETER_INTEGER,
     .optional = true,
     .domain = "an integer"},
    SC_PARAMETER_NEIGHBOURS,
    {.name = "candidates",
     .kind = SC_PARAMETER_INTEGER,
     .optional = true,
     .domain = "an integer"},
};

static const sc_mechanism teller = {
    .entry = {.name = "teller"},
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof *parameters,
    .audit_count = 1,
    .check = check_none,
    .discard = discard,
    .cost = cost,
    .certify = certify,
};

static scrim_status make(const char *rest, sc_purpose purpose, scrim_measurement **out,
                         scrim_error *error)
{
    return sc_measurement_new(&teller, sc_text_of(rest), purpose, out, error);
}

static void refuses(const char *rest, sc_purpose purpose, scrim_status status,
                    const char *part)
{
    scrim_measurement *m = NULL;
    scrim_error error = {.message = ""};
    CHECK_STATUS(make(rest, purpose, &m, &error), status);
    CHECK(m == NULL);
    if (strstr(error.message, part) == NULL)
        CHECK_STR(error.message, part);
}

TEST(measurement_for_data_is_given_all_that_a_release_needs)
{
    refuses("epsilon=1", SC_PURPOSE_DATA, SCRIM_E_PARAM, "neighbours is missing");
    refuses("epsilon=1 neighbours=add-remove", SC_PURPOSE_DATA, SCRIM_E_PARAM,
            "sensitivity is missing");
    refuses("epsilon=1 neighbours=add-remove sensitivity=1", SC_PURPOSE_DATA,
            SCRIM_E_PARAM, "threshold is missing");
    refuses("epsilon=1 neighbours=add-remove sensitivity=1 threshold=0 candidates=3",
            SC_PURPOSE_DATA, SCRIM_E_PARAM, "unknown parameter 'candidates'");
    scrim_measurement *m = NULL;
    REQUIRE_OK(make("threshold=-2 sensitivity=2/4 neighbours=replace epsilon=0.10",
                    SC_PURPOSE_DATA, &m, NULL));
    CHECK_STR(scrim_measurement_text(m),
              "teller epsilon=0.1 sensitivity=0.5 threshold=-2 neighbours=replace");
    CHECK(m->is_for_data && m->cost.neighbours == SCRIM_REPLACE);
    CHECK_STR(scrim_measurement_mechanism(m)->name, "teller");
    CHECK_INT(sc_measurement_integer(m, "threshold", 7), -2);
    CHECK_INT(sc_measurement_integer(m, "size", 7), 7);
    CHECK(sc_measurement_get(m, "size") == NULL);
    scrim_measurement_free(m);
}

TEST(measurement_as_a_model_has_the_usual_values)
{
    scrim_measurement *m = NULL;
    REQUIRE_OK(make("epsilon=1 candidates=3", SC_PURPOSE_MODEL, &m, NULL));
    CHECK_STR(scrim_measurement_text(m), "teller epsilon=1 sensitivity=1 threshold=0 "
                                         "neighbours=add-remove candidates=3");
    CHECK(!m->is_for_data && m->cost.neighbours == SCRIM_ADD_REMOVE);
    scrim_measurement_free(m);
}

TEST(measurement_that_fails_leaves_nothing)
{
    refuses("epsilon=0", SC_PURPOSE_MODEL, SCRIM_E_PARAM, "epsilon: 0 is not allowed");
    refuses("epsilon=nan", SC_PURPOSE_MODEL, SCRIM_E_PARAM, "is not a number");
    refuses("epsilon", SC_PURPOSE_MODEL, SCRIM_E_SYNTAX, "write key=value");
    refuses("epsilon=1 neighbours=local", SC_PURPOSE_MODEL, SCRIM_E_PARAM,
            "neighbours: 'local' is not allowed");
    discarded = 0;
    refuses("epsilon=1 size=13", SC_PURPOSE_MODEL, SCRIM_E_PARAM, "size is not 13");
    CHECK_INT(discarded, 1);
    scrim_measurement_free(NULL);
}

TEST(measurement_survives_a_lack_of_memory)
{
    bool made = false;
    FAULT_LOOP(fault)
    {
        scrim_measurement *m = NULL;
        scrim_status status = make("epsilon=1", SC_PURPOSE_MODEL, &m, NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        CHECK((m != NULL) == (status == SCRIM_OK));
        made = made || status == SCRIM_OK;
        scrim_measurement_free(m);
    }
    CHECK(made);
}

TEST(measurement_one_of_several)
{
    static const char *const names[] = {"epsilon", "sensitivity", "size", NULL};
    static const char *const single[] = {"size", "candidates", NULL};
    scrim_measurement *m = NULL;
    scrim_error error = {.message = ""};
    REQUIRE_OK(make("epsilon=1 size=2", SC_PURPOSE_MODEL, &m, NULL));
    CHECK_STATUS(sc_measurement_one_of(m, names, &error), SCRIM_E_PARAM);
    CHECK_STR(error.message,
              "teller: give epsilon, sensitivity or size, exactly one of them");
    CHECK_STATUS(sc_measurement_one_of(m, single, NULL), SCRIM_OK);
    scrim_measurement_free(m);
}

/* A list of parameters makes the same as the line. */

static scrim_status from_list(const scrim_parameter *list, size_t count,
                              scrim_measurement **out, scrim_error *error)
{
    return sc_measurement_from_list(&teller, list, count, out, error);
}

TEST(measurement_from_a_list_is_that_of_the_line)
{
    scrim_measurement *m = NULL;
    REQUIRE_OK(from_list(SCRIM_PARAMETERS({"epsilon", "1/10"}, {"neighbours", "replace"},
                                          {"sensitivity", "1"}, {"threshold", "5"},
                                          {"size", NULL}),
                         &m, NULL));
    CHECK_STR(scrim_measurement_text(m),
              "teller epsilon=0.1 sensitivity=1 threshold=5 neighbours=replace");
    CHECK(m->is_for_data);
    scrim_measurement_free(m);
}

/* A value cannot bring a second parameter; nothing that is required can be left out, and nothing
 * that only the audit asks for be said. */
TEST(measurement_from_a_list_refuses_what_a_line_would_not_hold)
{
    static const char *const bad[] = {
        "1 epsilon=1000", "1\tsize=2", "", " 1", "1 ", "1\n"};
    scrim_measurement *m = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_STATUS(
            from_list(SCRIM_PARAMETERS({"epsilon", "1"}, {"sensitivity", bad[i]},
                                       {"threshold", "0"}, {"neighbours", "replace"}),
                      &m, NULL),
            SCRIM_E_PARAM);
    static const scrim_parameter last[] = {
        {"neighbours", "local"},  {"neighbours", "9"}, {"neighbours", ""},
        {"neighbours", NULL},     {"epsilon", "1"},    {"neighbours=replace size", "1"},
        {"", "replace"},          {NULL, "replace"},   {NULL, NULL},
        {"Neighbours", "replace"}};
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        CHECK_STATUS(from_list(SCRIM_PARAMETERS({"epsilon", "1"}, {"sensitivity", "1"},
                                                {"threshold", "0"}, last[i]),
                               &m, NULL),
                     SCRIM_E_PARAM);
    CHECK_STATUS(from_list(NULL, 0, &m, NULL), SCRIM_E_PARAM);
    CHECK(m == NULL);
}

/* Questions. */

TEST(measurement_answers_about_its_curve)
{
    scrim_measurement *m = NULL;
    double upper = -1;
    REQUIRE_OK(make("epsilon=1", SC_PURPOSE_MODEL, &m, NULL));
    /* Randomised response: tanh(1/2) at 0, nothing from 1 on. */
    REQUIRE_OK(scrim_measurement_delta_at(m, "0", &upper, NULL));
    CHECK_NEAR(upper, tanh(0.5), 1e-15);
    CHECK(upper >= 0.46211715726000975);
    REQUIRE_OK(scrim_measurement_delta_at(m, "1", &upper, NULL));
    CHECK(upper == 0.0);
    REQUIRE_OK(scrim_measurement_epsilon_at(m, "0", &upper, NULL));
    CHECK(upper >= 1.0 && upper < 1.0 + 1e-12);
    REQUIRE_OK(scrim_measurement_renyi_at(m, "2", &upper, NULL));
    CHECK_NEAR(upper, log(cosh(1.5) / cosh(0.5)), 1e-14);
    scrim_measurement_free(m);
}

TEST(measurement_refuses_questions_outside_their_domain)
{
    static const struct {
        const char *epsilon, *delta, *order, *confidence;
    } list[] = {{"-1", "-1/2", "1", "0"},
                {"-1e-9", "1", "1/2", "1"},
                {"", "2", "", "-1"},
                {"nan", "inf", "x", "2"},
                {NULL, NULL, NULL, NULL}};
    scrim_measurement *m = NULL;
    scrim_certificate certificate, untouched;
    memset(&untouched, 3, sizeof untouched);
    certificate = untouched;
    REQUIRE_OK(make("epsilon=1", SC_PURPOSE_MODEL, &m, NULL));
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        double upper = 42;
        CHECK(scrim_measurement_delta_at(m, list[i].epsilon, &upper, NULL) != SCRIM_OK);
        CHECK(scrim_measurement_epsilon_at(m, list[i].delta, &upper, NULL) != SCRIM_OK);
        CHECK(scrim_measurement_renyi_at(m, list[i].order, &upper, NULL) != SCRIM_OK);
        CHECK(upper == 42);
        CHECK(scrim_measurement_certify(m, list[i].confidence, 1, &certificate, NULL) !=
              SCRIM_OK);
        CHECK_BYTES(&certificate, &untouched, sizeof untouched);
    }
    scrim_error error = {.message = ""};
    double upper = 0;
    CHECK_STATUS(scrim_measurement_epsilon_at(m, "1", &upper, &error), SCRIM_E_PARAM);
    CHECK_STR(error.message, "delta must be at least 0 and below 1");
    CHECK_STATUS(scrim_measurement_renyi_at(m, "1", &upper, &error), SCRIM_E_PARAM);
    CHECK_STR(error.message, "order must be above 1");
    /* The confidence reaches the mechanism as 1 minus it, exactly. */
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 1, &certificate, NULL));
    CHECK_STR(certificate.beta, "0.05");
    scrim_measurement_free(m);
}

TEST(measurement_shows_its_cost)
{
    scrim_measurement *m = NULL;
    scrim_cost shown;
    REQUIRE_OK(make("epsilon=1/3 neighbours=replace", SC_PURPOSE_MODEL, &m, NULL));
    REQUIRE_OK(scrim_measurement_cost(m, &shown, NULL));
    CHECK_INT(shown.neighbours, SCRIM_REPLACE);
    CHECK_STR(shown.epsilon, "1/3");
    CHECK_STR(shown.delta, "0");
    CHECK_STR(shown.rho, "1/18");
    REQUIRE_OK(scrim_measurement_group_cost(m, 3, &shown, NULL));
    CHECK_INT(shown.neighbours, SCRIM_REPLACE);
    CHECK_STR(shown.epsilon, "1");
    CHECK_STR(shown.rho, "0.5");
    CHECK_STATUS(scrim_measurement_group_cost(m, 0, &shown, NULL), SCRIM_E_PARAM);
    scrim_measurement_free(m);
}
