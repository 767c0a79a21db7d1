import { annotations } from '@hypershift-ts/hypershift-api';
import type { ProviderDeployment, ProviderScope } from '../platform.ts';
import { namespaceEnv, providerImage, requests, webhookTlsMount, webhookTlsVolume } from '../shared/provider-pod.ts';
import { settingsOf } from '../shared/settings.ts';
import { providerTlsArgs } from '../shared/tls-profile.ts';
import { gcpCredentialsKey } from './credentials.ts';

export function gcpProvider(scope: ProviderScope): ProviderDeployment {
  const { project } = settingsOf(scope.cluster.spec.platform, 'gcp');
  return {
    replicas: 1,
    podSpec: {
      terminationGracePeriodSeconds: 10,
      serviceAccountName: 'capi-gcp-controller-manager',
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      volumes: [webhookTlsVolume, { name: 'credentials', secret: { secretName: 'node-management-creds' } }],
      containers: [
        {
          name: 'manager',
          image: providerImage(scope, {
            type: 'GCP',
            annotation: annotations.capiProviderGcpImage.key,
            component: 'gcp-cluster-api-controllers',
          }),
          imagePullPolicy: 'IfNotPresent',
          args: [
            '--namespace=$(MY_NAMESPACE)',
            '--leader-elect=true',
            '--feature-gates=MachinePool=false',
            '--v=2',
            ...providerTlsArgs(scope.hostedControlPlane, scope.version),
          ],
          env: [
            namespaceEnv,
            { name: 'GOOGLE_APPLICATION_CREDENTIALS', value: `/home/.gcp/${gcpCredentialsKey}` },
            { name: 'GOOGLE_CLOUD_PROJECT', value: project },
          ],
          resources: requests('10m', '128Mi'),
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
            runAsNonRoot: true,
          },
          volumeMounts: [{ name: 'credentials', mountPath: '/home/.gcp', readOnly: true }, webhookTlsMount],
        },
      ],
    },
  };
}
