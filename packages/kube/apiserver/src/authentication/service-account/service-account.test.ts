import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { generateKeys, privateKeyPem, publicKeyPem } from '@hypershift-ts/kube-pki';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  answerTokenRequest,
  answerTokenReview,
  authentication,
  jsonWebKeySet,
  openIdConfiguration,
  parseSigningKey,
  parseVerificationKeys,
  ServiceAccountTokens,
  TokenIssuer,
} from '../index.ts';

const issuerUrl = 'https://kubernetes.default.svc';
const clock = new ManualClock();
const ec = parseSigningKey(privateKeyPem(await generateKeys('P-256')));
const rsa = parseSigningKey(privateKeyPem(await generateKeys('RSA-2048')));
const stranger = parseSigningKey(privateKeyPem(await generateKeys('P-256')));

const object = (kind: string, name: string, uid: string, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'app', uid },
  ...more,
});
let objects: Map<string, KubeObject>;
beforeEach(() => {
  objects = new Map([
    ['serviceaccounts/app/runner', object('ServiceAccount', 'runner', 'sa-1')],
    ['pods/app/web', object('Pod', 'web', 'pod-1', { spec: { serviceAccountName: 'runner', nodeName: 'n1' } })],
    ['pods/app/other', object('Pod', 'other', 'pod-2', { spec: { serviceAccountName: 'default' } })],
    ['secrets/app/s', object('Secret', 's', 'sec-1')],
    ['nodes//n1', object('Node', 'n1', 'node-1')],
  ]);
});
const lookup = (resource: string, namespace: string, name: string) => objects.get(`${resource}/${namespace}/${name}`);
const tokens = new ServiceAccountTokens({
  keys: [ec, rsa],
  issuers: [issuerUrl],
  audiences: [issuerUrl],
  lookup,
  clock,
});
const target = { namespace: 'app', name: 'runner' };
const options = (key = ec) => ({ issuer: new TokenIssuer(issuerUrl, key), audiences: [issuerUrl], lookup, clock });
const request = async (spec: object = {}, key = ec) =>
  ((await answerTokenRequest({ spec }, target, options(key))) as { status: { token: string } }).status.token;
const bindTo = (kind: string, name: string) => ({ boundObjectRef: { apiVersion: 'v1', kind, name } });

describe('issuing and verifying', () => {
  it.each([ec, rsa])('When the key is $algorithm, it should give a token that names the account', async (key) => {
    expect(await tokens.authenticateToken(await request({}, key))).toEqual({
      user: {
        name: 'system:serviceaccount:app:runner',
        uid: 'sa-1',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:app'],
        extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=/)] },
      },
      audiences: [issuerUrl],
    });
  });

  it('When bound to a pod, it should carry pod and node, and die with the pod', async () => {
    const token = await request(bindTo('Pod', 'web'));
    expect((await tokens.authenticateToken(token))?.user.extra).toMatchObject({
      'authentication.kubernetes.io/pod-name': ['web'],
      'authentication.kubernetes.io/pod-uid': ['pod-1'],
      'authentication.kubernetes.io/node-name': ['n1'],
      'authentication.kubernetes.io/node-uid': ['node-1'],
    });
    objects.delete('nodes//n1');
    expect(await tokens.authenticateToken(token)).toBeDefined();
    objects.set('pods/app/web', object('Pod', 'web', 'pod-9'));
    await expect(tokens.authenticateToken(token)).rejects.toThrow('invalidated');
  });

  it.each([
    ['Secret', 's', 'secrets/app/s'],
    ['Node', 'n1', 'nodes//n1'],
  ])('When bound to a %s, it should die with it', async (kind, name, key) => {
    const token = await request(bindTo(kind, name));
    expect(await tokens.authenticateToken(token)).toBeDefined();
    objects.delete(key);
    await expect(tokens.authenticateToken(token)).rejects.toThrow('invalidated');
  });

  it('When the account is recreated, it should refuse old tokens at once', async () => {
    const token = await request();
    await tokens.authenticateToken(token);
    objects.set('serviceaccounts/app/runner', object('ServiceAccount', 'runner', 'sa-2'));
    await expect(tokens.authenticateToken(token)).rejects.toThrow('invalidated');
  });

  it('When it expired, it should be refused even if its signature is remembered', async () => {
    const token = await request({ expirationSeconds: 600 });
    await tokens.authenticateToken(token);
    clock.advance(11 * 60 * 1000 + 1000);
    await expect(tokens.authenticateToken(token)).rejects.toThrow('has expired');
  });

  it('When the signature, the audience or the issuer is wrong, it should not pass', async () => {
    await expect(tokens.authenticateToken(await request({}, stranger))).rejects.toThrow('not signed by a known key');
    await expect(tokens.authenticateToken(await request({ audiences: ['vault'] }))).rejects.toThrow(
      'is invalid for the target audiences',
    );
    expect(
      (await tokens.authenticateToken(await request({ audiences: ['vault', 'x'] }), ['vault']))?.audiences,
    ).toEqual(['vault']);
    const [header, payload, signature] = (await request()).split('.') as [string, string, string];
    const claims = {
      ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object),
      sub: 'system:serviceaccount:kube-system:admin',
    };
    const forged = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
    await expect(tokens.authenticateToken(forged)).rejects.toThrow('not signed');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    await expect(tokens.authenticateToken(none)).rejects.toThrow('not signed');
    for (const junk of ['', 'a.b', 'a.b.c', '....', 'x'.repeat(10_000)])
      expect(await tokens.authenticateToken(junk)).toBeUndefined();
  });

  it('When a key is retired, it should refuse its tokens from then on', async () => {
    const rotating = new ServiceAccountTokens({
      keys: [ec, rsa],
      issuers: [issuerUrl],
      audiences: [issuerUrl],
      lookup,
      clock,
    });
    const token = await request();
    await rotating.authenticateToken(token);
    rotating.setKeys([rsa]);
    await expect(rotating.authenticateToken(token)).rejects.toThrow('not signed');
  });

  it('When a legacy Secret holds the token, it should be good while the Secret is', async () => {
    const account = lookup('serviceaccounts', 'app', 'runner') as KubeObject;
    const token = await new TokenIssuer(issuerUrl, rsa).issueLegacy(account, 'legacy');
    await expect(tokens.authenticateToken(token)).rejects.toThrow('invalidated');
    objects.set(
      'secrets/app/legacy',
      object('Secret', 'legacy', 'l', { data: { token: Buffer.from(token).toString('base64') } }),
    );
    expect((await tokens.authenticateToken(token))?.user.name).toBe('system:serviceaccount:app:runner');
  });

  it('When reviewed, it should answer with audiences', async () => {
    const review = await answerTokenReview({ spec: { token: await request() } }, authentication({ tokens: [tokens] }));
    expect(review).toMatchObject({ status: { authenticated: true, audiences: [issuerUrl] } });
    const bad = await answerTokenReview(
      { spec: { token: await request({}, stranger) } },
      authentication({ tokens: [tokens] }),
    );
    expect(bad).toMatchObject({ status: { error: 'the token is not signed by a known key' } });
  });
});

