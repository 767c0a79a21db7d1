import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createControlPlane,
  hostedAdmin,
  isAvailable,
  type Management,
  type RunningOperator,
  startManagement,
  startOperator,
  untilControlPlane,
} from './harness.ts';

const namespace = 'clusters-demo';
let management: Management;
let operator: RunningOperator;

beforeAll(async () => {
  management = await startManagement();
});
afterAll(async () => {
  await operator?.stop();
  await management?.stop();
});

describe('the operator of a control plane', () => {
  it('When a HostedControlPlane is created, it should become available with a kubeconfig that works', async () => {
    const began = performance.now();
    await createControlPlane(management.client, namespace);
    operator = startOperator(management, namespace);
    const hcp = await untilControlPlane(management.client, namespace, isAvailable);
    process.stderr.write(`create to Available: ${Math.round(performance.now() - began)} ms\n`);
    expect(hcp.status).toMatchObject({ ready: true, initialized: true, kubeConfig: { name: 'admin-kubeconfig' } });
    const hosted = await hostedAdmin(management.client, namespace);
    try {
      const made = await hosted.create(corev1.namespaces, { metadata: { name: 'shop' } });
      expect(made.metadata.uid).toBeTruthy();
    } finally {
      await hosted.close();
    }
  });
});
