import { createHash } from 'node:crypto';
import {
  corev1,
  errorMessage,
  formatTime,
  isNotFound,
  jsonEqual,
  type KubeObject,
  type ObjectKey,
} from '@hypershift-ts/kube-apimachinery';
import {
  type Controller,
  controller,
  hasFinalizer,
  patchStatus,
  type ReconcileContext,
  type ReconcileResult,
  removeFinalizer,
} from '@hypershift-ts/kube-controller';
import { CloudError } from '../cloud/cloud-error.ts';
import type { SimulatedCloud } from '../cloud/simulated-cloud.ts';
import { simulatedAnnotation } from '../machine/node-description.ts';
import { parseUserData } from '../machine/user-data.ts';
import {
  clusterNameLabel,
  type InfraMachine,
  ownerClusters,
  ownerMachineName,
  ownerMachines,
  type OwnerCluster,
  type OwnerMachine,
  pausedAnnotation,
} from './capi-objects.ts';
import { consoleAnswer } from './console-request.ts';
import type { MachineKind, MachineWish } from './machine-kind.ts';
import { desiredMachineStatus, type Progress } from './machine-status.ts';

const capacityRetryMs = 30_000;
const secretRetryMs = 5000;

/** Keeps instances of the simulated cloud for the machines of one kind. */
export function machineController(kind: MachineKind, cloud: SimulatedCloud, namespace: string | undefined): Controller {
  const scope = namespace ? { namespace } : {};
  return controller<InfraMachine, [OwnerMachine, OwnerCluster]>({
    name: `simulated-${kind.type.resource}`,
    for: { type: kind.type, ...scope, predicate: { updated: machineChangeMatters } },
    watches: [
      {
        type: ownerMachines,
        ...scope,
        predicate: { updated: ownerChangeMatters, deleted: () => false },
        map: ({ metadata, spec }) =>
          spec.infrastructureRef.kind === kind.type.kind
            ? [{ namespace: metadata.namespace ?? '', name: spec.infrastructureRef.name ?? '' }]
            : [],
      },
      {
        type: ownerClusters,
        ...scope,
        predicate: { updated: clusterChangeMatters, deleted: () => false },
        map: ({ metadata }, { cache }) =>
          cache
            .list(kind.type, metadata.namespace, scope)
            .filter((machine) => machine.metadata.labels?.[clusterNameLabel] === metadata.name)
            .map((machine) => ({ namespace: machine.metadata.namespace ?? '', name: machine.metadata.name ?? '' })),
      },
    ],
    sources: [
      (enqueue) =>
        cloud.subscribe(({ request }) => {
          if (request.owner?.kind === kind.type.kind) enqueue(request.owner);
        }),
    ],
    concurrency: 10,
    reconcile: (key, context) => new MachineReconcile(kind, cloud, scope, context).run(key),
  });
}

/** What others write; status, provider ID and finalizer are written here. */
function machineChangeMatters(before: InfraMachine, machine: InfraMachine): boolean {
  const { metadata: a, spec: then } = before;
  const { metadata: b, spec: now } = machine;
  return (
    a.uid !== b.uid ||
    a.deletionTimestamp !== b.deletionTimestamp ||
    !machine.status ||
    !jsonEqual(a.labels, b.labels) ||
    !jsonEqual(a.annotations, b.annotations) ||
    !jsonEqual(a.ownerReferences, b.ownerReferences) ||
    !jsonEqual({ ...then, providerID: '' }, { ...now, providerID: '' })
  );
}

/** What an instance is made from; how its Machine is doing is told by us, not to us. */
function ownerChangeMatters(before: OwnerMachine, next: OwnerMachine): boolean {
  return (
    before.metadata.uid !== next.metadata.uid ||
    before.spec.clusterName !== next.spec.clusterName ||
    before.spec.failureDomain !== next.spec.failureDomain ||
    before.spec.bootstrap.dataSecretName !== next.spec.bootstrap.dataSecretName ||
    !jsonEqual(before.spec.infrastructureRef, next.spec.infrastructureRef)
  );
}

function clusterChangeMatters(before: OwnerCluster, next: OwnerCluster): boolean {
  return (
    before.metadata.uid !== next.metadata.uid ||
    before.spec?.paused !== next.spec?.paused ||
    before.status?.infrastructureReady !== next.status?.infrastructureReady
  );
}

/** The name under which the cloud knows a machine's instance: the same after every restart. */
export function cloudIdOf({ metadata }: KubeObject): string {
  return createHash('sha256')
    .update(metadata.uid ?? '')
    .digest('hex')
    .slice(0, 40);
}

