import { createHash } from 'node:crypto';
import { machineConfigProblem } from '../machine-config/merge.ts';
import { configDocuments } from './config-documents.ts';
import { containerRuntimeConfigFiles } from './container-runtime.ts';
import { scopePolicies } from './image-policy.ts';
import { baseKubeletConfiguration, kubeletConfigFiles } from './kubelet-config.ts';
import { mirroredSources } from './mirrors.ts';
import type { PayloadInputs } from './payload-inputs.ts';
import { renderPayload } from './render.ts';

/** A cluster without wishes of its own: what is wrong with it is wrong with the config. */
const neutral: Omit<PayloadInputs, 'rawConfig'> = {
  images: { osImage: 'os', osExtensionsImage: 'extensions', podImage: 'pod', machineConfigOperatorImage: 'mco' },
  pullSecret: '{}',
  additionalTrustBundle: '',
  bootstrapKubeconfig: '',
  kubeletClientCA: '',
  clusterDnsAddress: '172.31.0.10',
  ipFamily: 'IPv4',
  proxy: {},
};

/** What was found in documents before, by their hash: a pool is looked at often, and its config hardly ever changes. */
const judged = new Map<string, readonly string[]>();
const mostJudged = 1000;

/**
 * Everything for which a payload of these documents could not be made, before anything is rolled out: upstream finds it
 * only when the first machine of the rollout asks in vain. Empty: machines could boot with it.
 */
export function configProblems(rawConfig: string): readonly string[] {
  const key = createHash('sha256').update(rawConfig).digest('base64');
  const known = judged.get(key);
  if (known) return known;
  const problems = problemsIn(rawConfig);
  if (judged.size >= mostJudged) judged.clear();
  judged.set(key, problems);
  return problems;
}

function problemsIn(rawConfig: string): readonly string[] {
  const problems: string[] = [];
  const attempt = <T>(what: () => T): T | undefined => {
    try {
      return what();
    } catch (error) {
      problems.push((error as Error).message);
      return undefined;
    }
  };
  const documents = attempt(() => configDocuments(rawConfig));
  if (!documents) return problems;
  const inputs = { ...neutral, rawConfig };
  problems.push(...documents.machineConfigs.flatMap((config) => machineConfigProblem(config) ?? []));
  const { kubeletConfig, containerRuntimeConfigs, mirrorSets, imagePolicies } = documents;
  if (kubeletConfig) attempt(() => kubeletConfigFiles(kubeletConfig, baseKubeletConfiguration(inputs)));
  for (const config of containerRuntimeConfigs) attempt(() => containerRuntimeConfigFiles(config));
  attempt(() => mirroredSources(mirrorSets));
  attempt(() => scopePolicies(imagePolicies));
  // Only what is fine by itself can tell whether it is fine together.
  if (problems.length === 0) attempt(() => renderPayload(inputs));
  return problems;
}
