import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import type { CertificateAuthority, IssuedCertificate } from '@hypershift-ts/kube-pki';
import { bundle, createAuthority, createIntermediate, day, issue } from '@hypershift-ts/kube-pki';
import { beforeAll, describe, expect, it } from 'vitest';
import { resourceAttributes } from '../authorization/index.ts';
import type { AuthenticationRequest } from './index.ts';
import {
  answerSelfSubjectReview,
  answerTokenReview,
  authentication,
  bearerToken,
  bootstrapTokens,
  ClientCertificates,
  effectiveUser,
  FrontProxy,
  healthPaths,
  impersonation,
  staticTokens,
  trustConfigMap,
} from './index.ts';

const clock = new ManualClock();
let ca: CertificateAuthority;
let client: IssuedCertificate;
beforeAll(async () => {
  ca = await createAuthority({ subject: { commonName: 'ca' }, now: clock.now() });
  client = await issue(ca, {
    role: 'client',
    subject: { commonName: 'jane', organizations: ['dev', 'ops'] },
    now: clock.now(),
    validFor: 30 * day,
  });
});
const peer = (issued: IssuedCertificate) => ({ raw: issued.certificate.der });
const withCertificate = (issued: IssuedCertificate, headers = {}): AuthenticationRequest => ({
  headers,
  peerCertificate: peer(issued),
});
const unauthorized = { code: 401, reason: 'Unauthorized', message: 'Unauthorized' };

describe('client certificates', () => {
  it('When a certificate verifies, it should name the user and its groups', async () => {
    const chain = authentication({ requests: [new ClientCertificates(ca.certificatePem, clock)] });
    const { user } = await chain.authenticate(withCertificate(client));
    expect(user).toMatchObject({ name: 'jane', groups: ['dev', 'ops', 'system:authenticated'] });
    expect(user.extra?.['authentication.kubernetes.io/credential-id']?.[0]).toMatch(/^X509SHA256=[0-9a-f]{64}$/);
  });

  it('When the CA leaves the bundle, it should refuse certificates it let in before', async () => {
    const other = await createAuthority({ subject: { commonName: 'other' }, now: clock.now() });
    const certificates = new ClientCertificates(bundle(ca.certificatePem, other.certificatePem), clock);
    const chain = authentication({ requests: [certificates] });
    const request = withCertificate(client);
    await chain.authenticate(request);
    certificates.setAuthorities(other.certificatePem);
    await expect(chain.authenticate(request)).rejects.toMatchObject(unauthorized);
    certificates.setAuthorities(ca.certificatePem);
    expect((await chain.authenticate(request)).user.name).toBe('jane');
  });

  it('When the certificate expires during a connection, it should be refused from then on', async () => {
    const time = new ManualClock(clock.now());
    const chain = authentication({ requests: [new ClientCertificates(ca.certificatePem, time)] });
    const request = withCertificate(client);
    await chain.authenticate(request);
    time.advance(31 * day);
    await expect(chain.authenticate(request)).rejects.toMatchObject(unauthorized);
  });

  it('When a server certificate is presented, it should be refused with the reason reported', async () => {
    const server = await issue(ca, { role: 'server', subject: { commonName: 'web' }, now: clock.now() });
    const reasons: string[] = [];
    const chain = authentication({
      requests: [new ClientCertificates(ca.certificatePem, clock)],
      onFailure: (reason) => reasons.push(reason),
    });
    await expect(chain.authenticate(withCertificate(server))).rejects.toMatchObject(unauthorized);
    expect(reasons).toEqual(['certificate CN=web may not be used for clientAuth']);
  });

  it('When the peer sends its intermediate, it should be used', async () => {
    const middle = await createIntermediate(ca, { subject: { commonName: 'middle' }, now: clock.now() });
    const leaf = await issue(middle, { role: 'client', subject: { commonName: 'joe' }, now: clock.now() });
    const chain = authentication({ requests: [new ClientCertificates(ca.certificatePem, clock)] });
    const peerCertificate = { raw: leaf.certificate.der, issuerCertificate: peer(middle) };
    expect((await chain.authenticate({ headers: {}, peerCertificate })).user.name).toBe('joe');
    await expect(chain.authenticate(withCertificate(leaf))).rejects.toMatchObject(unauthorized);
  });

  it('When the bytes are no certificate, it should answer 401 instead of failing', async () => {
    const chain = authentication({ requests: [new ClientCertificates(ca.certificatePem, clock)] });
    await expect(
      chain.authenticate({ headers: {}, peerCertificate: { raw: Buffer.from('junk') } }),
    ).rejects.toMatchObject(unauthorized);
  });
});

