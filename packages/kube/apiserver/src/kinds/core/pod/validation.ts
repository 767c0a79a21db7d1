import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import { isIP } from 'node:net';
import type { Draft } from '../../behaviour.ts';
import { required } from '../../rules/checks.ts';
import { isEmpty, isSet, listOf, numberOf, specOf, statusOf, textOf } from '../../values.ts';
import { validatePodSpec } from '../pod-spec/validation.ts';
import { semanticEqual } from '../../rules/semantic-equality.ts';

export function validatePod(pod: UnstructuredObject): readonly FieldError[] {
  const spec = specOf(pod);
  const errors = validatePodSpec(spec, 'spec');
  // Only an object that was never stored has no resourceVersion.
  if (pod.metadata.resourceVersion === undefined && listOf(spec['ephemeralContainers']).length > 0)
    errors.push(fieldError.forbidden('spec.ephemeralContainers', 'cannot be set on create'));
  if (!isEmpty(spec['nodeName']) && listOf(spec['schedulingGates']).length > 0)
    errors.push(fieldError.forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  return errors;
}

const updatable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

/** A pod is what its node already runs: little of its spec can change. */
export function validatePodUpdate(pod: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(pod);
  const before = specOf(old);
  for (const list of ['containers', 'initContainers']) {
    const now = listOf(spec[list]);
    const then = listOf(before[list]);
    if (now.length !== then.length) {
      errors.push(fieldError.forbidden(`spec.${list}`, 'pod updates may not add or remove containers'));
      return errors;
    }
    now.forEach((container, index) => required(errors, `spec.${list}[${index}].image`, container['image']));
  }
  if (!validateDeadline(errors, spec['activeDeadlineSeconds'], before['activeDeadlineSeconds'])) return errors;
  validateTolerationsAdded(errors, listOf(spec['tolerations']), listOf(before['tolerations']));
  const gates = new Set(listOf(before['schedulingGates']).map((gate) => gate['name']));
  listOf(spec['schedulingGates']).forEach((gate, index) => {
    if (!gates.has(gate['name']))
      errors.push(
        fieldError.forbidden(
          `spec.schedulingGates[${index}].name`,
          `only deletion is allowed, but found new scheduling gate '${gate['name']}'`,
        ),
      );
  });
  const changed = changedFields(asUpdatable(spec, before), before);
  if (changed.length > 0)
    errors.push(
      fieldError.forbidden(
        'spec',
        `pod updates may not change fields other than ${updatable}\n${changed.map((key) => `  spec.${key}`).join('\n')}\n`,
      ),
    );
  return errors;
}

function validateDeadline(errors: FieldError[], now: unknown, before: unknown): boolean {
  const field = 'spec.activeDeadlineSeconds';
  if (typeof now === 'number') {
    if (now < 0 || now > 2_147_483_647) {
      errors.push(fieldError.invalid(field, now, 'must be between 0 and 2147483647, inclusive'));
      return false;
    }
    if (typeof before === 'number' && before < now) {
      errors.push(fieldError.invalid(field, now, 'must be less than or equal to previous value'));
      return false;
    }
  } else if (isSet(before))
    errors.push(fieldError.invalid(field, undefined, 'must not update from a positive integer to nil value'));
  return true;
}

function validateTolerationsAdded(errors: FieldError[], now: readonly Draft[], before: readonly Draft[]): void {
  const bare = ({ tolerationSeconds: _seconds, ...rest }: Draft) => rest;
  for (const old of before)
    if (!now.some((toleration) => semanticEqual(bare(toleration), bare(old)))) {
      errors.push(
        fieldError.forbidden(
          'spec.tolerations',
          'existing toleration can not be modified except its tolerationSeconds',
        ),
      );
      return;
    }
}

/** The new spec with everything that may change put back to what it was. */
function asUpdatable(spec: Draft, before: Draft): Draft {
  const images = (list: string) =>
    listOf(spec[list]).map((container, index) => ({ ...container, image: listOf(before[list])[index]?.['image'] }));
  const result: Draft = { ...spec };
  for (const list of ['containers', 'initContainers']) if (isSet(spec[list])) result[list] = images(list);
  for (const key of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations']) result[key] = before[key];
  if (numberOf(before['terminationGracePeriodSeconds']) < 0 && spec['terminationGracePeriodSeconds'] === 1)
    result['terminationGracePeriodSeconds'] = before['terminationGracePeriodSeconds'];
  // Gated pods may be narrowed to fewer nodes before they are let go.
  if (listOf(before['schedulingGates']).length > 0)
    for (const key of ['nodeSelector', 'affinity']) result[key] = before[key];
  return result;
}

function changedFields(spec: Draft, before: Draft): string[] {
  const keys = new Set([...Object.keys(spec), ...Object.keys(before)]);
  return [...keys].filter((key) => !semanticEqual(spec[key] ?? undefined, before[key] ?? undefined)).sort();
}

/** Status reports may not contradict each other. */
export function validatePodStatus(pod: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const status = statusOf(pod);
  for (const [single, list] of [
    ['podIP', 'podIPs'],
    ['hostIP', 'hostIPs'],
  ] as const) {
    listOf(status[list]).forEach((entry, index) => {
      const ip = textOf(entry['ip']);
      if (isIP(ip) === 0)
        errors.push(
          fieldError.invalid(
            `status.${list}[${index}]`,
            ip,
            'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
          ),
        );
    });
    const first = listOf(status[list])[0]?.['ip'];
    if (first !== undefined && !isEmpty(status[single]) && first !== status[single])
      errors.push(fieldError.invalid(`status.${list}[0].ip`, first, `must be equal to \`${single}\``));
  }
  return errors;
}
