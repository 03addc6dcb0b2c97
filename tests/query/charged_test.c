/* The driver of charged releases, with a kind of release that notes each step: its letter, how many charges the vault has
 * at that moment, and ! if the release has a recorded answer. */
#include "check.h"
#include "query/answer/ask.h"
#include "query_scene.h"
#include "sanitized.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define QUESTION "toy people"
#define RECORD "one line\nand another"
#define POLICY                                                                           \
    "unit=person\ncolumn=age=int[0,120]\nrows-per-unit=1\nbudget=epsilon=2,delta=0.1\n"  \
    "max-size=64KiB\n"
#define TABLE "person,age\na,10\nb,20\n"
#define MS 1000000

typedef struct toy {
    query_scene scene;
    sc_arena arena;
    sc_planned_dataset dataset;
    sc_charged charged;
    char steps[200];
    char fails_at;        /* the letter of a step that fails, */
    size_t fails_at_turn; /* at this turn of it */
    size_t turns[128];    /* by letter */
    size_t room;
    unsigned threads;
    bool is_changed; /* reading finds another source */
    bool has_no_record;
    const char *record; /* NULL: RECORD */
    bool has_rows;      /* between opening and wiping */
    sc_bits_key key;    /* at the last reading */
    size_t told, told_done;
    sc_pass_options options; /* of the last opening */
    char shown[64];
    uint64_t shown_id, shown_time;
    bool is_repeated;
} toy;

static scrim_status note(toy *t, char step, scrim_error *error)
{
    scrim_budget budget;
    uint64_t id = 0;
    const size_t used = strlen(t->steps);
    CHECK_STATUS(scrim_vault_budget(t->scene.vault, 0, NULL, &budget, NULL), SCRIM_OK);
    CHECK_STATUS(scrim_vault_find(t->scene.vault, "people", QUESTION, &id, NULL),
                 SCRIM_OK);
    snprintf(t->steps + used, sizeof t->steps - used, "%s%c%d%s", used > 0 ? " " : "",
             step, (int)budget.charges, id != 0 ? "!" : "");
    return t->fails_at == step && t->turns[(int)step]++ == t->fails_at_turn
               ? sc_fail(error, SCRIM_E_INPUT, "step %c has failed", step)
               : SCRIM_OK;
}

static scrim_status prepare(sc_charged *c, scrim_error *error)
{
    SC_OWN(sc_ratio, epsilon, delta);
    sc_ratio_set_int64(&epsilon, 1);
    const scrim_status status = note(c->context, 'p', error);
    return status == SCRIM_OK ? sc_allowance_new(SCRIM_ADD_REMOVE, NULL, &epsilon, &delta,
                                                 &c->allowance, error)
                              : status;
}

static scrim_status open_rows(sc_charged *c, const sc_pass_options *options,
                              sc_bits *bits, sc_charged_room *room, scrim_error *error)
{
    toy *t = c->context;
    CHECK(bits != NULL && !t->has_rows);
    t->has_rows = true;
    t->options = *options;
    t->key = c->key;
    *room = (sc_charged_room){.bytes = t->room, .threads = t->threads};
    return note(t, 'o', error);
}

static scrim_status take_room(sc_charged *c, scrim_error *error)
{
    return note(c->context, 't', error);
}

static scrim_status read_rows(sc_charged *c, scrim_error *error)
{
    toy *t = c->context;
    if (t->options.progress != NULL)
        t->options.progress(t->options.context, 1, 2);
    *t->options.is_changed = t->is_changed;
    return note(t, 'r', error);
}

static scrim_status draw_record(sc_charged *c, char **record, scrim_error *error)
{
    toy *t = c->context;
    CHECK(t->has_rows);
    sc_charged_tell(c, 1, 2);
    const scrim_status status = note(t, 'd', error);
    const char *text = t->record == NULL ? RECORD : t->record;
    if (status == SCRIM_OK && !t->has_no_record)
        *record = strcpy(sc_allocate(strlen(text) + 1, 1), text);
    return status;
}

