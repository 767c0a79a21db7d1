import { jsonEqual, parseApiVersion } from '@hypershift-ts/kube-apimachinery';
import type { MachineDeployment, MachineSet, MachineSetSpecTemplate as Template } from '../generated/capiv1beta1.ts';

interface Ref {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
}

/** Versions of one kind are the same kind: an upgrade of a provider's API must not replace machines. */
function refParts(ref: Ref | undefined): object | undefined {
  return ref && { group: parseApiVersion(ref.apiVersion ?? '').group, kind: ref.kind, name: ref.name };
}

/** The parts of a template that machines are replaced for; everything else reaches them in place. */
export function rolloutFields({ spec }: Template): object {
  return {
    version: spec.version ?? '',
    failureDomain: spec.failureDomain ?? '',
    dataSecretName: spec.bootstrap.dataSecretName ?? '',
    configRef: refParts(spec.bootstrap.configRef) ?? null,
    infrastructureRef: refParts(spec.infrastructureRef) ?? null,
  };
}

function sameMachines(a: Template, b: Template): boolean {
  return a === b || jsonEqual(rolloutFields(a), rolloutFields(b));
}

/** What machines of the set have that their deployment does not want any more, for people; empty when nothing. */
export function differencesFrom(deployment: MachineDeployment, set: MachineSet, nowMs: number): readonly string[] {
  if (isRolledOut(deployment, set, nowMs)) return [];
  const wanted = deployment.spec.template.spec;
  const current = set.spec.template?.spec;
  if (!current || sameMachines(deployment.spec.template, set.spec.template)) {
    return ['MachineDeployment spec.rolloutAfter expired'];
  }
  const { configRef, dataSecretName = 'nil' } = current.bootstrap;
  const sameRef = (a: Ref | undefined, b: Ref | undefined) => jsonEqual(refParts(a) ?? null, refParts(b) ?? null);
  const outdated = (ref: Ref) => `${(ref.kind ?? '').replace(/Template$/, '')} is not up-to-date`;
  const sameBootstrap =
    sameRef(configRef, wanted.bootstrap.configRef) && dataSecretName === (wanted.bootstrap.dataSecretName ?? 'nil');
  return [
    ...((current.version ?? '') === (wanted.version ?? '')
      ? []
      : [`Version ${current.version ?? ''}, ${wanted.version ?? ''} required`]),
    ...(sameBootstrap
      ? []
      : [
          configRef
            ? outdated(configRef)
            : `spec.bootstrap.dataSecretName ${dataSecretName}, ${wanted.bootstrap.dataSecretName ?? 'nil'} required`,
        ]),
    ...(sameRef(current.infrastructureRef, wanted.infrastructureRef) ? [] : [outdated(current.infrastructureRef)]),
    ...((current.failureDomain ?? '') === (wanted.failureDomain ?? '')
      ? []
      : [`Failure domain ${current.failureDomain ?? ''}, ${wanted.failureDomain ?? ''} required`]),
  ];
}

/**
 * The set makes the machines that its deployment wants now. Once `rolloutAfter` has passed, only sets made since then do.
 */
export function isRolledOut(deployment: MachineDeployment, set: MachineSet, nowMs: number): boolean {
  const { template, rolloutAfter } = deployment.spec;
  if (!set.spec.template || !sameMachines(template, set.spec.template)) return false;
  const after = rolloutAfter ? Date.parse(rolloutAfter) : Number.NaN;
  return !(after <= nowMs) || !(Date.parse(set.metadata.creationTimestamp ?? '') < after);
}
