import { annotations } from '@hypershift-ts/hypershift-api';
import type { Infrastructure, InfraScope } from '../platform.ts';
import { readyInfraCluster } from '../shared/infra-object.ts';
import { settingsOf } from '../shared/settings.ts';

/** Subnets of the pools, which Cluster API must know to be public when machines get public addresses. */
function publicSubnets({ cluster, nodePools }: InfraScope): readonly { id: string; isPublic: true }[] | undefined {
  if (cluster.metadata.annotations?.[annotations.awsMachinePublicIps.key] !== 'true') return undefined;
  const ids = new Set(nodePools.flatMap(({ spec }) => spec.platform.aws?.subnet?.id ?? []));
  return [...ids].sort().map((id) => ({ id, isPublic: true }));
}

export function awsInfrastructure(scope: InfraScope): Infrastructure {
  const { cluster, namespace, endpoint } = scope;
  const { region, cloudProviderConfig, resourceTags = [] } = settingsOf(cluster.spec.platform, 'aws');
  const subnets = publicSubnets(scope);
  const network = {
    ...(cloudProviderConfig ? { vpc: { id: cloudProviderConfig.vpc } } : {}),
    ...(subnets ? { subnets } : {}),
  };
  return {
    before: [],
    cluster: readyInfraCluster(
      'infrastructure.cluster.x-k8s.io/v1beta2',
      'AWSCluster',
      { name: cluster.metadata.name ?? '', namespace },
      {
        region,
        ...(Object.keys(network).length > 0 ? { network } : {}),
        controlPlaneEndpoint: endpoint,
        ...(resourceTags.length > 0
          ? { additionalTags: Object.fromEntries(resourceTags.map(({ key, value }) => [key, value])) }
          : {}),
      },
    ),
  };
}
