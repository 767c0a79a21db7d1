import type { ResourceType } from '@hypershift-ts/kube-apimachinery';
import { agentv1beta1 } from '@hypershift-ts/machines-providers';
import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import type { MachineTemplate } from '../machines.ts';
import { bareTemplateSpec, machinePlatform, set } from '../shared/machine-platform.ts';

/** Hosts are taken from those that registered; the template says which of them fit. */
export const agentMachines = machinePlatform({
  templates: agentv1beta1.agentmachinetemplates as unknown as ResourceType<MachineTemplate>, // Specs are JSON here.
  template: ({ pool }) => ({
    spec: bareTemplateSpec(
      set('agentLabelSelector', pool.spec.platform.agent?.agentLabelSelector as JsonObject | undefined),
    ),
  }),
  // Hardware takes its time to boot.
  repairTimeout: '16m0s',
});
