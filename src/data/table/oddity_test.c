#include "check.h"
#include "data/table/oddity.h"
#include "data/value/field.h"
#include "data/value/utf8.h"
#include "random/bits_tape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A column of a policy, and an eye for it. */
typedef struct subject {
    const sc_schema *schema;
    sc_oddity_eye eye;
} subject;

static bool begin(subject *s, const char *lines)
{
    char policy[400];
    scrim_error error;
    snprintf(policy, sizeof policy, "unit=row\n%s", lines);
    s->schema = NULL;
    if (!CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &s->schema, &error),
                      SCRIM_OK))
        return false;
    return CHECK_STATUS(sc_oddity_eye_init(&s->eye, &s->schema->columns[0], &error),
                        SCRIM_OK);
}

static void end(subject *s)
{
    sc_oddity_eye_clear(&s->eye);
    sc_schema_free(s->schema);
}

/* What field.h makes of the same text. */
static bool is_read_by_engine(const sc_column *column, sc_text text, int64_t *place)
{
    char padded[SC_COLUMN_VALUE_BYTES + 100 + SC_FIELD_PADDING] = "";
    sc_field_reader reader;
    if (column->type == SC_COLUMN_TEXT)
        return text.bytes <= SC_COLUMN_VALUE_BYTES && sc_utf8_is_valid(text);
    memcpy(padded, text.start, text.bytes);
    sc_field_reader_init(&reader, column);
    return sc_field_read(&reader, (sc_text){padded, text.bytes}, place);
}

static scrim_finding look(const subject *s, sc_text text)
{
    const sc_raw_value value = {.kind = SC_RAW_TEXT, .text = text};
    int64_t place = 0, want = 0;
    const scrim_finding finding = sc_oddity_of(&s->eye, &value, &place);
    const bool is_read = sc_oddity_is_read(finding);
    CHECK_INT(is_read, is_read_by_engine(s->eye.column, text, &want));
    if (is_read)
        CHECK_INT(place, want);
    return finding;
}

