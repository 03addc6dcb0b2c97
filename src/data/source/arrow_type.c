#include "data/source/arrow_type.h"

#include <string.h>

#define DAY_MS INT64_C(86400000)
#define DIGITS 38

/* Formats of one spelling. */
static const struct {
    const char *format, *name;
    sc_arrow_type type;
} listed[] = {
    {"c", "int8", {.kind = SC_ARROW_INT, .bytes = 1, .is_signed = true}},
    {"C", "uint8", {.kind = SC_ARROW_INT, .bytes = 1}},
    {"s", "int16", {.kind = SC_ARROW_INT, .bytes = 2, .is_signed = true}},
    {"S", "uint16", {.kind = SC_ARROW_INT, .bytes = 2}},
    {"i", "int32", {.kind = SC_ARROW_INT, .bytes = 4, .is_signed = true}},
    {"I", "uint32", {.kind = SC_ARROW_INT, .bytes = 4}},
    {"l", "int64", {.kind = SC_ARROW_INT, .bytes = 8, .is_signed = true}},
    {"L", "uint64", {.kind = SC_ARROW_INT, .bytes = 8}},
    {"e", "float16", {.kind = SC_ARROW_FLOAT, .bytes = 2}},
    {"f", "float32", {.kind = SC_ARROW_FLOAT, .bytes = 4}},
    {"g", "float64", {.kind = SC_ARROW_FLOAT, .bytes = 8}},
    {"b", "bool", {.kind = SC_ARROW_BOOL}},
    {"tdD", "date32", {.kind = SC_ARROW_DATE, .bytes = 4, .is_signed = true, .unit = 1}},
    {"tdm",
     "date64",
     {.kind = SC_ARROW_DATE, .bytes = 8, .is_signed = true, .unit = DAY_MS}},
    {"u", "string", {.kind = SC_ARROW_TEXT, .bytes = 4}},
    {"U", "large_string", {.kind = SC_ARROW_TEXT, .bytes = 8}},
    {"vu", "string_view", {.kind = SC_ARROW_VIEW, .bytes = 16}},
    {"n", "null", {.kind = SC_ARROW_NULL}},
};
#define LISTED (sizeof listed / sizeof *listed)

static const struct {
    char letter;
    int64_t unit;
} clocks[] = {{'s', 1}, {'m', 1000}, {'u', 1000000}, {'n', 1000000000}};

/* "tsu:", with the name of a zone behind it or none. */
static bool parse_timestamp(const char *format, sc_arrow_type *out)
{
    if (strncmp(format, "ts", 2) != 0 || format[2] == '\0' || format[3] != ':')
        return false;
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
        if (format[2] == clocks[i].letter) {
            *out = (sc_arrow_type){.kind = SC_ARROW_TIMESTAMP,
                                   .bytes = 8,
                                   .is_signed = true,
                                   .unit = clocks[i].unit,
                                   .has_zone = format[4] != '\0'};
            return true;
        }
    return false;
}

/* A number of at most three digits. */
static bool take_number(sc_text *text, int *out)
{
    const sc_text digits = sc_text_take_digits(text);
    *out = 0;
    for (size_t i = 0; i < digits.bytes && i < 3; i++)
        *out = 10 * *out + (digits.start[i] - '0');
    return digits.bytes > 0 && digits.bytes <= 3;
}

/* "d:PRECISION,SCALE", and ",128" behind it or nothing. */
static bool parse_decimal(const char *format, sc_arrow_type *out)
{
    int precision = 0, scale = 0;
    sc_text rest = sc_text_of(format);
    if (!sc_text_take(&rest, 'd') || !sc_text_take(&rest, ':') ||
        !take_number(&rest, &precision) || !sc_text_take(&rest, ','))
        return false;
    const bool is_negative = sc_text_take(&rest, '-');
    if (!take_number(&rest, &scale) || precision < 1 || precision > DIGITS ||
        scale > SC_ARROW_SCALE_MAX || (rest.bytes > 0 && !sc_text_is(rest, ",128")))
        return false;
    *out = (sc_arrow_type){.kind = SC_ARROW_DECIMAL,
                           .bytes = 16,
                           .is_signed = true,
                           .scale = is_negative ? -scale : scale};
    return true;
}

bool sc_arrow_type_parse(const char *format, sc_arrow_type *out)
{
    for (size_t i = 0; i < LISTED; i++)
        if (strcmp(format, listed[i].format) == 0) {
            *out = listed[i].type;
            return true;
        }
    return parse_timestamp(format, out) || parse_decimal(format, out);
}

const char *sc_arrow_type_name(const char *format)
{
    /* By how the format begins; longer ones first. */
    static const struct {
        const char *begin, *name;
    } others[] = {{"z", "binary"},
                  {"Z", "large_binary"},
                  {"vz", "binary_view"},
                  {"w:", "fixed_size_binary"},
                  {"d:", "decimal"},
                  {"tt", "time"},
                  {"tD", "duration"},
                  {"ti", "interval"},
                  {"+l", "list"},
                  {"+L", "large_list"},
                  {"+vl", "list_view"},
                  {"+vL", "large_list_view"},
                  {"+w:", "fixed_size_list"},
                  {"+s", "struct"},
                  {"+m", "map"},
                  {"+ud", "dense_union"},
                  {"+us", "sparse_union"},
                  {"+r", "run_end_encoded"}};
    sc_arrow_type type;
    for (size_t i = 0; i < LISTED; i++)
        if (strcmp(format, listed[i].format) == 0)
            return listed[i].name;
    if (parse_timestamp(format, &type))
        return type.has_zone ? "timestamp with a zone" : "timestamp";
    if (parse_decimal(format, &type))
        return "decimal128";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(format, others[i].begin, strlen(others[i].begin)) == 0)
            return others[i].name;
    return "unknown";
}
