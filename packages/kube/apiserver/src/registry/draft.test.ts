import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deepFreeze, parseApiVersion, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { Draft } from '../kinds/behaviour.ts';
import { builtinCatalogue } from '../resource/builtin.ts';
import { draftFrom, draftOf, edited } from './draft.ts';

const stored = deepFreeze({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' }, resourceVersion: '7' },
  spec: { replicas: 1, template: { spec: { containers: [{ name: 'web' }] } } },
  status: { replicas: 1 },
}) as UnstructuredObject;

describe('draftFrom', () => {
  it('When a field says what is stored, it should be the stored one; the others should be copies of a lent body', () => {
    const sent = { ...structuredClone(stored), status: { replicas: 2 } } as UnstructuredObject;
    const draft = draftFrom(sent, stored, 'lent');
    expect(draft).toEqual(sent);
    expect(draft['spec']).toBe(stored['spec']);
    expect(draft['metadata'].labels).toBe(stored.metadata.labels);
    expect(draft['metadata']).not.toBe(stored.metadata);
    expect(draft['status']).not.toBe(sent['status']);
  });

  it('When one field of the content differs, it should share none of it, because editors move things between them', () => {
    const secret = deepFreeze({ apiVersion: 'v1', kind: 'Secret', metadata: {}, type: 'Opaque', data: { a: 'eA==' } });
    const draft = draftFrom({ ...secret, stringData: { b: 'y' } }, secret, 'lent');
    expect(draft['data']).toEqual(secret.data);
    expect(draft['data']).not.toBe(secret.data);
    const { type: _, ...less } = secret;
    expect(draftFrom(less, secret, 'lent')['data']).not.toBe(secret.data);
  });

  it('When a lent body is changed through its draft, it should stay as it was', () => {
    const sent = { ...stored, spec: { replicas: 3, paused: true } };
    const draft = draftFrom(sent, stored, 'lent');
    draft['spec'].replicas = 5;
    draft['metadata'].name = 'other';
    expect(sent.spec.replicas).toBe(3);
    expect(stored.metadata.name).toBe('web');
  });
});

describe('edited', () => {
  it('When an editor reaches into a shared field, it should get a copy of it', () => {
    const draft = draftOf(stored);
    edited(draft, ({ spec }) => {
      spec.template.spec.containers[0].image = 'web:1';
    });
    expect(draft['spec'].template.spec.containers).toEqual([{ name: 'web', image: 'web:1' }]);
    expect(stored['spec']).toEqual({ replicas: 1, template: { spec: { containers: [{ name: 'web' }] } } });
  });

  it('When an editor fails for another reason, it should be heard', () => {
    const failing = () => {
      throw new RangeError('too many');
    };
    expect(() => edited(draftOf(stored), failing)).toThrow('too many');
  });
});

const folder = fileURLToPath(new URL('../../../../../../shared/vectors/kubernetes/golden-objects/', import.meta.url));
const present = existsSync(folder);
if (!present) process.stderr.write('SKIPPED: no golden objects at ../shared/vectors/kubernetes\n');

const scope = { now: 0, user: { name: 'test', groups: [] }, dryRun: false };
const golden = (present ? readdirSync(folder) : [])
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(folder + name, 'utf8')) as Draft)
  .flatMap((object) => {
    const { group, version } = parseApiVersion(object['apiVersion'] ?? '');
    const resource = [...builtinCatalogue().values()].find(
      (one) => one.group === group && one.version === version && one.kind === object['kind'],
    );
    return resource ? [{ name: `${resource.kind} of ${object['apiVersion']}`, object, logic: resource.logic }] : [];
  });

describe.skipIf(!present)('editors of updates', () => {
  // They would do their work all the same, with copies, but that is what sharing is there to save.
  it.each(golden)('When nothing of a $name changes, it should be left alone', ({ object, logic }) => {
    const draft = structuredClone(object);
    const complete = (): void => {
      logic.normalise(draft);
      logic.complete?.(draft);
      logic.defaults(draft);
    };
    complete();
    logic.prepareForCreate(draft, scope);
    complete();
    const old = deepFreeze(draft) as UnstructuredObject;
    const next = draftOf(old);
    logic.normalise(next);
    logic.complete?.(next);
    logic.defaults(next);
    logic.prepareForUpdate(next, old, scope);
    logic.prepareForStatus(next, old, scope);
    expect(next).toEqual(old);
  });
});
