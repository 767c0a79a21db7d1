package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// A groupVersion is one entry of resources.json.
type groupVersion struct {
	Group     string     `json:"group"`
	Version   string     `json:"version"`
	Package   string     `json:"package,omitempty"`
	Namespace string     `json:"namespace,omitempty"`
	Resources []resource `json:"resources"`
}

type resource struct {
	Name         string        `json:"name"`
	Singular     string        `json:"singular"`
	Kind         string        `json:"kind"`
	Namespaced   bool          `json:"namespaced"`
	ShortNames   []string      `json:"shortNames,omitempty"`
	Categories   []string      `json:"categories,omitempty"`
	Verbs        []string      `json:"verbs"`
	Subresources []subresource `json:"subresources,omitempty"`
}

// A subresource's Kind is the parent's when empty, `Kind` of the same group-version, or `group/version/Kind`.
type subresource struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"`
	Group   string   `json:"group,omitempty"`
	Version string   `json:"version,omitempty"`
	Verbs   []string `json:"verbs"`
}

var allVerbs = []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}

func readResources(file string) ([]groupVersion, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var groupVersions []groupVersion
	if err := decoder.Decode(&groupVersions); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for g := range groupVersions {
		for r := range groupVersions[g].Resources {
			res := &groupVersions[g].Resources[r]
			res.Singular = strings.ToLower(res.Kind)
			if res.Verbs == nil {
				res.Verbs = allVerbs
			}
			for s := range res.Subresources {
				sub := &res.Subresources[s]
				if sub.Kind == "" {
					sub.Kind = res.Kind
				}
				if parts := strings.Split(sub.Kind, "/"); len(parts) == 3 {
					sub.Group, sub.Version, sub.Kind = parts[0], parts[1], parts[2]
				}
			}
		}
	}
	return groupVersions, nil
}

// resourcesJSON prints one resource a line, so that a change is one line of diff.
func resourcesJSON(groupVersions []groupVersion) []byte {
	var out bytes.Buffer
	out.WriteString("[\n")
	for g, gv := range groupVersions {
		fmt.Fprintf(&out, "{\"group\":%q,\"version\":%q,\"resources\":[\n", gv.Group, gv.Version)
		for r, res := range gv.Resources {
			line, err := json.Marshal(res)
			if err != nil {
				panic(err) // plain strings and booleans always marshal
			}
			out.Write(line)
			out.WriteString(commaUnlessLast(r, len(gv.Resources)))
		}
		out.WriteString("]}")
		out.WriteString(commaUnlessLast(g, len(groupVersions)))
	}
	out.WriteString("]\n")
	return out.Bytes()
}

func commaUnlessLast(index, length int) string {
	if index < length-1 {
		return ",\n"
	}
	return "\n"
}
