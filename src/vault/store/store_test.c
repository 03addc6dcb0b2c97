/* Both stores keep the same contract. */
#include "base/memory.h"
#include "check.h"
#include "faults.h"
#include "store_memory.h"
#include "vault/store/store.h"
#include "vault/store/store_sqlite.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static sc_store *open_sqlite(const char *path)
{
    sc_store *store = NULL;
    int file = open(path, O_CREAT | O_EXCL | O_RDWR, 0600);
    CHECK(file >= 0 && close(file) == 0);
    CHECK_STATUS(
        sc_store_sqlite_create(&(sc_store_sqlite_options){.path = path}, &store, NULL),
        SCRIM_OK);
    return store;
}

static void remove_sqlite(const char *path)
{
    CHECK(unlink(path) == 0);
}

/* The notes of a visit, as text. */
typedef struct notes {
    char text[512];
    size_t stop_after;
} notes;

static scrim_status note_entry(void *context, const sc_chain *at, sc_text bytes,
                               scrim_error *error)
{
    notes *n = context;
    (void)error;
    size_t used = strlen(n->text);
    snprintf(n->text + used, sizeof n->text - used, "%d:%.*s:%d ", (int)at->generation,
             (int)bytes.bytes, bytes.start, at->head.bytes[0]);
    return n->stop_after > 0 && --n->stop_after == 0 ? SCRIM_E_STATE : SCRIM_OK;
}

static scrim_status note_total(void *context, const sc_total *total, scrim_error *error)
{
    notes *n = context;
    (void)error;
    size_t used = strlen(n->text);
    snprintf(n->text + used, sizeof n->text - used, "%d/%d:%.*s+%.*s x%d ",
             (int)total->population, (int)total->analyst, (int)total->amount.bytes,
             total->amount.start, (int)total->delta.bytes, total->delta.start,
             (int)total->charges);
    return SCRIM_OK;
}

static void append(sc_store *store, uint64_t id, bool is_policy, const char *text)
{
    const sc_chain at = {id, {{(unsigned char)(id + 40)}}};
    CHECK_STATUS(store->functions->append(store, &at, is_policy, sc_text_of(text), NULL),
                 SCRIM_OK);
}

static void check_entries(sc_store *store, uint64_t from, bool policy_only,
                          const char *want)
{
    notes n = {.text = ""};
    CHECK_STATUS(
        store->functions->entries(store, from, policy_only, note_entry, &n, NULL),
        SCRIM_OK);
    CHECK_STR(n.text, want);
}

static void put_total(sc_store *store, uint64_t analyst, const char *amount,
                      uint64_t charges)
{
    const sc_total total = {1, analyst, charges, sc_text_of(amount), sc_text_of("0")};
    CHECK_STATUS(store->functions->put_total(store, &total, NULL), SCRIM_OK);
}

static void check_pending(sc_store *store, const sc_digest *question, uint64_t want,
                          unsigned char want_key)
{
    uint64_t charge = 7, other = 7, count = 0;
    sc_pending pending = {.question = *question, .parts = {{3}}};
    sc_pending unlike = {.question = *question, .parts = {{4}}};
    sc_digest found = {{0}};
    bool is_there = false;
    const sc_store_functions *f = store->functions;
    CHECK_STATUS(f->find_pending(store, &pending, &charge, NULL), SCRIM_OK);
    CHECK_INT(charge, want);
    CHECK_INT(pending.key.bytes[0], want_key);
    CHECK_STATUS(f->find_pending(store, &unlike, &other, NULL), SCRIM_OK);
    CHECK_INT(other, 0);
    CHECK_STATUS(f->pending(store, charge, &found, &is_there, NULL), SCRIM_OK);
    CHECK(is_there == (want != 0));
    CHECK(want == 0 || sc_digest_equal(&found, question));
    CHECK_STATUS(f->next_pending(store, &count, NULL), SCRIM_OK);
    CHECK(want == 0 || count > 0);
}

