import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import { type Controller, controller } from '@hypershift-ts/kube-controller';
import { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { clusterApi as clusterApiNames, machineApiNamespace } from '../conversion/names.ts';
import { nextHandoverStep } from '../handover/next-step.ts';
import type { Authority, Mirror } from '../handover/objects.ts';
import { handoverManagers, handoverStatus } from '../handover/status.ts';
import { readMachine } from './machine-copies.ts';
import { labelledTemplates } from './machine-set-sync.ts';
import { readMachineSet } from './machine-set-copies.ts';
import { copyMachineSetToClusterApi } from './machine-set-to-cluster-api.ts';
import { copyMachineSetToMachineApi } from './machine-set-to-machine-api.ts';
import { copyMachineToClusterApi } from './machine-to-cluster-api.ts';
import { copyMachineToMachineApi } from './machine-to-machine-api.ts';
import { cachedReader, liveReader, type Reader } from './reader.ts';
import { applyStatus, reporting, type Told } from './report.ts';
import { type MigrationSettings, type PassScope, passScope } from './scope.ts';
import { byName, clusterApiWatch } from './watches.ts';
import { patchMetadata } from './writes.ts';

/** A machine or set with what a handover may have to do about it. */
interface Subject {
  readonly machineApi: mapiv1beta1.Machine | mapiv1beta1.MachineSet;
  readonly clusterApi?: Mirror | undefined;
  readonly infra?: KubeObject | undefined;
  /** Copies once more from the side that has stopped. */
  copyFrom(source: Authority): Promise<Told | undefined>;
}

type Read = (name: string, scope: PassScope, cache: InformerCache) => Promise<Subject | undefined>;

/** Hands machines from one API to the other when their owner says so. */
export function machineMigrationController(settings: MigrationSettings): Controller {
  const { kinds } = settings.platform;
  return controller({
    name: 'MachineMigrationController',
    for: { type: mapiv1beta1.machines, namespace: machineApiNamespace },
    watches: [clusterApiWatch(capiv1beta2.machines, byName), clusterApiWatch(kinds.machine, byName)],
    reconcile: ({ name }, context) => {
      const scope = (reader: Reader) => passScope(settings, context, reader);
      return handOver(name, context.cache, machineSubject, scope(cachedReader(context.cache)), () =>
        scope(liveReader(context.client, context.signal)),
      );
    },
  });
}

/** Hands sets from one API to the other when their owner says so. */
export function machineSetMigrationController(settings: MigrationSettings): Controller {
  return controller({
    name: 'MachineSetMigrationController',
    for: { type: mapiv1beta1.machinesets, namespace: machineApiNamespace },
    watches: [clusterApiWatch(capiv1beta2.machinesets, byName)],
    reconcile: ({ name }, context) => {
      const scope = (reader: Reader) => passScope(settings, context, reader);
      return handOver(name, context.cache, machineSetSubject, scope(cachedReader(context.cache)), () =>
        scope(liveReader(context.client, context.signal)),
      );
    },
  });
}

const machineSubject: Read = async (name, scope) => {
  const copies = await readMachine(name, scope.reader, scope.settings.platform);
  const { machineApi, clusterApi, infra } = copies;
  if (!machineApi) return undefined;
  return {
    machineApi,
    clusterApi,
    infra,
    copyFrom: async (source) =>
      source === 'MachineAPI'
        ? copyMachineToClusterApi({ ...copies, machineApi }, { paused: true }, scope)
        : clusterApi && copyMachineToMachineApi({ ...copies, clusterApi }, scope),
  };
};

const machineSetSubject: Read = async (name, scope, cache) => {
  const { machineApi, clusterApi } = await readMachineSet(name, scope.reader);
  if (!machineApi) return undefined;
  return {
    machineApi,
    clusterApi,
    copyFrom: async (source) =>
      source === 'MachineAPI'
        ? copyMachineSetToClusterApi(
            { machineApi, clusterApi },
            { paused: true },
            labelledTemplates(name, cache, scope),
            scope,
          )
        : clusterApi && copyMachineSetToMachineApi({ machineApi, clusterApi }, scope),
  };
};

/**
 * One step of a handover. Whether there is one at all is seen from the cache; each step then rests on what the server
 * says now, because a copy that is believed to have stopped and has not is the one thing that must not happen.
 */
async function handOver(
  name: string,
  cache: InformerCache,
  read: Read,
  cached: PassScope,
  live: () => PassScope,
): Promise<void> {
  const seen = await read(name, cached, cache);
  if (!seen || nextHandoverStep(seen).kind === 'settled') return;
  const scope = live();
  const subject = await read(name, scope, cache);
  if (subject) await takeStep(subject, scope);
}

async function takeStep(subject: Subject, scope: PassScope): Promise<void> {
  const { client, settings, log, now } = scope;
  const step = nextHandoverStep(subject);
  switch (step.kind) {
    case 'settled':
      return;
    case 'wait':
      log.debug({ object: subject.machineApi.metadata.name, reason: step.reason }, step.message);
      return;
    case 'tell':
    case 'finish': {
      const manager = handoverManagers[subject.machineApi.kind as keyof typeof handoverManagers];
      await applyStatus(scope, handoverStatus(subject, step, now), manager);
      return;
    }
    case 'pause':
    case 'resume': {
      const value = step.kind === 'pause' ? '' : null;
      for (const object of step.objects)
        await patchMetadata(client, settings.platform, object, {
          annotations: { [clusterApiNames.annotations.paused]: value },
        });
      return;
    }
    case 'synchronize':
      return reporting(subject.machineApi, subject.clusterApi, scope, () => subject.copyFrom(step.source));
    default:
      step satisfies never;
  }
}
