import { describe, expect, it } from 'vitest';
import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { formatFieldError } from '@hypershift-ts/kube-apimachinery';
import { anObject, cellsOf, created, faults, scope, updateFaults } from '../testing/objects.ts';
import { configMap } from './config-map.ts';
import { endpoints } from './endpoints.ts';
import { event } from './event.ts';
import { limitRange } from './limit-range.ts';
import { namespace } from './namespace.ts';
import { node } from './node.ts';
import { persistentVolume } from './persistent-volume.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';
import { resourceQuota } from './resource-quota.ts';
import { secret } from './secret.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('secrets', () => {
  it('When stringData is given, it should be merged into data and win', () => {
    const object = created(secret, { data: { a: base64('1'), b: base64('2') }, stringData: { b: 'x', c: 'ü' } });
    expect(object).toMatchObject({ type: 'Opaque', data: { a: base64('1'), b: base64('x'), c: base64('ü') } });
    expect(object).not.toHaveProperty('stringData');
  });

  it.each<[string, object, string[]]>([
    [
      'a TLS secret lacks its key',
      { type: 'kubernetes.io/tls', data: { 'tls.crt': '' } },
      ['data[tls.key]: Required value'],
    ],
    [
      'a key is no file name',
      { data: { 'a/b': '' } },
      [
        "data[a/b]: Invalid value: \"a/b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ],
    ],
    ['data is not base64', { data: { a: '%%%' } }, ['data[a]: Invalid value: "<value omitted>": illegal base64 data']],
    ['it is too large', { data: { a: 'A'.repeat(1_400_000) } }, ['data: Too long: may not be more than 1048576 bytes']],
    [
      'a pull secret is no JSON',
      { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': base64('nope') } },
      ['data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": must be a JSON object'],
    ],
  ])('When %s, it should say so', (_case, fields, expected) => {
    expect(faults(secret, fields)).toEqual(expected);
  });

  it('When the type changes or immutable data does, it should refuse', () => {
    expect(updateFaults(secret, { type: 'Opaque' }, { type: 'example.com/x' })).toEqual([
      'type: Invalid value: "example.com/x": field is immutable',
    ]);
    expect(updateFaults(secret, { immutable: true, data: { a: base64('1') } }, { data: { a: base64('2') } })).toEqual([
      'immutable: Forbidden: field is immutable when `immutable` is set',
      'data: Forbidden: field is immutable when `immutable` is set',
    ]);
  });
});

describe('config maps', () => {
  it('When a key is in both maps, it should say so', () => {
    expect(faults(configMap, { data: { a: '1' }, binaryData: { a: '' } })).toEqual([
      'data[a]: Invalid value: "a": duplicate of key present in binaryData',
    ]);
  });
  it('When it is listed, it should count its entries', () => {
    expect(cellsOf(configMap, { data: { a: '', b: '' }, binaryData: { c: '' } })).toEqual(['thing', 3, '10m']);
  });
});

