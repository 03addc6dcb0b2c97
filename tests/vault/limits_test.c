/* The amount spent depends on what was asked and on nothing else; whatever the system withholds is a
 * refusal. */
#include "check.h"
#include "faults.h"
#include "ledger/ledger_tape.h"
#include "random/bits_tape.h"
#include "scene.h"
#include "vault/store/witness.h"
#include "vault/vault.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A release of that count; with a tape, the noise comes from there. */
static scrim_status release_count(scrim_vault *vault, const scrim_measurement *question,
                                  int64_t people, sc_tape *tape)
{
    scrim_ledger *ledger = NULL;
    scrim_answer *answer = NULL;
    scrim_status status = scrim_vault_ledger(vault, "people", &ledger, NULL);
    if (status == SCRIM_OK && tape != NULL)
        sc_ledger_use_bits(ledger, sc_tape_bits_of(tape));
    if (status == SCRIM_OK)
        status =
            scrim_release(ledger, question,
                          &(scrim_input){.integers = &people, .count = 1}, &answer, NULL);
    scrim_answer_free(answer);
    scrim_ledger_free(ledger);
    return status;
}

/* Two neighbours, each in a vault of its own. */
typedef struct pair {
    scene scenes[2];
    scrim_vault *vaults[2];
    scrim_measurement *question;
} pair;

static bool begin_pair(pair *p)
{
    p->question = scene_question("0.1");
    for (int i = 0; i < 2; i++) {
        if (!scene_begin_vault(&p->scenes[i], "epsilon=1000", true))
            return false;
        p->vaults[i] = scene_open(&p->scenes[i]);
        if (p->vaults[i] == NULL)
            return false;
    }
    return p->question != NULL;
}

static void check_same_left(const pair *p, const char *want)
{
    char left[SCRIM_NUMBER_BYTES], other[SCRIM_NUMBER_BYTES];
    CHECK_STR(scene_left(p->vaults[0], left), scene_left(p->vaults[1], other));
    if (want != NULL)
        CHECK_STR(left, want);
}

static void end_pair(pair *p)
{
    scrim_vault_state state;
    for (int i = 0; i < 2; i++) {
        scrim_vault_close(p->vaults[i]);
        CHECK(scene_verifies(&p->scenes[i], &state));
        scene_end(&p->scenes[i]);
    }
    scrim_measurement_free(p->question);
}

/* THREATS A47: a release that fails after its charge is not given back, whatever the data are. */
TEST(A47_no_refund_without_random_bits)
{
    CLAIM("vault.charged");
    static const int64_t people[2] = {100, 101};
    pair p;
    if (!begin_pair(&p))
        return;
    for (int i = 0; i < 2; i++) {
        sc_tape *tape = NULL;
        scrim_vault_release release;
        scrim_vault_state state;
        REQUIRE_OK(sc_tape_words(NULL, 0, &tape, NULL)); /* it ends at once */
        CHECK_STATUS(release_count(p.vaults[i], p.question, people[i], tape),
                     SCRIM_E_ENTROPY);
        sc_tape_free(tape);
        REQUIRE_OK(scrim_vault_verify(p.vaults[i], &state, NULL));
        CHECK(state.charges == 1 && state.releases == 0);
        REQUIRE_OK(scrim_vault_replay(p.vaults[i], state.charges, &release, NULL));
        CHECK(release.state == SCRIM_ENTRY_CHARGED && release.answer == NULL);
        scrim_vault_release_clear(&release);
    }
    check_same_left(&p, "999.9");
    end_pair(&p);
}

/* THREATS A47: every allocation fails in turn, for both neighbours: what is left is the same. */
TEST(A47_what_is_left_depends_on_requests_alone)
{
    CLAIM("vault.charged");
    pair p;
    uint64_t charges[2] = {0, 0}, failed[2] = {0, 0};
    if (!begin_pair(&p))
        return;
    for (int i = 0; i < 2; i++)
        FAULT_LOOP(fault)
        {
            const scrim_status status =
                release_count(p.vaults[i], p.question, 100 + i, NULL);
            failed[i] += status != SCRIM_OK;
            CHECK(status == SCRIM_OK || (fault_hit() && status == SCRIM_E_MEMORY));
        }
    for (int i = 0; i < 2; i++) {
        scrim_vault_state state;
        REQUIRE_OK(scrim_vault_verify(p.vaults[i], &state, NULL));
        charges[i] = state.charges;
        CHECK(state.charges > state.releases); /* some failed after their charge */
    }
    CHECK_INT(charges[0], charges[1]);
    CHECK_INT(failed[0], failed[1]);
    check_same_left(&p, NULL);
    end_pair(&p);
}

