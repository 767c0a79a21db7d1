import type { Controller } from '@hypershift-ts/kube-controller';
import { deploymentController } from '../deployment/deployment-controller.ts';
import type { ServedTypes } from '../discovery/served-types.ts';
import { namespaceController } from '../namespace/namespace-controller.ts';
import { replicaSetController, replicationControllerController } from '../replicaset/replica-controller.ts';
import { rootCaPublisher } from '../service-account/root-ca-publisher.ts';
import { serviceAccountController } from '../service-account/service-account-controller.ts';

/** What some controllers need from outside; a controller whose input is absent does not run. */
export interface ControllerInputs {
  /** PEM bundle that `kube-root-ca.crt` publishes in every namespace. */
  readonly rootCa?: string;
}

export const garbageCollectorName = 'garbage-collector-controller';

/** Every controller that can run with these inputs. */
export function controllersFor(inputs: ControllerInputs, served: ServedTypes): readonly Controller[] {
  return [
    namespaceController(served),
    serviceAccountController,
    ...(inputs.rootCa ? [rootCaPublisher(inputs.rootCa)] : []),
    replicaSetController,
    replicationControllerController,
    deploymentController,
  ];
}

/** The service account in kube-system that each controller's permissions are bound to, by controller name. */
export const serviceAccountOf: { readonly [controllerName: string]: string } = {
  'garbage-collector-controller': 'generic-garbage-collector',
  'namespace-controller': 'namespace-controller',
  'serviceaccount-controller': 'service-account-controller',
  'root-ca-certificate-publisher-controller': 'root-ca-cert-publisher',
  'replicaset-controller': 'replicaset-controller',
  'replicationcontroller-controller': 'replication-controller',
  'deployment-controller': 'deployment-controller',
};

/** The names that `--controllers` understands. */
export const controllerNames: readonly string[] = Object.keys(serviceAccountOf);
