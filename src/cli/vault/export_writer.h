/* The entries of a ledger as JSON, a line each, for whoever verifies it without scrim
 * (docs/ledger-format.md, "Exported"). */
#ifndef SC_CLI_EXPORT_WRITER_H
#define SC_CLI_EXPORT_WRITER_H

#include "cli/sheet/json_writer.h"

typedef struct sc_export {
    sc_json json;
    uint64_t head;
    char hash[SCRIM_HASH_BYTES];
} sc_export;

void sc_export_begin(sc_export *export, sc_output *output);
/* answer is NULL for entries that are no release. */
void sc_export_add(sc_export *export, uint64_t id, const char *bytes, size_t count,
                   const char *hash, const char *answer);
/* The head: an export without it was cut short. */
void sc_export_end(sc_export *export);

#endif
