/* A released tree of counts on the screen: its table, ranges and quantiles of its last level, and the notes beside
 * them. */
#ifndef SC_CLI_TREE_LISTING_H
#define SC_CLI_TREE_LISTING_H

#include "cli/release/tree_view.h"

/* A tree as a table, CSV or JSON, with a row for each node, and the notes beside it. */

/* On standard output, or in the file of --out with its label, as the options say. */
SCRIM_MUST_USE scrim_status sc_tree_listing(const sc_tree_view *view, scrim_vault *vault,
                                            const sc_options *options,
                                            scrim_error *error);
/* On standard error: the error of each level, what is known, and what intervals mean. */
void sc_tree_notes(const sc_tree_view *view);

/* Ranges and quantiles of a released tree of one numeric column, whose last level has its values in increasing order.
 *
 * A range is a sum of leaves. The quantile p is the first value k at which D(k) = people up to k - p times all people is at least
 * 0. D(k) is linear in the counts, so it has an interval with the confidence, symmetric as the noise is. The true quantile k* has
 * D(k*) >= 0 and D(k* - 1) < 0. So if the intervals hold, k* is not below the first k whose interval reaches 0, and not above the
 * value behind the last k whose interval begins below 0.
 */

/* Is any range or quantile asked for? */
bool sc_tree_ranges_asked(const sc_options *options);
/* On standard output, as the options say. SCRIM_E_PARAM where the tree has no such level, or a range cannot be read. */
SCRIM_MUST_USE scrim_status sc_tree_ranges(const sc_tree_view *view, scrim_vault *vault,
                                           const sc_options *options, scrim_error *error);

#endif
