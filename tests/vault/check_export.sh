#!/bin/sh
# Verifies what `scrim ledger export` wrote, with nothing of scrim: the chain and the digests by
# sha256sum, the admission of every charge by awk, after docs/ledger-format.md alone.
# usage: check_export.sh FILE; the status is 1, with what is wrong, when it does not hold.
#
# Sums are exact for decimals of at most 20 places; a charge that is a fraction is said not to
# be summed.
set -eu
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Lines of "hash ID WANTED OCTAL" and "answer ID WANTED OCTAL" for what is to be hashed, and
# "bad TEXT" for what does not add up.
# shellcheck disable=SC2016 # for awk
awk '
    function bad(text) {
        print "bad " text
        wrong = 1
    }
    # The value of a member, a string as it is written or a number; "" when there is none.
    function member(line, name,    at, rest, i, c) {
        at = index(line, "\"" name "\": ")
        if (at == 0)
            return ""
        rest = substr(line, at + length(name) + 4)
        if (substr(rest, 1, 1) != "\"") {
            match(rest, /^[0-9]+/)
            return substr(rest, 1, RLENGTH)
        }
        for (i = 2; (c = substr(rest, i, 1)) != "\""; i++)
            if (c == "\\")
                i++
        return substr(rest, 2, i - 2)
    }
    function octal(code) {
        return sprintf("\\0%03o", code)
    }
    function hex_octal(hex,    i, out) {
        out = ""
        for (i = 1; i < length(hex); i += 2)
            out = out octal(16 * digit[substr(hex, i, 1)] + digit[substr(hex, i + 1, 1)])
        return out
    }
    # The first line of what is given in hexadecimal: that is ASCII, always.
    function hex_line(hex,    i, out) {
        out = ""
        for (i = 1; i < length(hex) && substr(hex, i, 2) != "0a"; i += 2)
            out = out sprintf("%c", hex_code(substr(hex, i, 2)))
        return out
    }
    function hex_code(text,    i, code) {
        code = 0
        for (i = 1; i <= length(text); i++)
            code = 16 * code + digit[substr(text, i, 1)]
        return code
    }
    # A string of JSON as octal escapes, for printf.
    function text_octal(text,    i, c, out) {
        out = ""
        for (i = 1; i <= length(text); i++) {
            c = substr(text, i, 1)
            if (c == "\\") {
                c = substr(text, ++i, 1)
                if (c == "n") {
                    out = out octal(10)
                    continue
                }
                if (c == "u") {
                    out = out octal(hex_code(substr(text, i + 1, 4)))
                    i += 4
                    continue
                }
            }
            out = out octal(ord[c])
        }
        return out
    }
    # Exact decimals: whole part and twice ten places, in sum[key, 0..2].
    function is_decimal(text) {
        return text ~ /^[0-9]+(\.[0-9]+)?$/
    }
    function part(text, which,    point, places) {
        point = index(text, ".")
        if (which == 0)
            return point ? substr(text, 1, point - 1) + 0 : text + 0
        places = (point ? substr(text, point + 1) : "") "00000000000000000000"
        return substr(places, which == 1 ? 1 : 11, 10) + 0
    }
    function add(key, text,    which, carry) {
        carry = 0
        for (which = 2; which >= 0; which--) {
            sum[key, which] += part(text, which) + carry
            carry = 0
            if (which > 0 && sum[key, which] >= 1e10) {
                sum[key, which] -= 1e10
                carry = 1
            }
        }
    }
    # times is 1 or 2: the sum so often.
    function exceeds(key, limit, times,    which, have, want, carry) {
        carry = 0
        for (which = 2; which >= 0; which--) {
            have[which] = times * sum[key, which] + carry
            carry = 0
            if (which > 0 && have[which] >= 1e10) {
                have[which] -= 1e10
                carry = 1
            }
        }
        for (which = 0; which <= 2; which++) {
            want = part(limit, which)
            if (have[which] != want)
                return have[which] > want
        }
        return 0
    }
    function above(a, b,    which) {
        for (which = 0; which <= 2; which++)
            if (part(a, which) != part(b, which))
                return part(a, which) > part(b, which)
        return 0
    }
    function share_of(p, analyst, which) {
        if ((p, analyst) in own)
            return share[p, analyst, which]
        return (p, 0) in own ? share[p, 0, which] : "-"
    }
    function check_cap(id, d, amount, delta) {
        if (is_decimal(amount) && is_decimal(delta) &&
            (most[d] != "-" && above(amount, most[d]) || most_delta[d] != "-" &&
             above(delta, most_delta[d]) || least[d] != "-" && above(least[d], amount)))
            bad("entry " id " is beyond the cap")
    }
    # is_later: a window, whose price the cap is held against, and not what it adds.
    function check_charge(id, d, version, analyst, amount, delta, is_later,    p, times, limit) {
        p = people[d]
        if (d < 1 || d > datasets || removed[d] || closed[d] || version != versions[d] || analyst < 1 ||
            analyst > analysts)
            return bad("entry " id " charges what is not there")
        charged[id] = 1
        charges++
        if (!is_decimal(amount) || !is_decimal(delta)) {
            fractions++
            return
        }
        if (!is_later)
            check_cap(id, d, amount, delta)
        add(p, amount)
        add(p " " analyst, amount)
        add(p " d", delta)
        add(p " d " analyst, delta)
        times = rule[p] == "sum" ? 1 : 2
        if (is_decimal(budget[p]) && exceeds(p, budget[p], 1) ||
            exceeds(p " d", budget_delta[p], times))
            bad("entry " id " is beyond the budget")
        limit = share_of(p, analyst, 1)
        if (limit != "-" && is_decimal(limit) && exceeds(p " " analyst, limit, 1))
            bad("entry " id " is beyond the share")
        limit = share_of(p, analyst, 2)
        if (limit != "-" && is_decimal(limit) && exceeds(p " d " analyst, limit, 1))
            bad("entry " id " is beyond the share of delta")
    }
    # A release of a parallel series of that dataset, after all before it and of the same analyst.
    function is_window(w) {
        return w[2] >= 1 && w[2] <= series && of_series[w[2]] == w[4] && w[3] + 0 > last[w[2]] &&
            w[3] + 0 <= windows[w[2]] && (!paid_by[w[2]] || paid_by[w[2]] == w[6])
    }
    function take_window(w) {
        last[w[2]] = w[3] + 0
        paid_by[w[2]] = w[6]
    }
    function begin_version(s, version) {
        of_version[s] = version
        copy("paid" s, "nothing")
        copy("paid d" s, "nothing")
    }
    # Is amount what price is above the sum, or 0? Then it is added.
    function adds(key, amount, price,    i) {
        if (!is_decimal(amount) || !is_decimal(price))
            return 1
        add(key, amount)
        for (i = 0; i <= 2; i++)
            if (sum[key, i] != part(price, i))
                return amount == "0" && sum[key, i] > part(price, i)
        return 1
    }
    function copy(to, from,    i) {
        for (i = 0; i <= 2; i++)
            sum[to, i] = sum[from, i] + 0
    }
    function check_entry(id, line,    w, n) {
        n = split(line, w, " ")
        if ((id == 1) != (w[1] == "init"))
            bad("entry " id ": a ledger begins with its init")
        if (w[1] == "analyst")
            analysts++
        else if (w[1] == "population") {
            rule[++populations] = w[4]
            budget_delta[populations] = w[6]
            budget[populations] = w[7]
        } else if (w[1] == "dataset") {
            people[++datasets] = w[3]
            versions[datasets] = 1
            most[datasets] = most_delta[datasets] = least[datasets] = "-"
        } else if (w[1] == "policy" || w[1] == "update") {
            if (w[3] != versions[w[2]] + 1)
                bad("entry " id " leaves a version out")
            versions[w[2]] = w[3]
            if (w[1] == "update")
                closed[w[2]] = 0
        } else if (w[1] == "close") {
            if (w[3] != versions[w[2]] || removed[w[2]] || closed[w[2]])
                bad("entry " id " closes another version")
            closed[w[2]] = 1
        } else if (w[1] == "terms") {
            if (w[3] != versions[w[2]] || removed[w[2]])
                bad("entry " id " is about another version")
        } else if (w[1] == "remove")
            removed[w[2]] = 1
        else if (w[1] == "share") {
            delete own[w[2], w[3]]
            if (w[4] != "-" || w[5] != "-")
                own[w[2], w[3]] = 1
            share[w[2], w[3], 1] = w[4]
            share[w[2], w[3], 2] = w[5]
        } else if (w[1] == "cap") {
            most[w[2]] = w[3]
            most_delta[w[2]] = w[4]
            least[w[2]] = w[5]
        } else if (w[1] == "charge" || w[1] == "joint")
            check_charge(id, w[2] + 0, w[3], w[4] + 0, w[5], w[6])
        else if (w[1] == "series") {
            of_series[++series] = w[3]
            windows[series] = w[5] == "parallel" ? w[4] : 0
            last[series] = paid_by[series] = 0
        } else if (w[1] == "window") {
            # The owner of the entry must be a series whose rows are in one window each.
            if (!is_window(w) || dated[w[2]])
                bad("entry " id " is no window of its series")
            if (w[5] != of_version[w[2]])
                begin_version(w[2], w[5])
            add("w" w[2], w[7])
            add("w d" w[2], w[8])
            if (w[7] != "0")
                copy("paid" w[2], "w" w[2])
            if (w[8] != "0")
                copy("paid d" w[2], "w d" w[2])
            if (most[w[4]] != "-" && exceeds("w" w[2], most[w[4]], 1) ||
                most_delta[w[4]] != "-" && exceeds("w d" w[2], most_delta[w[4]], 1))
                bad("entry " id " is beyond the cap")
            check_charge(id, w[4] + 0, w[5], w[6] + 0, w[7], w[8], 1)
            take_window(w)
        } else if (w[1] == "window2") {
            if (!is_window(w))
                bad("entry " id " is no window of its series")
            if (w[5] != of_version[w[2]])
                begin_version(w[2], w[5])
            if (!adds("paid" w[2], w[7], w[9]) || !adds("paid d" w[2], w[8], w[10]))
                bad("entry " id " adds another amount than its price asks for")
            dated[w[2]] = 1
            take_window(w)
            check_cap(id, w[4] + 0, w[9], w[10])
            check_charge(id, w[4] + 0, w[5], w[6] + 0, w[7], w[8], 1)
        }
        else if (w[1] == "release") {
            if (!(w[2] in charged) || w[2] in answered)
                bad("entry " id " answers no charge, or one twice")
            answered[w[2]] = 1
            releases++
            return w[3]
        } else if (w[1] == "asked") {
            if (!(w[2] in charged) || w[2] in answered || w[3] != ++asked[w[2]])
                bad("entry " id " is no next answer of an open run")
        } else if (w[1] !~ /^(init|key|place|file|time)$/)
            bad("entry " id " is of no kind")
        return ""
    }
    BEGIN {
        for (i = 1; i < 256; i++)
            ord[sprintf("%c", i)] = i
        for (i = 0; i < 16; i++)
            digit[substr("0123456789abcdef", i + 1, 1)] = i
        before = sprintf("%064d", 0)
    }
    NR == 1 {
        if ($0 != "{\"scrim_ledger\": 1}")
            bad("this is no export")
        next
    }
    index($0, "{\"head\": ") == 1 {
        has_head = 1
        if (member($0, "head") != entries || member($0, "hash") != before)
            bad("the head is another")
        next
    }
    {
        id = member($0, "entry")
        if (has_head || id != ++entries)
            bad("entries are out of order")
        hash = member($0, "hash")
        is_hex = index($0, "\", \"hex\": \"")
        text = member($0, is_hex ? "hex" : "text")
        print "hash", id, hash, hex_octal(before) (is_hex ? hex_octal(text) : text_octal(text))
        line = text
        if (is_hex)
            line = hex_line(text)
        sub(/\\n.*/, "", line)
        digest = check_entry(id, line)
        if (digest != "") {
            at_hex = index($0, ", \"answer_hex\": \"")
            answer = member($0, at_hex ? "answer_hex" : "answer")
            print "answer", id, digest, (at_hex ? hex_octal(answer) : text_octal(answer))
        }
        before = hash
    }
    END {
        if (!has_head)
            bad("it was cut short")
        print "sum", entries + 0, charges + 0, releases + 0, fractions + 0
    }' "$1" >"$work/facts"

status=0
mkdir "$work/texts"
while read -r kind id wanted octal; do
    case $kind in
    bad)
        echo "check_export: $id $wanted $octal"
        status=1
        ;;
    sum) echo "$id entries, $wanted charges, releases and charges not summed: $octal" ;;
    *)
        printf '%b' "$octal" >"$work/texts/$kind.$id"
        echo "$wanted  $kind.$id" >>"$work/wanted"
        ;;
    esac
done <"$work/facts"
# All in one process: an export has hundreds.
(cd "$work/texts" && sha256sum --check --quiet --strict ../wanted >../others 2>&1) || status=1
sed -n 's/^\([a-z]*\)\.\([0-9]*\): FAILED$/check_export: the \1 of entry \2 is another/p' "$work/others"
exit $status
