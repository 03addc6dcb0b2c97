#include "store_memory.h"

#include "base/memory.h"

#include <string.h>

typedef struct kept {
    sc_chain at;
    bool is_policy;
    char *bytes;
    size_t count;
} kept;

typedef struct kept_total {
    sc_total total;
    char *amount, *delta;
} kept_total;

typedef struct kept_answer {
    uint64_t charge;
    sc_digest question;
    char *answer;
} kept_answer;

typedef struct kept_secret {
    char *name;
    sc_digest secret;
} kept_secret;

typedef struct kept_key {
    uint64_t charge;
    sc_pending pending;
} kept_key;

/* Entries behind the counts of `saved` were added since begin. A total that was changed is added
 * again: the last one counts. */
typedef struct counts {
    size_t entries, totals, answers, secrets, keys;
    uint64_t refusals;
} counts;

typedef struct memory_store {
    sc_store store;
    kept *entries;
    kept_total *totals;
    kept_answer *answers;
    kept_secret *secrets; /* the last of a name counts */
    kept_key *keys;       /* those whose charge is answered do not count */
    counts now, saved, capacity;
} memory_store;

static memory_store *of(sc_store *store)
{
    return (memory_store *)store;
}

static char *copy_of(sc_text text)
{
    char *copy = sc_allocate(text.bytes + 1, 1);
    if (copy != NULL && text.bytes > 0)
        memcpy(copy, text.start, text.bytes);
    return copy;
}

static bool make_room(void **items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    size_t wanted = *capacity == 0 ? 16 : 2 * *capacity;
    void *moved = sc_allocate(wanted, size);
    if (moved == NULL)
        return false;
    if (count > 0)
        memcpy(moved, *items, count * size);
    sc_free(*items);
    *items = moved;
    *capacity = wanted;
    return true;
}

static scrim_status fail_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the vault");
}

static scrim_status memory_begin(sc_store *store, bool writing, scrim_error *error)
{
    (void)writing;
    (void)error;
    of(store)->saved = of(store)->now;
    return SCRIM_OK;
}

static scrim_status memory_commit(sc_store *store, scrim_error *error)
{
    (void)error;
    of(store)->saved = of(store)->now;
    return SCRIM_OK;
}

/* Frees what lies behind these counts. */
static void cut_to(memory_store *s, counts to)
{
    for (size_t i = to.entries; i < s->now.entries; i++)
        sc_free(s->entries[i].bytes);
    for (size_t i = to.totals; i < s->now.totals; i++) {
        sc_free(s->totals[i].amount);
        sc_free(s->totals[i].delta);
    }
    for (size_t i = to.answers; i < s->now.answers; i++)
        sc_free(s->answers[i].answer);
    for (size_t i = to.secrets; i < s->now.secrets; i++)
        sc_free(s->secrets[i].name);
    s->now = to;
}

static void memory_rollback(sc_store *store)
{
    cut_to(of(store), of(store)->saved);
}

static bool memory_must_verify(sc_store *store)
{
    (void)store;
    return false;
}

static void memory_is_verified(sc_store *store)
{
    (void)store;
}

static scrim_status memory_check_seal(sc_store *store, scrim_error *error)
{
    (void)store;
    (void)error;
    return SCRIM_OK;
}

static scrim_status memory_head(sc_store *store, sc_chain *out, scrim_error *error)
{
    const memory_store *s = of(store);
    (void)error;
    if (s->now.entries == 0)
        sc_chain_init(out);
    else
        *out = s->entries[s->now.entries - 1].at;
    return SCRIM_OK;
}

static scrim_status memory_append(sc_store *store, const sc_chain *at, bool is_policy,
                                  sc_text bytes, scrim_error *error)
{
    memory_store *s = of(store);
    if (at->generation != s->now.entries + 1)
        return sc_fail(error, SCRIM_E_INTERNAL, "an entry out of order");
    char *copy = copy_of(bytes);
    if (copy == NULL || !make_room((void **)&s->entries, s->now.entries,
                                   &s->capacity.entries, sizeof *s->entries)) {
        sc_free(copy);
        return fail_memory(error);
    }
    s->entries[s->now.entries++] = (kept){*at, is_policy, copy, bytes.bytes};
    return SCRIM_OK;
}

