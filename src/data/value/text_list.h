/* Lists of texts on one line of a policy: TEXT,TEXT,... A text with a comma, or with a blank at an
 * end, stands between double quotes, where a doubled quote is one. */
#ifndef SC_DATA_TEXT_LIST_H
#define SC_DATA_TEXT_LIST_H

#include "base/text.h"

/* Takes the next text off a list that is not empty. It lies in the list or in room, which has as
 * many bytes as the list. False when the list is none. */
bool sc_text_list_take(sc_text *list, char *room, sc_text *item);

#endif
