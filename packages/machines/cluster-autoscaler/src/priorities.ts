import { corev1, decodeYaml, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { getIfPresent } from '@hypershift-ts/kube-controller';
import type { Priorities } from './expander.ts';

const key = { namespace: 'kube-system', name: 'cluster-autoscaler-priority-expander' };

/** The user's order of node groups: key `priorities` of a ConfigMap, priorities to lists of patterns, in YAML. */
export async function readPriorities(client: Client): Promise<Priorities | undefined> {
  const found = await getIfPresent(client, corev1.configmaps, key);
  return parsePriorities(found?.data?.['priorities']);
}

/** Undefined when there is nothing to read or it makes no sense; the next expander then decides alone. */
export function parsePriorities(text: string | undefined): Priorities | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = decodeYaml(text).value;
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const priorities = new Map<number, readonly string[]>();
  for (const [priority, patterns] of Object.entries(value)) {
    if (!/^-?\d+$/.test(priority) || !Array.isArray(patterns)) continue;
    priorities.set(
      Number(priority),
      patterns.filter((pattern) => typeof pattern === 'string'),
    );
  }
  return priorities.size > 0 ? priorities : undefined;
}
