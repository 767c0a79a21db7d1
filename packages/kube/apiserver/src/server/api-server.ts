import { delay, systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { Registry as MetricsRegistry } from 'prom-client';
import { handleUpgrade } from '../connect/upgrade.ts';
import { renameVersion } from '../custom-resources/serve.ts';
import { Listener } from '../http/listener.ts';
import type { Api } from '../registry/api.ts';
import type { RequestContext, UserInfo } from '../request/context.ts';
import type { Catalogue } from '../resource/catalogue.ts';
import { Bootstrap } from './bootstrap.ts';
import { CustomResourceService } from './custom-resource-service.ts';
import { inProcessClient } from './in-process-access.ts';
import type { ApiServerOptions } from './options.ts';
import { partsOf, type ServerParts } from './parts.ts';
import { handleRequest } from './pipeline.ts';
import { probeStatus } from './probe.ts';
import { type RequestPath, requestPathOf } from './request-path.ts';
import { type Address, ServerState } from './server-state.ts';
import { systemContext, systemUser } from './system-context.ts';

type Certificates = Pick<ApiServerOptions['serving'], 'certificate' | 'key' | 'named'>;

/** Requests take milliseconds; what takes longer than this when a server stops would not have come to an end anyway. */
const defaultGraceMs = 2_000;

/** One Kubernetes API server over one store. Many can live side by side in a process. */
export class ApiServer {
  readonly catalogue: Catalogue;
  readonly api: Api;
  readonly metrics: MetricsRegistry;
  private readonly parts: ServerParts;
  private readonly state: ServerState;
  private readonly publishEndpoints: boolean;
  private readonly path: RequestPath;
  private readonly customResources: CustomResourceService;
  private readonly bootstrap: Bootstrap;
  private readonly listener: Listener;

  constructor(options: ApiServerOptions) {
    this.parts = partsOf(options);
    const { catalogue, api, registry, admission, lookup, clock, log } = this.parts;
    this.catalogue = catalogue;
    this.api = api;
    this.metrics = options.metrics ?? new MetricsRegistry();
    this.state = new ServerState(options.advertise);
    this.publishEndpoints = options.publishEndpoints ?? true;
    this.path = requestPathOf(this.parts, this.state, this.metrics);
    const contextOf = (): RequestContext => systemContext(clock.now());
    this.customResources = new CustomResourceService(registry, admission.convert ?? renameVersion, contextOf, log);
    this.bootstrap = new Bootstrap(api, lookup, contextOf);
    this.listener = this.newListener(options);
  }

  /** Loads what is stored, writes what a new cluster needs, and begins to listen. Resolves when ready. */
  async start(): Promise<Address> {
    try {
      return await this.begin();
    } catch (error) {
      // Whoever tries again wants the same port.
      await this.stop();
      throw error;
    }
  }

  private async begin(): Promise<Address> {
    const { policy, admission, serviceCidr } = this.parts;
    await policy.start();
    await admission.start();
    await this.customResources.start();
    const listening = await this.listener.listen();
    this.state.listening = listening;
    await this.bootstrap.run({
      serviceCidr,
      advertise: this.state.advertised() ?? listening,
      rbac: policy.rbac !== undefined,
      publishEndpoints: this.publishEndpoints,
    });
    this.state.ready = true;
    return listening;
  }

  /** A client with this identity that calls straight into the request path. */
  client(user: UserInfo = systemUser, userAgent = 'in-process'): Client {
    return inProcessClient(this.parts, this.path, this.state, user, userAgent);
  }

  /** The status a probe of a health endpoint gets, without a socket: what an anonymous GET would be answered. */
  probe(target: string): Promise<number> {
    return probeStatus(this.parts, this.path, target);
  }

  /** New serving certificates and client CAs without dropping a connection. */
  reloadCertificates({ certificate, key, named }: Certificates, clientCa?: string): void {
    this.listener.reload(certificate, key, clientCa, named);
    if (clientCa) this.parts.identification.certificates?.setAuthorities(clientCa);
  }

  /** Ends watches, lets other requests finish for as long as the grace lasts, and closes. */
  async stop(graceMs = defaultGraceMs): Promise<void> {
    const { policy, admission } = this.parts;
    this.state.close();
    const over = new AbortController();
    const inside = Promise.race([this.state.quiet(), delay(systemClock, graceMs, over.signal)]);
    await this.listener.close(graceMs);
    await inside;
    over.abort();
    policy.stop();
    admission.stop();
    this.customResources.stop();
  }

  private newListener({ serving, clientCa }: ApiServerOptions): Listener {
    const { pipeline, connections } = this.path;
    return new Listener({
      bindAddress: serving.bindAddress ?? '127.0.0.1',
      port: serving.port ?? 0,
      certificate: serving.certificate,
      key: serving.key,
      ...(serving.named ? { named: serving.named } : {}),
      ...(clientCa ? { clientCa } : {}),
      onRequest: (request, response) => void handleRequest(pipeline, request, response),
      onUpgrade: (request, socket, head) => void handleUpgrade(pipeline, connections, request, socket, head),
    });
  }
}
