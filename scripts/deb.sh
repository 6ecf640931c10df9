#!/usr/bin/env bash
# Makes the Debian package of the service: .build/packages/benji_VERSION_ARCHITECTURE.deb, and says what it made in its
# last line.
#
#   deb.sh [--debug | --program FILE] [--into FOLDER]
#
#   --debug         packages the debug build: quick to make, slow to run, in .build/packages/debug
#   --program FILE  packages a program that is built already, for tests; both leave compression out
#   --into FOLDER   writes the package there
#
# The package holds the program with the Swift runtime, the unit, a manual page and completions for three shells. It
# also holds the client libraries, the examples in Python, and an example configuration. The script postinst makes
# /etc/benji/benji.yaml from that example. All but the files of packaging/ is asked of the program itself.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

usage() { die "usage: deb.sh [--debug | --program FILE] [--into FOLDER]"; }
"$ROOT/scripts/setup.sh" --quiet --for proof
MODE=release
PROGRAM=
INTO=
while [ "$#" -gt 0 ]; do
    case "$1" in
    --debug) MODE=debug ;;
    --program) PROGRAM="${2:-}" && [ -n "$PROGRAM" ] || usage; shift ;;
    --into) INTO="${2:-}" && [ -n "$INTO" ] || usage; shift ;;
    *) usage ;;
    esac
    shift
done
if [ -n "$PROGRAM" ]; then
    [ "$MODE" = release ] || usage
    COMPRESSION=(-Znone)
    INTO="${INTO:-$ROOT/.build/packages/debug}"
else
    "$ROOT/scripts/build.sh" "$MODE" benji
    PROGRAM="$ROOT/Server/.build/$MODE/benji"
    COMPRESSION=(-Zxz -z6)
    if [ "$MODE" = debug ]; then COMPRESSION=(-Znone); fi
    INTO="${INTO:-$ROOT/.build/packages$([ "$MODE" = release ] || echo /debug)}"
fi
[ -x "$PROGRAM" ] || die "$PROGRAM is not there or cannot be run." "Build it with: make build"
for tool in dpkg-deb:dpkg dpkg-shlibdeps:dpkg-dev patchelf:patchelf strip:binutils; do
    command -v "${tool%:*}" >/dev/null || die "${tool%:*} is missing." "Run: make setup"
done

VERSION="$("$PROGRAM" --version)"
[[ "$VERSION" =~ ^[0-9][0-9A-Za-z.+~]*$ ]] ||
    die "$PROGRAM --version said '$VERSION', which is no version of a Debian package"
ARCHITECTURE="$(dpkg --print-architecture)"
# The packager's name and address come from the variables of other Debian tools.
MAINTAINER="${DEBFULLNAME:-Benji} <${DEBEMAIL:-benji@$(hostname -f 2>/dev/null || hostname)}>"
# The same sources give the same package.
SOURCE_DATE_EPOCH="$(git -C "$ROOT" log -1 --format=%ct 2>/dev/null || stat -c %Y "$ROOT/CHANGELOG.md")"
export SOURCE_DATE_EPOCH
PACKAGING="$ROOT/packaging"

WORK="$(mktemp -d)"
trap 'rm -rf "$WORK"' EXIT
STAGE="$WORK/stage"
DOC="$STAGE/usr/share/doc/benji"
put() { install -D -m 644 /dev/stdin "$STAGE/$1"; }

say "packaging $PROGRAM, version $VERSION"

# The program, and the parts of the Swift runtime that it links, in a folder that no other program searches.
install -D -m 755 "$PROGRAM" "$STAGE/usr/bin/benji"
mapfile -t LINKED < <(ldd "$PROGRAM" | awk '$2 == "=>" { print $3 }' | sort -u)
RUNTIME="$(printf '%s\n' "${LINKED[@]}" | grep '/libswiftCore\.so$' || true)"
if [ -n "$RUNTIME" ]; then
    for library in "${LINKED[@]}"; do
        case "$library" in
        "${RUNTIME%/*}"/*) install -D -m 644 "$library" "$STAGE/usr/lib/benji/${library##*/}" ;;
        esac
    done
