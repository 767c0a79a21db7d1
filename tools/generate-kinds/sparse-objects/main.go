// Command sparse-objects prints objects with many fields left empty, in protobuf and in the JSON that Go makes of
// them. They are what the decoder's rules on zero values are tested with: the golden objects of Kubernetes have every
// field filled in.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand"
	"os"
	"reflect"
	"sort"
	"strings"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

const maxDepth = 10

func main() {
	resources := flag.String("resources", "resources.json", "the table of served resources")
	out := flag.String("out", "", "file to write")
	seed := flag.Int64("seed", 1, "seed of the random fields")
	rounds := flag.Int("rounds", 2, "objects per kind, the first of them empty")
	flag.Parse()

	types := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, apiextensions.AddToScheme, apiregistration.AddToScheme} {
		if err := add(types); err != nil {
			log.Fatal(err)
		}
	}
	file, err := os.Create(*out)
	if err != nil {
		log.Fatal(err)
	}
	fill := &filler{random: rand.New(rand.NewSource(*seed))}
	lines := []string{}
	for _, gvk := range kindsOf(*resources, types) {
		for round := range *rounds {
			fill.density = float64(round) / float64(*rounds+1)
			line, err := describe(types, gvk, fill)
			if err != nil {
				log.Fatalf("%s: %v", gvk, err)
			}
			lines = append(lines, line)
		}
	}
	if _, err := fmt.Fprintf(file, "[\n%s\n]\n", strings.Join(lines, ",\n")); err != nil {
		log.Fatal(err)
	}
	if err := file.Close(); err != nil {
		log.Fatal(err)
	}
}

func kindsOf(file string, types *runtime.Scheme) []schema.GroupVersionKind {
	data, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	var groupVersions []struct{ Group, Version, Package string }
	if err := json.Unmarshal(data, &groupVersions); err != nil {
		log.Fatal(err)
	}
	var kinds []schema.GroupVersionKind
	for _, gv := range groupVersions {
		for kind, goType := range types.KnownTypes(schema.GroupVersion{Group: gv.Group, Version: gv.Version}) {
			if goType.PkgPath() == gv.Package && !strings.HasSuffix(kind, "List") && !strings.HasSuffix(kind, "Options") {
				kinds = append(kinds, schema.GroupVersionKind{Group: gv.Group, Version: gv.Version, Kind: kind})
			}
		}
	}
	sort.Slice(kinds, func(i, j int) bool { return kinds[i].String() < kinds[j].String() })
	return kinds
}

// describe fills an object and prints it; the JSON is of the decoded bytes, as an API server would see it.
func describe(types *runtime.Scheme, gvk schema.GroupVersionKind, fill *filler) (string, error) {
	object, err := types.New(gvk)
	if err != nil {
		return "", err
	}
	fill.value(reflect.ValueOf(object).Elem(), 0)
	object.GetObjectKind().SetGroupVersionKind(gvk)
	serializer := protobuf.NewSerializer(types, types)
	bytes, err := runtime.Encode(serializer, object)
	if err != nil {
		return "", err
	}
	decoded, _, err := serializer.Decode(bytes, nil, nil)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(decoded)
	if err != nil {
		return "", err
	}
	// JSON cannot tell a pointer to a zero time from no pointer, so the way back may give other bytes.
	fromJSON, err := types.New(gvk)
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal(text, fromJSON); err != nil {
		return "", err
	}
	encoded, err := runtime.Encode(serializer, fromJSON)
	if err != nil {
		return "", err
	}
	line, err := json.Marshal(struct {
		Name     string          `json:"name"`
		Protobuf []byte          `json:"protobuf"`
		JSON     json.RawMessage `json:"json"`
		FromJSON []byte          `json:"fromJson"`
	}{gvk.GroupVersion().String() + " " + gvk.Kind, bytes, text, encoded})
	return string(line), err
}

type filler struct {
	random  *rand.Rand
	density float64
}

func (f *filler) chance() bool { return f.random.Float64() < f.density }

func pick[T any](f *filler, values ...T) T { return values[f.random.Intn(len(values))] }

func (f *filler) value(v reflect.Value, depth int) {
	if f.special(v.Addr().Interface(), depth) || depth > maxDepth {
		return
	}
	if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				f.value(v.Field(i), depth+1)
			}
		}
		return
	}
	if !f.chance() {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.value(v.Elem(), depth+1)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte("\x00\xffab")[:1+f.random.Intn(4)])
			return
		}
		length := 1 + f.random.Intn(2)
		v.Set(reflect.MakeSlice(v.Type(), length, length))
		for i := range length {
			f.value(v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, name := range []string{"b", "a", "é"}[:1+f.random.Intn(3)] {
			key := reflect.New(v.Type().Key()).Elem()
			key.SetString(name)
			item := reflect.New(v.Type().Elem()).Elem()
			f.value(item, depth+1)
			v.SetMapIndex(key, item)
		}
	case reflect.String:
		v.SetString(pick(f, "x", "hé 😀", "a<b>&c"))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32, reflect.Int64:
		v.SetInt(pick[int64](f, 1, -1, 300, 1<<30, -77777))
	case reflect.Float64:
		v.SetFloat(pick(f, 1.5, -0.25, 3))
	}
}

// special fills the types whose fields must agree with each other, and says whether this was one.
func (f *filler) special(target any, depth int) bool {
	switch t := target.(type) {
	case *metav1.TypeMeta:
	case *resource.Quantity:
		if f.chance() {
			*t = resource.MustParse(pick(f, "1", "100m", "2Gi"))
		}
	case *intstr.IntOrString:
		if f.chance() {
			*t = pick(f, intstr.FromInt32(-1), intstr.FromInt32(80), intstr.FromString("50%"))
		}
	case *metav1.Time:
		if f.chance() {
			*t = metav1.Unix(f.random.Int63n(4e9)-1e9, 5)
		}
	case *metav1.MicroTime:
		if f.chance() {
			*t = metav1.NewMicroTime(time.Unix(f.random.Int63n(2e9), f.random.Int63n(1e9)))
		}
	case *runtime.RawExtension:
		if f.chance() {
			t.Raw = []byte(`{"a":[1,null,"x"]}`)
		}
	case *metav1.FieldsV1:
		if f.chance() {
			*t = *metav1.NewFieldsV1(`{"f:a":{}}`)
		}
	case *apiextensions.JSON:
		if f.chance() {
			t.Raw = []byte(pick(f, `1`, `"s"`, `{"a":false}`))
		}
	case *apiextensions.JSONSchemaPropsOrBool:
		t.Schema, t.Allows = f.maybeSchema(depth), true
	case *apiextensions.JSONSchemaPropsOrArray:
		if t.Schema = f.maybeSchema(depth); t.Schema == nil {
			t.JSONSchemas = []apiextensions.JSONSchemaProps{{}, {Type: "string"}}
		}
	case *apiextensions.JSONSchemaPropsOrStringArray:
		if t.Schema = f.maybeSchema(depth); t.Schema == nil {
			t.Property = []string{"a", ""}
		}
	default:
		return false
	}
	return true
}

func (f *filler) maybeSchema(depth int) *apiextensions.JSONSchemaProps {
	if !f.chance() {
		return nil
	}
	props := &apiextensions.JSONSchemaProps{}
	f.value(reflect.ValueOf(props).Elem(), depth+3)
	return props
}
