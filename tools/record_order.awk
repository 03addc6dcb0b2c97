# Reads FILE:LINE:CODE (code.awk) and finds answers that are shown before they are recorded.
#
# A function leaves a draw open when it calls a mechanism's draw or ask, or a function that does, and
# records nothing behind it. A record counts where nothing but the status decides whether it is made.
# While a draw is open, a function that returns an answer (scrim_answer **, scrim_run_answer *,
# scrim_result **, named out) may not fill it; a call of a function that fills it is looked at there.

# Functions.

function begin_function(signature,    name)
{
    name = signature
    sub(/ *\(.*/, "", name)
    sub(/.*[ *]/, "", name)
    current = file ":" name
    is_known[current] = 1
    function_at[++function_count] = current
    shows[current] = signature ~ /(scrim_answer|scrim_result) *\*\* *out[,) ]/ ||
                     signature ~ /scrim_run_answer *\* *out[,) ]/
    if (signature !~ /^static/)
        everywhere[name] = current
    statement = ""
    depth = blocks = 0
}

function find(name, from)
{
    if ((from ":" name) in is_known)
        return from ":" name
    return name in everywhere ? everywhere[name] : ""
}

# Statements: steps are D, a draw; R, a record; C, a call; S, an answer that is filled.

function add(what, name, is_sure)
{
    steps[current]++
    step_what[current, steps[current]] = what
    step_name[current, steps[current]] = name
    step_sure[current, steps[current]] = is_sure
    step_line[current, steps[current]] = file ":" line
}

# The length of what the parenthesis at the front encloses, with it.
function enclosed(text,    i, c, open)
{
    open = 0
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        open += (c == "(") - (c == ")")
        if (open == 0)
            return i
    }
    return length(text)
}

# Does it depend on more than the status?
function is_choice(condition)
{
    gsub(/status *[!=]= *SCRIM_OK/, "", condition)
    gsub(/[() \t&]/, "", condition)
    return condition != ""
}

# Takes if, else, for and while off the front; true when they choose.
function take_heads(    chooses, end)
{
    chooses = 0
    for (;;) {
        sub(/^[ \t]+/, "", statement)
        if (match(statement, /^(if|while|for|switch) *\(/)) {
            statement = substr(statement, RLENGTH)
            end = enclosed(statement)
            heads = heads substr(statement, 1, end)
            if (is_choice(substr(statement, 1, end)))
                chooses = 1
            statement = substr(statement, end + 1)
        } else if (match(statement, /^else([^A-Za-z_0-9]|$)/)) {
            statement = substr(statement, 5)
            chooses = 1
        } else
            return chooses
    }
}

# Behind a question mark a call is in one arm of a choice: a record is sure when both arms have one.
function add_calls(text, is_sure,    name, before, both)
{
    both = text ~ /\?.*(->|\.) *record(_piece|_once)? *\(.*:.*(->|\.) *record(_piece|_once)? *\(/
    while (match(text, /[A-Za-z_][A-Za-z_0-9]* *\(/)) {
        name = substr(text, RSTART, RLENGTH)
        before = substr(text, 1, RSTART - 1)
        text = substr(text, RSTART + RLENGTH)
        if (before ~ /\?/ && !both)
            is_sure = 0
        sub(/ *\($/, "", name)
        if (before ~ /(->|\.) *$/ && name ~ /^(draw|ask)$/)
            add("D", name, 1)
        else if (before ~ /(->|\.) *$/ && name ~ /^record(_piece|_once)?$/)
            add("R", name, is_sure)
        else
            add("C", name, is_sure)
    }
}

function end_statement(    chooses, text)
{
    heads = ""
    chooses = take_heads()
    text = heads " " statement
    add_calls(text, !chooses && chosen == 0)
    if (shows[current] && text ~ /(^|[^A-Za-z_0-9.>])out([^A-Za-z_0-9]|$)/)
        add("S", statement, 1)
    statement = ""
    return chooses
}

function read_body(code,    i, c)
{
    for (i = 1; i <= length(code); i++) {
        c = substr(code, i, 1)
        depth += (c == "(") - (c == ")")
        if (depth == 0 && c == ";")
            end_statement()
        else if (depth == 0 && c == "{" && statement !~ /=|\)$|return/ ||
                 depth == 0 && c == "{" && statement ~ /^[ \t]*(if|else|for|while|do|switch)/) {
            block_chooses[++blocks] = end_statement()
            chosen += block_chooses[blocks]
        } else if (depth == 0 && c == "}" && statement ~ /^[ \t]*$/ && blocks > 0)
            chosen -= block_chooses[blocks--]
        else
            statement = statement c
    }
    statement = statement " "
}

# What a function leaves: 1 an open draw, 2 a record. With report, what it shows too early.
function effect_of(f, report,    i, what, name, callee, result, open, recorded, filled)
{
    open = recorded = 0
    for (i = 1; i <= steps[f]; i++) {
        what = step_what[f, i]
        name = step_name[f, i]
        callee = what == "C" ? find(name, substr(f, 1, index(f, ":") - 1)) : ""
        result = what == "D" ? 1 : what == "R" ? 2 : callee != "" && callee != f ? effect[callee] : 0
        if (callee != "" && shows[callee])
            filled = step_line[f, i]
        if (result == 1)
            open = 1
        if (result == 2 && step_sure[f, i]) {
            open = 0
            recorded = 1
        }
        if (what == "S" && open && report && step_line[f, i] != filled) {
            gsub(/[ \t]+/, " ", name)
            print step_line[f, i] ": an answer is shown before it is recorded: " name
            bad = 1
        }
    }
    return open ? 1 : recorded ? 2 : 0
}

{
    file = $0
    sub(/:.*/, "", file)
    code = substr($0, length(file) + 2)
    line = code
    sub(/:.*/, "", line)
    code = substr(code, length(line) + 2)
    if (file != last_file)
        head = ""
    last_file = file
    if (code ~ /^\{/ && head ~ /\(/ && head !~ /=/) {
        begin_function(head)
        inside = 1
        chosen = 0
    } else if (code ~ /^\}/) {
        inside = 0
        head = ""
    } else if (inside)
        read_body(code)
    else if (code ~ /[;}][ \t]*$/ || code ~ /^#/)
        head = ""
    else
        head = head (head == "" ? "" : " ") code
}

END {
    for (pass = 0; pass < 8; pass++)
        for (i = 1; i <= function_count; i++)
            effect[function_at[i]] = effect_of(function_at[i], 0)
    for (i = 1; i <= function_count; i++)
        effect_of(function_at[i], 1)
    exit bad
}
