#include "base/build_id.h"
#include "data/value/calendar.h"
#include "data/value/unit_word.h"
#include "query/answer/ask.h"
#include "query/label/label_part.h"
#include "query/plan/plan_keys.h"
#include "vault/answer_salt.h"
#include "vault/booked_view.h"
#include "vault/vault_key.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DAY_SECONDS 86400

static void put(sc_label_maker *m, const char *key, const char *value)
{
    sc_label_put(m->label, key, sc_text_of(value));
}

/* Facts that a release does not have are left out. */
static void put_some(sc_label_maker *m, const char *key, const char *value)
{
    if (value[0] != '\0')
        put(m, key, value);
}

/* Release. */

static void put_time(sc_label_maker *m)
{
    char day[SC_CALENDAR_TEXT_BYTES + 1];
    const uint64_t time = m->source->release.time;
    const unsigned second = (unsigned)(time % DAY_SECONDS);
    if (time == 0) {
        put(m, "release.time", "not known");
        return;
    }
    sc_calendar_format((int64_t)(time / DAY_SECONDS), day);
    sc_label_print(m->label, "release.time", "%sT%02u:%02u:%02uZ", day, second / 3600,
                   second / 60 % 60, second % 60);
}

/* The questions as they were charged, without the bounds that were found. */
static const char *charged_text(const char *measurement)
{
    const char *at = strstr(measurement, " : ");
    return at == NULL ? measurement : at + 3;
}

static void put_release(sc_label_maker *m)
{
    const scrim_vault_release *release = &m->source->release;
    char key[SC_LABEL_KEY_BYTES];
    sc_label_put_number(m->label, "release.number", release->id);
    put_time(m);
    put(m, "release.dataset", release->dataset);
    sc_label_put_number(m->label, "release.version", release->version);
    put(m, "release.population", release->population);
    put(m, "release.kind",
        m->is_query   ? "query"
        : m->is_synth ? "synthetic"
        : m->is_body  ? "floating body"
                      : "measurement");
    if (m->is_query && m->record.series.bytes > 0) {
        sc_label_put(m->label, "release.series", m->record.series);
        sc_label_put_number(m->label, "release.series-release", m->record.release);
        put(m, "release.series-keys", sc_known_keys_name(m->record.is_continued));
        if (m->record.is_running)
            put(m, "release.series-answers", "running");
    }
#ifdef SCRIM_TESTING
    if (m->source->is_test)
        put(m, "release.caution",
            "NOT PRIVATE: drawn by a test build from a chosen seed");
#endif
    if (m->is_withheld)
        put(m, SC_LABEL_WITHHELD,
            "how many people were cut, and bounds that the answer found: this label was "
            "made for somebody to whom the answer was not shown");
    if (!m->is_query)
        put(m, "release.question.1", release->measurement);
    else if (m->hidden > 0)
        put(m, "release.question.1", charged_text(release->measurement));
    for (size_t i = m->hidden; m->is_query && i < m->record.statement_count; i++)
        sc_label_put(m->label,
                     sc_label_key(key, "release.question", sc_label_question(m, i), NULL),
                     m->record.statements[i].text);
}

/* Protection. */

static const char *variant(const sc_label_claim *claim)
{
    if (claim->cost.epsilon[0] == '\0')
        return "zero-concentrated differential privacy";
    return strcmp(claim->cost.delta, "0") == 0 ? "pure differential privacy"
                                               : "approximate differential privacy";
}

static void put_who(sc_label_maker *m, const char *unit, bool is_row)
{
    static const char key[] = "protection.who";
    const bool is_replace = m->source->budget.neighbours == SCRIM_REPLACE;
    if (is_row)
        put(m, key,
            is_replace ? "every row: the answer would look almost the same with another "
                         "row in its place; a person with several rows is protected for "
                         "each row, not for all of them together"
                       : "every row: the answer would look almost the same without it; "
                         "a person with several rows is protected for each row, not for "
                         "all of them together");
    else
        sc_label_print(m->label, key,
                       is_replace ? "every %.200s: the answer would look almost the same "
                                    "with other rows in place of theirs"
                                  : "every %.200s: the answer would look almost the same "
                                    "without their rows",
                       unit);
}

