import { type FieldError, formatFieldError } from '@hypershift-ts/kube-apimachinery';
import type { ConditionReason } from '../conditions/index.ts';

/** What a validation condition says; the writer adds generation and time. */
export interface ValidationVerdict {
  readonly status: 'True' | 'False';
  readonly reason: ConditionReason;
  readonly message: string;
}

/** Many errors in one line, as Kubernetes joins them. */
export function joinedErrors(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(formatFieldError))];
  return texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`;
}

/** The ValidConfiguration condition of a HostedCluster. */
export function validConfiguration(errors: readonly FieldError[]): ValidationVerdict {
  return errors.length === 0
    ? { status: 'True', reason: 'AsExpected', message: 'Configuration passes validation' }
    : { status: 'False', reason: 'InvalidConfiguration', message: joinedErrors(errors) };
}

/** The ValidPlatformConfig condition of a NodePool. */
export function validPlatformConfig(errors: readonly FieldError[]): ValidationVerdict {
  return errors.length === 0
    ? { status: 'True', reason: 'AsExpected', message: 'All is well' }
    : { status: 'False', reason: 'ValidationFailed', message: joinedErrors(errors) };
}