/* The last secret of a name counts, and a key as long as its charge has no answer. */
static void check_secrets(sc_store *store)
{
    const sc_store_functions *f = store->functions;
    const sc_digest question = {{5}}, other = {{6}}, first = {{7}}, second = {{8}};
    const sc_pending pending[] = {{question, {{3}}, first}, {question, {{3}}, second}};
    sc_digest found = {{0}};
    bool is_there = true;
    REQUIRE_OK(f->begin(store, true, NULL));
    REQUIRE_OK(f->secret(store, "sign", &found, &is_there, NULL));
    CHECK(!is_there);
    REQUIRE_OK(f->put_secret(store, "sign", &first, NULL));
    REQUIRE_OK(f->put_secret(store, "sign", &second, NULL));
    REQUIRE_OK(f->put_pending(store, 11, &pending[0], NULL));
    REQUIRE_OK(f->put_pending(store, 12, &pending[1], NULL));
    REQUIRE_OK(f->commit(store, NULL));
    REQUIRE_OK(f->begin(store, true, NULL));
    REQUIRE_OK(f->put_secret(store, "sign", &first, NULL));
    REQUIRE_OK(f->put_answer(store, 11, &question, sc_text_of("1"), NULL));
    check_pending(store, &question, 12, 8);
    f->rollback(store);
    REQUIRE_OK(f->begin(store, true, NULL));
    REQUIRE_OK(f->secret(store, "sign", &found, &is_there, NULL));
    CHECK(is_there && sc_digest_equal(&found, &second));
    check_pending(store, &question, 11, 7);
    check_pending(store, &other, 0, 0);
    REQUIRE_OK(f->put_answer(store, 11, &question, sc_text_of("1"), NULL));
    REQUIRE_OK(f->put_answer(store, 12, &question, sc_text_of("2"), NULL));
    check_pending(store, &question, 0, 0);
    REQUIRE_OK(f->commit(store, NULL));
}

static void check_contract(sc_store *store)
{
    const sc_store_functions *f = store->functions;
    sc_chain head;
    const sc_digest question = {{9}}, other = {{8}};
    REQUIRE_OK(f->begin(store, true, NULL));
    REQUIRE_OK(f->head(store, &head, NULL));
    CHECK(head.generation == 0 && head.head.bytes[0] == 0);
    append(store, 1, true, "one");
    append(store, 2, false, "two");
    put_total(store, 0, "0.1", 1);
    REQUIRE_OK(f->put_answer(store, 2, &question, sc_text_of("42 43"), NULL));
    CHECK_STATUS(f->put_answer(store, 2, &other, sc_text_of("44"), NULL),
                 SCRIM_E_INTERNAL);
    REQUIRE_OK(f->commit(store, NULL));

    /* A transaction that is rolled back has changed nothing. */
    REQUIRE_OK(f->begin(store, true, NULL));
    append(store, 3, true, "three");
    put_total(store, 0, "0.2", 2);
    put_total(store, 1, "0.2", 2);
    REQUIRE_OK(f->put_refusal(store, NULL));
    REQUIRE_OK(f->put_answer(store, 3, &other, sc_text_of("45"), NULL));
    f->rollback(store);
    f->rollback(store); /* outside of anything: nothing */
    REQUIRE_OK(f->begin(store, false, NULL));
    REQUIRE_OK(f->head(store, &head, NULL));
    CHECK(head.generation == 2 && head.head.bytes[0] == 42);
    check_entries(store, 1, false, "1:one:41 2:two:42 ");
    check_entries(store, 2, false, "2:two:42 ");
    check_entries(store, 3, false, "");
    check_entries(store, 1, true, "1:one:41 ");
    notes n = {.stop_after = 1};
    CHECK_STATUS(f->entries(store, 1, false, note_entry, &n, NULL), SCRIM_E_STATE);
    CHECK_STR(n.text, "1:one:41 ");
    n = (notes){.stop_after = 0};
    REQUIRE_OK(f->totals(store, note_total, &n, NULL));
    CHECK_STR(n.text, "1/0:0.1+0 x1 ");
    char *answer = NULL;
    sc_digest found;
    REQUIRE_OK(f->answer(store, 2, &found, &answer, NULL));
    CHECK_STR(answer, "42 43");
    CHECK(sc_digest_equal(&found, &question));
    sc_free(answer);
    REQUIRE_OK(f->answer(store, 3, NULL, &answer, NULL));
    CHECK(answer == NULL);
    uint64_t number = 7;
    REQUIRE_OK(f->find(store, &question, &number, NULL));
    CHECK_INT(number, 2);
    REQUIRE_OK(f->find(store, &other, &number, NULL));
    CHECK_INT(number, 0);
    number = 0;
    REQUIRE_OK(f->next_answer(store, &number, NULL));
    CHECK_INT(number, 2);
    REQUIRE_OK(f->next_answer(store, &number, NULL));
    CHECK_INT(number, 0);
    REQUIRE_OK(f->answer_count(store, &number, NULL));
    CHECK_INT(number, 1);
    REQUIRE_OK(f->refusals(store, &number, NULL));
    CHECK_INT(number, 0);
    f->rollback(store);

    REQUIRE_OK(f->begin(store, true, NULL));
    put_total(store, 0, "0.3", 3);
    REQUIRE_OK(f->put_refusal(store, NULL));
    REQUIRE_OK(f->put_answer(store, 1, &question, sc_text_of(""), NULL));
    REQUIRE_OK(f->commit(store, NULL));
    REQUIRE_OK(f->begin(store, false, NULL));
    n = (notes){.stop_after = 0};
    REQUIRE_OK(f->totals(store, note_total, &n, NULL));
    CHECK_STR(n.text, "1/0:0.3+0 x3 ");
    REQUIRE_OK(f->find(store, &question, &number, NULL));
    CHECK_INT(number, 1);
    REQUIRE_OK(f->answer(store, 1, NULL, &answer, NULL));
    CHECK_STR(answer, "");
    sc_free(answer);
    REQUIRE_OK(f->refusals(store, &number, NULL));
    CHECK_INT(number, 1);
    CHECK_STATUS(f->inspect(store, NULL), SCRIM_OK);
    f->rollback(store);
    check_secrets(store);
}

