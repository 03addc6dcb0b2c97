#include "check.h"
#include "local_device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAT ((uint64_t)1 << 32)
#define ROOM 32
#define QUESTIONS 4
#define BYTES (80 + QUESTIONS * (80 + 2 * ROOM) + 8)

#define HALF "2147483648"

/* A device: what it works with, and what it has stored. */
typedef struct handset {
    uint8_t state[BYTES], stored[BYTES];
} handset;

static scrim_local_config question(const char *name, const char *words)
{
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    scrim_local_config config;
    snprintf(text, sizeof text, "scrim-local/1 question=%s protocol=%s\n", name, words);
    CHECK_INT(scrim_local_config_parse(text, &config), SCRIM_LOCAL_OK);
    return config;
}

static void device_store(handset *device)
{
    memcpy(device->stored, device->state, BYTES);
}

static void device_restart(handset *device)
{
    memcpy(device->state, device->stored, BYTES);
}

static void device_begin(handset *device, uint64_t seed, uint64_t cap)
{
    const scrim_local_source source = device_seeded(&seed);
    CHECK_INT(scrim_local_state_bytes(QUESTIONS, ROOM), BYTES);
    CHECK_INT(scrim_local_state_init(device->state, BYTES, QUESTIONS, ROOM, cap, 20 * NAT,
                                     &source),
              SCRIM_LOCAL_OK);
    device_store(device);
}

static scrim_local_account device_account(const handset *device)
{
    scrim_local_account account = {0};
    CHECK_INT(scrim_local_state_read(device->state, BYTES, &account), SCRIM_LOCAL_OK);
    return account;
}

/* Prepares, stores and sends. */
static void device_answer(handset *device, const scrim_local_config *config,
                          uint64_t period, uint64_t value, uint8_t *message)
{
    CHECK_INT(scrim_local_state_prepare(device->state, BYTES, config, period, value),
              SCRIM_LOCAL_OK);
    device_store(device);
    CHECK_INT(scrim_local_state_send(device->stored, BYTES, config, period, message),
              SCRIM_LOCAL_OK);
}

#define MESSAGE (SCRIM_LOCAL_HEADER_BYTES + ROOM)

/* ---- one report a period ------------------------------------------------------------------ */

static const char *const protocols[] = {
    "randomised-response values=1000 a=3 b=1",
    "one-bit-mean values=101 a=3 b=1",
    "rounded-bit-mean values=101 a=3 b=1 flip=1000000000 epoch=0",
    "rounded-bit-mean values=101 a=3 b=1 flip=0 epoch=0",
    "bit-flip values=40 a=3 b=1 chosen=9 epoch=1",
    "repeated-unary values=64 a=3 b=1 keep=3000000000 epoch=0",
    "rappor values=128 text=0 bits=128 hashes=0 cohorts=1 f=" HALF " p=1000 q=" HALF
    " epoch=1",
    "rappor values=128 text=0 bits=128 hashes=0 cohorts=1 f=" HALF " p=1000 q=" HALF
    " epoch=0",
    "laplace-mean values=101 a=101 b=100 width=50",
};

/* A server that fails again and again, values that change, restarts, and a clock that goes back (A69): one
 * and the same message. */
static void check_retries(const char *words, uint64_t retries)
{
    const scrim_local_config config = question("q", words);
    const size_t bytes = SCRIM_LOCAL_HEADER_BYTES + scrim_local_report_bytes(&config);
    handset device;
    uint8_t first[MESSAGE], again[MESSAGE];
    device_begin(&device, 7, 1000 * NAT);
    device_answer(&device, &config, 5, 17, first);
    const uint64_t spent = device_account(&device).spent;
    CHECK(spent == scrim_local_loss(&config));
    for (uint64_t i = 0; i < retries; i++) {
        device_answer(&device, &config, 5, i, again);
        CHECK_BYTES(again, first, bytes);
        if (i % 3 == 0)
            CHECK_INT(scrim_local_state_prepare(device.state, BYTES, &config, i % 5, i),
                      SCRIM_LOCAL_E_PERIOD);
        if (i % 7 == 0)
            device_restart(&device);
    }
    CHECK(device_account(&device).spent == spent);
}

