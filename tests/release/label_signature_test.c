/* A89: labels that were made to fit, and invalid signatures. */
#include "base/memory.h"
#include "check.h"
#include "cli/release/report_verify.h"
#include "label_files.h"
#include "query/label/label.h"
#include "store_memory.h"
#include "vault/scene.h"
#include "vault/vault_key.h"

#include <stdio.h>
#include <string.h>

/* Somebody with a key of their own. */
static const sc_signature_seed foreign = {{7}};

static void sign(scrim_label *label, const sc_signature_seed *seed)
{
    label->has_signature = false;
    CHECK_STATUS(sc_label_seal(label, NULL), SCRIM_OK);
    CHECK_STATUS(
        sc_signature_sign(seed, sc_text_of(label->text), &label->signature, NULL),
        SCRIM_OK);
    label->has_signature = true;
    CHECK_STATUS(sc_label_seal(label, NULL), SCRIM_OK);
}

static void use_signature(scrim_label *label, const sc_signature *signature)
{
    label->has_signature = true;
    label->signature = *signature;
    CHECK_STATUS(sc_label_seal(label, NULL), SCRIM_OK);
}

static void check_refused(const label_scene *s, const scrim_label *label, label_form form,
                          const char *what)
{
    label_file file = label_file_write(label, form);
    if (label_file_holds(&file, s->base.vault, NULL) ||
        label_file_holds(&file, NULL, s->key.text))
        CHECK_FAIL("%s, form %d: it holds", what, (int)form);
    free(file.bytes);
}

/* Is a page of it still a page? What it is rendered from must be readable. */
static bool is_shown(const scrim_label *label)
{
    scrim_result *result = NULL;
    const scrim_status status = scrim_label_result(label, &result, NULL);
    scrim_result_free(result);
    return status == SCRIM_OK;
}

/* One fact is another, and everything else fits it: the page, the hash, and as far as may be the
 * signature. */
SLOW_TEST(A89_labels_that_were_made_to_fit)
{
    CLAIM("verify.shown");
    label_scene s;
    sc_digest key;
    char name[SC_DIGEST_TEXT_BYTES];
    if (!label_scene_begin(&s))
        return;
    REQUIRE_OK(sc_signature_key(&foreign, &key, NULL));
    sc_digest_format(&key, name);
    const size_t step = (size_t)check_count_whole(5, 1);
    for (size_t i = 0; i < scrim_label_count(s.label); i += step) {
        const scrim_label_fact *fact = scrim_label_fact_at(s.label, i);
        char value[2100];
        snprintf(value, sizeof value, "%.2000s%s", fact->value, "0");
        scrim_label *forged = label_forge(s.label, fact->key, value);
        const label_form form = (label_form)(i / step % FORMS);
        if (form == FORM_HTML && !is_shown(forged)) {
            scrim_label_free(forged);
            continue;
        }
        check_refused(&s, forged, form, fact->key);
        use_signature(forged, &s.label->signature);
        check_refused(&s, forged, form, fact->key);
        sign(forged, &foreign);
        check_refused(&s, forged, form, fact->key);
        scrim_label *owned = label_forge(forged, SC_LABEL_KEY_FACT, name);
        sign(owned, &foreign);
        check_refused(&s, owned, form, fact->key);
        scrim_label_free(owned);
        scrim_label_free(forged);
    }
    label_scene_end(&s);
}

/* The contents of a page are in its record, and the label has the digest of that. */
SLOW_TEST(A89_records_that_were_exchanged)
{
    CLAIM("label.record");
    label_scene s;
    label_file file;
    if (!label_scene_begin(&s))
        return;
    scrim_label *forged = label_forge(s.label, NULL, NULL);
    use_signature(forged, &s.label->signature);
    CHECK_STR(scrim_label_text(forged), scrim_label_text(s.label));
    file = label_file_write(forged, FORM_HTML);
    CHECK(label_file_holds(&file, NULL, s.key.text));
    free(file.bytes);
    /* A row of its own making, shown as if it had been released. */
    char *row = strstr(forged->record, "\nrow ");
    REQUIRE(row != NULL);
    char *digit = strpbrk(strchr(row + 5, ' '), "0123456789");
    REQUIRE(digit != NULL);
    *digit = *digit == '7' ? '8' : '7';
    char *copy = strdup(forged->record);
    REQUIRE(copy != NULL);
    sc_free(forged->recorded);
    sc_free(forged->record);
    sc_free(forged->escaped);
    CHECK_STATUS(sc_label_keep_record(forged, sc_text_of(copy), NULL), SCRIM_OK);
    check_refused(&s, forged, FORM_HTML, "another row");
    free(copy);
    /* The values of another release, and none. */
    sc_free(forged->recorded);
    sc_free(forged->record);
    sc_free(forged->escaped);
    REQUIRE_OK(sc_label_keep_record(forged, sc_text_of(s.other->record), NULL));
    check_refused(&s, forged, FORM_HTML, "another record");
    sc_free(forged->escaped);
    forged->escaped = NULL;
    check_refused(&s, forged, FORM_HTML, "no record");
    scrim_label_free(forged);
    label_scene_end(&s);
}

