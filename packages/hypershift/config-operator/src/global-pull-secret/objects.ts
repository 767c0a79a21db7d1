import { labels } from '@hypershift-ts/hypershift-api';
import { hashSimple } from '@hypershift-ts/hypershift-ignition';
import { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { type GuestObject, kept, removed } from '../guest/guest-object.ts';
import { base64 } from '../resources/facts.ts';
import { mergedPullSecret } from './merge.ts';

const namespace = 'kube-system';
const name = 'global-pull-secret-syncer';
const dockerConfig = '.dockerconfigjson';
export const additionalPullSecret = { namespace, name: 'additional-pull-secret' } as const;

/** Everything that brings a user's own pull secret to the nodes; `additional` is undefined while there is none. */
export function pullSecretObjects(
  original: string,
  additional: string | undefined,
  image: string,
): readonly GuestObject[] {
  const merged = additional === undefined ? undefined : mergedPullSecret(original, additional);
  const secret = (secretName: string, text: string) =>
    kept(
      corev1.secrets,
      { namespace, name: secretName },
      { type: 'kubernetes.io/dockerconfigjson', data: { [dockerConfig]: base64(text) } },
    );
  return [
    kept(corev1.serviceaccounts, { namespace, name }),
    secret('original-pull-secret', original),
    merged === undefined
      ? removed(corev1.secrets, { namespace, name: 'global-pull-secret' })
      : secret('global-pull-secret', merged),
    kept(
      appsv1.daemonsets,
      { namespace, name },
      { spec: daemonSet(image, hashSimple(Buffer.from(merged ?? original)), merged !== undefined) },
    ),
  ];
}

const hostFolder = (volume: string, path: string) => ({ name: volume, hostPath: { path, type: 'Directory' } });
const mount = (volume: string, mountPath: string, readOnly?: true) => ({
  name: volume,
  mountPath,
  ...(readOnly ? { readOnly } : {}),
});

/** Pods that write the kubelet's pull secret and restart it, on nodes that no configuration daemon looks after. */
function daemonSet(image: string, contentHash: string, hasAdditional: boolean): object {
  return {
    selector: { matchLabels: { name } },
    template: {
      // The hash restarts the pods when the content changes.
      metadata: { labels: { name, 'globalps-config-hash': contentHash } },
      spec: {
        serviceAccountName: name,
        automountServiceAccountToken: false,
        dnsPolicy: 'Default',
        priorityClassName: 'openshift-user-critical',
        tolerations: [{ operator: 'Exists' }],
        nodeSelector: { [labels.nodepoolGlobalpsEnabled.key]: 'true' },
        containers: [
          {
            name,
            image,
            imagePullPolicy: 'IfNotPresent',
            command: ['/usr/bin/control-plane-operator'],
            args: ['sync-global-pullsecret'],
            // It writes the kubelet's files and restarts it through the host's bus.
            securityContext: { privileged: true },
            terminationMessagePolicy: 'FallbackToLogsOnError',
            resources: { requests: { cpu: '5m', memory: '35Mi' } },
            volumeMounts: [
              mount('kubelet-config', '/var/lib/kubelet'),
              mount('dbus', '/var/run/dbus'),
              mount('original-pull-secret', '/etc/original-pull-secret', true),
              ...(hasAdditional ? [mount('global-pull-secret', '/etc/global-pull-secret', true)] : []),
            ],
          },
        ],
        volumes: [
          hostFolder('kubelet-config', '/var/lib/kubelet'),
          hostFolder('dbus', '/var/run/dbus'),
          { name: 'original-pull-secret', secret: { secretName: 'original-pull-secret' } },
          ...(hasAdditional
            ? [{ name: 'global-pull-secret', secret: { secretName: 'global-pull-secret', optional: true } }]
            : []),
        ],
      },
    },
  };
}
