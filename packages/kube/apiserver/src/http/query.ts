import { statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { Api } from '../registry/api.ts';
import type { ListRequest } from '../registry/list.ts';
import { checkListOptions } from '../registry/list-options.ts';
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
  /** Aborts when the server closes: watches end then, so that their clients go on elsewhere. */
  readonly closed: AbortSignal;
}

const noListOptions = { watch: false, resourceVersion: '', resourceVersionMatch: '', continue: '' };

/** A whole number of the query, 0 when absent; 400 in the words of Go's parser. */
export function integerParam(text: string): number {
  if (text === '') return 0;
  if (!/^[+-]?[0-9]+$/.test(text))
    throw statusErrors.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw statusErrors.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  return value;
}

/** The query of a list or deletecollection. */
export function listRequest(exchange: Exchange, target: Target): ListRequest {
  const limit = Math.max(0, integerParam(exchange.param('limit')));
  integerParam(exchange.param('timeoutSeconds'));
  if (exchange.query.has('sendInitialEvents'))
    checkListOptions({ ...noListOptions, sendInitialEvents: exchange.flag('sendInitialEvents') });
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
