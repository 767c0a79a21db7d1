import { annotations } from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { parseCertificates } from '@hypershift-ts/kube-pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { underRequests } from './busy-clients.ts';
import { authoritiesIn, hasOpenssl, leavesIn, rejectedByOpenssl } from './chains.ts';
import { controlPlaneNamespace, eventually, Product } from './harness.ts';

let product: Product;
const name = 'demo';
const namespace = controlPlaneNamespace(name);

beforeAll(async () => {
  product = await Product.start();
  await product.create(name, { nodePoolReplicas: 1, controlPlaneAvailabilityPolicy: 'HighlyAvailable' });
}, 240_000);
afterAll(() => product?.stop());

/** Made by the HyperShift operator and by the one for break-glass access, which live by their own calendars. */
const others = /^(capi-webhooks-tls|(customer|sre)-system-admin-client-cert-key)$/;

if (!hasOpenssl)
  process.stderr.write('SKIPPED: no openssl on this machine, so nobody else looks at the certificate chains\n');

const secrets = async () => (await product.client.list(corev1.secrets, { namespace })).items;

const renewedHours = 4000;
const hoursOf = (pem: string): number => {
  const [certificate] = parseCertificates(pem);
  return Math.round(((certificate?.notAfter ?? 0) - (certificate?.notBefore ?? 0)) / 3_600_000);
};

describe('certificates of a control plane', { timeout: 180_000 }, () => {
  it.skipIf(!hasOpenssl)('When they were made, openssl should accept every chain', async () => {
    const all = await secrets();
    const leaves = leavesIn(all);
    expect(leaves.length).toBeGreaterThan(30);
    expect(await rejectedByOpenssl(leaves, authoritiesIn(all))).toEqual([]);
  });

  it('When all are renewed, every request should be answered meanwhile', async () => {
    const renewable = async () => leavesIn(await secrets()).filter(({ secret }) => !others.test(secret));
    const before = new Map((await renewable()).map(({ secret, key, pem }) => [`${secret}/${key}`, pem]));
    const { answered, failures } = await underRequests(
      () => product.hosted(name),
      async () => {
        const key = annotations.certificateValidity.key;
        await product.patch(name, { metadata: { annotations: { [key]: `${renewedHours}h` } } });
        await eventually(async () => {
          const now = await renewable();
          expect(
            now.filter(({ pem }) => hoursOf(pem) !== renewedHours).map(({ secret, key: at }) => `${secret}/${at}`),
          ).toEqual([]);
          expect(await product.deploymentsRolledOut(name)).toBe(true);
        }, 150_000);
      },
    );
    expect(failures.slice(0, 5)).toEqual([]);
    expect(answered).toBeGreaterThan(50);
    const same = (await renewable()).filter(({ secret, key, pem }) => before.get(`${secret}/${key}`) === pem);
    expect(same).toEqual([]);
  });

  it.skipIf(!hasOpenssl)('When they were renewed, openssl should accept every chain again', async () => {
    const all = await secrets();
    expect(await rejectedByOpenssl(leavesIn(all), authoritiesIn(all))).toEqual([]);
    expect(await product.condition(name, 'Available')).toMatchObject({ status: 'True' });
  });
});
