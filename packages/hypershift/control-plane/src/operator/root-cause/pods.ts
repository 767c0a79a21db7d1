import { labels } from '@hypershift-ts/hypershift-api';
import { corev1, type Condition, findCondition } from '@hypershift-ts/kube-apimachinery';
import type { Pass } from '../pass.ts';
import { warningsAbout } from './warnings.ts';

/** One line about the pods of a component that do not work. Read only while it is not available. */
export async function podTrouble(pass: Pass, component: string): Promise<string | undefined> {
  const { client, namespace, signal } = pass;
  const labelSelector = `${labels.controlPlaneComponent.key}=${component}`;
  const { items } = await client.list(corev1.pods, { namespace, labelSelector, signal });
  const told = troubleIn(items);
  if (told) return told;
  const silent = items.find((pod) => !isReady(pod) && !pod.metadata.deletionTimestamp);
  if (!silent) return undefined;
  const name = silent.metadata.name ?? '';
  const warning = (await warningsAbout(pass, 'Pod', name)).at(-1);
  const waiting = unreadyContainers(silent);
  const what = waiting.length > 0 ? `container ${waiting.join(', ')} is not ready` : 'is not ready';
  return `pod ${name}: ${what}${warning ? `: ${firstLine(warning)}` : ''}`;
}

/** What the pods themselves say, the most telling first; undefined when none says anything. */
export function troubleIn(pods: readonly corev1.Pod[]): string | undefined {
  const told = pods.map((pod) => placing(pod) ?? failing(pod)).filter((text) => text !== undefined);
  return told.sort()[0];
}

function placing({ metadata, status }: corev1.Pod): string | undefined {
  const scheduled = findCondition(status?.conditions as readonly Condition[] | undefined, 'PodScheduled');
  if (scheduled?.status !== 'False') return undefined;
  return `pod ${metadata.name} cannot be scheduled: ${firstLine(scheduled.message ?? '')}`;
}

/** States every pod passes through on its way up; they explain nothing. */
const ordinary: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

function failing({ metadata, status }: corev1.Pod): string | undefined {
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  for (const { name, state, lastState, ready } of containers) {
    const say = (text: string): string => `pod ${metadata.name}, container ${name}: ${firstLine(text)}`;
    const { waiting } = state ?? {};
    const ended = state?.terminated ?? lastState?.terminated;
    const exit =
      ended && ended.exitCode !== 0
        ? `exited with code ${ended.exitCode}: ${tellingLine(ended.message ?? ended.reason ?? '')}`
        : '';
    if (waiting && !ordinary.has(waiting.reason ?? '')) {
      return say(`${waiting.reason}, ${exit || (waiting.message ?? '')}`);
    }
    if (exit && !ready) return say(exit);
  }
  return undefined;
}

function isReady({ status }: corev1.Pod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}

function unreadyContainers({ status }: corev1.Pod): readonly string[] {
  return (status?.containerStatuses ?? []).filter(({ ready }) => !ready).map(({ name }) => name);
}

/** Mostly it is the end of a log, whose last error tells more than where the excerpt happens to begin. */
function tellingLine(text: string): string {
  const errors = text.split('\n').filter((line) => /\b(ERROR|FATAL|panic:|\w*Error:)/.test(line));
  return errors.at(-1) ?? text;
}

function firstLine(text: string): string {
  const line = text.split('\n').find((one) => one.trim() !== '') ?? '';
  return line.length > 300 ? `${line.slice(0, 300)}...` : line.trim();
}
