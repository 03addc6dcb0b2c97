#include "audit/audit_sample.h"
#include "check.h"
#include "random/bits_tape.h"
#include "scrim.h"
#include "toy_mechanism.h"

#include <math.h>

typedef struct calls {
    uint64_t count, last, total;
} calls;

static void note(void *context, uint64_t done, uint64_t total)
{
    calls *c = context;
    CHECK(done > c->last && done <= total);
    c->count++;
    c->last = done;
    c->total = total;
}

/* What a count tells at epsilon 0 is its total variation distance, 0.4621... at epsilon 1. */
SLOW_TEST(audit_by_sampling_comes_near_the_truth)
{
    CLAIM("audit.sampling");
    sc_tape *tape;
    scrim_measurement *m = NULL;
    scrim_audit_sample found;
    calls c = {0};
    const uint64_t draws = 20000 / check_every(3);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(scrim_measurement_parse(
        "laplace sensitivity=1 epsilon=1 neighbours=add-remove", &m, NULL));
    REQUIRE_OK(sc_audit_sample_from(
        m,
        SCRIM_OPTIONS(scrim_audit_sample_options, .draws = draws, .epsilon = "0",
                      .failure = "1/1000", .progress = note, .context = &c),
        sc_tape_bits_of(tape), &found, NULL));
    CHECK(found.delta_lower > 0.4 && found.delta_lower < 0.4622);
    CHECK_NEAR(found.claimed_upper, 0.46211715726000979, 1e-12);
    CHECK_INT(found.verdict, SCRIM_AUDIT_UNDECIDED);
    CHECK_STR(found.epsilon, "0");
    CHECK_STR(found.failure, "0.001");
    CHECK_STR(found.confidence, "0.999");
    CHECK_STATUS(scrim_audit_sample_check(&found, NULL), SCRIM_OK);
    CHECK_INT((int64_t)found.pairs, 3);
    CHECK(found.draws == draws);
    CHECK(c.last == c.total && c.total == 2 * found.pairs * found.draws &&
          c.count * check_every(3) > 20);
    scrim_measurement_free(m);
    sc_tape_free(tape);
}

/* A choice, and a run of queries: answers of more than one value, with their marks. */
SLOW_TEST(audit_by_sampling_takes_every_kind_of_answer)
{
    sc_tape *tape;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const char *const lines[] = {
        "permute-and-flip sensitivity=1 epsilon=1 neighbours=replace",
        "sparse-vector sensitivity=1 epsilon=1 threshold=0 count=2 neighbours=replace "
        "numeric=yes"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        scrim_measurement *m = NULL;
        scrim_audit_sample found;
        scrim_error error;
        REQUIRE_OK(scrim_measurement_parse(lines[i], &m, &error));
        CHECK_STATUS(sc_audit_sample_from(m,
                                          SCRIM_OPTIONS(scrim_audit_sample_options,
                                                        .draws = 1000, .pairs = 5),
                                          sc_tape_bits_of(tape), &found, &error),
                     SCRIM_OK);
        CHECK_INT(found.verdict, SCRIM_AUDIT_UNDECIDED);
        CHECK_INT((int64_t)found.pairs, 5);
        scrim_measurement_free(m);
    }
    sc_tape_free(tape);
}

TEST(audit_by_sampling_checks_what_it_is_asked)
{
    scrim_measurement *model = NULL, *m = NULL, *toy = NULL;
    scrim_audit_sample found = {.pairs = 77};
    const scrim_audit_sample_options zeros = {0};
    REQUIRE_OK(scrim_measurement_parse_model("laplace epsilon=1", &model, NULL));
    REQUIRE_OK(scrim_measurement_parse(
        "laplace sensitivity=1 epsilon=1 neighbours=add-remove", &m, NULL));
    CHECK_STATUS(scrim_audit_by_sampling(m, &zeros, &found, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_audit_by_sampling(model, NULL, &found, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_audit_by_sampling(NULL, NULL, &found, NULL), SCRIM_E_PARAM);
    const struct {
        scrim_audit_sample_options options;
        scrim_status want;
    } cases[] = {{{.draws = 999}, SCRIM_E_PARAM},
                 {{.draws = UINT64_MAX}, SCRIM_E_LIMIT},
                 {{.epsilon = "-1"}, SCRIM_E_PARAM},
                 {{.epsilon = "one"}, SCRIM_E_SYNTAX},
                 {{.failure = "0"}, SCRIM_E_PARAM},
                 {{.failure = "1"}, SCRIM_E_PARAM},
                 {{.failure = "2"}, SCRIM_E_PARAM},
                 {{.failure = "nan"}, SCRIM_E_SYNTAX},
                 {{.failure = "2^-4000"}, SCRIM_E_LIMIT},
                 {{.confidence = "0"}, SCRIM_E_PARAM},
                 {{.confidence = "1"}, SCRIM_E_PARAM},
                 {{.confidence = "sure"}, SCRIM_E_SYNTAX},
                 {{.confidence = "0.9", .failure = "0.1"}, SCRIM_E_PARAM}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scrim_audit_sample_options options = cases[i].options;
        options.size = sizeof options;
        CHECK_STATUS(scrim_audit_by_sampling(m, &options, &found, NULL), cases[i].want);
    }
    CHECK_STATUS(sc_measurement_new(&toy_mechanism,
                                    sc_text_of("a=1/2 b=1/2 epsilon=1 pairs=0 "
                                               "neighbours=replace"),
                                    SC_PURPOSE_DATA, &toy, NULL),
                 SCRIM_OK);
    CHECK_STATUS(scrim_audit_by_sampling(toy, NULL, &found, NULL), SCRIM_E_PARAM);
    CHECK_INT((int64_t)found.pairs, 77); /* untouched */
    scrim_measurement_free(toy);
    scrim_measurement_free(m);
    scrim_measurement_free(model);
}

/* From the system's entropy, as it ships. */
SLOW_TEST(audit_by_sampling_draws_from_the_system)
{
    scrim_measurement *m = NULL;
    scrim_audit_sample found;
    REQUIRE_OK(scrim_measurement_parse(
        "laplace sensitivity=1 epsilon=1 neighbours=add-remove", &m, NULL));
    REQUIRE_OK(scrim_audit_by_sampling(
        m, SCRIM_OPTIONS(scrim_audit_sample_options, .draws = 1000), &found, NULL));
    CHECK_INT(found.verdict, SCRIM_AUDIT_UNDECIDED);
    CHECK_STR(found.failure, "0.000000001");
    REQUIRE_OK(scrim_audit_by_sampling(
        m, SCRIM_OPTIONS(scrim_audit_sample_options, .draws = 1000, .confidence = "0.99"),
        &found, NULL));
    CHECK_STR(found.failure, "0.01");
    CHECK_STR(found.confidence, "0.99");
    scrim_measurement_free(m);
}
