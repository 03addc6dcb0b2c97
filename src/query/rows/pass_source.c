#include "query/rows/pass_source.h"

/* Compares the version with the file before the charge, by size and modification time alone. */
static scrim_status check_stamp(const sc_pass_source *s, const sc_source_stamp *found,
                                scrim_error *error)
{
    const sc_source_seal *contents = s->options->contents;
    if (contents == NULL)
        return SCRIM_OK;
    if (!contents->has_content)
        return sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_CHANGED, "",
                           "this version was declared by an earlier scrim, which kept no "
                           "digest of the source's bytes");
    return sc_source_seal_fits(contents, s->options->contents_key, found)
               ? SCRIM_OK
               : sc_source_fail_changed(error);
}

/* The rows of a frame were read before this pass: since then the file must not have been touched, either. */
static scrim_status check_mark(const sc_pass_source *s, scrim_error *error)
{
    const scrim_frame *frame = s->options->frame;
    sc_source_stamp then;
    if (frame == NULL || frame->file == NULL)
        return SCRIM_OK;
    return sc_source_stamp_of_mark(frame->file, &then) &&
                   sc_source_stamp_same(&then, &s->origin)
               ? SCRIM_OK
               : sc_source_fail_changed(error);
}

/* Opens the file that pushed rows are from, if the dataset has a version. Its size says nothing of the number of rows. */
static scrim_status open_origin(sc_pass_source *s, scrim_error *error)
{
    if (s->options->contents == NULL)
        return SCRIM_OK;
    scrim_status status =
        sc_source_stamp_look(s->request.schema->path, &s->origin, error);
    if (status == SCRIM_OK)
        status = check_stamp(s, &s->origin, error);
    if (status == SCRIM_OK)
        status = check_mark(s, error);
    return status == SCRIM_OK
               ? sc_content_file_new(s->options->contents_key, &s->origin_file, error)
               : status;
}

/* Compares the bytes with the digest of the version, after all rows are read. For pushed rows the file is read now, and must not
 * have been touched since the pass was opened. */
static scrim_status check_content(const sc_pass_source *s, scrim_error *error)
{
    sc_source_content content = {{0, 0}};
    sc_source_stamp now;
    if (s->options->contents == NULL)
        return SCRIM_OK;
    if (s->origin_file == NULL) {
        content = sc_table_content(s->table);
    } else {
        const scrim_status status = sc_origin_content_read(
            s->origin_file, s->request.schema->path, &now, &content, error);
        if (status != SCRIM_OK)
            return status;
        if (!sc_source_stamp_same(&now, &s->origin))
            return sc_source_fail_changed(error);
    }
    return sc_source_seal_holds(s->options->contents, s->options->contents_key, &content)
               ? SCRIM_OK
               : sc_source_fail_changed(error);
}

/* A file that somebody has rewritten meanwhile may be one that cannot be read. */
static bool is_touched(const sc_pass_source *s)
{
    const sc_source_stamp then =
        s->origin_file == NULL ? sc_table_stamp(s->table) : s->origin;
    sc_source_stamp now;
    return sc_source_stamp_look(s->request.schema->path, &now, NULL) == SCRIM_OK &&
           !sc_source_stamp_same(&now, &then);
}

scrim_status sc_pass_source_end(const sc_pass_source *s, scrim_status status,
                                scrim_error *found, scrim_error *error)
{
    if (status == SCRIM_OK)
        status = check_content(s, found);
    if (status == SCRIM_E_INPUT && s->options->contents != NULL &&
        (found->reason == SCRIM_REASON_CHANGED || is_touched(s))) {
        if (s->options->is_changed != NULL)
            *s->options->is_changed = true;
        return sc_source_fail_changed(error);
    }
    if (status != SCRIM_OK && error != NULL)
        *error = *found;
    return status;
}

/* The size of a source that does not state its own. */
static sc_pass_size unknown_size(const sc_schema *schema)
{
    return schema->has_size ? sc_pass_size_of(schema) : sc_pass_size_stream(schema);
}

/* A file with a version is not larger than its declaration says. Without one it is standard input. */
static scrim_status size_file(sc_pass_source *s, const sc_source_stamp *found,
                              scrim_error *error)
{
    const sc_schema *schema = s->request.schema;
    const bool has_version = s->options->contents != NULL;
    s->size =
        has_version || found->is_file ? sc_pass_size_of(schema) : unknown_size(schema);
    s->keys_size = s->size;
    if (!has_version)
        return found->is_file ? sc_schema_check_size(schema, found->bytes, error)
                              : SCRIM_OK;
    return found->bytes > schema->max_bytes ? sc_source_fail_changed(error)
                                            : check_stamp(s, found, error);
}

/* Rows in memory: their number is known before the charge, to the program that holds them first of all. If they are more than
 * is declared, they are refused here, at no charge, as a file is when it is declared. That shows the program nothing new, and
 * whoever it passes the refusal on to learns that the owner's declaration does not hold: by one number for all queries
 * (sc_schema_pushed_bytes), so that it is the same refusal whatever is asked. To charge for it would hide nothing. */
static scrim_status size_pushed(sc_pass_source *s, bool is_known, uint64_t bytes,
                                scrim_error *error)
{
    s->keys_size = unknown_size(s->request.schema);
    s->size = is_known ? sc_pass_size_of(s->request.schema) : s->keys_size;
    const scrim_status status = sc_schema_check_size(s->request.schema, bytes, error);
    return status == SCRIM_OK ? open_origin(s, error) : status;
}

scrim_status sc_pass_source_open(sc_pass_source *s, const sc_batch_request *request,
                                 const sc_pass_options *options, scrim_error *error)
{
    const sc_schema *schema = request->schema;
    *s = (sc_pass_source){.request = *request, .options = options};
    s->request.frame = options->frame;
    s->request.content_key = options->contents == NULL ? NULL : options->contents_key;
    if (options->is_pushed)
        return size_pushed(s, options->rows_upper > 0,
                           sc_schema_pushed_bytes(schema, options->rows_upper), error);
    SC_TRY(sc_table_open(&s->request, &s->table, error));
    const sc_source_stamp found = sc_table_stamp(s->table);
    return options->frame == NULL ? size_file(s, &found, error)
                                  : size_pushed(s, true, found.bytes, error);
}

void sc_pass_source_close(sc_pass_source *s)
{
    sc_table_close(s->table);
    sc_content_file_free(s->origin_file);
    *s = (sc_pass_source){.table = NULL};
}
