import { isPlatform } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { isOpenShiftPayload } from '../../framework/context.ts';
import { configMap, podDisruptionBudget, service } from '../../framework/manifest.ts';
import { serviceMonitor } from '../../framework/optional-kinds.ts';
import { configMapVolume, scratch, secretVolume } from '../../framework/pod.ts';
import { auditFiles } from './audit.ts';
import {
  apiServerConfiguration,
  authenticationConfiguration,
  egressConfiguration,
  oauthMetadata,
} from './configuration.ts';
import {
  apiServer,
  auditLogs,
  awsPodIdentityWebhook,
  bootstrap,
  konnectivityServer,
  renderContainers,
} from './containers.ts';

const isAws = isPlatform('AWS');

/** The API server of the hosted cluster, with the tunnel to its nodes. Its kubeconfigs come from the PKI. */
export const kubeApiServer = component('kube-apiserver', {
  dependsOn: ['etcd', 'featuregate-generator'],
  requestServing: true,
  zones: true,
  pod: (context) => {
    const openshift = isOpenShiftPayload(context);
    return {
      terminationGracePeriodSeconds: 135,
      ...(openshift ? { initContainers: renderContainers(context) } : {}),
      containers: [
        apiServer(context),
        bootstrap(),
        konnectivityServer(context),
        ...(openshift ? [auditLogs('/var/log/kube-apiserver/audit.log', 'logs')] : []),
        ...(isAws(context) ? [awsPodIdentityWebhook(context)] : []),
      ],
      volumes: {
        'bootstrap-manifests': scratch,
        'localhost-kubeconfig': secretVolume('localhost-kubeconfig'),
        'kas-bootstrap-container-kubeconfig': secretVolume('kas-bootstrap-container-kubeconfig'),
        logs: scratch,
        'kas-config': configMapVolume('kas-config'),
        'auth-config': configMapVolume('auth-config'),
        'audit-config': configMapVolume('kas-audit-config'),
        'konnectivity-ca': configMapVolume('konnectivity-ca-bundle'),
        'server-crt': secretVolume('kas-server-crt'),
        'server-private-crt': secretVolume('kas-server-private-crt'),
        'aggregator-crt': secretVolume('kas-aggregator-crt'),
        'aggregator-ca': configMapVolume('aggregator-client-ca'),
        'svcacct-key': secretVolume('sa-signing-key'),
        'etcd-ca': configMapVolume('etcd-ca'),
        'etcd-client-crt': secretVolume('etcd-client-tls'),
        'oauth-metadata': configMapVolume('oauth-metadata'),
        ...(openshift ? { 'auth-token-webhook-config': secretVolume('kas-authentication-token-webhook-config') } : {}),
        'client-ca': configMapVolume('client-ca'),
        'kubelet-client-crt': secretVolume('kas-kubelet-client-crt'),
        'kubelet-client-ca': configMapVolume('client-ca'),
        'konnectivity-client': secretVolume('konnectivity-client'),
        'egress-selector-config': configMapVolume('kas-egress-selector-config'),
        'server-certs': secretVolume('konnectivity-server'),
        'cluster-certs': secretVolume('konnectivity-cluster'),
        ...(isAws(context)
          ? {
              'aws-pod-identity-webhook-serving-certs': secretVolume('aws-pod-identity-webhook-serving-cert'),
              'aws-pod-identity-webhook-kubeconfig': secretVolume('aws-pod-identity-webhook-kubeconfig'),
            }
          : {}),
      },
    };
  },
  manifests: [
    configMap('kas-config', (context) => ({ 'config.json': apiServerConfiguration(context) })),
    configMap('kas-audit-config', auditFiles),
    configMap('auth-config', (context) => ({ 'auth.json': authenticationConfiguration(context) })),
    configMap('oauth-metadata', (context) => ({ 'oauthMetadata.json': oauthMetadata(context) })),
    configMap('kas-egress-selector-config', { 'config.yaml': egressConfiguration() }),
    service('konnectivity-server-local', { proxy: [8090, 8090] }, { selector: { app: 'kube-apiserver' } }),
    podDisruptionBudget('kube-apiserver'),
    serviceMonitor('kube-apiserver', { port: 'client', serverName: 'kube-apiserver' }),
  ],
});
