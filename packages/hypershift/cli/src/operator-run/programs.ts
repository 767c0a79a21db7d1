/** A flag as `--help` shows it. */
interface Flag {
  readonly name: string;
  readonly help: string;
  readonly required?: boolean;
}

/** A program of the product that a container or a shell may run as a process. */
export interface ProgramFacts {
  /** The words after `hypershift`. */
  readonly words: readonly string[];
  readonly description: string;
  readonly flags: readonly Flag[];
  /** The flag that names a kubeconfig of the management cluster; absent when the program does not talk to it. */
  readonly management?: string;
}

const flag = (name: string, help: string): Flag => ({ name, help });
const needed = (name: string, help: string): Flag => ({ name, help, required: true });
const kubeconfig = flag('kubeconfig <file>', 'management cluster (default: the pod it runs in, then KUBECONFIG)');
const namespace = flag('namespace <namespace>', 'namespace of the control plane (default: that of the pod)');
const ofControlPlane = needed('namespace <namespace>', 'namespace of the control plane');

const operator: ProgramFacts = {
  words: ['operator', 'run'],
  description: 'Run the HyperShift operator: HostedClusters and NodePools of a management cluster.',
  management: 'kubeconfig',
  flags: [
    kubeconfig,
    flag('namespace <namespace>', 'namespace of the operator (default: hypershift)'),
    flag(
      'control-plane-operator-image <image>',
      'image of control planes (default: that of Deployment operator in the namespace)',
    ),
    flag('registry-overrides <a=b,...>', 'read images of registry a from b'),
    flag(
      'provider-images <platform=image,...>',
      'Cluster API providers (default: those of the release; KubeVirt and Agent have none there)',
    ),
    flag('oidc-storage-provider-s3-bucket-name <bucket>', 'where documents are published that AWS trusts clusters by'),
    flag('oidc-storage-provider-s3-region <region>', 'region of that bucket'),
    flag(
      'oidc-storage-provider-s3-credentials <file>',
      'credentials file for it; AWS_ENDPOINT_URL_S3 names another store',
    ),
    flag(
      'gcp-oidc-storage-bucket-name <bucket>',
      "the same on Google Cloud, as the machine's own account or by GOOGLE_APPLICATION_CREDENTIALS",
    ),
  ],
};

const controlPlaneOperator = (subcommand: string, facts: Omit<ProgramFacts, 'words'>): ProgramFacts => ({
  words: ['control-plane-operator', subcommand],
  ...facts,
});

const ofControlPlaneOperator: readonly ProgramFacts[] = [
  controlPlaneOperator('run', {
    description: 'Run the operator of one hosted control plane.',
    management: 'kubeconfig',
    flags: [kubeconfig, namespace, flag('registry-overrides <a=b,...>', 'read images of registry a from b')],
  }),
  controlPlaneOperator('hosted-cluster-config-operator', {
    description: 'Keep the inside of a hosted cluster as wanted.',
    management: 'kubeconfig',
    flags: [
      kubeconfig,
      ofControlPlane,
      needed('target-kubeconfig <file>', 'hosted cluster'),
      needed('hosted-control-plane <name>', 'name of the HostedControlPlane'),
      flag('konnectivity-address <host>', 'where agents of the nodes connect; with --konnectivity-port'),
      flag('oauth-address <host>', 'where users log in; with --oauth-port'),
    ],
  }),
  controlPlaneOperator('ignition-server', {
    description: 'Give booting machines their configuration.',
    management: 'kubeconfig',
    flags: [kubeconfig, needed('cert-file <file>', 'serving certificate'), needed('key-file <file>', 'its key')],
  }),
  controlPlaneOperator('kas-bootstrap', {
    description:
      'Write what a hosted cluster needs before its operators can work. KUBECONFIG_ADMIN names its kubeconfig.',
    flags: [flag('resources-path <dir>', 'folder with the manifests')],
  }),
  controlPlaneOperator('sync-fg-configmap', {
    description: 'Write the feature gates of a version (FEATURE_GATE_YAML, PAYLOAD_VERSION) to ConfigMap feature-gate.',
    management: 'kubeconfig',
    flags: [kubeconfig],
  }),
  controlPlaneOperator('kas-connection-checker', {
    description: 'Ask for the API server from a node of the hosted cluster and write down when it last answered.',
    management: 'kubeconfig',
    flags: [
      flag('kubeconfig <file>', 'hosted cluster (default: the pod it runs in, then KUBECONFIG)'),
      flag('path <path>', 'what is asked for (default: /version)'),
    ],
  }),
  controlPlaneOperator('availability-prober', {
    description: 'Wait until an address and kinds of an API server are there.',
    flags: [needed('target <url>', 'address that must answer'), flag('kubeconfig <file>', 'hosted cluster, for kinds')],
  }),
  controlPlaneOperator('token-minter', {
    description: 'Keep a token of a service account of the hosted cluster in a file.',
    flags: [
      needed('service-account-name <name>', 'service account'),
      needed('service-account-namespace <namespace>', 'its namespace'),
      flag('token-file <file>', 'where the token is written'),
      flag('kubeconfig <file>', 'hosted cluster'),
    ],
  }),
];

