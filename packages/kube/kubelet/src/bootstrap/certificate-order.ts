import { certificatesv1, type Clock, delay } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { createRequest, generateKeys, type KeySource, privateKeyPem } from '@hypershift-ts/kube-pki';
import { type CsrFeed, singleCsr } from './csr-feed.ts';

export interface CertificateOrder {
  /** The identity that asks. */
  readonly client: Client;
  readonly signerName: 'kubernetes.io/kube-apiserver-client-kubelet' | 'kubernetes.io/kubelet-serving';
  readonly nodeName: string;
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How long approval may take before the order is given up. Default 15 minutes, as kubelets wait. */
  readonly patienceMs?: number;
  /** Where answers are seen. Absent: a watch on the one request. */
  readonly feed?: CsrFeed;
  readonly keys?: KeySource;
  /** Told the name of the request, for a console. */
  readonly filed?: (name: string) => void;
}

/** A certificate with its key, as PEM. */
export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
}

/** The request was denied, failed or not answered in time. */
export class CertificateRefusedError extends Error {}

const usages = {
  'kubernetes.io/kube-apiserver-client-kubelet': 'client auth',
  'kubernetes.io/kubelet-serving': 'server auth',
} as const;

/** Asks the cluster for a certificate of a node, and waits until somebody approved and signed it. */
export async function orderCertificate(order: CertificateOrder): Promise<CertificatePair> {
  const { client, nodeName, signerName, dnsNames, ipAddresses } = order;
  const keys = await (order.keys ?? generateKeys)('P-256');
  const request = await createRequest({
    subject: { commonName: `system:node:${nodeName}`, organizations: ['system:nodes'] },
    ...(dnsNames?.length ? { dnsNames } : {}),
    ...(ipAddresses?.length ? { ipAddresses } : {}),
    keys,
  });
  const csr = await client.create(certificatesv1.certificatesigningrequests, {
    metadata: { generateName: 'csr-' },
    spec: {
      request: Buffer.from(request).toString('base64'),
      signerName,
      // Elliptic keys sign and never encipher.
      usages: ['digital signature', usages[signerName]],
    },
  });
  const name = csr.metadata.name ?? '';
  order.filed?.(name);
  const certificate = await signedCertificate(order, name);
  return { certificate, key: privateKeyPem(keys) };
}

async function signedCertificate(order: CertificateOrder, name: string): Promise<string> {
  const { clock, patienceMs = 15 * 60_000 } = order;
  const over = new AbortController();
  const signal = AbortSignal.any([order.signal, over.signal]);
  const own = order.feed ? undefined : singleCsr(order.client, clock, name);
  try {
    return await Promise.race([
      answered(order.feed ?? own, name),
      delay(clock, patienceMs, signal).then((): never => {
        if (order.signal.aborted) throw new CertificateRefusedError(`the wait for ${name} was ended`);
        throw new CertificateRefusedError(
          `certificate signing request ${name} was not signed within ${patienceMs / 1000} s; is somebody approving it?`,
        );
      }),
    ]);
  } finally {
    over.abort();
    await own?.stop();
  }
}

function answered(feed: CsrFeed | undefined, name: string): Promise<string> {
  let leave: (() => void) | undefined;
  return new Promise<string>((resolve, reject) => {
    leave = feed?.follow(name, (csr) => {
      const refusal = csr?.status?.conditions?.find(({ type }) => type === 'Denied' || type === 'Failed');
      const refused = (why: string) =>
        reject(new CertificateRefusedError(`certificate signing request ${name} was ${why}`));
      if (!csr) refused('deleted before it was signed');
      else if (refusal) refused(`${refusal.type}: ${refusal.message || refusal.reason || 'no reason was given'}`);
      else if (csr.status?.certificate) resolve(Buffer.from(csr.status.certificate, 'base64').toString('utf8'));
    });
  }).finally(() => leave?.());
}
