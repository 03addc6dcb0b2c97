#include "cli/vault/export_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The bytes of the UTF-8 character that text begins with; 0 when it begins with none, or with
 * one that no text may hold. */
static size_t character_bytes(const unsigned char *text, size_t count)
{
    static const unsigned least[] = {0x80, 0x800, 0x10000};
    unsigned value = text[0];
    if (value < 0x80)
        return value != 0;
    const size_t bytes = value < 0xc2 ? 0 : value < 0xe0 ? 2 : value < 0xf0 ? 3 : 4;
    if (bytes == 0 || value > 0xf4 || bytes > count)
        return 0;
    value &= 0x7fU >> bytes;
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (text[i] & 0x3f);
    }
    const bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
    return value < least[bytes - 2] || value > 0x10ffff || is_surrogate ? 0 : bytes;
}

static bool is_text(const char *bytes, size_t count)
{
    size_t at = 0, step = 1;
    while (at < count && step > 0) {
        step = character_bytes((const unsigned char *)bytes + at, count - at);
        at += step;
    }
    return at == count;
}

static void write_hex(sc_output *output, const char *bytes, size_t count)
{
    sc_output_text(output, "\"");
    for (size_t i = 0; i < count; i++)
        sc_output_format(output, "%02x", (unsigned char)bytes[i]);
    sc_output_text(output, "\"");
}

/* A run of bytes, which is not terminated, with quotes and escapes. */
static void write_text(sc_output *output, const char *bytes, size_t count)
{
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
}

static void write_either(sc_output *output, const char *name, const char *hex_name,
                         const char *bytes, size_t count)
{
    if (is_text(bytes, count)) {
        sc_output_format(output, ", \"%s\": ", name);
        write_text(output, bytes, count);
    } else {
        sc_output_format(output, ", \"%s\": ", hex_name);
        write_hex(output, bytes, count);
    }
}

void sc_export_begin(sc_export *export, sc_output *output)
{
    memset(export, 0, sizeof *export);
    export->output = output;
    sc_output_text(output, "{\"scrim_ledger\": 1}\n");
}

void sc_export_add(sc_export *export, uint64_t id, const char *bytes, size_t count,
                   const char *hash, const char *answer)
{
    sc_output_format(export->output, "{\"entry\": %" PRIu64 ", \"hash\": \"%s\"", id,
                     hash);
    write_either(export->output, "text", "hex", bytes, count);
    if (answer != NULL)
        write_either(export->output, "answer", "answer_hex", answer, strlen(answer));
    sc_output_text(export->output, "}\n");
    export->head = id;
    snprintf(export->hash, sizeof export->hash, "%s", hash);
}

void sc_export_end(sc_export *export)
{
    sc_output_format(export->output, "{\"head\": %" PRIu64 ", \"hash\": \"%s\"}\n",
                     export->head, export->hash);
}
