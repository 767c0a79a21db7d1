import { describe, expect, it } from 'vitest';
import { aDefinition, aVersion, fields } from '../testing/definitions.ts';
import { prepareDefinitionForUpdate } from './defaults.ts';
import { nextDefinitionStatus } from './status.ts';
import type { CustomResourceDefinition, DefinitionNames } from './types.ts';

const now = Date.UTC(2026, 0, 1);
const named = (name: string, names: DefinitionNames, version = aVersion(fields({}))): CustomResourceDefinition => ({
  ...aDefinition(version, { names: { singular: names.kind.toLowerCase(), listKind: `${names.kind}List`, ...names } }),
  metadata: { name },
});
const accepted = (definition: CustomResourceDefinition): CustomResourceDefinition => ({
  ...definition,
  status: nextDefinitionStatus(definition, [], now),
});
const conditionsOf = (definition: CustomResourceDefinition, others: CustomResourceDefinition[] = []) =>
  Object.fromEntries(
    (nextDefinitionStatus(definition, others, now).conditions ?? []).map(({ type, status, reason, message }) => [
      type,
      `${status} ${reason}: ${message}`,
    ]),
  );

describe('nextDefinitionStatus', () => {
  const widgets = named('widgets.example.com', { plural: 'widgets', kind: 'Widget', shortNames: ['w'] });

  it('When no name is taken, it should accept all and establish', () => {
    expect(conditionsOf(widgets)).toEqual({
      NamesAccepted: 'True NoConflicts: no conflicts found',
      Established: 'True InitialNamesAccepted: the initial names have been accepted',
    });
    expect(accepted(widgets).status?.acceptedNames).toEqual(widgets.spec.names);
  });

  it('When nothing changes, it should return the very status it was given', () => {
    const done = accepted(widgets);
    expect(nextDefinitionStatus(done, [], now + 1000)).toBe(done.status);
  });

  it.each<[string, DefinitionNames, string]>([
    ['plural', { plural: 'widgets', kind: 'Other' }, 'False PluralConflict: "widgets" is already in use'],
    [
      'singular',
      { plural: 'others', kind: 'Other', singular: 'widget' },
      'False SingularConflict: "widget" is already in use',
    ],
    [
      'short name',
      { plural: 'others', kind: 'Other', shortNames: ['w', 'o'] },
      'False ShortNamesConflict: "w" is already in use',
    ],
    [
      'kind',
      { plural: 'others', kind: 'Widget', singular: 'other', listKind: 'OtherList' },
      'False KindConflict: "Widget" is already in use',
    ],
    [
      'list kind',
      { plural: 'others', kind: 'Other', listKind: 'WidgetList' },
      'False ListKindConflict: "WidgetList" is already in use',
    ],
  ])('When another definition of the group holds the %s, it should not establish', (_, names, expected) => {
    expect(conditionsOf(named('other.example.com', names), [accepted(widgets)])).toEqual({
      NamesAccepted: expected,
      Established: 'False NotAccepted: not all names are accepted',
    });
  });

  it('When the holder is of another group, it should not matter', () => {
    const elsewhere = {
      ...accepted(widgets),
      spec: { ...widgets.spec, group: 'other.com' },
      metadata: { name: 'widgets.other.com' },
    };
    expect(conditionsOf(widgets, [elsewhere])['NamesAccepted']).toMatch(/^True/);
  });

  it('When an established definition asks for a taken short name, it should stay established', () => {
    const gadgets = accepted(named('gadgets.example.com', { plural: 'gadgets', kind: 'Gadget', shortNames: ['g'] }));
    const greedy = { ...gadgets, spec: { ...gadgets.spec, names: { ...gadgets.spec.names, shortNames: ['g', 'w'] } } };
    const status = nextDefinitionStatus(greedy, [accepted(widgets)], now);
    expect(status.acceptedNames?.shortNames).toEqual(['g']);
    expect(conditionsOf(greedy, [accepted(widgets)])).toMatchObject({
      NamesAccepted: 'False ShortNamesConflict: "w" is already in use',
      Established: expect.stringMatching(/^True/),
    });
  });

  it('When a stored schema is not structural, it should say so', () => {
    const loose = named('widgets.example.com', { plural: 'widgets', kind: 'Widget' }, aVersion(fields({ spec: {} })));
    expect(conditionsOf(loose)['NonStructuralSchema']).toBe(
      'True Violations: spec.versions[0].schema.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields',
    );
  });
});

describe('prepareDefinitionForUpdate', () => {
  it('When the storage version moves, it should keep the old one on record', () => {
    const old = aDefinition(aVersion(fields({})));
    const draft = structuredClone(
      aDefinition([aVersion(fields({}), { storage: false }), aVersion(fields({}), { name: 'v2' })]),
    );
    prepareDefinitionForUpdate(draft, old);
    expect(draft.status?.storedVersions).toEqual(['v1', 'v2']);
  });
});
