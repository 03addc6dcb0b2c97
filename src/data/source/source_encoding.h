/* The encoding of a header that is not UTF-8, for a message that names the remedy. It is a hint, and
 * decides nothing: bytes are read as they are or not at all.
 */
#ifndef SC_DATA_SOURCE_ENCODING_H
#define SC_DATA_SOURCE_ENCODING_H

#include "base/text.h"

/* The name that iconv has for the likely encoding of the first line of a file; NULL where it is
 * UTF-8. A byte of 0 is UTF-16 or UTF-32, as is a byte order mark of theirs; other bytes that are
 * not UTF-8 are taken for WINDOWS-1252. */
const char *sc_source_encoding(sc_text line);

#endif
