import { statusErrors } from '@hypershift-ts/kube-apimachinery';
import { draftOf } from '../registry/draft.ts';
import { updateObject } from '../registry/update.ts';
import { formatTime } from '@hypershift-ts/kube-apimachinery';
import type { Action } from './subresource.ts';

/** pods/binding: the scheduler's word on where a pod runs. */
export const podBinding: Action = {
  form: 'action',
  async run(registry, context, target, body, options) {
    const node = body['target'];
    if (node?.kind !== undefined && node.kind !== '' && node.kind !== 'Node')
      throw statusErrors.badRequest(`Binding.target.kind must be Node, not ${JSON.stringify(node.kind)}`);
    if (typeof node?.name !== 'string' || node.name === '')
      throw statusErrors.badRequest('Binding.target.name is required: name the node to bind the pod to');
    const binding = { group: '', resource: 'pods/binding' };
    const wantedUid = body['metadata']?.uid;
    await updateObject(
      registry,
      context,
      { ...target, subresource: 'binding' },
      {
        repeatable: true,
        next(pod) {
          const draft = draftOf(pod);
          if (wantedUid && wantedUid !== pod.metadata.uid)
            throw statusErrors.conflict(
              binding,
              target.name,
              `the UID in the binding (${wantedUid}) does not match the pod's (${pod.metadata.uid})`,
            );
          if (pod.metadata.deletionTimestamp)
            throw statusErrors.conflict(
              binding,
              target.name,
              `pod ${target.name} is being deleted, cannot be assigned to a host`,
            );
          if (draft['spec'].nodeName)
            throw statusErrors.conflict(
              binding,
              target.name,
              `pod ${target.name} is already assigned to node ${JSON.stringify(draft['spec'].nodeName)}`,
            );
          draft['spec'] = { ...draft['spec'], nodeName: node.name };
          draft['metadata'].annotations = mergedOrAbsent(draft['metadata'].annotations, body['metadata']?.annotations);
          draft['metadata'].labels = mergedOrAbsent(draft['metadata'].labels, body['metadata']?.labels);
          draft['status'] = {
            ...draft['status'],
            conditions: [
              ...(draft['status']?.conditions ?? []).filter(
                (condition: { type: string }) => condition.type !== 'PodScheduled',
              ),
              {
                type: 'PodScheduled',
                status: 'True',
                lastProbeTime: null,
                lastTransitionTime: formatTime(context.now),
              },
            ],
          };
          return draft;
        },
        // Only this path may set spec.nodeName, so the ordinary rules of a pod update do not apply.
        as: 'custom',
        untracked: true,
      },
      options,
    );
    return { code: 201, object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } };
  },
};

function mergedOrAbsent(current: object | undefined, more: object | undefined): object | undefined {
  return more ? { ...current, ...more } : current;
}
