import { describe, expect, it } from 'vitest';
import { withoutStructLiterals } from './struct-literals.ts';

describe('Struct literals of mutations', () => {
  it.each([
    ['Object{spec: Object.spec{replicas: 3}}', 'dyn({"spec": dyn({"replicas": 3})})'],
    ['Object{}', 'dyn({})'],
    ['[JSONPatch{op: "add", path: "/a", value: {"x": 1}}]', '[dyn({"op": "add", "path": "/a", "value": {"x": 1}})]'],
    ['Object . spec { ?a: b, c : d[0] }', 'dyn({ ?"a": b, "c" : d[0] })'],
    ['Object{metadata: Object.metadata{labels: {"a{": "}"}}}', 'dyn({"metadata": dyn({"labels": {"a{": "}"}})})'],
    ['x ? Object{a: y ? 1 : 2} : Object{}', 'x ? dyn({"a": y ? 1 : 2}) : dyn({})'],
    ['"/m/" + jsonpatch.escapeKey(object.a[0])', `"/m/" + ((object.a[0]).replace('~', '~0').replace('/', '~1'))`],
    ['object.Object{', 'object.Object{'],
    ['Object{`a-b`: 1, __namespace__: 2}', 'dyn({"a-b": 1, "namespace": 2})'],
    ['// Object{a: 1}\ntrue', '// Object{a: 1}\ntrue'],
    ['\'Object{a: 1}\' == r"\\"', '\'Object{a: 1}\' == r"\\"'],
  ])('When it is %s, it should read as maps', (source, expected) => {
    expect(withoutStructLiterals(source)).toEqual({ source: expected });
  });

  it('When a patch has a field there is not, it should say so', () => {
    expect(withoutStructLiterals('[JSONPatch{operation: "add"}]')).toEqual({ error: "undefined field 'operation'" });
  });
});