/* The two accountings that keep half of their delta for parts admit no open run, and charge
 * nothing for asking (spec/mechanisms.md 8.5). */
TEST(vault_admits_runs_among_sums_only)
{
    static const struct {
        const char *budget;
        scrim_status status;
    } accounts[] = {
        {"epsilon=10,delta=0.001", SCRIM_OK},
        {"epsilon=10", SCRIM_OK},
        {"epsilon=10,delta=0.001\naccounting=concentrated", SCRIM_E_POLICY},
        {"epsilon=10,delta=0.001\naccounting=renyi=8", SCRIM_E_POLICY},
    };
    scrim_measurement *m = NULL;
    scrim_error error = {.message = ""};
    REQUIRE_OK(scrim_measurement_parse("sparse-vector sensitivity=1 threshold=10 count=1 "
                                       "epsilon=1 neighbours=add-remove",
                                       &m, &error));
    for (size_t i = 0; i < sizeof accounts / sizeof *accounts; i++) {
        scene s;
        scrim_ledger *ledger = NULL;
        scrim_run *run = NULL;
        scrim_vault_state state;
        if (!scene_begin_vault(&s, accounts[i].budget, false))
            return;
        scrim_vault *vault = scene_open(&s);
        REQUIRE(vault != NULL);
        REQUIRE_OK(scrim_vault_ledger(vault, "people", &ledger, &error));
        CHECK_STATUS(scrim_run_open(ledger, m, &run, &error), accounts[i].status);
        /* Beside an open run others may be charged. */
        if (run != NULL)
            CHECK_STATUS(scene_spend(vault, "0.5", NULL, &error), SCRIM_OK);
        scrim_run_close(run);
        scrim_ledger_free(ledger);
        scrim_vault_close(vault);
        if (CHECK(scene_verifies(&s, &state)))
            CHECK_INT(state.charges, accounts[i].status == SCRIM_OK ? 2 : 0);
        scene_end(&s);
    }
    scrim_measurement_free(m);
}

enum { NO_LIMIT = 99 }; /* valgrind keeps the limits of files to itself */

/* Opens and spends in a child that may have `most` files open (by_files), or files of `most`
 * bytes; its status, or -1 when it was killed. */
static int spend_limited(const scene *s, const scrim_measurement *question, bool by_files,
                         rlim_t most)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        scrim_vault *vault = NULL;
        signal(SIGXFSZ, SIG_IGN); /* as a program that wants to say what has happened */
        if (setrlimit(by_files ? RLIMIT_NOFILE : RLIMIT_FSIZE,
                      &(struct rlimit){most, most}) != 0)
            _exit(NO_LIMIT);
        scrim_status result = scrim_vault_open(s->path, NULL, &vault, NULL);
        if (result == SCRIM_OK)
            result = scene_release(vault, "people", question, NULL, NULL);
        _exit((int)result);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* THREATS A67: few open files, short files. Refused cleanly, and what was shown is charged. */
SLOW_TEST(A67_vault_under_limits)
{
    CLAIM("vault.charged");
    scene s;
    scrim_vault_state before, after;
    scrim_measurement *question = scene_question("0.1");
    uint64_t refused = 0, spent = 0, unset = 0;
    if (!scene_begin_vault(&s, "epsilon=1000", true) || !scene_verifies(&s, &before))
        return;
    for (int what = 0; what < 2; what++)
        for (rlim_t n = 0; n <= 40; n += 2) {
            const int status = what == 0 ? spend_limited(&s, question, true, n)
                                         : spend_limited(&s, question, false, n * 1024);
            if (status == NO_LIMIT) {
                unset++;
                continue;
            }
            if (status != SCRIM_OK && status != SCRIM_E_LEDGER &&
                status != SCRIM_E_ENTROPY)
                CHECK_FAIL("limit %d of %d: status %d", (int)n, what, status);
            if (!CHECK(scene_verifies(&s, &after)))
                break;
            CHECK(after.charges <= before.charges + 1);
            CHECK(status != SCRIM_OK || after.releases == before.releases + 1);
            refused += status != SCRIM_OK;
            spent += status == SCRIM_OK;
            before = after;
        }
    CHECK(unset > 0 || (refused > 5 && spent > 5));
    scrim_measurement_free(question);
    scene_end(&s);
    if (unset > 0)
        SKIP("a limit cannot be set here; the others held");
}

