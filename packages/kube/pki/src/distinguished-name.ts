import type { DerReader } from './der.ts';
import { element, oid, sequence, setOf, tag } from './der.ts';

/** The parts of an X.509 subject Kubernetes looks at: `commonName` is a user name, `organizations` are groups. */
export interface DistinguishedName {
  readonly commonName?: string;
  readonly organizations?: readonly string[];
  readonly organizationalUnits?: readonly string[];
  readonly countries?: readonly string[];
  readonly localities?: readonly string[];
  readonly provinces?: readonly string[];
  readonly serialNumber?: string;
}

const attributeOid = {
  commonName: '2.5.4.3',
  serialNumber: '2.5.4.5',
  countries: '2.5.4.6',
  localities: '2.5.4.7',
  provinces: '2.5.4.8',
  organizations: '2.5.4.10',
  organizationalUnits: '2.5.4.11',
} as const;

// Everything outside this alphabet needs UTF8String; Go chooses the same way, so names compare byte for byte.
const printable = /^[A-Za-z0-9 '()+,\-./:=?]*$/;

function attribute(type: string, value: string): Buffer {
  const text = Buffer.from(value, 'utf8');
  return sequence(oid(type), element(printable.test(value) ? tag.printableString : tag.utf8String, text));
}

/** One RDN per attribute kind, in the order Go's pkix.Name writes them. */
export function encodeName(name: DistinguishedName): Buffer {
  const rdns: Buffer[] = [];
  const many = (type: string, values: readonly string[] | undefined) => {
    if (values && values.length > 0) rdns.push(setOf(values.map((value) => attribute(type, value))));
  };
  many(attributeOid.countries, name.countries);
  many(attributeOid.organizations, name.organizations);
  many(attributeOid.organizationalUnits, name.organizationalUnits);
  many(attributeOid.localities, name.localities);
  many(attributeOid.provinces, name.provinces);
  if (name.commonName) rdns.push(setOf([attribute(attributeOid.commonName, name.commonName)]));
  if (name.serialNumber) rdns.push(setOf([attribute(attributeOid.serialNumber, name.serialNumber)]));
  return sequence(...rdns);
}

function text(tagByte: number, content: Buffer): string {
  // BMPString is UTF-16 big endian; every other string type of old certificates is read as UTF-8.
  if (tagByte === 0x1e && content.length % 2 === 0) return Buffer.from(content).swap16().toString('utf16le');
  return content.toString('utf8');
}

/** Reads the contents of a Name; of repeated common names the last wins, as in Go. */
export function decodeName(reader: DerReader): DistinguishedName {
  const lists: Record<'organizations' | 'organizationalUnits' | 'countries' | 'localities' | 'provinces', string[]> = {
    organizations: [],
    organizationalUnits: [],
    countries: [],
    localities: [],
    provinces: [],
  };
  let commonName: string | undefined;
  let serialNumber: string | undefined;
  while (!reader.done) {
    const rdn = reader.enter(tag.set);
    while (!rdn.done) {
      const pair = rdn.enter();
      const type = pair.oid();
      const node = pair.next();
      const value = text(node.tag, node.content);
      if (type === attributeOid.commonName) commonName = value;
      else if (type === attributeOid.serialNumber) serialNumber = value;
      else if (type === attributeOid.organizations) lists.organizations.push(value);
      else if (type === attributeOid.organizationalUnits) lists.organizationalUnits.push(value);
      else if (type === attributeOid.countries) lists.countries.push(value);
      else if (type === attributeOid.localities) lists.localities.push(value);
      else if (type === attributeOid.provinces) lists.provinces.push(value);
    }
  }
  return {
    ...(commonName === undefined ? {} : { commonName }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
    ...Object.fromEntries(Object.entries(lists).filter(([, values]) => values.length > 0)),
  };
}

/** `CN=admin,O=system:masters`: for messages, never for comparing. */
export function formatName(name: DistinguishedName): string {
  const parts: string[] = [];
  if (name.commonName) parts.push(`CN=${name.commonName}`);
  for (const value of name.organizationalUnits ?? []) parts.push(`OU=${value}`);
  for (const value of name.organizations ?? []) parts.push(`O=${value}`);
  return parts.join(',');
}
