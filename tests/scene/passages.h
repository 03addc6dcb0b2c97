/* Passages that cannot be repeated, with a key of their own. */
#ifndef PASSAGES_H
#define PASSAGES_H

#include "ledger/release.h"

/* sc_passage_open with a key that is drawn, or with that of zeros where the ledger has a tape. */
SCRIM_MUST_USE scrim_status passage_open(scrim_ledger *ledger, const char *question,
                                         const sc_bundle *bundle, sc_passage **out,
                                         scrim_error *error);

#endif
