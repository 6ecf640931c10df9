#!/usr/bin/env bash
# Runs everything that must hold: the tests of both packages, then those against other people's programs in Tests/System, and beside
# these the checks that need no compiler's whole work, the fuzzers and a few changes of meaning. The last line counts all tests.
#
#   test.sh                   everything
#   test.sh -k redeem         what one change needs: Swift tests and system tests whose names have the word
#   test.sh [arguments]       arguments of pytest; without -k no Swift test runs
#
# Parts go side by side, because hardly one of them keeps every processor busy: docs/testing.md says which, and where the time goes.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

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

# Many tests run at once, each with a server or a database of its own: some thousands of descriptors, where a usual shell has 1,024.
wanted=32768
if [ "$(ulimit -Hn)" != unlimited ] && [ "$(ulimit -Hn)" -lt "$wanted" ]; then wanted="$(ulimit -Hn)"; fi
if [ "$(ulimit -Sn)" != unlimited ] && [ "$(ulimit -Sn)" -lt "$wanted" ]; then ulimit -Sn "$wanted"; fi

if [ "$(id -u)" -ne 0 ]; then
    say "not root: the tests that build networks, mount disks or capture packets will fail; run it as root for all of them"
fi

SCRATCH="$(mktemp -d)"
# What was found, a line each, by whichever part: "tests PASSED FAILED", "broken REASON", "time SECONDS OF-A-PROCESSOR PHASE".
FOUND="$SCRATCH/found"
: >"$FOUND"
# The parts in the background, each a process group, so that it ends with all that it started.
declare -A BACKGROUND=()
finish() {
    local group
    for group in "${BACKGROUND[@]}"; do kill -INT -- "-$group" 2>/dev/null || true; done
    # Each has a while to clean up. Who was begun with SIGINT ignored, as by a shell without job control, did not hear it.
    for group in "${BACKGROUND[@]}"; do
        for _ in $(seq 25); do
            kill -0 -- "-$group" 2>/dev/null || continue 2
            sleep 0.2
        done
        kill -TERM -- "-$group" 2>/dev/null || true
    done
    rm -rf "$SCRATCH"
}
trap finish EXIT

broken() { printf 'broken %s\n' "$*" >>"$FOUND"; }

# Seconds of a processor in what `times` says.
processor_seconds() { # file
    awk '{ for (at = 1; at <= 2; at++) { split($at, part, /[ms]/); all += 60 * part[1] + part[2] } } END { print int(all) }' "$1"
}

# Where the time goes: `phase NAME` ends the one before and begins another; without a name it only ends. What a phase uses of the
# processors is what the programs that this shell waited for used. So parts that go side by side are shells of their own.
NAMED=
phase() {
    local said="$SCRATCH/used.$BASHPID" used
    times >"$said"
    used="$(processor_seconds "$said")"
    if [ -n "$NAMED" ]; then printf 'time %d %d %s\n' "$((SECONDS - BEGUN))" "$((used - USED))" "$NAMED" >>"$FOUND"; fi
    BEGUN="$SECONDS" USED="$used" NAMED="${1:-}"
}

# Starts a part in the background. What it says is shown when it is awaited.
start() { # part, command...
    local part="$1"
    shift
    set -m
    "$@" >"$SCRATCH/said.$part" 2>&1 </dev/null &
    BACKGROUND[$part]=$!
    set +m
}

await() { # part, what it means that it failed
    local status=0
    wait "${BACKGROUND[$1]}" || status=$?
    unset "BACKGROUND[$1]"
    cat "$SCRATCH/said.$1"
    [ "$status" -eq 0 ] || broken "$2 (see above; status $status)"
}

# What comes from the network while others compile.
download() {
    phase "models of face login, and tools of PyPI"
    say "the models of face login and the portraits that its tests look at"
    "$ROOT/scripts/face-models.sh" --portraits ||
        broken "the models could not be fetched, so the tests of face matching will fail (make face-models)"
    "$ROOT/scripts/system-tests.sh" --tools || broken "the tools of PyPI could not be installed, so no system test will run"
    phase
}