static void put_protection(sc_label_maker *m, const sc_label_claim *claim)
{
    const sc_schema *schema = m->schema;
    const bool is_row = schema != NULL && schema->unit.bytes == 0;
    char unit[SC_LABEL_UNIT_BYTES];
    sc_label_unit(m, unit);
    put(m, "protection.unit", unit);
    put(m, "protection.neighbours", scrim_neighbours_name(m->source->budget.neighbours));
    put_who(m, unit, is_row);
    put(m, "protection.variant", variant(claim));
    if (schema != NULL && m->hidden == 0 && (m->is_query || m->is_synth || m->is_body)) {
        const sc_bounds said = is_row ? (sc_bounds){1, 1, 0} : schema->bounds;
        if (said.groups > 0)
            sc_label_put_number(m->label, "protection.max-groups", said.groups);
        if (said.rows > 0)
            sc_label_put_number(m->label, "protection.max-rows", said.rows);
        if (said.total > 0)
            sc_label_put_number(m->label, "protection.max-total-rows", said.total);
        if (schema->bounds_from != SC_BOUNDS_UNSAID)
            put(m, "protection.bounds-from", sc_schema_bounds_word(schema->bounds_from));
    }
    put(m, "protection.model", "central");
    put(m, "protection.trust",
        "the owner of the vault holds the raw data; readers of the answers need not be "
        "trusted");
    put(m, "protection.groups",
        "people whose data depend on each other, such as a household, are protected as "
        "a group of that size");
}

/* Cost. */

/* Is its cost a total, whatever its parts add up to? */
static bool is_total(const sc_label_maker *m)
{
    return m->is_query && m->record.finds_bounds;
}

static void put_guess(sc_label_maker *m, const char *guess)
{
    char text[SC_RATIO_TEXT_BYTES], unit[SC_LABEL_UNIT_BYTES];
    SC_OWN(sc_ratio, share, hundred);
    sc_label_unit(m, unit);
    put(m, "cost.guess", guess);
    sc_ratio_set_int64(&hundred, 100);
    if (sc_ratio_parse(sc_text_of(guess), &share, NULL) == SCRIM_OK) {
        /* Thousandths are rounded up: a guess of 1 is above 0.999, and hardly ever 1. */
        const bool is_replace = m->source->budget.neighbours == SCRIM_REPLACE;
        const bool is_all = sc_ratio_compare_int64(&share, 1) >= 0;
        sc_ratio_mul(&share, &share, &hundred);
        (void)sc_ratio_format(&share, text, sizeof text);
        sc_label_print(m->label, "cost.meaning",
                       "someone who knows everyone else and guesses from this answer %s "
                       "one %s %s %s %s %% of the time (chance: 50 %%)",
                       is_replace ? "which of two possible sets of data" : "whether",
                       unit, is_replace ? "has" : "is in the data",
                       is_all ? "may be right more than" : "is right at most",
                       is_all ? "99.9" : text);
    }
}

/* A delta that is not below one in the rows that a group was expected to have allows to publish
 * somebody's row (THREATS, hazard "delta too large"). */
static void put_delta_caution(sc_label_maker *m, const char *delta)
{
    sc_text rows = m->record.expect, first, rest;
    if (!m->is_query || delta[0] == '\0')
        return;
    if (sc_text_split(rows, ',', &first, &rest))
        rows = first;
    SC_OWN(sc_ratio, expect, product);
    if (sc_ratio_parse(rows, &expect, NULL) == SCRIM_OK &&
        sc_ratio_parse(sc_text_of(delta), &product, NULL) == SCRIM_OK) {
        sc_ratio_mul(&product, &product, &expect);
        if (sc_ratio_compare_int64(&product, 1) >= 0)
            sc_label_print(m->label, "cost.caution",
                           "delta is not below 1 divided by the %.*s rows that a group "
                           "was expected to have: it allows publishing the data of one "
                           "of them",
                           (int)rows.bytes, rows.start);
    }
}

