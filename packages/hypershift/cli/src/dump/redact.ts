import { isJsonObject, type KubeObject, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
/** Names of variables and settings whose values are nobody's business. */
const secretName = /(password|passwd|secret|token|credential|private[-_]?key|api[-_]?key)/i;
const kinds = new Set(['Secret', 'OAuthAccessToken', 'OAuthAuthorizeToken']);
const pem = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g;
const bearer = /\b(Bearer|Basic) [A-Za-z0-9+/=._~-]{12,}/g;

const hidden = (value: unknown) => `REDACTED (${typeof value === 'string' ? value.length : 0} characters)`;

/** Text without keys and credentials that may stand in the middle of it. */
export function redactedText(text: string): string {
  return text.replaceAll(pem, 'REDACTED PRIVATE KEY').replaceAll(bearer, '$1 REDACTED');
}

function values(data: unknown): unknown {
  return isJsonObject(data)
    ? Object.fromEntries(Object.entries(data).map(([key, value]) => [key, hidden(value)]))
    : data;
}

/** Walks through any value; `name: X, value: Y` with a telling name loses its value. */
function walked(value: unknown): unknown {
  if (typeof value === 'string') return redactedText(value);
  if (Array.isArray(value)) return value.map(walked);
  if (!isJsonObject(value)) return value;
  const isNamedSecret = typeof value['name'] === 'string' && secretName.test(value['name']);
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      const isText = typeof field === 'string';
      if (isText && key === 'value' && isNamedSecret) return [key, hidden(field)];
      return [key, walked(field)];
    }),
  );
}

/** An object as it may be shown to others: no secret values, no bookkeeping. */
export function redacted(object: KubeObject): UnstructuredObject {
  const { metadata, ...rest } = object as UnstructuredObject;
  const { managedFields: _managedFields, annotations = {}, ...meta } = metadata;
  const kept = Object.entries(annotations).filter(([key]) => key !== lastApplied);
  const isSecret = kinds.has(object.kind);
  const body = isSecret
    ? Object.fromEntries(
        Object.entries(rest).map(([key, value]) => [
          key,
          key === 'data' || key === 'stringData' ? values(value) : value,
        ]),
      )
    : (walked(rest) as object);
  return {
    ...body,
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: { ...meta, ...(kept.length > 0 ? { annotations: Object.fromEntries(kept) } : {}) },
  };
}
