import { annotations, controlPlaneComponents, hostedControlPlanes, nodePools } from '@hypershift-ts/hypershift-api';
import { embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import { appsv1, corev1, isConditionTrue, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import { parseCertificates } from '@hypershift-ts/kube-pki';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { underRequests } from './busy-clients.ts';
import { authoritiesIn, hasOpenssl, type Leaf, leavesIn, rejectedByOpenssl } from './chains.ts';
import { controlPlaneNamespace, eventually, namespace, Product } from './harness.ts';

let product: Product;
const name = 'demo';
const controlPlane = controlPlaneNamespace(name);
const [from, to, tooFar] = ['4.20.8', '4.21.6', '4.22.3'] as const;

beforeAll(async () => {
  product = await Product.start();
  await product.create(name, {
    nodePoolReplicas: 1,
    releaseImage: embeddedReleaseImage(from),
    controlPlaneAvailabilityPolicy: 'HighlyAvailable',
  });
}, 300_000);
afterAll(() => product?.stop());

/** Everything that happens to objects of a kind in the control plane namespace, until stopped. */
function follow<T extends KubeObject>(type: ResourceType<T>, seen: (object: T, revision: number) => void): () => void {
  const stop = new AbortController();
  const watching = async () => {
    const options = { namespace: controlPlane, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } as const;
    for await (const { type: event, object } of product.client.watch(type, { ...options, signal: stop.signal }))
      if (event !== 'BOOKMARK') seen(object, Number(object.metadata.resourceVersion));
  };
  watching().catch(() => {});
  return () => stop.abort();
}

/** When each component had arrived at the new version, and when its pods were first changed to it, as revisions. */
function followRollout() {
  const arrived = new Map<string, number>();
  const begun = new Map<string, number>();
  const first = (into: Map<string, number>, key: string | undefined, revision: number) => {
    if (key && !into.has(key)) into.set(key, revision);
  };
  const workload = ({ metadata, spec }: appsv1.Deployment | appsv1.StatefulSet, revision: number) => {
    const images = spec?.template?.spec?.containers?.map(({ image }) => image ?? '') ?? [];
    if (images.some((image) => image.endsWith(`:${to}`))) first(begun, metadata.name, revision);
  };
  const stops = [
    follow(controlPlaneComponents, ({ metadata, status }, revision) => {
      const isThere = status?.version === to && isConditionTrue(status.conditions, 'RolloutComplete');
      if (isThere) first(arrived, metadata.name, revision);
    }),
    follow(appsv1.deployments, workload),
    follow(appsv1.statefulsets, workload),
  ];
  return { arrived, begun, stop: () => stops.forEach((stop) => stop()) };
}

const upgraded = () =>
  eventually(async () => {
    const { status } = await product.cluster(name);
    expect(status?.controlPlaneVersion?.history?.[0]).toMatchObject({ version: to, state: 'Completed' });
    expect(status?.version?.history?.[0]).toMatchObject({ version: to, state: 'Completed' });
    expect(await product.deploymentsRolledOut(name)).toBe(true);
  }, 150_000);

/** What nodes are, leaving out what changes by itself. */
async function nodeFacts() {
  const { items: machines } = await product.client.list(capiv1beta1.machines, { namespace: controlPlane });
  const { spec, status } = await product.client.get(nodePools, { namespace, name });
  const hosted = await product.hosted(name);
  const { items: nodes } = await hosted.list(corev1.nodes);
  await hosted.close();
  return {
    release: spec.release.image,
    version: status?.version,
    machines: machines.map(({ metadata }) => metadata.uid),
    nodes: nodes.map(({ metadata, status: node }) => [metadata.uid, node?.nodeInfo?.kubeletVersion]),
  };
}

describe('an upgrade', { timeout: 180_000 }, () => {
  it('When it would skip a minor, it should be refused and nothing should move', async () => {
    await product.patch(name, { spec: { release: { image: embeddedReleaseImage(tooFar) } } });
    await eventually(async () => {
      expect(await product.condition(name, 'Progressing')).toMatchObject({
        status: 'False',
        reason: 'Blocked',
        message: expect.stringContaining(`upgrade from "${from}" to "${tooFar}" skips 4.21`) as unknown,
      });
    });
    const { spec } = await product.client.get(hostedControlPlanes, { namespace: controlPlane, name });
    expect(spec.releaseImage).toBe(embeddedReleaseImage(from));
    expect(await product.condition(name, 'Available')).toMatchObject({ status: 'True' });
  });

  it('When it goes to the next release, components should roll in order and every request be answered', async () => {
    const before = await nodeFacts();
    const rollout = followRollout();
    const { answered, failures } = await underRequests(
      () => product.hosted(name),
      async () => {
        await product.patch(name, { spec: { release: { image: embeddedReleaseImage(to) } } });
        await upgraded();
      },
    );
    rollout.stop();
    expect(failures.slice(0, 5)).toEqual([]);
    expect(answered).toBeGreaterThan(50);

    const { arrived, begun } = rollout;
    const at = (component: string) => arrived.get(component) ?? Number.NaN;
    expect(begun.get('kube-apiserver')).toBeGreaterThan(at('etcd'));
    const free = ['etcd', 'kube-apiserver', 'control-plane-operator', 'cluster-api', 'capi-provider', 'router'];
    const exempt = new Set([...free, 'featuregate-generator', 'ignition-server', 'ignition-server-proxy']);
    const early = [...begun].filter(([one, revision]) => !exempt.has(one) && !(revision > at('kube-apiserver')));
    expect(early).toEqual([]);
    for (const one of ['openshift-controller-manager', 'openshift-oauth-apiserver', 'cluster-version-operator'])
      expect(begun.get(one)).toBeGreaterThan(at('openshift-apiserver'));
    expect(begun.size).toBeGreaterThan(exempt.size);

    const { status } = await product.cluster(name);
    for (const { history } of [status!.version!, status!.controlPlaneVersion!]) {
      expect(history?.map(({ version, state }) => [version, state])).toEqual([
        [to, 'Completed'],
        [from, 'Completed'],
      ]);
      const [newest, oldest] = history ?? [];
      expect(Date.parse(newest?.startedTime ?? '')).toBeGreaterThanOrEqual(Date.parse(oldest?.completionTime ?? ''));
    }
    expect(await nodeFacts()).toEqual(before);
  });
});

/**
 * The validity that the annotation asks for is that of the control plane operator's certificates (reference, section 13).
 * Break-glass clients live by the calendar of section 14, 36 hours and new every 6, or until their annotation asks for
 * new ones. Certificates of webhooks that nobody calls, which the HyperShift operator makes, live ten years and are renewed
 * thirty days before their end.
 */
const breakGlass = /^(customer|sre)-system-admin-client-cert-key$/;
const others = /^capi-webhooks-tls$/;

if (!hasOpenssl)
  process.stderr.write('SKIPPED: no openssl on this machine, so nobody else looks at the certificate chains\n');

const secrets = async () => (await product.client.list(corev1.secrets, { namespace: controlPlane })).items;

const renewedHours = 4000;
const hoursOf = (pem: string): number => {
  const [certificate] = parseCertificates(pem);
  return Math.round(((certificate?.notAfter ?? 0) - (certificate?.notBefore ?? 0)) / 3_600_000);
};

describe('certificates of a control plane', { timeout: 180_000 }, () => {
  it.skipIf(!hasOpenssl)('When they were made, openssl should accept every chain', async () => {
    const all = await secrets();
    const leaves = leavesIn(all);
    expect(leaves.length).toBeGreaterThan(30);
    expect(await rejectedByOpenssl(leaves, authoritiesIn(all))).toEqual([]);
  });

  it('When all are renewed, every request should be answered meanwhile', async () => {
    const renewable = async () => leavesIn(await secrets()).filter(({ secret }) => !others.test(secret));
    const before = new Map((await renewable()).map(({ secret, key, pem }) => [`${secret}/${key}`, pem]));
    const { answered, failures } = await underRequests(
      () => product.hosted(name),
      async () => {
        const key = annotations.certificateValidity.key;
        await product.patch(name, { metadata: { annotations: { [key]: `${renewedHours}h` } } });
        const ask = { metadata: { annotations: { 'auth.openshift.io/certificate-not-after': 'force-regeneration' } } };
        for (const { metadata } of (await secrets()).filter(({ metadata: { name: one = '' } }) => breakGlass.test(one)))
          await product.client.patch(corev1.secrets, metadata as { name: string }, { type: 'merge', body: ask });
        await eventually(async () => {
          const now = await renewable();
          const isNew = ({ secret, key: at, pem }: Leaf) =>
            breakGlass.test(secret) ? before.get(`${secret}/${at}`) !== pem : hoursOf(pem) === renewedHours;
          expect(now.filter((leaf) => !isNew(leaf)).map(({ secret, key: at }) => `${secret}/${at}`)).toEqual([]);
          expect(await product.deploymentsRolledOut(name)).toBe(true);
        }, 150_000);
      },
    );
    expect(failures.slice(0, 5)).toEqual([]);
    expect(answered).toBeGreaterThan(50);
    const same = (await renewable()).filter(({ secret, key, pem }) => before.get(`${secret}/${key}`) === pem);
    expect(same).toEqual([]);
  });

  it.skipIf(!hasOpenssl)('When they were renewed, openssl should accept every chain again', async () => {
    const all = await secrets();
    expect(await rejectedByOpenssl(leavesIn(all), authoritiesIn(all))).toEqual([]);
    expect(await product.condition(name, 'Available')).toMatchObject({ status: 'True' });
  });
});
