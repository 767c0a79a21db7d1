/** How the hosted cluster reaches the outside. */
import { nameReference } from '../common/references.ts';
import { list, object, string } from '../schema/index.ts';

export const proxyConfiguration = object({
  httpProxy: string().optional(),
  httpsProxy: string().optional(),
  noProxy: string().optional(),
  readinessEndpoints: list(string()).optional(),
  trustedCA: nameReference.optional(),
});
