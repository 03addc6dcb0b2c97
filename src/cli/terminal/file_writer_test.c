#include "check.h"
#include "cli/terminal/file_writer.h"
#include "scrim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder to throw away, and a path in it. */
typedef struct place {
    char folder[64], path[96];
} place;

static void place_init(place *p)
{
    snprintf(p->folder, sizeof p->folder, "/tmp/scrim-files-XXXXXX");
    CHECK(mkdtemp(p->folder) != NULL);
    snprintf(p->path, sizeof p->path, "%s/a.svg", p->folder);
}

static size_t count_files(const place *p)
{
    size_t count = 0;
    DIR *folder = opendir(p->folder);
    if (!CHECK(folder != NULL))
        return 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static void place_clear(const place *p)
{
    unlink(p->path);
    CHECK_INT((sc_int128)count_files(p), 0);
    rmdir(p->folder);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (CHECK(file != NULL)) {
        fputs(text, file);
        fclose(file);
    }
}

static void check_text(const char *path, const char *want)
{
    char got[64] = "";
    FILE *file = fopen(path, "r");
    if (CHECK(file != NULL)) {
        got[fread(got, 1, sizeof got - 1, file)] = '\0';
        fclose(file);
    }
    CHECK_STR(got, want);
}

static scrim_status write_whole(const char *path, const char *text, scrim_error *error)
{
    static sc_output output;
    sc_file_writer file;
    scrim_status status = sc_file_writer_open(&file, "--svg", path, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init(&output, file.descriptor);
    sc_output_text(&output, text);
    return sc_file_writer_close(&file, &output, error);
}

TEST(file_appears_whole)
{
    static sc_output output;
    place p;
    sc_file_writer file;
    scrim_error error;
    struct stat about;
    place_init(&p);
    umask(022);
    REQUIRE_OK(sc_file_writer_open(&file, "--svg", p.path, &error));
    sc_output_init(&output, file.descriptor);
    sc_output_text(&output, "drawing");
    CHECK(sc_output_flush(&output));
    CHECK(access(p.path, F_OK) != 0); /* not before it is closed */
    CHECK_STATUS(sc_file_writer_close(&file, &output, &error), SCRIM_OK);
    check_text(p.path, "drawing");
    CHECK_INT((sc_int128)count_files(&p), 1);
    CHECK(stat(p.path, &about) == 0 && (about.st_mode & 0777) == 0644);
    place_clear(&p);
}

TEST(file_replaces_another_and_keeps_its_mode)
{
    place p;
    scrim_error error;
    struct stat about;
    place_init(&p);
    write_text(p.path, "before");
    CHECK(chmod(p.path, 0600) == 0);
    CHECK_STATUS(write_whole(p.path, "after", &error), SCRIM_OK);
    check_text(p.path, "after");
    CHECK(stat(p.path, &about) == 0 && (about.st_mode & 0777) == 0600);
    place_clear(&p);
}

TEST(file_behind_a_link_is_replaced_and_the_link_stays)
{
    place p;
    scrim_error error;
    struct stat about;
    char real[128];
    place_init(&p);
    snprintf(real, sizeof real, "%s/real", p.folder);
    write_text(real, "before");
    CHECK(symlink(real, p.path) == 0);
    CHECK_STATUS(write_whole(p.path, "after", &error), SCRIM_OK);
    check_text(real, "after");
    CHECK(lstat(p.path, &about) == 0 && S_ISLNK(about.st_mode));
    unlink(real);
    place_clear(&p);
}

/* Also by a command that has no vault, and through a link. */
TEST(file_never_replaces_a_vault)
{
    CLAIM("file_writer.vault");
    place p;
    scrim_error error = {.message = ""};
    scrim_vault *vault = NULL;
    char real[128];
    place_init(&p);
    snprintf(real, sizeof real, "%s/scrim.vault", p.folder);
    CHECK(symlink(real, p.path) == 0);
    if (CHECK_STATUS(scrim_vault_init(real, NULL, &error), SCRIM_OK)) {
        CHECK_STATUS(write_whole(real, "drawing", &error), SCRIM_E_PARAM);
        CHECK(strstr(error.message, "scrim.vault' is a vault") != NULL);
        CHECK_STATUS(write_whole(p.path, "drawing", &error), SCRIM_E_PARAM);
        CHECK_STATUS(scrim_vault_open(real, NULL, &vault, &error), SCRIM_OK);
        scrim_vault_close(vault);
    }
    unlink(real);
    place_clear(&p);
}

/* A half-written file goes away, and the earlier one stays. */
TEST(file_that_fails_leaves_nothing)
{
    static sc_output output;
    place p;
    sc_file_writer file;
    scrim_error error;
    place_init(&p);
    write_text(p.path, "before");
    REQUIRE_OK(sc_file_writer_open(&file, "--svg", p.path, &error));
    sc_output_init(&output, file.descriptor);
    sc_output_text(&output, "half");
    CHECK(sc_output_flush(&output));
    output.error = ENOSPC; /* as write(2) says when the disk is full */
    CHECK_STATUS(sc_file_writer_close(&file, &output, &error), SCRIM_E_INTERNAL);
    CHECK(strstr(error.message, "--svg: cannot write '") == error.message);
    CHECK(strstr(error.message, "': No space left on device") != NULL);
    check_text(p.path, "before");
    CHECK_INT((sc_int128)count_files(&p), 1);
    place_clear(&p);
}

TEST(file_that_cannot_be_is_refused_before_the_work)
{
    place p;
    scrim_error error;
    char inside[128];
    place_init(&p);
    snprintf(inside, sizeof inside, "%s/nowhere/a.svg", p.folder);
    CHECK_STATUS(sc_file_writer_check("--svg", inside, &error), SCRIM_E_PARAM);
    CHECK(strstr(error.message, "No such file or directory") != NULL);
    CHECK_STATUS(sc_file_writer_check("--svg", p.folder, &error), SCRIM_E_PARAM);
    CHECK(strstr(error.message, "Is a directory") != NULL);
    CHECK_STATUS(sc_file_writer_check("--svg", "", &error), SCRIM_E_PARAM);
    CHECK_STATUS(sc_file_writer_check("--svg", p.path, &error), SCRIM_OK);
    CHECK(access(p.path, F_OK) != 0); /* only looked */
    CHECK_STATUS(write_whole(inside, "x", &error), SCRIM_E_PARAM);
    place_clear(&p);
}

/* A device is written to, never replaced. */
TEST(file_that_is_a_device_stays_one)
{
    scrim_error error;
    struct stat about;
    CHECK_STATUS(write_whole("/dev/null", "x", &error), SCRIM_OK);
    CHECK(stat("/dev/null", &about) == 0 && S_ISCHR(about.st_mode));
    CHECK_STATUS(write_whole("/dev/full", "x", &error), SCRIM_E_INTERNAL);
}

TEST(file_signals_wait_for_the_move)
{
    static sc_output output;
    place p;
    sc_file_writer file;
    scrim_error error;
    sigset_t waiting;
    place_init(&p);
    signal(SIGTERM, SIG_IGN); /* only whether it waits is looked at */
    REQUIRE_OK(sc_file_writer_open(&file, "--svg", p.path, &error));
    sigprocmask(SIG_BLOCK, NULL, &waiting);
    CHECK(sigismember(&waiting, SIGTERM) == 1 && sigismember(&waiting, SIGINT) == 1 &&
          sigismember(&waiting, SIGHUP) == 1);
    sc_output_init(&output, file.descriptor);
    CHECK_STATUS(sc_file_writer_close(&file, &output, &error), SCRIM_OK);
    sigprocmask(SIG_BLOCK, NULL, &waiting);
    CHECK(sigismember(&waiting, SIGTERM) == 0 && sigismember(&waiting, SIGINT) == 0);
    place_clear(&p);
}
