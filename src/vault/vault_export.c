/* An export of a ledger, checked without its vault: every entry is taken into a book of its own, as `vault_verify` does it. */
#include "base/json_scan.h"
#include "base/memory.h"
#include "vault/vault.h"
#include "vault/vault_key.h"

#include <string.h>

typedef struct reader {
    sc_digester *digester;
    sc_book book;
    sc_chain chain;
    sc_event event;
    sc_json_scan scan;
    size_t line;
    char *text, *answer; /* each with room for a whole line */
    size_t room;
    unsigned char *states; /* by entry, from 1 on */
    uint64_t state_room;
    scrim_vault_state *out;
    const sc_digest *noted; /* NULL: none */
    bool is_ended;          /* the head was read */
    bool lacks_answers;     /* as its first line says: it has their digests */
} reader;

enum { OTHER = 0, CHARGED, ANSWERED };

static scrim_status fail_check(const char *what, uint64_t id, scrim_error *error)
{
    return sc_fail(error, SCRIM_E_CHECK, "the export does not hold: %s (entry %llu)",
                   what, (unsigned long long)id);
}

static scrim_status fail_line(const reader *r, scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_SYNTAX, "export",
                       "line %zu is not one of an exported ledger", r->line);
}

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory to verify the export");
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Pairs of hexadecimal digits, in place. */
static bool decode_hex(char *text, size_t *count)
{
    const size_t bytes = strlen(text) / 2;
    for (size_t i = 0; i < bytes; i++) {
        const int high = digit_of(text[2 * i]), low = digit_of(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        text[i] = (char)(16 * high + low);
    }
    *count = bytes;
    return text[2 * bytes] == '\0';
}

/* A member with text, or one with digits in its place. */
static bool read_either(reader *r, const char *name, const char *hex_name, char *out,
                        size_t *count)
{
    if (sc_json_scan_member(&r->scan, name)) {
        if (!sc_json_scan_string(&r->scan, out, r->room))
            return false;
        *count = strlen(out);
        return true;
    }
    return sc_json_scan_member(&r->scan, hex_name) &&
           sc_json_scan_string(&r->scan, out, r->room) && decode_hex(out, count);
}

static bool read_hash(reader *r, sc_digest *out)
{
    char hash[SC_DIGEST_TEXT_BYTES];
    return sc_json_scan_mark(&r->scan, ',') && sc_json_scan_member(&r->scan, "hash") &&
           sc_json_scan_string(&r->scan, hash, sizeof hash) &&
           sc_digest_parse(sc_text_of(hash), out);
}

static bool is_line_end(reader *r)
{
    return sc_json_scan_mark(&r->scan, '}') && sc_json_scan_is_end(&r->scan);
}

static scrim_status keep_state(reader *r, unsigned char state, scrim_error *error)
{
    const uint64_t id = r->chain.generation;
    if (id >= r->state_room) {
        const uint64_t room = 2 * id + 64;
        unsigned char *wider = sc_allocate(room, 1);
        if (wider == NULL)
            return no_memory(error);
        if (r->state_room > 0)
            memcpy(wider, r->states, r->state_room);
        sc_free(r->states);
        r->states = wider;
        r->state_room = room;
    }
    r->states[id] = state;
    return SCRIM_OK;
}

/* The answer of a release is the one whose digest the entry holds, and the charge had none before. Without answers the digests
 * are still in the chain. */
static scrim_status check_answer(reader *r, const sc_text *answer, scrim_error *error)
{
    const uint64_t id = r->chain.generation;
    sc_digest digest;
    if (r->event.charge >= id || r->states[r->event.charge] != CHARGED)
        return fail_check("a release without its charge, or a second one", id, error);
    if (answer == NULL && !r->lacks_answers)
        return fail_check("an answer is missing", id, error);
    if (answer != NULL && r->lacks_answers)
        return fail_check("an answer is in an export without answers", id, error);
    r->states[r->event.charge] = ANSWERED;
    r->out->releases++;
    if (answer == NULL)
        return SCRIM_OK;
    SC_TRY(sc_digest_of(r->digester, *answer, (sc_text){NULL, 0}, &digest, error));
    if (!sc_digest_equal(&digest, &r->event.digest))
        return fail_check("an answer was changed", id, error);
    return SCRIM_OK;
}

static scrim_status take_entry(reader *r, sc_text bytes, const sc_text *answer,
                               scrim_error *error)
{
    const uint64_t id = r->chain.generation;
    const sc_event *e = &r->event;
    if (sc_event_parse(bytes, &r->event, NULL) != SCRIM_OK)
        return fail_check("it cannot be read", id, error);
    scrim_status status = sc_book_apply(&r->book, id, e, error);
    if (status == SCRIM_E_MEMORY)
        return status;
    if (status != SCRIM_OK)
        return fail_check("it ought to have been refused", id, error);
    if (e->kind == SC_EVENT_JOINT)
        SC_TRY(sc_vault_joint_check(&r->book, e, id, error));
    const bool is_charge = sc_event_is_charge(e->kind);
    SC_TRY(keep_state(r, is_charge ? CHARGED : OTHER, error));
    r->out->charges += is_charge;
    if (e->kind == SC_EVENT_RELEASE)
        return check_answer(r, answer, error);
    return answer == NULL ? SCRIM_OK
                          : fail_check("it is no release, and has an answer", id, error);
}

static scrim_status read_entry(reader *r, scrim_error *error)
{
    uint64_t id = 0;
    size_t count = 0, answer_count = 0;
    sc_digest hash;
    if (!sc_json_scan_uint64(&r->scan, &id) || !read_hash(r, &hash) ||
        !sc_json_scan_mark(&r->scan, ',') ||
        !read_either(r, "text", "hex", r->text, &count))
        return fail_line(r, error);
    const bool has_answer = sc_json_scan_mark(&r->scan, ',');
    if (has_answer && !read_either(r, "answer", "answer_hex", r->answer, &answer_count))
        return fail_line(r, error);
    if (!is_line_end(r))
        return fail_line(r, error);
    const sc_text bytes = {r->text, count}, answer = {r->answer, answer_count};
    SC_TRY(sc_chain_extend(&r->chain, r->digester, bytes, &r->chain, error));
    if (id != r->chain.generation || !sc_digest_equal(&hash, &r->chain.head))
        return fail_check("the chain is broken", id, error);
    if (r->noted != NULL && sc_digest_equal(&hash, r->noted))
        r->out->noted = id;
    return take_entry(r, bytes, has_answer ? &answer : NULL, error);
}

/* The key and the signature of the last line; of earlier versions it has neither. */
typedef struct signed_head {
    bool is_there;
    sc_digest key;
    sc_signature signature;
} signed_head;

static bool read_signature(reader *r, signed_head *out)
{
    char key[SC_DIGEST_TEXT_BYTES], signature[SC_SIGNATURE_TEXT_BYTES];
    out->is_there = sc_json_scan_mark(&r->scan, ',');
    return !out->is_there ||
           (sc_json_scan_member(&r->scan, "key") &&
            sc_json_scan_string(&r->scan, key, sizeof key) &&
            sc_digest_parse(sc_text_of(key), &out->key) &&
            sc_json_scan_mark(&r->scan, ',') &&
            sc_json_scan_member(&r->scan, "signature") &&
            sc_json_scan_string(&r->scan, signature, sizeof signature) &&
            sc_signature_parse(sc_text_of(signature), &out->signature));
}

/* The ledger names its key, so that no other one can have signed its head. */
static scrim_status check_signature(reader *r, const signed_head *head,
                                    scrim_error *error)
{
    const uint64_t id = r->chain.generation;
    char text[SC_HEAD_TEXT_BYTES];
    if (r->book.key_entry == 0 || !sc_digest_equal(&head->key, &r->book.key))
        return fail_check("its head is signed by another key than that of the ledger", id,
                          error);
    const scrim_status status = sc_signature_check(
        &head->key, sc_head_text(&r->chain, text), &head->signature, error);
    if (status == SCRIM_E_CHECK)
        return fail_check("the signature of its head is wrong", id, error);
    if (status == SCRIM_OK)
        sc_digest_format(&head->key, r->out->key);
    return status;
}

static scrim_status read_head(reader *r, scrim_error *error)
{
    uint64_t id = 0;
    sc_digest hash;
    signed_head head;
    if (!sc_json_scan_uint64(&r->scan, &id) || !read_hash(r, &hash) ||
        !read_signature(r, &head) || !is_line_end(r))
        return fail_line(r, error);
    if (id != r->chain.generation || !sc_digest_equal(&hash, &r->chain.head))
        return fail_check("the head is that of another ledger", id, error);
    if (head.is_there)
        SC_TRY(check_signature(r, &head, error));
    r->is_ended = true;
    return SCRIM_OK;
}

/* An export for others than the owner says that it has no answers. */
static bool read_answers_word(reader *r)
{
    char word[8];
    r->lacks_answers = sc_json_scan_mark(&r->scan, ',');
    return !r->lacks_answers || (sc_json_scan_member(&r->scan, "answers") &&
                                 sc_json_scan_string(&r->scan, word, sizeof word) &&
                                 strcmp(word, "digests") == 0);
}

static scrim_status read_line(reader *r, sc_text line, scrim_error *error)
{
    uint64_t format = 0;
    sc_json_scan_init(&r->scan, line);
    r->line++;
    if (r->is_ended || !sc_json_scan_mark(&r->scan, '{'))
        return fail_line(r, error);
    if (r->line == 1)
        return sc_json_scan_member(&r->scan, "scrim_ledger") &&
                       sc_json_scan_uint64(&r->scan, &format) && format == 1 &&
                       read_answers_word(r) && is_line_end(r)
                   ? SCRIM_OK
                   : fail_line(r, error);
    if (sc_json_scan_member(&r->scan, "entry"))
        return read_entry(r, error);
    return sc_json_scan_member(&r->scan, "head") ? read_head(r, error)
                                                 : fail_line(r, error);
}

static scrim_status read_lines(reader *r, sc_text rest, scrim_error *error)
{
    while (rest.bytes > 0) {
        const char *end = memchr(rest.start, '\n', rest.bytes);
        const size_t count = end == NULL ? rest.bytes : (size_t)(end - rest.start);
        SC_TRY(read_line(r, (sc_text){rest.start, count}, error));
        const size_t step = end == NULL ? count : count + 1;
        rest = (sc_text){rest.start + step, rest.bytes - step};
    }
    return r->is_ended ? SCRIM_OK
                       : sc_fail(error, SCRIM_E_CHECK,
                                 "the export was cut short: it does not end with its "
                                 "head");
}

static size_t longest_line(sc_text text)
{
    size_t most = 0, count = 0;
    for (size_t i = 0; i < text.bytes; i++) {
        count = text.start[i] == '\n' ? 0 : count + 1;
        most = count > most ? count : most;
    }
    return most;
}

static void clear(reader *r)
{
    sc_event_clear(&r->event);
    sc_book_clear(&r->book);
    sc_free(r->states);
    sc_free(r->answer);
    sc_free(r->text);
    sc_digester_free(r->digester);
}

static scrim_status check_noted(const reader *r, scrim_error *error)
{
    return r->noted == NULL || r->out->noted != 0
               ? SCRIM_OK
               : sc_fail(error, SCRIM_E_CHECK,
                         "the export does not hold: it does not contain the noted head");
}

static scrim_status check(reader *r, sc_text text, scrim_error *error)
{
    SC_TRY(sc_digester_new(&r->digester, error));
    r->text = sc_allocate(r->room, 1);
    r->answer = sc_allocate(r->room, 1);
    if (r->text == NULL || r->answer == NULL)
        return no_memory(error);
    SC_TRY(read_lines(r, text, error));
    return check_noted(r, error);
}

scrim_status scrim_vault_check_export(const char *bytes, size_t count, const char *noted,
                                      scrim_vault_state *out, scrim_error *error)
{
    SC_REQUIRE(error, "out", out);
    const sc_text text = {bytes, count};
    sc_digest head;
    scrim_vault_state state = {.entries = 0};
    if (noted != NULL && !sc_digest_parse(sc_text_of(noted), &head))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "noted",
                           "a head has 64 hexadecimal digits");
    reader r = {.room = longest_line(text) + 1,
                .out = &state,
                .noted = noted == NULL ? NULL : &head};
    sc_book_init(&r.book);
    sc_chain_init(&r.chain);
    sc_event_init(&r.event);
    const scrim_status status = check(&r, text, error);
    if (status == SCRIM_OK) {
        state.entries = r.chain.generation;
        state.lacks_answers = r.lacks_answers;
        sc_digest_format(&r.chain.head, state.head);
        *out = state;
    }
    clear(&r);
    return status;
}
