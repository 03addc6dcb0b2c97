#include "model/option_struct.h"

#include <string.h>

scrim_status sc_option_struct_check(const void *options, size_t least, size_t known,
                                    scrim_error *error)
{
    size_t size = 0;
    if (options != NULL)
        memcpy(&size, options, sizeof size);
    if (size < least)
        return sc_fail(error, SCRIM_E_PARAM,
                       "the options have no size; make them with SCRIM_OPTIONS");
    for (size_t i = known; i < size; i++)
        if (((const unsigned char *)options)[i] != 0)
            return sc_fail(error, SCRIM_E_PARAM,
                           "the options ask for what this version does not know; leave "
                           "it out, or use a newer library");
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
    scrim_status status = sc_option_struct_check(options, least, known, error);
    if (status != SCRIM_OK)
        return status;
    memcpy(&size, options, sizeof size);
    memset(out, 0, known);
    memcpy(out, options, size < known ? size : known);
    return SCRIM_OK;
}

bool sc_option_struct_holds(size_t size, size_t offset, size_t bytes)
{
    return bytes <= size && offset <= size - bytes;
}
