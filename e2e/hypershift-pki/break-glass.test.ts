import {
  certificateRevocationRequests,
  certificateSigningRequestApprovals,
  hostedControlPlanes,
  managementCrds,
} from '@hypershift-ts/hypershift-api';
import {
  type KasProber,
  type PkiOperator,
  pkiOperator,
  previousSignerName,
  probe,
  signerName,
} from '@hypershift-ts/hypershift-pki-operator';
import type { AuditEvent } from '@hypershift-ts/kube-apiserver';
import {
  apiextensionsv1,
  authenticationv1,
  certificatesv1,
  corev1,
  isConditionTrue,
  ManualClock,
} from '@hypershift-ts/kube-apimachinery';
import { HttpClient } from '@hypershift-ts/kube-client';
import {
  createRequest,
  day,
  generateKeys,
  type KeyPair,
  parseCertificate,
  parseCertificates,
  privateKeyPem,
} from '@hypershift-ts/kube-pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { aControlPlane } from '../hypershift-api/objects.ts';

const namespace = 'clusters-demo';
const { certificatesigningrequests: csrs } = certificatesv1;
let management: TestCluster;
let guest: TestCluster;
let operator: PkiOperator;
let requests: AuditEvent[] = [];
/** While false, the hosted API server does not learn of new trust. */
let distributing = true;
let stopDistribution = () => {};

/** Waits for something that watches bring about; the limit only bounds a failing test. */
async function eventually<T>(read: () => Promise<T | undefined | false>, what: string): Promise<T> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const value = await read();
    if (value) return value;
    await new Promise((resolve) => {
      setTimeout(resolve, 25);
    });
  }
  throw new Error(`never happened: ${what}`);
}

const asGuest = (certificatePem: string, keyPem: string) =>
  new HttpClient({
    server: guest.cluster.server,
    certificateAuthority: { pem: guest.cluster.identity.authority.certificatePem },
    clientCertificate: { certificate: { pem: certificatePem }, key: { pem: keyPem } },
  });

const prober: KasProber = async ({ certificatePem, keyPem }, signal) => {
  const client = asGuest(certificatePem, keyPem);
  try {
    return [await probe(client, signal)];
  } finally {
    await client.close();
  }
};

/** What the control-plane-operator and a hot reload do together: the bundle reaches the hosted API server. */
function distribute(): () => void {
  const { identity, apiServer } = guest.cluster;
  const informer = operator.manager.cache.informer(corev1.configmaps, { namespace });
  const reload = ({ metadata, data }: corev1.ConfigMap) => {
    if (!distributing || metadata.name !== 'total-client-ca') return;
    const clientCa = identity.authority.certificatePem + (data?.['ca-bundle.crt'] ?? '');
    apiServer.reloadCertificates(
      { certificate: identity.serving.certificatePem, key: identity.serving.keyPem },
      clientCa,
    );
  };
  return informer.addHandler({ added: reload, updated: (_before, next) => reload(next) });
}

const newOperator = () => pkiOperator({ managementClient: management.client, namespace, prober, revocationPollMs: 50 });

beforeAll(async () => {
  management = await startTestCluster({ apiServer: { audit: (event) => requests.push(event) } });
  guest = await startTestCluster();
  for (const crd of managementCrds('Default')) {
    await management.client.apply(apiextensionsv1.customresourcedefinitions, crd as never, { fieldManager: 'test' });
  }
  await management.client.create(corev1.namespaces, { metadata: { name: namespace } });
  const controlPlane = { ...aControlPlane, metadata: { name: 'demo', namespace } };
  await management.client.create(hostedControlPlanes, controlPlane as never);
  operator = newOperator();
  await operator.start();
  stopDistribution = distribute();
});
afterAll(async () => {
  stopDistribution();
  await operator.stop();
  await guest.stop();
  await management.stop();
});

interface RequestOptions {
  readonly commonName?: string;
  readonly usages?: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly signer?: string;
  readonly expirationSeconds?: number;
}

