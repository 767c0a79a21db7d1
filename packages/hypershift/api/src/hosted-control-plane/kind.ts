import { defineKind, resourceOf, type ManifestOf, type ObjectOf } from '../schema/index.ts';
import { hostedControlPlaneSpec } from './spec.ts';
import { hostedControlPlaneStatus } from './status.ts';

export const hostedControlPlane = defineKind({
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'HostedControlPlane',
  plural: 'hostedcontrolplanes',
  shortNames: ['hcp', 'hcps'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  description:
    'The control plane of one HostedCluster, in a namespace of its own. A controller makes it; do not create or edit it by hand.',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1' },
  statusSubresource: true,
  fields: {
    spec: hostedControlPlaneSpec.unenforced(),
    status: hostedControlPlaneStatus.optional(),
  },
});

/** A HostedControlPlane as an API server hands it out: defaults are filled in. */
export type HostedControlPlane = ObjectOf<typeof hostedControlPlane>;

/** A HostedControlPlane as a client may send it. */
export type HostedControlPlaneManifest = ManifestOf<typeof hostedControlPlane>;

export const hostedControlPlanes = resourceOf(hostedControlPlane);
