/** Which processor architectures a platform has machines for. */
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import type { NodePoolCheck, NodePoolSpec } from './facts.ts';

type Arch = NodePoolSpec['arch'];

/** Platforms and the architectures of their machines; IBMCloud makes its own. */
export const supportedArchitectures: { readonly [type in NodePoolSpec['platform']['type']]: readonly Arch[] } = {
  AWS: ['amd64', 'arm64'],
  Azure: ['amd64', 'arm64'],
  None: ['amd64', 'arm64'],
  GCP: ['amd64', 'arm64'],
  KubeVirt: ['amd64', 's390x'],
  Agent: ['amd64', 'arm64', 'ppc64le'],
  PowerVS: ['ppc64le'],
  OpenStack: ['amd64'],
  IBMCloud: [],
};

export const validateArchitecture: NodePoolCheck = ({ spec }, { hostedCluster }) => {
  const { arch } = spec;
  const { type } = spec.platform;
  const payload = hostedCluster?.status?.payloadArch;
  return [
    ...(supportedArchitectures[type]?.includes(arch)
      ? []
      : [
          fieldError.invalid(
            'spec.arch',
            arch,
            `CPU arch ${arch} is not supported for platform: ${type}, use ${supportedArchitectures[type]?.join(' or ') || 'another platform'} instead`,
          ),
        ]),
    ...(payload !== undefined && payload !== 'Multi' && payload !== arch.toUpperCase()
      ? [fieldError.invalid('spec.arch', arch, `the release of the HostedCluster has architecture ${payload} only`)]
      : []),
  ];
};