SLOW_TEST(A69_state_sends_one_report_a_period)
{
    CLAIM("local.once");
    for (size_t i = 0; i < COUNT(protocols); i++)
        check_retries(protocols[i], i == 0 ? check_count_whole(10000, 10000) : 50);
}

/* A state that was not stored is gone: the same value makes the same report again, and nothing can be
 * sent before it is stored. */
TEST(A69_state_makes_a_lost_report_again)
{
    CLAIM("local.once");
    for (size_t i = 0; i < COUNT(protocols); i++) {
        const scrim_local_config config = question("q", protocols[i]);
        const size_t bytes = SCRIM_LOCAL_HEADER_BYTES + scrim_local_report_bytes(&config);
        handset device;
        uint8_t first[MESSAGE], again[MESSAGE];
        device_begin(&device, i, 1000 * NAT);
        for (uint64_t period = 1; period < 20; period++) {
            CHECK_INT(scrim_local_state_prepare(device.state, BYTES, &config, period, 33),
                      SCRIM_LOCAL_OK);
            CHECK_INT(
                scrim_local_state_send(device.stored, BYTES, &config, period, again),
                SCRIM_LOCAL_E_STATE);
            CHECK_INT(scrim_local_state_send(device.state, BYTES, &config, period, first),
                      SCRIM_LOCAL_OK);
            device_restart(&device);
            device_answer(&device, &config, period, 33, again);
            CHECK_BYTES(again, first, bytes);
        }
    }
}

/* Another configuration of the same question gets no second report in a period; the next one is charged. */
TEST(state_takes_one_configuration_a_period)
{
    CLAIM("local.once");
    const scrim_local_config one = question("q", protocols[0]);
    const scrim_local_config two =
        question("q", "randomised-response values=1000 a=4 b=1");
    handset device;
    uint8_t message[MESSAGE];
    device_begin(&device, 1, 100 * NAT);
    device_answer(&device, &one, 3, 5, message);
    CHECK_INT(scrim_local_state_prepare(device.state, BYTES, &two, 3, 5),
              SCRIM_LOCAL_E_ANSWERED);
    CHECK_INT(scrim_local_state_send(device.state, BYTES, &two, 3, message),
              SCRIM_LOCAL_E_STATE);
    device_answer(&device, &two, 4, 5, message);
    CHECK_INT(scrim_local_state_send(device.state, BYTES, &one, 3, message),
              SCRIM_LOCAL_E_STATE);
    CHECK(device_account(&device).spent ==
          scrim_local_loss(&one) + scrim_local_loss(&two));
}

/* ---- the law of reports that are made of the secret ---------------------------------------- */

/* Reports of many devices: the counts of a law that is known, 2:1:1:1, within 5 standard deviations. */
SLOW_TEST(state_reports_have_their_law)
{
    const scrim_local_config config =
        question("q", "randomised-response values=4 a=2 b=1");
    const uint64_t devices = check_count_whole(5000, 50000);
    uint64_t counts[4] = {0};
    for (uint64_t i = 0; i < devices; i++) {
        handset device;
        uint8_t message[MESSAGE];
        device_begin(&device, i, 100 * NAT);
        device_answer(&device, &config, 1, 2, message);
        counts[message[SCRIM_LOCAL_HEADER_BYTES]]++;
    }
    for (size_t i = 0; i < 4; i++) {
        const double share = i == 2 ? 0.4 : 0.2, mean = share * (double)devices;
        CHECK(fabs((double)counts[i] - mean) < 5 * sqrt(mean * (1 - share)));
    }
}

/* Periods of one device are independent: a value's reports are not each other's. */
SLOW_TEST(state_periods_are_independent)
{
    const scrim_local_config config = question("q", "one-bit-mean values=2 a=2 b=1");
    handset device;
    unsigned pairs[4] = {0}, last = 0;
    device_begin(&device, 3, 10000 * NAT);
    for (uint64_t period = 1; period <= 4500; period++) {
        uint8_t message[MESSAGE];
        device_answer(&device, &config, period, 1, message);
        pairs[2 * last + message[16]]++;
        last = message[16];
    }
    /* 1 with probability 2/3: 4/9, 2/9, 2/9, 1/9 of 4500. */
    CHECK(abs((int)pairs[0] - 500) < 120 && abs((int)pairs[1] - 1000) < 160);
    CHECK(abs((int)pairs[2] - 1000) < 160 && abs((int)pairs[3] - 2000) < 190);
}

