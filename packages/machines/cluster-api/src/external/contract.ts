import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { findCondition, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { State } from '../conditions/v1beta1.ts';
import type { MachineStatusAddress as Address } from '../generated/capiv1beta1.ts';

/** What providers say in the fields their contract with Cluster API names, in its v1beta1 or v1beta2 form. */

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

type Fields = { readonly [name: string]: unknown };

const fieldsOf = (value: unknown): Fields => (isJsonObject(value) ? value : {});
const specOf = (object: UnstructuredObject): Fields => fieldsOf(object['spec']);
const statusOf = (object: UnstructuredObject): Fields => fieldsOf(object['status']);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The Ready condition of the provider's object, if it has one that can be read. */
export function readyOf(object: UnstructuredObject): State | undefined {
  const { conditions } = statusOf(object);
  if (!Array.isArray(conditions)) return undefined;
  const found = findCondition<Fields & { readonly type: string }>(conditions.filter(isCondition), 'Ready');
  if (!found) return undefined;
  const { status, reason, severity, message } = found;
  return {
    type: 'Ready',
    status: text(status),
    ...(text(reason) ? { reason: text(reason) } : {}),
    ...(text(severity) ? { severity: text(severity) } : {}),
    ...(text(message) ? { message: text(message) } : {}),
  };
}

function isCondition(value: unknown): value is Fields & { readonly type: string } {
  return isJsonObject(value) && typeof value['type'] === 'string' && typeof value['status'] === 'string';
}

/** Provisioned: `status.initialization.provisioned` or, of the older contract, `status.ready`. */
export function isProvisioned(object: UnstructuredObject): boolean {
  const status = statusOf(object);
  return fieldsOf(status['initialization'])['provisioned'] === true || status['ready'] === true;
}

export interface InfraMachineFacts {
  readonly provisioned: boolean;
  readonly providerID: string;
  readonly addresses: readonly Address[];
  readonly failureDomain: string;
  readonly interruptible: boolean;
  readonly failureReason: string;
  readonly failureMessage: string;
  readonly ready: State | undefined;
}

export function infraMachineFacts(object: UnstructuredObject): InfraMachineFacts {
  const spec = specOf(object);
  const status = statusOf(object);
  const { addresses } = status;
  return {
    provisioned: isProvisioned(object),
    providerID: text(spec['providerID']),
    addresses: Array.isArray(addresses) ? addresses.filter(isAddress).map(plainAddress) : [],
    failureDomain: text(status['failureDomain']) || text(spec['failureDomain']),
    interruptible: status['interruptible'] === true,
    failureReason: text(status['failureReason']),
    failureMessage: text(status['failureMessage']),
    ready: readyOf(object),
  };
}

const addressTypes: readonly string[] = ['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS'];

function isAddress(value: unknown): value is Address {
  return (
    isJsonObject(value) &&
    typeof value['address'] === 'string' &&
    /^.{1,256}$/.test(value['address']) &&
    addressTypes.includes(value['type'] as string)
  );
}

const plainAddress = ({ type, address }: Address): Address => ({ type, address });

export interface BootstrapFacts {
  readonly ready: boolean;
  readonly dataSecretName: string;
  readonly condition: State | undefined;
}

export function bootstrapFacts(object: UnstructuredObject): BootstrapFacts {
  const status = statusOf(object);
  const created = fieldsOf(status['initialization'])['dataSecretCreated'] === true;
  return {
    ready: created || status['ready'] === true,
    dataSecretName: text(status['dataSecretName']),
    condition: readyOf(object),
  };
}

export interface ControlPlaneFacts {
  readonly ready: boolean;
  readonly initialized: boolean;
  /** The control plane does not run on Machines of this cluster, so the last worker may be drained too. */
  readonly externallyManaged: boolean;
  readonly endpoint: Endpoint | undefined;
  readonly condition: State | undefined;
  readonly deleting: boolean;
}

export function controlPlaneFacts(object: UnstructuredObject): ControlPlaneFacts {
  const status = statusOf(object);
  const initialization = fieldsOf(status['initialization']);
  return {
    ready: status['ready'] === true || initialization['controlPlaneInitialized'] === true,
    initialized: status['initialized'] === true || initialization['controlPlaneInitialized'] === true,
    externallyManaged: status['externalManagedControlPlane'] === true,
    endpoint: endpointOf(object),
    condition: readyOf(object),
    deleting: object.metadata.deletionTimestamp !== undefined,
  };
}

/** `spec.controlPlaneEndpoint` of an infrastructure cluster or a control plane, once it is complete. */
export function endpointOf(object: UnstructuredObject): Endpoint | undefined {
  const { host, port } = fieldsOf(specOf(object)['controlPlaneEndpoint']);
  return text(host) !== '' && typeof port === 'number' && port > 0 ? { host: text(host), port } : undefined;
}

/** `status.failureReason` and `failureMessage`, for kinds of the older contract. */
export function failureOf(object: UnstructuredObject): { readonly reason: string; readonly message: string } {
  const status = statusOf(object);
  return { reason: text(status['failureReason']), message: text(status['failureMessage']) };
}

/** `spec.template` of a template kind. */
export function templateOf(object: UnstructuredObject): {
  readonly labels: { readonly [key: string]: string };
  readonly annotations: { readonly [key: string]: string };
  readonly spec: Fields;
} {
  const template = fieldsOf(specOf(object)['template']);
  const metadata = fieldsOf(template['metadata']);
  return {
    labels: fieldsOf(metadata['labels']) as { [key: string]: string },
    annotations: fieldsOf(metadata['annotations']) as { [key: string]: string },
    spec: fieldsOf(template['spec']),
  };
}
