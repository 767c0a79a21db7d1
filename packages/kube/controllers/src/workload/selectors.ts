import type { LabelSelector, Selector } from '@hypershift-ts/kube-apimachinery';
import { compileLabelSelector, nothing } from '@hypershift-ts/kube-apimachinery';

const compiled = new WeakMap<object, Selector>();

/** The compiled selector, made once for each shared, frozen object it is written in. A bad one selects nothing. */
export function selectorFor(selector: LabelSelector | null | undefined): Selector {
  if (!selector) return nothing;
  let known = compiled.get(selector);
  if (!known) {
    try {
      known = compileLabelSelector(selector);
    } catch {
      known = nothing;
    }
    compiled.set(selector, known);
  }
  return known;
}
