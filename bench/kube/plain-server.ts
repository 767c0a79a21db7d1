import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** The limit to measure against: Node.js alone, answering every request with the same bytes over the same TLS. */
export async function plainServer(
  cert: string,
  key: string,
  answer: string | Buffer,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
    request.on('data', () => {});
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