static void wipe_rows(sc_charged *c)
{
    toy *t = c->context;
    if (t->has_rows)
        (void)note(t, 'w', NULL);
    t->has_rows = false;
}

static scrim_status show(void *context, const sc_recorded *recorded, scrim_error *error)
{
    toy *t = context;
    snprintf(t->shown, sizeof t->shown, "%s", recorded->text);
    t->shown_id = recorded->id;
    t->shown_time = recorded->time;
    t->is_repeated = recorded->is_repeated;
    return note(t, 's', error);
}

static scrim_status refuse(uint64_t release, scrim_error *error)
{
    return sc_fail(error, SCRIM_E_PARAM, "release %d is no toy", (int)release);
}

static const sc_charged_kind kind = {.words = {"doll ", "toy "},
                                     .planned = "the toy",
                                     .released = "a toy",
                                     .refuse = refuse,
                                     .prepare = prepare,
                                     .open_rows = open_rows,
                                     .take_room = take_room,
                                     .read_rows = read_rows,
                                     .draw_record = draw_record,
                                     .wipe_rows = wipe_rows,
                                     .show = show};

static void note_progress(void *context, uint64_t done, uint64_t total)
{
    toy *t = context;
    CHECK_INT(total, SC_CHARGED_WORK);
    t->told++;
    t->told_done = 10000 * t->told_done + (size_t)done;
}

/* Another release of the same toy. */
static void again(toy *t)
{
    t->steps[0] = t->shown[0] = '\0';
    memset(t->turns, 0, sizeof t->turns);
    t->charged = (sc_charged){.kind = &kind,
                              .context = t,
                              .vault = t->scene.vault,
                              .dataset = &t->dataset,
                              .question = QUESTION,
                              .is_once = true,
                              .progress = note_progress,
                              .progress_context = t,
                              .read_work = 300};
}

static bool toy_begin(toy *t, const char *lines)
{
    char policy[400];
    *t = (toy){.room = 4096};
    sc_arena_init(&t->arena);
    snprintf(policy, sizeof policy, POLICY "%s", lines);
    if (!query_scene_begin(&t->scene, policy, TABLE) ||
        !CHECK_STATUS(sc_planned_dataset_read(t->scene.vault, "people", &t->arena,
                                              &t->dataset, &t->scene.error),
                      SCRIM_OK))
        return false;
    again(t);
    return true;
}

static void toy_end(toy *t)
{
    sc_arena_clear(&t->arena);
    query_scene_end(&t->scene);
}

static scrim_status run(toy *t)
{
    return sc_charged_run(&t->charged, &t->scene.error);
}

TEST(charged_takes_its_steps_in_one_order)
{
    CLAIM("ask.charged");
    toy t;
    if (!toy_begin(&t, ""))
        return;
    CHECK_STATUS(run(&t), SCRIM_OK);
    CHECK_STR(t.steps, "p0 o0 t0 r1 d1 w1 s1!");
    CHECK_STR(t.shown, RECORD);
    CHECK(t.shown_id == 1 && !t.is_repeated);
    CHECK_INT(t.told_done, 1500650);
    CHECK(t.options.contents == &t.charged.policy.contents &&
          t.options.progress != NULL &&
          t.options.contents_key == &t.charged.contents_key &&
          t.options.is_cancelled == NULL);
    /* No key stays. */
    static const sc_bits_key no_key;
    static const sc_source_key no_source_key;
    CHECK(memcmp(&t.charged.key, &no_key, sizeof no_key) == 0);
    CHECK(memcmp(&t.charged.contents_key, &no_source_key, sizeof no_source_key) == 0);
    CHECK(memcmp(&t.key, &no_key, sizeof no_key) != 0);
    /* The same question is shown from the ledger. */
    again(&t);
    CHECK_STATUS(run(&t), SCRIM_OK);
    CHECK_STR(t.steps, "s1!");
    CHECK_STR(t.shown, RECORD);
    CHECK(t.shown_id == 1 && t.is_repeated);
    again(&t);
    CHECK_STATUS(sc_charged_replay(&kind, &t, t.scene.vault, 1, NULL), SCRIM_OK);
    CHECK_STR(t.steps, "s1!");
    CHECK(t.is_repeated);
    CHECK_STATUS(sc_charged_replay(&sc_query_kind, &t, t.scene.vault, 1, NULL),
                 SCRIM_E_PARAM);
    toy_end(&t);
}

