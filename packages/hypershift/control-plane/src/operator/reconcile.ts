import { finalizers, type HostedControlPlane, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { validReleaseInfoCondition } from '@hypershift-ts/hypershift-release';
import {
  type Clock,
  type Condition,
  errorMessage,
  isConditionFalse,
  isConditionTrue,
} from '@hypershift-ts/kube-apimachinery';
import {
  ensureFinalizer,
  type ReconcileContext,
  type ReconcileResult,
  runSteps,
  type StepOutcome,
  StepsFailed,
} from '@hypershift-ts/kube-controller';
import { pauseLeftMs } from '../hosted-control-plane/pause.ts';
import { infrastructureStatus } from '../infrastructure/status.ts';
import { availability } from './availability.ts';
import { deleteControlPlane } from './deletion.ts';
import type { NetworkChecks } from './health/network-checks.ts';
import { observedConditions } from './observe.ts';
import type { Pass } from './pass.ts';
import { readReleases } from './releases.ts';
import { statusFields, writeStatus } from './status.ts';
import { updateSteps } from './steps/index.ts';

/** A settled control plane is looked at again after this long, one that is not yet available sooner. */
const readyRequeueMs = 60_000;
const waitingRequeueMs = 15_000;

export interface ReconcileInputs {
  readonly pass: Pass;
  readonly checks: NetworkChecks;
  readonly clock: Clock;
  readonly operateOnReleaseImage: string | undefined;
  readonly context: ReconcileContext;
}

/** One reconcile of a HostedControlPlane, in the order that users of its conditions rely on. */
export async function reconcileControlPlane(inputs: ReconcileInputs): Promise<ReconcileResult> {
  const { operateOnReleaseImage, context } = inputs;
  if (inputs.pass.hcp.metadata.deletionTimestamp) return deleteControlPlane(inputs.pass, inputs.clock);
  const { client } = inputs.pass;
  const hcp = await ensureFinalizer(client, hostedControlPlanes, inputs.pass.hcp, finalizers.hypershift.key);
  const pass = { ...inputs.pass, hcp };
  // Another version of this operator is in charge; two of them would undo each other's work.
  if (operateOnReleaseImage && operateOnReleaseImage !== releaseImage(hcp)) return undefined;
  const failure = await attempt(() => readReleases(pass));
  pass.infrastructure = infrastructureOf(pass);
  const before = await observedConditions(pass, inputs.checks);
  const mayWork = !failure && isConditionTrue(before, 'ReconciliationActive') && !isInvalid(before);
  const outcomes = mayWork ? await runSteps(updateSteps, pass, context) : new Map<string, StepOutcome>();
  // The steps changed what there is to see: look again, so that status never lags behind them.
  const after = mayWork ? await observedConditions(pass, inputs.checks) : before;
  const fields = statusFields(pass);
  const conditions = await reported(
    pass,
    inputs.checks,
    [...after, ...pass.found, ...releaseInfo(pass, failure)],
    fields,
  );
  // Where everything ends together, servers that go away are no news: it would be the first thing seen after a restart.
  context.signal.throwIfAborted();
  await writeStatus(pass, fields, conditions.all, inputs.clock);
  throwFailures(failure, outcomes);
  return requeue(pass, conditions, outcomes);
}

function releaseImage({ spec }: HostedControlPlane): string {
  return spec.controlPlaneReleaseImage ?? spec.releaseImage;
}

function isInvalid(conditions: readonly Condition[]): boolean {
  return isConditionFalse(conditions, 'ValidHostedControlPlaneConfiguration');
}

function infrastructureOf(pass: Pass): Pass['infrastructure'] {
  try {
    return infrastructureStatus(pass, pass.now);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function attempt(work: () => Promise<unknown>): Promise<Error | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Whether the release has every image that was asked for; or that it could not be read. */
function releaseInfo({ images, userImages }: Pass, failure: Error | undefined): readonly Condition[] {
  if (images && userImages) return [validReleaseInfoCondition(images, userImages)];
  const message = `the release could not be read: ${errorMessage(failure)}`;
  return [{ type: 'ValidReleaseInfo', status: 'Unknown', reason: 'StatusUnknown', message }];
}

interface Reported {
  readonly all: readonly Condition[];
  /** When the answer may change by time alone. */
  readonly againMs: number | undefined;
}

async function reported(
  pass: Pass,
  checks: NetworkChecks,
  known: readonly Condition[],
  fields: object,
): Promise<Reported> {
  const { available, againMs } = await availability(pass, checks, known, fields);
  Object.assign(fields, { ready: available.status === 'True' });
  return { all: [...known, available], againMs };
}

function throwFailures(lookup: Error | undefined, outcomes: ReadonlyMap<string, StepOutcome>): void {
  const failures = [...outcomes].flatMap(([step, outcome]) =>
    outcome.state === 'failed' ? [[step, outcome.error] as const] : [],
  );
  if (lookup) failures.unshift(['release', lookup]);
  const [only] = failures;
  if (failures.length === 1) throw only?.[1];
  if (failures.length > 1) throw new StepsFailed('hostedcontrolplane', failures);
}

function requeue(pass: Pass, { all, againMs }: Reported, outcomes: ReadonlyMap<string, StepOutcome>): ReconcileResult {
  const isReady = isConditionTrue(all, 'Available');
  const waits = [
    isReady ? readyRequeueMs : waitingRequeueMs,
    againMs,
    pass.upkeep.progress.nextMs(pass.now),
    pass.upkeep.outlook.nextLookMs(),
    isConditionFalse(all, 'ReconciliationActive') ? pauseLeftMs(pass.hcp, pass.now) : undefined,
    ...[...outcomes.values()].map((one) => ('requeueAfterMs' in one ? one.requeueAfterMs : undefined)),
  ].filter((wait) => wait !== undefined);
  return { requeueAfterMs: Math.min(...waits) };
}
