import type { OwnerReference, ResourceType, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';
import { annotations, labels } from '../keys.ts';
import { templateOf } from './contract.ts';
import type { ObjectRef } from './resource-types.ts';

interface Labelled {
  readonly labels: { readonly [key: string]: string };
  readonly annotations: { readonly [key: string]: string };
}

/** `AWSMachineTemplate` makes `AWSMachine`s. */
export function clonedKindOf(templateKind: string): string {
  return templateKind.replace(/Template$/, '');
}

/** The provider's object that a template and a Machine's metadata ask for. */
export function cloneOf(
  template: UnstructuredObject,
  type: ResourceType,
  name: string,
  clusterName: string,
  machine: Labelled,
  owner: OwnerReference,
): NewObject<UnstructuredObject> {
  const { spec, ...metadata } = templateOf(template);
  const group = template.apiVersion.split('/')[0];
  return {
    metadata: {
      name,
      namespace: template.metadata.namespace ?? '',
      labels: { ...metadata.labels, ...machine.labels, [labels.clusterName]: clusterName },
      annotations: {
        ...metadata.annotations,
        ...machine.annotations,
        [annotations.clonedFromName]: template.metadata.name ?? '',
        [annotations.clonedFromGroupKind]: `${template.kind}.${group}`,
      },
      ownerReferences: [owner],
    },
    apiVersion: template.apiVersion,
    kind: type.kind,
    spec,
  };
}

export function refTo(type: ResourceType, namespace: string, name: string): ObjectRef & { readonly namespace: string } {
  return { apiVersion: `${type.group}/${type.version}`, kind: type.kind, namespace, name };
}
