/* The list of all accountants, which `scrim compose` shows: basic, advanced, optimal (equal
 * parameters), lattice and closed (different parameters), renyi, concentrated, loss (integers) and
 * fast-loss. A new accountant is one family of files and one line here. */
#ifndef SC_COMPOSITION_ACCOUNTANTS_H
#define SC_COMPOSITION_ACCOUNTANTS_H

#include "composition/accountant/accountant.h"

/* NULL past the last. */
const sc_accountant *sc_accountant_at(size_t index);
/* NULL where no accountant has this name. */
const sc_accountant *sc_accountant_find(const char *name);

#endif
