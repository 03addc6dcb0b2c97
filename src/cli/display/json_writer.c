#include "cli/display/json_writer.h"

#include "cli/display/number_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void sc_json_init(sc_json *json, sc_output *output)
{
    json->output = output;
    json->depth = 0;
}

static size_t innermost(const sc_json *json)
{
    return json->depth < SC_JSON_DEPTH ? json->depth - 1 : SC_JSON_DEPTH - 1;
}

void sc_json_separate(sc_json *json)
{
    const size_t level = innermost(json);
    if (json->is_begun[level])
        sc_output_text(json->output, json->kinds[level] == '\n' ? ",\n" : ", ");
    json->is_begun[level] = true;
}

/* The comma and the name before a value. */
static void begin_value(sc_json *json, const char *name)
{
    if (json->depth > 0)
        sc_json_separate(json);
    if (name == NULL)
        return;
    sc_output_json_text(json->output, name);
    sc_output_text(json->output, ": ");
}

static void end_value(sc_json *json)
{
    if (json->depth == 0)
        sc_output_text(json->output, "\n");
}

static void open_level(sc_json *json, const char *name, char kind)
{
    begin_value(json, name);
    sc_output_text(json->output, kind == '{' ? "{" : kind == '[' ? "[" : "[\n");
    json->depth++;
    json->kinds[innermost(json)] = kind;
    json->is_begun[innermost(json)] = false;
}

void sc_json_object(sc_json *json, const char *name)
{
    open_level(json, name, '{');
}

void sc_json_array(sc_json *json, const char *name)
{
    open_level(json, name, '[');
}

void sc_json_rows(sc_json *json, const char *name)
{
    open_level(json, name, '\n');
}

void sc_json_end(sc_json *json)
{
    const char kind = json->kinds[innermost(json)];
    if (kind == '\n' && json->is_begun[innermost(json)])
        sc_output_text(json->output, "\n");
    sc_output_text(json->output, kind == '{' ? "}" : "]");
    json->depth--;
    end_value(json);
}

void sc_json_text(sc_json *json, const char *name, const char *text)
{
    begin_value(json, name);
    sc_output_json_text(json->output, text);
    end_value(json);
}

void sc_json_bytes(sc_json *json, const char *name, const char *bytes, size_t count)
{
    sc_output *output = json->output;
    begin_value(json, name);
    sc_output_text(output, "\"");
    for (size_t i = 0; i < count; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        if (byte == '"' || byte == '\\')
            sc_output_format(output, "\\%c", byte);
        else if (byte == '\n')
            sc_output_text(output, "\\n");
        else if (byte < ' ' || byte == 0x7f)
            sc_output_format(output, "\\u%04x", byte);
        else
            sc_output_bytes(output, bytes + i, 1);
    }
    sc_output_text(output, "\"");
    end_value(json);
}

void sc_json_hex(sc_json *json, const char *name, const char *bytes, size_t count)
{
    begin_value(json, name);
    sc_output_text(json->output, "\"");
    for (size_t i = 0; i < count; i++)
        sc_output_format(json->output, "%02x", (unsigned char)bytes[i]);
    sc_output_text(json->output, "\"");
    end_value(json);
}

void sc_json_text_or_null(sc_json *json, const char *name, const char *text)
{
    if (text[0] == '\0')
        sc_json_word(json, name, "null");
    else
        sc_json_text(json, name, text);
}

void sc_json_text_if_any(sc_json *json, const char *name, const char *text)
{
    if (text[0] != '\0')
        sc_json_text(json, name, text);
}

void sc_json_number(sc_json *json, const char *name, const char *text)
{
    begin_value(json, name);
    sc_output_json_number(json->output, text);
    end_value(json);
}

void sc_json_decimal(sc_json *json, const char *name, const char *text)
{
    const char *digits = text + (*text == '-');
    const size_t whole = strspn(digits, "0123456789");
    const char *point = digits + whole;
    const size_t places = *point == '.' ? strspn(point + 1, "0123456789") : 0;
    if (whole > 0 && places > 0 && point[1 + places] == '\0' && whole + places <= 15 &&
        (whole == 1 || digits[0] != '0'))
        sc_json_word(json, name, text);
    else
        sc_json_number(json, name, text);
}

void sc_json_count(sc_json *json, const char *name, uint64_t count)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, count);
    sc_json_number(json, name, text);
}

void sc_json_double(sc_json *json, const char *name, double value)
{
    char text[SC_BOUND_BYTES];
    sc_bound_format_exact(value, text);
    if (isfinite(value))
        sc_json_word(json, name, text);
    else
        sc_json_text(json, name, text);
}

void sc_json_truth(sc_json *json, const char *name, bool truth)
{
    sc_json_word(json, name, truth ? "true" : "false");
}

void sc_json_word(sc_json *json, const char *name, const char *word)
{
    begin_value(json, name);
    sc_output_text(json->output, word);
    end_value(json);
}

void sc_json_mark(sc_json *json)
{
#ifdef SCRIM_TESTING
    sc_json_truth(json, "not_private", true);
#else
    (void)json;
#endif
}