const others: readonly ProgramFacts[] = [
  {
    words: ['control-plane-pki-operator', 'operator'],
    description: 'Run the operator for break-glass access to one hosted cluster.',
    management: 'kubeconfig',
    flags: [kubeconfig, namespace],
  },
  {
    words: ['cluster-version-operator', 'start'],
    description: 'Follow a release into a hosted cluster.',
    flags: [needed('release-image <image>', 'release to follow'), needed('kubeconfig <file>', 'hosted cluster')],
  },
  {
    words: ['cluster-api'],
    description: "Run Cluster API's manager for one control plane namespace.",
    management: 'kubeconfig',
    flags: [kubeconfig, ofControlPlane],
  },
  {
    words: ['capi-provider'],
    description: 'Run an infrastructure provider whose cloud is simulated: machines live in this process.',
    management: 'kubeconfig',
    flags: [kubeconfig, ofControlPlane, flag('provider <name>', 'kubevirt, aws, ... (default: from HYPERSHIFT_IMAGE)')],
  },
  {
    words: ['machine-approver'],
    description: 'Approve certificate requests of nodes that belong to a Machine.',
    management: 'management-cluster-kubeconfig',
    flags: [
      flag('management-cluster-kubeconfig <file>', 'management cluster (default: the pod it runs in)'),
      needed('workload-cluster-kubeconfig <file>', 'hosted cluster'),
      flag('machine-namespace <namespace>', 'where the Machines are'),
    ],
  },
  {
    words: ['cluster-autoscaler'],
    description: 'Scale the node pools of one hosted cluster.',
    management: 'cloud-config',
    flags: [
      needed('kubeconfig <file>', 'hosted cluster'),
      flag('cloud-config <file>', 'management cluster (default: the pod it runs in)'),
    ],
  },
  {
    words: ['kube-controller-manager'],
    description: 'Run the controllers of a cluster.',
    flags: [needed('kubeconfig <file>', 'the cluster')],
  },
  {
    words: ['kube-scheduler'],
    description: 'Run the scheduler of a cluster.',
    flags: [flag('config <file>', 'KubeSchedulerConfiguration'), flag('kubeconfig <file>', 'the cluster')],
  },
  {
    words: ['proxy-server'],
    description: "Run the konnectivity server, with the real one's flags.",
    flags: [needed('cluster-cert <file>', 'certificate for agents'), needed('cluster-key <file>', 'its key')],
  },
  {
    words: ['proxy-agent'],
    description: "Run a konnectivity agent, with the real one's flags.",
    flags: [needed('proxy-server-host <host>', 'konnectivity server'), flag('proxy-server-port <port>', 'its port')],
  },
  {
    words: ['haproxy'],
    description: 'Run a router that reads the configuration of HAProxy.',
    flags: [needed('f <path>', 'configuration file or folder')],
  },
];

/** Every program with its own command; more run in containers of a node under their usual names. */
export const programs: readonly ProgramFacts[] = [operator, ...ofControlPlaneOperator, ...others];