describe('front proxy', () => {
  const headers = {
    'x-remote-user': 'alice',
    'x-remote-group': 'a, b',
    'x-remote-extra-acme.com%2fproject': 'x',
  };
  const rawHeaders = [
    'X-Remote-User',
    'alice',
    'X-Remote-Group',
    'a',
    'X-Remote-Group',
    'b',
    'X-Remote-Extra-Acme.com%2Fproject',
    'x',
  ];

  it('When the proxy is allowed, it should believe its headers', async () => {
    const proxy = new FrontProxy({ bundlePem: ca.certificatePem, allowedNames: ['jane'] }, clock);
    const request = { ...withCertificate(client, headers), rawHeaders };
    expect((await authentication({ requests: [proxy] }).authenticate(request)).user).toEqual({
      name: 'alice',
      groups: ['a', 'b', 'system:authenticated'],
      extra: { 'acme.com/project': ['x'] },
    });
  });

  it('When the proxy has another name or no certificate, it should not', async () => {
    const proxy = new FrontProxy({ bundlePem: ca.certificatePem, allowedNames: ['front'] }, clock);
    const chain = authentication({ requests: [proxy] });
    await expect(chain.authenticate(withCertificate(client, headers))).rejects.toMatchObject(unauthorized);
    await expect(chain.authenticate({ headers })).rejects.toMatchObject(unauthorized);
  });
});

describe('trustConfigMap', () => {
  it('When extension servers read it, it should hold the bundles and the header names as JSON', () => {
    const frontProxy = { bundlePem: 'PROXY', allowedNames: ['front'] };
    expect(trustConfigMap({ clientCa: 'CLIENT', frontProxy }).data).toEqual({
      'client-ca-file': 'CLIENT',
      'requestheader-client-ca-file': 'PROXY',
      'requestheader-allowed-names': '["front"]',
      'requestheader-username-headers': '["X-Remote-User"]',
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-uid-headers': '["X-Remote-Uid"]',
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    });
    expect(trustConfigMap({}).data).toEqual({});
  });
});

describe('static and bootstrap tokens', () => {
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  it('When a token is in the file, it should name its user', async () => {
    const chain = authentication({ tokens: [staticTokens('# c\nt0k,user,uid1,"g1,g2"\nother,"a ""b""",2\n')] });
    expect((await chain.authenticate(bearer('t0k'))).user).toEqual({
      name: 'user',
      uid: 'uid1',
      groups: ['g1', 'g2', 'system:authenticated'],
    });
    expect((await chain.authenticate(bearer('other'))).user.name).toBe('a "b"');
    await expect(chain.authenticate(bearer('nope'))).rejects.toMatchObject(unauthorized);
    expect(() => staticTokens('a,b')).toThrow('line 1');
  });

  const secret = (data: Record<string, string> = {}, more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'bootstrap-token-abcdef' },
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(
      Object.entries({
        'token-id': 'abcdef',
        'token-secret': '0123456789abcdef',
        'usage-bootstrap-authentication': 'true',
        ...data,
      }).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    ),
    ...more,
  });

  it.each([
    ['all is well', secret(), ['system:bootstrappers']],
    [
      'extra groups are fine',
      secret({ 'auth-extra-groups': 'system:bootstrappers:x:y' }),
      ['system:bootstrappers', 'system:bootstrappers:x:y'],
    ],
    ['a group is not for bootstrap', secret({ 'auth-extra-groups': 'system:masters' }), undefined],
    ['the usage is missing', secret({ 'usage-bootstrap-authentication': '' }), undefined],
    ['the secret differs', secret({ 'token-secret': '0123456789abcdeX' }), undefined],
    ['the id differs', secret({ 'token-id': 'abcdeX' }), undefined],
    ['it expired', secret({ expiration: '2020-01-01T00:00:00Z' }), undefined],
    ['the expiration is unreadable', secret({ expiration: 'tomorrow' }), undefined],
    ['it expires later', secret({ expiration: '2099-01-01T00:00:00Z' }), ['system:bootstrappers']],
    ['the type differs', secret({}, { type: 'Opaque' }), undefined],
    [
      'it is being deleted',
      secret({}, { metadata: { name: 'x', deletionTimestamp: '2020-01-01T00:00:00Z' } }),
      undefined,
    ],
    ['there is none', undefined, undefined],
  ])('When %s, it should decide accordingly', async (_, found, groups) => {
    const tokens = bootstrapTokens(() => found, clock);
    const result = await tokens.authenticateToken('abcdef.0123456789abcdef');
    expect(result).toEqual(groups && { user: { name: 'system:bootstrap:abcdef', groups } });
  });
});

