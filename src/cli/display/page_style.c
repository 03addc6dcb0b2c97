#include "cli/display/page_style.h"

#include "cli/terminal/terminal.h"

/* Colours of paper and ink; blue, orange and green differ for every kind of colour vision. */
static const char colours[] =
    ":root{color-scheme:light dark;--ink:#1a1a1a;--soft:#595959;--paper:#fff;"
    "--page:#f1f0ed;--line:#1a1a1a;--thin:#d5d3ce;--blue:" SC_BLUE_HEX
    ";--orange:" SC_ORANGE_HEX ";"
    "--green:#009e73;--pale:#cfe3f0}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#ececec;--soft:#a9a9a9;"
    "--paper:#1c1d1f;--page:#111213;--line:#ececec;--thin:#3d3e41;"
    "--blue:#56b4e9;--orange:#e69f00;--green:#2fc79b;--pale:#1f3c4d}}\n"
    "@media print{:root{--page:#fff;--paper:#fff;--ink:#000;--line:#000;"
    "--soft:#444;--thin:#bbb;--blue:" SC_BLUE_HEX ";--orange:" SC_ORANGE_HEX
    ";--green:#009e73;"
    "--pale:#dbe9f3}}\n";

/* Text of headings and tables. */
static const char page[] =
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 "
    "system-ui,-apple-system,\"Segoe UI\",\"Liberation Sans\",Arial,sans-serif}\n"
    "main{max-width:760px;margin:32px auto;padding:28px 32px;"
    "background:var(--paper);border:2px solid var(--line);border-radius:6px}\n"
    "h1{font-size:2.5rem;line-height:1.1;margin:0;letter-spacing:-.02em}\n"
    ".sub{margin:.35em 0 0;color:var(--soft)}\n"
    "code{font:.92em/1.45 ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,"
    "monospace;overflow-wrap:anywhere}\n"
    ".question{display:block;margin:.8em 0 0;padding:.6em .8em;"
    "background:var(--page);border-radius:4px}\n"
    ".rule{border:0;border-top:10px solid var(--line);margin:18px 0 16px}\n"
    ".caution{margin:.8em 0 0;padding:.5em .8em;border:2px solid var(--orange);"
    "font-weight:700}\n"
    ".big{display:grid;grid-template-columns:repeat(3,1fr);gap:0}\n"
    ".big div{padding:0 16px;border-left:1px solid var(--thin)}\n"
    ".big div:first-child{padding-left:0;border:0}\n"
    ".big b{display:block;font-size:2.6rem;line-height:1.15;"
    "letter-spacing:-.02em;font-variant-numeric:tabular-nums}\n"
    ".big span{display:block;font-weight:700}\n"
    ".big small{display:block;color:var(--soft);font-size:.86rem;"
    "line-height:1.35}\n"
    "h2{font-size:1.12rem;margin:26px 0 8px;padding-top:10px;border-top:4px "
    "solid var(--line)}\n"
    "dl{display:grid;grid-template-columns:10.5em 1fr;margin:0}\n"
    "dt,dd{padding:6px 0;margin:0;border-top:1px solid var(--thin)}\n"
    "dt:first-of-type,dt:first-of-type+dd{border:0}\n"
    "dt{font-weight:600;padding-right:1em}\n"
    "dd{min-width:0;overflow-wrap:anywhere}\n"
    "dd p,li p{margin:0}\n"
    "dd small,td small,li small{display:block;color:var(--soft)}\n"
    "ul{margin:0;padding-left:1.2em}\n"
    "li{padding:3px 0}\n"
    "summary{cursor:pointer;padding:8px 0}\n"
    ".scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;width:100%;margin:6px 0 4px}\n"
    "caption{text-align:left;color:var(--soft);padding-bottom:4px}\n"
    "th,td{text-align:left;padding:5px 12px 5px 0;border-top:1px solid "
    "var(--thin);vertical-align:top}\n"
    "thead th{border-top:0;border-bottom:2px solid var(--line)}\n"
    "td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}\n"
    "td:last-child,th:last-child{padding-right:0}\n"
    "figure{margin:10px 0 4px}\n"
    "figcaption{font-weight:600}\n"
    "svg{display:block;width:100%;height:auto;font-size:13px}\n"
    ".key{display:flex;flex-wrap:wrap;gap:4px 18px;margin:6px 0 0;padding:0;"
    "list-style:none;font-size:.92rem}\n"
    ".key i{display:inline-block;width:12px;height:12px;margin-right:6px;"
    "border:1px solid var(--line)}\n"
    ".key .o{background:var(--blue)}.key .s{background:var(--soft)}"
    ".key .r{background:var(--orange);border-color:var(--orange)}.key "
    ".l{height:4px;vertical-align:middle}\n"
    "pre{font:.74rem/1.5 ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,"
    "monospace;white-space:pre-wrap;overflow-wrap:anywhere;margin:8px 0 0;"
    "padding:12px;background:var(--page);border-radius:4px}\n"
    "footer{margin-top:14px;color:var(--soft);font-size:.9rem}\n"
    "@media (max-width:620px){main{margin:0;border:0;border-radius:0;"
    "padding:20px 16px}.big{grid-template-columns:1fr}.big div{padding:8px 0;"
    "border:0;border-top:1px solid var(--thin)}.big div:first-child{border:0}"
    "dl{grid-template-columns:1fr}td,th{font-size:.9rem;padding-right:8px}"
    "dt{padding-bottom:0}dd{border:0;"
    "padding-top:0}}\n"
    "@media print{main{margin:0;max-width:none;border:0;padding:0}h2,figure,tr{"
    "break-inside:avoid}tr:last-child{break-before:avoid}h2{break-after:avoid}.machine{"
    "display:none}}\n";

