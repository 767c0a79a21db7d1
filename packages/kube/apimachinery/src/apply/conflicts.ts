import type { StatusCause, StatusError } from '../status.ts';
import { statusErrors } from '../status.ts';
import type { FieldSet } from './field-set.ts';
import type { Identity } from './owners.ts';
import { showPaths } from './path-element.ts';

/** Fields an applier wants to change although somebody else owns them. */
export interface Conflict {
  readonly owner: Identity;
  readonly fields: FieldSet;
}

function showOwner({ manager, operation, apiVersion, subresource }: Identity): string {
  const name = `${JSON.stringify(manager)}${subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`}`;
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}

// Upstream orders owners by the JSON of their identity.
function identityText({ manager, operation, apiVersion, subresource }: Identity): string {
  return JSON.stringify({
    ...(manager === '' ? {} : { manager }),
    operation,
    ...(operation === 'Apply' ? {} : { apiVersion }),
    ...(subresource === '' ? {} : { subresource }),
  });
}

/** 409 Conflict with one cause per field, in the words kubectl prints. */
export function conflictError(conflicts: readonly Conflict[]): StatusError {
  const found = conflicts
    .map(({ owner, fields }) => ({ id: identityText(owner), name: showOwner(owner), paths: showPaths(fields) }))
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const causes: StatusCause[] = found.flatMap(({ name, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${name}`, field })),
  );
  const [only] = causes;
  if (only !== undefined && causes.length === 1) {
    return statusErrors.applyConflict(causes, `Apply failed with 1 conflict: ${only.message}: ${only.field}`);
  }
  const lines = found.flatMap(({ name, paths }) => [`conflicts with ${name}:`, ...paths.map((path) => `- ${path}`)]);
  return statusErrors.applyConflict(causes, `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`);
}
