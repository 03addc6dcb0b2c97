/* Attack A108: a backup that is copied over the vault, into the same file, gives budget back unnoticed
 * unless there is a witness. A vault has one where its owner did not refuse it, and goes on without it,
 * or from an earlier state, only if its owner says so. */
#include "check.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct stage {
    scene s;
    char state[96], folder[112], copy[112];
    char *witness;
} stage;

static char *witness_of(const char *path)
{
    char *witness = NULL;
    scrim_vault *vault = NULL;
    if (CHECK_STATUS(scrim_vault_open(path, NULL, &vault, NULL), SCRIM_OK))
        CHECK_STATUS(scrim_vault_witness(vault, &witness, NULL), SCRIM_OK);
    scrim_vault_close(vault);
    return witness;
}

/* A vault whose witness is in a state folder of its own, which a copy was made of before a charge. */
static bool begin(stage *t)
{
    *t = (stage){.witness = NULL};
    if (!scene_begin(&t->s))
        return false;
    snprintf(t->state, sizeof t->state, "%s/state", t->s.folder);
    snprintf(t->folder, sizeof t->folder, "%s/scrim", t->state);
    snprintf(t->copy, sizeof t->copy, "%s/backup", t->s.folder);
    CHECK(setenv("XDG_STATE_HOME", t->state, 1) == 0);
    const scrim_vault_options options = {.size = sizeof options,
                                         .witness_place = SCRIM_WITNESS_STATE};
    if (!CHECK_STATUS(scrim_vault_init(t->s.path, &options, NULL), SCRIM_OK))
        return false;
    t->witness = witness_of(t->s.path);
    scrim_vault *vault = scene_open(&t->s);
    CHECK_STATUS(
        scrim_vault_add_dataset(
            vault, "people", "unit=row\nneighbours=add-remove\nbudget=epsilon=1\n", NULL),
        SCRIM_OK);
    CHECK(scene_copy(t->s.path, t->copy));
    CHECK_STATUS(scene_spend(vault, "0.5", NULL, NULL), SCRIM_OK);
    scrim_vault_close(vault);
    return t->witness != NULL;
}

static void end(stage *t)
{
    char command[160];
    scrim_vault_text_free(t->witness);
    snprintf(command, sizeof command, "rm -rf '%s'", t->state);
    CHECK(system(command) == 0); // NOLINT(cert-env33-c): rm -rf of the own folder
    CHECK(unsetenv("XDG_STATE_HOME") == 0);
    scene_end(&t->s);
}

static scrim_status open_with(const stage *t, scrim_vault_options options,
                              scrim_error *error)
{
    scrim_vault *vault = NULL;
    options.size = sizeof options;
    scrim_status status = scrim_vault_open(t->s.path, &options, &vault, error);
    scrim_vault_close(vault);
    return status;
}

static void check_refused(const stage *t, scrim_vault_options options,
                          const char *parameter)
{
    scrim_error error = {.message = ""};
    CHECK_STATUS(open_with(t, options, &error), SCRIM_E_LEDGER);
    CHECK_INT(error.reason, SCRIM_REASON_MOVED);
    CHECK_STR(error.parameter, parameter);
}

static uint64_t left_of(const stage *t, char left[SCRIM_NUMBER_BYTES])
{
    scrim_vault *vault = scene_open(&t->s);
    scrim_vault_state state = {0};
    if (!CHECK(vault != NULL))
        return 0;
    (void)scene_left(vault, left);
    CHECK_STATUS(scrim_vault_verify(vault, &state, NULL), SCRIM_OK);
    scrim_vault_close(vault);
    return state.entries;
}

