import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { StatusError, statusErrors, systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { Registry as MetricsRegistry } from 'prom-client';
import { AdmissionChain } from '../admission/admission.ts';
import { defaultAdmission } from '../admission/default-plugins.ts';
import { storeLookup } from '../admission/lookup.ts';
import { TokenIssuer, parseSigningKey } from '../authentication/index.ts';
import { handleConnect, isConnect } from '../connect/connect.ts';
import { handleUpgrade } from '../connect/upgrade.ts';
import { renameVersion } from '../custom-resources/serve.ts';
import { checkRoute } from '../http/allowed-method.ts';
import type { Exchange } from '../http/exchange.ts';
import { Listener } from '../http/listener.ts';
import { handleResource } from '../http/resource-handler.ts';
import { RequestMetrics } from '../metrics/request-metrics.ts';
import { Api } from '../registry/api.ts';
import type { Registry } from '../registry/registry.ts';
import type { RequestContext, UserInfo } from '../request/context.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { builtinCatalogue } from '../resource/builtin.ts';
import { Catalogue } from '../resource/catalogue.ts';
import { ipAllocator, portAllocator } from '../service-network/allocations.ts';
import { serviceHooks } from '../service-network/service-hooks.ts';
import { builtinSubresources } from '../subresources/index.ts';
import { Bootstrap } from './bootstrap.ts';
import { CustomResourceService } from './custom-resource-service.ts';
import { Documents } from './documents.ts';
import { type Identification, identificationOf, identify } from './identify.ts';
import { InFlight } from './in-flight.ts';
import { InProcessClient } from './in-process-client.ts';
import { performInProcess } from './in-process-requests.ts';
import type { ApiServerOptions } from './options.ts';
import { handleRequest, type PipelineOptions } from './pipeline.ts';
import { Policy } from './policy.ts';
import { handlePath, type RouteOptions, versionInfo } from './routes.ts';

const systemUser: UserInfo = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };

/** One Kubernetes API server over one store. Many can live side by side in a process. */
export class ApiServer {
  readonly catalogue: Catalogue;
  readonly api: Api;
  readonly metrics: MetricsRegistry;
  private readonly options: ApiServerOptions;
  private readonly registry: Registry;
  private readonly policy: Policy;
  private readonly identification: Identification;
  private readonly customResources: CustomResourceService;
  private readonly bootstrap: Bootstrap;
  private readonly pipeline: PipelineOptions;
  private readonly routes: RouteOptions;
  private readonly listener: Listener;
  private readonly closing = new AbortController();
  private readonly closeAdmission: () => void;
  private readonly startAdmission: () => Promise<void>;
  private address: { address: string; port: number } | undefined;
  private ready = false;

  constructor(options: ApiServerOptions) {
    const { store, clock = systemClock, random = Math.random } = options;
    this.options = options;
    // Every in-process watch listens to it; there is no sensible number of those to warn at.
    setMaxListeners(0, this.closing.signal);
    this.catalogue = new Catalogue(builtinCatalogue());
    this.metrics = options.metrics ?? new MetricsRegistry();
    this.policy = new Policy(store, clock, options.authorizationModes ?? ['Node', 'RBAC']);
    const { authorizer } = this.policy;
    const lookup = storeLookup(store, this.catalogue);
    const admission = defaultAdmission({
      store,
      lookup,
      clock,
      random,
      authorizer,
      rbac: this.policy.rbac,
      disabled: options.disabledAdmission ?? [],
      log: (message, error) => this.log(message, error),
    });
    this.startAdmission = admission.start;
    this.closeAdmission = admission.stop;
    this.identification = identificationOf(options, lookup, clock);
    this.registry = {
      store,
      clock,
      random,
      catalogue: this.catalogue,
      admission: new AdmissionChain(admission.plugins),
      newUid: randomUUID,
      hooks: new Map([['services', serviceHooks(this.serviceNetwork())]]),
      eventTtlSeconds: options.eventTtlSeconds ?? 3600,
    };
    this.api = new Api(this.registry, this.subresourceTable());
    const contextOf = (): RequestContext => systemContext(clock.now());
    const log = (message: string, error?: unknown): void => this.log(message, error);
    this.customResources = new CustomResourceService(this.registry, admission.convert ?? renameVersion, contextOf, log);
    this.bootstrap = new Bootstrap(this.api, lookup, contextOf);
    this.routes = this.routeOptions();
    this.pipeline = this.pipelineOptions();
    this.listener = new Listener({
      bindAddress: options.serving.bindAddress ?? '127.0.0.1',
      port: options.serving.port ?? 0,
      certificate: options.serving.certificate,
      key: options.serving.key,
      ...(options.clientCa ? { clientCa: options.clientCa } : {}),
      onRequest: (request, response) => void handleRequest(this.pipeline, request, response),
      onUpgrade: (request, socket, head) => this.upgrade(request, socket, head),
    });
  }

