import type { Clock, KubeObject, Random, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, errorMessage, systemClock } from '@hypershift-ts/kube-apimachinery';
import { type Client, InformerCache } from '@hypershift-ts/kube-client';
import { type EventRecorder, type Logger, silentLogger, silentRecorder } from '@hypershift-ts/kube-controller';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { Autoscaler, type AutoscalerEnvironment, hostedCache } from './autoscaler.ts';
import { type AutoscalerFlags, defaultFlags } from './flags.ts';
import { nodeGroups } from './node-group.ts';
import { isUnschedulable } from './pending-pods.ts';
import { isReady } from './scale-down.ts';
import { Wakeups } from './wakeups.ts';

export interface ClusterAutoscalerOptions {
  /** Where the node groups are. */
  readonly managementClient: Client;
  readonly namespace: string;
  /** Where their nodes and the pods are. */
  readonly hostedClient: Client;
  readonly flags?: Partial<AutoscalerFlags>;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  /** Where pods are told what was done for them. */
  readonly events?: EventRecorder;
  readonly signal: AbortSignal;
}

/** Changes that come together are looked at together. */
const gatherMs = 500;

/** Scales the node groups of one hosted cluster until the signal aborts. Without any group it watches nothing but for one. */
export async function runClusterAutoscaler(options: ClusterAutoscalerOptions): Promise<void> {
  const { managementClient, hostedClient, namespace, signal } = options;
  const { clock = systemClock, random = Math.random, logger = silentLogger } = options;
  const flags = { ...defaultFlags, ...options.flags };
  const { events = silentRecorder } = options;
  const clients = { managementClient, hostedClient, namespace };
  const env: AutoscalerEnvironment = { ...clients, flags, clock, random, log: logger, events };
  const scope = { namespace };
  const onError = watchFailures(logger, 'management');
  const groupCache = new InformerCache({ client: managementClient, clock, onError });
  const deployments = groupCache.informer(capi.machinedeployments, scope);
  const sets = groupCache.informer(capi.machinesets, scope);
  const wakeups = new Wakeups(clock, signal);
  const groupChanged = () => wakeups.within(gatherMs);
  for (const informer of [deployments, sets]) {
    // A status says nothing new about bounds and sizes.
    const updated = ({ metadata: before }: KubeObject, { metadata: next }: KubeObject) => {
      if (before.generation !== next.generation || before.annotations !== next.annotations) groupChanged();
    };
    informer.addHandler({ added: groupChanged, deleted: groupChanged, updated });
  }
  groupCache.start();
  let at: Site | undefined;
  let told = '';
  const tell = (text: string) => {
    if (text !== told) logger.info({}, text);
    told = text;
  };
  tell('nothing to scale until a NodePool has spec.autoScaling');
  try {
    while (await wakeups.next()) {
      const groups = nodeGroups(deployments.list(), sets.list());
      if (groups.length === 0) {
        tell('nothing to scale until a NodePool has spec.autoScaling');
        await at?.stop();
        at = undefined;
        continue;
      }
      if (!at) logger.info({}, 'waiting for what is known of nodes and pods of the hosted cluster');
      at ??= openSite(env, groupCache, wakeups);
      if (!(await at.ready(signal))) continue;
      tell(`scaling ${groups.map(({ id, min, max }) => `${id} (${min} to ${max})`).join(', ')}`);
      try {
        const next = await at.autoscaler.scan(groups);
        if (next !== undefined) wakeups.within(next);
      } catch (error) {
        logger.error({ err: error }, 'a look at the cluster failed and will be repeated');
        wakeups.within(flags.scanIntervalMs);
      }
    }
  } finally {
    await at?.stop();
    await groupCache.stop();
  }
}

/** What is held only while there is something to scale. */
interface Site {
  readonly autoscaler: Autoscaler;
  ready(signal: AbortSignal): Promise<boolean>;
  stop(): Promise<void>;
}

function openSite(env: AutoscalerEnvironment, groups: InformerCache, wakeups: Wakeups): Site {
  const { namespace, flags, clock, hostedClient } = env;
  const hosted = hostedCache(hostedClient, clock, watchFailures(env.log, 'hosted'));
  groups.informer(capi.machines, { namespace });
  hosted.informer(core.pods).addHandler({
    added: (pod) => wakeups.within(isUnschedulable(pod) ? gatherMs : flags.scanIntervalMs),
    updated: (before, pod) =>
      wakeups.within(isUnschedulable(pod) && !isUnschedulable(before) ? gatherMs : flags.scanIntervalMs),
    deleted: () => wakeups.within(flags.scanIntervalMs),
  });
  hosted.informer(core.nodes).addHandler({
    added: () => wakeups.within(gatherMs),
    updated: (before, node) => {
      if (isReady(before) !== isReady(node)) wakeups.within(gatherMs);
    },
    deleted: () => wakeups.within(gatherMs),
  });
  hosted.start();
  return {
    autoscaler: new Autoscaler(env, groups, hosted),
    ready: async (signal) => (await hosted.whenSynced(signal)) && groups.whenSynced(signal),
    async stop() {
      await groups.drop(capi.machines, { namespace });
      await hosted.stop();
    },
  };
}

/** Watches repeat for ever; without a word about why, an autoscaler that cannot see would look like an idle one. */
function watchFailures(log: Logger, cluster: string): (error: unknown, type: ResourceType<KubeObject>) => void {
  return (error, { resource }) =>
    log.warn({ err: error }, `cannot watch ${resource} of the ${cluster} cluster: ${errorMessage(error)}`);
}
