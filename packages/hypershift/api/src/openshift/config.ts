/** Kinds of config.openshift.io. Specs a HostedCluster carries are the very same structs; the rest is partly typed. */
import {
  apiServerConfiguration,
  authenticationConfiguration,
  featureGateConfiguration,
  imageConfiguration,
  ingressConfiguration,
  networkConfiguration,
  oauthConfiguration,
  operatorHubConfiguration,
  proxyConfiguration,
  schedulerConfiguration,
} from '../configuration/index.ts';
import { type AnyNode, defineKind, enumOf, int32, list, object, string } from '../schema/index.ts';
import { freeForm, partly } from './free-form.ts';

function config<const Kind extends string, const F extends { readonly [name: string]: AnyNode }>(
  kind: Kind,
  plural: string,
  description: string,
  fields: F,
) {
  return defineKind({
    group: 'config.openshift.io',
    version: 'v1',
    kind,
    plural,
    scope: 'Cluster',
    description,
    statusSubresource: true,
    fields,
  });
}

const status = freeForm().optional();

export const apiServer = config('APIServer', 'apiservers', 'How the API server of the cluster serves.', {
  spec: apiServerConfiguration.unenforced(),
  status,
});
export const authentication = config('Authentication', 'authentications', 'Who may log in to the cluster.', {
  spec: authenticationConfiguration.unenforced(),
  status,
});
export const featureGate = config('FeatureGate', 'featuregates', 'Features that are switched on.', {
  spec: featureGateConfiguration.unenforced(),
  status: partly({
    featureGates: list(
      object({
        version: string(),
        enabled: list(object({ name: string() })).optional(),
        disabled: list(object({ name: string() })).optional(),
      }),
      { type: 'map', keys: ['version'] },
    ).optional(),
  }).optional(),
});
export const image = config('Image', 'images', 'Where images may come from.', {
  spec: imageConfiguration.unenforced(),
  status,
});
export const ingress = config('Ingress', 'ingresses', 'Domains and routes of the cluster.', {
  spec: ingressConfiguration.unenforced(),
  status,
});
export const network = config('Network', 'networks', 'Address ranges and network type of the cluster.', {
  spec: networkConfiguration.unenforced(),
  status: partly({
    clusterNetwork: list(object({ cidr: string().optional(), hostPrefix: int32().optional() })).optional(),
    serviceNetwork: list(string()).optional(),
    networkType: string().optional(),
    clusterNetworkMTU: int32().optional(),
  }).optional(),
});
export const oauth = config('OAuth', 'oauths', 'Identity providers of the integrated OAuth server.', {
  spec: oauthConfiguration.unenforced(),
  status,
});
export const operatorHub = config('OperatorHub', 'operatorhubs', 'Catalogues of operators.', {
  spec: operatorHubConfiguration.unenforced(),
  status,
});
export const proxy = config('Proxy', 'proxies', 'Proxy the cluster reaches the outside through.', {
  spec: proxyConfiguration.unenforced(),
  status: partly({
    httpProxy: string().optional(),
    httpsProxy: string().optional(),
    noProxy: string().optional(),
  }).optional(),
});
export const scheduler = config('Scheduler', 'schedulers', 'How pods are placed.', {
  spec: schedulerConfiguration.unenforced(),
  status,
});

const dnsZone = object({ id: string().optional(), tags: freeForm().optional() });

export const dnsConfig = config('DNS', 'dnses', 'Base domain and zones of the cluster.', {
  spec: partly({
    baseDomain: string().optional(),
    privateZone: dnsZone.optional(),
    publicZone: dnsZone.optional(),
    platform: freeForm().optional(),
  }).unenforced(),
  status,
});

const topology = enumOf(['HighlyAvailable', 'HighlyAvailableArbiter', 'SingleReplica', 'DualReplica', 'External']);

export const infrastructure = config('Infrastructure', 'infrastructures', 'What the cluster runs on.', {
  spec: partly({
    cloudConfig: object({ name: string().optional(), key: string().optional() }).optional(),
    platformSpec: partly({ type: string().optional() }).optional(),
  }).unenforced(),
  status: partly({
    infrastructureName: string().optional(),
    apiServerURL: string().optional(),
    apiServerInternalURI: string().optional(),
    etcdDiscoveryDomain: string().optional(),
    controlPlaneTopology: topology.optional(),
    infrastructureTopology: enumOf(['HighlyAvailable', 'SingleReplica']).optional(),
    cpuPartitioning: enumOf(['None', 'AllNodes']).optional(),
    platform: string().optional(),
    platformStatus: partly({ type: string() }).optional(),
  }).optional(),
});

export const build = config('Build', 'builds', 'Defaults of builds.', { spec: freeForm().unenforced(), status });
export const consoleConfig = config('Console', 'consoles', 'Where users of the web console log out to.', {
  spec: freeForm().unenforced(),
  status: partly({ consoleURL: string().optional() }).optional(),
});
export const nodeConfig = config('Node', 'nodes', 'Settings of every kubelet.', {
  spec: partly({
    cgroupMode: enumOf(['v1', 'v2', '']).optional(),
    workerLatencyProfile: string().optional(),
  }).unenforced(),
  status,
});
export const project = config('Project', 'projects', 'How users request projects.', {
  spec: freeForm().unenforced(),
  status,
});

const imagePolicySpec = partly({
  scopes: list(string(), { type: 'set' }),
  policy: freeForm(),
});

export const clusterImagePolicy = config('ClusterImagePolicy', 'clusterimagepolicies', 'Signatures images must have.', {
  spec: imagePolicySpec,
  status,
});

const mirrors = list(
  object({
    source: string(),
    mirrors: list(string(), { type: 'set' }).optional(),
    mirrorSourcePolicy: enumOf(['NeverContactSource', 'AllowContactingSource']).optional(),
  }),
  { type: 'atomic' },
).optional();

export const imageDigestMirrorSet = config(
  'ImageDigestMirrorSet',
  'imagedigestmirrorsets',
  'Mirrors of images that are pulled by digest.',
  { spec: object({ imageDigestMirrors: mirrors }), status },
);
export const imageTagMirrorSet = config(
  'ImageTagMirrorSet',
  'imagetagmirrorsets',
  'Mirrors of images that are pulled by tag.',
  { spec: object({ imageTagMirrors: mirrors }), status },
);
