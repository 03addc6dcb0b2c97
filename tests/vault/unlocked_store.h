/* A store that is wrong on purpose: it checks first and takes the lock later. The test of
 * spenders at once must see it fail. */
#ifndef UNLOCKED_STORE_H
#define UNLOCKED_STORE_H

#include "vault/store/store.h"

/* Takes over the inner store. NULL without memory. */
sc_store *unlocked_store_new(sc_store *inner);

#endif
