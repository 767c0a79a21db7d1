import { controlPlaneComponents } from '@hypershift-ts/hypershift-api';
import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Component } from './component.ts';
import type { ControlPlaneContext, ManagementCluster } from './context.ts';
import { type ComponentOutcome, type ComponentWriter, reconcileComponent } from './reconcile.ts';
import { workloadTypes } from './workload.ts';

/**
 * Reconciles every component. Each looks at the reported state of its dependencies only, so all can run at once; a
 * failing one is in the outcomes and stops nobody.
 */
export async function reconcileComponents(
  components: readonly Component[],
  context: ControlPlaneContext,
  writer: ComponentWriter,
  parallel = 8,
): Promise<readonly ComponentOutcome[]> {
  const outcomes: ComponentOutcome[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < components.length; index = next++) {
      outcomes[index] = await reconcileComponent(components[index]!, context, writer);
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, components.length) }, work));
  return outcomes;
}

/** Every type the components read or write, so that a controller can watch them and cachedLookup can answer. */
export function watchedTypes(
  components: readonly Component[],
  management: ManagementCluster,
): readonly ResourceType<KubeObject>[] {
  const types: ResourceType<KubeObject>[] = [
    controlPlaneComponents,
    corev1.secrets,
    corev1.configmaps,
    corev1.services,
    ...Object.values(workloadTypes),
    ...components.flatMap(({ manifests }) => manifests.map(({ type }) => type)),
  ];
  return [...new Set(types)].filter((type) => management.serves(type));
}