class MachineReconcile {
  private readonly kind: MachineKind;
  private readonly cloud: SimulatedCloud;
  private readonly scope: { readonly namespace?: string };
  private readonly context: ReconcileContext;

  constructor(
    kind: MachineKind,
    cloud: SimulatedCloud,
    scope: { readonly namespace?: string },
    context: ReconcileContext,
  ) {
    this.kind = kind;
    this.cloud = cloud;
    this.scope = scope;
    this.context = context;
  }

  async run(key: ObjectKey): Promise<ReconcileResult> {
    const { cache } = this.context;
    const machine = cache.get(this.kind.type, key, this.scope);
    if (!machine) return undefined;
    const answer = consoleAnswer(machine, this.cloud.get(cloudIdOf(machine))?.machine.console.text());
    // The answer itself wakes us again.
    if (answer) return this.annotate(key, answer);
    if (machine.metadata.deletionTimestamp) return this.end(machine);
    const ownerName = ownerMachineName(machine);
    const { namespace = '' } = machine.metadata;
    const owner = ownerName ? cache.get(ownerMachines, { namespace, name: ownerName }, this.scope) : undefined;
    // Cluster API sets the owner next; its change wakes us.
    if (!owner) return undefined;
    const cluster = cache.get(ownerClusters, { namespace, name: owner.spec.clusterName }, this.scope);
    if (cluster?.spec?.paused || Object.hasOwn(machine.metadata.annotations ?? {}, pausedAnnotation)) return undefined;
    return this.begin(machine, owner, cluster);
  }

  private async annotate(key: ObjectKey, annotations: { readonly [key: string]: string }): Promise<undefined> {
    await this.context.client.patch(this.kind.type, key, { type: 'merge', body: { metadata: { annotations } } });
  }

  private async begin(
    machine: InfraMachine,
    owner: OwnerMachine,
    cluster: OwnerCluster | undefined,
  ): Promise<ReconcileResult> {
    if (!cluster?.status?.infrastructureReady)
      return this.wait(
        machine,
        'WaitingForClusterInfrastructure',
        `Cluster ${owner.spec.clusterName} has no ready infrastructure yet`,
      );
    const secret = owner.spec.bootstrap.dataSecretName;
    if (!secret)
      return this.wait(machine, 'WaitingForBootstrapData', `Machine ${owner.metadata.name} has no bootstrap data yet`);
    const place = this.kind.place(await this.infraCluster(machine, owner));
    const wish = this.kind.wish(machine, owner, place);
    const digits = cloudIdOf(machine);
    const id = this.kind.instanceId(digits, machine);
    const providerID = machine.spec?.providerID ?? this.kind.providerID(id, machine, wish, place);
    if (!wish.shape) {
      const fix = 'correct the platform settings of its NodePool';
      return this.refused(machine, `${this.kind.unknownType(wish)}; ${fix}`, true);
    }
    const isKnown = this.cloud.get(digits) !== undefined;
    // One that had an instance keeps its own copy, whatever became of the Secret.
    const isNew = machine.status?.addresses === undefined;
    const userData = isKnown ? '' : ((await this.userData(machine, secret)) ?? (isNew ? undefined : ''));
    if (userData === undefined) {
      const message = `the bootstrap data Secret ${secret} is missing or has no key "value"`;
      await this.wait(machine, 'WaitingForBootstrapData', message);
      return { requeueAfterMs: secretRetryMs };
    }
    const problem = isKnown || !isNew ? undefined : problemOf(userData);
    if (problem) {
      const fix = `correct key "value" of Secret ${secret}, or delete the Secret so that its NodePool writes it anew`;
      await this.refused(machine, `${problem}; ${fix}`, false);
      return { requeueAfterMs: secretRetryMs };
    }
    const live = await this.claim(machine, providerID);
    try {
      const { name = '', namespace = '' } = live.metadata;
      const address = live.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
      const instance = await this.cloud.ensure({
        id: digits,
        name,
        ...wish,
        shape: wish.shape,
        userData,
        providerID,
        nodeName: (given) => this.kind.nodeName?.(given, wish) ?? name,
        labels: placeLabels(wish),
        owner: { kind: this.kind.type.kind, namespace, name },
        ...(address ? { address } : {}),
      });
      await this.report(live, { at: 'instance', id, instance, wish });
      // Only now: whoever approves the node's certificates looks for its name among the addresses.
      void this.boot(live, digits);
      return undefined;
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      // Clouds have their own words for being full; everything else is about this process.
      const isFull = error.code === 'InsufficientCapacity';
      return this.refused(live, isFull ? this.kind.noCapacity(wish) : error.message, !error.isTransient);
    }
  }

