#include "base/digest.h"
#include "check.h"
#include "faults.h"

#include <string.h>

/* The examples of FIPS 180-4 and of NIST's short message vectors; a million times "a". */
static const struct {
    const char *message, *digest;
} published[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
};
#define MILLION "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"

static void check_digest(sc_digester *d, sc_text first, sc_text second, const char *want)
{
    sc_digest got;
    char text[SC_DIGEST_TEXT_BYTES];
    REQUIRE_OK(sc_digest_of(d, first, second, &got, NULL));
    sc_digest_format(&got, text);
    CHECK_STR(text, want);
}

TEST(digest_agrees_with_the_published_vectors)
{
    CLAIM("digest.sha256");
    sc_digester *d = NULL;
    REQUIRE_OK(sc_digester_new(&d, NULL));
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const sc_text all = sc_text_of(published[i].message);
        for (size_t cut = 0; cut <= all.bytes; cut++)
            check_digest(d, (sc_text){all.start, cut},
                         (sc_text){all.start + cut, all.bytes - cut},
                         published[i].digest);
    }
    static char many[1000000];
    memset(many, 'a', sizeof many);
    check_digest(d, (sc_text){many, sizeof many}, sc_text_of(""), MILLION);
    sc_digester_free(d);
}

TEST(digest_text_goes_there_and_back)
{
    sc_digest digest, again = {{0}};
    char text[SC_DIGEST_TEXT_BYTES];
    for (size_t i = 0; i < SC_DIGEST_BYTES; i++)
        digest.bytes[i] = (unsigned char)(i * 41 + 7);
    sc_digest_format(&digest, text);
    CHECK(sc_digest_parse(sc_text_of(text), &again));
    CHECK(sc_digest_equal(&digest, &again));
    again.bytes[31] ^= 1;
    CHECK(!sc_digest_equal(&digest, &again));
    CHECK(!sc_digest_parse((sc_text){text, 63}, &again));
    text[5] = 'A';
    CHECK(!sc_digest_parse(sc_text_of(text), &again));
    text[5] = 'g';
    CHECK(!sc_digest_parse(sc_text_of(text), &again));
}

TEST(digest_survives_without_memory)
{
    FAULT_LOOP(fault)
    {
        sc_digester *d = NULL;
        scrim_error error;
        scrim_status status = sc_digester_new(&d, &error);
        CHECK(status == SCRIM_OK ? d != NULL : d == NULL && fault_hit());
        sc_digester_free(d);
    }
}
