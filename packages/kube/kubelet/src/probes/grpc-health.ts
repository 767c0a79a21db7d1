import { connect } from 'node:http2';
import type { ProbeResult } from './probe-actions.ts';

const serving = 1;

/** Asks `grpc.health.v1.Health/Check` over cleartext HTTP/2, as kubelet does. */
export function grpcHealth(host: string, port: number, service: string, signal: AbortSignal): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const session = connect(`http://${host}:${port}`);
    const settle = (result: ProbeResult) => {
      signal.removeEventListener('abort', giveUp);
      session.destroy();
      resolve(result);
    };
    const giveUp = () => settle({ ok: false, message: `timeout: failed to connect service "${host}:${port}"` });
    signal.addEventListener('abort', giveUp, { once: true });
    session.on('error', (error) =>
      settle({ ok: false, message: `failed to connect service "${host}:${port}": ${error.message}` }),
    );
    const stream = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
      'user-agent': 'kube-probe/1.37',
    });
    const chunks: Buffer[] = [];
    let code: string | undefined;
    stream.on('response', (headers) => {
      code = headers['grpc-status'] as string | undefined;
    });
    stream.on('trailers', (headers) => {
      code = headers['grpc-status'] as string | undefined;
    });
    stream.on('data', (chunk: Buffer) => {
      if (chunks.length < 16) chunks.push(chunk);
    });
    stream.on('error', (error) => settle({ ok: false, message: error.message }));
    stream.on('end', () => {
      const status = statusIn(Buffer.concat(chunks));
      if (code !== undefined && code !== '0') settle({ ok: false, message: `rpc error: code = ${code}` });
      else if (status === serving) settle({ ok: true, message: 'service healthy' });
      else settle({ ok: false, message: `service unhealthy (responded with ${status ?? 'nothing'})` });
    });
    stream.end(request(service));
  });
}

/** HealthCheckRequest{ service } with the five byte prefix of a gRPC message. */
function request(service: string): Buffer {
  const name = Buffer.from(service).subarray(0, 127);
  const body = name.length === 0 ? Buffer.alloc(0) : Buffer.concat([Buffer.from([0x0a, name.length]), name]);
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(body.length, 1);
  return Buffer.concat([prefix, body]);
}

/** HealthCheckResponse{ status }: field 1, a small number. */
function statusIn(message: Buffer): number | undefined {
  if (message.length === 5) return 0;
  return message[5] === 0x08 ? message[6] : undefined;
}
