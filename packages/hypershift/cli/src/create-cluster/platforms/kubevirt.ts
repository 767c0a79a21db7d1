import { annotations } from '@hypershift-ts/hypershift-api';
import { UserError } from '../../cli-error.ts';
import { keyValues } from '../../key-values.ts';
import { present } from '../json-fields.ts';
import type { PlatformBuilder, PlatformFlagValues } from '../platform-builder.ts';
import type { ClusterRequest, HostedClusterSpec } from '../request.ts';
import { base64, clusterSecret } from '../secrets.ts';
import { ingressServices, nodePortServices } from '../services.ts';
import { kubevirtNodes } from './kubevirt-nodes.ts';
import { publicAddress } from './none.ts';

type Settings = NonNullable<HostedClusterSpec['platform']['kubevirt']>;

const credentialsName = ({ name }: ClusterRequest) => `${name}-infra-credentials`;

/** `infra/guest,group=g`: what the infrastructure calls a class, what the cluster calls it, and a group. */
function classMapping(text: string, flag: string): readonly [infra: string, guest: string, group: string | undefined] {
  const [infra, rest, ...more] = text.split('/');
  const [guest, ...options] = (rest ?? '').split(',');
  const settings = keyValues(options, flag);
  if (!infra || !guest || more.length > 0)
    throw new UserError(
      `--${flag} ${text}: not a mapping`,
      `Write it as --${flag} <infra class>/<guest class>[,group=<group>].`,
    );
  return [infra, guest, settings['group']];
}

function storageDriver(flags: PlatformFlagValues): Pick<Settings, 'storageDriver'> {
  const storage = flags
    .texts('infra-storage-class-mapping')
    .map((text) => classMapping(text, 'infra-storage-class-mapping'));
  const snapshots = flags
    .texts('infra-volumesnapshot-class-mapping')
    .map((text) => classMapping(text, 'infra-volumesnapshot-class-mapping'));
  if (storage.length + snapshots.length === 0) return {};
  return {
    storageDriver: {
      type: 'Manual',
      manual: {
        ...(storage.length > 0
          ? {
              storageClassMapping: storage.map(([infraStorageClassName, guestStorageClassName, group]) => ({
                infraStorageClassName,
                guestStorageClassName,
                ...present({ group }),
              })),
            }
          : {}),
        ...(snapshots.length > 0
          ? {
              volumeSnapshotClassMapping: snapshots.map(
                ([infraVolumeSnapshotClassName, guestVolumeSnapshotClassName, group]) => ({
                  infraVolumeSnapshotClassName,
                  guestVolumeSnapshotClassName,
                  ...present({ group }),
                }),
              ),
            }
          : {}),
      },
    },
  } as Pick<Settings, 'storageDriver'>;
}

/** Where machines run when it is not beside the control plane. */
function credentials(flags: PlatformFlagValues, request: ClusterRequest): Pick<Settings, 'credentials'> {
  const infraNamespace = flags.text('infra-namespace');
  const hasKubeconfig = flags.file('infra-kubeconfig-file') !== undefined;
  if (hasKubeconfig !== (infraNamespace !== undefined))
    throw new UserError(
      '--infra-kubeconfig-file and --infra-namespace belong together',
      `Add ${hasKubeconfig ? '--infra-namespace' : '--infra-kubeconfig-file'}, or leave the other out.`,
    );
  if (!infraNamespace) return {};
  return {
    credentials: { infraNamespace, infraKubeConfigSecret: { name: credentialsName(request), key: 'kubeconfig' } },
  };
}

function services(flags: PlatformFlagValues, request: ClusterRequest, nodeAddress: string | undefined) {
  const address = flags.text('api-server-address');
  if (flags.text('service-publishing-strategy') === 'NodePort')
    return nodePortServices(publicAddress(address, 'api-server-address', nodeAddress));
  if (address)
    throw new UserError(
      '--api-server-address works with --service-publishing-strategy NodePort only',
      'Add that flag, or leave the address out.',
    );
  return ingressServices({ apiServerRoute: request.externalDnsDomain !== undefined });
}

/** KubeVirt: nodes are virtual machines in a cluster. */
export const kubevirt: PlatformBuilder = {
  type: 'KubeVirt',
  command: 'kubevirt',
  summary: 'A cluster on virtual machines of a cluster',
  examples: [
    'hypershift create cluster kubevirt --name demo --node-pool-replicas 2 --memory 8Gi --cores 4 --wait',
    'hypershift create cluster kubevirt --name demo --service-publishing-strategy NodePort --render',
  ],
  nodes: kubevirtNodes,
  needsNodeAddress: (flags) =>
    flags.text('service-publishing-strategy') === 'NodePort' && !flags.text('api-server-address'),
  build(flags, request, facts) {
    const variants = annotations.allowUnsupportedKubevirtRhcosVariants.key;
    const asked = keyValues(request.annotations, 'annotations')[variants];
    const kubeconfig = flags.file('infra-kubeconfig-file');
    return {
      spec: {
        platform: {
          type: 'KubeVirt',
          kubevirt: {
            ...(request.baseDomain ? {} : { baseDomainPassthrough: true }),
            ...credentials(flags, request),
            ...storageDriver(flags),
          },
        },
        services: services(flags, request, facts.nodeAddress),
      },
      objects: kubeconfig
        ? [clusterSecret(request, credentialsName(request), { kubeconfig: base64(kubeconfig) }, 'Opaque')]
        : [],
      nodePools: [
        {
          platform: kubevirtNodes.build(flags, request),
          ...(asked === undefined ? {} : { annotations: { [variants]: asked } }),
        },
      ],
    };
  },
};