TEST(store_memory_keeps_the_contract)
{
    sc_store *store = NULL;
    REQUIRE_OK(store_memory_new(&store, NULL));
    check_contract(store);
    store->functions->close(store);
}

TEST(store_sqlite_keeps_the_contract)
{
    CLAIM("store.atomic");
    char folder[] = "/tmp/scrim-store-XXXXXX", path[64];
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/store", folder);
    sc_store *store = open_sqlite(path);
    REQUIRE(store != NULL);
    check_contract(store);
    /* One transaction at a time. */
    sc_store *second = NULL;
    REQUIRE_OK(
        sc_store_sqlite_open(&(sc_store_sqlite_options){.path = path}, &second, NULL));
    REQUIRE_OK(store->functions->begin(store, true, NULL));
    CHECK_STATUS(second->functions->begin(second, true, NULL), SCRIM_E_BUSY);
    CHECK_STATUS(second->functions->begin(second, false, NULL), SCRIM_E_BUSY);
    append(store, 3, false, "three");
    REQUIRE_OK(store->functions->commit(store, NULL));
    REQUIRE_OK(second->functions->begin(second, true, NULL));
    check_entries(second, 3, false, "3:three:43 ");
    second->functions->rollback(second);
    second->functions->close(second);
    store->functions->close(store);
    remove_sqlite(path);
    CHECK(rmdir(folder) == 0);
}

TEST(store_memory_survives_without_memory)
{
    FAULT_LOOP(fault)
    {
        sc_store *store = NULL;
        const sc_chain at = {1, {{1}}};
        const sc_total total = {1, 0, 1, sc_text_of("1"), sc_text_of("0")};
        scrim_status status = store_memory_new(&store, NULL);
        if (status == SCRIM_OK) {
            const sc_store_functions *f = store->functions;
            CHECK_STATUS(f->begin(store, true, NULL), SCRIM_OK);
            status = f->append(store, &at, true, sc_text_of("one"), NULL);
            if (status == SCRIM_OK)
                status = f->put_total(store, &total, NULL);
            if (status == SCRIM_OK)
                status = f->put_answer(store, 1, &at.head, sc_text_of("42"), NULL);
            f->rollback(store);
            f->close(store);
        }
        CHECK(status == SCRIM_OK || (fault_hit() && status == SCRIM_E_MEMORY));
    }
}

#define FIRST "f97dabf92990704984e38b69b2151bc4a4ccca15adec204f93fd17f0753e828e"
#define SECOND "f92c56724a377355d4e4f74f3d2a68727c087836d60ff0fa19bf1852e451bd26"

static sc_digester *digester;

/* The head of a list of entries, from an empty chain. */
static sc_chain chain_of(const sc_text *entries, size_t count)
{
    sc_chain chain;
    sc_chain_init(&chain);
    for (size_t i = 0; i < count; i++)
        CHECK_STATUS(sc_chain_extend(&chain, digester, entries[i], &chain, NULL),
                     SCRIM_OK);
    return chain;
}

