import type { Words } from '../descriptions.ts';

export const metaDescriptions: { readonly [definition: string]: Words } = {
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': {
    '': 'What every stored object carries about itself.',
    annotations: 'Free notes for tools, as key and value; not usable in selectors.',
    creationTimestamp: 'When the server created the object. Set by the server.',
    deletionGracePeriodSeconds: 'How long a deletion may take before the object is removed. Set by the server.',
    deletionTimestamp:
      'When the object was asked to go away; it stays until its finalizers are gone. Set by the server.',
    finalizers: 'Names of controllers that must finish their work before the object can disappear.',
    generateName: 'Prefix from which the server makes a unique name when none is given.',
    generation: 'Counts changes of the desired state. Set by the server.',
    labels: 'Keys and values that selectors find the object by.',
    managedFields: 'Which client owns which fields. Kept by the server for server-side apply.',
    name: 'The name, unique for its kind within the namespace. Cannot change.',
    namespace: 'The namespace the object lives in. Cannot change; empty for cluster-wide kinds.',
    ownerReferences: 'Objects this one belongs to; when all of them are gone, it is collected.',
    resourceVersion: 'Changes on every write; send it back to detect that somebody else wrote in between.',
    selfLink: 'No longer filled in.',
    uid: 'Unique over time and space, unlike the name. Set by the server.',
  },
  'io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference': {
    '': 'Points from an object to one that it belongs to, in the same namespace or cluster-wide.',
    apiVersion: 'Group and version of the owner.',
    blockOwnerDeletion: 'Whether a foreground deletion of the owner waits for this object.',
    controller: 'Whether the owner is the one controller that manages this object.',
    kind: 'Kind of the owner.',
    name: 'Name of the owner.',
    uid: 'UID of the owner, so that a namesake is not taken for it.',
  },
  'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta': {
    '': 'What a list carries about itself.',
    continue: 'Send it back to get the next page.',
    remainingItemCount: 'About how many items are left after this page.',
    resourceVersion: 'The state of the server that the list shows; a watch may start from it.',
  },
  'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector': {
    '': 'Chooses objects by their labels; all its parts must match. An empty one matches everything.',
    matchExpressions: 'Requirements with operators such as In and Exists.',
    matchLabels: 'Labels that must be present with exactly these values.',
  },
  'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement': {
    key: 'The label.',
    operator: 'In, NotIn, Exists or DoesNotExist.',
    values: 'The values for In and NotIn.',
  },
  'io.k8s.apimachinery.pkg.apis.meta.v1.Condition': {
    '': 'One observed aspect of the state of an object.',
    lastTransitionTime: 'When the status last changed.',
    message: 'Details for people.',
    observedGeneration: 'The generation of the object that the condition was computed for.',
    reason: 'One word for programs that says why.',
    status: 'True, False or Unknown.',
    type: 'Which aspect it is.',
  },
};
