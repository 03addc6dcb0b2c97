#include "check.h"
#include "local_device.h"
#include "scrim.h"
#include "scrim_local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static scrim_local_plan plan;

static const scrim_local_plan_row *planned(const scrim_local_plan_options *options)
{
    scrim_error error = {.message = ""};
    if (!CHECK_STATUS(scrim_local_plan_find(options, &plan, &error), SCRIM_OK))
        CHECK_FAIL("%s", error.message);
    return &plan.rows[plan.recommended];
}

#define PLAN(...) planned(SCRIM_OPTIONS(scrim_local_plan_options, __VA_ARGS__))

static const scrim_local_plan_row *row_of(const char *protocol)
{
    for (size_t i = 0; i < plan.count; i++)
        if (strcmp(plan.rows[i].protocol, protocol) == 0)
            return &plan.rows[i];
    CHECK_FAIL("no row %s", protocol);
    return &plan.rows[0];
}

TEST(local_plan_recommends_by_the_domain)
{
    CLAIM("local-plan.choice");
    /* 3 e^2 + 2 = 24.2 */
    CHECK_STR(PLAN(.users = 1000000, .domain = 24, .epsilon = "2")->protocol,
              "randomised-response");
    CHECK_STR(PLAN(.users = 1000000, .domain = 25, .epsilon = "2")->protocol,
              "projective-geometry");
    CHECK_STR(
        PLAN(.users = 1000, .domain = 25, .epsilon = "2", .is_ordered = 1)->protocol,
        "square-wave");
    CHECK_STR(PLAN(.users = 1000, .domain = 25, .epsilon = "2", .periods = 9)->protocol,
              "projective-geometry");
    CHECK_STR(
        PLAN(.users = 1000, .domain = 25, .epsilon = "2", .periods = 9, .is_constant = 1)
            ->protocol,
        "repeated-unary");
    CHECK_STR(PLAN(.users = 1000, .length = 16, .epsilon = "2")->protocol, "prefix");
    /* A number that never changes has one charge: counts where the values fit, else the mean. */
    CHECK_STR(PLAN(.users = 20000, .domain = 20, .epsilon = "2", .periods = 9,
                   .is_constant = 1, .is_ordered = 1)
                  ->protocol,
              "repeated-unary");
    CHECK_STR(PLAN(.users = 20000, .domain = 2000, .epsilon = "2", .periods = 9,
                   .is_constant = 1, .is_ordered = 1)
                  ->protocol,
              "rounded-bit-mean");
}

/* No worse than 1.02 times the optimum of large domains: primes cost 1.5 %, small tables a half. */
TEST(local_plan_recommends_a_small_error)
{
    CLAIM("local-plan.choice");
    static const char *const epsilons[] = {"0.1", "1", "2", "4", "6"};
    static const uint64_t domains[] = {2, 10, 100, 1024, 5000};
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++)
        for (size_t j = 0; j < sizeof domains / sizeof *domains; j++) {
            const double e = exp(strtod(epsilons[i], NULL));
            const double optimum = 2 * sqrt(e / 1e5) / (e - 1);
            const scrim_local_plan_row *best =
                PLAN(.users = 100000, .domain = domains[j], .epsilon = epsilons[i]);
            if (!CHECK(best->standard_error < 1.02 * optimum))
                CHECK_FAIL("epsilon %s, %d values", epsilons[i], (int)domains[j]);
        }
}

TEST(local_plan_gives_what_the_device_accepts)
{
    CLAIM("local-plan.parameters");
    (void)PLAN(.users = 100000, .domain = 1024, .epsilon = "2", .question = "browser");
    size_t found = 0;
    for (size_t i = 0; i < plan.count; i++) {
        scrim_local_config config;
        const scrim_local_plan_row *row = &plan.rows[i];
        if (row->config[0] == '\0')
            continue;
        found++;
        CHECK_INT(scrim_local_config_parse(row->config, &config), SCRIM_LOCAL_OK);
        CHECK_STR(config.question, "browser");
        CHECK_STR(scrim_local_protocol_name(config.protocol), row->protocol);
        CHECK_INT(scrim_local_report_bytes(&config), row->report_bytes);
        CHECK(row->loss_upper <= 2 && row->loss_upper > 0);
        CHECK((double)scrim_local_loss(&config) <= ldexp(2, 32));
    }
    CHECK(found >= 15);
}

