#!/usr/bin/env bash
# Prints the commands of `make`.
set -euo pipefail
cat <<'TEXT'
Benji: phone-number login that you can host, test and trust.

Start here
  make demo                 build it, watch logins, then try them on a page; no SIM, no account, nothing to configure
  make demo ARGS=--once     the same logins without the page, then it ends
  make demo ARGS=--cluster  over two nodes of an authority, a gateway and a PostgreSQL of its own
  make test                 what must always hold, before each commit; the last line counts. ARGS="-k redeem" for what
                            one change needs

While you work
  make proof                what make test leaves out: kills, clusters, browsers, faces, other people's programs,
                            fuzzing and more, in recorded parts; as root. PART=kills for one part, ARGS=--status for
                            what is valid
  make shake ARGS=9         the tests of make test that often, under load, on one core, with few descriptors and more
  make renew                writes all generated pages and tables of figures again
  make build                the server and its tools; ARGS="release", or ARGS="debug Authority" for one target
  make check                what needs no build: layout, imports against the manifests, what an app resolves, whether
                            the threat model quotes tests that exist
  make lint                 the layout only
  make format               repair the layout in place
  make fuzz SECONDS=600     every parser under libFuzzer and AddressSanitizer, 600 seconds each (60 by default)
  make lab                  a carrier's network from namespaces, a login on it, and what attackers and bad links can do;
                            as root. ARGS=--keep leaves it standing and says how to enter it
  make kill-storm ROUNDS=500  kill -9 that often while addresses change hands, and again while tokens are spent
                            (200 by default); ARGS="--report FILE" writes down what was found
  make cluster-storm ROUNDS=50  gateways, nodes of their authority and of PostgreSQL under Patroni, and HAProxy are
                            killed, paused and cut off at random (200 by default, some fifteen seconds each);
                            ARGS="--report FILE" writes down what was found
  make power-cut ROUNDS=2000  power cuts at that many moments of a storm: what is left must hold all that was answered
  make mutate               200 small changes of meaning in the code that decides who is who: which does no test notice?
                            As root, about an hour. ARGS="--only Gateway --count 20" for some, ARGS=--help for all
                            options
  make soak SECONDS=1800    logins at half the rate that the machine keeps up with; is memory flat? Report and plot go
                            to docs/reports/
  make cluster-tests        the tests of logins, vendors' interfaces, OpenID, CAMARA and face login on such a cluster,
                            some ten minutes; as root. ARGS=test_openid.py for some
  make page-tests           every web page in every size from 320 to 3840 pixels, in light and dark, in each language,
                            by axe-core; ARGS="--pictures DIR" keeps pictures
  make bench                how fast it is, beside nginx, FreeRADIUS and SQLite, as ratios with their spread; some
                            minutes. ARGS="--only Login" for one, ARGS="--compare FILE" for a second run,
                            ARGS=--help for all

Now and then
  make face-models          fetch, check and convert the models of face login (150 MB to fetch, 55 MB kept in .face);
                            without them everything else works. ARGS=--portraits brings the faces that tests look at
  make deb                  the Debian package of the service, from a release build, into .build/packages: program,
                            unit, manual page. ARGS=--debug for the debug build
  make image                a container image of the same, as an OCI archive beside it; it asks no registry
  make release              both, benji.js, the bill of materials, the release's notes and SHA256SUMS, in
                            .build/release/VERSION
  make check-apple SDK=/path/to/iPhoneOS18.0.sdk  type-check what phones run against an SDK of Apple's that lies outside
                            of this repository; some minutes, and no file of it stays
  make check-release        run the optimiser over every target of the product: shows in two minutes whether a release
                            can be built
  make docs                 the documentation as a site, in .build-docs/site: guides by reader, a page for each result
                            code, the SDK's modules by DocC; every link is followed. ARGS=--without-api leaves the
                            modules out
  make npm                  benji.js with its types as an npm package, in .build-npm
  make xcframeworks         XCFrameworks of the SDK, on a Mac; ARGS=SuperIDSDK for another product, ARGS=--dry-run to
                            see the commands
  make setup                install missing Debian packages (the other targets do it by themselves)
  make clean                remove build folders; data is never touched

The first build takes about ten minutes on two cores, later ones seconds.
Each target is the script of its name in scripts/; scripts/system-tests.sh runs the tests of Tests/System alone.
docs/architecture.md says where to start reading.
TEXT
