/* CSV files as they are in the world: other separators, decimal commas, dates, texts for a missing
 * value. */
#include "check.h"
#include "data/source/csv.h"
#include "random/bits_tape.h"
#include "table_rows.h"

#include <stdio.h>
#include <string.h>

#define ORDERS                                                                           \
    "unit=id\ncolumn=name=text\ncolumn=amount=decimal[0,1000]\n"                         \
    "column=day=date[2020-01-01,2024-12-31]\nmissing=name=?\nmissing=amount=999\n"       \
    "missing=day=2020-01-01\n"

static void check_rows(const char *policy, const char *bytes, const char *want)
{
    char text[4000];
    for (int way = 0; way < 2; way++) {
        table_rows rows;
        if (way == 0)
            table_rows_of_csv(&rows, policy, bytes, strlen(bytes), 2);
        else
            table_rows_of_stream(&rows, policy, bytes, strlen(bytes), 1);
        if (!CHECK_STATUS(rows.status, SCRIM_OK))
            CHECK_STR(rows.error.message, "");
        table_rows_join(&rows, text, sizeof text);
        CHECK_STR(text, want);
        table_rows_clear(&rows);
    }
}

/* As a spreadsheet in Berlin writes it. */
TEST(csv_form_of_a_spreadsheet)
{
    CLAIM("csv.declared");
    static const char bytes[] = "\xef\xbb\xbfid;name;amount;day;\"a;b\"\r\n"
                                "1;\"Ann; \"\"A\"\"\";1,50;31.12.2023;x\r\n"
                                "2;B,C;\"2,25\";\"01.02.2024\";x\r\n"
                                "3;D;1.234,50;1.2.2024;x\r\n"
                                "4;E;1.5;2024-02-01;x\r\n"
                                "5;F;3;29.02.2023;x\r\n";
    check_rows(ORDERS "separator=;\ndecimal=,\ndate-format=DD.MM.YYYY", bytes,
               "1|Ann; \"A\"|150|19722;2|B,C|225|19754;3|D|99900|18262;4|E|99900|18262;"
               "5|F|300|18262;");
    /* Without the mark a decimal comma is nothing. */
    check_rows(ORDERS "separator=;\ndate-format=D.M.YYYY", bytes,
               "1|Ann; \"A\"|99900|19722;2|B,C|99900|19754;3|D|99900|19754;"
               "4|E|150|18262;5|F|300|18262;");
}

/* A text of the list is missing where it is not quoted, in every column and as an id; and a value as
 * any other between quotes. */
TEST(csv_null_texts_are_not_quoted)
{
    CLAIM("csv.declared");
    static const char bytes[] = "id,name,amount,day\n"
                                "1,NA,NA,NA\n"
                                "2,\"NA\",\"NA\",\"NA\"\n"
                                "NA,x,1,2024-01-01\n"
                                "\"NA\",x,1,2024-01-01\n"
                                "3,-,7,2024-01-01\n"
                                "4,\"-\",\"7\",2024-01-01\n"
                                "5,N/A, NA,2024-01-01\n"
                                "6, NA,8,2024-01-01\n";
    check_rows(ORDERS "null=NA,-,7,2024-01-01", bytes,
               "1|?|99900|18262;2|NA|99900|18262;3|?|99900|18262;4|-|700|18262;"
               "5|N/A|99900|18262;6| NA|800|18262;NA|x|100|18262;");
    check_rows(ORDERS "null=NA", bytes,
               "1|?|99900|18262;2|NA|99900|18262;3|-|700|19723;4|-|700|19723;"
               "5|N/A|99900|19723;6| NA|800|19723;NA|x|100|19723;");
    /* The last field of a record that ends with a carriage return. */
    check_rows("unit=id\ncolumn=x=text\nmissing=x=?\nnull=NA",
               "id,x\r\n1,NA\r\n2,\"NA\"\r\n3,NA", "1|?;2|NA;3|?;");
    /* Without the list it is a text, and an id. */
    check_rows(ORDERS, "id,name,amount,day\nNA,NA,1,2024-01-01\n", "NA|NA|100|19723;");
}

