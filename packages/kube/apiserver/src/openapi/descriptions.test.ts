import { builtinDefinitions } from '@hypershift-ts/kube-apimachinery';
import { expect, it } from 'vitest';
import { describedDefinitions } from './descriptions.ts';

it('When a definition or field is described, it should exist', () => {
  const { schemas } = builtinDefinitions();
  const stale = Object.entries(describedDefinitions()).flatMap(([name, words]) =>
    Object.entries(words)
      .filter(([field, text]) => text === '' || (field !== '' && !schemas[name]?.properties?.[field]))
      .map(([field]) => `${name}.${field}`),
  );
  expect(stale).toEqual([]);
});
