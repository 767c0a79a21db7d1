import { describe, expect, it } from 'vitest';
import { builtinCatalogue } from '../resource/builtin.ts';
import { Catalogue } from '../resource/catalogue.ts';
import { Documents } from './documents.ts';

describe('OpenAPI documents by hash', () => {
  const documents = new Documents(new Catalogue(builtinCatalogue()), () => 'localhost:6443');
  const find = (query: string) => documents.find('/openapi/v3/apis/apps/v1', '', new URLSearchParams(query));
  const current = find('hash=outdated')?.movedTo ?? '';

  it('When the hash is outdated, it should point to the current document', () => {
    expect(current).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
  });

  it('When the hash is current, it should be kept for good', () => {
    const document = find(current.slice(current.indexOf('?') + 1));
    expect(document?.movedTo).toBeUndefined();
    expect(document?.headers).toEqual({ 'cache-control': 'public, immutable' });
  });

  it('When no hash is given, it should be the document, to be asked for again', () => {
    expect(find('')?.movedTo).toBeUndefined();
    expect(find('')?.headers).toBeUndefined();
  });
});
