#include "base/reserve.h"
#include "check.h"
#include "faults.h"
#include "ledger/ledger_tape.h"
#include "ledger/run.h"
#include "random/bits_tape.h"
#include "random/private_pages.h"
#include "system_calls.h"
#include "wiping.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ABOVE                                                                            \
    "above-threshold epsilon=1/2 sensitivity=1 threshold=100 neighbours=add-remove"
#define NUMERIC                                                                          \
    "sparse-vector epsilon=1 sensitivity=1 threshold=100 count=3 numeric=yes "           \
    "neighbours=add-remove"

static scrim_ledger *new_ledger(const char *epsilon)
{
    scrim_ledger *ledger = NULL;
    CHECK_STATUS(scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                                .neighbours = SCRIM_ADD_REMOVE,
                                                .epsilon = epsilon),
                                  &ledger, NULL),
                 SCRIM_OK);
    return ledger;
}

static scrim_measurement *new_measurement(const char *line)
{
    scrim_measurement *m = NULL;
    CHECK_STATUS(scrim_measurement_parse(line, &m, NULL), SCRIM_OK);
    return m;
}

static void check_spent(scrim_ledger *ledger, const char *epsilon)
{
    scrim_cost spent;
    CHECK_STATUS(scrim_ledger_spent(ledger, &spent, NULL), SCRIM_OK);
    CHECK_STR(spent.epsilon, epsilon);
}

/* The last line of the ledger. */
static void check_entry(scrim_ledger *ledger, scrim_entry_state state, const char *answer)
{
    scrim_entry entry;
    REQUIRE_OK(scrim_ledger_entry(ledger, scrim_ledger_count(ledger) - 1, &entry, NULL));
    CHECK_INT(entry.state, state);
    if (answer != NULL)
        CHECK_STR(entry.answer, answer);
}

/* Everything a test needs; wiping is simulated where the kernel lacks it, but for the tests
 * about it. */
typedef struct stage {
    scrim_ledger *ledger;
    scrim_measurement *m;
    scrim_run *run;
} stage;

static bool stage_open(stage *s, const char *line)
{
    if (!wiping_works())
        system_call.madvise = wiping_pretended;
    *s = (stage){new_ledger("10"), new_measurement(line), NULL};
    return s->ledger != NULL && s->m != NULL &&
           CHECK_STATUS(scrim_run_open(s->ledger, s->m, &s->run, NULL), SCRIM_OK);
}

static void stage_close(stage *s)
{
    scrim_run_close(s->run);
    scrim_measurement_free(s->m);
    scrim_ledger_free(s->ledger);
}

TEST(run_is_charged_whole_when_it_opens)
{
    CLAIM("run.charged-whole");
    stage s;
    REQUIRE(stage_open(&s, ABOVE));
    check_spent(s.ledger, "0.5");
    check_entry(s.ledger, SCRIM_ENTRY_CHARGED, "");
    CHECK_STR(scrim_run_cost(s.run)->epsilon, "0.5");
    CHECK_INT((int)scrim_run_entry(s.run), 1);
    /* left unasked, the charge stays and nothing was released */
    scrim_run_close(s.run);
    s.run = NULL;
    check_spent(s.ledger, "0.5");
    check_entry(s.ledger, SCRIM_ENTRY_CHARGED, "");
    stage_close(&s);
}

/* No theorem covers a run that stands open between concentrated charges and parts with a delta;
 * without a delta there are no such parts. */
TEST(run_is_refused_among_concentrated_charges_and_parts_with_a_delta)
{
    CLAIM("run.charged-whole");
    static const struct {
        const char *delta;
        scrim_status status;
    } list[] = {{"0", SCRIM_OK}, {"1e-9", SCRIM_E_POLICY}};
    scrim_measurement *m = new_measurement(ABOVE);
    for (size_t i = 0; i < 2; i++) {
        scrim_ledger *ledger = NULL;
        scrim_run *run = NULL;
        REQUIRE_OK(scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                                  .neighbours = SCRIM_ADD_REMOVE,
                                                  .rho = "1", .delta = list[i].delta),
                                    &ledger, NULL));
        CHECK_STATUS(scrim_run_open(ledger, m, &run, NULL), list[i].status);
        CHECK_INT((int)scrim_ledger_count(ledger), list[i].status == SCRIM_OK);
        scrim_run_close(run);
        scrim_ledger_free(ledger);
    }
    scrim_measurement_free(m);
}

