import { createHash } from 'node:crypto';
import { apiVersionOf, kubernetesVersion, type Schema } from '@hypershift-ts/kube-apimachinery';
import { type Document, documentOf, ResourceMemo } from '../discovery/index.ts';
import { describedDefinitions } from './descriptions.ts';
import { renderV3 } from './document-v3.ts';
import type { OpenApiResource } from './openapi-resource.ts';

interface GroupVersionEntry {
  readonly resources: OpenApiResource[];
  hash?: string;
  document?: Document;
}

/** A group-version's document together with the hash that the index names it by. */
export interface OpenApiV3Document {
  readonly document: Document;
  /** A request that carries it may be cached for good; one with another should be sent to the right one. */
  readonly hash: string;
  /** `/openapi/v3/apis/apps/v1?hash=...` */
  readonly url: string;
}

/**
 * The OpenAPI v3 documents for one set of served resources. Immutable: make a new one when the set changes. Nothing
 * is rendered before it is asked for, and what did not change is not rendered again.
 */
export class OpenApiV3 {
  readonly #entries: ReadonlyMap<string, GroupVersionEntry>;
  #index: Document | undefined;

  constructor(resources: Iterable<OpenApiResource>) {
    const entries = new Map<string, GroupVersionEntry>();
    for (const resource of resources) {
      const path = pathOf(resource.group, resource.version);
      const entry = entries.get(path);
      if (entry) entry.resources.push(resource);
      else entries.set(path, { resources: [resource] });
    }
    this.#entries = entries;
  }

  /** `GET /openapi/v3`: where the documents are. */
  index(): Document {
    if (!this.#index) {
      const paths: Record<string, object> = {};
      for (const path of [...this.#entries.keys()].sort()) paths[path] = { serverRelativeURL: this.#url(path) };
      this.#index = documentOf(`${JSON.stringify({ paths })}\n`);
    }
    return this.#index;
  }

  /** `GET /openapi/v3/api/<version>` with group '', `GET /openapi/v3/apis/<group>/<version>` otherwise. */
  groupVersion(group: string, version: string): OpenApiV3Document | undefined {
    const path = pathOf(group, version);
    const entry = this.#entries.get(path);
    if (!entry) return undefined;
    entry.document ??= rendered.get(entry.resources, () => documentOf(renderV3(entry.resources)));
    return { document: entry.document, hash: this.#hash(path), url: this.#url(path) };
  }

  #url(path: string): string {
    return `/openapi/v3/${path}?hash=${this.#hash(path)}`;
  }

  #hash(path: string): string {
    const entry = this.#entries.get(path);
    if (!entry) return '';
    entry.hash ??= hashOf(entry.resources);
    return entry.hash;
  }
}

function pathOf(group: string, version: string): string {
  return `${group === '' ? 'api' : 'apis'}/${apiVersionOf({ group, version })}`;
}

const rendered = new ResourceMemo<OpenApiResource, Document>();

/** Schemas are shared by servers that have the same custom resources, so each is hashed once in a process. */
const schemaHashes = new WeakMap<Schema, string>();

/**
 * Changes whenever the document would, yet is much cheaper to make, because the index needs the hashes of documents
 * that nobody may ever ask for. Built-in schemas are cyclic and change only with the version.
 */
function hashOf(resources: readonly OpenApiResource[]): string {
  const hash = createHash('sha512').update(edition());
  for (const resource of resources) {
    const { group, version, kind, listKind, verbs, subresources, namespaced, logic } = resource;
    hash.update(JSON.stringify([group, version, resource.resource, kind, listKind, verbs, subresources, namespaced]));
    if (resource.custom && logic) hash.update(schemaHash(logic.schema));
  }
  return hash.digest('hex').toUpperCase();
}

let editionText: string | undefined;

/** What documents of the same resources may still differ in: the emulated version and our descriptions. */
function edition(): string {
  editionText ??= JSON.stringify([kubernetesVersion, describedDefinitions()]);
  return editionText;
}

function schemaHash(schema: Schema): string {
  let hash = schemaHashes.get(schema);
  if (hash === undefined) {
    hash = createHash('sha512').update(JSON.stringify(schema)).digest('hex');
    schemaHashes.set(schema, hash);
  }
  return hash;
}
