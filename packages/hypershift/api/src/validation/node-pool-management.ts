/** How the machines of a pool are updated. */
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import type { NodePoolCheck } from './facts.ts';

const percent = /^\d{1,3}%$/;

function badAmount(value: number | string | undefined): boolean {
  if (value === undefined) return false;
  return typeof value === 'number' ? value < 0 : !percent.test(value) || Number.parseInt(value, 10) > 100;
}

const amount = 'must be a number of at least 0 or a percentage up to 100%';

export const validateUpdateManagement: NodePoolCheck = ({ spec }) => {
  const { upgradeType, replace, inPlace } = spec.management;
  const field = 'spec.management';
  if (upgradeType === 'InPlace')
    return badAmount(inPlace?.maxUnavailable)
      ? [fieldError.invalid(`${field}.inPlace.maxUnavailable`, inPlace?.maxUnavailable, amount)]
      : [];
  if (!replace) return [fieldError.required(`${field}.replace`, 'upgradeType is Replace')];
  if (!replace.strategy) return [fieldError.required(`${field}.replace.strategy`, 'must be RollingUpdate or OnDelete')];
  if (replace.strategy === 'OnDelete') return [];
  const rolling = replace.rollingUpdate;
  if (!rolling) return [fieldError.required(`${field}.replace.rollingUpdate`, 'strategy is RollingUpdate')];
  return (['maxSurge', 'maxUnavailable'] as const).flatMap((name) =>
    badAmount(rolling[name])
      ? [fieldError.invalid(`${field}.replace.rollingUpdate.${name}`, rolling[name], amount)]
      : [],
  );
};
