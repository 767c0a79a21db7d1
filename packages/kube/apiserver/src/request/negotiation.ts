import { statusErrors } from '@hypershift-ts/kube-apimachinery';

/** How the answer is to be written. */
export interface Representation {
  readonly format: 'json' | 'yaml' | 'protobuf';
  /** `as=Table` and `as=PartialObjectMetadata` of meta.k8s.io. */
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata';
  /** The meta.k8s.io version asked for. */
  readonly metaVersion: 'v1' | 'v1beta1';
  /** What to put into Content-Type. */
  readonly contentType: string;
}

interface MediaRange {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const plain: Representation = { format: 'json', as: 'object', metaVersion: 'v1', contentType: 'application/json' };

/** Parses an Accept header into media ranges, in order of preference. */
function parseAccept(header: string): MediaRange[] {
  return header
    .split(',')
    .map((text, index) => {
      const [type = '', ...rest] = text.split(';').map((part) => part.trim());
      const parameters: Record<string, string> = {};
      let quality = 1;
      for (const part of rest) {
        const equals = part.indexOf('=');
        const name = (equals < 0 ? part : part.slice(0, equals)).toLowerCase();
        const value = equals < 0 ? '' : part.slice(equals + 1).replace(/^"(.*)"$/, '$1');
        if (name === 'q') quality = Number(value);
        else parameters[name] = value;
      }
      return { type: type.toLowerCase(), parameters, quality, index };
    })
    .filter((range) => range.type !== '' && range.quality > 0)
    .sort((a, b) => b.quality - a.quality || a.index - b.index);
}

export interface NegotiationOptions {
  /** Table and PartialObjectMetadata make sense here. */
  readonly transforms: boolean;
  /** The kind has a protobuf form (built-in kinds only). */
  readonly protobuf: boolean;
}

/** Picks the first acceptable representation; 406 when there is none. */
export function negotiate(header: string | undefined, options: NegotiationOptions): Representation {
  if (header === undefined || header === '' || header === 'application/json' || header === '*/*') return plain;
  const ranges = parseAccept(header);
  // JSON is what we store: whoever takes it gets it, even when protobuf stands first in the header.
  for (const protobuf of options.protobuf ? [false, true] : [false])
    for (const range of ranges) {
      const found = representationFor(range, { ...options, protobuf });
      if (found) return found;
    }
  throw statusErrors.notAcceptable([
    'application/json',
    'application/yaml',
    ...(options.protobuf ? ['application/vnd.kubernetes.protobuf'] : []),
  ]);
}

function representationFor(range: MediaRange, options: NegotiationOptions): Representation | undefined {
  const { type, parameters } = range;
  if (type === '*/*' || type === 'application/*') return plain;
  const as = parameters['as'];
  if (type === 'application/json' || type === 'application/yaml') {
    const format = type === 'application/json' ? 'json' : 'yaml';
    if (as === undefined) return format === 'json' ? plain : { ...plain, format, contentType: type };
    if (!options.transforms || parameters['g'] !== 'meta.k8s.io') return undefined;
    const version = parameters['v'];
    if (version !== 'v1' && version !== 'v1beta1') return undefined;
    const kind = as.replace(/List$/, '');
    if (kind !== 'Table' && kind !== 'PartialObjectMetadata') return undefined;
    return { format, as: kind, metaVersion: version, contentType: type };
  }
  if (type === 'application/vnd.kubernetes.protobuf' && options.protobuf && as === undefined)
    return { format: 'protobuf', as: 'object', metaVersion: 'v1', contentType: type };
  return undefined;
}
