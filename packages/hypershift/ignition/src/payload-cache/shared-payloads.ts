import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { OwnerReference } from '@hypershift-ts/kube-apimachinery';
import { corev1, isAlreadyExists, isConflict, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { rendererRevision } from '../payload/payload-inputs.ts';

/** A Secret holds at most one MiB; base64 and metadata take their share. */
const partBytes = 700 * 1024;
const maxParts = 8;
const maxAttempts = 5;
export const maxPayloadBytes = 16 * 1024 * 1024;
const label = 'hypershift-ts.io/ignition-payload';
const digestAnnotation = 'hypershift-ts.io/payload-digest';
const partsAnnotation = 'hypershift-ts.io/payload-parts';
const revisionAnnotation = 'hypershift-ts.io/renderer-revision';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/**
 * Payloads that all replicas share, in immutable Secrets named after what the payload is made of. Whoever renders first
 * writes; the others find it. There is no lock: creating the first part is the decision. Token Secrets own the parts,
 * so the garbage collector removes a payload with the last rollout that used it.
 */
export class SharedPayloads {
  private readonly client: Client;
  private readonly namespace: string;

  constructor(client: Client, namespace: string) {
    this.client = client;
    this.namespace = namespace;
  }

  /** The stored payload; undefined when there is none or it cannot be trusted. */
  async read(key: string, owner: OwnerReference, signal?: AbortSignal): Promise<Buffer | undefined> {
    const first = await this.part(key, 0, signal);
    if (!first) return undefined;
    const count = Number(first.metadata.annotations?.[partsAnnotation] ?? '1');
    const parts = [first];
    for (let i = 1; i < Math.min(count, maxParts); i++) {
      const next = await this.part(key, i, signal);
      if (!next) return undefined;
      parts.push(next);
    }
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part.data?.['part'] ?? '', 'base64')));
    const payload = await decompress(bytes, { maxOutputLength: maxPayloadBytes }).catch(() => undefined);
    if (!payload || digestOf(payload) !== first.metadata.annotations?.[digestAnnotation]) return undefined;
    for (const part of parts) await this.addOwner(part, owner, signal);
    return payload;
  }

  /** Stores the payload unless another replica did; answers what is stored. */
  async write(key: string, payload: Buffer, owner: OwnerReference, signal?: AbortSignal): Promise<Buffer> {
    const bytes = await compress(payload, { level: 9 });
    const count = Math.max(1, Math.ceil(bytes.length / partBytes));
    if (payload.length > maxPayloadBytes || count > maxParts)
      throw new Error(
        `the ignition payload has ${payload.length} bytes, more than ${maxPayloadBytes}; make the config smaller`,
      );
    const annotations = {
      [digestAnnotation]: digestOf(payload),
      [partsAnnotation]: String(count),
      [revisionAnnotation]: String(rendererRevision),
    };
    // The first part last: where it exists, the payload is complete.
    for (let i = count - 1; i > 0; i--) await this.writePart(key, i, partOf(bytes, i), annotations, owner, signal);
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      if (await this.createPart(key, 0, partOf(bytes, 0), annotations, owner, signal)) return payload;
      const stored = await this.read(key, owner, signal);
      if (stored) return stored;
      await this.deletePart(key, 0);
    }
    throw new Error(`the stored ignition payload ${key} is damaged and keeps coming back`);
  }

  /** The owner boots its machines with another payload from now on; this one goes unless somebody else has it. */
  async release(key: string, owner: OwnerReference, signal?: AbortSignal): Promise<void> {
    const first = await this.part(key, 0, signal);
    const count = Math.min(Number(first?.metadata.annotations?.[partsAnnotation] ?? '1'), maxParts);
    for (let i = 0; i < count; i++) {
      const part = i === 0 ? first : await this.part(key, i, signal);
      if (part) await this.dropOwner(part, owner, signal);
    }
  }

  /** A part that is not the first: kept when it is of the same payload, else replaced. */
  private async writePart(...[key, index, ...rest]: Parameters<SharedPayloads['createPart']>): Promise<void> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      if (await this.createPart(key, index, ...rest)) return;
      const known = (await this.part(key, index))?.metadata.annotations;
      if (known?.[digestAnnotation] === rest[1][digestAnnotation]) return;
      // Left over from a write that never finished.
      await this.deletePart(key, index);
    }
  }

  /** False when there is one already. */
  private async createPart(
    key: string,
    index: number,
    bytes: Buffer,
    annotations: Readonly<Record<string, string>>,
    owner: OwnerReference,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const metadata = {
      name: partName(key, index),
      namespace: this.namespace,
      labels: { [label]: 'true' },
      annotations,
    };
    const part = {
      metadata: { ...metadata, ownerReferences: [owner] },
      immutable: true,
      data: { part: bytes.toString('base64') },
    };
    try {
      await this.client.create(corev1.secrets, part, signal ? { signal } : {});
      return true;
    } catch (error) {
      if (isAlreadyExists(error)) return false;
      throw error;
    }
  }

  private async deletePart(key: string, index: number): Promise<void> {
    try {
      await this.client.delete(corev1.secrets, { namespace: this.namespace, name: partName(key, index) });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  private async part(key: string, index: number, signal?: AbortSignal): Promise<corev1.Secret | undefined> {
    try {
      const name = { namespace: this.namespace, name: partName(key, index) };
      return await this.client.get(corev1.secrets, name, signal ? { signal } : {});
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  private async addOwner(part: corev1.Secret, owner: OwnerReference, signal?: AbortSignal): Promise<void> {
    const owners = part.metadata.ownerReferences ?? [];
    if (owners.some(({ uid }) => uid === owner.uid)) return;
    await this.setOwners(part, [...owners, owner], signal);
  }

  private async dropOwner(part: corev1.Secret, owner: OwnerReference, signal?: AbortSignal): Promise<void> {
    const owners = part.metadata.ownerReferences ?? [];
    const others = owners.filter(({ uid }) => uid !== owner.uid);
    if (others.length < owners.length) await this.setOwners(part, others, signal);
  }

  /** A part without owners goes. */
  private async setOwners(
    { metadata }: corev1.Secret,
    owners: readonly OwnerReference[],
    signal?: AbortSignal,
  ): Promise<void> {
    const { resourceVersion = '', name = '' } = metadata;
    const key = { namespace: this.namespace, name };
    const body = { metadata: { resourceVersion, ownerReferences: owners } };
    try {
      if (owners.length === 0) await this.client.delete(corev1.secrets, key, { preconditions: { resourceVersion } });
      else await this.client.patch(corev1.secrets, key, { type: 'merge', body }, signal ? { signal } : {});
    } catch (error) {
      // Somebody else changed or collected it; the next look writes it anew if need be.
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }
}

const partOf = (bytes: Buffer, index: number): Buffer => bytes.subarray(index * partBytes, (index + 1) * partBytes);
const partName = (key: string, index: number): string => `ignition-payload-${key}${index === 0 ? '' : `-${index}`}`;
const digestOf = (payload: Uint8Array): string => createHash('sha256').update(payload).digest('hex');
