/* Names for contents that are in memory, so that the same question about the same frame is charged once.
 *
 * The digest of a frame (data/source/source_content.h) is made under the vault's secret key, before anything is
 * charged. It covers what scrim reads: the texts of the unit and of the declared columns, row by row. A secret of
 * the store maps a pseudo-random function of it to a number; the number is all that is shown or written to the ledger. So the name of
 * a frame says whether its contents were there before, and nothing else about them.
 */
#include "base/memory.h"
#include "data/source/arrow_cell.h"
#include "data/source/arrow_frame.h"
#include "data/table/table.h"
#include "scrim/feed.h"
#include "vault/store/store.h"
#include "vault/vault_key.h"
#include "vault/vault_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The secret that holds the last number, and the first part of the names of the others. */
#define LAST "contents"
#define NAME_BYTES (sizeof LAST + 34)

typedef struct naming {
    const char *dataset;
    uint64_t number; /* of the dataset */
    const sc_schema *schema;
    sc_source_key key;
    char name[NAME_BYTES]; /* of the secret of these contents */
    uint64_t contents;     /* 0: new */
    int (*is_cancelled)(void *context);
    void *context;
} naming;

/* Rows of one block: always as many, wherever a batch ends, so that the digest does not depend on batches. */
#define BLOCK_ROWS 65536
/* Bytes of values that are added at once: a value has a few, and each call of the digest has its price. */
#define HELD_BYTES 4096

/* The digest of rows in their order; one worker reads all batches. */
typedef struct digesting {
    const sc_schema *schema;
    sc_content_block *block;
    uint64_t rows;
    sc_source_content *sum;
    int (*is_cancelled)(void *context);
    void *context;
    size_t held; /* of bytes, not added yet */
    unsigned char bytes[HELD_BYTES];
} digesting;

static scrim_status add_held(digesting *d, scrim_error *error)
{
    const size_t count = d->held;
    d->held = 0;
    return count == 0 ? SCRIM_OK : sc_content_block_add(d->block, d->bytes, count, error);
}

static scrim_status add_bytes(digesting *d, const void *bytes, size_t count,
                              scrim_error *error)
{
    if (count > HELD_BYTES - d->held)
        SC_TRY(add_held(d, error));
    if (count > HELD_BYTES)
        return sc_content_block_add(d->block, bytes, count, error);
    if (count > 0)
        memcpy(d->bytes + d->held, bytes, count);
    d->held += count;
    return SCRIM_OK;
}

static scrim_status add_value(digesting *d, const sc_raw_value *value, scrim_error *error)
{
    const uint64_t head[2] = {(uint64_t)value->kind, value->text.bytes};
    SC_TRY(add_bytes(d, head, sizeof head, error));
    return add_bytes(d, value->text.start, value->text.bytes, error);
}

/* Ends the block of the last row; blocks are numbered by it. */
static scrim_status end_block(digesting *d, scrim_error *error)
{
    SC_TRY(add_held(d, error));
    return sc_content_block_end(d->block, (d->rows - 1) / BLOCK_ROWS, d->sum, error);
}

static scrim_status take(void *context, const sc_raw_record *record, scrim_error *error)
{
    digesting *d = context;
    if (d->rows++ % BLOCK_ROWS == 0)
        SC_TRY(sc_content_block_begin(d->block, error));
    SC_TRY(add_value(d, &record->unit, error));
    for (size_t i = 0; i < d->schema->column_count; i++)
        SC_TRY(add_value(d, &record->values[i], error));
    return d->rows % BLOCK_ROWS == 0 ? end_block(d, error) : SCRIM_OK;
}

static scrim_status ended(void *context, uint64_t piece, uint64_t records, uint64_t bytes,
                          scrim_error *error)
{
    const digesting *d = context;
    (void)piece;
    (void)records;
    (void)bytes;
    return d->is_cancelled != NULL && d->is_cancelled(d->context)
               ? sc_fail(error, SCRIM_E_STATE, "interrupted; nothing was charged")
               : SCRIM_OK;
}

