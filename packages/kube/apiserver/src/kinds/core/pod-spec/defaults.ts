import type { Draft } from '../../behaviour.ts';
import { child, items, maybe, setDefault } from '../../defaulting.ts';
import { canonicalList, canonicalResources } from '../resources/canonical.ts';
import { defaultContainer } from './container-defaults.ts';
import { defaultVolume } from './volume-defaults.ts';

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Fills in a pod spec wherever it stands: in a pod or in a template. */
export function defaultPodSpec(spec: Draft): void {
  // One taken over from the stored object has been here before.
  if (Object.isFrozen(spec)) return;
  // `serviceAccount` is the old name of `serviceAccountName`; both are always written, the new one wins.
  const account = spec['serviceAccountName'] || spec['serviceAccount'];
  if (account) {
    spec['serviceAccountName'] = account;
    spec['serviceAccount'] = account;
  }
  setDefault(spec, 'dnsPolicy', 'ClusterFirst');
  setDefault(spec, 'restartPolicy', 'Always');
  child(spec, 'securityContext');
  setDefault(spec, 'terminationGracePeriodSeconds', 30);
  setDefault(spec, 'schedulerName', 'default-scheduler');
  for (const volume of items(spec, 'volumes')) defaultVolume(volume);
  for (const list of containerLists) for (const container of items(spec, list)) defaultContainer(container);
  canonicalList(spec, 'overhead');
  const podLevel = maybe(spec, 'resources');
  if (podLevel) canonicalResources(podLevel);
}

/** Fills in the pod template under `key`. */
export function defaultPodTemplate(owner: Draft, key = 'template'): void {
  const template = child(owner, key);
  if (Object.isFrozen(template)) return;
  // Older Go clients write this null into every template; the real server never shows it.
  const metadata = maybe(template, 'metadata');
  if (metadata?.['creationTimestamp'] === null) delete metadata['creationTimestamp'];
  defaultPodSpec(child(template, 'spec'));
}