/* A failure before the charge costs nothing; one after it costs all, shows nothing and wipes. Asked again, the charge is
 * joined: nothing more is charged, and the source is opened once more with the key of the charge. */
TEST(charged_keeps_the_charge_of_a_failure)
{
    CLAIM("ask.charged");
    CLAIM("ask.requests");
    CLAIM("ask.told");
    static const struct {
        char step;
        const char *steps, *then, *words;
    } cases[] = {
        {'p', "p0", "p0 o0 t0 r1 d1 w1 s1!", ""},
        {'o', "p0 o0 w0", "p0 o0 t0 r1 d1 w1 s1!", ""},
        {'t', "p0 o0 t0 w0", "p0 o0 t0 r1 d1 w1 s1!", ""},
        {'r', "p0 o0 t0 r1 w1", "p1 o1 t1 w1 o1 t1 r1 d1 w1 s1!",
         "has no answer: step r"},
        {'d', "p0 o0 t0 r1 d1 w1", "p1 o1 t1 w1 o1 t1 r1 d1 w1 s1!",
         "has no answer: step d"},
        {'s', "p0 o0 t0 r1 d1 w1 s1!", "s1!", "its answer is recorded: step s"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        toy t;
        if (!toy_begin(&t, ""))
            return;
        t.fails_at = cases[i].step;
        CHECK_STATUS(run(&t), SCRIM_E_INPUT);
        CHECK_STR(t.steps, cases[i].steps);
        CHECK(strstr(t.scene.error.message, cases[i].words) != NULL);
        CHECK((strstr(t.scene.error.message, "charged") != NULL) ==
              (cases[i].words[0] != '\0'));
        CHECK(!t.has_rows && (t.shown[0] == '\0' || cases[i].step == 's'));
        const sc_bits_key key = t.key;
        again(&t);
        t.fails_at = '\0';
        CHECK_STATUS(run(&t), SCRIM_OK);
        CHECK_STR(t.steps, cases[i].then);
        if (cases[i].then[1] == '1' && cases[i].then[0] == 'p')
            CHECK(t.is_repeated && memcmp(&key, &t.key, sizeof key) == 0);
        toy_end(&t);
    }
}

/* The end of a failure wipes, and not only what clears it later: the time that wiping takes is hidden by the wait. */
TEST(charged_wipes_at_its_end)
{
    CLAIM("ask.quantum");
    toy t;
    if (!toy_begin(&t, ""))
        return;
    REQUIRE_OK(sc_charged_begin(&t.charged, &t.scene.error));
    CHECK(t.has_rows);
    CHECK_STATUS(sc_charged_end(&t.charged, SCRIM_E_INPUT, &t.scene.error),
                 SCRIM_E_INPUT);
    CHECK(!t.has_rows);
    sc_charged_clear(&t.charged);
    toy_end(&t);
}

TEST(charged_has_no_answer_without_a_record)
{
    CLAIM("ask.told");
    toy t;
    if (!toy_begin(&t, ""))
        return;
    t.has_no_record = true;
    CHECK_STATUS(run(&t), SCRIM_E_MEMORY);
    CHECK_STR(t.steps, "p0 o0 t0 r1 d1 w1");
    toy_end(&t);
}

/* Two finish one charge: the ledger keeps the record of the first, and both show that one, with the time of the charge. */
TEST(charged_shows_the_record_that_the_ledger_has)
{
    CLAIM("ask.charged");
    toy t;
    if (!toy_begin(&t, ""))
        return;
    scrim_vault_tell_time(t.scene.vault, 1000);
    t.fails_at = 'r';
    CHECK_STATUS(run(&t), SCRIM_E_INPUT);
    scrim_vault_tell_time(t.scene.vault, 2000);
    again(&t);
    t.fails_at = '\0';
    REQUIRE_OK(sc_charged_begin(&t.charged, &t.scene.error));
    toy first = t;
    first.has_rows = false;
    first.record = "of the first\nto finish";
    again(&first);
    CHECK_STATUS(run(&first), SCRIM_OK);
    CHECK_STR(first.shown, first.record);
    CHECK_INT(first.shown_time, 1000);
    CHECK_STATUS(sc_charged_end(&t.charged, SCRIM_OK, &t.scene.error), SCRIM_OK);
    CHECK_STATUS(sc_charged_show(&t.charged, &t.scene.error), SCRIM_OK);
    CHECK_STR(t.shown, first.record);
    CHECK(t.shown_id == first.shown_id && t.shown_time == 1000);
    sc_charged_clear(&t.charged);
    toy_end(&t);
}

/* Contents without a name may be others at the next question, so it is charged again, and no charge is joined. */
TEST(charged_each_time_unless_it_is_once)
{
    CLAIM("ask.once");
    toy t;
    if (!toy_begin(&t, ""))
        return;
    t.charged.is_once = false;
    t.fails_at = 'r';
    CHECK_STATUS(run(&t), SCRIM_E_INPUT);
    CHECK(strstr(t.scene.error.message, "the charge stays") != NULL);
    again(&t);
    t.charged.is_once = false;
    t.fails_at = '\0';
    CHECK_STATUS(run(&t), SCRIM_OK);
    CHECK_STR(t.steps, "p1 o1 t1 r2 d2 w2 s2!");
    CHECK(!t.is_repeated && t.shown_id == 2);
    toy_end(&t);
}

static double seconds(void)
{
    struct timespec now;
    CHECK(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Each failure after the charge is seen at a multiple of the quantum, also that of opening the source again. */
FAULT_TEST(A53_charged_failures_wait_for_the_quantum)
{
    CLAIM("ask.quantum");
    static const char steps[] = {'\0', 'r', 'd', 'o'};
    for (size_t i = 0; i < COUNT(steps); i++) {
        toy t;
        if (!toy_begin(&t, "quantum=0.05\n"))
            return;
        const bool is_joined = steps[i] == 'o';
        if (is_joined) {
            t.fails_at = 'r';
            CHECK_STATUS(run(&t), SCRIM_E_INPUT);
            again(&t);
            t.fails_at_turn = 1;
        }
        t.fails_at = steps[i];
        const double before = seconds();
        const scrim_status status = run(&t);
        CHECK_STATUS(status, steps[i] == '\0' ? SCRIM_OK : SCRIM_E_INPUT);
        CHECK(seconds() - before >= 0.05);
        if (is_joined)
            CHECK_STR(t.steps, "p1 o1 t1 w1 o1 w1");
        if (steps[i] != '\0')
            CHECK(strstr(t.scene.error.message, "charged and has no answer") != NULL);
        /* Progress would tell the time. */
        CHECK_INT(t.told, 0);
        toy_end(&t);
    }
}

/* In a child: ends with 1 if the ledger has an answer before the end of the wait. */
static void watch_ledger(const toy *t, double end_of_wait)
{
    scrim_vault *vault = NULL;
    uint64_t id = 0;
    if (scrim_vault_open(t->scene.base.path, NULL, &vault, NULL) != SCRIM_OK)
        _exit(2);
    while (scrim_vault_find(vault, "people", QUESTION, &id, NULL) == SCRIM_OK &&
           seconds() < end_of_wait)
        if (id != 0)
            _exit(1);
    _exit(0);
}

/* The record is entered after the wait: nobody who reads the ledger learns how long it took. */
SLOW_TEST(A53_charged_records_after_the_wait)
{
    CLAIM("ask.quantum");
    toy t;
    if (!toy_begin(&t, "quantum=0.05\n"))
        return;
    sc_charged *c = &t.charged;
    REQUIRE_OK(sc_charged_begin(c, &t.scene.error));
    REQUIRE_OK(read_rows(c, &t.scene.error));
    c->quantum.length_ns = 300 * MS;
    const double end_of_wait = (double)c->quantum.start_ns * 1e-9 + 0.3;
    const pid_t child = fork();
    if (child == 0)
        watch_ledger(&t, end_of_wait);
    int end = -1;
    CHECK_STATUS(sc_charged_end(c, SCRIM_OK, &t.scene.error), SCRIM_OK);
    CHECK(seconds() >= end_of_wait);
    CHECK(child > 0 && waitpid(child, &end, 0) == child && WIFEXITED(end));
    CHECK_INT(WEXITSTATUS(end), 0);
    sc_charged_clear(c);
    toy_end(&t);
}

/* A sanitized program has memory of its own in places that a limit does not count. */
#define SKIP_SANITIZED()                                                                 \
    do {                                                                                 \
        if (IS_SANITIZED)                                                                \
            SKIP("the allocator of this build knows no limit");                          \
    } while (0)

/* Room that is not there is refused before the charge, with a quantum and without. */
TEST(A73_charged_refuses_room_that_is_not_there)
{
    CLAIM("ask.memory");
    SKIP_SANITIZED();
    static const char *const lines[] = {"", "quantum=0.001\n"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        toy t;
        if (!toy_begin(&t, lines[i]))
            return;
        t.room = (size_t)1 << 60;
        CHECK_STATUS(run(&t), SCRIM_E_MEMORY);
        CHECK_STR(t.scene.error.message, "out of memory for a toy");
        CHECK_STR(t.steps, "p0 o0 w0");
        toy_end(&t);
    }
}

/* So are addresses for the stacks of its threads, where these are limited: here to 64 GiB. */
TEST(A112_charged_refuses_threads_without_addresses)
{
    CLAIM("ask.memory");
    toy t;
    struct rlimit limit;
    SKIP_SANITIZED();
    if (!toy_begin(&t, ""))
        return;
    CHECK(getrlimit(RLIMIT_AS, &limit) == 0);
    limit.rlim_cur = (rlim_t)1 << 36;
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
    t.threads = 1 << 20;
    CHECK_STATUS(run(&t), SCRIM_E_MEMORY);
    CHECK_STR(t.steps, "p0 o0 w0");
    toy_end(&t);
}

/* With a quantum the process has had its room before the first row is read, and fetches as many pages as the room says. */
SLOW_TEST(A73_charged_touches_its_room_at_the_quantum)
{
    CLAIM("ask.memory");
    SKIP_SANITIZED();
    static const char *const lines[] = {"", "quantum=0.001\n"};
    enum { ROOM_KB = 64 << 10 };
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct rusage usage = {0};
        int end = -1;
        const pid_t child = fork();
        if (child == 0) {
            toy t;
            const bool has_begun = toy_begin(&t, lines[i]);
            t.room = (size_t)ROOM_KB << 10;
            const scrim_status status = has_begun ? run(&t) : SCRIM_E_STATE;
            toy_end(&t);
            _exit(status != SCRIM_OK);
        }
        CHECK(child > 0 && wait4(child, &end, 0, &usage) == child && end == 0);
        CHECK((usage.ru_maxrss >= ROOM_KB) == (i == 1));
        CHECK((usage.ru_minflt >= 4 * ROOM_KB / 4) == (i == 1));
    }
}

/* A source that has changed leaves the charge and closes the version for everybody. */
TEST(A107_charged_closes_a_version_that_has_changed)
{
    CLAIM("vault.closed");
    toy t;
    if (!toy_begin(&t, ""))
        return;
    t.is_changed = true;
    t.fails_at = 'r';
    CHECK_STATUS(run(&t), SCRIM_E_INPUT);
    CHECK_STR(t.steps, "p0 o0 t0 r1 w1");
    t.is_changed = false;
    t.fails_at = '\0';
    again(&t);
    CHECK(run(&t) != SCRIM_OK);
    CHECK(strchr(t.steps, 'r') == NULL && strchr(t.steps, 's') == NULL);
    toy_end(&t);
}
