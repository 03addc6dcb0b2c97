/* A table of users for benches: "user,key,value", one of many users with at most eight rows each,
 * one of 1,000 keys, and a value from 0.00 to 99.99. The same rows in every run. */
#ifndef USER_ROWS_H
#define USER_ROWS_H

#include <stdint.h>

typedef enum user_rows_form {
    USER_ROWS_PLAIN,
    USER_ROWS_QUOTED,    /* quotes around every field */
    USER_ROWS_SEMICOLON, /* "user;key;value", and a decimal comma */
    USER_ROWS_RAGGED /* every other row lacks a field, has one too many, or a lone quote */
} user_rows_form;

/* Writes a file with so many rows into the folder for temporary files; path has room for 64 bytes.
 * Returns its size in bytes. Ends the program when it cannot. */
uint64_t user_rows_write(char path[64], uint64_t rows, user_rows_form form);

#endif