/* ---- permanent answers -------------------------------------------------------------------- */

/* A year of a value that is declared constant, and is not: reports are the first answer, for one charge. */
TEST(state_keeps_a_lasting_answer)
{
    CLAIM("local.budget");
    const scrim_local_config config =
        question("q", "rappor values=100 text=0 bits=100 hashes=0 cohorts=1 f=" HALF
                      " p=0 q=0 epoch=0");
    handset device;
    uint8_t first[MESSAGE], again[MESSAGE];
    device_begin(&device, 11, 10 * NAT);
    device_answer(&device, &config, 1, 4, first);
    for (uint64_t day = 2; day <= 365; day++) {
        device_answer(&device, &config, day, day % 100, again);
        CHECK_BYTES(again, first, 16 + scrim_local_report_bytes(&config));
        if (day % 10 == 0)
            device_restart(&device);
    }
    CHECK(device_account(&device).spent == scrim_local_loss(&config));
}

/* An answer that lasts is that of its configuration: another one about the same question is drawn, and charged, anew. */
TEST(A104_lasting_answer_is_of_its_configuration)
{
    CLAIM("local.budget");
    const scrim_local_config configs[] = {
        question("q", "rappor values=100 text=0 bits=100 hashes=0 cohorts=1 f=" HALF
                      " p=0 q=0 epoch=0"),
        question("q", "rappor values=100 text=0 bits=100 hashes=0 cohorts=1 f=1000000000"
                      " p=0 q=0 epoch=0")};
    handset device;
    uint8_t message[MESSAGE];
    uint64_t spent = 0;
    device_begin(&device, 11, 100 * NAT);
    for (uint64_t day = 1; day <= 6; day++) {
        const scrim_local_config *config = &configs[day / 2 % 2]; /* 0 1 1 0 0 1 */
        spent += day % 2 == 1 && day > 1 ? 0 : scrim_local_loss(config);
        device_answer(&device, config, day, 4, message);
        CHECK(device_account(&device).spent == spent);
        CHECK_BYTES(message + 4, config->hash, 12);
    }
}

/* Reports of a lasting answer are noisy each time, around the same bits: of 400 reports a bit that is kept
 * with probability 3/4 is right in 300 +- 50. */
TEST(state_perturbs_a_lasting_answer)
{
    const scrim_local_config config =
        question("q", "repeated-unary values=16 a=3 b=1 keep=3221225472 epoch=0");
    handset device;
    unsigned ones[16] = {0};
    device_begin(&device, 5, 10 * NAT);
    for (uint64_t day = 1; day <= 400; day++) {
        uint8_t message[MESSAGE];
        device_answer(&device, &config, day, day % 16, message);
        for (size_t i = 0; i < 16; i++)
            ones[i] += message[16 + i / 8] >> i % 8 & 1;
    }
    for (size_t i = 0; i < 16; i++)
        CHECK(abs((int)ones[i] - 300) < 50 || abs((int)ones[i] - 100) < 50);
}

/* Each period has a fresh answer, also where a value returns (A70): two answers about one value agree no more
 * often than those of two devices, which is 5/8 of the bits at f = 1/2, and the budget ends them. */
TEST(A70_state_renews_answers_and_stops)
{
    CLAIM("local.budget");
    const scrim_local_config config =
        question("q", "rappor values=200 text=0 bits=200 hashes=0 cohorts=1 f=" HALF
                      " p=0 q=0 epoch=1");
    const uint64_t loss = scrim_local_loss(&config);
    handset device;
    uint8_t last[MESSAGE] = {0}, message[MESSAGE];
    unsigned same = 0;
    device_begin(&device, 2, 100 * loss + loss / 2);
    for (uint64_t day = 1; day <= 100; day++) {
        device_answer(&device, &config, day, 7, message);
        for (size_t i = 0; day > 1 && i < 200; i++)
            same += (last[16 + i / 8] ^ message[16 + i / 8]) >> i % 8 & 1 ? 0 : 1;
        memcpy(last, message, sizeof last);
        CHECK(device_account(&device).spent == day * loss);
    }
    CHECK(abs((int)same - 99 * 200 * 5 / 8) < 5 * 69);
    for (uint64_t day = 101; day <= 365; day++) {
        CHECK_INT(scrim_local_state_prepare(device.state, BYTES, &config, day, day),
                  SCRIM_LOCAL_E_BUDGET);
        CHECK_INT(scrim_local_state_send(device.state, BYTES, &config, day, message),
                  SCRIM_LOCAL_E_STATE);
    }
    /* The last report can still be sent, and is free. */
    device_answer(&device, &config, 100, 9, message);
    CHECK_BYTES(message, last, sizeof last);
}

