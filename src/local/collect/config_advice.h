/* Words for a configuration that cannot be read: the first word that is wrong, and which belongs there. */
#ifndef SC_LOCAL_CONFIG_ADVICE_H
#define SC_LOCAL_CONFIG_ADVICE_H

#include "base/status.h"
#include "scrim_local.h"

/* Fails with the status that the parser gave, which is not SCRIM_LOCAL_OK. */
scrim_status sc_config_refuse(const char *text, scrim_local_status parsed,
                              scrim_error *error);

#endif
