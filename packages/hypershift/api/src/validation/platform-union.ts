/** The settings of a platform go with its type. The CRDs do not tie them together. */
import { type FieldError, fieldError } from '@hypershift-ts/kube-apimachinery';
import type { HostedClusterCheck, HostedClusterSpec, NodePoolCheck } from './facts.ts';

type PlatformType = HostedClusterSpec['platform']['type'];

/** Where each platform keeps its settings. */
const members: { readonly [type in PlatformType]?: string } = {
  AWS: 'aws',
  Azure: 'azure',
  GCP: 'gcp',
  KubeVirt: 'kubevirt',
  Agent: 'agent',
  OpenStack: 'openstack',
  PowerVS: 'powervs',
  IBMCloud: 'ibmcloud',
};

/** Platforms that work without settings: IBMCloud has only a hint, KubeVirt defaults everything. */
const withoutSettings: ReadonlySet<PlatformType> = new Set(['None', 'IBMCloud', 'KubeVirt']);
/** Pools of Agent machines take any agent when there is no selector. */
const poolsWithoutSettings: ReadonlySet<PlatformType> = new Set([...withoutSettings, 'Agent']);

type Platform = { readonly type: PlatformType } & { readonly [member: string]: unknown };

function missing(platform: Platform, optional: ReadonlySet<PlatformType>): FieldError[] {
  const member = members[platform.type];
  if (member === undefined || optional.has(platform.type) || platform[member] !== undefined) return [];
  return [fieldError.required(`spec.platform.${member}`, `platform type is ${platform.type}`)];
}

/** Settings of other platforms than the chosen one; they have no effect. */
export function strayPlatformMembers(platform: Platform): readonly string[] {
  return Object.entries(members)
    .filter(([type, member]) => type !== platform.type && platform[member] !== undefined)
    .map(([, member]) => `spec.platform.${member}`);
}

export const validateHostedClusterPlatform: HostedClusterCheck = ({ spec }, { namespaces }) => {
  const platform = spec.platform;
  const agentNamespace = platform.type === 'Agent' ? platform.agent?.agentNamespace : undefined;
  const azure = platform.type === 'Azure' ? platform.azure : undefined;
  return [
    ...missing(platform, withoutSettings),
    ...(agentNamespace !== undefined && namespaces && !namespaces.has(agentNamespace)
      ? [fieldError.notFound('spec.platform.agent.agentNamespace', agentNamespace)]
      : []),
    ...(azure && (azure.topology ?? 'Public') !== 'Public' && !azure.private?.type
      ? [fieldError.required('spec.platform.azure.private.type', `topology is ${azure.topology}`)]
      : []),
  ];
};

export const validateNodePoolPlatform: NodePoolCheck = ({ spec }, { hostedCluster }) => [
  ...missing(spec.platform, poolsWithoutSettings),
  ...(hostedCluster?.spec && hostedCluster.spec.platform.type !== spec.platform.type
    ? [
        fieldError.invalid(
          'spec.platform.type',
          spec.platform.type,
          `must be ${hostedCluster.spec.platform.type} like the platform of HostedCluster ${hostedCluster.metadata.name}`,
        ),
      ]
    : []),
];
