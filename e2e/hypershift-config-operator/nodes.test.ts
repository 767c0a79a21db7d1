import { runConnectionChecker } from '@hypershift-ts/hypershift-config-operator';
import { findCondition } from '@hypershift-ts/kube-apimachinery';
import { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import { BuiltinRegistry } from '@hypershift-ts/kube-kubelet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startTwoClusters, type TwoClusters } from './harness.ts';

let test: TwoClusters;
let stop: () => Promise<void>;
const condition = async (type: string) => findCondition((await test.controlPlane()).status?.conditions, type);

/** Programs of the node: an agent that only says that it is there, and the real checker. */
const registry = new BuiltinRegistry()
  .register({
    name: 'proxy-agent',
    commands: ['proxy-agent'],
    run: async ({ stdout, signal, answerProbes }) => {
      answerProbes(2041, () => 200);
      stdout.write('agent is connected\n');
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
  })
  .register({
    name: 'kas-connection-checker',
    commands: ['control-plane-operator'],
    run: ({ signal }) => runConnectionChecker({ client: test.guest, signal }),
  });

beforeAll(async () => {
  const hosted = EmbeddedCluster.start({ nodes: [{ name: 'worker-0', runtimes: { builtin: registry } }] });
  test = await startTwoClusters({}, { hosted });
  stop = test.run();
}, 60_000);
afterAll(async () => {
  await stop?.();
  await test?.stop();
});

describe('a hosted cluster with a node', () => {
  it('When agents and checkers run on it, both directions should be seen to work', async () => {
    await eventually(async () => {
      expect(await condition('ControlPlaneConnectionAvailable')).toMatchObject({
        status: 'True',
        reason: 'AsExpected',
      });
      expect(await condition('DataPlaneConnectionAvailable')).toMatchObject({ status: 'True', reason: 'AsExpected' });
    });
  });
});