/* The cohort and the offset belong to the device: they stay, and differ between questions. */
TEST(state_keeps_the_cohort)
{
    static const uint8_t text[6] = "apple", other[6] = "pear";
    const char words[] = "rappor values=0 text=6 bits=64 hashes=2 cohorts=60000 f=" HALF
                         " p=0 q=0 epoch=1";
    const scrim_local_config one = question("one", words), two = question("two", words);
    handset device;
    uint8_t message[MESSAGE];
    uint64_t cohort = 0;
    device_begin(&device, 1, 1000 * NAT);
    for (uint64_t day = 1; day < 30; day++) {
        CHECK_INT(scrim_local_state_prepare_text(device.state, BYTES, &one, day,
                                                 day % 2 == 0 ? text : other),
                  SCRIM_LOCAL_OK);
        CHECK_INT(scrim_local_state_send(device.state, BYTES, &one, day, message),
                  SCRIM_LOCAL_OK);
        if (day > 1)
            CHECK_INT(device_number(message + 16, 2), cohort);
        cohort = device_number(message + 16, 2);
    }
    CHECK_INT(scrim_local_state_prepare_text(device.state, BYTES, &two, 1, text),
              SCRIM_LOCAL_OK);
    CHECK_INT(scrim_local_state_send(device.state, BYTES, &two, 1, message),
              SCRIM_LOCAL_OK);
    CHECK(device_number(message + 16, 2) != cohort);
    CHECK_INT(scrim_local_state_prepare(device.state, BYTES, &two, 2, 0),
              SCRIM_LOCAL_E_PARAM);
}

/* ---- the budget --------------------------------------------------------------------------- */

/* One budget over all questions; what does not fit changes nothing. */
TEST(state_has_one_budget)
{
    CLAIM("local.budget");
    const scrim_local_config cheap = question("cheap", "one-bit-mean values=2 a=2 b=1");
    const scrim_local_config dear = question("dear", "one-bit-mean values=2 a=100 b=1");
    const uint64_t cap = 3 * scrim_local_loss(&cheap) + scrim_local_loss(&dear);
    handset device;
    uint8_t message[MESSAGE];
    uint64_t spent, period;
    device_begin(&device, 1, cap);
    device_answer(&device, &dear, 1, 1, message);
    for (uint64_t day = 1; day <= 3; day++)
        device_answer(&device, &cheap, day, 1, message);
    CHECK(device_account(&device).spent == cap && device_account(&device).used == 2);
    CHECK_INT(scrim_local_state_prepare(device.state, BYTES, &cheap, 4, 1),
              SCRIM_LOCAL_E_BUDGET);
    CHECK_BYTES(device.state, device.stored, BYTES);
    CHECK_INT(scrim_local_state_question(device.state, BYTES, "cheap", &spent, &period),
              SCRIM_LOCAL_OK);
    CHECK(spent == 3 * scrim_local_loss(&cheap) && period == 3);
    CHECK_INT(scrim_local_state_question(device.state, BYTES, "other", &spent, &period),
              SCRIM_LOCAL_E_PARAM);
}

/* Questions beyond the places, reports beyond the room; a forgotten question makes place, its cost stays
 * and no period comes again. */