describe('the chain', () => {
  it('When there is no credential, it should refuse, or be anonymous where that is configured', async () => {
    await expect(authentication({}).authenticate({ headers: {} })).rejects.toMatchObject(unauthorized);
    const chain = authentication({ anonymous: { paths: healthPaths } });
    expect((await chain.authenticate({ headers: {}, path: '/livez' })).user).toEqual({
      name: 'system:anonymous',
      groups: ['system:unauthenticated'],
    });
    await expect(chain.authenticate({ headers: {}, path: '/api' })).rejects.toMatchObject(unauthorized);
    await expect(chain.authenticate({ headers: { authorization: 'Bearer x' }, path: '/livez' })).rejects.toMatchObject(
      unauthorized,
    );
  });

  it('When the certificate is bad but the token good, it should take the token', async () => {
    const stranger = await createAuthority({ subject: { commonName: 'stranger' }, now: clock.now() });
    const chain = authentication({
      requests: [new ClientCertificates(stranger.certificatePem, clock)],
      tokens: [staticTokens('t,u,1')],
    });
    expect((await chain.authenticate(withCertificate(client, { authorization: 'bearer t' }))).user.name).toBe('u');
  });

  it('When a browser opens a WebSocket, it should find the token in the protocols', () => {
    const encoded = Buffer.from('tok').toString('base64url');
    const headers = { 'sec-websocket-protocol': `v5.channel.k8s.io, base64url.bearer.authorization.k8s.io.${encoded}` };
    expect(bearerToken({ headers })).toBe('tok');
  });
});

describe('impersonation', () => {
  const admin = { name: 'admin', groups: ['system:authenticated'] };
  const headers = {
    'impersonate-user': 'jane',
    'impersonate-group': 'a, b',
    'impersonate-uid': '7',
    'impersonate-extra-scopes': 'view',
  };
  const rawHeaders = [
    'Impersonate-User',
    'jane',
    'Impersonate-Group',
    'a',
    'Impersonate-Group',
    'b',
    'Impersonate-Uid',
    '7',
    'Impersonate-Extra-Scopes',
    'view',
  ];

  it('When headers ask for somebody else, it should list every check and the resulting user', () => {
    const result = impersonation({ headers, rawHeaders }, admin);
    expect(result?.user).toEqual({
      name: 'jane',
      uid: '7',
      groups: ['a', 'b', 'system:authenticated'],
      extra: { scopes: ['view'] },
    });
    const check = (resource: string, name: string, more = {}) =>
      resourceAttributes(admin, 'impersonate', { version: 'v1', resource, name, ...more });
    expect(result?.checks).toEqual([
      check('users', 'jane'),
      check('groups', 'a'),
      check('groups', 'b'),
      check('userextras', 'view', { group: 'authentication.k8s.io', subresource: 'scopes' }),
      check('uids', '7', { group: 'authentication.k8s.io' }),
    ]);
  });

  it.each([
    ['system:serviceaccount:ns:app', ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated']],
    ['system:anonymous', ['system:unauthenticated']],
    ['plain', ['system:authenticated']],
  ])('When %s is impersonated without groups, it should get those of its kind', (name, groups) => {
    expect(impersonation({ headers: { 'impersonate-user': name } }, admin)?.user.groups).toEqual(groups);
  });

  it('When one check fails, it should answer 403 about that one', async () => {
    const usersOnly = {
      authorize: ({ resource }: { resource: string }) =>
        ({ decision: resource === 'users' ? 'allow' : 'no-opinion', reason: '' }) as const,
    };
    await expect(effectiveUser({ headers, rawHeaders }, admin, usersOnly)).rejects.toMatchObject({
      code: 403,
      message:
        'groups "a" is forbidden: User "admin" cannot impersonate resource "groups" in API group "" at the cluster scope',
    });
    expect(await effectiveUser({ headers: {} }, admin, usersOnly)).toBe(admin);
  });

  it('When no user is named, it should be a bad request', () => {
    expect(() => impersonation({ headers: { 'impersonate-group': 'a' } }, admin)).toThrow(
      'without impersonating a user',
    );
  });
});

describe('reviews', () => {
  const chain = authentication({ tokens: [staticTokens('t,u,1,g')] });
  it("When a token is reviewed, it should tell whose it is or that it is nobody's", async () => {
    expect(await answerTokenReview({ spec: { token: 't' } }, chain)).toMatchObject({
      status: { authenticated: true, user: { username: 'u', uid: '1', groups: ['g', 'system:authenticated'] } },
    });
    expect(await answerTokenReview({ spec: { token: 'x' } }, chain)).toMatchObject({ status: { user: {} } });
    await expect(answerTokenReview({ spec: {} }, chain)).rejects.toMatchObject({ code: 400 });
  });

  it.each([undefined, null, 'x', [], { spec: [] }, { spec: { token: 7 } }, { spec: { token: 't', audiences: [1] } }])(
    'When the body is %j, it should be a bad request',
    async (body) => {
      await expect(answerTokenReview(body, chain)).rejects.toMatchObject({ code: 400 });
    },
  );

  it('When other audiences are asked for, it should not lend them a token without audiences', async () => {
    const review = await answerTokenReview({ spec: { token: 't', audiences: ['vault'] } }, chain);
    expect(review).not.toMatchObject({ status: { authenticated: true } });
  });

  it('When asked who I am, it should answer in wire form', () => {
    expect(answerSelfSubjectReview({ name: 'jane', groups: ['a'], extra: { k: ['v'] } }, 0)).toEqual({
      kind: 'SelfSubjectReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { creationTimestamp: '1970-01-01T00:00:00Z' },
      status: { userInfo: { username: 'jane', groups: ['a'], extra: { k: ['v'] } } },
    });
  });
});
