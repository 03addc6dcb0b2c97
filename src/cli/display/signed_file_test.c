#include "check.h"
#include "cli/display/signed_file.h"
#include "scrim.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A folder with a file that an earlier release has written. */
typedef struct place {
    char folder[64], path[96], vault[96];
} place;

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    CHECK(fputs(text, file) >= 0 && fclose(file) == 0);
}

static void place_init(place *p)
{
    snprintf(p->folder, sizeof p->folder, "/tmp/scrim-signed-XXXXXX");
    REQUIRE(mkdtemp(p->folder) != NULL);
    snprintf(p->path, sizeof p->path, "%s/counts.csv", p->folder);
    snprintf(p->vault, sizeof p->vault, "%s/scrim.vault", p->folder);
    write_text(p->path, "earlier");
}

/* The earlier file is as it was, and nothing is beside it. */
static void check_untouched(const place *p)
{
    char got[16] = "";
    FILE *file = fopen(p->path, "r");
    DIR *folder = opendir(p->folder);
    REQUIRE(file != NULL && folder != NULL);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    CHECK_STR(got, "earlier");
    fclose(file);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.' && strncmp(entry->d_name, "scrim.vault", 11) != 0)
            CHECK_STR(entry->d_name, "counts.csv");
    closedir(folder);
}

static void place_clear(const place *p)
{
    (void)unlink(p->path);
    (void)unlink(p->vault);
    (void)rmdir(p->folder);
}

/* Writes a line into a file of that release, and ends it with status. */
static scrim_status write_file(const place *p, scrim_vault *vault, scrim_status status)
{
    static sc_output output;
    scrim_error error = {.status = SCRIM_OK};
    sc_signed_file file = {.signing = {.vault = vault, .release = 99, .kind = "counts"},
                           .option = "--out",
                           .path = p->path,
                           .format = SCRIM_FORMAT_CSV};
    if (!CHECK_STATUS(sc_signed_file_open(&file, &output, &error), SCRIM_OK))
        return SCRIM_E_INTERNAL;
    sc_output_text(&output, "level,n\n");
    return sc_signed_file_close(&file, status, &error);
}

TEST(signed_file_that_is_not_finished_takes_no_place)
{
    CLAIM("signed-file.every-byte");
    place p;
    place_init(&p);
    CHECK_STATUS(write_file(&p, NULL, SCRIM_E_MEMORY), SCRIM_E_MEMORY);
    check_untouched(&p);
    place_clear(&p);
}

/* The vault has no such release, so the label cannot be made; a file without it would look unsigned. */
TEST(signed_file_without_a_label_takes_no_place)
{
    CLAIM("signed-file.every-byte");
    place p;
    scrim_vault *vault = NULL;
    place_init(&p);
    REQUIRE_OK(scrim_vault_init(p.vault, NULL, NULL));
    REQUIRE_OK(scrim_vault_open(p.vault, NULL, &vault, NULL));
    CHECK_STATUS(write_file(&p, vault, SCRIM_OK), SCRIM_E_PARAM);
    scrim_vault_close(vault);
    check_untouched(&p);
    place_clear(&p);
}