TEST(chain_binds_every_entry)
{
    CLAIM("chain.binds");
    REQUIRE_OK(sc_digester_new(&digester, NULL));
    char text[4][16] = {"init", "population", "charge one", "charge two"};
    sc_text entries[5];
    for (size_t i = 0; i < 4; i++)
        entries[i] = sc_text_of(text[i]);
    const sc_chain all = chain_of(entries, 4);
    CHECK_INT(all.generation, 4);
    /* Every bit of every entry counts. */
    for (size_t i = 0; i < 4; i++)
        for (size_t bit = 0; bit < 8 * entries[i].bytes; bit++) {
            text[i][bit / 8] = (char)(text[i][bit / 8] ^ (1 << bit % 8));
            const sc_chain other = chain_of(entries, 4);
            CHECK(!sc_digest_equal(&other.head, &all.head));
            text[i][bit / 8] = (char)(text[i][bit / 8] ^ (1 << bit % 8));
        }
    /* Leaving out, swapping, adding, and cutting the same bytes elsewhere. */
    sc_chain other = chain_of(entries, 3);
    CHECK(!sc_chain_equal(&other, &all));
    const sc_text swapped[] = {entries[0], entries[2], entries[1], entries[3]};
    other = chain_of(swapped, 4);
    CHECK(!sc_chain_equal(&other, &all));
    entries[4] = sc_text_of("");
    other = chain_of(entries, 5);
    CHECK(!sc_chain_equal(&other, &all));
    const sc_text cut[] = {entries[0], {text[1], 9}, entries[2], entries[3]};
    other = chain_of(cut, 4);
    CHECK(!sc_chain_equal(&other, &all));
    sc_digester_free(digester);
}

TEST(chain_is_the_published_formula)
{
    REQUIRE_OK(sc_digester_new(&digester, NULL));
    /* SHA-256 of 32 zero bytes and "init", and of that and "remove 1": by sha256sum. */
    const sc_text entries[] = {sc_text_of("init"), sc_text_of("remove 1")};
    char text[SC_DIGEST_TEXT_BYTES];
    sc_chain chain = chain_of(entries, 1);
    sc_digest_format(&chain.head, text);
    CHECK_STR(text, FIRST);
    chain = chain_of(entries, 2);
    sc_digest_format(&chain.head, text);
    CHECK_STR(text, SECOND);
    sc_digester_free(digester);
}

TEST(chain_text_goes_there_and_back)
{
    sc_chain chain = {UINT64_MAX, {{1, 2, 254}}}, again;
    char text[SC_CHAIN_TEXT_BYTES];
    sc_chain_format(&chain, text);
    REQUIRE(sc_chain_parse(sc_text_of(text), &again));
    CHECK(sc_chain_equal(&chain, &again));
    CHECK(!sc_chain_parse(sc_text_of("12"), &again));
    CHECK(!sc_chain_parse(sc_text_of("x 00"), &again));
    CHECK(!sc_chain_parse((sc_text){text, strlen(text) - 1}, &again));
}

TEST(store_key_fits_the_book_that_names_it)
{
    CLAIM("store-key.fits");
    sc_store *store = NULL;
    sc_book book;
    sc_digest key, secret = {{0}};
    bool is_right = false;
    scrim_error error;
    sc_book_init(&book);
    REQUIRE_OK(store_memory_new(&store, &error));
    REQUIRE_OK(store->functions->begin(store, true, &error));
    REQUIRE_OK(sc_store_key_read(store, &book, &secret, &is_right, &error));
    CHECK(is_right); /* neither is there */
    book.key_entry = 1;
    REQUIRE_OK(sc_store_key_read(store, &book, &secret, &is_right, &error));
    CHECK(!is_right); /* the private one is missing */
    REQUIRE_OK(sc_store_key_draw(store, &key, &error));
    book.key = key;
    REQUIRE_OK(sc_store_key_read(store, &book, &secret, &is_right, &error));
    CHECK(is_right);
    CHECK(!sc_digest_equal(&secret, &key));
    book.key.bytes[31] ^= 1;
    REQUIRE_OK(sc_store_key_read(store, &book, &secret, &is_right, &error));
    CHECK(!is_right); /* of another one */
    book.key = key;
    book.key_entry = 0;
    REQUIRE_OK(sc_store_key_read(store, &book, &secret, &is_right, &error));
    CHECK(!is_right); /* the public one is missing */
    store->functions->rollback(store);
    sc_wipe(&secret, sizeof secret);
    store->functions->close(store);
    sc_book_clear(&book);
}
