#include "passages.h"

scrim_status passage_open(scrim_ledger *ledger, const char *question,
                          const sc_bundle *bundle, sc_passage **out, scrim_error *error)
{
    sc_bits_key key = {{0}};
    const scrim_status status =
        ledger->bits == NULL ? sc_bits_key_draw(&key, error) : SCRIM_OK;
    return status == SCRIM_OK
               ? sc_passage_open(ledger, question, bundle, &key, false, out, error)
               : status;
}
