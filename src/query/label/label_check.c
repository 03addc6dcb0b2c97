/* A label held against what follows from its mechanisms, and against a ledger. */
#include "base/status.h"
#include "model/domain.h"
#include "query/label/label.h"
#include "query/label/label_claim.h"
#include "query/label/label_period.h"
#include "query/label/label_source.h"
#include "vault/vault_view.h"

#include <inttypes.h>
#include <string.h>

static const char *get(const scrim_label *label, const char *key)
{
    const char *value = scrim_label_get(label, key);
    return value == NULL ? "" : value;
}

static scrim_status not_so(const char *key, const char *says, const char *is,
                           scrim_error *error)
{
    return sc_fail(error, SCRIM_E_CHECK,
                   "%s does not hold: the label says '%.100s', but it is '%.100s'", key,
                   says, is);
}

/* The claim. */

static scrim_neighbours neighbours_of(const scrim_label *label)
{
    const char *word = get(label, "protection.neighbours");
    for (size_t i = 0; sc_neighbours_words[i] != NULL; i++)
        if (strcmp(word, sc_neighbours_words[i]) == 0)
            return (scrim_neighbours)(i + 1);
    return SCRIM_NEIGHBOURS_UNSET;
}

/* The parts, numbered without a gap; false when one is not whole. */
static bool read_parts(const scrim_label *label, sc_claim_part *parts, size_t *count)
{
    char key[SC_LABEL_KEY_BYTES];
    *count = 0;
    for (;;) {
        const char *line =
            scrim_label_get(label, sc_label_key(key, "mechanism", *count + 1, "line"));
        const char *copies =
            scrim_label_get(label, sc_label_key(key, "mechanism", *count + 1, "copies"));
        if (line == NULL || copies == NULL)
            return line == NULL && copies == NULL && *count > 0;
        parts[*count].line = line;
        if (!sc_text_uint64(sc_text_of(copies), &parts[(*count)++].copies))
            return false;
    }
}

/* Before format 6 less was proved of Gaussian noise on several values, and before format 7 of guesses: a cost that is
 * larger than what is proved now was true then, and is. */
static bool is_proved_since(const scrim_label *label, const char *key, const char *says,
                            const char *is)
{
    SC_OWN(sc_ratio, said, proved);
    return label->format < (strcmp(key, "cost.guess") == 0 ? 7 : 6) &&
           strncmp(key, "cost.", 5) == 0 && strcmp(key, "cost.charged") != 0 &&
           sc_ratio_parse(sc_text_of(says), &said, NULL) == SCRIM_OK &&
           sc_ratio_parse(sc_text_of(is), &proved, NULL) == SCRIM_OK &&
           sc_ratio_compare(&said, &proved) >= 0;
}

static scrim_status compare_claim(const scrim_label *label, const sc_label_claim *claim,
                                  scrim_error *error)
{
    const struct {
        const char *key, *is;
    } facts[] = {
        {"cost.epsilon", claim->cost.epsilon},
        {"cost.delta", claim->cost.delta},
        {"cost.rho", claim->cost.rho},
        {"cost.guess", claim->guess},
        {"cost.group-2-epsilon", claim->of_two.epsilon},
        {"cost.group-2-delta", claim->of_two.delta},
        {"cost.group-4-epsilon", claim->of_four.epsilon},
        {"cost.group-4-delta", claim->of_four.delta},
        {"cost.joint-epsilon", claim->joint},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const char *says = get(label, facts[i].key);
        if (strcmp(says, facts[i].is) != 0 &&
            !is_proved_since(label, facts[i].key, says, facts[i].is))
            return not_so(facts[i].key, says, facts[i].is, error);
    }
    return SCRIM_OK;
}

static bool copy_number(const scrim_label *label, const char *key,
                        char out[SCRIM_NUMBER_BYTES])
{
    const char *value = get(label, key);
    const size_t bytes = strlen(value);
    if (bytes < SCRIM_NUMBER_BYTES)
        memcpy(out, value, bytes + 1);
    return bytes < SCRIM_NUMBER_BYTES;
}

static scrim_status claim_of(const scrim_label *label, const sc_claim_part *parts,
                             size_t count, sc_label_claim *out, scrim_error *error)
{
    scrim_cost total;
    if (scrim_label_get(label, SC_LABEL_TOTAL) == NULL)
        return sc_claim_of(neighbours_of(label), parts, count,
                           &(sc_claimed_cost){get(label, "cost.epsilon"),
                                              get(label, "cost.delta"),
                                              get(label, "cost.joint-delta")},
                           out, error);
    return copy_number(label, "cost.epsilon", total.epsilon) &&
                   copy_number(label, "cost.delta", total.delta) &&
                   copy_number(label, "cost.rho", total.rho)
               ? sc_claim_of_total(neighbours_of(label), parts, count, &total, out, error)
               : sc_fail(error, SCRIM_E_CHECK, "the cost of the label is not a number");
}

