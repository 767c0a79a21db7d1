# hypershift-ts. `make help` lists what there is.
.DEFAULT_GOAL := help
.PHONY: help install build up down test check bench crds format clean

DATA_DIR ?= .hypershift/up
SECURE_PORT ?= 0

help: ## Show this help
	@awk -F':.*## ' '/^[a-z]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

node_modules/.package-lock.json: package-lock.json package.json $(wildcard packages/*/*/package.json)
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

install: node_modules/.package-lock.json ## Install the locked dependencies

build: install ## Bundle the program into dist/
	@node scripts/build.mjs

up: build ## Start a management cluster with a hosted cluster and nodes, and say how to use them
	@bin/hypershift up --data-dir $(DATA_DIR) --secure-port $(SECURE_PORT)

down: ## Stop what `make up` started; its state stays
	@bin/hypershift down --data-dir $(DATA_DIR)

test: build ## Run all tests
	@node scripts/test.mjs

check: install ## Types, lint, format, boundaries between rooms
	npx tsc --noEmit -p tsconfig.json
	npx oxlint --deny-warnings
	npx biome format .
	node scripts/check-boundaries.mjs
	node scripts/crds.mjs --check

bench: build ## Measure hot paths against limits measured in the same run
	@node scripts/bench.mjs

crds: install ## Generate deploy/crds/ and docs/reference/api/ from the schemas
	@node scripts/crds.mjs

format: install ## Rewrite sources in the house format
	npx biome format --write .

clean: ## Remove build output (not state)
	rm -rf dist .cache coverage
