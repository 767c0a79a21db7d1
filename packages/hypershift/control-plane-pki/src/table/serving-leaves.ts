import type { PkiFacts } from '../facts.ts';
import { advertiseAddressOf, internalApiName, kubernetesServiceAddresses, namesOf, serviceNames } from '../facts.ts';
import type { LeafSpec, SecretType } from './specs.ts';

const root = 'root-ca';

interface ServiceOptions {
  readonly localhost?: boolean;
  /** Also `<service>.default.svc`, the name kube-apiserver's aggregator calls. */
  readonly aggregated?: boolean;
  readonly type?: SecretType;
}

/** A component behind a Service of the control plane's namespace; metrics scrapers make it a client too. */
function service(secret: string, name: string, namespace: string, options: ServiceOptions = {}): LeafSpec {
  return {
    secret,
    signer: root,
    commonName: name,
    organizations: ['openshift'],
    role: 'peer',
    dnsNames: [
      ...serviceNames(name, namespace),
      ...(options.aggregated ? [`${name}.default.svc`, `${name}.default.svc.cluster.local`] : []),
      ...(options.localhost ? ['localhost'] : []),
    ],
    ...(options.type ? { type: options.type } : {}),
  };
}

/** Certificates of everything that listens, apart from etcd and what a platform adds. */
export function servingLeaves(facts: PkiFacts): readonly LeafSpec[] {
  return [
    ...kubeApiServerLeaves(facts),
    ...konnectivityLeaves(facts),
    ...publishedLeaves(facts),
    ...componentLeaves(facts),
    ...optionalLeaves(facts),
    ...(facts.platformLeaves ?? []),
  ];
}

function kubeApiServerLeaves(facts: PkiFacts): readonly LeafSpec[] {
  const external = namesOf(facts.api.host);
  const wellKnown = ['kubernetes', 'openshift'].flatMap((name) => [
    name,
    `${name}.default`,
    `${name}.default.svc`,
    `${name}.default.svc.cluster.local`,
  ]);
  const common = { signer: root, organizations: ['kubernetes'], role: 'server' } as const;
  return [
    {
      ...common,
      secret: 'kas-server-crt',
      commonName: 'kubernetes',
      dnsNames: unique(['localhost', ...wellKnown, ...external.dnsNames, internalApiName(facts)]),
      ipAddresses: unique([
        '127.0.0.1',
        '::1',
        ...kubernetesServiceAddresses(facts.serviceNetworks),
        advertiseAddressOf(facts),
        ...external.ipAddresses,
      ]),
    },
    {
      ...common,
      secret: 'kas-server-private-crt',
      commonName: 'kubernetes-private',
      dnsNames: serviceNames('kube-apiserver', facts.namespace),
    },
  ];
}

function konnectivityLeaves({ namespace, konnectivityHost }: PkiFacts): readonly LeafSpec[] {
  const common = { signer: 'konnectivity-signer', organizations: ['kubernetes'], role: 'server' } as const;
  const published = namesOf(konnectivityHost);
  return [
    {
      ...common,
      secret: 'konnectivity-server',
      commonName: 'konnectivity-server-local',
      dnsNames: ['localhost', ...serviceNames('konnectivity-server-local', namespace)],
      ipAddresses: ['127.0.0.1'],
    },
    {
      ...common,
      secret: 'konnectivity-cluster',
      commonName: 'konnectivity-server',
      dnsNames: unique([...serviceNames('konnectivity-server', namespace), ...published.dnsNames]),
      ipAddresses: published.ipAddresses,
    },
  ];
}

/** Hosts that users and machines reach from outside. */
function publishedLeaves(facts: PkiFacts): readonly LeafSpec[] {
  const { namespace, oauthHost, ingressDomain, ignition } = facts;
  const common = { signer: root, organizations: ['openshift'], role: 'peer' } as const;
  const leaves: LeafSpec[] = [];
  if (oauthHost !== undefined) {
    const { dnsNames, ipAddresses } = namesOf(oauthHost);
    leaves.push({
      ...common,
      secret: 'oauth-server-crt',
      commonName: 'openshift-oauth',
      dnsNames: unique([...dnsNames, `oauth-openshift.${namespace}.svc.cluster.local`]),
      ipAddresses,
    });
  }
  if (ingressDomain !== undefined) {
    leaves.push({
      ...common,
      secret: 'ingress-crt',
      commonName: 'openshift-ingress',
      dnsNames: [`*.${ingressDomain}`],
    });
  }
  if (ignition !== false) leaves.push(...ignitionLeaves(namespace, ignition?.host));
  return leaves;
}

