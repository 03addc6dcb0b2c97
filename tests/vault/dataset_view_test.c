#include "check.h"
#include "cli/dataset/dataset_view.h"
#include "cli/vault/vault_place.h"
#include "scene.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The page of a dataset as CSV; a process of its own, since standard output is closed. */
static void show(const scene *s, const char *name, char *text, size_t capacity)
{
    int channel[2], status = -1;
    text[0] = '\0';
    if (!CHECK(pipe(channel) == 0))
        return;
    pid_t child = fork();
    if (child == 0) {
        static sc_options options;
        scrim_error error;
        options.value[SCRIM_OPTION_FORMAT] = "csv";
        dup2(channel[1], STDOUT_FILENO);
        scrim_vault *own = scene_open(s); /* a handle is not inherited */
        const bool shown =
            own != NULL && sc_dataset_show(own, name, &options, &error) == SCRIM_OK;
        scrim_vault_close(own);
        _exit(shown ? 0 : 1);
    }
    close(channel[1]);
    size_t used = 0;
    for (ssize_t count = 0; used + 1 < capacity; used += (size_t)count)
        if ((count = read(channel[0], text + used, capacity - 1 - used)) <= 0)
            break;
    text[used] = '\0';
    close(channel[0]);
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

/* Every form of a line that the vault takes, and keeps as it stands. */
TEST(dataset_view_reads_every_form_of_a_line)
{
    char text[4096];
    scrim_dataset found;
    scrim_error error;
    scene s;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    CHECK_STATUS(scrim_vault_add_dataset(vault, "spaced",
                                         "unit row\npopulation people\n"
                                         "column\tage=int[0,9]\nmax-rows= 2\n",
                                         &error),
                 SCRIM_OK);
    CHECK_STATUS(sc_dataset_find(vault, "spaced", &found, &error), SCRIM_OK);
    CHECK_STR(found.population, "people");
    CHECK_STATUS(sc_dataset_find(vault, "nowhere", &found, &error), SCRIM_E_PARAM);
    show(&s, "spaced", text, sizeof text);
    CHECK(strstr(text, "\nunit,row\n") != NULL);
    CHECK(strstr(text, "\ncolumn,\"age=int[0,9]\"\n") != NULL);
    CHECK(strstr(text, "\nmax-rows,2\n") != NULL);
    CHECK(strstr(text, "\nbudget,\"epsilon=1,delta=0\"\n") != NULL);
    scrim_vault_close(vault);
    scene_end(&s);
}
