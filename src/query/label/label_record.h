/* What was released, beside its label: the text whose digest the ledger has.
 *
 * Claim  label.record  what a page shows of a release is a function of the record and of the label,
 *                      and the label has the record's digest
 */
#ifndef SC_QUERY_LABEL_RECORD_H
#define SC_QUERY_LABEL_RECORD_H

#include "query/label/label.h"

/* The text as it was recorded; freed by sc_free, NULL without memory. */
char *sc_label_record_of(const scrim_vault_release *release);

#endif