TEST(run_answers_until_it_halts)
{
    CLAIM("run.halts");
    stage s;
    scrim_run_answer answer;
    scrim_error error;
    REQUIRE(stage_open(&s, ABOVE));
    for (int i = 0; i < 1000; i++) {
        REQUIRE_OK(scrim_run_ask(s.run, -1000000, &answer, &error));
        CHECK(answer.kind == SCRIM_ANSWER_BELOW && !answer.has_halted);
        CHECK(answer.value.low == 0 && answer.value.high == 0);
    }
    CHECK(!scrim_run_has_halted(s.run));
    REQUIRE_OK(scrim_run_ask(s.run, 1000000, &answer, &error));
    CHECK(answer.kind == SCRIM_ANSWER_ABOVE && answer.has_halted);
    CHECK(answer.value.low == 0 && answer.value.high == 0);
    CHECK(scrim_run_has_halted(s.run));
    check_entry(s.ledger, SCRIM_ENTRY_RELEASED, "asked=1001 above=1001 halted");
    for (int i = 0; i < 3; i++) {
        memset(&answer, 0x5a, sizeof answer);
        CHECK_STATUS(scrim_run_ask(s.run, 1000000, &answer, &error), SCRIM_E_STATE);
        CHECK_INT(answer.has_halted, 0x5a5a5a5a);
    }
    check_spent(s.ledger, "0.5");
    stage_close(&s);
}

TEST(run_shows_values_with_noise_of_their_own)
{
    stage s;
    scrim_run_answer answer;
    char text[SCRIM_WIDE_BYTES], line[160];
    int64_t shown[2];
    REQUIRE(stage_open(&s, NUMERIC));
    for (int i = 0; i < 2; i++) {
        REQUIRE_OK(scrim_run_ask(s.run, -1000000, &answer, NULL));
        REQUIRE_OK(scrim_run_ask(s.run, 1000000, &answer, NULL));
        CHECK_INT(answer.kind, SCRIM_ANSWER_ABOVE_VALUE);
        shown[i] = (int64_t)answer.value.low;
        CHECK(answer.value.high == 0 && shown[i] > 900000 && shown[i] < 1100000);
        (void)scrim_wide_format(answer.value, text);
        CHECK_INT(strtoll(text, NULL, 10), shown[i]);
    }
    /* closed before it has halted: the ledger hears what was answered */
    scrim_run_close(s.run);
    s.run = NULL;
    (void)snprintf(line, sizeof line, "asked=4 above=2=%lld,4=%lld", (long long)shown[0],
                   (long long)shown[1]);
    check_entry(s.ledger, SCRIM_ENTRY_RELEASED, line);
    stage_close(&s);
}

/* Texts are read as those of a release, and values are shown in the unit of the input. */
TEST(run_takes_queries_as_text)
{
    CLAIM("run.halts");
    static const struct {
        const char *query;
        bool is_above;
    } list[] = {{"1000000", true}, {"-1e6", false}, {" 2e6 ", true}, {"nobody", false},
                {"", false},       {"-inf", false}, {"inf", true}};
    stage s;
    scrim_run_answer answer = {.has_halted = 0};
    char text[SCRIM_ANSWER_BYTES], digits[SCRIM_WIDE_BYTES];
    REQUIRE(stage_open(&s, NUMERIC));
    for (size_t i = 0; i < COUNT(list); i++) {
        REQUIRE_OK(scrim_run_ask_text(s.run, list[i].query, &answer, NULL));
        CHECK((answer.kind == SCRIM_ANSWER_ABOVE_VALUE) == list[i].is_above);
        scrim_run_value(s.run, &answer, text);
        (void)scrim_wide_format(answer.value, digits);
        CHECK_STR(text, list[i].is_above ? digits : "");
    }
    CHECK(answer.has_halted);
    CHECK_STATUS(scrim_run_ask_text(s.run, "1", &answer, NULL), SCRIM_E_STATE);
    stage_close(&s);
}

