package main

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// A field is one protobuf field of a message:
// [number, JSON name, type, flags, message name when type is "message"].
// Flags: o omitempty, z omitzero, p pointer, r repeated, m map with string keys, i inlined into its parent.
type field []any

// messageTable maps definition names to fields in Go's order, which is the order of Go's JSON.
type messageTable map[string][]field

// special are types whose JSON is not the plain sum of their fields; the decoder knows each by this name.
var special = map[string]string{
	"k8s.io/apimachinery/pkg/api/resource.Quantity":                                         "quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString":                                       "intOrString",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":                                             "time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":                                        "microTime",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":                                         "duration",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":                                         "rawJson",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":                                          "rawJson",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON":                         "rawJson",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool":        "schemaOrBool",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray":       "schemaOrArray",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray": "schemaOrStrings",
}

var plainMarshalers = map[string]bool{
	// Only moves keys that Go could not express as a struct tag; the fields themselves are plain.
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaProps": true,
}

func buildMessages(k *kinds) (messageTable, error) {
	table := messageTable{}
	for _, root := range k.roots() {
		if isMessage(root) {
			if err := table.add(root); err != nil {
				return nil, err
			}
		}
	}
	return table, nil
}

// isMessage says whether a type has a protobuf form of its own; gogo's generated method tells.
func isMessage(goType reflect.Type) bool {
	_, ok := reflect.PointerTo(goType).MethodByName("MarshalToSizedBuffer")
	return ok
}

func (t messageTable) add(goType reflect.Type) error {
	name := definitionName(goType)
	if _, done := t[name]; done {
		return nil
	}
	t[name] = nil // stops recursion on cyclic types
	if goType.Kind() != reflect.Struct {
		return fmt.Errorf("%s is not a struct", name)
	}
	if _, custom := reflect.PointerTo(goType).MethodByName("MarshalJSON"); custom && !plainMarshalers[goTypeName(goType)] {
		return fmt.Errorf("%s has its own JSON form and is not listed as special", name)
	}
	fields := []field{}
	for i := range goType.NumField() {
		structField := goType.Field(i)
		if isTypeMeta(structField) {
			continue
		}
		f, err := t.describe(structField)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", name, structField.Name, err)
		}
		if f != nil {
			fields = append(fields, f)
		}
	}
	t[name] = fields
	return nil
}

func (t messageTable) describe(structField reflect.StructField) (field, error) {
	tag := structField.Tag.Get("protobuf")
	jsonName, jsonFlags, _ := strings.Cut(structField.Tag.Get("json"), ",")
	if tag == "-" || tag == "" && jsonName == "-" {
		return nil, nil
	}
	parts := strings.Split(tag, ",")
	number, err := strconv.Atoi(at(parts, 1))
	if err != nil {
		return nil, fmt.Errorf("protobuf tag %q has no field number", tag)
	}
	flags := ""
	if strings.Contains(jsonFlags, "omitempty") {
		flags += "o"
	}
	if strings.Contains(jsonFlags, "omitzero") {
		flags += "z"
	}
	if jsonName == "" {
		if !structField.Anonymous {
			return nil, fmt.Errorf("no JSON name")
		}
		flags += "i"
	}
	goType := structField.Type
	if goType.Kind() == reflect.Pointer {
		flags += "p"
		goType = goType.Elem()
	}
	if goType.Kind() == reflect.Map {
		if goType.Key().Kind() != reflect.String {
			return nil, fmt.Errorf("map with %s keys", goType.Key())
		}
		flags += "m"
		goType = goType.Elem()
	} else if goType.Kind() == reflect.Slice && goType.Elem().Kind() != reflect.Uint8 && !isMessage(goType) {
		flags += "r"
		goType = goType.Elem()
	}
	kind, message, err := t.typeOf(goType)
	if err != nil {
		return nil, err
	}
	f := field{number, jsonName, kind, flags}
	if message != "" {
		f = append(f, message)
	}
	return f, nil
}

func (t messageTable) typeOf(goType reflect.Type) (kind, message string, err error) {
	if kind := special[goTypeName(goType)]; kind != "" {
		if strings.HasPrefix(kind, "schemaOr") {
			schemaProps, _ := goType.FieldByName("Schema")
			message = definitionName(schemaProps.Type.Elem())
			err = t.add(schemaProps.Type.Elem())
		}
		return kind, message, err
	}
	switch goType.Kind() {
	case reflect.String:
		return "string", "", nil
	case reflect.Bool:
		return "bool", "", nil
	case reflect.Int32:
		return "int32", "", nil
	case reflect.Int64:
		return "int64", "", nil
	case reflect.Float64:
		return "double", "", nil
	case reflect.Slice:
		if goType.Elem().Kind() == reflect.Uint8 {
			return "bytes", "", nil
		}
		if goType.Elem().Kind() == reflect.String && isMessage(goType) {
			return "strings", "", nil
		}
	case reflect.Struct:
		if isMessage(goType) {
			return "message", definitionName(goType), t.add(goType)
		}
	}
	return "", "", fmt.Errorf("type %s cannot be described", goType)
}

func goTypeName(goType reflect.Type) string { return goType.PkgPath() + "." + goType.Name() }

func isTypeMeta(structField reflect.StructField) bool {
	return goTypeName(structField.Type) == "k8s.io/apimachinery/pkg/apis/meta/v1.TypeMeta"
}

func at(parts []string, index int) string {
	if index < len(parts) {
		return parts[index]
	}
	return ""
}

// json prints {"kinds": {...}, "metaKinds": {...}, "messages": {name: [field, ...]}}, one entry a line.
func (t messageTable) json(k *kinds) []byte {
	kindNames := map[string]any{}
	for gvk, goType := range k.byGVK {
		if name := definitionName(goType); t[name] != nil {
			kindNames[gvk.Group+"/"+gvk.Version+"/"+gvk.Kind] = name
		}
	}
	metaNames := map[string]any{}
	for kind, goType := range k.meta {
		if name := definitionName(goType); t[name] != nil {
			metaNames[kind] = name
		}
	}
	messages := map[string]any{}
	for name, fields := range t {
		messages[name] = fields
	}
	var out bytes.Buffer
	out.WriteString("{\"kinds\":{\n")
	writeEntries(&out, kindNames)
	out.WriteString("},\"metaKinds\":{\n")
	writeEntries(&out, metaNames)
	out.WriteString("},\"messages\":{\n")
	writeEntries(&out, messages)
	out.WriteString("}}\n")
	return out.Bytes()
}
