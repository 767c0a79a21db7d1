import { decodeYaml, deepFreeze, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { causeText } from '../errors.ts';
import { malformedRelease } from './image-references.ts';

export const bootImagesFile = 'release-manifests/0000_50_installer_coreos-bootimages.yaml';

export interface RegionImage {
  readonly release: string;
  readonly image: string;
}

export interface MarketplaceImage {
  readonly publisher: string;
  readonly offer: string;
  readonly sku: string;
  readonly version: string;
}

/** CoreOS stream metadata of one architecture, in the words of its JSON. */
export interface StreamArchitecture {
  readonly artifacts?: Readonly<
    Record<
      string,
      {
        readonly release: string;
        readonly formats: Readonly<
          Record<
            string,
            Readonly<
              Record<
                string,
                { readonly location: string; readonly sha256?: string; readonly 'uncompressed-sha256'?: string }
              >
            >
          >
        >;
      }
    >
  >;
  readonly images?: {
    readonly aws?: { readonly regions: Readonly<Record<string, RegionImage>> };
    readonly gcp?: { readonly release: string; readonly project: string; readonly name: string };
    readonly kubevirt?: { readonly release: string; readonly image: string; readonly 'digest-ref'?: string };
    readonly powervs?: {
      readonly regions: Readonly<
        Record<
          string,
          { readonly release: string; readonly object: string; readonly bucket: string; readonly url: string }
        >
      >;
    };
  };
  readonly 'rhel-coreos-extensions'?: {
    readonly 'azure-disk'?: { readonly release?: string; readonly url?: string };
    readonly 'aws-winli'?: { readonly regions?: Readonly<Record<string, RegionImage>> };
    readonly marketplace?: {
      readonly azure?: Readonly<
        Record<string, { readonly hyperVGen1?: MarketplaceImage; readonly hyperVGen2?: MarketplaceImage }>
      >;
    };
  };
}

/** CoreOS stream metadata: which image a machine boots from, per architecture and cloud. */
export interface BootImageStream {
  readonly stream: string;
  /** By the kernel's names: `x86_64`, `aarch64`, `ppc64le`, `s390x`. */
  readonly architectures: Readonly<Record<string, StreamArchitecture>>;
}

/** The boot images of a release. Since 5.0 there are several streams, by name; `legacy` stays what it was. */
export interface BootImages {
  readonly legacy?: BootImageStream;
  readonly streams?: Readonly<Record<string, BootImageStream>>;
}

/** Reads the ConfigMap with the boot images. */
export function parseBootImages(bytes: Uint8Array, image: string): BootImages {
  const bad = (why: string, cause?: unknown) => malformedRelease(image, `${bootImagesFile} ${why}`, cause);
  let document: unknown;
  try {
    document = decodeYaml(new TextDecoder().decode(bytes)).value;
  } catch (cause) {
    throw bad(`is not YAML: ${causeText(cause)}`, cause);
  }
  const data = isJsonObject(document) && isJsonObject(document['data']) ? document['data'] : {};
  const parse = (key: string): Record<string, unknown> | undefined => {
    const text = data[key];
    if (typeof text !== 'string') return undefined;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      throw bad(`holds a key ${JSON.stringify(key)} that is not JSON`, cause);
    }
    if (!isJsonObject(value)) throw bad(`holds a key ${JSON.stringify(key)} that is not an object`);
    return value;
  };
  const legacy = parse('stream');
  const streams = parse('streams');
  const named = Object.entries(streams ?? {}).map(([name, value]) => [name, asStream(value, name, bad)] as const);
  if (!legacy && named.length === 0) throw bad("is missing both 'stream' and 'streams' keys");
  return deepFreeze({
    ...(legacy ? { legacy: asStream(legacy, 'stream', bad) } : {}),
    ...(named.length > 0 ? { streams: Object.fromEntries(named) } : {}),
  });
}

function asStream(value: unknown, name: string, bad: (why: string) => Error): BootImageStream {
  if (
    !isJsonObject(value) ||
    !isJsonObject(value['architectures']) ||
    !Object.values(value['architectures']).every(isJsonObject)
  )
    throw bad(`has no architectures in stream ${JSON.stringify(name)}`);
  // The leaves are checked where they are used: payloads of many versions differ in what they carry.
  return value as unknown as BootImageStream;
}