/* Numbers that stand for a missing value, in a column that is read many at a time. */
TEST(csv_null_numbers_are_found_among_many)
{
    CLAIM("csv.declared");
    char bytes[8000], want[20000];
    size_t used = (size_t)sprintf(bytes, "id,x\n"), length = 0;
    for (int i = 100; i < 600; i++) {
        used += (size_t)sprintf(bytes + used, "%d,%s\n", i, i % 7 == 0 ? "-99" : "12");
        length += (size_t)sprintf(want + length, "%d|%d;", i, i % 7 == 0 ? 5 : 12);
    }
    table_rows rows;
    char text[20000];
    table_rows_of_csv(&rows, "unit=id\ncolumn=x=int[-100,100]\nmissing=x=5\nnull=-99",
                      bytes, used, 1);
    CHECK_STATUS(rows.status, SCRIM_OK);
    table_rows_join(&rows, text, sizeof text);
    CHECK_STR(text, want);
    table_rows_clear(&rows);
}

/* Rewrites records of commas and points: a byte for another, in the order of from and to. */
static void rewrite(char *bytes, size_t count, const char *from, const char *to)
{
    for (size_t i = 0; i < count; i++) {
        const char *at = bytes[i] == '\0' ? NULL : strchr(from, bytes[i]);
        if (at != NULL)
            bytes[i] = to[at - from];
    }
}

/* A file of semicolons and decimal commas has the numbers of the file of commas and points, whatever
 * its records are. */
SLOW_TEST(csv_separators_mean_the_same)
{
    CLAIM("csv.rows-apart");
    /* A tab inside of quotation marks is a blank at the end of a number, as a comma is not: records of tabs
     * have marks around whole fields only. */
    static const char letters[] = "0123456789,,,,..;aM\r -\xff\"\"";
    enum { MARKS = 2, TABS = 2 };
    static const struct {
        const char *lines, *from, *to;
    } forms[] = {{"separator=;\ndecimal=,\n", ",.;", ";,."},
                 {"separator=|\n", ",|", "|,"},
                 {"separator=tab\n", ",\t", "\t,"},
                 {"separator=;\n", ",;", ";,"}};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t run = 0; run < check_count(100, 20000); run++) {
        char plain[700], other[700], policy[300];
        size_t used = (size_t)sprintf(plain, "id,x,y\n");
        const size_t form = run % COUNT(forms);
        const size_t letter_count = sizeof letters - 1 - (form == TABS ? MARKS : 0);
        for (size_t i = 0; i < 40; i++) {
            uint64_t w = 0;
            CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &w, NULL), SCRIM_OK);
            if (w % 2 == 0) {
                used +=
                    (size_t)sprintf(plain + used, "%u,%u.%u,\"%u\"\n",
                                    (unsigned)(w >> 8 & 0xff), (unsigned)(w >> 16 & 7),
                                    (unsigned)(w >> 20 & 0xf), (unsigned)(w >> 24 & 3));
                continue;
            }
            for (size_t bytes = w >> 4 & 15; bytes > 0; bytes--) {
                CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &w, NULL), SCRIM_OK);
                plain[used++] = letters[(w >> 8) % letter_count];
            }
            plain[used++] = '\n';
        }
        memcpy(other, plain, used);
        rewrite(other, used, forms[form].from, forms[form].to);
        table_rows a, b;
        static const char lines[] = "column=x=decimal[0,100]\ncolumn=y=int[0,9]\n"
                                    "missing=x=77\nmissing=y=7\nunit=row\nnull=5\n";
        snprintf(policy, sizeof policy, "%s%s", lines, forms[form].lines);
        table_rows_of_csv(&a, lines, plain, used, 1);
        table_rows_of_csv(&b, policy, other, used, 1);
        CHECK_STATUS(a.status, SCRIM_OK);
        CHECK_STATUS(b.status, SCRIM_OK);
        CHECK(a.count > 0 && table_rows_equal(&a, &b));
        table_rows_clear(&a);
        table_rows_clear(&b);
    }
    sc_tape_free(tape);
}
