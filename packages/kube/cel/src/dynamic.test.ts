import { describe, expect, it } from 'vitest';
import {
  CelDouble,
  createEnvironment,
  declareFunction,
  DYN,
  globalOverload,
  INT,
  STRING,
  TIMESTAMP,
  toJson,
} from './index.ts';

const environment = createEnvironment({
  variables: {},
  dynamic: true,
  extensions: ['string-reverse'],
  functions: [
    declareFunction(
      'twice',
      globalOverload('twice_int', [INT], INT, (value: number) => value * 2),
    ),
  ],
});

const run = (source: string, bindings: Record<string, unknown> = {}): unknown => {
  const result = environment.compile(source).evaluate(bindings);
  return result.ok ? toJson(result.value) : result.error.message;
};

const cluster = {
  name: 'c1',
  nodes: { compute: new CelDouble(3) },
  conditions: [
    { type: 'Ready', status: 'True' },
    { type: 'Degraded', status: 'False' },
  ],
};

describe('an environment without type checks', () => {
  it.each<[string, unknown]>([
    ['cluster.name', 'c1'],
    ['cluster.?spec.?region.orValue("none")', 'none'],
    ['cluster.conditions.filter(c, c.type == "Ready")[0].status', 'True'],
    ['cluster.conditions.exists(name, name.type == "Degraded")', true],
    ['has(cluster.nodes.compute) ? string(cluster.nodes.compute) : 1', '3'],
    ['cluster.nodes.compute * 1.5', 4.5],
    ['cluster.conditions.map(c, [c.type, c.status]).flatten().reverse()', ['False', 'Degraded', 'True', 'Ready']],
    ['cluster.conditions.sortBy(c, c.type).map(c, c.type)', ['Degraded', 'Ready']],
    ['[1, "a", 2.5]', [1, 'a', 2.5]],
    ['"ab".reverse() + "c"', 'bac'],
    ['twice(twice(3))', 12],
    ['optional.none().hasValue()', false],
    ['[cluster.name].first().hasValue()', true],
    ['type(cluster.nodes.compute) == double', true],
    ['{"a": cluster.?missing.hasValue()}', { a: false }],
    ['timestamp("2026-01-01T00:00:10Z") - timestamp("2026-01-01T00:00:00Z") > duration("5s")', true],
    ['missing', 'no such attribute(s): missing'],
    ['missing || true', true],
    ['cluster.name + 1', 'no such overload'],
    ['cluster.nodes.compute + 1', 'no such overload'],
    ['cluster.conditions.filter(c, c.type == "X")[0].status', 'index out of bounds: 0'],
  ])('When %s is evaluated, it should give %j', (source, expected) => {
    expect(run(source, { cluster })).toEqual(expected);
  });

  it.each([
    ['this is not CEL !!!', 'Syntax error'],
    ['nowhere(1)', "undeclared reference to 'nowhere'"],
    ['twice(1, 2)', "found no matching overload for 'twice' with 2 arguments"],
    ['cluster.name.nowhere()', "undeclared reference to 'nowhere'"],
  ])('When %s is compiled, it should be refused', (source, message) => {
    expect(() => environment.compile(source)).toThrow(message);
  });

  it('When a variable is declared, it should be converted as declared', () => {
    const declared = createEnvironment({ variables: { now: TIMESTAMP }, dynamic: true });
    const bindings = { now: '2026-01-01T00:00:10Z', since: '2026-01-01T00:00:00Z' };
    expect(declared.compile('now - timestamp(since) > duration("9s")').test(bindings)).toBe(true);
  });

  it('When types are checked, it should know the functions of the caller, too', () => {
    const typed = createEnvironment({
      variables: { x: DYN },
      functions: [
        declareFunction(
          'shout',
          globalOverload('shout_string', [STRING], STRING, (text: string) => `${text}!`),
        ),
      ],
    });
    expect(typed.compile('shout("a") == "a!"').test({})).toBe(true);
    expect(() => typed.compile('shout(1)')).toThrow('found no matching overload');
  });
});
