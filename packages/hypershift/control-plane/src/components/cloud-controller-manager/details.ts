import type { ControlPlaneContext } from '../../framework/context.ts';
import { managing, rule } from '../../framework/manifest.ts';
import type { EnvValue } from '../../framework/pod.ts';

/** How the program of one cloud is started. */
export interface CloudDetails {
  readonly command: string;
  readonly configKey: string;
  readonly cpu: string;
  readonly memory: string;
  readonly credentialsPath: string;
  readonly replicas?: number;
  /** What it may do on the management cluster; absent: it has no business there. */
  readonly rules?: readonly ReturnType<typeof rule>[];
  readonly env?: Readonly<Record<string, EnvValue>>;
  readonly flags: (context: ControlPlaneContext) => readonly string[];
}

/** Slow elections, as control planes share few API servers: 137 s lease, 107 s renewal, 26 s retry. */
const election = [
  '--leader-elect=true',
  '--leader-elect-lease-duration=137s',
  '--leader-elect-renew-deadline=107s',
  '--leader-elect-retry-period=26s',
];
const inNamespace = [...election, '--leader-elect-resource-namespace=openshift-cloud-controller-manager'];
const kubeconfig = '/etc/kubernetes/kubeconfig/kubeconfig';
const delegated = [`--authentication-kubeconfig=${kubeconfig}`, `--authorization-kubeconfig=${kubeconfig}`];
const shared = { cpu: '75m', memory: '60Mi', replicas: 1, credentialsPath: '/etc/cloud-credentials' };

const details: Readonly<Record<string, CloudDetails>> = {
  aws: {
    ...shared,
    command: '/bin/aws-cloud-controller-manager',
    configKey: 'aws.conf',
    credentialsPath: '/etc/kubernetes/secrets/cloud-provider',
    env: {
      AWS_SHARED_CREDENTIALS_FILE: '/etc/kubernetes/secrets/cloud-provider/credentials',
      AWS_SDK_LOAD_CONFIG: 'true',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    flags: () => [
      '--use-service-account-credentials=false',
      '--configure-cloud-routes=false',
      ...inNamespace,
      ...delegated,
    ],
  },
  azure: {
    ...shared,
    command: '/bin/azure-cloud-controller-manager',
    configKey: 'cloud.conf',
    flags: ({ hcp }) => [
      '--controllers=*,-cloud-node',
      '--configure-cloud-routes=false',
      '--bind-address=127.0.0.1',
      '--route-reconciliation-period=10s',
      ...inNamespace,
      '--v=4',
      `--cluster-name=${hcp.spec.infraID}`,
    ],
  },
  gce: {
    ...shared,
    command: '/bin/gcp-cloud-controller-manager',
    configKey: 'cloud.conf',
    credentialsPath: '/etc/gcp/credentials',
    env: { GOOGLE_APPLICATION_CREDENTIALS: '/etc/gcp/credentials/application_default_credentials.json' },
    flags: () => [
      '--use-service-account-credentials=false',
      '--configure-cloud-routes=false',
      '--controllers=*,-nodeipam',
      ...inNamespace,
      ...delegated,
    ],
  },
  kubevirt: {
    cpu: '75m',
    memory: '60Mi',
    credentialsPath: '/etc/kubernetes/infra-kubeconfig',
    // Load balancers and virtual machines live beside the control plane.
    rules: [
      rule('kubevirt.io', ['virtualmachines'], ['get', 'list', 'watch']),
      rule('kubevirt.io', ['virtualmachineinstances'], ['get', 'list', 'watch', 'update']),
      rule('', ['pods'], ['get', 'list', 'watch']),
      rule('', ['services'], managing),
      rule('discovery.k8s.io', ['endpointslices'], managing),
    ],
    command: '/bin/kubevirt-cloud-controller-manager',
    configKey: 'cloud-config',
    flags: ({ hcp }) => ['--authentication-skip-lookup', `--cluster-name=${hcp.spec.infraID}`],
  },
  openstack: {
    ...shared,
    cpu: '200m',
    memory: '50Mi',
    command: '/usr/bin/openstack-cloud-controller-manager',
    configKey: 'cloud.conf',
    credentialsPath: '/etc/openstack/secret',
    flags: ({ hcp }) => [
      '--v=1',
      `--cluster-name=${hcp.spec.infraID}`,
      '--use-service-account-credentials=false',
      '--configure-cloud-routes=false',
      '--bind-address=127.0.0.1',
      ...inNamespace,
    ],
  },
  ibm: {
    ...shared,
    command: '/bin/ibm-cloud-controller-manager',
    configKey: 'ccm-config',
    credentialsPath: '/etc/vpc',
    env: {
      POD_IP_ADDRESS: { field: 'status.podIP' },
      VPCCTL_CLOUD_CONFIG: '/etc/cloud/ccm-config',
      ENABLE_VPC_PUBLIC_ENDPOINT: 'true',
    },
    flags: () => [
      '--authentication-skip-lookup',
      '--bind-address=$(POD_IP_ADDRESS)',
      '--configure-cloud-routes=false',
      '--profiling=false',
      ...election,
    ],
  },
};

/** The details of a cloud; a platform whose cloud is not here is a mistake of this program. */
export function cloudDetails(cloudProvider: string): CloudDetails {
  const found = details[cloudProvider];
  if (!found) throw new Error(`nothing is known about the cloud controller manager of ${cloudProvider}`);
  return found;
}
