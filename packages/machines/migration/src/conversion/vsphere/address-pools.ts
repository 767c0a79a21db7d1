import type { Findings } from '../findings.ts';
import type { PoolReference } from './types.ts';

/** The Machine API names pools by their resource, Cluster API by their kind. These are known; others are refused. */
const pools: readonly { readonly group: string; readonly resource: string; readonly kind: string }[] = [
  { group: 'ipam.cluster.x-k8s.io', resource: 'inclusterippools', kind: 'InClusterIPPool' },
  { group: 'ipam.cluster.x-k8s.io', resource: 'globalinclusterippools', kind: 'GlobalInClusterIPPool' },
  { group: 'installer.openshift.io', resource: 'ippools', kind: 'IPPool' },
  { group: 'ipam.metal3.io', resource: 'ippools', kind: 'IPPool' },
];

export interface OldPoolReference {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
}

export function poolToClusterApi(
  { group, resource, name }: OldPoolReference,
  path: string,
  findings: Findings,
): PoolReference {
  const known = pools.find((pool) => pool.group === group && pool.resource === resource);
  if (!known) findings.invalid(path, { group, resource, name }, 'the kind of this pool is not known');
  return { apiGroup: group, kind: known?.kind ?? '', name };
}

export function poolToMachineApi(pool: PoolReference, path: string, findings: Findings): OldPoolReference {
  const { apiGroup: group = '', kind, name } = pool;
  const known = pools.find((entry) => entry.group === group && entry.kind === kind);
  if (!known) findings.invalid(path, pool, 'the resource of this pool is not known');
  return { group, resource: known?.resource ?? '', name };
}
