import type { Draft } from '../behaviour.ts';
import { child } from '../defaulting.ts';
import { isEmpty } from '../values.ts';

export const jobNameLabels = ['job-name', 'batch.kubernetes.io/job-name'] as const;
export const controllerUidLabels = ['controller-uid', 'batch.kubernetes.io/controller-uid'] as const;

/** Labels the job's pods with its uid and selects them by it, unless the author insisted on a selector of their own. */
export function prepareJobForCreate(job: Draft): void {
  job['status'] = {};
  const spec = child(job, 'spec');
  if (spec['manualSelector'] === true) return;
  const metadata = child(job, 'metadata');
  const labels = child(child(child(spec, 'template'), 'metadata'), 'labels');
  for (const key of jobNameLabels) if (!Object.hasOwn(labels, key)) labels[key] = metadata['name'] ?? '';
  for (const key of controllerUidLabels) if (!Object.hasOwn(labels, key)) labels[key] = metadata['uid'] ?? '';
  // A job without labels of its own takes its template's, also those just made.
  if (isEmpty(metadata['labels'])) metadata['labels'] = { ...labels };
  const matchLabels = child(child(spec, 'selector'), 'matchLabels');
  if (!Object.hasOwn(matchLabels, controllerUidLabels[1])) matchLabels[controllerUidLabels[1]] = metadata['uid'] ?? '';
}
