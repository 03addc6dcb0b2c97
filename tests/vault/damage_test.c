/* Attack A109: a vault's file that was damaged between two commands: pages from before and after a commit
 * in every mixture (its journal was lost), pages that were zeroed, swapped or put back, a file that was
 * cut, rows that were changed or deleted, a journal of another vault. Every such file is refused, or it
 * holds what it held: ledger verify finds nothing, and as much is left as at one of the commits. */
#include "check.h"
#include "ledger/release.h"
#include "scene.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE 4096
#define PAGES_MAX 64
#define MIXED_MAX 12

typedef struct image {
    unsigned char *start;
    size_t pages;
} image;

/* A vault with answers, after which a release is charged, and answered. */
typedef struct stage {
    scene s;
    char journal[112], mark[112];
    image images[3]; /* before it was charged; charged; answered */
    char left[3][SCRIM_NUMBER_BYTES];
    unsigned char *mixed;
    unsigned long opened, refused;
} stage;

static image read_image(const char *path)
{
    image made = {NULL, 0};
    const int file = open(path, O_RDONLY);
    const off_t bytes = file < 0 ? 0 : lseek(file, 0, SEEK_END);
    made.start = malloc((size_t)PAGES_MAX * PAGE);
    made.pages = (size_t)bytes / PAGE;
    CHECK(file >= 0 && bytes % PAGE == 0 && made.pages <= PAGES_MAX &&
          made.start != NULL && pread(file, made.start, (size_t)bytes, 0) == bytes);
    close(file);
    return made;
}

static void write_image(const char *path, const unsigned char *start, size_t bytes)
{
    const int file = open(path, O_WRONLY | O_CREAT, 0600);
    CHECK(file >= 0 && pwrite(file, start, bytes, 0) == (ssize_t)bytes &&
          ftruncate(file, (off_t)bytes) == 0);
    close(file);
}

static void keep_image(stage *g, scrim_vault *vault, size_t nth)
{
    (void)scene_left(vault, g->left[nth]);
    g->images[nth] = read_image(g->s.path);
}

/* Charged and answered in two commits, as queries are. */
static void ask(stage *g, scrim_vault *vault)
{
    scrim_measurement *question = scene_question("0.25");
    scrim_ledger *ledger = NULL;
    sc_bundle *bundle = NULL;
    sc_passage *passage = NULL;
    sc_bits_key key;
    size_t part;
    SC_OWN(sc_ratio, none);
    REQUIRE_OK(scrim_vault_ledger(vault, "people", &ledger, NULL));
    REQUIRE_OK(sc_bundle_new(SCRIM_ADD_REMOVE, &bundle, NULL));
    REQUIRE_OK(sc_bundle_add(bundle, question, 1, &part, NULL));
    REQUIRE_OK(sc_bundle_fix(bundle, &none, NULL));
    REQUIRE_OK(sc_bits_key_draw(&key, NULL));
    REQUIRE_OK(sc_passage_open(ledger, "query : SELECT COUNT(*)", bundle, &key, true,
                               &passage, NULL));
    keep_image(g, vault, 1);
    CHECK_STATUS(sc_passage_record(passage, "an answer", NULL), SCRIM_OK);
    keep_image(g, vault, 2);
    sc_passage_close(passage);
    sc_bundle_free(bundle);
    scrim_ledger_free(ledger);
    scrim_measurement_free(question);
}

static bool begin(stage *g, size_t answers)
{
    *g = (stage){.opened = 0};
    if (!scene_begin_vault(&g->s, "epsilon=1000", false))
        return false;
    snprintf(g->journal, sizeof g->journal, "%s-journal", g->s.path);
    snprintf(g->mark, sizeof g->mark, "%s-unverified", g->s.path);
    scrim_vault *vault = scene_open(&g->s);
    if (!CHECK(vault != NULL))
        return false;
    for (size_t i = 0; i < answers; i++)
        CHECK_STATUS(scene_spend(vault, "0.5", NULL, NULL), SCRIM_OK);
    keep_image(g, vault, 0);
    ask(g, vault);
    scrim_vault_close(vault);
    g->mixed = malloc((size_t)PAGES_MAX * PAGE);
    return CHECK(g->mixed != NULL && g->images[2].pages >= g->images[0].pages);
}

static void end(stage *g)
{
    for (size_t i = 0; i < COUNT(g->images); i++)
        free(g->images[i].start);
    free(g->mixed);
    scene_end(&g->s);
}

