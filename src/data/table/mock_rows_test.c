#include "check.h"
#include "data/table/mock_rows.h"
#include "random/bits_tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sheet {
    char *text;
    size_t bytes, lines;
    size_t most; /* lines after which it fails; 0: none */
} sheet;

static scrim_status keep(void *context, const char *bytes, size_t count,
                         scrim_error *error)
{
    sheet *s = context;
    if (s->most > 0 && s->lines == s->most)
        return sc_fail(error, SCRIM_E_LIMIT, "enough");
    s->text = realloc(s->text, s->bytes + count + 1);
    memcpy(s->text + s->bytes, bytes, count);
    s->bytes += count;
    s->text[s->bytes] = '\0';
    s->lines++;
    return SCRIM_OK;
}

/* With bits that are all the same: every draw is the first or the last that there is. */
static scrim_status make(const char *policy, uint64_t rows, uint64_t word, sheet *out)
{
    const sc_schema *schema = NULL;
    sc_tape *tape = NULL;
    scrim_error error;
    scrim_status status = sc_schema_parse(sc_text_of(policy), NULL, &schema, &error);
    if (CHECK_STATUS(status, SCRIM_OK) &&
        CHECK_STATUS(sc_tape_constant(word, &tape, NULL), SCRIM_OK))
        status = sc_mock_rows(schema, rows, sc_tape_bits_of(tape),
                              &(sc_mock_sink){keep, out}, &error);
    sc_tape_free(tape);
    sc_schema_free(schema);
    return status;
}

static void check_sheet(const char *policy, uint64_t word, const char *expected)
{
    sheet s = {.bytes = 0};
    CHECK_STATUS(make(policy, 2, word, &s), SCRIM_OK);
    CHECK_STR(s.text == NULL ? "" : s.text, expected);
    free(s.text);
}

#define FORM "separator=;\ndecimal=,\ndate-format=D.M.YYYY\nrecords=crlf\nnull=-7,NA\n"
#define COLUMNS                                                                          \
    "column=x=decimal[-1.5,2.25]/0.01\ncolumn=a;b=int[-7,5]\n"                           \
    "column=d=date[2020-03-01,2020-12-31]\ncolumn=t=text\nkeys=t=NA,z\"z\n"              \
    "column=b=bool\ncolumn=w=text\n"
#define DEFAULTS                                                                         \
    "missing=x=0\nmissing=a;b=0\nmissing=d=2020-03-01\nmissing=t=NA\nmissing=b=true\n"   \
    "missing=w=none\n"

TEST(mock_rows_are_of_the_declared_form_and_range)
{
    CLAIM("mock.public");
    CLAIM("mock.declared");
    check_sheet("csv=nowhere.csv\nunit=row\n" FORM COLUMNS DEFAULTS, 1,
                "x;\"a;b\";d;t;b;w\r\n"
                "-1,5;\"-7\";1.3.2020;\"NA\";false;w 1\r\n"
                "-1,5;\"-7\";1.3.2020;\"NA\";false;w 1\r\n");
    check_sheet("csv=nowhere.csv\nunit=row\n" FORM COLUMNS DEFAULTS, UINT64_MAX,
                "x;\"a;b\";d;t;b;w\r\n"
                "2,25;5;31.12.2020;\"z\"\"z\";true;w 10\r\n"
                "2,25;5;31.12.2020;\"z\"\"z\";true;w 10\r\n");
    /* The plain form. */
    check_sheet("csv=nowhere.csv\nunit=row\n" COLUMNS DEFAULTS, UINT64_MAX,
                "x,a;b,d,t,b,w\n"
                "2.25,5,2020-12-31,\"z\"\"z\",true,w 10\n"
                "2.25,5,2020-12-31,\"z\"\"z\",true,w 10\n");
}

/* With their offset, so that they are read as they were made. */
TEST(mock_rows_of_timestamps)
{
    CLAIM("mock.declared");
    static const char policy[] =
        "csv=nowhere.csv\nunit=row\nzone=+01:00\nmissing=s=2020-03-01\n"
        "column=s=timestamp[2020-03-01,2020-03-02 12:30]\n";
    char formed[sizeof policy + 40];
    snprintf(formed, sizeof formed, "date-format=D.M.YYYY\n%s", policy);
    check_sheet(policy, UINT64_MAX,
                "s\n2020-03-02 12:30:00+01:00\n2020-03-02 12:30:00+01:00\n");
    check_sheet(formed, UINT64_MAX,
                "s\n2.3.2020 12:30:00+01:00\n2.3.2020 12:30:00+01:00\n");
}

TEST(mock_rows_lack_values_without_a_default)
{
    CLAIM("mock.declared");
    check_sheet("csv=nowhere.csv\nunit=row\n" COLUMNS, 1,
                "x,a;b,d,t,b,w\n,,,,,\n,,,,,\n");
}

/* One row a unit, or all that bounds keep. */
TEST(mock_rows_keep_to_the_bounds_of_a_unit)
{
    CLAIM("mock.declared");
    static const char one[] = "csv=nowhere.csv\nunit=id\nrows-per-unit=1\n"
                              "column=a=int[0,9]\nmissing=a=0\n",
                      two[] = "csv=nowhere.csv\nunit=id\nmax-groups=1\nmax-rows=2\n"
                              "column=a=int[0,9]\nmissing=a=0\n";
    check_sheet(one, UINT64_MAX, "id,a\nu1,9\nu2,9\n");
    check_sheet(two, UINT64_MAX, "id,a\nu1,9\nu1,9\n");
    check_sheet(two, 1, "id,a\nu1,0\nu2,0\n");
}

TEST(mock_rows_end_where_nobody_takes_them)
{
    sheet s = {.most = 2};
    CHECK_STATUS(make("csv=nowhere.csv\nunit=row\ncolumn=a=int[0,9]\n", 1000, 1, &s),
                 SCRIM_E_LIMIT);
    CHECK_INT(s.lines, 2);
    free(s.text);
}
