#!/usr/bin/env bash
# Runs every parser under libFuzzer and AddressSanitizer; docs/fuzzing.md says what each is asked to keep.
#
#   fuzz.sh [SECONDS] [PARSER...]       every parser, or those named, SECONDS each (60 by default)
#   fuzz.sh --reproduce PARSER FILE...  runs a parser once on each file
#   fuzz.sh --coverage [PARSER...]      says how many lines of a parser's files its inputs run, and prints those never
#                                       run
#   fuzz.sh --self-test [PARSER...]     shows that a planted bug is found, and that each target reaches what it tests
#
# New inputs are kept in .build-fuzz/corpus, and the next run starts from them. JOBS says how many run at a time.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

USAGE="usage: fuzz.sh [SECONDS] [PARSER...] | --reproduce PARSER FILE... | --coverage [PARSER...] |"
USAGE+=" --self-test [PARSER...]"
FUZZ="$ROOT/.build-fuzz"
JOBS="${JOBS:-$(nproc)}"
mapfile -t ALL < <(find "$ROOT/Fuzzing/Targets" -name '*.swift' -exec basename {} .swift \; | sort)
# Printing a backtrace of a sanitised crash can hang.
export SWIFT_BACKTRACE=enable=no
# Leaks are not looked for: Swift keeps what it makes once, and a parser of values holds nothing.
export ASAN_OPTIONS=detect_leaks=0
# An input that takes longer than a minute, or more than two gigabytes, is a finding too.
LIMITS=(-timeout=10 -rss_limit_mb=2048)

# The longest input in bytes: as much as the parser reads, less where only repetition would follow.
longest() { # name
    case "$1" in
        Values) echo 256 ;;
        ProxyProtocol) echo 512 ;;
        Journal) echo 1024 ;;
        HTTP1Response) echo 2048 ;;
        PageDescriptions) echo 8192 ;;
        *) echo 4200 ;;
    esac
}

build() { # name, flag...
    "$ROOT/scripts/lib/fuzz-build.sh" "$@"
}

# Several at a time.
build_all() { # name...
    say "building $# fuzzers"
    printf '%s\0' "$@" | xargs -0 -P "$JOBS" -n 1 "$ROOT/scripts/lib/fuzz-build.sh" >/dev/null ||
        die "a fuzzer does not build (see above)"
}

# Fails unless the fuzzer fails and its output holds the text.
expect_failure() { # what, text, command...
    local what="$1" text="$2" log="$FUZZ/logs/self-test.log"
    shift 2
    if "$@" >"$log" 2>&1; then die "self-test: not so: $what"; fi
    grep -qF -e "$text" "$log" || die "self-test: not so, but something else happened: $what; see ${log#"$ROOT"/}"
    say "self-test: $what"
}

self_test() { # name...
    local scratch="$FUZZ/self-test" name program landmark planted builder count=0
    # As in a real run; no seed has the form that the planted bugs wait for. Finding them takes up to half a minute of a
    # processor.
    planted=(
        "${LIMITS[@]}" -max_total_time=600 -artifact_prefix="$scratch/" -dict="$ROOT/Fuzzing/Dictionaries/JSONText.dict"
        "$scratch/corpus" "$ROOT/Fuzzing/Seeds/JSONText"
    )
    rm -rf "$scratch"
    mkdir -p "$scratch/corpus" "$scratch/empty" "$FUZZ/logs"
    # Meanwhile: the search for the planted bugs keeps one processor busy.
    build_all "$@" &
    builder=$!
    program="$(build JSONText -D PLANTED_TRAP)"
    expect_failure "found a planted trap" "a planted trap" "$program" "${planted[@]}"
    mkdir -p "$scratch/logs"
    cp "$FUZZ/logs/self-test.log" "$scratch/logs/JSONText.log"
    expect_failure "the table says how to reproduce it" "--reproduce JSONText $scratch/crash-" \
        python3 "$ROOT/scripts/lib/fuzz-report.py" "$scratch" JSONText=77
    expect_failure "reproduced it from the input that was kept" "a planted trap" "$program" "$scratch"/crash-*
    program="$(build JSONText -D PLANTED_OVERREAD)"
    expect_failure "found a planted read behind a buffer" "heap-buffer-overflow" "$program" "${planted[@]}"
    wait "$builder"
    for name in "$@"; do
        program="$(build "$name")"
        while IFS= read -r landmark; do
            count=$((count + 1))
            BENJI_FUZZ_LANDMARK="$landmark" expect_failure "$name reached $landmark" "reached: $landmark" \
                "$program" -runs=0 -artifact_prefix="$scratch/" "$scratch/empty" "$ROOT/Fuzzing/Seeds/$name"
        done < <(sed -nE 's/.*reached\("([^"]+)"\).*/\1/p' "$ROOT/Fuzzing/Targets/$name.swift")
    done
    rm -rf "$scratch"
    [ "$count" -ge "$#" ] || die "self-test: a target without a landmark shows nothing"
    say "self-test: both planted bugs were found, and the seeds reach all $count landmarks of $# targets"
}

