#include "cli/display/signed_file.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

scrim_status sc_signing_begin(sc_signing *signing, sc_output *output, scrim_error *error)
{
    SC_TRY(scrim_file_digest_new(&signing->digest, error));
    signing->output = output;
    output->digest = signing->digest;
    return SCRIM_OK;
}

/* The label of all bytes that have been written. */
scrim_status sc_signing_label(sc_signing *signing, scrim_label **out, scrim_error *error)
{
    sc_output_flush(signing->output);
    signing->output->digest = NULL;
    for (size_t i = 0; i < sizeof signing->said / sizeof *signing->said; i++)
        if (signing->said[i].value != NULL && signing->said[i].value[0] != '\0')
            scrim_file_digest_say(signing->digest, signing->said[i].key,
                                  signing->said[i].value);
    if (signing->period != NULL)
        return scrim_label_new_period(signing->vault, signing->period, signing->digest,
                                      out, error);
    return scrim_label_new_file(signing->vault, signing->release, signing->kind,
                                signing->digest, out, error);
}

scrim_status sc_signing_end(sc_signing *signing, sc_json *json, scrim_error *error)
{
    SC_OWNED(scrim_label_free_at) scrim_label *label = NULL;
    sc_json_separate(json);
    const scrim_status status = sc_signing_label(signing, &label, error);
    if (status != SCRIM_OK)
        return status;
    const size_t bytes = scrim_label_end(label, NULL, 0);
    SC_FREED char *text = malloc(bytes + 1);
    if (text == NULL)
        return sc_out_of_memory(error, "a label");
    (void)scrim_label_end(label, text, bytes + 1);
    sc_output_bytes(signing->output, text, bytes);
    return SCRIM_OK;
}

void sc_signing_clear(sc_signing *signing)
{
    if (signing->output != NULL)
        signing->output->digest = NULL;
    scrim_file_digest_free(signing->digest);
    signing->digest = NULL;
}

/* Files. */

char *sc_label_path(const char *path)
{
    static const char end[] = ".label";
    char *made = malloc(strlen(path) + sizeof end);
    if (made != NULL)
        sprintf(made, "%s%s", path, end);
    return made;
}

/* Is the file one that can have another beside it: a new one, or a regular file? */
static bool has_place_beside(const char *path)
{
    struct stat about;
    return path != NULL && path != sc_standard_output &&
           (stat(path, &about) != 0 || S_ISREG(about.st_mode));
}

scrim_status sc_signed_file_check(const char *option, const char *path, sc_format format,
                                  scrim_error *error)
{
    SC_TRY(sc_file_writer_check(option, path, error));
    if (format == SCRIM_FORMAT_JSON || !has_place_beside(path))
        return SCRIM_OK;
    SC_FREED char *beside = sc_label_path(path);
    if (beside == NULL)
        return sc_out_of_memory(error, "a label");
    return sc_file_writer_check(option, beside, error);
}

scrim_status sc_signed_file_open(sc_signed_file *f, sc_output *output, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (f->path != NULL)
        status = sc_file_writer_open(&f->file, f->option, f->path, error);
    if (status != SCRIM_OK)
        return status;
    if (f->path == NULL)
        sc_output_init_screen(output, STDOUT_FILENO, f->format);
    else
        sc_output_init(output, f->file.descriptor);
    status = sc_signing_begin(&f->signing, output, error);
    if (status != SCRIM_OK && f->path != NULL) {
        output->error = ECANCELED;
        const scrim_status closed = sc_file_writer_close(&f->file, output, NULL);
        (void)closed; /* the first failure is told */
    }
    return status;
}

static void write_label(const void *label, sc_output *output)
{
    sc_output_text(output, scrim_label_text(label));
}

static scrim_status write_beside(const sc_signed_file *f, const scrim_label *label,
                                 scrim_error *error)
{
    SC_FREED char *path = sc_label_path(f->path);
    return path == NULL ? sc_out_of_memory(error, "a label")
                        : sc_file_write(f->option, path, write_label, label, error);
}

/* The label is made before the file takes its place, and written right after it: only for that moment may the label of
 * an earlier file be beside it. */
static scrim_status close_named(sc_signed_file *f, scrim_status status,
                                scrim_error *error)
{
    sc_output *output = f->signing.output;
    scrim_label *label = NULL;
    if (status == SCRIM_OK && f->format != SCRIM_FORMAT_JSON && f->file.temporary != NULL)
        status = sc_signing_label(&f->signing, &label, error);
    if (status != SCRIM_OK)
        output->error = ECANCELED; /* so that the file does not take its place */
    const scrim_status closed =
        sc_file_writer_close(&f->file, output, status == SCRIM_OK ? error : NULL);
    status = status == SCRIM_OK ? closed : status;
    if (status == SCRIM_OK && label != NULL)
        status = write_beside(f, label, error);
    scrim_label_free(label);
    return status;
}

scrim_status sc_signed_file_close(sc_signed_file *f, scrim_status status,
                                  scrim_error *error)
{
    if (f->path != NULL)
        status = close_named(f, status, error);
    else if (status == SCRIM_OK)
        status = sc_output_finish(f->signing.output, error);
    sc_signing_clear(&f->signing);
    return status;
}

void sc_signed_file_say(const char *path, sc_format format)
{
    if (format != SCRIM_FORMAT_JSON && has_place_beside(path))
        sc_talk("signed      by %s.label; keep both files together\n", path);
}
