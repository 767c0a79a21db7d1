import type { Duplex } from 'node:stream';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { joinHostPort } from '../wire/address.ts';
import { decodePacket, encodePacket } from '../wire/packet.ts';
import { channelOptions, connectPath, header } from '../wire/services.ts';

/** PEM contents: the CA of the server, and the certificate shown to it. */
export interface ClientTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** The name the server's certificate must carry, when it is not the host that is dialed. */
  readonly serverName?: string;
}

/** Who an agent says it is when it connects. */
export interface AgentIntroduction {
  readonly agentID: string;
  readonly identifiers: string;
  readonly token?: string;
}

/** An agent's stream of packets to a server that let it in and said who it is. */
export interface AgentCall {
  readonly serverID: string;
  readonly serverCount: number;
  readonly stream: Duplex;
  /** Gives back what the stream needed, when it is over. */
  release(): void;
  /** Ends it at once. */
  cancel(): void;
}

export interface AgentCallOptions {
  readonly server: { readonly host: string; readonly port: number; readonly tls?: ClientTls };
  readonly keepaliveMs: number;
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
}

/** Connects over gRPC and waits for the server to say who it is. */
export async function callServer(introduction: AgentIntroduction, options: AgentCallOptions): Promise<AgentCall> {
  const { tls, host, port } = options.server;
  const { agentID, identifiers, token } = introduction;
  const client = new Client(joinHostPort(host, port), channelCredentials(tls), {
    ...channelOptions(options.keepaliveMs),
    ...(tls?.serverName ? { 'grpc.ssl_target_name_override': tls.serverName } : {}),
  });
  const metadata = new Metadata();
  metadata.set(header.agentID, agentID);
  metadata.set(header.agentIdentifiers, identifiers);
  if (token !== undefined) metadata.set(header.authorization, `Bearer ${token.trim()}`);
  const request = client.makeBidiStreamRequest(connectPath, encodePacket, decodePacket, metadata);
  const stream = request as unknown as Duplex;
  try {
    const answer = await answerOf(stream, options);
    return {
      serverID: String(answer.get(header.serverID)[0]),
      serverCount: Number(answer.get(header.serverCount)[0]) || 0,
      stream,
      release: () => client.close(),
      cancel: () => request.cancel(),
    };
  } catch (error) {
    stream.on('error', () => {});
    request.cancel();
    client.close();
    throw error;
  }
}

function channelCredentials(tls: ClientTls | undefined) {
  if (!tls) return credentials.createInsecure();
  const pem = (text: string | undefined) => (text === undefined ? null : Buffer.from(text));
  return credentials.createSsl(pem(tls.ca), pem(tls.key), pem(tls.cert));
}

function answerOf(call: Duplex, { clock, connectTimeoutMs }: AgentCallOptions): Promise<Metadata> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void) => {
      cancelTimer();
      call.off('metadata', onMetadata);
      call.off('error', onError);
      settle();
    };
    const onError = (error: Error) => done(() => reject(error));
    const onMetadata = (metadata: Metadata) => {
      const complete = metadata.get(header.serverID).length === 1 && metadata.get(header.serverCount).length === 1;
      done(() => (complete ? resolve(metadata) : reject(new Error('the server did not say its id and count'))));
    };
    const cancelTimer = clock.after(connectTimeoutMs, () =>
      done(() => reject(new Error(`no answer from the server in ${connectTimeoutMs} ms`))),
    );
    call.once('metadata', onMetadata);
    call.once('error', onError);
  });
}
