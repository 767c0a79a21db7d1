import { isJsonObject, type Status, StatusError, type StatusReason } from '@hypershift-ts/kube-apimachinery';
import { textOf } from '../../kinds/values.ts';
import type { Resource } from '../../resource/resource.ts';
import { requestValue } from '../expressions/bindings.ts';
import type { RequestView, VersionedObjects } from '../matching/request-view.ts';

const apiVersion = 'admission.k8s.io/v1';

/** The AdmissionReview that asks a webhook about a request. */
export function reviewOf(uid: string, view: RequestView, matched: Resource, objects: VersionedObjects): object {
  const { options, ...request } = requestValue(view, matched);
  return {
    kind: 'AdmissionReview',
    apiVersion,
    request: {
      uid,
      ...request,
      object: objects.object ?? null,
      oldObject: objects.oldObject ?? null,
      options: options ?? null,
    },
  };
}

/** A webhook's answer, read and checked. */
export interface ReviewResponse {
  readonly allowed: boolean;
  readonly status: Partial<Status> | undefined;
  /** The decoded JSON patch, from mutating webhooks. */
  readonly patch: unknown;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, unknown>>;
}

const invalid = (why: string): Error => new Error(`received invalid webhook response: ${why}`);

/** Reads the answer to the review with this uid; throws when it is no proper answer. */
export function readResponse(answer: unknown, uid: string, mutating: boolean): ReviewResponse {
  const review = isJsonObject(answer) ? answer : {};
  if (review['kind'] !== 'AdmissionReview' || review['apiVersion'] !== apiVersion)
    throw invalid(
      `expected webhook response of ${apiVersion}, Kind=AdmissionReview, got ${textOf(review['apiVersion'])}, Kind=${textOf(review['kind'])}`,
    );
  const { response } = review;
  if (!isJsonObject(response)) throw invalid('webhook response was absent');
  if (response['uid'] !== uid)
    throw invalid(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response['uid'] ?? '')}`);
  const { warnings, auditAnnotations, status } = response;
  return {
    allowed: response['allowed'] === true,
    status: isJsonObject(status) ? (status as Partial<Status>) : undefined,
    patch: mutating ? readPatch(response['patch'], response['patchType']) : undefined,
    warnings: Array.isArray(warnings) ? warnings.filter((text): text is string => typeof text === 'string') : [],
    auditAnnotations: isJsonObject(auditAnnotations) ? auditAnnotations : {},
  };
}

function readPatch(patch: unknown, patchType: unknown): unknown {
  const given = typeof patch === 'string' && patch !== '';
  if (!given && !patchType) return undefined;
  if (!patchType) throw invalid('webhook returned response.patch but not response.patchType');
  if (!given) throw invalid('webhook returned response.patchType but not response.patch');
  if (patchType !== 'JSONPatch') throw invalid(`unsupported patch type: ${textOf(patchType)}`);
  try {
    return JSON.parse(Buffer.from(patch, 'base64').toString()) as unknown;
  } catch (error) {
    throw new Error(`invalid character in response.patch: ${(error as Error).message}`, { cause: error });
  }
}

/** The refusal of a webhook as the client gets it. */
export function denialOf(webhook: string, status: Partial<Status> = {}): StatusError {
  const denied = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const { message, reason = '', details } = status;
  const code = typeof status.code === 'number' && status.code >= 400 && status.code <= 599 ? status.code : 400;
  const text = message || reason;
  return new StatusError(
    code,
    reason as StatusReason | '',
    text ? `${denied}: ${text}` : `${denied} without explanation`,
    details,
  );
}
