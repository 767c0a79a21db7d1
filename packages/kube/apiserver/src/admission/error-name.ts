import type { AdmissionRequest } from './admission.ts';

/** How a refusal names an object that may not have its name yet. */
export function nameForErrors({ name, object }: AdmissionRequest): string {
  if (name !== '') return name;
  const metadata = object?.['metadata'];
  return metadata?.generateName || metadata?.name || 'Unknown';
}
