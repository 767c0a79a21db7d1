import { type DiscoveryFormat, discoveryFormat } from './accept.ts';
import { aggregatedDiscovery } from './aggregated.ts';
import { documentOf } from './document.ts';
import { type Group, groupsOf } from './groups.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts';
import type { Document, ServedResource } from './served-resource.ts';

export interface DiscoveryOptions {
  /** `host:port` under which clients reach the server; part of the old `/api` answer. */
  readonly serverAddress?: string;
}

/**
 * All discovery answers for one set of served resources. Immutable: make a new one when the set changes. Nothing is
 * rendered before it is asked for.
 */
export class Discovery {
  readonly #groups: readonly Group[];
  readonly #serverAddress: string;
  readonly #rendered = new Map<string, Document>();

  constructor(resources: Iterable<ServedResource>, options: DiscoveryOptions = {}) {
    this.#groups = groupsOf(resources);
    this.#serverAddress = options.serverAddress ?? '';
  }

  /** `GET /api` */
  api(accept: string | undefined): Document {
    const format = discoveryFormat(accept);
    const core = this.#groups.filter(({ name }) => name === '');
    return this.#render(`/api ${format}`, () =>
      format === 'legacy' ? json(apiVersions(core[0], this.#serverAddress)) : aggregated(core, format),
    );
  }

  /** `GET /apis` */
  apis(accept: string | undefined): Document {
    const format = discoveryFormat(accept);
    const named = this.#groups.filter(({ name }) => name !== '');
    return this.#render(`/apis ${format}`, () =>
      format === 'legacy' ? json(apiGroupList(named)) : aggregated(named, format),
    );
  }

  /** `GET /apis/<group>`; undefined when nothing of that group is served. */
  group(name: string): Document | undefined {
    const group = name === '' ? undefined : this.#find(name);
    return group && this.#render(`/apis/${name}`, () => json(apiGroup(group)));
  }

  /** `GET /api/<version>` with group '', `GET /apis/<group>/<version>` otherwise. */
  groupVersion(group: string, version: string): Document | undefined {
    const found = this.#find(group)?.versions.find((candidate) => candidate.version === version);
    return found && this.#render(`${group}/${version}`, () => json(apiResourceList(found)));
  }

  #find(name: string): Group | undefined {
    return this.#groups.find((group) => group.name === name);
  }

  #render(key: string, make: () => Document): Document {
    let document = this.#rendered.get(key);
    if (!document) this.#rendered.set(key, (document = make()));
    return document;
  }
}

function json(value: object): Document {
  return documentOf(`${JSON.stringify(value)}\n`);
}

function aggregated(groups: readonly Group[], version: Exclude<DiscoveryFormat, 'legacy'>): Document {
  const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
  return documentOf(aggregatedDiscovery(groups, version), contentType);
}
