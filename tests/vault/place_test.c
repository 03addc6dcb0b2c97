/* THREATS A43: a vault that is missing, empty, foreign, cut short, copied, moved or put back. */
#include "check.h"
#include "scene.h"
#include "vault/store/witness.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static scrim_status try_open(const char *path, scrim_error *error)
{
    scrim_vault *vault = NULL;
    scrim_status status = scrim_vault_open(path, NULL, &vault, error);
    scrim_vault_close(vault);
    return status;
}

static void check_refused(const char *path, const char *words)
{
    scrim_error error = {.message = ""};
    CHECK_STATUS(try_open(path, &error), SCRIM_E_LEDGER);
    if (strstr(error.message, words) == NULL)
        CHECK_FAIL("'%s' does not say '%s'", error.message, words);
}

static void write_file(const char *path, const char *text, mode_t mode)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
    CHECK(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
}

static void spend_once(const scene *s)
{
    scrim_vault *vault = scene_open(s);
    REQUIRE(vault != NULL);
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, NULL), SCRIM_OK);
    scrim_vault_close(vault);
}

TEST(A43_missing_empty_and_foreign_files)
{
    CLAIM("vault.place");
    CLAIM("store_sqlite.own");
    scene s;
    if (!scene_begin(&s))
        return;
    check_refused(s.path, "there is no vault at");
    CHECK(access(s.path, F_OK) != 0); /* and none was made */
    write_file(s.path, "", 0600);
    check_refused(s.path, "is not a vault");
    CHECK_STATUS(scrim_vault_init(s.path, NULL, NULL), SCRIM_E_LEDGER);
    struct stat file;
    CHECK(stat(s.path, &file) == 0 && file.st_size == 0);
    write_file(s.path, "not a database, whatever else it may be", 0600);
    check_refused(s.path, "not a vault");
    unlink(s.path);
    scene_execute(s.path, "CREATE TABLE t (x)");
    chmod(s.path, 0600);
    check_refused(s.path, "not a vault");
    unlink(s.path);
    mkdir(s.path, 0700);
    check_refused(s.path, "is not a vault");
    rmdir(s.path);
    CHECK_STATUS(scrim_vault_init("tests/missing/scrim.vault", NULL, NULL),
                 SCRIM_E_LEDGER);
    CHECK_STATUS(try_open("tests/missing/scrim.vault", NULL), SCRIM_E_LEDGER);
    scene_end(&s);
}

TEST(A43_rights_names_and_formats)
{
    CLAIM("store_sqlite.own");
    scene s;
    char other[128];
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    chmod(s.path, 0640);
    check_refused(s.path, "chmod 600");
    chmod(s.path, 0606);
    check_refused(s.path, "chmod 600");
    chmod(s.path, 0600);
    snprintf(other, sizeof other, "%s/other", s.folder);
    CHECK(link(s.path, other) == 0);
    check_refused(s.path, "second name");
    check_refused(other, "second name");
    unlink(other);
    CHECK(symlink(s.path, other) ==
          0); /* another way to the same file and the same log */
    CHECK_STATUS(try_open(other, NULL), SCRIM_OK);
    unlink(other);
    scene_execute(s.path, "PRAGMA user_version = 3");
    check_refused(s.path, "later version");
    scene_execute(s.path, "PRAGMA user_version = 2; CREATE TABLE more (x)");
    check_refused(s.path, "tables");
    scene_execute(s.path,
                  "DROP TABLE more; CREATE TRIGGER undo AFTER INSERT ON entries BEGIN "
                  "DELETE FROM entries WHERE id = new.id; END");
    check_refused(s.path, "tables");
    scene_execute(s.path, "DROP TRIGGER undo; PRAGMA application_id = 1");
    check_refused(s.path, "not a vault");
    scene_execute(s.path, "PRAGMA application_id = 0x73637269");
    CHECK_STATUS(try_open(s.path, NULL), SCRIM_OK);
    CHECK_STATUS(scrim_vault_init(s.path, NULL, NULL),
                 SCRIM_E_LEDGER); /* one is enough */
    CHECK_STATUS(try_open(s.path, NULL), SCRIM_OK);
    scene_end(&s);
}

