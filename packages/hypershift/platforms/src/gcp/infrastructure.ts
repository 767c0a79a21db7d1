import type { Infrastructure, InfraScope } from '../platform.ts';
import { readyInfraCluster } from '../shared/infra-object.ts';
import { settingsOf } from '../shared/settings.ts';

export function gcpInfrastructure({ cluster, namespace, endpoint }: InfraScope): Infrastructure {
  const { project, region, networkConfig, resourceLabels = [] } = settingsOf(cluster.spec.platform, 'gcp');
  const network = networkConfig?.network?.name;
  const subnet = networkConfig?.privateServiceConnectSubnet?.name;
  const name = cluster.metadata.name ?? '';
  return {
    before: [],
    cluster: readyInfraCluster(
      'infrastructure.cluster.x-k8s.io/v1beta1',
      'GCPCluster',
      { name, namespace },
      {
        project,
        region,
        ...(network ? { network: { name: network, ...(subnet ? { subnets: [{ name: subnet, region }] } : {}) } } : {}),
        additionalLabels: {
          ...Object.fromEntries(resourceLabels.map(({ key, value }) => [key, value ?? ''])),
          'hypershift-openshift-io-cluster': name,
          ...(cluster.spec.infraID ? { 'hypershift-openshift-io-infra-id': cluster.spec.infraID } : {}),
        },
        controlPlaneEndpoint: endpoint,
      },
    ),
  };
}