# Runs tests that are built, shows them and counts them.
run_tests() { # name, command...
    local name="$1" status=0 passed failed log
    shift
    log="$SCRATCH/log.$BASHPID"
    if [ "$PART" -gt 0 ]; then
        [ -n "$WORDS" ] || return 0
        set -- "$@" --filter "$WORDS"
    fi
    say "testing $name"
    # Shown: what passed, what failed and what the tests print; not shown: that something started.
    "$@" 2>&1 | tee "$log" |
        sed -u -E '/^(◇|↳) /d; /^Test Suite /d; /Executed 0 tests/d' || status="${PIPESTATUS[0]}"
    # "Test run with 12 tests in 3 suites passed after 0.1 seconds."
    read -r passed failed < <(python3 "$ROOT/scripts/lib/count-tests.py" "$log")
    printf 'tests %d %d\n' "$passed" "$failed" >>"$FOUND"
    if [ "$((passed + failed))" -eq 0 ] && [ "$PART" -gt 0 ] && [ "$status" -eq 0 ]; then
        say "no test of $name has such a name"
    elif [ "$((passed + failed))" -eq 0 ]; then
        broken "$name: no test ran (it ended with $status)"
    elif [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
        broken "$name: the tests ended with $status although none is marked as failed"
    fi
}

# Builds the tests of a package; fails if it does not build.
build_package() { # name, folder
    phase "building the tests of $1"
    if ! python3 "$ROOT/scripts/lib/build-progress.py" "building the tests of $1" -- \
        swift build --build-tests --package-path "$2" "${DEBUG_BUILD[@]}"; then
        broken "$1 does not build"
        phase
        return 1
    fi
    phase
}

# Tests a package that is built.
#
# Some targets run alone, before the others: those that wait for a database, and those that keep both processors busy for minutes, so
# that others wait too long. For the same reason sixteen tests go at a time and not all of two thousand.
test_package() { # name, folder, [target...]
    local alone words=() width=(--experimental-maximum-parallelization-width 16)
    phase "testing $1"
    # Words of -k find their tests wherever they are.
    if [ "$PART" -eq 0 ]; then
        for alone in "${@:3}"; do
            run_tests "$1: $alone" swift test --skip-build --package-path "$2" "${width[@]}" --filter "^$alone\\."
            words+=(--skip "^$alone\\.")
        done
    fi
    run_tests "$1" swift test --skip-build --package-path "$2" "${width[@]}" "${words[@]}"
    phase
}

# The SDK, then its code for Apple's systems.
sdk() {
    if build_package "the SDK" "$ROOT"; then test_package "the SDK" "$ROOT"; fi
    phase "the code for Apple's systems, built and tested"
    run_tests "the code for Apple's systems, against stand-ins" "$ROOT/scripts/lib/test-standins.sh"
    phase
}

if [ ! -d "$ROOT/Server/.build/debug" ]; then
    say "the first build compiles every dependency: about ten minutes on two cores, later builds take seconds"
fi
say "beside the server's build: the SDK and its code for Apple's systems, and what comes from the network; shown when they are done"
start download download
start sdk sdk
BUILT=
# The page designer, a part of the server, carries the page engine as WebAssembly.
if "$ROOT/scripts/lib/build-wasm.sh" && (build_package "the server" "$ROOT/Server"); then BUILT=1; fi
await download "what comes from the network was not fetched to the end"
# Not beside other tests: some of these wait for what a database or a peer does in time.
await sdk "the tests of the SDK broke off"
if [ -n "$BUILT" ]; then (test_package "the server" "$ROOT/Server" StorePostgresTests FaceMatchingTests) || broken "the tests of the server broke off"; fi

# Runs something, unless code and scripts are as they were when it last ended well here.
unless_unchanged() { # name, command...
    local name="$1"
    shift
    "$ROOT/scripts/lib/unless_unchanged.py" "$name" Package.swift Sources Server/Package.swift Server/Sources Fuzzing scripts -- "$@"
}

# What needs processors but no quiet runs beside the system tests when nothing else wants to, so an input may take a while.
waiting() {
    # Not by nice: SwiftPM starts compilers with nice 0, whatever its own is.
    chrt --idle --pid 0 "$BASHPID"
    export FUZZ_CRYPTO=debug FUZZ_TIMEOUT=60
}

# Three chains, so that both processors have work when the system tests are done.
check() {
    waiting
    phase "beside: make check"
    "$ROOT/scripts/check.sh" || broken "the checks that need no compiler failed (make check)"
    phase "beside: the program without face login"
    say "the program compiles without face login too"
    if ! unless_unchanged number-only "$ROOT/scripts/lib/check-number-only.py" --self-test ||
        ! unless_unchanged number-only-check "$ROOT/scripts/lib/check-number-only.py"; then
        broken "without face login the program does not compile (scripts/lib/check-number-only.py)"
    fi
    phase
}

# Not those of what phones and pages read: BenjiClient and BenjiPage take the optimiser minutes. `make fuzz` has all.
FUZZED=(
    AppAttestObjects CMPassportRequests DeviceMessages FaceImages FaceMessages Journal JSONText LinkMessages ProxyProtocol RADIUSPacket
    SMPPPDU SignedStatements Values VendorRequests WebRequests
)
fuzz() {
    waiting
    phase "beside: the fuzzers"
    if ! unless_unchanged fuzz-self-test "$ROOT/scripts/fuzz.sh" --self-test "${FUZZED[@]}" ||
        ! unless_unchanged fuzz "$ROOT/scripts/fuzz.sh" 3 "${FUZZED[@]}"; then
        broken "a parser's fuzzer found something, or does its work no more (scripts/fuzz.sh 3)"
    fi
    phase
}

mutate() {
    waiting
    phase "beside: changes of meaning"
    # Not mutate.sh, which builds first: a build after a first one links the program again, and meanwhile no test would find it.
    python3 -B "$ROOT/scripts/mutate/run.py" --short ||
        broken "a change of meaning went unnoticed, or could not be tried (scripts/mutate.sh --short)"
    phase
}

if [ "$PART" -eq 0 ]; then
    say "beside the next tests: the checks, the program without face login, parsers under a fuzzer for a few seconds, and" \
        "a few small changes of meaning, each of which some test must notice; make fuzz and make mutate do more"
    start check check
    start fuzz fuzz
    start mutate mutate
fi

system_tests() {
    local status=0
    phase "system tests"
    say "the program in front of other people's, and what happens when it is killed or attacked: Tests/System"
    "$ROOT/scripts/system-tests.sh" "$@" || status=$?
    phase
    return "$status"
}
STATUS=0
(system_tests "$@") || STATUS=$?
if [ "$PART" -eq 0 ]; then
    BEGUN="$SECONDS"
    say "what ran beside them: checks"
    await check "the checks broke off"
    say "what ran beside them: fuzzers"
    await fuzz "the fuzzers broke off"
    say "what ran beside them: changes of meaning"
    await mutate "the changes of meaning broke off"
    printf 'time %d 0 what ran beside them, and was not done\n' "$((SECONDS - BEGUN))" >>"$FOUND"
fi
shopt -s nullglob
CHECKED=("$ROOT"/.build/system-tests*.xml)
if [ "${#CHECKED[@]}" -eq 0 ] && [ "$PART" -eq 0 ]; then
    broken "the system tests left no count of what they checked"
elif [ "${#CHECKED[@]}" -gt 0 ]; then
    if COUNTED="$(python3 "$ROOT/scripts/lib/count-tests.py" "${CHECKED[@]}")"; then
        printf 'tests %s\n' "$COUNTED" >>"$FOUND"
    else
        broken "what the system tests checked cannot be counted"
    fi
fi
read -r PASSED FAILED BROKEN < <(awk '/^tests / { passed += $2; failed += $3 } /^broken / { broken++ } END { print passed + 0, failed + 0, broken + 0 }' "$FOUND")
# A part may have Swift tests alone.
if [ "$STATUS" -eq 5 ] && [ "$PART" -gt 0 ] && [ "$((PASSED + FAILED))" -gt 0 ]; then STATUS=0; fi
if [ "$STATUS" -ne 0 ]; then
    broken "system tests failed, or did not run to their end (status $STATUS)"
    BROKEN=$((BROKEN + 1))
fi

times >"$SCRATCH/used"
say "seconds of each phase, and of a processor; parts go side by side"
sed -nE 's/^time ([0-9]+) ([0-9]+) (.*)/\1\t\2\t\3/p' "$FOUND" | while IFS=$'\t' read -r seconds used name; do
    printf '    %5d s %5d s  %s\n' "$seconds" "$used" "$name"
done
printf '    %5d s %5d s  altogether\n' "$SECONDS" "$(processor_seconds "$SCRATCH/used")"
sed -n 's/^broken /error: /p' "$FOUND" >&2
# A package that does not build or a run that broke off is a failure too, even where no test says so.
if [ "$FAILED" -lt "$BROKEN" ]; then FAILED="$BROKEN"; fi
printf '%d passed, %d failed\n' "$PASSED" "$FAILED"
[ "$FAILED" -eq 0 ] && [ "$PASSED" -gt 0 ]
