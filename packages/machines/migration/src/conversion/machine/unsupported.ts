import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { Findings } from '../findings.ts';
import { nodeDeletionTimeoutSeconds } from '../names.ts';

/** Nodes cannot be given these; the fields exist because the type is borrowed. */
export function refuseNodeNames(
  metadata: mapiv1beta1.MachineSpecMetadata | undefined,
  path: string,
  findings: Findings,
): void {
  findings.unsupported(path, metadata ?? {}, {
    name: 'name is not supported',
    generateName: 'generateName is not supported',
    namespace: 'namespace is not supported',
  });
}

/** What a Machine of the Machine API can say and Cluster API cannot. */
export function refuseMachineApiSpec(spec: mapiv1beta1.MachineSpec, findings: Findings): void {
  refuseNodeNames(spec.metadata, 'spec.metadata', findings);
  findings.unsupported('spec', spec, { taints: 'taints are not currently supported' });
}

/** What a Machine of Cluster API can say and the Machine API cannot. */
export function refuseClusterApiSpec(spec: capiv1beta2.MachineSpec, findings: Findings): void {
  findings.unsupported('spec', spec, { version: 'version is not supported', taints: 'taints are not supported' });
  findings.ignored('spec', spec, { readinessGates: 'readinessGates have no equivalent in MAPI, ignoring' });
  findings.ignored('spec.bootstrap', spec.bootstrap, {
    configRef: 'configRef has no equivalent in MAPI, which uses the data it has produced, ignoring',
  });
  const { deletion = {} } = spec;
  for (const name of ['nodeDrainTimeoutSeconds', 'nodeVolumeDetachTimeoutSeconds'] as const)
    if (deletion[name] !== undefined)
      findings.invalid(`spec.deletion.${name}`, deletion[name], `${name} is not supported`);
  const timeout = deletion.nodeDeletionTimeoutSeconds;
  if (timeout !== undefined && timeout !== nodeDeletionTimeoutSeconds)
    findings.invalid(
      'spec.deletion.nodeDeletionTimeoutSeconds',
      timeout,
      'nodeDeletionTimeoutSeconds is not supported',
    );
}
