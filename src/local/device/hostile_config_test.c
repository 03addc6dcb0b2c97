/* Configurations of a server that means harm (A71): what a device refuses, and where. */
#include "check.h"
#include "local_device.h"
#include "scrim_local.h"

#include <stdio.h>
#include <string.h>

#define NAT ((uint64_t)1 << 32)
#define HALF "2147483648"

typedef struct hostile {
    const char *words;
    scrim_local_status parsed;   /* by scrim_local_config_parse */
    scrim_local_status prepared; /* by a device with a largest charge of 3 nats */
} hostile;

static const hostile corpus[] = {
    /* An epsilon of 50 cannot be written; of 22 it can, and is above the cap. */
    {"randomised-response values=2 a=5184705528587072464087 b=1", SCRIM_LOCAL_E_LIMIT, 0},
    {"randomised-response values=2 a=4294967295 b=1", SCRIM_LOCAL_OK,
     SCRIM_LOCAL_E_POLICY},
    {"symmetric-unary values=2 a=5 b=1", SCRIM_LOCAL_OK, SCRIM_LOCAL_E_POLICY},
    {"bit-flip values=9 a=5 b=1 chosen=2 epoch=1", SCRIM_LOCAL_OK, SCRIM_LOCAL_E_POLICY},
    {"laplace-mean values=1001 a=2 b=1 width=0", SCRIM_LOCAL_OK, SCRIM_LOCAL_E_POLICY},
    {"condensed-geometric values=1001 a=101 b=100", SCRIM_LOCAL_OK, SCRIM_LOCAL_E_POLICY},
    {"condensed-exponential values=200 a=101 b=100 metric=0", SCRIM_LOCAL_OK,
     SCRIM_LOCAL_OK},
    {"condensed-exponential values=200 a=201 b=100 metric=0", SCRIM_LOCAL_OK,
     SCRIM_LOCAL_E_POLICY},
    /* Noise that is hardly any: one reading after the other. */
    {"rappor values=100 text=0 bits=100 hashes=0 cohorts=1 f=1 p=0 q=0 epoch=0",
     SCRIM_LOCAL_OK, SCRIM_LOCAL_E_POLICY},
    {"rappor values=100 text=0 bits=100 hashes=0 cohorts=1 f=1 p=1 q=4294967295 epoch=1",
     SCRIM_LOCAL_OK, SCRIM_LOCAL_E_POLICY},
    {"repeated-unary values=9 a=4000000000 b=1 keep=4294967295 epoch=1", SCRIM_LOCAL_OK,
     SCRIM_LOCAL_E_POLICY},
    {"rounded-bit-mean values=9 a=2 b=1 flip=1 epoch=0", SCRIM_LOCAL_OK,
     SCRIM_LOCAL_E_POLICY},
    /* None at all. */
    {"rappor values=100 text=0 bits=100 hashes=0 cohorts=1 f=0 p=0 q=0 epoch=0",
     SCRIM_LOCAL_E_PARAM, 0},
    {"rappor values=100 text=0 bits=100 hashes=0 cohorts=1 f=0 p=0 q=" HALF " epoch=1",
     SCRIM_LOCAL_E_PARAM, 0},
    {"rappor values=100 text=0 bits=100 hashes=0 cohorts=1 f=0 p=1 q=" HALF " epoch=0",
     SCRIM_LOCAL_E_PARAM, 0},
    {"randomised-response values=2 a=1 b=0", SCRIM_LOCAL_E_PARAM, 0},
    {"randomised-response values=2 a=1 b=1", SCRIM_LOCAL_E_PARAM, 0},
    {"rounded-bit-mean values=9 a=2 b=1 flip=4294967295 epoch=0", SCRIM_LOCAL_E_PARAM, 0},
    /* Parameters that would mark a device: its own seed, cohort or subset is the device's. */
    {"local-hashing values=9 a=3 b=1 field=3 digits=2 seed=7", SCRIM_LOCAL_E_SYNTAX, 0},
    {"rappor values=100 text=0 bits=100 hashes=0 cohorts=1 cohort=7 f=" HALF
     " p=0 q=0 epoch=0",
     SCRIM_LOCAL_E_SYNTAX, 0},
    {"bit-flip values=9 a=2 b=1 chosen=2 buckets=1,2 epoch=1", SCRIM_LOCAL_E_SYNTAX, 0},
    {"randomised-response values=2 a=2 b=1 user=alice", SCRIM_LOCAL_E_SYNTAX, 0},
    /* Spellings of one configuration, which would tell devices apart by their hash. */
    {"randomised-response values=02 a=2 b=1", SCRIM_LOCAL_E_SYNTAX, 0},
    {"randomised-response values=2  a=2 b=1", SCRIM_LOCAL_E_SYNTAX, 0},
    {"randomised-response values=2 a=2 b=1 ", SCRIM_LOCAL_E_SYNTAX, 0},
    {"randomised-response a=2 values=2 b=1", SCRIM_LOCAL_E_SYNTAX, 0},
    {"randomised-response values=2 a=+2 b=1", SCRIM_LOCAL_E_SYNTAX, 0},
    {"Randomised-response values=2 a=2 b=1", SCRIM_LOCAL_E_SYNTAX, 0},
    /* Sizes that would fill a device. */
    {"randomised-response values=4294967296 a=2 b=1", SCRIM_LOCAL_E_LIMIT, 0},
    {"repeated-unary values=65537 a=2 b=1 keep=3000000000 epoch=1", SCRIM_LOCAL_E_LIMIT,
     0},
    {"laplace-mean values=2 a=2 b=1 width=4294967295", SCRIM_LOCAL_E_LIMIT, 0},
    {"rappor values=0 text=8 bits=64 hashes=17 cohorts=1 f=" HALF " p=0 q=0 epoch=1",
     SCRIM_LOCAL_E_LIMIT, 0},
    {"repeated-unary values=2000 a=2 b=1 keep=3000000000 epoch=1", SCRIM_LOCAL_OK,
     SCRIM_LOCAL_E_LIMIT},
};