TEST(A108_witness_in_the_state_folder)
{
    CLAIM("vault.place");
    stage t;
    struct stat found;
    if (!begin(&t))
        return;
    CHECK(strncmp(t.witness, t.folder, strlen(t.folder)) == 0);
    CHECK(stat(t.witness, &found) == 0 && (found.st_mode & 0777) == 0600);
    CHECK(stat(t.folder, &found) == 0 && (found.st_mode & 0777) == 0700);
    CHECK(stat(t.state, &found) == 0 && (found.st_mode & 0777) == 0700);
    /* A second vault has another name there. */
    char second[112];
    snprintf(second, sizeof second, "%s/second.vault", t.s.folder);
    const scrim_vault_options options = {.size = sizeof options,
                                         .witness_place = SCRIM_WITNESS_STATE};
    CHECK_STATUS(scrim_vault_init(second, &options, NULL), SCRIM_OK);
    char *other = witness_of(second);
    CHECK(other != NULL && strcmp(other, t.witness) != 0);
    scrim_vault_text_free(other);
    /* The environment matters only when the vault is made. */
    CHECK(unsetenv("XDG_STATE_HOME") == 0);
    CHECK_STATUS(open_with(&t, (scrim_vault_options){0}, NULL), SCRIM_OK);
    end(&t);
}

TEST(A108_backup_over_the_vault_is_refused)
{
    CLAIM("vault.place");
    CLAIM("witness.forward");
    stage t;
    char left[SCRIM_NUMBER_BYTES];
    if (!begin(&t))
        return;
    CHECK(scene_copy(t.copy, t.s.path));
    check_refused(&t, (scrim_vault_options){0}, "restored");
    check_refused(&t, (scrim_vault_options){.is_moved = 1}, "restored");
    CHECK_STATUS(open_with(&t, (scrim_vault_options){.is_restored = 1}, NULL), SCRIM_OK);
    CHECK_INT(left_of(&t, left), 5); /* the last says which entries are lost */
    CHECK_STR(left, "1");
    /* It holds for this state from now on, and for no other. */
    CHECK_STATUS(open_with(&t, (scrim_vault_options){0}, NULL), SCRIM_OK);
    CHECK(scene_copy(t.copy, t.s.path));
    check_refused(&t, (scrim_vault_options){0}, "restored");
    end(&t);
}

/* The file that was thought to be lost is found, after another one was accepted in its place. */
TEST(A108_former_file_is_refused)
{
    CLAIM("vault.place");
    stage t;
    char later[112];
    if (!begin(&t))
        return;
    snprintf(later, sizeof later, "%s/later", t.s.folder);
    CHECK(scene_copy(t.s.path, later));
    CHECK(scene_copy(t.copy, t.s.path));
    CHECK_STATUS(open_with(&t, (scrim_vault_options){.is_restored = 1}, NULL), SCRIM_OK);
    CHECK(scene_copy(later, t.s.path));
    check_refused(&t, (scrim_vault_options){0}, "restored");
    end(&t);
}

TEST(A108_missing_witness_is_refused)
{
    CLAIM("vault.place");
    stage t;
    char left[SCRIM_NUMBER_BYTES], elsewhere[112];
    if (!begin(&t))
        return;
    CHECK(unlink(t.witness) == 0);
    check_refused(&t, (scrim_vault_options){0}, "witness");
    check_refused(&t, (scrim_vault_options){.is_moved = 1}, "witness");
    CHECK(rmdir(t.folder) == 0); /* nor is its folder there */
    check_refused(&t, (scrim_vault_options){0}, "witness");
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", t.s.folder);
    CHECK(setenv("XDG_STATE_HOME", elsewhere, 1) == 0);
    CHECK_STATUS(open_with(&t, (scrim_vault_options){.is_restored = 1}, NULL), SCRIM_OK);
    char *now = witness_of(t.s.path);
    CHECK(now != NULL && strncmp(now, elsewhere, strlen(elsewhere)) == 0);
    CHECK_INT(left_of(&t, left), 8);
    CHECK_STR(left, "0.5");
    CHECK(now != NULL && unlink(now) == 0);
    scrim_vault_text_free(now);
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere/scrim", t.s.folder);
    CHECK(rmdir(elsewhere) == 0);
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", t.s.folder);
    CHECK(rmdir(elsewhere) == 0);
    end(&t);
}

