import type { Clock, FieldError, KubeObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError, formatTime, parseApiVersion, StatusError, statusErrors } from '@hypershift-ts/kube-apimachinery';
import { bodyObject, objectAt, textAt, textsAt } from '../wire-shape.ts';
import type { BoundObjectLookup } from './authenticator.ts';
import type { ObjectReference } from './claims.ts';
import type { TokenIssuer } from './issuer.ts';

const minSeconds = 10 * 60;
const maxSeconds = 2 ** 32;
const defaultSeconds = 60 * 60;
/** What kubelets ask for by default; such a token lives a year but is called stale after the hour. */
const warnOnlySeconds = 60 * 60 + 7;
const extendedSeconds = 365 * 24 * 60 * 60;

interface TokenRequest {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly audiences: readonly string[];
  readonly expirationSeconds: unknown;
  readonly boundObjectRef: BoundObjectRef | undefined;
}

interface BoundObjectRef {
  readonly kind: string;
  readonly apiVersion: string;
  readonly name: string;
  readonly uid: string;
}

function parseTokenRequest(body: unknown): TokenRequest {
  const request = bodyObject(body);
  const metadata = objectAt(request, 'metadata') ?? {};
  const spec = objectAt(request, 'spec') ?? {};
  const reference = objectAt(spec, 'boundObjectRef', 'spec.boundObjectRef');
  return {
    metadata: {
      name: textAt(metadata, 'name', 'metadata.name'),
      namespace: textAt(metadata, 'namespace', 'metadata.namespace'),
      uid: textAt(metadata, 'uid', 'metadata.uid'),
    },
    audiences: textsAt(spec, 'audiences', 'spec.audiences'),
    expirationSeconds: spec.expirationSeconds ?? defaultSeconds,
    boundObjectRef: reference && {
      kind: textAt(reference, 'kind'),
      apiVersion: textAt(reference, 'apiVersion'),
      name: textAt(reference, 'name'),
      uid: textAt(reference, 'uid'),
    },
  };
}

export interface TokenRequestOptions {
  readonly issuer: TokenIssuer;
  /** `--api-audiences` */
  readonly audiences: readonly string[];
  readonly lookup: BoundObjectLookup;
  readonly clock: Clock;
  /** `--service-account-max-token-expiration`, in seconds. */
  readonly maxExpirationSeconds?: number;
  /** `--service-account-extend-token-expiration`; on unless false. */
  readonly extendExpiration?: boolean;
  readonly warn?: (text: string) => void;
}

const group = 'authentication.k8s.io';
const invalid = (name: string, errors: readonly FieldError[]) =>
  statusErrors.invalid({ group, kind: 'TokenRequest' }, name, errors);

/** Answers POST serviceaccounts/<name>/token: the request as posted, defaulted, with the token in its status. */
export async function answerTokenRequest(
  body: unknown,
  target: { readonly namespace: string; readonly name: string },
  options: TokenRequestOptions,
): Promise<object> {
  const { namespace, name } = target;
  const request = parseTokenRequest(body);
  const { metadata, boundObjectRef } = request;
  checkTarget(metadata, target);
  const account = await options.lookup('serviceaccounts', namespace, name);
  if (!account) throw statusErrors.notFound({ group: '', resource: 'serviceaccounts' }, name);
  if (metadata.uid && metadata.uid !== account.metadata.uid) {
    const why = `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${account.metadata.uid})`;
    throw statusErrors.conflict({ group, resource: 'TokenRequest' }, name, why);
  }
  const seconds = checkedSeconds(request.expirationSeconds, options);
  const audiences = request.audiences.length > 0 ? request.audiences : options.audiences;
  const bound = boundObjectRef ? await boundObject(boundObjectRef, target, options.lookup) : {};
  const extend =
    options.extendExpiration !== false &&
    bound.pod !== undefined &&
    seconds === warnOnlySeconds &&
    audiences.every((audience) => options.audiences.includes(audience));
  const now = options.clock.now();
  const token = await options.issuer.issue({
    serviceAccount: account,
    audiences,
    now,
    expirationSeconds: extend ? extendedSeconds : seconds,
    ...(extend ? { warnAfterSeconds: seconds } : {}),
    ...bound,
  });
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, uid: account.metadata.uid, creationTimestamp: formatTime(now) },
    spec: {
      audiences,
      expirationSeconds: seconds,
      boundObjectRef: boundObjectRef ?? null,
    },
    status: { token, expirationTimestamp: formatTime(now + seconds * 1000) },
  };
}

