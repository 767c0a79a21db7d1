package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"hypershift-ts/tools/generate-kinds/internal/definitions"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/endpoints/openapi"
	"k8s.io/kube-openapi/pkg/builder3"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

const refPrefix = "#/components/schemas/"

// schemaTable maps definition names to OpenAPI v3 schemas without prose.
type schemaTable map[string]map[string]any

func nilRef(string) spec.Ref { return spec.Ref{} }

func buildSchemas(k *kinds) (schemaTable, enumTable, error) {
	all, err := newScheme()
	if err != nil {
		return nil, nil, err
	}
	namer := openapi.NewDefinitionNamer([]*runtime.Scheme{all}...)
	config := &common.OpenAPIV3Config{
		GetDefinitions:    definitions.GetOpenAPIDefinitions,
		GetDefinitionName: namer.GetDefinitionName,
	}
	known := definitions.GetOpenAPIDefinitions(nilRef)
	var names []string
	for _, root := range k.roots() {
		name := definitionName(root)
		if _, ok := known[name]; ok {
			names = append(names, name)
		}
	}
	built, err := builder3.BuildOpenAPIDefinitionsForResources(config, names...)
	if err != nil {
		return nil, nil, err
	}
	for gvk, goType := range k.byGVK {
		name := definitionName(goType)
		if built[name] == nil {
			return nil, nil, fmt.Errorf("%s: no OpenAPI definition %s", gvk, name)
		}
	}
	table := schemaTable{}
	enums := enumTable{}
	for name, schema := range built {
		data, err := schema.MarshalJSON()
		if err != nil {
			return nil, nil, err
		}
		var plain map[string]any
		if err := json.Unmarshal(data, &plain); err != nil {
			return nil, nil, err
		}
		stripProse(plain, false)
		enums.takeFrom(name, plain)
		dropForeignKinds(plain, k)
		table[name] = plain
	}
	for name, schema := range table {
		if err := checkRefs(name, schema, table); err != nil {
			return nil, nil, err
		}
	}
	return table, enums, nil
}

// stripProse removes descriptions, but not a property that happens to be called "description".
func stripProse(value any, isPropertyMap bool) {
	switch v := value.(type) {
	case map[string]any:
		if !isPropertyMap {
			delete(v, "description")
		}
		for key, child := range v {
			stripProse(child, key == "properties" && !isPropertyMap)
		}
	case []any:
		for _, child := range v {
			stripProse(child, false)
		}
	}
}

// dropForeignKinds keeps of x-kubernetes-group-version-kind only the served group-versions.
func dropForeignKinds(schema map[string]any, k *kinds) {
	entries, ok := schema["x-kubernetes-group-version-kind"].([]any)
	if !ok {
		return
	}
	served := map[string]bool{}
	for gvk := range k.byGVK {
		served[gvk.Group+"/"+gvk.Version] = true
	}
	kept := []any{}
	for _, entry := range entries {
		e := entry.(map[string]any)
		if served[e["group"].(string)+"/"+e["version"].(string)] {
			kept = append(kept, entry)
		}
	}
	schema["x-kubernetes-group-version-kind"] = kept
}

func checkRefs(owner string, value any, table schemaTable) error {
	switch v := value.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			if _, exists := table[strings.TrimPrefix(ref, refPrefix)]; !exists {
				return fmt.Errorf("%s: unresolved reference %s", owner, ref)
			}
		}
		for _, child := range v {
			if err := checkRefs(owner, child, table); err != nil {
				return err
			}
		}
	case []any:
		for _, child := range v {
			if err := checkRefs(owner, child, table); err != nil {
				return err
			}
		}
	}
	return nil
}

// json prints {"kinds": {"apps/v1/Deployment": name}, "schemas": {name: schema}}, one entry a line.
func (t schemaTable) json(k *kinds) []byte {
	kindNames := map[string]any{}
	for gvk, goType := range k.byGVK {
		if name := definitionName(goType); t[name] != nil {
			kindNames[gvk.Group+"/"+gvk.Version+"/"+gvk.Kind] = name
		}
	}
	schemas := map[string]any{}
	for name, schema := range t {
		schemas[name] = schema
	}
	var out bytes.Buffer
	out.WriteString("{\"kinds\":{\n")
	writeEntries(&out, kindNames)
	out.WriteString("},\"schemas\":{\n")
	writeEntries(&out, schemas)
	out.WriteString("}}\n")
	return out.Bytes()
}

func writeEntries(out *bytes.Buffer, entries map[string]any) {
	keys := sortedKeys(entries)
	for i, key := range keys {
		var line bytes.Buffer
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(entries[key]); err != nil {
			panic(err) // only maps, slices, strings and numbers reach here
		}
		fmt.Fprintf(out, "%q:%s%s", key, bytes.TrimSpace(line.Bytes()), commaUnlessLast(i, len(keys)))
	}
}

func sortedKeys[T any](entries map[string]T) []string {
	keys := make([]string, 0, len(entries))
	for key := range entries {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
