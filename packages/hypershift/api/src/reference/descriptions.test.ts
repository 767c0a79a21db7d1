import { describe, expect, it } from 'vitest';
import { karpenterKinds, managementKinds } from '../kinds.ts';
import { fieldsOf, undescribedFields } from './descriptions.ts';

describe.each([...managementKinds, ...karpenterKinds].map((kind) => ({ name: `${kind.kind}.${kind.group}`, kind })))(
  '$name',
  ({ kind }) => {
    it('When its reference is read, it should say what the kind is for', () => {
      expect(kind.description).toMatch(/^[A-Z].*\.$/);
    });

    it('When its reference is read, it should describe every field', () => {
      expect(undescribedFields(kind)).toEqual([]);
    });

    it('When a field is described, it should be in plain sentences on one line', () => {
      const odd = [...fieldsOf(kind)].filter(
        ({ node }) => !/^[A-Z0-9`][ -~]*\.$/.test(node.definition.description ?? 'X.'),
      );
      expect(odd.map(({ path, node }) => `${path}: ${node.definition.description}`)).toEqual([]);
    });
  },
);
