import { createHash } from 'node:crypto';
import {
  type FieldError,
  fieldError,
  isDNS1035Label,
  isDNS1123Subdomain,
  jsonEqual,
  nameIsDNSSubdomain,
  reachableTest,
  type Schema,
} from '@hypershift-ts/kube-apimachinery';
import { internSchema } from '../interning.ts';
import { validateConversion } from './conversion.ts';
import { validateNames, validateRequiredNames } from './names.ts';
import { validateOpenAPISchema } from './openapi-schema.ts';
import type { CustomResourceDefinition, DefinitionSpec, DefinitionVersion } from './types.ts';
import {
  validateColumn,
  validateDeprecation,
  validateSelectableFields,
  validateSubresources,
} from './version-extras.ts';

/** Checks a new definition. Metadata beyond its name is the generic request path's task. */
export function validateDefinition(definition: CustomResourceDefinition): FieldError[] {
  const { spec, metadata } = definition;
  const errors: FieldError[] = [];
  const { name = '' } = metadata;
  // The generic path reports names that are no subdomains.
  if (name !== `${spec.names?.plural ?? ''}.${spec.group ?? ''}` && nameIsDNSSubdomain(name, false).length === 0) {
    errors.push(fieldError.invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group'));
  }
  errors.push(...specErrors(spec), ...validateStatus(definition));
  errors.push(...validateApproval(definition, undefined));
  if (spec.preserveUnknownFields) errors.push(preservesEverything());
  return errors;
}

/** Checks an update of a definition; names are fixed once it is established. */
export function validateDefinitionUpdate(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
): FieldError[] {
  const { spec } = definition;
  const errors = [...specErrors(spec)];
  const fixed = (value: unknown, before: unknown, at: string) => {
    if (!jsonEqual(value, before)) errors.push(fieldError.invalid(at, value, 'field is immutable'));
  };
  if (isEstablished(old)) {
    fixed(spec.scope, old.spec.scope, 'spec.scope');
    fixed(spec.names.kind, old.spec.names.kind, 'spec.names.kind');
  }
  fixed(spec.group, old.spec.group, 'spec.group');
  fixed(spec.names.plural, old.spec.names.plural, 'spec.names.plural');
  errors.push(...validateStatus(definition), ...validateApproval(definition, old));
  if (spec.preserveUnknownFields && !old.spec.preserveUnknownFields) errors.push(preservesEverything());
  return errors;
}

export function isEstablished(definition: CustomResourceDefinition): boolean {
  return (definition.status?.conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True');
}

function preservesEverything(): FieldError {
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return fieldError.invalid('spec.preserveUnknownFields', true, detail);
}

/** Specs in which nothing was found, by hash: hundreds of servers are given the same definitions. */
const faultless = new Set<string>();
const rememberAtMost = 4096;

function specErrors(spec: DefinitionSpec): FieldError[] {
  const hash = createHash('sha256').update(JSON.stringify(spec)).digest('base64');
  if (faultless.has(hash)) return [];
  const errors = validateSpec(spec);
  if (errors.length > 0) return errors;
  if (faultless.size >= rememberAtMost) faultless.clear();
  faultless.add(hash);
  return errors;
}

function validateSpec(spec: DefinitionSpec): FieldError[] {
  const errors = [...validateGroup(spec.group ?? ''), ...validateScope(spec.scope ?? '')];
  const versions = spec.versions ?? [];
  const shared = sharedParts(versions);
  versions.forEach((version, index) => {
    if (!version.schema?.openAPIV3Schema) {
      errors.push(fieldError.required(`spec.versions[${index}].schema.openAPIV3Schema`));
    }
  });
  if (spec.preserveUnknownFields && versions.some(({ schema }) => hasDefaults(schema?.openAPIV3Schema))) {
    const detail = 'must be false in order to use defaults in the schema';
    errors.push(fieldError.invalid('spec.preserveUnknownFields', true, detail));
  }
  versions.forEach((version, index) => {
    const at = `spec.versions[${index}]`;
    const wrong = isDNS1035Label(version.name ?? '');
    if (wrong.length > 0) errors.push(fieldError.invalid(`${at}.name`, version.name ?? '', wrong.join(',')));
    errors.push(...validateDeprecation(version, at));
    if (!shared.schema) errors.push(...validateSchema(version, `${at}.schema`));
    if (!shared.subresources) errors.push(...validateSubresources(version.subresources, `${at}.subresources`));
    if (!shared.columns) errors.push(...validateColumns(version, at));
    if (!shared.selectable) errors.push(...validateSelectable(version, at));
  });
  errors.push(...validateVersionSet(versions));
  // The internal form repeats the first version's name here.
  const [firstName = ''] = versions.map(({ name }) => name);
  const wrongName = firstName === '' ? [] : isDNS1035Label(firstName);
  if (wrongName.length > 0) errors.push(fieldError.invalid('spec.version', firstName, wrongName.join(',')));
  errors.push(
    ...validateRequiredNames(spec.names ?? {}, 'spec.names'),
    ...validateNames(spec.names ?? {}, 'spec.names'),
  );
  const first = versions[0];
  if (first) {
    const hasStatus = versions.some((version) => version.subresources?.status !== undefined);
    if (shared.schema) errors.push(...validateSchema(first, 'spec.validation', hasStatus));
    if (shared.subresources) errors.push(...validateSubresources(first.subresources, 'spec.subresources'));
    if (shared.columns) errors.push(...validateColumns(first, 'spec'));
    if (shared.selectable) errors.push(...validateSelectable(first, 'spec'));
  }
  errors.push(...validateConversion(spec.conversion, 'spec.conversion'));
  return errors;
}

/**
 * Parts that all versions share are reported once, at the place they have in Kubernetes' internal form. A CRD with one
 * version therefore gets its errors at `spec.validation`, not at `spec.versions[0].schema`.
 */
function sharedParts(versions: readonly DefinitionVersion[]) {
  const isShared = (part: (version: DefinitionVersion) => unknown) => {
    const [first, ...others] = versions;
    return first !== undefined && others.every((version) => jsonEqual(part(version) ?? null, part(first) ?? null));
  };
  return {
    schema: isShared((version) => version.schema),
    subresources: isShared((version) => version.subresources),
    columns: isShared((version) => version.additionalPrinterColumns),
    selectable: isShared((version) => version.selectableFields),
  };
}

const mayDefault = reachableTest((schema) => schema.default !== undefined && schema.default !== null);

function hasDefaults(schema: Schema | undefined): boolean {
  return schema !== undefined && mayDefault(schema);
}

function validateGroup(group: string): FieldError[] {
  if (group === '') return [fieldError.required('spec.group')];
  const wrong = isDNS1123Subdomain(group);
  if (wrong.length > 0) return [fieldError.invalid('spec.group', group, wrong.join(','))];
  if (group.includes('.')) return [];
  return [fieldError.invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function validateScope(scope: string): FieldError[] {
  if (scope === '') return [fieldError.required('spec.scope')];
  if (scope === 'Cluster' || scope === 'Namespaced') return [];
  return [fieldError.notSupported('spec.scope', scope, ['Cluster', 'Namespaced'])];
}

/** Verdicts by schema, then by place. The same few CRDs are given to hundreds of servers; each is judged once. */
const verdicts = new WeakMap<Schema, Map<string, readonly FieldError[]>>();

function validateSchema(
  version: DefinitionVersion,
  at: string,
  hasStatus = version.subresources?.status !== undefined,
): readonly FieldError[] {
  if (!version.schema?.openAPIV3Schema) return [];
  const schema = internSchema(version.schema.openAPIV3Schema);
  const known = verdicts.get(schema) ?? new Map<string, readonly FieldError[]>();
  const question = `${at}/${hasStatus}`;
  const errors = known.get(question) ?? validateOpenAPISchema(schema, hasStatus, `${at}.openAPIV3Schema`);
  verdicts.set(schema, known.set(question, errors));
  return errors;
}

function validateColumns(version: DefinitionVersion, at: string): FieldError[] {
  return (version.additionalPrinterColumns ?? []).flatMap((column, index) =>
    validateColumn(column, `${at}.additionalPrinterColumns[${index}]`),
  );
}

function validateSelectable(version: DefinitionVersion, at: string): FieldError[] {
  return validateSelectableFields(version.selectableFields, version.schema?.openAPIV3Schema, `${at}.selectableFields`);
}

function validateVersionSet(versions: readonly DefinitionVersion[]): FieldError[] {
  const errors: FieldError[] = [];
  // Schemas would drown the message.
  const shown = versions.map(({ name, served, storage }) => ({ name, served, storage }));
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    errors.push(fieldError.invalid('spec.versions', shown, 'must contain unique version names'));
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const detail = 'must have exactly one version marked as storage version';
    errors.push(fieldError.invalid('spec.versions', shown, detail));
  }
  return errors;
}

function validateStatus({ spec, status }: CustomResourceDefinition): FieldError[] {
  const at = 'status.storedVersions';
  const errors = validateNames(status?.acceptedNames ?? {}, 'status.acceptedNames');
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) return [...errors, fieldError.invalid(at, null, 'must have at least one stored version')];
  const versions = spec.versions ?? [];
  const names = new Set(versions.map(({ name }) => name));
  const onRecord = new Set(stored);
  for (const version of versions) {
    // Each entry answers for one version only; a second version of that name goes without.
    if (!onRecord.delete(version.name) && version.storage) {
      errors.push(fieldError.invalid(at, stored, `must have the storage version ${version.name}`));
    }
  }
  stored.forEach((name, index) => {
    if (names.has(name)) return;
    const detail =
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until ` +
      `a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(fieldError.invalid(`${at}[${index}]`, name, detail));
  });
  return errors;
}

const approvalKey = 'api-approved.kubernetes.io';
const approvalPage = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** Groups of the Kubernetes community need a sign of its approval. */
function validateApproval(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  const { group } = definition.spec;
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) return [];
  const approval = definition.metadata.annotations?.[approvalKey] ?? '';
  if (old && stateOf(old.metadata.annotations?.[approvalKey] ?? '') === stateOf(approval)) return [];
  const at = `metadata.annotations[${approvalKey}]`;
  const demand = `protected groups must have approval annotation "${approvalKey}"`;
  if (stateOf(approval) === 'missing') return [fieldError.required(at, `${demand}, ${approvalPage}`)];
  if (stateOf(approval) === 'given') return [];
  const detail = `${demand} with either a URL or a reason starting with "unapproved", ${approvalPage}`;
  return [fieldError.invalid(at, approval, detail)];
}

function stateOf(approval: string): 'missing' | 'given' | 'invalid' {
  if (approval === '') return 'missing';
  if (approval.startsWith('unapproved')) return 'given';
  return URL.canParse(approval) && new URL(approval).host !== '' ? 'given' : 'invalid';
}
