import { describe, expect, it } from 'vitest';
import { findKubectls } from '../harness/kubectl.ts';
import { findRealPrograms } from './binaries.ts';
import { mayUnshareNetwork, runInside } from './namespace.ts';

const can = findRealPrograms() !== undefined && findKubectls().length > 0 && mayUnshareNetwork();

/** The operators and manifests as they are, on an API server that is not ours. */
describe.skipIf(!can)('Real Kubernetes', () => {
  it('When the management cluster is a real kube-apiserver, everything in `inside` should hold', async () => {
    const { code, output } = await runInside();
    expect(code === 0 ? '' : output).toBe('');
  }, 600_000);
});
