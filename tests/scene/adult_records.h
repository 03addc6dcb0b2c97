/* The Adult table as the records of a synthesiser, for tests and for the bench. */
#ifndef ADULT_RECORDS_H
#define ADULT_RECORDS_H

#include "synth/rounds/records.h"

/* 14 columns with public cuts, 32561 rows; NULL without the file, and where memory fails. */
sc_records *synth_adult(void);
/* The same with NULL as a category of every column, which no row has. */
sc_records *synth_adult_nullable(void);
/* Its columns by name, in the order of the records. */
extern const char *const synth_adult_names[14];

#endif
