import { describe, expect, it } from 'vitest';
import { CostBudget, createEnvironment, DYN, estimateCost, typeFromSchema } from '../index.ts';
import { everyType, everyValue } from '../testing/every-type.ts';

/** Expression, cost of evaluating it on the sample, least and most it is estimated to cost; as Kubernetes 1.37 has it. */
const COSTS: readonly [string, number, number, number][] = [
  ['self.s.size() > 3', 4, 4, 4],
  ['self.s.charAt(1)', 3, 3, 3],
  ["self.s.indexOf('w', 7)", 3, 2, 10],
  ["self.s.lastIndexOf('l', 3)", 3, 2, 10],
  ['self.t.upperAscii()', 5, 2, 314575],
  ["self.t.replace('o', '00', 1)", 7, 2, 629148],
  ["self.s.replace('', '_', 2)", 5, 2, 18],
  ["self.t.split(' ', 2)", 7, 2, 629148],
  ["self.t.split(' ', 0)", 7, 2, 629148],
  ['self.s.substring(3)', 4, 2, 10],
  ["' x '.trim()", 1, 1, 1],
  ["self.l.join('--')", 4, 2, 23],
  ["self.t.startsWith('the')", 3, 3, 3],
  ["self.t.matches('q.*k')", 5, 3, 314575],
  ['strings.quote(self.s)', 4, 2, 10],
  ["self.t.find('zzz')", 5, 3, 314575],
  ["self.t.findAll('o', 2)", 5, 3, 314575],
  ['self.l.isSorted()', 2, 2, 27],
  ['self.li.sum()', 5, 2, 1572865],
  ['self.ld.sum()', 4, 2, 6],
  ['self.li.max()', 5, 2, 1572865],
  ['self.ln.max()', 4, 2, 6],
  ["self.l.indexOf('a')", 2, 2, 27],
  ['self.li.includes(2)', 5, 2, 1572865],
  ["self.l + ['z']", 3, 13, 13],
  ["self.l == ['b', 'a', 'c']", 3, 13, 13],
  ['1 in self.li', 5, 2, 1572865],
  ['1.0 in self.ln', 4, 2, 6],
  ['self.ln[0] / 2.0', 4, 4, 4],
  ['self.ln == [1.0, 2.5]', 3, 13, 13],
  ['self.n + 0.5', 3, 3, 3],
  ['self.i / 5', 3, 3, 3],
  ['-self.i', 3, 3, 3],
  ['self.ln.map(x, x * 2.0)', 31, 13, 69],
  ['self.ln.exists_one(x, x == 2.5)', 10, 4, 16],
  ['self.set != self.set2', 5, 5, 5],
  ["['y', 'x'] == self.set", 3, 13, 13],
  ['self.set + self.set2 == self.set', 8, 8, 8],
  ['self.ml[0].at == self.ml2[1].at', 9, 9, 12],
  ["self.ml.filter(x, x.k == '1')[0].v", 25, 15, 95],
  ["self.when < timestamp('2022-01-01T00:00:00Z')", 3, 4, 4],
  ['self.when.getMilliseconds()', 3, 3, 3],
  ["self.when.getMinutes('+05:30')", 3, 3, 3],
  ['self.day.getDayOfMonth()', 3, 3, 3],
  ["self.dur > duration('1h')", 3, 4, 4],
  ['self.dur.getMilliseconds()', 3, 3, 3],
  ['self.when + self.dur', 5, 5, 5],
  ['string(self.dur)', 3, 3, 3],
  ['int(self.when)', 3, 3, 3],
  ['self.by.size()', 3, 3, 3],
  ["self.lt[0] == timestamp('2021-01-01T00:00:00Z')", 4, 5, 5],
  ["self.ld.exists(d, d > duration('1m'))", 15, 3, 31],
  ['self.md == self.md', 5, 5, 5],
  ['self.m.a', 3, 3, 3],
  ["'a' in self.m", 3, 3, 3],
  ['has(self.m.zz)', 2, 2, 2],
  ["self.m.exists(k, self.m[k] == 'y')", 19, 3, 57],
  ['self.mi.a + self.mi.b', 7, 7, 7],
  ["self.m == {'a': 'x', 'foo/bar': 'y'}", 3, 33, 33],
  ['self.mi.transformMap(k, v, v + 1).a', 15, 34, 2246979],
  ['self.li.all(i, v, v > 0)', 18, 3, 7864318],
  ['self.mi.existsOne(k, v, v == 2)', 10, 4, 1348171],
  ['self.o.a__dot__b', 3, 3, 3],
  ['self.o.__underscores__x', 3, 3, 3],
  ['has(self.o.nul)', 2, 2, 2],
  ['self.o.missing == 1 || true', 4, 3, 3],
  ["has(self.o.a) && self.o.a == 'q'", 6, 2, 6],
  ['self.?o.?missing.orValue(5)', 2, 4, 4],
  ['self.o.?nul.hasValue()', 3, 4, 4],
  ['self.l[?9].hasValue()', 3, 4, 4],
  ['optional.none().orValue(1)', 1, 2, 2],
  ["{?'k': self.m[?'a']}", 33, 33, 33],
  ['self.l.last()', 3, 3, 3],
  ['self.ios == 5', 3, 3, 3],
  ['type(self.ios) == int', 4, 4, 4],
  ['self.ios < 10', 3, 3, 3],
  ["self.ios2 + 'x'", 3, 3, 314575],
  ['string(self.ios) + self.ios2', 6, 4, 943723],
  ["self.obs.all(x, x.name.startsWith('n') && x.n > 0)", 21, 3, 30],
  ['self.obs.filter(x, x.f > 2.0).map(x, x.name)', 37, 24, 114],
  ['self.obs[1].f', 4, 4, 4],
  ["self.obs.map(x, x.name).all(n, n.matches('^n[0-9]$'))", 44, 14, 74],
  ['self.obs.map(x, x)[0].f', 32, 15, 54],
  ['[self.obs[0]] == self.obs', 16, 16, 16],
  ['self.pu == self.pu', 5, 4, 4],
  ['self.emb.kind', 3, 3, 3],
  ['self.metadata.name', 3, 3, 3],
  ['has(self.metadata.generateName)', 2, 2, 2],
  ['url(self.url).getHost()', 8, 3, 43],
  ['url(self.url).getPort()', 8, 3, 43],
  ['url(self.url).getQuery()', 8, 3, 43],
  ["isURL('../x')", 1, 1, 1],
  ["isURL('mailto:x@y')", 1, 1, 1],
  ["isURL('http://a b/')", 1, 1, 1],
  ["isURL('')", 1, 1, 1],
  ["url('/path?q=1').getQuery()", 2, 2, 2],
  ["isURL('http://x/?q=%zz')", 1, 1, 1],
  ["url('HTTPS://Ex.com').getScheme()", 3, 3, 3],
  ["url('http://user:p@ss@h/').getHost()", 3, 3, 3],
  ["isURL('http://foo#frag')", 1, 1, 1],
  ["url('http://foo/a;b,c=d').getEscapedPath()", 3, 3, 3],
  ['ip(self.ip).family()', 5, 3, 19],
  ["isIP('1.2.3')", 1, 1, 1],
  ["isIP('::ffff:1.2.3.4')", 2, 2, 2],
  ["ip('::1').isLoopback()", 2, 2, 2],
  ["ip('127.0.0.1').isLoopback()", 2, 2, 2],
  ["ip('224.0.0.1').isLinkLocalMulticast()", 2, 2, 2],
  ["ip('8.8.8.8').isGlobalUnicast()", 2, 2, 2],
  ["ip.isCanonical('2001:DB8::1')", 3, 3, 3],
  ["string(ip('2001:db8:0:0::1'))", 3, 3, 3],
  ["isIP('1:2:3:4:5:6:7::')", 2, 2, 2],
  ["isIP(':1:2:3:4:5:6:7')", 2, 2, 2],
  ['cidr(self.cidr).containsIP(self.ip)', 8, 5, 40],
  ["cidr(self.cidr).containsIP(ip('10.1.2.3'))", 5, 4, 23],
  ["cidr(self.cidr).containsCIDR(cidr('10.0.0.0/7'))", 7, 6, 26],
  ['cidr(self.cidr).ip().family()', 5, 4, 20],
  ["string(cidr('192.168.1.5/24').masked())", 4, 4, 4],
  ['isCIDR(self.cidr)', 3, 2, 18],
  ["isCIDR('1.2.3.4/33')", 1, 1, 1],
  ["isCIDR('::ffff:1.2.3.4/120')", 2, 2, 2],
];