/* The names of the columns come first: other columns are other contents. */
static scrim_status add_names(digesting *d, scrim_error *error)
{
    SC_TRY(sc_content_block_begin(d->block, error));
    for (size_t i = 0; i < d->schema->column_count; i++) {
        const sc_raw_value name = {.text = d->schema->columns[i].name};
        SC_TRY(add_value(d, &name, error));
    }
    SC_TRY(add_held(d, error));
    return sc_content_block_end(d->block, UINT64_MAX, d->sum, error);
}

/* A column of a type that cannot be read is not digested: a question that reads it is refused by itself. */
static bool is_readable(const struct ArrowSchema *column)
{
    sc_arrow_type type;
    return sc_arrow_type_parse(
        column->dictionary != NULL ? column->dictionary->format : column->format, &type);
}

static bool has_column(const scrim_frame *frame, sc_text name)
{
    for (int64_t i = 0; i < frame->schema->n_children; i++)
        if (sc_text_equal(sc_text_of(frame->schema->children[i]->name), name))
            return is_readable(frame->schema->children[i]);
    return false;
}

static scrim_status digest(const naming *n, const sc_schema *schema,
                           const scrim_frame *frame, sc_source_content *sum,
                           scrim_error *error)
{
    sc_content_hasher *hasher = NULL;
    digesting d = {.schema = schema,
                   .sum = sum,
                   .is_cancelled = n->is_cancelled,
                   .context = n->context};
    void *const contexts[] = {&d};
    const sc_raw_reader reader = {
        .take = take, .ended = ended, .contexts = contexts, .workers = 1};
    sc_source_stamp stamp;
    scrim_status status = sc_content_hasher_new(&n->key, &hasher, error);
    if (status == SCRIM_OK)
        status = sc_content_block_new(hasher, &d.block, error);
    if (status == SCRIM_OK)
        status = add_names(&d, error);
    if (status == SCRIM_OK)
        status = sc_frame_raw_read(schema, frame, &reader, &stamp, error);
    if (status == SCRIM_OK && d.rows % BLOCK_ROWS != 0)
        status = end_block(&d, error);
    sc_content_block_free(d.block);
    sc_content_hasher_free(hasher);
    sc_wipe(&d, sizeof d);
    return status;
}

/* Digests the columns that the frame has; which they must be is the question's to say. */
static scrim_status digest_frame(naming *n, const scrim_frame *frame, scrim_error *error)
{
    sc_schema some = *n->schema;
    sc_source_content content = {{0, 0}};
    sc_source_seal seal;
    /* Contents of two datasets are not compared. */
    const uint64_t salt[2] = {UINT64_C(0x636f6e74656e7473), n->number};
    some.columns = sc_allocate(some.column_count + 1, sizeof *some.columns);
    if (some.columns == NULL)
        return sc_no_memory(error, "columns");
    some.column_count = 0;
    for (size_t i = 0; i < n->schema->column_count; i++)
        if (has_column(frame, n->schema->columns[i].name))
            some.columns[some.column_count++] = n->schema->columns[i];
    const scrim_status status = digest(n, &some, frame, &content, error);
    sc_source_seal_make(&n->key, salt, &(sc_source_stamp){.is_file = false}, &content,
                        &seal);
    (void)snprintf(n->name, sizeof n->name, LAST " %016" PRIx64 "%016" PRIx64,
                   seal.content[0], seal.content[1]);
    sc_wipe(&content, sizeof content);
    sc_wipe(&seal, sizeof seal);
    sc_free(some.columns);
    return status;
}

/* The numbers, as secrets of the store. */

