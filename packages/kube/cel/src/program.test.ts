import { describe, expect, it } from 'vitest';
import {
  AUTHORIZER,
  authorizerValue,
  BOOL,
  CelCompileError,
  createEnvironment,
  DYN,
  INT,
  lazyObject,
  listType,
  objectType,
  STRING,
  toJson,
} from './index.ts';
import type { AuthorizationQuery } from './index.ts';

const dynamic = createEnvironment({ variables: { object: DYN, params: DYN } });

function value(expression: string, bindings: Record<string, unknown> = {}): unknown {
  const result = dynamic.compile(expression).evaluate({ object: null, params: null, ...bindings });
  return result.ok ? toJson(result.value) : result.error.message;
}

describe('compile errors', () => {
  it('When several things are wrong, it should point at each of them', () => {
    const error = (() => {
      try {
        return dynamic.compile('nope + foo(1)');
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(CelCompileError);
    expect((error as Error).message).toBe(
      "ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n | nope + foo(1)\n | ^\n" +
        "ERROR: <input>:1:11: undeclared reference to 'foo' (in container '')\n | nope + foo(1)\n | ..........^",
    );
  });

  it('When the expression has another type than expected, it should be refused', () => {
    expect(() => dynamic.compile('1 + 1', { expect: BOOL })).toThrow('must evaluate to bool');
    expect(() => dynamic.compile('object.a', { expect: BOOL })).not.toThrow();
  });

  it('When a constant can never work, it should be refused at compile time', () => {
    expect(() => dynamic.compile("int('x') == 1 || true")).toThrow("type conversion error from 'string' to 'int'");
    expect(() => dynamic.compile("'a'.find('(')")).toThrow('error parsing regexp: missing closing ): `(`');
  });

  it('When a library came with a later release, it should be unknown before', () => {
    const compile = (kubernetesVersion: string) =>
      createEnvironment({ variables: {}, kubernetesVersion }).compile("isIP('::1')");
    expect(() => compile('1.29')).toThrow("undeclared reference to 'isIP'");
    expect(() => compile('1.30')).not.toThrow();
    expect(() => createEnvironment({ variables: {}, kubernetesVersion: '1.27' }).compile('optional.none()')).toThrow(
      CelCompileError,
    );
  });
});

describe('evaluation', () => {
  it.each([
    ['object.spec.replicas * 2', { spec: { replicas: 4 } }, 8],
    ['object.a.b', { a: {} }, 'no such key: b'],
    ['object.?a.?b.orValue("none")', {}, 'none'],
    [
      'object.items.filter(i, i.n > 1).map(i, i.name)',
      {
        items: [
          { n: 1, name: 'a' },
          { n: 2, name: 'b' },
        ],
      },
      ['b'],
    ],
    ['object.big + 1', { big: 9007199254740991 }, '9007199254740992'],
    ['9223372036854775807 + 1', {}, 'integer overflow'],
    ['object.list[object.index]', { list: [1, 2], index: 5 }, 'index out of bounds: 5'],
    ["'\u{1f600}x'.size()", {}, 2],
    ['{"a": object.x, "b": dyn(duration("90s"))}', { x: 1.5 }, { a: 1.5, b: '90s' }],
    ['object.__proto__', JSON.parse('{"__proto__": {"x": 1}}'), { x: 1 }],
    ['has(object.constructor) || "toString" in object', {}, false],
    ['type(object.n) == int && type(object.f) == double', { n: 1, f: 1.5 }, true],
  ])('When evaluating %s, it should see plain JSON', (expression, object, expected) => {
    expect(value(expression, { object })).toEqual(expected);
  });

  it('When errors meet logical operators, they should be absorbed by what decides', () => {
    expect(value('object.x || true')).toBe(true);
    expect(value('object.x && false')).toBe(false);
    expect(value('object.x || false')).toBe('no such key: x');
    expect(value('[1, 0].exists(i, 1 / i > 0)')).toBe(true);
    expect(value('[0, 1].all(i, 1 / i < 1)')).toBe(false);
    expect(value('[1, 0].map(i, 1 / i)')).toBe('division by zero');
  });

  it('When a binding is not needed, it should not be computed', () => {
    let reads = 0;
    const bindings = lazyObject({ object: () => ++reads, params: () => expect.unreachable() });
    expect(dynamic.compile('object + object').evaluate(bindings)).toMatchObject({ ok: true, value: 2 });
    expect(reads).toBe(1);
  });

  it('When a composite variable fails, its readers should fail with its error', () => {
    const env = createEnvironment({ variables: { variables: objectType('variables', { a: INT, b: INT }) } });
    const failing = dynamic.compile('object.missing');
    const variables = lazyObject({
      a: () => 1,
      b: () => {
        const result = failing.evaluate({ object: {} });
        if (!result.ok) throw result.error;
        return result.value;
      },
    });
    expect(env.compile('variables.a == 1 || variables.b == 1').evaluate({ variables })).toMatchObject({
      ok: true,
      value: true,
    });
    expect(env.compile('variables.b == 1').evaluate({ variables })).toMatchObject({
      ok: false,
      error: { message: 'no such key: missing' },
    });
  });

  it('When a program mentions a variable, it should say so', () => {
    const program = dynamic.compile('[1].all(params, params > 0) && object == 1');
    expect(program.references('object')).toBe(true);
    expect(program.type).toEqual(BOOL);
  });

  it('When test is asked, it should give a verdict or the reason for none', () => {
    expect(dynamic.compile('object == 1').test({ object: 1 })).toBe(true);
    expect(dynamic.compile('object').test({ object: 1 })).toMatchObject({
      message: 'expression did not evaluate to a bool',
    });
  });
});

describe('authorizer', () => {
  const env = createEnvironment({ variables: { authorizer: AUTHORIZER, names: listType(STRING) } });
  const asked: AuthorizationQuery[] = [];
  const authorizer = authorizerValue((query) => {
    asked.push(query);
    return query.verb === 'get' ? { allowed: true, reason: 'because' } : { allowed: false, error: 'unavailable' };
  });
  const run = (expression: string): unknown => {
    const result = env.compile(expression).evaluate({ authorizer, names: [] });
    return result.ok ? result.value : result.error.message;
  };

  it('When a check is built, it should ask exactly that', () => {
    const expression =
      "authorizer.serviceAccount('ns', 'sa').group('apps').resource('deployments').subresource('scale').namespace('x').name('y').labelSelector('a=b').check('get').allowed()";
    expect(run(expression)).toBe(true);
    expect(asked.at(-1)).toEqual({
      verb: 'get',
      serviceAccount: { namespace: 'ns', name: 'sa' },
      group: 'apps',
      resource: 'deployments',
      subresource: 'scale',
      namespace: 'x',
      name: 'y',
      labelSelector: 'a=b',
    });
  });

  it('When the authorizer cannot decide, it should say so', () => {
    expect(run("authorizer.path('/healthz').check('post').errored()")).toBe(true);
    expect(run("authorizer.path('/healthz').check('post').error()")).toBe('unavailable');
    expect(run("authorizer.path('/healthz').check('get').reason()")).toBe('because');
    expect(run("authorizer.path(' ').check('get').allowed()")).toBe('path must not be empty');
  });

  it('When more than two checks are made, it should exceed the cost of one call', () => {
    const check = "authorizer.path('/a').check('get').allowed()";
    expect(run(`${check} && ${check}`)).toBe(true);
    expect(run(`${check} && ${check} && ${check}`)).toBe('operation cancelled: actual cost limit exceeded');
  });
});
