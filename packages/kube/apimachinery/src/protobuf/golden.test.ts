import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtinNotServed } from '../builtin/not-served.ts';
import type { JsonObject } from '../json.ts';
import { decodeProtobuf, encodeProtobuf } from './envelope.ts';
import { hasProtobuf } from './messages.ts';

const folder = join(import.meta.dirname, '../../../../../../shared/vectors/kubernetes/golden-objects');
const present = existsSync(folder);
if (!present) process.stderr.write(`skipping golden objects: ${folder} does not exist\n`);

/** File names read `apps.v1.Deployment`, with `core` for the group without a name. */
function gvkOf(file: string) {
  const parts = file.split('.');
  const kind = parts.at(-1) ?? '';
  const version = parts.at(-2) ?? '';
  const group = parts.slice(0, -2).join('.');
  return { group: group === 'core' ? '' : group, version, kind };
}

/** Group-versions in the vectors that the tables do not hold, beyond those that are not served. */
const notInTables: { readonly [groupVersion: string]: string } = {
  'admission.k8s.io/v1': 'travels only as JSON, between API server and webhooks',
  'admission.k8s.io/v1beta1': 'removed in 1.22',
  'apidiscovery.k8s.io/v2': 'an answer that is served as JSON',
  'apidiscovery.k8s.io/v2beta1': 'an answer that is served as JSON',
  'apps/v1beta1': 'removed in 1.16',
  'apps/v1beta2': 'removed in 1.16',
  'authorization.k8s.io/v1beta1': 'removed in 1.22',
  'batch/v1beta1': 'removed in 1.25',
  'certificates.k8s.io/v1alpha1': 'alpha, off by default',
  'discovery.k8s.io/v1beta1': 'removed in 1.25',
  'events.k8s.io/v1beta1': 'removed in 1.25',
  'extensions/v1beta1': 'removed in 1.22',
  'flowcontrol.apiserver.k8s.io/v1beta1': 'removed in 1.26',
  'flowcontrol.apiserver.k8s.io/v1beta2': 'removed in 1.29',
  'flowcontrol.apiserver.k8s.io/v1beta3': 'removed in 1.32',
  'imagepolicy.k8s.io/v1alpha1': 'travels only between API server and webhook',
  'networking.k8s.io/v1beta1': 'off by default',
  'node.k8s.io/v1alpha1': 'removed in 1.26',
  'node.k8s.io/v1beta1': 'removed in 1.25',
  'policy/v1beta1': 'removed in 1.25',
  'rbac.authorization.k8s.io/v1alpha1': 'removed in 1.23',
  'rbac.authorization.k8s.io/v1beta1': 'removed in 1.22',
  'storage.k8s.io/v1alpha1': 'off by default',
  'storage.k8s.io/v1beta1': 'off by default',
};

describe.skipIf(!present)('golden objects', () => {
  const files = present
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.pb'))
        .map((name) => name.slice(0, -'.pb'.length))
    : [];
  const known = files.filter((file) => hasProtobuf(gvkOf(file)));

  it('When a kind is not in the tables, it should be on the list with a reason', () => {
    const unknown = new Set(
      files.filter((file) => !hasProtobuf(gvkOf(file))).map((file) => `${gvkOf(file).group}/${gvkOf(file).version}`),
    );
    expect([...unknown].filter((name) => !(name in builtinNotServed)).sort()).toEqual(Object.keys(notInTables).sort());
    expect(known.length).toBeGreaterThanOrEqual(88);
  });

  it.each(known)('When %s is decoded, it should equal the JSON', (file) => {
    const body = readFileSync(join(folder, `${file}.pb`));
    const json = JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as JsonObject;
    const decoded = decodeProtobuf(body, { defaultKind: gvkOf(file) });
    expect(decoded).toEqual(json);
    // Go's order of keys, so that answers print the same.
    expect(JSON.stringify(decoded)).toBe(JSON.stringify(json));
  });

  it.each(known)('When %s is encoded, it should give the same bytes', (file) => {
    const body = readFileSync(join(folder, `${file}.pb`));
    const json = JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as JsonObject;
    const encoded = encodeProtobuf(json, gvkOf(file));
    expect(Buffer.from(encoded).toString('hex')).toBe(body.toString('hex'));
  });
});
