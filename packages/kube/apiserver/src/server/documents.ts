import { Discovery } from '../discovery/index.ts';
import { OpenApiV3, openApiV2 } from '../openapi/index.ts';
import type { Catalogue } from '../resource/catalogue.ts';

/** A rendered discovery or OpenAPI document. */
export interface ServedDocument {
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the client should look instead: it asked for a version that is no more. */
  readonly movedTo?: string;
}

/** Discovery and OpenAPI of one server, made anew when what it serves has changed. */
export class Documents {
  private readonly catalogue: Catalogue;
  private readonly serverAddress: () => string;
  private revision = -1;
  private discovery: Discovery | undefined;
  private openApi: OpenApiV3 | undefined;

  constructor(catalogue: Catalogue, serverAddress: () => string) {
    this.catalogue = catalogue;
    this.serverAddress = serverAddress;
  }

  find(path: string, accept: string, query: URLSearchParams): ServedDocument | undefined {
    this.refresh();
    const discovery = this.discovery!;
    const parts = path.split('/').slice(1);
    if (parts[0] === 'api') {
      if (parts.length === 1) return discovery.api(accept);
      return parts.length === 2 ? discovery.groupVersion('', parts[1]!) : undefined;
    }
    if (parts[0] === 'apis') {
      if (parts.length === 1) return discovery.apis(accept);
      if (parts.length === 2) return discovery.group(parts[1]!);
      return parts.length === 3 ? discovery.groupVersion(parts[1]!, parts[2]!) : undefined;
    }
    if (path === '/openapi/v2') return openApiV2(accept);
    if (parts[0] === 'openapi' && parts[1] === 'v3') return this.openApiV3(parts.slice(2), query);
    return undefined;
  }

  /** /openapi/v3, /openapi/v3/api/v1, /openapi/v3/apis/apps/v1 */
  private openApiV3(parts: readonly string[], query: URLSearchParams): ServedDocument | undefined {
    const openApi = this.openApi!;
    if (parts.length === 0) return openApi.index();
    const found =
      parts[0] === 'api' && parts.length === 2
        ? openApi.groupVersion('', parts[1]!)
        : parts[0] === 'apis' && parts.length === 3
          ? openApi.groupVersion(parts[1]!, parts[2]!)
          : undefined;
    if (!found) return undefined;
    // A document named by its hash never changes, so clients may keep it.
    const asked = query.get('hash');
    if (asked !== null && asked !== '' && asked !== found.hash) return { ...found.document, movedTo: found.url };
    const cacheable = asked === found.hash;
    return { ...found.document, ...(cacheable ? { headers: { 'cache-control': 'public, immutable' } } : {}) };
  }

  private refresh(): void {
    if (this.revision === this.catalogue.revision) return;
    this.revision = this.catalogue.revision;
    this.openApi = new OpenApiV3(this.catalogue.all());
    this.discovery = new Discovery(this.catalogue.all(), { serverAddress: this.serverAddress() });
  }
}
