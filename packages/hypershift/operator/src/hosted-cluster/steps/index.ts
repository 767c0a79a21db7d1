/** Everything that is done for a cluster, in order. */
import { accessStep } from './access.ts';
import { credentialsStep, encryptionStep, otherCopiesStep, pullSecretStep, signingKeyStep } from './copies.ts';
import { coreChainStep } from './core-chain.ts';
import { monitoringStep } from './monitoring.ts';
import { namespaceStep } from './namespace.ts';
import { oidcStep } from './oidc.ts';
import { operatorsStep } from './operators.ts';
import { policiesStep } from './policies.ts';
import type { ClusterStep } from './step.ts';

export const hostedClusterSteps: readonly ClusterStep[] = [
  namespaceStep,
  credentialsStep,
  pullSecretStep,
  encryptionStep,
  otherCopiesStep,
  signingKeyStep,
  coreChainStep,
  accessStep,
  oidcStep,
  monitoringStep,
  operatorsStep,
  policiesStep,
];
