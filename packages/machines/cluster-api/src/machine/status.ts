import { formatTime, isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import { clipped, summary, withStates, without } from '../conditions/v1beta1.ts';
import { withNewStates } from '../conditions/v1beta2.ts';
import type { Machine, MachineStatus, MachineStatusNodeInfo } from '../generated/capiv1beta1.ts';
import { conditionsOf } from './conditions.ts';
import type { MachineFacts } from './facts.ts';
import { newConditionsOf } from './new-conditions.ts';

const provisioningSteps = ['BootstrapReady', 'InfrastructureReady'];
/** What Ready stands for, the most telling first. */
const readySources = [
  'InfrastructureReady',
  'BootstrapReady',
  'HealthCheckSucceeded',
  'OwnerRemediated',
  'DrainingSucceeded',
];

export function machineStatus(machine: Machine, facts: MachineFacts): MachineStatus {
  const before = machine.status ?? {};
  const { infrastructure, nowMs } = facts;
  const infrastructureReady = before.infrastructureReady === true || isInfrastructureReady(facts);
  const node = facts.node.known ? facts.node.node : undefined;
  const draft: MachineStatus = {
    ...before,
    ...(machine.metadata.generation === undefined ? {} : { observedGeneration: machine.metadata.generation }),
    infrastructureReady,
    bootstrapReady: before.bootstrapReady === true || facts.bootstrap?.ready === true,
    ...(infrastructureReady && infrastructure && infrastructure.addresses.length > 0
      ? { addresses: infrastructure.addresses }
      : {}),
    ...(node ? { nodeRef: nodeRefOf(node) } : {}),
    ...(node?.status?.nodeInfo ? { nodeInfo: nodeInfoOf(node.status.nodeInfo) } : {}),
    ...failureOf(machine, facts),
    ...deletionTimes(facts),
  };
  const states = conditionsOf(machine, draft, facts);
  // A hook that is gone needs no condition of an earlier wait.
  const conditions = withStates(before.conditions, states, nowMs);
  const ready = summary('Ready', conditions, {
    of: readySources,
    ...(machine.metadata.deletionTimestamp || machine.spec.providerID ? {} : { stepCounter: provisioningSteps }),
  });
  const phase = phaseOf(machine, draft);
  return {
    ...draft,
    phase,
    lastUpdated: phase === before.phase && before.lastUpdated ? before.lastUpdated : formatTime(nowMs),
    conditions: withStates(ready ? conditions : without(conditions, 'Ready'), [ready], nowMs),
    v1beta2: {
      conditions: withNewStates(
        before.v1beta2?.conditions,
        newConditionsOf(machine, draft, facts),
        machine.metadata.generation,
        nowMs,
      ),
    },
  };
}

export function isInfrastructureReady({ infrastructure }: MachineFacts): boolean {
  return infrastructure !== undefined && infrastructure.provisioned && infrastructure.providerID !== '';
}

function nodeRefOf({ metadata }: { readonly metadata: { readonly name?: string; readonly uid?: string } }) {
  return { apiVersion: 'v1', kind: 'Node', name: metadata.name ?? '', ...(metadata.uid ? { uid: metadata.uid } : {}) };
}

/** The fields that a Machine shows; what newer kubelets report beyond them would be pruned, and written again for ever. */
function nodeInfoOf(info: Partial<MachineStatusNodeInfo>): MachineStatusNodeInfo {
  const { swap } = info;
  return {
    architecture: info.architecture ?? '',
    bootID: info.bootID ?? '',
    containerRuntimeVersion: info.containerRuntimeVersion ?? '',
    kernelVersion: info.kernelVersion ?? '',
    kubeProxyVersion: info.kubeProxyVersion ?? '',
    kubeletVersion: info.kubeletVersion ?? '',
    machineID: info.machineID ?? '',
    operatingSystem: info.operatingSystem ?? '',
    osImage: info.osImage ?? '',
    ...(swap?.capacity === undefined ? {} : { swap: { capacity: swap.capacity } }),
    systemUUID: info.systemUUID ?? '',
  };
}

function failureOf(machine: Machine, { infrastructure, deletion }: MachineFacts): Partial<MachineStatus> {
  const { infrastructureRef } = machine.spec;
  if (!infrastructure && machine.status?.infrastructureReady && !deletion) {
    return {
      failureReason: 'InvalidConfiguration',
      failureMessage:
        `${infrastructureRef.kind} ${infrastructureRef.name} was deleted while Machine ${machine.metadata.name} ` +
        'still needs it; delete the Machine to have it replaced',
    };
  }
  return {
    ...(infrastructure?.failureReason ? { failureReason: infrastructure.failureReason } : {}),
    ...(infrastructure?.failureMessage
      ? {
          failureMessage: clipped(
            `Failure detected from referenced resource ${infrastructureRef.kind} with name "${infrastructureRef.name}": ` +
              infrastructure.failureMessage,
            10_240,
          ),
        }
      : {}),
  };
}

function deletionTimes({ deletion }: MachineFacts): Partial<MachineStatus> {
  if (!deletion) return {};
  const { nodeDrainStartTime, waitForNodeVolumeDetachStartTime } = deletion;
  if (!nodeDrainStartTime && !waitForNodeVolumeDetachStartTime) return {};
  return {
    deletion: {
      ...(nodeDrainStartTime ? { nodeDrainStartTime } : {}),
      ...(waitForNodeVolumeDetachStartTime ? { waitForNodeVolumeDetachStartTime } : {}),
    },
  };
}

function phaseOf(machine: Machine, status: MachineStatus): NonNullable<MachineStatus['phase']> {
  if (machine.metadata.deletionTimestamp) return 'Deleting';
  if (status.failureReason !== undefined || status.failureMessage !== undefined) return 'Failed';
  if (status.nodeRef && status.infrastructureReady) return 'Running';
  if (machine.spec.providerID) return 'Provisioned';
  return status.bootstrapReady && !status.infrastructureReady ? 'Provisioning' : 'Pending';
}

/** When a Machine that must be ready for a while becomes available; undefined when time changes nothing. */
export function availableInMs(status: MachineStatus, minReadySeconds: number, nowMs: number): number | undefined {
  const ready = status.v1beta2?.conditions?.find(({ type }) => type === 'Ready');
  if (minReadySeconds === 0 || ready?.status !== 'True' || isConditionTrue(status.v1beta2?.conditions, 'Available')) {
    return undefined;
  }
  return Math.max(Date.parse(ready.lastTransitionTime) + minReadySeconds * 1000 - nowMs, 0) + 1;
}
