/* Operations on a table before a mechanism sees it, and their cost.
 *
 * If two tables differ by one row, their results differ by at most c rows, whatever random bits the operation uses (they must
 * not depend on the data): the operation is c-Lipschitz in the l1 norm of tables as
 * multisets of rows. A mechanism on the result then has its privacy for groups of c units: for c = 1
 * its own. The paper asks instead that the number of rows stays the same. That is neither needed nor enough: a filter changes
 * it, and an operation that turns n rows into n copies of n mod 2 makes tables of 10 and 11 rows differ by 21.
 *
 * Claim  lipschitz.constant  no operation of the table moves two tables further apart than its
 *                            constant says
 * Claim  lipschitz.refused   what depends on other rows, and what is not in the table, is refused
 *                            by name and with the reason
 *
 * Reference  spec/thresholding.md 8, F15
 */
#ifndef SC_MODEL_LIPSCHITZ_H
#define SC_MODEL_LIPSCHITZ_H

#include "base/status.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

/* The constant of an operation. */
typedef enum sc_lipschitz_kind {
    SC_LIPSCHITZ_FREE, /* 1 */
    SC_LIPSCHITZ_EXPANDS, /* the most rows that one row can become, which the caller declares */
    SC_LIPSCHITZ_REFUSED /* unbounded */
} sc_lipschitz_kind;

typedef struct sc_lipschitz_operation {
    const char *name;
    sc_lipschitz_kind kind;
    const char *meaning; /* and the reason, if it is refused */
} sc_lipschitz_operation;

/* The table, by index from 0 on; NULL past its end. */
const sc_lipschitz_operation *sc_lipschitz_at(size_t index);

/* One step of a chain. */
typedef struct sc_lipschitz_step {
    sc_text name;
    uint64_t rows; /* the most that one row becomes, if it expands; else 0 or 1 */
} sc_lipschitz_step;

#define SC_LIPSCHITZ_MAX ((uint64_t)1 << 20)

/* The constant of a chain of steps: the product of theirs, 1 for an empty chain.
 * SCRIM_E_POLICY for one that is refused or not in the table, SCRIM_E_PARAM for one that expands
 * and does not say by how much, or says so and does not expand; SCRIM_E_LIMIT above
 * SC_LIPSCHITZ_MAX. */
SCRIM_MUST_USE scrim_status sc_lipschitz_chain(const sc_lipschitz_step *steps,
                                               size_t count, uint64_t *out,
                                               scrim_error *error);

#endif
