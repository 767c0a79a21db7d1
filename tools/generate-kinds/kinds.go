package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// metaKinds are understood in every group-version: Go clients stamp them with the group-version they talk to.
var metaKinds = []any{
	metav1.APIGroup{}, metav1.APIGroupList{}, metav1.APIResourceList{}, metav1.APIVersions{},
	metav1.CreateOptions{}, metav1.DeleteOptions{}, metav1.GetOptions{}, metav1.ListOptions{},
	metav1.PatchOptions{}, metav1.UpdateOptions{}, metav1.Status{}, metav1.WatchEvent{},
	metav1.PartialObjectMetadata{}, metav1.PartialObjectMetadataList{},
}

// kinds is every root type of the served group-versions.
type kinds struct {
	byGVK map[schema.GroupVersionKind]reflect.Type
	meta  map[string]reflect.Type
	// extra are definitions that documents need although they are no kind.
	extra []reflect.Type
}

func newScheme() (*runtime.Scheme, error) {
	all := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, apiextensions.AddToScheme, apiregistration.AddToScheme} {
		if err := add(all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func collectKinds(groupVersions []groupVersion) (*kinds, error) {
	all, err := newScheme()
	if err != nil {
		return nil, err
	}
	found := &kinds{
		byGVK: map[schema.GroupVersionKind]reflect.Type{},
		meta:  map[string]reflect.Type{},
		extra: []reflect.Type{reflect.TypeOf(version.Info{}), reflect.TypeOf(metav1.Patch{}), reflect.TypeOf(metav1.LabelSelector{})},
	}
	for _, sample := range metaKinds {
		found.meta[reflect.TypeOf(sample).Name()] = reflect.TypeOf(sample)
	}
	for _, gv := range groupVersions {
		for kind, goType := range all.KnownTypes(schema.GroupVersion{Group: gv.Group, Version: gv.Version}) {
			if goType.PkgPath() == gv.Package {
				found.byGVK[schema.GroupVersionKind{Group: gv.Group, Version: gv.Version, Kind: kind}] = goType
			}
		}
		for _, res := range gv.Resources {
			gvk := schema.GroupVersionKind{Group: gv.Group, Version: gv.Version, Kind: res.Kind}
			if found.byGVK[gvk] == nil {
				return nil, fmt.Errorf("resource %s: no Go type for %s", res.Name, gvk)
			}
		}
	}
	return found, nil
}

// roots are all types to start walking from, in a stable order.
func (k *kinds) roots() []reflect.Type {
	roots := append([]reflect.Type{}, k.extra...)
	for _, goType := range k.byGVK {
		roots = append(roots, goType)
	}
	for _, goType := range k.meta {
		roots = append(roots, goType)
	}
	sort.Slice(roots, func(i, j int) bool { return definitionName(roots[i]) < definitionName(roots[j]) })
	return roots
}

// definitionName is how OpenAPI documents call a Go type: io.k8s.api.core.v1.Pod.
func definitionName(goType reflect.Type) string {
	if named, ok := reflect.Zero(goType).Interface().(interface{ OpenAPIModelName() string }); ok {
		return named.OpenAPIModelName()
	}
	path := strings.Split(goType.PkgPath(), "/")
	host := strings.Split(path[0], ".")
	for i, j := 0, len(host)-1; i < j; i, j = i+1, j-1 {
		host[i], host[j] = host[j], host[i]
	}
	return strings.Join(append(append(host, path[1:]...), goType.Name()), ".")
}
