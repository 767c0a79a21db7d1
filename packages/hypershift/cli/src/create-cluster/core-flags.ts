import { type Command, Option } from 'commander';
import { flagValues } from '../terminal/index.ts';

const { boolean, duration, durationMs, integer, list, repeated } = flagValues;

/** What `create cluster` takes on every platform, as the command line gives it. */
export interface CoreFlags {
  readonly name: string;
  readonly namespace: string;
  readonly baseDomain?: string;
  readonly baseDomainPrefix?: string;
  readonly externalDnsDomain?: string;
  readonly pullSecret?: string;
  readonly releaseImage?: string;
  readonly releaseStream?: string;
  readonly controlPlaneOperatorImage?: string;
  readonly sshKey?: string;
  readonly generateSsh?: boolean;
  readonly additionalTrustBundle?: string;
  readonly imageContentSources?: string;
  readonly infraId?: string;
  readonly infraJson?: string;
  readonly networkType: string;
  readonly clusterCidr: readonly string[];
  readonly serviceCidr: readonly string[];
  readonly machineCidr: readonly string[];
  readonly defaultDual?: boolean;
  readonly disableMultiNetwork?: boolean;
  readonly ovnKubernetesMtu?: number;
  readonly allocateNodeCidrs?: boolean;
  readonly controlPlaneAvailabilityPolicy: string;
  readonly infraAvailabilityPolicy?: string;
  readonly etcdStorageClass?: string;
  readonly etcdStorageSize: string;
  readonly nodePoolReplicas: number;
  readonly nodeUpgradeType?: string;
  readonly nodeDrainTimeout: string;
  readonly nodeVolumeDetachTimeout: string;
  readonly autoRepair: boolean;
  readonly arch: string;
  readonly fips: boolean;
  readonly annotations: readonly string[];
  readonly labels: readonly string[];
  readonly nodeSelector: readonly string[];
  readonly toleration: readonly string[];
  readonly podsLabels: readonly string[];
  readonly olmCatalogPlacement: string;
  readonly olmDisableDefaultSources?: boolean;
  readonly featureSet: string;
  readonly enableClusterCapabilities: readonly string[];
  readonly disableClusterCapabilities: readonly string[];
  readonly kasDnsName?: string;
  readonly pausedUntil?: string;
}

/** What happens with the objects once they are made. */
export interface DeliveryFlags {
  readonly kubeconfig?: string;
  readonly render?: boolean;
  readonly renderInto?: string;
  readonly renderSensitive?: boolean;
  readonly wait?: boolean;
  readonly timeout: number;
  readonly versionCheck?: boolean;
  readonly output?: 'json' | 'yaml';
}

/** Values of flags nobody gave. */
export const coreDefaults = {
  namespace: 'clusters',
  networkType: 'OVNKubernetes',
  clusterCidr: ['10.132.0.0/14'],
  serviceCidr: ['172.31.0.0/16'],
  machineCidr: [],
  controlPlaneAvailabilityPolicy: 'SingleReplica',
  etcdStorageSize: '8Gi',
  nodePoolReplicas: 0,
  nodeDrainTimeout: '0s',
  nodeVolumeDetachTimeout: '0s',
  autoRepair: false,
  arch: 'amd64',
  fips: false,
  annotations: [],
  labels: [],
  nodeSelector: [],
  toleration: [],
  podsLabels: [],
  olmCatalogPlacement: 'management',
  featureSet: '',
  enableClusterCapabilities: [],
  disableClusterCapabilities: [],
} as const satisfies Partial<CoreFlags>;

const policies = ['SingleReplica', 'HighlyAvailable'];
const yesNo = (flag: string, description: string) => new Option(`${flag} [true|false]`, description).argParser(boolean);

function identity(command: Command): void {
  command
    .optionsGroup('Identity:')
    .option('--name <name>', 'name of the cluster (required)')
    .option('--namespace <namespace>', 'namespace for the objects', coreDefaults.namespace)
    .option('--infra-id <id>', 'name of everything that belongs to the cluster in its cloud (default: made up)')
    .option('--base-domain <domain>', 'domain below which the cluster lives')
    .option('--base-domain-prefix <prefix>', 'part between the name and the domain; "none" for nothing')
    .option('--external-dns-domain <domain>', 'give published services names in this domain')
    .option('--kas-dns-name <name>', 'further DNS name of the API server')
    .option('--annotations <key=value>', 'annotation of the HostedCluster; may be repeated', repeated)
    .option('--labels <key=value>', 'label of the HostedCluster; may be repeated', repeated)
    .option('--pausedUntil <time>', 'create it paused: an RFC 3339 time, or true');
}

