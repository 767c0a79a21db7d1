package main

import "bytes"

// enumTable holds the values of enumerated fields: definition name, then field.
//
// They are kept apart from the schemas because an API server publishes them for `kubectl explain` but checks
// them in each kind's own validation, with that kind's own message.
type enumTable map[string]map[string]any

// takeFrom moves the enums of a definition's fields (or of a field's items or map values) into the table.
func (t enumTable) takeFrom(name string, schema map[string]any) {
	properties, _ := schema["properties"].(map[string]any)
	for key, value := range properties {
		property := value.(map[string]any)
		for _, holder := range []any{property, property["items"], property["additionalProperties"]} {
			inner, ok := holder.(map[string]any)
			if !ok || inner["enum"] == nil {
				continue
			}
			if t[name] == nil {
				t[name] = map[string]any{}
			}
			t[name][key] = inner["enum"]
			delete(inner, "enum")
		}
	}
}

func (t enumTable) json() []byte {
	entries := map[string]any{}
	for name, fields := range t {
		entries[name] = fields
	}
	var out bytes.Buffer
	out.WriteString("{\n")
	writeEntries(&out, entries)
	out.WriteString("}\n")
	return out.Bytes()
}
