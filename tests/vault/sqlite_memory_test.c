/* THREATS A67, A94, A108: every allocation that SQLite makes for a spend, or to open a vault, fails in turn. */
#include "check.h"
#include "scene.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static sqlite3_mem_methods real;
static uint64_t countdown; /* 0: none fails */
static bool was_hit;

static bool fails(void)
{
    if (countdown == 0 || --countdown > 0)
        return false;
    was_hit = true;
    return true;
}

static void *allocate(int bytes)
{
    return fails() ? NULL : real.xMalloc(bytes);
}

static void *reallocate(void *memory, int bytes)
{
    return fails() ? NULL : real.xRealloc(memory, bytes);
}

static void take_allocator(void)
{
    CHECK(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real) == SQLITE_OK);
    sqlite3_mem_methods ours = real;
    ours.xMalloc = allocate;
    ours.xRealloc = reallocate;
    CHECK(sqlite3_config(SQLITE_CONFIG_MALLOC, &ours) == SQLITE_OK);
}

/* A94: a handle that had no memory, and is still open, holds no lock. */
static void check_others_can_write(const scene *s)
{
    scrim_error error = {.message = ""};
    scrim_vault *other = NULL;
    scrim_status status = scrim_vault_open(
        s->path, SCRIM_OPTIONS(scrim_vault_options, .wait_ms = -1), &other, &error);
    if (status == SCRIM_OK)
        status = scene_spend(other, "0.1", NULL, &error);
    scrim_vault_close(other);
    if (status != SCRIM_OK)
        CHECK_FAIL("after a lack of memory: %s", error.message);
}

FAULT_TEST(A67_A94_vault_without_memory_for_sqlite)
{
    CLAIM("vault.charged");
    scene s;
    scrim_vault_state before = {0}, after;
    uint64_t refused = 0;
    take_allocator();
    if (!scene_begin_vault(&s, "epsilon=1000000", true))
        return;
    was_hit = true;
    for (uint64_t nth = 1; was_hit; nth += check_count(5, 1)) {
        scrim_vault *vault = NULL;
        scrim_error error = {.message = ""};
        was_hit = false;
        countdown = nth;
        scrim_status status = scrim_vault_open(s.path, NULL, &vault, &error);
        if (status == SCRIM_OK)
            status = scene_spend(vault, "0.1", NULL, &error);
        countdown = 0;
        if (vault != NULL)
            check_others_can_write(&s);
        scrim_vault_close(vault);
        refused += status != SCRIM_OK;
        if (status != SCRIM_OK &&
            (!was_hit || strstr(error.message, "damaged") != NULL ||
             (status != SCRIM_E_MEMORY && status != SCRIM_E_LEDGER)))
            CHECK_FAIL("allocation %llu: %s", (unsigned long long)nth, error.message);
        if (!scene_verifies(&s, &after))
            break;
        const uint64_t others = vault == NULL ? 0 : 1;
        CHECK(after.charges - before.charges <= 1 + others &&
              after.releases - before.releases <= after.charges - before.charges);
        CHECK(status != SCRIM_OK || after.releases - before.releases == 1 + others);
        before = after;
    }
    CHECK(refused > 20);
    scene_end(&s);
}

/* Without memory nothing is known of the witness, so the owner's word accepts nothing in its place. */
FAULT_TEST(A108_nothing_is_accepted_for_want_of_memory)
{
    CLAIM("vault.place");
    scene s;
    scrim_vault_state before = {0}, after = {0};
    char earlier[112];
    uint64_t refused = 0;
    take_allocator();
    if (!scene_begin_vault(&s, "epsilon=1", true))
        return;
    /* The witness of an earlier entry, which is looked up. */
    snprintf(earlier, sizeof earlier, "%s/earlier", s.folder);
    CHECK(scene_copy(s.witness, earlier));
    scrim_vault *vault = scene_open(&s);
    CHECK_STATUS(scene_spend(vault, "0.25", NULL, NULL), SCRIM_OK);
    scrim_vault_close(vault);
    CHECK(scene_copy(earlier, s.witness) && unlink(earlier) == 0);
    REQUIRE(scene_verifies(&s, &before));
    was_hit = true;
    for (uint64_t nth = 1; was_hit; nth += check_count(2, 1)) {
        vault = NULL;
        was_hit = false;
        countdown = nth;
        const scrim_status status = scrim_vault_open(
            s.path, SCRIM_OPTIONS(scrim_vault_options, .is_restored = 1), &vault, NULL);
        countdown = 0;
        scrim_vault_close(vault);
        refused += status != SCRIM_OK;
    }
    CHECK(refused > 20);
    if (scene_verifies(&s, &after))
        CHECK_INT(after.entries, before.entries);
    scene_end(&s);
}