describe('namespaces', () => {
  it('When one is created, it should carry its name as a label, the finalizer and be active', () => {
    expect(created(namespace, { metadata: { name: 'dev' } })).toMatchObject({
      metadata: { labels: { 'kubernetes.io/metadata.name': 'dev' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
  });
  it('When an update drops the finalizer, it should stay', () => {
    const old = created(namespace, {});
    const draft = structuredClone(anObject({ spec: {} }));
    namespace.prepareForUpdate?.(draft, old, scope);
    expect(draft['spec']).toEqual({ finalizers: ['kubernetes'] });
  });
});

describe('nodes', () => {
  const status = {
    capacity: { cpu: 4, memory: '16384Ki' },
    conditions: [{ type: 'Ready', status: 'True' }],
    addresses: [{ type: 'InternalIP', address: '10.0.0.7' }],
    nodeInfo: { kubeletVersion: 'v1.34.1', osImage: 'Debian', kernelVersion: '6.1', architecture: 'amd64' },
  };
  it('When a kubelet registers, it should keep its status and make allocatable from capacity', () => {
    expect(created(node, { status })['status']).toMatchObject({ allocatable: { cpu: '4', memory: '16Mi' } });
  });
  it('When nodes are listed, it should show status and roles', () => {
    expect(
      cellsOf(node, {
        metadata: { labels: { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/infra': '' } },
        spec: { unschedulable: true },
        status,
      }),
    ).toEqual([
      'thing',
      'Ready,SchedulingDisabled',
      'infra,worker',
      '10m',
      'v1.34.1',
      '10.0.0.7',
      '<none>',
      'Debian',
      '6.1 (amd64)',
      '<unknown>',
    ]);
  });
  it('When a taint has no effect, it should say so', () => {
    expect(faults(node, { spec: { taints: [{ key: 'a' }] } })).toEqual(['spec.taints[0].effect: Required value']);
  });
});

describe('events', () => {
  it('When an event is about an object elsewhere, it should refuse it', () => {
    expect(faults(event, { metadata: { namespace: 'a' }, involvedObject: { kind: 'Pod', namespace: 'b' } })).toEqual([
      'involvedObject.namespace: Invalid value: "b": does not match event.namespace',
    ]);
  });
  it('When an event repeats, it should show when last and how often', () => {
    expect(
      cellsOf(event, {
        type: 'Warning',
        reason: 'BackOff',
        message: ' again ',
        involvedObject: { kind: 'Pod', name: 'p' },
        source: { component: 'kubelet', host: 'n1' },
        firstTimestamp: '2026-06-01T11:00:00Z',
        lastTimestamp: '2026-06-01T11:59:30Z',
        count: 7,
      }),
    ).toEqual(['30s', 'Warning', 'BackOff', 'pod/p', '', 'kubelet, n1', 'again', '60m', 7, 'thing']);
  });
});

describe('endpoints', () => {
  it('When there are many addresses, it should show three', () => {
    const addresses = [1, 2, 3, 4].map((last) => ({ ip: `10.0.0.${last}` }));
    expect(cellsOf(endpoints, { subsets: [{ addresses, ports: [{ port: 80 }] }] })[1]).toBe(
      '10.0.0.1:80,10.0.0.2:80,10.0.0.3:80 + 1 more...',
    );
    expect(cellsOf(endpoints, {})[1]).toBe('<none>');
  });
});

describe('volumes', () => {
  const claim = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
  it('When a claim is bound, it should show its volume', () => {
    expect(
      cellsOf(persistentVolumeClaim, {
        spec: { volumeName: 'pv1', storageClassName: 'fast', volumeMode: 'Filesystem' },
        status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteMany', 'ReadWriteOnce'] },
      }),
    ).toEqual(['thing', 'Bound', 'pv1', '1Gi', 'RWO,RWX', 'fast', '<unset>', '10m', 'Filesystem']);
  });
  it('When a claim shrinks or changes before it is bound, it should be immutable', () => {
    const smaller = { spec: { ...claim.spec, resources: { requests: { storage: '512Mi' } } } };
    expect(updateFaults(persistentVolumeClaim, claim, smaller)[0]).toContain('spec is immutable after creation');
    expect(updateFaults(persistentVolumeClaim, claim, { spec: { ...claim.spec, volumeName: 'pv1' } })).toEqual([]);
  });
  it('When a volume has no source, it should ask for one', () => {
    expect(
      faults(persistentVolume, { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } } }),
    ).toEqual(['spec: Required value: must specify a volume type']);
  });
});

describe('limits', () => {
  it('When a container limit range gives a maximum, it should become the default', () => {
    expect(
      created(limitRange, { spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { memory: '1Mi' } }] } })[
        'spec'
      ],
    ).toEqual({
      limits: [
        {
          type: 'Container',
          max: { cpu: '2' },
          min: { memory: '1Mi' },
          default: { cpu: '2' },
          defaultRequest: { cpu: '2', memory: '1Mi' },
        },
      ],
    });
  });
  it('When a quota counts half a pod, it should refuse', () => {
    expect(faults(resourceQuota, { spec: { hard: { pods: '500m' } } })).toEqual([
      'spec.hard[pods]: Invalid value: "500m": must be an integer',
    ]);
  });
  it('When a quota is used, it should show requests and limits apart', () => {
    const status = { hard: { pods: '10', 'limits.cpu': '4' }, used: { pods: '3', 'limits.cpu': '1' } };
    expect(cellsOf(resourceQuota, { status }).slice(1, 3)).toEqual(['pods: 3/10', 'limits.cpu: 1/4']);
  });
});

describe('namespace status', () => {
  it('When a living namespace is called Terminating, it should refuse', () => {
    const object: UnstructuredObject = anObject({ status: { phase: 'Terminating' } });
    expect(namespace.status?.validate?.(object, object).map(formatFieldError)).toEqual([
      'status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
    ]);
  });
});