/* The table of errors in the specification, n = 10^5, epsilon 2, 1024 values; bytes of section 7. */
TEST(local_plan_predicts_the_printed_errors)
{
    (void)PLAN(.users = 100000, .domain = 1024, .epsilon = "2");
    CHECK_NEAR(row_of("randomised-response")->standard_error * 1e5, 1588, 1e-3);
    CHECK_NEAR(row_of("optimised-unary")->standard_error * 1e5, 269.1, 1e-3);
    CHECK_NEAR(row_of("projective-geometry")->standard_error * 1e5, 270.5, 2e-3);
    CHECK_NEAR(row_of("hadamard")->standard_error * 1e5, 415.1, 2e-3);
    CHECK_INT(row_of("projective-geometry")->report_bytes, 2);
    CHECK_INT(row_of("optimised-unary")->report_bytes, 128);
    CHECK_INT(row_of("local-hashing")->report_bytes, 3);
    CHECK_INT(row_of("hadamard")->report_bytes, 2);
}

/* A72: 5 % of made-up reports of 100 values at epsilon 1 add 2.93 to one of them. */
TEST(local_plan_shows_what_poisoning_does_A72)
{
    (void)PLAN(.users = 100000, .domain = 100, .epsilon = "1");
    CHECK_NEAR(row_of("randomised-response")->raised[2], 2.93, 1e-3);
    CHECK_NEAR(row_of("randomised-response")->raised[1], 0.586, 1e-3);
    CHECK_NEAR(row_of("optimised-unary")->raised[2], 0.158, 2e-3);
    CHECK_INT(row_of("randomised-response")->targets, 1);
    CHECK_INT(row_of("optimised-unary")->targets, 100);
}

TEST(local_plan_counts_periods)
{
    (void)PLAN(.users = 1000, .domain = 10, .epsilon = "1", .periods = 12);
    CHECK_NEAR(row_of("randomised-response")->lifetime_upper, 12, 1e-5);
    CHECK(row_of("repeated-unary")->loss_upper < 0.5);
    (void)PLAN(.users = 1000, .domain = 10, .epsilon = "1", .periods = 12,
               .is_constant = 1);
    CHECK_NEAR(row_of("randomised-response")->lifetime_upper, 12, 1e-5);
    CHECK(row_of("repeated-unary")->lifetime_upper < 1);
    CHECK(row_of("repeated-unary")->lifetime_upper > 0.9);
}

/* A constant value is asked for in 30 periods: the state of a device is charged as planned, by every protocol. */
TEST(local_plan_says_what_a_device_is_charged)
{
    static const uint64_t periods = 30;
    CLAIM("local-plan.lifetime");
    (void)PLAN(.users = 1000, .domain = 10, .epsilon = "1", .periods = periods,
               .is_constant = 1);
    for (size_t i = 0; i < plan.count; i++) {
        scrim_local_config config;
        uint64_t seed = check_seed(), state[512];
        const scrim_local_source source = device_seeded(&seed);
        if (plan.rows[i].config[0] == '\0')
            continue;
        REQUIRE(scrim_local_config_parse(plan.rows[i].config, &config) == SCRIM_LOCAL_OK);
        const size_t report_bytes = scrim_local_report_bytes(&config),
                     bytes = scrim_local_state_bytes(1, (uint32_t)report_bytes);
        uint8_t *kept = (uint8_t *)state;
        REQUIRE(bytes <= sizeof state);
        REQUIRE(scrim_local_state_init(kept, bytes, 1, (uint32_t)report_bytes, UINT64_MAX,
                                       UINT64_MAX, &source) == SCRIM_LOCAL_OK);
        for (uint64_t p = 1; p <= periods; p++)
            REQUIRE(scrim_local_state_prepare(kept, bytes, &config, p, 3) ==
                    SCRIM_LOCAL_OK);
        scrim_local_account account;
        REQUIRE(scrim_local_state_read(kept, bytes, &account) == SCRIM_LOCAL_OK);
        const double charged = ldexp((double)account.spent, -32),
                     said = plan.rows[i].lifetime_upper;
        if (!CHECK_NEAR(charged, said, 1e-6))
            CHECK_FAIL("%s: charged %g, planned %g", plan.rows[i].protocol, charged,
                       said);
    }
}

