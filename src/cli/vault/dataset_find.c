#include "cli/vault/dataset_find.h"

#include "cli/terminal/complaint.h"

#include <string.h>

scrim_status sc_dataset_find(scrim_vault *vault, const char *name, scrim_dataset *out,
                             scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    sc_nearest nearest;
    sc_nearest_init(&nearest, name);
    for (size_t i = 0; status == SCRIM_OK; i++) {
        status = scrim_vault_dataset(vault, i, out, error);
        if (status == SCRIM_OK && strcmp(out->name, name) == 0)
            return SCRIM_OK;
        if (status == SCRIM_OK)
            (void)sc_nearest_offer(&nearest, out->name);
    }
    if (status != SCRIM_E_PARAM)
        return status;
    if (nearest.name[0] != '\0')
        return sc_refuse(error, "unknown dataset '%s'; did you mean '%s'?", name,
                         nearest.name);
    return sc_refuse(error, "unknown dataset '%s'; 'scrim dataset list' lists them",
                     name);
}
