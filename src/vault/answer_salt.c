#include "vault/answer_salt.h"

#include "base/memory.h"
#include "random/bits_system.h"
#include "vault/vault_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char mark[] = "\nsalt ";
#define MARK_BYTES (sizeof mark - 1)
#define DIGITS "0123456789abcdef"

_Static_assert(MARK_BYTES + 32 == SC_ANSWER_SALT_BYTES, "the mark and 32 digits");

static scrim_status draw(uint64_t words[2], scrim_error *error)
{
    sc_bits *bits = NULL;
    scrim_status status = sc_bits_system_open(&bits, error);
    for (size_t i = 0; status == SCRIM_OK && i < 2; i++)
        status = sc_bits_word(bits, &words[i], error);
    sc_bits_system_close(bits);
    return status;
}

scrim_status sc_answer_salt(sc_text answer, char **out, scrim_error *error)
{
    uint64_t words[2] = {0};
    SC_TRY(draw(words, error));
    char *text = sc_allocate(answer.bytes + SC_ANSWER_SALT_BYTES + 1, 1);
    if (text == NULL)
        return sc_no_memory(error, "an answer");
    memcpy(text, answer.start, answer.bytes);
    snprintf(text + answer.bytes, SC_ANSWER_SALT_BYTES + 1, "%s%016" PRIx64 "%016" PRIx64,
             mark, words[0], words[1]);
    *out = text;
    return SCRIM_OK;
}

sc_text sc_answer_unsalted(sc_text recorded)
{
    if (recorded.bytes < SC_ANSWER_SALT_BYTES)
        return recorded;
    const size_t before = recorded.bytes - SC_ANSWER_SALT_BYTES;
    const char *end = recorded.start + before;
    bool is_salt = memcmp(end, mark, MARK_BYTES) == 0;
    for (size_t i = MARK_BYTES; is_salt && i < SC_ANSWER_SALT_BYTES; i++)
        is_salt = memchr(DIGITS, end[i], sizeof DIGITS - 1) != NULL;
    return is_salt ? (sc_text){recorded.start, before} : recorded;
}

typedef struct finding {
    uint64_t release;
    char *text;
} finding;

static scrim_status plan_find(scrim_vault *v, void *context, scrim_error *error)
{
    finding *f = context;
    uint64_t charge = 0;
    SC_TRY(sc_vault_charge_of(v, f->release, &charge, error));
    return v->store->functions->answer(v->store, charge, NULL, &f->text, error);
}

scrim_status sc_vault_recorded(scrim_vault *vault, uint64_t release, char **out,
                               scrim_error *error)
{
    finding f = {.release = release};
    SC_TRY(sc_vault_read(vault, plan_find, &f, error));
    *out = f.text;
    return SCRIM_OK;
}
