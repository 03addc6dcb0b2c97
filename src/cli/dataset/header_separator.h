/* The separator between the names in the header of a CSV file, by the look of it: to be offered to the owner,
 * who decides. No row is read. */
#ifndef SC_CLI_HEADER_SEPARATOR_H
#define SC_CLI_HEADER_SEPARATOR_H

/* The separator, as a policy writes it, that cuts the header of the policy's CSV file into most
 * columns. NULL where the header has several already, where none does, and where the policy says
 * one. */
const char *sc_header_separator(const char *policy);

#endif
