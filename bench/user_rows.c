#include "user_rows.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Good enough for numbers that only have to look unlike each other (splitmix64, public). */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static void put_row(FILE *file, uint64_t row, uint64_t users, user_rows_form form)
{
    const uint64_t user = row * 7 % users, random = mixed(row);
    const unsigned key = (unsigned)(random % 1000),
                   cents = (unsigned)(random >> 20) % 10000;
    const unsigned defect = form == USER_ROWS_RAGGED ? (unsigned)(random >> 50) % 6 : 5;
    const char *quote = form == USER_ROWS_QUOTED ? "\"" : "";
    const char separator = form == USER_ROWS_SEMICOLON ? ';' : ',',
               decimal = form == USER_ROWS_SEMICOLON ? ',' : '.';
    if (defect == 0)
        fprintf(file, "%llu,%u\n", (unsigned long long)user, key);
    else if (defect == 1)
        fprintf(file, "%llu,%u,%u.%02u,\n", (unsigned long long)user, key, cents / 100,
                cents % 100);
    else if (defect == 2)
        fprintf(file, "%llu,\"%u,%u.%02u\n", (unsigned long long)user, key, cents / 100,
                cents % 100);
    else
        fprintf(file, "%s%llu%s%c%s%u%s%c%s%u%c%02u%s\n", quote, (unsigned long long)user,
                quote, separator, quote, key, quote, separator, quote, cents / 100,
                decimal, cents % 100, quote);
}

uint64_t user_rows_write(char path[64], uint64_t rows, user_rows_form form)
{
    const char *folder = getenv("TMPDIR");
    if (folder == NULL || strlen(folder) > 40)
        folder = "/tmp";
    snprintf(path, 64, "%s/user_rows.XXXXXX", folder);
    const int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (file == NULL) {
        bench_die("no file for the rows of the bench");
        return 0;
    }
    fputs(form == USER_ROWS_SEMICOLON ? "user;key;value\n" : "user,key,value\n", file);
    for (uint64_t row = 0; row < rows; row++)
        put_row(file, row, rows / 8 + 1, form);
    const long bytes = ftell(file);
    if (fclose(file) != 0 || bytes < 0)
        bench_die("the rows of the bench cannot be written");
    return (uint64_t)bytes;
}
