/* A vault whose file can only be read: everything that was released can be seen, nothing is charged, and
 * a commit that was interrupted is not ignored. tests/cli/vault_readonly.sh does the same on a read-only
 * mount. */
#include "check.h"
#include "scene.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534

typedef struct stage {
    scene s;
    scrim_measurement *question;
} stage;

/* Bits of what a reader could do. */
enum { OPENS = 1, LEFT = 2, VERIFIES = 4, REPLAYS = 8, REFUSES = 16, SAYS = 32 };

static int look(const stage *g)
{
    scrim_vault *vault = NULL;
    scrim_vault_release release;
    scrim_vault_state state;
    scrim_error error = {.message = ""};
    char left[SCRIM_NUMBER_BYTES];
    int found = 0;
    if (scrim_vault_open(g->s.path, NULL, &vault, &error) != SCRIM_OK)
        return strstr(error.message, "a commit was interrupted") != NULL ? SAYS : 0;
    found |= OPENS;
    found |= strcmp(scene_left(vault, left), "0.5") == 0 ? LEFT : 0;
    found |= scrim_vault_verify(vault, &state, NULL) == SCRIM_OK ? VERIFIES : 0;
    if (scrim_vault_replay(vault, 1, &release, NULL) == SCRIM_OK) {
        found |= REPLAYS;
        scrim_vault_release_clear(&release);
    }
    found |= scene_release(vault, "people", g->question, NULL, &error) == SCRIM_E_LEDGER
                 ? REFUSES
                 : 0;
    found |= strstr(error.message, "even by its owner; chmod 600") != NULL ? SAYS : 0;
    scrim_vault_close(vault);
    return found;
}

/* As an owner who is not the superuser, who may write everything. */
static int look_as_owner(const stage *g)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0)
        _exit(geteuid() != 0 || setresuid(NOBODY, NOBODY, NOBODY) == 0 ? look(g) : 127);
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

TEST(vault_that_can_only_be_read)
{
    CLAIM("store_sqlite.readonly");
    stage g;
    sqlite3 *database = NULL;
    char journal[112], kept[112];
    if (!scene_begin_vault(&g.s, "epsilon=1", false))
        return;
    snprintf(journal, sizeof journal, "%s-journal", g.s.path);
    snprintf(kept, sizeof kept, "%s/kept", g.s.folder);
    g.question = scene_question("0.5");
    scrim_vault *vault = scene_open(&g.s);
    REQUIRE(vault != NULL && g.question != NULL);
    CHECK_STATUS(scene_release(vault, "people", g.question, NULL, NULL), SCRIM_OK);
    scrim_vault_close(vault);
    CHECK(geteuid() != 0 || (chown(g.s.folder, NOBODY, NOBODY) == 0 &&
                             chown(g.s.path, NOBODY, NOBODY) == 0));
    CHECK(chmod(g.s.path, 0400) == 0);
    CHECK_INT(look_as_owner(&g), OPENS | LEFT | VERIFIES | REPLAYS | REFUSES | SAYS);
    CHECK(chmod(g.s.folder, 0500) == 0);
    CHECK_INT(look_as_owner(&g), OPENS | LEFT | VERIFIES | REPLAYS | REFUSES | SAYS);
    CHECK(chmod(g.s.folder, 0700) == 0);
    /* A journal that must be rolled back first. */
    CHECK(chmod(g.s.path, 0600) == 0 && sqlite3_open(g.s.path, &database) == SQLITE_OK &&
          sqlite3_exec(database,
                       "PRAGMA synchronous = OFF; BEGIN; UPDATE head SET refusals = 7",
                       NULL, NULL, NULL) == SQLITE_OK &&
          scene_copy(journal, kept) && sqlite3_close(database) == SQLITE_OK &&
          rename(kept, journal) == 0 && chmod(journal, 0600) == 0);
    CHECK(geteuid() != 0 || chown(journal, NOBODY, NOBODY) == 0);
    CHECK(chmod(g.s.path, 0400) == 0);
    CHECK_INT(look_as_owner(&g), SAYS);
    CHECK(access(journal, F_OK) == 0);
    CHECK(chmod(g.s.path, 0600) == 0);
    CHECK(geteuid() != 0 || (chown(g.s.path, 0, 0) == 0 && chown(g.s.folder, 0, 0) == 0));
    scrim_measurement_free(g.question);
    scene_end(&g.s);
}
