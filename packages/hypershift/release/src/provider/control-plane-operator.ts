import { type CpoCapabilities, cpoCapabilities, parseImageLabels } from '../payload/capabilities.ts';
import type { ReleaseImage } from '../release-image.ts';
import type { LookupOptions, ReleaseProvider } from './provider.ts';

export const cpoImageAnnotation = 'hypershift.openshift.io/control-plane-operator-image';
export const cpoImageLabelsAnnotation = 'hypershift.openshift.io/control-plane-operator-image-labels';

export interface CpoFacts {
  /** The control plane's release: controlPlaneRelease, else release. */
  readonly release: ReleaseImage;
  readonly annotations: Readonly<Record<string, string>> | undefined;
  /** By platform and version, where an operator was given such a table. */
  readonly overrideImage?: string | undefined;
  /** The hypershift-operator's own image, for payloads without one. */
  readonly operatorImage: string;
}

/** The control-plane-operator image of a cluster: annotation, override table, payload, the operator's own. */
export function cpoImageFor({ release, annotations, overrideImage, operatorImage }: CpoFacts): string {
  return annotations?.[cpoImageAnnotation] ?? (overrideImage || release.components.get('hypershift') || operatorImage);
}

export interface ControlPlaneOperator {
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly capabilities: CpoCapabilities;
}

/** The image and what it can do; labels come from the annotation where given, else from the image itself. */
export async function resolveControlPlaneOperator(
  provider: ReleaseProvider,
  facts: CpoFacts & { readonly hostedCluster: string },
  options: LookupOptions = {},
): Promise<ControlPlaneOperator> {
  const image = cpoImageFor(facts);
  const annotated = facts.annotations?.[cpoImageLabelsAnnotation];
  const labels =
    annotated === undefined
      ? (await provider.imageMetadata(image, options)).labels
      : parseImageLabels(annotated, facts.hostedCluster);
  return { image, labels, capabilities: cpoCapabilities(labels) };
}
