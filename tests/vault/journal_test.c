/* Attack A82: a commit that was cut short, and a journal that was damaged, cut or deleted before the
 * vault is opened again. Either the vault is refused, or no charge is missing that was answered. */
#include "check.h"
#include "scene.h"
#include "syscalls.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
#define STATES 512

typedef struct bytes {
    unsigned char *start;
    size_t count;
    bool is_there;
} bytes;

/* The disk as a killed process has left it. */
typedef struct state {
    bytes vault, journal;
    bool was_shown; /* the second answer */
} state;

/* A vault with a budget for two answers, the first of which was shown. */
typedef struct stage {
    scene s;
    char journal[112], mark[112];
    scrim_measurement *question;
    uint64_t first; /* its charge */
    char answer[64];
    bytes before;
    bool *was_shown; /* in memory that outlives the child */
} stage;

static bytes read_bytes(const char *path)
{
    bytes made = {NULL, 0, false};
    int file = open(path, O_RDONLY);
    if (file < 0)
        return made;
    made.is_there = true;
    made.count = (size_t)lseek(file, 0, SEEK_END);
    made.start = malloc(made.count + 1);
    CHECK(made.start != NULL &&
          pread(file, made.start, made.count, 0) == (ssize_t)made.count);
    close(file);
    return made;
}

/* Into the same inode where there is one. */
static void write_bytes(const char *path, const bytes *b)
{
    if (!b->is_there) {
        (void)unlink(path);
        return;
    }
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    CHECK(file >= 0 && pwrite(file, b->start, b->count, 0) == (ssize_t)b->count &&
          ftruncate(file, (off_t)b->count) == 0);
    close(file);
}

static bool is_same(const bytes *a, const bytes *b)
{
    return a->is_there == b->is_there && a->count == b->count &&
           (a->count == 0 || memcmp(a->start, b->start, a->count) == 0);
}

static bool recall(const stage *g, scrim_vault *vault, char answer[64])
{
    scrim_vault_release release;
    if (scrim_vault_replay(vault, g->first, &release, NULL) != SCRIM_OK)
        return false;
    snprintf(answer, 64, "%s", release.answer);
    scrim_vault_release_clear(&release);
    return true;
}

