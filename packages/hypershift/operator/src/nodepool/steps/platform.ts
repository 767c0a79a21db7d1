/** Steps in which the platform has its say: its conditions and its machine template. */
import { annotations, type NodePoolConditionType } from '@hypershift-ts/hypershift-api';
import {
  type LiveSettings,
  type MachineCondition,
  type MachineScope,
  type MachineTemplate,
  PlatformNotReady,
} from '@hypershift-ts/hypershift-platforms';
import { findCondition, isNotFound, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import { createOrUpdate, done, type ReconcileContext, waiting } from '@hypershift-ts/kube-controller';
import { withFix } from '../checks.ts';
import { summarised } from '../machine-health.ts';
import { machineScope, makesMachines } from '../machines/machine-scope.ts';
import { deleteUnusedTemplates, ensureTemplate, templatesOf } from '../machines/template.ts';
import { fails, holds, type PoolVerdict } from '../report.ts';
import type { PoolScope } from '../scope.ts';
import { step } from './step.ts';

const notReadyRetryMs = 5000;

/** A condition of the provider's machines, for all of the pool; undefined while it has none. */
async function sharedCondition(
  { machines, namespace }: PoolScope,
  { machines: type, from, to, what }: MachineCondition,
  { client, signal }: ReconcileContext,
): Promise<PoolVerdict | undefined> {
  const names = new Set(machines.map(({ spec }) => spec.infrastructureRef.name));
  if (names.size === 0) return undefined;
  const { items } = await client.list(type, { namespace, signal });
  const own = items.filter(({ metadata }) => names.has(metadata.name));
  if (own.length === 0) return undefined;
  const complaints = own.flatMap(({ metadata, status }) => {
    const condition = findCondition(status?.conditions, from);
    return condition && condition.status !== 'True'
      ? [{ machine: metadata.name ?? '', reason: condition.reason || from, message: condition.message ?? '' }]
      : [];
  });
  return summarised(to as NodePoolConditionType, what, own.length, complaints);
}

/** Conditions that only the platform can tell, the boot image among them. */
export const platformConditions = step('platform-conditions', async (scope, context) => {
  const { report } = scope;
  const machines = makesMachines(scope);
  if (!machines) return done();
  const about = machineScope(scope);
  if (machines.machineCondition) {
    const verdict = await sharedCondition(scope, machines.machineCondition, context);
    if (verdict) report.say(verdict);
  }
  const platform = machines.status?.(scope.cluster);
  if (platform) report.set({ platform });
  const told = machines.conditions?.(about);
  for (const condition of told?.stated ?? []) report.say(condition as PoolVerdict);
  for (const type of told?.removed ?? []) report.drop(type as NodePoolConditionType);
  if (!machines.bootImage) return done();
  const type = 'ValidPlatformImage';
  try {
    const image = machines.bootImage(about);
    if (image) report.say(holds(type, image.message));
    else report.drop(type);
  } catch (error) {
    report.say(fails(type, 'ValidationFailed', withFix(error)));
    throw error;
  }
  return done();
});

/** Gives running machines what they get without being replaced, such as tags. */
async function updateLiveSettings(
  { machines, namespace }: PoolScope,
  settings: LiveSettings,
  about: MachineScope,
  { client, signal }: ReconcileContext,
): Promise<void> {
  const { machines: type } = settings;
  const names = new Set(machines.map((machine) => machine.spec.infrastructureRef.name));
  if (names.size === 0) return;
  const wanted = Object.entries(settings.spec(about));
  for (const { metadata, spec: live } of (await client.list(type, { namespace, signal })).items) {
    const body = wanted
      .filter(([member, value]) => !jsonEqual(live[member] ?? null, value ?? null))
      .map(([member, value]) => ({ op: 'add', path: `/spec/${member}`, value }));
    if (!names.has(metadata.name) || metadata.deletionTimestamp || body.length === 0) continue;
    await client.patch(type, { namespace, name: metadata.name ?? '' }, { type: 'json', body }, { signal });
  }
}

/** The template, in the provider's words; whatever else it needs comes first. */
export const machineTemplate = step('machine-template', async (scope, context) => {
  const { pool, report, found } = scope;
  const machines = makesMachines(scope);
  if (!machines) return done();
  const about = machineScope(scope);
  let existing: readonly MachineTemplate[] = [];
  try {
    for (const { type, object } of machines.objects?.(about) ?? []) {
      const key = { namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' };
      await createOrUpdate(context.client, type, key, object, { signal: context.signal });
    }
    const desired = machines.template(about);
    existing = await templatesOf(scope.key, scope.namespace, machines.templates, context);
    const { object, operation } = await ensureTemplate(scope, machines.templates, desired, existing, context);
    found.template = object;
    if (operation === 'updated' && machines.liveSettings)
      await updateLiveSettings(scope, machines.liveSettings, about, context);
  } catch (error) {
    if (error instanceof PlatformNotReady)
      return waiting('NotReady', error.message, { requeueAfterMs: notReadyRetryMs });
    const text = isNotFound(error)
      ? `${withFix(error)}; is the CRD of ${machines.templates.kind} installed? \`hypershift install\` does so for every platform it is told`
      : withFix(error);
    if (machines.invalidTemplateReason) report.say(fails('ValidMachineTemplate', machines.invalidTemplateReason, text));
    else report.say(fails('ValidPlatformConfig', 'ValidationFailed', text));
    throw error;
  }
  report.drop('ValidMachineTemplate');
  const name = found.template.metadata.name ?? '';
  const type = 'UpdatingPlatformMachineTemplate';
  const isUpdating = pool.metadata.annotations?.[annotations.nodePoolPlatformMachineTemplate.key] !== name;
  report.say(
    isUpdating
      ? holds(type, `platform machine template update in progress. Target template: ${name}`)
      : fails(type, 'AsExpected', ''),
  );
  await deleteUnusedTemplates(scope, machines.templates, name, existing, context);
  return done();
});
