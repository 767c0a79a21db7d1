import type { openshift } from '@hypershift-ts/hypershift-api';
import { formatTime } from '@hypershift-ts/kube-apimachinery';
import { type DesiredCondition, mergeConditions } from '@hypershift-ts/kube-controller';
import type { OperatorStates } from './operator-states.ts';

type Status = NonNullable<openshift.ClusterVersion['status']>;
type Entry = NonNullable<Status['history']>[number];

export interface Target {
  readonly version: string;
  readonly image: string;
}

const longestHistory = 100;

/** What the built-in version operator does not do is said where people look. */
const honest = 'built-in version operator: the release holds no manifests to apply';

/** The status of ClusterVersion that follows from the release asked for and from how the operators stand. */
export function nextClusterVersionStatus(
  live: openshift.ClusterVersion,
  target: Target,
  operators: OperatorStates,
  nowMs: number,
): Status {
  const now = formatTime(nowMs);
  const history = nextHistory(live.status?.history ?? [], target, operators.waiting.length === 0, now);
  const conditions = conditionsOf(history, target, operators, live.spec.channel);
  const isStillKnown = ({ type }: { readonly type: string }) => type !== 'Upgradeable';
  const before = (live.status?.conditions ?? []).filter(isStillKnown);
  const { additionalEnabledCapabilities = [] } = (live.spec as CapabilitySpec).capabilities ?? {};
  const enabled = [...additionalEnabledCapabilities].sort();
  return {
    ...live.status,
    desired: target,
    history,
    observedGeneration: live.metadata.generation ?? 0,
    availableUpdates: null,
    conditions: withUpgradeable(live, before, conditions, now),
    ...(enabled.length > 0 ? { capabilities: { enabledCapabilities: enabled, knownCapabilities: enabled } } : {}),
  } as Status;
}

interface CapabilitySpec {
  readonly capabilities?: { readonly additionalEnabledCapabilities?: readonly string[] };
}

/** Upgradeable is there only while something speaks against it; the others always are. */
function withUpgradeable(
  live: openshift.ClusterVersion,
  before: readonly object[],
  desired: readonly DesiredCondition[],
  now: string,
) {
  const hasUpgradeable = desired.some(({ type }) => type === 'Upgradeable');
  return mergeConditions((hasUpgradeable ? live.status?.conditions : before) as never, desired, now);
}

/** Newest first: another release closes the newest entry and comes before it; everything in place completes it. */
function nextHistory(history: readonly Entry[], target: Target, settled: boolean, now: string): readonly Entry[] {
  const [newest, ...older] = history;
  const isSame = newest?.image === target.image && (newest.version ?? target.version) === target.version;
  const first: Entry = isSame && newest ? newest : { ...target, ...begun(now) };
  const rest = isSame ? older : newest ? [{ ...newest, completionTime: newest.completionTime ?? now }, ...older] : [];
  const completed =
    settled && first.state !== 'Completed' ? { ...first, state: 'Completed', completionTime: now } : first;
  return [completed, ...rest].slice(0, longestHistory);
}

const begun = (now: string) => ({ state: 'Partial', startedTime: now, completionTime: null, verified: false });

function conditionsOf(
  history: readonly Entry[],
  { version, image }: Target,
  { total, done, waiting, unavailable, degraded, notUpgradeable }: OperatorStates,
  channel: string | undefined,
): readonly DesiredCondition[] {
  const last = history.find(({ state }) => state === 'Completed');
  const sick = degraded.map(({ name, message }) => `Cluster operator ${name} is degraded: ${message}`);
  const gone = unavailable.map((name) => `Cluster operator ${name} is not available`);
  const problems = [...gone, ...sick];
  const settled = history[0]?.state === 'Completed';
  return [
    last
      ? { type: 'Available', status: 'True', message: `Done applying ${last.version}` }
      : { type: 'Available', status: 'False', message: '' },
    {
      type: 'ReleaseAccepted',
      status: 'True',
      reason: 'PayloadLoaded',
      message: `Payload loaded version="${version}" image="${image}" (${honest})`,
    },
    problems.length > 0
      ? {
          type: 'Failing',
          status: 'True',
          reason: gone.length > 0 ? 'ClusterOperatorNotAvailable' : 'ClusterOperatorDegraded',
          message: problems.join('; '),
        }
      : { type: 'Failing', status: 'False', message: '' },
    settled
      ? { type: 'Progressing', status: 'False', message: `Cluster version is ${version}` }
      : {
          type: 'Progressing',
          status: 'True',
          reason: waiting.length > 0 ? 'ClusterOperatorsUpdating' : '',
          message: `Working towards ${version}: ${done} of ${total} done (${percent(done, total)}% complete), waiting on ${waiting.join(', ')}`,
        },
    channel
      ? {
          type: 'RetrievedUpdates',
          status: 'False',
          reason: 'RemoteFailed',
          message: `Updates of channel ${channel} are not asked for (${honest})`,
        }
      : {
          type: 'RetrievedUpdates',
          status: 'False',
          reason: 'NoChannel',
          message: 'The update channel has not been configured.',
        },
    ...(notUpgradeable.length > 0
      ? [
          {
            type: 'Upgradeable',
            status: 'False' as const,
            reason: 'ClusterOperatorsNotUpgradeable',
            message: notUpgradeable
              .map(
                ({ name, message }) =>
                  `Cluster operator ${name} should not be upgraded between minor versions: ${message}`,
              )
              .join('; '),
          },
        ]
      : []),
  ];
}

const percent = (done: number, total: number): number => (total === 0 ? 100 : Math.floor((done * 100) / total));
