import { apiregistrationv1, corev1, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import { type GuestObject, kept } from '../guest/guest-object.ts';
import { base64, required, servesOpenShiftApis } from './facts.ts';
import type { GuestInputs, ResourceGroup } from './inputs.ts';

const catalogSources: ResourceType<KubeObject> = {
  group: 'operators.coreos.com',
  version: 'v1alpha1',
  kind: 'CatalogSource',
  resource: 'catalogsources',
  namespaced: true,
};

/** Name, title and priority of each catalogue. */
const catalogs = [
  ['certified-operators', 'Certified Operators', -200],
  ['community-operators', 'Community Operators', -400],
  ['redhat-operators', 'Red Hat Operators', -100],
] as const;

/** Catalogues of operators that run beside the control plane, and the server that lists their packages. */
export const operatorCatalogs: ResourceGroup = {
  name: 'operator-catalogs',
  objects(inputs) {
    if (!servesOpenShiftApis(inputs)) return [];
    return [...sources(inputs), ...packageServer(inputs)];
  },
};

function sources({ hcp }: GuestInputs): readonly GuestObject[] {
  if (hcp.spec.olmCatalogPlacement === 'guest' || hcp.spec.configuration?.operatorhub?.disableAllDefaultSources)
    return [];
  return catalogs.map(([name, displayName, priority]) =>
    kept(
      catalogSources,
      { namespace: 'openshift-marketplace', name },
      {
        spec: {
          sourceType: 'grpc',
          displayName,
          publisher: 'Red Hat',
          priority,
          address: `${name}:50051`,
          grpcPodConfig: { securityContextConfig: 'restricted' },
          updateStrategy: { registryPoll: { interval: '10m' } },
        },
      },
      {
        annotations: { 'target.workload.openshift.io/management': '{"effect": "PreferredDuringScheduling"}' },
        unwatched: true,
      },
    ),
  );
}

function packageServer(inputs: GuestInputs): readonly GuestObject[] {
  const { configMap, service } = inputs;
  const ca = required(configMap('root-ca')?.data?.['ca.crt'], 'ConfigMap', inputs, 'root-ca');
  const ip = required(service('packageserver')?.spec?.clusterIP, 'Service', inputs, 'packageserver');
  const key = { namespace: 'default', name: 'packageserver' };
  const ports = [{ name: 'https', port: 443, protocol: 'TCP' }];
  return [
    kept(
      apiregistrationv1.apiservices,
      { name: 'v1.packages.operators.coreos.com' },
      {
        spec: {
          group: 'packages.operators.coreos.com',
          version: 'v1',
          groupPriorityMinimum: 2000,
          versionPriority: 15,
          caBundle: base64(ca),
          service: { ...key, port: 443 },
        },
      },
    ),
    kept(corev1.services, key, { spec: { ports } }),
    kept(corev1.endpoints, key, { subsets: [{ addresses: [{ ip }], ports }] }),
  ];
}
