import { formatTime } from '@hypershift-ts/kube-apimachinery';
import type { DesiredCondition } from '@hypershift-ts/kube-controller';
import type { KeyRole } from './configuration.ts';
import { type EncryptionStatus, fingerprint, type KeyStatus } from './keys.ts';

const longestHistory = 5;

export interface RotationFacts {
  readonly status: EncryptionStatus | undefined;
  /** The key the spec asks for. */
  readonly wanted: KeyStatus;
  readonly vaultType: string | undefined;
  /** Where the target of a running rotation stands in the configuration. */
  readonly role: KeyRole;
  /** Every API server runs that configuration, and none of an older one is left. */
  readonly converged: boolean;
  /** Undefined: not begun. An error names what could not be rewritten. */
  readonly rewritten?: 'done' | Error | undefined;
  readonly nowMs: number;
}

export interface RotationStep {
  readonly status: EncryptionStatus | undefined;
  readonly condition?: DesiredCondition;
  /** Everything is in place to rewrite what is stored. */
  readonly rewrite?: true;
  readonly requeueAfterMs?: number;
}

type History = NonNullable<EncryptionStatus['history']>;
type State = History[number]['state'];

/** The next step of a key rotation: read with the new key everywhere, then write with it, then rewrite what is stored. */
export function nextRotation(facts: RotationFacts): RotationStep {
  const { status, wanted, vaultType } = facts;
  const active = status?.activeKey;
  if (!active) return { status: { ...status, activeKey: wanted }, condition: upToDate('Encryption key initialized') };
  if (status.targetKey) return runningRotation(facts, status, status.targetKey);
  if (fingerprint(active, vaultType) === fingerprint(wanted, vaultType)) return { status };
  const history = [begun(active, wanted, facts), ...(status.history ?? [])].slice(0, longestHistory);
  const message = 'Encryption key rotation started: deploying new key as read-only';
  return {
    status: { ...status, targetKey: wanted, history },
    condition: pending('ReadOnlyRolloutInProgress', message),
    requeueAfterMs: 1000,
  };
}

function runningRotation(facts: RotationFacts, status: EncryptionStatus, target: KeyStatus): RotationStep {
  const { role, converged, rewritten, nowMs } = facts;
  const at = (state: State): EncryptionStatus => withState(facts, status, target, state);
  const waiting = { requeueAfterMs: 30_000 };
  if (role === 'absent')
    return {
      status: at('ReadOnlyDeploy'),
      condition: pending(
        'ReadOnlyRolloutInProgress',
        'Waiting for new encryption key to be added to EncryptionConfiguration',
      ),
      ...waiting,
    };
  const mode = role === 'read' ? 'in read-only mode' : 'as write provider';
  if (!converged)
    return {
      status: at(role === 'read' ? 'ReadOnlyDeploy' : 'WritePromote'),
      condition: pending(
        'ReEncryptionWaitingForKASConvergence',
        `Waiting for KAS to converge with new encryption key ${mode}`,
      ),
      ...waiting,
    };
  if (role === 'read')
    return {
      status: at('WritePromote'),
      condition: pending('WritePromotionInProgress', 'Promoting new encryption key to write provider'),
      ...waiting,
    };
  if (rewritten === undefined)
    return {
      status: at('Migrating'),
      condition: pending('ReEncryptionInProgress', 'Re-encrypting etcd data with new encryption key'),
      rewrite: true,
    };
  if (rewritten instanceof Error)
    return {
      status: at('Migrating'),
      condition: pending('ReEncryptionFailed', `Re-encryption failed for some resources: ${rewritten.message}`),
      requeueAfterMs: 60_000,
    };
  const [first, ...older] = at('Completed').history ?? [];
  const history = first ? [{ ...first, completionTime: formatTime(nowMs) }, ...older] : [];
  return {
    status: { activeKey: target, history },
    condition: upToDate('All etcd data is encrypted with the current active key'),
  };
}

function withState(facts: RotationFacts, status: EncryptionStatus, target: KeyStatus, state: State): EncryptionStatus {
  const [first = begun(status.activeKey ?? target, target, facts), ...older] = status.history ?? [];
  return first.state === state ? status : { ...status, history: [{ ...first, state }, ...older] };
}

function begun(from: KeyStatus, to: KeyStatus, { vaultType, nowMs }: RotationFacts): History[number] {
  const reference = (key: KeyStatus) => ({ provider: key.provider, fingerprint: fingerprint(key, vaultType) });
  return { from: reference(from), to: reference(to), state: 'ReadOnlyDeploy', startedTime: formatTime(nowMs) };
}

const type = 'EtcdDataEncryptionUpToDate';
const upToDate = (message: string): DesiredCondition => ({
  type,
  status: 'True',
  reason: 'ReEncryptionCompleted',
  message,
});
const pending = (reason: string, message: string): DesiredCondition => ({ type, status: 'False', reason, message });
