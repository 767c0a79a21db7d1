import { applyMergePatch, formatFieldError, type JsonObject } from '@hypershift-ts/kube-apimachinery';
import { machineToClusterApi } from '../conversion/machine/to-cluster-api.ts';
import { machineToMachineApi } from '../conversion/machine/to-machine-api.ts';
import { platformConversion } from '../conversion/platforms.ts';
import { platformCases } from './platforms/index.ts';

export interface Complaints {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** What conversion says about a provider spec that differs by this merge patch from one without faults. */
export function providerSpecComplaints(
  platform: string,
  patch: JsonObject,
  labels: { readonly [key: string]: string } = {},
): Complaints {
  const { providerSpec, facts } = platformCases.find(({ name }) => name === platform)!;
  const value = applyMergePatch(providerSpec.base as JsonObject, patch) as JsonObject;
  const machine = {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: { name: 'worker', labels },
    spec: { providerSpec: { value } },
  };
  const { errors, warnings } = machineToClusterApi(machine, platformConversion(platform)!, facts);
  return { errors: errors.map(formatFieldError), warnings: warnings.map(formatFieldError) };
}

/** What conversion says about an InfraMachine that differs by this merge patch from one without faults. */
export function infraSpecComplaints(platform: string, patch: JsonObject, bootstrap = {}): Complaints {
  const { infraSpec, facts, failureDomains } = platformCases.find(({ name }) => name === platform)!;
  const spec = applyMergePatch(infraSpec.base as JsonObject, patch) as JsonObject;
  const machine = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'worker' },
    spec: {
      clusterName: 'prod-x7k2p',
      bootstrap,
      infrastructureRef: { apiGroup: '', kind: '', name: '' },
      ...(failureDomains?.[0] ? { failureDomain: failureDomains[0] } : {}),
    },
  };
  const infraMachine = { apiVersion: '', kind: '', metadata: {}, spec };
  const { errors, warnings } = machineToMachineApi({ machine, infraMachine }, platformConversion(platform)!, facts);
  return { errors: errors.map(formatFieldError), warnings: warnings.map(formatFieldError) };
}