static void put_cost(sc_label_maker *m, const sc_label_claim *claim)
{
    const scrim_budget *budget = &m->source->budget;
    put_some(m, "cost.epsilon", claim->cost.epsilon);
    put_some(m, "cost.delta", claim->cost.delta);
    put_some(m, "cost.rho", claim->cost.rho);
    if (is_total(m))
        put(m, SC_LABEL_TOTAL, "the whole cost, before contribution bounds were found");
    put_guess(m, claim->guess);
    put_delta_caution(m, claim->cost.delta);
    put_some(m, "cost.group-2-epsilon", claim->of_two.epsilon);
    put_some(m, "cost.group-2-delta", claim->of_two.delta);
    put_some(m, "cost.group-4-epsilon", claim->of_four.epsilon);
    put_some(m, "cost.group-4-delta", claim->of_four.delta);
    put(m, "cost.account", m->source->release.unit);
    put(m, "cost.charged", m->source->release.amount);
    put(m, "cost.charged-delta", m->source->release.delta);
    if (m->source->release.is_joint) {
        put(m, "cost.joint-epsilon", claim->joint);
        put(m, "cost.joint-delta", m->source->release.delta);
    }
    put(m, "cost.accounting", budget->accounting);
    put(m, "cost.budget", budget->total);
    put(m, "cost.budget-delta", budget->total_delta);
    put(m, "cost.spent", budget->spent);
    put(m, "cost.spent-delta", budget->spent_delta);
    sc_label_put_number(m->label, "cost.charges", budget->charges);
}

/* Data, side channels, software, ledger. */

static void put_data(sc_label_maker *m)
{
    char key[SC_LABEL_KEY_BYTES], low[SC_COLUMN_TEXT_BYTES], high[SC_COLUMN_TEXT_BYTES];
    size_t number = 0;
    sc_label_put_number(m->label, "data.version", m->source->release.version);
    for (size_t i = 0; m->schema != NULL && i < m->schema->column_count; i++) {
        const sc_column *column = &m->schema->columns[i];
        if (column->type != SC_COLUMN_DATE && column->type != SC_COLUMN_TIMESTAMP)
            continue;
        (void)sc_column_format(column, column->grid.low, low, sizeof low);
        (void)sc_column_format(column, column->grid.high, high, sizeof high);
        sc_label_print(m->label, sc_label_key(key, "data.period", ++number, NULL),
                       "%.*s from %.32s to %.32s, as declared", (int)column->name.bytes,
                       column->name.start, low, high);
    }
    if (number == 0)
        put(m, "data.period.1", "no column of dates is declared");
}

/* The seconds at whose multiples a question was answered, where the owner has declared them. */
static sc_text find_quantum(const sc_label_maker *m)
{
    sc_text rest = m->record.schema, line, key, value;
    while (m->is_query && sc_schema_line(&rest, &line, &key, &value))
        if (sc_text_is(key, "quantum"))
            return value;
    return (sc_text){NULL, 0};
}

static void put_surroundings(sc_label_maker *m)
{
    char build[SC_BUILD_ID_BYTES];
    const sc_text quantum = find_quantum(m);
    if (quantum.bytes > 0) {
        sc_label_put(m->label, "side-channels.quantum", quantum);
        put(m, "side-channels.time",
            "padded: answers, and failures after the charge, are shown only at multiples "
            "of the quantum, in seconds; how many it takes depends on the size of the "
            "data");
    } else {
        put(m, "side-channels.time",
            "not padded: the response time depends on the size of the data and on the "
            "noise");
    }
    put(m, "side-channels.sampler",
        "exact integers and rationals, no floating point; random bits from the "
        "operating system");
    put(m, "software.name", "scrim");
    put(m, "software.version", scrim_version());
    put(m, "software.build", sc_build_id(build) ? build : "not known");
}

static void put_hash(sc_label_maker *m, const char *key, const sc_digest *digest)
{
    char text[SC_DIGEST_TEXT_BYTES];
    sc_digest_format(digest, text);
    put(m, key, text);
}

static void put_ledger(sc_label_maker *m)
{
    const sc_label_source *s = m->source;
    sc_label_put_number(m->label, "ledger.charge-entry", s->charge.generation);
    put_hash(m, "ledger.charge-hash", &s->charge.head);
    sc_label_put_number(m->label, "ledger.release-entry", s->answer.generation);
    put_hash(m, "ledger.release-hash", &s->answer.head);
    put_hash(m, "ledger.answer-digest", &s->digest);
    sc_label_put_number(m->label, "ledger.entries", s->head.generation);
    put_hash(m, "ledger.head", &s->head.head);
    if (s->has_key)
        put_hash(m, SC_LABEL_KEY_FACT, &s->key);
}

