#include "vault/store/chain.h"

#include "base/checked.h"

#include <string.h>

void sc_chain_init(sc_chain *chain)
{
    memset(chain, 0, sizeof *chain);
}

scrim_status sc_chain_extend(const sc_chain *chain, sc_digester *digester, sc_text bytes,
                             sc_chain *next, scrim_error *error)
{
    const sc_text before = {(const char *)chain->head.bytes, SC_DIGEST_BYTES};
    sc_digest head;
    scrim_status status = sc_digest_of(digester, before, bytes, &head, error);
    if (status == SCRIM_OK)
        *next = (sc_chain){chain->generation + 1, head};
    return status;
}

bool sc_chain_equal(const sc_chain *a, const sc_chain *b)
{
    return a->generation == b->generation && sc_digest_equal(&a->head, &b->head);
}

void sc_chain_format(const sc_chain *chain, char text[SC_CHAIN_TEXT_BYTES])
{
    char number[SC_INT128_BYTES], digest[SC_DIGEST_TEXT_BYTES];
    sc_text_sink sink;
    sc_int128_format((sc_int128)chain->generation, number);
    sc_digest_format(&chain->head, digest);
    sc_text_sink_init(&sink, text, SC_CHAIN_TEXT_BYTES);
    sc_text_put(&sink, sc_text_of(number));
    sc_text_put(&sink, sc_text_of(" "));
    sc_text_put(&sink, sc_text_of(digest));
}

bool sc_chain_parse(sc_text text, sc_chain *out)
{
    sc_text number, digest;
    sc_chain made;
    if (!sc_text_split(text, ' ', &number, &digest) ||
        !sc_text_uint64(number, &made.generation) || !sc_digest_parse(digest, &made.head))
        return false;
    *out = made;
    return true;
}