/* The vault is refused, or is as one of the commits has left it. */
static void check_file(stage *g, const char *what, size_t nth)
{
    scrim_error error = {.message = ""};
    scrim_vault *vault = NULL;
    scrim_vault_state state;
    char left[SCRIM_NUMBER_BYTES];
    const scrim_status status = scrim_vault_open(g->s.path, NULL, &vault, &error);
    (void)unlink(g->mark);
    if (status != SCRIM_OK) {
        g->refused++;
        if (status != SCRIM_E_LEDGER)
            CHECK_FAIL("%s %zu: status %d: %s", what, nth, status, error.message);
        return;
    }
    g->opened++;
    (void)scene_left(vault, left);
    if (strcmp(left, g->left[0]) != 0 && strcmp(left, g->left[1]) != 0)
        CHECK_FAIL("%s %zu: %s is left", what, nth, left);
    if (scrim_vault_verify(vault, &state, &error) != SCRIM_OK)
        CHECK_FAIL("%s %zu: it opens, but %s", what, nth, error.message);
    scrim_vault_close(vault);
}

static void check_mixed(stage *g, size_t pages, const char *what, size_t nth)
{
    write_image(g->s.path, g->mixed, pages * PAGE);
    check_file(g, what, nth);
}

static void put_page(stage *g, size_t page, const image *from)
{
    if (page < from->pages)
        memcpy(g->mixed + page * PAGE, from->start + page * PAGE, PAGE);
    else
        memset(g->mixed + page * PAGE, 0, PAGE);
}

static void put_all(stage *g, const image *from)
{
    for (size_t page = 0; page < g->images[2].pages; page++)
        put_page(g, page, from);
}

/* Pages of two commits in every mixture. */
static void mix(stage *g, const image *before, const image *after)
{
    size_t changed[MIXED_MAX], count = 0;
    const size_t pages = after->pages;
    for (size_t page = 0; page < pages; page++)
        if (page >= before->pages ||
            memcmp(before->start + page * PAGE, after->start + page * PAGE, PAGE) != 0)
            if (CHECK(count < MIXED_MAX))
                changed[count++] = page;
    CHECK(count >= 4);
    for (size_t mixture = 0; mixture < (size_t)1 << count; mixture++) {
        put_all(g, before);
        for (size_t i = 0; i < count; i++)
            if ((mixture >> i & 1) != 0)
                put_page(g, changed[i], after);
        check_mixed(g, pages, "mixture", mixture);
    }
}

SLOW_TEST(A109_lost_journals)
{
    CLAIM("vault.opening");
    stage g;
    if (!begin(&g, 3))
        return;
    mix(&g, &g.images[0], &g.images[1]);
    mix(&g, &g.images[1], &g.images[2]);
    if (check_count(0, 1) != 0)
        mix(&g, &g.images[0], &g.images[2]);
    CHECK(g.opened >= 4 && g.refused > g.opened);
    end(&g);
}

FAULT_TEST(A109_damaged_pages)
{
    CLAIM("vault.opening");
    stage g;
    if (!begin(&g, 40))
        return;
    const image *last = &g.images[2];
    for (size_t page = 0; page < last->pages; page++) {
        put_all(&g, last);
        memset(g.mixed + page * PAGE, 0, PAGE);
        check_mixed(&g, last->pages, "zeroed page", page);
        put_all(&g, last);
        memset(g.mixed + page * PAGE + PAGE / 2, 0, PAGE / 2);
        check_mixed(&g, last->pages, "half a page", page);
        put_all(&g, last);
        put_page(&g, page, &g.images[0]);
        check_mixed(&g, last->pages, "old page", page);
        put_all(&g, &g.images[0]);
        put_page(&g, page, last);
        check_mixed(&g, last->pages, "new page", page);
        put_all(&g, last);
        check_mixed(&g, page, "cut to", page);
        for (size_t other = page + 1; other < last->pages; other++) {
            put_all(&g, last);
            memcpy(g.mixed + page * PAGE, last->start + other * PAGE, PAGE);
            memcpy(g.mixed + other * PAGE, last->start + page * PAGE, PAGE);
            check_mixed(&g, last->pages, "swapped page", page * PAGES_MAX + other);
        }
    }
    CHECK(g.refused > g.opened);
    end(&g);
}

