import type { TokenRequestOptions } from '../authentication/index.ts';
import { requestApproval } from './approval.ts';
import { podBinding } from './binding.ts';
import { podEviction } from './eviction.ts';
import { namespaceFinalize } from './finalize.ts';
import { type ReviewOptions, reviews } from './reviews.ts';
import type { Subresource, SubresourceTable } from './subresource.ts';
import { serviceAccountToken } from './token.ts';

/** Every subresource that does more than read and write its section of the object; status and scale are generic. */
export function builtinSubresources(
  options: ReviewOptions & { readonly tokens: TokenRequestOptions | undefined },
): SubresourceTable {
  const table: [string, Subresource][] = [
    ['pods/binding', podBinding],
    ['pods/eviction', podEviction],
    ['namespaces/finalize', namespaceFinalize],
    ['certificatesigningrequests.certificates.k8s.io/approval', requestApproval],
    ...(options.tokens
      ? [['serviceaccounts/token', serviceAccountToken(options.tokens)] as [string, Subresource]]
      : []),
    ...reviews(options),
  ];
  return new Map(table);
}
