import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { admit, aPod, aRequest } from '../testing/requests.ts';
import { limitRanger } from './index.ts';

const ranger = (...limits: object[]) =>
  limitRanger({
    in: () => [
      { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'r' }, spec: { limits } } as UnstructuredObject,
    ],
  });
const podWith = (resources: object) => aPod({ containers: [{ name: 'main', image: 'x', resources }] });

describe('LimitRanger', () => {
  it('When a container asks for nothing, it should get the defaults and an annotation saying so', async () => {
    const plugin = ranger({ type: 'Container', default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '100m' } });
    const { object } = await admit(plugin, aRequest({ object: podWith({ limits: { memory: '2Gi' } }) }));
    expect(object).toMatchObject({
      metadata: {
        annotations: {
          'kubernetes.io/limit-ranger':
            'LimitRanger plugin set: cpu request for container main; cpu limit for container main',
        },
      },
      spec: { containers: [{ resources: { requests: { cpu: '100m' }, limits: { cpu: '1', memory: '2Gi' } } }] },
    });
  });

  it.each<[object, object, string]>([
    [
      { type: 'Container', max: { cpu: '1' } },
      { limits: { cpu: '2' } },
      'maximum cpu usage per Container is 1, but limit is 2',
    ],
    [{ type: 'Container', max: { cpu: '1' } }, {}, 'maximum cpu usage per Container is 1.  No limit is specified'],
    [
      { type: 'Container', min: { memory: '64Mi' } },
      { requests: { memory: '32Mi' } },
      'minimum memory usage per Container is 64Mi, but request is 32Mi',
    ],
    [
      { type: 'Pod', max: { memory: '1Gi' } },
      { limits: { memory: '2Gi' } },
      'maximum memory usage per Pod is 1Gi, but limit is 2Gi',
    ],
    [
      { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
      { requests: { cpu: '100m' }, limits: { cpu: '300m' } },
      'cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000',
    ],
  ])('When %j meets %j, it should refuse', async (item, resources, message) => {
    await expect(admit(ranger(item), aRequest({ object: podWith(resources) }))).rejects.toThrow(
      `pods "web" is forbidden: ${message}`,
    );
  });

  it('When a claim is too large, it should refuse', async () => {
    const object = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'default' },
      spec: { resources: { requests: { storage: '10Gi' } } },
    };
    await expect(
      admit(ranger({ type: 'PersistentVolumeClaim', max: { storage: '5Gi' } }), aRequest({ object })),
    ).rejects.toThrow('maximum storage usage per PersistentVolumeClaim is 5Gi, but request is 10Gi');
  });
});
