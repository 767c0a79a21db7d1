#!/bin/sh
# Regenerates packages/kube/apimachinery/src/builtin/generated from the Go modules named in go.mod.
set -eu
cd "$(dirname "$0")"

# scheduling/v1alpha3 is not served, but batch/v1 refers to its types.
packages=$(grep -o '"package": *"[^"]*"' resources.json | cut -d\" -f4)
packages="$packages
k8s.io/api/scheduling/v1alpha3
k8s.io/apimachinery/pkg/api/resource
k8s.io/apimachinery/pkg/apis/meta/v1
k8s.io/apimachinery/pkg/runtime
k8s.io/apimachinery/pkg/util/intstr
k8s.io/apimachinery/pkg/version"

report=$(mktemp)
trap 'rm -f "$report"' EXIT
# shellcheck disable=SC2086
go run k8s.io/kube-openapi/cmd/openapi-gen \
  --go-header-file /dev/null \
  --output-dir internal/definitions \
  --output-pkg hypershift-ts/tools/generate-kinds/internal/definitions \
  --output-file zz_generated.openapi.go \
  --report-filename "$report" \
  $packages

go run . -resources resources.json -out ../../packages/kube/apimachinery/src/builtin/generated

go run ./sparse-objects -out ../../packages/kube/apimachinery/src/protobuf/generated/sparse-objects.json
