/* Operations on a table before a mechanism sees it, and their cost.
 *
 * An operation moves neighbouring tables apart by at most c rows for each row that they differ by,
 * whatever its coins, which do not look at the data: it is c-Lipschitz in the l1 norm of tables as
 * multisets of rows. A claim for neighbours then holds for what comes out as the claim for groups
 * of c units: with c = 1 as it is. That a map keeps the number of rows, as the source has it, is
 * neither needed nor enough: a filter does not keep it, and n rows made n copies of n mod 2 are 21
 * apart where they were 1 apart.
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

/* How an operation is charged. */
typedef enum sc_lipschitz_kind {
    SC_LIPSCHITZ_FREE,    /* 1 */
    SC_LIPSCHITZ_EXPANDS, /* as many rows as one row can become, which has to be said */
    SC_LIPSCHITZ_REFUSED  /* there is no such number */
} sc_lipschitz_kind;

typedef struct sc_lipschitz_operation {
    const char *name;
    sc_lipschitz_kind kind;
    const char *meaning; /* and, of what is refused, why */
} sc_lipschitz_operation;

/* The table, by index from 0 on; NULL past its end. */
const sc_lipschitz_operation *sc_lipschitz_at(size_t index);

/* One step of a chain. */
typedef struct sc_lipschitz_step {
    sc_text name;
    uint64_t rows; /* that one row becomes at most, of what expands; else 0 or 1 */
} sc_lipschitz_step;

#define SC_LIPSCHITZ_MAX ((uint64_t)1 << 20)

/* The constant of steps one behind the other, which is the product of theirs; of none it is 1.
 * SCRIM_E_POLICY for one that is refused or not in the table, SCRIM_E_PARAM for one that expands
 * and does not say by how much, or says so and does not expand; SCRIM_E_LIMIT above
 * SC_LIPSCHITZ_MAX. */
SCRIM_MUST_USE scrim_status sc_lipschitz_chain(const sc_lipschitz_step *steps,
                                               size_t count, uint64_t *out,
                                               scrim_error *error);

#endif
