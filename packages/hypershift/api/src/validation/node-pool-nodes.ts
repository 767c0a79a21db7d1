/** What the nodes of a pool carry. */
import { fieldError, isLabelValue, isQualifiedName } from '@hypershift-ts/kube-apimachinery';
import type { NodePoolCheck } from './facts.ts';

export const validateTaints: NodePoolCheck = ({ spec }) => {
  const seen = new Set<string>();
  return (spec.taints ?? []).flatMap(({ key, value, effect }, index) => {
    const field = `spec.taints[${index}]`;
    const identity = `${key}:${effect}`;
    const repeated = seen.has(identity);
    seen.add(identity);
    return [
      ...isQualifiedName(key).map((detail) => fieldError.invalid(`${field}.key`, key, detail)),
      ...isLabelValue(value ?? '').map((detail) => fieldError.invalid(`${field}.value`, value, detail)),
      ...(repeated ? [fieldError.duplicate(field, identity)] : []),
    ];
  });
};

export const validateNodeLabels: NodePoolCheck = ({ spec }) =>
  Object.entries(spec.nodeLabels ?? {}).flatMap(([key, value]) => [
    ...isQualifiedName(key).map((detail) => fieldError.invalid(`spec.nodeLabels[${key}]`, key, detail)),
    ...isLabelValue(value).map((detail) => fieldError.invalid(`spec.nodeLabels[${key}]`, value, detail)),
  ]);
