import { annotations } from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { isOAuthEnabled, isPlatform, runsIgnitionServer } from '../framework/cluster-facts.ts';
import type { ControlPlaneContext } from '../framework/context.ts';
import { type Manifest, service } from '../framework/manifest.ts';
import { isPrivate, isPublic, type PublishedService, strategyFor, usesOwnRouter } from './publishing.ts';

const isAzure = isPlatform('Azure');
const isAws = isPlatform('AWS');

interface Published {
  readonly name: string;
  readonly service: PublishedService;
  readonly port: number;
  readonly targetPort: number | string;
  readonly selector: Readonly<Record<string, string>>;
  readonly when?: (context: ControlPlaneContext) => boolean;
}

/** A Service whose type follows the publishing strategy; Route needs a ClusterIP only. */
function published({ name, service: which, port, targetPort, selector, when }: Published): Manifest {
  return {
    type: corev1.services,
    name,
    ...(when ? { when } : {}),
    build: (context) => {
      const strategy = strategyFor(context, which);
      const hostname = strategy?.loadBalancer?.hostname;
      const balanced = strategy?.type === 'LoadBalancer' && isPublic(context);
      const nodePort = strategy?.type === 'NodePort' ? strategy.nodePort?.port : undefined;
      const sources = which === 'APIServer' ? context.hcp.spec.networking?.apiServer?.allowedCIDRBlocks : undefined;
      return {
        metadata: {
          labels: selector,
          annotations: {
            ...(balanced && isAws(context) ? { 'service.beta.kubernetes.io/aws-load-balancer-type': 'nlb' } : {}),
            ...(balanced && hostname ? { [annotations.externalDnsHostname.key]: hostname } : {}),
          },
        },
        spec: {
          type: balanced ? 'LoadBalancer' : strategy?.type === 'NodePort' ? 'NodePort' : 'ClusterIP',
          selector,
          ipFamilyPolicy: 'PreferDualStack',
          ports: [{ port, protocol: 'TCP', targetPort, ...(nodePort ? { nodePort } : {}) }],
          ...(balanced && sources && sources.length > 0 ? { loadBalancerSourceRanges: sources } : {}),
        },
      };
    },
  };
}

const apiServer = { app: 'kube-apiserver' };

/** Services other components and the outside reach a control plane by, before any of them runs. */
export const infrastructureServices: readonly Manifest[] = [
  published({ name: 'kube-apiserver', service: 'APIServer', port: 6443, targetPort: 'client', selector: apiServer }),
  {
    type: corev1.services,
    name: 'kube-apiserverlb',
    when: (context) =>
      isAzure(context) && isPublic(context) && strategyFor(context, 'APIServer')?.type === 'LoadBalancer',
    build: (context) => {
      const hostname = strategyFor(context, 'APIServer')?.loadBalancer?.hostname;
      return {
        metadata: {
          labels: apiServer,
          annotations: hostname ? { [annotations.externalDnsHostname.key]: hostname } : {},
        },
        spec: {
          type: 'LoadBalancer',
          selector: apiServer,
          ports: [{ port: 7443, protocol: 'TCP', targetPort: 'client' }],
        },
      };
    },
  },
  {
    type: corev1.services,
    name: 'kube-apiserver-private',
    when: (context) => isPrivate(context) && !usesOwnRouter(context),
    build: () => ({
      metadata: { labels: apiServer },
      spec: {
        type: 'LoadBalancer',
        selector: apiServer,
        ports: [{ port: 6443, protocol: 'TCP', targetPort: 'client' }],
      },
    }),
  },
  published({
    name: 'konnectivity-server',
    service: 'Konnectivity',
    port: 8091,
    targetPort: 8091,
    selector: apiServer,
  }),
  published({
    name: 'oauth-openshift',
    service: 'OAuthServer',
    port: 6443,
    targetPort: 6443,
    selector: { app: 'oauth-openshift' },
    when: isOAuthEnabled,
  }),
  published({
    name: 'ignition-server-proxy',
    service: 'Ignition',
    port: 443,
    targetPort: 8443,
    selector: { app: 'ignition-server-proxy' },
    when: runsIgnitionServer,
  }),
  service('openshift-apiserver', { https: [443, 8443] }),
  { ...service('openshift-oauth-apiserver', { https: [443, 8443] }), when: isOAuthEnabled },
  service('packageserver', { https: [443, 5443] }),
  routerService('router', (context) => usesOwnRouter(context) && isPublic(context)),
  routerService('private-router', (context) => usesOwnRouter(context) && isPrivate(context)),
];

/** The load balancer in front of the cluster's own router. */
function routerService(name: string, when: (context: ControlPlaneContext) => boolean): Manifest {
  return {
    type: corev1.services,
    name,
    when,
    build: (context) => ({
      metadata: {
        labels: { app: 'private-router' },
        annotations: {
          ...(isAws(context) ? { 'service.beta.kubernetes.io/aws-load-balancer-type': 'nlb' } : {}),
          ...(isAws(context) && name === 'private-router'
            ? { 'service.beta.kubernetes.io/aws-load-balancer-internal': 'true' }
            : {}),
        },
      },
      spec: {
        type: 'LoadBalancer',
        selector: { app: 'private-router' },
        ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 'https' }],
      },
    }),
  };
}