static scrim_local_status parse(const char *question, const char *words,
                                scrim_local_config *out)
{
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    snprintf(text, sizeof text, "scrim-local/1 question=%s protocol=%s\n", question,
             words);
    return scrim_local_config_parse(text, out);
}

static uint8_t state[80 + 4 * (80 + 2 * 64) + 8];

static void begin(uint64_t cap)
{
    uint64_t seed = 1;
    const scrim_local_source source = device_seeded(&seed);
    CHECK_INT(scrim_local_state_init(state, sizeof state, 4, 64, cap, 3 * NAT, &source),
              SCRIM_LOCAL_OK);
}

TEST(A71_hostile_configurations_are_refused)
{
    for (size_t i = 0; i < COUNT(corpus); i++) {
        scrim_local_config config;
        const scrim_local_status parsed = parse("q", corpus[i].words, &config);
        if (parsed != corpus[i].parsed)
            CHECK_FAIL("%s: %d", corpus[i].words, (int)parsed);
        if (parsed != SCRIM_LOCAL_OK)
            continue;
        begin(1000 * NAT);
        const scrim_local_status prepared =
            scrim_local_state_prepare(state, sizeof state, &config, 1, 1);
        if (prepared != corpus[i].prepared)
            CHECK_FAIL("%s: %d when prepared", corpus[i].words, (int)prepared);
        /* 20 > e^3 > 403/20: the same by a ratio that is compiled in, without a state. */
        CHECK(prepared != SCRIM_LOCAL_E_POLICY ||
              !scrim_local_config_is_within(&config, 20, 1));
    }
}

/* A question that is asked of one person alone, with two values and a small epsilon, is like any other: only
 * the published list tells. */
TEST(A71_hostile_question_is_not_listed)
{
    static const char words[] = "randomised-response values=2 a=2 b=1";
    uint8_t listed[2][SCRIM_LOCAL_HASH_BYTES];
    scrim_local_config config;
    REQUIRE(parse("screen", words, &config) == SCRIM_LOCAL_OK);
    memcpy(listed[0], config.hash, sizeof listed[0]);
    REQUIRE(parse("disk", words, &config) == SCRIM_LOCAL_OK);
    memcpy(listed[1], config.hash, sizeof listed[1]);
    CHECK_INT(scrim_local_config_is_listed(&config, listed[0], 2), 1);
    CHECK_INT(scrim_local_config_is_listed(&config, listed[0], 1), 0);
    REQUIRE(parse("is-it-alice", words, &config) == SCRIM_LOCAL_OK);
    CHECK_INT(scrim_local_config_is_listed(&config, listed[0], 2), 0);
    REQUIRE(parse("disk", "randomised-response values=2 a=3 b=1", &config) ==
            SCRIM_LOCAL_OK);
    CHECK_INT(scrim_local_config_is_listed(&config, listed[0], 2), 0);
}

/* Ever new questions: the places end, and so does the budget. */
TEST(A71_hostile_questions_end_with_the_budget)
{
    CLAIM("local.budget");
    uint64_t answered = 0;
    scrim_local_account account;
    begin(10 * NAT);
    for (unsigned i = 0; i < 100; i++) {
        char name[16];
        scrim_local_config config;
        snprintf(name, sizeof name, "q%u", i);
        REQUIRE(parse(name, "randomised-response values=2 a=3 b=1", &config) ==
                SCRIM_LOCAL_OK);
        const scrim_local_status status =
            scrim_local_state_prepare(state, sizeof state, &config, i, 1);
        answered += status == SCRIM_LOCAL_OK;
        CHECK_INT(status, i < 9 ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_BUDGET);
        if (status == SCRIM_LOCAL_OK)
            CHECK_INT(scrim_local_state_forget(state, sizeof state, name),
                      SCRIM_LOCAL_OK);
    }
    CHECK_INT(answered, 9);
    CHECK_INT(scrim_local_state_read(state, sizeof state, &account), SCRIM_LOCAL_OK);
    CHECK(account.spent <= account.cap && account.used == 0);
}
