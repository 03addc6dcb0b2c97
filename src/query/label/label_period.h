/* The label of all releases of a time: what each budget had spent before it, in it and up to its end.
 *
 * Claim  label.period  the sums are those of the entries that the ledger had when the label was made, and a ledger that
 *                      has these entries gives the same facts again
 */
#ifndef SC_QUERY_LABEL_PERIOD_H
#define SC_QUERY_LABEL_PERIOD_H

#include "query/label/label.h"

#include <stdbool.h>

/* True for a label of a time; false for the label of a release. */
bool sc_label_is_period(const scrim_label *label);
/* file may be NULL. Also fails as scrim_label_new_period. */
SCRIM_MUST_USE scrim_status sc_label_make_period(scrim_vault *vault,
                                                 const scrim_label_period *period,
                                                 const sc_label_file *file,
                                                 scrim_label **out, scrim_error *error);
/* The time and the number of entries that a label states. SCRIM_E_CHECK: it states none. */
SCRIM_MUST_USE scrim_status sc_label_read_period(const scrim_label *label,
                                                 scrim_label_period *out,
                                                 scrim_error *error);

#endif
