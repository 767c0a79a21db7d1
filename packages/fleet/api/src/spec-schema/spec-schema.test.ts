import { describe, expect, it } from 'vitest';
import { createRegistry, defaultEntities, managementClusterEntity } from '../registry/index.ts';
import { vectors } from '../testing/vectors.ts';
import { builtinSchemaDocument, parseSchemaDocument, specValidator } from './index.ts';

const registry = createRegistry([...defaultEntities, managementClusterEntity]);
const gcp = 'api-spec/gcp-provider-v1.0.17.yaml';

function problemsWith(validate: ReturnType<typeof specValidator>, kind: string, spec: object): unknown {
  try {
    validate(registry.get(kind), spec as Record<string, never>);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe.skipIf(!vectors.has(gcp))('The last published provider schema', () => {
  const validate = vectors.has(gcp) ? specValidator(registry, parseSchemaDocument(vectors.text(gcp), gcp)) : () => {};

  it.each([
    ['Cluster', { platform: { type: 'aws' } }, 'Invalid ClusterSpec', /^spec\.platform/],
    ['Cluster', {}, 'Invalid ClusterSpec', /^spec\.platform$/],
    ['NodePool', { platform: { type: 'gcp' }, nodeCount: -1 }, 'Invalid NodePoolSpec', /^spec\.nodeCount$/],
    ['Version', { raw_version: '4.16.0', enabled: true, is_default: false }, 'Invalid VersionSpec', /release_image$/],
  ])('When a %s has the spec %j, it should answer %s', (kind, spec, detail, field) => {
    const problem = problemsWith(validate, kind, spec) as { message: string; fields: { field: string }[] };
    expect(problem).toMatchObject({ code: 'VAL-000', message: detail });
    expect(problem.fields.some((one) => field.test(one.field))).toBe(true);
  });

  it('When a spec is right, it should say nothing', () => {
    expect(
      problemsWith(validate, 'Cluster', {
        platform: { type: 'gcp', gcp: { projectID: 'p', region: 'r', zone: 'z', network: 'n', subnet: 's' } },
      }),
    ).toBeUndefined();
  });
});

describe('specValidator', () => {
  const builtin = JSON.stringify(builtinSchemaDocument);

  it('When nothing is configured, it should check the fields it knows and accept others', () => {
    const validate = specValidator(registry, parseSchemaDocument(builtin, 'builtin'));
    expect(problemsWith(validate, 'Cluster', { region: 'us-east-1', endpoint_access: 'Private' })).toBeUndefined();
    expect(problemsWith(validate, 'Cluster', { endpoint_access: 'Everywhere' })).toMatchObject({
      fields: [
        {
          field: 'spec.endpoint_access',
          constraint: 'enum',
          message: 'supported values: "Private", "PublicAndPrivate"',
        },
      ],
    });
    expect(problemsWith(validate, 'ManagementCluster', { region: 'r' })).toMatchObject({
      fields: [{ field: 'spec.consumer_name', constraint: 'required' }],
    });
  });

  it('When a required schema is missing, it should refuse to start', () => {
    const empty = parseSchemaDocument('{"openapi":"3.0.0","components":{"schemas":{}}}', 'empty');
    expect(() => specValidator(registry, empty)).toThrow('entity Cluster requires a spec schema');
  });

  it.each([
    ['swagger: "2.0"', 'not an OpenAPI 3 document'],
    ['[]', 'holds no object'],
    ['{', 'cannot be read'],
  ])('When the document is %s, it should say what is wrong', (text, problem) => {
    expect(() => parseSchemaDocument(text, 'provider.yaml')).toThrow(problem);
  });

  it('When schemas refer to each other in a circle, it should still validate', () => {
    const document = parseSchemaDocument(
      'openapi: 3.1.0\ncomponents: {schemas: {Node: {type: object, properties: {next: {$ref: "#/components/schemas/Node"}, count: {type: [integer, "null"], exclusiveMinimum: 0}}}}}',
      'circle',
    );
    const circle = createRegistry([{ kind: 'Node', plural: 'nodes', spec_schema_name: 'Node' }]);
    const validate = specValidator(circle, document);
    expect(() => validate(circle.get('Node'), { next: { next: { count: 1 } }, count: null })).not.toThrow();
    expect(() => validate(circle.get('Node'), { next: { next: { count: 0 } } })).toThrow('Invalid Node');
  });

  it('When a reference leads out of the document, it should refuse it', () => {
    const document = parseSchemaDocument('openapi: 3.0.0\ncomponents: {schemas: {A: {$ref: "http://x/y"}}}', 'x');
    expect(() => document.schema('A')).toThrow('leads out of the document');
  });
});
