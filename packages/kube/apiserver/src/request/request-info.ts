import { parseFieldSelector, statusErrors } from '@hypershift-ts/kube-apimachinery';

/** What a request is about, read off its method and path before anything else is known. */
export interface RequestInfo {
  /** True for /api and /apis paths that name a resource. */
  readonly isResource: boolean;
  readonly path: string;
  /** get, list, watch, create, update, patch, delete, deletecollection; the lower-case method for other paths. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The path itself names one object (a field selector may name one as well). */
  readonly named: boolean;
  /** The rest of the path after the subresource (proxy). */
  readonly rest: string;
  /** The terms of the field selector of a list, watch or deletecollection, as far as authorization cares. */
  readonly fieldSelector?: readonly { readonly key: string; readonly operator: '=' | '!='; readonly value: string }[];
}

const verbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Subresources of a namespace that are not resources inside it. */
const namespaceSubresources = new Set(['status', 'finalize']);

/** What of the query string says what a request is about. */
export interface RequestQuery {
  readonly watch: boolean;
  readonly fieldSelector: string;
}

const collectionVerbs = new Set(['list', 'watch', 'deletecollection']);

/** Parses Kubernetes' fixed path grammar. */
export function parseRequestInfo(method: string, path: string, query: RequestQuery): RequestInfo {
  const { watch } = query;
  const info = {
    isResource: false,
    path,
    verb: method.toLowerCase(),
    group: '',
    version: '',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
    named: false,
    rest: '',
  };
  const parts = splitPath(path);
  let rest: string[];
  if (parts[0] === 'api' && parts.length >= 3) {
    info.version = parts[1]!;
    rest = parts.slice(2);
  } else if (parts[0] === 'apis' && parts.length >= 4) {
    info.group = parts[1]!;
    info.version = parts[2]!;
    rest = parts.slice(3);
  } else return info;

  // Deprecated but still spoken: /api/v1/watch/pods.
  const watchPath = rest[0] === 'watch' && rest.length > 1;
  if (watchPath) rest = rest.slice(1);

  if (rest[0] === 'namespaces') {
    if (rest.length > 1) info.namespace = rest[1]!;
    if (rest.length > 2 && !namespaceSubresources.has(rest[2]!)) rest = rest.slice(2);
    else if (info.group !== '') rest = rest.slice(0, 2);
  }
  info.isResource = true;
  info.resource = rest[0]!;
  info.name = rest[1] ?? '';
  info.named = info.name !== '';
  info.subresource = rest[2] ?? '';
  info.rest = rest.slice(3).join('/');
  info.verb = verbOf(method, info.name !== '', watch || watchPath);
  return query.fieldSelector === '' || !collectionVerbs.has(info.verb)
    ? info
    : withFieldSelector(info, query.fieldSelector);
}

/** A collection narrowed to one name is authorized as that name, so that roles limited by resourceNames can watch. */
export function withFieldSelector(info: RequestInfo, text: string): RequestInfo {
  let fields: ReturnType<typeof parseFieldSelector>;
  try {
    fields = parseFieldSelector(text);
  } catch {
    // The handler says what is wrong with it, once the sender is known to be allowed to ask.
    return info;
  }
  const name = fields.exactMatch('metadata.name');
  return {
    ...info,
    ...(info.name === '' && name !== undefined && /^[^/%]+$/.test(name) ? { name } : {}),
    fieldSelector: fields.requirements.map(({ field, operator, value }) => ({ key: field, operator, value })),
  };
}

function verbOf(method: string, named: boolean, watch: boolean): string {
  const verb = verbs[method];
  if (verb === undefined) return method.toLowerCase();
  if (verb === 'get' && watch) return 'watch';
  if (verb === 'get' && !named) return 'list';
  if (verb === 'delete' && !named) return 'deletecollection';
  return verb;
}

function splitPath(path: string): string[] {
  const raw = path.split('/');
  const parts: string[] = [];
  for (const part of raw) {
    if (part === '') continue;
    parts.push(part.includes('%') ? decode(part) : part);
  }
  return parts;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw statusErrors.badRequest(`the path segment ${JSON.stringify(part)} is not valid percent-encoding`);
  }
}
