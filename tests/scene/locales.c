#include "locales.h"

#include "check.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

static bool write_source(const char *path, const char *source)
{
    static const char *const copied[] = {"LC_CTYPE", "LC_NUMERIC", "LC_MONETARY",
                                         "LC_TIME", "LC_MESSAGES"};
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return CHECK(false);
    for (size_t i = 0; i < COUNT(copied); i++)
        fprintf(file, "%s\ncopy \"%s\"\nEND %s\n", copied[i], source, copied[i]);
    fprintf(file, "LC_COLLATE\ncopy \"POSIX\"\nEND LC_COLLATE\n");
    return CHECK(fclose(file) == 0);
}

bool locale_enter(const char *folder, const char *source, const char *name)
{
    char path[200], command[700];
    if (setlocale(LC_ALL, name) != NULL)
        return true;
    snprintf(path, sizeof path, "%s/source", folder);
    if (!write_source(path, source))
        return false;
    snprintf(command, sizeof command,
             "localedef --no-archive -c -i %s -f UTF-8 %s/%s >/dev/null 2>&1", path,
             folder, name);
    /* It warns by its status too; whether it worked is seen below. */
    const int unused = system(command); // NOLINT(cert-env33-c): a constant command
    (void)unused;
    return setenv("LOCPATH", folder, 1) == 0 && setlocale(LC_ALL, name) != NULL;
}
