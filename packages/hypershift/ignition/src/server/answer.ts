import type { ServedRollout, TokenIndex } from '../payload-cache/token-index.ts';

/** What a caller gets; `rollout` is set when the caller proved to hold one of its tokens. */
export interface Answer {
  readonly status: 200 | 401 | 404 | 500 | 511;
  readonly text: string;
  readonly refused?: 'path' | 'header' | 'token' | 'unknown-token' | 'payload';
  readonly rollout?: ServedRollout;
}

const ignitionPath = /^\/ignition[^/ ]*$/;
const bearer = 'Bearer ';
const unauthorized = 'Unauthorized\n';

/** Decides a request. The order of the checks is part of the contract. */
export function answer(path: string, authorization: string | undefined, index: TokenIndex, now: number): Answer {
  if (!ignitionPath.test(path)) return { status: 404, text: '404 page not found\n', refused: 'path' };
  if (!authorization?.startsWith(bearer)) return { status: 401, text: unauthorized, refused: 'header' };
  const token = decodeToken(authorization.slice(bearer.length));
  if (token === undefined) return { status: 401, text: unauthorized, refused: 'token' };
  const rollout = index.find(token, now);
  // A server error on purpose: Ignition gives up on 4xx, but the payload may only not be ready yet.
  if (!rollout?.payload)
    return { status: 511, text: 'Token not found\n', refused: 'unknown-token', ...(rollout ? { rollout } : {}) };
  if (!looksLikeIgnition(rollout.payload))
    return { status: 500, text: 'Invalid ignition payload\n', refused: 'payload', rollout };
  return { status: 200, text: '', rollout };
}

/** Standard base64 with padding, as Go reads it; line breaks inside are ignored there too. */
function decodeToken(encoded: string): string | undefined {
  const text = encoded.replace(/[\r\n]/g, '');
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, 'base64').toString('utf8');
}

const checked = new WeakSet<Buffer>();

/** A payload is read once, not for every machine of a pool. */
function looksLikeIgnition(payload: Buffer): boolean {
  if (checked.has(payload)) return true;
  try {
    const value = JSON.parse(payload.toString('utf8')) as { ignition?: { version?: unknown } } | null;
    if (typeof value?.ignition?.version !== 'string') return false;
  } catch {
    return false;
  }
  checked.add(payload);
  return true;
}