TEST(run_takes_any_query)
{
    stage s;
    scrim_run_answer answer;
    static const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, INT64_MAX - 1, INT64_MAX};
    REQUIRE(stage_open(&s, "sparse-vector epsilon=1 sensitivity=1 threshold=0 count=50 "
                           "neighbours=add-remove"));
    for (int i = 0; i < 40; i++) {
        REQUIRE_OK(scrim_run_ask(s.run, ends[i % 4], &answer, NULL));
        CHECK_INT(answer.kind, i % 4 < 2 ? SCRIM_ANSWER_BELOW : SCRIM_ANSWER_ABOVE);
    }
    stage_close(&s);
}

TEST(run_that_does_not_fit_the_budget_draws_nothing)
{
    CLAIM("run.charged-whole");
    scrim_ledger *ledger = new_ledger("0.4");
    scrim_measurement *m = new_measurement(ABOVE);
    scrim_run *run = NULL;
    sc_tape *tape = NULL;
    REQUIRE(ledger != NULL && m != NULL);
    system_call.madvise = wiping_pretended;
    REQUIRE_OK(sc_tape_seeded(1, &tape, NULL));
    sc_ledger_use_bits(ledger, sc_tape_bits_of(tape));
    CHECK_STATUS(scrim_run_open(ledger, m, &run, NULL), SCRIM_E_BUDGET);
    CHECK(run == NULL);
    CHECK_INT((int)sc_tape_words_used(tape), 0);
    CHECK_INT((int)scrim_ledger_count(ledger), 0);
    sc_tape_free(tape);
    scrim_measurement_free(m);
    scrim_ledger_free(ledger);
}

TEST(run_without_entropy_stays_charged)
{
    CLAIM("run.charged-whole");
    scrim_ledger *ledger = new_ledger("1");
    scrim_measurement *m = new_measurement(ABOVE);
    scrim_run *run = NULL;
    scrim_run_answer answer = {.has_halted = 77};
    uint64_t words[40];
    sc_tape *tape = NULL;
    REQUIRE(ledger != NULL && m != NULL);
    system_call.madvise = wiping_pretended;
    /* none at all */
    REQUIRE_OK(sc_tape_words(words, 0, &tape, NULL));
    sc_ledger_use_bits(ledger, sc_tape_bits_of(tape));
    CHECK_STATUS(scrim_run_open(ledger, m, &run, NULL), SCRIM_E_ENTROPY);
    CHECK(run == NULL);
    check_spent(ledger, "0.5");
    check_entry(ledger, SCRIM_ENTRY_CHARGED, "");
    sc_tape_free(tape);
    /* enough to open, and for some queries */
    for (size_t i = 0; i < 40; i++)
        words[i] = (i + 1) * 0x9e3779b97f4a7c15;
    REQUIRE_OK(sc_tape_words(words, 40, &tape, NULL));
    sc_ledger_use_bits(ledger, sc_tape_bits_of(tape));
    REQUIRE_OK(scrim_run_open(ledger, m, &run, NULL));
    scrim_status status = SCRIM_OK;
    for (int i = 0; status == SCRIM_OK && i < 1000; i++)
        status = scrim_run_ask(run, -1000000, &answer, NULL);
    CHECK_STATUS(status, SCRIM_E_ENTROPY);
    CHECK(!scrim_run_has_halted(run));
    check_spent(ledger, "1");
    scrim_run_close(run);
    check_spent(ledger, "1");
    sc_tape_free(tape);
    scrim_measurement_free(m);
    scrim_ledger_free(ledger);
}

