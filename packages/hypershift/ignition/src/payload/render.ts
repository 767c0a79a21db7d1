import { createHash } from 'node:crypto';
import type { MachineConfig } from '../machine-config/machine-config.ts';
import type { MergedMachineConfig } from '../machine-config/merge.ts';
import { mergeMachineConfigs } from '../machine-config/merge.ts';
import type { IgnitionConfig } from '../spec/ignition-config.ts';
import { IgnitionError } from '../spec/ignition-error.ts';
import { mergeIgnition } from '../spec/merge.ts';
import { ignitionErrors } from '../spec/validate.ts';
import { writeIgnition } from '../spec/write.ts';
import { baseWorker } from './base-worker.ts';
import type { ConfigDocuments } from './config-documents.ts';
import { configDocuments } from './config-documents.ts';
import { containerRuntime, containerRuntimeConfigFiles } from './container-runtime.ts';
import { fileOf, generatedMachineConfig } from './files.ts';
import { scopePolicies, sigstoreRegistriesFile } from './image-policy.ts';
import { baseKubeletConfiguration, kubeletConfigFiles } from './kubelet-config.ts';
import { kubeletService } from './kubelet-service.ts';
import { mirroredSources } from './mirrors.ts';
import type { PayloadInputs } from './payload-inputs.ts';
import { policyFile, registriesFile, searchRegistriesFile } from './registries.ts';

/** What the operating system of RHEL CoreOS images in the field reads. */
const servedMinor = 2;

export interface Payload {
  /** Ignition 3.2 JSON. */
  readonly json: string;
  /** `rendered-worker-<digest>`: the name of the merged MachineConfig. */
  readonly renderedName: string;
  readonly warnings: MergedMachineConfig['warnings'];
}

/** The complete Ignition config of a worker. Throws what is wrong with the user's configuration. */
export function renderPayload(inputs: PayloadInputs): Payload {
  const documents = configDocuments(inputs.rawConfig);
  const merged = mergeMachineConfigs([...generatedConfigs(inputs, documents), ...documents.machineConfigs], {
    osImageURL: inputs.images.osImage,
    baseOSExtensionsContainerImage: inputs.images.osExtensionsImage,
  });
  const { config, spec } = withoutKernelArguments(merged);
  const renderedName = `rendered-worker-${createHash('sha256')
    .update(JSON.stringify([spec, config]))
    .digest('hex')
    .slice(0, 32)}`;
  const complete = mergeIgnition(config, bootFiles(inputs, spec, renderedName));
  const errors = ignitionErrors(complete);
  if (errors.length > 0) throw new IgnitionError('the merged Ignition config is not valid', errors);
  return { json: writeIgnition(complete, servedMinor), renderedName, warnings: merged.warnings };
}

function generatedConfigs(inputs: PayloadInputs, documents: ConfigDocuments): MachineConfig[] {
  const { kubeletConfig, containerRuntimeConfigs, mirrorSets, imagePolicies } = documents;
  const sources = inputs.image?.registrySources ?? {};
  const policies = scopePolicies(imagePolicies);
  const configs = [baseWorker(inputs), containerRuntime(inputs), kubeletService(inputs)];
  if (kubeletConfig) {
    const files = kubeletConfigFiles(kubeletConfig, baseKubeletConfiguration(inputs));
    configs.push(generatedMachineConfig('99-worker-generated-kubelet', { files }));
  }
  for (const [index, config] of containerRuntimeConfigs.entries()) {
    const suffix = index === 0 ? '' : `-${index}`;
    const files = containerRuntimeConfigFiles(config);
    configs.push(generatedMachineConfig(`99-worker-generated-containerruntime${suffix}`, { files }));
  }
  if (mirrorSets.length > 0 || policies.length > 0 || Object.keys(sources).length > 0) {
    const files = [
      registriesFile(mirroredSources(mirrorSets), sources),
      ...searchRegistriesFile(sources),
      policyFile(policies, sources),
      ...sigstoreRegistriesFile(policies),
    ];
    configs.push(generatedMachineConfig('99-worker-generated-registries', { files }));
  }
  return configs;
}

type RenderedSpec = Omit<MergedMachineConfig, 'ignition' | 'warnings'>;

/** Ignition 3.2 has no kernel arguments; the machine-config-daemon adds them on first boot instead. */
function withoutKernelArguments(merged: MergedMachineConfig): { config: IgnitionConfig; spec: RenderedSpec } {
  const { ignition, warnings: _, ...rest } = merged;
  const { kernelArguments = {}, ...config } = ignition;
  if (kernelArguments.shouldNotExist?.length)
    throw new IgnitionError("can't serve version 3.2.0 with ignition KernelArguments.ShouldNotExist populated");
  const kernel = [...rest.kernelArguments, ...(kernelArguments.shouldExist ?? [])];
  return { config, spec: { ...rest, kernelArguments: kernel } };
}

/** What is the machine's own, after all MachineConfigs: its way into the cluster and its first configuration. */
function bootFiles(inputs: PayloadInputs, spec: RenderedSpec, renderedName: string): IgnitionConfig {
  const prefix = 'machineconfiguration.openshift.io';
  const annotations = {
    [`${prefix}/currentConfig`]: renderedName,
    [`${prefix}/desiredConfig`]: renderedName,
    [`${prefix}/firstPivotConfig`]: renderedName,
    [`${prefix}/state`]: 'Done',
  };
  const encapsulated = {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: { name: renderedName, creationTimestamp: null },
    spec: { ...spec, config: { ignition: { version: `3.${servedMinor}.0` } } },
  };
  return {
    ignition: { version: '3.5.0' },
    storage: {
      files: [
        fileOf('/etc/machine-config-daemon/node-annotations.json', JSON.stringify(annotations)),
        fileOf('/etc/kubernetes/kubeconfig', inputs.bootstrapKubeconfig, 0o600),
        fileOf('/etc/ignition-machine-config-encapsulated.json', JSON.stringify(encapsulated)),
      ],
    },
  };
}