TEST(vault_of_format_1_is_brought_up_to_date)
{
    CLAIM("journal.convert");
    scene s;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scene_execute(s.path, SCENE_FORMAT_1);
    CHECK_STATUS(try_open(s.path, NULL), SCRIM_OK);
    CHECK_STATUS(try_open(s.path, NULL), SCRIM_OK);
    scene_execute(s.path, "INSERT INTO pending VALUES (1, zeroblob(32), zeroblob(32), "
                          "zeroblob(32))");
    scene_execute(s.path, "INSERT INTO secrets VALUES ('a', zeroblob(32))");
    scene_execute(s.path, SCENE_FORMAT_1);
    scene_execute(s.path, "CREATE TABLE secrets (x)"); /* not a table of format 1 */
    check_refused(s.path, "tables");
    scene_end(&s);
}

/* This is the test build; tests/cli/vault_owner.sh looks at it from the other side. */
TEST(A10_vaults_of_the_other_build)
{
    CLAIM("vault.build");
    scene s;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    CHECK_STATUS(try_open(s.path, NULL), SCRIM_OK);
    REQUIRE(scene_make_real(&s));
    check_refused(s.path, "this vault is real");
    scrim_vault_state state;
    CHECK(scrim_vault_check(s.path, NULL, &state, NULL) != SCRIM_OK);
    scene_end(&s);
}

TEST(A43_copied_vault)
{
    CLAIM("vault.place");
    scene s;
    char copy[128], left[SCRIM_NUMBER_BYTES];
    scrim_vault *vault = NULL;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    spend_once(&s);
    snprintf(copy, sizeof copy, "%s/copy", s.folder);
    CHECK(scene_copy(s.path, copy));
    check_refused(copy, "copy of a vault");
    /* Accepted by the owner, it goes on from where it was, and says so in its ledger. */
    REQUIRE_OK(scrim_vault_open(copy, SCRIM_OPTIONS(scrim_vault_options, .is_moved = 1),
                                &vault, NULL));
    CHECK_STR(scene_left(vault, left), "0.9");
    scrim_vault_state state;
    CHECK_STATUS(scrim_vault_verify(vault, &state, NULL), SCRIM_OK);
    CHECK_INT(state.entries,
              8); /* init, place, 2 of the dataset, analyst, 2, and the move */
    scrim_vault_close(vault);
    CHECK_STATUS(try_open(copy, NULL), SCRIM_OK);
    /* Moved within its file system it is the same file. */
    char moved[128];
    snprintf(moved, sizeof moved, "%s/moved", s.folder);
    CHECK(rename(s.path, moved) == 0);
    CHECK_STATUS(try_open(moved, NULL), SCRIM_OK);
    scene_end(&s);
}

/* Not even where the program has the rights of the owner, and the caller has not. */
TEST(A43_copy_is_accepted_by_its_owner_alone)
{
    CLAIM("vault.identity");
    scene s;
    int status = 1;
    char other[128], owner[SCRIM_NAME_BYTES];
    if (getuid() != 0)
        SKIP("only the superuser can lend rights");
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    snprintf(other, sizeof other, "%s/other", s.folder);
    CHECK(scene_copy(s.path, other) && chmod(other, 0600) == 0);
    scrim_vault *own = scene_open(&s);
    REQUIRE(own != NULL);
    snprintf(owner, sizeof owner, "%s", scrim_vault_analyst(own));
    scrim_vault_close(own);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        scrim_vault *vault = NULL;
        CHECK(setreuid(65534, 0) == 0);
        CHECK_STATUS(scrim_vault_open(other,
                                      SCRIM_OPTIONS(scrim_vault_options, .is_moved = 1),
                                      &vault, NULL),
                     SCRIM_E_POLICY);
        CHECK_STATUS(scrim_vault_open(s.path, NULL, &vault, NULL), SCRIM_OK);
        CHECK(strcmp(scrim_vault_analyst(vault), owner) != 0);
        CHECK_STATUS(scrim_vault_remove_dataset(vault, "people", NULL), SCRIM_E_POLICY);
        scrim_vault_close(vault);
        _exit(0); /* a check that failed here counts */
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    check_refused(other, "copy of a vault");
    scene_end(&s);
}

/* Whether a file holds nothing but zeros from a place on: SQLite reads them where they are cut off,
 * too, so that nothing is lost. */
static bool ends_in_zeros(const char *path, off_t from)
{
    unsigned char byte;
    bool is_zero = true;
    int file = open(path, O_RDONLY);
    for (; is_zero && file >= 0 && pread(file, &byte, 1, from) == 1; from++)
        is_zero = byte == 0;
    if (file >= 0)
        close(file);
    return file >= 0 && is_zero;
}

