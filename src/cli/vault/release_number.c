#include "cli/vault/release_number.h"

#include "cli/terminal/complaint.h"

#include <stdlib.h>
#include <string.h>

/* So many digits fit into 64 bits, whatever they are. */
#define DIGITS_MOST 18

scrim_status sc_release_number_parse(const char *word, uint64_t *out, scrim_error *error)
{
    const size_t digits = strlen(word);
    if (digits == 0 || digits > DIGITS_MOST || strspn(word, "0123456789") != digits)
        return sc_refuse(error, "'%s' is not a release number; 'scrim ledger' lists them",
                         word);
    *out = strtoull(word, NULL, 10);
    return SCRIM_OK;
}
