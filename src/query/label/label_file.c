/* The label of a file that shows a release: behind the last member of a JSON object, or in a file of its own. */
#include "base/json_scan.h"
#include "base/status.h"
#include "base/text_copy.h"
#include "query/label/label.h"
#include "query/label/label_period.h"
#include "query/label/label_source.h"

#include <inttypes.h>
#include <string.h>

#define MEMBER "\"scrim-label\": "
#define BEGINNING MEMBER "\"scrim-label "

/* The bytes of a file, as they come. */

#define SAID_MOST 4

struct scrim_file_digest {
    sc_digester *digester;
    uint64_t bytes;
    bool has_failed, is_ended;
    sc_digest made;
    scrim_label_fact said[SAID_MOST];
    char *texts[2 * SAID_MOST]; /* of said */
    size_t said_count;
};

scrim_status scrim_file_digest_new(scrim_file_digest **out, scrim_error *error)
{
    SC_REQUIRE(error, "out", out);
    scrim_file_digest *d = sc_allocate(1, sizeof *d);
    if (d == NULL)
        return sc_no_memory(error, "a digest");
    const scrim_status status = sc_digester_new(&d->digester, error);
    if (status != SCRIM_OK) {
        sc_free(d);
        return status;
    }
    d->has_failed = !sc_digester_start(d->digester);
    *out = d;
    return SCRIM_OK;
}

void scrim_file_digest_free(scrim_file_digest *d)
{
    if (d == NULL)
        return;
    sc_digester_free(d->digester);
    for (size_t i = 0; i < sizeof d->texts / sizeof *d->texts; i++)
        sc_free(d->texts[i]);
    sc_free(d);
}

void scrim_file_digest_add(scrim_file_digest *d, const void *bytes, size_t count)
{
    d->bytes += count;
    d->has_failed |=
        d->is_ended || !sc_digester_add(d->digester, (sc_text){bytes, count});
}

void scrim_file_digest_say(scrim_file_digest *d, const char *key, const char *value)
{
    if (d->said_count == SAID_MOST) {
        d->has_failed = true;
        return;
    }
    char **texts = &d->texts[2 * d->said_count];
    texts[0] = sc_text_copy(sc_text_of(key));
    texts[1] = sc_text_copy(sc_text_of(value));
    d->said[d->said_count++] = (scrim_label_fact){texts[0], texts[1]};
    d->has_failed |= texts[0] == NULL || texts[1] == NULL;
}

static scrim_status end(scrim_file_digest *d, scrim_error *error)
{
    if (!d->is_ended && !d->has_failed)
        d->has_failed = !sc_digester_end(d->digester, &d->made);
    d->is_ended = true;
    return d->has_failed
               ? sc_fail(error, SCRIM_E_INTERNAL, "libcrypto could not compute a digest")
               : SCRIM_OK;
}

/* Made, and compared. */

scrim_status scrim_label_new_file(scrim_vault *vault, uint64_t id, const char *kind,
                                  scrim_file_digest *digest, scrim_label **out,
                                  scrim_error *error)
{
    SC_REQUIRE(error, "vault kind digest out", vault, kind, digest, out);
    const scrim_status status = end(digest, error);
    if (status != SCRIM_OK)
        return status;
    const sc_label_file file = {kind, digest->bytes, digest->made, digest->said,
                                digest->said_count};
    return sc_label_make(vault, id, SC_LABEL_AT_ANSWER, SC_LABEL_FOR_CALLER, &file, out,
                         error);
}

scrim_status scrim_label_new_period(scrim_vault *vault, const scrim_label_period *period,
                                    scrim_file_digest *digest, scrim_label **out,
                                    scrim_error *error)
{
    SC_REQUIRE(error, "vault digest out", vault, digest, out);
    SC_TRY(end(digest, error));
    const sc_label_file file = {
        .kind = "releases", .bytes = digest->bytes, .digest = digest->made};
    return sc_label_make_period(vault, period, &file, out, error);
}

scrim_status scrim_label_check_file(const scrim_label *label, scrim_file_digest *digest,
                                    scrim_error *error)
{
    SC_REQUIRE(error, "label digest", label, digest);
    const char *said = scrim_label_get(label, SC_LABEL_FILE_DIGEST);
    char text[SC_DIGEST_TEXT_BYTES];
    if (said == NULL)
        return sc_fail(error, SCRIM_E_CHECK, "the label is not the label of a file");
    const scrim_status status = end(digest, error);
    if (status != SCRIM_OK)
        return status;
    sc_digest_format(&digest->made, text);
    return strcmp(said, text) == 0
               ? SCRIM_OK
               : sc_fail(error, SCRIM_E_CHECK,
                         "the file was changed: its bytes are not those that its label "
                         "was made for");
}

/* The end of a JSON object. */

static void put_end(const scrim_label *label, sc_text_sink *sink)
{
    sc_text_put(sink, sc_text_of(MEMBER));
    sc_json_put_string(sink, label->text);
    sc_text_put(sink, sc_text_of("}\n"));
}

size_t scrim_label_end(const scrim_label *label, char *text, size_t capacity)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    put_end(label, &sink);
    return sink.length;
}

