import { encodeProtobuf, statusErrors } from '@hypershift-ts/kube-apimachinery';
import { stringify } from 'yaml';
import type { Representation } from '../request/negotiation.ts';

/** An answer in the negotiated format. */
export function encodeObject(object: object, representation: Representation): string | Buffer {
  switch (representation.format) {
    case 'json':
      return `${JSON.stringify(object)}\n`;
    case 'yaml':
      return stringify(object, { aliasDuplicateObjects: false });
    case 'protobuf': {
      const bytes = encodeProtobuf(object as { apiVersion: string; kind: string });
      if (!bytes) throw statusErrors.notAcceptable(['application/json', 'application/yaml']);
      return Buffer.from(bytes);
    }
  }
}
