import { randomBytes } from 'node:crypto';
import { baseDomainOf, isOAuthEnabled } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { type ControlPlaneContext, isOpenShiftPayload } from '../../framework/context.ts';
import { configMap, keptSecret, podDisruptionBudget } from '../../framework/manifest.ts';
import { configMapVolume, https, scratch, secretVolume } from '../../framework/pod.ts';
import { servingInfo } from '../../framework/tls.ts';
import { auditFiles } from '../kube-apiserver/audit.ts';
import { auditLogs } from '../kube-apiserver/containers.ts';
import { identityProvidersOf } from './identity-providers.ts';

const secrets = '/etc/kubernetes/secrets';
const certs = '/etc/kubernetes/certs';
const logs = '/var/run/kubernetes';

/** Logs users in. Templates for its pages may be replaced by the cluster's owner; without, its built-in ones serve. */
export const oauthServer = component('oauth-openshift', {
  dependsOn: ['openshift-apiserver'],
  requestServing: true,
  zones: true,
  enabled: isOAuthEnabled,
  inject: {
    konnectivity: {
      mode: 'both',
      connectDirectlyToCloudApis: true,
      resolveFromGuestClusterDns: true,
      resolveFromManagementClusterDns: true,
    },
    prober: {},
  },
  pod: (context) => ({
    containers: [
      {
        name: 'oauth-openshift',
        image: 'oauth-server',
        args: [
          'osinserver',
          '--config=/etc/kubernetes/config/config.yaml',
          '--audit-log-format=json',
          '--audit-log-maxbackup=1',
          '--audit-log-maxsize=10',
          `--audit-log-path=${logs}/audit.log`,
          '--audit-policy-file=/etc/kubernetes/audit-config/policy.yaml',
        ],
        cpu: '25m',
        memory: '40Mi',
        env: {
          HTTP_PROXY: 'http://127.0.0.1:8092',
          HTTPS_PROXY: 'http://127.0.0.1:8092',
          ALL_PROXY: 'socks5://127.0.0.1:8090',
          NO_PROXY: `kube-apiserver,audit-webhook,oauth-openshift.${context.namespace}.svc.cluster.local`,
        },
        workingDir: logs,
        mounts: {
          'audit-config': '/etc/kubernetes/audit-config',
          'error-template': `${secrets}/templates/error`,
          kubeconfig: `${secrets}/svc-kubeconfig`,
          'login-template': `${secrets}/templates/login`,
          logs,
          'master-ca-bundle': `${certs}/master-ca`,
          'oauth-config': '/etc/kubernetes/config',
          'providers-template': `${secrets}/templates/providers`,
          'serving-cert': `${certs}/serving-cert`,
          'session-secret': `${secrets}/session`,
          ...identityProvidersOf(context).mounts,
        },
        liveness: https('healthz', 6443, { delay: 120, period: 60, timeout: 10, failures: 3 }),
        readiness: https('healthz', 6443, { period: 10, timeout: 5, failures: 3 }),
      },
      ...(isOpenShiftPayload(context) ? [auditLogs(`${logs}/audit.log`, 'logs')] : []),
    ],
    volumes: {
      'oauth-config': configMapVolume('oauth-openshift'),
      'audit-config': configMapVolume('oauth-openshift-audit'),
      kubeconfig: secretVolume('service-network-admin-kubeconfig'),
      'serving-cert': secretVolume('oauth-server-crt'),
      'session-secret': secretVolume('oauth-openshift-session'),
      'error-template': template(context, 'error', 'oauth-openshift-default-error-template'),
      'login-template': template(context, 'login', 'oauth-openshift-default-login-template'),
      'providers-template': template(
        context,
        'providerSelection',
        'oauth-openshift-default-provider-selection-template',
      ),
      logs: scratch,
      'master-ca-bundle': configMapVolume('oauth-master-ca-bundle'),
      ...identityProvidersOf(context).volumes,
    },
  }),
  manifests: [
    configMap('oauth-openshift', (context) => ({ 'config.yaml': configuration(context) })),
    configMap('oauth-openshift-audit', auditFiles),
    podDisruptionBudget('oauth-openshift'),
    // Made once: a new one would log everybody out.
    keptSecret('oauth-openshift-session', ({ settings }) => ({
      'v4-0-config-system-session': sessionSecret(settings.random ?? randomBytes),
    })),
  ],
});

function template({ hcp }: ControlPlaneContext, page: 'error' | 'login' | 'providerSelection', fallback: string) {
  const chosen = hcp.spec.configuration?.oauth?.templates?.[page]?.name;
  return chosen ? secretVolume(chosen) : { secret: fallback, optional: true as const };
}

/** Authentication and encryption keys for session cookies. */
function sessionSecret(random: (size: number) => Uint8Array): string {
  const text = (size: number): string => Buffer.from(random(size)).toString('base64').slice(0, size);
  const keys = { authentication: text(64), encryption: text(32) };
  return JSON.stringify({ apiVersion: 'v1', kind: 'SessionSecrets', secrets: [keys] });
}

function configuration(context: ControlPlaneContext): string {
  const { hcp, endpoints } = context;
  const { tokenConfig } = hcp.spec.configuration?.oauth ?? {};
  const own = endpoints.oauth ? `https://${endpoints.oauth.host}:${endpoints.oauth.port}` : '';
  const api = endpoints.api ? `https://${endpoints.api.host}:${endpoints.api.port}` : '';
  return JSON.stringify({
    apiVersion: 'osin.config.openshift.io/v1',
    kind: 'OsinServerConfig',
    servingInfo: {
      ...servingInfo(context, 6443, {
        certFile: `${certs}/serving-cert/tls.crt`,
        keyFile: `${certs}/serving-cert/tls.key`,
      }),
      maxRequestsInFlight: 1000,
      requestTimeoutSeconds: 300,
    },
    corsAllowedOrigins: ['//127\\.0\\.0\\.1(:|$)', '//localhost(:|$)'],
    kubeClientConfig: {
      kubeConfig: `${secrets}/svc-kubeconfig/kubeconfig`,
      connectionOverrides: { qps: 400, burst: 400 },
    },
    oauthConfig: {
      masterCA: `${certs}/master-ca/ca.crt`,
      masterURL: 'https://kube-apiserver:6443',
      masterPublicURL: api,
      loginURL: own,
      assetPublicURL: `https://console-openshift-console.apps.${baseDomainOf(hcp)}`,
      alwaysShowProviderSelection: false,
      grantConfig: { method: 'deny', serviceAccountMethod: 'prompt' },
      sessionConfig: {
        sessionSecretsFile: `${secrets}/session/v4-0-config-system-session`,
        sessionMaxAgeSeconds: 300,
        sessionName: 'ssn',
      },
      tokenConfig: {
        accessTokenMaxAgeSeconds: tokenConfig?.accessTokenMaxAgeSeconds || 86400,
        authorizeTokenMaxAgeSeconds: 300,
      },
      identityProviders: identityProvidersOf(context).converted,
      templates: {
        error: `${secrets}/templates/error/errors.html`,
        login: `${secrets}/templates/login/login.html`,
        providerSelection: `${secrets}/templates/providers/providers.html`,
      },
    },
  });
}
