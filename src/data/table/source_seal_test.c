#include "check.h"
#include "data/table/source_seal.h"

#include <stdio.h>
#include <string.h>

static const sc_source_key key = {{{1, 2}, {3, 4}}};
static const uint64_t salt[2] = {UINT64_C(0x8d6f0b1c2a3e4f50),
                                 UINT64_C(0x617283940a1b2c3d)};
static const sc_source_stamp stamp = {
    .is_file = true, .bytes = 3755, .modified_ns = 1763193600000000001};
static const sc_source_content content = {{5, 6}};

TEST(source_seal_fits_its_file_alone)
{
    CLAIM("source_seal.fits");
    sc_source_seal seal;
    sc_source_seal_make(&key, salt, &stamp, &content, &seal);
    CHECK(sc_source_seal_fits(&seal, &key, &stamp));
    const sc_source_stamp others[] = {
        {.is_file = true, .bytes = 3754, .modified_ns = stamp.modified_ns},
        {.is_file = true, .bytes = 3755, .modified_ns = stamp.modified_ns + 1},
        {.is_file = false, .bytes = 3755, .modified_ns = stamp.modified_ns},
        {.is_file = true, .bytes = 0, .modified_ns = 0}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(!sc_source_seal_fits(&seal, &key, &others[i]));
    static const sc_source_key keys[] = {
        {{{0, 2}, {3, 4}}}, {{{1, 2}, {3, 5}}}, {{{0, 0}}}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        CHECK(!sc_source_seal_fits(&seal, &keys[i], &stamp));
    /* each half, and the salt, counts */
    for (size_t i = 0; i < 2; i++) {
        sc_source_seal changed = seal;
        changed.digest[i] ^= 1;
        CHECK(!sc_source_seal_fits(&changed, &key, &stamp));
        changed = seal;
        changed.salt[i] ^= 1;
        CHECK(!sc_source_seal_fits(&changed, &key, &stamp));
        sc_source_key half = key;
        half.halves[i] = keys[0].halves[1 - i];
        CHECK(!sc_source_seal_fits(&seal, &half, &stamp));
    }
}

TEST(A107_a_seal_holds_its_content_alone)
{
    CLAIM("source_seal.holds");
    static const sc_source_content others[] = {{{5, 7}}, {{4, 6}}, {{6, 5}}, {{0, 0}}};
    static const sc_source_key none;
    sc_source_seal seal, bare;
    sc_source_seal_make(&key, salt, &stamp, &content, &seal);
    sc_source_seal_make(&key, salt, &stamp, NULL, &bare);
    CHECK(sc_source_seal_holds(&seal, &key, &content));
    CHECK(!sc_source_seal_holds(&seal, &none, &content));
    CHECK(!sc_source_seal_holds(&bare, &key, &content));
    CHECK(sc_source_seal_fits(&bare, &key, &stamp));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(!sc_source_seal_holds(&seal, &key, &others[i]));
    for (size_t i = 0; i < 2; i++) {
        sc_source_seal changed = seal;
        changed.content[i] ^= 1;
        CHECK(!sc_source_seal_holds(&changed, &key, &content));
        changed = seal;
        changed.salt[i] ^= 1;
        CHECK(!sc_source_seal_holds(&changed, &key, &content));
        sc_source_key half = key;
        half.halves[i] = none.halves[i];
        CHECK(!sc_source_seal_holds(&seal, &half, &content));
    }
}

/* Equal files have seals that have nothing in common, and without the key a possible size cannot
 * be told from the others. */
TEST(A74_a_seal_is_no_size)
{
    CLAIM("source_seal.secret");
    const uint64_t next[2] = {salt[0], salt[1] + 1};
    sc_source_seal seal, again;
    char text[SC_SOURCE_SEAL_BYTES], number[24];
    sc_source_seal_make(&key, salt, &stamp, &content, &seal);
    sc_source_seal_make(&key, next, &stamp, &content, &again);
    CHECK(seal.digest[0] != again.digest[0] && seal.digest[1] != again.digest[1]);
    CHECK(seal.digest[0] != seal.digest[1]);
    CHECK(seal.content[0] != again.content[0] && seal.content[1] != again.content[1]);
    const uint64_t first[2] = {salt[0] + 1, salt[1]};
    sc_source_seal_make(&key, first, &stamp, &content, &again);
    CHECK(seal.content[0] != again.content[0] && seal.content[1] != again.content[1]);
    CHECK(seal.content[0] != seal.content[1]);
    sc_source_seal_format(&seal, text);
    snprintf(number, sizeof number, "%d", (int)stamp.bytes);
    CHECK(strstr(text, number) == NULL);
    static const sc_source_key none;
    for (uint64_t bytes = 3000; bytes < 4000; bytes++) {
        const sc_source_stamp guess = {
            .is_file = true, .bytes = bytes, .modified_ns = stamp.modified_ns};
        CHECK(!sc_source_seal_fits(&seal, &none, &guess));
    }
}

TEST(source_seal_has_one_spelling)
{
    CLAIM("source_seal.fits");
    static const char *const wrong[] = {
        "",
        "salt=8d6f0b1c2a3e4f50617283940a1b2c3d",
        "salt=8d6f0b1c2a3e4f50617283940a1b2c3d,digest=0f1e2d3c4b5a69788796a5b4c3d2e1f",
        "salt=8d6f0b1c2a3e4f50617283940a1b2c3d,digest=0f1e2d3c4b5a69788796a5b4c3d2e1f00",
        "salt=8D6f0b1c2a3e4f50617283940a1b2c3d,digest=0f1e2d3c4b5a69788796a5b4c3d2e1f0",
        "digest=0f1e2d3c4b5a69788796a5b4c3d2e1f0,salt=8d6f0b1c2a3e4f50617283940a1b2c3d",
        "salt=8d6f0b1c2a3e4f50617283940a1b2c3d,digest=0f1e2d3c4b5a69788796a5b4c3d2e1f0,",
        ("salt=8d6f0b1c2a3e4f50617283940a1b2c3d,digest=0f1e2d3c4b5a69788796a5b4c3d2e1f0,"
         "content=0f1e2d3c4b5a69788796a5b4c3d2e1f"),
        "bytes=1"};
    static const char *const right[] = {
        "salt=8d6f0b1c2a3e4f50617283940a1b2c3d,digest=0f1e2d3c4b5a69788796a5b4c3d2e1f0",
        "salt=00000000000000000000000000000000,digest=00000000000000000000000000000001",
        ("salt=8d6f0b1c2a3e4f50617283940a1b2c3d,digest=0f1e2d3c4b5a69788796a5b4c3d2e1f0,"
         "content=00000000000000000000000000000001"),
        "bytes=3755,modified=1763193600.000000001"};
    char text[SC_SOURCE_SEAL_BYTES];
    sc_source_seal seal;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!sc_source_seal_parse(sc_text_of(wrong[i]), &seal));
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        CHECK(sc_source_seal_parse(sc_text_of(right[i]), &seal));
        sc_source_seal_format(&seal, text);
        CHECK_STR(text, right[i]);
    }
    /* one of an earlier version needs no key */
    CHECK(seal.is_plain && sc_source_seal_fits(&seal, NULL, &stamp));
}