TEST(state_has_limits)
{
    handset device;
    uint8_t message[MESSAGE];
    char name[8];
    device_begin(&device, 1, 1000 * NAT);
    for (int i = 0; i <= QUESTIONS; i++) {
        snprintf(name, sizeof name, "q%d", i);
        const scrim_local_config config = question(name, "one-bit-mean values=2 a=2 b=1");
        CHECK_INT(scrim_local_state_prepare(device.state, BYTES, &config, 9, 1),
                  i < QUESTIONS ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_LIMIT);
    }
    const uint64_t spent = device_account(&device).spent;
    CHECK_INT(scrim_local_state_forget(device.state, BYTES, "q1"), SCRIM_LOCAL_OK);
    CHECK_INT(scrim_local_state_forget(device.state, BYTES, "q1"), SCRIM_LOCAL_E_PARAM);
    CHECK(device_account(&device).spent == spent && device_account(&device).used == 3);
    const scrim_local_config again = question("q1", "one-bit-mean values=2 a=2 b=1");
    CHECK_INT(scrim_local_state_prepare(device.state, BYTES, &again, 9, 1),
              SCRIM_LOCAL_E_PERIOD);
    device_answer(&device, &again, 10, 1, message);
    const scrim_local_config wide =
        question("q2", "rappor values=300 text=0 bits=300 hashes=0 cohorts=1 f=" HALF
                       " p=0 q=0 epoch=1");
    CHECK_INT(scrim_local_state_prepare(device.state, BYTES, &wide, 10, 1),
              SCRIM_LOCAL_E_LIMIT);
}

/* A charge may be the largest one itself, and no part more. */
TEST(state_takes_the_largest_charge)
{
    uint8_t state[BYTES];
    const scrim_local_config config = question("q", "one-bit-mean values=2 a=2 b=1");
    const uint64_t loss = scrim_local_loss(&config);
    for (uint64_t short_of = 0; short_of < 2; short_of++) {
        uint64_t seed = 1;
        const scrim_local_source source = device_seeded(&seed);
        CHECK_INT(scrim_local_state_init(state, BYTES, QUESTIONS, ROOM, loss,
                                         loss - short_of, &source),
                  SCRIM_LOCAL_OK);
        CHECK_INT(scrim_local_state_prepare(state, BYTES, &config, 1, 1),
                  short_of == 0 ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_POLICY);
    }
}

/* ---- which question, and absent values ----------------------------------------------------- */

SLOW_TEST(state_chooses_one_of_many)
{
    unsigned counts[5] = {0};
    handset device;
    device_begin(&device, 1, 10 * NAT);
    for (uint64_t period = 0; period < 5000; period++) {
        uint32_t chosen = 9, again = 9;
        CHECK_INT(scrim_local_state_choose(device.state, BYTES, period, 5, &chosen),
                  SCRIM_LOCAL_OK);
        CHECK_INT(scrim_local_state_choose(device.state, BYTES, period, 5, &again),
                  SCRIM_LOCAL_OK);
        REQUIRE(chosen < 5 && chosen == again);
        counts[chosen]++;
    }
    for (size_t i = 0; i < 5; i++)
        CHECK(abs((int)counts[i] - 1000) < 150);
    CHECK_INT(scrim_local_state_choose(device.state, BYTES, 1, 0, NULL),
              SCRIM_LOCAL_E_PARAM);
}

/* Each of five turns has a fifth of 3,000 devices, and each device one in five periods, always the same. */
TEST(state_takes_turns)
{
    enum { EVERY = 5, DEVICES = 3000 };
    unsigned counts[EVERY] = {0};
    int is_turn = 2;
    for (uint64_t i = 0; i < DEVICES; i++) {
        handset device;
        device_begin(&device, i, 10 * NAT);
        unsigned turns = 0;
        for (uint64_t period = 0; period < EVERY; period++) {
            int again = 2;
            CHECK_INT(
                scrim_local_state_turn(device.state, BYTES, period, EVERY, &is_turn),
                SCRIM_LOCAL_OK);
            CHECK_INT(scrim_local_state_turn(device.state, BYTES,
                                             period + EVERY * (i + 1), EVERY, &again),
                      SCRIM_LOCAL_OK);
            CHECK_INT(is_turn, again);
            turns += (unsigned)is_turn;
            counts[period] += (unsigned)is_turn;
        }
        CHECK_INT(turns, 1);
    }
    /* 4 deviations of 3000 draws with probability 1/5: a false alarm of 1 in 3,000 */
    for (size_t i = 0; i < EVERY; i++)
        CHECK(abs((int)counts[i] - DEVICES / EVERY) < 88);
    handset device;
    device_begin(&device, 1, 10 * NAT);
    CHECK_INT(scrim_local_state_turn(device.state, BYTES, 1, 0, &is_turn),
              SCRIM_LOCAL_E_PARAM);
    device.state[BYTES - 1] ^= 1;
    CHECK_INT(scrim_local_state_turn(device.state, BYTES, 1, 2, &is_turn),
              SCRIM_LOCAL_E_SYNTAX);
}

