import type { KubeObject, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { GENERATION_ANNOTATION } from '../dialect/index.ts';
import type { ApplyOutcome } from './transport.ts';

/** The generation that an object was made for; 0 when it does not say. */
export function generationOf(object: Pick<KubeObject, 'metadata'> | undefined): number {
  const text = object?.metadata?.annotations?.[GENERATION_ANNOTATION];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** What to do about an object: its generation decides, in whichever direction it moved. */
export function nextOperation(
  desired: UnstructuredObject,
  existing: UnstructuredObject | undefined,
  recreateOnChange = false,
): ApplyOutcome {
  if (!existing) return { operation: 'create', reason: 'resource not found' };
  const [wanted, present] = [generationOf(desired), generationOf(existing)];
  if (wanted === present) return { operation: 'skip', reason: `generation ${present} unchanged` };
  const reason = `generation changed ${present}->${wanted}`;
  return { operation: recreateOnChange ? 'recreate' : 'update', reason };
}

/** The one of the highest generation; of several, the first by name. */
export function newestOf(objects: readonly UnstructuredObject[]): UnstructuredObject | undefined {
  return objects.toSorted((a, b) => {
    const byGeneration = generationOf(b) - generationOf(a);
    if (byGeneration !== 0) return byGeneration;
    return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
  })[0];
}
