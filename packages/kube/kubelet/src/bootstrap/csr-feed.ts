import { certificatesv1, type Clock } from '@hypershift-ts/kube-apimachinery';
import { type Client, Informer } from '@hypershift-ts/kube-client';

type Csr = certificatesv1.CertificateSigningRequest;

/** Tells what becomes of certificate requests. */
export interface CsrFeed {
  /** Calls back with every version of the request, and with undefined when it is gone. */
  follow(name: string, look: (csr: Csr | undefined) => void): () => void;
}

/** One informer for everybody who waits: a request's news go only to whoever filed it. */
export class SharedCsrs implements CsrFeed {
  private readonly informer: Informer<Csr>;
  private readonly waiting = new Map<string, (csr: Csr | undefined) => void>();
  private readonly unsubscribe: () => void;

  constructor(informer: Informer<Csr>) {
    this.informer = informer;
    const tell = (csr: Csr) => this.waiting.get(csr.metadata.name ?? '')?.(csr);
    this.unsubscribe = informer.addHandler({
      added: tell,
      updated: (_previous, csr) => tell(csr),
      deleted: ({ metadata }) => this.waiting.get(metadata.name ?? '')?.(undefined),
    });
  }

  follow(name: string, look: (csr: Csr | undefined) => void): () => void {
    this.waiting.set(name, look);
    const known = this.informer.get(name);
    if (known) look(known);
    return () => {
      this.waiting.delete(name);
    };
  }

  stop(): void {
    this.unsubscribe();
    this.waiting.clear();
  }
}

/** A watch on one request, as kubelets keep it. */
export function singleCsr(client: Client, clock: Clock, name: string): CsrFeed & { stop(): Promise<void> } {
  const type = certificatesv1.certificatesigningrequests;
  const informer = new Informer({ client, type, scope: { fieldSelector: `metadata.name=${name}` }, clock });
  const shared = new SharedCsrs(informer);
  informer.start();
  return {
    follow: (wanted, look) => shared.follow(wanted, look),
    stop: () => informer.stop(),
  };
}