/* Fewer groups find rarer texts with a smaller error than steps of 4 bits, as far as they can be decoded: each
 * step doubles the work of a report with each bit. */
TEST(local_plan_chooses_the_steps_of_prefix)
{
    CLAIM("local-plan.steps");
    const char *before = " prefixes=16,20,24,28,32,36,40,44,48,52,56,60,64,68,72,76,80,"
                         "84,88,92,96";
    const double error =
        PLAN(.users = 20000, .length = 12, .epsilon = "4")->standard_error;
    const double finds = row_of("prefix")->detectable;
    scrim_local_config config;
    CHECK(strstr(row_of("prefix")->config, before) == NULL);
    REQUIRE(scrim_local_config_parse(row_of("prefix")->config, &config) ==
            SCRIM_LOCAL_OK);
    CHECK(config.prefixes <= 8 && config.prefix[config.prefixes - 1] == 96);
    /* of 21 groups: error 1/sqrt(20000/21) sqrt(q(1-q))/(p-q), and 6.3 % are found */
    CHECK(error < 0.65 * 0.0089);
    CHECK(finds > 0.035 && finds < 0.045);
    (void)PLAN(.users = UINT64_C(10000000000), .length = 12, .epsilon = "4");
    REQUIRE(scrim_local_config_parse(row_of("prefix")->config, &config) ==
            SCRIM_LOCAL_OK);
    for (uint32_t g = 1; g < config.prefixes; g++)
        CHECK(config.prefix[g] - config.prefix[g - 1] <= 5);
}

TEST(local_plan_says_how_many_values_fit)
{
    (void)PLAN(.users = 20000, .domain = 5001, .epsilon = "2", .is_ordered = 1);
    CHECK_INT(plan.values_fit, 20);
    (void)PLAN(.users = 20000, .domain = 20, .epsilon = "2", .is_ordered = 1);
    CHECK_INT(plan.values_fit, 0);
    (void)PLAN(.users = 100000000, .domain = 100, .epsilon = "2", .is_ordered = 1);
    CHECK_INT(plan.values_fit, 0);
    (void)PLAN(.users = 10, .domain = 5001, .epsilon = "0.5", .is_ordered = 1);
    CHECK_INT(plan.values_fit, 2);
    (void)PLAN(.users = 20000, .domain = 5001, .epsilon = "2");
    CHECK_INT(plan.values_fit, 0);
}

TEST(local_plan_refuses_what_cannot_be_planned)
{
    scrim_error error = {.message = ""};
    const scrim_local_plan_options wrong[] = {
        {.size = sizeof wrong[0], .domain = 5, .epsilon = "1"},
        {.size = sizeof wrong[0], .users = 5, .domain = 1, .epsilon = "1"},
        {.size = sizeof wrong[0], .users = 5, .domain = 5},
        {.size = sizeof wrong[0], .users = 5, .domain = 5, .epsilon = "0"},
        {.size = sizeof wrong[0], .users = 5, .domain = 5, .epsilon = "9"},
        {.size = sizeof wrong[0], .users = 5, .domain = 5, .epsilon = "many"},
        {.size = sizeof wrong[0], .users = 5, .domain = (1 << 24) + 1, .epsilon = "1"},
        {.size = sizeof wrong[0],
         .users = 5,
         .domain = 5,
         .epsilon = "1",
         .question = "Two words"},
        {.size = sizeof wrong[0],
         .users = 5,
         .domain = 5,
         .epsilon = "1",
         .question =
             "a-name-of-64-characters-which-is-one-more-than-a-question-may-have"}};
    static const char *const about[] = {"users",   "domain",   "epsilon",
                                        "epsilon", "epsilon",  "epsilon",
                                        "domain",  "question", "question"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK_STATUS(scrim_local_plan_find(&wrong[i], &plan, &error), SCRIM_E_PARAM);
        CHECK_STR(error.parameter, about[i]);
    }
    CHECK_STATUS(scrim_local_plan_find(SCRIM_OPTIONS(scrim_local_plan_options, .users = 5,
                                                     .length = 300, .epsilon = "1"),
                                       &plan, &error),
                 SCRIM_E_LIMIT);
}
