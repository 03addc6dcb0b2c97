/* All protocols, by number. */
#ifndef SL_KIND_TABLE_H
#define SL_KIND_TABLE_H

#include "local/device/kind.h"

/* NULL: there is no such protocol. */
const sl_kind *sl_kind_of(uint32_t protocol);

#endif
