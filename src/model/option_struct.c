#include "model/option_struct.h"

#include <string.h>

static scrim_status check(const void *options, size_t size, size_t least, size_t known,
                          scrim_error *error)
{
    if (size < least)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "size",
                           "the options have no size; make them with SCRIM_OPTIONS");
    for (size_t i = known; i < size; i++)
        if (((const unsigned char *)options)[i] != 0)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "size",
                               "the options have a member that this version does not "
                               "know; leave it out, or use a newer library");
    return SCRIM_OK;
}

scrim_status sc_option_struct_copy(const void *options, size_t least, void *out,
                                   size_t known, scrim_error *error)
{
    size_t size = 0;
    if (options == NULL) {
        memset(out, 0, known);
        return SCRIM_OK;
    }
    memcpy(&size, options, sizeof size);
    scrim_status status = check(options, size, least, known, error);
    if (status != SCRIM_OK)
        return status;
    memset(out, 0, known);
    memcpy(out, options, size < known ? size : known);
    return SCRIM_OK;
}
