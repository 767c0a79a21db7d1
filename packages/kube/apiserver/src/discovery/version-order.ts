const pattern = /^v(\d{1,9})(?:(alpha|beta)(\d{1,9}))?$/;

/** 0 for names that are no Kubernetes version at all, which come last. */
const stability: { readonly [stage: string]: number } = { alpha: 1, beta: 2, ga: 3 };

/**
 * Kubernetes' order of versions, best first: v10, v2, v1, v2beta1, v1beta2, v1alpha1, and then whatever else, by
 * name.
 */
export function compareVersions(a: string, b: string): number {
  const left = parse(a);
  const right = parse(b);
  for (let i = 0; i < left.length; i++) {
    const difference = (right[i] ?? 0) - (left[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

function parse(version: string): readonly number[] {
  const match = pattern.exec(version);
  if (!match) return [0, 0, 0];
  return [stability[match[2] ?? 'ga'] ?? 0, Number(match[1]), Number(match[3] ?? 0)];
}
