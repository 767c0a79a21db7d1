import { mkdir } from 'node:fs/promises';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { PodFacts } from '../environment/field-values.ts';
import type { NodeContext } from '../node/node-context.ts';
import { VolumeError, volumePayload } from '../volumes/payload.ts';
import { PodVolumes, referencesOf } from '../volumes/pod-volumes.ts';

/** The pod's address: the node's own, the one it had before, or a new one. */
export function podAddress(pod: corev1.Pod, node: NodeContext): string {
  if (pod.spec?.hostNetwork) return node.hostIP;
  const before = pod.status?.podIP;
  if (before && node.addresses.reserve(before)) return before;
  return node.addresses.allocate();
}

/** Makes directories and volumes for a pod that has a container with a file system. */
export async function prepareFiles(node: NodeContext, podDir: string, facts: () => PodFacts): Promise<PodVolumes> {
  // Nobody else on this machine may look into volumes, whatever modes their files have.
  await mkdir(podDir, { recursive: true, mode: 0o700 });
  const { client, clock, objects, dataDir, log, hostRoot } = node;
  const volumes = new PodVolumes({
    client,
    clock,
    objects,
    podDir,
    dataDir,
    ...(hostRoot ? { hostRoot } : {}),
    facts,
    onError: (error) => log.warn({ error, pod: facts().pod.metadata.name }, 'a volume could not be updated'),
  });
  try {
    await volumes.setUp();
  } catch (error) {
    await volumes.stop();
    throw error;
  }
  return volumes;
}

/** A simulated pod writes no files, but waits as a real one would for the objects its volumes are made of. */
export async function checkReferences(node: NodeContext, facts: PodFacts): Promise<void> {
  const { pod } = facts;
  const namespace = pod.metadata.namespace ?? '';
  for (const volume of pod.spec?.volumes ?? []) {
    try {
      await volumePayload(volume, {
        facts,
        configMap: (name) => node.objects.get(corev1.configmaps, namespace, name),
        secret: (name) => node.objects.get(corev1.secrets, namespace, name),
        token: async () => '',
      });
    } catch (error) {
      throw new VolumeError(`MountVolume.SetUp failed for volume "${volume.name}" : ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}

/** Calls back when an object appears or changes that the pod's volumes are made of. */
export function followReferences(node: NodeContext, pod: corev1.Pod, changed: () => void): () => void {
  const namespace = pod.metadata.namespace ?? '';
  const { configMaps, secrets } = referencesOf(pod.spec?.volumes ?? []);
  const endings = [
    ...[...configMaps].map((name) => node.objects.follow(corev1.configmaps, namespace, name, changed)),
    ...[...secrets].map((name) => node.objects.follow(corev1.secrets, namespace, name, changed)),
  ];
  return () => {
    for (const end of endings.splice(0)) end();
  };
}