static scrim_status memory_put_total(sc_store *store, const sc_total *total,
                                     scrim_error *error)
{
    memory_store *s = of(store);
    kept_total made = {*total, copy_of(total->amount), copy_of(total->delta)};
    if (made.amount == NULL || made.delta == NULL ||
        !make_room((void **)&s->totals, s->now.totals, &s->capacity.totals,
                   sizeof *s->totals)) {
        sc_free(made.amount);
        sc_free(made.delta);
        return fail_memory(error);
    }
    made.total.amount.start = made.amount;
    made.total.delta.start = made.delta;
    s->totals[s->now.totals++] = made;
    return SCRIM_OK;
}

static const kept_answer *answer_of(const memory_store *s, uint64_t charge)
{
    for (size_t i = 0; i < s->now.answers; i++)
        if (s->answers[i].charge == charge)
            return &s->answers[i];
    return NULL;
}

static scrim_status memory_put_answer(sc_store *store, uint64_t charge,
                                      const sc_digest *question, sc_text answer,
                                      scrim_error *error)
{
    memory_store *s = of(store);
    if (answer_of(s, charge) != NULL)
        return sc_fail(error, SCRIM_E_INTERNAL, "that charge is answered already");
    char *copy = copy_of(answer);
    if (copy == NULL || !make_room((void **)&s->answers, s->now.answers,
                                   &s->capacity.answers, sizeof *s->answers)) {
        sc_free(copy);
        return fail_memory(error);
    }
    s->answers[s->now.answers++] = (kept_answer){charge, *question, copy};
    return SCRIM_OK;
}

static scrim_status memory_put_secret(sc_store *store, const char *name,
                                      const sc_digest *secret, scrim_error *error)
{
    memory_store *s = of(store);
    char *copy = copy_of(sc_text_of(name));
    if (copy == NULL || !make_room((void **)&s->secrets, s->now.secrets,
                                   &s->capacity.secrets, sizeof *s->secrets)) {
        sc_free(copy);
        return fail_memory(error);
    }
    s->secrets[s->now.secrets++] = (kept_secret){copy, *secret};
    return SCRIM_OK;
}

static scrim_status memory_put_pending(sc_store *store, uint64_t charge,
                                       const sc_pending *pending, scrim_error *error)
{
    memory_store *s = of(store);
    if (!make_room((void **)&s->keys, s->now.keys, &s->capacity.keys, sizeof *s->keys))
        return fail_memory(error);
    s->keys[s->now.keys++] = (kept_key){charge, *pending};
    return SCRIM_OK;
}

static scrim_status memory_put_refusal(sc_store *store, scrim_error *error)
{
    (void)error;
    of(store)->now.refusals++;
    return SCRIM_OK;
}

static scrim_status memory_entries(sc_store *store, uint64_t from, bool policy_only,
                                   sc_store_entry_visitor *visit, void *context,
                                   scrim_error *error)
{
    const memory_store *s = of(store);
    scrim_status status = SCRIM_OK;
    for (size_t i = from < 1 ? 0 : from - 1; status == SCRIM_OK && i < s->now.entries;
         i++)
        if (!policy_only || s->entries[i].is_policy)
            status = visit(context, &s->entries[i].at,
                           (sc_text){s->entries[i].bytes, s->entries[i].count}, error);
    return status;
}

static scrim_status memory_totals(sc_store *store, sc_store_total_visitor *visit,
                                  void *context, scrim_error *error)
{
    const memory_store *s = of(store);
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < s->now.totals; i++) {
        bool is_last = true;
        for (size_t k = i + 1; k < s->now.totals; k++)
            is_last = is_last &&
                      (s->totals[k].total.population != s->totals[i].total.population ||
                       s->totals[k].total.analyst != s->totals[i].total.analyst);
        if (is_last)
            status = visit(context, &s->totals[i].total, error);
    }
    return status;
}

static scrim_status memory_answer(sc_store *store, uint64_t charge, sc_digest *question,
                                  char **out, scrim_error *error)
{
    const kept_answer *found = answer_of(of(store), charge);
    char *copy = found == NULL ? NULL : copy_of(sc_text_of(found->answer));
    if (found != NULL && copy == NULL)
        return fail_memory(error);
    if (found != NULL && question != NULL)
        *question = found->question;
    *out = copy;
    return SCRIM_OK;
}

static scrim_status memory_find(sc_store *store, const sc_digest *question,
                                uint64_t *charge, scrim_error *error)
{
    const memory_store *s = of(store);
    (void)error;
    *charge = 0;
    for (size_t i = 0; i < s->now.answers; i++)
        if (sc_digest_equal(&s->answers[i].question, question) &&
            (*charge == 0 || s->answers[i].charge < *charge))
            *charge = s->answers[i].charge;
    return SCRIM_OK;
}

