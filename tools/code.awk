# Prints C sources as FILE:LINE:CODE, without comments and without what is in quotes, so that a
# check of the code does not stumble over words. The names of included files stay. With -v texts=1
# what is in double quotes is printed, and the rest is not. With -v comments=1 each comment is
# printed in one line, with the number of its first line, and the rest is not.
FNR == 1 { comment = 0 }
{
    line = $0
    code = text = ""
    if (comment && line !~ /^[ \t]*\*\//)
        sub(/^[ \t]*\*?[ \t]*/, "", line)
    while (line != "") {
        if (comment) {
            at = index(line, "*/")
            said = said (at ? substr(line, 1, at - 1) : line) " "
            line = at ? substr(line, at + 2) : ""
            comment = !at
            if (comments && at)
                print FILENAME ":" began ":" said
        } else if (line !~ /^#include/ &&
                   match(line, /\/\*|\/\/|"([^"\\]|\\.)*"|'([^'\\]|\\.)*'/)) {
            opening = substr(line, RSTART, 2)
            comment = opening == "/*"
            code = code substr(line, 1, RSTART - 1) " "
            if (opening ~ /^"/)
                text = text substr(line, RSTART, RLENGTH)
            if (comment) {
                began = FNR
                said = ""
            }
            if (comments && opening == "//")
                print FILENAME ":" FNR ":" substr(line, RSTART + 2)
            line = opening == "//" ? "" : substr(line, RSTART + RLENGTH)
        } else {
            code = code line
            line = ""
        }
    }
    if (!comments)
        print FILENAME ":" FNR ":" (texts ? text : code)
}