scrim_status scrim_label_check(const scrim_label *label, scrim_error *error)
{
    SC_REQUIRE(error, "label", label);
    sc_label_claim claim;
    size_t count;
    if (sc_label_is_period(label))
        return SCRIM_OK; /* its sums follow from the ledger, and from nothing in it */
    sc_claim_part *parts = sc_allocate(label->count + 1, sizeof *parts);
    scrim_status status = SCRIM_OK;
    if (parts == NULL)
        return sc_no_memory(error, "a label");
    if (!read_parts(label, parts, &count))
        status = sc_fail(error, SCRIM_E_CHECK,
                         "the mechanisms of the label are not complete, so its claim "
                         "cannot be computed");
    if (status == SCRIM_OK)
        status = claim_of(label, parts, count, &claim, error);
    if (status == SCRIM_OK)
        status = compare_claim(label, &claim, error);
    sc_free(parts);
    return status;
}

/* The ledger. */

/* Statements of another program about itself: known by the signature alone. */
static bool is_of_the_program(const char *key)
{
    return strcmp(key, "software.version") == 0 || strcmp(key, "software.build") == 0;
}

/* Sentences that another version may put otherwise. */
static bool is_wording(const char *key)
{
    static const char *const beginnings[] = {
        "protection.who",     "protection.variant",
        "protection.trust",   "protection.groups",
        "cost.meaning",       "cost.caution",
        "unprotected.",       "post-processing.",
        "accuracy.statement", "accuracy.excludes",
        "side-channels.time", "side-channels.sampler",
        "limitations.",       "kept.",
        SC_LABEL_WITHHELD};
    static const char *const ends[] = {".how", ".clamping", ".missing"};
    const size_t bytes = strlen(key);
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(key, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (bytes > strlen(ends[i]) &&
            strcmp(key + bytes - strlen(ends[i]), ends[i]) == 0)
            return true;
    return false;
}

static bool is_checked(const char *key, bool is_same_version)
{
    return !is_of_the_program(key) && (is_same_version || !is_wording(key));
}

/* Facts about the file that a label belongs to. Only its signature proves them: the ledger does not have them. */
static bool is_of_the_file(const char *key)
{
    return strncmp(key, SC_LABEL_FILE_FACTS, strlen(SC_LABEL_FILE_FACTS)) == 0;
}

/* Before format 3 the number of a release was that of its charge among the entries. */
static bool has_entry_number(const scrim_label *label)
{
    return label->format < 3;
}

static bool is_private_keys(const scrim_label_fact *fact)
{
    return strncmp(fact->key, "keys.", 5) == 0 &&
           strcmp(fact->value, SC_LABEL_PRIVATE_KEYS) == 0;
}

/* The value in a label where the one that is made of it now has this fact. */
static const char *expected_of(const scrim_label *label, const scrim_label *own,
                               const scrim_label_fact *fact)
{
    if (has_entry_number(label) && strcmp(fact->key, "release.number") == 0)
        return get(own, "ledger.charge-entry");
    return label->format < 4 && is_private_keys(fact) ? SC_LABEL_PRIVATE_KEYS_BEFORE
                                                      : fact->value;
}

/* Before format 5 certificates said the same in other words. */
static bool is_said_before(const char *says, const char *is)
{
    static const char *const phrases[][2] = {
        {"after contribution bounds and clamping", "after bounding and clamping"},
        {"no person is added", "nobody is invented"},
        {"no row is added", "nobody is invented"},
        {"its distance from the true mode is not known",
         "how far it is from the true mode is not said"}};
    while (*is != '\0') {
        size_t now = 1, before = 1;
        const char *same = is;
        for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
            if (strncmp(is, phrases[i][0], strlen(phrases[i][0])) == 0) {
                same = phrases[i][1];
                now = strlen(phrases[i][0]);
                before = strlen(same);
            }
        if (strncmp(says, same, before) != 0)
            return false;
        is += now;
        says += before;
    }
    return *says == '\0';
}

static bool is_said(const scrim_label *label, const char *key, const char *expected)
{
    const char *says = get(label, key);
    return strcmp(says, expected) == 0 || is_proved_since(label, key, says, expected) ||
           (label->format < 5 && strncmp(key, "certificate.", 12) == 0 &&
            is_said_before(says, expected));
}

/* Facts that labels of that format do not have. */
static bool is_later(const scrim_label *label, const char *key)
{
    return (label->format < 6 && strcmp(key, SC_LABEL_RADIUS_ALL) == 0) ||
           (label->format < 7 && strcmp(key, SC_LABEL_TOTAL) == 0);
}

/* Before format 7 a label of a question that finds its bounds says what its parts cost, which was checked above, and not
 * the total. */
static bool is_of_parts(const scrim_label *label, const scrim_label *own, const char *key)
{
    return label->format < 7 && scrim_label_get(own, SC_LABEL_TOTAL) != NULL &&
           (strcmp(key, "cost.epsilon") == 0 || strcmp(key, "cost.delta") == 0 ||
            strcmp(key, "cost.rho") == 0 || strcmp(key, "cost.guess") == 0 ||
            strncmp(key, "cost.group-", strlen("cost.group-")) == 0);
}

/* Every fact of one is in the other. */
static scrim_status compare_facts(const scrim_label *label, const scrim_label *own,
                                  scrim_error *error)
{
    const bool is_same_version =
        label->format == own->format &&
        strcmp(get(label, "software.version"), get(own, "software.version")) == 0;
    /* A label of another vault differs in everything; this says it best. */
    if (strcmp(get(label, "ledger.release-hash"), get(own, "ledger.release-hash")) != 0)
        return sc_fail(error, SCRIM_E_CHECK,
                       "this ledger has no such release %s: the label is from another "
                       "vault, or forged",
                       get(own, "release.number"));
    for (size_t i = 0; i < own->count; i++) {
        const scrim_label_fact *fact = &own->facts[i];
        const char *expected = expected_of(label, own, fact);
        if (is_checked(fact->key, is_same_version) && !is_later(label, fact->key) &&
            !is_of_parts(label, own, fact->key) && !is_said(label, fact->key, expected))
            return not_so(fact->key, get(label, fact->key), expected, error);
    }
    for (size_t i = 0; i < label->count; i++)
        if (is_checked(label->facts[i].key, is_same_version) &&
            !is_of_the_file(label->facts[i].key) &&
            !is_of_parts(label, own, label->facts[i].key) &&
            scrim_label_get(own, label->facts[i].key) == NULL)
            return sc_fail(error, SCRIM_E_CHECK,
                           "the ledger has no fact %s, which the label states",
                           label->facts[i].key);
    return SCRIM_OK;
}

static scrim_status check_signature(const scrim_label *label, const sc_digest *key,
                                    scrim_error *error)
{
    if (!label->has_signature)
        return sc_fail(error, SCRIM_E_CHECK,
                       "the label has no signature, although its vault has a key");
    const scrim_status status =
        sc_signature_check(key, sc_label_content(label), &label->signature, error);
    return status == SCRIM_E_CHECK
               ? sc_fail(error, SCRIM_E_CHECK,
                         "the signature is not that of this label under the key")
               : status;
}

static scrim_status make_period_again(const scrim_label *label, scrim_vault *vault,
                                      scrim_label **out, scrim_error *error)
{
    scrim_label_period period;
    SC_TRY(sc_label_read_period(label, &period, error));
    scrim_status status = sc_label_make_period(vault, &period, NULL, out, error);
    const bool is_other = status == SCRIM_OK && strcmp(get(label, "ledger.head"),
                                                       get(*out, "ledger.head")) != 0;
    if (is_other) {
        scrim_label_free(*out);
        *out = NULL;
    }
    return is_other || status == SCRIM_E_PARAM
               ? sc_fail(error, SCRIM_E_CHECK,
                         "the label is from another vault, or its head was changed: this "
                         "ledger never had that head with %" PRIu64 " entries",
                         period.entries)
               : status;
}

/* A whole label proves by its signature that whoever has it was given the facts that follow from the answer. Without
 * one they are compared only for whom the answer was shown to: a comparison says what is right. */
static scrim_status make_whole_again(const scrim_label *label, scrim_vault *vault,
                                     uint64_t id, uint64_t entries, scrim_label **out,
                                     scrim_error *error)
{
    sc_digest key;
    if (!(*out)->has_signature)
        return sc_fail(error, SCRIM_E_POLICY,
                       "the label has no signature, and follows from an answer that "
                       "you have not seen; replay that first");
    if (!label->has_signature ||
        !sc_digest_parse(sc_text_of(get(*out, SC_LABEL_KEY_FACT)), &key))
        return sc_fail(error, SCRIM_E_CHECK,
                       "the label has no signature, although its vault has a key");
    SC_TRY(check_signature(label, &key, error));
    scrim_label_free(*out);
    *out = NULL;
    return sc_label_make(vault, id, entries, SC_LABEL_WHOLE, NULL, out, error);
}

static scrim_status make_again(const scrim_label *label, scrim_vault *vault, uint64_t id,
                               uint64_t entries, scrim_label **out, scrim_error *error)
{
    const bool is_partial = scrim_label_get(label, SC_LABEL_WITHHELD) != NULL;
    scrim_label *made = NULL;
    scrim_status status = sc_label_make(
        vault, id, entries, is_partial ? SC_LABEL_PARTIAL : SC_LABEL_FOR_CALLER, NULL,
        &made, error);
    if (status == SCRIM_OK && !is_partial &&
        scrim_label_get(made, SC_LABEL_WITHHELD) != NULL)
        status = make_whole_again(label, vault, id, entries, &made, error);
    if (status == SCRIM_OK)
        *out = made;
    else
        scrim_label_free(made);
    return status;
}

/* The label that the vault gave for that release then. */
scrim_status scrim_label_again(const scrim_label *label, scrim_vault *vault,
                               scrim_label **out, scrim_error *error)
{
    SC_REQUIRE(error, "label vault out", label, vault, out);
    uint64_t id, entries;
    if (sc_label_is_period(label))
        return make_period_again(label, vault, out, error);
    if (!sc_text_uint64(sc_text_of(get(label, "release.number")), &id))
        return sc_fail(error, SCRIM_E_CHECK,
                       "the label does not say which release it is");
    if (!sc_text_uint64(sc_text_of(get(label, "ledger.entries")), &entries) ||
        entries == 0)
        return sc_fail(error, SCRIM_E_CHECK,
                       "the label does not say how many entries the ledger had");
    scrim_status status = SCRIM_OK;
    if (has_entry_number(label))
        status = sc_vault_release_of(vault, id, &id, error);
    if (status == SCRIM_OK)
        status = make_again(label, vault, id, entries, out, error);
    return status == SCRIM_E_PARAM
               ? sc_fail(
                     error, SCRIM_E_CHECK,
                     "the label is not from this vault as it was with %" PRIu64
                     " entries; check it with the vault that made it, or by the key of "
                     "that vault",
                     entries)
               : status;
}

scrim_status scrim_label_check_ledger(const scrim_label *label, scrim_vault *vault,
                                      scrim_error *error)
{
    SC_REQUIRE(error, "label vault", label, vault);
    scrim_label *own = NULL;
    sc_digest key;
    scrim_status status = scrim_label_again(label, vault, &own, error);
    if (status == SCRIM_OK)
        status = compare_facts(label, own, error);
    if (status == SCRIM_OK && label->has_signature && !own->has_signature)
        status = sc_fail(error, SCRIM_E_CHECK,
                         "the label has a signature, although its vault had no key then");
    if (status == SCRIM_OK && own->has_signature) {
        if (!sc_digest_parse(sc_text_of(get(own, SC_LABEL_KEY_FACT)), &key))
            status = sc_fail(error, SCRIM_E_INTERNAL, "a signature has no key");
        else
            status = check_signature(label, &key, error);
    }
    scrim_label_free(own);
    return status;
}

/* A key. */

scrim_status scrim_label_check_key(const scrim_label *label, const char *key,
                                   scrim_error *error)
{
    SC_REQUIRE(error, "label key", label, key);
    sc_digest public;
    if (!sc_digest_parse(sc_text_of(key), &public))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "key",
                           "a key has 64 hexadecimal digits");
    if (!label->has_signature)
        return sc_fail(error, SCRIM_E_CHECK, "the label has no signature");
    if (strcmp(get(label, SC_LABEL_KEY_FACT), key) != 0)
        return sc_fail(error, SCRIM_E_CHECK, "the label is signed by another key");
    return check_signature(label, &public, error);
}

