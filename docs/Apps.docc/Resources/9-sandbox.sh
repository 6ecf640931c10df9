make demo ARGS=--sandbox-only
