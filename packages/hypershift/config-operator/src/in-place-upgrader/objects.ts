import { compressAndEncode } from '@hypershift-ts/hypershift-ignition';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { type GuestObject, kept } from '../guest/guest-object.ts';
import { daemonPodName } from '../machines/daemon-protocol.ts';
import type { EffectiveProxy } from '../resources/proxy.ts';

/** Namespace and ConfigMap for the upgrades of a pool. */
export const upgradeName = (pool: string): string => `${pool}-upgrade`;

/** What the daemons of a pool read: the configuration its machines should have. */
export function upgradeObjects(pool: string, target: string, payload: Uint8Array): readonly GuestObject[] {
  const name = upgradeName(pool);
  const privileged = Object.fromEntries(
    ['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'privileged']),
  );
  return [
    kept(
      corev1.namespaces,
      { name },
      {},
      { labels: { 'security.openshift.io/scc.podSecurityLabelSync': 'false', ...privileged } },
    ),
    kept(corev1.configmaps, { namespace: name, name }, { data: { config: asDaemonsRead(payload), hash: target } }),
  ];
}

/** gzip in base64. The ignition server stores payloads so already; older ones stored gzip alone, or the text itself. */
function asDaemonsRead(payload: Uint8Array): string {
  const stored = Buffer.from(payload);
  if (stored[0] === 0x1f && stored[1] === 0x8b) return stored.toString('base64');
  return (stored[0] === 0x7b ? compressAndEncode(stored) : stored).toString('latin1');
}

const configFolder = '/etc/machine-config-daemon-desired-config';

/** The pod that changes one machine: as its administrator, and allowed to restart it. */
export function daemonPod(
  pool: string,
  node: string,
  { image, proxy }: { readonly image: string; readonly proxy: EffectiveProxy },
): corev1.Pod {
  const env = [
    ['HTTP_PROXY', proxy.httpProxy],
    ['HTTPS_PROXY', proxy.httpsProxy],
    ['NO_PROXY', proxy.noProxy],
  ].flatMap(([name, value]) => (name && value ? [{ name, value }] : []));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: upgradeName(pool), name: daemonPodName(node) },
    spec: {
      hostNetwork: true,
      hostPID: true,
      nodeSelector: { 'kubernetes.io/hostname': node },
      tolerations: [{ operator: 'Exists' }],
      restartPolicy: 'OnFailure',
      containers: [
        {
          name: 'machine-config-daemon',
          image,
          command: ['/usr/bin/machine-config-daemon'],
          args: [
            'start',
            `--node-name=${node}`,
            '--root-mount=/rootfs',
            '--kubeconfig=/var/lib/kubelet/kubeconfig',
            `--desired-configmap=${configFolder}`,
          ],
          env,
          securityContext: { privileged: true },
          volumeMounts: [
            { name: 'rootfs', mountPath: '/rootfs' },
            { name: 'desired-config-mount', mountPath: configFolder },
          ],
        },
      ],
      volumes: [
        { name: 'rootfs', hostPath: { path: '/' } },
        { name: 'desired-config-mount', configMap: { name: upgradeName(pool) } },
      ],
    },
  };
}
