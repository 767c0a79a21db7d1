import { deepFreeze } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { builtinBehaviours } from './index.ts';
import { anObject, now, scope } from './testing/objects.ts';

const hostile = [
  {},
  { spec: null, status: null, metadata: { name: 'x' } },
  { spec: {}, status: {}, data: null, rules: null, webhooks: null, subjects: null },
  { spec: { template: null, selector: null, ports: null, containers: [null], volumes: [null], metrics: [null] } },
  { spec: { template: { spec: { containers: [{}], volumes: [{}], initContainers: [{}] } }, ports: [{}], rules: [{}] } },
  { webhooks: [{}], rules: [{}], subjects: [{}], subsets: [{}], endpoints: [{}], ports: [{}], data: { a: 'x' } },
];

describe.each(Object.entries(builtinBehaviours))('%s', (_name, behaviour) => {
  it('When columns are declared, it should give one cell for each', () => {
    expect(behaviour.cells?.(anObject({}), now)).toHaveLength(behaviour.columns?.length ?? 0);
    expect(behaviour.columns?.length).toBeGreaterThan(1);
  });

  it.each(hostile.map((fields, index) => [index, fields] as const))(
    'When an object has holes (case %i), it should answer and not throw',
    (_index, fields) => {
      const draft = structuredClone(anObject(fields));
      behaviour.defaults?.(draft);
      behaviour.prepareForCreate?.(draft, scope);
      const object = deepFreeze(draft);
      expect(Array.isArray(behaviour.validate?.(object) ?? [])).toBe(true);
      expect(Array.isArray(behaviour.validateUpdate?.(object, object) ?? [])).toBe(true);
      expect(Array.isArray(behaviour.status?.validate?.(object, object) ?? [])).toBe(true);
      expect(Array.isArray(behaviour.cells?.(object, now) ?? [])).toBe(true);
      expect(Array.isArray(behaviour.warnings?.(object) ?? [])).toBe(true);
      for (const read of Object.values(behaviour.selectableFields ?? {})) expect(typeof read(object)).toBe('string');
    },
  );

  it('When a nearly empty object is defaulted twice, it should not change the second time', () => {
    const once = structuredClone(
      anObject({ spec: { template: { spec: { containers: [{ name: 'a', image: 'b' }] } } } }),
    );
    behaviour.defaults?.(once);
    const twice = structuredClone(once);
    behaviour.defaults?.(twice);
    expect(twice).toEqual(once);
  });
});
