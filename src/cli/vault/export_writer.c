#include "cli/vault/export_writer.h"

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

static void write_either(sc_json *json, const char *name, const char *hex_name,
                         const char *bytes, size_t count)
{
    if (is_text(bytes, count))
        sc_json_bytes(json, name, bytes, count);
    else
        sc_json_hex(json, hex_name, bytes, count);
}

void sc_export_begin(sc_export *export, sc_output *output)
{
    memset(export, 0, sizeof *export);
    sc_json_init(&export->json, output);
    sc_json_object(&export->json, NULL);
    sc_json_count(&export->json, "scrim_ledger", 1);
    sc_json_end(&export->json);
}

void sc_export_add(sc_export *export, uint64_t id, const char *bytes, size_t count,
                   const char *hash, const char *answer)
{
    sc_json_object(&export->json, NULL);
    sc_json_count(&export->json, "entry", id);
    sc_json_text(&export->json, "hash", hash);
    write_either(&export->json, "text", "hex", bytes, count);
    if (answer != NULL)
        write_either(&export->json, "answer", "answer_hex", answer, strlen(answer));
    sc_json_end(&export->json);
    export->head = id;
    snprintf(export->hash, sizeof export->hash, "%s", hash);
}

void sc_export_end(sc_export *export)
{
    sc_json_object(&export->json, NULL);
    sc_json_count(&export->json, "head", export->head);
    sc_json_text(&export->json, "hash", export->hash);
    sc_json_end(&export->json);
}