function ignitionLeaves(namespace: string, host: string | undefined): readonly LeafSpec[] {
  const machineConfig: LeafSpec = {
    secret: 'mcs-crt',
    signer: root,
    commonName: 'machine-config-server',
    organizations: ['openshift'],
    role: 'server',
    dnsNames: [`*.machine-config-server.${namespace}.svc.cluster.local`],
  };
  const inside = service('ignition-server', 'ignition-server', namespace);
  if (host === undefined) return [machineConfig, inside];
  const published: LeafSpec = {
    secret: 'ignition-server-serving-cert',
    signer: 'ignition-server-ca-cert',
    commonName: 'ignition-server',
    organizations: ['openshift'],
    role: 'server',
    ...namesOf(host),
    type: 'kubernetes.io/tls',
    keys: { certificate: 'tls.crt', key: 'tls.key' },
  };
  return [machineConfig, inside, published];
}

function componentLeaves({ namespace, oauthHost }: PkiFacts): readonly LeafSpec[] {
  const aggregated = { aggregated: true };
  const local = { localhost: true };
  // The three controllers share one certificate identity upstream; scrapers expect this server name.
  const controllerManager = 'openshift-controller-manager';
  return [
    service('openshift-apiserver-cert', 'openshift-apiserver', namespace, aggregated),
    ...(oauthHost === undefined
      ? []
      : [service('openshift-oauth-apiserver-cert', 'openshift-oauth-apiserver', namespace, aggregated)]),
    service('openshift-controller-manager-cert', controllerManager, namespace),
    service('openshift-route-controller-manager-cert', controllerManager, namespace),
    service('cluster-policy-controller-cert', controllerManager, namespace),
    service('packageserver-cert', 'packageserver', namespace, aggregated),
    service('catalog-operator-serving-cert', 'catalog-operator-metrics', namespace),
    service('olm-operator-serving-cert', 'olm-operator-metrics', namespace),
    service('kcm-server', 'kube-controller-manager', namespace, local),
    service('scheduler-server', 'kube-scheduler', namespace, local),
    service('cvo-server', 'cluster-version-operator', namespace, local),
    service('network-node-identity-secret', 'network-node-identity', namespace, {
      ...local,
      type: 'kubernetes.io/tls',
    }),
    service('ovn-control-plane-metrics-cert', 'ovn-kubernetes-control-plane', namespace, {
      ...local,
      type: 'kubernetes.io/tls',
    }),
  ];
}

/** A metrics endpoint that is scraped by its bare name. */
const bareMetrics = (secret: string, name: string): LeafSpec => ({
  secret,
  signer: root,
  commonName: name,
  organizations: ['openshift'],
  role: 'peer',
  dnsNames: [name, 'localhost'],
});

function optionalLeaves({ namespace, capabilities = {} }: PkiFacts): readonly LeafSpec[] {
  const { nodeTuning = true, imageRegistry = true, multiNetwork = true, storage = true } = capabilities;
  return [
    ...(nodeTuning ? [service('node-tuning-operator-tls', 'node-tuning-operator', namespace)] : []),
    ...(imageRegistry ? [bareMetrics('cluster-image-registry-operator', 'cluster-image-registry-operator')] : []),
    ...(multiNetwork
      ? [
          service('multus-admission-controller-secret', 'multus-admission-controller', namespace, {
            localhost: true,
            type: 'kubernetes.io/tls',
          }),
        ]
      : []),
    ...(storage
      ? [
          bareMetrics('cluster-storage-operator-serving-cert', 'cluster-storage-operator'),
          bareMetrics('csi-snapshot-controller-operator-serving-cert', 'csi-snapshot-controller-operator'),
        ]
      : []),
  ];
}

const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];
