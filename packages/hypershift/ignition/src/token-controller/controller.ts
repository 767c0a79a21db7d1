import { randomUUID } from 'node:crypto';
import type { OwnerReference } from '@hypershift-ts/kube-apimachinery';
import { corev1, isConflict, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Controller, ReconcileContext, ReconcileResult } from '@hypershift-ts/kube-controller';
import { controller, matching } from '@hypershift-ts/kube-controller';
import { hashRaw } from '../hash/hash-simple.ts';
import { payloadKey } from '../payload-cache/payload-key.ts';
import type { SharedPayloads } from '../payload-cache/shared-payloads.ts';
import type { TokenIndex } from '../payload-cache/token-index.ts';
import { renderPayload } from '../payload/render.ts';
import { compressAndEncode } from '../rollout/raw-config.ts';
import type { IgnitionMetrics } from '../server/metrics.ts';
import { decideToken, expiryOf, rotationPatch, tokensOf } from '../token/lifecycle.ts';
import { secretData, secretText, tokenAnnotation, tokenKey } from '../token/names.ts';
import type { PayloadSource } from './payload-source.ts';

export interface TokenControllerOptions {
  /** The control plane namespace. */
  readonly namespace: string;
  readonly index: TokenIndex;
  readonly source: PayloadSource;
  readonly payloads: SharedPayloads;
  readonly metrics: IgnitionMetrics;
  readonly newToken?: () => string;
}

/** Keeps what a replica serves in step with the token Secrets, and the tokens young. Runs on every replica. */
export function tokenController(options: TokenControllerOptions): Controller {
  const isToken = (secret: corev1.Secret) => tokenAnnotation.ignitionConfig in (secret.metadata.annotations ?? {});
  return controller({
    name: 'ignition-token',
    for: { type: corev1.secrets, namespace: options.namespace, predicate: matching(isToken) },
    leaderOnly: false,
    concurrency: 4,
    reconcile: ({ namespace = options.namespace, name }, context) => {
      const secret = context.cache.get(corev1.secrets, { namespace, name }, { namespace: options.namespace });
      if (!secret || secret.metadata.deletionTimestamp || !isToken(secret)) {
        options.index.remove(name);
        return Promise.resolve(undefined);
      }
      return reconcileToken(secret, context, options);
    },
  });
}

async function reconcileToken(
  secret: corev1.Secret,
  context: ReconcileContext,
  options: TokenControllerOptions,
): Promise<ReconcileResult> {
  const { name = '', namespace = '' } = secret.metadata;
  const { client, clock, signal } = context;
  const key = { namespace, name };
  const decision = decideToken(secret, clock.now());
  if (decision.action === 'delete') {
    options.index.remove(name);
    const { uid } = secret.metadata;
    await client.delete(corev1.secrets, key, uid ? { preconditions: { uid } } : {}).catch(ignoreGone);
    return undefined;
  }
  const payload = await payloadFor(secret, context, options);
  options.index.put(tokensOf(secret), servedFrom(secret, payload));
  if (decision.action === 'keep') return { requeueAfterMs: decision.lookAgainMs };
  const patch = rotationPatch(secret, clock.now(), (options.newToken ?? randomUUID)());
  try {
    await client.patch(corev1.secrets, key, { type: 'merge', body: patch }, { signal });
    options.metrics.rotations.inc();
  } catch (error) {
    // Another replica rotated first; its write brings us back here.
    if (!isConflict(error)) ignoreGone(error);
  }
  return undefined;
}

function servedFrom(secret: corev1.Secret, payload: Buffer | undefined) {
  const { name = '', namespace = '', uid = '', annotations } = secret.metadata;
  const nodePool = annotations?.[tokenAnnotation.nodePool] ?? '';
  const reached = tokenAnnotation.ignitionReached in (annotations ?? {});
  return {
    secret: name,
    namespace,
    uid,
    nodePool,
    basis: basisOf(secret),
    payload,
    reached,
    expiresAt: expiryOf(secret),
  };
}

/** The entries of a token Secret that a payload depends on: while they stay, so does the payload. */
function basisOf({ data = {} }: corev1.Secret): string {
  const { release, config, osStream, pullSecretHash, additionalTrustBundleHash, cloudConfigHash } = tokenKey;
  const keys = [release, config, osStream, pullSecretHash, additionalTrustBundleHash, cloudConfigHash];
  return hashRaw(keys.map((key) => data[key] ?? '').join('|'));
}

