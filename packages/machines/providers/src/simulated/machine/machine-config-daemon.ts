import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { type Client, Informer } from '@hypershift-ts/kube-client';
import type { BuiltinContext, BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import { maxFileBytes } from './resource.ts';

/** What the daemon may do to the machine it runs on. */
export interface UpgradedMachine {
  readonly nodeName: string;
  readonly client: Client;
  /** The hash of the configuration on the disk, when an upgrade put it there. */
  currentConfig(): Promise<string | undefined>;
  reapply(ignition: string, hash: string): Promise<void>;
  reboot(): void;
}

const annotation = (name: string) => `machineconfiguration.openshift.io/${name}`;
const current = annotation('currentConfig');
const desired = annotation('desiredConfig');
const state = annotation('state');
const reason = annotation('reason');
const desiredDrain = annotation('desiredDrain');
const lastAppliedDrain = annotation('lastAppliedDrain');

/**
 * `machine-config-daemon start --desired-configmap=<folder>` on a machine of ours: asks for a drain, puts the configuration
 * on the disk, boots into it, asks to be uncordoned, and says how far it is in the annotations of its node.
 */
export function machineConfigDaemon(machine: () => UpgradedMachine | undefined): BuiltinProgram {
  return async (context) => {
    const running = machine();
    if (!running) throw new Error('the machine is not a node yet');
    const folder = folderOf(context);
    const hash = (await readFile(join(folder, 'hash'), 'utf8')).trim();
    const say = (text: string) => context.stdout.write(`${text}\n`);
    const node = new FollowedNode(running, context);
    try {
      await upgrade(running, node, hash, folder, say);
    } catch (error) {
      if (context.signal.aborted) throw error;
      say(`degraded: ${(error as Error).message}`);
      await node.annotate({ [state]: 'Degraded', [reason]: (error as Error).message.slice(0, 2000) });
    } finally {
      await node.stop();
    }
    await new Promise<void>((resolve) => {
      if (context.signal.aborted) resolve();
      context.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  };
}

async function upgrade(
  machine: UpgradedMachine,
  node: FollowedNode,
  hash: string,
  folder: string,
  say: (text: string) => void,
): Promise<void> {
  await node.when((annotations) => annotations[desired] === hash);
  if ((await machine.currentConfig()) !== hash) {
    const payload = payloadIn(await readFile(join(folder, 'config'), 'utf8'));
    await node.annotate({ [state]: 'Working', [reason]: '', [desiredDrain]: `drain-${hash}` });
    say(`asked for a drain to apply ${hash}`);
    await node.when((annotations) => annotations[lastAppliedDrain] === `drain-${hash}`);
    await machine.reapply(payload, hash);
    say('rebooting');
    // Ends this program too; it goes on below when the machine is up again.
    machine.reboot();
    return;
  }
  await node.annotate({ [current]: hash, [desiredDrain]: `uncordon-${hash}` });
  await node.when((annotations) => annotations[lastAppliedDrain] === `uncordon-${hash}`);
  await node.annotate({ [state]: 'Done', [reason]: '' });
  say(`runs ${hash}`);
}

function folderOf({ args, command = [], path }: BuiltinContext): string {
  const flag = [...command, ...args].find((word) => word.startsWith('--desired-configmap='));
  if (!flag) throw new Error('only in-place upgrades are done here: --desired-configmap is missing');
  return path(flag.slice(flag.indexOf('=') + 1));
}

/** gzip in base64, as token Secrets and ConfigMaps carry payloads. */
function payloadIn(text: string): string {
  return gunzipSync(Buffer.from(text, 'base64'), { maxOutputLength: 2 * maxFileBytes }).toString('utf8');
}

type Annotations = Readonly<Record<string, string>>;

/** The annotations of one node, as they change. */
class FollowedNode {
  private readonly machine: UpgradedMachine;
  private readonly signal: AbortSignal;
  private readonly informer: Informer<corev1.Node>;

  constructor(machine: UpgradedMachine, { clock, signal }: BuiltinContext) {
    this.machine = machine;
    this.signal = signal;
    const scope = { fieldSelector: `metadata.name=${machine.nodeName}` };
    this.informer = new Informer({ client: machine.client, type: corev1.nodes, scope, clock });
    this.informer.start();
  }

  async annotate(annotations: Annotations): Promise<void> {
    const body = { metadata: { annotations } };
    await this.machine.client.patch(corev1.nodes, { name: this.machine.nodeName }, { type: 'merge', body });
  }

  async when(fits: (annotations: Annotations) => boolean): Promise<void> {
    let leave = () => {};
    await new Promise<void>((resolve, reject) => {
      const look = ({ metadata }: corev1.Node) => (fits(metadata.annotations ?? {}) ? resolve() : undefined);
      leave = this.informer.addHandler({ added: look, updated: (_previous, node) => look(node) });
      this.signal.addEventListener('abort', () => reject(this.signal.reason as Error), { once: true });
    }).finally(() => leave());
  }

  stop(): Promise<void> {
    return this.informer.stop();
  }
}
