# Prints C sources as FILE:LINE:CODE, without comments and without what is in quotes, so that a
# check of the code does not stumble over words. The names of included files stay. With -v texts=1
# what is in double quotes is printed, and the rest is not.
FNR == 1 { comment = 0 }
{
    line = $0
    code = text = ""
    while (line != "") {
        if (comment) {
            at = index(line, "*/")
            line = at ? substr(line, at + 2) : ""
            comment = !at
        } else if (line !~ /^#include/ &&
                   match(line, /\/\*|\/\/|"([^"\\]|\\.)*"|'([^'\\]|\\.)*'/)) {
            opening = substr(line, RSTART, 2)
            comment = opening == "/*"
            code = code substr(line, 1, RSTART - 1) " "
            if (opening ~ /^"/)
                text = text substr(line, RSTART, RLENGTH)
            line = opening == "//" ? "" : substr(line, RSTART + RLENGTH)
        } else {
            code = code line
            line = ""
        }
    }
    print FILENAME ":" FNR ":" (texts ? text : code)
}
