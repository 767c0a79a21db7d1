import type { Draft } from '../behaviour.ts';
import { child, setDefault } from '../defaulting.ts';
import { canonicalResources } from './resources/canonical.ts';

/** Fills in a PersistentVolumeClaim's spec, also where it is embedded as a template. */
export function defaultClaimSpec(spec: Draft): void {
  setDefault(spec, 'volumeMode', 'Filesystem');
  canonicalResources(child(spec, 'resources'));
}
