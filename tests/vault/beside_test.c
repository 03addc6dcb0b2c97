/* Attack A81: files beside the vault that SQLite would read, and folders in which others can put
 * them. */
#include "check.h"
#include "scene.h"
#include "syscalls.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096
#define NOBODY 65534

static void check_refused(const char *path, const char *words)
{
    scrim_error error = {.message = ""};
    scrim_vault *vault = NULL;
    CHECK_STATUS(scrim_vault_open(path, NULL, &vault, &error), SCRIM_E_LEDGER);
    scrim_vault_close(vault);
    if (strstr(error.message, words) == NULL)
        CHECK_FAIL("'%s' does not say '%s'", error.message, words);
}

static void check_left(const scene *s, const char *want)
{
    char left[SCRIM_NUMBER_BYTES];
    scrim_vault *vault = scene_open(s);
    REQUIRE(vault != NULL);
    CHECK_STR(scene_left(vault, left), want);
    scrim_vault_close(vault);
}

static void spend_once(const scene *s)
{
    scrim_vault *vault = scene_open(s);
    REQUIRE(vault != NULL);
    CHECK_STATUS(scene_spend(vault, "0.5", NULL, NULL), SCRIM_OK);
    scrim_vault_close(vault);
}

static void put_number(unsigned char *bytes, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(number >> (24 - 8 * i));
}

