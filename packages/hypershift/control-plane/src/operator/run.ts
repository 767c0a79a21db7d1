import { type HostedControlPlane, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { platformFor } from '@hypershift-ts/hypershift-platforms';
import { corev1, type KubeObject, policyv1, type ResourceType, systemClock } from '@hypershift-ts/kube-apimachinery';
import { InformerCache } from '@hypershift-ts/kube-client';
import {
  type Controller,
  controller,
  type Enqueue,
  generationChanged,
  Manager,
  silentLogger,
  unhurriedMs,
} from '@hypershift-ts/kube-controller';
import { generateKeys } from '@hypershift-ts/kube-pki';
import { controlPlaneComponentList, withEtcdShards } from '../components/registry.ts';
import type { Lookup, ManagementCluster } from '../framework/context.ts';
import { probeManagementCluster } from '../framework/management.ts';
import { routes } from '../framework/optional-kinds.ts';
import { OwnWrites } from '../framework/own-writes.ts';
import { watchedTypes } from '../framework/reconcile-all.ts';
import { ReportPace } from '../framework/report-pace.ts';
import { Settled } from '../framework/settled.ts';
import { SettledComponents } from '../framework/settled-components.ts';
import { privateLinkController, privateLinkObjects } from '../private-links/index.ts';
import { networkChecks } from './health/network-checks.ts';
import { Outlook } from './health/outlook.ts';
import type { ControlPlaneOperatorOptions } from './options.ts';
import type { Pass } from './pass.ts';
import { reconcileControlPlane } from './reconcile.ts';
import { isUrgent } from './urgency.ts';
import { RecentCauses } from './root-cause/recent-causes.ts';
import type { Upkeep } from './upkeep.ts';

/** Reconciles that take longer have lost something; the release lookup inside is allowed two minutes. */
const reconcileTimeoutMs = 150_000;

/** Everything in the namespace leads here, and while a control plane starts hundreds of changes a second do. */
const gatherMs = 50;

/** A change that brings nothing on waits for one that does, but not for ever. */
const patienceMs = 3000;

/** How often the progress of one component is told; that it is there, or cannot be, is told at once. */
const reportEveryMs = { calm: 10_000, busy: 30_000 };

/** How often the words in the conditions of a control plane that starts are. */
const progressEveryMs = { calm: 3000, busy: 10_000 };

/** Kinds whose status says nothing to this operator and changes whenever a pod does. */
const statusUnread: ReadonlySet<ResourceType<KubeObject>> = new Set([policyv1.poddisruptionbudgets]);

/** Runs the operator of one control plane until the signal aborts. */
export async function runControlPlaneOperator(options: ControlPlaneOperatorOptions): Promise<void> {
  const { client, namespace, signal, clock = systemClock, logger = silentLogger } = options;
  const management = await probeManagementCluster(client);
  const components = options.components ?? controlPlaneComponentList;
  const log = logger.child({ namespace });
  const cache = new InformerCache({
    client,
    clock,
    onError: (error, type) => log.warn({ err: error, resource: type.resource }, 'watch will be retried'),
  });
  const types = operatorTypes(components, management);
  const writes = new OwnWrites(cache, namespace);
  for (const type of types) writes.follow(type);
  const upkeep: Upkeep = {
    releases: options.releases,
    images: options.images ?? {},
    keys: options.keys ?? generateKeys,
    settled: new SettledComponents(),
    work: new Settled(),
    pace: new ReportPace(() => unhurriedMs(clock, reportEveryMs.calm, reportEveryMs.busy)),
    progress: new ReportPace(() => unhurriedMs(clock, progressEveryMs.calm, progressEveryMs.busy)),
    causes: new RecentCauses(progressEveryMs.calm),
    outlook: new Outlook(clock, signal),
    checks: options.checks ?? networkChecks,
    openId: new Map(),
    accounts: options.accounts ?? (() => undefined),
    cloudStatus: new Map(),
    imagesOf: new WeakMap(),
  };
  const lookup = writes.lookup((type) => management.serves(type));
  const seen = { client: writes.client(client), lookup, writes, management, upkeep };
  const manager = new Manager({
    client,
    cache,
    clock,
    logger: log,
    ...(options.events ? { events: options.events } : {}),
    ...(options.leaderElection ? { leaderElection: options.leaderElection } : {}),
  });
  manager.add(controlPlaneController({ ...options, clock, components }, types, seen));
  manager.add(...(await privateLinkControllers(options)));
  try {
    await manager.run(signal);
  } finally {
    writes.stop();
    await cache.stop();
  }
}

/** What works on private links, for control planes of platforms that have some. A platform never changes. */
async function privateLinkControllers(options: ControlPlaneOperatorOptions): Promise<readonly Controller[]> {
  const { client, namespace, signal, accounts = () => undefined } = options;
  const { items } = await client.list(hostedControlPlanes, { namespace, signal });
  const platform = items[0] && platformFor(items[0].spec.platform.type);
  if (!platform?.privateLink) return [];
  const connect = privateLinkController({ platform, side: 'connect', accounts, namespace });
  return [privateLinkObjects(platform, namespace), connect].filter((one) => one !== undefined);
}

/** Everything that is read, so that a change of any of it leads to a reconcile. */
function operatorTypes(
  components: NonNullable<ControlPlaneOperatorOptions['components']>,
  management: ManagementCluster,
): readonly ResourceType<KubeObject>[] {
  const types: readonly ResourceType<KubeObject>[] = [
    hostedControlPlanes,
    corev1.serviceaccounts,
    routes,
    ...watchedTypes(components, management),
  ];
  return [...new Set(types)].filter((type) => management.serves(type));
}

interface Surroundings {
  readonly client: Pass['client'];
  readonly lookup: Lookup;
  readonly writes: OwnWrites;
  readonly management: ManagementCluster;
  readonly upkeep: Upkeep;
}

type Settings = ControlPlaneOperatorOptions & Required<Pick<ControlPlaneOperatorOptions, 'clock' | 'components'>>;

function controlPlaneController(
  options: Settings,
  types: readonly ResourceType<KubeObject>[],
  { client, lookup, writes, management, upkeep }: Surroundings,
): Controller {
  const { namespace, clock, components, settings = {} } = options;
  const keys = () => lookup.list(hostedControlPlanes).map(({ metadata }) => ({ namespace, name: metadata.name ?? '' }));
  const wake = (enqueue: Enqueue) => {
    upkeep.outlook.onChange = () => {
      for (const key of keys()) enqueue(key);
    };
    return () => {
      upkeep.outlook.onChange = () => {};
    };
  };
  const urgency = (type: ResourceType<KubeObject>) => (object: KubeObject, previous?: KubeObject) =>
    isUrgent(type, object, previous, writes.isOwn(object)) ? gatherMs : patienceMs;
  return controller<HostedControlPlane, KubeObject[]>({
    name: 'hostedcontrolplane',
    for: { type: hostedControlPlanes, namespace, gatherMsOf: urgency(hostedControlPlanes as ResourceType<KubeObject>) },
    watches: types
      .filter((type) => type !== (hostedControlPlanes as ResourceType<KubeObject>))
      .map((type) => ({
        type,
        namespace,
        map: keys,
        gatherMsOf: urgency(type),
        ...(statusUnread.has(type) ? { predicate: generationChanged } : {}),
      })),
    sources: [wake],
    rateLimit: { baseMs: 200, maxMs: 10_000 },
    gatherMs,
    timeoutMs: reconcileTimeoutMs,
    async reconcile({ name }, context) {
      const hcp = lookup.get(hostedControlPlanes, name);
      if (!hcp) return undefined;
      const pass: Pass = {
        hcp,
        namespace,
        lookup,
        management,
        settings,
        components: withEtcdShards(components, hcp),
        client,
        upkeep,
        now: clock.now(),
        signal: context.signal,
        found: [],
      };
      const operateOnReleaseImage = options.operateOnReleaseImage;
      return reconcileControlPlane({ pass, checks: upkeep.checks, clock, operateOnReleaseImage, context });
    },
  });
}