/* A clock that was wrong once ends a question until then, and forgetting it ends all new ones; another name does not. */
TEST(state_goes_on_under_another_name)
{
    const scrim_local_config config = question("version", protocols[0]);
    const scrim_local_config renamed = question("version.2", protocols[0]);
    handset device;
    uint8_t message[MESSAGE];
    device_begin(&device, 1, 100 * NAT);
    device_answer(&device, &config, 90000, 1, message);
    CHECK_INT(scrim_local_state_prepare(device.state, BYTES, &config, 20410, 1),
              SCRIM_LOCAL_E_PERIOD);
    device_answer(&device, &renamed, 20410, 1, message);
    CHECK_INT(scrim_local_state_forget(device.state, BYTES, "version"), SCRIM_LOCAL_OK);
    const scrim_local_config third = question("version.3", protocols[0]);
    CHECK_INT(scrim_local_state_prepare(device.state, BYTES, &third, 20411, 1),
              SCRIM_LOCAL_E_PERIOD);
    device_answer(&device, &renamed, 20411, 1, message);
}

/* Absent values send reports of the same length, at the same times and for the same charge (A70): of
 * numbers those of a uniform one, whose mean is m/2. */
TEST(A70_state_covers_absent_values)
{
    CLAIM("local.length");
    const scrim_local_config config =
        question("q", "one-bit-mean values=11 a=400000000 b=1");
    const scrim_local_config values =
        question("v", "randomised-response values=9 a=400000000 b=1");
    unsigned ones = 0;
    handset device;
    device_begin(&device, 1, (uint64_t)100000 * NAT);
    for (uint64_t day = 1; day <= 2000; day++) {
        uint8_t message[MESSAGE];
        device_answer(&device, &config, day, SCRIM_LOCAL_ABSENT, message);
        ones += message[16];
        CHECK(device_account(&device).spent == day * scrim_local_loss(&config));
    }
    CHECK(abs((int)ones - 1000) < 120);
    device_restart(&device);
    uint8_t message[MESSAGE];
    device_answer(&device, &values, 1, SCRIM_LOCAL_ABSENT, message);
    CHECK_INT(message[16], 8);
}

/* ---- bytes -------------------------------------------------------------------------------- */

/* A byte that is changed, lost or added is found; so is another version. */
TEST(state_bytes_are_checked)
{
    const scrim_local_config config = question("q", protocols[0]);
    handset device;
    uint8_t message[MESSAGE], longer[BYTES + 1];
    scrim_local_account account;
    device_begin(&device, 1, 100 * NAT);
    device_answer(&device, &config, 1, 1, message);
    for (size_t i = 0; i < BYTES; i++) {
        device_restart(&device);
        device.state[i] ^= (uint8_t)(1u << i % 8);
        CHECK_INT(scrim_local_state_read(device.state, BYTES, &account),
                  SCRIM_LOCAL_E_SYNTAX);
        CHECK_INT(scrim_local_state_prepare(device.state, BYTES, &config, 2, 1),
                  SCRIM_LOCAL_E_SYNTAX);
        CHECK_INT(scrim_local_state_send(device.state, BYTES, &config, 1, message),
                  SCRIM_LOCAL_E_SYNTAX);
    }
    for (size_t i = 0; i < BYTES; i++)
        CHECK_INT(scrim_local_state_read(device.stored, i, &account),
                  SCRIM_LOCAL_E_SYNTAX);
    memcpy(longer, device.stored, BYTES);
    longer[BYTES] = 0;
    CHECK_INT(scrim_local_state_read(longer, sizeof longer, &account),
              SCRIM_LOCAL_E_SYNTAX);
}