function content(command: Command): void {
  command
    .optionsGroup('Content:')
    .option('--release-image <image>', 'release to install (default: the newest embedded release)')
    .option('--release-stream <stream>', 'newest embedded release of a minor, such as 4.20 or 4-stable')
    .option('--pull-secret <file>', 'file with a pull secret (default, for embedded releases only: an empty one)')
    .option('--ssh-key <file>', 'public key that may log in to nodes')
    .addOption(yesNo('--generate-ssh', 'make such a key'))
    .option('--additional-trust-bundle <file>', 'certificate authorities to trust beside the usual ones')
    .option('--image-content-sources <file>', 'YAML list of image sources and their mirrors')
    .addOption(
      new Option('--feature-set <set>', 'features that cannot be upgraded').choices([
        '',
        'TechPreviewNoUpgrade',
        'DevPreviewNoUpgrade',
      ]),
    )
    .option('--enable-cluster-capabilities <names>', 'capabilities to switch on, separated by commas', list)
    .option('--disable-cluster-capabilities <names>', 'capabilities to leave out, separated by commas', list)
    .addOption(
      new Option('--olm-catalog-placement <where>', 'where catalogues of operators run')
        .choices(['management', 'guest'])
        .default(coreDefaults.olmCatalogPlacement),
    )
    .addOption(yesNo('--olm-disable-default-sources', 'offer no default catalogues'))
    .option('--control-plane-operator-image <image>', 'run this control plane operator, not that of the release')
    .option('--infra-json <file>', 'what a cloud command made for the cluster');
}

function networking(command: Command): void {
  command
    .optionsGroup('Networks:')
    .addOption(
      new Option('--network-type <type>', 'network of the cluster')
        .choices(['OVNKubernetes', 'OpenShiftSDN', 'Calico', 'Other'])
        .default(coreDefaults.networkType),
    )
    .option(
      '--cluster-cidr <cidr>',
      `network of pods; may be repeated (default: ${coreDefaults.clusterCidr.join()})`,
      repeated,
    )
    .option(
      '--service-cidr <cidr>',
      `network of services; may be repeated (default: ${coreDefaults.serviceCidr.join()})`,
      repeated,
    )
    .option('--machine-cidr <cidr>', 'network of nodes; may be repeated', repeated)
    .addOption(yesNo('--default-dual', 'IPv4 and IPv6 networks with default ranges'))
    .addOption(yesNo('--disable-multi-network', 'no additional networks; with network type Other only'))
    .option('--ovn-kubernetes-mtu <bytes>', 'MTU of the tunnel, 576 to 9216; with OVNKubernetes only', integer)
    .addOption(yesNo('--allocate-node-cidrs', 'give nodes pod networks; with network type Other only'));
}

function running(command: Command): void {
  command
    .optionsGroup('Control plane:')
    .addOption(
      new Option('--control-plane-availability-policy <policy>', 'replicas of the control plane')
        .choices(policies)
        .default(coreDefaults.controlPlaneAvailabilityPolicy),
    )
    .addOption(new Option('--infra-availability-policy <policy>', 'replicas of services on nodes').choices(policies))
    .option('--etcd-storage-class <class>', 'storage class of etcd volumes')
    .option('--etcd-storage-size <size>', 'size of etcd volumes', coreDefaults.etcdStorageSize)
    .option('--node-selector <key=value>', 'nodes that may run the control plane, separated by commas', list)
    .option('--toleration <key=..,effect=..>', 'toleration of control plane pods; may be repeated', repeated)
    .option('--pods-labels <key=value>', 'labels of control plane pods, separated by commas', list)
    .addOption(yesNo('--fips', 'FIPS mode on nodes').default(coreDefaults.fips));
}

function nodes(command: Command): void {
  command
    .optionsGroup('Nodes:')
    .option(
      '--node-pool-replicas <n>',
      'nodes of the first node pool; below 0 for no pool',
      integer,
      coreDefaults.nodePoolReplicas,
    )
    .addOption(new Option('--node-upgrade-type <type>', 'how nodes are upgraded').choices(['Replace', 'InPlace']))
    .option(
      '--node-drain-timeout <duration>',
      'how long draining may take; 0s for ever',
      duration,
      coreDefaults.nodeDrainTimeout,
    )
    .option(
      '--node-volume-detach-timeout <duration>',
      'how long detaching volumes may take; 0s for ever',
      duration,
      coreDefaults.nodeVolumeDetachTimeout,
    )
    .addOption(yesNo('--auto-repair', 'replace nodes that fail').default(coreDefaults.autoRepair))
    .addOption(
      new Option('--arch <arch>', 'processors of the nodes')
        .choices(['amd64', 'arm64', 'ppc64le', 's390x'])
        .default(coreDefaults.arch),
    );
}

function delivery(command: Command): void {
  command
    .optionsGroup('Delivery:')
    .option('--render', 'print the objects and create nothing; Secrets are left out')
    .option('--render-into <file>', 'the same into a file')
    .option('--render-sensitive', 'render Secrets, too')
    .option('--wait', 'wait until the cluster is available and its nodes have joined')
    .option('--timeout <duration>', 'give up waiting after this; 0 waits for ever', durationMs, 0)
    .option('--version-check', 'refuse when the operator of the management cluster is another version');
}

/** Adds every flag that does not depend on the platform. */
export function addCoreFlags(command: Command): Command {
  for (const part of [identity, content, networking, running, nodes, delivery]) part(command);
  return command;
}

/** The flags with defaults for everything that was not given. */
export function withCoreDefaults<F extends Partial<CoreFlags> & { readonly name: string }>(given: F): F & CoreFlags {
  return { ...coreDefaults, ...given };
}
