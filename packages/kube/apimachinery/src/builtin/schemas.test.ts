import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonEqual } from '../json.ts';
import { builtinResources } from './resources.ts';
import { builtinDefinitions, builtinEnums, builtinSchema, builtinSchemaByName } from './schemas.ts';

const vector = join(import.meta.dirname, '../../../../../../shared/vectors/kubernetes/openapi-v3-schemas.json');
const present = existsSync(vector);
if (!present) process.stderr.write(`skipping the parity of built-in schemas: ${vector} does not exist\n`);

/** Definitions that upstream's documents do not show, by what they are. */
const onlyHere = [
  /^io\.k8s\.api\.authentication\.v1beta1\./, // kubectl 1.27 asks for the v1beta1 SelfSubjectReview
  /^io\.k8s\.api\.core\.v1\.(Node|Pod|Service)\w+Options$/, // query parameters as objects
  /^io\.k8s\.api\.core\.v1\.(List|RangeAllocation|SerializedReference)$/,
  /^io\.k8s\.apiextensions-apiserver\.pkg\.apis\.apiextensions\.v1\.Conversion(Request|Response|Review)$/,
  /^io\.k8s\.apimachinery\.pkg\.apis\.meta\.v1\.(Create|Get|List|Patch|Update)Options$/,
  /^io\.k8s\.apimachinery\.pkg\.apis\.meta\.v1\.PartialObjectMetadata(List)?$/,
];

/** They name every group-version that exists, upstream's beta ones too. */
const everyGroupVersion = ['DeleteOptions', 'WatchEvent'].map((kind) => `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`);

describe.skipIf(!present)('parity of the published schemas', () => {
  const upstream = present ? (JSON.parse(readFileSync(vector, 'utf8')) as Record<string, object>) : {};
  const { schemas } = builtinDefinitions();

  it('When a definition exists in both, it should be the same', () => {
    const comparable = (name: string, schema: object | undefined) =>
      everyGroupVersion.includes(name) ? { ...schema, 'x-kubernetes-group-version-kind': undefined } : schema;
    const shared = Object.keys(schemas).filter((name) => name in upstream);
    const different = shared.filter(
      (name) => !jsonEqual(comparable(name, schemas[name]), comparable(name, upstream[name])),
    );
    expect(different).toEqual([]);
    expect(shared.length).toBeGreaterThan(560);
  });

  it('When a definition exists only here, it should be one of the reviewed list', () => {
    const unexpected = Object.keys(schemas).filter(
      (name) => !(name in upstream) && !onlyHere.some((pattern) => pattern.test(name)),
    );
    expect(unexpected).toEqual([]);
  });
});

describe('builtinSchema', () => {
  const deployment = builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' });

  it('When a kind is asked for, it should have its references resolved, merge keys included', () => {
    const podSpec = deployment?.properties?.spec?.properties?.template?.properties?.spec;
    expect(podSpec?.properties?.containers).toMatchObject({
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-merge-key': 'name',
    });
    expect(podSpec?.properties?.containers?.items?.properties?.image).toEqual({ type: 'string' });
  });

  it('When two kinds share a type, they should share the schema, frozen', () => {
    const pod = builtinSchema({ group: '', version: 'v1', kind: 'Pod' });
    const template = deployment?.properties?.spec?.properties?.template?.properties;
    expect(pod?.properties?.spec?.properties).toBe(template?.spec?.properties);
    expect(Object.isFrozen(pod?.properties?.spec?.properties)).toBe(true);
  });

  it('When a type is cyclic, its schema should be', () => {
    const crd = builtinSchema({ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' });
    const props = crd?.properties?.spec?.properties?.versions?.items?.properties?.schema?.properties?.openAPIV3Schema;
    expect(props?.properties?.not).toBe(props);
    expect(props?.properties?.items?.properties).toBe(props?.properties);
  });

  it('When content is free-form, it should say so', () => {
    const revision = builtinSchema({ group: 'apps', version: 'v1', kind: 'ControllerRevision' });
    expect(revision?.properties?.data).toMatchObject({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
    const port = builtinSchemaByName('io.k8s.api.core.v1.ServicePort')?.properties?.targetPort;
    expect(port?.['x-kubernetes-int-or-string']).toBe(true);
  });

  it('When no such kind exists, it should be undefined', () => {
    expect(builtinSchema({ group: 'apps', version: 'v1', kind: 'toString' })).toBeUndefined();
    expect(builtinSchema({ group: 'example.com', version: 'v1', kind: 'Deployment' })).toBeUndefined();
    expect(builtinEnums('constructor')).toBeUndefined();
  });

  it('When a resource is served, its kind and the kinds of its subresources should have a schema', () => {
    const kinds = builtinResources().flatMap(({ group, version, resources }) =>
      resources.flatMap((resource) => [
        { group, version, kind: resource.kind },
        ...(resource.subresources ?? []).map((sub) => ({ group, version, ...sub })),
      ]),
    );
    expect(kinds.filter((kind) => !builtinSchema(kind))).toEqual([]);
  });

  it('When fields are enumerated, their values should be known apart from the schema', () => {
    expect(builtinEnums('io.k8s.api.core.v1.ServiceSpec')?.type).toEqual([
      'ClusterIP',
      'ExternalName',
      'LoadBalancer',
      'NodePort',
    ]);
  });
});