TEST(A43_truncated_vault)
{
    CLAIM("vault.place");
    scene s;
    char copy[128];
    struct stat file = {0};
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    spend_once(&s);
    snprintf(copy, sizeof copy, "%s/copy", s.folder);
    CHECK(scene_copy(s.path, copy) && stat(s.path, &file) == 0);
    for (off_t size = 0; size < file.st_size; size += 1024) {
        scrim_vault_state state;
        CHECK(truncate(s.path, size) == 0);
        const bool is_ok = scrim_vault_check(s.path, NULL, &state, NULL) == SCRIM_OK;
        CHECK(!is_ok || (size % 4096 != 0 && ends_in_zeros(copy, size)));
        CHECK(scene_copy(copy, s.path));
    }
    CHECK_STATUS(try_open(s.path, NULL), SCRIM_OK);
    scene_end(&s);
}

/* Yesterday's file in place of today's: only a witness can tell. */
TEST(A43_rollback_is_noticed_by_the_witness)
{
    CLAIM("vault.place");
    scene s;
    char copy[128], left[SCRIM_NUMBER_BYTES];
    if (!scene_begin_vault(&s, "epsilon=1", true))
        return;
    spend_once(&s);
    snprintf(copy, sizeof copy, "%s/copy", s.folder);
    CHECK(scene_copy(s.path, copy));
    spend_once(&s);
    CHECK(scene_copy(copy, s.path));
    check_refused(s.path, "earlier state");
    /* Another history of the same length is noticed as well. */
    unlink(s.witness);
    check_refused(s.path, "witness");
    scene_end(&s);
    /* And without a witness the budget would be back: this is what it is for. */
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    snprintf(copy, sizeof copy, "%s/copy", s.folder);
    CHECK(scene_copy(s.path, copy));
    spend_once(&s);
    CHECK(scene_copy(copy, s.path));
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    CHECK_STR(scene_left(vault, left), "1");
    scrim_vault_close(vault);
    scene_end(&s);
}

/* Two that go on from one state: whoever is second is refused, also when both were open before. */
TEST(A43_fork_is_noticed_by_the_witness)
{
    CLAIM("vault.place");
    scene s;
    char other[128];
    scrim_vault *copy = NULL;
    scrim_error error = {.message = ""};
    if (!scene_begin_vault(&s, "epsilon=1", true))
        return;
    snprintf(other, sizeof other, "%s/other", s.folder);
    for (int more = 0; more < 2; more++) {
        scrim_vault *vault = scene_open(&s);
        REQUIRE(vault != NULL);
        unlink(other);
        CHECK(scene_copy(s.path, other) && chmod(other, 0600) == 0);
        REQUIRE_OK(scrim_vault_open(
            other, SCRIM_OPTIONS(scrim_vault_options, .is_moved = 1), &copy, NULL));
        if (more) { /* then the witness is further, and not only elsewhere */
            CHECK_STATUS(scene_spend(copy, "0.1", NULL, NULL), SCRIM_OK);
            CHECK_STATUS(scene_spend(copy, "0.1", NULL, NULL), SCRIM_OK);
        }
        CHECK_STATUS(scene_spend(vault, "0.1", NULL, &error), SCRIM_E_LEDGER);
        CHECK(strstr(error.message, "put back to an earlier state") != NULL);
        scrim_vault_close(vault);
        check_refused(s.path, "put back to an earlier state");
        CHECK_STATUS(scene_spend(copy, "0.1", NULL, NULL), SCRIM_OK);
        scrim_vault_close(copy);
        unlink(s.path); /* the copy is the vault now */
        CHECK(rename(other, s.path) == 0);
    }
    CHECK(scene_verifies(&s, &(scrim_vault_state){0}));
    scene_end(&s);
}

