#include "data/table/source_seal.h"

#include "base/descriptor.h"
#include "base/memory.h"
#include "base/text_copy.h"
#include "data/source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WORD_DIGITS 16

static void put_word(unsigned char *out, uint64_t word)
{
    for (size_t i = 0; i < sizeof word; i++)
        out[i] = (unsigned char)(word >> (8 * i));
}

/* Salt, size and time, of fixed lengths. */
static void digest(const sc_source_key *key, const uint64_t salt[2],
                   const sc_source_stamp *stamp, uint64_t out[2])
{
    unsigned char message[32];
    put_word(message, salt[0]);
    put_word(message + 8, salt[1]);
    put_word(message + 16, stamp->bytes);
    put_word(message + 24, (uint64_t)stamp->modified_ns);
    for (size_t i = 0; i < 2; i++)
        out[i] = sc_hash(&key->halves[i], message, sizeof message);
}

/* The message has another length than that of a stamp, so the two never collide. */
static void digest_content(const sc_source_key *key, const uint64_t salt[2],
                           const sc_source_content *content, uint64_t out[2])
{
    unsigned char message[33] = "c";
    put_word(message + 1, salt[0]);
    put_word(message + 9, salt[1]);
    put_word(message + 17, content->words[0]);
    put_word(message + 25, content->words[1]);
    for (size_t i = 0; i < 2; i++)
        out[i] = sc_hash(&key->halves[i], message, sizeof message);
}

void sc_source_seal_make(const sc_source_key *key, const uint64_t salt[2],
                         const sc_source_stamp *stamp, const sc_source_content *content,
                         sc_source_seal *out)
{
    *out = (sc_source_seal){.salt = {salt[0], salt[1]}, .has_content = content != NULL};
    digest(key, salt, stamp, out->digest);
    if (content != NULL)
        digest_content(key, salt, content, out->content);
}

bool sc_source_seal_holds(const sc_source_seal *seal, const sc_source_key *key,
                          const sc_source_content *content)
{
    uint64_t found[2];
    if (!seal->has_content)
        return false;
    digest_content(key, seal->salt, content, found);
    return found[0] == seal->content[0] && found[1] == seal->content[1];
}

bool sc_source_seal_fits(const sc_source_seal *seal, const sc_source_key *key,
                         const sc_source_stamp *stamp)
{
    uint64_t found[2];
    if (seal->is_plain)
        return sc_source_stamp_equal(&seal->stamp, stamp);
    digest(key, seal->salt, stamp, found);
    return stamp->is_file && found[0] == seal->digest[0] && found[1] == seal->digest[1];
}

scrim_status sc_source_fail_changed(scrim_error *error)
{
    return sc_fail_for(
        error, SCRIM_E_INPUT, SCRIM_REASON_CHANGED, "",
        "the source is not that of this version: it has changed since it was "
        "declared");
}

void sc_source_seal_format(const sc_source_seal *seal, char text[SC_SOURCE_SEAL_BYTES])
{
    if (seal->is_plain) {
        sc_source_stamp_format(&seal->stamp, text);
        return;
    }
    snprintf(text, SC_SOURCE_SEAL_BYTES,
             "salt=%016" PRIx64 "%016" PRIx64 ",digest=%016" PRIx64 "%016" PRIx64,
             seal->salt[0], seal->salt[1], seal->digest[0], seal->digest[1]);
    const size_t used = strlen(text);
    if (seal->has_content)
        snprintf(text + used, SC_SOURCE_SEAL_BYTES - used,
                 ",content=%016" PRIx64 "%016" PRIx64, seal->content[0],
                 seal->content[1]);
}

/* Small hexadecimal digits, as many as a word has. */
static bool take_word(sc_text *rest, uint64_t *out)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t word = 0;
    if (rest->bytes < WORD_DIGITS)
        return false;
    for (size_t i = 0; i < WORD_DIGITS; i++) {
        const char *digit = memchr(digits, rest->start[i], sizeof digits - 1);
        if (digit == NULL)
            return false;
        word = 16 * word + (uint64_t)(digit - digits);
    }
    *rest = (sc_text){rest->start + WORD_DIGITS, rest->bytes - WORD_DIGITS};
    *out = word;
    return true;
}

