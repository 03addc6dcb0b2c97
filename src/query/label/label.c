#include "query/label/label.h"

#include "base/digest.h"
#include "base/status.h"
#include "base/text_copy.h"
#include "vault/answer_salt.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIGNATURE "signature "

/* Facts. */

scrim_label *sc_label_new(void)
{
    scrim_label *label = sc_allocate(1, sizeof *label);
    if (label == NULL)
        return NULL;
    sc_arena_init(&label->arena);
    label->format = SC_LABEL_FORMAT;
    return label;
}

void scrim_label_free(scrim_label *label)
{
    if (label == NULL)
        return;
    sc_arena_clear(&label->arena);
    sc_free(label->text);
    sc_free(label->record);
    sc_free(label->recorded);
    sc_free(label->escaped);
    sc_free(label);
}

static bool make_room(scrim_label *label)
{
    if (label->count < label->capacity)
        return true;
    const size_t capacity = 2 * label->capacity + 64;
    scrim_label_fact *facts =
        sc_arena_allocate(&label->arena, capacity, sizeof *label->facts);
    if (facts == NULL)
        return false;
    if (label->count > 0)
        memcpy(facts, label->facts, label->count * sizeof *facts);
    label->facts = facts;
    label->capacity = capacity;
    return true;
}

const char *sc_label_key(char key[SC_LABEL_KEY_BYTES], const char *list, size_t number,
                         const char *member)
{
    snprintf(key, SC_LABEL_KEY_BYTES, "%s.%zu%s%s", list, number,
             member == NULL ? "" : ".", member == NULL ? "" : member);
    return key;
}

void sc_label_put(scrim_label *label, const char *key, sc_text value)
{
    const char *name = sc_arena_copy(&label->arena, key, strlen(key));
    const char *text = sc_arena_copy(&label->arena, value.start, value.bytes);
    if (name == NULL || text == NULL || !make_room(label)) {
        label->lacks_memory = true;
        return;
    }
    label->facts[label->count++] = (scrim_label_fact){name, text};
}

void sc_label_put_number(scrim_label *label, const char *key, uint64_t value)
{
    sc_label_print(label, key, "%" PRIu64, value);
}

void sc_label_print(scrim_label *label, const char *key, const char *format, ...)
{
    char text[2048];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    sc_label_put(label, key, sc_text_of(text));
}

size_t scrim_label_count(const scrim_label *label)
{
    return label->count;
}

const scrim_label_fact *scrim_label_fact_at(const scrim_label *label, size_t index)
{
    return index < label->count ? &label->facts[index] : NULL;
}

const char *scrim_label_get(const scrim_label *label, const char *key)
{
    for (size_t i = 0; i < label->count; i++)
        if (strcmp(label->facts[i].key, key) == 0)
            return label->facts[i].value;
    return NULL;
}

const char *scrim_label_text(const scrim_label *label)
{
    return label->text;
}

const char *scrim_label_record(const scrim_label *label)
{
    return label->escaped;
}

int scrim_label_is_signed(const scrim_label *label)
{
    return label->has_signature;
}

/* The text. */

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

/* Characters that have a place in a line stay; all other bytes, and '%', are %XX. */
void sc_label_escape(sc_text_sink *sink, sc_text value)
{
    while (value.bytes > 0) {
        const size_t plain = value.start[0] == '%' ? 0 : sc_text_character(value);
        const size_t bytes = plain == 0 ? 1 : plain;
        char escaped[4];
        snprintf(escaped, sizeof escaped, "%%%02X", (unsigned char)value.start[0]);
        sc_text_put(sink,
                    plain == 0 ? sc_text_of(escaped) : (sc_text){value.start, bytes});
        value = (sc_text){value.start + bytes, value.bytes - bytes};
    }
}

/* The first line of each format. */
static const char *const firsts[SC_LABEL_FORMAT] = {
    "scrim-label 1", "scrim-label 2", "scrim-label 3", "scrim-label 4",
    "scrim-label 5", "scrim-label 6", "scrim-label 7"};

