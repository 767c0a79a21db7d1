import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { Platform } from '@hypershift-ts/hypershift-platforms';
import type { ReleaseImage } from '@hypershift-ts/hypershift-release';
import type { corev1, KubeObject, ObjectKey, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { GuestObject } from '../guest/guest-object.ts';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Everything the wanted state of a hosted cluster follows from; read once for a whole pass. */
export interface GuestInputs {
  readonly hcp: HostedControlPlane;
  readonly platform: Platform;
  /** The release the hosted cluster's own parts run. */
  readonly release: ReleaseImage;
  /** Published address of the konnectivity server. */
  readonly konnectivity: Endpoint | undefined;
  /** Published address of the OAuth server. */
  readonly oauth: Endpoint | undefined;
  /** Objects in the namespace of the control plane. */
  readonly secret: (name: string) => corev1.Secret | undefined;
  readonly configMap: (name: string) => corev1.ConfigMap | undefined;
  readonly service: (name: string) => corev1.Service | undefined;
  readonly configMaps: () => readonly corev1.ConfigMap[];
  /** Objects of the hosted cluster that the operator keeps, as last seen. */
  readonly seen: <T extends KubeObject>(type: ResourceType<T>, key: ObjectKey) => T | undefined;
  readonly seenAll: <T extends KubeObject>(type: ResourceType<T>) => readonly T[];
  readonly randomBytes: (size: number) => Uint8Array;
}

/** A named part of what the operator keeps in a hosted cluster. */
export interface ResourceGroup {
  readonly name: string;
  /** Throws when something is missing; the other groups go on. */
  readonly objects: (inputs: GuestInputs) => readonly GuestObject[];
}
