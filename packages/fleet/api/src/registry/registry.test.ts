import { decodeYaml } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { vectors } from '../testing/vectors.ts';
import {
  adapterConditionType,
  createRegistry,
  defaultEntities,
  type Entity,
  managementClusterEntity,
} from './index.ts';

const expression = { expression: 'true' };
const rule = (type: string) => ({
  type,
  when: expression,
  output: { status: expression, reason: expression, message: expression },
});
const root: Entity = { kind: 'Root', plural: 'roots', required_adapters: ['my-adapter'] };
const child: Entity = { kind: 'Child', plural: 'children', parent_kind: 'Root', on_parent_delete: 'cascade' };

describe('createRegistry', () => {
  it('When the default kinds are loaded, it should accept them and know parents and children', () => {
    const registry = createRegistry([...defaultEntities, managementClusterEntity]);
    expect(registry.childrenOf('Cluster').map((entity) => entity.kind)).toEqual(['NodePool']);
    expect(registry.byPlural('management-clusters')?.kind).toBe('ManagementCluster');
    expect(() => registry.get('Nothing')).toThrow('Unknown entity kind: Nothing');
  });

  it.skipIf(!vectors.has('api/entities-all-fields-values.yaml'))(
    'When every optional field is used, it should accept the kinds',
    () => {
      const values = decodeYaml(vectors.text('api/entities-all-fields-values.yaml')).value as unknown as {
        config: { entities: Entity[] };
      };
      expect(createRegistry(values.config.entities).get('Version').references).toHaveLength(1);
    },
  );

  const cases: [string, Entity[]][] = [
    ['unknown parent_kind Nobody', [{ ...child, parent_kind: 'Nobody' }]],
    ['owns itself', [{ ...root, parent_kind: 'Child', on_parent_delete: 'cascade' }, child]],
    ['declared twice', [root, { ...root, plural: 'others' }]],
    ['used by another kind', [root, { ...child, plural: 'roots' }]],
    ['is reserved', [{ ...root, plural: 'resources' }]],
    ['unknown target_kind Nobody', [{ ...root, references: [{ ref_type: 'x', target_kind: 'Nobody' }] }]],
    [
      'reference type x is declared twice',
      [
        {
          ...root,
          references: [
            { ref_type: 'x', target_kind: 'Root' },
            { ref_type: 'x', target_kind: 'Root' },
          ],
        },
      ],
    ],
    ['max 1 below min 2', [root, { ...child, references: [{ ref_type: 'x', target_kind: 'Root', min: 2, max: 1 }] }]],
    ['name_max_len 2 is below name_min_len 3', [{ ...root, name_min_len: 3, name_max_len: 2 }]],
    ['requires itself', [{ ...root, references: [{ ref_type: 'x', target_kind: 'Root', min: 1 }] }]],
    ['condition type Reconciled is reserved', [{ ...root, conditions: [rule('Reconciled')] }]],
    ['condition type MyAdapterSuccessful is reserved', [{ ...root, conditions: [rule('MyAdapterSuccessful')] }]],
    ['condition type A is mapped twice', [{ ...root, conditions: [rule('A'), rule('A')] }]],
    ['on_parent_delete must be', [root, { kind: 'Child', plural: 'children', parent_kind: 'Root' }]],
  ];
  it.each(cases)('When the kinds are wrong (%s), it should refuse to start', (problem, entities) => {
    expect(() => createRegistry(entities)).toThrow(problem);
  });
});

describe('adapterConditionType', () => {
  it.each([
    ['dns', 'DnsSuccessful'],
    ['my-adapter', 'MyAdapterSuccessful'],
    ['adapter1', 'Adapter1Successful'],
  ])('When the adapter is %s, it should be %s', (adapter, type) => {
    expect(adapterConditionType(adapter)).toBe(type);
  });
});
