/* A release as a word of the command line: its number in the ledger. */
#ifndef SC_CLI_RELEASE_NUMBER_H
#define SC_CLI_RELEASE_NUMBER_H

#include "scrim.h"

/* Digits, at most 18 of them. SCRIM_E_PARAM, and the message says where numbers are found. */
SCRIM_MUST_USE scrim_status sc_release_number_parse(const char *word, uint64_t *out,
                                                    scrim_error *error);

#endif