static scrim_status memory_secret(sc_store *store, const char *name, sc_digest *out,
                                  bool *is_there, scrim_error *error)
{
    const memory_store *s = of(store);
    (void)error;
    *is_there = false;
    for (size_t i = s->now.secrets; i-- > 0 && !*is_there;)
        if (strcmp(s->secrets[i].name, name) == 0) {
            *out = s->secrets[i].secret;
            *is_there = true;
        }
    return SCRIM_OK;
}

static scrim_status memory_find_pending(sc_store *store, sc_pending *pending,
                                        uint64_t *charge, scrim_error *error)
{
    const memory_store *s = of(store);
    (void)error;
    *charge = 0;
    for (size_t i = 0; i < s->now.keys && *charge == 0; i++) {
        const kept_key *found = &s->keys[i];
        if (sc_digest_equal(&found->pending.question, &pending->question) &&
            sc_digest_equal(&found->pending.parts, &pending->parts) &&
            answer_of(s, found->charge) == NULL) {
            *charge = found->charge;
            pending->key = found->pending.key;
        }
    }
    return SCRIM_OK;
}

static scrim_status memory_pending(sc_store *store, uint64_t charge, sc_digest *question,
                                   bool *is_there, scrim_error *error)
{
    const memory_store *s = of(store);
    (void)error;
    *is_there = false;
    for (size_t i = 0; i < s->now.keys; i++)
        if (s->keys[i].charge == charge && answer_of(s, charge) == NULL) {
            *question = s->keys[i].pending.question;
            *is_there = true;
        }
    return SCRIM_OK;
}

static scrim_status memory_next_pending(sc_store *store, uint64_t *charge,
                                        scrim_error *error)
{
    const memory_store *s = of(store);
    uint64_t next = 0;
    (void)error;
    for (size_t i = 0; i < s->now.keys; i++)
        if (s->keys[i].charge > *charge && (next == 0 || s->keys[i].charge < next) &&
            answer_of(s, s->keys[i].charge) == NULL)
            next = s->keys[i].charge;
    *charge = next;
    return SCRIM_OK;
}

static scrim_status memory_next_answer(sc_store *store, uint64_t *charge,
                                       scrim_error *error)
{
    const memory_store *s = of(store);
    uint64_t next = 0;
    (void)error;
    for (size_t i = 0; i < s->now.answers; i++)
        if (s->answers[i].charge > *charge && (next == 0 || s->answers[i].charge < next))
            next = s->answers[i].charge;
    *charge = next;
    return SCRIM_OK;
}

static scrim_status memory_answer_count(sc_store *store, uint64_t *out,
                                        scrim_error *error)
{
    (void)error;
    *out = of(store)->now.answers;
    return SCRIM_OK;
}

static scrim_status memory_refusals(sc_store *store, uint64_t *out, scrim_error *error)
{
    (void)error;
    *out = of(store)->now.refusals;
    return SCRIM_OK;
}

static scrim_status memory_inspect(sc_store *store, scrim_error *error)
{
    (void)store;
    (void)error;
    return SCRIM_OK;
}

static void memory_close(sc_store *store)
{
    memory_store *s = of(store);
    cut_to(s, (counts){0});
    sc_free(s->entries);
    sc_free(s->totals);
    sc_free(s->answers);
    sc_free(s->secrets);
    sc_free(s->keys);
    sc_free(s);
}

static const sc_store_functions functions = {
    .begin = memory_begin,
    .commit = memory_commit,
    .rollback = memory_rollback,
    .must_verify = memory_must_verify,
    .is_verified = memory_is_verified,
    .check_seal = memory_check_seal,
    .head = memory_head,
    .append = memory_append,
    .put_total = memory_put_total,
    .put_answer = memory_put_answer,
    .put_secret = memory_put_secret,
    .put_pending = memory_put_pending,
    .put_refusal = memory_put_refusal,
    .entries = memory_entries,
    .totals = memory_totals,
    .answer = memory_answer,
    .find = memory_find,
    .secret = memory_secret,
    .find_pending = memory_find_pending,
    .pending = memory_pending,
    .next_pending = memory_next_pending,
    .next_answer = memory_next_answer,
    .answer_count = memory_answer_count,
    .refusals = memory_refusals,
    .inspect = memory_inspect,
    .close = memory_close,
};

scrim_status store_memory_new(sc_store **out, scrim_error *error)
{
    memory_store *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return fail_memory(error);
    s->store.functions = &functions;
    *out = &s->store;
    return SCRIM_OK;
}
