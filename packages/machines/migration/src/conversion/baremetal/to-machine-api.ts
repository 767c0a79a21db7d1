import type { BareMetalMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { Draft } from '../../wire/draft.ts';
import type { Findings } from '../findings.ts';
import type { InfraTemplate } from '../infra-objects.ts';
import { clusterApiNamespace } from '../names.ts';
import type { ProviderParts, ToMachineApi } from '../platform-conversion.ts';
import type { Metal3Cluster, Metal3MachineSpec } from './types.ts';

type Input = ToMachineApi<Metal3MachineSpec, Metal3Cluster>;

/** A Metal3Machine as a BareMetalMachineProviderSpec. */
export function baremetalToMachineApi(
  input: Input,
): ProviderParts<Omit<Draft<BareMetalMachineProviderSpec>, 'apiVersion' | 'kind'>> {
  const { spec, machine } = input;
  refuse(input);
  const userData = machine.spec.bootstrap.dataSecretName ?? spec.userData?.name;
  return {
    spec: {
      image: { url: spec.image?.url, checksum: spec.image?.checksum },
      customDeploy: { method: spec.customDeploy?.method },
      userData: userData ? { name: userData } : undefined,
      hostSelector: spec.hostSelector,
    },
  };
}

function refuse({ spec, machine, findings, path }: Input): void {
  const { image, userData } = spec;
  for (const field of ['checksumType', 'format'] as const)
    if (image?.[field]) findings.invalid(`${path}.image.${field}`, image[field], `${field} is not supported`);
  findings.unsupported(path, spec, {
    dataTemplate: 'dataTemplate is not supported',
    metaData: 'metaData is not supported',
    networkData: 'networkData is not supported',
    automatedCleaningMode: 'automatedCleaningMode is not supported',
  });
  if (userData?.namespace && userData.namespace !== clusterApiNamespace)
    findings.invalid(`${path}.userData.namespace`, userData.namespace, `must be ${clusterApiNamespace} or omitted`);
  const { dataSecretName } = machine.spec.bootstrap;
  if (userData?.name && dataSecretName && userData.name !== dataSecretName)
    findings.invalid(
      `${path}.userData.name`,
      userData.name,
      `must match ${JSON.stringify(dataSecretName)} of the Machine`,
    );
}

/** Hosts of the Machine API are cleaned and given back; they are never kept for the next machine. */
export function refuseNodeReuse(template: InfraTemplate, findings: Findings): void {
  const { nodeReuse } = template.spec as { readonly nodeReuse?: unknown };
  if (nodeReuse) findings.invalid('spec.nodeReuse', nodeReuse, 'nodeReuse is not supported');
}
