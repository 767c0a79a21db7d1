import type { TLSSocket } from 'node:tls';
import type { Http2ServerRequest } from 'node:http2';
import type { PeerCertificate } from '../authentication/index.ts';
import type { AnyRequest } from '../http/exchange.ts';

const peers = new WeakMap<object, PeerCertificate | null>();

/** The client certificate of a connection, the same object for all its requests. */
export function peerCertificateOf(request: AnyRequest): PeerCertificate | undefined {
  // HTTP/2 hides the socket behind its session.
  const session = (request as Http2ServerRequest).stream?.session;
  const socket = (session?.socket ?? request.socket) as TLSSocket;
  const owner = session ?? socket;
  let peer = peers.get(owner);
  if (peer === undefined) {
    const certificate = typeof socket.getPeerCertificate === 'function' ? socket.getPeerCertificate(true) : undefined;
    peer = certificate && 'raw' in certificate && certificate.raw ? (certificate as PeerCertificate) : null;
    peers.set(owner, peer);
  }
  return peer ?? undefined;
}