/* The last place of a text; false: it is nowhere. */
static bool find_last(sc_text text, const char *wanted, size_t *at)
{
    const size_t bytes = strlen(wanted);
    for (size_t i = text.bytes < bytes ? 0 : text.bytes - bytes + 1; i-- > 0;)
        if (memcmp(text.start + i, wanted, bytes) == 0) {
            *at = i;
            return true;
        }
    return false;
}

static scrim_status changed(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_CHECK,
                   "the file was changed: it does not end with its label, spelt as it "
                   "was written");
}

/* The label is written again: no other spelling of it, and nothing behind it, is the same. */
static scrim_status check_end(const scrim_label *label, sc_text end_of_file,
                              scrim_error *error)
{
    const size_t bytes = scrim_label_end(label, NULL, 0);
    if (bytes != end_of_file.bytes)
        return changed(error);
    char *text = sc_allocate(bytes + 1, 1);
    if (text == NULL)
        return sc_no_memory(error, "a label");
    (void)scrim_label_end(label, text, bytes + 1);
    const bool is_equal = memcmp(text, end_of_file.start, bytes) == 0;
    sc_free(text);
    return is_equal ? SCRIM_OK : changed(error);
}

static scrim_status read_label(sc_text end_of_file, scrim_label **out, scrim_error *error)
{
    sc_json_scan scan;
    scrim_label *label = NULL;
    char *text = sc_allocate(end_of_file.bytes + 1, 1);
    if (text == NULL)
        return sc_no_memory(error, "a label");
    sc_json_scan_init(&scan, end_of_file);
    scrim_status status = sc_json_scan_member(&scan, "scrim-label") &&
                                  sc_json_scan_string(&scan, text, end_of_file.bytes + 1)
                              ? sc_label_read(sc_text_of(text), &label, error)
                              : changed(error);
    sc_free(text);
    if (status == SCRIM_OK)
        status = check_end(label, end_of_file, error);
    if (status == SCRIM_OK)
        *out = label;
    else
        scrim_label_free(label);
    return status;
}

scrim_status scrim_label_find_end(const char *bytes, size_t count, size_t *shown,
                                  scrim_label **out, scrim_error *error)
{
    SC_REQUIRE(error, "shown out", shown, out);
    const sc_text text = {bytes, count};
    size_t at;
    if (!find_last(text, BEGINNING, &at))
        return find_last(text, "scrim-label", &at)
                   ? changed(error)
                   : sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_MISSING, "label",
                                 "the file contains no label");
    const scrim_status status = read_label((sc_text){bytes + at, count - at}, out, error);
    if (status == SCRIM_OK)
        *shown = at;
    return status;
}

/* A file, and who signed it. */

static scrim_status check_bytes(const scrim_label *label, const char *bytes, size_t count,
                                scrim_error *error)
{
    scrim_file_digest *digest = NULL;
    scrim_status status = scrim_file_digest_new(&digest, error);
    if (status == SCRIM_OK) {
        scrim_file_digest_add(digest, bytes, count);
        status = scrim_label_check_file(label, digest, error);
    }
    scrim_file_digest_free(digest);
    return status;
}

static scrim_status check_own_key(const scrim_label *label, scrim_error *error)
{
    const char *key = scrim_label_get(label, SC_LABEL_KEY_FACT);
    const scrim_status status =
        key == NULL ? SCRIM_E_CHECK : scrim_label_check_key(label, key, error);
    return status == SCRIM_E_CHECK || status == SCRIM_E_PARAM
               ? sc_fail(error, SCRIM_E_CHECK,
                         "the file was changed: its signature is not that of its label")
               : status;
}

/* Only a JSON object can end with its label. Another text may contain the mark of a label by chance, for example as the
 * key of a group. */
static scrim_status find_label(sc_text file, sc_text beside, size_t *shown,
                               scrim_label **out, scrim_error *error)
{
    scrim_status status = SCRIM_E_SYNTAX;
    *shown = file.bytes;
    if (file.bytes > 0 && file.start[0] == '{')
        status = scrim_label_find_end(file.start, file.bytes, shown, out, error);
    if (status != SCRIM_E_SYNTAX)
        return status;
    if (beside.start == NULL)
        return SCRIM_OK;
    status = scrim_label_find(beside.start, beside.bytes, out, error);
    return status == SCRIM_E_SYNTAX
               ? sc_fail(error, SCRIM_E_CHECK, "the file beside it contains no label")
               : status;
}

scrim_status scrim_label_of_file(const char *bytes, size_t count, const char *beside,
                                 size_t beside_count, scrim_label **out,
                                 scrim_error *error)
{
    SC_REQUIRE(error, "out", out);
    scrim_label *label = NULL;
    size_t shown;
    scrim_status status = find_label(
        (sc_text){bytes, count}, (sc_text){beside, beside_count}, &shown, &label, error);
    if (status == SCRIM_OK && label != NULL)
        status = check_bytes(label, bytes, shown, error);
    const bool is_signed = status == SCRIM_OK && label != NULL && label->has_signature;
    if (is_signed)
        status = check_own_key(label, error);
    if (!is_signed || status != SCRIM_OK) {
        scrim_label_free(label);
        label = NULL;
    }
    if (status == SCRIM_OK)
        *out = label;
    return status;
}
