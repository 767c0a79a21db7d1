import type { corev1 } from '@hypershift-ts/kube-apimachinery';

type Node = corev1.Node;
type Requirement = corev1.NodeSelectorRequirement;
type Term = corev1.NodeSelectorTerm;

function meets({ operator, values = [] }: Requirement, actual: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return actual !== undefined && values.includes(actual);
    case 'NotIn':
      return actual === undefined || !values.includes(actual);
    case 'Exists':
      return actual !== undefined;
    case 'DoesNotExist':
      return actual === undefined;
    case 'Gt':
    case 'Lt': {
      const limit = Number(values[0]);
      const number = actual !== undefined && /^-?\d+$/.test(actual) ? Number(actual) : Number.NaN;
      return operator === 'Gt' ? number > limit : number < limit;
    }
    default:
      return false;
  }
}

/** One term: all its requirements hold. An empty term selects nothing. */
export function matchesTerm({ matchExpressions, matchFields }: Term, node: Node): boolean {
  if (!matchExpressions?.length && !matchFields?.length) return false;
  return (
    (matchExpressions ?? []).every((one) => meets(one, node.metadata.labels?.[one.key])) &&
    (matchFields ?? []).every((one) => meets(one, one.key === 'metadata.name' ? node.metadata.name : undefined))
  );
}

export function matchesNodeSelector(selector: corev1.NodeSelector | undefined, node: Node): boolean {
  return !selector || selector.nodeSelectorTerms.some((term) => matchesTerm(term, node));
}

/** `spec.nodeSelector` and required node affinity together. */
export function matchesNode(spec: corev1.PodSpec, node: Node): boolean {
  for (const [key, value] of Object.entries(spec.nodeSelector ?? {})) {
    if (node.metadata.labels?.[key] !== value) return false;
  }
  return matchesNodeSelector(spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution, node);
}
