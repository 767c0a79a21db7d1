import { StatusError, statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../kinds/behaviour.ts';
import type { RequestContext } from '../request/context.ts';
import type { Resource } from '../resource/resource.ts';
import type { WriteOptions } from './registry.ts';

/**
 * Accepts a decoded body as an object of the resource: checks apiVersion and kind, drops unknown fields and
 * reports them as the request asked (`fieldValidation`). `problems` are what the decoder already found; a body that
 * is applied may have no unknown fields.
 */
export function acceptBody(
  resource: Resource,
  draft: Draft,
  problems: readonly string[],
  options: Pick<WriteOptions, 'fieldValidation'>,
  context: RequestContext,
  applied = false,
): void {
  if (typeof draft !== 'object' || draft === null || Array.isArray(draft))
    throw statusErrors.badRequest(`couldn't get version/kind; json parse error: the body must be a JSON object`);
  // A custom resource has no Go type that would say what it is.
  if (resource.custom && (draft['apiVersion'] === undefined || draft['kind'] === undefined))
    throw statusErrors.badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): Object '${draft['kind'] === undefined ? 'Kind' : 'apiVersion'}' is missing in '${JSON.stringify(draft).slice(0, 200)}'`,
    );
  draft['apiVersion'] ??= resource.apiVersion;
  draft['kind'] ??= resource.kind;
  for (const field of ['apiVersion', 'kind'])
    if (typeof draft[field] !== 'string')
      throw statusErrors.badRequest(
        `the object provided is unrecognized (must be of type ${resource.kind}): couldn't get version/kind; ` +
          `json parse error: json: cannot unmarshal ${jsonTypeOf(draft[field])} into Go struct field .${field} of type string`,
      );
  if (draft['apiVersion'] !== resource.apiVersion || draft['kind'] !== resource.kind)
    throw statusErrors.badRequest(
      `${draft['kind']} in version "${draft['apiVersion']}" cannot be handled as a ${resource.kind}: ` +
        `the API version in the data (${draft['apiVersion']}, Kind=${draft['kind']}) does not match the expected API version (${resource.apiVersion}, Kind=${resource.kind})`,
    );
  if (draft['metadata'] === undefined || draft['metadata'] === null) draft['metadata'] = {};
  if (typeof draft['metadata'] !== 'object' || Array.isArray(draft['metadata']))
    throw undecodable(resource, 'metadata', 'object');
  const unknown = resource.logic.normalise(draft);
  if (applied && unknown.length > 0) throw notInSchema(resource, draft, unknown);
  const texts = unknown.map((path) => `unknown field "${path}"`);
  reportFieldProblems(resource, [...problems, ...texts], options, context);
}

/** Server-side apply cannot own what the schema does not have. Upstream's code for it is 500, without a reason. */
function notInSchema(resource: Resource, draft: Draft, paths: readonly string[]): StatusError {
  const { namespace = '', name = '' } = draft['metadata'];
  const version = `${resource.group}/${resource.version}`;
  const lines = paths.map((path) => `.${path}: field not declared in schema`);
  return new StatusError(
    500,
    '',
    `failed to create typed patch object (${namespace}/${name}; ${version}, Kind=${resource.kind}): ` +
      (lines.length === 1 ? lines[0] : `errors:\n${lines.map((line) => `  ${line}`).join('\n')}`),
  );
}

function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** Strict refuses, Warn tells, Ignore keeps quiet. */
export function reportFieldProblems(
  resource: Resource,
  problems: readonly string[],
  options: Pick<WriteOptions, 'fieldValidation'>,
  context: RequestContext,
): void {
  if (problems.length === 0 || options.fieldValidation === 'Ignore') return;
  if (options.fieldValidation === 'Strict')
    throw new StatusError(
      400,
      'BadRequest',
      `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: strict decoding error: ${problems.join(', ')}`,
    );
  for (const problem of problems) context.warn(problem);
}

function undecodable(resource: Resource, path: string, wanted: string): StatusError {
  return statusErrors.badRequest(
    `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: json: cannot unmarshal into field ${path} of type ${wanted}`,
  );
}

/** The name and namespace in the body must agree with those in the path. */
export function agreeWithPath(
  resource: Resource,
  draft: Draft,
  path: { readonly namespace: string; readonly name: string },
): void {
  const metadata = draft['metadata'];
  if (resource.namespaced) {
    if (metadata.namespace === undefined || metadata.namespace === '') metadata.namespace = path.namespace;
    else if (metadata.namespace !== path.namespace)
      throw statusErrors.badRequest(
        `the namespace of the provided object does not match the namespace sent on the request`,
      );
  } else delete metadata.namespace;
  if (path.name !== '') {
    if (metadata.name === undefined || metadata.name === '') metadata.name = path.name;
    else if (metadata.name !== path.name)
      throw statusErrors.badRequest(
        `the name of the object (${metadata.name}) does not match the name on the URL (${path.name})`,
      );
  }
}

/** An update must say what it updates, although the path does. */
export function requireName(draft: Draft, target: { readonly name: string }): void {
  if (!draft['metadata']?.name)
    throw statusErrors.badRequest(
      `the name of the object (${target.name} based on URL) was undeterminable: name must be provided`,
    );
}
