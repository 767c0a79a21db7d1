import { sign } from 'node:crypto';
import { createServer } from 'node:http';
import { createAuthority, issue } from '@hypershift-ts/kube-pki';

export interface TokenServer {
  readonly realm: string;
  readonly issuer: string;
  /** What signs tokens, for the registry's rootcertbundle. */
  readonly rootPem: string;
  /** Every request, as `METHOD scope user`. */
  readonly requests: string[];
  stop(): Promise<void>;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token service as registries use it: Basic credentials or a refresh token in, a signed token for a scope out. */
export async function startTokenServer(
  users: Readonly<Record<string, string>>,
  refreshToken: string,
): Promise<TokenServer> {
  const now = Date.now();
  const authority = await createAuthority({ subject: { commonName: 'token-ca' }, now });
  const signer = await issue(authority, { subject: { commonName: 'token-signer' }, role: 'server', now });
  const issuer = 'token-test';
  const requests: string[] = [];

  const tokenFor = (scope: string, audience: string, subject: string) => {
    const [type, name, actions] = scope.split(':') as [string, string, string];
    const seconds = Math.floor(Date.now() / 1000);
    const x5c = [signer, authority].map(({ certificatePem }) => certificatePem.replace(/-----[^-]+-----|\s/g, ''));
    const head = encode({ typ: 'JWT', alg: 'ES256', x5c });
    const body = encode({
      iss: issuer,
      sub: subject,
      aud: audience,
      exp: seconds + 60,
      nbf: seconds - 60,
      iat: seconds,
      jti: String(requests.length),
      access: [{ type, name, actions: actions.split(',') }],
    });
    const key = { key: signer.keys.privateKey, dsaEncoding: 'ieee-p1363' as const };
    return `${head}.${body}.${sign('sha256', Buffer.from(`${head}.${body}`), key).toString('base64url')}`;
  };

  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://token');
      const isPost = request.method === 'POST';
      const parameters = isPost ? new URLSearchParams(Buffer.concat(pieces).toString()) : url.searchParams;
      const given = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
      const [user = '', password] = given.split(':');
      const allowed = isPost
        ? parameters.get('refresh_token') === refreshToken
        : user !== '' && users[user] === password;
      requests.push(`${request.method} ${parameters.get('scope')} ${isPost ? 'refresh' : user}`);
      response.statusCode = allowed ? 200 : 401;
      const token = tokenFor(parameters.get('scope') ?? '', parameters.get('service') ?? '', user);
      response.end(
        JSON.stringify(
          allowed ? (isPost ? { access_token: token } : { token }) : { errors: [{ code: 'UNAUTHORIZED' }] },
        ),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    realm: `http://127.0.0.1:${port}/token`,
    issuer,
    rootPem: authority.certificatePem,
    requests,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