TEST(run_is_refused_what_is_not_interactive)
{
    scrim_ledger *ledger = new_ledger("1");
    scrim_measurement *noise = new_measurement(
                          "laplace epsilon=1 sensitivity=1 neighbours=add-remove"),
                      *model = NULL;
    scrim_run *run = NULL;
    REQUIRE(ledger != NULL && noise != NULL);
    REQUIRE_OK(scrim_measurement_parse_model("above-threshold epsilon=1", &model, NULL));
    CHECK_STATUS(scrim_run_open(ledger, noise, &run, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_run_open(ledger, model, &run, NULL), SCRIM_E_PARAM);
    CHECK_INT((int)scrim_ledger_count(ledger), 0);
    scrim_run_close(NULL);
    scrim_measurement_free(model);
    scrim_measurement_free(noise);
    scrim_ledger_free(ledger);
}

/* Copies. */

/* The refusals that a process gets which did not open the run: a number for each thing that is wrong. */
static int refused(scrim_run *run)
{
    scrim_run_answer answer = {.has_halted = 77};
    scrim_error error = {.status = SCRIM_OK};
    int wrong = 0;
    for (int i = 0; i < 3; i++)
        wrong += scrim_run_ask(run, 1000000, &answer, &error) != SCRIM_E_STATE;
    wrong += answer.has_halted != 77;
    wrong += strstr(error.message, "another process") == NULL;
    scrim_run_close(run);
    return wrong;
}

static pid_t by_fork(scrim_run *run)
{
    pid_t child = fork();
    if (child == 0)
        _exit(refused(run));
    return child;
}

static pid_t by_clone(scrim_run *run)
{
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        _exit(refused(run));
    return child;
}

static pid_t by_two_forks(scrim_run *run)
{
    pid_t child = fork();
    if (child == 0) {
        int status = 1;
        pid_t grandchild = by_fork(run);
        _exit(grandchild > 0 && waitpid(grandchild, &status, 0) == grandchild ? status
                                                                              : 1);
    }
    return child;
}

TEST(run_is_refused_in_a_child)
{
    CLAIM("run.fork");
    static pid_t (*const ways[])(scrim_run *) = {by_fork, by_clone, by_two_forks};
    stage s;
    scrim_run_answer answer;
    if (!wiping_works())
        SKIP("this kernel wipes no pages in a child");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        REQUIRE(stage_open(&s, ABOVE));
        REQUIRE_OK(scrim_run_ask(s.run, -1000000, &answer, NULL));
        int status = -1;
        pid_t child = ways[i](s.run);
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        CHECK_INT(status, 0);
        /* here it goes on */
        REQUIRE_OK(scrim_run_ask(s.run, 1000000, &answer, NULL));
        CHECK(answer.kind == SCRIM_ANSWER_ABOVE && answer.has_halted);
        stage_close(&s);
    }
}

/* The verdict of this test on a run that a fork copies. */
TEST(run_that_a_fork_copies_is_seen_to_answer_there)
{
    stage s;
    int status = -1;
    system_call.madvise = wiping_pretended;
    REQUIRE(stage_open(&s, ABOVE));
    pid_t child = by_fork(s.run);
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(status != 0);
    stage_close(&s);
}

static int refusing_madvise(void *address, size_t bytes, int advice)
{
    (void)address, (void)bytes, (void)advice;
    errno = EINVAL;
    return -1;
}

TEST(run_is_not_opened_where_a_fork_would_copy_it)
{
    CLAIM("run.fork");
    scrim_ledger *ledger = new_ledger("1");
    scrim_measurement *m = new_measurement(ABOVE);
    scrim_run *run = NULL;
    REQUIRE(ledger != NULL && m != NULL);
    system_call.madvise = refusing_madvise;
    CHECK_STATUS(scrim_run_open(ledger, m, &run, NULL), SCRIM_E_POLICY);
    CHECK_INT((int)scrim_ledger_count(ledger), 0);
    scrim_measurement_free(m);
    scrim_ledger_free(ledger);
}

/* Secrets. The run's pages are the first of its size that are asked about. */
static unsigned char *pages;
static size_t pages_bytes;
static bool were_zero;

