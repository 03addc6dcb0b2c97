#include "check.h"
#include "vault/store/chain.h"

#include <string.h>

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
