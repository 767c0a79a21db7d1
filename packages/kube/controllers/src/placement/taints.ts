import type { corev1 } from '@hypershift-ts/kube-apimachinery';

type Taint = corev1.Taint;
type Toleration = corev1.Toleration;

export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === 'Exists') return true;
  if ((toleration.operator ?? 'Equal') !== 'Equal' || !toleration.key) return false;
  return (toleration.value ?? '') === (taint.value ?? '');
}

/** The first taint with one of these effects that no toleration covers. */
export function untoleratedTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effects: readonly string[],
): Taint | undefined {
  return taints?.find(
    (taint) =>
      effects.includes(taint.effect) && !(tolerations ?? []).some((toleration) => tolerates(toleration, taint)),
  );
}
