/* A74: the size of a source and the time of its last change are for its owner alone. */
#include "base/memory.h"
#include "check.h"
#include "query_scene.h"
#include "vault/state/policy_terms.h"
#include "vault/vault_key.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define POLICY                                                                           \
    "unit=person\nrows-per-unit=1\nneighbours=add-remove\ncolumn=day=int[1,30]\nbudget=" \
    "epsilon=100\n"

/* A table of a size that no other number of the ledger has. */
#define ROWS 997

static bool begin(query_scene *s)
{
    static char table[16 * ROWS];
    size_t used = (size_t)snprintf(table, sizeof table, "person,day\n");
    for (int i = 0; i < ROWS; i++)
        used += (size_t)snprintf(table + used, sizeof table - used, "p%d,%d\n", i,
                                 i % 30 + 1);
    return query_scene_begin(s, POLICY, table);
}

static scrim_status ask(query_scene *s, const char *query)
{
    scrim_result *result = NULL;
    const scrim_status status = query_scene_ask(
        s, query, SCRIM_OPTIONS(scrim_query_options, .epsilon = "1"), &result);
    scrim_result_free(result);
    return status;
}

/* As a word of its own: digests have digits, too. */
static bool has_word(const char *text, size_t bytes, const char *word)
{
    const size_t length = strlen(word);
    const char *end = text + bytes;
    for (const char *at = text;
         (at = memmem(at, (size_t)(end - at), word, length)) != NULL; at++)
        if ((at == text || !isalnum((unsigned char)at[-1])) &&
            (at + length == end || !isalnum((unsigned char)at[length])))
            return true;
    return false;
}

/* Every entry as `ledger export` has it. */
typedef struct searching {
    const char *words[3];
    uint64_t entries;
} searching;

static scrim_status search(void *context, uint64_t id, const char *bytes, size_t count,
                           const char *hash, const char *answer)
{
    searching *s = context;
    (void)hash;
    s->entries++;
    for (size_t i = 0; i < 3; i++)
        if (has_word(bytes, count, s->words[i]) ||
            (answer != NULL && has_word(answer, strlen(answer), s->words[i])))
            CHECK_FAIL("entry %d has '%s'", (int)id, s->words[i]);
    return SCRIM_OK;
}

static void check_entries(const query_scene *s)
{
    struct stat file;
    char bytes[32], seconds[32], nanoseconds[32];
    CHECK(stat(s->table, &file) == 0);
    snprintf(bytes, sizeof bytes, "%lld", (long long)file.st_size);
    snprintf(seconds, sizeof seconds, "%lld", (long long)file.st_mtim.tv_sec);
    snprintf(nanoseconds, sizeof nanoseconds, "%09ld", file.st_mtim.tv_nsec);
    searching all = {.words = {bytes, seconds, nanoseconds}};
    CHECK_STATUS(scrim_vault_visit(s->vault, 1, search, &all, NULL), SCRIM_OK);
    CHECK(all.entries > 5);
}

static void set_time(const query_scene *s, time_t seconds)
{
    const struct timespec times[2] = {{seconds, 987654321}, {seconds, 987654321}};
    CHECK(utimensat(AT_FDCWD, s->table, times, 0) == 0);
}

static void copy_seal(const query_scene *s, char out[SC_SOURCE_SEAL_BYTES])
{
    char *policy = NULL;
    sc_text value;
    REQUIRE_OK(scrim_vault_policy(s->vault, "people", &policy, NULL));
    CHECK(sc_policy_line(sc_text_of(policy), "contents", &value));
    snprintf(out, SC_SOURCE_SEAL_BYTES, "%.*s", (int)value.bytes, value.start);
    scrim_vault_text_free(policy);
}

TEST(A74_no_entry_has_the_size_of_a_source)
{
    CLAIM("vault.sealed");
    query_scene s;
    char first[SC_SOURCE_SEAL_BYTES], second[SC_SOURCE_SEAL_BYTES];
    if (!begin(&s))
        return;
    set_time(&s, 1712345678);
    CHECK_STATUS(ask(&s, "SELECT COUNT(*) AS n"), SCRIM_E_INPUT);
    CHECK(strstr(s.error.message, "1712345678") == NULL);
    CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", NULL, NULL), SCRIM_OK);
    CHECK_STATUS(ask(&s, "SELECT COUNT(*) AS n"), SCRIM_OK);
    copy_seal(&s, first);
    /* declared again, the same file cannot be told from another */
    CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", NULL, NULL), SCRIM_OK);
    copy_seal(&s, second);
    CHECK(strcmp(first, second) != 0 && strlen(first) == strlen(second));
    CHECK_STATUS(ask(&s, "SELECT COUNT(*) AS n"), SCRIM_OK);
    check_entries(&s);
    query_scene_end(&s);
}

/* An entry as an earlier version wrote it. */
static scrim_status enter_plain(scrim_vault *v, void *context, scrim_error *error)
{
    const query_scene *s = context;
    struct stat file;
    char policy[600];
    sc_event event;
    CHECK(stat(s->table, &file) == 0);
    snprintf(policy, sizeof policy,
             POLICY "csv=%s\ncontents=bytes=%lld,modified=%lld.%09ld\n", s->table,
             (long long)file.st_size, (long long)file.st_mtim.tv_sec,
             file.st_mtim.tv_nsec);
    sc_event_init(&event);
    event.kind = SC_EVENT_UPDATE;
    event.dataset = 1;
    event.version = v->book.datasets[0].version + 1;
    event.body = sc_text_of(policy);
    const scrim_status status = sc_vault_append(v, &event, error);
    sc_event_clear(&event);
    return status;
}

