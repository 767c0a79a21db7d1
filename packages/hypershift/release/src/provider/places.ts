import { applyRegistryOverrides, candidatesFor } from '../image/overrides.ts';
import type { LookupOptions } from './provider.ts';

/** Where to look for an image, in order: its mirrors, then itself, each with registry overrides applied. */
export function placesOf(image: string, { imageMirrors, registryOverrides }: LookupOptions): readonly string[] {
  return candidatesFor(image, imageMirrors).map((one) => applyRegistryOverrides(one, registryOverrides));
}