static void check_signature(const label_scene *s, const sc_signature *signature,
                            label_form form, const char *what)
{
    scrim_label *forged = label_forge(s->label, NULL, NULL);
    use_signature(forged, signature);
    check_refused(s, forged, form, what);
    scrim_label_free(forged);
}

SLOW_TEST(A89_signatures_that_are_none)
{
    CLAIM("label.signed");
    static const unsigned char order[32] = {
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7,
        0xa2, 0xde, 0xf9, 0xde, 0x14, 0,    0,    0,    0,    0,    0,
        0,    0,    0,    0,    0,    0,    0,    0,    0,    0x10};
    label_scene s;
    sc_signature altered;
    unsigned carry = 0;
    if (!label_scene_begin(&s))
        return;
    const size_t step = (size_t)check_count_whole(23, 1);
    for (size_t bit = 0; bit < (size_t)8 * SC_SIGNATURE_BYTES; bit += step) {
        altered = s.label->signature;
        altered.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        check_signature(&s, &altered, (label_form)(bit % FORMS), "a bit flipped");
    }
    altered = s.label->signature;
    for (size_t i = 0; i < sizeof order; i++) {
        carry += (unsigned)altered.bytes[32 + i] + order[i];
        altered.bytes[32 + i] = (unsigned char)carry;
        carry >>= 8;
    }
    for (label_form form = FORM_BARE; form < FORMS; form++) {
        check_signature(&s, &altered, form, "malleated");
        check_signature(&s, &s.other->signature, form, "of another release");
        check_signature(&s, &(sc_signature){{0}}, form, "empty");
        check_signature(&s, &(sc_signature){{1}}, form, "of small order");
        scrim_label *bare = label_forge(s.label, NULL, NULL);
        check_refused(&s, bare, form, "none at all");
        scrim_label_free(bare);
    }
    label_scene_end(&s);
}

/* A label that names a key under which one signature fits every text. */
TEST(A89_keys_that_prove_nothing)
{
    CLAIM("label.signed");
    static const char neutral[] =
        "0100000000000000000000000000000000000000000000000000000000000000";
    static const char *const others[] = {
        "", "01", "0100000000000000000000000000000000000000000000000000000000000000 ",
        "83E2B1BD5EEEA389F5281F6CF99E362A95B810B5E005FEA785944FD547E1B6C4"};
    label_scene s;
    if (!label_scene_begin(&s))
        return;
    scrim_label *forged = label_forge(s.label, SC_LABEL_KEY_FACT, neutral);
    use_signature(forged, &(sc_signature){{1}});
    CHECK_STATUS(scrim_label_check_key(forged, neutral, NULL), SCRIM_E_CHECK);
    check_refused(&s, forged, FORM_BARE, "a key of small order");
    for (size_t i = 0; i < COUNT(others); i++)
        CHECK_STATUS(scrim_label_check_key(s.label, others[i], NULL), SCRIM_E_PARAM);
    scrim_label_free(forged);
    label_scene_end(&s);
}

/* The key of another vault. */
SLOW_TEST(A89_labels_of_another_vault)
{
    CLAIM("label.signed");
    label_scene s, t;
    if (!label_scene_begin(&s))
        return;
    if (label_scene_begin(&t)) {
        CHECK(strcmp(s.key.text, t.key.text) != 0);
        for (label_form form = FORM_BARE; form < FORMS; form++) {
            check_refused(&s, t.label, form, "another vault");
            check_refused(&t, s.label, form, "another vault");
        }
        label_scene_end(&t);
    }
    label_scene_end(&s);
}

/* As the ledger goes on, what was true of it then is checked as of then. */
SLOW_TEST(A89_labels_of_earlier_states)
{
    CLAIM("label.vault");
    label_scene s;
    if (!label_scene_begin(&s))
        return;
    for (label_form form = FORM_BARE; form < FORMS; form++) {
        label_file file = label_file_write(s.label, form);
        CHECK(label_file_holds(&file, s.base.vault, s.key.text));
        free(file.bytes);
        scrim_label *forged = label_forge(s.label, "cost.spent", "0.1");
        check_refused(&s, forged, form, "less was spent");
        scrim_label_free(forged);
    }
    label_scene_end(&s);
}

/* A vault of an earlier version, whose owner has not used it since. */

