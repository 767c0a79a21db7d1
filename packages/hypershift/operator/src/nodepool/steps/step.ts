import type { Step } from '@hypershift-ts/kube-controller';
import type { PoolScope } from '../scope.ts';

/** One step of a pool's reconcile. All are critical: each builds on what the ones before it found out. */
export type PoolStep = Step<PoolScope>;

export const step = (name: string, run: PoolStep['run']): PoolStep => ({ name, kind: 'critical', run });