/* A journal of SQLite's that puts back the whole of an earlier file. */
static void write_journal(const char *earlier, const char *journal)
{
    unsigned char header[512] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    unsigned char page[PAGE], number[4];
    struct stat file = {0};
    CHECK(stat(earlier, &file) == 0);
    int in = open(earlier, O_RDONLY);
    int out = open(journal, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const uint32_t pages = (uint32_t)(file.st_size / PAGE);
    put_number(header + 8, pages);
    put_number(header + 12, 7); /* what its sums begin with */
    put_number(header + 16, pages);
    put_number(header + 20, sizeof header);
    put_number(header + 24, PAGE);
    CHECK(in >= 0 && out >= 0 && write(out, header, sizeof header) == sizeof header);
    for (uint32_t i = 1; i <= pages; i++) {
        uint32_t sum = 7;
        CHECK(read(in, page, sizeof page) == sizeof page);
        for (int at = PAGE - 200; at > 0; at -= 200)
            sum += page[at];
        put_number(number, i);
        CHECK(write(out, number, sizeof number) == sizeof number &&
              write(out, page, sizeof page) == sizeof page);
        put_number(number, sum);
        CHECK(write(out, number, sizeof number) == sizeof number);
    }
    close(in);
    close(out);
}

static void open_traced(void *context)
{
    scrim_vault *vault = NULL;
    const scene *s = context;
    if (scrim_vault_open(s->path, NULL, &vault, NULL) != SCRIM_OK)
        _exit(1);
    scrim_vault_close(vault);
}

/* The mark that asks for a verification is on the disk, and so is its name, before anything of the
 * journal is in the file: whatever happens then, the mark is found. */
TEST(A82_the_mark_is_durable_before_the_journal_is_used)
{
    CLAIM("beside.verify");
    enum { CALLS = 200 };
    static syscalls_call log[CALLS];
    scene s;
    char earlier[128], journal[128], mark[128];
    syscalls_result result;
    bool is_marked = false, is_named = false, is_used = false;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    snprintf(earlier, sizeof earlier, "%s/earlier", s.folder);
    snprintf(journal, sizeof journal, "%s-journal", s.path);
    snprintf(mark, sizeof mark, "%s-unverified", s.path);
    CHECK(scene_copy(s.path, earlier));
    spend_once(&s);
    write_journal(earlier, journal);
    const syscalls_plan plan = {.log = log, .log_capacity = CALLS};
    if (!syscalls_run(open_traced, &s, &plan, &result)) {
        scene_end(&s);
        SKIP("this system does not let a process be traced");
    }
    CHECK_INT(result.wait_status, 0);
    for (size_t i = 0; i < result.storage_calls && i < CALLS; i++) {
        const syscalls_call *call = &log[i];
        if (strcmp(call->path, s.path) == 0) {
            CHECK(is_marked && is_named);
            is_used = true;
        } else if (call->is_sync && strcmp(call->path, mark) == 0) {
            is_marked = true;
        } else if (call->is_sync && strcmp(call->path, s.folder) == 0) {
            is_named = is_marked;
        }
    }
    CHECK(is_used);
    scene_end(&s);
}

/* The journal would give the budget back. It does so once it is the owner's own, which only the
 * owner can arrange, and only a witness can tell. */
TEST(A81_foreign_journal)
{
    CLAIM("beside.own");
    scene s;
    char earlier[128], journal[128], other[128];
    struct stat before, after;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    snprintf(earlier, sizeof earlier, "%s/earlier", s.folder);
    snprintf(journal, sizeof journal, "%s-journal", s.path);
    snprintf(other, sizeof other, "%s/other", s.folder);
    CHECK(scene_copy(s.path, earlier));
    spend_once(&s);
    CHECK(stat(s.path, &before) == 0);
    write_journal(earlier, journal);
    CHECK(chmod(journal, 0660) == 0);
    check_refused(s.path, "is not a file of the vault's owner alone");
    CHECK(chmod(journal, 0600) == 0 && link(journal, other) == 0);
    check_refused(s.path, "is not a file of the vault's owner alone");
    CHECK(unlink(journal) == 0 && symlink(other, journal) == 0);
    check_refused(s.path, "is not a file of the vault's owner alone");
    CHECK(unlink(journal) == 0);
    if (getuid() == 0) {
        CHECK(rename(other, journal) == 0 && chown(journal, NOBODY, NOBODY) == 0);
        check_refused(s.path, "is not a file of the vault's owner alone");
        CHECK(unlink(journal) == 0);
    }
    CHECK(mkdir(journal, 0700) == 0);
    check_refused(s.path, "is not a file of the vault's owner alone");
    CHECK(rmdir(journal) == 0);
    CHECK(stat(s.path, &after) == 0 && after.st_mtim.tv_sec == before.st_mtim.tv_sec &&
          after.st_mtim.tv_nsec == before.st_mtim.tv_nsec);
    check_left(&s, "0.5");
    /* The journal is one indeed. */
    write_journal(earlier, journal);
    check_left(&s, "1");
    scene_end(&s);
}

/* Also by a handle that was open before it was put there. */
TEST(A81_foreign_journal_beside_an_open_vault)
{
    CLAIM("beside.own");
    scene s;
    char earlier[128], journal[128], left[SCRIM_NUMBER_BYTES];
    scrim_budget budget;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    snprintf(earlier, sizeof earlier, "%s/earlier", s.folder);
    snprintf(journal, sizeof journal, "%s-journal", s.path);
    CHECK(scene_copy(s.path, earlier));
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    CHECK_STATUS(scene_spend(vault, "0.5", NULL, NULL), SCRIM_OK);
    write_journal(earlier, journal);
    CHECK(chmod(journal, 0640) == 0);
    CHECK_STATUS(scrim_vault_budget(vault, 0, NULL, &budget, NULL), SCRIM_E_LEDGER);
    CHECK_STATUS(scene_spend(vault, "0.5", NULL, NULL), SCRIM_E_LEDGER);
    CHECK(unlink(journal) == 0);
    CHECK_STR(scene_left(vault, left), "0.5");
    scrim_vault_close(vault);
    scene_end(&s);
}

/* A journal that names a further one is played back or not as that is there or not. */
TEST(A81_journal_that_names_another)
{
    CLAIM("beside.own");
    static const char name[] = "\0\0\0\1/tmp/mj";
    static const unsigned char end[] = {0,    0,    0,    7,    0,    0,    0x02, 0x6a,
                                        0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    scene s;
    char journal[128];
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    snprintf(journal, sizeof journal, "%s-journal", s.path);
    write_journal(s.path, journal);
    int file = open(journal, O_WRONLY | O_APPEND);
    CHECK(file >= 0 && write(file, name, sizeof name - 1) == sizeof name - 1 &&
          write(file, end, sizeof end) == sizeof end);
    close(file);
    check_refused(s.path, "names further files");
    CHECK(unlink(journal) == 0);
    check_left(&s, "1");
    scene_end(&s);
}

/* SQLite reads a log that is beside a file even where the file needs no log. */
TEST(A81_logs_beside_a_vault_without)
{
    CLAIM("beside.own");
    static const char *const tails[] = {"-wal", "-shm"};
    scene s;
    char name[128];
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    for (size_t i = 0; i < COUNT(tails); i++) {
        snprintf(name, sizeof name, "%s%s", s.path, tails[i]);
        CHECK(scene_copy(s.path, name));
        check_refused(s.path, "keeps no log beside it; move that file away");
        scrim_vault_state state;
        CHECK_STATUS(scrim_vault_check(s.path, NULL, &state, NULL), SCRIM_E_LEDGER);
        CHECK(unlink(name) == 0);
        check_left(&s, "1");
    }
    scene_end(&s);
}

static void check_folder(const scene *s, const char *folder, mode_t mode,
                         const char *words)
{
    char another[160];
    struct stat before;
    scrim_error error = {.message = ""};
    CHECK(stat(folder, &before) == 0 && chmod(folder, mode) == 0);
    check_refused(s->path, words);
    snprintf(another, sizeof another, "%s/another", s->folder);
    CHECK_STATUS(scrim_vault_init(another, NULL, &error), SCRIM_E_LEDGER);
    if (strstr(error.message, words) == NULL)
        CHECK_FAIL("'%s' does not say '%s'", error.message, words);
    CHECK(access(another, F_OK) != 0);
    CHECK(chmod(folder, before.st_mode & 07777) == 0);
    check_left(s, "1");
}

TEST(A81_folders_that_others_can_write)
{
    CLAIM("safe_folder.closed");
    CLAIM("store_sqlite.own");
    scene s;
    char below[80], path[96], advice[128];
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    snprintf(advice, sizeof advice, "run chmod g-w '%s'", s.folder);
    check_folder(&s, s.folder, 0770, advice);
    check_folder(&s, s.folder, 01770, "mkdir -m 700");
    snprintf(advice, sizeof advice, "run chmod o-w '%s'", s.folder);
    check_folder(&s, s.folder, 0702, advice);
    snprintf(advice, sizeof advice, "run chmod go-w '%s'", s.folder);
    check_folder(&s, s.folder, 0777, advice);
    check_folder(&s, s.folder, 01777, "mkdir -m 700"); /* and never chmod /tmp */
    if (getuid() == 0) {
        CHECK(chown(s.folder, NOBODY, NOBODY) == 0);
        check_refused(s.path, "belongs to another user");
        CHECK(chown(s.folder, 0, 0) == 0);
    }
    /* One folder further up. */
    snprintf(below, sizeof below, "%s/below", s.folder);
    snprintf(path, sizeof path, "%s/vault", below);
    CHECK(mkdir(below, 0755) == 0 && rename(s.path, path) == 0);
    scene lower = s;
    snprintf(lower.folder, sizeof lower.folder, "%.63s", below);
    snprintf(lower.path, sizeof lower.path, "%s", path);
    check_folder(&lower, s.folder, 0777, "run chmod go-w");
    check_folder(&lower, s.folder, 0770, "run chmod go-w");
    if (getuid() == 0) {
        CHECK(chown(s.folder, NOBODY, NOBODY) == 0);
        check_refused(lower.path, "below folders that only its owner can write");
        CHECK(chown(s.folder, 0, 0) == 0);
    }
    CHECK(chmod(s.folder, 01777) == 0);
    check_left(&lower, "1"); /* where everybody keeps what is theirs */
    scene_end(&lower);
    scene_end(&s);
}

/* A process that was killed between making a file and setting its mode, under a umask that takes
 * all rights, blocks nobody. The superuser would not notice. */
TEST(A87_umask_and_a_kill_block_nobody)
{
    CLAIM("safe_folder.regain");
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        scene s;
        char name[128];
        CHECK(getuid() != 0 || setuid(NOBODY) == 0);
        if (!scene_begin_vault(&s, "epsilon=1", true))
            _exit(1);
        const char *const paths[] = {s.path, s.witness};
        static const char *const tails[] = {"-journal", ".next"};
        for (size_t i = 0; i < 2; i++) {
            snprintf(name, sizeof name, "%s%s", paths[i], tails[i]);
            const int file = open(name, O_WRONLY | O_CREAT, 0);
            CHECK(file >= 0 && close(file) == 0);
        }
        spend_once(&s);
        check_left(&s, "0.5");
        scene_end(&s);
        _exit(0); /* a check that failed here counts */
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

/* Who can replace the witness can take back what it has seen. */
TEST(A81_witness_that_others_can_replace)
{
    CLAIM("safe_folder.closed");
    CLAIM("vault.place");
    scene s;
    char folder[80], witness[96], path[112];
    scrim_error error = {.message = ""};
    if (!scene_begin(&s))
        return;
    snprintf(folder, sizeof folder, "%s/elsewhere", s.folder);
    snprintf(witness, sizeof witness, "%s/witness", folder);
    snprintf(path, sizeof path, "%s-second", s.path);
    CHECK(mkdir(folder, 0755) == 0);
    const scrim_vault_options options = {.size = sizeof options, .witness = witness};
    REQUIRE_OK(scrim_vault_init(s.path, &options, NULL));
    CHECK(chmod(folder, 0775) == 0);
    check_refused(s.path, "others can put files beside the vault's witness");
    CHECK(unlink(witness) == 0); /* and none is made for it */
    check_refused(s.path, "others can put files beside the vault's witness");
    CHECK(access(witness, F_OK) != 0);
    CHECK_STATUS(scrim_vault_init(path, &options, &error), SCRIM_E_LEDGER);
    CHECK(strstr(error.message, "run chmod g-w") != NULL && access(path, F_OK) != 0);
    CHECK(chmod(folder, 0755) == 0);
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    scrim_vault_close(vault);
    CHECK(chmod(witness, 0620) == 0);
    check_refused(s.path, "is not a file that its owner alone can write");
    CHECK(unlink(witness) == 0 && mkfifo(witness, 0600) == 0);
    check_refused(s.path, "is not a file that its owner alone can write");
    CHECK(unlink(witness) == 0 && rmdir(folder) == 0);
    scene_end(&s);
}