/* THREATS A43: the vault under a second name by a mount. */
TEST(A43_bind_mount)
{
    CLAIM("store_sqlite.own");
    scene s;
    char other[128];
    int status = 0;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    snprintf(other, sizeof other, "%s/other", s.folder);
    int file = open(other, O_CREAT | O_RDWR, 0600);
    CHECK(file >= 0 && close(file) == 0);
    pid_t child = fork();
    if (child == 0) {
        scrim_vault *vault = NULL;
        if (unshare(CLONE_NEWNS) != 0 ||
            mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) != 0 ||
            mount(s.path, other, "none", MS_BIND, NULL) != 0)
            _exit(77);
        CHECK_STATUS(scrim_vault_open(other, NULL, &vault, NULL), SCRIM_E_LEDGER);
        _exit(0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    scene_end(&s);
    if (WEXITSTATUS(status) == 77)
        SKIP("this system does not let the test mount anything");
}

/* THREATS A43: a witness that cannot be had, and one that cannot be written, cost no charge. */
TEST(A43_no_charge_without_the_witness)
{
    CLAIM("vault.charged");
    CLAIM("vault.place");
    scene s;
    char aside[128], left[SCRIM_NUMBER_BYTES];
    scrim_error error = {.message = ""};
    scrim_vault *vault = NULL;
    if (!scene_begin_vault(&s, "epsilon=1", true))
        return;
    REQUIRE_OK(scrim_vault_open(s.path, SCRIM_OPTIONS(scrim_vault_options, .wait_ms = 20),
                                &vault, &error));
    snprintf(aside, sizeof aside, "%s/aside", s.folder);
    CHECK(rename(s.witness, aside) == 0);
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, &error), SCRIM_E_LEDGER);
    /* A witness of another vault stands there. */
    const sc_witness foreign = {.identity = {{1}}, .chain = {1, {{2}}}};
    sc_witness_writer *writer = NULL;
    REQUIRE_OK(
        sc_witness_prepare(s.witness, &foreign, SC_WITNESS_NEW, 10, &writer, &error));
    REQUIRE_OK(sc_witness_publish(writer, &error));
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, &error), SCRIM_E_LEDGER);
    CHECK(strstr(error.message, "another vault") != NULL);
    CHECK(rename(aside, s.witness) == 0);
    char next[128];
    snprintf(next, sizeof next, "%s.next", s.witness);
    CHECK(mkdir(next, 0700) == 0); /* in the way */
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, &error), SCRIM_E_LEDGER);
    CHECK(rmdir(next) == 0);
    CHECK_STR(scene_left(vault, left), "1");
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, &error), SCRIM_OK);
    CHECK_STR(scene_left(vault, left), "0.9");
    scrim_vault_close(vault);
    scene_end(&s);
}

/* THREATS A49: what a spend adds to the file, the answer aside, is at most 256 bytes an entry. */
TEST(A49_growth_is_bounded)
{
    CLAIM("event.size");
    scene s;
    scrim_measurement *question = scene_question("1/1000003");
    struct stat before, after;
    const uint64_t spends = check_count(200, 5000);
    if (!scene_begin_vault(&s, "epsilon=1000", false))
        return;
    for (int turn = 0; turn < 2; turn++) {
        scrim_vault *vault = scene_open(&s);
        REQUIRE(vault != NULL);
        for (uint64_t i = 0; i < (turn == 0 ? 20 : spends); i++)
            CHECK_STATUS(scene_release(vault, "people", question, NULL, NULL), SCRIM_OK);
        scrim_vault_close(vault);
        CHECK(stat(s.path, turn == 0 ? &before : &after) == 0);
    }
    /* A spend is two entries. */
    const uint64_t grown = (uint64_t)(after.st_size - before.st_size);
    if (grown > spends * 2 * 256)
        CHECK_FAIL("%llu bytes for %llu spends", (unsigned long long)grown,
                   (unsigned long long)spends);
    scrim_measurement_free(question);
    scene_end(&s);
}
