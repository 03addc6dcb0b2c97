#include "check.h"
#include "cli/mechanism/input_reader.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const sc_input_form one = {.count = 1}, three = {.count = 3};
static const sc_input_form vector = {0}, rows = {.is_rows = true},
                           header = {.has_header = true}, labels = {.has_labels = true},
                           both = {.has_header = true, .has_labels = true},
                           header_rows = {.is_rows = true, .has_header = true};

static scrim_status read_text(const char *text, size_t bytes, const sc_input_form *form,
                              sc_input_values *out, scrim_error *error)
{
    FILE *file = tmpfile();
    scrim_status status = SCRIM_E_INTERNAL;
    memset(out, 0, sizeof *out);
    if (CHECK(file != NULL)) {
        fwrite(text, 1, bytes, file);
        fflush(file);
        lseek(fileno(file), 0, SEEK_SET);
        status = sc_input_read(fileno(file), form, false, out, error);
        fclose(file);
    }
    return status;
}

/* All of it in one line: the names, then "[label=]text" for each value. */
static void describe(const sc_input_values *values, char *text, size_t bytes)
{
    int used = snprintf(text, bytes, "%s/%s",
                        values->label_name == NULL ? "" : values->label_name,
                        values->name == NULL ? "" : values->name);
    for (size_t i = 0; i < values->count; i++)
        used += snprintf(text + used, bytes - (size_t)used, " %s%s<%s>",
                         values->labels == NULL ? "" : values->labels[i],
                         values->labels == NULL ? "" : "=", values->texts[i]);
}

typedef struct reading {
    const sc_input_form *form;
    const char *text, *want;
} reading;

static void check_readings(const reading *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sc_input_values values;
        scrim_error error = {.status = SCRIM_OK};
        char got[512];
        scrim_status status = read_text(cases[i].text, strlen(cases[i].text),
                                        cases[i].form, &values, &error);
        if (status == SCRIM_OK)
            describe(&values, got, sizeof got);
        else
            snprintf(got, sizeof got, "%d: %s", (int)status, error.message);
        CHECK_STR(got, cases[i].want);
        sc_input_clear(&values);
    }
}

TEST(input_is_lines_or_one_row)
{
    static const reading cases[] = {
        {&vector, "1\n2\n3\n", "/ <1> <2> <3>"},
        {&vector, "1\n2\n3", "/ <1> <2> <3>"},
        {&vector, "1\r\n2\r\n", "/ <1> <2>"},
        {&vector, "1\n\n3\n", "/ <1> <> <3>"},
        {&vector, "1\n2\n\n", "/ <1> <2> <>"},
        {&vector, "5\n", "/ <5>"},
        {&vector, "\n", "/ <>"},
        {&vector, "1,2,3\n", "/ <1> <2> <3>"},
        {&vector, "1,,3,\n", "/ <1> <> <3> <>"},
        {&vector, " 1 ,\t2\t, 3 \n", "/ <1> <2> <3>"},
        /* where their number is fixed, no byte of the line changes it */
        {&one, "1,5\n", "/ <1,5>"},
        {&one, "5\n", "/ <5>"},
        {&three, "1,2,3\n", "/ <1> <2> <3>"},
        {&three, "1,2\n", "/ <1> <2> <>"},
        {&three, "1,2,3,4\n", "/ <1> <2> <3>"},
        /* a comma ends a value only where all is one line */
        {&vector, "1,5\n2\n", "/ <1,5> <2>"},
        {&rows, "1,5\n", "/ <1,5>"},
        {&rows, "1,2,3\n4\n", "/ <1,2,3> <4>"},
        {&rows, "", "/"},
        {&vector,
         "\xef\xbb\xbf"
         "1\n2\n",
         "/ <1> <2>"},
        {&vector, "", "60: standard input has no values; write one per line"},
    };
    check_readings(cases, sizeof cases / sizeof *cases);
}

TEST(input_quotes_end_with_their_line)
{
    static const reading cases[] = {
        {&vector, "\"1\"\n\"2\"\n", "/ <1> <2>"},
        {&vector, "\"1,5\",2\n", "/ <1,5> <2>"},
        {&vector, "\"a\"\"b\",2\n", "/ <a\"b> <2>"},
        {&vector, "\"\"\"\",2\n", "/ <\"> <2>"},
        {&vector, "\"\",2\n", "/ <> <2>"},
        /* a quote that is never closed, or that closes too soon, takes nothing along */
        {&vector, "\"1,2,3\n", "/ <\"1> <2> <3>"},
        {&vector, "\"1\n2\n3\n", "/ <\"1> <2> <3>"},
        {&vector, "1\",2\n", "/ <1\"> <2>"},
        {&vector, "\"1\"x,2\n", "/ <\"1\"x> <2>"},
        {&vector, "\"", "/ <\">"},
        {&labels, "\"a,b\",1\nc,2\n", "/ a,b=<1> c=<2>"},
        {&labels, "\"a,1\nb,2\n", "/ \"a=<1> b=<2>"},
    };
    check_readings(cases, sizeof cases / sizeof *cases);
}

