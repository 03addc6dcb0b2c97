/* Nothing of a private input stays in memory that the gate gives back, and nothing of a key. */
#include "base/memory.h"
#include "check.h"
#include "ledger/ledger_tape.h"
#include "ledger/release.h"
#include "random/bits_tape.h"
#include "remains.h"
#include "sanitized.h"

#include <stdalign.h>
#include <string.h>

#define VALUES 2

/* Two private numbers: next to each other, their bytes are the secret. */
static const int64_t numbers[VALUES] = {3141592653589793, 2718281828459045};

static scrim_ledger *ledger_new(void)
{
    scrim_ledger *ledger = NULL;
    CHECK_STATUS(
        scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options, .neighbours = SCRIM_REPLACE,
                                       .epsilon = "10", .delta = "1/2"),
                         &ledger, NULL),
        SCRIM_OK);
    return ledger;
}

/* Releases an input, and looks for two numbers in what is freed. */
static void check_secret(const char *line, const scrim_input *input,
                         const int64_t secrets[VALUES], bool is_failing)
{
    scrim_measurement *m = NULL;
    scrim_answer *answer = NULL;
    sc_tape *tape = NULL;
    masked secret;
    masked_set(&secret, secrets);
    REQUIRE_OK(scrim_measurement_parse(line, &m, NULL));
    scrim_ledger *ledger = ledger_new();
    REQUIRE_OK(sc_tape_words(&(uint64_t){0}, 0, &tape, NULL));
    if (is_failing)
        sc_ledger_use_bits(ledger, sc_tape_bits_of(tape));
    freed_watch(&secret);
    const scrim_status status = scrim_release(ledger, m, input, &answer, NULL);
    CHECK_INT(freed_remains(), 0);
    CHECK_STATUS(status, is_failing ? SCRIM_E_ENTROPY : SCRIM_OK);
    scrim_answer_free(answer);
    scrim_ledger_free(ledger);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

static void check_release(const char *line, const scrim_input *input, bool is_failing)
{
    check_secret(line, input, numbers, is_failing);
}

TEST(freed_memory_is_looked_at)
{
    int64_t *memory = sc_allocate(VALUES, sizeof *memory);
    masked secret;
    masked_set(&secret, numbers);
    REQUIRE(memory != NULL);
    memcpy(memory, numbers, sizeof numbers);
    __asm__ volatile("" : : "r"(memory) : "memory"); /* or nothing would be stored */
    freed_watch(&secret);
    sc_free(memory);
    CHECK_INT(freed_remains(), 1);
}

/* Leaves the numbers in its frame. */
static void forget_to_wipe(void *context)
{
    int64_t copy[VALUES];
    (void)context;
    memcpy(copy, numbers, sizeof copy);
    __asm__ volatile("" : : "r"(copy) : "memory");
}

TEST(stacks_are_looked_at)
{
    if (IS_RACE_WATCHED)
        SKIP("the thread sanitizer writes over what a thread leaves on its stack");
    masked secret;
    masked_set(&secret, numbers);
    remains_run(forget_to_wipe, NULL);
    CHECK_INT(stack_remains(&secret), 1);
}

TEST(release_wipes_its_input)
{
    CLAIM("release.wiped");
    static const double reals[VALUES] = {3141592653589793, 2718281828459045};
    static const char *const texts[VALUES] = {"3141592653589793", "2718281828459045"};
    const char *whole = "laplace sensitivity=1 epsilon=1 whole=yes neighbours=replace",
               *grid = "laplace sensitivity=1 epsilon=1 grid=1 size=2 neighbours=replace",
               *scores = "permute-and-flip sensitivity=1 epsilon=1 neighbours=replace";
    for (int is_failing = 0; is_failing < 2; is_failing++) {
        check_release(whole, &(scrim_input){.integers = numbers, .count = VALUES},
                      is_failing);
        check_release(whole, &(scrim_input){.texts = texts, .count = VALUES}, is_failing);
        check_release(grid, &(scrim_input){.reals = reals, .count = VALUES}, is_failing);
        check_release(scores, &(scrim_input){.integers = numbers, .count = VALUES},
                      is_failing);
    }
}

/* Copies that mechanisms make: distances from guesses, the values of kept keys. */
TEST(release_wipes_what_a_mechanism_copies)
{
    CLAIM("release.wiped");
    static const char *const lines[] = {
        "guess-and-check epsilon=1 sensitivity=1 threshold=3 count=2 guesses=0 "
        "neighbours=replace",
        "stabilise sensitivity=1 epsilon=1 threshold=9 whole=yes neighbours=replace then "
        "laplace sensitivity=1 epsilon=1 whole=yes"};
    for (size_t i = 0; i < 2 * COUNT(lines); i++)
        check_release(lines[i / 2], &(scrim_input){.integers = numbers, .count = VALUES},
                      i % 2);
}

/* Three items in pairs: how many rows have the first two of them. */
TEST(release_wipes_its_counts_of_sets)
{
    CLAIM("release.wiped");
    enum { ROWS = 37 + 41 + 5 };
    static const int64_t counts[VALUES] = {37, 41};
    int64_t rows[2 * ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        rows[2 * i] = i < 37 + 41 ? 1 : 2;
        rows[2 * i + 1] = i < 37 ? 2 : 3;
    }
    check_secret("frequent-sets epsilon=9 delta=0.1 length=2 items=2 size=2 frequent=1 "
                 "neighbours=replace",
                 &(scrim_input){.integers = rows, .count = (size_t)2 * ROWS}, counts,
                 false);
    check_secret("item-sets epsilon=9 delta=0.1 length=2 items=2 size=2 "
                 "neighbours=replace",
                 &(scrim_input){.integers = rows, .count = (size_t)2 * ROWS}, counts,
                 false);
}

/* Draws a number from the same bits each time; the answer has a copy of what was drawn. */
static int64_t draw_seeded(const scrim_measurement *m, const masked *secret,
                           size_t *remains)
{
    scrim_answer *answer = NULL;
    sc_tape *tape = NULL;
    int64_t drawn = 0;
    scrim_ledger *ledger = ledger_new();
    CHECK_STATUS(sc_tape_seeded(7, &tape, NULL), SCRIM_OK);
    sc_ledger_use_bits(ledger, sc_tape_bits_of(tape));
    if (secret != NULL)
        freed_watch(secret);
    CHECK_STATUS(scrim_release(ledger, m, &(scrim_input){.integers = numbers, .count = 1},
                               &answer, NULL),
                 SCRIM_OK);
    if (secret != NULL)
        *remains = freed_remains();
    CHECK(scrim_answer_integer(answer, 0, &drawn));
    scrim_answer_free(answer);
    scrim_ledger_free(ledger);
    sc_tape_free(tape);
    return drawn;
}

TEST(release_wipes_what_it_draws)
{
    CLAIM("release.wiped");
    scrim_measurement *m = NULL;
    masked secret;
    size_t remains = 1;
    REQUIRE_OK(scrim_measurement_parse(
        "laplace sensitivity=1 epsilon=1 neighbours=replace", &m, NULL));
    const sc_int128 drawn = draw_seeded(m, NULL, NULL);
    masked_set(&secret, &drawn);
    CHECK(draw_seeded(m, &secret, &remains) == drawn);
    CHECK_INT(remains, 0);
    scrim_measurement_free(m);
}

/* A part of a passage: narrow values, which are clamped into memory of their own, and wide ones,
 * each of which is a secret of 16 bytes. */
static void check_part(const char *line, const sc_private_input *input, const void *bytes)
{
    scrim_measurement *m = NULL;
    sc_bundle *bundle = NULL;
    sc_passage *passage = NULL;
    sc_bits_key key = {{1, 2, 3}};
    sc_int128 values[VALUES];
    sc_mark marks[VALUES];
    sc_draw draw = {.values = values, .marks = marks, .capacity = VALUES};
    sc_ratio none;
    size_t part = 0;
    masked secret;
    masked_set(&secret, bytes);
    scrim_ledger *ledger = ledger_new();
    sc_ratio_init(&none);
    REQUIRE_OK(scrim_measurement_parse(line, &m, NULL));
    REQUIRE_OK(sc_bundle_new(SCRIM_REPLACE, &bundle, NULL));
    REQUIRE_OK(sc_bundle_add(bundle, m, 1, &part, NULL));
    REQUIRE_OK(sc_bundle_fix(bundle, &none, NULL));
    REQUIRE_OK(sc_passage_open(ledger, "q", bundle, &key, false, &passage, NULL));
    freed_watch(&secret);
    const scrim_status status = sc_passage_draw(passage, part, m, input, &draw, NULL);
    CHECK_INT(freed_remains(), 0);
    CHECK_STATUS(status, SCRIM_OK);
    sc_passage_close(passage);
    sc_bundle_free(bundle);
    sc_ratio_clear(&none);
    scrim_ledger_free(ledger);
    scrim_measurement_free(m);
}

TEST(passage_wipes_its_input)
{
    CLAIM("release.wiped");
    static const sc_int128 wide[VALUES] = {3141592653589793, 2718281828459045};
    const char *line = "laplace sensitivity=1 epsilon=1 lower=0 upper=4e15 "
                       "neighbours=replace";
    check_part(line, &(sc_private_input){.values = numbers, .count = VALUES}, numbers);
    check_part(line, &(sc_private_input){.wide = wide, .count = VALUES}, &wide[0]);
}

/* The key of a passage: on no stack once it is open, which nothing may have written over yet, and in
 * no freed memory once it is closed. */
typedef struct keyed {
    scrim_ledger *ledger;
    sc_bundle *bundle;
    sc_bits_key *key;
    sc_passage *passage;
    scrim_status status;
} keyed;

static void open_keyed(void *context)
{
    keyed *k = context;
    k->status =
        sc_passage_open(k->ledger, "q", k->bundle, k->key, true, &k->passage, NULL);
}

static void close_keyed(void *context)
{
    const keyed *k = context;
    sc_passage_close(k->passage);
}

SLOW_TEST(passage_wipes_its_key)
{
    CLAIM("release.wiped");
    scrim_measurement *m = NULL;
    alignas(8) sc_bits_key key = {{0}};
    keyed k = {.ledger = ledger_new(), .key = &key, .status = SCRIM_E_INTERNAL};
    sc_ratio none;
    size_t part = 0;
    sc_ratio_init(&none);
    REQUIRE_OK(scrim_measurement_parse(
        "laplace sensitivity=1 epsilon=1 neighbours=replace", &m, NULL));
    REQUIRE_OK(sc_bundle_new(SCRIM_REPLACE, &k.bundle, NULL));
    REQUIRE_OK(sc_bundle_add(k.bundle, m, 1, &part, NULL));
    REQUIRE_OK(sc_bundle_fix(k.bundle, &none, NULL));
    keys_watch();
    REQUIRE_OK(sc_bits_key_draw(&key, NULL));
    remains_run(open_keyed, &k);
    CHECK_INT(stack_remains(key_drawn_at(0)), 0);
    remains_run(close_keyed, &k);
    CHECK_INT(freed_remains(), 0);
    CHECK_INT(stack_remains(key_drawn_at(0)), 0);
    CHECK_STATUS(k.status, SCRIM_OK);
    CHECK_INT(masked_remains(key_drawn_at(0)), 1); /* the caller's own */
    sc_wipe(&key, sizeof key);
    CHECK_INT(masked_remains(key_drawn_at(0)), 0);
    sc_bundle_free(k.bundle);
    sc_ratio_clear(&none);
    scrim_ledger_free(k.ledger);
    scrim_measurement_free(m);
}