  /** Loads what is stored, writes what a new cluster needs, and begins to listen. Resolves when ready. */
  async start(): Promise<{ readonly address: string; readonly port: number }> {
    await this.policy.start();
    await this.startAdmission();
    await this.customResources.start();
    this.address = await this.listener.listen();
    const { advertise } = this.options;
    await this.bootstrap.run({
      serviceCidr: this.serviceCidr,
      advertise: { address: advertise?.address ?? this.address.address, port: advertise?.port ?? this.address.port },
      rbac: this.policy.rbac !== undefined,
    });
    this.ready = true;
    return this.address;
  }

  /** A client with this identity that calls straight into the request path. */
  client(user: UserInfo = systemUser, userAgent = 'in-process'): Client {
    const requests = {
      registry: this.registry,
      authorizer: this.policy.authorizer,
      metrics: this.pipeline.metrics,
      ...(this.options.audit ? { audit: this.options.audit } : {}),
      onFault: this.pipeline.onFault,
    };
    return new InProcessClient(
      {
        api: this.api,
        perform: (...args) => performInProcess(requests, ...args),
        raw: (method, path) => this.rawInProcess(method, path),
        closed: this.closing.signal,
      },
      user,
      userAgent,
    );
  }

  /** New serving certificates and client CAs without dropping a connection. */
  reloadCertificates(certificate: string, key: string, clientCa?: string): void {
    this.listener.reload(certificate, key, clientCa);
    if (clientCa) this.identification.certificates?.setAuthorities(clientCa);
  }

  async stop(): Promise<void> {
    this.ready = false;
    this.closing.abort();
    this.policy.stop();
    this.closeAdmission();
    this.customResources.stop();
    await this.listener.close();
  }

  private get serviceCidr(): string {
    return this.options.serviceCidr ?? '10.96.0.0/16';
  }

  private serviceNetwork() {
    const { store, clock = systemClock, nodePortRange = { from: 30000, to: 32767 } } = this.options;
    return {
      ips: ipAllocator(store, this.serviceCidr),
      ports: portAllocator(store, nodePortRange.from, nodePortRange.to),
      cidr: this.serviceCidr,
      nodePortRange: `${nodePortRange.from}-${nodePortRange.to}`,
      now: () => clock.now(),
      newUid: randomUUID,
    };
  }

  private subresourceTable() {
    const { serviceAccounts, clock = systemClock } = this.options;
    const issuer = serviceAccounts.issuers[0] ?? '';
    return builtinSubresources({
      authentication: this.identification.authentication,
      authorizer: this.policy.authorizer,
      rbac: this.policy.rbac,
      tokens: serviceAccounts.signingKey
        ? {
            issuer: new TokenIssuer(issuer, parseSigningKey(serviceAccounts.signingKey)),
            audiences: serviceAccounts.audiences ?? [issuer],
            lookup: this.identification.boundObjects,
            clock,
            ...(serviceAccounts.maxExpirationSeconds
              ? { maxExpirationSeconds: serviceAccounts.maxExpirationSeconds }
              : {}),
          }
        : undefined,
    });
  }

