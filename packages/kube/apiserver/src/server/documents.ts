import { Discovery } from '../discovery/index.ts';
import type { Catalogue } from '../resource/catalogue.ts';

/** A rendered discovery or OpenAPI document. */
export interface ServedDocument {
  readonly contentType: string;
  readonly body: string | Buffer;
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Discovery and OpenAPI of one server, made anew when what it serves has changed. */
export class Documents {
  private readonly catalogue: Catalogue;
  private readonly serverAddress: () => string;
  private revision = -1;
  private discovery: Discovery | undefined;

  constructor(catalogue: Catalogue, serverAddress: () => string) {
    this.catalogue = catalogue;
    this.serverAddress = serverAddress;
  }

  find(path: string, accept: string, _query: URLSearchParams): ServedDocument | undefined {
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
    return undefined;
  }

  private refresh(): void {
    if (this.revision === this.catalogue.revision) return;
    this.revision = this.catalogue.revision;
    this.discovery = new Discovery(this.catalogue.all(), { serverAddress: this.serverAddress() });
  }
}