/* Cautions by question, each once; returns the number of the next. */
static size_t put_cautions(sc_label_maker *m, const char *const *cautions, size_t number)
{
    char key[SC_LABEL_KEY_BYTES];
    for (size_t i = 0; m->is_query && i < m->record.statement_count; i++) {
        bool is_said = cautions[i][0] == '\0';
        for (size_t k = 0; k < i; k++)
            is_said = is_said || strcmp(cautions[k], cautions[i]) == 0;
        if (!is_said)
            put(m, sc_label_key(key, "limitations", number++, NULL), cautions[i]);
    }
    return number;
}

/* Somebody whose rows they are, where the column does not say who. */
static const char *owner_word(const sc_label_maker *m)
{
    const bool is_named = m->schema != NULL && m->schema->unit.bytes > 0;
    const char *word = is_named ? sc_unit_word(m->schema->unit, false) : "person";
    return strcmp(word, "unit") == 0 ? "person" : word;
}

static void put_limitations(sc_label_maker *m)
{
    static const char *const list[] = {
        "facts about the population that can be learned without any one person are not "
        "hidden",
        "the guarantee does not cover people who can read the source, the vault or the "
        "memory of the machine",
        "costs add up over all releases about these people; this ledger counts only "
        "those of this vault",
        "noise weighs more on small groups; clamping and contribution bounds can bias "
        "values"};
    static const char is_signed[] =
        "the signature proves who made this label only to readers who got the owner's "
        "key elsewhere; the key in the label itself proves nothing";
    static const char is_unsigned[] =
        "the vault has no key, so this label has no signature; only the ledger can prove "
        "who made it";
    const size_t count = sizeof list / sizeof *list;
    const char *owner = owner_word(m);
    char key[SC_LABEL_KEY_BYTES], unit[SC_LABEL_UNIT_BYTES];
    sc_label_unit(m, unit);
    /* The caution about rows that were left out comes first, where it may be much. */
    size_t number = put_cautions(m, m->cut, 1);
    for (size_t i = 0; i < count; i++)
        put(m, sc_label_key(key, "limitations", number++, NULL), list[i]);
    sc_label_print(m->label, sc_label_key(key, "limitations", number++, NULL),
                   "the owner declared that each %s is one %s; a %s with two of them is "
                   "protected for each, not for both together",
                   unit, owner, owner);
    put(m, sc_label_key(key, "limitations", number++, NULL),
        m->source->has_key ? is_signed : is_unsigned);
    (void)put_cautions(m, m->missing, number);
}

static void put_file(sc_label_maker *m)
{
    if (m->file == NULL)
        return;
    put(m, SC_LABEL_FILE_FACTS "kind", m->file->kind);
    sc_label_put_number(m->label, SC_LABEL_FILE_FACTS "bytes", m->file->bytes);
    put_hash(m, SC_LABEL_FILE_DIGEST, &m->file->digest);
    for (size_t i = 0; i < m->file->said_count; i++) {
        char key[SC_LABEL_KEY_BYTES];
        (void)snprintf(key, sizeof key, SC_LABEL_FILE_FACTS "%s", m->file->said[i].key);
        put(m, key, m->file->said[i].value);
    }
}

/* All of it. */

static scrim_status claim_total(const sc_label_maker *m, sc_label_claim *out,
                                scrim_error *error)
{
    scrim_cost total = {.neighbours = m->source->budget.neighbours};
    snprintf(total.epsilon, sizeof total.epsilon, "%s", m->epsilon);
    snprintf(total.delta, sizeof total.delta, "%s", m->delta);
    snprintf(total.rho, sizeof total.rho, "%s", m->rho);
    return sc_claim_of_total(total.neighbours, m->parts, m->part_count, &total, out,
                             error);
}

