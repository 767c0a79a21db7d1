import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aDeployment, deploymentWhen, isComplete, namespace, startWorld, type World } from './fixture.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

it('When a thousand machines are asked for, it should make exactly that many, each once', async () => {
  await world.client.create(capi.machinedeployments, aDeployment(1000));
  await deploymentWhen(world.client, isComplete, '1000 machines available');
  expect(world.history.filter(({ type }) => type === 'ADDED')).toHaveLength(1000);
  expect((await world.client.list(capi.machines, { namespace })).items).toHaveLength(1000);
  expect((await world.hosted.list(corev1.nodes)).items).toHaveLength(1000);
  expect(world.failures).toEqual([]);
  // Six writes of ours for each machine, the provider's two, and few for the sets that count them.
  const aMachine = world.writes.filter(
    ({ objectRef }) => objectRef?.resource?.startsWith('test') || objectRef?.resource === 'machines',
  );
  expect(aMachine.length).toBeLessThanOrEqual(8 * 1000 + 100);
  expect(world.writes.length - aMachine.length).toBeLessThan(500);
}, 60_000);
