/* Attack A83: many who use a vault with a witness at once. Nobody is told that it was put back, nobody
 * waits in vain, and what was charged is there. */
#include "check.h"
#include "scene.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In memory that all of them share. */
typedef struct tally {
    atomic_int calls, charges, failures;
    atomic_int slowest_ms;
    char words[256]; /* of a failure */
} tally;

typedef struct crowd {
    const scene *s;
    const scrim_measurement *question;
    tally *shared;
    uint64_t calls; /* of each */
} crowd;

static int now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int)(t.tv_sec % 1000000) * 1000 + (int)(t.tv_nsec / 1000000);
}

static void note(tally *shared, scrim_status status, const scrim_error *error, int since)
{
    const int took = now_ms() - since;
    shared->calls++;
    int slowest = shared->slowest_ms;
    while (took > slowest &&
           !atomic_compare_exchange_weak(&shared->slowest_ms, &slowest, took))
        ;
    if (status != SCRIM_OK && shared->failures++ == 0)
        snprintf(shared->words, sizeof shared->words, "%.200s", error->message);
}

/* A call of its own each time, as a program is started for each question: one in four spends, the
 * others look. */
static void call_once(const crowd *c, uint64_t nth)
{
    scrim_error error = {.message = ""};
    scrim_vault *vault = NULL;
    scrim_budget budget;
    const int since = now_ms();
    scrim_status status = scrim_vault_open(c->s->path, NULL, &vault, &error);
    if (status == SCRIM_OK && nth % 4 == 0) {
        status = scene_release(vault, "people", c->question, NULL, &error);
        c->shared->charges += status == SCRIM_OK;
    } else if (status == SCRIM_OK) {
        status = scrim_vault_budget(vault, 0, NULL, &budget, &error);
    }
    scrim_vault_close(vault);
    note(c->shared, status, &error, since);
}

static void *call_many(void *context)
{
    const crowd *c = context;
    for (uint64_t i = 0; i < c->calls; i++)
        call_once(c, i);
    return NULL;
}

/* Two threads with handles of their own, and one that keeps its handle open all the time. */
static void be_process(crowd *c)
{
    pthread_t threads[2];
    scrim_vault *kept = scene_open(c->s);
    for (size_t i = 0; i < COUNT(threads); i++)
        CHECK(pthread_create(&threads[i], NULL, call_many, c) == 0);
    for (uint64_t i = 0; i < c->calls / 4; i++) {
        scrim_error error = {.message = ""};
        const int since = now_ms();
        const scrim_status status =
            scene_release(kept, "people", c->question, NULL, &error);
        c->shared->charges += status == SCRIM_OK;
        note(c->shared, status, &error, since);
    }
    for (size_t i = 0; i < COUNT(threads); i++)
        pthread_join(threads[i], NULL);
    scrim_vault_close(kept);
}

static tally *share_tally(void)
{
    tally *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return CHECK(shared != MAP_FAILED) ? shared : NULL;
}

static void gather(crowd *c, uint64_t processes)
{
    for (uint64_t i = 0; i < processes; i++) {
        const pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            be_process(c);
            _exit(0);
        }
    }
    for (uint64_t i = 0; i < processes; i++) {
        int status = 1;
        CHECK(wait(&status) > 0 && status == 0);
    }
}

SLOW_TEST(A83_no_false_alarm_in_a_crowd)
{
    CLAIM("vault.place");
    CLAIM("vault.alone");
    scene s;
    scrim_vault_state state;
    tally *shared = share_tally();
    scrim_measurement *question = scene_question("0.001");
    if (shared == NULL || question == NULL ||
        !scene_begin_vault(&s, "epsilon=1000000", true))
        return;
    /* 60 users in the long tier, 10^5 calls. */
    crowd c = {&s, question, shared, check_count(16, 744)};
    const uint64_t processes = check_count(20, 60);
    gather(&c, processes);
    CHECK_INT(shared->calls, (sc_int128)processes * (2 * c.calls + c.calls / 4));
    if (shared->failures != 0)
        CHECK_FAIL("%d of %d calls failed: %s", shared->failures, shared->calls,
                   shared->words);
    if (check_is_long())
        CHECK(shared->slowest_ms < 30000);
    if (scene_verifies(&s, &state))
        CHECK_INT(state.charges, shared->charges);
    scrim_measurement_free(question);
    munmap(shared, sizeof *shared);
    scene_end(&s);
}

static void be_killed(const crowd *c)
{
    for (;;)
        call_once(c, 0);
}

/* Some are killed at any moment, between the vault and its witness among them; the others do not
 * notice. */
SLOW_TEST(A83_no_false_alarm_after_kills)
{
    CLAIM("vault.place");
    CLAIM("vault.charged");
    scene s;
    scrim_vault_state state;
    pid_t victims[6];
    tally *shared = share_tally();
    scrim_measurement *question = scene_question("0.001");
    if (shared == NULL || question == NULL ||
        !scene_begin_vault(&s, "epsilon=1000000", true))
        return;
    const crowd c = {&s, question, shared, 1};
    for (size_t i = 0; i < COUNT(victims); i++)
        if ((victims[i] = fork()) == 0)
            be_killed(&c);
    for (uint64_t i = check_count(60, 2000); i > 0; i--) {
        pid_t *victim = &victims[i % COUNT(victims)];
        int status = 0;
        const long pause = (long)((i * 7919 + check_seed()) % 10000) * 1000;
        (void)nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
        CHECK(*victim > 0 && kill(*victim, SIGKILL) == 0 &&
              waitpid(*victim, &status, 0) == *victim);
        if ((*victim = fork()) == 0)
            be_killed(&c);
    }
    for (size_t i = 0; i < COUNT(victims); i++)
        CHECK(kill(victims[i], SIGKILL) == 0 && waitpid(victims[i], NULL, 0) > 0);
    if (shared->failures != 0)
        CHECK_FAIL("%d of %d calls failed: %s", shared->failures, shared->calls,
                   shared->words);
    CHECK(shared->calls > 0);
    if (scene_verifies(&s, &state))
        CHECK(state.releases >= (uint64_t)shared->charges);
    scrim_measurement_free(question);
    munmap(shared, sizeof *shared);
    scene_end(&s);
}
