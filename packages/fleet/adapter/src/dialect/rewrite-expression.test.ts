import { systemClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { compileExpression } from '../expression/index.ts';
import { rewriteExpression } from './rewrite-expression.ts';

describe('rewriteExpression', () => {
  it.each([
    ['resources.hostedCluster.status != nil', 'resources.?hostedCluster.?status.hasValue()'],
    ['a.b == nil || c', '!a.?b.hasValue() || c'],
    ['x == nil', 'x == null'],
    ["resources.hc.status.version ?? ''", "resources.?hc.?status.?version.orValue('')"],
    ['a.b ?? c.d ?? "x"', 'a.?b.orValue(c.?d.orValue("x"))'],
    ['(a.b ?? 1) + 2', '(a.?b.orValue(1)) + 2'],
    ['x ?? "d"', '(x != null ? x : "d")'],
    ['a.list[0].name ?? "none"', 'a.?list[?0].?name.orValue("none")'],
    [
      "r.conditions.filter(c, c.type == 'A')[0].status ?? 'Unknown'",
      "r.?conditions.orValue([]).filter(c, c.type == 'A')[?0].?status.orValue('Unknown')",
    ],
    [
      "s.conditions[?(@.type=='Ready')].status == 'True'",
      "s.conditions.filter(c, c.type=='Ready')[?0].?status.orValue(null) == 'True'",
    ],
    ['"a ?? nil" + b.c', '"a ?? nil" + b.c'],
    ['size(a.b ?? [])', 'size(a.?b.orValue([]))'],
    ["a.?b.orValue('') == 'x'", "a.?b.orValue('') == 'x'"],
  ])('When given %s, it should give %s', (source, expected) => {
    const rewritten = rewriteExpression(source);
    expect(rewritten).toBe(expected);
    expect(() => compileExpression(rewritten, systemClock)).not.toThrow();
  });

  it('When fallbacks are nested without end, it should not grow without end', () => {
    const nested = `${'('.repeat(60)}a${' ?? b)'.repeat(60)}`;
    expect(rewriteExpression(nested).length).toBeLessThanOrEqual(64 * 1024);
  });

  it.each(['??', 'a ??', '?? b', 'nil', '[?(@', 'a[?(@.b', '== nil', ')) ?? (('])(
    'When %s makes no sense, it should still end',
    (source) => {
      expect(typeof rewriteExpression(source)).toBe('string');
    },
  );
});