reproduce() { # name, file...
    local name="$1" file
    shift
    [ "$#" -gt 0 ] || die "$USAGE"
    for file in "$@"; do [ -f "$file" ] || die "there is no file $file"; done
    exec "$(build "$name")" "${LIMITS[@]}" "$@"
}

coverage() { # name...
    local folder="$FUZZ/coverage/profiles" tools name program files pairs=()
    tools="$(dirname "$(readlink -f "$(command -v swiftc)")")"
    mkdir -p "$folder"
    for name in "$@"; do
        program="$(FUZZ_COVERAGE=1 build "$name")"
        mkdir -p "$FUZZ/corpus/$name"
        LLVM_PROFILE_FILE="$folder/$name.profraw" "$program" "${LIMITS[@]}" -runs=0 \
            "$FUZZ/corpus/$name" "$ROOT/Fuzzing/Seeds/$name" >"$FUZZ/logs/coverage.log" 2>&1 ||
            die "$name fails on what it has learnt, see .build-fuzz/logs/coverage.log"
        "$tools/llvm-profdata" merge -o "$folder/$name.profdata" "$folder/$name.profraw"
        mapfile -t files < <(sed -nE "s|^// Covers: |$ROOT/|p" "$ROOT/Fuzzing/Targets/$name.swift")
        "$tools/llvm-cov" export "$program" -instr-profile="$folder/$name.profdata" "${files[@]}" >"$folder/$name.json"
        pairs+=("$name=$folder/$name.json")
    done
    python3 "$ROOT/scripts/lib/fuzz-coverage.py" "$ROOT" "${pairs[@]}"
}

# Becomes one fuzzer, its output in its log.
become() { # name
    local name="$1" words=()
    mkdir -p "$FUZZ/corpus/$name" "$FUZZ/findings/$name"
    [ -f "$ROOT/Fuzzing/Dictionaries/$name.dict" ] && words=(-dict="$ROOT/Fuzzing/Dictionaries/$name.dict")
    exec "$FUZZ/bin/$name" "${LIMITS[@]}" "${words[@]}" -max_len="$(longest "$name")" \
        -max_total_time="$SECONDS_EACH" -use_value_profile=1 -print_final_stats=1 \
        -artifact_prefix="$FUZZ/findings/$name/" "$FUZZ/corpus/$name" "$ROOT/Fuzzing/Seeds/$name" \
        >"$FUZZ/logs/$name.log" 2>&1
}

SECONDS_EACH=60
case "${1:-}" in
    --self-test) shift; [ "$#" -gt 0 ] || set -- "${ALL[@]}"; self_test "$@"; exit ;;
    --coverage) shift; [ "$#" -gt 0 ] || set -- "${ALL[@]}"; coverage "$@"; exit ;;
    --reproduce) [ "$#" -ge 3 ] || die "$USAGE"; shift; reproduce "$@" ;;
    '' | [0-9]*) [ "$#" -eq 0 ] || { SECONDS_EACH="$1"; shift; } ;;
    -*) die "$USAGE" ;;
esac
[[ "$SECONDS_EACH" =~ ^[1-9][0-9]*$ ]] || die "$USAGE" "SECONDS is a whole number above zero."
NAMES=("$@")
[ "$#" -gt 0 ] || NAMES=("${ALL[@]}")
"$ROOT/scripts/setup.sh" --quiet --for test
mkdir -p "$FUZZ/logs"
build_all "${NAMES[@]}"

declare -A RUNNING=() STATUS=()
trap 'kill "${!RUNNING[@]}" 2>/dev/null; exit 130' INT TERM
finish_one() {
    local pid status=0
    wait -n -p pid "${!RUNNING[@]}" || status=$?
    STATUS["${RUNNING[$pid]}"]="$status"
    unset "RUNNING[$pid]"
}
for name in "${NAMES[@]}"; do
    [ "${#RUNNING[@]}" -lt "$JOBS" ] || finish_one
    say "fuzzing $name, $SECONDS_EACH seconds"
    become "$name" &
    RUNNING[$!]="$name"
done
while [ "${#RUNNING[@]}" -gt 0 ]; do finish_one; done

RESULTS=()
for name in "${NAMES[@]}"; do RESULTS+=("$name=${STATUS[$name]}"); done
exec python3 "$ROOT/scripts/lib/fuzz-report.py" "$FUZZ" "${RESULTS[@]}"