TEST(oddity_gives_the_reason)
{
    CLAIM("oddity.total");
    static const struct {
        const char *column;
        struct {
            const char *text;
            scrim_finding finding;
        } values[9];
    } list[] = {
        {"column=x=int[0,120]",
         {{"0", SCRIM_FINDING_READABLE},
          {"120", SCRIM_FINDING_READABLE},
          {"-1", SCRIM_FINDING_BELOW},
          {"121", SCRIM_FINDING_ABOVE},
          {"1e9", SCRIM_FINDING_ABOVE},
          {"30.4", SCRIM_FINDING_ROUNDED},
          {" ", SCRIM_FINDING_MISSING},
          {"thirty", SCRIM_FINDING_UNREADABLE}}},
        {"column=x=decimal[-1,1]/0.01",
         {{"-0.25", SCRIM_FINDING_READABLE},
          {"0.250", SCRIM_FINDING_READABLE},
          {"0.255", SCRIM_FINDING_ROUNDED},
          {"-1.0000001", SCRIM_FINDING_BELOW},
          {"1.", SCRIM_FINDING_READABLE},
          {"inf", SCRIM_FINDING_ABOVE},
          {"1,5", SCRIM_FINDING_DECIMAL_COMMA},
          {"1,2.5", SCRIM_FINDING_UNREADABLE}}},
        {"decimal=,\ncolumn=x=decimal[-1,1]/0.01",
         {{"-0,25", SCRIM_FINDING_READABLE},
          {"0,255", SCRIM_FINDING_ROUNDED},
          {"-1,0000001", SCRIM_FINDING_BELOW},
          {"2", SCRIM_FINDING_ABOVE},
          {"0.5", SCRIM_FINDING_DECIMAL_POINT},
          {"1.234,5", SCRIM_FINDING_UNREADABLE},
          {"1,2,3", SCRIM_FINDING_UNREADABLE}}},
        {"date-format=DD.MM.YYYY\ncolumn=x=date[2020-01-01,2020-12-31]",
         {{"31.01.2020", SCRIM_FINDING_READABLE},
          {"31.01.2019", SCRIM_FINDING_BELOW},
          {"31.01.2021 10:00", SCRIM_FINDING_ABOVE},
          {"2020-01-31", SCRIM_FINDING_OTHER_DATE},
          {"1.1.2020", SCRIM_FINDING_OTHER_DATE},
          {"1/31/2020", SCRIM_FINDING_OTHER_DATE},
          {"30.02.2020", SCRIM_FINDING_UNREADABLE}}},
        {"column=x=decimal[0,4]/2^-2",
         {{"0.25", SCRIM_FINDING_READABLE},
          {"0.3", SCRIM_FINDING_ROUNDED},
          {"4.1", SCRIM_FINDING_ABOVE}}},
        {"column=x=date[2020-01-01,2020-12-31]",
         {{"2020-02-29", SCRIM_FINDING_READABLE},
          {"2020-02-29T10:00", SCRIM_FINDING_READABLE},
          {"2019-12-31", SCRIM_FINDING_BELOW},
          {"2021-01-01", SCRIM_FINDING_ABOVE},
          {"2020-02-30", SCRIM_FINDING_UNREADABLE},
          {"", SCRIM_FINDING_MISSING}}},
        {"column=x=bool",
         {{"Yes", SCRIM_FINDING_READABLE},
          {"2", SCRIM_FINDING_UNREADABLE},
          {"\t", SCRIM_FINDING_MISSING}}},
        {"column=x=text",
         {{" ", SCRIM_FINDING_READABLE},
          {"\xc3\xa9", SCRIM_FINDING_READABLE},
          {"\xff", SCRIM_FINDING_NOT_UTF8},
          {"", SCRIM_FINDING_READABLE}}},
    };
    for (size_t i = 0; i < COUNT(list); i++) {
        subject s;
        if (!begin(&s, list[i].column))
            return;
        for (size_t j = 0; j < COUNT(list[i].values) && list[i].values[j].text != NULL;
             j++)
            CHECK_INT(look(&s, sc_text_of(list[i].values[j].text)),
                      list[i].values[j].finding);
        end(&s);
    }
}

/* A real number is its shortest decimal, as rows are read. */
TEST(oddity_of_real_numbers)
{
    CLAIM("oddity.total");
    static const struct {
        double number;
        scrim_finding finding;
    } list[] = {{0.5, SCRIM_FINDING_READABLE},      {0.1, SCRIM_FINDING_READABLE},
                {-0.1, SCRIM_FINDING_READABLE},     {0.25, SCRIM_FINDING_ROUNDED},
                {0x1p-1074, SCRIM_FINDING_ROUNDED}, {-0.0, SCRIM_FINDING_READABLE},
                {0.6, SCRIM_FINDING_ABOVE},         {1e306, SCRIM_FINDING_ABOVE},
                {HUGE_VAL, SCRIM_FINDING_ABOVE},    {-HUGE_VAL, SCRIM_FINDING_BELOW}};
    subject s;
    if (!begin(&s, "column=x=decimal[-0.1,0.5]/0.1"))
        return;
    for (size_t i = 0; i < COUNT(list); i++) {
        int64_t place = 0;
        const sc_raw_value value = {.kind = SC_RAW_DOUBLE, .number = list[i].number};
        CHECK_INT(sc_oddity_of(&s.eye, &value, &place), list[i].finding);
    }
    end(&s);
}

