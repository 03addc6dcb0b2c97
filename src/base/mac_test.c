#include "base/mac.h"
#include "check.h"

#include <string.h>

static void tag_of(const sc_mac *mac, const unsigned char *key, const char *text,
                   size_t first, unsigned char *tag)
{
    sc_mac_state *state = NULL;
    REQUIRE_OK(sc_mac_state_new(mac, &state, NULL));
    CHECK(sc_mac_begin(state, key) && sc_mac_add(state, text, first) &&
          sc_mac_add(state, text + first, strlen(text) - first) &&
          sc_mac_end(state, tag));
    sc_mac_state_free(state);
}

/* RFC 8439, appendix A.3, vectors 2 and 4. */
TEST(mac_is_that_of_the_standard)
{
    CLAIM("mac.poly1305");
    static const struct {
        unsigned char key[SC_MAC_KEY_BYTES];
        const char *text;
        unsigned char tag[SC_MAC_TAG_BYTES];
    } vectors[] = {
        {{0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
          0,    0,    0,    0,    0,    0x36, 0xe5, 0xf6, 0xb5, 0xc5, 0xe0,
          0x60, 0x70, 0xf0, 0xef, 0xca, 0x96, 0x22, 0x7a, 0x86, 0x3e},
         "Any submission to the IETF intended by the Contributor for publication as all "
         "or "
         "part of an IETF Internet-Draft or RFC and any statement made within the "
         "context "
         "of an IETF activity is considered an \"IETF Contribution\". Such statements "
         "include oral statements in IETF sessions, as well as written and electronic "
         "communications made at any time or place, which are addressed to",
         {0x36, 0xe5, 0xf6, 0xb5, 0xc5, 0xe0, 0x60, 0x70, 0xf0, 0xef, 0xca, 0x96, 0x22,
          0x7a, 0x86, 0x3e}},
        {{0x1c, 0x92, 0x40, 0xa5, 0xeb, 0x55, 0xd3, 0x8a, 0xf3, 0x33, 0x88,
          0x86, 0x04, 0xf6, 0xb5, 0xf0, 0x47, 0x39, 0x17, 0xc1, 0x40, 0x2b,
          0x80, 0x09, 0x9d, 0xca, 0x5c, 0xbc, 0x20, 0x70, 0x75, 0xc0},
         "'Twas brillig, and the slithy toves\nDid gyre and gimble in the wabe:\nAll "
         "mimsy "
         "were the borogoves,\nAnd the mome raths outgrabe.",
         {0x45, 0x41, 0x66, 0x9a, 0x7e, 0xaa, 0xee, 0x61, 0xe7, 0x08, 0xdc, 0x7c, 0xbc,
          0xc5, 0xeb, 0x62}}};
    sc_mac *mac = NULL;
    unsigned char tag[SC_MAC_TAG_BYTES];
    REQUIRE_OK(sc_mac_open(&mac, NULL));
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        for (size_t first = 0; first < strlen(vectors[i].text); first += 17) {
            tag_of(mac, vectors[i].key, vectors[i].text, first, tag);
            CHECK(memcmp(tag, vectors[i].tag, sizeof tag) == 0);
        }
    sc_mac_close(mac);
}