  /** A machine that does not come up says why on its console; nobody should have to look for it there. */
  private async boot(machine: InfraMachine, id: string): Promise<void> {
    const instance = this.cloud.get(id);
    const wasOff = instance?.machine.state === 'off';
    await this.cloud.boot(id);
    if (wasOff && instance?.machine.state === 'failed')
      this.context.events.warning(machine, 'BootFailed', instance.machine.console.last);
  }

  private async end(machine: InfraMachine): Promise<ReconcileResult> {
    if (!hasFinalizer(machine, this.kind.finalizer)) return undefined;
    const id = cloudIdOf(machine);
    await this.cloud.terminate(id);
    const instance = this.cloud.get(id);
    // The cloud wakes us when it is gone.
    if (instance && instance.state !== 'terminated') return undefined;
    await this.cloud.forget(id);
    await removeFinalizer(this.context.client, this.kind.type, machine, this.kind.finalizer);
    return undefined;
  }

  private async wait(machine: InfraMachine, reason: string, message: string): Promise<undefined> {
    await this.report(machine, { at: 'waiting', reason, message });
    return undefined;
  }

  private async refused(machine: InfraMachine, message: string, isFinal: boolean): Promise<ReconcileResult> {
    const before = machine.status?.conditions?.find(({ type }) => type === this.kind.condition?.type)?.message;
    if (before !== message) this.context.events.warning(machine, 'FailedCreate', message);
    await this.report(machine, { at: 'refused', message, isFinal });
    return isFinal ? undefined : { requeueAfterMs: capacityRetryMs };
  }

  /** Finalizer, name and mark of a machine, in one write or none; the finalizer is there before anything is made. */
  private async claim(machine: InfraMachine, providerID: string): Promise<InfraMachine> {
    const { name = '', namespace = '', annotations, finalizers = [], resourceVersion } = machine.metadata;
    const isMarked = annotations?.[simulatedAnnotation] === 'true';
    const isNamed = machine.spec?.providerID === providerID;
    const isHeld = hasFinalizer(machine, this.kind.finalizer);
    if (isMarked && isNamed && isHeld) return machine;
    const body = {
      metadata: {
        ...(isMarked ? {} : { annotations: { [simulatedAnnotation]: 'true' } }),
        ...(isHeld ? {} : { resourceVersion, finalizers: [...finalizers, this.kind.finalizer] }),
      },
      ...(isNamed ? {} : { spec: { providerID } }),
    };
    return this.context.client.patch(this.kind.type, { namespace, name }, { type: 'merge', body });
  }

  private async report(machine: InfraMachine, progress: Progress): Promise<void> {
    const { client, clock } = this.context;
    const status = desiredMachineStatus(this.kind, machine, progress, formatTime(clock.now()));
    await patchStatus(client, this.kind.type, machine, { status }, { clock });
  }

  private async userData(machine: InfraMachine, name: string): Promise<string | undefined> {
    const { namespace = '' } = machine.metadata;
    const secret = await this.context.client.get(corev1.secrets, { namespace, name }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    const value = secret?.data?.['value'];
    return value === undefined ? undefined : Buffer.from(value, 'base64').toString('utf8');
  }

  private async infraCluster(machine: InfraMachine, owner: OwnerMachine): Promise<KubeObject | undefined> {
    const { namespace = '' } = machine.metadata;
    const clusters = this.context.cache.list(this.kind.clusterType, namespace, this.scope);
    return (
      clusters.find(({ metadata }) => metadata.name === owner.spec.clusterName) ??
      clusters.find(({ metadata }) => metadata.labels?.[clusterNameLabel] === owner.spec.clusterName) ??
      (clusters.length === 1 ? clusters[0] : undefined)
    );
  }
}

/** Why no machine could boot with the user data. Found before an instance is made for it: it reads them only once. */
function problemOf(userData: string): string | undefined {
  try {
    parseUserData(userData);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** What a cloud controller manager would say about where a node is. */
function placeLabels({ instanceType, region, zone }: MachineWish): Readonly<Record<string, string>> {
  return {
    ...(/^[\w.-]{1,63}$/.test(instanceType) ? { 'node.kubernetes.io/instance-type': instanceType } : {}),
    ...(region ? { 'topology.kubernetes.io/region': region } : {}),
    ...(zone ? { 'topology.kubernetes.io/zone': zone } : {}),
  };
}
