#!/usr/bin/env bash
# Runs everything that must hold: the checks that need no compiler, the tests of both packages, then the tests against
# other people's programs in Tests/System. The last line counts them all.
#
#   test.sh                   everything
#   test.sh -k redeem         what one change needs: Swift tests and system tests whose names have the word
#   test.sh [arguments]       arguments of pytest; without -k no Swift test runs
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# Where the time goes, for the end: `phase NAME` ends the one before and begins another.
BEGUN="$SECONDS"
NAMED=setup
TIMES=()
phase() {
    TIMES+=("$((SECONDS - BEGUN)) $NAMED")
    BEGUN="$SECONDS"
    NAMED="$1"
}

"$ROOT/scripts/setup.sh"

# With arguments a part only. Words of -k, which pytest joins by "or", become a pattern of `swift test`.
PART="$#"
WORDS=
for ((at = 1; at < $#; at++)); do
    if [ "${!at}" = -k ]; then
        next=$((at + 1))
        WORDS="(?i)${!next// or /|}"
    fi
done

# Many tests run at once, each with a server or a database of its own: more than the 1,024 descriptors of a usual shell.
wanted=8192
if [ "$(ulimit -Hn)" != unlimited ] && [ "$(ulimit -Hn)" -lt "$wanted" ]; then wanted="$(ulimit -Hn)"; fi
if [ "$(ulimit -Sn)" != unlimited ] && [ "$(ulimit -Sn)" -lt "$wanted" ]; then ulimit -Sn "$wanted"; fi

if [ "$(id -u)" -ne 0 ]; then
    say "not root: the tests that build networks, mount disks or capture packets will fail; run it as root for all of them"
fi

LOG="$(mktemp)"
trap 'rm -f "$LOG"' EXIT
PASSED=0
FAILED=0
BROKEN=()

phase "checks"
if [ "$PART" -eq 0 ] && ! "$ROOT/scripts/check.sh"; then
    FAILED=1
    BROKEN+=("the checks that need no compiler failed (make check)")
fi

phase "models of face login"
say "the models of face login and the portraits that its tests look at"
if ! "$ROOT/scripts/face-models.sh" --portraits; then
    FAILED=1
    BROKEN+=("the models could not be fetched, so the tests of face matching will fail (make face-models)")
fi

# Counts the tests of one run from its output: "Test run with 12 tests in 3 suites passed after 0.1 seconds."
count() { python3 "$ROOT/scripts/lib/count-tests.py" "$LOG"; }

# Runs tests that are built, shows them and counts them.
run_tests() { # name, command...
    local name="$1" status=0 passed failed
    shift
    if [ "$PART" -gt 0 ]; then
        [ -n "$WORDS" ] || return 0
        set -- "$@" --filter "$WORDS"
    fi
    say "testing $name"
    # Shown: what passed, what failed and what the tests print; not shown: that something started.
    "$@" 2>&1 | tee "$LOG" |
        sed -u -E '/^(◇|↳) /d; /^Test Suite /d; /Executed 0 tests/d' || status="${PIPESTATUS[0]}"
    read -r passed failed < <(count)
    PASSED=$((PASSED + passed))
    FAILED=$((FAILED + failed))
    if [ "$((passed + failed))" -eq 0 ] && [ "$PART" -gt 0 ] && [ "$status" -eq 0 ]; then
        say "no test of $name has such a name"
    elif [ "$((passed + failed))" -eq 0 ]; then
        BROKEN+=("$name: no test ran (it ended with $status)")
    elif [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
        BROKEN+=("$name: the tests ended with $status although none is marked as failed")
    fi
}

run_package() { # name, folder
    local name="$1" folder="$2"
    phase "building the tests of $name"
    if ! python3 "$ROOT/scripts/lib/build-progress.py" "building the tests of $name" -- \
        swift build --build-tests --package-path "$folder"; then
        BROKEN+=("$name does not build")
        return
    fi
    phase "testing $name"
    run_tests "$name" swift test --skip-build --package-path "$folder"
}

if [ ! -d "$ROOT/Server/.build/debug" ]; then
    say "the first build compiles every dependency: about ten minutes on two cores, later builds take seconds"
fi
run_package "the SDK" "$ROOT"
phase "the code for Apple's systems, built and tested"
run_tests "the code for Apple's systems, against stand-ins" "$ROOT/scripts/lib/test-standins.sh"
run_package "the server" "$ROOT/Server"

# Runs something, unless code and scripts are as they were when it last ended well here.
unless_unchanged() { # name, command...
    local name="$1"
    shift
    "$ROOT/scripts/lib/unless_unchanged.py" "$name" Package.swift Sources Server/Package.swift Server/Sources Fuzzing scripts -- "$@"
}

# What needs processors but no quiet. It runs beside the system tests when nothing else wants to, so an input may take a while.
beside() {
    # Not by nice: SwiftPM starts compilers with nice 0, whatever its own is.
    chrt --idle --pid 0 "$BASHPID"
    export FUZZ_CRYPTO=debug FUZZ_TIMEOUT=60
    local status=0
    say "the program compiles without face login too"
    if ! unless_unchanged number-only "$ROOT/scripts/lib/check-number-only.py" --self-test ||
        ! unless_unchanged number-only-check "$ROOT/scripts/lib/check-number-only.py"; then
        say "error: without face login the program does not compile (scripts/lib/check-number-only.py)"
        status=1
    fi
    if ! unless_unchanged fuzz-self-test "$ROOT/scripts/fuzz.sh" --self-test ||
        ! unless_unchanged fuzz "$ROOT/scripts/fuzz.sh" 5; then
        say "error: a parser's fuzzer found something, or does its work no more (scripts/fuzz.sh 5)"
        status=1
    fi
    if ! "$ROOT/scripts/mutate.sh" --short; then
        say "error: a change of meaning went unnoticed, or could not be tried (scripts/mutate.sh --short)"
        status=1
    fi
    return "$status"
}
BESIDE=
SAID="$(mktemp)"
trap '[ -z "$BESIDE" ] || kill -INT -- "-$BESIDE" 2>/dev/null; rm -f "$LOG" "$SAID"' EXIT

if [ "$PART" -eq 0 ]; then
    say "beside the next tests: the program without face login, every parser under a fuzzer for a few seconds, and twelve small" \
        "changes of meaning, each of which some test must notice; make fuzz and make mutate do more"
    # A process group of its own, so that it ends with all that it started.
    set -m
    beside >"$SAID" 2>&1 </dev/null &
    BESIDE=$!
    set +m
fi
phase "system tests"
say "the program in front of other people's, and what happens when it is killed or attacked: Tests/System"
STATUS=0
"$ROOT/scripts/system-tests.sh" "$@" || STATUS=$?
if [ -n "$BESIDE" ]; then
    phase "what ran beside them, and was not done"
    say "what ran beside them"
    wait "$BESIDE" || BROKEN+=("what ran beside the system tests failed (see above)")
    BESIDE=
    cat "$SAID"
fi
shopt -s nullglob
CHECKED=("$ROOT"/.build/system-tests*.xml)
if [ "${#CHECKED[@]}" -gt 0 ]; then
    read -r passed failed < <(python3 "$ROOT/scripts/lib/count-tests.py" "${CHECKED[@]}")
    PASSED=$((PASSED + passed))
    FAILED=$((FAILED + failed))
fi
# A part may have Swift tests alone.
if [ "$STATUS" -eq 5 ] && [ "$PART" -gt 0 ] && [ "$((PASSED + FAILED))" -gt 0 ]; then STATUS=0; fi
if [ "$STATUS" -ne 0 ]; then BROKEN+=("system tests failed, or did not run to their end (status $STATUS)"); fi

phase end
say "seconds of each phase:"
printf '    %s\n' "${TIMES[@]}"
for reason in ${BROKEN[@]+"${BROKEN[@]}"}; do printf 'error: %s\n' "$reason" >&2; done
# A package that does not build or a run that broke off is a failure too, even where no test says so.
if [ "$FAILED" -lt "${#BROKEN[@]}" ]; then FAILED="${#BROKEN[@]}"; fi
printf '%d passed, %d failed\n' "$PASSED" "$FAILED"
[ "$FAILED" -eq 0 ] && [ "$PASSED" -gt 0 ]
