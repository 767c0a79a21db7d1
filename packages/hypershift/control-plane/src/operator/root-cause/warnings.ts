import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Pass } from '../pass.ts';

/** Texts of the warnings about an object, each once, newest last. Asked only while something is wrong with it. */
export async function warningsAbout(
  { client, namespace, signal }: Pick<Pass, 'client' | 'namespace' | 'signal'>,
  kind: string,
  name: string,
): Promise<readonly string[]> {
  const fieldSelector = `involvedObject.kind=${kind},involvedObject.name=${name},type=Warning`;
  const { items } = await client.list(corev1.events, { namespace, fieldSelector, signal });
  const byTime = [...items].sort((a, b) => timeOf(a).localeCompare(timeOf(b)));
  return [...new Set(byTime.map(({ message }) => message ?? '').filter((text) => text !== ''))];
}

function timeOf({ lastTimestamp, eventTime, metadata }: corev1.Event): string {
  return lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';
}
