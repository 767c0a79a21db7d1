import { describe, expect, it } from 'vitest';
import { normalisedDocuments, splitDocuments } from './documents.ts';

const normalise = (config: string) => normalisedDocuments([{ name: 'user', data: { config } }]);
const kubeletConfig = `
apiVersion: machineconfiguration.openshift.io/v1
kind: KubeletConfig
metadata:
  name: set-max-pods
spec:
  kubeletConfig:
    maxPods: 100
`;
const mirrorSet = `apiVersion: config.openshift.io/v1
kind: ImageDigestMirrorSet
# kept letter for letter
spec:   { imageDigestMirrors: [] }
`;

describe('normalisedDocuments', () => {
  it('When a KubeletConfig is given, it should select the built-in pools and print what Go prints', () => {
    expect(normalise(kubeletConfig)).toEqual([
      `apiVersion: machineconfiguration.openshift.io/v1
kind: KubeletConfig
metadata:
  creationTimestamp: null
  name: set-max-pods
spec:
  kubeletConfig:
    maxPods: 100
  machineConfigPoolSelector:
    matchLabels:
      machineconfiguration.openshift.io/mco-built-in: ""
status:
  conditions: null
`,
    ]);
  });

  it('When a ContainerRuntimeConfig is given, it should write quantities in canonical form', () => {
    const [document] = normalise(`apiVersion: machineconfiguration.openshift.io/v1
kind: ContainerRuntimeConfig
metadata: { name: set-pids-limit }
spec:
  containerRuntimeConfig: { logSizeMax: "0", overlaySize: 1024Mi, pidsLimit: 2048 }
`);
    expect(document).toContain('    logSizeMax: "0"\n    overlaySize: 1Gi\n    pidsLimit: 2048\n');
  });

  it('When a MachineConfig has no spec, it should print every zero value and the role of workers', () => {
    expect(
      normalise(
        'apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\nmetadata: {name: test-config, odd: 1}\n',
      ),
    ).toEqual([
      `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata:
  creationTimestamp: null
  labels:
    machineconfiguration.openshift.io/role: worker
  name: test-config
spec:
  baseOSExtensionsContainerImage: ""
  config: null
  extensions: null
  fips: false
  kernelArguments: null
  kernelType: ""
  osImageURL: ""
`,
    ]);
  });

  it('When a mirror set is given, it should keep its text', () => {
    expect(normalise(mirrorSet)).toEqual([mirrorSet]);
  });

  it('When an image policy is of the alpha version, it should become the stable one and nothing else', () => {
    const policy = 'apiVersion: config.openshift.io/v1alpha1\nkind: ClusterImagePolicy\nspec: {}\n';
    expect(normalise(policy)).toEqual([policy.replace('v1alpha1', 'v1')]);
  });

  it('When the keys of a document change places, it should stay the same text', () => {
    const other =
      'kind: KubeletConfig\nspec: {kubeletConfig: {maxPods: 100}}\nmetadata: {name: set-max-pods}\napiVersion: machineconfiguration.openshift.io/v1\n';
    expect(normalise(other)).toEqual(normalise(kubeletConfig));
    expect(normalise(normalise(other)[0] ?? '')).toEqual(normalise(other));
  });

  it.each([
    [
      '\ninvalid: yaml\n  - content\n',
      `configmap "user" yaml document failed validation: error decoding config: Object 'Kind' is missing in '\ninvalid: yaml\n  - content\n'`,
    ],
    [
      'apiVersion: hypershift.openshift.io/v1beta1\nkind: HostedCluster\n',
      'no kind "HostedCluster" is registered for version "hypershift.openshift.io/v1beta1" in scheme',
    ],
    [
      'apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfigPool\n',
      'unsupported config type: *v1.MachineConfigPool',
    ],
    ['kind: MachineConfig\n', "Object 'apiVersion' is missing"],
    ['a: [\n', 'error decoding config: yaml: line'],
    ['a: b\n--- junk\n', 'configmap "user" contains invalid yaml: invalid Yaml document separator: junk'],
    [
      'apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\nspec: {kernelArguments: x}\n',
      'json: cannot unmarshal string into Go struct field MachineConfigSpec.spec.kernelArguments of type []string',
    ],
  ])('When the ConfigMap holds %j, it should be refused with the reason', (config, message) => {
    expect(() => normalise(config)).toThrow(message);
  });

  it('When several documents are wrong, it should name them all', () => {
    expect(() => normalise('kind: A\n---\nkind: B\n')).toThrow(/^\[configmap "user"[^]*, configmap "user"[^]*\]$/);
  });

  it('When the key is missing or documents are empty, it should contribute nothing', () => {
    expect(normalisedDocuments([{ name: 'a' }, { name: 'b', data: { other: 'x' } }])).toEqual([]);
    expect(splitDocuments('a: 1\n--- # empty\n\n---\nb: 2')).toEqual(['a: 1\n', 'b: 2\n']);
  });
});
