import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { containerEnvironment, expandedCommand } from './environment.ts';
import { expand } from './expansion.ts';
import { fieldValue, resourceValue } from './field-values.ts';
import { serviceVariables } from './service-variables.ts';

const values: Record<string, string> = { A: '1', B: '$(A)' };

describe('expand', () => {
  it.each([
    ['$(A)', '1'],
    ['x$(A)y$(B)', 'x1y$(A)'],
    ['$$(A)', '$(A)'],
    ['$$$(A)', '$1'],
    ['$(NOBODY)', '$(NOBODY)'],
    ['$A ${A}', '$A ${A}'],
    ['$(A', '$(A'],
    ['end$', 'end$'],
    ['$()', '$()'],
  ])('When the text is %s, it should become %s', (text, expected) => {
    expect(expand(text, (name) => values[name])).toBe(expected);
  });
});

const pod: corev1.Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', uid: 'u-1', labels: { b: '2', a: 'x"y' }, annotations: {} },
  spec: { nodeName: 'n1', serviceAccountName: 'sa', containers: [] },
};
const facts = {
  pod,
  podIP: '127.128.0.9',
  hostIP: '127.0.0.1',
  nodeName: 'n1',
  allocatable: { cpu: '4', memory: '8Gi' },
};
const objects = {
  configMap: async (name: string) =>
    name === 'cm' ? ({ data: { k: 'v', 'bad key': 'x' } } as unknown as corev1.ConfigMap) : undefined,
  secret: async (name: string) => (name === 's' ? ({ data: { p: 'cHc=' } } as unknown as corev1.Secret) : undefined),
};

describe('containerEnvironment', () => {
  it('When variables come from everywhere, later ones should win and see earlier ones', async () => {
    const env = await containerEnvironment(
      {
        name: 'a',
        envFrom: [{ prefix: 'CM_', configMapRef: { name: 'cm' } }, { secretRef: { name: 's' } }],
        env: [
          { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'GREETING', value: 'hello $(NAME) $(LATER) $(WEB_SERVICE_HOST)' },
          { name: 'LATER', value: 'x' },
          { name: 'p', valueFrom: { secretKeyRef: { name: 's', key: 'p' } } },
          { name: 'GONE', valueFrom: { configMapKeyRef: { name: 'cm', key: 'no', optional: true } } },
        ],
      },
      facts,
      objects,
      { WEB_SERVICE_HOST: '127.96.0.5' },
    );
    expect(env).toEqual({
      WEB_SERVICE_HOST: '127.96.0.5',
      CM_k: 'v',
      p: 'pw',
      NAME: 'web',
      GREETING: 'hello web $(LATER) 127.96.0.5',
      LATER: 'x',
    });
  });

  it.each([
    [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'no', key: 'k' } } }, 'configmap "no" not found'],
    [
      { name: 'X', valueFrom: { configMapKeyRef: { name: 'cm', key: 'no' } } },
      "couldn't find key no in ConfigMap shop/cm",
    ],
    [{ name: 'X', valueFrom: { secretKeyRef: { name: 's', key: 'no' } } }, "couldn't find key no in Secret shop/s"],
  ])('When %j is missing, it should say what', async (variable, message) => {
    await expect(containerEnvironment({ name: 'a', env: [variable] }, facts, objects, {})).rejects.toThrow(message);
  });

  it('When a command has variables, they should be put in', () => {
    expect(expandedCommand({ name: 'a', command: ['run', '$(A)'], args: ['--x=$(A)', '$$(A)'] }, { A: '1' })).toEqual({
      command: ['run', '1'],
      args: ['--x=1', '$(A)'],
    });
    expect(expandedCommand({ name: 'a', command: [] }, {}).command).toBeUndefined();
  });
});

describe('downward API', () => {
  it('When maps are asked for, they should be sorted and quoted', () => {
    expect(fieldValue('metadata.labels', facts)).toBe('a="x\\"y"\nb="2"');
    expect(fieldValue("metadata.labels['b']", facts)).toBe('2');
    expect(() => fieldValue('spec.secret', facts)).toThrow('unsupported fieldPath');
  });

  it.each([
    [{ resource: 'limits.cpu' }, '2'],
    [{ resource: 'limits.cpu', divisor: '1m' }, '1500'],
    [{ resource: 'limits.memory', divisor: '1Mi' }, '8192'],
    [{ resource: 'requests.cpu' }, '0'],
  ])('When %j is asked for, it should be %s', (selector, expected) => {
    expect(resourceValue(selector, { name: 'a', resources: { limits: { cpu: '1500m' } } }, facts)).toBe(expected);
  });
});

describe('serviceVariables', () => {
  const service = (namespace: string, name: string, clusterIP: string): corev1.Service => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { clusterIP, ports: [{ name: 'https', port: 443 }] },
  });
  const all = [
    service('default', 'kubernetes', '127.96.0.1'),
    service('shop', 'my-db', '127.96.0.2'),
    service('other', 'x', '127.96.0.3'),
    service('shop', 'headless', 'None'),
  ];

  it('When links are on, a pod should see the API server and its own namespace', () => {
    expect(serviceVariables(all, 'shop', true)).toMatchObject({
      KUBERNETES_SERVICE_HOST: '127.96.0.1',
      KUBERNETES_SERVICE_PORT: '443',
      KUBERNETES_SERVICE_PORT_HTTPS: '443',
      MY_DB_PORT: 'tcp://127.96.0.2:443',
      MY_DB_PORT_443_TCP_ADDR: '127.96.0.2',
    });
    expect(Object.keys(serviceVariables(all, 'shop', true)).filter((name) => /^(X|HEADLESS)_/.test(name))).toEqual([]);
  });

  it('When links are off, only the API server should be left', () => {
    expect(Object.keys(serviceVariables(all, 'shop', false)).every((name) => name.startsWith('KUBERNETES_'))).toBe(
      true,
    );
  });
});
