import { hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { corev1, hasConditionStatus } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { type Controller, controller, type ReconcileContext } from '@hypershift-ts/kube-controller';
import { controlPlaneKey, controlPlaneOf, isOwnControlPlane } from '../control-plane.ts';
import { scopeOf } from '../guest/apply.ts';
import type { GuestScope } from '../options.ts';
import { connectionChecker } from '../resources/kas-connection-checker.ts';
import { patchControlPlaneStatus } from '../status/patch-status.ts';
import { controlPlaneConnection, dataPlaneConnection } from './verdicts.ts';

const agents = { namespace: 'kube-system', labelSelector: 'app=konnectivity-agent' };
const retryMs = 10_000;
/** Nodes come by the hundred, and each changes several times; one look at all of them is enough. */
const gatherMs = 1000;
/** How long a log that was read speaks for the tunnel. */
const proofMs = 60_000;
/** Reading a line must not take for ever when the tunnel is gone. */
const logPatienceMs = 10_000;
/** Agents asked at once; the first that answers is enough. */
const mostLogs = 3;

/** Says on the control plane whether it reaches the nodes and whether they reach it. */
export function connectionsController(scope: GuestScope): Controller {
  const { guest, options } = scope;
  const map = () => [controlPlaneKey(scope)];
  /** The agent whose log was last read, and when. */
  let proven: { readonly pod: string | undefined; readonly atMs: number } = { pod: undefined, atMs: 0 };
  /** Kubelets that do not answer yet are left alone for a while, longer each time. */
  let patience = { untilMs: 0, ms: gatherMs };
  return controller<Parameters<typeof patchControlPlaneStatus>[0], [corev1.Node, corev1.Pod, corev1.ConfigMap]>({
    name: 'connections',
    for: {
      type: hostedControlPlanes,
      namespace: options.namespace,
      predicate: { created: isOwnControlPlane(scope), updated: () => false },
    },
    watches: [
      // Heartbeats of nodes change nothing here.
      { type: corev1.nodes, cache: guest, predicate: { updated: (a, b) => isReady(a) !== isReady(b) }, map },
      {
        type: corev1.pods,
        cache: guest,
        ...agents,
        predicate: { updated: (before, after) => stateOf(before) !== stateOf(after) },
        map,
      },
      {
        type: corev1.configmaps,
        cache: guest,
        ...scopeOf(corev1.configmaps),
        predicate: {
          created: isCheck,
          deleted: isCheck,
          updated: (before, after) => isCheck(after) && timeOf(before) !== timeOf(after),
        },
        map,
      },
    ],
    gatherMs,
    async reconcile(_key, context) {
      const hcp = controlPlaneOf(scope);
      if (!hcp || hcp.metadata.deletionTimestamp) return undefined;
      const nodes = guest.list(corev1.nodes).length;
      const running = guest.list(corev1.pods, undefined, agents).filter(({ status }) => status?.phase === 'Running');
      const now = context.clock.now();
      const { namespace, configMap: name } = connectionChecker;
      const check = guest.get(corev1.configmaps, { namespace, name }, scopeOf(corev1.configmaps));
      // Checks of the other direction come in every few seconds; they are no reason to ask kubelets again.
      const known = running.filter(({ metadata }) => metadata.uid === proven.pod);
      const isProven = now - proven.atMs < proofMs && known.length > 0;
      const isAsked = !isProven && nodes > 0 && running.length > 0 && now >= patience.untilMs;
      const ask = (pods: readonly corev1.Pod[]) => readableAgent(options.hostedClient, pods, context);
      const read = isAsked ? ((await ask(known)) ?? (await ask(running))) : undefined;
      if (read) proven = { pod: read, atMs: now };
      if (read || isProven) patience = { untilMs: 0, ms: gatherMs };
      else if (isAsked) patience = { untilMs: now + patience.ms, ms: Math.min(2 * patience.ms, retryMs) };
      const logsRead = isProven || read !== undefined;
      const verdicts = [
        dataPlaneConnection({ nodes, running: running.length, logsRead }),
        controlPlaneConnection(nodes, check, now),
      ];
      await patchControlPlaneStatus(hcp, { conditions: verdicts }, context);
      if (nodes === 0) return undefined;
      if (!logsRead && running.length > 0)
        return { requeueAfterMs: Math.max(patience.untilMs - context.clock.now(), 1) };
      // Nothing tells when the tunnel breaks or when the last check grows old.
      return { requeueAfterMs: verdicts.every(({ status }) => status === 'True') ? proofMs : retryMs };
    },
  });
}

/** Whether the pod runs and answers. */
const stateOf = ({ status }: corev1.Pod): string =>
  `${status?.phase} ${hasConditionStatus(status?.conditions, 'Ready', 'True')}`;
const isReady = ({ status }: corev1.Node): boolean => hasConditionStatus(status?.conditions, 'Ready', 'True');
const isCheck = ({ metadata }: corev1.ConfigMap): boolean => metadata.name === connectionChecker.configMap;
const timeOf = ({ data }: corev1.ConfigMap): string | undefined => data?.[connectionChecker.field];

/** The agent whose log can be read, even an empty one: that went through API server, tunnel and kubelet. */
async function readableAgent(
  client: Client,
  pods: readonly corev1.Pod[],
  { clock, signal }: Pick<ReconcileContext, 'clock' | 'signal'>,
): Promise<string | undefined> {
  const limit = new AbortController();
  const cancel = clock.after(logPatienceMs, () => limit.abort());
  const either = AbortSignal.any([signal, limit.signal]);
  const query = 'container=konnectivity-agent&tailLines=1&limitBytes=1024';
  const reads = pods.slice(0, mostLogs).map(async ({ metadata }) => {
    const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/log?${query}`;
    await client.raw('GET', path, { signal: either });
    return metadata.uid;
  });
  try {
    return await Promise.any(reads);
  } catch {
    signal.throwIfAborted();
    return undefined;
  } finally {
    cancel();
    limit.abort();
  }
}
