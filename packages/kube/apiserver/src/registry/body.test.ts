import { describe, expect, it } from 'vitest';
import type { Draft } from '../kinds/behaviour.ts';
import { builtinCatalogue } from '../resource/builtin.ts';
import { Catalogue } from '../resource/catalogue.ts';
import { acceptBody, requireName } from './body.ts';
import { applyBody } from './patch.ts';

const resource = new Catalogue(builtinCatalogue()).find('', 'v1', 'configmaps')!;
const context = { user: { name: 'a', groups: [] }, now: 0, userAgent: '', warn: () => {}, auditAnnotation: () => {} };

function refusal(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    const { code, message } = error as { code: number; message: string };
    return `${code} ${message}`;
  }
}

// The words of kube-apiserver 1.37.
describe('what a body may be', () => {
  it.each<[Draft, string]>([
    [{ metadata: { name: 'x' } }, ''],
    [{ kind: 'ConfigMap', metadata: { name: 'x' } }, ''],
    [{ apiVersion: 'v1', metadata: { name: 'x' } }, ''],
    [
      { kind: { toString: 1 } },
      "400 the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: json: cannot unmarshal object into Go struct field .kind of type string",
    ],
  ])('When %j is sent, it should answer %j', (draft, expected) => {
    expect(refusal(() => acceptBody(resource, draft, [], { fieldValidation: 'Strict' }, context))).toBe(expected);
  });

  it('When a field is unknown, it should be refused if applied and dropped otherwise', () => {
    const body = (): Draft => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, foo: 1 });
    expect(refusal(() => acceptBody(resource, body(), [], { fieldValidation: 'Warn' }, context))).toBe('');
    expect(refusal(() => acceptBody(resource, body(), [], { fieldValidation: 'Warn' }, context, true))).toBe(
      '500 failed to create typed patch object (/x; /v1, Kind=ConfigMap): .foo: field not declared in schema',
    );
  });

  it.each<[Draft, string]>([
    [{}, '400 invalid object type: /, Kind='],
    [{ kind: 'ConfigMap' }, '400 invalid object type: /, Kind=ConfigMap'],
    [{ apiVersion: 'apps/v1', kind: 'Deployment' }, '400 invalid object type: apps/v1, Kind=Deployment'],
    [{ apiVersion: 'v1', kind: 'ConfigMap' }, ''],
  ])('When %j is applied, it should answer %j', (value, expected) => {
    expect(refusal(() => applyBody(resource, value))).toBe(expected);
  });

  it('When an update does not say its name, it should be refused', () => {
    expect(refusal(() => requireName({ metadata: {} }, { name: 'x' }))).toBe(
      '400 the name of the object (x based on URL) was undeterminable: name must be provided',
    );
  });
});
