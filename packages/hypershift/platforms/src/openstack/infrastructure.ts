import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import { PlatformError } from '../errors.ts';
import type { Infrastructure, InfraScope } from '../platform.ts';
import { infraIDOf, settingsOf } from '../shared/settings.ts';
import { workerSecurityGroupRules } from './security-group.ts';

type Settings = NonNullable<HostedCluster['spec']['platform']['openstack']>;

/** Existing subnets, or the one to make; only one is possible, in the first machine network. */
function subnetsOf({ subnets = [], managedSubnets = [] }: Settings, machineCIDR: string): object {
  if (subnets.length > 0) return { subnets };
  const { dnsNameservers, allocationPools } = managedSubnets[0] ?? {};
  return {
    managedSubnets: [
      {
        cidr: machineCIDR,
        ...(dnsNameservers ? { dnsNameservers } : {}),
        ...(allocationPools ? { allocationPools } : {}),
      },
    ],
  };
}

export function openStackInfrastructure({ cluster, namespace, endpoint }: InfraScope): Infrastructure {
  const settings = settingsOf(cluster.spec.platform, 'openstack');
  const machineCIDRs = (cluster.spec.networking.machineNetwork ?? []).map(({ cidr }) => cidr);
  const [machineCIDR] = machineCIDRs;
  if (machineCIDR === undefined)
    throw new PlatformError('PLATFORM_SETTING_INVALID', {
      message: 'failed to reconcile OpenStackClusterSpec, empty machine networks',
      fix: 'set spec.networking.machineNetwork',
      field: 'spec.networking.machineNetwork',
    });
  const { identityRef, router, network, networkMTU, externalNetwork, disableExternalNetwork, tags = [] } = settings;
  return {
    before: [],
    cluster: {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
      kind: 'OpenStackCluster',
      metadata: { name: cluster.metadata.name ?? '', namespace },
      spec: {
        identityRef: { name: identityRef.name, cloudName: identityRef.cloudName },
        controlPlaneEndpoint: endpoint,
        ...subnetsOf(settings, machineCIDR),
        ...(router ? { router } : {}),
        ...(network ? { network } : {}),
        ...(networkMTU === undefined ? {} : { networkMTU }),
        ...(externalNetwork ? { externalNetwork } : {}),
        ...(disableExternalNetwork === undefined ? {} : { disableExternalNetwork }),
        disableAPIServerFloatingIP: true,
        managedSecurityGroups: { allNodesSecurityGroupRules: workerSecurityGroupRules(machineCIDRs) },
        tags: [`openshiftClusterID=${infraIDOf(cluster)}`, ...tags],
      },
    },
  };
}
