import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { syncFinalizer } from '../conversion/names.ts';
import { nextHandoverStep } from '../handover/next-step.ts';
import type { Authority, HandoverObjects, Mirror } from '../handover/objects.ts';
import { handoverStatus } from '../handover/status.ts';

type Status = NonNullable<mapiv1beta1.Machine['status']>;
type Actor = 'handover' | 'sync' | 'machineApi' | 'clusterApi' | 'infra';

export const actors: readonly Actor[] = ['handover', 'sync', 'machineApi', 'clusterApi', 'infra'];

const time = '2026-01-01T00:00:00Z';
const paused = 'cluster.x-k8s.io/paused';

/** One copy: what it says, how often that changed, and whether its controller acts on it. */
interface Copy {
  content: number;
  generation: number;
  active: boolean;
}

interface PausableCopy extends Copy {
  askedToPause: boolean;
  tells: 'True' | 'False' | undefined;
}

/** Both copies of a machine, the controllers around them, and the rules that no write may break. */
export class HandoverWorld {
  wanted: Authority;
  status: Status;
  readonly old: Copy;
  readonly mirror: PausableCopy;
  readonly infra: PausableCopy;
  /** What the user said last to the side that had authority. */
  lastWord = 0;

  constructor(authority: Authority) {
    const isNew = authority === 'ClusterAPI';
    this.wanted = authority;
    // The generations of both copies have nothing to do with each other.
    this.old = { content: 0, generation: isNew ? 2 : 9, active: !isNew };
    const copy = { content: 0, active: isNew, askedToPause: !isNew, tells: isNew ? 'False' : 'True' } as const;
    this.mirror = { ...copy, generation: isNew ? 7 : 3 };
    this.infra = { ...copy, generation: 1 };
    this.status = {
      authoritativeAPI: authority,
      conditions: [{ type: 'Paused', status: isNew ? 'True' : 'False', lastTransitionTime: time }],
    };
  }

  get source(): Copy {
    return this.authority === 'ClusterAPI' ? this.mirror : this.old;
  }

  /** The side with authority, also while it is on its way. */
  get authority(): Authority {
    const { authoritativeAPI, synchronizedAPI } = this.status;
    return authoritativeAPI === 'Migrating' ? (synchronizedAPI ?? 'MachineAPI') : (authoritativeAPI as Authority);
  }

  get isSettled(): boolean {
    return (
      this.status.authoritativeAPI === this.wanted &&
      this.objects.machineApi.status?.synchronizedGeneration === this.source.generation
    );
  }

  get objects(): HandoverObjects {
    const finalizers = [syncFinalizer];
    const mirror = (kind: string, { generation, askedToPause, tells }: PausableCopy): Mirror => ({
      apiVersion: '',
      kind,
      metadata: { name: 'm', generation, finalizers, ...(askedToPause ? { annotations: { [paused]: '' } } : {}) },
      status: tells ? { conditions: [{ type: 'Paused', status: tells }] } : {},
    });
    return {
      machineApi: {
        apiVersion: 'machine.openshift.io/v1beta1',
        kind: 'Machine',
        metadata: { name: 'm', generation: this.old.generation, finalizers },
        spec: { authoritativeAPI: this.wanted },
        status: this.status,
      },
      clusterApi: mirror('Machine', this.mirror),
      infra: mirror('AWSMachine', this.infra),
    };
  }

  ask(authority: Authority): void {
    if (authority === this.wanted) return;
    this.wanted = authority;
    this.old.generation++;
  }

  edit(content: number): void {
    this.source.content = content;
    this.source.generation++;
    this.lastWord = content;
  }

  run(actor: Actor): void {
    if (actor === 'handover') this.#handOver();
    else if (actor === 'sync') {
      if (this.status.authoritativeAPI !== 'Migrating') this.#synchronize(this.authority);
    } else if (actor === 'machineApi') {
      this.old.active = this.status.authoritativeAPI === 'MachineAPI';
      this.#condition('Paused', this.old.active ? 'False' : 'True');
    } else {
      const copy = actor === 'infra' ? this.infra : this.mirror;
      copy.active = !copy.askedToPause;
      copy.tells = copy.askedToPause ? 'True' : 'False';
    }
  }

  #handOver(): void {
    const step = nextHandoverStep(this.objects);
    switch (step.kind) {
      case 'tell':
      case 'finish':
        this.#write({ ...this.status, ...this.#applied(handoverStatus(this.objects, step, time).status as Status) });
        break;
      case 'pause':
      case 'resume':
        for (const { kind } of step.objects)
          (kind === 'Machine' ? this.mirror : this.infra).askedToPause = step.kind === 'pause';
        break;
      case 'synchronize':
        this.#synchronize(step.source);
        break;
      default:
        break;
    }
  }

  #applied({ conditions = [], ...status }: Status): Status {
    for (const { type, status: value } of conditions) this.#condition(type, value);
    return { ...status, ...(this.status.conditions ? { conditions: this.status.conditions } : {}) };
  }

  #synchronize(authority: Authority): void {
    const [from, to] = authority === 'MachineAPI' ? [this.old, this.mirror] : [this.mirror, this.old];
    if (to.content !== from.content) to.generation++;
    to.content = from.content;
    this.#condition('Synchronized', 'True');
    this.#write({ ...this.status, synchronizedGeneration: from.generation, synchronizedAPI: authority });
  }

  #condition(type: string, status: string): void {
    const others = (this.status.conditions ?? []).filter((condition) => condition.type !== type);
    this.status = { ...this.status, conditions: [...others, { type, status, lastTransitionTime: time }] };
  }

  /** The rules of the CRD about status. */
  #write(status: Status): void {
    const { authoritativeAPI: before, synchronizedGeneration: seen = 0 } = this.status;
    const after = status.authoritativeAPI;
    if (before !== after && before !== 'Migrating' && after !== 'Migrating') throw new Error(`${before} to ${after}`);
    const ends = before === 'Migrating' && after !== 'Migrating';
    if ((status.synchronizedGeneration ?? -1) < seen && !ends && this.status.synchronizedGeneration !== undefined)
      throw new Error(`generation ${seen} to ${status.synchronizedGeneration}`);
    this.status = status;
  }
}
