#include "cli/display/page.h"

#include "cli/display/canvas.h"
#include "cli/display/page_style.h"

#include <stddef.h>

void sc_page_open(sc_output *output, const sc_page_head *head)
{
    sc_output_text(
        output,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "&#39;none&#39;; style-src &#39;unsafe-inline&#39;\">\n<title>");
    sc_output_text(output, head->kind);
    sc_output_text(output, ": ");
    sc_markup_text(output, head->title);
    sc_output_text(output, "</title>\n<style>\n");
    sc_page_style_write(output);
    if (head->more != NULL)
        sc_output_text(output, head->more);
    sc_output_text(output, "</style>\n</head>\n<body>\n<main>\n");
}

void sc_page_close(sc_output *output)
{
    sc_output_text(output, "</main>\n</body>\n</html>\n");
}
