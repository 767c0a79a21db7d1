import type { InfrastructureFacts } from '../conversion/cluster-facts.ts';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Where machines reach the API server; undefined while the infrastructure does not say so. */
export function controlPlaneEndpoint({ apiServerInternalURI }: InfrastructureFacts): Endpoint | undefined {
  if (!apiServerInternalURI || !URL.canParse(apiServerInternalURI)) return undefined;
  const { hostname, port, protocol } = new URL(apiServerInternalURI);
  if (hostname === '') return undefined;
  return { host: hostname, port: Number(port) || (protocol === 'http:' ? 80 : 443) };
}
