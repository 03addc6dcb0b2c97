#!/bin/sh
# What `make install` puts on a system is complete, usable, small, and holds nothing of the
# test build.
# shellcheck disable=SC2317 # functions that ran calls
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
unset MAKEFLAGS MAKELEVEL MFLAGS
root=$work/root
prefix=/opt/scrim
build=$(basename "$O")

make_it() {
    make --no-print-directory BUILD="$build" DESTDIR="$root" PREFIX="$prefix" "$@"
}
config() {
    PKG_CONFIG_LIBDIR=$root$prefix/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root pkg-config "$@" scrim
}
# A path that make would take for two, and the sources themselves: with -n, so that nothing is lost where one is taken.
ln -s "$(pwd)" "$work/sources"
for place in "DESTDIR=$work/a b" "PREFIX=$work/a b" "docdir=$work/it's" "PREFIX=$work/sources" "includedir=$work/sources/include"; do
    ran 2 "make install $place is refused" make -n install BUILD="$build" DESTDIR= PREFIX="$prefix" "$place"
    err_has "${place#*=}"
    ran 2 "make uninstall $place is refused" make -n uninstall BUILD="$build" DESTDIR= PREFIX="$prefix" "$place"
    err_has "${place#*=}"
done
version=$(sed -n 's/^#define SCRIM_VERSION "\(.*\)"/\1/p' include/scrim/status.h)

ran 0 'make install' make_it install
out_has "program    $root$prefix/bin/scrim"
ran 0 'make install, again' make_it install
for file in bin/scrim lib/libscrim.a lib/libscrim.so lib/libscrim.so.0 "lib/libscrim.so.$version" \
    lib/pkgconfig/scrim.pc include/scrim.h include/scrim_local.h include/scrim/status.h \
    share/scrim/device/scrim_local.c share/scrim/device/scrim_local.h share/man/man1/scrim.1 \
    share/man/man7/scrim-deploy.7 share/doc/scrim/README.md share/doc/scrim/docs/faq.md share/doc/scrim/docs/examples/adult.policy \
    share/bash-completion/completions/scrim.bash share/zsh/site-functions/_scrim; do
    check "installs $file" test -f "$root$prefix/$file"
done
ran 0 'the program starts' "$root$prefix/bin/scrim" --version
out_has "$version"
ran 0 'pkg-config knows the version' config --modversion
out_is "$version"

# A user's program, with the shared and with the static library.
export LD_LIBRARY_PATH="$root$prefix/lib"
check 'all examples are installed' diff -r examples "$root$prefix/share/doc/scrim/examples"
for document in README.md CHANGELOG.md SECURITY.md LICENSE docs/*.md; do
    check "installs $document" cmp "$document" "$root$prefix/share/doc/scrim/$document"
done
# missing_links: links from one document to another that is not installed.
missing_links() {
    (cd "$root$prefix/share/doc/scrim" && find . -name '*.md' | while read -r page; do
        grep -o '](\([^):#]*\)[)#]' "$page" | sed 's/^](//; s/[)#]$//' | while read -r link; do
            [ -z "$link" ] || [ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
        done
    done)
}
check 'every link of an installed document leads to another' test -z "$(missing_links)"
for source in "$root$prefix"/share/doc/scrim/examples/*.c; do
    example=$(basename "$source" .c)
    # shellcheck disable=SC2046 # options, split on purpose
    check "$example compiles" "${CC:-gcc}" -std=c11 -Wall -Wextra -Werror -o "$work/$example" \
        "$source" $(config --cflags --libs)
    arguments=
    [ "$example" != keep_state ] || arguments="$work/device.state 20410 7"
    # shellcheck disable=SC2086 # words
    ran 0 "$example runs" "$work/$example" $arguments
    err_is ''
    # Each symbol that they call stands in the shared library, which is made of the same objects: one shows how to link.
    case $example:${LONG-} in
    *:yes | ask_question:) ;;
    *) continue ;;
    esac
    # shellcheck disable=SC2046 # options, split on purpose
    check "$example compiles against libscrim.a" "${CC:-gcc}" -std=c11 -o "$work/$example.static" \
        "$source" $(config --cflags) "$root$prefix/lib/libscrim.a" \
        $(config --static --libs | sed 's/-lscrim//')
    # shellcheck disable=SC2086
    ran 0 "$example runs with libscrim.a" "$work/$example.static" $arguments
done
ran 2 'keep_state takes no words for numbers' "$work/keep_state" "$work/device.state" abc x

# docs/c.md, typed as it stands there. block WORD: the lines of the first code of that kind.
block() {
    awk -v start="\`\`\`$1" '$0 == start && !seen { on = seen = 1; next } /^```/ { on = 0 } on' docs/c.md
}
mkdir "$work/first" && block c >"$work/first/first.c" && block cmake >"$work/first/CMakeLists.txt"
sed -n '/^visitor,city/,/^```/p' docs/c.md | grep -v '```' >"$work/first/visits.csv"
at_first() {
    (cd "$work/first" && "$@")
}
# shellcheck disable=SC2046 # options, split on purpose
check 'the program of docs/c.md compiles' "${CC:-gcc}" -Wall -Wextra -Werror -o "$work/first/first" "$work/first/first.c" $(config --cflags --libs)
ran 0 'it answers' at_first ./first
check 'in the form that the page shows' test "$(sed 's/-*[0-9][0-9]*/N/g; s/about N/N/; s/no usable value$/N, from N to N/' "$work/out")" = \
    "$(sed -n '/^\$ .\/first$/,/^```/p' docs/c.md | sed '1d; /^```/d; s/-*[0-9][0-9]*/N/g')"