fi
shopt -s nullglob
LIBRARIES=("$STAGE"/usr/lib/benji/*)
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$STAGE/usr/bin/benji" "${LIBRARIES[@]}"
patchelf --set-rpath /usr/lib/benji "$STAGE/usr/bin/benji" "${LIBRARIES[@]}"

# The unit.
put lib/systemd/system/benji.service <"$PACKAGING/benji.service"

# The example, with the data directory of the unit. postinst puts a random secret into a copy.
"$PROGRAM" serve --example | sed 's|^data: ./benji-data$|data: /var/lib/benji|' >"$WORK/benji.yaml"
grep -q '^data: /var/lib/benji$' "$WORK/benji.yaml" ||
    die "'benji serve --example' names no data directory that could be replaced"
grep -q 'change-me-to-sixteen-or-more' "$WORK/benji.yaml" ||
    die "'benji serve --example' has another secret than packaging/debian/postinst replaces"
put usr/share/benji/benji.yaml <"$WORK/benji.yaml"
install -d "$DOC/examples"
ln -s ../../../benji/benji.yaml "$DOC/examples/benji.yaml"

# The folders that the guides use.
while read -r file; do put "usr/share/benji/$file" <"$ROOT/$file"; done < <(cd "$ROOT" &&
    find Clients Examples/LogVerifier Examples/Callbacks -type f -not -path '*/__pycache__/*' | LC_ALL=C sort)

# Manual page and completions, from the program's description of its commands.
python3 -B "$ROOT/scripts/lib/make-man.py" "$PROGRAM" | gzip -9n | put usr/share/man/man1/benji.1.gz
"$PROGRAM" --generate-completion-script bash | sed '1{/^#!/d}' | put usr/share/bash-completion/completions/benji
"$PROGRAM" --generate-completion-script zsh | put usr/share/zsh/vendor-completions/_benji
"$PROGRAM" --generate-completion-script fish | put usr/share/fish/vendor_completions.d/benji.fish

# Documents for readers: copyright and changes.
put usr/share/doc/benji/copyright <"$PACKAGING/debian/copyright"
gzip -9n <"$ROOT/CHANGELOG.md" | put usr/share/doc/benji/CHANGELOG.md.gz
gzip -9n <<TEXT | put usr/share/doc/benji/changelog.gz
benji ($VERSION) unstable; urgency=medium

  * What changed is in CHANGELOG.md.gz beside this file.

 -- $MAINTAINER  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
TEXT
# Licences and notices of all that is linked into the program and of the runtime. Checkouts are there because the
# program was built.
notices() {
    local name checkout file
    while IFS=$'\t' read -r kind name _; do
        [ "$kind" = swift ] || continue
        for checkout in "$ROOT/Server/.build/checkouts/"*/; do
            file="${checkout%/}" && file="${file##*/}"
            # A folder may be written with capitals.
            [ "${file,,}" = "$name" ] || continue
            for file in "$checkout"{LICENSE,NOTICE}*; do
                printf '==== %s: %s\n\n' "$name" "${file##*/}" && cat "$file" && echo
            done
        done
    done <"$ROOT/docs/bill-of-materials.tsv"
    if [ -n "$RUNTIME" ]; then
        printf '==== the Swift runtime\n\n'
        cat "${RUNTIME%/lib/swift/*}/share/swift/LICENSE.txt"
    fi
}
notices >"$WORK/notices"
grep -q '^==== swift-nio: ' "$WORK/notices" ||
    die "the licences of Swift packages are not in Server/.build/checkouts." "Run: make build"
gzip -9n <"$WORK/notices" | put usr/share/doc/benji/notices.gz
put usr/share/lintian/overrides/benji <"$PACKAGING/debian/lintian-overrides"

# Which packages of Debian it needs, in which versions, is read from the symbols that it uses.
mkdir -p "$WORK/shlibs/debian"
printf 'Source: benji\n\nPackage: benji\nArchitecture: any\n' >"$WORK/shlibs/debian/control"
DEPENDS="$(cd "$WORK/shlibs" && dpkg-shlibdeps -O --ignore-missing-info --warnings=0 "-l$STAGE/usr/lib/benji" \
    "-e$STAGE/usr/bin/benji" "${LIBRARIES[@]/#/-e}" 2>"$WORK/shlibs.log" | sed -n 's/^shlibs:Depends=//p')" ||
    { cat "$WORK/shlibs.log" >&2; die "dpkg-shlibdeps failed (see above)"; }
[ -n "$DEPENDS" ] || die "dpkg-shlibdeps found no package that $PROGRAM needs"

install -d -m 755 "$STAGE/DEBIAN"
sed -e "s|@VERSION@|$VERSION|; s|@ARCHITECTURE@|$ARCHITECTURE|; s|@MAINTAINER@|$MAINTAINER|; s|@DEPENDS@|$DEPENDS|" \
    -e "s|@SIZE@|$(du -k -s --exclude=DEBIAN "$STAGE" | cut -f1)|" \
    "$PACKAGING/debian/control.in" >"$STAGE/DEBIAN/control"
install -m 755 "$PACKAGING"/debian/{postinst,prerm,postrm} "$STAGE/DEBIAN/"
(cd "$STAGE" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum) \
    >"$STAGE/DEBIAN/md5sums"
find "$STAGE" -type d -exec chmod 755 {} +

mkdir -p "$INTO"
PACKAGE="$INTO/benji_${VERSION}_$ARCHITECTURE.deb"
dpkg-deb --root-owner-group "${COMPRESSION[@]}" --build "$STAGE" "$PACKAGE" >"$WORK/log" ||
    { cat "$WORK/log" >&2; exit 1; }
say "made $PACKAGE"