TEST(oddity_of_what_is_too_long_and_of_what_is_no_text)
{
    CLAIM("oddity.total");
    static char zeros[SC_COLUMN_VALUE_BYTES + 1];
    memset(zeros, '0', sizeof zeros);
    static const char *const columns[] = {"column=x=int[0,9]", "column=x=text",
                                          "column=x=bool"};
    static const scrim_finding doubles[] = {
        SCRIM_FINDING_ROUNDED, SCRIM_FINDING_UNREADABLE, SCRIM_FINDING_UNREADABLE};
    for (size_t i = 0; i < COUNT(columns); i++) {
        subject s;
        int64_t place = 0;
        const sc_raw_value nothing = {.kind = SC_RAW_NULL}, blob = {.kind = SC_RAW_BLOB},
                           number = {.kind = SC_RAW_DOUBLE, .number = 2.5};
        if (!begin(&s, columns[i]))
            return;
        CHECK_INT(look(&s, (sc_text){zeros, sizeof zeros}), SCRIM_FINDING_TOO_LONG);
        CHECK(look(&s, (sc_text){zeros, sizeof zeros - 1}) != SCRIM_FINDING_TOO_LONG);
        CHECK_INT(sc_oddity_of(&s.eye, &nothing, &place), SCRIM_FINDING_MISSING);
        CHECK_INT(sc_oddity_of(&s.eye, &blob, &place), SCRIM_FINDING_UNREADABLE);
        CHECK_INT(sc_oddity_of(&s.eye, &number, &place), doubles[i]);
        end(&s);
    }
}

/* Random texts of the letters that numbers are made of, on grids of every kind. */
TEST(oddity_reads_what_the_engine_reads)
{
    CLAIM("oddity.total");
    static const char *const columns[] = {"column=x=int[-50,120]",
                                          "column=x=decimal[-1,20]/0.001",
                                          "column=x=decimal[0,4]/2^-3",
                                          "column=x=decimal[0,4000]/100",
                                          "column=x=date[2001-02-03,2010-01-01]",
                                          "column=x=bool"};
    static const char letters[] = "0012345678999..--+eE tf/";
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t runs = check_count(2000, 500000);
    for (size_t c = 0; c < COUNT(columns); c++) {
        subject s;
        if (!begin(&s, columns[c]))
            break;
        for (uint64_t run = 0; run < runs; run++) {
            char text[24];
            uint64_t word = 0;
            CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &word, NULL), SCRIM_OK);
            const size_t bytes = word % sizeof text;
            for (size_t i = 0; i < bytes; i++) {
                CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &word, NULL), SCRIM_OK);
                text[i] = letters[word % (sizeof letters - 1)];
            }
            (void)look(&s, (sc_text){text, bytes});
        }
        end(&s);
    }
    sc_tape_free(tape);
}

static bool is_other(const subject *s, const char *text)
{
    const sc_raw_value value = {.kind = SC_RAW_TEXT, .text = sc_text_of(text)};
    int64_t place = 0;
    const scrim_finding finding = sc_oddity_of(&s->eye, &value, &place);
    return sc_oddity_is_other_key(&s->eye, &value, sc_oddity_is_read(finding), place);
}

/* A number is a key by its place; what is not read is a key by its default, or no row at all. */
TEST(oddity_knows_the_public_keys)
{
    subject s;
    if (!begin(&s, "column=x=text\nkeys=x=b,a,c"))
        return;
    CHECK(!is_other(&s, "a") && !is_other(&s, "b") && !is_other(&s, "c"));
    CHECK(is_other(&s, "d") && is_other(&s, "A") && is_other(&s, "aa"));
    CHECK(is_other(&s, "")); /* between quotes: NULL is a key like another */
    end(&s);
    if (!begin(&s, "column=x=text\nkeys=x=b,a\nmissing=x=?"))
        return;
    CHECK(is_other(&s, "") && is_other(&s, "\xff") && !is_other(&s, "a"));
    end(&s);
    if (!begin(&s, "column=x=int[0,100]\nkeys=x=100,20,3\nmissing=x=3"))
        return;
    CHECK(!is_other(&s, "20.0") && !is_other(&s, "1e6") && !is_other(&s, "?"));
    CHECK(is_other(&s, "21") && is_other(&s, "-5"));
    end(&s);
    if (!begin(&s, "column=x=int[0,100]"))
        return;
    CHECK(!is_other(&s, "20"));
    end(&s);
}