static scrim_status plan_old(scrim_vault *v, void *context, scrim_error *error)
{
    static const char *const entries[] = {
        ("init 1-test " /* 64 digits */
         "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        "population people add-remove sum 1 0 1", "dataset people 1\nunit=row"};
    scrim_status status = SCRIM_OK;
    (void)context;
    for (size_t i = 0; status == SCRIM_OK && i < COUNT(entries); i++) {
        status = sc_event_parse(sc_text_of(entries[i]), &v->event, error);
        if (status == SCRIM_OK)
            status = sc_vault_append(v, &v->event, error);
    }
    return status;
}

static bool begin_old(scrim_vault **vault, uint64_t *release)
{
    sc_store *store = NULL;
    if (!CHECK_STATUS(store_memory_new(&store, NULL), SCRIM_OK) ||
        !CHECK_STATUS(sc_vault_new(store, 0, vault, NULL), SCRIM_OK))
        return false;
    (*vault)->is_owner = false; /* an owner would make a key */
    return CHECK_STATUS(sc_vault_write(*vault, plan_old, NULL, NULL), SCRIM_OK) &&
           CHECK_STATUS(scene_spend(*vault, "0.1", release, NULL), SCRIM_OK);
}

static size_t unchecked_in(const label_file *file, scrim_vault *vault)
{
    sc_report_verdict verdict;
    const sc_report_proof proof = {.vault = vault};
    if (!CHECK_STATUS(sc_report_verify(file->bytes, file->count, &proof, &verdict, NULL),
                      SCRIM_OK))
        return 0;
    const size_t count = verdict.unchecked_count;
    CHECK(verdict.has_ledger && !verdict.has_signature);
    sc_report_verdict_clear(&verdict);
    return count;
}

SLOW_TEST(A89_labels_of_a_vault_without_a_key)
{
    CLAIM("verify.unchecked");
    scrim_vault *vault = NULL;
    scrim_label *label = NULL, *later = NULL;
    scrim_key key;
    uint64_t release = 0;
    if (!begin_old(&vault, &release) ||
        !CHECK_STATUS(scrim_label_new(vault, release, &label, NULL), SCRIM_OK))
        return;
    CHECK(!scrim_label_is_signed(label));
    vault->is_owner = true;
    REQUIRE_OK(scrim_vault_key(vault, &key, NULL));
    REQUIRE_OK(scrim_label_new(vault, release, &later, NULL));
    CHECK(scrim_label_is_signed(later));
    for (label_form form = FORM_BARE; form < FORMS; form++) {
        /* Made before there was a key: the ledger has all of it, a key proves nothing. */
        label_file file = label_file_write(label, form);
        CHECK_INT(unchecked_in(&file, vault), 0);
        CHECK(!label_file_holds(&file, NULL, key.text));
        free(file.bytes);
        file = label_file_write(later, form);
        CHECK(label_file_holds(&file, vault, key.text));
        free(file.bytes);
        /* By another program, which nothing proves. */
        scrim_label *other = label_forge(label, "software.build", "another");
        file = label_file_write(other, form);
        CHECK_INT(unchecked_in(&file, vault), 1);
        free(file.bytes);
        scrim_label_free(other);
        /* By an earlier version: the label is read, and what stands around it is not known. */
        scrim_label *dated = label_forge(label, "software.version", "0.0.1");
        other = label_forge(dated, "release.number",
                            scrim_label_get(label, "ledger.charge-entry"));
        for (unsigned format = 1; format <= 2; format++) {
            /* It called a release by the entry of its charge, and by no other number. */
            other->format = dated->format = format;
            CHECK_STATUS(sc_label_seal(other, NULL), SCRIM_OK);
            CHECK_STATUS(sc_label_seal(dated, NULL), SCRIM_OK);
            file = label_file_write(other, form);
            CHECK(unchecked_in(&file, vault) >= 1);
            free(file.bytes);
            file = label_file_write(dated, form);
            CHECK(!label_file_holds(&file, vault, NULL));
            CHECK_STATUS(scrim_label_check_ledger(dated, vault, NULL), SCRIM_E_CHECK);
            free(file.bytes);
        }
        CHECK_STATUS(scrim_label_check_ledger(other, vault, NULL), SCRIM_OK);
        scrim_label_free(dated);
        /* A signature of somebody's. */
        sign(other, &foreign);
        other->format = 2;
        CHECK_STATUS(sc_label_seal(other, NULL), SCRIM_OK);
        file = label_file_write(other, form);
        CHECK(!label_file_holds(&file, vault, NULL));
        free(file.bytes);
        scrim_label_free(other);
    }
    scrim_label_free(later);
    scrim_label_free(label);
    scrim_vault_close(vault);
}
