#include "vault/policy.h"

#include "data/table/table.h"
#include "data/value/join_file.h"
#include "data/value/source_kind.h"
#include "data/value/zone_rules.h"
#include "scrim/vault.h"

#include <string.h>

void sc_policy_init(sc_policy *policy)
{
    *policy = (sc_policy){0};
    sc_ratio_init(&policy->epsilon);
    sc_ratio_init(&policy->delta);
    sc_ratio_init(&policy->order);
    sc_ratio_init(&policy->most);
    sc_ratio_init(&policy->cap_delta);
    sc_ratio_init(&policy->least);
    sc_ratio_init(&policy->quantum);
}

void sc_policy_clear(sc_policy *policy)
{
    sc_ratio_clear(&policy->epsilon);
    sc_ratio_clear(&policy->delta);
    sc_ratio_clear(&policy->order);
    sc_ratio_clear(&policy->most);
    sc_ratio_clear(&policy->cap_delta);
    sc_ratio_clear(&policy->least);
    sc_ratio_clear(&policy->quantum);
}

/* "sum", "concentrated", "renyi=ORDER"; false for anything else. */
static bool parse_accounting(sc_text text, sc_filter_rule *rule, sc_ratio *order)
{
    sc_text key, number;
    if (sc_text_is(text, "sum"))
        *rule = SC_FILTER_SUM;
    else if (sc_text_is(text, "concentrated"))
        *rule = SC_FILTER_CONCENTRATED;
    else if (sc_text_split(text, '=', &key, &number) && sc_text_is(key, "renyi") &&
             sc_ratio_parse(number, order, NULL) == SCRIM_OK)
        *rule = SC_FILTER_RENYI;
    else
        return false;
    return true;
}

/* Takes the next "key=R" off a list that is separated by commas. */
static bool take_pair(sc_text *rest, sc_text *key, sc_ratio *number)
{
    sc_text pair = *rest, text;
    const bool is_last = !sc_text_split(*rest, ',', &pair, rest);
    if (is_last)
        *rest = (sc_text){NULL, 0};
    return is_last == (rest->bytes == 0) && sc_text_split(pair, '=', key, &text) &&
           sc_ratio_parse(text, number, NULL) == SCRIM_OK && sc_ratio_sign(number) >= 0;
}

static bool take_budget(sc_text value, sc_policy *policy)
{
    bool has_epsilon = false, has_delta = false;
    sc_text key;
    SC_OWN(sc_ratio, number);
    bool is_right = value.bytes > 0;
    while (is_right && value.bytes > 0) {
        is_right = take_pair(&value, &key, &number);
        if (is_right && sc_text_is(key, "epsilon") && !has_epsilon) {
            sc_ratio_set(&policy->epsilon, &number);
            has_epsilon = true;
        } else if (is_right && sc_text_is(key, "delta") && !has_delta) {
            sc_ratio_set(&policy->delta, &number);
            has_delta = true;
        } else {
            is_right = false;
        }
    }
    policy->has_budget = true;
    return is_right && has_epsilon;
}

static bool is_unit(sc_text key)
{
    return sc_text_is(key, "epsilon") || sc_text_is(key, "rho") ||
           sc_text_is(key, "divergence");
}

/* Where take_limits puts the parts of "epsilon=R,delta=R,least=R"; each may be given once. */
typedef struct limits {
    sc_text *unit;
    sc_ratio *amount, *delta, *least; /* least NULL: the key takes no smallest amount */
    bool *has_delta, *has_least;
} limits;

static bool take_limits(sc_text value, const limits *to)
{
    sc_text key;
    SC_OWN(sc_ratio, number);
    while (value.bytes > 0) {
        if (!take_pair(&value, &key, &number))
            return false;
        if (is_unit(key) && to->unit->bytes == 0) {
            *to->unit = key;
            sc_ratio_set(to->amount, &number);
        } else if (sc_text_is(key, "delta") && !*to->has_delta) {
            *to->has_delta = true;
            sc_ratio_set(to->delta, &number);
        } else if (to->least != NULL && sc_text_is(key, "least") && !*to->has_least) {
            *to->has_least = true;
            sc_ratio_set(to->least, &number);
        } else {
            return false;
        }
    }
    return true;
}

static bool take_cap(sc_text value, sc_policy *policy)
{
    policy->has_cap = true;
    return value.bytes > 0 &&
           take_limits(value, &(limits){&policy->unit, &policy->most, &policy->cap_delta,
                                        &policy->least, &policy->has_cap_delta,
                                        &policy->has_least});
}

