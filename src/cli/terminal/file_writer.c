#include "cli/terminal/file_writer.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".XXXXXX"

const char sc_standard_output[] = "standard output";

static scrim_status complain(scrim_status status, const char *option, const char *path,
                             int number, scrim_error *error)
{
    return sc_complaint_fill(error, status, "%s: cannot write '%.120s': %s%s", option,
                             path, strerror(number), sc_complaint_remedy(number, true));
}

/* A path names nothing yet, a regular file that may be replaced, or something else. */
typedef enum target_kind { TARGET_NEW, TARGET_FILE, TARGET_OTHER } target_kind;

static target_kind look_at(const char *path, struct stat *about)
{
    if (path == sc_standard_output)
        return TARGET_OTHER;
    if (stat(path, about) != 0)
        return TARGET_NEW;
    return S_ISREG(about->st_mode) ? TARGET_FILE : TARGET_OTHER;
}

/* A vault is known by the mark that SQLite keeps for it in the head of the file. */
static bool is_vault(const char *path)
{
    static const char magic[] = "SQLite format 3", mark[] = "scri";
    enum { MARK_AT = 68, HEAD = MARK_AT + sizeof mark - 1 };
    char head[HEAD];
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return false;
    const bool is_whole = read(file, head, sizeof head) == (ssize_t)sizeof head;
    close(file);
    return is_whole && memcmp(head, magic, sizeof magic) == 0 &&
           memcmp(head + MARK_AT, mark, sizeof mark - 1) == 0;
}

/* May the existing file be replaced, or the pipe or device be written? */
static scrim_status check_target(const char *option, const char *path,
                                 const struct stat *about, scrim_error *error)
{
    if (S_ISDIR(about->st_mode))
        return complain(SCRIM_E_PARAM, option, path, EISDIR, error);
    if (access(path, W_OK) != 0)
        return complain(SCRIM_E_PARAM, option, path, errno, error);
    if (S_ISREG(about->st_mode) && is_vault(path))
        return sc_refuse(error, "%s: '%.120s' is a vault; name another file", option,
                         path);
    return SCRIM_OK;
}

/* The folder of a path; the caller frees it. NULL without memory. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

scrim_status sc_file_writer_check(const char *option, const char *path,
                                  scrim_error *error)
{
    struct stat about = {0};
    if (path == sc_standard_output)
        return SCRIM_OK;
    if (path[0] == '\0')
        return complain(SCRIM_E_PARAM, option, path, ENOENT, error);
    if (sc_rights_are_borrowed() || sc_rights_are_lent(NULL))
        return complain(SCRIM_E_POLICY, option, path, EPERM, error);
    if (look_at(path, &about) != TARGET_NEW)
        return check_target(option, path, &about, error);
    if (errno != ENOENT) /* of stat: too long a name, or one below a file */
        return complain(SCRIM_E_PARAM, option, path, errno, error);
    SC_FREED char *folder = folder_of(path);
    if (folder == NULL)
        return sc_out_of_memory(error, "a name");
    if (access(folder, W_OK | X_OK) != 0)
        SC_TRY(complain(SCRIM_E_PARAM, option, path, errno, error));
    return SCRIM_OK;
}

scrim_status sc_file_writer_check_in(const char *option, const char *folder,
                                     const char *path, scrim_error *error)
{
    struct stat about;
    size_t length = strlen(folder);
    if (length == 0)
        return complain(SCRIM_E_PARAM, option, folder, ENOENT, error);
    if (stat(folder, &about) == 0 || errno != ENOENT)
        return sc_file_writer_check(option, path, error);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    SC_FREED char *name = strndup(folder, length);
    if (name == NULL)
        return sc_out_of_memory(error, "a name");
    return sc_file_writer_check(option, name, error);
}

scrim_status sc_folder_make(const char *option, const char *folder, scrim_error *error)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return complain(SCRIM_E_PARAM, option, folder, errno, error);
    return SCRIM_OK;
}

/* The permissions of a new file, which only umask knows. */
static mode_t usual_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static scrim_status open_temporary(sc_file_writer *file, mode_t mode, scrim_error *error)
{
    const char *slash = strrchr(file->path, '/');
    const size_t folder = slash == NULL ? 0 : (size_t)(slash - file->path) + 1;
    const size_t bytes = strlen(file->path) + sizeof SUFFIX;
    file->temporary = malloc(bytes);
    if (file->temporary == NULL)
        return sc_out_of_memory(error, "a name");
    snprintf(file->temporary, bytes, "%.*s%.*s" SUFFIX, (int)folder, file->path,
             (int)(NAME_MAX - (sizeof SUFFIX - 1)), file->path + folder);
    file->descriptor = mkostemp(file->temporary, O_CLOEXEC);
    if (file->descriptor < 0)
        return complain(SCRIM_E_PARAM, file->option, file->path, errno, error);
    (void)fchmod(file->descriptor, mode); /* else it stays as private as it was made */
    return SCRIM_OK;
}

static void discard(sc_file_writer *file)
{
    if (file->is_held)
        sc_signal_hold_end(&file->hold);
    free(file->temporary);
    free(file->path);
}

scrim_status sc_file_writer_open(sc_file_writer *file, const char *option,
                                 const char *path, scrim_error *error)
{
    struct stat about;
    scrim_status status = sc_file_writer_check(option, path, error);
    if (status != SCRIM_OK)
        return status;
    target_kind kind = look_at(path, &about);
    *file = (sc_file_writer){.option = option, .descriptor = -1};
    /* A symbolic link stays, and the file that it names is replaced. */
    file->path = kind == TARGET_FILE ? realpath(path, NULL) : strdup(path);
    if (file->path == NULL)
        return sc_out_of_memory(error, "a name");
    if (kind == TARGET_OTHER) {
        file->descriptor = path == sc_standard_output
                               ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                               : open(path, O_WRONLY | O_CLOEXEC);
        if (file->descriptor < 0)
            status = complain(SCRIM_E_PARAM, option, path, errno, error);
    } else {
        sc_signal_hold_begin(&file->hold);
        file->is_held = true;
        status = open_temporary(
            file, kind == TARGET_FILE ? about.st_mode & 0777 : usual_mode(), error);
    }
    if (status != SCRIM_OK)
        discard(file);
    return status;
}

scrim_status sc_file_writer_close(sc_file_writer *file, sc_output *output,
                                  scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    int number = sc_output_flush(output) ? 0 : output->error;
    if (number == 0 && file->temporary != NULL && fsync(file->descriptor) != 0)
        number = errno;
    if (close(file->descriptor) != 0 && number == 0)
        number = errno;
    if (number == 0 && file->temporary != NULL &&
        rename(file->temporary, file->path) != 0)
        number = errno;
    if (number != 0) {
        if (file->temporary != NULL)
            unlink(file->temporary);
        status = complain(SCRIM_E_INTERNAL, file->option, file->path, number, error);
    }
    discard(file);
    return status;
}

scrim_status sc_file_write(const char *option, const char *path, sc_file_body *body,
                           const void *context, scrim_error *error)
{
    sc_file_writer file;
    SC_FREED sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_out_of_memory(error, "the file");
    const scrim_status status = sc_file_writer_open(&file, option, path, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init(output, file.descriptor);
    body(context, output);
    return sc_file_writer_close(&file, output, error);
}