interface Found {
  readonly payload: Buffer;
  /** Unknown when this replica had it at hand. */
  readonly key?: string;
}

/** The rollout's payload, from where it is nearest; writes into the Secret how that went. */
async function payloadFor(secret: corev1.Secret, context: ReconcileContext, options: TokenControllerOptions) {
  try {
    const found = await findOrMake(secret, context, options);
    await report(secret, context, 'AsExpected', 'Payload generated successfully', found);
    const before = secret.metadata.annotations?.[tokenAnnotation.payloadKey];
    if (found.key !== undefined && before !== undefined && before !== found.key)
      await options.payloads.release(before, ownerOf(secret), context.signal);
    return found.payload;
  } catch (error) {
    const message = (error as Error).message;
    const failure = message.startsWith('failed to decode') ? message : `failed to generate payload: ${message}`;
    const reason = message.includes('hash mismatch') ? 'CloudConfigPending' : 'InvalidConfig';
    // What machines already boot with stays good; only new content is in doubt, and it is asked for again.
    const served = options.index.of(secret.metadata.name ?? '');
    const { basis } = served ?? { basis: '' };
    options.index.put(tokensOf(secret), { ...servedFrom(secret, served?.payload), basis });
    await report(secret, context, reason, failure, undefined);
    throw new Error(failure, { cause: error });
  }
}

async function findOrMake(
  secret: corev1.Secret,
  { clock, signal }: ReconcileContext,
  options: TokenControllerOptions,
): Promise<Found> {
  const basis = basisOf(secret);
  const served = options.index.of(secret.metadata.name ?? '');
  if (served?.payload && served.basis === basis) return { payload: served.payload };
  const owner = ownerOf(secret);
  // Machines of a rollout boot alike, also from a replica that started later or is of a newer build.
  const pinned = pinnedKey(secret, basis);
  const kept = pinned === undefined ? undefined : await options.payloads.read(pinned, owner, signal);
  if (kept && pinned !== undefined) return { payload: kept, key: pinned };
  const inputs = await options.source.inputsFor(secret, signal);
  const key = payloadKey(inputs);
  const stored = await options.payloads.read(key, owner, signal);
  if (stored) return { payload: stored, key };
  options.metrics.misses.inc();
  const start = clock.now();
  const { json } = renderPayload(inputs);
  options.metrics.generationSeconds.observe((clock.now() - start) / 1000);
  return { payload: await options.payloads.write(key, Buffer.from(json, 'utf8'), owner, signal), key };
}

function pinnedKey({ metadata }: corev1.Secret, basis: string): string | undefined {
  const { [tokenAnnotation.payloadKey]: key, [tokenAnnotation.payloadBasis]: madeFrom } = metadata.annotations ?? {};
  return madeFrom === basis ? key : undefined;
}

const ownerOf = ({ metadata }: corev1.Secret): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'Secret',
  name: metadata.name ?? '',
  uid: metadata.uid ?? '',
});

/** Only what changed is written: a failing config must not write with every retry. */
async function report(
  secret: corev1.Secret,
  { client, signal }: ReconcileContext,
  reason: string,
  message: string,
  found: Found | undefined,
): Promise<void> {
  const data: Record<string, string | null> = {};
  if (secretText(secret, tokenKey.reason) !== reason) data[tokenKey.reason] = secretData(reason);
  if (secretText(secret, tokenKey.message) !== message) data[tokenKey.message] = secretData(message);
  const inPlace = secret.metadata.annotations?.[tokenAnnotation.upgradeType] === 'InPlace';
  const stored = secret.data?.[tokenKey.payload];
  if (!inPlace && stored !== undefined) data[tokenKey.payload] = null;
  if (inPlace && found) {
    const encoded = secretData(compressAndEncode(found.payload));
    if (encoded !== stored) data[tokenKey.payload] = encoded;
  }
  const basis = basisOf(secret);
  const pin =
    found?.key !== undefined && pinnedKey(secret, basis) !== found.key
      ? { [tokenAnnotation.payloadKey]: found.key, [tokenAnnotation.payloadBasis]: basis }
      : undefined;
  if (Object.keys(data).length === 0 && !pin) return;
  const body = { ...(pin ? { metadata: { annotations: pin } } : {}), data };
  const key = { namespace: secret.metadata.namespace ?? '', name: secret.metadata.name ?? '' };
  await client.patch(corev1.secrets, key, { type: 'merge', body }, { signal }).catch(ignoreGone);
}

function ignoreGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