/* The record. */

scrim_status sc_label_check_record(const scrim_label *label, scrim_error *error)
{
    sc_digester *digester = NULL;
    sc_digest digest;
    char text[SC_DIGEST_TEXT_BYTES] = "";
    scrim_status status = sc_digester_new(&digester, error);
    if (status == SCRIM_OK)
        status = sc_digest_of(digester, sc_text_of(label->recorded), (sc_text){NULL, 0},
                              &digest, error);
    if (status == SCRIM_OK)
        sc_digest_format(&digest, text);
    sc_digester_free(digester);
    if (status == SCRIM_OK && strcmp(text, get(label, "ledger.answer-digest")) != 0)
        status = sc_fail(error, SCRIM_E_CHECK,
                         "the values are not those of the release: their digest is not "
                         "the one in the label");
    return status;
}

/* Two labels. */

static scrim_status check_alike(const scrim_label *a, const scrim_label *b,
                                const char *key, const char *what, scrim_error *error)
{
    if (strcmp(get(a, key), get(b, key)) == 0)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_POLICY,
                   "their %s differ, '%.100s' and '%.100s', so their epsilons "
                   "cannot be compared",
                   what, get(a, key), get(b, key));
}

scrim_status scrim_label_compare(const scrim_label *a, const scrim_label *b,
                                 scrim_error *error)
{
    SC_REQUIRE(error, "a b", a, b);
    SC_TRY(check_alike(a, b, "protection.unit", "units", error));
    return check_alike(a, b, "protection.neighbours", "neighbours", error);
}
