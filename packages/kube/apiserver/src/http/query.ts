import { statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { Api } from '../registry/api.ts';
import type { ListRequest } from '../registry/list.ts';
import type { Target } from '../registry/registry.ts';
import { compileSelection } from '../registry/selection.ts';
import type { IncludeObject, TableRequest } from '../representation/table.ts';
import type { RequestContext } from '../request/context.ts';
import type { Representation } from '../request/negotiation.ts';
import type { Exchange } from './exchange.ts';

/** What the handlers need of the server. */
export interface ResourceHandlerOptions {
  readonly api: Api;
  readonly maxBodyBytes: number;
  /** Watches end after between one and two times this, unless the client asks for less. */
  readonly minWatchSeconds: number;
}

/** The query of a list or deletecollection. */
export function listRequest(exchange: Exchange, target: Target): ListRequest {
  const limit = Number(exchange.param('limit') || 0);
  if (!Number.isSafeInteger(limit) || limit < 0)
    throw statusErrors.badRequest(
      `limit: Invalid value: ${JSON.stringify(exchange.param('limit'))}: must be a whole number`,
    );
  return {
    namespace: target.namespace,
    selection: compileSelection(target.resource, exchange.param('labelSelector'), exchange.param('fieldSelector')),
    limit,
    continue: exchange.param('continue'),
    resourceVersion: exchange.param('resourceVersion'),
    resourceVersionMatch: exchange.param('resourceVersionMatch'),
  };
}

/** How the client wants its table. */
export function tableRequest(
  exchange: Exchange,
  representation: Representation,
  context: RequestContext,
): TableRequest {
  return {
    metaVersion: representation.metaVersion,
    includeObject: (exchange.param('includeObject') || 'Metadata') as IncludeObject,
    now: context.now,
  };
}
