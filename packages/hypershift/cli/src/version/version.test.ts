import { readFileSync } from 'node:fs';
import { operatorVersion } from '@hypershift-ts/hypershift-embedded';
import { describe, expect, it } from 'vitest';
import { productVersion } from './version.ts';

describe('productVersion', () => {
  it('When a version is released, program, operator and packages should have it', () => {
    const manifest = readFileSync(new URL('../../../../../package.json', import.meta.url), 'utf8');
    expect((JSON.parse(manifest) as { version: string }).version).toBe(productVersion);
    expect(operatorVersion).toBe(productVersion);
  });
});
