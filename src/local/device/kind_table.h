/* All protocols, by number. */
#ifndef SL_KIND_TABLE_H
#define SL_KIND_TABLE_H

#include "local/device/kind.h"

/* NULL: there is no such protocol. */
const sl_kind *sl_kind_of(uint32_t protocol);
/* Whether it makes reports of values, or, with is_text = 1, of texts, and has its table; kind may be NULL. */
int sl_kind_takes(const sl_kind *kind, const scrim_local_config *config, int is_text);

#endif