static void put_facts(sc_text_sink *sink, const scrim_label *label)
{
    put(sink, firsts[label->format - 1]);
    put(sink, "\n");
    for (size_t i = 0; i < label->count; i++) {
        put(sink, label->facts[i].key);
        put(sink, " ");
        sc_label_escape(sink, sc_text_of(label->facts[i].value));
        put(sink, "\n");
    }
}

static scrim_status put_hash(sc_text_sink *sink, scrim_error *error)
{
    sc_digester *digester = NULL;
    sc_digest digest;
    char text[SC_DIGEST_TEXT_BYTES];
    scrim_status status = sc_digester_new(&digester, error);
    if (status == SCRIM_OK)
        status = sc_digest_of(digester, (sc_text){sink->start, sink->length},
                              (sc_text){NULL, 0}, &digest, error);
    if (status == SCRIM_OK) {
        sc_digest_format(&digest, text);
        put(sink, "hash ");
        put(sink, text);
        put(sink, "\n");
    }
    sc_digester_free(digester);
    return status;
}

scrim_status sc_label_seal(scrim_label *label, scrim_error *error)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put_facts(&sink, label);
    const size_t bytes = sink.length + strlen("hash \n" SIGNATURE "\n") +
                         SC_DIGEST_TEXT_BYTES + SC_SIGNATURE_TEXT_BYTES;
    sc_free(label->text);
    label->text = label->lacks_memory ? NULL : sc_allocate(bytes, 1);
    if (label->text == NULL)
        return sc_no_memory(error, "a label");
    sc_text_sink_init(&sink, label->text, bytes);
    put_facts(&sink, label);
    const scrim_status status = put_hash(&sink, error);
    if (status == SCRIM_OK && label->has_signature) {
        char signature[SC_SIGNATURE_TEXT_BYTES];
        sc_signature_format(&label->signature, signature);
        put(&sink, SIGNATURE);
        put(&sink, signature);
        put(&sink, "\n");
    }
    return status;
}

sc_text sc_label_content(const scrim_label *label)
{
    sc_text text = sc_text_of(label->text);
    if (label->has_signature)
        text.bytes -= strlen(SIGNATURE "\n") + SC_SIGNATURE_TEXT_BYTES - 1;
    return text;
}

/* Lines stay lines. */
static void put_lines(sc_text_sink *sink, sc_text record)
{
    sc_text line;
    while (sc_text_split(record, '\n', &line, &record)) {
        sc_label_escape(sink, line);
        put(sink, "\n");
    }
    sc_label_escape(sink, record);
}

scrim_status sc_label_keep_record(scrim_label *label, sc_text record, scrim_error *error)
{
    sc_text_sink sink;
    label->recorded = sc_text_copy(record);
    label->record = sc_text_copy(sc_answer_unsalted(record));
    if (label->record == NULL || label->recorded == NULL)
        return sc_no_memory(error, "a label");
    if (record.bytes > SC_LABEL_RECORD_BYTES)
        return SCRIM_OK;
    sc_text_sink_init(&sink, NULL, 0);
    put_lines(&sink, record);
    const size_t bytes = sink.length + 1;
    label->escaped = sc_allocate(bytes, 1);
    if (label->escaped == NULL)
        return sc_no_memory(error, "a label");
    sc_text_sink_init(&sink, label->escaped, bytes);
    put_lines(&sink, record);
    return SCRIM_OK;
}

/* Reading: what is not quite right is found at the end, when it is written again. */

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* A 0 has no place in a value. */
bool sc_label_unescape(sc_text value, char *out, size_t *length)
{
    *length = 0;
    for (size_t i = 0; i < value.bytes; i++) {
        char c = value.start[i];
        if (c == '%') {
            if (value.bytes - i < 3)
                return false;
            const int high = digit_of(value.start[i + 1]);
            const int low = digit_of(value.start[i + 2]);
            if (high < 0 || low < 0)
                return false;
            c = (char)(unsigned char)(high * 16 + low);
            i += 2;
        }
        if (c == '\0')
            return false;
        out[(*length)++] = c;
    }
    return true;
}

