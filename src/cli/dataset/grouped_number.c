#include "cli/dataset/grouped_number.h"

#include "cli/terminal/complaint.h"

#include <stdbool.h>
#include <string.h>

#define DIGITS "0123456789"
#define GROUP 3

scrim_status sc_grouped_number_check(const char *text, scrim_error *error)
{
    const char *start = text + (*text == '-');
    const size_t whole = strspn(start, DIGITS);
    const char *rest = start + whole + 1;
    if (whole < 1 || whole > GROUP || start[0] == '0' || start[whole] != '.' ||
        strspn(rest, DIGITS) != GROUP || rest[GROUP] != '\0')
        return SCRIM_OK;
    const int point = (int)(rest - 1 - text);
    const bool is_whole = strcmp(rest, "000") == 0;
    return sc_complaint_fill(error, SCRIM_E_PARAM,
                             "does the point in \"%s\" separate thousands? Type %.*s%s "
                             "if it does, else %.*s%s",
                             text, point, text, rest,
                             is_whole ? point : (int)strlen(text), text,
                             is_whole ? "" : "0");
}
