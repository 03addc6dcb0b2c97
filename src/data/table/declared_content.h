/* The content of a source file (source_content.h), for its owner who declares it, and of a file whose rows a program
 * has read and pushed. */
#ifndef SC_DATA_DECLARED_CONTENT_H
#define SC_DATA_DECLARED_CONTENT_H

#include "data/source/source_content.h"
#include "data/source/source_stamp.h"
#include "data/value/schema.h"

/* Reads all bytes of the file that the schema names, as a scan of its rows does. stamp is the file's, before and
 * after. SCRIM_E_INPUT where it cannot be read or is changed meanwhile, SCRIM_E_MEMORY, SCRIM_E_INTERNAL. */
SCRIM_MUST_USE scrim_status sc_declared_content_read(
    const sc_schema *schema, const sc_source_key *key, const sc_content_watch *watch,
    sc_source_stamp *stamp, sc_source_content *content, scrim_error *error);
/* The same for a file whose rows a program has read; the caller has taken the memory for it before. */
SCRIM_MUST_USE scrim_status sc_origin_content_read(sc_content_file *file, sc_text path,
                                                   sc_source_stamp *stamp,
                                                   sc_source_content *content,
                                                   scrim_error *error);

#endif