static bool take_words(sc_text *rest, const char *name, uint64_t out[2])
{
    const size_t bytes = strlen(name);
    if (rest->bytes < bytes || memcmp(rest->start, name, bytes) != 0)
        return false;
    *rest = (sc_text){rest->start + bytes, rest->bytes - bytes};
    return take_word(rest, &out[0]) && take_word(rest, &out[1]);
}

bool sc_source_seal_parse(sc_text text, sc_source_seal *out)
{
    sc_source_seal seal = {.is_plain = false};
    sc_text rest = text;
    seal.is_plain = sc_source_stamp_parse(text, &seal.stamp);
    if (!seal.is_plain && (!take_words(&rest, "salt=", seal.salt) ||
                           !take_words(&rest, ",digest=", seal.digest)))
        return false;
    seal.has_content = !seal.is_plain && take_words(&rest, ",content=", seal.content);
    if (!seal.is_plain && rest.bytes > 0)
        return false;
    *out = seal;
    return true;
}

static scrim_status read_bytes(void *context, uint64_t offset, void *to, size_t bytes,
                               scrim_error *error)
{
    const int descriptor = *(const int *)context;
    for (size_t done = 0; done < bytes;) {
        const ssize_t count =
            pread(descriptor, (char *)to + done, bytes - done, (off_t)(offset + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count == 0 ? sc_source_fail_rewritten(error)
                              : sc_source_fail_reading(error);
        done += (size_t)count;
    }
    return SCRIM_OK;
}

static scrim_status read_open(sc_content_file *file, int descriptor,
                              sc_source_stamp *stamp, sc_source_content *content,
                              scrim_error *error)
{
    sc_source_stamp then, now;
    sc_source_content read;
    scrim_status status = sc_source_stamp_of(descriptor, &then, error);
    if (status == SCRIM_OK)
        status =
            sc_content_file_read(file, then.bytes, read_bytes, &descriptor, &read, error);
    if (status == SCRIM_OK)
        status = sc_source_stamp_of(descriptor, &now, error);
    if (status == SCRIM_OK && !sc_source_stamp_same(&then, &now))
        status = sc_source_fail_rewritten(error);
    if (status == SCRIM_OK) {
        *stamp = then;
        *content = read;
    }
    return status;
}

scrim_status sc_origin_content_read(sc_content_file *file, sc_text path,
                                    sc_source_stamp *stamp, sc_source_content *content,
                                    scrim_error *error)
{
    char *name = sc_text_copy(path), quote[SC_TEXT_QUOTE_BYTES];
    if (name == NULL)
        return sc_no_memory(error, "a name");
    /* Open non-blocking: if a pipe replaced the file, do not wait for its writer. */
    const int descriptor = sc_descriptor_open(name, O_RDONLY | O_NONBLOCK);
    const int failure = errno;
    sc_free(name);
    if (descriptor < 0)
        return sc_fail(error, SCRIM_E_INPUT, "the source '%s' cannot be read: %s",
                       sc_text_quote_path(path, quote),
                       sc_descriptor_why(failure, false));
    const scrim_status status = read_open(file, descriptor, stamp, content, error);
    close(descriptor);
    return status;
}

static scrim_status read_origin(const sc_schema *schema, const sc_source_key *key,
                                const sc_content_watch *watch, sc_source_stamp *stamp,
                                sc_source_content *content, scrim_error *error)
{
    sc_content_file *file = NULL;
    scrim_status status = sc_content_file_new(key, &file, error);
    if (status == SCRIM_OK) {
        sc_content_file_watch(file, watch);
        status = sc_origin_content_read(file, schema->path, stamp, content, error);
    }
    sc_content_file_free(file);
    return status;
}

scrim_status sc_declared_content_read(const sc_schema *schema, const sc_source_key *key,
                                      const sc_content_watch *watch,
                                      sc_source_stamp *stamp, sc_source_content *content,
                                      scrim_error *error)
{
    const sc_source *source = NULL;
    if (schema->source != NULL && schema->source->is_pushed)
        return read_origin(schema, key, watch, stamp, content, error);
    const scrim_status status = sc_source_of(schema, &source, error);
    return status == SCRIM_OK
               ? source->content_read(schema, key, watch, stamp, content, error)
               : status;
}
