import { describe, expect, it } from 'vitest';
import { mirrorsFrom, mirrorsFromContentSources } from './mirror-sets.ts';
import {
  applyRegistryOverrides,
  candidatesFor,
  formatMirrorOverrides,
  parseImageOverrides,
  parseMirrorOverrides,
  parseRegistryOverrides,
} from './overrides.ts';
import { PullSecret } from './pull-secret.ts';
import { formatReference, manifestName, parseReference, withDigest } from './reference.ts';

const digest = `sha256:${'a'.repeat(64)}`;

describe('parseReference', () => {
  it.each([
    [
      'quay.io/openshift-release-dev/ocp-release:4.20.3-multi',
      { registry: 'quay.io', repository: 'openshift-release-dev/ocp-release', tag: '4.20.3-multi' },
    ],
    [`quay.io/a/b@${digest}`, { registry: 'quay.io', repository: 'a/b', digest }],
    [`quay.io/a/b:1@${digest}`, { registry: 'quay.io', repository: 'a/b', tag: '1', digest }],
    ['127.0.0.1:5000/a', { registry: '127.0.0.1:5000', repository: 'a' }],
    ['[::1]:5000/a/b:x', { registry: '[::1]:5000', repository: 'a/b', tag: 'x' }],
    ['localhost/a/b', { registry: 'localhost', repository: 'a/b' }],
    ['busybox', { registry: 'docker.io', repository: 'library/busybox' }],
    ['team/app:1.0', { registry: 'docker.io', repository: 'team/app', tag: '1.0' }],
  ])('When given %s, it should take it apart', (text, expected) => {
    expect(parseReference(text)).toEqual(expected);
    expect(parseReference(formatReference(parseReference(text)))).toEqual(expected);
  });

  it.each([
    '',
    'quay.io/',
    'quay.io/A/b',
    'quay.io/a:',
    'quay.io/a@sha256:12',
    'quay.io//a',
    'a b',
    `x${'y'.repeat(600)}`,
    'quay.io/../etc',
    'quay.io:port/a',
    'quay.io/a?x=1',
    'quay.io/a/-b',
  ])('When given %j, it should refuse', (text) =>
    expect(() => parseReference(text)).toThrow(expect.objectContaining({ code: 'RELEASE_REFERENCE_INVALID' })),
  );

  it('When pinned, it should drop the tag; when nothing is named, ask for latest', () => {
    expect(withDigest(parseReference('quay.io/a/b:1'), digest)).toBe(`quay.io/a/b@${digest}`);
    expect(manifestName(parseReference('quay.io/a/b'))).toBe('latest');
    expect(manifestName(parseReference(`quay.io/a/b:1@${digest}`))).toBe(digest);
  });
});

describe('PullSecret', () => {
  const auth = (text: string) => Buffer.from(text).toString('base64');
  const secret = PullSecret.parse(
    JSON.stringify({
      auths: {
        'quay.io': { auth: auth('general:p:1') },
        'quay.io/team': { username: 'team', password: 'p' },
        'quay.io/team/app': { auth: auth('app:p') },
        'https://index.docker.io/v1/': { auth: auth('hub:p') },
        '*.apps.example': { auth: auth('wild:p') },
        'exact.apps.example': { auth: auth('exact:p') },
        'https://old.example/v2/': { auth: auth('old:p') },
        'token.example': { registrytoken: 'abc' },
        'empty.example': {},
      },
    }),
  );
  it.each([
    ['quay.io/other/app', 'general'],
    ['quay.io/team/other', 'team'],
    ['quay.io/team/app', 'app'],
    ['quay.io/team/app/sub', 'app'],
    ['quay.io/team-two/app', 'general'],
    ['busybox', 'hub'],
    ['a.apps.example/x', 'wild'],
    ['exact.apps.example/x', 'exact'],
    ['a.b.apps.example/x', undefined],
    ['old.example/x', 'old'],
    ['quay.io:8443/x', undefined],
    ['empty.example/x', undefined],
  ])('When reading %s, it should use %s', (image, user) => {
    expect(secret.credentialFor(parseReference(image))?.username).toBe(user);
  });

  it('When passwords hold colons or tokens are given, it should keep them', () => {
    expect(secret.credentialFor(parseReference('quay.io/x'))?.password).toBe('p:1');
    expect(secret.credentialFor(parseReference('token.example/x'))).toMatchObject({ registryToken: 'abc' });
  });

  it.each([
    ['nonsense {"auths"', 'it is not JSON'],
    ['[]', 'it has no object "auths"'],
    ['{"quay.io":{}}', 'it has no object "auths"'],
    ['{"auths":{"quay.io":"x"}}', 'auths["quay.io"] is not an object'],
    ['{"auths":{"quay.io":{"auth":"bm8tY29sb24tc2VjcmV0"}}}', 'auths["quay.io"].auth is not base64 of user:password'],
  ])('When given %j, it should say what is wrong and nothing secret', (text, why) => {
    expect(() => PullSecret.parse(text)).toThrow(
      expect.objectContaining({ code: 'RELEASE_PULL_SECRET_INVALID', message: `the pull secret is not valid: ${why}` }),
    );
  });

  it('When a key is __proto__, it should stay a key', () => {
    expect(PullSecret.parse('{"auths":{"__proto__":{"auth":"YTpi"}}}').names).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['auth']).toBeUndefined();
  });
});

