/* THREATS A67: every allocation that libcrypto makes for a spend fails in turn. */
#include "check.h"
#include "scene.h"

#include <openssl/crypto.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static uint64_t countdown; /* 0: none fails */
static bool was_hit;

static bool fails(void)
{
    if (countdown == 0 || --countdown > 0)
        return false;
    was_hit = true;
    return true;
}

/* All that libcrypto holds hangs on a ring: where it loses a piece because another failed, that is
 * its own affair, and stays in reach of the sanitizer that looks for ours. */
typedef struct piece piece;
struct piece {
    _Alignas(max_align_t) piece *next;
    piece *before;
};
static piece ring = {&ring, &ring};

static void hang(piece *p)
{
    *p = (piece){ring.next, &ring};
    ring.next->before = p;
    ring.next = p;
}

static void take_off(piece *p)
{
    p->before->next = p->next;
    p->next->before = p->before;
}

static void *allocate(size_t bytes, const char *file, int line)
{
    (void)file, (void)line;
    piece *p = fails() ? NULL : malloc(sizeof *p + bytes);
    if (p == NULL)
        return NULL;
    hang(p);
    return p + 1;
}

static void release(void *memory, const char *file, int line)
{
    (void)file, (void)line;
    if (memory == NULL)
        return;
    piece *p = (piece *)memory - 1;
    take_off(p);
    free(p);
}

static void *reallocate(void *memory, size_t bytes, const char *file, int line)
{
    if (memory == NULL)
        return allocate(bytes, file, line);
    if (fails())
        return NULL;
    piece *p = (piece *)memory - 1;
    take_off(p);
    piece *moved = realloc(p, sizeof *p + bytes);
    if (moved == NULL) {
        hang(p);
        return NULL;
    }
    hang(moved);
    return moved + 1;
}

/* Clean: no memory, no digest, no random bits. */
static bool is_refusal(scrim_status status)
{
    return status == SCRIM_E_MEMORY || status == SCRIM_E_INTERNAL ||
           status == SCRIM_E_ENTROPY;
}

FAULT_TEST(A67_vault_without_memory_for_libcrypto)
{
    CLAIM("vault.charged");
    scene s;
    scrim_vault_state before = {0}, after;
    scrim_measurement *question = NULL;
    uint64_t refused = 0;
    REQUIRE(CRYPTO_set_mem_functions(allocate, reallocate, release) == 1);
    question = scene_question("0.1");
    if (!scene_begin_vault(&s, "epsilon=1000000", false))
        return;
    was_hit = true;
    for (uint64_t nth = 1; was_hit; nth += check_count(7, 1)) {
        scrim_vault *vault = NULL;
        scrim_error error = {.message = ""};
        was_hit = false;
        countdown = nth;
        scrim_status status = scrim_vault_open(s.path, NULL, &vault, &error);
        if (status == SCRIM_OK)
            status = scene_release(vault, "people", question, NULL, &error);
        scrim_vault_close(vault);
        countdown = 0;
        refused += status != SCRIM_OK;
        if (status != SCRIM_OK && (!was_hit || !is_refusal(status)))
            CHECK_FAIL("allocation %llu: %d %s", (unsigned long long)nth, (int)status,
                       error.message);
        if (!scene_verifies(&s, &after))
            break;
        CHECK(after.charges - before.charges <= 1 &&
              after.releases - before.releases <= after.charges - before.charges);
        CHECK(status != SCRIM_OK || after.releases - before.releases == 1);
        before = after;
    }
    CHECK(refused > 5);
    scrim_measurement_free(question);
    scene_end(&s);
}
