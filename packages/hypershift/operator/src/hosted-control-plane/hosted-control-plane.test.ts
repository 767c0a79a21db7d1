import { isMirroredAnnotation } from '@hypershift-ts/hypershift-api';
import { describe, expect, it } from 'vitest';
import { aCluster, aControlPlane } from '../testing/clusters.ts';
import { desiredHostedControlPlane } from './index.ts';

const facts = { autoscaling: true, interruptible: true };
const prefix = 'hypershift.openshift.io/';

/** Every annotation a control plane of today reads from its own object. */
const mirrored = `disable-pki-reconciliation konnectivity-agent-image konnectivity-server-image cluster-autoscaler-image
ibmcloud-kms-provider-image aws-kms-provider-image portieris-image debug-deployments disable-profiling
private-ingress-controller ingress-controller-load-balancer-scope cleanup-cloud-resources control-plane-priority-class
api-critical-priority-class etcd-priority-class ensureexists-pullsecret-reconcile topology disable-machine-management
certified-operators-catalog-image community-operators-catalog-image redhat-marketplace-catalog-image
redhat-operators-catalog-image olm-catalogs-is-registry-overrides kube-apiserver-gogc kube-apiserver-gomemlimit
request-serving-node-additional-selector aws-load-balancer-subnets aws-load-balancer-target-node-labels
aws-load-balancer-health-probe-mode azure-load-balancer-health-probe-mode shared-load-balancer-health-probe-path
shared-load-balancer-health-probe-port management-platform kube-apiserver-verbosity-level
kube-apiserver-max-requests-inflight kube-apiserver-max-mutating-requests-inflight disable-ignition-server
aws-machine-public-ips aws-karpenter-default-instance-profile karpenter-provider-aws-image karpenter-operator-image
kube-apiserver-goaway-chance kube-apiserver-service-account-token-max-expiration restored-from-backup
aws-termination-handler-queue-url swift-pod-network-instance enable-metrics-forwarding`
  .split(/\s+/)
  .map((name) => prefix + name);

describe('isMirroredAnnotation', () => {
  it.each([...mirrored, 'oauth.hypershift.openshift.io/login-url-override', 'idpoverrides.hypershift.openshift.io/x'])(
    'When the annotation is %s, it should be mirrored',
    (key) => {
      expect(isMirroredAnnotation(key)).toBe(true);
    },
  );
  it.each([
    'force-upgrade-to',
    'restart-date',
    'capi-manager-image',
    'destroy-grace-period',
    'control-plane-operator-image',
  ])('When the annotation is %s, it should stay on the cluster', (name) => {
    expect(isMirroredAnnotation(prefix + name)).toBe(false);
  });
});

describe('desiredHostedControlPlane', () => {
  it('When a cluster is plain, it should map names and copy the rest', () => {
    const cluster = aCluster();
    const { metadata, spec } = desiredHostedControlPlane(cluster, facts);
    expect(metadata).toMatchObject({ name: 'demo', namespace: 'clusters-demo' });
    expect(spec).toMatchObject({
      releaseImage: cluster.spec.release.image,
      pullSecret: { name: 'pull-secret' },
      sshKey: {},
      infraID: 'demo-abcde',
      networking: cluster.spec.networking,
      etcd: cluster.spec.etcd,
      platform: { type: 'None' },
    });
    expect(Object.keys(spec)).not.toContain('additionalTrustBundle');
    expect(Object.keys(spec)).not.toContain('release');
  });

  it('When references are set, it should point at the copies', () => {
    const { spec } = desiredHostedControlPlane(
      aCluster({
        sshKey: { name: 'mine' },
        additionalTrustBundle: { name: 'my-ca' },
        auditWebhook: { name: 'audit' },
        controlPlaneRelease: { image: 'other' },
      }),
      facts,
    );
    expect(spec).toMatchObject({
      sshKey: { name: 'ssh-key' },
      additionalTrustBundle: { name: 'user-ca-bundle' },
      auditWebhook: { name: 'audit' },
      controlPlaneReleaseImage: 'other',
    });
  });

  it('When the platform is Agent, it should look like None with the settings kept', () => {
    const platform = { type: 'Agent', agent: { agentNamespace: 'agents' } };
    expect(desiredHostedControlPlane(aCluster({ platform }), facts).spec.platform).toEqual({
      ...platform,
      type: 'None',
    });
  });

  it('When annotations and labels go away, they should go away there too, and others stay', () => {
    const live = aControlPlane(
      {},
      {
        resourceVersion: '7',
        labels: { 'api.openshift.com/old': 'x', foreign: 'y' },
        annotations: { [`${prefix}topology`]: 'x', 'idpoverrides.hypershift.openshift.io/a': 'x', foreign: 'y' },
      },
    );
    const cluster = aCluster(
      {},
      { labels: { 'api.openshift.com/new': '1', other: '2' }, annotations: { [`${prefix}debug-deployments`]: 'etcd' } },
    );
    const { metadata } = desiredHostedControlPlane(cluster, facts, live);
    expect(metadata.labels).toEqual({ foreign: 'y', 'api.openshift.com/new': '1' });
    expect(metadata.annotations).toEqual({
      foreign: 'y',
      [`${prefix}debug-deployments`]: 'etcd',
      [`${prefix}cluster`]: 'clusters/demo',
    });
    expect(metadata.resourceVersion).toBe('7');
  });

  it('When a restart date was carried over, it should leave a newer one of the control plane alone', () => {
    const cluster = aCluster({}, { annotations: { [`${prefix}restart-date`]: 'a' } });
    const first = desiredHostedControlPlane(cluster, facts).metadata.annotations;
    expect(first?.[`${prefix}restart-date`]).toBe('a');
    const live = aControlPlane({}, { annotations: { ...first, [`${prefix}restart-date`]: 'renewed' } });
    expect(desiredHostedControlPlane(cluster, facts, live).metadata.annotations?.[`${prefix}restart-date`]).toBe(
      'renewed',
    );
  });

  it('When no pool scales or can be interrupted, it should say what is not needed', () => {
    const { metadata } = desiredHostedControlPlane(aCluster(), { autoscaling: false, interruptible: false });
    expect(metadata.annotations).toMatchObject({
      [`${prefix}disable-cluster-autoscaler`]: 'true',
      [`${prefix}disable-aws-node-termination-handler`]: 'true',
    });
  });

  it('When metrics are forwarded the old or the new way, it should say both', () => {
    const key = `${prefix}enable-metrics-forwarding`;
    const old = desiredHostedControlPlane(aCluster({}, { annotations: { [key]: 'true' } }), facts);
    expect(old.spec.monitoring?.metricsForwarding?.mode).toBe('Forward');
    const current = desiredHostedControlPlane(
      aCluster({ monitoring: { metricsForwarding: { mode: 'Forward' } } }),
      facts,
    );
    expect(current.metadata.annotations?.[key]).toBe('true');
  });

  it('When computed twice, it should not change', () => {
    const first = desiredHostedControlPlane(aCluster(), facts);
    expect(desiredHostedControlPlane(aCluster(), facts, first as never)).toEqual(first);
  });
});