/* Inside of drawings. A phone shows them at half their size, with larger text and fewer labels. */
static const char drawing[] =
    "text:not([fill]){fill:var(--ink)}\n"
    "svg .name{text-anchor:end}\n"
    "svg .tick{text-anchor:middle;fill:var(--soft)}\n"
    "svg .value{font-variant-numeric:tabular-nums}\n"
    "svg .heading{font-weight:bold}\n"
    ".grid{stroke:var(--thin);fill:none}\n"
    ".fill{fill:var(--pale)}\n"
    ".reach{stroke:var(--orange);stroke-width:2;fill:none}\n"
    ".open{stroke-dasharray:4 3}\n"
    ".dot{fill:var(--blue)}\n"
    ".own{fill:var(--blue)}\n"
    ".others{fill:var(--soft)}\n"
    ".left{fill:none;stroke:var(--line);stroke-width:1.5}\n"
    "svg .paper,circle[fill=\"#ffffff\"],path[fill=\"#ffffff\"]{fill:var(--paper)}\n"
    "[stroke=\"#ffffff\"]{stroke:var(--paper)}\n"
    "[stroke=\"#000000\"]{stroke:var(--line)}\n"
    "[stroke=\"#dddddd\"]{stroke:var(--thin)}\n"
    "[stroke=\"#666666\"]{stroke:var(--soft)}\n"
    "[fill=\"#666666\"]{fill:var(--soft)}\n"
    "[stroke=\"" SC_BLUE_HEX "\"]{stroke:var(--blue)}\n"
    "[fill=\"" SC_BLUE_HEX "\"]{fill:var(--blue)}\n"
    "[stroke=\"" SC_ORANGE_HEX "\"]{stroke:var(--orange)}\n"
    "[fill=\"" SC_ORANGE_HEX "\"]{fill:var(--orange)}\n"
    "[stroke=\"#009e73\"]{stroke:var(--green)}\n"
    "[fill=\"#009e73\"]{fill:var(--green)}\n"
    "@media (max-width:500px){svg{font-size:20px}svg .long{font-size:15px}"
    "svg .words{font-size:14px}"
    "svg .title,[text-anchor=\"end\"]{font-size:18px}"
    "svg .more{display:none}}\n";

void sc_page_style_write(sc_output *output)
{
    sc_output_text(output, colours);
    sc_output_text(output, page);
    sc_output_text(output, drawing);
}

void sc_drawing_style_write(sc_output *output)
{
    sc_output_text(output, "<style>\n");
    sc_output_text(output, colours);
    sc_output_text(output, drawing);
    sc_output_text(output, ":root{max-width:100%;height:auto}\n</style>\n");
}