ran 5 'and not a second time' at_first ./first
if [ "${LONG-}" = yes ] && command -v cmake >/dev/null; then
    ran 0 'CMake finds the package' at_first cmake -S . -B build -DCMAKE_PREFIX_PATH="$root$prefix"
    ran 0 'and builds the program' at_first cmake --build build
    rm -f "$work/first/visits.vault"*
    ran 0 'which answers' at_first build/first
    sed -i 's/0\.1 REQUIRED/0.9 REQUIRED/' "$work/first/CMakeLists.txt"
    ran 1 'another version is not found' at_first cmake -S . -B other -DCMAKE_PREFIX_PATH="$root$prefix"
else
    skip 'CMake finds the package' 'in the long campaign only'
fi

# The same checks as on the build, on what is installed.
mkdir "$work/installed"
ln -s "$root$prefix/bin/scrim" "$root$prefix"/lib/libscrim.* "$work/installed"
check 'exports, no tape, no seed' tools/check_exports "$work/installed"

# A88: where it was built stands in nothing that is installed.
check 'A88 no build path' test -z "$(grep -rlF -e "$(pwd)" "$root$prefix")"
# Jumps and returns are checked where compiler and processor can. The start files of the C library
# may lack the mark, and then the linker leaves it out of the whole: each of our objects has it.
unmarked() {
    readelf -n "$root$prefix/lib/libscrim.a" 2>/dev/null |
        awk '/^File: / { files++ } /IBT, SHSTK/ { marked++ } END { print files - marked }'
}
case $("${CC:-gcc}" -dumpmachine):$build in
x86_64-*:release) check 'A88 jumps and returns are checked' test "$(unmarked)" -eq 0 ;;
*) skip 'A88 jumps and returns are checked' 'not of this build' ;;
esac

cp "$root$prefix/bin/scrim" "$root$prefix/lib/libscrim.so.$version" "$work"
strip "$work/scrim" "$work/libscrim.so.$version"
# small FILE LIMIT: in bytes, stripped.
small() {
    bytes=$(wc -c <"$work/$1")
    check "$1 is under $2 bytes stripped: $bytes" test "$bytes" -lt "$2"
}
small scrim 3000000
# It holds the words of the page of each mechanism, which every host can print.
small "libscrim.so.$version" 2800000

mkdir -p "$root/opt/share" && echo 'not of scrim' >"$root$prefix/include/scrim/other.h"
ran 0 'make uninstall' make_it uninstall
check 'only what others laid there is left' test "$(find "$root" | sort | tr '\n' ' ')" = \
    "$root $root/opt $root$prefix $root$prefix/include $root$prefix/include/scrim $root$prefix/include/scrim/other.h $root/opt/share "
finish
