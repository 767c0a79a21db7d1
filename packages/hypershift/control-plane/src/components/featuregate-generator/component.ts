import { component } from '../../framework/component.ts';
import { desiredVersion, isOpenShiftPayload } from '../../framework/context.ts';
import { featureGateManifest } from '../../framework/feature-gates.ts';
import { podNamespace, scratch } from '../../framework/pod.ts';

/** Works out the feature gates of a version and writes them to ConfigMap feature-gate. */
export const featureGateGenerator = component('featuregate-generator', {
  kind: 'Job',
  managementKasAccess: true,
  pod: (context) => {
    const env = { PAYLOAD_VERSION: desiredVersion(context), FEATURE_GATE_YAML: featureGateManifest(context) };
    return {
      serviceAccount: 'control-plane-operator',
      restartPolicy: 'Never',
      ...(isOpenShiftPayload(context)
        ? {
            initContainers: [
              {
                name: 'render-feature-gates',
                image: 'cluster-config-api',
                command: ['/bin/bash', '-c'],
                args: [
                  `set -e; cd /render; mkdir -p input output manifests
printf '%s' "$FEATURE_GATE_YAML" > manifests/99_feature-gate.yaml
/usr/bin/render --asset-output-dir /render/output --rendered-manifest-dir=/render/manifests --cluster-profile=ibm-cloud-managed --payload-version="$PAYLOAD_VERSION"
cp manifests/* /output`,
                ],
                cpu: '30m',
                memory: '50Mi',
                env,
                mounts: { manifests: '/output', work: '/render' },
              },
            ],
          }
        : {}),
      containers: [
        {
          name: 'apply',
          image: 'controlplane-operator',
          command: ['/usr/bin/control-plane-operator'],
          args: ['sync-fg-configmap'],
          cpu: '30m',
          memory: '50Mi',
          env: {
            NAMESPACE: podNamespace,
            PAYLOAD_VERSION: env.PAYLOAD_VERSION,
            ...(isOpenShiftPayload(context) ? {} : { FEATURE_GATE_YAML: env.FEATURE_GATE_YAML }),
          },
          mounts: { manifests: '/manifests' },
        },
      ],
      volumes: { manifests: scratch, work: scratch },
    };
  },
});
