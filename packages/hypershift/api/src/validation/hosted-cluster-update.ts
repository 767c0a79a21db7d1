/** Fields that are documented as fixed and that the CRD lets change. */
import { type FieldError, fieldError, isJsonObject, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { HostedCluster } from '../hosted-cluster/index.ts';

interface FixedField {
  readonly path: string;
  /** A change by somebody who knows what follows must stay possible. */
  readonly onlyWarn?: true;
}

/** Tags and roles are not here: the operator writes them itself. */
export const fixedByDocumentation: readonly FixedField[] = [
  { path: 'spec.networking.networkType' },
  { path: 'spec.networking.clusterNetwork' },
  { path: 'spec.networking.serviceNetwork' },
  { path: 'spec.platform.aws.region' },
  { path: 'spec.platform.aws.cloudProviderConfig' },
  { path: 'spec.platform.aws.sharedVPC' },
  { path: 'spec.platform.aws.endpointAccess', onlyWarn: true },
  { path: 'spec.platform.aws.serviceEndpoints', onlyWarn: true },
  { path: 'spec.platform.powervs.accountID' },
  { path: 'spec.platform.powervs.cisInstanceCRN' },
  { path: 'spec.platform.powervs.resourceGroup' },
  { path: 'spec.platform.powervs.region' },
  { path: 'spec.platform.powervs.zone' },
  { path: 'spec.platform.powervs.subnet' },
  { path: 'spec.platform.powervs.serviceInstanceID' },
  { path: 'spec.platform.powervs.vpc' },
  { path: 'spec.auditWebhook', onlyWarn: true },
];

function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const step of path.split('.')) value = isJsonObject(value) ? value[step] : undefined;
  return value;
}

function changed(next: HostedCluster, previous: HostedCluster): readonly FixedField[] {
  return fixedByDocumentation.filter(({ path }) => {
    const before = valueAt(previous, path);
    return before !== undefined && !jsonEqual(before, valueAt(next, path));
  });
}

/** Changes that would leave a running cluster behind in pieces. */
export function validateHostedClusterUpdate(next: HostedCluster, previous: HostedCluster): readonly FieldError[] {
  return changed(next, previous)
    .filter(({ onlyWarn }) => !onlyWarn)
    .map(({ path }) => fieldError.forbidden(path, 'cannot change once the cluster exists'));
}

/** Changes that take effect for a part of the cluster only. */
export function hostedClusterUpdateWarnings(next: HostedCluster, previous: HostedCluster): readonly string[] {
  return changed(next, previous)
    .filter(({ onlyWarn }) => onlyWarn)
    .map(({ path }) => `${path}: documented as fixed; what exists already may keep the old value`);
}
