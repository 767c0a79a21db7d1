import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IssuerConfig, issuerProblems, jwtAuthentication, tenantOf, tenantProblems } from './index.ts';

const clock = new ManualClock();
const issuer = 'https://issuer.example.com';
const folder = mkdtempSync(join(tmpdir(), 'fleet-jwks-'));
const file = join(folder, 'jwks.json');
let privateKey: CryptoKey;
let otherKey: CryptoKey;

beforeAll(async () => {
  const pair = await generateKeyPair('RS256');
  ({ privateKey } = pair);
  otherKey = (await generateKeyPair('RS256')).privateKey;
  writeFileSync(file, JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256' }] }));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface TokenOptions {
  claims?: Record<string, unknown>;
  expires?: number | null;
  from?: string;
  key?: CryptoKey;
}

async function bearer({ claims = { email: 'user@example.com' }, expires = 60, from = issuer, key }: TokenOptions = {}) {
  const now = Math.floor(clock.now() / 1000);
  const jwt = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).setIssuer(from);
  if (expires !== null) jwt.setExpirationTime(now + expires);
  return `Bearer ${await jwt.sign(key ?? privateKey)}`;
}

const authenticate = (config: Partial<IssuerConfig> = {}) =>
  jwtAuthentication([{ issuer_url: issuer, jwk_cert_file: file, ...config }], clock);

describe('jwtAuthentication', () => {
  it('When the token is valid, it should give the claim that names the caller', async () => {
    expect(await authenticate()({ authorization: await bearer() })).toBe('user@example.com');
  });

  it('When a token expired within the leeway, it should still be valid', async () => {
    expect(await authenticate()({ authorization: await bearer({ expires: -20 }) })).toBe('user@example.com');
  });

  const refused: [string, () => Promise<Record<string, string>>, string][] = [
    ['no header', async () => ({}), 'AUT-001'],
    ['basic credentials', async () => ({ authorization: 'Basic abc' }), 'AUT-002'],
    ['an expired token', async () => ({ authorization: await bearer({ expires: -60 }) }), 'AUT-003'],
    ['a token that never expires', async () => ({ authorization: await bearer({ expires: null }) }), 'AUT-002'],
    [
      'a token of somebody else',
      async () => ({ authorization: await bearer({ from: 'https://x.example.com' }) }),
      'AUT-002',
    ],
    ['a token signed with another key', async () => ({ authorization: await bearer({ key: otherKey }) }), 'AUT-002'],
    [
      'a control character in the name',
      async () => ({ authorization: await bearer({ claims: { email: 'a\u0007b' } }) }),
      'AUT-002',
    ],
  ];
  it.each(refused)('When the request has %s, it should be refused', async (_, headers, code) => {
    await expect(authenticate()(await headers())).rejects.toMatchObject({ status: 401, code });
  });

  it('When the issuer trusts an identity header, it should win over the claim', async () => {
    const config = { identity_header: 'X-Identity', identity_claim_pattern: '^[a-z@.]+$' };
    const authorization = await bearer();
    expect(await authenticate(config)({ authorization, 'x-identity': 'adapter' })).toBe('adapter');
    expect(await authenticate(config)({ authorization })).toBe('user@example.com');
    await expect(authenticate(config)({ authorization, 'x-identity': 'ADAPTER' })).rejects.toMatchObject({
      status: 401,
    });
  });

  it('When issuers use different headers, it should accept either', async () => {
    const both = jwtAuthentication(
      [
        { issuer_url: 'https://other.example.com', jwk_cert_file: file, header: 'X-Other' },
        { issuer_url: issuer, jwk_cert_file: file, identity_claim: 'sub' },
      ],
      clock,
    );
    expect(await both({ authorization: await bearer({ claims: { sub: 's' } }) })).toBe('s');
    expect(await both({ 'x-other': await bearer({ from: 'https://other.example.com' }) })).toBe('user@example.com');
  });
});

describe('issuerProblems', () => {
  it.each([
    [[], 'at least one issuer'],
    [[{ issuer_url: 'http://example.com', jwk_cert_file: 'x' }], 'https URL'],
    [[{ issuer_url: 'https://example.com' }], 'jwk_cert_url or jwk_cert_file'],
    [
      [{ issuer_url: 'https://example.com', jwk_cert_file: 'x', identity_claim_pattern: '(' }],
      'identity_claim_pattern',
    ],
  ])('When the issuers are %j, it should say: %s', (issuers, problem) => {
    expect(issuerProblems(issuers).join()).toContain(problem);
  });

  it('When an issuer is on loopback, it may use http', () => {
    expect(issuerProblems([{ issuer_url: 'http://localhost:1', jwk_cert_url: 'http://127.0.0.1:2/keys' }])).toEqual([]);
  });
});

describe('tenantOf', () => {
  const config = {
    enabled: true,
    system_header: 'X-System',
    dimensions: [
      { header: 'X-Org', key: 'org', required: true },
      { header: 'X-Project', key: 'project', required: false },
    ],
  };

  it('When headers name the tenant, it should carry every dimension given', () => {
    expect(tenantOf(config, { 'x-org': 'a', 'x-project': 'p' })).toEqual({
      system: false,
      tenancy: { org: 'a', project: 'p' },
    });
    expect(tenantOf(config, { 'x-system': 'TRUE' })).toEqual({ system: true });
    expect(tenantOf({ ...config, enabled: false }, {})).toEqual({ system: false });
  });

  it.each([[{}], [{ 'x-project': 'p' }], [{ 'x-org': 'a b' }], [{ 'x-org': 'a'.repeat(64) }]])(
    'When the headers are %j, it should refuse the request',
    (headers) => {
      expect(() => tenantOf(config, headers)).toThrow(/tenant/);
    },
  );

  it('When nothing is required, it should refuse to start', () => {
    expect(tenantProblems({ enabled: true, system_header: '', dimensions: [] })).toHaveLength(2);
  });
});
