import type { Step } from '@hypershift-ts/kube-controller';
import type { Pass } from '../pass.ts';
import { certificates } from './certificates.ts';
import { components } from './components.ts';
import { defaultServiceAccount } from './default-service-account.ts';
import { ignitionConfiguration } from './ignition-configuration.ts';
import { infrastructure } from './infrastructure.ts';
import { kubeadminPassword } from './kubeadmin-password.ts';

/** What is done for a control plane, in order. */
export const updateSteps: readonly Step<Pass>[] = [
  infrastructure,
  defaultServiceAccount,
  certificates,
  ignitionConfiguration,
  kubeadminPassword,
  components,
];
