import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '@hypershift-ts/kube-apimachinery';
import { AdmissionChain } from '../admission/admission.ts';
import { type Admission, defaultAdmission } from '../admission/default-plugins.ts';
import { type Lookup, storeLookup } from '../admission/lookup.ts';
import { parseSigningKey, TokenIssuer } from '../authentication/index.ts';
import { Api } from '../registry/api.ts';
import type { Registry } from '../registry/registry.ts';
import { builtinCatalogue } from '../resource/builtin.ts';
import { Catalogue } from '../resource/catalogue.ts';
import { ipAllocator, portAllocator } from '../service-network/allocations.ts';
import { serviceHooks } from '../service-network/service-hooks.ts';
import { builtinSubresources } from '../subresources/index.ts';
import { type Identification, identificationOf } from './identify.ts';
import type { ApiServerOptions } from './options.ts';
import { Policy } from './policy.ts';

/** What one server is made of before a request arrives: who may do what, what is checked, what is stored. */
export interface ServerParts {
  readonly options: ApiServerOptions;
  readonly clock: Clock;
  readonly serviceCidr: string;
  readonly catalogue: Catalogue;
  readonly lookup: Lookup;
  readonly policy: Policy;
  readonly admission: Admission;
  readonly identification: Identification;
  readonly registry: Registry;
  readonly api: Api;
  readonly log: (message: string, error?: unknown) => void;
}

export function partsOf(options: ApiServerOptions): ServerParts {
  const { store, clock = systemClock, random = Math.random, serviceCidr = '10.96.0.0/16' } = options;
  const log = (message: string, error?: unknown): void => options.log?.(message, error);
  const catalogue = new Catalogue(builtinCatalogue());
  const lookup = storeLookup(store, catalogue);
  const policy = new Policy(store, clock, options.authorizationModes ?? ['Node', 'RBAC']);
  const { authorizer, rbac } = policy;
  const disabled = options.disabledAdmission ?? [];
  const admission = defaultAdmission({ store, lookup, clock, random, authorizer, rbac, disabled, log });
  const identification = identificationOf(options, lookup, clock);
  const registry: Registry = {
    store,
    clock,
    random,
    catalogue,
    admission: new AdmissionChain(admission.plugins),
    newUid: randomUUID,
    hooks: new Map([['services', serviceHooks(serviceNetwork(options, serviceCidr, clock))]]),
    eventTtlSeconds: options.eventTtlSeconds ?? 3600,
  };
  const subresources = builtinSubresources({
    authentication: identification.authentication,
    authorizer,
    rbac,
    tokens: tokenRequests(options, identification, clock),
  });
  const api = new Api(registry, subresources);
  return { options, clock, serviceCidr, catalogue, lookup, policy, admission, identification, registry, api, log };
}

function serviceNetwork({ store, nodePortRange }: ApiServerOptions, cidr: string, clock: Clock) {
  const { from, to } = nodePortRange ?? { from: 30000, to: 32767 };
  return {
    ips: ipAllocator(store, cidr),
    ports: portAllocator(store, from, to),
    cidr,
    nodePortRange: `${from}-${to}`,
    now: () => clock.now(),
    newUid: randomUUID,
  };
}

/** What answers requests for service account tokens; undefined when there is no key to sign with. */
function tokenRequests({ serviceAccounts }: ApiServerOptions, { boundObjects }: Identification, clock: Clock) {
  const { issuers, signingKey, audiences, maxExpirationSeconds } = serviceAccounts;
  if (!signingKey) return undefined;
  const issuer = issuers[0] ?? '';
  return {
    issuer: new TokenIssuer(issuer, parseSigningKey(signingKey)),
    audiences: audiences ?? [issuer],
    lookup: boundObjects,
    clock,
    ...(maxExpirationSeconds ? { maxExpirationSeconds } : {}),
  };
}
