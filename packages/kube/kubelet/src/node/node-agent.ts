import { type Clock, corev1, isAlreadyExists, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { type Delayed, type Logger, sharedDelayHeap } from '@hypershift-ts/kube-controller';
import { NodeLease } from './node-lease.ts';
import { desiredNode, desiredNodeStatus, type NodeDescription, nodeConditions } from './node-object.ts';

const leaseMs = 10_000;
/** A status that does not change is repeated this often, for those who look at heartbeat times. */
const heartbeatMs = 5 * 60_000;

export interface NodeAgentOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly description: NodeDescription;
  /** Spreads renewals of many nodes. */
  readonly random?: () => number;
}

/** Registers a node and keeps it alive in the eyes of the cluster. */
export class NodeAgent {
  readonly nodeName: string;
  private readonly options: NodeAgentOptions;
  private description: NodeDescription;
  private readonly lease: NodeLease;
  private node: corev1.Node | undefined;
  private timer: Delayed | undefined;
  private reportedMs = Number.NEGATIVE_INFINITY;
  private isStopped = false;
  private working: Promise<void> = Promise.resolve();

  constructor(options: NodeAgentOptions) {
    this.options = options;
    const { client, clock, description } = options;
    this.description = description;
    this.nodeName = description.name;
    this.lease = new NodeLease(client, clock, description.name, () => this.node);
  }

  /** Resolves when the node exists and says it is ready. */
  async start(): Promise<void> {
    // A node that was made just now said everything about itself already.
    if (!(await this.register())) await this.reportStatus();
    await this.renewLease();
    const { random = Math.random } = this.options;
    this.schedule(leaseMs * (0.5 + random() / 2));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer) this.timer.callback = undefined;
    await this.working;
  }

  /** Takes a change of what the node says about itself and reports it. */
  async describe(change: Partial<NodeDescription>): Promise<void> {
    this.description = { ...this.description, ...change };
    const report = () => (this.isStopped ? Promise.resolve() : this.reportStatus());
    const reported = this.working.then(report);
    this.working = reported.catch((error: unknown) => this.complain(error, 'the node status could not be reported'));
    await reported;
  }

  private schedule(ms: number): void {
    if (this.isStopped) return;
    this.timer = sharedDelayHeap(this.options.clock).after(ms, () => {
      this.working = this.beat().then(() => this.schedule(leaseMs));
    });
  }

  private async beat(): Promise<void> {
    await this.renewLease();
    if (this.options.clock.now() - this.reportedMs < heartbeatMs) return;
    await this.reportStatus().catch((error: unknown) => this.complain(error, 'the node status could not be reported'));
  }

  private async renewLease(): Promise<void> {
    await this.lease.renew().catch((error: unknown) => this.complain(error, 'the node lease could not be renewed'));
  }

  /** True when the node was not there before. */
  private async register(): Promise<boolean> {
    const { client, clock } = this.options;
    const { description } = this;
    const wanted = desiredNode(description);
    const conditions = nodeConditions(undefined, clock.now(), description.pressures);
    const status = { ...desiredNodeStatus(description), conditions };
    try {
      this.node = await client.create(corev1.nodes, { ...wanted, status });
      this.reportedMs = clock.now();
      return true;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const known = await client.get(corev1.nodes, { name: description.name });
      const { labels, annotations } = wanted.metadata;
      const isCurrent = contains(known.metadata.labels, labels) && contains(known.metadata.annotations, annotations);
      const body = { metadata: { labels, annotations } };
      this.node = isCurrent
        ? known
        : await client.patch(corev1.nodes, { name: description.name }, { type: 'merge', body });
      return false;
    }
  }

  private async reportStatus(): Promise<void> {
    const { client, clock } = this.options;
    const { description } = this;
    const wanted = desiredNodeStatus(description);
    // Ours win by type; conditions of others (NetworkUnavailable...) are merged by the server.
    const conditions = nodeConditions(this.node?.status?.conditions, clock.now(), description.pressures);
    const live = (this.node?.status ?? {}) as Readonly<Record<string, unknown>>;
    const changed = Object.fromEntries(
      Object.entries(wanted).filter(([field, value]) => !jsonEqual(live[field], value)),
    );
    const body = { status: { ...changed, conditions } };
    this.node = await client.patch(
      corev1.nodes,
      { name: description.name },
      { type: 'strategic', body },
      { subresource: 'status' },
    );
    this.reportedMs = clock.now();
  }

  private complain(error: unknown, message: string): void {
    if (!this.isStopped) this.options.log.warn({ error, node: this.nodeName }, message);
  }
}

function contains(
  present: Readonly<Record<string, string>> | undefined,
  wanted: Readonly<Record<string, string>> | undefined,
): boolean {
  return Object.entries(wanted ?? {}).every(([key, value]) => present?.[key] === value);
}