/** A user asks for a certificate, on the management cluster. */
async function requestCertificate(name: string, options: RequestOptions = {}): Promise<KeyPair> {
  const keys = await generateKeys('P-256');
  const subject = {
    commonName: options.commonName ?? 'system:customer-break-glass:jane',
    organizations: ['system:masters'],
  };
  const pem = await createRequest({ subject, keys, ...(options.dnsNames ? { dnsNames: options.dnsNames } : {}) });
  await management.client.create(csrs, {
    metadata: { name },
    spec: {
      request: Buffer.from(pem).toString('base64'),
      signerName: options.signer ?? signerName(namespace, 'customer-break-glass'),
      usages: options.usages ?? ['client auth'],
      ...(options.expirationSeconds ? { expirationSeconds: options.expirationSeconds } : {}),
    },
  });
  return keys;
}

const approve = (name: string) =>
  management.client.create(certificateSigningRequestApprovals, { metadata: { name, namespace }, spec: {} } as never);

async function signedCertificate(name: string): Promise<string> {
  const csr = await eventually(async () => {
    const found = await management.client.get(csrs, { name });
    return found.status?.certificate ? found : undefined;
  }, `${name} is signed`);
  return Buffer.from(csr.status?.certificate ?? '', 'base64').toString('utf8');
}

async function failureOf(name: string): Promise<string | undefined> {
  const csr = await eventually(async () => {
    const found = await management.client.get(csrs, { name });
    return found.status?.conditions?.some(({ type }) => type === 'Failed') ? found : undefined;
  }, `${name} fails`);
  const failed = csr.status?.conditions?.find(({ type }) => type === 'Failed');
  return `${failed?.reason}: ${failed?.message}`;
}

async function whoAmI(certificatePem: string, keyPem: string) {
  const client = asGuest(certificatePem, keyPem);
  try {
    const review = await client.create(authenticationv1.selfsubjectreviews, { metadata: {} });
    return review.status?.userInfo;
  } finally {
    await client.close();
  }
}

const settled = () =>
  eventually(async () => {
    const { items } = await management.client.list(corev1.configmaps, { namespace });
    return items.some(({ metadata }) => metadata.name === 'total-client-ca');
  }, 'trust is distributed');

