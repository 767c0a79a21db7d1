import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Client, InformerHandler } from '@hypershift-ts/kube-client';
import type { PodFeed } from '@hypershift-ts/kube-kubelet';
import { ForwardingClient } from './late-client.ts';

/** A machine's cable: while it is cut nothing of the machine gets through, in either direction. */
export class Network {
  isConnected = true;
  private readonly backlog: (() => void)[] = [];

  connect(isConnected: boolean): void {
    this.isConnected = isConnected;
    if (isConnected) for (const deliver of this.backlog.splice(0)) deliver();
  }

  /** The client as this machine has it. */
  client(client: Client): Client {
    return new NetworkClient(client, this);
  }

  /** The pods as this machine sees them: news wait until the cable is whole. */
  pods(feed: PodFeed): PodFeed {
    const later = (deliver: () => void) => {
      if (this.isConnected) deliver();
      else this.backlog.push(deliver);
    };
    return {
      addHandler: (handler: InformerHandler<corev1.Pod>) =>
        feed.addHandler({
          added: (pod, initial) => later(() => handler.added?.(pod, initial)),
          updated: (previous, pod) => later(() => handler.updated?.(previous, pod)),
          deleted: (pod, unknown) => later(() => handler.deleted?.(pod, unknown)),
        }),
      whenSynced: (signal) => feed.whenSynced(signal),
      list: () => feed.list(),
    };
  }
}

class NetworkClient extends ForwardingClient {
  private readonly client: Client;
  private readonly network: Network;

  constructor(client: Client, network: Network) {
    super();
    this.client = client;
    this.network = network;
  }

  close(): Promise<void> {
    return this.client.close();
  }

  protected async target(): Promise<Client> {
    if (!this.network.isConnected) throw new Error('network is unreachable');
    return this.client;
  }
}