/* A name that led elsewhere would be that of a file here after the next charge. */
TEST(A43_witness_behind_a_link)
{
    CLAIM("vault.place");
    scene s;
    char other[128];
    struct stat file;
    if (!scene_begin(&s))
        return;
    snprintf(other, sizeof other, "%s/elsewhere", s.folder);
    REQUIRE(symlink(other, s.witness) == 0);
    CHECK_STATUS(
        scrim_vault_init(s.path, SCRIM_OPTIONS(scrim_vault_options, .witness = s.witness),
                         NULL),
        SCRIM_E_LEDGER);
    CHECK(access(s.path, F_OK) != 0);
    CHECK(lstat(s.witness, &file) == 0 && S_ISLNK(file.st_mode));
    scene_end(&s);
    if (!scene_begin_vault(&s, "epsilon=1", true))
        return;
    snprintf(other, sizeof other, "%s/elsewhere", s.folder);
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    CHECK(rename(s.witness, other) == 0 && symlink(other, s.witness) == 0);
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, NULL), SCRIM_E_LEDGER);
    scrim_vault_close(vault);
    check_refused(s.path, "is a link");
    CHECK(lstat(s.witness, &file) == 0 && S_ISLNK(file.st_mode));
    scene_end(&s);
}

/* Who starts a program that runs as the owner chooses its umask. */
TEST(A43_witness_under_any_umask)
{
    CLAIM("witness.forward");
    scene s;
    struct stat file;
    if (!scene_begin_vault(&s, "epsilon=1", true))
        return;
    const mode_t mask = umask(0777);
    spend_once(&s);
    umask(mask);
    CHECK(stat(s.witness, &file) == 0 && (file.st_mode & 07777) == 0600);
    CHECK(stat(s.path, &file) == 0 && (file.st_mode & 07777) == 0600);
    CHECK(scene_verifies(&s, &(scrim_vault_state){0}));
    scene_end(&s);
}

TEST(A43_witness_of_another_vault)
{
    CLAIM("vault.place");
    scene a, b;
    if (!scene_begin_vault(&a, "epsilon=1", true) ||
        !scene_begin_vault(&b, "epsilon=1", true))
        return;
    spend_once(&b);
    CHECK(scene_copy(b.witness, a.witness));
    check_refused(a.path, "another vault");
    write_file(a.witness, "scrim-witness 1\n", 0600);
    check_refused(a.path, "not a witness");
    CHECK_STATUS(try_open(b.path, NULL), SCRIM_OK);
    /* A witness that exists is not taken for a new one. */
    char path[128];
    snprintf(path, sizeof path, "%s/second", b.folder);
    CHECK_STATUS(
        scrim_vault_init(path, SCRIM_OPTIONS(scrim_vault_options, .witness = b.witness),
                         NULL),
        SCRIM_E_LEDGER);
    CHECK(access(path, F_OK) != 0);
    CHECK_STATUS(try_open(b.path, NULL), SCRIM_OK);
    scene_end(&a);
    scene_end(&b);
}

static scrim_status write_witness(const char *path, const sc_witness *witness,
                                  sc_witness_step step, int wait_ms)
{
    sc_witness_writer *writer = NULL;
    scrim_status status = sc_witness_prepare(path, witness, step, wait_ms, &writer, NULL);
    return status == SCRIM_OK ? sc_witness_publish(writer, NULL) : status;
}

TEST(witness_goes_forward_only)
{
    CLAIM("witness.forward");
    scene s;
    sc_witness witness = {.identity = {{7}}, .chain = {5, {{1}}}}, now;
    if (!scene_begin(&s))
        return;
    CHECK_STATUS(write_witness(s.witness, &witness, SC_WITNESS_NEXT, 10), SCRIM_E_LEDGER);
    REQUIRE_OK(write_witness(s.witness, &witness, SC_WITNESS_NEW, 10));
    witness.chain = (sc_chain){9, {{2}}};
    REQUIRE_OK(write_witness(s.witness, &witness, SC_WITNESS_NEXT, 10));
    witness.chain = (sc_chain){6, {{3}}};
    REQUIRE_OK(write_witness(s.witness, &witness, SC_WITNESS_NEXT, 10));
    REQUIRE_OK(sc_witness_read(s.witness, &now, NULL));
    CHECK(now.chain.generation == 9 && now.chain.head.bytes[0] == 2);
    /* One at a time; who gives up has changed nothing, and is in nobody's way. */
    sc_witness_writer *first = NULL;
    witness.chain = (sc_chain){10, {{4}}};
    REQUIRE_OK(
        sc_witness_prepare(s.witness, &witness, SC_WITNESS_NEXT, 10, &first, NULL));
    CHECK_STATUS(write_witness(s.witness, &witness, SC_WITNESS_NEXT, 10), SCRIM_E_BUSY);
    sc_witness_abandon(first);
    REQUIRE_OK(sc_witness_read(s.witness, &now, NULL));
    CHECK_INT(now.chain.generation, 9);
    /* Many at once, in any order: nobody finds less than they have written. */
    const uint64_t writers = check_count(4, 32), writes = check_count(48, 500);
    for (uint64_t i = 0; i < writers; i++) {
        pid_t child = fork();
        if (child == 0) {
            for (uint64_t k = 0; k < writes; k++) {
                witness.chain.generation = 10 + (k ^ 3) * writers + i;
                CHECK_STATUS(write_witness(s.witness, &witness, SC_WITNESS_NEXT, 60000),
                             SCRIM_OK);
                CHECK_STATUS(sc_witness_read(s.witness, &now, NULL), SCRIM_OK);
                CHECK(now.chain.generation >= witness.chain.generation);
            }
            _exit(0);
        }
        CHECK(child > 0);
    }
    for (uint64_t i = 0; i < writers; i++) {
        int status = 0;
        CHECK(wait(&status) > 0 && status == 0);
    }
    REQUIRE_OK(sc_witness_read(s.witness, &now, NULL));
    CHECK_INT(now.chain.generation, 9 + writers * writes);
    char next[128];
    snprintf(next, sizeof next, "%s.next", s.witness);
    CHECK(access(next, F_OK) != 0);
    scene_end(&s);
}

