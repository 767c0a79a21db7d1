import type { Draft } from '../../kinds/behaviour.ts';
import type { Lookup } from '../lookup.ts';
import { violationsIn } from './evaluate.ts';
import { formatLevel, type LevelVersion } from './levels.ts';

/** A namespace may hold more pods than one request should wait for. */
const maxPods = 3000;

/** The warnings for pods already running in a namespace whose level was just raised. */
export async function existingPodWarnings(lookup: Lookup, namespace: string, level: LevelVersion): Promise<string[]> {
  const pods = await lookup.list('', 'pods', namespace);
  const byViolation = new Map<string, string[]>();
  for (const pod of pods.slice(0, maxPods)) {
    // Kubernetes names the kinds of violation here, not each container.
    const found = violationsIn(level, pod.metadata as Draft, (pod['spec'] ?? {}) as Draft);
    if (found.length === 0) continue;
    const reasons = found.map(({ reason }) => reason).join(', ');
    const names = byViolation.get(reasons);
    if (names) names.push(pod.metadata.name ?? '');
    else byViolation.set(reasons, [pod.metadata.name ?? '']);
  }
  if (byViolation.size === 0) return [];
  const lines = [...byViolation].map(([reasons, names]) => `${podsText(names.toSorted())}: ${reasons}`).sort();
  return [
    `existing pods in namespace ${JSON.stringify(namespace)} violate the new PodSecurity enforce level "${formatLevel(level)}"`,
    ...lines,
  ];
}

function podsText([first, ...others]: readonly string[]): string {
  if (others.length === 0) return first!;
  return `${first} (and ${others.length} other ${others.length === 1 ? 'pod' : 'pods'})`;
}