TEST(A108_witness_is_changed_and_given_up)
{
    CLAIM("vault.place");
    stage t;
    if (!begin(&t))
        return;
    CHECK_STATUS(
        open_with(&t, (scrim_vault_options){.is_moved = 1, .witness = t.s.witness}, NULL),
        SCRIM_OK);
    char *now = witness_of(t.s.path);
    CHECK(now != NULL && strcmp(now, t.s.witness) == 0);
    CHECK(access(t.witness, F_OK) != 0); /* so that no copy goes on by it */
    scrim_vault_text_free(now);
    CHECK_STATUS(open_with(&t,
                           (scrim_vault_options){.is_moved = 1,
                                                 .witness_place = SCRIM_WITNESS_NONE},
                           NULL),
                 SCRIM_OK);
    now = witness_of(t.s.path);
    CHECK(now == NULL && access(t.s.witness, F_OK) != 0);
    scrim_vault_text_free(now);
    /* A file of the user's is not replaced. */
    CHECK_STATUS(
        open_with(&t, (scrim_vault_options){.is_moved = 1, .witness = t.copy}, NULL),
        SCRIM_E_LEDGER);
    CHECK_STATUS(open_with(&t, (scrim_vault_options){0}, NULL), SCRIM_OK);
    end(&t);
}

/* The owner accepts one state, and not whatever the file is later. */
TEST(A108_accepting_holds_for_one_entry)
{
    CLAIM("witness.forward");
    stage t;
    char before[112];
    scrim_vault *accepted = NULL;
    const scrim_vault_options options = {.size = sizeof options, .is_restored = 1};
    if (!begin(&t))
        return;
    snprintf(before, sizeof before, "%s/before", t.s.folder);
    CHECK(scene_copy(t.copy, t.s.path));
    REQUIRE_OK(scrim_vault_open(t.s.path, &options, &accepted, NULL));
    CHECK(scene_copy(t.s.path, before));
    scrim_vault *vault = scene_open(&t.s);
    CHECK_STATUS(scene_spend(vault, "0.5", NULL, NULL), SCRIM_OK);
    scrim_vault_close(vault);
    CHECK(scene_copy(before, t.s.path));
    CHECK_STATUS(scene_spend(accepted, "0.25", NULL, NULL), SCRIM_E_LEDGER);
    scrim_vault_close(accepted);
    CHECK(unlink(before) == 0);
    end(&t);
}

/* A program that runs with the owner's rights for somebody else. */
TEST(A108_only_the_owner_accepts)
{
    CLAIM("vault.place");
    stage t;
    int status = 1;
    if (getuid() != 0) {
        SKIP("only the superuser can lend rights");
        return;
    }
    if (!begin(&t))
        return;
    CHECK(scene_copy(t.copy, t.s.path));
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        scrim_error error = {.message = ""};
        CHECK(setreuid(65534, 0) == 0);
        CHECK_STATUS(open_with(&t, (scrim_vault_options){.is_restored = 1}, &error),
                     SCRIM_E_POLICY);
        CHECK_INT(error.reason, SCRIM_REASON_OWNER);
        CHECK_STATUS(open_with(&t,
                               (scrim_vault_options){.is_restored = 1,
                                                     .witness_place = SCRIM_WITNESS_NONE},
                               NULL),
                     SCRIM_E_POLICY);
        _exit(0); /* a check that failed here counts */
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    check_refused(&t, (scrim_vault_options){0}, "restored");
    end(&t);
}

/* Nothing is made where there is no folder for it. */
TEST(A108_no_state_folder)
{
    scene s;
    scrim_error error = {.message = ""};
    if (!scene_begin(&s))
        return;
    const char *home = getenv("HOME");
    char *kept = home == NULL ? NULL : strdup(home);
    CHECK(unsetenv("XDG_STATE_HOME") == 0 && unsetenv("HOME") == 0);
    const scrim_vault_options options = {.size = sizeof options,
                                         .witness_place = SCRIM_WITNESS_STATE};
    static const char *const homes[] = {NULL, "relative", "/dev/null/home"};
    for (size_t i = 0; i < COUNT(homes); i++) {
        if (homes[i] != NULL)
            CHECK(setenv("HOME", homes[i], 1) == 0);
        CHECK_STATUS(scrim_vault_init(s.path, &options, &error), SCRIM_E_LEDGER);
        CHECK_INT(error.reason, SCRIM_REASON_MISSING);
        CHECK_STR(error.parameter, "witness");
        CHECK(access(s.path, F_OK) != 0);
    }
    if (kept != NULL)
        CHECK(setenv("HOME", kept, 1) == 0);
    free(kept);
    scene_end(&s);
}