static scrim_status make(sc_label_maker *m, scrim_error *error)
{
    sc_label_claim claim;
    scrim_status status = m->is_query   ? sc_label_query_read(m, error)
                          : m->is_synth ? sc_label_synth_read(m, error)
                          : m->is_body  ? sc_label_body_read(m, error)
                                        : sc_label_run_read(m, error);
    if (status == SCRIM_OK && is_total(m))
        status = claim_total(m, &claim, error);
    else if (status == SCRIM_OK)
        status =
            sc_claim_of(m->source->budget.neighbours, m->parts, m->part_count,
                        &(sc_claimed_cost){
                            m->epsilon, m->delta,
                            m->source->release.is_joint ? m->source->release.delta : ""},
                        &claim, error);
    if (status != SCRIM_OK)
        return status;
    put_release(m);
    put_protection(m, &claim);
    put_cost(m, &claim);
    status = m->is_query   ? sc_label_query_put(m, error)
             : m->is_synth ? sc_label_synth_put(m, error)
             : m->is_body  ? sc_label_body_put(m, error)
                           : sc_label_run_put(m, error);
    if (status != SCRIM_OK)
        return status;
    put_data(m);
    put_surroundings(m);
    put_ledger(m);
    put_limitations(m);
    put_file(m);
    return sc_label_seal(m->label, error);
}

/* The signature, and the record beside the label. */
static scrim_status finish(sc_label_maker *m, scrim_vault *vault, scrim_error *error)
{
    char *record = NULL;
    scrim_status status = SCRIM_OK;
    if (m->source->has_key) {
        status = sc_vault_key_sign(vault, sc_text_of(m->label->text),
                                   &m->label->signature, error);
        m->label->has_signature = status == SCRIM_OK;
        if (status == SCRIM_OK)
            status = sc_label_seal(m->label, error);
    }
    if (status != SCRIM_OK || !m->has_record)
        return status;
    status = sc_vault_recorded(vault, m->source->release.id, &record, error);
    if (status == SCRIM_OK && record == NULL)
        status = sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_DAMAGED, "",
                             "a release without its answer");
    if (status == SCRIM_OK)
        status = sc_label_keep_record(m->label, sc_text_of(record), error);
    sc_free(record);
    return status == SCRIM_OK ? sc_label_check_record(m->label, error) : status;
}

static scrim_status make_whole(sc_label_maker *m, scrim_vault *vault, scrim_error *error)
{
    const scrim_status status = make(m, error);
    if (status == SCRIM_OK)
        return finish(m, vault, error);
    return status == SCRIM_E_MEMORY || status == SCRIM_E_INTERNAL
               ? status
               : sc_label_unreadable(error);
}

scrim_status scrim_label_new(scrim_vault *vault, uint64_t id, scrim_label **out,
                             scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    return scrim_label_new_at(vault, id, 0, out, error);
}

scrim_status scrim_label_new_at(scrim_vault *vault, uint64_t id, uint64_t entries,
                                scrim_label **out, scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    return sc_label_make(vault, id, entries, SC_LABEL_FOR_CALLER, NULL, out, error);
}

/* Is a fact of it left out in that form? Is the record beside it? */
static scrim_status set_form(sc_label_maker *m, scrim_vault *vault, sc_label_form form,
                             scrim_error *error)
{
    bool costs = false;
    SC_TRY(sc_vault_view_costs(vault, m->source->release.id, &costs, error));
    m->has_record = !costs;
    m->is_withheld = m->is_query &&
                     (form == SC_LABEL_PARTIAL || (form == SC_LABEL_FOR_CALLER && costs));
    return SCRIM_OK;
}

scrim_status sc_label_make(scrim_vault *vault, uint64_t id, uint64_t entries,
                           sc_label_form form, const sc_label_file *file,
                           scrim_label **out, scrim_error *error)
{
    sc_label_source source;
    sc_label_maker m = {.source = &source, .file = file};
    scrim_status status = sc_label_source_read(vault, id, entries, &source, error);
    if (status != SCRIM_OK)
        return status;
    sc_arena_init(&m.arena);
    m.is_query = sc_charged_is(&sc_query_kind, sc_text_of(source.release.measurement));
    m.is_synth = sc_label_is_synth(sc_text_of(source.release.measurement));
    m.is_body = sc_label_is_body(sc_text_of(source.release.measurement));
    m.label = sc_label_new();
    status =
        m.label == NULL ? sc_label_no_memory(error) : set_form(&m, vault, form, error);
    if (status == SCRIM_OK)
        status = make_whole(&m, vault, error);
    if (status == SCRIM_OK)
        *out = m.label;
    else
        scrim_label_free(m.label);
    sc_schema_free(m.schema);
    sc_arena_clear(&m.arena);
    sc_label_source_clear(&source);
    return status;
}
