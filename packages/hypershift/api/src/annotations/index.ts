/** Annotations of HyperShift: keys, what carries them, what they mean. */
import { bookkeepingAnnotations } from './bookkeeping.ts';
import { imageAnnotations } from './images.ts';
import { lifeCycleAnnotations } from './life-cycle.ts';
import { annotationPrefixes } from './prefixes.ts';
import { tuningAnnotations } from './tuning.ts';

export type { AnnotationFacts, AnnotationPrefixFacts } from './annotation-facts.ts';
export { annotationPrefixes, bookkeepingAnnotations, imageAnnotations, lifeCycleAnnotations, tuningAnnotations };

/** Every annotation by its name in code: `annotations.restartDate.key`. */
export const annotations = {
  ...lifeCycleAnnotations,
  ...tuningAnnotations,
  ...imageAnnotations,
  ...bookkeepingAnnotations,
};

const mirroredKeys: ReadonlySet<string> = new Set(
  Object.values(annotations)
    .filter((facts) => 'mirrored' in facts)
    .map(({ key }) => key),
);
const mirroredPrefixes = Object.values(annotationPrefixes)
  .filter((facts) => 'mirrored' in facts)
  .map(({ prefix }) => prefix);

/** Whether an annotation of a HostedCluster is copied to its HostedControlPlane. */
export function isMirroredAnnotation(key: string): boolean {
  return mirroredKeys.has(key) || mirroredPrefixes.some((prefix) => key.startsWith(prefix));
}