/* By somebody who knows SQL, and not what is sealed. */
TEST(A109_damaged_rows)
{
    CLAIM("vault.opening");
    static const char *const changes[] = {
        "DELETE FROM entries WHERE id = (SELECT max(id) FROM entries)",
        "DELETE FROM entries WHERE id = 9",
        "UPDATE entries SET bytes = CAST('time 1' AS BLOB) WHERE id = 9",
        "INSERT INTO entries SELECT id + 1, 0, bytes, hash FROM entries ORDER BY id DESC "
        "LIMIT 1",
        "UPDATE head SET generation = generation - 1",
        "UPDATE totals SET amount = '0.1'",
        "DELETE FROM totals WHERE analyst > 0",
        "UPDATE totals SET charges = charges - 1",
        "DELETE FROM releases WHERE id = (SELECT max(id) FROM releases)",
        "DELETE FROM releases",
        "UPDATE releases SET answer = CAST('another answer' AS BLOB) WHERE id = (SELECT "
        "max(id) FROM releases)",
        "UPDATE releases SET question = zeroblob(32)",
        "UPDATE releases SET question = (SELECT question FROM releases ORDER BY id LIMIT "
        "1)",
        "UPDATE releases SET question = (SELECT other.question FROM releases AS other "
        "WHERE other.id <> releases.id ORDER BY other.id DESC LIMIT 1) WHERE id IN "
        "(SELECT id FROM releases ORDER BY id DESC LIMIT 2)",
        "INSERT INTO releases SELECT (SELECT max(id) FROM entries), question, answer "
        "FROM "
        "releases ORDER BY id DESC LIMIT 1",
        "INSERT INTO releases SELECT 9999, question, answer FROM releases ORDER BY id "
        "DESC LIMIT 1",
        "INSERT INTO pending SELECT id, question, zeroblob(32), zeroblob(32) FROM "
        "releases "
        "ORDER BY id DESC LIMIT 1",
        "INSERT INTO pending VALUES (1, zeroblob(32), zeroblob(32), zeroblob(32))",
        "INSERT INTO pending VALUES (9999, zeroblob(32), zeroblob(32), zeroblob(32))",
        "DELETE FROM seal",
        "UPDATE seal SET digest = zeroblob(32)",
    };
    stage g;
    if (!begin(&g, 5))
        return;
    for (size_t i = 0; i < COUNT(changes); i++) {
        write_image(g.s.path, g.images[2].start, g.images[2].pages * PAGE);
        scene_execute(g.s.path, changes[i]);
        const unsigned long before = g.refused;
        check_file(&g, changes[i], i);
        if (g.refused == before)
            CHECK_FAIL("%s: it opens", changes[i]);
    }
    /* A charge that waits for its answer has another question, or lost its key, which only wastes it. */
    write_image(g.s.path, g.images[1].start, g.images[1].pages * PAGE);
    scene_execute(g.s.path, "UPDATE pending SET question = zeroblob(32)");
    const unsigned long before = g.refused;
    check_file(&g, "pending", 0);
    CHECK(g.refused == before + 1);
    end(&g);
}

/* A journal of another vault is rolled back by SQLite, which cannot tell; the whole ledger is verified
 * then. Half a journal, an empty one and one of noise change nothing. */
TEST(A109_foreign_journals)
{
    CLAIM("vault.opening");
    stage g, other;
    sqlite3 *database = NULL;
    if (!begin(&g, 5) || !begin(&other, 2))
        return;
    CHECK(sqlite3_open(other.s.path, &database) == SQLITE_OK &&
          sqlite3_exec(database,
                       "PRAGMA synchronous = OFF; BEGIN; UPDATE totals SET charges = 0; "
                       "UPDATE head SET generation = 0; DELETE FROM entries",
                       NULL, NULL, NULL) == SQLITE_OK);
    const int file = open(other.journal, O_RDONLY);
    const ssize_t bytes =
        file < 0 ? -1 : pread(file, g.mixed, (size_t)PAGES_MAX * PAGE, 0);
    close(file);
    CHECK(bytes > PAGE && sqlite3_close(database) == SQLITE_OK);
    for (ssize_t cut = bytes; cut > 0; cut -= bytes / 16 + 1) {
        write_image(g.s.path, g.images[2].start, g.images[2].pages * PAGE);
        write_image(g.journal, g.mixed, (size_t)cut);
        check_file(&g, "journal of another", (size_t)cut);
        (void)unlink(g.journal);
    }
    CHECK(g.refused > 0 && g.opened > 0);
    end(&g);
    end(&other);
}
