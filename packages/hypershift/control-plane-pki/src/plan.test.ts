import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { day, generateKeys, parsePrivateKey, privateKeyPem } from '@hypershift-ts/kube-pki';
import { beforeAll, describe, expect, it } from 'vitest';
import { PkiSecretUnusable } from './errors.ts';
import type { PkiFacts } from './facts.ts';
import { decoded, type PkiState } from './material.ts';
import { planPki } from './plan.ts';
import { authoritiesOf, leavesOf } from './table/index.ts';
import { nothing, now, someFacts, stateAfter } from './testing/facts.ts';

const facts = someFacts();
let settled: PkiState;

beforeAll(async () => {
  settled = await stateAfter(facts);
});

const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name).sort();

function without(state: PkiState, ...secrets: readonly string[]): PkiState {
  return { ...state, secrets: new Map([...state.secrets].filter(([name]) => !secrets.includes(name))) };
}

function withData(state: PkiState, name: string, data: Record<string, string>): PkiState {
  const old = state.secrets.get(name);
  const secret = { ...old, metadata: { name }, data: { ...old?.data, ...data } } as corev1.Secret;
  return { ...state, secrets: new Map(state.secrets).set(name, secret) };
}

describe('planPki', () => {
  it('When nothing exists, it should create every CA, every leaf and the signing key', () => {
    const plan = planPki(facts, nothing, now);
    const wanted = [...authoritiesOf(facts), ...leavesOf(facts)].map(({ secret }) => secret);
    expect(names(plan.create)).toEqual([...wanted, 'sa-signing-key'].sort());
    expect([plan.renew, plan.keep]).toEqual([[], []]);
  });

  it('When everything is there, it should keep all and say when to look again', () => {
    const plan = planPki(facts, settled, now);
    expect([plan.create, plan.renew]).toEqual([[], []]);
    expect(plan.nextCheck).toBe(now + 335 * day);
  });

  it.each<[string, Partial<PkiFacts>, string[], RegExp]>([
    ['the API host moves', { api: { host: 'api.new.example.com', port: 6443 } }, ['kas-server-crt'], /api\.new/],
    ['the API host becomes an address', { api: { host: '192.0.2.7', port: 6443 } }, ['kas-server-crt'], /192\.0\.2\.7/],
    ['the service network changes', { serviceNetworks: ['10.96.0.0/12'] }, ['kas-server-crt'], /10\.96\.0\.1/],
    ['the konnectivity host moves', { konnectivityHost: '192.0.2.9' }, ['konnectivity-cluster'], /192\.0\.2\.9/],
    ['the ingress domain changes', { ingressDomain: 'apps.other.io' }, ['ingress-crt'], /\*\.apps\.other\.io/],
    ['the OAuth host moves', { oauthHost: 'login.example.com' }, ['oauth-server-crt'], /login\.example/],
    ['the ignition host moves', { ignition: { host: '192.0.2.1' } }, ['ignition-server-serving-cert'], /192\.0\.2\.1/],
  ])('When %s, it should renew exactly the certificates concerned', (_what, change, concerned, reason) => {
    const plan = planPki({ ...facts, ...change }, settled, now);
    expect(names(plan.renew)).toEqual(concerned);
    expect(plan.reasons.get(concerned[0] ?? '')).toMatch(reason);
    expect(plan.create).toEqual([]);
  });

  it('When a name was given up, it should renew the certificate that still carries it', async () => {
    const wide = await stateAfter(someFacts({ serviceNetworks: ['172.31.0.0/16', 'fd02::/112'] }));
    expect(planPki(facts, wide, now).reasons.get('kas-server-crt')).toBe('it still covers fd02::1');
  });

  it('When less than 30 days are left, it should renew the leaves and keep the CAs', () => {
    const at = now + 336 * day;
    const plan = planPki(facts, settled, at);
    expect(names(plan.renew)).toEqual(
      leavesOf(facts)
        .map(({ secret }) => secret)
        .sort(),
    );
    expect(plan.create).toEqual([]);
  });

  it('When validity and renewal are tuned, it should renew by the share of the validity', async () => {
    const tuning = { leafValidity: 10 * day, renewalShare: 0.3 };
    expect(planPki(facts, settled, now, tuning).reasons.get('hcco-client')).toMatch(/validity/);
    const short = await stateAfter(facts, settled, { tuning });
    expect(planPki(facts, short, now + 6.9 * day, tuning).renew).toEqual([]);
    expect(planPki(facts, short, now + 7.1 * day, tuning).renew.length).toBe(leavesOf(facts).length);
  });

  it('When the validity is shorter than 30 days, it should not renew for ever', async () => {
    const tuning = { leafValidity: day };
    const short = await stateAfter(facts, settled, { tuning });
    expect(planPki(facts, short, now, tuning).renew).toEqual([]);
  });

  it('When a leaf ends with its CA, it should not renew for ever', async () => {
    const late = now + 3640 * day;
    const old = await stateAfter(facts, settled, { at: late });
    expect(planPki(facts, old, late).renew).toEqual([]);
  });

  it('When a CA was replaced, it should renew what the old one signed and nothing else', async () => {
    const fresh = await stateAfter(facts, without(settled, 'etcd-signer'));
    const swapped = { ...settled, secrets: new Map(settled.secrets) };
    swapped.secrets.set('etcd-signer', fresh.secrets.get('etcd-signer') as corev1.Secret);
    const plan = planPki(facts, swapped, now);
    expect(names(plan.renew)).toEqual(['etcd-client-tls', 'etcd-peer-tls', 'etcd-server-tls']);
    expect(plan.reasons.get('etcd-peer-tls')).toBe('its CA was replaced');
  });

  it('When a CA is gone, it should create it and renew what it signed', () => {
    const plan = planPki(facts, without(settled, 'system-admin-signer'), now);
    expect(names(plan.create)).toEqual(['system-admin-signer']);
    expect(names(plan.renew)).toEqual(['system-admin-client']);
  });

  it('When a leaf holds the key of another, it should renew it', () => {
    const key = settled.secrets.get('kcm-server')?.data?.['tls.key'] ?? '';
    const plan = planPki(facts, withData(settled, 'cvo-server', { 'tls.key': key }), now);
    expect(plan.reasons.get('cvo-server')).toMatch(/does not belong/);
  });

  it('When the CA itself is damaged, it should refuse and say what to do', () => {
    const broken = withData(settled, 'root-ca', { 'ca.crt': 'bm90IGEgY2VydA==' });
    expect(() => planPki(facts, broken, now)).toThrow(PkiSecretUnusable);
    expect(() => planPki(facts, broken, now)).toThrow(
      /clusters-demo\/root-ca holds no usable CA.*delete it to get a new/,
    );
  });

  it('When the user brought a signing key, it should keep it and add the public half', async () => {
    const pem = privateKeyPem(await generateKeys('RSA-2048'));
    const brought = withData(nothing, 'sa-signing-key', { 'service-account.key': Buffer.from(pem).toString('base64') });
    const after = await stateAfter(facts, brought);
    const { data } = after.secrets.get('sa-signing-key') ?? {};
    expect(Buffer.from(data?.['service-account.key'] ?? '', 'base64').toString()).toBe(pem);
    expect(Buffer.from(data?.['service-account.pub'] ?? '', 'base64').toString()).toContain('BEGIN PUBLIC KEY');
    expect(planPki(facts, after, now).create).toEqual([]);
  });

  it('When the private half of the signing key is lost, it should refuse rather than drop the public half', () => {
    const lost = withData(nothing, 'sa-signing-key', { 'service-account.pub': 'eA==' });
    expect(() => planPki(facts, lost, now)).toThrow(/service-account\.key is missing/);
  });

  it('When upstream made the certificates with RSA, it should keep them', async () => {
    const rsa = await stateAfter(facts, nothing, { keys: () => rsaKeys });
    expect(planPki(facts, rsa, now).renew).toEqual([]);
    const key = decoded(rsa.secrets.get('kas-server-crt'), 'tls.key') ?? '';
    expect(parsePrivateKey(key).type).toBe('RSA-2048');
  });
});

const rsaKeys = generateKeys('RSA-2048');