static bool begin_stage(stage *g)
{
    memset(g, 0, sizeof *g);
    if (!scene_begin_vault(&g->s, "epsilon=1", false))
        return false;
    snprintf(g->journal, sizeof g->journal, "%s-journal", g->s.path);
    snprintf(g->mark, sizeof g->mark, "%s-unverified", g->s.path);
    g->question = scene_question("0.5");
    g->was_shown = mmap(NULL, sizeof *g->was_shown, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    scrim_vault *vault = scene_open(&g->s);
    if (!CHECK(vault != NULL && g->was_shown != MAP_FAILED))
        return false;
    CHECK_STATUS(scene_release(vault, "people", g->question, &g->first, NULL), SCRIM_OK);
    CHECK(recall(g, vault, g->answer));
    scrim_vault_close(vault);
    CHECK(access(g->journal, F_OK) != 0);
    g->before = read_bytes(g->s.path);
    return true;
}

static void end_stage(stage *g)
{
    free(g->before.start);
    munmap(g->was_shown, sizeof *g->was_shown);
    scrim_measurement_free(g->question);
    scene_end(&g->s);
}

static void spend(void *context)
{
    const stage *g = context;
    scrim_vault *vault = NULL;
    if (scrim_vault_open(g->s.path, NULL, &vault, NULL) != SCRIM_OK)
        _exit(1);
    *g->was_shown = scene_release(vault, "people", g->question, NULL, NULL) == SCRIM_OK;
    scrim_vault_close(vault);
}

/* Everybody who opens it: refused, or all is there that was answered, and no third answer is to be
 * had. True when it was opened. */
static bool attempt(const stage *g, uint64_t *shown, const char *what, uint64_t nth)
{
    char left[SCRIM_NUMBER_BYTES], answer[64];
    scrim_error error = {.message = ""};
    scrim_vault *vault = NULL;
    const scrim_status status = scrim_vault_open(g->s.path, NULL, &vault, &error);
    if (status == SCRIM_E_LEDGER)
        return false;
    if (status != SCRIM_OK) {
        CHECK_FAIL("%s %llu: %s", what, (unsigned long long)nth, error.message);
        return false;
    }
    (void)scene_left(vault, left);
    if (strcmp(left, "0.5") != 0 && strcmp(left, "0") != 0)
        CHECK_FAIL("%s %llu: %s is left", what, (unsigned long long)nth, left);
    if (recall(g, vault, answer))
        CHECK_STR(answer, g->answer);
    while (*shown < 4 &&
           scene_release(vault, "people", g->question, NULL, NULL) == SCRIM_OK)
        ++*shown;
    if (*shown > 2)
        CHECK_FAIL("%s %llu: %llu answers on a budget for 2", what,
                   (unsigned long long)nth, (unsigned long long)*shown);
    scrim_vault_close(vault);
    return true;
}

static bool try_state(const stage *g, const state *now, const bytes *journal,
                      const char *what, uint64_t nth)
{
    uint64_t shown = now->was_shown ? 2 : 1;
    write_bytes(g->s.path, &now->vault);
    write_bytes(g->journal, journal);
    (void)unlink(g->mark);
    const bool is_open = attempt(g, &shown, what, nth);
    (void)attempt(g, &shown, what, nth); /* whoever comes next */
    return is_open;
}

/* A bit of the journal is another; it is cut; it is gone. */
static bool try_damage(const stage *g, const state *now, uint64_t nth)
{
    bytes damaged = now->journal;
    const uint64_t bits = 8 * damaged.count;
    if (nth < bits) {
        damaged.start[nth / 8] ^= (unsigned char)(1u << nth % 8);
        const bool is_open = try_state(g, now, &damaged, "bit", nth);
        damaged.start[nth / 8] ^= (unsigned char)(1u << nth % 8);
        return is_open;
    }
    damaged.is_there = nth - bits < damaged.count;
    damaged.count = damaged.is_there ? nth - bits : 0;
    return try_state(g, now, &damaged, "cut to", nth - bits);
}

/* Until its first bytes are written, which is after the others, a journal is not used. */
static bool is_ready(const state *now)
{
    return now->journal.count > 0 && now->journal.start[0] != 0;
}

/* The states in which a spender can be killed while its journal is there. */
static size_t collect(stage *g, state states[STATES])
{
    syscalls_result result = {0};
    size_t count = 0;
    const uint64_t stride = check_count(7, 1);
    if (!syscalls_run(spend, g, &(syscalls_plan){0}, &result))
        return 0;
    CHECK(*g->was_shown);
    const uint64_t boundaries = result.boundaries;
    for (uint64_t at = boundaries / 4; at <= boundaries && count < STATES; at += stride) {
        state *now = &states[count];
        write_bytes(g->s.path, &g->before);
        (void)unlink(g->journal);
        *g->was_shown = false;
        CHECK(syscalls_run(spend, g, &(syscalls_plan){.kill_at = at}, &result));
        *now = (state){read_bytes(g->s.path), read_bytes(g->journal), *g->was_shown};
        if (now->journal.is_there &&
            (count == 0 || !is_same(&now->vault, &states[count - 1].vault) ||
             !is_same(&now->journal, &states[count - 1].journal))) {
            count++;
        } else {
            free(now->vault.start);
            free(now->journal.start);
        }
    }
    return count;
}

/* Changes that are tried in the long campaign, evenly over all bits and lengths: bytes of one kind that are a thousandth
 * of all are met with probability 1 - e^-25. Each change takes two openings of a vault. */
#define CHANGES 25000

SLOW_TEST(A82_damaged_journals)
{
    CLAIM("beside.verify");
    CLAIM("vault.charged");
    static state states[STATES];
    stage g;
    if (!begin_stage(&g))
        return;
    const size_t count = collect(&g, states);
    if (count == 0) {
        end_stage(&g);
        SKIP("this system does not let a process be traced");
    }
    uint64_t opened = 0, refused = 0;
    size_t ready = 0; /* whose journal will be used */
    for (size_t i = 0; i < count; i++)
        ready += is_ready(&states[i]);
    CHECK(ready > 0);
    for (size_t i = 0; i < count; i++) {
        state *now = &states[i];
        /* As it was left it is put back, and goes on. */
        CHECK(try_state(&g, now, &now->journal, "state", i));
        CHECK(access(g.mark, F_OK) != 0 && access(g.journal, F_OK) != 0);
        const uint64_t all = 9 * now->journal.count + 1;
        const uint64_t tries =
            is_ready(now) ? check_count(150, CHANGES) / (ready + 1) + 1 : 1;
        const uint64_t step = all / tries + 1;
        for (uint64_t nth = check_seed() * 7919 % step; nth < all; nth += step) {
            const bool is_open = try_damage(&g, now, nth);
            opened += is_open;
            refused += !is_open;
        }
        refused += !try_damage(&g, now, all - 1); /* gone */
    }
    CHECK(opened > 0 && refused > 0);
    for (size_t i = 0; i < count; i++) {
        free(states[i].vault.start);
        free(states[i].journal.start);
    }
    end_stage(&g);
}

/* Who verifies is killed at each step: whoever comes next verifies again, and a journal that was
 * damaged is never forgotten. */
SLOW_TEST(A82_killed_while_it_verifies)
{
    CLAIM("beside.verify");
    static state states[STATES];
    stage g;
    syscalls_result result = {.was_hit = true};
    if (!begin_stage(&g))
        return;
    const size_t count = collect(&g, states);
    if (count == 0) {
        end_stage(&g);
        SKIP("this system does not let a process be traced");
    }
    /* A state of the first commit: after it, the charge would be there either way. */
    state *now = &states[count / 3];
    const size_t at = now->journal.count / 2 + 1; /* in a page, where no sum looks */
    now->journal.start[at] ^= 1;
    for (uint64_t kill = 1; result.was_hit; kill += check_count(31, 1)) {
        uint64_t shown = 1;
        write_bytes(g.s.path, &now->vault);
        write_bytes(g.journal, &now->journal);
        (void)unlink(g.mark);
        CHECK(syscalls_run(spend, &g, &(syscalls_plan){.kill_at = kill}, &result));
        (void)attempt(&g, &shown, "killed at", kill);
        (void)attempt(&g, &shown, "killed at", kill);
    }
    for (size_t i = 0; i < count; i++) {
        free(states[i].vault.start);
        free(states[i].journal.start);
    }
    end_stage(&g);
}

static int charges_in(const char *path)
{
    sqlite3 *database = NULL;
    sqlite3_stmt *row = NULL;
    int count = -1;
    CHECK(sqlite3_open(path, &database) == SQLITE_OK);
    if (sqlite3_prepare_v2(database,
                           "SELECT count(*) FROM entries WHERE CAST(bytes AS TEXT) LIKE "
                           "'charge %'",
                           -1, &row, NULL) == SQLITE_OK &&
        sqlite3_step(row) == SQLITE_ROW)
        count = sqlite3_column_int(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(database);
    return count;
}

/* Refused, or the totals are those of the entries. */
static bool try_mixture(const stage *g, const bytes *vault, size_t nth)
{
    static const char *const want[] = {"1", "0.5", "0"};
    char left[SCRIM_NUMBER_BYTES];
    scrim_vault *opened = NULL;
    write_bytes(g->s.path, vault);
    if (scrim_vault_open(g->s.path, NULL, &opened, NULL) != SCRIM_OK)
        return false;
    (void)scene_left(opened, left);
    scrim_vault_close(opened);
    const int charges = charges_in(g->s.path);
    if (charges < 1 || charges > 2 || strcmp(left, want[charges]) != 0)
        CHECK_FAIL("mixture %llu: %d charges, %s is left", (unsigned long long)nth,
                   charges, left);
    return true;
}

/* Pages from before and from after a charge, in every mixture: what the file holds when the journal
 * of a commit that was cut short is lost. */
SLOW_TEST(A82_pages_of_two_commits)
{
    CLAIM("seal.together");
    stage g;
    size_t changed[16], count = 0;
    uint64_t refused = 0;
    if (!begin_stage(&g))
        return;
    spend(&g);
    bytes after = read_bytes(g.s.path);
    REQUIRE(*g.was_shown && after.count > 0 && after.count == g.before.count &&
            after.start != NULL && g.before.start != NULL);
    for (size_t at = 0; at < after.count; at += PAGE)
        if (memcmp(g.before.start + at, after.start + at, PAGE) != 0 && count < 16)
            changed[count++] = at;
    CHECK(count >= 4 && count <= 12);
    bytes mixed = {malloc(after.count), after.count, true};
    for (size_t mixture = 0; mixture < (size_t)1 << count; mixture++) {
        memcpy(mixed.start, g.before.start, after.count);
        for (size_t i = 0; i < count; i++)
            if ((mixture >> i & 1) != 0)
                memcpy(mixed.start + changed[i], after.start + changed[i], PAGE);
        refused += !try_mixture(&g, &mixed, mixture);
    }
    CHECK(refused >= ((uint64_t)1 << count) / 2);
    free(mixed.start);
    free(after.start);
    end_stage(&g);
}

/* Opening holds what it reads against the seal, and not only when somebody verifies. */
TEST(A82_opening_checks_the_seal)
{
    CLAIM("seal.together");
    static const char *const changes[] = {
        "UPDATE totals SET amount = '0.1'",
        "UPDATE totals SET delta = '0.1' WHERE analyst = 0",
        "UPDATE totals SET charges = 7",
        "DELETE FROM totals",
        "DELETE FROM totals WHERE analyst > 0",
        "UPDATE entries SET is_policy = 0 WHERE id = 4",
        ("UPDATE entries SET bytes = CAST(replace(bytes, 'epsilon=1', 'epsilon=9') AS "
         "BLOB) WHERE id = 4"),
        "UPDATE seal SET digest = zeroblob(32)",
        "DELETE FROM seal",
        /* The first charge never was, but for the totals. */
        ("DELETE FROM entries WHERE id > 5; DELETE FROM releases; UPDATE head SET "
         "generation = 5, hash = (SELECT hash FROM entries WHERE id = 5)"),
    };
    stage g;
    if (!begin_stage(&g))
        return;
    for (size_t i = 0; i < COUNT(changes); i++) {
        scrim_vault *vault = NULL;
        scene_execute(g.s.path, changes[i]);
        if (scrim_vault_open(g.s.path, NULL, &vault, NULL) != SCRIM_E_LEDGER)
            CHECK_FAIL("%s: it opens", changes[i]);
        scrim_vault_close(vault);
        write_bytes(g.s.path, &g.before);
    }
    uint64_t shown = 1;
    CHECK(attempt(&g, &shown, "unchanged", 0));
    end_stage(&g);
}
