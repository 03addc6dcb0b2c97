/* A released tree of counts on the screen: its table, ranges and quantiles of its last level, and the notes beside
 * them. */
#ifndef SC_CLI_TREE_LISTING_H
#define SC_CLI_TREE_LISTING_H

#include "cli/release/tree_view.h"

/* A tree as a table, CSV or JSON, a row a node, and the notes beside it. */

/* On standard output, or in the file of --out with its label, as the options say. */
SCRIM_MUST_USE scrim_status sc_tree_listing(const sc_tree_view *view, scrim_vault *vault,
                                            const sc_options *options,
                                            scrim_error *error);
/* On standard error: the error of each level, what is known, and what intervals mean. */
void sc_tree_notes(const sc_tree_view *view);

/* Ranges and quantiles of a released tree of one numeric column, whose last level has its values in increasing order.
 *
 * A range is a sum of leaves. The quantile p is the first value k at which D(k) = people up to k - p times all people is at least
 * 0. D(k) is a linear function with an interval that holds with the confidence, half of what is left on each side, as the noise
 * is symmetric. The quantile is not below the first k whose interval reaches 0: else that of the true one would lie below 0. Nor is
 * it above the one behind the last k whose interval begins below 0: else that of the one before the true one would lie above.
 */

/* Is any range or quantile asked for? */
bool sc_tree_ranges_asked(const sc_options *options);
/* On standard output, as the options say. SCRIM_E_PARAM where the tree has no such level, or a range cannot be read. */
SCRIM_MUST_USE scrim_status sc_tree_ranges(const sc_tree_view *view, scrim_vault *vault,
                                           const sc_options *options, scrim_error *error);

#endif
