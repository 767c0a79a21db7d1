import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { generateKeys } from '@hypershift-ts/kube-pki';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { resourceAttributes, webhookAuthorizer } from '../authorization/index.ts';
import type { JwtIssuerConfig } from './index.ts';
import { jsonWebKeySet, jwtIssuers, signingKey, webhookTokens } from './index.ts';

const clock = new ManualClock();

describe('webhookTokens', () => {
  const answering = (status: object) => {
    const asked: unknown[] = [];
    const post = (review: object) => {
      asked.push(review);
      return Promise.resolve({ ...review, status });
    };
    return { asked, tokens: webhookTokens({ post, audiences: ['api'], clock }) };
  };

  it('When the webhook knows the token, it should be believed and not asked again at once', async () => {
    const { asked, tokens } = answering({
      authenticated: true,
      user: { username: 'u', groups: ['g'], extra: { a: ['b'] } },
    });
    const expected = { user: { name: 'u', groups: ['g'], extra: { a: ['b'] } }, audiences: ['api'] };
    expect(await tokens.authenticateToken('t')).toEqual(expected);
    expect(await tokens.authenticateToken('t')).toEqual(expected);
    expect(asked).toHaveLength(1);
    clock.advance(121_000);
    await tokens.authenticateToken('t');
    expect(asked).toHaveLength(2);
  });

  it('When it says no, answers nonsense or fails, it should not let anybody in', async () => {
    expect(await answering({}).tokens.authenticateToken('t')).toBeUndefined();
    await expect(answering({ error: 'expired' }).tokens.authenticateToken('t')).rejects.toThrow('expired');
    await expect(answering({ authenticated: true }).tokens.authenticateToken('t')).rejects.toThrow('named no user');
    await expect(
      answering({ authenticated: true, user: { username: 'u' }, audiences: ['x'] }).tokens.authenticateToken('t'),
    ).rejects.toThrow('audiences');
    const broken = webhookTokens({ post: () => Promise.reject(new Error('refused')), audiences: [], clock });
    await expect(broken.authenticateToken('t')).rejects.toThrow('did not answer');
  });
});

describe('webhookAuthorizer', () => {
  const question = resourceAttributes({ name: 'u', groups: ['g'] }, 'get', { resource: 'pods', namespace: 'n' });
  it.each([
    [{ allowed: true }, 'allow'],
    [{ allowed: false }, 'no-opinion'],
    [{ denied: true, reason: 'no' }, 'deny'],
    [{ allowed: true, denied: true }, 'deny'],
    [undefined, 'no-opinion'],
  ])('When the answer is %j, it should decide %s and remember it', async (status, decision) => {
    let asked = 0;
    const authorizer = webhookAuthorizer({ clock, post: () => Promise.resolve({ status, asked: ++asked }) });
    expect((await authorizer.authorize(question)).decision).toBe(decision);
    await authorizer.authorize(question);
    expect(asked).toBe(1);
  });

  it('When it fails, it should have no opinion and ask again next time', async () => {
    let asked = 0;
    const authorizer = webhookAuthorizer({ clock, post: () => Promise.reject(new Error(String(++asked))) });
    expect((await authorizer.authorize(question)).decision).toBe('no-opinion');
    await authorizer.authorize(question);
    expect(asked).toBe(2);
  });
});

describe('jwtIssuers', async () => {
  const url = 'https://idp.example';
  const key = signingKey((await generateKeys()).privateKey);
  const next = signingKey((await generateKeys()).privateKey);
  const config: JwtIssuerConfig = {
    issuer: { url, audiences: ['cluster'] },
    claimMappings: { username: { claim: 'email', prefix: 'idp:' }, groups: { claim: 'groups', prefix: 'idp:' } },
    claimValidationRules: [{ claim: 'hd', requiredValue: 'example' }],
  };
  const token = (claims: object, by = key, audience = 'cluster') =>
    new SignJWT({ email: 'a@example', groups: ['dev'], hd: 'example', ...claims })
      .setProtectedHeader({ alg: by.algorithm, kid: by.id })
      .setIssuer(url)
      .setAudience(audience)
      .setExpirationTime(Math.floor(clock.now() / 1000) + 600)
      .sign(by.privateKey);
  const serving = (keys = [key]) => {
    const published = { keys, fetched: 0 };
    const fetchJson = (path: string) => {
      published.fetched++;
      return Promise.resolve(
        path.endsWith('openid-configuration')
          ? { issuer: url, jwks_uri: `${url}/keys` }
          : jsonWebKeySet(published.keys),
      );
    };
    return { published, tokens: jwtIssuers({ issuers: [config], fetchJson, clock }) };
  };

  it('When a provider signed it, it should map claims to a user', async () => {
    const { tokens, published } = serving();
    const expected = { user: { name: 'idp:a@example', groups: ['idp:dev'] } };
    expect(await tokens.authenticateToken(await token({}))).toEqual(expected);
    expect(await tokens.authenticateToken(await token({ groups: 'dev' }))).toEqual(expected);
    expect(published.fetched).toBe(2);
  });

  it.each([
    ['the email is unverified', { email_verified: false }],
    ['a required claim differs', { hd: 'other' }],
    ['the user is missing', { email: undefined }],
    ['groups are no list', { groups: { a: 1 } }],
  ])('When %s, it should be refused', async (_, claims) => {
    await expect(serving().tokens.authenticateToken(await token(claims))).rejects.toThrow();
  });

  it('When signature or audience is wrong it should be refused, when the issuer is a stranger ignored', async () => {
    const { tokens } = serving();
    await expect(tokens.authenticateToken(await token({}, next))).rejects.toThrow('does not verify');
    await expect(tokens.authenticateToken(await token({}, key, 'x'))).rejects.toThrow('does not verify');
    expect(await tokens.authenticateToken('a.b.c')).toBeUndefined();
  });

  it('When the provider rotates its keys, it should fetch them again, but not for every stranger', async () => {
    const { tokens, published } = serving();
    await tokens.authenticateToken(await token({}));
    published.keys = [next];
    clock.advance(61_000);
    expect(await tokens.authenticateToken(await token({}, next))).toBeDefined();
    const stranger = signingKey((await generateKeys()).privateKey);
    for (let i = 0; i < 5; i++) {
      const refused = (async () => tokens.authenticateToken(await token({}, stranger)))();
      await expect(refused).rejects.toThrow('does not verify');
    }
    expect(published.fetched).toBe(4);
  });
});
