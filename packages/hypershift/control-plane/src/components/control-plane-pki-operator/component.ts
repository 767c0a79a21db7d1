import { annotations } from '@hypershift-ts/hypershift-api';
import { component } from '../../framework/component.ts';
import { annotationOf } from '../../framework/context.ts';
import { configMap, identity, reading, rule } from '../../framework/manifest.ts';
import { configMapVolume, podName, podNamespace, trustedBundle } from '../../framework/pod.ts';
import { servingInfo } from '../../framework/tls.ts';

const folder = '/var/run/configmaps/control-plane-pki-operator-config';

/** Signs and revokes break-glass credentials. */
export const controlPlanePkiOperator = component('control-plane-pki-operator', {
  replicas: 1,
  managementKasAccess: true,
  enabled: (context) => annotationOf(context, annotations.disablePkiReconciliation.key) === undefined,
  pod: (context) => ({
    serviceAccount: 'control-plane-pki-operator',
    containers: [
      {
        name: 'control-plane-pki-operator',
        image: 'controlplane-pki-operator',
        command: ['/usr/bin/control-plane-pki-operator'],
        args: [
          'operator',
          '--namespace',
          '$(HOSTED_CONTROL_PLANE_NAMESPACE)',
          `--config=${folder}/config.yaml`,
          `--terminate-on-files=${folder}/config.yaml`,
        ],
        cpu: '10m',
        memory: '80Mi',
        ports: { metrics: 8443 },
        env: {
          POD_NAME: podName,
          HOSTED_CONTROL_PLANE_NAMESPACE: podNamespace,
          HOSTED_CONTROL_PLANE_NAME: context.hcp.metadata.name ?? '',
          CERT_ROTATION_SCALE: context.settings.certRotationScale ?? '0s',
        },
        mounts: { [trustedBundle.name]: trustedBundle.path, 'control-plane-pki-operator-config': folder },
      },
    ],
    volumes: {
      [trustedBundle.name]: trustedBundle.volume,
      'control-plane-pki-operator-config': configMapVolume('control-plane-pki-operator-config'),
    },
  }),
  manifests: [
    configMap('control-plane-pki-operator-config', (context) => ({
      'config.yaml': JSON.stringify({
        apiVersion: 'config.openshift.io/v1',
        kind: 'GenericControllerConfig',
        servingInfo: servingInfo(context, 8443),
      }),
    })),
    ...identity('control-plane-pki-operator', [
      rule('hypershift.openshift.io', ['hostedcontrolplanes'], reading),
      rule('hypershift.openshift.io', ['hostedcontrolplanes/status'], ['patch']),
      rule('', ['configmaps'], [...reading, 'create', 'update']),
      rule('', ['secrets'], [...reading, 'create', 'update', 'patch']),
      // Which API servers accept a signer is asked of each of their pods.
      rule('', ['pods'], reading),
      rule('certificates.hypershift.openshift.io', ['certificatesigningrequestapprovals'], reading),
      rule('certificates.hypershift.openshift.io', ['certificaterevocationrequests'], reading),
      rule('certificates.hypershift.openshift.io', ['certificaterevocationrequests/status'], ['patch']),
    ]),
  ],
});