static int watching_madvise(void *address, size_t bytes, int advice)
{
    if (bytes < 16384 && advice == -1) {
        pages = address;
        pages_bytes = bytes;
    }
    return wiping_pretended(address, bytes, advice);
}

static size_t nonzero_bytes(const unsigned char *memory, size_t bytes)
{
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += memory[i] != 0;
    return count;
}

static int watching_munmap(void *address, size_t bytes)
{
    if (address == pages)
        were_zero = nonzero_bytes(address, bytes) == 0;
    return system_real.munmap(address, bytes);
}

TEST(run_wipes_its_secrets_when_it_halts_and_when_it_is_closed)
{
    CLAIM("run.wiped");
    scrim_run_answer answer;
    for (int halts = 0; halts < 2; halts++) {
        stage s = {new_ledger("10"), new_measurement(ABOVE), NULL};
        system_call.madvise = watching_madvise;
        system_call.munmap = watching_munmap;
        pages = NULL;
        were_zero = false;
        REQUIRE_OK(scrim_run_open(s.ledger, s.m, &s.run, NULL));
        REQUIRE(pages != NULL);
        CHECK(nonzero_bytes(pages, pages_bytes) > 10);
        REQUIRE_OK(scrim_run_ask(s.run, halts ? 1000000 : -1000000, &answer, NULL));
        CHECK_INT(answer.has_halted, halts);
        /* one byte says in which process it was opened */
        if (halts)
            CHECK_INT((int)nonzero_bytes(pages, pages_bytes), 1);
        stage_close(&s);
        CHECK(were_zero);
    }
}

TEST(run_survives_a_lack_of_memory)
{
    scrim_measurement *m = new_measurement(NUMERIC);
    REQUIRE(m != NULL);
    if (!wiping_works())
        system_call.madvise = wiping_pretended;
    FAULT_LOOP(fault)
    {
        scrim_ledger *ledger = NULL;
        scrim_run *run = NULL;
        scrim_run_answer answer = {.has_halted = 0};
        scrim_status status = scrim_ledger_new(
            SCRIM_OPTIONS(scrim_ledger_options, .neighbours = SCRIM_ADD_REMOVE,
                          .epsilon = "1"),
            &ledger, NULL);
        if (status == SCRIM_OK)
            status = scrim_run_open(ledger, m, &run, NULL);
        for (int i = 0; status == SCRIM_OK && i < 3; i++)
            status = scrim_run_ask(run, 1000000, &answer, NULL);
        /* libcrypto's want of memory is a want of entropy */
        CHECK(status == SCRIM_OK ||
              (fault_hit() && (status == SCRIM_E_MEMORY || status == SCRIM_E_ENTROPY)));
        /* an answer that could not be recorded is not shown, and the run is over */
        if (status == SCRIM_OK)
            CHECK(answer.has_halted);
        else if (run != NULL && scrim_run_has_halted(run))
            CHECK_STATUS(scrim_run_ask(run, 0, &answer, NULL), SCRIM_E_STATE);
        scrim_run_close(run);
        scrim_ledger_free(ledger);
    }
    scrim_measurement_free(m);
}

TEST(A103_no_run_is_charged_without_memory_for_numbers)
{
    CLAIM("reserve.memory");
    scrim_ledger *ledger = new_ledger("1/2");
    scrim_measurement *m = new_measurement(ABOVE);
    scrim_run *run = NULL;
    void *half = sc_reserve_take(SC_RESERVE_BYTES / 2);
    REQUIRE(ledger != NULL && m != NULL && half != NULL && !sc_reserve_is_low());
    CHECK_STATUS(scrim_run_open(ledger, m, &run, NULL), SCRIM_E_MEMORY);
    CHECK(sc_reserve_give(half));
    CHECK_STATUS(scrim_run_open(ledger, m, &run, NULL), SCRIM_OK);
    scrim_run_close(run);
    scrim_measurement_free(m);
    scrim_ledger_free(ledger);
}
