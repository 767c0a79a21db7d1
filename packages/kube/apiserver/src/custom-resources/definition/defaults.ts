import type { Draft } from '../../kinds/behaviour.ts';

/** Fills in what a CustomResourceDefinition may leave out. Edits the draft. */
export function defaultDefinition(draft: Draft): void {
  const spec = draft['spec'];
  if (typeof spec !== 'object' || spec === null) return;
  const names = spec.names;
  if (typeof names === 'object' && names !== null) {
    const kind = typeof names.kind === 'string' ? names.kind : '';
    if (!names.singular && kind !== '') names.singular = kind.toLowerCase();
    if (!names.listKind && kind !== '') names.listKind = `${kind}List`;
  }
  spec.conversion ??= { strategy: 'None' };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service) service.port ??= 443;
}

/** A new definition starts with an empty status and its storage version on record. Edits the draft. */
export function prepareDefinitionForCreate(draft: Draft): void {
  draft['status'] = { conditions: [], acceptedNames: { plural: '', kind: '' }, storedVersions: storageVersions(draft) };
}

/** Status is kept, and a storage version never used before is put on record. Edits the draft. */
export function prepareDefinitionForUpdate(draft: Draft, old: Draft): void {
  const status = { ...old['status'] };
  const stored: readonly string[] = status.storedVersions ?? [];
  const added = storageVersions(draft).filter((version) => !stored.includes(version));
  draft['status'] = { ...status, storedVersions: [...stored, ...added] };
}

function storageVersions(draft: Draft): string[] {
  const versions = draft['spec']?.versions;
  if (!Array.isArray(versions)) return [];
  const storage = versions.find((version) => version?.storage === true);
  return typeof storage?.name === 'string' ? [storage.name] : [];
}
