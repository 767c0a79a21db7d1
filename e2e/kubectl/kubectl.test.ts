import { createRequest, generateKeys } from '@hypershift-ts/kube-pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { findKubectls, Kubectl } from '../harness/kubectl.ts';

const widgetCrd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, shortNames: [wd], categories: [all] }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {}, scale: { specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas } }
      additionalPrinterColumns: [{ name: Size, type: integer, jsonPath: .spec.size }]
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: { type: integer, minimum: 1, description: How big the widget is. }
                replicas: { type: integer, default: 1 }
              x-kubernetes-validations: [{ rule: '!has(self.size) || self.size < 100', message: size must be below 100 }]
            status: { type: object, x-kubernetes-preserve-unknown-fields: true }
`;

function deployment(image: string, replicas = 1): string {
  return `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { app: web } }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "${image}" }] }
`;
}

function configMap(name: string, data: Record<string, string>): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
}

const kubectls = findKubectls();

describe.skipIf(kubectls.length === 0).each(kubectls)('$name', ({ path, name }) => {
  let test: TestCluster;
  let kubectl: Kubectl;
  const minor = Number(/(\d+)$/.exec(name)?.[1] ?? 99);

  beforeAll(async () => {
    test = await startTestCluster();
    kubectl = new Kubectl(path, test.cluster.adminKubeconfig());
    await kubectl.ok('create namespace demo');
    await kubectl.ok('config set-context --current --namespace=demo');
  });
  afterAll(async () => {
    kubectl.dispose();
    await test.stop();
  });

  it('When asked for the version, it should name a Kubernetes release', async () => {
    expect(await kubectl.ok('version -o yaml')).toMatch(/serverVersion:[\s\S]*gitVersion: v1\.37/);
  });

  it('When asked what there is, it should list built-in resources with short names', async () => {
    const resources = await kubectl.ok('api-resources');
    expect(resources).toMatch(/deployments\s+deploy\s+apps\/v1\s+true\s+Deployment/);
    expect(resources).toMatch(/customresourcedefinitions\s+crd,crds/);
    expect(await kubectl.ok('api-versions')).toContain('rbac.authorization.k8s.io/v1');
  });

  it('When a CRD is applied, it should be explained, validated, printed, scaled and listed under its category', async () => {
    await kubectl.ok('apply -f -', widgetCrd);
    await kubectl.ok('wait --for=condition=Established crd/widgets.example.com --timeout=10s');
    expect(await kubectl.ok('explain widget.spec.size')).toContain('How big the widget is.');
    expect(await kubectl.ok('explain pod.spec.containers --recursive')).toContain('imagePullPolicy');
    await kubectl.ok(
      'apply -f -',
      'apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: w }\nspec: { size: 3 }\n',
    );
    expect(await kubectl.ok('get wd')).toMatch(/NAME\s+SIZE\nw\s+3/);
    expect(await kubectl.ok('get all')).toContain('widget.example.com/w');
    await kubectl.ok('scale widget/w --replicas=4');
    expect(await kubectl.ok('get widget w -o jsonpath={.spec.replicas}')).toBe('4');
    const refused = await kubectl.fails('patch widget w --type=merge -p {"spec":{"size":100}}');
    expect(refused).toContain('size must be below 100');
    expect(await kubectl.fails('patch widget w --type=merge -p {"spec":{"size":0}}')).toContain(
      'should be greater than or equal to 1',
    );
  });

  it('When objects are created and printed, it should print them in every format', async () => {
    await kubectl.ok('create configmap shown --from-literal=key=value');
    expect(await kubectl.ok('get configmap shown')).toMatch(/NAME\s+DATA\s+AGE\nshown\s+1\s+\d+s/);
    expect(await kubectl.ok('get cm shown -o wide')).toContain('shown');
    expect(JSON.parse(await kubectl.ok('get cm shown -o json'))).toMatchObject({
      kind: 'ConfigMap',
      data: { key: 'value' },
    });
    expect(await kubectl.ok('get cm shown -o yaml')).toContain('key: value');
    expect(await kubectl.ok('get cm shown -o jsonpath={.data.key}')).toBe('value');
    expect(await kubectl.ok('get cm shown -o custom-columns=N:.metadata.name,K:.data.key')).toMatch(
      /N\s+K\nshown\s+value/,
    );
    expect(await kubectl.ok('get cm -o name')).toContain('configmap/shown');
    expect(await kubectl.ok('describe cm shown')).toContain('value');
  });

  it('When a deployment is applied twice, it should patch only what changed and diff should show it first', async () => {
    expect(await kubectl.ok('apply -f -', deployment('nginx:1'))).toContain('created');
    expect(await kubectl.ok('apply -f -', deployment('nginx:1'))).toContain('unchanged');
    const diff = await kubectl.run(['diff', '-f', '-'], deployment('nginx:2'));
    expect(diff.code).toBe(1);
    expect(diff.stdout).toMatch(/-\s+- image: nginx:1[\s\S]*\+\s+- image: nginx:2/);
    expect(await kubectl.ok('apply -f -', deployment('nginx:2'))).toContain('configured');
    expect(await kubectl.ok('get deploy web -o jsonpath={.spec.template.spec.containers[0].image}')).toBe('nginx:2');
  });

  it('When patched in the three ways, it should apply each', async () => {
    await kubectl.ok(
      'patch deploy web -p {"spec":{"template":{"spec":{"containers":[{"name":"side","image":"side:1"}]}}}}',
    );
    expect(await kubectl.ok('get deploy web -o jsonpath={.spec.template.spec.containers[*].name}')).toBe('side web');
    await kubectl.ok('patch deploy web --type=json -p [{"op":"remove","path":"/spec/template/spec/containers/0"}]');
    expect(await kubectl.ok('get deploy web -o jsonpath={.spec.template.spec.containers[*].name}')).toBe('web');
    await kubectl.ok('patch deploy web --type=merge -p {"spec":{"minReadySeconds":5}}');
    expect(await kubectl.ok('get deploy web -o jsonpath={.spec.minReadySeconds}')).toBe('5');
    await kubectl.ok('label deploy web tier=front');
    await kubectl.ok('annotate deploy web note=yes');
    expect(await kubectl.ok('get deploy -l tier=front -o name')).toBe('deployment.apps/web\n');
    expect(await kubectl.ok('get deploy -l tier!=front -o name')).toBe('');
  });

  it('When two managers apply the same field server-side, it should name the conflict and let force win', async () => {
    const apply = (manager: string, ...more: string[]): string[] => [
      'apply',
      '--server-side',
      `--field-manager=${manager}`,
      ...more,
      '-f',
      '-',
    ];
    await kubectl.ok(apply('one'), configMap('shared', { both: 'a', mine: '1' }));
    const conflict = await kubectl.fails(apply('two'), configMap('shared', { both: 'b' }));
    expect(conflict).toMatch(/conflict with "one".*\.data\.both/s);
    await kubectl.ok(apply('two', '--force-conflicts'), configMap('shared', { both: 'b' }));
    expect(await kubectl.ok('get cm shared -o jsonpath={.data}')).toBe('{"both":"b","mine":"1"}');
    await kubectl.ok(apply('one', '--force-conflicts'), configMap('shared', { other: '1' }));
    expect(await kubectl.ok('get cm shared -o jsonpath={.data}')).toBe('{"both":"b","other":"1"}');
  });

  it('When asked for a dry run, it should say what would happen and change nothing', async () => {
    expect(await kubectl.ok('create cm dry --from-literal=a=b --dry-run=server')).toContain('created (server dry run)');
    expect(await kubectl.fails('get cm dry')).toContain('configmaps "dry" not found');
  });

  it('When a manifest has an unknown field, it should be refused strictly and warned about otherwise', async () => {
    const manifest = configMap('typo', {}).replace('"data"', '"dota"');
    expect(await kubectl.fails('apply --validate=strict -f -', manifest)).toContain('unknown field "dota"');
    const warned = await kubectl.run(['apply', '--validate=warn', '-f', '-'], manifest);
    expect(warned.code).toBe(0);
    expect(warned.stderr).toContain('unknown field "dota"');
  });

  it('When watched, it should print each change as it happens', async () => {
    const watch = kubectl.start(['get', 'cm', '-w', '-o', 'name']);
    let seen = '';
    watch.stdout!.on('data', (chunk: Buffer) => (seen += chunk.toString()));
    await expect.poll(() => seen, { timeout: 10_000 }).toContain('configmap/shown');
    await kubectl.ok('create cm late --from-literal=a=b');
    await expect.poll(() => seen, { timeout: 10_000 }).toContain('configmap/late');
    watch.kill();
  });

  it('When something is deleted elsewhere, wait --for=delete should return', async () => {
    const waiting = kubectl.ok('wait --for=delete cm/late --timeout=20s');
    await kubectl.ok('delete cm late');
    // It prints nothing when the object was gone before it looked.
    expect(await waiting).toMatch(/condition met|^$/);
    expect(await kubectl.fails('get cm late')).toContain('not found');
  });

  it('When an unprivileged service account asks, it should be denied with the reason, and allowed after a binding', async () => {
    await kubectl.ok('create serviceaccount reader');
    const token = (await kubectl.ok('create token reader')).trim();
    const as = ['--as=system:serviceaccount:demo:reader'];
    expect(await kubectl.fails(['get', 'cm', ...as])).toContain(
      'configmaps is forbidden: User "system:serviceaccount:demo:reader" cannot list resource "configmaps" in API group "" in the namespace "demo"',
    );
    await kubectl.ok('create role reads --verb=get,list --resource=configmaps');
    await kubectl.ok('create rolebinding reads --role=reads --serviceaccount=demo:reader');
    expect(await kubectl.ok(['get', 'cm', ...as])).toContain('shown');
    expect(await kubectl.ok(['auth', 'can-i', 'list', 'configmaps', ...as])).toBe('yes\n');
    expect((await kubectl.run(['auth', 'can-i', 'delete', 'configmaps', ...as])).stdout).toBe('no\n');
    expect(await kubectl.ok(['auth', 'can-i', '--list', ...as])).toMatch(/configmaps\s+\[\]\s+\[\]\s+\[get list\]/);
    if (minor >= 28) expect(await kubectl.ok('auth whoami')).toContain('kubernetes-admin');
    expect(token.split('.')).toHaveLength(3);
  });

  it('When a certificate request is approved, it should carry the approval', async () => {
    const pem = await createRequest({
      subject: { commonName: 'dev', organizations: ['devs'] },
      keys: await generateKeys(),
    });
    const csr = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'dev' },
      spec: {
        request: Buffer.from(pem).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth'],
      },
    };
    await kubectl.ok('apply -f -', JSON.stringify(csr));
    await kubectl.ok('certificate approve dev');
    expect(await kubectl.ok('get csr dev')).toMatch(/kubernetes-admin\s.*Approved/);
  });

  it('When what does not exist is asked for, it should say so', async () => {
    expect(await kubectl.fails('get gadgets')).toContain('the server doesn\'t have a resource type "gadgets"');
    expect(await kubectl.fails('get pods nothing')).toContain('pods "nothing" not found');
    expect(await kubectl.fails('create cm x --from-literal=a=b -n nowhere')).toContain(
      'namespaces "nowhere" not found',
    );
  });
});
