import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { LoadedAdapter } from '../config/load.ts';
import { loadAdapter } from '../config/load.ts';
import { hasVectors, vectorJson, vectorText } from '../testing/vectors.ts';
import { GENERATION_ANNOTATION } from './manifest-work.ts';
import { rewriteExpression } from './rewrite-expression.ts';

interface Expected {
  readonly preconditions: readonly {
    readonly name: string;
    readonly api_call: JsonObject;
    readonly capture: JsonObject[];
  }[];
  readonly resourcesBare: readonly [{ name: string; manifestIdentity: Record<string, string>; discovery: JsonObject }];
  readonly resourcesMaestro: readonly [
    { name: string; transport: JsonObject; wrapped: Record<string, string>; nested_discoveries: string[] },
  ];
  readonly rewrites: readonly [string, string][];
  readonly post: {
    readonly payloads: readonly [{ name: string; build: { conditionsTypes: string[]; dataKeys: string[] } }];
    readonly post_actions: readonly [{ api_call: JsonObject }];
  };
}

const load = (snippet: string): LoadedAdapter =>
  loadAdapter(
    {
      config: { file: 'config.yaml', text: 'adapter: {name: controlplane}\n' },
      task: { file: snippet, text: vectorText(`spike/${snippet}`) },
    },
    { env: {} },
  );

describe.runIf(hasVectors)('configurations of the spike', () => {
  const expected = hasVectors ? vectorJson<Expected>('expected/spike-dialect-normalized.json') : ({} as Expected);

  it('When preconditions are loaded, they should have the current form', () => {
    const { task, older } = load('preconditions.yaml');
    const [precondition] = task.preconditions;
    const [wanted] = expected.preconditions;
    expect(older).toBe(true);
    expect(precondition).toMatchObject({ name: wanted!.name, api_call: wanted!.api_call });
    const source = vectorText('spike/preconditions.yaml');
    wanted!.capture.forEach((capture, i) => {
      const { expression, ...rest } = capture;
      expect(precondition!.capture?.[i]).toMatchObject(rest);
      if (expression !== undefined) expect(source).toContain(precondition!.capture![i]!.expression!.trim());
    });
    expect(precondition!.expression).toContain('dnsAvailable == true &&\n');
    expect(task.params.map(({ name }) => name)).toEqual(['hyperfleetApiBaseUrl', 'clusterId']);
  });

  it('When a bare object is loaded, it should become a manifest with identity, discovery and generation', () => {
    const [wanted] = expected.resourcesBare;
    const [resource] = load('resources-bare-hostedcluster.yaml').task.resources;
    const { apiVersion, kind, ...metadata } = wanted.manifestIdentity;
    const annotations = { [GENERATION_ANNOTATION]: '{{ .event.generation }}' };
    expect(resource).toMatchObject({
      name: wanted.name,
      manifest: { apiVersion, kind, metadata: { ...metadata, annotations } },
      discovery: wanted.discovery,
    });
    expect(resource!.manifest).toHaveProperty('spec.platform.gcp.project', '{{ .spec.gcp_project_id }}');
  });

  it('When the backend is Maestro, it should be wrapped and found again under its own name', () => {
    const [wanted] = expected.resourcesMaestro;
    const [resource] = load('resources-backend-maestro.yaml').task.resources;
    const { name, ...identity } = wanted.wrapped;
    expect(resource).toMatchObject({
      name: wanted.name,
      transport: wanted.transport,
      manifest: {
        ...identity,
        metadata: { name, namespace: '{{ .managementClusterName }}' },
        spec: {
          deleteOption: { propagationPolicy: 'Foreground' },
          manifestConfigs: [
            {
              resourceIdentifier: {
                group: 'hypershift.openshift.io',
                resource: 'hostedclusters',
                namespace: 'clusters',
              },
              updateStrategy: { type: 'ServerSideApply' },
            },
          ],
        },
      },
    });
    expect(resource!.nested_discoveries?.map((nested) => nested.name)).toEqual(wanted.nested_discoveries);
  });

  it('When the report is loaded, it should be complete', () => {
    const { post } = load('post.yaml').task;
    const [payload] = post.payloads;
    const [wanted] = expected.post.payloads;
    const build = payload!.build as {
      conditions: { type: string; status: JsonObject; reason: JsonObject; message: JsonObject }[];
      data: JsonObject;
    };
    expect(payload!.name).toBe(wanted.name);
    expect(build).toMatchObject({
      adapter: '{{ .adapter.name }}',
      observed_generation: { expression: 'event.generation' },
      observed_time: '{{ now | date "2006-01-02T15:04:05Z07:00" }}',
    });
    expect(build.conditions.map(({ type }) => type)).toEqual(wanted.build.conditionsTypes);
    expect(build.conditions.every(({ reason, message }) => reason && message)).toBe(true);
    expect(build.conditions[0]!.status).toEqual({
      expression: 'resources.?hostedCluster.?status.hasValue()',
      default: 'False',
    });
    expect(Object.keys(build.data)).toEqual(wanted.build.dataKeys);
    expect(post.post_actions[0]!.api_call).toEqual(expected.post.post_actions[0].api_call);
  });

  it('When expressions are rewritten, they should be as expected', () => {
    for (const [from, to] of expected.rewrites) expect(rewriteExpression(from)).toBe(to);
  });
});
