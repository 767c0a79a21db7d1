import { componentImage } from '@hypershift-ts/hypershift-release';
import { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { kept } from '../guest/guest-object.ts';
import { servesOpenShiftApis } from './facts.ts';
import type { GuestInputs, ResourceGroup } from './inputs.ts';

/** Names of the pods that tell from the nodes whether the API server is reached, and where they tell it. */
export const connectionChecker = {
  namespace: 'kube-system',
  name: 'kas-connection-checker',
  configMap: 'control-plane-connectivity-check',
  field: 'lastSucceeded',
} as const;

const { namespace, name, configMap, field } = connectionChecker;
const labels = { app: name };

/** Asks the API server every minute by its name in the cluster, and on success writes the time into the ConfigMap. */
function script(path: string): string {
  const account = '/var/run/secrets/kubernetes.io/serviceaccount';
  return `api=https://kubernetes.default.svc
ask() { curl -s -o /dev/null --cacert ${account}/ca.crt --connect-timeout 5 --max-time 10 "$@"; }
while true; do
  if [ "$(ask -w '%{http_code}' "$api${path}")" = 200 ]; then
    ask -X PATCH -H "Authorization: Bearer $(cat ${account}/token)" \\
      -H 'Content-Type: application/strategic-merge-patch+json' \\
      --data "{\\"data\\":{\\"${field}\\":\\"$(date -u +%Y-%m-%dT%H:%M:%SZ)\\"}}" \\
      "$api/api/v1/namespaces/${namespace}/configmaps/${configMap}"
  fi
  sleep 60
done
`;
}

/** OpenShift's image has a shell; the embedded releases have the same as a program of its own. */
function program(inputs: GuestInputs, path: string): object {
  const { release } = inputs;
  if (servesOpenShiftApis(inputs))
    return { image: componentImage(release, 'cli'), command: ['/bin/sh', '-c', script(path)] };
  return {
    image: componentImage(release, 'hypershift'),
    command: ['/usr/bin/control-plane-operator', 'kas-connection-checker'],
    args: [`--path=${path}`],
  };
}

/** Pods on the nodes that keep asking for the API server the way every other pod would. */
export const kasConnectionChecker: ResourceGroup = {
  name: 'kas-connection-checker',
  objects(inputs) {
    const { platform } = inputs;
    return [
      kept(corev1.serviceaccounts, { namespace, name }),
      kept(corev1.configmaps, { namespace, name: configMap }),
      kept(
        appsv1.deployments,
        { namespace, name },
        {
          spec: {
            replicas: 3,
            selector: { matchLabels: labels },
            template: {
              // Nothing is lost with such a pod; without the mark it would keep an idle node from being taken away.
              metadata: { labels, annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' } },
              spec: {
                serviceAccountName: name,
                automountServiceAccountToken: true,
                priorityClassName: 'system-node-critical',
                // kube-system is exempt from whatever assigns user ids elsewhere.
                securityContext: { runAsUser: 1000 },
                // No tolerations: one that covers a cordoned node would bring replacements back while it is drained.
                topologySpreadConstraints: [
                  {
                    maxSkew: 1,
                    topologyKey: 'kubernetes.io/hostname',
                    whenUnsatisfiable: 'ScheduleAnyway',
                    labelSelector: { matchLabels: labels },
                  },
                ],
                containers: [
                  {
                    name: 'connection-checker',
                    ...program(inputs, platform.guest.apiServerProbePath),
                    securityContext: {
                      allowPrivilegeEscalation: false,
                      readOnlyRootFilesystem: true,
                      runAsNonRoot: true,
                      capabilities: { drop: ['ALL'] },
                    },
                    terminationMessagePolicy: 'FallbackToLogsOnError',
                    resources: { requests: { cpu: '5m', memory: '10Mi' } },
                  },
                ],
              },
            },
          },
        },
      ),
    ];
  },
};
