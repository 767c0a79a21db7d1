import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type corev1, ManualClock } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PodVolumes } from './pod-volumes.ts';
import type { ReferencedObjects } from './referenced-objects.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'volumes-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const pod: corev1.Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'shop', name: 'web', uid: 'u1' },
  spec: { containers: [], volumes: [{ name: 'settings', configMap: { name: 'settings' } }] },
};

/** One ConfigMap whose reads wait when told to, and those who follow it. */
function aConfigMap() {
  const followers = new Set<() => void>();
  let gate: Promise<void> | undefined;
  const objects: ReferencedObjects = {
    async get() {
      await gate;
      return { metadata: { name: 'settings' }, data: { a: '1' } } as never;
    },
    follow(_type, _namespace, _name, changed) {
      followers.add(changed);
      return () => void followers.delete(changed);
    },
    stop: async () => {},
  };
  const hold = (): (() => void) => {
    let open = () => {};
    gate = new Promise((resolve) => (open = resolve));
    return open;
  };
  return { objects, followers, hold };
}

describe('PodVolumes', () => {
  it('When the pod ends while its files are brought up to date, it should follow nothing any more', async () => {
    const { objects, followers, hold } = aConfigMap();
    const volumes = new PodVolumes({
      client: {} as Client, // Only tokens and claims need one.
      clock: new ManualClock(),
      objects,
      podDir: directory,
      dataDir: directory,
      facts: () => ({ pod, podIP: '', hostIP: '', nodeName: '', allocatable: {} }),
      onError: (error) => expect.fail(String(error)),
    });
    await volumes.setUp();
    expect(followers.size).toBe(1);
    const answer = hold();
    volumes.refresh();
    await Promise.resolve();
    const stopped = volumes.stop();
    answer();
    await stopped;
    expect(followers.size).toBe(0);
  });
});
