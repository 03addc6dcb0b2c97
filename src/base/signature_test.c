#include "base/memory.h"
#include "base/signature.h"
#include "check.h"

#include <openssl/evp.h>
#include <string.h>

/* RFC 8032, section 7.1. */
static const struct {
    const char *seed, *key, *message, *signature;
    size_t bytes;
} published[] = {
    {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
     "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
     0},
    {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "\x72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
     "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
     1},
    {"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
     "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "\xaf\x82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
     "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
     2},
};

static sc_signature_seed seed_at(size_t index)
{
    sc_digest bytes = {{0}};
    sc_signature_seed seed;
    CHECK(sc_digest_parse(sc_text_of(published[index].seed), &bytes));
    memcpy(seed.bytes, bytes.bytes, sizeof seed.bytes);
    return seed;
}

static sc_digest key_of(const char *text)
{
    sc_digest key = {{0}};
    CHECK(sc_digest_parse(sc_text_of(text), &key));
    return key;
}

TEST(signature_agrees_with_the_published_vectors)
{
    CLAIM("signature.ed25519");
    for (size_t i = 0; i < COUNT(published); i++) {
        const sc_signature_seed seed = seed_at(i);
        const sc_text text = {published[i].message, published[i].bytes};
        sc_signature signature;
        sc_digest key;
        char spelt[SC_SIGNATURE_TEXT_BYTES], name[SC_DIGEST_TEXT_BYTES];
        REQUIRE_OK(sc_signature_key(&seed, &key, NULL));
        sc_digest_format(&key, name);
        CHECK_STR(name, published[i].key);
        REQUIRE_OK(sc_signature_sign(&seed, text, &signature, NULL));
        sc_signature_format(&signature, spelt);
        CHECK_STR(spelt, published[i].signature);
        CHECK_STATUS(sc_signature_check(&key, text, &signature, NULL), SCRIM_OK);
    }
}

TEST(A89_signature_altered)
{
    CLAIM("signature.strict");
    const sc_digest key = key_of(published[2].key), other = key_of(published[1].key);
    const sc_text text = {published[2].message, published[2].bytes};
    sc_signature signature;
    CHECK(sc_signature_parse(sc_text_of(published[2].signature), &signature));
    CHECK_STATUS(sc_signature_check(&key, text, &signature, NULL), SCRIM_OK);
    for (size_t bit = 0; bit < 8 * sizeof signature.bytes; bit += 7) {
        sc_signature altered = signature;
        altered.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        CHECK_STATUS(sc_signature_check(&key, text, &altered, NULL), SCRIM_E_CHECK);
    }
    for (size_t bit = 0; bit < 8 * sizeof key.bytes; bit += 17) {
        sc_digest altered = key;
        altered.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        CHECK_STATUS(sc_signature_check(&altered, text, &signature, NULL), SCRIM_E_CHECK);
    }
    CHECK_STATUS(sc_signature_check(&other, text, &signature, NULL), SCRIM_E_CHECK);
    CHECK_STATUS(sc_signature_check(&key, (sc_text){text.start, 1}, &signature, NULL),
                 SCRIM_E_CHECK);
}

/* S and S + L stand for the same multiple of the base point. */
TEST(A89_signature_malleated)
{
    CLAIM("signature.strict");
    static const unsigned char order[32] = {
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7,
        0xa2, 0xde, 0xf9, 0xde, 0x14, 0,    0,    0,    0,    0,    0,
        0,    0,    0,    0,    0,    0,    0,    0,    0,    0x10};
    const sc_digest key = key_of(published[2].key);
    const sc_text text = {published[2].message, published[2].bytes};
    sc_signature signature;
    CHECK(sc_signature_parse(sc_text_of(published[2].signature), &signature));
    for (size_t times = 1; times <= 7; times++) {
        unsigned carry = 0;
        for (size_t i = 0; i < sizeof order; i++) {
            carry += (unsigned)signature.bytes[32 + i] + order[i];
            signature.bytes[32 + i] = (unsigned char)carry;
            carry >>= 8;
        }
        CHECK_INT(carry, 0);
        CHECK_STATUS(sc_signature_check(&key, text, &signature, NULL), SCRIM_E_CHECK);
    }
}

/* The verdict of libcrypto by itself. */
static bool holds_in_libcrypto(const sc_digest *key, sc_text text,
                               const sc_signature *signature)
{
    EVP_MD_CTX *state = EVP_MD_CTX_new();
    EVP_PKEY *public =
        EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, key->bytes, 32);
    const bool holds =
        public != NULL && EVP_DigestVerifyInit(state, NULL, NULL, NULL, public) == 1 &&
        EVP_DigestVerify(state, signature->bytes, 64, (const unsigned char *)text.start,
                         text.bytes) == 1;
    EVP_PKEY_free(public);
    EVP_MD_CTX_free(state);
    return holds;
}

/* Under the neutral point R = S B holds for every text: libcrypto accepts that. The points of order
 * 2, 4 and 8 do so for every second, fourth and eighth text. */
TEST(A89_signature_of_small_order)
{
    CLAIM("signature.strict");
    static const char *const keys[] = {
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        /* 0 and 1 once more, as p and p + 1. */
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        /* The largest that can be spelt. */
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    };
    sc_signature signature = {{1}}; /* R neutral, S = 0 */
    size_t accepted = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const sc_digest key = key_of(keys[i]);
        for (size_t c = 0; c < 16; c++) {
            const sc_text text = {&"abcdefghijklmnop"[c], 1};
            accepted += holds_in_libcrypto(&key, text, &signature);
            CHECK_STATUS(sc_signature_check(&key, text, &signature, NULL), SCRIM_E_CHECK);
        }
    }
    CHECK(accepted >= 16); /* else this test looks at nothing */
}

TEST(signature_text_goes_there_and_back)
{
    sc_signature signature, again = {{0}};
    char text[SC_SIGNATURE_TEXT_BYTES];
    for (size_t i = 0; i < sizeof signature.bytes; i++)
        signature.bytes[i] = (unsigned char)(i * 41 + 7);
    sc_signature_format(&signature, text);
    CHECK(sc_signature_parse(sc_text_of(text), &again));
    CHECK(memcmp(&signature, &again, sizeof again) == 0);
    CHECK(!sc_signature_parse((sc_text){text, 127}, &again));
    CHECK(!sc_signature_parse(sc_text_of(""), &again));
    text[100] = 'A';
    CHECK(!sc_signature_parse(sc_text_of(text), &again));
}
