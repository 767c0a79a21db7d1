import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { badRequest, invalid, malformed } from '../errors/index.ts';
import type { Entity } from '../registry/index.ts';
import { arrayMember, objectItems, objectMember, stringMember } from './body.ts';
import { checkLabels } from './label-rules.ts';
import { checkName } from './name-rules.ts';
import type { RequestedReferences } from './reference-rules.ts';

export interface CreateRequest {
  readonly name: string;
  readonly spec: JsonObject;
  readonly labels: Readonly<Record<string, string>>;
  readonly references: RequestedReferences;
}

/** What a PATCH replaces; an absent member stays as it is. */
export interface PatchRequest {
  readonly spec?: JsonObject;
  readonly labels?: Readonly<Record<string, string>>;
  readonly references?: RequestedReferences;
}

function labelsOf(body: JsonObject): Readonly<Record<string, string>> | undefined {
  const labels = objectMember(body, 'labels');
  if (!labels) return undefined;
  const checked = Object.fromEntries(
    Object.keys(labels).map((key) => [key, stringMember(labels, key, 'labels.') ?? '']),
  );
  checkLabels(checked);
  return checked;
}

function referencesOf(body: JsonObject): RequestedReferences | undefined {
  const references = objectMember(body, 'references');
  if (!references) return undefined;
  return Object.fromEntries(
    Object.keys(references).map((type) => {
      const path = `references.${type}`;
      const targets = objectItems(arrayMember(references, type, 'references.') ?? [], path);
      return [
        type,
        targets.map((target) => ({
          id: stringMember(target, 'id', `${path}.`) ?? '',
          kind: stringMember(target, 'kind', `${path}.`) ?? '',
        })),
      ];
    }),
  );
}

/** The kind a body is about; for the route that takes any. */
export function kindOf(body: JsonObject): string {
  const kind = stringMember(body, 'kind') ?? '';
  if (kind === '') throw required('kind');
  return kind;
}

const required = (field: string) =>
  invalid(`${field} is required`, [{ field, constraint: 'required', message: `${field} is required` }]);

/** Checks the body of a POST. Members nobody knows are ignored. */
export function createRequest(entity: Entity, body: JsonObject): CreateRequest {
  if (kindOf(body) !== entity.kind) {
    const message = `kind must be '${entity.kind}'`;
    throw invalid(message, [{ field: 'kind', value: body['kind'], constraint: 'enum', message }]);
  }
  const name = stringMember(body, 'name') ?? '';
  checkName(entity, name);
  const spec = objectMember(body, 'spec');
  if (!spec) throw required('spec');
  return { name, spec, labels: labelsOf(body) ?? {}, references: referencesOf(body) ?? {} };
}

const patchable = new Set(['spec', 'labels', 'references']);

/** Checks the body of a PATCH. Anything but spec, labels and references is immutable and refused. */
export function patchRequest(body: JsonObject): PatchRequest {
  for (const name of Object.keys(body)) {
    if (!patchable.has(name)) throw malformed(`Invalid request format: json: unknown field "${name}"`);
  }
  const spec = objectMember(body, 'spec');
  const labels = labelsOf(body);
  const references = referencesOf(body);
  if (!spec && !labels && !references) throw badRequest('at least one field must be provided for update');
  return { ...(spec ? { spec } : {}), ...(labels ? { labels } : {}), ...(references ? { references } : {}) };
}

const maxReason = 1024;

/** Checks the body of a force-delete and gives its reason. */
export function forceDeleteReason(body: JsonObject): string {
  const reason = stringMember(body, 'reason') ?? '';
  if (reason === '') throw required('reason');
  if (reason.length > maxReason && Array.from(reason).length > maxReason) {
    const message = `reason must be at most ${maxReason} characters`;
    throw invalid(message, [{ field: 'reason', constraint: 'max_length', message }]);
  }
  return reason;
}