static bool take_neighbours(sc_text value, sc_policy *policy)
{
    for (int n = SCRIM_ADD_REMOVE; n <= SCRIM_REPLACE; n++)
        if (sc_text_is(value, scrim_neighbours_name((scrim_neighbours)n)))
            policy->neighbours = (scrim_neighbours)n;
    return policy->neighbours != SCRIM_NEIGHBOURS_UNSET;
}

static bool take_population(sc_text value, sc_policy *policy)
{
    policy->population = value;
    return sc_event_is_name(value);
}

/* Refuses "row": rows of two tables are different units, whatever they are called. */
static bool take_same_unit(sc_text value, sc_policy *policy)
{
    policy->same_unit = value;
    return value.bytes > 0 && value.bytes <= SC_EVENT_NAME_BYTES &&
           !sc_text_is(value, "row");
}

static bool take_accounting(sc_text value, sc_policy *policy)
{
    return parse_accounting(value, &policy->rule, &policy->order);
}

static bool take_quantum(sc_text value, sc_policy *policy)
{
    policy->has_quantum = true;
    return sc_ratio_parse(value, &policy->quantum, NULL) == SCRIM_OK &&
           sc_ratio_sign(&policy->quantum) > 0 &&
           sc_ratio_compare_int64(&policy->quantum, SC_POLICY_QUANTUM_SECONDS) <= 0;
}

uint64_t sc_policy_quantum_ns(const sc_policy *policy)
{
    uint64_t ns = 0;
    if (!policy->has_quantum)
        return 0;
    SC_OWN(sc_ratio, scaled);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&scaled, 1000000000);
    sc_ratio_mul(&scaled, &scaled, &policy->quantum);
    sc_ratio_ceil(&scaled, &whole);
    (void)sc_integer_get_uint64(&whole, &ns); /* fits: a quantum is at most an hour */
    return ns;
}

static bool take_contents(sc_text value, sc_policy *policy)
{
    policy->has_contents = true;
    return sc_source_seal_parse(value, &policy->contents);
}

/* Shares. */

void sc_policy_share_init(sc_policy_share *share)
{
    *share = (sc_policy_share){0};
    sc_ratio_init(&share->amount);
    sc_ratio_init(&share->delta);
}

void sc_policy_share_clear(sc_policy_share *share)
{
    sc_ratio_clear(&share->amount);
    sc_ratio_clear(&share->delta);
}

bool sc_policy_share_parse(sc_text value, sc_policy_share *out)
{
    sc_text given;
    out->unit = (sc_text){NULL, 0};
    out->has_delta = false;
    if (!sc_text_split(value, '=', &out->analyst, &given) || out->analyst.bytes == 0 ||
        given.bytes == 0)
        return false;
    return sc_text_is(given, "none") ||
           take_limits(given, &(limits){.unit = &out->unit,
                                        .amount = &out->amount,
                                        .delta = &out->delta,
                                        .has_delta = &out->has_delta});
}

static bool take_share(sc_text value, sc_policy *policy)
{
    (void)
        policy; /* only checked here: the vault reads share lines again and makes a ledger entry of each */
    SC_OWN(sc_policy_share, share);
    return sc_policy_share_parse(value, &share);
}

/* All lines. */

typedef struct rule {
    const char *key;
    bool (*take)(sc_text value, sc_policy *policy); /* false: the value is not valid */
    const char *form;
} rule;

#define NUMBERS "; R is 0 or more, as 3, 0.5, 1/3 or 1e-6"

static const rule rules[] = {
    {"population", take_population, "a name of letters, digits, '_', '.' and '-'"},
    {"same-unit", take_same_unit,
     "the column of another table of the population that identifies the same units; a "
     "row "
     "has none"},
    {"budget", take_budget, "epsilon=R[,delta=R]" NUMBERS},
    {"neighbours", take_neighbours, "add-remove or replace"},
    {"accounting", take_accounting, "sum, concentrated or renyi=ORDER"},
    {"cap", take_cap, "epsilon=R[,delta=R][,least=R]" NUMBERS},
    {"share", take_share,
     "ANALYST=epsilon=R[,delta=R], or none; the ANALYST * is everybody "
     "else" NUMBERS},
    {"quantum", take_quantum,
     "a number of seconds, above 0 and at most 3600, as 0.5, 2 or 1/3"},
    {"contents", take_contents, "what the vault writes itself"},
};
#define RULES (sizeof rules / sizeof *rules)