  private routeOptions(): RouteOptions {
    return {
      checks: [
        { name: 'ping', check: () => {} },
        { name: 'etcd', check: async () => void (await this.options.store.currentRevision()) },
        {
          name: 'poststarthook/start-apiserver',
          readyOnly: true,
          check: () => {
            if (!this.ready) throw new Error('still starting');
          },
        },
        {
          name: 'shutdown',
          readyOnly: true,
          check: () => {
            if (this.closing.signal.aborted) throw new Error('shutting down');
          },
        },
      ],
      documents: new Documents(this.catalogue, () => this.advertised()),
      metrics: this.metrics,
      issuer: this.options.serviceAccounts.issuers[0] ?? '',
      advertised: () => this.advertised(),
      keys: this.identification.keys,
    };
  }

  /** Where clients inside the cluster find this server. */
  private advertised(): string {
    const { advertise } = this.options;
    if (!this.address) return '';
    return `${advertise?.address ?? this.address.address}:${advertise?.port ?? this.address.port}`;
  }

  private pipelineOptions(): PipelineOptions {
    const { limits = {}, clock = systemClock } = this.options;
    const isServed = ({ group, version, resource }: RequestInfo): boolean =>
      this.catalogue.find(group, version, resource) !== undefined;
    return {
      clock,
      newUid: randomUUID,
      identify: (exchange) => identify(this.identification.authentication, this.policy.authorizer, exchange),
      authorizer: this.policy.authorizer,
      inFlight: new InFlight({
        reading: limits.requestsInFlight ?? 400,
        mutating: limits.mutatingRequestsInFlight ?? 200,
      }),
      requestTimeoutMs: limits.requestTimeoutMs ?? 60_000,
      ...(this.options.audit ? { audit: this.options.audit } : {}),
      metrics: new RequestMetrics(this.metrics, isServed),
      route: (exchange, info, context) => this.route(exchange, info, context),
      onFault: (error, info) =>
        this.log(`${info?.verb ?? 'request'} ${info?.path || info?.resource || ''} failed inside the server`, error),
    };
  }

  private route(exchange: Exchange, info: RequestInfo, context: RequestContext): Promise<void> {
    if (!info.isResource) return handlePath(this.routes, exchange);
    const resource = this.catalogue.find(info.group, info.version, info.resource);
    if (!resource) throw statusErrors.unknownPath();
    checkRoute(resource, info, exchange.method);
    if (isConnect(resource, info)) return handleConnect(this.connectOptions(), exchange, info, context);
    const { limits = {} } = this.options;
    return handleResource(
      {
        api: this.api,
        maxBodyBytes: limits.bodyBytes ?? 3 * 1024 * 1024,
        minWatchSeconds: limits.minWatchSeconds ?? 1800,
      },
      exchange,
      info,
      context,
      resource,
    );
  }

  private connectOptions() {
    return {
      lookup: storeLookup(this.options.store, this.catalogue),
      ...(this.options.kubeletClient ? { kubeletClient: this.options.kubeletClient } : {}),
    };
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    void handleUpgrade(this.pipeline, this.connectOptions(), request, socket, head);
  }

  private async rawInProcess(method: string, path: string): ReturnType<Client['raw']> {
    if (method === 'GET' && path.split('?')[0] === '/version')
      return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(versionInfo) };
    const health = /^\/(livez|readyz|healthz)/.exec(path);
    if (method === 'GET' && health) {
      if (!this.ready) throw new StatusError(500, 'InternalError', 'not ready');
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' };
    }
    const document = method === 'GET' ? this.routes.documents.find(path, '', new URLSearchParams()) : undefined;
    if (!document) throw statusErrors.unknownPath();
    return { status: 200, headers: { 'content-type': document.contentType }, body: document.body.toString() };
  }

  private log(message: string, error?: unknown): void {
    this.options.log?.(message, error);
  }
}

function systemContext(now: number): RequestContext {
  return { user: systemUser, now, userAgent: 'kube-apiserver', warn: () => {}, auditAnnotation: () => {} };
}
