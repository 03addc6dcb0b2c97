/* The plain twin of the store in a file: arrays in memory, one user, nothing durable. For what
 * is compared with the real one, and for a vault that is thrown away. */
#ifndef STORE_MEMORY_H
#define STORE_MEMORY_H

#include "vault/store/store.h"

SCRIM_MUST_USE scrim_status store_memory_new(sc_store **out, scrim_error *error);

#endif