static scrim_status fail_key(sc_text key, scrim_error *error)
{
    const char *names[64];
    char quote[SC_TEXT_QUOTE_BYTES];
    size_t count = 0;
    for (size_t i = 0; i < RULES; i++)
        names[count++] = rules[i].key;
    for (size_t i = 0; sc_schema_key_at(i) != NULL && count < 64; i++)
        names[count++] = sc_schema_key_at(i);
    const char *nearest = sc_text_nearest(key, names, count);
    if (nearest != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "policy",
                           "a policy has no line '%s'; did you mean '%s'?",
                           sc_text_quote(key, quote), nearest);
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "policy",
                       "a policy has no line '%s'", sc_text_quote(key, quote));
}

static scrim_status take_own(const rule *own, sc_text value, sc_policy *policy,
                             scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    const uint32_t bit = (uint32_t)1 << (own - rules);
    const bool is_first = (policy->given & bit) == 0;
    policy->given |= bit;
    if (!is_first && own->take != take_share)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, own->key,
                           "%s is given twice; give it once", own->key);
    if (!own->take(value, policy))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, own->key,
                           "%s: '%s' is not valid; write %s", own->key,
                           sc_text_quote(value, quote), own->form);
    return SCRIM_OK;
}

static scrim_status take_line(sc_text key, sc_text value, sc_policy *policy,
                              scrim_error *error)
{
    for (size_t i = 0; i < RULES; i++)
        if (sc_text_is(key, rules[i].key))
            return take_own(&rules[i], value, policy, error);
    return sc_schema_is_key(key) ? SCRIM_OK : fail_key(key, error);
}

scrim_status sc_policy_parse(sc_text text, sc_policy *policy, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_text line, key, value;
    scrim_status status = SCRIM_OK;
    while (status == SCRIM_OK && sc_schema_line(&text, &line, &key, &value))
        status = take_line(key, value, policy, error);
    if (status == SCRIM_OK && line.bytes > 0)
        status = sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "policy",
                             "'%s' is not a line of a policy; write key=value",
                             sc_text_quote(line, quote));
    return status;
}

scrim_status sc_policy_schema(const char *policy, char **whole, const sc_schema **schema,
                              scrim_error *error)
{
    scrim_status status = sc_zone_rules_copy(sc_text_of(policy), whole, error);
    return status == SCRIM_OK
               ? sc_schema_parse(sc_text_of(*whole == NULL ? policy : *whole), NULL,
                                 schema, error)
               : status;
}

scrim_status scrim_policy_columns(const char *policy, char **out, scrim_error *error)
{
    SC_REQUIRE(error, "policy out", policy, out);
    const sc_schema *schema = NULL;
    char *whole = NULL;
    scrim_status status = sc_policy_schema(policy, &whole, &schema, error);
    if (status == SCRIM_OK)
        status = sc_source_header_check(schema, error);
    if (status == SCRIM_OK)
        status = sc_source_header_names(schema, out, error);
    sc_schema_free(schema);
    sc_free(whole);
    return status;
}

scrim_status scrim_policy_tables(const char *policy, char **out, scrim_error *error)
{
    SC_REQUIRE(error, "policy out", policy, out);
    const sc_schema *schema = NULL;
    char *whole = NULL;
    scrim_status status = sc_policy_schema(policy, &whole, &schema, error);
    if (status == SCRIM_OK)
        status = sc_source_header_tables(schema, out, error);
    sc_schema_free(schema);
    sc_free(whole);
    return status;
}

/* "join=NAME=COLUMN=KEY" and its end; or without `on` "with=NAME=sha256:..." of the lines. */
static scrim_status first_line(const scrim_public_table *table, const char *lines,
                               sc_text_sink *sink, scrim_error *error)
{
    char digest[SC_PUBLIC_DIGEST_BYTES];
    sc_text column, key;
    const sc_text name = sc_text_of(table->name);
    if (table->on != NULL) {
        if (!sc_text_split(sc_text_of(table->on), '=', &column, &key))
            column = key = sc_text_of(table->on);
        sc_text_put(sink, sc_text_of("join="));
        sc_text_put(sink, name);
        sc_text_put(sink, sc_text_of("="));
        sc_text_put(sink, sc_text_trim(column));
        sc_text_put(sink, sc_text_of("="));
        sc_text_put(sink, sc_text_trim(key));
        sc_text_put(sink, sc_text_of("\n"));
        return SCRIM_OK;
    }
    SC_TRY(sc_public_table_digest(name, sc_text_of(lines), digest, error));
    sc_text_put(sink, sc_text_of("with="));
    sc_text_put(sink, name);
    sc_text_put(sink, sc_text_of("="));
    sc_text_put(sink, sc_text_of(digest));
    sc_text_put(sink, sc_text_of("\n"));
    return SCRIM_OK;
}

