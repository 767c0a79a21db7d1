import { annotations } from '@hypershift-ts/hypershift-api';
import { isPlatform } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { annotationOf, type ControlPlaneContext } from '../../framework/context.ts';
import { secret } from '../../framework/manifest.ts';
import { memoryScratch, podName, podNamespace, secretVolume } from '../../framework/pod.ts';

const isAws = isPlatform('AWS');
const serviceAccount = { namespace: 'kube-system', name: 'capa-controller-manager' };

function queueOf(context: ControlPlaneContext): string | undefined {
  const { aws } = context.hcp.spec.platform;
  return aws?.terminationHandlerQueueURL || annotationOf(context, annotations.awsTerminationHandlerQueueUrl.key);
}

/** Drains nodes before the cloud takes their machines away. */
export const awsNodeTerminationHandler = component('aws-node-termination-handler', {
  replicas: 1,
  enabled: (context) =>
    isAws(context) &&
    Boolean(queueOf(context)) &&
    Boolean(context.hcp.spec.platform.aws?.rolesRef?.nodePoolManagementARN) &&
    context.hcp.status?.kubeConfig !== undefined &&
    annotationOf(context, annotations.disableAwsNodeTerminationHandler.key) === undefined,
  inject: {
    tokenMinters: () => [
      {
        use: 'cloud',
        serviceAccount,
        kubeconfigVolume: 'svc-kubeconfig',
        containers: ['aws-node-termination-handler'],
      },
      {
        use: 'apiserver',
        serviceAccount: { namespace: 'openshift-cluster-version', name: 'default' },
        kubeconfigVolume: 'svc-kubeconfig',
        containers: ['aws-node-termination-handler'],
      },
    ],
  },
  pod: (context) => ({
    containers: [
      {
        name: 'aws-node-termination-handler',
        image: 'aws-node-termination-handler',
        cpu: '50m',
        memory: '64Mi',
        env: {
          NODE_NAME: { field: 'spec.nodeName' },
          POD_NAME: podName,
          NAMESPACE: podNamespace,
          ENABLE_SPOT_INTERRUPTION_DRAINING: 'true',
          ENABLE_SCHEDULED_EVENT_DRAINING: 'true',
          ENABLE_REBALANCE_MONITORING: 'true',
          ENABLE_REBALANCE_DRAINING: 'true',
          ENABLE_SQS_TERMINATION_DRAINING: 'true',
          AWS_REGION: context.hcp.spec.platform.aws?.region ?? '',
          QUEUE_URL: queueOf(context) ?? '',
          DELETE_SQS_MSG_IF_NODE_NOT_FOUND: 'false',
          TAINT_NODE: 'true',
          DRY_RUN: 'false',
          CORDON_ONLY: 'false',
          EXCLUDE_FROM_LOAD_BALANCERS: 'false',
          JSON_LOGGING: 'false',
          WEBHOOK_URL: '',
          LOG_LEVEL: 'info',
          WORKERS: '20',
          METADATA_TRIES: '3',
          KUBERNETES_SERVICE_HOST: 'kube-apiserver',
          KUBERNETES_SERVICE_PORT: '6443',
          AWS_SHARED_CREDENTIALS_FILE: '/etc/aws/credentials',
          ENABLE_KUBERNETES_EVENTS: 'true',
        },
        mounts: { credentials: '/etc/aws' },
      },
    ],
    volumes: {
      'svc-kubeconfig': secretVolume('service-network-admin-kubeconfig'),
      credentials: secretVolume('aws-node-termination-handler-creds'),
      'apiserver-token': memoryScratch,
    },
  }),
  manifests: [
    secret('aws-node-termination-handler-creds', ({ hcp }) => ({
      credentials: `[default]
role_arn = ${hcp.spec.platform.aws?.rolesRef?.nodePoolManagementARN ?? ''}
web_identity_token_file = /var/run/secrets/openshift/serviceaccount/token
sts_regional_endpoints = regional
`,
    })),
  ],
});
