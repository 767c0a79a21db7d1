import { annotations } from '@hypershift-ts/hypershift-api';
import { kubevirtBootImage } from '@hypershift-ts/hypershift-release';
import { type ResourceType, tryParseQuantity } from '@hypershift-ts/kube-apimachinery';
import { kubevirtv1alpha1 } from '@hypershift-ts/machines-providers';
import type { InfraMachine, InstanceFacts, MachineScope, MachineTemplate } from '../machines.ts';
import { bareTemplateSpec, machinePlatform } from '../shared/machine-platform.ts';
import { poolSettingsOf } from '../shared/settings.ts';
import { withPatches } from './machine-patch.ts';
import { virtualMachine } from './virtual-machine.ts';

/** The container disk that machines boot from. */
function imageOf({ pool, release, stream }: MachineScope): string {
  const chosen = poolSettingsOf(pool.spec.platform, 'kubevirt').rootVolume.diskImage?.containerDiskImage;
  return chosen ?? kubevirtBootImage({ images: release.bootImages, stream, arch: pool.spec.arch }).image;
}

function instanceFacts({ cores = 0, memory }: { cores?: number; memory?: number | string }): InstanceFacts {
  const bytes = Number(tryParseQuantity(String(memory ?? '0'))?.value() ?? 0);
  return { vCPU: cores, memoryMiB: Math.floor(bytes / (1024 * 1024)), gpu: 0 };
}

export const kubevirtMachines = machinePlatform({
  templates: kubevirtv1alpha1.kubevirtmachinetemplates as unknown as ResourceType<MachineTemplate>, // Specs are JSON here.
  template: (scope) => ({
    spec: bareTemplateSpec({
      virtualMachineTemplate: withPatches(
        virtualMachine(scope, `docker://${imageOf(scope)}`),
        scope.cluster,
        scope.pool,
      ),
      // Machines are not reachable by SSH from here.
      virtualMachineBootstrapCheck: { checkStrategy: 'none' },
    }),
  }),
  invalidTemplateReason: 'InvalidKubevirtMachineTemplate',
  bootImage: (scope) => ({ message: `Bootstrap KubeVirt Image is "${imageOf(scope)}"` }),
  machineCondition: {
    machines: kubevirtv1alpha1.kubevirtmachines as unknown as ResourceType<InfraMachine>, // Only conditions are read.
    from: 'VMLiveMigratable',
    to: 'KubeVirtNodesLiveMigratable',
    what: 'live migratable',
  },
  instanceFacts: ({ spec }) => instanceFacts(spec.platform.kubevirt?.compute ?? {}),
  // Where the virtual machines run, for whoever looks for them after the cluster is gone.
  status: ({ spec }) => {
    const { credentials } = spec.platform.kubevirt ?? {};
    return credentials ? { kubeVirt: { credentials } } : undefined;
  },
  newPoolAnnotations: { [annotations.nodepoolSupportsKubevirtTopologySpreadConstraints.key]: 'true' },
  keepsUserData: true,
});