scrim_status scrim_public_table_lines(const scrim_public_table *table, char **lines,
                                      scrim_error *error)
{
    SC_REQUIRE(error, "table lines", table, lines);
    if (table == NULL || table->size < sizeof *table || table->name == NULL ||
        !sc_column_is_name(sc_text_of(table->name)) ||
        (table->content == NULL && table->bytes > 0))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "name",
                           "a public table needs a name of visible characters without "
                           "'=', and the content of its file");
    const sc_public_types types = {table->columns, table->column_count};
    const size_t before =
        strlen(table->name) + (table->on == NULL ? 0 : 2 * strlen(table->on)) + 128;
    char *rest = NULL;
    sc_text_sink sink;
    scrim_status status = sc_public_file_lines(sc_text_of(table->name),
                                               (sc_text){table->content, table->bytes},
                                               &types, &rest, error);
    if (status != SCRIM_OK)
        return status;
    const size_t bytes = before + strlen(rest) + 1;
    char *text = sc_allocate(bytes, 1);
    sc_text_sink_init(&sink, text, text == NULL ? 0 : bytes);
    status = text == NULL ? sc_no_memory(error, "a policy")
                          : first_line(table, rest, &sink, error);
    sc_text_put(&sink, sc_text_of(rest));
    sc_free(rest);
    if (status == SCRIM_OK)
        *lines = text;
    else
        sc_free(text);
    return status;
}

scrim_status scrim_policy_check(const char *policy, scrim_error *error)
{
    SC_REQUIRE(error, "policy", policy);
    const sc_schema *schema = NULL;
    SC_OWN(sc_policy, parsed);
    scrim_status status = sc_policy_parse(sc_text_of(policy), &parsed, error);
    char *whole = NULL;
    if (status == SCRIM_OK)
        status = sc_policy_schema(policy, &whole, &schema, error);
    if (status == SCRIM_OK)
        status = sc_schema_bounded(schema, error);
    if (status == SCRIM_OK)
        status = sc_schema_rows_alone(schema, error);
    if (status == SCRIM_OK)
        status = sc_schema_own_tables(schema, error);
    sc_schema_free(schema);
    sc_free(whole);
    return status;
}

scrim_status scrim_policy_check_rows(const char *policy, uint64_t rows,
                                     scrim_error *error)
{
    SC_REQUIRE(error, "policy", policy);
    const sc_schema *schema = NULL;
    char *whole = NULL;
    scrim_status status = scrim_policy_check(policy, error);
    if (status == SCRIM_OK)
        status = sc_policy_schema(policy, &whole, &schema, error);
    if (status == SCRIM_OK)
        status =
            sc_schema_check_size(schema, sc_schema_pushed_bytes(schema, rows), error);
    sc_schema_free(schema);
    sc_free(whole);
    return status;
}

typedef struct reading {
    const char *name;
    sc_arena *arena;
    sc_planned_dataset *out;
} reading;

static scrim_status read_now(scrim_vault *vault, void *context, scrim_error *error)
{
    const reading *r = context;
    sc_planned_dataset *out = r->out;
    char *policy = NULL;
    scrim_status status = sc_vault_want_dataset(vault, r->name, &out->number, error);
    if (status != SCRIM_OK)
        return status;
    const sc_dataset_entry *dataset = sc_book_dataset(&vault->book, out->number);
    out->version = dataset->version;
    status = sc_vault_policy_now(vault, dataset, &policy, error);
    if (status != SCRIM_OK)
        return status;
    out->name = sc_arena_copy(r->arena, dataset->name, strlen(dataset->name));
    out->policy = sc_arena_copy(r->arena, policy, strlen(policy));
    sc_free(policy);
    return out->name == NULL || out->policy == NULL ? sc_no_memory(error, "a policy")
                                                    : SCRIM_OK;
}

scrim_status sc_planned_dataset_read(scrim_vault *vault, const char *name,
                                     sc_arena *arena, sc_planned_dataset *out,
                                     scrim_error *error)
{
    reading r = {name, arena, out};
    *out = (sc_planned_dataset){.number = 0};
    return sc_vault_read(vault, read_now, &r, error);
}

