/* Locales of other countries on machines that have no more than their sources. */
#ifndef LOCALES_H
#define LOCALES_H

#include <stdbool.h>

/* Enters the locale of this name, "de_DE.UTF-8", built in the folder where it is not installed: letters, numbers, money, dates
 * and messages are those of its source, "de_DE". The order of words, which takes two seconds to build, is that of bytes.
 * False where there is neither; LOCPATH may have been set. */
bool locale_enter(const char *folder, const char *source, const char *name);

#endif