/* A vault is not opened, and not only not verified, when its head is not that of its last entry. */
TEST(A43_head_without_its_entry)
{
    CLAIM("vault.place");
    static const char *const changes[] = {
        "UPDATE head SET hash = zeroblob(32)",
        "UPDATE head SET generation = 6, hash = (SELECT hash FROM entries WHERE id = 6)",
        "UPDATE head SET generation = 8",
        "UPDATE head SET generation = 0, hash = zeroblob(32)",
        "DELETE FROM entries WHERE id = 7",
        "UPDATE entries SET hash = zeroblob(32) WHERE id = 7",
        "DELETE FROM head",
    };
    scene s;
    char copy[128];
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    spend_once(&s);
    snprintf(copy, sizeof copy, "%s/copy", s.folder);
    CHECK(scene_copy(s.path, copy));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        scene_execute(s.path, changes[i]);
        if (try_open(s.path, NULL) != SCRIM_E_LEDGER)
            CHECK_FAIL("%s: it opens", changes[i]);
        CHECK(scene_copy(copy, s.path));
    }
    CHECK_STATUS(try_open(s.path, NULL), SCRIM_OK);
    scene_end(&s);
}

/* Changes to the file behind the back of a handle that is open. */
TEST(A43_open_handle_reads_on_with_care)
{
    CLAIM("vault.place");
    CLAIM("chain.binds");
    static const struct {
        const char *statement, *words;
    } changes[] = {
        /* One entry more, which says what it likes and is not in the chain. */
        {"INSERT INTO entries SELECT 8, 1, CAST('share 1 0 0.9 -' AS BLOB), hash FROM "
         "entries WHERE id = 7; UPDATE head SET generation = 8",
         "chain"},
        {"INSERT INTO entries VALUES (8, 0, CAST('charge 1 1 1 0 0' AS BLOB), "
         "zeroblob(32)); UPDATE head SET generation = 8, hash = zeroblob(32)",
         "chain"},
        /* A head that has run ahead. */
        {"UPDATE head SET generation = 9", "chain"},
        /* The last release and its charge are gone, as if they had not been. */
        {"DELETE FROM entries WHERE id > 5; DELETE FROM releases; DELETE FROM totals; "
         "UPDATE head SET generation = 5, hash = (SELECT hash FROM entries WHERE id = 5)",
         "earlier state"},
        {"UPDATE head SET hash = zeroblob(32)", "earlier state"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        scene s;
        scrim_error error = {.message = ""};
        if (!scene_begin_vault(&s, "epsilon=1", false))
            return;
        scrim_vault *vault = scene_open(&s);
        REQUIRE(vault != NULL);
        CHECK_STATUS(scene_spend(vault, "0.1", NULL, NULL), SCRIM_OK);
        scene_execute(s.path, changes[i].statement);
        CHECK_STATUS(scene_spend(vault, "0.1", NULL, &error), SCRIM_E_LEDGER);
        if (strstr(error.message, changes[i].words) == NULL)
            CHECK_FAIL("%s: %s", changes[i].statement, error.message);
        scrim_vault_close(vault);
        scene_end(&s);
    }
}

/* Writes behind the library's back are found. */
/* Nor is it shown to anybody, before it is verified or after. */
TEST(vault_replay_refuses_a_changed_answer)
{
    static const char *const changes[] = {
        "UPDATE releases SET answer = CAST('1' AS BLOB) WHERE id = 6",
        "UPDATE releases SET answer = (SELECT answer || ' ' FROM releases WHERE id = 8)",
        "UPDATE releases SET answer = CAST(answer || x'00' || 'more' AS BLOB)",
        "DELETE FROM entries WHERE id = 7", /* the digest */
    };
    scene s;
    char copy[128];
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    spend_once(&s);
    spend_once(&s);
    snprintf(copy, sizeof copy, "%s/copy", s.folder);
    CHECK(scene_copy(s.path, copy));
    for (size_t i = 0; i <= COUNT(changes); i++) {
        scrim_vault_release release = {.answer = NULL};
        scrim_vault *vault = NULL;
        if (i < COUNT(changes))
            scene_execute(s.path, changes[i]);
        scrim_status status = scrim_vault_open(s.path, NULL, &vault, NULL);
        if (status == SCRIM_OK)
            status = scrim_vault_replay(vault, 1, &release, NULL);
        CHECK_STATUS(status, i < COUNT(changes) ? SCRIM_E_LEDGER : SCRIM_OK);
        scrim_vault_release_clear(&release);
        scrim_vault_close(vault);
        CHECK(scene_copy(copy, s.path));
    }
    scene_end(&s);
}

TEST(vault_verify_finds_every_change)
{
    CLAIM("vault.verified");
    static const char *const changes[] = {
        "UPDATE entries SET bytes = CAST(replace(bytes, '0.1', '2') AS BLOB) WHERE id=6",
        "UPDATE entries SET hash = zeroblob(32) WHERE id = 3",
        "UPDATE entries SET bytes = x'00' WHERE id = 3",
        "UPDATE entries SET is_policy = 1 WHERE id = 6",
        "UPDATE entries SET is_policy = 0 WHERE id = 5",
        "DELETE FROM entries WHERE id = 7",
        "DELETE FROM entries WHERE id = 9",
        "DELETE FROM entries",
        "INSERT INTO entries SELECT 10, 0, bytes, hash FROM entries WHERE id = 6",
        "UPDATE head SET generation = 8",
        "UPDATE head SET generation = 4611686018427387904",
        "UPDATE head SET hash = zeroblob(32)",
        "UPDATE head SET generation = 7, hash = (SELECT hash FROM entries WHERE id = 7)",
        "UPDATE totals SET amount = '0' WHERE analyst = 0",
        "UPDATE totals SET amount = '0.10' WHERE analyst = 0",
        "UPDATE totals SET delta = '0.1' WHERE analyst = 1",
        "UPDATE totals SET charges = 1 WHERE analyst = 1",
        "DELETE FROM totals WHERE analyst = 1",
        "INSERT INTO totals VALUES (1, 7, '0', '0', 0)",
        "UPDATE releases SET answer = CAST('1' AS BLOB) WHERE id = 6",
        "UPDATE releases SET answer = x'' WHERE id = 6",
        "UPDATE releases SET answer = CAST(answer || x'00' || 'more' AS BLOB)",
        "UPDATE releases SET question = zeroblob(32) WHERE id = 8",
        "UPDATE releases SET question = x'00' WHERE id = 8",
        "DELETE FROM releases WHERE id = 6",
        "UPDATE releases SET id = 5 WHERE id = 6",
        "INSERT INTO releases SELECT 3, question, answer FROM releases LIMIT 1",
    };
    scene s;
    char copy[128];
    scrim_vault_state state;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    spend_once(&s);
    spend_once(&s);
    REQUIRE(scene_verifies(&s, &state));
    CHECK_INT(state.entries, 9);
    snprintf(copy, sizeof copy, "%s/copy", s.folder);
    CHECK(scene_copy(s.path, copy));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        scene_execute(s.path, changes[i]);
        scrim_error error = {.message = ""};
        scrim_status status = scrim_vault_check(s.path, NULL, &state, &error);
        if (status != SCRIM_E_CHECK)
            CHECK_FAIL("%s: %d %s", changes[i], (int)status, error.message);
        CHECK(scene_copy(copy, s.path));
    }
    CHECK(scene_verifies(&s, &state));
    scene_end(&s);
}