describe('registry overrides', () => {
  const overrides = {
    'quay.io': 'mirror.io',
    'quay.io/openshift/release': 'other.io/rel',
    'docker.io:5000': 'port.io',
  };
  it.each([
    ['quay.io/a/b:1', 'mirror.io/a/b:1'],
    ['quay.io/openshift/release:1', 'other.io/rel:1'],
    [`quay.io/openshift/release@${digest}`, `other.io/rel@${digest}`],
    ['quay.io/openshift/release-two:1', 'mirror.io/openshift/release-two:1'],
    ['quay.io.example.com/a', 'quay.io.example.com/a'],
    ['quay.io:5000/a', 'quay.io:5000/a'],
    ['docker.io:5000/a', 'port.io/a'],
    ['quay.io', 'mirror.io'],
    ['', ''],
  ])('When applied to %j, it should give %j', (image, expected) => {
    expect(applyRegistryOverrides(image, overrides)).toBe(expected);
  });

  it('When flags are read, it should keep the pairs, and name a bad one', () => {
    expect(parseRegistryOverrides('a.io=b.io, c.io/x=d.io/y,')).toEqual({ 'a.io': 'b.io', 'c.io/x': 'd.io/y' });
    expect(parseImageOverrides('etcd=x.io/etcd:1')).toEqual({ etcd: 'x.io/etcd:1' });
    expect(parseRegistryOverrides('')).toEqual({});
    expect(() => parseRegistryOverrides('a.io')).toThrow('registry overrides holds "a.io", which is not key=value');
  });

  it('When mirrors travel through the environment, they should arrive in order', () => {
    const mirrors = [
      { source: 'a.io', mirrors: ['b.io', 'c.io'] },
      { source: 'd.io/x', mirrors: ['e.io/x'] },
    ];
    expect(formatMirrorOverrides(mirrors)).toBe('a.io=b.io,a.io=c.io,d.io/x=e.io/x');
    expect(parseMirrorOverrides(formatMirrorOverrides(mirrors))).toEqual(mirrors);
  });
});

describe('mirrors', () => {
  const mirrors = [
    { source: 'quay.io/a', mirrors: ['m1.io/a', 'm2.io/a'] },
    { source: 'quay.io/a/b', mirrors: ['deep.io/b'] },
    { source: '*.corp.example', mirrors: ['m3.io'] },
    { source: 'never.io', mirrors: ['m4.io'], neverContactSource: true },
    { source: 'self.io', mirrors: ['self.io', ''] },
  ];
  it.each([
    ['quay.io/a/x:1', ['m1.io/a/x:1', 'm2.io/a/x:1', 'quay.io/a/x:1']],
    ['quay.io/a/b:1', ['deep.io/b:1', 'quay.io/a/b:1']],
    ['one.corp.example/x', ['m3.io/x', 'one.corp.example/x']],
    ['never.io/x', ['m4.io/x']],
    ['self.io/x', ['self.io/x']],
    ['other.io/x', ['other.io/x']],
  ])('When reading %s, it should try %j', (image, places) => {
    expect(candidatesFor(image, mirrors)).toEqual(places);
  });

  it('When mirror sets of the cluster are read, it should join them by source, in the order of names', () => {
    const object = (kind: string, name: string, field: string, entries: unknown) => ({
      apiVersion: 'v1',
      kind,
      metadata: { name },
      spec: { [field]: entries },
    });
    const found = mirrorsFrom([
      object('ImageTagMirrorSet', 'z', 'imageTagMirrors', [
        { source: 's.io', mirrors: ['t.io'], mirrorSourcePolicy: 'NeverContactSource' },
      ]),
      object('ImageDigestMirrorSet', 'b', 'imageDigestMirrors', [
        { source: 's.io', mirrors: ['d.io', 7] },
        { mirrors: ['x'] },
        null,
      ]),
      object('ImageContentSourcePolicy', 'a', 'repositoryDigestMirrors', [
        { source: 's.io', mirrors: ['p.io', 'd.io'] },
      ]),
      object('ConfigMap', 'c', 'imageTagMirrors', [{ source: 'no.io', mirrors: ['x'] }]),
    ]);
    expect(found).toEqual([{ source: 's.io', mirrors: ['p.io', 'd.io', 't.io'], neverContactSource: true }]);
    expect(mirrorsFromContentSources([{ source: 'a.io' }])).toEqual([{ source: 'a.io', mirrors: [] }]);
  });
});
