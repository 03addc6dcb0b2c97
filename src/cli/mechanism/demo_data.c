#include "cli/mechanism/demo_data.h"

#include "cli/terminal/complaint.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* From the folder of the program: build/release/scrim, and bin/scrim. */
static const char *const places[] = {"../../data", "../share/scrim/data"};

scrim_status sc_demo_data_find(const char *program, const char *name, char *path,
                               scrim_error *error)
{
    char near[PATH_MAX];
    const char *slash = strrchr(program, '/');
    const int bytes = slash == NULL ? 0 : (int)(slash - program);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (snprintf(near, sizeof near, "%.*s/%s/%s", bytes, program, places[i], name) <
                (int)sizeof near &&
            realpath(near, path) != NULL)
            return SCRIM_OK;
    return sc_complaint_fill(error, SCRIM_E_INPUT,
                             "%s is neither beside the sources nor installed: 'make "
                             "install' puts it into share/scrim/data",
                             name);
}

scrim_status sc_demo_data_link(const char *program, const char *name, const char *folder,
                               const char *link, scrim_error *error)
{
    char whole[PATH_MAX], target[PATH_MAX];
    SC_TRY(sc_demo_data_find(program, name, whole, error));
    if (snprintf(target, sizeof target, "%s/%s", folder, link) >= (int)sizeof target ||
        symlink(whole, target) != 0)
        return sc_complaint_fill(error, SCRIM_E_INPUT, "cannot link %s into the folder",
                                 name);
    return SCRIM_OK;
}
