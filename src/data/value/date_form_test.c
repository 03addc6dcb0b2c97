#include "check.h"
#include "data/value/calendar.h"
#include "data/value/date_form.h"

#include <stdio.h>

TEST(date_form_is_one_of_few)
{
    CLAIM("date-form.total");
    static const struct {
        const char *text;
        bool is_form;
    } rows[] = {
        {"DD.MM.YYYY", true},
        {"YYYY-MM-DD", true},
        {"M/D/YYYY", true},
        {"YYYYMMDD", true},
        {"DD. MM. YYYY", true},
        {"DD MM YYYY", true},
        {"D.M.YYYY", true},
        {"YYYYMMD", true},
        {"", false},
        {"DD.MM", false},
        {"DD.MM.YY", false},
        {"DD.MM.YYYYY", false},
        {"DD.MMM.YYYY", false},
        {"DDD.MM.YYYY", false},
        {"dd.mm.yyyy", false},
        {"%d.%m.%Y", false},
        {"DD.MM.YYYY.", false},
        {".DD.MM.YYYY", false},
        {"DD,MM,YYYY", false},
        {"DDMYYYY", false},
        {"DMMYYYY", false},
        {"DD.DD.YYYY", false},
        {"DD.MM.YYYY.DD", false},
        {"DD1MM1YYYY", false},
        {"DD. . . .MM.YYYY", true},
        {"DD. . . . MM.YYYY", false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        sc_date_form form = {.bytes = 0};
        if (sc_date_form_parse(sc_text_of(rows[i].text), &form) != rows[i].is_form)
            CHECK_FAIL("'%s'", rows[i].text);
        CHECK_INT(form.bytes > 0, rows[i].is_form);
    }
}

TEST(date_form_reads_what_is_written_so)
{
    CLAIM("date-form.total");
    static const struct {
        const char *form, *text, *day, *rest; /* day is NULL: it is none */
    } rows[] = {
        {"DD.MM.YYYY", "31.12.2023", "2023-12-31", ""},
        {"DD.MM.YYYY", "29.02.2024 10:00", "2024-02-29", " 10:00"},
        {"DD.MM.YYYY", "29.02.2023", NULL, NULL},
        {"DD.MM.YYYY", "1.12.2023", NULL, NULL},
        {"DD.MM.YYYY", "01.1.2023", NULL, NULL},
        {"DD.MM.YYYY", "01.01.23", NULL, NULL},
        {"DD.MM.YYYY", "01/01/2023", NULL, NULL},
        {"DD.MM.YYYY", "2023-01-01", NULL, NULL},
        {"DD.MM.YYYY", "00.01.2023", NULL, NULL},
        {"DD.MM.YYYY", "01.13.2023", NULL, NULL},
        {"DD.MM.YYYY", "01.01.20234", "2023-01-01", "4"}, /* the reader refuses a rest */
        {"DD.MM.YYYY", "", NULL, NULL},
        {"DD.MM.YYYY", "31.12.", NULL, NULL},
        {"MM/DD/YYYY", "12/31/2023", "2023-12-31", ""},
        {"MM/DD/YYYY", "31/12/2023", NULL, NULL},
        {"D.M.YYYY", "1.2.2023", "2023-02-01", ""},
        {"D.M.YYYY", "01.02.2023", "2023-02-01", ""},
        {"D.M.YYYY", "001.2.2023", NULL, NULL},
        {"D.M.YYYY", ".2.2023", NULL, NULL},
        {"YYYY/M/D", "2023/2/1T", "2023-02-01", "T"},
        {"YYYYMMDD", "20230201", "2023-02-01", ""},
        {"YYYYMMDD", "2023021", NULL, NULL},
        {"YYYYMMD", "2023021", "2023-02-01", ""},
        {"DD. MM. YYYY", "01. 02. 0000", "0000-02-01", ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        sc_date_form form;
        char text[SC_CALENDAR_TEXT_BYTES + 1] = "";
        sc_text rest = sc_text_of(rows[i].text);
        int64_t day = 0;
        REQUIRE(sc_date_form_parse(sc_text_of(rows[i].form), &form));
        const bool is_read = sc_date_form_take(&form, &rest, &day);
        if (is_read)
            sc_calendar_format(day, text);
        if (is_read != (rows[i].day != NULL) ||
            (is_read && (!sc_text_is(sc_text_of(text), rows[i].day) ||
                         !sc_text_is(rest, rows[i].rest))))
            CHECK_FAIL("%s of '%s': %s", rows[i].form, rows[i].text, text);
        if (!is_read)
            CHECK(sc_text_is(rest, rows[i].text));
    }
}

/* Every day comes back, by its form and by no day else. */
TEST(date_form_knows_every_day)
{
    CLAIM("date-form.total");
    sc_date_form form;
    REQUIRE(sc_date_form_parse(sc_text_of("D.MM/YYYY"), &form));
    for (int64_t day = SC_CALENDAR_FIRST; day <= SC_CALENDAR_LAST; day += 97) {
        char plain[SC_CALENDAR_TEXT_BYTES + 1], text[32];
        int64_t back = 0;
        sc_calendar_format(day, plain);
        const int of_month = (plain[8] - '0') * 10 + plain[9] - '0';
        snprintf(text, sizeof text, "%d.%.2s/%.4s", of_month, plain + 5, plain);
        sc_text rest = sc_text_of(text);
        if (!sc_date_form_take(&form, &rest, &back) || back != day || rest.bytes > 0)
            CHECK_FAIL("'%s'", text);
    }
}

/* Whatever is written is read as the same day. */
TEST(date_form_reads_what_it_writes)
{
    static const char *const forms[] = {"DD.MM.YYYY", "D.M.YYYY", "MM/DD/YYYY",
                                        "YYYYMMDD",   "YYYY M-D", "M/D/YYYY"};
    static const int64_t days[] = {SC_CALENDAR_FIRST, -1, 0, 18321, 19999,
                                   SC_CALENDAR_LAST};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        sc_date_form form;
        if (!CHECK(sc_date_form_parse(sc_text_of(forms[i]), &form)))
            continue;
        for (size_t k = 0; k < sizeof days / sizeof *days; k++) {
            char text[SC_DATE_FORM_TEXT];
            int64_t day = 1;
            sc_date_form_put(&form, days[k], text);
            sc_text rest = sc_text_of(text);
            CHECK(sc_date_form_take(&form, &rest, &day) && rest.bytes == 0);
            CHECK_INT(day, days[k]);
        }
    }
    sc_date_form form;
    char text[SC_DATE_FORM_TEXT];
    CHECK(sc_date_form_parse(sc_text_of("D.M.YYYY"), &form));
    sc_date_form_put(&form, 0, text);
    CHECK_STR(text, "1.1.1970");
}
