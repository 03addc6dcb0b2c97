#include "data/table/declared_content.h"

#include "base/descriptor.h"
#include "base/memory.h"
#include "base/text_copy.h"
#include "data/source/sources.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static scrim_status read_bytes(void *context, uint64_t offset, void *to, size_t bytes,
                               scrim_error *error)
{
    const int descriptor = *(const int *)context;
    for (size_t done = 0; done < bytes;) {
        const ssize_t count =
            pread(descriptor, (char *)to + done, bytes - done, (off_t)(offset + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count == 0 ? sc_source_fail_rewritten(error)
                              : sc_source_fail_reading(error);
        done += (size_t)count;
    }
    return SCRIM_OK;
}

static scrim_status read_open(sc_content_file *file, int descriptor,
                              sc_source_stamp *stamp, sc_source_content *content,
                              scrim_error *error)
{
    sc_source_stamp then, now;
    sc_source_content read;
    scrim_status status = sc_source_stamp_of(descriptor, &then, error);
    if (status == SCRIM_OK)
        status =
            sc_content_file_read(file, then.bytes, read_bytes, &descriptor, &read, error);
    if (status == SCRIM_OK)
        status = sc_source_stamp_of(descriptor, &now, error);
    if (status == SCRIM_OK && !sc_source_stamp_same(&then, &now))
        status = sc_source_fail_rewritten(error);
    if (status == SCRIM_OK) {
        *stamp = then;
        *content = read;
    }
    return status;
}

scrim_status sc_origin_content_read(sc_content_file *file, sc_text path,
                                    sc_source_stamp *stamp, sc_source_content *content,
                                    scrim_error *error)
{
    char *name = sc_text_copy(path);
    if (name == NULL)
        return sc_no_memory(error, "a name");
    /* Open non-blocking: if a pipe replaced the file, do not wait for its writer. */
    const int descriptor = sc_descriptor_open(name, O_RDONLY | O_NONBLOCK);
    const int failure = errno;
    sc_free(name);
    if (descriptor < 0)
        return sc_fail(error, SCRIM_E_INPUT, "the source cannot be read: %s",
                       sc_descriptor_why(failure, false));
    const scrim_status status = read_open(file, descriptor, stamp, content, error);
    close(descriptor);
    return status;
}

static scrim_status read_origin(const sc_schema *schema, const sc_source_key *key,
                                const sc_content_watch *watch, sc_source_stamp *stamp,
                                sc_source_content *content, scrim_error *error)
{
    sc_content_file *file = NULL;
    scrim_status status = sc_content_file_new(key, &file, error);
    if (status == SCRIM_OK) {
        sc_content_file_watch(file, watch);
        status = sc_origin_content_read(file, schema->path, stamp, content, error);
    }
    sc_content_file_free(file);
    return status;
}

scrim_status sc_declared_content_read(const sc_schema *schema, const sc_source_key *key,
                                      const sc_content_watch *watch,
                                      sc_source_stamp *stamp, sc_source_content *content,
                                      scrim_error *error)
{
    const sc_source *source = NULL;
    if (schema->source != NULL && schema->source->is_pushed)
        return read_origin(schema, key, watch, stamp, content, error);
    const scrim_status status = sc_source_of(schema, &source, error);
    return status == SCRIM_OK
               ? source->content_read(schema, key, watch, stamp, content, error)
               : status;
}
