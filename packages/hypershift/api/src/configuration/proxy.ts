/** How the hosted cluster reaches the outside. */
import { nameReference } from '../common/references.ts';
import { list, object, string } from '../schema/index.ts';

export const proxyConfiguration = object({
  httpProxy: string().optional().describe('URL of the proxy for plain HTTP.'),
  httpsProxy: string().optional().describe('URL of the proxy for HTTPS.'),
  noProxy: string()
    .optional()
    .describe(
      'Host names, domains and ranges to reach directly, separated by commas;',
      'the networks of the cluster are added.',
    ),
  readinessEndpoints: list(string()).optional().describe('URLs asked to find out whether the proxy works.'),
  trustedCA: nameReference
    .optional()
    .describe(
      'ConfigMap whose `ca-bundle.crt` is trusted besides the usual authorities;',
      'it must parse and not be expired.',
    ),
}).describe('Proxy between the cluster and the outside; a change replaces the nodes of all pools.');
