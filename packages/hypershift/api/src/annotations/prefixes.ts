import type { AnnotationPrefixFacts } from './annotation-facts.ts';

/** Families of annotations, told apart by what follows the prefix. */
export const annotationPrefixes = {
  resourceRequestOverride: {
    prefix: 'resource-request-override.hypershift.openshift.io/',
    suffix: '<deployment>.<container>',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Requests of one container, such as memory=3Gi,cpu=2000m.',
  },
  idpOverrides: {
    prefix: 'idpoverrides.hypershift.openshift.io/',
    suffix: '<identity provider>',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Addresses of one identity provider.',
  },
  referencedResource: {
    prefix: 'referenced-resource.hypershift.openshift.io/',
    suffix: '<hosted cluster>',
    on: ['Secret', 'ConfigMap'],
    meaning:
      'Written by the operator: the object is an input of that HostedCluster, so changes of it reconcile the cluster.',
  },
} as const satisfies { readonly [name: string]: AnnotationPrefixFacts };