static scrim_status number_of(scrim_vault *v, const char *name, uint64_t *out,
                              scrim_error *error)
{
    sc_digest secret = {{0}};
    bool is_there = false;
    SC_TRY(v->store->functions->secret(v->store, name, &secret, &is_there, error));
    *out = 0;
    for (size_t i = 0; is_there && i < sizeof *out; i++)
        *out |= (uint64_t)secret.bytes[i] << (8 * i);
    return SCRIM_OK;
}

static scrim_status put_number(scrim_vault *v, const char *name, uint64_t number,
                               scrim_error *error)
{
    sc_digest secret = {{0}};
    for (size_t i = 0; i < sizeof number; i++)
        secret.bytes[i] = (unsigned char)(number >> (8 * i));
    return v->store->functions->put_secret(v->store, name, &secret, error);
}

static scrim_status plan_find(scrim_vault *v, void *context, scrim_error *error)
{
    naming *n = context;
    return number_of(v, n->name, &n->contents, error);
}

static scrim_status plan_name(scrim_vault *v, void *context, scrim_error *error)
{
    naming *n = context;
    sc_source_key key;
    uint64_t last = 0;
    const scrim_status status = sc_vault_want_source_key(v, &n->key, &key, error);
    sc_wipe(&key, sizeof key);
    SC_TRY(status);
    if (n->name[0] != '\0')
        SC_TRY(number_of(v, n->name, &n->contents, error)); /* somebody was quicker */
    if (n->contents != 0)
        return SCRIM_OK;
    SC_TRY(number_of(v, LAST, &last, error));
    n->contents = last + 1;
    v->is_dirty = true;
    if (n->name[0] != '\0')
        SC_TRY(put_number(v, n->name, n->contents, error));
    return put_number(v, LAST, n->contents, error);
}

static scrim_status plan_schema(scrim_vault *v, void *context, scrim_error *error)
{
    naming *n = context;
    char *policy = NULL;
    scrim_status status = sc_vault_want_dataset(v, n->dataset, &n->number, error);
    if (status == SCRIM_OK)
        status =
            sc_vault_policy_now(v, sc_book_dataset(&v->book, n->number), &policy, error);
    if (status == SCRIM_OK)
        status = sc_schema_parse(sc_text_of(policy), NULL, &n->schema, error);
    if (status == SCRIM_OK)
        status = sc_source_want_pushed(n->schema, error);
    sc_free(policy);
    return status;
}

static scrim_status name_contents(scrim_vault *vault, naming *n, const scrim_frame *frame,
                                  scrim_error *error)
{
    SC_TRY(sc_vault_read(vault, plan_schema, n, error));
    SC_TRY(sc_vault_draft_source_key(vault, &n->key, error));
    /* Whether a source fails may depend on a row: such contents are new, and the charge comes first. */
    if (!frame->has_failed) {
        SC_TRY(digest_frame(n, frame, error));
        SC_TRY(sc_vault_read(vault, plan_find, n, error));
    }
    return n->contents != 0 ? SCRIM_OK : sc_vault_write(vault, plan_name, n, error);
}

scrim_status scrim_vault_contents(scrim_vault *vault, const char *dataset,
                                  const scrim_frame *frame,
                                  int (*is_cancelled)(void *context), void *context,
                                  char version[SCRIM_CONTENTS_BYTES], scrim_error *error)
{
    SC_REQUIRE(error, "vault dataset frame version", vault, dataset, frame, version);
    scrim_frame given;
    SC_TRY(sc_frame_copy(frame, &given, error));
    if (sc_frame_with_rows(&given) == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "frame",
                           "a frame without a schema has no contents");
    naming n = {.dataset = dataset, .is_cancelled = is_cancelled, .context = context};
    const scrim_status status = name_contents(vault, &n, &given, error);
    if (status == SCRIM_OK)
        (void)snprintf(version, SCRIM_CONTENTS_BYTES, "contents-%" PRIu64, n.contents);
    sc_schema_free(n.schema);
    sc_wipe(&n, sizeof n);
    return status;
}
