import type { Step } from '@hypershift-ts/kube-controller';
import type { Pass } from '../pass.ts';
import { certificates } from './certificates.ts';
import { components } from './components.ts';
import { defaultServiceAccount } from './default-service-account.ts';
import { identityProviders } from './identity-providers.ts';
import { ignitionConfiguration } from './ignition-configuration.ts';
import { infrastructure } from './infrastructure.ts';
import { kubeadminPassword } from './kubeadmin-password.ts';
import { machineConfigServer } from './machine-config-server.ts';
import { routeAdmission } from './route-admission.ts';
import { unmanagedEtcd } from './unmanaged-etcd.ts';

/** What is done for a control plane, in order. */
export const updateSteps: readonly Step<Pass>[] = [
  infrastructure,
  defaultServiceAccount,
  certificates,
  unmanagedEtcd,
  routeAdmission,
  ignitionConfiguration,
  machineConfigServer,
  kubeadminPassword,
  identityProviders,
  components,
];
