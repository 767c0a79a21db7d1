import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { delay } from '@hypershift-ts/kube-apimachinery';
import { type Delayed, type Logger, sharedDelayHeap } from '@hypershift-ts/kube-controller';
import { isKeyPair, nodeCertificate, parseCertificates, parsePrivateKey, splitPem } from '@hypershift-ts/kube-pki';
import type { CertificatePair } from './certificate-order.ts';

/** Where a node keeps a certificate and its key, one PEM text as kubelets write it. */
export interface PairStore {
  read(): Promise<string | undefined>;
  write(pem: string): Promise<void>;
}

export interface KeptCertificateOptions {
  readonly store: PairStore;
  readonly order: (signal: AbortSignal) => Promise<CertificatePair>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told of every certificate, the stored one included. */
  readonly changed?: (pair: CertificatePair) => void;
  /** An order failed and will be repeated. */
  readonly failed?: (error: unknown, retryMs: number) => void;
  readonly random?: () => number;
}

const firstRetryMs = 1000;
const longestRetryMs = 60_000;

/** A certificate that is ordered when it is missing and renewed before it ends. */
export class KeptCertificate {
  pair: CertificatePair | undefined;
  private readonly options: KeptCertificateOptions;
  private readonly stopper = new AbortController();
  private timer: Delayed | undefined;

  constructor(options: KeptCertificateOptions) {
    this.options = options;
  }

  /** Takes the stored certificate when it is still good; true when it was. */
  async load(): Promise<boolean> {
    const stored = await this.options.store.read();
    const pair = stored === undefined ? undefined : pairIn(stored);
    const life = pair && lifeOf(pair);
    if (!pair || !life || life.notAfter <= this.options.clock.now()) return false;
    this.use(pair, life);
    return true;
  }

  /** Orders until a certificate is there; resolves with it, or with undefined when stopped first. */
  async obtain(): Promise<CertificatePair | undefined> {
    const { clock, order, failed } = this.options;
    const { signal } = this.stopper;
    for (let wait = firstRetryMs; !signal.aborted; wait = Math.min(wait * 2, longestRetryMs)) {
      try {
        const pair = await order(signal);
        const life = lifeOf(pair);
        if (!life) throw new Error('the cluster signed something that is not a certificate');
        await this.options.store.write(`${pair.certificate.trimEnd()}\n${pair.key.trimEnd()}\n`);
        if (!signal.aborted) this.use(pair, life);
        return pair;
      } catch (error) {
        if (signal.aborted) return undefined;
        failed?.(error, wait);
        await delay(clock, wait, signal);
      }
    }
    return undefined;
  }

  stop(): void {
    this.stopper.abort();
    if (this.timer) this.timer.callback = undefined;
  }

  private use(pair: CertificatePair, { notBefore, notAfter }: Life): void {
    const { clock, changed, log, random = Math.random } = this.options;
    this.pair = pair;
    changed?.(pair);
    // Between 70 and 90 % of its life, so that nodes born together do not renew together.
    const due = notBefore + (notAfter - notBefore) * (0.7 + 0.2 * random());
    this.timer = sharedDelayHeap(clock).after(due - clock.now(), () => {
      void this.obtain().catch((error: unknown) => log.warn({ error }, 'a certificate could not be renewed'));
    });
  }
}

interface Life {
  readonly notBefore: number;
  readonly notAfter: number;
}

function lifeOf({ certificate }: CertificatePair): Life | undefined {
  const [leaf] = parseCertificates(certificate);
  return leaf && { notBefore: leaf.notBefore, notAfter: leaf.notAfter };
}

/** Splits a stored text; undefined when it is not a certificate with its own key. */
function pairIn(text: string): CertificatePair | undefined {
  try {
    const blocks = splitPem(text);
    const certificate = text.slice(0, text.indexOf('-----BEGIN', text.lastIndexOf('-----END CERTIFICATE-----')));
    const key = text.slice(certificate.length);
    const [leaf] = parseCertificates(certificate);
    if (blocks.length < 2 || !leaf) return undefined;
    return isKeyPair(nodeCertificate(leaf).publicKey, parsePrivateKey(key).privateKey)
      ? { certificate, key }
      : undefined;
  } catch {
    return undefined;
  }
}