const env = createEnvironment({ variables: { self: typeFromSchema(everyType, { root: true })! } });

describe('cost', () => {
  it.each(COSTS)('When evaluating %s, it should cost %d', (expression, cost, min, max) => {
    const program = env.compile(expression);
    expect(program.evaluate({ self: everyValue })).toMatchObject({ ok: true, cost });
    expect(estimateCost(program)).toEqual({ min, max });
  });

  it('When an expression costs more than one call may, it should be stopped with a cost error', () => {
    const nested = env.compile('lists.range(1000).all(a, lists.range(1000).all(b, a + b >= 0))');
    const result = nested.evaluate({ self: everyValue });
    expect(result).toMatchObject({
      ok: false,
      error: { kind: 'cost', message: 'operation cancelled: actual cost limit exceeded' },
    });
  });

  it('When a cost error happens below an operator that absorbs errors, it should not be absorbed', () => {
    const program = env.compile('lists.range(2000).all(a, lists.range(2000).all(b, true)) || true');
    expect(program.evaluate({ self: everyValue })).toMatchObject({ ok: false, error: { kind: 'cost' } });
  });

  it('When loops cost nothing per step, they should still end', () => {
    const items = Array.from({ length: 10_000 }, () => 0);
    const program = createEnvironment({ variables: { l: DYN } }).compile('l.exists_one(a, l.exists_one(b, false))');
    expect(program.evaluate({ l: items })).toMatchObject({ ok: false, error: { kind: 'cost' } });
  });

  it('When rules share a budget, it should run out across them', () => {
    const program = env.compile('self.l.all(x, x != "")');
    const budget = new CostBudget(40);
    expect(program.evaluate({ self: everyValue }, { budget }).ok).toBe(true);
    expect(budget.remaining).toBe(40 - program.evaluate({ self: everyValue }).cost);
    expect(program.evaluate({ self: everyValue }, { budget }).ok).toBe(true);
    expect(program.evaluate({ self: everyValue }, { budget })).toMatchObject({ ok: false, error: { kind: 'cost' } });
    expect(budget.exhausted).toBe(true);
  });
});