TEST(input_labels_and_header_are_public_names)
{
    static const reading cases[] = {
        {&labels, "a,1\nb,2\n", "/ a=<1> b=<2>"},
        {&labels, "a,1\n", "/ a=<1>"},
        {&labels, "a\nb,2,3\n", "/ a=<> b=<2,3>"},
        {&labels, "", "60: standard input has no values; write one per line"},
        {&header, "n\n1\n2\n", "/n <1> <2>"},
        {&header, "n\n1,5\n", "/n <1,5>"},
        {&header, "n\n", "60: standard input has no values; write one per line"},
        {&header, "a,b,c\n1,2,3\n", "/ a=<1> b=<2> c=<3>"},
        {&header, "a,b,c\n1,2\n", "/ a=<1> b=<2> c=<>"},
        {&header, "a,b\n1,2,3\n", "/ a=<1> b=<2>"},
        {&header, "",
         "60: standard input is empty; --header says that it begins with a line of "
         "names"},
        {&header, "a,b\n1,2\n3,4\n",
         "60: a header of 2 names is followed by one line of values; --labels reads "
         "lines "
         "of label,value"},
        {&both, "colour,n\na,1\nb,2\n", "colour/n a=<1> b=<2>"},
        {&both, "n\na,1\n", "60: with --labels a header has two names, not 1"},
        {&header_rows, "age\n1\n2\n", "/age <1> <2>"},
        {&header_rows, "age\n", "/age"},
        {&header_rows, "age,sex\n1,2\n",
         "60: the header names 2 columns; rows have one, so cut it out of the table "
         "first"},
    };
    check_readings(cases, sizeof cases / sizeof *cases);
}

/* "12", a terminator, "34" must not be read as 12. */
TEST(input_terminators_spoil_their_cell_alone)
{
    static const char text[] = "1\0"
                               "2\n3\n\0";
    sc_input_values values;
    scrim_error error;
    if (CHECK_STATUS(read_text(text, sizeof text - 1, &vector, &values, &error),
                     SCRIM_OK) &&
        CHECK_INT((sc_int128)values.count, 3)) {
        CHECK_STR(values.texts[0], "1?2");
        CHECK_STR(values.texts[1], "3");
        CHECK_STR(values.texts[2], "?");
    }
    sc_input_clear(&values);
}

/* Whatever the cells of a vector say, there are as many values, and as many labels. */
TEST(input_shape_does_not_depend_on_cells)
{
    static const char *const cells[] = {
        "NaN",   "sNaN",  "inf", "-inf", "-0.0",  "5e-324", "1e308", "NULL",
        "",      "abc",   "\"",  "\"\"", "1_000", "1,5",    " 7 ",   "+3",
        "1e400", "0x1p3", "\r",  "'",    "\xff",  "=1+1",   ",,,,",  "\"a"};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        for (size_t place = 0; place < 3; place++) {
            char text[128], labelled[128];
            const char *at[3] = {"1", "2", "3"};
            sc_input_values values;
            scrim_error error;
            at[place] = cells[i];
            snprintf(text, sizeof text, "%s\n%s\n%s\n", at[0], at[1], at[2]);
            snprintf(labelled, sizeof labelled, "a,%s\nb,%s\nc,%s\n", at[0], at[1],
                     at[2]);
            CHECK_STATUS(read_text(text, strlen(text), &vector, &values, &error),
                         SCRIM_OK);
            CHECK_INT((sc_int128)values.count, 3);
            sc_input_clear(&values);
            CHECK_STATUS(read_text(labelled, strlen(labelled), &labels, &values, &error),
                         SCRIM_OK);
            if (CHECK_INT((sc_int128)values.count, 3))
                CHECK_STR(values.labels[2], "c");
            sc_input_clear(&values);
        }
}

/* More than the first buffer holds, with lines across its borders. */
TEST(input_may_be_long)
{
    enum { LINES = 60000 };
    FILE *file = tmpfile();
    REQUIRE(file != NULL);
    for (int i = 0; i < LINES; i++)
        fprintf(file, "%d\n", i);
    fflush(file);
    lseek(fileno(file), 0, SEEK_SET);
    sc_input_values values;
    scrim_error error;
    if (CHECK_STATUS(sc_input_read(fileno(file), &vector, false, &values, &error),
                     SCRIM_OK) &&
        CHECK_INT((sc_int128)values.count, LINES)) {
        bool same = true;
        for (int i = 0; i < LINES; i++) {
            char want[16];
            snprintf(want, sizeof want, "%d", i);
            same = same && strcmp(values.texts[i], want) == 0;
        }
        CHECK(same);
    }
    sc_input_clear(&values);
    fclose(file);
}

TEST(input_that_cannot_be_read_is_refused)
{
    sc_input_values values;
    scrim_error error;
    CHECK_STATUS(sc_input_read(-1, &vector, false, &values, &error), SCRIM_E_INPUT);
    CHECK_STR(error.message, "cannot read standard input: Bad file descriptor");
    sc_input_clear(&values);
}
