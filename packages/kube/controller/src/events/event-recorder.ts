import type { KubeObject } from '@hypershift-ts/kube-apimachinery';

/** Tells humans what happened to an object. Never throws, never blocks, drops rather than floods. */
export interface EventRecorder {
  normal(about: KubeObject, reason: string, message: string): void;
  warning(about: KubeObject, reason: string, message: string): void;
  /** The object is gone: nothing more will be said about it. */
  forget?(about: KubeObject): void;
}