scrim_status sc_planned_dataset_declare(const char *policy, sc_arena *arena,
                                        sc_planned_dataset *out, scrim_error *error)
{
    const sc_schema *schema = NULL;
    char *whole = NULL;
    scrim_status status = scrim_policy_check(policy, error);
    *out = (sc_planned_dataset){.name = ""};
    if (status == SCRIM_OK)
        status = sc_policy_schema(policy, &whole, &schema, error);
    if (status == SCRIM_OK) {
        const char *text = whole == NULL ? policy : whole;
        out->policy = sc_arena_copy(arena, text, strlen(text));
        if (out->policy == NULL)
            status = sc_no_memory(error, "a policy");
    }
    sc_schema_free(schema);
    sc_free(whole);
    return status;
}

typedef struct comparison {
    const sc_planned_dataset *planned;
    const char *what;
    sc_source_key *key;
} comparison;

static scrim_status compare_now(scrim_vault *vault, void *context, scrim_error *error)
{
    const comparison *c = context;
    const sc_planned_dataset *planned = c->planned;
    uint64_t number;
    char *policy = NULL;
    scrim_status status = sc_vault_want_dataset(vault, planned->name, &number, error);
    if (status != SCRIM_OK)
        return status;
    const sc_dataset_entry *dataset = sc_book_dataset(&vault->book, number);
    bool is_same = number == planned->number && dataset->version == planned->version;
    if (is_same) {
        status = sc_vault_policy_now(vault, dataset, &policy, error);
        is_same = status == SCRIM_OK && strcmp(policy, planned->policy) == 0;
    }
    sc_free(policy);
    if (status == SCRIM_OK && !is_same)
        status =
            sc_fail(error, SCRIM_E_POLICY,
                    "the dataset has another version by now; plan %s again", c->what);
    return status == SCRIM_OK ? sc_vault_source_key(vault, c->key, error) : status;
}

scrim_status sc_planned_dataset_check(scrim_vault *vault,
                                      const sc_planned_dataset *planned, const char *what,
                                      sc_source_key *key, scrim_error *error)
{
    comparison c = {planned, what, key};
    if (planned->number == 0)
        return sc_fail(error, SCRIM_E_STATE,
                       "the plan is that of a policy alone; add the dataset and plan %s "
                       "again",
                       what);
    return sc_vault_read(vault, compare_now, &c, error);
}

scrim_status sc_planned_dataset_close(scrim_vault *vault,
                                      const sc_planned_dataset *planned,
                                      scrim_status status, scrim_error *error)
{
    const scrim_status closed =
        sc_vault_close_version(vault, planned->number, planned->version, error);
    return closed == SCRIM_OK ? status : closed;
}

/* Versions. */

scrim_status sc_planned_version_check(const char *version, scrim_error *error)
{
    if (version == NULL || sc_event_is_name(sc_text_of(version)))
        return SCRIM_OK;
    return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "version",
                             "must be letters, digits, '_', '.' and '-', from 1 to "
                             "64 of them");
}

/* A file, or sealed contents, have the dataset's own version; only pushed rows may be given one. */
scrim_status sc_planned_dataset_once(const sc_planned_dataset *planned,
                                     const sc_schema *schema, const char *version,
                                     bool *is_once, scrim_error *error)
{
    const sc_source_kind *source = schema->source;
    const bool is_named = version != NULL && version[0] != '\0';
    SC_OWN(sc_policy, policy);
    scrim_status status = sc_schema_rows_alone(schema, error);
    if (status == SCRIM_OK)
        status = sc_policy_parse(sc_text_of(planned->policy), &policy, error);
    if (status == SCRIM_OK && is_named &&
        (source == NULL || !source->is_pushed || policy.has_contents))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "version",
                                 "the dataset has a version of its own; leave it out");
    *is_once = is_named || policy.has_contents || source == NULL;
    return status;
}

scrim_status sc_planned_dataset_frame(const sc_planned_dataset *planned,
                                      const sc_schema *schema, const scrim_frame *given,
                                      scrim_frame *out, bool *is_once, scrim_error *error)
{
    scrim_status status = sc_frame_copy(given, out, error);
    if (status == SCRIM_OK)
        status = sc_planned_version_check(out->version, error);
    return status == SCRIM_OK
               ? sc_planned_dataset_once(planned, schema, out->version, is_once, error)
               : status;
}
