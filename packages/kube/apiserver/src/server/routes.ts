import { kubernetesVersion, statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { Registry as MetricsRegistry } from 'prom-client';
import {
  jsonWebKeySet,
  jwksPath,
  openIdConfiguration,
  openIdConfigurationPath,
  type VerificationKey,
} from '../authentication/index.ts';
import { type HealthAnswer, type HealthCheck, healthAnswer, singleHealthAnswer } from '../health/health.ts';
import { methodNotServed } from '../http/allowed-method.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Documents } from './documents.ts';

/** What the paths outside /api and /apis resources are answered from. */
export interface RouteOptions {
  readonly checks: readonly HealthCheck[];
  readonly documents: Documents;
  readonly metrics: MetricsRegistry;
  readonly issuer: string;
  /** host:port of this server as others know it. */
  readonly advertised: () => string;
  readonly keys: readonly VerificationKey[];
}

const paths = [
  '/api',
  '/api/v1',
  '/apis',
  '/healthz',
  '/livez',
  '/metrics',
  '/openapi/v2',
  '/openapi/v3',
  '/readyz',
  '/version',
  jwksPath,
  openIdConfigurationPath,
];

export const versionInfo = {
  major: kubernetesVersion.major,
  minor: kubernetesVersion.minor,
  gitVersion: kubernetesVersion.gitVersion,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  emulationMajor: kubernetesVersion.major,
  emulationMinor: kubernetesVersion.minor,
  minCompatibilityMajor: kubernetesVersion.major,
  minCompatibilityMinor: String(Number(kubernetesVersion.minor) - 1),
  compiler: 'typescript',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
};

/** Health, version, discovery, OpenAPI, metrics, OIDC: everything that is not a resource. */
export async function handlePath(options: RouteOptions, exchange: Exchange): Promise<void> {
  const path = exchange.path.length > 1 ? exchange.path.replace(/\/+$/, '') : exchange.path;
  // Health, metrics and OpenAPI answer any method, as upstream's plain handlers do.
  if (exchange.method !== 'GET' && getOnly.test(path)) throw methodNotServed();
  const health = askHealth(options.checks, path, exchange.query);
  if (health) return sendHealth(exchange, await health);
  switch (path) {
    case '/':
      return exchange.json(200, { paths });
    case '/version':
      return exchange.json(200, versionInfo);
    case '/metrics':
      return exchange.send(200, options.metrics.contentType, await options.metrics.metrics());
    case openIdConfigurationPath:
      return exchange.json(200, openIdConfiguration(options.issuer, jwksUri(options), options.keys), {
        'cache-control': 'public, max-age=3600',
      });
    case jwksPath:
      return exchange.send(200, 'application/jwk-set+json', JSON.stringify(jsonWebKeySet(options.keys)), {
        'cache-control': 'public, max-age=3600',
      });
    default: {
      const document = options.documents.find(path, exchange.header('accept') ?? '', exchange.query);
      if (!document) {
        if (!path.startsWith('/api')) return sendNowhere(exchange);
        throw statusErrors.unknownPath();
      }
      const headers: Record<string, string> = {
        ...(document.etag ? { etag: document.etag, vary: 'Accept' } : {}),
        ...document.headers,
      };
      if (document.movedTo !== undefined)
        return exchange.send(301, document.contentType, '', { ...headers, location: document.movedTo });
      if (document.etag && exchange.header('if-none-match') === document.etag)
        return exchange.send(304, document.contentType, '', headers);
      return exchange.send(200, document.contentType, document.body, headers);
    }
  }
}

const getOnly = /^\/(version|apis?)(\/|$)/;

function jwksUri({ advertised }: RouteOptions): string {
  return `https://${advertised()}${jwksPath}`;
}

/** Outside the API, a path nobody knows is answered by a plain file server's words. */
function sendNowhere(exchange: Exchange): Promise<void> {
  return exchange.send(404, 'text/plain; charset=utf-8', '404 page not found\n', {
    'x-content-type-options': 'nosniff',
  });
}

/** The answer of a health endpoint; undefined for other paths. */
export function askHealth(
  checks: readonly HealthCheck[],
  path: string,
  query: URLSearchParams,
): Promise<HealthAnswer> | undefined {
  const [, endpoint, check] = /^\/(healthz|livez|readyz)(?:\/(.+))?$/.exec(path) ?? [];
  if (!endpoint) return undefined;
  if (check) return singleHealthAnswer(check, checks);
  return healthAnswer(endpoint as 'livez', checks, { verbose: query.has('verbose'), exclude: query.getAll('exclude') });
}

function sendHealth(exchange: Exchange, { code, text }: HealthAnswer): Promise<void> {
  return exchange.send(code, 'text/plain; charset=utf-8', text, { 'x-content-type-options': 'nosniff' });
}
