import { statusErrors, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { AdmissionPlugin } from '../admission.ts';
import type { Lookup } from '../lookup.ts';

interface PriorityClass extends UnstructuredObject {
  readonly value: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
}

/** Turns a pod's priorityClassName into its number. */
export function priority(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'Priority',
    handles: ({ resource, operation, subresource }) =>
      operation === 'CREATE' && subresource === '' && resource.group === '' && resource.resource === 'pods',
    async mutate(request) {
      const spec = request.object!['spec'] ?? {};
      const found = await classFor(lookup, spec.priorityClassName);
      if (spec.priorityClassName && !found)
        throw statusErrors.forbidden(
          request.resource,
          request.name,
          `no PriorityClass with name ${spec.priorityClassName} was found`,
        );
      const value = found?.value ?? 0;
      if (spec.priority !== undefined && spec.priority !== value)
        throw statusErrors.forbidden(
          request.resource,
          request.name,
          `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
        );
      spec.priority = value;
      if (found && !spec.priorityClassName) spec.priorityClassName = found.metadata.name;
      spec.preemptionPolicy ??= found?.preemptionPolicy ?? 'PreemptLowerPriority';
    },
  };
}

async function classFor(lookup: Lookup, name: string | undefined): Promise<PriorityClass | undefined> {
  if (name) return (await lookup.get('scheduling.k8s.io', 'priorityclasses', '', name)) as PriorityClass | undefined;
  const classes = (await lookup.list('scheduling.k8s.io', 'priorityclasses')) as readonly PriorityClass[];
  return classes.filter((one) => one.globalDefault).sort((a, b) => a.value - b.value)[0];
}
