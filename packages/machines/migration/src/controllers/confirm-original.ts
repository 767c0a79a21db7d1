import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { Retry } from '@hypershift-ts/kube-controller';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { liveReader } from './reader.ts';
import { type PassScope, typeOf } from './scope.ts';
import { keyOfObject } from './writes.ts';

/** The watch on originals is behind: what was decided from it may be wrong by now. */
class OutdatedOriginal extends Error {
  override readonly name = 'OutdatedOriginal';
  readonly retry: Retry = 'now';
}

type Original = mapiv1beta1.Machine | mapiv1beta1.MachineSet;

/**
 * Asked before a copy in Cluster API is written. The version of the copy alone does not protect it: with an old original
 * and a new copy, a copy that has been given authority meanwhile would be paused and overwritten. Whoever is given
 * authority after this question is written for it, and then the version of the copy does protect it.
 */
export async function confirmOriginal(
  original: Original,
  { client, signal, settings }: Pick<PassScope, 'client' | 'signal' | 'settings'>,
): Promise<void> {
  const type = typeOf(original, settings.platform);
  const live = (await liveReader(client, signal).get<KubeObject>(type, keyOfObject(original))) as Original | undefined;
  const { uid, deletionTimestamp } = original.metadata;
  if (
    live?.metadata.uid !== uid ||
    live?.metadata.deletionTimestamp !== deletionTimestamp ||
    live?.status?.authoritativeAPI !== original.status?.authoritativeAPI
  )
    throw new OutdatedOriginal(`${original.kind} ${original.metadata.name} has changed since it was read`);
}
