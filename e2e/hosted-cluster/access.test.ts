import { nodePools } from '@hypershift-ts/hypershift-api';
import { embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import { appsv1, certificatesv1, corev1, rbacv1, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { createRequest, generateKeys } from '@hypershift-ts/kube-pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { destroyCluster } from '../../packages/hypershift/cli/src/destroy-cluster/destroy.ts';
import { covers, includes, refusals, type Right, rightsIn, rightsOf, rightsUsed, textOf } from './access.ts';
import { controlPlaneNamespace, eventually, namespace, Product } from './harness.ts';
import { hostedAudit } from './writes.ts';

const name = 'demo';
const controlPlane = controlPlaneNamespace(name);
const [from, to] = ['4.20.8', '4.21.6'] as const;

/** Programs that are ours wherever they run; what they may do is known to the last verb. */
const ours = [
  'control-plane-operator',
  'hosted-cluster-config-operator',
  'control-plane-pki-operator',
  'ignition-server',
  'machine-approver',
] as const;

const owner = 'OpenShift asks for it of who names an owner that may not go first';

/** Rights that this journey does not use, and why they are given nevertheless. */
const unusedOnPurpose: Readonly<Record<string, readonly (readonly [rights: RegExp, why: string])[]>> = {
  'hypershift/operator': [
    [/\/finalizers update$/, owner],
    [
      /^(core\/(namespaces|secrets|configmaps|serviceaccounts)|apps\/deployments|networking\.k8s\.io\/networkpolicies) (create|update|patch|delete)$/,
      'kinds it manages: what is made is changed and deleted, but not all in one journey',
    ],
    [/^rbac\.authorization\.k8s\.io\/(cluster)?role(binding)?s (update|patch|delete)$/, 'the same'],
    [/^admissionregistration\.k8s\.io\/validatingadmissionpolic(ies|ybindings) update$/, 'a later version has others'],
    [/^core\/nodes list$/, 'an operator outside of an embedded cluster asks whether its clouds are simulated'],
    [/^config\.openshift\.io\/networks get$/, 'addresses of nodes on OpenShift'],
    [/^route\.openshift\.io\//, 'handed on, where the kind exists'],
    [/^(kubevirt\.io|cdi\.kubevirt\.io|openstack\.k-orc\.cloud)\//, 'handed on to providers of other platforms'],
    [/^(agent-install|hive|extensions\.hive)\.openshift\.io\//, 'handed on to providers of other platforms'],
  ],
  'control-plane-operator': [
    [/\/finalizers update$/, owner],
    [
      /^(core\/(configmaps|secrets|serviceaccounts|services)|apps\/(deployments|statefulsets)|batch\/(cronjobs|jobs)|policy\/poddisruptionbudgets|rbac\.authorization\.k8s\.io\/role(binding)?s|route\.openshift\.io\/routes(\/custom-host)?) (create|update|patch|delete)$/,
      'kinds of manifests: a component that changes or goes changes its objects or takes them along',
    ],
    [
      /^hypershift\.openshift\.io\/controlplanecomponents (update|patch|delete)$/,
      'the report of a component that goes',
    ],
    [/^hypershift\.openshift\.io\/(azureprivatelinkservices|awsendpointservices|gcpprivate)/, 'private connectivity'],
    [/^core\/(pods|events|persistentvolumeclaims) list$/, 'asked only about what does not come up for a while'],
    [/^route\.openshift\.io\/routes\/status update$/, 'admits Routes where nobody else does'],
    [/^(image\.openshift\.io|monitoring\.coreos\.com)\//, 'where these kinds exist'],
  ],
  'hosted-cluster-config-operator': [
    [/\/finalizers update$/, owner],
    [/^core\/configmaps (create|update|delete)$/, 'copies of the configuration that hosted operators observe'],
    [/^discovery\.k8s\.io\/endpointslices (create|update)$/, 'ingress of virtual machines beside the control plane'],
    [
      /^cluster\.x-k8s\.io\/machine(s|sets) (patch|delete)$/,
      'upgrades in place, and spot machines that are taken away',
    ],
    [/^route\.openshift\.io\/routes /, 'where the console of a hosted cluster is published'],
  ],
  'control-plane-pki-operator': [
    [
      /^certificates\.k8s\.io\/signers (approve|sign)$/,
      'no requests: admission asks for it when it approves and signs',
    ],
  ],
  'ignition-server': [[/^core\/secrets delete$/, 'tokens that nobody needs any more, two hours later']],
  'machine-approver': [
    [/^cluster\.x-k8s\.io\/machines\/status /, 'the stock approver, which a release may bring, reads it'],
  ],
};

/** A program that ends because its namespace goes lets go of its lease when its rights may be gone already. */
const letsGo = new RegExp(`^system:serviceaccount:${controlPlane}:\\S+ update \\S+/namespaces/${controlPlane}/leases/`);

/** A kubelet may ask for what a pod mounts in the moment that the pod is deleted, and a node may read it no more. */
const looksLate = new RegExp(`^system:node:\\S+ get /api/v1/namespaces/${controlPlane}/configmaps/kube-root-ca.crt$`);

/** Probes and booting machines ask before a hosted API server has its first roles, and ask again. */
const comesEarly =
  /^system:(anonymous get \/readyz|serviceaccount:openshift-machine-config-operator:node-bootstrapper )/;

describe('what operators may do', () => {
  let product: Product;
  let roles: (rbacv1.Role | rbacv1.ClusterRole)[];
  let bindings: (rbacv1.RoleBinding | rbacv1.ClusterRoleBinding)[];
  const inside: string[] = [];

  const everywhere = { namespace: '' } as const;
  const readAccess = async () => {
    const { client } = product;
    roles = [...(await client.list(rbacv1.roles, everywhere)).items, ...(await client.list(rbacv1.clusterroles)).items];
    const local = (await client.list(rbacv1.rolebindings, everywhere)).items;
    bindings = [...local, ...(await client.list(rbacv1.clusterrolebindings)).items];
  };

  beforeAll(async () => {
    product = await Product.start();
    // Whoever is refused something does not get on: the refusals tell more than that the end never came.
    await journey().catch((cause: Error) => {
      throw new Error(`${cause.message}\n${[...new Set(refusals(product.requests))].join('\n')}`, { cause });
    });
  }, 600_000);
  afterAll(() => product?.stop(), 60_000);

  async function journey(): Promise<void> {
    await product.create(name, { nodePoolReplicas: 1, releaseImage: embeddedReleaseImage(from) });
    await breakGlass();
    await growByPods();
    await lookInside();
    await product.patch(name, { spec: { release: { image: embeddedReleaseImage(to) } } });
    await eventually(async () => {
      const { status } = await product.cluster(name);
      expect(status?.version?.history?.[0]).toMatchObject({ version: to, state: 'Completed' });
      expect(await product.deploymentsRolledOut(name)).toBe(true);
    }, 300_000);
    await readAccess();
    await lookInside();
    await destroyCluster({ client: product.client, namespace, name, graceMs: 120_000 });
  }

  /** The log of a hosted API server goes with its pod, and folders of other pods go while they are read. */
  async function lookInside(): Promise<void> {
    inside.push(...refusals(await eventually(() => hostedAudit(product.folder))));
  }

  /** A certificate that is asked for, approved, signed and revoked. */
  async function breakGlass(): Promise<void> {
    const subject = { commonName: 'system:customer-break-glass:jane', organizations: ['system:masters'] };
    const request = await createRequest({ subject, keys: await generateKeys('P-256') });
    const spec = {
      request: Buffer.from(request).toString('base64'),
      signerName: `hypershift.openshift.io/${controlPlane}.customer-break-glass`,
      usages: ['client auth', 'digital signature'],
    };
    await product.client.create(certificatesv1.certificatesigningrequests, { metadata: { name: 'jane' }, spec });
    const kind = (resource: string, of: string) =>
      ({
        group: 'certificates.hypershift.openshift.io',
        version: 'v1alpha1',
        resource,
        kind: of,
        namespaced: true,
      }) as const;
    const metadata = { name: 'jane', namespace: controlPlane };
    const approvals = kind('certificatesigningrequestapprovals', 'CertificateSigningRequestApproval');
    await product.client.create(approvals, { metadata } as UnstructuredObject);
    await eventually(async () => {
      const { status } = await product.client.get(certificatesv1.certificatesigningrequests, { name: 'jane' });
      expect(status?.certificate).toBeTruthy();
    });
    const revocations = kind('certificaterevocationrequests', 'CertificateRevocationRequest');
    const revocation = { metadata, spec: { signerClass: 'customer-break-glass' } } as unknown as UnstructuredObject;
    await product.client.create(revocations, revocation);
    await eventually(async () => {
      const { status } = (await product.client.get(revocations, metadata)) as {
        status?: { conditions?: { type: string; status: string }[] };
      };
      const done = status?.conditions?.find(({ type }) => type === 'PreviousCertificatesRevoked');
      expect(done?.status).toBe('True');
    });
  }

  /** A pool that scales by its pods, and a pod without room. */
  async function growByPods(): Promise<void> {
    const body = { spec: { replicas: null, autoScaling: { min: 1, max: 2 } } };
    await product.client.patch(nodePools, { namespace, name }, { type: 'merge', body });
    const hosted = await product.hosted(name);
    const labels = { app: 'web' };
    const container = { name: 'main', image: 'pause', resources: { requests: { cpu: '800m' } } };
    await hosted.create(appsv1.deployments, {
      metadata: { name: 'web', namespace: 'default' },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    });
    await eventually(async () => {
      const { items } = await hosted.list(corev1.nodes);
      const ready = items.filter(({ status }) =>
        status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'),
      );
      expect(ready).toHaveLength(2);
    });
    await hosted.close();
  }

  const granted = (account: string): readonly Right[] => {
    const [first = '', second] = account.split('/');
    return rightsOf(
      second ? { namespace: first, name: second } : { namespace: controlPlane, name: first },
      roles,
      bindings,
    );
  };
  const used = (account: string): readonly Right[] => {
    const [first = '', second] = account.split('/');
    return rightsUsed(
      product.requests,
      `system:serviceaccount:${second ? `${first}:${second}` : `${controlPlane}:${first}`}`,
    );
  };
  /** What is in roles that it makes: nobody can give rights that they do not have. */
  const handedOn = (account: string): readonly Right[] => {
    if (account !== 'hypershift/operator' && account !== 'control-plane-operator') return [];
    const byTheOther = account === 'control-plane-operator' ? ['cluster-api', 'capi-provider', account] : [];
    const isOfCluster = ({ metadata }: rbacv1.Role | rbacv1.ClusterRole) =>
      metadata.namespace === controlPlane || /clusters-demo|^hypershift-cluster-api$/.test(metadata.name ?? '');
    return roles
      .filter((role) => isOfCluster(role) && !byTheOther.includes(role.metadata.name ?? ''))
      .flatMap(({ rules = [] }) => rightsIn(rules));
  };

  it('When a cluster is made, used, upgraded and deleted, nobody should be refused anything', () => {
    expect(product.requests.length).toBeGreaterThan(1000);
    expect(refusals(product.requests).filter((one) => !letsGo.test(one) && !looksLate.test(one))).toEqual([]);
    expect(inside.filter((one) => !comesEarly.test(one))).toEqual([]);
  });

  it('When a role is made for a cluster, it should name its verbs', () => {
    const made = roles.filter(
      ({ metadata }) => metadata.namespace === controlPlane || /^hypershift-|clusters-demo/.test(metadata.name ?? ''),
    );
    expect(made.length).toBeGreaterThan(8);
    const open = made.filter(({ rules = [] }) =>
      rules.some(({ verbs, apiGroups }) => [...verbs, ...(apiGroups ?? [])].includes('*')),
    );
    expect(open.map(({ metadata }) => metadata.name)).toEqual([]);
  });

  it.each(['hypershift/operator', ...ours])(
    'When %s has a right, it should use it, hand it on, or have a reason',
    (account) => {
      const rights = granted(account);
      expect(rights.length).toBeGreaterThan(0);
      const uses = used(account);
      const gives = handedOn(account);
      const reasons = unusedOnPurpose[account] ?? [];
      const idle = rights.filter(
        (right) => !uses.some((use) => covers(right, use)) && !gives.some((given) => includes(right, given)),
      );
      const unexplained = idle.map(textOf).filter((text) => !reasons.some(([rights]) => rights.test(text)));
      expect([...new Set(unexplained)]).toEqual([]);
    },
  );
});
