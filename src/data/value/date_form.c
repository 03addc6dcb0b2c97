#include "data/value/date_form.h"

#include "data/value/calendar.h"

#include <string.h>

static bool is_letter(char c)
{
    return c == 'Y' || c == 'M' || c == 'D';
}

/* Takes a number, or one byte between numbers, off the front of a form that is not empty: its
 * letter, or that byte, and how often the letter stands there. */
static char take_part(sc_text *form, size_t *count)
{
    const char c = form->start[0];
    *count = 1;
    while (is_letter(c) && *count < form->bytes && form->start[*count] == c)
        ++*count;
    *form = (sc_text){form->start + *count, form->bytes - *count};
    return c;
}

static bool is_number_next(sc_text form)
{
    return form.bytes > 0 && is_letter(form.start[0]);
}

bool sc_date_form_parse(sc_text text, sc_date_form *form)
{
    sc_text rest = text;
    size_t years = 0, months = 0, days = 0, count;
    bool is_number = false;
    if (text.bytes == 0 || text.bytes > SC_DATE_FORM_BYTES)
        return false;
    for (bool is_first = true; rest.bytes > 0; is_first = false) {
        const char c = take_part(&rest, &count);
        size_t *seen = c == 'Y' ? &years : c == 'M' ? &months : c == 'D' ? &days : NULL;
        is_number = seen != NULL;
        if (seen == NULL && (is_first || (c != '.' && c != '/' && c != '-' && c != ' ')))
            return false;
        if (seen != NULL && (*seen != 0 || (count == 1 && is_number_next(rest))))
            return false;
        if (seen != NULL)
            *seen = count;
    }
    if (!is_number || years != 4 || months < 1 || months > 2 || days < 1 || days > 2)
        return false;
    memcpy(form->text, text.start, text.bytes);
    form->bytes = (unsigned char)text.bytes;
    return true;
}

/* A number of so many digits; of one or two where one is asked for. */
static bool take_number(sc_text *text, size_t count, int64_t *out)
{
    const size_t most = count == 1 ? 2 : count;
    size_t digits = 0;
    *out = 0;
    while (digits < most && digits < text->bytes &&
           sc_ascii_is_digit(text->start[digits]))
        *out = 10 * *out + (text->start[digits++] - '0');
    *text = (sc_text){text->start + digits, text->bytes - digits};
    return digits >= count;
}

bool sc_date_form_take(const sc_date_form *form, sc_text *text, int64_t *day)
{
    sc_text rest = {form->text, form->bytes}, left = *text;
    int64_t year = 0, month = 0, of_month = 0;
    size_t count;
    while (rest.bytes > 0) {
        const char c = take_part(&rest, &count);
        int64_t *part = c == 'Y'   ? &year
                        : c == 'M' ? &month
                        : c == 'D' ? &of_month
                                   : NULL;
        if (part == NULL ? !sc_text_take(&left, c) : !take_number(&left, count, part))
            return false;
    }
    if (!sc_calendar_day(year, month, of_month, day))
        return false;
    *text = left;
    return true;
}

void sc_date_form_put(const sc_date_form *form, int64_t day, char *text)
{
    char plain[SC_CALENDAR_TEXT_BYTES + 1];
    sc_text rest = {form->text, form->bytes};
    size_t count;
    sc_calendar_format(day, plain);
    while (rest.bytes > 0) {
        const char c = take_part(&rest, &count);
        const char *from = c == 'Y'   ? plain
                           : c == 'M' ? plain + 5
                           : c == 'D' ? plain + 8
                                      : &c;
        size_t bytes = c == 'Y' ? 4 : from == &c ? 1 : 2;
        if (count == 1 && bytes == 2 && from[0] == '0') {
            from++;
            bytes--;
        }
        memcpy(text, from, bytes);
        text += bytes;
    }
    *text = '\0';
}
