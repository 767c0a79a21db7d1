// Command generate-kinds prints what the project knows about Kubernetes' built-in kinds: schemas,
// protobuf fields, resources and TypeScript types. See README.md for how to run it.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

func main() {
	resourcesFile := flag.String("resources", "resources.json", "the table of served resources")
	out := flag.String("out", "", "directory that receives the generated files")
	flag.Parse()
	if *out == "" {
		log.Fatal("-out is required")
	}
	groupVersions, err := readResources(*resourcesFile)
	if err != nil {
		log.Fatal(err)
	}
	kinds, err := collectKinds(groupVersions)
	if err != nil {
		log.Fatal(err)
	}
	schemas, enums, err := buildSchemas(kinds)
	if err != nil {
		log.Fatal(err)
	}
	messages, err := buildMessages(kinds)
	if err != nil {
		log.Fatal(err)
	}
	files := map[string][]byte{
		"schemas.ts":   jsonModule("schemasJson", schemas.json(kinds)),
		"enums.ts":     jsonModule("enumsJson", enums.json()),
		"protobuf.ts":  jsonModule("protobufJson", messages.json(kinds)),
		"resources.ts": jsonModule("resourcesJson", resourcesJSON(groupVersions)),
	}
	if err := addTypeScript(files, groupVersions, schemas); err != nil {
		log.Fatal(err)
	}
	if err := os.RemoveAll(*out); err != nil {
		log.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(*out, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Printf("%d group-versions, %d kinds, %d schemas, %d protobuf messages\n",
		len(groupVersions), len(kinds.byGVK), len(schemas), len(messages))
}