static uint64_t version_of(const query_scene *s)
{
    scrim_dataset dataset = {.version = 0};
    CHECK_STATUS(scrim_vault_dataset(s->vault, 0, &dataset, NULL), SCRIM_OK);
    return dataset.version;
}

TEST(A74_entries_of_earlier_versions_are_read_for_ever)
{
    CLAIM("vault.sealed");
    query_scene s;
    char seal[SC_SOURCE_SEAL_BYTES], policy[600];
    if (!begin(&s))
        return;
    REQUIRE_OK(sc_vault_write(s.vault, enter_plain, &s, NULL));
    copy_seal(&s, seal);
    CHECK(strncmp(seal, "bytes=", 6) == 0);
    /* nothing shows that the bytes are those of then */
    CHECK_STATUS(ask(&s, "SELECT COUNT(*) AS n"), SCRIM_E_INPUT);
    const uint64_t version = version_of(&s);
    /* a policy that says nothing new enters nothing */
    snprintf(policy, sizeof policy, POLICY "csv=%s\n", s.table);
    CHECK_STATUS(scrim_vault_set_dataset(s.vault, "people", policy, NULL), SCRIM_OK);
    CHECK_INT(version_of(&s), version);
    /* another one has the seal of the contents that were declared, not of those there are */
    snprintf(policy, sizeof policy, POLICY "csv=%s\nrecords=lf\n", s.table);
    CHECK_STATUS(scrim_vault_set_dataset(s.vault, "people", policy, NULL), SCRIM_OK);
    CHECK_INT(version_of(&s), version + 1);
    copy_seal(&s, seal);
    CHECK(strncmp(seal, "salt=", 5) == 0 && strstr(seal, "content=") == NULL);
    CHECK_STATUS(ask(&s, "SELECT COUNT(*) AS n"), SCRIM_E_INPUT);
    REQUIRE_OK(sc_vault_write(s.vault, enter_plain, &s, NULL));
    set_time(&s, 1712345679);
    CHECK_STATUS(ask(&s, "SELECT COUNT(*) AS m"), SCRIM_E_INPUT);
    CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", NULL, NULL), SCRIM_OK);
    copy_seal(&s, seal);
    CHECK(strncmp(seal, "salt=", 5) == 0 && strstr(seal, ",content=") != NULL);
    CHECK_STATUS(ask(&s, "SELECT COUNT(*) AS m"), SCRIM_OK);
    query_scene_end(&s);
}

/* An entry, so that what comes with it is kept. */
static scrim_status enter_nothing(scrim_vault *v, scrim_error *error)
{
    uint64_t number = 0;
    const sc_identity somebody = {.user = 4242, .name = "somebody"};
    return sc_vault_want_analyst(v, &somebody, &number, error);
}

/* As if the secret had been lost. */
static scrim_status lose_key(scrim_vault *v, void *context, scrim_error *error)
{
    static const sc_digest other = {{1}};
    (void)context;
    const scrim_status status =
        v->store->functions->put_secret(v->store, "source", &other, error);
    return status == SCRIM_OK ? enter_nothing(v, error) : status;
}

/* A seal is of no use without its key: the source is refused until it is declared again. */
TEST(A74_a_lost_key_is_a_refusal)
{
    CLAIM("vault.sealed");
    query_scene s;
    if (!begin(&s))
        return;
    CHECK_STATUS(ask(&s, "SELECT COUNT(*) AS n"), SCRIM_OK);
    REQUIRE_OK(sc_vault_write(s.vault, lose_key, NULL, NULL));
    CHECK_STATUS(ask(&s, "SELECT SUM(day) AS m"), SCRIM_E_INPUT);
    CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", NULL, NULL), SCRIM_OK);
    CHECK_STATUS(ask(&s, "SELECT SUM(day) AS m"), SCRIM_OK);
    query_scene_end(&s);
}

typedef struct heard {
    uint64_t calls, most, total;
} heard;

static void hear(void *context, uint64_t done, uint64_t total)
{
    heard *h = context;
    h->calls++;
    h->most = done > h->most ? done : h->most;
    h->total = total;
}

/* The first worker tells it: with others beside it, it may find no piece left to read. */
TEST(A74_progress_is_a_share)
{
    CLAIM("vault.sealed");
    query_scene s;
    heard h = {.calls = 0};
    scrim_result *result = NULL;
    if (!begin(&s))
        return;
    CHECK_STATUS(
        query_scene_ask(&s, "SELECT COUNT(*) AS n",
                        SCRIM_OPTIONS(scrim_query_options, .epsilon = "1", .workers = 1,
                                      .progress = hear, .context = &h),
                        &result),
        SCRIM_OK);
    CHECK(h.calls > 0);
    CHECK_INT(h.total, 1000);
    CHECK(h.most <= 1000);
    scrim_result_free(result);
    query_scene_end(&s);
}