describe('break-glass access to a hosted cluster', () => {
  it('When a request is approved, it should give a certificate that the hosted cluster accepts', async () => {
    await settled();
    const keys = await requestCertificate('jane', { expirationSeconds: 3600 });
    await approve('jane');
    const certificate = await signedCertificate('jane');
    const user = await eventually(
      () => whoAmI(certificate, privateKeyPem(keys)).catch(() => undefined),
      'the certificate is accepted',
    );
    expect(user.username).toBe('system:customer-break-glass:jane');
    expect(user.groups).toContain('system:masters');
    const { notBefore, notAfter } = parseCertificate(certificate);
    expect(Math.abs(notAfter - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(Date.now() - notBefore).toBeLessThan(10 * 60_000);
  });

  it('When there is no approval, or it is for another control plane, it should sign nothing', async () => {
    await requestCertificate('unapproved');
    await requestCertificate('elsewhere', { signer: signerName('clusters-other', 'customer-break-glass') });
    await approve('elsewhere');
    await requestCertificate('last');
    await approve('last');
    await signedCertificate('last');
    for (const name of ['unapproved', 'elsewhere']) {
      expect((await management.client.get(csrs, { name })).status ?? {}).toEqual({});
    }
  });

  it.each<[string, RequestOptions, RegExp]>([
    ['name', { commonName: 'system:admin' }, /CommonName must begin with "system:customer-break-glass:"/],
    ['class', { commonName: 'system:sre-break-glass:joe' }, /CommonName must begin with/],
    ['usages', { usages: ['digital signature'] }, /missing required usages: \[client auth\]/],
    ['more-usages', { usages: ['client auth', 'server auth'] }, /invalid usages: \[server auth\]/],
    ['names', { dnsNames: ['evil.example.com'] }, /subjectAltNames are not allowed/],
  ])('When a request has wrong %s, it should fail and say why', async (what, options, message) => {
    const name = `wrong-${what}`;
    await requestCertificate(name, options);
    await approve(name);
    const failure = await failureOf(name);
    expect(failure).toMatch(/^SignerValidationFailure: /);
    expect(failure).toMatch(message);
  });

  it('When the ready-made client certificate is used, it should be accepted as an administrator', async () => {
    const secret = await management.client.get(corev1.secrets, {
      namespace,
      name: 'sre-system-admin-client-cert-key',
    });
    const text = (key: string) => Buffer.from(secret.data?.[key] ?? '', 'base64').toString('utf8');
    const user = await whoAmI(text('tls.crt'), text('tls.key'));
    expect(user?.username).toMatch(/^system:sre-break-glass:[0-9a-z]{20,}$/);
    expect(user?.groups).toContain('system:masters');
  });

  it('When everything is settled and the operator starts again, it should write nothing', async () => {
    stopDistribution();
    await operator.stop();
    requests = [];
    operator = newOperator();
    await operator.start();
    stopDistribution = distribute();
    const marker = { namespace, name: 'total-client-ca' };
    await management.client.patch(corev1.configmaps, marker, {
      type: 'merge',
      body: { metadata: { labels: { poke: '1' } } },
    });
    // A round through every controller: the approval below is served after what the start set off.
    await requestCertificate('round');
    await approve('round');
    await signedCertificate('round');
    const writes = requests.filter(({ verb }) => !['get', 'list', 'watch'].includes(verb));
    expect(
      writes.map(({ verb, objectRef }) => `${verb} ${objectRef?.resource}/${objectRef?.subresource ?? ''}`),
    ).toEqual([
      'patch configmaps/',
      'create certificatesigningrequests/',
      'create certificatesigningrequestapprovals/',
      'update certificatesigningrequests/approval',
      'patch certificatesigningrequests/status',
    ]);
  });
});

describe('revocation', () => {
  const key = { namespace, name: 'leaked' };
  const conditionsOf = async () => {
    const { status } = await management.client.get(certificateRevocationRequests, key);
    return status?.conditions ?? [];
  };

  it('When revoked, it should refuse the old certificates, keep the other class and report in order', async () => {
    const keys = await requestCertificate('doomed');
    await approve('doomed');
    const certificate = await signedCertificate('doomed');
    expect((await whoAmI(certificate, privateKeyPem(keys)))?.username).toBe('system:customer-break-glass:jane');
    const other = await requestCertificate('spared', {
      commonName: 'system:sre-break-glass:joe',
      signer: signerName(namespace, 'sre-break-glass'),
    });
    await approve('spared');
    const spared = await signedCertificate('spared');
    const before = await management.client.get(corev1.secrets, { namespace, name: 'customer-system-admin-signer' });

    distributing = false;
    await management.client.create(certificateRevocationRequests, {
      metadata: key,
      spec: { signerClass: 'customer-break-glass' },
    } as never);
    await eventually(
      async () =>
        (await conditionsOf()).some(({ type, status }) => type === 'NewCertificatesTrusted' && status === 'False'),
      'the new signer waits for trust',
    );
    expect(isConditionTrue(await conditionsOf(), 'PreviousCertificatesRevoked')).toBe(false);
    // Nothing is taken away before the API servers know the new signer.
    expect((await whoAmI(certificate, privateKeyPem(keys)))?.username).toBe('system:customer-break-glass:jane');

    distributing = true;
    stopDistribution();
    stopDistribution = distribute();
    await eventually(
      async () => isConditionTrue(await conditionsOf(), 'PreviousCertificatesRevoked'),
      'the revocation completes',
    );
    expect((await conditionsOf()).map(({ type, status }) => [type, status])).toEqual([
      ['SignerClassValid', 'True'],
      ['RootCertificatesRegenerated', 'True'],
      ['NewCertificatesTrusted', 'True'],
      ['LeafCertificatesRegenerated', 'True'],
      ['PreviousCertificatesRevoked', 'True'],
    ]);
    await expect(whoAmI(certificate, privateKeyPem(keys))).rejects.toMatchObject({ code: 401 });
    expect((await whoAmI(spared, privateKeyPem(other)))?.username).toBe('system:sre-break-glass:joe');

    const copy = await management.client.get(corev1.secrets, { namespace, name: previousSignerName('leaked') });
    expect(copy.data).toEqual(before.data);
    const { status } = await management.client.get(certificateRevocationRequests, key);
    expect(status?.previousSigner).toEqual({ name: copy.metadata.name });
  });

  it('When a certificate is asked for afterwards, it should be signed by the new signer and accepted', async () => {
    const keys = await requestCertificate('afterwards');
    await approve('afterwards');
    const certificate = await signedCertificate('afterwards');
    expect((await whoAmI(certificate, privateKeyPem(keys)))?.username).toBe('system:customer-break-glass:jane');
    const client = await management.client.get(corev1.secrets, {
      namespace,
      name: 'customer-system-admin-client-cert-key',
    });
    const text = (name: string) => Buffer.from(client.data?.[name] ?? '', 'base64').toString('utf8');
    expect((await whoAmI(text('tls.crt'), text('tls.key')))?.groups).toContain('system:masters');
  });
});

describe('rotation', () => {
  it('When a signer is due, it should be followed by a new one while the old one stays trusted', async () => {
    stopDistribution();
    await operator.stop();
    const clock = new ManualClock(Date.now());
    operator = pkiOperator({ managementClient: management.client, namespace, prober, clock });
    await operator.start();
    stopDistribution = distribute();
    const names = { signer: 'sre-system-admin-signer', bundle: 'sre-system-admin-signer-ca' };
    const signer = async () => {
      const secret = await management.client.get(corev1.secrets, { namespace, name: names.signer });
      return parseCertificate(Buffer.from(secret.data?.['tls.crt'] ?? '', 'base64').toString('utf8'));
    };
    const before = await signer();
    clock.advance(2 * day + 60_000);
    await eventually(async () => (await signer()).serialNumber !== before.serialNumber, 'a new signer');
    const trusted = await eventually(async () => {
      const { data } = await management.client.get(corev1.configmaps, { namespace, name: names.bundle });
      const certificates = parseCertificates(data?.['ca-bundle.crt'] ?? '');
      return certificates.length === 2 ? certificates : undefined;
    }, 'both are trusted');
    expect(trusted.map(({ serialNumber }) => serialNumber)).toContain(before.serialNumber);
    clock.advance(6 * day);
    await eventually(async () => {
      const { data } = await management.client.get(corev1.configmaps, { namespace, name: names.bundle });
      return parseCertificates(data?.['ca-bundle.crt'] ?? '').every(({ notAfter }) => notAfter > clock.now());
    }, 'expired signers are dropped');
  });

  it('When a bundle is damaged, it should be repaired and trust reported as fine again', async () => {
    const key = { namespace, name: 'customer-system-admin-signer-ca' };
    const garbage = `-----BEGIN CERTIFICATE-----\n${Buffer.from('nothing').toString('base64')}\n-----END CERTIFICATE-----\n`;
    const { data } = await management.client.get(corev1.configmaps, key);
    const body = { data: { 'ca-bundle.crt': `${data?.['ca-bundle.crt'] ?? ''}${garbage}` } };
    const damaged = await management.client.patch(corev1.configmaps, key, { type: 'merge', body });
    const repaired = await eventually(async () => {
      const live = await management.client.get(corev1.configmaps, key);
      const hcp = await management.client.get(hostedControlPlanes, { namespace, name: 'demo' });
      const degraded = hcp.status?.conditions?.find(({ type }) => type === 'TargetConfigControllerDegraded');
      return degraded?.status === 'False' && live.metadata.resourceVersion !== damaged.metadata.resourceVersion && live;
    }, 'the bundle is repaired');
    expect(repaired.data).toEqual(data);
  });
});
