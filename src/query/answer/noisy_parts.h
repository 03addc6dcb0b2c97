/* The numbers that are released of a pass whose groups may come part by part (group_parts.h): each
 * part is selected and drawn by itself, since the noise of each group is its own, and of each only
 * what was kept stays. Then rows are put in bytewise order.
 *
 * Claim  noisy-parts.all  every group of every part is selected and drawn once, and rows are in the
 *                         order and of the distribution that one draw of all groups has (A73, A88)
 */
#ifndef SC_QUERY_NOISY_PARTS_H
#define SC_QUERY_NOISY_PARTS_H

#include "query/answer/noisy.h"
#include "query/rows/pass.h"

/* In place of sc_noisy_draw. SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_noisy_draw_pass(sc_noisy *noisy, sc_passage *passage,
                                               sc_pass *pass, size_t statement,
                                               scrim_error *error);

#endif