function checkTarget(
  metadata: TokenRequest['metadata'],
  { name, namespace }: { readonly namespace: string; readonly name: string },
): void {
  if (metadata.name && metadata.name !== name) {
    const detail = 'must match the service account name if specified';
    throw invalid(name, [fieldError.invalid('metadata.name', metadata.name, detail)]);
  }
  if (metadata.namespace && metadata.namespace !== namespace) {
    const detail = 'must match the service account namespace if specified';
    throw invalid(name, [fieldError.invalid('metadata.namespace', metadata.namespace, detail)]);
  }
}

function checkedSeconds(seconds: unknown, options: TokenRequestOptions): number {
  const field = 'spec.expirationSeconds';
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < minSeconds) {
    throw invalid('', [fieldError.invalid(field, seconds, 'may not specify a duration less than 10 minutes')]);
  }
  if (seconds > maxSeconds) {
    throw invalid('', [fieldError.invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds')]);
  }
  const max = options.maxExpirationSeconds ?? 0;
  if (max <= 0 || seconds <= max) return seconds;
  options.warn?.(`requested expiration of ${seconds} seconds shortened to ${max} seconds`);
  return max;
}

interface Bound {
  readonly pod?: ObjectReference;
  readonly secret?: ObjectReference;
  readonly node?: ObjectReference;
}

const boundKinds = { Pod: 'pods', Secret: 'secrets', Node: 'nodes' } as const;

async function boundObject(
  reference: BoundObjectRef,
  target: { readonly namespace: string; readonly name: string },
  lookup: BoundObjectLookup,
): Promise<Bound> {
  const { kind, name } = reference;
  const { group: refGroup, version } = parseApiVersion(reference.apiVersion);
  if (refGroup !== '' || !Object.hasOwn(boundKinds, kind)) {
    const type = `${refGroup === '' ? '' : refGroup}/${version}, Kind=${kind}`;
    throw statusErrors.badRequest(`cannot bind token to object of type ${type}`);
  }
  const resource = boundKinds[kind as keyof typeof boundKinds];
  const object = await lookup(resource, kind === 'Node' ? '' : target.namespace, name);
  if (!object) throw statusErrors.notFound({ group: '', resource }, name);
  const { uid = '' } = object.metadata;
  if (reference.uid && reference.uid !== uid) {
    const why = `the UID in the bound object reference (${reference.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw new StatusError(409, 'Conflict', `Operation cannot be fulfilled on ${kind} "${name}": ${why}`, {
      name,
      kind,
    });
  }
  if (kind === 'Secret') return { secret: { name, uid } };
  if (kind === 'Node') return { node: { name, uid } };
  const node = await nodeOfPod(object, target.name, lookup);
  return { pod: { name, uid }, ...(node ? { node } : {}) };
}

async function nodeOfPod(
  pod: KubeObject,
  account: string,
  lookup: BoundObjectLookup,
): Promise<ObjectReference | undefined> {
  const { spec } = pod as KubeObject & { spec?: { nodeName?: string; serviceAccountName?: string } };
  if (spec?.serviceAccountName !== account) {
    throw statusErrors.badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
    );
  }
  if (!spec.nodeName) return undefined;
  const uid = (await lookup('nodes', '', spec.nodeName))?.metadata.uid;
  return { name: spec.nodeName, ...(uid ? { uid } : {}) };
}