describe('answerTokenRequest', () => {
  it('When nothing is asked for, it should default audience and an hour', async () => {
    const answer = await answerTokenRequest({}, target, options());
    expect(answer).toMatchObject({
      kind: 'TokenRequest',
      metadata: { name: 'runner', namespace: 'app' },
      spec: { audiences: [issuerUrl], expirationSeconds: 3600, boundObjectRef: null },
      status: { expirationTimestamp: new Date(clock.now() + 3_600_000).toISOString().replace('.000Z', 'Z') },
    });
  });

  it.each([
    [
      'too short',
      { spec: { expirationSeconds: 599 } },
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ],
    ['not a number of seconds', { spec: { expirationSeconds: '600' } }, 422, 'spec.expirationSeconds'],
    ['of the wrong shape', { spec: { audiences: 'x' } }, 400, 'spec.audiences: expected array of strings'],
    ['too long', { spec: { expirationSeconds: 2 ** 33 } }, 422, '2^32'],
    ['for another name', { metadata: { name: 'x' } }, 422, 'must match the service account name'],
    ['for another uid', { metadata: { uid: 'x' } }, 409, 'does not match the UID'],
    ['bound to a missing pod', { spec: bindTo('Pod', 'nope') }, 404, 'pods "nope" not found'],
    [
      "bound to a stranger's pod",
      { spec: bindTo('Pod', 'other') },
      400,
      'cannot bind token for serviceaccount "runner"',
    ],
    [
      'bound to a Deployment',
      { spec: { boundObjectRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' } } },
      400,
      'cannot bind token to object of type apps/v1, Kind=Deployment',
    ],
    [
      'bound to a recreated pod',
      { spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'old' } } },
      409,
      'does not match the UID in record',
    ],
  ])('When it is %s, it should be refused', async (_, body, code, message) => {
    await expect(answerTokenRequest(body, target, options())).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    });
  });

  it('When a kubelet asks for the default hour for a pod, it should give a year with a stale mark', async () => {
    const token = await request({ ...bindTo('Pod', 'web'), expirationSeconds: 3607 });
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      number
    > & { 'kubernetes.io': { warnafter: number } };
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(365 * 24 * 3600);
    expect(claims['kubernetes.io'].warnafter - (claims.iat ?? 0)).toBe(3607);
  });
});

describe('discovery', () => {
  it('When another party uses our documents, it should verify our tokens', async () => {
    const keySet = createLocalJWKSet(jsonWebKeySet([ec, rsa]) as never);
    const token = await request({ audiences: ['vault'] }, rsa);
    const { payload } = await jwtVerify(token, keySet, {
      issuer: issuerUrl,
      audience: 'vault',
      currentDate: new Date(clock.now()),
    });
    expect(payload.sub).toBe('system:serviceaccount:app:runner');
    expect(openIdConfiguration(issuerUrl, `${issuerUrl}/openid/v1/jwks`, [ec, rsa])).toMatchObject({
      id_token_signing_alg_values_supported: ['ES256', 'RS256'],
    });
  });

  it('When a key file holds several forms, it should read all', async () => {
    const keys = await generateKeys('P-256');
    const parsed = parseVerificationKeys(publicKeyPem(keys) + privateKeyPem(keys));
    expect(parsed.map((key) => key.id)).toEqual([parsed[0]?.id, parsed[0]?.id]);
    expect(() => parseVerificationKeys('')).toThrow();
  });
});
