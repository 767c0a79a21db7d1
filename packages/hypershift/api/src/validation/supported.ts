/** Whether this operator, as it is installed, can run a cluster. */
import { type FieldError, fieldError } from '@hypershift-ts/kube-apimachinery';
import type { HostedCluster } from '../hosted-cluster/index.ts';

/** How the operator was installed. */
export interface OperatorFacts {
  readonly awsRegion?: string;
  readonly hasAWSCredentials?: boolean;
}

/** Why SupportedHostedCluster is False; empty when it is True. */
export function unsupportedFields({ spec }: HostedCluster, operator: OperatorFacts): readonly FieldError[] {
  if (spec?.platform?.type !== 'AWS') return [];
  const access = spec.platform.aws?.endpointAccess ?? 'Public';
  if (access === 'Public') return [];
  const field = 'spec.platform.aws.endpointAccess';
  if (!operator.awsRegion || !operator.hasAWSCredentials)
    return [fieldError.forbidden(field, `${access} needs an operator installed with an AWS region and credentials`)];
  const region = spec.platform.aws?.region;
  return region === operator.awsRegion
    ? []
    : [
        fieldError.invalid(
          'spec.platform.aws.region',
          region,
          `must be ${operator.awsRegion}, the region of the operator, when endpointAccess is ${access}`,
        ),
      ];
}