/* No secret, no state. */
TEST(state_needs_a_secret)
{
    device_tape tape = {NULL, 0, 0};
    const scrim_local_source source = device_tape_source(&tape);
    uint8_t state[BYTES];
    scrim_local_account account;
    CHECK_INT(scrim_local_state_init(state, BYTES, QUESTIONS, ROOM, NAT, NAT, &source),
              SCRIM_LOCAL_E_ENTROPY);
    CHECK_INT(scrim_local_state_read(state, BYTES, &account), SCRIM_LOCAL_E_SYNTAX);
    CHECK_INT(
        scrim_local_state_init(state, BYTES - 1, QUESTIONS, ROOM, NAT, NAT, &source),
        SCRIM_LOCAL_E_PARAM);
    CHECK_INT(scrim_local_state_init(state, BYTES, 0, ROOM, NAT, NAT, &source),
              SCRIM_LOCAL_E_LIMIT);
    CHECK_INT(scrim_local_state_bytes(5000, 8), 0);
    CHECK_INT(scrim_local_state_bytes(1, (uint32_t)1 << 19), 0);
}

/* ---- the bytes of version 1 ---------------------------------------------------------------- */

static int numbered_fill(void *context, void *out, size_t bytes)
{
    uint8_t *to = out;
    (void)context;
    for (size_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(17 * i + 3);
    return 0;
}

/* The state of a known secret and two questions, as it was written when version 1 began: it is read, and the
 * same bytes are made again, for ever. */
TEST(state_bytes_stay_those_of_their_version)
{
    static uint8_t state[512], kept[512];
    const scrim_local_source source = {numbered_fill, NULL};
    const size_t bytes = scrim_local_state_bytes(2, 8);
    const scrim_local_config one =
        question("q", "randomised-response values=1000 a=3 b=1");
    const scrim_local_config two =
        question("r", "rappor values=40 text=0 bits=40 hashes=0 cohorts=1 f=" HALF
                      " p=0 q=0 epoch=0");
    FILE *file = fopen("tests/fuzz/corpus/local_state/lasting", "rb");
    REQUIRE(file != NULL);
    const size_t length = fread(kept, 1, sizeof kept, file);
    fclose(file);
    CHECK_INT(length, bytes);
    CHECK_INT(scrim_local_state_init(state, bytes, 2, 8, 10 * NAT, 3 * NAT, &source),
              SCRIM_LOCAL_OK);
    CHECK_INT(scrim_local_state_prepare(state, bytes, &one, 5, 7), SCRIM_LOCAL_OK);
    CHECK_INT(scrim_local_state_prepare(state, bytes, &two, 6, 7), SCRIM_LOCAL_OK);
    CHECK_BYTES(state, kept, bytes);
}

/* The cohort is no part of the state, but a function of its secret; here computed by another implementation.
 * New firmware must find the same one. */
TEST(state_cohort_stays_that_of_its_version)
{
    static uint8_t state[512];
    uint8_t message[SCRIM_LOCAL_HEADER_BYTES + 8];
    const scrim_local_source source = {numbered_fill, NULL};
    const size_t bytes = scrim_local_state_bytes(2, 8);
    const scrim_local_config config =
        question("r", "rappor values=0 text=4 bits=8 hashes=1 cohorts=65536 f=" HALF
                      " p=0 q=0 epoch=1");
    CHECK_INT(scrim_local_state_init(state, bytes, 2, 8, 10 * NAT, 3 * NAT, &source),
              SCRIM_LOCAL_OK);
    CHECK_INT(
        scrim_local_state_prepare_text(state, bytes, &config, 6, (const uint8_t *)"abcd"),
        SCRIM_LOCAL_OK);
    CHECK_INT(scrim_local_state_send(state, bytes, &config, 6, message), SCRIM_LOCAL_OK);
    const uint8_t *report = message + SCRIM_LOCAL_HEADER_BYTES;
    CHECK_INT(report[0] + 256 * report[1], 40376);
}

TEST(state_bytes_are_a_constant_too)
{
    static const uint32_t rooms[] = {1, 8, 17, 200};
    for (uint32_t questions = 1; questions < 9; questions++)
        for (size_t i = 0; i < COUNT(rooms); i++)
            CHECK_INT(SCRIM_LOCAL_STATE_BYTES(questions, rooms[i]),
                      scrim_local_state_bytes(questions, rooms[i]));
    static uint8_t state[SCRIM_LOCAL_STATE_BYTES(2, 8)];
    CHECK_INT(sizeof state, 280);
    CHECK_STR(scrim_local_status_name(SCRIM_LOCAL_OK), "ok");
    CHECK_STR(scrim_local_status_name(SCRIM_LOCAL_E_BUDGET), "budget");
    CHECK_STR(scrim_local_status_name((scrim_local_status)99), "unknown");
}
