# Thin wrappers: each target is one script in scripts/, where the work and its explanation are.
ARGS ?=
.DEFAULT_GOAL := help
ROUNDS ?= 200
.PHONY: help setup build demo test proof shake renew lint format fuzz lab soak kill-storm cluster-storm cluster-tests page-tests power-cut mutate bench face-models deb image release check check-apple check-release xcframeworks npm docs clean

help:
	@scripts/help.sh
setup:
	@scripts/setup.sh
build:
	@scripts/build.sh $(ARGS)
demo:
	@scripts/demo.sh $(ARGS)
test:
	@scripts/test.sh $(ARGS)
proof:
	@scripts/proof.sh $(if $(PART),--part $(PART)) $(ARGS)
shake:
	@scripts/shake.sh $(ARGS)
renew:
	@scripts/renew.sh $(ARGS)
lint:
	@scripts/lint.sh
format:
	@scripts/format.sh
fuzz:
	@scripts/fuzz.sh $(SECONDS) $(ARGS)
lab:
	@scripts/lab.sh $(ARGS)
soak:
	@scripts/soak.sh $(SECONDS) $(ARGS)
kill-storm:
	@scripts/kill-storm.sh --rounds $(ROUNDS) $(ARGS)
cluster-storm:
	@scripts/cluster-storm.sh --rounds $(ROUNDS) $(ARGS)
cluster-tests:
	@scripts/cluster-tests.sh $(ARGS)
page-tests:
	@scripts/page-tests.sh $(ARGS)
power-cut:
	@scripts/power-cut.sh --rounds $(ROUNDS) $(ARGS)
mutate:
	@scripts/mutate.sh $(ARGS)
bench:
	@scripts/bench.sh $(ARGS)
face-models:
	@scripts/face-models.sh $(ARGS)
deb:
	@scripts/deb.sh $(ARGS)
image:
	@scripts/image.sh $(ARGS)
release:
	@scripts/release.sh $(ARGS)
check:
	@scripts/check.sh
check-apple:
	@scripts/check-apple.sh "$(SDK)"
check-release:
	@scripts/lib/check-optimised.py --self-test && scripts/lib/check-optimised.py $(ARGS)
xcframeworks:
	@scripts/xcframeworks.sh $(ARGS)
docs:
	@scripts/docs.sh $(ARGS)
npm:
	@scripts/lib/pack-npm.py .build-npm
clean:
	@scripts/clean.sh
