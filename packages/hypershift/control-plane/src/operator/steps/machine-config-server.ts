import { configurationHash, goYaml, proxyStatus } from '@hypershift-ts/hypershift-ignition';
import { corev1, type JsonObject } from '@hypershift-ts/kube-apimachinery';
import { done, type Step, waiting } from '@hypershift-ts/kube-controller';
import { baseDomainOf, runsIgnitionServer } from '../../framework/cluster-facts.ts';
import { componentContext, type Pass } from '../pass.ts';
import { ensureOwned } from './ensure.ts';
import { unlessSettled } from './settled-step.ts';

/** The cluster's own settings as a machine config server reads them, marked with what they were made from. */
export const machineConfigServer: Step<Pass> = {
  name: 'machine-config-server',
  kind: 'best-effort',
  blockedBy: ['certificates'],
  async run(pass) {
    if (!runsIgnitionServer(componentContext(pass))) return done();
    const isWritten = await unlessSettled(pass, 'machine-config-server', async (seen) => ({
      result: await write(seen),
    }));
    return isWritten
      ? done()
      : waiting('CertificatesMissing', 'Secret root-ca and ConfigMap kubelet-client-ca do not exist yet');
  },
};

async function write(pass: Pass): Promise<boolean> {
  const { lookup } = pass;
  const root = lookup.get(corev1.secrets, 'root-ca')?.data?.['ca.crt'];
  const kubelets = lookup.get(corev1.configmaps, 'kubelet-client-ca')?.data?.['ca.crt'];
  if (root === undefined || kubelets === undefined) return false;
  const users = lookup.get(corev1.configmaps, 'trusted-ca-bundle-managed')?.data?.['ca-bundle.crt'];
  const data = {
    ...machineConfigFiles(pass),
    ...(users ? { 'user-ca-bundle-config.yaml': userBundle(users) } : {}),
    'root-ca.crt': Buffer.from(root, 'base64').toString('utf8'),
    'signer-ca.crt': kubelets,
  };
  await ensureOwned(pass, corev1.configmaps, { name: 'machine-config-server', body: { data } });
  return true;
}

type Settings = Pick<Pass, 'hcp' | 'infrastructure'>;

/** Everything that follows from the HostedControlPlane alone. */
export function machineConfigFiles(settings: Settings): Readonly<Record<string, string>> {
  const { spec } = settings.hcp;
  return {
    'cluster-dns-02-config.yaml': config('DNS', { baseDomain: baseDomainOf(settings.hcp), platform: { type: '' } }, {}),
    'cluster-infrastructure-02-config.yaml': infrastructure(settings),
    'cluster-network-02-config.yaml': network(settings),
    'cluster-proxy-01-config.yaml': proxy(settings),
    'image-config.yaml': config('Image', object(spec.configuration?.image), {}),
    'cluster-apiserver-config.yaml': config('APIServer', object(spec.configuration?.apiServer), {}),
    'install-config.yaml': installConfig(settings),
    'master.machineconfigpool.yaml': machineConfigPool('master'),
    'worker.machineconfigpool.yaml': machineConfigPool('worker'),
    'configuration-hash': configurationHash(spec.configuration),
  };
}

const object = (value: unknown): JsonObject => (value ?? {}) as JsonObject;

function config(kind: string, spec: JsonObject, status: JsonObject): string {
  return goYaml({ apiVersion: 'config.openshift.io/v1', kind, metadata: { name: 'cluster' }, spec, status });
}

function infrastructure({ hcp, infrastructure: known }: Settings): string {
  const { infraID, platform, infrastructureAvailabilityPolicy } = hcp.spec;
  const api = known instanceof Error ? undefined : known?.api;
  const url = api ? `https://${api.host}:${api.port}` : '';
  return config(
    'Infrastructure',
    { cloudConfig: { name: '' }, platformSpec: { type: platform.type } },
    {
      apiServerInternalURI: url,
      apiServerURL: url,
      controlPlaneTopology: 'External',
      etcdDiscoveryDomain: baseDomainOf(hcp),
      infrastructureName: infraID,
      infrastructureTopology:
        infrastructureAvailabilityPolicy === 'HighlyAvailable' ? 'HighlyAvailable' : 'SingleReplica',
      platform: platform.type,
      platformStatus: { type: platform.type },
    },
  );
}

function network({ hcp }: Settings): string {
  const { clusterNetwork = [], serviceNetwork = [], networkType = 'OVNKubernetes' } = hcp.spec.networking ?? {};
  return config(
    'Network',
    {
      clusterNetwork: clusterNetwork.map(({ cidr, hostPrefix }) => ({
        cidr,
        hostPrefix: hostPrefix ?? (cidr.includes(':') ? 64 : 23),
      })),
      externalIP: { policy: {} },
      networkType,
      serviceNetwork: serviceNetwork.map(({ cidr }) => cidr),
    },
    {},
  );
}

function proxy({ hcp }: Settings): string {
  const { configuration, networking, platform } = hcp.spec;
  const status = proxyStatus(
    configuration?.proxy as Parameters<typeof proxyStatus>[0],
    {
      ...networking,
      platform: platform.type,
      ...(platform.aws?.region ? { awsRegion: platform.aws.region } : {}),
    } as Parameters<typeof proxyStatus>[1],
  );
  const { trustedCA, ...rest } = object(configuration?.proxy);
  return config('Proxy', { ...rest, trustedCA: trustedCA ?? { name: '' } }, { ...status });
}

function userBundle(bundle: string): string {
  const metadata = { name: 'user-ca-bundle', namespace: 'openshift-config' };
  return goYaml({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'ca-bundle.crt': bundle } });
}

/** Only what the machine config server reads of an installer's configuration. */
function installConfig({ hcp }: Settings): string {
  const { networking, platform } = hcp.spec;
  const { aws, gcp } = platform;
  return goYaml({
    apiVersion: 'v1',
    controlPlane: { replicas: 1 },
    networking: { machineNetwork: (networking?.machineNetwork ?? []).map(({ cidr }) => ({ cidr })) },
    platform: aws
      ? { aws: { region: aws.region } }
      : gcp
        ? { gcp: { projectID: gcp.project, region: gcp.region } }
        : { none: {} },
  });
}

/** The pool called master is the one that is served, although it is for workers. */
function machineConfigPool(name: string): string {
  return goYaml({
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfigPool',
    metadata: { labels: { 'machineconfiguration.openshift.io/mco-built-in': '' }, name },
    spec: {
      machineConfigSelector: { matchLabels: { 'machineconfiguration.openshift.io/role': 'worker' } },
      nodeSelector: { matchLabels: { 'node-role.kubernetes.io/worker': '' } },
      paused: false,
    },
  });
}