static bool is_key(sc_text key)
{
    for (size_t i = 0; i < key.bytes; i++) {
        const char c = key.start[i];
        if (!(c >= 'a' && c <= 'z') && !sc_ascii_is_digit(c) && c != '.' && c != '-')
            return false;
    }
    return key.bytes > 0 && key.bytes < SC_LABEL_KEY_BYTES;
}

static bool read_fact(scrim_label *label, sc_text line)
{
    char key[SC_LABEL_KEY_BYTES];
    sc_text name, value;
    size_t length;
    if (!sc_text_split(line, ' ', &name, &value) || !is_key(name))
        return false;
    memcpy(key, name.start, name.bytes);
    key[name.bytes] = '\0';
    char *text = sc_arena_allocate(&label->arena, value.bytes + 1, 1);
    label->lacks_memory |= text == NULL;
    if (text == NULL || !sc_label_unescape(value, text, &length))
        return false;
    sc_label_put(label, key, (sc_text){text, length});
    return true;
}

static int by_key(const void *left, const void *right)
{
    return strcmp(((const scrim_label_fact *)left)->key,
                  ((const scrim_label_fact *)right)->key);
}

/* A fact that is there twice could be read in two ways. */
static bool has_twins(scrim_label *label)
{
    scrim_label_fact *sorted =
        sc_arena_allocate(&label->arena, label->count, sizeof *sorted);
    label->lacks_memory |= sorted == NULL;
    if (sorted == NULL || label->count == 0)
        return true;
    memcpy(sorted, label->facts, label->count * sizeof *sorted);
    qsort(sorted, label->count, sizeof *sorted, by_key);
    for (size_t i = 1; i < label->count; i++)
        if (strcmp(sorted[i - 1].key, sorted[i].key) == 0)
            return true;
    return false;
}

static bool begins(sc_text line, const char *word)
{
    return line.bytes > strlen(word) && memcmp(line.start, word, strlen(word)) == 0;
}

/* Behind the line of the hash: nothing, or the signature. */
static bool read_end(scrim_label *label, sc_text rest)
{
    const size_t word = strlen(SIGNATURE);
    sc_text line;
    if (rest.bytes == 0)
        return true;
    if (label->format == 1 || !sc_text_split(rest, '\n', &line, &rest) ||
        rest.bytes > 0 || !begins(line, SIGNATURE))
        return false;
    label->has_signature = sc_signature_parse(
        (sc_text){line.start + word, line.bytes - word}, &label->signature);
    return label->has_signature;
}

static bool read_first(scrim_label *label, sc_text line)
{
    for (unsigned i = 0; i < SC_LABEL_FORMAT; i++)
        if (sc_text_is(line, firsts[i])) {
            label->format = i + 1;
            return true;
        }
    return false;
}

static bool read_facts(scrim_label *label, sc_text text)
{
    sc_text line, rest;
    if (!sc_text_split(text, '\n', &line, &rest) || !read_first(label, line))
        return false;
    while (sc_text_split(rest, '\n', &line, &rest)) {
        if (begins(line, "hash "))
            return read_end(label, rest) && !has_twins(label);
        if (!read_fact(label, line))
            return false;
    }
    return false;
}

scrim_status sc_label_read(sc_text text, scrim_label **out, scrim_error *error)
{
    scrim_label *label = sc_label_new();
    scrim_status status = SCRIM_OK;
    if (label == NULL)
        return sc_no_memory(error, "a label");
    if (!read_facts(label, text))
        status =
            label->lacks_memory
                ? sc_no_memory(error, "a label")
                : sc_fail(
                      error, SCRIM_E_CHECK,
                      "the label was changed: lines are changed, missing or repeated");
    if (status == SCRIM_OK)
        status = sc_label_seal(label, error);
    if (status == SCRIM_OK && !sc_text_equal(sc_text_of(label->text), text))
        status = sc_fail(error, SCRIM_E_CHECK,
                         "the label was changed: its hash does not match its text");
    if (status == SCRIM_OK)
        *out = label;
    else
        scrim_label_free(label);
    return status;
}
