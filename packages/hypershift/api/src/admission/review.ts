/** AdmissionReview requests and answers, as far as our webhooks use them. */
import { type FieldError, formatFieldError, type KubeObject } from '@hypershift-ts/kube-apimachinery';

export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly object?: KubeObject | null;
  readonly oldObject?: KubeObject | null;
}

export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly warnings?: readonly string[];
  readonly status?: { readonly code: number; readonly reason: string; readonly message: string };
  readonly patchType?: 'JSONPatch';
  /** Base64 of a JSON Patch. */
  readonly patch?: string;
}

export interface AdmissionReview<Part> {
  readonly apiVersion: 'admission.k8s.io/v1';
  readonly kind: 'AdmissionReview';
  readonly request?: Part;
  readonly response?: AdmissionResponse;
}

export function allow({ uid }: AdmissionRequest, warnings: readonly string[] = []): AdmissionResponse {
  return { uid, allowed: true, ...(warnings.length > 0 ? { warnings } : {}) };
}

export function deny({ uid }: AdmissionRequest, errors: readonly FieldError[]): AdmissionResponse {
  const message = errors.map(formatFieldError).join(', ');
  return { uid, allowed: false, status: { code: 422, reason: 'Invalid', message } };
}

/** Allows the request with another spec; the same spec needs no patch. */
export function allowWithSpec(request: AdmissionRequest, before: unknown, after: unknown): AdmissionResponse {
  if (before === after || JSON.stringify(before) === JSON.stringify(after)) return allow(request);
  const patch = Buffer.from(JSON.stringify([{ op: 'replace', path: '/spec', value: after }])).toString('base64');
  return { ...allow(request), patchType: 'JSONPatch', patch };
}
